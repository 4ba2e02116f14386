/* cvt between any two scalar types with any modifier: the source row is widened to 64-bit integers or to f64 without loss, rounded
 * once, and stored in the register's width. PTX ISA "cvt". */
#include "exec/lanes_half.h"
#include "exec/lanes_small.h"
#include "exec/rounding.h"

enum kind { KIND_INT, KIND_F32, KIND_F64, KIND_SMALL };

static enum kind kind_of(enum isa_type t)
{
	switch (t) {
	case ISA_F32: return KIND_F32;
	case ISA_F64: return KIND_F64;
	case ISA_F16:
	case ISA_BF16:
	case ISA_TF32: return KIND_SMALL;
	default: return KIND_INT;
	}
}
static const struct small_format *small_of(enum isa_type t)
{
	return &small_formats[t == ISA_F16 ? SMALL_F16 : t == ISA_BF16 ? SMALL_BF16 : SMALL_TF32];
}

/* ---- sources ---- */
/* The low bits of a register of `bytes`, as the type reads them. */
static void load_int(const struct exec *x, uint32_t ref, unsigned bytes, enum isa_type type, uint64_t *t)
{
	const unsigned spare = 64 - 8 * isa_type_bytes(type);
	const void *row = exec_operand(x, ref);
	if (bytes == 8)
		LANES_LOOP t[l] = ((const row_u64 *)row)[l];
	else if (bytes == 4)
		LANES_LOOP t[l] = ((const row_u32 *)row)[l];
	else
		LANES_LOOP t[l] = ((const row_u16 *)row)[l];
	if (isa_type_is_signed(type))
		LANES_LOOP t[l] = (uint64_t)((int64_t)(t[l] << spare) >> spare);
	else
		LANES_LOOP t[l] = t[l] << spare >> spare;
}

static void load_float(const struct exec *x, const struct isa_insn *i, double *t)
{
	const void *row = exec_operand(x, i->a);
	const bool ftz = i->flags & ISA_F_FTZ;
	switch (i->type2) {
	case ISA_F64: LANES_LOOP t[l] = ((const row_f64 *)row)[l]; break;
	case ISA_F16: LANES_LOOP t[l] = (double)f16_to_f32(((const row_u16 *)row)[l]); break;
	case ISA_BF16: LANES_LOOP t[l] = (double)bf16_to_f32(((const row_u16 *)row)[l]); break;
	default:
		LANES_LOOP t[l] = (double)(ftz ? f32_flush(((const row_f32 *)row)[l]) : ((const row_f32 *)row)[l]);
		break;
	}
}

/* ---- integer destinations ---- */
/* The type's bits of v, extended to the register's width by the type's sign. */
static void store_int(struct exec *x, const struct isa_insn *i, uint64_t *t)
{
	const unsigned spare = 64 - 8 * isa_type_bytes((enum isa_type)i->type);
	if (isa_type_is_signed((enum isa_type)i->type))
		LANES_LOOP t[l] = (uint64_t)((int64_t)(t[l] << spare) >> spare);
	else
		LANES_LOOP t[l] = t[l] << spare >> spare;
	switch (i->dst_bytes) {
	case 8: LANES_PUT(row_u64, i->dst, t[l]); break;
	case 4: LANES_PUT(row_u32, i->dst, t[l]); break;
	default: LANES_PUT(row_u16, i->dst, t[l]); break;
	}
}

static void int_to_int(struct exec *x, const struct isa_insn *i)
{
	const enum isa_type to = (enum isa_type)i->type, from = (enum isa_type)i->type2;
	const unsigned bits = 8 * isa_type_bytes(to);
	uint64_t t[LANES] LANES_ALIGNED;
	load_int(x, i->a, i->a_bytes, from, t);
	if (i->flags & ISA_F_SAT) {
		const bool signed_to = isa_type_is_signed(to), signed_from = isa_type_is_signed(from);
		const uint64_t max = UINT64_MAX >> (64 - bits + signed_to);
		for (unsigned l = 0; l < LANES; l++) {
			const bool negative = signed_from && (int64_t)t[l] < 0;
			if (!negative)
				t[l] = t[l] > max ? max : t[l];
			else if (!signed_to)
				t[l] = 0;
			else
				t[l] = (int64_t)t[l] < -(int64_t)max - 1 ? ~max : t[l];
		}
	}
	store_int(x, i, t);
}

/* r is integral; out of range takes the nearest end */
static uint64_t to_int(double r, bool is_signed, unsigned bits)
{
	const double end = f64_from((uint64_t)(1023 + bits - is_signed) << 52); /* 2^bits or 2^(bits-1) */
	if (r >= end)
		return UINT64_MAX >> (64 - bits + is_signed);
	if (!is_signed)
		return r <= 0.0 ? 0 : r >= 0x1p63 ? (uint64_t)(int64_t)(r - 0x1p63) | UINT64_C(1) << 63 : (uint64_t)(int64_t)r;
	return r <= -end ? ~(UINT64_MAX >> (65 - bits)) : (uint64_t)(int64_t)r;
}

/* To an integral value. The float roundings are what the ISA's older spellings of the integer ones mean. */
static double integral(double d, enum isa_round rnd)
{
	switch (rnd) {
	case ISA_RND_RNI:
	case ISA_RND_RN: return __builtin_rint(d);
	case ISA_RND_RMI:
	case ISA_RND_RM: return __builtin_floor(d);
	case ISA_RND_RPI:
	case ISA_RND_RP: return __builtin_ceil(d);
	default: return __builtin_trunc(d);
	}
}

static void float_to_int(struct exec *x, const struct isa_insn *i)
{
	const bool is_signed = isa_type_is_signed((enum isa_type)i->type);
	const unsigned bits = 8 * isa_type_bytes((enum isa_type)i->type);
	const uint64_t top = (is_signed ? UINT64_MAX : UINT64_C(1)) << (bits - 1), nan = i->type2 == ISA_F64 || bits == 64 ? top : 0;
	double d[LANES] LANES_ALIGNED;
	uint64_t t[LANES] LANES_ALIGNED;
	load_float(x, i, d);
	for (unsigned l = 0; l < LANES; l++)
		t[l] = d[l] != d[l] ? nan : to_int(integral(d[l], (enum isa_round)i->rnd), is_signed, bits);
	store_int(x, i, t);
}

/* ---- floating destinations ---- */
static void store_f64(struct exec *x, const struct isa_insn *i, const double *t)
{
	if (i->flags & ISA_F_SAT)
		LANES_PUT(row_f64, i->dst, t[l] > 0.0 ? (t[l] < 1.0 ? t[l] : 1.0) : 0.0);
	else
		LANES_PUT(row_u64, i->dst, f64_out1(t[l], t[l]));
}
static void store_small(struct exec *x, const struct isa_insn *i, const double *t)
{
	const struct small_format *f = small_of((enum isa_type)i->type);
	uint32_t out[LANES] LANES_ALIGNED;
	for (unsigned l = 0; l < LANES; l++) {
		const double d = (i->flags & ISA_F_SAT) ? (t[l] > 0.0 ? (t[l] < 1.0 ? t[l] : 1.0) : 0.0) : t[l];
		out[l] = small_from(d, f, (enum isa_round)i->rnd, i->flags & ISA_F_RELU, i->flags & ISA_F_SATFINITE, 0);
	}
	if (i->type == ISA_TF32)
		LANES_PUT(row_u32, i->dst, out[l] == f->nan ? F32_NAN : out[l] << 13);
	else
		LANES_PUT(row_u16, i->dst, out[l]);
}

/* A double that rounds to 50 bits and less as the integer does: the low bits of a large one become sticky. */
static double exact_enough(uint64_t magnitude, bool negative)
{
	if (magnitude >> 53)
		magnitude = (magnitude & ~UINT64_C(0x7ff)) | ((magnitude & 0x7ff) ? 0x800 : 0);
	const double d = (double)(int64_t)(magnitude >> 1) * 2.0 + (double)(magnitude & 1);
	return negative ? -d : d;
}

static void int_to_float(struct exec *x, const struct isa_insn *i)
{
	const bool is_signed = isa_type_is_signed((enum isa_type)i->type2);
	const enum isa_round rnd = (enum isa_round)i->rnd;
	uint64_t t[LANES] LANES_ALIGNED;
	int64_t s[LANES] LANES_ALIGNED;
	double d[LANES] LANES_ALIGNED;
	float f[LANES] LANES_ALIGNED;
	load_int(x, i->a, i->a_bytes, (enum isa_type)i->type2, t);
	LANES_LOOP s[l] = (int64_t)t[l];
	switch (kind_of((enum isa_type)i->type)) {
	case KIND_F32:
		if (is_signed)
			round_s64_to_f32(rnd, s, f);
		else
			round_u64_to_f32(rnd, t, f);
		lanes_store_f32(x, i, f);
		break;
	case KIND_F64:
		if (is_signed)
			round_s64_to_f64(rnd, s, d);
		else
			round_u64_to_f64(rnd, t, d);
		store_f64(x, i, d);
		break;
	default:
		for (unsigned l = 0; l < LANES; l++) {
			const bool negative = is_signed && s[l] < 0;
			d[l] = exact_enough(negative ? 0u - t[l] : t[l], negative);
		}
		store_small(x, i, d);
		break;
	}
}

/* rni, rzi, rmi, rpi: to an integral value of the source's format, which the destination then holds exactly or rounds to nearest. */
static bool rounds_to_integral(enum isa_round rnd) { return rnd >= ISA_RND_RNI; }

static void float_to_float(struct exec *x, const struct isa_insn *i)
{
	struct isa_insn rest = *i;
	double d[LANES] LANES_ALIGNED;
	float f[LANES] LANES_ALIGNED;
	load_float(x, i, d);
	if (rounds_to_integral((enum isa_round)i->rnd)) {
		for (unsigned l = 0; l < LANES; l++)
			d[l] = integral(d[l], (enum isa_round)i->rnd);
		rest.rnd = ISA_RND_RN;
	}
	switch (kind_of((enum isa_type)i->type)) {
	case KIND_F32:
		round_f64_to_f32((enum isa_round)rest.rnd, d, f);
		lanes_store_f32(x, &rest, f);
		break;
	case KIND_F64: store_f64(x, &rest, d); break;
	default: store_small(x, &rest, d); break;
	}
}

LANES_HANDLER(cvt)
{
	const bool int_dst = kind_of((enum isa_type)i->type) == KIND_INT;
	const bool int_src = kind_of((enum isa_type)i->type2) == KIND_INT;
	if (int_dst && int_src)
		int_to_int(x, i);
	else if (int_dst)
		float_to_int(x, i);
	else if (int_src)
		int_to_float(x, i);
	else
		float_to_float(x, i);
}
