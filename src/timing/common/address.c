#include "timing/common/address.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define CHANNEL_BIT_MAX 40u
#define TEST_RANGE (UINT64_C(16) << 20) /* bytes -gpgpu_mem_addr_test goes through, a word at a time */
#define TEST_STEP 4u

/* ---- making a map ---- */

/* The maps -gpgpu_mem_address_mask knows by number, before the channel bits are put in. */
struct numbered_map {
	int64_t number;
	uint32_t channel_bit;
	uint64_t bank, row, column;
};
static const struct numbered_map numbered_maps[] = {
	{0, 10, 0x300, 0x7FFE000, 0x1CFF},  {1, 13, 0x1800, 0x7FFE000, 0x7FF},	{2, 11, 0x1800, 0x7FFE000, 0x7FF},
	{3, 11, 0x1800, 0xFFFE000, 0x7FF},  {14, 14, 0x1800, 0x7FFE000, 0x7FF}, {15, 15, 0x1800, 0x7FFE000, 0x7FF},
	{16, 16, 0x1800, 0x7FFE000, 0x7FF}, {6, 6, 0x1800, 0x7FFE000, 0x7FF},	{5, 5, 0x1800, 0x7FFE000, 0x7FF},
	{100, 1, 0x3, 0x7FFE000, 0x1FFC},   {103, 3, 0x3, 0x7FFE000, 0x1FFC},	{106, 6, 0x1800, 0x7FFE000, 0x7FF},
	{160, 6, 0x300, 0x7FFE000, 0x1CFF},
};

static uint32_t log2_floor(uint32_t n) { return 31u - (uint32_t)__builtin_clz(n); }

static bool take_numbered(struct address_map *m, int64_t number, struct text *why)
{
	for (size_t i = 0; i < sizeof numbered_maps / sizeof numbered_maps[0]; i++) {
		const struct numbered_map *n = &numbered_maps[i];
		if (n->number != number)
			continue;
		m->channel_bit = n->channel_bit;
		m->bank_mask = n->bank;
		m->row_mask = n->row;
		m->column_mask = n->column;
		return true;
	}
	text_addf(why,
		  "address mask %" PRId64 " is not known; expected 0, 1, 2, 3, 5, 6, 14, 15, 16, 100, 103, 106 or 160",
		  number);
	return false;
}

/* One letter of a mapping text, for one address bit; false for what is no letter of it. */
static bool take_letter(struct address_map *m, char letter, uint64_t bit)
{
	switch (tolower((unsigned char)letter)) {
	case 'r': m->row_mask |= bit; return true;
	case 'b': m->bank_mask |= bit; return true;
	case 's':
		m->burst_mask |= bit;
		m->column_mask |= bit;
		return true;
	case 'c': m->column_mask |= bit; return true;
	case 'd': m->channel_mask |= bit; return true;
	case '0': return true;
	default: return false;
	}
}

/* `dramid@B;` in front; *at is moved after it. */
static bool take_channel_bit(struct address_map *m, const char **at, bool *given, struct text *why)
{
	const char *s = *at;
	*given = !strncmp(s, "dramid@", 7);
	if (!*given)
		return true;
	char *end;
	s += 7;
	unsigned long bit = isdigit((unsigned char)*s) ? strtoul(s, &end, 10) : (end = (char *)s, ULONG_MAX);
	if (bit > CHANNEL_BIT_MAX || *end != ';') {
		text_addf(why, "address mapping: expected dramid@B; with a bit number B of at most %u, found `%.16s`",
			  CHANNEL_BIT_MAX, *at);
		return false;
	}
	m->channel_bit = (uint32_t)bit;
	*at = end + 1;
	return true;
}

static bool take_mapping(struct address_map *m, const char *mapping, bool *inserted, struct text *why)
{
	const char *s = mapping;
	while (*s == ' ' || *s == '\t')
		s++;
	if (!take_channel_bit(m, &s, inserted, why))
		return false;
	unsigned n = 0;
	for (; *s; s++) {
		if (strchr(" \t.|", *s))
			continue;
		if (n == 64) {
			text_addf(why, "address mapping: more than 64 bits");
			return false;
		}
		if (!take_letter(m, *s, UINT64_C(1) << (63 - n))) {
			text_addf(why, "address mapping: `%c` stands for nothing; expected R, B, C, S, D or 0", *s);
			return false;
		}
		n++;
	}
	if (n != 64)
		text_addf(why, "address mapping: %u bits, expected 64", n);
	else if (*inserted && m->channel_mask)
		text_addf(why, "address mapping: dramid@ says where the channel bits are; there can be no D");
	else
		return true;
	return false;
}

/* The mask with `n` bits made free at `at`. */
static uint64_t insert_bits(uint64_t mask, uint32_t at, uint32_t n)
{
	uint64_t low = (UINT64_C(1) << at) - 1;
	return (mask & ~low) << n | (mask & low);
}

static void insert_channel_bits(struct address_map *m)
{
	uint32_t n = log2_floor(m->channels);
	m->bank_mask = insert_bits(m->bank_mask, m->channel_bit, n);
	m->row_mask = insert_bits(m->row_mask, m->channel_bit, n);
	m->column_mask = insert_bits(m->column_mask, m->channel_bit, n);
	m->burst_mask = insert_bits(m->burst_mask, m->channel_bit, n);
	m->channel_mask = ((UINT64_C(1) << n) - 1) << m->channel_bit;
}

static bool check_counts(uint32_t channels, uint32_t subs, struct text *why)
{
	if (!channels || channels > 1024)
		text_addf(why, "%" PRIu32 " memory partitions; expected 1 to 1024", channels);
	else if (!subs || subs > 64 || (subs & (subs - 1)))
		text_addf(why, "%" PRIu32 " sub-partitions in a memory partition; expected a power of two up to 64",
			  subs);
	else
		return true;
	return false;
}

/* The lowest bank bits, as many as number the sub-partitions. */
static uint64_t lowest_bits(uint64_t mask, uint32_t n)
{
	uint64_t out = 0;
	for (; n && mask; n--) {
		out |= mask & -mask;
		mask &= mask - 1;
	}
	return out;
}

bool address_map_init(struct address_map *m, uint32_t channels, uint32_t subs, const char *mapping, int64_t mask,
		      struct text *why)
{
	if (!check_counts(channels, subs, why))
		return false;
	*m = (struct address_map){.channels = channels, .subs = subs, .gap = channels - (1u << log2_floor(channels))};
	bool text_given = mapping && *mapping && strcmp(mapping, "NULL") != 0;
	bool inserted = true; /* the channel bits are not among the map's own */
	if (text_given ? !take_mapping(m, mapping, &inserted, why) : !take_numbered(m, mask, why))
		return false;
	if (!inserted && m->gap) {
		text_addf(why, "address mapping: %" PRIu32 " memory partitions are no power of two; that needs dramid@",
			  channels);
		return false;
	}
	if (!inserted && (uint32_t)__builtin_popcountll(m->channel_mask) > log2_floor(channels)) {
		text_addf(why, "address mapping: %d channel bits for %" PRIu32 " memory partitions",
			  __builtin_popcountll(m->channel_mask), channels);
		return false;
	}
	if (inserted && !m->gap)
		insert_channel_bits(m);
	m->sub_mask = lowest_bits(m->bank_mask, log2_floor(subs));
	m->keep_mask = ~(m->channel_mask | m->sub_mask);
	return true;
}

/* ---- decoding ---- */

/* The bits of `v` under the mask, side by side; runs of ones at a time. */
static uint64_t pack(uint64_t v, uint64_t mask)
{
	uint64_t out = 0;
	unsigned at = 0;
	while (mask) {
		unsigned low = (unsigned)__builtin_ctzll(mask);
		uint64_t run = mask >> low;
		unsigned n = ~run ? (unsigned)__builtin_ctzll(~run) : 64;
		uint64_t ones = n == 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1;
		/* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): a run of 64 is the only one */
		out |= (v >> low & ones) << at;
		at += n;
		mask &= ~(ones << low);
	}
	return out;
}

/* Channel, and the address without it (channels that are no power of two are counted off, not cut out). */
static uint64_t split_channel(const struct address_map *m, uint64_t address, uint32_t *channel)
{
	if (!m->gap) {
		*channel = (uint32_t)pack(address, m->channel_mask);
		return address;
	}
	uint64_t high = address >> m->channel_bit;
	*channel = (uint32_t)(high % m->channels);
	return (high / m->channels) << m->channel_bit | (address & ((UINT64_C(1) << m->channel_bit) - 1));
}

void address_decode(const struct address_map *m, uint64_t address, struct dram_place *out)
{
	uint64_t rest = split_channel(m, address, &out->channel);
	out->bank = (uint32_t)pack(rest, m->bank_mask);
	out->row = (uint32_t)pack(rest, m->row_mask);
	out->column = (uint32_t)pack(rest, m->column_mask);
	out->burst = (uint32_t)pack(rest, m->burst_mask);
	out->sub_partition = out->channel * m->subs + (out->bank & (m->subs - 1));
	out->partition_address = pack(rest, m->keep_mask);
}

/* ---- -gpgpu_mem_addr_test ---- */

/* A number below channels * TEST_RANGE / TEST_STEP that two addresses share exactly if they share a place (packing keeps what the masks
 * select, so the selected bits need not be packed). */
static uint64_t place_number(const struct address_map *m, uint64_t address)
{
	uint64_t used = m->bank_mask | m->row_mask | m->column_mask | m->burst_mask | m->channel_mask;
	uint32_t channel;
	uint64_t rest = split_channel(m, address, &channel) & used;
	return ((uint64_t)channel * TEST_RANGE + rest) / TEST_STEP;
}

static uint64_t first_alias(const struct address_map *m, uint64_t limit)
{
	uint64_t place = place_number(m, limit);
	for (uint64_t a = 0; a < limit; a += TEST_STEP)
		if (place_number(m, a) == place)
			return a;
	return limit;
}

bool address_map_test(const struct address_map *m, struct text *why)
{
	uint64_t places = (uint64_t)m->channels * (TEST_RANGE / TEST_STEP);
	uint64_t *seen = calloc(places / 64, sizeof *seen);
	if (!seen) {
		text_addf(why, "address mapping test: out of memory");
		return false;
	}
	bool good = true;
	for (uint64_t a = 0; good && a < TEST_RANGE; a += TEST_STEP) {
		uint64_t place = place_number(m, a), bit = UINT64_C(1) << (place & 63);
		good = !(seen[place / 64] & bit);
		seen[place / 64] |= bit;
		if (!good)
			text_addf(why, "address mapping: 0x%" PRIx64 " and 0x%" PRIx64 " share a place in DRAM",
				  first_alias(m, a), a);
	}
	free(seen);
	return good;
}
