/* vprintf against the host's printf, __assertfail, malloc and free. */
#include "mem_machine.h"

#include <math.h>

#define GLOBAL_AT UINT64_C(0x80000000)
#define TEXT_AT (GLOBAL_AT + 0x100)   /* format */
#define STRING_AT (GLOBAL_AT + 0x400) /* for %s */
#define ARGS_AT (GLOBAL_AT + 0x800)   /* packed arguments, 128 bytes a lane */

static void put_string(struct machine *m, uint64_t at, const char *s) { memcpy(m->x.global + at, s, strlen(s) + 1); }

/* A call of a function with n row arguments (returns first) in rows 0, 1, ... of the given sizes. */
static struct isa_insn make_call(struct machine *m, unsigned n, const unsigned *bytes)
{
	struct isa_insn i = machine_insn(ISA_H_call_builtin);
	i.aux = 0;
	m->aux[0] = n;
	for (unsigned k = 0; k < n; k++) {
		m->aux[1 + 4 * k] = 0; /* a row */
		m->aux[2 + 4 * k] = ROW_REF(k);
		m->aux[3 + 4 * k] = bytes[k];
		m->aux[4 + 4 * k] = bytes[k] == 8 ? ISA_B64 : ISA_B32;
	}
	return i;
}

static struct machine *start(void)
{
	struct machine *m = machine_create(NULL);
	machine_allocate(m, GLOBAL_AT, 8192);
	return m;
}

static void run(struct machine *m, exec_handler f, const struct isa_insn *i, uint32_t mask)
{
	m->x.mask = mask;
	m->x.event = 0;
	m->n_text = 0;
	m->text[0] = 0;
	f(&m->x, i);
}

/* Prints for lane 0 (others off) with the packed arguments; the text must be `want`, the result n_args. */
static void check(const char *format, const void *args, size_t n, int n_args, const char *want)
{
	static const unsigned bytes[3] = {4, 8, 8};
	struct machine *m = start();
	struct isa_insn i = make_call(m, 3, bytes);
	put_string(m, TEXT_AT, format);
	put_string(m, STRING_AT, "warp");
	memcpy(m->x.global + ARGS_AT, args, n);
	*(uint64_t *)machine_row(m, 1) = TEXT_AT;
	*(uint64_t *)machine_row(m, 2) = ARGS_AT;
	run(m, exec_b_vprintf, &i, 1);
	assert_int_equal(m->x.event, 0);
	assert_string_equal(m->text, want);
	assert_int_equal(*(int32_t *)machine_row(m, 0), n_args);
	machine_free_all(m);
}

#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#define CHECK(type, format, value, n_args) \
	do { \
		const type v_ = (value); \
		char want_[512]; \
		snprintf(want_, sizeof want_, format, v_); \
		check(format, &v_, sizeof v_, n_args, want_); \
	} while (0)

static void test_integers(void **state)
{
	(void)state;
	static const char *const ints[] = {"%d",   "%i",     "%5d|", "%-5d|", "%+d",	  "% d",  "%05d",
					   "%.3d", "%8.3d|", "%hd",  "%hhd",  "%-+8.4i|", "%u",	  "%x",
					   "%#x",  "%X",     "%o",   "%#o",   "%hu",	  "%hhx", "%08X"};
	static const int values[] = {0, 1, -1, 42, -12345, 0x7fffffff, (int)0x80000000u, 0x1ff80, 300};
	for (size_t f = 0; f < sizeof ints / sizeof ints[0]; f++)
		for (size_t v = 0; v < sizeof values / sizeof values[0]; v++) {
			char want[64];
			snprintf(want, sizeof want, ints[f], values[v]);
			check(ints[f], &values[v], 4, 1, want);
		}
	static const char *const longs[] = {"%ld",     "%lld", "%lu", "%llx", "%#lX",	"%20lld|",
					    "%-20ld|", "%zu",  "%jd", "%td",  "%.25lld"};
	static const long long wide[] = {0, -1, 0x7fffffffffffffff, (long long)0x8000000000000000u, 123456789012345};
	for (size_t f = 0; f < sizeof longs / sizeof longs[0]; f++)
		for (size_t v = 0; v < sizeof wide / sizeof wide[0]; v++) {
			char want[64];
			snprintf(want, sizeof want, longs[f], wide[v]);
			check(longs[f], &wide[v], 8, 1, want);
		}
}

static void test_floats(void **state)
{
	(void)state;
	static const char *const formats[] = {"%f",   "%e",	 "%g",	     "%a",  "%F",  "%E",      "%G", "%A",
					      "%.0f", "%10.3f|", "%-12.4e|", "%+g", "%#g", "%012.2f", "% f"};
	static const double values[] = {
		0, -0.0, 1, -2.5, 1e300, 5e-324, 3.14159265358979, (double)INFINITY, -(double)INFINITY, 123456789};
	for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++)
		for (size_t v = 0; v < sizeof values / sizeof values[0]; v++) {
			char want[512];
			snprintf(want, sizeof want, formats[f], values[v]);
			check(formats[f], &values[v], 8, 1, want);
		}
}

static void test_text(void **state)
{
	(void)state;
	const uint64_t string = STRING_AT, null = 0;
	check("%s", &string, 8, 1, "warp");
	check("[%8s][%%]", &string, 8, 1, "[    warp][%]");
	check("[%-8.2s]", &string, 8, 1, "[wa      ]");
	check("[%.0s]", &string, 8, 1, "[]");
	check("%s", &null, 8, 1, "(null)");
	CHECK(int, "%c", 'x', 1);
	CHECK(int, "[%4c][done]", 'y', 1);
	CHECK(int, "[%-4c]", 'z', 1);
	CHECK(void *, "%p", (void *)(uintptr_t)0x80000010, 1);
	CHECK(void *, "[%20p]", (void *)(uintptr_t)0x80000010, 1);
	CHECK(void *, "%p", NULL, 1);
	check("no arguments\n", "", 0, 0, "no arguments\n");
	check("100%", "", 0, 0, "100%");
	check("%y", "", 0, 0, "%y");
	const int stars[3] = {6, 3, 42};
	check("[%*.*d]", stars, sizeof stars, 3, "[   042]");
	const int left[2] = {-6, 7};
	check("[%*d]", left, sizeof left, 2, "[7     ]");
	/* natural alignment between arguments */
	const struct {
		int a;
		double b;
		char c;
		long long d;
		uint64_t s;
	} mixed = {7, 0.5, 'q', -9, STRING_AT};
	struct {
		int a;
		double b;
		int c;
		long long d;
		uint64_t s;
	} packed = {mixed.a, mixed.b, mixed.c, mixed.d, mixed.s};
	check("%d %f %c %lld %s\n", &packed, sizeof packed, 5, "7 0.500000 q -9 warp\n");
}

/* Lanes in order, strings from shared and local memory, no format. */
static void test_lanes(void **state)
{
	(void)state;
	static const unsigned bytes[3] = {4, 8, 8};
	struct machine *m = start();
	struct isa_insn i = make_call(m, 3, bytes);
	uint64_t *format = machine_row(m, 1), *args = machine_row(m, 2);
	put_string(m, TEXT_AT, "%s%d ");
	strcpy(m->x.shared + 100, "s");
	for (unsigned l = 0; l < LANES; l++) {
		format[l] = l == 9 ? 0 : TEXT_AT;
		/* arguments and a string in the lane's own local memory */
		char *local = m->x.local + l * MACHINE_STRIDE;
		const uint64_t s = l % 2 ? EXEC_SHARED_WINDOW + 100 : EXEC_LOCAL_WINDOW + 64;
		const int n = (int)l * 3;
		args[l] = EXEC_LOCAL_WINDOW + 16;
		memcpy(local + 16, &s, 8);
		memcpy(local + 24, &n, 4);
		strcpy(local + 64, "L");
	}
	run(m, exec_b_vprintf, &i, 0x00000607u);
	assert_string_equal(m->text, "L0 s3 L6 L30 ");
	const int32_t *result = machine_row(m, 0);
	assert_int_equal(result[0], 2);
	assert_int_equal(result[9], -1);
	machine_free_all(m);
}

static void test_bad_memory(void **state)
{
	(void)state;
	static const unsigned bytes[3] = {4, 8, 8};
	struct machine *m = start();
	struct isa_insn i = make_call(m, 3, bytes);
	uint64_t *format = machine_row(m, 1), *args = machine_row(m, 2);
	put_string(m, TEXT_AT, "%s");
	format[0] = TEXT_AT;
	args[0] = GLOBAL_AT + 8190; /* unaligned and past the end */
	run(m, exec_b_vprintf, &i, 1);
	assert_int_equal(m->x.fault.kind, EXEC_FAULT_ILLEGAL_ADDRESS);
	assert_int_equal(m->x.fault.lanes, 1);
	assert_int_equal(m->n_text, 0);
	memset(m->x.global + GLOBAL_AT + 8180, 'x', 12); /* a string without an end */
	const uint64_t s = GLOBAL_AT + 8180;
	memcpy(m->x.global + ARGS_AT, &s, 8);
	args[0] = ARGS_AT;
	run(m, exec_b_vprintf, &i, 1);
	assert_int_equal(m->x.fault.kind, EXEC_FAULT_ILLEGAL_ADDRESS);
	assert_int_equal(m->x.fault.address, s);
	machine_free_all(m);
}

static void test_assert(void **state)
{
	(void)state;
	static const unsigned bytes[5] = {8, 8, 4, 8, 8};
	struct machine *m = start();
	struct isa_insn i = make_call(m, 5, bytes);
	put_string(m, TEXT_AT, "n < 4");
	put_string(m, STRING_AT, "a.cu");
	put_string(m, ARGS_AT, "void k(int)");
	for (unsigned l = 0; l < LANES; l++) {
		((uint64_t *)machine_row(m, 0))[l] = TEXT_AT;
		((uint64_t *)machine_row(m, 1))[l] = STRING_AT;
		((uint32_t *)machine_row(m, 2))[l] = 17;
		((uint64_t *)machine_row(m, 3))[l] = ARGS_AT;
	}
	m->x.base[ISA_BASE_SPECIAL] = calloc(1, ISA_SPECIAL_BYTES);
	uint32_t *special = (uint32_t *)(void *)m->x.base[ISA_BASE_SPECIAL];
	for (unsigned d = 0; d < 3; d++) {
		special[32 * (ISA_ROW_TID + d) + 4] = 5 + d;
		special[32 * (ISA_ROW_CTAID + d) + 4] = 1 + d;
	}
	run(m, exec_b___assertfail, &i, 0x30);
	assert_int_equal(m->x.event, EXEC_EVENT(EXEC_FAULT));
	assert_int_equal(m->x.fault.kind, EXEC_FAULT_ASSERT);
	assert_int_equal(m->x.fault.lanes, 0x30);
	assert_string_equal(m->x.fault.detail,
			    "a.cu:17: void k(int): block: [1,2,3], thread: [5,6,7] Assertion `n < 4` failed.");
	assert_string_equal(text_str(&m->x.assert_lines),
			    "a.cu:17: void k(int): block: [1,2,3], thread: [5,6,7] Assertion `n < 4` failed.\n"
			    "a.cu:17: void k(int): block: [0,0,0], thread: [0,0,0] Assertion `n < 4` failed.\n");
	free(m->x.base[ISA_BASE_SPECIAL]);
	machine_free_all(m);
}

static void test_heap(void **state)
{
	(void)state;
	static const unsigned two[2] = {8, 8}, one[1] = {8};
	struct machine *m = start();
	struct isa_insn i = make_call(m, 2, two);
	uint64_t *result = machine_row(m, 0), *size = machine_row(m, 1);
	size[0] = 100;
	size[1] = 0;
	size[2] = 1 << 30; /* more than there is */
	run(m, exec_b_malloc, &i, 7);
	assert_int_equal(result[0], 0x90010000);
	assert_int_equal(result[1], 0);
	assert_int_equal(result[2], 0);
	const uint64_t p = result[0];
	i = make_call(m, 1, one);
	result[1] = p + 8;
	run(m, exec_b_free, &i, 2); /* not the start */
	assert_int_equal(m->x.fault.kind, EXEC_FAULT_ILLEGAL_ADDRESS);
	result[1] = p;
	run(m, exec_b_free, &i, 3); /* twice the same */
	assert_int_equal(m->x.fault.lanes, 2);
	assert_int_equal(m->freed, 0);
	result[1] = 0;
	run(m, exec_b_free, &i, 3);
	assert_int_equal(m->x.event, 0);
	assert_int_equal(m->freed, p);
	machine_free_all(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_integers), cmocka_unit_test(test_floats),	    cmocka_unit_test(test_text),
		cmocka_unit_test(test_lanes),	 cmocka_unit_test(test_bad_memory), cmocka_unit_test(test_assert),
		cmocka_unit_test(test_heap),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
