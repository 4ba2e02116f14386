/* What the files about the performance model's state share. */
#ifndef DEBUG_DUMP_INTERNAL_H
#define DEBUG_DUMP_INTERNAL_H

#include "debug/ground/ground.h"
#include "command/dump/dump.h"
#include "command/dump/dump_info.h"
#include "timing/timing.h"

/* Those who look at the running machine; a part of the session. NULL in functional mode. */
struct observer {
	struct debug *d;
	struct timing *t;
	struct dump_memory *seen;      /* dp --diff: what was printed last */
	struct diagram *diagram;
	struct trace_streams *streams;
	struct stalls *stalls; /* NULL: they aren't counted */
};
/* Sets the hooks of the timing model that are needed now: when the session begins, after `kill`, and when an observer starts or stops. */
void observer_attach(struct debug *d);
/* Forgets what was recorded, seen and counted: after `reset` cycles begin anew. */
void observer_forget(struct debug *d);
/* Allocates the observer, if the device has a timing model, and starts the streams that options ask for. */
void observer_create(struct debug *d);
/* Removes the hooks of the timing model and frees the observer, if there is one. */
void observer_free(struct debug *d);

/* ---- a core as a section of a dump sees it ---- */
struct dump_view {
	struct debug *d;
	struct timing *t;
	const struct core *c;
	bool has_warp; /* only this one */
	uint32_t warp;
};
/* Returns true if the view includes a warp. */
static inline bool dump_wants(const struct dump_view *v, uint32_t warp) { return !v->has_warp || v->warp == warp; }

/* Appends why a warp waits in a sentence: "scoreboard: %f3, loaded by 0x30". */
void dump_wait_text(const struct dump_view *v, uint32_t warp, struct text *out);
/* Stores the next instruction of a warp. Returns false if there is none. */
bool dump_warp_pc(const struct core *c, uint32_t warp, uint32_t *pc);
/* Returns the warp in a warp slot of a core. Returns NULL if the slot is unused. */
const struct exec_warp *dump_exec_warp(const struct core *c, uint32_t warp);

/* Appends the line of an instruction in flight, without a newline. */
void dump_inst_line(const struct dump_view *v, uint32_t inst, struct text *out);
/* Appends the line of a memory request, with a newline. */
void dump_request_line(const struct dump_view *v, uint32_t request, struct text *out);
/* Appends a mask as 32 digits, lane 0 first or last. */
void dump_lanes(uint32_t lanes, bool lane0_first, struct text *out);

/* ---- sections of `dp` (dump_core.c, dump_units.c) ---- */
typedef void dump_section_fn(const struct dump_view *v, struct text *out);
dump_section_fn dump_warps, dump_l1i, dump_fetch, dump_ibuffer, dump_simt, dump_scoreboard, dump_schedulers, dump_barriers, dump_collector,
	dump_pipe_regs, dump_ldst, dump_writeback, dump_cluster;
#define PIPELINE(kind, ...) dump_section_fn dump_##kind;
#include "timing/core/units.def"

/* ---- diagrams, traces ---- */
/* Records that an instruction issues. */
void diagram_issue(struct observer *l, struct core *c, uint32_t inst, uint64_t now);
/* Records changes of a core's warps after a cycle, and ends recording when its time is over. */
void diagram_cycle(struct observer *l, struct core *c, uint64_t now);
/* Returns true if events are being recorded. */
bool diagram_wants(const struct observer *l);
/* Ends recording and forgets all events. */
void diagram_forget(struct observer *l);
/* Frees the recording, if there is one. */
void diagram_free(struct observer *l);

/* Returns true if a stream is on or a request is followed. */
bool streams_any(const struct observer *l);
/* Switches on the streams that the configuration asks for (trace_enabled). */
void streams_from_options(struct debug *d);
/* Prints lines of an instruction that issues. */
void streams_issue(struct observer *l, struct core *c, uint32_t inst, uint64_t now);
/* Prints lines of a core's changes after a cycle. */
void streams_cycle(struct observer *l, struct core *c, uint64_t now);
/* Prints lines of the DRAM, the network and followed requests after a tick. */
void streams_tick(struct observer *l, uint32_t domains, uint64_t now);
/* Prints lines of a memory request whose status was `before`. */
void streams_request(struct observer *l, uint32_t request, enum request_status before);
/* Notes the present state as the one seen last. */
void streams_look_again(struct observer *l);
/* Frees the streams, if there are any. */
void streams_free(struct observer *l);

/* ---- what schedulers' cycles are lost to (stalls.c) ---- */
/* Counts a scheduler's turn, or notes that one begins. */
void stalls_turn(struct observer *l, struct core *c, uint32_t scheduler, enum timing_turn what, uint32_t warp, uint64_t n);
/* Sets all counts to zero; counting goes on from this cycle. */
void stalls_forget(struct observer *l);
/* Ends counting and frees the counts. */
void stalls_free(struct observer *l);

/* Frees the texts that `dp --diff` compares with. */
void dump_seen_free(struct observer *l);

#endif
