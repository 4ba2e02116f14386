/* One operand against the rule of its form. */
#include <stdio.h>
#include <string.h>

#include "isa/opcodes.h"
#include "ptx/check.h"
#include "ptx/special_names.h"

static bool mismatch_type(struct ptx_checker *c, const char *what, const struct ptx_operand *o,
			  const struct ptx_rule *r, bool is_source)
{
	struct text t = {0};
	enum isa_type type = (enum isa_type)r->type;
	bool constants = is_source && r->kind != PTX_RULE_REG && r->kind != PTX_RULE_SIMD_SRC;

	check_describe_type(&t, type, r->flags & PTX_RULE_WIDER);
	if (constants && (type == ISA_F32 || type == ISA_F64))
		text_add(&t, " or a floating-point constant");
	else if (constants && isa_type_info[type].cls != ISA_CLASS_FLOAT)
		text_add(&t, " or an integer constant");
	check_mismatch(c, what, o, text_str(&t));
	text_free(&t);
	return false;
}

/* Registers that ptxas takes where the ISA has none of their type; lower_adapt.c brings them into shape. */
static bool is_adapted(struct ptx_checker *c, const struct ptx_rule *r, const struct ptx_operand *o, bool is_source)
{
	const enum isa_type type = (enum isa_type)o->symbol->type;
	const unsigned cls = isa_type_info[type].cls;

	switch (c->op->opcode) {
	case ISA_OP_AND:
	case ISA_OP_OR:
	case ISA_OP_XOR:
	case ISA_OP_NOT:
	case ISA_OP_MOV: return r->type == ISA_PRED && type == ISA_F16X2 && !o->negated;
	case ISA_OP_BAR:
	case ISA_OP_BARRIER:
	case ISA_OP_VOTE: return r->type == ISA_PRED && type == ISA_F16X2 && !is_source;
	case ISA_OP_SET:
		if (is_source || c->op->types[0] != ISA_BF16X2 || c->op->types[1] != ISA_BF16X2)
			return false;
		return type == ISA_F32 ||
		       (type == ISA_PRED && check_no_meaning(c, o->at, "a predicate for packed values"));
	case ISA_OP_ISSPACEP:
		return is_source && isa_type_bytes(type) == 4 && cls != ISA_CLASS_FLOAT && cls != ISA_CLASS_PRED;
	default: return false;
	}
}

static bool check_register(struct ptx_checker *c, const char *what, const struct ptx_rule *r,
			   const struct ptx_operand *o, bool is_source)
{
	bool selects = r->kind == PTX_RULE_VIDEO_DST || r->kind == PTX_RULE_VIDEO_SRC || r->kind == PTX_RULE_SIMD_SRC;

	if (check_is_vector_reg(o))
		return check_mismatch(c, what, o, "one of its elements, as in .x");
	if (selects && o->dim != PTX_NO_DIM && !o->select) /* ptxas reads a selector there */
		return check_fail(c, o->at, "%s of '%.*s' can't be an element of a vector", what, (int)c->op->text.n,
				  c->op->text.s);
	if (o->select && !selects)
		return check_fail(c, o->at, "%s of '%.*s' has no selector", what, (int)c->op->text.n, c->op->text.s);
	if (!check_reg_fits((enum isa_type)r->type, (enum isa_type)o->symbol->type, r->flags & PTX_RULE_WIDER) ||
	    (r->flags & PTX_RULE_FIXED && r->type == ISA_U32 && o->symbol->type == ISA_F16X2))
		return (c->op->vec == 1 && is_adapted(c, r, o, is_source)) || mismatch_type(c, what, o, r, is_source);
	return true;
}

/* Only mov, and cvt between integers, read special registers; the vector ones also as 16 bits, as PTX 1.x had them. */
static bool check_special(struct ptx_checker *c, const char *what, const struct ptx_rule *r,
			  const struct ptx_operand *o)
{
	enum isa_type type = (enum isa_type)r->type;
	enum isa_type have = (enum isa_type)o->special->type;
	bool integer = isa_type_info[type].cls != ISA_CLASS_FLOAT;
	bool converts = c->op->opcode == ISA_OP_CVT && c->insn->n_operands == 2 &&
			isa_type_info[c->op->types[0]].cls != ISA_CLASS_FLOAT && r->flags & PTX_RULE_WIDER;

	if (c->op->opcode != ISA_OP_MOV && !converts)
		return check_mismatch(c, what, o, "a register: only mov and cvt read special registers");
	if (o->special->dims > 1 && o->dim == PTX_NO_DIM)
		return check_mismatch(c, what, o, "one of its elements, as in .x");
	if (o->special->dims > 1 && integer && isa_type_bytes(type) == 2)
		return true;
	if (!strcmp(o->special->name, "%gridid") && integer && isa_type_bytes(type) == 4)
		return true;
	if (!integer || !check_reg_fits(type, have, r->flags & PTX_RULE_WIDER))
		return mismatch_type(c, what, o, r, true);
	return true;
}

static bool compares_bf16(const struct ptx_checker *c)
{
	const uint8_t *t = c->op->types;

	return (c->op->opcode == ISA_OP_SET || c->op->opcode == ISA_OP_SETP) &&
	       (t[0] == ISA_BF16 || t[0] == ISA_BF16X2 || t[1] == ISA_BF16 || t[1] == ISA_BF16X2);
}

/* Barriers count in 32 bits; of a longer constant ptxas takes the low ones. */
static int64_t counted_bits(const struct ptx_checker *c, const struct ptx_operand *o)
{
	const bool is_barrier = c->op->opcode == ISA_OP_BAR || c->op->opcode == ISA_OP_BARRIER;

	return is_barrier && (int64_t)o->bits != -1 ? (int64_t)(uint32_t)o->bits : (int64_t)o->bits;
}

bool check_source(struct ptx_checker *c, const char *what, const struct ptx_rule *r, const struct ptx_operand *o)
{
	if (check_is_stray_predicate(c, r, o))
		return check_no_meaning(c, o->at, "a predicate for packed values");
	if ((o->negated && !(r->flags & PTX_RULE_NEG) && r->type != ISA_PRED) ||
	    (o->negated == PTX_MINUS && r->type == ISA_PRED))
		return check_fail(c, o->at, "%s of '%.*s' can't be negated", what, (int)c->op->text.n, c->op->text.s);
	switch ((enum ptx_operand_kind)o->kind) {
	case PTX_OP_REG: return check_register(c, what, r, o, true);
	case PTX_OP_SUM: return check_sum(c, what, r, o);
	case PTX_OP_SPECIAL: return check_special(c, what, r, o);
	case PTX_OP_INT:
	case PTX_OP_FLOAT:
		if (r->type == ISA_PRED && compares_bf16(c)) /* ptxas */
			return check_mismatch(c, what, o, "a predicate register");
		if (r->kind == PTX_RULE_REG || r->kind == PTX_RULE_SIMD_SRC ||
		    !check_constant_fits((enum isa_type)r->type, o))
			return mismatch_type(c, what, o, r, true);
		if (r->flags & PTX_RULE_RANGE && o->kind == PTX_OP_INT &&
		    (counted_bits(c, o) < r->low || counted_bits(c, o) > r->high))
			return check_fail(c, o->at, "%s of '%.*s' is %lld; expected %d to %d", what, (int)c->op->text.n,
					  c->op->text.s, (long long)o->bits, r->low, r->high);
		if (r->flags & PTX_RULE_WARPS && o->kind == PTX_OP_INT && o->bits % ptx_warp_threads(c->m))
			return check_fail(
				c, o->at,
				"%s of '%.*s' is a number of threads; expected a multiple of the warp size %u", what,
				(int)c->op->text.n, c->op->text.s, ptx_warp_threads(c->m));
		return true;
	case PTX_OP_SYMBOL:
		if (r->flags & PTX_RULE_SYMBOL && o->symbol && o->symbol->kind == PTX_SYM_VARIABLE)
			return check_space(c, o);
		return check_name(c, r, o) || mismatch_type(c, what, o, r, true);
	case PTX_OP_ADDRESS:
		if (r->flags & PTX_RULE_SYMBOL && check_is_element(c, o))
			return (o->n_elems < 2 || check_index(c, &o->elems[1])) && check_space(c, &o->elems[0]);
		return mismatch_type(c, what, o, r, true);
	default: return check_vector_for_packed(c, r, o, false) || mismatch_type(c, what, o, r, true);
	}
}

bool check_destination(struct ptx_checker *c, const char *what, const struct ptx_rule *r, const struct ptx_operand *o)
{
	if (o->kind == PTX_OP_SPECIAL)
		return check_fail(c, o->at, "special register '%s' can't be written", o->special->name);
	if (o->kind == PTX_OP_SINK && r->flags & PTX_RULE_SINK)
		return true;
	if (o->kind != PTX_OP_REG)
		return check_vector_for_packed(c, r, o, true) || mismatch_type(c, what, o, r, false);
	if (o->negated)
		return check_fail(c, o->at, "a destination can't be negated");
	return check_register(c, what, r, o, false);
}

/* p, p|q, d, d|p; _ may stand for the second half where that may be missing, and for the first predicate. */
static bool check_paired(struct ptx_checker *c, const char *what, const struct ptx_rule *r, const struct ptx_operand *o)
{
	struct ptx_rule half = *r, pred = {.kind = PTX_RULE_PRED_DST,
					   .type = ISA_PRED,
					   .flags = r->flags & PTX_RULE_MAY_PAIR ? PTX_RULE_SINK : 0};

	if (o->kind != PTX_OP_PAIR) {
		if (r->flags & PTX_RULE_PAIR)
			return check_mismatch(c, what, o,
					      r->type == ISA_PRED ? "two predicates, as in %p1|%p2"
								  : "a pair, as in %r1|%p1");
		return check_destination(c, what, r, o);
	}
	if (!(r->flags & (PTX_RULE_PAIR | PTX_RULE_MAY_PAIR)))
		return check_mismatch(c, what, o, "a single register");
	half.flags |= r->type == ISA_PRED ? PTX_RULE_SINK : 0;
	return check_destination(c, what, &half, &o->elems[0]) && check_destination(c, what, &pred, &o->elems[1]);
}

static bool all_sinks(const struct ptx_operand *o)
{
	for (unsigned i = 0; i < o->n_elems; i++)
		if (o->elems[i].kind != PTX_OP_SINK)
			return false;
	return true;
}

static bool is_plain_reg(const struct ptx_operand *e)
{
	return e->kind == PTX_OP_REG && !check_is_vector_reg(e) && !e->select && !e->negated &&
	       e->symbol->type != ISA_PRED;
}

/* ptxas also takes integers for floating-point elements of ld and st, though not for scalars. */
static bool fits_in_vector(const struct ptx_rule *r, const struct ptx_operand *e)
{
	const enum isa_type type = (enum isa_type)r->type, have = (enum isa_type)e->symbol->type;
	const unsigned cls = isa_type_info[have].cls;

	return r->flags & PTX_RULE_WIDER && isa_type_info[type].cls == ISA_CLASS_FLOAT &&
	       (cls == ISA_CLASS_SIGNED || cls == ISA_CLASS_UNSIGNED) && isa_type_bytes(have) == isa_type_bytes(type);
}

static bool all_constants(const struct ptx_operand *o)
{
	for (unsigned i = 0; i < o->n_elems; i++)
		if (o->elems[i].kind != PTX_OP_INT && o->elems[i].kind != PTX_OP_FLOAT)
			return false;
	return true;
}

static bool check_constants(struct ptx_checker *c, const char *what, const struct ptx_rule *r,
			    const struct ptx_operand *o)
{
	for (unsigned i = 0; i < o->n_elems; i++) {
		if (o->elems[i].kind != o->elems[0].kind)
			return check_mismatch(c, "an element of the vector", &o->elems[i],
					      "the type of the other elements");
		if (!check_source(c, what, r, &o->elems[i]))
			return false;
	}
	return true;
}

static bool check_elements_of_data(struct ptx_checker *c, const char *what, const struct ptx_rule *r,
				   const struct ptx_operand *o, bool writes)
{
	const enum isa_type type = check_elements(c, o, writes);
	const struct ptx_operand *e = o->elems;

	if (type == ISA_NOTYPE || check_vector_fits(c, r, o, type))
		return type != ISA_NOTYPE;
	while (e->kind != PTX_OP_REG && e + 1 < o->elems + o->n_elems)
		e++;
	return mismatch_type(c, what, e, r, false);
}

/* Operand of a vector instruction, or of a scalar one, in memory accesses: the elements have one size and agree. */
static bool check_data(struct ptx_checker *c, const char *what, const struct ptx_rule *r, const struct ptx_operand *o,
		       bool writes)
{
	struct ptx_rule each = *r;
	unsigned vec = c->op->vec;

	if (c->op->opcode == ISA_OP_LD || c->op->opcode == ISA_OP_ST || c->op->opcode == ISA_OP_LDU)
		each.flags |= PTX_RULE_WIDER;
	if (vec == 1 && o->kind == PTX_OP_VECTOR && o->n_elems == 1 && each.flags & PTX_RULE_WIDER) {
		if (check_has_loose_elements(o))
			return check_elements_of_data(c, what, &each, o, writes);
		o = o->elems; /* ptxas: one in braces */
		if (is_plain_reg(o) && fits_in_vector(&each, o))
			return true;
	}
	if (vec == 1 || (writes && o->kind == PTX_OP_SINK))
		return writes ? check_destination(c, what, &each, o) : check_source(c, what, &each, o);
	if (check_is_vector_reg(o) && o->symbol->vec == vec) {
		if (!fits_in_vector(&each, o) && !check_reg_fits((enum isa_type)r->type, (enum isa_type)o->symbol->type,
								 each.flags & PTX_RULE_WIDER))
			return mismatch_type(c, what, o, &each, false);
		return true;
	}
	if (o->kind != PTX_OP_VECTOR || o->n_elems != vec) {
		char expected[64];

		snprintf(expected, sizeof(expected), "a vector of %u in braces", vec);
		return check_mismatch(c, what, o, expected);
	}
	if (writes && all_sinks(o))
		return check_mismatch(c, what, o, "at least one register among the elements");
	return all_constants(o) && !writes ? check_constants(c, what, &each, o)
					   : check_elements_of_data(c, what, &each, o, writes);
}

static bool check_vector(struct ptx_checker *c, const char *what, const struct ptx_rule *r, const struct ptx_operand *o)
{
	struct ptx_rule each = *r;

	each.kind = PTX_RULE_SRC;
	if (o->kind != PTX_OP_VECTOR || o->n_elems != r->n)
		return check_mismatch(c, what, o, "a vector of 4 in braces");
	for (unsigned i = 0; i < r->n; i++)
		if (!check_source(c, what, &each, &o->elems[i]))
			return false;
	return true;
}

static bool check_label(struct ptx_checker *c, const char *what, const struct ptx_operand *o)
{
	if (o->kind == PTX_OP_SYMBOL && o->symbol->kind == PTX_SYM_LABEL)
		return true;
	return check_mismatch(c, what, o, "a label");
}

/* The alignment of alloca. */
static bool is_power_of_two(uint64_t v) { return v && !(v & (v - 1)); }

static bool check_immediate(struct ptx_checker *c, const char *what, const struct ptx_rule *r,
			    const struct ptx_operand *o)
{
	if (o->kind != PTX_OP_INT)
		return check_mismatch(c, what, o, "an integer constant");
	if (c->op->opcode == ISA_OP_ALLOCA && !is_power_of_two((uint32_t)o->bits))
		return check_fail(c, o->at, "the alignment must be a power of two");
	if (r->flags & PTX_RULE_RANGE && ((int64_t)o->bits < r->low || (int64_t)o->bits > r->high))
		return check_fail(c, o->at, "%s of '%.*s' is %lld; expected %d to %d", what, (int)c->op->text.n,
				  c->op->text.s, (long long)o->bits, r->low, r->high);
	return true;
}

/* Elements of the SIMD video instructions, whose names end in 2 or 4; 1 for the scalar ones. */
static unsigned video_elements(const struct ptx_checker *c)
{
	const char *name = isa_opcode_info[c->op->opcode].name;
	char last = name[strlen(name) - 1];

	return last == '2' ? 2 : last == '4' ? 4 : 1;
}

/* A SIMD destination's selector is a mask: each element once, the highest first. */
static bool is_mask(const struct ptx_operand *o, unsigned n)
{
	unsigned above = n;

	if (n == 2 ? o->select == 5 || o->select == 6 : o->select >= 1 && o->select <= 4)
		return true;
	if (o->select != (n == 2 ? PTX_SELECT_HALVES : PTX_SELECT_BYTES))
		return false;
	for (unsigned i = o->dim; i-- > 0;) {
		unsigned digit = (unsigned)(o->bits >> 4 * i & 15);

		if (digit >= above)
			return false;
		above = digit;
	}
	return true;
}

/* A SIMD source's selector names one of both sources' elements for each element. */
static bool is_permutation(const struct ptx_operand *o, unsigned n)
{
	if (o->select != (n == 2 ? PTX_SELECT_HALVES : PTX_SELECT_BYTES) || o->dim != n)
		return false;
	for (unsigned i = 0; i < n; i++)
		if ((o->bits >> 4 * i & 15) >= 2 * n)
			return false;
	return true;
}

static bool check_selector(struct ptx_checker *c, const char *what, const struct ptx_operand *o, bool is_dst)
{
	static const char *const expected[] = {[1] = ".b0 to .b3, .h0 or .h1",
					       [2] = ".h and two digits 0 to 3, as in .h10",
					       [3] = ".h0, .h1 or .h10",
					       [4] = ".b and four digits 0 to 7, as in .b3210",
					       [5] = ".b and descending digits 0 to 3, as in .b20"};
	unsigned n = video_elements(c);
	bool good = n == 1 ? o->select <= 6 : is_dst ? is_mask(o, n) : is_permutation(o, n);

	if (!o->select || good)
		return true;
	return check_fail(c, o->at, "%s of '%.*s' has the wrong selector; expected %s", what, (int)c->op->text.n,
			  c->op->text.s, expected[n == 1 ? 1 : n + is_dst]);
}

bool check_operand(struct ptx_checker *c, unsigned i, const struct ptx_rule *r, const struct ptx_operand *o)
{
	static const char *const names[] = {"operand 1", "operand 2", "operand 3", "operand 4",
					    "operand 5", "operand 6", "operand 7", "operand 8"};
	const char *what = names[i];

	switch ((enum ptx_rule_kind)r->kind) {
	case PTX_RULE_DST:
	case PTX_RULE_PRED_DST: return check_paired(c, what, r, o);
	case PTX_RULE_SRC:
	case PTX_RULE_PRED: return check_source(c, what, r, o);
	case PTX_RULE_REG:
		return c->op->opcode == ISA_OP_ATOM ? check_unused_policy(c, what, r, o) : check_source(c, what, r, o);
	case PTX_RULE_IMM: return check_immediate(c, what, r, o);
	case PTX_RULE_ADDRESS: return check_address(c, o);
	case PTX_RULE_DATA_DST: return check_data(c, what, r, o, true);
	case PTX_RULE_DATA_SRC: return check_data(c, what, r, o, false);
	case PTX_RULE_LABEL: return check_label(c, what, o);
	case PTX_RULE_TARGETS: return check_branch_table(c, o);
	case PTX_RULE_VIDEO_DST: return check_destination(c, what, r, o) && check_selector(c, what, o, true);
	case PTX_RULE_VIDEO_SRC:
	case PTX_RULE_SIMD_SRC: return check_source(c, what, r, o) && check_selector(c, what, o, false);
	case PTX_RULE_VECTOR: return check_vector(c, what, r, o);
	case PTX_RULE_MOV:
	case PTX_RULE_CALL:
	case PTX_RULE_ANY: return true;
	}
	return true;
}
