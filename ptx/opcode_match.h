/* Private to opcode*.c: an opcode text split into words, and its match with one form. */
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

/* The result of matching an opcode's modifiers with one form. */
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

/* Matches an opcode's words with a form, and stores in *m how far they fit. */
void opcode_try(const struct ptx_form *f, const struct opcode_words *w, struct opcode_match *m);

/* Returns the index of a modifier that belongs directly after the mnemonic (.wide of mul.wide) and is elsewhere, or -1 (opcode_error.c). */
int opcode_misplaced(const struct opcode_words *w);

/* Stores the words without the modifiers that ptxas ignores and lists those in op->ignored. Returns false if there are none (opcode_ignore.c). */
bool opcode_ignore(struct ptx_module *m, const struct opcode_words *w, struct opcode_words *out, struct ptx_opcode *op);

/* Sets op->error and error_col to the reason why no form matches (opcode_error.c). */
void opcode_explain(struct ptx_module *m, const struct opcode_words *w, struct ptx_opcode *op);

/* Decodes the modifiers of a matched opcode into op's fields, canonical name and handler (opcode_decode.c). */
void opcode_decode(struct ptx_module *m, const struct opcode_words *w, const struct opcode_match *match,
		   struct ptx_opcode *op);

/* Returns whether a slice equals a text. */
static inline bool slice_is(struct ptx_slice s, const char *text)
{
	return __builtin_strlen(text) == s.n && !__builtin_memcmp(s.s, text, s.n);
}

#endif
