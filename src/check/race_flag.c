/* Which fences would have ordered two accesses that race: who has written a flag after the first one, and who has read the flag since.
 *
 * Two tables of fixed size in the head hold the latest writes and reads of each thread at each place; newer ones take the room of others. So an order
 * may be missed, but none is made up. */
#include "check/race_state.h"

static uint32_t mix(uint64_t key, uint32_t uid, uint32_t n)
{
	key = (key ^ (uint64_t)uid << 32) * UINT64_C(0x9e3779b97f4a7c15);
	return (uint32_t)(key >> 40) % n;
}

/* Returns the time since when a reader of a place sees the writes to it: that of the last store, as an atomic continues what it has read. */
static uint32_t note_store(struct race *r, uint64_t key, const struct race_signal *s)
{
	struct race_flag_place *p = &race_head(r)->flag_place[mix(key, 0, RACE_FLAGS)];
	if (p->key == key && (!s->writes || s->is_atomic))
		return p->since;
	if (!s->writes)
		return race_now(r);
	race_touch(r, p, sizeof *p);
	*p = (struct race_flag_place){key, race_now(r)};
	return p->since;
}

void race_note_flag(struct race *r, const struct race_thread *t, uint64_t key, const struct race_signal *s)
{
	const uint32_t now = race_now(r), since = note_store(r, key, s);
	if (s->reads && (s->has_result || !s->is_atomic)) {
		struct race_flag_read *read = &race_head(r)->flag_read[mix(key, t->uid, RACE_FLAGS)];
		race_touch(r, read, sizeof *read);
		*read = (struct race_flag_read){key, t->uid, now, since, s->pc};
	}
	if (s->writes) {
		struct race_flag_write *write = &race_head(r)->flag_write[mix(key, t->uid, RACE_FLAGS)];
		race_touch(r, write, sizeof *write);
		*write = (struct race_flag_write){key, t->uid, t->block->uid, now, s->pc, race_fenced_now(t->block, t->warp, t->lane, now)};
	}
}

/* Returns true if the thread of a write that is made known knew of the access of thread `uid` at time `stamp`. */
static bool tells(const struct race *r, const struct race_flag_write *w, uint32_t uid, uint32_t stamp)
{
	const uint32_t thread = uid - w->block, other = w->uid - w->block;
	const uint32_t until = uid == w->uid ? w->told.own : race_one_warp(r, thread, other) ? w->told.warp : w->told.block;
	return stamp < until;
}

bool race_would_be_told(const struct race *r, const struct race_access *a, const struct race_found *f, struct race_flag *out)
{
	const struct race_head *h = race_head(r);
	const struct race_block *b = race_block(r, a->slot);
	const uint32_t me = b->uid + a->warp * r->warp_threads + f->lane;
	const uint64_t raced = race_place_key(b, a->shared, f->address & ~UINT64_C(3));
	uint32_t block;
	if (race_block_of(r, a->slot, f->uid, f->stamp, &block))
		return false;
	for (uint32_t k = 0; k < RACE_FLAGS; k++) {
		const struct race_flag_write *const w = &h->flag_write[k];
		if (!w->key || w->key == raced || w->block != block || !tells(r, w, f->uid, f->stamp))
			continue;
		for (uint32_t n = 0; n < RACE_FLAGS; n++) {
			const struct race_flag_read *const read = &h->flag_read[n];
			if (read->key != w->key || read->uid == w->uid || read->at < w->at || w->at < read->since ||
			    (read->uid != me && !race_knows(r, a->slot, a->warp, f->lane, read->uid, read->at)))
				continue;
			*out = (struct race_flag){w->pc, read->pc, race_place_address(w->key), race_place_is_shared(w->key)};
			return true;
		}
	}
	return false;
}
