/* Races: accesses to the same memory by two threads, one of them a write, that nothing orders: not "which came first in this run".
 *
 * The order is what PTX's memory model makes of program order, barriers, what lanes of a warp do together, fences with flags, and launches. It is
 * kept as times: `time` grows with each of these, each access is stamped with it, and for a thread and another there is a time up to
 * which it knows the other's accesses (race_clock.c; race_publish.c for what goes through flags and atomics). So an access of a thread that a block
 * barrier has parted from its neighbours is compared with one number.
 *
 * Of each word of global and shared memory 32 bytes are kept, a cell: the last plain write of each byte, the last atomic or volatile one, and reads
 * since that nothing orders, of different blocks or warps where there are such (race_cell.c, race_list.c). As long as lanes side by side access
 * words side by side one cell is that of 16 words (race_row.c). All of it lies in sections of the arena. */
#ifndef CHECK_RACE_H
#define CHECK_RACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/lanes.h"

#define RACE_WARPS 32u /* of a block */
#define RACE_BARRIERS 16u

/* What an instruction does to memory. */
struct race_site {
	uint32_t size;			  /* bytes per lane */
	bool is_write, is_atomic, strong; /* strong: volatile, relaxed or with an order, atomic */
	bool is_block_scope;		  /* strong, of scope .cta */
};

/* A block when it begins. Threads are called by the low 32 bits of their uid. */
struct race_block_spec {
	uint32_t launch;
	uint32_t launch_uid, block_uid;	  /* of the first thread */
	uint32_t threads, launch_threads; /* of a block, of all */
	uint32_t
		known; /* accesses stamped before this are ordered before it: race_now when it had to be after all others */
};

struct race_access {
	uint32_t slot, warp, lanes;
	uint32_t pc;
	struct race_site site;
	bool shared;		 /* addresses are the block's shared ones; else global */
	const uint64_t *address; /* of each lane */
	/* Each half warp is in `lanes` wholly or not at all, and its lanes access one word or vector after the other: `address` is only looked
	 * at for the first of them. */
	bool in_rows;
};

/* A lane's access and an earlier one that nothing orders. */
struct race_found {
	unsigned lane;
	uint64_t address; /* of the first word in common */
	uint32_t uid, pc; /* of the other */
	struct race_site other;
};
#define RACE_FOUND_MAX 96u

enum race_scope { RACE_SCOPE_CTA, RACE_SCOPE_GPU, RACE_SCOPES };

struct race {
	struct arena *arena;
	int sec_state, sec_global, sec_shared;
	uint32_t n_slots;
	bool strict; /* a fence is needed after an atomic that sees */
	struct race_site (*site)(void *self, uint32_t pc);
	/* Of a thread of another launch: the first thread of its block. True: all of that launch is ordered in front of this one. */
	bool (*other)(void *self, uint32_t uid, uint32_t launch, uint32_t *block);
	/* Is launch a ordered in front of b? NULL: all are, in the order in which they begin. */
	bool (*ordered)(void *self, uint32_t a, uint32_t b);
	void *self;
};

/* Sections for so much device and shared memory, and blocks. False: no address space. */
bool race_init(struct race *r, struct arena *a, uint64_t device_end, uint64_t shared, uint32_t n_slots);
/* Nothing is known of accesses so far. */
void race_forget(struct race *r);
uint32_t race_now(const struct race *r);
/* A time before which all accesses are of launches that are `before`. */
uint32_t race_known(const struct race *r, bool (*before)(void *self, uint32_t launch), void *self);
/* A time before which all accesses are ordered in front of a launch, which begins when it is first asked for. */
uint32_t race_launch_known(struct race *r, uint32_t launch);

/* ---- what orders ---- */
void race_begin_block(struct race *r, uint32_t slot, const struct race_block_spec *b, uint64_t shared_offset);
/* The block that stands in the slot; false: none, or another one. */
bool race_has_block(const struct race *r, uint32_t slot, uint32_t launch, uint32_t block_uid);
/* Have all lanes of the warp gone the same way since they last met? */
bool race_is_whole(const struct race *r, uint32_t slot, uint32_t warp);
/* Lanes of a warp take n different ways. */
void race_split(struct race *r, uint32_t slot, uint32_t warp, uint32_t n, const uint32_t *lanes);
/* Lanes of a warp meet. `live`: all it has. group[l]: those that go on together with lane l (itself included); NULL: all of `lanes`. */
void race_join(struct race *r, uint32_t slot, uint32_t warp, uint32_t lanes, uint32_t live, const uint32_t *group);
/* A warp comes to a barrier, and may go on. */
void race_come(struct race *r, uint32_t slot, uint32_t warp, uint32_t barrier);
/* It opens: of those who came, `came` besides, the ones that waited know all that the others did. `all`: it is for all of the block. `warps`: all
 * of the block. */
void race_open(struct race *r, uint32_t slot, uint32_t barrier, uint32_t came, uint32_t waited, bool all,
	       uint32_t warps);
/* After a barrier: how the warp's lanes go on. */
void race_go_on(struct race *r, uint32_t slot, uint32_t warp, uint32_t live, const uint32_t *group);
void race_fence(struct race *r, uint32_t slot, uint32_t warp, uint32_t lanes, enum race_scope scope);

/* ---- accesses ---- */
/* Judges and records. The number found, at most RACE_FOUND_MAX. */
uint32_t race_access(struct race *r, const struct race_access *a, struct race_found *out);

/* Global memory is somebody else's from now on: nothing is known of accesses to it. */
void race_forget_memory(struct race *r, uint64_t address, uint64_t n);

/* What a strong access orders, once it has happened. */
struct race_signal {
	bool reads, writes, is_atomic, has_result; /* an atomic without a result (red) tells nobody what it saw */
	bool acquires, releases;
	enum race_scope scope;
};
void race_signal(struct race *r, uint32_t slot, uint32_t warp, unsigned lane, bool shared, uint64_t address,
		 const struct race_signal *s);

#endif
