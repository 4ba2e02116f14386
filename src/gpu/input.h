/* Inputs: all changes of the device from outside, such as allocations, copies, launches and the user's settings.
 *
 * Everything else that changes a device follows from its state: so inputs, each with the moment it came at, are all that has to be
 * remembered to have the same run again. Each kind is a row of inputs.def. Files that are loaded into module 0 (gpu_program_changed) are no inputs: the replaying program loads them itself. */
#ifndef GPU_INPUT_H
#define GPU_INPUT_H

#include "base/pool.h"
#include "gpu/gpu.h"
#include "gpu/texture.h"

enum gpu_input_kind {
#define INPUT(kind, ...) GPU_INPUT_##kind,
#include "gpu/inputs.def"
};

enum gpu_waited { GPU_WAITED_ALL, GPU_WAITED_STREAM, GPU_WAITED_EVENT };

/* ---- arguments of inputs; inputs.def says which kind has which ---- */
struct gpu_input_alloc {
	uint64_t bytes, align; /* align: RESERVE only */
	const char *name;
	uint32_t context; /* the owner */
	bool by_program;  /* a call of a program asks for the memory */
	uint64_t caller;  /* return address of that call; 0: not known */
};
struct gpu_input_memory {
	uint64_t address;
	uint64_t caller; /* FREE: return address of the program's call; 0: not known */
};
struct gpu_input_host_address { uint64_t address, host; };
struct gpu_input_map {
	uint64_t address, bytes;
	enum gpu_map how;
	uint64_t real; /* address of an alias' memory */
};
struct gpu_input_share { uint64_t address; uint32_t context; bool on; };
/* The beginning of gpu_input_copy and gpu_input_poke. */
struct gpu_input_bytes {
	uint64_t address, n;
	const void *data;
};
struct gpu_input_copy {
	uint64_t address, n; /* BYTES: offset in the section */
	const void *data;
	const struct gpu_source *source; /* COPY: in place of data */
	int section;	   /* BYTES */
	uint64_t from;	   /* device address that the data came from; 0: they came from elsewhere */
	uint64_t caller;   /* return address of the program's call; 0: no call made the copy */
	uint32_t context;  /* the caller's */
	bool is_direct;	   /* READ: a thread of the program accesses the bytes itself; `writes`: it writes them */
	bool writes;
	bool is_free;	   /* POOL */
	bool was_there;	   /* WRITE: the host wrote the bytes itself, before the inputs that came since the machine last ran */
	/* operation of kind HOST that the copy belongs to. tag 0: the copy is done at once. Kind EMPTY: a user's copy, in no stream */
	struct gpu_operation_spec operation;
};
struct gpu_input_poke {
	uint64_t address, n; /* generic address */
	const void *data;
	uint32_t slot, warp, lane; /* of the thread */
};
struct gpu_input_mode { uint32_t launch; enum gpu_mode mode; };
struct gpu_input_warp { uint32_t slot, warp; };
struct gpu_input_numbered { uint32_t number; }; /* of a stream, an event or a module; an interval */
struct gpu_input_of_context { uint32_t context; };
struct gpu_input_waited { enum gpu_waited what; uint32_t number; /* of the stream or event */ };
struct gpu_input_limit { uint32_t context; enum gpu_limit_id limit; uint64_t value; };
struct gpu_input_texture { const struct gpu_texture *texture; };
struct gpu_input_texture_destroy { uint64_t handle; uint32_t context; bool is_surface; };
struct gpu_input_nothing { char unused; };

struct gpu_input {
	enum gpu_input_kind kind;
	union {
		struct gpu_input_nothing nothing;
		struct gpu_input_alloc alloc;
		struct gpu_input_memory memory;
		struct gpu_input_host_address host_address;
		struct gpu_input_map map;
		struct gpu_input_share share;
		struct gpu_input_bytes bytes; /* for reading what copy and poke begin with */
		struct gpu_input_copy copy;
		struct gpu_input_poke poke;
		struct gpu_launch_spec launch;
		struct gpu_input_mode mode;
		struct gpu_schedule_spec schedule;
		struct gpu_alone alone;
		struct gpu_input_warp warp;
		struct gpu_stream_spec stream;
		struct gpu_operation_spec operation;
		struct gpu_input_numbered numbered;
		struct gpu_input_of_context of_context;
		struct gpu_input_waited waited;
		struct gpu_input_limit limit;
		struct gpu_input_texture texture;
		struct gpu_input_texture_destroy texture_destroy;
	};
};

/* Restores a section that has one byte for each byte of device memory to its contents at the last gpu_memory_mark, where allocations are still live.
 * Returns false without a change if more was saved since the mark than machine_limits.saved allows. */
bool gpu_section_put_back(struct gpu *g, int section);
/* Sets the function that is called with each input and its result after the input took effect. NULL removes the function. */
void gpu_watch_inputs(struct gpu *g, void (*seen)(void *self, const struct gpu_input *in, int64_t result), void *self);
/* Applies an input and returns its result, 1 unless the input's kind says otherwise. `why` may be NULL except for LAUNCH. */
int64_t gpu_input(struct gpu *g, const struct gpu_input *in, struct text *why);
/* Copies an executed input, whose result was `result`, with everything it points to, for a journal. The copy's data belong to the pool. Returns the
 * number of data bytes. A copy's bytes from a gpu_source are read from device memory. */
uint64_t gpu_input_keep(const struct gpu *g, const struct gpu_input *in, int64_t result, struct pool *p, struct gpu_input *out);

/* ---- inputs in a checkpoint file (input_record.c) ---- */
struct record_reader;
/* Returns true if gpu_input_record can write inputs of this kind. */
bool gpu_input_is_recordable(const struct gpu_input *in);
/* Returns about how many bytes gpu_input_record writes for a recordable input. */
uint64_t gpu_input_bytes(const struct gpu_input *in);
/* Appends an input that gpu_input_keep has copied, with its data, to a record for the same build. */
void gpu_input_record(const struct gpu_input *in, struct text *out);
/* Reads an input that gpu_input_record has written. Its data are copied to the pool. Returns false if the record is malformed or of a kind that isn't
 * recordable. */
bool gpu_input_take(struct record_reader *r, struct pool *p, struct gpu_input *out);

#endif
