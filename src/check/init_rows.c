/* The shadow of registers: which bits of a row of lanes, and which lanes of a predicate, aren't initialised. */
#include <string.h>

#include "check/init.h"

void init_row_get(const struct init_frame *f, uint32_t ref, unsigned lane, uint64_t bits[2])
{
	const char *row = f->rows + ISA_REF_OFFSET(ref);
	const struct init_unit *u = &f->units[ISA_REF_OFFSET(ref) / 64];
	const unsigned bytes = u->bytes;
	bits[0] = bits[1] = 0;
	if (!bytes || !(u->lanes >> lane & 1))
		return;
	if (!u->has_bits) {
		bits[0] = bytes < 8 ? (UINT64_C(1) << 8 * bytes) - 1 : UINT64_MAX;
		bits[1] = bytes == 16 ? UINT64_MAX : 0;
		return;
	}
	memcpy(&bits[0], row + (size_t)(bytes < 8 ? bytes : 8) * lane, bytes < 8 ? bytes : 8);
	if (bytes == 16)
		memcpy(&bits[1], row + 256 + 8 * lane, 8);
}

static void row_put(const struct init_frame *f, uint32_t ref, unsigned lane, const uint64_t bits[2])
{
	char *row = f->rows + ISA_REF_OFFSET(ref);
	const unsigned bytes = f->units[ISA_REF_OFFSET(ref) / 64].bytes;
	memcpy(row + (size_t)(bytes < 8 ? bytes : 8) * lane, &bits[0], bytes < 8 ? bytes : 8);
	if (bytes == 16)
		memcpy(row + 256 + 8 * lane, &bits[1], 8);
}

/* From now on the row says which bits aren't initialised. */
void init_row_use_bits(const struct init_frame *f, uint32_t ref)
{
	struct init_unit *u = &f->units[ISA_REF_OFFSET(ref) / 64];
	if (!u->has_bits)
		memset(f->rows + ISA_REF_OFFSET(ref), 0xff, (size_t)u->bytes * LANES);
	u->has_bits = true;
}

void init_row_clear(const struct init *in, const struct init_frame *f, uint32_t word, uint32_t lanes)
{
	struct init_unit *u = &f->units[ISA_REF_OFFSET(word) / 64];
	u->lanes &= in->x->warp->lanes & ~lanes ? ~lanes : 0;
	u->has_bits &= u->lanes != 0;
}

void init_pred_set(const struct init_frame *f, uint32_t slot, uint32_t lanes, const uint64_t (*bits)[2],
		     uint32_t from)
{
	uint32_t undefined = 0;
	LANES_EACH (l, bits ? lanes : 0)
		undefined |= bits[l][0] & 1 ? lanes_bit(l) : 0;
	f->undefined[slot] = (f->undefined[slot] & ~lanes) | undefined;
	if (undefined)
		f->from[slot] = from;
}

void init_row_set(struct init *in, const struct init_frame *f, uint32_t word, uint32_t lanes, const uint64_t (*bits)[2],
		  uint32_t from)
{
	struct init_unit *u = &f->units[ISA_REF_OFFSET(word) / 64];
	uint64_t any = 0;
	if (ISA_RW_IS_PRED(word)) {
		init_pred_set(f, ISA_RW_PRED_SLOT(word), lanes, bits, from);
		return;
	}
	LANES_EACH (l, bits ? lanes : 0)
		any |= bits[l][0] | bits[l][1];
	if (!any) {
		init_row_clear(in, f, word, lanes);
		return;
	}
	if (!u->bytes)
		return;
	const uint64_t low = u->bytes < 8 ? (UINT64_C(1) << 8 * u->bytes) - 1 : UINT64_MAX;
	init_row_use_bits(f, word);
	u->lanes &= ~lanes;
	LANES_EACH (l, lanes) {
		row_put(f, word, l, bits[l]);
		u->lanes |= bits[l][0] & low || (u->bytes == 16 && bits[l][1]) ? lanes_bit(l) : 0;
	}
	u->has_bits = u->lanes != 0;
	u->from = from;
}
