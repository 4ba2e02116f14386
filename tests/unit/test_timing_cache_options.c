/* Cache options of a configuration: what the option's own cache can't be made of is refused before a machine is made. */
#include "cache_fixture.h"

#include "gpu/config/config.h"
#include "gpu/config/config_timing.h"

/* Whether some error is about the option and says `message`. */
static bool refused(const char *option, const char *value, const char *message)
{
	struct config *c = config_create();
	struct diag_list diags;
	struct timing_config t = {0};
	struct text line = {0}, want = {0};
	bool found = false;
	text_addf(&line, "-%s %s", option, value);
	text_addf(&want, "-%s: %s", option, message);
	diag_list_init(&diags);
	assert_true(config_set_text(c, text_str(&line), &diags));
	assert_true(config_finish(c, &diags));
	config_timing(c, &t, &diags);
	for (size_t i = 0; i < diags.n; i++)
		found |= strstr(diags.v[i].message, text_str(&want)) != NULL;
	icnt_config_free(t.icnt);
	diag_list_free(&diags);
	config_free(c);
	text_free(&line);
	text_free(&want);
	return found;
}

static void options_want_their_kind(void **state)
{
	(void)state;
	assert_true(refused("gpgpu_cache:il1", "4:128:4,L:B:m:N,A:2:32,4",
			    "a cache that is only read needs write policy R"));
	assert_true(refused("gpgpu_const_cache:l1", "64:64:2,L:R:f:N,F:2:32,4:1",
			    "texture FIFOs (F) are for the texture cache; use A"));
	assert_true(
		refused("gpgpu_tex_cache:l1", "4:128:24,L:R:m:N,A:2:32,4", "a texture cache needs texture FIFOs (F)"));
	assert_true(refused("gpgpu_cache:dl1", "32:128:4,L:R:m:N,A:32:8,8", "a data cache needs a write policy"));
	assert_true(refused("gpgpu_cache:dl1PrefL1", "32:128:4,L:L:m:N,A:32:8,1", "a data cache needs a miss queue"));
	assert_true(refused("gpgpu_cache:dl2", "64:128:8,L:B:m:W,A:32:4,2", "write-allocate (W) needs a miss queue"));
	assert_true(refused("gpgpu_cache:dl2", "64:128:8", "cache configuration '64:128:8': expected ','"));
	assert_false(refused("gpgpu_cache:dl2", "64:128:8,L:B:m:W,A:32:4,4:0,32", ""));
	assert_false(refused("gpgpu_cache:dl1", "none", ""));
	assert_true(refused("gpgpu_tex_cache:l1", "none", "a core needs a texture cache"));
}

/* The letter came with 3.2.3; files of 3.2.2's machine have it since. */
static void set_indices_are_read_without_4x(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		enum cache_set_index set_index;
	} good[] = {{"32:128:4,L:L:m:N,A:32:8,8", CACHE_SETS_LINEAR},
		    {"32:128:4,L:L:m:N:L,A:32:8,8", CACHE_SETS_LINEAR},
		    {"32:128:4,L:L:m:N:H,A:32:8,8", CACHE_SETS_FERMI},
		    {"64:128:6,L:L:m:N:H,A:32:8,8", CACHE_SETS_FERMI}};
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		struct cache_config cfg;
		struct text why = {0};
		assert_true(cache_config_parse(good[i].text, false, &cfg, &why));
		assert_int_equal(cfg.set_index, good[i].set_index);
		text_free(&why);
	}
	assert_true(refused("gpgpu_cache:dl1", "16:128:4,L:L:m:N:H,A:32:8,8", "cache configuration '16:128:4,L:L:m:N:H,A:32:8,8': expected set index function L (H needs 32 or 64 sets)"));
	assert_true(refused("gpgpu_cache:dl2", "64:128:8,L:B:m:W:P,A:32:4,4", "cache configuration '64:128:8,L:B:m:W:P,A:32:4,4': 'P' at column 18: the polynomial set hash is not modelled"));
	assert_true(refused("gpgpu_cache:dl1", "32:128:4,L:L:m:N:Z,A:32:8,8", "cache configuration '32:128:4,L:L:m:N:Z,A:32:8,8': expected a set index function (L H)"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(options_want_their_kind), cmocka_unit_test(set_indices_are_read_without_4x)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
