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

/* Returns the state of all contexts; `lock` protects its lists. */
struct driver_contexts *driver_contexts(void);
/* Returns whether `c` is an existing context, or the primary context in use. */
bool context_exists(const struct driver_context *c);
/* Returns the calling thread's current context; NULL: none. */
struct driver_context *context_current(void);
/* Returns the number of contexts on the calling thread's stack. */
unsigned context_depth(void);
/* Makes a context current; the caller checks CONTEXT_STACK_MOST. */
void context_push(struct driver_context *c);
/* Removes the current context from the calling thread's stack, if there is one. */
void context_pop(void);

#endif
