/* Another process' memory, reached without its help. */
#ifndef CUDA_CHANNEL_REACH_H
#define CUDA_CHANNEL_REACH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* `its` to `mine`; `writes`: the other way. False: not all of it can be. */
bool reach(pid_t pid, uint64_t its, char *mine, uint64_t n, bool writes);

#endif
