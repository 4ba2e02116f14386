/* Diagnostics: messages with a place, collected in a list, never printed by the library. */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include <stddef.h>
#include <stdint.h>

struct text;

enum diag_severity { DIAG_ERROR, DIAG_WARNING, DIAG_NOTE };

/* One message. `file` is borrowed and may be NULL (no place); `line` and `col` count from 1, 0 means unknown.
 * `message` and `source` (the offending line without its newline, or NULL) are owned by the list. */
struct diag {
	enum diag_severity severity;
	const char *file;
	uint32_t line, col;
	char *message;
	char *source;
};

/* A growing list; initialise with {0} or diag_list_init. At most `limit` errors are kept (0: no limit), the
 * rest is counted only. */
struct diag_list {
	struct diag *v;
	size_t n, cap;
	size_t n_errors, n_warnings;
	size_t limit;
};

/* Makes an empty list without a limit. */
void diag_list_init(struct diag_list *l);
/* Frees the messages; the list is empty afterwards. */
void diag_list_free(struct diag_list *l);

/* Appends a message; `source` points into the input (n_source bytes, copied) or is NULL. */
__attribute__((format(printf, 8, 9))) void diag_add(struct diag_list *l, enum diag_severity severity, const char *file,
						    uint32_t line, uint32_t col, const char *source, size_t n_source,
						    const char *fmt, ...);

/* Appends `error: FILE:LINE:COL: message`, then the source line and a caret under the column (tabs kept). */
void diag_format(struct text *out, const struct diag *d);

#endif
