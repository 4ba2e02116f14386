/* Rules of a machine that are not numbers: one member for each row of rules.def. */
#ifndef TIMING_RULES_H
#define TIMING_RULES_H

#include <stdbool.h>

struct timing_rules {
#define RULE(name, what) bool name;
#include "timing/common/rules.def"
#undef RULE
};

#endif
