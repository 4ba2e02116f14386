/* What a face without text (the gdb stub) needs of the debugger: threads' registers and memory as bytes, and
 * stop conditions that it evaluates itself. Nothing here knows any protocol. */
#ifndef DEBUG_FACE_ACCESS_H
#define DEBUG_FACE_ACCESS_H

#include "debug/stop/breakpoint.h"
#include "debug/view/frame.h"

/* Copies `width` bytes of register `ref` of activation `a`, in the thread's lane, to `out`. Stores zeros if the activation has no state. */
void debug_register_read(struct debug *d, const struct debug_where *w, const struct debug_frame *a, uint32_t ref,
			 unsigned width, void *out);
/* Writes `width` bytes to register `ref` of activation `a`, in the thread's lane, and notes the change as debug_poked does. Does nothing if the
 * activation has no state. */
void debug_register_write(struct debug *d, const struct debug_where *w, const struct debug_frame *a, uint32_t ref,
			  unsigned width, const void *in);
/* Returns predicate `slot` of activation `a` in the thread's lane. Returns false if the activation has no state. */
bool debug_predicate_read(struct debug *d, const struct debug_where *w, const struct debug_frame *a, uint32_t slot);
/* Copies all predicates and registers of an activation, of all lanes, to `out`: a->function->frame_bytes bytes. The activation must have state. */
void debug_frame_read(struct debug *d, const struct debug_frame *a, void *out);
/* Copies a lane's register out of bytes that debug_frame_read stored. */
void debug_frame_register(const void *frame, unsigned lane, uint32_t ref, unsigned width, void *out);
/* Returns a lane's predicate out of bytes that debug_frame_read stored. */
bool debug_frame_predicate(const void *frame, unsigned lane, uint32_t slot);
/* Sets predicate `slot` of activation `a` in the thread's lane, and notes the change as debug_poked does. Does nothing if the activation has no
 * state. */
void debug_predicate_write(struct debug *d, const struct debug_where *w, const struct debug_frame *a, uint32_t slot,
			   bool v);

/* Reads n bytes at a generic address as thread *w (NULL: no thread) sees memory. Returns false if a byte can't be read. */
bool debug_bytes_read(struct debug *d, const struct debug_where *w, uint64_t generic, void *dst, size_t n);
/* Writes n bytes at a generic address as thread *w (NULL: no thread) sees memory, and notes the change as debug_poked does. Returns false if the bytes
 * can't be written. */
bool debug_bytes_write(struct debug *d, const struct debug_where *w, uint64_t generic, const void *src, size_t n);
/* Returns how many bytes can be read without a gap from a generic address on, as a thread (NULL: none) sees memory. Returns 0 if the first byte can't
 * be read. */
uint64_t debug_readable(struct debug *d, const struct debug_where *w, uint64_t generic);

/* Adds an internal breakpoint at an instruction and returns its number. The breakpoint hits for those active lanes that `test` returns, for all of
 * them if `test` is NULL. `self` is passed to `test` and has to outlive the breakpoint. */
uint32_t breakpoint_insert_tested(struct debug *d, uint32_t pc, breakpoint_test *test, void *self);
/* Notes that breakpoints and catchpoints in front of the thread's warp were reported: they don't hit again until the warp has executed an instruction.
 * The block needn't be on a core yet. Only the newest DEBUG_STOOD notes are kept. */
void debug_hit_is_reported(struct debug *d, const struct debug_thread *t);
/* Adds an internal watchpoint on register `ref` (`is_pred`: on predicate slot `ref`) of the thread's activation `a`. Returns its number, 0 if the
 * activation's function isn't in the program. */
uint32_t breakpoint_insert_register_watch(struct debug *d, enum breakpoint_watch kind, const struct debug_thread *t,
					  const struct debug_frame *a, uint32_t ref, bool is_pred, enum isa_type type);
/* Makes an existing watchpoint, named by its number, stop at each write, also at a write that leaves the value as it was. */
void breakpoint_stops_at_writes(struct debug *d, uint32_t number);

/* Where a thread will be when its warp has executed its next instruction, as far as that can be said without executing it. */
enum debug_next {
	DEBUG_NEXT_UNKNOWN, /* it may fault, wait for others, or go where only the machine knows */
	DEBUG_NEXT_HERE,    /* at *pc, in the same frame */
	DEBUG_NEXT_CALLEE,  /* at *pc, the beginning of a function that is called */
	DEBUG_NEXT_CALLER,  /* at *pc, in the caller */
	DEBUG_NEXT_EXITED
};
/* Predicts where the thread will be when its warp has executed its next instruction, without executing it, and stores that instruction in *pc.
 * Returns DEBUG_NEXT_UNKNOWN whenever the instruction may fault or wait; *pc has no meaning then, nor for DEBUG_NEXT_EXITED. */
enum debug_next debug_predict(struct debug *d, const struct debug_where *w, uint32_t *pc);

/* Returns true if an enabled catchpoint exists, or the next instruction of the thread's warp may concern an enabled watchpoint, of users or of faces.
 * Watchpoints on registers of other warps don't count. Conditions and addresses aren't checked. */
bool debug_watches(const struct debug *d, const struct debug_where *w);
/* Returns true if the program's host code may have caused a stop that isn't reported yet: a call or the end of the program, a caught module, or a
 * changed value in watched global or constant memory. Conditions aren't checked. */
bool debug_host_has_event(struct debug *d);
/* Returns true if an enabled breakpoint, of users or of faces, is at an instruction. Conditions and filters aren't checked; disabled places of a
 * breakpoint don't count. */
bool debug_breaks_at(const struct debug *d, uint32_t pc);

/* Returns the number of instructions that the thread's warp has executed. Returns 0 if its block isn't on a core yet, UINT64_MAX if its block has
 * left the core. */
uint64_t debug_executed(const struct debug_where *w);

/* Returns a mask of the lanes of the thread's warp in the SIMT stack's top entry; 0 if its block isn't resident or the warp is done. */
uint32_t debug_active_lanes(struct debug *d, const struct debug_where *w);

#endif
