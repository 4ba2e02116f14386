#include "debug/setup/remember.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/setup/room.h"

struct setup_memory {
	struct debug_buffer *buffer;
	size_t n;
	size_t first; /* of launch_log */
	uint32_t skipped;
};

static struct debug_buffer *copy(const struct debug_buffer *b, size_t n)
{
	struct debug_buffer *out = xcalloc(n + 1, sizeof *out);
	for (size_t k = 0; k < n; k++) {
		out[k] = b[k];
		out[k].name = xstrdup(b[k].name);
	}
	return out;
}

static void free_buffers(struct debug_buffer *b, size_t n)
{
	for (size_t k = 0; k < n; k++)
		free(b[k].name);
	free(b);
}

struct setup_memory *setup_remember(const struct debug *d)
{
	const struct setup_room *s = d->setup;
	struct setup_memory *m = xcalloc(1, sizeof *m);
	*m = (struct setup_memory){.buffer = copy(s->buffers, s->n_buffers),
				   .n = s->n_buffers,
				   .first = s->launched.first,
				   .skipped = s->launched.skipped};
	return m;
}

static bool same_buffer(const struct debug_buffer *a, const struct debug_buffer *b)
{
	return a->address == b->address && a->type == b->type && a->c == b->c && a->count == b->count &&
	       a->kind == b->kind && a->initialised == b->initialised && a->caller == b->caller &&
	       !strcmp(a->name, b->name);
}

bool setup_remembers_same(const struct debug *d, const struct setup_memory *m)
{
	const struct setup_room *s = d->setup;
	if (m->n != s->n_buffers || m->first != s->launched.first || m->skipped != s->launched.skipped)
		return false;
	for (size_t k = 0; k < m->n; k++)
		if (!same_buffer(&m->buffer[k], &s->buffers[k]))
			return false;
	return true;
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
	free_buffers(s->buffers, s->n_buffers);
	s->buffers = copy(m->buffer, m->n);
	s->n_buffers = m->n;
	s->cap_buffers = m->n + 1;
	s->launched.first = m->first;
	s->launched.skipped = m->skipped;
	cut_launches(d);
}

void setup_memory_free(struct setup_memory *m)
{
	free_buffers(m->buffer, m->n);
	free(m);
}
