/* A log of a stretch of the past: which warp instructions had an operand that wasn't finite, and what memory they accessed. find-nan follows all its
 * elements through the log, also through memory. Private to src/history. */
#ifndef HISTORY_NAN_LOG_H
#define HISTORY_NAN_LOG_H

#include "history/nan_search.h"

#define NAN_NONE UINT32_MAX

/* A register that a logged instruction reads or writes. */
struct nan_register {
	uint32_t word, bytes;
	enum isa_type type;
	bool is_followed; /* the way can go on in it */
};
enum nan_what {
	NAN_WHAT_NONE,
	NAN_WHAT_PLAIN, /* its result depends on its own lane's operands alone */
	NAN_WHAT_LOAD,
	NAN_WHAT_STORE,
	NAN_WHAT_OTHER /* it writes a register of a float, and a way ends in front of it */
};
struct nan_insn {
	enum nan_what what;
	bool begins; /* a function begins with it */
	bool is_call;
	uint32_t wide; /* LOAD, STORE: bytes of an element */
	uint32_t n_results, n_operands; /* results: registers of floats; operands of a STORE: the elements */
	struct nan_register *result, *operand;
};

/* An access of a warp instruction. */
struct nan_access {
	uint64_t start[2]; /* in_halves, as in exec_access */
	size_t address;	   /* else: place in nan_log.address of one for each lane */
	uint32_t stride, lanes, size;
	bool in_halves;
};
/* A warp instruction. */
struct nan_step {
	uint64_t executed, cycle, frame; /* executed: by the warp before */
	uint32_t order;			 /* how many steps were logged before it, of all warps */
	uint32_t pc, active, executes, depth;
	uint32_t access; /* NAN_NONE: there is none */
	size_t bad;	 /* place in nan_log.bad: for each operand the lanes whose value isn't finite, then those whose value is NaN */
};
/* A write to memory. */
struct nan_event {
	uint32_t order;	     /* steps that were logged before it */
	uint32_t warp, step; /* STORE: the step of the warp; NAN_NONE: something else has written */
	uint32_t access;
};
/* A line of memory that an event touches. */
struct nan_node {
	uint32_t event, before; /* before: the line's node before */
};
struct nan_line {
	uint64_t key;
	uint32_t node;		  /* 1 + its last node; 0: the place is free */
	uint32_t asked, asked_at; /* 1 + the node that the last search found, and its `order`; 0: none */
};
struct nan_warp {
	uint32_t launch, index;
	uint64_t cta;
	uint64_t end; /* instructions executed at the log's end */
	struct nan_step *step;
	size_t n, cap;
};

struct nan_log {
	struct history *h;
	const struct exec *x;
	struct nan_insn *insn;
	uint8_t *marks; /* on instructions that are logged */
	uint32_t n_insns;

	struct history_position begin;
	bool begin_is_known; /* what is logged begins there, else later */
	bool memory_is_known; /* each write is an event */
	size_t input; /* of the journal, while the log is made */
	uint32_t order; /* steps logged */
	uint32_t n_full; /* times that the log was full */

	struct nan_warp *warp;
	size_t n_warps, cap_warps;
	uint32_t *by_slot; /* 1 + the warp at a block's slot and index */
	size_t n_by_slot;
	uint32_t *bad;
	size_t n_bad, cap_bad;
	uint64_t *address;
	size_t n_addresses, cap_addresses;
	struct nan_access *access;
	size_t n_accesses, cap_accesses;
	struct nan_event *event;
	size_t n_events, cap_events;
	struct nan_node *node;
	size_t n_nodes, cap_nodes;
	struct nan_line *line;
	size_t n_lines, used_lines;
};

/* Creates a log, in which nothing is logged. The caller frees it with nan_log_free. */
struct nan_log *nan_log_create(struct history *h);
/* Releases a log. Does nothing for NULL. */
void nan_log_free(struct nan_log *l);
/* Where a log ends: where the thread's warp has executed so many instructions, or (thread NULL) at a place, which is the limit otherwise. */
struct nan_end {
	const struct debug_thread *thread;
	uint64_t executed;
	const struct history_position *to;
};
/* Logs a stretch from where the machine stands. first: the warp's instructions in front of that number aren't logged; 0: all are. Returns false if the run
 * failed. */
bool nan_log_run(struct nan_log *l, const struct nan_end *end, uint64_t first);
/* Returns the warp of a thread, or NULL if nothing of the warp is logged. */
struct nan_warp *nan_log_warp(const struct nan_log *l, const struct debug_thread *t);
/* Returns the address that a lane accessed. */
uint64_t nan_log_address(const struct nan_log *l, const struct nan_access *a, unsigned lane);
/* Finds the last write to the bytes *b before `order` steps were logged. Returns the event of a step, with the lane that wrote last in *lane. Returns
 * NULL with *is_over true if the log can't say what wrote, or NULL with *is_over false if nothing logged did. */
const struct nan_event *nan_log_write(const struct nan_log *l, const struct where_bytes *b, uint32_t order, unsigned *lane,
				      bool *is_over);

/* ---- nan_log_follow.c ---- */
/* Logs the stretch that ends at the k-th element's point, and follows all elements in it whose points lie in it. Returns true if the k-th element has
 * gone on. */
bool nan_log_follow(struct nan_search *s, struct nan_element *w, size_t n, size_t k);

/* Returns the lanes whose value in a register isn't finite, or with `is_nan` is NaN; `row` is the register's row. */
uint32_t nan_bad_lanes(const struct nan_register *r, const char *row, bool is_nan);

#endif
