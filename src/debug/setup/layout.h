/* Structures that users declare by their fields, `struct Stats {f32 mean, u32 n}`, where no debug information has them; and a structure's
 * layout in a message. */
#ifndef DEBUG_LAYOUT_H
#define DEBUG_LAYOUT_H

#include "debug/ground/ground.h"

/* Parses a type that isn't one of PTX's numbers: NAME, struct NAME, {TYPE FIELD, ...}, float4; *s moves behind it. Returns NULL, with an error in
 * `why`, if there is none or it has no size; *s may have moved. */
const struct ctype *layout_parse_type(struct debug *d, const char **s, struct text *why);
/* Parses a type's NAME, (NAME) or struct NAME in front of a brace, and moves *s to the brace. Names of the source and of CUDA's vectors count. Returns
 * NULL, with *s unchanged, if no brace follows or no type has the name. */
const struct ctype *layout_type_before(struct debug *d, const char **s);

/* Appends a type's name, `Stats`, or, for a structure without a name, its first 32 fields as `{f32 mean, u32 n}`. */
void layout_name(const struct ctype *t, struct text *out);
/* Appends a type's name, or, for a structure without a name, all its fields, as layout_parse_type reads it. */
void layout_source(const struct ctype *t, struct text *out);
/* Appends `Stats has 2 fields, 8 bytes: f32 mean at 0, u32 n at 4` for a structure, with its first 32 fields. */
void layout_text(const struct ctype *t, struct text *out);
/* Appends `; ` and the layout of a structure, or of the structures in an array; nothing for other types or NULL. */
void layout_explain(const struct ctype *t, struct text *out);

#endif
