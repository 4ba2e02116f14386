/* A program whose calls give the machine its work (CUDA programs, src/server).
 *
 * The program's server passes this table to the debugger. Commands that run the machine then go on where it has nothing left to do: the
 * program is asked for more, which may take as long as the program likes. So all of them, and a gdb's too, work across launches. */
#ifndef DEBUG_PROGRAM_H
#define DEBUG_PROGRAM_H

#include "debug/debug.h"

enum debug_fed {
	DEBUG_FED_NOTHING, /* there is no program (any more) */
	DEBUG_FED,	   /* the machine is to go on */
	DEBUG_FED_STOP	   /* the stop has been filled in: the program ended, or the user interrupts */
};

/* A process of the program. */
struct debug_process {
	long pid;
	uint32_t context; /* GPU_EVERY_CONTEXT: it hasn't used the device */
	const char *state; /* `runs`, `waits in a call`, `has ended` */
	char executable[256];
};

struct debug_program {
	void *self;
	/* `run ARGS`: starts the program, also again. Returns false, with an error in `why`, if that fails. */
	bool (*start)(void *self, const char *args, struct text *why);
	bool (*lives)(const void *self);
	bool runs_once; /* it was started elsewhere: once it has ended, it can't be started again */
	/* Asked when the machine is idle, a kernel has finished, or `*until` cycles are over: if `feed` sets *until, it is called again then. Serves
	 * the program's calls until the machine is to go on. */
	enum debug_fed (*feed)(void *self, uint64_t *until, struct debug_stop *stop);
	/* Executes the host's operation `tag`, whose turn in a stream has come (gpu/stream.h). Returns false if the operation isn't done yet: `feed` brings
	 * GPU_INPUT_DONE later. */
	bool (*operation)(void *self, uint64_t tag);
	/* Returns true if the program may change memory on which warps would otherwise spin forever; such warps are then resumed. NULL: it can't. */
	bool (*answers)(void *self);
	/* Delivers the failure at which the machine stands to the program: its calls return an error, and its launches are dropped. */
	void (*deliver)(void *self, const struct debug_stop *failure);
	void (*kill)(void *self); /* kills the program; the device stays as it is */
	/* What the program's server knows of the host's side; either all of these functions are NULL, or none. */
	/* Appends the place of a return address in the host code of the context's process: `main at vecadd.c:27`, with ` in process 1234` if the program has
	 * several processes. */
	void (*place)(void *self, uint32_t context, uint64_t address, struct text *out);
	bool (*memory)(void *self, uint32_t context, uint64_t address,
		       struct text *out); /* `the program's stack`; false: it has none there */
	bool (*main_file)(void *self, struct text *out); /* the path of the source file with main; false: it isn't known */
	uint32_t (*line)(void *self, uint32_t context, uint64_t address,
			 struct text *file); /* of host code, as place; 0: it isn't known */
	bool (*process)(void *self, unsigned k, struct debug_process *out); /* the k-th; false: there are no more */
	long (*pid)(void *self, uint32_t context); /* of several processes; 0: there is only one */
	long (*launched_by)(void *self, uint32_t launch); /* pid of the launching process, 0: only one; a context's number may go to another process */
	bool (*launched_from)(void *self, uint32_t launch, struct text *out); /* `vecadd.c:27`; false: it isn't known */
	/* Stores cubin number `k`, from 0, of a module; the program owns the bytes. Returns false if there are no more. */
	bool (*machine_code)(void *self, uint32_t module, unsigned k, const void **elf, size_t *n);
	bool (*stack)(void *self, uint32_t launch, struct text *out,
		      struct text *why);	     /* of the thread that launched it; UINT32_MAX: that waits */
	void (*calls)(void *self, struct text *out); /* that are being served */
	void (*last_call)(void *self, struct text *out); /* place of the call that was served last: `main at vecadd.c:27`; nothing if it isn't known */
};

/* Sets the program's table, which the caller owns. NULL: there is no program any more. */
void debug_program_attach(struct debug *d, const struct debug_program *p);
/* Returns true if a program's table is attached; the program may not have been started, or have ended. */
bool debug_program_is_there(const struct debug *d);
/* Returns true if an attached program that can't be started again isn't running: it was started elsewhere, and has ended. */
bool debug_program_is_over(const struct debug *d);
/* Returns true if the program is running. */
bool debug_program_lives(const struct debug *d);
/* Starts the attached program from its beginning; launches are counted anew, nothing runs yet. `args` as typed, "" means those of last time.
 * Returns false, with an error in `why`, if that fails. */
bool debug_program_start(struct debug *d, const char *args, struct text *why);
/* Kills the program if it is running. Raises debug_changes. */
void debug_program_kill(struct debug *d);
/* Delivers the failure of the last stop to the program, unless the failure was delivered already; the program's launches are dropped. Returns false if
 * the last stop was no exception, deadlock or limit, or no program is running. */
bool debug_program_fail(struct debug *d);
/* Delivers the failure of the last stop to the program before the machine is resumed, unless that was done, and counts the delivery. Does nothing
 * without such a failure. */
void debug_program_deliver(struct debug *d);
/* Returns how many failures debug_program_deliver has counted. */
uint64_t debug_program_deliveries(const struct debug *d);

/* Appends what is known of a return address in the host code of a context's process, nothing if nothing is known. */
void debug_program_place(const struct debug *d, uint32_t context, uint64_t address, struct text *out);
/* Returns the pid of a context's process. Returns 0 if the program has only one process, or no program is attached. */
long debug_process_of(const struct debug *d, uint32_t context);
/* Returns the pid of the process that made a launch. Returns 0 if the program has only one process, or no program is attached. */
long debug_launched_by(const struct debug *d, uint32_t launch);
/* Returns true if a program is running, and an address, far from all allocations, is in its process's host memory. Then appends ` is host memory (the
 * program's stack), which kernels can't reach`. */
bool debug_is_host_memory(const struct debug *d, uint64_t address, struct text *out);
/* Appends the path of the source file that has the program's `main`. Returns false if there is no program, or the file isn't known. */
bool debug_program_main_file(const struct debug *d, struct text *out);
/* Returns the line of a return address in the host code of a context's process, and stores its file. Returns 0 if the line isn't known. */
uint32_t debug_program_line(const struct debug *d, uint32_t context, uint64_t address, struct text *file);
/* Appends the host's line that made a launch: `vecadd.c:27`. Returns false, appending nothing, if that line isn't known or no program is attached. */
bool debug_launched_from(const struct debug *d, uint32_t launch, struct text *out);
/* Stores cubin number `k`, from 0, of a module of the program, valid until the module is closed. Returns false if there are no more, or no program is
 * attached. */
bool debug_program_machine_code(const struct debug *d, uint32_t module, unsigned k, const void **elf, size_t *n);
/* Appends the host's stack at the launch of the focused thread, or, without a focus, at the call that waits. Without a running program appends the
 * stack that a restored checkpoint holds. Returns false, with an error in `why`, if there is neither. */
bool debug_host_stack(struct debug *d, struct text *out, struct text *why);

/* Returns true if an enabled catchpoint or breakpoint is for calls of the program. */
bool debug_wants_calls(const struct debug *d);
/* Tells the debugger that a process of the program is about to make a call: `cudaFree(p = 0x80000000)`, from a return address of its host code (0:
 * unknown). Returns true if the machine stops in front of the call, which the server then carries out when the machine is run again. */
bool debug_program_calls(struct debug *d, const char *call, uint32_t context, uint64_t caller);
/* Tells the debugger that a process of the program is about to end with an exit status (-1: unknown). Returns true if the machine stops there
 * (settings.breaks_on_exit); the server then lets the process end when the machine is run again. */
bool debug_program_ends(struct debug *d, uint32_t context, int status);

/* What the host has done with device memory. `from` and `to` are addresses of the device, or of the host's side where the kind says so (0: unknown). */
enum debug_memory_kind { DEBUG_MEMORY_ALLOCATED, DEBUG_MEMORY_FROM_HOST, DEBUG_MEMORY_TO_HOST, DEBUG_MEMORY_WITHIN, DEBUG_MEMORY_FILLED };
struct debug_memory_event {
	enum debug_memory_kind kind;
	uint64_t to, from, bytes;
	uint64_t value; /* FILLED: each element's */
};
/* Passes an action of the host on device memory (allocated, copied, freed) to the commands, which print it for PTX_SIM_DEBUG 3. */
void debug_host_memory(struct debug *d, const struct debug_memory_event *e);

#endif
