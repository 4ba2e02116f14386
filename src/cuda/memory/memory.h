/* Device memory of programs, and memory that the program and the device share. */
#ifndef CUDA_MEMORY_MEMORY_H
#define CUDA_MEMORY_MEMORY_H

#include "cuda/internal.h"

/* Creates the memory state of a session. most: bytes that programs may allocate. */
void memory_create(struct cuda *c, uint64_t most);
/* Frees the memory state; allocations of the device are left alone. */
void memory_destroy(struct cuda *c);
/* Returns the bytes of memory that programs see. */
uint64_t memory_total(const struct cuda *c);
/* Frees the memory of processes that have ended, except memory that another process has opened. Until then it can be inspected. */
void memory_reclaim(struct cuda *c);
/* Frees all memory of a context, or of all with GPU_EVERY_CONTEXT. */
void memory_free_of(struct cuda *c, uint32_t context);
/* Frees the memory of a context that doesn't outlive cudaDeviceReset; virtual memory of the driver API stays. */
void memory_reset(struct cuda *c, uint32_t context);
/* Returns the bytes that programs can still allocate. */
uint64_t memory_available(const struct cuda *c);

/* Allocates memory for the calling process; memory shared with the host gets pages of its own. caller: return address of the call. Returns 0 if there
 * isn't enough. */
uint64_t memory_allocate(struct cuda_call *c, uint64_t bytes, enum wire_memory kind, uint64_t caller);
/* Frees the allocation that begins at `address`. Returns false if no program's allocation begins there. */
bool memory_free(struct cuda *c, uint64_t address);
/* Returns whether the caller's earlier work has to finish first; if not, records that the program has waited for it. */
bool memory_must_wait(const struct cuda_call *c);
/* Returns whether the caller may use device memory at `address`: an allocation, a reserved range or constant memory. */
bool memory_is_device(const struct cuda_call *c, uint64_t address);
/* Returns whether the caller may read n bytes at `address`: in one allocation, in adjacent parts of one range, or in constant memory. */
bool memory_fits(const struct cuda_call *c, uint64_t address, uint64_t n);
/* Returns whether the caller may write n bytes at `address`, with the same limits as for reading. */
bool memory_may_write(const struct cuda_call *c, uint64_t address, uint64_t n);
/* Returns whether n bytes at `address` may be used when an operation's turn in a stream comes: memory of graph nodes counts as allocated. */
bool memory_will_fit(const struct cuda_call *c, uint64_t address, uint64_t n);
/* Returns whether `address` lies in memory of the caller that cudaMalloc has returned. */
bool memory_is_exportable(const struct cuda_call *c, uint64_t address);
/* Sends the caller a descriptor for the physical memory of its handle. Returns 0 or an error. */
uint32_t memory_export_physical(struct cuda_call *c, uint64_t handle);
/* Gets a handle of the caller for exported physical memory, by its number. Returns 0 or an error. */
uint32_t memory_import_physical(struct cuda_call *c, uint64_t number, uint64_t *handle);
/* ---- shared.c, shared_journal.c ---- */
/* Returns whether the program and the device share memory, or did since the last snapshot of it. */
bool shared_has_pieces(const struct cuda *c);
/* Records the contents of shared memory after a run of the machine, so that later differences are the program's writes. alone: no thread of the
 * program ran meanwhile; else nothing is known. */
void shared_take_snapshot(struct cuda *c, bool alone);
/* Adds the program's writes since the last snapshot to the journal. Returns false if they aren't known. */
bool shared_journal_writes(struct cuda *c);
/* Allocates shared memory for a managed variable of the context being served. Returns its address, or 0 if there is no space. */
uint64_t shared_place(struct cuda *c, uint64_t bytes);
/* Returns whether the journal covers that shared memory; copies to it then have to be inputs. */
bool shared_is_journaled(const struct cuda *c, uint64_t address, uint64_t bytes);
/* Adds the program's earlier writes to the journal before an input writes to shared memory. */
void shared_before_write(struct cuda *c, uint64_t address, uint64_t bytes);
/* Updates the snapshot after an input has written to shared memory. */
void shared_after_write(struct cuda *c, uint64_t address, uint64_t bytes);
/* Returns the kind of shared memory at `address`; WIRE_MEMORY_NONE if it isn't shared. */
enum wire_memory shared_kind(const struct cuda *c, uint64_t address);
/* Frees shared memory that begins at `address`. Returns false if there is none, or if it is a variable. */
bool shared_free_at(struct cuda *c, uint64_t address);
/* Frees the shared memory of a context, or of all with GPU_EVERY_CONTEXT. */
void shared_free_context(struct cuda *c, uint32_t context);

#endif
