/* Every topology, routing function, allocator, buffer policy and router option against GPGPU-Sim 3.2.2's own network: the same packets
 * in the same cycles, and the same statistics printed. */
#include "icnt_net.h"

#include "base/hash.h"

static uint32_t random_state;
static uint32_t random_next(void)
{
	random_state = random_state * 1664525 + 1013904223;
	return random_state >> 8;
}

struct golden {
	uint32_t clusters, memories, seed, load, lazy, pops;
	uint64_t pops_digest, stats_digest;
	const char *options;
};
static const struct golden table[] = {
#define NETWORK(clusters, memories, seed, load, lazy, pops, pops_digest, stats_digest, options) \
	{clusters, memories, seed, load, lazy, pops, pops_digest, stats_digest, options},
#include "icnt_golden.def"
#undef NETWORK
};

enum { CYCLES = 500, SENDING = CYCLES * 2 / 3, MOST_POPS = 20000 };

/* all=N and halves=N stand for the nine options of virtual channels. */
static void expand(const char *options, char *out, size_t size)
{
	static const char *const types[] = {"read_request", "write_request", "read_reply", "write_reply"};
	unsigned n = 0;
	size_t at = (size_t)snprintf(out, size, "%s%s", SHIPPED "k=27 ", options);
	bool halves = sscanf(options, "halves=%u", &n) == 1;
	if (!halves && sscanf(options, "all=%u", &n) != 1)
		return;
	at = (size_t)snprintf(out, size, "%snum_vcs=%u", SHIPPED "k=27 ", n);
	for (unsigned t = 0; t < 4; t++) {
		bool upper = halves && t % 2, lower = halves && t % 2 == 0;
		at += (size_t)snprintf(out + at, size - at, " %s_begin_vc=%u %s_end_vc=%u", types[t], upper ? n / 2 : 0,
				       types[t], lower ? n / 2 - 1 : n - 1);
	}
	snprintf(out + at, size - at, " %s", strchr(options, ' ') ? strchr(options, ' ') + 1 : "");
}

static void offer(struct net *t, const struct golden *g, uint32_t cycle, uint32_t *ids, uint32_t *next_id)
{
	for (uint32_t d = 0; d < t->devices; d++) {
		uint32_t chance = random_next() % 64, flits = 1 + random_next() % 5;
		bool write = random_next() & 1;
		uint32_t to = d < g->clusters ? g->clusters + random_next() % g->memories : random_next() % g->clusters;
		if (cycle > SENDING || chance >= g->load || !icnt_has_buffer(t->icnt, d, flits * 32))
			continue;
		uint32_t r = request_new(&t->q, cycle);
		request_at(&t->q, r)->is_reply = d >= g->clusters;
		request_at(&t->q, r)->is_write = write;
		ids[r] = ++*next_id;
		icnt_push(t->icnt, d, to, r, flits * 32);
	}
}

static void run(const struct golden *g)
{
	static uint32_t pops[MOST_POPS][3], ids[MOST_POPS];
	struct net t;
	struct text stats = {0};
	char options[2048];
	uint32_t n = 0, next_id = 0;
	expand(g->options, options, sizeof options);
	net_open(&t, options, g->clusters, g->memories);
	if (!t.icnt)
		fail_msg("%s: %s", g->options, text_str(&t.why));
	random_state = g->seed;
	for (uint32_t cycle = 0; cycle < CYCLES; cycle++) {
		offer(&t, g, cycle, ids, &next_id);
		icnt_cycle(t.icnt, cycle);
		for (uint32_t d = 0; d < t.devices; d++) {
			if (g->lazy && (cycle + d) % g->lazy && cycle <= SENDING)
				continue;
			uint32_t r = icnt_pop(t.icnt, d);
			if (!r)
				continue;
			pops[n][0] = cycle;
			pops[n][1] = d;
			pops[n++][2] = ids[r];
			request_free(&t.q, r);
		}
	}
	icnt_print_stats(t.icnt, &stats);
	const char *begin = strchr(text_str(&stats), '\n') + 1, *end = strstr(begin, "----------------------------END");
	if (n != g->pops || hash_fnv1a64(pops, n * sizeof pops[0]) != g->pops_digest)
		fail_msg("%s: other pops (%u, expected %u)", g->options, n, g->pops);
	if (hash_fnv1a64(begin, (size_t)(end - begin)) != g->stats_digest)
		fail_msg("%s: other statistics:\n%s", g->options, begin);
	text_free(&stats);
	net_close(&t);
}

static void networks_are_those_of_gpgpusim(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		run(&table[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(networks_are_those_of_gpgpusim)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
