/* Modifiers of a matched opcode: fields of the decoded instruction, canonical name, handler. */
#include <string.h>

#include "base/text.h"
#include "isa/opcodes.h"
#include "ptx/opcode_match.h"

enum field { FIELD_FLAG, FIELD_RND, FIELD_CMP, FIELD_SPACE, FIELD_VEC, FIELD_DROP };

struct modifier {
	const char *name;
	uint8_t field;
	uint16_t value;
};

/* Modifiers that mean the same wherever they stand. FIELD_DROP ones don't change what an instruction computes. */
static const struct modifier modifiers[] = {
	{"ftz", FIELD_FLAG, ISA_F_FTZ},
	{"sat", FIELD_FLAG, ISA_F_SAT},
	{"NaN", FIELD_FLAG, ISA_F_NAN},
	{"xorsign", FIELD_FLAG, ISA_F_XORSIGN},
	{"abs", FIELD_FLAG, ISA_F_ABS},
	{"relu", FIELD_FLAG, ISA_F_RELU},
	{"satfinite", FIELD_FLAG, ISA_F_SATFINITE},
	{"cc", FIELD_FLAG, ISA_F_CC},
	{"hi", FIELD_FLAG, ISA_F_HI},
	{"lo", FIELD_FLAG, ISA_F_LO},
	{"wide", FIELD_FLAG, ISA_F_WIDE},
	{"approx", FIELD_FLAG, ISA_F_APPROX},
	{"full", FIELD_FLAG, ISA_F_FULL},
	{"oob", FIELD_FLAG, ISA_F_OOB},
	{"po", FIELD_FLAG, ISA_F_PLUS_ONE},
	{"rn", FIELD_RND, ISA_RND_RN},
	{"rz", FIELD_RND, ISA_RND_RZ},
	{"rm", FIELD_RND, ISA_RND_RM},
	{"rp", FIELD_RND, ISA_RND_RP},
	{"rna", FIELD_RND, ISA_RND_RNA},
	{"rs", FIELD_RND, ISA_RND_RS},
	{"rni", FIELD_RND, ISA_RND_RNI},
	{"rzi", FIELD_RND, ISA_RND_RZI},
	{"rmi", FIELD_RND, ISA_RND_RMI},
	{"rpi", FIELD_RND, ISA_RND_RPI},
	{"eq", FIELD_CMP, ISA_CMP_EQ},
	{"ne", FIELD_CMP, ISA_CMP_NE},
	{"lt", FIELD_CMP, ISA_CMP_LT},
	{"le", FIELD_CMP, ISA_CMP_LE},
	{"gt", FIELD_CMP, ISA_CMP_GT},
	{"ge", FIELD_CMP, ISA_CMP_GE},
	{"ls", FIELD_CMP, ISA_CMP_LS},
	{"hs", FIELD_CMP, ISA_CMP_HS},
	{"equ", FIELD_CMP, ISA_CMP_EQU},
	{"neu", FIELD_CMP, ISA_CMP_NEU},
	{"ltu", FIELD_CMP, ISA_CMP_LTU},
	{"leu", FIELD_CMP, ISA_CMP_LEU},
	{"gtu", FIELD_CMP, ISA_CMP_GTU},
	{"geu", FIELD_CMP, ISA_CMP_GEU},
	{"num", FIELD_CMP, ISA_CMP_NUM},
	{"nan", FIELD_CMP, ISA_CMP_NAN},
	{"global", FIELD_SPACE, ISA_SPACE_GLOBAL},
	{"shared", FIELD_SPACE, ISA_SPACE_SHARED},
	{"shared::cta", FIELD_SPACE, ISA_SPACE_SHARED},
	{"shared::cluster", FIELD_SPACE, ISA_SPACE_SHARED},
	{"local", FIELD_SPACE, ISA_SPACE_LOCAL},
	{"const", FIELD_SPACE, ISA_SPACE_CONST},
	{"param", FIELD_SPACE, ISA_SPACE_PARAM},
	{"param::entry", FIELD_SPACE, ISA_SPACE_PARAM},
	{"param::func", FIELD_SPACE, ISA_SPACE_PARAM},
	{"v2", FIELD_VEC, 2},
	{"v4", FIELD_VEC, 4},
	{"v8", FIELD_VEC, 8},
	{"uni", FIELD_DROP, 0},
	{"volatile", FIELD_DROP, 0},
	{"weak", FIELD_DROP, 0},
	{"mmio", FIELD_DROP, 0},
	{"relaxed", FIELD_DROP, 0},
	{"acquire", FIELD_DROP, 0},
	{"release", FIELD_DROP, 0},
	{"acq_rel", FIELD_DROP, 0},
	{"cta", FIELD_DROP, 0},
	{"gpu", FIELD_DROP, 0},
	{"sys", FIELD_DROP, 0},
	{"gl", FIELD_DROP, 0},
	{"cluster", FIELD_DROP, 0},
	{"ca", FIELD_DROP, 0},
	{"cg", FIELD_DROP, 0},
	{"cs", FIELD_DROP, 0},
	{"lu", FIELD_DROP, 0},
	{"cv", FIELD_DROP, 0},
	{"wb", FIELD_DROP, 0},
	{"wt", FIELD_DROP, 0},
	{"nc", FIELD_DROP, 0},
	{"unified", FIELD_DROP, 0},
	{"aligned", FIELD_DROP, 0},
};

static const struct modifier *find_modifier(struct ptx_slice s)
{
	for (size_t i = 0; i < sizeof(modifiers) / sizeof(*modifiers); i++)
		if (slice_is(s, modifiers[i].name))
			return &modifiers[i];
	return NULL;
}

static enum isa_atom atom_operation(struct ptx_slice s)
{
	static const char *const names[] = {"", "and", "or", "xor", "cas", "exch", "add", "inc", "dec", "min", "max"};

	for (unsigned i = 1; i < sizeof(names) / sizeof(*names); i++)
		if (slice_is(s, names[i]))
			return (enum isa_atom)i;
	return ISA_ATOM_NONE;
}

static enum isa_bool bool_operation(struct ptx_slice s)
{
	static const char *const names[] = {"", "and", "or", "xor", "popc"};

	for (unsigned i = 1; i < sizeof(names) / sizeof(*names); i++)
		if (slice_is(s, names[i]))
			return (enum isa_bool)i;
	return ISA_BOOL_NONE;
}

/* Words whose meaning depends on the instruction. True if this was one. */
static bool decode_by_mnemonic(struct ptx_slice s, struct ptx_opcode *op)
{
	bool compares = op->opcode == ISA_OP_SET || op->opcode == ISA_OP_SETP;

	if (compares && (slice_is(s, "lo") || slice_is(s, "hi"))) {
		op->cmp = slice_is(s, "lo") ? ISA_CMP_LO : ISA_CMP_HI;
		return true;
	}
	if (compares || op->opcode == ISA_OP_LOP3 || op->opcode == ISA_OP_BAR || op->opcode == ISA_OP_BARRIER) {
		op->boolop = op->boolop ? op->boolop : (uint8_t)bool_operation(s);
		return bool_operation(s) != ISA_BOOL_NONE;
	}
	if (atom_operation(s)) {
		op->atom = (uint8_t)atom_operation(s);
		return true;
	}
	return false;
}

static void set_field(const struct modifier *mod, struct ptx_opcode *op)
{
	switch ((enum field)mod->field) {
	case FIELD_FLAG: op->flags |= mod->value; break;
	case FIELD_RND: op->rnd = (uint8_t)mod->value; break;
	case FIELD_CMP: op->cmp = (uint8_t)mod->value; break;
	case FIELD_SPACE: op->space = (uint8_t)mod->value; break;
	case FIELD_VEC: op->vec = (uint8_t)mod->value; break;
	case FIELD_DROP: break;
	}
}

static void decode_one(struct ptx_slice s, unsigned position, struct ptx_opcode *op)
{
	const struct modifier *mod;

	if (decode_by_mnemonic(s, op) || slice_is(s, "sync") || slice_is(s, "noftz"))
		return;
	mod = find_modifier(s);
	if (mod && !(op->opcode == ISA_OP_VOTE && slice_is(s, "uni"))) {
		set_field(mod, op);
		return;
	}
	if (s.n > 4 && (!memcmp(s.s, "L1::", 4) || !memcmp(s.s, "L2::", 4))) {
		op->has_l2 |= s.s[1] == '2';
		return;
	}
	if (!op->mode)
		op->mode = (uint8_t)position;
	else if (!op->mode2)
		op->mode2 = (uint8_t)position;
}

/* Returns true if the word stays in the canonical name. */
static bool is_dropped(struct ptx_slice s, const struct ptx_opcode *op)
{
	const struct modifier *mod = find_modifier(s);

	if (s.n > 4 && (!memcmp(s.s, "L1::", 4) || !memcmp(s.s, "L2::", 4)))
		return true;
	if (!mod || mod->field != FIELD_DROP)
		return false;
	if (op->opcode == ISA_OP_VOTE)
		return false; /* vote.uni */
	return op->opcode != ISA_OP_BARRIER || !slice_is(s, "cluster");
}

static void add_word(struct text *t, struct ptx_slice s)
{
	for (unsigned i = 0; i < s.n; i++) {
		if (s.s[i] == ':' && i + 1 < s.n && s.s[i + 1] == ':')
			i++;
		text_addc(t, s.s[i] == ':' ? '_' : s.s[i]);
	}
}

/* A space's canonical word: shared::cta and shared::cluster name the same memory while clusters have one block; param::entry and
 * param::func are told apart by the variable. */
static struct ptx_slice plain_space(struct ptx_slice s)
{
	const char *colon = memchr(s.s, ':', s.n);
	const struct modifier *mod = find_modifier(s);

	if (colon && mod && mod->field == FIELD_SPACE)
		s.n = (uint32_t)(colon - s.s);
	return s;
}

/* st.async, st.bulk and red.async are other instructions than st and red, not variants that a general handler could carry out. */
static bool names_other_operation(struct ptx_slice s, const struct ptx_opcode *op)
{
	uint8_t family = isa_opcode_info[op->opcode].family;

	if (family != ISA_FAMILY_MEM && family != ISA_FAMILY_ATOM)
		return false;
	return (s.n == 5 && !memcmp(s.s, "async", 5)) || (s.n == 4 && !memcmp(s.s, "bulk", 4));
}

static void choose_handler(struct ptx_module *m, const struct opcode_words *w, const struct opcode_match *match,
			   struct ptx_opcode *op)
{
	struct text exact = {0}, base = {0};
	const char *mnemonic = isa_opcode_info[op->opcode].name;
	bool known = isa_opcode_info[op->opcode].family != ISA_FAMILY_UNSUPPORTED;

	text_add(&exact, mnemonic);
	text_add(&base, mnemonic);
	for (unsigned k = 0; k < match->n_used; k++) {
		struct ptx_slice s = w->v[match->order[k]];

		if (w->is_type[match->order[k]]) {
			text_addc(&base, '_');
			add_word(&base, s);
		}
		known &= !names_other_operation(s, op);
		if (is_dropped(s, op))
			continue;
		text_addc(&exact, '_');
		add_word(&exact, plain_space(s));
	}
	op->canonical = pool_strn(&m->pool, exact.s, exact.n);
	op->handler = ISA_H_UNSUPPORTED;
	if (known)
		op->handler = (uint16_t)isa_handler_find(exact.s, base.s, mnemonic);
	/* of testp without a property the checker says more */
	op->unsupported = op->handler == ISA_H_UNSUPPORTED && op->opcode != ISA_OP_TESTP;
	text_free(&exact);
	text_free(&base);
}

void opcode_decode(struct ptx_module *m, const struct opcode_words *w, const struct opcode_match *match,
		   struct ptx_opcode *op)
{
	for (unsigned k = 0; k < match->n_used; k++) {
		unsigned i = match->order[k];

		if (!w->is_type[i])
			decode_one(w->v[i], match->position[i], op);
	}
	choose_handler(m, w, match, op);
}
