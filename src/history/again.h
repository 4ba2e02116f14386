/* A launch run again, aside, under an observer of the machine: what pictures are made from. */
#ifndef HISTORY_AGAIN_H
#define HISTORY_AGAIN_H

#include "history/internal.h"

struct again {
	uint32_t launch;
	uint64_t first, last; /* cycles that are observed */
	const struct replay_observer *machine; /* performance mode; or NULL */
	const struct exec_watcher *watcher;    /* of effects; or NULL */
	bool (*end)(void *self); /* called where the run ends, before the machine returns; may be NULL */
	void *self;
};
/* Runs a launch again from the state that it began with, then returns the machine to where it stood. Returns false, with the reason in `why`, if nothing
 * recorded leads to the launch's beginning or the run was interrupted. */
bool history_run_again(struct history *h, const struct again *a, struct text *why);
/* Returns true if a recorded state leads to the launch's beginning. */
bool history_has_beginning(struct history *h, uint32_t launch);

#endif
