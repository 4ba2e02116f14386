/* The program's own debug information: the .section blocks a compiler's -G leaves in PTX, made fit for gdb. */
#ifndef GDBSTUB_DWARF_OWN_H
#define GDBSTUB_DWARF_OWN_H

#include "gdbstub/dwarf.h"

/* Sections of a PTX file, by these numbers. */
enum own_section { OWN_INFO, OWN_ABBREV, OWN_LOC, OWN_STR, OWN_RANGES, OWN_SECTIONS };

struct own {
	struct dwarf *w;
	uint32_t file;
	struct text bytes[OWN_SECTIONS];
	size_t base[OWN_SECTIONS]; /* where they are going to be in the file's sections */
	size_t lines;		   /* offset of the file's line table */
};

/* Does a PTX file bring debug information of its own? */
bool own_present(const struct dwarf *w, uint32_t file);

/* Adds it to the sections of `w`. False: it can't be understood, and nothing was added. */
bool own_add(struct dwarf *w, uint32_t file);

/* dwarf_own_walk.c: goes through the entries and turns what is in PTX registers into places of made-up frames. */
bool own_walk(struct own *o);

#endif
