/* The description of a sweep: a text of lines `NAME = VALUE | VALUE | ...`, and the combinations that it stands for. */
#ifndef SWEEP_SPEC_H
#define SWEEP_SPEC_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diag_list;

/* What a line sets. */
enum spec_kind { SPEC_CONFIG, SPEC_MODE, SPEC_SETUP, SPEC_SCRIPT, SPEC_KERNEL, SPEC_PROGRAM, SPEC_OPTION };

struct spec_value {
	char *text;
	uint32_t col; /* of its first character, from 1 */
};

/* One line with its values; at least one. */
struct spec_line {
	enum spec_kind kind;
	char *name; /* `config`, `setup`, ..., or an option with its dash */
	uint32_t line, col;
	struct spec_value *values;
	size_t n_values, cap_values;
	size_t stride; /* combination number / stride % n_values is the value's index; lines that are zipped have the same stride */
	bool is_zipped;
};

/* Initialise with {0}; spec_free releases it. */
struct spec {
	struct spec_line *lines;
	size_t n_lines, cap_lines;
	size_t n_combinations;
};

#define SPEC_COMBINATIONS_MAX 1000000u

/* Reads a description of n bytes. `file` is the name for messages and must outlive the list `errors`. Returns false, with the errors added, if
 * the text is wrong; the spec must be released in each case. */
bool spec_read(struct spec *s, const char *file, const char *text, size_t n, struct diag_list *errors);

/* Returns the value that line `line` has in combination `number`, counted from 0. The last line's value changes fastest. */
const char *spec_value_of(const struct spec *s, size_t line, size_t number);

/* Releases the description, which is empty afterwards. */
void spec_free(struct spec *s);

#endif
