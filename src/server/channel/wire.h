/* The channel between a program and the debugger: the layout of the memory both map, and the messages in it.
 *
 * Each process of a program has one `struct wire_shared`, each of its threads a `struct wire_slot` there: a ring of requests, space for one answer,
 * and space for data (`stage`) if the debugger can't access the program's memory itself. The debugger trusts nothing that it reads there. Shared with
 * host/, which is built without the rest: standard headers and gpu/texture.h only. */
#ifndef SERVER_CHANNEL_WIRE_H
#define SERVER_CHANNEL_WIRE_H

#include <stdatomic.h>
#include <stdint.h>

#include "gpu/texture.h"
#include "server/channel/status.h"

/* More values of call_copy.is_async, besides false and true: */
#define WIRE_BY_GRAPH 2u    /* a graph's node: the program leaves source and target alone until the copy is done */
#define WIRE_DURING_CALL 3u /* the program may change a source in host memory as soon as the call has returned */
#define WIRE_MAGIC UINT32_C(0x77737031) /* wsp1: both sides come from one build */
#define WIRE_SLOTS 64u
#define WIRE_RING_BYTES (128u << 10) /* a power of two */
#define WIRE_MESSAGE_BYTES (48u << 10)
#define WIRE_OUT_BYTES (16u << 10)
#define WIRE_STAGE_BYTES (1u << 20)
#define WIRE_PARAMS_MAX 1000u
#define WIRE_WANTS_CALLS 1u /* each call of the API is announced by CALL_entered */
#define WIRE_WANTS_GUARDS 4u /* CALL_host_access tells of host code that accesses managed memory while a kernel may run */
#define WIRE_WANTS_END 2u   /* the program's end is announced by CALL_goodbye even if the context has failed */
#define WIRE_ENVIRONMENT "WARPSTEP_SOCKET" /* environment variable with the name of the debugger's abstract socket */

#define WIRE_ALONE_ARGS \
	"WARPSTEP_ALONE" /* environment variable with WARPSTEP_ARGS for processes that aren't debugged here */
#define WIRE_SERVE \
	"WARPSTEP_SERVE" /* environment variable of a debugger started by a program: the descriptor of its socket */

/* Requests of the debugger to a thread that waits for an answer. */
enum wire_ask {
	WIRE_ANSWER, /* no request: the answer is there */
	WIRE_READ,   /* copy ask_bytes of the program's memory at ask_address to the stage */
	WIRE_WRITE,  /* copy the stage to the program's memory */
	WIRE_PRINT,  /* print ask_bytes of the stage on standard output; ask_address not 0: on standard error */
	WIRE_DO	     /* call ask_address with the pointer ask_bytes */
};

struct wire_slot {
	_Alignas(64) _Atomic uint32_t head; /* bytes of requests written so far */
	_Alignas(64) _Atomic uint32_t tail; /* bytes of requests taken so far */
	_Alignas(64) _Atomic uint32_t turn; /* counts answers and requests of the debugger */
	_Atomic uint32_t sleeps;	    /* the thread waits in a futex for `turn` or `tail` */
	_Atomic uint32_t done;		    /* counts requests that were carried out */
	uint32_t thread;		    /* the thread's id in the system */
	uint32_t ask, ask_failed;	    /* enum wire_ask */
	uint64_t ask_address, ask_bytes;
	uint32_t status; /* of the answer: enum wire_status */
	_Alignas(64) char out[WIRE_OUT_BYTES];
	_Alignas(64) char ring[WIRE_RING_BYTES];
	_Alignas(4096) char stage[WIRE_STAGE_BYTES];
};

struct wire_shared {
	uint32_t magic, bytes;	 /* bytes: sizeof struct wire_shared */
	_Atomic uint32_t sleeps; /* the debugger waits for the event: a thread that writes a request wakes it */
	_Atomic uint32_t sticky; /* the status that every call returns; WIRE_OK: none */
	_Atomic uint32_t wants_cause; /* 1: the next call that fails with `sticky` is reported by CALL_failed; 0: no call is */
	_Atomic uint32_t wants;	 /* set by the debugger: WIRE_WANTS_... */
	_Atomic uint32_t slots;	 /* number of slots used so far */
	uint32_t ended; /* the status that the program passes to exit(), and 256; 0: it hasn't called exit() */
	uint64_t fault_address, fault_pc; /* the fault by which the process dies; pc 0: none */
	uint64_t reserve, reserve_end;	  /* addresses of device memory, which the program may not use otherwise */
	_Alignas(4096) struct wire_slot slot[WIRE_SLOTS];
};

struct wire_message {
	uint32_t bytes; /* size of the whole message, a multiple of 16 */
	uint16_t call;	/* enum wire_call */
	uint16_t from_high;
	uint32_t payload;  /* bytes behind the arguments */
	uint32_t from_low; /* with from_high: the return address of the call in the program; 0: none */
};
#define WIRE_PAD UINT16_MAX /* fills the unused end of the ring */

/* The debugger's first message, with descriptors: this memory, the event, and the device memory that both sides map (host_alloc). */
#define WIRE_FDS 3
struct wire_hello {
	uint32_t magic, alone; /* alone: sent without descriptors; the process starts a debugger of its own */
};

/* Sent with the descriptor of a ticket (channel/ticket.c) that the answered call requested. */
struct wire_passed {
	uint32_t magic;
};
/* The contents of a ticket. */
struct wire_ticket {
	uint32_t magic, kind; /* enum wire_export */
	uint64_t device, number;
};

/* Kinds of memory. */
enum wire_memory { WIRE_MEMORY_NONE, WIRE_MEMORY_DEVICE, WIRE_MEMORY_HOST, WIRE_MEMORY_MANAGED };

/* What processes can export: memory of cudaMalloc, events, pools, memory of a pool, physical memory of the driver API. */
enum wire_export { WIRE_EXPORT_MEMORY, WIRE_EXPORT_EVENT, WIRE_EXPORT_POOL, WIRE_EXPORT_POINTER, WIRE_EXPORT_PHYSICAL };
/* Flag of registered memory: it holds local variables of the calling thread. */
#define WIRE_ON_STACK 0x80000000u

/* What to do with an attribute of graph memory before its value is returned. */
enum wire_attribute { WIRE_ATTRIBUTE_GET, WIRE_ATTRIBUTE_RESET, WIRE_ATTRIBUTE_TRIM };

/* Attributes of graph memory: bytes in use and bytes that stay reserved, now and at most. */
enum wire_graph_memory { WIRE_GRAPH_USED, WIRE_GRAPH_USED_HIGH, WIRE_GRAPH_RESERVED, WIRE_GRAPH_RESERVED_HIGH, WIRE_GRAPH_ATTRIBUTES };

/* Directions of copies: bit 0 is set for copies to memory of the device, bit 1 for copies from it. BY_ADDRESS: the addresses tell. */
enum wire_copy { WIRE_COPY_WITHIN_HOST, WIRE_COPY_TO_DEVICE, WIRE_COPY_FROM_DEVICE, WIRE_COPY_WITHIN_DEVICE, WIRE_COPY_BY_ADDRESS, WIRE_COPIES };

/* What a program may set of the device. */
enum wire_limit { WIRE_LIMIT_STACK, WIRE_LIMIT_PRINTF_FIFO, WIRE_LIMIT_MALLOC_HEAP, WIRE_LIMIT_SYNC_DEPTH, WIRE_LIMIT_PENDING_LAUNCHES, WIRE_LIMITS };

/* How a stream compares a word of memory with a value: until the word isn't less, is equal, has a bit of the value, or lacks a bit that the value lacks. */
enum wire_poll { WIRE_POLL_NOT_LESS, WIRE_POLL_EQUAL, WIRE_POLL_AND, WIRE_POLL_NOR, WIRE_POLLS };

/* Which accesses a mapping of physical memory permits. */
enum wire_access { WIRE_ACCESS_NONE, WIRE_ACCESS_READ, WIRE_ACCESS_READ_WRITE };

/* Which of L1 and shared memory a launch prefers to be the larger. */
enum wire_cache { WIRE_CACHE_DEFAULT, WIRE_CACHE_SHARED, WIRE_CACHE_L1, WIRE_CACHES };

/* Kinds of inputs of a linker. OBJECT: a host object with device code in it; LIBRARY: an archive of such objects. */
enum wire_link { WIRE_LINK_CUBIN, WIRE_LINK_PTX, WIRE_LINK_FATBINARY, WIRE_LINK_OBJECT, WIRE_LINK_LIBRARY, WIRE_LINKS };

/* Properties of physical memory; memory and mappings are multiples of the grain. The device only keeps `direct` and `usage` for the program. */
#define WIRE_VIRTUAL_GRAIN (UINT64_C(2) << 20)
struct wire_physical {
	uint32_t is_exportable; /* other processes may get it */
	uint32_t direct, usage, unused;
};

/* A kernel's properties for launches. */
struct wire_kernel {
	uint32_t id, n_params, param_bytes;
	uint32_t threads_most; /* largest block */
	uint32_t threads_by_registers; /* largest block by the registers that a cubin names; UINT32_MAX: not known */
	uint32_t shared_bytes, local_bytes, const_bytes, registers, ptx_version;
	uint32_t dynamic_most; /* largest dynamic shared memory without opting in */
	struct {
		uint32_t offset, bytes;
	} param[WIRE_PARAMS_MAX];
};

/* The program's buffers for messages about PTX; 0: none. */
struct wire_logs {
	uint64_t info, error;
	uint32_t info_bytes, error_bytes;
};

/* The device's properties for programs. Attributes have the numbers of cudaDeviceAttr. */
#define WIRE_ATTRIBUTES 160u
struct wire_device {
	char name[256];
	uint64_t memory, stack;
	int32_t attribute[WIRE_ATTRIBUTES];
};

#define NOTHING
#define CALL(name, kind, in, out) \
	struct call_##name { \
		in \
	}; \
	struct call_##name##_out { \
		out \
	};
#include "server/channel/calls.def"
#undef CALL

enum wire_call {
#define CALL(name, kind, in, out) CALL_##name,
#include "server/channel/calls.def"
#undef CALL
	CALLS
};

#endif
