#include "exec/warp_sync.h"

#include <assert.h>
#include <stdio.h>

#include "exec/effect.h"
#include "exec/simt.h"
#include "isa/opcodes.h"
#include "isa/tensor.h"

#define PLACES_BYTES 64u

static uint32_t live_lanes(const struct exec_warp *w) { return w->lanes & ~w->exited; }

static bool is_match(const struct isa_insn *i)
{
	return i->handler == ISA_H_match_any_sync_b32 || i->handler == ISA_H_match_any_sync_b64 ||
	       i->handler == ISA_H_match_all_sync_b32 || i->handler == ISA_H_match_all_sync_b64;
}

/* The membermask's row; ISA_REF_NONE in the forms without .sync. */
static uint32_t members_ref(const struct isa_insn *i)
{
	if (i->handler == ISA_H_bar_warp_sync)
		return i->a;
	return is_match(i) && i->d == ISA_REF_NONE ? i->b : i->d;
}

bool warp_sync_can_wait(const struct exec *x, uint32_t pc)
{
	const struct isa_insn *i = &x->program->insns[pc];
	switch (i->opcode) {
	case ISA_OP_BAR: return i->handler == ISA_H_bar_warp_sync;
	case ISA_OP_SHFL:
	case ISA_OP_VOTE:
	case ISA_OP_MATCH:
	case ISA_OP_REDUX:
	case ISA_OP_ELECT: return members_ref(i) != ISA_REF_NONE;
	case ISA_OP_WGMMA: return i->handler == ISA_H_wgmma;
	case ISA_OP_MMA:
	case ISA_OP_WMMA:
	case ISA_OP_LDMATRIX:
	case ISA_OP_STMATRIX:
	case ISA_OP_MOVMATRIX: return i->handler != ISA_H_UNSUPPORTED;
	default: return false;
	}
}

/* ---- lanes that meet ---- */

struct meeting {
	uint32_t lanes;		 /* at this instruction, those that execute it and those that wait in front of it */
	uint32_t members[LANES]; /* live lanes each of them names */
};

static bool same_place(const struct exec *x, const struct isa_insn *i, uint32_t pc)
{
	/* any bar.warp.sync will do (PTX ISA "bar.warp.sync"); their masks must be the same, see those_ready */
	return pc == x->pc ||
	       (i->handler == ISA_H_bar_warp_sync && x->program->insns[pc].handler == ISA_H_bar_warp_sync);
}

static void gather_lanes(const struct exec *x, const struct isa_insn *i, struct meeting *m)
{
	const struct exec_warp *w = x->warp;
	const uint32_t live = live_lanes(w), *row = exec_src32(x, members_ref(i));
	m->lanes = x->mask;
	LANES_EACH (lane, x->mask)
		m->members[lane] = row[lane] & live;
	LANES_EACH (lane, w->sync_lanes) {
		const struct exec_simt *e = exec_simt_of_lane(x, w, lane);
		if (!same_place(x, i, e->pc))
			continue;
		row = exec_row(x, w, e->frame, members_ref(&x->program->insns[e->pc]));
		m->lanes |= lanes_bit(lane);
		m->members[lane] = row[lane] & live;
	}
}

void warp_sync_members(const struct exec *x, const struct isa_insn *i, uint32_t members[LANES])
{
	struct meeting m = {.lanes = x->mask};
	if (members_ref(i) != ISA_REF_NONE)
		gather_lanes(x, i, &m);
	for (unsigned l = 0; l < LANES; l++)
		members[l] = members_ref(i) == ISA_REF_NONE ? x->mask : m.lanes >> l & 1 ? m.members[l] : 0;
}

uint32_t warp_sync_gone(const struct exec *x, const struct isa_insn *i)
{
	uint32_t gone = 0;
	if (!x->warp->exited || members_ref(i) == ISA_REF_NONE)
		return 0;
	const uint32_t *row = exec_src32(x, members_ref(i));
	LANES_EACH (lane, x->mask)
		gone |= row[lane] & x->warp->exited;
	return gone;
}

/* Lanes that could meet `lane`: at a barrier those with the same mask, elsewhere all. */
static uint32_t partners(const struct isa_insn *i, const struct meeting *m, unsigned lane)
{
	if (i->handler != ISA_H_bar_warp_sync)
		return m->lanes;
	uint32_t same = 0;
	LANES_EACH (other, m->lanes)
		same |= m->members[other] == m->members[lane] ? lanes_bit(other) : 0;
	return same;
}

static uint32_t those_missing(const struct isa_insn *i, const struct meeting *m, unsigned lane)
{
	return m->members[lane] & ~partners(i, m, lane);
}

static uint32_t those_ready(const struct isa_insn *i, const struct meeting *m)
{
	uint32_t ready = 0;
	LANES_EACH (lane, m->lanes)
		ready |= those_missing(i, m, lane) ? 0 : lanes_bit(lane);
	return ready;
}

/* ---- lanes that can't come ---- */

bool warp_sync_all_wait(const struct exec *x, uint32_t here)
{
	const struct exec_warp *w = x->warp;
	return !(live_lanes(w) & ~(w->sync_lanes | w->barrier_lanes | here));
}

/* Returns the membermask that a lane waits with at its entry's instruction. */
static uint32_t members_of(const struct exec *x, const struct exec_simt *e, unsigned lane)
{
	const uint32_t *row = exec_row(x, x->warp, e->frame, members_ref(&x->program->insns[e->pc]));
	return row[lane];
}

void warp_sync_places(const struct exec *x, uint32_t lanes, char *out, size_t n)
{
	const struct exec_warp *w = x->warp;
	uint32_t seen[LANES], n_seen = 0;
	size_t at = 0;
	*out = 0;
	LANES_EACH (lane, lanes) {
		const struct exec_simt *const e = w->sync_lanes & lanes_bit(lane) ? exec_simt_of_lane(x, w, lane) : NULL;
		const uint32_t pc = e ? e->pc : w->barrier_lanes & lanes_bit(lane) ? w->barrier_pc : x->pc;
		uint32_t k = 0;
		while (k < n_seen && seen[k] != pc)
			k++;
		if (k < n_seen)
			continue;
		seen[n_seen++] = pc;
		int wrote = snprintf(out + at, n - at, "%spc 0x%x", at ? ", " : "", pc * ISA_INSN_BYTES);
		if (e && wrote > 0 && (size_t)wrote < n - at)
			wrote += snprintf(out + at + wrote, n - at - (size_t)wrote, ", mask 0x%08x", members_of(x, e, lane));
		if (wrote < 0 || (size_t)wrote >= n - at) {
			out[at] = 0; /* as many as there is room for */
			return;
		}
		at += (size_t)wrote;
	}
}

/* Reports that named lanes wait elsewhere. Returns true if the instruction is executed without them. */
static bool without_missing(struct exec *x, const struct isa_insn *i, const struct meeting *m)
{
	char places[PLACES_BYTES];
	uint32_t missing = 0;
	LANES_EACH (lane, x->mask)
		missing |= those_missing(i, m, lane);
	warp_sync_places(x, missing, places, sizeof places);
	struct exec_misuse misuse = {.kind = EXEC_MISUSE_MISSING, .missing = missing, .other_pc = x->pc};
	const unsigned lane = lanes_first(missing);
	misuse.other_pc =
		x->warp->barrier_lanes >> lane & 1 ? x->warp->barrier_pc : exec_simt_of_lane(x, x->warp, lane)->pc;
	if (!effect_misuse(x, &misuse, "the membermask of lanes 0x%08x names lanes 0x%08x, which wait elsewhere (%s)",
			  x->mask, missing, places))
		return false;
	x->warp->sync_passers &= ~missing; /* has been reported */
	return true;
}

/* ---- members that pass by ---- */

bool warp_sync_only_exits(const struct exec *x, uint32_t pc, uint32_t call_depth)
{
	if (pc == ISA_NO_RECONV)
		return true;
	const struct isa_insn *i = &x->program->insns[pc];
	const bool exits = i->opcode == ISA_OP_EXIT || (i->opcode == ISA_OP_RET && !call_depth);
	return exits && i->guard == ISA_PRED_TRUE;
}

#define BRANCHES_FOLLOWED 4

bool warp_sync_leads_out(const struct exec *x, uint32_t pc, uint32_t call_depth)
{
	for (unsigned k = 0; k < BRANCHES_FOLLOWED && pc != ISA_NO_RECONV; k++) {
		const struct isa_insn *i = &x->program->insns[pc];
		if (i->guard != ISA_PRED_TRUE || (i->handler != ISA_H_bra && i->handler != ISA_H_bra_uni))
			break;
		pc = i->target;
	}
	return warp_sync_only_exits(x, pc, call_depth);
}

/* Returns the entry in which a lane reconverges with the executing lanes, or NULL if there is none or the stack's order is lost. */
static const struct exec_simt *meeting_entry(const struct exec *x, unsigned lane)
{
	const struct exec_simt *first = arena_at(x->arena, x->sec_simt, x->warp->simt), *e = x->top - 1;
	while (e >= first && (!(e->mask >> lane & 1) || !(e->mask & x->mask)))
		e--;
	return e >= first ? e : NULL;
}

/* Lanes of x->mask are going to wait: notes the members that have left their way at a branch whose ways meet again behind the instruction. */
static void note_passers(struct exec *x, uint32_t missing)
{
	struct exec_warp *w = x->warp;
	LANES_EACH (lane, missing & ~(w->sync_lanes | w->barrier_lanes)) {
		const bool is_here = x->active >> lane & 1;
		const struct exec_simt *e = is_here ? x->top : meeting_entry(x, lane);
		if (!e)
			continue;
		const bool exits = warp_sync_leads_out(x, is_here ? x->pc + 1 : e->pc, e->call_depth);
		w->sync_passers = exits ? w->sync_passers & ~lanes_bit(lane) : w->sync_passers | lanes_bit(lane);
	}
}

static void note_all_passers(struct exec *x, const struct isa_insn *i, const struct meeting *m, uint32_t stay)
{
	uint32_t missing = 0;
	LANES_EACH (lane, stay)
		missing |= those_missing(i, m, lane);
	note_passers(x, missing);
}

/* Lanes that wait at one instruction for some of `passers`, and these. */
static uint32_t waiting_for(const struct exec *x, uint32_t passers, uint32_t *named, uint32_t *pc)
{
	const struct exec_warp *w = x->warp;
	uint32_t waiting = 0;
	*named = 0;
	LANES_EACH (lane, w->sync_lanes) {
		const struct exec_simt *e = exec_simt_of_lane(x, w, lane);
		const uint32_t *row = exec_row(x, w, e->frame, members_ref(&x->program->insns[e->pc]));
		if (!(row[lane] & passers) || (waiting && e->pc != *pc))
			continue;
		*pc = e->pc;
		*named |= row[lane] & passers;
		waiting |= lanes_bit(lane);
	}
	return waiting;
}

bool warp_sync_may_exit(struct exec *x)
{
	struct exec_misuse m = {.kind = EXEC_MISUSE_PASSED};
	if (__builtin_expect(!(x->warp->sync_passers & x->mask), 1) || !effect_misuse_is_judged(x))
		return true;
	m.missing = waiting_for(x, x->warp->sync_passers & x->mask, &m.lanes, &m.other_pc);
	return !m.missing || effect_misuse(x, &m,
					  "lanes 0x%08x have passed by an instruction (pc 0x%x) in which lanes "
					  "0x%08x wait for them",
					  m.lanes, m.other_pc * ISA_INSN_BYTES, m.missing);
}

/* ---- executing for lanes of several activations ----
 * Lanes may have reached the instruction through different calls, so their registers are in different frames. While the instruction executes, operands of
 * lanes in other frames are swapped with the same lanes of the running frame. */

struct operands {
	uint32_t row[5 + ISA_TENSOR_ROWS_MAX], n_rows;
	uint32_t slot[2], n_slots;
};

static void add_row(struct operands *o, uint32_t ref)
{
	if (ISA_REF_BASE(ref) != ISA_BASE_FRAME)
		return;
	for (uint32_t k = 0; k < o->n_rows; k++)
		if (o->row[k] == ref)
			return;
	o->row[o->n_rows++] = ref;
}

static void add_slot(struct operands *o, uint32_t pred)
{
	if (pred == ISA_PRED_NONE)
		return;
	for (uint32_t k = 0; k < o->n_slots; k++)
		if (o->slot[k] == ISA_PRED_SLOT(pred))
			return;
	o->slot[o->n_slots++] = ISA_PRED_SLOT(pred);
}

/* Of a load or store also address and stride. */
static void add_tensor(struct operands *o, const struct isa_program *p, const struct isa_insn *i)
{
	const uint32_t *row = &p->aux[i->aux + ISA_TENSOR_WORDS], *end = isa_tensor_extra(p, i) + isa_tensor_of(p, i)->n_extra;
	while (row < end)
		add_row(o, *row++);
	add_row(o, i->a);
	add_row(o, i->b);
}

static struct operands operands_of(const struct isa_program *p, const struct isa_insn *i)
{
	struct operands o = {.n_rows = 0};
	if (isa_insn_has_tensor(i)) {
		add_tensor(&o, p, i);
		return o;
	}
	switch (i->handler) {
	case ISA_H_bar_warp_sync: break;
	case ISA_H_vote_sync_all_pred:
	case ISA_H_vote_sync_any_pred:
	case ISA_H_vote_sync_uni_pred:
		add_slot(&o, i->dst);
		add_slot(&o, i->a);
		break;
	case ISA_H_vote_sync_ballot_b32:
		add_row(&o, i->dst);
		add_slot(&o, i->a);
		break;
	case ISA_H_elect:
		add_row(&o, i->dst);
		add_slot(&o, i->dst2);
		break;
	case ISA_H_redux:
	case ISA_H_match_any_sync_b32:
	case ISA_H_match_any_sync_b64:
		add_row(&o, i->dst);
		add_row(&o, i->a);
		break;
	case ISA_H_match_all_sync_b32:
	case ISA_H_match_all_sync_b64:
		add_row(&o, i->dst);
		add_row(&o, i->a);
		add_slot(&o, i->dst2);
		break;
	default: /* shfl */
		add_row(&o, i->dst);
		add_row(&o, i->a);
		add_row(&o, i->b);
		add_row(&o, i->c);
		add_slot(&o, i->dst2);
	}
	add_row(&o, members_ref(i));
	return o;
}

static void swap_rows(char *p, char *q, size_t bytes, uint32_t lanes)
{
	LANES_EACH (lane, lanes) {
		char t[8];
		memcpy(t, p + bytes * lane, bytes);
		memcpy(p + bytes * lane, q + bytes * lane, bytes);
		memcpy(q + bytes * lane, t, bytes);
	}
}

static void swap_lanes(struct exec *x, const struct isa_insn *i, uint64_t frame, uint32_t lanes)
{
	const struct operands o = operands_of(x->program, i);
	const bool wide = i->handler == ISA_H_match_any_sync_b64 || i->handler == ISA_H_match_all_sync_b64;
	const bool is_f64 = isa_insn_has_tensor(i) && isa_tensor_has_f64(isa_tensor_of(x->program, i));
	for (uint32_t k = 0; k < o.n_rows; k++) {
		const bool is_address = isa_insn_has_tensor(i) && ((o.row[k] == i->a && i->a_bytes == 8) || (o.row[k] == i->b && i->handler == ISA_H_wgmma));
		swap_rows(exec_operand(x, o.row[k]), exec_row(x, x->warp, frame, o.row[k]),
			  (wide && o.row[k] == i->a) || is_address || (is_f64 && o.row[k] != i->a && o.row[k] != i->b) ? 8 : 4, lanes);
	}
	uint32_t *there = exec_preds(x, frame);
	for (uint32_t k = 0; k < o.n_slots; k++) {
		uint32_t *p = &x->preds[o.slot[k]], *q = &there[o.slot[k]], differ = (*p ^ *q) & lanes;
		*p ^= differ;
		*q ^= differ;
	}
}

/* Twice leaves everything as it was. */
static void swap_other_frames(struct exec *x, const struct isa_insn *i, uint32_t lanes)
{
	while (lanes) {
		const struct exec_simt *e = exec_simt_of_lane(x, x->warp, lanes_first(lanes));
		if (e->frame != x->top->frame)
			swap_lanes(x, i, e->frame, lanes & e->mask);
		lanes &= ~e->mask;
	}
}

/* ---- going on ---- */

static struct exec_simt *entry_of(const struct exec *x, unsigned lane)
{
	return (struct exec_simt *)arena_at(x->arena, x->sec_simt, x->warp->simt) +
	       (exec_simt_of_lane(x, x->warp, lane) -
		(const struct exec_simt *)arena_at(x->arena, x->sec_simt, x->warp->simt));
}

static void push_entry(struct exec *x, const struct exec_simt *e)
{
	bool room = simt_push(x, e);
	assert(room && "SIMT stack section full");
}

/* Moves lanes with the same place and reconvergence point into the top entry. Returns the rest of `lanes`. */
static uint32_t join_top(struct exec *x, uint32_t lanes)
{
	uint32_t others = 0;
	while (lanes) {
		struct exec_simt *e = entry_of(x, lanes_first(lanes)), *t = x->top;
		uint32_t part = e->mask & lanes;
		lanes &= ~part;
		if (e->frame != t->frame || e->rpc != t->rpc || e->pc != x->pc) {
			others |= part;
			continue;
		}
		t->mask |= part;
		if (e->local_top > t->local_top)
			t->local_top = e->local_top;
		e->mask &= ~part;
		if (!e->mask)
			simt_drop(x, e);
	}
	return others;
}

static void pass_in_place(struct exec *x, uint32_t lanes)
{
	while (lanes) {
		struct exec_simt *e = entry_of(x, lanes_first(lanes));
		struct exec_simt part = *e;
		part.mask &= lanes;
		part.pc++;
		lanes &= ~part.mask;
		if (part.mask == e->mask) {
			e->pc++;
			continue;
		}
		/* some of this entry wait on */
		e->mask &= ~part.mask;
		x->warp->mixed = true;
		push_entry(x, &part);
	}
}

/* Splits the top entry: its lanes `stay` wait in front of the instruction, its other lanes and `waited` continue behind it. */
static void part_ways(struct exec *x, uint32_t stay, uint32_t waited)
{
	struct exec_simt *t = x->top, rest = *t;
	rest.mask &= ~stay;
	rest.pc = x->pc + 1;
	x->warp->sync_lanes = (x->warp->sync_lanes | stay) & ~waited;
	t->pc = x->pc;
	if (!rest.mask) {
		pass_in_place(x, waited);
	} else {
		t->mask = stay;
		if (stay)
			push_entry(x, &rest);
		else
			*t = rest;
		pass_in_place(x, join_top(x, waited));
	}
	simt_settle(x);
}

void warp_sync_meet(struct exec *x, const struct isa_insn *i, exec_handler effect)
{
	if (members_ref(i) == ISA_REF_NONE) {
		effect(x, i);
		return;
	}
	struct meeting m;
	gather_lanes(x, i, &m);
	const uint32_t here = x->mask;
	uint32_t ready = those_ready(i, &m);
	if (!ready && warp_sync_all_wait(x, here)) {
		if (!without_missing(x, i, &m))
			return;
		ready = here;
	}
	const uint32_t waited = ready & ~here;
	if (here & ~ready)
		note_all_passers(x, i, &m, here & ~ready);
	x->mask = ready;
	if (ready) {
		swap_other_frames(x, i, waited);
		effect(x, i);
		swap_other_frames(x, i, waited);
		if (effect_is_stopped(x)) { /* a matrix that is loaded or stored: nothing has happened */
			x->mask = here;
			return;
		}
	}
	if (ready != here)
		part_ways(x, here & ~ready, waited);
	if (!x->warp->sync_lanes)
		x->warp->sync_passers = 0;
}
