/* The semantic checks without ptxas: single instructions against verdicts ptxas 13.0 gave (tests/ptxas/instructions.txt), places
 * and texts of messages, the warning for what isn't supported yet. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "ptx/ast.h"
#include "ptx/opcode.h"

#include "ptxas_known.h"

struct outcome {
	struct diag_list diags;
	bool ok;
};

static struct outcome check(const char *text, size_t n)
{
	struct outcome o = {.ok = false};
	struct ptx_module m = {.file = "test.ptx", .text = text, .n_text = n};

	diag_list_init(&o.diags);
	m.diags = &o.diags;
	o.ok = ptx_parse(&m) && ptx_check(&m);
	ptx_module_free(&m);
	return o;
}

static struct outcome check_insn(const char *preamble, const char *insn)
{
	struct text t = {0};
	struct outcome o;

	text_addf(&t, "%s%s\nret;\n}\n", preamble, insn);
	o = check(t.s, t.n);
	text_free(&t);
	return o;
}

/* ---- verdicts ------------------------------------------------------------------------------------------------------- */

static void verdicts_are_those_of_ptxas(void **state)
{
	FILE *f = fopen("../ptxas/instructions.txt", "r");
	struct text preamble = {0};
	unsigned n = 0, different = 0;
	char row[300];

	(void)state;
	assert_non_null(f);
	while (fgets(row, sizeof(row), f) && *row != '=')
		text_add(&preamble, *row == '#' ? "" : row);
	while (fgets(row, sizeof(row), f)) {
		struct outcome o;

		row[strcspn(row, "\n")] = 0;
		o = check_insn(text_str(&preamble), row + 3);
		n++;
		if (o.ok != (*row == 'o') && !ptxas_difference_is_known(!o.ok, row + 3) && different++ < 20)
			print_error("%s: %s\n", row + 3, o.ok ? "accepted" : o.diags.v[0].message);
		diag_list_free(&o.diags);
	}
	fclose(f);
	text_free(&preamble);
	assert_true(n > 1000);
	assert_int_equal(different, 0);
}

/* ---- messages ------------------------------------------------------------------------------------------------------- */

#define HEAD \
	".version 9.0\n.target sm_75\n.address_size 64\n.entry k(.param .u64 p)\n{\n.reg .pred %p<4>; .reg .b32 " \
	"%r<4>; .reg .f32 %f<4>; .reg .b64 %d<4>;\n"

static void messages_have_their_place(void **state)
{
	static const struct {
		const char *insn;
		uint32_t col;
		const char *says;
	} rows[] = {
		{"add.u32 %r1, %f2, %r3;", 14,
		 "operand 2 of 'add.u32' is a .f32 register; expected a .u32, .s32 or .b32 register or an integer "
		 "constant"},
		{"add.f32 %f1, %f2, 3;", 19, "expected a .f32 or .b32 register or a floating-point constant"},
		{"@!%p1 add.foo.u32 %r1, %r2, %r3;", 10, "'add' has no modifier '.foo'"},
		{"\tadd.sat.u32 %r1, %r2, %r3;", 5, "it goes with .s32"},
		{"mad.lo.u32 %r1, %r2, %r3;", 1, "takes 4 operands, not 3"},
		{"ret %r1;", 5, "takes 0 operands, not 1"},
		{"redux.sync.add.u32 %r1, %r2, -1;", 1, "needs .target sm_80 or higher, this file is .target sm_75"},
		{"ld.global.L2::cache_hint.u32 %r1, [%d1], %d2;", 1, "needs .target sm_80"},
		{"ld.global.v2.u32 {%f1, %f2}, [%d1];", 19, "operand 1 of 'ld.global.v2.u32' is a .f32 register"},
		{"st.global.u32 [%f1], %r1;", 16, "expected a 32- or 64-bit integer register"},
		{"mov.b64 %d1, {%r1, %d2};", 20, "expected the type of the other elements"},
		{"setp.lt.u32 %p1|%r1, %r2, %r3;", 17, "expected a predicate register"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct outcome o = check_insn(HEAD, rows[i].insn);

		assert_false(o.ok);
		assert_int_equal(o.diags.n_errors, 1);
		if (!strstr(o.diags.v[0].message, rows[i].says))
			fail_msg("%s: %s", rows[i].insn, o.diags.v[0].message);
		assert_int_equal(o.diags.v[0].line, 7);
		assert_int_equal(o.diags.v[0].col, rows[i].col);
		diag_list_free(&o.diags);
	}
}

static void all_errors_are_found(void **state)
{
	struct outcome o =
		check_insn(HEAD, "add.u32 %r1, %f2, %f3;\nadd.foo %r1;\nadd.u32 %r1, %r2, %r3;\nmul.f32 %r1, %f1;");

	(void)state;
	assert_int_equal(o.diags.n_errors, 4);
	assert_int_equal(o.diags.v[1].line, 7);
	assert_int_equal(o.diags.v[2].line, 8);
	assert_int_equal(o.diags.v[3].line, 10);
	diag_list_free(&o.diags);
}

static void errors_are_limited(void **state)
{
	struct text t = {0};
	struct outcome o;

	(void)state;
	for (unsigned i = 0; i < 1000; i++)
		text_add(&t, "add.u32 %r1, %f2, %f3;\n");
	o = check_insn(HEAD, text_str(&t));
	assert_int_equal(o.diags.n_errors, 100);
	assert_int_equal(o.diags.v[o.diags.n - 1].severity, DIAG_NOTE);
	diag_list_free(&o.diags);
	text_free(&t);
}

static void unsupported_warns_once(void **state)
{
	static const char text[] =
		".version 9.0\n.target sm_90\n.address_size 64\n.entry k()\n{\n.reg .b32 %r<4>;\n"
		"getctarank.shared::cluster.u32 %r1, %r2;\nmapa.shared::cluster.u32 %r1, %r2, %r3;\n"
		"@%p1 getctarank.shared::cluster.u32 %r1, %r2;\n"
		".reg .pred %p<2>;\nret;\n}\n";
	static const char good[] =
		".version 9.0\n.target sm_90\n.address_size 64\n.entry k()\n{\n.reg .pred %p<2>;\n.reg .b32 %r<4>;\n"
		"getctarank.shared::cluster.u32 %r1, %r2;\nmapa.shared::cluster.u32 %r1, %r2, %r3;\n"
		"@%p1 getctarank.shared::cluster.u32 %r1, %r2;\nret;\n}\n";
	struct outcome o = check(good, sizeof(good) - 1), bad = check(text, sizeof(text) - 1);

	(void)state;
	assert_false(bad.ok); /* %p is declared after its use */
	assert_true(o.ok);
	assert_int_equal(o.diags.n_warnings, 2);
	assert_int_equal(o.diags.v[0].line, 8);
	assert_string_equal(o.diags.v[0].message, "'getctarank.shared::cluster.u32' is not supported yet; "
						  "reaching it stops with CUDA_EXCEPTION_4");
	assert_int_equal(o.diags.v[1].line, 9);
	diag_list_free(&o.diags);
	diag_list_free(&bad.diags);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(verdicts_are_those_of_ptxas), cmocka_unit_test(messages_have_their_place),
		cmocka_unit_test(all_errors_are_found),	       cmocka_unit_test(errors_are_limited),
		cmocka_unit_test(unsupported_warns_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
