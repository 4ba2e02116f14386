/* Reports effects and wrong use of barriers to the observer and to the checker. */
#include "exec/effect.h"

#include <stdarg.h>
#include <stdio.h>

/* Accesses to what is watched are asked about in any case. */
static bool observer_wants_stop(struct exec *x)
{
	const struct exec_observer *o = &x->observer;
	const bool again = x->pass && x->stopped_before.warp == x->warp && x->stopped_before.moment == exec_moment(x);
	const bool looks = x->effect.kind == EXEC_EFFECT_ACCESS || o->kinds & 1u << x->effect.kind;
	if (!o->before || !looks || again || !o->before(o->self, x, &x->effect) || x->pass)
		return false;
	x->stopped_before.warp = x->warp;
	x->stopped_before.moment = exec_moment(x);
	return true;
}

static bool checker_wants_stop(struct exec *x)
{
	const struct exec_checker *c = x->observer.checker;
	return c && c->before && c->kinds & 1u << x->effect.kind && c->before(c->self, x, &x->effect);
}

bool effect_before(struct exec *x)
{
	if (!observer_wants_stop(x) && !checker_wants_stop(x))
		return false;
	exec_stop_access(x);
	return true;
}

bool effect_before_access(struct exec *x)
{
	x->effect.kind = EXEC_EFFECT_ACCESS;
	x->effect.lanes = x->mask;
	x->after_is_due = true;
	if (!checker_wants_stop(x))
		return false;
	exec_stop_access(x);
	return true;
}

void effect_after(struct exec *x, const struct exec_effect *e)
{
	const struct exec_observer *o = &x->observer;
	const struct exec_checker *c = o->checker;
	if (o->after && o->kinds & 1u << e->kind)
		o->after(o->self, x, e);
	if (c && c->after && c->kinds & 1u << e->kind)
		c->after(c->self, x, e);
}

void effect_access_done(struct exec *x)
{
	x->after_is_due = false;
	if (!effect_is_stopped(x) && !x->effect.deferred)
		effect_after(x, &x->effect);
}

void effect_barrier_opened(struct exec *x, uint32_t id, uint32_t count, uint32_t warps)
{
	struct exec_effect e = {.kind = EXEC_EFFECT_OPEN, .barrier = {.id = id, .count = count, .warps = warps}};
	effect_after(x, &e);
}

bool effect_misuse(struct exec *x, struct exec_misuse *m, const char *fmt, ...)
{
	char detail[sizeof x->fault.detail];
	enum exec_judgement j = EXEC_JUDGE_FAULT;
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(detail, sizeof detail, fmt, ap);
	va_end(ap);
	m->lanes = m->lanes ? m->lanes : x->mask;
	m->detail = detail;
	if (effect_misuse_is_judged(x))
		j = x->observer.checker->misuse(x->observer.checker->self, x, m);
	if (j == EXEC_JUDGE_FAULT)
		exec_raise(x, EXEC_FAULT_BARRIER, x->mask, "%s", detail);
	if (j == EXEC_JUDGE_STOP)
		exec_stop_access(x);
	return j == EXEC_JUDGE_SKIP;
}
