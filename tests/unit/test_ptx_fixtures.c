/* Every PTX file of the examples and fixtures that has to load parses without a message, whoever compiled it, and what it holds
 * adds up: instructions in their scopes, labels and registers resolved. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ptx/ast.h"

static void check_function(const struct ptx_function *f)
{
	for (uint32_t i = 0; i < f->n_insns; i++) {
		const struct ptx_insn *in = &f->insns[i];

		assert_non_null(in->opcode);
		assert_true(in->at >= f->at && in->end <= f->end && in->at < in->end);
		for (unsigned k = 0; k < in->n_operands; k++)
			assert_int_not_equal(in->operands[k].kind, PTX_OP_NONE);
	}
	for (uint32_t i = 0; i < f->n_scopes; i++)
		assert_true(f->scopes[i]->first_insn <= f->scopes[i]->end_insn && f->scopes[i]->end_insn <= f->n_insns);
}

static void check_file(const char *path)
{
	struct text t = {0};
	struct diag_list diags = {0};
	char buf[4096];
	size_t n;
	FILE *f = fopen(path, "rb");

	assert_non_null(f);
	while ((n = fread(buf, 1, sizeof(buf), f)))
		text_addn(&t, buf, n);
	fclose(f);
	struct ptx_module m = {.file = path, .text = t.s, .n_text = t.n, .diags = &diags};
	bool ok = ptx_parse(&m);

	for (size_t i = 0; i < diags.n; i++)
		print_error("%s:%u:%u: %s\n", path, diags.v[i].line, diags.v[i].col, diags.v[i].message);
	assert_true(ok && !diags.n);
	assert_non_null(m.functions);
	for (const struct ptx_function *fn = m.functions; fn; fn = fn->next)
		check_function(fn);
	ptx_module_free(&m);
	diag_list_free(&diags);
	text_free(&t);
}

static unsigned check_all(const char *pattern)
{
	glob_t g;
	unsigned n = 0;

	if (glob(pattern, 0, NULL, &g))
		return 0;
	for (size_t i = 0; i < g.gl_pathc; i++) {
		struct text path = {0};
		const char *dot = strrchr(g.gl_pathv[i], '.');

		text_addn(&path, g.gl_pathv[i], (size_t)(dot - g.gl_pathv[i]));
		text_add(&path, ".ptx");
		check_file(path.s);
		text_free(&path);
		n++;
	}
	globfree(&g);
	return n;
}

static void fixtures(void **state)
{
	(void)state;
	assert_true(check_all("../ptx/*.ok") > 10);
}

static void examples(void **state)
{
	(void)state;
	assert_true(check_all("../../examples/*/*.ptx") > 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(fixtures), cmocka_unit_test(examples)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
