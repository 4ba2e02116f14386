/* The chain of `why EXPR`, for the files that make it. Nobody outside src/history includes this. */
#ifndef HISTORY_WHY_CHAIN_H
#define HISTORY_WHY_CHAIN_H

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
};

/* A thread in front of its instruction number `executed`, in an activation. */
struct why_at {
	struct debug_thread thread;
	struct trace_point point;
};

/* A word of the thread's registers there. False: it isn't known. */
bool why_value_at(struct why_chain *c, const struct why_at *a, uint32_t word, uint64_t *v);
/* ---- why_lines.c: a line, and below it what its value was made of ---- */
/* The same as an object in the list of what the line above it was made of. False: there are too many; else why_line_over has to come. */
bool why_line_begin(struct why_chain *c, uint32_t depth);
void why_line_over(struct why_chain *c);
/* What it is about. */
void why_line_is(struct why_chain *c, const char *kind, const char *name);
void why_register_line(struct why_chain *c, const struct why_at *a, const struct debug_operand *r, uint32_t depth);
/* `given`: what a thread has found there; else what was written, if that is known. */
void why_memory_line(struct why_chain *c, const struct where_bytes *b, enum isa_type type, const struct until *u,
		     const uint64_t *given, uint32_t depth);

/* ---- why_lanes.c: operands of instructions whose result other lanes have made, too ---- */
/* Is the k-th of an instruction's n operands one that all lanes, or all threads of the block, give? */
bool why_is_of_lanes(const struct why_chain *c, uint32_t pc, const struct debug_operand *o, uint32_t n, uint32_t k);
/* What all have given, where the lane's own came from, and where that of some of those came from who gave something else. */
void why_lanes_lines(struct why_chain *c, const struct why_at *a, const struct debug_step *s,
		     const struct debug_operand *r, uint32_t depth);
/* The register in a lane of the warp. */
void why_lane_line(struct why_chain *c, const struct why_at *a, const struct debug_operand *r, uint32_t lane,
		   uint32_t depth);

/* What is odd about an instruction's result: a NaN or an infinity that is in none of its operands, an overflow; "": nothing. */
const char *why_oddity(struct why_chain *c, const struct why_at *a, const struct debug_step *s, uint64_t value,
		       bool known);

#endif
