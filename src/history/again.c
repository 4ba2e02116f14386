/* Runs a launch again, aside: see again.h. */
#include "history/again.h"

#include "history/branch.h"
#include "history/trace.h"

bool history_has_beginning(struct history *h, uint32_t launch)
{
	struct history_aside aside;
	if (!h->n_snaps)
		return false;
	history_aside_begin(h, &aside);
	const bool found = history_go_before_launch(h, launch, &aside.at);
	return history_aside_end(h, &aside) && found;
}

static bool run(struct history *h, const struct again *a, const struct history_position *limit, struct text *why)
{
	if (!history_go_before_launch(h, a->launch, limit)) {
		text_addf(why, "what was recorded doesn't lead back to where launch %u began", a->launch);
		return false;
	}
	enum replay_end e = REPLAY_GOAL;
	h->due = UINT64_MAX; /* the run's own snapshots would be dropped at its end */
	if (gpu_cycle(h->g) < a->first)
		e = replay(h, &(struct replay){.to = limit, .cycle = a->first});
	if (e == REPLAY_GOAL)
		e = replay(h, &(struct replay){.to = limit, .cycle = a->last + 1, .machine = a->machine, .watcher = a->watcher});
	if (e != REPLAY_GOAL && e != REPLAY_LIMIT)
		return history_aside_failed(h, why);
	return !a->end || a->end(a->self);
}

bool history_run_again(struct history *h, const struct again *a, struct text *why)
{
	struct history_aside aside;
	if (!h->n_snaps) {
		text_add(why, "nothing was recorded: 'set history on' before the launch");
		return false;
	}
	history_aside_begin(h, &aside);
	const bool ok = run(h, a, &aside.at, why);
	h->due = 0;
	return history_aside_end(h, &aside) && ok;
}
