/* The device: memory, modules, launches, and the one function that advances the machine.
 *
 * Prints nothing, knows no terminal; what happens is returned as events. All mutable state is in the arena. */
#ifndef GPU_GPU_H
#define GPU_GPU_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "exec/exec.h"
#include "gpu/context.h"
#include "gpu/stream.h"
#include "isa/program.h"

struct gpu;
struct config; /* gpu/config.h */

/* A live or freed piece of device memory. */
struct gpu_allocation {
	uint64_t address, bytes; /* bytes as asked for; the next one starts at a multiple of 256. Sorted by address */
	bool live;
	bool by_kernel; /* a kernel's malloc */
	bool reserved;	 /* an address range that a host keeps: it may have memory (live) or not, part by part */
	bool read_only;	 /* kernels may not write there */
	bool by_runtime; /* the device runtime's own: a cooperative grid's barrier, parameters of launches by kernels */
	union {
		uint64_t next_free; /* of the runtime's that nobody uses: the next one, 0: none */
		uint64_t range;	    /* reserved: where the range begins that it is a part of */
	};
	uint64_t alias;		    /* reserved: it is memory that is live at this address; 0: it isn't */
	bool copied;	/* the performance model saw a copy of it from the host */
	bool is_filled; /* the host has written there */
	uint32_t made_pc, freed_pc; /* by_kernel: 1 + the instruction that allocated, that freed it; 0: none */
	uint32_t marks;		 /* set (gpu_memory_mark) before it was allocated */
	uint32_t context, users; /* whose it is; those whose kernels may use it, a bit each (context.h) */
	char name[48];		 /* buffer name, variable name, "" */
};
/* What its name is the name of begins there. */
static inline uint64_t gpu_allocation_start(const struct gpu_allocation *a)
{
	return a->reserved ? a->range : a->address;
}

enum gpu_event_kind {
	GPU_EVENT_CYCLES, /* request.max_cycles reached */
	GPU_EVENT_STEPPED, /* the watched warp has executed its instructions and its next one is about to issue, or it has exited */
	GPU_EVENT_MARK,	  /* a marked instruction is next; nothing of it has happened */
	GPU_EVENT_ACCESS, /* watched memory is about to be accessed; gpu_exec(g)->effect */
	GPU_EVENT_FAULT, /* gpu_exec(g)->fault; running again tries the same instruction again (a brkpt passes with request.pass) */
	GPU_EVENT_LAUNCHED, /* a kernel is about to run its first instruction, its first block is resident (only if request.stop_launch) */
	GPU_EVENT_KERNEL_DONE, /* a kernel has finished (launch in `launch`); running goes on when asked again */
	GPU_EVENT_IDLE,	       /* nothing left to do */
	GPU_EVENT_DEADLOCK,    /* nobody can make progress: `text` says who waits where */
	GPU_EVENT_LIMIT,       /* `text` names the option and its value */
	GPU_EVENT_INTERRUPT,   /* *request.interrupt became nonzero */
	GPU_EVENT_DUE,	       /* *request.due became nonzero; running goes on when asked again */
	GPU_EVENT_HOST,	       /* the operation `tag` of the host has its turn; until it is done (GPU_INPUT_DONE) nothing else happens */
	GPU_EVENT_OUTPUT       /* device printf output waits in gpu_output; only when it is long */
};

struct gpu_moment;
struct gpu_event {
	enum gpu_event_kind kind;
	uint32_t launch;	/* launch id */
	uint32_t cta_slot, warp; /* whom it concerns, for MARK, ACCESS, FAULT, STEPPED */
	uint32_t pc;		/* instruction index */
	uint64_t tag;		/* HOST */
	bool polls;		/* DEADLOCK: who waits looks at memory again and again, which somebody else may write */
	uint32_t atomic_lanes;	/* ACCESS in performance mode: a deferred atomic has just been executed for these lanes; 0: nothing has happened */
	struct text text;	/* owned by the caller, who frees it */
};

struct gpu_request {
	uint64_t max_cycles;	/* run at most so many cycles; UINT64_MAX: no limit */
	bool pass;		/* the first instruction ignores marks and watched pages */
	bool one_insn;		/* stop with STEPPED after one warp instruction, of whatever warp */
	bool has_warp;		/* stop with STEPPED when this warp has executed warp_insns instructions */
	uint32_t warp_launch;	/* launch id */
	uint64_t warp_cta;	/* linear block index */
	uint32_t warp_index;
	uint64_t warp_insns;
	bool in_turn;		/* has_warp, functional mode: and its next instruction is the one that the device executes next */
	const uint8_t *warp_marks; /* a byte for each instruction in front of which that warp stops with MARK; or NULL */
	/* Functional mode: called there instead, with exec in the middle of the run. Returns false if it is to stop. NULL: it stops. */
	bool (*on_warp_mark)(void *self, const struct exec *x);
	void *warp_mark_self;
	bool stop_launch;
	const volatile sig_atomic_t *interrupt, *due; /* or NULL */
	const struct gpu_moment *until; /* or NULL; stop there (CYCLES, or what happens there): gpu_run_to */
};

/* The order in which warps and blocks run in functional mode. */
struct gpu_schedule_spec {
	uint64_t seed;	   /* 0: the default (docs/execution.md) */
	uint64_t from, to; /* the choices that the seed makes, of those of a launch; others are the default's */
};
/* Of launches that begin from now on. */
void gpu_set_schedule(struct gpu *g, const struct gpu_schedule_spec *spec);
void gpu_get_schedule(const struct gpu *g, struct gpu_schedule_spec *spec);
uint64_t gpu_schedule_choices(const struct gpu *g); /* that the last launch took, with a seed */

/* Functional mode. `limits`: NULL: those for this host (machine_limits_of_host); they live as long as the device. NULL: not enough address
 * space. */
struct gpu *gpu_create(const struct config *cfg, const char *isa_level, const struct machine_limits *limits);
/* Performance mode; `timing` must live as long as the device. NULL: parts that don't fit together, with a message in `why`, or not
 * enough address space, without one. */
struct timing_config;
struct gpu *gpu_create_performance(const struct config *cfg, const struct timing_config *timing, const char *isa_level,
				   const struct machine_limits *limits, struct text *why);
void gpu_destroy(struct gpu *g);
/* The host's time in seconds since 1970, for figures about the simulator itself (simulation rate, signs of life); nothing simulated depends on
 * it. Without one these are 0, and silent. */
void gpu_set_host_clock(struct gpu *g, double (*clock)(void));

/* ---- memory ---- */
/* Returns the device address, 0 if there is no room. `name` may be "". */
uint64_t gpu_alloc(struct gpu *g, uint64_t bytes, const char *name);
/* The same in whole pages of its own (ARENA_PAGE), all of which count as written: the host may have others write there. */
uint64_t gpu_alloc_pages(struct gpu *g, uint64_t bytes, const char *name);
bool gpu_free(struct gpu *g, uint64_t address);
/* The memory at `address` is the host's at another one as well, beyond the device's own (cudaHostRegister), until it is freed.
 * False: it is known already that something else is there. */
bool gpu_set_host_address(struct gpu *g, uint64_t address, uint64_t host);
/* Where memory is that is known by another address, the host's or a second mapping's; any other address stays what it is. The last one, to tell what
 * a wrong address was meant for: also right beside such memory of the host's. */
uint64_t gpu_device_address(const struct gpu *g, uint64_t address);
uint64_t gpu_device_address_of(const struct gpu *g, uint32_t context, uint64_t address); /* as that context has it */
uint64_t gpu_device_address_beside(const struct gpu *g, uint64_t address);
/* The host's address of what begins at `address`; 0: it has none. */
uint64_t gpu_host_address(const struct gpu *g, uint64_t address);

/* A range of addresses without memory, aligned to a power of two (0: as gpu_alloc does it); 0: there is no room. */
uint64_t gpu_reserve(struct gpu *g, uint64_t bytes, uint64_t align, const char *name);
enum gpu_map {
	GPU_MAP_OFF,   /* it can't be used, and keeps what it holds */
	GPU_MAP_ON,    /* it has memory */
	GPU_MAP_READ,  /* it has memory that kernels may only read */
	GPU_MAP_EMPTY, /* it has none; when it gets some again that holds zeros */
	GPU_MAP_ALIAS, /* it is memory that is somewhere else in a range, by another address */
	GPU_MAP_ALIAS_READ, /* the same, which kernels may only read by this one */
};
/* Of any part of a range. `real`: ALIAS: where the memory is. False: not all of it is reserved, or `real` has no memory. */
bool gpu_map(struct gpu *g, uint64_t address, uint64_t bytes, enum gpu_map how, uint64_t real);
/* So often has an address become or ceased to be another one's alias: as long as that is the same, gpu_device_address is. */
uint64_t gpu_aliases_changed(const struct gpu *g);
/* A whole range, nothing of which has memory, may be used for something else. */
bool gpu_unreserve(struct gpu *g, uint64_t address);
/* The allocation that holds an address, or the nearest one below or above it; NULL if there is none at all. */
const struct gpu_allocation *gpu_nearest_allocation(const struct gpu *g, uint64_t address);
const struct gpu_allocation *gpu_allocations(const struct gpu *g, size_t *n);
/* How many bytes there are from an address on: of an allocation, or of a range as far as it has memory. */
uint64_t gpu_memory_from(const struct gpu *g, uint64_t address);
/* Host copies, of constant variables, too, at their generic addresses; false: not all of it is allocated. */
bool gpu_read(const struct gpu *g, uint64_t address, void *dst, uint64_t n);
bool gpu_write(struct gpu *g, uint64_t address, const void *src, uint64_t n);
/* The same as a copy that the performance model sees (-gpgpu_perf_sim_memcpy). */
bool gpu_copy_to_device(struct gpu *g, uint64_t address, const void *src, uint64_t n);
/* Bytes that somebody fetches, straight to where they are wanted. What can't be fetched may be anything. */
struct gpu_source {
	void (*fetch)(void *self, void *to, uint64_t n);
	void *self;
};
/* The same of n bytes that a source fetches; of variables, not those of constants. */
bool gpu_copy_from_source(struct gpu *g, uint64_t address, const struct gpu_source *source, uint64_t n);
/* From now on what memory holds can be brought back: of pages written later on, the contents of now are kept. That costs nothing for
 * memory that is only read. A new mark replaces the one before; the first is set when the device is created. */
void gpu_memory_mark(struct gpu *g);
/* Brings it back in the allocations of then that are still live; what was allocated or freed since stays as it is. The mark stays, too.
 * False, with nothing done: keeping it would have taken more than the limit (machine_limits.saved). */
bool gpu_memory_put_back(struct gpu *g);
/* To be called after registers or memory were changed behind gpu's back (exec_row, exec_poke): what was known about warps that
 * wait for a change is void. */
void gpu_state_changed(struct gpu *g);

/* ---- limits that a program can set: device_limits.def ---- */
enum gpu_limit_id {
#define DEVICE_LIMIT(id, ...) GPU_LIMIT_##id,
#include "gpu/device_limits.def"
	GPU_LIMITS
};
struct gpu_limit_row {
	const char *name;    /* CUDA's */
	uint32_t number;     /* of cudaLimit and CUlimit */
	const char *setting; /* at the prompt */
	const char *option;  /* of the configuration that gives the default, or NULL */
	uint64_t value, least, most;
	const char *help;
};
const struct gpu_limit_row *gpu_limit_row(enum gpu_limit_id id);
uint64_t gpu_get_limit(const struct gpu *g, uint32_t context, enum gpu_limit_id id);
/* Of a context, or of GPU_EVERY_CONTEXT: also of those that come. False: out of its range. */
bool gpu_set_limit(struct gpu *g, uint32_t context, enum gpu_limit_id id, uint64_t value);
/* Bytes that kernels' malloc has given and free not taken back. */
uint64_t gpu_kernel_heap(const struct gpu *g, uint32_t context);

/* ---- program ---- */
struct isa_program *gpu_program(struct gpu *g);
/* After files were appended to module 0 of the program: places new module variables in memory and refreshes tables. */
void gpu_program_changed(struct gpu *g);
/* Steps of the device, with which a module comes (all that it is of has been loaded) and goes (after ptx_module_unload): its variables get their
 * memory; it belongs to nobody, and other modules' may come there. */
void gpu_module_loaded(struct gpu *g, uint32_t module);
void gpu_module_unloaded(struct gpu *g, uint32_t module);
uint8_t *gpu_marks(struct gpu *g); /* one byte per instruction; bits belong to debug; valid until gpu_program_changed */

/* ---- modes ---- */
/* In which mode a launch runs. The device changes from one to the other between launches, when it is idle: those that wait for that begin
 * in the order they came. In performance mode a launch finds the caches as the last one in that mode left them. */
enum gpu_mode { GPU_MODE_OF_DEVICE /* as it was made */, GPU_MODE_FUNCTIONAL, GPU_MODE_PERFORMANCE };
/* Launches in performance mode are possible: builds the machine for it if the device was made without. False: the configuration can't be
 * modelled, with a message. Changes nothing that is simulated. */
bool gpu_can_perform(struct gpu *g, struct text *why);

bool gpu_made_for_performance(const struct gpu *g);
/* Returns what such a device was created with, else NULL. */
const struct timing_config *gpu_made_timing(const struct gpu *g);

/* ---- launches ---- */
/* Blocks that wait for each other (grid.sync()) must all be resident. AS_NEEDED: if the kernel asks for the barrier's memory and they fit. */
enum gpu_cooperation { GPU_NOT_COOPERATIVE, GPU_COOPERATIVE, GPU_COOPERATIVE_AS_NEEDED };

struct gpu_launch_spec {
	uint32_t function;	/* index into the program's functions */
	uint32_t grid[3], block[3];
	uint32_t shared_dynamic;
	uint32_t context;
	uint32_t stream; /* one of the context's */
	const void *params;
	uint32_t n_params;	/* bytes */
	enum gpu_mode mode;
	enum gpu_cooperation cooperation;
};
/* Queues a launch; returns its id, or -1 with a message in `why` (block too big, shared memory, grid 0 ...). */
int64_t gpu_launch(struct gpu *g, const struct gpu_launch_spec *s, struct text *why);
/* Of one that hasn't begun; false: it has. */
bool gpu_set_launch_mode(struct gpu *g, uint32_t id, enum gpu_mode mode);
void gpu_kill(struct gpu *g); /* drops all queued and running launches */
/* The machine as it was before its first launch: no launches, cycle 0, uids from 1, statistics 0, caches cold. Allocations of the host and
 * module variables stay, with their bytes; what kernels allocated is gone. */
void gpu_reset(struct gpu *g);
/* Performance mode: something has run since the machine was made (or made anew by kill or reset), so its caches hold lines. */
bool gpu_is_warm(const struct gpu *g);
/* A load was written in parts because GPGPU-Sim's way would never have written it: its instruction. */
bool gpu_split_load(const struct gpu *g, uint32_t *pc);

enum gpu_launch_state { GPU_LAUNCH_QUEUED, GPU_LAUNCH_RUNNING, GPU_LAUNCH_DONE, GPU_LAUNCH_FAILED, GPU_LAUNCH_KILLED };
struct gpu_launch_info {
	struct exec_launch launch;
	uint64_t latency_over;	/* performance mode: cycle from which its CTAs can be placed */
	enum gpu_launch_state state;
	uint64_t ctas_started, ctas_done;
	uint32_t ctas_per_core;	/* most that fit on a core at a time */
	uint32_t ctas_most;	/* performance mode: the same, less if the grid is small */
	uint32_t cores_bound;	/* performance mode: cores that run it */
	int32_t priority;	/* performance mode: its stream's; the lower, the earlier it gets room for CTAs */
	bool announced;		/* performance mode: its LAUNCHED event is over */
	bool performance;	/* the mode it runs in */
	uint32_t run;		/* performance mode: kernels of the same number overlapped (statistics) */
	bool may_wait;		/* functional mode: by its code, its warps may wait (wait_code.c) */
	/* of launches by threads */
	uint32_t parent;	/* 1 + id of the launch whose thread it was, 0: the host */
	uint64_t parent_uid;
	uint32_t parent_pc;
	uint32_t after[2];	/* 1 + ids of the launches it waits for */
	bool tail;		/* it waits for its parent */
	uint32_t next_child;	/* among those that wait: 1 + id */
	/* of those that launch */
	uint32_t n_children, n_tails; /* launches of its threads that are not done, and how many of them wait for it */
	uint32_t last_tail;
	bool waits;		/* performance mode: its blocks are done, its children aren't */
	uint32_t first_resident; /* functional mode: blocks that were resident when it began: those of its parents */
};
uint32_t gpu_launch_count(const struct gpu *g);	/* ids 0 .. count-1 */
bool gpu_launches_left(const struct gpu *g); /* some aren't over */
bool gpu_launch_get(const struct gpu *g, uint32_t id, struct gpu_launch_info *out);

/* ---- running ---- */
void gpu_run(struct gpu *g, const struct gpu_request *r, struct gpu_event *ev);
uint64_t gpu_cycle(const struct gpu *g);
/* For whoever waits and wants the machine to go on fast then: what a core's next cycles look at first is brought into the host's caches, which
 * forget it within a millisecond if others use them, too. False: there is no such core (functional mode has none). Changes nothing. */
bool gpu_prefetch(const struct gpu *g, uint32_t core);
/* What the simulator itself prints while it runs (-gpgpu_runtime_stat, -gpgpu_cflog_interval): gpu_output, unless printf's output is held back. */
struct text *gpu_log(struct gpu *g);
struct text *gpu_output(struct gpu *g); /* device printf output so far; the reader clears it */
/* From now on printf's output is held back as CUDA does: for each context in a buffer of GPU_LIMIT_PRINTF_FIFO bytes, whose oldest output is lost
 * when there is no room. */
void gpu_hold_printf(struct gpu *g, bool on);
bool gpu_holds_printf(const struct gpu *g);
/* What is held back of a context's goes to gpu_output. The result is how many calls of printf were lost since the last time. */
uint64_t gpu_flush_printf(struct gpu *g, uint32_t context);
uint32_t gpu_output_context(const struct gpu *g); /* whose output was flushed last */
/* After a failed assertion: what CUDA writes to the program's standard error, a line for each lane. */
const char *gpu_assert_lines(const struct gpu *g);

/* Functional mode: resumes a warp that waits, also after the deadlock was reported. Returns false if it doesn't wait. */
bool gpu_resume_waiting(struct gpu *g, uint32_t cta_slot, uint32_t warp);
bool gpu_is_waiting(struct gpu *g, uint32_t cta_slot, uint32_t warp);
/* Returns true if the warp was seen to wait (wait.h), and what it read then is unchanged. */
bool gpu_warp_waits(const struct gpu *g, const struct exec_warp *w);
/* Either mode: it is proven that the warp goes round for ever as long as nobody changes memory. */
bool gpu_warp_spins(const struct gpu *g, const struct exec_warp *w);
/* Returns the lanes of the ways of a spinning warp that wait, those that are not running, too. */
uint32_t gpu_spinning_lanes(const struct gpu *g, const struct exec_warp *w);

/* Names the place of a lane of a warp that stands, waits, or has stood at pc. */
typedef void gpu_place_fn(void *self, const struct exec_warp *w, uint32_t lane, uint32_t pc, struct text *out);
/* Sets how the texts of deadlocks name places. NULL: by the line of the PTX alone. */
void gpu_name_places(struct gpu *g, gpu_place_fn *fn, void *self);

/* ---- for observers ---- */
/* `found` is called with the address of an allocation when kernels access it, not at each access but at least at an instruction's first one in a
 * launch. NULL ends it. */
void gpu_watch_found(struct gpu *g, void (*found)(void *self, uint64_t address), void *self);
bool gpu_has_work(const struct gpu *g); /* running it makes something happen */
bool gpu_is_performance(const struct gpu *g); /* at the moment */
bool gpu_counts_performance(const struct gpu *g); /* statistics are those of performance mode: it is, or has been since the last reset */
struct timing *gpu_timing(struct gpu *g); /* NULL in functional mode */
struct exec *gpu_exec(struct gpu *g);
struct arena *gpu_arena(struct gpu *g);
uint32_t gpu_cta_slots(const struct gpu *g); /* in use so far */
uint32_t gpu_cta_slots_most(const struct gpu *g);
struct exec_cta *gpu_cta(struct gpu *g, uint32_t slot); /* NULL if the slot is unused */
/* The slot of a block if it is resident, -1 if not yet started or already finished (see *done). */
int32_t gpu_find_cta(struct gpu *g, uint32_t launch, uint64_t linear, bool *done);
/* The core a block that isn't resident will probably be placed on: exact for the next ones as long as the device has room. */
uint32_t gpu_expected_core(const struct gpu *g, uint32_t launch, uint64_t linear);
const struct config *gpu_config(const struct gpu *g);
/* The warp that executes next in functional mode; false when idle, or when a block that isn't resident yet comes next. */
bool gpu_next_warp(struct gpu *g, uint32_t *cta_slot, uint32_t *warp);

struct gpu_stats { uint64_t sim_insn, tot_sim_insn, warp_insns, tot_warp_insns, sim_cycle, tot_sim_cycle; };
void gpu_get_stats(const struct gpu *g, struct gpu_stats *out);

#endif
