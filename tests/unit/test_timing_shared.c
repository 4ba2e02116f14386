/* Bank conflicts of shared memory: tables worked out by hand for 32 banks (Fermi: any broadcast, whole warps) and 16 banks (GT200: one
 * broadcast word per half warp), and random accesses against a count made bank by bank. */
#include "ldst_machine.h"

static struct core_config fermi(void) { return (struct core_config){.warp_threads = 32, .shared_banks = 32, .warp_parts = 1}; }
static struct core_config gt200(void)
{
	return (struct core_config){.warp_threads = 32, .shared_banks = 16, .warp_parts = 2, .shared_limited_broadcast = true};
}

static uint32_t strided(const struct core_config *cfg, uint32_t stride)
{
	uint64_t address[LANES];
	for (unsigned l = 0; l < LANES; l++)
		address[l] = l * stride;
	return shared_access_cycles(cfg, address, LANES_ALL);
}

/* Lane l accesses word[l]; the last of the list for all lanes behind. */
static uint32_t words(const struct core_config *cfg, uint32_t lanes, const uint32_t *word, unsigned n)
{
	uint64_t address[LANES];
	for (unsigned l = 0; l < LANES; l++)
		address[l] = word[l < n ? l : n - 1] * 4;
	return shared_access_cycles(cfg, address, lanes);
}
#define WORDS(cfg, lanes, ...) words(cfg, lanes, (const uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / 4)

/* Stride of s words: the banks used are 32 / gcd(s, 32), each by gcd lanes with different words. */
static void strides(void **state)
{
	(void)state;
	const struct core_config f = fermi(), g = gt200();
	static const uint32_t want[][3] = {/* stride in words, Fermi, GT200 (two half warps of 16) */
					   {1, 1, 2},   {2, 2, 4},   {3, 1, 2},	  {4, 4, 8},   {5, 1, 2},   {6, 2, 4},	{7, 1, 2},
					   {8, 8, 16},  {12, 4, 8},  {16, 16, 32}, {32, 32, 32}, {33, 1, 2}, {64, 32, 32}};
	for (size_t k = 0; k < sizeof want / sizeof want[0]; k++) {
		assert_int_equal(strided(&f, want[k][0] * 4), want[k][1]);
		assert_int_equal(strided(&g, want[k][0] * 4), want[k][2]);
	}
	/* bytes and halves share words: on Fermi that costs nothing; on GT200 one word is broadcast, and in each bank but its own 4 (2)
	 * lanes follow each other */
	assert_int_equal(strided(&f, 1), 1);
	assert_int_equal(strided(&f, 2), 1);
	assert_int_equal(strided(&g, 1), 8);
	assert_int_equal(strided(&g, 2), 4);
	/* 8-byte elements count by their first word */
	assert_int_equal(strided(&f, 8), 2);
	assert_int_equal(strided(&g, 8), 4);
}

static void broadcasts(void **state)
{
	(void)state;
	const struct core_config f = fermi(), g = gt200();
	/* one word for all lanes */
	assert_int_equal(strided(&f, 0), 1);
	assert_int_equal(strided(&g, 0), 2);
	/* two words of one bank, many lanes each: two words on Fermi; on GT200 half warp 0 (word 0 once, word 16 for 15) */
	assert_int_equal(WORDS(&f, LANES_ALL, 0, 32), 2);
	/* GT200 lanes 0..15: word 0 by 8 lanes, word 16 by 8: word 0 (the lower) is broadcast: 1 + 8; lanes 16..31 on word 16: 1 */
	assert_int_equal(WORDS(&g, LANES_ALL, 0, 0, 0, 0, 0, 0, 0, 0, 16), 9 + 1);
	/* the first bank with a shared word is chosen, not the best: bank 1 has 2 lanes on a word, bank 2 has 3 on another */
	assert_int_equal(WORDS(&g, 0x1f, 1, 1, 2, 2, 2), 3);
	assert_int_equal(WORDS(&f, 0x1f, 1, 1, 2, 2, 2), 1);
	/* the same, the broadcast word seen last by lane order: bank 0 wins over bank 5 */
	assert_int_equal(WORDS(&g, 0x1f, 5, 5, 5, 0, 0), 3);
	/* in the chosen bank the other words go one by one: words 16, 32 (one lane each), 0 (2 lanes): 4 - 1 */
	assert_int_equal(WORDS(&g, 0xf, 16, 32, 0, 0), 3);
	/* of one bank the lowest word with several lanes: 16 (2 lanes), not 32 (3): 5 - 1 */
	assert_int_equal(WORDS(&g, 0x1f, 32, 32, 32, 16, 16), 4);
	/* a lone lower word is no broadcast: words 0 (1 lane), 16 (3 lanes): 4 - 2 */
	assert_int_equal(WORDS(&g, 0xf, 0, 16, 16, 16), 2);
}

static void lanes_off(void **state)
{
	(void)state;
	const struct core_config f = fermi(), g = gt200();
	/* conflicts only among lanes that execute */
	assert_int_equal(WORDS(&f, 0x1, 0, 32, 64), 1);
	assert_int_equal(WORDS(&f, 0x3, 0, 32, 64), 2);
	assert_int_equal(WORDS(&f, 0x5, 0, 32, 64), 2);
	/* a half warp without lanes costs nothing */
	assert_int_equal(WORDS(&g, 0xffff0000, 3), 1);
	assert_int_equal(WORDS(&g, 0x00010001, 3), 2);
}

/* Two sub-warps on 32 banks, four on 16: the sums. */
static void sub_warps(void **state)
{
	(void)state;
	struct core_config k = fermi();
	k.warp_parts = 2;
	/* stride 2 words: 16 lanes on 16 banks of 32 */
	assert_int_equal(strided(&k, 8), 2);
	assert_int_equal(strided(&k, 16), 4); /* 16 lanes on 8 banks */
	k = gt200();
	k.warp_parts = 4;
	assert_int_equal(strided(&k, 4), 4);
	assert_int_equal(strided(&k, 8), 4); /* 8 lanes on 8 banks */
}

/* A number of banks that is no power of two, and more than 64. */
static void odd_banks(void **state)
{
	(void)state;
	struct core_config k = fermi();
	k.shared_banks = 17;
	assert_int_equal(strided(&k, 4), 2);	  /* words 0..31: banks 0..14 twice */
	assert_int_equal(strided(&k, 17 * 4), 32);
	k.shared_banks = 128;
	assert_int_equal(strided(&k, 8), 1);
	assert_int_equal(strided(&k, 128), 8); /* words 0, 32, 64, 96 mod 128: four banks */
}

/* ---- against a count ---- */
static uint32_t count_part(const struct core_config *cfg, const uint64_t *address, uint32_t lanes)
{
	uint32_t most = 0, broadcast = 0, broadcast_bank = 0;
	for (uint32_t bank = 0; bank < cfg->shared_banks; bank++)
		for (uint64_t word = bank; word < 512; word += cfg->shared_banks) {
			uint32_t n = 0;
			LANES_EACH(l, lanes)
				n += address[l] / 4 == word;
			if (n > 1 && !broadcast) {
				broadcast = n;
				broadcast_bank = bank;
			}
		}
	for (uint32_t bank = 0; bank < cfg->shared_banks; bank++) {
		uint32_t all = 0, distinct = 0;
		for (uint64_t word = bank; word < 512; word += cfg->shared_banks) {
			uint32_t n = 0;
			LANES_EACH(l, lanes)
				n += address[l] / 4 == word;
			all += n;
			distinct += n > 0;
		}
		if (broadcast && bank == broadcast_bank)
			all -= broadcast - 1;
		uint32_t cost = cfg->shared_limited_broadcast ? all : distinct;
		most = cost > most ? cost : most;
	}
	return most;
}

static void random_accesses(void **state)
{
	(void)state;
	uint64_t seed = 7;
	for (unsigned round = 0; round < 4000; round++) {
		struct core_config k = round & 1 ? fermi() : gt200();
		uint64_t address[LANES];
		k.shared_limited_broadcast = round >> 1 & 1;
		const uint64_t range = UINT64_C(1) << (3 + round % 9);
		uint32_t lanes = 0;
		for (unsigned l = 0; l < LANES; l++) {
			seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
			address[l] = (seed >> 33) % range;
			lanes |= seed >> 60 ? lanes_bit(l) : 0;
		}
		uint32_t want = 0, width = LANES / k.warp_parts;
		for (uint32_t p = 0; p < k.warp_parts; p++)
			want += count_part(&k, address, lanes & (uint32_t)(((UINT64_C(1) << width) - 1) << p * width));
		assert_int_equal(shared_access_cycles(&k, address, lanes), want);
	}
}

#define T(f) cmocka_unit_test(f)
int main(void)
{
	const struct CMUnitTest tests[] = {T(strides), T(broadcasts), T(lanes_off), T(sub_warps), T(odd_banks), T(random_accesses)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
