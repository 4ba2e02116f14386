/* One tick of the machine: which clock domains have an edge, and what each does, in GPGPU-Sim 3.2.2's order.
 *
 * A tick can stop between two instructions of a core's issue stage; perf_state then says where to go on. */
#include "gpu/performance/performance.h"
#include "gpu/statistics/flow_log.h"
#include "gpu/statistics/logs.h"
#include "timing/ldst/ldst.h"

#define DEADLOCK_INTERVAL 20000u
#define LIVELOCK_TEST 1000u

/* ---- clocks ---- */

/* Doubles, added up edge by edge and compared without tolerance: the order of edges is part of the model. */
static uint32_t choose_domains(struct perf_state *s, const double period[CLOCKS])
{
	uint32_t domains = 0;
	double smallest = s->next[CLOCK_CORE];
	if (s->next[CLOCK_ICNT] < smallest)
		smallest = s->next[CLOCK_ICNT];
	if (s->next[CLOCK_DRAM] < smallest)
		smallest = s->next[CLOCK_DRAM];
	/* the L2 is not in this minimum; if it is earlier it has the tick for itself */
	if (s->next[CLOCK_L2] <= smallest) {
		smallest = s->next[CLOCK_L2];
		domains |= 1u << CLOCK_L2;
		s->next[CLOCK_L2] += period[CLOCK_L2];
	}
	for (unsigned d = 0; d < CLOCKS; d++) {
		if (d == CLOCK_L2 || s->next[d] > smallest)
			continue;
		domains |= 1u << d;
		s->next[d] += period[d];
	}
	return domains;
}

/* ---- the steps ---- */

/* Of the sub-partitions from the cursor on; false: stopped after an atomic. */
static bool replies(struct gpu *g, uint64_t now)
{
	struct performance *pf = g->perf;
	struct perf_state *s = pf->s;
	struct timing *t = &pf->timing;
	const struct partition_config *cfg = &pf->config->partition;
	const uint32_t n = cfg->n_partitions * cfg->subs_per_partition, first = pf->config->core.n_clusters;
	const uint64_t *replying = sub_partitions_replying(t->partitions);
	s->in_replies = false;
	for (; s->sub_partition < n; s->sub_partition++) {
		const uint32_t k = s->sub_partition;
		if (!sub_partition_may_pop(replying, k))
			continue;
		const uint32_t r = sub_partition_top(t->partitions, k);
		struct mem_request *m = request_at(&t->requests, r);
		uint32_t bytes = request_packet_bytes(m);
		if (!icnt_has_buffer(t->icnt, first + k, bytes)) {
			s->counts.stall_icnt2sh++;
			continue;
		}
		if (!m->is_write || cfg->rules.stamps_acks)
			m->returned = now;
		if (m->is_atomic)
			core_execute_atomic(&t->core[m->core], m->inst, m->lanes);
		sub_partition_pop(t->partitions, k, now);
		icnt_push(t->icnt, first + k, m->cluster, r, bytes);
		if (t->atomic.happened) {
			s->sub_partition++;
			s->in_replies = true;
			return false;
		}
	}
	s->sub_partition = 0;
	return true;
}

/* Clusters with a reply to hand on or a packet to take; the others' cycles do nothing. */
static void clusters(struct timing *t, uint32_t n, uint64_t now)
{
	const uint64_t *arrived = t->icnt ? icnt_arrived(t->icnt) : NULL;
	for (uint32_t k = 0; k < n; k++)
		if (t->responding[k >> 6] >> (k & 63) & 1 || (arrived && icnt_may_pop(arrived, k)))
			cluster_cycle(&t->cluster[k], now);
}

static bool cluster_is_idle(const struct cluster *k)
{
	for (uint32_t i = 0; i < k->n_cores; i++)
		if (k->core[i].s->threads_left)
			return false;
	return true;
}

/* Cores of the clusters from the cursor on; false: one stopped. */
static bool cores(struct gpu *g, uint64_t now)
{
	struct performance *pf = g->perf;
	struct perf_state *s = pf->s;
	const struct core_config *cfg = &pf->config->core;
	for (; s->cluster < cfg->n_clusters; s->cluster++, s->core = 0) {
		struct cluster *k = &pf->timing.cluster[s->cluster];
		if (!s->n_ctas_left && !s->core && !s->in_tick && cluster_is_idle(k))
			continue;
		for (; s->core < k->n_cores; s->core++) {
			if (core_cycle(&k->core[k->n_cores == 1 ? 0 : k->s->order[s->core]], now) == CORE_STOPPED) {
				s->in_tick = true;
				return false;
			}
			s->in_tick = false;
		}
		if (!cfg->rotate_cores || k->n_cores == 1)
			continue;
		uint32_t head = k->s->order[0];
		for (uint32_t i = 1; i < k->n_cores; i++)
			k->s->order[i - 1] = k->s->order[i];
		k->s->order[k->n_cores - 1] = head;
	}
	s->cluster = s->core = 0;
	s->in_tick = false;
	return true;
}

/* ---- the end of a core cycle ---- */

static void flushes(struct gpu *g)
{
	struct timing *t = &g->perf->timing;
	const struct core_config *cfg = &g->perf->config->core;
	bool all_idle = true;
	for (uint32_t k = 0; k < cfg->n_clusters; k++) {
		if (!cluster_is_idle(&t->cluster[k])) {
			all_idle = false;
			continue;
		}
		for (uint32_t i = 0; g->perf->config->flush_l1 && i < cfg->cores_per_cluster; i++) {
			core_wake(&t->cluster[k].core[i]);
			ldst_flush_l1d(&t->cluster[k].core[i]);
		}
	}
	const struct timing_config *all = g->perf->config;
	/* GPGPU-Sim walks over as many L2 banks as there are partitions, not over all banks */
	const uint32_t per_partition = all->flush_l2 == 2 ? 1 : all->partition.subs_per_partition;
	if (!all->flush_l2 || !all_idle || g->perf->s->n_ctas_left)
		return;
	for (uint32_t k = 0; k < all->partition.n_partitions * per_partition; k++)
		sub_partition_flush_l2(t->partitions, k);
}

/* A window of the memory latency statistics closes. */
static void close_window(struct latency_stats *l)
{
	if (!l->window_n)
		return;
	uint64_t mean = l->window_sum / l->window_n;
	unsigned bin = mean > 1 ? 63u - (unsigned)__builtin_clzll(mean) : 0;
	l->mf_window_table[bin < 31 ? bin : 31]++;
	l->windows += l->window_n;
	l->windows_sum += l->window_sum;
	l->window_n = l->window_sum = 0;
}

static void sample_statistics(struct gpu *g)
{
	if (!g->is_silent)
		perf_take_sample(g);
	close_window(&g->perf->timing.s->latency);
	if (!g->is_silent)
		perf_print_runtime(g);
}

static void end_core_cycle(struct gpu *g)
{
	struct gpu_state *s = gpu_state(g);
	struct perf_state *p = g->perf->s;
	s->cycle++;
	perf_issue_ctas(g);
	if (__builtin_expect(s->alone.launch, 0))
		perf_alone_cycle(g);
	if (g->perf->config->flush_l1 || g->perf->config->flush_l2)
		flushes(g);
	uint64_t sim = s->cycle - p->batch_cycle;
	paths_cycle(g, sim);
	if (sim % g->perf->config->stat_sample_freq == 0)
		sample_statistics(g);
	if (s->cycle >= p->sample_due)
		perf_take_timelapse(g);
	if (g->perf->flow_log && !g->is_silent)
		flow_log_cycle(g, sim);
	if (sim % DEADLOCK_INTERVAL == 0) {
		uint64_t insns = g->perf->timing.s->sim_insn - p->batch_insns;
		if (insns == p->deadlock_insns)
			p->deadlock = config_bool(g->config, "gpgpu_deadlock_detect");
		p->deadlock_insns = insns;
		livelock_interval(g);
	}
	if (p->watchful && sim % LIVELOCK_TEST == 0 && livelock_found(g))
		p->deadlock = config_bool(g->config, "gpgpu_deadlock_detect");
}

bool perf_tick(struct gpu *g)
{
	struct performance *pf = g->perf;
	struct perf_state *s = pf->s;
	struct timing *t = &pf->timing;
	const uint64_t now = gpu_state(g)->cycle;
	const struct timing_config *cfg = pf->config;
	if (cfg->core.textbook.is_on) {
		s->domains = 1u << CLOCK_CORE;
	} else if (!s->in_tick) {
		if (!s->in_replies) {
			s->domains = choose_domains(s, cfg->period);
			if (t->icnt)
				icnt_set_core_cycle(t->icnt, now);
			if (perf_domain(s, CLOCK_CORE))
				clusters(t, cfg->core.n_clusters, now);
		}
		if (perf_domain(s, CLOCK_ICNT) && t->icnt && !replies(g, now))
			return false;
		if (perf_domain(s, CLOCK_DRAM))
			partitions_dram_cycle(t->partitions, now);
		if (perf_domain(s, CLOCK_L2))
			s->counts.stall_dramfull += sub_partitions_cycle(t->partitions, t->icnt, cfg->core.n_clusters, now);
		if (perf_domain(s, CLOCK_ICNT) && t->icnt)
			icnt_cycle(t->icnt, now);
	}
	if (perf_domain(s, CLOCK_CORE)) {
		if (!cores(g, now))
			return false;
		end_core_cycle(g);
	}
	if (t->observer.on_tick)
		t->observer.on_tick(t->observer.self, s->domains, now);
	s->ticks++;
	return true;
}

bool perf_active(const struct gpu *g)
{
	const struct performance *pf = g->perf;
	const struct timing *t = &pf->timing;
	if (pf->s->n_ctas_left || (pf->config->core.textbook.is_on && gpu_state(g)->cycle < perf_under_way_until(g)))
		return true;
	for (uint32_t k = 0; k < pf->config->core.n_cores; k++)
		if (t->core[k].s->threads_left)
			return true;
	for (uint32_t k = 0; k < pf->config->partition.n_partitions; k++)
		if (partition_busy(t->partitions, k))
			return true;
	return t->icnt && icnt_busy(t->icnt);
}

void perf_begin_run(struct gpu *g)
{
	struct performance *pf = g->perf;
	struct gpu_state *s = gpu_state(g);
	struct gpu_stats all;
	s->run_cycle = s->cycle;
	s->run_insns = pf->timing.s->sim_insn;
	close_window(&pf->timing.s->latency); /* 3.2.2 closes it when it has printed what the run before counted */
	perf_get_stats(g, &all);
	s->run_warp_insns = all.tot_warp_insns;
	if (pf->timing.icnt)
		icnt_begin_kernel(pf->timing.icnt);
	s->run++;
}

void perf_begin_batch(struct gpu *g)
{
	struct performance *pf = g->perf;
	struct gpu_state *s = gpu_state(g);
	perf_begin_run(g);
	pf->s->batch_cycle = s->cycle;
	pf->s->batch_insns = pf->timing.s->sim_insn;
	pf->s->deadlock_insns = 0;
	pf->s->ctas_launched = 0;
	pf->s->no_room = false;
	for (unsigned d = 0; d < CLOCKS; d++)
		pf->s->next[d] = 0;
	for (uint32_t k = 0; k < pf->config->core.n_cores; k++)
		core_restart(&pf->timing.core[k]);
	if (pf->timing.icnt)
		icnt_restart(pf->timing.icnt);
	partitions_restart(pf->timing.partitions, s->cycle);
	pf->s->in_batch = true;
	perf_begin_logs(g);
}
