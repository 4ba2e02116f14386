/* Rules of the machine that are not numbers: one bool for each row of rules.def. All false is GPGPU-Sim 3.2.2's machine. */
#ifndef TIMING_RULES_H
#define TIMING_RULES_H

#include <stdbool.h>

struct timing_rules {
#define RULE(name, what) bool name;
#include "timing/common/rules.def"
#undef RULE
};

/* Returns the rules of GPGPU-Sim 4.2's machine: all true. */
static inline struct timing_rules timing_rules_42(void)
{
	return (struct timing_rules){
#define RULE(name, what) .name = true,
#include "timing/common/rules.def"
#undef RULE
	};
}

#endif
