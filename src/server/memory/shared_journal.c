/* Journals the program's writes to shared memory. They are found by comparing the memory with a snapshot after each run of the machine; only
 * differences are journaled, and pages never written are skipped. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "server/channel/channel.h"
#include "server/memory/state.h"

#define WORD 4u
#define RUNS_MOST 2048u	      /* differences of one piece; beyond that, differences within a page are merged */
#define ALL_BYTES (64u << 10) /* a piece up to this size is compared as a whole */

static struct history *history_of(const struct server *c) { return session_history(c->session); }
static bool is_recorded(const struct server *c) { return history_journal(history_of(c)); }
static char *memory_of(const struct server *c, const struct piece *p) { return gpu_exec(c->gpu)->global + p->address; }

/* ---- what it costs ---- */

#define CHEAP_BYTES (UINT64_C(2) << 20) /* size of all pieces that may always be compared */
#define COST_NS UINT64_C(2000000000)	/* CPU time after which larger pieces may be given up, */
#define COST_PART 8u			/* if it is more than this part of the process' CPU time */

static uint64_t cpu_time_ns(clockid_t clock)
{
	struct timespec t = {0};
	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void count_cost(struct server_shared *s, uint64_t since)
{
	s->cost += cpu_time_ns(CLOCK_THREAD_CPUTIME_ID) - since;
	s->is_dear |= s->known > CHEAP_BYTES && s->cost > COST_NS &&
		      s->cost > cpu_time_ns(CLOCK_PROCESS_CPUTIME_ID) / COST_PART;
}

/* Returns whether that many more bytes of snapshots may be kept: half of the memory for history at most. */
static bool may_track(const struct server *c, uint64_t bytes)
{
	const struct server_shared *s = c->memory->shared;
	return s->known + bytes <= (s->is_dear ? CHEAP_BYTES : history_memory(history_of(c)) / 2);
}

/* ---- what is known ---- */

static void forget_contents(struct server *c, struct piece *p)
{
	c->memory->shared->known -= p->known ? p->bytes : 0;
	free(p->known);
	p->known = NULL;
}

/* Allocates a piece's snapshot, zeros at first. Returns false if the piece isn't tracked. */
static bool allocate_known(const struct server *c, struct piece *p)
{
	struct server_shared *s = c->memory->shared;
	if (p->known || p->is_stack || !is_recorded(c) || !may_track(c, p->bytes))
		return p->known;
	p->known = calloc(shared_pages(p->bytes), 1);
	s->known += p->known ? p->bytes : 0;
	return p->known;
}

void shared_journal_begin(struct server *c, struct piece *p) { allocate_known(c, p); }

/* Finds the next allocated pages of the file from offset *from on; other pages have always been zeros. Returns false if there are none. */
static bool next_pages(const struct server *c, const struct piece *p, uint64_t *from, uint64_t *to)
{
	const off_t begin = (off_t)p->address;
	*to = p->bytes;
	if (*from >= p->bytes || p->bytes <= ALL_BYTES)
		return *from < p->bytes;
	const off_t first = lseek(channel_window(c), begin + (off_t)*from, SEEK_DATA);
	if (first < 0)
		return errno != ENXIO; /* the host doesn't support the query: compare all */
	const off_t end = lseek(channel_window(c), first, SEEK_HOLE);
	*from = (uint64_t)(first - begin);
	if (end > first && (uint64_t)(end - begin) < p->bytes)
		*to = (uint64_t)(end - begin);
	return *from < p->bytes;
}

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }
static uint64_t page_end(uint64_t at, uint64_t end) { return least((at | (ARENA_PAGE - 1)) + 1, end); }

/* ---- the machine has run ---- */

static void update_known(const struct server *c, const struct piece *p)
{
	const char *now = memory_of(c, p);
	for (uint64_t from = 0, to, at, end; next_pages(c, p, &from, &to); from = to)
		for (at = from; at < to; at = end) {
			end = page_end(at, to);
			if (memcmp(p->known + at, now + at, end - at) != 0)
				memcpy(p->known + at, now + at, end - at);
		}
}

void shared_take_snapshot(struct server *c, bool alone)
{
	struct server_shared *s = c->memory->shared;
	const uint64_t begin = cpu_time_ns(CLOCK_THREAD_CPUTIME_ID);
	const bool is_known = alone && !s->is_dear;
	s->is_lost = false;
	for (size_t k = 0; k < s->n && !is_known; k++)
		forget_contents(c, &s->piece[k]);
	for (size_t k = 0; k < s->n && alone; k++)
		if (allocate_known(c, &s->piece[k]))
			update_known(c, &s->piece[k]);
	count_cost(s, begin);
}

/* ---- the program has had its turn ---- */

struct keeper {
	struct server *c;
	const struct piece *p;
	uint64_t from, to; /* range to journal next; empty if equal */
	uint32_t runs;
	bool asked, alone; /* asked: `alone` is valid; alone: no thread of the program can write meanwhile */
};

static void journal_run(struct keeper *k)
{
	const struct piece *p = k->p;
	const uint64_t from = k->from, n = k->to - k->from;
	if (!n)
		return;
	memcpy(p->known + from, memory_of(k->c, p) + from, n);
	session_input(k->c->session,
		      &(struct gpu_input){.kind = GPU_INPUT_WRITE,
					  .copy = {.address = p->address + from,
						   .n = n,
						   .data = p->known + from,
						   .was_there = true}},
		      NULL);
	k->from = k->to = 0;
	k->runs++;
}

static void add_difference(struct keeper *k, uint64_t at, uint64_t n)
{
	const uint64_t gap = k->runs < RUNS_MOST ? 0 : ARENA_PAGE;
	if (k->to == k->from || at - k->to > gap) {
		journal_run(k);
		k->from = at;
	}
	k->to = at + n;
}

/* Marks the page dirty with its contents before the program's write, so that the arena saves those. */
static void touch_as_known(struct keeper *k, uint64_t at, uint64_t n)
{
	struct arena *a = gpu_arena(k->c->gpu);
	const int section = gpu_exec(k->c->gpu)->sec_global;
	char page[ARENA_PAGE], *now = memory_of(k->c, k->p) + at;
	if (a->section[section].page_flags[(k->p->address + at) >> ARENA_PAGE_SHIFT] & ARENA_PAGE_DIRTY)
		return;
	k->alone = k->asked ? k->alone : !channel_program_computes(k->c);
	k->asked = true;
	if (!k->alone)
		return;
	memcpy(page, now, n);
	memcpy(now, k->p->known + at, n);
	arena_touch(a, section, k->p->address + at, n);
	memcpy(now, page, n);
}

static void journal_page(struct keeper *k, uint64_t at, uint64_t end)
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

static void journal_range(struct server *c, const struct piece *p, uint64_t first, uint64_t last)
{
	struct keeper k = {.c = c, .p = p};
	for (uint64_t from = first, to; from < last && next_pages(c, p, &from, &to); from = to)
		for (uint64_t at = from, end; at < least(to, last); at = end) {
			end = page_end(at, to);
			journal_page(&k, at, end);
		}
	journal_run(&k);
}

bool shared_journal_writes(struct server *c)
{
	struct server_shared *s = c->memory->shared;
	bool all = !s->is_lost;
	for (size_t k = 0; k < s->n; k++)
		all &= s->piece[k].known != NULL;
	const uint64_t begin = cpu_time_ns(CLOCK_THREAD_CPUTIME_ID);
	for (size_t k = 0; all && k < s->n; k++)
		journal_range(c, &s->piece[k], 0, s->piece[k].bytes);
	count_cost(s, begin);
	return all;
}

void shared_journal_end(struct server *c, struct piece *p)
{
	if (p->known)
		journal_range(c, p, 0, p->bytes);
	else if (is_recorded(c))
		c->memory->shared->is_lost = true;
	forget_contents(c, p);
}

/* ---- inputs that write to shared memory ---- */

bool shared_is_journaled(const struct server *c, uint64_t address, uint64_t bytes)
{
	const struct piece *p = shared_find(c, address);
	return p && p->known && bytes <= p->bytes - (address - p->address);
}

void shared_before_write(struct server *c, uint64_t address, uint64_t bytes)
{
	const struct piece *p = shared_find(c, address);
	if (!c->has_run && shared_is_journaled(c, address, bytes))
		journal_range(c, p, (address - p->address) & ~(ARENA_PAGE - 1), address - p->address + bytes);
}

void shared_after_write(struct server *c, uint64_t address, uint64_t bytes)
{
	if (shared_is_journaled(c, address, bytes)) {
		const struct piece *p = shared_find(c, address);
		memcpy(p->known + (address - p->address), gpu_exec(c->gpu)->global + address, bytes);
	}
}
