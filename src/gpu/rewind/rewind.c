#include "gpu/rewind/rewind.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "gpu/memory/memory.h"
#include "gpu/performance/mode.h"
#include "gpu/performance/performance.h"
#include "timing/ldst/ldst.h"

void gpu_keep_beside(const struct gpu *g, struct gpu_beside *out)
{
	*out = (struct gpu_beside){.memory_mark = g->memory_mark,
				   .n_functions = g->program.n_functions};
	if (!g->machine)
		return;
	out->at = g->machine->timing.at;
	out->stopped = g->machine->timing.stopped;
}

void gpu_revive(struct gpu *g, const struct gpu_beside *beside)
{
	g->memory_mark = beside->memory_mark;
	exec_drop_caches(&g->exec);
	if (g->machine)
		perf_restore(g, &beside->at, beside->stopped);
	gpu_mode_restore(g);
	gpu_program_select_modules(g);
	if (isa_program_was_loaded(&g->program, beside->n_functions, gpu_state(g)->n_variables))
		gpu_program_changed(g);
}

void gpu_settle(struct gpu *g)
{
	struct timing *t = g->machine ? &g->machine->timing : NULL;
	struct partition_stats sum;
	if (!t)
		return;
	partitions_get_stats(t->partitions, &sum);
	for (uint32_t k = 0; k < t->cfg->core.n_cores; k++) {
		core_wake(&t->core[k]);
		ldst_l1c(&t->core[k]);
		ldst_l1t(&t->core[k]);
		ldst_l1d(&t->core[k]);
	}
}

uint64_t gpu_flits_sent(const struct gpu *g)
{
	const struct timing *t = g->machine ? &g->machine->timing : NULL;
	uint64_t n = 0;
	for (uint32_t k = 0; t && k < t->cfg->core.n_clusters; k++)
		n += t->cluster[k].s->n.flits_in;
	return n;
}

void gpu_keep_marks(struct gpu *g, bool on) { g->keeps_marks = on; }
void gpu_set_silent(struct gpu *g, bool on) { g->is_silent = on; }

void gpu_unseen_begin(struct gpu *g, struct gpu_unseen *u)
{
	struct timing *t = g->machine ? &g->machine->timing : NULL;
	*u = (struct gpu_unseen){
		.was_silent = g->is_silent, .none = xcalloc(g->cap_marks + 1u, 1), .was_repeating = exec_set_repeating(&g->exec, true)};
	g->is_silent = true;
	g->exec.marks = u->none;
	if (!t)
		return;
	u->observer = t->observer;
	timing_observe(t, &(struct timing_observer){0});
}

void gpu_unseen_end(struct gpu *g, struct gpu_unseen *u)
{
	struct timing *t = g->machine ? &g->machine->timing : NULL;
	g->is_silent = u->was_silent;
	g->exec.marks = g->marks;
	free(u->none);
	exec_set_repeating(&g->exec, u->was_repeating);
	if (t)
		timing_observe(t, &u->observer);
}
