/* What the files of gpu share: the device, and its mutable state in the arena. */
#ifndef GPU_INTERNAL_H
#define GPU_INTERNAL_H

#include "gpu/config.h"
#include "gpu/gpu.h"
#include "gpu/input.h"
#include "gpu/stream.h"

#define GPU_QUANTUM 4096u /* instructions a warp runs in a row in functional mode */
/* warp instructions without the end of a block until others have a turn: 2^25, then 2^23, and so on down to 2^15 */
#define GPU_PATIENCE_BITS 25u
#define GPU_PATIENCE_LEVELS 5u
#define GPU_NESTED_SLOTS 32u /* functional mode: places for blocks beside those of the cores, one for each level of launches by threads */
#define GPU_LAUNCH_DEPTH 24u  /* CUDA's limit of those levels */
#define GPU_NONE UINT32_MAX
#define GPU_NO_CONTEXT GPU_CONTEXTS
#define GPU_NO_ROOM_FOR_BLOCK "there is no room in the simulator's memory for a block"

/* The proof that one warp goes round for ever: see prove.c. */
struct gpu_probe {
	bool active;
	bool is_blind;		/* the loop reads no memory that others can change: its whole state has to repeat */
	bool has_snapshot;
	uint32_t cta_slot, warp;
	uint32_t pc, n_simt;	/* of the snapshot */
	uint32_t steps, max_steps; /* instructions in the round, and at most */
	uint32_t rounds;
	uint32_t n_written; /* entries of the table of what is written between a branch and where its ways meet */
	uint32_t n_varying, n_assumed; /* entries of the table of varying registers, and of those taken to vary when the round began */
	uint64_t epoch;		/* of the snapshot */
	/* the instruction that is executed: */
	uint64_t at_frame;
	uint32_t at_pc, at_active, at_mask;
	uint32_t at_sp, at_call, caller_sp; /* of a return: its activation's local memory, the call, the caller's */
	uint64_t caller_frame;
	/* a branch that varying values decide: where its ways meet, what was written between varies */
	bool in_region;
	bool may_enter;
	bool looks; /* its ways are being looked at */
	uint32_t looked; /* instructions that were run for that */
	uint32_t region_pc, region_simt;
	uint64_t bytes;		/* of the snapshot, in section PROBE */
};

/* Rate of observing warps that may wait; each fruitless observation lowers it. */
#define GPU_KNOWN_WAITS 8u
struct gpu_look_rule {
	uint32_t first, last; /* instructions of a loop in which a warp has waited */
	uint32_t fails;	      /* observations in vain, since the last that wasn't */
	uint32_t skip;	      /* occasions that are let pass */
};
enum gpu_look_rules { GPU_LOOK_LIKELY, GPU_LOOK_OTHER, GPU_LOOK_KNOWN, GPU_LOOK_RULES = GPU_LOOK_KNOWN + GPU_KNOWN_WAITS, GPU_LOOK_NONE };

/* Start values of a mode's figures. */
struct gpu_since {
	uint64_t run_cycle, run_insns, run_warp_insns;
	uint64_t reset_cycle, reset_insns, reset_warp_insns;
};

/* The order in which a launch runs (schedule_seed.c). */
#define GPU_CHANGES 3u
struct gpu_schedule {
	struct gpu_schedule_spec spec;
	uint64_t random;
	uint64_t begun;		/* the cycle in which the launch did */
	uint64_t n;		/* choices so far */
	uint64_t last;		/* the warp of the last choice */
	uint64_t lowered[GPU_CHANGES]; /* warps of lowest priority */
	uint32_t n_lowered;
	uint32_t launch;	/* that began it: others are called by how much later they are, to be the same when it is repeated */
	bool chosen;		/* the chosen warp's turn isn't over */
};

/* Limits of a context (limits.c), and their use. */
struct gpu_context_limits {
	uint64_t limit[GPU_LIMITS];
	uint64_t kernel_heap; /* bytes that its kernels' malloc has allocated */
	uint32_t stack_limit; /* bytes of local memory that calls and alloca may use beyond the kernel's own frame */
};

/* Section "device": one of these. */
struct gpu_state {
	uint64_t cycle;		/* warp instructions so far, all launches */
	uint64_t run_cycle;	/* cycle when a kernel began last while no other one ran */
	uint32_t run; /* performance mode: number of the run that began then */
	uint64_t insns, run_insns; /* thread instructions, likewise */
	uint64_t warp_insns, run_warp_insns;
	uint64_t reset_cycle, reset_insns, reset_warp_insns; /* when the statistics began anew */
	uint64_t transitions;	/* number of changes between instructions so far (moment.h) */
	uint64_t epoch;		/* number of possible changes to global or shared memory: stores, host copies */
	uint64_t touched;	/* number of possible changes by the host; each invalidates the waits found before */
	uint64_t next_uid;
	uint64_t ctas_done;	/* of all launches */
	uint64_t heap_first, heap_next; /* never used device addresses begin at heap_next */
	uint32_t n_allocations;
	uint32_t n_host_addresses;
	uint64_t aliases_changed;
	uint32_t n_variables;	/* variables of the program considered so far; those of module 0 have memory */
	uint32_t n_marks;	/* of device memory (memory_mark.c) */
	uint32_t n_launches;
	uint32_t n_failed; /* launches stopped at a reported fault */
	uint32_t head;		/* first launch that is not done */
	uint32_t program_step;	/* number of module loads and unloads so far */
	uint32_t program_end;	/* instructions that there are */
	uint32_t gone_first, gone_end; /* the last ones of them when the machine began anew, if they were unloaded by then */
	uint32_t mode_end;	/* first queued launch of another mode, or n_launches; an idle device changes to that mode */
	struct gpu_since since;	/* of the other mode */
	uint64_t since_cycle;	/* when the device left it */
	uint32_t n_slots;	/* slots ever used */
	uint32_t n_resident;	/* resident blocks: section RESIDENT, in the order of their ids */
	uint32_t current;	/* index of the resident block that runs */
	bool performance;	/* the device is in performance mode */
	bool was_idle;		/* the device was idle; the next launch begins a new run for the statistics */
	uint64_t limit[GPU_LIMITS]; /* limits of new contexts */
	uint32_t stack_limit;	    /* stack limit of new contexts, in bytes of local memory */
	uint32_t contexts;	    /* existing contexts, a bit each; context 0 always exists */
	struct gpu_context_limits of_context[GPU_CONTEXTS];
	struct gpu_schedule schedule;
	/* functional mode: launches of several streams on the device at once */
	uint32_t n_begun;	/* of the host's launches: have begun, and aren't done */
	uint32_t other;		/* 1 + id of the one whose blocks run, if that isn't the head; 0: it is */
	bool several;		/* several of the host's launches have begun since none was under way */
	bool passes_on;		/* no block has ended for long: another block or launch runs next */
	uint64_t patience_over; /* cycle at which passes_on becomes true */
	uint32_t patience_level; /* times passes_on became true since a block ended */
	struct gpu_look_rule look[GPU_LOOK_RULES];
	uint32_t n_known; /* of them: loops in which a warp has waited */
	/* launches by kernels (child.c) */
	uint32_t nested;	/* functional mode: 1 + id of the one that runs while its parent waits, 0: none */
	uint32_t first_child, last_child; /* those that wait: 1 + id */
	uint32_t n_children;	/* that are not done */
	uint32_t n_device_streams, free_device_stream;
	uint64_t free_runtime;	/* address of unused memory of the runtime, 0: none */
	bool children_changed;	/* a child was launched or is done, and its consequences are not yet applied */
	struct gpu_probe probe;
	/* streams (stream_internal.h) */
	uint32_t n_streams, last_stream;
	uint32_t n_operations, free_operation; /* places for operations; the first free one, 0: none */
	uint32_t n_waiting;	    /* operations that have not begun */
	uint32_t n_polls;	    /* of them: wait for memory */
	uint64_t engine_free[GPU_ENGINES]; /* when each of them has nothing to do (streams_now) */
	uint64_t transfer_due;	/* when the next transfer that has begun is over, 0: none has begun */
	uint64_t waited;	/* cycles in which nothing but transfers was under way, which the clocks don't count */
	uint32_t n_events, first_event; /* places for events; all before this one are used */
	uint64_t n_operations_ever;
	struct gpu_point host_operation; /* under way */
	uint64_t host_tag;
	bool streams_changed; /* an operation was queued or is done, and its consequences are not yet applied */
	bool nothing_ready;   /* no stream's first operation could begin, and no stream has changed since */
};

struct wait_code;
struct gpu {
	struct arena arena;
	struct isa_program program;
	struct exec exec;
	const struct config *config;
	const struct machine_limits *limits;
	struct config_device device;
	uint8_t *marks;
	uint32_t cap_marks;
	struct text output, log;
	void (*found)(void *self, uint64_t address); /* gpu_watch_found; NULL: not watched */
	void *found_self;
	bool holds_printf;
	uint32_t output_context;
	struct printf_fifo *fifo[GPU_CONTEXTS]; /* buffers of contexts with held output */
	double (*host_clock)(void); /* may be NULL */
	struct performance *machine; /* the performance model; NULL: none was needed so far */
	struct performance *perf; /* the same while the device is in performance mode; NULL: functional mode */
	bool is_performance; /* the mode it was made for */
	struct timing_config *own_timing; /* configuration of a machine that the device built itself; NULL: the creator of the device owns it */
	int sec_state, sec_launch, sec_allocation, sec_host_address, sec_cta, sec_resident, sec_probe, sec_wait, sec_ways, sec_statistics, sec_counts, sec_stream, sec_operation, sec_event,
		sec_device_stream;
	uint64_t memory_mark; /* of the arena: what gpu_memory_put_back goes back to */
	bool holds_time; /* gpu_hold_time */
	bool keeps_marks;     /* past.h */
	bool is_silent;
	void (*input_seen)(void *self, const struct gpu_input *in, int64_t result); /* NULL: no observer */
	void *input_self;
	gpu_place_fn *place; /* gpu_name_places */
	void *place_self;
	double host_seconds; /* spent in gpu_run */
	struct wait_code *wait_code; /* analysis of the program; NULL: not made yet */
	uint32_t n_cores, max_slots;
};

/* Returns the host's time in seconds since 1970, or 0 if no host clock was set. */
static inline double gpu_host_now(const struct gpu *g) { return g->host_clock ? g->host_clock() : 0; }

/* Returns the device's mutable state in the arena. */
static inline struct gpu_state *gpu_state(const struct gpu *g) { return arena_at(&g->arena, g->sec_state, 0); }
/* Counts a change of the device that is neither an instruction nor an input. */
static inline void gpu_transition(struct gpu *g) { gpu_state(g)->transitions++; }
/* Returns true if the device is at the given moment. */
bool gpu_is_at(const struct gpu *g, const struct gpu_moment *m);
/* Returns true if the request ends at a moment and the device is at that moment. */
static inline bool gpu_reached(const struct gpu *g, const struct gpu_request *r)
{
	return __builtin_expect(r->until != NULL, 0) && gpu_is_at(g, r->until);
}
/* Returns the state of launch `id`, which must be below gpu_state.n_launches. */
static inline struct gpu_launch_info *gpu_launch_at(const struct gpu *g, uint32_t id)
{
	return (struct gpu_launch_info *)arena_at(&g->arena, g->sec_launch, 0) + id;
}
/* Returns the block in a slot, resident or not. `slot` must be below gpu_state.n_slots. */
static inline struct exec_cta *gpu_cta_at(const struct gpu *g, uint32_t slot)
{
	return (struct exec_cta *)arena_at(&g->arena, g->sec_cta, 0) + slot;
}
/* Returns the id of the launch whose blocks run in functional mode. */
static inline uint32_t gpu_running(const struct gpu *g)
{
	const struct gpu_state *s = gpu_state(g);
	return s->nested ? s->nested - 1 : s->other ? s->other - 1 : s->head;
}
/* Returns the slots of the resident blocks, gpu_state.n_resident of them. */
static inline uint32_t *gpu_residents(const struct gpu *g) { return arena_at(&g->arena, g->sec_resident, 0); }

/* mode.c */
/* Changes the device to the mode of a launch that was just queued, if the device is idle. */
void gpu_mode_of_launch(struct gpu *g, const struct gpu_launch_info *l);
/* Changes an idle device to the mode of the launch that waits for the change. Returns false if the device isn't idle or no launch waits for a
 * change. */
bool gpu_mode_next(struct gpu *g);
/* Changes an idle device to the mode of the next launch, after launches were dropped. */
void gpu_mode_settle(struct gpu *g);
/* Returns a device without launches to the mode that it was created for, with a new machine and its figures at 0. */
void gpu_mode_reset(struct gpu *g);
/* Statistics are those of performance mode as soon as anything has run in it: between these two, also while the device is in functional mode. */
struct gpu_look {
	bool on;
	struct gpu_since mine, other;
	uint64_t since_cycle;
};
/* Makes statistics those of performance mode while the device is in functional mode, if it has run in performance mode. The caller ends this
 * with gpu_mode_look_away. */
void gpu_mode_look(struct gpu *g, struct gpu_look *look);
/* Ends what gpu_mode_look began, with the `look` that gpu_mode_look filled. */
void gpu_mode_look_away(struct gpu *g, const struct gpu_look *look);
/* Resets the figures of the mode that the device isn't in. */
void gpu_mode_reset_statistics(struct gpu *g);
/* Restores the device's mode from the arena, after the arena returned to an earlier state. */
void gpu_mode_revive(struct gpu *g);
/* Frees the timing configuration that the device built itself, if there is one. */
void gpu_mode_free(struct gpu *g);
/* limits.c */
/* Sets the limits of all contexts, including later ones, to the configuration's values or to their defaults. */
void gpu_default_limits(struct gpu *g);
/* Sets the limits of one context to those of new contexts. */
void gpu_default_limits_of(struct gpu *g, uint32_t context);
/* Adds the output of one printf call to gpu_output or to the context's buffer. `fifo_bytes` is the space that the call occupies in CUDA's
 * buffer. `self` is the device. */
void gpu_take_output(void *self, const char *s, size_t n, uint64_t fifo_bytes);

/* host_address.c */
/* Removes the host address of the allocation at `address`, if there is one. */
void gpu_forget_host_address(struct gpu *g, uint64_t address);
/* Finds the memory that a host address or an alias stands for (exec_services.elsewhere). Returns false if the address is neither, or if the
 * context may not access the alias. `self` is the device. */
bool gpu_elsewhere(void *self, uint32_t context, uint64_t address, bool writes, struct exec_window *w, uint64_t *at);

/* memory.c */
/* Stores the window of the live allocation that holds `size` bytes at `address`. Returns false if there is none that the context may use.
 * `self` is the device. */
bool gpu_find_allocation(void *self, uint32_t context, uint64_t address, uint64_t size, struct exec_window *out);
/* Returns true if kernels may not write to the allocation at `address`. `self` is the device. */
bool gpu_is_read_only(void *self, uint64_t address);
/* Returns the address of memory for a kernel's malloc, or 0 if `bytes` is 0 or the context's heap has no room. `self` is the device. */
uint64_t gpu_device_malloc(void *self, uint64_t bytes);
/* Frees an allocation for a kernel's free. Returns false if no live allocation begins at `address`, or if the running context may not use it.
 * `self` is the device. */
bool gpu_device_free(void *self, uint64_t address);
/* Returns whether the allocation at `address` is a kernel's, live or freed, or the host's, or doesn't exist. `self` is the device. */
enum exec_heap_state gpu_device_heap(void *self, uint64_t address);
/* Returns the address of memory that the device runtime uses for a context's kernels, or 0 if there is no room. */
uint64_t gpu_runtime_memory(struct gpu *g, uint32_t context, uint64_t bytes);
/* Releases memory from gpu_runtime_memory. Any other address, including 0, is ignored. */
void gpu_runtime_free(struct gpu *g, uint64_t address);
/* Places a module variable in memory and writes its initial value. Returns false if there is no room. */
bool gpu_add_variable(struct gpu *g, const struct isa_variable *v);
/* Releases the memory of a module variable and fills it with zeros. */
void gpu_remove_variable(struct gpu *g, const struct isa_variable *v);
/* program.c */
/* Makes the program's modules those that exist after the device's last module step. */
void gpu_program_stand(struct gpu *g);
/* Removes all kernels' and runtime allocations and the entries of freed ones; device addresses after the rest are used anew. */
void gpu_forget_kernels_allocations(struct gpu *g);
/* Frees all live allocations that a context's kernels made. */
void gpu_free_kernels_allocations(struct gpu *g, uint32_t context);
/* Returns the index of the first allocation whose address is above `address`, or the number of allocations. */
uint32_t gpu_piece_above(const struct gpu *g, uint64_t address);
/* Returns the allocation that begins at `address`, live or not, or NULL. */
struct gpu_allocation *gpu_piece_at(const struct gpu *g, uint64_t address);
/* Returns the allocation that holds `address`, live or not, or NULL. */
const struct gpu_allocation *gpu_piece_with(const struct gpu *g, uint64_t address);
/* Adds a live allocation of context 0 to the sorted table. Returns false if the arena has no room. */
bool gpu_piece_insert(struct gpu *g, uint64_t address, uint64_t bytes, const char *name);
/* Invalidates cached translations and waits after a change to the allocation table. */
void gpu_pieces_changed(struct gpu *g);
/* Fills a range of device memory with zeros; pages that were never written stay unused. */
void gpu_give_back(struct gpu *g, uint64_t address, uint64_t bytes);
/* Passes the host's copies in live allocations to the caches of a new machine. */
void gpu_copy_again(struct gpu *g);
/* Returns the allocation that holds `address`, or else the next one above it, and stores the end of the table in `end`. */
const struct gpu_allocation *gpu_allocations_from(const struct gpu *g, uint64_t address, const struct gpu_allocation **end);

/* schedule_choose.c */
/* Returns true if at least one warp of the block can run now. */
bool gpu_can_go_on(const struct gpu *g, const struct exec_cta *c);
/* Makes the next warp that can run the block's current warp. `current` is unchanged if no warp can run. */
void gpu_advance_block(const struct gpu *g, struct exec_cta *c);
/* Returns the index of the running launch's first resident block. Blocks before that index belong to launches that wait for it. */
uint32_t gpu_first_of_running(const struct gpu *g);
/* Sets state.current to the block that runs now, and starts it if need be. passes_on: the next one has its turn, if there is one. Returns false if
 * no block can go on. */
bool gpu_choose_block(struct gpu *g, bool passes_on);

/* several.c */
/* Selects the first launch that has begun and isn't done, if the running launch isn't such a launch. */
void gpu_take_begun(struct gpu *g);
/* Starts the next block of the running launch, else of another launch that has begun. Returns false if no block can be started. */
bool gpu_start_any_block(struct gpu *g);
/* Returns true if a stream operation can begin or a host operation is under way. Returns false during a nested launch. */
bool gpu_operation_ready(struct gpu *g);
/* Makes the launch of the current block the running launch, if several launches have begun. */
void gpu_note_running(struct gpu *g);
/* launch.c: blocks of the launch that runs */
/* Starts the next block of the running launch. Returns false if no block is left or the device has no room. */
bool gpu_start_block(struct gpu *g);
/* Removes the resident block with the given index; no block is current afterwards. */
void gpu_finish_block(struct gpu *g, uint32_t index);
/* Removes all resident blocks. */
void gpu_drop_blocks(struct gpu *g);
/* Ends a launch in the given state: ends its statistics and its stream operation, and releases its memory. */
void gpu_end_launch(struct gpu *g, struct gpu_launch_info *l, enum gpu_launch_state state);

/* Queues a launch and returns its id, or -1 with a message in `why`. A launch that isn't `by_host` enters no stream. */
int64_t gpu_add_launch(struct gpu *g, const struct gpu_launch_spec *s, bool by_host, struct text *why);
/* Returns false with a message in `why` if the kernel, grid, block or parameters of a launch are invalid. */
bool gpu_launch_fits(const struct gpu *g, const struct gpu_launch_spec *s, struct text *why);
/* Returns the registers per thread of a kernel: from -gpgpu_kernel_registers, or else from its code and .maxnreg. */
uint32_t gpu_registers(const struct gpu *g, const struct isa_function *f);
/* Returns the number of blocks of `threads` threads that fit on a core; 0 if not even one does. `shared` is a block's shared memory in bytes,
 * static and dynamic. */
uint32_t gpu_blocks_per_core(const struct gpu *g, const struct isa_function *f, uint32_t threads, uint32_t shared);

/* child.c: launches by kernels */
/* Adds the arena's section for streams that kernels create. Returns false if there is no room. */
bool gpu_add_device_streams(struct gpu *g);
/* Installs the device runtime's functions in the executor's services. */
void gpu_offer_runtime(struct gpu *g);
/* Removes the next launch by a thread that waits for nothing from the list and returns its id, or GPU_NONE. `parent` restricts the search to
 * its children; GPU_NONE searches all. */
uint32_t gpu_next_child(struct gpu *g, uint32_t parent);
/* Returns true if a listed launch by a thread waits for nothing. `parent` restricts the search to its children; GPU_NONE searches all. */
bool gpu_has_ready_child(const struct gpu *g, uint32_t parent);
/* Returns 1 + the id of an unfinished launch that a launch by a thread comes after, 0 if there is none. */
uint32_t gpu_child_waits_for(const struct gpu *g, const struct gpu_launch_info *l);
/* Removes launches that were killed before they began from the list of waiting launches by threads. */
void gpu_forget_ended_children(struct gpu *g);
/* Updates the parent's and the device's counts for a launch by a thread that is done or was dropped. */
void gpu_end_child(struct gpu *g, struct gpu_launch_info *l);
/* Returns true if all blocks of the launch are done. */
static inline bool gpu_blocks_are_done(const struct gpu_launch_info *l) { return l->ctas_done == l->launch.n_ctas; }

/* moment.c */
/* Sets the state of a launch and updates the number of failed launches. */
void gpu_set_state(struct gpu *g, struct gpu_launch_info *l, enum gpu_launch_state state);

/* wait.c */
/* Adds the arena's section for records of waiting warps. Returns false if there is no room. */
bool wait_add_section(struct gpu *g);
/* Adds the arena's section for records of warps' ways. Returns false if there is no room. */
bool ways_add_section(struct gpu *g);

/* wait_code.c */
/* Returns true if the instruction is in a loop that may wait, by its code. */
bool wait_code_at(const struct gpu *g, uint32_t pc);
/* Returns true if a function has such loops, or calls others. */
bool wait_code_in(const struct gpu *g, uint32_t function);
/* Frees what was found about the program's loops, if anything was. */
void wait_code_free(struct gpu *g);

/* prove.c */
/* Starts the proof that a warp that waits does so for ever. is_blind: the warp wasn't seen to wait, and reads nothing. */
void prove_begin(struct gpu *g, uint32_t slot, uint32_t warp, bool is_blind);
enum prove_news { PROVE_GOES_ON, PROVE_DONE, PROVE_FAILED };
/* Notes what the warp is about to execute. */
void prove_before(struct gpu *g);
/* Notes that it has executed that. changed: it has changed global or shared memory. */
enum prove_news prove_after(struct gpu *g, bool changed);
/* Validates a proof that comes from a file. */
bool prove_is_valid(const struct gpu *g);
/* Returns a hash of all that the warp's next instructions depend on besides global and shared memory. */
uint64_t gpu_warp_hash(const struct gpu *g, const struct exec_warp *w);

/* turn.c: functional mode */
/* Forgets what earlier launches taught about waits. */
void turn_begin(struct gpu *g);
/* Returns how many instructions the warp may execute until it has to be looked at. */
uint64_t turn_budget(const struct gpu *g, uint32_t slot, uint32_t warp);
/* Prepares for running the warp. */
void turn_before(struct gpu *g, uint32_t slot, uint32_t warp);
/* Notes what the warp has executed: n_stores is the number of its stores. Returns true if its turn is over because it waits. */
bool turn_after(struct gpu *g, uint32_t slot, uint32_t warp, uint64_t n_stores);
/* Ends a warp's turn that ended without waiting: updates its idle turns, and observes the warp or starts a proof if that is due. */
void turn_over(struct gpu *g, uint32_t slot, uint32_t warp);
/* Chooses a waiting warp when only waiting warps are left, to prove its wait or to test whether it continues. Returns false if all wait
 * forever. */
bool turn_choose_waiting(struct gpu *g);
/* Requests that another block or launch runs next, because no block has ended for long. */
void turn_pass_on(struct gpu *g);
/* Restores the full patience of gpu_state after a block has ended. */
void turn_block_ended(struct gpu *g);
/* Returns true if the warp is the one whose wait is being proven: that one runs. */
static inline bool gpu_probing(const struct gpu_state *s, uint32_t slot, uint32_t warp)
{
	return s->probe.active && s->probe.cta_slot == slot && s->probe.warp == warp;
}
/* Returns true for a waiting warp if what it waits for has changed, or if its wait is being proven. */
bool turn_is_over_waiting(const struct gpu *g, const struct exec_warp *w);
/* Returns true if the warp has something to do now. */
static inline bool gpu_warp_can_go_on(const struct gpu *g, const struct exec_warp *w)
{
	return w->state == EXEC_WARP_RUNNABLE && (__builtin_expect(!w->waiting, 1) || turn_is_over_waiting(g, w));
}
/* Returns true if the turns of a launch's warps are stopped in between, to see whether they may wait. */
static inline bool turn_looks_early(const struct gpu_state *s, const struct gpu_launch_info *l)
{
	return __builtin_expect(s->n_known || (l->may_wait && !s->look[GPU_LOOK_LIKELY].skip), 0) && !s->schedule.spec.seed;
}
/* Returns true if running the warp takes turn_budget, turn_before and turn_after. */
static inline bool turn_is_special(const struct gpu *g, const struct gpu_launch_info *l, const struct exec_warp *w)
{
	const struct gpu_state *s = gpu_state(g);
	return __builtin_expect(w->waiting | s->probe.active | g->exec.observer.changes, 0) || turn_looks_early(s, l);
}
/* Notes that the warp has changed memory. */
static inline void turn_changed(struct exec_warp *w)
{
	w->changed = 3;
}

/* schedule_seed.c */
/* Restarts the seeded schedule for a launch that begins, in functional mode. */
void gpu_schedule_begin(struct gpu *g, uint32_t launch);
/* Returns true if the seed decides the next scheduling choice. */
bool gpu_schedule_is_seeded(const struct gpu *g);
/* Makes a seeded choice of the next block and warp, among resident blocks from index `first` on. Returns false if no warp can run. */
bool gpu_schedule_choose(struct gpu *g, uint32_t first);
/* Returns true if the configuration limits cycles, instructions or blocks. */
static inline bool gpu_has_limits(const struct config_device *d) { return d->max_cycle | d->max_insn | d->max_cta; }

/* schedule.c: the options that end a run; what is counted for them differs between the modes. */
struct gpu_limit {
	const char *option;
	uint64_t most; /* 0: no limit */
	uint64_t reached;
};
/* Returns true if none of the `n` limits is reached. Otherwise stores a GPU_EVENT_LIMIT for the first reached limit and returns false. */
bool gpu_within_limits(const struct gpu_limit *limits, unsigned n, struct gpu_event *ev);

/* statistics_launch.c: what is counted for each launch */
/* Adds the arena's sections for the launches' statistics. Returns false if there is no room. */
bool statistics_add_sections(struct gpu *g);
/* Records the counts at the start of a launch, if there is room for a record. */
void gpu_statistics_begin(struct gpu *g, uint32_t launch);
/* Records the counts of a launch that ends. A launch that hasn't begun, or has ended, is ignored. */
void gpu_statistics_end(struct gpu *g, uint32_t launch);

/* statistics_lines.c */
/* Returns true if the configuration requires counts for each line of PTX or each instruction class. */
bool gpu_lines_wanted(const struct gpu *g);

/* deadlock.c: says which warp waits where. */
/* Adds the waiting warps and their places to the text of a deadlock event, and sets its `polls`. */
void gpu_explain_deadlock(const struct gpu *g, struct gpu_event *ev);
/* Adds the line of the PTX, or the pc where the program has no lines: "scan.ptx:41". */
void gpu_add_place(const struct gpu *g, uint32_t pc, struct text *out);
/* Adds the place of the first of a warp's lanes, as gpu_name_places says: "scan.ptx:41 (scan.cu:7)". */
void gpu_add_place_of(const struct gpu *g, const struct exec_warp *w, uint32_t lanes, uint32_t pc, struct text *out);

/* Reports a kernel's access to an allocation to the observer that gpu_watch_found set. A debugger's access is not reported. */
static inline void gpu_note_found(const struct gpu *g, uint32_t context, uint64_t address)
{
	if (g->found && context != EXEC_ANY_CONTEXT)
		g->found(g->found_self, address);
}

#endif
