/* Any lines typed at the prompt, with a kernel loaded and launched: nothing may crash or hang. A first byte that is a digit chooses a
 * machine in performance mode. Commands that reach outside the process (shell, files, folders) are left out. */
#include <ctype.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "debug/debug.h"
#include "frontend/frontend.h"
#include "command/interpreter/input.h"
#include "command/interpreter/interpreter.h"
#include "tests/unit/plain_session.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct interpreter *prompt;

static void on_alarm(int signal)
{
	(void)signal;
	*prompt->interrupted = 1;
}

static const char kernel[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
			     ".global .f32 scale[4] = {1.0, 2.0, 3.0, 4.0};\n"
			     ".func (.reg .f32 fo) twice (.reg .f32 fi)\n{\n add.f32 fo, fi, fi;\n ret;\n}\n"
			     ".visible .entry k (.param .u64 p, .param .u32 n)\n{\n .reg .b32 %r<6>;\n .reg .b64 %rd<4>;\n .reg .f32 %f<4>;\n"
			     " .reg .pred %p<2>;\n .shared .align 4 .b8 tile[512];\n"
			     " ld.param.u64 %rd1, [p];\n ld.param.u32 %r2, [n];\n mov.u32 %r1, %tid.x;\n setp.ge.u32 %p1, %r1, %r2;\n"
			     " @%p1 bra DONE;\n mul.wide.u32 %rd2, %r1, 4;\n add.u64 %rd3, %rd1, %rd2;\n ld.global.f32 %f1, [%rd3];\n"
			     "LOOP:\n call (%f2), twice, (%f1);\n mov.u32 %r3, tile;\n shl.b32 %r4, %r1, 2;\n add.u32 %r4, %r4, %r3;\n"
			     " st.shared.f32 [%r4], %f2;\n bar.sync 0;\n ld.shared.f32 %f3, [%r4];\n st.global.f32 [%rd3], %f3;\n"
			     "DONE:\n ret;\n}\n";

/* Commands that act outside, by their full names; any prefix of them is left out too. */
static bool reaches_outside(const char *line)
{
	static const char *const names[] = {"shell", "save", "source", "cd", "load", "file", "dot", "compare", "stats", "history", "buffer"};
	line += strspn(line, " \t\f\v");
	if (*line == '!')
		return true;
	size_t n = 0;
	while (isalpha((unsigned char)line[n]))
		n++;
	if (strcasestr(line, "file") || strstr(line, "shell") || strchr(line, '!'))
		return true;
	for (size_t i = 0; n && i < sizeof names / sizeof *names; i++)
		if (!strncmp(names[i], line, n) && strcmp(names[i], "buffer"))
			return true;
	return false;
}

static void begin(int which)
{
	static const char *const names[] = {"tiny", "fermi-gtx480", "fermi-c2050", "gt200-quadrofx5800", "v42-gtx480"};
	static const char *const start[] = {"buffer A f32[64] = iota 0 1", "launch k<<<2, 64>>>(A, 64)"};
	struct diag_list diags;
	diag_list_init(&diags);
	const bool performance = which >= '0' && which < '0' + (int)(sizeof names / sizeof *names);
	prompt = interpreter_create(plain_session(performance ? names[which - '0'] : NULL), &command_table);
	if (!frontend_load_text(gpu_program(debug_gpu(prompt->dbg)), 0, "k.ptx", kernel, sizeof kernel - 1, &diags))
		abort();
	struct text notes = {0};
	debug_program_changed(prompt->dbg, &notes);
	text_free(&notes);
	diag_list_free(&diags);
	for (size_t i = 0; i < 2; i++)
		if (!interpreter_execute(prompt, start[i]))
			abort();
}

static void end(void)
{
	struct session *session = prompt->session;
	interpreter_destroy(prompt);
	session_destroy(session);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static bool silent;
	if (!silent) {
		silent = true;
		if (!freopen("/dev/null", "w", stdout))
			abort();
		signal(SIGALRM, on_alarm);
		/* the messages of commands; a sanitizer writes to its own descriptor */
		stderr = fopen("/dev/null", "w");
	}
	const int which = size && isdigit(data[0]) ? data[0] : 0;
	char *text = xstrndup((const char *)data + !!which, size - !!which), *kept = xcalloc(size + 2, 1);
	for (char *at = text, *to = kept; *at;) {
		size_t n = strcspn(at, "\n");
		char *line = xstrndup(at, n);
		if (!reaches_outside(line)) {
			memcpy(to, line, n);
			to += n;
			*to++ = '\n';
		}
		free(line);
		at += n + (at[n] == '\n');
	}
	struct itimerval every = {{0, 20000}, {0, 20000}}, off = {{0, 0}, {0, 0}};
	begin(which);
	setitimer(ITIMER_REAL, &every, NULL);
	input_push_lines(prompt->input, kept);
	interpreter_run(prompt, false);
	setitimer(ITIMER_REAL, &off, NULL);
	end();
	free(text);
	free(kept);
	return 0;
}
