/* Modules of a CUDA program: registered by the runtime API, opened by the driver API, or linked at run time.
 *
 * A registered module is loaded when something of it is first needed, so a program with hundreds of kernels starts as fast as a small one. Each
 * module has its own names. The debugger was notified of changes (debug_module_changed) when a function here returns. Nothing of a module may be
 * queued or running when it is closed. */
#ifndef SERVER_MODULE_MODULE_H
#define SERVER_MODULE_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "server/channel/status.h"
#include "server/cuda/fatbin.h"

struct debug;
struct modules;
struct module;

/* Callbacks of the owner of all modules; `program` and `capability` are needed. */
struct modules_host {
	void *self;
	const char *program;			   /* the program's path: names and sources are looked for in its folder */
	uint32_t (*capability)(void *self);	   /* the device's capability, 75 for 7.5: called when PTX is chosen */
	uint32_t (*context)(void *self);	   /* the context for which modules are loaded now; NULL: 0 */
	void (*say)(void *self, const char *line); /* prints a line for the user, with a newline */
	void (*unpacked)(void *self, const char *ptx, size_t n); /* PTX was taken out of the program; NULL: nothing is done with it */
	const char *ptx_file; /* the PTX of each registered module, in place of its own (PTX_SIM_USE_PTX_FILE); NULL: its own */
	uint32_t most;	      /* highest target of PTX to choose, 75 for sm_75; 0: any */
	bool most_is_strict;  /* modules without such PTX aren't loaded; else `most` is ignored for them */
	void (*loaded)(
		void *self,
		const char *notes); /* notes about breakpoints that got a location by the load, each with a newline */
};

/* Messages for a program that gave buffers for them (CU_JIT_INFO_LOG_BUFFER ...): warnings and errors, a line each. */
struct module_log {
	struct text info, error;
};
/* Frees the texts of a log, which the caller owns. */
void module_log_free(struct module_log *l);

/* Creates an empty set of modules for the program of `d`'s device, which modules_destroy frees. Copies *host, but not the path host->program, which
 * must outlive the set. */
struct modules *modules_create(struct debug *d, const struct modules_host *host);
/* Frees a set with all its modules; loaded code stays in the program. NULL is ignored. */
void modules_destroy(struct modules *ms);
/* Stores cubin number `k` of the loaded module with a number among the program's modules, as the driver would choose it for the device; the set owns it. Returns
 * false if there are no more, or the cubins are too large to be kept. */
bool modules_machine_code(const struct modules *ms, uint32_t number, unsigned k, const void **elf, size_t *n);
/* Turns notes about breakpoints that a load or unload affects on or off; they are on at first. */
void modules_set_notes(struct modules *ms, bool on);
/* Returns the highest target of all PTX registered so far, 75 for sm_75, also of closed modules; at most modules_host.most, if any is. Returns 0 if
 * there is no PTX. */
uint32_t modules_highest(const struct modules *ms);

/* ---- opening and closing ---- */

/* Registers the fat binaries that a wrapper leads to, as __cudaRegisterFatBinary does, without loading them; leaves out libcudadevrt. Sets *error to
 * WIRE_OK. Copies *from, which must be valid when the module is loaded, or replaced by module_set_reader. Returns NULL, with *error
 * WIRE_INVALID_IMAGE, if they are damaged or can't be read. */
struct module *module_register(struct modules *ms, const struct fatbin_reader *from, uint64_t wrapper,
			       enum wire_status *error);
/* Replaces the reader by which the module is loaded later, by a copy of *from: the reader of the registration may no longer be valid. */
void module_set_reader(struct module *m, const struct fatbin_reader *from);
/* Opens and loads an image as cuModuleLoadData does: PTX that ends with a 0, a fat binary, its wrapper, or a linked image. Appends messages to `log`,
 * unless NULL; sets *error to 0. Returns NULL, with *error, if it is none of these, has no PTX, or has errors or undefined names. */
struct module *module_open(struct modules *ms, const struct fatbin_reader *from, uint64_t image, struct module_log *log,
			   enum wire_status *error);
/* Opens and loads an image of n bytes, read from file `path`, as cuModuleLoad does; the bytes aren't needed afterwards. Appends messages to `log`,
 * unless NULL; sets *error to 0. Returns NULL, with *error, if it can't be read, has no PTX, or has errors or undefined names. */
struct module *module_open_bytes(struct modules *ms, const char *path, const void *bytes, size_t n,
				 struct module_log *log, enum wire_status *error);
/* Unloads a module from the program, if it was loaded, notifies the debugger, and frees the module. */
void module_close(struct module *m);
/* Closes a module at the end of a run of the program. Its code keeps its addresses: the next run gets them if it loads the same texts before it loads
 * another module. */
void module_park(struct module *m);

/* ---- contents ---- */

/* Gets the function index of the kernel with PTX name `name`; loads the module if needed. Returns 0, WIRE_NOT_FOUND if there is none, or the error of
 * the load, which isn't tried again. */
enum wire_status module_function(struct module *m, const char *name, uint32_t *function);

struct module_variable {
	uint64_t address, bytes; /* address as gpu_read and gpu_write take it */
	bool is_constant, is_managed;
};
/* Gets address, size and kind of the global or constant variable with PTX name `name`; loads the module if needed. Returns 0, WIRE_NOT_FOUND if there
 * is none or it is a texture or surface reference, or the error of the load. */
enum wire_status module_variable(struct module *m, const char *name, struct module_variable *out);

/* Gets the address of texture reference `name`, or with `is_surface` surface reference; loads the module if needed. Returns 0, WIRE_NOT_FOUND if
 * there is none of that kind, or the error of the load. */
enum wire_status module_reference(struct module *m, const char *name, bool is_surface, uint64_t *address);
/* Returns whether a loaded module of the context has a texture or surface reference at `address`. */
bool modules_have_reference(const struct modules *ms, uint32_t context, uint64_t address);

/* Stores the function indices of the first `most` kernels in `functions`, and returns the number of all kernels; loads the module if needed. Returns
 * 0 if it can't be loaded. */
uint32_t module_kernels(struct module *m, uint32_t *functions, uint32_t most);

#endif
