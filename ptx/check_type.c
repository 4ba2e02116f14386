/* Types of operands: which register may stand where, which constant fits, and how messages call them. */
#include "ptx/check.h"
#include "ptx/special_names.h"

static bool is_integer(enum isa_type t)
{
	return isa_type_info[t].cls == ISA_CLASS_UNSIGNED || isa_type_info[t].cls == ISA_CLASS_SIGNED;
}

static bool is_bits(enum isa_type t) { return isa_type_info[t].cls == ISA_CLASS_BITS; }

/* ISA "Operand Size Exceeding Instruction-Type Size": only integers and bits widen freely; a float sits in a wider register only
 * if that is untyped. ptxas takes .f16x2 registers for untyped ones. */
bool check_reg_fits(enum isa_type type, enum isa_type reg, bool wider)
{
	unsigned want = isa_type_bytes(type), have = isa_type_bytes(reg);

	if (type == reg || type == ISA_NOTYPE)
		return true;
	if (type == ISA_PRED || reg == ISA_PRED)
		return false;
	if (type == ISA_U16X2 || type == ISA_S16X2)
		return reg == ISA_B32 || reg == ISA_F16X2;
	if (have < want || (have > want && !wider))
		return false;
	return is_bits(type) || is_bits(reg) || (is_integer(type) && (is_integer(reg) || reg == ISA_F16X2));
}

bool check_is_vector_reg(const struct ptx_operand *o)
{
	return o->kind == PTX_OP_REG && o->symbol->vec > 1 && o->dim == PTX_NO_DIM;
}

bool check_elements_agree(enum isa_type a, enum isa_type b) { return check_reg_fits(a, b, false); }

/* Integers for integer and bit types; floating-point constants for f32 and f64, and, written as bit patterns, for bit types of
 * their size. The 16-bit and packed types have no constants. */
bool check_constant_fits(enum isa_type type, const struct ptx_operand *o)
{
	if (type == ISA_NOTYPE)
		return true;
	if (type == ISA_U16X2 || type == ISA_S16X2)
		return false;
	if (o->kind == PTX_OP_INT)
		return type == ISA_PRED || is_integer(type) || is_bits(type);
	if (type == ISA_F32 || type == ISA_F64)
		return true;
	return is_bits(type) && isa_type_bytes(type) == (o->is_f32 ? 4u : 8u);
}

static void describe_symbol(struct text *t, const struct ptx_operand *o)
{
	static const char *const kinds[] = {
		[PTX_SYM_REG] = "register",	 [PTX_SYM_VARIABLE] = "variable",   [PTX_SYM_LABEL] = "label",
		[PTX_SYM_FUNCTION] = "function", [PTX_SYM_PROTOTYPE] = "prototype", [PTX_SYM_TARGETS] = "target list",
		[PTX_SYM_ALIAS] = "alias"};

	text_addf(t, "%s '%.*s'", kinds[o->symbol->kind], (int)o->symbol->name.n, o->symbol->name.s);
}

void check_describe(struct text *t, const struct ptx_operand *o)
{
	switch ((enum ptx_operand_kind)o->kind) {
	case PTX_OP_NONE: text_add(t, "nothing"); break;
	case PTX_OP_REG:
		text_addf(t, "a %s.%s register", check_is_vector_reg(o) ? "vector " : "",
			  isa_type_info[o->symbol->type].name);
		break;
	case PTX_OP_SPECIAL: text_addf(t, "special register '%s'", o->special->name); break;
	case PTX_OP_INT: text_add(t, "an integer constant"); break;
	case PTX_OP_FLOAT: text_add(t, "a floating-point constant"); break;
	case PTX_OP_SYMBOL: describe_symbol(t, o); break;
	case PTX_OP_VECTOR: text_addf(t, "a vector of %u", o->n_elems); break;
	case PTX_OP_ADDRESS:
	case PTX_OP_TEXADDR: text_add(t, "an address"); break;
	case PTX_OP_PAIR: text_add(t, "a pair"); break;
	case PTX_OP_SINK: text_add(t, "'_'"); break;
	case PTX_OP_LIST: text_add(t, "a list in parentheses"); break;
	case PTX_OP_SUM: text_add(t, "a sum"); break;
	}
}

void check_describe_type(struct text *t, enum isa_type type, bool wider)
{
	unsigned bits = 8 * isa_type_bytes(type);

	if (type == ISA_PRED)
		text_add(t, "a predicate register");
	else if (type == ISA_U16X2 || type == ISA_S16X2)
		text_add(t, "a .b32 register");
	else if (is_bits(type))
		text_addf(t, "a %u-bit%s register", bits, wider ? " or wider" : "");
	else if (is_integer(type))
		text_addf(t, "a .u%u, .s%u or .b%u%s register", bits, bits, bits, wider ? " or wider integer" : "");
	else
		text_addf(t, "a .%s or .b%u register", isa_type_info[type].name, bits);
}
