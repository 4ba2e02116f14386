/* Functions that a compiler has put into their callers. .loc tells of them where it has inlined_at (-lineinfo). The debug information
 * (-G) has entries of them, and .loc the lines alone: there .loc's are made that say the same, in a table after the program's. */
#include "debug/view/inlined.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/ground/ground.h"
#include "debug/view/focus.h"
#include "debug/view/room.h"
#include "debug/view/scope.h"
#include "debug/view/source.h"
#include "debug/view/view.h"

#define MADE 0x80000000u /* an index into the made ones */
#define MARKS_EACH 128u	 /* most scopes around an instruction: malformed entries may overlap at will */

struct inlined_file {
	bool done;
	uint32_t first, n; /* its instructions */
	uint32_t *loc;	   /* of each of them, ISA_NO_LOC: what the program says. NULL: nothing was made */
};

struct debug_inlined {
	struct inlined_file *files; /* as the program's */
	uint32_t n_files;
	struct isa_loc *locs;
	size_t n_locs, cap_locs;
};

/* ---- made from the debug information ---- */

struct owner {
	const struct cscope *scope;
	uint32_t call; /* .loc of the innermost call around, ISA_NO_LOC: none */
	uint32_t levels;
	const char *function;
};

struct making {
	struct debug *d;
	struct debug_inlined *all;
	struct inlined_file *out;
	struct owner *owners;
	size_t n_owners, cap_owners;
	uint32_t *owner; /* of each instruction */
	uint64_t left;	 /* marks that may still be set */
};

static uint32_t add_loc(struct debug_inlined *t, struct isa_loc l)
{
	t->locs = xgrow(t->locs, &t->cap_locs, t->n_locs + 1, sizeof *t->locs);
	t->locs[t->n_locs] = l;
	return MADE | (uint32_t)t->n_locs++;
}

static uint32_t add_owner(struct making *m, struct owner o)
{
	m->owners = xgrow(m->owners, &m->cap_owners, m->n_owners + 1, sizeof *m->owners);
	m->owners[m->n_owners] = o;
	return (uint32_t)m->n_owners++;
}

/* A scope in another one: instructions that are the outer one's become its own. */
static void enter(struct making *m, const struct cscope *s, uint32_t outer)
{
	struct owner o = m->owners[outer];
	o.scope = s;
	if (s->is_apart) { /* the column keeps calls on one line apart */
		o.call = add_loc(m->all, (struct isa_loc){.file = s->call_file,
							  .line = s->call_line,
							  .col = (uint32_t)m->n_owners,
							  .inlined_at = o.call,
							  .function = o.function});
		o.levels++;
		o.function = s->linkage;
	}
	uint32_t own = add_owner(m, o);
	for (uint32_t i = 0; i < s->n_pieces; i++)
		for (uint32_t pc = s->pieces[i].first; pc < s->pieces[i].end && m->left; pc++, m->left--)
			if (pc - m->out->first < m->out->n && m->owner[pc - m->out->first] == outer)
				m->owner[pc - m->out->first] = own;
	for (const struct cscope *c = s->child; c; c = c->next)
		enter(m, c, own);
}

static uint32_t levels_of(const struct isa_program *p, uint32_t loc)
{
	uint32_t n = 0;
	for (; n < DEBUG_INLINED_MAX && loc < p->n_locs && p->locs[loc].inlined_at < p->n_locs; n++)
		loc = p->locs[loc].inlined_at;
	return n;
}

/* What .loc tells as well stays as it is. */
static void make_locs(struct making *m)
{
	const struct isa_program *p = debug_program(m->d);
	uint32_t before = ISA_NO_LOC, owner = 0;
	for (uint32_t i = 0; i < m->out->n; i++) {
		const struct owner *o = &m->owners[m->owner[i]];
		uint32_t loc = p->where[m->out->first + i].loc;
		if (!o->levels || o->levels == levels_of(p, loc))
			continue;
		if (!m->out->loc) {
			m->out->loc = xcalloc(m->out->n, sizeof *m->out->loc);
			memset(m->out->loc, 0xff, m->out->n * sizeof *m->out->loc);
		}
		if (i && m->out->loc[i - 1] != ISA_NO_LOC && loc == before && m->owner[i] == owner) {
			m->out->loc[i] = m->out->loc[i - 1];
			continue;
		}
		struct isa_loc made = loc < p->n_locs ? p->locs[loc] : (struct isa_loc){0};
		made.inlined_at = o->call;
		made.function = o->function;
		m->out->loc[i] = add_loc(m->all, made);
		before = loc;
		owner = m->owner[i];
	}
}

static void read_file(struct debug *d, uint32_t file, struct inlined_file *out)
{
	const struct isa_program *p = debug_program(d);
	uint32_t end = 0;
	out->done = true;
	out->first = UINT32_MAX;
	bool any = false;
	for (uint32_t i = 0; i < p->n_functions; i++) {
		const struct isa_function *f = p->functions[i];
		if (f->file != file || f->first == f->end)
			continue;
		out->first = f->first < out->first ? f->first : out->first;
		end = f->end > end ? f->end : end;
		any = any || (!f->unloaded && d->scopes_of(d, f));
	}
	if (!any)
		return;
	out->n = end - out->first;
	struct making m = {.d = d, .all = d->view->inlined_code, .out = out, .left = (uint64_t)out->n * MARKS_EACH};
	m.owner = xcalloc(out->n, sizeof *m.owner);
	add_owner(&m, (struct owner){.call = ISA_NO_LOC});
	for (uint32_t i = 0; i < p->n_functions; i++) {
		const struct cscope *s = p->functions[i]->file == file && !p->functions[i]->unloaded
						 ? d->scopes_of(d, p->functions[i])
						 : NULL;
		if (s)
			enter(&m, s, 0);
	}
	make_locs(&m);
	free(m.owner);
	free(m.owners);
}

static struct inlined_file *file_of(struct debug *d, uint32_t file)
{
	uint32_t n = debug_program(d)->n_files;
	if (!d->view->inlined_code)
		d->view->inlined_code = xcalloc(1, sizeof *d->view->inlined_code);
	struct debug_inlined *t = d->view->inlined_code;
	if (t->n_files < n) {
		t->files = xrealloc(t->files, n * sizeof *t->files);
		memset(t->files + t->n_files, 0, (n - t->n_files) * sizeof *t->files);
		t->n_files = n;
	}
	if (file >= t->n_files)
		return NULL;
	if (!t->files[file].done)
		read_file(d, file, &t->files[file]);
	return &t->files[file];
}

void debug_inlined_free(struct debug *d)
{
	struct debug_inlined *t = d->view->inlined_code;
	for (uint32_t i = 0; t && i < t->n_files; i++)
		free(t->files[i].loc);
	if (t) {
		free(t->files);
		free(t->locs);
	}
	free(t);
	d->view->inlined_code = NULL;
}

/* ---- .loc's by index ---- */

uint32_t debug_loc_at(struct debug *d, uint32_t pc)
{
	const struct isa_program *p = debug_program(d);
	if (pc >= p->n_insns)
		return ISA_NO_LOC;
	const struct inlined_file *f = file_of(d, p->where[pc].file);
	if (f && f->loc && pc - f->first < f->n && f->loc[pc - f->first] != ISA_NO_LOC)
		return f->loc[pc - f->first];
	return p->where[pc].loc < p->n_locs ? p->where[pc].loc : ISA_NO_LOC;
}

const struct isa_loc *debug_loc(const struct debug *d, uint32_t loc)
{
	const struct isa_program *p = debug_program(d);
	if (loc == ISA_NO_LOC)
		return NULL;
	if (loc & MADE)
		return d->view->inlined_code && (loc & ~MADE) < d->view->inlined_code->n_locs
			       ? &d->view->inlined_code->locs[loc & ~MADE]
			       : NULL;
	return loc < p->n_locs ? &p->locs[loc] : NULL;
}

uint32_t debug_loc_outer(const struct debug *d, uint32_t loc)
{
	const struct isa_loc *l = debug_loc(d, loc);
	return l && debug_loc(d, l->inlined_at) ? l->inlined_at : ISA_NO_LOC;
}

size_t debug_loc_count(const struct debug *d)
{
	return (size_t)debug_program(d)->n_locs + (d->view->inlined_code ? d->view->inlined_code->n_locs : 0);
}

size_t debug_loc_number(const struct debug *d, uint32_t loc)
{
	return loc & MADE ? (size_t)debug_program(d)->n_locs + (loc & ~MADE) : loc;
}

uint32_t debug_loc_numbered(const struct debug *d, size_t number)
{
	const uint32_t n = debug_program(d)->n_locs;
	return number < n ? (uint32_t)number : MADE | (uint32_t)(number - n);
}

/* ---- levels ---- */

static uint32_t loc_levels(const struct debug *d, uint32_t loc)
{
	uint32_t n = 0;
	while (n < DEBUG_INLINED_MAX && (loc = debug_loc_outer(d, loc)) != ISA_NO_LOC)
		n++;
	return n;
}

static uint32_t outwards(const struct debug *d, uint32_t loc, uint32_t levels)
{
	while (levels--)
		loc = debug_loc_outer(d, loc);
	return loc;
}

uint32_t debug_inlined_levels(struct debug *d, uint32_t pc) { return loc_levels(d, debug_loc_at(d, pc)); }

uint32_t debug_loc_of_level(struct debug *d, uint32_t pc, uint32_t level)
{
	return outwards(d, debug_loc_at(d, pc), level);
}

/* Is code at two .loc's of the same call of the same function? */
static bool same_call(const struct debug *d, uint32_t a, uint32_t b)
{
	for (uint32_t n = 0; n <= DEBUG_INLINED_MAX; n++) {
		const struct isa_loc *x = debug_loc(d, a), *y = debug_loc(d, b);
		const struct isa_loc *from = debug_loc(d, a = debug_loc_outer(d, a));
		const struct isa_loc *to = debug_loc(d, b = debug_loc_outer(d, b));
		if (!from || !to)
			return from == to;
		if (from->file != to->file || from->line != to->line || from->col != to->col ||
		    strcmp(x->function ? x->function : "", y->function ? y->function : ""))
			return false;
	}
	return true;
}

/* Does the call that is `level` up at an instruction begin there? As in gdb: is the code in front of it none of the call's? */
static bool begins(struct debug *d, uint32_t pc, uint32_t loc)
{
	const struct isa_function *f = isa_program_function_at(debug_program(d), pc);
	if (!f || pc == f->first)
		return true;
	uint32_t before = debug_loc_at(d, pc - 1), levels = loc_levels(d, loc), n = loc_levels(d, before);
	return n < levels || !same_call(d, outwards(d, before, n - levels), loc);
}

void debug_line_frame(struct debug *d, uint32_t pc, uint32_t level, struct debug_line_frame *out)
{
	*out = (struct debug_line_frame){.loc = debug_loc_at(d, pc), .at = debug_position_at(d, pc)};
	uint32_t shown = debug_shown_level(d, out->loc), at;
	if (shown != DEBUG_NO_LEVEL) {
		out->loc = outwards(d, out->loc, shown);
		out->level = shown;
	}
	if (level > out->level) {
		out->loc = outwards(d, out->loc, level - out->level);
		out->level = level;
		const struct isa_loc *l = debug_loc(d, out->loc);
		if (l)
			out->at = (struct debug_position){l->file, l->line};
	}
	out->levels = loc_levels(d, out->loc);
	for (at = out->loc; out->begun < out->levels && begins(d, pc, at); at = debug_loc_outer(d, at))
		out->begun++;
}

bool debug_is_within(struct debug *d, const struct debug_line_frame *inner, const struct debug_line_frame *outer)
{
	return inner->levels >= outer->levels &&
	       (!outer->levels || same_call(d, outwards(d, inner->loc, inner->levels - outer->levels), outer->loc));
}

void debug_line_frame_up(struct debug *d, struct debug_line_frame *f, uint32_t levels)
{
	if (!levels)
		return;
	f->loc = outwards(d, f->loc, levels);
	f->level += levels;
	f->levels -= levels;
	f->begun -= levels < f->begun ? levels : f->begun;
	const struct isa_loc *l = debug_loc(d, f->loc);
	f->at = l ? (struct debug_position){l->file, l->line} : (struct debug_position){0};
}

/* ---- calls that a thread stands in front of ---- */

void debug_unentered_set(struct debug *d, const struct debug_where *w, uint32_t levels)
{
	d->view->unentered = levels;
	if (!w->w)
		d->view->unentered = 0;
	if (!d->view->unentered)
		return;
	d->view->unentered_by = (struct debug_stood){
		.launch = w->thread.launch, .cta = w->thread.cta, .warp = w->warp_index, .executed = w->w->executed};
	d->view->unentered_pc = w->pc;
}

uint32_t debug_unentered(const struct debug *d, const struct debug_where *w)
{
	const struct debug_stood *by = &d->view->unentered_by;
	bool is = d->view->unentered && d->settings.lines != DEBUG_LINES_PTX && w->w &&
		  w->pc == d->view->unentered_pc && w->thread.launch == by->launch && w->thread.cta == by->cta &&
		  w->warp_index == by->warp && w->w->executed == by->executed;
	return is ? d->view->unentered : 0;
}

void debug_unentered_of(struct debug *d, const struct debug_where *w, const char *function)
{
	struct debug_line_frame f;
	uint32_t level = 0;
	debug_unentered_set(d, w, 0);
	if (!debug_shows_cuda(d, w->pc) || !debug_inlined_levels(d, w->pc))
		return;
	debug_line_frame(d, w->pc, 0, &f);
	for (uint32_t loc = f.loc; level <= f.begun; level++, loc = debug_loc_outer(d, loc)) {
		const struct isa_loc *l = debug_loc(d, loc);
		const struct isa_function *own = isa_program_function_at(debug_program(d), w->pc);
		const char *name = level < f.levels ? l->function : own ? own->name : NULL;
		if (name && debug_name_fits(d, function, strlen(function), name)) {
			debug_unentered_set(d, w, level ? f.level + level : 0);
			return;
		}
	}
}

uint32_t debug_call_at(struct debug *d, uint32_t pc, struct debug_position line, uint32_t *level)
{
	struct debug_line_frame f;
	debug_line_frame(d, pc, 0, &f);
	uint32_t loc = f.loc;
	for (uint32_t k = 1; k <= f.begun; k++) {
		loc = debug_loc_outer(d, loc);
		const struct isa_loc *l = debug_loc(d, loc);
		*level = f.level + k;
		if (l && l->file == line.file && l->line == line.line)
			return loc;
	}
	return ISA_NO_LOC;
}

void debug_unentered_at(struct debug *d, const struct debug_where *w, struct debug_position line)
{
	uint32_t level = 0;
	bool is = debug_shows_cuda(d, w->pc) && debug_call_at(d, w->pc, line, &level) != ISA_NO_LOC;
	debug_unentered_set(d, w, is ? level : 0);
}

struct debug_position debug_shown_position(struct debug *d, const struct debug_where *w)
{
	struct debug_line_frame f;
	uint32_t level = debug_unentered(d, w);
	if (!level)
		return debug_position_at(d, w->pc);
	debug_line_frame(d, w->pc, level, &f);
	return f.at;
}
