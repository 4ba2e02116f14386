/* Addresses, and what the modifiers of memory instructions demand of each other and of the operands. */
#include <string.h>

#include "isa/opcodes.h"
#include "ptx/check.h"

static const char *space_name(unsigned space)
{
	static const char *const names[ISA_SPACE_COUNT] = {"generic", ".global", ".shared", ".local",
							   ".const",  ".param",	 "code"};

	return names[space < ISA_SPACE_COUNT ? space : 0];
}

static bool check_base_register(struct ptx_checker *c, const struct ptx_operand *base)
{
	enum isa_type type = (enum isa_type)base->symbol->type;
	unsigned cls = isa_type_info[type].cls;

	if (cls == ISA_CLASS_PRED || cls == ISA_CLASS_FLOAT || isa_type_bytes(type) > 8 || check_is_vector_reg(base))
		return check_mismatch(c, "the address", base, "a 32- or 64-bit integer register");
	if (isa_type_bytes(type) < 4 && !c->warned_narrow) {
		c->warned_narrow = true;
		ptx_diag(c->m, DIAG_WARNING, base->at,
			 "an address of %u bits is extended as its type is; with ptxas it has what was in the rest of "
			 "a 32-bit register",
			 8 * isa_type_bytes(type));
	}
	return true;
}

bool check_space(struct ptx_checker *c, const struct ptx_operand *variable)
{
	const struct ptx_symbol *s = variable->symbol;

	if (s->space == c->op->space)
		return true;
	return check_fail(c, variable->at, "'%.*s' is in %s space, not %s", (int)s->name.n, s->name.s,
			  space_name(s->space), space_name(c->op->space));
}

/* A generic access can't name what only has an address in its own window's instructions: constants and parameters. */
static bool check_base_variable(struct ptx_checker *c, const struct ptx_operand *base)
{
	const struct ptx_symbol *s = base->symbol;
	unsigned want = c->op->space;

	if (s->kind != PTX_SYM_VARIABLE)
		return check_mismatch(c, "the address", base, "a variable or a register");
	if (want == ISA_SPACE_GENERIC ? s->space == ISA_SPACE_CONST || s->space == ISA_SPACE_PARAM : s->space != want)
		return check_fail(c, base->at, "'%.*s' is in %s space; '%.*s' accesses %s", (int)s->name.n, s->name.s,
				  space_name(s->space), (int)c->op->text.n, c->op->text.s,
				  want == ISA_SPACE_GENERIC ? "generic addresses" : space_name(want));
	if (!s->is_param || !c->fn || s->scope != c->fn->scope)
		return true;
	if (c->op->opcode == ISA_OP_ST && !s->is_return)
		return check_fail(c, base->at, "input parameter '%.*s' can't be written", (int)s->name.n, s->name.s);
	if (c->op->opcode == ISA_OP_LD && s->is_return)
		return check_fail(c, base->at, "return parameter '%.*s' can't be read", (int)s->name.n, s->name.s);
	return true;
}

/* The register of name[%r]. */
bool check_index(struct ptx_checker *c, const struct ptx_operand *o)
{
	const enum isa_type type = (enum isa_type)o->symbol->type;
	const unsigned cls = isa_type_info[type].cls;

	if (cls == ISA_CLASS_PRED || cls == ISA_CLASS_FLOAT || isa_type_bytes(type) > 8 || check_is_vector_reg(o))
		return check_mismatch(c, "the index", o, "an integer register");
	return true;
}

bool check_is_element(const struct ptx_checker *c, const struct ptx_operand *o)
{
	return o->kind == PTX_OP_ADDRESS && c->m->text[o->at] != '[';
}

static bool takes_element(const struct ptx_checker *c)
{
	return c->op->opcode == ISA_OP_LD || c->op->opcode == ISA_OP_LDU || c->op->opcode == ISA_OP_ST;
}

#define SM_OF_NEWER_TOOLKITS 30 /* what is older was written for assemblers that took them, as GPGPU-Sim's time did */

/* PTX ISA "Addresses as Operands": [immAddr], in any state space. ptxas 13 has it for .local alone, whatever the .target. */
static void warn_constant(struct ptx_checker *c, const struct ptx_operand *base)
{
	if (c->op->space == ISA_SPACE_LOCAL || c->warned_constant || c->m->sm < SM_OF_NEWER_TOOLKITS)
		return;
	c->warned_constant = true;
	ptx_diag(c->m, DIAG_WARNING, base->at,
		 "a constant address outside of .local memory is in the ISA, but ptxas refuses it");
}

bool check_address(struct ptx_checker *c, const struct ptx_operand *o)
{
	const struct ptx_operand *base;

	if (o->kind != PTX_OP_ADDRESS || (check_is_element(c, o) && !takes_element(c)))
		return check_mismatch(c, "the address", o, "an address in brackets");
	if (o->n_elems == 2 && !check_index(c, &o->elems[1]))
		return false;
	base = &o->elems[0];
	switch ((enum ptx_operand_kind)base->kind) {
	case PTX_OP_REG: return check_base_register(c, base);
	case PTX_OP_SYMBOL: return check_base_variable(c, base);
	case PTX_OP_INT: warn_constant(c, base); return true;
	default: return check_mismatch(c, "the address", base, "a register or a variable");
	}
}

static bool check_width(struct ptx_checker *c)
{
	unsigned bytes = c->op->vec * isa_type_bytes((enum isa_type)c->op->types[0]);
	ptx_offset at = check_opcode_at(c);

	if (bytes <= 16)
		return true;
	if (bytes > 32 || c->op->opcode == ISA_OP_LDU || isa_type_bytes((enum isa_type)c->op->types[0]) > 8)
		return check_fail(c, at, "vectors have at most 128 bits (256 in .global memory), '%.*s' has %u",
				  (int)c->op->text.n, c->op->text.s, 8 * bytes);
	if (c->op->space != ISA_SPACE_GLOBAL && c->op->space != ISA_SPACE_GENERIC)
		return check_fail(c, at, "256-bit accesses are for .global memory, not %s", space_name(c->op->space));
	if (c->version < 88 || c->m->sm < 100)
		return check_fail(c, at, "256-bit accesses need PTX ISA version 8.8 and .target sm_100 or higher");
	return true;
}

/* Generic addressing came with sm_20. */
static bool check_generic(struct ptx_checker *c)
{
	if (c->op->space != ISA_SPACE_GENERIC || (c->version >= 20 && c->m->sm >= 20))
		return true;
	return check_fail(c, check_opcode_at(c),
			  "'%.*s' without a state space needs PTX ISA version 2.0 and .target sm_20 or higher",
			  (int)c->op->text.n, c->op->text.s);
}

bool check_memory(struct ptx_checker *c)
{
	switch (c->op->opcode) {
	case ISA_OP_LD:
	case ISA_OP_LDU:
	case ISA_OP_ST:
	case ISA_OP_ATOM:
	case ISA_OP_RED:
		if (!check_generic(c))
			return false;
		break;
	default: return true;
	}
	if (c->op->has_l2 && c->op->space != ISA_SPACE_GLOBAL && c->op->space != ISA_SPACE_GENERIC)
		return check_fail(c, check_opcode_at(c), "hints for the L2 cache are for .global memory, not %s",
				  space_name(c->op->space));
	if (c->op->has_l2 && (c->op->opcode == ISA_OP_LD || c->op->opcode == ISA_OP_ST) &&
	    memmem(c->op->text.s, c->op->text.n, "L2::evict", 9) &&
	    c->op->vec * isa_type_bytes((enum isa_type)c->op->types[0]) != 32)
		return check_fail(c, check_opcode_at(c),
				  "an eviction priority for the L2 cache is for 256-bit accesses, .v8.b32 or .v4.b64");
	if ((c->op->opcode == ISA_OP_ATOM || c->op->opcode == ISA_OP_RED) && c->m->sm < 20 &&
	    c->op->space == ISA_SPACE_SHARED && isa_type_bytes((enum isa_type)c->op->types[0]) == 8)
		return check_fail(c, check_opcode_at(c),
				  "64-bit atomics in .shared memory need .target sm_20 or higher");
	if (c->op->vec > 1 && (c->op->opcode == ISA_OP_LD || c->op->opcode == ISA_OP_ST || c->op->opcode == ISA_OP_LDU))
		return check_width(c);
	return true;
}
