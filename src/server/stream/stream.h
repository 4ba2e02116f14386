/* Turns of calls in streams, and waiting. */
#ifndef SERVER_STREAM_STREAM_H
#define SERVER_STREAM_STREAM_H

#include "server/internal.h"
#include "gpu/input.h"

/* Creates the state of streams and events; none exists. */
struct server_streams *server_streams_create(void);
/* Frees the state of streams and events. */
void server_streams_free(struct server_streams *s);

/* Requests a call's turn in a stream, for work that the host does itself; when the handler is called again, checks it. Returns 0 if it is due now,
 * SERVER_AGAIN if not: the handler returns that and is called again. Returns an error if the caller has no such stream or the device takes no
 * operation. */
uint32_t stream_turn(struct server_call *c, uint64_t stream);
/* Enqueues the time that `engine` of the modelled device needs to move `bytes` bytes, before the operation itself. Does nothing if the handler is
 * called again, `bytes` is 0, copies take no time, or the stream doesn't exist. */
void stream_transfer(struct server_call *c, uint64_t stream, enum gpu_engine engine, uint64_t bytes);
/* Returns whether `stream` is a stream that the caller's context has created and not destroyed; 0, its default stream, always exists. */
bool stream_exists(const struct server_call *c, uint64_t stream);
/* Returns the device's number of a stream: 0 becomes the default stream of the caller's context. */
uint32_t stream_number(const struct server_call *c, uint64_t stream);
/* Makes a client's waiting queries return "not ready" when they are served next, without waiting longer, as the device can't go on. Returns false if
 * none waits. */
bool stream_answer_queries(struct server_client *k);
/* Returns whether `event` is an event that the caller's context has created for use by other processes. */
bool stream_event_is_exportable(const struct server_call *c, uint64_t event);
/* Returns a new tag, from 1, for an operation of the host. */
uint64_t stream_new_tag(struct server *c);
/* Counts work that was done at once, as the context was idle; the next query of a stream or event counts as a new wait. */
void stream_count_immediate(struct server *c);
/* Describes the call's turn in `stream` (0: the default stream), for an input's `operation`. Enqueues nothing. */
struct gpu_operation_spec stream_operation(const struct server_call *c, uint64_t stream);
/* Records as an input that the program has waited, by `what` for everything or for the stream or event with the device's number `number`. Later work
 * is ordered after it. */
void stream_record_wait(struct server *c, enum gpu_waited what, uint32_t number);

#endif
