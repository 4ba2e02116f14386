/* A program whose calls give the machine its work (CUDA programs, src/cuda).
 *
 * Whoever serves the program hands the debugger this table. Commands that run the machine then go on where it has nothing left to do: the
 * program is asked for more, which may take as long as the program likes. So all of them, and a gdb's too, work across launches. */
#ifndef DEBUG_PROGRAM_H
#define DEBUG_PROGRAM_H

#include "debug/debug.h"

enum debug_fed {
	DEBUG_FED_NOTHING, /* there is no program (any more) */
	DEBUG_FED,	   /* the machine is to go on */
	DEBUG_FED_STOP	   /* the stop has been filled in: the program ended, or the user interrupts */
};

struct debug_program {
	void *self;
	/* `run ARGS`: starts it, or starts it again. */
	bool (*start)(void *self, const char *args, struct text *why);
	bool (*lives)(const void *self);
	/* Asked when the machine is idle, a kernel has finished, or `*until` cycles are over: whoever fills that in is asked again then. Serves
	 * the program's calls until the machine is to go on. */
	enum debug_fed (*feed)(void *self, uint64_t *until, struct debug_stop *stop);
	/* A stream has come to an operation of the host's (gpu/stream.h). True: it is done. False: it is under way, and `feed` brings GPU_INPUT_DONE. */
	bool (*operation)(void *self, uint64_t tag);
	/* Warps spin on memory that nobody on the device will change: may the program, which shares memory with it? Then they go on. NULL: no. */
	bool (*answers)(void *self);
	/* The failure that the machine stands at becomes the program's: it gets an error, and what had been launched is gone. */
	void (*deliver)(void *self, const struct debug_stop *failure);
};

/* The table stays the caller's; NULL: no more. */
void debug_program_attach(struct debug *d, const struct debug_program *p);
bool debug_program_lives(const struct debug *d);

#endif
