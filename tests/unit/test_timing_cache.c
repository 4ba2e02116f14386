/* Caches: configuration strings, replacement, read-only caches. Expected values are worked out from the rules in the comments; config
 * strings are those of GPGPU-Sim's shipped configurations. */
#include "cache_fixture.h"

/* ---- configuration strings ---- */
static void parse(const char *s, bool v4, struct cache_config *out)
{
	struct text why = {0};
	if (!cache_config_parse(s, v4, out, &why))
		fail_msg("%s", text_str(&why));
	assert_int_equal(why.n, 0);
	text_free(&why);
}

static void refuse(const char *s, bool v4, const char *message)
{
	struct text why = {0};
	struct cache_config cfg;
	assert_false(cache_config_parse(s, v4, &cfg, &why));
	assert_string_equal(text_str(&why), message);
	text_free(&why);
}

static void shipped_strings(void **state)
{
	(void)state;
	struct cache_config c;
	parse("32:128:4,L:L:m:N,A:32:8,8", false, &c); /* L1D of GTX480 */
	assert_false(c.disabled);
	assert_int_equal(c.sets, 32);
	assert_int_equal(c.line, 128);
	assert_int_equal(c.ways, 4);
	assert_int_equal(c.replacement, CACHE_LRU);
	assert_int_equal(c.write, CACHE_LOCAL_WB_GLOBAL_WT);
	assert_int_equal(c.alloc, CACHE_ON_MISS);
	assert_int_equal(c.write_alloc, CACHE_NO_WRITE_ALLOCATE);
	assert_int_equal(c.mshr_kind, CACHE_MSHR_ASSOC);
	assert_int_equal(c.mshr_entries, 32);
	assert_int_equal(c.mshr_merge, 8);
	assert_int_equal(c.miss_queue, 8);
	assert_int_equal(c.port, 128); /* the line, unless said */
	assert_int_equal(c.set_index, CACHE_SETS_LINEAR);

	parse("64:128:8,L:B:m:W,A:32:4,4:0,32", false, &c); /* L2 */
	assert_int_equal(c.write, CACHE_WRITE_BACK);
	assert_int_equal(c.write_alloc, CACHE_WRITE_ALLOCATE);
	assert_int_equal(c.miss_queue, 4);
	assert_int_equal(c.result_fifo, 0);
	assert_int_equal(c.port, 32);

	parse("4:128:24,L:R:m:N,F:128:4,128:2", false, &c); /* L1T */
	assert_int_equal(c.write, CACHE_READONLY_POLICY);
	assert_int_equal(c.mshr_kind, CACHE_MSHR_TEX_FIFO);
	assert_int_equal(c.mshr_entries, 128);
	assert_int_equal(c.mshr_merge, 4);
	assert_int_equal(c.miss_queue, 128);
	assert_int_equal(c.result_fifo, 2);

	parse("8:32:1,F:E:f:N,A:1:1,2", false, &c);
	assert_int_equal(c.replacement, CACHE_FIFO);
	assert_int_equal(c.write, CACHE_WRITE_EVICT);
	assert_int_equal(c.alloc, CACHE_ON_FILL);
	parse("none", false, &c);
	assert_true(c.disabled);
}

static void newer_strings(void **state)
{
	(void)state;
	struct cache_config c;
	parse("N:32:128:4,L:L:m:N:H,S:64:8,8", true, &c); /* L1D of 4.x's GTX480 */
	assert_int_equal(c.sets, 32);
	assert_int_equal(c.write, CACHE_LOCAL_WB_GLOBAL_WT);
	assert_int_equal(c.mshr_kind, CACHE_MSHR_ASSOC);
	assert_int_equal(c.mshr_entries, 64);
	assert_int_equal(c.set_index, CACHE_SETS_FERMI);
	parse("N:4:128:24,L:R:m:N:L,T:128:4,128:2", true, &c);
	assert_int_equal(c.mshr_kind, CACHE_MSHR_TEX_FIFO);
	assert_int_equal(c.set_index, CACHE_SETS_LINEAR);
	parse("64:64:2,L:R:f:N,A:2:32,4", true, &c);
	assert_int_equal(c.sets, 64);
	parse("none", true, &c);
	assert_true(c.disabled);

	parse("S:64:128:8,L:B:m:L:L,A:256:4,4:0,32", true, &c); /* a bank of 4.x's L2 */
	assert_true(c.sectors);
	assert_int_equal(c.write_alloc, CACHE_LAZY_FETCH_ON_READ);
	assert_int_equal(c.mshr_merge, 4);
	assert_int_equal(c.port, 32);
	refuse("S:64:64:8,L:B:m:L:L,A:256:4,4:0,32", true,
	       "cache configuration 'S:64:64:8,L:B:m:L:L,A:256:4,4:0,32': expected lines of 128 bytes in a cache of sectors at "
	       "column 1, found 'S:64:64:8,L:B:m:L:L,A:256:4,4:0,32'");
	refuse("N:4:128:4,L:L:s:N:L,A:2:8,8", true,
	       "cache configuration 'N:4:128:4,L:L:s:N:L,A:2:8,8': 's' at column 15: streaming caches are not "
	       "modelled; use m or f");
	refuse("N:4:128:4,L:B:m:W:P,A:2:8,8", true,
	       "cache configuration 'N:4:128:4,L:B:m:W:P,A:2:8,8': 'P' at column 19: the polynomial set hash is not "
	       "modelled; use L "
	       "or H");
	refuse("N:16:128:4,L:B:m:W:H,A:2:8,8", true,
	       "cache configuration 'N:16:128:4,L:B:m:W:H,A:2:8,8': expected set index function L (H needs 32 or 64 "
	       "sets) at column "
	       "20, found 'H,A:2:8,8'");
	/* and none of this is known to 3.x */
	refuse("N:4:128:4,L:R:f:N,A:2:32,4", false,
	       "cache configuration 'N:4:128:4,L:R:f:N,A:2:32,4': expected the number of sets (1 to 1048576) at column "
	       "1, found "
	       "'N:4:128:4,L:R:f:N,A:2:32,4'");
	parse("4:128:4,L:R:f:N:L,A:2:32,4", false, &c); /* but the set index letter came with 3.2.3 */
	assert_int_equal(c.set_index, CACHE_SETS_LINEAR);
	refuse("4:128:4,L:L:s:N,A:2:8,8", false,
	       "cache configuration '4:128:4,L:L:s:N,A:2:8,8': expected an allocation policy (m f) at column 13, found "
	       "'s:N,A:2:8,8'");
}

static void bad_strings(void **state)
{
	(void)state;
	refuse("", false, "cache configuration '': expected the number of sets (1 to 1048576) at column 1");
	refuse("32:100:4,L:L:m:N,A:32:8,8", false,
	       "cache configuration '32:100:4,L:L:m:N,A:32:8,8': expected the line size in bytes to be a power of two "
	       "at column 4, "
	       "found '100:4,L:L:m:N,A:32:8,8'");
	refuse("32:128", false, "cache configuration '32:128': expected ':' at column 7");
	refuse("32:128:0,L:L:m:N,A:32:8,8", false,
	       "cache configuration '32:128:0,L:L:m:N,A:32:8,8': expected the number of ways (1 to 65536) at column 8, "
	       "found "
	       "'0,L:L:m:N,A:32:8,8'");
	refuse("32:128:4,X:L:m:N,A:32:8,8", false,
	       "cache configuration '32:128:4,X:L:m:N,A:32:8,8': expected a replacement policy (L F) at column 10, "
	       "found "
	       "'X:L:m:N,A:32:8,8'");
	refuse("32:128:4,L:B:f:N,A:32:8,8", false,
	       "cache configuration '32:128:4,L:B:f:N,A:32:8,8': write-back (B) needs allocation on misses (m)");
	refuse("32:128:4,L:B:m:N,A:32:8,8,32", false,
	       "cache configuration '32:128:4,L:B:m:N,A:32:8,8,32': expected ':' (a data port width comes after the "
	       "result FIFO "
	       "entries, as in 4:0,32) at column 26, found ',32'");
	refuse("32:128:4,L:B:m:N,A:32:8,8:0,48", false,
	       "cache configuration '32:128:4,L:B:m:N,A:32:8,8:0,48': expected a data port width that divides the line "
	       "at column 29, "
	       "found '48'");
	refuse("4:128:24,L:R:m:N,F:128:4,128", false,
	       "cache configuration '4:128:24,L:R:m:N,F:128:4,128': expected ':' and the result FIFO entries at column "
	       "29");
	refuse("32:128:4,L:L:m:N,A:32:8,8 x", false,
	       "cache configuration '32:128:4,L:L:m:N,A:32:8,8 x': expected the end at column 26, found ' x'");
	refuse("99999999999999999999:128:4,L:L:m:N,A:32:8,8", false,
	       "cache configuration '99999999999999999999:128:4,L:L:m:N,A:32:8,8': expected the number of sets (1 to "
	       "1048576) at "
	       "column 1, found '99999999999999999999:128:4,L:L:m:N,A:32:8,8'");
	refuse("1048576:128:8,L:L:m:N,A:32:8,8", false,
	       "cache configuration '1048576:128:8,L:L:m:N,A:32:8,8': expected at most 4194304 lines in all at column "
	       "1, found "
	       "'1048576:128:8,L:L:m:N,A:32:8,8'");
}

/* Shipped strings with bytes changed, left out and put in: whatever is taken makes sense, whatever is not says why in one line. */
static void garbled_strings(void **state)
{
	(void)state;
	static const char *const seeds[] = {"32:128:4,L:L:m:N,A:32:8,8", "64:128:8,L:B:m:W,A:32:4,4:0,32",
					    "4:128:24,L:R:m:N,F:128:4,128:2", "N:32:128:4,L:L:m:N:H,S:64:8,8"};
	static const char bytes[] = "0123456789:,LFRBTEmfNWASHPs x-";
	uint32_t x = 1;
	unsigned taken = 0;
	for (unsigned k = 0; k < 40000; k++) {
		char s[64];
		strcpy(s, seeds[k % 4]);
		for (unsigned i = 0; i <= k % 3; i++) {
			x = x * 1664525 + 1013904223;
			size_t n = strlen(s), at = (x >> 8) % n;
			if (x >> 30 == 0)
				memmove(s + at, s + at + 1, n - at);
			else if (x >> 30 == 1)
				memmove(s + at + 1, s + at, n - at + 1);
			if (x >> 30)
				s[at] = bytes[(x >> 16) % (sizeof bytes - 1)];
		}
		struct cache_config c;
		struct text why = {0};
		bool good = cache_config_parse(s, k & 4, &c, &why);
		assert_int_equal(good, why.n == 0);
		assert_null(strchr(text_str(&why), '\n'));
		if (good) {
			taken++;
			assert_true(c.sets && !(c.sets & (c.sets - 1)) && c.line && !(c.line & (c.line - 1)) && c.ways);
			assert_true(c.mshr_entries && c.mshr_merge && c.miss_queue && c.port && c.line % c.port == 0);
			assert_true(c.mshr_kind == CACHE_MSHR_ASSOC || c.result_fifo);
			assert_true(c.set_index == CACHE_SETS_LINEAR || c.sets == 32 || c.sets == 64);
		}
		text_free(&why);
	}
	assert_in_range(taken, 1000, 39000);
}

static void misfits(const char *s, enum cache_kind kind, const char *message)
{
	struct text why = {0};
	struct cache_config c;
	parse(s, false, &c);
	assert_int_equal(cache_config_fits(&c, kind, &why), !message);
	assert_string_equal(text_str(&why), message ? message : "");
	text_free(&why);
}

static void kinds_want_their_policies(void **state)
{
	(void)state;
	misfits("none", CACHE_DATA, NULL);
	misfits("4:128:4,L:R:f:N,A:2:32,4", CACHE_READ_ONLY, NULL);
	misfits("4:128:24,L:R:m:N,F:128:4,128:2", CACHE_TEXTURE, NULL);
	misfits("64:128:8,L:B:m:W,A:32:4,4:0,32", CACHE_DATA, NULL);
	misfits("4:128:4,L:B:m:N,A:2:32,4", CACHE_READ_ONLY, "a cache that is only read needs write policy R");
	misfits("4:128:4,L:R:m:N,A:2:32,4", CACHE_TEXTURE, "a texture cache needs texture FIFOs (F)");
	misfits("4:128:4,L:R:f:N,F:2:32,4:1", CACHE_TEXTURE, "a texture cache needs allocation on misses (m)");
	misfits("4:128:4,L:R:f:N,F:2:32,4:1", CACHE_READ_ONLY, "texture FIFOs (F) are for the texture cache; use A");
	misfits("4:128:4,L:R:f:N,A:2:32,4", CACHE_DATA, "a data cache needs a write policy: B, T, E or L");
	misfits("4:128:4,L:B:m:N,A:2:32,1", CACHE_DATA, "a data cache needs a miss queue of at least 2 entries");
	misfits("4:128:4,L:B:m:W,A:2:32,2", CACHE_DATA, "write-allocate (W) needs a miss queue of at least 3 entries");
}

/* ---- sets ---- */
/* Fermi's hash, set by set: index bits 7..11 xor (13, 14, 15, 17 as bit 3, 19 as bit 4), bit 12 on top with 64 sets. */
static void fermi_sets(void **state)
{
	(void)state;
	static const struct {
		uint64_t address;
		uint32_t set32, set64;
	} want[] = {
		{0x0, 0, 0},	   {0x80, 1, 1}, {0xf80, 31, 31}, {0x1000, 0, 32}, /* bit 12 */
		{0x2000, 1, 1},							   /* bit 13 */
		{0x4000, 2, 2},							   /* bit 14 */
		{0x8000, 4, 4},							   /* bit 15 */
		{0x10000, 0, 0},						   /* bit 16 plays no part */
		{0x20000, 8, 8},						   /* bit 17 */
		{0x40000, 0, 0},						   /* bit 18 neither */
		{0x80000, 16, 16},						   /* bit 19 */
		{0x100000, 0, 0},						   /* bit 20 neither */
		{0xaff80, 0, 32}, /* all of them: index 31 xor 31, and bit 12 */
	};
	struct rig g;
	uint32_t r;
	rig_init(&g, "N:32:128:1,L:L:m:N:H,A:64:8,64", CACHE_DATA, REQUEST_L1);
	for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
		cache_invalidate(g.c);
		rig_access(&g, GLOBAL_ACC_R, want[i].address, &r);
		assert_int_equal(request_at(&g.q, r)->saved[REQUEST_L1].line, want[i].set32);
	}
	rig_done(&g);
	rig_init(&g, "N:64:128:1,L:L:m:N:H,A:64:8,64", CACHE_DATA, REQUEST_L1);
	for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
		cache_invalidate(g.c);
		rig_access(&g, GLOBAL_ACC_R, want[i].address, &r);
		assert_int_equal(request_at(&g.q, r)->saved[REQUEST_L1].line, want[i].set64);
	}
	rig_done(&g);
}

/* An L1 takes the set from the address, an L2 from the partition address; the tag is the whole address in both. */
static void l2_sets_are_the_partition_addresses(void **state)
{
	(void)state;
	struct rig g;
	rig_init(&g, "8:128:1,L:B:m:N,A:8:8,8", CACHE_DATA, REQUEST_L2);
	uint32_t r = rig_request(&g, GLOBAL_ACC_R, 0x80000480, 32);
	request_at(&g.q, r)->dram.partition_address = 0x5ab00; /* 0x5ab00 / 128 mod 8 = 0xb56 mod 8 = 6 */
	assert_int_equal(rig_try(&g, r), CACHE_MISS);
	assert_int_equal(request_at(&g.q, r)->saved[REQUEST_L2].line, 6);
	assert_int_equal(cache_lines(g.c)[6].block, 0x80000480);
	rig_done(&g);
	rig_init(&g, "8:128:1,L:B:m:N,A:8:8,8", CACHE_DATA, REQUEST_L1);
	r = rig_request(&g, GLOBAL_ACC_R, 0x80000480, 32);
	request_at(&g.q, r)->dram.partition_address = 0x5ab00;
	assert_int_equal(rig_try(&g, r), CACHE_MISS);
	assert_int_equal(request_at(&g.q, r)->saved[REQUEST_L1].line, 1); /* 0x480 / 128 mod 8 */
	rig_done(&g);
}

/* The set is one for all of a block's addresses, whatever the map does with the bits below the line: checked against the map itself. */
static void one_set_per_block(void **state)
{
	(void)state;
	static const struct {
		uint32_t channels, subs;
		int64_t mask;
	} maps[] = {{6, 2, 5}, {3, 1, 103}, {7, 2, 6}, {8, 2, 100}, {4, 4, 160}, {5, 1, 100}};
	for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++) {
		struct address_map map;
		struct dram_place place;
		struct text why = {0};
		assert_true(address_map_init(&map, maps[i].channels, maps[i].subs, NULL, maps[i].mask, &why));
		for (uint64_t block = 0x80000000; block < 0x80010000; block += 128) {
			address_decode(&map, block, &place);
			uint64_t set = place.partition_address >> 7;
			for (uint64_t a = block; a < block + 128; a += 4) {
				address_decode(&map, a, &place);
				assert_int_equal(place.partition_address >> 7, set);
			}
		}
		text_free(&why);
	}
}

/* ---- replacement ---- */
#define SET0(k) (UINT64_C(0x1000) + (k)*0x100) /* blocks of set 0: two sets of 128 bytes */

/* Fills four ways with blocks 0..3 at rising times, then touches block 0. LRU pushes out 1, FIFO pushes out 0. */
static uint64_t victim_of(const char *config)
{
	struct rig g;
	uint64_t victim = 0;
	rig_init(&g, config, CACHE_DATA, REQUEST_L1);
	for (unsigned k = 0; k < 4; k++)
		rig_load(&g, GLOBAL_ACC_R, SET0(k));
	rig_cycle(&g);
	assert_int_equal(rig_access(&g, GLOBAL_ACC_R, SET0(0), NULL), CACHE_HIT);
	rig_cycle(&g);
	assert_int_equal(rig_access(&g, GLOBAL_ACC_R, SET0(4), NULL), CACHE_MISS);
	for (unsigned k = 0; k < 4; k++)
		if (!rig_line(&g, SET0(k)))
			victim = SET0(k);
	rig_done(&g);
	return victim;
}

static void lru_and_fifo(void **state)
{
	(void)state;
	assert_int_equal(victim_of("2:128:4,L:L:m:N,A:32:8,8"), SET0(1));
	assert_int_equal(victim_of("2:128:4,F:L:m:N,A:32:8,8"), SET0(0));
}

/* Equal times: the first way goes. Invalid ways are taken before any other, the last of them first. */
static void ties_and_invalid_ways(void **state)
{
	(void)state;
	struct rig g;
	uint32_t r[4];
	for (unsigned fifo = 0; fifo < 2; fifo++) {
		rig_init(&g, fifo ? "2:128:4,F:L:m:N,A:32:8,8" : "2:128:4,L:L:m:N,A:32:8,8", CACHE_DATA, REQUEST_L1);
		for (unsigned k = 0; k < 4; k++) { /* all at one time */
			assert_int_equal(rig_access(&g, GLOBAL_ACC_R, SET0(k), &r[k]), CACHE_MISS);
			assert_int_equal(cache_lines(g.c)[3 - k].block, SET0(k));
		}
		for (unsigned k = 0; k < 4; k++)
			cache_fill(g.c, r[k], g.now);
		rig_cycles(&g, 20);
		assert_int_equal(rig_access(&g, GLOBAL_ACC_R, SET0(9), NULL), CACHE_MISS);
		assert_int_equal(cache_lines(g.c)[0].block, SET0(9));
		rig_done(&g);
	}
}

/* Reserved ways are never victims: with three of four reserved the fourth goes although it is the youngest; with all four the
 * access fails. */
static void reserved_ways_stay(void **state)
{
	(void)state;
	struct rig g;
	uint32_t r;
	rig_init(&g, "2:128:4,L:L:m:N,A:32:8,16", CACHE_DATA, REQUEST_L1);
	for (unsigned k = 0; k < 3; k++)
		assert_int_equal(rig_access(&g, GLOBAL_ACC_R, SET0(k), NULL), CACHE_MISS);
	g.now += 100;
	assert_int_equal(rig_access(&g, GLOBAL_ACC_R, SET0(3), &r), CACHE_MISS);
	rig_cycles(&g, 4);
	cache_fill(g.c, r, g.now);
	assert_int_equal(rig_state(&g, SET0(3)), CACHE_VALID);
	rig_cycle(&g);
	assert_int_equal(rig_access(&g, GLOBAL_ACC_R, SET0(4), NULL), CACHE_MISS);
	assert_int_equal(rig_state(&g, SET0(3)), CACHE_INVALID);
	assert_int_equal(rig_access(&g, GLOBAL_ACC_R, SET0(5), NULL), CACHE_RESERVATION_FAIL);
	/* another set is untouched by that */
	assert_int_equal(rig_access(&g, GLOBAL_ACC_R, SET0(5) + 128, NULL), CACHE_MISS);
	assert_int_equal(rig_count(&g, GLOBAL_ACC_R, CACHE_RESERVATION_FAIL), 1);
	rig_done(&g);
}

/* ---- read-only caches ---- */
/* L1I of GTX480: allocation on fill, 2 MSHRs, miss queue of 4.
 * Misses of one block merge without a trace in the tags (all count MISS, none HIT_RESERVED); a third block finds no MSHR. */
static void read_only_misses(void **state)
{
	(void)state;
	struct rig g;
	uint32_t a, b, c, d;
	rig_init(&g, "4:128:4,L:R:f:N,A:2:32,4", CACHE_READ_ONLY, REQUEST_L1);
	assert_int_equal(rig_access(&g, INST_ACC_R, 0xf0000000, &a), CACHE_MISS);
	assert_int_equal(g.events, CACHE_READ_SENT);
	assert_int_equal(rig_access(&g, INST_ACC_R, 0xf0000040, &b), CACHE_MISS);
	assert_int_equal(g.events, 0);
	assert_int_not_equal(g.merged, 0);
	assert_int_equal(cache_first_merged(g.c, g.merged), a);
	assert_int_equal(rig_access(&g, INST_ACC_R, 0xf0000080, &c), CACHE_MISS);
	assert_int_equal(rig_access(&g, INST_ACC_R, 0xf0000100, &d), CACHE_RESERVATION_FAIL);
	assert_int_equal(cache_miss_queue_length(g.c), 2);
	assert_int_equal(request_at(&g.q, a)->size, 128);
	assert_int_equal(request_at(&g.q, b)->size, 4);
	assert_int_equal(request_at(&g.q, a)->status, REQUEST_IN_L1D_MISS_QUEUE);
	assert_int_equal(request_at(&g.q, b)->status, REQUEST_MEM_FETCH_INITIALIZED);
	assert_true(cache_waits_for(g.c, a));
	assert_false(cache_waits_for(g.c, b));
	rig_cycles(&g, 3); /* one a cycle */
	assert_int_equal(g.n_sent, 2);
	assert_int_equal(g.sent[0], a);
	assert_int_equal(g.sent_at[0], 1);
	assert_int_equal(g.sent[1], c);
	assert_int_equal(g.sent_at[1], 2);
	assert_int_equal(g.asked_bytes, 8);
	assert_false(g.asked_write);
	assert_null(rig_line(&g, 0xf0000000));
	cache_fill(g.c, c, g.now);
	g.now = 77;
	cache_fill(g.c, a, g.now);
	assert_int_equal(rig_state(&g, 0xf0000000), CACHE_VALID);
	assert_int_equal(rig_line(&g, 0xf0000000)->allocated, 77);
	assert_int_equal(rig_line(&g, 0xf0000000)->accessed, 77);
	assert_int_equal(rig_line(&g, 0xf0000000)->filled, 77);
	assert_int_equal(request_at(&g.q, a)->size, 4);
	assert_int_equal(rig_access(&g, INST_ACC_R, 0xf0000078, NULL), CACHE_HIT);
	/* responses: blocks in the order of their fills, requests in theirs */
	assert_int_equal(cache_next_response(g.c), c);
	assert_int_equal(cache_next_response(g.c), a);
	assert_true(cache_response_ready(g.c));
	assert_int_equal(cache_next_response(g.c), b);
	assert_false(cache_response_ready(g.c));
	assert_int_equal(rig_count(&g, INST_ACC_R, CACHE_MISS), 3);
	assert_int_equal(rig_count(&g, INST_ACC_R, CACHE_HIT), 1);
	assert_int_equal(rig_count(&g, INST_ACC_R, CACHE_HIT_RESERVED), 0);
	assert_int_equal(rig_count(&g, INST_ACC_R, CACHE_RESERVATION_FAIL), 1);
	rig_cycle(&g);
	assert_true(cache_idle(g.c));
	rig_done(&g);
}

/* With allocation on miss the second access of a block meets a reserved line: the caller hears MISS, the counter says HIT_RESERVED. */
static void read_only_on_miss(void **state)
{
	(void)state;
	struct rig g;
	rig_init(&g, "4:128:4,L:R:m:N,A:2:2,4", CACHE_READ_ONLY, REQUEST_L1);
	assert_int_equal(rig_access(&g, CONST_ACC_R, 0x100, NULL), CACHE_MISS);
	assert_int_equal(rig_state(&g, 0x100), CACHE_RESERVED);
	assert_int_equal(rig_access(&g, CONST_ACC_R, 0x140, NULL), CACHE_MISS);
	assert_int_equal(rig_access(&g, CONST_ACC_R, 0x140, NULL), CACHE_RESERVATION_FAIL); /* merge limit 2 */
	assert_int_equal(rig_count(&g, CONST_ACC_R, CACHE_MISS), 1);
	assert_int_equal(rig_count(&g, CONST_ACC_R, CACHE_HIT_RESERVED), 1);
	assert_int_equal(rig_count(&g, CONST_ACC_R, CACHE_RESERVATION_FAIL), 1);
	assert_int_equal(cache_get_stats(g.c)->tag_accesses, 2);
	assert_int_equal(cache_get_stats(g.c)->tag_misses, 1);
	assert_int_equal(cache_get_stats(g.c)->tag_pending_hits, 1);
	rig_done(&g);
}

/* A full miss queue refuses even an access that would only merge: the queue is asked first. */
static void read_only_queue_full(void **state)
{
	(void)state;
	struct rig g;
	rig_init(&g, "16:128:4,L:R:f:N,A:8:32,2", CACHE_READ_ONLY, REQUEST_L1);
	g.full = true;
	assert_int_equal(rig_access(&g, CONST_ACC_R, 0, NULL), CACHE_MISS);
	assert_int_equal(rig_access(&g, CONST_ACC_R, 128, NULL), CACHE_MISS);
	assert_int_equal(rig_access(&g, CONST_ACC_R, 256, NULL), CACHE_RESERVATION_FAIL);
	assert_int_equal(rig_access(&g, CONST_ACC_R, 4, NULL), CACHE_RESERVATION_FAIL);
	rig_cycles(&g, 5);
	assert_int_equal(g.n_sent, 0);
	assert_int_equal(cache_miss_queue_length(g.c), 2);
	assert_int_equal(cache_get_stats(g.c)->cycles, 5);
	g.full = false;
	rig_cycle(&g);
	assert_int_equal(g.n_sent, 1);
	assert_int_equal(rig_access(&g, CONST_ACC_R, 4, NULL), CACHE_MISS);
	rig_done(&g);
}

/* A fill pushes out the least recently used line when the reply comes, not when the miss went. */
static void victims_on_fill(void **state)
{
	(void)state;
	struct rig g;
	uint32_t r;
	rig_init(&g, "1:64:2,L:R:f:N,A:2:8,4", CACHE_READ_ONLY, REQUEST_L1);
	rig_load(&g, CONST_ACC_R, 0);
	rig_load(&g, CONST_ACC_R, 64);
	assert_int_equal(rig_access(&g, CONST_ACC_R, 128, &r), CACHE_MISS);
	rig_cycle(&g);
	assert_int_equal(rig_access(&g, CONST_ACC_R, 0, NULL), CACHE_HIT); /* now 64 is the older one */
	rig_cycle(&g);
	cache_fill(g.c, r, g.now);
	assert_int_equal(rig_state(&g, 0), CACHE_VALID);
	assert_int_equal(rig_state(&g, 64), CACHE_INVALID);
	assert_int_equal(rig_state(&g, 128), CACHE_VALID);
	rig_done(&g);
}

/* Emptied while a miss is under way: its requests are answered, no line comes to life. */
static void invalidated_under_way(void **state)
{
	(void)state;
	struct rig g;
	uint32_t r;
	rig_init(&g, "4:128:2,L:B:m:N,A:4:8,4", CACHE_DATA, REQUEST_L1);
	rig_load(&g, GLOBAL_ACC_R, 0x200);
	assert_int_equal(rig_access(&g, GLOBAL_ACC_R, 0, &r), CACHE_MISS);
	rig_cycle(&g);
	cache_invalidate(g.c);
	assert_null(rig_line(&g, 0x200));
	cache_fill(g.c, r, g.now);
	assert_int_equal(cache_next_response(g.c), r);
	assert_null(rig_line(&g, 0));
	rig_cycles(&g, 2);
	assert_true(cache_idle(g.c));
	rig_done(&g);
	/* nor does the fill of one block, even with an atomic, touch the line now reserved for another */
	rig_init(&g, "4:128:1,L:B:m:N,A:4:8,4", CACHE_DATA, REQUEST_L1);
	r = rig_request(&g, GLOBAL_ACC_R, 0, 4);
	request_at(&g.q, r)->is_atomic = true;
	assert_int_equal(rig_try(&g, r), CACHE_MISS);
	rig_cycle(&g);
	cache_invalidate(g.c);
	assert_int_equal(rig_access(&g, GLOBAL_ACC_R, 0x200, NULL), CACHE_MISS);
	cache_fill(g.c, r, g.now);
	assert_int_equal(rig_state(&g, 0x200), CACHE_RESERVED);
	assert_int_equal(cache_next_response(g.c), r);
	rig_done(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shipped_strings),
		cmocka_unit_test(newer_strings),
		cmocka_unit_test(bad_strings),
		cmocka_unit_test(garbled_strings),
		cmocka_unit_test(kinds_want_their_policies),
		cmocka_unit_test(fermi_sets),
		cmocka_unit_test(l2_sets_are_the_partition_addresses),
		cmocka_unit_test(one_set_per_block),
		cmocka_unit_test(lru_and_fifo),
		cmocka_unit_test(ties_and_invalid_ways),
		cmocka_unit_test(reserved_ways_stay),
		cmocka_unit_test(read_only_misses),
		cmocka_unit_test(read_only_on_miss),
		cmocka_unit_test(read_only_queue_full),
		cmocka_unit_test(victims_on_fill),
		cmocka_unit_test(invalidated_under_way),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
