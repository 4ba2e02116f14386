/* What the rooms of src/cuda share. Nobody outside includes this. */
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
	bool busy;	   /* a call has been taken out of the ring and not been answered: it waits for the machine */
	uint64_t until;	   /* the cycle it waits for; UINT64_MAX: until the machine has done what it waits for */
	uint64_t goal;	   /* what else the handler remembers: a cycle, an operation */
	uint64_t deadline; /* a cycle */
	uint32_t goal_stream; /* of an operation */
	uint64_t tag;	      /* of the operation that is the call's turn in its stream; 0: none */
	bool has_turn;
	bool patient;				  /* the machine need not run for it */
	uint64_t message[WIRE_MESSAGE_BYTES / 8]; /* the call: struct wire_message, arguments, payload */
};

/* A process of the program that is connected. */
struct cuda_client {
	int socket; /* -1: none is here */
	pid_t pid;
	struct wire_shared *shared;
	struct cuda_slot *slot; /* WIRE_SLOTS */
	bool may_reach;		/* its memory can be read and written from here */
	uint32_t context;
};

/* What a process has on the device (contexts.c). */
struct cuda_context {
	pid_t pid; /* 0: there was none of this number */
	bool has_ended;
	uint32_t error;	    /* that everything returns; 0: none */
	uint32_t first_launch; /* its launches aren't before this one: it began then, or was reset */
	struct symbols *symbols; /* of its host code; NULL: nobody has asked */
	char executable[256];
	struct text output; /* of the device, which the process has not printed yet */
	struct text errors; /* likewise, to its standard error: failed assertions */
};
#define CONTEXT_NONE UINT32_MAX

/* Where a launch came from. */
struct cuda_launched {
	uint64_t caller;
	pid_t pid, thread;
};

/* Where a process has died, as it says; pc 0: it hasn't. */
struct cuda_fault {
	uint64_t address, pc;
	uint32_t context; /* its own */
};

struct cuda {
	struct session *session;
	struct debug *dbg;
	struct gpu *gpu;
	struct session_face face;
	struct debug_program program;
	struct cuda_setup setup;
	/* the process that was started */
	pid_t pid, last_pid; /* 0: none */
	char *args;	     /* of the last `run ARGS`; NULL: those of the command line */
	int pidfd, status;
	bool ended_by_signal;
	struct cuda_fault fault;
	bool detach_on_fork, follow_child; /* program/follow.c */
	pid_t followed;			   /* a child; 0: none */
	bool is_adopted, was_run; /* it was started by somebody else, and is there; its first `run` came */
	/* the channel */
	struct cuda_channel *channel;
	uint64_t spins_since; /* kernels spin, and the program has called nothing since; nanoseconds, 0: they don't */
	uint64_t call_at,
		call_cpu; /* when the last call came that left work: host time, and CPU time of the program, ns */
	struct cuda_client client[CUDA_CLIENTS_MAX];
	bool has_run, runs_alone; /* the machine was let go on; no thread of the program's did meanwhile */
	bool uses_shared;	  /* a kernel has used memory that the program has, too, since the device was idle */
	bool is_unattended;	  /* the machine runs while no call waits for it */
	bool has_said_shared;	  /* note_shared_use has printed its note */
	uint64_t looked_at;	  /* host time, ns, of the last look of note_shared_use */
	uint64_t polled_at;	  /* host time, ns, at which the sockets were looked at last */
	uint64_t answered_at;	  /* cycle + 1 in which it was, while the machine ran, told that it may go on; 0: it wasn't */
	struct cuda_context context[GPU_CONTEXTS];
	uint32_t serving; /* the context whose call is being served */
	struct cuda_memory *memory;
	struct cuda_streams *streams;
	struct cuda_ipc *ipc;
	struct cuda_later *later; /* calls that have been answered, and wait for their turn (stream/later.c) */
	struct cuda_modules *modules;
	uint32_t program_step;		/* modules that have come and gone, as whoever runs the machine knows it */
	struct cuda_linkers *linkers;	/* NULL: there was none */
	struct cuda_terminal *terminal; /* NULL: the program has none of its own */
	struct cuda_launched *launched; /* by launch */
	size_t n_launched, cap_launched;
	uint64_t refused_from; /* the last launch that was refused; 0: none was */
};

/* One call that is being served. */
struct cuda_call {
	struct cuda *cuda;
	struct cuda_client *client;
	struct cuda_slot *slot;
	uint32_t index; /* of the slot */
	const void *payload;
	uint32_t n_payload;
	bool first;	   /* it is served for the first time */
	const char *ahead; /* what it copies to the device, if that has been read already */
};

/* The address in the program that it returns to; 0: none. */
static inline uint64_t cuda_called_from(const struct cuda_call *c)
{
	const struct wire_message *m = (const struct wire_message *)c->slot->message;
	return (uint64_t)m->from_high << 32 | m->from_low;
}

/* A handler returns CUDA's error, or this: it is to be called again when the machine has run. */
#define CUDA_AGAIN UINT32_MAX

#define NOTHING
#define CALL(name, kind, arguments, results) \
	uint32_t serve_##name(struct cuda_call *c, const struct call_##name *in, struct call_##name##_out *out);
#include "cuda/channel/calls.def"
#undef CALL

/* ---- serving (serve.c) ---- */
enum debug_fed cuda_feed(void *self, uint64_t *until, struct debug_stop *stop);
/* Serves the call in a slot's message, for the first time or again. */
/* A thread of the program's goes on while the machine is being run. */
void cuda_before_answer(struct cuda *c);
void cuda_serve_slot(struct cuda *c, struct cuda_client *client, uint32_t slot, bool first);
/* Calls that wait in a context that has failed are told so: after a reset nobody would know, and what they wait for has been dropped. */
void cuda_answer_failed(struct cuda *c, uint32_t context);
/* Do threads of the program do something else than wait for an answer? */
bool cuda_computes(const struct cuda *c);
/* One that has been answered: nobody gets what it returns. */
uint32_t cuda_serve_kept(struct cuda_call *c);
bool cuda_answers(void *self); /* may the program end what kernels spin for? */
void cuda_deliver(void *self, const struct debug_stop *failure);

/* ---- contexts.c ---- */
/* Of a process that comes; CONTEXT_NONE: there are too many. */
uint32_t context_begin(struct cuda *c, pid_t pid);
void context_end(struct cuda *c, uint32_t context);   /* its process is gone, and others are there */
void context_reset(struct cuda *c, uint32_t context); /* cudaDeviceReset */
void contexts_forget(struct cuda *c);		      /* the program begins anew */
void contexts_free(struct cuda *c);
/* It has failed: what it had launched is gone, and all its calls return the error. */
void context_fail(struct cuda *c, uint32_t context, uint32_t error);
void context_set_error(struct cuda *c, uint32_t context, uint32_t error);
struct symbols *context_symbols(struct cuda *c, uint32_t context);
uint32_t context_of_process(const struct cuda *c, pid_t pid); /* 0: it has none */
uint32_t contexts_left(const struct cuda *c);		      /* of processes that haven't ended, a bit each */
bool contexts_several(const struct cuda *c); /* more than one process has come */
bool context_is_idle(const struct cuda_call *c); /* the caller's: all that it has queued is done */

/* ---- program/ ---- */
bool program_start(struct cuda *c, const char *args, struct text *why);
/* Is a process that comes debugged here? Else it gets a debugger of its own. */
bool program_follows(struct cuda *c, pid_t pid);
/* Whose code is meant: the process that was started, unless it is a shell that has started the one which uses CUDA. */
pid_t program_process(const struct cuda *c);
/* Has the process ended? Then its status is known. */
bool program_has_ended(struct cuda *c);
void program_executable(pid_t pid, char *out, size_t n); /* its path; "" where nobody may know */
void program_ended_text(struct cuda *c, struct text *out);
/* program/terminal.c; all take NULL */
struct cuda_terminal *terminal_create(bool wanted);
void terminal_free(struct cuda_terminal *t);
void terminal_before(struct cuda_terminal *t);	       /* a program is about to be started */
void terminal_in_child(const struct cuda_terminal *t); /* the process that becomes the program */
void terminal_begin(struct cuda_terminal *t, pid_t program);
void terminal_give(struct cuda_terminal *t); /* the machine waits for the program */
void terminal_end(struct cuda_terminal *t);
/* The call is a launch that was accepted: what is shown of it later. */
void program_note_launch(struct cuda_call *c, uint32_t launch, uint64_t caller);
/* debug_program's view of the host's side. */
void about_place(void *self, uint32_t context, uint64_t address, struct text *out);
bool about_object(void *self, uint64_t handle, uint64_t *address);
uint32_t about_line(void *self, uint32_t context, uint64_t address, struct text *file);
bool about_process(void *self, unsigned k, struct debug_process *out);
long about_pid(void *self, uint32_t context);
long about_launched_by(void *self, uint32_t launch);
bool about_memory(void *self, uint32_t context, uint64_t address, struct text *out);
bool about_launched_from(void *self, uint32_t launch, struct text *out);
/* A line about c->fault; nothing if there is none. */
void about_fault(struct cuda *c, struct text *out);
/* `vecadd.c:27`, nothing if that isn't known: the line of a call's program. */
void about_called_from(const struct cuda_call *c, uint64_t address, struct text *out);
bool about_stack(void *self, uint32_t launch, struct text *out, struct text *why);
void about_calls(void *self, struct text *out);

/* ---- modules.c ---- */
void cuda_modules_create(struct cuda *c);
void cuda_modules_free(struct cuda *c);
void cuda_modules_forget(struct cuda *c, uint32_t context); /* those of a context, or of GPU_EVERY_CONTEXT, are closed */
uint32_t modules_capability(const struct cuda *c); /* what programs are told: 75 for 7.5 */

/* What images.c wants of it: modules are named by numbers from 1. */
struct module;
struct modules;
struct modules *cuda_modules_all(const struct cuda *c);
uint64_t cuda_module_add(struct cuda_call *c, struct module *m);
struct module *cuda_module_find(const struct cuda_call *c, uint64_t number); /* NULL: the caller has none */
size_t cuda_read_program(void *call, uint64_t address, void *to, size_t n);

/* ---- ipc.c ---- */
struct cuda_ipc *ipc_create(void);
void ipc_free(struct cuda_ipc *i);
/* Has the caller opened that address or event of another process? */
bool ipc_has_opened(const struct cuda_call *c, enum wire_lent kind, uint64_t what);
bool ipc_close(struct cuda_call *c, enum wire_lent kind, uint64_t what); /* false: it hasn't */
void ipc_forget(struct cuda *c, enum wire_lent kind, uint64_t what); /* it is gone */
void ipc_forget_context(struct cuda *c, uint32_t context);	     /* or GPU_EVERY_CONTEXT */

/* ---- images.c ---- */
#define CUDA_LINKERS_MAX 64u
void cuda_linkers_forget(struct cuda *c, uint32_t context);

/* A line for the user, on standard error. */
__attribute__((format(printf, 2, 3))) void cuda_say(struct cuda *c, const char *fmt, ...);

#endif
