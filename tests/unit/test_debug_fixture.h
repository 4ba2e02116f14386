/* A debugger session on a small program, for the tests of src/debug. */
#ifndef TEST_DEBUG_FIXTURE_H
#define TEST_DEBUG_FIXTURE_H

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/diag.h"
#include "command/command.h"
#include "command/inspect.h"
#include "debug/stop/breakpoint.h"
#include "debug/setup/buffer.h"
#include "debug/debug.h"
#include "debug/expr/expr.h"
#include "debug/view/focus.h"
#include "debug/expr/format.h"
#include "debug/setup/launch.h"
#include "command/running/running.h"
#include "debug/stop/run.h"
#include "debug/view/source.h"
#include "gpu/config/config.h"
#include "frontend/frontend.h"
#include "session/session.h"
#include "tests/unit/plain_session.h"

struct fixture {
	struct config *config; /* of a device that the test has made; NULL: the session's is used */
	struct session *session;
	struct session_face face; /* the test's: takes device output */
	struct debug *d;
	struct text out, why, device;
	struct debug_stop stop;
	volatile sig_atomic_t *interrupted; /* as by Ctrl-C */
};

static inline void fixture_output(void *self, const char *s, size_t n)
{
	text_addn(&((struct fixture *)self)->device, s, n);
}

static inline bool fixture_face_output(void *self, const char *s, size_t n)
{
	fixture_output(self, s, n);
	return false;
}

static inline void fixture_load(struct fixture *f, const char *name, const char *ptx)
{
	struct diag_list diags = {0};
	bool ok = frontend_load_text(gpu_program(debug_gpu(f->d)), 0, name, ptx, strlen(ptx), &diags);
	struct text t = {0};
	for (size_t i = 0; i < diags.n; i++)
		diag_format(&t, &diags.v[i]);
	if (!ok)
		fail_msg("%s", text_str(&t));
	text_free(&t);
	diag_list_free(&diags);
	text_clear(&f->out);
	debug_program_changed(f->d, &f->out);
}

static inline void fixture_begin(struct fixture *f, const char *name, const char *ptx)
{
	memset(f, 0, sizeof *f);
	f->session = plain_session(NULL);
	f->face = (struct session_face){.self = f, .output = fixture_face_output};
	session_attach(f->session, &f->face);
	f->d = session_debug(f->session);
	command_attach(f->d);
	f->interrupted = session_interrupt(f->session);
	if (ptx)
		fixture_load(f, name, ptx);
}

static inline void fixture_end(struct fixture *f)
{
	if (f->session)
		session_destroy(f->session);
	else
		debug_destroy(f->d);
	config_free(f->config);
	text_free(&f->out);
	text_free(&f->why);
	text_free(&f->device);
	debug_stop_free(&f->stop);
}

/* The text a command makes; behind it "error: " and its reason if it fails with one. */
static inline const char *says(struct fixture *f, debug_answer_fn *fn, const char *args)
{
	text_clear(&f->out);
	text_clear(&f->why);
	if (!debug_answer_text(f->d, fn, args, &f->out, &f->why)) {
		text_addf(&f->out, f->why.n ? "error: %s" : "%s", text_str(&f->why));
	}
	return text_str(&f->out);
}

/* The report of a command that runs the machine. */
static inline const char *runs(struct fixture *f, command_run_fn *fn, const char *args)
{
	text_clear(&f->out);
	text_clear(&f->why);
	debug_stop_free(&f->stop);
	debug_stop_init(&f->stop);
	if (fn(f->d, args, &f->stop, &f->why))
		debug_stop_report(f->d, &f->stop, &f->out);
	else
		text_addf(&f->out, "error: %s", text_str(&f->why));
	return text_str(&f->out);
}

#define SAYS(f, fn, args, want) assert_string_equal(says((f), (fn), (args)), (want))
#define RUNS(f, fn, args, want) assert_string_equal(runs((f), (fn), (args)), (want))
#define HAS(text, part) \
	do { \
		const char *text_ = (text); \
		if (!strstr(text_, (part))) \
			fail_msg("no \"%s\" in:\n%s", (part), text_); \
	} while (0)

#endif
