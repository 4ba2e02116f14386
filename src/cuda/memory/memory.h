/* Device memory of programs, and what both sides map of it. */
#ifndef CUDA_MEMORY_MEMORY_H
#define CUDA_MEMORY_MEMORY_H

#include "cuda/internal.h"

void memory_room_create(struct cuda *c, uint64_t most); /* bytes that programs may have */
void memory_room_free(struct cuda *c);
uint64_t memory_total(const struct cuda *c);
/* What processes had that have ended is given back, if nothing runs that may use it: only when it is needed, so it can be looked at until then. */
void memory_reclaim(struct cuda *c);
/* What a context has, or all of GPU_EVERY_CONTEXT. */
void memory_free_of(struct cuda *c, uint32_t context);
void memory_reset(struct cuda *c, uint32_t context); /* what doesn't outlive cudaDeviceReset */
uint64_t memory_left(const struct cuda *c);

/* For the caller. 0: more than there is. What isn't the device's alone has pages of its own. */
uint64_t memory_allocate(struct cuda_call *c, uint64_t bytes, enum wire_memory kind, uint64_t caller);
bool memory_free(struct cuda *c, uint64_t address);
bool memory_must_wait(const struct cuda_call *c); /* the context's work so far has to be done first */
/* Of what the caller may use: */
bool memory_is_device(const struct cuda_call *c, uint64_t address);
bool memory_fits(const struct cuda_call *c, uint64_t address,
		 uint64_t n); /* all of it is one allocation's or range's, or constant */
/* The same of what may be written. */
bool memory_may_write(const struct cuda_call *c, uint64_t address, uint64_t n);
/* The same by the time a stream comes to what uses it. */
bool memory_will_fit(const struct cuda_call *c, uint64_t address, uint64_t n);
bool memory_may_be_lent(const struct cuda_call *c, uint64_t address); /* what cudaMalloc has given */
/* Physical memory of the driver API: the caller gets a descriptor for his handle's; a handle of his own for what another one's descriptor has named. */
uint32_t memory_lend_physical(struct cuda_call *c, uint64_t handle);
uint32_t memory_open_physical(struct cuda_call *c, uint64_t number, uint64_t *handle);
bool memory_is_own(const struct cuda_call *c,
		   uint64_t address); /* what begins there is the caller's, not another process' */
/* ---- shared.c, kept.c ---- */
bool shared_any(const struct cuda *c);
/* The device stands still, and has been alone with it: what differs from now on is the program's. Not alone: nobody knows who wrote what. */
void shared_note(struct cuda *c, bool alone);
/* What the program has written since goes into the journal. False: it isn't known. */
bool shared_keep(struct cuda *c);
/* A place for a variable that both sides have; 0: there is none. */
uint64_t shared_place(struct cuda *c, uint64_t bytes);
/* The journal has all that is written there: copies to it have to be inputs, too. */
bool shared_is_kept(const struct cuda *c, uint64_t address, uint64_t bytes);
/* An input is about to write there, and has. */
void shared_before_put(struct cuda *c, uint64_t address, uint64_t bytes);
void shared_put(struct cuda *c, uint64_t address, uint64_t bytes);
/* What it is shared as; 0: it isn't. */
enum wire_memory shared_kind(const struct cuda *c, uint64_t address);
/* Frees it, if it is shared; false: it isn't. */
bool shared_give_back(struct cuda *c, uint64_t address);
void shared_forget(struct cuda *c, uint32_t context); /* or GPU_EVERY_CONTEXT */

#endif
