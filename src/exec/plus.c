/* Instructions of PTXPlus: operands, memory, results. An instruction reads its sources from left to right, then finds the place of its result, and
 * changes nothing before all of that has succeeded. */
#include "exec/plus.h"

#include "exec/memory.h"
#include "exec/simt.h"
#include "exec/warp_sync.h"
#include "isa/opcodes.h"

#define INCREMENTS_MOST (ISA_PLUS_SOURCES + 1u)

/* An address register that an operand increases afterwards. */
struct increment {
	uint32_t ref;
	uint32_t value[LANES];
};

struct running {
	struct exec *x;
	const struct isa_insn *i;
	const struct isa_plus *plus;
	bool exact, observed;
	unsigned n_increments;
	struct increment increments[INCREMENTS_MOST];
	struct plus_values v;
};

/* ---- registers ---- */

static uint64_t half_of(uint64_t v, unsigned half) { return half == ISA_PLUS_WHOLE ? v : half == ISA_PLUS_LO ? v & 0xffff : v >> 16 & 0xffff; }

static void read_lanes(const struct exec *x, uint32_t ref, unsigned bytes, uint64_t v[LANES])
{
	const uint32_t *r32 = exec_src32(x, ref);
	const uint64_t *r64 = exec_src64(x, ref);
	for (unsigned l = 0; l < LANES; l++)
		v[l] = bytes == 8 ? r64[l] : bytes == 2 ? ((const uint16_t *)(const void *)r32)[l] : r32[l];
}

/* Returns how many rows of a group count. */
static unsigned rows_of(const struct exec *x, const struct isa_plus_operand *o) { return o->is_implied && x->launch->plus_exact ? 1 : o->n; }

void plus_read_row(const struct exec *x, const struct isa_plus_operand *o, uint64_t low[LANES], uint64_t high[LANES])
{
	memset(high, 0, LANES * sizeof *high);
	if (o->kind != ISA_PLUS_GROUP) {
		read_lanes(x, o->ref, o->bytes, low);
		for (unsigned l = 0; l < LANES; l++)
			low[l] = half_of(low[l], o->half);
		return;
	}
	uint64_t part[LANES];
	memset(low, 0, LANES * sizeof *low);
	for (unsigned k = 0; k < rows_of(x, o); k++) {
		const uint32_t ref = x->program->aux[o->ref + k];
		if (ref == ISA_REF_NONE)
			continue;
		read_lanes(x, ref, o->bytes, part);
		const unsigned bit = 8u * o->bytes * k;
		for (unsigned l = 0; l < LANES; l++)
			*(bit < 64 ? &low[l] : &high[l]) |= part[l] << bit % 64;
	}
}

/* Reads an address register, as operands further left have increased it. */
static void read_address_register(const struct running *r, uint32_t ref, unsigned half, uint32_t v[LANES])
{
	uint64_t row[LANES];
	read_lanes(r->x, ref, 4, row);
	for (unsigned l = 0; l < LANES; l++)
		v[l] = (uint32_t)row[l];
	for (unsigned k = 0; k < r->n_increments; k++)
		if (r->increments[k].ref == ref)
			memcpy(v, r->increments[k].value, sizeof r->increments[k].value);
	for (unsigned l = 0; l < LANES; l++)
		v[l] = (uint32_t)half_of(v[l], half);
}

/* ---- memory ---- */

static void find_addresses(struct running *r, const struct isa_plus_operand *o, uint64_t address[LANES])
{
	uint32_t base[LANES] = {0}, step[LANES];
	const uint32_t start = r->exact && o->space == ISA_SPACE_LOCAL ? 0 : o->base;
	if (o->ref != ISA_REF_NONE)
		read_address_register(r, o->ref, o->ref_half, base);
	if (o->other != ISA_REF_NONE)
		read_address_register(r, o->other, o->other_half, step);
	for (unsigned l = 0; l < LANES; l++) {
		step[l] = o->other != ISA_REF_NONE ? step[l] : o->imm;
		address[l] = (uint32_t)(base[l] + (o->is_post ? 0 : step[l]) + start);
	}
	if (!o->is_post || r->n_increments == INCREMENTS_MOST)
		return;
	struct increment *inc = &r->increments[r->n_increments++];
	inc->ref = o->ref;
	for (unsigned l = 0; l < LANES; l++)
		inc->value[l] = base[l] + step[l];
}

/* Locates an access of the lanes of x->mask. Returns false if the instruction stops in front of it. */
static bool locate(struct running *r, const struct isa_plus_operand *o, unsigned size, unsigned kinds, uint64_t offset[LANES])
{
	uint64_t address[LANES];
	find_addresses(r, o, address);
	return mem_resolve_given(r->x, r->i, &(struct mem_given_access){o->space, size, kinds, 1}, address, offset);
}

static void access_done(struct running *r)
{
	if (r->observed && r->x->after_is_due)
		effect_access_done(r->x);
}

/* Sign extension of what was read. 3.2.2 does not extend bytes. */
static uint64_t extend(const struct running *r, uint64_t v, unsigned type)
{
	const unsigned n = plus_bits(type);
	return plus_is_signed(type) && n < 64 && !(r->exact && n == 8) ? (uint64_t)plus_signed(v, n) : v;
}

static bool read_memory(struct running *r, const struct isa_plus_operand *o, unsigned type, uint64_t low[LANES], uint64_t high[LANES])
{
	uint64_t offset[LANES];
	const unsigned size = isa_type_bytes((enum isa_type)type);
	memset(low, 0, LANES * sizeof *low);
	memset(high, 0, LANES * sizeof *high);
	if (!locate(r, o, size, EXEC_READ, offset))
		return false;
	for (unsigned l = 0; l < LANES; l++) {
		uint64_t two[2] = {0, 0};
		memcpy(two, r->x->global + (int64_t)offset[l], size);
		low[l] = extend(r, two[0], type);
		high[l] = two[1];
	}
	access_done(r);
	return true;
}

static void write_memory(struct running *r, const uint64_t offset[LANES])
{
	const struct isa_plus_operand *o = &r->plus->dst;
	const unsigned size = isa_type_bytes((enum isa_type)r->i->type);
	bool changed = false;
	LANES_EACH (l, r->x->mask) {
		char *const p = r->x->global + (int64_t)offset[l];
		const uint64_t two[2] = {r->v.dst[l], r->v.high[l]};
		changed = changed || memcmp(p, two, size);
		memcpy(p, two, size);
	}
	r->x->n_stores += changed && o->space != ISA_SPACE_LOCAL;
}

/* ---- sources ---- */

/* Negates the low n bits, as a type's instruction does; the others stay. */
static uint64_t negated(uint64_t v, unsigned type)
{
	const uint64_t mask = plus_mask(plus_bits(type));
	if (isa_type_is_float((enum isa_type)type))
		return v ^ (UINT64_C(1) << (plus_bits(type) - 1));
	return (v & ~mask) | ((0 - v) & mask);
}

static uint64_t now(const struct exec *x)
{
	return (x->services.cycle ? x->services.cycle(x->services.self) : 0) + x->n_warp_insns + x->n_run;
}

/* Type by which a source is read from memory and negated. 3.2.2 reads 16 bits for the sum of mad.wide.u16. */
static unsigned type_of_source(const struct isa_insn *i, unsigned k, bool exact)
{
	switch (i->opcode) {
	case ISA_OP_CVT:
	case ISA_OP_SET:
	case ISA_OP_SETP: return i->type2;
	case ISA_OP_SLCT: return k == 2 ? i->type2 : i->type;
	case ISA_OP_MAD:
	case ISA_OP_MADP: return k == 2 && i->flags & ISA_F_WIDE && plus_bits(i->type) == 16 && !exact ? ISA_U32 : i->type;
	default: return i->type;
	}
}

static bool read_source(struct running *r, unsigned k)
{
	const struct isa_plus_operand *o = &r->plus->src[k];
	uint64_t *const low = r->v.src[k], high[LANES];
	const unsigned type = type_of_source(r->i, k, r->exact);
	switch (o->kind) {
	case ISA_PLUS_MEMORY:
		if (!read_memory(r, o, type, low, k ? high : r->v.high))
			return false;
		break;
	case ISA_PLUS_CLOCK:
		for (unsigned l = 0; l < LANES; l++)
			low[l] = (uint32_t)now(r->x);
		break;
	case ISA_PLUS_NONE:
	case ISA_PLUS_SINK: memset(low, 0, LANES * sizeof *low); break;
	default:
		plus_read_row(r->x, o, low, high);
		if (!k)
			memcpy(r->v.high, high, sizeof high);
	}
	for (unsigned l = 0; o->is_negated && l < LANES; l++)
		low[l] = negated(low[l], type);
	return true;
}

/* ---- results ---- */

void plus_update_guards(const struct isa_program *p, char *frame, uint32_t row, uint32_t guards)
{
	const uint32_t *words = &p->aux[guards], *flags = (const uint32_t *)(const void *)(frame + ISA_REF_OFFSET(row));
	uint32_t *const slots = (uint32_t *)(void *)frame;
	if (!guards)
		return;
	for (uint32_t k = 0; k < words[0]; k++) {
		const uint32_t truth = words[2 + 2 * k], at_zero = truth & 1;
		uint32_t differs = 0;
		for (unsigned l = 0; l < LANES; l++)
			differs |= ((truth >> (flags[l] & 15) & 1) ^ at_zero) << l;
		slots[words[1 + 2 * k]] = differs;
	}
}

static void write_row(struct exec *x, uint32_t ref, unsigned bytes, unsigned half, const uint64_t v[LANES])
{
	uint32_t *r32 = exec_dst32(x, ref);
	uint64_t *r64 = exec_dst64(x, ref);
	LANES_EACH (l, x->mask) {
		if (half != ISA_PLUS_WHOLE)
			((uint16_t *)(void *)r32)[2 * l + (half == ISA_PLUS_HI)] = (uint16_t)v[l];
		else if (bytes == 8)
			r64[l] = v[l];
		else
			r32[l] = (uint32_t)v[l];
	}
}

static void write_operand(const struct running *r, const struct isa_plus_operand *o, const uint64_t low[LANES], const uint64_t high[LANES])
{
	struct exec *const x = r->x;
	if (o->kind == ISA_PLUS_ROW) {
		write_row(x, o->ref, o->bytes, o->half, low);
		plus_update_guards(x->program, x->base[ISA_BASE_FRAME], o->ref, o->guards);
	}
	for (unsigned k = 0; o->kind == ISA_PLUS_GROUP && k < rows_of(x, o); k++) {
		uint64_t part[LANES];
		const uint32_t ref = x->program->aux[o->ref + k];
		const unsigned bit = 8u * o->bytes * k;
		for (unsigned l = 0; l < LANES; l++)
			part[l] = (bit < 64 ? low[l] : high[l]) >> bit % 64;
		if (ref != ISA_REF_NONE)
			write_row(x, ref, o->bytes, ISA_PLUS_WHOLE, part);
	}
}

static void write_results(const struct running *r)
{
	uint64_t flags[LANES];
	for (unsigned k = 0; k < r->n_increments; k++) {
		uint64_t v[LANES];
		for (unsigned l = 0; l < LANES; l++)
			v[l] = r->increments[k].value[l];
		write_row(r->x, r->increments[k].ref, 4, ISA_PLUS_WHOLE, v);
	}
	for (unsigned l = 0; l < LANES; l++)
		flags[l] = r->plus->is_flags ? r->v.flags[l] : r->v.second[l];
	write_operand(r, &r->plus->second, flags, flags);
	write_operand(r, &r->plus->dst, r->v.dst, r->v.high);
}

/* ---- the instruction ---- */

static bool is_predicate_row(const struct isa_plus_operand *o) { return o->kind == ISA_PLUS_ROW && o->guards != 0; }

/* Votes over the lanes that execute; the result is a predicate. */
static void vote(struct running *r)
{
	uint32_t holds = 0;
	for (unsigned l = 0; l < LANES; l++)
		holds |= (uint32_t)(!(r->v.src[0][l] & ISA_FLAG_ZERO) ^ r->plus->src[0].is_not) << l;
	const bool result = r->i->mode2 == 1 ? (holds & r->x->mask) == r->x->mask : (holds & r->x->mask) != 0;
	for (unsigned l = 0; l < LANES; l++) {
		r->v.dst[l] = r->v.flags[l] = result ? 0 : ISA_FLAG_ZERO;
		if (!is_predicate_row(&r->plus->dst))
			r->v.dst[l] = result;
	}
}

static bool compute(struct running *r)
{
	if (r->i->opcode != ISA_OP_VOTE)
		return plus_compute(r->x, r->i, r->exact, &r->v);
	vote(r);
	return true;
}

static void execute(struct exec *x, const struct isa_insn *i, bool observed)
{
	struct running r = {.x = x, .i = i, .plus = isa_plus_of(x->program, i), .exact = x->launch->plus_exact, .observed = observed};
	uint64_t offset[LANES];
	const bool stores = r.plus->dst.kind == ISA_PLUS_MEMORY;
	if (r.plus->exits && !warp_sync_may_exit(x))
		return;
	for (unsigned k = 0; k < r.plus->n_src; k++)
		if (!read_source(&r, k))
			return;
	if (!compute(&r)) {
		exec_h_UNSUPPORTED(x, i);
		return;
	}
	if (stores && !locate(&r, &r.plus->dst, isa_type_bytes((enum isa_type)i->type), EXEC_WRITE, offset))
		return;
	write_results(&r);
	if (stores) {
		write_memory(&r, offset);
		access_done(&r);
	}
	if (r.plus->exits)
		simt_exit(x, x->mask);
}

EXEC_HANDLER(plus) { execute(x, i, false); }
EXEC_OBSERVED(plus) { execute(x, i, true); }

bool plus_read_address(struct exec *x, const struct isa_insn *i, uint64_t address[LANES])
{
	struct running r = {.x = x, .i = i, .plus = isa_plus_of(x->program, i), .exact = x->launch->plus_exact, .observed = true};
	if (!read_source(&r, 0))
		return false;
	write_results(&r);
	memcpy(address, r.v.src[0], sizeof r.v.src[0]);
	return true;
}
