/* What the files of this room share. */
#ifndef DEBUG_FINDINGS_ROOM_H
#define DEBUG_FINDINGS_ROOM_H

#include "debug/findings/findings.h"
#include "debug/ground/ground.h"
#include "debug/view/source.h"

/* Returns the name of the kernel whose thread made the finding's access, or its other one. Returns NULL if the host made both. */
const char *findings_kernel(struct debug *d, const struct check_finding *f);
/* Appends `saxpy+0x1a8`, nothing if the instruction is in no function. */
void findings_pc_text(struct debug *d, uint32_t pc, struct text *out);

/* Returns whether a rule of the suppress file fits the finding. `self` is the struct debug. */
bool findings_suppressed(void *self, const struct check_finding *f);
#endif
