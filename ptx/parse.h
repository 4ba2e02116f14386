/* The parser's private face: its state and the functions its files share.
 *
 * Every parse_* function starts at the current token p->tok and leaves the first token it did not use there. On a syntax error
 * it reports, returns false, and its caller's statement loop recovers with parse_skip_statement. */
#ifndef PTX_PARSE_H
#define PTX_PARSE_H

#include <string.h>

#include "base/xalloc.h"
#include "ptx/ast.h"
#include "ptx/lex.h"
#include "ptx/scope.h"

#define PTX_MAX_ERRORS 100u /* of one file; then parsing ends */
#define PTX_MAX_SCOPES 64u  /* one inside the other */
#define PTX_MAX_DEPTH 250u  /* scopes, and parentheses inside */
#define PTX_MAX_OPERANDS 64u
#define PTX_MAX_ELEMS 65535u
#define PTX_MAX_RANGE (1u << 24) /* registers of one %r<N> */

enum ptx_keyword {
	KW_NONE,
#define KEYWORD(id, name) KW_##id,
#include "ptx/keywords.def"
	KW_COUNT
};

/* Value of a constant expression (ISA "Constant Expressions"). */
enum ptx_value_kind { PTX_VALUE_S64, PTX_VALUE_U64, PTX_VALUE_F64, PTX_VALUE_F32_BITS };
struct ptx_value {
	uint8_t kind;
	uint64_t bits; /* f64 pattern, f32 pattern, or the integer */
};

/* Growing arrays that are copied into the module's pool when complete; kept from function to function. */
struct ptx_insns {
	struct ptx_insn *v;
	size_t n, cap;
};
struct ptx_operands {
	struct ptx_operand *v;
	size_t n, cap;
};
struct ptx_symbols {
	struct ptx_symbol **v;
	size_t n, cap;
};
struct ptx_scopes {
	struct ptx_scope **v;
	size_t n, cap;
};
struct ptx_locs {
	struct ptx_loc_entry *v;
	size_t n, cap;
};
struct ptx_files {
	struct ptx_file_entry *v;
	size_t n, cap;
};
struct ptx_sections {
	struct ptx_section *v;
	size_t n, cap;
};

/* A label that was used before its definition: where the symbol goes once it is known. Those of one name are chained, the newest
 * first, from p->pending. */
struct ptx_fixup {
	struct ptx_slice name;
	struct ptx_symbol **place;
	ptx_offset at;
	uint32_t older;
};
struct ptx_fixups {
	struct ptx_fixup *v;
	size_t n, cap;
};

/* Lowest number of the plain names of one scope that end in digits after a prefix: they must not collide with a range. */
struct ptx_numbered {
	struct ptx_scope *scope;
	struct ptx_numbered *outer;
	uint32_t least;
};

#define PTX_STEM_CACHE 64u
struct ptx_stem {
	struct ptx_slice stem;
	struct ptx_symbol *range;
};

struct ptx_parser {
	struct ptx_module *m;
	struct ptx_lexer lex;
	struct ptx_token tok;
	uint32_t prev_end; /* just past the token before */
	struct ptx_scope *scope;
	struct ptx_function *fn; /* being parsed, NULL at module level */
	unsigned n_errors;
	unsigned depth;
	unsigned open_braces; /* of vectors and initialisers around the current token, for recovery */
	bool stop;	      /* too many errors, or the text ended inside something */
	bool skipping;	      /* recovering: bad tokens are passed over in silence */
	bool bad_insn;	      /* the instruction being parsed had an error and is dropped */
	uint32_t line;	      /* of the last position asked for, a cursor into line_start */
	uint32_t loc;	      /* current .loc, UINT32_MAX: none */
	struct {
		uint32_t scope, fixups, at;
	} nest[PTX_MAX_SCOPES]; /* per open scope: number, first fixup, its brace */
	unsigned n_nest;
	struct ptx_slice mnemonic; /* of the instruction being parsed, up to its first dot */
	struct ptx_function **last_function;
	struct ptx_insns insns;
	struct ptx_operand *no_operands; /* what instructions without any point to */
	struct ptx_operands ops;	 /* a stack: operands of the instruction and of the lists inside */
	struct ptx_symbols labels;
	struct ptx_scopes scopes;
	struct ptx_fixups fixups;
	struct ptx_locs locs;
	struct ptx_files files;
	struct ptx_sections sections;
	uint32_t *loc_slots; /* hash table over (file, line, col): latest loc + 1 */
	uint32_t n_loc_slots;
	struct ptx_slice debug_str;   /* bytes of the .debug_str section */
	struct hash_map file_numbers; /* numbers as written -> index into files */
	struct hash_map debug_labels; /* its labels -> offset */
	struct hash_map pending;      /* label -> its newest open fixup + 1, 0: none */
	struct hash_map numbered;     /* prefix -> index into numbered_list */
	struct ptx_numbered **numbered_list;
	size_t n_numbered, cap_numbered;
	struct ptx_stem stems[PTX_STEM_CACHE];
	uint8_t keyword_slots[256];
};

/* parse.c: tokens, errors, recovery */
void ptx_parse_advance(struct ptx_parser *p);
/* Reports at a place; every message says what is wrong and what was expected. */
__attribute__((format(printf, 3, 4))) void ptx_parse_error(struct ptx_parser *p, ptx_offset at, const char *fmt, ...);
/* "expected WHAT, found ..." at the current token. Always false. */
bool ptx_parse_unexpected(struct ptx_parser *p, const char *what);
bool ptx_parse_accept(struct ptx_parser *p, unsigned kind);
bool ptx_parse_expect(struct ptx_parser *p, unsigned kind, const char *what);
/* Past the next `;` of this statement, or to the brace or the line where another one begins. */
void ptx_parse_skip_statement(struct ptx_parser *p);
struct ptx_slice ptx_parse_slice(const struct ptx_parser *p, const struct ptx_token *t);
/* The keyword a DIRECTIVE token is, KW_NONE for any other token. */
enum ptx_keyword ptx_parse_keyword(const struct ptx_parser *p, const struct ptx_token *t);
/* A name for a message: at most 60 bytes, printable, NUL-terminated, in the module's pool. */
const char *ptx_parse_show(struct ptx_parser *p, struct ptx_slice s);
/* With a literal, the length is compared first and at compile time. */
static inline bool ptx_slice_is(struct ptx_slice s, const char *word)
{
	return s.n == strlen(word) && !memcmp(s.s, word, s.n);
}
/* True if the module's .version is at least that. */
bool ptx_parse_version_at_least(const struct ptx_parser *p, unsigned major, unsigned minor);
/* An INT token that fits 32 bits. */
bool ptx_parse_u32(struct ptx_parser *p, uint32_t *v, const char *what);
uint32_t ptx_parse_line(struct ptx_parser *p, ptx_offset at);

/* `.target sm_75` between instructions, which ptxas reads and forgets. */
bool ptx_parse_inner_target(struct ptx_parser *p);

/* parse_name.c: declaring and resolving names */
/* Puts a symbol into the current scope; false (reported) if the name is taken there. */
bool ptx_parse_declare(struct ptx_parser *p, struct ptx_symbol *sym);
struct ptx_symbol *ptx_parse_resolve(struct ptx_parser *p, const struct ptx_token *t, uint32_t *number);
/* Reports an undeclared name once per function. */
void ptx_parse_undeclared(struct ptx_parser *p, const struct ptx_token *t);
struct ptx_symbol *ptx_parse_new_symbol(struct ptx_parser *p, enum ptx_symbol_kind kind, const struct ptx_token *name);
void ptx_parse_enter(struct ptx_parser *p, struct ptx_scope *s);
void ptx_parse_leave(struct ptx_parser *p);
/* True if `name` may be declared by the user; reports otherwise. */
bool ptx_parse_declarable(struct ptx_parser *p);

/* parse_decl.c */
/* A variable or register declaration from its state space on; at the end past the `;`. */
bool ptx_parse_variables(struct ptx_parser *p, enum ptx_linkage linkage);
/* One parameter: `.param .u32 x`, `.reg .f32 y`; NULL on error. `unnamed`: `_` stands for the name (call prototypes). */
struct ptx_symbol *ptx_parse_parameter(struct ptx_parser *p, bool unnamed);
bool ptx_parse_is_space(enum ptx_keyword k);

/* parse_func.c */
bool ptx_parse_function(struct ptx_parser *p, enum ptx_linkage linkage);
bool ptx_parse_alias(struct ptx_parser *p);
/* Return list, `_` or name, parameter list: of .callprototype. */
struct ptx_function *ptx_parse_prototype(struct ptx_parser *p);

/* parse_directive.c: .maxntid and the like, up to the body or the semicolon */
bool ptx_parse_directives(struct ptx_parser *p, struct ptx_function *f);

/* parse_body.c: from `{` to past the matching `}` */
void ptx_parse_body(struct ptx_parser *p, struct ptx_function *f);

/* parse_operand.c */
bool ptx_parse_operands(struct ptx_parser *p, struct ptx_insn *insn);
/* Notes a label to be filled in when its scope ends. */
void ptx_parse_fixup(struct ptx_parser *p, struct ptx_slice name, struct ptx_symbol **place, ptx_offset at);

/* parse_debug.c */
bool ptx_parse_file(struct ptx_parser *p);
bool ptx_parse_loc(struct ptx_parser *p);
bool ptx_parse_section(struct ptx_parser *p);
bool ptx_parse_dwarf_line(struct ptx_parser *p);
bool ptx_parse_pragma(struct ptx_parser *p, bool at_module);
/* Turns the labels in function_name into the names they stand for. */
void ptx_parse_debug_names(struct ptx_parser *p);

/* const_expr.c */
bool ptx_parse_const(struct ptx_parser *p, struct ptx_value *v);
/* The value as an integer operand: false (reported at `at`) for a float. */
bool ptx_parse_const_int(struct ptx_parser *p, struct ptx_value *v);
double ptx_value_f64(const struct ptx_value *v);

/* init.c: after `=`; fills sym->init, and the first dimension if it was unsized */
bool ptx_parse_init(struct ptx_parser *p, struct ptx_symbol *sym);

/* Copies a growing array into the pool. */
#define PTX_POOL_COPY(p, list) \
	((list).n ? pool_dup(&(p)->m->pool, (list).v, (list).n * sizeof(__typeof__(*(list).v))) : NULL)
/* Makes room for one more element of a growing array. */
#define PTX_GROW(list) ((list).v = xgrow((list).v, &(list).cap, (list).n + 1, sizeof(__typeof__(*(list).v))))

#endif
