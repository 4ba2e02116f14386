/* The ELF files that gdb reads, and the location lists found in them. */
#ifndef GDBSTUB_IMAGE_H
#define GDBSTUB_IMAGE_H

#include "gdbstub/internal.h"

void image_room_create(struct stub *s);
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

/* ---- location lists: variables in several registers, one after the other (location_list.c) ---- */
/* A variable is at this place of its function's frame while pc is in [begin, end). */
struct location {
	uint64_t list;	/* which variable's: the same for all of its places, which follow each other */
	uint32_t first; /* the function's first instruction */
	uint32_t at, begin, end;
};

bool location_list_known(const struct stub *s, uint64_t list); /* are the places of its file noted? */
void location_list_note(struct stub *s, const struct location *m);
/* The variables of which `at` is one place: their other places, at most `max`. */
size_t location_list_others(const struct stub *s, uint32_t first, uint32_t at, uint32_t *out, size_t max);
/* Has one of them a place at an instruction? */
bool location_list_has_place(const struct stub *s, uint32_t first, uint32_t at, uint32_t pc);

/* ---- images (image/image.c) ---- */
const struct image *images_main(struct stub *s);
void images_update(struct stub *s); /* after a file was loaded */
void images_clear(struct stub *s);
size_t images_count(const struct stub *s); /* 0: nobody has asked for one yet */
/* Has a file come or gone since gdb heard of one? */
bool images_have_news(struct stub *s);
/* Likewise; it hears of it now. */
bool images_take_news(struct stub *s);
const struct image *images_find(struct stub *s, const char *name, size_t n);
void images_libraries_xml(struct stub *s, struct text *out);
uint64_t image_instruction_bytes(const struct stub *s, uint32_t index); /* the 8 bytes gdb finds at an instruction */
#define IMAGE_LAUNCH_BYTES UINT64_C(0xfffffff8051f0f66)			/* and where threads are before they begin */

/* Is a function's value one with a half of nothing but floats, and one with something else? `first`: its first instruction. */
bool image_returns_mixed(const struct stub *s, uint32_t first, bool *floats_first);

#endif
