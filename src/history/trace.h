/* What a thread has executed, and who has written memory: had by running again. Nobody outside src/history includes this. */
#ifndef HISTORY_TRACE_H
#define HISTORY_TRACE_H

#include "debug/why/origin.h"
#include "history/internal.h"
#include "isa/address_map.h"

/* The machine is taken elsewhere and comes back to where it stood: nobody who looks from outside notices. */
struct history_aside {
	struct history_position at;
	const struct debug_memory *known; /* history.known then */
	uint8_t *told;			  /* findings */
	uint32_t n_told;
};
void history_aside_begin(struct history *h, struct history_aside *a);
bool history_aside_end(struct history *h, struct history_aside *a);
/* False, with the reason: interrupted, or it can't be run again. */
bool history_aside_failed(const struct history *h, struct text *why);

/* Nothing has written a register of an activation between the thread's instructions `from` and `to`; `from` has. */
struct trace_known {
	bool is_unwritten; /* nothing has at all, and there is no step */
	uint64_t frame, from, to;
	uint32_t word;
	struct debug_step step;
};
#define TRACE_KNOWN 16u

/* Traces of several threads that are looked at in turns. Where one is followed, so are the others of its warp, in the same run. */
struct trace;
struct trace_group {
	struct trace *trace;
	size_t n;
	bool may_follow;  /* once more */
	bool is_waiting; /* one would have had to be followed: that counts as failed */
};

/* Instructions of a thread's warp, in the order they were executed, up to a number (exclusive). */
struct trace {
	struct debug_thread thread;
	uint64_t end;
	struct debug_step *step;
	size_t n, cap;
	bool cut; /* so many that the first ones are gone */
	bool has_ahead;
	struct debug_step ahead; /* what it is in front of then */
	struct trace_known known[TRACE_KNOWN]; /* of registers that were written further back */
	uint32_t n_known;		       /* ever: the latest are there */
	struct trace_group *group;	       /* NULL: it is alone */
	bool is_wanted;			       /* in the group: it has waited to be followed up to: */
	uint64_t wanted_to;
};
#define TRACE_WINDOW UINT64_C(512) /* what is looked at first */
#define TRACE_AROUND UINT64_C(64)  /* in front of a write that was found otherwise */
/* From instruction number `first` on, or a later one where there are too many. `limit`: it isn't run further. False: interrupted, or it can't be run
 * again. */
bool trace_follow(struct history *h, const struct debug_thread *t, uint64_t first, uint64_t end,
		  const struct history_position *limit, struct trace *out);
/* The same with others of the thread's warp. */
struct trace_others {
	struct trace *trace[LANES];
	size_t n;
};
bool trace_follow_all(struct history *h, const struct debug_thread *t, uint64_t first, uint64_t end,
		      const struct history_position *limit, struct trace *out, const struct trace_others *others);
/* Of one that is cut: the same with what was before, sixteen times as much. False: that isn't kept; *failed: as above. */
bool trace_lengthen(struct history *h, struct trace *t, const struct history_position *limit, bool *failed);
/* Takes the machine to where the thread's warp has executed so many. False: it can't be run again to there. */
bool trace_go(struct history *h, const struct debug_thread *t, uint64_t executed, const struct history_position *limit);
/* The same, and on to where it goes on behind the next one; from where the machine is taken to, of which `begin` is told, the observer looks. */
bool trace_look(struct history *h, const struct debug_thread *t, uint64_t executed,
		const struct history_position *limit, void (*begin)(void *self), const struct exec_observer *o);
/* How many were executed in front of a number. */
size_t trace_steps_before(const struct trace *t, uint64_t executed);
/* Its last one of this instruction up to that number. */
const struct debug_step *trace_find(const struct trace *t, uint64_t executed, uint32_t pc);

/* Of one thread alone. */
static inline bool trace_is_local(uint64_t generic)
{
	return generic >= ISA_LOCAL_WINDOW && generic < ISA_PARAM_WINDOW;
}

/* ---- calls.c ---- */
/* In front of a number, in an activation. */
struct trace_point {
	uint64_t executed, frame;
	uint32_t depth;
};
enum trace_how { TRACE_NONE, TRACE_WRITTEN, TRACE_PASSED, TRACE_RETURNED };
struct trace_source {
	enum trace_how how;
	const struct debug_step *step; /* that wrote it; the call */
	/* PASSED: the argument at the call; RETURNED: what the function returned, at its return */
	struct trace_point at;
	struct debug_argument arg;
	uint32_t pc;	  /* an instruction of the function there */
	uint64_t generic; /* of an argument in memory */
};
/* Where a register of an activation had its value from: what the thread itself has written last, or its function's parameter. */
bool trace_source(struct history *h, const struct trace *t, const struct trace_point *p, uint32_t word,
		  struct trace_source *out);
/* The same, with what isn't in the trace found by running again: the trace becomes another one, or knows more. Of a trace {0} the thread is
 * looked at first. Returns false if nothing is known to have written the register, or *failed: interrupted, or it can't be run again. */
bool trace_source_of(struct history *h, struct trace *t, const struct debug_thread *thread, const struct trace_point *p,
		     uint32_t word, const struct history_position *limit, struct trace_source *out, bool *failed);
/* The same for its value, through calls. */
bool trace_value_of(struct history *h, struct trace *t, const struct debug_thread *thread, const struct trace_point *p,
		    uint32_t word, const struct history_position *limit, uint64_t *v, bool *failed);
/* Makes sure that the trace has what the thread has executed in front of a number. False: interrupted, or it can't be run again. */
bool trace_reach(struct history *h, struct trace *t, const struct debug_thread *thread, uint64_t executed,
		 const struct history_position *limit);
/* Returns what is known of the register there, or NULL. */
const struct trace_known *trace_known_of(const struct trace *t, const struct trace_point *p, uint32_t word);
/* Returns the value that a step has given a register. False: it isn't known. */
bool trace_step_value(struct history *h, const struct debug_step *s, uint32_t word, uint64_t *v);
/* The last argument or return value that was copied over these bytes of local memory, and in front of which number. */
bool trace_copied(struct history *h, const struct trace *t, uint64_t executed, uint64_t generic, uint64_t n,
		  struct trace_source *out);
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
/* Finds the last write to a register of an activation in front of a point. `pc`: an instruction of that activation's function. Returns false
 * if the look was interrupted, or if what was can't be run again. */
bool register_write_before(struct history *h, const struct debug_thread *t, const struct trace_point *p,
			   const struct debug_operand *r, uint32_t pc, const struct history_position *limit,
			   struct register_write *out);

/* Bytes of memory; of shared memory a block's, of local memory a thread's. */
struct where_bytes {
	uint64_t generic, n;
	struct debug_thread thread;
};
/* A write to some of them. */
struct write {
	bool by_host;
	size_t input;	   /* by_host: the journal's */
	bool before_begun; /* none was found, but kernels ran before what is recorded */
	bool certain;	   /* `after` is what it made: no other lane of the instruction wrote there after it */
	struct debug_thread thread;
	uint32_t pc;
	uint64_t executed, cycle, address, size; /* executed: by its warp before, or one more */
	unsigned char before[8], after[8];	 /* of the bytes, as many as fit; by all lanes of the instruction */
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
	struct write last;
	bool is_found;
	/* used by find_writes: */
	bool is_over;
	unsigned char now[8];
};
/* Finds the last write to each of n places, at most SOUGHT_MAX, in common runs. Returns false as above. */
bool find_writes(struct history *h, struct sought *s, size_t n, const struct until *u);
/* Finds the last write to one place; *found: there is one. Returns false as above. */
bool find_write(struct history *h, const struct where_bytes *b, const struct until *u, struct write *out, bool *found);

/* ---- seen_floats.c ---- */
struct seen_float {
	uint64_t generic;
	enum isa_type type;
};
/* What kernels have loaded or stored as a float that wasn't finite, up to `limit`, the first 65536 places. The caller frees it. */
bool seen_floats(struct history *h, const struct history_position *limit, struct seen_float **out, size_t *n);

/* ---- host_input.c: what the host has written ---- */
/* The input writes to device memory: where, generic. */
bool input_writes(const struct history *h, const struct gpu_input *in, uint64_t *generic);
/* `buffer C`, `buffer alloc_1: copied by main at app.cu:12`; nothing if nothing is known */
void input_text(struct history *h, const struct write *w, uint64_t generic, struct text *out);
/* It copied from the device: from there, up to *until. */
bool input_source(const struct history *h, const struct write *w, uint64_t generic, uint64_t *from,
		  struct history_position *until);
/* Behind `since recording began`: why it began then, as far as that is known. */
void input_missing_text(const struct history *h, struct text *out);

#endif
