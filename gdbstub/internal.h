/* What the folders of the stub share: its state, and addresses as gdb sees them. Only files of gdbstub include this header. */
#ifndef GDBSTUB_INTERNAL_H
#define GDBSTUB_INTERNAL_H

#include "debug/stop/face_access.h"
#include "gdbstub/gdbstub.h"

/* gdb's thread numbers are uids as long as those are small; it keeps them in 31 bits. */
#define STUB_HOST_TID UINT64_C(0x7fffffff)  /* stands for the host before a launch and after the last one */
#define STUB_ALIAS_TID UINT64_C(0x40000000) /* from here on: numbers given to larger uids */

/* ---- addresses as gdb sees them: generic ones, and above these each block's and each lane's own memory ---- */
#define STUB_REGION_MASK (UINT64_C(7) << 60)
#define STUB_HOST_END (UINT64_C(1) << 56) /* where a program's own addresses end, of which the device may know some */
#define STUB_SHARED_REGION (UINT64_C(2) << 60) /* | uid of the block's first thread << 24 | shared address */
#define STUB_LOCAL_REGION (UINT64_C(3) << 60)  /* | uid << 24 | local address */
#define STUB_STACK_REGION (UINT64_C(4) << 60)  /* | uid << 24 | place on the made-up stack of register frames */
#define STUB_PLACES_OFFSET \
	0xfff000 /* in a lane's local region: threadIdx, blockIdx, blockDim, gridDim, 12 bytes each; warpSize, 4 bytes */
#define STUB_UID_SHIFT 24
#define STUB_UID_MAX ((UINT64_C(1) << 36) - 1)
#define STUB_OFFSET_MASK ((UINT64_C(1) << STUB_UID_SHIFT) - 1)
#define STUB_STACK_TOP UINT64_C(0xfffff0)   /* where a thread's outermost frame ends */
#define STUB_EXIT_AT UINT64_C(0x0a000000)   /* 8 bytes a function: where its threads are when they have exited */
#define STUB_LAUNCH_AT UINT64_C(0x0b000000) /* 8 bytes a function: where its threads are before they begin */
#define STUB_HOST_AT (STUB_LAUNCH_AT - 8)   /* the host's pc */
#define STUB_TEXTS_AT UINT64_C(0x0c000000)  /* symbols named like the instructions' texts */

struct stub {
	struct debug *d;
	struct session *session;
	struct interpreter *commands; /* for `monitor`; NULL: none */
	struct session_face face;
	/* each room's own: its room.h, which only its files may include */
	struct link_room *link;
	struct protocol_room *protocol;
	struct image_room *image;
	struct threads_room *threads;
	struct lanes *lanes;
	volatile sig_atomic_t *interrupt; /* the session's flag */
	bool running;			  /* the machine, for the client */
	/* the client */
	bool attached, extended;
	bool shows_errors;	  /* gdbstub_attach */
	bool is_confined;	  /* it may be on another machine, and may not touch programs and files of this one */
	bool runs_on;		  /* the client has detached from a program, which is to run on */
	bool detached;		  /* but connected, and gdb may `run`: makes room for another one */
	bool no_program;	  /* gdb has detached or killed: there are no threads before it hears of a stop again */
	bool is_gdb;		  /* it says in qSupported what only gdb says */
	bool no_swbreak;	  /* gdb takes a stop with a reason that it hasn't asked for as an error */
	uint64_t tid_g, tid_c;	  /* selected by Hg and Hc */
	struct text console;	  /* text for its console, to be sent as O packets */
	struct text *reply;	  /* to the packet that resumes threads */
	struct text not_launched; /* why the last `run`, or who was to launch before gdb came, has begun nothing */
};

/* Returns whether the session's interrupt flag is set. */
static inline bool stub_is_interrupted(const struct stub *s) { return *s->interrupt; }
/* Returns the program that is loaded. */
static inline const struct isa_program *stub_program(const struct stub *s) { return gpu_program(debug_gpu(s->d)); }
/* Returns gdb's address of an instruction. */
static inline uint64_t stub_pc(uint32_t index) { return EXEC_CODE_WINDOW + (uint64_t)index * ISA_INSN_BYTES; }
/* Adds text of n bytes for gdb's console, which dispatch_console sends. */
static inline void stub_say(struct stub *s, const char *text, size_t n) { text_addn(&s->console, text, n); }

#endif
