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

#include "server/channel/wire.h"
#include "host/core/errors.h"
#include "host/core/gate.h"
#include "host/core/lock.h"

/* A signal handler may make calls in the middle of another call: nothing hangs, and impossible calls return cudaErrorNotPermitted. Locks know their
 * holder (lock.h), a call of the channel is noted in its thread, and so is malloc (core/allocate.c), which all files here use. */

/* Returns whether host_note_hidden_runtime was called in this process: the program contains a CUDA runtime that this library couldn't replace. */
bool host_has_hidden_runtime(void);
/* Records, for the rest of the process, that the program contains a CUDA runtime that this library couldn't replace. Prints nothing. */
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
	char reason[160];	   /* why the current call is refused, a sentence for the debugger's user; "": not known */
	struct gate_call gate;	   /* the program's present call, or its last one; row NULL: it has made none */
};
/* Returns the state of the calling thread, never NULL. The state is zero when the thread starts, and no other thread uses it. */
struct host_thread *host_thread(void);

/* ---- the channel (channel.c) ---- */
/* Connects this process to a debugger, loads the program's modules into it, and gets the device's properties; does nothing if that is done. Returns 0
 * or a CUDA error; a module's error is returned when the module is used. Returns cudaErrorNotPermitted if the calling thread is already connecting,
 * as in a signal handler. */
int host_connect(void);
/* Returns the device's properties, in static storage. They are valid once host_connect has returned 0. */
const struct wire_device *host_device(void);
/* Returns the error with which this process' context has failed, which every call then returns. Returns 0 if the context hasn't failed or the process
 * isn't connected. */
int host_sticky(void);
/* Returns the descriptor of the socket to the debugger; -1 if this process isn't connected. */
int host_socket(void);
/* Sends a call with n_in bytes of arguments and n_payload bytes of payload to the connected debugger. If `waits`, serves the debugger's requests
 * until the answer is there, copies n_out bytes, at most WIRE_OUT_BYTES, to `out`, and returns the CUDA error for the answer's status; else returns
 * 0. Returns an error if the thread is inside another call, the message is too large, or the debugger has ended. */
int host_call(enum wire_call call, bool waits, const void *in, size_t n_in, const void *payload, size_t n_payload,
	      void *out, size_t n_out);
/* Maps `bytes` bytes, rounded up to pages, of shared device memory at `address` into this process: at `at`, or if NULL at the same address. Replaces
 * what is mapped there, but below the reserved addresses, with `at` NULL, fails if something is. Returns false if mmap fails or, with `at` NULL, if
 * the program used these addresses (in steps of 1 GB) when it connected. */
bool host_map(uint64_t address, uint64_t bytes, void *at);
/* Undoes host_map for `bytes` bytes, rounded up to pages, mapped at their own address: the addresses stay reserved, but are inaccessible. */
void host_unmap(uint64_t address, uint64_t bytes);
/* Discards the stored cudaMemAdvise settings and prefetch locations of freed managed memory: from `begin`, a page boundary, to begin + bytes, rounded
 * up to pages. Keeps them if there isn't enough memory to split a range. */
void host_advice_drop(uint64_t begin, uint64_t bytes);
/* Frees the managed memory that begins at `p`, on the device and in this process. Returns 0 or an error: cudaErrorInvalidValue if no memory from
 * cudaMallocManaged begins at `p`. */
int host_free_managed(void *p);
/* Returns the number that calls use for the stream with this handle, without checking that it exists: 0 for handles 0 and 1. Handle 2, and 0 in a
 * per-thread call, is the thread's own stream, which is created if needed. Returns UINT32_MAX, no stream's number, for handles 3 to 0x10000 or if
 * creation fails. */
uint64_t host_stream(const void *handle);
/* Returns true for handles 0 to HOST_STREAM_OF_THREAD, and for streams that host_stream_note last recorded as existing. Streams numbered from 65536
 * on, which aren't recorded, also count as existing. */
bool host_stream_lives(const void *handle);
#define HOST_STREAM_OF_THREAD 2u /* the handle cudaStreamPerThread */
/* Records whether stream `number` exists; host_stream_lives returns that. Ignores numbers from 65536 on. */
void host_stream_note(uint64_t number, bool exists);
/* Returns the handle that programs use for stream number `stream`; NULL for 0, the default stream. */
void *host_stream_handle(uint64_t stream);
/* Returns a number that begins at 1 and that host_reset_streams increments when a reset has destroyed all streams. */
unsigned host_stream_generation(void);
/* Frees the attributes that the program has set for stream number `stream`, if there are any. Called when the stream is destroyed. */
void host_stream_drop_attributes(uint64_t stream);
/* Increments the number that host_stream_generation returns, after a reset has destroyed all streams. Doesn't change what host_stream_lives
 * returns. */
void host_reset_streams(void);
/* Copies n bytes from `from` to `to` in this process. Returns false if the memory can't be read or written; a part may be copied then. */
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
#include "server/channel/calls.def"
#undef CALL

/* Begins an entry point: connects, makes the primary context current if the thread has none, and unloads modules closed by dlclose. Returns 0 or the
 * error to return. Errors: the thread holds a lock without `serves`, connecting fails, a driver call has no context, or the context has failed. */
int host_enter(void);
/* Makes the primary context current in this thread, in place of the context on top of the thread's stack, if there is one. Also marks it as used and
 * the driver API as initialized. */
void host_use_primary_context(void);
/* Replaces the top of the calling thread's stack of contexts by the primary context, for a call of the driver API, and returns 0. If the stack is
 * empty, returns 201 (invalid context), or cudaErrorInitializationError if the driver API isn't initialized. */
int host_need_context(void);
/* Marks the primary context as unused and without attachments, after a reset. If the calling thread has it current, this thread's next call marks it
 * as used again. */
void host_reset_primary_context(void);
/* Ends the entry point `function` and returns its error. An error other than 0 is stored for cudaGetLastError and logged. In a signal handler that
 * interrupted malloc, cudaErrorMemoryAllocation becomes cudaErrorNotPermitted. */
int host_leave_as(const char *function, int error);
#define host_leave(error) host_leave_as(__func__, error)
/* Sends an error of entry point `function` (`ws_NAME`) to the debugger, with the thread's `reason`. Sends nothing for cudaErrorNotReady, for entry
 * points that only query, for errors of a failed context, and where no call of the channel is possible. */
void host_report_failure(const char *function, int error);
/* Calls the program's log callbacks with a line about the error of entry point `function` (`ws_NAME`), and appends the line to the log. Drops the
 * log's oldest lines beyond 25600 bytes. Doesn't append if a signal handler has interrupted another append. */
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
	int cache;	     /* cudaFuncCache: preference set by the program; 0: none, the device's holds */
	int attribute
		[HOST_KERNEL_ATTRIBUTES]; /* attributes set by the program, by cudaFuncAttribute; the carveout plus 1 */
	const void *function;
};
/* Returns the kernel with this stub address or handle, with *error 0, after loading its module and getting its properties if needed. Returns NULL
 * with *error: cudaErrorInvalidResourceHandle for a handle of a closed module's kernel, cudaErrorInvalidDeviceFunction for an unknown address, or the
 * error of loading. Kernels are never freed. */
struct host_kernel *host_kernel_of(const void *function, int *error);
/* Returns the name in PTX of the kernel with this stub address. Returns NULL if none is registered. Loads nothing. */
const char *host_kernel_name(const void *function);
/* Returns what kernels without an own preference prefer, L1 or shared memory (cudaFuncCache); 0: nothing. */
int host_cache_preference(void);
/* Sets what kernels without an own preference prefer, L1 or shared memory (cudaFuncCache); 0: nothing. */
void host_prefer_cache(int config);
/* Returns attribute 8 to 15 (cudaFuncAttribute) of a kernel with properties: the value set by the program, else 0, or -1 for 9 (carveout). For 8,
 * dynamic shared memory, returns at least what static shared memory leaves of the default limit. */
int host_kernel_attribute(const struct host_kernel *k, int attribute);
/* Gets the device address and size of the variable that the program registered with address `symbol`, loading its module if needed. Returns 0,
 * cudaErrorInvalidSymbol if there is none, or another error; the results are unchanged then. */
int host_variable_of(const void *symbol, uint64_t *address, uint64_t *bytes);
/* ---- modules that the program opens by itself (registration.c, library.c): libraries of the runtime, modules of the driver API ---- */
struct host_module;
/* Buffers for messages about PTX, as options of both APIs request them. */
struct host_logs {
	struct wire_logs wire;
	void **info_used, **error_used; /* where to store the sizes of the messages; NULL: nowhere */
};
/* Fills *l with the buffers for info and error messages among n options and their values; ignores other options. Stores an empty text in each buffer
 * that has a size. If `options` or `values` is NULL, there are no buffers. */
void host_logs_begin(struct host_logs *l, const int *options, void **values, unsigned n);
/* Stores the length of each message buffer's text as the value of the option that gave the buffer's size, if it was given. The length is 0 without a
 * buffer. */
void host_logs_end(const struct host_logs *l);
/* Opens a module from PTX, a fat binary or a linked image at `image`, which isn't needed afterwards, and stores it in *out; the debugger writes
 * messages to `logs`. bytes: size of an image read from file `path`; 0, with `path` "": the image contains its end. Returns 0, or an error with *out
 * unchanged. */
int host_module_open(const void *image, size_t bytes, const char *path, const struct wire_logs *logs,
		     struct host_module **out);
/* Returns the contents of regular file `path`, *n bytes without a terminator, which the caller frees. Returns NULL, with *n 0, if it is no regular
 * file, can't be opened, or memory is short. After a read error *n is the number of bytes read. */
char *host_read_file(const char *path, size_t *n);
/* Opens a module from file `path` and stores it in *out; the debugger writes messages to `logs`. Returns 0, cudaErrorInvalidValue if `path` is NULL,
 * cudaErrorFileNotFound if the file is unreadable or empty, or another error. */
int host_module_open_file(const char *path, const struct wire_logs *logs, struct host_module **out);
/* Closes a module that the program opened, once the process' work is done: unloads it, makes its kernels' handles invalid, and frees its texture
 * references. Returns 0, also if a reset has unloaded it, or cudaErrorInvalidResourceHandle if `m` is no such module. After another error the module
 * is closed, too. */
int host_module_close(struct host_module *m);
/* Gets kernel `name`, with its properties, of a module that the program opened. Returns 0, cudaErrorSymbolNotFound if there is none,
 * cudaErrorInvalidResourceHandle if `m` is no such module, or another error. */
int host_module_kernel(struct host_module *m, const char *name, struct host_kernel **out);
/* Gets device address and size of variable `name` of a module that the program opened; maps a managed variable into this process. Returns 0,
 * cudaErrorSymbolNotFound if there is none, cudaErrorInvalidResourceHandle if `m` is no such module, or another error. */
int host_module_variable(struct host_module *m, const char *name, uint64_t *address, uint64_t *bytes);
/* Gets the device address of texture reference `name`, or with `is_surface` surface reference, of a registered or opened module, which is loaded if
 * needed. Returns 0, cudaErrorInvalidSymbol if there is none, cudaErrorInvalidResourceHandle if `m` isn't open, or another error. */
int host_module_reference(struct host_module *m, const char *name, bool is_surface, uint64_t *variable);
/* Stores the number of kernels of a module that the program opened in *n, and the first `most` of them in `kernels`. Returns 0,
 * cudaErrorInvalidResourceHandle if `m` is no such module, or another error. */
int host_module_kernels(struct host_module *m, struct host_kernel **kernels, unsigned most, unsigned *n);
/* Unloads from the debugger the modules that dlclose has unregistered since the last call of this function. If there are any, waits until the
 * process' work on the device is done. */
void host_unload_closed(void);
/* Loads all modules that aren't loaded yet into the debugger, which chooses the device's compute capability by their PTX. The error of a module is
 * stored with the module and returned when the module is used. */
void host_register_modules(void);
/* Marks all modules and kernels as not loaded, after a reset. Registered modules are loaded again when used; modules that the program opened then
 * fail with cudaErrorContextIsDestroyed. */
void host_reset_modules(void);

/* ---- all entry points (entries.c) ---- */
/* Returns the runtime's entry point `name` for programs of toolkit 11, 12 or 13; NULL if there is none. Unsupported functions have entry points, too,
 * which return an error. */
void *host_entry_find(const char *name, unsigned toolkit);

/* Returns the driver API's function with exactly this name, version suffix included; NULL if there is none. Unsupported functions are included; they
 * return an error. */
void *host_driver_entry(const char *name);
/* Prints that function `name` isn't supported, unless *said is set, and sets *said. Returns cudaErrorNotSupported, which is 801 in both APIs. */
int host_say_unsupported(atomic_bool *said, const char *name);

/* ---- managed memory that is protected while kernels may run (guards.c) ---- */
/* Adds managed memory to what host_guards_close protects; does nothing if it is there. */
void host_guards_add(uint64_t address, uint64_t bytes);
/* Removes the managed memory that begins at an address, which stays as it is. */
void host_guards_remove(uint64_t address);
/* Protects all managed memory, after a launch, if the debugger wants accesses and the library handles SIGSEGV. */
void host_guards_close(void);
/* Permits all accesses again: no kernel runs any more, or a copy may access the memory. */
void host_guards_open(void);
/* Handles a fault at an address, in a signal handler: reports the access by the instruction at `pc` to the debugger, and permits accesses of its kind to
 * the page. Returns false if the address isn't in protected memory. */
bool host_guards_fault(uint64_t address, uint64_t pc, bool writes);

/* Installs a SIGSEGV handler that reports a fault to the debugger and restores the default action, which then ends the program. Does nothing unless
 * the signal has its default action. */
void host_watch_faults(void);
/* Returns whether the SIGSEGV handler of host_watch_faults is installed now. */
bool host_handles_faults(void);
/* Stores the address and program counter of a fault where the debugger reads them. Does nothing if the process isn't connected; safe in a signal
 * handler. */
void host_note_fault(uint64_t address, uint64_t pc);

/* Prints a formatted line, to which it adds the newline, on standard error. Cuts the line off after 1022 bytes. */
__attribute__((format(printf, 1, 2))) void host_say(const char *fmt, ...);

/* In an entry point: the return address of the program's call. */
#define HOST_CALLER() host_caller(__builtin_return_address(0), __builtin_frame_address(0))
/* Returns the program's return address of a call: the one stored in the thread, if another entry point made the call. Else returns `return_address`
 * or, if that is in a wrapper template of CUDA's headers, the template's own return address. frame: the entry point's frame address, by which the
 * template's frame is found. */
const void *host_caller(const void *return_address, void *const *frame);
/* Records the code from `begin` to begin + bytes of a wrapper template of CUDA's headers, so that host_caller returns the template's caller. Ignores
 * templates after the first 256. */
void host_note_wrapper(uintptr_t begin, size_t bytes);

/* ---- CUDA's numbers in calls become those of the served device here, and nowhere else (core/numbers.c) ---- */
/* Returns the direction of a copy for a cudaMemcpyKind, or WIRE_COPIES, which the device refuses, if there is no such kind. */
uint32_t host_copy_direction(int kind);
/* Returns the device's number of a cudaLimit, or WIRE_LIMITS if the device has no such limit. */
uint32_t host_device_limit(int limit);
/* Returns how the device compares a word for the lowest two bits of CUstreamWaitValue_flags. */
uint32_t host_poll_how(unsigned flags);
/* Returns what the device permits for CUmemAccess_flags, which are valid. */
uint32_t host_wire_access(int flags);
/* Returns CUmemAccess_flags for what the device permits. */
uint64_t host_access_flags(uint64_t access);
/* Returns the device's preference of caches for a cudaFuncCache. */
uint32_t host_wire_cache(int config);

/* Returns the device's attribute of graph memory for a cudaGraphMemAttributeType, or WIRE_GRAPH_ATTRIBUTES if there is no such attribute. */
uint32_t host_graph_memory_attribute(unsigned number);
/* Returns the wire_link that a CUjitInputType stands for. Returns WIRE_LINKS, which the device refuses, if `type` is no such type. */
uint32_t host_link_input(int type);

#endif
