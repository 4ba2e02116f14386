/* The text of a deadlock: which warp waits where. */
#ifndef GPU_WAIT_DEADLOCK_H
#define GPU_WAIT_DEADLOCK_H

#include "gpu/device/internal.h"

/* Appends to a deadlock event's text the first blocks with waiting warps and their places. Sets ev->polls if a warp spins; then appends launches, too,
 * and the streams in any case. */
void gpu_explain_deadlock(const struct gpu *g, struct gpu_event *ev);
/* Appends the PTX line of an instruction, `scan.ptx:41`, or its pc if the program has no lines. */
void gpu_add_place(const struct gpu *g, uint32_t pc, struct text *out);
/* Appends the place of the lowest of a warp's `lanes` (0: of its live lanes) at an instruction: as the function of gpu_name_places names that place,
 * `scan.ptx:41 (scan.cu:7)`, or without such a function as gpu_add_place does. */
void gpu_add_place_of(const struct gpu *g, const struct exec_warp *w, uint32_t lanes, uint32_t pc, struct text *out);

#endif
