/* Operands: rows and predicate slots of what an instruction names, and the list of registers it reads and writes. */
#include <string.h>

#include "isa/special.h"
#include "ptx/lower.h"
#include "ptx/special_names.h"

static void note_write(struct lower *l, uint32_t ref)
{
	if (ISA_REF_BASE(ref) == ISA_BASE_FRAME && ref != l->sink)
		lower_push(&l->writes, ISA_RW_ROW(ref));
}

static void note_read(struct lower *l, uint32_t ref)
{
	if (ISA_REF_BASE(ref) == ISA_BASE_FRAME && !lower_is_temp(l, ref))
		lower_push(&l->reads, ISA_RW_ROW(ref));
}

/* ---- registers ---- */

static bool is_reg(const struct ptx_operand *o)
{
	return o->kind == PTX_OP_REG && o->symbol && o->symbol->kind == PTX_SYM_REG;
}

uint32_t lower_reg_ref(const struct ptx_operand *o)
{
	const struct ptx_symbol *s = o->symbol;
	uint32_t number = o->number < s->index ? o->number : 0;

	if (s->type == ISA_PRED)
		return s->ref + number;
	if (s->vec > 1)
		number = number * s->vec + (o->dim < s->vec ? o->dim : 0);
	return s->ref + number * isa_row_bytes(isa_type_bytes((enum isa_type)s->type));
}

uint32_t lower_reg_bytes(const struct ptx_operand *o)
{
	if (is_reg(o))
		return isa_type_bytes((enum isa_type)o->symbol->type);
	if (o->kind == PTX_OP_SPECIAL && o->special)
		return isa_type_bytes((enum isa_type)o->special->type);
	return 0;
}

uint32_t lower_special_ref(const struct ptx_operand *o)
{
	const char *name = o->special->name;
	uint32_t dim = o->dim == PTX_NO_DIM ? 0 : o->dim;

	for (unsigned k = 0; k < ISA_SPECIAL_COUNT; k++) {
		const struct isa_special_info *s = &isa_special_info[k];
		if (!strcmp(s->name, name))
			return dim < s->dims ? ISA_REF(ISA_BASE_SPECIAL, 128u * (s->row + dim))
					     : ISA_SPECIAL_REF(ZERO, 0);
	}
	if (!strncmp(name, "%envreg", 7) || !strncmp(name, "%reserved_smem", 14) ||
	    !strcmp(name, "%current_graph_exec"))
		return ISA_SPECIAL_REF(ZERO, 0);
	return ISA_REF_NONE;
}

/* A special register as an ordinary source: its row holds 32 bits. */
static uint32_t special_source(struct lower *l, const struct ptx_operand *o, enum isa_type type)
{
	uint32_t ref = o->special ? lower_special_ref(o) : ISA_REF_NONE;

	if (ref != ISA_REF_NONE && isa_type_bytes(type) == 4)
		return ref;
	lower_unsupported(l);
	return lower_const_row(l, 0, 0, isa_type_bytes(type));
}

static uint32_t address_row(struct lower *l, const struct ptx_operand *o, unsigned bytes)
{
	struct lower_place p = lower_symbol_place(l, o->symbol, o->bits);

	if (p.kind == LOWER_PLACE_FIXED)
		return lower_const_row(l, p.address, 0, bytes);
	if (p.kind == LOWER_PLACE_LINK)
		return lower_const_symbol(l, p.link, (int64_t)p.address, false, bytes);
	lower_unsupported(l);
	return lower_const_row(l, 0, 0, bytes);
}

uint32_t lower_source(struct lower *l, const struct ptx_operand *o, enum isa_type type)
{
	uint32_t ref;

	if (type == ISA_PRED)
		return lower_pred_source(l, o);
	switch (o->kind) {
	case PTX_OP_REG:
		if (!is_reg(o) || o->symbol->type == ISA_PRED)
			break;
		ref = lower_reg_ref(o);
		note_read(l, ref);
		return ref;
	case PTX_OP_INT:
	case PTX_OP_FLOAT: return lower_immediate(l, o, type);
	case PTX_OP_SPECIAL: return special_source(l, o, type);
	case PTX_OP_SYMBOL:
		if (o->symbol)
			return address_row(l, o, isa_type_bytes(type) ? isa_type_bytes(type) : 4);
		break;
	default: break;
	}
	lower_unsupported(l);
	return lower_const_row(l, 0, 0, isa_type_bytes(type));
}

/* Returns a row for results that are dropped, as wide as the widest register. */
static uint32_t sink_row(struct lower *l)
{
	if (!l->sink) {
		l->sink = l->out->frame_bytes;
		l->out->frame_bytes += isa_row_bytes(16);
	}
	return l->sink;
}

uint32_t lower_dest(struct lower *l, const struct ptx_operand *o)
{
	uint32_t ref;

	if (o->kind == PTX_OP_SINK)
		return sink_row(l);
	if (!is_reg(o)) {
		lower_unsupported(l);
		return sink_row(l);
	}
	if (o->symbol->type == ISA_PRED)
		return lower_pred_dest(l, o);
	ref = lower_reg_ref(o);
	note_write(l, ref);
	return ref;
}

uint32_t lower_pred_source(struct lower *l, const struct ptx_operand *o)
{
	uint32_t not = o->negated ? ISA_PRED_NOT : 0;

	if (o->kind == PTX_OP_INT) /* 0 and 1 */
		return ISA_PRED_TRUE | ((o->bits ? 0 : ISA_PRED_NOT) ^ not );
	if (!is_reg(o) || o->symbol->type != ISA_PRED) {
		lower_unsupported(l);
		return ISA_PRED_TRUE;
	}
	uint32_t slot = lower_reg_ref(o);
	lower_note_pred_read(l, slot);
	return slot | not ;
}

uint32_t lower_pred_dest(struct lower *l, const struct ptx_operand *o)
{
	if (o->kind == PTX_OP_SINK)
		return ISA_PRED_SINK;
	if (!is_reg(o) || o->symbol->type != ISA_PRED) {
		lower_unsupported(l);
		return ISA_PRED_SINK;
	}
	uint32_t slot = lower_reg_ref(o);
	if (!lower_is_temp_pred(l, slot))
		lower_push(&l->writes, ISA_RW_PRED(slot));
	return slot;
}

uint32_t lower_elements(const struct ptx_operand *o, struct ptx_operand *out, uint32_t max)
{
	uint32_t n = 0;

	if (o->kind == PTX_OP_VECTOR) {
		for (uint32_t k = 0; k < o->n_elems && n < max; k++)
			out[n++] = o->elems[k];
		return n;
	}
	if (is_reg(o) && o->symbol->vec > 1 && o->dim == PTX_NO_DIM) {
		for (uint8_t k = 0; k < o->symbol->vec && n < max; k++) {
			out[n] = *o;
			out[n++].dim = k;
		}
		return n;
	}
	out[0] = *o;
	return 1;
}

/* ---- names of things in memory ---- */

static struct lower_place function_place(struct lower *l, const struct ptx_symbol *s, uint64_t displacement)
{
	const struct lower_binding *b = lower_binding_of(l, s);
	struct lower_place p = {.kind = LOWER_PLACE_NONE, .space = ISA_SPACE_CODE, .address = displacement};

	if (!b || (b->by_ref ? b->link : b->index) == LINK_NONE)
		return p;
	p.kind = b->by_ref ? LOWER_PLACE_LINK : LOWER_PLACE_FIXED;
	p.link = b->link;
	if (!b->by_ref)
		p.address += isa_function_address(l->p->functions[b->index]);
	return p;
}

static struct lower_place module_place(struct lower *l, const struct ptx_symbol *s, uint64_t displacement)
{
	const struct lower_binding *b = lower_binding_of(l, s);
	struct lower_place p = {
		.kind = LOWER_PLACE_FIXED, .space = (enum isa_space)s->space, .address = s->address + displacement};

	if (s->space == ISA_SPACE_LOCAL)
		p.kind = LOWER_PLACE_LOCAL;
	else if (!b)
		p.kind = LOWER_PLACE_NONE;
	else if (b->dynamic_shared)
		p = (struct lower_place){
			.kind = LOWER_PLACE_DYNAMIC, .space = ISA_SPACE_SHARED, .address = displacement};
	else if (b->by_ref || !b->defines)
		p = (struct lower_place){
			.kind = LOWER_PLACE_LINK, .space = p.space, .link = b->link, .address = displacement};
	return p;
}

struct lower_place lower_symbol_place(struct lower *l, const struct ptx_symbol *s, uint64_t displacement)
{
	struct lower_place p = {
		.kind = LOWER_PLACE_FIXED, .space = (enum isa_space)s->space, .address = s->address + displacement};

	if (s->kind == PTX_SYM_FUNCTION || s->kind == PTX_SYM_ALIAS)
		return function_place(l, s, displacement);
	if (s->kind != PTX_SYM_VARIABLE)
		return (struct lower_place){.kind = LOWER_PLACE_NONE};
	if (s->scope == l->m->scope)
		return module_place(l, s, displacement);
	if (s->space == ISA_SPACE_LOCAL || (s->space == ISA_SPACE_PARAM && !(s->is_param && l->f && l->f->is_kernel))) {
		p.kind = LOWER_PLACE_LOCAL;
		p.space = ISA_SPACE_LOCAL;
	} else if (s->space == ISA_SPACE_SHARED && !s->bytes) {
		p = (struct lower_place){
			.kind = LOWER_PLACE_DYNAMIC, .space = ISA_SPACE_SHARED, .address = displacement};
	}
	return p;
}
