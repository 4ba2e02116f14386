/* Streams of the device: order, what waits for what by CUDA's rules, events, operations of the host, kernels of several streams at once. */
#include "stream_device.h"

/* ---- order ---- */

static void within_a_stream(void **state)
{
	struct streams *t = *state;
	struct gpu *g = t->g;
	const uint64_t p = gpu_alloc(g, 64, "p");
	const uint32_t s = stream(g, true, 0);
	host(g, s, 1);
	assert_int_equal(kernel(g, "work", s, 2, p, 10), 0);
	host(g, s, 2);
	host(g, s, 3);
	assert_int_equal(kernel(g, "work", s, 2, p, 20), 1);
	host(g, s, 4);
	run_all(t);
	log_is(t, "1 1000 2 3 1001 4");
}

/* CUDA: an operation in the default stream waits for all blocking streams, those behind it wait for it; others don't care. */
static void the_default_stream(void **state)
{
	struct streams *t = *state;
	struct gpu *g = t->g;
	const uint64_t p = gpu_alloc(g, 64, "p");
	const uint32_t a = stream(g, false, 0), b = stream(g, false, 0);
	kernel(g, "work", b, 1, p, 500);
	host(g, b, 1);
	kernel(g, "work", a, 1, p, 10);
	host(g, a, 2);
	host(g, 0, 3);
	kernel(g, "work", 0, 1, p, 200);
	host(g, a, 4);
	host(g, b, 5);
	host(g, 0, 6);
	run_all(t);
	/* 3 comes after 1 and 2, 4 and 5 after the third kernel, 6 after them */
	log_is(t, t->performance ? "1001 2 1000 1 3 1002 4 5 6" : "1000 1 1001 2 3 1002 4 5 6");
}

static void non_blocking_streams(void **state)
{
	struct streams *t = *state;
	struct gpu *g = t->g;
	const uint64_t p = gpu_alloc(g, 64, "p");
	const uint32_t a = stream(g, true, 0), b = stream(g, false, 0);
	kernel(g, "work", 0, 1, p, 500);
	host(g, b, 1);
	host(g, a, 2);
	kernel(g, "work", a, 1, p, 10);
	host(g, a, 3);
	run_all(t);
	log_is(t, "2 1001 3 1000 1");
}

static void priorities(void **state)
{
	struct streams *t = *state;
	struct gpu *g = t->g;
	const uint32_t low = stream(g, true, 0), high = stream(g, true, -5);
	for (uint64_t k = 1; k < 4; k++) {
		host(g, low, k);
		host(g, high, 10 + k);
	}
	run_all(t);
	log_is(t, "11 12 13 1 2 3");
}

/* ---- events ---- */

static void waiting_for_an_event(void **state)
{
	struct streams *t = *state;
	struct gpu *g = t->g;
	const uint64_t p = gpu_alloc(g, 64, "p");
	const uint32_t a = stream(g, true, 0), b = stream(g, true, 0), e = event(g);
	wait_for(g, a, e); /* never recorded: nothing to wait for */
	host(g, a, 1);
	kernel(g, "work", b, 1, p, 300);
	record(g, b, e);
	wait_for(g, a, e);
	/* recorded again: who waits already, waits for what it was; and it may go before that is done */
	kernel(g, "work", b, 1, p, 300);
	record(g, b, e);
	assert_int_equal(in(g, (struct gpu_input){.kind = GPU_INPUT_EVENT_DESTROY, .numbered = {e}}), 1);
	host(g, a, 2);
	host(g, b, 3);
	run_all(t);
	log_is(t, t->performance ? "1 1000 2 1001 3" : "1 1000 1001 2 3");
	assert_int_equal(queue(g, (struct gpu_operation_spec){.kind = GPU_OPERATION_RECORD, .stream = a, .event = e}),
			 0);
}

static void times_of_events(void **state)
{
	struct streams *t = *state;
	struct gpu *g = t->g;
	const uint64_t p = gpu_alloc(g, 64, "p");
	const uint32_t a = stream(g, false, 0), first = event(g), last = event(g);
	struct gpu_stream_event_info i, j;
	assert_true(gpu_stream_event_get(g, first, &i));
	assert_true(!i.recorded && i.complete);
	record(g, a, first);
	assert_true(gpu_stream_event_get(g, first, &i));
	assert_true(i.recorded && i.complete); /* nothing is before it */
	kernel(g, "work", a, 15, p, 100);
	record(g, a, last);
	run_all(t);
	assert_true(gpu_stream_event_get(g, first, &i) && gpu_stream_event_get(g, last, &j));
	assert_true(i.complete && j.complete);
	struct gpu_stats n;
	gpu_get_stats(g, &n);
	assert_int_equal(j.cycle - i.cycle, n.sim_cycle);
}

/* What a run waits for: it ends there, and at most its own cycles are over. */
static void reaching_a_point(void **state)
{
	struct streams *t = *state;
	struct gpu *g = t->g;
	const uint64_t p = gpu_alloc(g, 64, "p");
	const uint32_t a = stream(g, true, 0), b = stream(g, true, 0);
	kernel(g, "work", a, 1, p, 100);
	host(g, a, 1);
	struct gpu_stream_info info;
	assert_true(gpu_stream_get(g, a, &info));
	assert_int_equal(info.n_operations, 2);
	kernel(g, "work", b, 1, p, 100000);
	const struct gpu_point until = {a, info.last};
	assert_false(gpu_point_reached(g, until));
	assert_int_equal(run(t, &until, 50), GPU_EVENT_CYCLES);
	assert_int_equal(run(t, &until, UINT64_MAX), GPU_EVENT_HOST);
	assert_true(gpu_point_reached(g, until));
	log_is(t, "1000 1");
	assert_true(gpu_has_work(g));
	run_all(t);
	log_is(t, "1000 1 1001");
}

/* ---- the end of streams ---- */

static void destroyed_streams(void **state)
{
	struct streams *t = *state;
	struct gpu *g = t->g;
	const uint32_t a = stream(g, true, 0);
	uint32_t left[4];
	host(g, a, 1);
	host(g, a, 2);
	assert_int_equal(in(g, (struct gpu_input){.kind = GPU_INPUT_STREAM_DESTROY, .numbered = {a}}), 1);
	assert_int_equal(in(g, (struct gpu_input){.kind = GPU_INPUT_STREAM_DESTROY, .numbered = {a}}), 0);
	assert_int_equal(queue(g, (struct gpu_operation_spec){.stream = a}), 0);
	run_all(t);
	log_is(t, "1 2");
	assert_int_equal(gpu_stream_list(g, left, 4), 0);
	/* a number is never given twice */
	assert_int_equal(stream(g, true, 0), a + 1);
	/* killed: nothing is done, everything counts as done */
	const uint32_t b = stream(g, true, 0), e = event(g);
	host(g, b, 3);
	record(g, b, e);
	in(g, (struct gpu_input){.kind = GPU_INPUT_KILL});
	run_all(t);
	log_is(t, "1 2");
	struct gpu_stream_event_info i;
	assert_true(gpu_stream_event_get(g, e, &i) && i.complete);
}

static void poll(struct gpu *g, uint32_t s, uint64_t address, uint64_t value, enum gpu_poll_how how)
{
	assert_true(queue(g, (struct gpu_operation_spec){
				     .kind = GPU_OPERATION_POLL, .stream = s, .poll = {address, value, 4, how}}));
}

/* A stream waits for a word that another stream's kernel stores, the second one; in performance mode it goes on before that kernel ends. */
static void waits_for_memory(void **state)
{
	struct streams *t = *state;
	struct gpu *g = t->g;
	const uint64_t p = gpu_alloc(g, 64, "p");
	const uint32_t zero[16] = {0}, nine = 9, a = stream(g, true, 0), b = stream(g, true, 0);
	gpu_write(g, p, zero, sizeof zero);
	poll(g, a, p, 5, GPU_POLL_GEQ);
	host(g, a, 1);
	kernel(g, "work", b, 1, p, 3);
	host(g, b, 2);
	kernel(g, "work", b, 1, p, 5);
	host(g, b, 3);
	run_all(t);
	log_is(t, t->performance ? "1000 2 1 1001 3" : "1000 2 1001 1 3");
	/* nobody writes it, until the host does */
	poll(g, a, p + 8, 9, GPU_POLL_EQ);
	host(g, a, 4);
	host(g, b, 5);
	assert_int_equal(run(t, NULL, UINT64_MAX), GPU_EVENT_DEADLOCK);
	assert_true(gpu_has_work(g));
	in(g, (struct gpu_input){.kind = GPU_INPUT_WRITE, .copy = {.address = p + 8, .n = 4, .data = &nine}});
	run_all(t);
	log_is(t, t->performance ? "1000 2 1 1001 3 5 4" : "1000 2 1001 1 3 5 4");
	/* killed */
	poll(g, a, p + 8, 10, GPU_POLL_EQ);
	in(g, (struct gpu_input){.kind = GPU_INPUT_KILL});
	assert_false(gpu_has_work(g));
}

static void what_makes_no_sense(void **state)
{
	struct streams *t = *state;
	struct gpu *g = t->g;
	assert_int_equal(queue(g, (struct gpu_operation_spec){.kind = GPU_OPERATION_LAUNCH}), 0);
	assert_int_equal(queue(g, (struct gpu_operation_spec){.kind = GPU_OPERATION_RECORD}), 0);
	assert_int_equal(queue(g, (struct gpu_operation_spec){.kind = GPU_OPERATION_RECORD, .event = 1}), 0);
	assert_int_equal(queue(g, (struct gpu_operation_spec){.kind = GPU_OPERATION_HOST, .stream = 7}), 0);
	assert_int_equal(queue(g, (struct gpu_operation_spec){.kind = GPU_OPERATION_WAIT, .after = {0, 1}}), 0);
	assert_int_equal(queue(g, (struct gpu_operation_spec){.kind = GPU_OPERATION_KINDS}), 0);
	assert_int_equal(queue(g, (struct gpu_operation_spec){.kind = GPU_OPERATION_POLL, .poll = {.address = 256}}),
			 0);
	assert_int_equal(
		queue(g, (struct gpu_operation_spec){.kind = GPU_OPERATION_POLL, .poll = {260, 1, 8, GPU_POLL_EQ}}), 0);
	assert_int_equal(
		queue(g, (struct gpu_operation_spec){.kind = GPU_OPERATION_POLL, .poll = {256, 1, 4, GPU_POLL_HOWS}}),
		0);
	assert_int_equal(
		queue(g, (struct gpu_operation_spec){.kind = GPU_OPERATION_TRANSFER, .transfer = {GPU_ENGINES, 1}}), 0);
	assert_int_equal(in(g, (struct gpu_input){.kind = GPU_INPUT_STREAM_DESTROY}), 0);
	assert_int_equal(in(g, (struct gpu_input){.kind = GPU_INPUT_DONE}), 0);
	assert_false(gpu_has_work(g));
}

/* ---- kernels of several streams ---- */

/* Cycles until two kernels of `blocks` CTAs are done, in two streams or in one. */
static uint64_t two_kernels(const char *option, bool together, uint32_t blocks)
{
	struct streams t;
	streams_begin(&t, true, option);
	struct gpu *g = t.g;
	const uint64_t p = gpu_alloc(g, 256, "p");
	const uint32_t a = stream(g, false, 0), b = stream(g, false, 0);
	kernel(g, "work", a, blocks, p, 400);
	kernel(g, "work", together ? b : a, blocks, p, 400);
	run_all(&t);
	const uint64_t cycles = gpu_cycle(g);
	streams_end(&t);
	return cycles;
}

/* Half the machine's cores each: together they take the time of one; with one kernel slot, or in one stream, that of two. */
static void kernels_overlap(void **state)
{
	(void)state;
	const uint64_t apart = two_kernels("", false, 7), together = two_kernels("", true, 7);
	assert_true(together * 10 > apart * 4 && together * 10 < apart * 6);
	assert_int_equal(two_kernels("-gpgpu_max_concurrent_kernel 1", true, 7), apart);
}

/* A kernel that waits for what the host, or a kernel of another stream, writes. */
static void a_kernel_polls(void **state)
{
	struct streams *t = *state;
	struct gpu *g = t->g;
	const uint64_t p = gpu_alloc(g, 64, "p");
	const uint32_t zero = 0;
	gpu_write(g, p, &zero, 4);
	const uint32_t a = stream(g, true, 0), b = stream(g, true, 0);
	kernel(g, "poll", a, 1, p, 77);
	kernel(g, "work", b, 1, p, 77);
	run_all(t);
	log_is(t, "1000 1001"); /* a store is under way for longer than what it wrote can be seen */
}

static uint64_t transfer(struct gpu *g, uint32_t s, unsigned engine, uint64_t bytes)
{
	return queue(g, (struct gpu_operation_spec){.kind = GPU_OPERATION_TRANSFER,
						    .stream = s,
						    .transfer = {(enum gpu_engine)engine, bytes}});
}

/* The same calls: the same machine, to the last bit; also cut into pieces. */
static void runs_are_repeated(void **state)
{
	(void)state;
	uint64_t digest = 0;
	for (unsigned times = 0; times < 3; times++) {
		struct streams t;
		streams_begin(&t, true, "");
		struct gpu *g = t.g;
		const uint64_t p = gpu_alloc(g, 256, "p");
		const uint32_t s[] = {stream(g, false, 0), stream(g, true, -1), stream(g, true, 0), 0}, e = event(g);
		for (uint32_t k = 0; k < 12; k++) {
			kernel(g, "work", s[k % 4], 1 + k % 5, p, 20 + k * 7);
			if (k % 3 == 1)
				record(g, s[k % 4], e);
			if (k % 3 == 2)
				wait_for(g, s[k % 4], e);
			transfer(g, s[k % 4], k % GPU_ENGINES, 100 + k * 1000);
			host(g, s[k % 4], k);
		}
		while (times == 2 && run(&t, NULL, 13) == GPU_EVENT_CYCLES)
			;
		run_all(&t);
		const uint64_t d = arena_digest(gpu_arena(g));
		if (!times)
			digest = d;
		assert_int_equal(d, digest);
		streams_end(&t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH_MODES(within_a_stream),	     BOTH_MODES(the_default_stream),
		PERFORMANCE(non_blocking_streams),   PERFORMANCE(priorities),
		BOTH_MODES(waiting_for_an_event),    PERFORMANCE(times_of_events),
		BOTH_MODES(reaching_a_point),	     FUNCTIONAL(destroyed_streams),
		BOTH_MODES(waits_for_memory),	     FUNCTIONAL(what_makes_no_sense),
		cmocka_unit_test(kernels_overlap),   PERFORMANCE(a_kernel_polls),
		cmocka_unit_test(runs_are_repeated),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
