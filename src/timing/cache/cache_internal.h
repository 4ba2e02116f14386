/* Shared by the caches' files: tag array, MSHR table, and the view that ties them together. */
#ifndef TIMING_CACHE_INTERNAL_H
#define TIMING_CACHE_INTERNAL_H

#include "timing/cache/cache.h"

/* ---- MSHR table: block address -> the requests that wait for it, in order. Fully associative ---- */
struct mshr_entry { /* entry 0 stands for none and heads the list of used ones */
	uint64_t block;
	uint32_t first, last, n; /* requests, linked through mshr_next */
	uint32_t chain;		 /* next of the same hash bucket; of a free entry: next free one */
	uint32_t older, newer;	 /* used entries in the order they were taken, circular through entry 0 */
	uint32_t next_ready;
	bool has_atomic, ready;
};
struct mshr_state {
	uint32_t used, free, ready_first, ready_last;
};
struct mshrs { /* a view */
	struct mshr_state *s;
	struct mshr_entry *at;
	uint32_t *bucket;
	uint32_t capacity, merge;
	uint32_t shift; /* of the hash: 64 - log2 of the number of buckets */
	enum request_level level;
};
/* Allocates a table of `capacity` entries of up to `merge` requests in m's arena. Returns false if there is no room. */
bool mshrs_take(struct mshrs *t, struct timing_memory *m, uint32_t capacity, uint32_t merge, enum request_level level);
/* Returns the entry of a block, or 0 if there is none. */
uint32_t mshrs_find(const struct mshrs *t, uint64_t block);
/* Returns whether one more request fits for the block of `entry`, or a new block if `entry` is 0. */
static inline bool mshrs_room(const struct mshrs *t, uint32_t entry)
{
	return entry ? t->at[entry].n < t->merge : t->s->used < t->capacity;
}
/* Appends request r to an entry, or to a new entry for `block` if `entry` is 0. The request must fit. */
void mshrs_add(struct mshrs *t, struct requests *q, uint32_t entry, uint64_t block, uint32_t r);
/* Marks a block's data as arrived: its requests become ready after those of blocks that arrived before. Returns whether an atomic is among them. */
bool mshrs_mark_ready(struct mshrs *t, uint64_t block);
/* Returns whether a request is ready. */
static inline bool mshrs_any_ready(const struct mshrs *t) { return t->s->ready_first != 0; }
/* Removes and returns the next ready request; there must be one. */
uint32_t mshrs_next_ready(struct mshrs *t, const struct requests *q);

/* ---- a line of sectors (4.x): a bit or a state for each; the line's cache_line.state is the strongest of them ---- */
struct sector_line {
	uint64_t dirty[2];	 /* bytes written, a bit each */
	uint8_t state[REQUEST_SECTORS]; /* enum cache_line_state */
	uint8_t readable;	 /* modified ones all of whose bytes are there */
	uint8_t modified_on_fill, readable_on_fill;
	bool bytes_on_fill;
};

/* ---- the cache ---- */
struct cache_state {
	uint32_t data_port, fill_port; /* cycles they stay busy */
	uint32_t last_hit;	       /* line that cache_read_hit found last: looked at first */
	bool refused;		       /* the last access failed, and nothing has changed since that it could fail for */
	struct cache_stats stats;
};

/* Texture cache: a fragment FIFO element is a request and this bit; so is one of the reorder buffer. */
#define FRAGMENT_MISS UINT32_C(0x80000000)
#define REORDER_READY UINT32_C(0x80000000)

/* The members that every cycle and hit reads come first. */
struct cache {
	struct cache_state *s;
	struct cache_line *lines;
	struct fifo *miss;		      /* miss queue; texture: request FIFO */
	enum cache_kind kind;
	enum request_level level;
	uint32_t line_shift;
	enum request_status miss_status;
	struct mshrs mshr;		      /* not of a texture cache */
	struct cache_config cfg;
	struct requests *q;
	struct sector_line *sectors; /* beside the lines; NULL: lines have one state */
	struct cache_lower lower;
	const struct address_map *map; /* NULL: created requests get no place in DRAM */
	struct fifo *fragment, *rob, *result; /* texture only */
};

/* The result of looking an address up. */
struct cache_lookup {
	uint64_t block;
	uint32_t line;		  /* hit: the line; miss: the set's first, then (tags_choose_victim) the victim */
	enum cache_outcome found; /* HIT, HIT_RESERVED or MISS */
};

/* ---- policies: the columns of policies.def ---- */
enum cache_write_hit { WRITE_STAYS, WRITE_GOES_DOWN /* to the line and the level below */, WRITE_EVICTS /* to the level below; the line becomes invalid */ };
struct cache_write_rule {
	char letter;
	const char *words;
	enum cache_write_hit global, other;
	bool dirty;
};
typedef enum cache_outcome cache_write_miss(struct cache *c, struct cache_lookup *l, uint32_t r, uint64_t now, unsigned *events);
struct cache_write_miss_rule {
	char letter;
	bool v4;
	const char *name, *words;
	uint32_t most;
	cache_write_miss *miss;
};
typedef uint32_t cache_set(const struct cache *c, uint64_t address);
struct cache_set_rule {
	char letter;
	const char *words;
	uint32_t least, most;
	const char *needs;
	cache_set *set;
};
extern const struct cache_write_rule cache_write_rules[];
extern const struct cache_write_miss_rule cache_write_miss_rules[];
extern const struct cache_set_rule cache_set_rules[];
/* Handle a write miss: send it down without a line; or fetch the line and keep the write. */
cache_write_miss cache_write_around, cache_write_allocate;
/* Return the set of an address: its low line bits; or the hash of a Fermi L1. */
cache_set cache_linear_set, cache_fermi_set;

/* Returns what a write hit to global or other memory does. */
static inline enum cache_write_hit cache_on_write_hit(const struct cache *c, bool is_global)
{
	const struct cache_write_rule *rule = &cache_write_rules[c->cfg.write];
	return is_global ? rule->global : rule->other;
}
/* Returns the time by which lines are replaced: the line with the lowest is the victim. */
static inline uint32_t cache_line_age(const struct cache *c, const struct cache_line *line)
{
	switch (c->cfg.replacement) {
#define REPLACEMENT(kind, letter, words, age) \
	case CACHE_##kind: return line->age;
#include "timing/cache/policies.def"
	}
	return 0;
}

/* ---- tag array ---- */
/* Returns the set of a block; an L2 takes it from the partition address of request m. */
uint32_t tags_set(const struct cache *c, uint64_t block, const struct mem_request *m);
/* Looks l->block up in a set and stores line and outcome in *l. */
void tags_find(const struct cache *c, uint32_t set, struct cache_lookup *l);
/* Stores the victim's line in l->line after a MISS. Returns false if all ways are reserved. Callers ask this last: most failing accesses lack other room. */
bool tags_choose_victim(const struct cache *c, struct cache_lookup *l);
/* Returns whether the access has a line: a hit, or a miss that found a victim. */
static inline bool tags_have_line(const struct cache *c, struct cache_lookup *l)
{
	return l->found != CACHE_MISS || tags_choose_victim(c, l);
}
/* Updates the line's times and the counts for an access; a miss allocates the victim's line if the cache allocates on misses. */
void tags_access(struct cache *c, const struct cache_lookup *l, uint64_t now);
/* Returns whether the access would evict a modified line. */
bool tags_evicts_dirty(const struct cache *c, const struct cache_lookup *l);
/* Reserves a line for a block. */
void tags_allocate(struct cache_line *line, uint64_t block, uint64_t now);

/* Looks an address up, without changing anything. */
static inline struct cache_lookup cache_look(const struct cache *c, uint64_t address, const struct mem_request *m)
{
	struct cache_lookup l = {.block = address & ~(uint64_t)(c->cfg.line - 1)};
	tags_find(c, tags_set(c, l.block, m), &l);
	return l;
}
/* Counts an access in the statistics by type and outcome. */
static inline void cache_count(struct cache *c, const struct mem_request *m, enum cache_outcome found,
			       enum cache_outcome outcome)
{
	/* an access that found its line reserved counts as HIT_RESERVED, whatever outcome its caller gets */
	if (found == CACHE_HIT_RESERVED && outcome != CACHE_RESERVATION_FAIL)
		outcome = CACHE_HIT_RESERVED;
	c->s->stats.count[m->type][outcome]++;
}

/* ---- policies (cache_access.c, cache_texture.c) ---- */
/* Implements cache_access for a texture cache. */
enum cache_outcome texture_access(struct cache *c, uint64_t address, uint32_t r, uint64_t now, unsigned *events);
/* Returns whether the miss queue lacks room for n + 1 requests. */
bool cache_queue_full(const struct cache *c, uint32_t n);
/* Appends a request to the miss queue. */
void cache_queue(struct cache *c, uint32_t r, uint64_t now);
/* Returns whether a read miss fits into the MSHR table at `entry` (of mshrs_find), and into the miss queue if it needs a new entry. */
bool cache_read_fits(const struct cache *c, uint32_t entry);
/* Makes the write-back of a block on behalf of request `cause`. Returns 0 if the pool is full. */
uint32_t cache_new_write_back(struct cache *c, uint64_t block, const struct mem_request *cause, uint64_t now);
/* Implements cache_access for a cache of sectors. */
enum cache_outcome sector_access(struct cache *c, uint64_t address, uint32_t r, uint64_t now, unsigned *events);
/* Marks a sector of a line as filled. Marks bytes[], which pending writes have set, as modified if the cache keeps bytes of pending writes. */
void sector_fill(struct cache *c, uint32_t line, uint32_t sector, const uint64_t bytes[2]);
/* Marks the sector of a write as modified, with the bytes it sets. */
void sector_modify(struct cache *c, uint32_t line, const struct mem_request *m);
/* Returns whether the oldest fragment has its data and a place in the result FIFO. */
bool texture_fragment_moves(const struct cache *c);
/* Moves the oldest fragment to the result FIFO, if the fragment can move now. A fragment that missed leaves the reorder buffer with it. */
void texture_move_fragment(struct cache *c);
/* Implements cache_fill for a texture cache. */
void texture_fill(struct cache *c, uint32_t r, uint64_t now);

#endif
