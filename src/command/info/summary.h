/* `stats summary`: what has run, on one screen. Inside src/command only. */
#ifndef COMMAND_SUMMARY_H
#define COMMAND_SUMMARY_H

#include "debug/ground/ground.h"

/* Adds, as cells and as about a screen of text, launches, instructions, occupancy and the costliest lines; in performance mode also schedulers,
 * caches and DRAM. */
void summary_print(struct debug *d, struct report *answer);

#endif
