/* What the program's host code does at which the machine stops: writes to what is watched, modules that are loaded and unloaded. Looked for when the
 * program's calls have been served; writes are found by comparing. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/describe.h"
#include "debug/program.h"
#include "debug/stop/breakpoint.h"
#include "debug/stop/face_access.h"
#include "debug/stop/room.h"
#include "debug/stop/stop.h"
#include "debug/view/view.h"

static bool is_shared_memory(const struct breakpoint *b)
{
	return b->kind == BREAKPOINT_WATCH && b->watch.place == EXPR_MEMORY &&
	       (b->watch.space == ISA_SPACE_GLOBAL || b->watch.space == ISA_SPACE_CONST);
}

/* Returns true if a watchpoint's memory, which blocks and threads share, differs from the value that was known last; `now` gets the value. */
static bool has_changed(struct debug *d, const struct breakpoint *b, unsigned char *now)
{
	return is_shared_memory(b) && b->watch.access != BREAKPOINT_READ && watch_read_value(d, b, now) &&
	       memcmp(now, b->watch.old, b->watch.bytes);
}

/* ---- modules ---- */

static bool catches_change(const struct debug *d)
{
	const enum breakpoint_catch what = d->stop->changed.is_loaded ? BREAKPOINT_ON_LOAD : BREAKPOINT_ON_UNLOAD;
	for (size_t i = 0; i < d->stop->n_bps && d->stop->changed.module; i++)
		if (d->stop->bps[i]->enabled && d->stop->bps[i]->kind == BREAKPOINT_CATCH && d->stop->bps[i]->caught == what)
			return true;
	return false;
}

bool watch_check_modules(struct debug *d, struct debug_stop *stop)
{
	const uint32_t module = d->stop->changed.module;
	const bool is_loaded = d->stop->changed.is_loaded;
	if (!module)
		return false;
	d->stop->changed.module = 0;
	if (!breakpoint_check_event(d, is_loaded ? BREAKPOINT_ON_LOAD : BREAKPOINT_ON_UNLOAD, UINT32_MAX, stop))
		return false;
	struct report *part = report_create();
	report_text(part, "name", debug_program(d)->modules[module].name);
	report_text(part, "event", is_loaded ? "loaded" : "unloaded");
	report_line(part, "module {name} {event}\n");
	stop_set_part(stop, "module", part);
	return true;
}

/* ---- memory ---- */

bool debug_host_has_event(struct debug *d)
{
	bool any = catches_change(d) || d->stop->program.what != PROGRAM_RUNS;
	for (size_t i = 0; i < d->stop->n_bps && !any && d->program && d->program->last_call; i++) {
		const struct breakpoint *b = d->stop->bps[i];
		if (!b->enabled || !is_shared_memory(b))
			continue;
		unsigned char *now = xmalloc(b->watch.bytes + 16);
		any = has_changed(d, b, now);
		free(now);
	}
	return any;
}

static void add_host_change(struct debug *d, const struct breakpoint *b, const unsigned char *now, struct debug_stop *stop)
{
	struct text place = {0};
	struct report *part = report_create();
	if (!b->internal)
		watch_describe_values(d, b, now, true, part);
	d->program->last_call(d->program->self, &place);
	report_text(part, "access", "written");
	describe_by(part, "host", text_str(&place));
	report_line(part, "{access} by the host[, near {what}]\n");
	stop_add_part(stop, "changes", part);
	text_free(&place);
}

static bool check_host_one(struct debug *d, struct breakpoint *b, struct debug_stop *stop)
{
	unsigned char *now = xmalloc(b->watch.bytes + 16);
	struct text note = {0};
	const bool changed = has_changed(d, b, now);
	const bool stops = changed && breakpoint_is_on(d, b) && watch_condition_holds(d, b, &note) && breakpoint_count_hit(d, b);
	if (stops && !stop->n_hits) {
		stop->reason = DEBUG_STOP_WATCHPOINT;
		stop->address = b->watch.address;
		text_add(&stop->text, text_str(&note));
		add_host_change(d, b, now, stop);
	}
	if (changed)
		memcpy(b->watch.old, now, b->watch.bytes);
	if (stops)
		breakpoint_report(d, b, stop);
	text_free(&note);
	free(now);
	return stops;
}

bool watch_check_host(struct debug *d, struct debug_stop *stop)
{
	bool any = false;
	for (size_t i = 0; i < d->stop->n_bps && d->program->last_call; i++)
		if (d->stop->bps[i]->enabled && is_shared_memory(d->stop->bps[i]))
			any |= check_host_one(d, d->stop->bps[i], stop);
	return any;
}
