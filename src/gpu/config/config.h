/* Configurations: GPGPU-Sim's option files and command-line options, from the table options.def. */
#ifndef GPU_CONFIG_H
#define GPU_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/diag.h"
#include "base/text.h"
#include "gpu/config/allocation.h"

struct files;
struct config_option;  /* one row of options.def: name, kind, default for 3.2.2 and 4.x, range, help */
struct config;	       /* opaque: a value per option and where it was set */

/* Returns a new configuration in which no option is set. The caller frees it with config_free. */
struct config *config_create(void);
/* Sets how the configuration's files are read; NULL, as at first: files_of_host. `files` must outlive the configuration. */
void config_set_files(struct config *c, const struct files *files);
/* Sets the name that the user has given the configuration. */
void config_set_name(struct config *c, const char *name);
/* Returns the name that the user has given the configuration, or NULL if it is unknown. */
const char *config_name(const struct config *c);
/* Frees a configuration. NULL is ignored. */
void config_free(struct config *c);
/* Reads a configuration file in GPGPU-Sim's format. Returns false if there were errors, each in `diags` with file, line and column. */
bool config_load_file(struct config *c, const char *path, struct diag_list *diags);
/* Reads an open file that was found rather than named by the user; `path` is its name in messages. Options that make the simulator write files
 * are ignored with notes. Returns false if there were errors. */
bool config_load_found(struct config *c, FILE *f, const char *path, struct diag_list *diags);
/* Sets options from a text of `-name value` pairs (command line -o), which take precedence over files. Returns false if there were errors,
 * with messages in `diags`. */
bool config_set_text(struct config *c, const char *text, struct diag_list *diags);
/* Applies the defaults of the chosen baseline and checks relations between options. The caller calls it once after all options are set.
 * Returns false if there were errors. */
bool config_finish(struct config *c, struct diag_list *diags);

/* Returns the value of an integer or size option. `name` has no leading dash and must be an option of that kind. */
int64_t config_int(const struct config *c, const char *name);
/* Returns the value of an option as text, set or default. `name` has no leading dash and must exist. The configuration owns the text. */
const char *config_string(const struct config *c, const char *name);
/* Returns true if the value of an option isn't 0. `name` has no leading dash and must be an integer option. */
bool config_bool(const struct config *c, const char *name);
/* Returns true if a file or the command line has set the option. Returns false for an unknown option. */
bool config_is_set(const struct config *c, const char *name);
/* Returns true if the command line has set the option (-o). Returns false for an unknown option. */
bool config_is_set_by_hand(const struct config *c, const char *name);

/* Returns GPGPU-Sim's rules for a core of these numbers: registers by the warp, four a thread at a time. */
struct allocation_rules allocation_of_gpgpusim(uint32_t threads, uint32_t warp_threads, uint32_t blocks, uint32_t registers, uint32_t shared_bytes);
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
	uint32_t independent_from; /* ways of a warp make progress independently if the compute capability is this or above (70: 7.0) */
	struct allocation_rules rules; /* by which blocks fit on a core */
	uint32_t stream_step; /* bytes from an element of a stream to the next; 0: no stream buffers */
	uint32_t warp_threads; /* lanes of a warp that are used */
	uint32_t capability; /* compute capability that the config sets, 0: that of each module's target */
};
/* Stores the decoded options that functional mode needs. */
void config_device(const struct config *c, struct config_device *out);
struct machine_limits;
/* Returns false with an error in `diags` if -gpgpu_heap_start lies beyond this host's device memory. */
bool config_fits(const struct config *c, const struct machine_limits *limits, struct diag_list *diags);

/* Adds the output of `info config`: one option with its help, or the options that match a glob. A NULL or empty `name` means all options.
 * Returns false if no option matches. */
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
/* Stores the name and value of option i of the table. Returns false if the command line doesn't set the option to another value than the files, or the
 * baseline's default. */
bool config_override(const struct config *c, unsigned i, const char **name, const char **value);
/* Returns the name of option `i` of the table without the dash, or NULL if the table is shorter. */
const char *config_option_name(unsigned i);
/* Adds `; did you mean 'NAME'?` with the option nearest to an unknown name, or nothing if none is near. */
void config_suggest(const char *name, struct text *out);

/* Returns the registers per thread that -gpgpu_kernel_registers gives for a kernel, by its name in the PTX or in C++. Returns 0 if the option doesn't name
 * the kernel. */
uint32_t config_kernel_registers(const struct config *c, const char *kernel);

/* What a kernel prefers of the memory that L1D and shared memory have together. */
enum config_cache { CONFIG_CACHE_DEFAULT, CONFIG_CACHE_L1, CONFIG_CACHE_SHARED };
/* Returns what a kernel prefers, L1D or shared memory: as -gpgpu_kernel_cache says, else the program's `preference` (cudaFuncSetCacheConfig), if the
 * configuration has options for a machine that is divided so. CONFIG_CACHE_DEFAULT: neither. */
enum config_cache config_kernel_cache(const struct config *c, const char *kernel, enum config_cache preference);
/* Adds a note for each name in -gpgpu_kernel_registers and -gpgpu_kernel_cache that means none of the kernels. kernel(self, k) returns the PTX name
 * of kernel k, or NULL behind the last. */
void config_unmatched_kernels(const struct config *c, const char *(*kernel)(void *self, uint32_t k), void *self, struct text *out);
/* Returns the bytes of shared memory per core while a kernel with that preference runs. */
uint32_t config_shared_bytes(const struct config_device *d, enum config_cache preference);

struct record_reader;
/* Adds all set values with their origin and the network's file to a record, from which config_of_record needs no file. */
void config_record(const struct config *c, struct text *out);
/* Returns a new configuration that is read from a record, or NULL if the record is invalid. The caller frees it with config_free. */
struct config *config_of_record(struct record_reader *r);
/* Copies the values of `own` for options that name output files into `c`. config_of_record takes none of these values from a record. */
void config_keep_outputs(struct config *c, const struct config *own);
/* Returns true if two configurations describe the same machine. The path of the network's file is not compared, but its contents are. */
bool config_is_same(const struct config *a, const struct config *b);

/* Stores the path of the configuration called `name`: a file, or a folder with a gpgpusim.config, also under configs/. Returns false if there
 * is none. */
bool config_find(const struct files *files, const char *name, struct text *path);
/* Stores a message that no configuration has that name, with the names that exist. */
void config_missing(const char *name, struct text *out);

#endif
