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

/* Of contexts there are: a bit each. */
uint32_t gpu_contexts(const struct gpu *g);
/* Its default stream; there when the context is. */
uint32_t gpu_default_stream(uint32_t context);
/* A stream as its context calls it: 0 is its default stream. */
uint32_t gpu_stream_shown(uint32_t stream);
/* False: it is there, or there can't be one of that number. */
bool gpu_context_begin(struct gpu *g, uint32_t context);
/* What it has queued and what runs of it is dropped. In performance mode that empties the machine: the other contexts whose kernels were there, too,
 * have failed with it. The result: all whose work is gone, a bit each; 0: there is no such context. */
uint32_t gpu_context_kill(struct gpu *g, uint32_t context);
/* The same; and its streams, its events and what its kernels have allocated are gone, its limits are the defaults. Number 0 stays, new. What a
 * host has allocated for it is that host's to free. */
uint32_t gpu_context_end(struct gpu *g, uint32_t context);
/* Something of it is queued, or runs. */
bool gpu_context_has_work(const struct gpu *g, uint32_t context);
/* Those with kernels that have begun, a bit each. */
uint32_t gpu_contexts_running(const struct gpu *g);

/* ---- memory ---- */
/* The piece at an address, which has been allocated, becomes a context's. */
void gpu_give_to(struct gpu *g, uint64_t address, uint32_t context);
/* Another context may use the piece at an address, or may not any more; its own always does. False: there is none. */
bool gpu_share(struct gpu *g, uint64_t address, uint32_t context, bool on);

#endif
