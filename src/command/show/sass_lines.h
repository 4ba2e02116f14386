/* The machine code of a function, as nvdisasm prints it, by lines of the PTX. Inside src/command only. */
#ifndef COMMAND_SASS_LINES_H
#define COMMAND_SASS_LINES_H

#include "debug/ground/ground.h"

/* An instruction or label of the machine code. */
struct sass_line {
	uint32_t pc;	  /* the PTX instruction that it was made from; ISA_NO_TARGET: not known */
	const char *text; /* an address as a comment, then `S2R R0, SR_TID.X ;` */
};
struct sass_lines {
	struct sass_line *line; /* in the order of the code */
	size_t n, cap;
	char *output; /* that holds the texts */
};

/* Fills `out` with the machine code of a function: that of the program, or of FILE.cubin beside FILE.ptx. Leaves `out` empty if there is none, or if nvdisasm isn't
 * on this machine. The caller frees it with sass_lines_free. */
void sass_lines_read(struct debug *d, const struct isa_function *f, struct sass_lines *out);
/* Frees what `out` owns. */
void sass_lines_free(struct sass_lines *out);

#endif
