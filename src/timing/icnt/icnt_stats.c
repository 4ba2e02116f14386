/* Statistics of the network: latencies, rates, and their printout in booksim's form, both networks together. Source: GPGPU-Sim 3.2.2's
 * printout after each kernel. */
#include <math.h>
#include <stdio.h>

#include "timing/icnt/icnt_internal.h"
#include "timing/icnt/icnt_valid.h"

struct sample {
	uint64_t n;
	double sum, min, max;
};

/* Averages over kernels, in the order of the printout. */
enum overall {
	PACKET_LATENCY,
	NETWORK_LATENCY = PACKET_LATENCY + 3,
	FLIT_LATENCY = NETWORK_LATENCY + 3,
	FRAGMENTATION = FLIT_LATENCY + 3,
	SENT_PACKETS = FRAGMENTATION + 3,
	ACCEPTED_PACKETS = SENT_PACKETS + 3,
	SENT_FLITS = ACCEPTED_PACKETS + 3,
	ACCEPTED_FLITS = SENT_FLITS + 3,
	HOPS = ACCEPTED_FLITS + 3,
	OVERALL
};
/* Each of the first eight: average, minimum, maximum. */
static const char *const overall_names[] = {"Packet latency average",	    "Network latency average",
					    "Flit latency average",	    "Fragmentation average",
					    "Injected packet rate average", "Accepted packet rate average",
					    "Injected flit rate average",   "Accepted flit rate average"};

/* What nodes sent and accepted. */
enum counter { COUNT_SENT_PACKETS, COUNT_ACCEPTED_PACKETS, COUNT_SENT_FLITS, COUNT_ACCEPTED_FLITS, COUNTERS };
struct icnt_node_counts {
	uint64_t count[COUNTERS];
};

struct icnt_stats {
	struct sample packet, network, flit, fragmentation, hops;
	int64_t slowest_packet, slowest_flit; /* ids, -1: none */
	double overall[OVERALL];
	uint64_t kernels;
	uint64_t since;	    /* time at which the statistics began */
	uint64_t closed_at; /* time of the last kernel's end */
	bool closed;	    /* and nothing has happened since */
};

bool icnt_stats_init(struct icnt *n, struct timing_memory *m)
{
	n->stats = timing_take(m, 1, sizeof *n->stats);
	n->counts = timing_take(m, n->cfg.nodes, sizeof *n->counts);
	if (n->stats && n->counts)
		icnt_stats_restart(n);
	return n->stats && n->counts;
}

void icnt_stats_restart(struct icnt *n)
{
	static const struct sample none = {0};
	struct icnt_stats *s = n->stats;
	s->packet = s->network = s->flit = s->fragmentation = s->hops = none;
	s->slowest_packet = s->slowest_flit = -1;
	s->since = n->s->time;
	s->closed = false;
	for (uint32_t i = 0; i < n->cfg.nodes; i++)
		n->counts[i] = (struct icnt_node_counts){0};
	for (uint32_t i = 0; !n->kind->has_flits && i < ICNT_NETS * n->cfg.nodes; i++) {
		struct icnt_node *node = n->net[i / n->cfg.nodes].node;
		if (node)
			node[i % n->cfg.nodes].max_ideal = 0;
	}
}

static void sample_value(struct sample *s, double v)
{
	s->min = !s->n || v < s->min ? v : s->min;
	s->max = !s->n || v > s->max ? v : s->max;
	s->sum += v;
	s->n++;
}

void icnt_stats_sent(struct icnt *n, uint32_t node, bool head)
{
	n->counts[node].count[COUNT_SENT_FLITS]++;
	n->counts[node].count[COUNT_SENT_PACKETS] += head;
}

void icnt_stats_accepted(struct icnt *n, uint32_t node, bool tail)
{
	n->counts[node].count[COUNT_ACCEPTED_FLITS]++;
	n->counts[node].count[COUNT_ACCEPTED_PACKETS] += tail;
}

/* The slowest packet is the one whose network latency exceeds the highest packet latency so far (as in GPGPU-Sim 3.2.2). */
void icnt_stats_retired(struct icnt *n, const struct icnt_flit *f, const struct icnt_packet *p)
{
	struct icnt_stats *s = n->stats;
	uint32_t now = (uint32_t)n->s->clock;
	double latency = now - f->sent;
	if (s->slowest_flit < 0 || s->flit.max < latency)
		s->slowest_flit = (int64_t)(p->first_id + f->number);
	sample_value(&s->flit, latency);
	if (!f->tail)
		return;
	double network = now - p->head_sent;
	sample_value(&s->hops, f->hops);
	if (s->slowest_packet < 0 || s->packet.max < network)
		s->slowest_packet = (int64_t)p->id;
	sample_value(&s->packet, (double)(n->s->clock - p->created));
	sample_value(&s->network, network);
	sample_value(&s->fragmentation, (double)(now - p->head_arrived) - (double)f->number);
}

/* ---- figures ---- */
struct rates {
	double average, least, most;
	uint64_t sum;
	uint32_t least_at, most_at;
};

/* Nothing of nothing is a negative NaN, as on the machines GPGPU-Sim runs on. */
static double ratio(double a, double b) { return a == 0 && b == 0 ? -(double)NAN : a / b; }

static struct rates rates_of(const struct icnt *n, enum counter which)
{
	struct rates r = {.sum = n->counts[0].count[which]};
	uint64_t least = r.sum, most = least;
	double time = (double)(n->s->time - n->stats->since);
	for (uint32_t i = 1; i < n->cfg.nodes; i++) {
		uint64_t v = n->counts[i].count[which];
		r.sum += v;
		if (v < least) {
			least = v;
			r.least_at = i;
		}
		if (v > most) {
			most = v;
			r.most_at = i;
		}
	}
	r.average = ratio((double)r.sum, time) / n->cfg.nodes;
	r.least = ratio((double)least, time);
	r.most = ratio((double)most, time);
	return r;
}

static double average(const struct sample *s) { return ratio(s->sum, (double)s->n); }

static void add_sample(double *sums, const struct sample *s)
{
	sums[0] += average(s);
	sums[1] += s->n ? s->min : (double)NAN;
	sums[2] += s->n ? s->max : -(double)NAN;
}

static void add_rates(double *sums, struct rates r)
{
	sums[0] += r.average;
	sums[1] += r.least;
	sums[2] += r.most;
}

/* The sums over kernels with the present one. */
static void add_kernel(const struct icnt *n, double *sums)
{
	const struct icnt_stats *s = n->stats;
	add_sample(&sums[PACKET_LATENCY], &s->packet);
	add_sample(&sums[NETWORK_LATENCY], &s->network);
	add_sample(&sums[FLIT_LATENCY], &s->flit);
	add_sample(&sums[FRAGMENTATION], &s->fragmentation);
	add_rates(&sums[SENT_PACKETS], rates_of(n, COUNT_SENT_PACKETS));
	add_rates(&sums[ACCEPTED_PACKETS], rates_of(n, COUNT_ACCEPTED_PACKETS));
	add_rates(&sums[SENT_FLITS], rates_of(n, COUNT_SENT_FLITS));
	add_rates(&sums[ACCEPTED_FLITS], rates_of(n, COUNT_ACCEPTED_FLITS));
	sums[HOPS] += average(&s->hops);
}

void icnt_close_kernel(struct icnt *n)
{
	struct icnt_stats *s = n->stats;
	add_kernel(n, s->overall);
	s->kernels++;
	s->closed = true;
	s->closed_at = n->s->time;
}

/* The averages over kernels begin again. */
void icnt_forget_kernels(struct icnt *n)
{
	struct icnt_stats *s = n->stats;
	for (int i = 0; i < OVERALL; i++)
		s->overall[i] = 0;
	s->kernels = 0;
	s->closed = false;
}

/* ---- printout ---- */
/* As a C++ stream prints it. */
static void put_number(struct text *out, double v)
{
	if (isnan(v))
		text_add(out, signbit(v) ? "-nan" : "nan");
	else
		text_addf(out, "%g", v);
}

static void line(struct text *out, const char *name, double v)
{
	text_addf(out, "%s = ", name);
	put_number(out, v);
	text_addc(out, '\n');
}

static void print_sample(struct text *out, const char *name, const struct sample *s)
{
	line(out, name, average(s));
	if (s->n) {
		line(out, "\tminimum", s->min);
		line(out, "\tmaximum", s->max);
	} else {
		text_add(out, "\tminimum = nan\n\tmaximum = -nan\n");
	}
}

static uint64_t print_rates(const struct icnt *n, struct text *out, const char *name, enum counter which)
{
	struct rates r = rates_of(n, which);
	text_add(out, name);
	put_number(out, r.average);
	text_add(out, "\n\tminimum = ");
	put_number(out, r.least);
	text_addf(out, " (at node %u)\n\tmaximum = ", r.least_at);
	put_number(out, r.most);
	text_addf(out, " (at node %u)\n", r.most_at);
	return r.sum;
}

static void print_batch(const struct icnt *n, struct text *out)
{
	const struct icnt_stats *s = n->stats;
	text_add(out, "Class 0:\n");
	print_sample(out, "Packet latency average", &s->packet);
	print_sample(out, "Network latency average", &s->network);
	text_addf(out, "Slowest packet = %lld\n", (long long)s->slowest_packet);
	print_sample(out, "Flit latency average", &s->flit);
	text_addf(out, "Slowest flit = %lld\n", (long long)s->slowest_flit);
	print_sample(out, "Fragmentation average", &s->fragmentation);
	uint64_t sent = print_rates(n, out, "Injected packet rate average = ", COUNT_SENT_PACKETS);
	uint64_t accepted = print_rates(n, out, "Accepted packet rate average = ", COUNT_ACCEPTED_PACKETS);
	uint64_t sent_flits = print_rates(n, out, "Injected flit rate average = ", COUNT_SENT_FLITS);
	uint64_t accepted_flits = print_rates(n, out, "Accepted flit rate average= ", COUNT_ACCEPTED_FLITS);
	line(out, "Injected packet length average", ratio((double)sent_flits, (double)sent));
	line(out, "Accepted packet length average", ratio((double)accepted_flits, (double)accepted));
	text_addf(out, "Total in-flight flits = %llu (%llu measured)\n", (unsigned long long)n->s->n_live,
		  (unsigned long long)n->s->n_live);
}

static void print_overall_line(struct text *out, const char *name, double v, uint64_t kernels)
{
	text_addf(out, "%s = ", name);
	put_number(out, v);
	text_addf(out, " (%llu samples)\n", (unsigned long long)kernels);
}

static void print_overall(const struct icnt *n, struct text *out)
{
	const struct icnt_stats *s = n->stats;
	double sums[OVERALL];
	uint64_t kernels = s->kernels;
	for (int i = 0; i < OVERALL; i++)
		sums[i] = s->overall[i];
	if (!s->closed || s->closed_at != n->s->time) {
		add_kernel(n, sums);
		kernels++;
	}
	text_add(out, "====== Overall Traffic Statistics ======\n====== Traffic class 0 ======\n");
	for (int i = 0; i < HOPS; i += 3) {
		print_overall_line(out, overall_names[i / 3], sums[i] / (double)kernels, kernels);
		print_overall_line(out, "\tminimum", sums[i + 1] / (double)kernels, kernels);
		print_overall_line(out, "\tmaximum", sums[i + 2] / (double)kernels, kernels);
	}
	print_overall_line(out, "Injected packet size average", ratio(sums[SENT_FLITS], sums[SENT_PACKETS]), kernels);
	print_overall_line(out, "Accepted packet size average", ratio(sums[ACCEPTED_FLITS], sums[ACCEPTED_PACKETS]),
			   kernels);
	print_overall_line(out, "Hops average", sums[HOPS] / (double)kernels, kernels);
}

/* An ideal network has nothing but queues. */
static void print_ideal(const struct icnt *n, struct text *out)
{
	static const char *const names[ICNT_NETS] = {"requests", "replies"};
	text_addf(out, "Ideal network: %llu packets in, %llu out\n", (unsigned long long)n->s->totals.packets_in,
		  (unsigned long long)n->s->totals.packets_out);
	for (uint32_t i = 0; i < ICNT_NETS; i++)
		for (uint32_t at = 0; at < n->cfg.nodes; at++)
			if (n->net[i].node[at].max_ideal)
				text_addf(out, "Node %u: most %s waiting = %u\n", at, names[i],
					  n->net[i].node[at].max_ideal);
}

void icnt_print_stats(const struct icnt *n, struct text *out)
{
	text_add(out, "----------------------------Interconnect-DETAILS--------------------------------\n");
	if (!n->kind->has_flits) {
		print_ideal(n, out);
	} else {
		print_batch(n, out);
		print_overall(n, out);
	}
	text_add(out, "----------------------------END-of-Interconnect-DETAILS-------------------------\n");
}

bool icnt_stats_are_valid(const struct icnt *n) { return VALID_BOOL(n->stats->closed); }
