/* Where threads will be after an instruction, predicted, against where the machine then has them: every instruction of kernels with
 * calls, recursion, divergence, guards, barriers and all kinds of memory, for every lane. And what may fault is never predicted. */
#include "command/setup/buffers.h"
#include "debug/stop/face_access.h"
#include "test_debug_fixture.h"

static const char program[] =
	".version 7.0\n.target sm_70\n.address_size 64\n"
	".const .u32 limit = 3;\n.global .u32 sums[64];\n"
	".func (.param .b32 sum) triangle (.param .b32 n)\n"
	"{\n\t.reg .b32 %r<5>;\n\t.reg .pred %p<2>;\n"
	"\tld.param.u32 %r1, [n];\n\tmov.u32 %r2, 0;\n\tsetp.eq.u32 %p1, %r1, 0;\n\t@%p1 bra BOTTOM;\n"
	"\tsub.u32 %r3, %r1, 1;\n"
	"\t{\n\t.param .b32 a;\n\t.param .b32 r;\n\tst.param.b32 [a], %r3;\n\tcall (r), triangle, (a);\n"
	"\tld.param.b32 %r4, [r];\n\t}\n\tadd.u32 %r2, %r4, %r1;\n"
	"BOTTOM:\n\tst.param.b32 [sum], %r2;\n\tret;\n}\n"
	".func (.reg .u32 o) early (.reg .u32 i)\n"
	"{\n\t.reg .pred %p<2>;\n\tmov.u32 o, 7;\n\tsetp.gt.u32 %p1, i, 20;\n\t@%p1 ret;\n\tadd.u32 o, o, "
	"i;\n\tret;\n}\n"
	".visible .entry all(.param .u64 A)\n"
	"{\n\t.reg .b32 %r<12>;\n\t.reg .pred %p<6>;\n\t.reg .b64 %rd<6>;\n\t.shared .u32 tile[64];\n\t.local .u32 "
	"mine[4];\n"
	"\tld.param.u64 %rd1, [A];\n\tmov.u32 %r1, %tid.x;\n\tand.b32 %r2, %r1, 3;\n"
	"\tmul.wide.u32 %rd2, %r1, 4;\n\tadd.u64 %rd3, %rd1, %rd2;\n"
	"\tshl.b32 %r3, %r1, 2;\n\tmov.u32 %r4, tile;\n\tadd.u32 %r4, %r4, %r3;\n\tst.shared.u32 [%r4], %r1;\n"
	"\tbar.sync 0;\n\tld.shared.u32 %r5, [%r4];\n\tst.local.u32 [mine+4], %r5;\n\tld.local.u32 %r5, [mine+4];\n"
	"\tld.const.u32 %r6, [limit];\n\tred.global.add.u32 [sums], 1;\n\tatom.global.add.u32 %r7, [sums+4], 1;\n"
	"\tsetp.lt.u32 %p1, %r2, %r6;\n\t@%p1 bra SOME;\n\tadd.u32 %r5, %r5, 100;\n\tbra.uni JOIN;\n"
	"SOME:\n\t@!%p1 add.u32 %r5, %r5, 1;\n\t{\n\t.param .b32 a;\n\t.param .b32 r;\n\tst.param.b32 [a], %r2;\n"
	"\tcall (r), triangle, (a);\n\tld.param.b32 %r5, [r];\n\t}\n"
	"JOIN:\n\tcall (%r8), early, (%r1);\n\tadd.u32 %r5, %r5, %r8;\n"
	"\tsetp.gt.u32 %p2, %r1, 25;\n\t@%p2 exit;\n"
	"\tmov.u32 %r9, %r2;\nAGAIN:\n\tadd.u32 %r5, %r5, %r9;\n\tsub.u32 %r9, %r9, 1;\n\tsetp.gt.s32 %p3, %r9, 0;\n"
	"\t@%p3 bra AGAIN;\n\tst.global.u32 [%rd3], %r5;\n\tst.u32 [%rd3], %r5;\n"
	"\tbar.sync 0;\n\tsetp.eq.u32 %p4, %r2, 1;\n\t@%p4 ret;\n\tret;\n}\n"
	".visible .entry wild(.param .u64 A)\n"
	"{\n\t.reg .b32 %r<4>;\n\t.reg .b64 %rd<6>;\n\tld.param.u64 %rd1, [A];\n\tmov.u32 %r1, %tid.x;\n"
	"\tmul.wide.u32 %rd2, %r1, 65536;\n\tadd.u64 %rd1, %rd1, %rd2;\n\tst.global.u32 [%rd1], %r1;\n\tret;\n}\n"
	".visible .entry crooked(.param .u64 A)\n"
	"{\n\t.reg .b32 %r<4>;\n\t.reg .b64 %rd<6>;\n\tld.param.u64 %rd1, [A];\n\tmov.u32 %r1, %tid.x;\n"
	"\tcvt.u64.u32 %rd2, %r1;\n\tadd.u64 %rd1, %rd1, %rd2;\n\tld.u32 %r1, [%rd1];\n\tret;\n}\n"
	".func endless (.param .b32 n)\n{\n\t.param .b32 a;\n\tst.param.b32 [a], 1;\n\tcall endless, (a);\n\tret;\n}\n"
	".visible .entry deep(.param .u64 A)\n{\n\t.param .b32 a;\n\tst.param.b32 [a], 1;\n\tcall endless, "
	"(a);\n\tret;\n}\n";

static struct fixture fx;

static int begin(void **state)
{
	(void)state;
	fixture_begin(&fx, "predict.ptx", program);
	SAYS(&fx, command_buffer, "A u32[64] = zero", "");
	return 0;
}

static int end(void **state)
{
	(void)state;
	fixture_end(&fx);
	return 0;
}

struct predicted {
	enum debug_next next;
	uint32_t pc, depth;
};

static bool where(uint64_t uid, struct debug_where *w)
{
	struct debug_thread t;
	return debug_thread_of_uid(fx.d, uid, &t) && debug_thread_where(fx.d, &t, w);
}

static void predict_warp(uint64_t first, struct predicted v[LANES])
{
	struct debug_where w;
	for (unsigned lane = 0; lane < LANES; lane++) {
		v[lane] = (struct predicted){.next = DEBUG_NEXT_UNKNOWN};
		if (where(first + lane, &w) && w.state == DEBUG_THREAD_LIVE && w.active) {
			v[lane].next = debug_predict(fx.d, &w, &v[lane].pc);
			v[lane].depth = w.simt->call_depth;
		}
	}
}

/* How many lanes were predicted; fails if one is elsewhere. */
static unsigned compare_warp(uint64_t first, const struct predicted v[LANES])
{
	struct debug_where w;
	unsigned n = 0;
	for (unsigned lane = 0; lane < LANES; lane++) {
		if (v[lane].next == DEBUG_NEXT_UNKNOWN)
			continue;
		n++;
		assert_true(where(first + lane, &w));
		if (v[lane].next == DEBUG_NEXT_EXITED) {
			assert_int_equal(w.state, DEBUG_THREAD_EXITED);
			continue;
		}
		assert_int_equal(w.state, DEBUG_THREAD_LIVE);
		assert_int_equal(w.simt->pc, v[lane].pc);
		assert_int_equal(w.simt->call_depth, v[lane].depth + (v[lane].next == DEBUG_NEXT_CALLEE) -
							     (v[lane].next == DEBUG_NEXT_CALLER));
	}
	return n;
}

/* Steps the warps of a launch in turn, until it has ended or an instruction has faulted. Instructions and predicted ones. */
static enum debug_reason run_all(const char *launch, uint64_t first, uint64_t threads, unsigned *n_insns,
				 unsigned *n_predicted)
{
	struct debug_where w;
	struct predicted v[LANES];
	runs(&fx, command_launch_kernel, launch);
	fx.stop.reason = DEBUG_STOP_NONE;
	for (unsigned turns = 0; debug_can_run(fx.d) && turns < 10000; turns++) {
		uint64_t warp = first + turns % (threads / LANES) * LANES, lane = warp;
		while (lane < warp + LANES &&
		       (!where(lane, &w) || w.state == DEBUG_THREAD_EXITED || (w.w && !w.active)))
			lane++;
		if (lane == warp + LANES || (w.w && w.w->state != EXEC_WARP_RUNNABLE))
			continue;
		predict_warp(warp, v);
		text_clear(&fx.why);
		assert_true(debug_run_thread(fx.d, lane, 1, &fx.stop, &fx.why));
		if (fx.stop.reason == DEBUG_STOP_EXCEPTION) {
			for (unsigned i = 0; i < LANES; i++)
				assert_int_equal(v[i].next, DEBUG_NEXT_UNKNOWN);
			break;
		}
		*n_predicted += compare_warp(warp, v) > 0;
		*n_insns += 1;
	}
	return fx.stop.reason;
}

static void as_the_machine(void **state)
{
	(void)state;
	unsigned insns = 0, predicted = 0;
	if (run_all("all<<<1, 32>>>(A)", 1, 32, &insns, &predicted) == DEBUG_STOP_EXCEPTION)
		fail_msg("%s", text_str(&fx.stop.text));
	assert_false(debug_can_run(fx.d));
	/* one warp: only barriers at which some lanes have exited are left to the machine */
	assert_int_equal(insns, gpu_cycle(debug_gpu(fx.d))); /* all of them: a cycle each */
	assert_true(insns > 70);
	assert_in_range(predicted, insns - 3, insns);
}

static void faults_are_not_predicted(void **state)
{
	(void)state;
	static const char *const kernels[] = {"wild<<<1, 32>>>(A)", "crooked<<<1, 32>>>(A)", "deep<<<1, 32>>>(A)"};
	for (unsigned k = 0; k < 3; k++) {
		unsigned insns = 0, predicted = 0;
		begin(state);
		assert_int_equal(run_all(kernels[k], 1, 32, &insns, &predicted), DEBUG_STOP_EXCEPTION);
		assert_true(predicted > 0);
		end(state);
	}
	begin(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(as_the_machine, begin, end),
		cmocka_unit_test_setup_teardown(faults_are_not_predicted, NULL, end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
