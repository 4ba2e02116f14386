#include "debug/checkpoint.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "debug/past.h"
#include "debug/program.h"
#include "debug/ground/ground.h"
#include "debug/rooms.h"
#include "debug/setup/launch.h"
#include "debug/stop/run.h"
#include "debug/view/view.h"

/* ---- what is known of the session besides its machine ---- */

void debug_core_forget(struct debug *d)
{
	free(d->core.report);
	free(d->core.host_stack);
	d->core = (struct debug_core){0};
}

/* Records the host's stack, as text: the program's symbols aren't in the file. In the past there is none: the host stands where it stopped last. */
static void record_host_stack(struct debug *d, struct text *out)
{
	struct text stack = {0}, why = {0};
	const bool has = !debug_is_past(d) && debug_host_stack(d, &stack, &why);
	record_string(out, has ? text_str(&stack) : NULL);
	text_free(&stack);
	text_free(&why);
}

static void core_record(struct debug *d, struct text *out)
{
	const bool has_failed = d->has_last && d->last.reason == DEBUG_STOP_EXCEPTION && debug_can_run(d);
	record_string(out, has_failed ? text_str(&d->last.text) : NULL);
	record_number(out, has_failed ? d->last.fault : 0);
	record_number(out, has_failed ? d->last.pc : 0);
	record_number(out, debug_program_lives(d) || d->core.has_program);
	record_host_stack(d, out);
	view_record_sources(d, out);
}

static char *copy_of(const char *s) { return s ? xstrdup(s) : NULL; }

static void core_take(struct debug *d, struct record_reader *r)
{
	debug_core_forget(d);
	d->core.report = copy_of(record_take_string(r));
	d->core.fault = (enum exec_fault_kind)record_take_below(r, EXEC_FAULT_BARRIER + 1);
	d->core.pc = (uint32_t)record_take_below(r, debug_program(d)->n_insns + UINT64_C(1));
	d->core.has_program = record_take_below(r, 2);
	d->core.host_stack = copy_of(record_take_string(r));
	view_take_sources(d, r);
}

void debug_core_stands(struct debug *d, struct debug_stop *stop)
{
	if (!d->core.report)
		return;
	text_add(&stop->text, d->core.report);
	d->last.reason = DEBUG_STOP_EXCEPTION;
	d->last.fault = d->core.fault;
	d->last.pc = d->core.pc;
	text_clear(&d->last.text);
	text_add(&d->last.text, d->core.report);
}

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
	core_record(d, out);
}

void debug_leave_device(struct debug *d, bool is_same)
{
	debug_flush_output(d);
	d->checked = d->check ? check_on(d->check) : 0;
	DEBUG_HOOK(d, device_leaves, is_same);
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
	core_take(d, r);
	if (d->check)
		check_restored(d->check);
	debug_changed(d);
}
