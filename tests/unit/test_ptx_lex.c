/* Tokens: names, opcodes, directives, every form of number against the host's own conversion, blanks, and what is no token. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/lex.h"
#include "ptx/special_names.h"

static struct ptx_token lex_one(const char *s)
{
	struct ptx_lexer l;
	struct ptx_token t;

	ptx_lex_init(&l, s, (uint32_t)strlen(s));
	ptx_lex_next(&l, &t);
	return t;
}

/* Kinds and texts of all tokens, blank separated: names and the rest as written, kinds only where the text does not tell. */
static void expect_tokens(const char *s, const char *want)
{
	struct ptx_lexer l;
	struct ptx_token t;
	char got[1024] = "";
	size_t n = 0;

	ptx_lex_init(&l, s, (uint32_t)strlen(s));
	for (ptx_lex_next(&l, &t); t.kind != PTX_TOK_END; ptx_lex_next(&l, &t))
		n += (size_t)snprintf(got + n, sizeof(got) - n, "%s%s%.*s", n ? " " : "",
				      t.kind == PTX_TOK_BAD ? "BAD:" : "", (int)t.n, s + t.at);
	assert_string_equal(got, want);
}

static void names(void **state)
{
	(void)state;
	expect_tokens("add %r1,$L_2:_x _ a$b %", "add %r1 , $L_2 : _x _ a$b %");
	expect_tokens("a%b", "a %b"); /* % only begins a name */
	expect_tokens("%tid.x", "%tid .x");
	expect_tokens("x.y..z", "x .y BAD:. .z");
	expect_tokens("p|q||r", "p | q || r");
	expect_tokens("a<<b>>c<=d>=e==f!=g&&h", "a << b >> c <= d >= e == f != g && h");
	struct ptx_token t = lex_one("%r0123");

	assert_int_equal(t.kind, PTX_TOK_NAME);
	assert_int_equal(t.n_stem, 2);
	assert_int_equal(t.stem_hash, ptx_name_hash("%r", 2));
	assert_int_equal(t.hash, ptx_name_hash("%r0123", 6));
}

static void directives_and_opcodes(void **state)
{
	(void)state;
	expect_tokens(".reg .b32 %r<5>;", ".reg .b32 %r < 5 > ;");
	expect_tokens(".param.u32 x", ".param .u32 x");
	expect_tokens(".L2::128B.x", ".L2::128B .x");

	static const struct {
		const char *text;
		unsigned n;
	} ops[] = {
		{"ld.global.v4.f32 {", 16},
		{"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [", 65},
		{"ret;", 3},
		{"tex.1d.v4.f32.s32{", 17},
		{"wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {", 49},
		{"bra. x", 3},
		{"L:", 1},
		{"add.u32.", 7},
		{"x::y", 4},
	};
	for (size_t i = 0; i < sizeof(ops) / sizeof(*ops); i++) {
		struct ptx_lexer l;
		struct ptx_token t;

		ptx_lex_init(&l, ops[i].text, (uint32_t)strlen(ops[i].text));
		ptx_lex_next(&l, &t);
		ptx_lex_opcode(&l, &t);
		assert_int_equal(t.n, ops[i].n);
		assert_int_equal(l.pos, ops[i].n);
	}
}

static void integers(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		uint64_t value;
		bool is_unsigned, overflow;
	} v[] = {
		{"0", 0, false, false},
		{"7", 7, false, false},
		{"017", 15, false, false},
		{"0U", 0, true, false},
		{"0x0", 0, false, false},
		{"0xfF", 255, false, false},
		{"0XABCDEFU", 0xabcdef, true, false},
		{"0b101", 5, false, false},
		{"0B11U", 3, true, false},
		{"9223372036854775807", INT64_MAX, false, false},
		{"9223372036854775808", UINT64_C(9223372036854775808), true, false},
		{"0xffffffffffffffff", UINT64_MAX, true, false},
		{"18446744073709551615", UINT64_MAX, true, false},
		{"18446744073709551616", 0, true, true},
		{"0x10000000000000001", 1, true, true},
		{"01777777777777777777777", UINT64_MAX, true, false},
	};
	for (size_t i = 0; i < sizeof(v) / sizeof(*v); i++) {
		struct ptx_token t = lex_one(v[i].text);

		assert_int_equal(t.kind, PTX_TOK_INT);
		assert_int_equal(t.n, strlen(v[i].text));
		assert_true(t.bits == v[i].value);
		assert_int_equal(t.is_unsigned, v[i].is_unsigned);
		assert_int_equal(t.overflow, v[i].overflow);
	}
}

static void decimal_floats(void **state)
{
	(void)state;
	static const char *const v[] = {"1.0",
					"0.5",
					".5",
					"5.",
					"1e5",
					"1E-5",
					"1.25e+10",
					"3.14159265358979323846",
					"0.1",
					"1e308",
					"1e309",
					"4.9406564584124654e-324",
					"1e-400",
					"123456789012345678901234567890",
					"0.0",
					"00.5",
					"9007199254740993.0",
					"2.2250738585072011e-308",
					"1e99999999999",
					"0e5",
					"1."
					"000000000000000111022302462515654042363166809082031250000000000000000000000000"
					"00000000000000000000001"};
	for (size_t i = 0; i < sizeof(v) / sizeof(*v); i++) {
		char text[256];
		double got;
		errno = 0;
		double want = strtod(v[i], NULL);
		bool beyond = errno == ERANGE;

		/* all digits without a point would be an integer */
		snprintf(text, sizeof(text), "%s%s", v[i], strpbrk(v[i], ".e") || strchr(v[i], 'E') ? "" : ".");
		struct ptx_token t = lex_one(text);

		assert_int_equal(t.kind, beyond ? PTX_TOK_BAD : PTX_TOK_FLOAT);
		assert_int_equal(t.n, strlen(text));
		if (beyond)
			continue;
		memcpy(&got, &t.bits, 8);
		assert_memory_equal(&got, &want, 8);
	}
}

static void random_floats(void **state)
{
	(void)state;
	uint64_t x = 88172645463325252u;

	for (int i = 0; i < 100000; i++) {
		char text[64];
		double want, got;

		x ^= x << 13, x ^= x >> 7, x ^= x << 17;
		memcpy(&want, &x, 8);
		want = fabs(want);
		if (!isfinite(want))
			continue;
		snprintf(text, sizeof(text), "%.*e", 1 + i % 20, want);
		errno = 0;
		want = strtod(text, NULL);
		bool beyond = errno == ERANGE;
		struct ptx_token t = lex_one(text);

		assert_int_equal(t.kind, beyond ? PTX_TOK_BAD : PTX_TOK_FLOAT);
		if (beyond)
			continue;
		memcpy(&got, &t.bits, 8);
		assert_memory_equal(&got, &want, 8);
	}
}

static void float_patterns(void **state)
{
	(void)state;
	struct ptx_token t = lex_one("0f3F800000");
	float f = 1.0f;
	uint32_t low;

	assert_int_equal(t.kind, PTX_TOK_FLOAT);
	assert_true(t.is_f32);
	low = (uint32_t)t.bits;
	assert_memory_equal(&low, &f, 4);
	t = lex_one("0DbfF0000000000000");
	double d = -1.0;

	assert_int_equal(t.kind, PTX_TOK_FLOAT);
	assert_true(!t.is_f32);
	assert_memory_equal(&t.bits, &d, 8);
}

static void bad_tokens(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		unsigned n;
		const char *error;
	} v[] = {
		{"08", 2, "bad digit in an octal number"},
		{"0b12", 4, "bad digit in a binary number"},
		{"5x", 2, "bad suffix after a number"},
		{"0xFFu", 5, "bad suffix after a number"},
		{"0xFFULL", 7, "bad suffix after a number"},
		{"1.0f", 4, "bad suffix after a number"},
		{"1e", 2, "an exponent without digits"},
		{"1e+;", 3, "an exponent without digits"},
		{"0x", 2, "a number without digits"},
		{"0f3f80", 6, "a 0f literal has exactly 8 hexadecimal digits"},
		{"0f3f8000000", 11, "a 0f literal has exactly 8 hexadecimal digits"},
		{"0d3ff", 5, "a 0d literal has exactly 16 hexadecimal digits"},
		{"0f3g800000", 10, "bad hexadecimal digit in a floating-point literal"},
		{"\"abc", 4, "unterminated string"},
		{"\"abc\nd", 4, "unterminated string"},
		{"/* abc", 6, "unterminated comment"},
		{"/*/", 3, "unterminated comment"},
		{"#x", 1, "a character that PTX does not use"},
		{"`", 1, "a character that PTX does not use"},
		{"\\", 1, "a character that PTX does not use"},
		{"\xc3\xa9", 1, "a character that PTX does not use"},
		{". ", 1, "stray '.'"},
	};
	for (size_t i = 0; i < sizeof(v) / sizeof(*v); i++) {
		struct ptx_token t = lex_one(v[i].text);

		assert_int_equal(t.kind, PTX_TOK_BAD);
		assert_string_equal(t.error, v[i].error);
		assert_int_equal(t.n, v[i].n);
	}
	struct ptx_lexer l;
	struct ptx_token t;

	ptx_lex_init(&l, "\0a", 2); /* NUL is a bad character, not the end */
	ptx_lex_next(&l, &t);
	assert_int_equal(t.kind, PTX_TOK_BAD);
	ptx_lex_next(&l, &t);
	assert_int_equal(t.kind, PTX_TOK_NAME);
}

static void blanks(void **state)
{
	(void)state;
	expect_tokens(" a // b\n/* c\n * d */ e\r\n\tf", "a e f");
	expect_tokens("a//b", "a");
	expect_tokens("/**/a/***/b/* // */c", "a b c");
	expect_tokens("# 12 \"x.cu\" 2\na", "a");
	expect_tokens("a\n# 1 \"x.cu\"", "a");
	expect_tokens("", "");
	expect_tokens("\"a\\\" b\"c\" d", "\"a\\\" b \"c\" d"); /* no escapes in strings */

	struct ptx_lexer l;
	struct ptx_token t;
	static const char s[] = "a b\nc /*\n*/ d";
	static const bool first[] = {true, false, true, true};

	ptx_lex_init(&l, s, sizeof(s) - 1);
	for (unsigned i = 0; i < 4; i++) {
		ptx_lex_next(&l, &t);
		assert_int_equal(t.first, first[i]);
	}
}

/* The table is searched by halves. */
static void special_names_are_sorted(void **state)
{
	(void)state;
	for (unsigned i = 0; i < ptx_special_names_count; i++) {
		const struct isa_special_name *row = &ptx_special_names[i];

		assert_ptr_equal(ptx_special_find(row->name, row->n_name), row);
		if (i)
			assert_true(strcmp(row[-1].name, row->name) < 0);
	}
	assert_null(ptx_special_find("%tidy", 5));
	assert_null(ptx_special_find("%ti", 3));
	assert_null(ptx_special_find("%zzz", 4));
	assert_null(ptx_special_find("%pm8", 4));
	assert_non_null(ptx_special_find("%envreg31", 9));
	assert_null(ptx_special_find("%envreg32", 9));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),
		cmocka_unit_test(directives_and_opcodes),
		cmocka_unit_test(integers),
		cmocka_unit_test(decimal_floats),
		cmocka_unit_test(random_floats),
		cmocka_unit_test(float_patterns),
		cmocka_unit_test(bad_tokens),
		cmocka_unit_test(blanks),
		cmocka_unit_test(special_names_are_sorted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
