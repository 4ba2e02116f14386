/* A lane as gdb sees it: a thread with a name, frames, registers and memory of its own, and what may stop it. */
#ifndef GDBSTUB_THREADS_H
#define GDBSTUB_THREADS_H

#include "gdbstub/image/frame_layout.h"
#include "gdbstub/lanes/machine.h"

/* Creates the room's state. */
void threads_room_create(struct stub *s);
/* Frees the room's state. */
void threads_room_free(struct stub *s);
/* Resets what depends on the client. */
void threads_client_begin(struct stub *s);
/* Drops what was kept for the client. */
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
/* Returns gdb's number of a thread. Assigns one if the uid is too large for gdb. */
uint64_t thread_tid(struct stub *s, uint64_t uid);
/* Finds the uid of gdb's number. Returns false for the host, or if there is no such thread. */
bool thread_uid(const struct stub *s, uint64_t tid, uint64_t *uid);
/* Returns true if gdb is to see the thread: its block has not ended, or gdb has selected it. */
bool thread_exists(struct stub *s, uint64_t tid);
/* Returns gdb's number of the debugger's focus, the host's if there is none. */
uint64_t thread_of_focus(struct stub *s);
/* Finds where a thread is. Returns false if there is no such thread. */
bool thread_where(struct stub *s, uint64_t tid, struct debug_where *w);
/* Notes that gdb resumes threads. gdb reads the whole list at each stop but names only the thread that is reported: the next list has names and
 * states of that thread alone. gdb reads the list again before it shows it. */
void threads_run(struct stub *s);
/* Adds the list of threads as XML. */
void threads_xml(struct stub *s, struct text *out);
/* Adds the threads' numbers with commas between them. */
void threads_plain(struct stub *s, struct text *out);
/* Returns true if the block is so large that gdb isn't offered XML: for the shortest element gdb 13 executes 12,000 instructions at each stop,
 * for a number in a plain list 700. */
bool threads_are_many(struct stub *s);
/* Returns the lanes of the thread's warp that have not exited. */
uint32_t thread_live_lanes(const struct debug_where *w);
/* Adds a thread's name and state. */
void thread_extra(struct stub *s, uint64_t tid, struct text *out);

/* Sets how many blocks around the focus are shown as threads. */
void threads_expose(struct stub *s, uint32_t blocks);
/* Returns how many blocks around the focus are shown as threads. */
uint32_t threads_exposed(const struct stub *s);
/* Returns true if `t` is in the list of threads while the focus is on `focus`. */
bool threads_are_listed(const struct stub *s, const struct debug_thread *focus, const struct debug_thread *t);

/* ---- views (view.c) ---- */
/* Returns the frame that an address of the made-up stack is in, or NULL. */
const struct view_frame *view_frame_at(const struct thread_view *v, uint64_t address);
/* Returns a thread's view, or NULL. Valid until the machine changes or another view is asked for. */
const struct thread_view *view_of(struct stub *s, uint64_t tid);
/* Returns the view of a thread by its uid, or NULL. Valid until the machine changes or another view is asked for. */
const struct thread_view *view_of_uid(struct stub *s, uint64_t uid);
/* Drops the cached view. */
void view_forget(struct stub *s);
#define VIEW_FRAMES_MAX 100000u
/* Reads a register as the view shows it. Returns false if its snapshot has been dropped. */
bool view_register_read(struct stub *s, const struct thread_view *v, const struct debug_frame *a, uint32_t ref,
			unsigned width, void *out);
/* Reads a predicate as the view shows it. Returns false if its snapshot has been dropped. */
bool view_predicate_read(struct stub *s, const struct thread_view *v, const struct debug_frame *a, uint32_t slot,
			 bool *out);
/* Sets whether views show threads where the machine has them instead of where gdb sees them. Returns the old setting. */
bool view_machine(struct stub *s, bool on);
/* Returns gdb's pc of a thread that gdb sees where the machine has it. */
uint64_t view_machine_pc(const struct stub *s, const struct debug_where *w);
/* Returns the pc of a thread that has exited. */
uint64_t view_exit_pc(const struct debug_where *w);
/* Returns true if the thread hasn't begun, and gdb doesn't know that its warp has entered the kernel. */
bool view_is_at_launch(const struct stub *s, const struct debug_where *w);
/* Notes that gdb knows the warp to be at the kernel's first instruction. */
void view_arrived(struct stub *s, const struct debug_where *w);

/* ---- registers (registers.c) ---- */
/* Adds the description of all registers. */
void registers_target_xml(struct text *out);
/* Notes that gdb has read a thread's rip, which it keeps until it resumes the thread. */
void registers_reported(struct stub *s, uint64_t tid, const struct thread_view *v);
/* Notes that gdb has resumed all threads, and keeps no rip. */
void registers_forget(struct stub *s);
/* Finds the next thread whose rip gdb keeps. *at goes from 0 on. Returns false at the end. */
bool registers_next_reported(struct stub *s, size_t *at, uint64_t *tid);
/* Returns true if a stop reply has the thread's rip and rsp. */
bool registers_come_with_stop(const struct stub *s);
/* Adds a register's value in hexadecimal, x's if it has none. Returns false if there is no such register. */
bool register_hex(struct stub *s, const struct thread_view *v, unsigned number, struct text *out);
/* Reads a register's value. Returns false if it has none. */
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
/* Reads what a call has returned. Returns false if the thread doesn't stand behind a call that returned something. */
bool returned_read(struct stub *s, const struct thread_view *v, struct returned *r);

/* ---- memory (memory.c): as the thread sees it ---- */
/* Returns true if a thread's registers from `from` on are the same as gdb sees them and as the machine has them. */
bool memory_same_registers(struct stub *s, uint64_t uid, uint64_t from);
/* Returns true if there is code at a generic address, or close to it. */
bool memory_is_code(struct stub *s, uint64_t generic);
/* Reads memory as the thread sees it. Returns how many bytes could be read. */
size_t memory_read(struct stub *s, uint64_t tid, uint64_t address, void *dst, size_t n);
/* Writes memory as the thread sees it. Returns false if that can't be. */
bool memory_write(struct stub *s, uint64_t tid, uint64_t address, const void *src, size_t n);
/* Adds the map of addresses that have memory. */
void memory_map_xml(struct text *out);
/* Returns gdb's address of the block's shared memory. */
uint64_t memory_shared_base(const struct debug_where *w);
/* Returns gdb's address of the thread's local memory. */
uint64_t memory_local_base(const struct debug_where *w);

/* ---- stop conditions (points.c, agent.c) ---- */
/* Finds gdb's breakpoint or watchpoint by the debugger's number. Returns false if it isn't gdb's. */
bool points_describe(struct stub *s, uint32_t number, struct machine_point *out);
/* Finds the debugger's number of gdb's breakpoint or watchpoint. Returns false if gdb has deleted it. */
bool points_number(struct stub *s, const struct machine_point *p, uint32_t *number);
/* Removes, before a run, the breakpoints that gdb has taken out, unless one thread steps off them. */
void points_settle(struct stub *s, bool lone_step);
/* Notes that gdb resumes threads. `tid`: the thread of the user's command, if gdb steps none; else 0. */
void step_points_resume(struct stub *s, uint64_t tid, bool is_backwards);
/* Makes all breakpoints those of all threads: the launch has ended. */
void step_points_forget(struct stub *s);
/* Notes that gdb goes on from a thread's hit without having shown it. */
void step_points_passed(struct stub *s, uint64_t tid, uint64_t pc);
/* Returns the lanes of a warp of `n` lanes whose hits at an address are reported now, those of others later. */
uint32_t step_points_reportable(struct stub *s, uint64_t first_uid, unsigned n, uint64_t pc);
/* Removes all breakpoints and watchpoints. */
void points_clear(struct stub *s);
/* Returns true if gdb has a breakpoint at an address, also one that it has taken out for a step. */
bool points_at(struct stub *s, uint64_t address);
/* Returns true if gdb has a breakpoint at an address and has not taken it out. */
bool points_inserted_at(struct stub *s, uint64_t address);
/* Returns true if gdb has a breakpoint at an address whose condition is true for the thread, as gdb sees it or as the machine has it. */
bool points_hold(struct stub *s, uint64_t tid, uint64_t address, bool as_seen);
/* Returns true if all writes of a stop leave the values that gdb knows, or concern a variable's register that doesn't hold it now. */
bool points_as_before(struct stub *s, const struct debug_stop *stop);
/* Evaluates a bytecode expression for a thread. Returns false if it is wrong, or needs what isn't there. */
bool agent_eval(struct stub *s, uint64_t tid, const char *code, size_t n, uint64_t *out);

/* ---- what gdb knows of what it watches (watched.c) ---- */
/* Notes that gdb resumes the machine: watchpoints that it has not inserted again are deleted. */
void watched_go_on(struct stub *s);
/* Notes that gdb has read memory, and so knows its value. */
void watched_read(struct stub *s, uint64_t address, uint64_t n);
/* Notes that gdb has written memory, and so knows its value. */
void watched_written(struct stub *s, uint64_t address, uint64_t n);
/* Finds the next watchpoint on writes where gdb would find another value than it knows. *at goes from 0 on. `uid`: of the thread whose registers
 * or local memory is watched, 0: shared. Returns false at the end. */
bool watched_changed(struct stub *s, size_t *at, uint32_t *number, uint64_t *uid);
/* Returns true if gdb would find the value that it knows, as the machine has it. */
bool watched_is_as_known(struct stub *s, const struct machine_point *p);

/* ---- register snapshots of warps (snapshot.c) ---- */
struct register_snapshot;
/* Takes a snapshot of the registers of a thread's warp, before the warp goes on. */
const struct register_snapshot *snapshot_take(struct stub *s, const struct debug_where *w);
/* Returns the snapshot of a thread's warp when it had executed so many instructions. Returns NULL if there is none, or if the warp still stands
 * there. */
const struct register_snapshot *snapshot_find(const struct stub *s, const struct debug_where *w, uint64_t executed);
/* Finds a lane's activations, innermost first. Returns how many there are, 0 if it had exited. */
size_t snapshot_frames(const struct register_snapshot *k, unsigned lane, const struct debug_frame **out);
/* Returns the lanes of a thread's warp that had the same activations as the thread in the warp's newest snapshot. */
uint32_t snapshot_together(const struct stub *s, const struct debug_where *w);
/* Returns an activation's registers, for debug_frame_register, or NULL if there were too many. */
const void *snapshot_registers(const struct register_snapshot *k, const struct debug_frame *a);
/* Frees the snapshots that lanes_needs_snapshot doesn't name. */
void snapshots_drop_unused(struct stub *s);

/* ---- stop replies (stops.c) ---- */
/* Adds the reply that reports a thread's stop, or the host's if there is no such thread. */
void stop_reply_thread(struct stub *s, unsigned signal, uint64_t tid, struct lanes_event event, struct text *reply);

/* ---- lanes' machine (machine.c) ---- */
/* Creates the lanes' state with the machine behind it. */
void machine_attach(struct stub *s);

#endif
