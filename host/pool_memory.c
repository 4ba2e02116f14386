/* Which memory is of which pool, and how much a pool has in use. */
#include "host/pool.h"

#include <search.h>
#include <stdlib.h>

#include "host/lock.h"

struct piece {
	const void *at;
	uint64_t bytes;
	struct host_pool *pool;
	struct piece *older; /* what was imported lies over what it was imported from, and is freed first */
};

static struct {
	struct host_lock lock;
	void *tree; /* of pieces, by address */
} pieces;

static int by_address(const void *a, const void *b)
{
	const uintptr_t x = (uintptr_t)((const struct piece *)a)->at, y = (uintptr_t)((const struct piece *)b)->at;
	return x < y ? -1 : x > y;
}

static void at_least(uint64_t *value, uint64_t least) { *value = *value < least ? least : *value; }

/* A pool keeps what was given back, up to a size that its program sets; what is in use it has. One that several processes may have keeps all. */
static void keep(struct host_pool *p, uint64_t most)
{
	if (!p->handles && !p->is_import && p->value[POOL_RESERVED] > most)
		p->value[POOL_RESERVED] = most;
	at_least(&p->value[POOL_RESERVED], p->value[POOL_USED]);
}

bool pool_has(struct host_pool *p, uint64_t bytes)
{
	host_lock(&pieces.lock);
	const uint64_t used = p->value[POOL_USED];
	host_unlock(&pieces.lock);
	return !p->most || (used <= p->most && bytes <= p->most - used);
}

void pool_gave(struct host_pool *p, const void *at, uint64_t bytes)
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
		at_least(&p->value[POOL_RESERVED], p->value[POOL_USED]);
		at_least(&p->value[POOL_USED_HIGH], p->value[POOL_USED]);
		at_least(&p->value[POOL_RESERVED_HIGH], p->value[POOL_RESERVED]);
	} else
		free(new);
	host_unlock(&pieces.lock);
}

static void give_back(struct piece *piece)
{
	struct host_pool *const p = piece->pool;
	p->n--;
	p->value[POOL_USED] -= piece->bytes;
	keep(p, p->value[POOL_THRESHOLD]);
	if (p->is_gone && !p->n)
		free(p);
	free(piece);
}

/* The newest there is no more. */
static void take_off(struct piece **is)
{
	struct piece *const piece = *is;
	if (piece->older)
		*is = piece->older;
	else
		tdelete(piece, &pieces.tree, by_address);
	give_back(piece);
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

void pool_got_back(const void *at)
{
	const struct piece key = {.at = at};
	if (!__atomic_load_n(&pieces.tree, __ATOMIC_ACQUIRE)) /* mostly */
		return;
	host_lock(&pieces.lock);
	struct piece **const is = tfind(&key, &pieces.tree, by_address);
	if (is)
		take_off(is);
	host_unlock(&pieces.lock);
}

void pool_forget_all(void)
{
	host_lock(&pieces.lock);
	while (pieces.tree)
		take_off(pieces.tree);
	host_unlock(&pieces.lock);
}

/* The highest so far begins anew with what there is. */
void pool_set(struct host_pool *p, int attribute, uint64_t value)
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
	keep(p, least);
	host_unlock(&pieces.lock);
}

void pool_end(struct host_pool *p)
{
	host_lock(&pieces.lock);
	p->is_gone = true;
	if (!p->n)
		free(p);
	host_unlock(&pieces.lock);
}
