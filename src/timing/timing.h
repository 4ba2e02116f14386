/* The timing model as a whole: cores, clusters, network, partitions, and their common state. src/gpu advances its clocks. */
#ifndef TIMING_TIMING_H
#define TIMING_TIMING_H

#include "timing/cluster.h"
#include "timing/icnt/icnt.h"
#include "timing/partition/partition.h"

struct timing_config {
	struct core_config core;
	struct partition_config partition;
	struct address_map map;
	struct icnt_config *icnt; /* owned */
	double period[4];	  /* seconds: core, icnt, L2, DRAM */
	uint64_t flush_l1, flush_l2;
	uint64_t launch_latency, cta_launch_latency; /* 4.x: core cycles before a kernel's first CTA, and more for each CTA it has */
	uint32_t memlatency_stat;
	uint64_t stat_sample_freq; /* -gpgpu_runtime_stat */
	uint32_t runtime_flags;
};

/* Latencies of requests (-gpgpu_memlatency_stat). */
struct latency_stats {
	uint64_t max_mf, max_icnt2sh;
	uint64_t mf_table[32], icnt2sh_table[24], mf_window_table[32];
	uint64_t window_n, window_sum; /* since the last window was closed */
	uint64_t windows, windows_sum; /* requests of all closed windows, and the sum of their latencies */
};

/* Per instruction of the program (-enable_ptx_file_line_stats, -gpgpu_ptx_instruction_classification); printed per line. count: lanes; executed:
 * those whose guard was true. */
struct timing_line {
	uint64_t count, executed, latency, dram_traffic, smem_conflicts, smem_warps, gmem_accesses, gmem_warps, divergences;
};

struct timing_state {
	uint64_t next_inst_uid;
	bool stuck; /* all warps of a CTA wait at barriers that can't open */
	uint64_t changes; /* stores that (may) have changed memory, counted by exec and consumed by gpu */
	uint32_t split;	   /* 1 + index of the first load that was written in parts because it had to be (WRITEBACK_AS_NEEDED); 0: none */
	uint64_t sim_insn; /* gpu_sim_insn, of the whole run (gpu keeps what it was when the batch began) */
	struct latency_stats latency;
};

/* The instruction at which issue stopped. */
struct timing_place {
	uint32_t core, cta_slot, warp, pc; /* warp: index in its CTA */
};
/* A deferred atomic that has just been executed and that is watched: its instruction is marked, or it touched watched memory (exec's `access`). The machine stops
 * right after it. */
struct timing_atomic {
	bool happened;
	struct timing_place at;
	uint32_t lanes;
};
/* The machine's place inside a tick: before an instruction, after one, after a deferred atomic. */
enum timing_stopped { TIMING_IN_FRONT, TIMING_AFTER, TIMING_LANDED };
/* A warp that is to stop before the instruction after the next `left`. */
struct timing_watch {
	bool on;
	uint32_t cta_slot, warp;
	uint64_t left;
	const uint8_t *marks; /* a byte for each instruction in front of which it stops; or NULL */
	void (*look)(void *gpu, uint32_t cta_slot, uint32_t warp, uint32_t pc); /* called in front of each instruction of every warp, or NULL */
};

/* A scheduler's turn: it begins; or its result as the statistics count it. */
enum timing_turn { TURN_BEGINS, TURN_ISSUED, TURN_IDLE, TURN_SCOREBOARD, TURN_PIPELINE, TURN_COUNT };

/* What looks on without changing anything: functions that are called with `self`, or NULL. */
struct timing_observer {
	void *self;
	void (*on_issue)(void *self, struct core *c, uint32_t inst, uint64_t now);
	void (*on_complete)(void *self, const struct inst *i, uint64_t now); /* the results of an instruction are ready, also after it has issued */
	void (*on_cycle)(void *self, struct core *c, uint64_t now);	     /* a core's cycle is over; not of cores that sleep */
	void (*on_tick)(void *self, uint32_t domains, uint64_t now);	     /* a tick is over: a bit per domain that had an edge */
	/* Called when a turn begins (n 1; n 0: the core slept through it), and after n turns with the same result; `warp` has issued. */
	void (*on_turn)(void *self, struct core *c, uint32_t scheduler, enum timing_turn what, uint32_t warp, uint64_t n);
	struct request_observer requests;
};

struct timing {
	const struct timing_config *cfg;
	struct exec *exec;
	struct timing_program program;
	struct timing_memory memory;
	struct requests requests;
	struct timing_state *s;
	struct timing_line *line; /* one per instruction, in section "lines"; NULL: not kept */
	int line_section, scoreboard_section;
	struct core *core;	 /* all of them */
	struct collector_layout *collectors; /* of all cores */
	struct cluster *cluster;
	uint64_t *responding;	 /* bits of clusters whose response FIFO is not empty */
	struct icnt *icnt;	 /* NULL with perfect memory */
	struct partitions *partitions;
	struct timing_place at;
	struct timing_watch watch;
	struct timing_atomic atomic;
	enum timing_stopped stopped;
	uint64_t stop_front;  /* the machine stops before the instruction with this number (next_inst_uid); 0: no such stop */
	uint64_t stop_after;  /* the machine stops right after the instruction before this number; 0: no such stop */
	uint64_t stop_landed; /* the machine stops when so many deferred effects have landed; 0: no such stop */
	bool lacks_scoreboards; /* the program has more registers than there is room for: running launches continue, no new launch is possible */
	bool lists;  /* the schedulers of this machine order lists of warps (scheduler_has_list) */
	bool turns;  /* `lists`, or observer.on_turn is set */
	bool sleeps; /* idle cores sleep; false while an observer needs every cycle */
	bool one;    /* stop after the next instruction issued */
	struct timing_observed { /* while an instruction of an observed warp issues */
		bool on;
		uint64_t changes;
	} observed;
	bool observes; /* warps may be observed (exec_warp.waiting) */
	bool asks;   /* the issue stage checks for stops: timing_ask */
	enum exec_status status; /* of the last instruction; BUDGET after a stop: the watched warp is about to issue */
	/* set by gpu: access to launches and CTAs */
	void *gpu;
	const struct exec_launch *(*launch)(void *gpu, uint32_t id);
	struct exec_cta *cta; /* by slot */
	void (*before_issue)(void *gpu, uint32_t cta_slot, uint32_t warp); /* called before each instruction is executed, or NULL */
	/* Called for warps with exec_warp.waiting set: after an instruction has issued (`changed`: the warp has changed memory), and after a deferred
	 * atomic has changed memory. */
	void (*on_observed)(void *gpu, uint32_t cta_slot, uint32_t warp, uint32_t pc, bool changed);
	void (*on_landed)(void *gpu, uint32_t cta_slot, uint32_t warp);
	struct timing_observer observer; /* set by timing_observe */
	/* logs, or NULL */
	void (*log_issue)(void *self, struct core *c, const struct inst *i);
	void (*log_latency)(void *self, uint32_t request, uint64_t latency); /* a reply is back at its LDST unit */
	void (*log_dram)(void *self, uint32_t request); /* a request goes to its bank's controller */
	void *log_self;
	void (*cta_finished)(void *gpu, uint32_t core, uint32_t cta, uint64_t now); /* all threads of it retired */
};

/* Builds all blocks of a machine with their state in arena a. Returns false with the reason in `why` if there is no room or packets don't fit the network. */
bool timing_create(struct timing *t, const struct timing_config *cfg, struct arena *a, struct exec *x, struct text *why);
/* Frees the views of all blocks. */
void timing_destroy(struct timing *t);
/* Adds instructions loaded since the last call, and makes room in the figures and scoreboards for n_insns instructions. */
void timing_program_changed(struct timing *t, uint32_t n_insns);
/* Sets the part of the program that is loaded at the machine's present step: n_insns instructions without [gone_first, gone_end). With `variables` the table of
 * variables is rebuilt. */
void timing_program_stands(struct timing *t, uint32_t n_insns, uint32_t gone_first, uint32_t gone_end, bool variables);
/* Adapts the views after the arena's sections were restored to an earlier moment. */
void timing_revived(struct timing *t);
/* Updates t->asks. Call it after a change of watch.on, stop_front, stop_after, one or before_issue: issue checks them only if t->asks. */
static inline void timing_ask(struct timing *t)
{
	t->asks = t->watch.on || t->watch.look || t->stop_front || t->stop_after || t->one || t->before_issue || t->observes;
}
/* Updates t->turns. Call it after a change of `lists`. */
static inline void timing_look_at_turns(struct timing *t) { t->turns = t->lists || t->observer.on_turn; }
/* Makes a copy of *o the observer of the machine and of its requests. */
static inline void timing_observe(struct timing *t, const struct timing_observer *o)
{
	t->observer = *o;
	t->requests.observer = o->requests;
	timing_look_at_turns(t);
}
/* Clears all statistics but the network's figures of the present batch. */
void timing_reset_statistics(struct timing *t);
/* Builds a core. Returns false if there is no room. */
bool core_create(struct core *c, struct timing *t, uint32_t id);
/* Frees the views of a core's blocks. */
void core_destroy(struct core *c);
/* Places a CTA whose exec state is ready on a core's CTA slot. */
void core_place_cta(struct core *c, uint32_t slot, uint32_t cta_slot, const struct exec_launch *l, uint64_t now);
/* Resets warps and front end for a new batch of kernels; caches keep their lines. */
void core_restart(struct core *c);

/* Begins to keep figures of each instruction. Returns false if there is no room. */
bool timing_keep_lines(struct timing *t);
/* Makes the partitions call log_dram from now on, if it is set. */
void timing_watch_dram(struct timing *t);
/* Makes room for the figures of n_insns instructions, if figures are kept. Returns false if there is no room. */
bool timing_lines_fit(struct timing *t, uint32_t n_insns);
/* The effect of an issued instruction on its warp: SIMT stack depth before and after, lanes on top, lanes that have exited. */
struct timing_step {
	bool branches; /* it may send lanes different ways */
	uint32_t depth_before, depth, mask, exited;
};
/* Adds an issued instruction to the figures of its line. */
void timing_count_issue(struct timing *t, const struct inst *i, const struct timing_step *step);
/* Returns the figures of an instruction; they must be kept. */
static inline struct timing_line *timing_line_of(struct timing *t, uint32_t pc) { return &t->line[pc]; }

#endif
