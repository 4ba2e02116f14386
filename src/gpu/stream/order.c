/* Which operation of which stream is next. docs/timing.md "Streams" has the rules. */
#include "gpu/device/performance_state.h"
#include "gpu/stream/stream_internal.h"

static uint64_t first_number(const struct gpu *g, const struct stream *s) { return operation_at(g, s->first)->number; }

static struct stream *stream_zero(const struct gpu *g)
{
	struct stream *s = gpu_state(g)->n_streams ? stream_at(g, 0) : NULL;
	return s && !s->number ? s : NULL;
}

static struct stream *default_of(const struct gpu *g, uint32_t context)
{
	return context ? streams_find(g, gpu_default_stream(context)) : stream_zero(g);
}

static bool is_blocking(const struct stream *s) { return s->created && !s->non_blocking && !s->is_default; }

/* The default stream and the blocking ones of its context: what was queued earlier in the other is done. */
static bool others_are_done(const struct gpu *g, const struct stream *s)
{
	const uint64_t number = first_number(g, s);
	const struct stream *zero = default_of(g, s->context);
	if (s != zero)
		return !is_blocking(s) || !zero || !zero->n || first_number(g, zero) > number;
	for (uint32_t k = 0; k < gpu_state(g)->n_streams; k++) {
		const struct stream *other = stream_at(g, k);
		if (other->context == s->context && is_blocking(other) && other->n && first_number(g, other) < number)
			return false;
	}
	return true;
}

/* Returns true if the stream's first operation can begin now. */
static bool is_ready(const struct gpu *g, const struct stream *s)
{
	if (!s->n || s->begun || !others_are_done(g, s))
		return false;
	const struct operation *o = operation_at(g, s->first);
	if (o->kind == GPU_OPERATION_LAUNCH)
		return o->launch < gpu_state(g)->mode_end;
	if (o->kind == GPU_OPERATION_POLL)
		return poll_is_over(g, &o->poll);
	if (o->kind == GPU_OPERATION_TRANSFER)
		return transfer_is_over(g, o);
	return o->kind != GPU_OPERATION_WAIT || gpu_point_reached(g, o->after);
}

/* ---- what takes no time ---- */

static bool takes_no_time(const struct gpu *g, const struct stream *s)
{
	const enum gpu_operation_kind kind = s->n ? operation_at(g, s->first)->kind : GPU_OPERATION_LAUNCH;
	return kind != GPU_OPERATION_LAUNCH && kind != GPU_OPERATION_HOST;
}

bool streams_poll(const struct gpu *g)
{
	for (uint32_t k = 0; k < gpu_state(g)->n_streams; k++) {
		const struct stream *s = stream_at(g, k);
		if (s->n && operation_at(g, s->first)->kind == GPU_OPERATION_POLL && is_ready(g, s))
			return true;
	}
	return false;
}

/* The first operation of a stream, if it is a transfer that can begin or has begun. */
static struct operation *transfer_of(const struct gpu *g, const struct stream *s)
{
	struct operation *o = s->n && g->perf ? operation_at(g, s->first) : NULL;
	return o && o->kind == GPU_OPERATION_TRANSFER && others_are_done(g, s) ? o : NULL;
}

/* Begins the transfers that can begin, in the order of the streams, and notes when the next transfer ends. */
static void begin_transfers(struct gpu *g)
{
	uint64_t due = 0;
	for (uint32_t k = 0; k < gpu_state(g)->n_streams; k++) {
		struct operation *o = transfer_of(g, stream_at(g, k));
		if (!o)
			continue;
		if (!o->ends)
			transfer_begin(g, o);
		due = !due || o->ends < due ? o->ends : due;
	}
	gpu_state(g)->transfer_due = due;
}

static bool settle_once(struct gpu *g)
{
	bool any = false;
	for (uint32_t k = gpu_state(g)->n_streams; k-- > 0;) {
		struct stream *s = stream_at(g, k);
		const uint32_t number = s->number;
		while (k < gpu_state(g)->n_streams && s->number == number && takes_no_time(g, s) &&
		       is_ready(g, s)) {
			streams_end_operation(g, s);
			any = true;
		}
	}
	return any;
}

void streams_settle_now(struct gpu *g)
{
	struct gpu_state *st = gpu_state(g);
	gpu_transition(g);
	st->streams_changed = false;
	st->nothing_ready = false;
	while (settle_once(g))
		;
	begin_transfers(g);
	st->streams_changed = false;
}

/* ---- the next one ---- */

struct stream *streams_next_in_order(const struct gpu *g)
{
	struct stream *best = NULL;
	for (uint32_t k = 0; k < gpu_state(g)->n_streams; k++) {
		struct stream *s = stream_at(g, k);
		if (is_ready(g, s) && (!best || first_number(g, s) < first_number(g, best)))
			best = s;
	}
	return best;
}

#define HELD_CYCLES \
	100000 /* performance mode: a kernel that has run so long no longer keeps those of other contexts from the machine */

static bool is_kernel(const struct gpu *g, const struct stream *s)
{
	return operation_at(g, s->first)->kind == GPU_OPERATION_LAUNCH;
}

/* Returns true if a stream that was made by a launch has a queued launch of the device's mode. */
static bool has_queued(const struct gpu *g, const struct stream *s)
{
	if (s->created || s->n == s->begun)
		return false;
	const struct operation *o = operation_at(g, s->first);
	return (s->begun ? operation_at(g, o->next) : o)->launch < gpu_state(g)->mode_end;
}

/* Returns the context whose kernels may begin, GPU_EVERY_CONTEXT, or GPU_NO_CONTEXT. Contexts have the machine in turn: a context keeps it until a kernel
 * of another context was queued earlier than its own next kernel. */
static uint32_t context_in_turn(const struct gpu *g)
{
	const uint32_t running = gpu_contexts(g) == 1 ? 0 : gpu_contexts_running(g);
	const struct stream *first = NULL;
	if (!running)
		g->perf->s->contexts_overlap = false;
	if (gpu_contexts(g) == 1 || g->perf->s->contexts_overlap)
		return GPU_EVERY_CONTEXT;
	for (uint32_t k = 0; k < gpu_state(g)->n_streams; k++) {
		const struct stream *s = stream_at(g, k);
		if (is_ready(g, s) && is_kernel(g, s) && (!first || first_number(g, s) < first_number(g, first)))
			first = s;
	}
	return first && (!running || running == UINT32_C(1) << first->context) ? first->context : GPU_NO_CONTEXT;
}

/* Returns true if the stream's first operation may begin in this turn. */
static bool may_begin(const struct gpu *g, const struct stream *s, uint32_t context)
{
	return is_ready(g, s) && (!is_kernel(g, s) || context == GPU_EVERY_CONTEXT || context == s->context);
}

bool streams_admit_other_contexts(struct gpu *g)
{
	if (gpu_contexts(g) == 1 || g->perf->s->contexts_overlap || !gpu_state(g)->n_waiting)
		return false;
	g->perf->s->contexts_overlap = true;
	gpu_state(g)->nothing_ready = false;
	return streams_next_in_order(g);
}

/* True if a kernel has held the machine for HELD_CYCLES. */
static bool is_held(const struct gpu *g)
{
	const struct gpu_state *st = gpu_state(g);
	for (uint32_t k = st->head; k < st->n_launches; k++) {
		const struct gpu_launch_info *l = gpu_launch_at(g, k);
		if (l->state == GPU_LAUNCH_RUNNING && l->latency_over + HELD_CYCLES <= st->cycle)
			return true;
	}
	return false;
}

void streams_end_turn(struct gpu *g)
{
	if (gpu_contexts(g) != 1 && gpu_state(g)->n_waiting && !g->perf->s->contexts_overlap && is_held(g))
		streams_admit_other_contexts(g);
}

/* Returns the stream other than 0 that begins next, by priority and number, or NULL. *queued: a stream that was made by a launch has a launch that
 * waits. */
static struct stream *first_of_others(const struct gpu *g, uint32_t context, bool *queued)
{
	struct stream *best = NULL;
	*queued = false;
	for (uint32_t k = 0; k < gpu_state(g)->n_streams; k++) {
		struct stream *s = stream_at(g, k);
		if (!s->number)
			continue;
		*queued |= has_queued(g, s);
		if (may_begin(g, s, context) && (!best || s->priority < best->priority))
			best = s;
	}
	return best;
}

/* Where streams are made by launches alone this is GPGPU-Sim's stream manager: once stream 0 has its turn it keeps it until it has nothing. */
struct stream *streams_next(struct gpu *g, bool kernels)
{
	struct gpu_state *st = gpu_state(g);
	struct perf_state *p = g->perf->s;
	bool queued;
	if (st->nothing_ready)
		return NULL;
	const uint32_t context = kernels ? context_in_turn(g) : GPU_NO_CONTEXT;
	struct stream *zero = stream_zero(g), *other = first_of_others(g, context, &queued);
	if (zero && !may_begin(g, zero, context))
		zero = NULL;
	if (!kernels)
		return other ? other : zero;
	st->nothing_ready = !other && !zero;
	if (!queued)
		p->serve_stream_zero = true;
	if (!p->serve_stream_zero || (other && other->created))
		return other;
	p->serve_stream_zero = zero;
	return zero;
}

/* ---- why something waits ---- */

static void add_operation(const struct gpu *g, const struct operation *o, struct text *out)
{
	static const char *const names[GPU_OPERATION_KINDS] = {"something",
							       "",
							       "a copy, fill or function of the host's",
							       "the record of an event",
							       "the wait for an event",
							       "the wait for a word of memory",
							       "a copy that is under way"};
	if (o->kind != GPU_OPERATION_LAUNCH) {
		text_add(out, names[o->kind]);
		return;
	}
	const struct isa_function *f = g->program.functions[gpu_launch_at(g, o->launch)->launch.function];
	text_addf(out, "kernel %u %s", o->launch, f->demangled ? f->demangled : f->name);
}

static const char *hindrance(const struct gpu *g, const struct stream *s, const struct operation *o)
{
	if (!others_are_done(g, s))
		return s != default_of(g, s->context)
			       ? "it waits for what was in the default stream before it"
			       : "in the default stream it waits for what was in blocking streams before it";
	if (o->kind == GPU_OPERATION_WAIT)
		return "what the event was recorded after isn't done";
	return o->kind == GPU_OPERATION_LAUNCH && o->launch >= gpu_state(g)->mode_end
		       ? "it runs in the other mode, when the device is idle"
	       : o->kind == GPU_OPERATION_LAUNCH && perf_slots_are_full(g) ? GPU_SLOTS_ARE_FULL
									   : "its turn hasn't come";
}

static void explain(const struct gpu *g, const struct stream *s, struct text *out)
{
	const struct operation *first = operation_at(g, s->first), *o = s->begun ? operation_at(g, first->next) : first;
	text_addf(out, "\n  stream %u", gpu_stream_shown(s->number));
	if (o->kind == GPU_OPERATION_POLL && !s->begun && others_are_done(g, s)) {
		text_add(out, " waits ");
		poll_explain(g, &o->poll, out);
		return;
	}
	text_add(out, ": ");
	add_operation(g, o, out);
	text_add(out, " can't begin: ");
	if (s->begun) {
		add_operation(g, first, out);
		text_add(out, " is before it in the stream");
	} else {
		text_add(out, hindrance(g, s, o));
	}
}

uint32_t gpu_explain_streams(const struct gpu *g, struct text *out)
{
	enum { SHOWN = 4 };
	uint32_t n = 0;
	for (uint32_t k = 0; k < gpu_state(g)->n_streams; k++) {
		const struct stream *s = stream_at(g, k);
		if (s->n > s->begun && n++ < SHOWN)
			explain(g, s, out);
	}
	if (n > SHOWN)
		text_addf(out, "\n  and %u more streams", n - SHOWN);
	return n;
}

void streams_report_deadlock(const struct gpu *g, struct gpu_event *ev)
{
	ev->kind = GPU_EVENT_DEADLOCK;
	ev->polls = true;
	text_add(&ev->text, "streams wait for memory, and nothing is left that would write it");
	gpu_explain_streams(g, &ev->text);
}
