/* From the addresses of a warp's lanes to memory transactions, shared-memory cycles and local-memory addresses. Source: GPGPU-Sim manual
 * "Memory access coalescing", CUDA programming guide (compute capability 1.2, 1.3), behaviour of 3.2.2. */
#ifndef TIMING_COALESCE_H
#define TIMING_COALESCE_H

#include "timing/core/core.h"

/* ---- where an address lies for caches and memory ---- */
#define TIMING_LOCAL_BASE UINT64_C(0x3FC00000) /* local windows of the whole machine, one word of all threads after the other */
struct exec_texture_rows;
#define TILE_BYTES 64u /* from a tile to the next, whatever a line of the texture cache has: GPGPU-Sim's */
/* Returns the address at which the texture path finds the texel of a two-dimensional texture that lies at `address`: tiles of texels follow each other. `line`:
 * bytes of a line of the texture cache. Source: GPGPU-Sim 3.2.2 (texture addresses). */
uint64_t texture_tiled_address(const struct exec_texture_rows *r, uint32_t line, uint64_t address);
/* Returns the space that caches and memory see for a generic address. */
enum isa_space timing_space(uint64_t generic);

/* ---- coalescing ---- */
#define COALESCE_PIECES 8u /* parts of one lane's element: 4-byte words of local memory */
#define COALESCE_MAX (LANES * COALESCE_PIECES)

struct coalesce_in {
	const uint64_t *address; /* [pieces][LANES] */
	uint32_t lanes;
	uint32_t pieces, bytes;	 /* per lane; of each */
	uint32_t segment;	 /* 32, 64 or 128 bytes */
	uint32_t width;		 /* lanes of a sub-warp, a power of two */
	bool is_atomic;		 /* lanes whose bytes overlap need transactions of their own */
};
struct transaction {
	uint64_t address;
	uint32_t size, lanes;
};
/* Stores the transactions of an access in order of creation (sub-warp by sub-warp, ascending addresses) and returns how many. */
uint32_t coalesce(const struct coalesce_in *in, struct transaction out[COALESCE_MAX]);
/* Returns the segment size in bytes for elements of `bytes` bytes: 32 for 1, 64 for 2, else 128. With `sectors` always 32 (compute capability 2.0 to
 * 3.7 without L1). */
uint32_t coalesce_segment(uint32_t bytes, bool sectors);
/* Stores the distinct lines of `line` bytes that lanes touch, ascending, and returns how many. */
uint32_t coalesce_lines(const uint64_t address[LANES], uint32_t lanes, uint32_t line, struct transaction out[LANES]);

/* Returns the lanes of each of a warp's `parts` sub-warps. */
static inline uint32_t coalesce_width(const struct core_config *cfg, uint32_t parts) { return cfg->warp_threads > parts ? cfg->warp_threads / parts : 1; }

/* The transactions or shared-memory cycles that an access of a warp would become on a core. */
struct coalesce_look {
	enum isa_space space; /* the whole warp's */
	uint64_t address[LANES]; /* in that space, as caches see it; of local memory: the thread's own */
	uint32_t cycles; /* shared memory */
	uint32_t n;	 /* all others: transactions */
	struct transaction t[COALESCE_MAX];
};
/* Computes what access `a` of a warp's instruction at `pc` would become, without making it. `a` has one address for each lane. Reads the core's configuration,
 * its program, and for local memory the warp's CTA. */
void coalesce_look(const struct core *c, uint32_t warp, uint32_t pc, const struct exec_access *a, struct coalesce_look *out);

/* ---- shared memory ---- */
/* Returns the cycles in which a warp accesses shared memory: the sum over its sub-warps. With cfg->shared_limited_broadcast one word a sub-warp can be broadcast
 * (GT200), otherwise every word. */
uint32_t shared_access_cycles(const struct core_config *cfg, const uint64_t address[LANES], uint32_t lanes);

/* ---- local memory ---- */
struct local_layout {
	bool by_cta;		   /* -gpgpu_local_mem_map */
	uint32_t core, n_cores;	   /* over the machine */
	uint32_t threads_per_core;
	uint32_t padded, max_ctas; /* threads per CTA rounded up to warps; CTAs of the kernel per core */
};
/* Returns the bytes from one word of a thread's local memory to its next. */
uint64_t local_word_stride(const struct local_layout *l);
/* Returns the address of word 0 of hardware thread t. Threads of a warp follow each other, 4 bytes apart. */
uint64_t local_thread_base(const struct local_layout *l, uint32_t t);

#endif
