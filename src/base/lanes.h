/* Lane masks: bit l is lane l of a warp. */
#ifndef BASE_LANES_H
#define BASE_LANES_H

#include <stdint.h>

#define LANES 32u
#define LANES_ALL 0xffffffffu

/* Returns the number of lanes in a mask. */
static inline unsigned lanes_count(uint32_t m) { return (unsigned)__builtin_popcount(m); }
/* Returns the lowest lane of a nonzero mask. */
static inline unsigned lanes_first(uint32_t m) { return (unsigned)__builtin_ctz(m); }
/* Returns the mask of one lane, 0 to 31. */
static inline uint32_t lanes_bit(unsigned lane) { return UINT32_C(1) << lane; }

/* Returns the mask of the lanes below n, 0 to 32. */
static inline uint32_t lanes_below(unsigned n) { return n < LANES ? lanes_bit(n) - 1 : LANES_ALL; }

/* Loops over the lanes of a mask, lowest first; declares `lane` and evaluates `mask` once. */
#define LANES_EACH(lane, mask) \
	for (uint32_t m_##lane = (mask), lane = 0; m_##lane && (lane = lanes_first(m_##lane), 1); m_##lane &= m_##lane - 1)

/* Loops over the warps of a set, bit w for warp w, lowest first; declares `warp` and evaluates `set` once. */
#define WARPS_EACH(warp, set) \
	for (uint64_t m_##warp = (set), at_##warp = 0; m_##warp && (at_##warp = (uint64_t)__builtin_ctzll(m_##warp), 1); m_##warp &= m_##warp - 1) \
		for (uint32_t warp = (uint32_t)at_##warp, once_##warp = 1; once_##warp; once_##warp = 0)

#endif
