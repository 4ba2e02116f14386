/* Declarations shared by the folders of src/server, for these alone. */
#ifndef SERVER_INTERNAL_H
#define SERVER_INTERNAL_H

#include <sys/types.h>

#include "server/channel/status.h"
#include "server/channel/wire.h"
#include "server/server.h"
#include "debug/debug.h"
#include "debug/program.h"
#include "gpu/gpu.h"

#define SERVER_CLIENTS_MAX 32u
#define SERVER_REFUSED_WORDS 8u /* of a refused call's arguments, from the first on */

/* A thread of the program, as the debugger sees it. */
struct server_slot {
	bool busy;	   /* a call was taken out of the ring and isn't answered yet: it waits for the machine */
	uint64_t until;	   /* the cycle until which the call waits; UINT64_MAX: until the machine has done its work */
	uint64_t goal;	   /* the handler's own value between calls: a cycle, an operation */
	uint64_t deadline; /* cycle at which a query is answered with "not ready" */
	uint32_t goal_stream; /* stream of the operation in `goal` */
	uint64_t tag;	      /* tag of the call's operation in its stream; 0: none */
	bool has_turn;
	bool patient;				  /* true if the machine need not run for the call */
	uint64_t message[WIRE_MESSAGE_BYTES / 8]; /* the call: struct wire_message, arguments, payload */
	struct server_refusal {
		uint32_t call; /* enum wire_call; SERVER_NOT_REFUSED: none */
		bool is_found; /* the checker has a finding for this call already */
		uint64_t arguments[SERVER_REFUSED_WORDS];
	} refused; /* the thread's last call if it returned an error */
};
#define SERVER_NOT_REFUSED CALLS

/* A connected process of the program. */
struct server_client {
	int socket; /* -1: this entry is free */
	pid_t pid;
	struct wire_shared *shared;
	struct server_slot *slot; /* WIRE_SLOTS */
	bool can_access;	/* true if the debugger can read and write the process' memory */
	uint32_t context;
};

/* The context of a process: its state on the device (contexts.c). */
struct server_context {
	pid_t pid; /* 0: no process has had this number */
	bool has_ended;
	uint32_t error;		 /* the error that every call returns; 0: none */
	struct text cause;	 /* of the error: `kernel 1 scale failed with Warp Illegal Address at app.ptx:71 (app.cu:4)` */
	uint32_t first_launch;	 /* number of the first launch after the context began or was reset */
	struct symbols *symbols; /* symbols of its host code; NULL: not needed so far */
	char executable[256];
	struct text output; /* device output that the process has not printed yet */
	struct text errors; /* failed assertions for its standard error, not printed yet */
};
#define CONTEXT_NONE UINT32_MAX

/* The origin of a launch: return address, process and thread. */
struct server_launched {
	uint64_t caller;
	pid_t pid, thread;
};

/* The fault that ended a process, as the process reported it; pc 0: none. */
struct server_fault {
	uint64_t address, pc;
	uint32_t context; /* the process' context */
};

/* Called by the channel when processes connect and disconnect. */
struct server_client_events {
	bool (*follows)(struct server *c, pid_t pid);
	uint32_t (*begin)(struct server *c, pid_t pid);
	void (*end)(struct server *c, uint32_t context);
};

/* How a call is served: sizes of its arguments and results, and its handler. */
struct server_call;
struct server_handler {
	size_t n_in, n_out;
	bool waits; /* the program waits for the answer */
	uint32_t (*serve)(struct server_call *c, const void *in, void *out);
};
extern const struct server_handler server_handlers[]; /* by enum wire_call */

struct server {
	const struct server_handler *handlers;
	const struct server_client_events *events;
	struct session *session;
	struct debug *dbg;
	struct gpu *gpu;
	struct session_face face;
	struct debug_program program;
	struct server_setup setup;
	/* the started process */
	pid_t pid, last_pid; /* 0: none */
	char *args;	     /* arguments of the last `run ARGS`; NULL: those of the command line */
	int pidfd, status;
	bool ended_by_signal;
	struct server_fault fault;
	struct server_place {
		uint64_t caller; /* return address; 0: none */
		uint32_t context;
	} last_call; /* of the call that was served last */
	bool detach_on_fork, follow_child; /* program/follow.c */
	pid_t followed;			   /* the followed child process; 0: none */
	bool is_adopted,
		was_run; /* adopted: the program was started elsewhere and is connected; run: its first `run` was given */
	/* the channel */
	struct server_channel *channel;
	uint64_t
		spins_since; /* host time, ns, since when kernels spin without a call of the program; 0: they don't spin */
	uint64_t call_at,
		call_cpu; /* time of the last call that left work: host time, and CPU time of the program, ns */
	struct server_client client[SERVER_CLIENTS_MAX];
	bool has_run, runs_alone; /* the machine was resumed; no thread of the program ran at the same time */
	bool uses_shared;	  /* a kernel has used memory shared with the program since the device was idle */
	bool is_unattended;	  /* the machine runs while no call waits for it */
	bool has_said_shared;	  /* note_shared_use has printed its note */
	uint64_t looked_at;	  /* host time, ns, of the last check by note_shared_use */
	uint64_t polled_at;	  /* host time, ns, of the last check of the sockets */
	uint64_t answered_at;	  /* cycle + 1 of the last answer to the program during a run; 0: none */
	struct server_context context[GPU_CONTEXTS];
	uint32_t serving; /* the context whose call is being served */
	struct server_memory *memory;
	struct server_streams *streams;
	struct server_ipc *ipc;
	struct server_deferred
		*deferred; /* calls that were answered and wait for their turn in a stream (stream/deferred.c) */
	struct server_modules *modules;
	uint32_t
		program_step; /* the program's module step (loads and unloads) that the debugger was last notified of */
	struct server_linkers *linkers;	/* NULL: no linker was created */
	struct server_terminal *terminal; /* NULL: the program has none of its own */
	struct server_launched *launched; /* by launch number */
	size_t n_launched, cap_launched;
	char *refused_module; /* the error of the last module that was refused, so that it is reported once; NULL: none */
	uint64_t refused_from; /* return address of the last refused launch; 0: none */
	uint64_t estimated_from; /* the last launch with the note that its registers are an estimate; 0: none */
};

/* A call that is being served. */
struct server_call {
	struct server *server;
	struct server_client *client;
	struct server_slot *slot;
	uint32_t index; /* of the slot */
	const void *payload;
	uint32_t n_payload;
	bool first;	   /* the handler is called for the first time */
	const char *ahead; /* the data to copy to the device, if it was read before the call's turn; else NULL */
};

/* Returns the program's return address of a call, as the process sent it; 0 if it isn't known. */
static inline uint64_t server_called_from(const struct server_call *c)
{
	const struct wire_message *m = (const struct wire_message *)c->slot->message;
	return (uint64_t)m->from_high << 32 | m->from_low;
}

/* Returned by a handler instead of an error: call the handler again after the machine has run. */
#define SERVER_AGAIN UINT32_MAX

#define NOTHING
#define CALL(name, kind, arguments, results) \
	uint32_t serve_##name(struct server_call *c, const struct call_##name *in, struct call_##name##_out *out);
#include "server/channel/calls.def"
#undef CALL

/* ---- serving (serve.c) ---- */
/* Serves the calls of program `self` (struct server), waiting for more, until the machine must run or a finding stops it, and returns DEBUG_FED.
 * *until: the cycle at which to call again, unchanged for a finding. Returns DEBUG_FED_STOP if the user interrupts or the program ended, with *stop
 * filled, or if modules changed and the debugger stops at loads. */
enum debug_fed server_feed(void *self, uint64_t *until, struct debug_stop *stop);
/* Serves all waiting calls of a failed context again, except resets, so that they return the context's error to the program. */
void server_answer_failed(struct server *c, uint32_t context);
/* Serves a call, c->slot's message, after the program got its answer; its results are discarded. Returns the handler's status; SERVER_AGAIN means that
 * it isn't finished. */
uint32_t server_serve_deferred(struct server_call *c);
/* Serves the deferred or waiting call of program `self` (struct server) whose operation `tag` has reached its turn in its stream. Returns false if a
 * deferred call is still under way, or while the program calls a stream's function. Returns true if the call was served or no call has the tag. */
bool server_operation(void *self, uint64_t tag);
/* Returns whether program `self` (struct server) may still release spinning kernels: it made a call or query, no call waits, or the time isn't over.
 * That time is 60 s with shared memory, else 5 s if a thread computes, else 0. Also ends waiting queries with "not ready", and waits up to 1 ms for
 * the program. */
bool server_may_end_spin(void *self);
/* ---- failures.c ---- */
/* Records the call in a thread's slot that was answered with `status`, so that serve_failed can describe it if it was refused. */
void server_note_answer(struct server_slot *s, const struct server_handler *r, uint32_t status);
/* Fails the contexts of program `self` (struct server) that a machine's failure concerns: its launch's or, for a deadlock or limit, all that run.
 * Drops their work; all their calls return the failure's error. Stores the message of a failed assertion for the program's standard error. */
void server_deliver(void *self, const struct debug_stop *failure);

/* ---- contexts.c ---- */
/* Assigns an unused context number to connecting process `pid`, else the number of an ended process, whose memory and modules are freed. Ends
 * contexts without a connected process first. Returns CONTEXT_NONE if no number is left or the device can't create the context. */
uint32_t context_begin(struct server *c, pid_t pid);
/* Ends the context of an ended process, once: reports leaks, and drops its deferred calls, device work, opened exports, and own exports of events and
 * pools. Contexts whose running work is dropped with it fail with WIRE_LAUNCH_FAILED. Its memory and modules stay until they are needed. */
void context_end(struct server *c, uint32_t context);
/* Resets a context as cudaDeviceReset does: frees its memory, except virtual memory, and modules, drops its deferred calls and device work, and
 * clears its error. Closes what it has opened, and removes its exports of events and pools. Contexts whose running work is dropped with it fail with
 * WIRE_LAUNCH_FAILED. */
void context_reset(struct server *c, uint32_t context);
/* Empties the table of exports, drops the device work of all contexts, and clears their entries with texts and symbols, before the program starts
 * again. */
void contexts_forget(struct server *c);
/* Frees the texts and symbols of all contexts and clears their entries. */
void contexts_free(struct server *c);
/* Fails a context with status `error`, and the contexts whose running work is dropped with it: drops their deferred calls and device work. All their
 * calls return the error, and the first of them is reported with `cause`; an earlier error stays. */
void context_fail(struct server *c, uint32_t context, uint32_t error, const char *cause);
/* Returns the symbols of a context's host code, which the context owns; at the first call, creates them without a process. */
struct symbols *context_symbols(struct server *c, uint32_t context);
/* Returns the context number of process `pid`, also if it has ended. Returns 0, which is also a context's number, if the process has none. */
uint32_t context_of_process(const struct server *c, pid_t pid);
/* Returns a mask, bit k for context k, of all contexts except those whose process has ended; unused numbers are included. */
uint32_t contexts_live(const struct server *c);
/* Returns whether processes have taken more than one context in all, contexts of ended processes included. */
bool contexts_have_several(const struct server *c);
/* Returns whether the caller's context has no work on the device, queued or running. */
bool context_is_idle(const struct server_call *c);

/* ---- program/ ---- */
/* Starts the program after killing a running one and clearing the device of the last run. args: parsed by a shell and kept for later runs; "": those
 * set last. Returns false, with the reason; an adopted program starts once, without arguments. */
bool program_start(struct server *c, const char *args, struct text *why);
/* Returns whether connecting process `pid` is debugged here, as server_program_follow has selected; may choose it as the child to follow. If not,
 * prints a note that it is detached. */
bool program_follows(struct server *c, pid_t pid);
/* Returns the process whose host code the debugger shows: the started process if it is connected, else the first in the table of connected ones.
 * Without connections returns the started process, or 0 if there is none. */
pid_t program_process(const struct server *c);
/* Checks, without waiting, whether the started process has ended, and records its end. For an adopted program, updates the connections and checks
 * whether none is left. Returns whether it has ended, or wasn't started. */
bool program_has_ended(struct server *c);
/* Writes the path of the executable of process `pid` to `out`, cut off after n - 1 bytes; "" if it can't be read. */
void program_executable(pid_t pid, char *out, size_t n);
/* Appends how the started process ended, as gdb words it, and after a signal the fault that it has reported, if any. For an adopted program appends
 * only the fault. */
void program_ended_text(struct server *c, struct text *out);
/* Creates the state of the program's terminal. Returns NULL if `wanted` is false, or if this process' group isn't in the foreground of the terminal
 * at standard input. */
struct server_terminal *terminal_create(bool wanted);
/* Frees the terminal's state. NULL is ignored. */
void terminal_free(struct server_terminal *t);
/* Saves the terminal's modes as the debugger's, before a program is started. If they can't be read, or the debugger isn't in the foreground, the
 * program may not get the terminal until the next run begins. NULL is ignored. */
void terminal_save(struct server_terminal *t);
/* Moves the calling child into a process group of its own, before exec. Puts the group into the terminal's foreground if the program may have the
 * terminal. NULL is ignored. */
void terminal_in_child(const struct server_terminal *t);
/* Records the process group of process `program`, which has the terminal if it may, and starts the helper process in that group. NULL is ignored. */
void terminal_start_program(struct server_terminal *t, pid_t program);
/* Gives the terminal, with the program's last modes, to the program, if it may have the terminal and the debugger is in the foreground. Resumes the
 * program's processes if they were stopped. Does nothing for NULL, or without a helper process. */
void terminal_hand_over(struct server_terminal *t);
/* Takes the terminal back after the program's end, resumes stopped processes that the program left behind, and ends the helper process. NULL is
 * ignored. */
void terminal_end(struct server_terminal *t);
/* Records the calling process and thread, and return address `caller`, as the origin of launch number `launch`. */
void program_note_launch(struct server_call *c, uint32_t launch, uint64_t caller);
/* ---- program/describe.c: the callbacks of debug_program about the host's side ---- */
/* Appends the place of the call before return address `address` in a context's process, such as `main at vecadd.c:27` or `0x4011d6 in app`; nothing
 * if unknown. Appends ` in process N` if several processes have connected, also without a place. Appends nothing for address 0. self: struct server. */
void program_describe_place(void *self, uint32_t context, uint64_t address, struct text *out);
/* Appends the path of the source file with `main` of program `self` (struct server). Returns false if it isn't known. */
bool program_main_file(void *self, struct text *out);
/* Returns the source line of the call before return address `address` in a context's process, and appends the file's name. Returns 0, appending
 * nothing, if it isn't known. self: struct server. */
uint32_t program_source_line(void *self, uint32_t context, uint64_t address, struct text *file);
/* Fills *out with process k of program `self` (struct server). Number 0 is the started process, or the first of an adopted program; if missing, it
 * has pid 0 and the state "isn't there". Returns false if k isn't 0 and there is no k-th. */
bool program_describe_process(void *self, unsigned k, struct debug_process *out);
/* Returns the process id of a context, also of an ended process, if several processes have connected. Returns 0 otherwise, or if the number is
 * unused. self: struct server. */
long program_context_pid(void *self, uint32_t context);
/* Returns the id of the process that made launch number `launch`, if several processes have connected. Returns 0 otherwise, or if the launch isn't
 * known. self: struct server. */
long program_launched_by(void *self, uint32_t launch);
/* Appends what lies at `address` in a context's process, such as `the program's stack`. Returns false, appending nothing, if the process has ended or
 * has no readable memory there. self: struct server. */
bool program_describe_memory(void *self, uint32_t context, uint64_t address, struct text *out);
/* Appends where launch number `launch` was made: `vecadd.c:27`, or a place without line, and ` in process N` if several processes have connected.
 * Returns false, appending nothing, if nothing is known. self: struct server. */
bool program_describe_launch(void *self, uint32_t launch, struct text *out);
/* Appends a line about the fault that ended the program: its place, the address used as a pointer, and device memory there, if any. Appends nothing
 * if there was no fault. */
void program_describe_fault(struct server *c, struct text *out);
/* Appends file and line of the call before return address `address` in the calling process (`vecadd.c:27`), or a place if the line isn't known.
 * Appends nothing if nothing is known. */
void program_describe_call(const struct server_call *c, uint64_t address, struct text *out);
/* Appends the name of CUDA's function that the calling thread, which must be waiting, is in. Returns false if it isn't known. */
bool program_entry_name(const struct server_call *c, struct text *out);
/* Appends the host stack of the thread of program `self` (struct server) that made launch number `launch`. If the launch isn't known, takes the thread
 * of the first waiting call, else the main thread. Returns false, with the reason, if the stack can't be read. */
bool program_describe_stack(void *self, uint32_t launch, struct text *out, struct text *why);
/* Appends the place of the call that program `self` (struct server) has made last. */
void program_describe_last_call(void *self, struct text *out);
/* Appends a line for each call of program `self` (struct server) that waits for its answer, with process, thread, function, caller and stream.
 * Appends one line if none waits. */
void program_describe_calls(void *self, struct text *out);

/* ---- modules.c ---- */
/* Creates c->modules without modules, and makes the device's program place managed variables in memory shared with the program. */
void server_modules_create(struct server *c);
/* Stores cubin number `k` of the module with a number among the program's; `self` is the server. Returns false if there are no more. */
bool server_machine_code(void *self, uint32_t module, unsigned k, const void **elf, size_t *n);
/* Frees c->modules with all modules, and destroys all linkers; loaded code stays in the device's program. Managed variables are no longer placed. */
void server_modules_free(struct server *c);
/* Unloads and frees the modules of a context, or of all with GPU_EVERY_CONTEXT, and destroys its linkers. Prints no notes about breakpoints. */
void server_modules_forget(struct server *c, uint32_t context);
/* Returns the compute capability (75 for 7.5) that programs see: the configuration's, else the highest target of PTX registered so far, else 75. */
uint32_t modules_capability(const struct server *c);

/* ---- for program_modules.c: modules are named by numbers from 1 ---- */
struct module;
struct modules;
/* Returns the set of modules of all contexts, which c->modules owns. */
struct modules *server_modules_all(const struct server *c);
/* Records a module as one of the caller's context. Returns the number, from 1, by which calls name the module. */
uint64_t server_module_add(struct server_call *c, struct module *m);
/* Returns the module with that number; NULL if there is none, it was closed, or it belongs to another context than the caller's. */
struct module *server_module_find(const struct server_call *c, uint64_t number);
/* Reads up to n bytes at `address` of the calling program's memory. Returns the number of bytes read: n, or those before the first unreadable page.
 * call: struct server_call. */
size_t server_read_program(void *call, uint64_t address, void *to, size_t n);

/* ---- ipc.c ---- */
/* Creates an empty table of exports. */
struct server_ipc *ipc_create(void);
/* Frees the table of exports; the exported memory and events stay. */
void ipc_free(struct server_ipc *i);
/* Returns whether the caller's context has opened, and not closed, the export of that kind for `what`: an address, an event or a pool's number. */
bool ipc_has_opened(const struct server_call *c, enum wire_export kind, uint64_t what);
/* Closes the caller's use of the export of that kind for `what` once; after the last time, the device forbids the context exported memory. Returns
 * false if the caller hasn't opened it. */
bool ipc_close(struct server_call *c, enum wire_export kind, uint64_t what);
/* Removes the export of `what`, which no longer exists; does nothing if there is none. If its owner lives and another process still has it open,
 * prints a note, once in a session. */
void ipc_forget(struct server *c, enum wire_export kind, uint64_t what);
/* Closes what a context has opened, and removes its exports of events and pools; its exported memory stays exported. With GPU_EVERY_CONTEXT empties
 * the table of exports. */
void ipc_forget_context(struct server *c, uint32_t context);

/* ---- program_modules.c ---- */
#define SERVER_LINKERS_MAX 64u
/* Destroys the linkers of a context, or of all with GPU_EVERY_CONTEXT. */
void server_linkers_forget(struct server *c, uint32_t context);

/* Shows the user a formatted line, to which it adds the newline, as a note of the session. */
__attribute__((format(printf, 2, 3))) void server_say(struct server *c, const char *fmt, ...);

/* Returns the threads of the largest block that has room for so many registers a thread, UINT32_MAX for none: the hardware gives a warp 8 registers a thread at a time. Configurations of
 * older machines have fewer registers than the GPU that the machine code is for: such a launch isn't refused. */
uint32_t modules_threads_by_registers(const struct gpu *g, uint32_t registers);

#endif
