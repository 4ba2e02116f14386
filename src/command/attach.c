/* What the commands do at events of the debugger. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "command/command.h"
#include "command/dump/dump_internal.h"
#include "command/findings/findings.h"
#include "command/inspect.h"
#include "command/dump/machine_fields.h"
#include "command/dump/stalls.h"
#include "command/perf/trace.h"
#include "command/state.h"
#include "command/why/why.h"
#include "debug/past.h"

static void reset(struct debug *d)
{
	struct perf_state *p = &d->commands->perf;
	observer_forget(d);
	observer_attach(d);
	p->has_access = p->has_texels = false;
	p->trace.n = 0;
	if (p->trace.executed)
		memset(p->trace.executed, 0, p->trace.cap * sizeof *p->trace.executed);
}

/* A device made for functional mode may have no performance model when it has been replaced, although its predecessor has one. */
static void device_leaves(struct debug *d, bool is_same)
{
	struct perf_state *p = &d->commands->perf;
	if (!is_same || !gpu_made_for_performance(d->g))
		observer_free(d);
	if (is_same)
		return;
	free(p->trace.executed);
	free(p->texels);
	*p = (struct perf_state){0};
}

static void device_enters(struct debug *d, bool is_same)
{
	struct observer *l = d->commands->perf.observer;
	if (!is_same || !l)
		observer_create(d);
	else
		l->t = gpu_machine_timing(d->g);
}

static void begin_run(struct debug *d)
{
	access_note(d);
	if (!d->commands->has_run) /* the faces that show notes are there now */
		streams_check_options(d);
	d->commands->has_run = true;
	observer_create(d);
	diagram_begin_run(d);
}

static void before(struct debug *d, const struct debug_hit *h) { trace_before(d, h, &d->commands->perf.trace.step); }

static void after(struct debug *d, bool is_executed)
{
	struct trace_step *s = &d->commands->perf.trace.step;
	if (is_executed)
		trace_after(d, s);
	trace_free(s);
}

static void finding_lines(struct debug *d, const struct check_finding *f, bool signs, struct text *out)
{
	(signs ? findings_lines : findings_text)(d, f, out);
}

static void deadlock(struct debug *d, struct debug_stop *stop)
{
	if (d->past)
		why_deadlock(d->past->self, stop);
}

static void destroy(struct debug *d)
{
	device_leaves(d, false);
	findings_forget_rules(d);
	free(d->commands);
	d->commands = NULL;
	d->hooks = NULL;
}

static const struct debug_hooks hooks = {.destroy = destroy,
					 .reset = reset,
					 .launches_dropped = observer_attach,
					 .device_leaves = device_leaves,
					 .device_enters = device_enters,
					 .begin_run = begin_run,
					 .write_marks = trace_write_marks,
					 .before = before,
					 .after = after,
					 .host_memory = trace_memory,
					 .module_loaded = trace_module,
					 .finding_lines = finding_lines,
					 .finding_origin = findings_origin_text,
					 .finding_other = findings_other_text,
					 .deadlock = deadlock,
					 .print = command_printf,
					 .keep = stalls_keep,
					 .take_back = stalls_take_back,
					 .seen_until = diagram_seen_until};

void command_attach(struct debug *d)
{
	if (d->commands)
		return;
	d->commands = xcalloc(1, sizeof *d->commands);
	d->commands->show.x_spec = (struct format_spec){.format = 'x', .unit = 'w', .count = 1};
	d->fields = &perf_fields;
	d->hooks = &hooks;
	observer_create(d);
}
