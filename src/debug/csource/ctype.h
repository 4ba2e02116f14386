/* Types of the program's own source, as its debug information describes them.
 *
 * They live as long as the session: values in the history refer to them. A type contains itself by value nowhere, and the way through
 * typedefs, const and volatile ends; ctype_read.c guarantees both. */
#ifndef DEBUG_CTYPE_H
#define DEBUG_CTYPE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/pool.h"
#include "base/text.h"
#include "isa/types.h"

enum ctype_kind {
	CTYPE_VOID,
	CTYPE_BASE,
	CTYPE_ENUM,
	CTYPE_POINTER,
	CTYPE_REFERENCE,
	CTYPE_ARRAY,
	CTYPE_STRUCT,
	CTYPE_CLASS,
	CTYPE_UNION,
	CTYPE_FUNCTION,
	CTYPE_TYPEDEF,
	CTYPE_CONST,
	CTYPE_VOLATILE
};

/* A member of a structure, class or union, a base class's part of one, or a constant of an enumeration. */
struct ctype_member {
	const char *name; /* NULL: anonymous */
	const struct ctype *type;
	uint64_t offset; /* bytes from the structure's beginning */
	uint8_t bit_size; /* of a bit-field, 0: none; then its lowest bit is `bit_shift` up from that of the byte at `offset` */
	uint8_t bit_shift;
	bool is_base; /* it is a base class's part */
	int64_t value;
};

struct ctype {
	enum ctype_kind kind;
	const char *name;	    /* NULL: none */
	uint64_t bytes;		    /* 0: unknown, or an array of unknown length */
	const struct ctype *target; /* pointed to, element, result, or the same without const; NULL: void */
	uint64_t count;		    /* elements */
	bool is_open;		    /* an array of unknown length */
	enum isa_type scalar; /* BASE, ENUM: the PTX type of the same bits and meaning; ISA_NOTYPE: there is none */
	bool is_char, is_bool;
	char wide; /* L, u or U: a character of more than one byte; 0: none */
	bool is_scoped;	  /* an enum class */
	bool is_flags;	  /* an enumeration of bits: values are shown as (A | B) */
	bool is_rvalue;	  /* T && */
	bool is_declared; /* only its name is known */
	const struct ctype_member *members;
	uint32_t n_members;
	struct ctype *pointer;	       /* pointer to this type; made on first use */
	struct ctype *element_pointer; /* ARRAY: pointer to an element; made on first use */
	struct ctype *arrays,
		*next_array; /* arrays of this type that were made; next array of the same element type */
};

/* Returns a type without typedefs, const and volatile; never NULL (NULL is void). */
const struct ctype *ctype_core(const struct ctype *t);
/* Returns a type without typedefs, const and volatile. Of a reference returns the type that it refers to, also without these. Never returns NULL. */
const struct ctype *ctype_value(const struct ctype *t);
/* Returns whether a type that ctype_core returned is a structure, class or union. */
static inline bool ctype_is_struct(const struct ctype *core)
{
	return core->kind == CTYPE_STRUCT || core->kind == CTYPE_CLASS || core->kind == CTYPE_UNION;
}
/* Returns the bytes of a value of the type, or of the object that a reference refers to; 0 if unknown. Returns 1 for void and functions: pointers to
 * them step by 1. */
uint64_t ctype_bytes(const struct ctype *t);

/* Returns the type of a pointer to t, made in the pool on first use; of void (NULL) a new one each time. */
struct ctype *ctype_pointer_to(struct pool *pool, const struct ctype *t);
/* Returns the type of an array of `count` elements of type t, made in the pool on first use, of void each time. Its size is 0 if the size overflows 64
 * bits. */
const struct ctype *ctype_array_of(struct pool *pool, const struct ctype *t, uint64_t count);

/* Returns the member of a name of n bytes, and stores its offset from the structure's beginning. Members of base classes and of unnamed structures and
 * unions count. CLASS::NAME searches only CLASS, which is the structure itself or a base class. Returns NULL if there is none. */
const struct ctype_member *ctype_member(const struct ctype *structure, const char *name, size_t n, uint64_t *offset);

/* The name of a lambda's member that is the object captured with *this, or points to the one captured with `this`; gcc calls it so, too. */
#define CTYPE_CAPTURED_THIS "__this"
/* Returns the type of the object that a lambda, of a type without typedefs, has captured with `this` or *this. Returns NULL if there is none. */
const struct ctype *ctype_captured_this(const struct ctype *closure);

/* Appends a type as gdb writes it (`const float *`). With `expanded` appends also the body of a structure or enumeration and resolves typedefs, as
 * ptype does. */
void ctype_text(const struct ctype *t, bool expanded, struct text *out);
/* Appends a declaration: `int *name[3]`. */
void ctype_declaration_text(const struct ctype *t, const char *name, struct text *out);
/* Appends `type = struct ...` with the offsets and sizes of members and the holes between them, as ptype /o does. t: a structure, class or union. */
void ctype_offsets_text(const struct ctype *t, struct text *out);
#endif
