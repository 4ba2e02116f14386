/* Reports effects and wrong use of barriers to the observer and to the checker. */
#include "exec/effect.h"

#include <stdarg.h>
#include <stdio.h>

/* Accesses to what is watched are asked about in any case. */
static bool observer_wants_stop(struct exec *x)
{
	const struct exec_observer *o = &x->observer;
	const bool again = x->pass && x->asked.warp == x->warp && x->asked.moment == exec_moment(x);
	const bool looks = x->effect.kind == EXEC_EFFECT_ACCESS || o->kinds & 1u << x->effect.kind;
	if (!o->before || !looks || again || !o->before(o->self, x, &x->effect) || x->pass)
		return false;
	x->asked.warp = x->warp;
	x->asked.moment = exec_moment(x);
	return true;
}

static bool checker_wants_stop(struct exec *x)
{
	const struct exec_checker *c = x->observer.checker;
	return c && c->before && c->kinds & 1u << x->effect.kind && c->before(c->self, x, &x->effect);
}

bool exec_ask(struct exec *x)
{
	if (!observer_wants_stop(x) && !checker_wants_stop(x))
		return false;
	exec_stop_access(x);
	return true;
}

bool exec_ask_recorded(struct exec *x)
{
	x->effect.kind = EXEC_EFFECT_ACCESS;
	x->effect.lanes = x->mask;
	x->untold = true;
	if (!checker_wants_stop(x))
		return false;
	exec_stop_access(x);
	return true;
}

void exec_tell(struct exec *x, const struct exec_effect *e)
{
	const struct exec_observer *o = &x->observer;
	const struct exec_checker *c = o->checker;
	if (o->after && o->kinds & 1u << e->kind)
		o->after(o->self, x, e);
	if (c && c->after && c->kinds & 1u << e->kind)
		c->after(c->self, x, e);
}

void exec_access_over(struct exec *x)
{
	x->untold = false;
	if (!effect_is_stopped(x) && !x->effect.deferred)
		exec_tell(x, &x->effect);
}

void exec_tell_open(struct exec *x, uint32_t id, uint32_t count, uint32_t warps)
{
	struct exec_effect e = {.kind = EXEC_EFFECT_OPEN, .barrier = {.id = id, .count = count, .warps = warps}};
	exec_tell(x, &e);
}

bool exec_misused(struct exec *x, struct exec_misuse *m, const char *fmt, ...)
{
	char detail[sizeof x->fault.detail];
	enum exec_judgement j = EXEC_JUDGE_FAULT;
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(detail, sizeof detail, fmt, ap);
	va_end(ap);
	m->lanes = m->lanes ? m->lanes : x->mask;
	m->detail = detail;
	if (exec_judges_misuse(x))
		j = x->observer.checker->misuse(x->observer.checker->self, x, m);
	if (j == EXEC_JUDGE_FAULT)
		exec_raise(x, EXEC_FAULT_BARRIER, x->mask, "%s", detail);
	if (j == EXEC_JUDGE_STOP)
		exec_stop_access(x);
	return j == EXEC_JUDGE_SKIP;
}
