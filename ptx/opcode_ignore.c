/* Modifiers that ptxas ignores. The ISA has no such forms; ptxas 13 makes the same code with and without them, whatever the version and
 * the target, so an opcode that no form takes as it stands is tried once more without them. */
#include <string.h>

#include "base/text.h"
#include "isa/opcodes.h"
#include "ptx/opcode_match.h"

static bool is_listed(const char *const *list, size_t n, struct ptx_slice s)
{
	for (size_t i = 0; i < n; i++)
		if (slice_is(s, list[i]))
			return true;
	return false;
}
#define IS_LISTED(list, s) is_listed(list, sizeof(list) / sizeof(*(list)), s)

/* Words of single instructions that stand on any other without effect. */
static bool is_ignored(enum isa_opcode op, struct ptx_slice s)
{
	static const char *const properties[] = {"finite", "infinite", "normal", "notanumber", "number", "subnormal"};
	static const char *const words[] = {
		"acc::f16",	     "acc::f32", "b4x16_p64",	      "b6x16_p32",	"b8x16",      "box_dim",
		"element_stride",    "elemtype", "fill_mode",	      "global_address", "global_dim", "global_stride",
		"interleave_layout", "rank",	 "swizzle_atomicity", "swizzle_mode"};

	return IS_LISTED(words, s) || (op != ISA_OP_TESTP && IS_LISTED(properties, s));
}

static bool is_integer_product(const struct opcode_words *w)
{
	static const char *const words[] = {"hi", "lo", "wide"};

	for (unsigned i = 0; i < w->n; i++)
		if (IS_LISTED(words, w->v[i]))
			return true;
	return false;
}

/* Types that arithmetic takes besides its own. */
static bool is_ignored_type(enum isa_opcode op, const struct opcode_words *w, struct ptx_slice s)
{
	static const char *const words[] = {"pred", "samplerref", "surfref", "texref"};

	switch (op) {
	case ISA_OP_ABS:
	case ISA_OP_ADD:
	case ISA_OP_ATOM:
	case ISA_OP_COS:
	case ISA_OP_CVT:
	case ISA_OP_EX2:
	case ISA_OP_FMA:
	case ISA_OP_LG2:
	case ISA_OP_MAX:
	case ISA_OP_MIN:
	case ISA_OP_NEG:
	case ISA_OP_RCP:
	case ISA_OP_RED:
	case ISA_OP_RSQRT:
	case ISA_OP_SET:
	case ISA_OP_SETP:
	case ISA_OP_SIN:
	case ISA_OP_SQRT:
	case ISA_OP_SUB:
	case ISA_OP_TANH: return IS_LISTED(words, s);
	case ISA_OP_MUL: /* but not mul.lo and the like */ return !is_integer_product(w) && IS_LISTED(words, s);
	default: return false;
	}
}

/* Words that may stand more than once. */
static bool is_repeatable(struct ptx_slice s)
{
	static const char *const words[] = {"NaN", "approx", "cc", "relu", "sat", "shiftamt", "sync", "uni"};

	return IS_LISTED(words, s);
}

static bool stands_before(const struct opcode_words *w, unsigned i)
{
	for (unsigned k = 0; k < i; k++)
		if (w->v[k].n == w->v[i].n && !memcmp(w->v[k].s, w->v[i].s, w->v[i].n))
			return true;
	return false;
}

/* rcp of doubles keeps denormals, but for its approximation. */
static bool is_flush_of_f64(enum isa_opcode op, const struct opcode_words *w, unsigned i)
{
	bool f64 = false, approx = false;

	for (unsigned k = 0; k < w->n; k++) {
		f64 |= slice_is(w->v[k], "f64");
		approx |= slice_is(w->v[k], "approx");
	}
	return op == ISA_OP_RCP && slice_is(w->v[i], "ftz") && f64 && !approx;
}

/* ... and madc.hi doesn't saturate. */
static bool is_sat_of_madc(enum isa_opcode op, const struct opcode_words *w, unsigned i)
{
	return op == ISA_OP_MADC && slice_is(w->v[i], "sat") && w->n == 3 && slice_is(w->v[0], "hi") &&
	       (slice_is(w->v[1], "s32") || slice_is(w->v[2], "s32"));
}

bool opcode_ignore(struct ptx_module *m, const struct opcode_words *w, struct opcode_words *out, struct ptx_opcode *op)
{
	const enum isa_opcode opcode = (enum isa_opcode)op->opcode;
	struct text t = {0};

	*out = (struct opcode_words){.mnemonic = w->mnemonic};
	for (unsigned i = 0; i < w->n; i++) {
		if (!is_ignored(opcode, w->v[i]) && !is_ignored_type(opcode, w, w->v[i]) &&
		    !is_flush_of_f64(opcode, w, i) && !is_sat_of_madc(opcode, w, i) &&
		    !(is_repeatable(w->v[i]) && stands_before(w, i))) {
			out->v[out->n] = w->v[i];
			out->is_type[out->n++] = w->is_type[i];
			continue;
		}
		if (!t.n)
			op->ignored_col = (uint32_t)(w->v[i].s - op->text.s) - 1;
		text_addf(&t, "%s.%.*s", t.n ? " " : "", (int)w->v[i].n, w->v[i].s);
	}
	op->ignored = t.n ? pool_strn(&m->pool, t.s, t.n) : NULL;
	text_free(&t);
	return op->ignored != NULL;
}
