/* Files and labels by their names, and the position that `list` and lines without a file mean. */
#include <string.h>

#include "debug/ground/ground.h"
#include "debug/view/source.h"
#include "debug/view/view.h"

void view_forget_files(struct debug *d) { d->list_goes_on = d->listing.has_shown_file = false; }

void view_stopped_in(struct debug *d, uint32_t file)
{
	d->listing.shown_file = file;
	d->listing.has_shown_file = true;
}

/* Stores the file last listed (*listed is true then) or else the one stopped in last. Returns false if there is neither. */
static bool view_last_file(const struct debug *d, bool *listed, uint32_t *file)
{
	const struct debug_listing *s = &d->listing;
	*listed = d->list_goes_on;
	*file = d->list_goes_on ? s->file : s->shown_file;
	return d->list_goes_on || s->has_shown_file;
}

/* Same file: equal names, or one is the end of the other's path. */
static bool file_matches(const char *have, const char *name, size_t n)
{
	size_t k = strlen(have);
	return k >= n && !memcmp(have + k - n, name, n) && (k == n || have[k - n - 1] == '/');
}

bool debug_find_file(struct debug *d, const char *name, size_t n, uint32_t *file)
{
	const struct isa_program *p = debug_program(d);
	for (uint32_t i = p->n_files; i-- > 0;)
		if (!p->files[i].unloaded && file_matches(p->files[i].name, name, n)) {
			*file = i;
			return true;
		}
	/* `./vecadd.ptx`, or another path to a file of that name */
	const char *base = memrchr(name, '/', n);
	return base && base + 1 < name + n && debug_find_file(d, base + 1, n - (size_t)(base + 1 - name), file);
}

/* The function loaded last; NULL: none. */
static const struct isa_function *last_function(struct debug *d)
{
	const struct isa_program *p = debug_program(d);
	for (uint32_t i = p->n_functions; i-- > 0;)
		if (!p->functions[i]->unloaded && p->functions[i]->first < p->functions[i]->end)
			return p->functions[i];
	return NULL;
}

bool debug_default_position(struct debug *d, struct debug_position *out)
{
	const struct isa_function *f = last_function(d);
	if (debug_selected_position(d, out))
		return true;
	if (!f)
		return false;
	uint32_t pc = f->first;
	while (pc < f->end && !debug_shows_cuda(d, pc))
		pc++;
	*out = debug_position_at(d, pc < f->end ? pc : f->first);
	return true;
}

bool debug_line_file(struct debug *d, uint32_t *file)
{
	const struct isa_function *f = last_function(d);
	struct debug_position at;
	uint32_t last;
	bool listed;
	const bool has_last = view_last_file(d, &listed, &last);
	if (listed)
		*file = last;
	else if (debug_selected_position(d, &at))
		*file = at.file;
	else if (has_last && !debug_program(d)->files[last].unloaded)
		*file = last;
	else if (f)
		*file = f->file;
	return listed || f;
}

bool debug_find_label(struct debug *d, const char *name, size_t n, uint32_t *pc)
{
	const struct isa_program *p = debug_program(d);
	struct debug_where w;
	struct debug_frame f = {0};
	if (debug_focus_where(d, &w))
		debug_frame_get(d, &w, d->frame, &f);
	for (uint32_t i = 0; i <= p->n_functions; i++) { /* the focused function's first */
		const struct isa_function *fn = i ? p->functions[p->n_functions - i] : f.function;
		if (!fn || fn->unloaded)
			continue;
		for (uint32_t k = 0; k < fn->n_labels; k++)
			if (strlen(fn->labels[k].name) == n && !memcmp(fn->labels[k].name, name, n) &&
			    fn->labels[k].at < p->n_insns) {
				*pc = fn->labels[k].at;
				return true;
			}
	}
	return false;
}
