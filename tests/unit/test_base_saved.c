/* src/base/arena_saved.h: pages as they were at a mark, against copies of the whole section. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena_saved.h"

#define PAGES 40u
#define BYTES (PAGES * ARENA_PAGE)
#define MOST (UINT64_C(1) << 30)

struct fixture {
	struct arena a;
	int section;
	char *base, *at_mark; /* the section; a copy of it as the mark found it */
	bool written[PAGES];  /* since the mark */
	uint64_t seed;
};

static uint64_t draw(struct fixture *x)
{
	uint64_t z = x->seed += UINT64_C(0x9E3779B97F4A7C15);
	z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
	return z ^ (z >> 31);
}

static void begin(struct fixture *x)
{
	*x = (struct fixture){.seed = 5};
	arena_init(&x->a);
	x->section = arena_add(&x->a, "memory", ARENA_PAGED, BYTES);
	assert_true(x->section >= 0 && arena_use(&x->a, x->section, BYTES));
	x->base = arena_at(&x->a, x->section, 0);
	x->at_mark = calloc(1, BYTES);
}

static void end(struct fixture *x)
{
	arena_free(&x->a);
	free(x->at_mark);
}

static void write_bytes(struct fixture *x, uint64_t at, uint64_t n, int value)
{
	arena_touch(&x->a, x->section, at, n);
	memset(x->base + at, value, n);
	for (uint64_t p = at / ARENA_PAGE; p <= (at + n - 1) / ARENA_PAGE; p++)
		x->written[p] = true;
}

static void mark(struct fixture *x, uint64_t most)
{
	assert_true(arena_mark(&x->a, x->section, most));
	memcpy(x->at_mark, x->base, BYTES);
	memset(x->written, 0, sizeof x->written);
}

/* What the mark found is what is there where nothing was saved, and what was saved elsewhere. */
static void expect_mark(const struct fixture *x)
{
	static const char zeros[ARENA_PAGE];
	bool saved[PAGES] = {false};
	assert_true(arena_saved_all(&x->a, x->section));
	for (size_t k = 0; k < arena_saved_count(&x->a, x->section); k++) {
		const struct arena_saved_page p = arena_saved_at(&x->a, x->section, k);
		assert_true(p.offset < BYTES && p.offset % ARENA_PAGE == 0);
		assert_false(saved[p.offset / ARENA_PAGE]);
		saved[p.offset / ARENA_PAGE] = true;
		assert_memory_equal(p.bytes ? p.bytes : zeros, x->at_mark + p.offset, ARENA_PAGE);
		/* pages of zeros have no bytes */
		assert_int_equal(p.bytes == NULL, !memcmp(zeros, x->at_mark + p.offset, ARENA_PAGE));
	}
	for (unsigned p = 0; p < PAGES; p++) {
		assert_int_equal(saved[p], x->written[p]);
		if (!saved[p])
			assert_memory_equal(x->base + p * ARENA_PAGE, x->at_mark + p * ARENA_PAGE, ARENA_PAGE);
	}
}

static void any_writes_and_marks(void **state)
{
	(void)state;
	struct fixture x;
	begin(&x);
	/* some of it before there is a mark */
	for (unsigned k = 0; k < 2000; k++) {
		if (k >= 10 && k % 20 == 10)
			mark(&x, MOST);
		const uint64_t at = draw(&x) % BYTES, most = draw(&x) % 3 ? 100 : 5 * ARENA_PAGE;
		const uint64_t n = 1 + draw(&x) % (BYTES - at < most ? BYTES - at : most);
		write_bytes(&x, at, n, draw(&x) % 4 ? (int)(draw(&x) % 256) : 0);
		if (k >= 10)
			expect_mark(&x);
	}
	end(&x);
}

static void without_a_mark(void **state)
{
	(void)state;
	struct fixture x;
	begin(&x);
	write_bytes(&x, 0, 10, 1);
	assert_false(arena_saved_all(&x.a, x.section));
	assert_int_equal(arena_saved_count(&x.a, x.section), 0);
	end(&x);
}

/* Only pages that held something else than zeros count; what is too much drops everything, until the next mark. */
static void not_more_than_allowed(void **state)
{
	(void)state;
	struct fixture x;
	begin(&x);
	mark(&x, 3 * ARENA_PAGE);
	write_bytes(&x, 0, 8 * ARENA_PAGE, 7);
	mark(&x, 3 * ARENA_PAGE);
	write_bytes(&x, 20 * ARENA_PAGE, 10 * ARENA_PAGE, 1);
	write_bytes(&x, ARENA_PAGE, 3 * ARENA_PAGE, 2);
	expect_mark(&x);
	write_bytes(&x, 0, 1, 3);
	assert_false(arena_saved_all(&x.a, x.section));
	write_bytes(&x, 5 * ARENA_PAGE, 1, 3);
	assert_false(arena_saved_all(&x.a, x.section));
	mark(&x, 3 * ARENA_PAGE);
	write_bytes(&x, 0, 1, 4);
	write_bytes(&x, 5 * ARENA_PAGE, 1, 4);
	expect_mark(&x);
	end(&x);
}

/* A mark is no change of state, and leaves the flags of those who watch pages alone. */
static void marks_change_nothing(void **state)
{
	(void)state;
	struct fixture x;
	begin(&x);
	uint8_t *flags = x.a.section[x.section].page_flags;
	write_bytes(&x, 3 * ARENA_PAGE, 1, 9);
	flags[3] |= ARENA_PAGE_WATCH_WRITE;
	flags[4] |= ARENA_PAGE_WATCH_READ;
	const uint64_t digest = arena_digest(&x.a), committed = arena_committed(&x.a);
	assert_int_equal(committed, ARENA_PAGE);
	for (unsigned k = 0; k < 3; k++) {
		mark(&x, MOST);
		assert_true(arena_digest(&x.a) == digest);
		assert_int_equal(arena_committed(&x.a), committed);
		assert_true(arena_written(&x.a, x.section, 4 * ARENA_PAGE - 1, 1));
		assert_false(arena_written(&x.a, x.section, 4 * ARENA_PAGE, BYTES - 4 * ARENA_PAGE));
		assert_false(flags[3] & ARENA_PAGE_DIRTY);
		assert_true(flags[3] & ARENA_PAGE_WATCH_WRITE && flags[4] & ARENA_PAGE_WATCH_READ);
	}
	end(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_writes_and_marks),
		cmocka_unit_test(without_a_mark),
		cmocka_unit_test(not_more_than_allowed),
		cmocka_unit_test(marks_change_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
