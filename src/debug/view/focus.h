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

/* Fills `out` with the thread's state and place. Returns false if there is no such thread. */
bool debug_thread_where(struct debug *d, const struct debug_thread *t, struct debug_where *out);
/* Finds the thread with a uid. Returns false if no launch has such a thread. */
bool debug_thread_of_uid(struct debug *d, uint64_t uid, struct debug_thread *out);

/* Copies the thread in focus to `out`. Returns false if there is no focus. */
bool debug_focus_get(struct debug *d, struct debug_thread *out);
/* Fills `out` with the state and place of the thread in focus. Returns false if there is no focus. */
bool debug_focus_where(struct debug *d, struct debug_where *out);
/* Moves the focus to a thread and selects its innermost frame. Returns false if there is no such thread; the focus then stays. */
bool debug_focus_set(struct debug *d, const struct debug_thread *t);
/* Clears the focus and the frame selection. */
void debug_focus_clear(struct debug *d);

/* Appends `[focus: kernel 0 vecadd, block (0,0,0), thread (37,0,0), uid 38 | core 0, warp 1, lane 5 | cycle 412]` or `[no focus]`, and a newline. */
void debug_focus_line(struct debug *d, struct text *out);

/* Runs `focus [uid N] [thread (X,Y,Z)] [block ..] [warp N] [lane N] [core N] [kernel N]`, in any combination. Answers with the focus line, and
 * after a switch with the source line. */
debug_answer_fn debug_cmd_focus;
/* Runs `cuda ...`: coordinates switch the focus (cuda-gdb's texts), bare words (`cuda kernel block thread`) show it. */
debug_answer_fn debug_cmd_cuda;
/* Runs `thread [N]`, where N is a uid. */
debug_answer_fn debug_cmd_thread;
/* Runs `frame [N]`. */
debug_answer_fn debug_cmd_frame;
/* Runs `up [N]`. */
debug_answer_fn debug_cmd_up;
/* Runs `down [N]`. */
debug_answer_fn debug_cmd_down;

/* Returns the lanes of the thread's warp that run together with it: those at the same instruction, running or waiting. Before its block has begun
 * these are all lanes of the warp, once it has exited none. */
uint32_t debug_lanes_with(struct debug *d, const struct debug_where *w);

#endif
