/* `why request N`: where a memory request is, since when, behind which request, and what holds it there. */
#include <inttypes.h>
#include <string.h>

#include "debug/describe.h"
#include "debug/ground/scan.h"
#include "command/why/why_internal.h"
#include "timing/ldst/ldst.h"

#define SHOWN 4u /* of those in front of it */

/* ---- where ---- */

enum where { AT_CORE, AT_CLUSTER, AT_PARTITION, AT_SUB_PARTITION, TO_PARTITION, FROM_PARTITION };
static const struct {
	enum where where;
	const char *name;
} places[REQUEST_STATUS_COUNT] = {
	[REQUEST_MEM_FETCH_INITIALIZED] = {AT_CORE, "just made"},
	[REQUEST_IN_L1I_MISS_QUEUE] = {AT_CORE, "L1I miss queue"},
	[REQUEST_IN_L1D_MISS_QUEUE] = {AT_CORE, "L1D miss queue"},
	[REQUEST_IN_L1T_MISS_QUEUE] = {AT_CORE, "L1T miss queue"},
	[REQUEST_IN_L1C_MISS_QUEUE] = {AT_CORE, "L1C miss queue"},
	[REQUEST_IN_ICNT_TO_MEM] = {TO_PARTITION, ""},
	[REQUEST_IN_PARTITION_ROP_DELAY] = {AT_SUB_PARTITION, "ROP delay queue"},
	[REQUEST_IN_PARTITION_ICNT_TO_L2_QUEUE] = {AT_SUB_PARTITION, "ICNT->L2 queue"},
	[REQUEST_IN_PARTITION_L2_TO_DRAM_QUEUE] = {AT_SUB_PARTITION, "L2->DRAM queue"},
	[REQUEST_IN_PARTITION_DRAM_LATENCY_QUEUE] = {AT_PARTITION, "DRAM latency queue"},
	[REQUEST_IN_PARTITION_L2_MISS_QUEUE] = {AT_SUB_PARTITION, "L2 miss queue"},
	[REQUEST_IN_PARTITION_MC_INTERFACE_QUEUE] = {AT_PARTITION, "DRAM controller input queue"},
	[REQUEST_IN_PARTITION_MC_INPUT_QUEUE] = {AT_PARTITION, "DRAM scheduler queue"},
	[REQUEST_IN_PARTITION_MC_BANK_ARB_QUEUE] = {AT_PARTITION, "DRAM controller input queue"},
	[REQUEST_IN_PARTITION_DRAM] = {AT_PARTITION, "DRAM"},
	[REQUEST_IN_PARTITION_MC_RETURNQ] = {AT_PARTITION, "DRAM return queue"},
	[REQUEST_IN_PARTITION_DRAM_TO_L2_QUEUE] = {AT_SUB_PARTITION, "DRAM->L2 queue"},
	[REQUEST_IN_PARTITION_L2_FILL_QUEUE] = {AT_SUB_PARTITION, "L2 fill"},
	[REQUEST_IN_PARTITION_L2_TO_ICNT_QUEUE] = {AT_SUB_PARTITION, "L2->ICNT queue"},
	[REQUEST_IN_ICNT_TO_SHADER] = {FROM_PARTITION, ""},
	[REQUEST_IN_CLUSTER_TO_SHADER_QUEUE] = {AT_CLUSTER, "response FIFO"},
	[REQUEST_IN_SHADER_LDST_RESPONSE_FIFO] = {AT_CORE, "LDST response FIFO"},
	[REQUEST_IN_SHADER_FETCHED] = {AT_CORE, "LDST unit, to be written back"},
	[REQUEST_IN_SHADER_L1T_ROB] = {AT_CORE, "L1T reorder buffer"},
};

/* ---- the queue it is in ---- */

static struct cache *l1_of(const struct core *c, unsigned which)
{
	switch (which) {
	case 0: return ldst_l1d(c);
	case 1: return ldst_l1c(c);
	case 2: return ldst_l1t(c);
	default: return c->l1i;
	}
}
static const char *const l1_names[] = {"L1D", "L1C", "L1T", "L1I"};

static uint32_t miss_queue_at(const struct cache *c, uint32_t k)
{
	return c && k < cache_miss_queue_length(c) ? cache_miss_queue_at(c, k) : 0;
}

static const struct core *core_of(const struct timing *t, const struct mem_request *m)
{
	return m->core != REQUEST_NO_CORE ? &t->core[m->core] : NULL;
}

/* The k-th request of the queue that m is in, the next to leave first; 0: there are no more, or it isn't a queue one could look into. */
static uint32_t queue_at(const struct timing *t, const struct mem_request *m, uint32_t k)
{
	const struct core *c = core_of(t, m);
	const struct fifo *f = m->cluster != REQUEST_NO_CORE ? t->cluster[m->cluster].response : NULL;
	const uint32_t sub = m->dram.sub_partition;
	switch (m->status) {
	case REQUEST_IN_L1I_MISS_QUEUE: return c ? miss_queue_at(c->l1i, k) : 0;
	case REQUEST_IN_L1D_MISS_QUEUE: return c ? miss_queue_at(ldst_l1d(c), k) : 0;
	case REQUEST_IN_L1T_MISS_QUEUE: return c ? miss_queue_at(ldst_l1t(c), k) : 0;
	case REQUEST_IN_L1C_MISS_QUEUE: return c ? miss_queue_at(ldst_l1c(c), k) : 0;
	case REQUEST_IN_PARTITION_ROP_DELAY: return sub_partition_queue_at(t->partitions, sub, 0, k);
	case REQUEST_IN_PARTITION_ICNT_TO_L2_QUEUE: return sub_partition_queue_at(t->partitions, sub, 1, k);
	case REQUEST_IN_PARTITION_L2_MISS_QUEUE: return miss_queue_at(sub_partition_l2(t->partitions, sub), k);
	case REQUEST_IN_PARTITION_L2_TO_DRAM_QUEUE: return sub_partition_queue_at(t->partitions, sub, 2, k);
	case REQUEST_IN_PARTITION_DRAM_TO_L2_QUEUE: return sub_partition_queue_at(t->partitions, sub, 3, k);
	case REQUEST_IN_PARTITION_L2_TO_ICNT_QUEUE: return sub_partition_queue_at(t->partitions, sub, 4, k);
	case REQUEST_IN_PARTITION_DRAM_LATENCY_QUEUE: return partition_latency_at(t->partitions, m->dram.channel, k);
	case REQUEST_IN_PARTITION_MC_INTERFACE_QUEUE: return partition_port_at(t->partitions, m->dram.channel, PORT_WAITING, k);
	case REQUEST_IN_CLUSTER_TO_SHADER_QUEUE: return f && k < f->n ? fifo_peek(f, k) : 0;
	case REQUEST_IN_SHADER_LDST_RESPONSE_FIFO: return c && k < ldst_response_length(c) ? ldst_response_at(c, k) : 0;
	default: return 0;
	}
}

static bool is_earlier(const struct mem_request *a, const struct mem_request *b)
{
	return a->status_time < b->status_time || (a->status_time == b->status_time && a->uid < b->uid);
}

/* In the controller there are no queues to look into: those that came to the same place before it. */
static bool came_before(const struct mem_request *a, const struct mem_request *m)
{
	if (a->dram.channel != m->dram.channel || a->status != m->status)
		return false;
	if (m->status == REQUEST_IN_PARTITION_MC_INPUT_QUEUE && a->dram.bank != m->dram.bank)
		return false;
	return is_earlier(a, m);
}

static bool is_in_controller(const struct mem_request *m)
{
	switch (m->status) {
	case REQUEST_IN_PARTITION_MC_INTERFACE_QUEUE:
	case REQUEST_IN_PARTITION_MC_INPUT_QUEUE:
	case REQUEST_IN_PARTITION_MC_RETURNQ: return true;
	default: return false;
	}
}

/* ---- a request that waits for a line that another request fetches ---- */

struct merged {
	uint32_t first; /* request that fetches the line, 0: it isn't merged */
	const char *cache;
	uint64_t block;
	bool ready; /* the line is there */
};

static struct merged merged_in(const struct timing *t, const struct cache *c, enum request_level level, uint32_t r)
{
	struct cache_mshr_view v;
	for (uint32_t k = 0; c && k < cache_mshr_used(c) && cache_mshr_get(c, k, &v); k++)
		for (uint32_t at = v.first; at; at = request_at(&t->requests, at)->mshr_next[level])
			if (at == r)
				return (struct merged){.first = v.first, .block = v.block, .ready = v.ready};
	return (struct merged){0};
}

static struct merged merged_with(const struct timing *t, uint32_t r)
{
	const struct mem_request *m = request_at(&t->requests, r);
	const struct core *c = core_of(t, m);
	struct merged g = {0};
	if (m->status == REQUEST_IN_PARTITION_ICNT_TO_L2_QUEUE) {
		g = merged_in(t, sub_partition_l2(t->partitions, m->dram.sub_partition), REQUEST_L2, r);
		g.cache = "L2";
	} else if (m->status == REQUEST_MEM_FETCH_INITIALIZED && c) {
		for (unsigned k = 0; k < 4 && !g.first; k++) {
			if (k == 2) /* a texture cache has no MSHRs but a reorder buffer */
				continue;
			g = merged_in(t, l1_of(c, k), REQUEST_L1, r);
			g.cache = l1_names[k];
		}
	}
	return g;
}

/* ---- the line ---- */

static bool is_on_way_to_l1(const struct core *c, uint32_t r)
{
	for (uint32_t k = 0; c && k < ldst_l1_length(c); k++)
		if (ldst_l1_at(c, k) == r)
			return true;
	return false;
}

static void add_place(const struct timing *t, uint32_t r, const struct merged *g, struct text *out)
{
	const struct mem_request *m = request_at(&t->requests, r);
	const enum where where = places[m->status].where;
	const char *name = places[m->status].name;
	if (where == TO_PARTITION || where == FROM_PARTITION) {
		text_addf(out,
			  where == TO_PARTITION ? "network, from cluster %u to partition %u"
						: "network, to cluster %u from partition %u",
			  m->cluster, m->dram.channel);
		return;
	}
	if (where == AT_CLUSTER)
		text_addf(out, "cluster %u, %s", m->cluster, name);
	else if (where == AT_PARTITION || where == AT_SUB_PARTITION)
		text_addf(out, "partition %u, ", m->dram.channel);
	else if (m->core != REQUEST_NO_CORE)
		text_addf(out, "core %u, ", m->core);
	if (where == AT_CLUSTER)
		return;
	if (g->first)
		text_addf(out, "%s MSHR of line 0x%" PRIx64, g->cache, g->block);
	else if (partitions_memory(t->partitions) && m->status >= REQUEST_IN_PARTITION_MC_INTERFACE_QUEUE && m->status <= REQUEST_IN_PARTITION_MC_RETURNQ)
		text_add(out, m->status == REQUEST_IN_PARTITION_DRAM ? "in the DRAM" : name);
	else if (m->status == REQUEST_IN_PARTITION_DRAM || m->status == REQUEST_IN_PARTITION_MC_INPUT_QUEUE)
		text_addf(out, "%s, bank %u", name, m->dram.bank);
	else
		text_add(out, where == AT_CORE && is_on_way_to_l1(core_of(t, m), r) ? "on its way to the L1D" : name);
}

/* Those in front of it, the first ones. */
struct behind {
	uint32_t n;
	const struct mem_request *request[SHOWN];
};

static void add_before(struct behind *b, const struct mem_request *m)
{
	if (b->n < SHOWN)
		b->request[b->n] = m;
	b->n++;
}

/* By when they came. */
static void add_by_time(struct behind *b, const struct mem_request *m)
{
	uint32_t k = b->n++;
	if (k >= SHOWN && is_earlier(m, b->request[SHOWN - 1]))
		k = SHOWN - 1;
	if (k >= SHOWN)
		return;
	for (; k && is_earlier(m, b->request[k - 1]); k--)
		b->request[k] = b->request[k - 1];
	b->request[k] = m;
}

static struct behind behind_whom(const struct timing *t, uint32_t r)
{
	const struct requests *q = &t->requests;
	const struct mem_request *m = request_at(q, r);
	struct behind b = {0};
	uint32_t at = 0;
	for (uint32_t k = 0; (at = queue_at(t, m, k)) && at != r; k++)
		add_before(&b, request_at(q, at));
	if (!at)
		b.n = 0; /* it has left the queue after which its state is called */
	if (is_in_controller(m) && !partitions_memory(t->partitions))
		for (uint32_t k = 1; k < q->s->n_used; k++)
			if (came_before(&q->at[k], m))
				add_by_time(&b, &q->at[k]);
	return b;
}

static void add_behind(const struct behind *b, struct text *out)
{
	if (!b->n)
		return;
	text_addf(out, ", behind request%s", why_plural(b->n));
	for (uint32_t k = 0; k < b->n && k < SHOWN; k++)
		text_addf(out, "%s %" PRIu64, !k ? "" : k + 1 == b->n ? " and" : ",", b->request[k]->uid);
	if (b->n > SHOWN)
		text_addf(out, " and %u more", b->n - SHOWN);
}

/* Whose queue it is, where a partition has several. */
static void add_sub_partition(const struct timing *t, const struct mem_request *m, struct text *out)
{
	if (places[m->status].where == AT_SUB_PARTITION && t->cfg->partition.subs_per_partition > 1)
		text_addf(out, " (sub-partition %u)", m->dram.sub_partition);
}

/* What keeps the first of a queue, without the sign in front of it. */
static void describe_obstacle(const struct mem_request *m, const char *obstacle, struct report *answer)
{
	if (m->status == REQUEST_IN_PARTITION_ROP_DELAY || m->status == REQUEST_IN_PARTITION_DRAM_LATENCY_QUEUE)
		report_number(answer, "until", m->ready);
	else if (*obstacle)
		report_text(answer, "obstacle", obstacle + strspn(obstacle, "; "));
}

static void describe_behind(const struct behind *b, struct report *answer)
{
	report_number(answer, "in_front", b->n);
	report_list(answer, "behind");
	for (uint32_t k = 0; k < b->n && k < SHOWN; k++)
		report_number(answer, NULL, b->request[k]->uid);
	report_close(answer);
}

/* Where it is; the line continues. */
static void add_where(struct timing *t, uint32_t r, const struct merged *g, struct report *answer)
{
	const struct mem_request *m = request_at(&t->requests, r);
	struct text place = {0};
	if (m->parts)
		text_addf(&place, "partition %u, L2, in %u part%s", m->dram.channel, m->parts, why_plural(m->parts));
	else
		add_place(t, r, g, &place);
	report_number(answer, "request", m->uid);
	report_text(answer, "place", text_str(&place));
	report_number(answer, "since", m->status_time);
	report_line(answer, "request {request}: {place} since cycle {since}");
	text_free(&place);
	report_number(answer, "partition", m->dram.channel);
	if (m->parts || places[m->status].where != AT_SUB_PARTITION)
		return;
	add_sub_partition(t, m, report_prose(answer));
	report_number(answer, "sub_partition", m->dram.sub_partition);
}

static void add_line(struct timing *t, uint32_t r, const struct merged *g, struct report *answer)
{
	const struct mem_request *m = request_at(&t->requests, r);
	struct text obstacle = {0};
	add_where(t, r, g, answer);
	if (g->first && g->first != r && !m->parts) {
		const uint64_t by = request_at(&t->requests, g->first)->uid;
		report_number(answer, g->ready ? "filled_by" : "fetched_by", by);
		report_line(answer, g->ready ? ", which request {filled_by} has filled" : ", which request {fetched_by} fetches");
	} else if (!m->parts) {
		const struct behind b = behind_whom(t, r);
		add_behind(&b, report_prose(answer));
		describe_behind(&b, answer);
		why_obstacle(t, r, &obstacle);
		report_say(answer, "%s", text_str(&obstacle));
		describe_obstacle(m, text_str(&obstacle), answer);
	}
	report_say(answer, "\n");
	text_free(&obstacle);
}

void why_request_line(struct timing *t, uint32_t r, struct report *answer)
{
	/* from an L1's MSHR perhaps to an L2's, there to the DRAM */
	for (unsigned level = 0; level <= REQUEST_LEVELS; level++) {
		const struct merged g = merged_with(t, r);
		report_open(answer, NULL);
		add_line(t, r, &g, answer);
		report_close(answer);
		if (!g.first || g.first == r || g.ready)
			return;
		r = g.first;
	}
}

/* ---- the command ---- */

static uint32_t live_request(const struct requests *q, uint64_t uid)
{
	for (uint32_t r = 1; r < q->s->n_used; r++)
		if (q->at[r].uid == uid && q->at[r].status != REQUEST_MEM_FETCH_DELETED)
			return r;
	return 0;
}

static void add_maker(struct debug *d, struct timing *t, uint32_t r, struct report *answer)
{
	const struct mem_request *m = request_at(&t->requests, r);
	report_open(answer, "made");
	report_text(answer, "type", access_type_names[m->type]);
	report_number(answer, "size", m->size);
	report_mask(answer, "address", m->address, 8);
	report_number(answer, "cycle", m->created);
	if (m->core != REQUEST_NO_CORE && m->warp != REQUEST_NO_WARP) {
		report_number(answer, "core", m->core);
		report_number(answer, "warp", m->warp);
	}
	report_line(answer, "  {type}, {size} bytes at {address}, made in cycle {cycle}[ by warp {warp} of core {core}]\n");
	if (m->pc != REQUEST_NO_PC && m->pc < t->program.n) {
		describe_place(d, answer, m->pc);
		report_lanes(answer, "lanes", m->lanes);
		report_line(answer, "  for {instruction:brief} at {ptx}[ ({source})], lanes {lanes}\n");
	}
	report_close(answer);
}

/* The parts into which an L2 of sectors has divided it. */
static void add_parts(struct timing *t, uint32_t whole, struct report *answer)
{
	const struct requests *q = &t->requests;
	for (uint32_t r = 1; r < q->s->n_used; r++)
		if (q->at[r].whole == whole && q->at[r].status != REQUEST_MEM_FETCH_DELETED)
			why_request_line(t, r, answer);
}

bool why_request(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct timing *t = observer_timing(d, "why request", why);
	uint64_t uid;
	if (!t)
		return false;
	if (!scan_u64(&args, &uid))
		return debug_fail(why, "which request? why request N");
	if (!scan_end(args, why))
		return false;
	const uint32_t r = live_request(&t->requests, uid);
	if (!r)
		return debug_fail(why, "request %" PRIu64 " is not under way (the next one will be %" PRIu64 ")", uid,
				  t->requests.s->next_uid);
	report_list(answer, "requests");
	why_request_line(t, r, answer);
	if (request_at(&t->requests, r)->parts)
		add_parts(t, r, answer);
	report_close(answer);
	add_maker(d, t, r, answer);
	return true;
}
