/* A DRAM controller and its banks, one command per DRAM command clock. Source: GPGPU-Sim manual "DRAM scheduling and timing model",
 * behaviour of 3.2.2. */
#ifndef TIMING_DRAM_H
#define TIMING_DRAM_H

#include "base/text.h"
#include "timing/common/memory.h"
#include "timing/common/request.h"
#include "timing/common/rules.h"

#define DRAM_BANKS_MAX 64u

/* As in -gpgpu_dram_timing_opt; DRAM cycles, but for the numbers of banks and bank groups. */
struct dram_timing {
	uint32_t nbk, ccd, rrd, rcd, ras, rp, rc, cl, wl, cdlr, wr, nbkgrp, ccdl, rtpl;
};
/* Positional (`nbk:tCCD:...`) or named (`nbk=16:CCD=2:...`). False with a message in `why`. */
bool dram_timing_parse(const char *text, struct dram_timing *out, struct text *why);

struct dram_config {
	struct dram_timing t;
	bool frfcfs;		/* -gpgpu_dram_scheduler 1; else first in, first out */
	uint32_t queue_size;	/* of the FR-FCFS scheduler, 0: unlimited */
	uint32_t return_queue;	/* entries, 0: 1024 */
	uint32_t input_queue;	/* 2 in GPGPU-Sim */
	uint32_t chips, bus_width, burst_length, data_ratio;
	struct timing_rules rules;
	bool low_groups; /* -dram_bnkgrp_indexing_policy 1: a bank's group is its number's low bits */
};
/* Can a controller be made of it? False with a reason. */
bool dram_config_check(const struct dram_config *cfg, struct text *why);
/* Bytes one column command moves. */
static inline uint32_t dram_atom(const struct dram_config *cfg)
{
	return cfg->burst_length * cfg->bus_width * cfg->chips;
}

struct dram; /* a view; state in the arena */

struct dram_bank_view {
	bool active;
	uint32_t row; /* open, or the last one that was */
	uint32_t rcd, ras, rp, rc, rcdwr, wtp, rtp; /* cycles left */
	uint32_t request; /* 0: none */
	uint32_t transferred; /* bytes of it commands were given for */
	uint64_t n_access, n_idle;
	uint32_t queued;  /* FR-FCFS: requests waiting for the bank */
};
/* What only grows, as uint64_t: the sums over all controllers are made of it as it is. */
struct dram_counts {
	uint64_t cmd, nop, act, pre, req, rd, wr, activity, data_cycles; /* data_cycles: bandwidth counter */
	uint64_t queue_sum; /* of the scheduler's queue, once a cycle */
};
struct dram_stats {
	struct dram_counts n;
	uint64_t since; /* n.cmd, which is the controller's time, when the statistics began */
	uint64_t queue_max;
	uint64_t queue_max_recent; /* at a push, since the last dram_print_runtime */
	uint64_t max_mrq_latency, mrq_latency_table[32]; /* from push to bank, core cycles; FR-FCFS only */
};
/* The per-bank tables of the memory latency block. */
struct dram_bank_stats {
	uint64_t reads, writes; /* requests */
	uint64_t by_type[ACCESS_TYPE_COUNT];
	uint64_t row_accesses, row_changes;	   /* FR-FCFS only, as are the next two */
	uint64_t max_row_accesses, max_row_cycles; /* to one row without a change: requests, core cycles */
	uint64_t round_trips, max_round_trip;	   /* sum and maximum, core cycles */
};

struct dram *dram_create(struct timing_memory *m, struct requests *q, const struct dram_config *cfg);
void dram_destroy(struct dram *d);
/* A new batch of kernels: row service times count from here. */
void dram_restart(struct dram *d, uint64_t now);
bool dram_full(const struct dram *d);
void dram_push(struct dram *d, uint32_t request, uint64_t now);
/* Head of the return queue, 0: empty. */
uint32_t dram_return_top(const struct dram *d);
uint32_t dram_return_pop(struct dram *d);
/* One controller cycle; write-backs that finished are handed to `done` (they need no reply). */
void dram_cycle(struct dram *d, uint64_t now, void (*done)(void *self, uint32_t request), void *self);
uint32_t dram_queue_length(const struct dram *d);
void dram_sample_queue(struct dram *d);
/* No request anywhere in it: a cycle would only count. Then dram_skip(d, n) does n of them, queue samples included. */
bool dram_quiet(const struct dram *d);
void dram_skip(struct dram *d, uint64_t n);

const struct dram_stats *dram_get_stats(const struct dram *d);
const struct dram_bank_stats *dram_get_bank_stats(const struct dram *d, uint32_t bank);
void dram_note_round_trip(struct dram *d, uint32_t bank, uint64_t latency);
/* Everything counted is 0 again, but for n.cmd. */
void dram_reset_stats(struct dram *d);
uint32_t dram_bank_count(const struct dram *d);
void dram_get_bank(const struct dram *d, uint32_t bank, struct dram_bank_view *out);
/* GPGPU-Sim's "DRAM[n]: ..." block; its line while running (which begins a new maximum); and all that is in it, for a reader. */
void dram_print(const struct dram *d, uint32_t id, struct text *out);
void dram_print_runtime(struct dram *d, uint32_t id, struct text *out);
void dram_dump(const struct dram *d, struct text *out);

#endif
