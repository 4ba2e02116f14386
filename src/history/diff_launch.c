/* `diff-launch A B`: the first instruction of a thread whose result differs in two launches of a kernel. What each thread loads and stores is summed up
 * in one pass over both; then the first thread whose sums differ is followed in each of them. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/xalloc.h"
#include "debug/expr/expr.h"
#include "history/trace.h"

#define CANDIDATES_MAX 16u /* threads that are followed: sums may differ by nothing but addresses */
#define THREADS_MAX (UINT64_C(1) << 26)

struct side {
	struct gpu_launch_info info;
	uint64_t *sum; /* by thread */
};

struct diff {
	struct history *h;
	struct side side[2];
	struct history_position here;
};

static bool fail(struct text *why, const char *line)
{
	text_add(why, line);
	return false;
}

/* Addresses in allocations count from their beginning: the two launches may have buffers of their own. */
static uint64_t plain(const struct gpu *g, uint64_t v)
{
	const struct gpu_allocation *a = v >> 20 ? gpu_nearest_allocation(g, v) : NULL;
	return a && v >= a->address && v - a->address < a->bytes ? (v - a->address) | UINT64_C(1) << 63 : v;
}

/* ---- one pass over both ---- */

static uint64_t place_of(const struct side *s, const struct exec *x, unsigned lane)
{
	return x->cta->linear * s->info.launch.threads_per_cta + x->warp->index * LANES + lane;
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
		const uint64_t head[2] = {x->pc, a->is_write};
		if (place >= s->info.launch.n_threads)
			continue;
		s->sum[place] = hash_bytes(head, sizeof head, s->sum[place]);
		if (bytes)
			s->sum[place] = hash_value(g, bytes, a->size, s->sum[place]);
	}
}

static void after(void *self, const struct exec *x, const struct exec_effect *e)
{
	struct diff *d = self;
	for (unsigned k = 0; k < 2; k++)
		if (e->kind == EXEC_EFFECT_ACCESS && x->cta->launch == d->side[k].info.launch.id)
			sum_up(d->h->g, &d->side[k], x, &e->access);
}

static bool pass(struct diff *d)
{
	const struct exec_observer o = {.kinds = EXEC_LOOK(ACCESS), .after = after, .self = d};
	return snapshot_go_back(d->h, 0) &&
	       replay(d->h, &(struct replay){.to = &d->here, .cycle = UINT64_MAX, .observer = &o}) == REPLAY_LIMIT;
}

/* ---- one thread ---- */

static bool same_values(const struct diff *d, const struct debug_step *a, const struct debug_step *b, uint32_t *which)
{
	const struct isa_where *w = &gpu_program(d->h->g)->where[a->pc];
	for (*which = 0; a->has_values && b->has_values && *which < w->n_writes && *which < DEBUG_STEP_VALUES; ++*which)
		if (a->value[*which] != b->value[*which] &&
		    plain(d->h->g, a->value[*which]) != plain(d->h->g, b->value[*which]))
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

static void head(const struct diff *d, uint64_t place, struct text *out)
{
	text_addf(out, "thread uid %" PRIu64 " of launch %u and thread uid %" PRIu64 " of launch %u ",
		  d->side[0].info.launch.first_uid + place, d->side[0].info.launch.id,
		  d->side[1].info.launch.first_uid + place, d->side[1].info.launch.id);
}

static void tell_value(const struct diff *d, const struct trace t[2], const size_t at[2], uint64_t place,
		       uint32_t which, struct text *out)
{
	const uint32_t pc = t[0].step[at[0]].pc;
	const struct isa_program *p = gpu_program(d->h->g);
	struct debug_operand r;
	head(d, place, out);
	text_add(out, "differ first ");
	debug_step_place(d->h->d, pc, out);
	text_addc(out, '\n');
	debug_register_of(d->h->d, pc, p->rw[p->where[pc].rw + which], &r);
	for (unsigned k = 0; k < 2; k++) {
		text_addf(out, "  launch %u: %s = ", d->side[k].info.launch.id, r.text);
		debug_step_value(r.type, t[k].step[at[k]].value[which], out);
		text_addf(out, "  (cycle %" PRIu64 ")\n", t[k].step[at[k]].cycle);
	}
}

static void tell_way(const struct diff *d, const struct trace t[2], const size_t at[2], uint64_t place,
		     struct text *out)
{
	head(d, place, out);
	text_add(out, "go different ways\n");
	for (unsigned k = 0; k < 2; k++) {
		text_addf(out, "  launch %u: ", d->side[k].info.launch.id);
		if (at[k] < t[k].n)
			debug_step_place(d->h->d, t[k].step[at[k]].pc, out);
		else
			text_add(out, "ends");
		text_addc(out, '\n');
	}
}

/* True: a difference was told. */
static bool compare(const struct diff *d, const struct trace t[2], uint64_t place, struct text *out)
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
		tell_value(d, t, at, place, which, out);
		return true;
	}
	if (at[0] >= t[0].n && at[1] >= t[1].n)
		return false;
	tell_way(d, t, at, place, out);
	return true;
}

/* False: it can't be run again. */
static bool look_at(const struct diff *d, uint64_t place, bool *told, struct text *out)
{
	struct trace t[2] = {{.n = 0}, {.n = 0}};
	bool ok = true;
	for (unsigned k = 0; ok && k < 2; k++) {
		const struct debug_thread thread = thread_of(&d->side[k], place);
		ok = trace_follow(d->h, &thread, UINT64_MAX, &d->here, &t[k]);
	}
	*told = ok && !t[0].cut && !t[1].cut && compare(d, t, place, out);
	free(t[0].step);
	free(t[1].step);
	return ok;
}

static bool find(struct diff *d, struct text *out)
{
	uint32_t tried = 0;
	bool told = false;
	if (!pass(d))
		return false;
	for (uint64_t k = 0; k < d->side[0].info.launch.n_threads && !told && tried < CANDIDATES_MAX; k++) {
		if (d->side[0].sum[k] == d->side[1].sum[k])
			continue;
		tried++;
		if (!look_at(d, k, &told, out))
			return false;
	}
	if (!told && tried)
		text_addf(out,
			  "%u thread%s load or store different values, but no result differs in the first of them but "
			  "addresses.\n",
			  tried, tried == 1 ? "" : "s");
	else if (!told)
		text_addf(out, "Launches %u and %u loaded and stored the same in all %" PRIu64 " threads.\n",
			  d->side[0].info.launch.id, d->side[1].info.launch.id, d->side[0].info.launch.n_threads);
	return true;
}

/* ---- the command ---- */

static bool parse(struct diff *d, const char *args, struct text *why)
{
	char *end;
	for (unsigned k = 0; k < 2; k++) {
		args += strspn(args, " \t");
		if (*args < '0' || *args > '9')
			return fail(why, "usage: diff-launch A B, two numbers of `info launches`");
		const unsigned long id = strtoul(args, &end, 10);
		if (id > UINT32_MAX || !gpu_launch_get(d->h->g, (uint32_t)id, &d->side[k].info)) {
			text_addf(why, "there is no launch %lu", id);
			return false;
		}
		args = end;
	}
	if (args[strspn(args, " \t")])
		return fail(why, "usage: diff-launch A B, two numbers of `info launches`");
	const struct exec_launch *a = &d->side[0].info.launch, *b = &d->side[1].info.launch;
	if (a->id == b->id)
		return fail(why, "these are the same launch");
	if (a->function != b->function || a->n_threads != b->n_threads || a->threads_per_cta != b->threads_per_cta)
		return fail(why, "the launches are of different kernels, or have different grids");
	return a->n_threads <= THREADS_MAX || fail(why, "the launches have too many threads");
}

bool history_cmd_diff_launch(struct history *h, const char *args, struct text *out, struct text *why)
{
	struct diff d = {.h = h};
	struct history_aside aside;
	if (!history_needs(h, why) || !parse(&d, args, why))
		return false;
	for (unsigned k = 0; k < 2; k++)
		d.side[k].sum = xcalloc(d.side[k].info.launch.n_threads + 1, sizeof *d.side[k].sum);
	history_aside_begin(h, &aside);
	d.here = aside.at;
	bool ok = find(&d, out);
	ok = history_aside_end(h, &aside) && ok;
	free(d.side[0].sum);
	free(d.side[1].sum);
	return ok || history_lost(why);
}
