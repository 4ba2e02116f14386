/* What the files of the caches share: tag array, MSHR table, miss queue and the view that ties them together. */
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
bool mshrs_take(struct mshrs *t, struct timing_memory *m, uint32_t capacity, uint32_t merge, enum request_level level);
/* The entry of the block, 0: none. */
uint32_t mshrs_find(const struct mshrs *t, uint64_t block);
/* `entry` as mshrs_find gave it: one more request fits. */
static inline bool mshrs_room(const struct mshrs *t, uint32_t entry)
{
	return entry ? t->at[entry].n < t->merge : t->s->used < t->capacity;
}
void mshrs_add(struct mshrs *t, struct requests *q, uint32_t entry, uint64_t block, uint32_t r);
/* The block's data came: its requests may go, after those of blocks that came before. True: an atomic is among them. */
bool mshrs_mark_ready(struct mshrs *t, uint64_t block);
static inline bool mshrs_any_ready(const struct mshrs *t) { return t->s->ready_first != 0; }
uint32_t mshrs_next_ready(struct mshrs *t, const struct requests *q);

/* ---- a line of sectors (4.x): a bit or a state for each. Its cache_line has the strongest state of them, for those who look ---- */
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

/* What each of its cycles and hits looks at comes first. */
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

/* Where an address is looked for and what was found. */
struct cache_lookup {
	uint64_t block;
	uint32_t line;		  /* hit: the line; miss: the set's first, then (tags_choose_victim) the victim */
	enum cache_outcome found; /* HIT, HIT_RESERVED or MISS */
};

/* ---- policies: what the columns of policies.def say ---- */
enum cache_write_hit { WRITE_STAYS, WRITE_GOES_DOWN /* too: the line has it as well */, WRITE_EVICTS /* goes down, the line is gone */ };
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
cache_write_miss cache_write_around, cache_write_allocate;
cache_set cache_linear_set, cache_fermi_set;

static inline enum cache_write_hit cache_on_write_hit(const struct cache *c, bool is_global)
{
	const struct cache_write_rule *rule = &cache_write_rules[c->cfg.write];
	return is_global ? rule->global : rule->other;
}
/* When the line was made or used: the lowest gives way. */
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
uint32_t tags_set(const struct cache *c, uint64_t block, const struct mem_request *m);
void tags_find(const struct cache *c, uint32_t set, struct cache_lookup *l);
/* After a MISS. False: all ways are reserved. Asked last of all, since most accesses that fail do so for want of other room. */
bool tags_choose_victim(const struct cache *c, struct cache_lookup *l);
static inline bool tags_have_line(const struct cache *c, struct cache_lookup *l)
{
	return l->found != CACHE_MISS || tags_choose_victim(c, l);
}
/* Takes note of an access; a miss takes the victim's line if lines are allocated on misses. */
void tags_access(struct cache *c, const struct cache_lookup *l, uint64_t now);
/* The access would push out a line whose data the level below lacks. */
bool tags_evicts_dirty(const struct cache *c, const struct cache_lookup *l);
void tags_allocate(struct cache_line *line, uint64_t block, uint64_t now);

static inline struct cache_lookup cache_look(const struct cache *c, uint64_t address, const struct mem_request *m)
{
	struct cache_lookup l = {.block = address & ~(uint64_t)(c->cfg.line - 1)};
	tags_find(c, tags_set(c, l.block, m), &l);
	return l;
}
static inline void cache_count(struct cache *c, const struct mem_request *m, enum cache_outcome found,
			       enum cache_outcome outcome)
{
	/* a request that met its line on the way counts as such, whatever its caller was told */
	if (found == CACHE_HIT_RESERVED && outcome != CACHE_RESERVATION_FAIL)
		outcome = CACHE_HIT_RESERVED;
	c->s->stats.count[m->type][outcome]++;
}

/* ---- policies (cache_access.c, cache_texture.c) ---- */
enum cache_outcome texture_access(struct cache *c, uint64_t address, uint32_t r, uint64_t now, unsigned *events);
/* What cache_access.c and cache_sector.c share. */
bool cache_queue_full(const struct cache *c, uint32_t n);
void cache_queue(struct cache *c, uint32_t r, uint64_t now);
bool cache_read_fits(const struct cache *c, uint32_t entry);
uint32_t cache_new_write_back(struct cache *c, uint64_t block, const struct mem_request *cause, uint64_t now);
/* One access of a cache of sectors. */
enum cache_outcome sector_access(struct cache *c, uint64_t address, uint32_t r, uint64_t now, unsigned *events);
/* Its sector has come. */
void sector_fill(struct cache *c, uint32_t line, uint32_t sector, const uint64_t bytes[2]);
void sector_modify(struct cache *c, uint32_t line, const struct mem_request *m);
bool texture_fragment_moves(const struct cache *c);
void texture_move_fragment(struct cache *c);
void texture_fill(struct cache *c, uint32_t r, uint64_t now);

#endif
