/* The requests of a memory and the queues they wait in. */
#include "timing/sdram/sdram_internal.h"

const char *const sdram_queue_names[SDRAM_QUEUES] = {"reads", "writes", "refreshes", "activated", "pending"};

uint32_t sdram_request_new(struct sdram *d)
{
	struct sdram_memory *s = d->s;
	uint32_t r = s->free;
	if (r) {
		s->free = sdram_request_at(d, r)->next;
	} else {
		if (s->n_used == SDRAM_POOL)
			return 0;
		r = s->n_used++;
		timing_pool_use(d->memory, sdram_request_at(d, r), sizeof(struct sdram_request));
	}
	s->n_live++;
	return r;
}

void sdram_request_free(struct sdram *d, uint32_t r)
{
	sdram_request_at(d, r)->next = d->s->free;
	d->s->free = r;
	d->s->n_live--;
}

void sdram_queue_push(struct sdram *d, struct sdram_queue *q, uint32_t r)
{
	sdram_request_at(d, r)->next = 0;
	if (q->n++)
		sdram_request_at(d, q->tail)->next = r;
	else
		q->head = r;
	q->tail = r;
}

void sdram_queue_remove(struct sdram *d, struct sdram_queue *q, uint32_t r)
{
	uint32_t before = 0;
	for (uint32_t k = q->head; k != r; k = sdram_request_at(d, k)->next)
		before = k;
	const uint32_t after = sdram_request_at(d, r)->next;
	if (before)
		sdram_request_at(d, before)->next = after;
	else
		q->head = after;
	if (q->tail == r)
		q->tail = before;
	q->n--;
}

void sdram_push_refresh(struct sdram *d, struct sdram_channel *c, const int32_t *at)
{
	struct sdram_queue *q = &c->queue[SDRAM_OTHERS];
	const uint32_t r = q->n < SDRAM_QUEUE ? sdram_request_new(d) : 0;
	if (!r)
		return;
	struct sdram_request *m = sdram_request_at(d, r);
	*m = (struct sdram_request){.arrive = d->s->clock, .type = SDRAM_REFRESH};
	for (unsigned l = 0; l < SDRAM_LEVELS; l++)
		m->at[l] = at[l];
	sdram_queue_push(d, q, r);
}
