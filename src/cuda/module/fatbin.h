/* Fat binaries: what nvcc puts into programs, and what cuModuleLoadData takes. None of their bytes are believed.
 *
 * Only headers are read when one is opened; a payload is read and unpacked when somebody wants it. */
#ifndef CUDA_MODULE_FATBIN_H
#define CUDA_MODULE_FATBIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

#define FATBIN_WRAPPER_MAGIC UINT32_C(0x466243b1)
#define FATBIN_MAGIC UINT32_C(0xba55ed50)

/* Where the bytes are: a program's memory, or a buffer of one's own (fatbin_reader_of). `read` says how many of the n bytes it got. */
struct fatbin_reader {
	size_t (*read)(void *self, uint64_t address, void *dst, size_t n);
	void *self;
};
/* Bytes in this process, as if they began at address 0. `bytes` has to stay where it is. */
struct fatbin_bytes {
	const void *bytes;
	size_t n;
};
struct fatbin_reader fatbin_reader_of(struct fatbin_bytes *b);

enum fatbin_kind { FATBIN_PTX = 1, FATBIN_ELF = 2 }; /* others are passed over */

enum fatbin_packing { FATBIN_STORED, FATBIN_LZ4, FATBIN_ZSTD, FATBIN_UNKNOWN };

struct fatbin_entry {
	uint16_t kind;
	uint16_t major, minor; /* version of the PTX ISA, or of the cubin's format */
	uint32_t sm;	       /* 75 for sm_75 */
	char suffix;	       /* of the target: 'a' this device only, 'f' its family, 0 */
	enum fatbin_packing packing;
	uint64_t payload; /* its address */
	uint64_t n_payload, n_unpacked;
	uint32_t unit;	   /* which of the reader's fat binaries it is from, as the caller numbers them */
	char name[128];	   /* of the source, if it was compiled with line numbers; else "" */
	char options[128]; /* for ptxas */
};

struct fatbin {
	struct fatbin_entry *entries; /* PTX and ELF, in their order */
	size_t n, cap;
};

/* Adds the entries of the fat binary whose header is at `address`; false, with the reason, if it is none. */
bool fatbin_add(struct fatbin *f, const struct fatbin_reader *from, uint64_t address, uint32_t unit, struct text *why);
/* Adds those of what a wrapper (section .nvFatBinSegment) leads to: one fat binary as unit 0, or with -rdc those of all translation units.
 * *units: how many. */
bool fatbin_add_wrapped(struct fatbin *f, const struct fatbin_reader *from, uint64_t wrapper, uint32_t *units,
			struct text *why);
void fatbin_free(struct fatbin *f);

/* Its bytes, unpacked; malloc'd, with a 0 behind them. Zeros at the end of PTX are left out. NULL: damaged, with the reason. */
char *fatbin_unpack(const struct fatbin_entry *e, const struct fatbin_reader *from, size_t *n, struct text *why);

/* The PTX of a unit for a device of that compute capability (75 for 7.5): the highest target that it can run; else, since a simulator can,
 * the lowest above it; else the highest of another device's own ("a", "f"). *exceeds: it is no PTX for that device. NULL: there is no PTX. */
const struct fatbin_entry *fatbin_choose(const struct fatbin *f, uint32_t unit, uint32_t capability, bool *exceeds);
/* The highest target among all PTX; 0: there is none. */
uint32_t fatbin_highest(const struct fatbin *f);

/* Names of the kernels of a cubin (an ELF file), one a line; returns how many. 0 for what is no cubin. */
size_t fatbin_cubin_kernels(const void *elf, size_t n, struct text *names);

#endif
