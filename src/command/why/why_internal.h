/* What the files of the reasons share. */
#ifndef DEBUG_WHY_INTERNAL_H
#define DEBUG_WHY_INTERNAL_H

#include "command/dump/dump_info.h"
#include "command/why/why.h"

/* A warp of a block that is on a core. */
struct why_warp {
	struct debug *d;
	const struct exec_cta *cta;
	const struct exec_warp *w;
	uint32_t number;      /* on its core, which is cta->core */
	struct timing *t;     /* NULL in functional mode, */
	const struct core *c; /* as this */
};
/* Returns the view of a resident block's warp by its index in the block. */
struct why_warp why_warp_of(struct debug *d, const struct exec_cta *cta, uint32_t index);

/* ---- words (why_text.c) ---- */
/* Appends an instruction: `ld.global.u32 at vecadd.ptx:33 (vecadd.cu:5)`. */
void why_insn(struct debug *d, uint32_t pc, struct text *out);
/* Appends an instruction of a warp's lanes, and the user's line that called it. Returns true if that line was added. */
bool why_insn_of(const struct why_warp *w, uint32_t lanes, uint32_t pc, struct text *out);
/* Appends an instruction in flight: `ld.global.u32 at vecadd.ptx:33, issued in cycle 412  vecadd.cu:5`. */
void why_issued(struct debug *d, uint32_t pc, uint64_t cycle, struct text *out);
/* Adds lanes of a warp as the list `threads` of ranges, {"first", "last"}: `threads (0,0,0) to (31,0,0)`, `thread (5,0,0)`. */
void describe_threads(const struct why_warp *w, uint32_t lanes, struct report *answer);
/* Returns "" for 1, else "s". */
const char *why_plural(uint64_t n);

/* ---- a warp (why_warp.c) ---- */
/* Adds `warp 3 of core 0 waits for ...`, then what it waits for in detail. */
void why_warp_text(const struct why_warp *w, struct report *answer);
/* Returns true if the warp stands in front of the instruction whose exception was the last stop. */
bool why_failed(const struct why_warp *w);
/* Returns true if the warp spins for ever, as no other warp can change what it waits for (gpu_warp_spins). */
bool why_spins(const struct why_warp *w);
/* Adds the warp to the open object, and the first line of that. */
void why_warp_head(const struct why_warp *w, struct report *answer);
/* Appends what the lanes on top of the warp's SIMT stack do, without naming the warp: `waits for %r5: ...`; no newline. */
void why_warp_does(const struct why_warp *w, struct text *out);

/* ---- instructions in flight (why_flight.c) ---- */
/* Adds lines that say where an instruction in flight is, and each of its requests. */
void why_inst_places(const struct why_warp *w, uint32_t inst, struct report *answer);
/* Adds a line for each request of a warp that `wanted` selects. */
void why_requests(const struct why_warp *w, bool (*wanted)(const struct mem_request *m), struct report *answer);
/* Adds `MEM pipeline register (ID_OC_MEM) is full`, the instruction in it and what that waits for. */
void why_pipe_full(const struct why_warp *w, uint32_t pc, struct report *answer);

/* ---- requests (why_request.c, why_obstacle.c) ---- */
/* Adds `request 22: partition 0, L2->DRAM queue since cycle 431, behind request 19`, and below it the request whose line it waits for. */
void why_request_line(struct timing *t, uint32_t request, struct report *answer);
/* Appends what keeps the first request of a queue from going on, `; the L2->DRAM queue is full`; nothing if nothing does. */
void why_obstacle(struct timing *t, uint32_t request, struct text *out);
/* Answers `why request N`. */
debug_answer_fn why_request;

/* ---- barriers, hangs ---- */
/* Adds a barrier of a block. */
void why_barrier_text(struct debug *d, const struct exec_cta *cta, uint32_t id, struct report *answer);
/* Adds where a warp goes round in a loop, and which memory it reads there. Returns false if its next instruction is in no loop that reads. */
bool why_loop(const struct why_warp *w, struct report *answer);
/* Answers `why barrier [N]`. */
debug_answer_fn why_barrier;
/* Answers `why hang`. */
debug_answer_fn why_hang;

#endif
