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
/* False with a message in `why` (what was expected and where). `v4`: 4.x syntax (leading N:, set index letter) is accepted too, and what
 * 3.x doesn't have (sector caches, streaming, other hashes) is refused with a reason. */
bool cache_config_parse(const char *text, bool v4, struct cache_config *out, struct text *why);
/* Can a cache of this kind be made of it? False with a reason (a texture cache without FIFOs, queues too short to ever serve a miss). */
bool cache_config_fits(const struct cache_config *cfg, enum cache_kind kind, struct text *why);

enum cache_outcome { CACHE_HIT, CACHE_HIT_RESERVED, CACHE_MISS, CACHE_RESERVATION_FAIL, CACHE_OUTCOMES };
extern const char *const cache_outcome_names[CACHE_OUTCOMES];
/* What an access caused, a bit each. */
enum cache_event { CACHE_READ_SENT = 1, CACHE_WRITE_SENT = 2, CACHE_WRITE_BACK_SENT = 4, CACHE_WRITE_TAKEN = 8 /* a write that missed is done */ };

enum cache_line_state { CACHE_INVALID, CACHE_RESERVED, CACHE_VALID, CACHE_MODIFIED };
struct cache_line {
	uint64_t block;			      /* address of its first byte */
	uint32_t state;			      /* enum cache_line_state */
	uint32_t allocated, accessed, filled; /* low 32 bits of the time */
};

/* The level below: asked with the size of the packet on its way down (reads: the control part), never refused after full() said no. */
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

/* level: which mem_request.saved and mshr_next it uses. miss_status: status of requests in its miss queue. NULL: no room. A
 * disabled cache has no view. */
struct cache *cache_create(struct timing_memory *m, struct requests *q, const struct cache_config *cfg,
			   enum cache_kind kind, enum request_level level, enum request_status miss_status,
			   const struct cache_lower *lower);
void cache_destroy(struct cache *c);
const struct cache_config *cache_get_config(const struct cache *c);
/* Where the write-backs it makes lie in DRAM; without a map they get no place. `map` must outlive the cache. */
struct address_map;
void cache_set_address_map(struct cache *c, const struct address_map *map);

/* One access of request `r` at `address` (for an L2: the set is taken from r's partition address). Afterwards the cache has the request, or it is
 * the caller's again (cache_gives_back), to reply or free. On RESERVATION_FAIL nothing happened: try again.
 * A texture cache says HIT_RESERVED for a hit, which it has too: it comes back as a response in its turn. No other kind says so.
 * `events` gets enum cache_event bits. Counts statistics. */
enum cache_outcome cache_access(struct cache *c, uint64_t address, uint32_t r, uint64_t now, unsigned *events);
static inline bool cache_gives_back(enum cache_outcome outcome, unsigned events)
{
	return events & CACHE_WRITE_TAKEN || (outcome == CACHE_HIT && !(events & CACHE_WRITE_SENT));
}
/* The last access failed, and would again: true, and counted as cache_access does. Only for a caller that has tried no other since. */
bool cache_refuses_again(struct cache *c, enum access_type type);
/* It would do so now; and: it has done so n times. */
bool cache_is_refusing(const struct cache *c);
void cache_count_refused(struct cache *c, enum access_type type, uint64_t n);
/* A read that hits in a read-only L1, without a request: it is counted as cache_access does. False: it would not hit, nothing happened. */
bool cache_read_hit(struct cache *c, uint64_t address, enum access_type type, uint64_t now);
/* Once per cycle of its clock: sends one miss-queue entry down, ticks the ports (texture: moves its FIFOs). */
void cache_cycle(struct cache *c, uint64_t now);
bool cache_data_port_free(const struct cache *c);
bool cache_fill_port_free(const struct cache *c);
/* Is `r` a reply this cache waits for? */
bool cache_waits_for(const struct cache *c, uint32_t r);
void cache_fill(struct cache *c, uint32_t r, uint64_t now);
/* Filled requests whose turn has come, one per call. */
bool cache_response_ready(const struct cache *c);
uint32_t cache_next_response(struct cache *c);
/* A host copy to the device leaves a sector of the line in the cache, at no cost (caches of sectors only). The place is as decoded. */
void cache_fill_by_copy(struct cache *c, uint64_t address, const struct dram_place *place, uint64_t now);
/* All lines invalid, nothing written back (flush options). */
void cache_invalidate(struct cache *c);
/* Nothing under way. */
bool cache_idle(const struct cache *c);
/* cache_cycle would only count: no queue entry to move, all ports free. Then cache_skip(c, n) does n of them. */
bool cache_quiet(const struct cache *c);
void cache_skip(struct cache *c, uint64_t n);

const struct cache_stats *cache_get_stats(const struct cache *c);
void cache_reset_stats(struct cache *c);

/* ---- for observers (dp, dm, print) ---- */
const struct cache_line *cache_lines(const struct cache *c); /* sets * ways, set by set */
struct cache_mshr_view {
	uint64_t block;
	uint32_t n_merged;
	uint32_t first; /* request; the others follow through mshr_next[level] */
	bool has_atomic, ready;
};
uint32_t cache_mshr_used(const struct cache *c);
/* k < used, oldest first. Texture: the reorder buffer. */
bool cache_mshr_get(const struct cache *c, uint32_t k, struct cache_mshr_view *out);
/* A texture cache's FIFOs besides the reorder buffer and the request FIFO (which is its miss queue). */
struct cache_texture_view {
	uint32_t n_fragments, n_results;
	uint32_t oldest; /* fragment: its request, 0: none */
	bool oldest_missed;
};
void cache_texture_get(const struct cache *c, struct cache_texture_view *out);
/* Why it would refuse an access as things stand (a clause that begins with "its", "the", ...); NULL: it wouldn't. `m`: an L2's request. */
const char *cache_refusal(const struct cache *c, uint64_t address, enum access_type type, bool is_write,
			  const struct mem_request *m);
uint32_t cache_miss_queue_length(const struct cache *c);
uint32_t cache_miss_queue_at(const struct cache *c, uint32_t k);

#endif
