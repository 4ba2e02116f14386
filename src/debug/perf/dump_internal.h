/* What the files about the performance model's state share. */
#ifndef DEBUG_DUMP_INTERNAL_H
#define DEBUG_DUMP_INTERNAL_H

#include "debug/internal.h"
#include "debug/perf/dump.h"
#include "debug/perf/dump_info.h"
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
/* Makes the hooks of the timing model ours (again): when the session begins, after `kill`, and when somebody starts or stops looking. */
void observer_attach(struct debug *d);
/* After `reset`: cycles begin anew, what was recorded and seen is of another time. */
void observer_forget(struct debug *d);
void observer_create(struct debug *d);
void observer_free(struct debug *d);

/* ---- a core as a section of a dump sees it ---- */
struct dump_view {
	struct debug *d;
	struct timing *t;
	const struct core *c;
	bool has_warp; /* only this one */
	uint32_t warp;
};
static inline bool dump_wants(const struct dump_view *v, uint32_t warp) { return !v->has_warp || v->warp == warp; }

/* Why a warp waits (dump_info.h) in a sentence: "scoreboard: %f3, loaded by 0x30". */
void dump_wait_text(const struct dump_view *v, uint32_t warp, struct text *out);
/* Its next instruction; false: none. */
bool dump_warp_pc(const struct core *c, uint32_t warp, uint32_t *pc);
const struct exec_warp *dump_exec_warp(const struct core *c, uint32_t warp);

/* The line of an instruction in flight, without its end; a request's, with it. */
void dump_inst_line(const struct dump_view *v, uint32_t inst, struct text *out);
void dump_request_line(const struct dump_view *v, uint32_t request, struct text *out);
void dump_lanes(uint32_t lanes, bool lane0_first, struct text *out);

/* ---- sections of `dp` (dump_core.c, dump_units.c) ---- */
typedef void dump_section_fn(const struct dump_view *v, struct text *out);
dump_section_fn dump_warps, dump_l1i, dump_fetch, dump_ibuffer, dump_simt, dump_scoreboard, dump_schedulers, dump_barriers, dump_collector,
	dump_pipe_regs, dump_ldst, dump_writeback, dump_cluster;
#define PIPELINE(kind, ...) dump_section_fn dump_##kind;
#include "timing/core/units.def"

/* ---- diagrams, traces ---- */
void diagram_issue(struct observer *l, struct core *c, uint32_t inst, uint64_t now);
void diagram_cycle(struct observer *l, struct core *c, uint64_t now);
bool diagram_wants(const struct observer *l);
void diagram_forget(struct observer *l);
void diagram_free(struct observer *l);

bool streams_any(const struct observer *l);
void streams_from_options(struct debug *d);
void streams_issue(struct observer *l, struct core *c, uint32_t inst, uint64_t now);
void streams_cycle(struct observer *l, struct core *c, uint64_t now);
void streams_tick(struct observer *l, uint32_t domains, uint64_t now);
void streams_request(struct observer *l, uint32_t request, enum request_status before);
void streams_look_again(struct observer *l); /* the present state is what was seen last */
void streams_free(struct observer *l);

/* ---- what schedulers' cycles are lost to (stalls.c) ---- */
void stalls_turn(struct observer *l, struct core *c, uint32_t scheduler, enum timing_turn what, uint32_t warp, uint64_t n);
void stalls_forget(struct observer *l);
void stalls_free(struct observer *l);

void dump_seen_free(struct observer *l);

#endif
