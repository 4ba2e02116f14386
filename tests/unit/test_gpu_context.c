/* Contexts of the device: memory, streams, limits and failures are each context's own, in both modes. */
#include "stream_device.h"

static void begin_context(struct gpu *g, uint32_t context)
{
	assert_int_equal(in(g, (struct gpu_input){.kind = GPU_INPUT_CONTEXT, .of_context = {context}}), 1);
}

static uint64_t alloc_of(struct gpu *g, uint32_t context, uint64_t bytes)
{
	const int64_t a =
		in(g, (struct gpu_input){.kind = GPU_INPUT_ALLOC, .alloc = {.bytes = bytes, .name = "p", .context = context}});
	assert_true(a > 0);
	return (uint64_t)a;
}

static uint32_t word(struct gpu *g, uint64_t address)
{
	uint32_t v = 0;
	assert_true(gpu_read(g, address, &v, 4));
	return v;
}

static uint32_t drop(struct gpu *g, enum gpu_input_kind kind, uint32_t context)
{
	return (uint32_t)in(g, (struct gpu_input){.kind = kind, .of_context = {context}});
}

static void there_are_so_many(void **state)
{
	struct streams *t = *state;
	struct gpu *g = t->g;
	assert_int_equal(gpu_contexts(g), 1);
	begin_context(g, 2);
	assert_int_equal(gpu_contexts(g), 5);
	const uint32_t wrong[] = {0, 2, GPU_CONTEXTS, GPU_EVERY_CONTEXT};
	for (unsigned k = 0; k < 4; k++)
		assert_int_equal(in(g, (struct gpu_input){.kind = GPU_INPUT_CONTEXT, .of_context = {wrong[k]}}), 0);
	assert_int_equal(drop(g, GPU_INPUT_CONTEXT_KILL, 1), 0);
	assert_int_equal(drop(g, GPU_INPUT_CONTEXT_END, 2), 4);
	assert_int_equal(gpu_contexts(g), 1);
	assert_int_equal(drop(g, GPU_INPUT_CONTEXT_END, 0), 1);
	assert_int_equal(gpu_contexts(g), 1);
}

/* A default stream waits for the blocking streams of its own context alone. In performance mode kernels of two contexts have the machine in turn:
 * that of the second begins when the first has ended, though its streams are free. Behind a kernel of more than 100,000 cycles it begins earlier. */
static void in_turn(struct streams *t, uint32_t n, const char *performance)
{
	struct gpu *g = t->g;
	begin_context(g, 1);
	const uint64_t p = gpu_alloc(g, 64, "p"), q = alloc_of(g, 1, 64);
	const uint32_t zero = gpu_default_stream(1), a = stream(g, false, 0), b = stream_of(g, 1, false, 0);
	kernel(g, "work", a, 1, p, n);
	host(g, zero, 1); /* doesn't wait for a */
	host(g, b, 2);
	host(g, 0, 3);
	kernel_of(g, 1, "work", b, 1, q, 10);
	host(g, zero, 4); /* waits for that */
	assert_true(gpu_context_has_work(g, 0) && gpu_context_has_work(g, 1));
	run_all(t);
	log_is(t, t->performance ? performance : "1000 1 2 3 1001 4");
	assert_int_equal(word(g, q), 10);
	assert_false(gpu_context_has_work(g, 0) || gpu_context_has_work(g, 1));
}

static void default_streams(void **state) { in_turn(*state, 1000, "1 2 1000 3 1001 4"); }
static void long_kernel(void **state) { in_turn(*state, 10000, "1 2 1001 4 1000 3"); }

/* A kernel that holds all of the machine for long lets one of another context in between two of its blocks: in functional mode after 2^25 instructions (3 for each
 * round), in performance mode after 100,000 cycles, when a core has finished the blocks that it has. */
static void between_blocks(void **state)
{
	struct streams *t = *state;
	struct gpu *g = t->g;
	begin_context(g, 1);
	const uint64_t p = gpu_alloc(g, 4096, "p"), q = alloc_of(g, 1, 64);
	kernel(g, "work", 0, t->performance ? 300 : 24, p, t->performance ? 3000 : 500000);
	kernel_of(g, 1, "work", gpu_default_stream(1), 3, q, 10);
	struct gpu_request r = {.max_cycles = UINT64_MAX};
	struct gpu_event ev;
	struct gpu_launch_info first;
	gpu_run(g, &r, &ev);
	text_free(&ev.text);
	assert_true(ev.kind == GPU_EVENT_KERNEL_DONE && ev.launch == 1);
	assert_true(gpu_launch_get(g, 0, &first) && first.ctas_started < first.launch.n_ctas); /* so it wasn't just its end that left room */
	run_all(t);
	for (uint64_t k = 0; k < 3; k++)
		assert_int_equal(word(g, q + 4 * k), 10);
}

/* Who waits on the machine for what another context does gets it, though that has to come beside it. */
static void spinning_for_another(void **state)
{
	struct streams *t = *state;
	struct gpu *g = t->g;
	begin_context(g, 1);
	const uint64_t p = gpu_alloc(g, 64, "p");
	assert_int_equal(in(g, (struct gpu_input){.kind = GPU_INPUT_SHARE, .share = {p, 1, true}}), 1);
	kernel(g, "poll", 0, 1, p, 10);
	kernel_of(g, 1, "work", gpu_default_stream(1), 1, p, 10);
	run_all(t);
	assert_int_equal(t->happened.n, 2);
}

static enum gpu_event_kind fault_of(struct gpu *g, struct gpu_event *ev)
{
	struct gpu_request r = {.max_cycles = UINT64_MAX};
	do
		gpu_run(g, &r, ev);
	while (ev->kind == GPU_EVENT_KERNEL_DONE);
	text_free(&ev->text);
	return ev->kind;
}

/* Memory is whose it is; shared, it is both's. */
static void memory_of_another(void **state)
{
	struct streams *t = *state;
	struct gpu *g = t->g;
	struct gpu_event ev;
	begin_context(g, 1);
	const uint64_t q = alloc_of(g, 1, 64);
	const uint32_t zero = gpu_default_stream(1);
	kernel_of(g, 1, "work", zero, 1, q, 7); /* the same instruction finds it first */
	kernel(g, "work", 0, 1, q, 8);
	kernel_of(g, 1, "work", zero, 1, q, 9);
	assert_int_equal(fault_of(g, &ev), GPU_EVENT_FAULT);
	assert_int_equal(ev.launch, 1);
	assert_int_equal(gpu_exec(g)->fault.kind, EXEC_FAULT_ILLEGAL_ADDRESS);
	assert_int_equal(word(g, q), 7);
	/* the other one goes on */
	assert_int_equal(drop(g, GPU_INPUT_CONTEXT_KILL, 0), 1);
	run_all(t);
	log_is(t, "1002");
	assert_int_equal(word(g, q), 9);
	struct gpu_input share = {.kind = GPU_INPUT_SHARE, .share = {q, 0, true}};
	assert_int_equal(in(g, share), 1);
	kernel(g, "work", 0, 1, q, 11);
	run_all(t);
	assert_int_equal(word(g, q), 11);
	share.share.on = false;
	assert_int_equal(in(g, share), 1);
	kernel(g, "work", 0, 1, q, 12);
	assert_int_equal(fault_of(g, &ev), GPU_EVENT_FAULT);
	share.share.address++;
	assert_int_equal(in(g, share), 0);
}

/* Ended in the middle: nothing of it is left, and the others don't notice. */
static void the_end_of_one(void **state)
{
	struct streams *t = *state;
	struct gpu *g = t->g;
	begin_context(g, 1);
	begin_context(g, 2);
	const uint64_t p = gpu_alloc(g, 64, "p"), q = alloc_of(g, 1, 64);
	const uint32_t a = stream(g, true, 0), b = stream_of(g, 1, true, 0);
	const int64_t e = in(g, (struct gpu_input){.kind = GPU_INPUT_EVENT, .of_context = {1}});
	struct gpu_stream_info info;
	struct gpu_stream_event_info event;
	kernel_of(g, 1, "work", gpu_default_stream(1), 4, q, 100000);
	kernel_of(g, 1, "work", b, 4, q, 100000);
	host(g, gpu_default_stream(1), 1);
	kernel(g, "work", a, 1, p, 10);
	record(g, b, (uint32_t)e);
	host(g, a, 2);
	assert_int_equal(run(t, NULL, 100), GPU_EVENT_CYCLES);
	assert_int_equal(gpu_contexts_running(g), 2);
	assert_int_equal(drop(g, GPU_INPUT_CONTEXT_END, 1), 2);
	assert_false(gpu_stream_get(g, b, &info) || gpu_stream_get(g, gpu_default_stream(1), &info) ||
		     gpu_stream_event_get(g, (uint32_t)e, &event));
	run_all(t);
	log_is(t, "1002 2");
	assert_int_equal(word(g, p), 10);
	struct gpu_launch_info launch;
	assert_true(gpu_launch_get(g, 0, &launch) && launch.state == GPU_LAUNCH_KILLED);
	assert_true(gpu_launch_get(g, 1, &launch) && launch.state == GPU_LAUNCH_KILLED);
	begin_context(g, 1);
	kernel_of(g, 1, "work", gpu_default_stream(1), 1, q, 5);
	run_all(t);
	assert_int_equal(word(g, q), 5);
}

/* Functional mode: kernels of two contexts that spin are both on the device; one is dropped, the other goes on. */
static void dropped_beside_another(void **state)
{
	struct streams *t = *state;
	struct gpu *g = t->g;
	begin_context(g, 1);
	const uint64_t p = gpu_alloc(g, 64, "p"), q = alloc_of(g, 1, 64);
	const uint32_t v = 10;
	kernel(g, "poll", 0, 2, p, v);
	kernel_of(g, 1, "poll", gpu_default_stream(1), 2, q, v);
	assert_int_equal(run(t, NULL, UINT64_MAX), GPU_EVENT_DEADLOCK);
	assert_int_equal(gpu_contexts_running(g), 3);
	assert_int_equal(drop(g, GPU_INPUT_CONTEXT_KILL, 0), 1);
	assert_int_equal(gpu_contexts_running(g), 2);
	assert_true(gpu_write(g, q, &v, 4));
	run_all(t);
	log_is(t, "1001");
}

static void limits(void **state)
{
	struct streams *t = *state;
	struct gpu *g = t->g;
	begin_context(g, 1);
	struct gpu_input set = {.kind = GPU_INPUT_LIMIT, .limit = {1, GPU_LIMIT_MALLOC_HEAP, 4096}};
	assert_int_equal(in(g, set), 1);
	assert_int_equal(gpu_get_limit(g, 1, GPU_LIMIT_MALLOC_HEAP), 4096);
	assert_int_equal(gpu_get_limit(g, 0, GPU_LIMIT_MALLOC_HEAP), 8 << 20);
	set.limit.context = GPU_EVERY_CONTEXT;
	set.limit.value = 8192;
	assert_int_equal(in(g, set), 1);
	begin_context(g, 3);
	for (uint32_t k = 0; k < 4; k++)
		assert_int_equal(gpu_get_limit(g, k, GPU_LIMIT_MALLOC_HEAP), 8192);
	set.limit.context = 0;
	set.limit.value = 100;
	assert_int_equal(in(g, set), 1);
	drop(g, GPU_INPUT_CONTEXT_END, 0);
	assert_int_equal(gpu_get_limit(g, 0, GPU_LIMIT_MALLOC_HEAP), 8192);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FUNCTIONAL(there_are_so_many),
		BOTH_MODES(default_streams),
		BOTH_MODES(long_kernel),
		BOTH_MODES(between_blocks),
		BOTH_MODES(spinning_for_another),
		BOTH_MODES(memory_of_another),
		BOTH_MODES(the_end_of_one),
		FUNCTIONAL(dropped_beside_another),
		FUNCTIONAL(limits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
