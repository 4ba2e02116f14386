/* Reports: what is drawn and what is JSON, both written here by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/report.h"

static struct report *r;

static int begin(void **state)
{
	(void)state;
	r = report_create();
	return 0;
}

static int end(void **state)
{
	(void)state;
	report_destroy(r);
	return 0;
}

static void expect_drawn(uint32_t width, const char *text)
{
	struct text out = {0};
	report_draw(r, width, &out);
	assert_string_equal(text_str(&out), text);
	text_free(&out);
}

static void expect_json(const char *json)
{
	struct text out = {0};
	report_json(r, true, &out);
	assert_string_equal(text_str(&out), json);
	text_free(&out);
}

static void cells_have_values_and_looks(void **state)
{
	const uint32_t block[3] = {4, 1, 2};
	(void)state;
	report_number(r, "n", 7);
	report_signed(r, "below", -3);
	report_hex(r, "address", 0x80000000);
	report_lanes(r, "lanes", 0xff);
	report_mask(r, "cores", 3, 16);
	report_real(r, "ratio", 0.5, "50 %");
	report_text(r, "name", "a \"b\"");
	report_textf(r, "type", "f%d", 32);
	report_flag(r, "live", true);
	report_none(r, "parent", "-");
	report_triple(r, "block", block);
	report_line(r, "{n} {below} {address} {lanes} {cores} {ratio} {name} {type} {live} {parent} {block}\n");
	expect_drawn(0, "7 -3 0x80000000 0x000000ff 0x0000000000000003 50 % a \"b\" f32 yes - (4,1,2)\n");
	expect_json("{\"n\":7,\"below\":-3,\"address\":2147483648,\"lanes\":255,\"cores\":3,\"ratio\":0.5,\"name\":\"a \\\"b\\\"\","
		    "\"type\":\"f32\",\"live\":true,\"parent\":null,\"block\":[4,1,2]}");
}

static void what_json_has_no_number_for_is_a_string(void **state)
{
	(void)state;
	report_number(r, "most", UINT64_MAX);
	report_number(r, "largest", INT64_MAX);
	report_real(r, "not", __builtin_nan(""), "nan(0x7fffff)");
	report_real(r, "inf", -__builtin_inf(), "-inf");
	report_text(r, "latin", "caf\xe9");
	expect_json("{\"most\":\"18446744073709551615\",\"largest\":9223372036854775807,\"not\":\"nan(0x7fffff)\",\"inf\":\"-inf\","
		    "\"latin\":\"caf?\"}");
}

static void templates(void **state)
{
	(void)state;
	report_number(r, "n", 1);
	report_number(r, "m", 2);
	report_line(r, "{n} warp{n|s}, {m} warp{m|s}[ of {nobody}][ and [not {nothing}]more]; {{n}} [[x]]\n");
	report_open(r, "access");
	report_text(r, "op", "read");
	report_close(r);
	report_look(r, "a read");
	report_list(r, "way");
	report_number(r, NULL, 3);
	report_number(r, NULL, 4);
	report_close(r);
	report_line(r, "{access}: {access.op} by {way}\n");
	report_line(r, "{n:3}{m:-3}{way:6}[{nothing:3}].\n");
	expect_drawn(0, "1 warp, 2 warps and more; {n} [x]\na read: read by 3, 4\n  12    3, 4.\n");
}

/* A cell's own text may hold what templates are made of. */
static void cells_are_no_templates(void **state)
{
	(void)state;
	report_text(r, "name", "[{x}] %s");
	report_say(r, "%s {name}\n", "{name}");
	report_line(r, "{name}\n");
	expect_drawn(0, "{name} {name}\n[{x}] %s\n");
}

/* The members of a group are members of its object. */
static void groups_are_indented(void **state)
{
	(void)state;
	report_number(r, "a", 1);
	report_group(r, 4);
	report_number(r, "b", 2);
	report_line(r, "b {b}\n");
	report_say(r, "two\n\nlines");
	report_close(r);
	report_say(r, "a\n");
	expect_drawn(0, "    b 2\n    two\n    \n    lines\na\n");
	expect_json("{\"a\":1,\"b\":2}");
}

static void a_table(uint32_t rows)
{
	static const char *const titles[] = {"Core", "Warp", "<In block", "<Place, line"};
	report_table(r, "warps", titles, 4);
	report_table_keys(r, 2);
	report_instead(r, "No warps.\n");
	for (uint32_t k = 0; k < rows; k++) {
		report_row(r, k == 1);
		if (!k)
			report_row_heading(r, "Device 0");
		report_number(r, NULL, 0);
		report_number(r, NULL, k);
		report_text(r, NULL, k ? "second" : "-");
		report_text(r, "only_data", "x");
		report_text(r, NULL, "k.ptx:12");
	}
	report_close(r);
}

static void tables(void **state)
{
	(void)state;
	a_table(2);
	report_say(r, "behind\n");
	expect_drawn(0, "  Core Warp In block Place, line\nDevice 0\n     0    0 -        k.ptx:12\n*    0    1 second   k.ptx:12\nbehind\n");
	expect_drawn(24, "  Core Warp In block\nDevice 0\n     0    0 -\n*    0    1 second\n\n"
			 "  Core Warp Place, line\nDevice 0\n     0    0 k.ptx:12\n*    0    1 k.ptx:12\nbehind\n");
	expect_json("{\"warps\":[{\"heading\":\"Device 0\",\"core\":0,\"warp\":0,\"in_block\":\"-\",\"only_data\":\"x\",\"place_line\":\"k.ptx:12\"},"
		    "{\"core\":0,\"warp\":1,\"in_block\":\"second\",\"only_data\":\"x\",\"place_line\":\"k.ptx:12\",\"focus\":true}]}");
}

static void tables_without_rows(void **state)
{
	(void)state;
	a_table(0);
	expect_drawn(0, "No warps.\n");
	expect_json("{\"warps\":[]}");
}

static void a_report_in_a_report(void **state)
{
	struct report *inner = report_create();
	struct text out = {0};
	(void)state;
	report_number(inner, "n", 5);
	report_line(inner, "n is {n}\n");
	report_move(r, "result", inner);
	assert_false(report_has_words(inner));
	report_destroy(inner);
	report_text(r, "status", "ok");
	expect_json("{\"result\":{\"n\":5},\"status\":\"ok\"}");
	expect_drawn(0, "n is 5\n");
	report_json(r, false, &out);
	assert_string_equal(text_str(&out), "{\n  \"result\": {\n    \"n\": 5\n  },\n  \"status\": \"ok\"\n}");
	text_free(&out);
}

static void a_list_of_reports_and_a_copy(void **state)
{
	struct report *copy = report_create();
	struct text out = {0};
	(void)state;
	for (unsigned k = 1; k < 3; k++) {
		struct report *part = report_create();
		report_number(part, "n", k);
		report_line(part, "n is {n}\n");
		report_append(r, "parts", part);
		assert_false(report_has_words(part));
		report_destroy(part);
		report_number(r, k == 1 ? "first" : "second", k);
	}
	report_copy(copy, r);
	report_json(copy, true, &out);
	assert_string_equal(text_str(&out), "{\"parts\":[{\"n\":1},{\"n\":2}],\"first\":1,\"second\":2}");
	assert_false(report_has_words(copy));
	report_destroy(copy);
	expect_json(text_str(&out));
	expect_drawn(0, "n is 1\nn is 2\n");
	text_free(&out);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
	const struct CMUnitTest tests[] = {T(cells_have_values_and_looks),
					   T(what_json_has_no_number_for_is_a_string),
					   T(templates),
					   T(groups_are_indented),
					   T(cells_are_no_templates),
					   T(tables),
					   T(tables_without_rows),
					   T(a_report_in_a_report),
					   T(a_list_of_reports_and_a_copy)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
