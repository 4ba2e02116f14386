/* The device and its mutable state in the arena, for all rooms of src/gpu. */
#ifndef GPU_DEVICE_INTERNAL_H
#define GPU_DEVICE_INTERNAL_H

#include "gpu/config/config.h"
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

/* The order in which a launch runs (functional/seed.c). */
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
};

/* Section "device": one of these. */
struct gpu_state {
	uint64_t cycle;		/* warp instructions so far, all launches */
	uint64_t run_cycle;	/* cycle when a kernel began last while no other one ran */
	uint32_t run; /* performance mode: number of the run that began then */
	uint64_t insns, run_insns; /* thread instructions, likewise */
	uint64_t warp_insns, run_warp_insns;
	uint64_t reset_cycle, reset_insns, reset_warp_insns; /* when the statistics began anew */
	struct gpu_covered covered; /* launches that the statistics are of */
	uint64_t transitions;	/* number of changes between instructions so far (moment.h) */
	uint64_t epoch;		/* number of possible changes to global or shared memory: stores, host copies */
	uint64_t touched;	/* number of possible changes by the host; each invalidates the waits found before */
	uint64_t next_uid;
	uint64_t ctas_done;	/* of all launches */
	uint64_t heap_first, heap_next; /* never used device addresses begin at heap_next */
	uint64_t kept_first, kept_last; /* freed allocations that keep their bytes, in the order of their frees; 0: none */
	uint64_t kept_bytes, n_kept;	/* of these: bytes, and how many there are */
	uint64_t reuses;		/* 1: addresses have been given out again; freed memory keeps no bytes from then on */
	uint32_t n_allocations;
	uint32_t n_host_addresses;
	uint64_t aliases_changed;
	uint32_t n_variables;	/* variables of the program considered so far; those of module 0 have memory */
	uint32_t n_marks;	/* of device memory (memory/mark.c) */
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
	uint32_t sample_interval; /* of time-lapse samples; 0: TIMELAPSE_INTERVAL, UINT32_MAX: none are taken */
	uint8_t tensor_rounding; /* enum exec_tensor + 1 of all launches; 0: that of the machine */
	bool was_idle;		/* the device was idle; the next launch begins a new run for the statistics */
	uint64_t limit[GPU_LIMITS]; /* limits of new contexts */
	uint32_t contexts;	    /* existing contexts, a bit each; context 0 always exists */
	struct gpu_context_limits of_context[GPU_CONTEXTS];
	struct gpu_schedule schedule;
	struct gpu_alone alone;
	/* functional mode: launches of several streams on the device at once */
	uint32_t n_begun;	/* of the host's launches: have begun, and aren't done */
	uint32_t other;		/* 1 + id of the one whose blocks run, if that isn't the head; 0: it is */
	bool has_concurrent;	/* several of the host's launches have begun since none was under way */
	bool must_yield;	/* no block has ended for long: another block or launch runs next */
	uint64_t patience_over; /* cycle at which must_yield becomes true */
	uint32_t patience_level; /* times must_yield became true since a block ended */
	uint32_t turn_context;	/* 1 + the context whose blocks run as long as they can; 0: those of any context */
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
	uint32_t n_textures, last_texture; /* entries of the table of textures; the last that was taken (texture/texture.c) */
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
	void (*found)(void *self, uint64_t address); /* gpu_watch_allocation_use; NULL: not watched */
	void *found_self;
	bool holds_printf;
	uint32_t output_context;
	struct printf_fifo *fifo[GPU_CONTEXTS]; /* buffers of contexts with held output */
	double (*host_clock)(void); /* may be NULL */
	struct performance *machine; /* the performance model; NULL: none was needed so far */
	struct performance *perf; /* the same while the device is in performance mode; NULL: functional mode */
	bool is_performance; /* the mode it was made for */
	struct timing_config *own_timing; /* configuration of a machine that the device built itself; NULL: the creator of the device owns it */
	int sec_state, sec_launch, sec_allocation, sec_host_address, sec_cta, sec_resident, sec_probe, sec_wait, sec_paths, sec_statistics, sec_counts, sec_timelapse, sec_stream, sec_operation, sec_event,
		sec_device_stream, sec_texture;
	uint64_t memory_mark; /* of the arena: what gpu_memory_put_back goes back to */
	bool holds_time; /* gpu_hold_time */
	bool keeps_marks;     /* rewind/rewind.h */
	bool is_silent;
	void (*sample_fn)(void *self, const char *s, size_t n); /* gpu_watch_samples; NULL: samples aren't passed on */
	void *sample_self;
	struct launch_params { /* by launch: a copy of its parameters; outside the arena, for observers */
		void *bytes;
		uint32_t n;
	} *params;
	size_t n_params, cap_params, params_bytes;
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
/* Stores the counts of the device's present moment (cycle, transitions, instructions issued). The warp whose turn it is isn't stored. */
void gpu_moment_counts(const struct gpu *g, struct gpu_moment *out);
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

/* ---- mode_figures.c ---- */
/* Statistics are those of performance mode as soon as anything has run in it: between these two, also while the device is in functional mode. */
struct gpu_mode_view {
	bool on;
	struct gpu_since mine, other;
	uint64_t since_cycle;
};
/* Makes statistics those of the mode that gpu_counts_performance selects, if the device is in the other mode. The caller ends this with
 * gpu_mode_view_end. */
void gpu_mode_view_begin(struct gpu *g, struct gpu_mode_view *look);
/* Makes statistics those of the device's mode again. `look` is what gpu_mode_view_begin filled. */
void gpu_mode_view_end(struct gpu *g, const struct gpu_mode_view *look);
/* Resets the figures of the mode that the device isn't in. */
void gpu_mode_reset_statistics(struct gpu *g);
/* Exchanges the start values of the device's mode with those of the other mode, as if no time had passed since the last exchange. */
void gpu_mode_swap_figures(struct gpu_state *s);
/* Allows the next queued launches to run that have the device's mode, up to the first launch of another mode. */
void gpu_mode_admit(struct gpu *g);

/* ---- limits.c ---- */
/* Sets the limits of all contexts, including later ones, to the configuration's values or to their defaults. */
void gpu_default_limits(struct gpu *g);
/* Sets the limits of one context to gpu_state.limit, those of new contexts. */
void gpu_default_limits_of(struct gpu *g, uint32_t context);
/* Adds the output of one printf call to gpu_output or to the context's buffer. `fifo_bytes` is the space that the call occupies in CUDA's
 * buffer. `self` is the device. */
void gpu_add_output(void *self, const char *s, size_t n, uint64_t fifo_bytes);

/* ---- device.c ---- */
/* Returns true if all blocks of the launch are done. */
static inline bool gpu_blocks_are_done(const struct gpu_launch_info *l) { return l->ctas_done == l->launch.n_ctas; }
/* Sets the state of a launch and updates the number of failed launches, gpu_state.n_failed. */
void gpu_set_state(struct gpu *g, struct gpu_launch_info *l, enum gpu_launch_state state);
/* Returns true if the configuration limits cycles, instructions or blocks. */
static inline bool gpu_has_limits(const struct config_device *d) { return d->max_cycle | d->max_insn | d->max_cta; }
/* An option that ends a run, and what the mode has counted for it. */
struct gpu_limit {
	const char *option;
	uint64_t most; /* 0: no limit */
	uint64_t reached;
};
/* Returns true if none of the `n` limits is reached. Otherwise stores a GPU_EVENT_LIMIT for the first reached limit and returns false. */
bool gpu_within_limits(const struct gpu_limit *limits, unsigned n, struct gpu_event *ev);

/* Reports a kernel's access to an allocation to the observer that gpu_watch_allocation_use set. A debugger's access is not reported. */
static inline void gpu_note_allocation_use(const struct gpu *g, uint32_t context, uint64_t address)
{
	if (g->found && context != EXEC_ANY_CONTEXT)
		g->found(g->found_self, address);
}

#endif
