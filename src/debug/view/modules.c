/* Names that several modules or files of a program have, and how one of them is chosen: 'MODULE'::NAME, 'FILE.ptx'::NAME, 'FILE.cu'::NAME. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "debug/ground/ground.h"
#include "debug/view/view.h"

static bool is_live(const struct isa_program *p, uint32_t module)
{
	return module < p->n_modules && !p->modules[module].unloaded;
}

/* Returns whether the path of a PTX file has the same base name as a source, whatever comes after the last dot. */
static bool has_stem_of(const char *ptx, const char *source)
{
	const char *const base = file_base_name(ptx), *const other = file_base_name(source), *const dot = strrchr(base, '.');
	const size_t n = dot ? (size_t)(dot - base) : strlen(base);
	return !strncmp(base, other, n) && other[n] == '.';
}

/* Returns true if a .file directive of a PTX file names one of n sources. */
static bool names_source(const struct isa_file *ptx, const uint32_t *sources, size_t n)
{
	for (uint32_t k = 0; k < ptx->n_numbers; k++)
		for (size_t i = 0; i < n; i++)
			if (ptx->numbers[k].file == sources[i])
				return true;
	return false;
}

/* Stores the PTX files that were made from a source with a name of n bytes, `most` at most: one only if its name is like the source's. Returns their number. */
static size_t files_of_source(struct debug *d, const char *name, size_t n, uint32_t *files, size_t most)
{
	const struct isa_program *p = debug_program(d);
	uint32_t *sources;
	const size_t n_sources = debug_find_files(d, name, n, &sources);
	size_t found = 0;
	for (uint32_t k = 0; k < p->n_files && n_sources && found < most; k++) {
		const struct isa_file *f = &p->files[k];
		if (!f->frontend || f->unloaded || !names_source(f, sources, n_sources))
			continue;
		files[found++] = k;
		if (n_sources == 1 && has_stem_of(f->name, p->files[sources[0]].name)) {
			files[0] = k;
			found = 1;
			break;
		}
	}
	free(sources);
	return found;
}

bool debug_module_named(struct debug *d, const char *name, size_t n, struct debug_chosen *out)
{
	const struct isa_program *p = debug_program(d);
	uint32_t file, files[2];
	for (uint32_t k = p->n_modules; k-- > 1;)
		if (is_live(p, k) && strlen(p->modules[k].name) == n && !memcmp(p->modules[k].name, name, n)) {
			*out = (struct debug_chosen){k, DEBUG_ANY_FILE};
			return true;
		}
	if (!n || !debug_find_file(d, name, n, &file))
		return false;
	if (!p->files[file].frontend) {
		if (files_of_source(d, name, n, files, 2) != 1)
			return false;
		file = files[0];
	}
	*out = (struct debug_chosen){p->files[file].module, file};
	return true;
}

bool debug_module_fail(struct debug *d, const char *name, size_t n, struct text *why)
{
	uint32_t files[8];
	const size_t found = files_of_source(d, name, n, files, 8);
	if (!found)
		return debug_fail(why, "No module, PTX file or source named \"%.*s\".", (int)n, name);
	return debug_fail(why, "Several PTX files were made from \"%.*s\": choose one, such as '%s'::NAME.", (int)n, name,
			  debug_program(d)->files[files[0]].name);
}

size_t debug_module_prefix(const char *name, size_t n)
{
	const char *end = n && *name == '\'' ? memchr(name + 1, '\'', n - 1) : NULL;
	return end && (size_t)(name + n - end) > 3 && end[1] == ':' && end[2] == ':' ? (size_t)(end + 3 - name) : 0;
}

bool debug_module_chosen(struct debug *d, const char **name, size_t *n, struct debug_chosen *out)
{
	const size_t prefix = debug_module_prefix(*name, *n);
	*out = (struct debug_chosen){DEBUG_ANY_MODULE, DEBUG_ANY_FILE};
	if (!prefix)
		return true;
	const bool known = debug_module_named(d, *name + 1, prefix - 4, out);
	*name += prefix;
	*n -= prefix;
	return known;
}

/* Returns the name of a PTX file's module, or the file's own name if the module has none or consists of several files. */
static const char *choice(const struct isa_program *p, uint32_t file)
{
	const uint32_t module = isa_program_module_of(p, file);
	bool is_only = module != 0;
	for (uint32_t k = 0; k < p->n_files; k++)
		is_only &= k == file || !p->files[k].frontend || p->files[k].module != module;
	return is_only ? p->modules[module].name : p->files[file].name;
}

void debug_module_choices(struct debug *d, const uint32_t *files, size_t n_files, const char *name, size_t n,
			  struct text *out)
{
	enum { MOST = 8 };
	for (size_t k = 0; k < n_files && k < MOST; k++)
		text_addf(out, "%s'%s'::%.*s", k ? ", " : "", choice(debug_program(d), files[k]), (int)n, name);
	text_add(out, n_files > MOST ? ", ..." : "");
}
