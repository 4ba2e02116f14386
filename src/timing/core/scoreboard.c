/* Registers with a write under way, per warp. Source: GPGPU-Sim 3.2.2 (scoreboard).
 *
 * Nearly every kernel keeps to low register numbers, which are reserved and released a word of bits at a time; instructions with
 * higher ones (has_high) go through theirs one by one. */
#include "timing/core/front.h"

static uint64_t bit_of(uint32_t reg) { return UINT64_C(1) << (reg & 63); }
static bool is_high(uint32_t reg) { return reg >= TIMING_LOW_WORDS * 64; }

void scoreboard_reserve(struct core *c, uint32_t warp, const struct timing_insn *ti, bool is_long)
{
	uint64_t *row = core_reserved(c, warp), *marks = core_long_op(c, warp);
	uint32_t n = 0;
	for (unsigned k = 0; k < TIMING_LOW_WORDS; k++) {
		n += (uint32_t)__builtin_popcountll(ti->out_low[k] & ~row[k]);
		row[k] |= ti->out_low[k];
		marks[k] |= is_long ? ti->out_low[k] : 0;
	}
	for (unsigned k = 0; ti->has_high && k < ti->n_out; k++) {
		const uint32_t reg = ti->out[k];
		if (!is_high(reg))
			continue;
		n += !(row[reg >> 6] & bit_of(reg));
		row[reg >> 6] |= bit_of(reg);
		marks[reg >> 6] |= is_long ? bit_of(reg) : 0;
	}
	c->warp[warp].n_reserved += (uint16_t)n;
}

void scoreboard_release(struct core *c, uint32_t warp, const struct timing_insn *ti, bool clear_long)
{
	uint64_t *row = core_reserved(c, warp), *marks = core_long_op(c, warp);
	struct core_warp *w = &c->warp[warp];
	uint32_t n = 0;
	for (unsigned k = 0; k < TIMING_LOW_WORDS; k++) {
		n += (uint32_t)__builtin_popcountll(ti->out_low[k] & row[k]);
		row[k] &= ~ti->out_low[k];
		marks[k] &= clear_long ? ~ti->out_low[k] : ~UINT64_C(0);
	}
	for (unsigned k = 0; ti->has_high && k < ti->n_out; k++) {
		const uint32_t reg = ti->out[k];
		if (!is_high(reg))
			continue;
		n += (row[reg >> 6] & bit_of(reg)) != 0;
		row[reg >> 6] &= ~bit_of(reg);
		marks[reg >> 6] &= clear_long ? ~bit_of(reg) : ~UINT64_C(0);
	}
	w->n_reserved -= (uint16_t)n;
	/* what the warp's next instruction, a memory barrier or its retirement may have waited for */
	c->s->blocked &= ~(UINT64_C(1) << warp);
	if (w->membar || w->done)
		front_update(c, warp);
}
