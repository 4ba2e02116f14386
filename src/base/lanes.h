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

/* Loops over the lanes of a mask, lowest first; declares `lane` and evaluates `mask` once. */
#define LANES_EACH(lane, mask) \
	for (uint32_t m_##lane = (mask), lane = 0; m_##lane && (lane = lanes_first(m_##lane), 1); m_##lane &= m_##lane - 1)

#endif
