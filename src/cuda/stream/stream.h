/* Turns of calls in streams, and waiting. */
#ifndef CUDA_STREAM_STREAM_H
#define CUDA_STREAM_STREAM_H

#include "cuda/internal.h"
#include "gpu/input.h"

/* Creates the state of streams and events. */
struct cuda_streams *cuda_streams_create(void);
/* Frees the state of streams and events. */
void cuda_streams_free(struct cuda_streams *s);

/* Requests a call's turn in a stream, for work that the host does itself. Returns 0 if it is due now; CUDA_AGAIN if not: the handler returns that and
 * is called again; else an error. */
uint32_t stream_turn(struct cuda_call *c, uint64_t stream);
/* Enqueues the time that the modelled device needs to move that many bytes, before the operation itself. */
void stream_transfer(struct cuda_call *c, uint64_t stream, enum gpu_engine engine, uint64_t bytes);
/* Returns whether `stream` is a stream of the caller; 0 is its default stream. */
bool stream_exists(const struct cuda_call *c, uint64_t stream);
/* Returns the device's number of a stream: 0 becomes the default stream of the caller's context. */
uint32_t stream_number(const struct cuda_call *c, uint64_t stream);
/* Makes a client's waiting queries return "not ready" at once, as the device can't go on. Returns false if there is none. */
bool stream_answer_queries(struct cuda_client *k);
/* Returns whether `event` is an event of the caller that was created for use by other processes. */
bool stream_event_is_exportable(const struct cuda_call *c, uint64_t event);
/* Returns a new tag for an operation of the host. */
uint64_t stream_new_tag(struct cuda *c);
/* Counts a copy or fill that was done at once, as the device was idle. */
void stream_count_immediate(struct cuda *c);
/* Returns the operation of the stream that stands for the call. */
struct gpu_operation_spec stream_operation(const struct cuda_call *c, uint64_t stream);
/* Records that the program has waited for a stream or event (by the device's number), so that later work is ordered after it. */
void stream_record_wait(struct cuda *c, enum gpu_waited what, uint32_t number);

#endif
