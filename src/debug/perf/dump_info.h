/* Tables about the performance model; inside src/debug only. */
#ifndef DEBUG_DUMP_INFO_H
#define DEBUG_DUMP_INFO_H

#include "debug/info.h"

debug_text_fn info_scoreboard, info_trace;
/* What `info cores` says in performance mode, and what `info occupancy` adds. */
void info_cores_performance(struct debug *d, const struct info_filter *f, struct text *out);
void info_occupancy_performance(struct debug *d, const struct gpu_launch_info *l, struct text *out);
/* Of a warp, and of a block's warps, in performance mode: what they wait for, in the words of `info cores`. */
const char *info_warp_waits(struct debug *d, const struct exec_cta *cta, const struct exec_warp *w);
void info_block_waits(struct debug *d, const struct exec_cta *cta, struct text *out);

#endif
