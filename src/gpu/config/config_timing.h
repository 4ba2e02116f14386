/* The performance model's configuration, decoded from the options. */
#ifndef GPU_CONFIG_TIMING_H
#define GPU_CONFIG_TIMING_H

#include "gpu/config/config.h"
#include "timing/timing.h"

/* Decodes the performance model's configuration. Returns false with messages in `diags` if a value is malformed or not modelled. The caller
 * owns `out->icnt` in either case (icnt_config_free). */
bool config_timing(const struct config *c, struct timing_config *out, struct diag_list *diags);

#endif
