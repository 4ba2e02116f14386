/* Whole kernels on each build of the lane code the host can run: the same digest of everything the machine has, after every kernel.
 * (test_differential.sh compares what the same kernels compute with the host's compiler; the digest covers registers, masks, local
 * and shared memory too.) */
#include "command/setup/buffers.h"
#include "test_debug_fixture.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/files.h"
#include "exec/exec.h"

#define FOLDER "../differential/"
#define MAX_KERNELS 32

#if defined(__x86_64__)
static const char *const levels[] = {"v2", "v3", "v4"};
#else
static const char *const levels[] = {"generic"};
#endif

struct digests {
	uint64_t after[MAX_KERNELS];
	unsigned n;
};

static void begin(struct fixture *f, const char *level)
{
	struct diag_list diags = {0};
	memset(f, 0, sizeof *f);
	f->config = config_create();
	assert_true(config_finish(f->config, &diags));
	diag_list_free(&diags);
	struct gpu *g = gpu_create(f->config, level, NULL);
	assert_non_null(g);
	f->d = debug_create(g, &(struct debug_host){.self = f, .output = fixture_output});
	command_attach(f->d);
}

/* All kernels of the file, which take (u32 *out, const u32 *in, u32 n) and blocks of 128 threads. */
static void run_all(const char *file, const char *ptx, const char *level, struct digests *r)
{
	struct fixture f;
	char words[256];
	begin(&f, level);
	fixture_load(&f, file, ptx);
	const struct isa_program *p = gpu_program(debug_gpu(f.d));
	r->n = 0;
	for (uint32_t i = 0; i < p->n_functions && r->n < MAX_KERNELS; i++) {
		const struct isa_function *k = p->functions[i];
		if (!k->is_kernel)
			continue;
		snprintf(words, sizeof words, "in u32[1000] = random %u", i + 1);
		says(&f, command_buffer, words);
		says(&f, command_buffer, "out u32[1000] = zero");
		snprintf(words, sizeof words, "%s<<<8, 128, 1024>>>(out, in, 1000)", k->name);
		HAS(runs(&f, command_run_kernel, words), "finished");
		r->after[r->n++] = arena_digest(gpu_arena(debug_gpu(f.d)));
	}
	fixture_end(&f);
}

static void check_file(const char *file)
{
	char path[128];
	snprintf(path, sizeof path, FOLDER "%s", file);
	size_t n;
	char *ptx = files_read(NULL, path, FILES_READ, 1 << 24, &n);
	assert_non_null(ptx);
	struct digests first = {0}, other = {0};
	run_all(file, ptx, levels[0], &first);
	assert_int_equal(first.n, 21);
	for (unsigned k = 1; k < first.n; k++)
		assert_true(first.after[k] != first.after[k - 1]);
	for (size_t k = 1; k < sizeof levels / sizeof levels[0]; k++) {
		if (!exec_level_runs(levels[k]))
			continue;
		run_all(file, ptx, levels[k], &other);
		assert_int_equal(other.n, first.n);
		for (unsigned i = 0; i < first.n; i++)
			if (other.after[i] != first.after[i])
				fail_msg("%s: %s's digest differs from v2's after kernel %u", file, levels[k], i);
	}
	free(ptx);
}

static void kernels_of_nvcc(void **state)
{
	(void)state;
	check_file("kernels.ptx");
	check_file("programs-sm75.ptx");
	check_file("programs-sm100.ptx");
	check_file("programs-G.ptx");
}

static void kernels_of_clang(void **state)
{
	(void)state;
	check_file("kernels-clang-sm52.ptx");
	check_file("kernels-clang-sm70-O0.ptx");
}

/* What the processor can do says the kernel as well. */
static void levels_are_the_processors(void **state)
{
	(void)state;
	FILE *f = fopen("/proc/cpuinfo", "r");
	char line[8192] = "";
	while (f && fgets(line, sizeof line, f) && strncmp(line, "flags", 5))
		;
	if (f)
		fclose(f);
	if (strncmp(line, "flags", 5)) {
		print_message("SKIPPED: /proc/cpuinfo has no flags of an x86 processor to compare with\n");
		skip();
	}
	assert_int_equal(exec_level_runs("v3"), strstr(line, " avx2 ") && strstr(line, " bmi2 ") && strstr(line, " fma "));
	assert_int_equal(exec_level_runs("v4"), exec_level_runs("v3") && strstr(line, " avx512f ") && strstr(line, " avx512bw ") &&
							strstr(line, " avx512cd ") && strstr(line, " avx512dq ") && strstr(line, " avx512vl "));
	assert_false(exec_level_runs("v5"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(levels_are_the_processors),
		cmocka_unit_test(kernels_of_nvcc),
		cmocka_unit_test(kernels_of_clang),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
