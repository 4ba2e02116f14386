/* Cells: what is kept of accesses to a word of memory, and of rows of words (race_cell.c, race_row.c). */
#ifndef CHECK_RACE_CELL_H
#define CHECK_RACE_CELL_H

#include "check/race_state.h"

/* Of a word up to three accesses lie in its cell: access 0 is a write, 1 and 2 are reads, or writes that access 0 doesn't stand for. when 0: none.
 * Where that isn't enough, since threads write the word's bytes singly, access 2 is the number of a struct race_more that has the others. how: of
 * each access 21 bits, cell_how_of; the highest bit: an access besides 0 is a write.
 *
 * The first cell of a row, of ROW_WORDS words, is that of all of them as long as accesses were made row by row, each word by the next lane or each
 * two by one (shift 1), each four (2), each eight (3): then `who` is the first word's, and the place is the shift. */
#define CELL_ACCESSES 3u
#define CELL_HOW_BITS 21u
#define CELL_HOW_MASK ((UINT64_C(1) << CELL_HOW_BITS) - 1)
#define CELL_MORE_WRITES (UINT64_C(1) << 63)
#define CELL_FLAG (RACE_TIME_MAX + 1) /* of when[0]: each word of the row has its own cell */
#define CELL_WORDS CELL_FLAG
#define CELL_LIST CELL_FLAG  /* of when[1]: access 2 is the number of a struct race_more */
#define CELL_LANES CELL_FLAG /* of when[2]: an access is at the place CELL_EACH */
struct cell {
	uint32_t who[CELL_ACCESSES], when[CELL_ACCESSES];
	uint64_t how;
};
_Static_assert(sizeof(struct cell) == 32, "8 bytes for each of memory");

/* How a word was accessed: the instruction's index and the first byte. CELL_EACH: all of it was, each byte or half by the next lane, the first by
 * `who`. */
#define CELL_EACH 4u
#define CELL_PLACES 5u
#define CELL_PC_MAX ((1u << CELL_HOW_BITS) / CELL_PLACES - 1)
/* Returns the encoding of an instruction index and a place (a byte, or CELL_EACH; in a row's first cell the shift). */
static inline uint64_t cell_how_of(uint32_t pc, unsigned place) { return (uint64_t)pc * CELL_PLACES + place; }
/* Returns the instruction index of an encoded access. */
static inline uint32_t how_pc(uint64_t how) { return (uint32_t)how / CELL_PLACES; }
/* Returns the place of an encoded access. */
static inline unsigned how_place(uint64_t how) { return (uint32_t)how % CELL_PLACES; }

#define ROW_WORDS 16u
#define ROW_BYTES (4 * ROW_WORDS)

/* The first cells of the rows of a region fill a page, so that memory that is accessed by rows needs no more than these pages. */
#define REGION_ROWS (ARENA_PAGE / sizeof(struct cell))
#define REGION_BYTES (REGION_ROWS * ROW_BYTES)
/* Returns the offset in the section of the cell of the word at an address. */
static inline uint64_t cell_offset(uint64_t address)
{
	const uint64_t row = address / ROW_BYTES % REGION_ROWS, word = address / 4 % ROW_WORDS;
	return address / REGION_BYTES * (8 * REGION_BYTES) +
	       (word ? ARENA_PAGE + (row * (ROW_WORDS - 1) + word - 1) * sizeof(struct cell)
		     : row * sizeof(struct cell));
}
/* Returns the bytes of a section for the cells of `memory` bytes. */
static inline uint64_t cell_bytes(uint64_t memory)
{
	return (memory + REGION_BYTES - 1) / REGION_BYTES * (8 * REGION_BYTES);
}

/* An access, and what decides about it without a closer look. */
struct cell_view {
	struct race *r;
	const struct race_access *a;
	const struct race_block *b;
	char *base;	/* of the section */
	uint64_t start; /* of the block's shared memory in its section */
	uint8_t *flags;
	int section;
	uint32_t known, uid, threads, barrier; /* the block's */
	uint32_t warp_uid, warp_threads, joined;
	bool whole;
	uint32_t now, pc;
	struct race_found *out;
	uint32_t n;
};

/* Returns true if an access of thread `who` at time `when` is ordered before all lanes of the warp by launch, block barrier or warp alone. */
static inline bool cell_is_easy_for_warp(const struct cell_view *v, uint32_t who, uint32_t when)
{
	return when < v->known || (when < v->barrier && who - v->uid < v->threads) ||
	       (who - v->warp_uid < v->warp_threads && (v->whole || when < v->joined));
}
/* Returns true if thread `me` made the access itself, or the access is ordered before all lanes of the warp. */
static inline bool cell_is_easy(const struct cell_view *v, uint32_t who, uint32_t when, uint32_t me)
{
	return who == me || cell_is_easy_for_warp(v, who, when);
}

/* Returns the time of access `k`, without flags. Returns 0 if the cell has no such access. */
static inline uint32_t cell_when(const struct cell *c, unsigned k) { return c->when[k] & RACE_TIME_MAX; }
/* Returns access `k` of a cell as cell_how_of encodes it: instruction index and place. */
static inline uint64_t cell_how(const struct cell *c, unsigned k)
{
	return c->how >> k * CELL_HOW_BITS & CELL_HOW_MASK;
}
/* Stores an access of thread `me` at the current time as access `k` of the cell. */
static inline void cell_put(const struct cell_view *v, struct cell *c, unsigned k, uint32_t me, uint64_t how)
{
	c->who[k] = me;
	c->when[k] = v->now | (c->when[k] & CELL_WORDS);
	c->how = (c->how & ~(CELL_HOW_MASK << k * CELL_HOW_BITS)) | how << k * CELL_HOW_BITS;
}

/* Marks the cell's page as dirty. Must be called before the cell is written. */
static inline void cell_touch(const struct cell_view *v, const struct cell *c)
{
	const uint64_t offset = (uint64_t)((const char *)c - v->base);
	if (!(v->flags[offset >> ARENA_PAGE_SHIFT] & ARENA_PAGE_DIRTY))
		arena_touch(v->r->arena, v->section, offset, sizeof *c);
}

/* Returns the first cell of the row that an address belongs to. */
static inline struct cell *cell_of_row(const struct cell_view *v, uint64_t address)
{
	return (struct cell *)(void *)(v->base + cell_offset((v->start + address) & ~(uint64_t)(ROW_BYTES - 1)));
}
/* Returns true if a row's first cell stands for all words of the row. */
static inline bool cell_is_row(const struct cell *first) { return !(first->when[0] & CELL_WORDS); }

/* Returns true if a cell needs more than a comparison with three accesses: it has a struct race_more, or an access at CELL_EACH. */
static inline bool cell_is_list(const struct cell *c) { return (c->when[1] | c->when[2]) & CELL_FLAG; }

/* ---- race_cell.c ---- */
/* Returns true if a read by `me` may have to be recorded in the cell: its second read is missing or ordered before `me`, or its two reads are of one
 * block's threads and not of different warps of this block. */
static inline bool cell_has_room(const struct cell_view *v, const struct cell *c, uint32_t me)
{
	const uint32_t apart = c->who[1] > c->who[2] ? c->who[1] - c->who[2] : c->who[2] - c->who[1];
	const uint32_t a = c->who[1] - v->uid, b = c->who[2] - v->uid;
	if (!c->when[2] || cell_is_easy(v, c->who[2], c->when[2], me))
		return true;
	return apart < v->threads && !(a < v->threads && b < v->threads && !race_one_warp(v->r, a, b));
}
/* Returns true if a read by `me` replaces read *k of the cell's two reads: the two threads that are farthest apart stay. */
bool cell_replaces(const struct cell_view *v, const struct cell *c, uint32_t me, unsigned *k);
/* Returns true if this instruction of the warp has read the word without a race at the current time, so that nothing has to be done. */
static inline bool cell_is_again(const struct cell_view *v, const struct cell *c, uint64_t how)
{
	return v->whole && c->when[1] == v->now && c->who[1] - v->warp_uid < v->warp_threads &&
	       !(c->how & CELL_MORE_WRITES) && cell_how(c, 1) == how &&
	       cell_is_easy_for_warp(v, c->who[0], cell_when(c, 0));
}
/* Judges a lane's access to a word, without recording the access. */
void cell_look_word(struct cell_view *v, unsigned lane, uint64_t address);
/* Judges a lane's read of a word, and records the read. */
void cell_read_word(struct cell_view *v, unsigned lane, uint64_t address);

/* ---- race_list.c: what a look at the cell doesn't settle ---- */
/* An access to (a part of) a word; place CELL_EACH: of several lanes, the first of which is `lane`. */
struct cell_access {
	unsigned lane, place;
	uint64_t address; /* of that lane */
};
/* Returns the distance of two threads: 0 for the same thread, 1 within a warp, 2 within a block, 3 otherwise. */
unsigned cell_distance(const struct cell_view *v, uint32_t a, uint32_t b);
/* Judges an access against an earlier one, and adds a race to v->out if nothing orders them. */
void cell_judge(struct cell_view *v, const struct cell_access *x, const struct race_entry *e);
/* Judges an access against all accesses of the word's cell. */
void cell_judge_all(struct cell_view *v, const struct cell_access *x, const struct cell *c);
/* Adds an access to the cell, and drops accesses that the new one stands for or that there is no room for. */
void cell_record(const struct cell_view *v, struct cell *c, const struct cell_access *x);
/* Releases the cell's struct race_more, if there is one. */
void cell_free_more(const struct cell_view *v, struct cell *c);
/* Releases the cell's struct race_more if the flag CELL_LIST is set. The flag stays. */
static inline void cell_drop_more(const struct cell_view *v, struct cell *c)
{
	if (c->when[1] & CELL_LIST)
		cell_free_more(v, c);
}

/* Accesses to a word, each of one thread. */
#define CELL_MOST (4 * (CELL_ACCESSES + RACE_MORE))
struct cell_entry {
	uint32_t uid, when, pc;
	unsigned first_byte;
	struct race_site site;
};
/* Lists the accesses to the word at `address` of global memory with a time of `from` or later. Returns their number. */
unsigned cell_entries(const struct race *r, uint64_t address, uint32_t from, struct cell_entry out[CELL_MOST]);

/* ---- race_row.c ---- */
/* Copies the first cell of a row to the cells of its words, which are used on their own from then on. */
void row_spread(const struct cell_view *v, struct cell *first, uint64_t address);
/* Judges and records an access whose lanes cover whole rows. Returns false, with nothing done, if the access isn't of that form. */
bool row_access(struct cell_view *v);

#endif
