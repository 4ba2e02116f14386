/* The sync checker: barriers that a part of a warp comes to, lanes that a mask names and that never come, masks without the lane that executes. exec knows
 * of the first two (exec_misuse), and continues without the missing lanes. */
#include <stdio.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "check/sync.h"

static void *create(struct check *c)
{
	struct sync *s = xcalloc(1, sizeof *s);
	s->c = c;
	return s;
}

static void destroy(void *self) { free(self); }

static enum check_kind kind_of(const struct exec_misuse *m)
{
	switch (m->kind) {
	case EXEC_MISUSE_OPERANDS: return CHECK_BAD_MASK;
	case EXEC_MISUSE_ELSEWHERE:
	case EXEC_MISUSE_DIVERGED: return CHECK_DIVERGENT_BARRIER;
	default: return CHECK_MISSING_THREADS;
	}
}

static void swap(struct check_access *a, struct check_access *b)
{
	const struct check_access t = *a;
	*a = *b;
	*b = t;
}

/* Lanes that are missing in a warp-level instruction because they wait in a barrier, or exit, are reported as missing there: the barrier or the exit isn't
 * the mistake. */
static enum exec_judgement misuse(void *self, const struct exec *x, const struct exec_misuse *m)
{
	struct sync *s = self;
	struct check *c = s->c;
	struct check_finding f = {.kind = (uint8_t)kind_of(m), .missing = m->missing, .barrier = m->barrier};
	uint32_t lanes = m->lanes;
	snprintf(f.detail, sizeof f.detail, "%s", m->detail);
	check_thread(x, lanes_first(m->lanes), &f.access);
	f.access.op = m->kind == EXEC_MISUSE_MISSING  ? CHECK_OP_COLLECTIVE
		      : m->kind == EXEC_MISUSE_PASSED ? CHECK_OP_NONE
						      : CHECK_OP_BARRIER;
	f.has_other = m->missing && m->other_pc != ISA_NO_TARGET;
	if (f.has_other)
		check_thread_of(c, x->cta, x->warp->index, lanes_first(m->missing), m->other_pc, &f.other);
	if (m->kind == EXEC_MISUSE_LOCKED || m->kind == EXEC_MISUSE_PASSED) {
		f.other.op = CHECK_OP_COLLECTIVE;
		swap(&f.access, &f.other);
		lanes = m->missing;
		f.missing = m->lanes;
		sync_leavers_told(s, x, m->lanes, m->other_pc);
	}
	if (m->kind == EXEC_MISUSE_MISSING)
		sync_leavers_told(s, x, m->missing, x->pc);
	return check_report(c, &f, lanes) ? EXEC_JUDGE_STOP : EXEC_JUDGE_SKIP;
}

/* Returns true if the machine is to stop. */
static bool report_unnamed(struct check *c, const struct exec *x, const struct exec_effect *e)
{
	uint32_t without = 0;
	LANES_EACH (l, e->lanes)
		without |= e->members[l] >> l & 1 ? 0 : lanes_bit(l);
	if (!without)
		return false;
	struct check_finding f = {.kind = CHECK_BAD_MASK, .missing = e->members[lanes_first(without)]};
	snprintf(f.detail, sizeof f.detail, "mask 0x%08x doesn't name lane %u, which executes it", f.missing,
		 lanes_first(without));
	check_thread(x, lanes_first(without), &f.access);
	f.access.op = CHECK_OP_COLLECTIVE;
	return check_report(c, &f, without);
}

/* Reports exited lanes that the mask names and that have passed the instruction by. Returns true if the machine is to stop. */
static bool report_gone(struct sync *s, const struct exec *x, const struct exec_effect *e)
{
	struct check_finding f = {.kind = CHECK_MISSING_THREADS, .has_other = true};
	uint32_t exit_pc;
	f.missing = sync_leavers_passed(s, x, lanes_first(e->lanes), e->gone, &exit_pc);
	if (!f.missing)
		return false;
	sync_leavers_told(s, x, f.missing, x->pc);
	check_thread(x, lanes_first(e->lanes), &f.access);
	f.access.op = CHECK_OP_COLLECTIVE;
	check_thread_of(s->c, x->cta, x->warp->index, lanes_first(f.missing), exit_pc, &f.other);
	return check_report(s->c, &f, e->lanes);
}

static bool before(void *self, const struct exec *x, const struct exec_effect *e)
{
	struct sync *s = self;
	bool stop = report_unnamed(s->c, x, e);
	if (e->gone)
		stop |= report_gone(s, x, e);
	return stop;
}

const struct check_engine check_engine_sync = {.kinds = EXEC_LOOK(SYNC),
					       .create = create,
					       .destroy = destroy,
					       .on = sync_leavers_on,
					       .reset = sync_leavers_reset,
					       .rebuilt = sync_leavers_rebuilt,
					       .before = before,
					       .misuse = misuse,
					       .parts = sync_leavers_note};
