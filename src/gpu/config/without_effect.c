/* Options that are read and change nothing: one note names those that are set to more than their default. */
#include <stdlib.h>
#include <string.h>

#include "gpu/config/config_internal.h"

static const char no_power[] = "there is no power model", unread[] = "nothing reads it, in GPGPU-Sim neither",
		  no_cuobjdump[] = "programs are read without cuobjdump";

static const struct {
	const char *option, *reason;
} rows[] = {
	{"power_simulation_enabled", no_power},
	{"gpuwattch_xml_file", no_power},
	{"power_per_cycle_dump", no_power},
	{"power_trace_enabled", no_power},
	{"power_trace_zlevel", no_power},
	{"steady_power_levels_enabled", no_power},
	{"steady_state_definition", no_power},
	{"power_simulation_mode", no_power},
	{"dvfs_enabled", no_power},
	{"aggregate_power_stats", no_power},
	{"accelwattch_xml_file", no_power},
	{"hw_perf_file_name", no_power},
	{"hw_perf_bench_name", no_power},
	{"n_regfile_gating_group", no_power},
	{"gpgpu_clock_gated_reg_file", no_power},
	{"gpgpu_num_mem_units", unread},
	{"gpgpu_reg_bank_use_warp_id", unread},
	{"l2_ideal", unread},
	{"gpgpu_ptx_use_cuobjdump", no_cuobjdump},
	{"gpgpu_experimental_lib_support", no_cuobjdump},
	{"keep", no_cuobjdump},
};

/* Returns whether an option is set to another value than its default. */
static bool is_changed(const struct config *c, int row)
{
	const struct config_option *o = &config_options[row];
	const char *value = c->values[row].text, *other = c->baseline == 4 && o->default_v4 ? o->default_v4 : o->default_v3;
	if (!value)
		return false;
	if (!other || o->kind == CONFIG_STRING)
		return !other || strcmp(value, other) != 0;
	return strtoll(value, NULL, 0) != strtoll(other, NULL, 0);
}

/* Returns true if -gpgpu_shader_core_pipeline has the third number of GPGPU-Sim 3.0. */
static bool has_simd_width(const struct config *c)
{
	const char *warp = strchr(config_string(c, "gpgpu_shader_core_pipeline"), ':');
	return warp && strchr(warp + 1, ':');
}

void config_note_without_effect(const struct config *c, struct diag_list *diags)
{
	struct text note = {0};
	const char *reason = NULL;
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
		if (!is_changed(c, config_option_find(rows[k].option, strlen(rows[k].option))))
			continue;
		if (reason && reason != rows[k].reason)
			text_addf(&note, " (%s)", reason);
		text_addf(&note, "%s-%s", !reason ? "" : reason == rows[k].reason ? ", " : "; ", rows[k].option);
		reason = rows[k].reason;
	}
	if (reason)
		text_addf(&note, " (%s)", reason);
	if (has_simd_width(c)) {
		text_addf(&note, "%sthe SIMD width in -gpgpu_shader_core_pipeline (%s)", reason ? "; " : "", unread);
		reason = unread;
	}
	if (c->has_accelwattch)
		text_addf(&note, "%s-accelwattch_* (%s)", reason ? "; " : "", no_power);
	if (note.n)
		diag_add(diags, DIAG_NOTE, NULL, 0, 0, NULL, 0, "options without effect: %s", text_str(&note));
	text_free(&note);
}
