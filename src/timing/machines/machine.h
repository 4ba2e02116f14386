/* Machines as data: each has a file here with its rows. The numbers of a machine (sizes, latencies, clocks) are options of its configuration; its model says
 * what there is for them to describe. */
#ifndef TIMING_MACHINE_H
#define TIMING_MACHINE_H

#include "timing/common/rules.h"
#include "timing/core/model.h"
#include "timing/dram/dram.h"

struct machine_model {
	const char *name; /* of -gpgpu_baseline */
	int baseline;	  /* whose defaults and syntax the options have: 3 for GPGPU-Sim 3.x, 4 for 4.x */
	const struct core_model *core;
	const struct dram_model *dram;
	struct timing_rules rules;
};
extern const struct machine_model machine_gpgpusim_322, machine_gpgpusim_42;

/* Returns the machine whose options are those of a baseline, 3 or 4. */
const struct machine_model *machine_of_baseline(int baseline);

#endif
