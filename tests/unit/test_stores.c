/* Every store goes through the barrier of its section: kernels that store to all spaces in all ways are marked many times on their way,
 * and each mark looks whether a page has changed that nobody touched; then the arena goes back, and the way is the same again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "command/setup/buffers.h"
#include "command/command.h"
#include "base/arena_marks.h"
#include "command/inspect.h"
#include "debug/setup/buffer.h"
#include "debug/setup/launch.h"
#include "command/running/running.h"
#include "debug/stop/run.h"
#include "gpu/gpu.h"
#include "frontend/frontend.h"
#include "session/session.h"

#define HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"
#define PLACE \
	" ld.param.u64 %rd1, [p];\n mov.u32 %r1, %tid.x;\n mul.wide.u32 %rd2, %r1, 16;\n add.u64 %rd1, %rd1, %rd2;\n"
#define REGISTERS " .reg .b32 %r<9>;\n .reg .b64 %rd<9>;\n .reg .pred %p<2>;\n"
/* More than a page a thread, so that each round comes to pages that nobody has stored to since the last mark. */
#define FRAME " .local .align 16 .b8 v[8192];\n"
#define ROUNDS(body) \
	" mov.u32 %r8, 0;\nAGAIN:\n" body \
	" add.u32 %r8, %r8, 256;\n setp.lt.u32 %p1, %r8, 8192;\n @%p1 bra AGAIN;\n ret;\n}\n"

static const struct {
	const char *name, *ptx;
} kernels[] = {
	{"local", HEAD ".visible .entry k (.param .u64 p)\n{\n" REGISTERS FRAME PLACE
		       " mov.u32 %r2, v;\n" ROUNDS(" add.u32 %r3, %r2, %r8;\n st.local.u32 [%r3], %r1;\n")},
	{"local, other addresses in each lane",
	 HEAD ".visible .entry k (.param .u64 p)\n{\n" REGISTERS FRAME PLACE
	      " mov.u32 %r2, v;\n" ROUNDS(" mad.lo.u32 %r3, %r1, 4, %r8;\n and.b32 %r3, %r3, 8188;\n add.u32 %r3, %r2, "
					  "%r3;\n st.local.u32 [%r3], %r1;\n")},
	{"local, vectors",
	 HEAD ".visible .entry k (.param .u64 p)\n{\n" REGISTERS FRAME PLACE
	      " mov.u32 %r2, v;\n" ROUNDS(" add.u32 %r3, %r2, %r8;\n st.local.v4.u32 [%r3], {%r1, %r2, %r3, %r1};\n")},
	{"local, by a generic address",
	 HEAD ".visible .entry k (.param .u64 p)\n{\n" REGISTERS FRAME PLACE
	      " mov.u32 %r2, v;\n cvt.u64.u32 %rd3, %r2;\n cvta.local.u64 %rd3, %rd3;\n" ROUNDS(
		      " cvt.u64.u32 %rd4, %r8;\n add.u64 %rd4, %rd3, %rd4;\n st.u32 [%rd4], %r1;\n")},
	{"local, some lanes", HEAD ".visible .entry k (.param .u64 p)\n{\n" REGISTERS " .reg .pred %q<2>;\n" FRAME PLACE
				   " mov.u32 %r2, v;\n setp.gt.u32 %q1, %r1, 17;\n" ROUNDS(
					   " add.u32 %r3, %r2, %r8;\n @%q1 st.local.u8 [%r3], %r1;\n")},
	{"parameters of functions",
	 HEAD ".func (.param .b32 r) twice (.param .b32 a)\n{\n .reg .b32 %r<3>;\n ld.param.u32 %r1, [a];\n shl.b32 "
	      "%r2, %r1, 1;\n"
	      " st.param.b32 [r], %r2;\n ret;\n}\n"
	      ".visible .entry k (.param .u64 p)\n{\n" REGISTERS PLACE " mov.u32 %r8, 0;\nAGAIN:\n"
	      " {\n .param .b32 a0;\n .param .b32 r0;\n st.param.b32 [a0], %r8;\n call (r0), twice, (a0);\n "
	      "ld.param.b32 %r6, [r0];\n }\n"
	      " st.global.u32 [%rd1], %r6;\n add.u32 %r8, %r8, 256;\n setp.lt.u32 %p1, %r8, 4096;\n @%p1 bra AGAIN;\n "
	      "ret;\n}\n"},
	{"parameters of functions from registers",
	 HEAD ".func (.param .b32 r) twice (.param .b32 a)\n{\n .reg .b32 %r<3>;\n ld.param.u32 %r1, [a];\n shl.b32 "
	      "%r2, %r1, 1;\n st.param.b32 [r], %r2;\n ret;\n}\n"
	      ".visible .entry k (.param .u64 p)\n{\n" REGISTERS PLACE " mov.u32 %r8, 0;\nAGAIN:\n"
	      " call (%r6), twice, (%r8);\n st.global.u32 [%rd1], %r6;\n add.u32 %r8, %r8, 256;\n"
	      " setp.lt.u32 %p1, %r8, 4096;\n @%p1 bra AGAIN;\n ret;\n}\n"},
	{"global and local by generic addresses, at once",
	 HEAD ".visible .entry k (.param .u64 p)\n{\n" REGISTERS " .reg .pred %q<2>;\n" FRAME PLACE
	      " mov.u32 %r2, v;\n cvt.u64.u32 %rd3, %r2;\n cvta.local.u64 %rd3, %rd3;\n and.b32 %r4, %r1, 1;\n"
	      " setp.eq.u32 %q1, %r4, 0;\n" ROUNDS(
		      /* to pages of local memory that were in use half a frame before */
		      " add.u32 %r3, %r2, %r8;\n st.local.u32 [%r3], %r8;\n add.u32 %r4, %r8, 4096;\n and.b32 %r4, "
		      "%r4, 8191;\n"
		      " cvt.u64.u32 %rd4, %r8;\n mad.lo.u64 %rd5, %rd4, 16, %rd1;\n cvt.u64.u32 %rd6, %r4;\n"
		      " add.u64 %rd6, %rd3, %rd6;\n selp.b64 %rd7, %rd5, %rd6, %q1;\n st.u32 [%rd7], %r1;\n")},
	{"global", HEAD ".visible .entry k (.param .u64 p)\n{\n" REGISTERS PLACE ROUNDS(
			   " cvt.u64.u32 %rd3, %r8;\n mad.lo.u64 %rd4, %rd3, 16, %rd1;\n st.global.v2.u32 [%rd4], "
			   "{%r1, %r8};\n")},
	{"global, others in each lane", HEAD ".visible .entry k (.param .u64 p)\n{\n" REGISTERS PLACE ROUNDS(
						" mul.lo.u32 %r3, %r1, %r8;\n and.b32 %r3, %r3, 262128;\n cvt.u64.u32 "
						"%rd3, %r3;\n add.u64 %rd4, %rd1, %rd3;\n"
						" st.u64 [%rd4], %rd3;\n")},
	{"atomics",
	 HEAD ".visible .entry k (.param .u64 p)\n{\n" REGISTERS PLACE ROUNDS(
		 " cvt.u64.u32 %rd3, %r8;\n mad.lo.u64 %rd4, %rd3, 16, %rd1;\n atom.global.add.u32 %r4, [%rd4], %r1;\n"
		 " red.global.max.u32 [%rd4+4], %r8;\n")},
	{"atomics on generic addresses",
	 HEAD ".visible .entry k (.param .u64 p)\n{\n" REGISTERS " .shared .align 8 .b8 s[16];\n" PLACE
	      " mov.u64 %rd3, s;\n cvta.shared.u64 %rd3, %rd3;\n" ROUNDS(
		      " atom.add.u32 %r4, [%rd3], %r1;\n cvt.u64.u32 %rd4, %r8;\n mad.lo.u64 %rd4, %rd4, 16, %rd1;\n"
		      " atom.exch.b64 %rd5, [%rd4], %rd3;\n")},
	{"what malloc gives", HEAD
	 ".extern .func (.param .b64 r) malloc (.param .b64 n);\n.extern .func free (.param .b64 a);\n"
	 ".visible .entry k (.param .u64 p)\n{\n" REGISTERS PLACE " mov.u32 %r8, 0;\nAGAIN:\n mov.u64 %rd3, 6000;\n"
	 " {\n .param .b64 a0;\n .param .b64 r0;\n st.param.b64 [a0], %rd3;\n call (r0), malloc, (a0);\n ld.param.b64 "
	 "%rd4, [r0];\n }\n"
	 " st.u32 [%rd4+5000], %r1;\n"
	 " {\n .param .b64 a0;\n st.param.b64 [a0], %rd4;\n call free, (a0);\n }\n"
	 " add.u32 %r8, %r8, 1;\n setp.lt.u32 %p1, %r8, 12;\n @%p1 bra AGAIN;\n ret;\n}\n"},
};
#define N_KERNELS (sizeof kernels / sizeof kernels[0])

static struct session *begin(enum session_mode mode, const char *ptx)
{
	struct text says = {0}, why = {0};
	struct diag_list diags;
	enum session_failure failure;
	const struct session_setup setup = {.config = "../../configs/tiny/gpgpusim.config", .mode = mode};
	struct session *s = session_create(&setup, &says, &failure);
	if (!s)
		fail_msg("%s", text_str(&says));
	struct debug *d = session_debug(s);
	command_attach(d);
	diag_list_init(&diags);
	const bool ok = frontend_load_text(gpu_program(debug_gpu(d)), 0, "k.ptx", ptx, strlen(ptx), &diags);
	for (size_t k = 0; k < diags.n; k++)
		diag_format(&why, &diags.v[k]);
	if (!ok)
		fail_msg("%s", text_str(&why));
	debug_program_changed(d, &says);
	assert_true(debug_answer_text(d, command_buffer, "b u8[300000]", &says, &why));
	struct debug_stop stop;
	debug_stop_init(&stop);
	assert_true(command_launch_kernel(d, "k<<<3, 64>>>(b)", &stop, &why));
	debug_stop_free(&stop);
	diag_list_free(&diags);
	text_free(&says);
	text_free(&why);
	return s;
}

/* In a process of its own. */
static void expect(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "%s\n", what);
	_exit(1);
}

/* Runs it so far; false: it has come to its end. */
static bool goes_on(struct gpu *g, uint64_t cycles)
{
	struct gpu_event ev = {0};
	const uint64_t until = gpu_cycle(g) + cycles;
	do {
		gpu_run(g, &(struct gpu_request){.max_cycles = until - gpu_cycle(g)}, &ev);
		text_free(&ev.text);
		expect(ev.kind != GPU_EVENT_FAULT && ev.kind != GPU_EVENT_DEADLOCK,
		       "a kernel that has no mistake stops");
	} while (ev.kind != GPU_EVENT_IDLE && gpu_cycle(g) < until);
	return ev.kind != GPU_EVENT_IDLE;
}

static void marked_all_the_way(enum session_mode mode, unsigned k)
{
	struct session *s = begin(mode, kernels[k].ptx);
	struct gpu *g = debug_gpu(session_debug(s));
	struct arena *a = gpu_arena(g);
	const uint64_t slice = mode == SESSION_PERFORMANCE ? 499 : 83;
	expect(arena_marks_begin(a, UINT64_C(64) << 20), "marks");
	arena_marks_verify(a);
	goes_on(g, slice);
	const uint64_t mark = arena_mark_whole(a);
	expect(mark, "a mark");
	arena_pin_mark(a, mark, true);
	const uint64_t before = arena_digest(a);
	unsigned n = 0;
	while (goes_on(g, slice)) {
		expect(arena_mark(a), "marks on the way");
		n++;
	}
	expect(n >= 5, "a long way");
	const uint64_t after = arena_digest(a);
	arena_mark(a);
	expect(arena_go_back(a, mark) && arena_digest(a) == before && before != after, "the way back");
	session_destroy(s);
}

/* Marks end the program where a store has passed them by: so each kernel runs in a process of its own, and it can be said which it was. */
static void every_store(enum session_mode mode)
{
	for (unsigned k = 0; k < N_KERNELS; k++) {
		int status;
		const pid_t child = fork();
		if (!child) {
			marked_all_the_way(mode, k);
			_exit(0);
		}
		assert_int_equal(waitpid(child, &status, 0), child);
		if (status)
			fail_msg("%s, mode %d", kernels[k].name, (int)mode);
	}
}

static void functional(void **state)
{
	(void)state;
	every_store(SESSION_FUNCTIONAL);
}

static void performance(void **state)
{
	(void)state;
	every_store(SESSION_PERFORMANCE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(functional), cmocka_unit_test(performance)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
