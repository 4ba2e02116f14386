#include "timing/common/valid.h"

#define ROOM 4u /* a pool that is fuller than 1 - 1 / ROOM is refused: hardware holds a few thousand requests */
#define SIZE_MOST 4096u

bool requests_pool_is_valid(struct timing_valid *v)
{
	const struct arena_section *s = &v->q->arena->section[v->q->section];
	const struct requests_state *p = v->q->s;
	const uint64_t most = s->reserved / sizeof(struct mem_request);
	if (s->used < sizeof(struct mem_request) || !p->n_used || p->n_used > s->used / sizeof(struct mem_request) ||
	    p->n_used > most - most / ROOM || p->n_used > UINT32_C(1) << 21)
		return invalid(v->what, "how many requests there are");
	valid_pool_init(&v->place, p->n_used);
	for (uint32_t r = p->free; r; r = v->q->at[r].next)
		if (!timing_claim(v, r, PLACE_FREE))
			return invalid(v->what, "the list of free requests");
	return p->n_live + 1 + valid_count(&v->place, PLACE_FREE) == p->n_used ||
	       invalid(v->what, "how many requests are under way");
}

static bool bools_are_valid(const struct mem_request *m)
{
	return VALID_BOOL(m->is_write) && VALID_BOOL(m->is_atomic) && VALID_BOOL(m->is_reply) &&
	       VALID_BOOL(m->bypasses_l1) && VALID_BOOL(m->saved[0].valid) && VALID_BOOL(m->saved[1].valid);
}

/* Only what an L2 writes back belongs to no core, and only what caches write back to no warp. */
static bool owner_is_valid(const struct timing_valid *v, const struct mem_request *m)
{
	const bool no_core = m->core == REQUEST_NO_CORE && m->cluster == REQUEST_NO_CORE;
	const bool no_warp = m->warp == REQUEST_NO_WARP;
	if (no_core ? m->type != L2_WRBK_ACC
		    : m->core >= v->n_cores || m->cluster != m->core / v->cores_per_cluster)
		return false;
	return no_warp ? m->type == L1_WRBK_ACC || m->type == L2_WRBK_ACC || m->stream : m->warp < v->n_warps;
}

static bool place_is_valid(const struct timing_valid *v, const struct dram_place *d)
{
	return d->channel < v->n_partitions && d->sub_partition < v->n_subs && d->bank < v->n_banks;
}

bool requests_are_valid(struct timing_valid *v)
{
	for (uint32_t r = 1; r < v->place.n; r++) {
		const struct mem_request *m = request_at(v->q, r);
		if (v->place.claimed[r] == PLACE_FREE)
			continue;
		if (!bools_are_valid(m) || m->type >= ACCESS_TYPE_COUNT || m->status >= REQUEST_STATUS_COUNT ||
		    m->sector >= REQUEST_SECTORS || m->parts > REQUEST_SECTORS || m->chunks >= 1u << REQUEST_SECTORS ||
		    !m->size || m->size > SIZE_MOST || (m->pc >= v->n_insns && m->pc != REQUEST_NO_PC) ||
		    m->cta_slot >= v->n_slots || !owner_is_valid(v, m) || !place_is_valid(v, &m->dram))
			return invalid(v->what, "request %u", r);
	}
	return true;
}

bool timing_claim_list(struct timing_valid *v, const struct request_list *l, enum request_place place)
{
	uint32_t r = l->head, last = 0;
	for (uint32_t k = 0; k < l->n; k++, r = request_at(v->q, r)->next) {
		if (!timing_claim(v, r, place))
			return false;
		last = r;
	}
	return !l->n || (last == l->tail && !request_at(v->q, last)->next);
}

bool timing_claim_fifo(struct timing_valid *v, const struct fifo *f, uint32_t cap, enum request_place place)
{
	if (!fifo_is_valid(f, cap))
		return false;
	for (uint32_t k = 0; k < f->n; k++)
		if (!timing_claim(v, fifo_peek(f, k), place))
			return false;
	return true;
}

/* Parts of a divided request, which none of them is itself. */
static bool parts_are_valid(struct timing_valid *v)
{
	struct valid_pool parts;
	bool ok = true;
	valid_pool_init(&parts, v->place.n);
	for (uint32_t r = 1; ok && r < v->place.n; r++) {
		const struct mem_request *m = request_at(v->q, r);
		if (v->place.claimed[r] == PLACE_FREE || !m->whole)
			continue;
		const struct mem_request *w = timing_is_live(v, m->whole) ? request_at(v->q, m->whole) : NULL;
		ok = w && !w->whole && !m->parts && !m->is_atomic && !m->is_write && !w->is_write &&
		     m->core == w->core && m->type == w->type && parts.claimed[m->whole]++ < REQUEST_SECTORS;
	}
	for (uint32_t r = 1; ok && r < v->place.n; r++)
		ok = v->place.claimed[r] == PLACE_FREE || request_at(v->q, r)->parts == parts.claimed[r];
	valid_pool_free(&parts);
	return ok;
}

/* Kinds of requests that caches make are only where these caches send them. */
static bool kind_is_there(const struct timing_valid *v, uint32_t r)
{
	const struct mem_request *m = request_at(v->q, r);
	switch (m->type) {
	case L1_WRBK_ACC: return m->is_write && !v->listed[REQUEST_L1].claimed[r] && !v->listed[REQUEST_L2].claimed[r];
	case L2_WRBK_ACC: return m->is_write && v->place.claimed[r] == PLACE_L2 && !v->listed[REQUEST_L2].claimed[r];
	case L1_WR_ALLOC_R: return v->listed[REQUEST_L1].claimed[r] || m->whole;
	case L2_WR_ALLOC_R: return v->listed[REQUEST_L2].claimed[r];
	default: return true;
	}
}

/* A request that waits for another request's reply is not under way itself. One whose reply fills a cache is. */
static bool is_somewhere(const struct timing_valid *v, uint32_t r)
{
	const struct mem_request *m = request_at(v->q, r);
	const uint8_t place = v->place.claimed[r];
	const bool in_l1 = v->listed[REQUEST_L1].claimed[r], in_l2 = v->listed[REQUEST_L2].claimed[r];
	for (unsigned level = 0; level < REQUEST_LEVELS; level++)
		if (m->saved[level].valid != (v->waiter[level][r] != NULL))
			return false;
	if (m->parts)
		return !place && !in_l2 && (!in_l1 || m->saved[REQUEST_L1].valid);
	if (in_l2)
		return m->saved[REQUEST_L2].valid ? place == PLACE_L2 || place == PLACE_FILL : !place;
	if (in_l1 && !m->saved[REQUEST_L1].valid)
		return !place;
	return place && (!in_l1 || (place >= PLACE_CORE && place <= PLACE_BACK));
}

bool requests_places_are_valid(struct timing_valid *v)
{
	if (!parts_are_valid(v))
		return invalid(v->what, "requests that are divided");
	for (uint32_t r = 1; r < v->place.n; r++)
		if (v->place.claimed[r] != PLACE_FREE && (!is_somewhere(v, r) || !kind_is_there(v, r)))
			return invalid(v->what, "where request %u is", r);
	return true;
}
