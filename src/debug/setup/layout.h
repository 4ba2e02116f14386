/* Structures that users declare by their fields, `struct Stats {f32 mean, u32 n}`, where no debug information has them; and a structure's
 * layout in a message. */
#ifndef DEBUG_LAYOUT_H
#define DEBUG_LAYOUT_H

#include "debug/internal.h"

/* A type at *s that isn't one of PTX's numbers: NAME, struct NAME, {TYPE FIELD, ...}, float4; *s moves after it. NULL, with the reason: none. */
const struct ctype *layout_parse_type(struct debug *d, const char **s, struct text *why);
/* NAME or (NAME) in front of a brace; *s moves to the brace. NULL, without a reason: no such type stands there. */
const struct ctype *layout_type_before(struct debug *d, const char **s);

/* `Stats`, or `{f32 mean, u32 n}` of one without a name. */
void layout_name(const struct ctype *t, struct text *out);
/* The same with all its fields, as layout_parse_type takes it. */
void layout_source(const struct ctype *t, struct text *out);
/* `Stats has 2 fields, 8 bytes: f32 mean at 0, u32 n at 4` */
void layout_text(const struct ctype *t, struct text *out);
/* `; ` and that of the structures in an array, or of the one that it is; nothing for other types. */
void layout_explain(const struct ctype *t, struct text *out);

#endif
