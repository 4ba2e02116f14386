/* What the files of the reasons share. */
#ifndef DEBUG_WHY_INTERNAL_H
#define DEBUG_WHY_INTERNAL_H

#include "debug/perf/dump_info.h"
#include "debug/why/why.h"

/* A warp of a block that is on a core. */
struct why_warp {
	struct debug *d;
	const struct exec_cta *cta;
	const struct exec_warp *w;
	uint32_t number;      /* on its core, which is cta->core */
	struct timing *t;     /* NULL in functional mode, */
	const struct core *c; /* as this */
};
struct why_warp why_warp_of(struct debug *d, const struct exec_cta *cta, uint32_t index);

/* ---- words (why_text.c) ---- */
/* `ld.global.u32 at vecadd.ptx:33 (vecadd.cu:5)` */
void why_insn(struct debug *d, uint32_t pc, struct text *out);
/* The same for lanes of a warp that are there, with the user's line that it was called from. Returns true if that was added. */
bool why_insn_of(const struct why_warp *w, uint32_t lanes, uint32_t pc, struct text *out);
/* `ld.global.u32 at vecadd.ptx:33, issued in cycle 412  vecadd.cu:5` */
void why_issued(struct debug *d, uint32_t pc, uint64_t cycle, struct text *out);
/* Adds lanes of a warp as the list `threads` of ranges, {"first", "last"}: `threads (0,0,0) to (31,0,0)`, `thread (5,0,0)`. */
void describe_threads(const struct why_warp *w, uint32_t lanes, struct report *answer);
/* What lies at a generic address: `C[7]`, `shared[0x40]`. */
void why_memory(struct debug *d, uint64_t generic, enum isa_type type, struct text *out);
const char *why_plural(uint64_t n);

/* ---- a warp (why_warp.c) ---- */
/* `warp 3 of core 0 waits for ...`, then what it waits for in detail. */
void why_warp_text(const struct why_warp *w, struct report *answer);
bool why_failed(const struct why_warp *w); /* it stands in front of the instruction whose exception was the last stop */
bool why_spins(const struct why_warp *w); /* for ever, as nobody else can go on (gpu_warp_spins) */
/* Adds the warp to the open object, and the first line of that. */
void why_warp_head(const struct why_warp *w, struct report *answer);
/* What its lanes on top of the SIMT stack do, without naming the warp: `waits for %r5: ...`; no newline. */
void why_warp_does(const struct why_warp *w, struct text *out);

/* ---- instructions in flight (why_flight.c) ---- */
/* Where an instruction in flight is, and each of its requests: lines. */
void why_inst_places(const struct why_warp *w, uint32_t inst, struct report *answer);
/* The requests of a warp that `wanted` says, a line each. */
void why_requests(const struct why_warp *w, bool (*wanted)(const struct mem_request *m), struct report *answer);
/* `MEM pipeline register (ID_OC_MEM) is full` with who is in it and what he waits for. */
void why_pipe_full(const struct why_warp *w, uint32_t pc, struct report *answer);

/* ---- requests (why_request.c, why_obstacle.c) ---- */
/* `request 22: partition 0, L2->DRAM queue since cycle 431, behind request 19`, and below it that of the request whose line it waits for. */
void why_request_line(struct timing *t, uint32_t request, struct report *answer);
/* What keeps the first of its queue from going on, `; the L2->DRAM queue is full`; nothing if nothing does. */
void why_obstacle(struct timing *t, uint32_t request, struct text *out);
debug_answer_fn why_request;

/* ---- barriers, hangs ---- */
/* One barrier of a block. */
void why_barrier_text(struct debug *d, const struct exec_cta *cta, uint32_t id, struct report *answer);
/* A warp that goes round in a loop: where, and which memory it reads there. False: its next instruction is in no loop, or none that reads. */
bool why_loop(const struct why_warp *w, struct report *answer);
debug_answer_fn why_barrier, why_hang;

#endif
