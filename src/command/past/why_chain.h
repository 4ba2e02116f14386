/* The chain of `why EXPR`, for the files that make it. Private to src/history. */
#ifndef COMMAND_PAST_WHY_CHAIN_H
#define COMMAND_PAST_WHY_CHAIN_H

#include "history/trace.h"

#define WHY_TRACES 32u /* that are kept */
#define WHY_LINES_MAX 500u

/* What has been shown: an execution, of which register. */
struct why_shown {
	struct debug_thread thread;
	uint64_t executed;
	uint32_t word, pc;
};

struct why_chain {
	struct history *h;
	const struct exec_texture *texture; /* the line is about a texel of it; NULL: about other memory */
	struct debug *d;
	struct history_position here;
	const char *asked; /* as it was typed */
	size_t n_asked;
	uint64_t executed; /* by the focused thread's warp */
	uint32_t depth;	   /* levels */
	struct report *answer;
	struct trace trace[WHY_TRACES];
	uint32_t n_traces, n_lines;
	struct why_shown *shown;
	size_t n_shown, cap_shown;
	bool failed;
	struct text address; /* explains the address that was asked for, if the thread has no memory there */
};

/* A thread in front of its instruction number `executed`, in an activation. */
struct why_at {
	struct debug_thread thread;
	struct trace_point point;
};

/* Reads a register of the thread at a point. Returns false if the value isn't known. */
bool why_value_at(struct why_chain *c, const struct why_at *a, uint32_t word, uint64_t *v);
/* ---- why_lines.c: a line, and below it what its value was made of ---- */
/* Begins a line, indented by `depth`, and opens its object in the list of the line above it. Returns false, with nothing begun, if there are too many
 * lines; else the caller calls why_line_over. */
bool why_line_begin(struct why_chain *c, uint32_t depth);
/* Ends a line and its object. */
void why_line_over(struct why_chain *c);
/* Writes what a line is about: its kind, and its name. */
void why_line_is(struct why_chain *c, const char *kind, const char *name);
/* Adds the line of a register at a point, and below it the lines of its sources. */
void why_register_line(struct why_chain *c, const struct why_at *a, const struct debug_operand *r, uint32_t depth);
/* Adds the line of bytes in memory, and below it the lines of their sources. `given`: the value that a thread found there; NULL: the value that was
 * written, if known. */
void why_memory_line(struct why_chain *c, const struct where_bytes *b, enum isa_type type, const struct until *u,
		     const uint64_t *given, uint32_t depth);

/* Adds the origin of bytes in memory to the line that has begun, and below it the lines of their sources; operands as for why_memory_line. */
void why_memory_source(struct why_chain *c, const struct where_bytes *b, enum isa_type type, const struct until *u,
		       const uint64_t *given, uint32_t depth);

/* ---- why_tensor.c ---- */
/* Returns true if the instruction multiplies matrices. */
bool why_is_tensor(const struct why_chain *c, uint32_t pc);
/* Adds a line for each element of D in result `which` of a multiplication: its products, and what was cut off. Returns false if the registers of the
 * warp aren't known. */
bool why_tensor_lines(struct why_chain *c, const struct why_at *a, const struct debug_step *s, uint32_t which, uint32_t depth);

/* ---- why_texels.c ---- */
/* Adds a line for each texel that result `which` of a texture or surface instruction was made of, with its weight. */
void why_texel_lines(struct why_chain *c, const struct why_at *a, const struct debug_step *s, uint32_t which, uint32_t depth);

/* ---- why_lanes.c: operands of instructions whose result other lanes have made, too ---- */
/* Returns true if operand `k` of the instruction's `n` is provided by all lanes, or by all threads of the block. */
bool why_is_of_lanes(const struct why_chain *c, uint32_t pc, const struct debug_operand *o, uint32_t n, uint32_t k);
/* Adds what all lanes provided, and lines for the lane's own source and for those of some lanes with other values. */
void why_lanes_lines(struct why_chain *c, const struct why_at *a, const struct debug_step *s,
		     const struct debug_operand *r, uint32_t depth);
/* Adds the line of the register in another lane of the warp. */
void why_lane_line(struct why_chain *c, const struct why_at *a, const struct debug_operand *r, uint32_t lane,
		   uint32_t depth);

/* Describes what is odd about an instruction's result: an overflow, a division by zero, or a NaN or infinity that no operand has. Returns "" if
 * nothing is. The string is static. */
const char *why_oddity(struct why_chain *c, const struct why_at *a, const struct debug_step *s, uint64_t value,
		       bool known);

#endif
