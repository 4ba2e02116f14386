/* Validates the state of a DRAM controller after a restore, which may hold any bytes. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "timing/common/valid.h"
#include "timing/dram/dram_internal.h"

static uint64_t low_bits(uint32_t n) { return n >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1; }

/* ---- banks ---- */

static bool waiting_are_valid(const struct dram *d, struct timing_valid *v, uint32_t bank)
{
	const struct dram_bank *b = &d->bank[bank];
	bool serves = false;
	if (!timing_claim_list(v, &b->waiting, PLACE_L2) || (b->waiting.n && !d->cfg->scheduler->has_queue))
		return false;
	uint32_t r = b->waiting.head;
	for (uint32_t k = 0; k < b->waiting.n; k++, r = request_at(v->q, r)->next) {
		if (request_at(v->q, r)->dram.bank != bank)
			return false;
		serves |= request_at(v->q, r)->dram.row == b->serving_row;
	}
	return serves || !b->serving;
}

/* Returns true if the bytes that a bank has transferred fit the `in_pipe` column commands of its request in the pipe. */
static bool transfer_is_valid(const struct dram *d, const struct timing_valid *v, const struct dram_bank *b,
			      uint32_t in_pipe)
{
	const struct mem_request *m = request_at(v->q, b->request);
	return m->dram.bank == (uint32_t)(b - d->bank) && b->bytes == m->size && b->transferred < b->bytes &&
	       b->is_write == m->is_write && b->transferred == m->dram_done + (uint64_t)in_pipe * d->atom;
}

static bool banks_are_valid(const struct dram *d, struct timing_valid *v, const uint32_t *in_pipe)
{
	const struct dram_state *s = d->s;
	uint64_t pending = 0;
	for (uint32_t k = 0; k < d->cfg->t.nbk; k++) {
		const struct dram_bank *b = &d->bank[k];
		if (!VALID_BOOL(b->active) || !VALID_BOOL(b->serving) || !VALID_BOOL(b->is_write) ||
		    (s->busy >> k & 1) != (b->request != 0) || (s->has_waiting >> k & 1) != (b->waiting.n != 0) ||
		    !waiting_are_valid(d, v, k))
			return false;
		if (b->request &&
		    (!timing_claim(v, b->request, PLACE_L2) || !transfer_is_valid(d, v, b, in_pipe[b->request])))
			return false;
		pending += b->waiting.n;
	}
	return pending == s->pending;
}

/* ---- the pipe ---- */

/* Counts the elements of the pipe for each request. Returns false if the pipe's numbers are wrong or an element outside its length is used. */
static bool pipe_counts(const struct dram *d, const struct timing_valid *v, uint32_t *in_pipe)
{
	const struct dram_pipe *p = d->pipe;
	uint32_t used = 0, inside = 0;
	if (p->cap != d->cfg->t.cl + 1 || p->min != (d->s->writing ? d->cfg->t.wl : d->cfg->t.cl) || p->length > p->cap ||
	    p->length < p->min)
		return false;
	for (uint32_t k = 0; k <= d->pipe_mask; k++) {
		if (p->at[k] && !timing_is_live(v, p->at[k]))
			return false;
		used += p->at[k] != 0;
	}
	for (uint32_t k = 0; k < p->length; k++) {
		const uint32_t r = dram_pipe_peek(p, d->pipe_mask, k);
		inside += r != 0;
		in_pipe[r] += r != 0;
	}
	return used == p->used && inside == used;
}

/* Claims requests whose commands have all been given: only the pipe holds them. Returns false if one has too many or too few elements. */
static bool pipe_is_valid(const struct dram *d, struct timing_valid *v, const uint32_t *in_pipe)
{
	for (uint32_t k = 0; k < d->pipe->length; k++) {
		const uint32_t r = dram_pipe_peek(d->pipe, d->pipe_mask, k);
		const struct mem_request *m = request_at(v->q, r);
		if (!r || (m->dram.bank < d->cfg->t.nbk && d->bank[m->dram.bank].request == r))
			continue;
		const uint64_t done = m->dram_done + (uint64_t)in_pipe[r] * d->atom;
		if (v->place.claimed[r] == PLACE_NOWHERE && !timing_claim(v, r, PLACE_L2))
			return false;
		if (v->place.claimed[r] != PLACE_L2 || done < m->size || done - d->atom >= m->size)
			return false;
	}
	return true;
}

/* ---- all of it ---- */

static bool fifos_are_valid(const struct dram *d, struct timing_valid *v)
{
	const uint32_t returns = d->cfg->return_queue ? d->cfg->return_queue : d->returns->cap;
	if (!timing_claim_fifo(v, d->input, d->cfg->input_queue, PLACE_L2) ||
	    !timing_claim_fifo(v, d->returns, returns, PLACE_FILL))
		return false;
	for (uint32_t k = 0; k < d->returns->n; k++) {
		const uint8_t type = request_at(v->q, fifo_peek(d->returns, k))->type;
		if (type == L1_WRBK_ACC || type == L2_WRBK_ACC)
			return false;
	}
	return true;
}

bool dram_is_valid(const struct dram *d, struct timing_valid *v)
{
	const struct dram_state *s = d->s;
	uint32_t *in_pipe = xcalloc(v->place.n, sizeof *in_pipe);
	const bool ok = VALID_BOOL(s->writing) && s->prio < d->cfg->t.nbk && !(s->busy & ~low_bits(d->cfg->t.nbk)) &&
			!(s->has_waiting & ~low_bits(d->cfg->t.nbk)) && dram_rules_are_valid(d) && pipe_counts(d, v, in_pipe) &&
			banks_are_valid(d, v, in_pipe) && pipe_is_valid(d, v, in_pipe) && fifos_are_valid(d, v);
	free(in_pipe);
	return ok;
}

/* Calls `each` once for a request that has several elements in the pipe. */
void dram_each_request(const struct dram *d, void (*each)(void *self, uint32_t request), void *self)
{
	for (uint32_t k = 0; k < d->input->n; k++)
		each(self, fifo_peek(d->input, k));
	for (uint32_t k = 0; k < d->returns->n; k++)
		each(self, fifo_peek(d->returns, k));
	for (uint32_t k = 0; k < d->cfg->t.nbk; k++) {
		uint32_t r = d->bank[k].waiting.head;
		for (uint32_t i = 0; i < d->bank[k].waiting.n; i++, r = request_at(d->q, r)->next)
			each(self, r);
		if (d->bank[k].request)
			each(self, d->bank[k].request);
	}
	for (uint32_t k = 0; k < d->pipe->length; k++) {
		const uint32_t r = dram_pipe_peek(d->pipe, d->pipe_mask, k);
		bool again = !r || d->bank[request_at(d->q, r)->dram.bank].request == r;
		for (uint32_t i = 0; i < k && !again; i++)
			again = dram_pipe_peek(d->pipe, d->pipe_mask, i) == r;
		if (!again)
			each(self, r);
	}
}
