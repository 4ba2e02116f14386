/* The functions behind `info`; inside src/debug only. */
#ifndef DEBUG_INFO_H
#define DEBUG_INFO_H

#include "debug/internal.h"

debug_answer_fn info_line, info_source, info_symbol, info_address;	       /* info_place.c */
debug_answer_fn info_scope, info_types;					       /* info_scope.c */
debug_answer_fn info_registers, info_locals, info_args, info_lanes, info_frame;  /* registers.c */
debug_answer_fn info_threads, info_warps, info_blocks, info_kernels, info_cores; /* info_machine.c */
debug_answer_fn info_simt, info_barriers, info_divergence, info_occupancy;       /* info_warp.c */
/* `8 blocks a core (limited by threads), 48 of 48 warps` */
void info_occupancy_text(struct debug *d, const struct exec_launch *l, struct text *out);
debug_answer_fn info_statistics;						       /* statistics.c */
debug_answer_fn info_functions, info_buffers, info_launches, info_config, info_program, info_variables,
	info_allocations; /* info.c */
debug_answer_fn info_limits; /* info_limits.c */
debug_answer_fn info_stalls; /* why/stalls.c */
debug_answer_fn info_checkers, info_findings; /* findings/ */
debug_answer_fn cuda_devices, cuda_sms, cuda_warps, cuda_lanes, cuda_kernels, cuda_blocks, cuda_threads, cuda_barriers,
	cuda_line;

/* ---- which rows: `core N`, `warp N` (the warp's number on its core) ---- */
struct info_filter {
	bool has_core, has_warp;
	uint32_t core, warp;
};
/* bare_core: a number alone is a core's, too. */
bool info_filter_scan(struct debug *d, const char *args, bool bare_core, struct info_filter *f, struct text *why);
static inline bool info_filter_core(const struct info_filter *f, uint32_t core) { return !f->has_core || f->core == core; }
static inline bool info_filter_wants(const struct info_filter *f, uint32_t core, uint32_t warp)
{
	return info_filter_core(f, core) && (!f->has_warp || f->warp == warp);
}
/* Closes the open table of an answer; without rows it says that there are no such warps. */
void info_close_rows(struct report *answer, const struct info_filter *f);
void info_no_warps(const struct info_filter *f, struct text *out);
/* The number of a block's warp on its core. */
static inline uint32_t info_warp_number(const struct exec_cta *cta, const struct exec_warp *w)
{
	return cta->core_slot * cta->n_warps + w->index;
}

#endif
