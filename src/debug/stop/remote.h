/* What a face without text (the gdb stub) needs of the debugger: threads' registers and memory as bytes, and
 * stop conditions that it evaluates itself. Nothing here knows any protocol. */
#ifndef DEBUG_REMOTE_H
#define DEBUG_REMOTE_H

#include "debug/stop/breakpoint.h"
#include "debug/view/frame.h"

/* Reads a register in the thread's lane, `width` bytes as its row has them; zero if the frame has no state. */
void debug_register_read(struct debug *d, const struct debug_where *w, const struct debug_frame *a, uint32_t ref,
			 unsigned width, void *out);
/* Writes a register in the thread's lane, `width` bytes as its row has them. Does nothing if the frame has no state. */
void debug_register_write(struct debug *d, const struct debug_where *w, const struct debug_frame *a, uint32_t ref,
			  unsigned width, const void *in);
/* Returns a predicate in the thread's lane; false if the frame has no state. */
bool debug_predicate_read(struct debug *d, const struct debug_where *w, const struct debug_frame *a, uint32_t slot);
/* Copies all registers of a frame, of all lanes: `frame_bytes` of its function. The frame must have state. */
void debug_frame_read(struct debug *d, const struct debug_frame *a, void *out);
/* Copies a lane's register out of bytes that debug_frame_read stored. */
void debug_frame_register(const void *frame, unsigned lane, uint32_t ref, unsigned width, void *out);
/* Returns a lane's predicate out of bytes that debug_frame_read stored. */
bool debug_frame_predicate(const void *frame, unsigned lane, uint32_t slot);
/* Sets a predicate in the thread's lane. Does nothing if the frame has no state. */
void debug_predicate_write(struct debug *d, const struct debug_where *w, const struct debug_frame *a, uint32_t slot,
			   bool v);

/* Reads n bytes at a generic address as a thread (NULL: none) sees it. Returns false if a byte can't be read. */
bool debug_bytes_read(struct debug *d, const struct debug_where *w, uint64_t generic, void *dst, size_t n);
/* Writes n bytes at a generic address as a thread (NULL: none) sees it, and notes the change as debug_poked does. Returns false if they can't be
 * written. */
bool debug_bytes_write(struct debug *d, const struct debug_where *w, uint64_t generic, const void *src, size_t n);
/* Returns the number of bytes that can be read from an address on without a gap. */
uint64_t debug_readable(struct debug *d, const struct debug_where *w, uint64_t generic);

/* Adds an internal breakpoint at an instruction; `test` (may be NULL) is called for each active lane. Returns its number. */
uint32_t breakpoint_insert_tested(struct debug *d, uint32_t pc, breakpoint_test *test, void *self);
/* Notes that the face has reported the breakpoint in front of which the thread's warp stands: the next run goes on from there. */
void debug_hit_is_reported(struct debug *d, const struct debug_thread *t);
/* Watches a register of a thread's frame. Returns the watchpoint's number, 0 if the frame's function isn't the program's. */
uint32_t breakpoint_insert_register_watch(struct debug *d, enum breakpoint_watch kind, const struct debug_thread *t,
					  const struct debug_frame *a, uint32_t ref, bool is_pred, enum isa_type type);
/* Makes a watchpoint, by its number, stop at each write, also at one that leaves the value as it was. */
void breakpoint_stops_at_writes(struct debug *d, uint32_t number);

/* Where a thread will be when its warp has executed its next instruction, as far as that can be said without executing it. */
enum debug_next {
	DEBUG_NEXT_UNKNOWN, /* it may fault, wait for others, or go where only the machine knows */
	DEBUG_NEXT_HERE,    /* at *pc, in the same frame */
	DEBUG_NEXT_CALLEE,  /* at *pc, the beginning of a function that is called */
	DEBUG_NEXT_CALLER,  /* at *pc, in the caller */
	DEBUG_NEXT_EXITED
};
/* Returns where a thread will be when its warp has executed its next instruction, as far as that can be said without executing it; *pc as enum
 * debug_next says. */
enum debug_next debug_predict(struct debug *d, const struct debug_where *w, uint32_t *pc);

/* Returns whether the next instruction of the thread's warp may concern an enabled watchpoint or catchpoint, of users or of faces. */
bool debug_watches(const struct debug *d, const struct debug_where *w);
/* Returns whether an enabled breakpoint, of users or of faces, is at an instruction. */
bool debug_breaks_at(const struct debug *d, uint32_t pc);

/* Returns the number of instructions that the thread's warp has executed, 0 if it waits for its block, all ones if it is gone. */
uint64_t debug_executed(const struct debug_where *w);

/* Returns a mask of the lanes of the thread's warp in the SIMT stack's top entry; 0 if its block isn't resident or the warp is done. */
uint32_t debug_active_lanes(struct debug *d, const struct debug_where *w);

#endif
