/* What the files of the history share. Nobody outside src/history includes this. */
#ifndef HISTORY_INTERNAL_H
#define HISTORY_INTERNAL_H

#include "check/check.h"
#include "debug/past.h"
#include "debug/perf/stalls.h"
#include "debug/stop/past.h"
#include "debug/view/focus.h"
#include "gpu/past.h"
#include "history/history.h"

/* A mark of the whole arena, and what isn't in it. */
struct snapshot {
	uint64_t mark;
	struct history_position at;
	struct gpu_beside beside;
	struct stalls_kept *stalls; /* NULL: they weren't counted */
	size_t stalls_bytes;
	uint64_t work; /* history.work then */
	bool between;  /* where a run that ends with a cycle ends */
};

/* Inputs that aren't the journal's any more, shared by all that lead to a place behind them. */
struct input_way {
	struct journal_entry **entry;
	size_t n;
	unsigned n_users;
};

/* A stop that the user has seen, in front of a command. */
struct undo {
	struct history_position at;
	struct input_way *way; /* of the inputs that it stands after; NULL: they are the journal's */
	uint64_t n_new, n_undos; /* history.n_new, n_undos when the command began */
	bool made_inputs;	 /* it has */
	bool is_gone;		 /* nothing was kept that leads there */
	bool has_focus;
	struct debug_thread focus;
	char *line;
};

struct checkpoint {
	uint32_t number;
	char *name;  /* NULL: none */
	char *place; /* `, vecadd.ptx:33`; may be NULL */
	struct history_position at;
	/* The inputs it stands after, when they aren't the journal's any more; else NULL. */
	struct journal_entry **entry;
	bool has_focus;
	struct debug_thread focus;
};

struct history {
	struct debug *d;
	struct gpu *g;
	const volatile sig_atomic_t *interrupt;
	struct debug_past past; /* what the debugger calls */
	bool records, keeps_journal;
	bool lacks_room; /* there was no address space for the first snapshot */
	uint64_t memory;

	struct journal journal;
	size_t input; /* inputs of the journal that have been done */
	bool is_past;
	struct history_position present; /* if it is */
	bool has_first, has_told;
	struct history_position first, told;
	bool said_discarded;
	const char *begins_because; /* a sentence; NULL: it is where recording began */

	struct snapshot *snap; /* the oldest first; all are in front of where the machine stands */
	size_t n_snaps, cap_snaps;
	uint64_t aside;		/* the mark of the present that was left, or of where a look aside began: what leads there is kept. 0: none */
	struct snapshot *ahead; /* those on the way there, the next one last */
	size_t n_ahead, cap_ahead;
	bool is_on_branch; /* they aren't on the way that is run (branch.h) */
	uint64_t beside_bytes;		  /* of what snapshots keep beside their marks */
	uint64_t work;			  /* estimated, of the host's, in nanoseconds: so much has been run */
	uint64_t rate;			  /* of late, in each cycle */
	uint64_t work_cycle, work_issued, work_flits; /* as work was counted last */
	uint64_t due;			  /* the next snapshot: in which cycle it is looked whether it is due */
	uint64_t interval;		  /* between two, for tests; 0: as the cost wants it */
	uint64_t near; /* on a way back: the cycle near which snapshots are to be dense; UINT64_MAX: none */

	const struct history_position *limit; /* what runs through the past ends there: a scan. NULL: in the present */

	struct debug_memory **knows; /* all that was noted; each input's is journal_entry.knows */
	size_t n_knows, cap_knows;
	const struct debug_memory *knew_first; /* in front of the first input; NULL: not noted */
	const struct debug_memory *known;      /* noted or recalled last */
	struct undo *undo;
	size_t n_undo, cap_undo;
	uint64_t n_undos;  /* ever */
	struct undo *open; /* commands under way */
	size_t n_open, cap_open;
	uint64_t n_new; /* inputs ever that didn't come from the journal */
	struct checkpoint *checkpoint;
	size_t n_checkpoints, cap_checkpoints;
	uint32_t last_checkpoint;
};

/* ---- snapshots.c ---- */
void snapshot_make(struct history *h);
/* The last one at or in front of a position; n_snaps: there is none. strictly: in front. */
size_t snapshot_before(const struct history *h, const struct history_position *p, bool strictly);
/* Goes back to it. */
bool snapshot_go_back(struct history *h, size_t k);
void snapshots_forget(struct history *h);
/* From now on whoever goes back keeps what leads to where the machine stands now: it isn't run again. */
void snapshots_step_aside(struct history *h);
/* Back there, if it was kept: the last snapshot is of that place. */
void snapshots_step_in_again(struct history *h);
/* What was kept of that way is forgotten. */
void snapshots_stay_aside(struct history *h);
/* On that way to the last snapshot that isn't behind a place, or else (NULL) behind the beginning of a cycle, if that is further than where the
 * machine stands. */
void snapshot_go_forward(struct history *h, const struct history_position *to, uint64_t cycle);
/* The arena has forgotten some itself, for want of room: the last may be the first now. */
void snapshots_forget_lost(struct history *h);
/* At some cycle: is one due? Then it is taken. */
void snapshot_maybe(struct history *h);
void snapshots_near(struct history *h,
		    uint64_t cycle); /* dense ones from now on, the nearer the denser; UINT64_MAX: no more */
void snapshots_thin(struct history *h);

/* ---- replay.c: through what has been, from where the machine stands ---- */
enum replay_end { REPLAY_LIMIT, REPLAY_GOAL, REPLAY_FAILED, REPLAY_INTERRUPTED };
struct replay {
	const struct history_position *to; /* not further than this; NULL: the present */
	uint64_t cycle;			   /* goal: the beginning of this cycle; UINT64_MAX: none */
	bool has_warp;			   /* goal: the thread's warp has executed so many instructions, and goes on */
	struct debug_thread warp;
	uint64_t executed;
	/* With the warp: called where the goal is reached. It sets the next goal, or returns false: that was the last. NULL: there is one goal. */
	bool (*again)(void *self, uint64_t *executed);
	/* With the warp: called in front of its instructions that have a mark. False: no further, as at the goal. NULL: no marks. */
	bool (*at_mark)(void *self);
	const uint8_t *marks; /* a byte for each instruction */
	/* Functional mode: called there instead of at_mark, in the middle of exec's run. NULL: at_mark is. */
	bool (*on_mark)(void *self, const struct exec *x);
	void *self;
	const struct exec_observer *observer; /* looks at effects; NULL: nobody does */
	uint64_t
		issued; /* goal, in performance mode: right after the instruction with which so many have issued; 0: none */
};
enum replay_end replay(struct history *h, const struct replay *r);
/* Does the next input of the journal. */
bool replay_input(struct history *h);
/* Instructions that the thread's warp has executed; false: its block isn't there. `over`: it has exited. */
bool warp_executed(struct history *h, const struct debug_thread *t, uint64_t *executed, bool *over);

/* ---- history.c ---- */
void history_settle(struct history *h);	 /* the present may have been come to: it is seen */
void history_leave(struct history *h);	 /* the present, to somewhere earlier */
void history_arrived(struct history *h); /* what is known of where it stands is looked up */
/* Notes what the debugger knows of the machine where it stands in the present; makes it known again where it stands now. */
void history_note_knowledge(struct history *h);
void history_recall(struct history *h);
/* Has the program been told of anything after it? */
bool history_knows_more(const struct history *h, const struct history_position *p);
/* Inputs are kept from now on, and there is a snapshot to begin with. */
void history_begin_for_checkpoint(struct history *h);

/* ---- back.c ---- */
bool history_needs(struct history *h, struct text *why); /* something was recorded */
bool history_lost(struct text *why);			 /* false, with the reason: it can't be run again */
/* The stop of a way back that has come to the beginning. */
bool history_at_beginning(struct history *h, struct debug_stop *stop, struct text *why);
bool history_interrupted(struct history *h, struct debug_stop *stop);
/* What came after is no more; what undo and checkpoints need of it is kept as their way. */
void history_discard(struct history *h);
void undo_free(struct undo *u);
/* To where the thread's warp has executed so many instructions. */
enum replay_end history_go_to_executed(struct history *h, const struct debug_thread *t, uint64_t executed);
/* The focus, where steps back by a thread begin. */
bool history_need_thread(struct history *h, struct debug_where *w, struct text *why);
/* Where the thread stands, as a step of its trail; false: in front of its first instruction. */
bool history_here(struct history *h, const struct debug_where *w, struct debug_trail *here);
/* A thread's instructions between a snapshot and where the way back begins. */
struct trail {
	struct debug_trail *step;
	size_t n, cap;
	bool whole; /* there is none in front of it */
};
/* Looks at stretches of the thread's way, the latest first, until `find` says which of its instructions is meant (n: none of these). */
typedef size_t find_step(struct history *h, const struct trail *l, size_t n, const void *what);
enum replay_end history_find_executed(struct history *h, const struct debug_thread *t, find_step *find,
				      const void *what, bool *found, uint64_t *executed);
/* Goes in front of it, or of the thread's first one. */
bool history_go_found(struct history *h, const struct debug_thread *t, find_step *find, const void *what,
		      struct debug_stop *stop, struct text *why);

/* ---- stops.c ---- */
/* The latest stop that `continue` would have made between two positions; without one the stop's reason stays NONE. */
bool history_stop_between(struct history *h, const struct history_position *first, const struct history_position *end,
			  struct debug_stop *stop, struct text *why);

/* ---- race.c ---- */
/* Where a thread made an access that a race was found with: in front of so many instructions of its warp. False: that isn't known any more. */
bool race_other(struct history *h, const struct check_access *what, struct debug_thread *t, uint64_t *executed);

#endif
