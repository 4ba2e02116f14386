/* Words of the listing. */
#include <string.h>

#include "isa/plus.h"
#include "ptxplus/sass.h"

static bool is_word(struct ptx_slice s, const char *word) { return s.n == strlen(word) && !memcmp(s.s, word, s.n); }

enum isa_type sass_type(struct ptx_slice s, bool *is_24)
{
	static const struct {
		const char *text;
		enum isa_type type;
	} types[] = {{"F16", ISA_F16}, {"F32", ISA_F32}, {"F64", ISA_F64}, {"S8", ISA_S8},   {"S16", ISA_S16},	 {"S32", ISA_S32}, {"S64", ISA_S64},
		     {"U8", ISA_U8},   {"U16", ISA_U16}, {"U32", ISA_U32}, {"U64", ISA_U64}, {"S128", ISA_B128}, {"U24", ISA_U32}, {"S24", ISA_S32}};
	*is_24 = is_word(s, "U24") || is_word(s, "S24");
	for (size_t k = 0; k < sizeof types / sizeof *types; k++)
		if (is_word(s, types[k].text))
			return types[k].type;
	return ISA_NOTYPE;
}

const char *sass_comparison(struct ptx_slice s)
{
	static const char *const names[][2] = {{"EQ", "eq"},   {"NE", "ne"},   {"LT", "lt"},   {"LE", "le"},   {"GT", "gt"},   {"GE", "ge"},
					       {"EQU", "equ"}, {"NEU", "neu"}, {"LTU", "ltu"}, {"LEU", "leu"}, {"GTU", "gtu"}, {"GEU", "geu"}};
	for (size_t k = 0; k < sizeof names / sizeof *names; k++)
		if (is_word(s, names[k][0]))
			return names[k][1];
	return NULL;
}

const char *sass_condition(struct ptx_slice s)
{
	for (unsigned k = 0; k < ISA_CONDITIONS; k++)
		if (is_word(s, isa_condition_info[k].sass))
			return isa_condition_info[k].name;
	return NULL;
}
