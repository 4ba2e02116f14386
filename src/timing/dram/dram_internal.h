/* Inside a DRAM controller: its state.
 *
 * Times are controller cycles. A rule of the model (struct dram_rule) that a command in cycle c starts holds other commands back in the cycles below
 * c + delay. */
#ifndef TIMING_DRAM_INTERNAL_H
#define TIMING_DRAM_INTERNAL_H

#include <assert.h>

#include "timing/dram/dram.h"

/* A part of the DRAM (enum dram_level), and the state of its timing rules. */
struct dram_part {
	uint64_t next[DRAM_COMMANDS]; /* the first cycle in which the rules of its level allow each command */
	uint64_t last[DRAM_COMMANDS]; /* 1 + cycle of the last command of each kind in it; 0: none yet */
};

struct dram_bank {
	struct dram_part part;
	uint32_t row;
	bool active, serving; /* serving: the row in service has requests waiting (FR-FCFS) */
	bool is_write;	      /* of its request, as are the next three */
	uint32_t request, wanted_row, bytes, transferred;
	uint32_t serving_row;
	struct request_list waiting; /* oldest first */
	uint64_t n_access;
	uint64_t busy_cycles, busy_since;     /* with a request: finished ones' cycles, cycle the present one came */
	int64_t idle_correction;	      /* see count_visits() */
	uint64_t row_accesses_now, row_since; /* to the present row; core cycle it was opened for */
	struct dram_bank_stats stats;
};

/* The data bus and the pipes to it: an element per command, 0 where there was none. */
struct dram_pipe {
	uint64_t head; /* of the ring, counting up */
	uint32_t length, min, cap, used;
	uint32_t at[]; /* a power of two of them, above cap */
};

struct dram_state {
	struct dram_part channel;
	uint64_t active_until;	     /* cycles below it count as active ones: a rule with is_activity holds something back */
	uint64_t next_command;	     /* none is legal before, unless a bank gets a request */
	uint64_t busy, has_waiting;  /* banks, a bit each: with a request; FR-FCFS: with requests waiting */
	uint64_t batch_start;	     /* core cycle */
	uint32_t prio;
	uint32_t pending;	 /* FR-FCFS: in the scheduler */
	bool writing;		 /* the pipe's length is WL */
	struct dram_stats stats; /* n.cmd is the present cycle */
};

/* A rule for one command it holds back, with its delay in cycles. */
struct dram_delay {
	uint32_t cycles;
	uint8_t level, after; /* enum dram_level, enum dram_command */
};

struct dram {
	const struct dram_config *cfg;
	struct requests *q;
	uint32_t atom, burst_cycles, tag_bits; /* derived from the configuration, as are the next members */
	uint32_t rule_cycles[DRAM_RULES_MAX];  /* the delay of each rule of the model */
	uint32_t active_cycles[DRAM_COMMANDS]; /* cycles that count as active from a command on */
	struct dram_delay delay[DRAM_RULES_MAX * DRAM_COMMANDS]; /* sorted by the command that starts them */
	uint32_t first_delay[DRAM_COMMANDS + 1]; /* those of command k: first_delay[k] up to first_delay[k + 1] */
	struct dram_state *s;
	struct dram_bank *bank;
	struct dram_part *group;
	struct fifo *input, *returns;
	struct dram_pipe *pipe;
	uint32_t pipe_mask;
};

/* Returns the later of two cycles. */
static inline uint64_t later(uint64_t a, uint64_t b) { return a > b ? a : b; }
/* Returns the earlier of two cycles. */
static inline uint64_t sooner(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Returns the bank group of a bank. */
static inline struct dram_part *dram_group_of(const struct dram *d, uint32_t bank)
{
	return &d->group[d->cfg->low_groups ? bank & (d->cfg->t.nbkgrp - 1) : bank >> d->tag_bits];
}

/* Rotates a mask of n banks so that bit 0 is bank `first`. */
static inline uint64_t banks_from(uint64_t mask, uint32_t first, uint32_t n)
{
	return first ? (mask >> first | mask << (n - first)) & (n == 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1) : mask;
}
/* Returns the bank of bit i in a mask that banks_from has rotated. */
static inline uint32_t bank_turned(uint32_t i, uint32_t first, uint32_t n)
{
	return i + first >= n ? i + first - n : i + first;
}

/* ---- dram_schedule.c ---- */
struct dram_scheduler {
	const char *name; /* for people */
	bool has_queue;	  /* requests wait for their banks in dram_bank.waiting; else all are in the input queue */
	void (*schedule)(struct dram *d, uint64_t now); /* gives at most one bank its next request, at core cycle `now` */
	bool (*is_full)(const struct dram *d);
	uint32_t (*queue_length)(const struct dram *d);
};

/* ---- dram_timing.c ---- */
/* Stores the value of a rule's delay. Returns false if `sum` is malformed or names a parameter that does not exist. */
bool dram_delay(const struct dram_config *cfg, const char *sum, int64_t *out);
/* Returns the command cycles that one burst takes on the data bus. */
static inline uint32_t dram_burst_cycles(const struct dram_config *cfg) { return cfg->burst_length / cfg->data_ratio; }

/* ---- dram_rules.c ---- */
/* Checks the model's rules with a configuration's parameters. Returns false with the reason in `why` if a delay is malformed or negative. */
bool dram_rules_check(const struct dram_config *cfg, struct text *why);
/* Computes the controller's delays from the rules of its model, which have been checked. */
void dram_rules_init(struct dram *d);
/* Returns the first cycle in which the rules allow a command for a bank. */
static inline uint64_t dram_allowed_from(const struct dram *d, uint32_t bank, enum dram_command command)
{
	return later(d->s->channel.next[command], later(dram_group_of(d, bank)->next[command], d->bank[bank].part.next[command]));
}
/* Starts the timers of a command that is given to a bank in this cycle. */
void dram_rules_start(struct dram *d, uint32_t bank, enum dram_command command);
/* Returns part k of a level. */
struct dram_part *dram_part_at(const struct dram *d, enum dram_level level, uint32_t k);
/* Returns the number of parts of a level. */
uint32_t dram_part_count(const struct dram *d, enum dram_level level);
/* Returns the command cycles for which rule `rule` of the DRAM model still forbids its commands in part `k` of the rule's level. The part is the
 * channel, a bank group or a bank. Returns 0 if the rule forbids none. */
uint32_t dram_rule_left(const struct dram *d, unsigned rule, uint32_t k);
/* Returns true if the timers of all parts follow from the commands given. */
bool dram_rules_are_valid(const struct dram *d);

/* ---- dram_pipe.c ---- */
/* Allocates a pipe of `min` to `cap` elements in m's arena and stores the mask of its ring, which the functions below take. Returns NULL if there is no room. */
struct dram_pipe *dram_pipe_take(struct timing_memory *m, uint32_t min, uint32_t cap, uint32_t *mask);
/* Returns whether the pipe takes no further command. */
static inline bool dram_pipe_full(const struct dram_pipe *p) { return p->length >= p->cap; }
/* Enters the request of a column command; the pipe must not be full. */
void dram_pipe_push(struct dram_pipe *p, uint32_t mask, uint32_t request);
/* Removes the next element and returns its request, or 0 if there was no command in that cycle. */
uint32_t dram_pipe_pop(struct dram_pipe *p, uint32_t mask);
/* Changes the minimal length, which is the delay from a command to its data. */
void dram_pipe_set_min(struct dram_pipe *p, uint32_t mask, uint32_t min);
/* Returns element k, counted from the next one to be removed. */
static inline uint32_t dram_pipe_peek(const struct dram_pipe *p, uint32_t mask, uint32_t k)
{
	return p->at[(uint32_t)(p->head + k) & mask];
}

#endif
