/* Streams inside src/gpu: their state in the arena, and what kernels and the two schedulers want of them. */
#ifndef GPU_STREAM_INTERNAL_H
#define GPU_STREAM_INTERNAL_H

#include "gpu/internal.h"
#include "gpu/stream.h"
#include "gpu/stream_text.h"

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

static inline struct stream *stream_at(const struct gpu *g, uint32_t k)
{
	return (struct stream *)arena_at(&g->arena, g->sec_stream, 0) + k;
}
static inline struct operation *operation_at(const struct gpu *g, uint32_t k)
{
	return (struct operation *)arena_at(&g->arena, g->sec_operation, 0) + k;
}

/* ---- stream.c ---- */
bool streams_add_sections(struct gpu *g);
/* A launch after what its stream has; false: no room. */
bool streams_queue_launch(struct gpu *g, uint32_t stream, uint32_t launch);
/* The first operation of a stream is done. */
void streams_end_operation(struct gpu *g, struct stream *s);
void streams_end_launch(struct gpu *g, const struct exec_launch *l);
/* Nobody waits any more: the machine is emptied. */
void streams_drop(struct gpu *g);
/* The same of some contexts, a bit each. */
void streams_drop_contexts(struct gpu *g, uint32_t contexts);
/* The default stream of a context, made with it. False: no room. */
bool streams_begin_context(struct gpu *g, uint32_t context);
/* Its streams, which are empty, and its events are gone. */
void streams_end_context(struct gpu *g, uint32_t context);
bool streams_have_work(const struct gpu *g, uint32_t context);
/* NULL: there is none of that number. */
struct stream *streams_find(const struct gpu *g, uint32_t number);
/* Begins the first operation of a stream: a launch, which is returned, or one for the host: GPU_NONE. */
uint32_t streams_begin(struct gpu *g, struct stream *s);
/* The host's operation that has begun becomes the event; false. */
bool streams_hand_to_host(const struct gpu *g, struct gpu_event *ev);

/* ---- stream_transfer.c ---- */
/* The device's time: its cycles, and the time beside them in which only transfers were under way. */
uint64_t streams_now(const struct gpu *g);
void transfer_begin(struct gpu *g, struct operation *o);
bool transfer_is_over(const struct gpu *g, const struct operation *o);
/* Nothing else is under way: it becomes the time at which the next transfer is over. False: none is, or time is held. */
bool streams_pass_time(struct gpu *g, const struct gpu_request *r);

/* ---- stream_order.c ---- */
/* Is there a stream whose wait for memory is over? */
bool streams_poll(const struct gpu *g);
/* Does what takes no time (records, waits that are over), until no stream has such a thing in front. */
void streams_settle_now(struct gpu *g);
static inline void streams_settle(struct gpu *g)
{
	const struct gpu_state *st = gpu_state(g);
	if (st->streams_changed || (st->n_polls && streams_poll(g)) ||
	    (st->transfer_due && streams_now(g) >= st->transfer_due))
		streams_settle_now(g);
}
/* The device is idle but for streams that wait for memory: that becomes a deadlock. */
void streams_wait_in_vain(const struct gpu *g, struct gpu_event *ev);
bool stream_is_ready(const struct gpu *g, const struct stream *s);
/* Functional mode: whose first operation is next, in the order they came; NULL: nobody's. */
struct stream *streams_next_in_order(const struct gpu *g);
/* Performance mode: the same for one turn of GPGPU-Sim's stream manager. `kernels`: there is room for another kernel. */
struct stream *streams_next(struct gpu *g, bool kernels);
/* What is on the machine makes no progress: kernels of other contexts may come beside it, until it is empty. False: there are none, or they may
 * already. */
bool streams_let_others_in(struct gpu *g);
/* Performance mode: lets the kernels of other contexts begin if one has held the machine for long. */
void streams_end_turn(struct gpu *g);

/* ---- stream_poll.c ---- */
bool poll_is_valid(const struct gpu_poll *p);
bool poll_is_over(const struct gpu *g, const struct gpu_poll *p);
void poll_explain(const struct gpu *g, const struct gpu_poll *p, struct text *out);

#endif
