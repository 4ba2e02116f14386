/* Names that several modules of a program have, and how one of them is chosen: 'MODULE'::NAME. */
#include <string.h>

#include "debug/ground/ground.h"
#include "debug/view/view.h"

static bool is_live(const struct isa_program *p, uint32_t module)
{
	return module < p->n_modules && !p->modules[module].unloaded;
}

bool debug_module_named(struct debug *d, const char *name, size_t n, uint32_t *module)
{
	const struct isa_program *p = debug_program(d);
	uint32_t file;
	for (uint32_t k = p->n_modules; k-- > 1;)
		if (is_live(p, k) && strlen(p->modules[k].name) == n && !memcmp(p->modules[k].name, name, n)) {
			*module = k;
			return true;
		}
	if (!n || !debug_find_file(d, name, n, &file) || !p->files[file].frontend)
		return false;
	*module = p->files[file].module;
	return true;
}

size_t debug_module_prefix(const char *name, size_t n)
{
	const char *end = n && *name == '\'' ? memchr(name + 1, '\'', n - 1) : NULL;
	return end && (size_t)(name + n - end) > 3 && end[1] == ':' && end[2] == ':' ? (size_t)(end + 3 - name) : 0;
}

bool debug_module_chosen(struct debug *d, const char **name, size_t *n, uint32_t *module)
{
	const size_t prefix = debug_module_prefix(*name, *n);
	*module = DEBUG_ANY_MODULE;
	if (!prefix)
		return true;
	const bool known = debug_module_named(d, *name + 1, prefix - 4, module);
	*name += prefix;
	*n -= prefix;
	return known;
}

/* The file that the name was loaded from stands for module 0. */
static const char *choice(const struct isa_program *p, uint32_t file)
{
	const uint32_t module = isa_program_module_of(p, file);
	return module ? p->modules[module].name : p->files[file].name;
}

void debug_module_choices(struct debug *d, const uint32_t *files, size_t n_files, const char *name, size_t n,
			  struct text *out)
{
	enum { MOST = 8 };
	for (size_t k = 0; k < n_files && k < MOST; k++)
		text_addf(out, "%s'%s'::%.*s", k ? ", " : "", choice(debug_program(d), files[k]), (int)n, name);
	text_add(out, n_files > MOST ? ", ..." : "");
}
