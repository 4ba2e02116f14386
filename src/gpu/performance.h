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
	bool in_tick;		/* stopped between the cores of a tick: cluster and core say where */
	bool in_replies;	/* stopped between the replies of a tick, in front of those of `sub_partition` */
	uint32_t sub_partition;
	bool in_batch;
	bool turn_over;		/* in front of the next tick the kernels had their turn to start; a run may end and begin there */
	bool deadlock;
	bool serve_stream_zero;
	bool others_are_in; /* kernels of a context may begin beside those of another one */
	uint32_t cluster, core; /* position in the walk over the cores */
	uint32_t last_cluster_issue, last_issued_kernel;
	uint32_t cache_choice;	/* enum config_cache of the kernels that run */
	uint32_t n_ctas_left;	/* kernels in slots that still have CTAs to launch */
	bool no_room;		/* the CTA scheduler found no place for another, and nothing has changed since that could make one */
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
	uint64_t livelock_epoch, livelock_ctas;	    /* as the last test that found everybody spinning saw them; 0: it didn't */
};
/* The state a warp was in at some instruction, to be found again. */
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
	struct samples *samples; /* NULL: nobody wants a log */
	struct flow_log *flow_log; /* NULL: none */
	time_t first_sign, last_sign; /* of life, host time; 0: none yet */
	/* of the request under way */
	const struct gpu_request *request;
	bool lacks_memory; /* a block found no room in the arena, though no other is resident */
	bool placed_first;	/* a launch's first CTA has been placed: it is not `announced` yet */
};

static inline bool perf_domain(const struct perf_state *s, enum clock_domain d) { return s->domains >> d & 1; }

/* ---- dispatch.c: kernels and CTAs ---- */
/* Gives the next operation of an idle stream to the device, if there is one, and for a kernel a slot. True: it is for the host. */
bool perf_start_operation(struct gpu *g);
bool perf_runs_kernels(const struct gpu *g);
/* Returns true in performance mode if kernels have all its slots. */
bool perf_slots_are_full(const struct gpu *g);
#define GPU_SLOTS_ARE_FULL "as many kernels run as the device takes at a time (-gpgpu_max_concurrent_kernel)"
/* Gives those launches by kernels to the device that wait for nothing more. */
void perf_start_children(struct gpu *g);
/* A launch by a kernel is done: its parent may be, too. */
void perf_child_finished(struct gpu *g, const struct gpu_launch_info *l);
/* The CTA scheduler, once per core cycle: at most one CTA per cluster. */
void perf_issue_ctas(struct gpu *g);
/* The core of the block that is placed after `blocks` others, if all have room. */
uint32_t perf_expected_core(const struct gpu *g, uint64_t blocks);
void perf_cta_finished(void *gpu, uint32_t core, uint32_t slot, uint64_t now);

/* ---- tick.c ---- */
/* One tick, or the rest of one. False: it stopped in front of an instruction, or after a deferred atomic (timing.atomic). */
bool perf_tick(struct gpu *g);
static inline bool perf_inside_tick(const struct perf_state *s) { return s->in_tick || s->in_replies; }
bool perf_active(const struct gpu *g);
void perf_begin_batch(struct gpu *g);
/* Begins the figures of a run anew: those that GPGPU-Sim prints for each kernel. */
void perf_begin_run(struct gpu *g);

/* ---- livelock.c ---- */
/* An interval of the deadlock test is over. */
void livelock_interval(struct gpu *g);
/* In watchful intervals, from time to time: all that is resident spins for ever or waits for that. */
bool livelock_found(struct gpu *g);
void livelock_resume(struct gpu *g); /* before running */
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
/* A core cycle is over, so many after the batch began. */
void ways_cycle(struct gpu *g, uint64_t cycle);
/* An observed warp has executed the instruction at pc; timing.on_observed. */
void ways_observed(void *gpu, uint32_t slot, uint32_t warp, uint32_t pc, bool changed);
/* The warp, whose next instruction is about to issue, is in the state in which it was before, and has other ways: one of them is due. */
void ways_repeats(struct gpu *g, uint32_t slot, uint32_t warp);
/* A deferred atomic of an observed warp has changed memory; timing.on_landed. */
void ways_landed(void *gpu, uint32_t slot, uint32_t warp);

/* ---- deadlock_machine.c ---- */
/* Not the program hangs, but the machine: warps could go on if memory answered. And: who holds what, and waits for what. */
bool gpu_machine_is_stuck(const struct gpu *g);
void gpu_explain_machine(const struct gpu *g, struct text *out);

/* ---- statistics_runtime.c: every -gpgpu_runtime_stat cycles ---- */
void perf_print_runtime(struct gpu *g);

/* ---- samples.c: the log for AerialVision ---- */
void perf_take_sample(struct gpu *g);
void perf_stop_samples(struct gpu *g);
void perf_forget_samples(struct gpu *g); /* counts began anew */
void perf_begin_samples(struct gpu *g);	 /* a run begins */
void perf_note_sample(struct gpu *g, const struct core *c, const struct inst *i);

/* ---- logs.c ---- */
/* The machine tells those who log: after one of them has come or gone. */
void perf_hook_logs(struct gpu *g);
void perf_restart_logs(struct gpu *g); /* counts began anew, or the machine was built anew */
void perf_begin_logs(struct gpu *g);   /* a run begins */

/* ---- performance.c ---- */
bool perf_create(struct gpu *g, const struct timing_config *cfg, struct text *why);
void perf_destroy(struct gpu *g);
/* Drops everything under way. */
void perf_kill(struct gpu *g);
/* The same where the device has forgotten its blocks already, and statistics begin anew. */
void perf_reset(struct gpu *g);
/* The arena holds what it held at some earlier time. */
struct gpu_beside;
void perf_revive(struct gpu *g, const struct gpu_beside *beside);
/* Something runs, or is still on its way to memory. */
bool perf_has_work(const struct gpu *g);
bool perf_next_warp(struct gpu *g, uint32_t *cta_slot, uint32_t *warp);
void perf_get_stats(const struct gpu *g, struct gpu_stats *out);
void perf_run(struct gpu *g, const struct gpu_request *r, struct gpu_event *ev);

#endif
