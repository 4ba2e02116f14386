/* A thread's executed instructions and the writes to memory, found by replay. Private to src/history. */
#ifndef HISTORY_TRACE_H
#define HISTORY_TRACE_H

#include "debug/step/step.h"
#include "history/internal.h"
#include "isa/address_map.h"

/* The machine's place before a look at the past, to which the machine returns unnoticed by other parts of the program. */
struct history_aside {
	struct history_position at;
	const struct debug_memory *known; /* history.known then */
	uint8_t *told;			  /* findings */
	uint32_t n_told;
};
/* Records where the machine stands, before the machine is moved for a look at the past. history_aside_end must follow. */
void history_aside_begin(struct history *h, struct history_aside *a);
/* Returns the machine to where history_aside_begin found it, and restores what the debugger knew and which findings were reported. Returns false if
 * the machine can't be run there again. */
bool history_aside_end(struct history *h, struct history_aside *a);
/* Adds the reason that a look failed: interrupted, or the recorded path can't be run again. Always returns false. */
bool history_aside_failed(const struct history *h, struct text *why);

/* A known last write: `from` has written a register of an activation, and no instruction between `from` and `to` has. */
struct trace_known {
	bool is_unwritten; /* nothing has at all, and there is no step */
	uint64_t frame, from, to;
	uint32_t word;
	struct debug_step step;
};
#define TRACE_KNOWN 16u

/* Traces of several threads that are searched in turns. A run that follows one thread also follows the group's other threads of the warp. */
struct trace;
struct trace_group {
	struct trace *trace;
	size_t n;
	bool may_follow;  /* one more trace may be followed */
	bool is_waiting; /* a trace had to be followed but was not, which counts as failed */
};

/* Instructions of a thread's warp, in the order they were executed, up to a number (exclusive). */
struct trace {
	struct debug_thread thread;
	uint64_t end;
	struct debug_step *step;
	size_t n, cap;
	bool cut; /* the first steps were dropped, or not traced */
	bool has_ahead;
	struct debug_step ahead; /* what it is in front of then */
	struct trace_known known[TRACE_KNOWN]; /* of registers that were written further back */
	uint32_t n_known;		       /* ever: the latest are there */
	struct debug_step shown;	       /* that a window has answered with last */
	struct trace_group *group;	       /* NULL: it is alone */
	bool is_wanted;			       /* in the group: it has waited to be followed up to: */
	uint64_t wanted_to;
};
#define TRACE_WINDOW UINT64_C(512) /* what is looked at first */
#define TRACE_AROUND UINT64_C(64)  /* in front of a write that was found otherwise */
/* Traces the thread's instructions from number `first`, or a later one if there are too many, up to `end` or the position `limit`. Returns false if
 * the run was interrupted or failed. */
bool trace_follow(struct history *h, const struct debug_thread *t, uint64_t first, uint64_t end,
		  const struct history_position *limit, struct trace *out);
/* Traces of other threads of a thread's warp. */
struct trace_others {
	struct trace *trace[LANES];
	size_t n;
};
/* Traces the thread's instructions into `out`, from number `first` up to `end` or the position `limit`, and in the same run those of other threads of
 * its warp (`others`, may be NULL). Returns false if the run was interrupted or failed. */
bool trace_follow_all(struct history *h, const struct debug_thread *t, uint64_t first, uint64_t end,
		      const struct history_position *limit, struct trace *out, const struct trace_others *others);
/* Extends a cut trace to sixteen times its length towards the beginning. Returns false if the trace isn't cut or has its greatest length, or if the
 * run failed (*failed). */
bool trace_lengthen(struct history *h, struct trace *t, const struct history_position *limit, bool *failed);
/* Moves the machine to the last snapshot, not behind `from`, at which the thread's warp hasn't executed more than `most` instructions. A block that
 * hasn't begun counts. If there is none, moves it to the first snapshot. Returns false if the arena can't go back there or there are no snapshots. */
bool trace_go_in_front(struct history *h, const struct debug_thread *t, uint64_t most,
		       const struct history_position *from);
/* Moves the machine to where the thread's warp has executed `executed` instructions, not behind `limit`. Returns false if the machine can't be run
 * there again. */
bool trace_go(struct history *h, const struct debug_thread *t, uint64_t executed, const struct history_position *limit);
/* Runs the machine, with a watcher, to behind the thread's instruction number `executed`. `begin` is called, with w->self, where the run starts.
 * Returns false if the run was interrupted or failed. */
bool trace_look(struct history *h, const struct debug_thread *t, uint64_t executed,
		const struct history_position *limit, void (*begin)(void *self), const struct exec_watcher *w);
/* Returns how many steps of the trace have a number below `executed`. */
size_t trace_steps_before(const struct trace *t, uint64_t executed);
/* Returns the trace's last step that executes the instruction at `pc` and has a number up to `executed`, inclusive. Returns NULL if there is none. */
const struct debug_step *trace_find(const struct trace *t, uint64_t executed, uint32_t pc);

/* Returns true if a generic address is of local memory, which belongs to one thread. */
static inline bool trace_is_local(uint64_t generic)
{
	return generic >= ISA_LOCAL_WINDOW && generic < ISA_PARAM_WINDOW;
}

/* ---- calls.c ---- */
/* A point of a thread: in front of instruction number `executed`, in an activation. */
struct trace_point {
	uint64_t executed, frame;
	uint32_t depth;
};
enum trace_how { TRACE_NONE, TRACE_WRITTEN, TRACE_PASSED, TRACE_RETURNED, TRACE_BUILTIN /* returned by a library function without a body */ };
struct trace_source {
	enum trace_how how;
	const struct debug_step *step; /* that wrote it; the call */
	/* PASSED: the argument at the call; RETURNED: what the function returned, at its return */
	struct trace_point at;
	struct debug_argument arg;
	uint32_t pc;	  /* an instruction of the function there */
	uint64_t generic; /* of an argument in memory */
};
/* Finds where a register of an activation had its value from: the thread's last write in the trace, or the function's parameter. Returns false, with
 * out->how TRACE_NONE, if the trace has neither. */
bool trace_source(struct history *h, const struct trace *t, const struct trace_point *p, uint32_t word,
		  struct trace_source *out);
/* Finds where a register had its value from, extending or replacing the trace by replay where needed. A trace {0} is filled first. Returns false if
 * no write is known, or the replay was interrupted or failed (*failed). */
bool trace_source_of(struct history *h, struct trace *t, const struct debug_thread *thread, const struct trace_point *p,
		     uint32_t word, const struct history_position *limit, struct trace_source *out, bool *failed);
/* Finds a register's value by following its source through calls. Returns false if the value isn't known, or the replay was interrupted or failed
 * (*failed). */
bool trace_value_of(struct history *h, struct trace *t, const struct debug_thread *thread, const struct trace_point *p,
		    uint32_t word, const struct history_position *limit, uint64_t *v, bool *failed);
/* Makes sure that the trace has the thread's instructions just in front of number `executed`. Returns false if the replay was interrupted or failed.
 * */
bool trace_reach(struct history *h, struct trace *t, const struct debug_thread *thread, uint64_t executed,
		 const struct history_position *limit);
/* Returns true if the trace's group lets no further trace be followed up to `end` now, and records that the trace waits. Returns false for a trace
 * without a group. */
bool trace_waits(struct trace *t, uint64_t end);
/* Finds the last step of the thread that executes the instruction at `pc`, up to number `executed`. Follows the thread by replay if the trace doesn't
 * show that. Returns false if there is none, or the replay was interrupted or failed. */
bool trace_step_of(struct history *h, struct trace *t, const struct debug_thread *thread, uint64_t executed, uint32_t pc,
		   const struct history_position *limit, struct debug_step *out);
/* Returns what an earlier search found about the last write to register `word` in front of the point. Returns NULL if none found anything. */
const struct trace_known *trace_known_of(const struct trace *t, const struct trace_point *p, uint32_t word);
/* Returns true, with the low 8 bytes in *v, if the value that a step has given register `word` is known. Returns false, with *v 0, if not or the step
 * doesn't write that register. */
bool trace_step_value(struct history *h, const struct debug_step *s, uint32_t word, uint64_t *v);
/* Finds the last argument or return value that a call copied over `n` bytes of local memory, in front of number `executed`. Returns false if there is
 * none. */
bool trace_copied(struct history *h, const struct trace *t, uint64_t executed, uint64_t generic, uint64_t n,
		  struct trace_source *out);
/* Returns the number of the instruction at which an argument or return value was copied. */
uint64_t trace_copied_when(const struct trace_source *s);

/* ---- register_write.c ---- */
enum register_write_how {
	REGISTER_UNWRITTEN, /* nothing has written it since the activation began */
	REGISTER_WRITTEN,
	REGISTER_CALLED /* by a call, or as a parameter: only the thread's way says more */
};
struct register_write {
	enum register_write_how how;
	struct debug_step step;	    /* the instruction, in front of it */
	struct history_position at; /* there */
	uint64_t before;	    /* what the register held there */
};
/* Finds the last write to a register of an activation in front of a point. `pc`: an instruction of that activation's function. Returns false if the
 * replay was interrupted or failed. */
bool register_write_before(struct history *h, const struct debug_thread *t, const struct trace_point *p,
			   const struct debug_operand *r, uint32_t pc, const struct history_position *limit,
			   struct register_write *out);

/* Bytes of memory; of shared memory a block's, of local memory a thread's. */
struct where_bytes {
	uint64_t generic, n;
	struct debug_thread thread;
};
/* Returns the lanes that may touch the bytes *b in an access given in halves (exec_access.in_halves). `start`: addresses of lanes 0 and 16; `step`:
 * bytes from lane to lane; 0 counts all lanes. */
uint32_t where_lanes(const uint64_t start[2], uint32_t step, uint32_t size, const struct where_bytes *b);
/* A write to some of them. */
#define WRITE_CALLERS 4u
struct write {
	bool by_host;
	size_t input;	   /* by_host: the journal's */
	bool before_begun; /* none was found, but kernels ran before what is recorded */
	bool certain;	   /* `after` is what it made: no other lane of the instruction wrote there after it */
	struct debug_thread thread;
	uint32_t pc;
	uint64_t executed, cycle, address, size; /* executed: by its warp before, or one more */
	unsigned char before[8], after[8];	 /* of the bytes, as many as fit; by all lanes of the instruction */
	uint32_t callers[WRITE_CALLERS]; /* 1 + indices of the call instructions around `pc`, the innermost first; 0: no more are known */
};
/* Until when: the thread is in front of its instruction number `executed` (`past`: after it, but what that one writes doesn't count, nor what follows);
 * or (thread NULL) to the limit. */
struct until {
	const struct debug_thread *thread;
	uint64_t executed;
	bool past;
	uint32_t pc; /* past: of the instruction */
	const struct history_position *limit;
};
#define SOUGHT_MAX 8u
/* A place whose last write is sought. */
struct sought {
	struct where_bytes b;
	bool only_changes; /* a write that left the value as it was doesn't count, and of an instruction's lanes the first does */
	struct write last;
	bool is_found;
	/* used by find_writes: */
	bool is_over;
	unsigned char now[8];
};
/* Finds the last write to each of n places, at most SOUGHT_MAX, in common runs. Returns false if the replay was interrupted or failed. */
bool find_writes(struct history *h, struct sought *s, size_t n, const struct until *u);
/* Finds the last write to one place; *found: there is one. Returns false if the replay was interrupted or failed. */
bool find_write(struct history *h, const struct where_bytes *b, const struct until *u, struct write *out, bool *found);

/* ---- float_words.c ---- */
/* Stores for each instruction a float type, or ISA_NOTYPE: the type of what an instruction with an untyped operation (.b32) loads, stores or
 * exchanges. The caller frees *out. Returns true if an instruction has such a type. */
bool float_words(struct history *h, uint8_t **out);

/* ---- seen_floats.c ---- */
struct seen_float {
	uint64_t generic;
	enum isa_type type;
};
/* Lists the places that kernels have loaded or stored as a float that wasn't finite, up to `limit`: the first 65536 places. The caller frees *out in
 * either case. Returns false, with *n 0, if the replay failed. */
bool seen_floats(struct history *h, const struct history_position *limit, struct seen_float **out, size_t *n);

/* ---- host_input.c: what the host has written ---- */
/* Returns true if the input writes to device or constant memory, with the generic address in *generic. Inputs that only allocate or fill from the
 * device don't count. */
bool input_writes(const struct history *h, const struct gpu_input *in, uint64_t *generic);
/* Adds the owner of an address and the host call that wrote there, such as `alloc_1: copied by main at app.cu:12`. Adds only what is known. */
void input_text(struct history *h, const struct write *w, uint64_t generic, struct text *out);
/* Returns true if the host's write *w is a module's load, which gives the module's variables their initial values. */
bool input_loads(const struct history *h, const struct write *w);
/* Returns true if the host's write *w copied from the device to `generic`. *from is then the source address, *until the position of the copy. */
bool input_source(const struct history *h, const struct write *w, uint64_t generic, uint64_t *from,
		  struct history_position *until);
/* Appends `. ` and the reason that recording began where it did. Appends nothing if recording began where it was switched on. */
void input_missing_text(const struct history *h, struct text *out);

#endif
