/* Private to opcode*.c: an opcode text taken apart, and the try to match it with one form. */
#ifndef PTX_OPCODE_MATCH_H
#define PTX_OPCODE_MATCH_H

#include "ptx/forms.h"
#include "ptx/opcode.h"

#define PTX_MAX_MODIFIERS 28

struct opcode_words {
	struct ptx_slice mnemonic;
	struct ptx_slice v[PTX_MAX_MODIFIERS]; /* modifiers, without their dots */
	bool is_type[PTX_MAX_MODIFIERS];
	unsigned n;
	bool too_many;
};

/* How one form takes an opcode's modifiers. */
struct opcode_match {
	bool ok;
	uint32_t used; /* bit per modifier that found its place */
	unsigned n_used;
	uint8_t order[PTX_MAX_MODIFIERS];    /* modifiers in the form's order */
	uint8_t position[PTX_MAX_MODIFIERS]; /* per modifier: 1 + place among its group's alternatives */
	const char *missing, *missing_end;   /* a required group without a modifier, NULL: none */
	unsigned ptx, sm;
	int need; /* the modifier that set ptx or sm, -1: the form itself */
};

void opcode_try(const struct ptx_form *f, const struct opcode_words *w, struct opcode_match *m);

/* opcode_error.c: the modifier that belongs to the instruction's name, as .wide to mul.wide, and doesn't stand there; -1: none. */
int opcode_misplaced(const struct opcode_words *w);

/* opcode_ignore.c: the words without those that ptxas ignores; false if there are none. Notes them in op->ignored. */
bool opcode_ignore(struct ptx_module *m, const struct opcode_words *w, struct opcode_words *out, struct ptx_opcode *op);

/* opcode_error.c: why no form matched; fills error and error_col. */
void opcode_explain(struct ptx_module *m, const struct opcode_words *w, struct ptx_opcode *op);

/* opcode_decode.c: modifiers into fields, canonical name, handler. */
void opcode_decode(struct ptx_module *m, const struct opcode_words *w, const struct opcode_match *match,
		   struct ptx_opcode *op);

static inline bool slice_is(struct ptx_slice s, const char *text)
{
	return __builtin_strlen(text) == s.n && !__builtin_memcmp(s.s, text, s.n);
}

#endif
