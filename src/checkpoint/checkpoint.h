/* A session's machine in a file: written where it stands, and taken up by another process, on whatever instruction-set level that runs.
 *
 * The file has a heading of text, with the length and the CRC-32 of what follows: one zstd frame that holds the configuration, the programs, what the
 * debugger knows, and the pages of the arena that aren't zero. */
#ifndef CHECKPOINT_CHECKPOINT_H
#define CHECKPOINT_CHECKPOINT_H

#include "session/session.h"

/* It is the file's name, and no other kind of checkpoint's: ends in .wsc. */
bool checkpoint_is_file(const char *name);

/* `out` says what was done, a line. False, with nothing written: `why`. */
bool checkpoint_save(struct session *s, const char *path, struct text *out, struct text *why);
/* The session's machine is what the file says. False: the file can't be used, and the machine is as it was. */
bool checkpoint_restore(struct session *s, const char *path, struct debug_stop *stop, struct text *why);

#endif
