/* Observers of the running machine: the timing model's hooks are set only while something is observed. */
#include "base/xalloc.h"
#include "command/dump/dump_internal.h"
#include "command/dump/stalls.h"
#include "command/state.h"

static void on_issue(void *observer, struct core *c, uint32_t inst, uint64_t now)
{
	struct observer *l = observer;
	if (diagram_wants(l, now))
		diagram_issue(l, c, inst, now);
	if (streams_any(l))
		streams_issue(l, c, inst, now);
}

static void on_complete(void *observer, const struct inst *i, uint64_t now) { diagram_ready(observer, i, now); }

static void on_cycle(void *observer, struct core *c, uint64_t now)
{
	struct observer *l = observer;
	if (diagram_wants(l, now))
		diagram_cycle(l, c, now);
	if (streams_any(l))
		streams_cycle(l, c, now);
}

static void on_tick(void *observer, uint32_t domains, uint64_t now) { streams_tick(observer, domains, now); }

static void on_turn(void *observer, struct core *c, uint32_t scheduler, enum timing_turn what, uint32_t warp,
		    uint64_t n)
{
	stalls_turn(observer, c, scheduler, what, warp, n);
}

static void on_request(void *observer, uint32_t request, enum request_status before)
{
	streams_request(observer, request, before);
}

void observer_attach(struct debug *d)
{
	struct observer *l = d->commands->perf.observer;
	if (!l)
		return;
	const bool streams = streams_any(l), any = streams || diagram_is_due(l);
	timing_observe(l->t, &(struct timing_observer){.self = l,
						       .on_issue = any ? on_issue : NULL,
						       .on_complete = diagram_is_due(l) ? on_complete : NULL,
						       .on_cycle = any ? on_cycle : NULL,
						       .on_tick = streams ? on_tick : NULL,
						       .on_turn = l->stalls ? on_turn : NULL,
						       .requests = {l, streams ? on_request : NULL}});
}

void observer_forget(struct debug *d)
{
	struct observer *l = d->commands->perf.observer;
	if (!l)
		return;
	dump_seen_free(l);
	diagram_forget(l);
	streams_look_again(l);
	stalls_forget(l);
}

void observer_create(struct debug *d)
{
	struct timing *t = gpu_machine_timing(d->g);
	if (!t || d->commands->perf.observer)
		return;
	d->commands->perf.observer = xcalloc(1, sizeof *d->commands->perf.observer);
	d->commands->perf.observer->d = d;
	d->commands->perf.observer->t = t;
	streams_from_options(d);
	stalls_set(d, d->commands->wants_stalls);
}

void observer_free(struct debug *d)
{
	struct observer *l = d->commands->perf.observer;
	if (!l)
		return;
	timing_observe(l->t, &(struct timing_observer){0});
	dump_seen_free(l);
	diagram_free(l);
	streams_free(l);
	stalls_free(l);
	free(l);
	d->commands->perf.observer = NULL;
}
