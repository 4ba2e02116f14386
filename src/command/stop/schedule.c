/* schedule: the last launch under other orders of warps and blocks than the default. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/expr/expr.h"
#include "debug/expr/format.h"
#include "debug/expr/value.h"
#include "debug/findings/findings.h"
#include "debug/ground/ground.h"
#include "debug/ground/scan.h"
#include "debug/setup/buffer.h"
#include "debug/stop/run.h"
#include "debug/stop/run.h"
#include "debug/stop/stop.h"
#include "debug/view/focus.h"
#include "gpu/rewind/rewind.h"
#include "command/stop/stop_commands.h"

#define ALL UINT64_MAX

/* What came of a launch. */
struct outcome {
	bool interrupted;
	struct text failure; /* "" if it ended as it should */
	uint64_t choices;
};

/* Memory that the host could read, after the first order. */
struct image {
	char *bytes;
	size_t n;
};

struct fuzz {
	struct debug *d;
	struct image first;
	struct text first_failure;
};

static void give_schedule(struct debug *d, const struct gpu_schedule_spec *spec)
{
	debug_input(d, &(struct gpu_input){.kind = GPU_INPUT_SCHEDULE, .schedule = *spec}, NULL);
}

/* ---- one launch, without stops and output ---- */

static void describe_failure(struct debug *d, const struct gpu_event *ev, struct outcome *out)
{
	const size_t line = strcspn(text_str(&ev->text), "\n");
	switch (ev->kind) {
	case GPU_EVENT_FAULT: text_add(&out->failure, stop_exception_name(gpu_exec(d->g)->fault.kind)); break;
	case GPU_EVENT_DEADLOCK: text_add(&out->failure, "Deadlock"); break;
	case GPU_EVENT_LIMIT: text_addf(&out->failure, "Limit %.*s", (int)line, text_str(&ev->text)); break;
	default: text_add(&out->failure, "it can't go on without its program");
	}
}

/* Runs on until an event. Returns true if the event is to be passed. */
static bool goes_on(struct debug *d, const struct gpu_event *ev, bool *pass)
{
	*pass = ev->kind == GPU_EVENT_FAULT && gpu_exec(d->g)->fault.kind == EXEC_FAULT_BREAKPOINT;
	text_clear(gpu_output(d->g));
	debug_pass_finding(d, false);
	return *pass || ev->kind == GPU_EVENT_KERNEL_DONE || ev->kind == GPU_EVENT_OUTPUT ||
	       ev->kind == GPU_EVENT_DUE || ev->kind == GPU_EVENT_MARK || ev->kind == GPU_EVENT_ACCESS ||
	       ev->kind == GPU_EVENT_LAUNCHED;
}

static void run_to_end(struct debug *d, struct outcome *out)
{
	struct gpu_unseen unseen;
	struct gpu_event ev = {0};
	struct gpu_request r = {.max_cycles = UINT64_MAX, .interrupt = d->host.interrupt};
	gpu_unseen_begin(d->g, &unseen);
	do {
		text_free(&ev.text);
		gpu_run(d->g, &r, &ev);
	} while (goes_on(d, &ev, &r.pass));
	gpu_unseen_end(d->g, &unseen);
	out->interrupted = ev.kind == GPU_EVENT_INTERRUPT;
	if (!out->interrupted && ev.kind != GPU_EVENT_IDLE)
		describe_failure(d, &ev, out);
	out->choices = gpu_schedule_choices(d->g);
	text_free(&ev.text);
	if (ev.kind != GPU_EVENT_IDLE)
		debug_kill(d);
}

static bool run_once(struct debug *d, const struct gpu_schedule_spec *spec, struct outcome *out, struct text *why)
{
	uint32_t id;
	*out = (struct outcome){0};
	give_schedule(d, spec);
	if (!run_last_launch_again(d, &id, why))
		return false;
	run_to_end(d, out);
	return true;
}

/* ---- comparing memory ---- */

/* Kernels' own allocations may lie elsewhere in another order: the host can't know their addresses. */
static bool is_compared(const struct gpu_allocation *a) { return a->live && !a->by_kernel && !a->by_runtime; }

static void take_image(struct debug *d, struct image *out)
{
	size_t n;
	const struct gpu_allocation *a = gpu_allocations(d->g, &n);
	for (size_t k = 0; k < n; k++)
		out->n += is_compared(&a[k]) ? a[k].bytes : 0;
	out->bytes = xcalloc(out->n + 1, 1);
	char *at = out->bytes;
	for (size_t k = 0; k < n; k++)
		if (is_compared(&a[k])) {
			gpu_read(d->g, a[k].address, at, a[k].bytes);
			at += a[k].bytes;
		}
}

static const struct debug_buffer *buffer_of(struct debug *d, uint64_t address)
{
	for (size_t k = 0; k < debug_buffer_count(d); k++) {
		const struct debug_buffer *b = debug_buffer_at(d, k);
		if (address - b->address < debug_buffer_bytes(b))
			return b;
	}
	return NULL;
}

/* `C[3] is 5, first order 7`: `first` are the bytes of the allocation from then. */
static void say_difference(struct debug *d, const struct gpu_allocation *a, uint64_t offset, const char *first,
			   struct text *out)
{
	const struct debug_buffer *b = buffer_of(d, a->address + offset);
	const enum isa_type type = b ? b->type : a->bytes % 4 ? ISA_U8 : ISA_U32;
	const unsigned size = isa_type_bytes(type);
	const uint64_t begin = b ? b->address - a->address : 0, k = (offset - begin) / size, at = begin + k * size;
	char now[16] = {0};
	gpu_read(d->g, a->address + at, now, size);
	if (b && !b->c)
		text_addf(out, "%s[%llu]", b->name, (unsigned long long)k);
	else
		text_addf(out, a->name[0] ? "%s+%llu" : "%s0x%llx", a->name,
			  (unsigned long long)(a->name[0] ? at : a->address + at));
	text_add(out, " is ");
	format_scalar(type, now, 0, out);
	text_add(out, ", first order ");
	format_scalar(type, first + at, 0, out);
}

/* False: all is as in the first order. */
static bool differs(struct debug *d, const struct image *first, struct text *out)
{
	size_t n;
	const struct gpu_allocation *a = gpu_allocations(d->g, &n);
	const char *was = first->bytes;
	bool found = false;
	char *now = xcalloc(first->n + 1, 1);
	for (size_t k = 0; k < n && !found; k++) {
		if (!is_compared(&a[k]) || (uint64_t)(first->bytes + first->n - was) < a[k].bytes)
			continue;
		gpu_read(d->g, a[k].address, now, a[k].bytes);
		uint64_t at = 0;
		if (memcmp(now, was, a[k].bytes) != 0) {
			while (now[at] == was[at])
				at++;
			say_difference(d, &a[k], at, was, out);
			found = true;
		}
		was += a[k].bytes;
	}
	free(now);
	return found;
}

/* ---- looking for an order ---- */

/* True: it ends another way than the first. */
static bool is_other(struct fuzz *f, const struct outcome *o, struct text *what)
{
	const char *was = text_str(&f->first_failure), *now = text_str(&o->failure);
	if (!strcmp(was, now))
		return !*now && differs(f->d, &f->first, what);
	text_addf(what, "%s, first order %s", *now ? now : "it ends", *was ? was : "ends");
	return true;
}

static bool try_order(struct fuzz *f, uint64_t seed, uint64_t from, uint64_t to, struct outcome *o, struct text *what)
{
	struct text why = {0};
	const bool other = run_once(f->d, &(struct gpu_schedule_spec){seed, from, to}, o, &why) && is_other(f, o, what);
	text_free(&o->failure);
	text_free(&why);
	return other;
}

/* The seed need not choose all of the time: halves what it chooses as long as the end is another one than the first order's. */
static void shrink(struct fuzz *f, uint64_t seed, uint64_t choices, struct report *answer)
{
	uint64_t from = 0, to = choices;
	struct outcome o;
	struct text what = {0};
	for (uint64_t step = choices / 2; step && !debug_interrupted(f->d); step /= 2)
		if (to - from > step && try_order(f, seed, from, to - step, &o, &what))
			to -= step;
	for (uint64_t step = (to - from) / 2; step && !debug_interrupted(f->d); step /= 2)
		if (to - from > step && try_order(f, seed, from + step, to, &o, &what))
			from += step;
	text_free(&what);
	report_number(answer, "choices", choices);
	report_number(answer, "enough", to - from);
	report_number(answer, "from", from + 1);
	report_number(answer, "to", to);
	report_line(answer, "  {enough} of its {choices} choices are enough: {from} to {to}\n");
}

static bool first_order(struct fuzz *f, bool *interrupted, struct text *why)
{
	struct outcome o;
	if (!run_once(f->d, &(struct gpu_schedule_spec){0}, &o, why))
		return false;
	*interrupted = o.interrupted;
	f->first_failure = o.failure;
	take_image(f->d, &f->first);
	return true;
}

static void look_for(struct fuzz *f, uint64_t n, uint64_t seed, struct report *answer)
{
	struct outcome o = {0};
	struct text what = {0};
	bool other = false;
	uint64_t k = 0;
	for (; !other && !o.interrupted && k < n; k++)
		other = try_order(f, seed + k, 0, ALL, &o, &what);
	if (o.interrupted) {
		report_number(answer, "interrupted_in", k);
		report_line(answer, "Interrupted in schedule {interrupted_in}\n");
	} else if (other) {
		report_number(answer, "schedule", k);
		report_number(answer, "seed", seed + k - 1);
		report_text(answer, "difference", text_str(&what));
		report_line(answer, "schedule {schedule} (seed {seed}): {difference}\n");
		shrink(f, seed + k - 1, o.choices, answer);
	} else {
		report_number(answer, "schedules", n);
		report_line(answer, "{schedules} schedules, one result\n");
	}
	text_free(&what);
}

static bool fuzz(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct fuzz f = {.d = d};
	struct gpu_schedule_spec before;
	int64_t n, seed = 1;
	const char *end = args + scan_part(args, true);
	if (!*args)
		return debug_fail(why, "usage: schedule fuzz N [SEED]");
	char *count = xstrndup(args, (size_t)(end - args));
	const bool ok = debug_eval_integer(d, count, &n, why) &&
			(!*scan_blanks(end) || debug_eval_integer(d, scan_blanks(end), &seed, why));
	free(count);
	if (!ok)
		return false;
	if (n < 1 || seed < 1)
		return debug_fail(why, "the number of schedules, and the seed, have to be 1 or more");
	gpu_get_schedule(d->g, &before);
	bool interrupted = false;
	if (first_order(&f, &interrupted, why)) {
		if (interrupted)
			report_say(answer, "Interrupted in the first order\n");
		else
			look_for(&f, (uint64_t)n, (uint64_t)seed, answer);
	}
	debug_changed(d);
	give_schedule(d, &before);
	free(f.first.bytes);
	text_free(&f.first_failure);
	return !why->n;
}

/* ---- the command ---- */

static bool show(struct debug *d, struct report *answer)
{
	struct gpu_schedule_spec spec;
	gpu_get_schedule(d->g, &spec);
	report_number(answer, "seed", spec.seed);
	if (spec.seed && spec.to != ALL) {
		report_number(answer, "from", spec.from + 1);
		report_number(answer, "to", spec.to);
	}
	report_line(answer, !spec.seed	     ? "Launches run in the default order.\n"
			    : spec.to == ALL ? "Launches run in the order of seed {seed}.\n"
					     : "Launches run in the default order, but for choices {from} to {to} of seed {seed}.\n");
	return true;
}

/* SEED [FROM TO] */
static bool parse_seed(struct debug *d, const char *s, struct gpu_schedule_spec *spec, struct text *why)
{
	static const char usage[] =
		"a seed and its choices are 1 or more; usage: schedule SEED [FROM TO] | default | fuzz N [SEED]";
	int64_t v[3] = {0, 1, 0};
	unsigned n = 0;
	for (; *s && n < 3; n++) {
		const size_t part = scan_part(s, true);
		char *one = xstrndup(s, part);
		const bool ok = debug_eval_integer(d, one, &v[n], why);
		free(one);
		if (!ok)
			return false;
		s = scan_blanks(s + part);
	}
	*spec = (struct gpu_schedule_spec){(uint64_t)v[0], (uint64_t)v[1] - 1, n == 3 ? (uint64_t)v[2] : ALL};
	return (n != 2 && !*s && v[0] > 0 && v[1] > 0 && (n < 3 || v[2] >= v[1])) || debug_fail(why, usage);
}

bool command_schedule(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct gpu_schedule_spec spec = {0};
	const char *s = scan_blanks(args);
	const bool is_fuzz = !strncmp(s, "fuzz", 4) && (!s[4] || s[4] == ' ' || s[4] == '\t');
	if (gpu_made_for_performance(d->g))
		return debug_fail(why, "'schedule' is of functional mode (-m functional): in performance mode the "
				       "machine says who runs");
	if (!*s)
		return show(d, answer);
	if (is_fuzz)
		return fuzz(d, scan_blanks(s + 4), answer, why);
	if (strcmp(s, "default") != 0 && !parse_seed(d, s, &spec, why))
		return false;
	give_schedule(d, &spec);
	return show(d, answer);
}
