/* The sizes of a machine's memory on its host: reservations of address space, and with them what a program may need at most. */
#ifndef BASE_LIMITS_H
#define BASE_LIMITS_H

#include <stdint.h>

struct machine_limits {
#define LIMIT(name, large, small, what) uint64_t name;
#include "base/limits.def"
#undef LIMIT
};

extern const struct machine_limits machine_limits_large, machine_limits_small;
/* Those for the host this was compiled for. */
const struct machine_limits *machine_limits_of_host(void);

#endif
