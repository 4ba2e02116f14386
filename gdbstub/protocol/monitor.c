/* `monitor`: every command of the prompt, and a few about the stub itself. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "command/interpreter/interpreter.h"
#include "gdbstub/image/image.h"
#include "gdbstub/lanes/lanes.h"
#include "gdbstub/link/link.h"
#include "gdbstub/protocol/room.h"
#include "gdbstub/threads/threads.h"

static const char *blanks(const char *s) { return s + strspn(s, " \t"); }

/* Takes a word, NULL if it isn't there. */
static const char *word(const char *s, const char *what)
{
	size_t n = strlen(what);
	return strncmp(s, what, n) || (s[n] && s[n] != ' ' && s[n] != '\t') ? NULL : blanks(s + n);
}

static const char *const modes[] = {[BREAK_AUTO] = "auto", [BREAK_WARP] = "warp", [BREAK_LANE] = "lane"};

/* break auto|warp|lane. The prompt's own `break LOC` is left alone. */
static bool monitor_break(struct stub *s, const char *args, struct text *out)
{
	for (unsigned i = 0; i < sizeof modes / sizeof *modes; i++) {
		const char *rest = word(args, modes[i]);
		if (rest && !*rest) {
			lanes_set_break_mode(s->lanes, (enum break_mode)i);
			text_addf(out, i == BREAK_LANE ? "Breakpoints are reported for every lane that reaches them.\n"
				       : i == BREAK_WARP ? "Breakpoints are reported once for a warp.\n"
							 : "Breakpoints are reported once for a warp, for other lanes "
							   "when gdb passes one over.\n");
			return true;
		}
	}
	return false;
}

static bool monitor_expose(struct stub *s, const char *args, struct text *out)
{
	char *end;
	long n = strtol(args, &end, 10);
	if (!strcmp(args, "block"))
		n = 1;
	else if (!strcmp(args, "all"))
		n = INT32_MAX;
	else if (!*args)
		n = threads_exposed(s);
	else if (*end || n < 1 || n > INT32_MAX) {
		text_add(out, "usage: monitor expose block | N | all: how many blocks around the focus are threads in "
			      "gdb (4096 threads "
			      "at most)\n");
		return true;
	}
	threads_expose(s, (uint32_t)n);
	if (n == INT32_MAX)
		text_add(out, "As many blocks as make 4096 threads are shown as threads.\n");
	else
		text_addf(out, "%ld block%s of threads around the focus %s shown.\n", n, n == 1 ? "" : "s",
			  n == 1 ? "is" : "are");
	return true;
}

static const char own_help[] = "\nOf the gdb connection:\n"
			       "  expose block | N | all       how many blocks around the focus are threads in gdb\n"
			       "  packets                      packets of the protocol that are understood\n"
			       "  break auto | warp | lane     for which lanes of a warp a breakpoint is reported\n";

static void monitor_command(struct stub *s, const char *line, struct text *out)
{
	const char *at = blanks(line), *rest = word(at, "break");
	if (rest && monitor_break(s, rest, out))
		return;
	rest = word(at, "expose");
	if (rest) {
		monitor_expose(s, rest, out);
		return;
	}
	rest = word(at, "packets");
	if (rest && !*rest) {
		dispatch_list(out);
		return;
	}
	if (s->commands)
		interpreter_execute_for(s->commands, &s->face, line, s->is_confined, out);
	else
		text_add(out, "there is no prompt behind this stub\n");
	rest = word(at, "help");
	if (rest && !*rest)
		text_add(out, own_help);
}

/* gdb doesn't hear of what `monitor` does to its threads: the protocol has no word for it while they stand. PTX registers are memory on a stack
 * for it, which it keeps, too. */
static const char stale_hint[] = "(gdb still believes its thread where it was: `maintenance flush register-cache` and "
				 "`maintenance flush dcache` make "
				 "it look again; with a file of macros/ loaded that happens by itself.)\n";

/* Nor is there one for what has been loaded: gdb asks for it at stops, and when its user wants to. */
static const char loaded_hint[] =
	"(gdb reads what was loaded when the machine stops next; `sharedlibrary` makes it read now.)\n";

static bool has_moved(struct stub *s, uint64_t pc, uint64_t sp)
{
	const struct thread_view *v = view_of(s, s->tid_g);
	return v && (v->pc != pc || v->sp != sp);
}

enum packet_result packet_monitor(struct stub *s, const struct args *a, struct text *reply)
{
	struct text out = {0};
	char *line = xstrndup(a->v[0].s, a->v[0].n);
	uint64_t before = debug_changes(s->d);
	const uint32_t n_launches = gpu_launch_count(debug_gpu(s->d));
	const struct thread_view *v = view_of(s, s->tid_g);
	const bool was_there = v;
	uint64_t pc = v ? v->pc : 0, sp = v ? v->sp : 0;
	(void)reply;
	s->running = true;
	link_watch(s, true);
	const char *nul = memchr(line, '\0', a->v[0].n);
	if (nul)
		text_addf(&out, "error: a NUL byte in column %zu of the line: command lines are text\n",
			  (size_t)(nul - line) + 1);
	else
		monitor_command(s, line, &out);
	link_watch(s, false);
	s->running = false;
	free(line);
	if (debug_changes(s->d) != before) {
		view_forget(s);
		lanes_forget_places(s->lanes);
		if (gpu_launch_count(debug_gpu(s->d)) < n_launches) /* `reset`: uids begin anew */
			launch_forget(s);
		const size_t n_images = images_count(s);
		images_update(s);
		if (images_count(s) > n_images)
			text_add(&out, loaded_hint);
		if (was_there && !s->protocol->hinted && has_moved(s, pc, sp)) {
			s->protocol->hinted = true;
			text_add(&out, stale_hint);
		}
	}
	/* what the device printed stands before; both go as console text */
	stub_say(s, text_str(&out), out.n);
	text_free(&out);
	return PACKET_OK;
}
