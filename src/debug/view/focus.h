/* Threads by name and number, and the focus: the thread all commands speak about. */
#ifndef DEBUG_FOCUS_H
#define DEBUG_FOCUS_H

#include "debug/debug.h"

enum debug_thread_state {
	DEBUG_THREAD_WAITING /* not placed: stands at the entry */,
	DEBUG_THREAD_LIVE,
	DEBUG_THREAD_EXITED
};

/* State and place of a thread. Pointers are valid until the machine runs again. */
struct debug_where {
	struct debug_thread thread;
	struct exec_launch launch;
	enum debug_thread_state state;
	int32_t slot;		   /* of the block, -1 if not resident */
	uint32_t warp_index, lane; /* warp within the block */
	uint32_t warp_lanes;	   /* the lanes that the warp has */
	uint32_t core,
		warp; /* hardware coordinates; for blocks not resident where the device places, or placed, them */
	uint64_t uid;
	uint32_t block_id[3], thread_id[3];
	const struct exec_cta *cta;   /* NULL if not resident */
	const struct exec_warp *w;    /* NULL if not resident */
	const struct exec_simt *simt; /* the lane's SIMT entry; NULL: not resident or exited */
	uint32_t pc;		      /* next instruction (entry if waiting; the barrier's at a closed barrier; last one executed if exited) */
	bool active;		      /* the lane is in the top SIMT entry's mask: it executes with the warp */
};

/* Fills `out` with a thread's state and place. Returns false if the device has no such launch, block or thread. */
bool debug_thread_where(struct debug *d, const struct debug_thread *t, struct debug_where *out);
/* Stores the thread that has a uid. Returns false if no launch has such a thread. */
bool debug_thread_of_uid(struct debug *d, uint64_t uid, struct debug_thread *out);

/* Copies the thread in focus to `out`. Returns false if there is no focus. */
bool debug_focus_get(struct debug *d, struct debug_thread *out);
/* Fills `out` with the state and place of the thread in focus, which may have exited. Returns false if there is no focus, or the device has no such
 * thread any more. */
bool debug_focus_where(struct debug *d, struct debug_where *out);
/* Moves the focus to a thread and selects its innermost frame, where `list` then begins. Returns false if there is no such thread; the focus then
 * stays. */
bool debug_focus_set(struct debug *d, const struct debug_thread *t);
/* Clears the focus and selects frame 0 for the next one. */
void debug_focus_clear(struct debug *d);

/* Appends `[focus: kernel 0 vecadd, block (0,0,0), thread (37,0,0), uid 38 | core 0, warp 1, lane 5 | cycle 412]` or `[no focus]`, and a newline. A
 * terminal too narrow for it gets a line break in front of `| `. */
void debug_focus_line(struct debug *d, struct text *out);

/* Returns a mask of the lanes of the thread's warp that are at the thread's instruction and run or wait as the thread does, the thread's lane
 * included. Before its block has begun these are all lanes of the warp, once the thread has exited none. */
uint32_t debug_lanes_with(struct debug *d, const struct debug_where *w);

#endif
