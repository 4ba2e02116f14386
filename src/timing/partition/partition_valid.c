/* Memory partitions that may hold anything are looked at. */
#include "timing/common/valid.h"
#include "timing/partition/partition_internal.h"

/* ---- sub-partitions ---- */

/* What comes from a core, and what goes back to one. */
static bool types_are_valid(const struct timing_valid *v, const struct fifo *f, bool goes_back)
{
	for (uint32_t k = 0; k < f->n; k++) {
		const uint8_t type = request_at(v->q, fifo_peek(f, k))->type;
		if (type == L2_WRBK_ACC || type == L2_WR_ALLOC_R || (goes_back && type == L1_WRBK_ACC))
			return false;
	}
	return true;
}

/* A line that an L2 fetches for a write belongs to no core: the L2 waits for it. */
static bool fills_are_valid(const struct timing_valid *v, const struct sub_partition *s)
{
	for (uint32_t k = 0; k < s->dram_to_l2->n; k++) {
		const uint32_t r = fifo_peek(s->dram_to_l2, k);
		const struct mem_request *m = request_at(v->q, r);
		const void *waiter = v->waiter[REQUEST_L2][r];
		if (m->type == L1_WRBK_ACC || m->type == L2_WRBK_ACC || (waiter && waiter != s->l2) ||
		    (!waiter && m->type == L2_WR_ALLOC_R))
			return false;
	}
	return true;
}

static bool bit_is(const uint64_t *bits, uint32_t k, bool on) { return (bits[k >> 6] >> (k & 63) & 1) == on; }

static bool sub_is_valid(const struct partitions *p, struct timing_valid *v, uint32_t k)
{
	const struct sub_partition *s = &p->sub[k];
	const struct partition_config *c = p->cfg;
	if (*s->private_credits > PRIVATE_CREDITS || !timing_claim_list(v, &s->s->rop, PLACE_OUT) ||
	    !timing_claim_fifo(v, s->icnt_to_l2, c->icnt_to_l2, PLACE_OUT) ||
	    !timing_claim_fifo(v, s->l2_to_dram, c->l2_to_dram, PLACE_L2) ||
	    !timing_claim_fifo(v, s->dram_to_l2, c->dram_to_l2, PLACE_FILL) ||
	    !timing_claim_fifo(v, s->l2_to_icnt, c->l2_to_icnt, PLACE_REPLY) || (s->l2 && !cache_is_valid(s->l2, v)))
		return false;
	uint32_t r = s->s->rop.head;
	for (uint32_t i = 0; i < s->s->rop.n; i++, r = request_at(v->q, r)->next)
		if (request_at(v->q, r)->type == L2_WRBK_ACC || request_at(v->q, r)->type == L2_WR_ALLOC_R)
			return false;
	return types_are_valid(v, s->icnt_to_l2, false) && types_are_valid(v, s->l2_to_icnt, true) &&
	       fills_are_valid(v, s) && bit_is(p->replying, k, !fifo_empty(s->l2_to_icnt)) &&
	       p->sub_quiet[k].until <= sub_partition_next_work(s);
}

/* ---- partitions ---- */

struct counted {
	const struct partition *p;
	uint32_t n_of_sub[64]; /* requests between borrowing a credit and giving it back */
	bool ok;
};

static void count_request(void *self, uint32_t r)
{
	struct counted *c = self;
	const uint32_t subs = c->p->all->cfg->subs_per_partition, first = (uint32_t)(c->p->sub - c->p->all->sub);
	const uint32_t sub = request_at(c->p->all->q, r)->dram.sub_partition - first;
	c->ok = c->ok && sub < subs;
	if (c->ok && sub < 64)
		c->n_of_sub[sub]++;
}

/* Each request that is under way to the DRAM or in it has borrowed a credit, which it will return. */
static bool credits_are_valid(const struct partition *p)
{
	struct counted c = {.p = p, .ok = p->all->cfg->subs_per_partition <= 64};
	uint32_t r = p->s->latency.head;
	uint64_t shared = 0;
	for (uint32_t k = 0; k < p->s->latency.n; k++, r = request_at(p->all->q, r)->next)
		count_request(&c, r);
	dram_each_request(p->dram, count_request, &c);
	if (p->port)
		partition_port_each(p, count_request, &c);
	for (uint32_t k = 0; c.ok && k < p->all->cfg->subs_per_partition; k++) {
		c.ok = *p->sub[k].private_credits <= c.n_of_sub[k];
		shared += c.n_of_sub[k] - *p->sub[k].private_credits;
	}
	return c.ok && shared == p->s->shared_credits;
}

/* A request's reply goes to the cache that waits for it. */
static bool replies_are_valid(const struct partition *p, const struct timing_valid *v)
{
	for (uint32_t k = 0; k < p->all->cfg->subs_per_partition; k++) {
		const struct fifo *f = p->sub[k].l2_to_dram;
		for (uint32_t i = 0; i < f->n; i++) {
			const struct mem_request *m = request_at(v->q, fifo_peek(f, i));
			if (m->dram.sub_partition / p->all->cfg->subs_per_partition != p->sub[k].partition)
				return false;
		}
	}
	return true;
}

bool partitions_are_valid(const struct partitions *p, struct timing_valid *v)
{
	for (uint32_t k = 0; k < p->n_subs; k++)
		if (!sub_is_valid(p, v, k))
			return invalid(v->what, "memory sub-partition %u", k);
	if (p->n_subs & 63 && p->replying[p->n_subs >> 6] >> (p->n_subs & 63))
		return invalid(v->what, "which memory sub-partitions reply");
	if (p->memory && !partitions_memory_is_valid(p, v))
		return invalid(v->what, "the DRAM of the standard");
	for (uint32_t k = 0; k < p->cfg->n_partitions; k++) {
		const struct partition *part = &p->partition[k];
		if (!timing_claim_list(v, &part->s->latency, PLACE_L2) || !dram_is_valid(part->dram, v) ||
		    !credits_are_valid(part) || !replies_are_valid(part, v) ||
		    p->dram_quiet[k].until > partition_next_work(part))
			return invalid(v->what, "memory partition %u", k);
	}
	/* what an L2 waits for comes back to it */
	for (uint32_t r = 1; r < v->place.n; r++) {
		const struct cache *l2 = v->waiter[REQUEST_L2][r];
		if (l2 && p->sub[request_at(v->q, r)->dram.sub_partition].l2 != l2)
			return invalid(v->what, "request %u's L2", r);
	}
	return true;
}
