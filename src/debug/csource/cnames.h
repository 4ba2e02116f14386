/* What the program's source calls things: variables, their scopes and types, from the debug information a compiler has left in the PTX
 * (-G, -g). A file's information is read when the first name is asked for that needs it, and kept for the session. */
#ifndef DEBUG_CNAMES_H
#define DEBUG_CNAMES_H

#include "debug/csource/ctype.h"
#include "isa/program.h"

struct debug;

/* Where a variable is while a thread stands at one of the instructions [first, end). */
struct cplace {
	uint32_t first, end;
	enum {
		CPLACE_NONE,	 /* nowhere that could be said */
		CPLACE_REGISTER, /* in `reg` */
		CPLACE_VARIABLE, /* `offset` bytes into a variable of PTX */
		CPLACE_INDIRECT, /* at the address in `reg`, plus `offset` */
		CPLACE_VALUE	 /* it has no place, its value is `offset` */
	} kind;
	struct isa_reg_place reg;
	const struct isa_variable *variable;
	int64_t offset;
	bool is_pointed_to; /* what is there is the variable's address */
};

struct cvar {
	const char *name;
	const struct ctype *type;
	uint32_t line; /* of its declaration, 0: unknown */
	bool is_param;
	const struct isa_variable *parameter; /* a function's argument: the parameter of PTX that brings it; NULL: none, or not known */
	const struct cplace *places; /* in ascending order; none: it was optimized out */
	uint32_t n_places;
};

struct cscope_piece {
	uint32_t first, end; /* instruction indices */
};

/* A function, a function inlined into it, or a block of one. */
struct cscope {
	const struct cscope *parent, *child, *next; /* next: of the same parent */
	const struct cscope_piece *pieces;
	uint32_t n_pieces;
	const struct cvar *vars; /* parameters first, then in the order of their declarations */
	uint32_t n_vars;
	bool is_function, is_inlined;
	bool is_apart;		       /* inlined, so a frame of its own */
	const char *name;	       /* the function's in the source */
	const char *linkage;	       /* inlined: its mangled name, or `name` */
	uint32_t call_file, call_line; /* inlined: where it is called; line 0: unknown */
	const struct ctype *result;
};

/* The innermost scope around an instruction, seen from `inlined` levels of inlining up; NULL: nothing is known of the function. */
const struct cscope *cnames_scope(struct debug *d, const struct isa_function *f, uint32_t pc, uint32_t inlined);
const struct cscope *cnames_function(struct debug *d, const struct isa_function *f);
/* A variable of the scope or one around it, up to the function that has a frame. Of a method a member of its object is nearer than what
 * is around the method: then that is returned NULL and `this` in *self, unless `self` is NULL. */
const struct cvar *cnames_local(const struct cscope *s, const char *name, size_t n, const struct cvar **self);
/* Does a name mean anything there? */
bool cnames_is_local(const struct cscope *s, const char *name, size_t n);
/* A variable of the file, or of another one; NULL: none. */
const struct cvar *cnames_global(struct debug *d, const struct isa_function *f, const char *name, size_t n);
/* The one that a file's debug information has. */
const struct cvar *cnames_global_of(struct debug *d, uint32_t file, const char *name, size_t n);
/* The place at an instruction; NULL: it has none there. */
const struct cplace *cvar_place(const struct cvar *v, uint32_t pc);
/* The parameter that an argument of the function is still in at an instruction: the function hasn't taken it from there; NULL: it has. */
const struct isa_variable *cargument_untaken(const struct isa_program *p, const struct isa_function *f,
					     const struct cvar *v, uint32_t pc);
/* Is it one of the function's first instructions, which take its arguments? */
bool cargument_in_prologue(const struct isa_program *p, const struct isa_function *f, uint32_t pc);
/* A type by name, of a kind or (CTYPE_VOID) any; NULL: none. */
const struct ctype *cnames_type(struct debug *d, const char *name, size_t n, enum ctype_kind kind);
/* A type that the user declares: cnames_type finds it before those of files. */
void cnames_declare(struct debug *d, const struct ctype *t);
/* `char` and its two relatives, also where no file describes them. */
const struct ctype *cnames_char(struct debug *d, const char *name);
/* A type of PTX as one of the source. */
const struct ctype *cnames_ptx(struct debug *d, enum isa_type type);
/* A constant of an enumeration by its name, NULL: none. */
const struct ctype_member *cnames_constant(struct debug *d, const char *name, size_t n);
/* All variables of files, types and constants, for completion. */
void cnames_each(struct debug *d, void (*fn)(void *self, const char *name), void *self);
/* All types that have names. */
void cnames_each_type(struct debug *d, void (*fn)(void *self, const struct ctype *t), void *self);
/* Where new types go. */
struct pool *cnames_pool(struct debug *d);

void cnames_free(struct debug *d);

#endif
