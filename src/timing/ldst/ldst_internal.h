/* The LDST unit's parts, shared by ldst*.c. */
#ifndef TIMING_LDST_INTERNAL_H
#define TIMING_LDST_INTERNAL_H

#include "timing/ldst/ldst.h"
#include "timing/timing.h"

enum ldst_cache { LDST_L1T, LDST_L1C, LDST_L1D, LDST_CACHES };
/* L1D as configured for kernels without preference, that prefer L1, that prefer shared memory. */
enum ldst_l1d_choice { L1D_DEFAULT, L1D_PREFER_L1, L1D_PREFER_SHARED, L1D_CHOICES };

struct ldst_state {
	uint32_t dispatch;	/* inst in the access stage */
	uint32_t next_wb;	/* inst whose registers are written next */
	uint32_t next_global;	/* request: a reply that bypasses L1D */
	uint32_t n_shared;	/* insts in the shared-memory pipeline `stage` */
	uint32_t arrived;	/* replies in the response FIFO: its length, kept where every cycle looks */
	uint32_t l1_head, l1_n; /* ring of accesses on their way to the L1D (ldst_l1.c) */
	uint8_t written;	/* 4.x: destinations of next_wb that are written, a bit each */
	bool refused;		/* the L1D has just refused the next access, and will until something in it changes */
	uint32_t client;	/* writeback client asked first */
	uint32_t l1d;		/* enum ldst_l1d_choice in use */
	uint32_t stall;		/* enum stall_reason of the last cycle */
	uint32_t responses;	/* bit per enum ldst_cache: may have filled requests to hand out */
	uint32_t quiet;		/* bit per enum ldst_cache: its cycles only count, so that they are not executed */
	uint64_t cycles;	/* of the unit */
	uint64_t counted[LDST_CACHES]; /* how many of them each cache has had */
	uint64_t last_writeback;
	uint32_t stage[SMEM_LATENCY_MAX]; /* of shared memory: cfg->smem_latency (3 in 3.2.2), stage 0 leaves next */
};

/* A stream. Counts of elements since the block began. */
struct stream {
	uint32_t start, length;
	uint32_t sent;	   /* requests sent */
	uint32_t used;	   /* read by loads; written by stores */
	uint32_t moved;	   /* writes: out of the write buffer, in batches */
	uint32_t buffered; /* reads: arrived and not yet used */
};
/* The stream buffers of a core. */
struct stream_unit {
	uint32_t epoch;	 /* blocks that have begun */
	uint32_t n[2];	 /* streams of each enum exec_stream_kind */
	uint32_t in_flight[2], most_in_flight[2];
	uint32_t last[2]; /* 1 + the stream that sent last */
	struct stream of[2][LANES];
};

/* An access on its way to the L1D's tags. */
struct l1_access {
	uint32_t request;
	uint64_t due; /* cycle of the unit in which it gets there, if nothing holds it up */
};

/* The latest transactions that the L1s have taken, for observers. */
#define LDST_TAKEN 128u
struct ldst_log {
	uint32_t n; /* so far; transaction k is at[k % LDST_TAKEN] */
	struct ldst_taken at[LDST_TAKEN];
};

/* A way of accesses from the access stage to memory, as functions. */
struct ldst_way {
	/* Makes an instruction's next access. Returns the reason if it can't, else STALL_NONE. */
	enum stall_reason (*access)(struct core *c, uint32_t inst, uint64_t now);
	/* Executes a cycle of the accesses on their way (ldst_state.l1_n), if there are any. NULL: an access is never on its way. */
	void (*cycle)(struct core *c, uint64_t now);
	/* Appends why the way does not take the instruction's next access now. Returns false if it takes it, or if that is not known before the access. */
	bool (*obstacle)(const struct core *c, const struct inst *i, struct text *out);
};
/* Past the L1D to the network; to the L1D's tags at once (3.2.2); to its tags through a pipeline (ldst_l1.c). */
extern const struct ldst_way ldst_way_past, ldst_way_at_once, ldst_way_pipeline;

/* A view. */
struct ldst {
	struct ldst_state *s;
	const struct ldst_way *l1d_way; /* of accesses that the L1D takes */
	struct l1_access *l1; /* ldst_way_pipeline: cfg->l1_latency of them */
	struct fifo *response; /* requests: replies on their way into the unit */
	struct ldst_log *log;
	struct stream_unit *streams; /* NULL: there are no stream buffers */
	uint8_t *arrived;	     /* [stream][cfg->streams.size]: 1 for an element that is buffered, by its number */
	uint16_t *stored;	     /* [stream][cfg->streams.size + batch]: the warp that stored an element, by its number */
	struct cache *cache[LDST_CACHES]; /* NULL: none; L1D: the one in use */
	struct cache *l1d[L1D_CHOICES];	  /* NULL: the same as the default one */
	struct cache_lower lower;
};

/* Returns the cache of a kind that is in use, NULL if there is none. */
struct cache *ldst_cache_in_use(const struct ldst *l, enum ldst_cache k);
/* Returns the cache of a kind that is in use and has its cycles executed from now on; NULL if there is none. Call it before an access. */
struct cache *ldst_wake_cache(const struct ldst *l, enum ldst_cache k);
/* Executes the writeback stage. */
void ldst_writeback(struct core *c, uint64_t now);
/* Allocates a memory request for the first access (inst->accesses) of instruction in flight number `inst`, which keeps that access. Returns the
 * request's number, 0 if the pool is full. A store's request doesn't name its instruction. */
uint32_t ldst_make_request(struct core *c, uint32_t inst, uint64_t now);
/* Logs the request of a transaction that a cache has taken, from `address`. */
static inline void ldst_log_taken(const struct core *c, const struct cache *cache, const struct mem_request *m, uint64_t address,
				  enum cache_outcome outcome, unsigned events)
{
	struct ldst_log *const log = c->ldst->log;
	struct ldst_taken *const t = &log->at[log->n++ % LDST_TAKEN];
	t->address = address;
	t->pc = m->pc;
	t->warp = m->warp;
	t->result = LDST_HIT;
	if (__builtin_expect(outcome != CACHE_MISS, 1))
		return;
	const uint32_t entry = events >> CACHE_MERGED_SHIFT;
	t->result = entry ? LDST_MERGED : LDST_MISS;
	t->request = entry ? request_at(&c->t->requests, cache_first_merged(cache, entry))->uid : m->uid;
}
/* Removes the access that was made from an instruction's list. */
void ldst_next_access(struct core *c, struct inst *i);
/* Returns the number of acknowledgements that a store waits for: an L2 of sectors sends one for each sector. */
static inline uint32_t ldst_store_parts(const struct core *c, const struct mem_request *m)
{
	if (!c->cfg->rules.ack_per_sector || c->cfg->perfect_mem || !c->t->cfg->partition.l2.sectors || m->size <= REQUEST_SECTOR_BYTES)
		return 1;
	return m->size / REQUEST_SECTOR_BYTES < REQUEST_SECTORS ? m->size / REQUEST_SECTOR_BYTES : REQUEST_SECTORS;
}
/* ---- ldst_streams.c ---- */
/* Allocates the stream buffers that a configuration has. Returns false if there is no room. */
bool ldst_streams_create(struct ldst *l, struct timing_memory *m, const struct stream_config *cfg);
/* Returns whether stream buffers have a block to work for. */
static inline bool ldst_streams_run(const struct core *c) { return __builtin_expect(c->ldst->streams != NULL, 0) && c->s->threads_left; }
/* Makes an instruction's next access, one to a stream. Returns the reason for which the access can't be made now, else STALL_NONE. */
enum stall_reason ldst_stream_access(struct core *c, struct inst *i);
/* Sends at most one read and one write. */
void ldst_streams_send(struct core *c, uint64_t now);
/* Takes the reply to a stream's request and frees it. */
void ldst_stream_reply(struct core *c, uint32_t request);
/* Returns true if the state of the stream buffers is consistent. */
bool ldst_streams_are_valid(const struct core *c);

/* Executes the access stage for the instruction in the dispatch register. */
void ldst_access(struct core *c, uint64_t now);
/* Counts `cycles` more cycles in which the L1D refused the instruction. */
void ldst_count_refused(struct core *c, uint64_t cycles);

#endif
