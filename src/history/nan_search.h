/* find-nan: where a value that isn't finite came from. Private to src/history. */
#ifndef HISTORY_NAN_SEARCH_H
#define HISTORY_NAN_SEARCH_H

#include "history/nan_chain.h"

#define NAN_ELEMENTS_MAX NAN_CHAINS_MAX /* that are followed together */

/* A register in front of a thread's instruction, or memory. */
struct nan_point {
	bool in_memory;
	struct debug_thread thread;
	struct trace_point at;
	struct debug_operand reg;
	struct where_bytes bytes;
	struct until until;
	struct debug_thread until_thread;
	bool has_then; /* up to there; else up to here */
	struct history_position then;
	enum isa_type type; /* it is one of these, and not finite */
	bool is_of_nan; /* the way goes through operands that are NaN alone, to where a NaN comes of other values */
	uint64_t value;	    /* in_memory, where the way begins: what was found there */
	uint32_t n_registers;	/* instructions that the way went through since it left memory */
	struct nan_words words; /* registers that the way went through since it left memory */
};

enum nan_birth { NAN_BORN, NAN_FROM_HOST, NAN_INITIAL /* a module's variable has it from the beginning */, NAN_FROM_NOBODY, NAN_LOST };
struct nan_origin {
	enum nan_birth how;
	struct debug_thread thread;
	struct debug_step step; /* NAN_BORN */
	struct write by;	/* NAN_FROM_HOST */
	bool is_written;	/* by is known */
	uint64_t value, generic;
	enum isa_type type;
	struct nan_way way; /* after it */
};

/* An element that is followed. */
struct nan_element {
	struct nan_point p;
	bool is_nan; /* the value where the way begins */
	struct nan_origin o;
	uint32_t n;
	uint64_t cycle; /* of the step before */
	bool is_over;
	bool was_logged;     /* the last log has followed it through memory */
	uint32_t stuck_at;   /* 1 + way.n where a log did not lead on; 0: none */
};

/* The operands of an instruction. */
struct nan_operands {
	bool is_known;
	uint32_t n;
	struct debug_operand *o;
};

/* The last write that a step of an element's way asked for. */
struct nan_write {
	bool is_known;
	uint32_t n; /* way.n at that step */
	struct write w;
	bool is_found;
};

struct nan_search {
	struct history *h;
	struct history_position here;
	struct trace *trace; /* of the element that is followed, or its own: */
	struct trace own;
	struct trace_group group;
	size_t element; /* that is followed */
	uint32_t step;	/* way.n of it */
	struct nan_write known[NAN_ELEMENTS_MAX];
	struct nan_operands *operands; /* of n_insns instructions */
	uint32_t n_insns;
	struct nan_log *log; /* NULL: none was made */
};

/* Follows n elements, at most NAN_ELEMENTS_MAX, each from its point to its origin: the birth of the infinity that a NaN came of, or of the NaN if that
 * infinity is a constant. */
void nan_search_run(struct nan_search *s, struct nan_element *w, size_t n);
typedef void nan_search_way(struct nan_search *s, struct nan_element *w, size_t n);
/* Follows the elements by `run` on a branch in functional mode. Returns false if the branch can't be run, or its run doesn't show what the recorded
 * run has done. (nan_branch.c) */
bool nan_branch_run(struct nan_search *s, struct nan_element *w, size_t n, nan_search_way *run);
/* Moves a point to a register in front of a thread's step. */
void nan_to_register(struct nan_point *p, const struct debug_thread *t, const struct debug_step *step, const struct debug_operand *r);
/* Moves a point to memory in front of a step of the point's thread (`past`: behind the step). */
void nan_to_memory(struct nan_point *p, const struct debug_step *step, enum isa_type type, uint64_t generic, bool past);
/* Releases the search's operands and own trace. */
void nan_search_free(struct nan_search *s);
/* Stores the value that register `word` of thread *t has in front of step *step. Returns false if the value isn't known, or the replay was interrupted
 * or failed. */
bool nan_search_value(struct nan_search *s, const struct debug_thread *t, const struct debug_step *step, uint32_t word,
		      uint64_t *v);

/* The first result of an instruction that wasn't finite though the instruction's operands were: the register behind the instruction. */
struct nan_first {
	bool is_found;
	struct debug_thread thread;
	struct trace_point at; /* the instruction */
	uint32_t pc, word;
	bool is_nan; /* the result, else an infinity */
};
/* Finds the first instruction since the history's beginning whose result isn't finite though its operands are, by running the recorded past again up
 * to `limit`. Returns false if the run failed. (nan_birth.c) */
bool nan_first_birth(struct history *h, const struct history_position *limit, struct nan_first *out);

#endif
