/* Random kernels (random_kernel.h), the same ones in every run: performance mode leaves in memory what functional mode does, on machines of
 * different kinds and with different schedulers; nothing is lost or counted twice; and that idle cores sleep changes nothing. */
#include <stdio.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "command/setup/buffers.h"
#include "debug/findings/findings.h"
#include "machine_laws.h"
#include "random_kernel.h"
#include "statistics_machine.h"

#define SEEDS 24u

static const char *launch_of(unsigned seed)
{
	static const char *const launches[] = {"k<<<1, 32>>>(p)", "k<<<7, 64>>>(p)", "k<<<3, 57>>>(p)", "k<<<5, 33>>>(p)", "k<<<2, 64>>>(p)", "k<<<4, 1>>>(p)"};
	return launches[seed % 6];
}

static void run_kernel(struct fixture *f, const struct random_kernel *k, unsigned seed, uint32_t *memory)
{
	fixture_load(f, "random.ptx", text_str(&k->ptx));
	assert_string_equal(says(f, command_buffer, "p u32[16384] = random 7"), "");
	runs(f, command_launch_kernel, launch_of(seed));
	while (debug_can_run(f->d))
		runs(f, command_continue, "");
	if (f->stop.reason != DEBUG_STOP_KERNEL_DONE)
		fail_msg("seed %u: %s\n%s", seed, text_str(&f->out), text_str(&k->ptx));
	assert_true(gpu_read(debug_gpu(f->d), debug_buffer_find(f->d, "p", 1)->address, memory, RK_WORDS * sizeof *memory));
}

static void same_memory(const struct random_kernel *k, unsigned seed, const uint32_t *want, const uint32_t *got)
{
	for (uint32_t w = 0; w < RK_WORDS; w++)
		if (want[w] != got[w])
			fail_msg("seed %u: word %u is 0x%x, in functional mode 0x%x\n%s", seed, w, got[w], want[w], text_str(&k->ptx));
}

static void functional(const struct random_kernel *k, unsigned seed, uint32_t *memory)
{
	struct fixture f;
	fixture_begin(&f, NULL, NULL);
	run_kernel(&f, k, seed, memory);
	fixture_end(&f);
}

static void all_seeds(const char *config, const char *option)
{
	uint32_t *want = xcalloc(RK_WORDS, sizeof *want), *got = xcalloc(RK_WORDS, sizeof *got);
	for (unsigned seed = 1; seed <= SEEDS; seed++) {
		struct random_kernel k;
		struct machine m;
		random_kernel_make(&k, seed);
		functional(&k, seed, want);
		begin(&m, config, option);
		run_kernel(&m.f, &k, seed, got);
		same_memory(&k, seed, want, got);
		if (!gpu_timing(debug_gpu(m.f.d))->cfg->core.rules.ack_per_sector) { /* 4.x acknowledges each sector, and looks for a constant's at one address */
			machine_is_empty(debug_gpu(m.f.d));
			machine_counts_agree(debug_gpu(m.f.d));
		}
		end(&m);
		text_free(&k.ptx);
	}
	free(want);
	free(got);
}

static void no_findings(struct fixture *f, const struct random_kernel *k, unsigned seed)
{
	struct text why = {0};
	if (debug_check(f->d, "all", false, &why), debug_finding_errors(f->d)) {
		debug_findings_summary(f->d, &why);
		fail_msg("seed %u: %s\n%s", seed, text_str(&why), text_str(&k->ptx));
	}
	text_free(&why);
}

static void check_all(struct fixture *f)
{
	struct text why = {0};
	assert_true(debug_check(f->d, "memory,race,sync", true, &why));
}

/* They have no mistakes, and being looked at changes nothing. */
static void checkers(void **state)
{
	uint32_t *want = xcalloc(RK_WORDS, sizeof *want), *got = xcalloc(RK_WORDS, sizeof *got);
	(void)state;
	for (unsigned seed = 1; seed <= SEEDS; seed++) {
		struct random_kernel k;
		struct fixture f;
		struct machine m;
		random_kernel_make(&k, seed);
		functional(&k, seed, want);
		fixture_begin(&f, NULL, NULL);
		check_all(&f);
		run_kernel(&f, &k, seed, got);
		no_findings(&f, &k, seed);
		same_memory(&k, seed, want, got);
		fixture_end(&f);
		begin(&m, "tiny", "");
		check_all(&m.f);
		run_kernel(&m.f, &k, seed, got);
		no_findings(&m.f, &k, seed);
		same_memory(&k, seed, want, got);
		end(&m);
		text_free(&k.ptx);
	}
	free(want);
	free(got);
}

static void fermi(void **state)
{
	(void)state;
	all_seeds("fermi-gtx480", "");
}

static void fermi_two_levels(void **state)
{
	(void)state;
	all_seeds("fermi-gtx480", "-gpgpu_scheduler two_level_active:2:0:1");
}

static void gt200(void **state)
{
	(void)state;
	all_seeds("gt200-quadrofx5800", "");
}

static void teaching(void **state)
{
	(void)state;
	all_seeds("tiny", "");
	all_seeds("duo", "");
}

static void teaching_without_l2(void **state)
{
	(void)state;
	all_seeds("tiny", "-gpgpu_cache:dl2_texture_only 1");
}

static void v42(void **state)
{
	(void)state;
	all_seeds("v42-gtx480", "");
}

static void sleeping_changes_nothing(void **state)
{
	(void)state;
	static const char *const options[] = {"-gpgpu_idle_skip 1", "-gpgpu_idle_skip 0"};
	uint32_t *memory = xcalloc(RK_WORDS, sizeof *memory);
	for (unsigned seed = 1; seed <= SEEDS; seed += 3) {
		struct text printed[2] = {{0}};
		struct random_kernel k;
		random_kernel_make(&k, seed);
		for (unsigned i = 0; i < 2; i++) {
			struct machine m;
			begin(&m, "fermi-gtx480", options[i]);
			run_kernel(&m.f, &k, seed, memory);
			gpu_statistics_print(debug_gpu(m.f.d), &printed[i]);
			end(&m);
		}
		assert_string_equal(text_str(&printed[0]), text_str(&printed[1]));
		text_free(&printed[0]);
		text_free(&printed[1]);
		text_free(&k.ptx);
	}
	free(memory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(checkers), cmocka_unit_test(fermi),    cmocka_unit_test(fermi_two_levels),	   cmocka_unit_test(gt200), cmocka_unit_test(teaching),
		cmocka_unit_test(teaching_without_l2), cmocka_unit_test(v42), cmocka_unit_test(sleeping_changes_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
