/* Performance mode inside src/gpu: the device's clocks, kernels and CTAs around the timing model (performance.c, tick.c, dispatch.c). */
#ifndef GPU_PERFORMANCE_PERFORMANCE_H
#define GPU_PERFORMANCE_PERFORMANCE_H

#include "gpu/device/performance_state.h"

/* ---- dispatch.c: kernels and CTAs ---- */
/* Starts the next stream operation if one can begin; a launch gets a kernel slot. Returns true if the operation is the host's. */
bool perf_start_operation(struct gpu *g);
/* Starts launches by threads that needn't wait for another launch, while kernel slots are free. */
void perf_start_children(struct gpu *g);
/* Finishes the parent of a launch by a thread that is done, if the parent only waited for its children. */
void perf_child_finished(struct gpu *g, const struct gpu_launch_info *l);
/* Places at most one block per cluster. The device calls it once per core cycle. */
void perf_issue_ctas(struct gpu *g);
/* Returns the core on which the block after `blocks` others will be placed, if all cores have room. */
uint32_t perf_expected_core(const struct gpu *g, uint64_t blocks);
/* Returns the first cycle in which no instruction issued by a textbook core is in flight; 0 for other machines. */
uint64_t perf_under_way_until(const struct gpu *g);
/* Removes a finished block from its core, and finishes its kernel after the last block. `slot` is the core's slot; `gpu` is the device. */
void perf_cta_finished(void *gpu, uint32_t core, uint32_t slot, uint64_t now);

/* ---- tick.c ---- */
/* Executes one tick, or the rest of an interrupted one. Returns false if it stopped in front of an instruction or after a deferred atomic
 * (timing.atomic). */
bool perf_tick(struct gpu *g);
/* Returns true if blocks are left to place, or a core, partition or the network is busy. */
bool perf_active(const struct gpu *g);
/* Restarts the clocks, cores, network and partitions for kernels that begin on an idle machine. */
void perf_begin_batch(struct gpu *g);
/* Restarts the figures of a run that GPGPU-Sim prints for each kernel. */
void perf_begin_run(struct gpu *g);

/* ---- alone.c ---- */
/* Holds all warps but the one that runs alone, or releases all warps if there is none or its block isn't resident. Stores in performance.lone_waits whether
 * that warp waits at a barrier. */
void perf_hold_warps(struct gpu *g);
/* Ends a core cycle in which a warp runs alone: holds warps of blocks that were placed. If the warp has exited, releases all warps and sets lone_waits. */
void perf_alone_cycle(struct gpu *g);

/* ---- livelock.c ---- */
/* Ends an interval of the deadlock test, and starts or stops the search for spinning warps. */
void livelock_interval(struct gpu *g);
/* Returns true if all resident blocks spin or wait forever in two successive tests. The device calls it at times in watchful intervals. */
bool livelock_found(struct gpu *g);
/* Installs or removes the hooks for spinning warps, before the machine runs. */
void livelock_resume(struct gpu *g);
/* Records that all paths of a warp were seen to wait in this memory epoch. Proves that the warp spins if its state is that of the previous call. */
void livelock_all_paths_wait(struct gpu *g, uint32_t cta_slot, uint32_t warp);

/* ---- paths.c: lanes of a warp that wait for each other ---- */
/* Returns true if a resident warp is observed. */
bool paths_are_observed(const struct gpu *g);
/* Updates the observation of warps' paths after a core cycle. `cycle` counts from the start of the batch. */
void paths_cycle(struct gpu *g, uint64_t cycle);
/* Updates the observation of a warp after its instruction at `pc` (timing.on_observed), and switches to another path if the current one waits.
 * `gpu` is the device. */
void paths_observed(void *gpu, uint32_t slot, uint32_t warp, uint32_t pc, bool changed);
/* Observes a warp with several paths whose state repeats before its next instruction, so that another path follows. */
void paths_repeat(struct gpu *g, uint32_t slot, uint32_t warp);
/* Ends the observation of a warp whose deferred atomic has changed memory (timing.on_landed). `gpu` is the device. */
void paths_landed(void *gpu, uint32_t slot, uint32_t warp);

/* ---- machine_deadlock.c ---- */
/* Returns true if the machine rather than the program hangs: a runnable warp that doesn't spin is stuck, a finished block is resident, or no
 * block is. */
bool machine_hangs(const struct gpu *g);
/* Adds the state of cores, clusters, network and partitions of a stuck machine. */
void machine_explain_hang(const struct gpu *g, struct text *out);

/* ---- performance.c ---- */
/* Returns what the performance model needs of exec (EXEC_NEED_...). Accesses are recorded. Atomics are deferred until they reach memory; on textbook
 * cores they aren't, and nanosleep doesn't end a path's turn. */
unsigned perf_needs(const struct performance *pf);
/* Builds the performance model and puts the device into performance mode. Returns false if parts don't fit together, with a message in `why`,
 * or if there is no room. */
bool perf_create(struct gpu *g, const struct timing_config *cfg, struct text *why);
/* Frees the performance model with its logs, if there is one. */
void perf_destroy(struct gpu *g);
/* Drops all resident blocks and rebuilds the machine; the count of instructions continues. */
void perf_kill(struct gpu *g);
/* Rebuilds the machine after the device has dropped its blocks; statistics restart. */
void perf_reset(struct gpu *g);
/* Restores the performance model after the arena returned to an earlier state. In that state a tick had stopped at `at` for the reason `stopped`. */
void perf_restore(struct gpu *g, const struct timing_place *at, enum timing_stopped stopped);
/* Stores slot and index of the warp at which a tick stopped, or else of the first runnable resident warp. Returns false if no resident warp is
 * runnable. */
bool perf_next_warp(struct gpu *g, uint32_t *cta_slot, uint32_t *warp);
/* Runs the machine in performance mode until the request is fulfilled or an event occurs. */
void perf_run(struct gpu *g, const struct gpu_request *r, struct gpu_event *ev);

#endif
