#include "debug/setup/remember.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/setup/room.h"

struct setup_memory {
	struct buffer_change *state; /* of the list of buffers then */
	size_t first;		     /* of launch_log */
	uint32_t skipped;
};

struct setup_memory *setup_remember(struct debug *d)
{
	const struct setup_room *s = d->setup;
	struct setup_memory *m = xcalloc(1, sizeof *m);
	*m = (struct setup_memory){buffers_state(d), s->launched.first, s->launched.skipped};
	return m;
}

bool setup_remembers_same(const struct debug *d, const struct setup_memory *m)
{
	const struct setup_room *s = d->setup;
	return buffers_state_is(d, m->state) && m->first == s->launched.first && m->skipped == s->launched.skipped;
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
	buffers_go_to(d, m->state);
	s->launched.first = m->first;
	s->launched.skipped = m->skipped;
	cut_launches(d);
}

void setup_memory_free(struct setup_memory *m) { free(m); }
