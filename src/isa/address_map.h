/* The address map: one flat generic space (docs/state.md "Addresses"). A window holds the addresses of one state space;
 * generic address = window + address within the space. Global addresses are generic addresses already. */
#ifndef ISA_ADDRESS_MAP_H
#define ISA_ADDRESS_MAP_H

#include <stdint.h>

#define ISA_SHARED_WINDOW UINT64_C(0x01000000)	/* 16 MiB: the CTA's shared memory */
#define ISA_LOCAL_WINDOW UINT64_C(0x02000000)	/* 16 MiB: the thread's local memory */
#define ISA_PARAM_WINDOW UINT64_C(0x03000000)	/* 16 MiB: the launch's parameter block */
#define ISA_CONST_WINDOW UINT64_C(0x04000000)	/* 64 MiB: constant memory */
#define ISA_CODE_WINDOW UINT64_C(0x08000000)	/* 128 MiB: addresses of functions: window + pc */
#define ISA_MODULE_GLOBALS UINT64_C(0x10000000) /* module variables grow up from here, below the heap; where device memory ends is the host's matter (base/limits.h) */

#define ISA_SHARED_BYTES_MAX (UINT64_C(16) << 20)
#define ISA_LOCAL_BYTES_MAX (UINT64_C(16) << 20)
#define ISA_PARAM_BYTES_MAX (UINT64_C(16) << 20)
#define ISA_CONST_BYTES_MAX (UINT64_C(64) << 20)
#define ISA_CODE_BYTES_MAX (UINT64_C(128) << 20)
#define ISA_MODULE_GLOBALS_END UINT64_C(0x80000000) /* where the heap begins by default */

/* Returns the alignment that GPGPU-Sim 3.2.2 gives a variable of `bytes` bytes: its size if that is a power of two below 128, else 128 (0 bytes: 1).
 * Cycle counts depend on addresses, so layouts follow this wherever PTX's .align allows. */
static inline uint64_t isa_place_align(uint64_t bytes)
{
	return bytes && bytes < 128 && !(bytes & (bytes - 1)) ? bytes : bytes ? 128 : 1;
}

#endif
