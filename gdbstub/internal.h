/* What the files of the stub share. Nobody outside gdbstub includes this. */
#ifndef GDBSTUB_INTERNAL_H
#define GDBSTUB_INTERNAL_H

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>

#include "debug/view/remote.h"
#include "gdbstub/protocol/args.h"
#include "gdbstub/gdbstub.h"
#include "gdbstub/protocol/rsp.h"

/* gdb's thread numbers are uids as long as those are small; it keeps them in 31 bits. */
#define STUB_HOST_TID UINT64_C(0x7fffffff)  /* stands for the host before a launch and after the last one */
#define STUB_ALIAS_TID UINT64_C(0x40000000) /* from here on: numbers given to larger uids */

/* ---- addresses as gdb sees them: generic ones, and above these each block's and each lane's own memory ---- */
#define STUB_REGION_MASK (UINT64_C(7) << 60)
#define STUB_SHARED_REGION (UINT64_C(2) << 60) /* | uid of the block's first thread << 24 | shared address */
#define STUB_LOCAL_REGION (UINT64_C(3) << 60)  /* | uid << 24 | local address */
#define STUB_STACK_REGION (UINT64_C(4) << 60)  /* | uid << 24 | place on the made-up stack of register frames */
#define STUB_PLACES_OFFSET \
	0xfff000 /* in a lane's local region: threadIdx, blockIdx, blockDim, gridDim, 12 bytes each */
#define STUB_UID_SHIFT 24
#define STUB_UID_MAX ((UINT64_C(1) << 36) - 1)
#define STUB_OFFSET_MASK ((UINT64_C(1) << STUB_UID_SHIFT) - 1)
#define STUB_STACK_TOP UINT64_C(0xfffff0)   /* where a thread's outermost frame ends */
#define STUB_EXIT_AT UINT64_C(0x0a000000)   /* 8 bytes a function: where its threads are when they have exited */
#define STUB_LAUNCH_AT UINT64_C(0x0b000000) /* 8 bytes a function: where its threads are before they begin */
#define STUB_HOST_AT (STUB_LAUNCH_AT - 8)   /* the host's pc */
#define STUB_TEXTS_AT UINT64_C(0x0c000000)  /* symbols named like the instructions' texts */
#define STUB_ARRIVED 64
#define STUB_REFUSED 4

/* ---- a function's made-up stack frame: registers, predicates, then what unwinding needs ---- */
/* A predicate is 0 or 1, as an int: of booleans and enumerations gdb 13 makes no bytecode but for the plainest conditions (`if p1`, not
 * `if !p1`), and an int of one byte it prints as a character, too. */
#define STUB_PRED_BYTES 4u
struct frame_reg { /* bytes [at, end) of the frame are this register's */
	uint32_t at, end;
	uint32_t ref; /* row, or predicate slot */
	uint8_t type;
	bool is_pred;
};
struct frame_layout {
	bool made;
	struct frame_reg *regs; /* by `at`; runs of registers of one declaration are one entry */
	size_t n_regs;
	uint32_t local_slot;  /* 8 bytes: gdb's address of the activation's local memory */
	uint32_t return_slot; /* 8 bytes: pc in the caller */
	uint32_t size;
};

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
	struct view_frame *frames; /* innermost first */
	size_t n_frames;
	uint64_t pc, sp;
};

/* ---- stop conditions gdb has inserted ---- */
struct point_other {
	uint32_t number, at; /* the debugger's; its place in the frame */
};
struct point {
	char type; /* '0' to '4' as in Z packets */
	uint64_t address, length;
	uint32_t number;	  /* the debugger's */
	struct point_other *also; /* on the other registers of a variable that moves, see location_list.c */
	size_t n_also, cap_also;
	uint32_t moves_first,
		moves_at; /* if there are such: its function's first instruction, the register's place in the frame, */
	unsigned char value[16]; /* and what gdb knows as the variable's value */
	bool lingering;		 /* taken out by gdb for a step of one thread: others still stop there */
	struct text *conditions; /* bytecode; any of them true: stop */
	size_t n_conditions;
};

/* A lane that has moved with its warp while gdb stepped another one of it: gdb believes it is still here. */
struct stale_view {
	uint64_t uid, pc, sp;
	uint64_t executed; /* by its warp then */
	bool waits;	   /* then, for the other side of a branch */
};
/* `executed` of one that is at the reported place, or not yet there: it has nothing to catch up with */
#define STALE_NOT_MOVED UINT64_MAX

/* A breakpoint that a warp has hit. */
struct hit {
	struct debug_thread warp; /* its lane 0 */
	uint64_t number;	  /* one of its own */
	uint64_t executed;	  /* by the warp */
	uint64_t pc, sp, uid;	  /* where; sp of the thread `uid`, */
	uint32_t uid_lane;	  /* which is this lane */
	uint32_t lanes;		  /* that are there, or reported to be; */
	uint32_t reported;	  /* these have been reported, */
	uint32_t over;		  /* and has stepped these off */
	bool seen;		  /* gdb's user has been shown it */
	bool is_said;		  /* that the warp has gone on */
};

/* Where a thread was when gdb read its rip: a place of a table with open addressing. */
struct reported_pc {
	uint64_t tid, pc, sp;
	uint64_t run; /* of older ones than stub.reported_run nothing counts: the place is free */
	bool is_over; /* it has been used up */
};

/* An ELF file made for gdb: instructions [first, end). */
struct image {
	char *name;
	struct text bytes;
	uint32_t first, end;
	uint32_t n_variables; /* module variables of the program when it was made */
	unsigned n_sections;  /* those with an address */
};

/* The beginnings of a block's rows in the list of threads, and rows without anything but the number. */
#define STUB_HEADS 8
struct thread_heads {
	uint64_t uid; /* of the block's first thread; 0: empty */
	uint32_t core, n;
	struct text text, brief;
	struct text plain;	 /* only the numbers, a comma after each */
	size_t *end, *brief_end; /* of each row in `text`, `brief` */
};

#define IMAGE_FACES 2

/* A function whose value has a half with nothing but floats and one with something else. */
struct mixed_return {
	uint32_t first; /* its first instruction */
	bool floats_first;
};

/* A variable is at this place of its function's frame while pc is in [begin, end). */
struct location {
	uint64_t list;	/* which variable's: the same for all of its places, which follow each other */
	uint32_t first; /* the function's first instruction */
	uint32_t at, begin, end;
};

enum break_mode { BREAK_AUTO, BREAK_WARP, BREAK_LANE };

/* A stop that could not be reported to gdb when it came: of a thread that is stepped alone gdb wants to hear and of no other. */
struct queued_stop {
	struct debug_stop stop;
	bool has_focus;
	struct debug_thread focus;
	char type; /* of gdb's watchpoint, which gets another number when gdb takes it out and puts it in again; 0: none */
	uint64_t address;
};

struct stub {
	struct debug *d;
	struct session *session;
	struct session_face face;
	volatile sig_atomic_t *interrupt; /* the session's flag */
	bool shows_errors; /* gdbstub_attach */
	/* link */
	int listen_fd, in_fd, out_fd; /* -1: none */
	int refused[STUB_REFUSED];
	bool is_pipe, attached, closing;
	struct watcher *watcher;
	struct keeper *keeper; /* awake.c */
	bool watching;	       /* for somebody else */
	struct rsp_decoder decoder;
	struct text input; /* bytes that came while the machine ran */
	size_t input_at;
	struct text out;  /* bytes to send */
	struct text last; /* the last packet, for a NAK */
	bool no_ack;
	bool is_gdb;	       /* by what it says in qSupported */
	bool no_swbreak;       /* gdb takes a stop with a reason it hasn't asked for as an error */
	bool has_begun;	       /* it knows why the machine stands */
	bool first_unanswered; /* qSupported was the last thing that came */
	/* session */
	bool extended, running;
	atomic_bool interrupted; /* also the watcher says so */
	bool stops_next; /* a 0x03 came while the machine stood */
	bool detached;	 /* but connected, and gdb may `run`: makes room for another one */
	bool no_program; /* gdb has detached or killed: there are no threads before it hears of a stop again */
	struct args args;
	struct text console;   /* text for gdb's console, sent as O packets */
	uint64_t tid_g, tid_c; /* selected by Hg and Hc */
	uint64_t stop_tid;     /* tid of the last stop reply */
	struct reported_pc
		*reported; /* rip and rsp of threads that gdb hasn't resumed since: half of its places are free */
	size_t n_reported, cap_reported;
	uint64_t reported_run; /* everybody was resumed so often */
	uint64_t favourite; /* tid the user cares about: hits are reported on it if it is among them */
	uint64_t chosen;    /* tid the user has selected since the last stop reply, 0: none */
	struct {	    /* threads gdb has asked for by T, one after the other */
		uint64_t last, chosen_before;
		unsigned n;
	} asked;
	bool seen;	 /* gdb has shown the last stop to its user */
	bool brief;	 /* gdb hasn't asked for the threads since it ran the machine, see threads_xml */
	bool hinted;	 /* that `monitor` has moved a thread behind gdb's back: once is enough */
	bool moved;	 /* somebody else ran the machine: to be reported first */
	bool moved_reported; /* it was, but for a step of one thread alone gdb may not have shown it */
	struct text moved_text;
	struct queued_stop *queued; /* stops of others while gdb stepped one thread by itself, the first one first */
	size_t n_queued, cap_queued;
	struct text not_launched; /* why the last `run`, or who was to launch before gdb came, has begun nothing */
	uint64_t *aliases;
	size_t n_aliases, cap_aliases;
	struct point *points;
	size_t n_points, cap_points;
	struct stale_view *stale;
	size_t n_stale, cap_stale;
	struct hit *hits; /* the first one first */
	size_t n_hits, cap_hits;
	struct register_snapshot **snapshots; /* registers of warps as they were */
	size_t n_snapshots, cap_snapshots;
	size_t many_snapshots; /* so many: some may be needed no more */
	uint64_t last_hit;  /* number of the last one that was made */
	uint64_t reported_hit; /* number of the one that the last stop reported, 0: none */
	struct stale_view
		deferred;   /* a thread (uid 0: none) that was reported to be here: its step is still to be made */
	uint64_t stepped;   /* tid of the one that gdb steps while others may run, till its user sees a stop; 0: none */
	uint64_t pretended; /* uid of a thread that was stepped alone and stays where it is (pretend_moved), 0: none */
	char reported_watch[64]; /* what the last stop said of a watchpoint, "" if of none, or gdb's user has seen it */
	enum break_mode break_mode;
	uint32_t expose_blocks; /* blocks around the focus shown as threads */
	/* what gdb reads in pieces */
	struct text target_xml, threads_xml, libraries_xml;
	struct image **images;		  /* [0] the main one */
	struct image *faces[IMAGE_FACES]; /* the main one with lines of PTX, of CUDA; NULL: nobody has asked yet */
	size_t n_images, cap_images;
	bool libraries_changed;
	const struct image *files[8];
	int *text_fds; /* by file: image/paths.c */
	uint32_t n_text_fds;
	uint32_t *same_text; /* by instruction: the first one of its image with the same text, whose symbol it shares */
	uint32_t n_same_text;
	/* caches */
	uint64_t arrived[STUB_ARRIVED]; /* uids of the first lanes of warps, a ring */
	unsigned n_arrived;
	struct thread_heads heads[STUB_HEADS];
	struct mixed_return *mixed;
	size_t n_mixed, cap_mixed;
	struct location *locations;
	size_t n_locations, cap_locations;
	struct frame_layout *layouts; /* by function */
	uint32_t n_layouts;
	struct thread_view view;
	bool sees_machine; /* views and memory are as the machine is, not as gdb believes: see view_machine */
};

static inline bool stub_is_interrupted(const struct stub *s) { return *s->interrupt; }
static inline const struct isa_program *stub_program(const struct stub *s) { return gpu_program(debug_gpu(s->d)); }

/* ---- packets (dispatch.c): handlers fill `reply` and say what is to be done with it; only the dispatcher sends ---- */
enum packet_result {
	PACKET_REPLY,	    /* what is in `reply`, maybe nothing: not supported */
	PACKET_OK,	    /* OK */
	PACKET_BAD,	    /* E01: arguments that make no sense */
	PACKET_NO_THREAD,   /* E03 */
	PACKET_NO_MEMORY,   /* E14: EFAULT */
	PACKET_NOT_ALLOWED, /* E16 */
	PACKET_SILENT,	    /* no reply at all */
	PACKET_LEAVE	    /* reply, then the client goes */
};
typedef enum packet_result packet_fn(struct stub *s, const struct args *a, struct text *reply);

/* Bytes from the peer. */
void dispatch_bytes(struct stub *s, const char *bytes, size_t n);
/* Sends what is on the console now: only while the machine runs, or before a reply to monitor. */
void dispatch_console(struct stub *s);

/* The packets that are understood, a line each. */
void dispatch_list(struct text *out);

#define PACKET(name, schema, fn, help) packet_fn fn;
#include "gdbstub/protocol/packets.def"

/* ---- threads (threads.c) ---- */
uint64_t thread_tid(struct stub *s, uint64_t uid);
bool thread_uid(const struct stub *s, uint64_t tid, uint64_t *uid); /* false: the host, or no such thread */
bool thread_exists(struct stub *s, uint64_t tid);		    /* and has not ended with its block */
uint64_t thread_of_focus(struct stub *s); /* tid of the debugger's focus, the host without one */
bool thread_where(struct stub *s, uint64_t tid, struct debug_where *w);
/* At each stop gdb asks for the threads to see which are still there, and names only the one that was reported. Reading names and states
 * of all would be most of the work of a step, so in the first list after a run only that thread has them. gdb asks
 * again before it shows a list of threads to anybody: then all of it is reported. */
void threads_xml(struct stub *s, struct text *out);
void threads_plain(struct stub *s, struct text *out); /* their numbers, with commas between */
/* gdb 13 executes 12,000 instructions for the shortest element of XML, at each stop; for a number in a plain list 700. For blocks so large
 * that this is most of a step gdb doesn't learn that there is XML: it takes the plain list, and asks for what a thread is when it shows one. */
bool threads_are_many(struct stub *s);
uint64_t thread_executed(struct stub *s, uint64_t uid);		   /* see debug_executed */
uint32_t thread_live_lanes(const struct debug_where *w);	   /* of its warp: those that have not exited */
void thread_extra(struct stub *s, uint64_t tid, struct text *out); /* its name and what it does */

/* ---- views (view.c) ---- */
const struct frame_layout *view_layout(struct stub *s, const struct isa_function *f);
uint32_t view_place(const struct isa_function *f, bool is_pred,
		    uint32_t ref); /* of a register's row, or a predicate's slot: byte of the frame */
const struct frame_reg *view_register(const struct frame_layout *l, uint32_t offset);
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
/* gdb knows the warp to be at the kernel's first instruction: a breakpoint there was reported, or it was stepped there. */
void view_arrived(struct stub *s, const struct debug_where *w);
static inline uint64_t view_pc(uint32_t index) { return EXEC_CODE_WINDOW + (uint64_t)index * ISA_INSN_BYTES; }

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
size_t memory_read(struct stub *s, uint64_t tid, uint64_t address, void *dst,
		   size_t n); /* how many bytes could be read */
bool memory_write(struct stub *s, uint64_t tid, uint64_t address, const void *src, size_t n);
void memory_map_xml(const struct stub *s, struct text *out);
uint64_t memory_shared_base(const struct debug_where *w);
uint64_t memory_local_base(const struct debug_where *w);

/* ---- stop conditions (points.c, agent.c) ---- */
bool points_number_address(const struct stub *s, uint32_t number, const struct point **out);
void points_settle(struct stub *s,
		   bool lone_step); /* before the machine runs: lingering ones go, unless one thread steps */
void points_clear(struct stub *s);
bool points_at(const struct stub *s, uint64_t address);
bool points_inserted_at(const struct stub *s, uint64_t address);  /* gdb hasn't taken it out since */
bool points_hold(struct stub *s, uint64_t tid, uint64_t address); /* there is one, and one of its conditions is true */
/* Has the machine stopped only because another register of a variable was written, and the variable is as it was, or has no place? */
bool points_as_before(struct stub *s, const struct debug_stop *stop);
/* Evaluates a bytecode expression for a thread. False: it is wrong, or needs what isn't there. */
bool agent_eval(struct stub *s, uint64_t tid, const char *code, size_t n, uint64_t *out);

/* ---- location lists: variables in several registers, one after the other (location_list.c) ---- */
bool location_list_known(const struct stub *s, uint64_t list); /* are the places of its file noted? */
void location_list_note(struct stub *s, const struct location *m);
/* The variables of which `at` is one place: their other places, at most `max`. */
size_t location_list_others(const struct stub *s, uint32_t first, uint32_t at, uint32_t *out, size_t max);
/* Has one of them a place at an instruction? */
bool location_list_has_place(const struct stub *s, uint32_t first, uint32_t at, uint32_t pc);

/* ---- gdb's continue and step (resume.c) ---- */
struct resume {
	bool has_step;	/* one thread steps */
	uint64_t step;	/* its tid */
	bool has_range; /* until its pc is outside of [from, to) */
	uint64_t from, to;
	bool others;	 /* everybody else runs too */
	bool to_end;	 /* the one thread goes on until something happens to it */
	uint64_t locked; /* tid of the only one that runs, 0: others do, too */
};
enum packet_result resume(struct stub *s, const struct resume *r, struct text *reply);
/* Only the thread `tid` goes on: `continue` with scheduler-locking on. */
enum packet_result resume_locked(struct stub *s, uint64_t tid, struct text *reply);
/* Makes the deferred step, if there is one. */
void resume_deferred(struct stub *s);
/* The debugger's focus is where the user of gdb is. */
void resume_choose_focus(struct stub *s, const struct resume *r);

/* ---- what is reported without running (report_first.c). True: `reply` is there, and the machine must not run. ---- */
/* Of a thread that steps alone, over a breakpoint, gdb wants to hear and of no other: everything else waits. `uid`: of that thread. */
bool report_first(struct stub *s, const struct resume *r, uint64_t uid, struct text *reply);
/* gdb's user hasn't seen where the machine is: somebody else has run it. `alone`: one thread steps and no other. */
bool report_moved(struct stub *s, const struct resume *r, bool alone, struct text *reply);

/* ---- running (running.c). `uid`: of the thread that steps; false: nothing can run, `why` says why. ---- */
/* Where a thread is, and whether its warp can move without it: it is the other side's turn at a branch. */
struct standing {
	uint64_t executed; /* by the warp */
	uint64_t frame;
	uint32_t pc;
	bool waits;
	bool in_barrier; /* gdb is shown what comes after */
};
struct standing run_standing(struct stub *s, uint64_t uid);
bool run_has_moved(struct stub *s, uint64_t uid, const struct standing *before);
/* Runs a step, and on until the thread is where it has come to; or everybody, until somebody stops. */
bool run_there(struct stub *s, const struct resume *r, uint64_t uid, struct debug_stop *stop, struct text *why);
/* A thread that is stepped alone moves, whatever others hit meanwhile: that is reported later. */
bool run_alone(struct stub *s, const struct resume *r, uint64_t uid, struct debug_stop *stop, struct text *why);
/* Until something happens to the thread, or to all. */
bool run_locked(struct stub *s, const struct resume *r, uint64_t uid, struct debug_stop *stop, struct text *why);
/* Has the thread come to a breakpoint without being there, as it waits for the other side of a branch, or in a barrier, after which it
 * is shown? gdb would take that for a hit. (A thread that is at an earlier hit for gdb has been there.) */
bool run_waits_at_point(struct stub *s, uint64_t uid);

/* ---- stop replies (stops.c) ---- */
/* `stepped`: tid that was to step, 0: none. */
void stop_reply(struct stub *s, const struct debug_stop *stop, uint64_t stepped, struct text *reply);
void stop_reply_thread(struct stub *s, unsigned signal, uint64_t tid, const char *why, struct text *reply);
/* A thread that is reported without a step, or with a watchpoint, stands where its warp does, which may not have begun to run. If gdb has a
 * breakpoint there it reports that itself: not twice. */
bool stop_stands(struct stub *s, uint64_t tid); /* is there such a breakpoint? */

/* ---- breakpoints that were hit (hits.c) ---- */
void hits_clear(struct stub *s);
void hits_clear_left(struct stub *s); /* those that warps have left */
void hits_free(struct stub *s);
/* A thread's warp stands at a breakpoint: it is reported that this thread has hit it, now or later. */
void hits_add_reported(struct stub *s, const struct debug_where *w);
void hits_add_later(struct stub *s, const struct debug_where *w);
/* gdb goes on. If its user has seen the hit that the last stop reported, it is not reported for the warp's other lanes (but with `monitor break
 * lane`). */
void hits_go_on_from_reported(struct stub *s);
/* Others are to run than one thread alone. Reports the next hit instead. False: there is none. */
bool hits_report(struct stub *s, struct text *reply);
/* The hit that a thread is at for gdb, and its warp isn't any more; NULL: none. */
const struct hit *hits_left(struct stub *s, const struct debug_where *w);
/* Is a thread's warp still where it has hit? */
bool hits_stand(const struct hit *h, const struct debug_where *w);
/* Where gdb is to see a thread then. */
void hits_place(const struct hit *h, const struct debug_where *w, uint64_t *pc, uint64_t *sp);
/* The machine is going to run while lanes are at hits for gdb. */
void hits_snapshot(struct stub *s);
/* A lane that is accounted for when another one of its warp moves. */
bool hits_moves_along(struct stub *s, const struct debug_where *w);
/* A thread moves by itself: what others of its warp hit meanwhile it has not, nor, where it stands, what gdb has taken out. */
void hits_leave(struct stub *s, const struct debug_where *w);
/* It steps one whose view is stale. True: to a hit that its warp has left already. */
bool hits_reach(struct stub *s, const struct debug_where *w);
/* It steps a thread from a breakpoint that it has left in: it doesn't know that this thread has hit it, and hears of it instead of a
 * step, as of a thread on a processor that executes the breakpoint. To step off a hit it knows of it takes the breakpoint out. */
bool hits_report_own(struct stub *s, const struct debug_where *w, struct text *reply);
/* It lets a thread go on by itself, from where gdb sees it. True: to a hit of its own, which has been reported. */
bool hits_go_on(struct stub *s, const struct debug_where *w, bool is_stale, struct text *reply);
/* gdb steps a thread by itself. True: off a hit that its warp has left already, so nothing has to move. */
bool hits_step(struct stub *s, const struct debug_where *w);

/* ---- stale views of lanes (stale.c) ---- */
const struct stale_view *stale_of(const struct stub *s, uint64_t uid); /* NULL: it isn't stale */
bool stale_has_moved(const struct stub *s, uint64_t uid); /* has the machine taken it further than was reported? */
void stale_add(struct stub *s, const struct stale_view *l);
void stale_drop(struct stub *s, uint64_t uid);
void stale_clear(struct stub *s);
/* Before a thread steps alone: the other lanes of its warp, as gdb sees them, and those of other warps that gdb has looked at. */
void stale_others(struct stub *s, uint64_t uid);
/* After that: those that it didn't move. */
void stale_drop_unmoved(struct stub *s);
/* Views that were stale before a step, to go back to if that doesn't happen after all; the caller frees `v`. */
struct stale_before {
	struct stale_view *v;
	size_t n;
};
struct stale_before stale_save(const struct stub *s);
void stale_restore(struct stub *s, const struct stale_before *b);

/* ---- register snapshots of warps (snapshot.c) ---- */
struct register_snapshot;
/* Of the registers of a thread's warp as they are now, before it goes on. */
const struct register_snapshot *snapshot_take(struct stub *s, const struct debug_where *w);
/* Those of a thread's warp when it had executed so many instructions. NULL: there are none, or it still stands there. */
const struct register_snapshot *snapshot_find(const struct stub *s, const struct debug_where *w, uint64_t executed);
/* A lane's activations, innermost first; 0: it had exited. */
size_t snapshot_activations(const struct register_snapshot *k, unsigned lane, const struct debug_activation **out);
uint32_t snapshot_lanes_with(const struct register_snapshot *k, unsigned lane); /* lanes that have the same ones */
/* An activation's registers, for debug_frame_register; NULL: there were too many. */
const void *snapshot_frame(const struct register_snapshot *k, const struct debug_activation *a);
void snapshots_drop_unused(struct stub *s);
void snapshots_free(struct stub *s);

/* ---- a step over a breakpoint, deferred until gdb's next packet (deferred.c) ---- */
/* Where a step that can be deferred leads to. False: it has to be made. */
bool deferred_step_to(struct stub *s, const struct resume *r, uint64_t uid, struct stale_view *to);
/* It was no step: everybody is to run, from that breakpoint, too. */
void deferred_was_none(struct stub *s);
bool deferred_survives(const char *packet, size_t n); /* a packet that doesn't look at the thread */

/* The point of gdb's own that was hit, NULL: none. */
const struct point *stop_point(const struct stub *s, const struct debug_stop *stop);

/* ---- stops to be reported later (queue.c) ---- */
void queue_stop(struct stub *s, struct debug_stop *stop); /* takes its text */
/* One instruction may change what several watchpoints watch; they are reported one by one. Those after the first. */
void queue_others_watched(struct stub *s, const struct debug_stop *stop);
bool queue_report(struct stub *s, struct text *reply); /* the first one; false: there is none */
void queue_clear(struct stub *s);

/* ---- images (image/image.c) ---- */
const struct image *images_main(struct stub *s);
void images_update(struct stub *s); /* after a file was loaded */
void paths_free(struct stub *s);
void images_clear(struct stub *s);
const struct image *images_find(struct stub *s, const char *name, size_t n);
void images_libraries_xml(struct stub *s, struct text *out);
uint64_t image_instruction_bytes(const struct stub *s, uint32_t index); /* the 8 bytes gdb finds at an instruction */
#define IMAGE_LAUNCH_BYTES UINT64_C(0xfffffff8051f0f66)			/* and where threads are before they begin */

/* ---- sessions (session.c) ---- */
/* What is still to be reported, and what gdb believes of threads: nobody is interested any more. */
void client_forget(struct stub *s);

/* ---- monitor (monitor.c) ---- */
void monitor_command(struct stub *s, const char *line, struct text *out);

/* ---- link (serve.c) ---- */
int link_accept(struct stub *s); /* -1: nobody is there after all */
bool link_is_gone(int fd);	 /* the peer has closed it; something may still be there to be read */
void link_flush(struct stub *s);
void link_await(struct stub *s); /* at most three seconds, for what the client says to the last answer */
void link_drop(struct stub *s); /* the client is gone */
/* Around runs of the machine: a byte from the peer sets the interrupt flag. */
void link_watch(struct stub *s, bool on);
void stub_face_running(void *self, bool on);
/* Takes what has come meanwhile; true if gdb wants the machine to stop, or is gone. */
bool link_wants_stop(struct stub *s);

/* ---- the watcher (watcher.c): a byte of the peer on `fd` sets the interrupt flag, from some milliseconds after this on ---- */
void watcher_on(struct stub *s, int fd);
int watcher_off(struct stub *s); /* what it had; -1: it wasn't on */
void watcher_stop(struct stub *s);
/* A thread that takes no signals: they are the main thread's. */
bool host_thread_start(pthread_t *thread, void *(*run)(void *), void *arg);

/* ---- short waits (awake.c) ---- */
/* poll(), for some milliseconds, without going to sleep. 0: nothing yet; a signal is like poll()'s. */
int awake_poll(const struct stub *s, struct pollfd *fds, nfds_t n_fds);
void awake_step_begins(struct stub *s);
void awake_step_ends(struct stub *s);
void awake_stop(struct stub *s);

/* ---- clients that are refused (refused.c), STUB_REFUSED of them ---- */
void refused_accept(struct stub *s);
void refused_poll(const struct stub *s, struct pollfd *fds);
void refused_answer(struct stub *s, const struct pollfd *fds); /* after poll */
void refused_close(struct stub *s);

#endif
