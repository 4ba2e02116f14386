/* A front end: how the text of one language becomes part of a program. The rows are in src/frontend/frontend.c. */
#ifndef ISA_FRONTEND_H
#define ISA_FRONTEND_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "isa/program.h"

struct text;

/* A text to be loaded. */
struct isa_text {
	const char *name; /* of the file, as the user gave it */
	const char *text; /* ends with a 0 that `n` doesn't count; stays valid as long as the program */
	size_t n;	  /* at most ISA_TEXT_MAX */
	uint32_t module;  /* index of the isa_module that the text is loaded into */
	const volatile sig_atomic_t *interrupt; /* becomes nonzero to stop loading; NULL: no such flag */
};
#define ISA_TEXT_MAX (UINT32_C(1) << 31) /* offsets are 32 bits */

struct isa_frontend {
	const char *name; /* of the language, as `info sources` shows it */
	/* Returns whether a text is written in this language. `name` is the file's. */
	bool (*recognizes)(const char *name, const char *text, size_t n);
	/* Appends the text's code, variables and source lines to the program, with a file whose `frontend` is this one, and links them with their module. Loading stops
	 * within milliseconds after `interrupt` becomes nonzero, with the error "interrupted". Returns false, with errors in `diags`, and leaves the program unchanged if
	 * the text is wrong. */
	bool (*load)(struct isa_program *p, const struct isa_text *t, struct diag_list *diags);
	/* Appends the text of instruction `insn`, which this front end has loaded, on one line without comments. */
	void (*list)(const struct isa_program *p, uint32_t insn, struct text *out);
};

#endif
