/* The library loaded into CUDA programs: the runtime and driver API as calls to the debugger. It contains no simulator and needs libc only.
 *
 * The process-wide state is channel.c's `struct host` and registration.c's table; each thread has a `struct host_thread`. A call takes the thread's
 * slot in the shared memory, writes a message into its ring and, if it waits, carries out the debugger's requests meanwhile. */
#ifndef HOST_HOST_H
#define HOST_HOST_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cuda/channel/errors.h"
#include "cuda/channel/wire.h"
#include "host/core/lock.h"

/* A signal handler may make calls in the middle of another call: nothing hangs, and impossible calls return cudaErrorNotPermitted. Locks know their
 * holder (lock.h), a call of the channel is noted in its thread, and so is malloc (core/allocate.c), which all files here use. */

/* Returns whether an object of the program contains a runtime that couldn't be replaced; a note about it was printed. */
bool host_has_hidden_runtime(void);
/* Records that an object of the program contains a runtime that couldn't be replaced. */
void host_note_hidden_runtime(void);
/* Entry points are named ws_NAME here; the libraries that programs link export NAME (entries.def), and redirected programs jump here. */
#define API_OF(type, name) __attribute__((visibility("default"))) type ws_##name
#define API(name) API_OF(int, name)

struct host_dim {
	unsigned x, y, z;
};

/* The launch configuration between <<< and >>>. */
struct host_configuration {
	struct host_dim grid, block;
	size_t shared;
	void *stream;
	const void *caller;
};
#define HOST_PUSHED_MAX 8u

struct host_thread {
	struct wire_slot *slot; /* NULL: no slot so far */
	uint32_t slot_index;
	unsigned generation;   /* generation of the connection that the slot belongs to */
	int error;	       /* the error that cudaGetLastError returns next */
	bool in_call;	       /* true during a call of the channel */
	bool connects;	       /* true while connecting */
	bool allocates;	       /* true in malloc (core/allocate.c) */
	void *_Atomic to_free; /* memory to free after malloc; each block holds the address of the next */
	unsigned holds;	       /* number of locks it holds */
	uint32_t number;       /* identifies the thread in locks, from 1; 0: it has taken none */
	struct host_configuration pushed[HOST_PUSHED_MAX];
	unsigned n_pushed;
	uint64_t stream;	    /* its per-thread default stream; 0: none so far */
	unsigned stream_generation; /* generation of streams in which `stream` was created */
	bool per_thread;	    /* stream 0 means the per-thread stream in the current call */
	const void *caller;	    /* return address for the current call; NULL: the function's own */
	bool in_graph;		    /* the current calls are those of a graph's nodes */
	int capture_mode;
	bool has_context;	   /* true if a context is current and in use */
	bool by_driver;		   /* the current call is a call of the driver API */
	const void *launches_from; /* return address of the last <<<>>> */
};
/* Returns the state of the calling thread. */
struct host_thread *host_thread(void);

/* ---- the channel (channel.c) ---- */
/* Connects to the debugger if that hasn't been done. Returns 0, or the CUDA error of the failure. */
int host_connect(void);
/* Returns the device's properties, valid once connected. */
const struct wire_device *host_device(void);
/* Returns the error with which the context has failed and which every call returns; 0: none. */
int host_sticky(void);
/* Returns the socket to the debugger. */
int host_socket(void);
/* Sends a call with n_in bytes of arguments and a payload. waits: waits for the answer and copies n_out bytes of results to `out`. Returns 0 or an
 * error. */
int host_call(enum wire_call call, bool waits, const void *in, size_t n_in, const void *payload, size_t n_payload,
	      void *out, size_t n_out);
/* Maps device memory that this process shares: whole pages at their device address, or at `at` if it isn't NULL. Returns false on failure. */
bool host_map(uint64_t address, uint64_t bytes, void *at);
/* Replaces shared device memory by reserved addresses. */
void host_unmap(uint64_t address, uint64_t bytes);
/* Drops the advice for memory that is freed (memory/advice.c). */
void host_advice_drop(uint64_t begin, uint64_t bytes);
/* Frees memory from cudaMallocManaged. Returns 0 or an error. */
int host_free_managed(void *p);
/* Returns the number of a stream for calls, by its handle, or a number that no stream has; creates the per-thread stream if needed. */
uint64_t host_stream(const void *handle);
/* Returns whether the handle is of an existing stream, or of a default stream. */
bool host_stream_lives(const void *handle);
#define HOST_STREAM_OF_THREAD 2u /* the handle cudaStreamPerThread */
/* Notes that a stream exists, or was destroyed. */
void host_stream_note(uint64_t number, bool exists);
/* Returns the handle of a stream by its number. */
void *host_stream_handle(uint64_t stream);
/* Returns a number that changes when a reset destroys all streams. */
unsigned host_stream_generation(void);
/* Frees the attributes of a destroyed stream. */
void host_stream_drop_attributes(uint64_t stream);
/* Marks all streams as destroyed after a reset. */
void host_reset_streams(void);
/* Copies within this process. Returns false if the memory can't be read or written. */
bool host_copy(void *to, const void *from, size_t n);

/* Functions call_NAME(&in, payload, n, &out) for the calls of calls.def: n bytes of payload follow the arguments. */
#define WAITS true
#define LATER false
#define CALL(name, kind, i, o) \
	static inline int call_##name(const struct call_##name *in, const void *payload, size_t n, \
				      struct call_##name##_out *out) \
	{ \
		return host_call(CALL_##name, kind, in, sizeof *in, payload, n, out, sizeof *out); \
	}
#include "cuda/channel/calls.def"
#undef CALL

/* Prepares a call that needs the device; makes the primary context current if no context is. Returns 0, or the error to return. */
int host_enter(void);
/* Makes the primary context current in this thread, in place of the current context (driver/contexts.c). */
void host_use_primary_context(void);
/* Returns 0 if a context is current, for functions of the driver API; else the error to return. */
int host_need_context(void);
/* Marks the primary context as unused after a reset. */
void host_reset_primary_context(void);
/* Records the error of an entry point for cudaGetLastError and logs it; returns the error. */
int host_leave_as(const char *function, int error);
#define host_leave(error) host_leave_as(__func__, error)
/* Adds a line about an error to the log and calls the program's log callbacks (core/error_log.c). */
void host_log_error(const char *function, int error);

/* ---- fat binaries (registration.c) ---- */
#define HOST_KERNEL_ATTRIBUTES 16
struct host_kernel {
	const char *name;
	struct host_module *module;
	struct wire_kernel *info; /* NULL: not looked up so far */
	unsigned generation;	  /* generation of modules in which it was looked up */
	struct host_kernel *next;
	struct host_kernel *gone; /* next of the kernels whose libraries were closed */
	bool is_gone;
	size_t dynamic_most; /* dynamic shared memory that the program has opted in to; 0: none */
	int attribute
		[HOST_KERNEL_ATTRIBUTES]; /* attributes set by the program, by cudaFuncAttribute; the carveout plus 1 */
	const void *function;
};
/* Returns a kernel by the address of its stub or by its handle; looks it up in the debugger if needed. Returns NULL with *error. */
struct host_kernel *host_kernel_of(const void *function, int *error);
/* Returns an attribute of a kernel, by cudaFuncAttribute, from 8 on (launch/function.c). */
int host_kernel_attribute(const struct host_kernel *k, int attribute);
/* Gets address and size of a variable by the program's shadow of it. Returns 0 or an error. */
int host_variable_of(const void *symbol, uint64_t *address, uint64_t *bytes);
/* ---- modules that the program opens by itself (registration.c, library.c): libraries of the runtime, modules of the driver API ---- */
struct host_module;
/* Buffers for messages about PTX, as options of both APIs request them. */
struct host_logs {
	struct wire_logs wire;
	void **info_used, **error_used; /* where to store the sizes of the messages; NULL: nowhere */
};
/* Reads the log buffers from n options, and empties the buffers. */
void host_logs_begin(struct host_logs *l, const int *options, void **values, unsigned n);
/* Stores the sizes of the messages in the options. */
void host_logs_end(const struct host_logs *l);
/* Opens a module from an image in memory. bytes: size of a file named `path`; 0: the image ends by itself. Returns 0 or an error. */
int host_module_open(const void *image, size_t bytes, const char *path, const struct wire_logs *logs,
		     struct host_module **out);
/* Returns the contents of a file, *n bytes, which the caller frees; NULL if it is no readable file. */
char *host_read_file(const char *path, size_t *n);
/* Opens a module from a file. Returns 0 or an error. */
int host_module_open_file(const char *path, const struct wire_logs *logs, struct host_module **out);
/* Closes a module that the program opened. Returns 0 or an error. */
int host_module_close(struct host_module *m);
/* Gets a kernel of a module by name. Returns cudaErrorSymbolNotFound if there is none. */
int host_module_kernel(struct host_module *m, const char *name, struct host_kernel **out);
/* Gets address and size of a variable of a module by name. Returns cudaErrorSymbolNotFound if there is none. */
int host_module_variable(struct host_module *m, const char *name, uint64_t *address, uint64_t *bytes);
/* Gets the device address of a texture or surface reference, of a registered module too. Returns cudaErrorInvalidSymbol if there is none of that
 * name. */
int host_module_reference(struct host_module *m, const char *name, bool is_surface, uint64_t *variable);
/* Writes the first `most` kernels of a module; *n: how many there are. Returns 0 or an error. */
int host_module_kernels(struct host_module *m, struct host_kernel **kernels, unsigned most, unsigned *n);
/* Unloads modules whose objects were closed by dlclose since the last call. */
void host_unload_closed(void);
/* Registers all modules with the debugger, which chooses the device's capability by them. */
void host_register_modules(void);
/* Marks all modules as not loaded after a reset; they are loaded again on demand. */
void host_reset_modules(void);

/* ---- all entry points (entries.c) ---- */
/* Returns an entry point of the runtime by name, for toolkit 11, 12 or 13; NULL if there is none. */
void *host_entry_find(const char *name, unsigned toolkit);

/* Returns an entry point of the driver API by name; NULL if there is none (driver/entries.c). */
void *host_driver_entry(const char *name);
/* Prints once that a function isn't supported. Returns cudaErrorNotSupported, the same number as CUDA_ERROR_NOT_SUPPORTED. */
int host_say_unsupported(atomic_bool *said, const char *name);

/* Installs a SIGSEGV handler that reports the faulting address to the debugger, unless the program has a handler. */
void host_watch_faults(void);
/* Reports a fault to the debugger; safe in a signal handler. */
void host_note_fault(uint64_t address, uint64_t pc);

/* Prints a formatted line on standard error. */
__attribute__((format(printf, 1, 2))) void host_say(const char *fmt, ...);

/* In an entry point: the return address of the program's call. */
#define HOST_CALLER() host_caller(__builtin_return_address(0), __builtin_frame_address(0))
/* Returns the program's return address for a call: that of the current twin, or beyond a wrapper template. */
const void *host_caller(const void *return_address, void *const *frame);
/* Records the code range of a wrapper template of the toolkit's headers. */
void host_note_wrapper(uintptr_t begin, size_t bytes);

#endif
