/* The ELF files that gdb reads. */
#ifndef GDBSTUB_IMAGE_H
#define GDBSTUB_IMAGE_H

#include "gdbstub/internal.h"

/* Creates what the stub keeps of the images that gdb reads, s->image. */
void image_room_create(struct stub *s);
/* Frees this folder's state, files and layouts, and removes the files that were written for gdb. */
void image_room_free(struct stub *s);

/* An ELF file made for gdb: instructions [first, end). */
struct image {
	char *name;
	struct text bytes;
	uint32_t first, end;
	uint32_t n_variables; /* module variables of the program when it was made */
	unsigned n_sections;  /* those with an address */
	bool gone;	      /* its module was unloaded */
};

/* ---- images (image/image.c) ---- */
/* Returns the main ELF file made for gdb, of all code loaded at the first call, which makes it. Valid until images_clear. */
const struct image *images_main(struct stub *s);
/* Makes a file for modules that were loaded since the last one, and marks files whose modules were unloaded or loaded again. Makes none before
 * images_main. */
void images_update(struct stub *s);
/* Drops all files, which become invalid: they are made again for the next client. */
void images_clear(struct stub *s);
/* Returns the number of files made, without those for /warpstep/ptx and /warpstep/cuda. Returns 0 if gdb has not asked for one yet. */
size_t images_count(const struct stub *s);
/* Calls images_update. Returns whether there is a loaded or unloaded file of which images_take_news hasn't told. */
bool images_have_news(struct stub *s);
/* Returns whether a file was loaded or unloaded since the last call, as images_update has found; gdb is notified now. */
bool images_take_news(struct stub *s);
/* Returns the file of a name of n bytes, or NULL. /warpstep/ptx and /warpstep/cuda are the main one with such lines, made on first use, and the main
 * one with them. Valid until images_clear. */
const struct image *images_find(struct stub *s, const char *name, size_t n);
/* Adds the list of files that gdb reads as shared libraries, those whose modules are loaded, as XML. */
void images_libraries_xml(struct stub *s, struct text *out);
/* Returns the 8 bytes that gdb reads at an instruction: an x86 no-operation whose operand is the symbol named like the PTX text. */
uint64_t image_instruction_bytes(const struct stub *s, uint32_t index);
#define IMAGE_LAUNCH_BYTES UINT64_C(0xfffffff8051f0f66) /* and where threads are before they begin */

#endif
