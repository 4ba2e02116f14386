/* Private to the parser: its state and the functions that its files share.
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

/* A use of a label before its definition: `place` gets the symbol at the definition. Uses of one name are chained from p->pending, the newest first. */
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
	bool skipping;	      /* recovering: bad tokens are skipped without an error */
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
	struct ptx_operand *no_operands; /* the operands of an instruction without operands */
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

/* ---- parse_token.c ---- */
/* Fills the table of keywords; call it once before the first keyword is looked up. */
void ptx_parse_keywords_init(struct ptx_parser *p);
/* Reads the next token into p->tok. */
void ptx_parse_advance(struct ptx_parser *p);
/* Reports an error at a byte offset; a message says what is wrong and what was expected. */
__attribute__((format(printf, 3, 4))) void ptx_parse_error(struct ptx_parser *p, ptx_offset at, const char *fmt, ...);
/* Reports "expected WHAT, found ..." at the current token. Always returns false. */
bool ptx_parse_unexpected(struct ptx_parser *p, const char *what);
/* Reports that a ';' is missing behind the previous token, at its end, if the present token begins a line or is '}'. Returns false, without a report, if
 * it isn't so. */
bool ptx_parse_missing_semicolon(struct ptx_parser *p);
/* Advances past the current token and returns true if it is of that kind. */
bool ptx_parse_accept(struct ptx_parser *p, unsigned kind);
/* Advances past the current token if it is of that kind; else reports that `what` was expected and returns false. */
bool ptx_parse_expect(struct ptx_parser *p, unsigned kind, const char *what);
/* Skips to behind the next `;` of this statement, or to the brace or the line that begins another statement. */
void ptx_parse_skip_statement(struct ptx_parser *p);
/* Returns the text of a token. */
struct ptx_slice ptx_parse_slice(const struct ptx_parser *p, const struct ptx_token *t);
/* Returns the keyword of a DIRECTIVE token, or KW_NONE for any other token. */
enum ptx_keyword ptx_parse_keyword(const struct ptx_parser *p, const struct ptx_token *t);
/* Returns a name for a message: at most 60 bytes, printable, NUL-terminated, in the module's pool. */
const char *ptx_parse_show(struct ptx_parser *p, struct ptx_slice s);
/* Returns whether a slice equals a word; with a literal the length is known at compile time. */
static inline bool ptx_slice_is(struct ptx_slice s, const char *word)
{
	return s.n == strlen(word) && !memcmp(s.s, word, s.n);
}
/* Reads an INT token that fits 32 bits into *v; else reports that `what` was expected and returns false. */
bool ptx_parse_u32(struct ptx_parser *p, uint32_t *v, const char *what);
/* Returns the line, from 1, of a byte offset. */
uint32_t ptx_parse_line(struct ptx_parser *p, ptx_offset at);

/* ---- parse_target.c ---- */
/* Returns whether the module's .version is at least major.minor. */
bool ptx_parse_version_at_least(const struct ptx_parser *p, unsigned major, unsigned minor);
/* Sets the module's architecture if the word is one, like sm_75 or compute_90a; reports one that the module's .version doesn't have. Returns
 * false if the word is no architecture. */
bool ptx_parse_architecture(struct ptx_parser *p, struct ptx_slice s);
/* Skips `.target sm_75` between instructions, which ptxas accepts without effect. Returns false after an error that makes the caller skip the statement. */
bool ptx_parse_inner_target(struct ptx_parser *p);

/* parse_name.c: declaring and resolving names */
/* Adds a symbol to the current scope. Reports an error and returns false if the scope has that name. */
bool ptx_parse_declare(struct ptx_parser *p, struct ptx_symbol *sym);
/* Returns the symbol that a name token refers to, or NULL, and stores a range register's number in *number. */
struct ptx_symbol *ptx_parse_resolve(struct ptx_parser *p, const struct ptx_token *t, uint32_t *number);
/* Reports an undeclared name once per function. */
void ptx_parse_undeclared(struct ptx_parser *p, const struct ptx_token *t);
/* Allocates a symbol with the name of a token. */
struct ptx_symbol *ptx_parse_new_symbol(struct ptx_parser *p, enum ptx_symbol_kind kind, const struct ptx_token *name);
/* Makes a scope the current one. */
void ptx_parse_enter(struct ptx_parser *p, struct ptx_scope *s);
/* Returns to the scope around the current one. */
void ptx_parse_leave(struct ptx_parser *p);
/* Returns whether the current token is a name that may be declared; reports an error otherwise. */
bool ptx_parse_declarable(struct ptx_parser *p);

/* parse_decl.c */
/* Parses a variable or register declaration from its state space to behind the `;`. Returns false after an error that makes the caller skip the statement. */
bool ptx_parse_variables(struct ptx_parser *p, enum isa_linkage linkage);
/* Parses one parameter (`.param .u32 x`, `.reg .f32 y`) and returns its symbol, or NULL after an error. With `unnamed` the name may be `_` (call prototypes). */
struct ptx_symbol *ptx_parse_parameter(struct ptx_parser *p, bool unnamed);
/* Returns whether a keyword is a state space. */
bool ptx_parse_is_space(enum ptx_keyword k);

/* parse_func.c */
/* Parses .entry or .func, declaration or definition. Returns false after an error that makes the caller skip the statement. */
bool ptx_parse_function(struct ptx_parser *p, enum isa_linkage linkage);
/* Parses .alias. Returns false after an error that makes the caller skip the statement. */
bool ptx_parse_alias(struct ptx_parser *p);
/* Parses return list, `_` or name, and parameter list of .callprototype; returns NULL after an error. */
struct ptx_function *ptx_parse_prototype(struct ptx_parser *p);

/* Parses .maxntid and the like, up to the body or the semicolon (parse_directive.c). Returns false after an error that makes the caller skip the statement. */
bool ptx_parse_directives(struct ptx_parser *p, struct ptx_function *f);

/* Parses a body from `{` to behind the matching `}` (parse_body.c). */
void ptx_parse_body(struct ptx_parser *p, struct ptx_function *f);

/* parse_operand.c */
/* Parses the operands of an instruction up to its semicolon. Returns false after an error that makes the caller skip the statement. */
bool ptx_parse_operands(struct ptx_parser *p, struct ptx_insn *insn);
/* Records that `place` gets the label `name` when the label is defined. */
void ptx_parse_fixup(struct ptx_parser *p, struct ptx_slice name, struct ptx_symbol **place, ptx_offset at);

/* parse_debug.c */
/* Parses .file. Returns false after an error that makes the caller skip the statement. */
bool ptx_parse_file(struct ptx_parser *p);
/* Parses .loc. Returns false after an error that makes the caller skip the statement. */
bool ptx_parse_loc(struct ptx_parser *p);
/* Parses .section. Returns false after an error that makes the caller skip the statement. */
bool ptx_parse_section(struct ptx_parser *p);
/* Checks and skips a line `@@DWARF ...`, the debug information of PTX 1.x. Returns false after an error that makes the caller skip the statement. */
bool ptx_parse_dwarf_line(struct ptx_parser *p);
/* Parses .pragma, at module level or in a body. Returns false after an error that makes the caller skip the statement. */
bool ptx_parse_pragma(struct ptx_parser *p, bool at_module);
/* Replaces the labels in function_name of the .loc entries by the names at them. */
void ptx_parse_debug_names(struct ptx_parser *p);

/* const_expr.c */
/* Parses a constant expression into *v. Returns false after an error that makes the caller skip the statement. */
bool ptx_parse_const(struct ptx_parser *p, struct ptx_value *v);
/* Parses a constant expression that must be an integer. Returns false after an error that makes the caller skip the statement. */
bool ptx_parse_const_int(struct ptx_parser *p, struct ptx_value *v);
/* Returns a value as a double. */
double ptx_value_f64(const struct ptx_value *v);

/* Parses the initialiser after `=` into sym->init, and sets the first dimension if it was unsized (initializer.c). Returns false after an error that makes the caller skip the statement. */
bool ptx_parse_init(struct ptx_parser *p, struct ptx_symbol *sym);

/* Copies a growing array into the pool. */
#define PTX_POOL_COPY(p, list) \
	((list).n ? pool_dup(&(p)->m->pool, (list).v, (list).n * sizeof(__typeof__(*(list).v))) : NULL)
/* Makes room for one more element of a growing array. */
#define PTX_GROW(list) ((list).v = xgrow((list).v, &(list).cap, (list).n + 1, sizeof(__typeof__(*(list).v))))

#endif
