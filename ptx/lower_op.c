/* Opcodes: the fields of isa_insn that all instructions of one opcode share, and the shape an instruction's operands have. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "ptx/lower.h"

#define NO_MASK 0xff

static bool text_has(struct ptx_slice s, const char *word) { return memmem(s.s, s.n, word, strlen(word)) != NULL; }

/* ld.param and st.param of what lies in the local frame have the handlers of ld.local and st.local. */
static uint16_t local_handler(const struct ptx_opcode *op)
{
	char name[64], vec[8] = "";
	const char *mnemonic = isa_opcode_info[op->opcode].name,
		   *type = op->n_types ? isa_type_info[op->types[0]].name : "";

	if (op->opcode == ISA_OP_CVTA) {
		snprintf(name, sizeof name, op->mode == 1 ? "cvta_to_local" : "cvta_local");
		return (uint16_t)isa_handler_find(name, NULL, NULL);
	}
	if (op->vec > 1)
		snprintf(vec, sizeof vec, "v%u_", op->vec);
	snprintf(name, sizeof name, "%s_local_%s%s", mnemonic, vec, type);
	return (uint16_t)isa_handler_find(name, NULL, mnemonic);
}

/* Where the ISA's source predicate stands among the fields. */
static uint8_t predicate_field(enum isa_opcode op)
{
	switch (op) {
	case ISA_OP_SELP: return LOWER_NEXT;
	case ISA_OP_VOTE: return LOWER_A;
	case ISA_OP_BAR:
	case ISA_OP_BARRIER: return LOWER_C;
	default: return LOWER_D;
	}
}

/* The member mask of the lane-exchange instructions: their last operand, in field d. */
static uint8_t mask_rule(const struct ptx_opcode *op)
{
	const struct ptx_shape *s = op->shapes;

	switch (op->opcode) {
	case ISA_OP_VOTE: return s && s->n_rules == 3 ? 2 : NO_MASK;
	case ISA_OP_MATCH:
	case ISA_OP_REDUX: return 2;
	case ISA_OP_SHFL: return s && s->n_rules == 5 ? 4 : NO_MASK;
	case ISA_OP_ELECT: return 1;
	default: return NO_MASK;
	}
}

static bool has_pair(const struct ptx_opcode *op)
{
	const struct ptx_shape *s = op->shapes;

	return s && s->n_rules && (s->rules[0].flags & (PTX_RULE_PAIR | PTX_RULE_MAY_PAIR)) != 0;
}

/* The cache operator is a word of the opcode: .ca .cg .cs .lu .cv .wb .wt */
static uint8_t cache_operator(const struct ptx_opcode *op)
{
	static const char words[][4] = {
		[ISA_CACHE_CA] = ".ca", [ISA_CACHE_CG] = ".cg", [ISA_CACHE_CS] = ".cs", [ISA_CACHE_LU] = ".lu",
		[ISA_CACHE_CV] = ".cv", [ISA_CACHE_WB] = ".wb", [ISA_CACHE_WT] = ".wt"};

	if (op->opcode != ISA_OP_LD && op->opcode != ISA_OP_LDU && op->opcode != ISA_OP_ST)
		return ISA_CACHE_DEFAULT;
	for (uint32_t i = 0; i + 3 <= op->text.n; i++)
		for (unsigned k = ISA_CACHE_CA; k <= ISA_CACHE_WT; k++)
			if (!memcmp(op->text.s + i, words[k], 3) && (i + 3 == op->text.n || op->text.s[i + 3] == '.'))
				return (uint8_t)k;
	return ISA_CACHE_DEFAULT;
}

static bool has_modifier(struct ptx_slice text, const char *word)
{
	const size_t n = strlen(word);

	for (size_t i = 1; i + n <= text.n; i++)
		if (text.s[i - 1] == '.' && !memcmp(text.s + i, word, n) && (i + n == text.n || text.s[i + n] == '.'))
			return true;
	return false;
}

static bool has_order(const struct ptx_opcode *op)
{
	const uint8_t family = isa_opcode_info[op->opcode].family;

	return family == ISA_FAMILY_MEM || family == ISA_FAMILY_ATOM || op->opcode == ISA_OP_FENCE ||
	       op->opcode == ISA_OP_MEMBAR;
}

/* PTX ISA: fence without an order is .acq_rel, membar the same as fence.sc, its .gl fence's .gpu. */
static void fill_order(struct isa_insn *i, const struct ptx_opcode *op)
{
	static const char *const sems[] = {
		[ISA_SEM_WEAK] = "weak",	[ISA_SEM_RELAXED] = "relaxed", [ISA_SEM_ACQUIRE] = "acquire",
		[ISA_SEM_RELEASE] = "release",	[ISA_SEM_ACQ_REL] = "acq_rel", [ISA_SEM_SC] = "sc",
		[ISA_SEM_VOLATILE] = "volatile"};
	static const char *const scopes[] = {[ISA_SCOPE_CTA] = "cta",
					     [ISA_SCOPE_CLUSTER] = "cluster",
					     [ISA_SCOPE_GPU] = "gpu",
					     [ISA_SCOPE_SYS] = "sys"};

	if (!has_order(op))
		return;
	i->sem = op->opcode == ISA_OP_MEMBAR ? ISA_SEM_SC : op->opcode == ISA_OP_FENCE ? ISA_SEM_ACQ_REL : ISA_SEM_NONE;
	for (uint8_t k = ISA_SEM_WEAK; k <= ISA_SEM_VOLATILE; k++)
		i->sem = has_modifier(op->text, sems[k]) ? k : i->sem;
	i->scope = has_modifier(op->text, "gl") ? ISA_SCOPE_GPU : ISA_SCOPE_NONE;
	for (uint8_t k = ISA_SCOPE_CTA; k <= ISA_SCOPE_SYS; k++)
		i->scope = has_modifier(op->text, scopes[k]) ? k : i->scope;
	if (op->opcode == ISA_OP_FENCE || op->opcode == ISA_OP_MEMBAR)
		i->mode = has_modifier(op->text, "proxy");
}

static void fill_op(struct lower_op *o, const struct ptx_opcode *op)
{
	const char *mnemonic = isa_opcode_info[op->opcode].name;

	*o = (struct lower_op){
		.op = op,
		.handler_general = (uint16_t)isa_handler_find(NULL, NULL, mnemonic),
		.pred_field = predicate_field((enum isa_opcode)op->opcode),
		.mask_rule = mask_rule(op),
		.param_entry = text_has(op->text, "param::entry"),
	};
	o->base = (struct isa_insn){
		.handler = op->handler,
		.opcode = op->opcode,
		.guard = ISA_PRED_TRUE,
		.dst = ISA_REF_NONE,
		.dst2 = has_pair(op) ? ISA_PRED_SINK : ISA_REF_NONE,
		.a = ISA_REF_NONE,
		.b = ISA_REF_NONE,
		.c = ISA_REF_NONE,
		.d = op->opcode == ISA_OP_SETP || op->opcode == ISA_OP_SET ? ISA_PRED_NONE : ISA_REF_NONE,
		.flags = (uint16_t)op->flags,
		.type = op->n_types ? op->types[0] : ISA_NOTYPE,
		.type2 = op->n_types > 1 ? op->types[1] : ISA_NOTYPE,
		.vec = op->vec ? op->vec : 1,
		.space = op->space,
		.rnd = op->rnd,
		.cmp = op->cmp,
		.boolop = op->boolop,
		.atom = op->atom,
		.mode = op->mode,
		.mode2 = op->mode2,
		.cache = cache_operator(op),
	};
	if (isa_opcode_info[op->opcode].family == ISA_FAMILY_TEXTURE)
		texture_modifiers(&o->base, op->text);
	fill_order(&o->base, op);
	if (op->space == ISA_SPACE_PARAM)
		o->handler_local = local_handler(op);
}

static size_t op_hash(const struct ptx_opcode *op, size_t cap)
{
	return (size_t)(((uintptr_t)op >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> 20) & (cap - 1);
}

static struct lower_op *op_slot(struct lower_op *table, size_t cap, const struct ptx_opcode *op)
{
	size_t i = op_hash(op, cap);

	while (table[i].op && table[i].op != op)
		i = (i + 1) & (cap - 1);
	return &table[i];
}

struct lower_op *lower_op_of(struct lower *l, const struct ptx_opcode *op)
{
	if (2 * (l->n_ops + 1) > l->cap_ops) {
		size_t cap = l->cap_ops ? 2 * l->cap_ops : 256;
		struct lower_op *table = xcalloc(cap, sizeof *table);
		for (size_t i = 0; i < l->cap_ops; i++)
			if (l->ops[i].op)
				*op_slot(table, cap, l->ops[i].op) = l->ops[i];
		free(l->ops);
		l->ops = table;
		l->cap_ops = cap;
	}
	struct lower_op *slot = op_slot(l->ops, l->cap_ops, op);
	if (!slot->op) {
		fill_op(slot, op);
		l->n_ops++;
	}
	return slot;
}

const struct ptx_shape *lower_shape(const struct ptx_opcode *op, uint32_t n_operands)
{
	for (uint32_t k = 0; k < op->n_shapes; k++)
		if (n_operands >= op->shapes[k].n_required && n_operands <= op->shapes[k].n_rules)
			return &op->shapes[k];
	return NULL;
}

const struct ptx_rule *lower_rule(const struct ptx_insn *in, uint32_t k)
{
	const struct ptx_shape *s = lower_shape(in->opcode, in->n_operands);
	uint32_t left_out = s ? (uint32_t)s->n_rules - in->n_operands : 0, at = 0;

	for (uint32_t r = 0; s && r < s->n_rules; r++) {
		if (left_out && s->rules[r].flags & PTX_RULE_OPTIONAL)
			left_out--;
		else if (at++ == k)
			return &s->rules[r];
	}
	return NULL;
}
