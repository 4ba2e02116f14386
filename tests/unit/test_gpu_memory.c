/* Device memory: addresses, bounds, freeing, module variables. */
#include "gpu/device/internal.h"
#include "gpu/memory/memory.h"
#include "kernel_builder.h"

#define HEAP UINT64_C(0x80000000)

static void addresses_in_order(void **state)
{
	(void)state;
	struct gpu *g = gpu_create(NULL, NULL, NULL);
	assert_int_equal(gpu_alloc(g, 1, "a"), HEAP);
	assert_int_equal(gpu_alloc(g, 256, "b"), HEAP + 0x100);
	assert_int_equal(gpu_alloc(g, 257, "c"), HEAP + 0x200);
	assert_int_equal(gpu_alloc(g, 0, "nothing"), HEAP + 0x400);
	assert_int_equal(gpu_alloc(g, 8, ""), HEAP + 0x500);
	size_t n;
	const struct gpu_allocation *t = gpu_allocations(g, &n);
	assert_int_equal(n, 5);
	assert_string_equal(t[2].name, "c");
	assert_int_equal(t[2].bytes, 257);
	gpu_destroy(g);
}

static void copies_stay_inside(void **state)
{
	(void)state;
	struct gpu *g = gpu_create(NULL, NULL, NULL);
	uint64_t a = gpu_alloc(g, 100, "a"), b = gpu_alloc(g, 100, "b");
	char in[200], out[200];
	memset(in, 7, sizeof in);
	assert_true(gpu_write(g, a, in, 100));
	assert_false(gpu_write(g, a, in, 101));
	assert_false(gpu_write(g, a + 99, in, 2));
	assert_false(gpu_write(g, a - 1, in, 1));
	assert_false(gpu_write(g, a + 200, in, 1));
	assert_false(gpu_write(g, UINT64_MAX - 3, in, 4));
	assert_false(gpu_read(g, 0, out, 1));
	assert_true(gpu_read(g, b, out, 100));
	for (int k = 0; k < 100; k++)
		assert_int_equal(out[k], 0);
	assert_true(gpu_read(g, a + 50, out, 50));
	assert_memory_equal(out, in, 50);
	gpu_destroy(g);
}

/* Memory that the host has at another address is found by both, as long as it is there. */
static void known_to_the_host(void **state)
{
	(void)state;
	const uint64_t there = UINT64_C(0x7f0000001000), bytes = 2 * ARENA_PAGE;
	int in = 7, out = 0;
	struct gpu *g = gpu_create(NULL, NULL, NULL);
	const uint64_t a = gpu_alloc_pages(g, bytes, "a"), b = gpu_alloc_pages(g, bytes, "b"), c = gpu_alloc(g, 8, "c");
	assert_true(gpu_set_host_address(g, a, there) && gpu_set_host_address(g, b, there + bytes));
	assert_false(gpu_set_host_address(g, c, there + bytes + 4)); /* another's */
	assert_false(gpu_set_host_address(g, c, a));		     /* the device's own */
	assert_false(gpu_set_host_address(g, a + 8, there + 4 * bytes));
	assert_true(gpu_device_address(g, there) == a && gpu_device_address(g, there + bytes - 1) == a + bytes - 1);
	assert_true(gpu_device_address(g, there + bytes) == b && gpu_device_address(g, c) == c);
	assert_int_equal(gpu_device_address(g, there + 2 * bytes),
			 there + 2 * bytes); /* wrong ones, which are named after b and a */
	assert_int_equal(gpu_device_address_beside(g, there + 2 * bytes), b + bytes);
	assert_int_equal(gpu_device_address_beside(g, there - 4), a - 4);
	assert_int_equal(gpu_device_address_beside(g, there + 9 * bytes), there + 9 * bytes);
	assert_true(gpu_host_address(g, b) == there + bytes && !gpu_host_address(g, c));
	assert_true(gpu_write(g, there + bytes - 4, &in, 4) && gpu_read(g, a + bytes - 4, &out, 4));
	assert_int_equal(out, 7);
	assert_false(gpu_write(g, there + bytes - 2, &in, 4)); /* in none of the two */
	gpu_reset(g);
	assert_int_equal(gpu_device_address(g, there + 5), a + 5);
	assert_true(gpu_free(g, a));
	assert_int_equal(gpu_device_address(g, there + 5), there + 5);
	assert_int_equal(gpu_device_address(g, there + bytes), b);
	gpu_destroy(g);
}

static void fetch_from(void *self, void *to, uint64_t n) { memcpy(to, self, n); }

static void copies_are_fetched(void **state)
{
	(void)state;
	static char in[3 * ARENA_PAGE], out[sizeof in];
	struct gpu *g = gpu_create(NULL, NULL, NULL);
	const uint64_t a = gpu_alloc(g, sizeof in, "a");
	const struct gpu_source source = {fetch_from, in};
	const uint64_t before = arena_committed(gpu_arena(g));
	assert_true(gpu_copy_from_source(g, a, &source, sizeof in)); /* zeros take nothing of the host */
	assert_int_equal(arena_committed(gpu_arena(g)), before);
	memset(in, 7, sizeof in);
	for (int k = 0; k < 2; k++) { /* to pages never written, and to others */
		in[5] = (char)k;
		assert_true(gpu_copy_from_source(g, a, &source, sizeof in));
		assert_true(gpu_read(g, a, out, sizeof in));
		assert_memory_equal(out, in, sizeof in);
		assert_true(gpu_nearest_allocation(g, a)->copied);
	}
	/* what a mark had is saved first */
	gpu_memory_mark(g);
	memset(in, 9, sizeof in);
	assert_true(gpu_copy_from_source(g, a + 100, &source, sizeof in - 100));
	assert_false(gpu_copy_from_source(g, a + 100, &source, sizeof in));
	assert_true(gpu_read(g, a, in, sizeof in) && in[99] == 7 && in[100] == 9);
	assert_true(gpu_memory_put_back(g) && gpu_read(g, a, in, sizeof in));
	assert_memory_equal(out, in, sizeof in);
	gpu_destroy(g);
}

static void freed_memory_stays_freed(void **state)
{
	(void)state;
	struct gpu *g = gpu_create(NULL, NULL, NULL);
	uint64_t a = gpu_alloc(g, 5000, "a"), b = gpu_alloc(g, 16, "b");
	uint32_t v = 5;
	assert_true(gpu_write(g, a, &v, 4));
	assert_false(gpu_free(g, a + 256));
	assert_false(gpu_free(g, HEAP - 256));
	assert_true(gpu_free(g, a));
	assert_false(gpu_free(g, a));
	/* its last bytes are still there, and nothing can be written */
	assert_true(gpu_is_freed(g, a + 4999) && !gpu_is_freed(g, a + 5000) && !gpu_is_freed(g, b));
	assert_true(gpu_read(g, a, &v, 4) && v == 5);
	assert_false(gpu_write(g, a, &v, 4));
	assert_int_equal(gpu_memory_from(g, a), 5000);
	/* the next one doesn't get its address: a use of the old one is still told apart */
	uint64_t c = gpu_alloc(g, 16, "c");
	assert_true(c > b);
	const struct gpu_allocation *n = gpu_nearest_allocation(g, a + 10);
	assert_string_equal(n->name, "a");
	assert_false(n->live);
	gpu_destroy(g);
}

/* Of freed memory the latest 256 allocations and 256 MB keep their bytes, none where addresses have been given out again. */
static void freed_memory_is_bounded(void **state)
{
	(void)state;
	struct gpu *g = gpu_create(NULL, NULL, NULL);
	uint64_t first = gpu_alloc(g, 16, ""), v = 5;
	assert_true(gpu_write(g, first, &v, 8) && gpu_free(g, first));
	for (unsigned k = 0; k < 255; k++)
		assert_true(gpu_free(g, gpu_alloc(g, 16, "")));
	assert_true(gpu_is_freed(g, first) && gpu_read(g, first, &v, 8) && v == 5);
	const uint64_t last = gpu_alloc(g, 16, "");
	assert_true(gpu_free(g, last));
	assert_false(gpu_is_freed(g, first) || gpu_read(g, first, &v, 8));
	assert_true(gpu_is_freed(g, last));
	const uint64_t large = gpu_alloc(g, UINT64_C(256) << 20, "");
	assert_true(gpu_free(g, large));
	assert_true(gpu_is_freed(g, large) && !gpu_is_freed(g, last));
	/* what is as large as all others together takes their addresses */
	const uint64_t end = machine_limits_of_host()->device_end;
	const uint64_t rest = gpu_alloc(g, end - (large + (UINT64_C(257) << 20)), "rest");
	assert_true(rest != 0);
	const uint64_t again = gpu_alloc(g, UINT64_C(200) << 20, "again");
	assert_int_equal(again, large);
	assert_true(gpu_free(g, again) && !gpu_is_freed(g, again));
	gpu_destroy(g);
}

static void nearest_allocation(void **state)
{
	(void)state;
	struct gpu *g = gpu_create(NULL, NULL, NULL);
	assert_null(gpu_nearest_allocation(g, 1234));
	uint64_t a = gpu_alloc(g, 100, "a"), b = gpu_alloc(g, 100, "b");
	assert_string_equal(gpu_nearest_allocation(g, a + 99)->name, "a");
	assert_string_equal(gpu_nearest_allocation(g, a + 100)->name, "a");
	assert_string_equal(gpu_nearest_allocation(g, b - 1)->name, "b");
	assert_string_equal(gpu_nearest_allocation(g, 0)->name, "a");
	assert_string_equal(gpu_nearest_allocation(g, UINT64_MAX)->name, "b");
	gpu_free(g, b);
	assert_string_equal(gpu_nearest_allocation(g, b + 150)->name, "a");
	gpu_destroy(g);
}

/* Only at the end of device memory freed pieces are taken again, the lowest that fits, and they read as zeros. */
static void reuse_at_the_end(void **state)
{
	(void)state;
	struct gpu *g = gpu_create(NULL, NULL, NULL);
	uint64_t a = gpu_alloc(g, 1024, "a"), b = gpu_alloc(g, 4096, "b");
	uint64_t rest = machine_limits_of_host()->device_end - (HEAP + 1024 + 4096);
	assert_int_equal(gpu_alloc(g, rest, "rest"), HEAP + 1024 + 4096);
	assert_int_equal(gpu_alloc(g, 1, "x"), 0);
	uint64_t v = 1;
	assert_true(gpu_write(g, b, &v, 8));
	gpu_free(g, b);
	gpu_free(g, a);
	assert_int_equal(gpu_alloc(g, 2000, "c"), b);
	assert_int_equal(gpu_alloc(g, 2000, "d"), b + 2048);
	assert_int_equal(gpu_alloc(g, 1025, "e"), 0);
	assert_int_equal(gpu_alloc(g, 1000, "f"), a);
	assert_true(gpu_read(g, b, &v, 8));
	assert_int_equal(v, 0);
	/* sorted, and nothing overlaps */
	size_t n;
	const struct gpu_allocation *t = gpu_allocations(g, &n);
	for (size_t k = 1; k < n; k++)
		assert_true(t[k - 1].address + t[k - 1].bytes <= t[k].address);
	gpu_destroy(g);
}

static struct gpu *guarded(struct config **cfg, const char *option)
{
	struct diag_list diags = {0};
	*cfg = config_create();
	assert_true(config_set_text(*cfg, option, &diags));
	assert_true(config_finish(*cfg, &diags));
	diag_list_free(&diags);
	return gpu_create(*cfg, NULL, NULL);
}

/* A guard belongs to nobody, whatever the piece's size. */
static void guards_belong_to_nobody(void **state)
{
	(void)state;
	struct config *cfg;
	struct gpu *g = guarded(&cfg, "-gpgpu_heap_guard 512");
	uint64_t a = gpu_alloc(g, 1024, "a"), b = gpu_alloc(g, 1, "b"), c = gpu_alloc(g, 4, "c");
	assert_int_equal(a, HEAP);
	assert_int_equal(b, HEAP + 1024 + 512);
	assert_int_equal(c, b + 256 + 512);
	uint32_t v = 1;
	for (uint64_t at = a + 1024; at < b; at += 4) {
		assert_false(gpu_write(g, at, &v, 4));
		assert_string_equal(gpu_nearest_allocation(g, at)->name, b - at < 32 ? "b" : "a");
	}
	assert_string_equal(gpu_nearest_allocation(g, b + 1)->name, "b");
	assert_string_equal(gpu_nearest_allocation(g, c - 32)->name, "b");
	assert_string_equal(gpu_nearest_allocation(g, c - 31)->name, "c");
	assert_string_equal(gpu_nearest_allocation(g, a - 40)->name, "a");
	gpu_destroy(g);
	config_free(cfg);
}

/* Pieces that are taken again have their guard, too, and nothing of a freed one is lost. */
static void reuse_with_guards(void **state)
{
	(void)state;
	struct config *cfg;
	struct gpu *g = guarded(&cfg, "-gpgpu_heap_guard 256");
	uint64_t a = gpu_alloc(g, 1024, "a"), b = gpu_alloc(g, 256, "b");
	uint64_t rest = machine_limits_of_host()->device_end - (b + 512);
	assert_int_equal(gpu_alloc(g, rest, "rest"), b + 512);
	gpu_free(g, a);
	assert_int_equal(gpu_alloc(g, 1025, "x"), 0);
	/* 256, its guard, and 512 for the next; then a rest that holds no more than a guard */
	assert_int_equal(gpu_alloc(g, 200, "c"), a);
	assert_int_equal(gpu_alloc(g, 256, "d"), a + 512);
	assert_int_equal(gpu_alloc(g, 1, "x"), 0);
	uint32_t v = 1;
	assert_false(gpu_write(g, a + 256, &v, 4));
	assert_false(gpu_write(g, a + 768, &v, 4));
	gpu_free(g, a + 512);
	assert_int_equal(gpu_alloc(g, 512, "e"), a + 512);
	assert_false(gpu_write(g, a + 1024, &v, 4));
	gpu_free(g, b);
	assert_int_equal(gpu_alloc(g, 1, "f"), b);
	size_t n;
	const struct gpu_allocation *t = gpu_allocations(g, &n);
	for (size_t k = 1; k < n; k++)
		assert_true(t[k - 1].address + t[k - 1].bytes + 256 <= t[k].address);
	gpu_destroy(g);
	config_free(cfg);
}

/* Before the first launch there was what the host allocated. */
static void reset_keeps_what_the_host_allocated(void **state)
{
	(void)state;
	struct config *cfg;
	struct gpu *g = guarded(&cfg, "-gpgpu_heap_guard 256");
	uint64_t a = gpu_alloc(g, 256, "a"), first = gpu_device_malloc(g, 100), b = gpu_alloc(g, 256, "b");
	uint64_t second = gpu_device_malloc(g, 100);
	uint32_t v = 7;
	assert_true(first && second && gpu_write(g, a, &v, 4) && gpu_write(g, b, &v, 4) && gpu_write(g, second, &v, 4));
	gpu_reset(g);
	assert_true(gpu_read(g, a, &v, 4) && v == 7);
	assert_true(gpu_read(g, b, &v, 4) && v == 7);
	assert_false(gpu_read(g, first, &v, 4));
	assert_false(gpu_free(g, first));
	/* behind b the next one begins, and finds zeros */
	assert_int_equal(gpu_device_malloc(g, 100), second);
	assert_true(gpu_read(g, second, &v, 4) && v == 0);
	/* the room between a and b is a's when that is freed, for the next when nothing else is left */
	gpu_free(g, a);
	gpu_alloc(g, machine_limits_of_host()->device_end - (second + 512), "rest");
	assert_int_equal(gpu_alloc(g, 768, "c"), a);
	gpu_destroy(g);
	config_free(cfg);
}

/* The edges of an allocation are faults of the kernel that crosses them. */
static void kernels_are_bounded_too(void **state)
{
	(void)state;
	struct builder b = builder_create(NULL);
	const uint64_t a = b.out = gpu_alloc(b.g, 4 * 40, "a");
	uint32_t k = kernel_begin(&b);
	store_out(&b, TID, TID);
	kernel_end(&b);
	const struct exec_fault *f = run_into_fault(&b, k, 64, EXEC_FAULT_ILLEGAL_ADDRESS);
	assert_int_equal(f->address, a + 160);
	assert_int_equal(f->lanes, 0xffffff00);
	assert_true(f->is_write);
	for (uint32_t t = 0; t < 32; t++)
		assert_int_equal(result(&b, t), t);
	assert_int_equal(result(&b, 32), 0);
	builder_destroy(&b);
}

static void module_variables(void **state)
{
	(void)state;
	static const uint8_t init[8] = {1, 2, 3, 4, 5, 6, 7, 8};
	struct isa_variable v[] = {
		{.name = "table", .space = ISA_SPACE_GLOBAL, .address = EXEC_MODULE_GLOBALS, .bytes = 8, .init = init},
		{.name = "zeros", .space = ISA_SPACE_GLOBAL, .address = EXEC_MODULE_GLOBALS + 256, .bytes = 12},
		{.name = "constant", .space = ISA_SPACE_CONST, .address = 64, .bytes = 8, .init = init},
	};
	struct builder b = builder_create(NULL);
	b.p->variables = calloc(3, sizeof *b.p->variables);
	for (int k = 0; k < 3; k++)
		b.p->variables[k] = &v[k];
	b.p->n_variables = b.p->cap_variables = 3;
	b.p->const_next = 72;
	gpu_program_changed(b.g);
	uint8_t got[12];
	assert_true(gpu_read(b.g, EXEC_MODULE_GLOBALS, got, 8));
	assert_memory_equal(got, init, 8);
	assert_true(gpu_read(b.g, EXEC_MODULE_GLOBALS + 256, got, 12));
	assert_int_equal(got[11], 0);
	assert_false(gpu_read(b.g, EXEC_MODULE_GLOBALS, got, 9));
	assert_string_equal(gpu_nearest_allocation(b.g, EXEC_MODULE_GLOBALS + 8)->name, "table");
	assert_memory_equal(arena_at(gpu_arena(b.g), gpu_exec(b.g)->sec_const, 64), init, 8);
	/* not a heap address: it can't be freed */
	assert_false(gpu_free(b.g, EXEC_MODULE_GLOBALS));
	builder_destroy(&b);
}

/* A range has memory part by part: what is next to each other is one piece, and two ranges stay two. */
static void ranges(void **state)
{
	(void)state;
	enum { PAGE = 4096 };
	static char bytes[3 * PAGE], got[3 * PAGE];
	struct gpu *g = gpu_create(NULL, NULL, NULL);
	size_t n;
	gpu_alloc(g, 1, "a");
	const uint64_t r = gpu_reserve(g, 4 * PAGE, PAGE, "r"), other = gpu_reserve(g, PAGE, 0, "other");
	assert_int_equal(r, HEAP + PAGE);
	assert_int_equal(other, r + 4 * PAGE);
	assert_int_equal(gpu_reserve(g, UINT64_MAX / 2, 0, "too much"), 0);
	assert_int_equal(gpu_reserve(g, 1, 3, "not a power of two"), 0);
	assert_int_equal(gpu_reserve(g, 1, UINT64_C(1) << 63, "nowhere"), 0);
	const uint64_t next = gpu_alloc(g, 1, "b");
	assert_int_equal(next, other + PAGE);
	gpu_free(g, next);
	memset(bytes, 9, sizeof bytes);
	assert_false(gpu_write(g, r, bytes, 1));
	assert_true(gpu_map(g, r + PAGE, PAGE, GPU_MAP_ON, 0));
	assert_false(gpu_write(g, r, bytes, 1));
	assert_false(gpu_write(g, r + PAGE, bytes, PAGE + 1));
	assert_true(gpu_map(g, r + 2 * PAGE, 2 * PAGE, GPU_MAP_ON, 0));
	assert_true(gpu_map(g, other, PAGE, GPU_MAP_ON, 0));
	assert_true(gpu_write(g, r + PAGE, bytes, 3 * PAGE));
	assert_false(gpu_write(g, r + 2 * PAGE, bytes, 2 * PAGE + 1)); /* into the other */
	gpu_allocations(g, &n);
	assert_int_equal(n, 5); /* a, r without and with memory, other, b */
	assert_false(gpu_free(g, r + PAGE));
	assert_false(gpu_map(g, r + 3 * PAGE, 3 * PAGE, GPU_MAP_ON, 0)); /* beyond the last */
	assert_false(gpu_map(g, HEAP, 1, GPU_MAP_ON, 0));
	/* kept, and not kept */
	assert_true(gpu_map(g, r + 2 * PAGE, PAGE, GPU_MAP_OFF, 0));
	assert_false(gpu_read(g, r + 2 * PAGE, got, 1));
	assert_true(gpu_read(g, r + 3 * PAGE, got, PAGE));
	assert_true(gpu_map(g, r + 2 * PAGE, PAGE, GPU_MAP_ON, 0));
	assert_true(gpu_map(g, r + PAGE, PAGE, GPU_MAP_EMPTY, 0));
	assert_true(gpu_map(g, r + PAGE, PAGE, GPU_MAP_ON, 0));
	assert_true(gpu_read(g, r + PAGE, got, 3 * PAGE));
	assert_int_equal(got[0], 0);
	assert_int_equal(got[PAGE - 1], 0);
	assert_memory_equal(got + PAGE, bytes, 2 * PAGE);
	/* only a whole one that has none */
	assert_false(gpu_unreserve(g, r));
	assert_true(gpu_map(g, r, 4 * PAGE, GPU_MAP_EMPTY, 0));
	assert_false(gpu_unreserve(g, r + PAGE));
	assert_true(gpu_unreserve(g, r));
	assert_false(gpu_unreserve(g, r));
	assert_false(gpu_map(g, r, PAGE, GPU_MAP_ON, 0));
	gpu_allocations(g, &n);
	assert_int_equal(n, 4);
	gpu_destroy(g);
}

/* Parts of a range that are memory of another part: whoever uses them gets there, piece by piece, with the access that this address has. */
static void aliases(void **state)
{
	(void)state;
	enum { PAGE = 4096 };
	char bytes[2 * PAGE], got[2 * PAGE];
	struct gpu *g = gpu_create(NULL, NULL, NULL);
	struct exec_window w;
	uint64_t at;
	size_t n;
	const uint64_t r = gpu_reserve(g, 4 * PAGE, PAGE, "r"), q = gpu_reserve(g, 2 * PAGE, PAGE, "q");
	for (unsigned k = 0; k < sizeof bytes; k++)
		bytes[k] = (char)(k * 7);
	assert_false(gpu_map(g, r + 2 * PAGE, PAGE, GPU_MAP_ALIAS, r)); /* nothing is there */
	assert_true(gpu_map(g, r, 2 * PAGE, GPU_MAP_ON, 0));
	assert_false(gpu_map(g, r + 2 * PAGE, 2 * PAGE, GPU_MAP_ALIAS, r + PAGE)); /* not all of it */
	assert_int_equal(gpu_aliases_changed(g), 0);
	assert_true(gpu_map(g, r + 2 * PAGE, 2 * PAGE, GPU_MAP_ALIAS, r));
	assert_true(gpu_map(g, q, PAGE, GPU_MAP_ALIAS_READ, r + PAGE));
	assert_int_equal(gpu_device_address(g, r + 2 * PAGE + 5), r + 5);
	assert_int_equal(gpu_device_address(g, q + PAGE - 1), r + 2 * PAGE - 1);
	assert_int_equal(gpu_device_address(g, q + PAGE), q + PAGE);
	assert_int_equal(gpu_device_address(g, r), r);
	/* over the end of the first into the second, which begins where the first does */
	assert_true(gpu_write(g, r + PAGE, bytes, sizeof bytes));
	assert_true(gpu_read(g, r, got, sizeof got));
	assert_memory_equal(got, bytes + PAGE, PAGE);
	assert_memory_equal(got + PAGE, bytes, PAGE);
	assert_true(gpu_read(g, r + 2 * PAGE, got, sizeof got));
	assert_memory_equal(got, bytes + PAGE, PAGE);
	assert_false(gpu_read(g, r + 3 * PAGE, got, sizeof got)); /* into the other range */
	assert_false(gpu_read(g, q, got, PAGE + 1));
	assert_int_equal(gpu_memory_from(g, r + PAGE + 1), 3 * PAGE - 1);
	assert_int_equal(gpu_memory_from(g, q + 1), PAGE - 1);
	assert_int_equal(gpu_memory_from(g, q + PAGE), 0);
	/* kernels */
	assert_false(gpu_find_allocation(g, 0, r + 2 * PAGE, 4, &w));
	assert_true(gpu_elsewhere(g, 0, r + 3 * PAGE, true, &w, &at));
	assert_true(w.first == r + 2 * PAGE && w.end == r + 4 * PAGE && at == r);
	assert_false(gpu_elsewhere(g, 1, r + 3 * PAGE, false, &w, &at)); /* another context's */
	assert_false(gpu_elsewhere(g, 0, q, true, &w, &at));
	assert_true(gpu_elsewhere(g, 0, q, false, &w, &at));
	assert_false(gpu_elsewhere(g, 0, q + PAGE, false, &w, &at));
	/* in parts, which are one again when they are alike */
	gpu_allocations(g, &n);
	assert_int_equal(n, 4);
	assert_true(gpu_map(g, r + 3 * PAGE, PAGE, GPU_MAP_ALIAS_READ, r + PAGE));
	gpu_allocations(g, &n);
	assert_int_equal(n, 5);
	assert_int_equal(gpu_device_address(g, r + 3 * PAGE + 1), r + PAGE + 1);
	assert_true(gpu_map(g, r + 3 * PAGE, PAGE, GPU_MAP_ALIAS, r + PAGE));
	gpu_allocations(g, &n);
	assert_int_equal(n, 4);
	assert_true(gpu_map(g, r + 3 * PAGE, PAGE, GPU_MAP_ALIAS, r));
	gpu_allocations(g, &n);
	assert_int_equal(n, 5); /* next to each other, but not what they stand for */
	/* memory of its own again */
	assert_true(gpu_map(g, r + 2 * PAGE, 2 * PAGE, GPU_MAP_ON, 0));
	assert_true(gpu_read(g, r + 2 * PAGE, got, 1));
	assert_int_equal(got[0], 0);
	assert_false(gpu_unreserve(g, q));
	assert_true(gpu_map(g, q, PAGE, GPU_MAP_EMPTY, 0));
	assert_true(gpu_unreserve(g, q));
	gpu_destroy(g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_in_order),
		cmocka_unit_test(copies_stay_inside),
		cmocka_unit_test(freed_memory_stays_freed),
		cmocka_unit_test(freed_memory_is_bounded),
		cmocka_unit_test(nearest_allocation),
		cmocka_unit_test(reuse_at_the_end),
		cmocka_unit_test(kernels_are_bounded_too),
		cmocka_unit_test(module_variables),
		cmocka_unit_test(guards_belong_to_nobody),
		cmocka_unit_test(reuse_with_guards),
		cmocka_unit_test(reset_keeps_what_the_host_allocated),
		cmocka_unit_test(copies_are_fetched),
		cmocka_unit_test(known_to_the_host),
		cmocka_unit_test(ranges),
		cmocka_unit_test(aliases),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
