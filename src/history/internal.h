/* Shared declarations of the history's files. Private to src/history. */
#ifndef HISTORY_INTERNAL_H
#define HISTORY_INTERNAL_H

#include "check/check.h"
#include "debug/past.h"
#include "debug/stop/past.h"
#include "debug/view/focus.h"
#include "gpu/rewind/rewind.h"
#include "history/history.h"

/* A mark of the whole arena, and the state outside the arena. */
struct snapshot {
	uint64_t mark;
	struct history_position at;
	struct gpu_beside beside;
	struct stalls_kept *stalls; /* NULL: they weren't counted */
	size_t stalls_bytes;
	uint64_t work; /* history.work then */
	bool between;  /* where a run that ends with a cycle ends */
};

/* Inputs no longer in the journal, shared by all undo steps behind them. */
struct input_way {
	struct journal_entry **entry;
	size_t n;
	unsigned n_users;
};

/* A step of `undo`: the position in front of a command. */
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

/* A command that was taken back, or the position behind the command, which has no line (NULL). */
struct redo {
	struct undo command, behind;
};

struct checkpoint {
	uint32_t number;
	char *name;  /* NULL: none */
	char *place; /* `vecadd.ptx:33`. NULL: no thread was in focus */
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
	bool keeps_beginnings; /* while it doesn't record: what leads to the beginnings of launches is kept (history_keep_beginnings) */
	bool lacks_room; /* there was no address space for the first snapshot */
	uint64_t memory;

	struct journal journal;
	size_t input; /* inputs of the journal that have been executed */
	bool is_past;
	struct history_position present; /* if it is */
	bool has_first, has_told;
	bool is_restored; /* the first position is that of a checkpoint file: memory may have been written before */
	struct history_position first, told;
	bool said_discarded;
	const char *begins_because; /* a sentence; NULL: the history begins where recording was switched on */

	struct snapshot *snap; /* oldest first; none is later than where the machine stands */
	size_t n_snaps, cap_snaps;
	uint64_t aside;		/* the mark of the present that was left, or of where a look aside began: what leads there is kept. 0: none */
	struct snapshot *ahead; /* those on the way there, the next one last */
	size_t n_ahead, cap_ahead;
	bool is_on_branch; /* they aren't on the way that is run (branch.h) */
	uint64_t beside_bytes;		  /* of what snapshots keep beside their marks */
	uint64_t work;			  /* estimated host time of the run so far, in nanoseconds */
	uint64_t rate;			  /* recent work per cycle */
	uint64_t work_cycle, work_issued, work_flits; /* as work was counted last */
	uint64_t due;			  /* the cycle of the next check for a due snapshot */
	uint64_t interval;		  /* fixed interval between snapshots, for tests; 0: computed from the cost */
	uint64_t near; /* on a way back: the cycle near which snapshots are to be dense; UINT64_MAX: none */

	/* Called where a step back from `from` by instructions, lines or calls has ended: goes to a stop on the way and fills `stop`, or leaves both. Returns false if the
	 * machine can't be run there. NULL: nothing on the way stops it. */
	bool (*on_arrival)(struct history *h, const struct history_position *from, struct debug_stop *stop, struct text *why);

	const struct history_position *limit; /* end of a scan of the past. NULL: replay ends at the present */
	struct windows *windows; /* of the look aside that is under way; NULL: none is */

	struct debug_memory **knows; /* all that was noted; each input's is journal_entry.knows */
	size_t n_knows, cap_knows;
	const struct debug_memory *knew_first; /* in front of the first input; NULL: not noted */
	const struct debug_memory *known;      /* noted or recalled last */
	struct undo *undo;
	size_t n_undo, cap_undo;
	uint64_t n_undos;  /* ever */
	struct redo *redo; /* the one to make next is last */
	size_t n_redo, cap_redo;
	struct undo *open; /* commands under way */
	size_t n_open, cap_open;
	uint64_t n_new; /* inputs ever that didn't come from the journal */
	struct checkpoint *checkpoint;
	size_t n_checkpoints, cap_checkpoints;
	uint32_t last_checkpoint;
};

/* ---- snapshots.c ---- */
/* Makes a snapshot of where the machine stands, unless the latest one is there already or there is no memory for it. May drop others (snapshots_thin). */
void snapshot_make(struct history *h);
/* Returns the index of the last snapshot at or in front of a position; with `strictly`, of the last in front of it. Returns h->n_snaps if there is
 * none. */
size_t snapshot_before(const struct history *h, const struct history_position *p, bool strictly);
/* Restores snapshot `k`, and drops or sets aside later ones. Returns false if the arena can't go back there. */
bool snapshot_go_back(struct history *h, size_t k);
/* Drops all snapshots. */
void snapshots_forget(struct history *h);
/* Marks where the machine stands, so that later calls of snapshot_go_back keep the snapshots leading there. Marks nothing if no snapshot can be made
 * there. */
void snapshots_step_aside(struct history *h);
/* Returns to the place of snapshots_step_aside if that place was kept; the last snapshot is then of it. Ends the marking in either case. */
void snapshots_step_in_again(struct history *h);
/* Drops what was kept for returning to the place of snapshots_step_aside. */
void snapshots_stay_aside(struct history *h);
/* Restores the last kept snapshot that is later than where the machine stands, but not behind `to` (NULL: no limit) nor behind the beginning of
 * `cycle`. Does nothing if there is none or the machine is on a branch. */
void snapshot_go_forward(struct history *h, const struct history_position *to, uint64_t cycle);
/* Drops snapshots whose marks the arena has dropped for lack of memory. The first one left becomes the beginning. */
void snapshots_forget_lost(struct history *h);
/* Makes a snapshot if one is due and the machine stands between cycles; otherwise sets the cycle of the next check. */
void snapshot_maybe(struct history *h);
/* Makes later snapshots denser towards a cycle. UINT64_MAX restores the usual interval. */
void snapshots_near(struct history *h,
		    uint64_t cycle);
/* Drops the snapshots of least use until the rest fit the memory limit and the density for their age. */
void snapshots_thin(struct history *h);

/* An observer of the machine's clocks during a replay, in place of the machine's own. */
struct replay_observer {
	struct timing_observer hooks;
	void (*begin)(void *self, struct timing *t); /* called with hooks.self before the replay's first cycle. May be NULL */
};

/* ---- replay.c: through what has been, from where the machine stands ---- */
enum replay_end { REPLAY_LIMIT, REPLAY_GOAL, REPLAY_FAILED, REPLAY_INTERRUPTED };
struct replay {
	const struct history_position *to; /* not further than this; NULL: the present */
	uint64_t cycle;			   /* goal: the beginning of this cycle; UINT64_MAX: none */
	bool has_warp;			   /* goal: the thread's warp has executed so many instructions, and continues */
	struct debug_thread warp;
	uint64_t executed;
	/* With the warp: called where the goal is reached. It sets the next goal, or returns false: that was the last. NULL: there is one goal. */
	bool (*again)(void *self, uint64_t *executed);
	/* With the warp: called in front of its instructions that have a mark. False: no further, as at the goal. NULL: no marks. */
	bool (*at_mark)(void *self);
	const uint8_t *marks; /* a byte for each instruction */
	/* Functional mode: called there instead of at_mark, in the middle of exec's run. NULL: at_mark is. */
	bool (*on_mark)(void *self, const struct exec *x);
	/* Called in front of every instruction of every warp (gpu_request.look). NULL: not called. If there are `marks`, functional mode calls it only in front
	 * of instructions that have a mark. */
	void (*look)(void *self, const struct exec_cta *cta, const struct exec_warp *warp, uint32_t pc, uint64_t executed);
	void *self;
	const struct replay_observer *machine; /* performance mode: of the machine's clocks; or NULL */
	const struct exec_watcher *watcher; /* of effects; where it stops the machine, the run continues. Or NULL */
	uint64_t
		issued; /* goal, in performance mode: right after the instruction with which so many have issued; 0: none */
};
/* Runs the machine again from where it stands, with inputs at their moments. Returns why it ended: at the limit or goal, by failure, or interrupted.
 * */
enum replay_end replay(struct history *h, const struct replay *r);
/* Executes the journal's next input, which must exist. Returns false if the result differs from the recorded one. */
bool replay_input(struct history *h);
/* Stores the number of instructions that the thread's warp has executed. Returns false, storing 0, if the block isn't resident. *over: the warp has
 * exited, or its block has finished. */
bool warp_executed(struct history *h, const struct debug_thread *t, uint64_t *executed, bool *over);

/* ---- history.c ---- */
/* Ends the past if the machine has reached the present: output is no longer suppressed. Does nothing otherwise. */
void history_settle(struct history *h);
/* Prepares for moving the machine to another position. If the machine is at the present, records the present, keeps the snapshots that lead there, and
 * suppresses output. */
void history_leave(struct history *h);
/* Updates what the debugger knows, and the focus, after the machine has moved to another position. */
void history_arrived(struct history *h);
/* Records what the debugger knows of the machine after the latest input. Does nothing in the past. */
void history_note_knowledge(struct history *h);
/* Restores what the debugger knew at the position where the machine stands. */
void history_recall(struct history *h);
/* Returns true if a live program has seen results of anything that came after the position. */
bool history_knows_more(const struct history *h, const struct history_position *p);
/* Starts keeping inputs if they aren't kept, and makes a snapshot to begin with. */
void history_begin_for_checkpoint(struct history *h);

/* ---- back.c ---- */
/* Adds the reason that the recorded path doesn't lead to the position, and returns false. */
bool history_lost(struct text *why);
/* Goes to the first position and fills the stop of a reverse step that reached the beginning. Returns false if the machine can't go there. */
bool history_at_beginning(struct history *h, struct debug_stop *stop, struct text *why);
/* Fills the stop of an interrupted reverse step. Always returns true. */
bool history_interrupted(struct history *h, struct debug_stop *stop);
/* Discards recorded inputs after where the machine stands. Undo steps and checkpoints behind that position keep their inputs. */
void history_discard(struct history *h);
/* Releases what an undo step owns. */
void undo_free(struct undo *u);
/* Adds an undo step; if there are too many, drops the older half. */
void undo_push(struct history *h, const struct undo *u);
/* Drops all redo steps. */
void redo_forget(struct history *h);
/* Replaces the journal's inputs by `entry`, at->input of them, and the present by position `at`, going back to the last snapshot that both ways
 * share. Returns false if there is no such snapshot. */
bool history_take_way(struct history *h, struct journal_entry *const *entry, const struct history_position *at);
/* Goes back to where the thread's warp has executed `executed` instructions. Returns how the replay ended. */
enum replay_end history_go_to_executed(struct history *h, const struct debug_thread *t, uint64_t executed);
/* Stores where the focused thread is, for steps back by a thread. Returns false with the reason if there is no thread in focus. */
bool history_need_thread(struct history *h, struct debug_where *w, struct text *why);
/* Stores the thread's place as a step of its trail. Returns false if the thread stands in front of its first instruction. */
bool history_here(struct history *h, const struct debug_where *w, struct debug_trail *here);
/* A thread's instructions between a snapshot and where the way back begins. */
struct trail {
	struct debug_trail *step;
	size_t n, cap;
	bool whole; /* there is none in front of it */
};
/* A function that selects one of the trail's first n steps and returns its index, or l->n if none is meant. */
typedef size_t find_step(struct history *h, const struct trail *l, size_t n, const void *what);
/* Replays stretches of the thread's way, the latest first, until `find` selects an instruction. *found: one was selected, and *executed is its
 * number. Returns how the last replay ended. */
enum replay_end history_find_executed(struct history *h, const struct debug_thread *t, find_step *find,
				      const void *what, bool *found, uint64_t *executed);
/* Goes in front of the instruction that `find` selects, or of the thread's first one. Returns false if the machine can't be run there. */
bool history_go_found(struct history *h, const struct debug_thread *t, find_step *find, const void *what,
		      struct debug_stop *stop, struct text *why);

/* ---- back.c: steps that do not look at watchpoints (steps.c adds that) ---- */
/* Goes back n instructions of the focused warp, unless an earlier stop lies between. Returns false, with an error in `why`, if that fails. */
bool back_stepi(struct history *h, uint64_t n, struct debug_stop *stop, struct text *why);
/* Goes back n instructions of the focused thread, over calls. Returns false, with an error in `why`, if that fails. */
bool back_nexti(struct history *h, uint64_t n, struct debug_stop *stop, struct text *why);
/* Goes back n lines of the focused thread, over calls. Returns false, with an error in `why`, if that fails. */
bool back_next(struct history *h, uint64_t n, struct debug_stop *stop, struct text *why);
/* Goes back to the call of the selected frame's function. Returns false, with an error in `why`, if that fails. */
bool back_finish(struct history *h, struct debug_stop *stop, struct text *why);

/* ---- stops.c ---- */
/* Finds the latest stop that `continue` would have made between two positions, and goes there. If there is none, the stop's reason stays NONE.
 * Returns false if the machine can't be run again. */
bool history_stop_between(struct history *h, const struct history_position *first, const struct history_position *end,
			  struct debug_stop *stop, struct text *why);

/* Finds the latest watchpoint's stop that `continue` would have made between the position and where the machine stands, an earlier one, and goes there. If there is none,
 * the stop's reason stays NONE and the machine stands where it stood. Returns false if the machine can't be run again. */
bool history_watch_since(struct history *h, const struct history_position *end, struct debug_stop *stop, struct text *why);

/* ---- race.c ---- */
/* Finds the latest access that `what` describes: its thread, and the instructions its warp had executed before. Returns false if the access can't be
 * found. */
bool race_other(struct history *h, const struct check_access *what, struct debug_thread *t, uint64_t *executed);

#endif
