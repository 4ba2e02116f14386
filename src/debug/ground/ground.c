/* What all rooms of the debugger stand on: the device, settings, notes, inputs, and flags that say what has changed. */
#include <string.h>

#include "debug/ground/ground.h"
#include "debug/past.h"

struct gpu *debug_gpu(const struct debug *d) { return d->g; }

uint32_t debug_warp_of(const struct debug *d, uint32_t thread) { return exec_warp_of(gpu_exec(d->g), thread); }
uint32_t debug_lane_of(const struct debug *d, uint32_t thread) { return exec_lane_of(gpu_exec(d->g), thread); }
uint32_t debug_thread_of(const struct debug *d, uint32_t warp, uint32_t lane) { return exec_thread_of(gpu_exec(d->g), warp, lane); }

struct debug_settings *debug_settings(struct debug *d) { return &d->settings; }

bool debug_may_reach_host(const struct debug *d, const char *what, struct text *why)
{
	if (d->settings.is_confined)
		text_addf(why, "%s: gdb may not touch programs and files of this machine from another one, unless "
			       "warpstep has --gdb-trust", what);
	return !d->settings.is_confined;
}

uint64_t debug_changes(const struct debug *d) { return d->changes; }

void debug_print(struct debug *d, const struct text *t)
{
	void (*const print)(void *self, const char *s, size_t n) = d->host.text ? d->host.text : d->host.output;
	if (t->n && print)
		print(d->host.self, t->s, t->n);
}

void debug_note(struct debug *d, const char *fmt, ...)
{
	struct text line = {0};
	va_list ap;
	text_add(&line, "note: ");
	va_start(ap, fmt);
	text_vaddf(&line, fmt, ap);
	va_end(ap);
	text_addc(&line, '\n');
	if (d->host.note)
		d->host.note(d->host.self, text_str(&line));
	text_free(&line);
}

int64_t debug_input(struct debug *d, const struct gpu_input *in, struct text *why)
{
	struct gpu_input with;
	in = d->complete_input(d, in, &with);
	return d->host.input ? d->host.input(d->host.self, in, why) : gpu_input(d->g, in, why);
}

void debug_changed(struct debug *d) { d->changes++; }

static void input_of(struct debug *d, enum gpu_input_kind kind)
{
	debug_input(d, &(struct gpu_input){.kind = kind}, NULL);
}

void debug_poked(struct debug *d)
{
	d->changes++;
	input_of(d, GPU_INPUT_TOUCHED);
}

bool debug_limit_set(struct debug *d, unsigned limit, uint64_t value, struct text *why)
{
	const struct gpu_limit_row *r = gpu_limit_row(limit);
	const struct gpu_input in = {.kind = GPU_INPUT_LIMIT, .limit = {GPU_EVERY_CONTEXT, (enum gpu_limit_id)limit, value}};
	if (debug_input(d, &in, NULL))
		return true;
	return debug_fail(why, "%s must be %llu to %llu", r->setting, (unsigned long long)r->least,
			  (unsigned long long)r->most);
}

void debug_past_attach(struct debug *d, const struct debug_past *p) { d->past = p; }

bool debug_is_past(const struct debug *d) { return d->past && d->past->next(d->past->self); }

bool debug_may_change(const struct debug *d, struct text *why)
{
	return !d->past || d->past->may_change(d->past->self) ||
	       debug_fail(why, "the program has seen what came after");
}

void debug_marks_changed(struct debug *d) { d->marks_stale = true; }

void debug_stop_init(struct debug_stop *s) { memset(s, 0, sizeof *s); }

struct report *debug_stop_details(struct debug_stop *s)
{
	if (!s->details)
		s->details = report_create();
	return s->details;
}

void debug_stop_free(struct debug_stop *s)
{
	text_free(&s->text);
	report_destroy(s->details);
	memset(s, 0, sizeof *s);
}

const struct debug_stop *debug_last_stop(const struct debug *d) { return d->has_last ? &d->last : NULL; }

struct stalls_kept *debug_counts_keep(const struct debug *d, size_t *bytes)
{
	*bytes = 0;
	return d->hooks ? d->hooks->keep(d, bytes) : NULL;
}

uint64_t debug_seen_until(const struct debug *d) { return d->hooks ? d->hooks->seen_until(d) : UINT64_MAX; }

void debug_counts_take_back(struct debug *d, const struct stalls_kept *k) { DEBUG_HOOK(d, take_back, k); }

bool debug_answer_text(struct debug *d, debug_answer_fn *fn, const char *args, struct text *out, struct text *why)
{
	struct report *answer = report_create();
	const bool ok = fn(d, args, answer, why);
	report_draw(answer, d->settings.width, out);
	report_destroy(answer);
	return ok;
}
