/* What the rest of src/debug has of the performance model's dumps: tables, and when a run begins. */
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

/* A number below `n` at *s; else a line about it. `what`: "core". */
bool dump_number(const char **s, const char *what, uint32_t n, uint32_t *out, struct text *why);
/* "vecadd PC=0x048 (vecadd.ptx:33) mad.lo.s32 ..." */
void dump_insn_text(struct debug *d, uint32_t pc, struct text *out);
void diagram_begin_run(struct debug *d); /* `auto`: the first cycles of each run are recorded */

#endif
