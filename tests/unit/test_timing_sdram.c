/* Memories of DRAM standards: all that the tables offer can be made, a random trace keeps the laws of banks and queues, and a state that is put back runs the
 * same way again. What each command's cycle must be is in tests/dram. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "timing/sdram/sdram.h"

#define PLACES 4096

struct bench {
	struct arena arena;
	struct timing_memory m;
	struct sdram *d;
	const struct sdram_standard *standard;
	struct text log;
	int64_t last[64];      /* cycle of each channel's last command */
	int32_t row[PLACES];   /* open in each part that holds rows, -1: none */
	uint8_t done[PLACES];  /* requests by tag */
	bool follows_rows;
};

static unsigned place_of(const int32_t *at) { return ((((unsigned)at[0] * 4 + (unsigned)at[1]) * 4 + (unsigned)at[2]) * 16 + (unsigned)at[3]) * 8 + (unsigned)at[4]; }

/* Closes the rows of all parts that a place, which may be a bank or a rank, covers. */
static void close_rows(struct bench *b, const int32_t *at)
{
	for (int32_t g = 0; g < 4; g++)
		for (int32_t k = 0; k < 16; k++)
			for (int32_t s = 0; s < 8; s++) {
				const int32_t part[] = {at[0], at[1], at[2] < 0 ? g : at[2], at[3] < 0 ? k : at[3], at[4] < 0 ? s : at[4]};
				b->row[place_of(part)] = -1;
			}
}

static bool is_one_of(const char *name, const char *words)
{
	const char *s = strstr(words, name);
	return s && (s == words || s[-1] == ' ') && (s[strlen(name)] == ' ' || !s[strlen(name)]);
}

static void on_command(void *self, int64_t cycle, const char *name, const int32_t *at)
{
	struct bench *b = self;
	text_addf(&b->log, "%lld %s %d %d %d %d %d\n", (long long)cycle, name, at[0], at[1], at[2], at[3], at[5]);
	assert_true(b->last[at[0]] < cycle); /* one command a cycle */
	b->last[at[0]] = cycle;
	if (!b->follows_rows)
		return;
	if (is_one_of(name, "ACT ACTF ACTM")) {
		assert_int_equal(b->row[place_of(at)], -1);
		b->row[place_of(at)] = at[5];
	}
	if (is_one_of(name, "RD RDA WR WRA MIG"))
		assert_int_equal(b->row[place_of(at)], at[5]);
	if (is_one_of(name, "PRE PREF PREM PREA PRA PRER PREAF PREAM RDA WRA PRE_OTHER"))
		close_rows(b, at);
	if (is_one_of(name, "REF"))
		for (int32_t g = 0; g < 4; g++)
			for (int32_t k = 0; k < 16; k++)
				assert_int_equal(b->row[place_of((int32_t[]){at[0], at[1], g, k, 0})], -1);
}

static void on_done(void *self, int64_t cycle, const struct sdram_request *r)
{
	struct bench *b = self;
	assert_true(cycle > r->arrive || r->type == SDRAM_WRITE);
	assert_int_equal(b->done[r->tag]++, 0);
}

static void bench_init(struct bench *b, const struct sdram_config *cfg)
{
	const struct machine_limits limits = {.timing = UINT64_C(1) << 28, .pools = UINT64_C(1) << 26};
	*b = (struct bench){.standard = cfg->standard};
	memset(b->row, -1, sizeof b->row);
	memset(b->last, -1, sizeof b->last);
	arena_init(&b->arena);
	assert_true(timing_memory_init(&b->m, &b->arena, &limits));
	b->d = sdram_create(&b->m, cfg);
	assert_non_null(b->d);
	const struct sdram_observer o = {b, on_command, on_done};
	sdram_observe(b->d, &o);
}

static void bench_free(struct bench *b)
{
	sdram_destroy(b->d);
	arena_free(&b->arena);
	text_free(&b->log);
}

static struct sdram_config config_of(const char *name, const char *variant, const char *speed)
{
	struct sdram_config cfg = {.ranks = 1, .subarrays = 8, .cap = 16, .row_timeout = 50, .row_policy = SDRAM_ROW_OPENED, .policy = SDRAM_FRFCFS_CAP};
	const struct sdram_names names = {name, variant, "", speed};
	struct text why = {0};
	unsigned which;
	assert_true(sdram_choose(&cfg, &names, &which, &why));
	text_free(&why);
	return cfg;
}

/* ---- tables ---- */

static void all_can_be_made(void **state)
{
	(void)state;
	unsigned n = 0;
	for (unsigned k = 0; k < sdram_standard_count; k++) {
		const struct sdram_standard *s = sdram_standards[k];
		for (unsigned v = 0; v < (s->n_variants ? s->n_variants : 1u); v++)
			for (unsigned o = 0; o < s->n_organisations; o++)
				for (unsigned p = 0; p < s->n_speeds; p++, n++) {
					struct sdram_config cfg = config_of(sdram_standard_name(s, 0), "", "");
					cfg.variant = v;
					cfg.organisation = &s->organisation[o];
					cfg.channels = s->organisation[o].channels ? s->organisation[o].channels : cfg.channels;
					cfg.speed = &s->speed[p];
					struct arena a;
					struct timing_memory m;
					const struct machine_limits limits = {.timing = UINT64_C(1) << 24, .pools = UINT64_C(1) << 24};
					arena_init(&a);
					assert_true(timing_memory_init(&m, &a, &limits));
					struct sdram *d = sdram_create(&m, &cfg);
					assert_non_null(d);
					int32_t at[SDRAM_LEVELS];
					sdram_decode(d, UINT64_MAX, at);
					for (unsigned l = 0; l < s->n_levels; l++)
						assert_true(at[s->level[l]] >= 0);
					assert_true(sdram_offer(d, 0, false, 1));
					for (int c = 0; c < 200 && !sdram_is_empty(d); c++)
						sdram_cycle(d);
					assert_true(sdram_is_empty(d));
					sdram_destroy(d);
					arena_free(&a);
				}
	}
	assert_int_equal(n, 1264); /* as many as the reference has */
}

/* A standard's published figures, read from its data sheet rather than from the tables: DDR4-2400 of 8 Gb with CL 16. */
static void an_idle_read_takes_its_latency(void **state)
{
	(void)state;
	struct bench b;
	struct sdram_config cfg = config_of("DDR4", "", "DDR4_2400R");
	bench_init(&b, &cfg);
	assert_true(sdram_offer(b.d, 0, false, 0));
	while (!sdram_is_empty(b.d))
		sdram_cycle(b.d);
	/* ACT in cycle 1, RD after tRCD = 16, data end after CL + BL/2 = 16 + 4 */
	assert_string_equal(text_str(&b.log), "1 ACT 0 0 0 0 0\n17 RD 0 0 0 0 0\n");
	assert_int_equal(sdram_now(b.d), 1 + 16 + 16 + 4);
	bench_free(&b);
}

static void names_that_are_refused(void **state)
{
	(void)state;
	static const struct {
		struct sdram_names names;
		uint32_t channels, ranks, subarrays;
		enum sdram_controller_kind controller;
		const char *why;
	} rows[] = {
		{{"DDR5", "", "", ""}, 1, 1, 8, SDRAM_RAMULATOR, "no DRAM standard is called 'DDR5'; known: DDR3, DDR4, LPDDR3, LPDDR4, GDDR5, WideIO, WideIO2, HBM, SALP-1, SALP-2, SALP-MASA, TLDRAM, DSARP"},
		{{"SALP", "", "", ""}, 1, 1, 8, SDRAM_RAMULATOR, NULL},
		{{"DSARP", "ALL", "", ""}, 1, 1, 8, SDRAM_RAMULATOR, "DSARP has no variant 'ALL'; known: REFAB, REFPB, DARP, SARP, DSARP"},
		{{"DDR3", "", "DDR4_2Gb_x8", ""}, 1, 1, 8, SDRAM_RAMULATOR, NULL},
		{{"HBM", "", "", "HBM_2Gbps"}, 1, 1, 8, SDRAM_RAMULATOR, "HBM has no speed 'HBM_2Gbps'; known: HBM_1Gbps"},
		{{"DDR3", "", "", ""}, 3, 1, 8, SDRAM_RAMULATOR, "3 channels of 1 ranks: both are powers of two, up to 64"},
		{{"GDDR5", "", "", ""}, 1, 2, 8, SDRAM_RAMULATOR, "GDDR5 with 2 ranks: it has one"},
		{{"LPDDR4", "", "", ""}, 1, 1, 8, SDRAM_RAMULATOR, "LPDDR4 with 1 channel: it has at least 2"},
		{{"WideIO", "", "", ""}, 2, 1, 8, SDRAM_RAMULATOR, "WideIO with 2 channels: it has 4"},
		{{"WideIO2", "", "", ""}, 2, 1, 8, SDRAM_RAMULATOR, "WideIO2 has no organisation for 2 channels; it has 4 and 8"},
		{{"SALP-2", "", "", ""}, 1, 1, 256, SDRAM_RAMULATOR, "SALP with 256 subarrays in a bank: a power of two from 1 to 128 is expected"},
		{{"DSARP", "", "", ""}, 1, 1, 4, SDRAM_RAMULATOR, "DSARP with 4 subarrays in a bank: a power of two from 8 to 128 is expected"},
		{{"TLDRAM", "", "", ""}, 1, 1, 16, SDRAM_2018, "the controller of 2018 has no TLDRAM"},
		{{"DDR4", "", "", "DDR4_3200"}, 1, 1, 8, SDRAM_2018, "the controller of 2018 has no DDR4_3200"},
	};
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
		struct sdram_config cfg = {.channels = rows[k].channels, .ranks = rows[k].ranks, .subarrays = rows[k].subarrays, .controller = rows[k].controller};
		struct text why = {0};
		unsigned which;
		assert_false(sdram_choose(&cfg, &rows[k].names, &which, &why) && sdram_config_check(&cfg, &why));
		if (rows[k].why)
			assert_string_equal(text_str(&why), rows[k].why);
		text_free(&why);
	}
}

/* ---- laws ---- */

static uint64_t next_random(uint64_t *s)
{
	*s = *s * 6364136223846793005u + 1442695040888963407u;
	return *s >> 33;
}

/* A mix of few rows, so that there are hits, conflicts and forwarded reads. */
static uint64_t random_address(uint64_t *s) { return (next_random(s) % 8 << 24 | next_random(s) % 256 << 6) + (next_random(s) % 4 << 18); }

static void run_random(struct bench *b, uint32_t n, uint64_t seed)
{
	for (uint32_t k = 0; k < n;) {
		k += next_random(&seed) % 4 && sdram_offer(b->d, random_address(&seed), next_random(&seed) % 3 == 0, k);
		sdram_cycle(b->d);
	}
	sdram_drain(b->d);
	for (int k = 0; k < 100000 && !sdram_is_empty(b->d); k++)
		sdram_cycle(b->d);
	assert_true(sdram_is_empty(b->d));
	for (uint32_t k = 0; k < n; k++)
		assert_int_equal(b->done[k], 1);
}

static void laws_of(const char *name, const char *variant, enum sdram_policy policy, enum sdram_row_policy rows, enum sdram_controller_kind controller)
{
	struct bench b;
	struct sdram_config cfg = config_of(name, variant, "");
	cfg.policy = policy;
	cfg.row_policy = rows;
	cfg.controller = controller;
	bench_init(&b, &cfg);
	b.follows_rows = true;
	run_random(&b, 600, 7 * policy + rows + 1);
	const struct sdram_stats *st = sdram_get_stats(b.d);
	uint64_t served = 0;
	for (uint32_t c = 0; c < cfg.channels; c++) {
		const struct sdram_channel_stats *cs = sdram_get_channel_stats(b.d, c);
		assert_int_equal(cs->row_hits, cs->read_row_hits + cs->write_row_hits);
		served += cs->row_hits + cs->row_misses + cs->row_conflicts;
	}
	assert_int_equal(st->incoming_requests, 600);
	assert_int_equal(st->read_requests + st->write_requests, 600);
	assert_int_equal(served + st->read_kinds[SDRAM_FORWARD], 600);
	bench_free(&b);
}

static void random_traces_keep_the_laws(void **state)
{
	(void)state;
	for (unsigned p = 0; p < SDRAM_POLICIES; p++)
		for (unsigned r = 0; r < SDRAM_ROW_POLICIES; r++) {
			laws_of("DDR4", "", p, r, SDRAM_RAMULATOR);
			laws_of("SALP-2", "", p, r, SDRAM_RAMULATOR);
			laws_of("SALP-1", "", p, r, SDRAM_RAMULATOR);
			laws_of("TLDRAM", "", p, r, SDRAM_RAMULATOR);
			laws_of("DSARP", "DSARP", p, r, SDRAM_RAMULATOR);
			if (r != SDRAM_ROW_CLOSED_AP)
				laws_of("SALP-MASA", "", p, r, SDRAM_2018);
		}
}

/* ---- state ---- */

static void a_state_runs_the_same_way_again(void **state)
{
	(void)state;
	static const char *const names[][2] = {{"DDR3", ""}, {"SALP-MASA", ""}, {"DSARP", "DARP"}, {"TLDRAM", ""}};
	for (size_t k = 0; k < 4; k++) {
		struct bench b;
		struct sdram_config cfg = config_of(names[k][0], names[k][1], "");
		cfg.row_policy = SDRAM_ROW_TIMEOUT;
		bench_init(&b, &cfg);
		uint64_t seed = 5;
		for (int c = 0; c < 5000; c++) {
			sdram_offer(b.d, random_address(&seed), c % 3 == 0, (uint32_t)c % PLACES);
			memset(b.done, 0, sizeof b.done);
			sdram_cycle(b.d);
		}
		char *kept[2];
		for (int s = 0; s < 2; s++) {
			kept[s] = malloc(b.arena.section[s].used + 1);
			memcpy(kept[s], b.arena.section[s].base, b.arena.section[s].used);
		}
		text_clear(&b.log);
		sdram_drain(b.d);
		while (!sdram_is_empty(b.d))
			sdram_cycle(b.d);
		char *first = strdup(text_str(&b.log));
		for (int s = 0; s < 2; s++) {
			memcpy(b.arena.section[s].base, kept[s], b.arena.section[s].used);
			free(kept[s]);
		}
		text_clear(&b.log);
		memset(b.done, 0, sizeof b.done);
		memset(b.last, -1, sizeof b.last);
		sdram_drain(b.d);
		while (!sdram_is_empty(b.d))
			sdram_cycle(b.d);
		assert_true(strlen(first) > 200);
		assert_string_equal(first, text_str(&b.log));
		free(first);
		bench_free(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_can_be_made),
		cmocka_unit_test(an_idle_read_takes_its_latency),
		cmocka_unit_test(names_that_are_refused),
		cmocka_unit_test(random_traces_keep_the_laws),
		cmocka_unit_test(a_state_runs_the_same_way_again),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
