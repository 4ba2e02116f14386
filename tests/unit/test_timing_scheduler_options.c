/* -gpgpu_scheduler: which row of the table a text chooses, with what parameters, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "gpu/config/config_internal.h"
#include "gpu/config/config_timing.h"
#include "timing/core/scheduler.h"

/* Of the configuration with that text: its errors, which the caller frees. */
static struct text choose(const char *value, struct core_config *out)
{
	struct config *c = config_create();
	struct diag_list diags;
	struct timing_config t = {0};
	struct text line = {0}, errors = {0};
	text_addf(&line, "-gpgpu_scheduler %s", value);
	diag_list_init(&diags);
	assert_true(config_set_text(c, text_str(&line), &diags));
	assert_true(config_finish(c, &diags));
	config_timing(c, &t, &diags);
	for (size_t i = 0; i < diags.n; i++)
		if (strstr(diags.v[i].message, "-gpgpu_scheduler"))
			text_add(&errors, diags.v[i].message);
	*out = t.core;
	icnt_config_free(t.icnt);
	diag_list_free(&diags);
	config_free(c);
	text_free(&line);
	return errors;
}

static void chooses(const char *value, enum scheduler_kind kind, uint32_t limit)
{
	struct core_config core;
	struct text errors = choose(value, &core);
	assert_string_equal(text_str(&errors), "");
	assert_int_equal(core.scheduler, kind);
	if (limit)
		assert_int_equal(core.scheduler_limit, limit);
	text_free(&errors);
}

static void words_choose(void **state)
{
	(void)state;
	chooses("lrr", SCHEDULER_LRR, 0);
	chooses("gto", SCHEDULER_GTO, 0);
	chooses("two_level_active:6:0:1", SCHEDULER_TWO_LEVEL, 6);
	chooses("warp_limiting:2:7", SCHEDULER_WARP_LIMITING, 7);
	chooses("tl:5", SCHEDULER_TL, 5);
	chooses("rrr", SCHEDULER_RRR, 0);
	chooses("old", SCHEDULER_OLDEST, 0);
	chooses("oldest", SCHEDULER_OLDEST, 0); /* GPGPU-Sim looks for the word in the text */
	chooses("lowest", SCHEDULER_LOWEST, 0);
	chooses("furthest_ahead", SCHEDULER_FURTHEST_AHEAD, 0);
	chooses("furthest_behind", SCHEDULER_FURTHEST_BEHIND, 0);
}

static void refuses(const char *value, const char *wanted)
{
	struct core_config core;
	struct text errors = choose(value, &core), want = {0};
	text_addf(&want, "-gpgpu_scheduler: bad value '%s', expected %s", value, wanted);
	assert_string_equal(text_str(&errors), text_str(&want));
	text_free(&errors);
	text_free(&want);
}

static void parameters_are_checked(void **state)
{
	static const char *const levels[] = {"two_level_active", "two_level_active:6", "two_level_active:0:0:1", "two_level_active:6:1:1",
					     "two_level_active:6:0:2", "two_level_active:6:0:1:1", "two_level_active:x:0:1"};
	static const char *const limits[] = {"warp_limiting:7", "warp_limiting:3:7", "warp_limiting:2:0", "warp_limiting:2:7:1"};
	static const char *const tls[] = {"tl", "tl:0", "tl:6:1"};
	(void)state;
	for (size_t k = 0; k < sizeof levels / sizeof levels[0]; k++)
		refuses(levels[k], "two_level_active:WARPS:0:1");
	for (size_t k = 0; k < sizeof limits / sizeof limits[0]; k++)
		refuses(limits[k], "warp_limiting:2:WARPS");
	for (size_t k = 0; k < sizeof tls / sizeof tls[0]; k++)
		refuses(tls[k], "tl:WARPS");
	refuses("fifo", "lrr, gto, two_level_active:N:0:1, warp_limiting:2:N, tl:N, rrr, old, lowest, furthest_ahead or furthest_behind");
}

/* The option's help is a text of its own: it has all of them. */
static void help_names_them_all(void **state)
{
	const char *help = config_options[config_option_find("gpgpu_scheduler", strlen("gpgpu_scheduler"))].help;
	(void)state;
	for (unsigned k = 0; k < SCHEDULERS; k++) {
		struct text form = {0};
		text_addf(&form, " %s%s", scheduler_rules[k].option, scheduler_rules[k].parameters);
		assert_non_null(strstr(help, text_str(&form)));
		text_free(&form);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(words_choose), cmocka_unit_test(parameters_are_checked),
					   cmocka_unit_test(help_names_them_all)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
