/* Modules of a program: sets of files that are linked with each other only (isa_module). */
#ifndef ISA_LINK_MODULES_H
#define ISA_LINK_MODULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa/program.h"

struct text;

/* Adds a module, copies its name, and returns its index. */
uint32_t isa_module_add(struct isa_program *p, const char *name);
/* Marks a module's files, functions and variables as `unloaded` and frees the addresses of its variables. None of its kernels may be running. The caller records the
 * machine's step with gpu_module_unloaded; without it the module counts as never loaded. */
void isa_module_unload(struct isa_program *p, uint32_t module);
/* Appends the names of the external functions and variables that a module uses and no module defines, one a line; skips built-in functions. Returns
 * their number, 0 for programs that weren't linked. */
size_t isa_module_undefined(const struct isa_program *p, uint32_t module, struct text *names);

/* Returns a variable's address, generic or in its own space. */
uint64_t isa_variable_address(const struct isa_variable *v, bool generic);

#endif
