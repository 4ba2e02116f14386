/* Machine code of sm_10 to sm_13: read with its companions, converted to PTXPlus. */
#ifndef FRONTEND_SASS_H
#define FRONTEND_SASS_H

#include <signal.h>
#include <stdbool.h>

#include "base/diag.h"
#include "base/text.h"
#include "isa/program.h"

struct files;

/* A listing of the host's files: FILE.sass, beside which FILE.elf and FILE.ptx are. */
struct frontend_sass {
	const struct files *files; /* base/files.h */
	bool exact;		   /* as GPGPU-Sim 3.2.2 converts it, also where that is wrong */
	char *path, *elf, *ptx, *plus; /* FILE.sass, FILE.elf, FILE.ptx, FILE.ptxplus */
};
/* Fills the names of a listing and its companions, to which messages refer, from FILE and any ending. The caller calls frontend_sass_free. */
void frontend_sass_init(struct frontend_sass *s, const char *path);
/* Frees the names of a listing. */
void frontend_sass_free(struct frontend_sass *s);

/* Appends the listing's code as PTXPlus to *out. Adds errors and notes to `diags`. Returns false on errors. */
bool frontend_convert_sass(const struct frontend_sass *s, struct text *out, struct diag_list *diags);
/* Loads the converted code into module 0 as FILE.ptxplus, the source lines of which are those of the listing. Returns false and leaves the program unchanged on
 * errors. */
bool frontend_load_sass(struct isa_program *p, const struct frontend_sass *s, struct diag_list *diags);

#endif
