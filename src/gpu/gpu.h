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
#include "gpu/config/allocation.h"
#include "gpu/context.h"
#include "gpu/stream.h"
#include "isa/program.h"

struct gpu;
struct config; /* gpu/config/config.h */

/* A live or freed piece of device memory. */
struct gpu_allocation {
	uint64_t address, bytes; /* requested bytes; the next allocation starts at a multiple of 256. Table sorted by address */
	bool live;
	bool by_kernel; /* made by a kernel's malloc */
	bool reserved;	 /* part of a reserved address range; live if the part has memory */
	bool read_only;	 /* kernels may not write to it */
	bool by_runtime; /* the device runtime's own: a cooperative grid's barrier, parameters of launches by kernels */
	bool by_program; /* made by a call of a program */
	union {
		uint64_t next_free; /* unused memory of the runtime: address of the next unused piece, 0: none */
		uint64_t range;	    /* reserved: start of the whole range */
	};
	uint64_t alias;		    /* reserved: address of the memory that this part is an alias of; 0: no alias */
	bool is_paged;	   /* begins at a page of its own, which host and device may share */
	bool keeps_bytes;  /* freed, and the bytes are still there: gpu_read reads them */
	uint64_t kept_next; /* keeps_bytes: address of the allocation that was freed next, 0: none */
	bool copied;	/* the performance model has seen a host copy to it */
	bool is_filled; /* the host has written to it */
	uint32_t made_pc, freed_pc; /* by_kernel: 1 + index of the allocating and of the freeing instruction; 0: none */
	uint64_t made_by, freed_by; /* by_program: return addresses of the program's calls; 0: not known */
	uint32_t marks;		 /* number of memory marks set before the allocation */
	uint32_t context, users; /* the owner; contexts whose kernels may use it, a bit each (context.h) */
	char name[48];		 /* buffer name, variable name, "" */
};
/* Returns the start of the object that an allocation entry belongs to: the reserved range, or the allocation itself. */
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
	GPU_EVENT_KERNEL_DONE, /* the kernel `launch` has finished; the next gpu_run continues */
	GPU_EVENT_IDLE,	       /* nothing left to do */
	GPU_EVENT_DEADLOCK,    /* no warp can make progress; `text` names the waiting warps and their places */
	GPU_EVENT_LIMIT,       /* `text` names the option and its value */
	GPU_EVENT_INTERRUPT,   /* *request.interrupt became nonzero */
	GPU_EVENT_DUE,	       /* *request.due became nonzero; the next gpu_run continues */
	GPU_EVENT_HOST,	       /* the host's operation `tag` is due; the device waits until it is done (GPU_INPUT_DONE) */
	GPU_EVENT_OUTPUT,      /* gpu_output holds much printf output */
	GPU_EVENT_ALONE	       /* the only warp that may run (gpu_set_alone) has exited, or waits for others at a barrier or for memory */
};

struct gpu_moment;
struct gpu_event {
	enum gpu_event_kind kind;
	uint32_t launch;	/* launch id */
	uint32_t cta_slot, warp; /* the warp, for MARK, ACCESS, FAULT, STEPPED */
	uint32_t pc;		/* instruction index */
	uint64_t tag;		/* HOST */
	bool polls;		/* DEADLOCK: the waiting warps or streams poll memory, which the host may write */
	uint32_t atomic_lanes;	/* ACCESS in performance mode: a deferred atomic has just been executed for these lanes; 0: nothing has happened */
	struct text text;	/* owned by the caller, who frees it */
};

struct gpu_request {
	uint64_t max_cycles;	/* most cycles to run; UINT64_MAX: no limit */
	bool pass;		/* the first instruction ignores marks and watched pages */
	bool one_insn;		/* stop with STEPPED after one instruction of any warp */
	bool has_warp;		/* stop with STEPPED when this warp has executed warp_insns instructions */
	uint32_t warp_launch;	/* launch id */
	uint64_t warp_cta;	/* linear block index */
	uint32_t warp_index;
	uint64_t warp_insns;
	bool in_turn;		/* has_warp, functional mode: and its next instruction is the one that the device executes next */
	const uint8_t *warp_marks; /* a byte for each instruction in front of which that warp stops with MARK; or NULL */
	/* Functional mode: called there (without warp_marks at each mark of the device) in exec's run. Returns false to stop. NULL: it stops. */
	bool (*on_warp_mark)(void *self, const struct exec *x);
	void *warp_mark_self;
	/* Called in front of every instruction of every warp, of which the warp has executed `executed` before; changes nothing. May be called again for
	 * the same one. NULL: not called. Functional mode needs `warp_marks` with a mark on each instruction. */
	void (*look)(void *self, const struct exec_cta *cta, const struct exec_warp *warp, uint32_t pc, uint64_t executed);
	void *look_self;
	bool stop_launch;
	const volatile sig_atomic_t *interrupt, *due; /* or NULL */
	const struct gpu_moment *until; /* or NULL; stop there (CYCLES, or what happens there): gpu_run_to */
};

/* The order in which warps and blocks run in functional mode. */
struct gpu_schedule_spec {
	uint64_t seed;	   /* 0: the default (docs/execution.md) */
	uint64_t from, to; /* the choices that the seed makes, of those of a launch; others are the default's */
};
/* The only warp that may run, while others are held. */
struct gpu_alone {
	uint64_t cta;
	uint32_t launch; /* 1 + id; 0: all warps may run */
	uint32_t warp;
};
/* Holds all warps but the one that *a names, until that warp has exited or the next call; launch 0 holds none. Copies *a. Nothing is held while the
 * warp's block isn't resident. */
void gpu_set_alone(struct gpu *g, const struct gpu_alone *a);
/* Stores the warp that gpu_set_alone set and that hasn't exited; launch 0 if there is none. */
void gpu_get_alone(const struct gpu *g, struct gpu_alone *a);
/* Sets the order of warps and blocks for launches that begin from now on, in functional mode. Copies `spec`. */
void gpu_set_schedule(struct gpu *g, const struct gpu_schedule_spec *spec);
/* Stores the schedule that gpu_set_schedule set last; seed 0 means the default order. */
void gpu_get_schedule(const struct gpu *g, struct gpu_schedule_spec *spec);
/* Returns the number of scheduling choices made so far in the last launch with a seed. */
uint64_t gpu_schedule_choices(const struct gpu *g);

/* Sets whose bits tensor instructions give, of all launches that aren't done: enum exec_tensor + 1, or 0 for those of the machine. Returns false if
 * there is no such value. */
bool gpu_set_tensor_rounding(struct gpu *g, uint32_t rounding);
/* Returns what gpu_set_tensor_rounding has set. */
uint32_t gpu_tensor_rounding(const struct gpu *g);

/* Returns a new device in functional mode, or NULL if the address space doesn't suffice. `limits` must outlive the device; NULL means
 * machine_limits_of_host. The caller owns the device. */
struct gpu *gpu_create(const struct config *cfg, const char *isa_level, const struct machine_limits *limits);
struct timing_config;
/* Returns a new device in performance mode; `timing` must outlive the device. Returns NULL with a message in `why` if parts don't fit
 * together, and without a message if the address space doesn't suffice. */
struct gpu *gpu_create_performance(const struct config *cfg, const struct timing_config *timing, const char *isa_level,
				   const struct machine_limits *limits, struct text *why);
/* Frees a device with all its memory. NULL is ignored. */
void gpu_destroy(struct gpu *g);
/* Sets the function that returns the host's time in seconds since 1970, for figures about the simulator itself. NULL makes these figures 0.
 * Nothing simulated depends on that time. */
void gpu_set_host_clock(struct gpu *g, double (*clock)(void));

/* ---- memory ---- */
/* Allocates `bytes` bytes of device memory and returns their address. Returns 0 if neither unused nor freed space of that size is left. `name` is
 * shown to users and may be "". */
uint64_t gpu_alloc(struct gpu *g, uint64_t bytes, const char *name);
/* Returns the device address of an allocation that consists of whole pages (ARENA_PAGE), or 0 if there is no room; freed space isn't searched. All
 * pages count as written, so that the host may write to the memory directly. */
uint64_t gpu_alloc_pages(struct gpu *g, uint64_t bytes, const char *name);
/* Frees the allocation that begins at `address`. Returns false if no live allocation begins there, or if that one is a reserved range or a
 * module variable. */
bool gpu_free(struct gpu *g, uint64_t address);
/* Makes the allocation at `address` accessible at the host address `host` as well, until the allocation is freed (cudaHostRegister). Returns false if
 * no live allocation begins at `address`, or the arena has no room. Returns false, too, if `host` is a device address or overlaps another host range
 * of the context. */
bool gpu_set_host_address(struct gpu *g, uint64_t address, uint64_t host);
/* Returns the address of the memory that a host address or an alias stands for, searched in all contexts. Returns `address` itself if it is
 * neither. */
uint64_t gpu_device_address(const struct gpu *g, uint64_t address);
/* Returns the address of the memory that a host address or an alias stands for in one context. Returns `address` itself if it is neither. */
uint64_t gpu_device_address_of(const struct gpu *g, uint32_t context, uint64_t address);
/* Returns the device address that corresponds to an address in or next to known host memory, to explain a wrong address. Returns `address`
 * itself if no such memory is near. */
uint64_t gpu_device_address_beside(const struct gpu *g, uint64_t address);
/* Returns the host address set for the allocation that begins at the device address `address`, or 0 if there is none. All contexts' allocations are
 * searched. */
uint64_t gpu_host_address(const struct gpu *g, uint64_t address);

/* Reserves a range of device addresses without memory and returns its start. Returns 0 if `bytes` is 0, `align` is no power of two, or there is no
 * room. `align` is in bytes; 0 aligns as gpu_alloc does. Freed space isn't searched for alignments above gpu_alloc's. */
uint64_t gpu_reserve(struct gpu *g, uint64_t bytes, uint64_t align, const char *name);
enum gpu_map {
	GPU_MAP_OFF,   /* inaccessible; the contents are kept */
	GPU_MAP_ON,    /* mapped */
	GPU_MAP_READ,  /* mapped, read-only for kernels */
	GPU_MAP_EMPTY, /* not mapped; a later mapping holds zeros */
	GPU_MAP_ALIAS, /* alias of memory elsewhere in a reserved range */
	GPU_MAP_ALIAS_READ, /* alias that is read-only for kernels */
};
/* Changes how any part of a reserved range is mapped. `real`: address of the memory for the two ALIAS values, ignored for others. Returns false,
 * changing no mapping, if `bytes` is 0 or part of the range isn't reserved. Returns false, too, if no one mapped part of a reserved range holds all
 * `bytes` bytes at `real`. */
bool gpu_map(struct gpu *g, uint64_t address, uint64_t bytes, enum gpu_map how, uint64_t real);
/* Counts changes to the alias table. Cached results of gpu_device_address stay valid while the count is unchanged. */
uint64_t gpu_aliases_changed(const struct gpu *g);
/* Releases the reserved range that begins at `address`. Returns false if there is no such range, or if any part of the range is still mapped or an
 * alias. */
bool gpu_unreserve(struct gpu *g, uint64_t address);
/* Returns the allocation that holds an address, live or freed. If there is none, returns the nearer of the next live ones below and above, or else a
 * freed neighbour. Returns NULL if there are no allocations. */
const struct gpu_allocation *gpu_nearest_allocation(const struct gpu *g, uint64_t address);
/* Returns the table of all allocations, live and freed, sorted by address, and stores its length in `n`. The device owns the table. */
const struct gpu_allocation *gpu_allocations(const struct gpu *g, size_t *n);
/* Returns true if an address, the device's or the host's of shared memory, lies in freed memory that gpu_read still reads. */
bool gpu_is_freed(const struct gpu *g, uint64_t address);
/* Returns the number of contiguous readable bytes that begin at `address`, the device's or the host's, across adjacent mapped parts of a reserved
 * range. Returns 0 if the first byte isn't readable. */
uint64_t gpu_memory_from(const struct gpu *g, uint64_t address);
/* Copies `n` bytes of device memory, or of constant variables at their generic addresses, to `dst`. Freed memory has its last bytes until the space
 * is used again. Returns false without copying if part of the bytes doesn't exist. */
bool gpu_read(const struct gpu *g, uint64_t address, void *dst, uint64_t n);
/* Copies `n` bytes from `src` to device memory, or to constant variables at their generic addresses. Returns false without copying if part of
 * it isn't allocated. */
bool gpu_write(struct gpu *g, uint64_t address, const void *src, uint64_t n);
/* Writes `n` bytes as gpu_write does, and passes the copy to the caches of the performance model (-gpgpu_perf_sim_memcpy). Returns false if
 * part of the destination isn't allocated. */
bool gpu_copy_to_device(struct gpu *g, uint64_t address, const void *src, uint64_t n);
/* A source of bytes: `fetch` writes n bytes to `to`. Bytes that can't be fetched have any value. */
struct gpu_source {
	void (*fetch)(void *self, void *to, uint64_t n);
	void *self;
};
/* Copies `n` bytes that `source` fetches into one allocation, and passes the copy to the performance model. Returns false if no single live
 * allocation holds the destination; constant variables are excluded. */
bool gpu_copy_from_source(struct gpu *g, uint64_t address, const struct gpu_source *source, uint64_t n);
/* Marks the present contents of memory for gpu_memory_put_back and replaces the previous mark. Pages are saved when they are first written
 * after the mark. The device's creation sets the first mark. */
void gpu_memory_mark(struct gpu *g);
/* Restores the contents of the last mark in allocations that existed then and are still live. The mark remains. Returns false without a change
 * if saving exceeded machine_limits.saved. */
bool gpu_memory_put_back(struct gpu *g);
/* Invalidates what is known about waiting warps. The caller calls it after a direct change of registers or memory (exec_row, exec_poke). */
void gpu_state_changed(struct gpu *g);
/* Returns a count that each call of gpu_state_changed increments, and each write to memory from outside a kernel. */
uint64_t gpu_changes(const struct gpu *g);

/* ---- limits that a program can set: device_limits.def ---- */
enum gpu_limit_id {
#define DEVICE_LIMIT(id, ...) GPU_LIMIT_##id,
#include "gpu/device/device_limits.def"
	GPU_LIMITS
};
struct gpu_limit_row {
	const char *name;    /* CUDA's */
	uint32_t number;     /* of cudaLimit and CUlimit */
	const char *setting; /* at the prompt */
	const char *option;  /* configuration option with the default, or NULL */
	uint64_t value, least, most;
	const char *help;
};
/* Returns the row of device_limits.def that describes a limit. `id` must be below GPU_LIMITS. */
const struct gpu_limit_row *gpu_limit_row(enum gpu_limit_id id);
/* Returns the value of a limit in a context, in the unit of the limit's row. `id` and `context` must exist; GPU_EVERY_CONTEXT is none. */
uint64_t gpu_get_limit(const struct gpu *g, uint32_t context, enum gpu_limit_id id);
/* Sets a limit of one context; GPU_EVERY_CONTEXT sets it for all contexts, including later ones. Returns false if the value is out of range,
 * or if the limit or the context doesn't exist. */
bool gpu_set_limit(struct gpu *g, uint32_t context, enum gpu_limit_id id, uint64_t value);
/* Returns the bytes of a context's heap that kernels' malloc has allocated and that are not freed, including the heap's overhead. */
uint64_t gpu_kernel_heap(const struct gpu *g, uint32_t context);

/* ---- program ---- */
/* Returns the device's program, with all loaded modules. The device owns the program. */
struct isa_program *gpu_program(struct gpu *g);
/* Places new variables of module 0 in memory and refreshes tables. The caller calls it after files were appended to module 0. */
void gpu_program_changed(struct gpu *g);
/* Begins a module's life as a step of the device, and places its variables in memory. The module must be loaded completely. */
void gpu_module_loaded(struct gpu *g, uint32_t module);
/* Ends a module's life as a step of the device, and releases the memory of its variables. The caller calls it after isa_module_unload. */
void gpu_module_unloaded(struct gpu *g, uint32_t module);
/* Returns the debugger's marks, one byte per instruction. The pointer is valid until the next gpu_program_changed. */
uint8_t *gpu_marks(struct gpu *g);

/* ---- modes ---- */
/* The mode of a launch. An idle device changes its mode between launches; launches that wait for the change begin in the order of queueing.
 * In performance mode, caches keep their contents from one launch to the next. */
enum gpu_mode { GPU_MODE_OF_DEVICE /* the mode that the device was created in */, GPU_MODE_FUNCTIONAL, GPU_MODE_PERFORMANCE };
/* Builds the performance model if the device has none yet. Returns false with a message in `why` if the device has no configuration or its
 * configuration can't be modelled. The simulated state doesn't change. */
bool gpu_can_perform(struct gpu *g, struct text *why);

/* Returns true if the device was created in performance mode. */
bool gpu_made_for_performance(const struct gpu *g);
/* Returns the timing configuration that the device was created with, or NULL if it was created in functional mode. */
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
	uint32_t cache; /* enum config_cache: what the program prefers for the kernel */
};
/* Queues a launch and returns its id. Returns -1, with a message in `why`, if the launch is invalid (block too big, too much shared memory, empty
 * grid) or there is no room. */
int64_t gpu_launch(struct gpu *g, const struct gpu_launch_spec *s, struct text *why);
/* Sets the mode of a queued launch; GPU_MODE_OF_DEVICE is the mode that the device was created in. Returns false if the launch has begun or doesn't
 * exist, or if the device can't run in that mode. */
bool gpu_set_launch_mode(struct gpu *g, uint32_t id, enum gpu_mode mode);
/* Drops all queued and running launches and all queued stream operations. In performance mode, statistics begin anew, too. */
void gpu_kill(struct gpu *g);
/* Resets the machine to its state before the first launch: cycle 0, uids from 1, statistics 0, cold caches. Host allocations and module
 * variables keep their contents; kernels' allocations are dropped. */
void gpu_reset(struct gpu *g);
/* Returns true if the device is in performance mode and a block was placed since the machine was built, so that its caches hold lines. */
bool gpu_is_warm(const struct gpu *g);
/* Returns true if the timing model has split a load that would never complete in GPGPU-Sim, and stores the instruction's index in `pc`. Returns false,
 * storing UINT32_MAX, if not or in functional mode. */
bool gpu_load_never_completes(const struct gpu *g, uint32_t *pc);

enum gpu_launch_state { GPU_LAUNCH_QUEUED, GPU_LAUNCH_RUNNING, GPU_LAUNCH_DONE, GPU_LAUNCH_FAILED, GPU_LAUNCH_KILLED };
struct gpu_launch_info {
	struct exec_launch launch;
	uint64_t latency_over;	/* performance mode: cycle from which its CTAs can be placed */
	uint64_t ends_at;	/* performance mode: textbook core: a kernel does not end before this cycle, even if all its blocks are done */
	enum gpu_launch_state state;
	uint64_t ctas_started, ctas_done;
	uint32_t ctas_per_core;	/* most that fit on a core at a time */
	uint32_t ctas_most;	/* performance mode: ctas_per_core, or less for a small grid */
	uint32_t cores_bound;	/* performance mode: cores that run it */
	int32_t priority;	/* performance mode: its stream's; the lower, the earlier it gets room for CTAs */
	bool announced;		/* performance mode: its LAUNCHED event is over */
	bool performance;	/* the mode it runs in */
	uint32_t run;		/* performance mode: kernels of the same number overlapped (statistics) */
	uint32_t cache;		/* enum config_cache: the division of L1D and shared memory that it runs with */
	bool may_wait;		/* functional mode: the code has loops that may wait (wait_code.c) */
	/* of launches by threads */
	uint32_t parent;	/* 1 + id of the launch whose thread launched it, 0: the host */
	uint64_t parent_uid;
	uint32_t parent_pc;
	uint32_t after[2];	/* 1 + ids of the launches it waits for */
	bool tail;		/* starts after its parent */
	uint32_t next_child;	/* among those that wait: 1 + id */
	/* of those that launch */
	uint32_t n_children, n_tails; /* launches of its threads that are not done, and how many of them wait for it */
	uint32_t last_tail;
	bool waits;		/* performance mode: all blocks are done, children are not */
	uint32_t first_resident; /* functional mode: blocks that were resident when it began: those of its parents */
};
/* Returns the parameter block of a launch, of *n bytes, also after the launch's end. Returns NULL, with *n 0, if it has none or isn't kept: launches
 * of a restored checkpoint, and beyond 64 MB of all blocks. */
const void *gpu_launch_params(const struct gpu *g, uint32_t id, uint32_t *n);
/* Returns the number of launches so far; their ids are 0 to count - 1. */
uint32_t gpu_launch_count(const struct gpu *g);
/* Returns true if at least one launch is queued or running. */
bool gpu_launches_left(const struct gpu *g);
/* Copies the state of launch `id` to `out`. Returns false if there is no such launch. */
bool gpu_launch_get(const struct gpu *g, uint32_t id, struct gpu_launch_info *out);

/* ---- running ---- */
/* Runs the machine until the request is fulfilled or an event occurs, and stores the event. The caller frees `ev->text`. */
void gpu_run(struct gpu *g, const struct gpu_request *r, struct gpu_event *ev);
/* Returns the device's time: the sum of warp instructions in functional mode and core cycles in performance mode. */
uint64_t gpu_cycle(const struct gpu *g);
/* Stores what a block of function number `function` needs of a core: `threads`, the registers of a thread (of the configuration, a cubin or an
 * estimate), and `shared_bytes`. */
void gpu_block_needs(const struct gpu *g, uint32_t function, uint32_t threads, uint32_t shared_bytes, struct block_needs *out);
/* Returns the rules by which blocks of a function fit on a core of the device. The shared memory is that of the cache division that the function
 * prefers. */
struct allocation_rules gpu_allocation_rules(const struct gpu *g, uint32_t function);
/* Returns the device's time when the present run, or the last one, began: when a kernel began and no other kernel ran. */
uint64_t gpu_run_began(const struct gpu *g);
/* Loads what a core needs for its next cycles into the host's caches. Returns false if there is no such core or the device is in functional
 * mode. The simulated state doesn't change. */
bool gpu_prefetch(const struct gpu *g, uint32_t core);
/* Returns the text that the simulator's own printouts go to (-gpgpu_runtime_stat, -gpgpu_cflog_interval): gpu_output, or a separate text while
 * printf's output is held back. */
struct text *gpu_log(struct gpu *g);
/* Returns the printf output of kernels so far. The caller clears the text after reading. */
struct text *gpu_output(struct gpu *g);
/* Starts or stops holding back printf's output in a buffer of GPU_LIMIT_PRINTF_FIFO bytes per context, as CUDA does. A full buffer loses its oldest
 * output. Stopping drops what the buffers hold, which gpu_flush_printf saves. */
void gpu_hold_printf(struct gpu *g, bool on);
/* Returns true if printf's output is held back until gpu_flush_printf. */
bool gpu_holds_printf(const struct gpu *g);
/* Moves a context's held output to gpu_output, and makes `context` gpu_output_context's. Returns the number of printf calls lost since the previous
 * flush. If nothing is held, only does the latter and returns 0. */
uint64_t gpu_flush_printf(struct gpu *g, uint32_t context);
/* Returns the context whose output was flushed last. */
uint32_t gpu_output_context(const struct gpu *g);
/* Returns the lines that CUDA writes to standard error after a failed assertion, one for each lane; "" if none failed. The device owns the text. */
const char *gpu_assert_lines(const struct gpu *g);

/* Makes a warp for which gpu_is_waiting is true runnable again, also after its deadlock was reported. Returns false, changing nothing, for other
 * warps. */
bool gpu_resume_waiting(struct gpu *g, uint32_t cta_slot, uint32_t warp);
/* Returns true if a runnable warp can't run in functional mode: it waits for a change of memory. Returns false in performance mode. `warp`: its index
 * in the block in slot `cta_slot`, which must be in use. */
bool gpu_is_waiting(struct gpu *g, uint32_t cta_slot, uint32_t warp);
/* Returns true if the warp was seen to wait (wait.h), and what the warp read then is unchanged. */
bool gpu_warp_waits(const struct gpu *g, const struct exec_warp *w);
/* Returns true if the warp is proven to loop forever as long as memory doesn't change. */
bool gpu_warp_spins(const struct gpu *g, const struct exec_warp *w);
/* Returns the lanes of the running path of a spinning warp, and those of its other paths that were seen to spin. Returns 0 if gpu_warp_spins is false. */
uint32_t gpu_spinning_lanes(const struct gpu *g, const struct exec_warp *w);

/* Names the place of a lane of a warp that stands, waits, or has stood at pc. */
typedef void gpu_place_fn(void *self, const struct exec_warp *w, uint32_t lane, uint32_t pc, struct text *out);
/* Sets the function that names places in the texts of deadlocks. NULL: places are named by the line of the PTX alone. */
void gpu_name_places(struct gpu *g, gpu_place_fn *fn, void *self);

/* ---- for observers ---- */
/* Sets the function that is called with an allocation's address when kernels access the allocation. The call happens at least at an
 * instruction's first access in a launch. NULL removes the function. */
void gpu_watch_allocation_use(struct gpu *g, void (*found)(void *self, uint64_t address), void *self);
/* Returns true if running the machine would execute or change anything: launches, stream operations, or an operation that the host has to do. */
bool gpu_has_work(const struct gpu *g);
/* Returns true if the device is in performance mode at present. */
bool gpu_is_performance(const struct gpu *g);
/* Returns true if the statistics are those of performance mode: a launch that they cover ran in it, or none has begun and the device is in it. */
bool gpu_counts_performance(const struct gpu *g);
/* The launches that the statistics cover: those that have begun since the last reset of statistics, and those that ran then. */
struct gpu_covered {
	uint32_t first;			  /* launches with lower ids ended before the reset */
	uint32_t performance, functional; /* launches of each mode */
	bool is_reset;			  /* there was such a reset */
};
/* Returns the launches that the statistics cover. Statistics are of the launches in performance mode if the cover has any, else of those in functional
 * mode. */
struct gpu_covered gpu_statistics_cover(const struct gpu *g);
/* Returns the performance model of the device, also while the device is in functional mode. Returns NULL if the device has none (yet). */
struct timing *gpu_machine_timing(struct gpu *g);
/* Stores the counts of instructions first to end - 1, as exec_counts does, of the mode that the statistics are of. */
void gpu_instruction_counts(const struct gpu *g, uint32_t first, uint32_t end, struct exec_count *out);
/* Returns the timing model, or NULL in functional mode. The device owns it. */
struct timing *gpu_timing(struct gpu *g);
/* Returns the device's executor, with the last effect and fault. The device owns it. */
struct exec *gpu_exec(struct gpu *g);
/* Returns the arena that holds all mutable state. The device owns it. */
struct arena *gpu_arena(struct gpu *g);
/* Returns the number of block slots used so far; slots are numbered from 0. */
uint32_t gpu_cta_slots(const struct gpu *g);
/* Returns the number of block slots that the device has. */
uint32_t gpu_cta_slots_most(const struct gpu *g);
/* Returns the resident block in a slot, or NULL if the slot is unused or out of range. The device owns the block. */
struct exec_cta *gpu_cta(struct gpu *g, uint32_t slot);
/* Returns the slot of a resident block, or -1 if there is no such launch or the block hasn't started or has finished. `linear` is the block's linear
 * index. *done is true if the block has finished, or its launch is done or was killed. */
int32_t gpu_find_cta(struct gpu *g, uint32_t launch, uint64_t linear, bool *done);
/* Returns the core on which block `linear` of a launch will probably be placed. The answer is exact for the next blocks while the device has room. The
 * launch must exist. */
uint32_t gpu_expected_core(const struct gpu *g, uint32_t launch, uint64_t linear);
/* Returns the configuration that was passed when the device was created, or when gpu_set_aside or gpu_exchange last replaced its contents. Returns
 * NULL if NULL was passed. The code that passed the configuration owns it. */
const struct config *gpu_config(const struct gpu *g);
/* Stores the slot and index of the warp that executes next. Returns false if the device is idle, or if a block that isn't resident comes next. */
bool gpu_next_warp(struct gpu *g, uint32_t *cta_slot, uint32_t *warp);

struct gpu_stats { uint64_t sim_insn, tot_sim_insn, warp_insns, tot_warp_insns, sim_cycle, tot_sim_cycle; };
/* Stores the numbers of instructions and cycles, of the present run and in total since the last reset, in the device's present mode. */
void gpu_get_stats(const struct gpu *g, struct gpu_stats *out);

#endif
