/* What the files of the reasons share. */
#ifndef COMMAND_WHY_INTERNAL_H
#define COMMAND_WHY_INTERNAL_H

#include "command/dump/dump_info.h"
#include "command/why/why.h"
#include "debug/view/focus.h"

/* A warp of a block that is on a core. */
struct why_warp {
	struct debug *d;
	const struct exec_cta *cta;
	const struct exec_warp *w;
	uint32_t number;      /* on its core, which is cta->core */
	struct timing *t;     /* NULL in functional mode, */
	const struct core *c; /* as this */
};
/* Returns the view of the warp with index `index` in a resident block; without timing model and core in functional mode. */
struct why_warp why_warp_of(struct debug *d, const struct exec_cta *cta, uint32_t index);

/* ---- words (why_text.c) ---- */
/* Appends opcode and place of the instruction with index `pc`: `ld.global.u32 at vecadd.ptx:33 (vecadd.cu:5)`. */
void why_insn(struct debug *d, uint32_t pc, struct text *out);
/* Appends opcode and place of the instruction at `pc`. If the place is no user's line, adds the user's line that called it, by the lowest of `lanes`
 * of the warp (0: of all its lanes). Returns true if such a line was added. */
bool why_insn_of(const struct why_warp *w, uint32_t lanes, uint32_t pc, struct text *out);
/* Appends opcode, place and issue cycle of the instruction at `pc`, then two blanks and its CUDA line, if it has one:
 * `ld.global.u32 at vecadd.ptx:33, issued in cycle 412  vecadd.cu:5`. */
void why_issued(struct debug *d, uint32_t pc, uint64_t cycle, struct text *out);
/* Adds the list `threads` of a warp's lanes as ranges of thread indices, {"first", "last"}. People read `threads (0,0,0) to (31,0,0)` or `thread
 * (5,0,0)`. */
void describe_threads(const struct why_warp *w, uint32_t lanes, struct report *answer);
/* Returns "" for 1, else "s". */
const char *why_plural(uint64_t n);

/* ---- a warp (why_warp.c) ---- */
/* Adds an object about a warp: the line `warp 3 of core 0 waits for ...`, details of that, and what its other lanes wait for. `advises`: and what to
 * do about the wait. */
void why_warp_text(const struct why_warp *w, bool advises, struct report *answer);
/* Returns whether the last stop was an exception, in the present cycle, of the instruction that the warp is in front of. */
bool why_failed(const struct why_warp *w);
/* Returns whether the warp is runnable and proven to loop forever as long as memory doesn't change. */
bool why_spins(const struct why_warp *w);
/* Adds core, warp, block, place, and what the warp waits for to the open object, and the line `warp 3 of core 0 waits for ...`. */
void why_warp_head(const struct why_warp *w, struct report *answer);
/* Appends what the lanes on top of the warp's SIMT stack do, as `waits for %r5: ...`: fail, spin or wait. Appends neither the warp's name nor a
 * newline. */
void why_warp_does(const struct why_warp *w, struct text *out);

/* ---- instructions in flight (why_flight.c) ---- */
/* Adds the list of memory requests of instruction in flight number `inst`, a line each, then a line about its place in the pipeline, if any.
 * Performance mode only. */
void why_inst_places(const struct why_warp *w, uint32_t inst, struct report *answer);
/* Adds the list `requests` of a warp's memory requests that `wanted` selects, by number, a line each. Performance mode only. */
void why_requests(const struct why_warp *w, bool (*wanted)(const struct mem_request *m), struct report *answer);
/* Adds the list `holders`, with a line each: instructions in the pipeline registers, collectors and LDST unit that the instruction at `pc` needs
 * next. Performance mode only. */
void why_pipe_full(const struct why_warp *w, uint32_t pc, struct report *answer);

/* ---- requests (why_request.c, why_obstacle.c) ---- */
/* Adds an object about a request, with a line `request 22: partition 0, L2->DRAM queue since cycle 431, behind request 19`. If another request
 * fetches its line, adds an object about that one, too, and so on. */
void why_request_line(struct timing *t, uint32_t request, struct report *answer);
/* Appends what keeps a request, as the first of its queue, from going on: `; the L2->DRAM queue is full`, `, until cycle 500`, or its bank's state.
 * Appends nothing if nothing does. */
void why_obstacle(struct timing *t, uint32_t request, struct text *out);
/* Answers `why request N`. */
debug_answer_fn why_request;

/* ---- barriers, hangs ---- */
/* Adds an object about barrier `id` of a block: a line with the threads that it waits for and has. Adds lists of threads that arrived, are missing,
 * and have exited. */
void why_barrier_text(struct debug *d, const struct exec_cta *cta, uint32_t id, struct report *answer);
/* Adds the loop around a warp's next instruction, `from` and `to`, and the list `reads` of memory read in the loop, with values. Returns false, with
 * an empty list at most, if the instruction is in no loop that reads. */
bool why_loop(const struct why_warp *w, struct report *answer);
/* Returns whether the loop around a warp's next instruction may read what another warp can change. Returns true, too, if no loop is found. */
bool why_loop_reads(const struct why_warp *w);
#define WHY_READS_MOST 64u
/* A loop that a thread goes round. */
struct why_round {
	uint32_t first, last; /* its instructions, in one activation */
	/* The instructions that read memory that other threads may write: those of the loop, and those behind the thread in functions that the loop
	 * has called. */
	struct why_read {
		uint32_t pc;
		uint64_t frame; /* offset of its activation's registers */
	} read[WHY_READS_MOST];
	uint32_t n_reads;
};
/* Finds the loop around a thread's next instruction, or else the loop around the innermost call that is in one. A loop is the smallest one by its
 * branch back. Returns false if there is none. */
bool why_round_of(struct debug *d, const struct debug_where *lane, struct why_round *out);
/* Adds the list `locks`: the memory that spinning warps read, which thread holds or wrote it since when, and where that thread is now; and the circle
 * of threads that hold what another one waits for. Adds nothing if no warp is proven to spin. */
void why_locks(struct history *h, struct report *answer);
/* Answers `why barrier [N]`. */
debug_answer_fn why_barrier;
/* Answers `why hang`. */
command_past_fn why_hang;

#endif
