/* What kernels are told of the device: attributes, functions, occupancy; and its limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gpu/gpu.h"
#include "gpu/launch/properties.h"
#include "frontend/frontend.h"
#include "test_debug_fixture.h"

#define KERNELS \
	".version 7.0\n.target sm_61\n.address_size 64\n" \
	".visible .entry plain(.param .u64 p)\n{\n\tret;\n}\n" \
	".visible .entry tight()\n.maxntid 64, 2, 1\n{\n\t.shared .align 4 .b8 s[1000];\n\t.reg .b32 %r1;\n" \
	"\tmov.u32 %r1, s;\n\tst.shared.u32 [s], %r1;\n\tret;\n}\n"

static void begin(struct fixture *f, const char *const *options)
{
	struct diag_list diags = {0};
	memset(f, 0, sizeof *f);
	f->config = config_create();
	assert_true(config_load_file(f->config, "../../configs/fermi-gtx480/gpgpusim.config", &diags));
	for (; options && *options; options++)
		assert_true(config_set_text(f->config, *options, &diags));
	assert_true(config_finish(f->config, &diags));
	diag_list_free(&diags);
	f->d = debug_create(gpu_create(f->config, NULL, NULL),
			    &(struct debug_host){.self = f, .output = fixture_output});
	command_attach(f->d);
}

static struct gpu *device(const struct fixture *f) { return debug_gpu(f->d); }

static void load_kernels(struct fixture *f)
{
	struct diag_list diags = {0};
	struct text notes = {0};
	assert_true(frontend_load_text(gpu_program(device(f)), 0, "k.ptx", KERNELS, strlen(KERNELS), &diags));
	debug_program_changed(f->d, &notes);
	text_free(&notes);
	diag_list_free(&diags);
}

static int32_t attribute(const struct fixture *f, uint32_t number)
{
	int32_t v = -12345;
	assert_true(gpu_attribute(device(f), number, &v));
	return v;
}

static void attributes_of_a_gtx480(void **state)
{
	(void)state;
	static const struct {
		uint32_t number;
		int32_t value;
	} want[] = {{1, 1024},	 {4, 64},      {5, 2147483647}, {6, 65535},   {8, 49152}, {10, 32},
		    {12, 32768}, {13, 700000}, {16, 15},	{36, 924000}, {37, 384},  {38, 64 * 128 * 8 * 12},
		    {39, 1536},	 {75, 7},      {76, 5},		{81, 49152},  {95, 1},	  {97, 49152},
		    {106, 8}};
	struct fixture f;
	int32_t v;
	begin(&f, NULL);
	for (size_t k = 0; k < sizeof want / sizeof *want; k++)
		assert_int_equal(attribute(&f, want[k].number), want[k].value);
	assert_false(gpu_attribute(device(&f), 0, &v));
	assert_false(gpu_attribute(device(&f), 44, &v));
	assert_false(gpu_attribute(device(&f), 148, &v));
	fixture_end(&f);
}

static void capability_by_rule(void **state)
{
	(void)state;
	static const char *const options[] = {"-gpgpu_compute_capability_major 8", "-gpgpu_compute_capability_minor 6",
					      NULL};
	struct fixture f;
	begin(&f, NULL);
	assert_int_equal(attribute(&f, 75), 7);
	assert_int_equal(attribute(&f, 76), 5);
	load_kernels(&f);
	assert_int_equal(attribute(&f, 75), 6);
	assert_int_equal(attribute(&f, 76), 1);
	fixture_end(&f);
	begin(&f, options);
	load_kernels(&f);
	assert_int_equal(attribute(&f, 75), 8);
	assert_int_equal(attribute(&f, 76), 6);
	fixture_end(&f);
}

static void functions_and_occupancy(void **state)
{
	(void)state;
	struct fixture f;
	int32_t a[36];
	begin(&f, NULL);
	load_kernels(&f);
	struct gpu *g = device(&f);
	assert_true(gpu_function_attributes(g, 1, a, sizeof a));
	assert_int_equal(a[0], 1000);	       /* sharedSizeBytes */
	assert_int_equal(a[6], 128);	       /* maxThreadsPerBlock: .maxntid */
	assert_true(a[7] >= 1);		       /* numRegs */
	assert_int_equal(a[8], 61);	       /* ptxVersion */
	assert_int_equal(a[11], 49152 - 1000); /* maxDynamicSharedSizeBytes */
	assert_false(gpu_function_attributes(g, 2, a, sizeof a));
	/* threads: 1536 a core, 8 blocks at most; shared memory: 48 KiB */
	assert_int_equal(gpu_occupancy(g, 0, 256, 0), 6);
	assert_int_equal(gpu_occupancy(g, 0, 33, 0), 8);
	assert_int_equal(gpu_occupancy(g, 0, 1024, 0), 1);
	assert_int_equal(gpu_occupancy(g, 0, 1025, 0), 0);
	assert_int_equal(gpu_occupancy(g, 0, 0, 0), 0);
	assert_int_equal(gpu_occupancy(g, 0, 64, 10000), 4);
	assert_int_equal(gpu_occupancy(g, 1, 64, 10000), 4); /* 1008 + 10000 */
	assert_int_equal(gpu_occupancy(g, 1, 64, 15400), 2);
	assert_int_equal(gpu_occupancy(g, 0, 64, 49153), 0);
	assert_int_equal(gpu_occupancy(g, 7, 64, 0), 0);
	fixture_end(&f);
}

static void limits_have_ranges_and_survive_a_reset(void **state)
{
	(void)state;
	struct fixture f;
	begin(&f, NULL);
	struct gpu *g = device(&f);
	assert_true(gpu_get_limit(g, 0, GPU_LIMIT_MALLOC_HEAP) == 8 << 20);
	assert_true(gpu_get_limit(g, 0, GPU_LIMIT_STACK) == 1024);
	assert_true(gpu_get_limit(g, 0, GPU_LIMIT_PRINTF_FIFO) == 1 << 20);
	assert_true(gpu_set_limit(g, GPU_EVERY_CONTEXT, GPU_LIMIT_MALLOC_HEAP, 4096));
	assert_false(gpu_set_limit(g, GPU_EVERY_CONTEXT, GPU_LIMIT_STACK, (1 << 20)));
	assert_false(gpu_set_limit(g, GPU_EVERY_CONTEXT, GPU_LIMITS, 1));
	gpu_reset(g);
	assert_true(gpu_get_limit(g, 0, GPU_LIMIT_MALLOC_HEAP) == 4096);
	fixture_end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(attributes_of_a_gtx480),
		cmocka_unit_test(capability_by_rule),
		cmocka_unit_test(functions_and_occupancy),
		cmocka_unit_test(limits_have_ranges_and_survive_a_reset),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
