/* Frames as users count them: activations, and in them the functions inlined into them; names of functions as users write them. */
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "debug/view/functions.h"
#include "debug/view/focus.h"
#include "debug/view/inlined.h"
#include "debug/view/name_match.h"
#include "debug/view/room.h"
#include "debug/view/source.h"
#include "debug/view/view.h"

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

void debug_shown_frame_of(struct debug *d, const struct debug_frame *f, uint32_t inlined, struct debug_shown_frame *out)
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
	debug_shown_frame_of(d, &f, (uint32_t)(number - seen) + first, out);
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
bool debug_shown_frame_is_cuda(struct debug *d, const struct debug_shown_frame *f)
{
	return f->inlined && f->cuda.line && debug_source_lines(d, f->cuda.file);
}

bool debug_selected_position(struct debug *d, struct debug_position *out)
{
	struct debug_where w;
	struct debug_shown_frame f = {0};
	if (!debug_focus_where(d, &w) || !debug_frame_get(d, &w, d->frame, &f.frame))
		return false;
	debug_shown_frame_of(d, &f.frame, d->inlined, &f);
	*out = debug_shown_frame_is_cuda(d, &f) ? f.cuda : debug_position_at(d, f.frame.pc);
	return true;
}

void debug_shown_function(struct debug *d, const struct debug_shown_frame *f, struct text *out)
{
	if (f->is_inlined)
		debug_inlined_name(d, f->function ? f->function : "inlined code", out);
	else
		text_add(out, debug_function_name(d, f->frame.function));
}

void debug_source_of(struct debug *d, const struct debug_where *w, struct text *out)
{
	debug_source_show(d, debug_shown_position(d, w), w->pc, out);
}

