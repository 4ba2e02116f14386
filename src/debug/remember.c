/* What the debugger knows of the machine besides what the machine is: kept and taken back as the machine goes back in time. */
#include <string.h>

#include "base/xalloc.h"
#include "debug/ground/ground.h"
#include "debug/buffers/buffers.h"
#include "debug/past.h"
#include "debug/setup/launch.h"
#include "debug/setup/remember.h"
#include "debug/stop/run.h"
#include "debug/view/view.h"

struct debug_memory {
	struct setup_memory *setup;
	void *pokes;
	size_t n_pokes; /* bytes */
	char *launch;	/* debug_last_launch; NULL: none */
};

static bool is_same_text(const char *a, const char *b) { return a && b ? !strcmp(a, b) : a == b; }

void debug_say(struct debug *d, const char *line) { debug_note(d, "%s", line); }

struct debug_memory *debug_remember(struct debug *d)
{
	struct debug_memory *m = xcalloc(1, sizeof *m);
	m->setup = setup_remember(d);
	m->pokes = pokes_remember(d, &m->n_pokes);
	m->launch = debug_last_launch(d) ? xstrdup(debug_last_launch(d)) : NULL;
	return m;
}

bool debug_remembers_same(struct debug *d, const struct debug_memory *m)
{
	return pokes_are(d, m->pokes, m->n_pokes) && is_same_text(debug_last_launch(d), m->launch) &&
	       setup_remembers_same(d, m->setup);
}

void debug_recall(struct debug *d, const struct debug_memory *m)
{
	setup_recall(d, m->setup);
	pokes_recall(d, m->pokes, m->n_pokes);
	run_set_last_launch(d, m->launch);
	debug_changed(d);
}

void debug_forget_memories(struct debug *d) { buffers_forget_changes(d); }

void debug_memory_free(struct debug_memory *m)
{
	if (!m)
		return;
	setup_memory_free(m->setup);
	free(m->pokes);
	free(m->launch);
	free(m);
}
