/* Performance mode inside src/gpu: the device's clocks, kernels and CTAs around the timing model (performance.c, tick.c, dispatch.c). */
#ifndef GPU_PERFORMANCE_H
#define GPU_PERFORMANCE_H

#include <time.h>

#include "gpu/config_timing.h"
#include "gpu/internal.h"

enum clock_domain { CLOCK_CORE, CLOCK_ICNT, CLOCK_L2, CLOCK_DRAM, CLOCKS };

/* Statistics that belong to no block of the machine: uint64_t that only grow. */
struct perf_counts {
	uint64_t stall_dramfull, stall_icnt2sh;
	uint64_t issued_ctas; /* counted by 4.x only */
};

/* State of the machine above the cores: in the arena. */
struct perf_state {
	double next[CLOCKS];	/* time of each domain's next edge, seconds since the batch began */
	uint64_t ticks;		/* completed since the machine was built */
	uint32_t domains;	/* of the tick under way, a bit each */
	bool in_tick;		/* stopped between the cores of a tick, at `cluster` and `core` */
	bool in_replies;	/* stopped between the replies of a tick, before those of `sub_partition` */
	uint32_t sub_partition;
	bool in_batch;
	bool turn_over;		/* kernels had their turn to start before the next tick; a run may end and begin there */
	bool deadlock;
	bool serve_stream_zero;
	bool others_are_in; /* kernels of several contexts may run at once */
	uint32_t cluster, core; /* position in the walk over the cores */
	uint32_t last_cluster_issue, last_issued_kernel;
	uint32_t cache_choice;	/* enum config_cache of the kernels that run */
	uint32_t n_ctas_left;	/* kernels in slots that still have CTAs to launch */
	bool no_room;		/* the CTA scheduler found no room for a CTA, and nothing that could make room has happened since */
	uint64_t latency_over;	/* core cycle from which all started kernels have CTAs to give (4.x) */
	uint64_t deadlock_insns; /* gpu_sim_insn at the last deadlock test */
	uint64_t ctas_launched; /* of the batch */
	struct perf_counts counts;
	bool warm;		/* a CTA was placed since the machine was built */
	uint64_t batch_cycle, batch_insns; /* the device's cycle and instructions when the batch began */
	/* looking for warps that spin (livelock.c) */
	bool watchful;
	uint64_t quiet_intervals, ctas_done_before; /* since the last CTA that finished; CTAs finished then */
	uint64_t tested_epoch;	/* memory epoch at the last test */
	uint32_t ahead_left;	/* instructions that may be run ahead in vain until the next test */
	uint32_t ahead_tries;	/* so many were in vain of the warp that was proven last */
	uint64_t livelock_epoch, livelock_ctas;	    /* values at the last test if all warps were spinning; epoch 0: not all were */
};
/* A warp's state at an instruction, to detect its recurrence. */
struct livelock_probe {
	uint64_t epoch, executed, hash;
	uint64_t last; /* `executed` when it was there last */
	uint32_t pc, n_simt, matches;
	bool hashed;	/* hash is that of its first return to pc */
};
#define PERF_FREE_SLOT UINT32_MAX

struct samples;	 /* samples.c */
struct flow_log; /* flow_log.c */

struct performance {
	struct timing timing;
	const struct timing_config *config;
	struct perf_state *s;
	struct fifo *finished;	/* launches */
	struct livelock_probe *probes; /* by CTA slot and warp */
	uint32_t *slots;	/* kernel slots: launch ids, PERF_FREE_SLOT */
	uint32_t n_slots;
	struct samples *samples; /* NULL: no log is active */
	struct flow_log *flow_log; /* NULL: none */
	time_t first_sign, last_sign; /* of life, host time; 0: none yet */
	/* of the request under way */
	const struct gpu_request *request;
	bool lacks_memory; /* the arena has no room for a block although no other block is resident */
	bool placed_first;	/* the first CTA of a launch that isn't `announced` was placed */
};

/* Returns true if the clock domain has an edge in the current tick. */
static inline bool perf_domain(const struct perf_state *s, enum clock_domain d) { return s->domains >> d & 1; }

/* ---- dispatch.c: kernels and CTAs ---- */
/* Starts the next stream operation if one can begin; a launch gets a kernel slot. Returns true if the operation is the host's. */
bool perf_start_operation(struct gpu *g);
/* Returns true if at least one kernel occupies a slot. */
bool perf_runs_kernels(const struct gpu *g);
/* Returns true in performance mode if kernels have all its slots. */
bool perf_slots_are_full(const struct gpu *g);
#define GPU_SLOTS_ARE_FULL "as many kernels run as the device takes at a time (-gpgpu_max_concurrent_kernel)"
/* Starts launches by threads that wait for nothing, while slots are free. */
void perf_start_children(struct gpu *g);
/* Finishes the parent of a launch by a thread that is done, if the parent only waited for its children. */
void perf_child_finished(struct gpu *g, const struct gpu_launch_info *l);
/* Places at most one block per cluster. The device calls it once per core cycle. */
void perf_issue_ctas(struct gpu *g);
/* Returns the core on which the block after `blocks` others will be placed, if all cores have room. */
uint32_t perf_expected_core(const struct gpu *g, uint64_t blocks);
/* Removes a finished block from its core, and finishes its kernel after the last block. `slot` is the core's slot; `gpu` is the device. */
void perf_cta_finished(void *gpu, uint32_t core, uint32_t slot, uint64_t now);

/* ---- tick.c ---- */
/* Executes one tick, or the rest of an interrupted one. Returns false if it stopped in front of an instruction or after a deferred atomic
 * (timing.atomic). */
bool perf_tick(struct gpu *g);
/* Returns true if the machine stopped inside a tick. */
static inline bool perf_inside_tick(const struct perf_state *s) { return s->in_tick || s->in_replies; }
/* Returns true if blocks are left to place, or a core, partition or the network is busy. */
bool perf_active(const struct gpu *g);
/* Restarts the clocks, cores, network and partitions for kernels that begin on an idle machine. */
void perf_begin_batch(struct gpu *g);
/* Restarts the figures of a run that GPGPU-Sim prints for each kernel. */
void perf_begin_run(struct gpu *g);

/* ---- livelock.c ---- */
/* Ends an interval of the deadlock test, and starts or stops the search for spinning warps. */
void livelock_interval(struct gpu *g);
/* Returns true if all resident blocks spin or wait forever in two successive tests. The device calls it at times in watchful intervals. */
bool livelock_found(struct gpu *g);
/* Installs or removes the hooks for spinning warps, before the machine runs. */
void livelock_resume(struct gpu *g);
/* Notes that all ways of a warp have been seen to wait in this memory epoch; proves a spin if the warp is in the state it was in the last time. */
void livelock_all_ways_wait(struct gpu *g, uint32_t cta_slot, uint32_t warp);

/* ---- prove_aside.c ---- */
struct prove_aside {
	bool is_tried; /* else effects of the warp are under way */
	bool is_proven;
	uint32_t steps; /* instructions that were run for it */
};
/* Tries to prove that a warp waits for ever while no other one changes memory; after `tries` that were in vain. */
struct prove_aside prove_aside(struct gpu *g, uint32_t slot, uint32_t warp, uint64_t tries);

/* ---- ways_performance.c: lanes of a warp that wait for each other ---- */
/* Returns true if a resident warp is observed. */
bool ways_are_observed(const struct gpu *g);
/* Updates the observation of warps' ways after a core cycle. `cycle` counts from the start of the batch. */
void ways_cycle(struct gpu *g, uint64_t cycle);
/* Updates the observation of a warp after its instruction at `pc` (timing.on_observed), and switches to another way if the current one waits.
 * `gpu` is the device. */
void ways_observed(void *gpu, uint32_t slot, uint32_t warp, uint32_t pc, bool changed);
/* Observes a warp with several ways whose state repeats before its next instruction, so that another way follows. */
void ways_repeats(struct gpu *g, uint32_t slot, uint32_t warp);
/* Ends the observation of a warp whose deferred atomic has changed memory (timing.on_landed). `gpu` is the device. */
void ways_landed(void *gpu, uint32_t slot, uint32_t warp);

/* ---- deadlock_machine.c ---- */
/* Returns true if the machine rather than the program hangs: a runnable warp that doesn't spin is stuck, a finished block is resident, or no
 * block is. */
bool gpu_machine_is_stuck(const struct gpu *g);
/* Adds the state of cores, clusters, network and partitions of a stuck machine. */
void gpu_explain_machine(const struct gpu *g, struct text *out);

/* ---- statistics_runtime.c: every -gpgpu_runtime_stat cycles ---- */
/* Adds the printout of every -gpgpu_runtime_stat cycles to gpu_log. */
void perf_print_runtime(struct gpu *g);

/* ---- samples.c: the log for AerialVision ---- */
/* Passes a sample of AerialVision's log to the observer, if there is one. */
void perf_take_sample(struct gpu *g);
/* Ends AerialVision's log and frees its memory. */
void perf_stop_samples(struct gpu *g);
/* Restarts the log's differences after counts were reset. */
void perf_forget_samples(struct gpu *g);
/* Restarts the log's thread positions when a run begins. */
void perf_begin_samples(struct gpu *g);
/* Counts an issued instruction for AerialVision's log, which must be active. */
void perf_note_sample(struct gpu *g, const struct core *c, const struct inst *i);

/* ---- logs.c ---- */
/* Connects the timing model to the active logs, after a log was started or ended. */
void perf_hook_logs(struct gpu *g);
/* Restarts all logs after counts were reset or the machine was rebuilt. */
void perf_restart_logs(struct gpu *g);
/* Restarts the logs' intervals when a run begins. */
void perf_begin_logs(struct gpu *g);

/* ---- performance.c ---- */
/* Builds the performance model and puts the device into performance mode. Returns false if parts don't fit together, with a message in `why`,
 * or if there is no room. */
bool perf_create(struct gpu *g, const struct timing_config *cfg, struct text *why);
/* Frees the performance model with its logs, if there is one. */
void perf_destroy(struct gpu *g);
/* Drops all resident blocks and rebuilds the machine; the count of instructions continues. */
void perf_kill(struct gpu *g);
/* Rebuilds the machine after the device has dropped its blocks; statistics restart. */
void perf_reset(struct gpu *g);
struct gpu_beside;
/* Restores the performance model after the arena returned to an earlier state; `beside` is from that time. */
void perf_revive(struct gpu *g, const struct gpu_beside *beside);
/* Returns true if a batch is under way or a launch by a thread isn't done. */
bool perf_has_work(const struct gpu *g);
/* Stores the warp at which a tick stopped, or else the first runnable resident warp. Returns false if there is none. */
bool perf_next_warp(struct gpu *g, uint32_t *cta_slot, uint32_t *warp);
/* Stores the numbers of instructions and cycles in performance mode. */
void perf_get_stats(const struct gpu *g, struct gpu_stats *out);
/* Runs the machine in performance mode until the request is fulfilled or an event occurs. */
void perf_run(struct gpu *g, const struct gpu_request *r, struct gpu_event *ev);

#endif
