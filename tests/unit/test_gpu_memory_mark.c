/* Device memory brought back to a mark, against whole copies of every allocation; and what it costs of the host's memory. */
#include <sys/resource.h>

#include "kernel_builder.h"

#include "base/arena_marks.h"
#include "gpu/memory/memory.h"

#define PIECES 60u

/* One allocation as the model knows it. */
struct piece {
	uint64_t address, bytes;
	bool live, at_mark; /* at_mark: it was live then and has been since */
	unsigned char *now, *then;
};

struct model {
	struct gpu *g;
	struct piece piece[PIECES];
	unsigned n;
	uint64_t seed;
};

static uint64_t draw(struct model *m)
{
	uint64_t z = m->seed += UINT64_C(0x9E3779B97F4A7C15);
	z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
	return z ^ (z >> 31);
}

static void allocate(struct model *m)
{
	/* several to a page, and some of many pages */
	struct piece *p = &m->piece[m->n++];
	*p = (struct piece){.bytes = 1 + draw(m) % (draw(m) % 3 ? 700 : 30000), .live = true};
	p->address = gpu_alloc(m->g, p->bytes, "piece");
	assert_true(p->address != 0);
	p->now = calloc(1, p->bytes);
	p->then = calloc(1, p->bytes);
}

static void write_some(struct model *m)
{
	struct piece *p = &m->piece[draw(m) % m->n];
	const uint64_t at = draw(m) % p->bytes, n = 1 + draw(m) % (p->bytes - at);
	unsigned char *bytes = malloc(n);
	memset(bytes, draw(m) % 3 ? (int)(draw(m) % 256) : 0, n);
	assert_int_equal(gpu_write(m->g, p->address + at, bytes, n), p->live);
	if (p->live)
		memcpy(p->now + at, bytes, n);
	free(bytes);
}

static void free_one(struct model *m)
{
	struct piece *p = &m->piece[draw(m) % m->n];
	assert_int_equal(gpu_free(m->g, p->address), p->live);
	p->live = p->at_mark = false;
}

static void mark(struct model *m)
{
	gpu_memory_mark(m->g);
	for (unsigned k = 0; k < m->n; k++) {
		m->piece[k].at_mark = m->piece[k].live;
		memcpy(m->piece[k].then, m->piece[k].now, m->piece[k].bytes);
	}
}

static void put_back(struct model *m)
{
	assert_true(gpu_memory_put_back(m->g));
	for (unsigned k = 0; k < m->n; k++)
		if (m->piece[k].at_mark)
			memcpy(m->piece[k].now, m->piece[k].then, m->piece[k].bytes);
}

static void expect_same(struct model *m)
{
	for (unsigned k = 0; k < m->n; k++) {
		struct piece *p = &m->piece[k];
		unsigned char *got = malloc(p->bytes);
		const bool is_there = p->live || gpu_is_freed(m->g, p->address);
		assert_int_equal(gpu_read(m->g, p->address, got, p->bytes), is_there);
		if (is_there)
			assert_memory_equal(got, p->now, p->bytes);
		free(got);
	}
}

static void any_history(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 40; seed++) {
		struct model m = {.g = gpu_create(NULL, NULL, NULL), .seed = seed};
		allocate(&m);
		mark(&m);
		for (unsigned k = 0; k < 400; k++) {
			switch (draw(&m) % 20) {
			case 0: mark(&m); break;
			case 1: put_back(&m); break;
			case 2: free_one(&m); break;
			case 3:
			case 4:
				if (m.n < PIECES)
					allocate(&m);
				break;
			default: write_some(&m); break;
			}
			expect_same(&m);
		}
		for (unsigned k = 0; k < m.n; k++) {
			free(m.piece[k].now);
			free(m.piece[k].then);
		}
		gpu_destroy(m.g);
	}
}

/* An address that a new owner has got since keeps the new owner's contents (only at the end of device memory). */
static void new_owner_keeps_his(void **state)
{
	(void)state;
	struct gpu *g = gpu_create(NULL, NULL, NULL);
	uint64_t a = gpu_alloc(g, 4096, "a"), b = gpu_alloc(g, 4096, "b"), v = 1, w = 2, got;
	uint64_t rest = machine_limits_of_host()->device_end - (b + 4096);
	assert_true(gpu_alloc(g, rest, "rest") != 0);
	assert_true(gpu_write(g, a, &v, 8) && gpu_write(g, b, &v, 8));
	gpu_memory_mark(g);
	assert_true(gpu_write(g, a, &w, 8) && gpu_write(g, b, &w, 8));
	assert_true(gpu_free(g, a));
	assert_int_equal(gpu_alloc(g, 4096, "new"), a);
	assert_true(gpu_read(g, a, &got, 8));
	assert_int_equal(got, 0);
	assert_true(gpu_write(g, a, &w, 8));
	assert_true(gpu_memory_put_back(g));
	assert_true(gpu_read(g, a, &got, 8));
	assert_int_equal(got, 2);
	assert_true(gpu_read(g, b, &got, 8));
	assert_int_equal(got, 1);
	/* at the next mark he is one of those that are there */
	gpu_memory_mark(g);
	assert_true(gpu_write(g, a, &v, 8) && gpu_memory_put_back(g) && gpu_read(g, a, &got, 8));
	assert_int_equal(got, 2);
	gpu_destroy(g);
}

/* What has been freed isn't brought back, but saved like all that a mark found. */
static void freed_memory_is_saved(void **state)
{
	(void)state;
	struct gpu *g = gpu_create(NULL, NULL, NULL);
	const int section = gpu_exec(g)->sec_global;
	uint64_t a = gpu_alloc(g, 3 * 4096, "a");
	for (uint64_t k = 0; k < 3 * 512; k++)
		assert_true(gpu_write(g, a + 8 * k, &k, 8));
	gpu_memory_mark(g);
	assert_true(gpu_free(g, a));
	gpu_clear_freed(g, 0);
	size_t n;
	const uint64_t mark = arena_mark_number(gpu_arena(g), arena_mark_count(gpu_arena(g)) - 1);
	struct arena_saved_page *page = arena_saved_since(gpu_arena(g), mark, section, &n);
	assert_int_equal(n, 3);
	for (uint64_t p = 0; p < 3; p++) {
		const uint64_t *v = page[p].bytes;
		assert_int_equal(page[p].offset, a + 4096 * p);
		assert_int_equal(v[0], 512 * p);
		assert_int_equal(v[511], 512 * p + 511);
	}
	free(page);
	assert_true(gpu_memory_put_back(g));
	for (uint64_t k = 0; k < 3 * 4096; k++)
		assert_int_equal(*(char *)arena_at(gpu_arena(g), section, a + k), 0);
	gpu_destroy(g);
}

static long peak_kib(void)
{
	struct rusage u;
	getrusage(RUSAGE_SELF, &u);
	return u.ru_maxrss;
}

#define BIG (UINT64_C(64) << 20)
#define QUARTER_KIB ((long)(BIG / 4 / 1024))

/* A mark, reading, and writing what was never written take no memory of their own. */
static void costs_what_is_overwritten(void **state)
{
	(void)state;
	struct gpu *g = gpu_create(NULL, NULL, NULL);
	uint64_t a = gpu_alloc(g, BIG, "a"), b = gpu_alloc(g, BIG, "b");
	char *page = malloc(4096);
	memset(page, 5, 4096);
	for (uint64_t at = 0; at < BIG; at += 4096)
		assert_true(gpu_write(g, a + at, page, 4096));
	long before = peak_kib();
	gpu_memory_mark(g);
	for (uint64_t at = 0; at < BIG; at += 4096)
		assert_true(gpu_read(g, a + at, page, 4096) && page[9] == 5);
	/* zeros where nothing was ever written */
	memset(page, 0, 4096);
	for (uint64_t at = 0; at < BIG; at += 4096)
		assert_true(gpu_write(g, b + at, page, 4096));
	assert_true(peak_kib() - before < QUARTER_KIB);
	/* b takes its own bytes now, and nothing more */
	memset(page, 6, 4096);
	for (uint64_t at = 0; at < BIG; at += 4096)
		assert_true(gpu_write(g, b + at, page, 4096));
	assert_true(peak_kib() - before < 5 * QUARTER_KIB);
	free(page);
	gpu_destroy(g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_history),
		cmocka_unit_test(new_owner_keeps_his),
		cmocka_unit_test(freed_memory_is_saved),
		cmocka_unit_test(costs_what_is_overwritten),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
