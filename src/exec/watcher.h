/* Watchers: code that exec calls in front of effects and after them.
 *
 * A machine has up to EXEC_WATCHERS watchers at once. Each has its own kinds, functions and data, and is registered and removed without regard to the others.
 * Order: watchers are called by rank, and within a rank in the order of their registration.
 *
 * In front of an effect, each watcher of its kind is asked once. The first one that wants a stop ends the round: the machine stops in front of the instruction
 * (EXEC_ACCESS). When the machine is resumed with exec.pass, the rest is asked, and the watchers that were asked before are not (but see `insists`). */
#ifndef EXEC_WATCHER_H
#define EXEC_WATCHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/lanes.h"
#include "isa/insn.h"

struct exec;
struct exec_warp;
struct isa_insn;

/* ---- effects: what an instruction is about to do, or has done ---- */

/* Where the rows of a texture lie whose addresses an access has; slices and layers follow each other. */
struct exec_texture_rows {
	uint64_t base;	/* of the first texel */
	uint64_t bytes; /* of level 0 */
	uint32_t width; /* texels of a row; 0: the texture has no rows, or the access is to no texture */
	uint32_t row_bytes, texel_bytes;
};
/* A memory access of a warp instruction, per lane. */
struct exec_access {
	uint32_t lanes;
	uint32_t size;		/* bytes per lane, vectors included */
	uint8_t space;		/* enum isa_space: the space that all lanes access, or GENERIC if lanes differ */
	bool is_read, is_write, is_atomic;
	uint32_t failed;	/* after an atomic: lanes whose compare-and-swap found another value and wrote nothing */
	bool in_halves;		/* lane l accesses start[l / 16] + l % 16 * step, and address[] isn't filled; lanes outside `lanes` mean nothing */
	uint32_t step;
	uint64_t start[2];	/* generic addresses; so are those in address[] */
	uint64_t address[LANES];
	struct exec_texture_rows rows; /* only of texture look-ups */
};

enum exec_effect_kind {
	EXEC_EFFECT_ACCESS,  /* ld, st, atom, red */
	EXEC_EFFECT_BARRIER, /* bar, barrier: lanes come to a barrier of their block */
	EXEC_EFFECT_OPEN,    /* a barrier opens: its waiting warps go on */
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
	bool arrived;	    /* after the instruction: the whole warp has arrived; if false, its lanes wait for other lanes of the warp */
	uint64_t warps;	    /* OPEN: warps of the block that waited, a bit each */
};
/* Where lanes go. Lanes that the guard keeps from executing the instruction go to the next instruction. */
enum exec_flow_how { EXEC_FLOW_BRANCH, EXEC_FLOW_CALL, EXEC_FLOW_RETURN, EXEC_FLOW_EXIT };
struct exec_flow {
	enum exec_flow_how how;
	uint32_t function;	/* CALL: the function that the first group of lanes calls, an index of the program's functions */
	uint32_t n;		/* number of places in pc[] and lanes[] */
	uint32_t pc[LANES + 1]; /* instruction indices; ISA_NO_TARGET: the lanes exit */
	uint32_t lanes[LANES + 1]; /* lanes that go to pc[k] */
};
struct exec_effect_fence {
	uint8_t sem, scope; /* enum isa_sem, isa_scope */
	bool proxy;	    /* fence.proxy: between kinds of access to the same memory */
};

struct exec_effect {
	enum exec_effect_kind kind;
	uint32_t lanes;	  /* lanes that execute it; after a SYNC or FLOW instruction, lanes for which the effect has happened */
	bool deferred;	  /* the effect is an atomic that was checked and recorded, and happens later */
	uint32_t pending; /* if deferred: its entry of exec/pending.h */
	struct exec_access access; /* access.lanes is 0 if there is none */
	struct exec_effect_barrier barrier;
	struct exec_flow flow;
	struct exec_effect_fence fence;
	uint32_t members[LANES]; /* SYNC: live lanes that each lane's membermask names; in forms without .sync the executing lanes */
	uint32_t gone;		 /* SYNC: exited lanes that a membermask names */
};

/* What free finds at an address: nothing, a live allocation of a kernel's malloc, a freed one, or an allocation of the host. */
enum exec_heap_state { EXEC_HEAP_NONE, EXEC_HEAP_LIVE, EXEC_HEAP_FREED, EXEC_HEAP_HOST };

/* The lanes of an access that would fault, and why. */
struct exec_wrong {
	uint32_t lanes;
	uint32_t size; /* bytes per lane */
	bool is_write, is_atomic;
	uint8_t fault[LANES]; /* enum exec_fault_kind */
	uint8_t space[LANES]; /* enum isa_space, resolved if it was generic; `address` is in it */
	uint64_t address[LANES];
};
/* Wrong use of barriers and of instructions at which lanes wait for each other. Each comment says what happens if the machine continues. */
enum exec_misuse_kind {
	EXEC_MISUSE_OPERANDS, /* a barrier's operands are wrong: the barrier has no effect */
	EXEC_MISUSE_ELSEWHERE, /* lanes of the warp are in another barrier instruction: both count as one if they name the same barrier */
	EXEC_MISUSE_DIVERGED,  /* lanes wait behind the barrier for the lanes in it: the barrier doesn't wait for them. No fault without a checker */
	EXEC_MISUSE_LOCKED,    /* lanes wait in a warp-level instruction for the lanes in the barrier: the barrier doesn't wait for them */
	EXEC_MISUSE_MISSING,   /* lanes that a membermask names wait elsewhere: the instruction is executed without them */
	EXEC_MISUSE_PASSED     /* lanes exit after passing by a warp-level instruction in which `missing` lanes wait for them: they exit. No fault without a checker */
};
struct exec_misuse {
	enum exec_misuse_kind kind;
	uint32_t lanes, missing; /* that execute it, that don't come */
	uint32_t other_pc;	 /* where these are, the first of them; ISA_NO_TARGET: not known */
	uint32_t barrier;	 /* its id, where it is one */
	const char *detail;
};
/* What happens with a mistake: it faults as without a checker; the machine stops in front of it; or it isn't made. */
enum exec_judgement { EXEC_JUDGE_FAULT, EXEC_JUDGE_STOP, EXEC_JUDGE_SKIP };

enum exec_insn { EXEC_INSN_GO, EXEC_INSN_STOP, EXEC_INSN_AFTER };

/* ---- watchers ---- */

/* Bytes of device memory that a watcher wants to see accesses to. */
struct exec_range {
	uint64_t address, n;
	bool reads, writes; /* kinds of accesses that are meant */
};

/* The part of a space that the variable fills which an instruction's addresses are computed from. `end` 0: no such variable is known. */
struct exec_limit {
	uint64_t first, end; /* offsets in the space; ISA_VAR_DYNAMIC_SHARED: from the launch's dynamic_base to the end of its shared memory */
	uint8_t space;	     /* enum isa_space: SHARED, CONST or LOCAL, whose offsets count from the frame of the instruction's activation */
	bool is_dynamic;
};
struct exec_limits {
	const struct exec_limit *at; /* for each instruction */
	uint32_t n;
};

/* Watchers of a lower rank are called first. */
enum exec_rank { EXEC_RANK_WATCH, EXEC_RANK_CHECK };

/* A watcher. Each function may be NULL and gets `self`; none of them may register or remove watchers. The watcher owns the structure and all that it points
 * to, which stay as they are while the watcher is registered. */
struct exec_watcher {
	void *self;
	enum exec_rank rank;
	bool is_live;  /* the watcher rests while an earlier run is repeated (exec_set_repeating) */
	bool insists;  /* `before` is called each time, and may stop even where a stop is passed: the watcher remembers what it has reported */
	uint32_t kinds; /* EXEC_LOOK(...) of the kinds of effects that are reported to `before` and `after` */
	/* Each access is recorded in x->effect. Its addresses are given in halves (exec_access.in_halves) where that is shorter; if false, accesses that are
	 * reported have an address for each lane. */
	bool records;
	/* `before` is also called in front of accesses to these bytes of device memory, and to these spaces other than global, whatever `kinds` says. */
	const struct exec_range *ranges;
	size_t n_ranges;
	uint32_t spaces; /* a bit per isa_space: bit s for writes, bit s + 8 for reads */
	/* Called in front of an effect. Returns true to stop there (EXEC_ACCESS). The stop is ignored while exec.pass is set for a stop of another cause. An
	 * instruction that faults may have been reported before. */
	bool (*before)(void *self, const struct exec *x, const struct exec_effect *e);
	/* Called after each effect of `kinds`: once for each lane, in the order in which effects happen; for a deferred one when it lands. x->warp,
	 * x->cta and x->pc say where. OPEN is reported before the barrier instruction that caused it. */
	void (*after)(void *self, const struct exec *x, const struct exec_effect *e);
	/* Called in front of each instruction, also where x->mask is 0, and each time the instruction is tried. The result EXEC_INSN_AFTER asks for insn_over
	 * after it, if a lane has executed it. */
	enum exec_insn (*insn)(void *self, const struct exec *x, const struct isa_insn *i);
	void (*insn_over)(void *self, const struct exec *x, const struct isa_insn *i);

	/* ---- for checkers, which find mistakes of kernels ----
	 * Several watchers may judge a mistake: the first judgement that isn't EXEC_JUDGE_FAULT counts, and the rest isn't asked. */
	const struct exec_limits *limits; /* an access outside of its instruction's limit is wrong. NULL: there are none. `at` and `n` may change while the machine stands */
	bool local_frames; /* local memory ends where the activations' frames end; if false, it ends where the thread's memory ends */
	/* Judges an access whose wrong lanes would fault. With SKIP the wrong lanes don't make the access, and what they load is 0. */
	enum exec_judgement (*wrong)(void *self, const struct exec *x, const struct exec_wrong *w);
	/* Judges a wrong free of an address by a lane; `state` is what free finds there, `again` is true if a lower lane frees the same address. With SKIP
	 * nothing is freed. */
	enum exec_judgement (*wrong_free)(void *self, const struct exec *x, unsigned lane, uint64_t address, enum exec_heap_state state,
					  bool again);
	/* Judges wrong use of a barrier or a warp-level instruction. */
	enum exec_judgement (*misuse)(void *self, const struct exec *x, const struct exec_misuse *m);
	/* Called in front of a control instruction whose lanes x->mask exit from the kernel (`exits`), branch to an instruction that only exits
	 * (`leaves`, also set if they exit), or part from other lanes of x->active. May be called again for the same instruction. */
	void (*parts)(void *self, const struct exec *x, bool exits, bool leaves);
	/* Called after the debugger or a library function has written global, shared or local memory; `offset` is in the space's section. */
	void (*wrote)(void *self, const struct exec *x, enum isa_space space, uint64_t offset, uint64_t n);
	/* Called after global memory was given to a thread or to the device runtime: earlier contents don't count any more. */
	void (*allocated)(void *self, uint64_t address, uint64_t n);
	/* Called after a lane has launched a kernel, the device's latest launch. */
	void (*launched)(void *self, const struct exec *x, unsigned lane);
	/* Called when the lanes x->mask have waited for the launches of their block. */
	void (*waited)(void *self, const struct exec *x);
};

#define EXEC_WATCHERS 8u

/* Registers *w; if w is registered, applies changes of *w. Takes effect with the next exec_run. Returns false if EXEC_WATCHERS other watchers are
 * registered. */
bool exec_watch(struct exec *x, const struct exec_watcher *w);
/* Removes a watcher. Does nothing if w isn't registered. */
void exec_unwatch(struct exec *x, const struct exec_watcher *w);
/* Sets whether the machine repeats an earlier run, in which watchers with `is_live` rest. Returns the value before. */
bool exec_set_repeating(struct exec *x, bool on);
/* Notifies watchers that global memory was given to a thread or to the device runtime. */
void exec_notify_allocated(const struct exec *x, uint64_t address, uint64_t n);
/* Notifies watchers that a lane has launched a kernel, the device's latest launch. */
void exec_notify_launched(const struct exec *x, unsigned lane);
/* Notifies watchers that the lanes x->mask have waited for the launches of their block. */
void exec_notify_waited(const struct exec *x);

/* ---- what the machine itself needs ----
 * Parts of the machine run with other handlers for a while. Each part sets its own needs, and exec fulfils all of them. */
enum exec_part {
	EXEC_PART_MODE,	   /* the mode: the timing model schedules accesses */
	EXEC_PART_WAITS,   /* functional mode: the search for warps that wait */
	EXEC_PART_QUIET,   /* performance mode: the search for a machine in which nothing happens any more */
	EXEC_PART_ISSUE,   /* performance mode: an observed warp issues an instruction */
	EXEC_PART_LANDING, /* performance mode: a deferred atomic of an observed warp lands */
	EXEC_PARTS
};
#define EXEC_NEED_RECORD 1u  /* each access is recorded in x->effect */
#define EXEC_NEED_DEFER 2u   /* atom and red are deferred (exec/pending.h) */
#define EXEC_NEED_COMPARE 4u /* x->n_stores counts only stores that change memory; otherwise it counts all stores */
#define EXEC_NEED_STAY 8u    /* after nanosleep the same lanes of the warp go on; otherwise other lanes run first */
/* Sets a part's needs, a sum of EXEC_NEED_..., in place of its needs so far. */
void exec_set_needs(struct exec *x, enum exec_part part, unsigned needs);

/* ---- exec's own ---- */

/* The sum of what watchers and parts want. Handlers read nothing else of them until there is something to report. */
struct exec_wants {
	uint32_t kinds;	   /* kinds of effects that some watcher sees */
	uint32_t spaces;   /* spaces that some watcher sees accesses to */
	/* sets of watchers, a bit each by their place in exec_watching.entry: */
	uint8_t before[EXEC_EFFECT_KINDS]; /* with `before`, by the kind of effect */
	uint8_t after[EXEC_EFFECT_KINDS];  /* with `after`, by the kind of effect */
	uint8_t insns;	   /* with `insn` */
	uint8_t parts;	   /* with `parts` */
	const struct exec_watcher *insn_watcher; /* the last watcher with `insn` */
	bool ranges;	   /* pages of device memory have flags ARENA_PAGE_WATCH_... */
	uint64_t range_first, range_end; /* ranges: all of them lie in between */
	bool records;	   /* each access is recorded */
	bool lanewise;	   /* accesses that are reported have an address for each lane */
	bool defers;	   /* atomics are deferred */
	bool compares;	   /* stores are compared with what they replace */
	bool stays;	   /* lanes that sleep go on before other lanes of the warp */
	bool local_frames; /* local memory ends where frames end */
	bool misuse;	   /* some watcher has `misuse` */
	const struct exec_limits *limits; /* of a watcher; NULL: none has any */
};

struct exec_watching {
	struct exec_watch_entry {
		const struct exec_watcher *w;
		bool rests;
		bool was_asked; /* in front of the effect where a watcher has last stopped the machine */
	} entry[EXEC_WATCHERS]; /* in the order in which they are called */
	uint32_t n;
	bool is_repeating;
	uint8_t needs[EXEC_PARTS];
	const struct exec_warp *stopped_warp; /* the warp and moment at which a watcher has last stopped the machine */
	uint64_t stopped_moment;
	struct { uint64_t first, last; } *armed; /* pages whose flags are set */
	size_t n_armed, cap_armed;
};

#endif
