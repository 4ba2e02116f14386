/* `diff-launch A B`: the first instruction of a thread whose result differs in two launches of a kernel, or in one that ran in another mode or order.
 * What each thread loads and stores is summed up in one pass over each; then the first thread whose sums differ is followed in both. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/past/past_commands.h"
#include "base/hash.h"
#include "base/xalloc.h"
#include "debug/debug.h"
#include "debug/describe.h"
#include "history/branch.h"
#include "history/trace.h"

#define CANDIDATES_MAX 16u /* threads that are followed: sums may differ by nothing but addresses */
#define THREADS_MAX (UINT64_C(1) << 26)

struct side {
	struct gpu_launch_info info;
	uint64_t *sum; /* by thread */
	bool ends;     /* the launch has: what its threads haven't done they never will */
	char name[96]; /* `launch 0`, `schedule 42` */
};

struct diff {
	struct history *h;
	struct side side[2];
	struct history_position here;
	bool has_branch; /* side 1 is the same launch on another way */
	struct history_branch branch;
	enum gpu_mode mode; /* there */
	struct gpu_schedule_spec order;
};

static const struct history_position *end_of(const struct diff *d, unsigned k)
{
	return k && d->has_branch ? &d->branch.end : &d->here;
}

static bool take(struct diff *d, unsigned k) { return !d->has_branch || history_branch_take(d->h, &d->branch, k == 1); }

static bool fail(struct text *why, const char *line)
{
	text_add(why, line);
	return false;
}

/* Addresses in allocations count from their beginning: the two launches may have buffers of their own. */
static uint64_t plain(const struct gpu *g, uint64_t v)
{
	const struct gpu_allocation *a = v >> 20 ? gpu_nearest_allocation(g, v = gpu_device_address(g, v)) : NULL;
	return a && v >= a->address && v - a->address < a->bytes ? (v - a->address) | UINT64_C(1) << 63 : v;
}

/* ---- one pass over both ---- */

static uint64_t place_of(const struct side *s, const struct exec *x, unsigned lane)
{
	return x->cta->linear * s->info.launch.threads_per_cta + exec_thread_of(x, x->warp->index, lane);
}

static uint64_t hash_value(const struct gpu *g, const void *bytes, uint32_t n, uint64_t sum)
{
	uint64_t v;
	if (n != sizeof v)
		return hash_bytes(bytes, n, sum);
	memcpy(&v, bytes, sizeof v);
	v = plain(g, v);
	return hash_bytes(&v, sizeof v, sum);
}

static void sum_up(const struct gpu *g, struct side *s, const struct exec *x, const struct exec_access *a)
{
	LANES_EACH (lane, a->lanes) {
		const uint64_t at = a->in_halves ? a->start[lane / 16] + lane % 16 * a->step : a->address[lane],
			       place = place_of(s, x, lane);
		const void *bytes = a->is_atomic ? NULL : exec_peek(x, x->cta, x->warp->index, lane, at, a->size);
		const uint64_t head[3] = {x->pc, a->is_write, plain(g, at)};
		if (place >= s->info.launch.n_threads)
			continue;
		s->sum[place] = hash_bytes(head, sizeof head, s->sum[place]);
		if (bytes)
			s->sum[place] = hash_value(g, bytes, a->size, s->sum[place]);
	}
}

struct pass {
	const struct gpu *g;
	struct side *side;
};

static void after(void *self, const struct exec *x, const struct exec_effect *e)
{
	const struct pass *p = self;
	if (e->kind == EXEC_EFFECT_ACCESS && x->cta->launch == p->side->info.launch.id)
		sum_up(p->g, p->side, x, &e->access);
}

/* Over one side. */
static bool sum_side(struct diff *d, unsigned k, struct text *why)
{
	struct side *s = &d->side[k];
	struct pass p = {debug_gpu(history_debug(d->h)), s};
	const struct exec_watcher w = {.kinds = EXEC_LOOK(ACCESS), .after = after, .self = &p};
	if (!take(d, k))
		return false;
	if (!history_go_before_launch(d->h, s->info.launch.id, end_of(d, k))) {
		text_addf(why, "what was recorded doesn't lead back to where launch %u began", s->info.launch.id);
		return false;
	}
	return replay(d->h, &(struct replay){.to = end_of(d, k), .cycle = UINT64_MAX, .watcher = &w}) == REPLAY_LIMIT;
}

/* ---- one thread ---- */

static bool same_values(const struct diff *d, const struct debug_step *a, const struct debug_step *b, uint32_t *which)
{
	const struct isa_where *w = &gpu_program(debug_gpu(history_debug(d->h)))->where[a->pc];
	for (*which = 0; a->has_values && b->has_values && *which < w->n_writes && *which < DEBUG_STEP_VALUES; ++*which)
		if (a->value[*which] != b->value[*which] &&
		    plain(debug_gpu(history_debug(d->h)), a->value[*which]) != plain(debug_gpu(history_debug(d->h)), b->value[*which]))
			return false;
	return true;
}

static size_t next_own(const struct trace *t, size_t k)
{
	while (k < t->n && !t->step[k].executes)
		k++;
	return k;
}

static struct debug_thread thread_of(const struct side *s, uint64_t place)
{
	const uint32_t n = s->info.launch.threads_per_cta;
	return (struct debug_thread){.launch = s->info.launch.id, .cta = place / n, .thread = (uint32_t)(place % n)};
}

/* `go` and `goes`, as many as there are */
static void head(const struct diff *d, uint64_t place, const char *verb, const char *s, struct report *answer)
{
	report_say(answer, "thread uid %" PRIu64 " of launch %u ", d->side[0].info.launch.first_uid + place,
		  d->side[0].info.launch.id);
	if (!d->has_branch)
		report_say(answer, "and thread uid %" PRIu64 " of launch %u ", d->side[1].info.launch.first_uid + place,
			  d->side[1].info.launch.id);
	report_say(answer, "%s%s ", verb, d->has_branch ? s : "");
}

/* The members of a side that both kinds of difference have: who, or nothing behind the end. */
static void describe_side(const struct diff *d, unsigned k, const struct trace *t, size_t at, struct report *answer)
{
	report_open(answer, NULL);
	report_text(answer, "name", d->side[k].name);
	if (at < t->n)
		describe_by_thread(history_debug(d->h), answer, &t->thread, t->step[at].pc, t->step[at].cycle);
}

static void tell_value(const struct diff *d, const struct trace t[2], const size_t at[2], uint64_t place,
		       uint32_t which, struct report *answer)
{
	const uint32_t pc = t[0].step[at[0]].pc;
	const struct isa_program *p = gpu_program(debug_gpu(history_debug(d->h)));
	struct debug_operand r;
	head(d, place, "differ", "s", answer);
	report_say(answer, "first ");
	debug_step_place(history_debug(d->h), pc, report_prose(answer));
	report_say(answer, "\n");
	debug_register_of(history_debug(d->h), pc, p->rw[p->where[pc].rw + which], &r);
	report_text(answer, "difference", "value");
	report_text(answer, "register", r.text);
	report_list(answer, "sides");
	for (unsigned k = 0; k < 2; k++) {
		describe_side(d, k, &t[k], at[k], answer);
		describe_value(answer, "value", r.type, t[k].step[at[k]].value[which]);
		report_line(answer, "  {name}: ");
		report_say(answer, "%s", r.text);
		report_line(answer, " = {value}  (cycle {cycle})\n");
		report_close(answer);
	}
	report_close(answer);
}

static void tell_way(const struct diff *d, const struct trace t[2], const size_t at[2], uint64_t place,
		     struct report *answer)
{
	head(d, place, "go", "es", answer);
	report_say(answer, "different ways\n");
	report_text(answer, "difference", "way");
	report_list(answer, "sides");
	for (unsigned k = 0; k < 2; k++) {
		describe_side(d, k, &t[k], at[k], answer);
		report_line(answer, at[k] < t[k].n ? "  {name}: at {ptx}[ ({source})] {instruction}\n" : "  {name}: ends\n");
		report_close(answer);
	}
	report_close(answer);
}

/* A trace is at its end; if its launch hasn't ended, that is no difference. */
static bool is_open(const struct diff *d, const struct trace t[2], const size_t at[2])
{
	return (at[0] >= t[0].n && !d->side[0].ends) || (at[1] >= t[1].n && !d->side[1].ends);
}

/* True: a difference was told. */
static bool compare(const struct diff *d, const struct trace t[2], uint64_t place, struct report *answer)
{
	size_t at[2] = {next_own(&t[0], 0), next_own(&t[1], 0)};
	for (; at[0] < t[0].n && at[1] < t[1].n;
	     at[0] = next_own(&t[0], at[0] + 1), at[1] = next_own(&t[1], at[1] + 1)) {
		const struct debug_step *a = &t[0].step[at[0]], *b = &t[1].step[at[1]];
		uint32_t which;
		if (a->pc != b->pc)
			break;
		if (same_values(d, a, b, &which))
			continue;
		tell_value(d, t, at, place, which, answer);
		return true;
	}
	if ((at[0] >= t[0].n && at[1] >= t[1].n) || is_open(d, t, at))
		return false;
	tell_way(d, t, at, place, answer);
	return true;
}

/* False: it can't be run again. */
static bool look_at(struct diff *d, uint64_t place, bool *told, struct report *answer)
{
	struct trace t[2] = {{.n = 0}, {.n = 0}};
	bool ok = true;
	for (unsigned k = 0; ok && k < 2; k++) {
		const struct debug_thread thread = thread_of(&d->side[k], place);
		ok = take(d, k) && trace_follow(d->h, &thread, 0, UINT64_MAX, end_of(d, k), &t[k]);
	}
	*told = ok && !t[0].cut && !t[1].cut && compare(d, t, place, answer);
	free(t[0].step);
	free(t[1].step);
	return ok;
}

static void tell_none(const struct diff *d, uint32_t tried, struct report *answer)
{
	const bool all = d->side[0].ends && d->side[1].ends;
	report_text(answer, "difference", tried && all ? "addresses" : "none");
	report_number(answer, "threads", d->side[0].info.launch.n_threads);
	if (tried && all)
		report_say(answer,
			  "%u thread%s load or store different values, but no result differs in the first of them but "
			  "addresses.\n",
			  tried, tried == 1 ? "" : "s");
	else if (!all)
		report_say(answer, "As far as both have come no result differs.\n");
	else if (d->has_branch)
		report_say(answer, "Launch %u loads and stores the same in all %" PRIu64 " threads in %s.\n",
			  d->side[0].info.launch.id, d->side[0].info.launch.n_threads, d->side[1].name);
	else
		report_say(answer, "Launches %u and %u loaded and stored the same in all %" PRIu64 " threads.\n",
			  d->side[0].info.launch.id, d->side[1].info.launch.id, d->side[0].info.launch.n_threads);
}

static bool find(struct diff *d, struct report *answer, struct text *why)
{
	uint32_t tried = 0;
	bool told = false;
	if (!sum_side(d, 0, why) || !sum_side(d, 1, why))
		return false;
	for (uint64_t k = 0; k < d->side[0].info.launch.n_threads && !told && tried < CANDIDATES_MAX; k++) {
		if (d->side[0].sum[k] == d->side[1].sum[k])
			continue;
		tried++;
		if (!look_at(d, k, &told, answer))
			return false;
	}
	if (!told)
		tell_none(d, tried, answer);
	return true;
}

/* ---- the other way of the same launch ---- */

static bool branch(struct diff *d, struct report *answer, struct text *why)
{
	struct gpu_launch_info then;
	const uint32_t id = d->side[0].info.launch.id;
	const bool ordered = d->mode == GPU_MODE_FUNCTIONAL;
	if (!history_branch_make(d->h, id, d->mode, ordered ? &d->order : NULL, &d->here, &d->branch, why))
		return false;
	d->side[1].ends = gpu_launch_get(debug_gpu(history_debug(d->h)), id, &then) && then.state == GPU_LAUNCH_DONE;
	if (!d->branch.failure[0])
		return true;
	report_say(answer, "In %s launch %u doesn't end: %s\n", d->side[1].name, id, d->branch.failure);
	report_text(answer, "failure", d->branch.failure);
	return true;
}

/* ---- the command ---- */

#define USAGE \
	"usage: diff-launch A B, two numbers of `info launches`; or diff-launch A functional | performance | " \
	"schedule SEED"

static const char *blanks(const char *s) { return s + strspn(s, " \t"); }

static bool take_launch(struct diff *d, unsigned k, const char **args, struct text *why)
{
	char *end;
	struct side *s = &d->side[k];
	if (**args < '0' || **args > '9')
		return fail(why, USAGE);
	const unsigned long id = strtoul(*args, &end, 10);
	*args = blanks(end);
	if (id > UINT32_MAX || !gpu_launch_get(debug_gpu(history_debug(d->h)), (uint32_t)id, &s->info)) {
		text_addf(why, "there is no launch %lu", id);
		return false;
	}
	s->ends = s->info.state == GPU_LAUNCH_DONE;
	snprintf(s->name, sizeof s->name, "launch %lu", id);
	if (s->info.state == GPU_LAUNCH_QUEUED)
		text_addf(why, "launch %lu hasn't begun", id);
	return s->info.state != GPU_LAUNCH_QUEUED;
}

/* SEED, or SEED FROM TO: the seed makes these of its choices only, counted from 1. */
static bool take_choices(const char *args, struct gpu_schedule_spec *out)
{
	uint64_t n[3] = {0, 1, UINT64_MAX};
	unsigned k = 0;
	for (; *args && k < 3; k++) {
		char *end;
		if (*args < '0' || *args > '9')
			return false;
		n[k] = strtoull(args, &end, 0);
		if (*end && *end != ' ' && *end != '\t')
			return false;
		args = blanks(end);
	}
	*out = (struct gpu_schedule_spec){n[0], n[1] - 1, n[2]};
	return !*args && k != 2 && n[0] && n[1] && n[2] >= n[1];
}

static bool take_seed(struct diff *d, const char *args, struct text *why)
{
	struct side *s = &d->side[1];
	struct gpu_schedule_spec *o = &d->order;
	d->mode = GPU_MODE_FUNCTIONAL;
	snprintf(s->name, sizeof s->name, "the default schedule");
	if (!strcmp(args, "default"))
		return true;
	if (!take_choices(args, o))
		return fail(why, "a seed and its choices are 1 or more; usage: diff-launch A schedule SEED [FROM TO]");
	if (o->to == UINT64_MAX)
		snprintf(s->name, sizeof s->name, "schedule %" PRIu64, o->seed);
	else
		snprintf(s->name, sizeof s->name, "schedule %" PRIu64 " (choices %" PRIu64 " to %" PRIu64 ")", o->seed,
			 o->from + 1, o->to);
	return true;
}

/* functional | performance | schedule SEED | schedule default */
static bool take_way(struct diff *d, const char *args, struct text *why)
{
	struct side *s = &d->side[1];
	const size_t n = strcspn(args, " \t");
	const char *rest = blanks(args + n);
	const bool functional = n == 10 && !strncmp(args, "functional", n),
		   performance = n == 11 && !strncmp(args, "performance", n);
	if (!(functional || performance) || *rest)
		return n == 8 && !strncmp(args, "schedule", n) ? take_seed(d, rest, why) : fail(why, USAGE);
	d->mode = functional ? GPU_MODE_FUNCTIONAL : GPU_MODE_PERFORMANCE;
	snprintf(s->name, sizeof s->name, "%.*s mode", (int)n, args);
	return functional || gpu_can_perform(debug_gpu(history_debug(d->h)), why);
}

static bool are_alike(const struct diff *d, struct text *why)
{
	const struct exec_launch *a = &d->side[0].info.launch, *b = &d->side[1].info.launch;
	if (a->id == b->id)
		return fail(why, "these are the same launch");
	return (a->function == b->function && a->n_threads == b->n_threads &&
		a->threads_per_cta == b->threads_per_cta) ||
	       fail(why, "the launches are of different kernels, or have different grids");
}

static bool parse(struct diff *d, const char *args, struct text *why)
{
	args = blanks(args);
	if (!take_launch(d, 0, &args, why))
		return false;
	d->has_branch = *args >= 'a' && *args <= 'z';
	if (d->has_branch) {
		d->side[1].info = d->side[0].info;
		if (!take_way(d, args, why))
			return false;
		snprintf(d->side[0].name, sizeof d->side[0].name, "as it ran");
	} else if (!take_launch(d, 1, &args, why) || (*args && !fail(why, USAGE)) || !are_alike(d, why)) {
		return false;
	}
	return d->side[0].info.launch.n_threads <= THREADS_MAX || fail(why, "the launches have too many threads");
}

static bool run(struct diff *d, struct report *answer, struct text *why)
{
	bool ok = true;
	for (unsigned k = 0; k < 2; k++)
		d->side[k].sum = xcalloc(d->side[k].info.launch.n_threads + 1, sizeof *d->side[k].sum);
	if (d->has_branch)
		ok = branch(d, answer, why);
	ok = ok && find(d, answer, why);
	ok = take(d, 0) && ok;
	if (d->has_branch)
		history_branch_free(&d->branch);
	free(d->side[0].sum);
	free(d->side[1].sum);
	return ok;
}

bool command_diff_launch(struct history *h, const char *args, struct report *answer, struct text *why)
{
	struct diff d = {.h = h};
	struct history_aside aside;
	if (!history_can_go_back(h, why) || !parse(&d, args, why))
		return false;
	history_aside_begin(h, &aside);
	d.here = aside.at;
	bool ok = run(&d, answer, why);
	ok = history_aside_end(h, &aside) && ok;
	return ok || why->n ? ok : history_aside_failed(h, why);
}
