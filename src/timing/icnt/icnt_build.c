/* The networks' memory, and which port is linked with which. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "timing/icnt/icnt_internal.h"

/* ---- links ---- */
static void link_lines(struct icnt *n, uint32_t from, uint32_t to)
{
	n->links.to_line[from] = to;
	n->links.from_line[to] = from;
}
static void link_inject(struct icnt *n, uint32_t node, uint32_t to)
{
	n->links.inject[node] = to;
	n->links.from_node[to] = node;
}
static void link_eject(struct icnt *n, uint32_t from, uint32_t node)
{
	n->links.eject[node] = from;
	n->links.to_node[from] = node;
}

/* k-ary n-stage butterfly. Between stage s - 1 and s the digit of weight k^(n-1-s) of a router's number and the port change places. */
static void build_fly(struct icnt *n)
{
	uint32_t k = n->cfg.k, stages = n->cfg.n, per_stage = n->cfg.nodes / k, weight = per_stage;
	for (uint32_t stage = 0; stage < stages; stage++, weight /= k)
		for (uint32_t at = 0; at < per_stage; at++)
			for (uint32_t port = 0; port < k; port++) {
				uint32_t line = (stage * per_stage + at) * k + port;
				if (!stage) {
					link_inject(n, at * k + port, line);
				} else {
					/* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): 1 in the last stage */
					uint32_t digit = at / weight % k, before = at - digit * weight + port * weight;
					link_lines(n, ((stage - 1) * per_stage + before) * k + digit, line);
				}
				if (stage + 1 == stages)
					link_eject(n, line, at * k + port);
			}
}

/* k-ary n-cube. A mesh has the links around its edges too, but no route uses them. Input 2d comes from the right neighbour. */
static void build_cube(struct icnt *n)
{
	uint32_t k = n->cfg.k, ports = n->cfg.ports;
	for (uint32_t at = 0; at < n->cfg.nodes; at++) {
		for (uint32_t d = 0, weight = 1; d < n->cfg.n; d++, weight *= k) {
			uint32_t x = at / weight % k;
			uint32_t right = x + 1 == k ? at - x * weight : at + weight;
			link_lines(n, at * ports + 2 * d, right * ports + 2 * d + 1);
			link_lines(n, right * ports + 2 * d + 1, at * ports + 2 * d);
		}
		link_inject(n, at, at * ports + ports - 1);
		link_eject(n, at * ports + ports - 1, at);
	}
}

static uint32_t *nowhere(uint32_t count)
{
	uint32_t *v = xmalloc(count * sizeof *v);
	memset(v, 0xff, count * sizeof *v);
	return v;
}

static void build_links(struct icnt *n)
{
	struct icnt_links *l = &n->links;
	l->to_line = nowhere(n->lines);
	l->to_node = nowhere(n->lines);
	l->from_line = nowhere(n->lines);
	l->from_node = nowhere(n->lines);
	l->inject = nowhere(n->cfg.nodes);
	l->eject = nowhere(n->cfg.nodes);
	l->router = nowhere(n->lines);
	for (uint32_t i = 0; i < n->lines; i++)
		l->router[i] = i / n->cfg.ports;
	if (n->cfg.topology == ICNT_FLY)
		build_fly(n);
	else
		build_cube(n);
}

/* ---- where devices are: clusters fill the nodes that are not memory nodes ---- */

struct node_map {
	uint32_t nodes, count;
	int64_t memory[ICNT_MAPPED_MAX];
};

/* Stores the network's own map, or the one that its number of nodes has. Returns false if the own map doesn't fit. */
static bool choose_map(const struct icnt *n, const struct icnt_config *cfg, struct node_map *out, struct text *why)
{
	static const struct {
		uint32_t nodes, count;
		int64_t memory[11];
	} maps[] = {{16, 8, {1, 3, 4, 6, 9, 11, 12, 14}},
		    {36, 8, {3, 7, 10, 12, 23, 25, 28, 32}},
		    {64, 8, {3, 15, 17, 29, 36, 47, 49, 61}},
		    {121, 11, {12, 20, 25, 28, 57, 60, 63, 92, 95, 100, 108}}};
	const uint32_t memories = n->devices - n->clusters;
	*out = (struct node_map){.nodes = n->cfg.nodes};
	if (*icnt_config_text(cfg, ICNT_OPT_memory_node_map)) {
		out->count = icnt_config_list(cfg, ICNT_OPT_memory_node_map, out->memory, ICNT_MAPPED_MAX);
		if (out->count == memories)
			return true;
		text_addf(why, "memory_node_map names %u nodes, but there are %u memory sub-partitions", out->count, memories);
		return false;
	}
	for (size_t m = 0; m < sizeof maps / sizeof *maps; m++) {
		if (maps[m].nodes != n->cfg.nodes)
			continue;
		out->count = maps[m].count;
		memcpy(out->memory, maps[m].memory, sizeof maps[m].memory);
	}
	if (memories <= out->count && n->clusters <= n->cfg.nodes - out->count)
		return true;
	text_addf(why,
		  "use_map = 1: the map of %u nodes has places for %u memory sub-partitions and %u clusters, "
		  "not for %u and %u",
		  n->cfg.nodes, out->count, n->cfg.nodes - out->count, memories, n->clusters);
	return false;
}

/* Marks the nodes of the map as taken. Returns false if one doesn't exist or is named twice. */
static bool take_nodes(const struct node_map *map, bool *taken, struct text *why)
{
	for (uint32_t i = 0; i < map->count; i++) {
		const int64_t node = map->memory[i];
		if (node >= 0 && node < map->nodes && !taken[node]) {
			taken[node] = true;
			continue;
		}
		text_addf(why, node >= 0 && node < map->nodes ? "memory_node_map names node %lld twice" : "memory_node_map: there is no node %lld",
			  (long long)node);
		return false;
	}
	return true;
}

static void place_devices(struct icnt *n, const struct node_map *map, const bool *taken)
{
	uint32_t node = 0;
	for (uint32_t i = 0; i < n->clusters; i++, node++) {
		while (taken[node])
			node++;
		n->node_of[i] = node;
	}
	for (uint32_t i = 0; i < n->devices - n->clusters; i++)
		n->node_of[n->clusters + i] = (uint32_t)map->memory[i];
	for (uint32_t i = 0; i < n->devices; i++)
		n->device_of[n->node_of[i]] = i;
}

static bool build_map(struct icnt *n, const struct icnt_config *cfg, struct text *why)
{
	n->node_of = nowhere(n->devices);
	n->device_of = nowhere(n->cfg.nodes);
	for (uint32_t i = 0; !n->cfg.use_map && i < n->devices; i++)
		n->node_of[i] = n->device_of[i] = i;
	if (!n->cfg.use_map)
		return true;
	struct node_map map;
	bool *taken = xcalloc(n->cfg.nodes + (size_t)1, sizeof *taken);
	const bool ok = choose_map(n, cfg, &map, why) && take_nodes(&map, taken, why);
	if (ok)
		place_devices(n, &map, taken);
	free(taken);
	return ok;
}

/* ---- state ---- */
#define PIECE_MAX (UINT64_C(1) << 28) /* bytes: snapshots copy all of it */

static void *allocate(struct timing_memory *m, uint64_t n, uint64_t size)
{
	uint64_t bytes;
	return __builtin_mul_overflow(n, size, &bytes) || bytes > PIECE_MAX ? NULL : timing_take(m, n, size);
}

static uint32_t ring_cap(uint64_t most)
{
	uint32_t cap = 4;
	most = most > UINT32_C(1) << 31 ? UINT32_C(1) << 31 : most;
	while (cap < most)
		cap *= 2;
	return cap;
}

/* `count` rings of at least `most` entries, in one piece; false: no room. The three kinds of ring have one head. */
static bool take_rings(struct timing_memory *m, void **out, uint32_t count, uint64_t most, size_t entry)
{
	uint32_t cap = ring_cap(most);
	size_t head = sizeof(struct icnt_words), bytes = head + cap * entry;
	char *all = allocate(m, count, bytes);
	_Static_assert(sizeof(struct icnt_words) == sizeof(struct icnt_waits) &&
			       sizeof(struct icnt_words) == sizeof(struct icnt_crossings),
		       "rings have the same head");
	for (uint32_t i = 0; all && i < count; i++) {
		struct icnt_words *r = (struct icnt_words *)(all + i * bytes);
		r->cap = cap;
		out[i] = r;
	}
	return all != NULL;
}

#define RINGS(place, count, most, entry) \
	((place = xcalloc(count, sizeof *place)), take_rings(m, (void **)place, count, most, entry))
#define TAKE(place, count) (((place) = allocate(m, (count), sizeof *(place))) != NULL)

static bool build_nodes(struct icnt *n, struct icnt_net *t, struct timing_memory *m)
{
	uint64_t nodes = n->cfg.nodes, vcs = n->cfg.vcs;
	if (!TAKE(t->s, 1) || !TAKE(t->node, nodes) || !TAKE(t->input_queue, nodes * n->cfg.input_buffer) ||
	    !TAKE(t->ejection, nodes * vcs) || !TAKE(t->boundary, nodes * vcs) ||
	    !TAKE(t->arrived, nodes * vcs * n->cfg.boundary_buffer) || !TAKE(t->sending, n->node_words) ||
	    !TAKE(t->receiving, n->node_words))
		return false;
	for (uint32_t i = 0; i < nodes; i++)
		t->node[i].last_vc = ICNT_NOWHERE;
	return true;
}

static bool build_far(struct icnt *n, struct icnt_net *t, struct timing_memory *m)
{
	uint64_t channels = n->channels, vcs = n->cfg.vcs;
	if (!TAKE(t->far, channels) || !TAKE(t->far_vc, channels * vcs) ||
	    !TAKE(t->part, channels * (n->cfg.n_parts + 1)))
		return false;
	for (uint64_t i = 0; i < channels; i++)
		t->far[i].held_most = n->cfg.policy == ICNT_LIMITED ? n->cfg.held_most : n->cfg.buffer;
	for (uint64_t i = 0; i < channels * vcs; i++) {
		t->far_vc[i].limit = n->cfg.buffer;
		t->far_vc[i].round_trip = -1;
	}
	return n->cfg.policy < ICNT_FEEDBACK ||
	       RINGS(t->sent_at, n->channels * n->cfg.vcs, n->cfg.buffer + 1, sizeof(uint64_t));
}

static bool build_routers(struct icnt *n, struct icnt_net *t, struct timing_memory *m)
{
	const struct icnt_setup *c = &n->cfg;
	uint32_t waiting = c->ports * c->vcs, steps = (uint32_t)c->speedup + 1;
	uint64_t crossing = (uint64_t)(c->cross_delay + 1) * steps * c->ports * c->out_speedup;
	uint64_t in = (uint64_t)c->routers * c->ports * c->in_speedup,
		 out = (uint64_t)c->routers * c->ports * c->out_speedup;
	if (!TAKE(t->vc, (uint64_t)n->lines * c->vcs) || !TAKE(t->out, n->lines) || !TAKE(t->sw_offset, in) ||
	    !TAKE(t->hold_in, in) || !TAKE(t->hold_vc, in) || !TAKE(t->hold_out, out) ||
	    !TAKE(t->vc_offset, n->lines) || !TAKE(t->busy, n->router_words) || !TAKE(t->out_busy, n->line_words) ||
	    !TAKE(t->credit_busy, n->line_words) || !TAKE(t->step_credit, n->lines) ||
	    !TAKE(t->step_lines, n->line_words))
		return false;
	memset(t->hold_in, 0xff, in * sizeof *t->hold_in);
	memset(t->hold_vc, 0xff, in * sizeof *t->hold_vc);
	memset(t->hold_out, 0xff, out * sizeof *t->hold_out);
	memset(t->vc_offset, 0xff, n->lines * sizeof *t->vc_offset);
	for (uint64_t i = 0; i < in; i++)
		t->sw_offset[i] = (uint32_t)(i % c->in_speedup);
	for (uint64_t i = 0; i < (uint64_t)n->lines * c->vcs; i++)
		t->vc[i].ahead_port = ICNT_NO_VC;
	return RINGS(t->credits, n->lines, (uint64_t)c->vcs * c->buffer, sizeof(uint64_t)) &&
	       RINGS(t->route_wait, c->routers, waiting, sizeof(struct icnt_wait)) &&
	       RINGS(t->vc_wait, c->routers, waiting, sizeof(struct icnt_wait)) &&
	       RINGS(t->sw_wait, c->routers, waiting, sizeof(struct icnt_wait)) &&
	       RINGS(t->hold_wait, c->routers, waiting, sizeof(struct icnt_wait)) &&
	       RINGS(t->crossing, c->routers, crossing, sizeof(struct icnt_crossing));
}

static bool build_allocators(struct icnt *n, struct icnt_net *t, struct timing_memory *m)
{
	const struct icnt_setup *c = &n->cfg;
	uint32_t vcs = c->ports * c->vcs, in = c->ports * c->in_speedup, out = c->ports * c->out_speedup;
	t->vc_alloc = xcalloc(c->routers, sizeof *t->vc_alloc);
	t->sw_alloc = xcalloc(c->routers, sizeof *t->sw_alloc);
	t->spec_alloc = xcalloc(c->routers, sizeof *t->spec_alloc);
	bool own_spec = c->speculative && c->spec_alloc.kind != ICNT_PRIO;
	for (uint32_t i = 0; i < c->routers; i++)
		if (!icnt_allocator_init(&t->vc_alloc[i], m, &c->vc_alloc, vcs, vcs) ||
		    !icnt_allocator_init(&t->sw_alloc[i], m, &c->sw_alloc, in, out) ||
		    (own_spec && !icnt_allocator_init(&t->spec_alloc[i], m, &c->spec_alloc, in, out)))
			return false;
	return true;
}

static bool build_calendars(struct icnt *n, struct icnt_net *t, struct timing_memory *m)
{
	uint64_t slots = (uint64_t)n->slot_mask + 1;
	return TAKE(t->flit_due, slots * n->line_words) && TAKE(t->eject_due, slots * n->node_words) &&
	       TAKE(t->credit_due, slots * n->line_words) && TAKE(t->node_credit_due, slots * n->node_words) &&
	       TAKE(t->flit_at, slots * n->lines) && TAKE(t->eject_at, slots * n->cfg.nodes) &&
	       TAKE(t->credit_at, slots * n->lines) && TAKE(t->node_credit_at, slots * n->cfg.nodes);
}

/* Every flit between injection and retirement has a credit with its last sender; packets wait in input queues or have flits. */
static bool build_pools(struct icnt *n, struct timing_memory *m)
{
	uint64_t flits = (uint64_t)ICNT_NETS * n->channels * n->cfg.buffer;
	uint64_t packets = flits + (uint64_t)ICNT_NETS * n->cfg.nodes * n->cfg.input_buffer;
	return TAKE(n->flit, flits + 1) && TAKE(n->packet, packets + 1);
}

static bool build_requests(struct icnt *n)
{
	const struct icnt_setup *c = &n->cfg;
	uint32_t vcs = c->ports * c->vcs, in = c->ports * c->in_speedup, out = c->ports * c->out_speedup;
	return icnt_requests_init(&n->vc_requests, vcs, vcs) && icnt_requests_init(&n->sw_requests, in, out) &&
	       icnt_requests_init(&n->spec_requests, in, out);
}

bool icnt_routers_build(struct icnt *n, struct icnt_net *t, struct timing_memory *m)
{
	return build_far(n, t, m) && build_routers(n, t, m) && build_allocators(n, t, m) && build_calendars(n, t, m);
}

static bool build_networks(struct icnt *n, struct timing_memory *m)
{
	const struct icnt_setup *c = &n->cfg;
	const bool has_flits = n->kind->has_flits;
	n->slot_mask = ring_cap(2 + (uint64_t)c->link_latency + c->credit_delay) - 1;
	if (has_flits && (!build_requests(n) || !build_pools(n, m)))
		return false;
	for (uint32_t i = 0; i < ICNT_NETS; i++)
		if ((has_flits && !build_nodes(n, &n->net[i], m)) || !n->kind->build(n, &n->net[i], m))
			return false;
	return true;
}

bool icnt_build(struct icnt *n, const struct icnt_config *cfg, struct timing_memory *m, struct text *why)
{
	n->lines = n->cfg.routers * n->cfg.ports;
	n->channels = n->lines + n->cfg.nodes;
	n->node_words = icnt_bit_words(n->cfg.nodes);
	n->line_words = icnt_bit_words(n->lines);
	n->router_words = icnt_bit_words(n->cfg.routers);
	if (!build_map(n, cfg, why))
		return false;
	build_links(n);
	if (TAKE(n->s, 1) && TAKE(n->arrived, icnt_bit_words(n->devices)) && icnt_random_init(n, m) && icnt_stats_init(n, m) &&
	    build_networks(n, m))
		return true;
	text_addf(why, "no room for a network of %u routers with %u ports and %u virtual channels", n->cfg.routers,
		  n->cfg.ports, n->cfg.vcs);
	return false;
}

void icnt_unbuild(struct icnt *n)
{
	struct icnt_links *l = &n->links;
	uint32_t *const own[] = {l->to_line, l->to_node, l->from_line, l->from_node, l->inject,
				 l->eject,   l->router,	 n->node_of,   n->device_of};
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		free(own[i]);
	for (uint32_t i = 0; i < ICNT_NETS; i++) {
		struct icnt_net *t = &n->net[i];
		free(t->sent_at);
		free(t->credits);
		free(t->route_wait);
		free(t->vc_wait);
		free(t->sw_wait);
		free(t->hold_wait);
		free(t->crossing);
		free(t->vc_alloc);
		free(t->sw_alloc);
		free(t->spec_alloc);
	}
	icnt_requests_free(&n->vc_requests);
	icnt_requests_free(&n->sw_requests);
	icnt_requests_free(&n->spec_requests);
}
