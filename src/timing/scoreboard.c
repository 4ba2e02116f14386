/* Registers with a write under way, per warp. Source: GPGPU-Sim 3.2.2 (scoreboard). */
#include "timing/front.h"

static uint64_t bit_of(uint32_t reg) { return UINT64_C(1) << (reg & 63); }

void scoreboard_reserve(struct core *c, uint32_t warp, const struct timing_insn *ti, bool is_long)
{
	uint64_t *row = c->reserved + (uint64_t)warp * c->sb_words;
	uint64_t *marks = c->long_op + (uint64_t)warp * c->sb_words;
	for (unsigned k = 0; k < ti->n_out; k++) {
		uint32_t reg = ti->out[k];
		if (!reg)
			continue;
		if (!(row[reg >> 6] & bit_of(reg)))
			c->warp[warp].n_reserved++;
		row[reg >> 6] |= bit_of(reg);
		if (is_long)
			marks[reg >> 6] |= bit_of(reg);
	}
}

void scoreboard_release(struct core *c, uint32_t warp, const struct timing_insn *ti, bool clear_long)
{
	uint64_t *row = c->reserved + (uint64_t)warp * c->sb_words;
	uint64_t *marks = c->long_op + (uint64_t)warp * c->sb_words;
	struct core_warp *w = &c->warp[warp];
	for (unsigned k = 0; k < ti->n_out; k++) {
		uint32_t reg = ti->out[k];
		if (!reg)
			continue;
		if (row[reg >> 6] & bit_of(reg))
			w->n_reserved--;
		row[reg >> 6] &= ~bit_of(reg);
		if (clear_long)
			marks[reg >> 6] &= ~bit_of(reg);
	}
	/* what the warp's next instruction, a memory barrier or its retirement may have waited for */
	c->s->blocked &= ~(UINT64_C(1) << warp);
	if (w->membar || w->done)
		front_update(c, warp);
}
