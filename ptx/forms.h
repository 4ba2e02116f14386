/* The ISA's syntax as data: one row of forms_*.def per way of writing an instruction.
 *
 * Row: FORM(ptx, sm, modifiers, operands): minimum PTX version times ten, minimum compute capability, two patterns.
 * OLD(ptx, sm, last_ptx, last_sm, ...) rows are gone from modules whose version is above last_ptx and target above last_sm.
 * SPECIFIC rows need an architecture- or family-specific target such as sm_100a.
 *
 * Modifiers are written as the ISA manual writes them: "fma.rn|rz|rm|rp{.ftz}{.sat}.f32". Groups in braces may be missing, | separates
 * alternatives, $name stands for a SET row, # for digits, word@PTX/SM gives one word its own minimum; `.*a|b|c` takes
 * any number of these words. Several mnemonics may share a row ("vadd|vsub..."). The order of the groups is the canonical
 * order; like ptxas we accept modifiers in any order, only types must come in theirs.
 *
 * Operands: a comma-separated list of letters, each with an optional type (":u32", ":1" = the opcode's second type, ":w" twice
 * the width of the first, ":ptr" an address) and flags; the type is the opcode's first one if not given.
 *     d destination  a b c e f source  r source, register only  i integer constant
 *     p predicate destination  q predicate source ("!q": may be negated)
 *     d|p, p|q a pair; d{|p}, p{|q} a pair or just the first
 *     [m] address  v V memory data read or written: a register, or a vector if the opcode says so
 *     l label  t branch table  x y video destination and source with optional selectors
 *     z a SIMD video source: registers only  {a,b} a vector
 *     mov, call, *: rules of their own; anything
 *     % a constant must be a multiple of the warp size
 *     ~ the register may be wider than the type  & may be a variable's name  _ may be the sink  - may be negated
 *     <lo,hi> range of an integer constant  {,e} may be missing; e:u64 is a cache policy, there with .L2::cache_hint only */
#ifndef PTX_FORMS_H
#define PTX_FORMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ptx/ast.h"

struct ptx_form {
	uint8_t ptx, sm; /* minimum */
	uint8_t last_ptx,
		last_sm; /* gone where the version is above last_ptx and the target above last_sm; both 0: still there */
	bool specific;	 /* target with a suffix only */
	const char *modifiers, *operands;
};

extern const struct ptx_form ptx_forms[];
extern const unsigned ptx_form_count;

/* A group of a modifier pattern. */
struct ptx_form_group {
	const char *s, *end;	     /* its alternatives */
	bool optional, any, is_type; /* any: takes any number of words */
};

/* Stores the next group of a form's modifiers in *g; *at is the cursor, NULL at the beginning. Returns false after the last group. */
bool ptx_form_next_group(const struct ptx_form *f, const char **at, struct ptx_form_group *g);

/* One alternative of a group, sets expanded. */
struct ptx_form_word {
	const char *s;
	unsigned n;
	unsigned ptx, sm; /* 0: no minimum of its own */
};
struct ptx_form_words {
	const char *p, *end;   /* rest of the group */
	const char *sp, *send; /* rest of the set being expanded, sp NULL: none */
};
/* Begins to iterate over the alternatives of a group. */
void ptx_form_words_init(struct ptx_form_words *it, const struct ptx_form_group *g);
/* Stores the next alternative in *w. Returns false after the last one. */
bool ptx_form_next_word(struct ptx_form_words *it, struct ptx_form_word *w);

/* Returns whether a modifier of n bytes, without its dot, matches a pattern word. */
bool ptx_form_word_is(const struct ptx_form_word *w, const char *s, unsigned n);

/* Returns whether a form is one of a mnemonic of n bytes. */
bool ptx_form_is_for(const struct ptx_form *f, const char *mnemonic, unsigned n);

/* Returns whether a modifier of n bytes names a type, sub-byte and matrix formats included. */
bool ptx_form_is_type(const char *s, unsigned n);

enum ptx_rule_kind {
	PTX_RULE_DST,
	PTX_RULE_SRC,
	PTX_RULE_REG,
	PTX_RULE_IMM,
	PTX_RULE_PRED_DST,
	PTX_RULE_PRED,
	PTX_RULE_ADDRESS,
	PTX_RULE_DATA_DST,
	PTX_RULE_DATA_SRC,
	PTX_RULE_LABEL,
	PTX_RULE_TARGETS,
	PTX_RULE_VIDEO_DST,
	PTX_RULE_VIDEO_SRC,
	PTX_RULE_SIMD_SRC,
	PTX_RULE_VECTOR,
	PTX_RULE_MOV,
	PTX_RULE_CALL,
	PTX_RULE_ANY
};
#define PTX_RULE_WIDER 0x01u	/* register may be wider than the type */
#define PTX_RULE_SYMBOL 0x02u	/* a variable's name stands for its address */
#define PTX_RULE_SINK 0x04u	/* _ allowed */
#define PTX_RULE_NEG 0x08u	/* ! or - allowed */
#define PTX_RULE_PAIR 0x10u	/* x|p required */
#define PTX_RULE_MAY_PAIR 0x20u /* x|p allowed */
#define PTX_RULE_RANGE 0x40u	/* constants lie in low..high */
#define PTX_RULE_OPTIONAL 0x80u
#define PTX_RULE_POLICY 0x200u /* the cache policy operand */
#define PTX_RULE_FIXED 0x400u  /* the type is the operand's own, not the opcode's */
#define PTX_RULE_WARPS 0x800u  /* constants are multiples of the warp size */

/* The rule for one operand, with types resolved for an opcode. */
struct ptx_rule {
	uint8_t kind; /* enum ptx_rule_kind */
	uint8_t type; /* enum isa_type, ISA_NOTYPE: any */
	uint8_t n;    /* PTX_RULE_VECTOR: elements */
	uint16_t flags;
	int32_t low, high;
};
#define PTX_MAX_RULES 8

/* Compiles a form's operand pattern for given types into out[PTX_MAX_RULES]; returns the number of rules. */
unsigned ptx_form_rules(const struct ptx_form *f, const uint8_t *types, unsigned n_types, unsigned address_size,
			bool has_policy, struct ptx_rule *out);

#endif
