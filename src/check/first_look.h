/* First looks of compare-and-swap loops. */
#ifndef CHECK_FIRST_LOOK_H
#define CHECK_FIRST_LOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/program.h"

/* Returns true if the value that the plain load at `pc` reads only becomes what a compare-and-swap expects, and the value that it writes. The swap compares
 * the value again, so an outdated value does no harm. */
bool first_look_is(const struct isa_program *p, uint32_t pc);

#endif
