/* libiberty's demangler within bounds. A name may refer to its own parts, so that what it stands for can be exponentially longer: of 300
 * characters it would write more than any machine can hold. */
#include "base/demangle.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#define MANGLED_MAX 4096u /* characters; the work can grow with the square of the length */
#define PLAIN_MAX 16384u

struct writer {
	struct text *out;
	size_t most;
	jmp_buf too_long;
};

static void write_part(const char *s, size_t n, void *opaque)
{
	struct writer *w = opaque;
	if (w->out->n + n > w->most)
		longjmp(w->too_long, 1); /* the printer can't be told to stop; all it holds is on its stack */
	text_addn(w->out, s, n);
}

static bool write_name(int options, struct demangle_component *tree, struct writer *w)
{
	return !setjmp(w->too_long) && cplus_demangle_print_callback(options, tree, write_part, w);
}

bool demangle_name(const char *mangled, bool parameters, struct text *out)
{
	const size_t before = out->n;
	struct writer w = {.out = out, .most = before + PLAIN_MAX};
	int options = parameters ? DMGL_PARAMS | DMGL_ANSI : DMGL_NO_OPTS;
	void *parts = NULL;
	if (strncmp(mangled, "_Z", 2) || strlen(mangled) > MANGLED_MAX)
		return false;
	struct demangle_component *tree = cplus_demangle_v3_components(mangled, options, &parts);
	bool ok = tree && write_name(options, tree, &w);
	if (!ok && out->n > before) {
		out->n = before;
		out->s[before] = '\0';
	}
	free(parts);
	return ok;
}
