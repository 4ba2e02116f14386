/* One element of D: the products of a row of A and a column of B, as each generation of tensor cores adds them. The vectorised form of the same arithmetic
 * is lanes_mma.c. */
#include "exec/tensor.h"

#include <math.h>

enum exec_tensor exec_tensor_of_capability(uint32_t sm)
{
	if (sm < 75)
		return EXEC_TENSOR_VOLTA;
	if (sm < 80)
		return EXEC_TENSOR_TURING;
	if (sm < 89)
		return EXEC_TENSOR_AMPERE;
	if (sm < 90)
		return EXEC_TENSOR_ADA;
	return sm < 100 ? EXEC_TENSOR_HOPPER : EXEC_TENSOR_BLACKWELL;
}

struct exec_tensor_rules exec_tensor_rules(enum exec_tensor generation, const struct isa_tensor *t)
{
	static const struct {
		uint8_t fraction;
		uint16_t bits; /* of a row of A in one step */
	} rows[EXEC_TENSORS] = {
		[EXEC_TENSOR_VOLTA] = {23, 64},	  [EXEC_TENSOR_TURING] = {24, 128}, [EXEC_TENSOR_AMPERE] = {24, 128},
		[EXEC_TENSOR_ADA] = {24, 128},	  [EXEC_TENSOR_HOPPER] = {25, 256}, [EXEC_TENSOR_BLACKWELL] = {25, 256},
	};
	struct isa_fragment a;
	struct exec_tensor_rules r = {.is_exact = generation == EXEC_TENSOR_EXACT, .fraction = rows[generation].fraction, .result = 23};
	isa_tensor_fragment(t, ISA_MATRIX_A, &a);
	const bool is_small = a.bits < 16, multiplies_bytes = generation == EXEC_TENSOR_ADA || generation == EXEC_TENSOR_BLACKWELL;
	/* Ada's fp8 keeps 13 bits. GPUs whose mma has no fp8 units convert to f16 first: ptxas makes two multiplications of f16 */
	if (is_small && generation == EXEC_TENSOR_ADA)
		r.fraction = r.result = 13;
	const unsigned step = rows[generation].bits / (is_small && !multiplies_bytes ? 16u : a.bits);
	r.step = (uint8_t)(step && step < a.cols ? step : a.cols);
	return r;
}

struct exec_tensor_rules exec_tensor_wgmma_rules(const struct isa_tensor *t)
{
	const bool is_small = isa_element_info[t->element[ISA_MATRIX_A]].bits < 16;
	return (struct exec_tensor_rules){.fraction = is_small ? 13 : 25, .step = (uint8_t)t->k, .result = is_small ? 13 : 23};
}

struct exec_tensor_number exec_tensor_decode(enum isa_element e, uint32_t bits)
{
	const struct isa_element_info *f = &isa_element_info[e];
	const unsigned width = 1u + f->exponent + f->fraction;
	struct exec_tensor_number n = {0, EXEC_TENSOR_ZERO_EXPONENT, EXEC_TENSOR_FINITE};
	if (e == ISA_EL_UE8M0) {
		n.class = bits == 0xff ? EXEC_TENSOR_NAN : EXEC_TENSOR_FINITE;
		n.significand = 1;
		n.exponent = (int32_t)bits - 127;
		return n;
	}
	if (e == ISA_EL_TF32)
		bits >>= 13;
	const uint32_t fraction = bits & ((1u << f->fraction) - 1), all = (1u << f->exponent) - 1, exponent = bits >> f->fraction & all;
	const bool has_infinity = e <= ISA_EL_F32 || e == ISA_EL_E5M2, has_one_nan = e == ISA_EL_E4M3 || e == ISA_EL_UE4M3;
	if (exponent == all && (has_infinity || (has_one_nan && fraction == 7)))
		n.class = fraction ? EXEC_TENSOR_NAN : EXEC_TENSOR_INFINITE;
	n.significand = (int32_t)(exponent ? fraction | 1u << f->fraction : fraction);
	if (n.significand)
		n.exponent = (int32_t)(exponent ? exponent : 1) - (int32_t)(all >> 1);
	if (e != ISA_EL_UE4M3 && bits >> (width - 1) & 1)
		n.significand = -n.significand;
	return n;
}

double exec_tensor_value(enum isa_element e, uint32_t bits)
{
	const struct exec_tensor_number n = exec_tensor_decode(e, bits);
	if (n.class == EXEC_TENSOR_NAN)
		return (double)NAN;
	if (n.class == EXEC_TENSOR_INFINITE)
		return n.significand < 0 ? -(double)INFINITY : (double)INFINITY;
	return ldexp(n.significand, n.exponent - isa_element_info[e].fraction);
}

uint32_t exec_tensor_to_f32(double v, unsigned result)
{
	int exponent;
	if (v != v)
		return 0x7fffffffu;
	if (v == 0)
		return 0;
	frexp(v, &exponent);
	exponent = exponent - 1 < -126 ? -126 : exponent - 1;
	const double kept = isinf(v) ? v : ldexp(trunc(ldexp(v, (int)result - exponent)), exponent - (int)result);
	const float f = (float)(kept == 0 ? 0.0 : kept);
	uint32_t bits;
	memcpy(&bits, &f, sizeof bits);
	return bits;
}

uint32_t exec_tensor_to_f16(double v)
{
	int exponent;
	if (v != v)
		return 0x7fffu;
	frexp(v, &exponent);
	exponent = exponent - 1 < -14 ? -14 : exponent - 1;
	const double rounded = isinf(v) ? v : ldexp(rint(ldexp(v, 10 - exponent)), exponent - 10), size = fabs(rounded);
	if (size == 0)
		return 0;
	const uint32_t sign = rounded < 0 ? 0x8000u : 0;
	if (size >= 65536)
		return sign | 0x7c00u;
	if (size < 0x1p-14)
		return sign | (uint32_t)ldexp(size, 24);
	frexp(size, &exponent);
	return sign | (((uint32_t)(exponent - 1 + 14) << 10) + (uint32_t)ldexp(size, 11 - exponent));
}

static uint32_t to_result(enum isa_element d, double v, unsigned result) { return d == ISA_EL_F16 ? exec_tensor_to_f16(v) : exec_tensor_to_f32(v, result); }

/* One step of n products. Returns the bits of its result. */
static uint32_t add_step(const struct exec_tensor_rules *r, const struct exec_tensor_types *t, const uint32_t *a, const uint32_t *b, unsigned n,
			 enum isa_element c_type, uint32_t c, struct exec_tensor_step *out)
{
	const struct exec_tensor_number nc = exec_tensor_decode(c_type, c);
	const unsigned fa = isa_element_info[t->a].fraction, fb = isa_element_info[t->b].fraction, fc = isa_element_info[c_type].fraction;
	int most = nc.exponent;
	bool is_finite = nc.class == EXEC_TENSOR_FINITE;
	double plain = exec_tensor_value(c_type, c), sum = 0, exact;
	for (unsigned k = 0; k < n; k++) {
		const struct exec_tensor_number na = exec_tensor_decode((enum isa_element)t->a, a[k]), nb = exec_tensor_decode((enum isa_element)t->b, b[k]);
		is_finite = is_finite && na.class == EXEC_TENSOR_FINITE && nb.class == EXEC_TENSOR_FINITE;
		most = na.exponent + nb.exponent > most ? na.exponent + nb.exponent : most;
		plain += exec_tensor_value((enum isa_element)t->a, a[k]) * exec_tensor_value((enum isa_element)t->b, b[k]);
	}
	if (!is_finite)
		return to_result((enum isa_element)t->d, plain, 23);
	sum = trunc(ldexp(nc.significand, (int)r->fraction - (int)fc + nc.exponent - most));
	exact = exec_tensor_value(c_type, c) - ldexp(sum, most - (int)r->fraction);
	for (unsigned k = 0; k < n; k++) {
		const struct exec_tensor_number na = exec_tensor_decode((enum isa_element)t->a, a[k]), nb = exec_tensor_decode((enum isa_element)t->b, b[k]);
		const double product = (double)na.significand * nb.significand;
		const double kept = trunc(ldexp(product, (int)r->fraction - (int)(fa + fb) + na.exponent + nb.exponent - most));
		exact += ldexp(product, na.exponent + nb.exponent - (int)(fa + fb)) - ldexp(kept, most - (int)r->fraction);
		sum += kept;
	}
	const double v = ldexp(sum, most - (int)r->fraction);
	const uint32_t result = to_result((enum isa_element)t->d, v, r->result);
	if (out) {
		out->exponent = most;
		out->sum = v;
		out->lost = exact;
		out->result_lost = v - exec_tensor_value((enum isa_element)t->d, result);
	}
	return result;
}

uint32_t exec_tensor_dot(const struct exec_tensor_rules *r, const struct exec_tensor_types *t, const uint32_t *a, const uint32_t *b, unsigned k, uint32_t c,
			 struct exec_tensor_trace *trace)
{
	enum isa_element c_type = (enum isa_element)t->c;
	if (trace)
		trace->n = 0;
	/* a result in f32 takes an addend of f16 as f32 */
	if (c_type == ISA_EL_F16 && t->d == ISA_EL_F32) {
		c = exec_tensor_to_f32(exec_tensor_value(c_type, c), 23);
		c_type = ISA_EL_F32;
	}
	for (unsigned first = 0; first < k; first += r->step) {
		const unsigned n = k - first < r->step ? k - first : r->step;
		struct exec_tensor_step *step = trace && trace->n < EXEC_TENSOR_STEPS ? &trace->step[trace->n++] : NULL;
		if (step)
			*step = (struct exec_tensor_step){.first = first, .n = n};
		c = add_step(r, t, a + first, b + first, n, c_type, c, step);
		if (step)
			step->result = c;
		c_type = (enum isa_element)t->d;
	}
	return c;
}
