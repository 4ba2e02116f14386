/* CUDA's numbers in calls become those of the served device here, and nowhere else. */
#ifndef HOST_CORE_NUMBERS_H
#define HOST_CORE_NUMBERS_H

#include <stdint.h>

#include "server/channel/wire.h"

/* Returns the direction of a copy for a cudaMemcpyKind, or WIRE_COPIES, which the device refuses, if there is no such kind. */
uint32_t host_copy_direction(int kind);
/* Returns the device's number of a cudaLimit, or WIRE_LIMITS if the device has no such limit. */
uint32_t host_device_limit(int limit);
/* Returns how the device compares a word for the lowest two bits of CUstreamWaitValue_flags. */
uint32_t host_poll_how(unsigned flags);
/* Returns what the device permits for CUmemAccess_flags, which are valid. */
uint32_t host_wire_access(int flags);
/* Returns CUmemAccess_flags for what the device permits. */
uint64_t host_access_flags(uint64_t access);
/* Returns the device's preference of caches for a cudaFuncCache. */
uint32_t host_wire_cache(int config);

/* Returns the device's attribute of graph memory for a cudaGraphMemAttributeType, or WIRE_GRAPH_ATTRIBUTES if there is no such attribute. */
uint32_t host_graph_memory_attribute(unsigned number);
/* Returns the kind of a linker's input for a CUjitInputType, or WIRE_LINKS, which the device refuses, if there is no such type. */
uint32_t host_link_input(int type);

#endif
