/* The channel between a program and the debugger: what lies in the memory both map, and the messages that travel through it.
 *
 * Each process of a program has one `struct wire_shared`, each of its threads a `struct wire_slot` there: a ring of requests, room for one
 * answer, and room for data (`stage`) where the debugger may not reach the program's memory by itself. The debugger believes nothing of what
 * it finds there. Shared with host/, which is built without the rest: standard headers only. */
#ifndef CUDA_CHANNEL_WIRE_H
#define CUDA_CHANNEL_WIRE_H

#include <stdatomic.h>
#include <stdint.h>

/* More values of call_copy.is_async, in addition to false and true: */
#define WIRE_BY_GRAPH 2u /* a graph's node: the program leaves source and target alone until the copy is done */
#define WIRE_DURING_CALL 3u /* the program may change a source in host memory as soon as the call has returned */
#define WIRE_MAGIC UINT32_C(0x77737031) /* wsp1: both sides come from one build */
#define WIRE_SLOTS 64u
#define WIRE_RING_BYTES (128u << 10) /* a power of two */
#define WIRE_MESSAGE_BYTES (48u << 10)
#define WIRE_OUT_BYTES (16u << 10)
#define WIRE_STAGE_BYTES (1u << 20)
#define WIRE_PARAMS_MAX 1000u
#define WIRE_ENVIRONMENT "WARPSTEP_SOCKET" /* where the debugger listens: an abstract socket's name */

#define WIRE_ALONE_ARGS "WARPSTEP_ALONE" /* WARPSTEP_ARGS for a process that is not to be debugged here */
#define WIRE_SERVE "WARPSTEP_SERVE"	 /* of a debugger that a program has started: the descriptor of its socket */

/* What the debugger may want done by a thread that waits for an answer. */
enum wire_ask {
	WIRE_ANSWER, /* nothing: the answer is there */
	WIRE_READ,   /* ask_bytes of the program's memory at ask_address into the stage */
	WIRE_WRITE,  /* the other way */
	WIRE_PRINT, /* ask_bytes of the stage to the program's standard output; ask_address not 0: to its standard error */
	WIRE_DO	    /* call ask_address with the pointer ask_bytes */
};

struct wire_slot {
	_Alignas(64) _Atomic uint32_t head; /* bytes of requests written so far */
	_Alignas(64) _Atomic uint32_t tail; /* and taken */
	_Alignas(64) _Atomic uint32_t
		turn;		  /* counts what the debugger has put here for the thread to see: answers and asks */
	_Atomic uint32_t sleeps;  /* the thread waits in a futex: for `turn`, or for `tail` */
	_Atomic uint32_t done;	  /* counts asks that were done */
	uint32_t thread;	  /* its number in the system */
	uint32_t ask, ask_failed; /* enum wire_ask */
	uint64_t ask_address, ask_bytes;
	uint32_t status; /* of the answer: an error of CUDA's */
	_Alignas(64) char out[WIRE_OUT_BYTES];
	_Alignas(64) char ring[WIRE_RING_BYTES];
	_Alignas(4096) char stage[WIRE_STAGE_BYTES];
};

struct wire_shared {
	uint32_t magic, bytes;		  /* bytes: sizeof struct wire_shared */
	_Atomic uint32_t sleeps;	  /* the debugger waits for the event: whoever writes a request wakes it */
	_Atomic uint32_t sticky;	  /* the error that everything returns from now on; 0: none */
	_Atomic uint32_t slots;		  /* so many were ever used */
	uint64_t fault_address, fault_pc; /* where it dies by SIGSEGV; pc 0: it doesn't */
	uint64_t reserve, reserve_end;	  /* addresses of device memory: nothing of the program's own may lie there */
	_Alignas(4096) struct wire_slot slot[WIRE_SLOTS];
};

struct wire_message {
	uint32_t bytes; /* of the whole message, a multiple of 16 */
	uint16_t call;	/* enum wire_call */
	uint16_t from_high;
	uint32_t payload;  /* bytes behind the arguments */
	uint32_t from_low; /* with from_high: the address in the program that the call returns to, 0: none */
};
#define WIRE_PAD UINT16_MAX /* a message that fills the ring's end */

/* What the debugger says first, with descriptors: this memory, the event, and device memory that both sides map (calls host_alloc). */
#define WIRE_FDS 3
struct wire_hello {
	uint32_t magic, alone; /* alone: without descriptors; the process is to start a debugger of its own */
};

/* What comes with one descriptor: a ticket (channel/ticket.c), which the call that was answered has asked for. */
struct wire_passed {
	uint32_t magic;
};
/* What is to be seen at a ticket. */
struct wire_ticket {
	uint32_t magic, kind; /* enum wire_lent */
	uint64_t device, number;
};

/* What memory is. */
enum wire_memory { WIRE_MEMORY_NONE, WIRE_MEMORY_DEVICE, WIRE_MEMORY_HOST, WIRE_MEMORY_MANAGED };

/* The handle of a texture or surface object: a number from 1 on, and where its texels are. */
#define WIRE_OBJECT_SHIFT 48
#define WIRE_OBJECTS_MOST UINT64_C(0xffff)

/* What processes lend to others: what cudaMalloc has given, events, pools, what a pool has given, physical memory of the driver API. */
enum wire_lent { WIRE_LENT_MEMORY, WIRE_LENT_EVENT, WIRE_LENT_POOL, WIRE_LENT_POINTER, WIRE_LENT_PHYSICAL };
/* A flag of registered memory: the calling thread has its local variables there. */
#define WIRE_ON_STACK 0x80000000u

/* What is done with an attribute of graphs' memory before it is told. */
enum wire_attribute { WIRE_ATTRIBUTE_GET, WIRE_ATTRIBUTE_RESET, WIRE_ATTRIBUTE_TRIM };

/* Physical memory by handle, as a program has asked for it; all of it is of whole grains, as are its mappings. */
#define WIRE_VIRTUAL_GRAIN (UINT64_C(2) << 20)
struct wire_physical {
	int32_t type, handles, location, device;
	uint32_t direct, usage;
};

/* A kernel, as a launch needs it. */
struct wire_kernel {
	uint32_t id, n_params, param_bytes;
	uint32_t threads_most; /* of a block */
	uint32_t shared_bytes, local_bytes, const_bytes, registers, ptx_version;
	uint32_t dynamic_most; /* dynamic shared memory without opting in */
	struct {
		uint32_t offset, bytes;
	} param[WIRE_PARAMS_MAX];
};

/* Buffers of the program for texts about PTX: 0: none. */
struct wire_logs {
	uint64_t info, error;
	uint32_t info_bytes, error_bytes;
};

/* What a program is told of the device. Attributes have the numbers of cudaDeviceAttr. */
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
#include "cuda/channel/calls.def"
#undef CALL

enum wire_call {
#define CALL(name, kind, in, out) CALL_##name,
#include "cuda/channel/calls.def"
#undef CALL
	CALLS
};

#endif
