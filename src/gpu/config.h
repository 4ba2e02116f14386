/* Configurations: GPGPU-Sim's option files and command-line options, from the table options.def. */
#ifndef GPU_CONFIG_H
#define GPU_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/diag.h"
#include "base/text.h"

struct config_option;  /* one row of options.def: name, kind, default for 3.2.2 and 4.x, range, help */
struct config;	       /* opaque: a value per option and where it was set */

struct config *config_create(void);
void config_free(struct config *c);
/* Reads a file in GPGPU-Sim's format. False if there were errors (all in diags, with file:line:col). */
bool config_load_file(struct config *c, const char *path, struct diag_list *diags);
/* Reads a file that the user hasn't named, but that was found, `f` under the name `path`. Its options that make the simulator write files are
 * ignored, with notes. */
bool config_load_found(struct config *c, FILE *f, const char *path, struct diag_list *diags);
/* One `-name value` text (command line -o): wins over files. */
bool config_set_text(struct config *c, const char *text, struct diag_list *diags);
/* Defaults of the chosen baseline, relations between options; call once all is set. */
bool config_finish(struct config *c, struct diag_list *diags);

/* Values by option name (without leading dash); the option must exist with that kind. */
int64_t config_int(const struct config *c, const char *name);
const char *config_string(const struct config *c, const char *name);
bool config_bool(const struct config *c, const char *name);
/* Somebody has set it: in a file, or with -o. */
bool config_is_set(const struct config *c, const char *name);
bool config_is_set_by_hand(const struct config *c, const char *name); /* with -o */

/* Returns the compute capability that the config sets, 75 for 7.5. Returns 0 if it sets none. */
uint32_t config_capability(const struct config *c);

/* What functional mode needs, decoded. */
struct config_device {
	uint32_t n_clusters, cores_per_cluster, threads_per_core, ctas_per_core, shared_bytes_per_core, registers_per_core, max_cta_threads;
	uint32_t shared_bytes_pref_l1, shared_bytes_pref_shared; /* a core's, while a kernel runs that prefers L1, shared memory */
	uint64_t heap_start, heap_guard, max_cycle, max_insn, max_cta; /* limits: 0: none */
	double copy_rate;      /* bytes in a second between host and device, in each direction; 0: copies take no time */
	uint64_t memory_bytes; /* that CUDA programs may allocate */
	uint64_t stack_bytes; /* local memory a thread's calls may use */
	int sm; /* capability forced, 0: from the PTX */
	uint32_t independent_from; /* ways of a warp make progress independently if the compute capability is this or above (70: 7.0) */
	uint32_t capability; /* compute capability that the config sets, 0: that of each module's target */
};
void config_device(const struct config *c, struct config_device *out);
/* False, with an error: what somebody has set doesn't fit into this host's memory. */
struct machine_limits;
bool config_fits(const struct config *c, const struct machine_limits *limits, struct diag_list *diags);

/* `info config [NAME|GLOB]`: every option with value, default, where set, or those that match; one option with its help. False: no such option. */
bool config_print(const struct config *c, const char *name, struct text *out);
/* A row of `info config`: an option and its value. */
struct config_row {
	const char *name, *value, *default_value, *help; /* value NULL: the chosen baseline doesn't know the option */
	bool is_set;
	const char *file; /* where it is set; NULL: on the command line */
	uint32_t line;
};
/* Stores row i of the table of options. Returns false if there are fewer. */
bool config_row(const struct config *c, unsigned i, struct config_row *out);
const char *config_option_name(unsigned i); /* without the dash; NULL: there are fewer */
void config_suggest(const char *name, struct text *out); /* of an option that isn't: `; did you mean 'NAME'?`, or nothing */

/* Registers per thread given for a kernel by -gpgpu_kernel_registers, 0: none. */
uint32_t config_kernel_registers(const struct config *c, const char *kernel);

/* What a kernel prefers of the memory that L1D and shared memory have together, by -gpgpu_kernel_cache. */
enum config_cache { CONFIG_CACHE_DEFAULT, CONFIG_CACHE_L1, CONFIG_CACHE_SHARED };
enum config_cache config_kernel_cache(const struct config *c, const char *kernel);
/* Shared memory of a core while a kernel of that preference runs. */
uint32_t config_shared_bytes(const struct config_device *d, enum config_cache preference);

/* Values, who set them, and what the network's file says, for config_of_record, which gives NULL if it is none. Such a configuration needs no file. */
struct record_reader;
void config_record(const struct config *c, struct text *out);
struct config *config_of_record(struct record_reader *r);
/* Gives c the values of `own` of the options that name files to be written: config_of_record takes none of these. */
void config_keep_outputs(struct config *c, const struct config *own);
/* Do they mean the same machine? */
bool config_is_same(const struct config *a, const struct config *b);

/* Path of the config called `name` (a folder under configs/ or a file); false if there is none. */
bool config_find(const char *name, struct text *path);
/* That there is none of that name, and which there are. */
void config_missing(const char *name, struct text *out);

#endif
