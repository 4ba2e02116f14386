/* Tokens of PTX source text.
 *
 * The text need not end in NUL and may hold any bytes. The lexer never fails: text that is no token becomes PTX_TOK_BAD with a
 * message. Comments (also unterminated ones, reported once as BAD) and cpp line markers (`# 1 "x.c"`) are white space. */
#ifndef PTX_LEX_H
#define PTX_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ptx/ast.h"

/* One-character tokens are their own code. */
enum ptx_token_kind {
	PTX_TOK_END = 0,
	PTX_TOK_NAME = 256, /* identifiers, with %, $ and _; also the lone `_` */
	PTX_TOK_DIRECTIVE,  /* `.name`, with `::` parts; the text includes the dot */
	PTX_TOK_INT,	    /* bits, is_unsigned, overflow */
	PTX_TOK_FLOAT,	    /* bits: f64, or f32 when is_f32 */
	PTX_TOK_STRING,	    /* text includes the quotes */
	PTX_TOK_SHL,
	PTX_TOK_SHR,
	PTX_TOK_LE,
	PTX_TOK_GE,
	PTX_TOK_EQ,
	PTX_TOK_NE,
	PTX_TOK_AND,
	PTX_TOK_OR,
	PTX_TOK_BAD
};

struct ptx_token {
	uint16_t kind;
	bool is_f32;	    /* FLOAT: 0f literal */
	bool is_unsigned;   /* INT: U suffix, or above INT64_MAX */
	bool overflow;	    /* INT: more than 64 bits, wrapped */
	bool first;	    /* first token on its line */
	uint32_t at, n;	    /* text */
	uint32_t hash;	    /* NAME: ptx_name_hash of the text */
	uint32_t stem_hash; /* NAME: hash without the trailing digits */
	uint32_t n_stem;    /* NAME: length without the trailing digits */
	uint64_t bits;
	const char *error; /* BAD: what is wrong, a literal */
};

struct ptx_lexer {
	const char *text;
	uint32_t n, pos;
};

/* Begins to read n bytes of text. */
void ptx_lex_init(struct ptx_lexer *l, const char *text, uint32_t n);
/* Reads the next token; PTX_TOK_END at the end of the text. */
void ptx_lex_next(struct ptx_lexer *l, struct ptx_token *t);

/* Extends the name token `t` over the `.modifiers` and `::` parts of an opcode that follow without blanks. */
void ptx_lex_opcode(struct ptx_lexer *l, struct ptx_token *t);

#define PTX_NAME_HASH_START 2166136261u
/* Adds one character to the hash of a name (32-bit FNV-1a), so that the hash of each prefix is a by-product. */
static inline uint32_t ptx_name_hash_add(uint32_t h, char c) { return (h ^ (uint8_t)c) * 16777619u; }
/* Returns the hash of a name of n bytes. */
uint32_t ptx_name_hash(const char *s, size_t n);

/* Parses the number at the start of s into *t (lex_number.c) and returns the token's length, at least 1. */
uint32_t ptx_lex_number(const char *s, uint32_t n, struct ptx_token *t);

#endif
