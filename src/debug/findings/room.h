/* What the files of this room share. */
#ifndef DEBUG_FINDINGS_ROOM_H
#define DEBUG_FINDINGS_ROOM_H

#include "debug/findings/findings.h"
#include "debug/internal.h"
#include "debug/view/source.h"

/* Lines, the first without indentation; the same with compute-sanitizer's signs in front. */
void findings_text(struct debug *d, const struct check_finding *f, struct text *out);
void findings_lines(struct debug *d, const struct check_finding *f, struct text *out);

/* The name of the kernel whose thread it was; NULL: the host did it. */
const char *findings_kernel(struct debug *d, const struct check_finding *f);
/* `saxpy+0x1a8` */
void findings_pc_text(struct debug *d, uint32_t pc, struct text *out);

/* Adds `findings`, all that aren't suppressed or the one with number `which` from 1, and `summary` (json.c). */
void describe_findings(struct debug *d, struct report *r, uint32_t which);

/* suppress.c */
bool findings_suppressed(void *self, const struct check_finding *f);
bool findings_suppress(struct debug *d, const char *args, struct text *out, struct text *why); /* N */

#endif
