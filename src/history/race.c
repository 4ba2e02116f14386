/* From a race that was found back to the other access. */
#include "debug/findings/findings.h"
#include "history/internal.h"

struct seek {
	const struct check_access *what;
	bool found;
	uint64_t executed; /* by its warp before, the last time */
};

static bool is_thread(const struct check_access *what, const struct exec *x, const struct exec_access *a)
{
	return x->cta->launch == what->launch && x->cta->linear == what->cta &&
	       x->warp->index == exec_warp_of(x, what->in_block) && a->lanes >> exec_lane_of(x, what->in_block) & 1;
}

static bool before(void *self, const struct exec *x, const struct exec_effect *e)
{
	struct seek *s = self;
	const struct exec_access *a = &e->access;
	const unsigned lane = exec_lane_of(x, s->what->in_block);
	if (e->kind != EXEC_EFFECT_ACCESS || x->pc != s->what->pc || !is_thread(s->what, x, a))
		return false;
	const uint64_t at = a->in_halves ? a->start[lane / 16] + lane % 16 * a->step : a->address[lane];
	if (s->what->address - at < a->size) {
		s->found = true;
		s->executed = x->warp->executed + x->n_run;
	}
	return false;
}

static bool goes_on(void *self) { return !((struct seek *)self)->found; }

bool race_other(struct history *h, const struct check_access *what, struct debug_thread *t, uint64_t *executed)
{
	struct seek s = {.what = what};
	const struct exec_watcher w = {.kinds = EXEC_LOOK(ACCESS), .before = before, .self = &s};
	if (!history_look_back(h, &(struct history_look){.watcher = &w, .end = goes_on, .self = &s}) || !s.found)
		return false;
	*t = (struct debug_thread){.launch = what->launch, .cta = what->cta, .thread = what->in_block};
	*executed = s.executed;
	return true;
}
