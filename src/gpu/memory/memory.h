/* Device memory inside src/gpu: the table of allocations, and what the executor, the device runtime and the host ask of it. */
#ifndef GPU_MEMORY_MEMORY_H
#define GPU_MEMORY_MEMORY_H

#include "gpu/device/internal.h"

/* Removes the host address of the allocation at `address`, if there is one. */
void gpu_forget_host_address(struct gpu *g, uint64_t address);
/* Finds the memory that a host address or an alias stands for (exec_services.elsewhere). Returns false if the address is neither, or if the
 * context may not access the alias. `self` is the device. */
bool gpu_elsewhere(void *self, uint32_t context, uint64_t address, bool writes, struct exec_window *w, uint64_t *at);
/* Stores the window of the live allocation that holds `size` bytes at `address`. Returns false if there is none that the context may use.
 * `self` is the device. */
bool gpu_find_allocation(void *self, uint32_t context, uint64_t address, uint64_t size, struct exec_window *out);
/* Returns true if kernels may not write to the allocation at `address`. `self` is the device. */
bool gpu_is_read_only(void *self, uint64_t address);
/* Returns the address of memory for a kernel's malloc, or 0 if `bytes` is 0 or the context's heap has no room. `self` is the device. */
uint64_t gpu_device_malloc(void *self, uint64_t bytes);
/* Frees an allocation for a kernel's free. Returns false if no live allocation begins at `address`, or if the running context may not use it.
 * `self` is the device. */
bool gpu_device_free(void *self, uint64_t address);
/* Returns whether the allocation at `address` is a kernel's, live or freed, or the host's, or doesn't exist. `self` is the device. */
enum exec_heap_state gpu_device_heap(void *self, uint64_t address);
/* Returns the address of memory that the device runtime uses for a context's kernels, or 0 if there is no room. */
uint64_t gpu_runtime_memory(struct gpu *g, uint32_t context, uint64_t bytes);
/* Releases memory from gpu_runtime_memory. Any other address, including 0, is ignored. */
void gpu_runtime_free(struct gpu *g, uint64_t address);
/* Places a module variable in memory and writes its initial value. Returns false if there is no room. */
bool gpu_add_variable(struct gpu *g, const struct isa_variable *v);
/* Releases the memory of a module variable and fills it with zeros. */
void gpu_remove_variable(struct gpu *g, const struct isa_variable *v);
/* Makes the program's modules those that exist after the device's last module step. */
void gpu_program_select_modules(struct gpu *g);
/* Removes all kernels' and runtime allocations and the entries of freed ones; device addresses after the rest are used anew. */
void gpu_forget_kernels_allocations(struct gpu *g);
/* Frees all live allocations that a context's kernels made. */
void gpu_free_kernels_allocations(struct gpu *g, uint32_t context);
/* Returns the bytes that a piece takes, without the guard behind it. */
static inline uint64_t gpu_piece_bytes(uint64_t bytes) { return bytes ? (bytes + 255) & ~UINT64_C(255) : 256; }
/* Keeps the bytes of an allocation that has just been freed, so that gpu_read reads them. Clears memory that was freed earlier if there is too much. */
void gpu_keep_freed(struct gpu *g, struct gpu_allocation *a);
/* Clears freed memory that keeps its bytes, in the order of the frees, until at most `left` bytes, and 256 allocations, are kept. 0: all. */
void gpu_clear_freed(struct gpu *g, uint64_t left);
/* Returns the index of the first allocation whose address is above `address`, or the number of allocations. */
uint32_t gpu_piece_above(const struct gpu *g, uint64_t address);
/* Returns the allocation that begins at `address`, live or not, or NULL. */
struct gpu_allocation *gpu_piece_at(const struct gpu *g, uint64_t address);
/* Returns the allocation that holds `address`, live or not, or NULL. */
const struct gpu_allocation *gpu_piece_with(const struct gpu *g, uint64_t address);
/* Adds a live allocation of context 0 to the sorted table. Returns false if the arena has no room. */
bool gpu_piece_insert(struct gpu *g, uint64_t address, uint64_t bytes, const char *name);
/* Invalidates cached translations and waits after a change to the allocation table. */
void gpu_pieces_changed(struct gpu *g);
/* Fills a range of device memory with zeros; pages that were never written stay unused. */
void gpu_memory_clear(struct gpu *g, uint64_t address, uint64_t bytes);
/* Passes the host's copies in live allocations to the caches of a new machine. */
void gpu_resend_copies(struct gpu *g);
/* Returns the allocation that holds `address`, or else the next one above it, and stores the end of the table in `end`. */
const struct gpu_allocation *gpu_allocations_from(const struct gpu *g, uint64_t address, const struct gpu_allocation **end);

#endif
