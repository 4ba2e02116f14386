/* A DRAM controller and its banks, one command per DRAM command clock. Source: GPGPU-Sim manual "DRAM scheduling and timing model",
 * behaviour of 3.2.2. */
#ifndef TIMING_DRAM_H
#define TIMING_DRAM_H

#include "base/text.h"
#include "timing/common/memory.h"
#include "timing/common/request.h"
#include "timing/common/rules.h"

#define DRAM_BANKS_MAX 64u

/* The parameters of -gpgpu_dram_timing_opt: DRAM cycles, except the numbers of banks and bank groups. */
struct dram_timing {
#define PARAMETER(member, name) uint32_t member;
#include "timing/dram/parameters.def"
#undef PARAMETER
};
/* Parses -gpgpu_dram_timing_opt, positional (`nbk:tCCD:...`) or named (`nbk=16:CCD=2:...`). Returns false with the reason in `why` if it is malformed. */
bool dram_timing_parse(const char *text, struct dram_timing *out, struct text *why);

/* ---- a kind of DRAM as data ---- */
enum dram_command { DRAM_READ, DRAM_WRITE, DRAM_ACTIVATE, DRAM_PRECHARGE, DRAM_COMMANDS };
/* Parts of a DRAM, from the whole controller to a bank. */
enum dram_level { DRAM_CHANNEL, DRAM_GROUP, DRAM_BANK, DRAM_LEVELS };
/* A timing rule: after a command of `before`, no command of `after` is given in the same part of `level` for `delay` cycles. */
struct dram_rule {
	const char *name; /* of the timer, for displays */
	enum dram_level level;
	uint8_t before, after; /* 1 << enum dram_command, combined */
	const char *delay; /* a sum: names of parameters.def, BURST (the cycles of a burst) and numbers, as in "CL + BURST + 2 - WL" */
	bool is_activity; /* the controller counts as active while the timer runs (n_activity) */
};
#define DRAM_RULES_MAX 32u
struct dram_model {
	const char *name;
	const struct dram_rule *rules;
	unsigned n_rules; /* up to DRAM_RULES_MAX */
};
/* GPGPU-Sim's GDDR. */
extern const struct dram_model dram_gddr;

/* How a bank's next request is chosen; functions in dram_schedule.c. */
struct dram_scheduler;
/* First in, first out; the open row first (FR-FCFS): values 0 and 1 of -gpgpu_dram_scheduler. */
extern const struct dram_scheduler dram_fifo, dram_frfcfs;
/* Returns the scheduler of a value of -gpgpu_dram_scheduler. */
const struct dram_scheduler *dram_scheduler_of(int64_t option);
/* Returns the scheduler's name for people. */
const char *dram_scheduler_name(const struct dram_scheduler *s);

struct dram_config {
	const struct dram_model *model;
	struct dram_timing t;
	const struct dram_scheduler *scheduler;
	uint32_t queue_size;	/* of the FR-FCFS scheduler, 0: unlimited */
	uint32_t return_queue;	/* entries, 0: 1024 */
	uint32_t input_queue;	/* 2 in GPGPU-Sim */
	uint32_t chips, bus_width, burst_length, data_ratio;
	struct timing_rules rules;
	bool low_groups; /* -dram_bnkgrp_indexing_policy 1: a bank's group is its number's low bits */
};
/* Checks a configuration. Returns false with the reason in `why` if no controller can be made of it. */
bool dram_config_check(const struct dram_config *cfg, struct text *why);
/* Returns the bytes that one column command transfers. */
static inline uint32_t dram_atom(const struct dram_config *cfg)
{
	return cfg->burst_length * cfg->bus_width * cfg->chips;
}

struct dram; /* a view; state in the arena */

struct dram_bank_view {
	bool active;
	uint32_t row; /* open, or the last one that was */
	uint32_t request; /* 0: none */
	uint32_t transferred; /* bytes of it commands were given for */
	uint64_t n_access, n_idle;
	uint32_t queued;  /* FR-FCFS: requests waiting for the bank */
};
/* Counters that only grow. All members are uint64_t, so that the struct can be summed over controllers as an array. */
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

/* Builds a controller with its state in m's arena. The caller keeps cfg and q valid. Returns NULL if cfg fails dram_config_check or there is no room. */
struct dram *dram_create(struct timing_memory *m, struct requests *q, const struct dram_config *cfg);
/* Frees the view of a controller, not its state in the arena. */
void dram_destroy(struct dram *d);
/* Begins a new batch of kernels at core cycle `now`: row service times count from here. */
void dram_restart(struct dram *d, uint64_t now);
/* Returns whether the controller takes no further request. */
bool dram_full(const struct dram *d);
/* Enters a request at core cycle `now`; the controller must not be full. */
void dram_push(struct dram *d, uint32_t request, uint64_t now);
/* Returns the first request of the return queue, or 0 if the queue is empty. */
uint32_t dram_return_top(const struct dram *d);
/* Removes and returns the first request of the return queue, or 0 if the queue is empty. */
uint32_t dram_return_pop(struct dram *d);
/* Simulates one DRAM command cycle. Calls `done` with each write-back that finishes; write-backs get no reply. */
void dram_cycle(struct dram *d, uint64_t now, void (*done)(void *self, uint32_t request), void *self);
/* Returns the number of requests in the scheduler's queue. */
uint32_t dram_queue_length(const struct dram *d);
/* Adds the queue's length to the statistics; call it once a cycle. */
void dram_sample_queue(struct dram *d);
/* Returns whether the controller holds no request, so that a cycle would only count. */
bool dram_quiet(const struct dram *d);
/* Simulates n cycles of a quiet controller, queue samples included. */
void dram_skip(struct dram *d, uint64_t n);

struct timing_valid;
/* Returns true if the controller's state is consistent, and claims its requests (timing/common/valid.h). */
bool dram_is_valid(const struct dram *d, struct timing_valid *v);
/* Calls `each` for every request in a valid controller, once. */
void dram_each_request(const struct dram *d, void (*each)(void *self, uint32_t request), void *self);

/* Returns the controller's statistics, which change with each cycle. */
const struct dram_stats *dram_get_stats(const struct dram *d);
/* Returns the statistics of one bank. */
const struct dram_bank_stats *dram_get_bank_stats(const struct dram *d, uint32_t bank);
/* Adds the round trip of a request of `bank`, in core cycles, to the bank's statistics. */
void dram_note_round_trip(struct dram *d, uint32_t bank, uint64_t latency);
/* Clears all statistics but n.cmd, which is the controller's time. */
void dram_reset_stats(struct dram *d);
/* Returns the number of banks. */
uint32_t dram_bank_count(const struct dram *d);
/* Stores the state of one bank in *out. */
void dram_get_bank(const struct dram *d, uint32_t bank, struct dram_bank_view *out);
/* Returns the cycles for which a timer still runs: the one of the model's rule of that name, in part `k` of the rule's level. Returns 0 if the model has no such rule. */
uint32_t dram_timer_left(const struct dram *d, const char *name, uint32_t k);
/* Appends the block "DRAM[id]: ..." in GPGPU-Sim's form. */
void dram_print(const struct dram *d, uint32_t id, struct text *out);
/* Appends GPGPU-Sim's line of runtime statistics and begins a new maximum of the queue's length. */
void dram_print_runtime(struct dram *d, uint32_t id, struct text *out);
/* Appends the whole state in a form for people (command `dm`). */
void dram_dump(const struct dram *d, struct text *out);

#endif
