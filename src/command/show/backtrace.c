/* backtrace and info frame: activations of a thread, with their arguments and variables. */
#include <stdlib.h>
#include <string.h>
#include "base/demangle.h"
#include "command/show/clocals.h"
#include "debug/describe.h"
#include "debug/expr/expr.h"
#include "debug/expr/format.h"
#include "debug/expr/value_describe.h"
#include "debug/program.h"
#include "debug/ground/scan.h"
#include "debug/setup/launch.h"
#include "command/info.h"
#include "command/inspect.h"
#include "command/show/focus_commands.h"
#include "debug/view/focus.h"
#include "debug/view/inlined.h"
#include "debug/view/name_match.h"
#include "debug/view/parameters.h"
#include "debug/view/source.h"
#include "debug/view/view.h"

#define FRAMES_SHOWN 1000 /* of deep recursion, without a number asked for */

/* Adds an argument of PTX: `name` and `value`, null if it is an array or can't be read. */
static void describe_argument(struct debug *d, const struct debug_where *w, const struct debug_shown_frame *shown, uint32_t k, struct report *answer)
{
	const struct isa_function *f = shown->frame.function;
	const char *own = debug_parameter_name(d, f, k), *name = f->params[k].name;
	const uint32_t level = shown->level;
	struct expr_value v = {0};
	struct text ignored = {0}, look = {0};
	struct expr *e = expr_parse(d, name, NULL, &ignored);
	if (e) {
		const bool has_value = expr_eval(d, e, &w->thread, level, &v, &ignored);
		report_open(answer, NULL);
		report_text(answer, "name", own ? own : name);
		if (!has_value || v.is_array)
			report_none(answer, "value", "");
		else
			value_describe(d, answer, "value", &v, NULL);
		if (has_value && own)
			parameter_look(d, &f->params[k], debug_parameter_type(d, f, k), &v, &look);
		else if (has_value && !v.is_array)
			format_value(d, &v, NULL, &look);
		report_close(answer);
		report_look(answer, "%s=%s", own ? own : name, !has_value ? "?" : v.is_array && !own ? "..." : text_str(&look));
		if (has_value)
			expr_value_free(&v);
	}
	expr_free(e);
	text_free(&ignored);
	text_free(&look);
}

/* Adds the list `args` of a frame. Returns false, with nothing added, if nothing is known of them. */
static bool describe_arguments(struct debug *d, const struct debug_where *w, const struct debug_shown_frame *shown, struct report *answer)
{
	const struct isa_function *f = shown->frame.function;
	if (clocals_arguments(d, w, &shown->frame, shown->inlined, answer))
		return true;
	if (shown->is_inlined)
		return false;
	report_list(answer, "args");
	for (uint32_t k = 0; k < f->n_params; k++)
		if (!(f->params[k].flags & ISA_VAR_RETURN))
			describe_argument(d, w, shown, k, answer);
	report_close(answer);
	return true;
}

void describe_frame(struct debug *d, const struct debug_where *w, const struct debug_shown_frame *f, struct report *answer)
{
	struct text function = {0};
	debug_shown_function(d, f, &function);
	report_number(answer, "number", f->number);
	report_text(answer, "function", text_str(&function));
	report_mask(answer, "pc", (uint64_t)f->frame.pc * ISA_INSN_BYTES, 16);
	const bool has_arguments = describe_arguments(d, w, f, answer);
	describe_position(d, answer, "ptx", debug_ptx_position(d, f->frame.pc));
	describe_position(d, answer, "source", f->cuda);
	report_line(answer, f->level && !f->inlined && d->settings.print_address ? "#{number:-2} {pc} in {function}" : "#{number:-2} {function}");
	report_line(answer, has_arguments ? " ({args}) at {ptx}[ ({source})]\n" : " (...) at {ptx}[ ({source})]\n");
	text_free(&function);
}

void describe_frame_source(struct debug *d, const struct debug_shown_frame *f, struct report *answer)
{
	struct text shown = {0};
	if (debug_shown_frame_is_cuda(d, f))
		debug_source_text(d, f->cuda, &shown);
	else
		debug_source_at(d, f->frame.pc, &shown);
	report_text(answer, "source_text", text_str(&shown));
	report_line(answer, "{source_text}");
	text_free(&shown);
}

/* `full` or -full, in front of a number. */
static bool take_full(const char **args)
{
	const char *s = scan_blanks(*args);
	bool full = scan_word(&s, "full") || scan_word(&s, "-full");
	if (full)
		*args = s;
	return full;
}

/* Adds the frame's variables, as `info locals` shows them, indented. */
static void describe_locals(struct debug *d, const struct debug_shown_frame *f, struct report *answer)
{
	const uint32_t frame = d->frame, inlined = d->inlined;
	struct text why = {0};
	d->frame = f->level;
	d->inlined = f->inlined;
	report_group(answer, 8);
	info_locals(d, "", answer, &why);
	report_say(answer, "%s", text_str(&why));
	report_close(answer);
	d->frame = frame;
	d->inlined = inlined;
	text_free(&why);
}

/* Adds the list `frames` of the frames [first, end), `full` with their variables. */
static void describe_frames(struct debug *d, const struct debug_where *w, const uint32_t range[2], bool full, struct report *answer)
{
	struct debug_frame f;
	struct debug_shown_frame shown = {0};
	report_list(answer, "frames");
	bool more = range[0] < range[1] && debug_shown_frame(d, w, range[0], &shown);
	shown.number = range[0];
	while (more) {
		report_open(answer, NULL);
		describe_frame(d, w, &shown, answer);
		if (full)
			describe_locals(d, &shown, answer);
		report_close(answer);
		const uint32_t number = shown.number + 1, level = shown.level + !shown.is_inlined;
		const uint32_t inlined = shown.is_inlined ? shown.inlined + 1 : 0;
		more = number < range[1] && debug_frame_get(d, w, level, &f);
		if (more)
			debug_shown_frame_of(d, &f, inlined, &shown);
		shown.number = number;
		shown.level = level;
	}
	report_close(answer);
}

bool command_backtrace(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct debug_where w;
	int64_t n = INT64_MAX;
	const char *s = scan_blanks(args);
	if ((d->program || d->core.host_stack) && scan_word(&s, "host"))
		return scan_end(s, why) && debug_host_stack(d, report_prose(answer), why);
	if (!debug_focus_where(d, &w))
		return debug_fail(why, "No stack.");
	bool full = take_full(&args);
	if (*scan_blanks(args) && !debug_eval_integer(d, args, &n, why))
		return false;
	if (w.state == DEBUG_THREAD_EXITED)
		return debug_fail(why, "No stack: the thread has finished.");
	uint32_t depth = debug_shown_frames(d, &w);
	const uint64_t outermost = -(uint64_t)n; /* so many; n may be INT64_MIN */
	uint32_t first = n < 0 && outermost < depth ? depth - (uint32_t)outermost : 0;
	uint32_t end = n >= 0 && (uint64_t)n < depth ? (uint32_t)n : depth;
	if (end - first > FRAMES_SHOWN && d->settings.table_rows && n == INT64_MAX)
		end = first + FRAMES_SHOWN;
	describe_frames(d, &w, (uint32_t[]){first, end}, full, answer);
	if (end < depth && n >= 0)
		report_say(answer, "(More stack frames follow...)\n");
	return true;
}

bool info_frame(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct debug_where w;
	struct debug_shown_frame shown = {0};
	struct text symbol = {0};
	if (!scan_end(args, why))
		return false;
	if (!debug_focus_where(d, &w) || !debug_shown_frame(d, &w, debug_selected_number(d, &w), &shown))
		return debug_fail(why, "No stack.");
	const struct debug_frame *f = &shown.frame;
	report_open(answer, "frame");
	describe_frame(d, &w, &shown, answer);
	if (shown.is_inlined) {
		report_number(answer, "inlined_into", shown.number + 1);
		report_line(answer, "  inlined into frame {inlined_into}\n");
	}
	debug_pc_symbol(d, f->pc, &symbol);
	report_say(answer, "  pc 0x%x ", f->pc * ISA_INSN_BYTES);
	report_text(answer, "symbol", text_str(&symbol));
	report_number(answer, "call_depth", f->depth);
	report_number(answer, "registers_bytes", f->function->frame_bytes);
	report_hex(answer, "local_address", EXEC_LOCAL_WINDOW + f->local_sp);
	report_number(answer, "local_bytes", f->function->local_bytes);
	report_line(answer, "{symbol}, call depth {call_depth}\n  registers: {registers_bytes} bytes a warp; local frame at {local_address}, "
			    "{local_bytes} bytes a thread\n");
	report_close(answer);
	text_free(&symbol);
	return true;
}
