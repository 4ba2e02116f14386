/* A small ELF64 executable, as much of one as a debugger needs: sections and symbols, no segments, no relocations. */
#ifndef GDBSTUB_IMAGE_ELF_H
#define GDBSTUB_IMAGE_ELF_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

#define ELF_SECTIONS_MAX 20

struct elf_section {
	const char *name; /* a literal */
	uint32_t type;	  /* SHT_ */
	uint64_t flags;	  /* SHF_ */
	uint64_t address;
	uint64_t nobits; /* bytes of a section without contents */
	struct text bytes;
	uint32_t link, info;
	uint64_t entry, align;
};

struct elf {
	struct elf_section section[ELF_SECTIONS_MAX]; /* [0] stays empty */
	unsigned n;
	struct text symbols, strings;
	unsigned n_local; /* symbols that are local: they come first */
};

/* Initialises a file without sections and symbols. */
void elf_init(struct elf *e);
/* Frees the sections, symbols and names of a file. */
void elf_free(struct elf *e);

/* Adds an empty section; the caller leaves room for three of elf_write. `name` must outlive the file. Returns the section's index. */
unsigned elf_add(struct elf *e, const char *name, uint32_t type, uint64_t flags, uint64_t address);
/* Adds a symbol with a name of n_name bytes, which is copied. Local symbols must be added before global ones. `info`: ELF64_ST_INFO. */
void elf_symbol(struct elf *e, const char *name, size_t n_name, unsigned info, unsigned section, uint64_t address,
		uint64_t size);
/* Appends the file to `out`, with its symbol and string tables; may be called once. `type`: ET_EXEC or ET_DYN. `entry`: the address of the entry
 * point, 0: none. */
void elf_write(struct elf *e, unsigned type, uint64_t entry, struct text *out);

#endif
