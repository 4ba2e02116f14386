/* Memory options of a configuration: partitions and DRAM that can't be made of them are refused before a machine is made. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

#include "gpu/config/config.h"
#include "gpu/config/config_timing.h"

/* All that is said about the options, a line each; the defaults stand for the rest. */
static void expect(const char *options, const char *want)
{
	struct config *c = config_create();
	struct diag_list diags;
	struct timing_config t = {0};
	diag_list_init(&diags);
	assert_true(config_set_text(c, options, &diags));
	assert_true(config_finish(c, &diags));
	config_timing(c, &t, &diags);
	bool found = !*want;
	for (size_t i = 0; i < diags.n; i++) {
		bool memory = strstr(diags.v[i].message, "-gpgpu_n_mem") || strstr(diags.v[i].message, "-gpgpu_mem_addr") ||
			      strstr(diags.v[i].message, "-gpgpu_dram_timing");
		if (!*want && memory)
			fail_msg("%s: %s", options, diags.v[i].message);
		found |= *want && strstr(diags.v[i].message, want);
	}
	if (!found)
		fail_msg("%s: not said: %s", options, want);
	icnt_config_free(t.icnt);
	diag_list_free(&diags);
	config_free(c);
}

static void parts_that_do_not_fit(void **state)
{
	(void)state;
	expect("", "");
	expect("-gpgpu_n_mem 6 -gpgpu_n_sub_partition_per_mchannel 2", "");
	expect("-gpgpu_dram_timing_opt 2:2:8:12:21:13:34:9:4:5:13", "-gpgpu_n_mem: address mapping: 2 bank bits for 2 DRAM banks");
	expect("-gpgpu_dram_timing_opt 4:2:8:12:21:13:34:9:10:5:13", "-gpgpu_n_mem: DRAM: WL=10 is more than CL=9");
	expect("-gpgpu_dram_timing_opt 4:2:8:4:21:13:34:9:4:5:13", "-gpgpu_n_mem: DRAM: RCD=4 must be more than WL=4");
	expect("-gpgpu_dram_timing_opt nonsense", "-gpgpu_dram_timing_opt: DRAM timing: nbk: expected a number");
	expect("-gpgpu_n_mem 6 -gpgpu_mem_addr_mapping RRRR", "-gpgpu_mem_addr_mapping: address mapping: 4 bits, expected 64");
	expect("-gpgpu_mem_address_mask 4", "-gpgpu_mem_addr_mapping: address mask 4 is not known");
	expect("-gpgpu_n_sub_partition_per_mchannel 4 -gpgpu_frfcfs_dram_sched_queue_size 1 -gpgpu_dram_return_queue_size 1",
	       "-gpgpu_n_mem: memory partition: scheduler and return queue are too short for 4 sub-partitions");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(parts_that_do_not_fit)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
