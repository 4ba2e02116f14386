/* Counting what cycles are lost to. All that was counted stands for what the machine's statistics have counted since; when those are others all at
 * once (they were reset) it begins anew. The history keeps the counts with each position. */
#include "command/dump/stalls.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "command/dump/dump_internal.h"
#include "command/state.h"

/* Cycles of a warp slot or of a core's schedulers (`who` SCHEDULERS), lost to a reason at an instruction. */
#define SCHEDULERS CORE_WARPS_MAX
struct lost_at {
	uint64_t cycles; /* 0: the entry is unused */
	uint32_t pc, core;
	uint8_t who, wait;
};

/* How a warp stood when its scheduler's turn began. */
struct standing {
	uint8_t wait;
	uint32_t pc;
};

struct stalls_core {
	uint64_t base[TURN_COUNT], counted[TURN_COUNT]; /* of the core's statistics; TURN_ISSUED isn't there */
	struct stalls_scheduler *scheduler;
	struct stalls_warp *warp;
	struct standing *now; /* by warp */
};

struct stalls {
	uint64_t since, first_uid, insns; /* cycle; number of the next instruction then; instructions counted */
	bool is_brief;			  /* schedulers' turns only, and the STALLS_BRIEF_PLACES worst places */
	struct stalls_core *core;
	struct lost_at *at; /* hashed; a power of two of places */
	size_t n_at, cap_at;
};

/* ---- where ---- */

static struct lost_at *find(const struct stalls *s, const struct lost_at *key)
{
	uint64_t h = (((uint64_t)key->core << 32 | key->pc) * 31 + key->who) * 31 + key->wait;
	h *= UINT64_C(0x9e3779b97f4a7c15);
	for (size_t k = (size_t)(h >> 20) & (s->cap_at - 1);; k = (k + 1) & (s->cap_at - 1)) {
		struct lost_at *p = &s->at[k];
		if (!p->cycles ||
		    (p->pc == key->pc && p->core == key->core && p->who == key->who && p->wait == key->wait))
			return p;
	}
}

static void grow(struct stalls *s)
{
	struct lost_at *old = s->at;
	const size_t n = s->cap_at;
	s->cap_at = n ? 2 * n : 1024;
	s->at = xcalloc(s->cap_at, sizeof *s->at);
	for (size_t k = 0; k < n; k++)
		if (old[k].cycles)
			*find(s, &old[k]) = old[k];
	free(old);
}

static void lost(struct stalls *s, uint32_t core, uint32_t who, const struct standing *how, uint64_t n)
{
	if (2 * (s->n_at + 1) > s->cap_at)
		grow(s);
	const struct lost_at key = {.pc = how->pc, .core = core, .who = (uint8_t)who, .wait = how->wait};
	struct lost_at *p = find(s, &key);
	if (!p->cycles) {
		*p = key;
		s->n_at++;
	}
	p->cycles += n;
}

/* ---- how warps stand ---- */

/* The instruction that a wait is for: the one that made the warp wait where there is one, else the next. */
static uint32_t place_of(const struct core *c, uint32_t warp, enum warp_wait wait)
{
	const struct exec_warp *e = dump_exec_warp(c, warp);
	uint32_t pc;
	const bool made = wait == WAIT_BARRIER || wait == WAIT_MEMBAR || wait == WAIT_ATOMIC || wait == WAIT_DONE;
	return !made && dump_warp_pc(c, warp, &pc) ? pc : e->last_pc;
}

/* Notes how the warps of a scheduler stand. The places of single warps are left out if only schedulers are counted. */
static void look(const struct stalls *s, const struct core *c, uint32_t scheduler)
{
	struct stalls_core *k = &s->core[c->id];
	for (uint32_t warp = scheduler; warp < c->cfg->n_warps; warp += c->cfg->schedulers) {
		const enum warp_wait wait = c->warp[warp].used ? dump_warp_wait(c, warp) : WAIT_GONE;
		const bool has_place = wait != WAIT_GONE && !s->is_brief;
		k->now[warp] = (struct standing){.wait = (uint8_t)wait, .pc = has_place ? place_of(c, warp, wait) : 0};
	}
}

/* Returns how near a wait is to issuing, as the statistics tell turns apart: idle, scoreboard, pipeline; ready warps are nearest. */
static unsigned nearness(uint8_t wait)
{
	switch (wait) {
	case WAIT_READY: return 3;
	case WAIT_PIPE:
	case WAIT_DISPATCH: return 2;
	case WAIT_SCOREBOARD:
	case WAIT_LATENCY: return 1;
	default: return 0;
	}
}

/* What a turn without an instruction is charged to: of the warps that wait as the statistics say, the one nearest to issuing. Schedulers that look
 * at some of their warps only may leave the others out: ready, it had no turn. */
static struct standing nearest(const struct stalls *s, const struct core *c, uint32_t scheduler, enum timing_turn what)
{
	const struct stalls_core *k = &s->core[c->id];
	const unsigned wanted = what == TURN_PIPELINE ? 2 : what == TURN_SCOREBOARD ? 1 : 0;
	const struct standing *best = NULL, *ready = NULL;
	for (uint32_t warp = scheduler; warp < c->cfg->n_warps; warp += c->cfg->schedulers) {
		const struct standing *w = &k->now[warp];
		if (nearness(w->wait) > wanted && !ready)
			ready = w;
		if (nearness(w->wait) == wanted && (!best || w->wait > best->wait))
			best = w;
	}
	if (ready && (!best || best->wait == WAIT_GONE))
		best = ready;
	if (!best || best->wait == WAIT_GONE)
		return (struct standing){.wait = WAIT_GONE};
	struct standing how = *best;
	/* nothing has issued, so the warp stands where it stood when the turn began */
	if (s->is_brief && dump_exec_warp(c, (uint32_t)(best - k->now)))
		how.pc = place_of(c, (uint32_t)(best - k->now), (enum warp_wait)how.wait);
	return how;
}

/* ---- counting ---- */

static void core_counts(const struct core *c, uint64_t out[TURN_COUNT])
{
	memset(out, 0, TURN_COUNT * sizeof *out);
	out[TURN_IDLE] = c->stats->w0_idle;
	out[TURN_SCOREBOARD] = c->stats->w0_scoreboard;
	out[TURN_PIPELINE] = c->stats->stall;
}

static bool core_agrees(const struct stalls_core *k, const struct core *c)
{
	uint64_t now[TURN_COUNT];
	core_counts(c, now);
	for (unsigned i = TURN_IDLE; i < TURN_COUNT; i++)
		if (now[i] != k->base[i] + k->counted[i])
			return false;
	return true;
}

static uint64_t uncounted(const struct stalls *s, const struct timing *t)
{
	return t->s->next_inst_uid - s->first_uid - s->insns;
}

static void forget_core(struct stalls_core *k, const struct core *c)
{
	core_counts(c, k->base);
	memset(k->counted, 0, sizeof k->counted);
	memset(k->scheduler, 0, c->cfg->schedulers * sizeof *k->scheduler);
	memset(k->warp, 0, c->cfg->n_warps * sizeof *k->warp);
	memset(k->now, 0, c->cfg->n_warps * sizeof *k->now); /* a turn is under way, and its beginning wasn't observed */
}

void stalls_forget(struct observer *l)
{
	struct stalls *s = l->stalls;
	if (!s)
		return;
	s->since = gpu_cycle(l->d->g);
	s->first_uid = l->t->s->next_inst_uid;
	s->insns = 0;
	s->n_at = 0;
	memset(s->at, 0, s->cap_at * sizeof *s->at);
	for (uint32_t k = 0; k < l->t->cfg->core.n_cores; k++)
		forget_core(&s->core[k], &l->t->core[k]);
}

static void count_warp(struct stalls *s, const struct core *c, uint32_t warp, uint64_t n)
{
	const struct standing *how = &s->core[c->id].now[warp];
	if (how->wait == WAIT_GONE)
		return;
	s->core[c->id].warp[warp].waits[how->wait] += n;
	lost(s, c->id, warp, how, n);
}

static void count_issue(struct stalls *s, const struct core *c, uint32_t warp)
{
	struct stalls_warp *w = &s->core[c->id].warp[warp];
	w->issued++;
	w->insns += c->s->issued;
	s->insns += c->s->issued;
}

static void count_turn(struct stalls *s, const struct core *c, uint32_t scheduler, enum timing_turn what,
		       uint32_t issuing, uint64_t n)
{
	struct stalls_core *k = &s->core[c->id];
	k->counted[what] += n;
	k->scheduler[scheduler].turns[what] += n;
	for (uint32_t warp = scheduler; warp < c->cfg->n_warps; warp += c->cfg->schedulers)
		if (what == TURN_ISSUED && warp == issuing)
			count_issue(s, c, warp);
		else if (!s->is_brief)
			count_warp(s, c, warp, n);
	if (what == TURN_ISSUED)
		return;
	const struct standing how = nearest(s, c, scheduler, what);
	k->scheduler[scheduler].lost[how.wait] += n;
	if (how.wait != WAIT_GONE)
		lost(s, c->id, SCHEDULERS, &how, n);
}

void stalls_turn(struct observer *l, struct core *c, uint32_t scheduler, enum timing_turn what, uint32_t warp,
		 uint64_t n)
{
	struct stalls *s = l->stalls;
	if (what != TURN_BEGINS) {
		count_turn(s, c, scheduler, what, warp, n);
		return;
	}
	/* a core that has slept may hear of it while another is inside a turn */
	if (!core_agrees(&s->core[c->id], c) || (n && uncounted(s, l->t)))
		stalls_forget(l);
	look(s, c, scheduler);
}

/* ---- on and off ---- */

void stalls_free(struct observer *l)
{
	struct stalls *s = l->stalls;
	if (!s)
		return;
	for (uint32_t k = 0; k < l->t->cfg->core.n_cores; k++) {
		free(s->core[k].scheduler);
		free(s->core[k].warp);
		free(s->core[k].now);
	}
	free(s->core);
	free(s->at);
	free(s);
	l->stalls = NULL;
}

static void create(struct observer *l)
{
	const struct core_config *cfg = &l->t->cfg->core;
	struct stalls *s = l->stalls = xcalloc(1, sizeof *s);
	s->core = xcalloc(cfg->n_cores, sizeof *s->core);
	for (uint32_t k = 0; k < cfg->n_cores; k++) {
		core_wake(&l->t->core[k]);
		s->core[k].scheduler = xcalloc(cfg->schedulers, sizeof *s->core[k].scheduler);
		s->core[k].warp = xcalloc(cfg->n_warps, sizeof *s->core[k].warp);
		s->core[k].now = xcalloc(cfg->n_warps, sizeof *s->core[k].now);
	}
	grow(s);
	stalls_forget(l);
}

void stalls_set(struct debug *d, bool on)
{
	struct observer *l = d->commands->perf.observer;
	d->commands->wants_stalls = on;
	if (!l || on == (l->stalls != NULL))
		return;
	if (on)
		create(l);
	else
		stalls_free(l);
	observer_attach(d);
}

struct stalls *stalls_begin_brief(struct debug *d)
{
	struct observer *l = d->commands->perf.observer;
	struct stalls *was = l->stalls;
	create(l);
	l->stalls->is_brief = true;
	return was;
}

void stalls_end_brief(struct debug *d, struct stalls *was)
{
	stalls_free(d->commands->perf.observer);
	d->commands->perf.observer->stalls = was;
}

/* ---- going back ---- */

/* All in one piece: by core its schedulers and warps, then the places. */
struct stalls_kept {
	uint64_t since, first_uid, insns;
	uint32_t n_cores, n_schedulers, n_warps;
	size_t n_at;
	struct lost_at *at;
	struct stalls_scheduler *scheduler;
	struct stalls_warp *warp;
	uint64_t turns[][2][TURN_COUNT]; /* by core: base, counted */
};

struct stalls_kept *stalls_keep(const struct debug *d, size_t *bytes)
{
	const struct observer *l = d->commands->perf.observer;
	const struct stalls *s = l ? l->stalls : NULL;
	if (!s)
		return NULL;
	const struct core_config *cfg = &l->t->cfg->core;
	const uint32_t n = cfg->n_cores;
	const size_t head = sizeof(struct stalls_kept) + n * 2 * TURN_COUNT * sizeof(uint64_t),
		     schedulers = (size_t)n * cfg->schedulers * sizeof *s->core->scheduler,
		     warps = (size_t)n * cfg->n_warps * sizeof *s->core->warp, places = s->n_at * sizeof *s->at;
	*bytes = head + schedulers + warps + places;
	struct stalls_kept *k = xmalloc(*bytes);
	*k = (struct stalls_kept){.since = s->since,
				  .first_uid = s->first_uid,
				  .insns = s->insns,
				  .n_cores = n,
				  .n_schedulers = cfg->schedulers,
				  .n_warps = cfg->n_warps};
	k->scheduler = (void *)((char *)k + head);
	k->warp = (void *)((char *)k->scheduler + schedulers);
	k->at = (void *)((char *)k->warp + warps);
	for (uint32_t c = 0; c < n; c++) {
		memcpy(k->turns[c][0], s->core[c].base, sizeof s->core[c].base);
		memcpy(k->turns[c][1], s->core[c].counted, sizeof s->core[c].counted);
		memcpy(&k->scheduler[c * cfg->schedulers], s->core[c].scheduler, schedulers / n);
		memcpy(&k->warp[c * cfg->n_warps], s->core[c].warp, warps / n);
	}
	for (size_t i = 0; i < s->cap_at; i++)
		if (s->at[i].cycles)
			k->at[k->n_at++] = s->at[i];
	return k;
}

static void take_back_core(struct stalls_core *c, const struct stalls_kept *k, uint32_t core)
{
	memcpy(c->base, k->turns[core][0], sizeof c->base);
	memcpy(c->counted, k->turns[core][1], sizeof c->counted);
	memcpy(c->scheduler, &k->scheduler[core * k->n_schedulers], k->n_schedulers * sizeof *c->scheduler);
	memcpy(c->warp, &k->warp[core * k->n_warps], k->n_warps * sizeof *c->warp);
}

void stalls_take_back(struct debug *d, const struct stalls_kept *k)
{
	struct observer *l = d->commands->perf.observer;
	struct stalls *s = l ? l->stalls : NULL;
	if (!s)
		return;
	const struct core_config *cfg = &l->t->cfg->core;
	stalls_forget(l);
	if (!k || k->n_cores != cfg->n_cores || k->n_schedulers != cfg->schedulers || k->n_warps != cfg->n_warps)
		return;
	s->since = k->since;
	s->first_uid = k->first_uid;
	s->insns = k->insns;
	for (uint32_t c = 0; c < k->n_cores; c++)
		take_back_core(&s->core[c], k, c);
	for (size_t i = 0; i < k->n_at; i++) {
		if (2 * (s->n_at + 1) > s->cap_at)
			grow(s);
		*find(s, &k->at[i]) = k->at[i];
		s->n_at++;
	}
}

/* ---- what was counted ---- */

bool stalls_since(struct debug *d, uint64_t *cycle)
{
	struct observer *l = d->commands->perf.observer;
	if (!l || !l->stalls)
		return false;
	bool agrees = uncounted(l->stalls, l->t) <= l->t->cfg->core.max_issue; /* a turn may be under way */
	for (uint32_t k = 0; k < l->t->cfg->core.n_cores; k++) {
		core_wake(&l->t->core[k]);
		agrees = agrees && core_agrees(&l->stalls->core[k], &l->t->core[k]);
	}
	if (!agrees)
		stalls_forget(l);
	*cycle = l->stalls->since;
	return true;
}

const struct stalls_scheduler *stalls_of_scheduler(const struct debug *d, uint32_t core, uint32_t scheduler)
{
	return &d->commands->perf.observer->stalls->core[core].scheduler[scheduler];
}

const struct stalls_warp *stalls_of_warp(const struct debug *d, uint32_t core, uint32_t warp)
{
	return &d->commands->perf.observer->stalls->core[core].warp[warp];
}

static int most_first(const void *a, const void *b)
{
	const struct stalls_place *x = a, *y = b;
	if (x->cycles != y->cycles)
		return x->cycles < y->cycles ? 1 : -1;
	return (x->pc > y->pc) - (x->pc < y->pc);
}

static int by_pc(const void *a, const void *b)
{
	const struct stalls_place *x = a, *y = b;
	return (x->pc > y->pc) - (x->pc < y->pc);
}

/* The same instruction on several cores is one place. */
static size_t merge(struct stalls_place *v, size_t n)
{
	size_t kept = 0;
	qsort(v, n, sizeof *v, by_pc);
	for (size_t k = 0; k < n; k++)
		if (kept && v[kept - 1].pc == v[k].pc)
			v[kept - 1].cycles += v[k].cycles;
		else
			v[kept++] = v[k];
	return kept;
}

struct stalls_place *stalls_places(const struct debug *d, uint32_t core, uint32_t warp, enum warp_wait wait, size_t *n)
{
	const struct stalls *s = d->commands->perf.observer->stalls;
	const uint32_t who = warp == STALLS_SCHEDULERS ? SCHEDULERS : warp;
	struct stalls_place *all = xcalloc(s->n_at + 1, sizeof *all);
	size_t found = 0;
	for (size_t k = 0; k < s->cap_at; k++) {
		const struct lost_at *p = &s->at[k];
		if (p->cycles && p->who == who && p->wait == wait && (core == STALLS_ALL_CORES || core == p->core))
			all[found++] = (struct stalls_place){.pc = p->pc, .cycles = p->cycles};
	}
	*n = merge(all, found);
	qsort(all, *n, sizeof *all, most_first);
	if (s->is_brief && *n > STALLS_BRIEF_PLACES)
		*n = STALLS_BRIEF_PLACES;
	return all;
}
