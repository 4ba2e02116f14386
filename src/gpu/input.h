/* Inputs: all changes of the device from outside, such as allocations, copies, launches and the user's settings.
 *
 * Everything else that changes a device follows from its state: so inputs, each with the moment it came at, are all that has to be
 * remembered to have the same run again. Files that are loaded into module 0 (gpu_program_changed) are no inputs: the replaying program loads them itself. */
#ifndef GPU_INPUT_H
#define GPU_INPUT_H

#include "gpu/gpu.h"

enum gpu_input_kind {
	GPU_INPUT_ALLOC,       /* n bytes called `name`; the result is the address, 0: no room */
	GPU_INPUT_ALLOC_PAGES, /* the same, gpu_alloc_pages */
	GPU_INPUT_FREE,	 /* at `address` */
	GPU_INPUT_HOST_ADDRESS, /* what is at `address` is the host's at n: gpu_set_host_address */
	GPU_INPUT_RESERVE, /* n bytes called `name`, aligned to `address`: gpu_reserve; the result is the address */
	GPU_INPUT_MAP,	   /* n bytes from `address` on, `number` is a gpu_map, `from` where an alias' memory is: gpu_map; 0: not possible */
	GPU_INPUT_UNRESERVE, /* at `address`: gpu_unreserve */
	GPU_INPUT_WRITE, /* n bytes of `data` to `address`; 0: not all allocated */
	GPU_INPUT_COPY,	 /* n bytes of `data` or `source` to `address`, visible to the performance model; 0: not all allocated */
	GPU_INPUT_READ,	 /* a copy to the host reads n bytes at `address`: changes nothing */
	GPU_INPUT_POKE,	 /* n bytes of `data` to the generic `address` of a thread; 0: not possible */
	GPU_INPUT_BYTES, /* n bytes of `data` into a section of the arena, from `address` on: registers, constants, parameters */
	GPU_INPUT_TOUCHED,	  /* registers or memory were changed by a user: gpu_state_changed */
	GPU_INPUT_LAUNCH,	  /* the result is its id, -1: refused, with a message */
	GPU_INPUT_MODE,		  /* of the launch `address`, `n` is a gpu_mode: gpu_set_launch_mode */
	GPU_INPUT_MARK,		  /* gpu_memory_mark */
	GPU_INPUT_PUT_BACK,	  /* gpu_memory_put_back; 0: nothing done */
	GPU_INPUT_KILL,		  /* gpu_kill */
	GPU_INPUT_RESET,	  /* gpu_reset */
	GPU_INPUT_STREAM,	  /* gpu_stream_create; the result is its number, 0: no room */
	GPU_INPUT_STREAM_DESTROY, /* `number` */
	GPU_INPUT_EVENT,	  /* gpu_stream_event_create; the result is its number, 0: no room */
	GPU_INPUT_EVENT_DESTROY,  /* `number` */
	GPU_INPUT_OPERATION,	  /* gpu_enqueue; the result is its number, 0: no room, or not possible */
	GPU_INPUT_DONE,		  /* gpu_operation_done */
	GPU_INPUT_WAITED, /* the host has waited for what `n`, a gpu_waited, and `number` say: changes nothing */
	GPU_INPUT_LIMIT,	  /* the limit number `address` of `context` becomes n; 0: it can't */
	GPU_INPUT_CONTEXT,	  /* gpu_context_begin of `context` */
	GPU_INPUT_CONTEXT_KILL,	  /* gpu_context_kill of `context`, and its result */
	GPU_INPUT_CONTEXT_END,	  /* gpu_context_end of `context`, and its result */
	GPU_INPUT_SHARE,	  /* gpu_share of `address` with `context`, n: on */
	GPU_INPUT_SCHEDULE,	  /* `data` is a gpu_schedule_spec of n bytes: gpu_set_schedule */
	GPU_INPUT_SPIN,		  /* gpu_resume_waiting of `slot`, `warp` */
	GPU_INPUT_MODULE_LOAD,	  /* gpu_module_loaded of the module `number`, whose code the replaying program loads */
	GPU_INPUT_MODULE_UNLOAD	  /* gpu_module_unloaded of the module `number` */
};

enum gpu_waited { GPU_WAITED_ALL, GPU_WAITED_STREAM, GPU_WAITED_EVENT };

struct gpu_input {
	enum gpu_input_kind kind;
	uint64_t address, n;
	const void *data;
	const struct gpu_source *source; /* COPY: where data is NULL */
	const char *name;
	const struct gpu_launch_spec *launch;
	uint32_t slot, warp, lane; /* POKE: the thread: slot of its block, warp in the block, lane */
	int section;		   /* BYTES */
	uint32_t number;	   /* of a stream, an event or a module */
	uint32_t context;	   /* ALLOC, ALLOC_PAGES, RESERVE, EVENT: whose it is to be (context.h); where said; with a caller: his */
	uint64_t caller;	   /* WRITE, COPY, BYTES: the address in a program that its call returns to; 0: none */
	bool was_there;		   /* WRITE: the host wrote it itself, before what has come since the machine last ran */
	uint64_t from;		   /* WRITE, BYTES: where on the device the data came from; 0: not from there. MAP */
	struct gpu_stream_spec stream;
	/* OPERATION; WRITE, COPY and READ: the one of kind HOST whose turn it is, tag 0: it is done at once. Kind EMPTY: a user's, of no stream */
	struct gpu_operation_spec operation;
};

/* Restores a section to its contents at the last gpu_memory_mark, where allocations are still live. The section has one byte for each byte of
 * device memory. Returns false without a change if saving exceeded the limit. */
bool gpu_section_put_back(struct gpu *g, int section);
/* Sets the function that is called with each input and its result after the input took effect. NULL removes the function. */
void gpu_watch_inputs(struct gpu *g, void (*seen)(void *self, const struct gpu_input *in, int64_t result), void *self);
/* Applies an input and returns its result, 1 unless the input's kind says otherwise. `why` may be NULL except for LAUNCH. */
int64_t gpu_input(struct gpu *g, const struct gpu_input *in, struct text *why);

#endif
