/* The performance model as a part of the device: its state above the cores, and what other rooms of src/gpu ask of it. */
#ifndef GPU_DEVICE_PERFORMANCE_STATE_H
#define GPU_DEVICE_PERFORMANCE_STATE_H

#include <time.h>

#include "gpu/config/config_timing.h"
#include "gpu/device/internal.h"

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
	bool streams_had_turn;	/* streams had their turn to start operations before the next tick; a run may end and begin there */
	bool deadlock;
	bool serve_stream_zero;
	bool contexts_overlap; /* kernels of several contexts may run at once */
	uint32_t cluster, core; /* position in the walk over the cores */
	uint32_t last_cluster_issue, last_issued_kernel;
	uint32_t last_core;	/* textbook machine: the core that got a CTA last */
	uint32_t cache_choice;	/* enum config_cache of the kernels that run */
	uint32_t n_ctas_left;	/* kernels in slots that still have CTAs to launch */
	bool no_room;		/* the CTA scheduler found no room for a CTA, and nothing that could make room has happened since */
	uint64_t latency_over;	/* core cycle from which all started kernels have CTAs to give (4.x) */
	uint64_t deadlock_insns; /* gpu_sim_insn at the last deadlock test */
	uint64_t ctas_launched; /* of the batch */
	struct perf_counts counts;
	bool warm;		/* a CTA was placed since the machine was built */
	uint64_t sample_due;	/* cycle of the next time-lapse sample; UINT64_MAX: none */
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

struct samples;	 /* statistics/samples.c */
struct flow_log; /* statistics/flow_log.c */

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
	bool lone_waits;	/* the warp that runs alone has exited, or waits at a barrier */
	bool placed_first;	/* the first CTA of a launch that isn't `announced` was placed */
};

/* Returns true if the clock domain has an edge in the current tick. */
static inline bool perf_domain(const struct perf_state *s, enum clock_domain d) { return s->domains >> d & 1; }

/* Returns true if the machine stopped inside a tick. */
static inline bool perf_inside_tick(const struct perf_state *s) { return s->in_tick || s->in_replies; }
/* Returns true if at least one kernel occupies a slot. */
bool perf_runs_kernels(const struct gpu *g);
/* Returns true in performance mode if kernels have all its slots. */
bool perf_slots_are_full(const struct gpu *g);
#define GPU_SLOTS_ARE_FULL "as many kernels run as the device takes at a time (-gpgpu_max_concurrent_kernel)"
/* Returns true if a batch is under way or a launch by a thread isn't done. */
bool perf_has_work(const struct gpu *g);
/* Stores the numbers of instructions and cycles in performance mode. */
void perf_get_stats(const struct gpu *g, struct gpu_stats *out);
/* Returns the lowest free kernel slot, or performance.n_slots if all slots are occupied. */
uint32_t perf_free_slot(const struct performance *pf);

#endif
