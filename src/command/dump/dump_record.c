/* What execution diagrams are drawn from. A ring of events per machine: a warp issues, or begins to be in another state. With `auto` the first
 * cycles of each run are recorded, on one core, so that long runs cost nothing; with `on` everything is, and the ring keeps what came last. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "command/dump/dump_diagram.h"
#include "command/state.h"
#include "debug/view/focus.h"

bool diagram_is_due(const struct observer *l) { return l->diagram && (l->diagram->is_on || l->diagram->is_late); }

struct diagram *diagram_get(struct observer *l)
{
	if (!l->diagram) {
		l->diagram = xcalloc(1, sizeof *l->diagram);
		l->diagram->n_states = l->t->cfg->core.n_cores * CORE_WARPS_MAX;
		l->diagram->wait = xcalloc(l->diagram->n_states, 1);
		l->diagram->live = xcalloc(l->t->cfg->core.n_cores, sizeof *l->diagram->live);
	}
	return l->diagram;
}

void diagram_forget(struct observer *l)
{
	if (!l->diagram)
		return;
	l->diagram->is_on = false;
	l->diagram->n = l->diagram->kept = l->diagram->seen = l->diagram->number = l->diagram->first = l->diagram->last = 0;
}

void diagram_free(struct observer *l)
{
	if (!l->diagram)
		return;
	free(l->diagram->wait);
	free(l->diagram->live);
	free(l->diagram->ring);
	free(l->diagram->by_number);
	free(l->diagram);
	l->diagram = NULL;
}

/* ---- recording ---- */

/* Makes room for one more event: with `on` the ring grows while it can. */
static void make_room(struct diagram *g)
{
	const uint64_t most = g->recording == RECORD_ON ? EVENTS_MOST : EVENTS;
	if (g->cap && (g->n < g->cap || g->cap >= most))
		return;
	const uint64_t old = g->cap;
	g->cap = old ? 2 * old : EVENTS;
	g->ring = xrealloc(g->ring, g->cap * sizeof *g->ring);
	memset(g->ring + old, 0, (g->cap - old) * sizeof *g->ring);
	free(g->by_number);
	g->by_number = xcalloc(g->cap, sizeof *g->by_number);
	for (uint64_t k = 0; k < old && k < g->n; k++)
		if (g->ring[k].is_issue)
			g->by_number[g->ring[k].number % g->cap] = k + 1;
}

static struct event *add(struct diagram *g)
{
	if (g->n >= g->cap)
		make_room(g);
	return &g->ring[g->n++ % g->cap];
}

/* Drops what was recorded of instructions from `number` on and of cycles after `now`, if the machine has gone back since: it does all that again. */
static void drop_future(struct diagram *g, uint64_t now, uint64_t number)
{
	const bool is_back = now < g->seen || (number && number <= g->number);
	g->seen = now;
	if (number)
		g->number = number;
	if (!is_back)
		return;
	g->kept = diagram_oldest(g);
	while (g->n > g->kept) {
		const struct event *e = &g->ring[(g->n - 1) % g->cap];
		if (e->is_issue ? e->cycle < now || (e->cycle == now && (!number || e->number < number)) : e->cycle <= now)
			break;
		g->n--;
	}
	memset(g->wait, WAIT_COUNT, (size_t)g->n_states);
}

void diagram_forget_future(struct observer *l)
{
	struct diagram *g = l->diagram;
	if (!g || !g->is_on || !gpu_timing(l->d->g))
		return;
	const uint64_t next = l->t->s->next_inst_uid;
	drop_future(g, gpu_cycle(l->d->g), next);
	g->number = next - 1;
}

uint64_t diagram_seen_until(const struct debug *d)
{
	const struct observer *l = d->commands->perf.observer;
	return l && l->diagram && l->diagram->is_on && l->diagram->recording == RECORD_ON ? l->diagram->seen : UINT64_MAX;
}

static uint32_t dispatch_cycles(const struct core *c, const struct inst *i)
{
	const struct timing_insn *ti = core_insn(c, i);
	const bool is_memory = ti->class == TIMING_LOAD || ti->class == TIMING_STORE;
	uint32_t n = is_memory && i->n_accesses ? i->n_accesses : i->dispatch;
	return n ? n : 1;
}

/* A pair of a textbook core is dispatched as long as the slower of the two: returns that time, and sets it in the event of the first. */
static uint32_t join_pair(struct diagram *g, const struct core *c, const struct inst *i, uint64_t now, uint32_t dispatch)
{
	const uint64_t at = c->textbook && g->ring ? g->by_number[(i->uid - 1) % g->cap] : 0;
	struct event *e = at ? &g->ring[(at - 1) % g->cap] : NULL;
	if (!e || at > g->n || !e->is_issue || e->number != i->uid - 1 || e->core != c->id || e->warp != i->warp || e->cycle != now)
		return dispatch;
	if (e->dispatch > dispatch)
		return e->dispatch;
	e->dispatch = (uint16_t)dispatch;
	return dispatch;
}

void diagram_issue(struct observer *l, struct core *c, uint32_t inst, uint64_t now)
{
	const struct inst *i = &c->inst[inst];
	const struct core_warp *w = &c->warp[i->warp];
	if (!diagram_is_recorded(l->diagram, c))
		return;
	drop_future(l->diagram, now, i->uid);
	const struct exec_warp *e = dump_exec_warp(c, i->warp);
	const uint16_t dispatch = (uint16_t)join_pair(l->diagram, c, i, now, dispatch_cycles(c, i));
	*add(l->diagram) = (struct event){.cycle = now,
					  .number = i->uid,
					  .start = gpu_run_began(l->d->g),
					  .ready = EVENT_NOT_READY,
					  .pc = i->pc,
					  .block = l->t->cta[w->cta_slot].linear,
					  .index = w->index,
					  .core = (uint16_t)c->id,
					  .warp = (uint8_t)i->warp,
					  .dispatch = dispatch,
					  .lanes = i->issue_mask,
					  .is_split = e && e->lanes & ~e->exited & ~i->issue_mask,
					  .is_issue = true,
					  .has_block = true};
	l->diagram->by_number[i->uid % l->diagram->cap] = l->diagram->n;
}

void diagram_ready(struct observer *l, const struct inst *i, uint64_t now)
{
	const struct diagram *g = l->diagram;
	const uint64_t at = g && g->ring ? g->by_number[i->uid % g->cap] : 0;
	struct event *e = at ? &g->ring[(at - 1) % g->cap] : NULL;
	if (e && at <= g->n && e->is_issue && e->number == i->uid && l->t->program.insns[i->pc].n_out)
		e->ready = now;
}

/* What held a warp back in a cycle, in a textbook core: what is so after a cycle is so in the next one. In a pipeline: what frees registers, pipeline registers and atomics comes before issue, so there the state after the
 * cycle counts; what fills the I-buffers and takes the scheduler comes with it or after it, so there the one before does. */
static bool counts_before(const struct core *c, uint8_t wait)
{
	if (c->textbook)
		return true;
	return wait == WAIT_FETCH || wait == WAIT_IMISS || wait == WAIT_FLUSH || wait == WAIT_READY || wait == WAIT_BARRIER || wait == WAIT_GONE;
}

static void note(struct diagram *g, const struct core *c, uint32_t warp, uint64_t now)
{
	uint8_t *old = &g->wait[(size_t)c->id * CORE_WARPS_MAX + warp];
	const enum warp_wait wait = dump_warp_wait(c, warp);
	if (*old == wait)
		return;
	struct event *e = add(g);
	*e = (struct event){.cycle = counts_before(c, *old) ? now + 1 : now, .core = (uint16_t)c->id, .warp = (uint8_t)warp, .wait = (uint8_t)wait};
	const struct core_warp *w = &c->warp[warp];
	if (w->used) {
		e->has_block = true;
		e->block = c->t->cta[w->cta_slot].linear;
		e->index = w->index;
	}
	*old = (uint8_t)wait;
}

void diagram_cycle(struct observer *l, struct core *c, uint64_t now)
{
	struct diagram *g = l->diagram;
	if (!diagram_is_recorded(g, c))
		return;
	drop_future(g, now, 0);
	uint64_t looked = c->s->live | g->live[c->id];
	g->live[c->id] = c->s->live;
	for (; looked; looked &= looked - 1)
		note(g, c, (uint32_t)__builtin_ctzll(looked), now);
	g->last = now;
	if (now < g->until)
		return;
	g->is_on = false;
	observer_attach(l->d);
}

/* Everything that holds now is said once, so that the recording stands alone. */
static void begin(struct observer *l, uint64_t now)
{
	struct diagram *g = l->diagram;
	const struct core_config *cfg = &l->t->cfg->core;
	g->n = g->kept = g->number = 0;
	g->first = g->last = g->seen = now;
	struct debug_where where;
	g->core = g->recording == RECORD_ON ? -1 : debug_focus_where(l->d, &where) ? (int64_t)where.core : 0;
	memset(g->wait, WAIT_COUNT, (size_t)cfg->n_cores * CORE_WARPS_MAX);
	for (uint32_t k = 0; k < cfg->n_cores; k++) {
		if (!diagram_is_recorded(g, &l->t->core[k]))
			continue;
		g->live[k] = l->t->core[k].s->live;
		for (uint32_t w = 0; w < cfg->n_warps; w++)
			note(g, &l->t->core[k], w, now);
	}
}

static void begin_run(struct observer *l, uint64_t now)
{
	struct diagram *g = l->diagram;
	g->is_late = false;
	if (!g->is_on) /* there is a gap before */
		begin(l, now);
	g->is_on = true;
	g->until = g->recording == RECORD_ON ? UINT64_MAX : now + AUTO_WORK / l->t->cfg->core.n_warps;
}

bool diagram_wants(struct observer *l, uint64_t now)
{
	if (l->diagram && l->diagram->is_late)
		begin_run(l, now);
	return l->diagram && l->diagram->is_on;
}

void diagram_begin_run(struct debug *d)
{
	struct observer *l = d->commands->perf.observer;
	if (!l)
		return;
	struct diagram *g = diagram_get(l);
	if (g->recording == RECORD_OFF)
		return;
	if (gpu_timing(d->g))
		begin_run(l, gpu_cycle(d->g));
	else
		g->is_late = true; /* from the first launch in performance mode on */
	observer_attach(d);
}

