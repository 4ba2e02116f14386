/* Threads by name and number, and the focus: the thread all commands speak about. */
#ifndef DEBUG_FOCUS_H
#define DEBUG_FOCUS_H

#include "debug/debug.h"

/* A thread of a launch, whether it runs, has not been placed yet, or has finished. All else follows from these. */
struct debug_thread {
	uint32_t launch;
	uint64_t cta;	 /* linear block index */
	uint32_t thread; /* linear index in the block; lane = thread % 32 */
};

enum debug_thread_state {
	DEBUG_THREAD_WAITING /* not placed: stands at the entry */,
	DEBUG_THREAD_LIVE,
	DEBUG_THREAD_EXITED
};

/* Everything about a thread in one look; pointers are valid until the machine runs again. */
struct debug_where {
	struct debug_thread thread;
	struct exec_launch launch;
	enum debug_thread_state state;
	int32_t slot;		   /* of the block, -1 if not resident */
	uint32_t warp_index, lane; /* warp within the block */
	uint32_t core,
		warp; /* hardware coordinates; for blocks not resident where they are going to be placed, or were */
	uint64_t uid;
	uint32_t block_id[3], thread_id[3];
	const struct exec_cta *cta;   /* NULL if not resident */
	const struct exec_warp *w;    /* NULL if not resident */
	const struct exec_simt *simt; /* the lane's SIMT entry; NULL: not resident or exited */
	uint32_t pc;		      /* next instruction (entry if waiting; the barrier's at a closed barrier; last one executed if exited) */
	bool active;		      /* its lane is in the top SIMT entry's mask: it moves when the warp does */
};

/* False if there is no such thread. */
bool debug_thread_where(struct debug *d, const struct debug_thread *t, struct debug_where *out);
bool debug_thread_of_uid(struct debug *d, uint64_t uid, struct debug_thread *out);

/* The focus; false: there is none. */
bool debug_focus_get(struct debug *d, struct debug_thread *out);
bool debug_focus_where(struct debug *d, struct debug_where *out);
bool debug_focus_set(struct debug *d, const struct debug_thread *t); /* false: no such thread */
void debug_focus_clear(struct debug *d);

/* `[focus: kernel 0 vecadd, block (0,0,0), thread (37,0,0), uid 38 | core 0, warp 1, lane 5 | cycle 412]` or `[no focus]`. */
void debug_focus_line(struct debug *d, struct text *out);

/* `focus [uid N] [thread (X,Y,Z)] [block ..] [warp N] [lane N] [core N] [kernel N]`, any of them combined; without arguments the
 * focus line. After a switch: the focus line and the source line. */
debug_answer_fn debug_cmd_focus;
/* `cuda ...`: coordinates switch (cuda-gdb's texts), bare words (`cuda kernel block thread`) show. */
debug_answer_fn debug_cmd_cuda;
/* `thread [N]`: by uid. */
debug_answer_fn debug_cmd_thread;
/* `frame [N]`, `up [N]`, `down [N]`. */
debug_answer_fn debug_cmd_frame, debug_cmd_up, debug_cmd_down;

/* Returns the lanes of the thread's warp that run together with it: those that stand or wait at the same instruction. Before its block has begun
 * these are all lanes of the warp, once it has exited none. */
uint32_t debug_lanes_with(struct debug *d, const struct debug_where *w);

#endif
