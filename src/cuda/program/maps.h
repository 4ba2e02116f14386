/* Memory maps of a process: /proc/PID/maps. */
#ifndef CUDA_PROGRAM_MAPS_H
#define CUDA_PROGRAM_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/text.h"

/* Returns the whole text, *n bytes without a terminator, which the caller frees; *n is 0 if it can't be read. */
char *maps_read(pid_t pid, size_t *n);
/* Appends what lies at an address (`the program's stack`, `the program's heap` ...). Returns false if the process can't read there. */
bool maps_describe(pid_t pid, uint64_t address, struct text *out);

#endif
