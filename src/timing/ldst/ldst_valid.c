/* An LDST unit that may hold anything is looked at. */
#include "timing/core/core_valid.h"
#include "timing/ldst/ldst_internal.h"

static bool caches_are_valid(const struct ldst *l, struct timing_valid *v)
{
	for (unsigned k = 0; k < L1D_CHOICES; k++)
		if (l->l1d[k] && !cache_is_valid(l->l1d[k], v))
			return false;
	return (!l->cache[LDST_L1T] || cache_is_valid(l->cache[LDST_L1T], v)) &&
	       (!l->cache[LDST_L1C] || cache_is_valid(l->cache[LDST_L1C], v));
}

static bool numbers_are_valid(const struct core *c)
{
	const struct ldst *l = c->ldst;
	const struct ldst_state *s = l->s;
	uint32_t caches = 0;
	for (enum ldst_cache k = 0; k < LDST_CACHES; k++)
		caches |= ldst_cache_in_use(l, k) ? 1u << k : 0;
	return VALID_BOOL(s->refused) && s->client < 5 && s->stall < STALL_REASONS && !(s->responses & ~caches) &&
	       s->quiet < 1u << LDST_CACHES && s->arrived == l->response->n;
}

/* A load that the L1D refuses is in the access stage. */
static bool refusal_is_valid(const struct core_valid *k)
{
	const struct core *c = k->c;
	const struct ldst_state *s = c->ldst->s;
	if (!s->refused)
		return true;
	return s->dispatch && valid_index(&k->insts, s->dispatch) && c->inst[s->dispatch].n_accesses &&
	       valid_index(&k->accesses, c->inst[s->dispatch].accesses) &&
	       c->access[c->inst[s->dispatch].accesses].type < ACCESS_TYPE_COUNT && ldst_cache_in_use(c->ldst, LDST_L1D);
}

static bool stages_are_valid(struct core_valid *k)
{
	const struct ldst_state *s = k->c->ldst->s;
	uint32_t n = 0;
	for (uint32_t at = 0; at < SMEM_LATENCY_MAX; at++) {
		if (!s->stage[at])
			continue;
		if (at >= k->c->cfg->smem_latency || !core_claim_inst(k, s->stage[at], INST_IN_PIPE) ||
		    k->c->inst[s->stage[at]].space != ISA_SPACE_SHARED)
			return false;
		n++;
	}
	return n == s->n_shared;
}

static bool registers_are_valid(struct core_valid *k)
{
	const struct core *c = k->c;
	const struct ldst_state *s = c->ldst->s;
	k->dispatch = s->dispatch;
	k->next_write = s->next_wb;
	if (s->dispatch && !core_claim_inst(k, s->dispatch, INST_IN_PIPE))
		return false;
	/* a load may be in both: some of its data are back, others not asked for */
	if (s->next_wb && s->next_wb != s->dispatch && !core_claim_inst(k, s->next_wb, INST_WRITTEN))
		return false;
	const bool is_load = !s->next_wb || core_insn(c, &c->inst[s->next_wb])->class == TIMING_LOAD;
	return is_load && (!s->next_global || (timing_claim(k->v, s->next_global, PLACE_WRITTEN) &&
					       request_at(k->v->q, s->next_global)->core == c->id &&
					       request_at(k->v->q, s->next_global)->bypasses_l1 &&
					       !request_at(k->v->q, s->next_global)->is_write));
}

/* Accesses on their way to the L1D. */
static bool way_is_valid(struct core_valid *k)
{
	const struct ldst *l = k->c->ldst;
	const uint32_t stages = l->l1 ? k->c->cfg->l1_latency : 0;
	if (l->s->l1_n > stages || (l->s->l1_head && l->s->l1_head >= stages) ||
	    (l->s->l1_n && !ldst_cache_in_use(l, LDST_L1D)))
		return false;
	for (uint32_t i = 0; i < l->s->l1_n; i++) {
		const uint32_t r = l->l1[(l->s->l1_head + i) % stages].request;
		if (!timing_claim(k->v, r, PLACE_L1) || request_at(k->v->q, r)->core != k->c->id)
			return false;
	}
	return true;
}

static bool replies_are_valid(struct core_valid *k)
{
	const struct fifo *f = k->c->ldst->response;
	if (!timing_claim_fifo(k->v, f, k->c->cfg->ldst_response_fifo, PLACE_BACK))
		return false;
	for (uint32_t i = 0; i < f->n; i++) {
		const struct mem_request *m = request_at(k->v->q, fifo_peek(f, i));
		if (m->core != k->c->id || m->type == INST_ACC_R || m->type == L2_WRBK_ACC || m->type == L2_WR_ALLOC_R)
			return false;
	}
	return true;
}

bool ldst_is_valid(struct core_valid *k)
{
	const struct ldst_state *s = k->c->ldst->s;
	return s->l1d < L1D_CHOICES && ldst_streams_are_valid(k->c) && numbers_are_valid(k->c) && stages_are_valid(k) && registers_are_valid(k) &&
	       refusal_is_valid(k) && way_is_valid(k) && replies_are_valid(k) && caches_are_valid(k->c->ldst, k->v);
}

bool ldst_takes(const struct core *c, const struct mem_request *m, const void *waiter)
{
	const struct ldst *l = c->ldst;
	if (m->type == TEXTURE_ACC_R)
		return waiter && waiter == l->cache[LDST_L1T];
	if (m->type == CONST_ACC_R)
		return waiter && waiter == l->cache[LDST_L1C];
	if (m->is_write || m->bypasses_l1)
		return !waiter;
	return waiter && waiter == ldst_cache_in_use(l, LDST_L1D);
}
