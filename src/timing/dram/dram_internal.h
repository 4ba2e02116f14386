/* Inside a DRAM controller: its state.
 *
 * A timer is kept as the cycle until which it runs, counted in controller cycles: one set to t in cycle c is counted down in that
 * very cycle, so it holds commands back in the cycles below c + t. */
#ifndef TIMING_DRAM_INTERNAL_H
#define TIMING_DRAM_INTERNAL_H

#include <assert.h>

#include "timing/dram/dram.h"

struct dram_bank {
	uint64_t rcd, rcdwr, ras, rp, rc, wtp, rtp; /* until */
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

struct dram_group {
	uint64_t ccdl, rtpl; /* until */
};

/* The data bus and the pipes to it: an element per command, 0 where there was none. */
struct dram_pipe {
	uint64_t head; /* of the ring, counting up */
	uint32_t length, min, cap, used;
	uint32_t at[]; /* a power of two of them, above cap */
};

struct dram_state {
	uint64_t rrd, ccd, rtw, wtr; /* until */
	uint64_t active_until;	     /* the timers that make a cycle an active one */
	uint64_t next_command;	     /* none is legal before, unless a bank gets a request */
	uint64_t busy, has_waiting;  /* banks, a bit each: with a request; FR-FCFS: with requests waiting */
	uint64_t batch_start;	     /* core cycle */
	uint32_t prio;
	uint32_t pending;	 /* FR-FCFS: in the scheduler */
	bool writing;		 /* the pipe's length is WL */
	struct dram_stats stats; /* n.cmd is the present cycle */
};

struct dram {
	const struct dram_config *cfg;
	struct requests *q;
	uint32_t atom, burst_cycles, rcdwr, rtw, wtr, wtp, tag_bits; /* derived */
	struct dram_state *s;
	struct dram_bank *bank;
	struct dram_group *group;
	struct fifo *input, *returns;
	struct dram_pipe *pipe;
	uint32_t pipe_mask;
};

/* Returns the cycles for which a timer still runs; `cycle` is the next cycle. */
static inline uint32_t dram_left(uint64_t until, uint64_t cycle)
{
	return until > cycle ? (uint32_t)(until - cycle) : 0;
}
/* Returns the later of two cycles. */
static inline uint64_t later(uint64_t a, uint64_t b) { return a > b ? a : b; }
/* Returns the earlier of two cycles. */
static inline uint64_t sooner(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Returns the bank group of a bank. */
static inline struct dram_group *dram_group_of(const struct dram *d, uint32_t bank)
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
/* Gives at most one bank its next request, at core cycle `now`. */
void dram_schedule(struct dram *d, uint64_t now);

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
