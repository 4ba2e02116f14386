/* Handles that are addresses of objects of the library: a set of the valid ones, so that a destroyed handle is detected. */
#ifndef HOST_HANDLES_H
#define HOST_HANDLES_H

#include <stdbool.h>

enum host_handle_kind { HANDLE_NONE, HANDLE_NODE, HANDLE_POOL, HANDLE_LINK };

/* Adds a handle. Returns false if there isn't enough memory. */
bool handle_add(const void *p, enum host_handle_kind kind);
/* Returns whether `p` is a valid handle of that kind. */
bool handle_is(const void *p, enum host_handle_kind kind);
/* Removes a handle. Returns false if it isn't valid: of two concurrent removals only one succeeds. */
bool handle_remove(const void *p, enum host_handle_kind kind);

#endif
