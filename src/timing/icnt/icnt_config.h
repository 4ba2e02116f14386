/* The network's options: the table's rows and a configuration's values. Private to the interconnect. */
#ifndef TIMING_ICNT_CONFIG_H
#define TIMING_ICNT_CONFIG_H

#include "timing/icnt/icnt.h"

enum icnt_option_kind { ICNT_INT, ICNT_REAL, ICNT_WORD, ICNT_INTS, ICNT_REALS };
enum icnt_option_use { ICNT_USE_MODEL, ICNT_USE_NONE, ICNT_USE_WARN, ICNT_USE_ONLY };

struct icnt_option {
	const char *name;
	enum icnt_option_kind kind;
	const char *fallback;
	double least, most;
	const char *words;
	enum icnt_option_use use;
	const char *help;
};

enum icnt_option_row {
#define OPTION(name, kind, fallback, least, most, words, use, help) ICNT_OPT_##name,
#include "timing/icnt/icnt_options.def"
#undef OPTION
	ICNT_OPT_COUNT
};
extern const struct icnt_option icnt_options[ICNT_OPT_COUNT];

/* A value of an option. */
struct icnt_value {
	char *text; /* owned, NULL: the default */
	double number;
	const char *file; /* that set it, one of the paths below; NULL: the default, or an override */
	uint32_t line, column; /* of the option's name there */
};
struct icnt_config {
	struct icnt_value v[ICNT_OPT_COUNT];
	char **paths; /* of the files read: diagnostics borrow them */
	size_t n_paths, cap_paths;
};

/* Returns the row of an option's name of n bytes (names of GPGPU-Sim 3.1 included), or -1 if it is unknown. */
int icnt_option_find(const char *name, size_t n);
/* Returns the option name nearest to a word of n bytes. */
const char *icnt_option_nearest(const char *name, size_t n);
/* Returns the text of an option's value, or of its default if it is not set. */
const char *icnt_config_text(const struct icnt_config *c, enum icnt_option_row row);
/* Returns the value of an INT option. */
static inline int64_t icnt_config_int(const struct icnt_config *c, enum icnt_option_row row)
{
	return (int64_t)c->v[row].number;
}
/* Returns the value of a REAL option. */
static inline double icnt_config_real(const struct icnt_config *c, enum icnt_option_row row)
{
	return c->v[row].number;
}
/* Stores the numbers of an option's {list}, or its single number, in `out`, at most `most` of them. Returns how many were stored; stops at the first
 * word that is no number. */
unsigned icnt_config_list(const struct icnt_config *c, enum icnt_option_row row, int64_t *out, unsigned most);
/* Sets the option of a row from a text of n bytes. Returns false with the reason in `why` if the value is bad. */
bool icnt_config_store(struct icnt_config *c, int row, const char *value, size_t n, struct text *why);

#endif
