/* The timing model as a whole: cores, clusters, network, partitions, and what they share. src/gpu moves its clocks. */
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
	bool stuck; /* a CTA's warps all wait at barriers: nobody will ever open them */
	uint64_t changes; /* stores that (may) have changed memory, counted by exec; gpu takes them from here */
	uint32_t split;	   /* 1 + index of the first load that was written in parts because it had to be (WRITEBACK_AS_NEEDED); 0: none */
	uint64_t sim_insn; /* gpu_sim_insn, of the whole run (gpu keeps what it was when the batch began) */
	struct latency_stats latency;
};

/* Where issue stands or stopped. */
struct timing_place {
	uint32_t core, cta_slot, warp, pc; /* warp: index in its CTA */
};
/* A deferred atomic that has just been executed and that somebody may want to know of: its instruction is marked, or it touched watched
 * memory (exec's `access`). The machine stops right after it. */
struct timing_atomic {
	bool happened;
	struct timing_place at;
	uint32_t lanes;
};
/* Where inside a tick the machine stands: in front of an instruction, after one, after a deferred atomic. */
enum timing_stopped { TIMING_IN_FRONT, TIMING_AFTER, TIMING_LANDED };
/* A warp that is to stop before the instruction after the next `left`. */
struct timing_watch {
	bool on;
	uint32_t cta_slot, warp;
	uint64_t left;
};

/* A scheduler's turn: it begins; or what came of it, as the statistics count it. */
enum timing_turn { TURN_BEGINS, TURN_ISSUED, TURN_IDLE, TURN_SCOREBOARD, TURN_PIPELINE, TURN_COUNT };

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
	uint64_t *responding;	 /* clusters with something in their response FIFO, a bit each */
	struct icnt *icnt;	 /* NULL with perfect memory */
	struct partitions *partitions;
	struct timing_place at;
	struct timing_watch watch;
	struct timing_atomic atomic;
	enum timing_stopped stopped;
	/* where it is to stop, 0: nowhere. Numbers of the next instruction (next_inst_uid), in front of it and right after the one before it; times that
	 * deferred effects have landed */
	uint64_t stop_front, stop_after, stop_landed;
	bool lacks_scoreboards; /* the program has more registers than there is room for: what runs goes on, nothing can be launched */
	bool lists;  /* the schedulers of this machine order lists of warps (scheduler_has_list) */
	bool turns;  /* they do, or somebody looks at each scheduler's turns */
	bool sleeps; /* idle cores sleep; off for those who look at every cycle */
	bool one;    /* stop after the next instruction issued */
	bool asks;   /* somebody wants to know of what issues: timing_ask */
	enum exec_status status; /* of the last instruction; BUDGET after a stop: the watched warp is about to issue */
	/* given by gpu: where a launch and a CTA are */
	void *gpu;
	const struct exec_launch *(*launch)(void *gpu, uint32_t id);
	struct exec_cta *cta; /* by slot */
	void (*before_issue)(void *gpu, uint32_t cta_slot, uint32_t warp); /* an instruction is about to be executed; NULL: nobody wants to know */
	/* those who look at the machine while it runs, and change nothing; NULL: nobody */
	void *observer;
	void (*on_issue)(void *observer, struct core *c, uint32_t inst, uint64_t now);
	void (*on_cycle)(void *observer, struct core *c,
			 uint64_t now); /* a core's cycle is over; not of cores that sleep */
	void (*on_tick)(void *observer, uint32_t domains,
			uint64_t now); /* a tick is over: a bit per domain that had an edge */
	/* A turn begins (n 0: the core has slept through it, n 1: it hasn't); or n turns are over and the same came of each. `warp`: it has issued */
	void (*on_turn)(void *observer, struct core *c, uint32_t scheduler, enum timing_turn what, uint32_t warp, uint64_t n);
	/* logs; NULL: nobody keeps one */
	void (*log_issue)(void *self, struct core *c, const struct inst *i);
	void (*log_latency)(void *self, uint32_t request, uint64_t latency); /* a reply is back at its LDST unit */
	void (*log_dram)(void *self, uint32_t request); /* a request goes to its bank's controller */
	void *log_self;
	void (*cta_finished)(void *gpu, uint32_t core, uint32_t cta, uint64_t now); /* all threads of it retired */
};

/* Blocks of a machine; false with a message in `why`. */
bool timing_create(struct timing *t, const struct timing_config *cfg, struct arena *a, struct exec *x, struct text *why);
void timing_destroy(struct timing *t);
void timing_program_changed(struct timing *t, uint32_t n_insns); /* figures and scoreboards are for so many */
/* What is there of the program where the machine stands: so many instructions, but for those gone; `variables`: other ones than before. */
void timing_program_stands(struct timing *t, uint32_t n_insns, uint32_t gone_first, uint32_t gone_end, bool variables);
/* Its sections hold what they held at some earlier time. */
void timing_revived(struct timing *t);
/* After a change of watch.on, stop_front, stop_after, one or before_issue: issue looks at all of them only if one is set. */
static inline void timing_ask(struct timing *t)
{
	t->asks = t->watch.on || t->stop_front || t->stop_after || t->one || t->before_issue;
}
/* After a change of on_turn or lists. */
static inline void timing_look_at_turns(struct timing *t) { t->turns = t->lists || t->on_turn; }
/* Whatever was counted is 0 again. Not the network's figures of the batch. */
void timing_reset_statistics(struct timing *t);
/* Parts; false: no room. */
bool core_create(struct core *c, struct timing *t, uint32_t id);
void core_destroy(struct core *c);
/* Places a CTA whose exec state is ready on a core's CTA slot. */
void core_place_cta(struct core *c, uint32_t slot, uint32_t cta_slot, const struct exec_launch *l, uint64_t now);
void core_restart(struct core *c); /* a new batch of kernels: warps and SIMT state fresh, caches kept */

/* Begins to keep figures of each instruction; false: no room. */
bool timing_keep_lines(struct timing *t);
/* Calls log_dram, if there is one, from now on. */
void timing_watch_dram(struct timing *t);
/* The program has grown to so many instructions. */
bool timing_lines_fit(struct timing *t, uint32_t n_insns);
/* What an instruction that was issued did to its warp: SIMT stack depth before and after, lanes on top, lanes that have exited. */
struct timing_step {
	bool branches; /* it may send lanes different ways */
	uint32_t depth_before, depth, mask, exited;
};
void timing_count_issue(struct timing *t, const struct inst *i, const struct timing_step *step);
static inline struct timing_line *timing_line_of(struct timing *t, uint32_t pc) { return &t->line[pc]; }

#endif
