/* The lane that a shuffle takes its value from: the one function for handlers, checkers and the debugger. */
#ifndef EXEC_SHUFFLE_H
#define EXEC_SHUFFLE_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/handlers.h"

/* Returns the source lane of `lane` for a shuffle's handler, its operands b and c of that lane (PTX ISA "shfl.sync", Semantics: `bval`, `minlane`
 * and `maxlane` are its names); the lane itself where the source is out of range, and *in_range is false then. */
static inline uint32_t exec_shuffle_source(uint32_t handler, uint32_t lane, uint32_t b, uint32_t c, uint32_t warp_threads, bool *in_range)
{
	const int bval = b & 31, cval = (int)(c & (warp_threads - 1)), seg = c >> 8 & 31, me = (int)lane;
	const int minlane = me & seg, maxlane = minlane | (cval & ~seg);
	int j;
	bool in;
	switch (handler) {
	case ISA_H_shfl_sync_up_b32:
		j = me - bval;
		in = j >= maxlane;
		break;
	case ISA_H_shfl_sync_down_b32:
		j = me + bval;
		in = j <= maxlane;
		break;
	case ISA_H_shfl_sync_bfly_b32:
		j = me ^ bval;
		in = j <= maxlane;
		break;
	default: /* idx */
		j = minlane | (bval & ~seg);
		in = j <= maxlane;
	}
	*in_range = in;
	return (uint32_t)(in ? j : me) & 31;
}

#endif
