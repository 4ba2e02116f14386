/* Names of the program's source: variables, their scopes and types, from the debug information that a compiler has left in the PTX (-G, -g). A file's information
 * is read at the first look-up that needs it, and kept for the session. */
#ifndef DEBUG_CNAMES_H
#define DEBUG_CNAMES_H

#include "check/check.h"
#include "debug/csource/ctype.h"
#include "debug/view/scope.h"
#include "isa/program.h"

struct debug;

/* The location of a variable while a thread is at one of the instructions [first, end). */
struct cplace {
	uint32_t first, end;
	enum {
		CPLACE_NONE,	 /* unknown */
		CPLACE_REGISTER, /* in `reg` */
		CPLACE_VARIABLE, /* `offset` bytes into a variable of PTX */
		CPLACE_INDIRECT, /* at the address in `reg`, plus `offset` */
		CPLACE_VALUE	 /* none; `offset` is the value */
	} kind;
	struct isa_reg_place reg;
	const struct isa_variable *variable;
	int64_t offset;
	bool is_pointed_to; /* the location holds the variable's address */
};

struct cvar {
	const char *name;
	const struct ctype *type;
	uint32_t line; /* of its declaration, 0: unknown */
	bool is_param;
	const struct isa_variable *parameter; /* an argument's PTX parameter; NULL if unknown, or if the variable is no argument */
	const struct cplace *places; /* ascending; none if the variable was optimized out */
	uint32_t n_places;
};

/* Returns the innermost scope around instruction `pc` of function `f`, or with `inlined` the scope that many inlined calls further out. Returns NULL
 * if there is no debug information for the function, or there are fewer calls. */
const struct cscope *cnames_scope(struct debug *d, const struct isa_function *f, uint32_t pc, uint32_t inlined);
/* Returns the scope of a function, and reads the file's debug information at the first look-up. Returns NULL if that information is missing or
 * malformed, or has no such function. */
const struct cscope *cnames_function(struct debug *d, const struct isa_function *f);
/* Returns the variable of a name of n bytes in scope s or one around s, up to the function that has a frame. Returns NULL if there is none. If only a
 * method's object has a member of that name, returns NULL and stores the variable `this` in *self, else NULL there; `self` may be NULL. */
const struct cvar *cnames_local(const struct cscope *s, const char *name, size_t n, const struct cvar **self);
/* Returns whether a name of n bytes is a variable visible in scope s (NULL: none is), or a member of the method's object around it. */
bool cnames_is_local(const struct cscope *s, const char *name, size_t n);
/* Returns the module-scope variable of a name of n bytes in the file of f (f may be NULL), else in any loaded file, the newest first. Returns NULL if
 * there is none. */
const struct cvar *cnames_global(struct debug *d, const struct isa_function *f, const char *name, size_t n);
/* Returns the module-scope variable of a name of n bytes, PTX's or the source's, in one file's debug information. Returns NULL if there is none, or
 * several have the source's name. */
const struct cvar *cnames_global_of(struct debug *d, uint32_t file, const char *name, size_t n);
/* Returns the static variable, in scope s or a scope inside it, that PTX variable `var` holds. Returns NULL if there is none; s may be NULL. */
const struct cvar *cnames_static(const struct cscope *s, const struct isa_variable *var);
/* Returns the variable of the source that a register, by its name in PTX, holds at instruction `pc`, else one that it holds elsewhere in a scope around
 * `pc`. Returns NULL if there is none, or no debug information. */
const struct cvar *cnames_in_register(struct debug *d, uint32_t pc, const char *name);
/* Appends the variable of a launch's kernel that a thread has at an offset of its local memory: `a[1]`, `s+4`. Returns false if there is none, or no debug
 * information. */
bool cnames_local_text(struct debug *d, uint32_t launch, uint64_t offset, struct text *out);
/* Stores where a function's arrays, structures and classes begin and end, as offsets in its frame of local memory, `cap` objects at most. Returns the
 * number stored. */
size_t cnames_frame_objects(struct debug *d, const struct isa_function *f, struct check_local *out, size_t cap);
/* Returns the variable's location at instruction `pc`, or NULL if the variable has no location there. */
const struct cplace *cvar_place(const struct cvar *v, uint32_t pc);
/* Returns the PTX parameter that still holds argument `v` at instruction `pc` of the prologue, because the argument's register hasn't been written
 * yet. Returns NULL if that register was written, `pc` is behind the prologue, or `v` has no known parameter. */
const struct isa_variable *cargument_untaken(const struct isa_program *p, const struct isa_function *f,
					     const struct cvar *v, uint32_t pc);
/* Returns whether instruction `pc` belongs to the function's prologue: its first instructions, up to a jump or another source line. */
bool cargument_in_prologue(const struct isa_program *p, const struct isa_function *f, uint32_t pc);
/* Returns the type of a name of n bytes and a kind (CTYPE_VOID: any). The user's last declaration comes before the newest loaded file that has the
 * type. A structure is also found without its namespaces' names in the file. Returns NULL if there is none. */
const struct ctype *cnames_type(struct debug *d, const char *name, size_t n, enum ctype_kind kind);
/* Adds a type that the user declares, which must live as long as the session. cnames_type prefers it to types declared earlier and to types of files. */
void cnames_declare(struct debug *d, const struct ctype *t);
/* Returns the type `char`, `signed char`, `unsigned char`, `bool`, `wchar_t`, `char16_t` or `char32_t`, which needs no debug information; NULL for other names. */
const struct ctype *cnames_char(struct debug *d, const char *name);
/* Returns a PTX type as a type of the source; NULL for ISA_NOTYPE. */
const struct ctype *cnames_ptx(struct debug *d, enum isa_type type);
/* Returns the enumeration constant of a name of n bytes, in the newest loaded file that has it; NULL if there is none. */
const struct ctype_member *cnames_constant(struct debug *d, const char *name, size_t n);
/* Calls fn with the name of each type that the user declared, and of each module-scope variable, type and constant of the loaded files. */
void cnames_each(struct debug *d, void (*fn)(void *self, const char *name), void *self);
/* Calls fn with each type that the user declared, and each type with a name of the loaded files. */
void cnames_each_type(struct debug *d, void (*fn)(void *self, const struct ctype *t), void *self);
/* Returns the pool from which types that live as long as the session are allocated. */
struct pool *cnames_pool(struct debug *d);
/* Frees all names and types of the session. */
void cnames_free(struct debug *d);

/* Appends a function's type with `inner` before the parameters, `void INNER(int, float *)`: in the source's types, or PTX's if there is no debug
 * information. */
void debug_function_type(struct debug *d, const struct isa_function *f, const char *inner, struct text *out);

#endif
