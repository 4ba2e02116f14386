/* What the rooms of the stub share: its state, and addresses as gdb sees them. Nobody outside gdbstub includes this. */
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
	struct view_frame *frames;		  /* innermost first */
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

struct stub {
	struct debug *d;
	struct session *session;
	struct session_face face;
	struct lanes *lanes;
	struct text *reply;		  /* of the packet that lets the machine run */
	volatile sig_atomic_t *interrupt; /* the session's flag */
	bool shows_errors;		  /* gdbstub_attach */
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
	bool detached;		 /* but connected, and gdb may `run`: makes room for another one */
	bool no_program;	 /* gdb has detached or killed: there are no threads before it hears of a stop again */
	struct args args;
	struct text console;   /* text for gdb's console, sent as O packets */
	uint64_t tid_g, tid_c; /* selected by Hg and Hc */
	struct reported_pc
		*reported; /* rip and rsp of threads that gdb hasn't resumed since: half of its places are free */
	size_t n_reported, cap_reported;
	uint64_t reported_run;	  /* everybody was resumed so often */
	bool brief;		  /* gdb hasn't asked for the threads since it ran the machine, see threads_xml */
	bool hinted;		  /* that `monitor` has moved a thread behind gdb's back: once is enough */
	struct text not_launched; /* why the last `run`, or who was to launch before gdb came, has begun nothing */
	uint64_t *aliases;
	size_t n_aliases, cap_aliases;
	struct point *points;
	size_t n_points, cap_points;
	struct register_snapshot **snapshots; /* registers of warps as they were */
	size_t n_snapshots, cap_snapshots;
	size_t many_snapshots;	/* so many: some may be needed no more */
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

/* ---- clients (client.c) ---- */
/* What is still to be reported, and what gdb believes of threads: nobody is interested any more. */
void client_forget(struct stub *s);

#endif
