/* A lane as gdb sees it: a thread with a name, frames, registers and memory of its own, and what may stop it. */
#ifndef GDBSTUB_THREADS_H
#define GDBSTUB_THREADS_H

#include "gdbstub/image/frame_layout.h"
#include "gdbstub/lanes/machine.h"

/* Creates the room's state in s->threads. */
void threads_room_create(struct stub *s);
/* Frees the room's state with views and snapshots. */
void threads_room_free(struct stub *s);
/* Notes that a client begins, which doesn't know yet why the machine stands. */
void threads_client_begin(struct stub *s);
/* Drops what was kept for the client: numbers for large uids, texts of the list; one block is shown again. */
void threads_client_gone(struct stub *s);

/* A thread and its frames, as they are now (or, if its view is stale, as gdb believes). */
struct view_frame {
	struct debug_frame a;
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
/* Returns gdb's number of a thread: its uid, or one that is assigned to a uid too large for gdb. */
uint64_t thread_tid(struct stub *s, uint64_t uid);
/* Stores the uid of gdb's number. Returns false for 0, the host, and a number that was not assigned; the thread needn't exist. */
bool thread_uid(const struct stub *s, uint64_t tid, uint64_t *uid);
/* Returns whether gdb is to see a thread: its block has not ended, or it is that of the last stop or selected. The host is there while nothing can
 * run. */
bool thread_exists(struct stub *s, uint64_t tid);
/* Returns gdb's number of the debugger's focus; the host's if there is none, its block has ended, or nothing can run. */
uint64_t thread_of_focus(struct stub *s);
/* Fills *w with where a thread is. Returns false for the host, or if there is no such thread. */
bool thread_where(struct stub *s, uint64_t tid, struct debug_where *w);
/* Notes that gdb resumes threads. The next list has names and states of the reported thread alone: gdb reads the list at each stop, and again before
 * it shows it. */
void threads_run(struct stub *s);
/* Adds the list of threads that gdb is to see as XML. The first one after threads_run has names and states of the reported thread alone. */
void threads_xml(struct stub *s, struct text *out);
/* Adds the numbers of the threads that gdb is to see, in hexadecimal with commas between them. */
void threads_plain(struct stub *s, struct text *out);
/* Returns whether blocks of a launch that isn't over are so large that gdb isn't offered XML. For the shortest element gdb 13 executes 12,000
 * instructions at each stop, for a number in a plain list 700. */
bool threads_are_many(struct stub *s);
/* Returns a mask of the lanes of the thread's warp that have not exited. */
uint32_t thread_live_lanes(const struct debug_where *w);
/* Adds a thread's place in the grid and the warp, and its state; `host` if there is no such thread. */
void thread_extra(struct stub *s, uint64_t tid, struct text *out);

/* Sets how many blocks around the focus are shown as threads. */
void threads_expose(struct stub *s, uint32_t blocks);
/* Returns how many blocks around the focus are shown as threads. */
uint32_t threads_exposed(const struct stub *s);
/* Returns whether `t` is in the list of threads while the focus is on `focus`. */
bool threads_are_listed(const struct stub *s, const struct debug_thread *focus, const struct debug_thread *t);

/* ---- views (view.c) ---- */
/* Returns the view's frame that an address of the made-up stack is in, or NULL if it is in none. */
const struct view_frame *view_frame_at(const struct thread_view *v, uint64_t address);
/* Returns a thread's view; one with `is_host` for the host and for a selected or stopped thread that is gone. Returns NULL for other missing threads.
 * Valid until the machine changes or another view is asked for. */
const struct thread_view *view_of(struct stub *s, uint64_t tid);
/* Returns the view of a thread by its uid, or NULL if there is no such thread. Valid until the machine changes or another view is asked for. */
const struct thread_view *view_of_uid(struct stub *s, uint64_t uid);
/* Drops the cached view; the next one asked for is made anew. */
void view_forget(struct stub *s);
#define VIEW_FRAMES_MAX 100000u
/* Reads `width` bytes of a register of activation `a` as the view shows it. Returns false if its snapshot doesn't have it. */
bool view_register_read(struct stub *s, const struct thread_view *v, const struct debug_frame *a, uint32_t ref,
			unsigned width, void *out);
/* Reads a predicate of activation `a` as the view shows it. Returns false if its snapshot doesn't have it. */
bool view_predicate_read(struct stub *s, const struct thread_view *v, const struct debug_frame *a, uint32_t slot,
			 bool *out);
/* Sets whether views show threads where the machine has them instead of where gdb sees them, and drops the cached view. Returns the old setting. */
bool view_machine(struct stub *s, bool on);
/* Returns gdb's pc of a thread that gdb sees where the machine has it; a thread at a barrier is behind it. */
uint64_t view_machine_pc(const struct stub *s, const struct debug_where *w);
/* Returns gdb's pc of a thread that has exited, of its kernel. */
uint64_t view_exit_pc(const struct debug_where *w);
/* Returns whether the thread hasn't begun, and gdb doesn't know that its warp has entered the kernel. */
bool view_is_at_launch(const struct stub *s, const struct debug_where *w);
/* Notes that gdb knows the thread's warp to be at the kernel's first instruction, and drops the cached view. */
void view_arrived(struct stub *s, const struct debug_where *w);

/* ---- registers (registers.c) ---- */
/* Adds the description of all registers, as XML. */
void registers_target_xml(struct text *out);
/* Notes that gdb has read a thread's rip, which it keeps until it resumes the thread, and keeps its rip and rsp. */
void registers_reported(struct stub *s, uint64_t tid, const struct thread_view *v);
/* Notes that gdb has resumed all threads, and keeps no rip. */
void registers_forget(struct stub *s);
/* Stores the next thread whose rip gdb keeps. *at goes from 0 on. Returns false at the end. */
bool registers_next_reported(struct stub *s, size_t *at, uint64_t *tid);
/* Returns whether a stop reply has the thread's rip and rsp; the one that gdb begins with doesn't. */
bool registers_come_with_stop(const struct stub *s);
/* Adds a register's value in hexadecimal, x's if it has none. Returns false if there is no such register. */
bool register_hex(struct stub *s, const struct thread_view *v, unsigned number, struct text *out);
/* Reads the first 8 bytes of a register's value as the view shows it. Returns false if it has none. */
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
/* Reads what a call has returned to the view's innermost frame. Returns false if the thread doesn't stand behind a call that returned something. */
bool returned_read(struct stub *s, const struct thread_view *v, struct returned *r);

/* ---- memory (memory.c): as the thread sees it ---- */
/* Returns whether a thread's made-up stack from address `from` on, its registers, is the same as gdb sees it and as the machine has it. */
bool memory_same_registers(struct stub *s, uint64_t uid, uint64_t from);
/* Returns whether a generic address is in code, or close to it. */
bool memory_is_code(struct stub *s, uint64_t generic);
/* Reads memory at gdb's address as the thread sees it. Returns how many bytes could be read, up to the first gap. */
size_t memory_read(struct stub *s, uint64_t tid, uint64_t address, void *dst, size_t n);
/* Writes memory at gdb's address as the thread sees it. Returns false if that can't be. Nothing is written for the breakpoint with which gdb begins a
 * call. */
bool memory_write(struct stub *s, uint64_t tid, uint64_t address, const void *src, size_t n);
/* Adds the map of addresses that have memory, as XML. */
void memory_map_xml(struct text *out);
/* Returns gdb's address of the shared memory of a thread's block. */
uint64_t memory_shared_base(const struct debug_where *w);
/* Returns gdb's address of the thread's local memory. */
uint64_t memory_local_base(const struct debug_where *w);

/* ---- stop conditions (points.c, agent.c) ---- */
/* Stores gdb's breakpoint or watchpoint by the debugger's number. Returns false if it isn't gdb's. */
bool points_describe(struct stub *s, uint32_t number, struct machine_point *out);
/* Stores the debugger's number of gdb's breakpoint or watchpoint. Returns false if gdb has deleted it. */
bool points_number(struct stub *s, const struct machine_point *p, uint32_t *number);
/* Removes, before a run, the breakpoints that gdb has taken out. Does nothing if `lone_step`: one thread steps off them. */
void points_settle(struct stub *s, bool lone_step);
/* Notes that gdb resumes threads, which may be for breakpoints that it has just inserted. `tid`: the thread of the user's command, if gdb steps none;
 * else 0. */
void step_points_resume(struct stub *s, uint64_t tid, bool is_backwards);
/* Makes all breakpoints those of all threads: the launch has ended. */
void step_points_forget(struct stub *s);
/* Notes that gdb goes on from a thread's hit without having shown it, and concludes whether the breakpoint is for one thread. */
void step_points_passed(struct stub *s, uint64_t tid, uint64_t pc);
/* Returns a mask of the lanes of a warp of `n` lanes whose hits at an address are reported now, those of others later. */
uint32_t step_points_reportable(struct stub *s, uint64_t first_uid, unsigned n, uint64_t pc);
/* Removes all of gdb's breakpoints and watchpoints, and what it knows of them. */
void points_clear(struct stub *s);
/* Returns whether gdb has a breakpoint at an address, also one that it has taken out for a step. */
bool points_at(struct stub *s, uint64_t address);
/* Returns whether gdb has a breakpoint at an address and has not taken it out. */
bool points_inserted_at(struct stub *s, uint64_t address);
/* Returns whether gdb has a breakpoint at an address whose condition is true for the thread, as gdb sees it or as the machine has it. */
bool points_hold(struct stub *s, uint64_t tid, uint64_t address, bool as_seen);
/* Returns whether all writes of a stop leave the values that gdb knows, or concern a variable's register that doesn't hold it now. Returns false for
 * other stops. */
bool points_as_before(struct stub *s, const struct debug_stop *stop);
/* Stores the value of a bytecode expression for a thread. Returns false if it is wrong, takes too many steps, or needs what isn't there. */
bool agent_eval(struct stub *s, uint64_t tid, const char *code, size_t n, uint64_t *out);

/* ---- what gdb knows of what it watches (watched.c) ---- */
/* Notes that gdb resumes the machine: watchpoints that it has not inserted again are deleted. */
void watched_go_on(struct stub *s);
/* Notes that gdb has read memory, and so knows the value of a watchpoint there whose write was reported. */
void watched_read(struct stub *s, uint64_t address, uint64_t n);
/* Notes that gdb has written memory, and so knows the values of the watchpoints there. */
void watched_written(struct stub *s, uint64_t address, uint64_t n);
/* Stores the next watchpoint on writes where gdb would find another value than it knows, by the debugger's number. `uid`: of the thread whose
 * registers or local memory is watched, 0: shared. *at goes from 0 on; returns false at the end. */
bool watched_changed(struct stub *s, size_t *at, uint32_t *number, uint64_t *uid);
/* Returns whether gdb would find the value that it knows of a watchpoint on writes, as the machine has it. Returns false for a variable in several
 * registers. */
bool watched_is_as_known(struct stub *s, const struct machine_point *p);

/* ---- register snapshots of warps (snapshot.c) ---- */
struct register_snapshot;
/* Takes a snapshot of the registers of a thread's warp where it stands, in place of one taken there before, and returns it. Valid until snapshots are
 * dropped. */
const struct register_snapshot *snapshot_take(struct stub *s, const struct debug_where *w);
/* Returns the snapshot of a thread's warp when it had executed so many instructions. Returns NULL if there is none, or if the warp still stands
 * there. */
const struct register_snapshot *snapshot_find(const struct stub *s, const struct debug_where *w, uint64_t executed);
/* Stores a lane's activations, innermost first, which belong to the snapshot. Returns how many there are, 0 if it had exited. */
size_t snapshot_frames(const struct register_snapshot *k, unsigned lane, const struct debug_frame **out);
/* Returns a mask of the lanes of a thread's warp that had the same activations as the thread in the snapshot taken where the warp stands. Without one
 * returns the thread's lane. */
uint32_t snapshot_together(const struct stub *s, const struct debug_where *w);
/* Returns an activation's registers, for debug_frame_register, or NULL if there were too many. */
const void *snapshot_registers(const struct register_snapshot *k, const struct debug_frame *a);
/* Frees the snapshots that lanes_needs_snapshot doesn't name, and drops the cached view. */
void snapshots_drop_unused(struct stub *s);

/* ---- stop replies (stops.c) ---- */
/* Adds the reply that reports a thread's stop, or the host's if there is no such thread. The thread counts as selected and reported then. */
void stop_reply_thread(struct stub *s, unsigned signal, uint64_t tid, struct lanes_event event, struct text *reply);

/* ---- lanes' machine (machine.c) ---- */
/* Creates the lanes' state s->lanes with the machine behind it. */
void machine_attach(struct stub *s);

#endif
