/* Launches by kernels (CUDA Dynamic Parallelism): which of them waits for what, and what the device runtime asks of the device.
 *
 * Those that can't run yet are in a list in the order in which they were launched. A launch waits for the one before it in its stream, and
 * for events its stream waits for; a tail launch for its parent's blocks, its parent's other launches and the tail launches before it. A
 * block has a stream of its own (stream 0). In functional mode a launch runs at once, before the thread that made it continues. */
#include <string.h>

#include "base/toolkit.h"
#include "gpu/device/valid_internal.h"
#include "gpu/launch/launch.h"
#include "gpu/launch/properties.h"
#include "gpu/memory/memory.h"

/* CUDA's errors */
enum {
	INVALID_VALUE = 1,
	INVALID_CONFIGURATION = 9,
	INVALID_HANDLE = 400,
	MAX_DEPTH = 65,
	PENDING_COUNT = 69,
	OUT_OF_RESOURCES = 701
};

/* Streams that need not be created; cuda_device_runtime_api.h */
enum { STREAM_BLOCK = 0, STREAM_LEGACY = 1, STREAM_PER_THREAD = 2, STREAM_TAIL = 3, STREAM_FIRE_AND_FORGET = 4 };

/* ---- streams and events of kernels ---- */

/* A stream or an event; its place in the section, counted from 1, is what its handle is made of. */
struct device_stream {
	uint32_t kind; /* 0: free */
	uint32_t next; /* free one: counted from 1 */
	uint32_t last; /* 1 + id of its last launch, or of what the event stands for; 0: none */
	uint32_t wait; /* stream: likewise, of the event it waits for */
};
enum { KIND_FREE, KIND_STREAM, KIND_EVENT };
#define HANDLE_STEP 16u

bool gpu_add_device_streams(struct gpu *g)
{
	g->sec_device_stream = arena_add(&g->arena, "device-stream", ARENA_HOT, g->limits->device_streams);
	return g->sec_device_stream >= 0;
}

static struct device_stream *place_of(const struct gpu *g, uint32_t k)
{
	return (struct device_stream *)arena_at(&g->arena, g->sec_device_stream, 0) + (k - 1);
}

static struct device_stream *stream_of(const struct gpu *g, uint64_t handle, uint32_t kind)
{
	const uint64_t k = handle / HANDLE_STEP;
	if (!k || handle % HANDLE_STEP || k > gpu_state(g)->n_device_streams)
		return NULL;
	struct device_stream *s = place_of(g, (uint32_t)k);
	return s->kind == kind ? s : NULL;
}

static int create(struct gpu *g, uint32_t kind, uint64_t *handle)
{
	struct gpu_state *s = gpu_state(g);
	uint32_t k = s->free_device_stream;
	if (k) {
		s->free_device_stream = place_of(g, k)->next;
	} else {
		k = s->n_device_streams + 1;
		if (!arena_use(&g->arena, g->sec_device_stream, k * sizeof(struct device_stream)))
			return OUT_OF_RESOURCES;
		s->n_device_streams = k;
	}
	*place_of(g, k) = (struct device_stream){.kind = kind};
	*handle = (uint64_t)k * HANDLE_STEP;
	return 0;
}

static int destroy(struct gpu *g, uint64_t handle, uint32_t kind)
{
	struct device_stream *s = stream_of(g, handle, kind);
	if (!s)
		return INVALID_HANDLE;
	*s = (struct device_stream){.next = gpu_state(g)->free_device_stream};
	gpu_state(g)->free_device_stream = (uint32_t)(handle / HANDLE_STEP);
	return 0;
}

static bool is_blocks_own(uint64_t handle) { return handle <= STREAM_PER_THREAD; }

/* Where a stream keeps its last launch; NULL: it is no stream that has an order. */
static uint32_t *last_of(struct gpu *g, uint64_t handle)
{
	if (is_blocks_own(handle))
		return &g->exec.cta->last_child;
	struct device_stream *s = stream_of(g, handle, KIND_STREAM);
	return s ? &s->last : NULL;
}

static int stream_call(void *self, enum exec_stream_call what, uint64_t handle, uint64_t event, uint64_t *out)
{
	struct gpu *g = self;
	struct device_stream *e = event ? stream_of(g, event, KIND_EVENT) : NULL,
			     *s = stream_of(g, handle, KIND_STREAM);
	const uint32_t *last;
	switch (what) {
	case EXEC_STREAM_CREATE: return create(g, KIND_STREAM, out);
	case EXEC_EVENT_CREATE: return create(g, KIND_EVENT, out);
	case EXEC_STREAM_DESTROY: return destroy(g, handle, KIND_STREAM);
	case EXEC_EVENT_DESTROY: return destroy(g, event, KIND_EVENT);
	case EXEC_EVENT_RECORD:
		last = last_of(g, handle);
		if (!e || !last)
			return INVALID_HANDLE;
		e->last = *last;
		return 0;
	case EXEC_STREAM_WAIT:
		if (!e || (!s && !is_blocks_own(handle)))
			return INVALID_HANDLE;
		if (s)
			s->wait = e->last;
		else if (e->last > g->exec.cta->last_child)
			g->exec.cta->last_child = e->last; /* the later of the two */
		return 0;
	}
	return INVALID_VALUE;
}

/* ---- those that wait ---- */

static bool is_done(const struct gpu *g, uint32_t launch)
{
	return !launch || gpu_launch_at(g, launch - 1)->state == GPU_LAUNCH_DONE;
}

static bool is_ready(const struct gpu *g, const struct gpu_launch_info *l)
{
	const struct gpu_launch_info *parent = gpu_launch_at(g, l->parent - 1);
	if (!is_done(g, l->after[0]) || !is_done(g, l->after[1]))
		return false;
	return !l->tail || (gpu_blocks_are_done(parent) && parent->n_children == parent->n_tails);
}

uint32_t gpu_child_waits_for(const struct gpu *g, const struct gpu_launch_info *l)
{
	return !is_done(g, l->after[0]) ? l->after[0] : !is_done(g, l->after[1]) ? l->after[1] : 0;
}

/* The first that is ready; *before: the one in front of it, 0: none. */
static uint32_t first_ready(const struct gpu *g, uint32_t parent, uint32_t *before)
{
	*before = 0;
	for (uint32_t k = gpu_state(g)->first_child; k; *before = k, k = gpu_launch_at(g, k - 1)->next_child) {
		const struct gpu_launch_info *l = gpu_launch_at(g, k - 1);
		if ((parent == GPU_NONE || l->parent == parent + 1) && is_ready(g, l))
			return k;
	}
	return 0;
}

bool gpu_has_ready_child(const struct gpu *g, uint32_t parent)
{
	uint32_t before;
	return gpu_state(g)->first_child && first_ready(g, parent, &before);
}

uint32_t gpu_next_child(struct gpu *g, uint32_t parent)
{
	struct gpu_state *s = gpu_state(g);
	uint32_t before;
	const uint32_t k = first_ready(g, parent, &before);
	if (!k)
		return GPU_NONE;
	const uint32_t next = gpu_launch_at(g, k - 1)->next_child;
	if (before)
		gpu_launch_at(g, before - 1)->next_child = next;
	else
		s->first_child = next;
	if (s->last_child == k)
		s->last_child = before;
	return k - 1;
}

void gpu_remove_killed_children(struct gpu *g)
{
	struct gpu_state *s = gpu_state(g);
	uint32_t last = 0, next = 0;
	for (uint32_t k = s->first_child; k; k = next) {
		struct gpu_launch_info *l = gpu_launch_at(g, k - 1);
		next = l->next_child;
		if (l->state == GPU_LAUNCH_KILLED)
			continue;
		*(last ? &gpu_launch_at(g, last - 1)->next_child : &s->first_child) = k;
		last = k;
	}
	*(last ? &gpu_launch_at(g, last - 1)->next_child : &s->first_child) = 0;
	s->last_child = last;
}

void gpu_end_child(struct gpu *g, struct gpu_launch_info *l)
{
	struct gpu_launch_info *parent = gpu_launch_at(g, l->parent - 1);
	parent->n_children--;
	parent->n_tails -= l->tail;
	gpu_state(g)->n_children--;
	gpu_state(g)->children_changed = true;
}

/* ---- launching ---- */

static void order(struct gpu *g, const struct exec_child *c, struct gpu_launch_info *l)
{
	struct gpu_launch_info *parent = gpu_launch_at(g, l->parent - 1);
	const uint32_t me = l->launch.id + 1;
	uint32_t *last = c->stream == STREAM_TAIL ? &parent->last_tail : last_of(g, c->stream);
	if (c->stream == STREAM_FIRE_AND_FORGET)
		return;
	l->tail = c->stream == STREAM_TAIL;
	l->after[0] = *last;
	*last = me;
	if (is_blocks_own(c->stream) || l->tail)
		return;
	struct device_stream *s = stream_of(g, c->stream, KIND_STREAM);
	l->after[1] = s->wait;
	s->wait = 0;
}

static void append(struct gpu *g, struct gpu_launch_info *l)
{
	struct gpu_state *s = gpu_state(g);
	if (s->last_child)
		gpu_launch_at(g, s->last_child - 1)->next_child = l->launch.id + 1;
	else
		s->first_child = l->launch.id + 1;
	s->last_child = l->launch.id + 1;
	s->n_children++;
	s->children_changed = true;
}

/* Returns true if an instruction was made from a header of the toolkit. */
static bool is_toolkit(const struct isa_program *p, uint32_t pc)
{
	return p->where[pc].loc < p->n_locs && toolkit_is_header(p->files[p->locs[p->where[pc].loc].file].name);
}

/* Returns the call that launches: of code compiled without optimisation the one around the toolkit's own functions. */
static uint32_t launching_pc(const struct exec *x)
{
	const struct exec_simt *const first = exec_simt_top(x, x->warp) - (x->warp->n_simt - 1), *e = x->top;
	uint32_t pc = x->pc;
	while (e->call_depth && is_toolkit(x->program, pc)) {
		const uint32_t depth = e->call_depth;
		pc = e->return_pc;
		while (e > first && e->call_depth >= depth)
			e--;
		if (e->call_depth >= depth)
			break;
	}
	return is_toolkit(x->program, pc) ? x->pc : pc;
}

static int queue(struct gpu *g, const struct exec_child *c, const struct gpu_launch_spec *spec)
{
	const struct exec *x = &g->exec;
	const uint32_t parent_id = x->cta->launch;
	struct text why = {0};
	const bool fits = gpu_launch_fits(g, spec, &why);
	const int64_t id = fits ? gpu_add_launch(g, spec, false, &why) : -1;
	text_free(&why);
	if (id < 0)
		return fits ? OUT_OF_RESOURCES : INVALID_CONFIGURATION;
	struct gpu_launch_info *l = gpu_launch_at(g, (uint32_t)id), *parent = gpu_launch_at(g, parent_id);
	l->parent = parent_id + 1;
	l->launch.depth = parent->launch.depth + 1;
	l->parent_uid = parent->launch.first_uid + x->cta->linear * parent->launch.threads_per_cta +
			exec_thread_of(x, x->warp->index, c->lane);
	l->parent_pc = launching_pc(x);
	order(g, c, l);
	parent->n_children++;
	parent->n_tails += l->tail;
	append(g, l);
	return 0;
}

static int launch(void *self, const struct exec_child *c)
{
	struct gpu *g = self;
	const struct gpu_state *s = gpu_state(g);
	struct gpu_launch_info *parent = gpu_launch_at(g, g->exec.cta->launch);
	struct gpu_launch_spec spec = {.function = c->function,
				       .shared_dynamic = c->shared,
				       .context = parent->launch.context,
				       .stream = parent->launch.stream,
				       .params = c->params,
				       .n_params = c->n_params,
				       .mode = parent->performance ? GPU_MODE_PERFORMANCE : GPU_MODE_FUNCTIONAL};
	memcpy(spec.grid, c->grid, sizeof spec.grid);
	memcpy(spec.block, c->block, sizeof spec.block);
	if (parent->launch.depth >= GPU_LAUNCH_DEPTH)
		return MAX_DEPTH;
	if (s->n_children >= gpu_get_limit(g, spec.context, GPU_LIMIT_PENDING_LAUNCHES))
		return PENDING_COUNT;
	if (c->stream > STREAM_FIRE_AND_FORGET && !stream_of(g, c->stream, KIND_STREAM))
		return INVALID_HANDLE;
	return queue(g, c, &spec);
}

static bool has_children(void *self, uint64_t stream)
{
	struct gpu *g = self;
	const struct exec_cta *cta = g->exec.cta;
	const struct gpu_launch_info *parent = gpu_launch_at(g, cta->launch);
	if (stream != EXEC_ANY_STREAM) {
		const uint32_t *last = last_of(g, stream);
		return last && !is_done(g, *last);
	}
	if (parent->n_children == parent->n_tails)
		return false;
	const uint64_t first = parent->launch.first_uid + cta->linear * parent->launch.threads_per_cta;
	for (uint32_t k = cta->launch + 1; k < gpu_state(g)->n_launches; k++) {
		const struct gpu_launch_info *l = gpu_launch_at(g, k);
		if (l->parent == cta->launch + 1 && !l->tail &&
		    l->parent_uid - first < parent->launch.threads_per_cta && l->state != GPU_LAUNCH_DONE)
			return true;
	}
	return false;
}

/* ---- questions ---- */

static int query(void *self, enum exec_query what, const uint64_t arg[3], void *out, size_t n)
{
	const struct gpu *g = self;
	int32_t v = 0;
	switch (what) {
	case EXEC_QUERY_ATTRIBUTE:
		if (!gpu_attribute(g, (uint32_t)arg[0], &v))
			return INVALID_VALUE;
		break;
	case EXEC_QUERY_OCCUPANCY: v = (int32_t)gpu_occupancy(g, (uint32_t)arg[0], arg[1], arg[2]); break;
	case EXEC_QUERY_FUNCTION: return gpu_function_attributes(g, (uint32_t)arg[0], out, n) ? 0 : INVALID_VALUE;
	case EXEC_QUERY_LIMIT:
		for (unsigned k = 0; k < GPU_LIMITS; k++)
			if (gpu_limit_row(k)->number == arg[0]) {
				memcpy(out, &gpu_state(g)->of_context[g->exec.context].limit[k], n < 8 ? n : 8);
				return 0;
			}
		return INVALID_VALUE;
	}
	memcpy(out, &v, n < sizeof v ? n : sizeof v);
	return 0;
}

static uint64_t memory(void *self, uint64_t bytes)
{
	struct gpu *g = self;
	return gpu_runtime_memory(g, g->exec.context, bytes);
}
static void give_back(void *self, uint64_t address) { gpu_runtime_free(self, address); }

void gpu_install_runtime(struct gpu *g)
{
	struct exec_services *s = &g->exec.services;
	s->launch = launch;
	s->has_children = has_children;
	s->stream = stream_call;
	s->runtime_memory = memory;
	s->runtime_free = give_back;
	s->query = query;
}

/* ---- validation ---- */

bool gpu_valid_device_streams(struct gpu_valid *v)
{
	const struct gpu *g = v->g;
	const struct gpu_state *s = gpu_state(g);
	struct valid_pool pool;
	if (s->n_device_streams > gpu_valid_entries(v, g->sec_device_stream, sizeof(struct device_stream)))
		return invalid(v->what, "how many streams of kernels there are");
	valid_pool_init(&pool, s->n_device_streams + UINT64_C(1));
	bool ok = true;
	for (uint32_t k = s->free_device_stream; ok && k; k = ok ? place_of(g, k)->next : 0)
		ok = valid_claim(&pool, k, 1) && place_of(g, k)->kind == KIND_FREE;
	for (uint32_t k = 1; ok && k <= s->n_device_streams; k++) {
		const struct device_stream *x = place_of(g, k);
		ok = x->kind <= KIND_EVENT && x->last <= s->n_launches && x->wait <= s->n_launches &&
		     (x->kind == KIND_FREE) == (pool.claimed[k] == 1);
	}
	valid_pool_free(&pool);
	return ok || invalid(v->what, "streams of kernels");
}
