/* The clocks of streams, events, launches and the host. */
#include "check/race_order.h"

#include <stddef.h>
#include <string.h>

#include "base/arena.h"

/* The latest of each, by their numbers' remainders. */
#define EVENTS 1024u
#define TURNS 4096u
#define LAUNCHES 1024u

struct entry {
	uint64_t id; /* 1 + the launch; the event; the tag of the operation. 0: none */
	struct order_point at;
	struct order_clock clock;
};

struct state {
	uint32_t number;  /* of the last operation */
	struct entry now; /* of what is done at once */
	struct order_clock host, stream[ORDER_STREAMS];
	bool blocking[ORDER_STREAMS]; /* its context's default stream and it wait for each other */
	struct entry event[EVENTS], turn[TURNS], launch[LAUNCHES];
};

static struct state *state(const struct order *o) { return arena_at(o->arena, o->section, 0); }

static void touch(const struct order *o, const void *p, uint64_t n)
{
	arena_touch(o->arena, o->section, (uint64_t)((const char *)p - (const char *)state(o)), n);
}

static uint32_t place_of(uint32_t stream) { return stream ? 1 + (stream - 1) % (ORDER_STREAMS - 1) : 0; }

static void join(struct order_clock *to, const struct order_clock *from)
{
	for (uint32_t k = 0; k < ORDER_PLACES; k++)
		to->of[k] = from->of[k] > to->of[k] ? from->of[k] : to->of[k];
}

static void join_all(const struct state *s, struct order_clock *to)
{
	for (uint32_t k = 0; k < ORDER_STREAMS; k++)
		join(to, &s->stream[k]);
}

/* ---- streams ---- */

static void note_stream(struct order *o, uint32_t stream, bool non_blocking)
{
	bool *blocking = &state(o)->blocking[place_of(stream)];
	touch(o, blocking, sizeof *blocking);
	*blocking |= !non_blocking;
}

bool order_init(struct order *o, struct gpu *g)
{
	o->g = g;
	o->arena = gpu_arena(g);
	o->section = arena_add(o->arena, "race-order", ARENA_PAGED, sizeof(struct state));
	if (o->section < 0)
		return false;
	o->arena->section[o->section].is_tool_state = true;
	return arena_use(o->arena, o->section, sizeof(struct state));
}

void order_forget(struct order *o)
{
	uint32_t streams[ORDER_STREAMS];
	struct gpu_stream_info info;
	struct state *s = state(o);
	const uint32_t all = gpu_stream_list(o->g, streams, ORDER_STREAMS);
	if (s->number) {
		touch(o, s, sizeof *s);
		memset(s, 0, sizeof *s);
	}
	for (uint32_t k = 0; k < all && k < ORDER_STREAMS; k++)
		if (gpu_stream_get(o->g, streams[k], &info) && info.created)
			note_stream(o, streams[k], info.non_blocking);
	touch(o, &s->number, sizeof s->number);
	s->number = 1;
}

/* Which stream of its context the others wait for, unless they are non-blocking. */
static uint32_t default_of(const struct order *o, uint32_t stream)
{
	struct gpu_stream_info info;
	return gpu_stream_get(o->g, stream, &info) ? gpu_default_stream(info.context) : 0;
}

/* The next operation of a stream begins when those are over that it waits for. */
static const struct order_clock *advance(struct order *o, uint32_t stream, struct order_point *at)
{
	struct state *s = state(o);
	const uint32_t place = place_of(stream), first = default_of(o, stream);
	struct order_clock *clock = &s->stream[place];
	touch(o, &s->number, sizeof s->number);
	touch(o, clock, sizeof *clock);
	join(clock, &s->host);
	for (uint32_t k = 0; k < ORDER_STREAMS && stream == first; k++)
		if (s->blocking[k])
			join(clock, &s->stream[k]);
	if (s->blocking[place])
		join(clock, &s->stream[place_of(first)]);
	s->number += s->number < UINT32_MAX;
	clock->of[place] = s->number;
	*at = (struct order_point){place, s->number};
	return clock;
}

/* ---- what comes from outside ---- */

static void put(struct order *o, struct entry *e, uint64_t id, uint32_t stream)
{
	touch(o, e, sizeof *e);
	e->id = id;
	e->clock = *advance(o, stream, &e->at);
}

static struct entry *event_at(const struct order *o, uint32_t event) { return &state(o)->event[event % EVENTS]; }

/* The clock of an event's last record; of one that isn't known any more that of everything. */
static void join_event(const struct order *o, uint32_t event, struct order_clock *to)
{
	const struct entry *e = event_at(o, event);
	if (e->id == event)
		join(to, &e->clock);
	else
		join_all(state(o), to);
}

static void operation(struct order *o, const struct gpu_operation_spec *spec)
{
	struct state *s = state(o);
	struct order_clock *clock = &s->stream[place_of(spec->stream)];
	struct order_point at;
	switch (spec->kind) {
	case GPU_OPERATION_HOST: put(o, &s->turn[spec->tag % TURNS], spec->tag, spec->stream); return;
	case GPU_OPERATION_RECORD: put(o, event_at(o, spec->event), spec->event, spec->stream); return;
	case GPU_OPERATION_WAIT:
		advance(o, spec->stream, &at);
		if (spec->event)
			join_event(o, spec->event, clock);
		else if (spec->after.number)
			join(clock, &s->stream[place_of(spec->after.stream)]);
		return;
	case GPU_OPERATION_POLL: /* the word that the poll waits for may have been written by any operation */
		advance(o, spec->stream, &at);
		join_all(s, clock);
		return;
	default: advance(o, spec->stream, &at);
	}
}

static void waited(struct order *o, enum gpu_waited what, uint32_t number)
{
	struct state *s = state(o);
	struct order_point at;
	touch(o, &s->host, sizeof s->host);
	if (what == GPU_WAITED_EVENT)
		join_event(o, number, &s->host);
	else if (what == GPU_WAITED_ALL)
		join_all(s, &s->host);
	else
		join(&s->host, advance(o, number, &at));
}

static void made_event(struct order *o, uint32_t event)
{
	struct entry *e = event_at(o, event);
	touch(o, e, sizeof *e);
	*e = (struct entry){.id = event};
}

void order_input(struct order *o, const struct gpu_input *in, int64_t result)
{
	struct state *s = state(o);
	if (!s->number) /* gone back to before it was switched on */
		order_forget(o);
	switch (in->kind) {
	case GPU_INPUT_STREAM: note_stream(o, (uint32_t)result, in->stream.non_blocking); break;
	case GPU_INPUT_EVENT: made_event(o, (uint32_t)result); break;
	case GPU_INPUT_OPERATION:
		if (result)
			operation(o, &in->operation);
		break;
	case GPU_INPUT_LAUNCH:
		if (result >= 0)
			put(o, &s->launch[result % LAUNCHES], (uint64_t)result + 1, in->launch.stream);
		break;
	case GPU_INPUT_WAITED: waited(o, in->waited.what, in->waited.number); break;
	case GPU_INPUT_CONTEXT_KILL:
	case GPU_INPUT_CONTEXT_END:
	case GPU_INPUT_KILL: waited(o, GPU_WAITED_ALL, 0); break;
	default: break;
	}
}

/* ---- asking ---- */

const struct order_clock *order_of_launch(const struct order *o, uint32_t launch, struct order_point *at)
{
	struct gpu_launch_info info;
	const struct entry *e = &state(o)->launch[launch % LAUNCHES];
	*at = e->at;
	if (e->id == (uint64_t)launch + 1)
		return &e->clock;
	return gpu_launch_get(o->g, launch, &info) && info.parent ? order_of_launch(o, info.parent - 1, at) : NULL;
}

bool order_launches(const struct order *o, uint32_t a, uint32_t b)
{
	struct order_point at_a, at_b;
	const struct order_clock *of_a = order_of_launch(o, a, &at_a), *of_b = order_of_launch(o, b, &at_b);
	return !of_a || !of_b || order_knows(of_a, at_b) || order_knows(of_b, at_a);
}

const struct order_clock *order_of_turn(struct order *o, const struct gpu_operation_spec *turn, struct order_point *at)
{
	struct state *s = state(o);
	struct entry *e = turn->tag ? &s->turn[turn->tag % TURNS] : &s->now;
	if (!turn->tag)
		put(o, e, 0, turn->stream);
	*at = e->at;
	return e->id == turn->tag ? &e->clock : NULL;
}

const struct order_clock *order_of_host(struct order *o, struct order_point *at)
{
	struct state *s = state(o);
	touch(o, &s->number, sizeof s->number);
	touch(o, &s->host, sizeof s->host);
	s->number += s->number < UINT32_MAX;
	s->host.of[ORDER_HOST] = s->number;
	*at = (struct order_point){ORDER_HOST, s->number};
	return &s->host;
}

bool order_host_knows(const struct order *o, struct order_point p) { return order_knows(&state(o)->host, p); }
