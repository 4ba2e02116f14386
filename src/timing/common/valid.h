/* What the validators of the hardware blocks share: where each request is. A request is in one place at a time, besides the MSHR lists that it
 * stands in (request.h); each block claims the requests that it holds. */
#ifndef TIMING_VALID_H
#define TIMING_VALID_H

#include "base/valid.h"
#include "timing/common/memory.h"
#include "timing/common/request.h"

/* In the order of a request's way. */
enum request_place {
	PLACE_NOWHERE, /* in an MSHR list or divided only */
	PLACE_FREE,
	PLACE_L1,     /* on its way to its core's L1D, which it has not reached */
	PLACE_CORE,   /* in a miss queue of its core */
	PLACE_OUT,    /* on its way to an L2 */
	PLACE_L2,     /* sent by an L2: in front of the DRAM, or in it */
	PLACE_FILL,   /* on its way back to an L2 */
	PLACE_REPLY,  /* in front of the network back; what an atomic does has not happened up to here */
	PLACE_BACK,   /* on its way back to its core */
	PLACE_WRITTEN /* in front of writeback */
};

struct timing_valid {
	const struct requests *q;
	struct text *what;
	struct valid_pool place;		   /* of requests: enum request_place */
	struct valid_pool listed[REQUEST_LEVELS];  /* stands in a list of an MSHR table */
	const void **waiter[REQUEST_LEVELS];	   /* the cache that waits for the request's reply, NULL: none */
	uint32_t n_insns, n_cores, cores_per_cluster, n_warps, n_partitions, n_subs, n_banks, n_slots;
};

/* Returns true if the pool of requests has a valid size and free list, and claims the free requests. If false, no other validator may be called.
 * Names what is wrong in v->what. */
bool requests_pool_is_valid(struct timing_valid *v);
/* Returns true if the fields of each request under way are valid. Names what is wrong in v->what. */
bool requests_are_valid(struct timing_valid *v);
/* Returns true if each request is at a place, and parts belong to divided requests. Call it after all blocks have claimed their requests. Names
 * what is wrong in v->what. */
bool requests_places_are_valid(struct timing_valid *v);

/* Claims a request for a place. Returns false if there is no such request, or if another place has claimed it. */
static inline bool timing_claim(struct timing_valid *v, uint32_t r, enum request_place place)
{
	return valid_claim(&v->place, r, (uint8_t)place);
}
/* Claims the requests of a list for a place. Returns false if one can't be claimed, or if the list's end is wrong. */
bool timing_claim_list(struct timing_valid *v, const struct request_list *l, enum request_place place);
/* Claims the requests of a queue of `cap` entries for a place. Returns false if the queue is invalid, or if one can't be claimed. */
bool timing_claim_fifo(struct timing_valid *v, const struct fifo *f, uint32_t cap, enum request_place place);
/* Returns true if a number is that of a request under way. */
static inline bool timing_is_live(const struct timing_valid *v, uint32_t r)
{
	return valid_index(&v->place, r) && v->place.claimed[r] != PLACE_FREE;
}

#endif
