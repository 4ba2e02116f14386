/* What an address belongs to, in words. Exceptions, findings of checkers and texts about objects use these functions. */
#ifndef DEBUG_VIEW_ADDRESS_H
#define DEBUG_VIEW_ADDRESS_H

#include "debug/debug.h"

/* An address that a thread has used. */
struct debug_address {
	uint64_t address; /* spaces global and generic: as the thread has it; others: offset in the space */
	enum isa_space space;
	uint64_t bytes;			      /* shared, local, param, const: size of the memory that the thread has there */
	uint64_t variable, variable_end;      /* offsets in the space of the variable that was meant, which the address lies beyond; 0, 0: not known */
	const char *variable_name, *there;    /* local: of that variable, and what lies at the address, NULL: unknown */
	const struct gpu_allocation *nearest; /* global: nearest allocation at the time of the access, or NULL */
	uint32_t launch;		      /* id of the thread's launch; DEBUG_NO_LAUNCH: the host used the address */
	uint32_t size;			      /* bytes that were accessed */
	bool is_misaligned;		      /* the address is no multiple of `size`, which is what is wrong */
	bool is_finding;		      /* in compute-sanitizer's words, for findings of checkers */
};
#define DEBUG_NO_LAUNCH UINT32_MAX

/* Fills in what a thread of a launch accesses, `size` bytes at an address of a space, for debug_address_text. */
void debug_address_fill(struct debug *d, const struct exec_launch *l, enum isa_space space, uint64_t address, uint32_t size,
			struct debug_address *out);

/* Appends where the address lies: ` is null`, ` is 4 bytes past the end of buffer z (0x80000a00, 800 bytes)`. Returns true if the text names
 * a->nearest. */
bool debug_address_text(struct debug *d, const struct debug_address *a, struct text *out);

/* An access of a thread, as history knows it. */
struct debug_thread_access {
	uint32_t launch;
	enum isa_space space; /* of the instruction */
	uint64_t generic;
	uint32_t size;
	bool is_past; /* memory that is freed now may have been there */
};
/* Appends `address 0x10 is close to null` (debug_address_text) or `... is not a multiple of 4` if the thread can't make the access *a. Returns false,
 * appending nothing, if the thread can or the launch doesn't exist. */
bool debug_wrong_address_text(struct debug *d, const struct debug_thread_access *a, struct text *out);

/* Appends the place that made an allocation: `main at x.cu:12`, or of a kernel's malloc the instruction. Returns false if that place isn't known. */
bool debug_allocation_made(struct debug *d, const struct gpu_allocation *a, struct text *out);
/* Appends the place that freed an allocation, as debug_allocation_made does. Returns false if that place isn't known. */
bool debug_allocation_freed(struct debug *d, const struct gpu_allocation *a, struct text *out);
/* Appends `allocation alloc_1 (0x80000000, 1024 bytes), made by main at x.cu:12`, and where it was freed. */
void debug_allocation_text(struct debug *d, const struct gpu_allocation *a, struct text *out);

/* Appends the variable that a launch's blocks have at an offset of their shared memory: `s`, `s+12`. Returns false if there is none. */
bool debug_shared_name(struct debug *d, uint32_t launch, uint64_t offset, struct text *out);

/* Appends the variable that a launch's code has at an offset of shared or constant memory, as debug_shared_name does. */
bool debug_space_variable(struct debug *d, enum isa_space space, uint32_t launch, uint64_t offset, struct text *out);

/* Appends `kernel 2 addOne, launched from main.cu:52`. Returns false, appending nothing, if the host's line isn't known. */
bool debug_launch_text(struct debug *d, uint32_t launch, struct text *out);
/* Appends a line for each thread that launched `launch` or an ancestor of it, the nearest first. Appends nothing if the host made the launch; stops at
 * a launch that the device has forgotten. */
void debug_launch_parents(struct debug *d, uint32_t launch, struct text *out);

#endif
