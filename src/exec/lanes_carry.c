/* Extended precision: add.cc, addc, sub.cc, subc, mad.cc, madc (PTX ISA "Extended-Precision Integer Arithmetic Instructions").
 * CC.CF is one bit per lane in the warp. The ISA says that subtractions put the borrow there; the machine subtracts by adding the
 * complement, so that its bit is the inverse of the borrow, which shows when addc follows sub.cc: nvcc's 128-bit division does
 * that and takes 1 for "no borrow". */
#include "exec/lanes.h"

/* Writes the condition code of the executing lanes if the instruction has .cc. */
static void put_carry(struct exec *x, const struct isa_insn *i, uint32_t carry)
{
	if (i->flags & ISA_F_CC)
		x->warp->carry = (x->warp->carry & ~x->mask) | (carry & x->mask);
}

/* sum = p + q + in and its carry out; difference p - q - 1 + in = p + ~q + in and its carry out */
#define SUM(T, p, q, in, out) ({ const T s1_ = (p) + (q), s2_ = s1_ + (in); (out) = s1_ < (p) || s2_ < s1_; s2_; })
#define DIFFERENCE(T, p, q, in, out) SUM(T, p, (T)~(q), in, out)

/* OP(T, p, q, in, out) on p = PRODUCT, q; both may name a, b, c. carry_in: the mask the instruction adds. */
#define CARRY_OP(name, row, T, OP, P, Q, carry_in)                                              \
	LANES_HANDLER(name)                                                                     \
	{                                                                                       \
		const row *row_a = LANES_SRC(row, i->a), *row_b = LANES_SRC(row, i->b);         \
		const row *row_c = ISA_REF_BASE(i->c) == ISA_BASE_NONE ? row_a : LANES_SRC(row, i->c); \
		const uint32_t in = (carry_in);                                                 \
		uint32_t carry = 0;                                                             \
		T t[LANES] LANES_ALIGNED;                                                       \
		LANES_LOOP                                                                      \
		{                                                                               \
			const T a = row_a[l], b = row_b[l], c = row_c[l];                       \
			const T p = (P), q = (Q);                                               \
			bool out;                                                               \
			(void)a, (void)b, (void)c;                                                 \
			t[l] = OP(T, p, q, (T)((in & lanes_bits[l]) != 0), out);                \
			carry |= out ? lanes_bits[l] : 0u;                                      \
		}                                                                               \
		put_carry(x, i, carry);                                                         \
		LANES_PUT(row, i->dst, t[l]);                                                   \
	}

CARRY_OP(add_cc_s32, row_u32, uint32_t, SUM, a, b, 0u)
CARRY_OP(add_cc_s64, row_u64, uint64_t, SUM, a, b, 0u)
CARRY_OP(addc_s32, row_u32, uint32_t, SUM, a, b, x->warp->carry)
CARRY_OP(addc_s64, row_u64, uint64_t, SUM, a, b, x->warp->carry)
CARRY_OP(sub_cc_s32, row_u32, uint32_t, DIFFERENCE, a, b, ~0u)
CARRY_OP(sub_cc_s64, row_u64, uint64_t, DIFFERENCE, a, b, ~0u)
CARRY_OP(subc_s32, row_u32, uint32_t, DIFFERENCE, a, b, x->warp->carry)
CARRY_OP(subc_s64, row_u64, uint64_t, DIFFERENCE, a, b, x->warp->carry)

#define HI_U32 (uint32_t)(((uint64_t)a * b) >> 32)
#define HI_S32 (uint32_t)((uint64_t)((int64_t)(int32_t)a * (int32_t)b) >> 32)
#define HI_U64 (uint64_t)(((unsigned __int128)a * b) >> 64)
#define HI_S64 (uint64_t)(((__int128)(int64_t)a * (int64_t)b) >> 64)
#define MAD_CARRY(prefix, carry_in)                                                   \
	CARRY_OP(prefix##_lo_cc_s32, row_u32, uint32_t, SUM, a *b, c, carry_in)       \
	CARRY_OP(prefix##_lo_cc_s64, row_u64, uint64_t, SUM, a *b, c, carry_in)       \
	CARRY_OP(prefix##_hi_cc_s32, row_u32, uint32_t, SUM, HI_S32, c, carry_in)     \
	CARRY_OP(prefix##_hi_cc_u32, row_u32, uint32_t, SUM, HI_U32, c, carry_in)     \
	CARRY_OP(prefix##_hi_cc_s64, row_u64, uint64_t, SUM, HI_S64, c, carry_in)     \
	CARRY_OP(prefix##_hi_cc_u64, row_u64, uint64_t, SUM, HI_U64, c, carry_in)
MAD_CARRY(mad, 0u)
MAD_CARRY(madc, x->warp->carry)

/* Forms that the ISA doesn't have and ptxas takes, computed as the code it makes for sm_75 does. .sat clamps to the signed range, the
 * carry counted in. In 16 bits the high half is that of the product's 64 bits, the extended operands' sign. */
#define CLAMPED(s) ({ const int64_t s_ = (s); (uint32_t)(s_ > INT32_MAX ? INT32_MAX : s_ < INT32_MIN ? INT32_MIN : s_); })
#define SUM_SAT(T, p, q, in, out) ({ (out) = false; CLAMPED((int64_t)(int32_t)(p) + (int32_t)(q) + (int32_t)(in)); })
#define DIFFERENCE_SAT(T, p, q, in, out) SUM_SAT(T, p, ~(q), in, out)
#define SIGN_S16 (uint16_t)((int32_t)(int16_t)a * (int16_t)b < 0 ? -1 : 0)
#define SUM_16(T, p, q, in, out) ({ (out) = false; (uint16_t)((p) + (q) + (in)); })
CARRY_OP(addc_sat_s32, row_u32, uint32_t, SUM_SAT, a, b, x->warp->carry)
CARRY_OP(subc_sat_s32, row_u32, uint32_t, DIFFERENCE_SAT, a, b, x->warp->carry)
CARRY_OP(addc_s16, row_u16, uint16_t, SUM_16, a, b, x->warp->carry)
CARRY_OP(subc_s16, row_u16, uint16_t, SUM_16, a, (uint16_t)~b, x->warp->carry)
CARRY_OP(madc_lo_s16, row_u16, uint16_t, SUM_16, (uint16_t)((uint32_t)a * b), c, x->warp->carry)
CARRY_OP(madc_hi_s16, row_u16, uint16_t, SUM_16, SIGN_S16, c, x->warp->carry)
CARRY_OP(madc_hi_u16, row_u16, uint16_t, SUM_16, 0, c, x->warp->carry)
