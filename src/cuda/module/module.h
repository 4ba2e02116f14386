/* Modules of a CUDA program: opened from what the runtime API registers, from what the driver API is given, or from what was linked.
 *
 * What is registered is loaded when something of it is first asked for: a program with hundreds of kernels starts as fast as one with one.
 * All names of a module are its own; debug_program_changed has been called whenever a function here comes back. Nothing of a module may
 * be queued or running when it is closed. */
#ifndef CUDA_MODULE_MODULE_H
#define CUDA_MODULE_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "cuda/module/fatbin.h"

struct debug;
struct modules;
struct module;

/* As both of CUDA's APIs number them. */
enum module_error {
	MODULE_OK = 0,
	MODULE_INVALID_VALUE = 1,
	MODULE_OUT_OF_MEMORY = 2,
	MODULE_INVALID_IMAGE = 200,
	MODULE_NO_BINARY = 209, /* code there is, but no PTX */
	MODULE_INVALID_PTX = 218,
	MODULE_FILE_NOT_FOUND = 301,
	MODULE_NOT_FOUND = 500, /* no such function or variable */
	MODULE_UNKNOWN = 999	/* names that are defined nowhere, as cuLinkComplete has it */
};

/* What the owner of all modules gives; `program` and `capability` are needed. */
struct modules_host {
	void *self;
	const char *program;			   /* its path: names and sources are looked for beside it */
	uint32_t (*capability)(void *self);	   /* of the device, 75 for 7.5: asked when PTX is to be chosen */
	uint32_t (*context)(void *self); /* of the device, whose modules are those that are loaded now; NULL: 0 */
	void (*say)(void *self, const char *line); /* for whoever reads standard error, with a newline */
	void (*loaded)(void *self,
		       const char *notes); /* breakpoints that a module brought a place; each with a newline */
};

/* Texts for a program that gave buffers for them (CU_JIT_INFO_LOG_BUFFER ...): warnings and errors, a line each. */
struct module_log {
	struct text info, error;
};
void module_log_free(struct module_log *l);

struct modules *modules_create(struct debug *d, const struct modules_host *host);
void modules_destroy(struct modules *ms);	/* forgets them; what they loaded stays in the program */
void modules_tell(struct modules *ms, bool on); /* what loading does to breakpoints: on at first */
/* The highest target of all PTX that was registered so far, 0: there is none. */
uint32_t modules_highest(const struct modules *ms);

/* ---- opening and closing ---- */

/* __cudaRegisterFatBinary: reads headers only. NULL: see *error. */
struct module *module_register(struct modules *ms, const struct fatbin_reader *from, uint64_t wrapper,
			       enum module_error *error);
/* Through what its bytes are read when it is loaded: what it was registered with may be gone by then. */
void module_read_by(struct module *m, const struct fatbin_reader *from);
/* cuModuleLoadData and the like: PTX that ends with a 0, a fat binary, its wrapper, or what linker_complete made. Loaded at once. `log`
 * may be NULL. */
struct module *module_open(struct modules *ms, const struct fatbin_reader *from, uint64_t image, struct module_log *log,
			   enum module_error *error);
/* The same from bytes that were read from a file, for cuModuleLoad: `path` names it in messages. */
struct module *module_open_bytes(struct modules *ms, const char *path, const void *bytes, size_t n,
				 struct module_log *log, enum module_error *error);
void module_close(struct module *m);

/* ---- what is in it ---- */

/* Loads it if it isn't yet. A module that can't be loaded says so each time, to `say` only once. */
enum module_error module_load(struct module *m);
/* A kernel by its PTX name: the index of its function in the program. */
enum module_error module_function(struct module *m, const char *name, uint32_t *function);

struct module_variable {
	uint64_t address, bytes; /* address as the device and gpu_read, gpu_write have it */
	bool is_constant, is_managed;
};
enum module_error module_variable(struct module *m, const char *name, struct module_variable *out);

/* A texture or surface reference: the address of its variable. */
enum module_error module_reference(struct module *m, const char *name, bool is_surface, uint64_t *address);
/* Is one of a context's loaded modules there? */
bool modules_have_reference(const struct modules *ms, uint32_t context, uint64_t address);

/* Its kernels, in their order: writes the first `most`; returns how many there are. 0 if it can't be loaded. */
uint32_t module_kernels(struct module *m, uint32_t *functions, uint32_t most);
/* As users see it and may write it: 'app.ptx'::NAME. "" until it is loaded. */
const char *module_name(const struct module *m);

#endif
