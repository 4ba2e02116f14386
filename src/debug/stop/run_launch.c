/* Launches: queued, repeated, run; where one begins. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/ground/ground.h"
#include "debug/program.h"
#include "debug/setup/launch.h"
#include "debug/stop/machine.h"
#include "debug/stop/room.h"
#include "debug/stop/run.h"
#include "debug/stop/run_internal.h"
#include "debug/stop/stop.h"
#include "debug/view/focus.h"

/* What has failed or can't go on would be in the way of a new launch. A program's is its error from then on, as if one had gone on. */
static void clear_failed(struct debug *d)
{
	struct gpu_launch_info info;
	if (debug_program_fail(d))
		return;
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
	if (!debug_may_change(d, why) || !debug_launch_parse(d, args, &l, why))
		return false;
	clear_failed(d);
	if (again)
		debug_input(d, &(struct gpu_input){.kind = GPU_INPUT_PUT_BACK}, NULL);
	if (!gpu_has_work(d->g)) /* its user has seen the end of what ran */
		debug_input(d, &(struct gpu_input){.kind = GPU_INPUT_WAITED, .waited = {.what = GPU_WAITED_ALL}}, NULL);
	int64_t r = debug_input(d, &(struct gpu_input){.kind = GPU_INPUT_LAUNCH, .launch = l.spec}, why);
	debug_launch_free(&l);
	if (r < 0)
		return false;
	*id = (uint32_t)r;
	debug_input(d, &(struct gpu_input){.kind = GPU_INPUT_MARK}, NULL);
	run_set_last_launch(d, args);
	debug_focus_set(d, &(struct debug_thread){.launch = *id});
	debug_changed(d);
	return true;
}

bool run_last_launch_again(struct debug *d, uint32_t *id, struct text *why)
{
	if (!d->stop->last_launch && debug_program_is_there(d))
		return debug_fail(why, "a program's launches can't be repeated: what the program did before them isn't undone. `schedule SEED`, then `run`, runs the "
				       "whole program in another order");
	if (!d->stop->last_launch)
		return debug_fail(why, "nothing was launched yet; usage: launch KERNEL<<<GRID, BLOCK>>>(ARG, ...)");
	if (!debug_may_change(d, why))
		return false;
	if (debug_can_run(d))
		debug_kill(d);
	char *text = xstrdup(d->stop->last_launch);
	bool ok = launch_text(d, text, true, id, why);
	free(text);
	return ok;
}

/* No launch stops the machine by its number or name any more. */
static void forget_goal(struct debug *d)
{
	d->stop->until.on = false;
	launch_name_free(&d->stop->until.name);
}

/* Runs until a launch begins; `name` becomes the debugger's. Without a name the launch is the `number`-th. */
static bool run_until_launch(struct debug *d, struct launch_name name, uint32_t number, struct debug_stop *stop)
{
	d->stop->until.on = true;
	d->stop->until.launch = number;
	d->stop->until.name = name;
	run_freely(d, stop);
	forget_goal(d);
	return true;
}

bool debug_program_start(struct debug *d, const char *args, struct text *why)
{
	if (!d->program->start(d->program->self, args, why))
		return false;
	d->program_begun = true;
	d->has_failed = false;
	debug_launches_begin(d);
	return true;
}

bool debug_run_program(struct debug *d, const char *args, bool to_launch, struct debug_stop *stop, struct text *why)
{
	if (!debug_program_start(d, args, why))
		return false;
	return to_launch ? run_until_launch(d, (struct launch_name){0}, 0, stop) : run_freely(d, stop);
}

bool debug_launch(struct debug *d, const char *text, struct debug_stop *stop, struct text *why)
{
	uint32_t id = 0;
	if (text ? !launch_text(d, text, false, &id, why) : !run_last_launch_again(d, &id, why))
		return false;
	stop->reason = DEBUG_STOP_LAUNCHED;
	stop_add_kernel(d, id, "launched", stop);
	return run_finish(d, stop);
}

/* The user may not expect that the same kernel takes another time. */
static void say_warm(struct debug *d)
{
	if (d->stop->reported_warm || !gpu_is_warm(d->g))
		return;
	d->stop->reported_warm = true;
	debug_note(
		d,
		"caches are warm from what ran before, so cycles differ from a first run's; `reset` makes them cold");
}

bool debug_run_launch(struct debug *d, const char *text, struct debug_stop *stop, struct text *why)
{
	uint32_t id = 0;
	if (text ? !launch_text(d, text, false, &id, why) : !run_last_launch_again(d, &id, why))
		return false;
	say_warm(d);
	return run_freely(d, stop);
}

/* ---- where a launch begins ---- */

bool launch_stop_wanted(const struct debug *d)
{
	return d->stop->until.on || d->settings.break_on_launch != DEBUG_LAUNCHES_NONE;
}

static bool is_until(struct debug *d, uint32_t launch)
{
	if (!d->stop->until.on)
		return false;
	return d->stop->until.name.name ? launch_name_means(d, &d->stop->until.name, launch)
					: launch == d->stop->until.launch;
}

static const char *name_of(struct debug *d, uint32_t launch)
{
	struct gpu_launch_info info;
	gpu_launch_get(d->g, launch, &info);
	return debug_function_name(d, debug_program(d)->functions[info.launch.function]);
}

static bool breaks_at_launch(const struct debug *d, uint32_t launch)
{
	const enum debug_break_on_launch which = d->settings.break_on_launch;
	struct gpu_launch_info info;
	return which == DEBUG_LAUNCHES_ALL ||
	       (which == DEBUG_LAUNCHES_APPLICATION && gpu_launch_get(d->g, launch, &info) && !info.parent);
}

/* What a catchpoint has already said it needn't say again. */
bool launch_stop_check(struct debug *d, uint32_t launch, struct debug_stop *stop)
{
	const bool reached = is_until(d, launch);
	if (d->stop->direction == RUN_PASS)
		return false;
	if (!reached && !breaks_at_launch(d, launch))
		return false;
	if (stop->n_hits)
		return true;
	stop->reason = reached ? DEBUG_STOP_STEPPED : DEBUG_STOP_LAUNCHED;
	if (reached)
		text_addf(&stop->text, "Reached launch %u %s\n", launch, name_of(d, launch));
	else
		stop_add_kernel(d, launch, "launched", stop);
	return true;
}

/* Returns whether the launch has begun in a way that users can see. */
static bool has_begun(struct debug *d, uint32_t launch)
{
	struct gpu_launch_info info;
	gpu_launch_get(d->g, launch, &info);
	return info.state != GPU_LAUNCH_QUEUED && (info.state != GPU_LAUNCH_RUNNING || info.ctas_started);
}

/* Returns true if a launch that the name or, without one, the number means can still begin. With #K it is one certain launch. Without a program only
 * queued launches can. */
static bool is_to_come(struct debug *d, struct launch_name *name, uint32_t number, struct text *why)
{
	const uint32_t n = gpu_launch_count(d->g);
	bool queued = false;
	for (uint32_t id = 0; id < n; id++) {
		if (name->name ? !launch_name_means(d, name, id) : id != number)
			continue;
		queued |= !has_begun(d, id);
		if (has_begun(d, id) && (!name->name || name->k))
			return debug_fail(why, "launch %u has begun already", id);
	}
	if (queued || d->program)
		return true;
	if (name->name && name->k)
		return debug_fail(why, "%s#%llu isn't queued; info launches lists what is", name->name,
				  (unsigned long long)name->k);
	if (name->name)
		return debug_fail(why, "no launch of %s is queued; info launches lists what is", name->name);
	return debug_fail(why, "launch %u isn't queued; info launches lists what is", number);
}

bool debug_run_to_launch(struct debug *d, struct launch_name *name, uint32_t number, struct debug_stop *stop, struct text *why)
{
	if ((d->program && !debug_program_lives(d) && !debug_program_start(d, "", why)) || !is_to_come(d, name, number, why)) {
		launch_name_free(name);
		return false;
	}
	debug_program_deliver(d);
	return run_until_launch(d, *name, number, stop);
}

void run_set_last_launch(struct debug *d, const char *text)
{
	char *copy = text ? xstrdup(text) : NULL;
	free(d->stop->last_launch);
	d->stop->last_launch = copy;
}

const char *debug_last_launch(const struct debug *d) { return d->stop->last_launch; }
