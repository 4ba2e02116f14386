/* The driver API's contexts: the list of contexts, and the current context of each thread. */
#ifndef HOST_CONTEXTS_H
#define HOST_CONTEXTS_H

#include "host/driver/driver.h"

#define CONTEXT_INVALID 201 /* CUDA_ERROR_INVALID_CONTEXT */
#define CONTEXT_STACK_MOST 32u

struct driver_context {
	unsigned flags;
	unsigned attached; /* attachments, besides its creation */
	bool is_primary;
	struct driver_context *next;
};

struct driver_contexts {
	struct host_lock lock;
	struct driver_context *first;
	struct driver_context primary;
	unsigned retained; /* references to the primary context */
	bool used;	   /* true if the runtime uses the primary context */
	atomic_bool begun; /* initialized by cuInit or the runtime */
};

/* Returns the process' only state of contexts. Its `lock` protects the list and the counts. */
struct driver_contexts *driver_contexts(void);
/* Returns whether `c`, which may be any pointer, is a created context that isn't destroyed, or the primary context while it is retained or used. */
bool context_exists(const struct driver_context *c);
/* Returns the context on top of the calling thread's stack, without checking that it still exists; NULL if the stack is empty. */
struct driver_context *context_current(void);
/* Returns the number of contexts on the calling thread's stack. */
unsigned context_depth(void);
/* Pushes a context on the calling thread's stack, which makes it current. The caller makes sure that the stack has fewer than CONTEXT_STACK_MOST
 * contexts. */
void context_push(struct driver_context *c);
/* Removes the top of the calling thread's stack of contexts; the context below, if any, becomes current. Does nothing if the stack is empty. */
void context_pop(void);

#endif
