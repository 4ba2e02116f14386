/* What goes from thread to thread through flags and atomics: PTX's release and acquire patterns, and the older code's volatile accesses with
 * membar, which are the same.
 *
 * A place that is written so has a log of what was made known there: a store begins a new one, an atomic continues with the one that
 * it read. Who reads the place has seen the log's beginning; a log's entries never change, so a list of logs with lengths says
 * all that a thread knows of others. */
#include <stddef.h>
#include <string.h>

#include "check/race_state.h"

#define LIST_MOST 64u  /* logs in a list; who knows more knows everything */
#define LOOK_MOST 256u /* logs looked through for one question; then it is answered with yes */
#define KNOWS_ALL UINT32_MAX

/* ---- the tables ---- */

static uint64_t tables_offset(const struct race *r) { return race_block_offset(r->n_slots); }
static void *table(const struct race *r, uint64_t before)
{
	return arena_at(r->arena, r->sec_state, tables_offset(r) + RACE_ENTRIES * before);
}
static struct race_pub *pubs(const struct race *r) { return table(r, 0); }
static struct race_know *knows(const struct race *r) { return table(r, sizeof(struct race_pub)); }
static struct race_place *places(const struct race *r)
{
	return table(r, sizeof(struct race_pub) + sizeof(struct race_know));
}
static struct race_log *logs(const struct race *r)
{
	return table(r, sizeof(struct race_pub) + sizeof(struct race_know) + sizeof(struct race_place));
}

/* A new entry of a table that has *n; 0: it is full. */
static uint32_t take(struct race *r, uint32_t *n, void *entries, uint64_t bytes)
{
	if (*n == RACE_ENTRIES)
		return 0;
	race_touch(r, n, sizeof *n);
	race_touch(r, (char *)entries + *n * bytes, bytes);
	memset((char *)entries + *n * bytes, 0, bytes);
	return (*n)++;
}

static uint32_t mix(uint64_t key)
{
	key *= UINT64_C(0x9e3779b97f4a7c15);
	return (uint32_t)(key >> 48) % RACE_BUCKETS;
}

/* ---- lists ---- */

static uint32_t know_length(const struct race *r, uint32_t know, uint32_t log)
{
	for (; know; know = knows(r)[know].next)
		if (knows(r)[know].log == log)
			return knows(r)[know].length;
	return 0;
}

/* The list with a log's first entries, too. */
static uint32_t know_add(struct race *r, uint32_t know, uint32_t log, uint32_t length)
{
	if (know == KNOWS_ALL || !length || know_length(r, know, log) >= length)
		return know;
	const uint32_t rest = know && knows(r)[know].log == log ? knows(r)[know].next : know;
	const uint32_t n = rest ? knows(r)[rest].n + 1 : 1;
	const uint32_t entry = n > LIST_MOST ? 0 : take(r, &race_head(r)->n_knows, knows(r), sizeof(struct race_know));
	if (!entry)
		return KNOWS_ALL;
	knows(r)[entry] = (struct race_know){log, length, rest, n};
	return entry;
}

uint32_t race_know_both(struct race *r, uint32_t a, uint32_t b)
{
	if (a == b || !b)
		return a;
	if (!a || b == KNOWS_ALL)
		return b;
	for (uint32_t k = b; k && a != KNOWS_ALL; k = knows(r)[k].next)
		a = know_add(r, a, knows(r)[k].log, knows(r)[k].length);
	return a;
}

/* ---- logs ---- */

static uint32_t pub_bucket(uint32_t log, uint32_t block) { return mix((uint64_t)log << 32 | block); }

static void append(struct race *r, uint32_t log, const struct race_block *b, uint32_t uid,
		   const struct race_fenced *told, uint64_t key)
{
	struct race_head *h = race_head(r);
	struct race_log *l = &logs(r)[log];
	const uint32_t k = take(r, &h->n_pubs, pubs(r), sizeof(struct race_pub));
	uint32_t *bucket = &h->pub_bucket[pub_bucket(log, b->uid)];
	if (!k)
		return;
	race_touch(r, l, sizeof *l);
	race_touch(r, bucket, sizeof *bucket);
	l->know = race_know_both(r, l->know, told->know);
	pubs(r)[k] = (struct race_pub){log, l->n++, uid, b->uid, *told, l->know, *bucket, h->time, key};
	*bucket = k;
}

/* ---- questions ---- */

struct question {
	uint32_t uid, block, stamp;
	uint64_t key; /* 0, or only the write to that place */
	uint32_t seen[LOOK_MOST], n;
};

static bool entry_tells(const struct race *r, const struct race_pub *p, const struct question *q)
{
	const uint32_t thread = q->uid - p->block, other = p->uid - p->block;
	if (q->key)
		return q->uid == p->uid && q->key == p->key && q->stamp <= p->at;
	const uint32_t until = q->uid == p->uid			 ? p->told.own
			       : race_one_warp(r, thread, other) ? p->told.warp
								 : p->told.block;
	return q->stamp < until;
}

static bool log_tells(const struct race *r, uint32_t log, uint32_t length, const struct question *q)
{
	for (uint32_t k = race_head(r)->pub_bucket[pub_bucket(log, q->block)]; k; k = pubs(r)[k].next) {
		const struct race_pub *p = &pubs(r)[k];
		if (p->log == log && p->block == q->block && p->position < length && entry_tells(r, p, q))
			return true;
	}
	return false;
}

/* A thread that has seen any entry of a log knows all of it: what the writers knew. */
static bool list_tells(const struct race *r, uint32_t know, struct question *q)
{
	for (; know; know = knows(r)[know].next) {
		if (know == KNOWS_ALL || q->n == LOOK_MOST)
			return true;
		const struct race_know k = knows(r)[know];
		bool seen = false;
		for (uint32_t n = 0; n < q->n && !seen; n++)
			seen = q->seen[n] == k.log;
		if (seen)
			continue;
		q->seen[q->n++] = k.log;
		if (log_tells(r, k.log, k.length, q) || list_tells(r, logs(r)[k.log].know, q))
			return true;
	}
	return false;
}

bool race_told(const struct race *r, uint32_t know, uint32_t uid, uint32_t block, uint32_t stamp)
{
	struct question q = {.uid = uid, .block = block, .stamp = stamp};
	return list_tells(r, know, &q);
}

bool race_told_by(const struct race *r, uint32_t know, uint32_t uid, uint32_t block, uint32_t stamp, uint64_t key)
{
	struct question q = {.uid = uid, .block = block, .stamp = stamp, .key = key};
	return list_tells(r, know, &q);
}

/* ---- fences ---- */

struct race_fenced race_fenced_now(const struct race_block *b, uint32_t warp, unsigned lane, uint32_t now)
{
	const struct race_warp *w = &b->warp[warp];
	const uint32_t part = w->lane[lane].part > w->joined ? w->lane[lane].part : w->joined;
	return (struct race_fenced){.own = now,
				    .warp = w->whole		? now
					    : part > b->barrier ? part
								: b->barrier,
				    .block = w->named > b->barrier ? w->named : b->barrier,
				    .know = w->lane[lane].know};
}

void race_fence(struct race *r, uint32_t slot, uint32_t warp, uint32_t lanes, enum race_scope scope)
{
	struct race_block *b = race_block(r, slot);
	struct race_warp *w = &b->warp[warp];
	const uint32_t now = race_tick(r);
	race_touch(r, w, sizeof *w);
	race_head(r)->fenced = true;
	LANES_EACH (l, lanes) {
		struct race_lane *lane = &w->lane[l];
		for (unsigned s = 0; s <= (unsigned)scope; s++) {
			lane->know = race_know_both(r, lane->know, lane->pending[s]);
			lane->pending[s] = 0;
		}
		for (unsigned s = 0; s <= (unsigned)scope; s++)
			lane->fenced[s] = race_fenced_now(b, warp, l, now);
	}
}

/* ---- strong accesses ---- */

static struct race_place *find_place(const struct race *r, uint64_t key)
{
	uint32_t k = race_head(r)->place_bucket[mix(key)];
	while (k && places(r)[k].key != key)
		k = places(r)[k].next;
	return k ? &places(r)[k] : NULL;
}

static struct race_place *make_place(struct race *r, uint64_t key)
{
	struct race_place *p = find_place(r, key);
	uint32_t *bucket = &race_head(r)->place_bucket[mix(key)];
	if (p)
		return p;
	const uint32_t k = take(r, &race_head(r)->n_places, places(r), sizeof *p);
	if (!k)
		return NULL;
	race_touch(r, bucket, sizeof *bucket);
	p = &places(r)[k];
	p->key = key;
	p->next = *bucket;
	*bucket = k;
	return p;
}

/* Of a place's logs a thread may know only what is for its block, or for all. */
static uint32_t log_of(const struct race_place *p, unsigned s, const struct race_block *b)
{
	return s == RACE_SCOPE_GPU || p->block == b->uid ? p->log[s] : 0;
}

static void see(struct race *r, struct race_block *b, struct race_lane *lane, const struct race_place *p,
		const struct race_signal *s)
{
	const bool at_once = s->acquires || (s->is_atomic && s->has_result && !r->strict);
	for (unsigned scope = 0; scope <= (unsigned)s->scope; scope++) {
		const uint32_t log = log_of(p, scope, b);
		uint32_t *to = at_once ? &lane->know : &lane->pending[scope];
		if (!log)
			continue;
		race_touch(r, lane, sizeof *lane);
		*to = know_add(r, *to, log, logs(r)[log].n);
	}
}

/* What the lane has fenced, and all of its block before a barrier. */
static struct race_fenced to_tell(const struct race_block *b, const struct race_lane *lane, unsigned scope)
{
	struct race_fenced t = lane->fenced[scope];
	if (t.own && b->fenced[scope] > t.block)
		t.block = b->fenced[scope];
	if (t.block > t.warp)
		t.warp = t.block;
	return t;
}

static void tell(struct race *r, struct race_block *b, const struct race_lane *lane, uint32_t uid, struct race_place *p,
		 const struct race_signal *s)
{
	race_touch(r, p, sizeof *p);
	if (p->block != b->uid) {
		p->log[RACE_SCOPE_CTA] = 0;
		p->block = b->uid;
	}
	for (unsigned scope = 0; scope < RACE_SCOPES; scope++) {
		const struct race_fenced told = to_tell(b, lane, scope);
		if (!s->is_atomic)
			p->log[scope] = 0;
		if (!told.own || scope > (unsigned)s->scope)
			continue;
		if (!p->log[scope])
			p->log[scope] = take(r, &race_head(r)->n_logs, logs(r), sizeof(struct race_log));
		if (p->log[scope])
			append(r, p->log[scope], b, uid, &told, p->key);
	}
}

void race_signal(struct race *r, uint32_t slot, uint32_t warp, unsigned lane, bool shared, uint64_t address,
		 const struct race_signal *s)
{
	struct race_block *b = race_block(r, slot);
	struct race_lane *me = &b->warp[warp].lane[lane];
	const uint64_t key = race_place_key(b, shared, address);
	race_note_flag(r, &(struct race_thread){b, b->uid + warp * r->warp_threads + lane, warp, lane}, key, s);
	if (!race_head(r)->fenced && !s->releases)
		return;
	struct race_place *p = find_place(r, key);
	if (s->writes && s->releases)
		race_fence(r, slot, warp, lanes_bit(lane), s->scope);
	if (p && s->reads)
		see(r, b, me, p, s);
	if (!s->writes || (!p && !me->fenced[RACE_SCOPE_CTA].own))
		return;
	p = p ? p : make_place(r, key);
	if (p)
		tell(r, b, me, b->uid + warp * r->warp_threads + lane, p, s);
}
