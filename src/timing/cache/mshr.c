/* The MSHR table. A hash over the block addresses finds an entry; lists keep the orders that matter: requests of an entry, ready
 * entries, used entries by age (for looking). */
#include <assert.h>
#include <string.h>

#include "timing/cache/cache_internal.h"

bool mshrs_take(struct mshrs *t, struct timing_memory *m, uint32_t capacity, uint32_t merge, enum request_level level)
{
	unsigned log2 = 1;
	while ((UINT32_C(1) << log2) < 2 * capacity)
		log2++;
	t->capacity = capacity;
	t->merge = merge;
	t->shift = 64 - log2;
	t->level = level;
	t->s = timing_take(m, 1, sizeof *t->s);
	t->at = timing_take(m, capacity + 1, sizeof *t->at);
	t->bucket = timing_take(m, UINT64_C(1) << log2, sizeof *t->bucket);
	if (!t->s || !t->at || !t->bucket)
		return false;
	for (uint32_t i = 1; i <= capacity; i++)
		t->at[i].chain = i < capacity ? i + 1 : 0;
	t->s->free = 1;
	return true;
}

/* Fibonacci hashing: the high bits of the product depend on all bits of the block. */
static uint32_t *bucket_of(const struct mshrs *t, uint64_t block)
{
	return &t->bucket[(block * UINT64_C(0x9e3779b97f4a7c15)) >> t->shift];
}

uint32_t mshrs_find(const struct mshrs *t, uint64_t block)
{
	uint32_t i = t->s->used ? *bucket_of(t, block) : 0;
	while (i && t->at[i].block != block)
		i = t->at[i].chain;
	return i;
}

static uint32_t take_entry(struct mshrs *t, uint64_t block)
{
	uint32_t i = t->s->free, *bucket = bucket_of(t, block);
	struct mshr_entry *e = &t->at[i];
	assert(i);
	t->s->free = e->chain;
	t->s->used++;
	*e = (struct mshr_entry){.block = block, .chain = *bucket, .older = t->at[0].older};
	*bucket = i;
	t->at[e->older].newer = i;
	t->at[0].older = i;
	return i;
}

static void free_entry(struct mshrs *t, uint32_t i)
{
	struct mshr_entry *e = &t->at[i];
	uint32_t *at = bucket_of(t, e->block);
	while (*at != i)
		at = &t->at[*at].chain;
	*at = e->chain;
	t->at[e->older].newer = e->newer;
	t->at[e->newer].older = e->older;
	e->chain = t->s->free;
	t->s->free = i;
	t->s->used--;
}

void mshrs_add(struct mshrs *t, struct requests *q, uint32_t entry, uint64_t block, uint32_t r)
{
	struct mshr_entry *e = &t->at[entry ? entry : take_entry(t, block)];
	assert(e->n < t->merge);
	request_at(q, r)->mshr_next[t->level] = 0;
	if (e->n++)
		request_at(q, e->last)->mshr_next[t->level] = r;
	else
		e->first = r;
	e->last = r;
	e->has_atomic |= request_at(q, r)->is_atomic;
}

bool mshrs_mark_ready(struct mshrs *t, uint64_t block)
{
	uint32_t i = mshrs_find(t, block);
	struct mshr_entry *e = &t->at[i];
	assert(i && !e->ready);
	e->ready = true;
	e->next_ready = 0;
	if (t->s->ready_first)
		t->at[t->s->ready_last].next_ready = i;
	else
		t->s->ready_first = i;
	t->s->ready_last = i;
	return e->has_atomic;
}

uint32_t mshrs_next_ready(struct mshrs *t, const struct requests *q)
{
	uint32_t i = t->s->ready_first;
	struct mshr_entry *e = &t->at[i];
	assert(i && e->n);
	uint32_t r = e->first;
	e->first = request_at(q, r)->mshr_next[t->level];
	if (!--e->n) {
		t->s->ready_first = e->next_ready;
		free_entry(t, i);
	}
	return r;
}
