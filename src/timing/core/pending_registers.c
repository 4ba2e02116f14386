/* Which registers of a warp are still to be written, for observers of cores of both kinds. */
#include "timing/core/core.h"

bool core_register_is_pending(const struct core *c, uint32_t warp, uint32_t number)
{
	if (c->textbook)
		return textbook_ready(c, warp, number) > textbook_present(c);
	return core_reserved(c, warp)[number >> 6] >> (number & 63) & 1;
}

uint32_t core_next_pending(const struct core *c, uint32_t warp, uint32_t from)
{
	if (c->textbook)
		return textbook_next_pending(c, warp, from);
	for (uint32_t word = from >> 6; word < c->sb_words; word++) {
		const uint64_t left = core_reserved(c, warp)[word] & (word == from >> 6 ? ~UINT64_C(0) << (from & 63) : ~UINT64_C(0));
		if (left)
			return word * 64 + (uint32_t)__builtin_ctzll(left);
	}
	return UINT32_MAX;
}

bool core_is_long(const struct core *c, uint32_t warp, uint32_t number)
{
	return !c->textbook && core_long_op(c, warp)[number >> 6] >> (number & 63) & 1;
}
