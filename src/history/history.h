/* The past of a debugged machine: what it takes to stand again where it stood, and how to get there.
 *
 * Three things are kept: the inputs, in a journal (journal.h); snapshots, marks of the whole arena (base/arena_marks.h); and the moment of the present.
 * The way between two inputs follows from the machine's state: so any position is reached by going back to the last snapshot in front of it
 * and running again from there. Snapshots cost time and memory, positions nothing. The further back, the fewer snapshots there are; on a way
 * back new ones are set near the place that is reached.
 *
 * While the machine stands before the present, whoever runs it on runs it through what has been: inputs come again at their moments, nothing is
 * printed, a program isn't asked. An input from outside is then a new one: what came after is no more. */
#ifndef HISTORY_HISTORY_H
#define HISTORY_HISTORY_H

#include "debug/debug.h"
#include "gpu/input.h"
#include "gpu/moment.h"
#include "history/journal.h"

struct history;

struct history *history_create(struct debug *d,
			       const volatile sig_atomic_t *interrupt); /* nonzero: stop soon; may be NULL */
void history_free(struct history *h);

/* ---- recording ---- */

void history_record(struct history *h, bool on); /* off: what was recorded is forgotten */
bool history_is_recorded(const struct history *h);
void history_set_memory(struct history *h, uint64_t bytes); /* of snapshots */
uint64_t history_memory(const struct history *h);
/* For tests: a snapshot after so many nanoseconds of work (estimated), however much that costs. */
void history_set_interval(struct history *h, uint64_t nanoseconds);

/* The door: what comes from outside (gpu/input.h). As gpu_input. */
int64_t history_input(struct history *h, const struct gpu_input *in, struct text *why);
/* Inputs are kept, though no snapshots are made. */
void history_keep_journal(struct history *h);
const struct journal *history_journal(const struct history *h); /* NULL: it isn't kept */
/* The program has been told something of the machine as it is now: what it knows can't be taken back. */
void history_told(struct history *h);
/* What was before now can't be had any more; `why`: a sentence for whoever wants to go there. */
void history_begin_here(struct history *h, const char *why);
/* The machine has become another one, at a place that nothing leads to: if anything is recorded, it begins here. */
void history_begin_restored(struct history *h);

/* A command of a user's begins, is over: what `undo` takes back. They may be nested: the inner ones count. `line` may be NULL. */
void history_command(struct history *h, const char *line);
void history_command_over(struct history *h);

/* ---- positions ---- */

/* So many inputs have been done, and the machine stands there. */
struct history_position {
	size_t input;
	struct gpu_moment at;
};

void history_now(const struct history *h, struct history_position *out);
/* Below 0: a is earlier than b. */
int history_compare(const struct history_position *a, const struct history_position *b);
/* Does the machine stand before the present? */
bool history_is_past(const struct history *h);
/* The present; without a past, where it stands. */
void history_present(const struct history *h, struct history_position *out);
/* How far steps back go: just after the first launch. False: nothing has been recorded. */
bool history_first(const struct history *h, struct history_position *out);

/* Goes there. False: what was recorded doesn't lead there. The focus stays where it can (history_arrived does the rest). */
bool history_go(struct history *h, const struct history_position *to);

/* ---- looking at what was ---- */

/* Has the machine run again from one position to another while `o` looks (its kinds, before and after; what `before` says stops nothing); then
 * it stands again where it stood. */
bool history_observe(struct history *h, const struct history_position *from, const struct history_position *to,
		     const struct exec_observer *o);
/* The same from here back to the first launch, one stretch after the other, the latest first: `begin` is called before each, `end` after, and
 * with a false from `end` that is enough. Within a stretch time goes forwards. */
struct history_look {
	const struct exec_observer *observer;
	void *self;
	void (*begin)(void *self, const struct history_position *from,
		      const struct history_position *to); /* may be NULL */
	bool (*end)(void *self);
};
bool history_look_back(struct history *h, const struct history_look *look);

/* ---- commands: as debug_run_fn ---- */

typedef bool history_run_fn(struct history *h, const char *args, struct debug_stop *stop, struct text *why);
history_run_fn history_cmd_reverse_step;     /* [N] cycles */
history_run_fn history_cmd_reverse_stepi;    /* [N] instructions of the focused warp */
history_run_fn history_thread_back;	     /* the same, and on to one that the focused thread took part in */
history_run_fn history_cmd_reverse_nexti;    /* the same, over calls */
history_run_fn history_cmd_reverse_next;     /* [N] source lines of the focused thread, over calls */
history_run_fn history_cmd_reverse_finish;   /* to the call of the selected frame */
history_run_fn history_cmd_reverse_until;    /* [LOC]: in this activation; to its beginning */
history_run_fn history_cmd_reverse_advance;  /* LOC */
history_run_fn history_cmd_reverse_continue; /* [N] to where `c` would have stopped */
history_run_fn history_cmd_goto_cycle;	     /* N, backwards or forwards */
history_run_fn history_cmd_undo;	     /* [N] */
history_run_fn history_cmd_restart;	     /* N|NAME: to a checkpoint */

/* A command of the past that answers, as debug_answer_fn. */
typedef bool history_answer_fn(struct history *h, const char *args, struct report *answer, struct text *why);
history_answer_fn history_cmd_checkpoint;	       /* [NAME] */
history_answer_fn history_cmd_delete_checkpoint; /* [N]... */
history_answer_fn history_info_checkpoints;
history_answer_fn history_cmd_who_wrote;	 /* LVALUE */
history_answer_fn history_cmd_find_nan;	 /* [EXPR | BUFFER] */
history_answer_fn history_cmd_diff_launch; /* A B: numbers of launches */
history_answer_fn history_cmd_why;	 /* EXPR [DEPTH]: where its value comes from; else as debug_cmd_why */

#endif
