/* Options whose other values would change what is simulated in ways warpstep doesn't have: they are refused with a reason, since a machine
 * that is quietly another one than its configuration says is worse than none. */
#include "gpu/config/config_internal.h"

static const struct {
	const char *option;
	int modelled; /* the only value */
	const char *reason;
	bool always; /* in functional mode, too */
} rows[] = {
	/* GPGPU-Sim 3.x */
	/* 4.x: whole machine */
	{"gpgpu_max_completed_cta", 0, "there is no such limit; -gpgpu_max_cta limits the blocks that start", true},
	{"gpgpu_cdp_enabled", 0, "kernels that launch kernels are not modelled; expected 0", true},
	{"gpgpu_concurrent_kernel_sm", 0, "a core runs blocks of one kernel at a time; expected 0", false},
	{"gpgpu_ignore_resources_limitation", 0, "a block that doesn't fit a core can't run; expected 0", false},
	{"checkpoint_option", 0, "use the command checkpoint", true},
	{"resume_option", 0, "use the command restart", true},
	/* 4.x: core */
	{"gpgpu_num_dp_units", 0, "separate DP units are not modelled; expected 0", false},
	{"gpgpu_num_int_units", 0, "separate INT units are not modelled; expected 0", false},
	{"gpgpu_num_tensor_core_units", 0, "tensor units are not modelled; expected 0", false},
	{"gpgpu_tensor_core_avail", 0, "tensor units are not modelled; expected 0", false},
	{"gpgpu_sub_core_model", 0, "schedulers with their own part of the core are not modelled; expected 0", false},
	{"gpgpu_reg_file_port_throughput", 1, "one read of a register bank in a cycle is modelled; expected 1", false},
	{"gpgpu_inst_fetch_throughput", 1, "one fetch in a cycle is modelled; expected 1", false},
	{"gpgpu_enable_specialized_operand_collector", 1, "collector units belong to kinds of units; expected 1", false},
	/* 4.x: memory */
	{"gpgpu_l1_cache_write_ratio", 0, "dirty lines wait for their eviction; expected 0", false},
	{"gpgpu_adaptive_cache_config", 0, "the L1's size is fixed; expected 0", false},
	{"gpgpu_mem_unit_ports", 1, "one transaction in a cycle is modelled; expected 1", false},
	{"dram_elimnate_rw_turnaround", 0, "turning the bus takes its time; expected 0", false},
};

static void refuse(const struct config *c, const char *option, const char *reason, struct diag_list *diags)
{
	config_error(c, option, diags, "-%s: '%s', but %s", option, config_string(c, option), reason);
}

/* Only the first unit's row is looked at: GPGPU-Sim stops reading at the first that is off. */
static void refuse_specialized_units(const struct config *c, struct diag_list *diags)
{
	static const char option[] = "specialized_unit_1";
	if (config_is_set(c, option) && config_string(c, option)[0] != '0')
		refuse(c, option, "such units are not modelled; expected 0,...", diags);
}

/* 4.x's rule that a warp's second instruction of a cycle goes to another kind of unit. */
static void refuse_dual_issue(const struct config *c, struct diag_list *diags)
{
	if (config_int(c, "gpgpu_max_insn_issue_per_warp") > 1 && config_bool(c, "gpgpu_dual_issue_diff_exec_units"))
		refuse(c, "gpgpu_dual_issue_diff_exec_units",
		       "a warp's second issue may go to any unit; expected 0, or -gpgpu_max_insn_issue_per_warp 1", diags);
}

void config_refuse_unmodelled(const struct config *c, bool timing, struct diag_list *diags)
{
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
		if (rows[k].always != timing && config_is_set(c, rows[k].option) &&
		    config_int(c, rows[k].option) != rows[k].modelled)
			refuse(c, rows[k].option, rows[k].reason, diags);
	if (!timing || c->baseline != 4)
		return;
	refuse_specialized_units(c, diags);
	refuse_dual_issue(c, diags);
}
