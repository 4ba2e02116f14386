/* One window of the past, for the files that record and search it. Private to src/history. */
#ifndef HISTORY_WINDOW_INTERNAL_H
#define HISTORY_WINDOW_INTERNAL_H

#include "history/trace.h"

#define WINDOW_NONE UINT32_MAX
#define WINDOW_STEPS_MOST ((size_t)1 << 18)
#define WINDOW_LINE_SHIFT 6 /* bytes of memory that are looked up together */

/* A register that an instruction writes: its place in the step's data, a row of all lanes. */
struct window_write {
	uint32_t word, bytes, at;
};
/* What is recorded of an instruction besides its place. */
enum window_what { WINDOW_PLAIN, WINDOW_ACCESS /* the row of its address */, WINDOW_SHUFFLE /* the source lanes */, WINDOW_CALL };
struct window_insn {
	bool is_known;
	enum window_what what;
	uint32_t head;	   /* bytes in front of the writes */
	uint32_t n_data;   /* bytes in all */
	uint32_t n_writes; /* DEBUG_STEP_VALUES at most */
	struct window_write write[DEBUG_STEP_VALUES];
};

/* A warp instruction. */
struct window_step {
	uint64_t executed, cycle, frame; /* executed: by the warp before */
	size_t data;			 /* in window.data */
	uint32_t pc, active, executes, depth, local_sp, warp;
	bool has_values;
};

/* An access that wrote, or an atomic that may have. */
struct window_event {
	uint32_t at; /* steps recorded when it happened */
	uint32_t warp, pc, lanes, failed, size;
	uint64_t executed, cycle; /* of its instruction: by the warp before */
	bool in_halves;
	uint32_t step;
	uint64_t start[2]; /* in_halves, as in exec_access */
	size_t address;	   /* else: in window.data, 8 bytes a lane */
	size_t after;	   /* in window.data: `size` bytes a lane, what lies there afterwards */
};
/* A line that an event touches. */
struct window_node {
	uint32_t event, before; /* before: the line's node before */
};

struct window_warp {
	uint32_t launch, index;
	uint64_t cta;
	uint64_t first; /* number of the first step */
	uint32_t *step; /* indices of its steps, one after the other without a gap */
	size_t n, cap;
	bool has_ahead;
	struct window_step ahead; /* what it was in front of at the end */
};

struct window_data {
	char *bytes;
	size_t n, cap;
};
struct window_slot {
	uint64_t key;
	uint32_t node; /* 1 + its last node; 0: the slot is free */
	uint32_t asked, asked_at; /* 1 + the node of the last search, and its `at`; 0: none */
};

struct window {
	struct history *h;
	bool is_recorded, has_overflowed, begin_is_known;
	struct history_position end;
	size_t input; /* of the journal, while it is recorded */
	struct window_step *step;
	size_t n, cap;
	struct window_event *event;
	size_t n_events, cap_events;
	struct window_node *node;
	size_t n_nodes, cap_nodes;
	struct window_slot *slot;
	size_t n_slots, used_slots;
	struct window_warp *warp;
	size_t n_warps, cap_warps;
	uint32_t *by_slot; /* 1 + the warp at a block's slot and index */
	size_t n_by_slot;
	struct window_insn *insn;
	uint32_t n_insns;
	struct window_data data;
	struct debug_thread goal_thread; /* it begins and ends with instructions of this thread's warp: */
	size_t goal;			 /* this one */
	uint64_t goal_first, goal_executed;
	uint32_t n_answers;
};

/* Frees all that is recorded in a window. */
void window_clear(struct window *w);
/* Records what is executed while the thread's warp executes its instructions from number `first` to `end`. Returns false if the run failed. */
bool window_run(struct window *w, const struct debug_thread *t, uint64_t first, uint64_t end,
		const struct history_position *limit);
/* Returns what is known of the instruction at `pc`, and finds that out at the first call. Never returns NULL. */
const struct window_insn *window_insn(const struct window *w, uint32_t pc);
/* Returns the window's warp with launch, linear block index and index in the block. Returns NULL if that warp executed nothing in the window. */
const struct window_warp *window_warp_find(const struct window *w, uint32_t launch, uint64_t cta, uint32_t index);
/* Returns the address that a lane accessed in an event. */
uint64_t window_event_address(const struct window *w, const struct window_event *e, unsigned lane);
/* Returns the last node of the line that the bytes lie in, of an event before `at` steps and what followed them were recorded. Returns WINDOW_NONE if there is none. */
uint32_t window_line_at(const struct window *w, const struct where_bytes *b, uint32_t at);

#endif
