/* Deferred calls: answered at once, and served when their turn in a stream comes. */
#ifndef SERVER_STREAM_DEFERRED_H
#define SERVER_STREAM_DEFERRED_H

#include "server/internal.h"

/* Creates an empty list of deferred calls. */
struct server_deferred *deferred_create(void);
/* Frees the list, which must be empty. */
void deferred_free(struct server_deferred *l);
/* Drops the deferred calls of a context, or of all with GPU_EVERY_CONTEXT, without serving them. Also ends the context's call of a stream's function,
 * and its thread that waits for such functions. */
void deferred_drop_context(struct server *c, uint32_t context);

#define SERVER_DEFERRED (UINT32_MAX - 1) /* the call was deferred: the handler returns 0 */

/* The source of a copy that is read during the call, so that the program may change it afterwards. bytes 0: none. */
struct deferred_source {
	uint64_t address, bytes;
	bool always; /* defer the call even if the device is idle */
};
/* Defers a call to its turn in the stream; reads the source of its copy (*source) now. Returns SERVER_DEFERRED, or 0 if the call is to be served now:
 * its turn has come, or the context is idle without source->always. Returns an error if the caller has no such stream, the source can't be read, or
 * the device takes no operation. */
uint32_t deferred_enqueue(struct server_call *c, uint64_t stream, const struct deferred_source *source);
/* Returns whether sources of `bytes` more bytes may be read in advance: deferred calls keep at most 256 MB of them. */
bool deferred_may_stage(const struct server *c, uint64_t bytes);

enum deferred_turn { DEFERRED_UNKNOWN, DEFERRED_DONE, DEFERRED_PENDING };
/* Removes the deferred call with that tag and serves it, unless its process has ended; prints a note if it fails. Returns DEFERRED_UNKNOWN if there
 * is none, DEFERRED_PENDING if it isn't finished yet, else DEFERRED_DONE. */
enum deferred_turn deferred_run(struct server *c, uint64_t tag);
/* Returns whether a connected process calls a function of a stream, or will next; the device waits until the function returns. */
bool deferred_calls_program(const struct server *c);

#endif
