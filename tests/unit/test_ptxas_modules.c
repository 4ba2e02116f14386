/* Differential test against ptxas of whole modules (tests/ptxas/modules.txt): directives, declarations, scopes, calls. A name
 * that ends in `!` marks a difference we keep, with its reason on the line. */
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

static char *read_modules(void)
{
	struct text t = {0};
	char buffer[4096];
	FILE *f = fopen("../ptxas/modules.txt", "r"); /* tests run in tests/unit */

	assert_non_null(f);
	while (fgets(buffer, sizeof(buffer), f))
		text_add(&t, buffer);
	fclose(f);
	return text_take(&t);
}

/* True if we reject; the first error's message goes to `message`. */
static bool reject_ourselves(const struct text *t, char *message, size_t n)
{
	struct diag_list diags;
	struct ptx_module m = {.file = "module.ptx", .text = text_str(t), .n_text = t->n, .diags = &diags};
	bool rejected;

	diag_list_init(&diags);
	rejected = !ptx_parse(&m) || !ptx_check(&m);
	*message = 0;
	for (size_t i = 0; i < diags.n && !*message; i++)
		if (diags.v[i].severity == DIAG_ERROR)
			snprintf(message, n, "%s", diags.v[i].message);
	assert_int_equal(rejected, diags.n_errors > 0);
	ptx_module_free(&m);
	diag_list_free(&diags);
	return rejected;
}

static bool reject_by_ptxas(const struct text *t, const char *path, char *message, size_t n)
{
	char command[300], line[500];
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fwrite(text_str(t), 1, t->n, f);
	fclose(f);
	snprintf(command, sizeof(command), "ptxas %s -arch=sm_%s -o /dev/null %s 2>&1",
		 strstr(t->s, "version 1.") || strstr(t->s, "version 2.") ? "" : "-c",
		 strstr(t->s, "sm_100f")  ? "100f"
		 : strstr(t->s, "sm_90a") ? "90a"
		 : strstr(t->s, "sm_90")  ? "90"
		 : strstr(t->s, "sm_80")  ? "80"
					  : "75",
		 path);
	f = popen(command, "r");
	assert_non_null(f);
	*message = 0;
	while (fgets(line, sizeof(line), f)) {
		const char *at = strstr(line, "error");

		if (!at)
			at = strstr(line, "fatal");
		if (at && !*message)
			snprintf(message, n, "%.*s", (int)strcspn(at, "\n"), at);
	}
	return pclose(f) != 0;
}

/* Puts the module of a case into `t`, with a head if it has none. */
static void write_module(struct text *t, const char *body, size_t n_body)
{
	text_clear(t);
	if (!memmem(body, n_body, ".version", 8) && !memmem(body, n_body, ".target", 7))
		text_add(t, ".version 9.0\n.target sm_75\n.address_size 64\n");
	text_addn(t, body, n_body);
}

static bool compare(const char *name, const char *body, size_t n_body, const char *path)
{
	struct text t = {0};
	char ours[300], theirs[300];
	bool we, they, keep = memchr(name, '!', strcspn(name, "\n")) != NULL;

	write_module(&t, body, n_body);
	we = reject_ourselves(&t, ours, sizeof(ours));
	they = reject_by_ptxas(&t, path, theirs, sizeof(theirs));
	text_free(&t);
	if ((we == they) == !keep)
		return true;
	print_error("%.*s: %s%s%s\n", (int)strcspn(name, "\n"), name,
		    we	   ? "we reject: "
		    : they ? "ptxas rejects: "
			   : "both accept",
		    we ? ours : theirs, we && they ? " (and so does ptxas)" : "");
	return false;
}

/* Returns the row of confirmed.txt for the cases in `all` and our verdicts. */
static char *confirmed_row(const char *all)
{
	struct text asked = {0}, t = {0};
	char *row, message[300];
	const char *next;

	text_add(&asked, all);
	for (const char *at = strstr(all, "\n=== "); at; at = next) {
		const char *body = strchr(at + 5, '\n') + 1;

		next = strstr(body - 1, "\n=== ");
		write_module(&t, body, next ? (size_t)(next + 1 - body) : strlen(body));
		text_addc(&asked, reject_ourselves(&t, message, sizeof(message)) ? 'n' : 'y');
	}
	row = ptxas_confirmed_row("modules", &asked);
	text_free(&asked);
	text_free(&t);
	return row;
}

static void modules_agree_with_ptxas(void **state)
{
	char path[] = "/tmp/ptxas-module-XXXXXX";
	char *all, *at, *next, *row;
	unsigned different = 0, n = 0;
	int fd;

	(void)state;
	need_ptxas();
	all = read_modules();
	row = confirmed_row(all);
	if (ptxas_has_confirmed(row)) {
		free(row);
		free(all);
		return;
	}
	fd = mkstemp(path);
	assert_true(fd >= 0);
	close(fd);
	for (at = strstr(all, "\n=== "); at; at = next) {
		const char *name = at + 5, *body = strchr(name, '\n') + 1;

		next = strstr(body - 1, "\n=== ");
		different += !compare(name, body, next ? (size_t)(next + 1 - body) : strlen(body), path);
		n++;
	}
	unlink(path);
	free(all);
	print_message("%u modules, %u differences\n", n, different);
	assert_int_equal(different, 0);
	ptxas_confirm(row);
	free(row);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(modules_agree_with_ptxas)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
