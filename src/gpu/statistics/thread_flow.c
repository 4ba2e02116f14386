#include "gpu/statistics/thread_flow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "gpu/device/internal.h"

#define NO_PC UINT32_MAX

void thread_flow_init(struct thread_flow *f, uint32_t n_cores, uint32_t n_threads)
{
	*f = (struct thread_flow){.n_cores = n_cores, .n_threads = n_threads,
				  .at = xcalloc((size_t)n_cores * n_threads, sizeof *f->at)};
	thread_flow_restart(f);
}

void thread_flow_free(struct thread_flow *f)
{
	free(f->threads);
	free(f->at);
	*f = (struct thread_flow){0};
}

void thread_flow_restart(struct thread_flow *f)
{
	for (size_t k = 0; k < (size_t)f->n_cores * f->n_threads; k++)
		f->at[k] = NO_PC;
	if (f->threads)
		memset(f->threads, 0, (size_t)f->n_cores * f->n_insns * sizeof *f->threads);
}

/* The program may have grown since. */
static void fit_program(struct thread_flow *f, const struct isa_program *p)
{
	const uint32_t n = p->n_insns;
	if (n <= f->n_insns)
		return;
	uint32_t *wider = xcalloc((size_t)f->n_cores * n, sizeof *wider);
	for (uint32_t k = 0; k < f->n_cores && f->n_insns; k++)
		memcpy(wider + (size_t)k * n, f->threads + (size_t)k * f->n_insns, f->n_insns * sizeof *wider);
	free(f->threads);
	f->threads = wider;
	f->n_insns = n;
}

/* 3.2.2 executes lane by lane, and after each counts all lanes that are still on: n lanes count n * n. A guard takes a lane off when its
 * turn comes. */
static uint32_t count_of(uint32_t issued, uint32_t guarded)
{
	const uint32_t n = lanes_count(issued);
	uint32_t count = n * (n - 1) / 2;
	LANES_EACH(l, guarded)
		count += lanes_count(issued >> l);
	return count;
}

void thread_flow_note(struct thread_flow *f, const struct isa_program *p, const struct core *c, const struct inst *i)
{
	const uint32_t lowest = i->issue_mask & -i->issue_mask;
	fit_program(f, p);
	f->threads[(size_t)c->id * f->n_insns + i->pc] += count_of(i->issue_mask, i->active);
	uint32_t *at = f->at + (size_t)c->id * f->n_threads + (size_t)i->warp * c->cfg->warp_threads;
	LANES_EACH(l, (i->issue_mask & ~lowest) | (i->active & lowest))
		at[l] = i->pc;
}

void thread_flow_print(const struct thread_flow *f, const struct isa_program *p, uint32_t core, struct text *out)
{
	const uint32_t *threads = f->threads + (size_t)core * f->n_insns;
	bool any = false;
	for (uint32_t pc = 0; pc < f->n_insns; pc++) {
		if (!threads[pc])
			continue;
		text_addf(out, "%" PRIu32 " %" PRIu32 " ", p->where[pc].line, threads[pc]);
		any = true;
	}
	text_add(out, any ? "\n" : "0 0 \n");
}

void thread_flow_next(struct thread_flow *f, uint32_t core)
{
	if (!f->n_insns)
		return;
	uint32_t *threads = f->threads + (size_t)core * f->n_insns;
	const uint32_t *at = f->at + (size_t)core * f->n_threads;
	memset(threads, 0, f->n_insns * sizeof *threads);
	for (uint32_t k = 0; k < f->n_threads; k++)
		if (at[k] != NO_PC)
			threads[at[k]]++;
}
