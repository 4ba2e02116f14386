/* What the files of the device runtime (cudadevrt) share. Its calls take and return what the host's calls of these names do. */
#ifndef EXEC_RUNTIME_H
#define EXEC_RUNTIME_H

#include "exec/builtins.h"
#include "exec/heap.h"

/* CUDA's errors that calls in kernels return. */
enum {
	RT_SUCCESS = 0,
	RT_INVALID_VALUE = 1,
	RT_MEMORY_ALLOCATION = 2,
	RT_INVALID_CONFIGURATION = 9,
	RT_INVALID_PITCH = 12,
	RT_INVALID_DEVICE_POINTER = 17,
	RT_INVALID_DEVICE_FUNCTION = 98,
	RT_INVALID_DEVICE = 101,
	RT_INVALID_HANDLE = 400,
	RT_MAX_DEPTH = 65,
	RT_SYNC_DEPTH = 68,
	RT_PENDING_COUNT = 69,
	RT_OUT_OF_RESOURCES = 701
};

/* One call's lane: the call, and how many arguments it has besides the result. */
struct rt_call {
	struct exec *x;
	const struct isa_insn *i;
	unsigned lane, n_args;
};

/* Returns argument k of the call, a number or pointer. */
static inline uint64_t rt_arg(const struct rt_call *c, unsigned k)
{
	return builtin_arg(c->x, c->i, k, c->n_args, c->lane);
}
/* Copies argument k of the call, a structure, to out: at most n bytes, the rest of out zero. */
void rt_struct(const struct rt_call *c, unsigned k, void *out, unsigned n);
/* Writes n bytes to a pointer that the lane passed, and notes that memory has changed. Returns false if the pointer points to no memory. */
bool rt_store(const struct rt_call *c, uint64_t to, const void *from, unsigned n);

/* Calls f for each lane of x->mask; the call's result is what f returns, a CUDA error. */
void rt_each(struct exec *x, const struct isa_insn *i, unsigned n_args, int (*f)(const struct rt_call *c));
#define RT_CALL(name, n_args) \
	static int run_##name(const struct rt_call *c); \
	EXEC_BUILTIN(name) { rt_each(x, i, n_args, run_##name); } \
	static int run_##name(const struct rt_call *c)

/* Notes that memory was changed or reallocated other than by a store instruction. */
void rt_memory_changed(struct exec *x);
/* Returns true if launches of the block in `stream` (or EXEC_ANY_STREAM) are unfinished. The call is made again then when the warp runs next. */
bool rt_waits(struct exec *x, uint64_t stream);

#endif
