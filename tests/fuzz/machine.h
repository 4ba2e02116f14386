/* Machines for fuzz targets: the default in functional mode, or a configuration of the tree in performance mode. */
#ifndef FUZZ_MACHINE_H
#define FUZZ_MACHINE_H

#include <stdlib.h>

#include "gpu/config/config.h"
#include "gpu/config/config_timing.h"
#include "gpu/gpu.h"
#include "timing/icnt/icnt.h"

struct machine {
	struct config *config;
	struct timing_config timing;
	struct gpu *gpu;
};

/* Which: '0' to '4'; anything else is functional mode. */
static inline void machine_make(struct machine *m, int which)
{
	static const char *const names[] = {"tiny", "fermi-gtx480", "fermi-c2050", "gt200-quadrofx5800", "v42-gtx480"};
	const bool performance = which >= '0' && which < '0' + (int)(sizeof names / sizeof *names);
	struct text path = {0}, why = {0};
	struct diag_list diags;
	*m = (struct machine){.config = config_create()};
	diag_list_init(&diags);
	if (performance &&
	    (!config_find(NULL, names[which - '0'], &path) || !config_load_file(m->config, text_str(&path), &diags)))
		abort();
	if (!config_finish(m->config, &diags) || (performance && !config_timing(m->config, &m->timing, &diags)))
		abort();
	m->gpu = performance ? gpu_create_performance(m->config, &m->timing, NULL, NULL, &why) : gpu_create(m->config, NULL, NULL);
	if (!m->gpu)
		abort();
	diag_list_free(&diags);
	text_free(&path);
	text_free(&why);
}

/* After what owns the gpu (struct debug) has gone. */
static inline void machine_free(struct machine *m)
{
	icnt_config_free(m->timing.icnt);
	config_free(m->config);
}

#endif
