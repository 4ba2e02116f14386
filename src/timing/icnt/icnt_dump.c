/* `dicnt`: what is where in the networks. */
#include "timing/icnt/icnt_internal.h"

struct dump {
	const struct icnt *n;
	const struct icnt_net *t;
	uint32_t net;
	int64_t node; /* the one asked for, -1: all */
	struct text *out;
};

static const char *const net_names[ICNT_NETS] = {"Requests", "Replies"};

static void put_device(const struct icnt *n, uint32_t node, struct text *out)
{
	uint32_t d = n->device_of[node];
	if (d == ICNT_NOWHERE)
		text_add(out, "nobody");
	else if (d < n->clusters)
		text_addf(out, "cluster %u", d);
	else
		text_addf(out, "sub-partition %u", d - n->clusters);
}

static void put_request(const struct dump *d, uint32_t request)
{
	const struct mem_request *r = request_at(d->n->q, request);
	text_addf(d->out, "%s 0x%llx%s", access_type_names[r->type], (unsigned long long)r->address,
		  r->is_reply	 ? " reply"
		  : r->is_atomic ? " atomic"
				 : "");
}

static void put_packet(const struct dump *d, uint32_t packet)
{
	const struct icnt_packet *p = &d->n->packet[packet];
	text_addf(d->out, "packet %llu, ", (unsigned long long)p->id);
	put_request(d, p->request);
	text_add(d->out, ", ");
	put_device(d->n, p->source, d->out);
	text_add(d->out, " to ");
	put_device(d->n, p->destination, d->out);
}

/* ---- nodes ---- */
static uint32_t sum_ejection(const struct dump *d, uint32_t at)
{
	uint32_t flits = 0;
	if (d->n->kind == &icnt_kind_crossbar)
		return icnt_crossbar_look(d->n, d->t, at).n_ejection;
	for (uint32_t v = 0; v < d->n->cfg.vcs; v++)
		flits += d->t->ejection[at * d->n->cfg.vcs + v].n;
	return flits;
}

static void dump_node(const struct dump *d, uint32_t at)
{
	const struct icnt_node *node = &d->t->node[at];
	uint32_t flits = 0, packets = 0;
	struct text device = {0};
	put_device(d->n, at, &device);
	for (uint32_t v = 0; v < d->n->cfg.vcs; v++) {
		flits += d->t->boundary[at * d->n->cfg.vcs + v].flits;
		packets += d->t->boundary[at * d->n->cfg.vcs + v].n;
	}
	text_addf(d->out, "  %5u  %-18s %5u/%-5u  %5u/%-5u  %5u/%-5u  %7u\n", at, text_str(&device), node->n_flits,
		  d->n->cfg.input_buffer, sum_ejection(d, at), d->n->cfg.ejection_buffer * d->n->cfg.vcs, flits,
		  d->n->cfg.boundary_buffer * d->n->cfg.vcs, packets);
	text_free(&device);
}

static void dump_input_queue(const struct dump *d, uint32_t at)
{
	const struct icnt_node *node = &d->t->node[at];
	uint32_t size = d->n->cfg.input_buffer;
	text_add(d->out, "  input queue, oldest first:\n");
	for (uint32_t i = 0; i < node->n_packets; i++) {
		uint32_t packet = d->t->input_queue[(uint64_t)at * size + (node->first + i) % size];
		const struct icnt_packet *p = &d->n->packet[packet];
		text_add(d->out, "    ");
		put_packet(d, packet);
		text_addf(d->out, ", %u of %u flits sent\n", p->sent, p->n_flits);
	}
	if (!node->n_packets)
		text_add(d->out, "    (empty)\n");
}

static void dump_boundary(const struct dump *d, uint32_t at)
{
	uint32_t size = d->n->cfg.boundary_buffer, shown = 0;
	text_add(d->out, "  boundary buffer, packets that can be taken:\n");
	for (uint32_t v = 0; v < d->n->cfg.vcs; v++) {
		const struct icnt_boundary *b = &d->t->boundary[at * d->n->cfg.vcs + v];
		for (uint32_t i = 0; i < b->n; i++, shown++) {
			const struct icnt_arrived *a =
				&d->t->arrived[((uint64_t)at * d->n->cfg.vcs + v) * size + (b->head + i) % size];
			text_addf(d->out, "    VC %u, ", v);
			put_request(d, a->request);
			text_addf(d->out, ", %u flits\n", a->n_flits);
		}
	}
	if (!shown)
		text_add(d->out, "    (empty)\n");
}

/* ---- routers ---- */
static void dump_input(const struct dump *d, uint32_t line, uint32_t vc, bool empty_too)
{
	static const char *const states[] = {"idle", "routing", "vc_alloc", "active"};
	const struct icnt *n = d->n;
	uint32_t router = n->links.router[line];
	struct icnt_vc v = n->kind == &icnt_kind_crossbar ? icnt_crossbar_look(n, d->t, line).vc : d->t->vc[line * n->cfg.vcs + vc];
	if (!empty_too && v.state == ICNT_IDLE && !v.q.n)
		return;
	text_addf(d->out, "  %6u  in  %4u  %3u  %-8s  %5u", router, line - router * n->cfg.ports, vc, states[v.state],
		  v.q.n);
	if (v.state == ICNT_ACTIVE)
		text_addf(d->out, "  to port %u VC %u", v.out_port, v.out_vc);
	if (v.q.n) {
		text_add(d->out, "  ");
		put_packet(d, n->kind == &icnt_kind_crossbar ? v.q.head : n->flit[v.q.head].packet);
	}
	text_addc(d->out, '\n');
}

static void dump_output(const struct dump *d, uint32_t line, uint32_t vc, bool empty_too)
{
	const struct icnt *n = d->n;
	uint32_t router = n->links.router[line];
	struct icnt_far_vc f =
		n->kind == &icnt_kind_crossbar ? icnt_crossbar_look(n, d->t, line).far : d->t->far_vc[line * n->cfg.vcs + vc];
	if (!empty_too && !f.user && !f.occupied)
		return;
	uint32_t most = n->cfg.policy == ICNT_PRIVATE ? n->cfg.vc_buffer : n->cfg.buffer;
	text_addf(d->out, "  %6u  out %4u  %3u  %-8s  %5u  ", router, line - router * n->cfg.ports, vc,
		  f.user ? "owned" : "free", f.occupied);
	if (f.user)
		text_addf(d->out, "by port %u VC %u, ", (f.user - 1) / n->cfg.vcs, (f.user - 1) % n->cfg.vcs);
	text_addf(d->out, "%u credits", most > f.occupied ? most - f.occupied : 0);
	if (n->kind != &icnt_kind_crossbar && d->t->out[line].n)
		text_addf(d->out, ", output queue %u", d->t->out[line].n);
	text_addc(d->out, '\n');
}

static void dump_ports(const struct dump *d)
{
	const struct icnt *n = d->n;
	size_t before;
	text_add(d->out, "  router  port      VC  state     flits\n");
	before = d->out->n;
	for (uint32_t line = 0; line < n->lines; line++) {
		bool in = d->node < 0 || n->links.inject[d->node] == line,
		     out = d->node < 0 || n->links.eject[d->node] == line;
		for (uint32_t v = 0; v < n->cfg.vcs; v++) {
			if (in)
				dump_input(d, line, v, d->node >= 0);
			if (out)
				dump_output(d, line, v, d->node >= 0);
		}
	}
	if (d->out->n == before)
		text_add(d->out, "  (all idle)\n");
}

/* ---- links ---- */
static void put_links(const struct dump *d, const char *what, const uint64_t *bits, uint32_t words, uint32_t in_cycles)
{
	for (uint32_t w = 0; w < words; w++)
		for (uint64_t word = bits[w]; word;) {
			uint32_t i = w * 64 + icnt_take_bit(&word), ports = d->n->cfg.ports;
			if (ports && words == d->n->line_words && *what == 'r')
				text_addf(d->out, "  a flit reaches router %u port %u in %u cycles\n", i / ports,
					  i % ports, in_cycles);
			else
				text_addf(d->out, "  a flit reaches node %u in %u cycles\n", i, in_cycles);
		}
}

static void dump_links(const struct dump *d)
{
	const struct icnt *n = d->n;
	size_t before = d->out->n;
	for (uint32_t k = 0; n->kind != &icnt_kind_crossbar && k <= n->slot_mask; k++) {
		uint64_t slot = (n->s->clock + k) & n->slot_mask;
		put_links(d, "router", &d->t->flit_due[slot * n->line_words], n->line_words, k);
		put_links(d, "node", &d->t->eject_due[slot * n->node_words], n->node_words, k);
	}
	for (uint32_t i = 0; n->kind == &icnt_kind_crossbar && i < n->cfg.nodes; i++) {
		struct icnt_look look = icnt_crossbar_look(n, d->t, i);
		if (look.n_to_router)
			text_addf(d->out, "  %u flits between node %u and the router\n", look.n_to_router, i);
		if (look.n_to_node)
			text_addf(d->out, "  %u flits between the router and node %u\n", look.n_to_node, i);
	}
	if (d->out->n == before)
		text_add(d->out, "  (no flit)\n");
}

static void dump_net(const struct dump *d)
{
	const struct icnt *n = d->n;
	text_addf(d->out,
		  "\n%s (network %u)\n   node  device             input queue  ejection     boundary     packets\n",
		  net_names[d->net], d->net);
	for (uint32_t at = 0; at < n->cfg.nodes; at++)
		if (d->node < 0 || at == d->node)
			dump_node(d, at);
	if (d->node >= 0) {
		dump_input_queue(d, (uint32_t)d->node);
		dump_boundary(d, (uint32_t)d->node);
	}
	text_add(d->out, " Router ports:\n");
	dump_ports(d);
	if (d->node >= 0)
		return;
	text_add(d->out, " Links:\n");
	dump_links(d);
}

static void dump_ideal(const struct dump *d)
{
	text_addf(d->out, "\n%s (network %u)\n", net_names[d->net], d->net);
	for (uint32_t at = 0; at < d->n->cfg.nodes; at++) {
		const struct icnt_node *node = &d->t->node[at];
		if (d->node >= 0 && at != d->node)
			continue;
		text_addf(d->out, "  node %u, ", at);
		put_device(d->n, at, d->out);
		text_addf(d->out, ": %u packets on their way\n", node->ideal.n);
		uint32_t r = node->ideal.head;
		for (uint32_t i = 0; i < node->ideal.n; i++, r = request_at(d->n->q, r)->next) {
			text_add(d->out, "    ");
			put_request(d, r);
			text_addf(d->out, ", there in core cycle %llu\n",
				  (unsigned long long)request_at(d->n->q, r)->ready);
		}
	}
}

bool icnt_dump(const struct icnt *n, int64_t node, struct text *out)
{
	static const char *const topologies[] = {"butterfly", "mesh", "torus"};
	if (node >= n->cfg.nodes)
		return false;
	text_addf(out, "Interconnect at network cycle %llu: ", (unsigned long long)n->s->time);
	if (!n->kind->has_flits)
		text_add(out, "ideal");
	else
		text_addf(out, "%s, k = %u, n = %u, %u virtual channel%s", topologies[n->cfg.topology], n->cfg.k,
			  n->cfg.n, n->cfg.vcs, n->cfg.vcs == 1 ? "" : "s");
	text_addf(out, "; %llu flits under way, %llu packets arrived and not yet taken\n",
		  (unsigned long long)n->s->n_live, (unsigned long long)n->s->n_waiting);
	if (n->s->deadlock_warnings)
		text_addf(out, "possible deadlocks: %u times no flit arrived for %u cycles\n", n->s->deadlock_warnings,
			  n->cfg.deadlock_timeout);
	for (uint32_t i = 0; i < ICNT_NETS; i++) {
		struct dump d = {.n = n, .t = &n->net[i], .net = i, .node = node < 0 ? -1 : node, .out = out};
		if (!n->kind->has_flits)
			dump_ideal(&d);
		else
			dump_net(&d);
	}
	return true;
}
