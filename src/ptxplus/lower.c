/* Lowers instructions of PTXPlus to the handler `plus`, and those that PTX has too to PTX's handlers. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "isa/opcodes.h"
#include "ptx/special_names.h"
#include "ptxplus/plus.h"

#define LOCAL_OPEN 16384u /* bytes of local memory that these machines have for a thread */

static struct plus_state *state_of(const struct lower *l) { return plus_state_of(l->m); }

/* ---- what a function needs ---- */

static uint32_t row_of(const struct ptx_symbol *s, uint32_t number)
{
	return lower_reg_ref(&(struct ptx_operand){.kind = PTX_OP_REG, .dim = PTX_NO_DIM, .number = number, .symbol = (struct ptx_symbol *)s});
}

uint16_t plus_guard_truth(const struct ptx_insn *in)
{
	const struct plus_insn *plus = plus_of(in);
	if (plus->condition != ISA_CONDITIONS)
		return isa_condition_info[plus->condition].truth;
	return in->guard_negated ? 0xaaaa : 0x5555;
}

static size_t find_guard(const struct plus_state *s, const struct ptx_insn *in)
{
	size_t k = 0;
	while (k < s->n_guards && (s->guards[k].symbol != in->guard || s->guards[k].number != in->guard_number || s->guards[k].truth != plus_guard_truth(in)))
		k++;
	return k;
}

uint32_t plus_slots(struct lower *l)
{
	struct plus_state *s = state_of(l);
	s->n_guards = 0;
	for (uint32_t k = 0; k < l->f->n_insns; k++) {
		const struct ptx_insn *in = &l->f->insns[k];
		if (!in->guard || find_guard(s, in) < s->n_guards)
			continue;
		if (s->n_guards == s->cap_guards) {
			const size_t cap = s->cap_guards ? 2 * s->cap_guards : 16;
			struct plus_guard *more = POOL_ARRAY(&l->m->pool, struct plus_guard, cap);
			if (s->n_guards)
				memcpy(more, s->guards, s->n_guards * sizeof *more);
			s->guards = more;
			s->cap_guards = cap;
		}
		s->guards[s->n_guards++] = (struct plus_guard){in->guard, in->guard_number, plus_guard_truth(in)};
	}
	return (uint32_t)s->n_guards;
}

/* Returns the row of the register named $r0 if the function uses it. */
static uint32_t row_of_r0(const struct lower *l)
{
	for (uint32_t s = 0; s < l->f->n_scopes; s++)
		for (uint32_t k = 0; k < l->f->scopes[s]->n_symbols; k++) {
			const struct ptx_symbol *sym = l->f->scopes[s]->symbols[k];
			const char *name = sym->count ? "$r" : "$r0";
			if (sym->kind == PTX_SYM_REG && sym->index && ptx_slice_is(sym->name, name))
				return sym->ref;
		}
	return ISA_REF_NONE;
}

static bool keeps_addresses(const struct lower *l)
{
	for (uint32_t k = 0; k < l->f->n_insns; k++)
		if (l->f->insns[k].opcode->opcode == ISA_OP_BREAKADDR || l->f->insns[k].opcode->opcode == ISA_OP_BREAK)
			return true;
	return false;
}

static void list_guards(struct lower *l, const struct plus_state *s)
{
	struct isa_plus_guard *v = POOL_ARRAY(&l->p->pool, struct isa_plus_guard, s->n_guards);
	for (size_t k = 0; k < s->n_guards; k++)
		v[k] = (struct isa_plus_guard){row_of(s->guards[k].symbol, s->guards[k].number), l->first_slot + (uint32_t)k, s->guards[k].truth};
	l->out->guards = v;
	l->out->n_guards = (uint32_t)s->n_guards;
}

void plus_begin(struct lower *l)
{
	struct plus_state *s = state_of(l);
	s->local_end = 0;
	s->local_is_open = false;
	s->breaks = 0;
	s->targets = NULL;
	l->out->has_plus = true;
	l->out->is_plus = l->out->is_kernel;
	list_guards(l, s);
	l->out->thread_index = l->m->is_plus ? row_of_r0(l) : ISA_REF_NONE;
	if (!keeps_addresses(l))
		return;
	s->breaks = l->out->frame_bytes;
	l->out->frame_bytes += (1 + ISA_PLUS_BREAKS) * isa_row_bytes(4);
}

void plus_placed(struct lower *l)
{
	for (const struct plus_constptr *c = state_of(l)->constptrs; c; c = c->next) {
		const struct lower_binding *b = lower_binding_of(l, c->pointer);
		c->pointer->address = c->array->address + c->offset;
		if (b && b->index != LINK_NONE)
			l->p->variables[b->index]->address = c->pointer->address;
	}
}

/* ---- operands as they are written ---- */

static void keep(struct lower *l, enum isa_operand_kind kind, enum isa_operand_role role, ptx_offset at, uint32_t n, uint32_t word)
{
	struct isa_program *p = l->p;
	size_t cap = p->cap_operands;
	const uint32_t offset = at - l->in->at;
	if (offset > UINT16_MAX || n > UINT8_MAX || l->n_operands == UINT16_MAX)
		return;
	p->operands = xgrow(p->operands, &cap, p->n_operands + 1, sizeof *p->operands);
	p->cap_operands = (uint32_t)cap;
	p->operands[p->n_operands++] =
		(struct isa_operand){.word = word, .at = (uint16_t)offset, .n = (uint8_t)n, .kind = (uint8_t)(kind & 15), .role = (uint8_t)(role & 15)};
	l->n_operands++;
}

static bool loads(const struct lower *l) { return l->insn.opcode == ISA_OP_MOV || isa_op_is_load(l->insn.opcode); }

static void keep_operand(struct lower *l, const struct plus_operand *o, enum isa_operand_role role)
{
	switch (o->kind) {
	case PLUS_REGISTER: {
		const uint32_t sign = o->is_negated || o->is_not;
		keep(l, ISA_OPERAND_REGISTER, role, o->at + sign, (o->second ? (uint32_t)(o->second->at - 1 - o->at) : o->n) - sign,
		     ISA_RW_ROW(row_of(o->symbol, o->number)));
		break;
	}
	case PLUS_SPECIAL: keep(l, ISA_OPERAND_SPECIAL, role, o->at, o->n, 0); break;
	case PLUS_INTEGER:
	case PLUS_FLOAT: keep(l, ISA_OPERAND_CONSTANT, role, o->at, o->n, 0); break;
	case PLUS_NAME:
	case PLUS_LABEL: keep(l, ISA_OPERAND_SYMBOL, role, o->at, o->n, 0); break;
	case PLUS_MEMORY:
	case PLUS_ADDRESS: /* what is not a plain load has another value than the memory */
		keep(l, loads(l) ? ISA_OPERAND_MEMORY : ISA_OPERAND_SYMBOL, role, o->at, o->n, 0);
		break;
	default: break;
	}
	for (uint32_t k = 0; k < o->n_elems; k++)
		keep_operand(l, &o->elems[k], role);
	if (o->second)
		keep_operand(l, o->second, role);
}

static void keep_operands(struct lower *l, const struct plus_insn *in, unsigned results)
{
	l->first_operand = l->p->n_operands;
	l->n_operands = 0;
	for (unsigned k = 0; k < in->n; k++)
		keep_operand(l, &in->operands[k], k < results ? ISA_ROLE_RESULT : ISA_ROLE_SOURCE);
}

/* ---- operands ---- */

static uint32_t read_register(struct lower *l, const struct ptx_symbol *s, uint32_t number)
{
	const uint32_t ref = row_of(s, number);
	lower_push(&l->reads, ISA_RW_ROW(ref));
	return ref;
}

static struct isa_plus_operand constant(struct lower *l, uint64_t bits, enum isa_type type)
{
	const uint8_t bytes = isa_type_bytes(type) == 8 ? 8 : 4;
	return (struct isa_plus_operand){.kind = ISA_PLUS_ROW, .bytes = bytes, .ref = lower_const_row(l, bits, 0, bytes), .other = ISA_REF_NONE};
}

static uint64_t float_bits(const struct plus_operand *o, enum isa_type type)
{
	return lower_literal_bits(&(struct ptx_operand){.kind = PTX_OP_FLOAT, .is_f32 = o->is_f32, .bits = o->bits}, type);
}

/* Returns how far a label lies behind its function's start. */
static uint32_t label_offset(const struct lower *l, const struct ptx_symbol *s)
{
	struct plus_state *state = state_of(l);
	const uint32_t n = l->f->n_insns;
	if (state->offsets_of != l->f) {
		state->offsets = POOL_ARRAY(&l->m->pool, uint32_t, n + 1);
		state->offsets[0] = 0;
		for (uint32_t k = 0; k < n; k++)
			state->offsets[k + 1] = state->offsets[k] + (plus_of(&l->f->insns[k])->is_half ? 4 : 8);
		state->offsets_of = l->f;
	}
	return s ? state->offsets[s->label_at < n ? s->label_at : n] : 0;
}

static struct isa_plus_operand special(struct lower *l, const struct plus_operand *o)
{
	struct isa_plus_operand out = {.kind = ISA_PLUS_ROW, .bytes = 4, .other = ISA_REF_NONE};
	out.ref = lower_special_ref(&(struct ptx_operand){.kind = PTX_OP_SPECIAL, .dim = o->dim, .special = o->special});
	if (!strcmp(o->special->name, "%clock"))
		return (struct isa_plus_operand){.kind = ISA_PLUS_CLOCK, .other = ISA_REF_NONE};
	if (out.ref == ISA_REF_NONE) {
		lower_unsupported(l);
		return constant(l, 0, ISA_U32);
	}
	return out;
}

static void note_local(struct lower *l, const struct isa_plus_operand *o, enum isa_type type)
{
	struct plus_state *s = state_of(l);
	const uint64_t end = (uint64_t)o->base + o->imm + isa_type_bytes(type);
	if (o->space != ISA_SPACE_LOCAL)
		return;
	if (o->ref != ISA_REF_NONE)
		s->local_is_open = true;
	else if (end > s->local_end && end <= LOCAL_OPEN)
		s->local_end = (uint32_t)end;
}

static struct isa_plus_operand memory(struct lower *l, const struct plus_operand *o, enum isa_type type, unsigned space)
{
	const struct plus_address *a = &o->address;
	struct isa_plus_operand out = {.kind = ISA_PLUS_MEMORY,
				       .ref = ISA_REF_NONE,
				       .other = ISA_REF_NONE,
				       .imm = a->imm,
				       .space = (uint8_t)space,
				       .ref_half = a->half,
				       .other_half = a->other_half,
				       .is_post = a->is_post,
				       .is_negated = o->is_negated};
	if (a->reg)
		out.ref = read_register(l, a->reg, a->number);
	if (a->other)
		out.other = read_register(l, a->other, a->other_number);
	if (a->is_post)
		lower_push(&l->writes, ISA_RW_ROW(out.ref));
	if (o->symbol)
		out.base = (uint32_t)lower_symbol_place(l, o->symbol, 0).address;
	note_local(l, &out, type);
	return out;
}

static struct isa_plus_operand group(struct lower *l, const struct plus_operand *o, enum isa_type type, bool writes)
{
	uint32_t refs[8];
	for (uint32_t k = 0; k < o->n_elems; k++) {
		const struct plus_operand *e = &o->elems[k];
		refs[k] = e->kind == PLUS_REGISTER ? row_of(e->symbol, e->number) : e->kind == PLUS_INTEGER && !writes ? constant(l, e->bits, ISA_U32).ref : ISA_REF_NONE;
		if (e->kind == PLUS_REGISTER)
			lower_push(writes ? &l->writes : &l->reads, ISA_RW_ROW(refs[k]));
	}
	const unsigned each = isa_type_bytes(type) / (o->n_elems ? o->n_elems : 1);
	if (each != 4 && each != 8 && each != 2)
		lower_unsupported(l);
	return (struct isa_plus_operand){.kind = ISA_PLUS_GROUP,
					 .ref = lower_aux(l, refs, o->n_elems),
					 .other = ISA_REF_NONE,
					 .n = (uint8_t)o->n_elems,
					 .bytes = (uint8_t)each,
					 .is_negated = o->is_negated};
}

/* A 64-bit value in one 32-bit register is the register and the next one. */
static bool stands_for_two(const struct plus_operand *o, enum isa_type type)
{
	return isa_type_bytes(type) == 8 && !o->half && isa_type_bytes((enum isa_type)o->symbol->type) == 4 && o->symbol->type != ISA_FLAGS &&
	       o->number + 1 < o->symbol->count;
}

static struct isa_plus_operand pair_of(struct lower *l, const struct plus_operand *o, bool writes)
{
	const uint32_t refs[2] = {row_of(o->symbol, o->number), row_of(o->symbol, o->number + 1)};
	for (unsigned k = 0; k < 2; k++)
		lower_push(writes ? &l->writes : &l->reads, ISA_RW_ROW(refs[k]));
	return (struct isa_plus_operand){.kind = ISA_PLUS_GROUP,
					 .ref = lower_aux(l, refs, 2),
					 .other = ISA_REF_NONE,
					 .n = 2,
					 .bytes = 4,
					 .is_implied = true,
					 .is_negated = o->is_negated};
}

static struct isa_plus_operand a_register(const struct plus_operand *o)
{
	return (struct isa_plus_operand){.kind = ISA_PLUS_ROW,
					 .ref = row_of(o->symbol, o->number),
					 .other = ISA_REF_NONE,
					 .half = o->half,
					 .bytes = (uint8_t)isa_type_bytes((enum isa_type)o->symbol->type),
					 .is_negated = o->is_negated,
					 .is_not = o->is_not};
}

struct isa_plus_operand plus_source(struct lower *l, const struct plus_operand *o, enum isa_type type)
{
	switch (o->kind) {
	case PLUS_REGISTER:
		if (stands_for_two(o, type))
			return pair_of(l, o, false);
		lower_push(&l->reads, ISA_RW_ROW(row_of(o->symbol, o->number)));
		return a_register(o);
	case PLUS_SPECIAL: return special(l, o);
	case PLUS_INTEGER: return constant(l, o->bits, type);
	case PLUS_FLOAT: {
		struct isa_plus_operand out = constant(l, float_bits(o, type), type);
		out.is_negated = o->is_negated;
		return out;
	}
	case PLUS_NAME: return constant(l, lower_symbol_place(l, o->symbol, 0).address, ISA_U32);
	case PLUS_LABEL: return constant(l, label_offset(l, o->symbol), ISA_U32);
	case PLUS_GROUP: return group(l, o, type, false);
	case PLUS_MEMORY: return memory(l, o, type, o->space);
	case PLUS_ADDRESS: return memory(l, o, type, l->insn.space);
	default: return (struct isa_plus_operand){.kind = ISA_PLUS_SINK, .ref = ISA_REF_NONE, .other = ISA_REF_NONE};
	}
}

/* Returns the list of guards that look at a predicate (isa_plus_operand.guards). */
static uint32_t guards_of(struct lower *l, const struct plus_operand *o)
{
	const struct plus_state *s = state_of(l);
	uint32_t *words = xmalloc((2 * s->n_guards + 1) * sizeof *words), n = 0;
	for (size_t k = 0; k < s->n_guards; k++)
		if (s->guards[k].symbol == o->symbol && s->guards[k].number == o->number) {
			words[1 + 2 * n] = l->first_slot + (uint32_t)k;
			words[2 + 2 * n++] = s->guards[k].truth;
		}
	words[0] = n;
	const uint32_t at = lower_aux(l, words, 2 * n + 1);
	free(words);
	return at;
}

static struct isa_plus_operand destination(struct lower *l, const struct plus_operand *o, enum isa_type type)
{
	struct isa_plus_operand out;
	switch (o->kind) {
	case PLUS_REGISTER:
		if (stands_for_two(o, type))
			return pair_of(l, o, true);
		out = a_register(o);
		out.guards = o->symbol->type == ISA_FLAGS ? guards_of(l, o) : 0;
		lower_push(&l->writes, ISA_RW_ROW(out.ref));
		return out;
	case PLUS_GROUP: return group(l, o, type, true);
	case PLUS_MEMORY: return memory(l, o, type, o->space);
	case PLUS_ADDRESS: return memory(l, o, type, l->insn.space);
	default: return (struct isa_plus_operand){.kind = ISA_PLUS_SINK, .ref = ISA_REF_NONE, .other = ISA_REF_NONE};
	}
}

/* ---- instructions ---- */

static void lower_results(struct lower *l, const struct plus_insn *in, struct isa_plus *out)
{
	const struct plus_operand *d = &in->operands[0];
	const bool compares = in->opcode.opcode == ISA_OP_SET || in->opcode.opcode == ISA_OP_SETP;
	const enum isa_type type = (enum isa_type)l->insn.type;
	struct plus_operand first = *d;
	first.second = NULL;
	if (!d->joint) {
		out->dst = destination(l, &first, type);
		return;
	}
	if (compares && d->joint == '|') {
		out->dst = destination(l, &first, type);
		out->second = destination(l, d->second, type);
		return;
	}
	out->is_flags = true;
	out->second = destination(l, &first, ISA_FLAGS);
	out->dst = destination(l, d->second, type);
}

static enum isa_type source_type(const struct plus_insn *in, unsigned k)
{
	const enum isa_type t = (enum isa_type)in->opcode.types[0], second = (enum isa_type)in->opcode.types[1];
	switch (in->opcode.opcode) {
	case ISA_OP_CVT:
	case ISA_OP_SET: return k < 2 ? second : ISA_FLAGS;
	case ISA_OP_SETP: return k == 2 ? ISA_FLAGS : t;
	case ISA_OP_SLCT: return k == 2 ? second : t;
	case ISA_OP_SELP:
	case ISA_OP_ADDP: return k == 2 ? ISA_FLAGS : t;
	case ISA_OP_MADP: return k == 3 ? ISA_FLAGS : t;
	case ISA_OP_MAD:
		return k == 2 && in->opcode.flags & ISA_F_WIDE && isa_type_bytes(t) == 2 ? ISA_B32 : t;
	case ISA_OP_SHL:
	case ISA_OP_SHR: return k == 1 ? ISA_U32 : t;
	default: return t;
	}
}

/* The fields by which other layers know what a mov or an access does: its space, its address. */
static void describe_access(struct lower *l, const struct isa_plus *plus)
{
	const struct isa_plus_operand *m = plus->dst.kind == ISA_PLUS_MEMORY ? &plus->dst : plus->n_src && plus->src[0].kind == ISA_PLUS_MEMORY ? &plus->src[0] : NULL;
	const unsigned op = l->insn.opcode;
	if (!m || (op != ISA_OP_MOV && op != ISA_OP_LD && op != ISA_OP_LDU && op != ISA_OP_ST))
		return;
	l->insn.space = m->space;
	l->insn.mode = m == &plus->dst ? ISA_PLUS_STORES : ISA_PLUS_LOADS;
	l->insn.a_bytes = 4;
	l->insn.imm = (int64_t)((uint64_t)m->base + (m->is_post ? 0 : m->imm));
}

static void put(struct lower *l, const struct isa_plus *plus, uint32_t *at)
{
	uint32_t words[ISA_PLUS_WORDS];
	memcpy(words, plus, sizeof words);
	*at = lower_aux(l, words, ISA_PLUS_WORDS);
}

static void lower_operands(struct lower *l, const struct plus_insn *in)
{
	struct isa_plus plus = {.exits = in->exits, .is_pair_type = in->is_pair_type};
	unsigned results = in->opcode.opcode == ISA_OP_BRX ? 0 : 1;
	plus.second.kind = plus.dst.kind = ISA_PLUS_NONE;
	keep_operands(l, in, in->opcode.opcode == ISA_OP_ST ? 0 : results);
	for (unsigned k = results; k < in->n && k - results < ISA_PLUS_SOURCES; k++)
		plus.src[plus.n_src++] = plus_source(l, &in->operands[k], source_type(in, k - results));
	if (results)
		lower_results(l, in, &plus);
	l->insn.handler = ISA_H_plus;
	put(l, &plus, &l->insn.aux);
	describe_access(l, &plus);
}

static bool is_unsupported(unsigned op)
{
	switch (op) {
	case ISA_OP_ADDC:
	case ISA_OP_SUBC: return true;
	default: return false;
	}
}

static void begin_insn(struct lower *l, const struct ptx_insn *in)
{
	const struct ptx_opcode *op = in->opcode;
	l->in = in;
	l->unsupported = false;
	l->first_operand = l->p->n_operands;
	l->n_operands = l->n_results = 0;
	l->insn = (struct isa_insn){.handler = ISA_H_UNSUPPORTED,
				    .opcode = op->opcode,
				    .guard = ISA_PRED_TRUE,
				    .dst = ISA_REF_NONE,
				    .dst2 = ISA_REF_NONE,
				    .a = ISA_REF_NONE,
				    .b = ISA_REF_NONE,
				    .c = ISA_REF_NONE,
				    .d = ISA_REF_NONE,
				    .flags = (uint16_t)op->flags,
				    .type = op->types[0],
				    .type2 = op->types[1],
				    .vec = 1,
				    .space = op->space,
				    .rnd = op->rnd,
				    .cmp = op->cmp,
				    .boolop = op->boolop,
				    .mode2 = op->mode,
				    .is_half = plus_of(in)->is_half};
	if (op->opcode == ISA_OP_SETP)
		l->insn.type2 = op->types[0];
	if (op->opcode == ISA_OP_VOTE)
		l->insn.type = ISA_FLAGS;
	if (!in->guard)
		return;
	lower_push(&l->reads, ISA_RW_ROW(row_of(in->guard, in->guard_number)));
	l->insn.guard = (l->first_slot + (uint32_t)find_guard(state_of(l), in)) | (plus_guard_truth(in) & 1 ? ISA_PRED_NOT : 0);
}

static void lower_as_ptx(struct lower *l, const struct ptx_insn *in, const struct ptx_insn *plain)
{
	struct ptx_insn copy = *plain, *kept = POOL_NEW(&l->m->pool, struct ptx_insn);
	copy.at = in->at;
	copy.end = in->end;
	copy.line = in->line;
	copy.loc = in->loc;
	*kept = copy;
	lower_plain(l, kept);
	l->insn.is_half = plus_of(in)->is_half;
	if (l->insn.space != ISA_SPACE_LOCAL || !isa_op_accesses_memory(l->insn.opcode))
		return;
	note_local(l,
		   &(struct isa_plus_operand){.space = ISA_SPACE_LOCAL, .ref = l->insn.a, .imm = (uint32_t)l->insn.imm + 16},
		   (enum isa_type)l->insn.type);
}

void plus_lower(struct lower *l, const struct ptx_insn *in)
{
	const struct plus_insn *plus = plus_of(in);
	begin_insn(l, in);
	if (plus->plain) {
		lower_as_ptx(l, in, plus->plain);
		return;
	}
	if (plus_lower_flow(l, in) || is_unsupported(l->insn.opcode))
		return;
	if (!plus->n || !plus->opcode.n_types) {
		if (l->insn.opcode != ISA_OP_VOTE)
			return;
	}
	lower_operands(l, plus);
	if (l->unsupported)
		l->insn.handler = ISA_H_UNSUPPORTED;
}

void plus_end(struct lower *l)
{
	const struct plus_state *s = state_of(l);
	struct isa_insn *last = &l->p->insns[l->out->end - 1];
	if (last->handler == ISA_H_ret)
		last->handler = ISA_H_plus_ret;
	if (s->local_end > l->out->local_bytes)
		l->out->local_bytes = s->local_end;
	if (s->local_is_open && l->out->local_bytes < LOCAL_OPEN)
		l->out->local_bytes = LOCAL_OPEN;
	plus_resolve_flow(l);
}
