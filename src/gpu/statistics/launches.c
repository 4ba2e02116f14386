/* Statistics of single launches, and their new beginning.
 *
 * A launch's record holds all counts as they were when it began, and from its end on what was counted in between. Programs make launches by
 * the thousand, most of whose counts are 0: they are packed. */
#include <stddef.h>
#include <string.h>

#include "base/cursor.h"
#include "gpu/device/valid_internal.h"
#include "gpu/statistics/logs.h"
#include "gpu/statistics/statistics_internal.h"
#include "gpu/statistics/timelapse.h"

struct record {
	uint64_t at;	      /* of its packed counts in their section */
	uint64_t first, last; /* cycles in which it began and ended */
	uint16_t bytes, room; /* they take; there is */
	bool begun, ended;
};

/* What the section of packed counts begins with. */
struct packed_heading {
	uint64_t end; /* of what is used; 0: nothing */
};

#define WORDS (sizeof(struct statistics_counts) / sizeof(uint64_t))
#define WORD_MAX 12u /* bytes of a word that is packed: how many zeros are before it (2), and what it is (10) */

_Static_assert(WORDS *WORD_MAX <= UINT16_MAX && WORDS < 1 << 14, "packed counts fit their record");

bool statistics_add_sections(struct gpu *g)
{
	g->sec_statistics = arena_add(&g->arena, "statistics", ARENA_PAGED, g->limits->statistics);
	g->sec_counts = arena_add(&g->arena, "launch counts", ARENA_PAGED, g->limits->statistics);
	g->sec_timelapse = arena_add(&g->arena, "timelapse", ARENA_PAGED, g->limits->timelapse);
	return g->sec_statistics >= 0 && g->sec_counts >= 0 && g->sec_timelapse >= 0;
}

/* NULL: there are more launches than places. */
static struct record *record_of(struct gpu *g, uint32_t launch, bool write)
{
	const uint64_t at = (uint64_t)launch * sizeof(struct record);
	if (at + sizeof(struct record) > g->limits->statistics)
		return NULL;
	if (write) {
		if (!arena_use(&g->arena, g->sec_statistics, at + sizeof(struct record)))
			return NULL;
		arena_touch(&g->arena, g->sec_statistics, at, sizeof(struct record));
	}
	return arena_at(&g->arena, g->sec_statistics, at);
}

/* ---- packed counts ---- */

static unsigned char *put_uleb(unsigned char *to, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		*to++ = (unsigned char)(v | 0x80);
	*to++ = (unsigned char)v;
	return to;
}

static size_t pack(const struct statistics_counts *n, unsigned char *to)
{
	const uint64_t *word = (const uint64_t *)(const void *)n;
	unsigned char *at = to;
	for (size_t i = 0, next = 0; i < WORDS; i++) {
		if (!word[i])
			continue;
		at = put_uleb(put_uleb(at, i - next), word[i]);
		next = i + 1;
	}
	return (size_t)(at - to);
}

/* Whatever a file of the machine's state said, nothing beyond the section is read. */
static void read_counts(const struct gpu *g, const struct record *r, struct statistics_counts *n)
{
	const uint64_t used = g->arena.section[g->sec_counts].used;
	uint64_t *word = (uint64_t *)(void *)n;
	*n = (struct statistics_counts){0};
	if (r->at > used || r->bytes > used - r->at)
		return;
	unsigned char *from = arena_at(&g->arena, g->sec_counts, r->at);
	struct cursor c = {from, from + r->bytes, true};
	for (size_t i = 0; c.at < c.end; i++) {
		const uint64_t zeros = cursor_uleb(&c);
		if (i >= WORDS || zeros >= WORDS - i)
			return;
		i += zeros;
		word[i] = cursor_uleb(&c);
	}
}

/* The place it has, where that is enough, or one at the end. The last one grows and shrinks. */
static bool find_room(struct gpu *g, struct record *r, size_t bytes)
{
	struct packed_heading *h = arena_at(&g->arena, g->sec_counts, 0);
	const uint64_t end = h->end ? h->end : sizeof *h;
	const bool is_last = r->room && r->at + r->room == end;
	if (!is_last && bytes <= r->room)
		return true;
	const uint64_t at = is_last ? r->at : end;
	if (!arena_use(&g->arena, g->sec_counts, at + bytes))
		return false;
	arena_touch(&g->arena, g->sec_counts, 0, sizeof *h);
	h->end = at + bytes;
	r->at = at;
	r->room = (uint16_t)bytes;
	return true;
}

/* Without room it is as if it had never begun. */
static void write_counts(struct gpu *g, struct record *r, const struct statistics_counts *n)
{
	unsigned char packed[WORDS * WORD_MAX];
	const size_t bytes = pack(n, packed);
	if (!find_room(g, r, bytes)) {
		*r = (struct record){0};
		return;
	}
	arena_touch(&g->arena, g->sec_counts, r->at, bytes);
	memcpy(arena_at(&g->arena, g->sec_counts, r->at), packed, bytes);
	r->bytes = (uint16_t)bytes;
}

/* ---- launches ---- */

void gpu_statistics_begin(struct gpu *g, uint32_t launch)
{
	struct record *r = record_of(g, launch, true);
	struct gpu_covered *covered = &gpu_state(g)->covered;
	struct statistics s;
	*(g->perf ? &covered->performance : &covered->functional) += 1;
	if (!r)
		return;
	statistics_collect(g, &s);
	r->begun = true;
	r->ended = false;
	r->first = gpu_state(g)->cycle;
	write_counts(g, r, &s.n);
}

/* To `n` what was counted since a launch began. */
static void count_since(struct gpu *g, const struct record *r, struct statistics_counts *n)
{
	struct statistics s;
	struct statistics_counts then;
	statistics_collect(g, &s);
	read_counts(g, r, &then);
	*n = s.n;
	statistics_subtract(n, &then);
}

void gpu_statistics_end(struct gpu *g, uint32_t launch)
{
	struct record *r = record_of(g, launch, false);
	struct statistics_counts n;
	if (!r || !r->begun || r->ended)
		return;
	r = record_of(g, launch, true);
	count_since(g, r, &n);
	r->ended = true;
	r->last = gpu_state(g)->cycle;
	write_counts(g, r, &n);
}

bool gpu_statistics_span(struct gpu *g, uint32_t launch, uint64_t *begin, uint64_t *end)
{
	const struct record *r = launch < gpu_launch_count(g) ? record_of(g, launch, false) : NULL;
	if (!r || !r->begun)
		return false;
	*begin = r->first;
	*end = r->ended ? r->last : 0;
	return true;
}

bool statistics_of_launch(struct gpu *g, uint32_t launch, struct statistics *out)
{
	const struct record *r = launch < gpu_launch_count(g) ? record_of(g, launch, false) : NULL;
	if (!r || !r->begun)
		return false;
	*out = (struct statistics){.warp_threads = g->device.warp_threads};
	if (r->ended)
		read_counts(g, r, &out->n);
	else
		count_since(g, r, &out->n);
	statistics_derive(out);
	out->d.run_cycles = out->n.cycles;
	out->d.run_insns = out->n.insns;
	return true;
}

/* ---- a new beginning ---- */

/* What they began with is taken back from launches under way, in the arithmetic of uint64_t. */
static void rebase(struct gpu *g, const struct statistics_counts *now)
{
	for (uint32_t k = gpu_state(g)->head; k < gpu_launch_count(g); k++) {
		struct record *r = record_of(g, k, false);
		if (!r || !r->begun || r->ended)
			continue;
		r = record_of(g, k, true);
		struct statistics_counts n;
		read_counts(g, r, &n);
		statistics_subtract(&n, now);
		write_counts(g, r, &n);
	}
}

/* Launches that run count on, those that have ended don't. */
static void cover_anew(struct gpu *g)
{
	struct gpu_state *s = gpu_state(g);
	s->covered = (struct gpu_covered){.first = s->head, .is_reset = true};
	for (uint32_t k = s->head; k < gpu_launch_count(g); k++) {
		const struct gpu_launch_info *l = gpu_launch_at(g, k);
		if (l->state == GPU_LAUNCH_RUNNING || l->state == GPU_LAUNCH_FAILED)
			*(l->performance ? &s->covered.performance : &s->covered.functional) += 1;
	}
}

/* The logs of a machine that isn't in use now. */
static void restart_logs(struct gpu *g)
{
	struct performance *const in_use = g->perf;
	g->perf = g->machine;
	perf_restart_logs(g);
	g->perf = in_use;
}

void gpu_statistics_reset(struct gpu *g)
{
	struct gpu_state *s = gpu_state(g);
	struct statistics all;
	statistics_collect(g, &all);
	exec_reset_counts(&g->exec);
	rebase(g, &all.n);
	s->reset_cycle += all.n.cycles;
	s->reset_insns += all.n.insns;
	gpu_mode_reset_statistics(g);
	cover_anew(g);
	if (g->machine && !g->perf)
		restart_logs(g);
	if (!g->perf) {
		s->reset_warp_insns += all.n.core.warp_icount;
		return;
	}
	s->run_warp_insns = 0;
	g->perf->s->counts = (struct perf_counts){0};
	timing_reset_statistics(&g->perf->timing);
	perf_restart_logs(g);
}

/* ---- validation ---- */

bool gpu_valid_statistics(struct gpu_valid *v)
{
	const struct gpu *g = v->g;
	const uint64_t used = g->arena.section[g->sec_counts].used;
	const struct packed_heading *h = arena_at(&g->arena, g->sec_counts, 0);
	const struct record *r = arena_at(&g->arena, g->sec_statistics, 0);
	if (h->end && (h->end < sizeof *h || h->end > used))
		return invalid(v->what, "the size of launches' statistics");
	for (uint64_t k = 0; k < gpu_valid_entries(v, g->sec_statistics, sizeof *r); k++)
		if (!VALID_BOOL(r[k].begun) || !VALID_BOOL(r[k].ended) || r[k].bytes > r[k].room ||
		    (r[k].room && (r[k].at < sizeof *h || r[k].at > h->end || r[k].room > h->end - r[k].at)))
			return invalid(v->what, "the statistics of kernel %u", (unsigned)k);
	return true;
}
