/* src/base/arena_marks.h: what the arena held at its marks, against whole copies made there. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/arena_marks.h"

#define PAGES 40u
#define BYTES (PAGES * ARENA_PAGE)
#define MOST (UINT64_C(1) << 30)
#define SECTIONS 3u /* two paged, one hot */
#define COPIES 12u

/* The arena as it was at a mark. */
struct copy {
	uint64_t mark, digest, used[SECTIONS];
	bool whole;
	char bytes[SECTIONS][BYTES];
};

struct fixture {
	struct arena a;
	int section[SECTIONS];
	struct copy *copy[COPIES]; /* those of the marks there are, the oldest first */
	unsigned n;
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
	for (unsigned s = 0; s < SECTIONS; s++)
		x->section[s] = arena_add(&x->a, "memory", s < 2 ? ARENA_PAGED : ARENA_HOT, BYTES);
	assert_true(arena_use(&x->a, x->section[0], BYTES) && arena_use(&x->a, x->section[1], BYTES));
}

static void end(struct fixture *x)
{
	for (unsigned k = 0; k < x->n; k++)
		free(x->copy[k]);
	arena_free(&x->a);
}

static char *base(const struct fixture *x, unsigned s) { return arena_at(&x->a, x->section[s], 0); }

static void write_bytes(struct fixture *x, unsigned s, uint64_t at, uint64_t n, int value)
{
	arena_touch(&x->a, x->section[s], at, n);
	assert_true(arena_use(&x->a, x->section[s], at + n));
	memset(base(x, s) + at, value, n);
}

static void write_anything(struct fixture *x)
{
	const uint64_t at = draw(x) % BYTES, most = draw(x) % 3 ? 100 : 5 * ARENA_PAGE;
	const uint64_t n = 1 + draw(x) % (BYTES - at < most ? BYTES - at : most);
	write_bytes(x, (unsigned)(draw(x) % SECTIONS), at, n, draw(x) % 4 ? (int)(draw(x) % 256) : 0);
}

static void forget(struct fixture *x, unsigned k)
{
	free(x->copy[k]);
	memmove(&x->copy[k], &x->copy[k + 1], (x->n - k - 1) * sizeof *x->copy);
	x->n--;
}

static void mark(struct fixture *x, bool whole)
{
	if (x->n == COPIES)
		return;
	struct copy *c = calloc(1, sizeof *c);
	c->digest = arena_digest(&x->a);
	c->whole = whole;
	c->mark = whole ? arena_mark_whole(&x->a) : arena_mark(&x->a);
	assert_true(c->mark != 0);
	for (unsigned s = 0; s < SECTIONS; s++) {
		memcpy(c->bytes[s], base(x, s), BYTES);
		c->used[s] = x->a.section[x->section[s]].used;
	}
	x->copy[x->n++] = c;
}

/* Any but the newest, and the newest whole one. */
static void drop_any(struct fixture *x)
{
	if (x->n < 2)
		return;
	const unsigned k = (unsigned)(draw(x) % (x->n - 1));
	bool whole_behind = !x->copy[k]->whole;
	for (unsigned i = k + 1; i < x->n; i++)
		whole_behind |= x->copy[i]->whole;
	if (!whole_behind)
		return;
	arena_drop_mark(&x->a, x->copy[k]->mark);
	forget(x, k);
}

static void go_back_anywhere(struct fixture *x)
{
	if (!x->n)
		return;
	const unsigned k = (unsigned)(draw(x) % x->n);
	const struct copy *c = x->copy[k];
	assert_int_equal(arena_go_back(&x->a, c->mark), c->whole);
	if (!c->whole)
		return;
	for (unsigned s = 0; s < SECTIONS; s++) {
		assert_memory_equal(base(x, s), c->bytes[s], BYTES);
		assert_int_equal(x->a.section[x->section[s]].used, c->used[s]);
	}
	assert_true(arena_digest(&x->a) == c->digest);
	while (x->n > k + 1)
		forget(x, x->n - 1);
}

/* What a mark found is what is there where nothing was saved since, and what was saved elsewhere. */
static void expect_mark(const struct fixture *x, const struct copy *c, unsigned s)
{
	static const char zeros[ARENA_PAGE];
	bool saved[PAGES] = {false};
	size_t n;
	struct arena_saved_page *page = arena_saved_since(&x->a, c->mark, x->section[s], &n);
	for (size_t k = 0; k < n; k++) {
		assert_true(page[k].offset < BYTES && page[k].offset % ARENA_PAGE == 0);
		assert_false(saved[page[k].offset / ARENA_PAGE]);
		saved[page[k].offset / ARENA_PAGE] = true;
		assert_memory_equal(page[k].bytes ? page[k].bytes : zeros, c->bytes[s] + page[k].offset, ARENA_PAGE);
		/* pages of zeros have no bytes */
		assert_int_equal(page[k].bytes == NULL, !memcmp(zeros, c->bytes[s] + page[k].offset, ARENA_PAGE));
	}
	for (unsigned p = 0; p < PAGES; p++)
		if (!saved[p])
			assert_memory_equal(base(x, s) + p * ARENA_PAGE, c->bytes[s] + p * ARENA_PAGE, ARENA_PAGE);
	free(page);
}

/* From the mark after the one that is named up to the last one a page was the same at all; it changed, or was written, after the one that is named. */
static void expect_last_writes(const struct fixture *x, unsigned s)
{
	const struct copy *last = x->copy[x->n - 1];
	for (unsigned p = 0; p < PAGES; p++) {
		const uint64_t offset = p * ARENA_PAGE,
			       mark = arena_mark_of_write(&x->a, last->mark, x->section[s], offset + 7, 1);
		unsigned from = 0;
		while (mark && x->copy[from]->mark <= mark)
			from++;
		assert_true(!mark || (from && x->copy[from - 1]->mark == mark && mark < last->mark));
		for (unsigned k = from; k < x->n; k++)
			assert_memory_equal(x->copy[k]->bytes[s] + offset, last->bytes[s] + offset, ARENA_PAGE);
		assert_true(!p || mark <= arena_mark_of_write(&x->a, last->mark, x->section[s], offset - 1, 2));
	}
}

static void expect_copy(const struct fixture *x, const struct copy *c)
{
	for (unsigned s = 0; s < SECTIONS; s++) {
		assert_memory_equal(base(x, s), c->bytes[s], BYTES);
		assert_int_equal(x->a.section[x->section[s]].used, c->used[s]);
	}
	assert_true(arena_digest(&x->a) == c->digest);
}

/* To some of the marks there are, to write there and to mark; then all is as it was, with all marks. */
static void look_aside(struct fixture *x)
{
	if (x->n == COPIES)
		return;
	mark(x, true);
	const struct copy *now = x->copy[x->n - 1];
	unsigned from = x->n;
	uint64_t own = 0;
	for (unsigned looks = 1 + (unsigned)(draw(x) % 4); looks; looks--) {
		const unsigned k = (unsigned)(draw(x) % from);
		const bool on_own = own && draw(x) % 3 == 0;
		if (!on_own && !x->copy[k]->whole) {
			assert_false(arena_visit(&x->a, now->mark, x->copy[k]->mark));
			continue;
		}
		assert_true(arena_visit(&x->a, now->mark, on_own ? own : x->copy[k]->mark));
		if (!on_own) {
			expect_copy(x, x->copy[k]);
			from = k + 1;
			own = 0;
		}
		for (uint64_t n = draw(x) % 6; n; n--)
			write_anything(x);
		if (!own && draw(x) % 2)
			own = arena_mark_whole(&x->a);
		for (uint64_t n = draw(x) % 3; n; n--)
			write_anything(x);
	}
	const bool went = arena_visit_origin(&x->a) != 0;
	assert_int_equal(arena_visit_end(&x->a), went);
	if (!went)
		assert_true(arena_go_back(&x->a, now->mark));
	expect_copy(x, now);
	assert_int_equal(arena_visit_origin(&x->a), 0);
}

static void expect_marks(const struct fixture *x)
{
	for (unsigned s = 0; s < 2 && x->n; s++)
		expect_last_writes(x, s);
	assert_int_equal(arena_mark_count(&x->a), x->n);
	for (unsigned k = 0; k < x->n; k++) {
		assert_true(arena_has_mark(&x->a, x->copy[k]->mark));
		assert_int_equal(arena_mark_number(&x->a, k), x->copy[k]->mark);
		expect_mark(x, x->copy[k], 0);
		expect_mark(x, x->copy[k], 1);
	}
}

static void any_writes_and_marks(void **state)
{
	(void)state;
	struct fixture x;
	begin(&x);
	for (unsigned k = 0; k < 10; k++) /* before there are marks */
		write_anything(&x);
	assert_true(arena_marks_begin(&x.a, MOST));
	arena_marks_verify(&x.a);
	for (unsigned k = 0; k < 6000; k++) {
		const uint64_t what = draw(&x) % 40;
		if (what < 3)
			mark(&x, what != 0);
		else if (what == 3)
			drop_any(&x);
		else if (what == 4)
			go_back_anywhere(&x);
		else if (what == 5)
			look_aside(&x);
		else
			write_anything(&x);
		if (k % 8 == 0)
			expect_marks(&x);
	}
	end(&x);
}

static void without_a_mark(void **state)
{
	(void)state;
	struct fixture x;
	size_t n;
	begin(&x);
	write_bytes(&x, 0, 0, 10, 1);
	assert_true(arena_mark(&x.a) == 0 && arena_mark_whole(&x.a) == 0);
	assert_false(arena_has_mark(&x.a, 0) || arena_has_mark(&x.a, 1));
	assert_false(arena_go_back(&x.a, 1));
	assert_null(arena_saved_since(&x.a, 1, x.section[0], &n));
	assert_int_equal(n, 0);
	end(&x);
}

/* Only pages that held something else than zeros count; where room is missing the oldest marks go, at last the newest. */
static void not_more_than_allowed(void **state)
{
	(void)state;
	struct fixture x;
	begin(&x);
	assert_true(arena_marks_begin(&x.a, 3 * ARENA_PAGE));
	write_bytes(&x, 0, 0, 8 * ARENA_PAGE, 7);
	mark(&x, false);
	write_bytes(&x, 0, 20 * ARENA_PAGE, 10 * ARENA_PAGE, 1);
	write_bytes(&x, 0, ARENA_PAGE, 2 * ARENA_PAGE, 2);
	/* two pages, and the lists of what is kept */
	assert_true(arena_marks_bytes(&x.a) >= 2 * ARENA_PAGE && arena_marks_bytes(&x.a) < 3 * ARENA_PAGE);
	mark(&x, false);
	write_bytes(&x, 0, 3 * ARENA_PAGE, ARENA_PAGE, 2);
	expect_marks(&x);
	write_bytes(&x, 0, 4 * ARENA_PAGE, ARENA_PAGE, 2); /* the fourth page */
	assert_false(arena_has_mark(&x.a, 1));
	forget(&x, 0);
	expect_marks(&x);
	write_bytes(&x, 0, 0, ARENA_PAGE, 2);
	expect_marks(&x);
	write_bytes(&x, 0, 5 * ARENA_PAGE, 1, 3);
	assert_int_equal(arena_mark_count(&x.a), 0);
	forget(&x, 0);
	write_bytes(&x, 0, 6 * ARENA_PAGE, 1, 3);
	mark(&x, true);
	write_bytes(&x, 0, 0, 1, 4);
	write_bytes(&x, 0, 5 * ARENA_PAGE, 1, 4);
	expect_marks(&x);
	assert_true(arena_go_back(&x.a, x.copy[0]->mark));
	assert_memory_equal(base(&x, 0), x.copy[0]->bytes[0], BYTES);
	end(&x);
}

/* A pinned mark stays, though the only whole one, while there are others that can go. */
static void a_pinned_mark_goes_last(void **state)
{
	(void)state;
	struct fixture x;
	begin(&x);
	assert_true(arena_marks_begin(&x.a, 6 * ARENA_PAGE));
	write_bytes(&x, 0, 0, 8 * ARENA_PAGE, 7);
	mark(&x, true);
	arena_pin_mark(&x.a, x.copy[0]->mark, true);
	for (int k = 0; k < 9; k++) {
		arena_mark(&x.a);
		write_bytes(&x, 0, (uint64_t)(k % 4) * ARENA_PAGE, ARENA_PAGE, 20 + k);
	}
	assert_true(arena_mark_count(&x.a) < 10);
	assert_true(arena_go_back(&x.a, x.copy[0]->mark));
	assert_memory_equal(base(&x, 0), x.copy[0]->bytes[0], BYTES);
	end(&x);
}

/* A mark is no change of state, and leaves the flags of those who watch pages alone. */
static void marks_change_nothing(void **state)
{
	(void)state;
	struct fixture x;
	begin(&x);
	uint8_t *flags = x.a.section[x.section[0]].page_flags;
	assert_true(arena_marks_begin(&x.a, MOST));
	write_bytes(&x, 0, 3 * ARENA_PAGE, 1, 9);
	flags[3] |= ARENA_PAGE_WATCH_WRITE;
	flags[4] |= ARENA_PAGE_WATCH_READ;
	const uint64_t digest = arena_digest(&x.a), committed = arena_committed(&x.a);
	assert_int_equal(committed, ARENA_PAGE);
	for (unsigned k = 0; k < 3; k++) {
		mark(&x, k == 1);
		assert_true(arena_digest(&x.a) == digest);
		assert_int_equal(arena_committed(&x.a), committed);
		assert_true(arena_written(&x.a, x.section[0], 4 * ARENA_PAGE - 1, 1));
		assert_false(arena_written(&x.a, x.section[0], 4 * ARENA_PAGE, BYTES - 4 * ARENA_PAGE));
		assert_false(flags[3] & ARENA_PAGE_DIRTY);
		assert_true(flags[3] & ARENA_PAGE_WATCH_WRITE && flags[4] & ARENA_PAGE_WATCH_READ);
	}
	write_bytes(&x, 0, 4 * ARENA_PAGE, 1, 9);
	assert_true(arena_go_back(&x.a, x.copy[1]->mark));
	assert_true(flags[3] & ARENA_PAGE_WATCH_WRITE && flags[4] & ARENA_PAGE_WATCH_READ);
	assert_int_equal(arena_committed(&x.a), committed);
	end(&x);
}

/* A store that doesn't say so ends a program that verifies, at the next mark. */
static void a_bypass_is_found(void **state)
{
	(void)state;
	struct fixture x;
	begin(&x);
	assert_true(arena_marks_begin(&x.a, MOST));
	arena_marks_verify(&x.a);
	write_bytes(&x, 1, 0, 10, 1);
	mark(&x, false);
	mark(&x, false);
	const pid_t child = fork();
	if (!child) {
		close(STDERR_FILENO);
		base(&x, 1)[7] = 2;
		arena_mark(&x.a);
		_exit(0);
	}
	int status;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
	write_bytes(&x, 1, 7, 1, 2);
	mark(&x, false);
	end(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_writes_and_marks),	 cmocka_unit_test(without_a_mark),
		cmocka_unit_test(not_more_than_allowed), cmocka_unit_test(a_pinned_mark_goes_last),
		cmocka_unit_test(marks_change_nothing),	 cmocka_unit_test(a_bypass_is_found),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
