/* Branches of the history: a launch run again in another mode or order, after an identical past. Private to src/history. */
#ifndef HISTORY_BRANCH_H
#define HISTORY_BRANCH_H

#include "history/internal.h"

/* Moves the machine to a snapshot in front of a launch's first instruction, at or before `limit`; history_aside_begin has been called. Returns false
 * if no snapshot is kept there. */
bool history_go_before_launch(struct history *h, uint32_t id, const struct history_position *limit);

/* A second path from a position on. While the machine is on the branch, h->journal holds the branch's inputs. */
struct history_branch {
	struct history_position from, end;
	struct journal other; /* the inputs of the path that the machine isn't on */
	bool taken;
	char failure[64]; /* why the launch stopped; "": the launch has ended */
};
/* Runs launch `id` again in another mode and order (`order` NULL: as recorded), from a past that doesn't change; history_aside_begin has been called.
 * The machine stays on the branch. Returns false, with the reason in `why`, if the launch can't be run again or the run was interrupted. */
bool history_branch_make(struct history *h, uint32_t id, enum gpu_mode mode, const struct gpu_schedule_spec *order,
			 const struct history_position *limit, struct history_branch *b, struct text *why);
/* Switches between the branch (`taken`) and the recorded path; the machine then stands at or in front of b->from. Returns false if no snapshot leads
 * there. */
bool history_branch_take(struct history *h, struct history_branch *b, bool taken);
/* Releases the branch's journal. The machine must have left the branch. */
void history_branch_free(struct history_branch *b);

#endif
