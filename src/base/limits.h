/* How much of the host's address space each part of a simulated machine reserves, in bytes: an upper bound on what a program can use. */
#ifndef BASE_LIMITS_H
#define BASE_LIMITS_H

#include <stdint.h>

struct machine_limits {
#define LIMIT(name, large, small, what) uint64_t name;
#include "base/limits.def"
#undef LIMIT
};

extern const struct machine_limits machine_limits_large, machine_limits_small;
/* Returns the limits for the host that this was compiled for: large with 64-bit pointers, else small. */
const struct machine_limits *machine_limits_of_host(void);

#endif
