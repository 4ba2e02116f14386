/* Checkpoints for a post-mortem: written on request and when a program's kernel fails. */
#ifndef COMMAND_SESSION_CORE_FILE_H
#define COMMAND_SESSION_CORE_FILE_H

#include <stdbool.h>

struct debug_stop;
struct interpreter;

/* Returns whether the environment asks for a file at an exception: CUDA_ENABLE_COREDUMP_ON_EXCEPTION is 1. */
bool core_file_is_wanted(void);
/* Writes a checkpoint if a kernel of a program has failed and the environment asks for one: CUDA_ENABLE_COREDUMP_ON_EXCEPTION is 1. CUDA_COREDUMP_FILE
 * names the file. Prints a line about it. Does nothing at other stops. `stop` may be NULL. */
void core_file_at_stop(struct interpreter *in, const struct debug_stop *stop);

#endif
