/* Address decoding: places worked out by hand, a decoder that goes bit by bit, and maps that are refused. */
#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

#include "timing/common/address.h"

static const char gtx480[] = "dramid@8;00000000.00000000.00000000.00000000.0000RRRR.RRRRRRRR.BBBCCCCB.CCSSSSSS";
static const char fx5800[] = "dramid@8;00000000.00000000.00000000.00000000.0000RRRR.RRRRRRRR.RRBBBCCC.CCCSSSSS";
static const char own_channels[] = "0000000000000000|0000000000000000 RRRRRRRRRRRRRRRR.BBBDDDCC.cccsssss";

static struct address_map map_of(uint32_t channels, uint32_t subs, const char *mapping, int64_t mask)
{
	struct address_map m;
	struct text why = {0};
	bool good = address_map_init(&m, channels, subs, mapping, mask, &why);
	assert_string_equal(text_str(&why), "");
	assert_true(good);
	text_free(&why);
	return m;
}

static void expect_place(const struct address_map *m, uint64_t address, struct dram_place want)
{
	struct dram_place p;
	address_decode(m, address, &p);
	assert_int_equal(p.channel, want.channel);
	assert_int_equal(p.bank, want.bank);
	assert_int_equal(p.row, want.row);
	assert_int_equal(p.column, want.column);
	assert_int_equal(p.burst, want.burst);
	assert_int_equal(p.sub_partition, want.sub_partition);
	assert_int_equal(p.partition_address, want.partition_address);
}

/* 6 channels of 256-byte pieces. 0x80000000 >> 8 = 0x800000 = 6 * 0x155555 + 2: channel 2, rest 0x15555500.
 * Row: bits 27..16 = 0x555. Bank: bit 8 (1), then bits 13, 14, 15 (0, 1, 0) above it = 0101b. Column: bits 7..0 (0), then bits 12..9
 * (1010b) = 0xa00. The lowest bank bit, 8, tells the sub-partitions apart: 2 * 2 + 1; without it the rest is 0xaaaaa00. */
static void six_channels_are_counted_off(void **state)
{
	(void)state;
	struct address_map m = map_of(6, 2, gtx480, 1);
	assert_int_equal(m.gap, 2);
	expect_place(&m, 0x80000000, (struct dram_place){.channel = 2, .bank = 5, .row = 0x555, .column = 0xa00, .burst = 0,
							  .sub_partition = 5, .partition_address = 0xaaaaa00});
	/* the next piece is the next channel's, at the same place there; 0x25: column and burst bits */
	expect_place(&m, 0x80000125, (struct dram_place){.channel = 3, .bank = 5, .row = 0x555, .column = 0xa25, .burst = 0x25,
							  .sub_partition = 7, .partition_address = 0xaaaaa25});
	/* 6 pieces on: the same channel, the rest one piece further: bit 8 turns 0x55 into 0x56: bank 0100b, column 1011b */
	expect_place(&m, 0x80000600, (struct dram_place){.channel = 2, .bank = 4, .row = 0x555, .column = 0xb00, .burst = 0,
							  .sub_partition = 4, .partition_address = 0xaaaab00});
}

/* 8 channels: bits 10..8; all from bit 8 up moves three higher: columns 13..11 and 7..5, banks 16..14, rows 30..17.
 * 0x8001a740 = ...1 1010 0111 0100 0000b: channel 111b, bank 110b, column 100b 010b 00000b, row 0 (bit 31 is none of it). */
static void a_power_of_two_is_cut_out(void **state)
{
	(void)state;
	struct address_map m = map_of(8, 1, fx5800, 1);
	assert_int_equal(m.gap, 0);
	assert_int_equal(m.channel_mask, 0x700);
	assert_int_equal(m.bank_mask, 0x1c000);
	assert_int_equal(m.row_mask, 0x7ffe0000);
	assert_int_equal(m.column_mask, 0x38ff);
	expect_place(&m, 0x8001a740, (struct dram_place){.channel = 7, .bank = 6, .row = 0, .column = 0x440, .burst = 0,
							  .sub_partition = 7, .partition_address = 0x10003440});
}

/* D bits instead of dramid@: bits 12..10, nothing moves. 0x12345678: 0101 0110 0111 1000b below bit 16. */
static void a_text_may_have_channel_bits(void **state)
{
	(void)state;
	struct address_map m = map_of(8, 2, own_channels, 1);
	assert_int_equal(m.channel_mask, 0x1c00);
	assert_int_equal(m.bank_mask, 0xe000);
	/* bank 010b, channel 101b, columns 9..0 = 10 0111 1000b, row 0x1234; without channel bits and bit 13:
	 * 0x12345678 >> 14 = 0x48d1, then ten bits: 0x48d1 << 10 | 0x278 */
	expect_place(&m, 0x12345678, (struct dram_place){.channel = 5, .bank = 2, .row = 0x1234, .column = 0x278, .burst = 0x18,
							  .sub_partition = 10, .partition_address = 0x1234678});
}

/* Mask 0: columns 12..10 and 7..0, banks 9 and 8, rows 26..13, channels put in at 10. */
static void maps_by_number(void **state)
{
	(void)state;
	struct address_map m = map_of(4, 1, NULL, 0);
	assert_int_equal(m.channel_mask, 0xc00);
	assert_int_equal(m.bank_mask, 0x300);
	assert_int_equal(m.row_mask, 0x1fff8000);
	assert_int_equal(m.column_mask, 0x70ff);
	m = map_of(4, 1, "NULL", 2);
	assert_int_equal(m.channel_mask, 0x1800);
	assert_int_equal(m.bank_mask, 0x6000);
	assert_int_equal(m.column_mask, 0x7ff);
	m = map_of(1, 4, NULL, 103); /* one channel has no bits; the sub-partitions take the bank's */
	assert_int_equal(m.channel_mask, 0);
	assert_int_equal(m.bank_mask, 3);
	assert_int_equal(m.sub_mask, 3);
	static const int64_t all[] = {0, 1, 2, 3, 5, 6, 14, 15, 16, 100, 103, 106, 160};
	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		map_of(3, 2, NULL, all[i]);
}

/* ---- bit by bit ---- */

static uint64_t gather(const char *letters, const char *which, uint64_t address)
{
	uint64_t out = 0;
	unsigned at = 0;
	for (unsigned bit = 0; bit < 64; bit++)
		if (strchr(which, letters[63 - bit]))
			out |= (address >> bit & 1) << at++;
	return out;
}

/* `letters`: 64, without anything else; channels counted off above bit `from`. */
static void compare_bit_by_bit(const struct address_map *m, const char *letters, unsigned from, uint64_t address)
{
	uint64_t piece = UINT64_C(1) << from;
	uint64_t rest = address / piece / m->channels * piece + address % piece;
	struct dram_place p;
	address_decode(m, address, &p);
	assert_int_equal(p.channel, address / piece % m->channels);
	assert_int_equal(p.bank, gather(letters, "B", rest));
	assert_int_equal(p.row, gather(letters, "R", rest));
	assert_int_equal(p.column, gather(letters, "CS", rest));
	assert_int_equal(p.burst, gather(letters, "S", rest));
	assert_int_equal(p.sub_partition, p.channel * m->subs + p.bank % m->subs);
}

/* With a power of two, counting off and cutting out are the same. */
static void places_bit_by_bit(void **state)
{
	(void)state;
	char letters[65] = {0};
	unsigned n = 0;
	for (const char *s = strchr(gtx480, ';') + 1; *s; s++)
		if (*s != '.')
			letters[n++] = *s;
	assert_int_equal(n, 64);
	static const uint32_t channels[] = {1, 2, 3, 4, 5, 6, 7, 8, 12, 32};
	uint64_t seed = 1;
	for (size_t i = 0; i < sizeof channels / sizeof channels[0]; i++) {
		struct address_map m = map_of(channels[i], 2, gtx480, 1);
		for (unsigned k = 0; k < 2000; k++) {
			seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
			compare_bit_by_bit(&m, letters, 8, seed >> 24);
		}
	}
}

/* Sub-partition and partition address together tell all addresses apart. */
static void partition_addresses_are_unique(void **state)
{
	(void)state;
	static const uint32_t channels[] = {1, 6, 8};
	static uint8_t seen[(1u << 20) / 64 * 2];
	for (size_t i = 0; i < sizeof channels / sizeof channels[0]; i++) {
		struct address_map m = map_of(channels[i], 2, gtx480, 1);
		memset(seen, 0, sizeof seen);
		for (uint64_t a = 0; a < 1u << 20; a += 64) {
			struct dram_place p;
			address_decode(&m, a, &p);
			uint64_t piece = p.partition_address / 64 * channels[i] * 2 + p.sub_partition;
			assert_true(piece < sizeof seen);
			assert_int_equal(seen[piece]++, 0);
		}
	}
}

/* ---- the test option, and what is refused ---- */

static void aliases_are_found(void **state)
{
	(void)state;
	struct text why = {0};
	struct address_map m = map_of(6, 2, gtx480, 1);
	assert_true(address_map_test(&m, &why));
	m = map_of(8, 1, fx5800, 1);
	assert_true(address_map_test(&m, &why));
	m = map_of(8, 2, own_channels, 1);
	assert_true(address_map_test(&m, &why));
	/* bit 12 is nothing's: with 2 channels put in at 8 it is bit 13 */
	m = map_of(2, 1, "dramid@8;00000000.00000000.00000000.00000000.0000RRRR.RRRRRRRR.BBB0CCCB.CCSSSSSS", 1);
	assert_false(address_map_test(&m, &why));
	assert_string_equal(text_str(&why), "address mapping: 0x0 and 0x2000 share a place in DRAM");
	text_clear(&why);
	/* mask 2 has row bits up to 26 only, but that is beyond the 16 MiB: no alias there */
	m = map_of(8, 1, NULL, 2);
	assert_true(address_map_test(&m, &why));
	text_free(&why);
}

static void expect_refused(uint32_t channels, uint32_t subs, const char *mapping, int64_t mask, const char *want)
{
	struct address_map m;
	struct text why = {0};
	assert_false(address_map_init(&m, channels, subs, mapping, mask, &why));
	if (!strstr(text_str(&why), want))
		fail_msg("`%s` does not say `%s`", text_str(&why), want);
	text_free(&why);
}

static void bad_maps_are_refused(void **state)
{
	(void)state;
	expect_refused(0, 1, gtx480, 1, "0 memory partitions");
	expect_refused(5000, 1, gtx480, 1, "5000 memory partitions");
	expect_refused(6, 3, gtx480, 1, "3 sub-partitions");
	expect_refused(6, 0, gtx480, 1, "0 sub-partitions");
	expect_refused(6, 2, NULL, 4, "address mask 4 is not known");
	expect_refused(6, 2, own_channels, 1, "that needs dramid@");
	expect_refused(4, 2, own_channels, 1, "3 channel bits for 4");
	expect_refused(6, 2, "dramid@8;RRRR", 1, "4 bits, expected 64");
	expect_refused(6, 2, "dramid@8;00000000.00000000.00000000.00000000.0000RRRR.RRRRRRRR.BBBCCCCB.CCSSSSSSS", 1, "more than 64");
	expect_refused(6, 2, "dramid@8;00000000.00000000.00000000.00000000.0000RRRR.RRRRRRRR.BBBCCCCB.CCSSSSXS", 1, "`X`");
	expect_refused(8, 2, "dramid@8;00000000.00000000.00000000.00000000.0000RRRR.RRRRRRRR.BBBCCCCB.CCSSSDDD", 1, "can be no D");
	expect_refused(6, 2, "dramid@;0", 1, "dramid@B;");
	expect_refused(6, 2, "dramid@99;0", 1, "dramid@B;");
	expect_refused(6, 2, "dramid@99999999999999999999;0", 1, "dramid@B;");
	expect_refused(6, 2, "dramid@8", 1, "dramid@B;");
	expect_refused(6, 2, " ", 1, "0 bits");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(six_channels_are_counted_off),
		cmocka_unit_test(a_power_of_two_is_cut_out),
		cmocka_unit_test(a_text_may_have_channel_bits),
		cmocka_unit_test(maps_by_number),
		cmocka_unit_test(places_bit_by_bit),
		cmocka_unit_test(partition_addresses_are_unique),
		cmocka_unit_test(aliases_are_found),
		cmocka_unit_test(bad_maps_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
