/* Caches: tag array, MSHRs, miss queue, ports, and the policies of GPGPU-Sim 3.2.2's read-only, data and texture caches.
 *
 * One type for all of them; struct cache_config says which. A cache never moves data: it decides hits, misses and what is sent
 * to the level below. Times are core cycles. Source of the rules: GPGPU-Sim manual "Caches", behaviour of 3.2.2. */
#ifndef TIMING_CACHE_H
#define TIMING_CACHE_H

#include "base/text.h"
#include "timing/common/memory.h"
#include "timing/common/request.h"
#include "timing/common/rules.h"

enum cache_kind { CACHE_READ_ONLY, CACHE_DATA, CACHE_TEXTURE };
/* What may be chosen by a letter: policies.def. */
enum cache_replacement {
#define REPLACEMENT(kind, ...) CACHE_##kind,
#include "timing/cache/policies.def"
};
enum cache_write {
#define WRITE(kind, ...) CACHE_##kind,
#include "timing/cache/policies.def"
};
enum cache_alloc {
#define ALLOCATION(kind, ...) CACHE_##kind,
#include "timing/cache/policies.def"
};
enum cache_write_alloc {
#define WRITE_MISS(kind, ...) CACHE_##kind,
#include "timing/cache/policies.def"
};
enum cache_set_index {
#define SET_INDEX(kind, ...) CACHE_SETS_##kind,
#include "timing/cache/policies.def"
};
enum cache_mshr_kind { CACHE_MSHR_ASSOC, CACHE_MSHR_TEX_FIFO };

/* A config string, decoded: nsets:line:assoc,rep:wr:alloc:wralloc,mshr:N:merge,mq[:rf][,port], or "none". */
struct cache_config {
	bool disabled;
	uint32_t sets, line, ways; /* line in bytes; sets and line powers of two */
	enum cache_replacement replacement;
	enum cache_write write;
	enum cache_alloc alloc;
	enum cache_write_alloc write_alloc;
	enum cache_mshr_kind mshr_kind;
	uint32_t mshr_entries, mshr_merge; /* texture: fragment FIFO entries, request FIFO entries */
	uint32_t miss_queue;		   /* texture: reorder buffer entries */
	uint32_t result_fifo;
	uint32_t port;	/* data port width, bytes per cycle */
	enum cache_set_index set_index;
	bool sectors;	/* 4.x: lines of 128 bytes in four sectors, each with a state of its own; misses fetch a sector */
	struct timing_rules rules;
};
/* Parses a config string. With `v4` 4.x syntax (leading N: or S:, L for writes) is accepted too; features that are not modelled (streaming, other hashes)
 * are refused. Returns false with the expected form and the place in `why`. */
bool cache_config_parse(const char *text, bool v4, struct cache_config *out, struct text *why);
/* Checks that a cache of a kind can be built from cfg. Returns false with the reason in `why` if not: a texture cache without FIFOs, queues too short to
 * ever serve a miss. */
bool cache_config_fits(const struct cache_config *cfg, enum cache_kind kind, struct text *why);

enum cache_outcome { CACHE_HIT, CACHE_HIT_RESERVED, CACHE_MISS, CACHE_RESERVATION_FAIL, CACHE_OUTCOMES };
extern const char *const cache_outcome_names[CACHE_OUTCOMES];
/* The effects of an access, a bit each; above them the MSHR entry that a read merged with, 0: none. */
enum cache_event { CACHE_READ_SENT = 1, CACHE_WRITE_SENT = 2, CACHE_WRITE_BACK_SENT = 4, CACHE_WRITE_TAKEN = 8 /* a write that missed is done */ };
#define CACHE_MERGED_SHIFT 4

enum cache_line_state { CACHE_INVALID, CACHE_RESERVED, CACHE_VALID, CACHE_MODIFIED };
struct cache_line {
	uint64_t block;			      /* address of its first byte */
	uint32_t state;			      /* enum cache_line_state */
	uint32_t allocated, accessed, filled; /* low 32 bits of the time */
};

/* The level below. full() takes the size of the packet on its way down (reads: the control part); after it returned false, push() must accept. */
struct cache_lower {
	void *self;
	bool (*full)(void *self, uint32_t bytes, bool is_write);
	void (*push)(void *self, uint32_t request, uint64_t now);
};

struct cache_stats {
	uint64_t cycles, data_port_busy, fill_port_busy; /* cycles of the cache, and those of them with a busy port */
	uint64_t tag_accesses, tag_misses, tag_pending_hits; /* of the tag array, for the runtime report */
	uint64_t count[ACCESS_TYPE_COUNT][CACHE_OUTCOMES];
};

struct cache; /* a view; state in the arena */

/* Builds a cache with its state in m's arena. It uses mem_request.saved[level] and mshr_next[level]; requests in its miss queue get `miss_status`. Returns
 * NULL if cfg says `none` or there is no room. */
struct cache *cache_create(struct timing_memory *m, struct requests *q, const struct cache_config *cfg,
			   enum cache_kind kind, enum request_level level, enum request_status miss_status,
			   const struct cache_lower *lower);
/* Frees the view of a cache, not its state in the arena. */
void cache_destroy(struct cache *c);
/* Returns the configuration that the cache was built from. */
const struct cache_config *cache_get_config(const struct cache *c);
struct address_map;
/* Sets the map that gives the cache's write-backs their place in DRAM. `map` must outlive the cache; without a map write-backs get no place. */
void cache_set_address_map(struct cache *c, const struct address_map *map);

/* Accesses the cache with request `r` at `address` (an L2 takes the set from r's partition address), adds enum cache_event bits to *events, and counts. The
 * cache owns the request afterwards unless cache_gives_back is true; then the caller replies to it or frees it. After RESERVATION_FAIL nothing has changed
 * and the caller tries again. Only a texture cache returns HIT_RESERVED: the hit comes back as a response in its turn. */
enum cache_outcome cache_access(struct cache *c, uint64_t address, uint32_t r, uint64_t now, unsigned *events);
/* Returns whether the caller owns the request after an access with outcome and events as cache_access gave them. */
static inline bool cache_gives_back(enum cache_outcome outcome, unsigned events)
{
	return events & CACHE_WRITE_TAKEN || (outcome == CACHE_HIT && !(events & CACHE_WRITE_SENT));
}
/* Returns whether the cache's last access, which must be the caller's and have failed, would fail again. If so, counts a failed access of `type` as
 * cache_access does. */
bool cache_refuses_again(struct cache *c, enum access_type type);
/* Returns what cache_refuses_again would, without counting. */
bool cache_is_refusing(const struct cache *c);
/* Counts n failed accesses of a type at once. */
void cache_count_refused(struct cache *c, enum access_type type, uint64_t n);
/* Reads from a read-only L1 without a request and counts the hit as cache_access does. Returns false and changes nothing if the address would not hit. */
bool cache_read_hit(struct cache *c, uint64_t address, enum access_type type, uint64_t now);
/* Simulates one cycle of the cache's clock: sends one miss-queue entry down, counts the ports down, and moves a texture cache's FIFOs. */
void cache_cycle(struct cache *c, uint64_t now);
/* Returns whether the data port is free. */
bool cache_data_port_free(const struct cache *c);
/* Returns whether the fill port is free. */
bool cache_fill_port_free(const struct cache *c);
/* Returns whether `r` is a reply for which this cache waits. */
bool cache_waits_for(const struct cache *c, uint32_t r);
/* Takes a reply for which the cache waits: fills the line and makes the requests that wait for the line ready. Does nothing yet if parts of the reply
 * are still missing. */
void cache_fill(struct cache *c, uint32_t r, uint64_t now);
/* Returns whether a filled request can be taken. */
bool cache_response_ready(const struct cache *c);
/* Removes and returns the next filled request; cache_response_ready must be true. */
uint32_t cache_next_response(struct cache *c);
/* Puts the sector of an address into a cache of sectors at no cost, as a host copy to the device does in 4.x. `place` is the decoded address. */
void cache_fill_by_copy(struct cache *c, uint64_t address, const struct dram_place *place, uint64_t now);
/* Invalidates all lines without writing anything back (flush options). */
void cache_invalidate(struct cache *c);
/* Returns whether no request is under way in the cache. */
bool cache_idle(const struct cache *c);
/* Returns whether cache_cycle would only count: no queue entry can move and all ports are free. */
bool cache_quiet(const struct cache *c);
/* Simulates n cycles of a quiet cache. */
void cache_skip(struct cache *c, uint64_t n);

/* Returns the cache's statistics, which change with each access. */
const struct cache_stats *cache_get_stats(const struct cache *c);
/* Clears the cache's statistics. */
void cache_reset_stats(struct cache *c);

struct timing_valid;
/* Returns true if the cache's state is consistent, and claims its requests (timing/common/valid.h). */
bool cache_is_valid(const struct cache *c, struct timing_valid *v);

/* ---- for observers (dp, dm, print) ---- */
/* Returns the cache's lines, set by set, `ways` lines a set. */
const struct cache_line *cache_lines(const struct cache *c);
/* An MSHR entry, or an entry of a texture cache's reorder buffer. */
struct cache_mshr_view {
	uint64_t block;
	uint32_t n_merged;
	uint32_t first; /* request; the others follow through mshr_next[level] */
	bool has_atomic, ready;
};
/* Returns the number of used MSHR entries (texture cache: of reorder buffer entries). */
uint32_t cache_mshr_used(const struct cache *c);
/* Stores used MSHR entry k, from 0, oldest first, in *out (texture cache: reorder buffer entry). Returns false if fewer are used. */
bool cache_mshr_get(const struct cache *c, uint32_t k, struct cache_mshr_view *out);
/* A texture cache's FIFOs besides the reorder buffer and the request FIFO (which is its miss queue). */
struct cache_texture_view {
	uint32_t n_fragments, n_results;
	uint32_t oldest; /* fragment: its request, 0: none */
	bool oldest_missed;
};
/* Stores the state of a texture cache's FIFOs. */
void cache_texture_get(const struct cache *c, struct cache_texture_view *out);
/* Returns the reason for which the cache would refuse an access now, as a clause ("its miss queue is full"). Returns NULL if the cache would accept
 * it, and for caches of sectors. An L2 needs the request m. */
const char *cache_refusal(const struct cache *c, uint64_t address, enum access_type type, bool is_write,
			  const struct mem_request *m);
/* How an address stands in a cache: its line isn't there, is on its way, is there. */
enum cache_place { CACHE_ABSENT, CACHE_COMING, CACHE_THERE };
/* Returns how an address stands in the cache now, and stores the oldest request that its line is on its way for, 0 if there is none. Changes nothing. */
enum cache_place cache_place_of(const struct cache *c, uint64_t address, uint32_t *request);
/* Returns the first of the requests merged in an MSHR entry, for whose data the others wait. */
uint32_t cache_first_merged(const struct cache *c, uint32_t entry);
/* Returns the number of requests in the miss queue. */
uint32_t cache_miss_queue_length(const struct cache *c);
/* Returns request k of the miss queue, oldest first. */
uint32_t cache_miss_queue_at(const struct cache *c, uint32_t k);

#endif
