/* Launches in the order they came, and those that names mean. */
#include "debug/setup/launches.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/record.h"
#include "base/xalloc.h"
#include "debug/ground/scan.h"
#include "debug/setup/launch.h"
#include "debug/setup/room.h"

/* ---- all of them ---- */

/* Functions of the launches since the count began; those of the device begin at `first`. */
static void note_launches(struct debug *d)
{
	struct launch_log *l = &d->setup->launched;
	const uint32_t n = gpu_launch_count(d->g);
	struct gpu_launch_info info;
	while (l->n - l->first + l->skipped < n) {
		gpu_launch_get(d->g, (uint32_t)(l->n - l->first + l->skipped), &info);
		l->function = xgrow(l->function, &l->cap, l->n + 1, sizeof *l->function);
		l->function[l->n++] = info.launch.function;
	}
}

void debug_launches_begin(struct debug *d)
{
	struct launch_log *l = &d->setup->launched;
	l->n = l->first = 0;
	l->skipped = gpu_launch_count(d->g);
	for (size_t k = 0; k < d->setup->n_simulated; k++)
		d->setup->simulated[k].seen = d->setup->simulated[k].n_seen = 0;
}

void debug_launches_forget(struct debug *d)
{
	note_launches(d);
	d->setup->launched.first = d->setup->launched.n;
	d->setup->launched.skipped = 0;
}

void launches_record(struct debug *d, struct text *out)
{
	note_launches(d);
	const struct launch_log *l = &d->setup->launched;
	record_number(out, l->first);
	record_number(out, l->skipped);
	record_number(out, l->n);
	for (size_t k = 0; k < l->n; k++)
		record_number(out, l->function[k]);
}

void launches_take(struct debug *d, struct record_reader *r)
{
	struct launch_log *l = &d->setup->launched;
	const uint64_t first = record_take_number(r), skipped = record_take_number(r), n = record_take_number(r);
	for (l->n = 0; l->n < n && !r->bad; l->n++) {
		l->function = xgrow(l->function, &l->cap, l->n + 1, sizeof *l->function);
		l->function[l->n] = (uint32_t)record_take_below(r, debug_program(d)->n_functions);
	}
	l->first = first < l->n ? first : l->n;
	l->skipped = (uint32_t)skipped;
	for (size_t k = 0; k < d->setup->n_simulated; k++)
		d->setup->simulated[k].seen = d->setup->simulated[k].n_seen = 0;
}

/* ---- names ---- */

/* Up to a blank outside of brackets: kernel(int, float*)#2 is one word. */
static size_t word_length(const char *s)
{
	unsigned depth = 0;
	size_t n = 0;
	for (; s[n] && (depth || !isspace((unsigned char)s[n])); n++) {
		depth += s[n] == '(' || s[n] == '<';
		depth -= depth && (s[n] == ')' || s[n] == '>');
	}
	return n;
}

bool launch_name_scan(const char **s, struct launch_name *out, struct text *why)
{
	const size_t n = word_length(*s);
	const char *mark = memchr(*s, '#', n), *digits = mark ? mark + 1 : NULL;
	const size_t n_name = mark ? (size_t)(mark - *s) : n;
	uint64_t k = 0;
	if (!n_name || (mark && (!isdigit((unsigned char)*digits) || !scan_u64(&digits, &k) || digits != *s + n || !k)))
		return debug_fail(why, "\"%.*s\" is no launch: NAME#K is the K-th of NAME, from 1", (int)n, *s);
	*out = (struct launch_name){.name = xstrndup(*s, n_name), .k = k};
	*s += n;
	return true;
}

void launch_name_free(struct launch_name *n)
{
	free(n->name);
	free(n->fits);
	*n = (struct launch_name){0};
}

/* More functions may be there than at the last look. What was known stays: one that was replaced has been launched under its name. */
static void make_room(const struct debug *d, struct launch_name *n)
{
	const uint32_t now = debug_program(d)->n_functions;
	if (now <= n->n_fits)
		return;
	n->fits = xrealloc(n->fits, now);
	memset(n->fits + n->n_fits, -1, now - n->n_fits);
	n->n_fits = now;
}

static bool fits_function(struct debug *d, struct launch_name *n, uint32_t function)
{
	make_room(d, n);
	if (n->fits[function] < 0)
		n->fits[function] =
			debug_kernel_fits(d, n->name, strlen(n->name), debug_program(d)->functions[function]);
	return n->fits[function];
}

/* How many of the first `end` launches it fits. */
static uint64_t count_up_to(struct debug *d, struct launch_name *n, uint64_t end)
{
	const struct launch_log *l = &d->setup->launched;
	if (n->n_seen > end)
		n->seen = n->n_seen = 0;
	for (; n->n_seen < end; n->n_seen++)
		n->seen += fits_function(d, n, l->function[n->n_seen]);
	return n->seen;
}

bool launch_name_means(struct debug *d, struct launch_name *n, uint32_t launch)
{
	struct gpu_launch_info info;
	const struct launch_log *l = &d->setup->launched;
	if (!gpu_launch_get(d->g, launch, &info) || launch < l->skipped || !fits_function(d, n, info.launch.function))
		return false;
	note_launches(d);
	return !n->k || count_up_to(d, n, l->first + launch - l->skipped) + 1 == n->k;
}

/* ---- simulate ---- */

static enum gpu_mode mode_of(bool in_detail) { return in_detail ? GPU_MODE_PERFORMANCE : GPU_MODE_FUNCTIONAL; }

const struct gpu_input *debug_launch_input(struct debug *d, const struct gpu_input *in, struct gpu_input *with)
{
	struct setup_room *s = d->setup;
	if (in->kind != GPU_INPUT_LAUNCH || in->launch.mode != GPU_MODE_OF_DEVICE || s->simulate == SIMULATE_DEVICE)
		return in;
	*with = *in;
	struct gpu_launch_spec *const spec = &with->launch;
	bool in_detail = s->simulate == SIMULATE_ALL;
	if (s->simulate == SIMULATE_NAMED && spec->function < debug_program(d)->n_functions) {
		note_launches(d);
		for (size_t k = 0; k < s->n_simulated; k++) {
			struct launch_name *n = &s->simulated[k];
			in_detail |= fits_function(d, n, spec->function) &&
				     (!n->k || count_up_to(d, n, s->launched.n) + 1 == n->k);
		}
	}
	spec->mode = mode_of(in_detail);
	return with;
}

/* Those that haven't begun. */
static void change_queued(struct debug *d)
{
	struct setup_room *s = d->setup;
	struct gpu_launch_info info;
	for (uint32_t id = 0; id < gpu_launch_count(d->g); id++) {
		gpu_launch_get(d->g, id, &info);
		if (info.state != GPU_LAUNCH_QUEUED)
			continue;
		bool in_detail = s->simulate == SIMULATE_ALL;
		for (size_t k = 0; k < s->n_simulated; k++)
			in_detail |= launch_name_means(d, &s->simulated[k], id);
		if (in_detail != info.performance)
			debug_input(d,
				    &(struct gpu_input){.kind = GPU_INPUT_MODE, .mode = {id, mode_of(in_detail)}},
				    NULL);
	}
	debug_changed(d);
}

static void forget_names(struct debug *d)
{
	for (size_t k = 0; k < d->setup->n_simulated; k++)
		launch_name_free(&d->setup->simulated[k]);
	d->setup->n_simulated = 0;
}

void launches_free(struct debug *d)
{
	forget_names(d);
	free(d->setup->simulated);
	free(d->setup->launched.function);
}

void debug_describe_simulated(const struct debug *d, struct report *answer)
{
	const struct setup_room *s = d->setup;
	const bool performs = s->simulate == SIMULATE_ALL || (s->simulate == SIMULATE_DEVICE && gpu_made_for_performance(d->g));
	if (s->simulate != SIMULATE_NAMED) {
		report_text(answer, "mode", performs ? "performance" : "functional");
		report_line(answer, s->simulate == SIMULATE_DEVICE ? "All launches run in {mode} mode, as the device does.\n" : "All launches run in {mode} mode.\n");
		return;
	}
	report_say(answer, "These launches run in performance mode, all others in functional mode:\n");
	report_list(answer, "performance");
	for (size_t k = 0; k < s->n_simulated; k++) {
		report_open(answer, NULL);
		report_text(answer, "name", s->simulated[k].name);
		if (s->simulated[k].k)
			report_number(answer, "k", s->simulated[k].k);
		report_line(answer, "  {name}[#{k}]\n");
		report_close(answer);
	}
	report_close(answer);
}

/* Kernels may be loaded later on; a name that nothing has so far may be misspelt. */
static void note_unknown(struct debug *d)
{
	for (size_t k = 0; k < d->setup->n_simulated; k++) {
		struct text why = {0};
		const char *name = d->setup->simulated[k].name;
		bool known = !debug_program(d)->n_functions || debug_find_kernel(d, name, strlen(name), &why);
		if (!known && strncmp(text_str(&why), "no kernel", 9) == 0)
			debug_note(d, "no kernel \"%s\" is loaded yet", name);
		text_free(&why);
	}
}

static bool take_names(struct debug *d, const char *s, struct text *why)
{
	struct launch_name *names = NULL;
	size_t n = 0, cap = 0;
	bool ok = true;
	for (s = scan_blanks(s); ok && *s; s = scan_blanks(s)) {
		names = xgrow(names, &cap, n + 1, sizeof *names);
		ok = launch_name_scan(&s, &names[n], why);
		n += ok;
	}
	if (ok && !gpu_can_perform(d->g, why))
		ok = false;
	if (!ok) {
		while (n)
			launch_name_free(&names[--n]);
		free(names);
		return false;
	}
	forget_names(d);
	free(d->setup->simulated);
	d->setup->simulated = names;
	d->setup->n_simulated = n;
	d->setup->simulate = SIMULATE_NAMED;
	note_unknown(d);
	return true;
}

bool debug_simulate(struct debug *d, const char *text, struct text *why)
{
	const char *s = scan_blanks(text);
	const bool all = scan_word(&s, "all");
	if (!all && !scan_word(&s, "none")) {
		if (!take_names(d, s, why))
			return false;
	} else {
		if (!scan_end(s, why) || (all && !gpu_can_perform(d->g, why)))
			return false;
		forget_names(d);
		d->setup->simulate = all ? SIMULATE_ALL : SIMULATE_NONE;
	}
	change_queued(d);
	return true;
}
