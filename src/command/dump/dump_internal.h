/* What the files about the performance model's state share. */
#ifndef COMMAND_DUMP_INTERNAL_H
#define COMMAND_DUMP_INTERNAL_H

#include "debug/ground/ground.h"
#include "command/dump/dump.h"
#include "command/dump/dump_info.h"
#include "timing/timing.h"

/* What looks at the running machine; a part of the session. NULL while the device has no performance model. */
struct observer {
	struct debug *d;
	struct timing *t;
	struct dump_memory *seen;      /* dp --diff: what was printed last */
	struct diagram *diagram;
	struct trace_streams *streams;
	struct stalls *stalls; /* NULL: they aren't counted */
};
/* Sets the timing model's hooks that the recording, the streams and the counts need now, and removes the others. Does nothing in functional mode. */
void observer_attach(struct debug *d);
/* Drops what was recorded, counted, and shown by `dp`, as cycles begin anew; streams and counting stay on. Does nothing in functional mode. */
void observer_forget(struct debug *d);
/* Creates the observer, if the device has a performance model and there is none yet. Switches on the streams that the configuration asks for, and the
 * counting of stalls if that is set. */
void observer_create(struct debug *d);
/* Removes the hooks of the timing model and frees the observer with all that it has; does nothing if there is none. */
void observer_free(struct debug *d);

/* ---- a core as a section of a dump sees it ---- */
struct dump_view {
	struct debug *d;
	struct timing *t;
	const struct core *c;
	bool has_warp; /* only this one */
	bool tags;     /* the lines of caches, too */
	uint32_t warp;
};
/* Returns whether the view includes a warp: that one or all are shown. */
static inline bool dump_wants(const struct dump_view *v, uint32_t warp) { return !v->has_warp || v->warp == warp; }

/* Appends why a warp waits: "ready", a sentence, or the registers it needs and their producers, "scoreboard: %f3 from 0x030". */
void dump_wait_text(const struct dump_view *v, uint32_t warp, struct text *out);
/* Stores the index of the next instruction of the warp in warp slot `warp`. Returns false if the slot is unused or the warp executes nothing any
 * more. */
bool dump_warp_pc(const struct core *c, uint32_t warp, uint32_t *pc);
/* Returns the warp in warp slot `warp` of a core. Returns NULL if the slot is unused. */
const struct exec_warp *dump_exec_warp(const struct core *c, uint32_t warp);

/* Appends the line of the core's instruction in flight number `inst`, 0: none, without a newline. */
void dump_inst_line(const struct dump_view *v, uint32_t inst, struct text *out);
/* Appends the line of a memory request, with the instruction that made it if known, and a newline. */
void dump_request_line(const struct dump_view *v, uint32_t request, struct text *out);
/* Appends a mask as 32 digits, 0 or 1, with lane 0 first or last. */
void dump_lanes(uint32_t lanes, bool lane0_first, struct text *out);

/* ---- sections of `dp` (dump_core.c, dump_units.c) ---- */
typedef void dump_section_fn(const struct dump_view *v, struct text *out);
dump_section_fn dump_warps, dump_l1i, dump_fetch, dump_ibuffer, dump_simt, dump_scoreboard, dump_schedulers, dump_barriers, dump_collector,
	dump_pipe_regs, dump_ldst, dump_writeback, dump_cluster, dump_l1d, dump_l1c, dump_l1t;
/* Appends the units of one kind of pipeline. */
void dump_pipelines(const struct dump_view *v, uint32_t kind, struct text *out);

/* ---- diagrams, traces ---- */
/* Records that core `c` issues instruction in flight number `inst` in cycle `now`, if the recording, which must exist, includes the core. */
void diagram_issue(struct observer *l, struct core *c, uint32_t inst, uint64_t now);
/* Records that the results of an instruction in flight of core `c` are ready in cycle `now`. */
void diagram_ready(struct observer *l, const struct inst *i, uint64_t now);
/* Records what changed for a core's warps in cycle `now`, if the recording includes the core. Ends recording when its time is over. */
void diagram_cycle(struct observer *l, struct core *c, uint64_t now);
/* Returns whether the events of cycle `now` are recorded for a diagram. Begins the recording of a run that began in functional mode. */
bool diagram_wants(struct observer *l, uint64_t now);
/* Drops what was recorded of cycles and instructions that are still to come where the machine stands, after it has gone back. */
void diagram_forget_future(struct observer *l);
/* Returns whether events are recorded for a diagram, or will be from the machine's next one on. */
bool diagram_is_due(const struct observer *l);
/* Ends recording and drops all events. Does nothing if nothing was ever recorded. */
void diagram_forget(struct observer *l);
/* Frees the recording with its events, if there is one. */
void diagram_free(struct observer *l);

/* Returns whether a trace stream is on or a memory request is followed. Returns false if the observer has no streams. */
bool streams_any(const struct observer *l);
/* Switches on the streams that option trace_components names, for the core and partition that options select, if trace_enabled is set. */
void streams_from_options(struct debug *d);
/* Adds a note for each stream, core and partition that the options trace_components, trace_sampling_core and trace_sampling_memory_partition name and
 * the machine doesn't have. Does nothing unless trace_enabled is set. */
void streams_check_options(struct debug *d);
/* Prints the lines of the streams ISSUE and WARP_SCHEDULER, if they are on for core `c`, for an instruction that the core issues in cycle `now`.
 * The streams must exist. */
void streams_issue(struct observer *l, struct core *c, uint32_t inst, uint64_t now);
/* Prints the lines of the streams that are on for core `c`, for what has changed since the core's last cycle. The streams must exist. */
void streams_cycle(struct observer *l, struct core *c, uint64_t now);
/* Prints the lines of the DRAM, the network and followed requests, if wanted, for what has changed since the last tick. The streams must exist;
 * `domains` is ignored. */
void streams_tick(struct observer *l, uint32_t domains, uint64_t now);
/* Prints the lines of the streams that are on, and of followed requests, for a memory request whose status has changed from `before`. Reports a
 * followed request's end whenever it is deleted. The streams must exist. */
void streams_request(struct observer *l, uint32_t request, enum request_status before);
/* Notes the machine's present state, so that streams print later changes only. Does nothing if no stream was ever on. */
void streams_look_again(struct observer *l);
/* Frees the streams and followed requests, if there are any. */
void streams_free(struct observer *l);

/* ---- what schedulers' cycles are lost to (stalls.c) ---- */
/* Counts n turns of a scheduler that ended as `what` says, with an instruction of `warp` if issued. TURN_BEGINS: notes what its warps wait for, after
 * setting all counts to zero if turns were missed. Turns must be counted. */
void stalls_turn(struct observer *l, struct core *c, uint32_t scheduler, enum timing_turn what, uint32_t warp, uint64_t n);
/* Sets all counts to zero; counting continues from this cycle. Does nothing if turns aren't counted. */
void stalls_forget(struct observer *l);
/* Ends counting and frees the counts; does nothing if turns aren't counted. The timing model's hook stays. */
void stalls_free(struct observer *l);

/* Frees the texts that `dp --diff` compares with, if there are any. */
void dump_seen_free(struct observer *l);

#endif
