/* Changes of the device between functional and performance mode. */
#ifndef GPU_PERFORMANCE_MODE_H
#define GPU_PERFORMANCE_MODE_H

#include "gpu/device/internal.h"

/* Changes an idle device to the mode of the launch that waits for the change. Returns false if the device isn't idle or no launch waits for a
 * change. */
bool gpu_mode_next(struct gpu *g);
/* Changes an idle device to the mode of the next launch, after launches were dropped. */
void gpu_mode_skip_dropped(struct gpu *g);
/* Returns a device without launches to the mode that it was created for, with a new machine and its figures at 0. */
void gpu_mode_reset(struct gpu *g);
/* Restores the device's mode from the arena, after the arena returned to an earlier state. */
void gpu_mode_restore(struct gpu *g);
/* Frees the timing configuration that the device built itself, if there is one. */
void gpu_mode_free(struct gpu *g);

#endif
