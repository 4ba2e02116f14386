/* Running one kernel of a loaded program to its end, functionally. Include after cmocka.h. */
#ifndef TESTS_KERNEL_RUN_H
#define TESTS_KERNEL_RUN_H

#include <string.h>

#include "base/text.h"
#include "gpu/gpu.h"

/* `s` says all but the function, which has the name. What the run ended with. */
static inline enum gpu_event_kind kernel_run(struct gpu *g, const char *name, struct gpu_launch_spec s)
{
	struct gpu_event ev = {0};
	struct text why = {0};

	while (strcmp(gpu_program(g)->functions[s.function]->name, name))
		s.function++;
	if (gpu_launch(g, &s, &why) < 0)
		fail_msg("%s", text_str(&why));
	text_free(&why);
	do {
		struct gpu_request r = {.max_cycles = UINT64_MAX};
		gpu_run(g, &r, &ev);
	} while (ev.kind == GPU_EVENT_LAUNCHED);
	text_free(&ev.text);
	return ev.kind;
}

#endif
