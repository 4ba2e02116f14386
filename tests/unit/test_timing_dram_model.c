/* A DRAM model is rows: a test's own rules are kept, shown, and checked with the parameters that they name. */
#include "dram_bench.h"

#define READ (1u << DRAM_READ)
#define ACTIVATE (1u << DRAM_ACTIVATE)

/* The only rule: no activate for CL - 2 = 10 cycles after a read, in the part of `level`. Bank 3 is opened in 1 and read in 2; the request for
 * `bank` comes in 3. */
static void read_then_activate(enum dram_level level, uint32_t bank, uint32_t row, const char *want)
{
	const struct dram_rule rules[] = {{"RTA", level, READ, ACTIVATE, "CL - 2", false}};
	const struct dram_model model = {"test", rules, 1};
	struct dram_config c = config_of(gtx480);
	struct bench b;
	c.model = &model;
	bench_init(&b, c);
	tick(&b, 1);
	push(&b, GLOBAL_ACC_R, 3, 7, 64);
	tick(&b, 2);
	push(&b, GLOBAL_ACC_R, bank, row, 64);
	tick(&b, 40);
	expect_log(&b, want);
	bench_free(&b);
}

static void a_rule_holds_in_its_part(void **state)
{
	(void)state;
	static const char waits[] = "1:ACT3 2:RD3 12:ACT4 13:RD4 14:done#1 25:done#2 ";
	read_then_activate(DRAM_CHANNEL, 4, 1, waits);
	/* of 16 banks in 4 groups, 3.2.2 takes banks 0 to 7 for one group */
	read_then_activate(DRAM_GROUP, 4, 1, waits);
	read_then_activate(DRAM_GROUP, 8, 1, "1:ACT3 2:RD3 3:ACT8 4:RD8 14:done#1 16:done#2 ");
	read_then_activate(DRAM_BANK, 4, 1, "1:ACT3 2:RD3 3:ACT4 4:RD4 14:done#1 16:done#2 ");
	/* a precharge does not wait */
	read_then_activate(DRAM_BANK, 3, 9, "1:ACT3 2:RD3 3:PRE3 12:ACT3 13:RD3 14:done#1 25:done#2 ");
}

static void a_rule_has_a_timer(void **state)
{
	(void)state;
	const struct dram_rule rules[] = {{"RTA", DRAM_CHANNEL, READ, ACTIVATE, "CL - 2", true},
					  {"RTX", DRAM_BANK, READ, ACTIVATE, "20", false}};
	const struct dram_model model = {"test", rules, 2};
	struct dram_config c = config_of(gtx480);
	struct bench b;
	struct text out = {0};
	c.model = &model;
	bench_init(&b, c);
	tick(&b, 1);
	push(&b, GLOBAL_ACC_R, 3, 7, 64);
	tick(&b, 2);
	assert_int_equal(dram_timer_left(b.d, "RTA", 0), 9); /* until 12, the next cycle is 3 */
	assert_int_equal(dram_timer_left(b.d, "RTX", 3), 19);
	assert_int_equal(dram_timer_left(b.d, "RTX", 4), 0);
	assert_int_equal(dram_timer_left(b.d, "RCD", 3), 0); /* no such rule here */
	dram_dump(b.d, &out);
	assert_non_null(strstr(text_str(&out), "  bank  state      row   RTX queued  request\n"));
	assert_non_null(strstr(text_str(&out), "     3  open   0x00007    19      0\n"));
	assert_non_null(strstr(text_str(&out), "timers of all    RTA 9\n"));
	tick(&b, 40);
	/* a request in cycles 1 and 2, and RTA until 12: cycles 1 to 11 */
	assert_int_equal(dram_get_stats(b.d)->n.activity, 11);
	text_free(&out);
	bench_free(&b);
}

static void bad_delays(void **state)
{
	(void)state;
	static const char *const bad[] = {"", "CL - NOPE", "CL +", "RCD - 100", "CL CL", "CL * 2", "- CL"};
	for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
		const struct dram_rule rules[] = {{"RTA", DRAM_CHANNEL, READ, ACTIVATE, bad[k], false}};
		const struct dram_model model = {"test", rules, 1};
		struct dram_config c = config_of(gtx480);
		struct text why = {0}, want = {0};
		c.model = &model;
		text_addf(&want, "DRAM: RTA = %s is no number of cycles", bad[k]);
		assert_false(dram_config_check(&c, &why));
		assert_string_equal(text_str(&why), text_str(&want));
		text_free(&why);
		text_free(&want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_rule_holds_in_its_part),
		cmocka_unit_test(a_rule_has_a_timer),
		cmocka_unit_test(bad_delays),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
