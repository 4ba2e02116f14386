/* The memory of a DRAM standard, decoded from the options. */
#ifndef GPU_CONFIG_SDRAM_H
#define GPU_CONFIG_SDRAM_H

#include "gpu/config/config.h"
#include "timing/sdram/sdram.h"

/* Decodes the options of a DRAM standard; out->standard is NULL if none is chosen. Returns false with messages in `diags` if a value is unknown or values
 * don't fit each other. */
bool config_sdram(const struct config *c, struct sdram_config *out, struct diag_list *diags);

#endif
