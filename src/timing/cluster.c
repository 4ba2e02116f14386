/* A SIMT core cluster's side of the network: its port out, its response FIFO in. */
#include "timing/cluster.h"

#include "timing/ldst/ldst.h"
#include "timing/timing.h"

bool cluster_create(struct cluster *k, struct timing *t, uint32_t id, struct core *cores)
{
	const struct core_config *cfg = &t->cfg->core;
	*k = (struct cluster){.t = t, .id = id, .n_cores = cfg->cores_per_cluster, .core = cores};
	k->s = timing_take(&t->memory, 1, sizeof *k->s);
	k->response = fifo_take(&t->memory, cfg->cluster_response_fifo);
	if (!k->s || !k->response)
		return false;
	for (uint32_t n = 0; n < k->n_cores; n++)
		k->s->order[n] = n;
	k->s->next_core = k->n_cores - 1;
	return true;
}

/* Everything it has is in the arena. */
void cluster_destroy(struct cluster *k) { *k = (struct cluster){0}; }

/* Of the packet counts; the network may use another size. */
static uint32_t flits_of(const struct timing *t, uint32_t bytes)
{
	const uint32_t flit = t->cfg->core.flit_bytes;
	return (bytes + flit - 1) / flit;
}

static void record_traffic(struct traffic *f, const struct mem_request *m, uint32_t bytes)
{
	/* global atomics have a line of their own */
	uint32_t row = m->type == GLOBAL_ACC_R && m->is_atomic ? ACCESS_TYPE_COUNT : m->type;
	uint32_t size = bytes / 8 - 1;
	f->packets[row][size < TRAFFIC_SIZES ? size : TRAFFIC_SIZES - 1]++;
}

/* ---- the response FIFO ---- */
static void respond(struct cluster *k, uint32_t request)
{
	fifo_push(k->response, request);
	k->t->responding[k->id >> 6] |= UINT64_C(1) << (k->id & 63);
}

static void response_taken(struct cluster *k)
{
	fifo_pop(k->response);
	if (fifo_empty(k->response))
		k->t->responding[k->id >> 6] &= ~(UINT64_C(1) << (k->id & 63));
}

/* ---- out ---- */
bool cluster_can_inject(const struct timing *t, uint32_t cluster, uint32_t bytes, bool is_write)
{
	if (t->cfg->core.perfect_mem)
		return !fifo_full(t->cluster[cluster].response);
	return icnt_has_buffer(t->icnt, cluster, is_write ? bytes : REQUEST_CONTROL_BYTES);
}

/* The memory system that answers at once: an atomic is executed on the way, and a write is its own acknowledgement. */
static void answer_at_once(struct core *c, struct cluster *k, uint32_t request)
{
	struct mem_request *m = request_at(&c->t->requests, request);
	if (m->is_atomic)
		core_execute_atomic(c, m->inst, m->lanes);
	m->is_reply = true;
	respond(k, request);
}

void cluster_inject(struct core *c, uint32_t request, uint64_t now)
{
	struct timing *t = c->t;
	struct cluster *k = &t->cluster[c->cluster];
	struct mem_request *m = request_at(&t->requests, request);
	const uint32_t bytes = request_packet_bytes(m);
	address_decode(&t->cfg->map, m->address, &m->dram);
	k->s->n.flits_out += flits_of(t, bytes);
	if (c->cfg->perfect_mem) {
		answer_at_once(c, k, request);
		return;
	}
	c->stats->mem_out[m->type]++;
	record_traffic(&k->s->out, m, bytes);
	request_set_status(&t->requests, request, REQUEST_IN_ICNT_TO_MEM, now);
	icnt_push(t->icnt, k->id, c->cfg->n_clusters + m->dram.sub_partition, request, bytes);
}

static bool lower_full(void *core, uint32_t bytes, bool is_write)
{
	const struct core *c = core;
	return !cluster_can_inject(c->t, c->cluster, bytes, is_write);
}

static void lower_push(void *core, uint32_t request, uint64_t now) { cluster_inject(core, request, now); }

struct cache_lower cluster_lower(struct core *c)
{
	return (struct cache_lower){.self = c, .full = lower_full, .push = lower_push};
}

/* ---- in ---- */
static uint32_t log2_bin(uint64_t v, uint32_t bins)
{
	uint32_t bin = v > 1 ? 63 - (uint32_t)__builtin_clzll(v) : 0;
	return bin < bins ? bin : bins - 1;
}

/* The round trip ends where the LDST unit takes the reply. */
static void record_latency(struct timing *t, uint32_t request, uint64_t now)
{
	const struct mem_request *m = request_at(&t->requests, request);
	struct latency_stats *l = &t->s->latency;
	/* An acknowledgement of a write is never stamped when it enters the network, so its way back counts from cycle 0
	 * (GPGPU-Sim 3.2.2). */
	const uint64_t round_trip = now - m->created, back = now - m->returned;
	if (!t->cfg->memlatency_stat)
		return;
	l->window_n++;
	l->window_sum += round_trip;
	l->mf_table[log2_bin(round_trip, 32)]++;
	l->icnt2sh_table[log2_bin(back, 24)]++;
	if (round_trip > l->max_mf)
		l->max_mf = round_trip;
	if (back > l->max_icnt2sh)
		l->max_icnt2sh = back;
	if (t->log_latency)
		t->log_latency(t->log_self, request, round_trip);
	if (t->partitions)
		partitions_note_round_trip(t->partitions, request, round_trip);
}

/* The head of the response FIFO goes to its core, unless that core's LDST unit has no room. */
static void deliver(struct cluster *k, uint64_t now)
{
	const uint32_t r = fifo_top(k->response);
	const struct mem_request *m = request_at(&k->t->requests, r);
	struct core *c = &k->core[m->core - k->core[0].id];
	if (m->type == INST_ACC_R) {
		response_taken(k);
		core_wake(c);
		core_fill_instruction(c, r, now);
	} else if (!ldst_response_full(c)) {
		response_taken(k);
		core_wake(c);
		record_latency(k->t, r, now);
		ldst_fill(c, r, now);
	}
}

static void accept(struct cluster *k, uint64_t now)
{
	const uint32_t r = icnt_pop(k->t->icnt, k->id);
	if (!r)
		return;
	struct mem_request *m = request_at(&k->t->requests, r);
	const uint32_t bytes = request_packet_bytes(m);
	record_traffic(&k->s->in, m, bytes);
	k->s->n.flits_in += flits_of(k->t, bytes);
	request_set_status(&k->t->requests, r, REQUEST_IN_CLUSTER_TO_SHADER_QUEUE, now);
	respond(k, r);
}

void cluster_cycle(struct cluster *k, uint64_t now)
{
	if (!fifo_empty(k->response))
		deliver(k, now);
	if (!fifo_full(k->response) && k->t->icnt)
		accept(k, now);
}
