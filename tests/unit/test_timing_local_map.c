/* Local memory's place in the address space of caches and DRAM (-gpgpu_local_mem_map): numbers worked out from the formulas
 *   1: base = 4 * (P * (S + N * (t / P)) + t mod P), threads = P * M * N
 *   0: base = 4 * (threads per core * S + t),         threads = N * threads per core
 * with LOCAL_BASE 0x3FC00000, and laws. */
#include "ldst_machine.h"

#define LOCAL UINT64_C(0x3FC00000)

static void by_cta(void **state)
{
	(void)state;
	struct local_layout l = {.by_cta = true, .core = 2, .n_cores = 15, .threads_per_core = 1536, .padded = 96, .max_ctas = 7};
	assert_int_equal(local_word_stride(&l), 96 * 7 * 15 * 4);
	assert_int_equal(local_thread_base(&l, 0), LOCAL + 4 * (96 * 2));
	assert_int_equal(local_thread_base(&l, 95), LOCAL + 4 * (96 * 2 + 95));
	/* CTA slot 1 of core 2 comes after slot 0 of all cores */
	assert_int_equal(local_thread_base(&l, 96), LOCAL + 4 * (96 * (2 + 15)));
	assert_int_equal(local_thread_base(&l, 96 * 6 + 10), LOCAL + 4 * (96 * (2 + 15 * 6) + 10));
}

static void by_thread(void **state)
{
	(void)state;
	struct local_layout l = {.core = 3, .n_cores = 30, .threads_per_core = 1024, .padded = 96, .max_ctas = 7};
	assert_int_equal(local_word_stride(&l), 30 * 1024 * 4);
	assert_int_equal(local_thread_base(&l, 0), LOCAL + 4 * 3 * 1024);
	assert_int_equal(local_thread_base(&l, 1023), LOCAL + 4 * (3 * 1024 + 1023));
}

/* Every thread of the machine has its own word, and together they fill one stretch. */
static void a_word_of_all_threads_is_one_stretch(void **state)
{
	(void)state;
	for (unsigned map = 0; map < 2; map++) {
		enum { CORES = 4, P = 64, M = 3 };
		uint8_t seen[CORES * P * M] = {0};
		for (uint32_t core = 0; core < CORES; core++) {
			struct local_layout l = {.by_cta = map, .core = core, .n_cores = CORES, .threads_per_core = P * M, .padded = P,
						 .max_ctas = M};
			assert_int_equal(local_word_stride(&l), sizeof seen * 4);
			for (uint32_t t = 0; t < P * M; t++) {
				uint64_t at = local_thread_base(&l, t) - LOCAL;
				assert_int_equal(at % 4, 0);
				assert_true(at / 4 < sizeof seen);
				assert_int_equal(seen[at / 4]++, 0);
			}
		}
	}
}

/* Threads of a warp follow each other. */
static void lanes_are_neighbours(void **state)
{
	(void)state;
	struct local_layout l = {.by_cta = true, .core = 1, .n_cores = 15, .threads_per_core = 1536, .padded = 192, .max_ctas = 8};
	for (uint32_t t = 0; t < 1536; t++)
		if (t % 32)
			assert_int_equal(local_thread_base(&l, t), local_thread_base(&l, t - 1) + 4);
}

#define T(f) cmocka_unit_test(f)
int main(void)
{
	const struct CMUnitTest tests[] = {T(by_cta), T(by_thread), T(a_word_of_all_threads_is_one_stretch), T(lanes_are_neighbours)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
