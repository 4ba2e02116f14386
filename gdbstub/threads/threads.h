/* A lane as gdb sees it: a thread with a name, frames, registers and memory of its own, and what may stop it. */
#ifndef GDBSTUB_THREADS_H
#define GDBSTUB_THREADS_H

#include "gdbstub/image/frame_layout.h"
#include "gdbstub/lanes/machine.h"

/* Creates this folder's state in s->threads. */
void threads_room_create(struct stub *s);
/* Frees this folder's state with views and snapshots. */
void threads_room_free(struct stub *s);
/* Notes that a client begins, which has not asked yet why the machine stands. */
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
/* Returns gdb's number of a thread: its uid. A uid too large for gdb gets another number, which stays assigned to that uid until the client is gone. */
uint64_t thread_tid(struct stub *s, uint64_t uid);
/* Stores the uid for gdb's thread number. Returns false for 0, the host's number, and a number that wasn't assigned; the thread needn't exist. */
bool thread_uid(const struct stub *s, uint64_t tid, uint64_t *uid);
/* Returns whether gdb is to see a thread: its block hasn't ended and its launch wasn't killed. The thread that gdb or its user has selected and that
 * of the last stop always exist. The host exists while nothing can run. */
bool thread_exists(struct stub *s, uint64_t tid);
/* Returns gdb's number of the debugger's focus. Returns the host's if there is no focus, its block has ended, its launch was killed, its uid is too
 * large, or nothing can run. */
uint64_t thread_of_focus(struct stub *s);
/* Fills *w with where the machine has a thread. Returns false for the host, or if there is no such thread. */
bool thread_where(struct stub *s, uint64_t tid, struct debug_where *w);
/* Notes that gdb resumes threads. The next threads_xml of more than 64 threads has names and states of the reported thread alone, since gdb reads it
 * twice at each stop. */
void threads_run(struct stub *s);
/* Adds the list of threads that gdb is to see as XML, an empty one after a detach or kill. The first one after threads_run, of more than 64 threads,
 * has names and states of the reported thread alone. */
void threads_xml(struct stub *s, struct text *out);
/* Adds the numbers of the threads that gdb is to see, in hexadecimal with commas between them. Adds nothing after a detach or kill. */
void threads_plain(struct stub *s, struct text *out);
/* Returns whether a launch that isn't over has blocks of more than 128 threads: then gdb isn't offered XML. For the shortest element gdb 13 executes
 * 12,000 instructions at each stop, for a number in a plain list 700. */
bool threads_are_many(struct stub *s);
/* Returns a mask of the lanes of the thread's warp that have not exited. */
uint32_t thread_live_lanes(const struct debug_where *w);
/* Adds a thread's place in the grid and the warp, and its state; `host` if there is no such thread. */
void thread_extra(struct stub *s, uint64_t tid, struct text *out);

/* Sets how many blocks around the focus are shown as threads; of large blocks fewer are shown, 4096 threads at most, but always one block. */
void threads_expose(struct stub *s, uint32_t blocks);
/* Returns the number that threads_expose has set, 1 at first. */
uint32_t threads_exposed(const struct stub *s);
/* Returns whether `t` is in the blocks that are shown as threads while the focus is on `focus`. Returns false if `t` is of another launch, or `focus`
 * doesn't exist. */
bool threads_are_listed(const struct stub *s, const struct debug_thread *focus, const struct debug_thread *t);

/* ---- views (view.c) ---- */
/* Returns the view's frame in which an address of the made-up stack lies, or NULL if the address is in no frame. */
const struct view_frame *view_frame_at(const struct thread_view *v, uint64_t address);
/* Returns a thread's view. For the host, and for a thread that gdb has selected or that stopped last and is gone, returns one with `is_host`. Returns
 * NULL for other missing threads. Valid until the machine changes, another view is asked for, or views are dropped. */
const struct thread_view *view_of(struct stub *s, uint64_t tid);
/* Returns the view of a thread by its uid, or NULL if there is no such thread. Valid until the machine changes or another view is asked for or
 * dropped. */
const struct thread_view *view_of_uid(struct stub *s, uint64_t uid);
/* Drops the cached view; the next one asked for is made anew. */
void view_forget(struct stub *s);
#define VIEW_FRAMES_MAX 100000u
/* Reads `width` bytes of the row `ref` of activation `a` as the view shows it. Returns false, with nothing read, if the view's snapshot doesn't have
 * the activation. */
bool view_register_read(struct stub *s, const struct thread_view *v, const struct debug_frame *a, uint32_t ref,
			unsigned width, void *out);
/* Reads predicate `slot` of activation `a` as the view shows it. Returns false, with *out false, if the view's snapshot doesn't have the activation. */
bool view_predicate_read(struct stub *s, const struct thread_view *v, const struct debug_frame *a, uint32_t slot,
			 bool *out);
/* Sets whether views show threads where the machine has them instead of where gdb sees them, and drops the cached view. Returns the old setting. */
bool view_machine(struct stub *s, bool on);
/* Returns gdb's pc of a thread where the machine has it: at its instruction, or one byte into the barrier at which it waits. Threads that haven't
 * entered their kernel, or have exited, are at places outside of the kernel's code. */
uint64_t view_machine_pc(const struct stub *s, const struct debug_where *w);
/* Returns the pc at which gdb sees exited threads of this thread's kernel. */
uint64_t view_exit_pc(const struct debug_where *w);
/* Returns whether the thread hasn't exited, its warp has executed nothing, and view_arrived hasn't noted the warp. */
bool view_is_at_launch(const struct stub *s, const struct debug_where *w);
/* Notes that gdb knows the thread's warp to be at the kernel's first instruction, if the warp has executed nothing and the thread hasn't exited. Keeps
 * the last STUB_ARRIVED warps. Drops the cached view. */
void view_arrived(struct stub *s, const struct debug_where *w);

/* ---- registers (registers.c) ---- */
/* Adds the description of all registers, as XML. */
void registers_target_xml(struct text *out);
/* Keeps a view's pc and sp as the rip and rsp that gdb has of the thread, until registers_forget, in place of older ones. */
void registers_reported(struct stub *s, uint64_t tid, const struct thread_view *v);
/* Notes that gdb has resumed all threads, and keeps no rip. */
void registers_forget(struct stub *s);
/* Stores the number of the next thread whose rip gdb keeps, in no order of threads. *at, 0 for the first call, is advanced. Returns false, with *tid
 * meaningless, at the end. */
bool registers_next_reported(struct stub *s, size_t *at, uint64_t *tid);
/* Returns whether stop replies have the thread's rip and rsp: always for clients other than gdb, for gdb once it has asked why the machine stands. */
bool registers_come_with_stop(const struct stub *s);
/* Adds a register's value in hexadecimal, or two x's for each byte if the register has no value now. Returns false, with nothing added, if there is no
 * such register. */
bool register_hex(struct stub *s, const struct thread_view *v, unsigned number, struct text *out);
/* Reads the first 8 bytes of a register's value as the view shows it. Returns false if the register has no value now or doesn't exist. */
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
/* Reads what a call has returned to the view's innermost frame. Returns false if the thread doesn't stand right behind a call that returned
 * something, the called function is unknown, or the value can't be read. */
bool returned_read(struct stub *s, const struct thread_view *v, struct returned *r);

/* ---- memory (memory.c): as the thread sees it ---- */
/* Returns whether a thread's made-up stack from address `from` on, its registers, is the same as gdb sees it and as the machine has it. Drops the
 * cached view. */
bool memory_same_registers(struct stub *s, uint64_t uid, uint64_t from);
/* Returns whether a generic address is in the code window, or in the 64 KiB before it and not in device memory. */
bool memory_is_code(struct stub *s, uint64_t generic);
/* Reads up to n bytes of memory at gdb's address. `tid`: the thread as which generic addresses are read; other addresses name the thread whose memory
 * they are in. Returns how many bytes could be read, up to the first gap. */
size_t memory_read(struct stub *s, uint64_t tid, uint64_t address, void *dst, size_t n);
/* Writes memory at gdb's address, a generic one as thread `tid` sees it. Returns false for code, registers in a snapshot and what has no memory;
 * registers in front of that may have been written. Returns true, with nothing written, for the breakpoint with which gdb begins a call. */
bool memory_write(struct stub *s, uint64_t tid, uint64_t address, const void *src, size_t n);
/* Appends gdb's memory map as XML, which is always the same: the two address ranges in which memory may be. */
void memory_map_xml(struct text *out);
/* Returns gdb's address of the shared memory of a thread's block. */
uint64_t memory_shared_base(const struct debug_where *w);
/* Returns gdb's address of the thread's local memory. */
uint64_t memory_local_base(const struct debug_where *w);

/* ---- stop conditions (points.c, agent.c) ---- */
/* Stores gdb's breakpoint or watchpoint for which the debugger's breakpoint `number` was made. Returns false if `number` was made for none of gdb's. */
bool points_describe(struct stub *s, uint32_t number, struct machine_point *out);
/* Stores the debugger's number of gdb's breakpoint or watchpoint with p's type and address. Returns false if gdb has deleted it. */
bool points_number(struct stub *s, const struct machine_point *p, uint32_t *number);
/* Removes, before a run, the breakpoints that gdb has taken out. Does nothing with `lone_step`: one thread steps off such a breakpoint. */
void points_settle(struct stub *s, bool lone_step);
/* Concludes, before a resume, which new breakpoints gdb may have inserted for thread `tid` alone; 0: none. If gdb's user has seen the stop, removes
 * those of the finished step that gdb has taken out. */
void step_points_resume(struct stub *s, uint64_t tid, bool is_backwards);
/* Makes all breakpoints those of all threads, as a launch ends or a client begins. */
void step_points_forget(struct stub *s);
/* Notes that gdb continues from a thread's hit at `pc` without having shown that hit, and concludes whether the breakpoint is for one thread. */
void step_points_passed(struct stub *s, uint64_t tid, uint64_t pc);
/* Returns a mask of the lanes whose hits at `pc` are reported now, of the warp of `n` lanes whose first lane has uid `first_uid`. Returns all 32
 * unless the breakpoint is for one thread: then that thread's lane or 0, and the other lanes' hits are kept. */
uint32_t step_points_reportable(struct stub *s, uint64_t first_uid, unsigned n, uint64_t pc);
/* Makes breakpoints hit for all threads that hold for one thread until a thread has reached them. Returns false if there are none. */
bool step_points_release(struct stub *s);
/* Removes all of gdb's breakpoints and watchpoints, and forgets the values that gdb knows of them. */
void points_clear(struct stub *s);
/* Returns whether gdb has a breakpoint at an address, also a breakpoint that gdb has taken out for a step. */
bool points_at(struct stub *s, uint64_t address);
/* Returns whether gdb has a breakpoint at an address and has not taken it out. */
bool points_inserted_at(struct stub *s, uint64_t address);
/* Returns whether gdb has a breakpoint at an address that is for the thread and whose condition is true. A condition that can't be evaluated counts as
 * true. `as_seen`: evaluates the condition as gdb sees the thread, else as the machine has it. */
bool points_hold(struct stub *s, uint64_t tid, uint64_t address, bool as_seen);
/* Returns whether all writes of a watchpoint's stop leave the values that gdb knows, or concern a variable's register that doesn't hold the variable
 * now. Returns false for other stops. New values of variables in several registers are kept as known. */
bool points_as_before(struct stub *s, const struct debug_stop *stop);
/* What a condition needs of the lane that it is evaluated for: `varies` becomes true once the value may differ between the lanes of the warp. */
struct agent_lane {
	uint64_t local_base;
	uint32_t places[12]; /* threadIdx, blockIdx, blockDim, gridDim */
	bool varies;
};
/* Stores the value of bytecode, evaluated as `tid` sees registers and memory; `lane` may be NULL. Returns false if the code is wrong, takes over 100,000
 * steps, divides by 0, or needs what isn't there. */
bool agent_eval(struct stub *s, uint64_t tid, struct agent_lane *lane, const struct text *code, uint64_t *out);

/* ---- what gdb knows of what it watches (watched.c) ---- */
/* Notes that gdb resumes the machine: forgets watchpoints that gdb has taken out and not inserted again, and which writes were reported. */
void watched_go_on(struct stub *s);
/* Notes that gdb has read n bytes at an address, and so knows the value of a watchpoint there whose write was reported. */
void watched_read(struct stub *s, uint64_t address, uint64_t n);
/* Notes that gdb has written n bytes at an address, and so knows the values of the watchpoints there. */
void watched_written(struct stub *s, uint64_t address, uint64_t n);
/* Stores the next watchpoint on writes whose present value differs from the one that gdb knows, by the debugger's number. *uid: the thread whose
 * registers or local memory is watched, 0: shared. *at, 0 for the first call, is advanced. Returns false at the end. */
bool watched_changed(struct stub *s, size_t *at, uint32_t *number, uint64_t *uid);
/* Returns whether the machine has the value that gdb knows of the watchpoint *p, on writes. Returns false if gdb knows no value, the value can't be
 * read, or the watchpoint is on a variable in several registers. */
bool watched_is_as_known(struct stub *s, const struct machine_point *p);

/* ---- register snapshots of warps (snapshot.c) ---- */
struct register_snapshot;
/* Takes a snapshot of the registers of a thread's warp where the warp stands, in place of one taken there before, and returns it. Valid until another
 * snapshot is taken or unneeded ones are dropped. May drop unneeded ones itself. */
const struct register_snapshot *snapshot_take(struct stub *s, const struct debug_where *w);
/* Returns the snapshot of a thread's warp from when the warp had executed `executed` instructions. Returns NULL if there is none, or if the warp still
 * stands there. */
const struct register_snapshot *snapshot_find(const struct stub *s, const struct debug_where *w, uint64_t executed);
/* Stores a lane's activations, innermost first, which belong to the snapshot. Returns their number; 0, with nothing stored, if the lane had exited. */
size_t snapshot_frames(const struct register_snapshot *k, unsigned lane, const struct debug_frame **out);
/* Returns a mask of the lanes that had the same activations as the thread in the snapshot taken where its warp stands. Without such a snapshot returns
 * the thread's lane. */
uint32_t snapshot_together(const struct stub *s, const struct debug_where *w);
/* Returns an activation's registers, for debug_frame_register, which belong to the snapshot. Returns NULL if the snapshot doesn't have them: a
 * snapshot has room for 256 KiB. */
const void *snapshot_registers(const struct register_snapshot *k, const struct debug_frame *a);
/* Frees the snapshots that lanes_needs_snapshot doesn't name, and drops the cached view. */
void snapshots_drop_unused(struct stub *s);

/* ---- stop replies (stops.c) ---- */
/* Adds the reply that reports a thread's stop, or the host's if there is no such thread. Selects the thread for gdb, and notes that its stop, and a
 * write to a watchpoint, was reported. */
void stop_reply_thread(struct stub *s, unsigned signal, uint64_t tid, struct lanes_event event, struct text *reply);

/* ---- lanes' machine (machine.c) ---- */
/* Creates the lanes' state s->lanes with the machine behind it. */
void machine_attach(struct stub *s);

#endif
