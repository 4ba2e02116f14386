/* The program: all loaded modules, lowered. Running it never changes it; loading a module appends to it.
 *
 * Instruction index i has PC 8*i; functions follow each other in load order from PC 0. Everything a debugger needs to name
 * things is here too (registers, parameters, variables, labels, source lines), so no layer above needs the parser. */
#ifndef ISA_PROGRAM_H
#define ISA_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/pool.h"
#include "isa/insn.h"
#include "isa/types.h"

/* A row of a PTX file's `.file` numbering: index `file` of isa_program.files has this number. */
struct isa_file_number {
	uint32_t number, file;
};
struct isa_frontend;
/* A file that source positions refer to. `text` is the whole file for a program's text; it is NULL for CUDA sources, which the debugger loads on demand. */
struct isa_file {
	const char *name; /* as the user or the .file directive gave it */
	const char *text;
	size_t n_text;
	uint32_t *line_start; /* byte offset of line k+1, for k < n_lines */
	uint32_t n_lines;
	const struct isa_frontend *frontend; /* that has loaded the text (isa/frontend.h); NULL: a CUDA source */
	bool unloaded; /* a later load of the same file replaced it, or its module is unloaded */
	bool in_memory; /* text from the memory of a CUDA program, not from a file */
	uint32_t module; /* index into modules */
	const struct isa_file_number
		*numbers; /* of its .file directives; of equal numbers the last row counts */
	uint32_t n_numbers;
};

/* A set of files linked together: names of kernels and variables are unique within a module. Module 0 always exists; `load` adds files to it. Each
 * fat binary of a CUDA program is a module of its own, loaded and unloaded in numbered steps of the machine that runs the program. Going back in time
 * before such a step undoes it (module.c). */
struct isa_module {
	const char *name; /* for the user to name it; "" for module 0 */
	uint32_t context; /* context of the device (gpu/context.h) whose kernels may use its variables */
	bool unloaded;	  /* its functions and variables are not available: unloaded, or not loaded yet */
	uint32_t unloaded_after; /* number of files when it was unloaded */
	uint32_t since, until;	 /* loaded for steps [since, until) */
	uint32_t insns_end, const_end; /* n_insns and const_next of the program right after it was loaded */
};
#define ISA_STEP_NEVER UINT32_MAX
#define ISA_STEP_LAST (UINT32_MAX - 1)

/* A `.loc`: position in a CUDA source. inlined_at: index of the call's own loc, ISA_NO_LOC if not inlined. */
struct isa_loc {
	uint32_t file, line, col;
	uint32_t inlined_at;
	const char *function; /* the inlined function's name (mangled), NULL if not inlined */
};
#define ISA_NO_LOC UINT32_MAX

/* Per instruction, cold: where it was written, and the registers it touches (for scoreboard, register watches, `why`). */
struct isa_where {
	uint32_t file;	   /* index into files: the PTX file */
	uint32_t line;	   /* in it, from 1 */
	uint32_t offset;   /* byte offset of the instruction's text (guard included) in the file */
	uint32_t n_text;   /* its length up to and including the semicolon */
	uint32_t loc;	   /* index into locs, ISA_NO_LOC */
	uint32_t rw;	   /* first of n_writes + n_reads words in isa_program.rw: writes first, in operand order */
	uint16_t n_writes, n_reads;
	uint32_t operands; /* first of n_operands rows in isa_program.operands, in the order in which they are written */
	uint16_t n_operands;
};
/* A register in rw: a frame ref of a row, or a predicate slot. */
#define ISA_RW_ROW(ref) (ref)
#define ISA_RW_PRED(slot) (((slot) << 6) | 1u)
#define ISA_RW_IS_PRED(w) (((w)&63u) == 1u)
#define ISA_RW_PRED_SLOT(w) ((w) >> 6)

/* An operand of an instruction as it is written. A vector, a pair or an argument list is the operands that it consists of; an address is
 * MEMORY and behind it what it is computed from. */
enum isa_operand_kind {
	ISA_OPERAND_REGISTER,
	ISA_OPERAND_SPECIAL, /* a special register */
	ISA_OPERAND_CONSTANT,
	ISA_OPERAND_SYMBOL, /* a variable, function or label */
	ISA_OPERAND_MEMORY  /* what stands in the brackets */
};
enum isa_operand_role {
	ISA_ROLE_RESULT,
	ISA_ROLE_SOURCE,
	ISA_ROLE_ADDRESS /* an address is computed from it */
};
struct isa_operand {
	uint32_t word; /* REGISTER: as in isa_program.rw */
	uint16_t at;   /* byte offset of its text in the instruction's */
	uint8_t n;     /* bytes of its text */
	uint8_t kind : 4, role : 4;
};

/* Registers as declared: `.reg .b32 %r<100>` is one row here with count 100; `.reg .pred p` has count 0 (the plain name).
 * Visible for instruction indices [scope_first, scope_end). */
struct isa_reg {
	const char *name; /* with its % if it has one; for count > 0 the prefix */
	uint32_t count;
	uint32_t first;	  /* predicate slot, or row ref, of number 0; number i is at first + i * isa_row_bytes */
	uint8_t type;	  /* enum isa_type */
	uint32_t scope_first, scope_end;
	uint32_t serial;  /* of number 0: counts the function's declared registers from 1, parameters first (GPGPU-Sim's register numbers) */
};

enum isa_variable_flags { ISA_VAR_EXTERN = 1, ISA_VAR_MANAGED = 2, ISA_VAR_DYNAMIC_SHARED = 4, ISA_VAR_PTR = 8, ISA_VAR_RETURN = 16,
			  ISA_VAR_UNLOADED = 32, /* not available: its file was loaded again without it, another definition won, or its module is unloaded */
			  ISA_VAR_REPLACED = 64 /* unloaded also while its module is loaded */ };

/* A variable or parameter in memory. address: in its own space (global: device address; shared, const: offset from 0; local
 * and device-function parameters: offset in the activation's local frame; kernel parameters: offset in the parameter block). */
struct isa_variable {
	const char *name;
	const char *plain; /* its name in the source if `name` is mangled (the last part of the demangled name), else NULL */
	uint8_t space; /* enum isa_space */
	uint8_t type;  /* element type */
	uint8_t vec;   /* vector elements of one element: 1, 2, 4 */
	uint8_t flags;
	uint32_t align;
	uint32_t file; /* file that defines it (module scope); static variables of several files may share a name */
	uint64_t address;
	uint64_t bytes;	    /* of the whole variable; 0 for dynamic shared memory */
	uint32_t n_dims;    /* 0: scalar */
	const uint64_t *dims; /* 0 in dims[0]: unsized */
	const uint8_t *init;  /* `bytes` bytes or NULL (zeros for global and const) */
};

struct isa_label {
	const char *name;
	uint32_t at; /* instruction index */
};

struct isa_function {
	const char *name;      /* as in the PTX */
	const char *demangled; /* NULL if the name is not mangled */
	bool is_kernel, is_defined;
	bool is_noreturn;      /* declared .noreturn */
	uint32_t first, end;   /* instruction indices [first, end) */
	uint32_t file, line, end_line;
	uint32_t frame_bytes;  /* predicates and rows of one activation, a multiple of 64 */
	uint32_t n_preds;      /* predicate slots at the frame's start */
	uint32_t local_align;  /* its local frame begins at a multiple of this in a called activation; 0: of a word */
	uint32_t local_bytes;  /* local memory of one activation per thread: variables, parameters, arguments under way */
	uint32_t static_shared; /* bytes, with everything its callees use (kernels only) */
	bool uses_dynamic_shared;
	bool has_plus;		 /* its instructions are those of PTXPlus */
	bool is_plus;		 /* a kernel of PTXPlus: parameters also lie in shared memory, from ISA_PLUS_PARAMS on */
	const struct isa_plus_guard *guards; /* PTXPlus: predicates that guards look at (isa/plus.h) */
	uint32_t n_guards;
	uint32_t thread_index;	 /* row that has the packed thread index at the entry, ISA_REF_NONE: none. Only of PTXPlus */
	uint32_t param_bytes;  /* kernels: size of the parameter block */
	const struct isa_variable *params; /* kernel: ISA_SPACE_PARAM; device function: ISA_SPACE_LOCAL or, for .reg parameters, see param_regs */
	uint32_t n_params;     /* return values (ISA_VAR_RETURN) first */
	const uint32_t *param_regs; /* per param: row ref or predicate slot of a `.reg` parameter, ISA_REF_NONE if in memory; NULL: none */
	const struct isa_variable *vars; /* function-scope local and shared variables */
	uint32_t n_vars;
	const struct isa_reg *regs;
	uint32_t n_regs;
	const struct isa_label *labels;
	uint32_t n_labels;
	uint32_t maxntid[3], reqntid[3]; /* 0: not given */
	uint32_t minnctapersm, maxnreg;
	uint16_t sm;	     /* its PTX's .target: 75 for sm_75 */
	uint8_t ptx_version; /* 90 for 9.0 */
	uint32_t live_registers; /* estimate of the registers a thread needs: the most 32-bit registers live at once (64-bit ones count two), at least 1 */
	uint32_t registers;	 /* of a thread, as a cubin for the machine says; 0: not known */
	uint32_t stack_bytes;	 /* of an activation on a GPU's stack, as a cubin for the machine says, else an estimate */
	bool is_stack_known;	 /* stack_bytes is no estimate */
	bool unloaded;		 /* can't be launched, only read: a later load replaced it, or its module is unloaded */
	bool replaced;		 /* unloaded also while its module is loaded */
};

struct text;
struct isa_program {
	struct isa_insn *insns;
	struct isa_where *where;
	uint32_t n_insns, cap_insns;
	uint32_t *aux;
	uint32_t n_aux, cap_aux;
	uint32_t *rw;
	uint32_t n_rw, cap_rw;
	struct isa_operand *operands;
	uint32_t n_operands, cap_operands;
	char *consts; /* 64-byte aligned rows */
	uint32_t n_consts, cap_consts; /* bytes */
	struct isa_function **functions; /* stable addresses */
	uint32_t n_functions, cap_functions;
	struct isa_variable **variables; /* module scope: global, const, shared */
	uint32_t n_variables, cap_variables;
	struct isa_file *files;
	uint32_t n_files, cap_files;
	struct isa_module *modules; /* empty while module 0 is the only one */
	uint32_t n_modules, cap_modules;
	struct isa_loc *locs;
	uint32_t n_locs, cap_locs;
	uint64_t global_first, global_next; /* device addresses of module variables handed out so far: [first, next) */
	uint32_t const_next;		    /* bytes of constant space used */
	uint64_t global_end, const_most;    /* the end of device addresses, the bytes of constant space; 0: as the address map has it */
	uint32_t warp_threads;		    /* threads of a warp, which WARP_SZ is; 0: 32 */
	struct pool pool;		    /* names, tables */
	uint32_t generation;		    /* counts loads and unloads of files and modules */
	uint32_t step;			    /* the machine's step by which modules are loaded or not */
	/* Optional: returns true and appends the reason to `why` if a variable of module 0 may not have this name (a buffer has it). */
	bool (*refuse)(void *self, const char *name, const char *plain, struct text *why);
	void *refuse_self;
	/* Optional: returns the address of memory shared with a host program for a managed variable, or 0: it is then placed like other variables. */
	uint64_t (*place_managed)(void *self, uint64_t bytes, uint64_t align);
	void *managed_self;
	void *link;			    /* the linker's records (isa/link/link.h), freed by link_free */
	void (*link_free)(void *link);
};

/* Makes an empty program. */
void isa_program_init(struct isa_program *p);
/* Frees everything the program owns; it is empty afterwards. */
void isa_program_free(struct isa_program *p);

/* Returns the index of the module that `file` belongs to (0 if there is no such file). */
static inline uint32_t isa_program_module_of(const struct isa_program *p, uint32_t file)
{
	return file < p->n_files ? p->files[file].module : 0;
}

/* Marks the files, functions and variables of a module as loaded (`on`) or unloaded. Does nothing if the module is so already. */
void isa_module_show(struct isa_program *p, uint32_t module, bool on);
/* Sets the machine's step and loads or unloads every module as it is after that step. */
void isa_program_stand(struct isa_program *p, uint32_t step);
/* Returns the last step in which a module was loaded or unloaded, 0 if there is none. */
uint32_t isa_program_last_step(const struct isa_program *p);
/* Returns whether module 0 got a function or variable since the program had `n_functions` and `n_variables` of them. */
bool isa_program_was_loaded(const struct isa_program *p, uint32_t n_functions, uint32_t n_variables);

/* Returns the function that holds instruction `index`, or NULL if none does. O(log n). */
const struct isa_function *isa_program_function_at(const struct isa_program *p, uint32_t index);
/* Returns the function's index in p->functions. */
uint32_t isa_program_function_index(const struct isa_program *p, const struct isa_function *f);
/* Stores the basic block around the instruction at `pc` of a function, [*first, *end). */
void isa_program_block(const struct isa_program *p, const struct isa_function *f, uint32_t pc, uint32_t *first, uint32_t *end);
/* Returns the newest loaded function of that exact PTX name, a definition before a declaration; NULL if none. */
const struct isa_function *isa_program_find_function(const struct isa_program *p, const char *name);
/* Returns whether the mangled name of v says that it is a static variable inside `function`, which is mangled or a C name (Itanium C++ ABI, 5.1.5.3:
 * _Z Z ENCODING E NAME). */
bool isa_variable_is_local_to(const struct isa_variable *v, const char *function);

/* The register that a name stands for at an instruction. */
struct isa_reg_place {
	enum isa_type type;
	bool is_pred;
	uint32_t ref; /* row ref, or predicate slot */
};
/* Finds the register of a name of n bytes, with its % ("%r12"), in the innermost scope around instruction `index`. Returns false if none is visible there. */
bool isa_function_find_reg(const struct isa_function *f, const char *name, size_t n, uint32_t index, struct isa_reg_place *out);
/* Returns the declaration of the register that a word of isa_program.rw means, and stores the register's number within it in *number. Returns NULL if
 * the function declares none there. */
const struct isa_reg *isa_function_reg_of(const struct isa_function *f, uint32_t rw_word, uint32_t *number);
/* Writes the name ("%r12") of the register that a word of isa_program.rw means to `out`, cut to n_out bytes with the NUL. Returns false if there is none. */
bool isa_function_reg_name(const struct isa_function *f, uint32_t rw_word, char *out, size_t n_out);

#endif
