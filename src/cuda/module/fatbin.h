/* Fat binaries: the device code that nvcc puts into programs, and the images of cuModuleLoadData. Their bytes aren't trusted.
 *
 * Opening reads only headers; a payload is read and unpacked when it is needed. */
#ifndef CUDA_MODULE_FATBIN_H
#define CUDA_MODULE_FATBIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

#define FATBIN_WRAPPER_MAGIC UINT32_C(0x466243b1)
#define FATBIN_MAGIC UINT32_C(0xba55ed50)

/* The source of the bytes: a program's memory, or a buffer (fatbin_reader_of). `read` returns how many of the n bytes it got. */
struct fatbin_reader {
	size_t (*read)(void *self, uint64_t address, void *dst, size_t n);
	void *self;
};
/* A buffer of this process, read as if it began at address 0. */
struct fatbin_bytes {
	const void *bytes;
	size_t n;
};
/* Returns a reader of a buffer. `b` and its bytes must stay valid. */
struct fatbin_reader fatbin_reader_of(struct fatbin_bytes *b);

enum fatbin_kind { FATBIN_PTX = 1, FATBIN_ELF = 2 }; /* other kinds are skipped */

enum fatbin_packing { FATBIN_STORED, FATBIN_LZ4, FATBIN_ZSTD, FATBIN_UNKNOWN };

struct fatbin_entry {
	uint16_t kind;
	uint16_t major, minor; /* version of the PTX ISA, or of the cubin's format */
	uint32_t sm;	       /* 75 for sm_75 */
	char suffix;	       /* the target's suffix: 'a' this device only, 'f' its family, or 0 */
	enum fatbin_packing packing;
	uint64_t payload; /* address of the payload */
	uint64_t n_payload, n_unpacked;
	uint32_t unit;	   /* the fat binary it is from, as the caller numbers them */
	char name[128];	   /* name of the source, if it was compiled with line numbers; else "" */
	char options[128]; /* for ptxas */
};

struct fatbin {
	struct fatbin_entry *entries; /* entries of PTX and ELF, in file order */
	size_t n, cap;
};

/* Adds the entries of the fat binary whose header is at `address`. Returns false, with the reason, if there is none. */
bool fatbin_add(struct fatbin *f, const struct fatbin_reader *from, uint64_t address, uint32_t unit, struct text *why);
/* Adds the entries that a wrapper (section .nvFatBinSegment) leads to: one fat binary as unit 0, or with -rdc those of all translation units. *units:
 * their number. Returns false with the reason. */
bool fatbin_add_wrapped(struct fatbin *f, const struct fatbin_reader *from, uint64_t wrapper, uint32_t *units,
			struct text *why);
/* Frees the entries. */
void fatbin_free(struct fatbin *f);

/* Returns an entry's unpacked bytes, *n of them and a 0, which the caller frees; trailing zeros of PTX are cut off. Returns NULL, with the reason, if
 * they are damaged. */
char *fatbin_unpack(const struct fatbin_entry *e, const struct fatbin_reader *from, size_t *n, struct text *why);

/* Returns a unit's PTX for a device of that compute capability (75 for 7.5): the highest target that runs on it, else the lowest above it, else the
 * highest of another device. *exceeds: the PTX isn't for that device. Returns NULL if there is no PTX. */
const struct fatbin_entry *fatbin_choose(const struct fatbin *f, uint32_t unit, uint32_t capability, bool *exceeds);
/* Returns the highest target of all PTX; 0 if there is none. */
uint32_t fatbin_highest(const struct fatbin *f);

/* Appends the names of a cubin's kernels, one a line, and returns their number; 0 if `elf` is no cubin. */
size_t fatbin_cubin_kernels(const void *elf, size_t n, struct text *names);

#endif
