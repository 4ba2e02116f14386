/* Executing warp instructions: the only place where an instruction has an effect.
 *
 * exec decides what, timing decides when: functional mode lets exec_run go on, performance mode calls it for one instruction when
 * that is issued. */
#ifndef EXEC_EXEC_H
#define EXEC_EXEC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/lanes.h"
#include "base/limits.h"
#include "base/text.h"
#include "isa/address_map.h"
#include "isa/program.h"

/* ---- address map: one flat generic space (docs/architecture.md "Addresses") ---- */
#define EXEC_SHARED_WINDOW ISA_SHARED_WINDOW
#define EXEC_LOCAL_WINDOW ISA_LOCAL_WINDOW
#define EXEC_PARAM_WINDOW ISA_PARAM_WINDOW
#define EXEC_CONST_WINDOW ISA_CONST_WINDOW
#define EXEC_CODE_WINDOW ISA_CODE_WINDOW
#define EXEC_MODULE_GLOBALS ISA_MODULE_GLOBALS

/* ---- launches ---- */
struct exec_launch {
	uint32_t id;		/* counts launches from 0: kernel N of the debugger */
	uint32_t function;	/* index into program functions */
	uint32_t grid[3], block[3];
	uint32_t shared_dynamic; /* bytes asked for at launch */
	uint32_t shared_bytes;	/* static + dynamic, per CTA */
	uint32_t dynamic_base;	/* shared address where dynamic shared memory begins */
	uint32_t stream;
	uint32_t context;	/* whose memory it may use */
	uint64_t first_uid;	/* uid of its first thread */
	uint64_t n_threads, n_ctas;
	uint32_t depth;		/* of launches by threads above it */
	uint64_t workspace;	/* device address of the memory that a cooperative grid's barrier is in (%envreg1, %envreg2), 0: not cooperative */
	uint64_t param_offset;	/* of its parameter block in the PARAM section */
	uint32_t param_bytes;
	uint32_t warps_per_cta, threads_per_cta;
	bool independent_threads; /* a way of a warp that waits is switched for another one (exec_switch_way) */
	uint32_t local_bytes;	/* of local memory per thread: the kernel's frame and what its calls may use */
	uint32_t local_stride;	/* the same, rounded up: distance of two lanes' local memories */
};

/* ---- warps and CTAs: live in arena section CTA ---- */
enum exec_warp_state { EXEC_WARP_UNUSED, EXEC_WARP_RUNNABLE, EXEC_WARP_BARRIER, EXEC_WARP_DONE };

/* One entry of a warp's SIMT stack. The top entry's lanes run; when its pc reaches rpc it is popped. A call pushes an
 * entry with its own frame; ISA_NO_RECONV in rpc: only exit (or ret) pops it. */
struct exec_simt {
	uint32_t pc, rpc;	/* instruction indices */
	uint32_t mask;
	uint32_t call_depth;	/* 0 in the kernel; entries of one depth share a frame */
	uint64_t frame;		/* offset in section FRAME */
	uint32_t local_sp;	/* local-space address of the activation's local frame */
	uint32_t return_pc;	/* of the activation: the call instruction's index (ISA_NO_TARGET in the kernel) */
	uint32_t local_top;	/* local-space address where the next callee's frame (or alloca) begins */
	uint32_t frame_bytes;	/* of the activation */
};

/* What each instruction needs comes first: a line of the host's cache. Snapshots copy all warps, so what few of them need is elsewhere, and these are
 * two lines. */
struct exec_warp {
	_Alignas(64) uint64_t simt; /* offset of the SIMT stack's first entry in section SIMT */
	uint64_t special;	/* offset of the special register rows in section SPECIAL */
	uint64_t local;		/* offset of lane 0's local memory in section LOCAL; lane l at + l * local_stride */
	uint64_t executed;	/* warp instructions executed by this warp */
	uint32_t n_simt;	/* depth of the SIMT stack; the top is [n_simt-1] */
	uint32_t local_stride;	/* bytes of local memory per lane */
	uint32_t last_pc;	/* instruction executed last */
	uint32_t state;		/* enum exec_warp_state */
	uint32_t lanes;		/* lanes that exist */
	uint32_t exited;	/* lanes that have exited */
	uint32_t carry;		/* the CC.CF bit of each lane */
	uint32_t quantum;	/* instructions left before the scheduler looks at another warp */
	uint32_t cta;		/* slot */
	uint32_t index;		/* within the CTA */
	uint32_t cap_simt;	/* entries of the SIMT stack there is room for */
	uint32_t sync_lanes;	/* lanes that wait in front of a warp-level instruction (.sync) for members of theirs */
	uint32_t sync_passers;	/* members that sync_lanes wait for and whose way meets theirs again behind the instruction */
	uint32_t barrier_pc;	/* the barrier instruction's index */
	uint32_t barrier_lanes;	/* lanes that stand at it; while the state is RUNNABLE they wait for other lanes of the warp */
	uint32_t barrier_count;	/* thread count given, 0: none; and the lanes' predicates for bar.red */
	uint32_t barrier_true, barrier_false;
	bool mixed;		/* entries of different activations may lie in any order on the SIMT stack */
	uint8_t waiting;	/* enum wait_phase (gpu/wait.h) */
	uint8_t barrier;	/* id waited at, when state is BARRIER */
	uint8_t changed;	/* functional mode: the warp has changed memory: bit 0 since it was last looked at, bit 1 in this turn */
	uint32_t idle_turns;	/* functional mode: turns in a row in which the warp has neither changed memory nor arrived at a barrier */
	uint64_t spin_epoch;	/* the device's memory epoch in which it was proven to spin, 0: never */
	uint64_t errors;	/* offset in section FRAME of the lanes' last CUDA errors, a u16 each; 0: none has any */
};

#define EXEC_CALL_BYTES 16u /* of a thread's stack that a call takes at least, and each activation besides its local variables */

#define EXEC_BARRIERS 16
struct exec_barrier {
	uint32_t arrived;	/* threads arrived (multiples of warp size, as the ISA counts) */
	uint32_t expected;	/* thread count given by those who arrived, 0: all the CTA's live warps */
	uint32_t red_false, red_true; /* of bar.red: threads whose predicate was false, true */
};

#define EXEC_WARPS_PER_CTA 32 /* CUDA's limit of 1024 threads a block */
struct exec_cta {
	bool used;
	uint32_t launch;	/* launch id */
	uint64_t linear;	/* block's linear index in its grid */
	uint32_t id[3];
	uint32_t core, core_slot; /* where it is placed; warp w has hardware id core_slot * warps_per_cta + w on that core */
	uint64_t shared;	/* offset in section SHARED */
	uint32_t shared_bytes;
	uint64_t param;		/* offset of its launch's parameter block in section PARAM */
	uint32_t param_bytes;
	uint32_t n_warps, n_done;
	uint32_t current;	/* warp that runs in functional mode */
	uint32_t n_opened;	/* barriers that have opened so far */
	uint32_t last_child;	/* 1 + id of the last launch in the block's own stream, 0: none */
	uint32_t special_launch; /* 1 + launch id its special rows were made for, 0: none */
	struct exec_barrier barrier[EXEC_BARRIERS];
	struct exec_warp warp[EXEC_WARPS_PER_CTA];
};

/* ---- what stops a run ---- */
enum exec_status {
	EXEC_BUDGET,	/* the instruction budget is used up */
	EXEC_MARK,	/* the next instruction has a mark (and marks were not passed) */
	EXEC_ACCESS,	/* the observer wants to be in front of the next instruction's access: exec.effect; nothing has happened yet */
	EXEC_FAULT,	/* the next instruction faults: see exec.fault; nothing has happened yet */
	EXEC_BARRIER,	/* the warp has arrived at a barrier: it waits there, or (still runnable) it has opened it */
	EXEC_DONE,	/* all lanes have exited */
	EXEC_YIELD	/* nanosleep, printf buffer full: the scheduler may look at somebody else */
};

/* CUDA exceptions, with cuda-gdb's numbers and names. */
enum exec_fault_kind {
	EXEC_FAULT_NONE,
	EXEC_FAULT_LANE_ILLEGAL_ADDRESS = 1,
	EXEC_FAULT_STACK_OVERFLOW = 2,	     /* "Lane User Stack Overflow" */
	EXEC_FAULT_HARDWARE_STACK_OVERFLOW = 3,
	EXEC_FAULT_ILLEGAL_INSTRUCTION = 4,
	EXEC_FAULT_OUT_OF_RANGE = 5,	     /* shared, local, const or param address outside its window */
	EXEC_FAULT_MISALIGNED = 6,
	EXEC_FAULT_INVALID_ADDRESS_SPACE = 7,
	EXEC_FAULT_INVALID_PC = 8,
	EXEC_FAULT_ASSERT = 12,
	EXEC_FAULT_ILLEGAL_ADDRESS = 14,     /* "Warp Illegal Address" */
	EXEC_FAULT_TRAP = 100,
	EXEC_FAULT_BREAKPOINT = 101,	     /* brkpt */
	EXEC_FAULT_BARRIER = 102	     /* invalid barrier use */
};

struct exec_fault {
	enum exec_fault_kind kind;
	uint32_t lanes;		/* lanes that fault */
	uint64_t address;	/* of the lowest of them; generic or in `space` */
	uint32_t size;		/* bytes of the access, 0: no access */
	uint8_t space;		/* enum isa_space, resolved if it was generic */
	bool is_write, is_atomic;
	char detail[160];	/* a sentence for faults that need one (assert text, barrier misuse), else "" */
};

/* A memory access about to happen, per lane. */
struct exec_access {
	uint32_t lanes;
	uint32_t size;		/* bytes per lane, vectors included */
	uint8_t space;		/* resolved per instruction where all lanes agree, else GENERIC */
	bool is_read, is_write, is_atomic;
	uint32_t failed;	/* is_atomic, after it: lanes whose compare-and-swap found another value, and so wrote nothing */
	bool in_halves;		/* instead of address[]: lane l at start[l / 16] + l % 16 * step (what lanes outside `lanes` get means nothing) */
	uint32_t step;
	uint64_t start[2];	/* generic addresses, like these: */
	uint64_t address[LANES];
};

/* ---- effects: what an instruction is about to do, or has just done ---- */
enum exec_effect_kind {
	EXEC_EFFECT_ACCESS,  /* ld, st, atom, red */
	EXEC_EFFECT_BARRIER, /* bar, barrier: lanes come to a barrier of their block */
	EXEC_EFFECT_OPEN,    /* a barrier lets its warps go on */
	EXEC_EFFECT_FLOW,    /* branches, calls, returns, exits */
	EXEC_EFFECT_SYNC,    /* what lanes of a warp do together: bar.warp.sync, shfl, vote, match, redux, elect */
	EXEC_EFFECT_FENCE,   /* fence, membar */
	EXEC_EFFECT_KINDS
};
#define EXEC_LOOK(kind) (1u << EXEC_EFFECT_##kind)

enum exec_barrier_use { EXEC_BARRIER_SYNC, EXEC_BARRIER_ARRIVE, EXEC_BARRIER_RED };
struct exec_effect_barrier {
	uint32_t id, count; /* thread count, 0: none given */
	enum exec_barrier_use use;
	bool aligned;	    /* bar, barrier.aligned */
	bool arrived;	    /* afterwards: the whole warp has arrived; else its lanes wait for others of the warp */
	uint32_t warps;	    /* OPEN: those of the block that waited, a bit each */
};
/* Where lanes go. An instruction's lanes that don't execute it because of its guard go on at the next one. */
enum exec_flow_how { EXEC_FLOW_BRANCH, EXEC_FLOW_CALL, EXEC_FLOW_RETURN, EXEC_FLOW_EXIT };
struct exec_flow {
	enum exec_flow_how how;
	uint32_t function;	/* CALL: of the first lanes that call: index of the program's functions */
	uint32_t n;		/* of places: */
	uint32_t pc[LANES + 1]; /* ISA_NO_TARGET: nowhere, they exit */
	uint32_t lanes[LANES + 1];
};
struct exec_effect_fence {
	uint8_t sem, scope; /* enum isa_sem, isa_scope */
	bool proxy;	    /* fence.proxy: between kinds of access to the same memory */
};

struct exec_effect {
	enum exec_effect_kind kind;
	uint32_t lanes;	  /* that execute it. SYNC, FLOW: in front, those that come; afterwards, those for which it has happened */
	bool deferred;	  /* an atomic that is only checked and recorded, and happens later: */
	uint32_t pending; /* as this entry of exec/pending.h */
	struct exec_access access; /* no lanes: none */
	struct exec_effect_barrier barrier;
	struct exec_flow flow;
	struct exec_effect_fence fence;
	uint32_t members[LANES]; /* SYNC: live lanes that each one's membermask names; without .sync those that are there */
	uint32_t gone;		 /* SYNC: exited lanes that a membermask names */
};

struct exec;
/* Who looks at effects, and at what; all zero: nobody. An instruction then is executed as if there were no observers. */
struct exec_observer {
	bool records;	 /* x->effect is filled by each access: exec_step returns with it */
	bool defers;	 /* atom and red are deferred */
	bool changes;	 /* n_stores counts only stores that change memory, else all of them */
	bool pages;	 /* some page of device memory has a flag ARENA_PAGE_WATCH_... */
	uint32_t spaces; /* bit per isa_space other than global with a memory watch in it: 1 write; << 8 read */
	uint32_t kinds;	 /* EXEC_LOOK(...): kinds of effects it wants to see all of */
	/* In front of an effect of these kinds, and of an access to such a page or space. True: stop there (EXEC_ACCESS). NULL: go on in front of the
	 * kinds, stop in front of the others. Whoever passes a stop isn't asked about it again; somebody else's stop at the same instruction
	 * doesn't keep it from being asked, but it can't stop there then. An instruction that faults may have been asked about. */
	bool (*before)(void *self, const struct exec *x, const struct exec_effect *e);
	/* After each effect of these kinds: once for each lane, in the order in which they happen (a deferred one: when it lands). x->warp, x->cta and
	 * x->pc say whose. OPEN comes in front of the `after` of the instruction that opened the barrier. May be NULL. */
	void (*after)(void *self, const struct exec *x, const struct exec_effect *e);
	void *self;
	const struct exec_checker *checker; /* besides; NULL: none */
};

/* What an address is for free: the start of what a kernel's malloc gave, one of those that was freed, or of memory of the host. */
enum exec_heap_state { EXEC_HEAP_NONE, EXEC_HEAP_LIVE, EXEC_HEAP_FREED, EXEC_HEAP_HOST };

/* Lanes of an access that would fault: which, and why. */
struct exec_wrong {
	uint32_t lanes;
	uint32_t size; /* bytes per lane */
	bool is_write, is_atomic;
	uint8_t fault[LANES]; /* enum exec_fault_kind */
	uint8_t space[LANES]; /* enum isa_space, resolved if it was generic; `address` is in it */
	uint64_t address[LANES];
};
/* Barriers, and instructions at which lanes wait for each other, used wrongly. Going on in spite of it: */
enum exec_misuse_kind {
	EXEC_MISUSE_OPERANDS, /* of a barrier: it is as if it weren't there */
	EXEC_MISUSE_ELSEWHERE, /* lanes of the warp are in another barrier instruction: they are taken for one, if they name the same barrier */
	EXEC_MISUSE_DIVERGED,  /* lanes wait behind the barrier for those that are in it: it goes on without them. No fault without a checker */
	EXEC_MISUSE_LOCKED,    /* lanes wait in a warp-level instruction for those that are in the barrier: likewise */
	EXEC_MISUSE_MISSING,   /* lanes that a membermask names wait elsewhere: likewise */
	EXEC_MISUSE_PASSED     /* lanes exit that `missing` lanes wait for in a warp-level instruction, and had passed it by: likewise */
};
struct exec_misuse {
	enum exec_misuse_kind kind;
	uint32_t lanes, missing; /* that execute it, that don't come */
	uint32_t other_pc;	 /* where these are, the first of them; ISA_NO_TARGET: not known */
	uint32_t barrier;	 /* its id, where it is one */
	const char *detail;
};
/* What comes of a mistake: it faults as without a checker; the machine stops in front of it; or it isn't made. */
enum exec_judgement { EXEC_JUDGE_FAULT, EXEC_JUDGE_STOP, EXEC_JUDGE_SKIP };

enum exec_insn { EXEC_INSN_GO, EXEC_INSN_STOP, EXEC_INSN_AFTER };

/* Who looks for mistakes (src/check), besides an observer. All functions may be NULL. Those in front may stop the machine there as often as they are
 * asked, also where a stop is passed: who has reported something at a moment has to know it the next time. */
struct exec_checker {
	void *self;
	uint32_t kinds;	   /* EXEC_LOOK(...), for: */
	bool (*before)(void *self, const struct exec *x, const struct exec_effect *e);
	void (*after)(void *self, const struct exec *x, const struct exec_effect *e); /* as an observer's */
	bool records;	   /* x->effect is filled by each access */
	bool local_frames; /* local memory ends where the activations' frames end, else with what the thread has */
	/* Of accesses. With SKIP the wrong lanes don't make it: what they load is 0. */
	enum exec_judgement (*wrong)(void *self, const struct exec *x, const struct exec_wrong *w);
	/* Of a lane's free of an address that is `state` there; `again`: a lower lane frees the same. SKIP: nothing is freed. */
	enum exec_judgement (*wrong_free)(void *self, const struct exec *x, unsigned lane, uint64_t address, enum exec_heap_state state,
					  bool again);
	/* FAULT: as without a checker. */
	enum exec_judgement (*misuse)(void *self, const struct exec *x, const struct exec_misuse *m);
	/* x->mask is about to exit from the kernel, to branch to an instruction that only exits from it (`leaves`), or to part from other lanes of x->active at a
	 * branch. May be called again for the same instruction. */
	void (*parts)(void *self, const struct exec *x, bool exits, bool leaves);
	/* Global, shared or local memory was written otherwise than by an instruction; `offset` is in the space's section. */
	void (*wrote)(void *self, const struct exec *x, enum isa_space space, uint64_t offset, uint64_t n);
	/* Global memory was given to a thread, or to the device runtime: nothing that was there has to do with what will be. */
	void (*allocated)(void *self, uint64_t address, uint64_t n);
	/* In front of each instruction, also where x->mask is 0; and after it if the first asked for that and some lane has executed it. NULL both: not
	 * asked. `self` is insn_self. */
	enum exec_insn (*insn)(void *self, const struct exec *x, const struct isa_insn *i);
	void (*insn_over)(void *self, const struct exec *x, const struct isa_insn *i);
	void *insn_self;
};

/* ---- the execution context: caches of the arena plus tables; not part of the machine's state ---- */
typedef void (*exec_handler)(struct exec *x, const struct isa_insn *i);

/* Allocation lookup used by the bounds check: [first, end) in device addresses. */
struct exec_window { uint64_t first, end; };
#define EXEC_ANY_CONTEXT UINT32_MAX

/* A launch by a thread. */
struct exec_child {
	uint32_t function, grid[3], block[3], shared;
	uint64_t stream; /* handle */
	const void *params;
	uint32_t n_params;
	unsigned lane;
};
#define EXEC_ANY_STREAM UINT64_MAX
enum exec_stream_call { EXEC_STREAM_CREATE, EXEC_STREAM_DESTROY, EXEC_STREAM_WAIT, EXEC_EVENT_CREATE, EXEC_EVENT_DESTROY, EXEC_EVENT_RECORD };
enum exec_query {
	EXEC_QUERY_ATTRIBUTE, /* arg: number; an int */
	EXEC_QUERY_LIMIT,     /* arg: number; 8 bytes */
	EXEC_QUERY_OCCUPANCY, /* arg: function, threads of a block, dynamic shared memory; an int */
	EXEC_QUERY_FUNCTION   /* arg: function; a cudaFuncAttributes */
};

struct exec_services {	/* what the device (gpu) provides; `self` is passed back */
	void *self;
	/* Finds the live allocation holding [address, address+size) that a context may use; false if none. */
	bool (*find_allocation)(void *self, uint32_t context, uint64_t address, uint64_t size, struct exec_window *out);
	/* Finds memory that is somewhere else: an address of the host's, or of another mapping, which a context may use. *w: addresses around
	 * this one; *at: where the first of them is. False, or NULL: there is none. */
	bool (*elsewhere)(void *self, uint32_t context, uint64_t address, bool writes, struct exec_window *w, uint64_t *at);
	bool (*is_read_only)(void *self, uint64_t address); /* of such an allocation: kernels may only read it; NULL: none is */
	uint64_t (*device_malloc)(void *self, uint64_t bytes); /* 0: none left */
	bool (*device_free)(void *self, uint64_t address);
	enum exec_heap_state (*device_heap)(void *self, uint64_t address); /* what free would find there */
	/* What one call of printf writes; fifo_bytes: what it takes of CUDA's buffer for that. */
	void (*output)(void *self, const char *s, size_t n, uint64_t fifo_bytes);
	uint64_t (*cycle)(void *self);
	uint64_t (*nanoseconds)(void *self); /* the same as time; NULL: a cycle is one */
	/* of the device runtime, for the thread that runs: */
	int (*launch)(void *self, const struct exec_child *c); /* a CUDA error, 0: it is queued */
	bool (*has_children)(void *self, uint64_t stream);     /* unfinished launches: EXEC_ANY_STREAM, or those in a stream */
	int (*stream)(void *self, enum exec_stream_call what, uint64_t handle, uint64_t event, uint64_t *out);
	uint64_t (*runtime_memory)(void *self, uint64_t bytes); /* of the device runtime itself; 0: none left */
	void (*runtime_free)(void *self, uint64_t address);
	int (*query)(void *self, enum exec_query what, const uint64_t arg[3], void *out, size_t n);
};

/* How often instructions were executed: per instruction the difference to the one before it, so that a way straight on is counted at its two
 * ends (exec_counts adds up). */
struct exec_count {
	uint64_t warps, lanes; /* warp instructions; their active lanes, guards aside */
	uint64_t cycles;       /* no difference: of the timing model, from issue to completion, added up */
};

struct exec {
	/* hot: rebuilt from the warp at entry of exec_run */
	char *base[4];		/* by enum isa_base */
	uint32_t *preds;	/* the frame's predicate slots */
	uint32_t mask;		/* lanes this instruction executes for: active & guard */
	uint32_t active;	/* top entry's mask */
	uint32_t pc;		/* index of this instruction */
	uint32_t event;		/* nonzero: exec_run looks up after this instruction (see internal.h) */
	uint32_t local_sp;
	struct exec_simt *top;	/* top entry of the SIMT stack; its pc is up to date only outside of exec_run */
	struct exec_warp *warp;
	struct exec_cta *cta;
	const struct exec_launch *launch;
	char *global;		/* host address of device address 0 */
	uint8_t *global_flags;	/* page flags of the global section */
	char *shared;		/* host address of the CTA's shared memory */
	uint32_t shared_bytes;
	char *local;		/* host address of lane 0's local memory */
	char *frame_base, *simt_base, *special_base, *shared_base, *param_base; /* of these sections, which never move */
	char *local_base;	/* section LOCAL and its page flags */
	uint8_t *local_flags;
	const char *param;
	uint32_t param_bytes;
	const char *constant;
	uint32_t const_bytes;
	/* counters, added to the device's and cleared by the caller */
	uint64_t n_warp_insns, n_thread_insns, n_stores; /* n_stores: to memory that isn't local */
	uint64_t n_run;		/* warp instructions of the run so far that are not in n_warp_insns yet */
	struct exec_count *counts; /* section COUNTS: one more than the program has instructions; NULL: not counted */
	/* watch switches */
	bool pass;		/* ignore marks and watches for the first instruction */
	struct exec_observer observer; /* set by exec_observe */
	uint32_t looks; /* EXEC_LOOK(...): kinds of effects that it or a checker wants to see */
	bool records;	/* one of them wants accesses recorded */
	/* cold */
	const struct isa_program *program;
	const exec_handler *handlers; /* one of these: */
	const exec_handler *plain, *observed, *checked;
	const char *level;	/* name of the instruction-set level in use */
	const uint8_t *marks;	/* one byte per instruction of the program; the owner keeps it current */
	/* Called in front of instructions with a mark. Returns false if the run is to stop there. NULL: it stops. */
	bool (*on_mark)(void *self, const struct exec *x);
	void *mark_self;
	exec_handler *builtins;	/* per function of the program: executes a library function without a body, or NULL */
	uint32_t n_builtins;
	struct arena *arena;
	const struct machine_limits *limits;
	int sec_frame, sec_simt, sec_special, sec_local, sec_shared, sec_global, sec_param, sec_const, sec_counts, sec_pending;
	uint32_t local_stride;	/* of the warp that runs: bytes of local memory per thread */
	uint32_t n_cores, warps_per_core; /* of the device, for special registers */
	uint32_t stack_limit;	/* bytes of it that calls and alloca may use beyond the kernel's own frame */
	struct exec_services services;
	struct exec_fault fault;
	struct text assert_lines; /* of a failed assertion: CUDA's line for each lane */
	struct exec_effect effect; /* the last one that an observer wanted to see */
	bool untold; /* it is an access whose `after` is still to come */
	struct { const struct exec_warp *warp; uint64_t moment; } asked; /* where `before` has stopped */
	uint32_t context;	     /* of the launch that runs */
	struct exec_window tlb[256]; /* recently found allocations of it, by pc; cleared on every allocate and free */
};

/* Whether this program has a level's build of the lane code, and the host the instructions for it. */
bool exec_level_runs(const char *level);
/* Sections, tables, the best ISA level the host has. `level`: NULL (best), "v2", "v3", "v4", "generic". `limits` live as long as x.
 * False: no such level, or no address space. */
bool exec_init(struct exec *x, struct arena *a, const struct isa_program *p, const char *level, const struct machine_limits *limits);
void exec_free(struct exec *x);
/* Blocks, registers and local and shared memory are gone, as after exec_init; device memory and constants stay. */
void exec_reset(struct exec *x);
/* The arena holds something else: what was remembered of it is void. */
void exec_forget(struct exec *x);
/* After modules were appended to the program (marks are the caller's business). */
void exec_program_changed(struct exec *x, uint32_t n_insns); /* counts are kept of so many */

/* Where the lanes `mask` of a warp whose active lanes are `active` go with the branch, call, return or exit at pc. False: it is none, or faults. */
bool exec_flow_ahead(const struct exec *x, const struct exec_warp *w, uint32_t pc, uint32_t active, uint32_t mask, struct exec_flow *out);

/* From now on o looks, who looked so far doesn't. The next exec_run notices. */
void exec_observe(struct exec *x, const struct exec_observer *o);
/* The same of the checker alone, which stays where it is; NULL: there is none. */
void exec_check(struct exec *x, const struct exec_checker *c);
/* Counts the instructions of the warp that runs, up to this one: with the warp a moment that doesn't come again. */
static inline uint64_t exec_moment(const struct exec *x) { return x->warp->executed + x->n_run + 1; }
/* The observer's `changes` alone. */
static inline void exec_count_changes(struct exec *x, bool on)
{
	struct exec_observer o = x->observer;
	if (o.changes == on)
		return;
	o.changes = on;
	exec_observe(x, &o);
}
/* The observer's `changes` and `records`: what is needed to see that a warp waits. */
static inline void exec_look_for_waits(struct exec *x, bool on)
{
	struct exec_observer o = x->observer;
	if (o.changes == on && o.records == on)
		return;
	o.changes = o.records = on;
	exec_observe(x, &o);
}

/* Fills what follows from the other fields and the kernel: threads, warps, shared memory layout, local_stride. */
void exec_prepare_launch(const struct exec *x, struct exec_launch *l);

/* Makes the CTA's warps ready at the kernel's entry (registers zero, special registers set, shared memory zero). */
/* The special registers that a warp of a block has, or will have: ISA_SPECIAL_BYTES, the rows of isa/special.def. Of the block only id and core
 * are looked at. */
void exec_special_rows(const struct exec *x, const struct exec_launch *l, const struct exec_cta *cta, unsigned warp, void *rows);
/* False: no room left in a section; the CTA is then unused. core and core_slot have been set by the caller. */
bool exec_start_cta(struct exec *x, struct exec_cta *cta, uint32_t cta_slot, const struct exec_launch *l, uint64_t linear);
/* Gives its memory back, whatever state its warps are in. */
void exec_finish_cta(struct exec *x, struct exec_cta *cta);

/* The launch of the warp that is run next. */
void exec_enter_context(struct exec *x, uint32_t context);
static inline void exec_enter(struct exec *x, const struct exec_launch *l)
{
	x->launch = l;
	if (__builtin_expect(l->context != x->context, 0))
		exec_enter_context(x, l->context);
}

/* Runs one warp for at most `budget` instructions; says why it stopped. The warp must be runnable, x->launch its launch. An
 * instruction that was stopped in front of (MARK, ACCESS, FAULT) is not counted; x->pc is its index. */
enum exec_status exec_run(struct exec *x, struct exec_cta *cta, uint32_t warp, uint64_t budget);

/* exec_run with a budget of 1, for those who come here for each instruction. */
enum exec_status exec_step(struct exec *x, struct exec_cta *cta, uint32_t warp);

/* Counts of instructions first .. end-1, as they are now, and all 0 again. */
void exec_counts(const struct exec *x, uint32_t first, uint32_t end, struct exec_count *out);
void exec_reset_counts(struct exec *x);

/* ---- independent threads ----
 * A way of a warp is what a SIMT stack entry runs: lanes at one place. The top entry's way runs. */

/* What is known of the ways of a warp. */
struct exec_ways {
	uint64_t epoch;		/* memory epoch of spin_lanes; 0: no way was ever switched */
	uint64_t since;		/* value of exec_warp.executed when the running way had its turn */
	uint32_t spin_lanes;	/* lanes of the ways seen to wait in that epoch */
};
/* Notes that `lanes` wait, in this memory epoch, and brings another way of the warp to the top: the one that has waited longest for its turn, of
 * those not seen to wait in this epoch. Lanes in a reconvergence entry run past it. Returns false if all others wait; then the next of them is on top
 * all the same. */
bool exec_switch_way(struct exec *x, struct exec_cta *cta, uint32_t warp, struct exec_ways *ways, uint64_t epoch, uint32_t lanes);
/* Returns true if the warp has a way besides the top entry's that can run. */
bool exec_has_other_way(struct exec *x, struct exec_cta *cta, uint32_t warp);

/* ---- inspection: never changes anything ---- */
static inline const struct exec_simt *exec_simt_top(const struct exec *x, const struct exec_warp *w)
{
	return (const struct exec_simt *)(const void *)(x->simt_base + w->simt) + (w->n_simt - 1);
}
/* Lanes of the warp that have come to a barrier and stand at it; and has anybody come to it? */
static inline uint32_t exec_lanes_at_barrier(const struct exec_warp *w, uint32_t id) { return w->barrier == id ? w->barrier_lanes : 0; }
bool exec_barrier_is_used(const struct exec_cta *cta, uint32_t id);
/* Returns how many threads the barrier waits for. Where no warp has arrived as a whole, the count that its first lanes gave decides. */
uint32_t exec_barrier_wants(const struct exec_cta *cta, uint32_t id);
/* The entry that holds a lane now (the topmost whose mask has it), NULL if the lane has exited. */
const struct exec_simt *exec_simt_of_lane(const struct exec *x, const struct exec_warp *w, unsigned lane);

/* Returns the entry of the activation that called e's, NULL if e's is the kernel. `first`: of the warp's SIMT stack; entries of other calls may lie
 * between the two. */
static inline const struct exec_simt *exec_simt_caller(const struct exec_simt *first, const struct exec_simt *e)
{
	for (const struct exec_simt *c = e; c-- > first;)
		if (c->call_depth + 1 == e->call_depth && !(e->mask & ~c->mask))
			return c;
	return NULL;
}

/* Address of a lane's value in a register row: 1, 2, 4, 8 bytes there; 16-byte registers: low half at p, high half at p+256. */
void *exec_row(const struct exec *x, const struct exec_warp *w, uint64_t frame, uint32_t ref);
uint32_t *exec_preds(const struct exec *x, uint64_t frame);
/* The warp's state and the registers its next instruction names are brought into the host's caches. */
void exec_prefetch(const struct exec *x, const struct exec_warp *w);

/* Host address for n bytes at a generic address as seen by one lane; NULL if not mapped or not allocated. The caller that writes
 * goes through exec_poke. */
const void *exec_peek(const struct exec *x, const struct exec_cta *cta, uint32_t warp, unsigned lane, uint64_t generic, uint64_t n);
bool exec_poke(struct exec *x, const struct exec_cta *cta, uint32_t warp, unsigned lane, uint64_t generic, const void *src, uint64_t n);

/* Whether a call is one of printf, and what a lane's would read besides the format: each argument and each string, in their order, at generic addresses. */
typedef void (*exec_reads_fn)(void *self, uint64_t address, uint64_t n);
bool exec_is_printf(const struct exec *x, const struct isa_insn *i);
void exec_printf_reads(const struct exec *x, const struct isa_insn *i, unsigned lane, exec_reads_fn reads, void *self);

#endif
