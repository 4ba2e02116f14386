#include "timing/machines/machine.h"

static const struct machine_model *const machines[] = {&machine_gpgpusim_322, &machine_gpgpusim_42};

const struct machine_model *machine_of_baseline(int baseline)
{
	for (unsigned k = 1; k < sizeof machines / sizeof *machines; k++)
		if (machines[k]->baseline == baseline)
			return machines[k];
	return machines[0];
}
