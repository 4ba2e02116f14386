/* Reports effects and wrong use of barriers to the watchers. */
#include "exec/effect.h"

#include <stdarg.h>
#include <stdio.h>

/* Returns the next watcher that doesn't rest, from place *k on, and advances *k; NULL at the end. */
static const struct exec_watcher *next_watcher(const struct exec *x, uint32_t *k)
{
	while (*k < x->watching.n) {
		const struct exec_watch_entry *e = &x->watching.entry[(*k)++];
		if (!e->rests)
			return e->w;
	}
	return NULL;
}

/* Notes that a watcher stops the machine here, and which watchers were asked, a bit each. */
static void note_stop(struct exec *x, uint32_t asked)
{
	struct exec_watching *const s = &x->watching;
	s->stopped_warp = x->warp;
	s->stopped_moment = exec_moment(x);
	for (uint32_t k = 0; k < s->n; k++)
		s->entry[k].was_asked = asked >> k & 1;
}

bool effect_before_touched(struct exec *x, uint32_t touched)
{
	struct exec_watching *const s = &x->watching;
	const uint32_t set = x->wants.before[x->effect.kind] | touched;
	const bool again = x->pass && s->stopped_warp == x->warp && s->stopped_moment == exec_moment(x);
	LANES_EACH (k, set) {
		const struct exec_watcher *const w = s->entry[k].w;
		if (again && s->entry[k].was_asked && !w->insists)
			continue;
		if (!w->before(w->self, x, &x->effect) || (x->pass && !again && !w->insists))
			continue;
		note_stop(x, set & ((2u << k) - 1));
		exec_stop_access(x);
		return true;
	}
	return false;
}

bool effect_before_access(struct exec *x)
{
	x->effect.kind = EXEC_EFFECT_ACCESS;
	x->effect.lanes = x->mask;
	x->after_is_due = true;
	return effect_before(x);
}

void effect_after(struct exec *x, const struct exec_effect *e)
{
	LANES_EACH (k, x->wants.after[e->kind]) {
		const struct exec_watcher *const w = x->watching.entry[k].w;
		w->after(w->self, x, e);
	}
}

void effect_access_done(struct exec *x)
{
	x->after_is_due = false;
	if (!effect_is_stopped(x) && !x->effect.deferred)
		effect_after(x, &x->effect);
}

void effect_barrier_opened(struct exec *x, uint32_t id, uint32_t count, uint64_t warps)
{
	struct exec_effect e = {.kind = EXEC_EFFECT_OPEN, .barrier = {.id = id, .count = count, .warps = warps}};
	effect_after(x, &e);
}

bool effect_misuse(struct exec *x, struct exec_misuse *m, const char *fmt, ...)
{
	char detail[sizeof x->fault.detail];
	uint32_t k = 0;
	enum exec_judgement j = EXEC_JUDGE_FAULT;
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(detail, sizeof detail, fmt, ap);
	va_end(ap);
	m->lanes = m->lanes ? m->lanes : x->mask;
	m->detail = detail;
	for (const struct exec_watcher *w; (w = next_watcher(x, &k));)
		if (j == EXEC_JUDGE_FAULT && w->misuse)
			j = w->misuse(w->self, x, m);
	if (j == EXEC_JUDGE_FAULT)
		exec_raise(x, EXEC_FAULT_BARRIER, x->mask, "%s", detail);
	if (j == EXEC_JUDGE_STOP)
		exec_stop_access(x);
	return j == EXEC_JUDGE_SKIP;
}

/* ---- judgements and news for checkers ---- */

enum exec_judgement effect_judge_wrong(struct exec *x, const struct exec_wrong *wrong)
{
	enum exec_judgement j = EXEC_JUDGE_FAULT;
	uint32_t k = 0;
	for (const struct exec_watcher *w; (w = next_watcher(x, &k));)
		if (j == EXEC_JUDGE_FAULT && w->wrong)
			j = w->wrong(w->self, x, wrong);
	return j;
}

enum exec_judgement effect_judge_free(struct exec *x, unsigned lane, uint64_t address, enum exec_heap_state state,
				      bool again)
{
	enum exec_judgement j = EXEC_JUDGE_FAULT;
	uint32_t k = 0;
	for (const struct exec_watcher *w; (w = next_watcher(x, &k));)
		if (j == EXEC_JUDGE_FAULT && w->wrong_free)
			j = w->wrong_free(w->self, x, lane, address, state, again);
	return j;
}

void effect_wrote(const struct exec *x, enum isa_space space, uint64_t offset, uint64_t n)
{
	uint32_t k = 0;
	for (const struct exec_watcher *w; (w = next_watcher(x, &k));)
		if (w->wrote)
			w->wrote(w->self, x, space, offset, n);
}

void exec_notify_launched(const struct exec *x, unsigned lane)
{
	uint32_t k = 0;
	for (const struct exec_watcher *w; (w = next_watcher(x, &k));)
		if (w->launched)
			w->launched(w->self, x, lane);
}

void exec_notify_waited(const struct exec *x)
{
	uint32_t k = 0;
	for (const struct exec_watcher *w; (w = next_watcher(x, &k));)
		if (w->waited)
			w->waited(w->self, x);
}

void exec_notify_allocated(const struct exec *x, uint64_t address, uint64_t n)
{
	uint32_t k = 0;
	for (const struct exec_watcher *w; (w = next_watcher(x, &k));)
		if (w->allocated)
			w->allocated(w->self, address, n);
}
