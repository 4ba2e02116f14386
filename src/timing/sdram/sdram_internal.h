/* Inside a memory of a DRAM standard: its state and view. */
#ifndef TIMING_SDRAM_INTERNAL_H
#define TIMING_SDRAM_INTERNAL_H

#include <assert.h>

#include "timing/sdram/sdram.h"

#define SDRAM_QUEUE 32u	    /* entries of a channel's queues of reads, writes and refreshes */
#define SDRAM_POOL 32768u   /* requests under way in the whole memory; more are refused */
#define SDRAM_RANDOM_LAG 31 /* words of the random numbers' history */

enum sdram_state { SDRAM_CLOSED, SDRAM_OPENED, SDRAM_SELECTED };

/* A channel, rank, bank group, bank or subarray. Other arrays hold its earliest cycles of commands and its history. */
struct sdram_node {
	int32_t row;   /* that is open: a row, or a subarray in a bank of DSARP; of no meaning while closed */
	uint8_t state; /* enum sdram_state */
};
/* What is known of the row that a bank or subarray had opened last, while it is open. */
struct sdram_open_row {
	int64_t time; /* of its last access, or its activation */
	uint32_t hits;
	int32_t row;
	bool is_listed;
};

struct sdram_queue {
	uint32_t head, tail, n;
};
enum sdram_queue_kind { SDRAM_READS, SDRAM_WRITES, SDRAM_OTHERS, SDRAM_ACTIVATED, SDRAM_PENDING, SDRAM_QUEUES };
extern const char *const sdram_queue_names[SDRAM_QUEUES];

struct sdram_channel {
	struct sdram_queue queue[SDRAM_QUEUES]; /* others: refreshes; activated: requests a row was opened for; pending: reads on their way back */
	int64_t refreshed;			/* cycle of the last refresh */
	uint32_t serving;			/* requests that have had a command and are not done */
	uint32_t n_open_rows;			/* listed in the table of open rows */
	int64_t last_cycle;			/* of the last command, as are the next two; for observers */
	int32_t last_at[SDRAM_LEVELS];
	uint8_t last_command;
	bool writing;				/* writes are served, not reads */
	bool was_writing;			/* DSARP: at its last refresh step */
	struct sdram_channel_stats stats;
};
struct sdram_memory {
	int64_t clock;
	uint32_t free, n_used, n_live; /* requests of the pool; entry 0 is none */
	bool draining;
	uint32_t random[SDRAM_RANDOM_LAG]; /* DSARP's random numbers: a ring */
	uint32_t random_at;
	struct sdram_stats stats;
};
/* A rule as the engine uses it. */
struct sdram_rule {
	int32_t cycles;
	uint8_t nth, after; /* after: enum sdram_command */
};
struct sdram_rules {
	uint32_t first, n; /* in sdram.rule */
};
/* How a kind of controller differs. */
struct sdram_controller {
	bool has_activated;	     /* a row was opened for requests: they wait in a queue of their own, which is served first */
	bool looks_at_offender;	     /* a command that goes to another subarray is judged there by the tick, too */
	bool copies_reads;	     /* TL-DRAM */
	bool counts_pending;	     /* among the requests in queues */
	bool (*starts_writing)(const struct sdram *d, const struct sdram_channel *c);
	bool (*stops_writing)(const struct sdram *d, const struct sdram_channel *c);
};

struct sdram {
	struct sdram_config cfg;
	const struct sdram_controller *controller;
	struct sdram_observer observer;
	unsigned fits;			       /* enum sdram_for of the rows that hold */
	uint32_t count[SDRAM_LEVELS];	       /* parts in each part above; columns in accesses */
	uint32_t total[SDRAM_NODE_LEVELS];     /* parts in the memory */
	uint8_t bits[SDRAM_LEVELS], shift[SDRAM_LEVELS];
	uint8_t below[SDRAM_LEVELS];	       /* the level below, of those that the standard has */
	uint8_t last_level;		       /* whose parts hold rows */
	uint8_t hit_level, open_level;	       /* SDRAM_LEVELS: never */
	uint8_t scope[SDRAM_COMMANDS];
	const char *name[SDRAM_COMMANDS];      /* NULL: the standard has no such command */
	uint8_t refresh_command;
	bool plans_refresh, chooses_refresh;   /* DSARP; its variants with a choice of time */
	int32_t parameter[SDRAM_PARAMETERS_MAX];
	int32_t read_latency, burst, refresh_every;
	uint32_t bytes;			       /* of a transaction */
	struct sdram_rule *rule;	       /* owned: by level and command, targets and siblings apart */
	struct sdram_rules own[SDRAM_NODE_LEVELS][SDRAM_COMMANDS], siblings[SDRAM_NODE_LEVELS][SDRAM_COMMANDS];
	uint8_t depth[SDRAM_NODE_LEVELS][SDRAM_COMMANDS];   /* issues that a rule looks back to, if more than one */
	uint16_t history_at[SDRAM_NODE_LEVELS][SDRAM_COMMANDS];
	uint16_t history_size[SDRAM_NODE_LEVELS];	    /* words of a part */
	/* in the arena */
	struct timing_memory *memory;
	struct sdram_memory *s;
	struct sdram_channel *channel;
	struct sdram_request *request;
	struct sdram_node *node[SDRAM_NODE_LEVELS];
	int64_t *next[SDRAM_NODE_LEVELS];	 /* [part][command]: the first cycle in which it may be issued */
	int64_t *history[SDRAM_NODE_LEVELS];	 /* [part][history_size]: a count of issues, then the last ones */
	struct sdram_open_row *open_row;	 /* [part of the last level] */
	uint32_t *next_bank;			 /* DSARP: [channel][rank] */
	int32_t *balance;			 /* DSARP: [channel][rank][bank]: refreshes ahead */
	uint32_t *next_subarray;		 /* DSARP: [channel][rank][bank] */
};

/* Returns request `r` of the pool. */
static inline struct sdram_request *sdram_request_at(const struct sdram *d, uint32_t r) { return &d->request[r]; }

/* ---- sdram_queue.c ---- */
/* Allocates a request. Returns 0 if the pool is full. */
uint32_t sdram_request_new(struct sdram *d);
/* Appends a request to a queue. */
void sdram_queue_push(struct sdram *d, struct sdram_queue *q, uint32_t r);
/* Removes a request from the queue that holds it. */
void sdram_queue_remove(struct sdram *d, struct sdram_queue *q, uint32_t r);
/* Frees a request that is in no queue. */
void sdram_request_free(struct sdram *d, uint32_t r);
/* Enters a refresh of what `at` names, unless the queue is full. */
void sdram_push_refresh(struct sdram *d, struct sdram_channel *c, const int32_t *at);

/* ---- sdram_node.c ---- */
/* Returns the number of the part of a level that a place lies in; all numbers down to the level must be set. */
static inline uint32_t sdram_node_of(const struct sdram *d, const int32_t *at, unsigned level)
{
	uint32_t n = 0;
	for (unsigned l = 0; l <= level; l++)
		n = n * d->count[l] + (uint32_t)at[l];
	return n;
}
/* Returns the last command of a type of requests. */
enum sdram_command sdram_last_command(const struct sdram *d, enum sdram_type type);
/* Returns the command that a request of a type needs next at a place. */
enum sdram_command sdram_next_command(const struct sdram *d, enum sdram_type type, const int32_t *at);
/* Returns whether a command may be issued to a place in this cycle. */
bool sdram_may_issue(const struct sdram *d, enum sdram_command command, const int32_t *at);
/* Stores the place that a command of a request goes to: its own, but the open subarray for PRE_OTHER. */
void sdram_command_place(const struct sdram *d, enum sdram_command command, const int32_t *at, int32_t *out);
/* Returns whether a request finds its row open. */
bool sdram_is_hit(const struct sdram *d, enum sdram_type type, const int32_t *at);
/* Returns whether a request finds some row open. */
bool sdram_finds_open(const struct sdram *d, enum sdram_type type, const int32_t *at);
/* Changes the state of the parts that a command goes to, and holds back the commands that its rules name. */
void sdram_apply(struct sdram *d, enum sdram_command command, const int32_t *at);
/* Returns the open row of a place's bank or subarray; is_listed says whether there is one. */
static inline struct sdram_open_row *sdram_open_row_of(const struct sdram *d, const int32_t *at)
{
	return &d->open_row[sdram_node_of(d, at, d->last_level)];
}
/* Updates the table of open rows for a command that is issued. */
void sdram_note_open_rows(struct sdram *d, struct sdram_channel *c, enum sdram_command command, const int32_t *at);

/* ---- sdram_schedule.c ---- */
/* Returns the request of a queue that is to be served next, 0 if there is none. */
uint32_t sdram_choose_request(const struct sdram *d, const struct sdram_queue *q);
/* Finds the bank or subarray whose row is to be closed without a request, and stores its place. Returns false if there is none. */
bool sdram_choose_victim(const struct sdram *d, uint32_t channel, int32_t *at);

/* ---- sdram_refresh.c ---- */
/* Begins the random numbers. */
void sdram_random_init(struct sdram *d);
/* Enters the refreshes that are due in a channel. */
void sdram_refresh(struct sdram *d, uint32_t channel);

/* ---- sdram_controller.c ---- */
/* Returns the controller of a configuration. */
const struct sdram_controller *sdram_controller_of(const struct sdram_config *cfg);
/* Simulates a cycle of a channel. */
void sdram_channel_cycle(struct sdram *d, uint32_t channel);

/* ---- sdram_config.c ---- */
/* Computes everything of a view that follows from the configuration, which has been checked. Returns false if there is no room. */
bool sdram_derive(struct sdram *d);

#endif
