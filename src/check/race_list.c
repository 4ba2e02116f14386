/* Accesses to a word one by one: which of them an access races with, and which stay remembered once it has been made.
 *
 * An access stays until one comes after it that races with all that it could race with: a plain write stands for every access to its bytes, an
 * atomic for atomics and volatile accesses only. So the last plain write of each byte stays besides the last atomic. */
#include "check/race_cell.h"

#define LIST_MOST (CELL_ACCESSES - 1 + RACE_MORE)
#define WORD_BYTES 15u /* all of a word, a bit each */

struct list {
	unsigned n;
	struct race_entry e[LIST_MOST + 1]; /* writes in the order in which they were made */
	struct race_site site[LIST_MOST + 1];
	unsigned bytes[LIST_MOST + 1];
};

/* ---- what an access covers ---- */

static unsigned bytes_of(const struct race_site *s, unsigned place)
{
	return s->size >= 4 || place == CELL_EACH ? WORD_BYTES : (((1u << s->size) - 1u) << place) & WORD_BYTES;
}

/* How many lanes after the first one has the byte. */
static unsigned nth_lane(const struct race_site *s, unsigned place, unsigned byte)
{
	return place == CELL_EACH ? byte / s->size : 0;
}

static uint32_t first_byte(const struct race_site *s, unsigned place, unsigned byte)
{
	if (s->size >= 4)
		return 0;
	return place == CELL_EACH ? byte / s->size * s->size : place;
}

static bool knows(const struct cell_view *v, unsigned lane, uint32_t who, uint32_t when)
{
	return cell_is_easy(v, who, when, v->warp_uid + lane) ||
	       race_knows(v->r, v->a->slot, v->a->warp, lane, who, when);
}

static struct race_site site_of(const struct race *r, const struct race_entry *e)
{
	return r->site(r->self, how_pc(e->how));
}

/* ---- judging ---- */

/* Atomic and volatile accesses exclude each other where each one's scope has the other's thread. */
static bool exclude(const struct cell_view *v, const struct race_site *mine, const struct race_site *other,
		    uint32_t who)
{
	return mine->strong && other->strong &&
	       ((!mine->is_block_scope && !other->is_block_scope) || who - v->uid < v->threads);
}

static void found(struct cell_view *v, unsigned lane, uint64_t address, uint32_t who, const struct race_entry *e,
		  const struct race_site *other)
{
	const uint32_t pc = how_pc(e->how);
	for (uint32_t n = v->n; n > 0 && v->out[n - 1].lane == lane; n--)
		if (v->out[n - 1].pc == pc)
			return;
	if (v->n == RACE_FOUND_MAX)
		return;
	v->out[v->n++] = (struct race_found){.lane = lane, .address = address, .uid = who, .pc = pc, .stamp = e->when, .other = *other};
}

/* A byte in common. */
static void judge_byte(struct cell_view *v, const struct cell_access *x, const struct race_entry *e,
		       const struct race_site *other, unsigned byte)
{
	const struct race_site *mine = &v->a->site;
	const unsigned lane = x->lane + nth_lane(mine, x->place, byte), place = how_place(e->how);
	const uint64_t word = x->address & ~UINT64_C(3), mine_at = word + first_byte(mine, x->place, byte);
	const uint64_t other_at =
		other->size < 4 ? word + first_byte(other, place, byte) : word & ~(uint64_t)(other->size - 1);
	const uint32_t who = e->who + nth_lane(other, place, byte);
	if (knows(v, lane, who, e->when))
		return;
	if (!other->strong || !other->is_write || !race_has_seen(v->r, v->a, lane, other_at, who, e->when))
		found(v, lane, mine_at, who, e, other);
}

void cell_judge(struct cell_view *v, const struct cell_access *x, const struct race_entry *e)
{
	const struct race_site *mine = &v->a->site;
	if (cell_is_easy_for_warp(v, e->who, e->when))
		return;
	const struct race_site other = site_of(v->r, e);
	if ((!mine->is_write && !other.is_write) || exclude(v, mine, &other, e->who))
		return;
	const unsigned place = how_place(e->how), common = bytes_of(mine, x->place) & bytes_of(&other, place);
	if (x->place != CELL_EACH && place != CELL_EACH && common) {
		judge_byte(v, x, e, &other, (unsigned)__builtin_ctz(common));
		return;
	}
	LANES_EACH (byte, common)
		judge_byte(v, x, e, &other, byte);
}

/* ---- a cell's accesses ---- */

static struct race_more *more_at(const struct race *r, uint32_t k)
{
	const uint64_t tables = RACE_ENTRIES * (sizeof(struct race_pub) + sizeof(struct race_know) +
						sizeof(struct race_place) + sizeof(struct race_log));
	return (struct race_more *)arena_at(r->arena, r->sec_state, race_block_offset(r->n_slots) + tables) + k;
}

static uint64_t owner_of(const struct cell_view *v, const struct cell *c)
{
	return (uint64_t)((const char *)c - v->base) + 1 + (v->section == v->r->sec_shared);
}

/* NULL: it has none, or one that was lost when all was forgotten. */
static struct race_more *more_of(const struct cell_view *v, const struct cell *c)
{
	if (!(c->when[1] & CELL_LIST) || c->who[2] >= race_head(v->r)->n_mores)
		return NULL;
	struct race_more *m = more_at(v->r, c->who[2]);
	return m->owner == owner_of(v, c) ? m : NULL;
}

void cell_free_more(const struct cell_view *v, struct cell *c)
{
	struct race_head *h = race_head(v->r);
	struct race_more *m = more_of(v, c);
	if (!m)
		return;
	race_touch(v->r, m, sizeof *m);
	race_touch(v->r, &h->free_more, sizeof h->free_more);
	m->owner = 0;
	m->next_free = h->free_more;
	h->free_more = c->who[2];
}

/* 0: there is none left. */
static uint32_t take_more(const struct cell_view *v, const struct cell *c)
{
	struct race_head *h = race_head(v->r);
	const uint32_t k = h->free_more ? h->free_more : h->n_mores;
	if (k == RACE_MORES)
		return 0;
	struct race_more *m = more_at(v->r, k);
	race_touch(v->r, m, sizeof *m);
	race_touch(v->r, &h->n_mores, sizeof h->n_mores + sizeof h->free_more);
	if (h->free_more)
		h->free_more = m->next_free;
	else
		h->n_mores++;
	*m = (struct race_more){.owner = owner_of(v, c)};
	return k;
}

/* Access 0, a write, may have been made after the others. */
static unsigned load(const struct cell_view *v, const struct cell *c, struct race_entry *out)
{
	const struct race_more *m = more_of(v, c);
	const unsigned inside = c->when[1] & CELL_LIST ? CELL_ACCESSES - 1 : CELL_ACCESSES;
	unsigned n = 0;
	for (unsigned k = 1; k < inside; k++)
		if (cell_when(c, k))
			out[n++] = (struct race_entry){c->who[k], cell_when(c, k), (uint32_t)cell_how(c, k)};
	for (unsigned k = 0; m && k < RACE_MORE && m->entry[k].when; k++)
		out[n++] = m->entry[k];
	if (cell_when(c, 0))
		out[n++] = (struct race_entry){c->who[0], cell_when(c, 0), (uint32_t)cell_how(c, 0)};
	return n;
}

void cell_judge_all(struct cell_view *v, const struct cell_access *x, const struct cell *c)
{
	struct race_entry e[LIST_MOST];
	for (unsigned k = load(v, c, e); k-- > 0;)
		cell_judge(v, x, &e[k]);
}

unsigned cell_entries(const struct race *r, uint64_t address, uint32_t from, struct cell_entry out[CELL_MOST])
{
	const struct arena_section *s = &r->arena->section[r->sec_global];
	const struct cell_view v = {.r = (struct race *)r, .base = s->base, .section = r->sec_global};
	const struct cell *c = cell_of_row(&v, address);
	const bool is_row = cell_is_row(c);
	struct race_entry e[LIST_MOST];
	unsigned n = 0;
	if (!is_row)
		c = (const struct cell *)(const void *)(s->base + cell_offset(address));
	for (unsigned k = load(&v, c, e); k-- > 0;) {
		if (e[k].when < from)
			continue;
		const struct race_site site = site_of(r, &e[k]);
		const unsigned place = how_place(e[k].how), step = place == CELL_EACH ? site.size : 4;
		const uint32_t before = is_row ? (uint32_t)(address / 4 % ROW_WORDS) >> place : 0;
		for (unsigned byte = 0; byte < 4; byte += step)
			out[n++] = (struct cell_entry){e[k].who + before + nth_lane(&site, is_row ? 0 : place, byte),
						       e[k].when, how_pc(e[k].how),
						       is_row ? 0 : first_byte(&site, place, byte), site};
	}
	return n;
}

/* ---- remembering ---- */

static void put_out(struct list *l, unsigned k)
{
	l->n--;
	for (; k < l->n; k++) {
		l->e[k] = l->e[k + 1];
		l->site[k] = l->site[k + 1];
		l->bytes[k] = l->bytes[k + 1];
	}
}

/* The access x, the list's last, is ordered after entry k. */
static bool is_after(const struct cell_view *v, const struct list *l, const struct cell_access *x, unsigned k)
{
	const struct race_entry *e = &l->e[k];
	const unsigned place = how_place(e->how);
	LANES_EACH (byte, l->bytes[k]) {
		if (!knows(v, x->lane + nth_lane(&v->a->site, x->place, byte),
			   e->who + nth_lane(&l->site[k], place, byte), e->when))
			return false;
		if (place != CELL_EACH && x->place != CELL_EACH)
			break;
	}
	return true;
}

/* What would race with entry k races with the access x, the list's last. Of two that race with each other the later is enough. */
static bool stands_for(const struct cell_view *v, const struct list *l, const struct cell_access *x, unsigned k)
{
	const struct race_site *mine = &v->a->site, *other = &l->site[k];
	const bool is_plain_write = mine->is_write && !mine->strong;
	if (l->bytes[k] & ~l->bytes[l->n - 1] || (other->is_write && !mine->is_write))
		return false;
	if (mine->strong && !other->strong)
		return false;
	if (mine->strong && other->is_block_scope && (!mine->is_block_scope || l->e[k].who - v->uid >= v->threads))
		return false;
	return is_plain_write || is_after(v, l, x, k);
}

static void drop_known(const struct cell_view *v, struct list *l, const struct cell_access *x)
{
	for (unsigned k = l->n - 1; k-- > 0;)
		if (stands_for(v, l, x, k))
			put_out(l, k);
}

static bool is_plain_write(const struct list *l, unsigned k) { return l->site[k].is_write && !l->site[k].strong; }
static bool is_strong_write(const struct list *l, unsigned k) { return l->site[k].is_write && l->site[k].strong; }

/* Plain writes all of whose bytes have been written by later ones. */
static void drop_overwritten(struct list *l)
{
	unsigned written = 0;
	for (unsigned k = l->n; k-- > 0;) {
		if (!is_plain_write(l, k))
			continue;
		const unsigned bytes = l->bytes[k];
		if (!(bytes & ~written))
			put_out(l, k);
		written |= bytes;
	}
}

/* Threads of one block may be apart by a warp, those of two are apart by more. */
unsigned cell_distance(const struct cell_view *v, uint32_t a, uint32_t b)
{
	const uint32_t in_a = a - v->b->launch_uid, in_b = b - v->b->launch_uid;
	if (in_a / v->threads != in_b / v->threads)
		return 3;
	return a == b ? 0 : race_one_warp(v->r, in_a % v->threads, in_b % v->threads) ? 1 : 2;
}

/* Entries in front of the list's last that may go, the latest first: reads, and atomics before the last one. */
static unsigned may_go(const struct list *l, unsigned out[LIST_MOST + 1])
{
	unsigned n = 0;
	bool strong = false;
	for (unsigned k = l->n; k-- > 0;) {
		const bool is_last_strong = is_strong_write(l, k) && !strong;
		strong = strong || is_last_strong;
		if (k < l->n - 1 && !is_plain_write(l, k) && !is_last_strong)
			out[n++] = k;
	}
	return n;
}

/* Of reads the two stay that are the farthest apart; of one besides atomics and plain writes the farther from these. */
static unsigned read_to_put_out(const struct cell_view *v, const struct list *l, const unsigned *can, unsigned n)
{
	const unsigned last = l->n - 1;
	const uint32_t me = l->e[last].who, a = l->e[can[n - 1]].who;
	if (n == 1) {
		const uint32_t write = l->e[last - 1].who;
		return cell_distance(v, me, write) > cell_distance(v, a, write) ? can[0] : last;
	}
	const uint32_t b = l->e[can[n - 2]].who;
	const unsigned now = cell_distance(v, a, b);
	if (cell_distance(v, a, me) > now)
		return can[n - 2];
	return cell_distance(v, b, me) > now ? can[n - 1] : last;
}

/* The nearest, and of these the oldest. */
static unsigned nearest(const struct cell_view *v, const struct list *l, const unsigned *can, unsigned n)
{
	unsigned best = can[0], least = UINT32_MAX;
	for (unsigned k = 0; k < n; k++) {
		const unsigned d = n > 1 ? cell_distance(v, l->e[can[k]].who, l->e[l->n - 1].who) : 0;
		if (d > least)
			continue;
		least = d;
		best = can[k];
	}
	return best;
}

static unsigned whom_to_put_out(const struct cell_view *v, const struct list *l)
{
	unsigned can[LIST_MOST + 1];
	const unsigned n = may_go(l, can);
	const bool is_write = l->site[l->n - 1].is_write;
	if (!n)
		return is_write ? 0 : l->n - 1;
	return is_write ? nearest(v, l, can, n) : read_to_put_out(v, l, can, n);
}

static bool has_part(const struct list *l)
{
	for (unsigned k = 0; k < l->n; k++)
		if (l->site[k].is_write && l->bytes[k] != WORD_BYTES)
			return true;
	return false;
}

/* 1 + the last write; 0: there is none. */
static unsigned last_write(const struct list *l)
{
	unsigned k = l->n;
	while (k && !l->site[k - 1].is_write)
		k--;
	return k;
}

static void put(struct cell *c, unsigned at, const struct list *l, unsigned k)
{
	c->who[at] = l->e[k].who;
	c->when[at] |= l->e[k].when;
	c->how |= (uint64_t)l->e[k].how << at * CELL_HOW_BITS;
	c->how |= at && l->site[k].is_write ? CELL_MORE_WRITES : 0;
}

static void store(const struct cell_view *v, struct cell *c, const struct list *l, uint32_t more)
{
	const unsigned first = last_write(l);
	struct race_more *m = more ? more_at(v->r, more) : NULL;
	unsigned at = 1;
	*c = (struct cell){.when = {c->when[0] & CELL_WORDS, more ? CELL_LIST : 0}};
	if (m) {
		race_touch(v->r, m, sizeof *m);
		*m = (struct race_more){.owner = owner_of(v, c)};
		c->who[2] = more;
	}
	for (unsigned k = 0; k < l->n; k++) {
		c->when[2] |= how_place(l->e[k].how) == CELL_EACH ? CELL_LANES : 0;
		if (k + 1 == first)
			put(c, 0, l, k);
		else if (m && at >= CELL_ACCESSES - 1)
			m->entry[at++ - (CELL_ACCESSES - 1)] = l->e[k];
		else
			put(c, at++, l, k);
		c->how |= k + 1 != first && l->site[k].is_write ? CELL_MORE_WRITES : 0;
	}
}

void cell_record(const struct cell_view *v, struct cell *c, const struct cell_access *x)
{
	struct list l = {.n = load(v, c, l.e)};
	uint32_t more = more_of(v, c) ? c->who[2] : 0;
	l.e[l.n++] = (struct race_entry){v->warp_uid + x->lane, v->now, (uint32_t)cell_how_of(v->pc, x->place)};
	for (unsigned k = 0; k < l.n; k++) {
		l.site[k] = k < l.n - 1 ? site_of(v->r, &l.e[k]) : v->a->site;
		l.bytes[k] = bytes_of(&l.site[k], how_place(l.e[k].how));
	}
	drop_known(v, &l, x);
	drop_overwritten(&l);
	unsigned most = last_write(&l) ? CELL_ACCESSES : CELL_ACCESSES - 1;
	if (l.n > most && has_part(&l) && (more || (more = take_more(v, c))))
		most = LIST_MOST;
	while (l.n > most)
		put_out(&l, whom_to_put_out(v, &l));
	if (more && l.n <= CELL_ACCESSES) {
		c->when[1] |= CELL_LIST;
		c->who[2] = more;
		cell_free_more(v, c);
		more = 0;
	}
	store(v, c, &l, more);
}
