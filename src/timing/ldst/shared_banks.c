/* Bank conflicts of shared memory. */
#include "timing/ldst/coalesce.h"

#include <string.h>

#define WORD_BYTES 4u
#define CHAINS 64u /* banks are found through their low bits */

/* The distinct words a sub-warp accesses, in chains by bank. */
struct words {
	uint32_t n;
	uint8_t head[CHAINS]; /* entry + 1, 0: empty */
	struct {
		uint32_t word, bank;
		uint8_t lanes, next;
	} at[LANES];
};

static uint32_t bank_of(uint32_t word, uint32_t banks) { return banks & (banks - 1) ? word % banks : word & (banks - 1); }

/* Words that lie closer together than there are banks are in different banks. */
static bool all_near(const uint64_t address[LANES], uint32_t banks)
{
	uint32_t low = UINT32_MAX, high = 0;
	for (unsigned l = 0; l < LANES; l++) {
		const uint32_t word = (uint32_t)address[l] / WORD_BYTES;
		low = word < low ? word : low;
		high = word > high ? word : high;
	}
	return high - low < banks;
}

/* Usually no bank has two words. Where only one word can be given to several lanes, no other may be wanted by more than one. A bank number's
 * low bits may claim a conflict where there is none. */
static bool one_cycle(const uint64_t address[LANES], uint32_t lanes, uint32_t banks, bool limited)
{
	uint32_t word_of[CHAINS], shared_word = 0, last = ~(uint32_t)0;
	uint64_t seen = 0;
	bool shared = false;
	LANES_EACH(l, lanes) {
		const uint32_t word = (uint32_t)address[l] / WORD_BYTES;
		if (word == last && (!limited || (shared && word == shared_word)))
			continue;
		last = word;
		const uint32_t bank = bank_of(word, banks) % CHAINS;
		if (!(seen >> bank & 1)) {
			seen |= UINT64_C(1) << bank;
			word_of[bank] = word;
			continue;
		}
		if (word_of[bank] != word || (limited && shared && shared_word != word))
			return false;
		shared = true;
		shared_word = word;
	}
	return true;
}

/* Returns the number of words of the bank that has the most. */
static uint32_t find_words(const uint64_t address[LANES], uint32_t lanes, uint32_t banks, struct words *w)
{
	uint32_t most = 0;
	w->n = 0;
	memset(w->head, 0, sizeof w->head);
	LANES_EACH(l, lanes) {
		const uint32_t word = (uint32_t)address[l] / WORD_BYTES, bank = bank_of(word, banks);
		uint8_t *head = &w->head[bank % CHAINS];
		uint32_t in_bank = 1, e = *head;
		for (; e && w->at[e - 1].word != word; e = w->at[e - 1].next)
			in_bank += w->at[e - 1].bank == bank;
		if (e) {
			w->at[e - 1].lanes++;
			continue;
		}
		w->at[w->n].word = word;
		w->at[w->n].bank = bank;
		w->at[w->n].lanes = 1;
		w->at[w->n].next = *head;
		*head = (uint8_t)++w->n;
		if (in_bank > most)
			most = in_bank;
	}
	return most;
}

/* One word is given to all lanes that want it: the lowest of the lowest bank that has such a word. All other accesses of a bank go one
 * by one. */
static uint32_t cycles_one_broadcast(const struct words *w)
{
	uint32_t chosen = UINT32_MAX, most = 0;
	for (uint32_t k = 0; k < w->n; k++) {
		bool lower = chosen == UINT32_MAX || w->at[k].bank < w->at[chosen].bank ||
			     (w->at[k].bank == w->at[chosen].bank && w->at[k].word < w->at[chosen].word);
		if (w->at[k].lanes > 1 && lower)
			chosen = k;
	}
	for (uint32_t k = 0; k < w->n; k++) {
		const uint32_t bank = w->at[k].bank;
		uint32_t n = 0;
		for (uint32_t e = w->head[bank % CHAINS]; e; e = w->at[e - 1].next)
			n += w->at[e - 1].bank == bank ? w->at[e - 1].lanes : 0;
		if (chosen != UINT32_MAX && bank == w->at[chosen].bank)
			n -= w->at[chosen].lanes - 1u;
		if (n > most)
			most = n;
	}
	return most;
}

uint32_t shared_access_cycles(const struct core_config *cfg, const uint64_t address[LANES], uint32_t lanes)
{
	const uint32_t width = coalesce_width(cfg, cfg->warp_parts);
	const uint64_t all = (UINT64_C(1) << width) - 1;
	uint32_t cycles = 0;
	if (lanes == LANES_ALL && !cfg->shared_limited_broadcast && all_near(address, cfg->shared_banks))
		return cfg->warp_parts;
	for (uint32_t part = 0; part < cfg->warp_parts; part++) {
		const uint32_t own = (uint32_t)(lanes & all << part * width);
		struct words w;
		if (!own)
			continue;
		if (one_cycle(address, own, cfg->shared_banks, cfg->shared_limited_broadcast)) {
			cycles++;
			continue;
		}
		/* any word can be given to any number of lanes: the bank with the most decides */
		uint32_t any = find_words(address, own, cfg->shared_banks, &w);
		cycles += cfg->shared_limited_broadcast ? cycles_one_broadcast(&w) : any;
	}
	return cycles;
}
