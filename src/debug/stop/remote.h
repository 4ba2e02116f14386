/* What a face without text (the gdb stub) needs of the debugger: threads' activations, registers and memory as bytes, and
 * stop conditions that it evaluates itself. Nothing here knows any protocol. */
#ifndef DEBUG_REMOTE_H
#define DEBUG_REMOTE_H

#include "debug/stop/breakpoint.h"
#include "debug/view/focus.h"

/* One activation of a thread. */
struct debug_activation {
	const struct isa_function *function;
	uint32_t pc;	   /* its next instruction; in outer ones the call that is under way */
	uint64_t frame;	   /* offset in section FRAME */
	uint32_t local_sp; /* address of its local frame in the thread's local space */
	uint32_t depth;	   /* 0: the kernel's own */
	bool has_state;	   /* registers exist */
	bool waiting;	   /* the thread isn't placed yet: registers read as zero */
};

/* Activations, innermost first; the caller frees *out. Returns how many there are, `max` at most: of deeper stacks the inner ones. */
size_t debug_activations(struct debug *d, const struct debug_where *w, size_t max, struct debug_activation **out);

/* A register's value in the thread's lane, `width` bytes as its row has them; a predicate's is one byte, 0 or 1. */
void debug_register_read(struct debug *d, const struct debug_where *w, const struct debug_activation *a, uint32_t ref,
			 unsigned width, void *out);
void debug_register_write(struct debug *d, const struct debug_where *w, const struct debug_activation *a, uint32_t ref,
			  unsigned width, const void *in);
bool debug_predicate_read(struct debug *d, const struct debug_where *w, const struct debug_activation *a,
			  uint32_t slot);
/* All registers of an activation, of all lanes, to be looked at later: `frame_bytes` of its function. It has state. */
void debug_frame_read(struct debug *d, const struct debug_activation *a, void *out);
/* A lane's part of such bytes. */
void debug_frame_register(const void *frame, unsigned lane, uint32_t ref, unsigned width, void *out);
bool debug_frame_predicate(const void *frame, unsigned lane, uint32_t slot);
void debug_predicate_write(struct debug *d, const struct debug_where *w, const struct debug_activation *a,
			   uint32_t slot, bool v);

/* Memory at a generic address as a thread (NULL: none) sees it; all n bytes or false. */
bool debug_bytes_read(struct debug *d, const struct debug_where *w, uint64_t generic, void *dst, size_t n);
bool debug_bytes_write(struct debug *d, const struct debug_where *w, uint64_t generic, const void *src, size_t n);
/* Bytes that can be read from there on without a gap, 0: none. */
uint64_t debug_readable(struct debug *d, const struct debug_where *w, uint64_t generic);

/* A breakpoint the face inserts at an instruction. `test` (may be NULL) is asked for each active lane. Number. */
uint32_t breakpoint_insert_tested(struct debug *d, uint32_t pc, breakpoint_test *test, void *self);
/* The face has reported to its user a breakpoint in front of which the thread's warp stands: the next run goes on from there. */
void debug_hit_is_reported(struct debug *d, const struct debug_thread *t);
/* That, or the warp has hit it by itself, and it hasn't gone on since. */
bool debug_hit_was_reported(struct debug *d, const struct debug_thread *t);
/* Watches a register of a thread's activation; 0: the place is none. */
uint32_t breakpoint_insert_register_watch(struct debug *d, enum breakpoint_watch kind, const struct debug_thread *t,
					  const struct debug_activation *a, uint32_t ref, bool is_pred,
					  enum isa_type type);
/* It stops at each write, also at one that leaves the value as it was. */
void breakpoint_stops_at_writes(struct debug *d, uint32_t number);

/* Where a thread will be when its warp has executed its next instruction, as far as that can be said without executing it. */
enum debug_next {
	DEBUG_NEXT_UNKNOWN, /* it may fault, wait for others, or go where only the machine knows */
	DEBUG_NEXT_HERE,    /* at *pc, in the same activation */
	DEBUG_NEXT_CALLEE,  /* at *pc, the beginning of a function that is called */
	DEBUG_NEXT_CALLER,  /* at *pc, in the caller */
	DEBUG_NEXT_EXITED
};
enum debug_next debug_predict(struct debug *d, const struct debug_where *w, uint32_t *pc);

/* May the effects of the instruction in front of which a thread stands, for all of its warp, concern a watchpoint or a catchpoint, anybody's? */
bool debug_watches(const struct debug *d, const struct debug_where *w);
/* Is there an enabled breakpoint at an instruction, anybody's? */
bool debug_breaks_at(const struct debug *d, uint32_t pc);

/* Instructions its warp has executed; all ones: it has none any more. */
uint64_t debug_executed(const struct debug_where *w);

/* The lanes of a thread's warp that run with it: the SIMT stack's top entry; 0 if its block isn't resident. */
uint32_t debug_active_lanes(struct debug *d, const struct debug_where *w);

#endif
