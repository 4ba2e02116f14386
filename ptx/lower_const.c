/* The program's const pool: immediates and addresses as rows of 32 equal lanes, each value once per load. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "ptx/lower.h"

/* ---- the pool ---- */

static uint32_t new_row(struct lower *l, uint32_t n)
{
	struct isa_program *p = l->p;

	if (p->cap_consts - p->n_consts < n) {
		uint32_t cap = p->cap_consts + p->cap_consts / 2 + 4096;
		char *rows = aligned_alloc(64, (cap + 63) & ~63u);
		if (!rows) /* an abort with a message */
			rows = xmalloc(SIZE_MAX);
		if (p->n_consts)
			memcpy(rows, p->consts, p->n_consts);
		free(p->consts);
		p->consts = rows;
		p->cap_consts = (cap + 63) & ~63u;
	}
	uint32_t at = p->n_consts;
	p->n_consts += n;
	return at;
}

static uint64_t const_hash(uint64_t lo, uint64_t hi, uint32_t tag)
{
	uint64_t h = lo * UINT64_C(0x9E3779B97F4A7C15) ^ hi * UINT64_C(0xC2B2AE3D27D4EB4F) ^ tag;

	h = (h ^ (h >> 32)) * UINT64_C(0xBF58476D1CE4E5B9);
	return h ^ (h >> 29);
}

static struct lower_const *const_slot(const struct lower_const *table, size_t cap, uint64_t lo, uint64_t hi,
				      uint32_t tag)
{
	size_t i = const_hash(lo, hi, tag) & (cap - 1);

	while (table[i].tag && (table[i].tag != tag || table[i].lo != lo || table[i].hi != hi))
		i = (i + 1) & (cap - 1);
	return (struct lower_const *)&table[i];
}

/* The slot of a value; its tag is 0 if it is new (the caller fills it). */
static struct lower_const *find_slot(struct lower *l, uint64_t lo, uint64_t hi, uint32_t tag)
{
	if (2 * (l->n_consts + 1) > l->cap_consts) {
		size_t cap = l->cap_consts ? 2 * l->cap_consts : 256;
		struct lower_const *table = xcalloc(cap, sizeof *table);
		for (size_t i = 0; i < l->cap_consts; i++)
			if (l->consts[i].tag)
				*const_slot(table, cap, l->consts[i].lo, l->consts[i].hi, l->consts[i].tag) =
					l->consts[i];
		free(l->consts);
		l->consts = table;
		l->cap_consts = cap;
	}
	struct lower_const *slot = const_slot(l->consts, l->cap_consts, lo, hi, tag);
	if (!slot->tag) {
		l->n_consts++;
		slot->lo = lo;
		slot->hi = hi;
	}
	return slot;
}

uint32_t lower_const_row(struct lower *l, uint64_t lo, uint64_t hi, uint32_t bytes)
{
	if (bytes < 2)
		bytes = 2;
	if (bytes < 8)
		lo &= (UINT64_C(1) << (8 * bytes)) - 1;
	if (bytes < 16)
		hi = 0;
	struct lower_const *slot = find_slot(l, lo, hi, bytes);
	if (slot->tag)
		return slot->ref;
	uint32_t at = new_row(l, 32 * bytes);
	slot->tag = bytes;
	slot->ref = ISA_REF(ISA_BASE_CONST, at);
	isa_write_lanes(l->p->consts + at, lo, bytes < 8 ? bytes : 8);
	if (bytes == 16)
		isa_write_lanes(l->p->consts + at + 256, hi, 8);
	return slot->ref;
}

uint32_t lower_const_symbol(struct lower *l, uint32_t link_symbol, int64_t addend, bool generic, uint32_t bytes)
{
	uint32_t tag = bytes | LOWER_CONST_SYMBOL | (generic ? LOWER_CONST_GENERIC : 0);
	struct lower_const *slot = find_slot(l, (uint64_t)addend, link_symbol, tag);

	if (slot->tag)
		return slot->ref;
	uint32_t at = new_row(l, 32 * bytes);
	slot->tag = tag;
	slot->ref = ISA_REF(ISA_BASE_CONST, at);
	memset(l->p->consts + at, 0, 32 * bytes);
	isa_link_ref(l->link, (struct link_ref){.kind = LINK_CONST,
						.bytes = (uint8_t)(bytes < 8 ? bytes : 8),
						.byte_of = 0xff,
						.generic = generic,
						.symbol = link_symbol,
						.at = at,
						.addend = addend});
	return slot->ref;
}

/* ---- literals ---- */

/* Rounds a double to a binary format of `fraction` stored fraction bits and exponent bias `bias` (f16: 10, 15; bf16: 7, 127), to
 * nearest even. */
static uint64_t round_small(double v, int fraction, int bias)
{
	uint64_t sign = signbit(v) ? UINT64_C(1) << 15 : 0, all_ones = (UINT64_C(1) << (15 - fraction)) - 1;
	int exponent;

	if (isnan(v))
		return 0x7fff;
	v = fabs(v);
	if (isinf(v))
		return sign | all_ones << fraction;
	if (v == 0)
		return sign;
	frexp(v, &exponent);
	exponent--; /* v = 1.x * 2^exponent */
	if (exponent < 1 - bias)
		exponent = 1 - bias;
	/* units of the last place; rint rounds to even in the default mode; a carry moves into the exponent by itself */
	uint64_t units = (uint64_t)rint(ldexp(v, fraction - exponent));
	uint64_t bits = ((uint64_t)(exponent + bias - 1) << fraction) + units;
	return sign | (bits < all_ones << fraction ? bits : all_ones << fraction);
}

static double literal_value(const struct ptx_operand *o)
{
	double d;
	float f;
	uint32_t w;

	if (o->kind == PTX_OP_INT)
		return o->is_unsigned ? (double)o->bits : (double)(int64_t)o->bits;
	if (o->is_f32) {
		w = (uint32_t)o->bits;
		memcpy(&f, &w, 4);
		return (double)f;
	}
	memcpy(&d, &o->bits, 8);
	return d;
}

static uint64_t float_bits(const struct ptx_operand *o, unsigned bytes, enum isa_type type)
{
	double d = literal_value(o);
	uint64_t bits = 0;

	if (type == ISA_BF16 || type == ISA_BF16X2 || bytes == 2)
		bits = round_small(d, type == ISA_BF16 || type == ISA_BF16X2 ? 7 : 10,
				   type == ISA_BF16 || type == ISA_BF16X2 ? 127 : 15);
	else if (type == ISA_F16X2)
		bits = round_small(d, 10, 15);
	if (type == ISA_F16X2 || type == ISA_BF16X2)
		return bits | bits << 16;
	if (bytes <= 2)
		return bits;
	if (bytes == 4) {
		float f = (float)d;
		uint32_t w;
		memcpy(&w, &f, 4);
		return o->is_f32 ? o->bits & UINT32_MAX : w; /* 0f keeps the payload of a NaN */
	}
	memcpy(&bits, &d, 8);
	return bits;
}

uint64_t lower_literal_bits(const struct ptx_operand *o, enum isa_type type)
{
	unsigned bytes = isa_type_bytes(type);

	if (o->kind == PTX_OP_FLOAT)
		return float_bits(o, bytes, type);
	/* an integer where a scalar float is wanted stands for its value; packed types take bits */
	if (o->kind == PTX_OP_INT && (type == ISA_F32 || type == ISA_F64))
		return float_bits(o, bytes, type);
	uint64_t bits = o->bits;
	if (bytes == 1 && isa_type_is_signed(type))
		bits = (uint64_t)(int64_t)(int8_t)bits;
	else if (bytes == 1)
		bits &= 0xff;
	return bits;
}

uint32_t lower_immediate(struct lower *l, const struct ptx_operand *o, enum isa_type type)
{
	unsigned bytes = isa_type_bytes(type);
	uint64_t bits = lower_literal_bits(o, type);
	bool negative = o->kind == PTX_OP_INT && !o->is_unsigned && (int64_t)o->bits < 0;

	return lower_const_row(l, bits, negative ? UINT64_MAX : 0, bytes ? bytes : 4);
}
