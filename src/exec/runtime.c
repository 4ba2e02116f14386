/* The device runtime (cudadevrt): errors, launches, streams and events, questions. Source: CUDA C++ Programming Guide, "CUDA Dynamic
 * Parallelism", and cuda_device_runtime_api.h.
 *
 * What is launched is the device's business (services.launch); here is what the calls look like. A launch ends the warp's turn, so that the
 * child can run at once. */
#include "exec/runtime.h"
#include "exec/simt.h"

/* ---- arguments and results ---- */

void rt_struct(const struct rt_call *c, unsigned k, void *out, unsigned n)
{
	const unsigned count = exec_arg_count(c->x, c->i);
	memset(out, 0, n);
	if (count >= c->n_args)
		exec_arg_read(c->x, c->i, count - c->n_args + k, c->lane, out, n);
}

/* The call's result, a pointer. */
static void return_pointer(const struct rt_call *c, uint64_t value)
{
	if (exec_arg_count(c->x, c->i) > c->n_args)
		exec_arg_write(c->x, c->i, 0, c->lane, &value, sizeof value);
}

static uint16_t *errors_of(const struct exec *x)
{
	return x->warp->errors ? arena_at(x->arena, x->sec_frame, x->warp->errors) : NULL;
}

static void remember_error(struct exec *x, unsigned lane, int error)
{
	if (!error)
		return;
	if (!x->warp->errors) {
		x->warp->errors = heap_alloc(x->arena, x->sec_frame, LANES * sizeof(uint16_t));
		if (!x->warp->errors)
			return;
		memset(errors_of(x), 0, LANES * sizeof(uint16_t));
	}
	errors_of(x)[lane] = (uint16_t)error;
}

/* The call's result, an error, which is remembered for the lane. */
static void return_error(const struct rt_call *c, int error)
{
	const int32_t result = error;
	remember_error(c->x, c->lane, error);
	if (exec_arg_count(c->x, c->i) > c->n_args)
		exec_arg_write(c->x, c->i, 0, c->lane, &result, sizeof result);
}

bool rt_store(const struct rt_call *c, uint64_t to, const void *from, unsigned n)
{
	rt_memory_changed(c->x);
	return exec_poke(c->x, c->x->cta, c->x->warp->index, c->lane, to, from, n);
}

void rt_each(struct exec *x, const struct isa_insn *i, unsigned n_args, int (*f)(const struct rt_call *c))
{
	LANES_EACH (l, x->mask) {
		const struct rt_call c = {x, i, l, n_args};
		return_error(&c, f(&c));
	}
}

void rt_memory_changed(struct exec *x)
{
	memset(x->tlb, 0, sizeof x->tlb);
	x->n_stores++;
}

bool rt_waits(struct exec *x, uint64_t stream)
{
	if (!x->services.has_children(x->services.self, stream)) {
		exec_notify_waited(x);
		return false;
	}
	simt_goto(x, x->pc);
	x->event = EXEC_EVENT_CONTROL;
	return true;
}

/* ---- errors ---- */

static int last_error(const struct rt_call *c, bool clear)
{
	uint16_t *e = errors_of(c->x);
	const int error = e ? e[c->lane] : 0;
	if (clear && e)
		e[c->lane] = 0;
	return error;
}

static void answer_last(struct exec *x, const struct isa_insn *i, bool clear)
{
	LANES_EACH (l, x->mask) {
		const struct rt_call c = {x, i, l, 0};
		return_pointer(&c, (uint32_t)last_error(&c, clear));
	}
}

EXEC_BUILTIN(rt_last_error) { answer_last(x, i, true); }
EXEC_BUILTIN(rt_peek_error) { answer_last(x, i, false); }

static const struct error_text {
	int error;
	const char *name, *text;
} error_texts[] = {
#define RT_ERROR(number, name, text) {number, name, text},
#include "exec/runtime_errors.def"
};

/* A string a kernel can read: in memory of the runtime, made anew for each call that asks, as few do. */
static uint64_t device_string(struct exec *x, const char *s)
{
	const uint64_t n = strlen(s) + 1, at = x->services.runtime_memory(x->services.self, n);
	if (at)
		exec_poke(x, x->cta, x->warp->index, 0, at, s, n);
	return at;
}

static void answer_text(struct exec *x, const struct isa_insn *i, bool name)
{
	const size_t n = sizeof error_texts / sizeof *error_texts;
	LANES_EACH (l, x->mask) {
		const struct rt_call c = {x, i, l, 1};
		const int error = (int)(uint32_t)rt_arg(&c, 0);
		size_t k = 0;
		while (k < n && error_texts[k].error != error)
			k++;
		const char *known = k == n ? "unrecognized error code"
				    : name ? error_texts[k].name
					   : error_texts[k].text;
		return_pointer(&c, device_string(x, known));
	}
	rt_memory_changed(x);
}

EXEC_BUILTIN(rt_error_string) { answer_text(x, i, false); }
EXEC_BUILTIN(rt_error_name) { answer_text(x, i, true); }

/* ---- launches ----
 * A buffer for parameters has in front of it what is to be launched. */

struct header {
	uint32_t magic, function, grid[3], block[3], shared, bytes;
};
#define HEADER_BYTES 64u
#define HEADER_MAGIC 0x43445032u
#define PARAMETERS_MOST 32764u /* CUDA's limit */

/* Index of the kernel at an address, UINT32_MAX: none begins there. */
static uint32_t kernel_at(const struct exec *x, uint64_t address)
{
	const struct isa_program *p = x->program;
	const uint64_t offset = address - EXEC_CODE_WINDOW;
	if (address < EXEC_CODE_WINDOW || offset % ISA_INSN_BYTES || offset / ISA_INSN_BYTES >= p->n_insns)
		return UINT32_MAX;
	const uint32_t pc = (uint32_t)(offset / ISA_INSN_BYTES);
	for (uint32_t k = 0; k < p->n_functions; k++)
		if (p->functions[k]->is_kernel && p->functions[k]->is_defined && p->functions[k]->first == pc)
			return k;
	return UINT32_MAX;
}

/* Allocates a buffer for the parameters of a launch, behind a header. Returns its device address, or 0 if no memory is left. */
static uint64_t new_buffer(struct exec *x, const struct header *h)
{
	const uint64_t at = x->services.runtime_memory(x->services.self, HEADER_BYTES + h->bytes);
	if (!at)
		return 0;
	exec_poke(x, x->cta, x->warp->index, 0, at, h, sizeof *h);
	rt_memory_changed(x);
	return at + HEADER_BYTES;
}

EXEC_BUILTIN(rt_parameter_buffer_v2)
{
	LANES_EACH (l, x->mask) {
		const struct rt_call c = {x, i, l, 4};
		struct header h = {.magic = HEADER_MAGIC, .function = kernel_at(x, rt_arg(&c, 0))};
		rt_struct(&c, 1, h.grid, sizeof h.grid);
		rt_struct(&c, 2, h.block, sizeof h.block);
		h.shared = (uint32_t)rt_arg(&c, 3);
		h.bytes = h.function == UINT32_MAX ? 0 : x->program->functions[h.function]->param_bytes;
		const uint64_t buffer = h.function == UINT32_MAX ? 0 : new_buffer(x, &h);
		if (!buffer)
			remember_error(x, l, h.function == UINT32_MAX ? RT_INVALID_DEVICE_FUNCTION : RT_PENDING_COUNT);
		return_pointer(&c, buffer);
	}
}

EXEC_BUILTIN(rt_parameter_buffer)
{
	LANES_EACH (l, x->mask) {
		const struct rt_call c = {x, i, l, 2};
		const uint64_t bytes = rt_arg(&c, 1);
		const struct header h = {.magic = HEADER_MAGIC, .function = UINT32_MAX, .bytes = (uint32_t)bytes};
		const uint64_t buffer = bytes <= PARAMETERS_MOST ? new_buffer(x, &h) : 0;
		if (!buffer)
			remember_error(x, l, RT_PENDING_COUNT);
		return_pointer(&c, buffer);
	}
}

/* Reads the header in front of a buffer. Returns false if there is none. */
static bool read_header(const struct rt_call *c, uint64_t buffer, struct header *h)
{
	struct exec *x = c->x;
	const void *p = buffer < HEADER_BYTES ? NULL : builtin_peek(x, c->lane, buffer - HEADER_BYTES, sizeof *h);
	if (p)
		memcpy(h, p, sizeof *h);
	return p && h->magic == HEADER_MAGIC && builtin_peek(x, c->lane, buffer, h->bytes ? h->bytes : 1);
}

static int launch(const struct rt_call *c, const struct header *h, uint64_t buffer, uint64_t stream)
{
	struct exec *x = c->x;
	struct exec_child child = {.function = h->function, .shared = h->shared, .stream = stream, .lane = c->lane};
	memcpy(child.grid, h->grid, sizeof child.grid);
	memcpy(child.block, h->block, sizeof child.block);
	child.n_params = x->program->functions[h->function]->param_bytes;
	if (child.n_params > h->bytes)
		child.n_params = h->bytes;
	child.params = builtin_peek(x, c->lane, buffer, child.n_params ? child.n_params : 1);
	const int error = x->services.launch(x->services.self, &child);
	if (!error)
		exec_notify_launched(x, c->lane);
	x->services.runtime_free(x->services.self, buffer - HEADER_BYTES);
	rt_memory_changed(x);
	return error;
}

EXEC_BUILTIN(rt_launch_v2)
{
	LANES_EACH (l, x->mask) {
		const struct rt_call c = {x, i, l, 2};
		const uint64_t buffer = rt_arg(&c, 0);
		struct header h;
		const bool ok = read_header(&c, buffer, &h) && h.function < x->program->n_functions;
		return_error(&c, ok ? launch(&c, &h, buffer, rt_arg(&c, 1)) : RT_INVALID_VALUE);
	}
	x->event = EXEC_EVENT(EXEC_YIELD);
}

EXEC_BUILTIN(rt_launch)
{
	LANES_EACH (l, x->mask) {
		const struct rt_call c = {x, i, l, 6};
		const uint64_t given = rt_arg(&c, 1);
		struct header h = {.function = UINT32_MAX};
		uint64_t buffer = given;
		if (!given) /* a kernel without parameters needs no buffer */
			buffer = new_buffer(x, &(struct header){.magic = HEADER_MAGIC});
		bool ok = buffer && read_header(&c, buffer, &h);
		h.function = kernel_at(x, rt_arg(&c, 0));
		rt_struct(&c, 2, h.grid, sizeof h.grid);
		rt_struct(&c, 3, h.block, sizeof h.block);
		h.shared = (uint32_t)rt_arg(&c, 4);
		ok = ok && h.function != UINT32_MAX;
		return_error(&c, ok ? launch(&c, &h, buffer, rt_arg(&c, 5)) : RT_INVALID_DEVICE_FUNCTION);
	}
	x->event = EXEC_EVENT(EXEC_YIELD);
}

/* Waits for all that the block has launched (CDP1). Down to which depth is a limit. */
EXEC_BUILTIN(cudaDeviceSynchronize)
{
	const uint64_t limit = 3;
	uint64_t depth = 0;
	x->services.query(x->services.self, EXEC_QUERY_LIMIT, &limit, &depth, sizeof depth);
	const int error = x->launch->depth < depth ? RT_SUCCESS : RT_SYNC_DEPTH;
	if (!error && rt_waits(x, EXEC_ANY_STREAM))
		return;
	LANES_EACH (l, x->mask) {
		const struct rt_call c = {x, i, l, 0};
		return_error(&c, error);
	}
}

/* ---- streams and events ---- */

static int stream_call(const struct rt_call *c, enum exec_stream_call what, uint64_t handle, uint64_t event,
		       uint64_t *out)
{
	return c->x->services.stream(c->x->services.self, what, handle, event, out);
}

/* Streams must be cudaStreamNonBlocking, events without timing. */
static int create(const struct rt_call *c, enum exec_stream_call what, uint32_t flags)
{
	uint64_t handle = 0;
	const int error = (uint32_t)rt_arg(c, 1) & flags ? stream_call(c, what, 0, 0, &handle) : RT_INVALID_VALUE;
	if (error)
		return error;
	return rt_store(c, rt_arg(c, 0), &handle, sizeof handle) ? RT_SUCCESS : RT_INVALID_VALUE;
}

RT_CALL(rt_stream_create, 2) { return create(c, EXEC_STREAM_CREATE, 1); }
RT_CALL(rt_event_create, 2) { return create(c, EXEC_EVENT_CREATE, 2); }
RT_CALL(rt_stream_destroy, 1) { return stream_call(c, EXEC_STREAM_DESTROY, rt_arg(c, 0), 0, NULL); }
RT_CALL(rt_event_destroy, 1) { return stream_call(c, EXEC_EVENT_DESTROY, 0, rt_arg(c, 0), NULL); }
RT_CALL(rt_stream_wait, 3) { return stream_call(c, EXEC_STREAM_WAIT, rt_arg(c, 0), rt_arg(c, 1), NULL); }

EXEC_BUILTIN(rt_event_record)
{
	const unsigned returns = 1, n_args = exec_arg_count(x, i) > returns ? exec_arg_count(x, i) - returns : 2;
	LANES_EACH (l, x->mask) {
		const struct rt_call c = {x, i, l, n_args};
		return_error(&c, stream_call(&c, EXEC_EVENT_RECORD, rt_arg(&c, 1), rt_arg(&c, 0), NULL));
	}
}

/* ---- graphs ---- */

/* A condition's handle is the address of its word. */
EXEC_BUILTIN(cudaGraphSetConditional)
{
	LANES_EACH (l, x->mask) {
		const struct rt_call c = {x, i, l, 2};
		const uint64_t handle = rt_arg(&c, 0);
		const uint32_t value = (uint32_t)rt_arg(&c, 1);
		if (handle % sizeof value || !rt_store(&c, handle, &value, sizeof value)) {
			builtin_bad_address(x, l, handle, "cudaGraphSetConditional of what is no condition:");
			return;
		}
	}
}

/* ---- questions ---- */

static int answer_query(const struct rt_call *c, enum exec_query what, const uint64_t arg[3], unsigned bytes)
{
	unsigned char out[256] = {0};
	const int error = c->x->services.query(c->x->services.self, what, arg, out, bytes);
	if (error)
		return error;
	return rt_store(c, rt_arg(c, 0), out, bytes) ? RT_SUCCESS : RT_INVALID_VALUE;
}

RT_CALL(rt_attribute, 3)
{
	const uint64_t arg[3] = {(uint32_t)rt_arg(c, 1)};
	return (uint32_t)rt_arg(c, 2) ? RT_INVALID_DEVICE : answer_query(c, EXEC_QUERY_ATTRIBUTE, arg, 4);
}

RT_CALL(rt_limit, 2)
{
	const uint64_t arg[3] = {(uint32_t)rt_arg(c, 1)};
	return answer_query(c, EXEC_QUERY_LIMIT, arg, 8);
}

RT_CALL(rt_function, 2)
{
	const uint64_t arg[3] = {kernel_at(c->x, rt_arg(c, 1))};
	return arg[0] == UINT32_MAX ? RT_INVALID_DEVICE_FUNCTION : answer_query(c, EXEC_QUERY_FUNCTION, arg, 144);
}

EXEC_BUILTIN(rt_occupancy)
{
	const unsigned n_args = exec_arg_count(x, i) > 5 ? 5 : 4; /* with or without flags */
	LANES_EACH (l, x->mask) {
		const struct rt_call c = {x, i, l, n_args};
		const uint64_t arg[3] = {kernel_at(x, rt_arg(&c, 1)), (uint32_t)rt_arg(&c, 2), rt_arg(&c, 3)};
		return_error(&c,
			  arg[0] == UINT32_MAX ? RT_INVALID_DEVICE_FUNCTION : answer_query(&c, EXEC_QUERY_OCCUPANCY, arg, 4));
	}
}

static int store_int(const struct rt_call *c, int32_t v)
{
	return rt_store(c, rt_arg(c, 0), &v, sizeof v) ? RT_SUCCESS : RT_INVALID_VALUE;
}

RT_CALL(rt_device, 1) { return store_int(c, 0); }
RT_CALL(rt_device_count, 1) { return store_int(c, 1); }
RT_CALL(rt_version, 1) { return store_int(c, 13000); }
RT_CALL(rt_zero, 1) { return store_int(c, 0); }
