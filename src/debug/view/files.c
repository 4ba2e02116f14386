/* Files and labels by their names, and the position that `list` and lines without a file mean. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/toolkit.h"
#include "base/xalloc.h"
#include "debug/ground/ground.h"
#include "debug/program.h"
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

/* Returns whether a path may lead to a file from another folder: it is absolute or has `..` in it, or it ends with the file's own name. */
static bool may_lead_to(const char *have, const char *name, size_t n)
{
	const char *base = memrchr(name, '/', n), *file = strrchr(have, '/');
	const size_t k = strlen(have);
	file = file ? file + 1 : have;
	if (!base || !file_matches(file, base + 1, (size_t)(name + n - base - 1)))
		return false;
	return *name == '/' || memmem(name, n, "../", 3) || !strncmp(name, "./", 2) ||
	       (n > k && name[n - k - 1] == '/' && !memcmp(name + n - k, have, k));
}

size_t debug_find_files(struct debug *d, const char *name, size_t n, uint32_t **out)
{
	const struct isa_program *p = debug_program(d);
	size_t found = 0, cap = 0;
	*out = NULL;
	for (unsigned loosely = 0; loosely < 2 && !found; loosely++)
		for (uint32_t i = 0; i < p->n_files; i++) {
			const char *have = p->files[i].name;
			if (p->files[i].unloaded || !(loosely ? may_lead_to : file_matches)(have, name, n))
				continue;
			*out = xgrow(*out, &cap, found + 1, sizeof **out);
			(*out)[found++] = i;
		}
	return found;
}

bool debug_find_file(struct debug *d, const char *name, size_t n, uint32_t *file)
{
	uint32_t *files;
	const size_t found = debug_find_files(d, name, n, &files);
	if (found)
		*file = files[found - 1];
	free(files);
	return found;
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

/* Returns an instruction's source file: of code that was inlined, the file that inlines it. Returns UINT32_MAX if there is none. */
static uint32_t source_file_at(struct debug *d, uint32_t pc)
{
	uint32_t loc = debug_loc_at(d, pc), outer;
	for (unsigned depth = 0; loc != ISA_NO_LOC && depth < DEBUG_INLINED_MAX && (outer = debug_loc_outer(d, loc)) != ISA_NO_LOC; depth++)
		loc = outer;
	return loc == ISA_NO_LOC ? UINT32_MAX : debug_loc(d, loc)->file;
}

static uint32_t source_file_of(struct debug *d, const struct isa_function *f)
{
	uint32_t file = UINT32_MAX;
	for (uint32_t pc = f->first; pc < f->end && file == UINT32_MAX; pc++)
		file = source_file_at(d, pc);
	return file;
}

/* Returns the source file that a program's lines are first looked for in: the one with main if it has kernels, else that of the last kernel. Returns
 * UINT32_MAX if no kernel has a source. */
static uint32_t program_file(struct debug *d)
{
	const struct isa_program *p = debug_program(d);
	struct text main_file = {0};
	uint32_t found = UINT32_MAX;
	bool is_main = false;
	debug_program_main_file(d, &main_file);
	for (uint32_t i = p->n_functions; i-- > 0 && !is_main;) {
		const struct isa_function *f = p->functions[i];
		const uint32_t file = f->unloaded || !f->is_kernel ? UINT32_MAX : source_file_of(d, f);
		if (file == UINT32_MAX || toolkit_is_header(p->files[file].name))
			continue;
		is_main = main_file.n && !strcmp(file_base_name(p->files[file].name), file_base_name(text_str(&main_file)));
		found = is_main || found == UINT32_MAX ? file : found;
	}
	text_free(&main_file);
	return found;
}

bool debug_line_file(struct debug *d, uint32_t *file)
{
	const bool of_program = d->program && d->settings.lines != DEBUG_LINES_PTX;
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
	else if (f && (!of_program || (*file = program_file(d)) == UINT32_MAX))
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
