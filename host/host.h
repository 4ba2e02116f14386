/* What is loaded into a CUDA program: the runtime and driver API as calls to the debugger. No simulator in here, libc only.
 *
 * The process-wide state is channel.c's `struct host` and registration.c's table; each thread has a `struct host_thread`. A call takes the
 * thread's slot in the shared memory, writes a message into its ring and, if it waits, does meanwhile what the debugger asks of it. */
#ifndef HOST_HOST_H
#define HOST_HOST_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cuda/channel/errors.h"
#include "cuda/channel/wire.h"
#include "host/lock.h"

/* A signal handler's calls may come in the middle of another: nothing hangs, and what can't be done then is cudaErrorNotPermitted. Locks know
 * their holder (lock.h), a call of the channel is noted in its thread, and so is malloc (allocate.c), which all files here have theirs from. */

/* Some of the program's code has a runtime in it that couldn't be replaced, and that has been said. */
bool host_has_hidden_runtime(void);
/* Entry points are ws_NAME here; the libraries that programs link have NAME (entries.def), and redirected programs jump. */
#define API_OF(type, name) __attribute__((visibility("default"))) type ws_##name
#define API(name) API_OF(int, name)

struct host_dim {
	unsigned x, y, z;
};

/* Between <<< and >>>. */
struct host_configuration {
	struct host_dim grid, block;
	size_t shared;
	void *stream;
	const void *caller;
};
#define HOST_PUSHED_MAX 8u

struct host_thread {
	struct wire_slot *slot; /* NULL: none yet */
	uint32_t slot_index;
	unsigned generation;   /* of the connection that the slot is of */
	int error;	       /* what cudaGetLastError returns next */
	bool in_call;	       /* a signal handler must not disturb the call it interrupted */
	bool connects;	       /* nor the connecting */
	bool allocates;	       /* nor malloc (allocate.c) */
	void *_Atomic to_free; /* what it wanted to free meanwhile; each holds the address of the next */
	unsigned holds;	       /* locks */
	uint32_t number;       /* of those that take locks, from 1; 0: it hasn't yet */
	struct host_configuration pushed[HOST_PUSHED_MAX];
	unsigned n_pushed;
	uint64_t stream;	    /* its own default stream; 0: none yet */
	unsigned stream_generation; /* changes where a reset has ended all streams */
	bool per_thread;	    /* stream 0 is that, in the call it makes */
	const void *caller;	    /* of that call; NULL: whoever calls the function */
	bool in_graph;		    /* the calls it makes are those of a graph's nodes */
	int capture_mode;
	bool has_context;	   /* one of the driver API's is current, and in use */
	bool by_driver;		   /* the call it makes is one of the driver API's */
	const void *launches_from; /* where the <<<>>> is whose launch comes next */
};
struct host_thread *host_thread(void);

/* ---- the channel (channel.c) ---- */
/* Connects if that hasn't been done. 0, or the error of CUDA's that says why not. */
int host_connect(void);
/* The device's limits, valid once connected. */
const struct wire_device *host_device(void);
/* The error that the context has failed with and that everything returns; 0: none. */
int host_sticky(void);
int host_socket(void); /* to the debugger */
/* Sends a call. `waits`: until it is answered, with `n_out` bytes into `out`. */
int host_call(enum wire_call call, bool waits, const void *in, size_t n_in, const void *payload, size_t n_payload,
	      void *out, size_t n_out);
/* Memory of the device that this process shares: whole pages are mapped where the device has them, or `at` another place too. */
bool host_map(uint64_t address, uint64_t bytes, void *at);
void host_unmap(uint64_t address, uint64_t bytes);
void host_advice_forget(uint64_t begin, uint64_t bytes); /* advice.c: the memory is freed */
/* Of variables, and of what cudaMallocManaged gave. */
int host_free_managed(void *p);
/* A handle of a stream, as calls have it. */
uint64_t host_stream(const void *handle);
bool host_stream_lives(const void *handle);
void *host_stream_handle(uint64_t stream); /* its handle by its number */
unsigned host_stream_generation(void);
void host_stream_forget_attributes(uint64_t stream); /* attributes.c */
void host_forget_streams(void);			     /* after a reset */
/* Copies within this process; false: one of the two isn't readable, or writable. */
bool host_copy(void *to, const void *from, size_t n);

/* call_alloc(&in, NULL, 0, &out): as calls.def says; behind the arguments go n bytes. */
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

/* Runs before what needs the device, in the primary context if none is current: 0, or the error to return. */
int host_enter(void);
/* The primary context: current in this thread in place of the one that is; no longer used, after a reset (driver_context.c). */
void host_use_primary_context(void);
int host_need_context(void); /* of a function of the driver API: 0, or the error where none is current */
void host_forget_primary_context(void);
/* Notes what an entry point returns, for cudaGetLastError. */
int host_leave_as(const char *function, int error);
#define host_leave(error) host_leave_as(__func__, error)
void host_log_error(const char *function, int error); /* logs.c */

/* ---- fat binaries (registration.c) ---- */
#define HOST_KERNEL_ATTRIBUTES 16
struct host_kernel {
	const char *name;
	struct host_module *module;
	struct wire_kernel *info; /* NULL: not looked for yet */
	unsigned generation;	  /* of the modules that it was looked for in */
	struct host_kernel *next;
	struct host_kernel *gone; /* its library was closed: the next one of those */
	bool is_gone;
	size_t dynamic_most; /* dynamic shared memory that the program has opted in to; 0: it hasn't */
	int attribute
		[HOST_KERNEL_ATTRIBUTES]; /* what it has set of those that are kept, by cudaFuncAttribute; the carveout plus 1 */
	const void *function;
};
/* By the program's stub, or by what __cudaGetKernel gave; NULL: *error says why. */
struct host_kernel *host_kernel_of(const void *function, int *error);
/* One of its attributes, by cudaFuncAttribute, from 8 on (function.c). */
int host_kernel_attribute(const struct host_kernel *k, int attribute);
/* A variable by the program's shadow of it; 0, or an error. */
int host_variable_of(const void *symbol, uint64_t *address, uint64_t *bytes);
/* ---- modules that the program opens by itself (registration.c, library.c): libraries of the runtime, modules of the driver API ---- */
struct host_module;
/* Texts about PTX, as options of both APIs ask for them. */
struct host_logs {
	struct wire_logs wire;
	void **info_used, **error_used; /* where their sizes go; NULL: nowhere */
};
void host_logs_begin(struct host_logs *l, const int *options, void **values, unsigned n);
void host_logs_end(const struct host_logs *l);
/* `bytes`: of a file that is `path`; 0: the image says itself where it ends. */
int host_module_open(const void *image, size_t bytes, const char *path, const struct wire_logs *logs,
		     struct host_module **out);
char *host_read_file(const char *path, size_t *n); /* malloc'd; NULL: it can't be read */
int host_module_open_file(const char *path, const struct wire_logs *logs, struct host_module **out);
int host_module_close(struct host_module *m);
/* cudaErrorSymbolNotFound: it has none of that name. */
int host_module_kernel(struct host_module *m, const char *name, struct host_kernel **out);
int host_module_variable(struct host_module *m, const char *name, uint64_t *address, uint64_t *bytes);
/* Of a texture or surface reference, of a registered module too; cudaErrorInvalidSymbol: it has none of that name. */
int host_module_reference(struct host_module *m, const char *name, bool is_surface, uint64_t *variable);
/* Writes the first `most`; *n: how many there are. */
int host_module_kernels(struct host_module *m, struct host_kernel **kernels, unsigned most, unsigned *n);
void host_unload_closed(void);	  /* what came with objects that were closed since */
void host_register_modules(void); /* the debugger knows what there is: the device's capability depends on it */
void host_forget_modules(void);	  /* after a reset they are loaded anew, when they are needed */

/* ---- all entry points (entries.c) ---- */
void *host_entry_find(const char *name, unsigned toolkit); /* 11, 12 or 13; NULL: there is none */

void *host_driver_entry(const char *name); /* driver_entries.c */
/* A function that isn't there yet says so, once; cudaErrorNotSupported, which is CUDA_ERROR_NOT_SUPPORTED, too. */
int host_refuse(atomic_bool *said, const char *name);

/* Where the program will die; for a program that handles SIGSEGV by itself nothing is done. */
void host_watch_faults(void);
void host_note_fault(uint64_t address, uint64_t pc); /* in a signal handler */

/* A line on standard error. */
__attribute__((format(printf, 1, 2))) void host_say(const char *fmt, ...);

/* In an entry point: where the program has called it. */
#define HOST_CALLER() host_caller(__builtin_return_address(0), __builtin_frame_address(0))
const void *host_caller(const void *return_address, void *const *frame);
void host_note_wrapper(uintptr_t begin, size_t bytes);

#endif
