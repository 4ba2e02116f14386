/* Rules that say where the sources of a folder are now, as gdb's `set substitute-path`. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/ground/ground.h"
#include "debug/view/room.h"
#include "debug/view/source.h"

size_t debug_substitute_count(const struct debug *d) { return d->view->n_substitutes; }
const struct debug_substitute *debug_substitute_at(const struct debug *d, size_t i) { return &d->view->substitutes[i]; }

/* Returns the length of a folder's name without the slashes at its end. */
static size_t folder_length(const char *name)
{
	size_t n = strlen(name);
	while (n > 1 && name[n - 1] == '/')
		n--;
	return n;
}

static void free_rule(struct debug_substitute *rule)
{
	free(rule->from);
	free(rule->to);
}

bool debug_substitute_remove(struct debug *d, const char *from)
{
	struct view_room *v = d->view;
	const size_t n = from ? folder_length(from) : 0, before = v->n_substitutes;
	size_t kept = 0;
	for (size_t i = 0; i < before; i++) {
		struct debug_substitute *rule = &v->substitutes[i];
		if (from && (strlen(rule->from) != n || memcmp(rule->from, from, n)))
			v->substitutes[kept++] = *rule;
		else
			free_rule(rule);
	}
	v->n_substitutes = kept;
	v->substitutes_changed |= kept != before;
	return kept != before;
}

void debug_substitute_add(struct debug *d, const char *from, const char *to)
{
	struct view_room *v = d->view;
	debug_substitute_remove(d, from);
	v->substitutes = xgrow(v->substitutes, &v->cap_substitutes, v->n_substitutes + 1, sizeof *v->substitutes);
	v->substitutes[v->n_substitutes++] = (struct debug_substitute){xstrndup(from, folder_length(from)), xstrndup(to, folder_length(to))};
	v->substitutes_changed = true;
}

const struct debug_substitute *debug_substitute_for(const struct debug *d, const char *path)
{
	for (size_t i = 0; i < d->view->n_substitutes; i++) {
		const struct debug_substitute *rule = &d->view->substitutes[i];
		const size_t n = strlen(rule->from);
		if (!strncmp(path, rule->from, n) && (!path[n] || path[n] == '/' || rule->from[n - 1] == '/'))
			return rule;
	}
	return NULL;
}

bool view_substituted(const struct debug *d, const char *path, struct text *out)
{
	const struct debug_substitute *rule = debug_substitute_for(d, path);
	if (rule)
		text_addf(out, "%s%s", rule->to, path + strlen(rule->from));
	return rule;
}

void view_free_substitutes(struct debug *d)
{
	for (size_t i = 0; i < d->view->n_substitutes; i++)
		free_rule(&d->view->substitutes[i]);
	free(d->view->substitutes);
}
