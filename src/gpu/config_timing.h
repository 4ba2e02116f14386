/* The performance model's configuration, decoded from the options. */
#ifndef GPU_CONFIG_TIMING_H
#define GPU_CONFIG_TIMING_H

#include "gpu/config.h"
#include "timing/timing.h"

/* False if an option's text is malformed, or asks for what is not modelled; all such are in diags. out->icnt is owned by the
 * caller either way (icnt_config_free). */
bool config_timing(const struct config *c, struct timing_config *out, struct diag_list *diags);

#endif
