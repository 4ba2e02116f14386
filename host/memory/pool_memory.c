/* The pool of each allocation, and the memory in use of each pool. */
#include "host/memory/pool.h"

#include <search.h>
#include <stdlib.h>

#include "host/core/lock.h"

struct piece {
	const void *at;
	uint64_t bytes;
	struct host_pool *pool;
	struct piece *older; /* an imported allocation hides the original at the same address, and is freed first */
};

static struct {
	struct host_lock lock;
	void *tree; /* search tree of pieces by address */
} pieces;

static int by_address(const void *a, const void *b)
{
	const uintptr_t x = (uintptr_t)((const struct piece *)a)->at, y = (uintptr_t)((const struct piece *)b)->at;
	return x < y ? -1 : x > y;
}

static void raise_to(uint64_t *value, uint64_t least) { *value = *value < least ? least : *value; }

/* Limits the reserved size of a pool to `most`, but not below the size in use. A pool shared with other processes keeps all. */
static void limit_reserved(struct host_pool *p, uint64_t most)
{
	if (!p->handles && !p->is_import && p->value[POOL_RESERVED] > most)
		p->value[POOL_RESERVED] = most;
	raise_to(&p->value[POOL_RESERVED], p->value[POOL_USED]);
}

bool pool_has_space(struct host_pool *p, uint64_t bytes)
{
	host_lock(&pieces.lock);
	const uint64_t used = p->value[POOL_USED];
	host_unlock(&pieces.lock);
	return !p->most || (used <= p->most && bytes <= p->most - used);
}

void pool_note_allocation(struct host_pool *p, const void *at, uint64_t bytes)
{
	struct piece *const new = malloc(sizeof *new);
	host_lock(&pieces.lock);
	if (new)
		*new = (struct piece){at, bytes, p, NULL};
	struct piece **const is = new ? tsearch(new, &pieces.tree, by_address) : NULL;
	if (is) {
		if (*is != new) {
			new->older = *is;
			*is = new;
		}
		p->n++;
		p->value[POOL_USED] += bytes;
		raise_to(&p->value[POOL_RESERVED], p->value[POOL_USED]);
		raise_to(&p->value[POOL_USED_HIGH], p->value[POOL_USED]);
		raise_to(&p->value[POOL_RESERVED_HIGH], p->value[POOL_RESERVED]);
	} else
		free(new);
	host_unlock(&pieces.lock);
}

static void free_piece(struct piece *piece)
{
	struct host_pool *const p = piece->pool;
	p->n--;
	p->value[POOL_USED] -= piece->bytes;
	limit_reserved(p, p->value[POOL_THRESHOLD]);
	if (p->is_gone && !p->n)
		free(p);
	free(piece);
}

/* Removes the newest piece at an address. */
static void remove_piece(struct piece **is)
{
	struct piece *const piece = *is;
	if (piece->older)
		*is = piece->older;
	else
		tdelete(piece, &pieces.tree, by_address);
	free_piece(piece);
}

struct host_pool *pool_of(const void *at)
{
	const struct piece key = {.at = at};
	host_lock(&pieces.lock);
	struct piece **const is = tfind(&key, &pieces.tree, by_address);
	struct piece *piece = is ? *is : NULL;
	while (piece && piece->pool->is_import)
		piece = piece->older;
	struct host_pool *const pool = piece ? piece->pool : NULL;
	host_unlock(&pieces.lock);
	return pool;
}

void pool_note_free(const void *at)
{
	const struct piece key = {.at = at};
	if (!__atomic_load_n(&pieces.tree, __ATOMIC_ACQUIRE)) /* the common case: no pieces */
		return;
	host_lock(&pieces.lock);
	struct piece **const is = tfind(&key, &pieces.tree, by_address);
	if (is)
		remove_piece(is);
	host_unlock(&pieces.lock);
}

void pool_reset(void)
{
	host_lock(&pieces.lock);
	while (pieces.tree)
		remove_piece(pieces.tree);
	host_unlock(&pieces.lock);
}

/* A high mark restarts at the present value. */
void pool_set_attribute(struct host_pool *p, int attribute, uint64_t value)
{
	host_lock(&pieces.lock);
	p->value[attribute] = value;
	if (attribute > POOL_THRESHOLD)
		p->value[attribute] = p->value[attribute - 1];
	host_unlock(&pieces.lock);
}

void pool_trim(struct host_pool *p, uint64_t least)
{
	host_lock(&pieces.lock);
	limit_reserved(p, least);
	host_unlock(&pieces.lock);
}

void pool_destroy(struct host_pool *p)
{
	host_lock(&pieces.lock);
	p->is_gone = true;
	if (!p->n)
		free(p);
	host_unlock(&pieces.lock);
}
