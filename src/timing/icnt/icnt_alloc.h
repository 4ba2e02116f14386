/* Allocators: matching inputs with outputs that they request, as booksim's allocators do. Private to the interconnect. */
#ifndef TIMING_ICNT_ALLOC_H
#define TIMING_ICNT_ALLOC_H

#include "timing/icnt/icnt.h"

enum icnt_allocator_kind {
	ICNT_ISLIP,
	ICNT_PIM,
	ICNT_LOA,
	ICNT_WAVEFRONT,
	ICNT_RR_WAVEFRONT,
	ICNT_MAX_SIZE,
	ICNT_SELECT,
	ICNT_INPUT_FIRST,
	ICNT_OUTPUT_FIRST,
	ICNT_PIGGYBACK, /* no VC allocator: a VC is taken when the switch is won */
	ICNT_PRIO	/* no speculative switch allocator: the usual one, at lower priority */
};
struct icnt_allocator_setup {
	enum icnt_allocator_kind kind;
	uint32_t iterations;
	bool matrix;	 /* arbiters: matrix, else round robin */
	uint32_t groups; /* arbiters: 1, or a tree of so many groups */
};

/* Requests and matches of one allocation: outside the arena, since they never outlive a router's step; routers share them. */
struct icnt_requests {
	uint32_t n_in, n_out, words_in, words_out;
	bool mixed; /* priorities differ */
	uint32_t n; /* added since the last allocation */
	uint32_t last_in, last_out;
	uint64_t *in_used, *out_used;	   /* bits of ports with requests */
	uint64_t *of_in, *of_out;	   /* rows of bits: outputs an input asks for, inputs that ask for an output */
	int32_t *label, *in_pri, *out_pri; /* [in * n_out + out], where the bit is set */
	int32_t *in_match, *out_match;	   /* -1: none */
	uint64_t *in_taken;		   /* bits of matched inputs */
	uint64_t *grants, *granted;	   /* rows of bits and bits of rows, empty between allocations */
	int32_t *scratch;		   /* [2 * max(n_in, n_out) + n_in * n_out] */
};
/* Allocates an empty set of requests. Returns false if n_in * n_out is too large (2^24). */
bool icnt_requests_init(struct icnt_requests *q, uint32_t n_in, uint32_t n_out);
/* Frees the memory of a set of requests. */
void icnt_requests_free(struct icnt_requests *q);
/* Removes all requests and matches. */
void icnt_requests_clear(struct icnt_requests *q);
/* Returns whether input `in` requests output `out`. */
static inline bool icnt_requested(const struct icnt_requests *q, uint32_t in, uint32_t out)
{
	return q->of_in[(uint64_t)in * q->words_out + out / 64] >> (out % 64) & 1;
}
/* Adds the request of input `in` for output `out`, or replaces it. `label` names the virtual channel it is for; the priorities are those that the input's and
 * the output's arbiter compare. */
void icnt_request_add(struct icnt_requests *q, uint32_t in, uint32_t out, int32_t label, int32_t in_pri,
		      int32_t out_pri);

/* A row of arbiters, one for each port of a side, in the arena. A plain arbiter is a tree of one group. */
struct icnt_arbiters {
	uint32_t size, groups; /* requests of one arbiter */
	uint32_t *leaf, *root; /* round robin: pointers, [arbiter * groups + group], [arbiter] */
	uint64_t *leaf_beats,
		*root_beats; /* matrix: rows of bits, [((arbiter * groups + group) * leaf size + i) * words] */
};
/* The state that an allocator keeps between allocations, in the arena. */
struct icnt_allocator {
	struct icnt_allocator_setup setup;
	uint32_t *in_pointer, *out_pointer; /* iSLIP, select: accept and grant; LOA: request and grant */
	uint32_t *pointer;		    /* wavefront: diagonal, max_size: first input */
	struct icnt_arbiters in, out;
};
/* Allocates an allocator's state in m's arena. Returns false if there is no room. */
bool icnt_allocator_init(struct icnt_allocator *a, struct timing_memory *m, const struct icnt_allocator_setup *setup,
			 uint32_t n_in, uint32_t n_out);
/* Matches inputs with outputs they request, stores the result in q->in_match and q->out_match, and updates the allocator's state. */
void icnt_allocate(struct icnt *n, struct icnt_allocator *a, struct icnt_requests *q);

/* ---- icnt_arbiter.c ---- */
/* Allocates n arbiters of `size` requests in m's arena. Returns false if there is no room. */
bool icnt_arbiters_init(struct icnt_arbiters *a, struct timing_memory *m, const struct icnt_allocator_setup *setup,
			uint32_t n, uint32_t size);
/* Returns the winner among the set bits of `row`, of which there must be one, by arbiter `which`. priority[i * stride] is the priority of request i; NULL
 * means equal priorities. */
uint32_t icnt_arbitrate(const struct icnt_arbiters *a, uint32_t which, const uint64_t *row, const int32_t *priority,
			uint32_t stride);
/* Makes `winner` the request that arbiter `which` prefers last from now on. */
void icnt_arbiter_update(struct icnt_arbiters *a, uint32_t which, uint32_t winner);

/* Returns the first set bit at or after bit `start`, cyclically. At least one bit must be set. */
static inline uint32_t icnt_first_from(const uint64_t *row, uint32_t words, uint32_t start)
{
	uint32_t w = start / 64;
	uint64_t high = row[w] & ~UINT64_C(0) << (start % 64);
	while (!high) {
		w = w + 1 == words ? 0 : w + 1;
		high = row[w];
	}
	return w * 64 + (uint32_t)__builtin_ctzll(high);
}

#endif
