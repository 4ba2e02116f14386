/* The list of buffers. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/buffers/buffers.h"
#include "debug/ground/ground.h"
#include "debug/rooms.h"

struct buffers_room {
	struct debug_buffer *buffers;
	size_t n_buffers, cap_buffers;
	struct buffer_change *state;  /* the change that made the list what it is; NULL: the list as it was when changes began to be kept */
	struct buffer_change *newest; /* of all that are kept, in the order in which they were made */
	bool keeps_changes;
};

/* One change to the list of buffers. A change leads to one state of the list and follows from the one before: the states are a tree, since a user may
 * go back in time and change something there. */
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

static void insert(struct buffers_room *s, size_t at, const struct debug_buffer *b)
{
	s->buffers = xgrow(s->buffers, &s->cap_buffers, s->n_buffers + 1, sizeof *s->buffers);
	memmove(&s->buffers[at + 1], &s->buffers[at], (s->n_buffers - at) * sizeof *s->buffers);
	s->buffers[at] = *b;
	s->n_buffers++;
}

static void take_out(struct buffers_room *s, size_t at)
{
	free(s->buffers[at].name);
	memmove(&s->buffers[at], &s->buffers[at + 1], (s->n_buffers - at - 1) * sizeof *s->buffers);
	s->n_buffers--;
}

/* Inserts a copy of the buffer that a change names. */
static void insert_again(struct buffers_room *s, const struct buffer_change *c)
{
	struct debug_buffer b = c->b;
	b.name = xstrdup(c->b.name);
	insert(s, c->at, &b);
}

static void make(struct buffers_room *s, const struct buffer_change *c)
{
	switch (c->kind) {
	case CHANGE_MADE: insert_again(s, c); break;
	case CHANGE_GONE: take_out(s, c->at); break;
	case CHANGE_INITIALISED: s->buffers[c->at].initialised = true; break;
	}
	s->state = (struct buffer_change *)(uintptr_t)c;
}

static void take_back(struct buffers_room *s, const struct buffer_change *c)
{
	switch (c->kind) {
	case CHANGE_MADE: take_out(s, c->at); break;
	case CHANGE_GONE: insert_again(s, c); break;
	case CHANGE_INITIALISED: s->buffers[c->at].initialised = false; break;
	}
	s->state = c->before;
}

static void keep(struct buffers_room *s, enum change_kind kind, size_t at)
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
	insert(d->buffers, at, b);
	keep(d->buffers, CHANGE_MADE, at);
}

void buffers_remove(struct debug *d, size_t at)
{
	keep(d->buffers, CHANGE_GONE, at);
	take_out(d->buffers, at);
}

void buffers_note_initialised(struct debug *d, size_t at)
{
	if (d->buffers->buffers[at].initialised)
		return;
	d->buffers->buffers[at].initialised = true;
	keep(d->buffers, CHANGE_INITIALISED, at);
}

/* ---- going back in time ---- */

static uint64_t depth_of(const struct buffer_change *c) { return c ? c->depth : 0; }

/* Makes the changes that lead to `to` from a state before it, where the list is. */
static void make_up_to(struct buffers_room *s, struct buffer_change *to)
{
	struct buffer_change **way = xcalloc(depth_of(to) - depth_of(s->state) + 1, sizeof(struct buffer_change *));
	size_t n = 0;
	for (; to != s->state; to = to->before)
		way[n++] = to;
	while (n)
		make(s, way[--n]);
	free(way);
}

static void go_to_state(struct buffers_room *s, struct buffer_change *to)
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

struct buffer_change *buffers_state(struct debug *d)
{
	d->buffers->keeps_changes = true;
	return d->buffers->state;
}

bool buffers_state_is(const struct debug *d, const struct buffer_change *state) { return d->buffers->state == state; }

void buffers_go_to(struct debug *d, struct buffer_change *state) { go_to_state(d->buffers, state); }

void buffers_forget_changes(struct debug *d)
{
	struct buffers_room *s = d->buffers;
	while (s->newest) {
		struct buffer_change *c = s->newest;
		s->newest = c->older;
		free(c->b.name);
		free(c);
	}
	s->state = NULL;
	s->keeps_changes = false;
}

void buffers_remove_all(struct debug *d)
{
	while (d->buffers->n_buffers)
		buffers_remove(d, d->buffers->n_buffers - 1);
}

void buffers_room_create(struct debug *d) { d->buffers = xcalloc(1, sizeof *d->buffers); }

void buffers_room_free(struct debug *d)
{
	buffers_remove_all(d);
	buffers_forget_changes(d);
	free(d->buffers->buffers);
	free(d->buffers);
}

/* ---- looking them up ---- */

size_t debug_buffer_count(const struct debug *d) { return d->buffers->n_buffers; }

const struct debug_buffer *debug_buffer_at(const struct debug *d, size_t i)
{
	return i < d->buffers->n_buffers ? &d->buffers->buffers[i] : NULL;
}

const struct debug_buffer *debug_buffer_find(const struct debug *d, const char *name, size_t n)
{
	for (size_t i = 0; i < d->buffers->n_buffers; i++)
		if (strlen(d->buffers->buffers[i].name) == n && !memcmp(d->buffers->buffers[i].name, name, n))
			return &d->buffers->buffers[i];
	return NULL;
}
