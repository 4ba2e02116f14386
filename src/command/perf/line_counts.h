/* How often the lines of a source were executed. Inside src/debug only. */
#ifndef DEBUG_LINE_COUNTS_H
#define DEBUG_LINE_COUNTS_H

#include "debug/ground/ground.h"
#include "debug/view/source.h"

struct line_count {
	struct debug_position at;
	struct exec_count n;
};
struct line_counts {
	struct line_count *v; /* by file and line */
	size_t n;
	struct exec_count all; /* of all lines */
};
/* Lines of PTX, of the CUDA source, or of that where there is .loc, else of PTX. Code inlined from a toolkit's header counts as the line it was
 * inlined at, but for LINE_COUNTS_HEADER. */
enum line_counts_of { LINE_COUNTS_PTX, LINE_COUNTS_CUDA, LINE_COUNTS_HEADER, LINE_COUNTS_BEST };
/* Collects how often the lines of a source were executed. The caller frees with line_counts_free. */
void line_counts_collect(struct debug *d, enum line_counts_of of, struct line_counts *out);
/* Frees the counts of lines. */
void line_counts_free(struct line_counts *c);
/* Returns the count of a line. Returns NULL if no instruction is of that line. */
const struct exec_count *line_counts_find(const struct line_counts *c, uint32_t file, uint32_t line);

/* Appends the title of the columns; cycles only in performance mode. */
void line_counts_title(bool has_cycles, struct text *out);
/* Appends the columns in front of a line, blanks if `n` is NULL; cycles only in performance mode. */
void line_counts_columns(bool has_cycles, const struct exec_count *n, struct text *out);
/* Adds `executions`, `lanes` on average and `latency_cycles` of a line, none for a line without code, and appends the columns. */
void line_counts_describe(bool has_cycles, const struct exec_count *n, struct report *answer);

#endif
