/* A debugger session on the performance model, for tests that run kernels on it. */
#ifndef PERFORMANCE_FIXTURE_H
#define PERFORMANCE_FIXTURE_H

#include "gpu/config/config_timing.h"
#include "test_debug_fixture.h"

/* Begins a session with a config file, and an option (`-name value`) on top of it if that isn't NULL. *timing has to live as long as *f. `change` changes what
 * follows from the options; NULL: nothing. */
static inline void performance_begin_changed(struct fixture *f, struct timing_config *timing, const char *config, const char *option,
					     void (*change)(struct timing_config *t))
{
	struct diag_list diags = {0};
	struct text why = {0};
	memset(f, 0, sizeof *f);
	memset(timing, 0, sizeof *timing);
	f->config = config_create();
	assert_true(config_load_file(f->config, config, &diags));
	if (option)
		assert_true(config_set_text(f->config, option, &diags));
	assert_true(config_finish(f->config, &diags));
	assert_true(config_timing(f->config, timing, &diags));
	diag_list_free(&diags);
	if (change)
		change(timing);
	struct gpu *g = gpu_create_performance(f->config, timing, NULL, NULL, &why);
	if (!g)
		fail_msg("%s", text_str(&why));
	f->d = debug_create(g, &(struct debug_host){.self = f, .output = fixture_output});
	command_attach(f->d);
}

static inline void performance_begin(struct fixture *f, struct timing_config *timing, const char *config, const char *option)
{
	performance_begin_changed(f, timing, config, option, NULL);
}

static inline void performance_end(struct fixture *f, struct timing_config *timing)
{
	icnt_config_free(timing->icnt);
	fixture_end(f);
}

#endif
