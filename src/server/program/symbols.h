/* Symbols of the program's host code: functions, source lines, stacks. Uses elfutils' libdwfl if warpstep was built with it. */
#ifndef SERVER_PROGRAM_SYMBOLS_H
#define SERVER_PROGRAM_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/text.h"

struct symbols;

/* Creates symbols that have no process' maps yet; symbols_free frees them. */
struct symbols *symbols_create(void);
/* Frees symbols with the recorded maps and all that was looked up. */
void symbols_free(struct symbols *s);
/* Records the memory maps of process `pid` as they are now, for later lookups, also after the process' end. If they can't be read, those recorded
 * before stay. */
void symbols_note_maps(struct symbols *s, pid_t pid);

/* Appends the place of the call before return address `address`: `main at vecadd.c:27`, `main+0x45` or `0x4011d6 in app`. Returns false, appending
 * nothing, for 0 or an address in no mapped file. Without libdw appends only the address. */
bool symbols_place(struct symbols *s, uint64_t address, struct text *out);
/* Appends file and line of the call before return address `address`, `vecadd.c:27`, or if unknown its place, such as `main+0x45`. Returns false,
 * appending nothing, for 0 or an address in no mapped file. */
bool symbols_line(struct symbols *s, uint64_t address, struct text *out);
/* Returns the line of the call before return address `address` and appends the file's name, without folder. Returns 0, appending nothing, if it isn't
 * known. */
uint32_t symbols_source(struct symbols *s, uint64_t address, struct text *file);
/* Appends the path of the source file, as its debug information names it, that defines `main` of the executable at `path`. Returns false, appending nothing,
 * if that isn't known. */
bool symbols_main_file(const char *path, struct text *out);
/* Sets `name` to the outermost CUDA entry point, as cudaMalloc, that a thread of process `pid` is in, and appends its caller's place to `place`.
 * Returns false, with both unchanged, if the thread is in none or its stack can't be read. */
bool symbols_call(struct symbols *s, pid_t pid, pid_t thread, struct text *name, struct text *place);
/* Appends up to 256 frames of a thread of process `pid`, a line each in gdb's form. Begins with the innermost one outside of libc and of the
 * libraries that replace CUDA's. Returns false, with the reason, if the stack can't be read. */
bool symbols_stack(struct symbols *s, pid_t pid, pid_t thread, struct text *out, struct text *why);

#endif
