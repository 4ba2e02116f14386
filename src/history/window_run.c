/* Records a window: see window_internal.h. */
#include "history/window_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/view/view.h"
#include "exec/shuffle.h"
#include "history/window.h"
#include "isa/opcodes.h"

#define DATA_MOST ((size_t)80 << 20) /* bytes; what is recorded up to there is dropped, and the window begins later */

/* ---- what it consists of ---- */

static void clear_records(struct window *w)
{
	w->n = w->n_events = w->n_nodes = 0;
	w->data.n = 0;
	for (size_t k = 0; k < w->n_warps; k++)
		free(w->warp[k].step);
	w->n_warps = 0;
	w->used_slots = 0;
	if (w->n_slots)
		memset(w->slot, 0, w->n_slots * sizeof *w->slot);
	if (w->n_by_slot)
		memset(w->by_slot, 0, w->n_by_slot * sizeof *w->by_slot);
}

void window_clear(struct window *w)
{
	clear_records(w);
	free(w->step);
	free(w->event);
	free(w->node);
	free(w->slot);
	free(w->warp);
	free(w->by_slot);
	free(w->insn);
	free(w->data.bytes);
	*w = (struct window){0};
}

/* Returns the place of n new bytes. */
static size_t new_data(struct window *w, size_t n)
{
	const size_t at = w->data.n;
	w->data.bytes = xgrow(w->data.bytes, &w->data.cap, at + n + 1, 1);
	w->data.n += n;
	return at;
}

/* ---- instructions ---- */

static bool accesses(const struct isa_insn *i)
{
	return isa_op_is_load(i->opcode) || isa_op_is_store(i->opcode) ||
	       isa_opcode_info[i->opcode].family == ISA_FAMILY_ATOM;
}

static void describe_insn(const struct window *w, uint32_t pc, struct window_insn *out)
{
	const struct isa_program *p = gpu_program(w->h->g);
	const struct isa_insn *i = &p->insns[pc];
	const struct isa_where *at = &p->where[pc];
	*out = (struct window_insn){.is_known = true};
	if (accesses(i)) {
		out->what = WINDOW_ACCESS;
		out->head = i->a == ISA_REF_NONE ? 0 : i->a_bytes == 8 ? 8 * LANES : 4 * LANES;
	} else if (i->opcode == ISA_OP_SHFL) {
		out->what = WINDOW_SHUFFLE;
		out->head = LANES;
	} else if (i->opcode == ISA_OP_CALL) {
		out->what = WINDOW_CALL;
	}
	out->n_data = out->head;
	for (uint32_t k = 0; k < at->n_writes && k < DEBUG_STEP_VALUES; k++) {
		struct debug_operand r;
		const uint32_t word = p->rw[at->rw + k], wide = debug_register_of(w->h->d, pc, word, &r) ? debug_reg_bytes(r.type) : 0,
			       bytes = ISA_RW_IS_PRED(word) ? 8 : wide > 8 ? 8 : wide;
		out->write[out->n_writes++] = (struct window_write){word, bytes, out->n_data};
		out->n_data += ISA_RW_IS_PRED(word) ? bytes : bytes * LANES;
	}
}

const struct window_insn *window_insn(const struct window *w, uint32_t pc)
{
	struct window_insn *i = &w->insn[pc];
	if (!i->is_known)
		describe_insn(w, pc, i);
	return i;
}

/* ---- warps ---- */

static bool is_warp(const struct window_warp *p, uint32_t launch, uint64_t cta, uint32_t index)
{
	return p->launch == launch && p->cta == cta && p->index == index;
}

const struct window_warp *window_warp_find(const struct window *w, uint32_t launch, uint64_t cta, uint32_t index)
{
	for (size_t k = w->n_warps; k-- > 0;)
		if (is_warp(&w->warp[k], launch, cta, index))
			return &w->warp[k];
	return NULL;
}

/* Returns the index of a warp that is on the device. */
static uint32_t warp_at(struct window *w, const struct exec_cta *c, const struct exec_warp *warp)
{
	const size_t at = (size_t)warp->cta * EXEC_WARPS_PER_CTA + warp->index;
	if (at >= w->n_by_slot) {
		const size_t n = (at + 1) * 2;
		w->by_slot = xrealloc(w->by_slot, n * sizeof *w->by_slot);
		memset(w->by_slot + w->n_by_slot, 0, (n - w->n_by_slot) * sizeof *w->by_slot);
		w->n_by_slot = n;
	}
	const uint32_t known = w->by_slot[at];
	if (known && is_warp(&w->warp[known - 1], c->launch, c->linear, warp->index))
		return known - 1;
	w->warp = xgrow(w->warp, &w->cap_warps, w->n_warps + 1, sizeof *w->warp);
	w->warp[w->n_warps++] =
		(struct window_warp){.launch = c->launch, .cta = c->linear, .index = warp->index};
	w->by_slot[at] = (uint32_t)w->n_warps;
	return (uint32_t)w->n_warps - 1;
}

/* ---- steps ---- */

static uint64_t cycle_now(const struct window *w)
{
	const struct exec *x = gpu_exec(w->h->g);
	return gpu_cycle(w->h->g) + x->n_warp_insns + x->n_run;
}

/* Copies the rows that a step has written. The step has been executed, and nothing of its warp since. */
static void finish_step(struct window *w, struct window_step *s, const struct exec_warp *warp)
{
	const struct exec *x = gpu_exec(w->h->g);
	const struct window_insn *i = window_insn(w, s->pc);
	if (!s->executes || s->has_values)
		return;
	for (uint32_t k = 0; k < i->n_writes; k++) {
		const struct window_write *o = &i->write[k];
		char *to = w->data.bytes + s->data + o->at;
		if (ISA_RW_IS_PRED(o->word))
			memcpy(to, &exec_preds(x, s->frame)[ISA_RW_PRED_SLOT(o->word)], sizeof(uint32_t));
		else
			memcpy(to, exec_row(x, warp, s->frame, o->word), (size_t)o->bytes * LANES);
	}
	s->has_values = true;
}

/* Reads what lies in front of the instruction. */
static void begin_step(struct window *w, struct window_step *s, const struct exec_warp *warp)
{
	const struct exec *x = gpu_exec(w->h->g);
	const struct isa_insn *i = &x->program->insns[s->pc];
	const struct window_insn *known = window_insn(w, s->pc);
	s->data = new_data(w, known->n_data);
	char *head = w->data.bytes + s->data;
	if (known->what == WINDOW_ACCESS && known->head)
		memcpy(head, exec_row(x, warp, s->frame, i->a), known->head);
	if (known->what != WINDOW_SHUFFLE)
		return;
	const uint32_t *b = exec_row(x, warp, s->frame, i->b), *c = exec_row(x, warp, s->frame, i->c);
	for (unsigned lane = 0; lane < LANES; lane++) {
		bool in_range;
		head[lane] = (char)exec_shuffle_source(i->handler, lane, b[lane], c[lane], x->warp_threads, &in_range);
	}
}

static struct window_step step_ahead(const struct window *w, const struct exec_warp *warp, uint32_t index, uint32_t pc,
				     uint64_t executed)
{
	const struct exec *x = gpu_exec(w->h->g);
	const struct exec_simt *top = exec_simt_top(x, warp);
	const uint32_t guard = x->program->insns[pc].guard;
	const uint32_t p = guard == ISA_PRED_TRUE ? LANES_ALL : exec_preds(x, top->frame)[ISA_PRED_SLOT(guard)];
	return (struct window_step){.executed = executed,
				    .cycle = cycle_now(w),
				    .frame = top->frame,
				    .pc = pc,
				    .active = top->mask,
				    .executes = top->mask & (guard != ISA_PRED_TRUE && guard & ISA_PRED_NOT ? ~p : p),
				    .depth = top->call_depth,
				    .local_sp = top->local_sp,
				    .warp = index};
}

/* Begins again here, as there is too much. The warp that the window ends with is in front of its instruction number `executed`. */
static void begin_later(struct window *w, uint64_t executed)
{
	clear_records(w);
	w->goal_first = executed;
	w->has_overflowed = true;
}

/* Begins again here, as the host has changed something. */
static void begin_behind_input(struct window *w)
{
	clear_records(w);
	w->begin_is_known = false;
	w->input = w->h->input;
}

static bool is_goal(const struct window *w, const struct exec_cta *c, const struct exec_warp *warp)
{
	const struct debug_thread *t = &w->goal_thread;
	return c->launch == t->launch && c->linear == t->cta && warp->index == exec_warp_of(gpu_exec(w->h->g), t->thread);
}

static void look(void *self, const struct exec_cta *c, const struct exec_warp *warp, uint32_t pc, uint64_t executed)
{
	struct window *w = self;
	if ((w->n >= WINDOW_STEPS_MOST || w->data.n > DATA_MOST) && is_goal(w, c, warp))
		begin_later(w, executed);
	if (w->input != w->h->input)
		begin_behind_input(w);
	const uint32_t index = warp_at(w, c, warp);
	struct window_warp *p = &w->warp[index];
	const uint64_t next = p->first + p->n;
	if (p->n && executed == next)
		finish_step(w, &w->step[p->step[p->n - 1]], warp);
	else if (p->n && executed + 1 == next)
		return; /* it stood in front of it before */
	else
		p->n = 0;
	if (!p->n)
		p->first = executed;
	w->step = xgrow(w->step, &w->cap, w->n + 1, sizeof *w->step);
	w->step[w->n] = step_ahead(w, warp, index, pc, executed);
	begin_step(w, &w->step[w->n], warp);
	p->step = xgrow(p->step, &p->cap, p->n + 1, sizeof *p->step);
	p->step[p->n++] = (uint32_t)w->n++;
}

/* ---- events ---- */

uint64_t window_event_address(const struct window *w, const struct window_event *e, unsigned lane)
{
	uint64_t at;
	if (e->in_halves)
		return e->start[lane / 16] + lane % 16 * e->step;
	memcpy(&at, w->data.bytes + e->address + 8 * (size_t)lane, sizeof at);
	return at;
}

static uint64_t line_key(uint64_t generic, uint32_t launch, uint64_t cta, uint32_t thread)
{
	uint64_t key = generic >> WINDOW_LINE_SHIFT;
	if (generic >= ISA_SHARED_WINDOW && generic < ISA_PARAM_WINDOW)
		key ^= (cta * 64 + launch + 1) << 32;
	if (trace_is_local(generic))
		key ^= (uint64_t)(thread + 1) << 48;
	return key;
}

/* Returns the slot of a line: the line's own, or a free one. */
static struct window_slot *slot_of(const struct window *w, uint64_t key)
{
	size_t k = (key * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (w->n_slots - 1);
	while (w->slot[k].node && w->slot[k].key != key)
		k = (k + 1) & (w->n_slots - 1);
	return &w->slot[k];
}

static void grow_slots(struct window *w)
{
	struct window_slot *old = w->slot;
	const size_t n = w->n_slots;
	w->n_slots = n ? 4 * n : 4096;
	w->slot = xcalloc(w->n_slots, sizeof *w->slot);
	for (size_t k = 0; k < n; k++)
		if (old[k].node)
			*slot_of(w, old[k].key) = old[k];
	free(old);
}

uint32_t window_line_at(const struct window *w, const struct where_bytes *b, uint32_t at)
{
	if (!w->n_slots)
		return WINDOW_NONE;
	struct window_slot *s = slot_of(w, line_key(b->generic, b->thread.launch, b->thread.cta, b->thread.thread));
	if (!s->node)
		return WINDOW_NONE;
	/* searches go back: the next one begins where the last one came to */
	uint32_t node = s->asked && at <= s->asked_at ? s->asked - 1 : s->node - 1;
	while (node != WINDOW_NONE && w->event[w->node[node].event].at > at)
		node = w->node[node].before;
	s->asked = node + 1;
	s->asked_at = at;
	return node;
}

static void add_node(struct window *w, uint64_t key)
{
	if (w->used_slots * 2 >= w->n_slots)
		grow_slots(w);
	struct window_slot *s = slot_of(w, key);
	const uint32_t event = (uint32_t)w->n_events - 1;
	if (s->node && w->node[s->node - 1].event == event)
		return;
	w->used_slots += !s->node;
	w->node = xgrow(w->node, &w->cap_nodes, w->n_nodes + 1, sizeof *w->node);
	w->node[w->n_nodes++] = (struct window_node){event, s->node - 1};
	*s = (struct window_slot){.key = key, .node = (uint32_t)w->n_nodes};
}

static void add_lines(struct window *w, const struct window_event *e)
{
	const struct window_warp *p = &w->warp[e->warp];
	uint64_t last_key = 0;
	LANES_EACH (lane, e->lanes) {
		const uint64_t at = window_event_address(w, e, lane);
		for (uint64_t line = at >> WINDOW_LINE_SHIFT; line <= (at + e->size - 1) >> WINDOW_LINE_SHIFT; line++) {
			const uint64_t key = line_key(line << WINDOW_LINE_SHIFT, p->launch, p->cta,
						      exec_thread_of(gpu_exec(w->h->g), p->index, lane));
			if (key != last_key)
				add_node(w, key);
			last_key = key;
		}
	}
}

/* Copies what lies at the lanes' addresses. */
static void copy_after(struct window *w, const struct exec *x, struct window_event *e)
{
	const struct window_warp *p = &w->warp[e->warp];
	e->after = new_data(w, (size_t)e->size * LANES);
	LANES_EACH (lane, e->lanes) {
		char *to = w->data.bytes + e->after + (size_t)lane * e->size;
		const void *from = exec_peek(x, x->cta, p->index, lane, window_event_address(w, e, lane), e->size);
		if (from)
			memcpy(to, from, e->size);
		else
			memset(to, 0, e->size);
	}
}

static void after(void *self, const struct exec *x, const struct exec_effect *effect)
{
	struct window *w = self;
	const struct exec_access *a = &effect->access;
	if (effect->kind != EXEC_EFFECT_ACCESS || !(a->is_write || a->is_atomic) || w->input != w->h->input)
		return;
	const uint32_t index = warp_at(w, x->cta, x->warp);
	const struct window_warp *p = &w->warp[index];
	struct window_event e = {.at = (uint32_t)w->n,
				 .warp = index,
				 .pc = x->pc,
				 .lanes = a->lanes,
				 .failed = a->is_atomic ? a->failed : 0,
				 .size = a->size,
				 .executed = p->n ? p->first + p->n - 1 : x->warp->executed - 1,
				 .cycle = cycle_now(w),
				 .in_halves = a->in_halves,
				 .step = a->step,
				 .start = {a->start[0], a->start[1]}};
	if (!a->in_halves) {
		e.address = new_data(w, sizeof a->address);
		memcpy(w->data.bytes + e.address, a->address, sizeof a->address);
	}
	copy_after(w, x, &e);
	w->event = xgrow(w->event, &w->cap_events, w->n_events + 1, sizeof *w->event);
	w->event[w->n_events++] = e;
	add_lines(w, &e);
}

/* ---- the run ---- */

/* The machine stands at the window's end. */
static void finish_warp(struct window *w, uint32_t index)
{
	struct window_warp *p = &w->warp[index];
	bool over;
	const int32_t slot = gpu_find_cta(w->h->g, p->launch, p->cta, &over);
	const struct exec_cta *c = slot >= 0 ? gpu_cta(w->h->g, (uint32_t)slot) : NULL;
	const struct exec_warp *warp = c ? &c->warp[p->index] : NULL;
	if (!p->n || !warp || warp->state == EXEC_WARP_DONE || !warp->n_simt)
		return;
	if (warp->executed + 1 == p->first + p->n) { /* it stands in front of it still */
		p->ahead = w->step[p->step[--p->n]];
	} else if (warp->executed == p->first + p->n) {
		finish_step(w, &w->step[p->step[p->n - 1]], warp);
		p->ahead = step_ahead(w, warp, index, exec_simt_top(gpu_exec(w->h->g), warp)->pc, warp->executed);
		begin_step(w, &p->ahead, warp);
	} else {
		return;
	}
	p->has_ahead = true;
}

bool window_run(struct window *w, const struct debug_thread *t, uint64_t first, uint64_t end,
		const struct history_position *limit)
{
	struct history *h = w->h;
	const struct exec_watcher watcher = {.kinds = EXEC_LOOK(ACCESS), .after = after, .self = w};
	struct replay r = {.to = limit, .cycle = UINT64_MAX, .has_warp = true, .warp = *t, .executed = first};
	if (!trace_go_in_front(h, t, first, limit))
		return false;
	if (replay(h, &r) != REPLAY_GOAL)
		return false;
	w->n_insns = gpu_program(h->g)->n_insns;
	w->insn = xcalloc(w->n_insns + 1u, sizeof *w->insn);
	w->begin_is_known = true;
	w->goal_thread = *t;
	w->goal_first = first;
	w->input = h->input;
	r.executed = end;
	r.watcher = &watcher;
	r.look = look;
	r.self = w;
	const enum replay_end e = replay(h, &r);
	if (e != REPLAY_GOAL && e != REPLAY_LIMIT)
		return false;
	if (w->input != h->input)
		begin_behind_input(w);
	for (uint32_t k = 0; k < w->n_warps; k++)
		finish_warp(w, k);
	history_now(h, &w->end);
	const struct window_warp *goal = window_warp_find(w, t->launch, t->cta, exec_warp_of(gpu_exec(w->h->g), t->thread));
	w->goal = goal ? (size_t)(goal - w->warp) : 0;
	w->goal_executed = goal && e == REPLAY_GOAL ? goal->first + goal->n : UINT64_MAX;
	w->is_recorded = w->n_warps > 0;
	return true;
}
