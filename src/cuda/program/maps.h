/* What a process has mapped: /proc/PID/maps. */
#ifndef CUDA_PROGRAM_MAPS_H
#define CUDA_PROGRAM_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/text.h"

/* The whole of it, xmalloc'd and not terminated; *n 0: there is nothing to read. */
char *maps_read(pid_t pid, size_t *n);
/* `the program's stack`, `the program's heap` ...; false: nothing is there that the process could read. */
bool maps_what(pid_t pid, uint64_t address, struct text *out);

#endif
