/* `stats summary`: what has run, on one screen. Inside src/debug only. */
#ifndef DEBUG_SUMMARY_H
#define DEBUG_SUMMARY_H

#include "debug/ground/ground.h"

/* Adds what has run, on one screen. */
void summary_print(struct debug *d, struct report *answer);

#endif
