/* Where memory had its bytes from: the step backwards that why EXPR, find-nan and who-wrote share. Private to src/history. */
#ifndef HISTORY_ORIGIN_H
#define HISTORY_ORIGIN_H

#include "history/trace.h"

enum memory_how {
	MEMORY_STORED,	  /* by a thread's store or atomic: `write` */
	MEMORY_CALLED,	  /* a call has copied an argument or a result there: `call` */
	MEMORY_BY_HOST,	  /* `write`, if is_written: the host's input */
	MEMORY_COPIED,	  /* as BY_HOST, from `from` on the device, as that was at `then` */
	MEMORY_INITIAL,	  /* the initial value of a module's variable */
	MEMORY_UNWRITTEN, /* nothing has written it */
	MEMORY_UNKNOWN	  /* nothing has written it since recording began */
};
struct memory_origin {
	enum memory_how how;
	bool is_written;
	struct write write;
	struct trace_source call; /* call.step is `step` */
	struct debug_step step;
	uint64_t from;
	struct history_position then;
};
/* Finds where bytes *b had their value from at the end *u of the search. `t`: the trace of the thread with which the search ends; it is followed for
 * arguments in local memory. Returns false if the replay was interrupted or failed, or if the trace has to wait (trace_waits). */
bool memory_origin(struct history *h, struct trace *t, const struct where_bytes *b, const struct until *u,
		   struct memory_origin *out);
/* Finds where bytes *b had their value from at the end *u of the search, given the last write to them: `w`, or NULL if there is none. `t` is as in
 * memory_origin; `before_begun` is write.before_begun. Returns false if the replay failed, or the trace has to wait (trace_waits). */
bool memory_origin_of(struct history *h, struct trace *t, const struct where_bytes *b, const struct until *u,
		      const struct write *w, bool before_begun, struct memory_origin *out);

#endif
