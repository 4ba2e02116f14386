/* Printing what threads execute, as GPGPU-Sim's functional simulator does for PTX_SIM_DEBUG (GPGPU-Sim manual, "Debugging"). */
#ifndef COMMAND_TRACE_H
#define COMMAND_TRACE_H

#include "debug/ground/ground.h"

/* GPGPU-Sim's levels: each prints what the lower ones print too. */
enum trace_level {
	TRACE_BLOCKS = 1,	 /* blocks that become resident */
	TRACE_RECONVERGENCE = 2, /* where the branches of a loaded file meet again */
	TRACE_MEMORY = 3,	 /* device memory allocated, written */
	TRACE_INSTRUCTIONS = 5,	 /* each instruction of each thread */
	TRACE_REGISTERS = 6,	 /* the registers it wrote and read */
	TRACE_ALL_REGISTERS = 10, /* all registers of the thread */
	TRACE_CONTROL_FLOW = 50, /* of loaded functions, as a graph */
	TRACE_TEXT = 100	 /* of loaded files */
};

/* Sets the level of GPGPU-Sim's PTX_SIM_DEBUG and the uid of the traced thread (0: all threads). Levels: 1 blocks, 2 reconvergence points, 3
 * memory, 5 instructions, 6 and their registers, 10 and all registers. */
void trace_set(struct debug *d, int level, uint64_t uid);
/* Writes each instruction of thread `uid` (0: all threads) with all registers to `write` too (-gpgpu_ptx_inst_debug_to_file). If `write` is NULL,
 * this ends. */
void trace_set_log(struct debug *d, void (*write)(void *self, const char *s, size_t n), void *self, uint64_t uid);
/* Prints, as PTX_SIM_DEBUG's level says, about loaded code from function index `first_function` and file index `first_file` on: reconvergence points
 * (level 2), control flow (50), the text (100). */
void trace_loaded(struct debug *d, uint32_t first_function, uint32_t first_file);
/* Adds MARK_TRACE to the marks, one byte an instruction, of all instructions if they are printed or logged, and of each kernel's first if blocks are
 * printed. */
void trace_write_marks(struct debug *d, uint8_t *marks);

/* What is known before an instruction is executed and needed afterwards. */
struct trace_step {
	bool is_on;
	uint32_t lanes; /* that are printed */
	uint32_t logged; /* that go to the log besides */
	uint32_t slot;
	uint64_t frame;
	struct debug_hit hit;
	struct text inputs[LANES];
};
/* Fills *s before an instruction is executed: lanes that are printed or logged, and their input registers. Prints the line of a block that begins, if
 * blocks are printed. trace_after or trace_free must follow. */
void trace_before(struct debug *d, const struct debug_hit *h, struct trace_step *s);
/* Prints and logs the lanes that trace_before chose, after the instruction was executed, with registers as the level says. Counts the instruction and
 * frees what `s` holds. */
void trace_after(struct debug *d, struct trace_step *s);
/* Frees what `s` holds, of an instruction that was not executed. */
void trace_free(struct trace_step *s);

/* Prints what the host has done with device memory, if level TRACE_MEMORY or a higher one is on. */
void trace_memory(struct debug *d, const struct debug_memory_event *e);
/* Prints, as PTX_SIM_DEBUG's level says, about the code of a program's module: reconvergence points (level 2), control flow (50), the text (100). */
void trace_module(struct debug *d, uint32_t module);

#endif
