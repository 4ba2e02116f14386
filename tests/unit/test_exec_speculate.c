/* Running a warp aside at any instruction leaves no trace: the machine's digest is the same, and kernels compute what they compute without it,
 * whatever they call, store, and exchange. */
#include "command/setup/buffers.h"
#include "test_debug_fixture.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/files.h"
#include "exec/speculate.h"
#include "gpu/gpu.h"

#define FOLDER "../differential/"
#define WORDS 1000u
#define ONE_IN 101u   /* instructions after which a warp is run aside */
#define STEPS_MOST 200u

/* Figures of all that was run aside. */
struct figures {
	uint64_t asides, steps, changes;
};

static void run_aside(struct gpu *g, uint32_t slot, uint32_t warp, struct figures *n)
{
	struct exec *x = gpu_exec(g);
	struct exec_cta *c = gpu_cta(g, slot);
	struct gpu_launch_info l;
	gpu_launch_get(g, c->launch, &l);
	exec_enter(x, &l.launch);
	const uint64_t stores = x->n_stores;
	struct exec_speculation *a = exec_speculation_begin(x, c, warp);
	uint32_t steps = 0;
	while (steps < STEPS_MOST && exec_speculation_may_step(a) && exec_speculation_step(a))
		steps++;
	n->changes += x->n_stores - stores;
	exec_speculation_end(a);
	x->launch = NULL;
	n->steps += steps;
	n->asides++;
}

/* Runs what was launched to its end. aside: from time to time the next warp is run aside before. */
static void run(struct gpu *g, bool aside, struct figures *n)
{
	for (uint64_t k = 1;; k++) {
		uint32_t slot, warp;
		struct gpu_event ev = {0};
		const struct gpu_request r = {.max_cycles = aside ? 1 : UINT64_MAX};
		gpu_run(g, &r, &ev);
		const enum gpu_event_kind kind = ev.kind;
		text_free(&ev.text);
		if (kind == GPU_EVENT_IDLE)
			return;
		assert_true(kind == GPU_EVENT_CYCLES || kind == GPU_EVENT_KERNEL_DONE);
		if (!aside || k % ONE_IN || !gpu_next_warp(g, &slot, &warp))
			continue;
		run_aside(g, slot, warp, n);
		if (n->asides % 256)
			continue;
		const uint64_t digest = arena_digest(gpu_arena(g)); /* after the first time: only that may have raised a high-water mark */
		run_aside(g, slot, warp, n);
		assert_int_equal(arena_digest(gpu_arena(g)), digest);
	}
}

static void compute(struct fixture *f, const struct isa_function *k, uint32_t in, bool aside, uint32_t out[WORDS], struct figures *n)
{
	char words[256];
	uint64_t at = 0;
	snprintf(words, sizeof words, "in u32[1000] = random %u", in);
	says(f, command_buffer, words);
	says(f, command_buffer, "out u32[1000] = zero");
	snprintf(words, sizeof words, "%s<<<8, 128, 1024>>>(out, in, 1000)", k->name);
	runs(f, command_launch_kernel, words);
	run(debug_gpu(f->d), aside, n);
	size_t count;
	const struct gpu_allocation *a = gpu_allocations(debug_gpu(f->d), &count);
	for (size_t i = 0; i < count; i++)
		at = a[i].live && !strcmp(a[i].name, "out") ? a[i].address : at;
	assert_true(gpu_read(debug_gpu(f->d), at, out, WORDS * sizeof *out));
}

/* All kernels of the file, which take (u32 *out, const u32 *in, u32 n). */
static void check_file(const char *file)
{
	char path[128];
	struct fixture f;
	size_t bytes;
	struct figures n = {0};
	snprintf(path, sizeof path, FOLDER "%s", file);
	char *ptx = files_read(NULL, path, FILES_READ, 1 << 24, &bytes);
	assert_non_null(ptx);
	fixture_begin(&f, file, ptx);
	const struct isa_program *p = gpu_program(debug_gpu(f.d));
	for (uint32_t i = 0; i < p->n_functions; i++) {
		uint32_t plain[WORDS], got[WORDS];
		const struct isa_function *k = p->functions[i];
		if (!k->is_kernel)
			continue;
		compute(&f, k, i + 1, false, plain, &n);
		compute(&f, k, i + 1, true, got, &n);
		for (uint32_t w = 0; w < WORDS; w++)
			if (plain[w] != got[w])
				fail_msg("%s %s: word %u is 0x%x, not 0x%x", file, k->name, w, got[w], plain[w]);
	}
	assert_true(n.asides > 100);
	assert_true(n.steps > 10 * n.asides);
	assert_true(n.changes > 100);
	fixture_end(&f);
	free(ptx);
}

static void leaves_no_trace(void **state)
{
	(void)state;
	check_file("programs-sm75.ptx");
	check_file("programs-G.ptx");
	check_file("kernels-clang-sm70-O0.ptx");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(leaves_no_trace),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
