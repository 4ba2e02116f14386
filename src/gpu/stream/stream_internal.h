/* Streams inside src/gpu: their state in the arena, and what kernels and the two schedulers want of them. */
#ifndef GPU_STREAM_INTERNAL_H
#define GPU_STREAM_INTERNAL_H

#include "gpu/device/internal.h"
#include "gpu/stream.h"
#include "gpu/stream/stream_text.h"

/* Section "operation": places are given again; 0 is no operation. */
struct operation {
	uint64_t number;
	enum gpu_operation_kind kind;
	uint32_t next; /* in its stream, or among the free ones */
	uint32_t launch, event;
	struct gpu_point after;
	uint64_t tag;
	struct gpu_poll poll;
	struct gpu_transfer transfer;
	uint64_t ends; /* the transfer, by streams_now; 0: it hasn't begun */
};

/* Section "stream": sorted by number. */
struct stream {
	uint32_t number;
	bool created, destroyed, non_blocking;
	bool is_default; /* of a context other than 0: to its other streams what stream 0 is to those of context 0 */
	bool begun;	 /* its first operation is under way */
	uint32_t context;
	int32_t priority;
	uint32_t first, last, n; /* operations that are not done */
	uint64_t tail;		 /* number of the last one ever queued */
};

/* Section "event". */
struct stream_event {
	bool used, stamped;
	uint32_t context;
	struct gpu_point record; /* the last one */
	uint64_t cycle;
	double seconds;
};

/* Returns stream `k` of the table, which is sorted by number. */
static inline struct stream *stream_at(const struct gpu *g, uint32_t k)
{
	return (struct stream *)arena_at(&g->arena, g->sec_stream, 0) + k;
}
/* Returns the operation at place `k`. */
static inline struct operation *operation_at(const struct gpu *g, uint32_t k)
{
	return (struct operation *)arena_at(&g->arena, g->sec_operation, 0) + k;
}

/* ---- stream.c ---- */
/* Adds the arena's sections for streams, operations and events. Returns false if there is no room. */
bool streams_add_sections(struct gpu *g);
/* Queues a launch in a stream. Returns false if there is no room. */
bool streams_queue_launch(struct gpu *g, uint32_t stream, uint32_t launch);
/* Removes the first operation of a stream, which is done. A destroyed stream without operations is removed, too. */
void streams_end_operation(struct gpu *g, struct stream *s);
/* Ends the stream operation of a launch that is done, if that operation is its stream's first. */
void streams_end_launch(struct gpu *g, const struct exec_launch *l);
/* Removes all operations from all streams. */
void streams_drop(struct gpu *g);
/* Removes all operations from the streams of some contexts, a bit each. */
void streams_drop_contexts(struct gpu *g, uint32_t contexts);
/* Creates a context's default stream. Returns false if the stream exists or there is no room. */
bool streams_begin_context(struct gpu *g, uint32_t context);
/* Removes a context's streams, which must be empty, and its events. Stream 0 remains. */
void streams_end_context(struct gpu *g, uint32_t context);
/* Returns true if a stream of the context has an operation that isn't done. */
bool streams_have_work(const struct gpu *g, uint32_t context);
/* Returns the stream with a number, or NULL. */
struct stream *streams_find(const struct gpu *g, uint32_t number);
/* Begins the first operation of a stream. Returns the launch's id, or GPU_NONE if the operation is the host's. */
uint32_t streams_begin(struct gpu *g, struct stream *s);
/* Stores a GPU_EVENT_HOST for the host's operation that has begun. Returns false always. */
bool streams_hand_to_host(const struct gpu *g, struct gpu_event *ev);

/* ---- transfer.c ---- */
/* Returns the device's time for transfers: its cycles plus the time in which only transfers were under way. */
uint64_t streams_now(const struct gpu *g);
/* Schedules a transfer on its engine after the engine's earlier transfers. */
void transfer_begin(struct gpu *g, struct operation *o);
/* Returns true if the transfer's time is over, and always in functional mode. */
bool transfer_is_over(const struct gpu *g, const struct operation *o);
/* Advances time to the end of the next transfer, when nothing else is under way. Returns false if no transfer has begun, or if time is held. */
bool streams_pass_time(struct gpu *g, const struct gpu_request *r);

/* ---- order.c ---- */
/* Returns true if the wait of at least one stream for memory is over. */
bool streams_poll(const struct gpu *g);
/* Completes each stream's ready operations that take no time (records, finished waits), and those that become ready by that. Begins each stream's
 * transfer that is due, and stores when the first transfer ends. */
void streams_settle_now(struct gpu *g);
/* Completes operations that take no time, if a stream, a polled word or a transfer has changed. */
static inline void streams_settle(struct gpu *g)
{
	const struct gpu_state *st = gpu_state(g);
	if (st->streams_changed || (st->n_polls && streams_poll(g)) ||
	    (st->transfer_due && streams_now(g) >= st->transfer_due))
		streams_settle_now(g);
}
/* Fills *ev, a GPU_EVENT_DEADLOCK, for an idle device whose streams wait for memory that nothing will write; the text names the streams. */
void streams_report_deadlock(const struct gpu *g, struct gpu_event *ev);
/* Returns the stream whose ready first operation was queued earliest, or NULL. */
struct stream *streams_next_in_order(const struct gpu *g);
/* Returns the next stream in a turn of GPGPU-Sim's stream manager, or NULL. `kernels` is true if a kernel slot is free. Performance mode only. */
struct stream *streams_next(struct gpu *g, bool kernels);
/* Allows kernels of other contexts on a machine that makes no progress, until the machine is empty. Returns true if a stream operation can
 * then begin. */
bool streams_admit_other_contexts(struct gpu *g);
/* Allows kernels of other contexts to begin if a kernel has held the machine for long. Performance mode only. */
void streams_end_turn(struct gpu *g);

/* ---- poll.c ---- */
/* Returns true if a poll's size, alignment and comparison are valid. */
bool poll_is_valid(const struct gpu_poll *p);
/* Returns true if the polled word is readable and fulfills the comparison. */
bool poll_is_over(const struct gpu *g, const struct gpu_poll *p);
/* Adds what a poll waits for and the present value of its word. */
void poll_explain(const struct gpu *g, const struct gpu_poll *p, struct text *out);

#endif
