/* Exceptions, deadlock, the focus in both dialects, tables. Texts: docs/manual/looking.md, cuda-gdb's documentation for its tables. */
#include <stdio.h>

#include "command/setup/buffers.h"
#include "command/show/focus_commands.h"
#include "command/stop/stop_commands.h"
#include "test_debug_fixture.h"

static const char program[] =
	".version 7.0\n.target sm_70\n.address_size 64\n.file 1 \"bad.cu\"\n.global .u32 word[4];\n.const .u32 "
	"fixed[2];\n"
	".visible .entry bad(.param .u64 A, .param .u32 kind)\n"					 /* 7 */
	"{\n\t.reg .b32 %r<9>;\n\t.reg .b64 %rd<4>;\n\t.reg .pred %p<9>;\n\t.shared .u32 tile[16];\n"	 /* 8-12 */
	"\t.loc 1 3 1\n"										 /* 13 */
	"\tld.param.u64 %rd1, [A];\n\tld.param.u32 %r1, [kind];\n\tmov.u32 %r2, %tid.x;\n"		 /* 14-16 */
	"\tmul.wide.u32 %rd2, %r2, 4;\n\tadd.u64 %rd3, %rd1, %rd2;\n"					 /* 17-18 */
	"\tsetp.eq.u32 %p1, %r1, 1;\n\tsetp.eq.u32 %p2, %r1, 2;\n\tsetp.eq.u32 %p3, %r1, 3;\n"		 /* 19-21 */
	"\tsetp.eq.u32 %p4, %r1, 4;\n\tsetp.eq.u32 %p5, %r1, 5;\n\tsetp.lt.and.u32 %p6, %r2, 32, %p5;\n" /* 22-24 */
	"\tshl.b32 %r3, %r2, 2;\n\tsetp.eq.u32 %p7, %r1, 6;\n"						 /* 25-26 */
	"\t.loc 1 7 1\n"										 /* 27 */
	"\t@%p1 st.global.u32 [%rd3], %r2;\n"								 /* 28 */
	"\t@%p2 ld.global.u32 %r4, [%rd3+2];\n"								 /* 29 */
	"\t@%p3 st.shared.u32 [%r3], %r2;\n"								 /* 30 */
	"\t@%p4 trap;\n"										 /* 31 */
	"\t@%p6 bar.sync 1, 64;\n"									 /* 32 */
	"\t@%p7 atom.global.add.u32 %r5, [%rd2], 1;\n"							 /* 33 */
	"\tret;\n}\n";

static struct fixture fx;

static int begin(void **state)
{
	(void)state;
	fixture_begin(&fx, "bad.ptx", program);
	SAYS(&fx, command_buffer, "A u32[65] = zero", "");
	return 0;
}

static int end(void **state)
{
	(void)state;
	fixture_end(&fx);
	return 0;
}

static void global_write_past_a_buffer(void **state)
{
	(void)state;
	RUNS(&fx, command_run_kernel, "bad<<<1, 66>>>(A, 1)",
	     "CUDA Exception: Warp Illegal Address\n"
	     "Invalid __global__ write of size 4 bytes by thread (65,0,0) in block (0,0,0), uid 66, at bad.ptx:28 "
	     "(bad.cu:7)\n"
	     "Address 0x80000104 is 0 bytes past the end of buffer A (0x80000000, 260 bytes); lanes 0x00000002\n"
	     "[focus: kernel 0 bad, block (0,0,0), thread (65,0,0), uid 66 | core 0, warp 2, lane 1 | cycle 53]\n"
	     "28\t\t@%p1 st.global.u32 [%rd3], %r2;\n");
	assert_int_equal(fx.stop.status, 3);
	SAYS(&fx, command_print, "%r2", "$1 = 65\n");
	/* the launch failed; another one isn't in its way */
	RUNS(&fx, command_run_kernel, "bad<<<1, 64>>>(A, 1)", "Kernel 1 bad finished\n[no focus]\n");
}

static void other_exceptions(void **state)
{
	(void)state;
	HAS(runs(&fx, command_run_kernel, "bad<<<1, 4>>>(A, 2)"),
	    "CUDA Exception: Warp Misaligned Address\n"
	    "Invalid __global__ read of size 4 bytes by thread (0,0,0) in block (0,0,0), uid 1, at bad.ptx:29 "
	    "(bad.cu:7)\n"
	    "Address 0x80000002 is not a multiple of 4, 2 bytes into buffer A (0x80000000, 260 bytes); lanes "
	    "0x0000000f\n");
	HAS(runs(&fx, command_run_kernel, "bad<<<1, 20>>>(A, 3)"),
	    "CUDA Exception: Warp Out-of-range Address\n"
	    "Invalid __shared__ write of size 4 bytes by thread (16,0,0) in block (0,0,0), uid 21, at bad.ptx:30 "
	    "(bad.cu:7)\n"
	    "Address 0x40 is 0 bytes past the end of the block's shared memory (64 bytes); lanes 0x000f0000\n");
	HAS(runs(&fx, command_run_kernel, "bad<<<1, 2>>>(A, 4)"),
	    "CUDA Exception: Warp Trap\nTrap instruction in thread (0,0,0) in block (0,0,0), uid 25, at bad.ptx:31 "
	    "(bad.cu:7)\n");
	HAS(runs(&fx, command_run_kernel, "bad<<<1, 2>>>(A, 6)"),
	    "CUDA Exception: Warp Illegal Address\n"
	    "Invalid __global__ atomic of size 4 bytes by thread (0,0,0) in block (0,0,0), uid 27, at bad.ptx:33 "
	    "(bad.cu:7)\n"
	    "Address 0x0 is null; lanes 0x00000003\n");
	SAYS(&fx, command_print, "$_exitcode", "$1 = 3\n");
}

static void deadlock(void **state)
{
	(void)state;
	HAS(runs(&fx, command_run_kernel, "bad<<<1, 64>>>(A, 5)"), "Deadlock: ");
	HAS(text_str(&fx.out), "[focus: kernel 0 bad, block (0,0,0), thread (0,0,0), uid 1 | ");
	assert_int_equal(fx.stop.status, 4);
	struct text why = {0};
	HAS(says(&fx, info_find(info_rows, info_n, "barriers", 8, &why)->fn, ""),
	    "*       1      32       64 0             -             bad.ptx:32 (bad.cu:7)\n");
	HAS(runs(&fx, command_run_kernel, "bad<<<1, 64>>>(A, 0)"), "Kernel 1 bad finished\n");
	text_free(&why);
}

static void focus_in_both_dialects(void **state)
{
	(void)state;
	SAYS(&fx, command_cuda, "kernel block thread", "error: Focus is not set on any active CUDA kernel.");
	SAYS(&fx, command_focus, "uid 1", "Invalid coordinates requested. CUDA focus unchanged.\n");
	runs(&fx, command_launch_kernel, "bad<<<(2,2), (8,8)>>>(A, 0)");
	SAYS(&fx, command_cuda, "kernel block thread", "kernel 0, block (0,0,0), thread (0,0,0)\n");
	SAYS(&fx, command_cuda, "block (1,1) thread (3,2,0)",
	     "[Switching focus to CUDA kernel 0, grid 1, block (1,1,0), thread (3,2,0), device 0, sm 3, warp 0, lane "
	     "19]\n14\t\tld.param.u64 %rd1, [A];\n");
	SAYS(&fx, command_cuda, "thread (3,2,0)", "CUDA focus unchanged.\n");
	SAYS(&fx, command_cuda, "thread (8,0,0)", "Invalid coordinates requested. CUDA focus unchanged.\n");
	SAYS(&fx, command_cuda, "kernel 5", "Invalid coordinates requested. CUDA focus unchanged.\n");
	SAYS(&fx, command_cuda, "device sm warp lane", "device 0, sm 3, warp 0, lane 19\n");
	SAYS(&fx, command_focus, "",
	     "[focus: kernel 0 bad, block (1,1,0), thread (3,2,0), uid 212 | core 3, warp 0, lane 19 | cycle 0]\n");
	HAS(says(&fx, command_focus, "warp 1"), "thread (3,6,0), device 0, sm 3, warp 1, lane 19]");
	HAS(says(&fx, command_focus, "lane 0"), "thread (0,4,0), device 0, sm 3, warp 1, lane 0]");
	HAS(says(&fx, command_focus, "uid 70"), "block (1,0,0), thread (5,0,0), device 0, sm 1, warp 0, lane 5]");
	HAS(says(&fx, focus_thread, "2"), "block (0,0,0), thread (1,0,0)");
	HAS(says(&fx, focus_thread, "9999"), "error: Unknown thread 9999.");
	HAS(says(&fx, command_focus, "nowhere"), "error: usage: focus");
	runs(&fx, command_stepi, "");
	HAS(says(&fx, command_cuda, "sm 0 warp 1 lane 7"),
	    "block (0,0,0), thread (7,4,0), device 0, sm 0, warp 1, lane 7]");
	HAS(says(&fx, command_cuda, "sm 5"), "Invalid coordinates requested. CUDA focus unchanged.\n");
}

static const char *info(const char *name, const char *args)
{
	struct text why = {0};
	const struct info_row *r = info_find(info_rows, info_n, name, strlen(name), &why);
	text_free(&why);
	assert_non_null(r);
	return says(&fx, r->fn, args);
}

static void tables(void **state)
{
	(void)state;
	says(&fx, command_break, "19");
	runs(&fx, command_run_kernel, "bad<<<2, 40>>>(A, 0)");
	assert_string_equal(info("cuda", "threads"),
			    "  BlockIdx ThreadIdx To BlockIdx ThreadIdx Count         Virtual PC Filename Line\n"
			    "Kernel 0\n"
			    "*  (0,0,0)   (0,0,0)     (0,0,0)  (31,0,0)    32 0x0000000000000028  bad.ptx   19\n"
			    "   (0,0,0)  (32,0,0)     (0,0,0)  (39,0,0)     8 0x0000000000000000  bad.ptx   14\n");
	assert_string_equal(info("cuda", "blocks"),
			    "  BlockIdx To BlockIdx Count   State\nKernel 0\n*  (0,0,0)     (0,0,0)     1 running\n");
	assert_string_equal(info("cuda", "warps"),
			    "  Wp Active Lanes Mask Divergent Lanes Mask Active Physical PC Kernel BlockIdx\n"
			    "Device 0 SM 0\n"
			    "*  0        0xffffffff           0x00000000 0x0000000000000028      0  (0,0,0)\n"
			    "   1        0x000000ff           0x00000000 0x0000000000000000      0  (0,0,0)\n");
	HAS(info("cuda", "kernels"),
	    "*      0      -   0    1 Active 0x00000001 (2,1,1) (40,1,1) bad(A=2147483648, kind=0)\n");
	HAS(info("cuda", "lanes"), "Device 0 SM 0 Warp 0\n*  0 active 0x0000000000000028   (0,0,0)      None\n");
	HAS(info("cuda", "sms"), "Device 0\n*  0 0x0000000000000003\n");
	assert_string_equal(info("line", ""), "bad.ptx:19 (bad.cu:3) is at pc 0x28 <bad+40>\n");
	assert_string_equal(info("symbol", "&A[2]"), "A + 8 in buffer\n");
	assert_string_equal(info("symbol", "$pc"), "bad + 40 in bad.ptx:19 (bad.cu:3)\n");
	HAS(info("symbol", "0x10000008"), "word + 8 in variable\n");
	assert_string_equal(info("args", ""), "A = 2147483648 (A)\nkind = 0\n");
	HAS(info("registers", "%r2 %rd3"),
	    "%r2            0x0                0\n%rd3           0x80000000         2147483648\n");
	HAS(info("lanes", "%r2"), "%r2 (b32), warp 0 of block (0,0,0), active lanes 0xffffffff\n 0 0\n 1 1\n");
	HAS(info("lanes", "%r2"), "\n31 31\naffine: 0 + 1 * lane\n");
	says(&fx, command_set_var, "%r2 = 500");
	HAS(info("lanes", "%r2"), "affine: 0 + 1 * lane, except lane 0\n");
	HAS(info("lanes", "%r1"), "uniform: 0\n");
	HAS(info("threads", ""),
	    "* 1-32     32 (0,0,0) (0,0,0)    (0,0,0) (31,0,0) running     0x28 bad.ptx:19 (bad.cu:3)\n"
	    "  33-40     8 (0,0,0) (32,0,0)   (0,0,0) (39,0,0) running      0x0 bad.ptx:14 (bad.cu:3)\n"
	    "  41-80    40 (1,0,0) (0,0,0)    (1,0,0) (39,0,0) not started  0x0 bad.ptx:14 (bad.cu:3)\n");
	HAS(info("buffers", ""), "  A    u32[65] 0x80000000   260\n");
	HAS(says(&fx, command_disassemble, ""), "=> 0x00000028 <+40>:\tsetp.eq.u32 %p1, %r1, 1;\n");
	HAS(says(&fx, command_list, "14,15"), "14\t\tld.param.u64 %rd1, [A];\n15\t\tld.param.u32 %r1, [kind];\n");
	HAS(says(&fx, command_list, ""), "16\t\tmov.u32 %r2, %tid.x;\n");
	HAS(says(&fx, command_list, "bad.ptx:999"), "error: Line number 99");
	HAS(says(&fx, statistics_answer, "gpu_tot_sim_insn"), "gpu_tot_sim_insn = 160\n"); /* 5 instructions, 32 lanes */
}

static unsigned long seen;

static void add_name(void *self, const char *name)
{
	(void)name;
	(void)self;
	seen++;
}

static void completion(void **state)
{
	(void)state;
	runs(&fx, command_launch_kernel, "bad<<<2, 40>>>(A, 0)");
	seen = 0;
	complete_names(fx.d, NAMES_REGISTERS, "%rd", 3, add_name, NULL);
	assert_int_equal(seen, 4);
	seen = 0;
	complete_names(fx.d, NAMES_EXPRESSION, "wo", 2, add_name, NULL);
	assert_int_equal(seen, 1);
	seen = 0;
	complete_names(fx.d, NAMES_LOCATION, "bad", 3, add_name, NULL); /* the kernel, bad.ptx, bad.cu */
	assert_int_equal(seen, 3);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
	const struct CMUnitTest tests[] = {
		T(global_write_past_a_buffer), T(other_exceptions), T(deadlock),
		T(focus_in_both_dialects),     T(tables),	    T(completion),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
