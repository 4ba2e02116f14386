/* Activations of the focused thread. */
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "debug/csource/clocals.h"
#include "debug/expr/expr.h"
#include "debug/expr/format.h"
#include "debug/program.h"
#include "debug/scan.h"
#include "debug/setup/launch.h"
#include "debug/info.h"
#include "debug/inspect.h"
#include "debug/view/focus.h"
#include "debug/view/inlined.h"
#include "debug/view/name_match.h"
#include "debug/view/room.h"
#include "debug/view/source.h"
#include "debug/view/view.h"

static void arguments_text(struct debug *d, const struct debug_where *w, const struct debug_shown_frame *shown,
			   struct text *out)
{
	const struct debug_frame *frame = &shown->frame;
	const struct isa_function *f = frame->function;
	const char *comma = "";
	const uint32_t level = shown->level;
	if (clocals_arguments(d, w, frame, shown->inlined, out))
		return;
	if (shown->is_inlined) {
		text_add(out, " (...)");
		return;
	}
	text_add(out, " (");
	for (uint32_t k = 0; k < f->n_params; k++) {
		struct expr_value v;
		struct text ignored = {0};
		struct expr *e =
			f->params[k].flags & ISA_VAR_RETURN ? NULL : expr_parse(f->params[k].name, NULL, &ignored);
		if (e) {
			text_addf(out, "%s%s=", comma, f->params[k].name);
			comma = ", ";
			if (!expr_eval(d, e, &w->thread, level, &v, &ignored)) {
				text_add(out, "?");
			} else {
				if (v.is_array)
					text_add(out, "...");
				else
					format_value(d, &v, NULL, out);
				expr_value_free(&v);
			}
		}
		expr_free(e);
		text_free(&ignored);
	}
	text_addc(out, ')');
}

void debug_inlined_name(struct debug *d, const char *name, struct text *out)
{
	const struct isa_function *f = isa_program_find_function(debug_program(d), name);
	struct text plain = {0};
	const char *s = f ? debug_function_name(d, f) : demangle_name(name, false, &plain) ? plain.s : name;
	const char *rest = !strncmp(s, "_INTERNAL_", 10) ? strstr(s, "::") : NULL;
	text_add(out, rest ? rest + 2 : s);
	text_free(&plain);
}

const char *debug_last_part(const char *name)
{
	return name_last_part(name, strlen(name));
}

bool debug_base_part_name(struct debug *d, const char *name, struct text *out)
{
	static const char mark[] = "__SO__";
	struct text symbol = {0}, plain = {0};
	if (strncmp(name, mark, sizeof mark - 1))
		return false;
	text_addf(&symbol, "_Z%s", name + sizeof mark - 1);
	debug_inlined_name(d, text_str(&symbol), &plain);
	text_add(out, debug_last_part(text_str(&plain)));
	text_free(&symbol);
	text_free(&plain);
	return true;
}

bool debug_is_mangled_variable(const char *name)
{
	return !strncmp(name, "_Z", 2) && (name[2] == 'N' || name[2] == 'L' || (name[2] >= '0' && name[2] <= '9'));
}

bool debug_is_unnamed(struct debug *d, const char *name)
{
	struct text plain = {0};
	if (!strncmp(name, "__C", 3))
		return name[3] && !name[3 + strspn(name + 3, "0123456789")];
	if (strncmp(name, "_Z", 2))
		return false;
	debug_inlined_name(d, name, &plain); /* ...::{unnamed type#1}, ...::{lambda(int)#1} */
	bool is = plain.n && plain.s[plain.n - 1] == '}';
	text_free(&plain);
	return is;
}

/* ---- frames as users count them ---- */

static void shown_of(struct debug *d, const struct debug_frame *f, uint32_t inlined, struct debug_shown_frame *out)
{
	uint32_t loc = debug_loc_of_level(d, f->pc, inlined);
	const struct isa_loc *l = debug_loc(d, loc);
	out->frame = *f;
	out->inlined = inlined;
	out->is_inlined = debug_loc_outer(d, loc) != ISA_NO_LOC && inlined < DEBUG_INLINED_MAX;
	out->cuda = l ? (struct debug_position){l->file, l->line} : (struct debug_position){0};
	out->function = l ? l->function : NULL;
}

void debug_select_innermost(struct debug *d)
{
	struct debug_where w;
	d->frame = d->inlined = 0;
	if (d->view->unentered && debug_focus_where(d, &w))
		d->inlined = debug_unentered(d, &w);
}

bool debug_shown_frame(struct debug *d, const struct debug_where *w, uint64_t number, struct debug_shown_frame *out)
{
	struct debug_frame_walk walk;
	struct debug_frame f;
	uint64_t seen = 0;
	uint32_t level = 0, pc = w->pc, first = debug_unentered(d, w);
	bool live = debug_frames_begin(d, w, &walk);
	for (;; level++) {
		uint32_t levels = debug_inlined_levels(d, pc) - first;
		if (number <= seen + levels)
			break;
		seen += levels + 1u;
		first = 0;
		if (!live || !debug_frames_up(&walk))
			return false;
		pc = walk.pc;
	}
	if (!debug_frame_get(d, w, level, &f))
		return false;
	shown_of(d, &f, (uint32_t)(number - seen) + first, out);
	out->number = (uint32_t)number;
	out->level = level;
	return true;
}

uint32_t debug_selected_number(struct debug *d, const struct debug_where *w)
{
	struct debug_frame_walk walk;
	uint32_t n = d->inlined, first = debug_unentered(d, w);
	n -= first < n || d->frame ? first : n;
	if (!debug_frames_begin(d, w, &walk))
		return n;
	for (uint32_t level = 0; level < d->frame; level++) {
		n += debug_inlined_levels(d, walk.pc) + 1;
		if (!debug_frames_up(&walk))
			break;
	}
	return n;
}

uint32_t debug_shown_frames(struct debug *d, const struct debug_where *w)
{
	struct debug_frame_walk walk;
	uint32_t n = debug_inlined_levels(d, w->pc) + 1 - debug_unentered(d, w);
	for (bool more = debug_frames_begin(d, w, &walk); more && debug_frames_up(&walk);)
		n += debug_inlined_levels(d, walk.pc) + 1;
	return n;
}

/* Going up within an activation moves through the CUDA source: there is only one PTX line for all of it. */
static bool shows_cuda(struct debug *d, const struct debug_shown_frame *f)
{
	return f->inlined && f->cuda.line && debug_source_lines(d, f->cuda.file);
}

bool debug_selected_position(struct debug *d, struct debug_position *out)
{
	struct debug_where w;
	struct debug_shown_frame f = {0};
	if (!debug_focus_where(d, &w) || !debug_frame_get(d, &w, d->frame, &f.frame))
		return false;
	shown_of(d, &f.frame, d->inlined, &f);
	*out = shows_cuda(d, &f) ? f.cuda : debug_position_at(d, f.frame.pc);
	return true;
}

static void shown_place(struct debug *d, const struct debug_shown_frame *f, struct text *out)
{
	debug_position_text(d, debug_ptx_position(d, f->frame.pc), out);
	if (!f->cuda.line)
		return;
	text_add(out, " (");
	debug_position_text(d, f->cuda, out);
	text_addc(out, ')');
}

void debug_shown_function(struct debug *d, const struct debug_shown_frame *f, struct text *out)
{
	if (f->is_inlined)
		debug_inlined_name(d, f->function ? f->function : "inlined code", out);
	else
		text_add(out, debug_function_name(d, f->frame.function));
}

void debug_shown_frame_text(struct debug *d, const struct debug_where *w, const struct debug_shown_frame *f,
			    bool with_source, struct text *out)
{
	text_addf(out, "#%-2u ", f->number);
	if (f->level && !f->inlined)
		text_addf(out, "0x%016llx in ", (unsigned long long)f->frame.pc * ISA_INSN_BYTES);
	debug_shown_function(d, f, out);
	arguments_text(d, w, f, out);
	text_add(out, " at ");
	shown_place(d, f, out);
	text_addc(out, '\n');
	if (!with_source)
		return;
	if (shows_cuda(d, f))
		debug_source_text(d, f->cuda, out);
	else
		debug_source_at(d, f->frame.pc, out);
}

void debug_source_of(struct debug *d, const struct debug_where *w, struct text *out)
{
	debug_source_show(d, debug_shown_position(d, w), w->pc, out);
}

#define FRAMES_SHOWN 1000 /* of deep recursion, without a number asked for */

/* `full` or -full, in front of a number. */
static bool take_full(const char **args)
{
	const char *s = scan_blanks(*args);
	bool full = scan_word(&s, "full") || scan_word(&s, "-full");
	if (full)
		*args = s;
	return full;
}

/* The frame's variables, indented, as `info locals` shows them. */
static void locals_of(struct debug *d, const struct debug_shown_frame *f, struct text *out)
{
	const uint32_t frame = d->frame, inlined = d->inlined;
	struct text locals = {0}, why = {0};
	d->frame = f->level;
	d->inlined = f->inlined;
	debug_answer_text(d, info_locals, "", &locals, &why);
	d->frame = frame;
	d->inlined = inlined;
	for (const char *s = text_str(why.n ? &why : &locals); *s;) {
		size_t n = strcspn(s, "\n");
		text_addf(out, "%8s%.*s\n", "", (int)n, s);
		s += n + (s[n] == '\n');
	}
	text_free(&locals);
	text_free(&why);
}

bool debug_cmd_backtrace(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct text *out = report_prose(answer);
	struct debug_where w;
	struct debug_frame f;
	struct debug_shown_frame shown;
	int64_t n = INT64_MAX;
	const char *s = scan_blanks(args);
	if (d->program && scan_word(&s, "host"))
		return scan_end(s, why) && debug_host_stack(d, out, why);
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
	if (first < end && debug_shown_frame(d, &w, first, &shown)) {
		shown.number = first;
		while (shown.number < end) {
			debug_shown_frame_text(d, &w, &shown, false, out);
			if (full)
				locals_of(d, &shown, out);
			uint32_t number = shown.number + 1, level = shown.level + !shown.is_inlined;
			uint32_t inlined = shown.is_inlined ? shown.inlined + 1 : 0;
			if (number == end || !debug_frame_get(d, &w, level, &f))
				break;
			shown_of(d, &f, inlined, &shown);
			shown.number = number;
			shown.level = level;
		}
	}
	if (end < depth && n >= 0)
		text_add(out, "(More stack frames follow...)\n");
	return true;
}

bool info_frame(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct text *out = report_prose(answer);
	struct debug_where w;
	struct debug_shown_frame shown = {0};
	if (!scan_end(args, why))
		return false;
	if (!debug_focus_where(d, &w) || !debug_shown_frame(d, &w, debug_selected_number(d, &w), &shown))
		return debug_fail(why, "No stack.");
	const struct debug_frame *f = &shown.frame;
	debug_shown_frame_text(d, &w, &shown, false, out);
	if (shown.is_inlined)
		text_addf(out, "  inlined into frame %u\n", shown.number + 1);
	text_addf(out, "  pc 0x%x ", f->pc * ISA_INSN_BYTES);
	debug_pc_symbol(d, f->pc, out);
	text_addf(out, ", call depth %u\n  registers: %u bytes a warp; local frame at 0x%llx, %u bytes a thread\n",
		  f->depth, f->function->frame_bytes, (unsigned long long)(EXEC_LOCAL_WINDOW + f->local_sp),
		  f->function->local_bytes);
	return true;
}
