/* Contexts: what the processes of a program have of one device, each for itself, as CUDA has it.
 *
 * Device memory has one address space. A piece of it belongs to the context that has asked for it, and kernels of others may not use it unless it
 * was shared with them (gpu_share). A context has a default stream of its own, which waits for no other context's streams; limits; a heap for its
 * kernels' malloc; a buffer for their printf; and it ends alone. Context 0 is there from the beginning: the prompt's, and the first process'. All
 * of it changes through gpu_input. In performance mode kernels of two contexts are on the machine at once only if one of them spins, as GPUs give
 * processes the whole machine in turn. */
#ifndef GPU_CONTEXT_H
#define GPU_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

struct gpu;

#define GPU_CONTEXTS 32u
#define GPU_EVERY_CONTEXT UINT32_MAX

/* Returns the contexts that exist, a bit each; bit 0 is always set. */
uint32_t gpu_contexts(const struct gpu *g);
/* Returns the number of a context's default stream. */
uint32_t gpu_default_stream(uint32_t context);
/* Returns a stream's number as its context uses it: 0 for a default stream. */
uint32_t gpu_stream_shown(uint32_t stream);
/* Creates a context with its default stream and default limits. Returns false if the context exists, its number is too large, or there is no
 * room. */
bool gpu_context_begin(struct gpu *g, uint32_t context);
/* Drops a context's queued and running work. In performance mode, work of other contexts on the machine fails, too. Returns the contexts whose
 * work was dropped, a bit each; 0 if the context doesn't exist. */
uint32_t gpu_context_kill(struct gpu *g, uint32_t context);
/* Destroys a context: drops its work, streams, events, textures and kernels' allocations, and resets its limits. Context 0 remains. Host allocations
 * remain. Returns the contexts whose work was dropped, a bit each; 0 if the context doesn't exist. */
uint32_t gpu_context_end(struct gpu *g, uint32_t context);
/* Returns true if a context has queued or running work. If only context 0 exists, returns gpu_has_work. */
bool gpu_context_has_work(const struct gpu *g, uint32_t context);
/* Returns the contexts with launches that have begun and aren't done, a bit each. */
uint32_t gpu_contexts_running(const struct gpu *g);

/* ---- memory ---- */
/* Makes a context the owner and only user of the allocation that begins at `address`, which must exist. */
void gpu_give_to(struct gpu *g, uint64_t address, uint32_t context);
/* Allows (`on`) or forbids a context the use of another context's allocation. Returns false if no allocation begins at `address`, or if `context` owns
 * that allocation or is no context's number. */
bool gpu_share(struct gpu *g, uint64_t address, uint32_t context, bool on);

#endif
