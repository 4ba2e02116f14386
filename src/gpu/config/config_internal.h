/* Shared by the config files: the option table's rows and a configuration's values. */
#ifndef GPU_CONFIG_INTERNAL_H
#define GPU_CONFIG_INTERNAL_H

#include "gpu/config/config.h"

enum config_kind { CONFIG_INT, CONFIG_SIZE, CONFIG_BOOL, CONFIG_FLOAT, CONFIG_STRING };
enum config_origin { CONFIG_BOTH, CONFIG_V3, CONFIG_V4, CONFIG_OURS, CONFIG_POWER };

struct config_option {
	const char *name;
	enum config_kind kind;
	const char *default_v3, *default_v4; /* NULL: that baseline lacks the option */
	int64_t least, most;		     /* numbers only */
	enum config_origin origin;
	const char *help;
	bool writes_file; /* the simulator writes a file because of it */
};

/* A value and where it came from. text is owned; file is owned, NULL for defaults and the command line. */
struct config_value {
	char *text; /* NULL: the default */
	int64_t number;
	double real;
	char *file;
	uint32_t line;
};

struct config {
	const struct files *files;   /* how files are read; NULL: files_of_host */
	struct config_value *values; /* one per row of options.def */
	int baseline;		     /* 3 or 4; 0 until config_finish */
	char **paths;		     /* names of files read, kept because diagnostics borrow them */
	size_t n_paths, cap_paths;
	char *network; /* names and values in place of inter_config_file (record.c); NULL: that counts */
	size_t n_network;
};

extern const struct config_option config_options[];
extern const unsigned config_option_count;

/* Returns the row of the option whose name has `n` bytes at `name`, or -1 if there is no such option. */
int config_option_find(const char *name, size_t n);
/* Returns the option name nearest to a misspelt one, never NULL. */
const char *config_option_nearest(const char *name, size_t n);
/* Returns the text of an option's value, set or default; "" if there is neither. The configuration owns it. */
const char *config_text(const struct config *c, int row);
/* Checks and stores one value; false with a message in `why`. */
bool config_store(struct config *c, int row, const char *text, size_t n, const char *file, uint32_t line, struct text *why);
/* Adds the meaning of a value that consists of several numbers or letters. Adds nothing for other options. */
void config_explain(const struct config *c, int row, struct text *out);
/* Reports errors for values that aren't modelled: of the performance model's options if `timing` is true, else of those of both modes. */
void config_refuse_unmodelled(const struct config *c, bool timing, struct diag_list *diags);

#endif
