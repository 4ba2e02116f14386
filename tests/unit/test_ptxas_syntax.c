/* Many hundred small modules that ptxas accepts or rejects for their syntax or their names (tests/ptx/syntax.cases): we must
 * judge them the same. Where ptxas is installed, it is asked whether a changed file tells the truth.
 *
 * A case is `=== ok|bad KIND NAME` and its text: a whole file (`%H` stands for a header), declarations of a module, or a kernel's
 * body, which may have declarations before a line `---`. A NAME with `!` is a difference that we keep, with its reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "ptx/ast.h"

#include "need_ptxas.h"
#include "ptxas_confirmed.h"

#define CASES "../ptx/syntax.cases"
#define HEAD ".version 8.0\n.target sm_75\n.address_size 64\n"

static const char kernel_start[] =
	"\n.visible .entry k(.param .u64 p, .param .u32 n)\n{\n.reg .b32 %r<10>;\n.reg .b64 %rd<10>;\n"
	".reg .f32 %f<10>; .reg .f64 %fd<4>; .reg .pred %p<4>;.reg .b16 %rs<4>;\n";
static const char kernel_end[] = "\nret;\n}\n";

struct a_case {
	bool ok;
	char name[80];
	struct text source;
};

static void read_file(struct text *t, const char *path)
{
	FILE *f = fopen(path, "rb");
	char buf[4096];
	size_t n;

	assert_non_null(f);
	while ((n = fread(buf, 1, sizeof(buf), f)))
		text_addn(t, buf, n);
	fclose(f);
}

static void add_file(struct text *out, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (i + 1 < n && s[i] == '%' && s[i + 1] == 'H') {
			text_add(out, HEAD);
			i++;
		} else {
			text_addc(out, s[i]);
		}
	}
}

static void add_source(struct text *out, const char *kind, const char *s, size_t n)
{
	const char *line = memmem(s, n, "\n---\n", 5);
	size_t n_module = line ? (size_t)(line - s) : 0;

	if (!strcmp(kind, "file")) {
		add_file(out, s, n);
		return;
	}
	text_add(out, HEAD);
	if (!strcmp(kind, "module")) {
		text_addn(out, s, n);
		n = 0;
	} else if (line) {
		text_addn(out, s, n_module);
		s += n_module + 5;
		n -= n_module + 5;
	}
	text_add(out, kernel_start);
	text_addn(out, s, n);
	text_add(out, kernel_end);
}

/* The case at *at; moves on to the next. False at the end. */
static bool next_case(const char **at, struct a_case *c)
{
	const char *s = *at, *body, *end;
	char verdict[8], kind[8];

	if (!*s)
		return false;
	assert_int_equal(sscanf(s, "=== %7s %7s %79[^\n]", verdict, kind, c->name), 3);
	body = strchr(s, '\n') + 1;
	end = strstr(body - 1, "\n=== ");
	end = end ? end : strchr(body, 0) - 1;
	c->ok = !strcmp(verdict, "ok");
	text_clear(&c->source);
	add_source(&c->source, kind, body, end > body ? (size_t)(end - body) : 0);
	*at = end + 1;
	return true;
}

static bool we_accept(const struct a_case *c, struct diag_list *diags)
{
	struct ptx_module m = {.file = "case.ptx", .text = c->source.s, .n_text = c->source.n, .diags = diags};
	bool ok = ptx_parse(&m) && ptx_check(&m);

	ptx_module_free(&m);
	return ok;
}

static void we_judge(void **state)
{
	(void)state;
	struct text all = {0};
	struct a_case c = {0};
	unsigned n = 0, wrong = 0;

	read_file(&all, CASES);
	for (const char *at = all.s; next_case(&at, &c); n++) {
		struct diag_list diags = {0};

		bool differ = strchr(c.name, '!') != NULL;

		if (we_accept(&c, &diags) != (c.ok != differ)) {
			print_error("%s: ptxas %s it, we say %s\n", c.name, c.ok ? "accepts" : "rejects",
				    diags.n ? diags.v[0].message : "nothing");
			wrong++;
		}
		for (size_t i = 0; i < diags.n; i++)
			assert_true(diags.v[i].line > 0 && diags.v[i].col > 0);
		diag_list_free(&diags);
	}
	text_free(&c.source);
	text_free(&all);
	assert_true(n > 400);
	assert_int_equal(wrong, 0);
}

static bool ptxas_accepts(const char *path, const struct a_case *c)
{
	char command[256];
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	fwrite(c->source.s, 1, c->source.n, f);
	fclose(f);
	snprintf(command, sizeof(command), "ptxas -arch=%s -o /dev/null %s >/dev/null 2>&1",
		 strstr(c->source.s, "sm_90") ? "sm_90" : "sm_75", path);
	return system(command) == 0;
}

static void ptxas_judges(void **state)
{
	(void)state;
	struct text all = {0};
	struct a_case c = {0};
	unsigned wrong = 0;
	char path[] = P_tmpdir "/ptxas-syntax-XXXXXX";

	need_ptxas();
	read_file(&all, CASES);
	char *row = ptxas_confirmed_row("syntax", &all);
	if (ptxas_has_confirmed(row)) {
		free(row);
		text_free(&all);
		return;
	}
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	close(fd);
	for (const char *at = all.s; next_case(&at, &c);) {
		if (ptxas_accepts(path, &c) != c.ok) {
			print_error("%s: ptxas does not %s it\n", c.name, c.ok ? "accept" : "reject");
			wrong++;
		}
	}
	unlink(path);
	text_free(&c.source);
	text_free(&all);
	assert_int_equal(wrong, 0);
	ptxas_confirm(row);
	free(row);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(we_judge), cmocka_unit_test(ptxas_judges)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
