/* Device memory of programs, and memory that the program and the device share. */
#ifndef SERVER_MEMORY_MEMORY_H
#define SERVER_MEMORY_MEMORY_H

#include "server/internal.h"

/* Creates c->memory, the state of programs' memory, without allocations. most: bytes that programs may allocate. */
void memory_create(struct server *c, uint64_t most);
/* Frees c->memory; allocations on the device are left alone. */
void memory_destroy(struct server *c);
/* Returns the bytes that programs may allocate in all: the device's memory, as programs see it. */
uint64_t memory_total(const struct server *c);
/* Frees allocations and virtual memory of ended processes, except what another process has opened or mapped. Graph memory, managed variables,
 * reserved addresses and memory of kernels' malloc stay. */
void memory_reclaim(struct server *c);
/* Frees the allocations, shared, graph and virtual memory of a context, or of all with GPU_EVERY_CONTEXT. Memory of kernels' malloc stays. */
void memory_free_of(struct server *c, uint32_t context);
/* Frees the memory of a context, or of all with GPU_EVERY_CONTEXT, that doesn't outlive cudaDeviceReset: allocations, shared memory and graph memory.
 * Virtual memory of the driver API and memory of kernels' malloc stay. The numbers in allocations' names may begin at 1 again. */
void memory_reset(struct server *c, uint32_t context);
/* Returns the bytes that programs can still allocate, without freeing the memory of ended processes. */
uint64_t memory_available(const struct server *c);

/* Allocates memory for the calling process. Memory shared with the host begins at pages of its own, which the caller maps. caller: return address of
 * the call. Returns its address, or 0 if there isn't enough, even after freeing the memory of ended processes. */
uint64_t memory_allocate(struct server_call *c, uint64_t bytes, enum wire_memory kind, uint64_t caller);
/* Frees the allocation of a program that begins at `address`, and removes its exports. `caller`: return address of the call that frees it, or 0. Returns
 * false if no live allocation begins there, or if no call of a program made it. */
bool memory_free(struct server *c, uint64_t address, uint64_t caller);
/* Returns true if the caller's context has work that must finish first. Else records that the program has waited for everything, and returns
 * false. */
bool memory_must_wait(const struct server_call *c);
/* Returns whether the caller may use `address`: it lies in an allocation, a reserved range or constant memory. Memory that kernels allocate doesn't
 * count. */
bool memory_is_device(const struct server_call *c, uint64_t address);
/* Returns whether the caller may read n bytes at `address` now. They must lie in one allocation, in adjacent mapped parts of one range, or in
 * constant memory. */
bool memory_fits(const struct server_call *c, uint64_t address, uint64_t n);
/* Returns whether the caller may write n bytes at `address` now. They must lie in one allocation, in adjacent mapped parts of one range, or in
 * constant memory, and not be read-only. */
bool memory_may_write(const struct server_call *c, uint64_t address, uint64_t n);
/* Returns whether the caller may use n bytes at `address` at a later turn in a stream. They must lie in one allocation, in adjacent parts of one
 * range that are mapped or graph memory, or in constant memory. They may be read-only. */
bool memory_will_fit(const struct server_call *c, uint64_t address, uint64_t n);
struct check_call;
/* Describes the refused call in the caller's slot: the device memory that it may not use in *out, or another reason, which is appended to `detail`. */
void memory_describe_refusal(const struct server_call *c, struct check_call *out, struct text *detail);
/* Returns how many of the n bytes at `address`, below 2^41, the caller may read now, or write. The result counts from the first byte on. */
uint64_t memory_usable(const struct server_call *c, uint64_t address, uint64_t n, bool writes);
/* Returns whether `address` lies in memory that cudaMalloc or a pool has allocated for the caller's context. Shared, graph and virtual memory doesn't
 * count. */
bool memory_is_exportable(const struct server_call *c, uint64_t address);
/* Sends the caller a ticket, a descriptor, for the physical memory of its handle. Returns 0, WIRE_INVALID_VALUE if it has no such handle or the
 * memory can't be shared, or WIRE_SYSTEM_FAILED. */
uint32_t memory_export_physical(struct server_call *c, uint64_t handle);
/* Adds a reference to exported physical memory `number`, and gets the caller's handle of it, which is created if needed. Returns 0, or
 * WIRE_INVALID_VALUE if there is none or it wasn't exported. */
uint32_t memory_import_physical(struct server_call *c, uint64_t number, uint64_t *handle);
/* ---- shared.c, shared_journal.c ---- */
/* Returns whether programs share memory with the device, or shared memory with unknown contents was freed since the last snapshot. */
bool shared_has_pieces(const struct server *c);
/* Records the contents of shared memory, as far as they can be kept, after a machine's run: later differences are the program's writes. alone: no
 * thread of the program ran meanwhile. Without `alone` forgets all contents instead. */
void shared_take_snapshot(struct server *c, bool alone);
/* Adds the program's writes to shared memory since the last snapshot to the journal. Returns false, adding nothing, if the snapshot lacks the
 * contents of a piece, also of a piece freed since then. */
bool shared_journal_writes(struct server *c);
/* Allocates shared memory, filled with zeros, for a managed variable of the context being served. Returns its address, or 0 if there is no space or
 * it can't be mapped. */
uint64_t shared_place(struct server *c, uint64_t bytes);
/* Returns whether the range lies in one piece of shared memory whose contents the last snapshot has; copies to it then have to be inputs. */
bool shared_is_journaled(const struct server *c, uint64_t address, uint64_t bytes);
/* Adds the program's writes to the range, from the start of its first page, to the journal before an input writes there. Does nothing if the machine
 * has run since the last snapshot, or the snapshot lacks that memory. */
void shared_before_write(struct server *c, uint64_t address, uint64_t bytes);
/* Updates the snapshot of the range after an input has written there. Does nothing if the snapshot lacks that memory. */
void shared_after_write(struct server *c, uint64_t address, uint64_t bytes);
/* Returns the kind of shared memory that contains `address`; WIRE_MEMORY_NONE if none does. */
enum wire_memory shared_kind(const struct server *c, uint64_t address);
/* Frees the shared memory that begins at `address`, after adding the program's last writes there to the journal. Returns false if none begins there,
 * or if it is a managed variable. */
bool shared_free_at(struct server *c, uint64_t address);
/* Frees the shared memory of a context, or of all with GPU_EVERY_CONTEXT, managed variables included, after adding the program's last writes there to
 * the journal. */
void shared_free_context(struct server *c, uint32_t context);

#endif
