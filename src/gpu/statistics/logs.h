/* Counts and logs that the machine keeps while it runs: a record of each launch, and what is written at intervals. */
#ifndef GPU_STATISTICS_LOGS_H
#define GPU_STATISTICS_LOGS_H

#include "gpu/device/performance_state.h"

/* Adds the arena's sections for the launches' statistics. Returns false if there is no room. */
bool statistics_add_sections(struct gpu *g);
/* Records the counts at the start of a launch, if there is room for a record. */
void gpu_statistics_begin(struct gpu *g, uint32_t launch);
/* Records the counts of a launch that ends. A launch that hasn't begun, or has ended, is ignored. */
void gpu_statistics_end(struct gpu *g, uint32_t launch);
/* Returns true if the configuration requires counts for each line of PTX or each instruction class. */
bool gpu_lines_wanted(const struct gpu *g);

/* Appends to gpu_log the statistics that -gpgpu_runtime_stat selects, which prints them at intervals of core cycles. */
void perf_print_runtime(struct gpu *g);
/* Passes a sample of AerialVision's log to the observer, if there is one. */
void perf_take_sample(struct gpu *g);
/* Takes a time-lapse sample (timelapse.h). */
void perf_take_timelapse(struct gpu *g);
/* Drops all time-lapse samples and begins anew, after counts were reset or the machine was built. */
void perf_begin_timelapse(struct gpu *g);
/* Begins time-lapse samples in this cycle, if none were taken so far. */
void perf_restart_timelapse(struct gpu *g);
/* Ends AerialVision's log and frees its memory. */
void perf_stop_samples(struct gpu *g);
/* Restarts the log's differences after counts were reset. */
void perf_forget_samples(struct gpu *g);
/* Restarts the log's thread positions when a run begins. */
void perf_begin_samples(struct gpu *g);
/* Counts an issued instruction for AerialVision's log, which must be active. */
void perf_note_sample(struct gpu *g, const struct core *c, const struct inst *i);
/* Connects the timing model to the active logs, after a log was started or ended. */
void perf_hook_logs(struct gpu *g);
/* Restarts all logs after counts were reset or the machine was rebuilt. */
void perf_restart_logs(struct gpu *g);
/* Restarts the logs' intervals when a run begins. */
void perf_begin_logs(struct gpu *g);

#endif
