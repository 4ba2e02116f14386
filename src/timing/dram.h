/* A DRAM controller and its banks, one command per DRAM command clock. Source: GPGPU-Sim manual "DRAM scheduling and timing model",
 * behaviour of 3.2.2. */
#ifndef TIMING_DRAM_H
#define TIMING_DRAM_H

#include "base/text.h"
#include "timing/memory.h"
#include "timing/request.h"

struct dram_timing {
	uint32_t nbk, ccd, rrd, rcd, ras, rp, rc, cl, wl, cdlr, wr, nbkgrp, ccdl, rtpl; /* as in -gpgpu_dram_timing_opt, DRAM cycles */
};
bool dram_timing_parse(const char *text, struct dram_timing *out, struct text *why);

struct dram_config {
	struct dram_timing t;
	bool frfcfs;		/* -gpgpu_dram_scheduler 1 */
	uint32_t queue_size;	/* of the FR-FCFS scheduler, 0: unlimited */
	uint32_t return_queue;	/* entries, 0: 1024 */
	uint32_t input_queue;	/* 2 in GPGPU-Sim */
	uint32_t chips, bus_width, burst_length, data_ratio;
};

struct dram; /* a view; state in the arena */

/* One column command of a request and how far it is. */
struct dram_bank_view {
	bool active;
	uint32_t row;
	uint32_t rcd, ras, rp, rc, rcdwr, wtp, rtp; /* cycles left */
	uint32_t request; /* 0: none */
	uint32_t transferred; /* bytes of it */
	uint64_t n_access, n_idle;
	uint32_t queued;  /* FR-FCFS: requests waiting for the bank */
};
struct dram_stats {
	uint64_t n_cmd, n_nop, n_act, n_pre, n_req, n_rd, n_wr, n_activity, data_cycles; /* data_cycles: bandwidth counter */
	uint64_t queue_max;
	double queue_sum; /* of the sampled lengths */
	uint64_t queue_samples;
};

struct dram *dram_create(struct timing_memory *m, struct requests *q, const struct dram_config *cfg);
void dram_destroy(struct dram *d);
bool dram_full(const struct dram *d);
void dram_push(struct dram *d, uint32_t request, uint64_t now);
/* Head of the return queue, 0: empty. */
uint32_t dram_return_top(const struct dram *d);
uint32_t dram_return_pop(struct dram *d);
/* One controller cycle; write-backs that finished are handed to `done` (they need no reply). */
void dram_cycle(struct dram *d, uint64_t now, void (*done)(void *self, uint32_t request), void *self);
uint32_t dram_queue_length(const struct dram *d);
void dram_sample_queue(struct dram *d);
bool dram_quiet(const struct dram *d);
void dram_skip(struct dram *d, uint64_t n);

const struct dram_stats *dram_get_stats(const struct dram *d);
uint32_t dram_bank_count(const struct dram *d);
void dram_get_bank(const struct dram *d, uint32_t bank, struct dram_bank_view *out);
/* GPGPU-Sim's "DRAM[n]: ..." block, and the bank view. */
void dram_print(const struct dram *d, uint32_t id, struct text *out);
void dram_dump(const struct dram *d, struct text *out);

#endif
