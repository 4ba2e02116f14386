/* Shared declarations of the race checker's files: the state in the arena. */
#ifndef CHECK_RACE_STATE_H
#define CHECK_RACE_STATE_H

#include "check/race.h"

/* What a thread makes known with its next strong write: accesses stamped before these times. 0: nothing. */
struct race_fenced {
	uint32_t own, warp, block; /* its own, its warp's, its block's */
	uint32_t know;		   /* what it knew of others */
};

struct race_lane {
	uint32_t know;		       /* what it has learnt through flags: a list, 0: nothing */
	uint32_t pending[RACE_SCOPES]; /* what it has seen, to be known after a fence */
	uint32_t part;		       /* when it last met some others of its warp */
	struct race_fenced fenced[RACE_SCOPES];
};

struct race_warp {
	uint32_t joined; /* when all its lanes last met */
	uint32_t named;	 /* when it last came to a barrier of a part of the block */
	bool whole;	 /* since then all of them have gone the same way; else those of together[l] have with l */
	uint32_t together[LANES];
	struct race_lane lane[LANES];
};

struct race_block {
	bool used;
	uint32_t launch, launch_uid, launch_threads, uid, threads, known;
	uint32_t begun;
	uint32_t barrier;	      /* when the whole block last met */
	uint32_t waited;	      /* when a thread of the block last had waited for the block's launches */
	uint32_t fenced[RACE_SCOPES]; /* what all its threads had fenced then */
	uint64_t shared;	      /* offset of its shared memory */
	uint64_t came[RACE_BARRIERS]; /* warps that have come to a barrier since it last opened, and when */
	uint32_t came_at[RACE_BARRIERS][RACE_WARPS];
	uint32_t row
		[RACE_WARPS]
		[RACE_WARPS]; /* [w][v]: accesses of warp v stamped before this are known to warp w, by barriers of a part */
	struct race_warp warp[RACE_WARPS];
	uint32_t lanes[RACE_WARPS][LANES]
		      [LANES]; /* [w][l][m]: those of lane m to lane l, where parts of a warp have met */
};

/* An entry of a log: accesses published at a place. A reader of the place knows the log's entries up to then. */
struct race_pub {
	uint32_t log, position;
	uint32_t uid, block; /* the writing thread; first thread of its block */
	struct race_fenced told;
	uint32_t know; /* of all told up to here */
	uint32_t next; /* in its bucket */
	uint32_t at;   /* time of the write to the place, which is itself published */
	uint64_t key;
};
struct race_know {
	uint32_t log, length; /* the log's first entries */
	uint32_t next;
	uint32_t n; /* of the list */
};
struct race_place {
	uint64_t key;
	uint32_t next;
	uint32_t log[RACE_SCOPES]; /* 0: none */
	uint32_t block;		   /* that of RACE_SCOPE_CTA is for */
};
struct race_log {
	uint32_t n, know; /* entries; what they tell, added up */
};

/* Accesses to a word beyond those its cell has room for. */
struct race_entry {
	uint32_t who, when, how; /* as in a cell; when 0: none */
};
#define RACE_MORE 4u
struct race_more {
	uint64_t owner; /* the cell, by its place; 0: free */
	struct race_entry entry[RACE_MORE];
	uint32_t next_free;
};
_Static_assert(sizeof(struct race_more) == 64, "a line of the host's cache");

struct race_launch {
	uint32_t id; /* 1 + launch */
	uint32_t begun, known;
};
#define RACE_LAUNCHES 1024u

/* What a thread that launched a kernel knew then. */
struct race_parent {
	uint32_t id; /* 1 + the launch that it made; 0: none */
	uint32_t uid, block, threads, warp; /* warp: in its block */
	uint32_t at; /* its own accesses stamped before this are known */
	uint32_t barrier, waited, known, joined; /* as in race_block and race_warp */
	uint32_t together;			 /* lanes of its warp that were in step with it */
	uint32_t know;
	uint32_t row[RACE_WARPS], lanes[LANES]; /* as in race_block, of its warp and its lane */
};
#define RACE_PARENTS 1024u

/* The last strong write of a thread at a place, and what the thread then knew: what a fence in front of the write would have made known. */
struct race_flag_write {
	uint64_t key; /* 0: none */
	uint32_t uid, block, at, pc;
	struct race_fenced told;
};
/* The last strong read of a thread at a place; the read has seen the writes from time `since` on. */
struct race_flag_read {
	uint64_t key; /* 0: none */
	uint32_t uid, at, since, pc;
};
/* A place that has been written by a store. */
struct race_flag_place {
	uint64_t key; /* 0: none */
	uint32_t since; /* time of its last store */
};
#define RACE_FLAGS 2048u

#define RACE_BUCKETS 65536u
struct race_head {
	uint32_t time;
	bool fenced;				    /* at least one fence has been executed */
	struct race_launch launch[RACE_LAUNCHES];   /* the latest, by their ids' remainders */
	struct race_parent parent[RACE_PARENTS];    /* likewise */
	uint32_t n_pubs, n_knows, n_places, n_logs; /* entry 0 is none */
	uint32_t n_mores, free_more;		    /* entry 0 is none; the first entry of the free list */
	uint32_t pub_bucket[RACE_BUCKETS], place_bucket[RACE_BUCKETS];
	struct race_flag_write flag_write[RACE_FLAGS]; /* by hashes of key and uid */
	struct race_flag_read flag_read[RACE_FLAGS];   /* likewise */
	struct race_flag_place flag_place[RACE_FLAGS]; /* by hashes of keys */
};

/* Parts of the section: the head, the blocks, then these tables. */
#define RACE_ENTRIES (UINT64_C(1) << 22)
#define RACE_MORES (UINT64_C(1) << 21) /* the last of these tables: 128 MB */

/* Returns the header of the state section. */
static inline struct race_head *race_head(const struct race *r) { return arena_at(r->arena, r->sec_state, 0); }
/* Returns the offset of a slot's block in the state section. */
static inline uint64_t race_block_offset(uint32_t slot)
{
	return (sizeof(struct race_head) + ARENA_PAGE - 1) / ARENA_PAGE * ARENA_PAGE +
	       slot * ((sizeof(struct race_block) + ARENA_PAGE - 1) / ARENA_PAGE * ARENA_PAGE);
}
/* Returns the warp of a block that a thread, numbered within the block, is in. */
static inline uint32_t race_warp_of(const struct race *r, uint32_t thread) { return thread / r->warp_threads; }
/* Returns the lane that a thread of a block is. */
static inline uint32_t race_lane_of(const struct race *r, uint32_t thread) { return thread % r->warp_threads; }
/* Returns true if two threads of a block are in one warp. The threads of a warp are a power of two. */
static inline bool race_one_warp(const struct race *r, uint32_t a, uint32_t b) { return (a ^ b) < r->warp_threads; }

/* Returns the state of the block in a slot. */
static inline struct race_block *race_block(const struct race *r, uint32_t slot)
{
	return arena_at(r->arena, r->sec_state, race_block_offset(slot));
}
/* Marks `n` bytes of the state section as dirty. Must be called before they are written. */
static inline void race_touch(const struct race *r, const void *p, uint64_t n)
{
	arena_touch(r->arena, r->sec_state, (uint64_t)((const char *)p - r->arena->section[r->sec_state].base), n);
}

/* The last time. */
#define RACE_TIME_MAX ((1u << 31) - 1)
/* Advances the time by one, up to RACE_TIME_MAX, and returns the new time. */
uint32_t race_tick(struct race *r);

/* Returns true if an access of thread `uid` at time `stamp` is ordered before what the lane does now. */
bool race_knows(const struct race *r, uint32_t slot, uint32_t warp, unsigned lane, uint32_t uid, uint32_t stamp);
/* Stores the first thread of the block of a thread of another block. Returns true if launches order its access at time `stamp` before the block in `slot`. */
bool race_block_of(const struct race *r, uint32_t slot, uint32_t uid, uint32_t stamp, uint32_t *block);
/* Returns true if the lane has observed, through flags, the strong write of thread `uid` at `address`, made at time `stamp`. */
bool race_has_seen(const struct race *r, const struct race_access *a, unsigned lane, uint64_t address, uint32_t uid,
		   uint32_t stamp);

/* ---- race_publish.c ---- */
/* Returns true if a list orders an access of thread `uid` at time `stamp` before the list's owner. `block`: first thread of the thread's block. */
bool race_told(const struct race *r, uint32_t know, uint32_t uid, uint32_t block, uint32_t stamp);
/* Returns true if a list contains the thread's own write to the place `key`, made at time `stamp` or later. */
bool race_told_by(const struct race *r, uint32_t know, uint32_t uid, uint32_t block, uint32_t stamp, uint64_t key);
/* Returns the key of a place: an address of global memory, or of a block's shared memory. */
static inline uint64_t race_place_key(const struct race_block *b, bool shared, uint64_t address)
{
	return shared ? (uint64_t)b->uid << 32 | address << 1 | 1 : address << 1;
}
/* Returns true if a key is that of a place in shared memory. */
static inline bool race_place_is_shared(uint64_t key) { return key & 1; }
/* Returns the address of a place from its key. */
static inline uint64_t race_place_address(uint64_t key) { return race_place_is_shared(key) ? (uint32_t)key >> 1 : key >> 1; }
/* Returns the union of two lists. Lists are immutable: the result is `a`, `b` or a new list. */
uint32_t race_know_both(struct race *r, uint32_t a, uint32_t b);
/* Returns what a fence of a lane at time `now` makes known. */
struct race_fenced race_fenced_now(const struct race_block *b, uint32_t warp, unsigned lane, uint32_t now);
/* Returns true if at least one fenced access has been published through a flag or atomic. */
static inline bool race_anything_told(const struct race *r) { return race_head(r)->n_pubs > 1; }

/* ---- race_flag.c ---- */
/* A thread that is on a core. */
struct race_thread {
	const struct race_block *block;
	uint32_t uid, warp;
	unsigned lane;
};
/* Records a thread's strong access of the place `key`, which has been executed. */
void race_note_flag(struct race *r, const struct race_thread *t, uint64_t key, const struct race_signal *s);

#endif
