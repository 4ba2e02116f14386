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

/* Where a value is written. `file` is NULL for the command line; `source` is the line's text, or NULL. */
struct config_place {
	const char *file, *source;
	uint32_t line, col;
};

/* A value and where it came from. text, under, file and source are owned; file is NULL for defaults and the command line. */
struct config_value {
	char *text; /* NULL: the default */
	char *under; /* the file's value that the command line has replaced; NULL: none */
	int64_t number;
	double real;
	char *file, *source;
	uint32_t line, col;
};

struct config {
	const struct files *files;   /* how files are read; NULL: files_of_host */
	struct config_value *values; /* one per row of options.def */
	int baseline;		     /* 3 or 4; 0 until config_finish */
	bool has_accelwattch;	     /* options of AccelWattch were skipped */
	char *name;		     /* as the user has named it; NULL: unknown */
	char **paths;		     /* names of files read, kept because diagnostics borrow them */
	size_t n_paths, cap_paths;
	char *network; /* names and values in place of inter_config_file (record.c); NULL: that counts */
	size_t n_network;
};

extern const struct config_option config_options[];
extern const unsigned config_option_count;

/* An option that 4.x has under another name. */
#define CONFIG_RENAMED 3
struct config_rename {
	const char *v3, *v4;
};
extern const struct config_rename config_renamed[CONFIG_RENAMED];

/* Returns the row of the option whose name has `n` bytes at `name`, or -1 if there is no such option. */
int config_option_find(const char *name, size_t n);
/* Returns the option name nearest to a misspelt one, never NULL. */
const char *config_option_nearest(const char *name, size_t n);
/* Returns the text of an option's value, set or default; "" if there is neither. The configuration owns it. */
const char *config_text(const struct config *c, int row);
/* Checks and stores one value. Copies the place. Returns false with a message in `why` if the value is bad. */
bool config_store(struct config *c, int row, const char *text, size_t n, const struct config_place *place, struct text *why);
/* Adds an error about an option's value, with the place where the value is written. */
__attribute__((format(printf, 4, 5))) void config_error(const struct config *c, const char *option, struct diag_list *diags, const char *fmt,
							...);
/* Adds the meaning of a value that consists of several numbers or letters. Adds nothing for other options. */
void config_explain(const struct config *c, int row, struct text *out);
/* Reports errors for malformed values of options that name kernels. */
void config_check_kernel_options(const struct config *c, struct diag_list *diags);
/* Adds one note that names all options that are set, differ from their default, and have no effect. */
void config_note_without_effect(const struct config *c, struct diag_list *diags);
/* Reports errors for values that aren't modelled: of the performance model's options if `timing` is true, else of those of both modes. */
void config_refuse_unmodelled(const struct config *c, bool timing, struct diag_list *diags);

#endif
