/* Rules of the machine that are no numbers: one bool for each row of rules.def. All false is GPGPU-Sim 3.2.2's machine. */
#ifndef TIMING_RULES_H
#define TIMING_RULES_H

#include <stdbool.h>

struct timing_rules {
#define RULE(name, what) bool name;
#include "timing/common/rules.def"
#undef RULE
};

/* All true: GPGPU-Sim 4.2's. */
static inline struct timing_rules timing_rules_42(void)
{
	return (struct timing_rules){
#define RULE(name, what) .name = true,
#include "timing/common/rules.def"
#undef RULE
	};
}

#endif
