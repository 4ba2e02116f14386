/* Symbols of the program's host code: functions, source lines, stacks. Uses elfutils' libdwfl if warpstep was built with it. */
#ifndef CUDA_PROGRAM_SYMBOLS_H
#define CUDA_PROGRAM_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/text.h"

struct symbols;

/* Creates symbols without a process. */
struct symbols *symbols_create(void);
/* Frees symbols. */
void symbols_free(struct symbols *s);
/* Records the process' memory maps as they are now. Later lookups use them, also after the process' end. */
void symbols_note_maps(struct symbols *s, pid_t pid);

/* Appends the place of the call before a return address: `main at vecadd.c:27`, `main+0x45` or `0x4011d6 in app`. Returns false if nothing is known
 * of it. */
bool symbols_place(struct symbols *s, uint64_t address, struct text *out);
/* Appends the file and line of the call before a return address (`vecadd.c:27`), or its place if the line isn't known. Returns false if nothing is
 * known. */
bool symbols_line(struct symbols *s, uint64_t address, struct text *out);
/* Returns the line of the call before a return address and appends its file; 0 if it isn't known. */
uint32_t symbols_source(struct symbols *s, uint64_t address, struct text *file);
/* Appends the name of the CUDA entry point that a thread is in, and the place of its caller. Returns false if the thread is in none. */
bool symbols_call(struct symbols *s, pid_t pid, pid_t thread, struct text *name, struct text *place);
/* Appends a thread's frames, a line each in gdb's form, beginning outside of the libraries that replace CUDA's. Returns false with the reason. */
bool symbols_stack(struct symbols *s, pid_t pid, pid_t thread, struct text *out, struct text *why);

#endif
