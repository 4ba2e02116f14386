/* CUDA's numbers of directions, limits, flags and preferences, and what the served device calls them. */
#include "host/host.h"

#define SIZE(a) (sizeof(a) / sizeof *(a))

uint32_t host_copy_direction(int kind)
{
	static const uint8_t directions[] = {WIRE_COPY_WITHIN_HOST, WIRE_COPY_TO_DEVICE, WIRE_COPY_FROM_DEVICE, WIRE_COPY_WITHIN_DEVICE,
					     WIRE_COPY_BY_ADDRESS};
	return kind >= 0 && (unsigned)kind < SIZE(directions) ? directions[kind] : WIRE_COPIES;
}

uint32_t host_device_limit(int limit)
{
	static const uint8_t limits[] = {WIRE_LIMIT_STACK, WIRE_LIMIT_PRINTF_FIFO, WIRE_LIMIT_MALLOC_HEAP, WIRE_LIMIT_SYNC_DEPTH,
					 WIRE_LIMIT_PENDING_LAUNCHES};
	return limit >= 0 && (unsigned)limit < SIZE(limits) ? limits[limit] : WIRE_LIMITS;
}

uint32_t host_poll_how(unsigned flags)
{
	static const uint8_t hows[] = {WIRE_POLL_NOT_LESS, WIRE_POLL_EQUAL, WIRE_POLL_AND, WIRE_POLL_NOR};
	return hows[flags % SIZE(hows)];
}

enum { NONE = 0, READ = 1, READ_WRITE = 3 }; /* CUmemAccess_flags */

uint32_t host_wire_access(int flags)
{
	return flags == READ_WRITE ? WIRE_ACCESS_READ_WRITE : flags == READ ? WIRE_ACCESS_READ : WIRE_ACCESS_NONE;
}

uint64_t host_access_flags(uint64_t access)
{
	return access == WIRE_ACCESS_READ_WRITE ? READ_WRITE : access == WIRE_ACCESS_READ ? READ : NONE;
}

uint32_t host_wire_cache(int config)
{
	static const uint8_t caches[] = {WIRE_CACHE_DEFAULT, WIRE_CACHE_SHARED, WIRE_CACHE_L1, WIRE_CACHE_DEFAULT};
	return config >= 0 && (unsigned)config < SIZE(caches) ? caches[config] : WIRE_CACHE_DEFAULT;
}

uint32_t host_graph_memory_attribute(unsigned number)
{
	static const uint8_t attributes[] = {WIRE_GRAPH_USED, WIRE_GRAPH_USED_HIGH, WIRE_GRAPH_RESERVED, WIRE_GRAPH_RESERVED_HIGH};
	return number < SIZE(attributes) ? attributes[number] : WIRE_GRAPH_ATTRIBUTES;
}

uint32_t host_link_input(int type)
{
	static const uint8_t inputs[] = {WIRE_LINK_CUBIN, WIRE_LINK_PTX, WIRE_LINK_FATBINARY, WIRE_LINK_OBJECT, WIRE_LINK_LIBRARY};
	return type >= 0 && (unsigned)type < SIZE(inputs) ? inputs[type] : WIRE_LINKS;
}
