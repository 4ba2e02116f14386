/* Loops by hand: which are proven to wait for ever (src/gpu/wait/wait.c, prove*.c), which end by themselves, and which can't be told. In both modes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "command/setup/buffers.h"
#include "command/command.h"
#include "command/inspect.h"
#include "debug/setup/buffer.h"
#include "debug/setup/launch.h"
#include "command/running/running.h"
#include "debug/stop/run.h"
#include "gpu/gpu.h"
#include "session_program.h"

enum end { DEADLOCK, ENDS, GOES_ON /* up to the limit of cycles */ };

/* A loop's body. %rd1: 64 words of zeros, all lanes' own copies of the registers are 0. %r1 is read from %rd1. */
struct loop {
	const char *name;
	enum end end;
	const char *body;
};

#define LOOK " ld.volatile.global.u32 %r1, [%rd1];\n setp.eq.u32 %p1, %r1, 0;\n"

static const struct loop loops[] = {
	{"looks", DEADLOCK, "again:\n" LOOK " @%p1 bra again;\n"},
	{"counts", DEADLOCK, "again:\n add.u32 %r2, %r2, 1;\n" LOOK " @%p1 bra again;\n"},
	{"counts to a limit", ENDS,
	 "again:\n add.u32 %r2, %r2, 1;\n" LOOK " setp.lt.and.u32 %p2, %r2, 3000, %p1;\n @%p2 bra again;\n"},
	{"counts to a limit in 64 bits, by the carry", ENDS,
	 "again:\n add.cc.u32 %r2, %r2, 0x200000;\n addc.u32 %r3, %r3, 0;\n" LOOK
	 " setp.lt.and.u32 %p2, %r3, 2, %p1;\n @%p2 bra again;\n"},
	{"waits by a clock", ENDS,
	 " mov.u64 %rd2, %clock64;\nagain:\n" LOOK
	 " mov.u64 %rd3, %clock64;\n sub.u64 %rd3, %rd3, %rd2;\n setp.lt.and.u64 %p2, %rd3, 20000, %p1;\n @%p2 bra again;\n"},
	{"waits by the timer", ENDS,
	 " mov.u64 %rd2, %globaltimer;\nagain:\n" LOOK
	 " mov.u64 %rd3, %globaltimer;\n sub.u64 %rd3, %rd3, %rd2;\n setp.lt.and.u64 %p2, %rd3, 20000, %p1;\n @%p2 bra again;\n"},
	{"sleeps longer and longer", DEADLOCK,
	 "again:\n add.u32 %r2, %r2, 8;\n nanosleep.u32 %r2;\n" LOOK " @%p1 bra again;\n"},
	{"stores what is there", DEADLOCK, "again:\n st.volatile.global.u32 [%rd1+8], %r1;\n" LOOK " @%p1 bra again;\n"},
	{"stores what it counts", GOES_ON,
	 "again:\n add.u32 %r2, %r2, 1;\n st.volatile.global.u32 [%rd1+8], %r2;\n" LOOK " @%p1 bra again;\n"},
	{"adds 0", DEADLOCK, "again:\n atom.global.add.u32 %r1, [%rd1], 0;\n setp.eq.u32 %p1, %r1, 0;\n @%p1 bra again;\n"},
	{"adds 1 elsewhere", GOES_ON, "again:\n red.global.add.u32 [%rd1+4], 1;\n" LOOK " @%p1 bra again;\n"},
	{"swaps in vain", DEADLOCK,
	 "again:\n atom.global.cas.b32 %r1, [%rd1], 5, 6;\n setp.ne.u32 %p1, %r1, 5;\n @%p1 bra again;\n"},
	{"looks at places by its count", GOES_ON,
	 "again:\n add.u32 %r2, %r2, 1;\n and.b32 %r3, %r2, 7;\n mul.wide.u32 %rd2, %r3, 4;\n add.u64 %rd2, %rd1, %rd2;\n"
	 " ld.volatile.global.u32 %r1, [%rd2];\n setp.eq.u32 %p1, %r1, 0;\n @%p1 bra again;\n"},
	{"does something else each 16 rounds", DEADLOCK,
	 "again:\n add.u32 %r2, %r2, 1;\n and.b32 %r3, %r2, 15;\n setp.ne.u32 %p2, %r3, 0;\n @%p2 bra look;\n add.u32 %r4, %r4, 3;\n"
	 "look:\n" LOOK " @%p1 bra again;\n"},
	{"sets the flag in a later round", ENDS,
	 "again:\n add.u32 %r2, %r2, 1;\n setp.ne.u32 %p2, %r2, 3000;\n @%p2 bra look;\n st.volatile.global.u32 [%rd1], 1;\n"
	 "look:\n" LOOK " @%p1 bra again;\n"},
	{"leaves in a later round", ENDS,
	 "again:\n add.u32 %r2, %r2, 1;\n setp.eq.u32 %p2, %r2, 3000;\n @%p2 bra out;\n" LOOK " @%p1 bra again;\nout:\n"},
	{"exits in a later round", ENDS, "again:\n add.u32 %r2, %r2, 1;\n setp.eq.u32 %p2, %r2, 3000;\n @%p2 exit;\n" LOOK " @%p1 bra again;\n"},
	{"is told by its neighbour's count", ENDS,
	 "again:\n add.u32 %r2, %r2, 1;\n shfl.sync.bfly.b32 %r3, %r2, 1, 31, -1;\n" LOOK
	 " setp.lt.and.u32 %p2, %r3, 3000, %p1;\n @%p2 bra again;\n"},
	{"votes with its neighbours", DEADLOCK,
	 "again:\n add.u32 %r2, %r2, 1;\n" LOOK " vote.sync.all.pred %p2, %p1, -1;\n @%p2 bra again;\n"},
	{"keeps its count in local memory", ENDS,
	 " st.local.u32 [here], %r2;\nagain:\n ld.local.u32 %r2, [here];\n add.u32 %r2, %r2, 1;\n st.local.u32 [here], %r2;\n"
	 " ld.local.u32 %r3, [here];\n" LOOK " setp.lt.and.u32 %p2, %r3, 3000, %p1;\n @%p2 bra again;\n"},
	{"counts in local memory", DEADLOCK,
	 " st.local.u32 [here], %r2;\nagain:\n ld.local.u32 %r2, [here];\n add.u32 %r2, %r2, 1;\n st.local.u32 [here], %r2;\n" LOOK
	 " @%p1 bra again;\n"},
	{"asks a function whether it is over", ENDS,
	 "again:\n add.u32 %r2, %r2, 1;\n call (%r3), is_late, (%r2);\n" LOOK " setp.eq.and.u32 %p2, %r3, 0, %p1;\n @%p2 bra again;\n"},
	{"asks a function in vain", DEADLOCK,
	 "again:\n add.u32 %r2, %r2, 1;\n call (%r3), is_late, (0);\n" LOOK " setp.eq.and.u32 %p2, %r3, 0, %p1;\n @%p2 bra again;\n"},
	{"calls a function each 16 rounds", DEADLOCK,
	 "again:\n add.u32 %r2, %r2, 1;\n and.b32 %r3, %r2, 15;\n setp.ne.u32 %p2, %r3, 0;\n @%p2 bra look;\n call (%r4), is_late, (%r2);\n"
	 "look:\n" LOOK " @%p1 bra again;\n"},
	{"is told by a function each 16 rounds", ENDS,
	 "again:\n add.u32 %r2, %r2, 1;\n and.b32 %r3, %r2, 15;\n setp.ne.u32 %p2, %r3, 0;\n @%p2 bra look;\n call (%r4), is_late, (%r2);\n"
	 "look:\n" LOOK " setp.eq.and.u32 %p2, %r4, 0, %p1;\n @%p2 bra again;\n"},
	{"calls a function that sets the flag", ENDS,
	 "again:\n add.u32 %r2, %r2, 1;\n setp.ne.u32 %p2, %r2, 3000;\n @%p2 bra look;\n call set_flag, (%rd1);\n"
	 "look:\n" LOOK " @%p1 bra again;\n"},
	{"goes round an inner loop by its count", DEADLOCK,
	 "again:\n add.u32 %r2, %r2, 1;\n and.b32 %r3, %r2, 7;\ninner:\n sub.u32 %r3, %r3, 1;\n setp.gt.s32 %p2, %r3, 0;\n @%p2 bra inner;\n"
	 LOOK " @%p1 bra again;\n"},
	{"looks at 100 places", DEADLOCK,
	 "again:\n mov.u32 %r2, 0;\n mov.u32 %r3, 0;\ninner:\n mul.wide.u32 %rd2, %r2, 4;\n add.u64 %rd2, %rd1, %rd2;\n"
	 " ld.volatile.global.u32 %r1, [%rd2];\n or.b32 %r3, %r3, %r1;\n add.u32 %r2, %r2, 1;\n setp.lt.u32 %p2, %r2, 100;\n"
	 " @%p2 bra inner;\n setp.eq.u32 %p1, %r3, 0;\n @%p1 bra again;\n"},
	{"looks at nothing", DEADLOCK, "again:\n xor.b32 %r2, %r2, 1;\n bra again;\n"},
	{"looks at nothing and counts", GOES_ON, "again:\n add.u32 %r2, %r2, 1;\n bra again;\n"},
};

#define FUNCTIONS \
	".func (.reg .u32 %out) is_late(.reg .u32 %n) {\n .reg .pred %p<2>;\n setp.gt.u32 %p1, %n, 3000;\n selp.u32 %out, 1, 0, %p1;\n ret;\n}\n" \
	".func set_flag(.reg .u64 %p) {\n st.volatile.global.u32 [%p], 1;\n ret;\n}\n"

static enum debug_reason run_loop(const struct loop *l, enum session_mode mode)
{
	const char *const options[] = {"-gpgpu_max_cycle 700000"};
	const struct session_setup setup = {.config = "tiny", .mode = mode, .options = options, .n_options = 1};
	struct text messages = {0}, ptx = {0}, out = {0}, why = {0};
	enum session_failure failure;
	struct debug_stop stop;
	struct session *s = session_create(&setup, &messages, &failure);
	assert_non_null(s);
	command_attach(session_debug(s));
	text_add(&ptx, SESSION_HEAD FUNCTIONS ".visible .entry k(.param .u64 p) {\n .reg .u64 %rd<5>; .reg .u32 %r<9>; .reg .pred %p<3>;\n"
					      " .local .align 4 .b8 here[8];\n ld.param.u64 %rd1, [p];\n");
	text_add(&ptx, l->body);
	text_add(&ptx, " ret;\n}\n");
	session_load(s, "k.ptx", text_str(&ptx));
	assert_true(debug_answer_text(session_debug(s), command_buffer, "p u32[128] = zero", &out, &why));
	debug_stop_init(&stop);
	if (!command_run_kernel(session_debug(s), "k<<<1, 32>>>(p)", &stop, &why))
		fail_msg("%s: %s", l->name, text_str(&why));
	const enum debug_reason reason = stop.reason;
	debug_stop_free(&stop);
	session_destroy(s);
	text_free(&messages);
	text_free(&ptx);
	text_free(&out);
	text_free(&why);
	return reason;
}

static void check_loops(enum session_mode mode)
{
	static const enum debug_reason wanted[] = {[DEADLOCK] = DEBUG_STOP_DEADLOCK, [ENDS] = DEBUG_STOP_KERNEL_DONE, [GOES_ON] = DEBUG_STOP_LIMIT};
	unsigned wrong = 0;
	for (unsigned k = 0; k < sizeof loops / sizeof *loops; k++) {
		const enum debug_reason reason = run_loop(&loops[k], mode);
		if (reason == wanted[loops[k].end])
			continue;
		print_message("mode %d: a loop that %s stops for reason %d, not %d\n", (int)mode, loops[k].name, (int)reason, (int)wanted[loops[k].end]);
		wrong++;
	}
	assert_int_equal(wrong, 0);
}

static void functional(void **state)
{
	(void)state;
	check_loops(SESSION_FUNCTIONAL);
}

static void performance(void **state)
{
	(void)state;
	check_loops(SESSION_PERFORMANCE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functional),
		cmocka_unit_test(performance),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
