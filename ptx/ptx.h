/* The PTX front end's face: text in, program out. */
#ifndef PTX_PTX_H
#define PTX_PTX_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "isa/program.h"

/* Parses, checks, analyses and lowers one module and links it to what the program already holds. On errors (in `diags`) the
 * program is unchanged and false comes back. Warnings may be in `diags` either way. A file of the same name loaded before is
 * replaced: its functions and variables become `unloaded`. */
bool ptx_load(struct isa_program *p, const char *file_name, const char *text, size_t n, struct diag_list *diags);

/* Reads the file, then ptx_load. A file that can't be read is an error in `diags`. So is `*interrupt` becoming nonzero meanwhile
 * ("interrupted", within some milliseconds); NULL: nothing interrupts. */
bool ptx_load_file(struct isa_program *p, const char *path, const volatile sig_atomic_t *interrupt,
		   struct diag_list *diags);

/* A new module (isa_module): its number. Files that are loaded into it are linked to each other only. `name` is copied. */
uint32_t ptx_module_add(struct isa_program *p, const char *name);
/* As ptx_load, with PTX that is no file; none replaces another. If it fails the module is as it was. */
bool ptx_load_module(struct isa_program *p, uint32_t module, const char *file_name, const char *text, size_t n,
		     struct diag_list *diags);
/* Its files, functions and variables become `unloaded`, and the addresses of the variables may be handed out again. Nothing of it may be running.
 * The machine tells when that was (gpu_module_unloaded); else it was never there. */
void ptx_module_unload(struct isa_program *p, uint32_t module);

/* Names that a module uses, but that are defined nowhere in it yet: appends them, one a line; returns how many. */
struct text;
size_t ptx_undefined(const struct isa_program *p, uint32_t module, struct text *names);

/* Control-flow graph of a function as a Graphviz digraph: blocks with their PTX lines, edges, immediate post-dominators dashed. */
void ptx_cfg_dot(const struct isa_program *p, const struct isa_function *f, struct text *out);

#endif
