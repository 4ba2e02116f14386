/* Fat binaries: the device code that nvcc puts into programs, and the images of cuModuleLoadData. Their bytes aren't trusted.
 *
 * Opening reads only headers; a payload is read and unpacked when it is needed. */
#ifndef SERVER_CUDA_FATBIN_H
#define SERVER_CUDA_FATBIN_H

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
/* Returns a reader of buffer *b, whose first byte has address 0. *b and its bytes must stay valid while the reader is used. */
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

/* Adds the PTX and ELF entries of the fat binary whose header is at `address`, as those of unit `unit`. Returns false, with the reason, if there is
 * no fat binary or it is damaged; entries before the damage stay added. */
bool fatbin_add(struct fatbin *f, const struct fatbin_reader *from, uint64_t address, uint32_t unit, struct text *why);
/* Adds the entries that the wrapper at `wrapper` leads to: of one fat binary, as unit 0, or with -rdc of several, a unit each. *units gets the number
 * of units. Returns false, with the reason, if something is damaged; entries before the damage stay added. */
bool fatbin_add_wrapped(struct fatbin *f, const struct fatbin_reader *from, uint64_t wrapper, uint32_t *units,
			struct text *why);
/* Frees the entries; `f` is empty afterwards. */
void fatbin_free(struct fatbin *f);

/* Returns an entry's unpacked bytes, *n of them and a 0, which the caller frees; *n doesn't count trailing zeros of PTX. Returns NULL, with the
 * reason, if they are damaged, more than 1 GB, or packed in an unknown way. */
char *fatbin_unpack(const struct fatbin_entry *e, const struct fatbin_reader *from, size_t *n, struct text *why);

/* Returns a unit's PTX for `capability` (75 for 7.5): the highest target that runs there, else the lowest above it, else the highest one. *exceeds:
 * the chosen PTX doesn't run on that device. Valid until entries are added or freed. Returns NULL if the unit has no PTX. */
const struct fatbin_entry *fatbin_choose(const struct fatbin *f, uint32_t unit, uint32_t capability, bool *exceeds);
/* Returns the highest target, at most `most` (0: any), of all PTX entries, 75 for sm_75; 0 if there is no such PTX. */
uint32_t fatbin_highest(const struct fatbin *f, uint32_t most);

/* What a cubin says about a function. */
struct cubin_function {
	const char *name; /* as in the PTX */
	uint32_t registers;   /* of a thread; 0: not known */
	uint32_t frame_bytes; /* of an activation on the stack; CUBIN_NOT_KNOWN: not known */
};
#define CUBIN_NOT_KNOWN UINT32_MAX
/* Calls `each` for the attributes of functions in the n bytes of cubin `elf`; of each function several times, each time with one of them known. Leaves out
 * damaged sections. Names are valid during the call. */
void fatbin_cubin_functions(const void *elf, size_t n, void (*each)(void *self, const struct cubin_function *f), void *self);

/* Appends the names of the kernels in the n bytes of cubin `elf`, one a line, and returns their number. Leaves out damaged sections. Returns 0 if
 * `elf` is no 64-bit ELF file or has no kernels. */
size_t fatbin_cubin_kernels(const void *elf, size_t n, struct text *names);

#endif
