#include "debug/checkpoint.h"

#include "debug/ground/ground.h"
#include "debug/rooms.h"
#include "debug/setup/launch.h"
#include "debug/stop/run.h"
#include "debug/view/view.h"

void debug_record(struct debug *d, struct text *out)
{
	struct debug_thread focus = {0};
	setup_record(d, out);
	poke_record(d, out);
	record_string(out, debug_last_launch(d));
	record_number(out, debug_focus_get(d, &focus));
	record_number(out, focus.launch);
	record_number(out, focus.cta);
	record_number(out, focus.thread);
}

void debug_leave_device(struct debug *d, bool is_same)
{
	debug_flush_output(d);
	d->checked = d->check ? check_on(d->check) : 0;
	if (!is_same)
		DEBUG_HOOK(d, device_leaves);
}

void debug_enter_device(struct debug *d, bool is_same)
{
	DEBUG_HOOK(d, device_enters, is_same);
	if (d->check)
		check_rebuilt(d->check, d->checked);
	gpu_hold_printf(d->g, d->settings.holds_printf);
	debug_marks_changed(d);
}

static void take_focus(struct debug *d, struct record_reader *r)
{
	const bool has_focus = record_take_below(r, 2);
	struct debug_thread t = {.launch = (uint32_t)record_take_number(r)};
	t.cta = record_take_number(r);
	t.thread = (uint32_t)record_take_number(r);
	debug_focus_clear(d);
	if (has_focus && !r->bad)
		debug_focus_set(d, &t);
}

void debug_take_record(struct debug *d, struct record_reader *r)
{
	stop_forget_launches(d);
	DEBUG_HOOK(d, reset);
	findings_forget_launches(d);
	debug_stop_free(&d->last);
	d->last = (struct debug_stop){0};
	d->has_last = false;
	view_forget_unentered(d);
	setup_take(d, r);
	poke_take(d, r);
	run_set_last_launch(d, record_take_string(r));
	take_focus(d, r);
	if (d->check)
		check_restored(d->check);
	debug_changed(d);
}
