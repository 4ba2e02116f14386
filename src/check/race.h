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

#define RACE_WARPS 64u /* of a block */
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
	uint32_t uid, pc, stamp; /* of the other; stamp: its time */
	struct race_site other;
};
#define RACE_FOUND_MAX 96u

enum race_scope { RACE_SCOPE_CTA, RACE_SCOPE_GPU, RACE_SCOPES };

struct race {
	struct arena *arena;
	int sec_state, sec_global, sec_shared;
	uint32_t n_slots;
	uint32_t warp_threads; /* threads of a warp */
	bool strict; /* a fence is needed after an atomic that sees, and lanes of a warp are never in step */
	struct race_site (*site)(void *self, uint32_t pc);
	/* Stores the first thread of the block of a thread of another launch than that of the block in `slot`. Returns true if the thread's access at time
	 * `stamp` is ordered before that block by launches. */
	bool (*other)(void *self, uint32_t uid, uint32_t stamp, uint32_t slot, uint32_t *block);
	/* Returns true if launch a is ordered with b. NULL: all launches are ordered as they begin. */
	bool (*ordered)(void *self, uint32_t a, uint32_t b);
	void *self;
};

/* Adds sections for `device_end` bytes of device memory, `shared` bytes of shared memory and `n_slots` resident blocks. Returns false if there is no
 * address space. */
bool race_init(struct race *r, struct arena *a, uint64_t device_end, uint64_t shared, uint32_t n_slots);
/* Forgets all accesses, blocks and launches recorded so far. Times continue. */
void race_forget(struct race *r);
/* Returns the current time. Returns 0 if the machine has gone back to before the checker was switched on. */
uint32_t race_now(const struct race *r);
/* Returns a time before which all accesses belong to launches for which `before` returns true. */
uint32_t race_known(const struct race *r, bool (*before)(void *self, uint32_t launch), void *self);
/* Returns a time before which all accesses are ordered before a launch. The first call for a launch records its begin. */
uint32_t race_launch_known(struct race *r, uint32_t launch);

/* ---- what orders ---- */
/* Initialises the state of a block that begins in a slot. `shared_offset`: the offset of the block's shared memory in its section. */
void race_begin_block(struct race *r, uint32_t slot, const struct race_block_spec *b, uint64_t shared_offset);
/* Returns true if the slot holds the state of this block. Returns false if it holds none or another block's. */
bool race_has_block(const struct race *r, uint32_t slot, uint32_t launch, uint32_t block_uid);
/* Returns true if all lanes of the warp have executed together since they last met. Returns false if the rules are strict. */
bool race_is_whole(const struct race *r, uint32_t slot, uint32_t warp);
/* Records that the lanes of a warp diverge into `n` groups. lanes[k]: the lanes of group k. */
void race_split(struct race *r, uint32_t slot, uint32_t warp, uint32_t n, const uint32_t *lanes);
/* Records that `lanes` of a warp synchronise. `live`: all lanes that haven't exited. group[l]: lanes that continue together with lane l, itself
 * included; NULL: all of `lanes`. */
void race_join(struct race *r, uint32_t slot, uint32_t warp, uint32_t lanes, uint32_t live, const uint32_t *group);
/* Records that a whole warp has arrived at a barrier that hasn't opened yet. */
void race_come(struct race *r, uint32_t slot, uint32_t warp, uint32_t barrier);
/* Records that a barrier opens: the `waited` warps then know all that the arrived warps did. `came` adds to the warps of race_come. `all`: the
 * barrier is for the whole block. `warps`: all warps of the block. */
void race_open(struct race *r, uint32_t slot, uint32_t barrier, uint64_t came, uint64_t waited, bool all,
	       uint64_t warps);
/* Records how the warp's live lanes are grouped after a barrier. group[l]: lanes that continue together with lane l, itself included; NULL: all live
 * lanes. */
void race_go_on(struct race *r, uint32_t slot, uint32_t warp, uint32_t live, const uint32_t *group);
/* Records a fence that `lanes` of a warp execute, of a scope. */
void race_fence(struct race *r, uint32_t slot, uint32_t warp, uint32_t lanes, enum race_scope scope);

/* Records that a lane makes launch `child`. */
void race_launched(struct race *r, uint32_t slot, uint32_t warp, unsigned lane, uint32_t child);
/* Records that a thread of the block has waited for the block's launches. */
void race_waited(struct race *r, uint32_t slot);

/* ---- accesses ---- */
/* Judges an access against the recorded ones, then records it. Returns the number of races written to `out`, at most RACE_FOUND_MAX. */
uint32_t race_access(struct race *r, const struct race_access *a, struct race_found *out);

/* Forgets all accesses to `n` bytes of global memory, which have been allocated anew. */
void race_forget_memory(struct race *r, uint64_t address, uint64_t n);

/* What a strong access orders, once it has happened. */
struct race_signal {
	bool reads, writes, is_atomic, has_result; /* has_result is false for red, whose thread doesn't learn the old value */
	bool acquires, releases;
	enum race_scope scope;
	uint32_t pc; /* of its instruction */
};
/* Records the ordering effect of a lane's strong access that has been executed. `address` as in race_access.address. */
void race_signal(struct race *r, uint32_t slot, uint32_t warp, unsigned lane, bool shared, uint64_t address,
		 const struct race_signal *s);

/* A place by which a race would have been ordered, if there had been fences. */
struct race_flag {
	uint32_t write_pc, read_pc;
	uint64_t address; /* as in race_access.address */
	bool shared;
};
/* Returns true if a fence in front of a strong write, by a thread that had made or known of the earlier access of race *f, and a fence behind a strong
 * read that has seen that write, would have ordered the race. *out is then the place of both. Returns false, too, where that isn't known. */
bool race_would_be_told(const struct race *r, const struct race_access *a, const struct race_found *f, struct race_flag *out);

#endif
