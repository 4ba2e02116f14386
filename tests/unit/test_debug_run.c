/* Run control, breakpoints, watchpoints, stops. Texts: docs/manual/running.md, stopping.md. Cycles are counted by hand: one a warp
 * instruction, warps in index order. */
#include <stdio.h>

#include "command/setup/buffers.h"
#include "command/show/focus_commands.h"
#include "command/info.h"
#include "command/stop/stop_commands.h"
#include "base/arena.h"
#include "test_debug_fixture.h"

/* lines:  1 .version, 5 .func body, 12 the kernel's first instruction */
static const char program[] =
	".version 7.0\n.target sm_70\n.address_size 64\n"
	".func (.reg .u32 r) twice (.reg .u32 x)\n"	    /* 4 */
	"{\n\tadd.u32 r, x, x;\n\tret;\n}\n"		    /* 5-8: pc 0x0, 0x8 */
	".visible .entry k(.param .u64 A, .param .u32 n)\n" /* 9 */
	"{\n\t.reg .b32 %r<9>;\n\t.reg .pred %p<2>;\n\t.reg .b64 %rd<4>;\n\t.shared .u32 tile[64];\n" /* 10-14 */
	"\tld.param.u64 %rd1, [A];\n"								      /* 15 pc 0x10 */
	"\tmov.u32 %r1, %tid.x;\n"								      /* 16 0x18 */
	"\tmov.u32 %r2, %ctaid.x;\n"								      /* 17 0x20 */
	"\tmad.lo.u32 %r3, %r2, 64, %r1;\n"							      /* 18 0x28 */
	"\tsetp.lt.u32 %p1, %r1, 16;\n"								      /* 19 0x30 */
	"\t@%p1 bra LOW;\n"									      /* 20 0x38 */
	"\tmov.u32 %r4, 100;\n"									      /* 21 0x40 */
	"\tbra.uni JOIN;\n"									      /* 22 0x48 */
	"LOW:\n"										      /* 23 */
	"\tmov.u32 %r4, 200;\n"									      /* 24 0x50 */
	"JOIN:\n"										      /* 25 */
	"\tbar.sync 0;\n"									      /* 26 0x58 */
	"\tcall.uni (%r5), twice, (%r4);\n"							      /* 27 0x60 */
	"\tadd.u32 %r6, %r5, %r3;\n"								      /* 28 0x68 */
	"\tmul.wide.u32 %rd2, %r3, 4;\n"							      /* 29 0x70 */
	"\tadd.u64 %rd3, %rd1, %rd2;\n"								      /* 30 0x78 */
	"\tst.global.u32 [%rd3], %r6;\n"							      /* 31 0x80 */
	"\tret;\n}\n";										      /* 32 0x88 */

#define LAUNCH "k<<<2, 64>>>(A, 5)"

static struct fixture fx;

static int begin(void **state)
{
	(void)state;
	fixture_begin(&fx, "dir/run.ptx", program);
	SAYS(&fx, command_buffer, "A u32[128] = zero", "");
	return 0;
}

static int end(void **state)
{
	(void)state;
	fixture_end(&fx);
	return 0;
}

static void a_launch_stands_at_the_entry(void **state)
{
	(void)state;
	SAYS(&fx, command_focus, "", "[no focus]\n");
	RUNS(&fx, command_continue, "", "error: nothing is running: launch a kernel first");
	RUNS(&fx, command_launch_kernel, LAUNCH,
	     "Kernel 0 k launched\n"
	     "[focus: kernel 0 k, block (0,0,0), thread (0,0,0), uid 1 | core 0, warp 0, lane 0 | cycle 0]\n"
	     "15\t\tld.param.u64 %rd1, [A];\n");
	RUNS(&fx, command_continue, "", "Kernel 0 k finished\n[no focus]\n");
	assert_int_equal(fx.stop.reason, DEBUG_STOP_KERNEL_DONE);
	/* thread 20 of block 1: 2 * 100 + 84 */
	SAYS(&fx, command_print, "A[84]", "$1 = 284\n");
	SAYS(&fx, command_print, "A[15..16]", "$2 = {415, 216}\n");
}

static void breakpoints_hit_once_per_warp(void **state)
{
	(void)state;
	SAYS(&fx, command_break, "k", "Breakpoint 1 at 0x10: file run.ptx, line 15.\n");
	SAYS(&fx, command_break, "run.ptx:23",
	     "Line 23 of run.ptx has no instruction; the next one that has is line 24.\n"
	     "Breakpoint 2 at 0x50: file run.ptx, line 24.\n");
	/* a fresh launch doesn't stand on its breakpoint */
	RUNS(&fx, command_run_kernel, LAUNCH,
	     "Breakpoint 1, thread uid 1 at run.ptx:15\n"
	     "[focus: kernel 0 k, block (0,0,0), thread (0,0,0), uid 1 | core 0, warp 0, lane 0 | cycle 0]\n"
	     "15\t\tld.param.u64 %rd1, [A];\n");
	/* 6 instructions; of a branch's two ways the one with the lowest lane runs first */
	RUNS(&fx, command_continue, "",
	     "Breakpoint 2, thread uid 1 at run.ptx:24\n"
	     "[focus: kernel 0 k, block (0,0,0), thread (0,0,0), uid 1 | core 0, warp 0, lane 0 | cycle 6]\n"
	     "24\t\tmov.u32 %r4, 200;\n");
	HAS(runs(&fx, command_continue, ""), "Breakpoint 1, thread uid 33 at run.ptx:15\n");
	/* warp 1 has no lane below 16; the next hit of breakpoint 1 is ignored, which doesn't concern breakpoint 2 */
	HAS(runs(&fx, command_continue, "2"), "Breakpoint 2, thread uid 65 at run.ptx:24\n");
	HAS(runs(&fx, command_continue, ""), "Breakpoint 1, thread uid 97 at run.ptx:15\n");
	HAS(says(&fx, info_breakpoints, ""), "\tbreakpoint already hit 4 times\n");
	RUNS(&fx, command_continue, "", "Kernel 0 k finished\n[no focus]\n");
}

static void filters_and_conditions(void **state)
{
	(void)state;
	SAYS(&fx, command_break, "run.ptx:26 38", "Breakpoint 1 at 0x58: file run.ptx, line 26.\n");
	SAYS(&fx, command_break, "26 thread (3,0,0) block (1,0,0)", "Breakpoint 2 at 0x58: file run.ptx, line 26.\n");
	SAYS(&fx, command_break, "JOIN if %r3 == 127", "Breakpoint 3 at 0x58: file run.ptx, line 26.\n");
	SAYS(&fx, command_tbreak, "*0x88 warp 1", "Temporary breakpoint 4 at 0x88: file run.ptx, line 32.\n");
	HAS(runs(&fx, command_run_kernel, LAUNCH),
	    "Breakpoint 1, thread uid 38 at run.ptx:26\n[focus: kernel 0 k, block (0,0,0), thread (37,0,0), uid 38 | "
	    "core 0, warp 1, lane 5 | cycle 18]\n");
	HAS(runs(&fx, command_continue, ""), "Temporary breakpoint 4, thread uid 38 at run.ptx:32\n");
	assert_true(fx.stop.temporary);
	HAS(runs(&fx, command_continue, ""), "Breakpoint 2, thread uid 68 at run.ptx:26\n");
	HAS(runs(&fx, command_continue, ""), "Breakpoint 3, thread uid 128 at run.ptx:26\n");
	RUNS(&fx, command_continue, "", "Kernel 0 k finished\n[no focus]\n");
	SAYS(&fx, info_breakpoints, "",
	     "Num     Type           Disp Enb Address            What\n"
	     "1       breakpoint     keep y   0x0000000000000058 in k at run.ptx:26\n\tstop only in thread uid "
	     "38\n\tbreakpoint already hit 1 time\n"
	     "2       breakpoint     keep y   0x0000000000000058 in k at run.ptx:26\n\tstop only in thread "
	     "(3,0,0)\n\tstop only in block (1,0,0)\n"
	     "\tbreakpoint already hit 1 time\n"
	     "3       breakpoint     keep y   0x0000000000000058 in k at run.ptx:26\n\tstop only if %r3 == "
	     "127\n\tbreakpoint already hit 1 time\n");
}

static void ignoring_disabling_deleting(void **state)
{
	(void)state;
	says(&fx, command_break, "31");
	SAYS(&fx, command_ignore, "1 2", "Will ignore next 2 crossings of breakpoint 1.\n");
	HAS(runs(&fx, command_run_kernel, LAUNCH), "Breakpoint 1, thread uid 65 at run.ptx:31\n");
	SAYS(&fx, breakpoints_disable, "1", "");
	HAS(runs(&fx, command_continue, ""), "Kernel 0 k finished\n");
	SAYS(&fx, breakpoints_enable, "", "");
	SAYS(&fx, command_condition, "1 %r1 == 50", "");
	HAS(runs(&fx, command_run_kernel, ""), "Breakpoint 1, thread uid 179 at run.ptx:31\n");
	SAYS(&fx, command_condition, "1", "Breakpoint 1 now unconditional.\n");
	SAYS(&fx, info_watchpoints, "", "No watchpoints.\n");
	SAYS(&fx, breakpoints_delete, "7", "error: No breakpoint number 7.");
	SAYS(&fx, breakpoints_delete, "1", "");
	SAYS(&fx, info_breakpoints, "", "No breakpoints, watchpoints, tracepoints, or catchpoints.\n");
	HAS(runs(&fx, command_continue, ""), "Kernel 1 k finished\n");
}

static void places_that_cannot_be(void **state)
{
	struct fixture empty;
	(void)state;
	SAYS(&fx, command_break, "other.ptx:3", "error: No source file named other.ptx.");
	SAYS(&fx, command_break, "run.ptx:99", "error: No line 99 in file \"run.ptx\".");
	SAYS(&fx, command_break, "nosuch", "error: Function \"nosuch\" not defined.");
	SAYS(&fx, command_break, "*3",
	     "error: *3 is not the pc of an instruction (pcs count 8 bytes an instruction)");
	SAYS(&fx, command_break, "k if", "error: A syntax error in expression, near `'.");
	SAYS(&fx, command_break, "k nonsense", "error: junk at the end of the arguments: nonsense");
	fixture_begin(&empty, NULL, NULL);
	SAYS(&empty, command_break, "k if %r1 == 3", "Function \"k\" not defined.\nBreakpoint 1 (k) pending.\n");
	HAS(says(&empty, info_breakpoints, ""),
	    "1       breakpoint     keep y   <PENDING>          k\n\tstop only if %r1 == 3\n");
	fixture_load(&empty, "run.ptx", program);
	assert_string_equal(text_str(&empty.out), "Breakpoint 1 at 0x10: file run.ptx, line 15.\n");
	fixture_end(&empty);
}

static void breakpoints_survive_a_reload(void **state)
{
	(void)state;
	says(&fx, command_break, "run.ptx:31");
	fixture_load(&fx, "dir/run.ptx", program);
	HAS(runs(&fx, command_run_kernel, LAUNCH), "Breakpoint 1, thread uid 1 at run.ptx:31\n");
	RUNS(&fx, command_continue, "3",
	     "Breakpoint 1, thread uid 97 at run.ptx:31\n"
	     "[focus: kernel 0 k, block (1,0,0), thread (32,0,0), uid 97 | core 1, warp 1, lane 0 | cycle 68]\n"
	     "31\t\tst.global.u32 [%rd3], %r6;\n");
}

/* A line without a file is one of the file shown then, as in gdb, not an instruction. */
static void lines_survive_a_reload(void **state)
{
	(void)state;
	runs(&fx, command_launch_kernel, LAUNCH);
	says(&fx, command_break, "31");
	says(&fx, command_break, "+15"); /* the entry is at line 15 */
	debug_kill(fx.d);
	fixture_load(&fx, "dir/run.ptx", program);
	HAS(runs(&fx, command_run_kernel, LAUNCH), "Breakpoint 2, thread uid 129 at run.ptx:30\n");
	HAS(runs(&fx, command_continue, ""), "Breakpoint 1, thread uid 129 at run.ptx:31\n");
}

static void stepping(void **state)
{
	(void)state;
	runs(&fx, command_launch_kernel, LAUNCH);
	RUNS(&fx, command_stepi, "",
	     "Stepped to run.ptx:16\n"
	     "[focus: kernel 0 k, block (0,0,0), thread (0,0,0), uid 1 | core 0, warp 0, lane 0 | cycle "
	     "1]\n16\t\tmov.u32 %r1, %tid.x;\n");
	HAS(runs(&fx, command_step, "4"), "Stepped to run.ptx:20\n[focus: kernel 0 k, block (0,0,0), thread (0,0,0), "
					    "uid 1 | core 0, warp 0, lane 0 | "
					    "cycle 5]\n");
	/* lanes 0 to 15 branch to LOW and run first; then lane 0 waits for the others */
	HAS(runs(&fx, command_next, ""), "Stepped to run.ptx:24\n[focus: kernel 0 k, block (0,0,0), thread (0,0,0), "
					   "uid 1 | core 0, warp 0, lane 0 | "
					   "cycle 6]\n");
	HAS(runs(&fx, command_next, ""), "Stepped to run.ptx:26\n[focus: kernel 0 k, block (0,0,0), thread (0,0,0), "
					   "uid 1 | core 0, warp 0, lane 0 | "
					   "cycle 9]\n");
	/* arrives at the barrier; its next instruction issues when warp 1 has arrived: 9 + 1 + 9 */
	HAS(runs(&fx, command_stepi, ""), "Stepped to run.ptx:27\n[focus: kernel 0 k, block (0,0,0), thread (0,0,0), "
					    "uid 1 | core 0, warp 0, lane 0 | "
					    "cycle 19]\n");
	HAS(runs(&fx, command_next, ""), "Stepped to run.ptx:28\n[focus: kernel 0 k, block (0,0,0), thread (0,0,0), "
					   "uid 1 | core 0, warp 0, lane 0 | "
					   "cycle 22]\n");
	HAS(runs(&fx, command_run_to_cycle, "25"), "Reached cycle 25\n");
	HAS(runs(&fx, command_run_to_cycle, "3"), "error: cycle 3 is over, the machine is at cycle 25");
	HAS(runs(&fx, command_stepi, "0"), "error: the count has to be 1 or more");
	RUNS(&fx, command_stepi, "100",
	     "Warp 0 of block (0,0,0) has exited\n"
	     "[focus: kernel 0 k, block (0,0,0), thread (32,0,0), uid 33 | core 0, warp 1, lane 0 | cycle 27]\n"
	     "27\t\tcall.uni (%r5), twice, (%r4);\n");
	HAS(runs(&fx, command_step, "1000"), "Kernel 0 k finished\n");
}

static void calls_and_places(void **state)
{
	(void)state;
	runs(&fx, command_launch_kernel, LAUNCH);
	HAS(runs(&fx, command_until, "27"), "Stepped to run.ptx:27\n");
	HAS(runs(&fx, command_step_line, ""), "Stepped to run.ptx:6\n");
	SAYS(&fx, command_backtrace, "",
	     "#0  twice (x=200) at run.ptx:6\n#1  0x0000000000000060 in k (A=2147483648, n=5) at run.ptx:27\n");
	SAYS(&fx, command_up, "",
	     "#1  0x0000000000000060 in k (A=2147483648, n=5) at run.ptx:27\n27\t\tcall.uni (%r5), twice, (%r4);\n");
	SAYS(&fx, command_print, "%r4", "$1 = 200\n");
	SAYS(&fx, command_up, "", "error: Initial frame selected; you can't go up.");
	SAYS(&fx, focus_frame, "0", "#0  twice (x=200) at run.ptx:6\n6\t\tadd.u32 r, x, x;\n");
	HAS(runs(&fx, command_finish, ""), "Stepped to run.ptx:28\nValue returned is $2 = 400\n[focus: ");
	SAYS(&fx, command_print, "%r5", "$3 = 400\n");
	HAS(runs(&fx, command_advance, "31"), "Stepped to run.ptx:31\n");
	HAS(runs(&fx, command_run_to_exit, ""), "Stepped to run.ptx:32\n");
	says(&fx, command_focus, "block (1,0,0) thread (40,0,0)");
	HAS(runs(&fx, command_run_to_barrier, ""),
	    "Stepped to run.ptx:26\n[focus: kernel 0 k, block (1,0,0), thread (40,0,0), uid 105 | core 1, warp "
	    "1, lane 8 | ");
}

static void a_step_onto_a_breakpoint_reports_it(void **state)
{
	(void)state;
	says(&fx, command_break, "17");
	runs(&fx, command_launch_kernel, LAUNCH);
	HAS(runs(&fx, command_stepi, "2"), "Breakpoint 1, thread uid 1 at run.ptx:17\n");
	/* and doesn't hit it again when it goes on */
	HAS(runs(&fx, command_continue, ""), "Breakpoint 1, thread uid 33 at run.ptx:17\n");
}

static void watching_memory(void **state)
{
	(void)state;
	runs(&fx, command_launch_kernel, LAUNCH);
	SAYS(&fx, command_watch, "A[10]", "Watchpoint 1: A[10]\n");
	RUNS(&fx, command_continue, "",
	     "Watchpoint 1: A[10]\nOld value = 0\nNew value = 410\nwritten by thread uid 11 at run.ptx:31\n"
	     "[focus: kernel 0 k, block (0,0,0), thread (10,0,0), uid 11 | core 0, warp 0, lane 10 | cycle "
	     "26]\n32\t\tret;\n");
	says(&fx, command_break, "31 999");
	SAYS(&fx, info_watchpoints, "",
	     "Num     Type           Disp Enb Address            What\n"
	     "1       hw watchpoint  keep y                      A[10]\n\tbreakpoint already hit 1 time\n");
	SAYS(&fx, breakpoints_delete, "2", "");
	/* the same value again is no change */
	HAS(runs(&fx, command_continue, ""), "Kernel 0 k finished\n");
	HAS(runs(&fx, command_run_kernel, LAUNCH), "Kernel 1 k finished\n");
	says(&fx, breakpoints_delete, "");
	SAYS(&fx, command_awatch, "0x80000028", "Access watchpoint 3: 0x80000028\n");
	HAS(runs(&fx, command_run_kernel, LAUNCH),
	    "Watchpoint 3: 0x80000028\nValue = 410\nwritten by thread uid 267 at run.ptx:31\n");
	says(&fx, breakpoints_delete, "");
	SAYS(&fx, command_watch, "A[8..11] if $uid == 12", "Watchpoint 4: A[8..11]\n");
	says(&fx, command_set_var, "A[11] = 7");
	debug_kill(fx.d);
	HAS(runs(&fx, command_run_kernel, LAUNCH), "Kernel 3 k finished\n");
	SAYS(&fx, command_watch, "5 +", "error: A syntax error in expression, near `'.");
	SAYS(&fx, command_watch, "0x10", "error: Cannot access memory at address 0x10");
	HAS(says(&fx, command_watch, "1.5"), "error: 1.5 can't be watched");
}

static void watching_registers(void **state)
{
	(void)state;
	runs(&fx, command_launch_kernel, LAUNCH);
	SAYS(&fx, command_watch, "%r4", "Watchpoint 1: %r4\n");
	SAYS(&fx, command_watch, "%r4 100", "Watchpoint 2: %r4\n");
	HAS(runs(&fx, command_continue, ""),
	    "Watchpoint 1: %r4\nOld value = 0\nNew value = 200\nwritten by thread uid 1 at run.ptx:24\n"
	    "[focus: kernel 0 k, block (0,0,0), thread (0,0,0), uid 1 | core 0, warp 0, lane 0 | cycle 7]\n26\t");
	HAS(runs(&fx, command_continue, ""),
	    "Watchpoint 2: %r4\nOld value = 0\nNew value = 100\nwritten by thread uid 100 at run.ptx:21\n");
	says(&fx, breakpoints_delete, "");
	SAYS(&fx, command_rwatch, "%r4", "Read watchpoint 3: %r4\n");
	HAS(runs(&fx, command_continue, ""),
	    "Watchpoint 3: %r4\nValue = 100\nread by thread uid 100 at run.ptx:27\n");
	HAS(runs(&fx, command_continue, ""), "Kernel 0 k finished\n");
}

static void catching(void **state)
{
	(void)state;
	SAYS(&fx, command_catch, "launch", "Catchpoint 1 (launch)\n");
	SAYS(&fx, command_catch, "divergence", "Catchpoint 2 (divergence)\n");
	SAYS(&fx, command_catch, "barrier", "Catchpoint 3 (barrier)\n");
	SAYS(&fx, command_catch, "exit", "Catchpoint 4 (exit)\n");
	SAYS(&fx, command_catch, "atomic", "Catchpoint 5 (atomic)\n");
	SAYS(&fx, command_catch, "rain",
	     "error: usage: catch launch|exit|barrier|exception|divergence [after]|atomic|load|unload|kernel NAME|api [GLOB]");
	HAS(runs(&fx, command_run_kernel, "k<<<1, 64>>>(A, 1)"),
	    "Catchpoint 1 (launch)\n[focus: kernel 0 k, block (0,0,0), thread (0,0,0)");
	HAS(runs(&fx, command_continue, ""), "Catchpoint 2 (divergence)\n");
	HAS(runs(&fx, command_continue, ""), "Catchpoint 3 (barrier)\n");
	HAS(runs(&fx, command_continue, ""), "Catchpoint 3 (barrier)\n"); /* warp 1 doesn't diverge */
	HAS(runs(&fx, command_continue, ""), "Catchpoint 4 (exit)\nKernel 0 k finished\n");
}

static uint64_t digest(void) { return arena_digest(gpu_arena(debug_gpu(fx.d))); }

static void fresh(void)
{
	fixture_end(&fx);
	fixture_begin(&fx, "dir/run.ptx", program);
	says(&fx, command_buffer, "A u32[128] = zero");
}

static void stepping_changes_nothing(void **state)
{
	(void)state;
	runs(&fx, command_run_kernel, LAUNCH);
	uint64_t plain = digest(), cycles = gpu_cycle(debug_gpu(fx.d));
	fresh();
	runs(&fx, command_launch_kernel, LAUNCH);
	for (int i = 0; i < 200 && debug_can_run(fx.d); i++)
		runs(&fx, command_step, "");
	assert_int_equal(digest(), plain);
	fresh();
	says(&fx, command_break, "26");
	says(&fx, command_watch, "A[3..90]");
	says(&fx, command_catch, "divergence");
	runs(&fx, command_launch_kernel, LAUNCH);
	says(&fx, command_watch, "%r6 30");
	says(&fx, command_rwatch, "%r4");
	for (int i = 0; i < 200 && debug_can_run(fx.d); i++)
		runs(&fx, i % 3 ? command_continue : i % 2 ? command_nexti : command_next, "");
	assert_int_equal(gpu_cycle(debug_gpu(fx.d)), cycles);
	assert_int_equal(digest(), plain);
}

static void a_hundred_thousand_threads(void **state)
{
	(void)state;
	runs(&fx, command_launch_kernel, "k<<<2000, 64>>>(A, 5)");
	HAS(says(&fx, command_focus, "uid 100000"), "block (1562,0,0), thread (31,0,0)");
	debug_answer_fn *const looks[] = {info_rows[0].fn, command_backtrace};
	for (size_t i = 0; i < sizeof looks / sizeof *looks; i++)
		says(&fx, looks[i], "");
	struct text why = {0};
	const struct info_row *threads = info_find(info_rows, info_n, "threads", 7, &why);
	assert_non_null(threads);
	HAS(says(&fx, threads->fn, ""),
	    "* 1-128000 128000 (0,0,0) (0,0,0)    (1999,0,0) (63,0,0) not started 0x10 run.ptx:15\n");
	text_free(&why);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
	const struct CMUnitTest tests[] = {
		T(a_launch_stands_at_the_entry),
		T(breakpoints_hit_once_per_warp),
		T(filters_and_conditions),
		T(ignoring_disabling_deleting),
		T(places_that_cannot_be),
		T(breakpoints_survive_a_reload),
		T(lines_survive_a_reload),
		T(stepping),
		T(calls_and_places),
		T(a_step_onto_a_breakpoint_reports_it),
		T(watching_memory),
		T(watching_registers),
		T(catching),
		T(stepping_changes_nothing),
		T(a_hundred_thousand_threads),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
