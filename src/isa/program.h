/* The program: what all loaded modules become. Immutable for those who run it; loading a module appends to it.
 *
 * Instruction index i has PC 8*i; functions follow each other in load order from PC 0. Everything a debugger needs to name
 * things is here too (registers, parameters, variables, labels, source lines), so nobody above needs the parser. */
#ifndef ISA_PROGRAM_H
#define ISA_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/pool.h"
#include "isa/insn.h"
#include "isa/types.h"

/* A file that source positions refer to. `text` is the whole file (PTX files always; CUDA sources are loaded on demand by the
 * debugger, here NULL). */
struct isa_file_number {
	uint32_t number, file;
};
struct isa_file {
	const char *name; /* as the user or the .file directive gave it */
	const char *text;
	size_t n_text;
	uint32_t *line_start; /* byte offset of line k+1, for k < n_lines */
	uint32_t n_lines;
	bool is_ptx;
	bool unloaded; /* replaced by a later load of the same file, or its module was */
	bool in_memory; /* PTX that is no file: a program brought it */
	uint32_t module; /* index into modules */
	const struct isa_file_number
		*numbers; /* what its .file directives number; of equal numbers the last one counts */
	uint32_t n_numbers;
};

/* Files whose names meet each other: a kernel's, a variable's name means something else in another module. Module 0 is there from the start:
 * it is what files are loaded into one by one. A CUDA program's fat binaries are modules of their own: they come and go in steps of the machine
 * that runs the program, and when the machine goes back in front of such a step it is undone (module.c). */
struct isa_module {
	const char *name; /* to choose by; "": module 0 */
	uint32_t context; /* of the device (gpu/context.h): whose kernels may use its variables */
	bool unloaded;	  /* its functions and variables are gone, or haven't come yet */
	uint32_t unloaded_after; /* files that were there then */
	uint32_t since, until;	 /* it is there from one step on, up to another */
	uint32_t insns_end, const_end; /* of the program, when it came */
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
};
/* A register in rw: a frame ref of a row, or a predicate slot. */
#define ISA_RW_ROW(ref) (ref)
#define ISA_RW_PRED(slot) (((slot) << 6) | 1u)
#define ISA_RW_IS_PRED(w) (((w)&63u) == 1u)
#define ISA_RW_PRED_SLOT(w) ((w) >> 6)

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
			  ISA_VAR_UNLOADED = 32, /* its file was loaded again without it, another definition won, or its module isn't there */
			  ISA_VAR_REPLACED = 64 /* and that not only because of its module */ };

/* A variable or parameter in memory. address: in its own space (global: device address; shared, const: offset from 0; local
 * and device-function parameters: offset in the activation's local frame; kernel parameters: offset in the parameter block). */
struct isa_variable {
	const char *name;
	const char *plain; /* what the source calls it, if `name` is mangled: the last part of the demangled name; else NULL */
	uint8_t space; /* enum isa_space */
	uint8_t type;  /* element type */
	uint8_t vec;   /* vector elements of one element: 1, 2, 4 */
	uint8_t flags;
	uint32_t align;
	uint32_t file; /* of a module's variable: where it is defined; static ones of several files may have one name */
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
	uint16_t sm;	     /* what its PTX says it is for: 75 for sm_75 */
	uint8_t ptx_version; /* 90 for 9.0 */
	uint32_t live_registers; /* our estimate: most 32-bit registers live at once (64-bit ones count two), at least 1 */
	bool unloaded;		 /* replaced by a later load, or its module isn't there: no new launches, still readable */
	bool replaced;		 /* and that not only because of its module */
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
	char *consts; /* 64-byte aligned rows */
	uint32_t n_consts, cap_consts; /* bytes */
	struct isa_function **functions; /* stable addresses */
	uint32_t n_functions, cap_functions;
	struct isa_variable **variables; /* module scope: global, const, shared */
	uint32_t n_variables, cap_variables;
	struct isa_file *files;
	uint32_t n_files, cap_files;
	struct isa_module *modules; /* none while there is no other than module 0 */
	uint32_t n_modules, cap_modules;
	struct isa_loc *locs;
	uint32_t n_locs, cap_locs;
	uint64_t global_first, global_next; /* device addresses of module variables handed out so far: [first, next) */
	uint32_t const_next;		    /* bytes of constant space used */
	uint64_t global_end, const_most;    /* what there is of both; 0: all that the address map has */
	struct pool pool;		    /* names, tables */
	uint32_t generation;		    /* counts loads, and modules that come and go */
	uint32_t step;			    /* of the machine: modules are there as they are after it */
	/* Whoever keeps names besides the variables of module 0: true, with the reason, for one that can't be taken in. NULL: all can. */
	bool (*refuse)(void *self, const char *name, const char *plain, struct text *why);
	void *refuse_self;
	/* Whoever shares memory with a host: a place for a managed variable, 0 if there is none. NULL, or 0: it lies among the others. */
	uint64_t (*place_managed)(void *self, uint64_t bytes, uint64_t align);
	void *managed_self;
	void *link;			    /* the linker's own records (ptx/link.h), freed by link_free */
	void (*link_free)(void *link);
};

void isa_program_init(struct isa_program *p);
void isa_program_free(struct isa_program *p);

/* The module that a function or variable of this file belongs to. */
static inline uint32_t isa_program_module_of(const struct isa_program *p, uint32_t file)
{
	return file < p->n_files ? p->files[file].module : 0;
}

/* All that is of a module becomes unloaded, or is there again. */
void isa_module_show(struct isa_program *p, uint32_t module, bool on);
/* Modules are there as they are after that step. */
void isa_program_stand(struct isa_program *p, uint32_t step);
/* The last step with which one came or went. */
uint32_t isa_program_last_step(const struct isa_program *p);
/* Has something come into module 0 since there were so many functions, so many variables? */
bool isa_program_was_loaded(const struct isa_program *p, uint32_t n_functions, uint32_t n_variables);

/* Function that holds an instruction index, NULL if none. O(log n). */
const struct isa_function *isa_program_function_at(const struct isa_program *p, uint32_t index);
/* Its place in p->functions. */
uint32_t isa_program_function_index(const struct isa_program *p, const struct isa_function *f);
/* By exact PTX name (the newest that is not unloaded), NULL if none. */
const struct isa_function *isa_program_find_function(const struct isa_program *p, const char *name);
/* Is it, by its mangled name, a static variable in the function of that name? (Itanium C++ ABI, 5.1.5.3: _Z Z ENCODING E NAME) */
bool isa_variable_is_local_to(const struct isa_variable *v, const char *function);
const struct isa_variable *isa_program_find_variable(const struct isa_program *p, const char *name);

/* What a register name means at an instruction index. */
struct isa_reg_place {
	enum isa_type type;
	bool is_pred;
	uint32_t ref; /* row ref, or predicate slot */
};
/* `name` with its %: "%r12". False if no such register is visible at `index`. */
bool isa_function_find_reg(const struct isa_function *f, const char *name, size_t n, uint32_t index, struct isa_reg_place *out);
/* The declaration that a word of isa_program.rw belongs to (declarations share no rows), and the register's number in it; NULL if none. */
const struct isa_reg *isa_function_reg_of(const struct isa_function *f, uint32_t rw_word, uint32_t *number);
/* Name of the register of a word of isa_program.rw: writes "%r12" to out; false if none. */
bool isa_function_reg_name(const struct isa_function *f, uint32_t rw_word, char *out, size_t n_out);

#endif
