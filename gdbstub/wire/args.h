/* Arguments of packets, taken apart by the schema of the packet's row, so that no handler looks at raw text.
 *
 * A schema is read from left to right:
 *   x   a hexadecimal number of up to 64 bits
 *   t   a thread: a number, 0 (any), -1 (all), or pPID.TID
 *   c   one character
 *   h   the rest of the packet in hexadecimal, decoded
 *   s   the rest of the packet as it is (it may be binary)
 *   w   a word: up to the schema's next character, which has to be a literal
 *   ?   what follows may be missing altogether
 * and every other character stands for itself. */
#ifndef GDBSTUB_ARGS_H
#define GDBSTUB_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

#define ARGS_MAX 6
#define ARGS_ANY_THREAD 0
#define ARGS_ALL_THREADS UINT64_MAX

struct arg {
	bool given;
	uint64_t v;    /* x, t, c */
	const char *s; /* h, s, w: not terminated */
	size_t n;
};

struct args {
	struct arg v[ARGS_MAX];
	struct text decoded; /* of h */
};

/* Parses the n bytes of text by a schema, as the head of this file describes it. The arguments borrow `text` and a->decoded until the next call.
 * Returns false if it doesn't fit. */
bool args_parse(struct args *a, const char *schema, const char *text, size_t n);
/* Frees what was decoded, as no arguments are parsed any more. */
void args_free(struct args *a);

/* Parses a hexadecimal number of up to 64 bits at *s, and moves *s behind it. Returns false, with *s anywhere in the number, if there is none or it
 * is longer. */
bool args_number(const char **s, const char *end, uint64_t *out);
/* Parses a thread (a number, 0, -1 or pPID.TID) at *s, and moves *s behind it. -1 and a process alone give ARGS_ALL_THREADS; 0 gives ARGS_ANY_THREAD;
 * the process is ignored. Returns false if there is none. */
bool args_thread(const char **s, const char *end, uint64_t *out);

#endif
