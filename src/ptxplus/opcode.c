/* Opcodes of PTXPlus as written: "set.lt.u32.u32", "add.half.u32". Modifiers may stand in any order, types in theirs. */
#include <string.h>

#include "isa/opcodes.h"
#include "ptxplus/plus.h"

enum word_kind { WORD_FLAG, WORD_ROUND, WORD_CMP, WORD_BOOL, WORD_ATOM, WORD_SPACE, WORD_VEC, WORD_HALF, WORD_EXIT, WORD_MODE, WORD_CACHE, WORD_NOTHING };

static const struct word {
	const char *text;
	uint8_t kind;
	uint16_t value;
} words[] = {
	{"lo", WORD_FLAG, ISA_F_LO}, {"hi", WORD_FLAG, ISA_F_HI}, {"wide", WORD_FLAG, ISA_F_WIDE}, {"abs", WORD_FLAG, ISA_F_ABS},
	{"sat", WORD_FLAG, ISA_F_SAT}, {"ftz", WORD_FLAG, ISA_F_FTZ}, {"approx", WORD_NOTHING, 0}, {"full", WORD_NOTHING, 0},
	{"rn", WORD_ROUND, ISA_RND_RN}, {"rz", WORD_ROUND, ISA_RND_RZ}, {"rm", WORD_ROUND, ISA_RND_RM}, {"rp", WORD_ROUND, ISA_RND_RP},
	{"rni", WORD_ROUND, ISA_RND_RNI}, {"rzi", WORD_ROUND, ISA_RND_RZI}, {"rmi", WORD_ROUND, ISA_RND_RMI}, {"rpi", WORD_ROUND, ISA_RND_RPI},
	{"eq", WORD_CMP, ISA_CMP_EQ}, {"ne", WORD_CMP, ISA_CMP_NE}, {"lt", WORD_CMP, ISA_CMP_LT}, {"le", WORD_CMP, ISA_CMP_LE},
	{"gt", WORD_CMP, ISA_CMP_GT}, {"ge", WORD_CMP, ISA_CMP_GE}, {"lo", WORD_CMP, ISA_CMP_LO}, {"ls", WORD_CMP, ISA_CMP_LS},
	{"hi", WORD_CMP, ISA_CMP_HI}, {"hs", WORD_CMP, ISA_CMP_HS}, {"equ", WORD_CMP, ISA_CMP_EQU}, {"neu", WORD_CMP, ISA_CMP_NEU},
	{"ltu", WORD_CMP, ISA_CMP_LTU}, {"leu", WORD_CMP, ISA_CMP_LEU}, {"gtu", WORD_CMP, ISA_CMP_GTU}, {"geu", WORD_CMP, ISA_CMP_GEU},
	{"num", WORD_CMP, ISA_CMP_NUM}, {"nan", WORD_CMP, ISA_CMP_NAN},
	{"and", WORD_BOOL, ISA_BOOL_AND}, {"or", WORD_BOOL, ISA_BOOL_OR}, {"xor", WORD_BOOL, ISA_BOOL_XOR},
	{"and", WORD_ATOM, ISA_ATOM_AND}, {"or", WORD_ATOM, ISA_ATOM_OR}, {"xor", WORD_ATOM, ISA_ATOM_XOR}, {"cas", WORD_ATOM, ISA_ATOM_CAS},
	{"exch", WORD_ATOM, ISA_ATOM_EXCH}, {"add", WORD_ATOM, ISA_ATOM_ADD}, {"inc", WORD_ATOM, ISA_ATOM_INC}, {"dec", WORD_ATOM, ISA_ATOM_DEC},
	{"min", WORD_ATOM, ISA_ATOM_MIN}, {"max", WORD_ATOM, ISA_ATOM_MAX},
	{"global", WORD_SPACE, ISA_SPACE_GLOBAL}, {"shared", WORD_SPACE, ISA_SPACE_SHARED}, {"local", WORD_SPACE, ISA_SPACE_LOCAL},
	{"const", WORD_SPACE, ISA_SPACE_CONST}, {"param", WORD_SPACE, ISA_SPACE_PARAM},
	{"v2", WORD_VEC, 2}, {"v4", WORD_VEC, 4}, {"half", WORD_HALF, 0}, {"exit", WORD_EXIT, 0}, {"all", WORD_MODE, 1}, {"any", WORD_MODE, 2}, {"uni", WORD_NOTHING, 0},
	{"ca", WORD_CACHE, ISA_CACHE_CA}, {"cg", WORD_CACHE, ISA_CACHE_CG}, {"cs", WORD_CACHE, ISA_CACHE_CS}, {"lu", WORD_CACHE, ISA_CACHE_LU},
	{"cv", WORD_CACHE, ISA_CACHE_CV}, {"wb", WORD_CACHE, ISA_CACHE_WB}, {"wt", WORD_CACHE, ISA_CACHE_WT}, {"volatile", WORD_NOTHING, 0},
	{"sync", WORD_NOTHING, 0}, {"gl", WORD_NOTHING, 0}, {"cta", WORD_NOTHING, 0}, {"sys", WORD_NOTHING, 0}, {"s", WORD_NOTHING, 0},
	{"1d", WORD_NOTHING, 0}, {"2d", WORD_NOTHING, 0}, {"3d", WORD_NOTHING, 0}, {"join", WORD_NOTHING, 0}, {"to", WORD_NOTHING, 0},
};

/* Types that PTX lacks, by the types of their values. */
static const struct {
	const char *text;
	uint8_t type;
} pair_types[] = {{"ff64", ISA_F64}, {"bb64", ISA_B64}, {"bb128", ISA_B128}};

/* Returns whether a kind of word belongs to an opcode; `lo`, `hi`, `and` ... have several meanings. */
static bool fits(const struct plus_insn *in, unsigned kind)
{
	const unsigned op = in->opcode.opcode;
	const bool compares = op == ISA_OP_SET || op == ISA_OP_SETP;
	switch (kind) {
	case WORD_CMP:
	case WORD_BOOL: return compares;
	case WORD_ATOM: return op == ISA_OP_ATOM || op == ISA_OP_RED;
	case WORD_FLAG: return true;
	case WORD_MODE: return op == ISA_OP_VOTE;
	default: return true;
	}
}

static const struct word *find_word(const struct plus_insn *in, const char *s, uint32_t n)
{
	const bool compares = in->opcode.opcode == ISA_OP_SET || in->opcode.opcode == ISA_OP_SETP;
	for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
		if (strlen(words[k].text) != n || memcmp(words[k].text, s, n) || !fits(in, words[k].kind))
			continue;
		if (compares && words[k].kind == WORD_FLAG && words[k].value & (ISA_F_LO | ISA_F_HI))
			continue;
		return &words[k];
	}
	return NULL;
}

static void take_word(struct plus_insn *in, const struct word *w)
{
	struct ptx_opcode *op = &in->opcode;
	switch (w->kind) {
	case WORD_FLAG: op->flags |= w->value; break;
	case WORD_ROUND: op->rnd = (uint8_t)w->value; break;
	case WORD_CMP: op->cmp = (uint8_t)w->value; break;
	case WORD_BOOL: op->boolop = (uint8_t)w->value; break;
	case WORD_ATOM: op->atom = (uint8_t)w->value; break;
	case WORD_SPACE: op->space = (uint8_t)w->value; break;
	case WORD_VEC: op->vec = (uint8_t)w->value; break;
	case WORD_HALF: in->is_half = true; break;
	case WORD_EXIT: in->exits = true; break;
	case WORD_MODE: op->mode = (uint8_t)w->value; break;
	default: break;
	}
}

static bool take_type(struct plus_insn *in, const char *s, uint32_t n)
{
	enum isa_type type = isa_type_find(s, n);
	for (size_t k = 0; k < sizeof pair_types / sizeof *pair_types; k++)
		if (strlen(pair_types[k].text) == n && !memcmp(pair_types[k].text, s, n)) {
			type = (enum isa_type)pair_types[k].type;
			in->is_pair_type |= !in->opcode.n_types;
		}
	if (n == 4 && !memcmp(s, "pred", 4))
		type = ISA_FLAGS;
	if (!type || in->opcode.n_types == 2)
		return false;
	in->opcode.types[in->opcode.n_types++] = (uint8_t)type;
	return true;
}

const char *plus_opcode(struct plus_insn *in, struct ptx_slice text, uint32_t *at)
{
	const char *s = text.s, *const end = text.s + text.n;
	uint32_t n = 0;
	while (n < text.n && s[n] != '.')
		n++;
	*at = 0;
	in->opcode = (struct ptx_opcode){.text = text, .opcode = (uint16_t)isa_opcode_find(s, n), .vec = 1};
	if (in->opcode.opcode == ISA_OP_NONE)
		return "PTXPlus has no such instruction";
	for (s += n; s < end; s += n) {
		s++;
		for (n = 0; s + n < end && s[n] != '.'; n++)
			;
		*at = (uint32_t)(s - text.s);
		if (take_type(in, s, n))
			continue;
		const struct word *w = find_word(in, s, n);
		if (!w)
			return "this modifier is unknown, or one too many";
		take_word(in, w);
	}
	in->has_type = in->opcode.n_types != 0;
	return NULL;
}
