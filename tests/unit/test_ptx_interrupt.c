/* Ctrl-C while a file loads: whenever it comes, the load ends soon, says so, and leaves the program as it was. The time is processor
 * time, so that it does not depend on what else the machine does. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"
#include "isa/program.h"
#include "frontend/frontend.h"

#define SOON 0.05 /* s, as for every command */

static char path[] = "/tmp/ws_interrupt_XXXXXX";
static volatile sig_atomic_t interrupted;
static volatile clock_t since;

static void on_alarm(int signal)
{
	(void)signal;
	interrupted = 1;
	since = clock();
}

static void alarm_after(long microseconds)
{
	struct itimerval t = {.it_value = {microseconds / 1000000, microseconds % 1000000}};
	interrupted = 0;
	assert_int_equal(setitimer(ITIMER_PROF, &t, NULL), 0);
}

static void write_function(struct text *t, unsigned name, unsigned n_blocks)
{
	text_addf(t, ".visible .entry k%u(.param .u64 p)\n{\n.reg .b32 %%r<99>;\n.reg .pred %%p<9>;\n", name);
	for (unsigned b = 0; b < n_blocks; b++) {
		text_addf(t, "L%u:\n\tadd.u32 %%r%u, %%r%u, %u;\n", b, b % 90, (b + 7) % 90, b);
		text_addf(t, "\tmad.lo.u32 %%r%u, %%r%u, %u, %%r9;\n", (b + 5) % 90, b % 90, b);
		text_addf(t, "\tsetp.lt.u32 %%p%u, %%r%u, 5;\n\t@%%p%u bra L%u;\n", b % 9, b % 90, b % 9, b ? b - 1 : 0);
	}
	text_add(t, "\tret;\n}\n");
}

/* Data in many lines, a large function, many small ones. */
static void write_file(void)
{
	struct text t = {0};
	text_add(&t, ".version 8.0\n.target sm_75\n.address_size 64\n.global .u32 data[100000] = {\n");
	for (unsigned i = 0; i < 100000; i++)
		text_addf(&t, "%u%s", i, i + 1 == 100000 ? "};\n" : i % 8 == 7 ? ",\n" : ",");
	write_function(&t, 0, 40000);
	for (unsigned k = 1; k < 400; k++)
		write_function(&t, k, 100);
	int fd = mkstemp(path);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
	if (!f || fwrite(t.s, 1, t.n, f) != t.n || fclose(f)) {
		perror(path);
		exit(1);
	}
	text_free(&t);
}

static double slowness(void)
{
	const char *s = getenv("SLOWNESS");
	return s ? atof(s) : 1;
}

/* Loads with a Ctrl-C after a time. True: it came in time. */
static bool load(struct isa_program *p, long after, double *latency)
{
	struct diag_list diags;
	diag_list_init(&diags);
	const struct isa_program was = *p;
	alarm_after(after);
	bool ok = frontend_load_file(p, NULL, path, &interrupted, &diags);
	*latency = interrupted ? (double)(clock() - since) / CLOCKS_PER_SEC : 0;
	setitimer(ITIMER_PROF, &(struct itimerval){0}, NULL);
	if (!ok) {
		assert_int_equal(interrupted, 1);
		assert_int_equal(diags.n_errors, 1);
		assert_string_equal(diags.v[0].message, "interrupted");
		assert_int_equal(p->n_insns, was.n_insns);
		assert_int_equal(p->n_functions, was.n_functions);
		assert_int_equal(p->n_variables, was.n_variables);
		assert_int_equal(p->n_files, was.n_files);
		assert_null(isa_program_find_function(p, "k0"));
	} else {
		assert_int_equal(diags.n_errors, 0);
	}
	diag_list_free(&diags);
	return !ok;
}

static void test_interrupted(void **state)
{
	(void)state;
	struct isa_program p;
	double latency, longest = 0;
	unsigned n = 0;
	isa_program_init(&p);
	signal(SIGPROF, on_alarm);
	for (long after = 1000; load(&p, after, &latency); after += 5000, n++)
		if (latency > longest)
			longest = latency;
	print_message("%u loads interrupted, the slowest %.1f ms later\n", n, longest * 1000);
	assert_true(n >= 3);
	assert_true(longest < SOON * slowness());
	/* the last one was not, and loaded everything */
	assert_non_null(isa_program_find_function(&p, "k0"));
	assert_non_null(isa_program_find_function(&p, "k399"));
	assert_int_equal(p.n_functions, 400);
	isa_program_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_interrupted)};
	write_file();
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	return failed;
}
