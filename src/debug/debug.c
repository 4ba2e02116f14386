/* A session: made, ended, told of new programs. */
#include <string.h>

#include "base/xalloc.h"
#include "debug/csource/cnames.h"
#include "debug/perf/dump_internal.h"

struct debug *debug_create(struct gpu *g, const struct debug_host *host)
{
	struct debug *d = xcalloc(1, sizeof *d);
	d->g = g;
	if (host)
		d->host = *host;
	d->settings = (struct debug_settings){.lines = DEBUG_LINES_AUTO,
					      .print_elements = 200,
					      .print_repeats = 10,
					      .list_lines = 10,
					      .table_rows = 1000,
					      .demangle = true};
	d->x_spec = (struct format_spec){.format = 'x', .unit = 'w', .count = 1};
	looking_create(d);
	gpu_program(g)->refuse = debug_refuse_variable;
	gpu_program(g)->refuse_self = d;
	return d;
}

static void free_sources(struct debug *d)
{
	for (uint32_t i = 0; i < d->n_sources; i++) {
		free(d->sources[i].text);
		free(d->sources[i].path);
		free(d->sources[i].line_start);
	}
	free(d->sources);
	d->sources = NULL;
	d->n_sources = 0;
	free(d->toolkit);
	d->toolkit = NULL;
	d->n_toolkit = 0;
}

void debug_destroy(struct debug *d)
{
	if (!d)
		return;
	while (d->n_bps)
		breakpoint_drop(d, d->bps[d->n_bps - 1]);
	free(d->bps);
	for (size_t i = 0; i < d->n_buffers; i++)
		free(d->buffers[i].name);
	free(d->buffers);
	for (size_t i = 0; i < d->n_history; i++)
		expr_value_free(&d->history[i]);
	free(d->history);
	for (size_t i = 0; i < d->n_variables; i++) {
		free(d->variables[i].name);
		expr_value_free(&d->variables[i].value);
	}
	free(d->variables);
	free_sources(d);
	expr_value_free(&d->x_last);
	debug_stop_free(&d->last);
	free(d->last_launch);
	free(d->short_list);
	hash_map_free(&d->short_names);
	pool_free(&d->names);
	free(d->armed);
	free(d->trace.executed);
	free(d->pokes);
	debug_inlined_free(d);
	cnames_free(d);
	looking_free(d);
	gpu_destroy(d->g);
	free(d);
}

struct gpu *debug_gpu(const struct debug *d) { return d->g; }

struct debug_settings *debug_settings(struct debug *d) { return &d->settings; }

uint64_t debug_changes(const struct debug *d) { return d->changes; }

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

void debug_changed(struct debug *d) { d->changes++; }

void debug_poked(struct debug *d)
{
	d->changes++;
	gpu_state_changed(d->g);
}

void debug_program_changed(struct debug *d, struct text *notes)
{
	gpu_program_changed(d->g);
	debug_names_changed(d);
	free_sources(d); /* a source may have been edited together with its PTX */
	breakpoint_resolve_all(d, notes);
	d->list_valid = d->has_shown_file = false;
	d->changes++;
}

void debug_lines_set(struct debug *d, enum debug_lines lines)
{
	if (d->settings.lines == lines)
		return;
	d->settings.lines = lines;
	d->list_valid = d->has_shown_file = false;
}

void debug_reset(struct debug *d)
{
	watch_forget_launches(d);
	gpu_reset(d->g);
	looking_forget(d);
	looking_attach(d);
	debug_stop_free(&d->last);
	d->last = (struct debug_stop){0};
	d->has_last = d->has_access = false;
	d->n_pokes = 0;
	d->n_stood = d->next_stood = 0;
	d->unentered = 0;
	d->trace.n = 0;
	if (d->trace.executed)
		memset(d->trace.executed, 0, d->trace.cap * sizeof *d->trace.executed);
	d->marks_stale = true;
	debug_focus_clear(d);
	debug_changed(d);
}

void debug_kill(struct debug *d)
{
	gpu_kill(d->g);
	looking_attach(d);
	d->n_pokes = 0;
	debug_focus_clear(d);
	debug_changed(d);
}
