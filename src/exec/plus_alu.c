/* What the integer instructions of PTXPlus compute, and the flags of results. Registers count as 64 bits here, of which a type's instruction mostly looks
 * at the low ones. Source: reference/ptxplus.md, chapters 4, 5, 7 and 12. */
#include "exec/plus.h"
#include "isa/opcodes.h"

/* One instruction while its lanes are computed. */
struct integer {
	const struct isa_insn *i;
	bool exact;
	unsigned type, bits; /* of the result */
	unsigned flag_bits;  /* width that the flags look at */
};

struct lane {
	uint64_t a, b, c, p; /* sources */
	uint64_t r;
	bool carry, overflow;
};

static uint64_t cut(const struct integer *n, uint64_t v) { return v & plus_mask(n->bits); }
static bool top_bit(uint64_t v, unsigned bits) { return v >> (bits - 1) & 1; }

/* ---- sums ---- */

static void sum(const struct integer *n, struct lane *v, uint64_t b, unsigned carry_in)
{
	const uint64_t a = cut(n, v->a), addend = cut(n, b);
	const unsigned __int128 whole = (unsigned __int128)a + addend + carry_in;
	const uint64_t r = cut(n, (uint64_t)whole);
	v->r = n->exact && n->bits < 64 ? (uint64_t)whole : r;
	if (n->bits == 64)
		return;
	v->carry = (uint64_t)whole >> n->bits & 1;
	v->overflow = plus_is_signed(n->type) && top_bit(a, n->bits) == top_bit(addend, n->bits) && top_bit(r, n->bits) != top_bit(a, n->bits);
	if (v->overflow && n->i->flags & ISA_F_SAT)
		v->r = plus_mask(n->bits - 1) + top_bit(a, n->bits);
}

static void difference(const struct integer *n, struct lane *v)
{
	const uint64_t a = cut(n, v->a), b = cut(n, v->b), r = cut(n, a - b);
	v->r = n->bits == 64 ? a - b : r;
	if (n->bits == 64)
		return;
	const uint64_t whole = (UINT64_C(1) << n->bits) + a - b;
	v->r = n->exact ? whole : r;
	v->carry = whole >> n->bits & 1;
	v->overflow = plus_is_signed(n->type) && top_bit(a, n->bits) != top_bit(b, n->bits) && top_bit(r, n->bits) != top_bit(a, n->bits);
}

static uint64_t carry_of(const struct integer *n, const struct lane *v, uint64_t predicate)
{
	(void)v;
	if (!(predicate & ISA_FLAG_CARRY))
		return 0;
	return n->exact && n->i->opcode == ISA_OP_ADDP ? ISA_FLAG_CARRY : 1;
}

/* ---- products ---- */

/* Returns the product of the low bits of a and b, 128 bits wide, as the type says. */
static unsigned __int128 product(const struct integer *n, uint64_t a, uint64_t b)
{
	if (plus_is_signed(n->type))
		return (unsigned __int128)((__int128)plus_signed(a, n->bits) * plus_signed(b, n->bits));
	return (unsigned __int128)cut(n, a) * cut(n, b);
}

static void multiply(const struct integer *n, struct lane *v)
{
	const unsigned __int128 r = product(n, v->a, v->b);
	if (n->i->flags & ISA_F_WIDE)
		v->r = (uint64_t)r & plus_mask(2 * n->bits);
	else
		v->r = cut(n, (uint64_t)(n->i->flags & ISA_F_HI ? r >> n->bits : r));
}

static void multiply_add(const struct integer *n, struct lane *v, uint64_t carry_in)
{
	const uint64_t t = (uint64_t)product(n, v->a, v->b);
	if (n->bits != 16) {
		struct lane m = *v;
		multiply(n, &m);
		const uint64_t most = plus_mask(n->i->flags & ISA_F_WIDE ? 2 * n->bits : n->bits);
		v->r = (m.r + v->c + carry_in) & most;
		return;
	}
	const uint64_t sum32 = (t & UINT32_MAX) + (v->c & UINT32_MAX) + carry_in;
	v->r = n->i->flags & ISA_F_WIDE ? sum32 & UINT32_MAX : n->i->flags & ISA_F_HI ? sum32 >> 16 & 0xffff : sum32 & 0xffff;
	v->carry = sum32 >> 32 & 1;
	if (n->exact && plus_is_signed(n->type))
		v->carry = sum32 >> 31 & 1;
	if (n->i->flags & ISA_F_HI && !(n->i->flags & ISA_F_WIDE))
		v->r = ((t >> 16 & 0xffff) + (v->c & 0xffff) + carry_in) & 0xffff;
}

static int64_t bits24(const struct integer *n, uint64_t v)
{
	return plus_is_signed(n->type) ? plus_signed(v, 24) : (int64_t)(v & 0xffffff);
}

static void multiply24(const struct integer *n, struct lane *v, bool adds)
{
	const uint64_t right = (uint64_t)(bits24(n, v->a) * bits24(n, v->b));
	const uint64_t wrong = (uint32_t)v->a * (uint32_t)v->b & UINT64_C(0xffffffff);
	const uint64_t p = adds && n->exact ? wrong : right;
	v->r = (uint32_t)((n->i->flags & ISA_F_HI ? p >> 16 : p) + (adds ? v->c : 0));
}

/* ---- quotients ---- */

static void divide(const struct integer *n, struct lane *v, bool remainder)
{
	const uint64_t a = cut(n, v->a), b = cut(n, v->b);
	if (remainder && n->exact && n->bits < 64) {
		v->r = b ? a % b : a;
	} else if (!b) {
		v->r = remainder ? a : cut(n, UINT64_MAX);
	} else if (plus_is_signed(n->type)) {
		const int64_t x = plus_signed(a, n->bits), y = plus_signed(b, n->bits);
		v->r = cut(n, y == -1 ? (remainder ? 0 : 0 - (uint64_t)x) : (uint64_t)(remainder ? x % y : x / y));
	} else {
		v->r = remainder ? a % b : a / b;
	}
}

/* ---- others ---- */

static void shift(const struct integer *n, struct lane *v, bool left)
{
	const uint64_t by = v->b & UINT32_MAX;
	if (left)
		v->r = by >= n->bits ? 0 : cut(n, cut(n, v->a) << by);
	else if (plus_is_signed(n->type))
		v->r = cut(n, (uint64_t)(plus_signed(cut(n, v->a), n->bits) >> (by >= n->bits ? n->bits - 1 : by)));
	else
		v->r = by >= n->bits ? 0 : cut(n, v->a) >> by;
}

static void absolute_difference(const struct integer *n, struct lane *v)
{
	const bool is_less = plus_is_signed(n->type) ? plus_signed(v->a, n->bits) < plus_signed(v->b, n->bits) : cut(n, v->a) < cut(n, v->b);
	const uint64_t d = is_less ? v->b - v->a : v->a - v->b;
	v->r = n->exact ? v->a : cut(n, v->c + cut(n, d));
}

static void least(const struct integer *n, struct lane *v, bool greatest)
{
	const bool is_less = plus_is_signed(n->type) ? plus_signed(v->a, n->bits) < plus_signed(v->b, n->bits) : cut(n, v->a) < cut(n, v->b);
	v->r = cut(n, is_less != greatest ? v->a : v->b);
}

static void absolute(const struct integer *n, struct lane *v)
{
	const int64_t a = plus_signed(v->a, n->bits);
	v->r = !plus_is_signed(n->type) ? v->a : cut(n, a < 0 ? 0 - (uint64_t)a : (uint64_t)a);
}

/* Logic of values; predicates are stored inverted. Returns false if there is no such instruction. */
static bool logic(const struct integer *n, struct lane *v)
{
	const bool flags = n->type == ISA_FLAGS;
	const uint64_t a = v->a, b = v->b;
	switch (n->i->opcode) {
	case ISA_OP_AND: v->r = flags ? a | b : a & b; break;
	case ISA_OP_OR: v->r = flags ? a & b : a | b; break;
	case ISA_OP_XOR: v->r = flags ? ~(a ^ b) : a ^ b; break;
	case ISA_OP_NOT: v->r = cut(n, ~a); break;
	case ISA_OP_ANDN: v->r = a & ~b; break;
	case ISA_OP_ORN: v->r = flags ? a & ~b : a | ~b; break;
	case ISA_OP_NANDN: v->r = flags ? ~a & b : ~(a & ~b); break;
	case ISA_OP_NORN: v->r = flags ? ~(a & ~b) : ~a & b; break;
	default: return false;
	}
	v->r &= flags ? 15 : ~UINT64_C(0);
	return !(flags && n->i->opcode == ISA_OP_ANDN);
}

static bool lane_of(const struct integer *n, struct lane *v)
{
	switch (n->i->opcode) {
	case ISA_OP_ADD: sum(n, v, v->b, 0); return true;
	case ISA_OP_ADDP: sum(n, v, v->b, (unsigned)carry_of(n, v, v->c)); return true;
	case ISA_OP_SUB: difference(n, v); return true;
	case ISA_OP_MUL: multiply(n, v); return true;
	case ISA_OP_MAD: multiply_add(n, v, 0); return true;
	case ISA_OP_MADP: multiply_add(n, v, carry_of(n, v, v->p)); return true;
	case ISA_OP_MUL24: multiply24(n, v, false); return true;
	case ISA_OP_MAD24: multiply24(n, v, true); return true;
	case ISA_OP_SAD: absolute_difference(n, v); return true;
	case ISA_OP_DIV: divide(n, v, false); return true;
	case ISA_OP_REM: divide(n, v, true); return true;
	case ISA_OP_MIN: least(n, v, false); return true;
	case ISA_OP_MAX: least(n, v, true); return true;
	case ISA_OP_ABS: absolute(n, v); return true;
	case ISA_OP_NEG: v->r = 0 - v->a; return plus_is_signed(n->type);
	case ISA_OP_SHL: shift(n, v, true); return true;
	case ISA_OP_SHR: shift(n, v, false); return true;
	case ISA_OP_CNOT: v->r = !cut(n, v->a); return true;
	case ISA_OP_POPC: v->r = (uint64_t)__builtin_popcountll(cut(n, v->a)); return true;
	case ISA_OP_CLZ: v->r = cut(n, v->a) ? (uint64_t)__builtin_clzll(cut(n, v->a)) - (64 - n->bits) : n->bits; return true;
	case ISA_OP_MOV:
	case ISA_OP_LD:
	case ISA_OP_LDU:
	case ISA_OP_ST: v->r = v->a; return true;
	case ISA_OP_SELP: v->r = v->c & ISA_FLAG_ZERO ? v->b : v->a; return true;
	default: return logic(n, v);
	}
}

/* ---- flags ---- */

static uint32_t integer_flags(const struct integer *n, uint64_t v)
{
	const uint64_t mask = plus_mask(n->flag_bits), value = v & mask;
	const bool is_zero = n->exact && plus_is_signed(n->type) ? !(value & mask >> 1) : !value;
	return (is_zero ? ISA_FLAG_ZERO : 0u) | (top_bit(v, n->flag_bits) ? ISA_FLAG_SIGN : 0u);
}

static uint32_t float_flags(unsigned type, uint64_t bits)
{
	if (type == ISA_F64)
		return bits << 1 ? 0 : ISA_FLAG_ZERO;
	const uint32_t v = (uint32_t)bits, magnitude = v & 0x7fffffff;
	return (magnitude ? 0u : ISA_FLAG_ZERO) | (v >> 31 && magnitude && magnitude <= 0x7f800000 ? ISA_FLAG_SIGN : 0u);
}

static void flags_of_results(const struct integer *n, struct plus_values *v)
{
	for (unsigned l = 0; l < LANES; l++)
		v->flags[l] = isa_type_is_float((enum isa_type)n->type) ? float_flags(n->type, v->dst[l]) : integer_flags(n, v->dst[l]);
}

/* ---- the whole ---- */

/* A predicate that is set to a number: 0 is false, all other numbers are true. */
static void set_predicate(const struct exec *x, const struct isa_insn *i, struct plus_values *v)
{
	const struct isa_plus_operand *o = &isa_plus_of(x->program, i)->src[0];
	const bool is_number = o->kind == ISA_PLUS_ROW && ISA_REF_BASE(o->ref) == ISA_BASE_CONST;
	for (unsigned l = 0; l < LANES; l++)
		v->dst[l] = is_number ? (v->src[0][l] ? 0 : ISA_FLAG_ZERO) : v->src[0][l];
}

static bool integers(const struct integer *n, struct plus_values *v)
{
	for (unsigned l = 0; l < LANES; l++) {
		struct lane s = {.a = v->src[0][l], .b = v->src[1][l], .c = v->src[2][l], .p = v->src[3][l]};
		if (!lane_of(n, &s))
			return false;
		v->dst[l] = s.r;
		v->flags[l] = integer_flags(n, s.r) | (s.carry ? ISA_FLAG_CARRY : 0u) | (s.overflow ? ISA_FLAG_OVERFLOW : 0u);
	}
	return true;
}

/* 3.2.2 takes `mov.b32 $p|$r` for the unpacking of two halves. */
static bool unpacks(const struct exec *x, const struct isa_insn *i, bool exact)
{
	return exact && i->opcode == ISA_OP_MOV && (i->type == ISA_B32 || i->type == ISA_B64) && isa_plus_of(x->program, i)->is_flags;
}

static void unpack(const struct isa_insn *i, struct plus_values *v)
{
	const unsigned half = plus_bits(i->type) / 2;
	for (unsigned l = 0; l < LANES; l++) {
		v->dst[l] = v->src[0][l] >> half & plus_mask(half);
		v->flags[l] = (uint32_t)(v->src[0][l] & plus_mask(half));
	}
}

static unsigned flag_bits_of(const struct isa_insn *i, unsigned bits, bool exact)
{
	const bool multiplies = i->opcode == ISA_OP_MUL || i->opcode == ISA_OP_MAD || i->opcode == ISA_OP_MADP;
	return multiplies && i->flags & ISA_F_WIDE && !exact ? 2 * bits : bits;
}

static bool moves(const struct isa_insn *i) { return i->opcode == ISA_OP_MOV || isa_op_is_load(i->opcode) || isa_op_is_store(i->opcode); }

bool plus_compute(const struct exec *x, const struct isa_insn *i, bool exact, struct plus_values *v)
{
	const unsigned bits = plus_bits(i->type);
	const struct integer n = {.i = i, .exact = exact, .type = i->type, .bits = bits, .flag_bits = bits ? flag_bits_of(i, bits, exact) : 0};
	bool ok;
	if (!bits || bits > 64) {
		memcpy(v->dst, v->src[0], sizeof v->dst);
		memset(v->flags, 0, sizeof v->flags);
		return moves(i);
	}
	if (unpacks(x, i, exact)) {
		unpack(i, v);
		return true;
	}
	if (i->opcode == ISA_OP_CVT)
		ok = plus_convert(i, v);
	else if (i->opcode == ISA_OP_SET || i->opcode == ISA_OP_SETP || i->opcode == ISA_OP_SLCT)
		ok = plus_compare(i, v);
	else if (i->opcode == ISA_OP_MOV && i->type == ISA_FLAGS)
		set_predicate(x, i, v), ok = true;
	else if (isa_type_is_float((enum isa_type)i->type) && !moves(i) && i->opcode != ISA_OP_SELP)
		ok = plus_compute_float(i, exact, v);
	else
		return integers(&n, v);
	flags_of_results(&n, v);
	return ok;
}
