/* State of this folder in a debugger: sources read, names made short, values that wait for their threads. Only its own files include this. */
#ifndef DEBUG_VIEW_ROOM_H
#define DEBUG_VIEW_ROOM_H

#include "base/hash.h"
#include "base/pool.h"
#include "debug/view/view.h"

/* Lines of a CUDA source read on demand; parallel to the program's files. */
struct debug_source {
	bool tried, hinted /* debug_source_hint has named it */;
	char *text; /* owned, NULL: not readable (or a PTX file, whose text the program holds) */
	char *path; /* it was read from; owned */
	size_t n_text;
	uint32_t *line_start;
	uint32_t n_lines;
};

struct view_room {
	uint32_t unentered, unentered_pc; /* inlined functions in front of which a warp stands, and where (inlined.h) */
	struct debug_stood unentered_by;
	struct debug_source *sources;
	uint32_t n_sources;
	struct debug_substitute *substitutes; /* in the order in which they are tried */
	size_t n_substitutes, cap_substitutes;
	bool substitutes_changed; /* since sources were looked for */
	struct view_kept {   /* texts of sources that a checkpoint file holds */
		char *name, *text;
		size_t n;
	} * kept;
	uint32_t n_kept;
	char searched_path[sizeof((struct debug_settings *)0)->source_path]; /* settings.source_path when they were looked for */
	struct pool names;	     /* demangled names without parameters, found by PTX name */
	struct hash_map short_names; /* -> index into short_list */
	const char **short_list;
	size_t n_short, cap_short;
	struct debug_poke *pokes; /* values set in blocks that have not started (poke.c) */
	size_t n_pokes, cap_pokes;
	struct debug_inlined *inlined_code; /* inlined functions by the debug information; NULL before the first lookup */
	char *toolkit;			    /* of each file: is it a header of the toolkit, 'y', 'n', 0: not yet known (toolkit.c) */
	uint32_t n_toolkit;
	struct view_parameters **parameters; /* of each function that was asked for, else NULL (parameters.c) */
	uint32_t n_parameters;
};

/* Frees the names and types of parameters that were read from sources. */
void view_forget_parameters(struct debug *d);

/* Appends a source path with its beginning replaced by the first rule of `set substitute-path` that fits. Returns false, appending nothing, if none
 * fits. */
bool view_substituted(const struct debug *d, const char *path, struct text *out);
/* Frees the rules of `set substitute-path`. */
void view_free_substitutes(struct debug *d);

#endif
