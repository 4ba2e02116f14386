/* A lane as gdb sees it: a thread with a name, frames, registers and memory of its own, and what may stop it. */
#ifndef GDBSTUB_THREADS_H
#define GDBSTUB_THREADS_H

#include "gdbstub/image/frame_layout.h"
#include "gdbstub/lanes/machine.h"

/* The room begins and ends with the stub; nothing of a client is left when it has gone. */
void threads_room_create(struct stub *s);
void threads_room_free(struct stub *s);
void threads_client_begin(struct stub *s);
void threads_client_gone(struct stub *s);

/* A thread and its frames, as they are now (or, if its view is stale, as gdb believes). */
struct view_frame {
	struct debug_activation a;
	const struct frame_layout *layout;
	uint64_t sp;
};
struct thread_view {
	bool valid, is_host;
	bool at_launch;	  /* it hasn't begun: pc is the place before the kernel's first instruction */
	uint64_t changes; /* debug_changes when it was made */
	uint64_t uid;
	struct debug_where w;
	const struct register_snapshot *snapshot; /* its registers are among these; NULL: the machine has them */
	struct view_frame *frames;		  /* innermost first */
	size_t n_frames;
	uint64_t pc, sp;
};

/* ---- threads (threads.c) ---- */
uint64_t thread_tid(struct stub *s, uint64_t uid);
bool thread_uid(const struct stub *s, uint64_t tid, uint64_t *uid); /* false: the host, or no such thread */
bool thread_exists(struct stub *s, uint64_t tid);		    /* and has not ended with its block */
uint64_t thread_of_focus(struct stub *s); /* tid of the debugger's focus, the host without one */
bool thread_where(struct stub *s, uint64_t tid, struct debug_where *w);
/* At each stop gdb asks for the threads to see which are still there, and names only the one that was reported. Reading names and states
 * of all would be most of the work of a step, so in the first list after a run only that thread has them. gdb asks
 * again before it shows a list of threads to anybody: then all of it is reported. */
void threads_run(struct stub *s); /* gdb lets them */
void threads_xml(struct stub *s, struct text *out);
void threads_plain(struct stub *s, struct text *out); /* their numbers, with commas between */
/* gdb 13 executes 12,000 instructions for the shortest element of XML, at each stop; for a number in a plain list 700. For blocks so large
 * that this is most of a step gdb doesn't learn that there is XML: it takes the plain list, and asks for what a thread is when it shows one. */
bool threads_are_many(struct stub *s);
uint32_t thread_live_lanes(const struct debug_where *w);	   /* of its warp: those that have not exited */
void thread_extra(struct stub *s, uint64_t tid, struct text *out); /* its name and what it does */

/* How many blocks around the focus are threads. */
void threads_expose(struct stub *s, uint32_t blocks);
uint32_t threads_exposed(const struct stub *s);

/* ---- views (view.c) ---- */
/* The frame that has an address of the made-up stack; NULL: none. */
const struct view_frame *view_frame_at(const struct thread_view *v, uint64_t address);
/* NULL: no such thread. Valid until the machine changes or another view is asked for. */
const struct thread_view *view_of(struct stub *s, uint64_t tid);
const struct thread_view *view_of_uid(struct stub *s, uint64_t uid);
void view_forget(struct stub *s);
#define VIEW_FRAMES_MAX 100000u
/* Registers as the view has them. False: there is no snapshot of them any more. */
bool view_register_read(struct stub *s, const struct thread_view *v, const struct debug_activation *a, uint32_t ref,
			unsigned width, void *out);
bool view_predicate_read(struct stub *s, const struct thread_view *v, const struct debug_activation *a, uint32_t slot,
			 bool *out);
/* Whether threads are seen where the machine has them, also those whose views are stale or whose hits are still to be reported; what it was before. */
bool view_machine(struct stub *s, bool on);
/* Where gdb is to see a thread that it sees where the machine has it; when it has exited. */
uint64_t view_machine_pc(const struct stub *s, const struct debug_where *w);
uint64_t view_exit_pc(const struct debug_where *w);
bool view_is_at_launch(const struct stub *s, const struct debug_where *w); /* it hasn't begun */
/* gdb knows the warp to be at the kernel's first instruction: a breakpoint there was reported, or it was stepped there. */
void view_arrived(struct stub *s, const struct debug_where *w);

/* ---- registers (registers.c) ---- */
void registers_target_xml(struct text *out);
unsigned registers_count(void);
/* gdb has a thread's rip from here, and keeps it until it resumes the thread. */
void registers_reported(struct stub *s, uint64_t tid, const struct thread_view *v);
void registers_forget(struct stub *s);
/* Threads whose rip gdb has: *at goes from 0 on until there is none any more. */
bool registers_next_reported(const struct stub *s, size_t *at, uint64_t *tid);
bool registers_come_with_stop(const struct stub *s);
/* Value in hexadecimal, x's if there is none. False: no such register. */
bool register_hex(struct stub *s, const struct thread_view *v, unsigned number, struct text *out);
bool register_value(struct stub *s, const struct thread_view *v, unsigned number, uint64_t *out);
#define REGISTER_RAX 0u
#define REGISTER_RDX 3u
#define REGISTER_RSP 7u
#define REGISTER_RIP 16u

/* ---- what was returned (returned.c) ---- */
struct returned {
	unsigned char value[16]; /* its first bytes; the rest is 0 */
	bool in_memory;		 /* it is larger: `address` is where, for gdb */
	bool is_mixed;		 /* its halves are of different classes; */
	bool floats_first;	 /* which is which */
	uint64_t address;
};
/* False: the thread doesn't stand after a call that returned something. */
bool returned_read(struct stub *s, const struct thread_view *v, struct returned *r);

/* ---- memory (memory.c): as the thread sees it ---- */
/* Returns true if a thread's registers from `from` on are the same as gdb sees them and as the machine has them. */
bool memory_same_registers(struct stub *s, uint64_t uid, uint64_t from);
/* Returns true if there is code at a generic address, or close to it. */
bool memory_is_code(struct stub *s, uint64_t generic);
size_t memory_read(struct stub *s, uint64_t tid, uint64_t address, void *dst,
		   size_t n); /* how many bytes could be read */
bool memory_write(struct stub *s, uint64_t tid, uint64_t address, const void *src, size_t n);
void memory_map_xml(struct text *out);
uint64_t memory_shared_base(const struct debug_where *w);
uint64_t memory_local_base(const struct debug_where *w);

/* ---- stop conditions (points.c, agent.c) ---- */
bool points_describe(const struct stub *s, uint32_t number,
		     struct machine_point *out); /* of the debugger's number; false: not gdb's */
bool points_number(const struct stub *s, const struct machine_point *p, uint32_t *number); /* the other way */
void points_settle(struct stub *s,
		   bool lone_step); /* before the machine runs: lingering ones go, unless one thread steps */
/* Notes that gdb resumes threads. `tid`: the thread of the user's command, if gdb steps none; else 0. */
void step_points_resume(struct stub *s, uint64_t tid);
/* Makes all breakpoints those of all threads: the launch has ended. */
void step_points_forget(struct stub *s);
/* Notes that gdb goes on from a thread's hit without having shown it. */
void step_points_passed(struct stub *s, uint64_t tid, uint64_t pc);
/* Returns the tid of the only thread whose hits at an address are reported now, those of others later; 0: all threads' hits are. */
uint64_t step_points_only(const struct stub *s, uint64_t pc);
void points_clear(struct stub *s);
bool points_at(const struct stub *s, uint64_t address);
bool points_inserted_at(const struct stub *s, uint64_t address); /* gdb hasn't taken it out since */
/* There is one, and one of its conditions is true: for the thread as gdb sees it, or as the machine has it. */
bool points_hold(struct stub *s, uint64_t tid, uint64_t address, bool as_seen);
/* Has the machine stopped only for writes by which gdb would find nothing new, as of another register of a variable that is as it was, or has no place? */
bool points_as_before(struct stub *s, const struct debug_stop *stop);
/* Evaluates a bytecode expression for a thread. False: it is wrong, or needs what isn't there. */
bool agent_eval(struct stub *s, uint64_t tid, const char *code, size_t n, uint64_t *out);

/* ---- what gdb knows of what it watches (watched.c) ---- */
void watched_go_on(struct stub *s); /* it lets the machine run: what it hasn't put in is no watchpoint any more */
void watched_read(struct stub *s, uint64_t address, uint64_t n);
void watched_written(struct stub *s, uint64_t address, uint64_t n);
/* Those on writes where it would find something else than it knows, *at from 0 on. `uid`: of the thread whose registers or local memory
 * that is, 0: it is anybody's. */
bool watched_changed(struct stub *s, size_t *at, uint32_t *number, uint64_t *uid);
bool watched_is_as_known(struct stub *s, const struct machine_point *p); /* as the machine has it */

/* ---- register snapshots of warps (snapshot.c) ---- */
struct register_snapshot;
/* Of the registers of a thread's warp as they are now, before it goes on. */
const struct register_snapshot *snapshot_take(struct stub *s, const struct debug_where *w);
/* Those of a thread's warp when it had executed so many instructions. NULL: there are none, or it still stands there. */
const struct register_snapshot *snapshot_find(const struct stub *s, const struct debug_where *w, uint64_t executed);
/* A lane's activations, innermost first; 0: it had exited. */
size_t snapshot_activations(const struct register_snapshot *k, unsigned lane, const struct debug_activation **out);
/* Lanes of a thread's warp that had the same ones when the one that is the newest of the warp was taken. */
uint32_t snapshot_together(const struct stub *s, const struct debug_where *w);
/* An activation's registers, for debug_frame_register; NULL: there were too many. */
const void *snapshot_frame(const struct register_snapshot *k, const struct debug_activation *a);
void snapshots_drop_unused(struct stub *s);

/* ---- stop replies (stops.c) ---- */
/* Adds the reply that reports a thread's stop, or the host's if there is no such thread. */
void stop_reply_thread(struct stub *s, unsigned signal, uint64_t tid, struct lanes_event event, struct text *reply);

/* ---- lanes' machine (machine.c) ---- */
void machine_attach(struct stub *s);

#endif
