/* Declarations shared by the folders of src/cuda, for these alone. */
#ifndef CUDA_INTERNAL_H
#define CUDA_INTERNAL_H

#include <sys/types.h>

#include "cuda/channel/errors.h"
#include "cuda/channel/wire.h"
#include "cuda/cuda.h"
#include "debug/debug.h"
#include "debug/program.h"
#include "gpu/gpu.h"

#define CUDA_CLIENTS_MAX 32u

/* A thread of the program, as the debugger sees it. */
struct cuda_slot {
	bool busy;	   /* a call was taken out of the ring and isn't answered yet: it waits for the machine */
	uint64_t until;	   /* the cycle until which the call waits; UINT64_MAX: until the machine has done its work */
	uint64_t goal;	   /* the handler's own value between calls: a cycle, an operation */
	uint64_t deadline; /* cycle at which a query is answered with "not ready" */
	uint32_t goal_stream; /* stream of the operation in `goal` */
	uint64_t tag;	      /* tag of the call's operation in its stream; 0: none */
	bool has_turn;
	bool patient;				  /* true if the machine need not run for the call */
	uint64_t message[WIRE_MESSAGE_BYTES / 8]; /* the call: struct wire_message, arguments, payload */
};

/* A connected process of the program. */
struct cuda_client {
	int socket; /* -1: this entry is free */
	pid_t pid;
	struct wire_shared *shared;
	struct cuda_slot *slot; /* WIRE_SLOTS */
	bool can_access;	/* true if the debugger can read and write the process' memory */
	uint32_t context;
};

/* The context of a process: its state on the device (contexts.c). */
struct cuda_context {
	pid_t pid; /* 0: no process has had this number */
	bool has_ended;
	uint32_t error;		 /* the error that every call returns; 0: none */
	uint32_t first_launch;	 /* number of the first launch after the context began or was reset */
	struct symbols *symbols; /* symbols of its host code; NULL: not needed so far */
	char executable[256];
	struct text output; /* device output that the process has not printed yet */
	struct text errors; /* failed assertions for its standard error, not printed yet */
};
#define CONTEXT_NONE UINT32_MAX

/* The origin of a launch: return address, process and thread. */
struct cuda_launched {
	uint64_t caller;
	pid_t pid, thread;
};

/* The fault that ended a process, as the process reported it; pc 0: none. */
struct cuda_fault {
	uint64_t address, pc;
	uint32_t context; /* the process' context */
};

/* Called by the channel when processes connect and disconnect. */
struct cuda_client_events {
	bool (*follows)(struct cuda *c, pid_t pid);
	uint32_t (*begin)(struct cuda *c, pid_t pid);
	void (*end)(struct cuda *c, uint32_t context);
};

/* How a call is served: sizes of its arguments and results, and its handler. */
struct cuda_call;
struct cuda_handler {
	size_t n_in, n_out;
	bool waits; /* the program waits for the answer */
	uint32_t (*serve)(struct cuda_call *c, const void *in, void *out);
};
extern const struct cuda_handler cuda_handlers[]; /* by enum wire_call */

struct cuda {
	const struct cuda_handler *handlers;
	const struct cuda_client_events *events;
	struct session *session;
	struct debug *dbg;
	struct gpu *gpu;
	struct session_face face;
	struct debug_program program;
	struct cuda_setup setup;
	/* the started process */
	pid_t pid, last_pid; /* 0: none */
	char *args;	     /* arguments of the last `run ARGS`; NULL: those of the command line */
	int pidfd, status;
	bool ended_by_signal;
	struct cuda_fault fault;
	bool detach_on_fork, follow_child; /* program/follow.c */
	pid_t followed;			   /* the followed child process; 0: none */
	bool is_adopted,
		was_run; /* adopted: the program was started elsewhere and is connected; run: its first `run` was given */
	/* the channel */
	struct cuda_channel *channel;
	uint64_t
		spins_since; /* host time, ns, since when kernels spin without a call of the program; 0: they don't spin */
	uint64_t call_at,
		call_cpu; /* time of the last call that left work: host time, and CPU time of the program, ns */
	struct cuda_client client[CUDA_CLIENTS_MAX];
	bool has_run, runs_alone; /* the machine was resumed; no thread of the program ran at the same time */
	bool uses_shared;	  /* a kernel has used memory shared with the program since the device was idle */
	bool is_unattended;	  /* the machine runs while no call waits for it */
	bool has_said_shared;	  /* note_shared_use has printed its note */
	uint64_t looked_at;	  /* host time, ns, of the last check by note_shared_use */
	uint64_t polled_at;	  /* host time, ns, of the last check of the sockets */
	uint64_t answered_at;	  /* cycle + 1 of the last answer to the program during a run; 0: none */
	struct cuda_context context[GPU_CONTEXTS];
	uint32_t serving; /* the context whose call is being served */
	struct cuda_memory *memory;
	struct cuda_streams *streams;
	struct cuda_ipc *ipc;
	struct cuda_deferred
		*deferred; /* calls that were answered and wait for their turn in a stream (stream/deferred.c) */
	struct cuda_modules *modules;
	uint32_t
		program_step; /* the program's module step (loads and unloads) that the debugger was last notified of */
	struct cuda_linkers *linkers;	/* NULL: no linker was created */
	struct cuda_terminal *terminal; /* NULL: the program has none of its own */
	struct cuda_launched *launched; /* by launch number */
	size_t n_launched, cap_launched;
	uint64_t refused_from; /* return address of the last refused launch; 0: none */
};

/* A call that is being served. */
struct cuda_call {
	struct cuda *cuda;
	struct cuda_client *client;
	struct cuda_slot *slot;
	uint32_t index; /* of the slot */
	const void *payload;
	uint32_t n_payload;
	bool first;	   /* the handler is called for the first time */
	const char *ahead; /* the data to copy to the device, if it was read before the call's turn; else NULL */
};

/* Returns the address in the program that the call returns to; 0 if the call has none. */
static inline uint64_t cuda_called_from(const struct cuda_call *c)
{
	const struct wire_message *m = (const struct wire_message *)c->slot->message;
	return (uint64_t)m->from_high << 32 | m->from_low;
}

/* Returned by a handler instead of an error: call the handler again after the machine has run. */
#define CUDA_AGAIN UINT32_MAX

#define NOTHING
#define CALL(name, kind, arguments, results) \
	uint32_t serve_##name(struct cuda_call *c, const struct call_##name *in, struct call_##name##_out *out);
#include "cuda/channel/calls.def"
#undef CALL

/* ---- serving (serve.c) ---- */
/* Serves the program's calls until the machine has work or must stop; sets *until to the cycle at which to be called again (debug_program.feed). */
enum debug_fed cuda_feed(void *self, uint64_t *until, struct debug_stop *stop);
/* Serves the call in a slot's message, for the first time or again. */
/* Serves the waiting calls of a failed context again, so that they return its error; calls of a reset are left out. */
void cuda_answer_failed(struct cuda *c, uint32_t context);
/* Serves a call that was answered before; its results are discarded. Returns the handler's status. */
uint32_t cuda_serve_deferred(struct cuda_call *c);
/* Serves the operation with `tag` when its turn in the stream has come. Returns false if the operation is still under way (debug_program.operation). */
bool cuda_operation(void *self, uint64_t tag);
/* Returns whether the program may still write what spinning kernels wait for. Also answers queries, and waits 1 ms for the program
 * (debug_program.answers). */
bool cuda_may_end_spin(void *self);
/* Sets the error of a failure on the contexts it concerns, and drops their work (debug_program.deliver). */
void cuda_deliver(void *self, const struct debug_stop *failure);

/* ---- contexts.c ---- */
/* Assigns a context number to a process that connects; reuses the context of an ended process if needed. Returns CONTEXT_NONE if there are too
 * many. */
uint32_t context_begin(struct cuda *c, pid_t pid);
/* Ends a context while other processes remain: drops its work and its exports. Its memory stays until it is needed. */
void context_end(struct cuda *c, uint32_t context);
/* Resets a context as cudaDeviceReset does: frees its memory, modules and waiting calls, and clears its error. */
void context_reset(struct cuda *c, uint32_t context);
/* Clears all contexts before the program starts again. */
void contexts_forget(struct cuda *c);
/* Frees the texts and symbols of all contexts. */
void contexts_free(struct cuda *c);
/* Fails a context, and the contexts that fail together with it: drops their work; all their calls return the error. */
void context_fail(struct cuda *c, uint32_t context, uint32_t error);
/* Returns the symbols of a context's host code; creates them if needed. */
struct symbols *context_symbols(struct cuda *c, uint32_t context);
/* Returns the context of a process; 0 if it has none. */
uint32_t context_of_process(const struct cuda *c, pid_t pid);
/* Returns a mask of the contexts whose processes haven't ended. */
uint32_t contexts_live(const struct cuda *c);
/* Returns whether more than one process has connected. */
bool contexts_have_several(const struct cuda *c);
/* Returns whether the caller's context has no work left on the device. */
bool context_is_idle(const struct cuda_call *c);

/* ---- program/ ---- */
/* Starts the program after killing a running one, and forgets the last run. args: parsed by a shell; "": those of the last run. An adopted program
 * starts only once. Returns false with the reason. */
bool program_start(struct cuda *c, const char *args, struct text *why);
/* Returns whether a connecting process is debugged here; if not, prints a note, and the process gets a debugger of its own. */
bool program_follows(struct cuda *c, pid_t pid);
/* Returns the process whose code the debugger shows: the started process if it uses CUDA, else the first connected one, else the started process; 0
 * if there is none. */
pid_t program_process(const struct cuda *c);
/* Returns whether the program has ended; then its status is known. */
bool program_has_ended(struct cuda *c);
/* Writes the path of a process' executable to `out`; "" if it can't be read. */
void program_executable(pid_t pid, char *out, size_t n);
/* Appends how the program ended, as gdb words it. */
void program_ended_text(struct cuda *c, struct text *out);
/* Creates the terminal's state. Returns NULL if it isn't wanted, or if this process isn't in the terminal's foreground. */
struct cuda_terminal *terminal_create(bool wanted);
/* Frees the terminal's state. */
void terminal_free(struct cuda_terminal *t);
/* Saves the debugger's terminal modes before a program is started. */
void terminal_save(struct cuda_terminal *t);
/* Moves the child process into a process group of its own, with the terminal in the foreground if that is allowed. Called before exec. */
void terminal_in_child(const struct cuda_terminal *t);
/* Records the program's process group and starts the helper process. */
void terminal_start_program(struct cuda_terminal *t, pid_t program);
/* Gives the terminal to the program while the machine waits for it, and resumes a stopped program. */
void terminal_hand_over(struct cuda_terminal *t);
/* Takes the terminal back after the program's end and stops the helper; processes that the program left behind continue. */
void terminal_end(struct cuda_terminal *t);
/* Records the origin of an accepted launch. */
void program_note_launch(struct cuda_call *c, uint32_t launch, uint64_t caller);
/* ---- program/describe.c: the callbacks of debug_program about the host's side ---- */
/* Appends the function and line of a return address in a context's process; nothing for address 0. */
void program_describe_place(void *self, uint32_t context, uint64_t address, struct text *out);
/* Gets the address of the texels of a texture or surface object. Returns false if `handle` is no such object. */
bool program_object_address(void *self, uint64_t handle, uint64_t *address);
/* Returns the source line of a return address in a context's process and appends its file; 0 if it isn't known. */
uint32_t program_source_line(void *self, uint32_t context, uint64_t address, struct text *file);
/* Fills in the k-th process of the program; number 0 is the started process and always exists, else with the state "isn't there". Returns false if
 * there is no k-th. */
bool program_describe_process(void *self, unsigned k, struct debug_process *out);
/* Returns the process id of a context if several processes have connected; else 0. */
long program_context_pid(void *self, uint32_t context);
/* Returns the process that made a launch if several processes have connected; else 0. */
long program_launched_by(void *self, uint32_t launch);
/* Appends a description of host memory (`the program's stack`). Returns false if the process has no readable memory at `address`. */
bool program_describe_memory(void *self, uint32_t context, uint64_t address, struct text *out);
/* Appends the file and line of a launch (`vecadd.c:27`). Returns false if they aren't known. */
bool program_describe_launch(void *self, uint32_t launch, struct text *out);
/* Appends a line about the fault that ended the program; nothing if there was none. */
void program_describe_fault(struct cuda *c, struct text *out);
/* Appends the file and line of a call's return address (`vecadd.c:27`); nothing if they aren't known. */
void program_describe_call(const struct cuda_call *c, uint64_t address, struct text *out);
/* Appends the host stack of the thread that made a launch; for other numbers, of the thread whose call waits. Returns false with the reason. */
bool program_describe_stack(void *self, uint32_t launch, struct text *out, struct text *why);
/* Appends a line for each call that is being served. */
void program_describe_calls(void *self, struct text *out);

/* ---- modules.c ---- */
/* Creates the program's modules and connects them to the device's program. */
void cuda_modules_create(struct cuda *c);
/* Frees all modules and destroys all linkers; loaded code stays in the device's program. */
void cuda_modules_free(struct cuda *c);
/* Closes the modules and linkers of a context, or of all with GPU_EVERY_CONTEXT. */
void cuda_modules_forget(struct cuda *c, uint32_t context);
/* Returns the compute capability (75 for 7.5) that programs see: the configuration's, else the highest target of the program's PTX, else 75. */
uint32_t modules_capability(const struct cuda *c);

/* ---- for program_modules.c: modules are named by numbers from 1 ---- */
struct module;
struct modules;
/* Returns the modules of all contexts. */
struct modules *cuda_modules_all(const struct cuda *c);
/* Assigns a number to a module of the caller. Returns the number. */
uint64_t cuda_module_add(struct cuda_call *c, struct module *m);
/* Returns the caller's module with that number; NULL if the caller has none. */
struct module *cuda_module_find(const struct cuda_call *c, uint64_t number);
/* Reads up to n bytes of the calling program's memory (fatbin_reader.read). Returns the number of bytes before the first unreadable page. */
size_t cuda_read_program(void *call, uint64_t address, void *to, size_t n);

/* ---- ipc.c ---- */
/* Creates an empty table of exports. */
struct cuda_ipc *ipc_create(void);
/* Frees the table of exports. */
void ipc_free(struct cuda_ipc *i);
/* Returns whether the caller has opened the export of `what`, an address or event of another process. */
bool ipc_has_opened(const struct cuda_call *c, enum wire_export kind, uint64_t what);
/* Closes the caller's use of an export once. Returns false if the caller hasn't opened it. */
bool ipc_close(struct cuda_call *c, enum wire_export kind, uint64_t what);
/* Removes the export of `what`, which no longer exists; prints a note if another process still uses it. */
void ipc_forget(struct cuda *c, enum wire_export kind, uint64_t what);
/* Closes what a context has opened and removes its exports of events and pools; with GPU_EVERY_CONTEXT all exports. */
void ipc_forget_context(struct cuda *c, uint32_t context);

/* ---- program_modules.c ---- */
#define CUDA_LINKERS_MAX 64u
/* Destroys the linkers of a context, or of all with GPU_EVERY_CONTEXT. */
void cuda_linkers_forget(struct cuda *c, uint32_t context);

/* Prints a formatted line for the user through the session's notes. */
__attribute__((format(printf, 2, 3))) void cuda_say(struct cuda *c, const char *fmt, ...);

#endif
