/* Executes warp instructions: the only place where an instruction has an effect.
 *
 * exec decides what happens, timing decides when: functional mode calls exec_run for many instructions at once, performance mode calls exec_step when
 * an instruction is issued. */
#ifndef EXEC_EXEC_H
#define EXEC_EXEC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/lanes.h"
#include "base/limits.h"
#include "base/text.h"
#include "exec/watcher.h"
#include "isa/address_map.h"
#include "isa/program.h"

/* ---- address map: one flat generic space (docs/state.md "Addresses") ---- */
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
	uint32_t shared_dynamic; /* bytes of dynamic shared memory that the launch asks for */
	uint32_t shared_bytes;	/* static + dynamic, per CTA */
	uint32_t dynamic_base;	/* shared address where dynamic shared memory begins */
	uint32_t stream;
	uint32_t context;	/* the context whose memory it may use */
	uint64_t first_uid;	/* uid of its first thread */
	uint64_t n_threads, n_ctas;
	uint32_t depth;		/* number of launches by threads above this one */
	uint64_t workspace;	/* device address of a cooperative grid's barrier (%envreg1, %envreg2), 0: the launch isn't cooperative */
	uint64_t param_offset;	/* of the parameter block in section PARAM */
	uint32_t param_bytes;
	uint32_t warps_per_cta, threads_per_cta;
	bool independent_threads; /* if lanes of a warp wait, its other lanes get a turn (exec_switch_way) */
	uint8_t tensor;		/* enum exec_tensor (exec/tensor.h): whose bits tensor instructions give */
	bool plus_exact;	/* PTXPlus instructions compute what GPGPU-Sim 3.2.2 computes, right or wrong */
	uint32_t local_bytes;	/* bytes of local memory per thread: the kernel's frame and what its calls may use */
	uint32_t stack_limit;	/* bytes of a GPU's stack that a thread may use (isa_function.stack_bytes); UINT32_MAX: the depth of its calls is known, and there is room */
	uint32_t local_stride;	/* distance in bytes of two lanes' local memories: local_bytes rounded up */
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
	uint32_t stack_bytes;	/* that the activation and its callers take of a GPU's stack, without alloca in this one; 0: the launch has no limit */
};

/* The fields that each instruction needs come first, in one line of the host's cache. Snapshots copy all warps, so the structure is kept to two
 * lines, and fields that few warps need are elsewhere. */
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
	uint32_t cap_simt;	/* room of the SIMT stack, in entries */
	uint32_t sync_lanes;	/* lanes that wait in front of a warp-level instruction (.sync) for lanes that their membermasks name */
	uint32_t sync_passers;	/* lanes that sync_lanes wait for and whose way meets theirs again behind the instruction */
	uint32_t barrier_pc;	/* the barrier instruction's index */
	uint32_t barrier_lanes;	/* lanes that stand at the barrier; while the state is RUNNABLE they wait for other lanes of the warp */
	uint32_t barrier_count;	/* the barrier instruction's thread count, 0: none */
	uint32_t barrier_true, barrier_false; /* bar.red: lanes whose predicate was true, false */
	bool mixed;		/* entries of different activations may lie in any order on the SIMT stack */
	uint8_t waiting;	/* enum wait_phase (gpu/wait/wait.h) */
	uint8_t barrier;	/* id of the barrier that barrier_lanes stand at */
	uint8_t changed;	/* functional mode, the warp has changed memory: bit 0 since the scheduler last tested this field, bit 1 in this turn */
	uint32_t idle_turns;	/* functional mode: turns in a row in which the warp has neither changed memory nor arrived at a barrier */
	uint64_t spin_epoch;	/* the device's memory epoch in which the warp was proven to spin: in performance mode, or before a step resumed the warp; 0: never */
	uint64_t errors;	/* offset in section FRAME of the lanes' last CUDA errors, a u16 each; 0: no lane has an error */
};

#define EXEC_CALL_BYTES 16u /* of a thread's stack that a call takes at least, and each activation besides its local variables */

#define EXEC_BARRIERS 16
struct exec_barrier {
	uint32_t arrived;	/* threads arrived (multiples of exec.warp_threads, as the ISA counts) */
	uint32_t expected;	/* thread count that the arrived warps gave, 0: all live warps of the CTA */
	uint32_t red_false, red_true; /* of bar.red: threads whose predicate was false, true */
};

#define EXEC_WARPS_PER_CTA 64 /* as many as a core of the performance model has; sets of a block's warps are bits of 64 */
#define EXEC_THREADS_PER_CTA 1024u /* CUDA's limit */
struct exec_cta {
	bool used;
	uint32_t launch;	/* launch id */
	uint64_t linear;	/* block's linear index in its grid */
	uint32_t id[3];
	uint32_t core, core_slot; /* the core and the slot there; warp w has hardware id core_slot * warps_per_cta + w on that core */
	uint64_t shared;	/* offset in section SHARED */
	uint32_t shared_bytes;
	uint64_t param;		/* offset of its launch's parameter block in section PARAM */
	uint32_t param_bytes;
	uint32_t n_warps, n_done;
	uint32_t current;	/* warp that runs in functional mode */
	uint32_t n_opened;	/* barriers that have opened so far */
	uint32_t last_child;	/* 1 + id of the last launch in the block's own stream, 0: none */
	uint32_t special_launch; /* 1 + id of the launch for which the special rows were made, 0: none */
	struct exec_barrier barrier[EXEC_BARRIERS];
	struct exec_warp warp[EXEC_WARPS_PER_CTA];
};

/* ---- what stops a run ---- */
enum exec_status {
	EXEC_BUDGET,	/* the instruction budget is used up */
	EXEC_MARK,	/* the next instruction has a mark (and marks were not passed) */
	EXEC_ACCESS,	/* a watcher stops in front of the next instruction's effect: see exec.effect; nothing has happened yet */
	EXEC_FAULT,	/* the next instruction faults: see exec.fault; nothing has happened yet */
	EXEC_BARRIER,	/* the warp has arrived at a barrier: it waits there, or it is still runnable because the barrier has opened */
	EXEC_DONE,	/* all lanes have exited */
	EXEC_YIELD	/* nanosleep, or a launch by a thread: the scheduler may run another warp */
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
	uint64_t address;	/* of the lowest faulting lane, in `space` */
	uint32_t size;		/* bytes of the access, 0: no access */
	uint8_t space;		/* enum isa_space, resolved if it was generic */
	bool is_write, is_atomic;
	char detail[160];	/* a sentence for faults that need one (assert text, barrier misuse), else "" */
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

struct exec_texture; /* exec/texture.h */
struct exec_services {	/* what the device (gpu) provides; `self` is passed back */
	void *self;
	/* Finds the live allocation holding [address, address+size) that a context may use; false if none. */
	bool (*find_allocation)(void *self, uint32_t context, uint64_t address, uint64_t size, struct exec_window *out);
	/* Finds memory that is mapped at another place: an address of the host, or of another mapping, which a context may use. Stores in *w the addresses
	 * around this one, and in *at the device address of the first of them. Returns false if there is none. May be NULL. */
	bool (*elsewhere)(void *self, uint32_t context, uint64_t address, bool writes, struct exec_window *w, uint64_t *at);
	/* Finds what the texture, sampler or surface handle names: an object's handle, or the address of a reference that is bound. Returns
	 * false if the handle is none of a context. */
	bool (*texture)(void *self, uint32_t context, uint64_t handle, struct exec_texture *out);
	bool (*is_read_only)(void *self, uint64_t address); /* returns true if kernels may only read the allocation; NULL: they may write all */
	uint64_t (*device_malloc)(void *self, uint64_t bytes); /* returns a device address, 0 if no memory is left */
	bool (*device_free)(void *self, uint64_t address);
	enum exec_heap_state (*device_heap)(void *self, uint64_t address); /* returns what free would find there */
	/* Takes the text of one printf call; fifo_bytes is the room that the call takes in CUDA's buffer. */
	void (*output)(void *self, const char *s, size_t n, uint64_t fifo_bytes);
	uint64_t (*cycle)(void *self);
	uint64_t (*nanoseconds)(void *self); /* returns the simulated time; NULL: a cycle takes a nanosecond */
	/* the device runtime, for the thread that runs: */
	int (*launch)(void *self, const struct exec_child *c); /* queues a launch; returns a CUDA error or 0 */
	bool (*has_children)(void *self, uint64_t stream);     /* returns true if launches of the block are unfinished, in a stream or EXEC_ANY_STREAM */
	int (*stream)(void *self, enum exec_stream_call what, uint64_t handle, uint64_t event, uint64_t *out);
	uint64_t (*runtime_memory)(void *self, uint64_t bytes); /* allocates memory of the device runtime; returns 0 if none is left */
	void (*runtime_free)(void *self, uint64_t address);
	int (*query)(void *self, enum exec_query what, const uint64_t arg[3], void *out, size_t n);
};

/* How often an instruction was executed. In section COUNTS `warps` and `lanes` hold the difference to the instruction before, so that straight code is
 * counted at its two ends; exec_counts adds them up. */
struct exec_count {
	uint64_t warps, lanes; /* warp instructions; their active lanes, whatever the guards say */
	uint64_t cycles;       /* cycles of the timing model from issue to completion, summed; not a difference */
};

struct exec {
	/* hot: rebuilt from the warp at entry of exec_run */
	char *base[4];		/* by enum isa_base */
	uint32_t *preds;	/* the frame's predicate slots */
	uint32_t mask;		/* lanes this instruction executes for: active & guard */
	uint32_t active;	/* top entry's mask */
	uint32_t pc;		/* index of this instruction */
	uint32_t event;		/* if nonzero, exec_run leaves its fast path after this instruction (see internal.h) */
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
	uint64_t n_run;		/* warp instructions of the present run that n_warp_insns doesn't hold yet */
	struct exec_count *counts; /* section COUNTS, one more than the program has instructions; NULL: instructions aren't counted. Of the present mode */
	/* watch switches */
	bool pass;		/* ignore marks and watches for the first instruction */
	struct exec_wants wants; /* what the watchers and the parts of the machine want, taken together */
	/* cold */
	const struct exec_engine *engine; /* what exec_run runs warps with */
	const struct isa_program *program;
	const exec_handler *handlers; /* the table in use */
	const exec_handler *plain;    /* the handlers of a machine without watchers */
	const exec_handler *observed; /* handlers that report effects */
	exec_handler *stream_tables;  /* plain and observed handlers where .shared accesses streams (exec/streams.h), owned; NULL: it accesses memory */
	const exec_handler *stream_others[2]; /* the tables for all other accesses: plain, observed */
	uint8_t stream_of[LANES];     /* the stream that each lane of the last access to streams named */
	uint32_t stream_step;	      /* bytes from an element of a stream to the next */
	const char *level;	/* name of the instruction-set level in use */
	const uint8_t *marks;	/* one byte per instruction of the program; the owner keeps it current */
	/* Called in front of instructions with a mark. Returns false to stop there. If NULL, the run stops. */
	bool (*on_mark)(void *self, const struct exec *x);
	void *mark_self;
	exec_handler *builtins;	/* per function of the program: executes a library function without a body, or NULL */
	uint32_t n_builtins;
	struct arena *arena;
	const struct machine_limits *limits;
	int sec_frame, sec_simt, sec_special, sec_local, sec_shared, sec_global, sec_param, sec_const, sec_counts, sec_other_counts, sec_pending, sec_streams;
	uint32_t local_stride;	/* of the warp that runs: bytes of local memory per thread */
	uint32_t n_cores, warps_per_core; /* of the device, for special registers */
	uint32_t warp_threads;	/* threads of a warp, 1 to LANES and a power of two: the rest of a row has no threads */
	uint32_t stack_room;	/* bytes of a thread's local memory that calls of unknown depth and alloca have at least beyond the kernel's frame */
	uint32_t stack_limit;	/* of the launch that is prepared: cudaLimitStackSize */
	struct exec_services services;
	struct exec_fault fault;
	struct text assert_lines; /* of a failed assertion: CUDA's line for each lane */
	struct exec_effect effect; /* the last effect that was recorded or reported */
	bool after_is_due; /* `effect` is an access for which `after` has not been called yet */
	struct exec_watching watching; /* the registered watchers (exec/watcher.c) */
	uint32_t context;	     /* of the launch that runs */
	struct exec_window tlb[256]; /* recently found allocations of the context, by pc; cleared on every allocate and free */
};

/* ---- threads, warps and lanes: a block's threads are numbered from 0, and warp_threads of them are a warp ---- */

/* Returns the index in its block of the warp that holds `thread`, a linear index in the block. */
static inline uint32_t exec_warp_of(const struct exec *x, uint32_t thread) { return thread / x->warp_threads; }
/* Returns the lane, in its warp, of `thread`, a linear index in the block. */
static inline uint32_t exec_lane_of(const struct exec *x, uint32_t thread) { return thread % x->warp_threads; }
/* Returns the linear index in its block of the thread at `lane` of warp `warp`. */
static inline uint32_t exec_thread_of(const struct exec *x, uint32_t warp, uint32_t lane) { return warp * x->warp_threads + lane; }
/* Returns the lanes that warp number `warp` has in a block of `threads` threads. */
static inline uint32_t exec_lanes_of(const struct exec *x, uint32_t warp, uint32_t threads)
{
	const uint32_t first = warp * x->warp_threads, left = threads > first ? threads - first : 0;
	return lanes_below(left < x->warp_threads ? left : x->warp_threads);
}

/* Returns true if this program has a build of the lane code for an instruction-set level ("v2", "v3", "v4", "generic") and the host has the
 * level's instructions. */
bool exec_level_runs(const char *level);
/* Adds the sections of exec to the arena, chooses the instruction-set level and fills the tables. `level` is "v2", "v3", "v4" or "generic", or
 * NULL for the best level of the host. `limits` must outlive x. Returns false if the level doesn't exist or the host lacks it, or if no address
 * space is left. */
bool exec_init(struct exec *x, struct arena *a, const struct isa_program *p, const char *level, const struct machine_limits *limits);
/* Frees the tables that x owns. The arena and the program stay. */
void exec_free(struct exec *x);
/* Empties the sections of registers, local, shared and parameter memory and of effects under way, and clears the counts. Device memory and
 * constants stay. */
void exec_reset(struct exec *x);
/* Drops what x remembers of the arena's contents. Call it after the arena was set to another state. */
void exec_drop_caches(struct exec *x);
/* Finds the program's library functions again and makes room for the counts of n_insns instructions. Call it after modules were appended; the
 * caller updates the marks. */
void exec_program_changed(struct exec *x, uint32_t n_insns);

/* Stores in *out where the lanes of `mask` go with the branch, call, return or exit at pc; the other lanes of `active` go to pc + 1. Reads the warp's
 * top SIMT entry. Returns false if the instruction is of another kind or would fault. */
bool exec_flow_ahead(const struct exec *x, const struct exec_warp *w, uint32_t pc, uint32_t active, uint32_t mask, struct exec_flow *out);

/* Returns the warp instructions that the running warp has executed, the present one included. A warp and this number name a moment that doesn't
 * come again. */
static inline uint64_t exec_moment(const struct exec *x) { return x->warp->executed + x->n_run + 1; }
/* Fills the fields of a launch that follow from its grid, block, dynamic shared memory and kernel: numbers of threads and warps, shared memory
 * layout, parameter and local memory bytes. */
void exec_prepare_launch(const struct exec *x, struct exec_launch *l);

/* Writes the special registers of warp number `warp` of a block to `rows` (ISA_SPECIAL_BYTES bytes, the rows of isa/special.def). Of the block
 * only `id` and `core` are read. */
void exec_special_rows(const struct exec *x, const struct exec_launch *l, const struct exec_cta *cta, unsigned warp, void *rows);
/* Makes the block with number `linear` of a launch ready at the kernel's entry: registers and shared memory zero, special registers set. The
 * caller has set core and core_slot. Returns false if a section has no room left; the block is then unused. */
bool exec_start_cta(struct exec *x, struct exec_cta *cta, uint32_t cta_slot, const struct exec_launch *l, uint64_t linear);
/* Frees the memory of a block, whatever state its warps are in, and marks the block unused. */
void exec_finish_cta(struct exec *x, struct exec_cta *cta);

/* Makes `context` the context of the launch that runs, and drops the allocations found for another one. */
void exec_enter_context(struct exec *x, uint32_t context);
/* Makes *l the launch of the warps that exec_run gets next, and enters its context. */
static inline void exec_enter(struct exec *x, const struct exec_launch *l)
{
	x->launch = l;
	if (__builtin_expect(l->context != x->context, 0))
		exec_enter_context(x, l->context);
}

/* Runs one warp, with the machine's engine (exec/engine.h), for at most `budget` instructions and returns why it stopped. The warp must be runnable and x->launch its launch. An instruction
 * in front of which it stopped (MARK, ACCESS, FAULT) isn't counted; x->pc is that instruction's index. */
enum exec_status exec_run(struct exec *x, struct exec_cta *cta, uint32_t warp, uint64_t budget);

/* Runs one instruction of a warp, like exec_run with a budget of 1, and clears x->pass. Made for callers that come for each instruction. */
enum exec_status exec_step(struct exec *x, struct exec_cta *cta, uint32_t warp);

/* Writes the present counts of instructions first to end - 1 to out[0], out[1] ... ; counts are 0 if none are kept. */
void exec_counts(const struct exec *x, uint32_t first, uint32_t end, struct exec_count *out);
/* Writes the counts of instructions first to end - 1 that were kept in the device's other mode to out[0], out[1] ... ; counts are 0 if none are kept.
 * */
void exec_other_counts(const struct exec *x, uint32_t first, uint32_t end, struct exec_count *out);
/* Exchanges the present counts with those of the other mode, when the device changes its mode. */
void exec_exchange_counts(struct exec *x);
/* Sets the counts of all instructions to 0, in both modes. */
void exec_reset_counts(struct exec *x);

/* ---- independent threads ----
 * A way of a warp is a group of its lanes that are at one place: a SIMT stack entry. The top entry's way runs. */

/* The turns of a warp's ways. */
struct exec_ways {
	uint64_t epoch;		/* memory epoch of spin_lanes; 0: no way was ever switched */
	uint64_t since;		/* value of exec_warp.executed when the running way had its turn */
	uint32_t spin_lanes;	/* lanes of the ways seen to wait in that epoch */
};
/* Notes that `lanes` wait in memory epoch `epoch`, and brings another way of the warp to the top: of the ways not seen to wait in this epoch the
 * one that has waited longest for its turn. Lanes in a reconvergence entry run past it. Returns false if all other ways wait; the next of them is
 * on top all the same. */
bool exec_switch_way(struct exec *x, struct exec_cta *cta, uint32_t warp, struct exec_ways *ways, uint64_t epoch, uint32_t lanes);

/* ---- inspection: never changes anything ---- */
/* Returns the top entry of a warp's SIMT stack. The stack must not be empty. */
static inline const struct exec_simt *exec_simt_top(const struct exec *x, const struct exec_warp *w)
{
	return (const struct exec_simt *)(const void *)(x->simt_base + w->simt) + (w->n_simt - 1);
}
/* Returns the lanes of the warp that stand at barrier `id` of their block. */
static inline uint32_t exec_lanes_at_barrier(const struct exec_warp *w, uint32_t id) { return w->barrier == id ? w->barrier_lanes : 0; }
/* Returns true if some lane of the block stands at barrier `id` or has arrived there. */
bool exec_barrier_is_used(const struct exec_cta *cta, uint32_t id);
/* Returns how many threads barrier `id` waits for: the thread count given by the warps that arrived, else by the first warp with lanes at it, else
 * warp_threads for each unfinished warp. */
uint32_t exec_barrier_wants(const struct exec *x, const struct exec_cta *cta, uint32_t id);
/* Returns the SIMT entry that a lane runs in, which is the topmost entry with the lane in its mask, or NULL if the lane has exited. */
const struct exec_simt *exec_simt_of_lane(const struct exec *x, const struct exec_warp *w, unsigned lane);

/* Returns the entry of the activation that called e's activation, or NULL if e belongs to the kernel. `first` is the first entry of the warp's
 * SIMT stack; entries of other calls may lie between the two. */
static inline const struct exec_simt *exec_simt_caller(const struct exec_simt *first, const struct exec_simt *e)
{
	for (const struct exec_simt *c = e; c-- > first;)
		if (c->call_depth + 1 == e->call_depth && !(e->mask & ~c->mask))
			return c;
	return NULL;
}

/* Returns the address of a register row in the frame at offset `frame`, or NULL if `ref` names none. A lane's value takes 1, 2, 4 or 8 bytes; of a
 * 16-byte register the low half is in this row and the high half 256 bytes behind. */
void *exec_row(const struct exec *x, const struct exec_warp *w, uint64_t frame, uint32_t ref);
/* Returns the predicate slots of the frame at offset `frame`. */
uint32_t *exec_preds(const struct exec *x, uint64_t frame);
/* Loads the warp's state, and the predicates and first two source rows of its next instruction, into the host's caches. */
void exec_prefetch(const struct exec *x, const struct exec_warp *w);

/* Returns the host address of n bytes at a generic address as one lane sees it, or NULL if not all of them are mapped and allocated. `cta` may be
 * NULL for global and constant memory. To write, call exec_poke. */
const void *exec_peek(const struct exec *x, const struct exec_cta *cta, uint32_t warp, unsigned lane, uint64_t generic, uint64_t n);
/* Writes n bytes to a generic address as one lane sees it, and notifies the watchers. Parameters and constants can be written too. Returns false if
 * not all bytes are mapped and allocated; nothing is written then. */
bool exec_poke(struct exec *x, const struct exec_cta *cta, uint32_t warp, unsigned lane, uint64_t generic, const void *src, uint64_t n);

/* Whether a call is one of printf, and what a lane's would read besides the format: each argument and each string, in their order, at generic addresses. */
typedef void (*exec_reads_fn)(void *self, uint64_t address, uint64_t n);
/* Returns true if an instruction calls printf. */
bool exec_is_printf(const struct exec *x, const struct isa_insn *i);
/* Calls `reads` for each argument and each string argument that a printf call of one lane would read, in their order, with its generic address and
 * bytes. The format string isn't reported. */
void exec_printf_reads(const struct exec *x, const struct isa_insn *i, unsigned lane, exec_reads_fn reads, void *self);

#endif
