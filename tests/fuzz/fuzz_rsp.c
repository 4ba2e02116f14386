/* The gdb stub against any peer. A first byte that is odd: the rest goes to the framing layer as it is. Else each line becomes a
 * packet, framed and with a right checksum, so that the arguments of packets are what is searched. Nothing may crash or hang, and
 * what the stub sends has to be well-formed packets. */
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "command/setup/buffers.h"
#include "command/interpreter/interpreter.h"
#include "base/diag.h"
#include "debug/debug.h"
#include "debug/setup/buffer.h"
#include "debug/stop/run.h"
#include "gdbstub/gdbstub.h"
#include "gdbstub/wire/rsp.h"
#include "tests/unit/plain_session.h"
#include "frontend/frontend.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile sig_atomic_t *interrupted;

static void on_alarm(int signal)
{
	(void)signal;
	*interrupted = 1;
}

static const char kernel[] =
	".version 7.0\n.target sm_70\n.address_size 64\n"
	".global .f32 scale[4] = {1.0, 2.0, 3.0, 4.0};\n"
	".func (.reg .f32 fo) twice (.reg .f32 fi)\n{\n add.f32 fo, fi, fi;\n ret;\n}\n"
	".visible .entry k (.param .u64 p, .param .u32 n)\n{\n .reg .b32 %r<6>;\n .reg .b64 %rd<4>;\n .reg .f32 "
	"%f<4>;\n"
	" .reg .pred %p<2>;\n .shared .align 4 .b8 tile[512];\n"
	" ld.param.u64 %rd1, [p];\n ld.param.u32 %r2, [n];\n mov.u32 %r1, %tid.x;\n setp.ge.u32 %p1, %r1, %r2;\n"
	" @%p1 bra DONE;\n mul.wide.u32 %rd2, %r1, 4;\n add.u64 %rd3, %rd1, %rd2;\n ld.global.f32 %f1, [%rd3];\n"
	" call (%f2), twice, (%f1);\n mov.u32 %r3, tile;\n shl.b32 %r4, %r1, 2;\n add.u32 %r4, %r4, %r3;\n"
	" st.shared.f32 [%r4], %f2;\n bar.sync 0;\n ld.shared.f32 %f3, [%r4];\n st.global.f32 [%rd3], %f3;\n"
	"DONE:\n ret;\n}\n";

static struct session *begin(void)
{
	struct diag_list diags;
	diag_list_init(&diags);
	struct session *session = plain_session(NULL);
	struct debug *d = session_debug(session);
	interrupted = session_interrupt(session);
	struct text out = {0}, why = {0};
	if (!frontend_load_text(gpu_program(debug_gpu(d)), 0, "k.ptx", kernel, sizeof kernel - 1, &diags))
		abort();
	debug_program_changed(d, &out);
	debug_answer_text(d, command_buffer, "A f32[64] = iota 0 1", &out, &why);
	text_free(&out);
	text_free(&why);
	diag_list_free(&diags);
	return session;
}

static void check_replies(const struct text *t)
{
	struct rsp_decoder d = {.runs = true};
	for (size_t i = 0; i < t->n; i++) {
		enum rsp_event e = rsp_decode(&d, (unsigned char)t->s[i]);
		if (e == RSP_BAD || e == RSP_TOO_LONG || e == RSP_INTERRUPT)
			abort();
	}
	if (d.state != RSP_OUTSIDE)
		abort();
	rsp_decoder_free(&d);
}

static void feed(struct stub *s, const char *bytes, size_t n)
{
	gdbstub_feed(s, bytes, n);
	check_replies(gdbstub_replies(s));
	text_clear(gdbstub_replies(s));
}

static void feed_lines(struct stub *s, const char *at, const char *end)
{
	while (at < end) {
		const char *eol = memchr(at, '\n', (size_t)(end - at));
		size_t n = (size_t)((eol ? eol : end) - at);
		struct text t = {0};
		rsp_encode(&t, at, n);
		feed(s, t.s, t.n);
		text_free(&t);
		at += n + 1;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct itimerval every = {{0, 20000}, {0, 20000}}, off = {{0, 0}, {0, 0}};
	if (!size)
		return 0;
	signal(SIGALRM, on_alarm);
	struct session *session = begin();
	struct interpreter *commands = interpreter_create(session, &command_table);
	debug_settings(session_debug(session))->is_confined = true; /* `monitor` leaves the host's files alone */
	interpreter_execute(commands, "launch k<<<2, 64>>>(A, 64)");
	struct stub *s = gdbstub_create(session, commands);
	setitimer(ITIMER_REAL, &every, NULL);
	feed(s, "$QStartNoAckMode#b0", 19);
	if (data[0] & 1)
		feed(s, (const char *)data + 1, size - 1);
	else
		feed_lines(s, (const char *)data + 1, (const char *)data + size);
	setitimer(ITIMER_REAL, &off, NULL);
	*interrupted = 0;
	gdbstub_destroy(s);
	interpreter_destroy(commands);
	session_destroy(session);
	return 0;
}
