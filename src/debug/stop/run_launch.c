/* launch, run: what they are given is in launch.h. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "debug/internal.h"
#include "debug/scan.h"
#include "debug/setup/launch.h"
#include "debug/stop/room.h"
#include "debug/stop/run.h"
#include "debug/stop/stop.h"
#include "debug/view/focus.h"

/* What has failed or can't go on would be in the way of a new launch. */
static void clear_failed(struct debug *d)
{
	struct gpu_launch_info info;
	bool stuck = d->has_last && d->last.reason == DEBUG_STOP_DEADLOCK;
	for (uint32_t id = gpu_launch_count(d->g); id-- > 0;) {
		gpu_launch_get(d->g, id, &info);
		stuck |= info.state == GPU_LAUNCH_FAILED;
	}
	if (stuck)
		debug_kill(d);
}

/* `again`: with memory as the last launch found it, or as it is if that couldn't be kept. */
static bool launch_text(struct debug *d, const char *args, bool again, uint32_t *id, struct text *why)
{
	struct debug_launch l;
	if (!debug_launch_parse(d, args, &l, why))
		return false;
	clear_failed(d);
	if (again)
		debug_input(d, &(struct gpu_input){.kind = GPU_INPUT_PUT_BACK}, NULL);
	int64_t r = debug_input(d, &(struct gpu_input){.kind = GPU_INPUT_LAUNCH, .launch = &l.spec}, why);
	debug_launch_free(&l);
	if (r < 0)
		return false;
	*id = (uint32_t)r;
	debug_input(d, &(struct gpu_input){.kind = GPU_INPUT_MARK}, NULL);
	char *copy = xstrdup(args);
	free(d->stop->last_launch);
	d->stop->last_launch = copy;
	debug_focus_set(d, &(struct debug_thread){.launch = *id});
	debug_changed(d);
	return true;
}

static bool last_launch_again(struct debug *d, uint32_t *id, struct text *why)
{
	if (!d->stop->last_launch)
		return debug_fail(why, "nothing was launched yet; usage: launch KERNEL<<<GRID, BLOCK>>>(ARG, ...)");
	if (debug_can_run(d))
		debug_kill(d);
	char *text = xstrdup(d->stop->last_launch);
	bool ok = launch_text(d, text, true, id, why);
	free(text);
	return ok;
}

bool debug_launch_again(struct debug *d, struct debug_stop *stop, struct text *why)
{
	uint32_t id = 0;
	if (!last_launch_again(d, &id, why))
		return false;
	stop->reason = DEBUG_STOP_LAUNCHED;
	stop_kernel_line(d, id, "launched", &stop->text);
	return run_finish(d, stop);
}

bool debug_cmd_launch(struct debug *d, const char *args, struct debug_stop *stop, struct text *why)
{
	uint32_t id = 0;
	if (!*scan_blanks(args))
		return debug_launch_again(d, stop, why);
	if (!launch_text(d, args, false, &id, why))
		return false;
	stop->reason = DEBUG_STOP_LAUNCHED;
	stop_kernel_line(d, id, "launched", &stop->text);
	return run_finish(d, stop);
}

/* Nobody expects the same kernel to take another time. */
static void say_warm(struct debug *d)
{
	if (d->stop->reported_warm || !gpu_is_warm(d->g))
		return;
	d->stop->reported_warm = true;
	debug_note(
		d,
		"caches are warm from what ran before, so cycles differ from a first run's; `reset` makes them cold");
}

bool debug_cmd_run(struct debug *d, const char *args, struct debug_stop *stop, struct text *why)
{
	uint32_t id = 0;
	bool ok = *scan_blanks(args) ? launch_text(d, args, false, &id, why) : last_launch_again(d, &id, why);
	if (!ok)
		return false;
	say_warm(d);
	run_freely(d, stop);
	return true;
}

const char *debug_last_launch(const struct debug *d) { return d->stop->last_launch; }
