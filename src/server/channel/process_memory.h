/* Copies to and from another process' memory, without its help. */
#ifndef SERVER_CHANNEL_PROCESS_MEMORY_H
#define SERVER_CHANNEL_PROCESS_MEMORY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Copies n bytes from address `its` of process `pid` to `mine`, or with `writes` from `mine` to `its`. Returns false if not all could be copied; a
 * part may be copied then. */
bool process_memory_copy(pid_t pid, uint64_t its, char *mine, uint64_t n, bool writes);

#endif
