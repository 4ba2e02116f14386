/* What the program writes to memory that the device has, too, goes into the journal: found by comparing with what is known of it, after the machine has
 * run and before it runs on. Only what differs is kept, and pages that nobody has ever written aren't looked at. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "cuda/channel/channel.h"
#include "cuda/memory/room.h"

#define WORD 4u
#define RUNS_MOST 2048u	      /* of one piece; more of them are taken together within pages */
#define ALL_BYTES (64u << 10) /* of a piece so small all is looked at */

static struct history *history_of(const struct cuda *c) { return session_history(c->session); }
static bool is_recorded(const struct cuda *c) { return history_journal(history_of(c)); }
static char *memory_of(const struct cuda *c, const struct piece *p) { return gpu_exec(c->gpu)->global + p->address; }

/* ---- what it costs ---- */

#define CHEAP_BYTES (UINT64_C(2) << 20) /* of all pieces: so much may always be compared, */
#define COST_NS UINT64_C(2000000000)	/* more for so long, */
#define COST_PART 8u			/* and for so large a part of all that is done here */

static uint64_t cpu_ns(clockid_t clock)
{
	struct timespec t = {0};
	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void count_cost(struct cuda_shared *s, uint64_t since)
{
	s->cost += cpu_ns(CLOCK_THREAD_CPUTIME_ID) - since;
	s->is_dear |=
		s->known > CHEAP_BYTES && s->cost > COST_NS && s->cost > cpu_ns(CLOCK_PROCESS_CPUTIME_ID) / COST_PART;
}

/* All that is known takes half of what snapshots may take. */
static bool may_know(const struct cuda *c, uint64_t bytes)
{
	const struct cuda_shared *s = c->memory->shared;
	return s->known + bytes <= (s->is_dear ? CHEAP_BYTES : history_memory(history_of(c)) / 2);
}

/* ---- what is known ---- */

static void forget(struct cuda *c, struct piece *p)
{
	c->memory->shared->known -= p->known ? p->bytes : 0;
	free(p->known);
	p->known = NULL;
}

/* Zeros, if nothing is known yet. */
static bool make_known(const struct cuda *c, struct piece *p)
{
	struct cuda_shared *s = c->memory->shared;
	if (p->known || p->is_stack || !is_recorded(c) || !may_know(c, p->bytes))
		return p->known;
	p->known = calloc(shared_pages(p->bytes), 1);
	s->known += p->known ? p->bytes : 0;
	return p->known;
}

void kept_begin(struct cuda *c, struct piece *p) { make_known(c, p); }

/* The next pages that the file has, from an offset in the piece on: all others read as zeros, and always have. False: there are none. */
static bool next_pages(const struct cuda *c, const struct piece *p, uint64_t *from, uint64_t *to)
{
	const off_t begin = (off_t)p->address;
	*to = p->bytes;
	if (*from >= p->bytes || p->bytes <= ALL_BYTES)
		return *from < p->bytes;
	const off_t first = lseek(channel_window(c), begin + (off_t)*from, SEEK_DATA);
	if (first < 0)
		return errno != ENXIO; /* the host can't tell */
	const off_t end = lseek(channel_window(c), first, SEEK_HOLE);
	*from = (uint64_t)(first - begin);
	if (end > first && (uint64_t)(end - begin) < p->bytes)
		*to = (uint64_t)(end - begin);
	return *from < p->bytes;
}

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }
static uint64_t page_end(uint64_t at, uint64_t end) { return least((at | (ARENA_PAGE - 1)) + 1, end); }

/* ---- the machine has run ---- */

static void take_over(const struct cuda *c, const struct piece *p)
{
	const char *now = memory_of(c, p);
	for (uint64_t from = 0, to, at, end; next_pages(c, p, &from, &to); from = to)
		for (at = from; at < to; at = end) {
			end = page_end(at, to);
			if (memcmp(p->known + at, now + at, end - at) != 0)
				memcpy(p->known + at, now + at, end - at);
		}
}

void shared_note(struct cuda *c, bool alone)
{
	struct cuda_shared *s = c->memory->shared;
	const uint64_t begin = cpu_ns(CLOCK_THREAD_CPUTIME_ID);
	const bool is_known = alone && !s->is_dear;
	s->is_lost = false;
	for (size_t k = 0; k < s->n && !is_known; k++)
		forget(c, &s->piece[k]);
	for (size_t k = 0; k < s->n && alone; k++)
		if (make_known(c, &s->piece[k]))
			take_over(c, &s->piece[k]);
	count_cost(s, begin);
}

/* ---- the program has had its turn ---- */

struct keeper {
	struct cuda *c;
	const struct piece *p;
	uint64_t from, to; /* what is to be kept next; the same: nothing */
	uint32_t runs;
	bool asked, alone; /* nobody else can write there meanwhile */
};

static void keep_run(struct keeper *k)
{
	const struct piece *p = k->p;
	const uint64_t from = k->from, n = k->to - k->from;
	if (!n)
		return;
	memcpy(p->known + from, memory_of(k->c, p) + from, n);
	session_input(k->c->session,
		      &(struct gpu_input){.kind = GPU_INPUT_WRITE,
					  .address = p->address + from,
					  .n = n,
					  .data = p->known + from,
					  .was_there = true},
		      NULL);
	k->from = k->to = 0;
	k->runs++;
}

static void add_difference(struct keeper *k, uint64_t at, uint64_t n)
{
	const uint64_t gap = k->runs < RUNS_MOST ? 0 : ARENA_PAGE;
	if (k->to == k->from || at - k->to > gap) {
		keep_run(k);
		k->from = at;
	}
	k->to = at + n;
}

/* The page goes to the marks as it was known, though the program has written there already. */
static void touch_as_known(struct keeper *k, uint64_t at, uint64_t n)
{
	struct arena *a = gpu_arena(k->c->gpu);
	const int section = gpu_exec(k->c->gpu)->sec_global;
	char page[ARENA_PAGE], *now = memory_of(k->c, k->p) + at;
	if (a->section[section].page_flags[(k->p->address + at) >> ARENA_PAGE_SHIFT] & ARENA_PAGE_DIRTY)
		return;
	k->alone = k->asked ? k->alone : !cuda_computes(k->c);
	k->asked = true;
	if (!k->alone)
		return;
	memcpy(page, now, n);
	memcpy(now, k->p->known + at, n);
	arena_touch(a, section, k->p->address + at, n);
	memcpy(now, page, n);
}

static void keep_page(struct keeper *k, uint64_t at, uint64_t end)
{
	const char *now = memory_of(k->c, k->p), *known = k->p->known;
	const uint64_t begin = at & ~(ARENA_PAGE - 1);
	if (!memcmp(now + at, known + at, end - at))
		return;
	touch_as_known(k, begin, page_end(begin, k->p->bytes) - begin);
	for (uint64_t n; at < end; at += n) {
		n = least(WORD, end - at);
		if (memcmp(now + at, known + at, n) != 0)
			add_difference(k, at, n);
	}
}

static void keep_between(struct cuda *c, const struct piece *p, uint64_t first, uint64_t last)
{
	struct keeper k = {.c = c, .p = p};
	for (uint64_t from = first, to; from < last && next_pages(c, p, &from, &to); from = to)
		for (uint64_t at = from, end; at < least(to, last); at = end) {
			end = page_end(at, to);
			keep_page(&k, at, end);
		}
	keep_run(&k);
}

bool shared_keep(struct cuda *c)
{
	struct cuda_shared *s = c->memory->shared;
	bool all = !s->is_lost;
	for (size_t k = 0; k < s->n; k++)
		all &= s->piece[k].known != NULL;
	const uint64_t begin = cpu_ns(CLOCK_THREAD_CPUTIME_ID);
	for (size_t k = 0; all && k < s->n; k++)
		keep_between(c, &s->piece[k], 0, s->piece[k].bytes);
	count_cost(s, begin);
	return all;
}

void kept_end(struct cuda *c, struct piece *p)
{
	if (p->known)
		keep_between(c, p, 0, p->bytes);
	else if (is_recorded(c))
		c->memory->shared->is_lost = true;
	forget(c, p);
}

/* ---- what others write there ---- */

bool shared_is_kept(const struct cuda *c, uint64_t address, uint64_t bytes)
{
	const struct piece *p = shared_find(c, address);
	return p && p->known && bytes <= p->bytes - (address - p->address);
}

void shared_before_put(struct cuda *c, uint64_t address, uint64_t bytes)
{
	const struct piece *p = shared_find(c, address);
	if (!c->has_run && shared_is_kept(c, address, bytes))
		keep_between(c, p, (address - p->address) & ~(ARENA_PAGE - 1), address - p->address + bytes);
}

void shared_put(struct cuda *c, uint64_t address, uint64_t bytes)
{
	if (shared_is_kept(c, address, bytes)) {
		const struct piece *p = shared_find(c, address);
		memcpy(p->known + (address - p->address), gpu_exec(c->gpu)->global + address, bytes);
	}
}
