/* Ways through a log: from a register to the operand that its value came from, from a load to the store. A way ends in front of what the log doesn't
 * know, or what has to be looked at by itself, as the instruction that made the value. */
#include "history/nan_log.h"

#include <stdlib.h>

#define SHORT UINT64_C(1024) /* instructions of the warp that a search's first log has */
#define IN_FRONT UINT64_C(16) /* of the warp's instructions, at least, a log begins in front of the point */

/* The first instructions of a way that grows at its front: a ring, in which the newest take the place of those that aren't named any more. */
#define RING 16u /* a power of two, more than NAN_PLACES */
struct front {
	struct nan_passed passed[RING];
	uint32_t n, n_passed; /* n_passed: ever */
};

/* Where a way is in a log. */
struct walk {
	const struct nan_log *l;
	struct nan_element *w;
	struct front front; /* of the way */
	const struct nan_step *last; /* step that the way has gone back through last, of the thread: */
	struct debug_thread last_thread;
	const struct nan_warp *warp; /* of a register; NULL: the way is in memory */
	size_t before;		     /* steps of the warp that are in front of the point */
	uint32_t order;		     /* of memory: steps that were logged before */
	uint32_t n_steps, n_stores;  /* that the way has gone back */
	bool is_at_write;	     /* the way has ended behind a write that has to be looked at by itself */
};

static const struct nan_insn *insn_of(const struct walk *k, const struct nan_step *s) { return &k->l->insn[s->pc]; }

static struct debug_step step_of(const struct nan_step *s)
{
	return (struct debug_step){
		.pc = s->pc, .executed = s->executed, .cycle = s->cycle, .frame = s->frame, .depth = s->depth};
}

/* ---- ways ---- */

/* Adds an instruction, `times` in a row, in front of all others. */
static void front_add(struct front *f, uint32_t pc, uint32_t times)
{
	struct nan_passed *last = &f->passed[(f->n_passed - 1) % RING];
	f->n += times;
	if (f->n_passed && last->pc == pc)
		last->times += times;
	else
		f->passed[f->n_passed++ % RING] = (struct nan_passed){pc, times};
}

/* Begins with the instructions of a way. */
static void front_begin(struct front *f, const struct nan_way *w)
{
	f->n_passed = 0;
	for (uint32_t k = w->n_passed; k-- > 0;)
		front_add(f, w->passed[k].pc, w->passed[k].times);
	f->n = w->n;
}

/* Stores the instructions as a way. */
static void front_end(const struct front *f, struct nan_way *w)
{
	w->n = f->n;
	w->n_passed = f->n_passed <= NAN_PLACES ? f->n_passed : NAN_PLACES + 1;
	for (uint32_t k = 0; k < w->n_passed; k++)
		w->passed[k] = f->passed[(f->n_passed - 1 - k) % RING];
}

/* Notes that the way has gone back through a step of a thread. */
static void pass(struct walk *k, const struct nan_step *s, const struct debug_thread *t)
{
	front_add(&k->front, s->pc, 1);
	k->last = s;
	k->last_thread = *t;
	k->n_steps++;
}

/* Returns how many steps of the warp are in front of its instruction number `executed`. */
static size_t steps_before(const struct nan_warp *w, uint64_t executed)
{
	size_t low = 0, high = w->n;
	while (low < high) {
		const size_t middle = (low + high) / 2;
		if (w->step[middle].executed < executed)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Goes back through the warp's step with index `at`, to a register in front of it. */
static void go_to_register(struct walk *k, const struct nan_warp *warp, size_t at, unsigned lane, const struct nan_register *r)
{
	const struct nan_step *s = &warp->step[at];
	const struct debug_thread t = {.launch = warp->launch, .cta = warp->cta, .thread = exec_thread_of(k->l->x, warp->index, lane)};
	struct nan_point *p = &k->w->p;
	pass(k, s, &t);
	p->in_memory = false; /* as nan_to_register, of which this is the hot part */
	p->thread = t;
	p->at = (struct trace_point){s->executed, s->frame, s->depth};
	p->reg.kind = DEBUG_OPERAND_REGISTER;
	p->reg.type = p->type = r->type;
	p->reg.word = r->word;
	p->reg.text[0] = 0;
	p->reg.is_address = false;
	k->warp = warp;
	k->before = at;
}

/* Returns true if the element's value may come from a lane's operand of a step. */
static bool is_source(const struct walk *k, const struct nan_step *s, uint32_t operand, unsigned lane)
{
	return k->l->bad[s->bad + 2 * operand + k->w->p.is_of_nan] >> lane & 1;
}

/* ---- registers ---- */

static bool is_in(const struct nan_point *p, const struct nan_step *s)
{
	return s->frame == p->at.frame && s->depth == p->at.depth;
}

/* Finds the result that is the point's register. Returns NULL if the instruction doesn't write it. */
static const struct nan_register *result_of(const struct walk *k, const struct nan_step *s, uint32_t *which)
{
	const struct nan_insn *i = insn_of(k, s);
	for (*which = 0; *which < i->n_results; ++*which)
		if (i->result[*which].word == k->w->p.reg.word)
			return &i->result[*which];
	return NULL;
}

enum found { FOUND_NONE, FOUND_WRITE, FOUND_END /* the activation's begin: the register is a parameter, or unwritten */ };

/* Finds the last step that writes the point's register. If there is none, moves the point to the activation's first step in the log. */
static enum found last_write(struct walk *k, size_t *at, uint32_t *which)
{
	struct nan_point *p = &k->w->p;
	uint64_t first = p->at.executed;
	const uint32_t own = lanes_bit(exec_lane_of(k->l->x, p->thread.thread));
	for (*at = k->before; (*at)-- > 0;) {
		const struct nan_step *s = &k->warp->step[*at];
		if (!(s->active & own))
			continue;
		if (s->depth < p->at.depth)
			return FOUND_END;
		if (!is_in(p, s))
			continue;
		first = s->executed;
		if (s->executes & own && result_of(k, s, which))
			return FOUND_WRITE;
		if (insn_of(k, s)->begins && p->at.depth)
			return FOUND_END;
	}
	p->at.executed = first;
	return FOUND_NONE;
}

/* Continues to the first operand that the value may come from. Returns false if there is none, or it can't be followed. */
static bool go_to_operand(struct walk *k, size_t at)
{
	const struct nan_step *s = &k->warp->step[at];
	const struct nan_insn *i = insn_of(k, s);
	const unsigned lane = exec_lane_of(k->l->x, k->w->p.thread.thread);
	uint32_t o = 0;
	while (o < i->n_operands && !is_source(k, s, o, lane))
		o++;
	if (o == i->n_operands || !i->operand[o].is_followed)
		return false;
	nan_words_add(&k->w->p.words, k->w->p.reg.word);
	k->w->p.n_registers++;
	go_to_register(k, k->warp, at, lane, &i->operand[o]);
	return true;
}

/* Continues to what was loaded. Returns false if that can't be followed. */
static bool go_to_loaded(struct walk *k, size_t at, uint32_t which)
{
	const struct nan_step *s = &k->warp->step[at];
	struct nan_point *p = &k->w->p;
	const struct nan_insn *i = insn_of(k, s);
	const struct debug_step step = step_of(s);
	if (s->access == NAN_NONE || i->result[which].type != p->type || i->wide != isa_type_bytes(p->type))
		return false;
	const uint64_t address = nan_log_address(k->l, &k->l->access[s->access], exec_lane_of(k->l->x, p->thread.thread));
	pass(k, s, &p->thread);
	nan_to_memory(p, &step, p->type, address + (uint64_t)which * i->wide, false);
	k->warp = NULL;
	k->order = s->order;
	return true;
}

/* Goes one step back from a register. Returns false if the way ends in this log. */
static bool go_from_register(struct walk *k)
{
	struct nan_point *p = &k->w->p;
	size_t at;
	uint32_t which;
	const enum found f = last_write(k, &at, &which);
	if (f != FOUND_WRITE)
		return false;
	const struct nan_step *s = &k->warp->step[at];
	const enum nan_what what = insn_of(k, s)->what;
	if (!insn_of(k, s)->is_call) /* a call's results are written when it returns */
		p->at.executed = s->executed + 1;
	if ((what == NAN_WHAT_PLAIN && go_to_operand(k, at)) || (what == NAN_WHAT_LOAD && go_to_loaded(k, at, which)))
		return true;
	k->is_at_write = true;
	return false;
}

/* ---- memory ---- */

/* Continues to the element that a lane has stored. Returns false if that can't be followed. */
static bool go_to_stored(struct walk *k, const struct nan_warp *warp, size_t at, unsigned lane)
{
	const struct nan_step *s = &warp->step[at];
	const struct nan_insn *i = insn_of(k, s);
	const struct nan_point *p = &k->w->p;
	if (s->access == NAN_NONE || !(s->executes >> lane & 1))
		return false;
	const uint64_t from = p->bytes.generic - nan_log_address(k->l, &k->l->access[s->access], lane);
	const uint64_t o = from / i->wide;
	if (from % i->wide || i->wide != p->bytes.n || o >= i->n_operands || !i->operand[o].is_followed ||
	    !is_source(k, s, (uint32_t)o, lane))
		return false;
	k->n_stores++;
	go_to_register(k, warp, at, lane, &i->operand[o]);
	return true;
}

/* Goes to the store. Returns false if the way ends in this log. */
static bool go_from_memory(struct walk *k)
{
	struct nan_point *p = &k->w->p;
	unsigned lane;
	bool is_over;
	if (trace_is_local(p->bytes.generic)) /* calls copy arguments there, which isn't logged */
		return false;
	const struct nan_event *e = nan_log_write(k->l, &p->bytes, k->order, &lane, &is_over);
	if (e)
		return go_to_stored(k, &k->l->warp[e->warp], e->step, lane);
	if (is_over || !k->l->begin_is_known)
		return false;
	p->then = k->l->begin;
	p->has_then = true;
	p->until = (struct until){.thread = NULL};
	return false;
}

/* ---- points ---- */

/* Returns the last write to the element's memory, if it is known already and was a store of a thread. */
static const struct write *known_write(const struct nan_search *s, const struct nan_element *w, size_t k)
{
	const struct nan_write *known = &s->known[k];
	const bool is_stored = known->is_known && known->n == w->n && known->is_found && !known->w.by_host;
	const bool is_logged = w->p.in_memory && !trace_is_local(w->p.bytes.generic);
	return is_logged && is_stored && known->w.certain ? &known->w : NULL;
}

/* Goes to the store that is known to have made what lies in memory. Returns false if the log doesn't have it. */
static bool go_to_known(struct walk *k, const struct write *by)
{
	const struct nan_warp *warp = nan_log_warp(k->l, &by->thread);
	for (size_t at = warp ? steps_before(warp, by->executed + 1) : 0; at-- > 0;) {
		const struct nan_step *s = &warp->step[at];
		if (s->executed + 1 < by->executed)
			return false;
		if (s->pc == by->pc)
			return insn_of(k, s)->what == NAN_WHAT_STORE && go_to_stored(k, warp, at, exec_lane_of(k->l->x, by->thread.thread));
	}
	return false;
}

/* Returns true if writes to the point's register are logged: the program declares it as the float that it is looked at as. */
static bool is_logged(const struct walk *k)
{
	const struct nan_point *p = &k->w->p;
	struct debug_operand r;
	for (size_t at = k->before; at-- > 0;)
		if (is_in(p, &k->warp->step[at]))
			return debug_register_of(k->l->h->d, k->warp->step[at].pc, p->reg.word, &r) && nan_is_float(r.type) &&
			       r.type == p->type;
	return false;
}

/* Finds the point in the log. Returns false if the log doesn't have it. */
static bool find_point(struct walk *k, const struct history_position *end)
{
	const struct nan_point *p = &k->w->p;
	const struct debug_thread *t = p->in_memory ? &p->until_thread : &p->thread;
	const struct nan_warp *warp = nan_log_warp(k->l, t);
	if (p->in_memory && p->has_then) {
		k->order = k->l->order;
		return end && !history_compare(end, &p->then);
	}
	if (!warp)
		return false;
	if (!p->in_memory) {
		k->warp = warp;
		k->before = steps_before(warp, p->at.executed);
		return p->at.executed <= warp->end && is_logged(k);
	}
	const size_t at = steps_before(warp, p->until.executed);
	if (p->until.past || at == warp->n || warp->step[at].executed != p->until.executed || warp->step[at].pc != p->until.pc)
		return false;
	k->order = warp->step[at].order;
	return true;
}

/* Follows an element as far as the log leads. `end`: where the log ends, or NULL. */
static void follow(struct nan_search *s, struct nan_element *w, size_t j, const struct history_position *end)
{
	struct walk k = {.l = s->log, .w = w};
	struct trace *t = &s->group.trace[j];
	front_begin(&k.front, &w->o.way);
	const struct write *by = known_write(s, w, j);
	bool on = by ? go_to_known(&k, by) : find_point(&k, end);
	while (on)
		on = k.warp ? go_from_register(&k) : go_from_memory(&k);
	w->was_logged = k.n_stores > 0;
	if (k.last) {
		front_end(&k.front, &w->o.way);
		w->o.step = step_of(k.last);
		w->o.thread = k.last_thread;
		w->cycle = k.last->cycle;
	}
	if (k.is_at_write)
		w->stuck_at = w->o.way.n + 1;
	if (!k.n_steps)
		return;
	w->n++;
	free(t->step);
	*t = (struct trace){.thread = w->p.thread, .group = &s->group, .is_wanted = true, .wanted_to = w->p.at.executed};
}

/* ---- the stretch ---- */

static bool end_of(const struct nan_search *s, const struct nan_element *w, size_t k, struct nan_end *out)
{
	const struct nan_point *p = &w->p;
	const struct write *by = known_write(s, w, k);
	*out = (struct nan_end){.to = p->in_memory && p->has_then ? &p->then : &s->here};
	if (by)
		*out = (struct nan_end){&by->thread, by->executed + 1, &s->here};
	else if (!p->in_memory)
		*out = (struct nan_end){&p->thread, p->at.executed, &s->here};
	else if (!p->has_then && (p->until.pc || p->until.executed || p->until.past))
		*out = (struct nan_end){&p->until_thread, p->until.executed + 1, &s->here};
	else if (!p->has_then)
		return false;
	return true;
}

/* Takes the machine to the snapshot where the log begins, or the one in front of the warp's instruction number `first`. */
static bool go_to_begin(struct history *h, const struct nan_end *end, uint64_t first)
{
	const uint64_t in_front = end->executed > IN_FRONT ? end->executed - IN_FRONT : 0;
	if (end->thread)
		return trace_go_in_front(h, end->thread, first ? first : in_front, end->to);
	snapshot_go_forward(h, end->to, UINT64_MAX); /* an earlier look may have gone further back */
	const size_t k = snapshot_before(h, end->to, true);
	return k < h->n_snaps && snapshot_go_back(h, k);
}

bool nan_log_follow(struct nan_search *s, struct nan_element *w, size_t n, size_t k)
{
	struct nan_end end;
	const uint32_t had = w[k].o.way.n;
	w[k].stuck_at = had + 1;
	if (!end_of(s, &w[k], k, &end))
		return false;
	const struct debug_thread thread = end.thread ? *end.thread : (struct debug_thread){0};
	const struct history_position to = *end.to;
	const uint64_t first = !s->log && end.executed > SHORT ? end.executed - SHORT : 0;
	end.thread = end.thread ? &thread : NULL; /* elements move */
	end.to = &to;
	if (!s->log)
		s->log = nan_log_create(s->h);
	if (!go_to_begin(s->h, &end, first) || !nan_log_run(s->log, &end, first))
		return false;
	for (size_t j = 0; j < n; j++)
		if (!w[j].is_over)
			follow(s, &w[j], j, end.thread ? NULL : &to);
	return w[k].o.way.n > had;
}
