/* The functions behind `info`; inside src/command only. */
#ifndef COMMAND_INFO_H
#define COMMAND_INFO_H

#include "debug/ground/ground.h"

struct interpreter;

/* Answers `info line`. (info_place.c) */
debug_answer_fn info_line;
/* Answers `info source`. (info_place.c) */
debug_answer_fn info_source;
/* Answers `info symbol`. (info_place.c) */
debug_answer_fn info_symbol;
/* Answers `info address`. (info_place.c) */
debug_answer_fn info_address;
/* Answers `info scope`. (info_scope.c) */
debug_answer_fn info_scope;
/* Answers `info types`. (info_scope.c) */
debug_answer_fn info_types;
/* Answers `info registers`. (registers.c) */
debug_answer_fn info_registers;
/* Answers `info locals`. (registers.c) */
debug_answer_fn info_locals;
/* Answers `info args`. (registers.c) */
debug_answer_fn info_args;
/* Answers `info lanes`. (registers.c) */
debug_answer_fn info_lanes;
/* Answers `info fragment`. (info_fragment.c) */
debug_answer_fn info_fragment;
/* Answers `info frame`. (registers.c) */
debug_answer_fn info_frame;
/* Answers `info threads`. (info_machine.c) */
debug_answer_fn info_threads;
/* Answers `info warps`. (info_machine.c) */
debug_answer_fn info_warps;
/* Answers `info blocks`. (info_machine.c) */
debug_answer_fn info_blocks;
/* Answers `info kernels`. (info_machine.c) */
debug_answer_fn info_kernels;
debug_answer_fn info_modules;
/* Answers `info cycle`. (info_machine.c) */
debug_answer_fn info_cycle;
/* Answers `info cores`. (info_machine.c) */
debug_answer_fn info_cores;
/* Answers `info simt-stack`. (info_warp.c) */
debug_answer_fn info_simt;
/* Answers `info barriers`. (info_warp.c) */
debug_answer_fn info_barriers;
/* Answers `info divergence`. (info_warp.c) */
debug_answer_fn info_divergence;
/* Answers `info occupancy`. (info_warp.c) */
debug_answer_fn info_occupancy;
/* Answers `occupancy KERNEL`. */
debug_answer_fn command_occupancy;
/* Appends how many blocks of a launch fit on a core, by the configuration, and why: `8 blocks a core (limited by threads), 48 of 48 warps`. */
void info_occupancy_text(struct debug *d, const struct exec_launch *l, struct text *out);
/* Answers `info statistics`. (statistics.c) */
debug_answer_fn info_statistics;
/* Answers `info functions`. (info.c) */
debug_answer_fn info_functions;
/* Answers `info buffers`. (info.c) */
debug_answer_fn info_buffers;
/* Answers `info stream-buffers`. (info_streams.c) */
debug_answer_fn info_stream_buffers;
/* Answers `info dram [standards]`. (perf/dram_replay.c) */
debug_answer_fn info_dram;
/* Answers `info textures`. (info_textures.c) */
debug_answer_fn info_textures;
/* Answers `info launches`. (info.c) */
debug_answer_fn info_launches;
/* Answers `info config`. (info.c) */
debug_answer_fn info_config;
/* Answers `info program`. (info.c) */
debug_answer_fn info_program;
/* Answers `info variables`. (info.c) */
debug_answer_fn info_variables;
/* Answers `info allocations`. (info.c) */
debug_answer_fn info_allocations;
/* Answers `info limits`. (info_limits.c) */
debug_answer_fn info_limits;
/* Answers `info machine`. (picture/machine.c) */
debug_answer_fn info_machine;
/* Answers `info samples`. (picture/samples.c) */
debug_answer_fn info_samples;
/* Answers `info stalls`. (why/stalls.c) */
debug_answer_fn info_stalls;
/* Answers `info checkers`. (findings/) */
debug_answer_fn info_checkers;
/* Answers `info findings`. (findings/) */
debug_answer_fn info_findings;
/* Answers `info breakpoints`. */
debug_answer_fn info_breakpoints;
/* Answers `info watchpoints`. */
debug_answer_fn info_watchpoints;
/* Answers `info host`: the calls that are being served. (info_host.c) */
debug_answer_fn info_host;
/* Answers `info inferiors`: the program's processes. (info_host.c) */
debug_answer_fn info_inferiors;
/* Answers `info cuda devices`. */
debug_answer_fn cuda_devices;
/* Answers `info cuda sms`. */
debug_answer_fn cuda_sms;
/* Answers `info cuda warps`. */
debug_answer_fn cuda_warps;
/* Answers `info cuda lanes`. */
debug_answer_fn cuda_lanes;
/* Answers `info cuda kernels`. */
debug_answer_fn cuda_kernels;
/* Answers `info cuda blocks`. */
debug_answer_fn cuda_blocks;
/* Answers `info cuda threads`. */
debug_answer_fn cuda_threads;
/* Answers `info cuda barriers`. */
debug_answer_fn cuda_barriers;
/* Answers `info cuda line`. */
debug_answer_fn cuda_line;

/* A subject of `info` that the interpreter knows, beside info_rows. */
struct info_own_row {
	const char *name, *usage, *help;
	bool (*fn)(struct interpreter *in, const char *args);
};
extern const struct info_own_row info_own_rows[];
extern const size_t info_own_n;

/* ---- which rows: `core N`, `warp N` (the warp's number on its core) ---- */
struct info_filter {
	bool has_core, has_warp;
	uint32_t core, warp;
};
/* Parses `core N` and `warp N`, each optional, into *f; with `bare_core` a number alone is a core's. Returns false, with an error in `why`, for other
 * words, a repetition, or a number out of range. */
bool info_filter_scan(struct debug *d, const char *args, bool bare_core, struct info_filter *f, struct text *why);
/* Returns whether the filter includes rows of a core. */
static inline bool info_filter_core(const struct info_filter *f, uint32_t core) { return !f->has_core || f->core == core; }
/* Returns whether the filter includes rows of a warp of a core. */
static inline bool info_filter_wants(const struct info_filter *f, uint32_t core, uint32_t warp)
{
	return info_filter_core(f, core) && (!f->has_warp || f->warp == warp);
}
/* Closes the open table of an answer. For people, a table without rows is replaced by a line that there are no such warps. */
void info_close_rows(struct report *answer, const struct info_filter *f);
/* Appends a line that there are no warps that fit the filter, or without a filter that no block is on a core. */
void info_no_warps(const struct info_filter *f, struct text *out);
/* Returns the number, on its core, of a block's warp. */
static inline uint32_t info_warp_number(const struct exec_cta *cta, const struct exec_warp *w)
{
	return cta->core_slot * cta->n_warps + w->index;
}

#endif
