#include "debug/setup/remember.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/setup/room.h"

struct setup_memory {
	struct buffer_change *state; /* setup_room.state then */
	size_t first;		     /* of launch_log */
	uint32_t skipped;
};

enum change_kind { CHANGE_MADE, CHANGE_GONE, CHANGE_INITIALISED };

struct buffer_change {
	struct buffer_change *before; /* the state that it changed; NULL: the first one */
	uint64_t depth;		      /* changes that lead to its state */
	struct buffer_change *older;  /* all changes: the one made before it */
	enum change_kind kind;
	size_t at; /* place in the list */
	struct debug_buffer b; /* MADE, GONE: the buffer, with a name of its own */
};

/* ---- the list ---- */

static void insert(struct setup_room *s, size_t at, const struct debug_buffer *b)
{
	s->buffers = xgrow(s->buffers, &s->cap_buffers, s->n_buffers + 1, sizeof *s->buffers);
	memmove(&s->buffers[at + 1], &s->buffers[at], (s->n_buffers - at) * sizeof *s->buffers);
	s->buffers[at] = *b;
	s->n_buffers++;
}

static void take_out(struct setup_room *s, size_t at)
{
	free(s->buffers[at].name);
	memmove(&s->buffers[at], &s->buffers[at + 1], (s->n_buffers - at - 1) * sizeof *s->buffers);
	s->n_buffers--;
}

/* Inserts a copy of the buffer that a change names. */
static void insert_again(struct setup_room *s, const struct buffer_change *c)
{
	struct debug_buffer b = c->b;
	b.name = xstrdup(c->b.name);
	insert(s, c->at, &b);
}

static void make(struct setup_room *s, const struct buffer_change *c)
{
	switch (c->kind) {
	case CHANGE_MADE: insert_again(s, c); break;
	case CHANGE_GONE: take_out(s, c->at); break;
	case CHANGE_INITIALISED: s->buffers[c->at].initialised = true; break;
	}
	s->state = (struct buffer_change *)(uintptr_t)c;
}

static void take_back(struct setup_room *s, const struct buffer_change *c)
{
	switch (c->kind) {
	case CHANGE_MADE: take_out(s, c->at); break;
	case CHANGE_GONE: insert_again(s, c); break;
	case CHANGE_INITIALISED: s->buffers[c->at].initialised = false; break;
	}
	s->state = c->before;
}

static void keep(struct setup_room *s, enum change_kind kind, size_t at)
{
	if (!s->keeps_changes)
		return;
	struct buffer_change *c = xcalloc(1, sizeof *c);
	*c = (struct buffer_change){.before = s->state,
				    .depth = s->state ? s->state->depth + 1 : 1,
				    .older = s->newest,
				    .kind = kind,
				    .at = at};
	if (kind != CHANGE_INITIALISED) {
		c->b = s->buffers[at];
		c->b.name = xstrdup(c->b.name);
	}
	s->state = s->newest = c;
}

void buffers_insert(struct debug *d, size_t at, const struct debug_buffer *b)
{
	insert(d->setup, at, b);
	keep(d->setup, CHANGE_MADE, at);
}

void buffers_remove(struct debug *d, size_t at)
{
	keep(d->setup, CHANGE_GONE, at);
	take_out(d->setup, at);
}

void buffers_note_initialised(struct debug *d, size_t at)
{
	if (d->setup->buffers[at].initialised)
		return;
	d->setup->buffers[at].initialised = true;
	keep(d->setup, CHANGE_INITIALISED, at);
}

/* ---- going back in time ---- */

struct setup_memory *setup_remember(struct debug *d)
{
	struct setup_room *s = d->setup;
	struct setup_memory *m = xcalloc(1, sizeof *m);
	s->keeps_changes = true;
	*m = (struct setup_memory){s->state, s->launched.first, s->launched.skipped};
	return m;
}

bool setup_remembers_same(const struct debug *d, const struct setup_memory *m)
{
	const struct setup_room *s = d->setup;
	return m->state == s->state && m->first == s->launched.first && m->skipped == s->launched.skipped;
}

static uint64_t depth_of(const struct buffer_change *c) { return c ? c->depth : 0; }

/* Makes the changes that lead to `to` from a state before it, where the list is. */
static void make_up_to(struct setup_room *s, struct buffer_change *to)
{
	struct buffer_change **way = xcalloc(depth_of(to) - depth_of(s->state) + 1, sizeof(struct buffer_change *));
	size_t n = 0;
	for (; to != s->state; to = to->before)
		way[n++] = to;
	while (n)
		make(s, way[--n]);
	free(way);
}

static void go_to_state(struct setup_room *s, struct buffer_change *to)
{
	const struct buffer_change *common = to;
	while (depth_of(common) > depth_of(s->state))
		common = common->before;
	while (depth_of(s->state) > depth_of(common))
		take_back(s, s->state);
	while (s->state != common) {
		take_back(s, s->state);
		common = common->before;
	}
	make_up_to(s, to);
}

/* Launches that are still to come are none yet. */
static void cut_launches(struct debug *d)
{
	struct launch_log *l = &d->setup->launched;
	const uint32_t n = gpu_launch_count(d->g);
	const size_t most = l->first + (n > l->skipped ? n - l->skipped : 0);
	l->n = l->n < most ? l->n : most;
	for (size_t k = 0; k < d->setup->n_simulated; k++)
		d->setup->simulated[k].seen = d->setup->simulated[k].n_seen = 0;
}

void setup_recall(struct debug *d, const struct setup_memory *m)
{
	struct setup_room *s = d->setup;
	go_to_state(s, m->state);
	s->launched.first = m->first;
	s->launched.skipped = m->skipped;
	cut_launches(d);
}

void setup_memory_free(struct setup_memory *m) { free(m); }

void setup_forget_changes(struct debug *d)
{
	struct setup_room *s = d->setup;
	while (s->newest) {
		struct buffer_change *c = s->newest;
		s->newest = c->older;
		free(c->b.name);
		free(c);
	}
	s->state = NULL;
	s->keeps_changes = false;
}
