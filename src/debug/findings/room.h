/* What the files of this room share. */
#ifndef DEBUG_FINDINGS_ROOM_H
#define DEBUG_FINDINGS_ROOM_H

#include "debug/findings/findings.h"
#include "debug/internal.h"
#include "debug/view/source.h"

/* Appends the lines of a finding, the first without indentation. */
void findings_text(struct debug *d, const struct check_finding *f, struct text *out);
/* Appends the lines of a finding with compute-sanitizer's signs in front. */
void findings_lines(struct debug *d, const struct check_finding *f, struct text *out);

/* Returns the name of the kernel whose thread a finding is of. Returns NULL if the host did it. */
const char *findings_kernel(struct debug *d, const struct check_finding *f);
/* Appends `saxpy+0x1a8`, nothing if the instruction is in no function. */
void findings_pc_text(struct debug *d, uint32_t pc, struct text *out);

/* Adds `findings`, all that aren't suppressed or the one with number `which` from 1, and `summary` (json.c). */
void describe_findings(struct debug *d, struct report *r, uint32_t which);

/* Returns true if a rule of the suppress file fits the finding. `self` is the struct debug. */
bool findings_suppressed(void *self, const struct check_finding *f);
/* Runs `check suppress N`: adds a rule for finding N, to the suppress file too. Returns false, with an error in `why`, if that can't be done. */
bool findings_suppress(struct debug *d, const char *args, struct text *out, struct text *why);

#endif
