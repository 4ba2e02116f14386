/* Switching between the ways of a warp at any instruction: kernels without races compute the same as with reconvergence at the post-dominator,
 * whatever they call, and wherever their lanes meet. */
#include "command/setup/buffers.h"
#include "test_debug_fixture.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/files.h"
#include "exec/exec.h"
#include "gpu/gpu.h"

#define FOLDER "../differential/"
#define WORDS 1000u
#define ONE_IN 4u /* instructions after which a warp switches */

static uint32_t next_random(uint64_t *seed)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(*seed >> 33);
}

/* Runs what was launched to its end. With a seed, a warp that is diverged often switches to another way. Returns the number of switches. */
static uint64_t run_switching(struct gpu *g, uint64_t seed)
{
	uint64_t switches = 0;
	for (;;) {
		uint32_t slot, warp;
		struct gpu_event ev = {0};
		const struct gpu_request r = {.max_cycles = seed ? 1 : UINT64_MAX};
		const bool runs = gpu_next_warp(g, &slot, &warp);
		gpu_run(g, &r, &ev);
		const enum gpu_event_kind kind = ev.kind;
		text_free(&ev.text);
		if (kind == GPU_EVENT_IDLE)
			return switches;
		assert_true(kind == GPU_EVENT_CYCLES || kind == GPU_EVENT_KERNEL_DONE);
		if (!seed || !runs || kind != GPU_EVENT_CYCLES || next_random(&seed) % ONE_IN)
			continue;
		struct exec_cta *c = gpu_cta(g, slot);
		struct exec_ways ways = {0};
		if (!c || !c->used || c->warp[warp].state != EXEC_WARP_RUNNABLE)
			continue;
		switches += exec_switch_way(gpu_exec(g), c, warp, &ways, next_random(&seed) | 1, 0);
	}
}

static void compute(struct fixture *f, const struct isa_function *k, uint32_t in, uint64_t seed, uint32_t out[WORDS], uint64_t *switches)
{
	char words[256];
	uint64_t at = 0;
	snprintf(words, sizeof words, "in u32[1000] = random %u", in);
	says(f, command_buffer, words);
	says(f, command_buffer, "out u32[1000] = zero");
	snprintf(words, sizeof words, "%s<<<8, 128, 1024>>>(out, in, 1000)", k->name);
	runs(f, command_launch_kernel, words);
	*switches += run_switching(debug_gpu(f->d), seed);
	size_t n;
	const struct gpu_allocation *a = gpu_allocations(debug_gpu(f->d), &n);
	for (size_t i = 0; i < n; i++)
		at = a[i].live && !strcmp(a[i].name, "out") ? a[i].address : at;
	assert_true(gpu_read(debug_gpu(f->d), at, out, WORDS * sizeof *out));
}

static bool is_among(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (strstr(name, *names))
			return true;
	return false;
}

/* All kernels of the file but `excluded`, which take (u32 *out, const u32 *in, u32 n). */
static void check_file(const char *file, const char *const *excluded)
{
	char path[128];
	struct fixture f;
	size_t n;
	uint64_t switches = 0;
	snprintf(path, sizeof path, FOLDER "%s", file);
	char *ptx = files_read(NULL, path, FILES_READ, 1 << 24, &n);
	assert_non_null(ptx);
	fixture_begin(&f, file, ptx);
	const struct isa_program *p = gpu_program(debug_gpu(f.d));
	for (uint32_t i = 0; i < p->n_functions; i++) {
		uint32_t plain[WORDS], switched[WORDS];
		const struct isa_function *k = p->functions[i];
		if (!k->is_kernel || is_among(k->name, excluded))
			continue;
		compute(&f, k, i + 1, 0, plain, &switches);
		for (uint64_t seed = 1; seed <= 3; seed++) {
			compute(&f, k, i + 1, seed, switched, &switches);
			for (uint32_t w = 0; w < WORDS; w++)
				if (plain[w] != switched[w])
					fail_msg("%s %s, seed %u: word %u is 0x%x, not 0x%x", file, k->name, (unsigned)seed, w, switched[w], plain[w]);
		}
	}
	assert_true(switches > 1000);
	fixture_end(&f);
	free(ptx);
}

static void kernels_compute_the_same(void **state)
{
	static const char *const none[] = {NULL};
	(void)state;
	check_file("programs-sm75.ptx", none);
	check_file("programs-G.ptx", none);
	check_file("kernels.ptx", none);
	check_file("kernels-clang-sm70-O0.ptx", none);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernels_compute_the_same),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
