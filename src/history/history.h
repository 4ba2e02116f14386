/* The past of a debugged machine: the records needed to return to an earlier position, and the way there.
 *
 * Three things are kept: the inputs, in a journal (journal.h); snapshots, marks of the whole arena (base/arena_marks.h); and the moment of the present.
 * The way between two inputs follows from the machine's state: so any position is reached by going back to the last snapshot in front of it
 * and running again from there. Snapshots cost time and memory, positions nothing. The further back, the fewer snapshots there are; on a way
 * back new ones are set near the place that is reached.
 *
 * While the machine stands before the present, running it repeats what has been: inputs are executed again at their moments, nothing is printed, and no
 * program is asked. A new input from outside then discards everything recorded after it. */
#ifndef HISTORY_HISTORY_H
#define HISTORY_HISTORY_H

#include "debug/debug.h"
#include "debug/view/source.h"
#include "gpu/input.h"
#include "gpu/moment.h"
#include "history/journal.h"

struct history;
struct record_reader;

/* Creates the history of a debugger, with recording off, and attaches the history to the debugger. `interrupt`: a flag that stops long runs when
 * nonzero; may be NULL. */
struct history *history_create(struct debug *d,
			       const volatile sig_atomic_t *interrupt);
/* Detaches and releases a history. Does nothing for NULL. */
void history_free(struct history *h);

/* Returns the debugger of a history. */
struct debug *history_debug(const struct history *h);

/* ---- recording ---- */

/* Switches recording on or off. If recording is switched off, everything recorded is dropped. */
void history_record(struct history *h, bool on);
/* Returns true if recording is on. */
bool history_is_recorded(const struct history *h);
/* Sets the bytes that snapshots may use beside machine_limits.saved, and drops snapshots that no longer fit. */
void history_set_memory(struct history *h, uint64_t bytes);
/* Returns the bytes that snapshots may use. */
uint64_t history_memory(const struct history *h);
/* Sets a fixed interval between snapshots, in nanoseconds of estimated work, whatever the cost; for tests. 0 restores the computed interval. */
void history_set_interval(struct history *h, uint64_t nanoseconds);

/* Executes an input (gpu/input.h) and, if inputs are kept, records it. In the past first discards what came after. Returns the result of gpu_input. If
 * the program has seen what came after, returns -1 for a launch, else 0, with the reason in `why`. */
int64_t history_input(struct history *h, const struct gpu_input *in, struct text *why);
/* Keeps what leads to the beginnings of launches while recording is off, so that a launch can be run again aside (again.h). Going back stays refused. What
 * no longer fits history_memory is dropped. */
void history_keep_beginnings(struct history *h, bool on);
/* Records inputs from now on, without snapshots. */
void history_keep_journal(struct history *h);
/* Returns the journal, owned by the history. Returns NULL if inputs aren't kept. */
const struct journal *history_journal(const struct history *h);
/* Marks the present as seen by the program, so that no later input may change what lies before. Does nothing in the past or if inputs aren't kept. */
void history_told(struct history *h);
/* Drops everything recorded and starts recording again at the present position; does nothing if nothing is recorded. `why`: a static sentence shown
 * at the beginning of the history. */
void history_begin_here(struct history *h, const char *why);
/* Starts the history here, if recording is on, after a checkpoint file has replaced the machine's state. */
void history_begin_restored(struct history *h);

/* Marks the beginning of a user's command, which `undo` can take back. Commands may be nested; the inner ones count. `line` may be NULL. */
void history_command(struct history *h, const char *line);
/* Marks the end of the innermost command. A command that moved the machine or made inputs becomes a step of `undo`, and steps of `redo` are dropped.
 * Commands that `undo` itself or lost records concern become none. */
void history_command_over(struct history *h);

/* ---- positions ---- */

/* A position: the number of inputs executed, and the machine's moment. */
struct history_position {
	size_t input;
	struct gpu_moment at;
};

/* Stores the position at which the machine stands. */
void history_now(const struct history *h, struct history_position *out);
/* Compares two positions. Returns a value below 0 if `a` is earlier than `b`, 0 if they are equal. */
int history_compare(const struct history_position *a, const struct history_position *b);
/* Returns true if the machine stands before the present. */
bool history_is_past(const struct history *h);
/* Stores the position of the present. Without a past that is where the machine stands. */
void history_present(const struct history *h, struct history_position *out);
/* Stores the position at which steps back end: just after the first launch, or the oldest snapshot. Returns false if recording is off or there is no
 * snapshot. */
bool history_first(const struct history *h, struct history_position *out);

/* Moves the machine to a position, backwards or forwards. Returns false if the recorded path doesn't lead there or the run was interrupted; the
 * machine may then stand elsewhere. */
bool history_go(struct history *h, const struct history_position *to);

/* ---- looking at the past ---- */

/* A watcher of history_look_back, with functions called before (`begin`) and after (`end`) each stretch. The search stops if `end` returns false. Within a
 * stretch time goes forwards. */
struct history_look {
	const struct exec_watcher *watcher;
	void *self;
	void (*begin)(void *self, const struct history_position *from,
		      const struct history_position *to); /* may be NULL */
	bool (*end)(void *self);
};
/* Runs the stretches between snapshots again, from here back to the first launch, the latest first, then returns to where the machine stood. Returns
 * false if nothing is recorded or a run failed; true also if look->end ended the search. */
bool history_look_back(struct history *h, const struct history_look *look);

/* ---- a history in a file ---- */

/* Goes to the earliest recorded position from which running on leads here with inputs that a file can have, within about `work` nanoseconds of the host's time; calls
 * `visit` there, then returns. Returns false without a call if there is no such position before this one; else what `visit` returned, or false if the
 * machine can't go there or back. */
bool history_visit_beginning(struct history *h, uint64_t work, bool (*visit)(void *self), void *self);
/* Appends to `out` the number of inputs from where the machine stands to the present, and the inputs with their moments and results. */
void history_inputs_record(const struct history *h, struct text *out);
/* Appends recorded inputs to the journal of a history that has just begun. Returns false if the record is malformed. */
bool history_inputs_take(struct history *h, struct record_reader *r);
/* Runs the machine on, silently, from the history's beginning, where it stands, to *present, which becomes the present. Returns false if the machine
 * doesn't reach that moment or the run was interrupted; the present is then where the machine stands. */
bool history_run_on(struct history *h, const struct gpu_moment *present);

/* ---- going back ---- */

/* Returns true if something was recorded, so that the machine can go back. Returns false, with the reason in `why`, otherwise. */
bool history_can_go_back(struct history *h, struct text *why);
/* Steps back by n cycles, to the beginning of the history if there are fewer. Returns false, with the reason in `why`, if the machine can't go back;
 * else *stop says where the machine is. */
bool history_reverse_step(struct history *h, uint64_t n, struct debug_stop *stop, struct text *why);
/* Steps back by n instructions of the focused warp. Returns false, with the reason in `why`, if the machine can't go back; else *stop says where the
 * machine is. */
bool history_reverse_stepi(struct history *h, uint64_t n, struct debug_stop *stop, struct text *why);
/* Steps back by n instructions of the focused warp, then further to an instruction in which the focused thread takes part. Returns false, with the
 * reason in `why`, if the machine can't go back; else *stop says where the machine is. */
bool history_thread_back(struct history *h, uint64_t n, struct debug_stop *stop, struct text *why);
/* Steps back by n instructions of the focused thread, over calls. Returns false, with the reason in `why`, if the machine can't go back; else *stop
 * says where the machine is. */
bool history_reverse_nexti(struct history *h, uint64_t n, struct debug_stop *stop, struct text *why);
/* Steps back by n source lines of the focused thread, over calls. Returns false, with the reason in `why`, if the machine can't go back; else *stop
 * says where the machine is. */
bool history_reverse_next(struct history *h, uint64_t n, struct debug_stop *stop, struct text *why);
/* Goes back to the call of the selected frame. Returns false, with the reason in `why`, if the machine can't go back or the frame has no caller; else
 * *stop says where the machine is. */
bool history_reverse_finish(struct history *h, struct debug_stop *stop, struct text *why);
/* Goes back to a location in the current activation, or to the activation's call if that is later. If `to` is NULL, goes back to the activation's
 * beginning. Returns false, with the reason in `why`, if the machine can't go back; else *stop says where the machine is. */
bool history_reverse_until(struct history *h, const struct debug_location *to, struct debug_stop *stop, struct text *why);
/* Goes back to a location in any activation. Returns false, with the reason in `why`, if the machine can't go back; else *stop says where the machine
 * is. */
bool history_reverse_advance(struct history *h, const struct debug_location *to, struct debug_stop *stop, struct text *why);
/* Goes back to the last stop that a run forward would have made, or to the history's beginning. From a finding goes back to its origin or its race's
 * other access. With n above 1, the first breakpoint that the last stop reported ignores its next n - 1 hits. Returns false, with the reason in `why`,
 * if the machine can't go back; else *stop says where the machine is. */
bool history_reverse_continue(struct history *h, uint64_t n, struct debug_stop *stop, struct text *why);
/* Goes to the beginning of a cycle, backwards or forwards; forwards beyond the present runs on, and before the history goes to its beginning. Returns
 * false, with the reason in `why`, if the machine can't go there; else *stop says where the machine is. */
bool history_goto_cycle(struct history *h, uint64_t cycle, struct debug_stop *stop, struct text *why);
/* Takes back the last n commands, or all if there are fewer; inputs that they made are discarded. With none left says so in *stop and returns true.
 * Returns false, with the reason in `why`, if the machine can't go back or the program has seen what came after. */
bool history_undo(struct history *h, uint64_t n, struct debug_stop *stop, struct text *why);
/* Executes the last n commands that were taken back again, or all if there are fewer, with the same results. With none left says so in *stop and
 * returns true. Returns false, with the reason in `why`, if the machine can't go there; else *stop says where the machine is. */
bool history_redo(struct history *h, uint64_t n, struct debug_stop *stop, struct text *why);

/* ---- checkpoints: positions with a number and, if wanted, a name ---- */

struct history_checkpoint {
	uint32_t number;
	const char *name;  /* NULL: none */
	const char *place; /* of the thread in focus, `vecadd.ptx:33`. NULL: there was none */
	uint64_t cycle;
	bool is_here; /* the machine is at this position */
};
/* Records the current position as a checkpoint, numbered from 1, and stores its description in *out. `name` may be NULL. Returns false if there is a
 * checkpoint with that name or number. */
bool history_checkpoint(struct history *h, const char *name, struct history_checkpoint *out);
/* Deletes the checkpoint with a name or number. Returns false if there is none. */
bool history_checkpoint_delete(struct history *h, const char *name);
/* Returns the number of checkpoints. */
size_t history_checkpoints(const struct history *h);
/* Stores the description of checkpoint `k`, the oldest first, in *out; its texts are valid until the checkpoint is deleted. */
void history_checkpoint_get(const struct history *h, size_t k, struct history_checkpoint *out);
/* Goes to the checkpoint with a name or number. Returns false, with the reason in `why`, if there is none, the machine can't go there, or the program
 * has seen what came after. Else *stop says where the machine is. */
bool history_restart(struct history *h, const char *name, struct debug_stop *stop, struct text *why);

#endif
