/* DRAM: the timing option's forms, and configurations that are refused. */
#include "dram_bench.h"

/* ---- the timing option ---- */

static void timing_texts(void **state)
{
	(void)state;
	struct text why = {0};
	struct dram_timing t, want = {16, 2, 6, 12, 28, 12, 40, 12, 4, 5, 12, 4, 3, 2};
	assert_true(dram_timing_parse(gtx480, &t, &why));
	assert_memory_equal(&t, &want, sizeof t);
	/* any order, ; as well, blanks and line ends around */
	assert_true(dram_timing_parse(" RTPL=2;CCDL=3:nbkgrp=4:\n\tWR=12: CDLR = 5:WL=4:CL=12:RC=40:RP=12:RAS=28:RCD=12:RRD=6:CCD=2:nbk=16",
				      &t, &why));
	assert_memory_equal(&t, &want, sizeof t);
	assert_true(dram_timing_parse("16:2:6:12:28:12:40:12:4:5:12:4:3:2", &t, &why));
	assert_memory_equal(&t, &want, sizeof t);
	want.nbkgrp = 1;
	want.ccdl = want.rtpl = 0;
	assert_true(dram_timing_parse("16:2:6:12:28:12:40:12:4:5:12", &t, &why));
	assert_memory_equal(&t, &want, sizeof t);
	assert_string_equal(text_str(&why), "");
	text_free(&why);
}

static void expect_refused(const char *timing, const char *want)
{
	struct dram_timing t;
	struct text why = {0};
	assert_false(dram_timing_parse(timing, &t, &why));
	if (!strstr(text_str(&why), want))
		fail_msg("`%s` does not say `%s`", text_str(&why), want);
	text_free(&why);
}

static void bad_timing_texts(void **state)
{
	(void)state;
	expect_refused("", "nbk: expected a number");
	expect_refused("16:2:6", "3 values, expected at least 11");
	expect_refused("16:2:6:12:28:12:40:12:4:5:12:4:3:2:1", "more than 14");
	expect_refused("16:2:x", "RRD: expected a number up to 1000000, found `x`");
	expect_refused("16:2:-6:12:28:12:40:12:4:5:12", "found `-6:12");
	expect_refused("16:2:6:12:28:12:40:12:4:5:12 13", "found `13`");
	expect_refused("nbk=16", "no value for CCD");
	expect_refused("nbk=16:XYZ=1", "found `XYZ=1`");
	expect_refused("nbk=99999999999999999999", "nbk: expected a number");
	expect_refused("nbk=16 CCD=2", "expected `:`");
	expect_refused("=", "expected NAME=NUMBER");
}

static void bad_configs(void **state)
{
	(void)state;
	static const struct {
		const char *timing, *want;
	} cases[] = {
		{"0:2:6:12:28:12:40:12:4:5:12", "0 banks"},
		{"65:2:6:12:28:12:40:12:4:5:12", "65 banks; expected 1 to 64"},
		{"16:2:6:12:28:12:40:12:4:5:12:0:1:1", "0 bank groups"},
		{"16:2:6:12:28:12:40:12:4:5:12:17:1:1", "17 bank groups for 16 banks"},
		{"16:2:6:12:28:12:40:12:13:5:12", "WL=13 is more than CL=12"},
		{"16:2:6:4:28:12:40:12:4:5:12", "RCD=4 must be more than WL=4"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct text why = {0};
		struct dram_config c = config_of(cases[i].timing);
		assert_false(dram_config_check(&c, &why));
		if (!strstr(text_str(&why), cases[i].want))
			fail_msg("`%s` does not say `%s`", text_str(&why), cases[i].want);
		text_free(&why);
	}
	struct text why = {0};
	struct dram_config c = config_of(gtx480);
	assert_true(dram_config_check(&c, &why));
	c.data_ratio = 0;
	assert_false(dram_config_check(&c, &why));
	c = config_of(gtx480);
	c.burst_length = UINT32_MAX;
	assert_false(dram_config_check(&c, &why));
	c = config_of(gtx480);
	c.input_queue = 0;
	assert_false(dram_config_check(&c, &why));
	text_free(&why);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(timing_texts),
		cmocka_unit_test(bad_timing_texts),
		cmocka_unit_test(bad_configs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
