/* What follows from a changed program, from settings that change what is shown or printed, from kill and reset. */
#include "debug/findings/findings.h"
#include "debug/rooms.h"
#include "debug/setup/launches.h"
#include "debug/stop/room.h"
#include "debug/stop/stop.h"
#include "debug/view/focus.h"
#include "debug/view/view.h"

static void input_of(struct debug *d, enum gpu_input_kind kind)
{
	debug_input(d, &(struct gpu_input){.kind = kind}, NULL);
}

/* Names, sources and breakpoints are looked up in what is there now. */
static void look_again(struct debug *d, struct text *notes)
{
	d->generation = debug_program(d)->generation;
	debug_names_changed(d);
	view_forget_sources(d); /* a source may have been edited together with its PTX */
	breakpoint_resolve_all(d, notes);
	view_forget_files(d);
	d->changes++;
}

void debug_program_changed(struct debug *d, struct text *notes)
{
	gpu_program_changed(d->g);
	look_again(d, notes);
}

void debug_modules_settle(struct debug *d, struct text *notes)
{
	if (d->generation != debug_program(d)->generation)
		look_again(d, notes);
}

void debug_module_changed(struct debug *d, uint32_t module, bool is_there, struct text *notes)
{
	const enum gpu_input_kind kind = is_there ? GPU_INPUT_MODULE_LOAD : GPU_INPUT_MODULE_UNLOAD;
	debug_input(d, &(struct gpu_input){.kind = kind, .numbered = {module}}, NULL);
	debug_modules_settle(d, notes);
	d->stop->changed.module = module;
	d->stop->changed.is_loaded = is_there;
	if (is_there)
		DEBUG_HOOK(d, module_loaded, module);
}

void debug_host_memory(struct debug *d, const struct debug_memory_event *e) { DEBUG_HOOK(d, host_memory, e); }

void debug_lines_set(struct debug *d, enum debug_lines lines)
{
	if (d->settings.lines == lines)
		return;
	d->settings.lines = lines;
	view_forget_files(d);
}

void debug_hold_printf(struct debug *d, bool on)
{
	if (on == d->settings.holds_printf)
		return;
	d->settings.holds_printf = on;
	debug_flush_printf(d, GPU_EVERY_CONTEXT);
	gpu_hold_printf(d->g, on);
}

void debug_reset(struct debug *d)
{
	debug_core_forget(d);
	d->stop->changed.module = 0;
	d->stop->program.what = PROGRAM_RUNS;
	stop_forget_launches(d);
	debug_launches_forget(d);
	input_of(d, GPU_INPUT_RESET);
	DEBUG_HOOK(d, reset);
	findings_forget_launches(d);
	debug_stop_free(&d->last);
	d->last = (struct debug_stop){0};
	d->has_last = false;
	view_forget_pokes(d);
	view_forget_unentered(d);
	debug_focus_clear(d);
	debug_changed(d);
}

uint32_t debug_drop_context(struct debug *d, uint32_t context, bool ends)
{
	const struct gpu_input in = {.kind = ends ? GPU_INPUT_CONTEXT_END : GPU_INPUT_CONTEXT_KILL, .of_context = {context}};
	const uint32_t gone = (uint32_t)debug_input(d, &in, NULL);
	struct gpu_launch_info l;
	DEBUG_HOOK(d, launches_dropped);
	if (d->has_focus && gpu_launch_get(d->g, d->focus.launch, &l) && gone >> l.launch.context & 1) {
		view_forget_pokes(d);
		debug_focus_clear(d);
	}
	debug_changed(d);
	return gone;
}

void debug_kill(struct debug *d)
{
	input_of(d, GPU_INPUT_KILL);
	DEBUG_HOOK(d, launches_dropped);
	view_forget_pokes(d);
	debug_focus_clear(d);
	debug_changed(d);
}
