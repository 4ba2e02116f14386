/* Loading programs: chooses the front end that a text is for. */
#ifndef FRONTEND_FRONTEND_H
#define FRONTEND_FRONTEND_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "isa/frontend.h"
#include "isa/program.h"

struct files;

/* Returns the front end that recognizes the text of a file of that name. Returns NULL if none does. */
const struct isa_frontend *frontend_of(const char *name, const char *text, size_t n);

/* Loads a copy of n bytes of text into a module, and links it with the files that the module has. In module 0 the text replaces a file of the same name, whose functions
 * and variables become `unloaded`. Adds errors and warnings to `diags`. Returns false and leaves the program unchanged on errors. */
bool frontend_load_text(struct isa_program *p, uint32_t module, const char *name, const char *text, size_t n,
			struct diag_list *diags);

/* Reads a file by `files` (base/files.h, NULL: the host's) and loads it into module 0 as frontend_load_text does. If `interrupt` isn't NULL and *interrupt becomes nonzero, loading ends within milliseconds with the
 * error "interrupted". */
bool frontend_load_file(struct isa_program *p, const struct files *files, const char *path,
			const volatile sig_atomic_t *interrupt, struct diag_list *diags);

#endif
