/* Streams: what the device does in order, kernels and others; and the events that say how far they are.
 *
 * A stream is a queue of operations. Stream 0 exists from the beginning, and each further context has a default stream of its own (context.h).
 * Created streams follow CUDA's rules: a stream that isn't `non_blocking` and its context's default stream wait for each other's earlier
 * operations. A launch in a stream that wasn't created makes the stream, which follows GPGPU-Sim's rules: streams are independent, and stream 0
 * is served when no other stream has waiting operations. Streams change through gpu_input only.
 * docs/timing.md "Streams" says which operation is next. */
#ifndef GPU_STREAM_H
#define GPU_STREAM_H

#include <stdbool.h>
#include <stdint.h>

struct gpu;

enum gpu_operation_kind {
	GPU_OPERATION_EMPTY,
	GPU_OPERATION_LAUNCH, /* queued by gpu_launch only */
	GPU_OPERATION_HOST, /* copy or function of the host, due when gpu_run returns GPU_EVENT_HOST; ends with gpu_operation_done */
	GPU_OPERATION_RECORD,	/* of an event */
	GPU_OPERATION_WAIT,	/* until the event's last record before this, or `after`, is done */
	GPU_OPERATION_POLL,	/* until a word of memory is as `poll` says */
	GPU_OPERATION_TRANSFER, /* for as long as `transfer` takes */
	GPU_OPERATION_KINDS
};

/* An operation in its stream: they are numbered from 1 through all streams. Number 0: nothing. */
struct gpu_point {
	uint32_t stream;
	uint64_t number;
};

/* Condition on a word of device memory. */
enum gpu_poll_how {
	GPU_POLL_GEQ, /* not less than the value, as the difference has it: numbers go round */
	GPU_POLL_EQ,
	GPU_POLL_AND, /* has a bit of the value */
	GPU_POLL_NOR, /* lacks a bit that the value lacks */
	GPU_POLL_HOWS
};
struct gpu_poll {
	uint64_t address, value;
	uint32_t bytes; /* 4 or 8, which the address is a multiple of */
	enum gpu_poll_how how;
};

/* Copy engines; each performs one transfer at a time. */
enum gpu_engine { GPU_ENGINE_TO_DEVICE, GPU_ENGINE_FROM_DEVICE, GPU_ENGINE_WITHIN, GPU_ENGINES };
struct gpu_transfer {
	enum gpu_engine engine;
	uint64_t bytes; /* WITHIN: read and written are counted each */
};

struct gpu_operation_spec {
	enum gpu_operation_kind kind;
	uint32_t stream;
	uint32_t event; /* RECORD, WAIT; 0 in WAIT: it waits for `after` */
	struct gpu_point after;
	uint64_t tag; /* HOST: the caller's name for the operation */
	struct gpu_poll poll;
	struct gpu_transfer transfer;
};

struct gpu_stream_spec {
	bool non_blocking; /* independent of stream 0 */
	int32_t priority;  /* the lower, the earlier it is served, and its kernels get room for CTAs */
	uint32_t context;  /* the owner */
};

struct gpu_stream_info {
	bool created, non_blocking;
	int32_t priority;
	uint32_t context;
	uint32_t n_operations;		   /* not done yet */
	enum gpu_operation_kind kind;	   /* of the first of them */
	bool begun;			   /* that one */
	enum gpu_operation_kind last_kind; /* of the last of them */
	uint64_t last;			   /* the number of the last one ever queued, 0: none */
};

struct gpu_stream_event_info {
	uint32_t context;
	bool recorded, complete; /* an operation has recorded it; the last record is done */
	struct gpu_point record; /* the last one */
	uint64_t
		cycle; /* when the last record that is done was done: cycles of the cores, and the time of transfers beside which they stood */
	double seconds; /* the host's clock then */
};

/* ---- changes: for gpu_input only; numbers of streams and events begin at 1 ---- */
/* Creates a stream and returns its number, from 1 on. Returns 0 if the context doesn't exist or there is no room. */
uint32_t gpu_stream_create(struct gpu *g, const struct gpu_stream_spec *s);
/* Destroys a created stream after its queued operations are done; a stream without operations at once. Returns false if no such stream was created, or
 * it was already destroyed. */
bool gpu_stream_destroy(struct gpu *g, uint32_t stream);
/* Creates an event of a context and returns its number, from 1 on, or 0 if there is no room. */
uint32_t gpu_stream_event_create(struct gpu *g, uint32_t context);
/* Destroys an event; its unfinished records then have no effect, and its number may be used again. Returns false if there is no such event. */
bool gpu_stream_event_destroy(struct gpu *g, uint32_t event);
/* Queues an operation and returns its number, which is unique in all streams. Returns 0 if there is no room, the operation is invalid or a launch
 * (gpu_launch queues those), or its stream or event doesn't exist. */
uint64_t gpu_enqueue(struct gpu *g, const struct gpu_operation_spec *o);
/* Ends the host's operation that the last GPU_EVENT_HOST reported. Returns false if no such operation is under way, also if its stream is gone. */
bool gpu_operation_done(struct gpu *g);

/* ---- looking ---- */
/* Starts or stops holding time. While time is held and only transfers are under way, time doesn't advance, as the host may queue more. */
void gpu_hold_time(struct gpu *g, bool hold);
/* Returns true in performance mode if the configuration gives a copy rate: a queued copy then needs a transfer operation before it. */
bool gpu_copies_take_time(const struct gpu *g);
/* Returns the number of operations in all streams that have not begun. */
uint32_t gpu_operations_waiting(const struct gpu *g);
/* Stores the state of a stream. Returns false if there is no such stream or it was destroyed. */
bool gpu_stream_get(const struct gpu *g, uint32_t stream, struct gpu_stream_info *out);
/* Stores at most `most` stream numbers in ascending order, and returns the number of all streams, destroyed ones with operations included. */
uint32_t gpu_stream_list(const struct gpu *g, uint32_t *out, uint32_t most);
/* Stores the state of an event. Returns false if there is no such event. */
bool gpu_stream_event_get(const struct gpu *g, uint32_t event, struct gpu_stream_event_info *out);
/* Returns true if the operation and all earlier ones of its stream are done. Returns true, too, for number 0 and for streams that don't exist. */
bool gpu_point_reached(const struct gpu *g, struct gpu_point p);
/* Returns true if a host that waits for an operation may continue: the operation is done and, if no other work is left, the device is idle. The
 * host's next launch then begins a run of its own, as in GPGPU-Sim. */
bool gpu_point_over(const struct gpu *g, struct gpu_point p);

#endif
