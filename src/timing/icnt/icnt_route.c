/* Routing functions: which output port and which virtual channels a packet's head may take. Behaviour of booksim's functions as
 * GPGPU-Sim 3.2.2 uses them; each paragraph of its manual's list is one function here.
 *
 * Ports of mesh and torus routers: 2d towards higher coordinates of dimension d, 2d + 1 towards lower ones, 2n the node. */
#include <string.h>

#include "timing/icnt/icnt_internal.h"

static void add_way(struct icnt_route *r, uint32_t port, uint32_t begin, uint32_t end, int32_t priority)
{
	uint32_t i = 0;
	while (i < r->n && r->way[i].priority > priority)
		i++;
	if ((i < r->n && r->way[i].priority == priority) || r->n == ICNT_ROUTE_MAX)
		return;
	memmove(&r->way[i + 1], &r->way[i], (r->n - i) * sizeof r->way[0]);
	r->way[i] = (struct icnt_way){
		.priority = priority, .port = (uint16_t)port, .begin_vc = (uint16_t)begin, .end_vc = (uint16_t)end};
	r->n++;
}

static void only(struct icnt_packet *p, uint32_t port, uint32_t begin, uint32_t end)
{
	p->route.n = 1;
	p->route.way[0] =
		(struct icnt_way){.port = (uint16_t)port, .begin_vc = (uint16_t)begin, .end_vc = (uint16_t)end};
}

/* VCs of the packet's class. */
struct range {
	uint32_t begin, end;
};
static struct range class_range(const struct icnt *n, const struct icnt_packet *p)
{
	return (struct range){n->cfg.begin_vc[p->type], n->cfg.end_vc[p->type]};
}
/* Its lower or upper half; with an odd count the lower one is the larger. */
static struct range half(struct range r, bool upper)
{
	uint32_t available = (r.end - r.begin + 1) / 2;
	return upper ? (struct range){r.begin + available, r.end} : (struct range){r.begin, r.end - available};
}
static struct range share(struct range r, uint32_t which, uint32_t of)
{
	uint32_t size = (r.end - r.begin + 1) / of;
	return (struct range){r.begin + which * size, r.begin + (which + 1) * size - 1};
}
static uint32_t node_port(const struct icnt *n) { return 2 * n->cfg.n; }
static bool from_node(const struct icnt *n, const struct icnt_here *h) { return h->port >= node_port(n); }

/* ---- butterfly ---- */
/* The destination's digit for this stage, the most significant one first. */
void icnt_route_dest_tag(struct icnt *n, uint32_t net, struct icnt_packet *p, const struct icnt_here *h)
{
	(void)net;
	uint32_t digit = p->destination;
	for (uint32_t stage = h->router * n->cfg.k / n->cfg.nodes; stage + 1 < n->cfg.n; stage++)
		digit /= n->cfg.k;
	only(p, digit % n->cfg.k, n->cfg.begin_vc[p->type], n->cfg.end_vc[p->type]);
}

/* ---- mesh ---- */
static uint32_t mesh_step(const struct icnt *n, uint32_t at, uint32_t to, bool highest_first)
{
	uint32_t k = n->cfg.k, port = node_port(n);
	for (uint32_t d = 0; d < n->cfg.n; d++, at /= k, to /= k) {
		if (at % k == to % k)
			continue;
		port = at % k < to % k ? 2 * d : 2 * d + 1;
		if (!highest_first)
			break;
	}
	return port;
}

static void dim_order_mesh(struct icnt *n, uint32_t net, struct icnt_packet *p, const struct icnt_here *h)
{
	(void)net;
	struct range r = class_range(n, p);
	only(p, mesh_step(n, h->router, p->destination, false), r.begin, r.end);
}

/* VCs divided by destination node. */
static void dim_order_ni_mesh(struct icnt *n, uint32_t net, struct icnt_packet *p, const struct icnt_here *h)
{
	(void)net;
	struct range r = class_range(n, p);
	if (h->router != p->destination)
		r = share(r, p->destination, n->cfg.nodes);
	only(p, mesh_step(n, h->router, p->destination, false), r.begin, r.end);
}

/* VCs divided by the destination's coordinate in the dimension travelled. */
static void dim_order_pni_mesh(struct icnt *n, uint32_t net, struct icnt_packet *p, const struct icnt_here *h)
{
	(void)net;
	struct range r = class_range(n, p);
	uint32_t port = mesh_step(n, h->router, p->destination, false), coordinate = p->destination;
	if (h->router != p->destination) {
		for (uint32_t d = 0; d < port / 2; d++)
			coordinate /= n->cfg.k;
		r = share(r, coordinate % n->cfg.k, n->cfg.k);
	}
	only(p, port, r.begin, r.end);
}

/* Lowest or highest dimension first, chosen where the packet enters; the VC remembers which. */
static void xy_yx(struct icnt *n, uint32_t net, struct icnt_packet *p, const struct icnt_here *h, bool adaptive)
{
	struct range r = class_range(n, p);
	if (h->router == p->destination) {
		only(p, node_port(n), r.begin, r.end);
		return;
	}
	uint32_t xy = mesh_step(n, h->router, p->destination, false),
		 yx = mesh_step(n, h->router, p->destination, true);
	const struct icnt_far *far = &n->net[net].far[h->router * n->cfg.ports];
	bool x_first;
	if (!from_node(n, h))
		x_first = h->vc < r.begin + (r.end - r.begin + 1) / 2;
	else if (adaptive && far[xy].occupied != far[yx].occupied)
		x_first = far[xy].occupied < far[yx].occupied;
	else
		x_first = icnt_random_int(n, 1) > 0;
	r = half(r, !x_first);
	only(p, x_first ? xy : yx, r.begin, r.end);
}

static void xy_yx_mesh(struct icnt *n, uint32_t net, struct icnt_packet *p, const struct icnt_here *h)
{
	xy_yx(n, net, p, h, false);
}
static void adaptive_xy_yx_mesh(struct icnt *n, uint32_t net, struct icnt_packet *p, const struct icnt_here *h)
{
	xy_yx(n, net, p, h, true);
}

/* A random node of the box that source and destination span. */
static uint32_t random_between(struct icnt *n, uint32_t from, uint32_t to)
{
	uint32_t middle = 0, place = 1, k = n->cfg.k;
	for (uint32_t d = 0; d < n->cfg.n; d++, place *= k, from /= k, to /= k) {
		uint32_t a = from % k, b = to % k;
		middle += place * (a < b ? a + icnt_random_int(n, b - a) : b + icnt_random_int(n, a - b));
	}
	return middle;
}

/* Two phases: to a node in the middle, then to the destination. */
static uint32_t two_phase_step(struct icnt *n, struct icnt_packet *p, const struct icnt_here *h, bool anywhere)
{
	if (from_node(n, h)) {
		p->phase = 0;
		p->middle = (int32_t)(anywhere ? icnt_random_int(n, n->cfg.nodes - 1)
					       : random_between(n, p->source, p->destination));
	}
	if (!p->phase && h->router == (uint32_t)p->middle)
		p->phase = 1;
	return mesh_step(n, h->router, p->phase ? p->destination : (uint32_t)p->middle, false);
}

static void phases_by_half(struct icnt *n, struct icnt_packet *p, const struct icnt_here *h, bool anywhere)
{
	struct range r = class_range(n, p);
	uint32_t port = two_phase_step(n, p, h, anywhere);
	if (h->router != p->destination)
		r = half(r, p->phase > 0);
	only(p, port, r.begin, r.end);
}

static void romm_mesh(struct icnt *n, uint32_t net, struct icnt_packet *p, const struct icnt_here *h)
{
	(void)net;
	phases_by_half(n, p, h, false);
}

static void valiant_mesh(struct icnt *n, uint32_t net, struct icnt_packet *p, const struct icnt_here *h)
{
	(void)net;
	phases_by_half(n, p, h, true);
}

static void romm_ni_mesh(struct icnt *n, uint32_t net, struct icnt_packet *p, const struct icnt_here *h)
{
	(void)net;
	struct range r = class_range(n, p);
	if (h->router != p->destination)
		r = share(r, p->destination, n->cfg.nodes);
	only(p, two_phase_step(n, p, h, false), r.begin, r.end);
}

/* Any productive direction on the upper VCs; the lowest VC is the escape, in dimension order. In GPGPU-Sim 3.2.2 the escape's range
 * begins at VC 0 and its priority is the class's first VC, and of the productive directions only that of the lowest dimension
 * stays, since all have one priority. */
static void min_adapt_mesh(struct icnt *n, uint32_t net, struct icnt_packet *p, const struct icnt_here *h)
{
	(void)net;
	struct range r = class_range(n, p);
	uint32_t at = h->router, to = p->destination, k = n->cfg.k;
	p->route.n = 0;
	if (at == to) {
		add_way(&p->route, node_port(n), r.begin, r.end, 0);
		return;
	}
	add_way(&p->route, mesh_step(n, at, to, false), 0, r.begin, (int32_t)r.begin);
	uint32_t in_vc = from_node(n, h) ? r.end : h->vc;
	for (uint32_t d = 0; in_vc != r.begin && d < n->cfg.n; d++, at /= k, to /= k)
		if (at % k != to % k)
			add_way(&p->route, at % k < to % k ? 2 * d : 2 * d + 1, r.begin + 1, r.end, 1);
}

/* Planar adaptive: in the plane of dimensions d and d + 1, upper third of the VCs for d; the thirds below, by direction in d, for
 * d + 1. All have one priority, so only the first stays (as in GPGPU-Sim 3.2.2). */
static void planar_adapt_mesh(struct icnt *n, uint32_t net, struct icnt_packet *p, const struct icnt_here *h)
{
	(void)net;
	struct range r = class_range(n, p);
	uint32_t at = h->router, to = p->destination, k = n->cfg.k, third = (r.end - r.begin + 1) / 3, d = 0;
	if (at == to) {
		only(p, node_port(n), r.begin, r.end);
		return;
	}
	/* after a detour in the last plane the first dimension waits */
	for (; d + 1 < n->cfg.n; d++, at /= k, to /= k)
		if (at % k != to % k && !(h->port / 2 == 0 && d == 0 && h->vc < r.begin + 2 * third))
			break;
	if (at % k == to % k) { /* nothing but the first dimension is left */
		only(p, mesh_step(n, h->router, p->destination, false), r.begin + 2 * third, r.end);
		return;
	}
	only(p, at % k < to % k ? 2 * d : 2 * d + 1, r.begin + 2 * third, r.end);
}

/* ---- torus ---- */
/* The next step; *part: which side of the dateline, left alone when the packet goes straight on. Ties go a random way. */
static uint32_t torus_step(struct icnt *n, uint32_t at, uint32_t to, uint32_t in_port, int32_t *part, bool balanced)
{
	uint32_t k = n->cfg.k, d = 0, last = (k - 1) / 2;
	while (d < n->cfg.n && at % k == to % k) {
		at /= k;
		to /= k;
		d++;
	}
	if (d == n->cfg.n)
		return node_port(n);
	if (in_port / 2 == d)
		return in_port ^ 1;
	at %= k;
	to %= k;
	uint32_t twice = 2 * ((to + k - at) % k);
	bool right = twice < k || (twice == k && icnt_random_int(n, 1));
	if (part && !balanced)
		*part = at > to;
	else if (part && (right ? at > to : at < to))
		*part = 1;
	else if (part && (right ? at <= last && to > last : at > last && to <= last))
		*part = 0;
	else if (part)
		*part = (int32_t)icnt_random_int(n, 1);
	return right ? 2 * d : 2 * d + 1;
}

static void rings(struct icnt *n, struct icnt_packet *p, const struct icnt_here *h, bool balanced)
{
	struct range r = class_range(n, p);
	uint32_t port = torus_step(n, h->router, p->destination, h->port, &p->phase, balanced);
	if (h->router != p->destination)
		r = half(r, p->phase != 0);
	only(p, port, r.begin, r.end);
}

static void dim_order_torus(struct icnt *n, uint32_t net, struct icnt_packet *p, const struct icnt_here *h)
{
	(void)net;
	rings(n, p, h, false);
}

static void dim_order_bal_torus(struct icnt *n, uint32_t net, struct icnt_packet *p, const struct icnt_here *h)
{
	(void)net;
	rings(n, p, h, true);
}

static void dim_order_ni_torus(struct icnt *n, uint32_t net, struct icnt_packet *p, const struct icnt_here *h)
{
	(void)net;
	struct range r = class_range(n, p);
	uint32_t port = torus_step(n, h->router, p->destination, h->port, NULL, false);
	if (h->router != p->destination)
		r = share(r, p->destination, n->cfg.nodes);
	only(p, port, r.begin, r.end);
}

/* Two phases, each with its datelines: phase * 2 + side. Where a packet goes straight on, its side stays (GPGPU-Sim 3.2.2 leaves
 * it undefined there). */
static void valiant(struct icnt *n, struct icnt_packet *p, const struct icnt_here *h, bool by_node)
{
	struct range r = class_range(n, p);
	struct icnt_here here = *h;
	int32_t phase = from_node(n, h) ? 0 : p->phase / 2, side = p->phase > 0 ? p->phase & 1 : 0;
	if (from_node(n, h)) {
		p->middle = (int32_t)icnt_random_int(n, n->cfg.nodes - 1);
		side = 0;
	}
	if (!phase && h->router == (uint32_t)p->middle) {
		phase = 1;
		here.port = node_port(n);
	}
	uint32_t to = phase ? p->destination : (uint32_t)p->middle;
	uint32_t port = torus_step(n, h->router, to, here.port, &side, false);
	p->phase = 2 * phase + side;
	if (h->router != p->destination) {
		if (by_node)
			r = share(r, p->destination, n->cfg.nodes);
		uint32_t ring = (r.end - r.begin + 1) / 2;
		r = half(r, side != 0);
		if (phase)
			r.begin += ring / 2;
		else
			r.end -= ring / 2;
	}
	only(p, port, r.begin, r.end);
}

static void valiant_torus(struct icnt *n, uint32_t net, struct icnt_packet *p, const struct icnt_here *h)
{
	(void)net;
	valiant(n, p, h, false);
}

static void valiant_ni_torus(struct icnt *n, uint32_t net, struct icnt_packet *p, const struct icnt_here *h)
{
	(void)net;
	valiant(n, p, h, true);
}

/* VC 3 of the class in any productive direction (of those only the lowest dimension's stays), VCs 0 and 1 as escape. */
static void min_adapt_torus(struct icnt *n, uint32_t net, struct icnt_packet *p, const struct icnt_here *h)
{
	(void)net;
	struct range r = class_range(n, p);
	uint32_t at = h->router, to = p->destination, k = n->cfg.k, in_port = h->port;
	p->route.n = 0;
	if (at == to) {
		add_way(&p->route, node_port(n), r.begin, r.end, 0);
		return;
	}
	if ((from_node(n, h) ? r.end : h->vc) > r.begin + 1) {
		for (uint32_t d = 0; d < n->cfg.n; d++, at /= k, to /= k)
			if (at % k != to % k)
				add_way(&p->route, 2 * ((to % k + k - at % k) % k) < k ? 2 * d : 2 * d + 1, r.begin + 3,
				    r.begin + 3, 1);
		in_port = node_port(n); /* as if it entered here */
	}
	uint32_t port = torus_step(n, h->router, p->destination, in_port, &p->phase, false);
	uint32_t escape = r.begin + (p->phase != 0);
	add_way(&p->route, port, escape, escape, 0);
}

/* ---- the table ---- */
static const struct {
	enum icnt_topology topology;
	const char *name;
	icnt_route_fn *fn;
	uint32_t least; /* VCs of a class, of each share if it is split */
	int split;	/* as in struct icnt_setup */
} table[] = {
	{ICNT_FLY, "dest_tag", icnt_route_dest_tag, 1, 0},
	{ICNT_MESH, "dim_order", dim_order_mesh, 1, 0},
	{ICNT_MESH, "dor", dim_order_mesh, 1, 0},
	{ICNT_MESH, "dim_order_ni", dim_order_ni_mesh, 1, 1},
	{ICNT_MESH, "dim_order_pni", dim_order_pni_mesh, 1, 2},
	{ICNT_MESH, "xy_yx", xy_yx_mesh, 2, 0},
	{ICNT_MESH, "adaptive_xy_yx", adaptive_xy_yx_mesh, 2, 0},
	{ICNT_MESH, "romm", romm_mesh, 2, 0},
	{ICNT_MESH, "romm_ni", romm_ni_mesh, 1, 1},
	{ICNT_MESH, "valiant", valiant_mesh, 2, 0},
	{ICNT_MESH, "min_adapt", min_adapt_mesh, 2, 0},
	{ICNT_MESH, "planar_adapt", planar_adapt_mesh, 3, 0},
	{ICNT_TORUS, "dim_order", dim_order_torus, 2, 0},
	{ICNT_TORUS, "dim_order_bal", dim_order_bal_torus, 2, 0},
	{ICNT_TORUS, "dim_order_ni", dim_order_ni_torus, 1, -1},
	{ICNT_TORUS, "valiant", valiant_torus, 4, 0},
	{ICNT_TORUS, "valiant_ni", valiant_ni_torus, 4, 1},
	{ICNT_TORUS, "min_adapt", min_adapt_torus, 4, 0},
};

icnt_route_fn *icnt_route_find(enum icnt_topology t, const char *name, uint32_t *least_vcs, int *split)
{
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (table[i].topology == t && !strcmp(table[i].name, name)) {
			*least_vcs = table[i].least;
			*split = table[i].split;
			return table[i].fn;
		}
	return NULL;
}

/* VCs of the injection port. */
void icnt_route_inject(const struct icnt *n, const struct icnt_packet *p, uint32_t *begin, uint32_t *end)
{
	struct range r = class_range(n, p);
	if (n->cfg.split == 1)
		r = share(r, p->destination, n->cfg.nodes);
	else if (n->cfg.split == 2)
		r = share(r, p->destination % n->cfg.k, n->cfg.k);
	*begin = r.begin;
	*end = r.end;
}
