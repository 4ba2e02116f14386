/* Figures of single lines of PTX (-enable_ptx_file_line_stats), and the histograms made of them (-gpgpu_ptx_instruction_classification). */
#include <stdlib.h>

#include "gpu/statistics/statistics.h"
#include "statistics_machine.h"

/* The numbers behind "FILE LINE : ", NULL: there is no such line. */
static const char *line_of(const char *all, const char *place)
{
	const char *at = strstr(all, place);
	return at ? at + strlen(place) : NULL;
}

/* 30 blocks of 4 warps. A lane goes round the loop (tid & 7) times: the test runs once more, and the branch parts each warp seven times, as
 * the lanes that have no rounds left leave those with more. */
static void test_lines(void **state)
{
	(void)state;
	struct machine m;
	begin(&m, "fermi-gtx480", "-enable_ptx_file_line_stats 1");
	load_recorded(&m, "diverge", ZEROS);
	launch(&m, "k<<<30, 128>>>(p)");
	const char *s = says(&m.f, statistics_answer, "--lines");
	unsigned long count, divergences, v[5];
	assert_int_equal(strncmp(s,
				 "kernel line : count latency dram_traffic smem_bk_conflicts smem_warp "
				 "gmem_access_generated gmem_warp "
				 "exposed_latency warp_divergence\n",
				 121),
			 0);
	const char *test = line_of(s, "diverge.ptx 14 : "), *mul = line_of(s, "diverge.ptx 15 : ");
	assert_non_null(test);
	assert_int_equal(sscanf(test, "%lu %lu 0 0 0 0 0 0 %lu \n", &count, &v[0], &divergences), 3);
	assert_int_equal(count, 30 * 128 / 8 * (1 + 2 + 3 + 4 + 5 + 6 + 7 + 8));
	assert_int_equal(divergences, 30 * 4 * 7);
	assert_non_null(mul);
	assert_int_equal(strtoul(mul, NULL, 10), 30 * 128 / 8 * (1 + 2 + 3 + 4 + 5 + 6 + 7));
	assert_string_equal(says(&m.f, statistics_answer, "reset"), "");
	assert_null(strchr(strchr(says(&m.f, statistics_answer, "--lines"), '\n') + 1, '\n'));
	end(&m);
}

/* -gpgpu_ptx_instruction_classification: both histograms as GPGPU-Sim 3.2.2 prints them for the launch. */
static void test_classes(void **state)
{
	(void)state;
	static const char wanted[] =
		"Stats for Kernel -1 Classification\n\n"
		"Min 0.000000 Max 15.000000 Average 4.695652 \n"
		"[ 128 896 128 384 0 768 0 0 0 0 384 0 0 0 0 256 0 0 0 0 ]\n"
		"Stats for Kernel -1 OP Classification\n\n"
		"Min 1.000000 Max 66.000000 Average 32.888889 \n"
		"[ 0 256 0 0 0 0 0 128 0 0 0 128 0 0 0 0 0 0 0 0 0 0 0 0 128 0 0 384 0 0 0 128 0 0 128 0 384 0 128 0 "
		"0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 128 0 0 0 0 0 0 0 384 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
		"0 0 0 0 0 0 0 0 0 0 0 0 ]\n";
	struct machine m;
	begin(&m, "fermi-gtx480", "-gpgpu_ptx_instruction_classification 1");
	load_recorded(&m, "early_exit", NUMBERS);
	launch(&m, "k<<<2, 64>>>(p)");
	HAS(says(&m.f, statistics_answer, "instruction_classes"), wanted);
	end(&m);
}

/* A line's eight figures after 30 blocks of 128 threads; the eighth of nine is 0. */
static void figures_of(const char *kernel, const char *place, unsigned long v[8])
{
	struct machine m;
	begin(&m, "fermi-gtx480", "-enable_ptx_file_line_stats 1");
	load_recorded(&m, kernel, ZEROS);
	launch(&m, "k<<<30, 128>>>(p)");
	const char *figures = line_of(says(&m.f, statistics_answer, "--lines"), place);
	assert_non_null(figures);
	assert_int_equal(sscanf(figures, "%lu %lu %lu %lu %lu %lu %lu 0 %lu", v, v + 1, v + 2, v + 3, v + 4, v + 5,
				v + 6, v + 7),
			 8);
	end(&m);
}

/* Four rounds; a lane's word is 16 bytes from the next: lanes 8 apart share a bank, four cycles for a warp. */
static void test_lines_shared(void **state)
{
	(void)state;
	unsigned long v[8];
	figures_of("shared", "shared.ptx 14 : ", v);
	assert_int_equal(v[0], 30 * 128 * 4);
	assert_int_equal(v[2], 0);
	assert_int_equal(v[3], 30 * 4 * 4 * 4);
	assert_int_equal(v[4], 30 * 4 * 4);
}

/* The transactions and what they fetched from DRAM: each line of 128 bytes once. */
static void test_lines_global(void **state)
{
	(void)state;
	unsigned long v[8];
	figures_of("stream", "stream.ptx 16 : ", v);
	assert_int_equal(v[0], 30 * 128);
	assert_int_equal(v[2], 30 * 128 * 4);
	assert_int_equal(v[5], 30 * 4);
	assert_int_equal(v[6], 30 * 4);
}

/* The same counts are there without an option, in both modes and however the run is cut. A warp issues the loop's test 8 times; its lanes
 * are together or fewer and fewer. */
static void test_counts(void **state)
{
	(void)state;
	static const struct {
		bool performance, steps;
	} ways[] = {{true, false}, {true, true}, {false, false}, {false, true}};
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		struct machine m;
		struct exec_count n[64];
		begin(&m, "fermi-gtx480", "");
		if (!ways[i].performance) {
			end(&m);
			fixture_begin(&m.f, "", NULL);
		}
		load_recorded(&m, "diverge", ZEROS);
		HAS(runs(&m.f, command_launch_kernel, "k<<<30, 128>>>(p)"), "focus");
		while (debug_can_run(m.f.d))
			runs(&m.f, ways[i].steps ? command_step : command_continue, ways[i].steps ? "37" : "");
		const struct isa_program *p = gpu_program(debug_gpu(m.f.d));
		assert_true(p->n_insns <= 64);
		exec_counts(gpu_exec(debug_gpu(m.f.d)), 0, p->n_insns, n);
		for (uint32_t pc = 0; pc < p->n_insns; pc++) {
			if (p->where[pc].line == 14) {
				assert_int_equal(n[pc].lanes, 30 * 128 / 8 * (1 + 2 + 3 + 4 + 5 + 6 + 7 + 8));
				assert_int_equal(n[pc].warps, 30 * 4 * 8);
			}
			if (p->where[pc].line == 15)
				assert_int_equal(n[pc].lanes, 30 * 128 / 8 * (1 + 2 + 3 + 4 + 5 + 6 + 7));
			assert_int_equal(n[pc].cycles != 0, ways[i].performance && n[pc].warps);
		}
		assert_string_equal(says(&m.f, statistics_answer, "reset"), "");
		exec_counts(gpu_exec(debug_gpu(m.f.d)), 3, 4, n);
		assert_int_equal(n[0].warps + n[0].lanes + n[0].cycles, 0);
		ways[i].performance ? end(&m) : fixture_end(&m.f);
	}
}

static void test_lines_not_kept(void **state)
{
	(void)state;
	struct machine m;
	begin(&m, "fermi-gtx480", "");
	SAYS(&m.f, statistics_answer, "--lines",
	     "error: no figures of lines are kept (performance mode, -enable_ptx_file_line_stats 1)");
	assert_null(gpu_statistics_lines_file(debug_gpu(m.f.d)));
	end(&m);
	begin(&m, "fermi-gtx480", "-ptx_line_stats_filename lines.txt");
	assert_string_equal(gpu_statistics_lines_file(debug_gpu(m.f.d)), "lines.txt");
	end(&m);
	begin(&m, "fermi-gtx480", "-enable_ptx_file_line_stats 1");
	assert_string_equal(gpu_statistics_lines_file(debug_gpu(m.f.d)), "gpgpu_inst_stats.txt");
	end(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),	     cmocka_unit_test(test_lines_shared),
		cmocka_unit_test(test_lines_global), cmocka_unit_test(test_lines_not_kept),
		cmocka_unit_test(test_classes),	     cmocka_unit_test(test_counts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
