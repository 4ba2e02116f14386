/* Handles that are addresses of something of the library's own: those there are, so that one that was given back is an error. */
#ifndef HOST_HANDLES_H
#define HOST_HANDLES_H

#include <stdbool.h>

enum host_handle_kind { HANDLE_NONE, HANDLE_NODE, HANDLE_POOL, HANDLE_LINK };

/* False: no memory. */
bool handle_add(const void *p, enum host_handle_kind kind);
bool handle_is(const void *p, enum host_handle_kind kind);
/* Of two that give back the same one only the first is told true. */
bool handle_take(const void *p, enum host_handle_kind kind);

#endif
