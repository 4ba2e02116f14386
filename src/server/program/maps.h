/* Memory maps of a process: /proc/PID/maps. */
#ifndef SERVER_PROGRAM_MAPS_H
#define SERVER_PROGRAM_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/text.h"

/* Returns the text of /proc/PID/maps, *n bytes without a terminator, cut off after about 16 MB; the caller frees it. If it can't be read, *n is 0 and
 * the result may be NULL. */
char *maps_read(pid_t pid, size_t *n);
/* Appends what lies at `address` in process `pid`, such as `the program's stack`. Returns false, appending nothing, if there is no readable memory or
 * the process' maps can't be read. */
bool maps_describe(pid_t pid, uint64_t address, struct text *out);

#endif
