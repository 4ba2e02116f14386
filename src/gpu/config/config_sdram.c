/* The memory of a DRAM standard that the options -gpgpu_dram_... describe. */
#include "gpu/config/config_sdram.h"

#include <string.h>

#include "gpu/config/config_internal.h"

/* Adds the error that an option's value is none of the names in a list, which the error names. */
static void unknown_choice(const struct config *c, const char *option, const char *const *names, unsigned n, struct diag_list *diags)
{
	struct text known = {0};
	for (unsigned k = 0; k < n; k++)
		text_addf(&known, "%s%s", k ? ", " : "", names[k]);
	config_error(c, option, diags, "-%s: bad value '%s'; known: %s", option, config_string(c, option), text_str(&known));
	text_free(&known);
}

/* Finds an option's value in a list of names. Adds an error that lists them if the value is none of them. */
static unsigned choice(const struct config *c, const char *option, const char *const *names, unsigned n, struct diag_list *diags)
{
	const char *value = config_string(c, option);
	for (unsigned k = 0; k < n; k++)
		if (!strcmp(value, names[k]))
			return k;
	unknown_choice(c, option, names, n, diags);
	return 0;
}

static void policies(const struct config *c, struct sdram_config *out, struct diag_list *diags)
{
	out->policy = choice(c, "gpgpu_dram_policy", sdram_policy_names, SDRAM_POLICIES, diags);
	out->row_policy = choice(c, "gpgpu_dram_row_policy", sdram_row_policy_names, SDRAM_ROW_POLICIES, diags);
	out->mapping = choice(c, "gpgpu_dram_mapping", sdram_mapping_names, SDRAM_MAPPINGS, diags);
	out->controller = choice(c, "gpgpu_dram_controller", sdram_controller_names, SDRAM_CONTROLLERS, diags);
	out->cap = (uint32_t)config_int(c, "gpgpu_dram_cap");
	out->row_timeout = (uint32_t)config_int(c, "gpgpu_dram_row_timeout");
}

bool config_sdram(const struct config *c, struct sdram_config *out, struct diag_list *diags)
{
	static const char *const options[] = {"gpgpu_dram_standard", "gpgpu_dram_variant", "gpgpu_dram_org", "gpgpu_dram_speed"};
	const struct sdram_names names = {config_string(c, options[0]), config_string(c, options[1]), config_string(c, options[2]),
					  config_string(c, options[3])};
	const size_t before = diags->n_errors;
	struct text why = {0};
	unsigned which = 0;
	*out = (struct sdram_config){
		.channels = (uint32_t)config_int(c, "gpgpu_dram_channels"),
		.ranks = (uint32_t)config_int(c, "gpgpu_dram_ranks"),
		.subarrays = (uint32_t)config_int(c, "gpgpu_dram_subarrays"),
	};
	policies(c, out, diags);
	if (!strcmp(names.standard, "gddr"))
		return diags->n_errors == before;
	if (!sdram_choose(out, &names, &which, &why))
		config_error(c, options[which], diags, "-%s: %s%s", options[which], text_str(&why), which ? "" : ", gddr");
	else if (!sdram_config_check(out, &why))
		config_error(c, options[0], diags, "-%s: %s", options[0], text_str(&why));
	text_free(&why);
	return diags->n_errors == before;
}
