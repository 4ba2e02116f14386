/* Validates the state of a memory of a DRAM standard after a restore, which may hold any bytes. */
#include <stdlib.h>

#include "base/valid.h"
#include "base/xalloc.h"
#include "timing/sdram/sdram_internal.h"

static bool place_is_valid(const struct sdram *d, const struct sdram_request *m, uint32_t channel)
{
	if (m->at[SDRAM_CHANNEL] != (int32_t)channel)
		return false;
	for (unsigned l = 0; l < SDRAM_LEVELS; l++)
		if (m->at[l] < (m->type == SDRAM_REFRESH && l > SDRAM_RANK ? -1 : 0) || m->at[l] >= 1 << d->bits[l])
			return false;
	return true;
}

/* Returns whether a type of requests may be in a queue. */
static bool type_fits(enum sdram_queue_kind queue, uint8_t type)
{
	switch (queue) {
	case SDRAM_READS: return type == SDRAM_READ || type == SDRAM_EXTENSION;
	case SDRAM_WRITES: return type == SDRAM_WRITE;
	case SDRAM_OTHERS: return type == SDRAM_REFRESH;
	case SDRAM_ACTIVATED: return type == SDRAM_READ || type == SDRAM_WRITE;
	case SDRAM_PENDING: return type == SDRAM_READ || type == SDRAM_EXTENSION;
	case SDRAM_QUEUES: break;
	}
	return false;
}

static bool queue_is_valid(const struct sdram *d, uint32_t channel, enum sdram_queue_kind queue, bool *seen, uint32_t *serving)
{
	const struct sdram_queue *q = &d->channel[channel].queue[queue];
	uint32_t r = q->head;
	if (queue <= SDRAM_OTHERS && q->n > SDRAM_QUEUE)
		return false;
	for (uint32_t k = 0; k < q->n; k++) {
		if (!r || r >= d->s->n_used || seen[r])
			return false;
		const struct sdram_request *m = sdram_request_at(d, r);
		seen[r] = true;
		if (!type_fits(queue, m->type) || m->kind >= SDRAM_KINDS || (queue != SDRAM_PENDING && m->kind == SDRAM_FORWARD) || !place_is_valid(d, m, channel) ||
		    (k + 1 == q->n) != (r == q->tail))
			return false;
		*serving += m->kind > SDRAM_FORWARD;
		r = m->next;
	}
	return true;
}

static bool channel_is_valid(const struct sdram *d, uint32_t channel, bool *seen)
{
	const struct sdram_channel *c = &d->channel[channel];
	const uint32_t parts = d->total[d->last_level] / d->cfg.channels;
	uint32_t serving = 0, listed = 0;
	for (unsigned q = 0; q < SDRAM_QUEUES; q++)
		if (!queue_is_valid(d, channel, (enum sdram_queue_kind)q, seen, &serving))
			return false;
	for (uint32_t k = channel * parts; k < (channel + 1) * parts; k++) {
		if (!VALID_BOOL(d->open_row[k].is_listed))
			return false;
		listed += d->open_row[k].is_listed;
	}
	return serving == c->serving && listed == c->n_open_rows && VALID_BOOL(c->writing) && VALID_BOOL(c->was_writing) &&
	       c->last_command < SDRAM_COMMANDS && (!c->last_cycle || d->name[c->last_command]);
}

static bool nodes_are_valid(const struct sdram *d)
{
	for (unsigned l = 0; l < SDRAM_NODE_LEVELS; l++) {
		for (uint32_t k = 0; k < d->total[l]; k++)
			if (d->node[l][k].state > SDRAM_SELECTED)
				return false;
		for (unsigned c = 0; c < SDRAM_COMMANDS; c++)
			for (uint32_t k = 0; d->depth[l][c] && k < d->total[l]; k++)
				if (d->history[l][(uint64_t)k * d->history_size[l] + d->history_at[l][c]] < 0)
					return false;
	}
	for (uint32_t k = 0; k < d->total[SDRAM_RANK]; k++)
		if (d->next_bank[k] >= d->count[SDRAM_BANK])
			return false;
	for (uint32_t k = 0; k < d->total[SDRAM_BANK]; k++)
		if (d->next_subarray[k] >= d->count[SDRAM_SUBARRAY])
			return false;
	return true;
}

/* Returns true if the free requests and those in queues are all that were ever used. */
static bool pool_is_valid(const struct sdram *d, bool *seen)
{
	uint32_t n_live = 0, n_free = 0;
	for (uint32_t r = 1; r < d->s->n_used; r++)
		n_live += seen[r];
	for (uint32_t r = d->s->free; r; r = sdram_request_at(d, r)->next, n_free++) {
		if (r >= d->s->n_used || seen[r])
			return false;
		seen[r] = true;
	}
	return n_live == d->s->n_live && n_live + n_free + 1 == d->s->n_used;
}

bool sdram_is_valid(const struct sdram *d)
{
	const struct sdram_memory *s = d->s;
	if (!s->n_used || s->n_used > SDRAM_POOL || !VALID_BOOL(s->draining) || s->random_at >= SDRAM_RANDOM_LAG)
		return false;
	bool *seen = xcalloc(s->n_used, sizeof *seen), ok = nodes_are_valid(d);
	for (uint32_t k = 0; ok && k < d->cfg.channels; k++)
		ok = channel_is_valid(d, k, seen);
	ok = ok && pool_is_valid(d, seen);
	free(seen);
	return ok;
}

void sdram_each_request(const struct sdram *d, void (*each)(void *self, const struct sdram_request *r), void *self)
{
	for (uint32_t c = 0; c < d->cfg.channels; c++)
		for (unsigned q = 0; q < SDRAM_QUEUES; q++) {
			const struct sdram_queue *queue = &d->channel[c].queue[q];
			uint32_t r = queue->head;
			for (uint32_t k = 0; k < queue->n; k++, r = sdram_request_at(d, r)->next)
				each(self, sdram_request_at(d, r));
		}
}

struct wanted {
	uint64_t address;
	uint32_t tag, n;
};

static void count_read(void *self, const struct sdram_request *m)
{
	struct wanted *w = self;
	w->n += (m->type == SDRAM_READ || m->type == SDRAM_EXTENSION) && m->address == w->address && m->tag == w->tag;
}

uint32_t sdram_count_reads(const struct sdram *d, uint64_t address, uint32_t tag)
{
	struct wanted w = {address, tag, 0};
	sdram_each_request(d, count_read, &w);
	return w.n;
}
