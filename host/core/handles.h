/* Handles that are addresses of objects of the library: a set of the valid ones, so that a destroyed handle is detected. */
#ifndef HOST_HANDLES_H
#define HOST_HANDLES_H

#include <stdbool.h>

enum host_handle_kind { HANDLE_NONE, HANDLE_NODE, HANDLE_POOL, HANDLE_LINK };

/* Adds `p`, which must not be in the set, to the process' set of valid handles, with that kind. Returns false if there isn't enough memory. */
bool handle_add(const void *p, enum host_handle_kind kind);
/* Returns whether `p`, which may be any pointer, is a valid handle of that kind. */
bool handle_is(const void *p, enum host_handle_kind kind);
/* Removes `p` from the set of valid handles. Returns false if `p`, which may be any pointer, is no valid handle of that kind. Of two concurrent
 * removals only one succeeds. */
bool handle_remove(const void *p, enum host_handle_kind kind);

#endif
