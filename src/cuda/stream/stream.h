/* A call's turn in a stream. */
#ifndef CUDA_STREAM_STREAM_H
#define CUDA_STREAM_STREAM_H

#include "cuda/internal.h"
#include "gpu/input.h"

struct cuda_streams *cuda_streams_create(void);
void cuda_streams_free(struct cuda_streams *s);
bool cuda_operation(void *self, uint64_t tag); /* debug_program.operation */

/* For what the host does itself, while the program waits, in the order of a stream: 0: now; CUDA_AGAIN: not yet, the handler returns that and is called again; else an
 * error. */
uint32_t stream_turn(struct cuda_call *c, uint64_t stream);
/* Before it: the time that the modelled device moves so many bytes. */
void stream_transfer(struct cuda_call *c, uint64_t stream, enum gpu_engine engine, uint64_t bytes);
bool stream_exists(const struct cuda_call *c, uint64_t stream); /* and is one of the caller's */
/* The device's number of a stream as the program calls it: its 0 is its context's default stream. */
uint32_t stream_number(const struct cuda_call *c, uint64_t stream);
/* The device can't go on: who asks how far it is needs not wait. False: nobody asks. */
bool stream_answer_queries(struct cuda_client *k);
bool stream_lends(const struct cuda_call *c,
		  uint64_t event);	 /* an event of the caller's that was made for other processes, too */
uint64_t stream_new_tag(struct cuda *c); /* for an operation of the host's */
void stream_at_once(struct cuda *c);	 /* a copy or fill has no turn, as the device is idle */
/* What the call does itself is that operation of the stream. */
struct gpu_operation_spec stream_operation(const struct cuda_call *c, uint64_t stream);
/* The program goes on after it has waited for that, a stream or event as the device calls it: what it does now comes later. */
void stream_waited(struct cuda *c, enum gpu_waited what, uint32_t number);

#endif
