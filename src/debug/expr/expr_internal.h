/* The tree of an expression; shared by its parser and its evaluation. */
#ifndef DEBUG_EXPR_INTERNAL_H
#define DEBUG_EXPR_INTERNAL_H

#include "base/pool.h"
#include "debug/csource/cnames.h"
#include "debug/expr/expr.h"
#include "debug/ground/ground.h"
#include "debug/view/focus.h"
#include "debug/view/view.h"

enum node_kind {
	NODE_NUMBER,
	NODE_STRING,
	NODE_NAME,
	NODE_DOLLAR,
	NODE_SPACE,
	NODE_UNARY,
	NODE_BINARY,
	NODE_AND,
	NODE_OR,
	NODE_IF,
	NODE_CAST,
	NODE_INDEX,
	NODE_SLICE,
	NODE_ASSIGN,
	NODE_STEP,
	NODE_SIZEOF,
	NODE_FIELD,
	NODE_STATISTIC,
	NODE_MEMBER,
	NODE_CALL,
	NODE_LIST
};

enum expr_op {
	OP_NONE,
	OP_ADD,
	OP_SUB,
	OP_MUL,
	OP_DIV,
	OP_REM,
	OP_SHL,
	OP_SHR,
	OP_AND,
	OP_XOR,
	OP_OR,
	OP_EQ,
	OP_NE,
	OP_LT,
	OP_LE,
	OP_GT,
	OP_GE,
	OP_REPEAT /* @ */,
	OP_COMMA,
	OP_NEG,
	OP_PLUS,
	OP_NOT,
	OP_INVERT,
	OP_DEREF,
	OP_ADDRESS
};

/* A type of the source as it is written: `struct list *`, `pair_t`, `vec<float, 4>`. name NULL: none. */
struct source_type {
	const char *name;
	uint32_t n;
	enum ctype_kind kind; /* as the keyword says, VOID: none was given; BASE: a character of C, or bool */
	uint8_t pointers;
};
/* [8][8] of a cast; the first one 0: as many as there is room for. */
#define ARRAY_DIMS_MAX 8
struct array_dims {
	unsigned n;
	uint64_t size[ARRAY_DIMS_MAX];
};
/* Parses array dimensions, `[]` (stored as 0) or `[N]` and more `[N]`, and moves *s behind them; there may be no dimension. Returns false if one is
 * malformed or there are too many. */
bool expr_scan_dims(const char **s, struct array_dims *out);
/* Returns the space of cuda-gdb's word in front of a type, @shared, behind const and volatile. Returns ISA_SPACE_GENERIC if there is none, and for
 * @global and @generic. */
enum isa_space expr_space_word(const char *s);
/* Parses char, unsigned char *, bool, ... and moves *s behind it. Returns false, with *s unchanged, if no such type comes next. */
bool expr_scan_char_type(const char **s, struct source_type *out);
/* Parses `struct list *`, `pair_t`, ... and moves *s behind it; out->name points into the text. Returns false, with *s unchanged, if there is no
 * name. */
bool expr_scan_source_type(const char **s, struct source_type *out);
/* Returns the type of the CUDA source that *t names, with t->pointers levels of pointer. `struct` and `class` find each other's types; kind CTYPE_VOID
 * finds any kind. Returns NULL, with an error in `why`, if the source has no such type. */
const struct ctype *expr_source_type(struct debug *d, const struct source_type *t, struct text *why);

/* How expr_true_lanes reads a node at an instruction (expr_lanes.c). */
struct row_binding {
	bool is_row, is_rows_alone; /* it is a row; a condition of rows, && || and ! */
	bool is_constant; /* a row with the same number, that of the node, in all threads */
	bool is_load;	  /* a row of what lies in memory at `base`, plus the register `ref` unless that is ISA_REF_NONE, plus `scale` times the subscript */
	bool reads;	  /* it, or a part of it, is a load: the evaluation can fail */
	uint64_t base, scale;
	uint8_t bytes; /* NAME: of a lane's value in the row */
	enum isa_type type;
	uint32_t ref;
	bool known; /* of the root: the binding of all nodes is valid for this pc, program and number of buffers */
	uint32_t pc, generation, launch;
	uint64_t changes; /* debug_changes */
	size_t n_buffers;
};

/* NAME: text, n (registers with their %, dimensions with their dot). DOLLAR: text after the $. SPACE: space, a the address,
 * b the last address of a slice or NULL, c the same as subscripts of a variable that may have the space's name. CAST, SIZEOF of a type (a NULL): type, pointers. ASSIGN: op for += and so on.
 * STEP: op ADD or SUB, is_post. MEMBER: text, n; is_post for ->. NAME: is_global if written with :: in front. CAST: space, if cuda-gdb's
 * word for one (@shared) was there; dims, if to an array, is_post if of what is at an address, {f32[8]} ADDR. FIELD: text the path with [] for
 * the indices a, b, c; of a slice the index is a SLICE from b to c. STATISTIC: text the name after $stat. BINARY OP_REM: is_tight if a name
 * stands right after the %. CALL: text the name after $; a, b, c the arguments. LIST, {1, 2}: a the first
 * element, b the LIST of the others or NULL. */
struct node {
	enum node_kind kind;
	enum expr_op op;
	struct node *a, *b, *c;
	const char *text;
	uint32_t n;
	enum isa_type type;
	uint8_t pointers, space;
	const struct array_dims *dims; /* CAST, SIZEOF: NULL: no array */
	struct source_type source; /* CAST, SIZEOF: instead of type and pointers; NUMBER: of a character */
	bool is_post, is_tight, is_global;
	struct expr_value number;
	/* NAME: what a register name meant the last time, for conditions that are evaluated over and over */
	uint32_t bound_pc, bound_generation;
	bool bound;
	struct isa_reg_place reg;
	/* NAME: the variable of the source that it meant there, NULL: none */
	uint32_t local_pc, local_generation, local_inlined;
	bool local_known;
	const struct cvar *local, *self; /* self: none, but of the object that this points to it is a member */
	/* NAME: the function it meant the last time, NULL: none; a look at all of them takes long */
	bool function_known;
	uint32_t function_generation;
	const struct isa_function *function;
	struct row_binding row;
};

struct expr {
	struct pool pool;
	struct node *root;
	char *text;
	bool assigns;
};

/* Computes `a op b`; both operands are converted in place. Returns false, with an error in `why`, if they don't fit the operator. */
bool value_binary(enum expr_op op, struct expr_value *a, struct expr_value *b, struct expr_value *out,
		  struct text *why);
/* Computes `op a`; the operand is converted in place. Returns false, with an error in `why`, if the operand doesn't fit the operator. */
bool value_unary(enum expr_op op, struct expr_value *a, struct expr_value *out, struct text *why);
/* Converts an array in memory, PTX's or the source's, to a pointer to its first element in place; other values stay. */
void value_decay(struct expr_value *v);

/* An evaluation under way: whose registers and memory, and where messages go. */
struct eval {
	struct debug *d;
	const struct debug_thread *t;
	struct debug_where w;
	struct debug_frame f;
	bool has_thread, has_frame;
	bool place_only; /* of a name: & asks where it is, what is there needn't be readable */
	bool own_places; /* of arguments that are still in their parameters: where they are going to be */
	bool types_only; /* memory of the source's variables needn't be there: their types are asked for */
	uint32_t level;
	struct text *why;
};

#define ARRAY_BYTES_MAX (UINT64_C(64) << 20)

/* Evaluates a node of the tree; *out is overwritten, and the caller frees it. Returns false, with an error in v->why, if it has no value. */
bool eval_node(struct eval *v, struct node *n, struct expr_value *out);

/* Returns the node that `n` stands for: for a NODE_SPACE (`shared[3]`) whose name is also a variable of the source at the thread's place, that
 * variable with its subscripts; else `n` itself. */
struct node *eval_meant(struct eval *v, struct node *n);
/* Evaluates the subscript of a NODE_INDEX or NODE_SLICE: an integer, or coordinates X,Y[,Z] of a texel of the texture or surface that the node names.
 * Stores the element's number. Returns false, with an error in v->why, if it is none, or there is no such texel. (expr_texel.c) */
bool eval_subscript(struct eval *v, const struct node *n, int64_t *out);
/* A texel in memory. */
struct texel_place {
	uint64_t address;
	enum isa_type type; /* of a channel */
	unsigned channels;
};
/* Finds the texel that NAME[X,Y[,Z]] means in a texture or surface of the program: NAME is the allocation of its texels, a handle, or a reference that is bound. *is_texel:
 * the node means one. Returns false, with an error in v->why, if there is no such texel. (expr_texel.c) */
bool eval_texel(struct eval *v, const struct node *n, struct texel_place *out, bool *is_texel);
/* Evaluates node `n` to an integer; a pointer or array gives its address. Returns false, with an error in v->why, if the node has no value, or one of
 * a float or another type. */
bool eval_integer(struct eval *v, struct node *n, int64_t *out);
/* Returns the thread for which *v evaluates. Returns NULL if there is none. */
static inline const struct debug_where *eval_where(const struct eval *v) { return v->has_thread ? &v->w : NULL; }
/* Loads a scalar or pointer from a generic address, with its place. Returns false, with an error in v->why, if the memory can't be read. */
bool eval_load(struct eval *v, struct expr_value *out, enum isa_type t, unsigned pointers, uint64_t address);
/* Makes an array in memory without reading its elements; *out is overwritten. */
void eval_array(struct expr_value *out, enum isa_type t, unsigned pointers, uint64_t address, uint64_t count);
/* Returns the element type of PTX's variable: its own, or for an array of bytes in shared memory the type by which kernels access it, if
 * they agree. Says in a note, the first time, which type that is or that it is bytes. */
enum isa_type eval_element_type(struct debug *d, const struct isa_variable *var);
/* Reads the elements of an array or object in memory unless they were read. Returns false, with an error in v->why, if they can't be read or are more
 * than ARRAY_BYTES_MAX. */
bool eval_load_array(struct eval *v, struct expr_value *a);
/* Returns whether a name is warpSize, or threadIdx, blockIdx, blockDim, gridDim, %tid, %ctaid, %ntid or %nctaid, alone or with a part (.x). */
bool expr_is_cuda_name(const char *name);
/* Evaluates a name. `want_array`: arrays and buffers come before registers and scalar parameters. Returns false, with an error in v->why, if it has
 * no value. */
bool eval_name(struct eval *v, struct node *n, bool want_array, struct expr_value *out);
/* Where a name stands that is checked without a thread. function NULL: anywhere. */
struct name_place {
	struct debug *d;
	const struct isa_function *function;
	uint32_t pc;
};
/* What only PTXPlus has (expr_plus.c): `$r1`; `$r1.lo`, `$p0.lt`; `s[0x40]`, `constant0[8]`. */
enum plus_kind { PLUS_NOTHING, PLUS_REGISTER, PLUS_PART, PLUS_MEMORY };
struct plus_found {
	struct isa_reg_place reg; /* REGISTER, PART */
	enum isa_space space;	  /* MEMORY, */
	uint64_t base;		  /* and the address in it to which the subscript is added */
};
/* Returns what a node means in PTXPlus at a place, a register, part of one, or memory, and stores which in *out. Returns PLUS_NOTHING if it means
 * none of these, or the function isn't PTXPlus. */
enum plus_kind plus_find(const struct name_place *at, const struct node *n, struct plus_found *out);
/* Evaluates what plus_find finds. *ok is false, with an error in v->why, if that fails. Returns false if the node is nothing of PTXPlus. */
bool eval_plus(struct eval *v, struct node *n, struct expr_value *out, bool *ok);
/* Returns true if a name may have a value at the place *at; if the place has no function, at any place. */
bool expr_name_is_known(const struct name_place *at, const struct node *n);
/* Returns true if the name is a register, variable, parameter, buffer, or variable of the source at the place; if the place has no function, in any
 * loaded function. (expr_check.c) */
bool name_is_symbol(const struct name_place *at, const struct node *n);
/* Evaluates function `f`, or if that is NULL or has no body the label `name`, to the address of the first instruction. Returns false if there is no
 * such label either. */
bool eval_code(struct eval *v, const struct isa_function *f, const char *name, size_t n, struct expr_value *out);
/* Writes a register's name with the % that it was written without, and a NUL. Returns its length, 0 if the name is empty, has a % or $ already or is
 * too long for `n_out` bytes. */
size_t expr_with_percent(const char *s, size_t n, char *out, size_t n_out);
/* Evaluates part `dim` (x, y, z or w) of the vector register that a node names; *ok is false, with an error in v->why, if that fails. Returns false
 * if the node names no vector register. */
bool eval_vector_part(struct eval *v, const struct node *n, char dim, struct expr_value *out, bool *ok);

/* Makes a scalar or pointer of one of the source's types from its bytes; out->place stays. */
void cvalue_scalar(struct expr_value *out, const struct ctype *t, const void *bytes);
/* Makes a value of one of the source's types at a generic address; a reference there stands for what it refers to. `load` false: only place and type,
 * for &. Returns false, with an error in v->why, if the memory can't be read. */
bool cvalue_at(struct eval *v, bool load, const struct ctype *t, uint64_t address, struct expr_value *out);
/* Evaluates a variable of the source; one that was optimized out gives a missing value. Returns false, with an error in v->why, if it has no
 * value. */
bool cvalue_variable(struct eval *v, const struct cvar *var, struct expr_value *out);
/* Evaluates member n->text of *s, a structure, or a pointer to one, which is replaced by its structure. `load` false: only place and type. Returns
 * false, with an error in v->why, if there is no such member or value. */
bool cvalue_member(struct eval *v, struct expr_value *s, const struct node *n, bool load, struct expr_value *out);
/* Evaluates element `i` of an array or pointer of the source's types. With `load` false, an element in memory gets its place and type alone. Returns
 * false, with an error in v->why, if it has no value. */
bool cvalue_index(struct eval *v, const struct expr_value *base, int64_t i, bool load, struct expr_value *out);
/* Evaluates `count` elements from `first` of an array or pointer of the source's types, as an array. Returns false, with an error in v->why, if that
 * fails. */
bool cvalue_slice(struct eval *v, const struct expr_value *base, int64_t first, uint64_t count, struct expr_value *out);
/* Makes a pointer of the source's types to a value in memory, or for a reference to the object that it refers to. */
void cvalue_address(struct eval *v, const struct expr_value *x, struct expr_value *out);
/* Returns whether the value is an array or a pointer of the source's types. */
bool cvalue_has_elements(const struct expr_value *v);
/* Returns the type that a pointer of the source's types points to. Returns NULL if the value is no such pointer. */
const struct ctype *cvalue_pointed(const struct expr_value *v);
/* Returns the source's variable that a name means at the thread's instruction, and sets n->self for a member of the method's object. Returns NULL
 * if there is no such variable or no frame. */
const struct cvar *cvalue_local(struct eval *v, struct node *n);
/* Evaluates a name as a member of the object whose method the frame is in; *ok is false, with an error in v->why, if that fails. Returns false if the
 * name is a local variable or no such member. */
bool cvalue_own_member(struct eval *v, struct node *n, struct expr_value *out, bool *ok);
/* Returns whether a node's name is FUNCTION::NAME of a variable in that function. */
bool cvalue_is_qualified(struct debug *d, const struct node *n);
/* Evaluates a global variable or enumeration constant of the source, or FUNCTION::NAME; *ok is false, with an error in v->why, if that fails. Returns
 * false if the name is none of these. */
bool cvalue_outside(struct eval *v, const struct node *n, struct expr_value *out, bool *ok);
/* Appends which lines of a frame's function have a variable of the source with that name in scope, if the frame is at another line. `f` may be NULL. */
void cvalue_say_scope(struct debug *d, const struct debug_frame *f, const char *name, struct text *why);
/* Appends to v->why which variable of the source a name's meaning hides, and how to name that variable: ` (x is a buffer; the variable of that name
 * is `::x`.)`. Appends nothing if none is hidden. */
void cvalue_say_hidden(struct eval *v, struct node *n);
/* Converts a value to one of the source's types in place; structures only to their own type. Returns false, with an error in v->why, for other
 * conversions. */
bool cvalue_cast(struct eval *v, const struct ctype *t, struct expr_value *x);
/* Assigns `from`, which is converted in place, to the place of `to`, a value of the source's types, and notes the change as debug_poked does.
 * Returns false, with an error in v->why, if that can't be done. */
bool cvalue_store(struct eval *v, struct expr_value *to, struct expr_value *from);
/* Appends the error that no statistic is called `name`, with the names that may be meant. Returns false. */
bool expr_no_statistic(struct debug *d, const char *name, struct text *why);
/* Evaluates a cast to an array, from an address or of what is at a place in memory. Returns false, with an error in v->why, if it has no value.
 * (expr_array.c) */
bool eval_array_cast(struct eval *v, struct node *n, struct expr_value *out);
#define EXPR_ARGUMENTS 3 /* the most arguments of a function */
/* Calls one of the debugger's functions, $_strlen, with `n` arguments, whose arrays are loaded. Returns false, with an error in v->why, if there is no
 * value. (dollar_functions.c) */
bool expr_call(struct eval *v, const char *name, struct expr_value *arguments, unsigned n, struct expr_value *out);
/* Evaluates {V, V, ...} as an array of the first element's type; lists in it are its rows. Returns false, with an error in v->why, if that has no value. (expr_array.c) */
bool eval_list(struct eval *v, struct node *n, struct expr_value *out);
/* Evaluates $NAME: a value of the history, the machine's, a user variable or a label. A name that isn't set is void. Returns false, with an error in
 * v->why, if it has no value. */
bool eval_dollar(struct eval *v, const struct node *n, struct expr_value *out);

#endif
