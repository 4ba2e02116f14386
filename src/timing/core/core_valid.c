/* Validates the state of a core after a restore, which may hold any bytes. */
#include "timing/core/core_valid.h"

#include "timing/ldst/ldst.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "exec/pending.h"
#include "exec/valid.h"
#include "timing/timing.h"

#define NO_LAUNCH UINT32_MAX
#define FULL_INSTS (CORE_INSTS / 2) /* a core never has more in flight; the rest of the pool is for instructions issued after the restore */
#define FULL_ACCESSES (CORE_ACCESSES / 2)

static uint64_t bit_of(uint32_t k) { return UINT64_C(1) << k; }
static uint64_t low_bits(uint32_t n) { return n >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1; }

void core_valid_init(struct core_valid *k, const struct core *c, struct timing_valid *v)
{
	*k = (struct core_valid){.c = c, .v = v, .requests = xcalloc(CORE_INSTS, sizeof *k->requests), .due = xcalloc(CORE_INSTS, sizeof *k->due)};
	const uint32_t insts = c->s->n_insts, accesses = c->s->n_accesses;
	valid_pool_init(&k->insts, insts < CORE_INSTS ? insts + UINT64_C(1) : 1);
	valid_pool_init(&k->accesses, accesses < CORE_ACCESSES ? accesses + UINT64_C(1) : 1);
}

void core_valid_free(struct core_valid *k)
{
	valid_pool_free(&k->insts);
	valid_pool_free(&k->accesses);
	free(k->requests);
	free(k->due);
}

/* ---- pools ---- */

static bool pools_are_valid(struct core_valid *k)
{
	const struct core *c = k->c;
	if (c->s->n_insts >= CORE_INSTS || c->s->n_accesses >= CORE_ACCESSES)
		return false;
	for (uint32_t i = c->s->free_inst; i; i = c->inst[i].next)
		if (!valid_claim(&k->insts, i, INST_FREE))
			return false;
	for (uint32_t i = c->s->free_access; i; i = c->access[i].next)
		if (!valid_claim(&k->accesses, i, INST_FREE))
			return false;
	return valid_count(&k->insts, 0) <= FULL_INSTS && valid_count(&k->accesses, 0) <= FULL_ACCESSES;
}

/* Adds lanes whose atomics have not happened. Returns false if one of them has been added before. */
static bool add_due(struct core_valid *k, uint32_t inst, uint32_t lanes)
{
	const bool ok = !(k->due[inst] & lanes);
	k->due[inst] |= lanes;
	return ok;
}

/* Returns true if the instruction's accesses that are not sent are valid. */
static bool accesses_are_valid(struct core_valid *k, uint32_t inst, bool is_atomic)
{
	const struct core *c = k->c;
	const struct inst *i = &c->inst[inst];
	uint32_t a = i->accesses;
	for (uint32_t n = 0; n < i->n_accesses; n++, a = c->access[a].next) {
		if (!valid_claim(&k->accesses, a, INST_IN_PIPE))
			return false;
		const struct mem_access *m = &c->access[a];
		if (m->type >= ACCESS_TYPE_COUNT || m->type == L1_WRBK_ACC || m->type == L2_WRBK_ACC ||
		    m->type == INST_ACC_R || m->type == L1_WR_ALLOC_R || m->type == L2_WR_ALLOC_R ||
		    !VALID_BOOL(m->is_write) || !m->size || m->size > 4096 || m->chunks >= 1u << REQUEST_SECTORS)
			return false;
		if (!is_atomic)
			continue;
		if (!add_due(k, inst, m->lanes))
			return false;
		k->atomics[i->warp] += lanes_count(m->lanes);
	}
	return true;
}

static bool inst_is_valid(struct core_valid *k, uint32_t inst)
{
	const struct core *c = k->c;
	const struct inst *i = &c->inst[inst];
	if (!VALID_BOOL(i->used) || !i->used || i->pc >= k->v->n_insns || i->warp >= c->cfg->n_warps ||
	    i->space > TIMING_SPACE_STREAM)
		return false;
	return accesses_are_valid(k, inst, core_insn(c, i)->is_atomic && i->space != ISA_SPACE_SHARED);
}

static bool pipe_sets_are_valid(struct core_valid *k)
{
	const struct core_pipes *pipes = &k->c->s->pipes;
	struct core_pipes own = {0};
	for (uint32_t n = 0; n < core_pipe_count(k->c->cfg->model); n++) {
		const unsigned set = core_pipe_at(k->c->cfg->model, n);
		pipe_init(&own, set, k->c->cfg->pipe_width[set]);
	}
	for (unsigned set = 0; set < PIPE_SETS; set++) {
		const struct pipe_set *p = &pipes->set[set];
		if (p->all != own.set[set].all || p->used & ~(unsigned)p->all || (pipes->used >> set & 1) != (p->used != 0) ||
		    (pipes->full >> set & 1) != (p->all ? p->used == p->all : own.full >> set & 1))
			return false;
		for (unsigned at = 0; at < PIPE_WIDTH_MAX; at++)
			if (p->used >> at & 1 ? !core_claim_inst(k, p->reg[at], INST_IN_PIPE) : p->reg[at] != 0)
				return false;
	}
	return true;
}

/* ---- blocks and warps ---- */

static bool cta_is_valid(const struct core *c, uint32_t slot)
{
	const struct core_cta *a = &c->s->cta[slot];
	if (!VALID_BOOL(a->used) || (a->used && slot >= c->cfg->n_ctas))
		return false;
	if (!a->used)
		return true;
	const struct exec_cta *e = &c->t->cta[a->cta_slot];
	return a->cta_slot == c->id * c->cfg->n_ctas + slot && e->used && e->core == c->id && e->core_slot == slot &&
	       a->launch == e->launch && a->launch == c->s->launch && a->n_warps == e->n_warps &&
	       a->first_warp == slot * a->n_warps && a->first_warp + a->n_warps <= c->cfg->n_warps;
}

static bool ctas_are_valid(const struct core *c, uint32_t n_slots)
{
	uint32_t n = 0;
	for (uint32_t k = 0; k < CORE_CTAS_MAX; k++) {
		if (c->s->cta[k].used && c->s->cta[k].cta_slot >= n_slots)
			return false;
		if (!cta_is_valid(c, k))
			return false;
		n += c->s->cta[k].used;
	}
	return n == c->s->active_ctas;
}

static bool warp_bools(const struct core_warp *w)
{
	return VALID_BOOL(w->used) && VALID_BOOL(w->imiss) && VALID_BOOL(w->membar) && VALID_BOOL(w->done) &&
	       w->waits <= (CORE_AT_BARRIER | CORE_HELD) && VALID_BOOL(w->ibuffer[0].valid) && VALID_BOOL(w->ibuffer[1].valid);
}

static bool warp_is_valid(const struct core_valid *k, uint32_t warp)
{
	const struct core *c = k->c;
	const struct core_warp *w = &c->warp[warp];
	if (!warp_bools(w) || w->next > 1 || (c->s->live >> warp & 1) != w->used)
		return false;
	for (unsigned n = 0; n < 2; n++)
		if (w->ibuffer[n].pc >= k->v->n_insns && w->ibuffer[n].pc != REQUEST_NO_PC && w->ibuffer[n].valid)
			return false;
	if (!w->used)
		return true;
	const struct core_cta *a = w->cta < c->cfg->n_ctas ? &c->s->cta[w->cta] : NULL;
	if (!a || !a->used || w->cta_slot != a->cta_slot || w->index >= a->n_warps || a->first_warp + w->index != warp)
		return false;
	const struct exec_warp *e = &c->t->cta[w->cta_slot].warp[w->index];
	return w->threads == lanes_count(e->lanes) && w->done == (e->exited == e->lanes) &&
	       (w->waits & CORE_AT_BARRIER) == (e->state == EXEC_WARP_BARRIER);
}

/* Returns true if each set of warps holds only warps in a state that fits the set. */
static bool sets_are_valid(const struct core *c)
{
	const struct core_state *s = c->s;
	uint64_t can_run = 0, can_fetch = 0, can_retire = 0, starved = 0;
	for (uint32_t k = 0; k < c->cfg->n_warps; k++) {
		const struct core_warp *w = &c->warp[k];
		if (!w->used)
			continue;
		can_run |= !w->done && !w->waits && !w->atomics ? bit_of(k) : 0;
		can_fetch |= !w->done ? bit_of(k) : 0;
		can_retire |= w->done && !(w->in_pipeline | w->stores | w->n_reserved) ? bit_of(k) : 0;
	}
	for (uint32_t k = 0; k < CORE_UNITS_MAX; k++)
		starved |= s->starved[k];
	return starved == s->starving && !(starved & ~s->live) && !(s->live & ~low_bits(c->cfg->n_warps)) &&
	       !(s->runnable & ~can_run) && !(s->fetchable & ~can_fetch) && !(s->retirable & ~can_retire);
}

static bool threads_are_valid(const struct core *c)
{
	uint32_t of_cta[CORE_CTAS_MAX] = {0}, all = 0;
	for (uint32_t k = 0; k < c->cfg->n_warps; k++)
		if (c->warp[k].used) {
			of_cta[c->warp[k].cta] += c->warp[k].threads;
			all += c->warp[k].threads;
		}
	for (uint32_t k = 0; k < c->cfg->n_ctas; k++)
		if (c->s->cta[k].used && (of_cta[k] != c->s->cta[k].threads_left || !of_cta[k]))
			return false;
	return all == c->s->threads_left;
}

/* ---- the state of the stages ---- */

static bool turn_is_valid(const struct core *c)
{
	const struct core_state *s = c->s;
	const struct issue_turn *t = &s->turn;
	if (!VALID_BOOL(t->trying) || !VALID_BOOL(t->seen_valid) || !VALID_BOOL(t->seen_ready) ||
	    !VALID_BOOL(t->seen_issued) || t->warp >= c->cfg->n_warps || t->n_order > CORE_WARPS_MAX ||
	    t->position > t->n_order || s->scheduler >= c->cfg->schedulers || s->first_scheduler >= c->cfg->schedulers ||
	    s->issued > c->cfg->max_issue || t->left & ~s->live)
		return false;
	for (uint32_t k = 0; k < CORE_WARPS_MAX; k++)
		if (s->order[k] >= c->cfg->n_warps && (s->order[k] || k < t->n_order))
			return false;
	return true;
}

static bool numbers_are_valid(const struct core *c)
{
	const struct core_state *s = c->s;
	return VALID_BOOL(s->asleep) && VALID_BOOL(s->l1i_busy) && VALID_BOOL(s->fetch_valid) && VALID_BOOL(s->executed) &&
	       VALID_BOOL(s->in_issue) && s->fetch_warp < c->cfg->n_warps && s->last_fetched < c->cfg->n_warps &&
	       s->fetch_bytes <= 16 && (s->launch != NO_LAUNCH || !s->active_ctas);
}

static bool scoreboard_is_valid(const struct core *c)
{
	if (c->textbook)
		return textbook_is_valid(c);
	for (uint32_t warp = 0; warp < c->cfg->n_warps; warp++) {
		uint32_t n = 0;
		for (uint32_t k = 0; k < c->sb_words; k++)
			n += (uint32_t)__builtin_popcountll(core_reserved(c, warp)[k]);
		if (c->warp[warp].n_reserved != n && c->warp[warp].used)
			return false;
	}
	return true;
}

/* Returns the name of the part of a core that is invalid. Returns NULL if all are valid. */
static const char *wrong_part(struct core_valid *k)
{
	const struct core *c = k->c;
	if (!numbers_are_valid(c))
		return "state";
	if (!ctas_are_valid(c, k->v->n_slots))
		return "blocks";
	for (uint32_t warp = 0; warp < c->cfg->n_warps; warp++)
		if (!warp_is_valid(k, warp))
			return "warps";
	if (!threads_are_valid(c) || !sets_are_valid(c) || !scoreboard_is_valid(c))
		return "warps";
	if (!turn_is_valid(c) || !schedulers_are_valid(k))
		return "schedulers";
	if (!pools_are_valid(k) || !pipe_sets_are_valid(k))
		return "pipeline registers";
	if (!units_are_valid(k))
		return "units";
	if (!collector_is_valid(k))
		return "operand collector";
	if (!ldst_is_valid(k))
		return "LDST unit";
	return cache_is_valid(c->l1i, k->v) ? NULL : "L1I";
}

bool core_is_valid(struct core_valid *k)
{
	const char *part = wrong_part(k);
	return !part || invalid(k->v->what, "the %s of core %u", part, k->c->id);
}

/* ---- with the requests ---- */

bool core_request_is_valid(struct core_valid *k, uint32_t r)
{
	const struct core *c = k->c;
	const struct mem_request *m = request_at(k->v->q, r);
	const uint8_t place = k->v->place.claimed[r];
	const void *waiter = k->v->waiter[REQUEST_L1][r];
	const bool in_l1 = k->v->listed[REQUEST_L1].claimed[r];
	if (m->stream)
		return !waiter && !in_l1 && ldst_stream_request_is_valid(c, m);
	if (place == PLACE_L1 || (!place && in_l1 && !waiter && !m->parts)) {
		/* its reply is here, it waits for another one's, or it has not reached the cache */
		if (waiter || (place == PLACE_L1 && m->bypasses_l1))
			return false;
	} else if (m->type == INST_ACC_R) {
		if (waiter != c->l1i)
			return false;
	} else if (!ldst_takes(c, m, waiter)) {
		return false;
	}
	if (m->inst) {
		if (!valid_index(&k->insts, m->inst) || k->insts.claimed[m->inst] == INST_FREE ||
		    c->inst[m->inst].warp != m->warp || m->is_write)
			return false;
		k->requests[m->inst]++;
	}
	if (!m->is_atomic)
		return true;
	if (!m->inst)
		return false;
	k->atomics[m->warp] += lanes_count(m->lanes);
	if (place == PLACE_BACK || place == PLACE_WRITTEN)
		return true;
	return add_due(k, m->inst, m->lanes);
}

static bool inst_counts(struct core_valid *k, uint32_t inst)
{
	const struct inst *i = &k->c->inst[inst];
	const struct timing_insn *ti = core_insn(k->c, i);
	const uint8_t place = k->insts.claimed[inst];
	const bool loads = ti->class == TIMING_LOAD && i->space != ISA_SPACE_SHARED;
	const bool has_begun = place != INST_IN_PIPE || k->dispatch == inst;
	if (!loads || !has_begun) {
		if (loads || !ti->is_atomic || i->space != ISA_SPACE_SHARED || place != INST_IN_PIPE)
			return !k->requests[inst] && place != INST_NOWHERE;
		/* what an atomic in shared memory does happens at the end of the pipe */
		if (!add_due(k, inst, i->active))
			return false;
		k->atomics[i->warp] += lanes_count(i->active);
		return !k->requests[inst];
	}
	const uint32_t waits = k->requests[inst] + (k->next_write == inst);
	return (place == INST_IN_PIPE || (waits && !i->n_accesses)) && i->pending == waits + i->n_accesses;
}

static bool warp_counts(const struct core_valid *k, uint32_t warp)
{
	const struct core_warp *w = &k->c->warp[warp];
	if (!w->used)
		return !k->atomics[warp] && !k->in_pipe[warp];
	const uint32_t in_pipe = k->in_pipe[warp] + w->ibuffer[0].valid + w->ibuffer[1].valid;
	return w->in_pipeline == in_pipe && w->atomics == k->atomics[warp] &&
	       exec_pending_list_is_valid(k->c->t->exec, w->pending, w->cta_slot, w->index);
}

/* Returns true if an instruction's effect under way is in its warp's list and has the lanes that have not happened. */
static bool effect_is_valid(const struct core_valid *k, uint32_t inst)
{
	const struct inst *i = &k->c->inst[inst];
	const struct core_warp *w = &k->c->warp[i->warp];
	if (!i->effect)
		return !k->due[inst];
	const struct exec *x = k->c->t->exec;
	return w->used && k->due[inst] && k->due[inst] == exec_pending_due(x, w->pending, i->effect) &&
	       exec_pending_at(x, i->effect)->pc == i->pc;
}

bool core_counts_are_valid(struct core_valid *k)
{
	for (uint32_t i = 1; i < k->insts.n; i++)
		if (k->insts.claimed[i] != INST_FREE && (!inst_is_valid(k, i) || !inst_counts(k, i)))
			return invalid(k->v->what, "instruction %u of core %u", i, k->c->id);
	for (uint32_t i = 1; i < k->accesses.n; i++)
		if (!k->accesses.claimed[i])
			return invalid(k->v->what, "accesses of core %u", k->c->id);
	for (uint32_t warp = 0; warp < k->c->cfg->n_warps; warp++)
		if (!warp_counts(k, warp))
			return invalid(k->v->what, "what warp %u of core %u has under way", warp, k->c->id);
	for (uint32_t i = 1; i < k->insts.n; i++)
		if (k->insts.claimed[i] != INST_FREE && !effect_is_valid(k, i))
			return invalid(k->v->what, "the effect of instruction %u of core %u", i, k->c->id);
	return true;
}
