/* The text of a deadlock: which warp waits where. */
#ifndef GPU_WAIT_DEADLOCK_H
#define GPU_WAIT_DEADLOCK_H

#include "gpu/device/internal.h"

/* Adds the waiting warps and their places to the text of a deadlock event, and sets its `polls`. */
void gpu_explain_deadlock(const struct gpu *g, struct gpu_event *ev);
/* Adds the line of the PTX, or the pc where the program has no lines: "scan.ptx:41". */
void gpu_add_place(const struct gpu *g, uint32_t pc, struct text *out);
/* Adds the place of the first of a warp's lanes, as gpu_name_places says: "scan.ptx:41 (scan.cu:7)". */
void gpu_add_place_of(const struct gpu *g, const struct exec_warp *w, uint32_t lanes, uint32_t pc, struct text *out);

#endif
