/* Windows of the past: see window.h. In a window each warp instruction is a step, in the order in which the machine executed them; each access that
 * writes is an event, found by the 64-byte line of memory. */
#include "history/window.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/view/view.h"
#include "exec/shuffle.h"
#include "history/window_internal.h"
#include "isa/opcodes.h"

#define WINDOWS 8u
#define BYTES_MOST ((size_t)160 << 20) /* of all windows together */
#define MISSES_FREE 1u		 /* that are answered without windows: a short look needs none */
#define LENGTH_LEAST UINT64_C(1024) /* instructions of the warp that a window ends with */
#define ANSWERS_GOOD 8u		 /* after so many the next window is longer */
#define NEAR UINT64_C(64)	 /* what isn't found so near a window's beginning is looked for in the window in front of it */

struct windows {
	struct history *h;
	struct window window[WINDOWS];
	size_t latest; /* the one that was recorded last */
	bool grows;
	uint64_t length;
	uint32_t n_misses;
};

struct windows *windows_create(struct history *h)
{
	struct windows *v = xcalloc(1, sizeof *v);
	v->h = h;
	v->length = LENGTH_LEAST;
	return v;
}

void windows_free(struct windows *v)
{
	for (size_t k = 0; v && k < WINDOWS; k++)
		window_clear(&v->window[k]);
	free(v);
}

/* ---- steps ---- */

static uint64_t lane_value(const struct window *w, const struct window_step *s, const struct window_write *o, unsigned lane)
{
	const char *row = w->data.bytes + s->data + o->at;
	uint64_t v = 0;
	if (ISA_RW_IS_PRED(o->word)) {
		uint32_t mask;
		memcpy(&mask, row, sizeof mask);
		return mask >> lane & 1;
	}
	memcpy(&v, row + (size_t)o->bytes * lane, o->bytes);
	return v;
}

static uint64_t lane_address(const struct window *w, const struct window_step *s, unsigned lane)
{
	const struct isa_insn *i = &gpu_program(w->h->g)->insns[s->pc];
	const char *row = w->data.bytes + s->data;
	uint64_t base = access_window((enum isa_space)i->space), wide;
	uint32_t narrow;
	if (i->a == ISA_REF_NONE)
		return gpu_device_address(w->h->g, base + (uint64_t)i->imm + (i->flags & ISA_F_ADDR_SP ? s->local_sp : 0));
	if (i->a_bytes == 8) {
		memcpy(&wide, row + 8 * (size_t)lane, 8);
		return gpu_device_address(w->h->g, base + wide + (uint64_t)i->imm);
	}
	memcpy(&narrow, row + 4 * (size_t)lane, 4);
	return gpu_device_address(w->h->g, base + (uint32_t)(narrow + (uint32_t)i->imm));
}

/* What a step was for one lane. */
static void fill_step(const struct window *w, const struct window_step *s, unsigned lane, struct debug_step *out)
{
	const struct window_insn *i = window_insn(w, s->pc);
	*out = (struct debug_step){.pc = s->pc,
				   .active = s->active >> lane & 1,
				   .executes = s->executes >> lane & 1,
				   .lane = (uint8_t)lane,
				   .executed = s->executed,
				   .cycle = s->cycle,
				   .frame = s->frame,
				   .depth = s->depth,
				   .local_sp = s->local_sp};
	if (!out->executes)
		return;
	if (i->what == WINDOW_ACCESS)
		out->address = lane_address(w, s, lane);
	if (i->what == WINDOW_SHUFFLE)
		out->lane = (uint8_t)w->data.bytes[s->data + lane];
	out->has_values = s->has_values;
	for (uint32_t k = 0; s->has_values && k < i->n_writes; k++)
		out->value[k] = lane_value(w, s, &i->write[k], lane);
}

/* Returns the warp of a window that a thread is in, or NULL. */
static const struct window_warp *warp_with(const struct window *w, const struct debug_thread *t)
{
	return w->n_warps ? window_warp_find(w, t->launch, t->cta, exec_warp_of(gpu_exec(w->h->g), t->thread)) : NULL;
}

/* Returns the warp's steps in a window up to number `executed` (exclusive), or NULL. */
static const struct window_warp *warp_in(const struct window *w, const struct debug_thread *t, uint64_t executed)
{
	const struct window_warp *p = warp_with(w, t);
	return p && executed > p->first && executed <= p->first + p->n ? p : NULL;
}

/* Finds the window that has most of what the thread's warp executed just in front of a number. */
static const struct window_warp *warp_of(struct windows *v, const struct debug_thread *t, uint64_t executed,
					 struct window **out)
{
	const struct window_warp *best = NULL;
	for (size_t k = 0; k < WINDOWS; k++) {
		const size_t at = (v->latest + k) % WINDOWS;
		const struct window_warp *p = warp_in(&v->window[at], t, executed);
		if (!p || (best && best->first <= p->first))
			continue;
		best = p;
		*out = &v->window[at];
	}
	return best;
}

/* Returns true if the step writes the register; *which: its place among the registers that are recorded. */
static bool step_writes(const struct window *w, const struct window_step *s, uint32_t word, uint32_t *which)
{
	const struct window_insn *i = window_insn(w, s->pc);
	for (*which = 0; *which < i->n_writes; ++*which)
		if (i->write[*which].word == word)
			return true;
	return i->what == WINDOW_CALL && debug_writes(w->h->d, s->pc, word, which);
}

/* Returns whether what an instruction's function calls has the same registers (callp of PTXPlus). */
static bool shares_registers(const struct window *w, uint32_t pc)
{
	const struct isa_function *f = isa_program_function_at(gpu_program(w->h->g), pc);
	return f && f->has_plus;
}

enum window_answer windows_source(struct windows *v, const struct debug_thread *t, const struct trace_point *p,
				  uint32_t word, struct debug_step *out, uint64_t *first)
{
	const unsigned lane = v ? exec_lane_of(gpu_exec(v->h->g), t->thread) : 0;
	struct window *w = NULL;
	uint32_t which;
	const struct window_warp *warp = v ? warp_of(v, t, p->executed, &w) : NULL;
	if (!warp)
		return WINDOW_UNKNOWN;
	bool is_seen = false;
	*first = warp->first;
	for (uint64_t k = p->executed - warp->first; k-- > 0;) {
		const struct window_step *s = &w->step[warp->step[k]];
		if (!(s->active >> lane & 1))
			continue;
		const bool is_own = s->frame == p->frame && (s->depth == p->depth || shares_registers(w, s->pc));
		if (!is_own && s->depth < p->depth)
			return WINDOW_CALLED;
		if (!is_own)
			continue;
		is_seen = true;
		out->pc = s->pc;
		if (!(s->executes >> lane & 1) || !step_writes(w, s, word, &which))
			continue;
		if (window_insn(w, s->pc)->what == WINDOW_CALL || !s->has_values)
			return WINDOW_CALLED;
		fill_step(w, s, lane, out);
		w->n_answers++;
		return WINDOW_FOUND;
	}
	const bool is_near = warp->first && p->executed - warp->first < NEAR;
	return is_near ? WINDOW_UNKNOWN : warp->first && is_seen ? WINDOW_EARLIER : WINDOW_CALLED;
}

bool windows_step(struct windows *v, const struct debug_thread *t, uint64_t executed, uint32_t pc,
		  struct debug_step *out)
{
	const unsigned lane = v ? exec_lane_of(gpu_exec(v->h->g), t->thread) : 0;
	struct window *w = NULL;
	const struct window_warp *warp = v ? warp_of(v, t, executed + 1, &w) : NULL;
	if (!warp && v) /* the number may be one more than the instruction's */
		warp = warp_of(v, t, executed, &w);
	for (uint64_t k = warp ? executed + 1 - warp->first : 0; k-- > 0;) {
		if (k >= warp->n)
			continue;
		const struct window_step *s = &w->step[warp->step[k]];
		if (s->pc != pc || !(s->executes >> lane & 1))
			continue;
		fill_step(w, s, lane, out);
		w->n_answers++;
		return s->has_values || !window_insn(w, pc)->n_writes;
	}
	return false;
}

bool windows_trace(struct windows *v, const struct debug_thread *t, uint64_t first, uint64_t end, struct trace *out)
{
	const unsigned lane = v ? exec_lane_of(gpu_exec(v->h->g), t->thread) : 0;
	struct window *w = NULL;
	const struct window_warp *warp = v ? warp_of(v, t, end, &w) : NULL;
	if (!warp || warp->first > first || (warp->first + warp->n == end && !warp->has_ahead))
		return false;
	out->end = end;
	out->cut = first;
	out->step = xgrow(out->step, &out->cap, end - first + 1, sizeof *out->step);
	for (out->n = 0; out->n < end - first; out->n++)
		fill_step(w, &w->step[warp->step[first - warp->first + out->n]], lane, &out->step[out->n]);
	const struct window_step *ahead =
		end < warp->first + warp->n ? &w->step[warp->step[end - warp->first]] : &warp->ahead;
	fill_step(w, ahead, lane, &out->ahead);
	out->ahead.has_values = false;
	out->has_ahead = true;
	w->n_answers++;
	return true;
}

/* ---- writes ---- */

/* Stores how many steps had been recorded where the search ends. Returns false if the window doesn't say. */
static bool end_of(const struct window *w, const struct until *u, uint32_t *at)
{
	struct history_position now = w->end;
	if (!u->thread) {
		*at = (uint32_t)w->n;
		return !history_compare(&now, u->limit);
	}
	const uint64_t executed = u->executed + u->past;
	const struct window_warp *p = warp_with(w, u->thread);
	if (!p || executed < p->first || executed > p->first + p->n)
		return false;
	if (executed < p->first + p->n) {
		*at = p->step[executed - p->first];
		return true;
	}
	*at = (uint32_t)w->n;
	return p == &w->warp[w->goal] && executed == w->goal_executed;
}

static bool same_block(const struct debug_thread *a, const struct window_warp *p)
{
	return a->launch == p->launch && a->cta == p->cta;
}

/* Returns true if the lane's access touches the bytes; *covers: all of them. */
static bool touches(const struct window *w, const struct window_event *e, unsigned lane, const struct where_bytes *b,
		    bool *covers)
{
	const struct window_warp *p = &w->warp[e->warp];
	const uint64_t at = window_event_address(w, e, lane);
	*covers = at <= b->generic && b->generic + b->n <= at + e->size;
	if (at >= b->generic + b->n || b->generic >= at + e->size)
		return false;
	if (b->generic >= ISA_SHARED_WINDOW && b->generic < ISA_PARAM_WINDOW && !same_block(&b->thread, p))
		return false;
	return !trace_is_local(b->generic) || exec_thread_of(gpu_exec(w->h->g), p->index, lane) == b->thread.thread;
}

static bool is_own(const struct window *w, const struct window_event *e, const struct until *u)
{
	const struct window_warp *p = &w->warp[e->warp];
	return u->past && same_block(u->thread, p) && p->index == exec_warp_of(gpu_exec(w->h->g), u->thread->thread) &&
	       e->lanes >> exec_lane_of(gpu_exec(w->h->g), u->thread->thread) & 1 && e->pc == u->pc && e->executed == u->executed;
}

static void fill_write(const struct window *w, const struct window_event *e, unsigned lane, const struct where_bytes *b,
		       struct write *out)
{
	const struct window_warp *p = &w->warp[e->warp];
	const uint64_t at = window_event_address(w, e, lane);
	*out = (struct write){.certain = true,
			      .thread = {.launch = p->launch, .cta = p->cta, .thread = exec_thread_of(gpu_exec(w->h->g), p->index, lane)},
			      .pc = e->pc,
			      .executed = e->executed,
			      .cycle = e->cycle,
			      .address = at,
			      .size = e->size};
	memcpy(out->after, w->data.bytes + e->after + (size_t)lane * e->size + (b->generic - at), b->n);
}

/* Looks for the last of these lanes that wrote to the bytes. */
static enum window_answer look_at_event(struct window *w, const struct window_event *e, uint32_t lanes,
					const struct where_bytes *b, struct write *out)
{
	for (uint32_t left = lanes & e->lanes & ~e->failed; left;) {
		const unsigned lane = 31u - (unsigned)__builtin_clz(left);
		bool covers;
		left &= ~lanes_bit(lane);
		if (!touches(w, e, lane, b, &covers))
			continue;
		if (!covers)
			return WINDOW_UNKNOWN;
		fill_write(w, e, lane, b, out);
		w->n_answers++;
		return WINDOW_FOUND;
	}
	return WINDOW_EARLIER;
}

static enum window_answer look_at_line(struct window *w, const struct where_bytes *b, const struct until *u,
				       uint32_t at, struct write *out)
{
	uint32_t node = window_line_at(w, b, at), own = node, lanes = LANES_ALL;
	for (own = node; u->past && own != WINDOW_NONE; own = w->node[own].before)
		if (is_own(w, &w->event[w->node[own].event], u)) {
			node = own;
			lanes = lanes_bit(exec_lane_of(gpu_exec(w->h->g), u->thread->thread)) - 1;
			break;
		}
	for (; node != WINDOW_NONE; node = w->node[node].before) {
		const enum window_answer a = look_at_event(w, &w->event[w->node[node].event], lanes, b, out);
		if (a == WINDOW_FOUND && lanes != LANES_ALL)
			out->certain = false;
		if (a != WINDOW_EARLIER)
			return a;
		lanes = LANES_ALL;
	}
	return WINDOW_EARLIER;
}

/* As windows_write, in the one window that has the search's end. */
static enum window_answer write_in_one(struct windows *v, const struct where_bytes *b, const struct until *u,
				       struct write *out, struct window_begin *begin)
{
	uint32_t at;
	for (size_t k = 0; k < WINDOWS; k++) {
		struct window *w = &v->window[(v->latest + k) % WINDOWS];
		if (!w->is_recorded || !end_of(w, u, &at))
			continue;
		const enum window_answer a = look_at_line(w, b, u, at, out);
		*begin = (struct window_begin){w->goal_thread, w->goal_first};
		return a == WINDOW_EARLIER && !w->begin_is_known ? WINDOW_UNKNOWN : a;
	}
	return WINDOW_UNKNOWN;
}

enum window_answer windows_write(struct windows *v, const struct where_bytes *b, const struct until *u,
				 struct write *out, struct window_begin *begin)
{
	if (!v || !b->n || b->n > 8 || (b->generic ^ (b->generic + b->n - 1)) >> WINDOW_LINE_SHIFT)
		return WINDOW_UNKNOWN;
	enum window_answer a = write_in_one(v, b, u, out, begin), earlier = a;
	for (size_t k = 1; k < WINDOWS && earlier == WINDOW_EARLIER; k++) {
		struct window_begin next;
		const struct until in_front = {
			.thread = &begin->thread, .executed = begin->executed, .limit = u->limit};
		earlier = write_in_one(v, b, &in_front, out, &next);
		if (earlier == WINDOW_EARLIER)
			*begin = next;
	}
	return earlier == WINDOW_FOUND ? WINDOW_FOUND : a;
}

/* ---- recording ---- */

/* Makes windows longer while they pay. */
static void choose_length(struct windows *v)
{
	const struct window *last = &v->window[v->latest];
	if (!v->grows || !last->is_recorded)
		return;
	const uint64_t had = last->goal_executed - last->goal_first, shorter = (had < v->length ? had : v->length) / 4;
	if (last->has_overflowed || last->n_answers < ANSWERS_GOOD)
		v->length = shorter > LENGTH_LEAST ? shorter : LENGTH_LEAST;
	else if (last->n < WINDOW_STEPS_MOST / 8)
		v->length *= 4;
}

void history_grow_windows(struct history *h) { h->windows->grows = true; }
bool windows_do_grow(const struct windows *v) { return v && v->grows; }

/* Drops the oldest windows until there is room for one more. */
static void drop_oldest(struct windows *v)
{
	size_t n = 0;
	for (size_t k = 0; k < WINDOWS; k++)
		n += v->window[k].data.cap;
	for (size_t k = 0; k < WINDOWS && n > BYTES_MOST / 2; k++) {
		struct window *w = &v->window[(v->latest + k) % WINDOWS];
		n -= w->data.cap;
		window_clear(w);
	}
}

static bool record(struct windows *v, const struct debug_thread *t, uint64_t executed,
		   const struct history_position *limit, bool *failed)
{
	choose_length(v);
	const uint64_t first = executed > 2 * v->length ? executed - v->length : 0;
	v->latest = (v->latest + 1) % WINDOWS;
	drop_oldest(v);
	struct window *w = &v->window[v->latest];
	window_clear(w);
	w->h = v->h;
	*failed = !window_run(w, t, first, executed, limit);
	return !*failed && w->is_recorded;
}

bool windows_record(struct windows *v, const struct debug_thread *t, uint64_t executed,
		    const struct history_position *limit, bool *failed)
{
	*failed = false;
	if (!v || !executed || v->n_misses++ < MISSES_FREE)
		return false;
	return record(v, t, executed, limit, failed) && warp_in(&v->window[v->latest], t, executed);
}
