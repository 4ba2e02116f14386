/* Memory requests: what travels between SIMT cores and memory partitions (GPGPU-Sim's mem_fetch).
 *
 * A request is an index into one pool; 0 is none. It is in one queue at a time (`next` links it there), except that while it
 * travels it also stands in the MSHR entries that wait for it: `mshr_next` per cache level. */
#ifndef TIMING_REQUEST_H
#define TIMING_REQUEST_H

#include "base/arena.h"
#include "base/limits.h"
#include "base/text.h"

/* What a request is for, in GPGPU-Sim's order and with its names. */
#define ACCESS_TYPES(X) \
	X(GLOBAL_ACC_R) X(LOCAL_ACC_R) X(CONST_ACC_R) X(TEXTURE_ACC_R) X(GLOBAL_ACC_W) X(LOCAL_ACC_W) X(L1_WRBK_ACC) \
	X(L2_WRBK_ACC) X(INST_ACC_R) X(L1_WR_ALLOC_R) X(L2_WR_ALLOC_R)
enum access_type {
#define X(name) name,
	ACCESS_TYPES(X)
#undef X
	ACCESS_TYPE_COUNT
};
extern const char *const access_type_names[ACCESS_TYPE_COUNT];

/* Where a request is; names as GPGPU-Sim prints them (MEM_FETCH_INITIALIZED without the prefix here). */
#define REQUEST_STATUSES(X) \
	X(MEM_FETCH_INITIALIZED) X(IN_L1I_MISS_QUEUE) X(IN_L1D_MISS_QUEUE) X(IN_L1T_MISS_QUEUE) X(IN_L1C_MISS_QUEUE) \
	X(IN_ICNT_TO_MEM) X(IN_PARTITION_ROP_DELAY) X(IN_PARTITION_ICNT_TO_L2_QUEUE) X(IN_PARTITION_L2_TO_DRAM_QUEUE) \
	X(IN_PARTITION_DRAM_LATENCY_QUEUE) X(IN_PARTITION_L2_MISS_QUEUE) X(IN_PARTITION_MC_INTERFACE_QUEUE) \
	X(IN_PARTITION_MC_INPUT_QUEUE) X(IN_PARTITION_MC_BANK_ARB_QUEUE) X(IN_PARTITION_DRAM) X(IN_PARTITION_MC_RETURNQ) \
	X(IN_PARTITION_DRAM_TO_L2_QUEUE) X(IN_PARTITION_L2_FILL_QUEUE) X(IN_PARTITION_L2_TO_ICNT_QUEUE) \
	X(IN_ICNT_TO_SHADER) X(IN_CLUSTER_TO_SHADER_QUEUE) X(IN_SHADER_LDST_RESPONSE_FIFO) X(IN_SHADER_FETCHED) \
	X(IN_SHADER_L1T_ROB) X(MEM_FETCH_DELETED)
enum request_status {
#define X(name) REQUEST_##name,
	REQUEST_STATUSES(X)
#undef X
	REQUEST_STATUS_COUNT
};
extern const char *const request_status_names[REQUEST_STATUS_COUNT];

#define REQUEST_CONTROL_BYTES 8u /* of a packet, besides its data */
#define REQUEST_SECTOR_BYTES 32u
#define REQUEST_SECTORS 4u /* of a 128-byte line */
#define REQUEST_NO_PC UINT32_MAX
#define REQUEST_NO_WARP UINT16_MAX
#define REQUEST_NO_CORE UINT16_MAX /* core and cluster of what an L2 writes back */

/* Place in DRAM, from the address (address_map.h). */
struct dram_place {
	uint32_t channel, bank, row, column, burst;
	uint32_t sub_partition;	    /* global number */
	uint64_t partition_address; /* what an L2 bank sees: without the channel bits */
};

/* What a cache remembers of a request it sent down and whose reply it will fill with. */
struct request_saved {
	uint64_t block; /* address of the line */
	uint32_t line;	/* index into the cache's lines, for allocation on miss */
	uint64_t address; /* and where it began */
	uint32_t size;	/* of the request before it became a line's */
	bool valid;
};
enum request_level { REQUEST_L1, REQUEST_L2, REQUEST_LEVELS };

struct mem_request {
	uint64_t address;
	uint64_t uid;	      /* counts from 1 in the order of creation */
	uint64_t created;     /* core cycles (`now`), all times here */
	uint64_t returned;    /* when the reply entered the network */
	uint64_t status_time;
	uint64_t ready;	      /* earliest time it may leave a delay queue (ROP, DRAM latency) */
	struct dram_place dram;
	struct request_saved saved[REQUEST_LEVELS];
	uint32_t next;	      /* in the queue that holds it */
	uint32_t mshr_next[REQUEST_LEVELS];
	uint32_t size;	      /* data bytes */
	uint32_t lanes;	      /* whose data it is */
	uint32_t pc;	      /* instruction index, REQUEST_NO_PC: none */
	uint32_t inst;	      /* the warp instruction in its core's pool, 0: none */
	uint32_t dram_done;   /* bytes transferred by the DRAM */
	uint32_t cta_slot;    /* of the warp, for atomics */
	uint32_t element;     /* of a stream, by its number */
	uint32_t epoch;	      /* of a stream: counts the blocks of its core */
	uint32_t whole;	      /* the request that an L2 of sectors divided into this one and others, 0: none */
	uint64_t bytes[2];    /* of the 128-byte line, a bit each: what a write or an atomic changes (4.x only) */
	uint16_t core;	      /* over the whole machine */
	uint16_t cluster;
	uint16_t warp;	      /* hardware warp on the core, REQUEST_NO_WARP: none */
	uint8_t type;	      /* enum access_type */
	uint8_t status;	      /* enum request_status */
	uint8_t sector;	      /* of the line, where an L2 of sectors looks for it */
	uint8_t stream;	      /* 1 + number of the stream whose element it is (stream buffers), 0: none */
	uint8_t parts;	      /* into how many an L2 of sectors has divided it, less the replies that have come */
	uint8_t chunks;	      /* sectors its lanes touch, a bit each; 0: not said, all */
	bool is_write;	      /* a write request or its acknowledgement */
	bool is_atomic;
	bool is_reply;	      /* on its way back */
	bool bypasses_l1;
};

struct requests_state {
	uint64_t next_uid;
	uint32_t free;	 /* first of the free ones */
	uint32_t n_used; /* pool entries ever used */
	uint32_t n_live;
};
/* What looks on without changing anything. */
struct request_observer {
	void *self;
	/* NULL, or called when a request is new (`before` and its status are MEM_FETCH_INITIALIZED; only uid and created are set), after its status has
	 * changed from `before`, and before it is freed (status MEM_FETCH_DELETED). */
	void (*on_event)(void *self, uint32_t r, enum request_status before);
};
struct requests {
	struct arena *arena;
	int section;
	struct requests_state *s;
	struct mem_request *at;
	struct request_observer observer;
};

/* Reserves the pool's section in the arena. Returns false if the address space is refused. */
bool requests_init(struct requests *q, struct arena *a, const struct machine_limits *limits);
/* Allocates a zeroed request with uid, created and status set, warp and pc none. Returns its index, or 0 if the pool is full. */
uint32_t request_new(struct requests *q, uint64_t now);
/* Frees a request. */
void request_free(struct requests *q, uint32_t r);
/* Uses up one uid, in place of a request that would be created and freed at once. */
static inline void request_pass(struct requests *q) { q->s->next_uid++; }
/* Returns the request of an index. */
static inline struct mem_request *request_at(const struct requests *q, uint32_t r) { return &q->at[r]; }
/* Sets a request's status at core cycle `now` and notifies the observer. */
static inline void request_set_status(struct requests *q, uint32_t r, enum request_status status, uint64_t now)
{
	struct mem_request *m = request_at(q, r);
	const enum request_status before = (enum request_status)m->status;
	m->status = (uint8_t)status;
	m->status_time = now;
	if (q->observer.on_event)
		q->observer.on_event(q->observer.self, r, before);
}
/* Returns the bytes of a request's packet: control, and data in write requests, atomics and replies of reads and atomics. */
static inline uint32_t request_packet_bytes(const struct mem_request *m)
{
	bool data = m->is_reply ? !m->is_write : m->is_write || m->is_atomic;
	return REQUEST_CONTROL_BYTES + (data ? m->size : 0);
}

/* Takes the reply r, which has arrived at its core, and returns the request that it completes: r, or the request that an L2 divided into parts, or 0 if
 * parts of that one are still missing. A part is freed. */
static inline uint32_t request_complete(struct requests *q, uint32_t r)
{
	const uint32_t whole = q->at[r].whole;
	if (!whole)
		return r;
	request_free(q, r);
	return --q->at[whole].parts ? 0 : whole;
}

/* Appends GPGPU-Sim's line of a request, up to its status; the instruction's line or a newline follows. */
void request_print(const struct requests *q, uint32_t r, struct text *out);
/* Appends one line without a newline: #uid, kind, address, size, core and warp. */
void request_describe(const struct requests *q, uint32_t r, struct text *out);

/* ---- unbounded queue, linked through `next` ---- */
struct request_list {
	uint32_t head, tail, n;
};
/* Appends a request. */
static inline void request_list_push(struct requests *q, struct request_list *l, uint32_t r)
{
	request_at(q, r)->next = 0;
	if (l->n++)
		request_at(q, l->tail)->next = r;
	else
		l->head = r;
	l->tail = r;
}
/* Removes and returns the first request of a list that is not empty. */
static inline uint32_t request_list_pop(struct requests *q, struct request_list *l)
{
	uint32_t r = l->head;
	l->head = request_at(q, r)->next;
	l->n--;
	return r;
}

#endif
