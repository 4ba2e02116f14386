/* PTX text loaded into a session, and a kernel with something of everything that a run can be stopped in. */
#ifndef TESTS_SESSION_PROGRAM_H
#define TESTS_SESSION_PROGRAM_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "frontend/frontend.h"
#include "session/session.h"

#define SESSION_HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"

/* many(p): blocks of 64 threads meet at barriers, with atomics, calls and shared memory between them. */
#define SESSION_MANY \
	".func (.reg .u32 %out) twice(.reg .u32 %in) {\n add.u32 %out, %in, %in;\n add.u32 %out, %out, 1;\n ret;\n}\n" \
	".visible .entry many(.param .u64 p) {\n" \
	" .reg .u64 %rd<5>; .reg .u32 %r<9>; .reg .pred %p<3>;\n" \
	" .shared .align 4 .b8 sh[256];\n" \
	" ld.param.u64 %rd1, [p];\n" \
	" mov.u32 %r1, %tid.x; mov.u32 %r5, %ctaid.x; mov.u32 %r6, 0; mov.u32 %r7, sh;\n" \
	" shl.b32 %r2, %r1, 2; add.u32 %r7, %r7, %r2;\n" \
	" mad.lo.u32 %r3, %r5, 64, %r1; mul.wide.u32 %rd2, %r3, 4; add.u64 %rd2, %rd1, %rd2;\n" \
	"again:\n" \
	" ld.global.u32 %r4, [%rd2];\n" \
	" call (%r4), twice, (%r4);\n" \
	" add.u32 %r4, %r4, %r6;\n" \
	" st.shared.u32 [%r7], %r4;\n" \
	" bar.sync 0;\n" \
	" setp.gt.u32 %p1, %r1, 40;\n" \
	" @%p1 atom.global.add.u32 %r8, [%rd1+2048], %r4;\n" \
	" @!%p1 bra skip;\n" \
	" xor.b32 %r4, %r4, %r8;\n" \
	"skip:\n" \
	" st.global.u32 [%rd2], %r4;\n" \
	" add.u32 %r6, %r6, 1;\n" \
	" setp.lt.u32 %p1, %r6, 4;\n" \
	" @%p1 bra again;\n" \
	" ret;\n}\n"

/* chain(p): every lane takes a lock, adds to a sum and gives the lock back; then lane k waits for lane k + 1 of its block, and counts its looks. Lanes
 * of a warp wait for each other. */
#define SESSION_CHAIN \
	".global .u32 chain_lock[2];\n.global .u32 chain_done[1024];\n" \
	".visible .entry chain(.param .u64 p) {\n" \
	" .reg .u64 %rd<6>; .reg .u32 %r<9>; .reg .pred %p<3>;\n" \
	" ld.param.u64 %rd1, [p]; mov.u64 %rd3, chain_lock; mov.u64 %rd4, chain_done;\n" \
	" mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mad.lo.u32 %r4, %r2, %r3, %r1; mov.u32 %r8, 0;\n" \
	" mul.wide.u32 %rd2, %r4, 4; add.u64 %rd5, %rd1, %rd2; add.u64 %rd4, %rd4, %rd2;\n" \
	"take:\n atom.global.cas.b32 %r5, [%rd3], 0, 1;\n setp.ne.u32 %p1, %r5, 0;\n @%p1 bra take;\n" \
	" ld.volatile.global.u32 %r6, [%rd3+4];\n add.u32 %r6, %r6, %r1;\n st.volatile.global.u32 [%rd3+4], %r6;\n membar.gl;\n" \
	" atom.global.exch.b32 %r5, [%rd3], 0;\n" \
	" add.u32 %r7, %r1, 1;\n setp.eq.u32 %p1, %r7, %r3;\n @%p1 bra last;\n" \
	"wait:\n add.u32 %r8, %r8, 1;\n ld.volatile.global.u32 %r6, [%rd4+4];\n setp.eq.u32 %p2, %r6, 0;\n @%p2 bra wait;\n" \
	"last:\n st.global.u32 [%rd5], %r8;\n st.volatile.global.u32 [%rd4], 1;\n ret;\n}\n"

static inline void session_load(struct session *s, const char *name, const char *text)
{
	struct debug *d = session_debug(s);
	struct diag_list diags;
	struct text notes = {0};
	diag_list_init(&diags);
	assert_true(frontend_load_text(gpu_program(debug_gpu(d)), 0, name, text, strlen(text), &diags));
	debug_program_changed(d, &notes);
	text_free(&notes);
	diag_list_free(&diags);
}

#endif
