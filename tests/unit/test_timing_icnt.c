/* The crossbar with the shipped settings, against cycle tables worked out by hand from the router's rules.
 *
 * One hop without contention: a flit injected in network cycle T is in the router's buffer at T + 2 and gets its output VC there,
 * wins the switch at T + 3, crosses at T + 4, is on the link until T + 6, when it comes to the boundary buffer. net_cycle(1) is
 * T = 0, so a flit injected in the first cycle can be popped after 7 cycles. */
#include "icnt_net.h"

static void zero_load_latency(void **state)
{
	(void)state;
	/* a packet of f flits, injected from T on, can be popped after cycle T + 5 + f: T = 0 is the first cycle done */
	for (uint32_t flits = 1; flits <= 5; flits++) {
		struct net t;
		uint64_t cycle;
		net_crossbar(&t, 15, 12, "");
		uint32_t r = net_send(&t, 3, 20, flits);
		assert_int_equal(net_await(&t, 20, 100, &cycle), r);
		assert_int_equal(cycle, 5 + flits + 1);
		assert_true(icnt_busy(t.icnt) == false);
		/* replies the same on their own network */
		uint64_t start = t.cycle;
		r = net_send(&t, 20, 3, flits);
		assert_int_equal(net_await(&t, 3, 200, &cycle), r);
		assert_int_equal(cycle - start, 5 + flits + 1);
		net_close(&t);
	}
}

/* Two one-flit packets for the same output, sent in the same cycle. Both are in the router at T = 2. Switch and VC allocation are
 * round robin from input 0, so input 0 gets the VC at 2. Its tail frees the VC when it wins the switch at T = 3; but the update comes
 * after VC allocation was evaluated, so input 1 gets the VC at T = 4, the switch at T = 5: two cycles later than the first. */
static void same_output_one_flit(void **state)
{
	(void)state;
	struct net t;
	uint64_t cycle;
	net_crossbar(&t, 2, 2, "");
	uint32_t a = net_send(&t, 0, 2, 1), b = net_send(&t, 1, 2, 1);
	assert_int_equal(net_await(&t, 2, 100, &cycle), a);
	assert_int_equal(cycle, 7);
	assert_int_equal(net_await(&t, 2, 100, &cycle), b);
	assert_int_equal(cycle, 9);
	/* the VC pointer stands behind input 1 now, that is at input 2: of 0 and 1, 0 comes first again (cyclic from 2) */
	uint64_t start = t.cycle;
	b = net_send(&t, 1, 2, 1);
	a = net_send(&t, 0, 2, 1);
	assert_int_equal(net_await(&t, 2, 100, &cycle), a);
	assert_int_equal(cycle - start, 7);
	assert_int_equal(net_await(&t, 2, 100, &cycle), b);
	assert_int_equal(cycle - start, 9);
	net_close(&t);
}

/* Two packets of five flits for one output: the first one's flits pass the switch at T = 3 .. 7, tail at 7 frees the VC, the second
 * head has the VC at 8 and its flits pass at 9 .. 13: tails in the boundary buffer at 10 and 16 (done cycles 11 and 17). */
static void same_output_five_flits(void **state)
{
	(void)state;
	struct net t;
	uint64_t cycle;
	net_crossbar(&t, 2, 2, "");
	uint32_t a = net_send(&t, 0, 2, 5), b = net_send(&t, 1, 2, 5);
	assert_int_equal(net_await(&t, 2, 100, &cycle), a);
	assert_int_equal(cycle, 11);
	assert_int_equal(net_await(&t, 2, 100, &cycle), b);
	assert_int_equal(cycle, 17);
	net_close(&t);
}

/* Different outputs do not meet: both as if alone. */
static void different_outputs(void **state)
{
	(void)state;
	struct net t;
	uint64_t cycle;
	net_crossbar(&t, 2, 2, "");
	net_send(&t, 0, 2, 5);
	net_send(&t, 1, 3, 5);
	net_await(&t, 2, 100, &cycle);
	assert_int_equal(cycle, 11);
	assert_int_not_equal(icnt_pop(t.icnt, 3), 0);
	net_close(&t);
}

/* One source, two packets of one flit to different outputs: injected at T = 0 and 1. The first has the VC at 2, the switch at 3. Its
 * VC then starts over with the second head (there since T = 3, in the queue): VC at 4, switch at 5, boundary at 8. */
static void back_to_back_heads(void **state)
{
	(void)state;
	struct net t;
	uint64_t cycle;
	net_crossbar(&t, 2, 2, "");
	uint32_t a = net_send(&t, 0, 2, 1), b = net_send(&t, 0, 3, 1);
	assert_int_equal(net_await(&t, 2, 100, &cycle), a);
	assert_int_equal(cycle, 7);
	assert_int_equal(net_await(&t, 3, 100, &cycle), b);
	assert_int_equal(cycle, 9);
	net_close(&t);
}

/* Nobody pops: the boundary buffer takes 16 flits, the ejection buffer 8 (the credits of the router's output), the router's input 8
 * (credits of the injection port); the input queue 9. So of one-flit packets from one source 16 + 8 + 8 leave the queue. */
static void backpressure(void **state)
{
	(void)state;
	struct net t;
	uint32_t sent = 0, got = 0;
	net_crossbar(&t, 1, 1, "");
	for (int i = 0; i < 400; i++) {
		if (icnt_has_buffer(t.icnt, 0, 32)) {
			net_send(&t, 0, 1, 1);
			sent++;
		}
		net_cycle(&t);
	}
	assert_int_equal(sent, 16 + 8 + 8 + 9);
	assert_false(icnt_has_buffer(t.icnt, 0, 8));
	assert_true(icnt_busy(t.icnt));
	assert_false(net_is_quiet(&t));
	for (int i = 0; i < 400; i++) {
		got += icnt_pop(t.icnt, 1) != 0;
		net_cycle(&t);
	}
	assert_int_equal(got, sent);
	assert_true(net_is_quiet(&t));
	net_close(&t);
}

/* The input queue holds 9 flits: a packet of 5 leaves room for one of 4. */
static void input_queue(void **state)
{
	(void)state;
	struct net t;
	net_crossbar(&t, 2, 2, "");
	assert_int_equal(icnt_packet_bytes_max(t.icnt), 9 * 32); /* the boundary buffer holds 16 */
	net_send(&t, 0, 2, 5);
	assert_true(icnt_has_buffer(t.icnt, 0, 4 * 32));
	assert_false(icnt_has_buffer(t.icnt, 0, 4 * 32 + 1));
	assert_true(icnt_has_buffer(t.icnt, 1, 9 * 32));
	assert_false(icnt_has_buffer(t.icnt, 1, 9 * 32 + 1));
	assert_true(icnt_has_buffer(t.icnt, 2, 9 * 32));
	net_cycle(&t); /* one flit goes */
	assert_true(icnt_has_buffer(t.icnt, 0, 5 * 32));
	net_close(&t);
}

/* Three sources to one output, single flits without end: a flit leaves every second cycle (the VC is free again one cycle after
 * the tail won the switch), sources in turn. */
static void fair_round_robin(void **state)
{
	(void)state;
	struct net t;
	uint32_t from[4000] = {0}, order[64], n = 0;
	uint64_t when[64];
	net_crossbar(&t, 3, 1, "");
	while (n < 40) {
		for (uint32_t c = 0; c < 3; c++)
			if (icnt_has_buffer(t.icnt, c, 32))
				from[net_send(&t, c, 3, 1)] = c;
		net_cycle(&t);
		uint32_t r = icnt_pop(t.icnt, 3);
		if (r) {
			when[n] = t.cycle;
			order[n++] = from[r];
			request_free(&t.q, r);
		}
	}
	for (uint32_t i = 1; i < n; i++) {
		assert_int_equal(when[i] - when[i - 1], 2);
		assert_int_equal(order[i], (order[i - 1] + 1) % 3);
	}
	net_close(&t);
}

/* What goes in comes out, at the right place and in order between any two devices; and a run in which quiet stretches are skipped
 * has the same end. */
static void conservation(void **state)
{
	(void)state;
	struct net t;
	uint32_t next[27][27] = {{0}}, seen[27][27] = {{0}}, seed = 1, in = 0, out = 0;
	static uint32_t from[100000], number[100000];
	struct icnt_totals totals;
	net_crossbar(&t, 15, 12, "");
	for (int i = 0; i < 6000; i++) {
		for (uint32_t d = 0; d < 27 && i < 5000; d++) {
			seed = seed * 1664525 + 1013904223;
			uint32_t flits = 1 + (seed >> 20) % 5, to = d < 15 ? 15 + (seed >> 8) % 12 : (seed >> 8) % 15;
			if ((seed >> 28) > 4 || !icnt_has_buffer(t.icnt, d, flits * 32))
				continue;
			uint32_t r = net_send(&t, d, to, flits);
			from[r] = d;
			number[r] = next[d][to]++;
			in++;
		}
		net_cycle(&t);
		for (uint32_t d = 0; d < 27; d++) {
			uint32_t r = icnt_pop(t.icnt, d);
			if (!r)
				continue;
			assert_int_equal(number[r], seen[from[r]][d]++);
			request_free(&t.q, r);
			out++;
		}
	}
	icnt_get_totals(t.icnt, &totals);
	assert_int_equal(in, out);
	assert_int_equal(totals.packets_in, in);
	assert_int_equal(totals.packets_out, out);
	assert_int_equal(totals.flits_in, totals.flits_out);
	assert_false(icnt_busy(t.icnt));
	assert_true(net_is_quiet(&t));
	net_close(&t);
}

static void same_dump(struct net *x, struct net *y, int64_t node)
{
	struct text a = {0}, b = {0};
	assert_true(icnt_dump(x->icnt, node, &a) && icnt_dump(y->icnt, node, &b));
	assert_string_equal(text_str(&a), text_str(&b));
	text_free(&a);
	text_free(&b);
}

/* The short way for one crossbar with one VC against the general router (an output buffer that never fills asks for that one): the
 * same pops in the same cycles, the same statistics, at every load, also with slow receivers and other buffer sizes. */
static void short_way_is_the_general_one(void **state)
{
	(void)state;
	static const char *const variants[] = {"", "vc_buf_size=1", "vc_buf_size=3 boundary_buffer_size=5",
					       "input_buffer_size=5 input_speedup=1",
					       "priority=age sw_allocator=separable_input_first"};
	struct text a = {0}, b = {0};
	for (uint32_t v = 0; v < 5 * 6; v++) {
		struct net t[2];
		char general[256];
		uint32_t seed = v, load = 1 + v / 5 * 3, lazy = v % 3;
		snprintf(general, sizeof general, "%s output_buffer_size=1000000", variants[v % 5]);
		net_crossbar(&t[0], 4, 3, variants[v % 5]);
		net_crossbar(&t[1], 4, 3, general);
		for (int i = 0; i < 3000; i++) {
			for (uint32_t d = 0; d < 7 && i < 2500; d++) {
				seed = seed * 1664525 + 1013904223;
				uint32_t flits = 1 + (seed >> 20) % 5,
					 to = d < 4 ? 4 + (seed >> 8) % 3 : (seed >> 8) % 4;
				bool room = icnt_has_buffer(t[0].icnt, d, flits * 32);
				assert_int_equal(room, icnt_has_buffer(t[1].icnt, d, flits * 32));
				if ((seed >> 28) > load || !room)
					continue;
				assert_int_equal(net_send(&t[0], d, to, flits), net_send(&t[1], d, to, flits));
			}
			net_cycle(&t[0]);
			net_cycle(&t[1]);
			for (uint32_t d = 0; d < 7; d++)
				if (!lazy || ((uint32_t)i + d) % (3 * lazy) == 0 || i > 2500)
					assert_int_equal(icnt_pop(t[0].icnt, d), icnt_pop(t[1].icnt, d));
			assert_int_equal(icnt_busy(t[0].icnt), icnt_busy(t[1].icnt));
			assert_int_equal(net_is_quiet(&t[0]), net_is_quiet(&t[1]));
			if (i % 16 == 0)
				same_dump(&t[0], &t[1], i / 16 % 7);
		}
		assert_true(net_is_quiet(&t[0]));
		text_clear(&a);
		text_clear(&b);
		icnt_print_stats(t[0].icnt, &a);
		icnt_print_stats(t[1].icnt, &b);
		assert_string_equal(text_str(&a), text_str(&b));
		net_close(&t[0]);
		net_close(&t[1]);
	}
	text_free(&a);
	text_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(zero_load_latency),
		cmocka_unit_test(same_output_one_flit),
		cmocka_unit_test(same_output_five_flits),
		cmocka_unit_test(different_outputs),
		cmocka_unit_test(back_to_back_heads),
		cmocka_unit_test(backpressure),
		cmocka_unit_test(input_queue),
		cmocka_unit_test(fair_round_robin),
		cmocka_unit_test(conservation),
		cmocka_unit_test(short_way_is_the_general_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
