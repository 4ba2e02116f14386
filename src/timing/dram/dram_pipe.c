/* The delay queue between a column command and its data.
 *
 * It never gets shorter than its minimum, which is filled up with empty elements; a command takes the place of the empty element at the tail
 * if there is one. So with nothing before it, data comes out as many cycles after its command as the minimum says. */
#include "timing/dram/dram_internal.h"

struct dram_pipe *dram_pipe_take(struct timing_memory *m, uint32_t min, uint32_t cap, uint32_t *mask)
{
	uint32_t n = 1;
	while (n <= cap)
		n *= 2;
	struct dram_pipe *p = timing_take(m, 1, sizeof *p + n * sizeof p->at[0]);
	if (!p)
		return NULL;
	p->length = p->min = min;
	p->cap = cap;
	*mask = n - 1;
	return p;
}

static uint32_t *tail(struct dram_pipe *p, uint32_t mask) { return &p->at[(uint32_t)(p->head + p->length - 1) & mask]; }

void dram_pipe_push(struct dram_pipe *p, uint32_t mask, uint32_t request)
{
	assert(!dram_pipe_full(p));
	if (!p->length || *tail(p, mask) || p->length < p->min)
		p->length++;
	*tail(p, mask) = request;
	p->used++;
}

uint32_t dram_pipe_pop(struct dram_pipe *p, uint32_t mask)
{
	if (!p->used) /* taking an empty element out and putting one in changes nothing */
		return 0;
	uint32_t *slot = &p->at[(uint32_t)p->head & mask];
	uint32_t request = *slot;
	*slot = 0;
	p->head++;
	p->used -= request != 0;
	if (p->length > p->min) /* else an empty element is put in at once */
		p->length--;
	return request;
}

/* A smaller minimum takes away empty elements at the tail, used ones stay where they are. */
void dram_pipe_set_min(struct dram_pipe *p, uint32_t mask, uint32_t min)
{
	p->min = min;
	if (p->length < min)
		p->length = min;
	while (p->length > min && !*tail(p, mask))
		p->length--;
}
