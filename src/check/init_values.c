/* What becomes of bits that aren't initialised in instructions on registers: bit by bit where a bit of the result depends on one of each operand, to
 * the left in sums and products, in conversions of integers as these go, else in all of the result. */
#include <string.h>

#include "check/init.h"
#include "exec/shuffle.h"
#include "isa/handlers.h"
#include "isa/opcodes.h"

struct step {
	struct init *in;
	const struct exec *x;
	const struct isa_insn *i;
	const struct init_frame *f;
	unsigned lane;
};

static uint64_t bits_of(const struct step *s, uint32_t ref)
{
	uint64_t b[2] = {0, 0};
	if (ref != ISA_REF_NONE && ISA_REF_BASE(ref) == ISA_BASE_FRAME)
		init_row_get(s->f, ref, s->lane, b);
	return b[0];
}

static uint64_t value_of(const struct step *s, uint32_t ref, unsigned bytes)
{
	uint64_t v = 0;
	if (ref != ISA_REF_NONE)
		memcpy(&v, s->x->base[ISA_REF_BASE(ref)] + ISA_REF_OFFSET(ref) + (size_t)bytes * s->lane, bytes);
	return v;
}

static uint64_t pred_bits(const struct step *s, uint32_t p) { return s->f->undefined[ISA_PRED_SLOT(p)] >> s->lane & 1; }
static uint64_t pred_value(const struct step *s, uint32_t p)
{
	return (s->x->preds[ISA_PRED_SLOT(p)] >> s->lane & 1) ^ p >> 31;
}

/* Of anything that it reads, its guard too. */
static bool reads_undefined(const struct step *s)
{
	const struct isa_program *p = s->x->program;
	const struct isa_where *w = &p->where[s->x->pc];
	for (uint32_t k = 0; k < w->n_reads; k++) {
		const uint32_t word = p->rw[w->rw + w->n_writes + k];
		uint64_t b[2];
		if (ISA_RW_IS_PRED(word)) {
			if (pred_bits(s, ISA_RW_PRED_SLOT(word)))
				return true;
			continue;
		}
		init_row_get(s->f, word, s->lane, b);
		if (b[0] | b[1])
			return true;
	}
	return false;
}

static uint64_t leftwards(uint64_t b) { return b | (0 - b); }

/* A bitwise function of three values by its table: a bit is undefined if some choice of the undefined inputs changes it. */
static uint64_t table_value(unsigned table, uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t r = 0;
	for (unsigned k = 0; k < 8; k++)
		if (table >> k & 1)
			r |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
	return r;
}

static uint64_t table_bits(unsigned table, const uint64_t v[3], const uint64_t u[3])
{
	const uint64_t is = table_value(table, v[0], v[1], v[2]);
	uint64_t r = 0;
	for (unsigned k = 1; k < 8; k++)
		r |= is ^ table_value(table, v[0] ^ (k & 4 ? u[0] : 0), v[1] ^ (k & 2 ? u[1] : 0),
				      v[2] ^ (k & 1 ? u[2] : 0));
	return r;
}

static bool logic(const struct step *s, unsigned table, unsigned bytes, uint64_t *out)
{
	const struct isa_insn *i = s->i;
	const bool preds = i->type == ISA_PRED;
	const uint32_t refs[3] = {i->a, i->b, i->c};
	uint64_t v[3] = {0}, u[3] = {0};
	const unsigned n = i->opcode == ISA_OP_LOP3 ? 3 : i->opcode == ISA_OP_NOT ? 1 : 2;
	for (unsigned k = 0; k < n; k++) {
		v[k] = preds ? pred_value(s, refs[k]) : value_of(s, refs[k], bytes);
		u[k] = preds ? pred_bits(s, refs[k]) : bits_of(s, refs[k]);
	}
	*out = table_bits(table, v, u);
	return true;
}

static bool shift(const struct step *s, unsigned bytes, uint64_t *out)
{
	const uint64_t u = bits_of(s, s->i->a), n = value_of(s, s->i->b, 4);
	if (bits_of(s, s->i->b))
		return false;
	if (s->i->opcode == ISA_OP_SHL) {
		*out = n < 8 * bytes ? u << n : 0;
		return true;
	}
	const bool sign = s->i->type == ISA_S16 || s->i->type == ISA_S32 || s->i->type == ISA_S64;
	const bool top = sign && u >> (8 * bytes - 1) & 1;
	const uint64_t wide = top && bytes < 8 ? u | UINT64_MAX << (8 * bytes - 1) : u;
	*out = n >= 8 * bytes ? (top ? UINT64_MAX : 0) : top ? (uint64_t)((int64_t)wide >> n) : u >> n;
	return true;
}

static bool is_integer(enum isa_type t)
{
	const uint8_t class = isa_type_info[t].cls;
	return class == ISA_CLASS_BITS || class == ISA_CLASS_UNSIGNED || class == ISA_CLASS_SIGNED;
}

static bool convert(const struct step *s, uint64_t *out)
{
	const struct isa_insn *i = s->i;
	if (!is_integer((enum isa_type)i->type) || !is_integer((enum isa_type)i->type2) || i->flags & ISA_F_SAT)
		return false;
	const unsigned from = isa_type_bytes((enum isa_type)i->type2), to = isa_type_bytes((enum isa_type)i->type);
	const bool from_sign = i->type2 == ISA_S8 || i->type2 == ISA_S16 || i->type2 == ISA_S32;
	uint64_t u = bits_of(s, i->a);
	if (from < 8)
		u &= (UINT64_C(1) << 8 * from) - 1;
	if (from_sign && u >> (8 * from - 1))
		u |= UINT64_MAX << (8 * from - 1);
	if (to < 8)
		u &= (UINT64_C(1) << 8 * to) - 1;
	*out = u;
	return true;
}

static bool select_side(const struct step *s, unsigned bytes, uint64_t *out)
{
	const struct isa_insn *i = s->i;
	const uint64_t a = bits_of(s, i->a), b = bits_of(s, i->b);
	if (pred_bits(s, i->c))
		*out = a | b | (value_of(s, i->a, bytes) ^ value_of(s, i->b, bytes));
	else
		*out = pred_value(s, i->c) ? a : b;
	return true;
}

/* Equal or not is known if bits that are known differ. */
static bool compare(const struct step *s, unsigned bytes, uint64_t *out)
{
	const struct isa_insn *i = s->i;
	const uint64_t u = bits_of(s, i->a) | bits_of(s, i->b);
	if (i->boolop || !is_integer((enum isa_type)i->type) || (i->cmp != ISA_CMP_EQ && i->cmp != ISA_CMP_NE))
		return false;
	*out = u && !((value_of(s, i->a, bytes) ^ value_of(s, i->b, bytes)) & ~u);
	return true;
}

/* Returns the lane that a shuffle takes its value from. */
static unsigned shuffle_source(const struct step *s)
{
	bool in_range;
	return exec_shuffle_source(s->i->handler, s->lane, (uint32_t)value_of(s, s->i->b, 4), (uint32_t)value_of(s, s->i->c, 4), s->x->warp_threads, &in_range);
}

/* Returns true if the lane takes part in the shuffle that s->lane executes: it has not exited, and the mask names it. */
static bool takes_part(const struct step *s, unsigned lane)
{
	const struct exec_warp *w = s->x->warp;
	const uint32_t named = s->i->d == ISA_REF_NONE ? s->x->mask : (uint32_t)value_of(s, s->i->d, 4);
	return lane == s->lane || (named & w->lanes & ~w->exited) >> lane & 1;
}

static bool shuffle(const struct step *s, uint64_t *out)
{
	if (bits_of(s, s->i->b) || bits_of(s, s->i->c))
		return false;
	struct step from = *s;
	from.lane = shuffle_source(s);
	*out = takes_part(s, from.lane) ? bits_of(&from, s->i->a) : UINT32_MAX;
	return true;
}

bool init_shuffle_absent(struct init *in, const struct exec *x, const struct isa_insn *i, unsigned *lane, unsigned *source)
{
	LANES_EACH (l, in->mask) {
		const struct step s = {in, x, i, &in->frame, l};
		*lane = l;
		*source = shuffle_source(&s);
		if (!takes_part(&s, *source))
			return true;
	}
	return false;
}

static bool permute(const struct step *s, uint64_t *out)
{
	const struct isa_insn *i = s->i;
	const uint64_t u = bits_of(s, i->a) | bits_of(s, i->b) << 32, selector = value_of(s, i->c, 4);
	if (bits_of(s, i->c) || i->handler != ISA_H_prmt_b32)
		return false;
	*out = 0;
	for (unsigned k = 0; k < 4; k++) {
		const unsigned n = selector >> 4 * k & 15;
		uint64_t byte = u >> 8 * (n & 7) & 0xff;
		if (n & 8)
			byte = byte >> 7 ? 0xff : 0;
		*out |= byte << 8 * k;
	}
	return true;
}

/* Bits of the (first) result that aren't initialised; false: nothing better is known than that they depend on all it reads. */
static bool precise(const struct step *s, uint64_t *out)
{
	const struct isa_insn *i = s->i;
	const unsigned type_bytes = isa_type_bytes((enum isa_type)i->type), bytes = type_bytes < 2 ? 2 : type_bytes;
	const bool integer = is_integer((enum isa_type)i->type);
	if (i->guard != ISA_PRED_TRUE && pred_bits(s, i->guard))
		return false;
	switch (i->opcode) {
	case ISA_OP_AND: return logic(s, 0xc0, bytes, out);
	case ISA_OP_OR: return logic(s, 0xfc, bytes, out);
	case ISA_OP_XOR: return logic(s, 0x3c, bytes, out);
	case ISA_OP_NOT: return logic(s, 0x0f, bytes, out);
	case ISA_OP_LOP3: return i->handler == ISA_H_lop3_b32 && logic(s, (unsigned)i->imm & 0xff, bytes, out);
	case ISA_OP_SHL:
	case ISA_OP_SHR: return shift(s, bytes, out);
	case ISA_OP_CVT: return convert(s, out);
	case ISA_OP_SELP: return select_side(s, bytes, out);
	case ISA_OP_SETP: return compare(s, bytes, out);
	case ISA_OP_SHFL: return shuffle(s, out);
	case ISA_OP_PRMT: return permute(s, out);
	case ISA_OP_ADD:
	case ISA_OP_SUB:
	case ISA_OP_NEG:
	case ISA_OP_CVTA:
	case ISA_OP_MUL:
	case ISA_OP_MAD:
		if ((!integer && i->opcode != ISA_OP_CVTA) || i->flags & (ISA_F_HI | ISA_F_SAT))
			return false;
		*out = leftwards(bits_of(s, i->a) | bits_of(s, i->b) | bits_of(s, i->c));
		return true;
	default: return false;
	}
}

/* mov: a copy, the elements of a vector put together, or taken apart. */
static bool move(const struct step *s, struct init *in)
{
	const struct isa_insn *i = s->i;
	const uint32_t *aux = &s->x->program->aux[i->aux];
	const unsigned bytes = i->vec ? isa_type_bytes((enum isa_type)i->type) / i->vec : 0;
	uint64_t whole[2] = {0, 0};
	if (i->opcode != ISA_OP_MOV || (i->guard != ISA_PRED_TRUE && pred_bits(s, i->guard)))
		return false;
	if (i->handler == ISA_H_mov_pred) {
		in->out[0].bits[s->lane][0] = pred_bits(s, i->a);
	} else if (i->handler == ISA_H_mov_pack) {
		for (unsigned k = 0; k < i->vec; k++) {
			const uint64_t b =
				bits_of(s, aux[k]) & (bytes < 8 ? (UINT64_C(1) << 8 * bytes) - 1 : UINT64_MAX);
			whole[k * bytes / 8] |= b << 8 * (k * bytes % 8);
		}
		memcpy(in->out[0].bits[s->lane], whole, sizeof whole);
	} else if (i->handler == ISA_H_mov_unpack) {
		if (ISA_REF_BASE(i->a) == ISA_BASE_FRAME)
			init_row_get(s->f, i->a, s->lane, whole);
		for (uint32_t n = 0; n < in->n_out; n++)
			for (unsigned k = 0; k < i->vec; k++)
				if (aux[k] == in->out[n].word)
					in->out[n].bits[s->lane][0] = whole[k * bytes / 8] >> 8 * (k * bytes % 8);
	} else if (i->a != ISA_REF_NONE && ISA_REF_BASE(i->a) == ISA_BASE_FRAME) {
		init_row_get(s->f, i->a, s->lane, in->out[0].bits[s->lane]);
	}
	return true;
}

void init_compute(struct init *in, const struct exec *x, const struct isa_insn *i, const struct init_frame *f)
{
	LANES_EACH (l, in->mask) {
		const struct step s = {in, x, i, f, l};
		uint64_t bits = 0;
		if (move(&s, in))
			continue;
		const bool known = precise(&s, &bits), any = !known && reads_undefined(&s);
		for (uint32_t k = 0; k < in->n_out; k++) {
			const bool in_range = i->opcode == ISA_OP_SHFL && ISA_RW_IS_PRED(in->out[k].word);
			in->out[k].bits[l][0] = known ? (in_range ? 0 : bits) : any ? UINT64_MAX : 0;
			in->out[k].bits[l][1] = any ? UINT64_MAX : 0;
		}
	}
	/* lanes that only together have a result */
	if (i->opcode != ISA_OP_VOTE && i->opcode != ISA_OP_MATCH && i->opcode != ISA_OP_REDUX)
		return;
	uint64_t any = 0;
	LANES_EACH (l, in->mask)
		any |= in->out[0].bits[l][0];
	for (uint32_t k = 0; any && k < in->n_out; k++)
		LANES_EACH (l, in->mask)
			in->out[k].bits[l][0] = UINT64_MAX;
}
