/* A memory made to a DRAM standard: all channels, their controllers and the parts below them, at one command a channel and cycle.
 *
 * A standard is rows (standard.h). The rules that hold for all of them are here: which command a request needs next, when it may be issued, what it does,
 * which request is served next, when rows are closed and refreshed. Source: Ramulator 1.0 (2023) and the older one inside the Mondrian simulator (2018). */
#ifndef TIMING_SDRAM_H
#define TIMING_SDRAM_H

#include "base/text.h"
#include "timing/common/memory.h"
#include "timing/sdram/standard.h"

enum sdram_policy { SDRAM_FCFS, SDRAM_FRFCFS, SDRAM_FRFCFS_CAP, SDRAM_FRFCFS_PRIOR_HIT, SDRAM_POLICIES };
enum sdram_row_policy { SDRAM_ROW_CLOSED, SDRAM_ROW_CLOSED_AP, SDRAM_ROW_OPENED, SDRAM_ROW_TIMEOUT, SDRAM_ROW_POLICIES };
enum sdram_mapping { SDRAM_RO_BA_RA_CO_CH, SDRAM_CH_RA_BA_RO_CO, SDRAM_MAPPINGS };
enum sdram_controller_kind { SDRAM_RAMULATOR, SDRAM_2018, SDRAM_CONTROLLERS };
/* Their names in options, in the enums' order. */
extern const char *const sdram_policy_names[SDRAM_POLICIES], *const sdram_row_policy_names[SDRAM_ROW_POLICIES],
	*const sdram_mapping_names[SDRAM_MAPPINGS], *const sdram_controller_names[SDRAM_CONTROLLERS];

/* A memory's description. The names that a user gives are found by sdram_choose. */
struct sdram_config {
	const struct sdram_standard *standard; /* NULL: none is chosen */
	unsigned variant;		       /* of the standard */
	const struct sdram_organisation *organisation;
	const struct sdram_speed *speed;
	uint32_t channels, ranks, subarrays; /* subarrays: in TL-DRAM every so many rows one is near */
	enum sdram_policy policy;
	enum sdram_row_policy row_policy;
	enum sdram_mapping mapping;
	enum sdram_controller_kind controller;
	uint32_t cap, row_timeout;
};
/* The names that a user gives. */
struct sdram_names {
	const char *standard, *variant, *organisation, *speed;
};
/* Returns the name by which users choose variant `k` of a standard: SALP's variants are standards to them, as in "SALP-2". */
const char *sdram_standard_name(const struct sdram_standard *s, unsigned k);
/* Returns the number of names by which users choose a standard. */
unsigned sdram_names_of(const struct sdram_standard *s);
/* Finds the standard, variant, organisation and speed of the names; NULL or empty: the first one, of variants the last one. Channels and subarrays that are 0 get the
 * standard's usual number. Returns false with the reason in `why`, which lists the known names, and the name's place in the struct in *which, if a name is unknown. */
bool sdram_choose(struct sdram_config *cfg, const struct sdram_names *names, unsigned *which, struct text *why);
/* Returns false, with the reason in `why`, if the names of a configuration are known but no memory has these numbers. */
bool sdram_config_check(const struct sdram_config *cfg, struct text *why);

enum sdram_type { SDRAM_READ, SDRAM_WRITE, SDRAM_REFRESH, SDRAM_EXTENSION /* a read that TL-DRAM makes a copy */ };
/* How a request found its row at its first command; FORWARD: a read of data that waits to be written. */
enum sdram_kind { SDRAM_UNSERVED, SDRAM_FORWARD, SDRAM_HIT, SDRAM_MISS, SDRAM_CONFLICT, SDRAM_KINDS };
extern const char *const sdram_kind_names[SDRAM_KINDS];

struct sdram_request {
	uint64_t address;
	int64_t arrive, depart;	  /* in the memory's cycles; depart: of reads, when their data have left the memory */
	int32_t at[SDRAM_LEVELS]; /* numbers of its place in each level, -1: all of them */
	uint32_t tag;		  /* the caller's */
	uint32_t next;		  /* in its queue, or among the free ones */
	uint8_t type;		  /* enum sdram_type */
	uint8_t kind;		  /* enum sdram_kind */
};

/* What happens in a memory. `self` is passed on. */
struct sdram_observer {
	void *self;
	/* A command is issued in this cycle; numbers below its scope are -1. Or NULL. */
	void (*on_command)(void *self, int64_t cycle, const char *name, const int32_t *at);
	/* A read has its data, or a write is issued: the request is done. Or NULL. */
	void (*on_done)(void *self, int64_t cycle, const struct sdram_request *r);
};

/* Counters of a channel. All members are uint64_t. */
struct sdram_channel_stats {
	uint64_t row_hits, row_misses, row_conflicts, read_row_hits, read_row_misses, read_row_conflicts, write_row_hits, write_row_misses, write_row_conflicts;
	uint64_t useless_activates, read_transaction_bytes, write_transaction_bytes, read_latency_sum;
	uint64_t req_queue_length_sum, read_req_queue_length_sum, write_req_queue_length_sum;
	uint64_t commands[SDRAM_COMMANDS];
};
struct sdram_stats {
	uint64_t cycles, incoming_requests, read_requests, write_requests, active_cycles;
	uint64_t in_queue_req_num_sum, in_queue_read_req_num_sum, in_queue_write_req_num_sum;
	uint64_t read_kinds[SDRAM_KINDS], write_kinds[SDRAM_KINDS];
	uint64_t last_command_cycle;
};

/* Counters of all channels. All members are uint64_t. */
struct sdram_totals {
	uint64_t cycles, active_cycles, channel_cycles, channel_active_cycles, data_cycles, reads, writes, forwarded, row_hits, row_misses, row_conflicts;
	uint64_t activates, precharges, refreshes, selects, copies, read_latency_sum, queue_length_sum;
};

struct sdram; /* a view; state in the arena */
/* Builds a memory with its state in m's arena. The configuration is copied. Returns NULL if sdram_config_check refuses it or there is no room. */
struct sdram *sdram_create(struct timing_memory *m, const struct sdram_config *cfg);
/* Frees the view of a memory, not its state in the arena. NULL is ignored. */
void sdram_destroy(struct sdram *d);
/* Sets the observer; NULL: none. It is copied. */
void sdram_observe(struct sdram *d, const struct sdram_observer *o);
/* Returns the configuration. */
const struct sdram_config *sdram_get_config(const struct sdram *d);
/* Stores the place of an address. */
void sdram_decode(const struct sdram *d, uint64_t address, int32_t at[SDRAM_LEVELS]);
/* Offers a read or a write. Returns false if its queue has no room; nothing has changed then. */
bool sdram_offer(struct sdram *d, uint64_t address, bool is_write, uint32_t tag);
/* Simulates one cycle of all channels. */
void sdram_cycle(struct sdram *d);
/* Lets the writes that wait be served, since no further request comes. */
void sdram_drain(struct sdram *d);
/* Returns whether the memory holds no request. */
bool sdram_is_empty(const struct sdram *d);

/* ---- for observers ---- */
/* Returns the present cycle. */
int64_t sdram_now(const struct sdram *d);
/* Returns the memory's counters. */
const struct sdram_stats *sdram_get_stats(const struct sdram *d);
/* Stores the sums of all channels' counters. */
void sdram_get_totals(const struct sdram *d, struct sdram_totals *out);
/* Returns a channel's counters. */
const struct sdram_channel_stats *sdram_get_channel_stats(const struct sdram *d, uint32_t channel);
/* Clears all counters. */
void sdram_reset_stats(struct sdram *d);

/* Appends a place in words: "channel 0, rank 0, bank group 1, bank 2, row 0x12, column 5". */
void sdram_add_place(const struct sdram *d, uint64_t address, struct text *out);
/* Appends the state of all channels in a form for people: queues, open rows, refresh. */
void sdram_dump(const struct sdram *d, struct text *out);
/* A bank or subarray: part k of a channel. */
struct sdram_part_view {
	int32_t at[SDRAM_LEVELS]; /* row: the open one */
	bool is_open, is_selected; /* is_selected: SALP-MASA */
	uint32_t hits;		  /* accesses of the open row */
	int64_t wait_open, wait_close; /* cycles until a row may be opened, until it may be closed */
	int64_t refreshes_behind; /* DSARP: of the bank; negative: ahead */
};
/* Returns the number of parts of a channel that hold rows. */
uint32_t sdram_part_count(const struct sdram *d);
/* Stores the state of part k of a channel. */
void sdram_get_part(const struct sdram *d, uint32_t channel, uint32_t k, struct sdram_part_view *out);
/* A channel. */
struct sdram_channel_view {
	uint32_t reads, writes, refreshes, activated, pending; /* requests in its queues */
	bool is_writing;
	int64_t refresh_in; /* cycles until the next refresh is due */
};
/* Stores the state of a channel. */
void sdram_get_channel(const struct sdram *d, uint32_t channel, struct sdram_channel_view *out);
/* Appends the command that a channel was given in the present cycle, with its place. Returns false if there was none. */
bool sdram_add_command(const struct sdram *d, uint32_t channel, struct text *out);
/* Returns the standard's name for a level, such as "bank group". */
const char *sdram_level_name(enum sdram_level level);
/* Appends what keeps the oldest request for an address from being served: a refresh, another row, a distance between commands. Appends nothing if the
 * memory holds no such request. */
void sdram_explain(const struct sdram *d, uint64_t address, struct text *out);
/* Calls `each` for every request in a valid memory. */
void sdram_each_request(const struct sdram *d, void (*each)(void *self, const struct sdram_request *r), void *self);
/* Returns the number of reads of an address with a tag. */
uint32_t sdram_count_reads(const struct sdram *d, uint64_t address, uint32_t tag);
/* Returns true if the memory's state is consistent, after a restore that may hold anything. */
bool sdram_is_valid(const struct sdram *d);

/* ---- replaying a trace (sdram_replay.c) ---- */
/* A line of a trace. */
struct sdram_access {
	uint64_t address;
	bool is_write;
};
/* Offers n accesses in their order, as fast as the queues accept them, until all are done. Requests' tags are indices into `at`. Calls
 * `is_interrupted` (NULL: never) with `self` now and then, and returns false once that returns true. */
bool sdram_replay(struct sdram *d, const struct sdram_access *at, uint32_t n, bool (*is_interrupted)(void *self), void *self);
/* Calls `row` with each statistic by name; names end in [CHANNEL], [COMMAND] or [KIND] where there are several. */
void sdram_each_statistic(const struct sdram *d, void (*row)(void *self, const char *name, uint64_t value), void *self);

#endif
