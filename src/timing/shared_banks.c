/* Bank conflicts of shared memory. */
#include "timing/coalesce.h"

#define WORD_BYTES 4u

/* Lanes of a sub-warp, by what they access. */
struct bank_accesses {
	uint32_t n;
	uint32_t bank[LANES];
	uint64_t word[LANES];
};

static bool gather(const struct core_config *cfg, const uint64_t address[LANES], uint32_t lanes, struct bank_accesses *b)
{
	/* also tells whether every bank is used at most once, as it usually is */
	uint64_t seen = 0;
	bool alone = true;
	b->n = 0;
	LANES_EACH(l, lanes) {
		uint64_t word = address[l] / WORD_BYTES;
		uint32_t bank = (uint32_t)(word % cfg->shared_banks);
		uint64_t bit = UINT64_C(1) << (bank & 63);
		alone &= !(seen & bit);
		seen |= bit;
		b->word[b->n] = word;
		b->bank[b->n++] = bank;
	}
	return alone;
}

/* Every word can be given to any number of lanes: the bank with the most distinct words decides. */
static uint32_t cycles_any_broadcast(const struct bank_accesses *b)
{
	uint32_t first[LANES]; /* each word's first access */
	uint32_t n = 0, most = 0;
	for (uint32_t k = 0; k < b->n; k++) {
		uint32_t words = 1; /* in its bank, up to here */
		bool again = false;
		for (uint32_t j = 0; j < n && !again; j++) {
			again = b->word[first[j]] == b->word[k];
			words += b->bank[first[j]] == b->bank[k];
		}
		if (again)
			continue;
		first[n++] = k;
		if (words > most)
			most = words;
	}
	return most;
}

/* One word is given to all lanes that want it: the lowest of the lowest bank that has such a word. All other accesses of a bank go one
 * by one. */
static uint32_t cycles_one_broadcast(const struct bank_accesses *b)
{
	uint32_t chosen = UINT32_MAX, chosen_lanes = 0, most = 0;
	for (uint32_t k = 0; k < b->n; k++) {
		uint32_t same = 0;
		for (uint32_t j = 0; j < b->n; j++)
			same += b->word[j] == b->word[k];
		bool lower = chosen == UINT32_MAX || b->bank[k] < b->bank[chosen] ||
			     (b->bank[k] == b->bank[chosen] && b->word[k] < b->word[chosen]);
		if (same > 1 && lower) {
			chosen = k;
			chosen_lanes = same;
		}
	}
	for (uint32_t k = 0; k < b->n; k++) {
		uint32_t n = 0;
		for (uint32_t j = 0; j < b->n; j++)
			n += b->bank[j] == b->bank[k];
		if (chosen != UINT32_MAX && b->bank[k] == b->bank[chosen])
			n -= chosen_lanes - 1;
		if (n > most)
			most = n;
	}
	return most;
}

uint32_t shared_access_cycles(const struct core_config *cfg, const uint64_t address[LANES], uint32_t lanes)
{
	const uint32_t width = LANES / cfg->warp_parts;
	const uint32_t all = width == LANES ? LANES_ALL : (UINT32_C(1) << width) - 1;
	uint32_t cycles = 0;
	for (uint32_t part = 0; part < cfg->warp_parts; part++) {
		struct bank_accesses b;
		bool alone = gather(cfg, address, lanes & all << part * width, &b);
		if (alone)
			cycles += b.n > 0;
		else
			cycles += cfg->shared_limited_broadcast ? cycles_one_broadcast(&b) : cycles_any_broadcast(&b);
	}
	return cycles;
}
