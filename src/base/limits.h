/* How much of the host's address space each part of a simulated machine reserves, in bytes: an upper bound on what a program can use. */
#ifndef BASE_LIMITS_H
#define BASE_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

struct machine_limits {
#define LIMIT(name, large, small, what) uint64_t name;
#include "base/limits.def"
#undef LIMIT
};

extern const struct machine_limits machine_limits_large, machine_limits_small;
/* Returns the limits for the host that this was compiled for: large with 64-bit pointers, else small. */
const struct machine_limits *machine_limits_of_host(void);

/* Stores limits for a process that may use less than the host has. Step 0 is machine_limits_of_host; each further step halves them, down to
 * machine_limits_small. No file of device memory is larger than `file_most` bytes. Returns false if there is no such step. */
bool machine_limits_step(unsigned step, uint64_t file_most, struct machine_limits *out);
/* Returns how many bytes this process's files may have (ulimit -f), UINT64_MAX: any number. */
uint64_t machine_limits_file_most(void);
/* Returns how many bytes of address space this process has reserved; 0 if that can't be read. */
uint64_t machine_limits_in_use(void);
/* Adds which of this process's limits (setrlimit) leave less than machine_limits_of_host, `: ulimit -v is N KB`. */
void machine_limits_blame(struct text *out);

#endif
