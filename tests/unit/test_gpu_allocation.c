/* Blocks on an SM: against nvcc's cuda_occupancy.h where the toolkit is installed, and against values of NVIDIA's occupancy calculator. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu/config/capability.h"

#if __has_include("/usr/local/cuda/include/cuda_occupancy.h")
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wunused-function"
#include "/usr/local/cuda/include/cuda_occupancy.h"
#pragma GCC diagnostic pop
#define HAS_HEADER 1
#else
#define HAS_HEADER 0
#endif

static uint32_t blocks(uint32_t number, uint32_t threads, uint32_t registers, uint32_t shared_bytes)
{
	struct block_fit f;
	allocation_fit(&capability_find(number)->rules, &(struct block_needs){threads, registers, shared_bytes}, &f);
	return f.blocks;
}

#if HAS_HEADER
/* The header's answer for an SM of a row, with as much shared memory as a block may have. */
static uint32_t blocks_by_header(const struct capability *k, uint32_t threads, uint32_t registers, uint32_t shared_bytes)
{
	const struct allocation_rules *r = &k->rules;
	const struct cudaOccDeviceProp device = {.computeMajor = (int)(k->number / 10),
						 .computeMinor = (int)(k->number % 10),
						 .maxThreadsPerBlock = (int)r->block_threads,
						 .maxThreadsPerMultiprocessor = (int)r->warps * 32,
						 .regsPerBlock = (int)r->block_registers,
						 .regsPerMultiprocessor = (int)r->registers,
						 .warpSize = 32,
						 .sharedMemPerBlock = 49152,
						 .sharedMemPerMultiprocessor = r->shared_bytes,
						 .numSms = 1,
						 .sharedMemPerBlockOptin = r->block_shared_bytes,
						 .reservedSharedMemPerBlock = r->driver_shared_bytes};
	const struct cudaOccFuncAttributes kernel = {.maxThreadsPerBlock = 1024,
						     .numRegs = (int)registers,
						     .sharedSizeBytes = 0,
						     .shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN,
						     .maxDynamicSharedSizeBytes = shared_bytes,
						     .numBlockBarriers = 1};
	const struct cudaOccDeviceState state = {.carveoutConfig = SHAREDMEM_CARVEOUT_DEFAULT};
	struct cudaOccResult result;
	assert_int_equal(cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &kernel, &state, (int)threads, shared_bytes), CUDA_OCC_SUCCESS);
	return (uint32_t)result.activeBlocksPerMultiprocessor;
}
#endif

static void as_nvccs_header(void **state)
{
	(void)state;
#if HAS_HEADER
	static const uint32_t shared[] = {0, 1, 127, 255, 257, 3000, 8191, 16384, 33000, 49152, 60000, 98304, 101376, 166912, 232448};
	for (unsigned i = 0; capability_at(i); i++) {
		const struct capability *k = capability_at(i);
		if (k->number < 50)
			continue;
		for (uint32_t threads = 1; threads <= 1024; threads += threads < 64 ? 9 : 37)
			for (uint32_t registers = 0; registers <= 255; registers += 5)
				for (unsigned s = 0; s < sizeof shared / sizeof *shared; s++)
					if (blocks(k->number, threads, registers, shared[s]) != blocks_by_header(k, threads, registers, shared[s]))
						fail_msg("cc %u, %u threads, %u registers, %u bytes: %u, the header says %u", k->number, threads, registers, shared[s],
							 blocks(k->number, threads, registers, shared[s]), blocks_by_header(k, threads, registers, shared[s]));
	}
#else
	skip();
#endif
}

/* Rows of the calculator's sheets (compute capability, threads, registers, shared bytes -> blocks on an SM), by its rules: before 2.0 a block's warps are
 * rounded up to two and its registers to 256 (1.0, 1.1) or 512, from 2.0 on a warp's registers to 64, 3.x: 256. */
static void as_the_calculator(void **state)
{
	static const struct {
		uint32_t cc, threads, registers, shared_bytes, blocks;
	} rows[] = {
		{10, 256, 10, 4096, 3},	 /* 8 warps x 32 x 10 = 2560 registers: 3; 4096 bytes: 4; 24 warps: 3 */
		{10, 256, 11, 4096, 2},	 /* 2816: 2 */
		{10, 32, 10, 0, 8},	 /* 1 warp counts as 2: 640 -> 768 registers: 10; blocks: 8 */
		{10, 96, 20, 0, 3},	 /* 3 warps count as 4: 2560 registers: 3 */
		{13, 256, 16, 4096, 4},	 /* 4096 registers: 4; 16384 bytes: 4; 32 warps: 4 */
		{13, 512, 32, 0, 1},	 /* 16384 registers */
		{13, 513, 4, 0, 0},	 /* a block has 512 threads at most */
		{20, 256, 20, 0, 6},	 /* 640 registers a warp: 51 -> 50 warps; 48 warps: 6 */
		{20, 256, 21, 0, 5},	 /* 672 -> 704: 46 warps: 5 */
		{20, 192, 63, 0, 2},	 /* 2016 -> 2048: 16 warps: 2 */
		{20, 192, 64, 0, 0},	 /* more than a thread can have */
		{20, 128, 20, 6200, 7},	 /* 6200 -> 6272 bytes: 7; 12 by warps, 8 blocks */
		{30, 256, 32, 0, 8},	 /* 1024 a warp: 64 warps: 8 */
		{30, 256, 33, 0, 6},	 /* 1056 -> 1280: 51 -> 48 warps: 6 */
		{35, 1024, 64, 0, 1},
		{37, 1024, 64, 0, 2},
		{37, 256, 32, 20000, 5}, /* 20000 -> 20224 bytes of 114688: 5 */
	};
	(void)state;
	for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++)
		if (blocks(rows[k].cc, rows[k].threads, rows[k].registers, rows[k].shared_bytes) != rows[k].blocks)
			fail_msg("row %u: %u, expected %u", k, blocks(rows[k].cc, rows[k].threads, rows[k].registers, rows[k].shared_bytes), rows[k].blocks);
}

static void every_limit_is_told(void **state)
{
	(void)state;
	struct block_fit f;
	allocation_fit(&capability_find(13)->rules, &(struct block_needs){256, 16, 4096}, &f);
	assert_int_equal(f.limit[ALLOCATION_WARPS], 4);
	assert_int_equal(f.limit[ALLOCATION_REGISTERS], 4);
	assert_int_equal(f.limit[ALLOCATION_SHARED], 4);
	assert_int_equal(f.limit[ALLOCATION_BLOCKS], 8);
	allocation_fit(&capability_find(75)->rules, &(struct block_needs){64, 0, 0}, &f);
	assert_int_equal(f.limit[ALLOCATION_REGISTERS], UINT32_MAX);
	assert_int_equal(f.limit[ALLOCATION_SHARED], UINT32_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(as_nvccs_header), cmocka_unit_test(as_the_calculator), cmocka_unit_test(every_limit_is_told)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
