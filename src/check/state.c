/* What the checkers' engines ask of the whole: device, settings, which checkers are on, and whether a hook was called already. */
#include "check/internal.h"

uint32_t check_on(const struct check *c) { return c->on; }
bool check_was_on(const struct check *c) { return c->ever; }
struct check_settings *check_settings(struct check *c) { return &c->settings; }
struct gpu *check_gpu(const struct check *c) { return c->g; }

bool check_was_asked(struct check *c, const struct exec *x, unsigned hook)
{
	struct check_state *s = check_state(c);
	const uint64_t moment = exec_moment(x);
	if (s->moment != moment || s->warp != x->warp->index || s->launch != x->launch->id ||
	    s->cta != x->cta->linear) {
		s->moment = moment;
		s->warp = x->warp->index;
		s->launch = x->launch->id;
		s->cta = x->cta->linear;
		s->hooks = s->free_lanes = 0;
	}
	const bool was = s->hooks & hook;
	s->hooks |= hook;
	return was;
}

bool check_insn_again(struct check *c, const struct exec *x) { return check_was_asked(c, x, CHECK_HOOK_INSN); }
