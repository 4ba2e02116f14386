/* Addresses of the program's host code: functions, source lines, stacks. By elfutils' libdwfl, where warpstep was built with it. */
#ifndef CUDA_PROGRAM_SYMBOLS_H
#define CUDA_PROGRAM_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/text.h"

struct symbols;

struct symbols *symbols_create(void);
void symbols_free(struct symbols *s);
/* What the process has mapped now: what is asked later, also after its end, is answered by that. */
void symbols_note_maps(struct symbols *s, pid_t pid);

/* Of the instruction in front of a return address. `main at vecadd.c:27`, `main+0x45`, `0x4011d6 in app`; false: nothing is known of it. */
bool symbols_place(struct symbols *s, uint64_t address, struct text *out);
/* `vecadd.c:27` where lines are known, else as symbols_place. */
bool symbols_line(struct symbols *s, uint64_t address, struct text *out);
uint32_t symbols_source(struct symbols *s, uint64_t address, struct text *file); /* the line; 0: it isn't known */
/* The entry point of CUDA's that a thread is in, and who has called it, as symbols_place; false: it is in none. */
bool symbols_call(struct symbols *s, pid_t pid, pid_t thread, struct text *name, struct text *place);
/* A thread's frames, a line each, in gdb's form, from the first outside of the libraries that stand in for CUDA's. */
bool symbols_stack(struct symbols *s, pid_t pid, pid_t thread, struct text *out, struct text *why);

#endif
