/* The interface of the PTX front end: loads PTX text into a program. */
#ifndef PTX_PTX_H
#define PTX_PTX_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "isa/program.h"

/* Loads n bytes of PTX text into the program: parses, checks, lowers, and links them with the files loaded before. A file of the same name is replaced: its functions
 * and variables become `unloaded`. Errors and warnings go to `diags`. Returns false and leaves the program unchanged on errors. */
bool ptx_load(struct isa_program *p, const char *file_name, const char *text, size_t n, struct diag_list *diags);

/* Reads a file and loads it as ptx_load does. If `interrupt` is not NULL and *interrupt becomes nonzero, loading ends within milliseconds with the error "interrupted". */
bool ptx_load_file(struct isa_program *p, const char *path, const volatile sig_atomic_t *interrupt,
		   struct diag_list *diags);

/* Adds a module (isa_module), copies its name, and returns its index. Files loaded into a module are linked with each other only. */
uint32_t ptx_module_add(struct isa_program *p, const char *name);
/* Loads PTX text that is not a file into a module, as ptx_load does, but never replaces a text loaded before. */
bool ptx_load_module(struct isa_program *p, uint32_t module, const char *file_name, const char *text, size_t n,
		     struct diag_list *diags);
/* Marks a module's files, functions and variables as `unloaded` and frees the addresses of its variables. None of its kernels may be running. The caller records the
 * machine's step with gpu_module_unloaded; without it the module counts as never loaded. */
void ptx_module_unload(struct isa_program *p, uint32_t module);

struct text;
/* Appends the names that a module uses and does not define, one a line, and returns how many. */
size_t ptx_undefined(const struct isa_program *p, uint32_t module, struct text *names);

/* Appends a function's control-flow graph as a Graphviz digraph: blocks with their PTX lines, edges, immediate post-dominators dashed. */
void ptx_cfg_dot(const struct isa_program *p, const struct isa_function *f, struct text *out);

#endif
