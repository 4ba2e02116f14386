#include "exec/tensor.h"
#include "exec/valid.h"

#include <stdlib.h>

#include "exec/barrier.h"
#include "exec/call.h"
#include "exec/internal.h"
#include "exec/pending.h"
#include "exec/warp_sync.h"
#include "isa/opcodes.h"

#define SIMT_FIRST_ENTRIES 8u
#define SIMT_MOST (1u << 20) /* room of a stack: more than calls that fit a thread's local memory make */
#define MIXED_MOST 4096u     /* entries of a mixed stack, each of which is compared with all others */

void exec_valid_heaps_free(struct exec_valid_heaps *h)
{
	free(h->frame.block);
	free(h->local.block);
	free(h->shared.block);
	free(h->param.block);
	*h = (struct exec_valid_heaps){0};
}

/* ---- launches ---- */

/* Returns the threads that a block of this machine can have. */
static uint32_t threads_most(const struct exec *x)
{
	const uint32_t most = EXEC_WARPS_PER_CTA * x->warp_threads;
	return most < EXEC_THREADS_PER_CTA ? most : EXEC_THREADS_PER_CTA;
}

static bool sizes_are_valid(const struct exec *x, const struct exec_launch *l)
{
	static const uint32_t grid_most[3] = {INT32_MAX, 65535, 65535}, block_most[3] = {1024, 1024, 64};
	for (unsigned d = 0; d < 3; d++)
		if (!l->grid[d] || l->grid[d] > grid_most[d] || !l->block[d] || l->block[d] > block_most[d])
			return false;
	return (uint64_t)l->block[0] * l->block[1] * l->block[2] <= threads_most(x);
}

/* Returns true if the fields that exec_prepare_launch computes are right. Local memory is only checked for bounds, as the stack's limit may have changed. */
static bool derived_fields_are_valid(const struct exec *x, const struct exec_launch *l)
{
	const struct isa_function *f = x->program->functions[l->function];
	struct exec_launch own = *l;
	exec_prepare_launch(x, &own);
	return l->n_ctas == own.n_ctas && l->n_threads == own.n_threads && l->warps_per_cta == own.warps_per_cta &&
	       l->threads_per_cta == own.threads_per_cta && l->dynamic_base == own.dynamic_base &&
	       l->shared_bytes == own.shared_bytes && l->param_bytes == own.param_bytes &&
	       l->local_bytes >= f->local_bytes && l->local_bytes <= ISA_LOCAL_BYTES_MAX &&
	       l->local_stride >= l->local_bytes && l->local_stride <= ISA_LOCAL_BYTES_MAX + 64 &&
	       l->local_stride % 64 == 0 && (l->local_stride || !l->local_bytes);
}

bool exec_launch_is_valid(const struct exec *x, const struct exec_launch *l, bool is_over, struct exec_valid_heaps *h,
			  struct text *what)
{
	const struct isa_program *p = x->program;
	if (l->function >= p->n_functions || !p->functions[l->function]->is_kernel ||
	    !p->functions[l->function]->is_defined || !VALID_BOOL(l->independent_threads) || !VALID_BOOL(l->plus_exact) || l->tensor >= EXEC_TENSORS || !sizes_are_valid(x, l) ||
	    !derived_fields_are_valid(x, l))
		return invalid(what, "what kernel %u is", l->id);
	if (is_over)
		return !l->param_offset || invalid(what, "the parameters of kernel %u", l->id);
	heap_blocks_add(&h->param, l->param_offset, l->param_bytes);
	return l->param_offset != 0 || invalid(what, "the parameters of kernel %u", l->id);
}

/* ---- SIMT stacks ---- */

static bool same_activation(const struct exec_simt *a, const struct exec_simt *b)
{
	return a->call_depth == b->call_depth && a->local_sp == b->local_sp && a->return_pc == b->return_pc &&
	       a->frame_bytes == b->frame_bytes && a->stack_bytes == b->stack_bytes;
}

/* Returns true if two entries may have one frame: those of one activation, or of code that callp calls, which has its caller's registers. */
static bool may_share_frame(const struct exec *x, const struct exec_simt *a, const struct exec_simt *b)
{
	const struct isa_function *f = isa_program_function_at(x->program, a->pc);
	if (a->call_depth == b->call_depth && !(f && f->has_plus && a->call_depth))
		return same_activation(a, b);
	return f && f->has_plus && f == isa_program_function_at(x->program, b->pc) && a->frame_bytes == b->frame_bytes;
}

static uint32_t frame_bytes_of(const struct isa_function *f) { return f->frame_bytes < 64 ? 64 : f->frame_bytes; }

/* An entry by itself: its place is in a function, whose registers its frame holds. */
static bool entry_is_valid(const struct exec *x, const struct exec_warp *w, const struct exec_launch *l,
			   const struct exec_simt *e)
{
	const struct isa_function *f = isa_program_function_at(x->program, e->pc);
	const bool meets = e->rpc == ISA_NO_RECONV || (f && e->rpc >= f->first && e->rpc < f->end);
	if (e->stack_bytes > (l->stack_limit != UINT32_MAX ? l->stack_limit : 0))
		return false;
	if (!f || !meets || e->mask & ~(w->lanes & ~w->exited) || e->frame_bytes != frame_bytes_of(f) || !e->frame)
		return false;
	if (!e->call_depth)
		return f == x->program->functions[l->function] && !e->local_sp && e->return_pc == ISA_NO_TARGET &&
		       e->local_top <= l->local_stride && e->local_top >= f->local_bytes;
	if (f->is_plus)
		return !e->local_sp && e->local_top <= l->local_stride && e->return_pc < x->program->n_insns;
	return !f->is_kernel && e->local_sp <= e->local_top && e->local_top <= l->local_stride &&
	       f->local_bytes <= e->local_top - e->local_sp && e->return_pc < x->program->n_insns;
}

/* The stack of a warp, and whether its entries may lie in any order. */
struct stack {
	const struct exec *x;
	const struct exec_simt *at;
	uint32_t n;
	bool is_mixed;
};

/* The instruction at return_pc called the function that entry k is in, from the activation that the entry's lanes return to. */
static bool caller_is_valid(const struct stack *s, uint32_t k)
{
	const struct exec_simt *e = &s->at[k];
	const struct isa_program *p = s->x->program;
	const struct isa_insn *call = &p->insns[e->return_pc];
	const struct isa_function *from = isa_program_function_at(p, e->return_pc);
	const bool direct = call->handler == ISA_H_plus_call ||
			    (call->handler == ISA_H_call && call->target < p->n_functions &&
			     p->functions[call->target] == isa_program_function_at(p, e->pc));
	uint32_t lanes = 0;
	if (!from || (!direct && call->handler != ISA_H_call_indirect))
		return false;
	for (uint32_t i = s->is_mixed ? s->n : k; i-- > 0;) {
		if (!s->is_mixed && s->at[i].call_depth + 1 < e->call_depth)
			break;
		if (s->at[i].call_depth + 1 != e->call_depth || !(s->at[i].mask & e->mask))
			continue;
		if (isa_program_function_at(p, s->at[i].pc) != from)
			return false;
		lanes |= s->at[i].mask;
	}
	return !(e->mask & ~lanes);
}

/* Entries of one activation lie together and come after those of its caller. */
static bool order_is_valid(const struct stack *s, uint32_t k)
{
	const struct exec_simt *e = &s->at[k], *below = e - 1;
	if (!k)
		return !e->call_depth;
	return below->frame == e->frame ? may_share_frame(s->x, below, e) : e->call_depth == below->call_depth + 1;
}

/* In any order: a lane has one frame at each depth. */
static bool mixed_is_valid(const struct stack *s, uint32_t k)
{
	const struct exec_simt *e = &s->at[k];
	for (uint32_t i = 0; i < k; i++) {
		const bool is_same = s->at[i].frame == e->frame;
		if (is_same ? !may_share_frame(s->x, &s->at[i], e)
			    : s->at[i].call_depth == e->call_depth && s->at[i].mask & e->mask)
			return false;
	}
	return true;
}

static bool is_first_of_frame(const struct stack *s, uint32_t k)
{
	for (uint32_t i = k; i-- > 0;) {
		if (s->at[i].frame == s->at[k].frame)
			return false;
		if (!s->is_mixed)
			return true;
	}
	return true;
}

static const struct exec_simt *stack_of(const struct exec *x, const struct exec_warp *w)
{
	const struct arena_section *s = &x->arena->section[x->sec_simt];
	const uint64_t bytes = (uint64_t)w->cap_simt * sizeof(struct exec_simt);
	if (w->cap_simt < SIMT_FIRST_ENTRIES || w->cap_simt > SIMT_MOST || w->cap_simt & (w->cap_simt - 1) ||
	    !w->simt || w->simt % 64 || bytes > s->used || w->simt > s->used - bytes || w->n_simt > w->cap_simt)
		return NULL;
	return arena_at(x->arena, x->sec_simt, w->simt);
}

static bool stack_is_valid(const struct exec *x, const struct exec_warp *w, const struct exec_launch *l,
			   struct exec_valid_heaps *h)
{
	const struct stack s = {x, stack_of(x, w), w->n_simt, w->mixed};
	uint32_t lanes = 0;
	if (!s.at || (w->mixed && w->n_simt > MIXED_MOST))
		return false;
	for (uint32_t k = 0; k < s.n; k++) {
		lanes |= s.at[k].mask;
		if (!entry_is_valid(x, w, l, &s.at[k]) || !(w->mixed ? mixed_is_valid(&s, k) : order_is_valid(&s, k)) ||
		    (s.at[k].call_depth && !caller_is_valid(&s, k)))
			return false;
		if (is_first_of_frame(&s, k))
			heap_blocks_add(&h->frame, s.at[k].frame, s.at[k].frame_bytes);
	}
	heap_blocks_add(&h->frame, w->simt, w->cap_simt * sizeof(struct exec_simt));
	return lanes == (w->lanes & ~w->exited);
}

/* ---- warps ---- */

static bool is_barrier_insn(const struct isa_insn *i) { return isa_op_is_barrier(i->opcode); }

/* Lanes that wait are there, where they could have come to wait, and leave one that runs. */
static bool waiting_is_valid(const struct exec *x, const struct exec_warp *w)
{
	const uint32_t live = w->lanes & ~w->exited;
	const uint32_t waiting = w->sync_lanes | (w->state == EXEC_WARP_BARRIER ? 0 : w->barrier_lanes);
	if ((w->sync_lanes | w->barrier_lanes) & ~live || w->barrier >= EXEC_BARRIERS ||
	    w->barrier_pc >= x->program->n_insns + !x->program->n_insns ||
	    w->barrier_count > EXEC_WARPS_PER_CTA * x->warp_threads || w->barrier_count % x->warp_threads)
		return false;
	if (w->state == EXEC_WARP_DONE)
		return !live && !w->n_simt;
	if (!w->n_simt || !(live & ~waiting))
		return false;
	if (w->state == EXEC_WARP_RUNNABLE && exec_simt_top(x, w)->mask & waiting)
		return false;
	LANES_EACH (lane, w->sync_lanes)
		if (!warp_sync_can_wait(x, exec_simt_of_lane(x, w, lane)->pc))
			return false;
	const struct isa_function *f = w->barrier_lanes ? isa_program_function_at(x->program, w->barrier_pc) : NULL;
	if (w->barrier_lanes && (!f || !is_barrier_insn(&x->program->insns[w->barrier_pc])))
		return false;
	LANES_EACH (lane, w->barrier_lanes)
		if (isa_program_function_at(x->program, exec_simt_of_lane(x, w, lane)->pc) != f)
			return false;
	return true;
}

static bool warp_is_valid(const struct exec *x, const struct exec_cta *cta, uint32_t k, uint32_t slot,
			  const struct exec_launch *l, struct exec_valid_heaps *h)
{
	const struct exec_warp *w = &cta->warp[k];
	const uint64_t special = ((uint64_t)slot * EXEC_WARPS_PER_CTA + k) * ISA_SPECIAL_BYTES;
	if (!VALID_BOOL(w->mixed) || w->state < EXEC_WARP_RUNNABLE || w->state > EXEC_WARP_DONE || w->cta != slot ||
	    w->index != k || w->special != special || w->local_stride != l->local_stride ||
	    w->lanes != exec_lanes_of(x, k, l->threads_per_cta) || w->exited & ~w->lanes ||
	    w->sync_passers & ~w->lanes || w->last_pc > x->program->n_insns || !!w->local != !!l->local_stride)
		return false;
	if (special + ISA_SPECIAL_BYTES > x->arena->section[x->sec_special].used)
		return false;
	if (w->local)
		heap_blocks_add(&h->local, w->local, (uint64_t)LANES * l->local_stride);
	if (w->errors)
		heap_blocks_add(&h->frame, w->errors, LANES * sizeof(uint16_t));
	return stack_is_valid(x, w, l, h) && waiting_is_valid(x, w);
}

/* ---- blocks ---- */

static bool place_is_valid(const struct exec_cta *cta, const struct exec_launch *l)
{
	return cta->linear < l->n_ctas && cta->id[0] == cta->linear % l->grid[0] &&
	       cta->id[1] == cta->linear / l->grid[0] % l->grid[1] &&
	       cta->id[2] == cta->linear / l->grid[0] / l->grid[1];
}

static bool barriers_are_valid(const struct exec *x, const struct exec_cta *cta)
{
	for (unsigned k = 0; k < EXEC_BARRIERS; k++)
		if (cta->barrier[k].expected > EXEC_WARPS_PER_CTA * x->warp_threads || cta->barrier[k].expected % x->warp_threads)
			return false;
	return true;
}

bool exec_cta_is_valid(const struct exec *x, const struct exec_cta *cta, uint32_t slot, const struct exec_launch *l,
		       struct exec_valid_heaps *h, struct text *what)
{
	uint32_t done = 0;
	if (cta->launch != l->id || !place_is_valid(cta, l) || cta->core >= x->n_cores ||
	    cta->shared_bytes != l->shared_bytes || !cta->shared || cta->param != l->param_offset ||
	    cta->param_bytes != l->param_bytes || cta->n_warps != l->warps_per_cta || cta->current >= cta->n_warps ||
	    !barriers_are_valid(x, cta))
		return invalid(what, "block %llu of kernel %u", (unsigned long long)cta->linear, cta->launch);
	heap_blocks_add(&h->shared, cta->shared, cta->shared_bytes);
	for (uint32_t k = 0; k < cta->n_warps; k++) {
		if (!warp_is_valid(x, cta, k, slot, l, h))
			return invalid(what, "warp %u of block %llu of kernel %u", k, (unsigned long long)cta->linear,
				       cta->launch);
		done += cta->warp[k].state == EXEC_WARP_DONE;
	}
	return cta->n_done == done || invalid(what, "how many warps of block %llu of kernel %u are done",
					      (unsigned long long)cta->linear, cta->launch);
}

static bool heap_holds(const struct exec *x, int section, struct heap_blocks *b, struct text *what)
{
	return heap_is_valid(x->arena, section, b) ||
	       invalid(what, "the blocks of section %s", x->arena->section[section].name);
}

bool exec_heaps_are_valid(const struct exec *x, struct exec_valid_heaps *h, struct text *what)
{
	return heap_holds(x, x->sec_frame, &h->frame, what) && heap_holds(x, x->sec_local, &h->local, what) &&
	       heap_holds(x, x->sec_shared, &h->shared, what) && heap_holds(x, x->sec_param, &h->param, what);
}

/* ---- effects under way ---- */

/* An atomic of a warp that is there, in one of the warp's activations. */
static bool effect_is_valid(const struct exec *x, const struct exec_cta *cta, uint32_t n_slots,
			    const struct exec_pending *p)
{
	if (p->kind != EXEC_PENDING_ATOMIC || p->cta >= n_slots || !cta[p->cta].used || p->warp >= cta[p->cta].n_warps ||
	    p->pc >= x->program->n_insns || !p->lanes)
		return false;
	const struct exec_warp *w = &cta[p->cta].warp[p->warp];
	const struct isa_insn *i = &x->program->insns[p->pc];
	const struct isa_function *f = isa_program_function_at(x->program, p->pc);
	const struct exec_simt *s = arena_at(x->arena, x->sec_simt, w->simt);
	if ((!isa_op_is_atomic(i->opcode)) || p->lanes & ~w->lanes)
		return false;
	for (uint32_t k = 0; k < w->n_simt; k++)
		if (s[k].frame == p->frame && isa_program_function_at(x->program, s[k].pc) == f)
			return true;
	return false;
}

bool exec_pending_is_valid(const struct exec *x, const struct exec_cta *cta, uint32_t n_slots, struct text *what)
{
	const struct arena_section *s = &x->arena->section[x->sec_pending];
	const struct exec_pending *at = arena_at(x->arena, x->sec_pending, 0);
	const struct exec_pending_queue *q = arena_at(x->arena, x->sec_pending, 0);
	struct valid_pool pool;
	uint32_t n = 0, last = 0;
	bool ok = s->used >= sizeof *at && q->n_entries < s->used / sizeof *at;
	if (!ok)
		return invalid(what, "the effects under way");
	valid_pool_init(&pool, q->n_entries + UINT64_C(1));
	for (uint32_t k = q->oldest; ok && k; n++) {
		ok = valid_claim(&pool, k, 1) && at[k].prev == last && effect_is_valid(x, cta, n_slots, &at[k]);
		last = k;
		k = ok ? at[k].next : 0;
	}
	ok = ok && last == q->youngest && n == q->n;
	for (uint32_t k = q->free; ok && k; k = ok ? at[k].next : 0)
		ok = valid_claim(&pool, k, 2);
	ok = ok && valid_count(&pool, 0) == 0;
	valid_pool_free(&pool);
	return ok || invalid(what, "the effects under way");
}

/* Returns the number of entries of a warp in the whole queue. */
static uint32_t entries_of(const struct exec *x, uint32_t cta_slot, uint32_t warp)
{
	uint32_t n = 0;
	for (const struct exec_pending *p = NULL; (p = exec_pending_next(x, p));)
		n += p->cta == cta_slot && p->warp == warp;
	return n;
}

bool exec_pending_list_is_valid(const struct exec *x, uint32_t first, uint32_t cta_slot, uint32_t warp)
{
	const struct exec_pending_queue *q = arena_at(x->arena, x->sec_pending, 0);
	uint32_t n = 0;
	/* the queue's order is that of each warp's list, so a list can't have a circle */
	const struct exec_pending *p = NULL;
	for (uint32_t k = first; k; k = exec_pending_at(x, k)->next_of_warp, n++) {
		if (k > q->n_entries)
			return false;
		do
			p = exec_pending_next(x, p);
		while (p && p != exec_pending_at(x, k));
		if (!p || p->cta != cta_slot || p->warp != warp)
			return false;
	}
	return n == (exec_pending_count(x) ? entries_of(x, cta_slot, warp) : 0);
}

uint32_t exec_pending_due(const struct exec *x, uint32_t first, uint32_t entry)
{
	for (uint32_t k = first; k; k = exec_pending_at(x, k)->next_of_warp)
		if (k == entry)
			return exec_pending_at(x, k)->lanes;
	return 0;
}
