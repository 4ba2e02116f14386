/* How often the lines of a source were executed. Inside src/command only. */
#ifndef COMMAND_LINE_COUNTS_H
#define COMMAND_LINE_COUNTS_H

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
/* Counts the executions, 0 included, of each line with code of the sources that `of` selects; sorted by file and line. out->all gets the sum of all
 * instructions. The caller frees with line_counts_free. */
void line_counts_collect(struct debug *d, enum line_counts_of of, struct line_counts *out);
/* Frees the counts of lines, but not *c. */
void line_counts_free(struct line_counts *c);
/* Returns the count of a line, valid until line_counts_free. Returns NULL if no counted instruction is of that line. */
const struct exec_count *line_counts_find(const struct line_counts *c, uint32_t file, uint32_t line);

/* Appends the launches that the statistics are of where only some launches are covered: `launch 2`, `launches 2, 37 and 3 more`. Returns false if all
 * launches are covered. */
bool line_counts_launches(const struct debug *d, struct text *out);
/* Appends the titles of the columns, the one for cycles only with `has_cycles`, and a newline. */
void line_counts_title(bool has_cycles, struct text *out);
/* Adds the cells `executions` and, if it was executed, average `lanes` and, with `has_cycles`, `latency_cycles` of a line. Adds none if `n` is NULL.
 * Also appends the columns for people. */
void line_counts_describe(bool has_cycles, const struct exec_count *n, struct report *answer);

#endif
