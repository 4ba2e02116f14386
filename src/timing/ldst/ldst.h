/* LDST unit: coalescing, shared-memory banks, L1 caches, response FIFO, writeback. Source: GPGPU-Sim manual "Memory unit", behaviour of
 * 3.2.2. */
#ifndef TIMING_LDST_H
#define TIMING_LDST_H

#include "timing/core/core.h"

/* Builds a core's LDST unit with its state in m's arena. Returns NULL if there is no room. */
struct ldst *ldst_create(struct timing_memory *m, struct core *c);
/* Frees the view of a unit and of its caches; does nothing if l is NULL. */
void ldst_destroy(struct ldst *l);
/* Computes the transactions of a load or store at its issue, or for shared memory its access cycles, from the access that exec recorded. Sets i->space,
 * accesses, n_accesses, dispatch. */
void ldst_make_accesses(struct core *c, struct inst *i, const struct exec_access *a);
/* Returns whether the dispatch register is empty. */
bool ldst_accepts(const struct core *c);
/* Puts an instruction into the dispatch register, which must be empty. */
void ldst_issue(struct core *c, uint32_t inst, uint64_t now);
/* Simulates one LDST cycle, with one collector step in 3.2.2. Called warp_parts times a core cycle. */
void ldst_cycle(struct core *c, uint64_t now);
/* Returns whether the response FIFO is full. */
bool ldst_response_full(const struct core *c);
/* Appends a reply to the response FIFO, which must not be full. */
void ldst_fill(struct core *c, uint32_t request, uint64_t now);
/* Chooses the L1D for a kernel that begins: the one of the configuration that `l1d` points to (-gpgpu_cache:dl1PrefL1 ...). Flushes the old and the new one. */
void ldst_choose_l1d(struct core *c, const struct cache_config *l1d);
/* Invalidates the L1D in use. */
void ldst_flush_l1d(struct core *c);
/* Returns whether a cycle would only count (and step the collector). */
bool ldst_idle(const struct core *c);
/* Returns whether the L1D refuses the instruction in the access stage until a reply arrives, and nothing else is under way in the unit: each cycle only counts
 * and uses up the uid of a request. */
bool ldst_stuck(const struct core *c);
/* Simulates cycles of an idle or stuck unit, without the collector. */
void ldst_skip(struct core *c, uint64_t cycles);

/* Begins the streams of a block that is placed on the core, in a slot of exec; does nothing without stream buffers. */
void ldst_streams_begin(struct core *c, uint32_t cta_slot);
/* Returns true if a request of a stream is valid. */
bool ldst_stream_request_is_valid(const struct core *c, const struct mem_request *m);

/* ---- for observers ---- */
/* A stream of the stream buffers. */
struct stream_view {
	uint64_t next;	   /* address of the next request */
	uint32_t buffered; /* elements in the buffer */
	uint32_t left;	   /* elements not yet requested or sent */
	uint32_t sent, used;
};
/* Stores stream k of the core's read or write streams. Returns false if there is none. */
bool ldst_get_stream(const struct core *c, bool is_write, uint32_t k, struct stream_view *out);
/* Returns the requests of read or write streams that are on their way. */
uint32_t ldst_streams_in_flight(const struct core *c, bool is_write);
/* Returns whether the core has stream buffers. */
bool ldst_has_streams(const struct core *c);
/* Returns the constant cache, its cycle count up to date. */
struct cache *ldst_l1c(const struct core *c);
/* Returns the texture cache, its cycle count up to date; NULL if there is none. */
struct cache *ldst_l1t(const struct core *c);
/* Returns the data cache in use, its cycle count up to date; NULL if there is none. */
struct cache *ldst_l1d(const struct core *c);
#define LDST_L1D_VARIANTS 3u
/* Returns the L1D of kernels without preference (k 0), that prefer L1 (1), or that prefer shared memory (2). Returns NULL if there is none, or if it
 * is the one of k 0. Statistics of an L1D are the sums over its variants. */
struct cache *ldst_l1d_variant(const struct core *c, uint32_t k);
/* Returns the index of the instruction in flight in the dispatch register, 0 for a bubble. */
uint32_t ldst_dispatch(const struct core *c);
/* Appends the reason for which the next access of the instruction in the dispatch register can't be made now. Returns false if the access can be made,
 * or if there is no instruction or access. */
bool ldst_obstacle(const struct core *c, struct text *out);
/* Returns the instruction whose registers are written next, 0 if there is none. */
uint32_t ldst_next_writeback(const struct core *c);
/* Returns whether accesses of an instruction to a space go past the L1D: the core has none, or an option or the instruction says so. */
bool ldst_bypasses_l1d(const struct core *c, const struct timing_insn *ti, enum isa_space space);
/* Returns the instruction in a stage (below cfg->smem_latency) of the shared-memory pipeline, 0 for a bubble. */
uint32_t ldst_shared_stage(const struct core *c, uint32_t stage);
/* Returns the number of accesses on their way to the L1D (4.x). */
uint32_t ldst_l1_length(const struct core *c);
/* Returns the request of access k on its way to the L1D, the first to arrive first. */
uint32_t ldst_l1_at(const struct core *c, uint32_t k);
/* A transaction that an L1 has taken. */
enum ldst_result { LDST_HIT, LDST_MISS, LDST_MERGED /* with a miss that was under way */ };
struct ldst_taken {
	_Alignas(32) uint64_t address;
	uint64_t request; /* uid: of its own request for MISS, of the one that was under way for MERGED */
	uint32_t pc;
	uint16_t warp;
	uint8_t result; /* enum ldst_result */
};
/* Stores the transaction of warp `warp` at `pc` that an L1 has taken, the latest (k 0) or the k-th before it. Returns false if the unit doesn't keep
 * it, as only the last LDST_TAKEN of the core are kept. */
bool ldst_get_taken(const struct core *c, uint32_t warp, uint32_t pc, uint32_t k, struct ldst_taken *out);
/* Returns the number of transactions of a warp's instruction that no L1 has taken yet. */
uint32_t ldst_untaken(const struct core *c, uint32_t warp, uint32_t pc);
/* Returns the number of replies in the response FIFO. */
uint32_t ldst_response_length(const struct core *c);
/* Returns the request of reply k in the response FIFO, oldest first. */
uint32_t ldst_response_at(const struct core *c, uint32_t k);
/* Returns why the access stage stalled in the last cycle, as GPGPU-Sim names it. */
enum stall_reason ldst_stall_reason(const struct core *c);
/* Returns the cycle of the last write to a register. */
uint64_t ldst_last_writeback(const struct core *c);

#endif
