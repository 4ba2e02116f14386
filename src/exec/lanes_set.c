/* set.CmpOp.DTYPE.STYPE: comparisons into registers. True is all ones for integer destinations and 1.0 for floating ones;
 * type = DTYPE, type2 = STYPE, d = the predicate of a boolean operation. */
#include "exec/lanes_cmp.h"

/* The comparison as a mask; *high: that of the high elements if STYPE is a pair. */
static uint32_t compare(const struct exec *x, const struct isa_insn *i, uint32_t *high)
{
	const enum isa_cmp cmp = (enum isa_cmp)i->cmp;
#define CMP_ROWS(type, row) cmp_##type(cmp, LANES_SRC(row, i->a), LANES_SRC(row, i->b))
	switch (i->type2) {
	case ISA_S16: return CMP_ROWS(s16, row_s16);
	case ISA_B16:
	case ISA_U16: return CMP_ROWS(u16, row_u16);
	case ISA_S32: return CMP_ROWS(s32, row_s32);
	case ISA_B32:
	case ISA_U32: return CMP_ROWS(u32, row_u32);
	case ISA_S64: return CMP_ROWS(s64, row_s64);
	case ISA_B64:
	case ISA_U64: return CMP_ROWS(u64, row_u64);
	case ISA_F32: return (i->flags & ISA_F_FTZ) ? cmp_f32_ftz(x, i) : CMP_ROWS(f32, row_f32);
	case ISA_F64: return CMP_ROWS(f64, row_f64);
	case ISA_F16: return cmp_half(x, i, false);
	case ISA_BF16: return cmp_half(x, i, true);
	case ISA_F16X2:
	case ISA_BF16X2:
		*high = cmp_half_pair(x, i, i->type2 == ISA_BF16X2, 16);
		return cmp_half_pair(x, i, i->type2 == ISA_BF16X2, 0);
	default: return 0;
	}
}

static uint32_t true_value(const struct isa_insn *i)
{
	switch (i->type) {
	case ISA_F32: return 0x3f800000u;
	case ISA_F16:
	case ISA_F16X2: return HALF_ONE(false);
	case ISA_BF16:
	case ISA_BF16X2: return HALF_ONE(true);
	default: return UINT32_MAX;
	}
}

LANES_HANDLER(set)
{
	uint32_t high = 0;
	const bool pair = i->type2 == ISA_F16X2 || i->type2 == ISA_BF16X2;
	const uint32_t low = cmp_bool(x, i, compare(x, i, &high));
	high = cmp_bool(x, i, high);
	const uint32_t one = true_value(i);
	if (pair) {
		const uint32_t v = one & 0xffffu;
		LANES_PUT(row_u32, i->dst, ((low & lanes_bits[l]) ? v : 0) | ((high & lanes_bits[l]) ? v << 16 : 0));
	} else if (isa_type_bytes((enum isa_type)i->type) == 2) {
		LANES_PUT(row_u16, i->dst, (low & lanes_bits[l]) ? one : 0);
	} else {
		LANES_PUT(row_u32, i->dst, (low & lanes_bits[l]) ? one : 0);
	}
}
