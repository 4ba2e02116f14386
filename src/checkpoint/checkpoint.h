/* Writes a session's machine to a file, and restores it in any process, on any instruction-set level. The file has a text heading with the length and
 * CRC-32 of what follows: one zstd frame that holds the configuration, the programs, the debugger's state, and the nonzero pages of the arena. If
 * history was recorded, a second frame holds the same of the beginning of the way that led there without inputs. */
#ifndef CHECKPOINT_CHECKPOINT_H
#define CHECKPOINT_CHECKPOINT_H

#include "session/session.h"

#define CHECKPOINT_TITLE "warpstep checkpoint\n" /* the first line of a file */

/* Returns whether `name` has the file name extension of these checkpoints, .wsc. */
bool checkpoint_is_file(const char *name);

/* Writes the session's machine to the file `path`, which is replaced only when all is written. Appends a line to `out` on success. Returns false with
 * the reason in `why`. */
bool checkpoint_save(struct session *s, const char *path, struct text *out, struct text *why);
/* Replaces the session's machine by the machine in the file, and fills `stop` with its state; if the file's past can't be restored, the past is empty.
 * Returns false with the reason in `why`, and changes nothing, if a program lives or the file can't be used. */
bool checkpoint_restore(struct session *s, const char *path, struct debug_stop *stop, struct text *why);

#endif
