/* Kernels and CTAs in performance mode: kernel slots, binding cores, placing CTAs. Source: GPGPU-Sim manual "Thread block
 * scheduling", behaviour of 3.2.2. */
#include <string.h>

#include "gpu/launch/launch.h"
#include "gpu/performance/performance.h"
#include "gpu/statistics/logs.h"
#include "gpu/stream/stream_internal.h"
#include "gpu/wait/wait.h"
#include "timing/ldst/ldst.h"

#define NO_LAUNCH UINT32_MAX

/* ---- kernels ---- */

/* Core cycles after its start before a kernel has CTAs to give (4.x). */
static uint64_t launch_latency(const struct timing_config *cfg, const struct gpu_launch_info *l)
{
	return cfg->launch_latency + cfg->cta_launch_latency * l->launch.n_ctas;
}

static bool l1ds_are_idle(const struct timing *t)
{
	for (uint32_t k = 0; k < t->cfg->core.n_cores; k++) {
		const struct cache *c = ldst_l1d(&t->core[k]);
		if (c && !cache_idle(c))
			return false;
	}
	return true;
}

/* A kernel that prefers another division of the memory of L1D and shared memory waits until the machine has finished what it runs; then its
 * L1Ds begin empty. False: it waits. */
static bool choose_cache(struct gpu *g, const struct gpu_launch_info *l)
{
	struct performance *pf = g->perf;
	const struct core_config *cfg = &pf->config->core;
	const struct cache_config *const l1d[] = {[CONFIG_CACHE_DEFAULT] = &cfg->l1d,
						  [CONFIG_CACHE_L1] = &cfg->l1d_pref_l1,
						  [CONFIG_CACHE_SHARED] = &cfg->l1d_pref_shared};
	const enum config_cache choice = (enum config_cache)l->cache;
	if (choice == pf->s->cache_choice)
		return true;
	if (perf_runs_kernels(g) || !l1ds_are_idle(&pf->timing))
		return false;
	for (uint32_t k = 0; k < cfg->n_cores; k++) {
		core_wake(&pf->timing.core[k]);
		ldst_choose_l1d(&pf->timing.core[k], l1d[choice]);
	}
	pf->s->cache_choice = choice;
	return true;
}

/* A textbook machine begins with the blocks that fit on its cores, so that the first instruction issues in cycle 0. */
static void begin_on_textbook_cores(struct gpu *g)
{
	struct performance *pf = g->perf;
	if (!gpu_state(g)->n_resident)
		pf->s->last_core = pf->config->core.n_cores - 1;
	for (uint32_t k = 0; k < pf->config->core.n_cores && !gpu_state(g)->n_resident; k++)
		textbook_restart(&pf->timing.core[k]);
	perf_issue_ctas(g);
}

static void start_kernel(struct gpu *g, uint32_t slot, struct gpu_launch_info *l)
{
	struct performance *pf = g->perf;
	const uint32_t n_cores = g->n_cores;
	if (l->launch.n_ctas < (uint64_t)l->ctas_per_core * n_cores)
		l->ctas_most = (uint32_t)((l->launch.n_ctas + n_cores - 1) / n_cores);
	else
		l->ctas_most = l->ctas_per_core;
	l->state = GPU_LAUNCH_RUNNING;
	l->run = gpu_state(g)->run;
	l->latency_over = gpu_state(g)->cycle + launch_latency(pf->config, l);
	if (l->latency_over > pf->s->latency_over)
		pf->s->latency_over = l->latency_over;
	pf->slots[slot] = l->launch.id;
	pf->s->n_ctas_left++;
	pf->s->no_room = pf->lacks_memory = false;
	gpu_statistics_begin(g, l->launch.id);
	if (pf->config->core.textbook.is_on)
		begin_on_textbook_cores(g);
}

void perf_start_children(struct gpu *g)
{
	struct gpu_state *s = gpu_state(g);
	for (uint32_t slot; s->children_changed && (slot = perf_free_slot(g->perf)) < g->perf->n_slots;) {
		const uint32_t id = gpu_next_child(g, GPU_NONE);
		gpu_transition(g);
		if (id != GPU_NONE)
			start_kernel(g, slot, gpu_launch_at(g, id));
		else
			s->children_changed = false;
	}
}

bool perf_start_operation(struct gpu *g)
{
	struct performance *pf = g->perf;
	const uint32_t slot = perf_free_slot(pf);
	struct stream *s = streams_next(g, slot < pf->n_slots);
	if (!s)
		return false;
	const struct operation *o = operation_at(g, s->first);
	if (o->kind != GPU_OPERATION_LAUNCH) {
		streams_begin(g, s);
		return true;
	}
	struct gpu_launch_info *l = gpu_launch_at(g, o->launch);
	if (!pf->s->in_batch)
		perf_begin_batch(g);
	if (!choose_cache(g, l))
		return false;
	if (g->perf->s->batch_cycle != gpu_state(g)->cycle && !perf_runs_kernels(g))
		perf_begin_run(g);
	l->priority = s->priority;
	streams_begin(g, s);
	start_kernel(g, slot, l);
	return false;
}

static bool has_ctas(const struct gpu *g, uint32_t slot)
{
	const uint32_t id = g->perf->slots[slot];
	const struct gpu_launch_info *l = id == PERF_FREE_SLOT ? NULL : gpu_launch_at(g, id);
	const bool is_late = g->perf->config->core.textbook.is_on || gpu_state(g)->cycle > (l ? l->latency_over : 0);
	return l && l->ctas_started < l->launch.n_ctas && is_late;
}

/* Returns true if the launch gives no core another CTA, so that a core becomes free: a kernel of another context waits for one. Only where contexts don't
 * have the machine in turn any more. */
static bool lets_others_begin(const struct gpu *g, const struct gpu_launch_info *l)
{
	const struct performance *pf = g->perf;
	for (uint32_t k = 0; pf->s->contexts_overlap && k < pf->n_slots; k++) {
		const struct gpu_launch_info *other = has_ctas(g, k) ? gpu_launch_at(g, pf->slots[k]) : NULL;
		if (other && !other->cores_bound && other->launch.context != l->launch.context)
			return l->cores_bound > 0;
	}
	return false;
}

/* Round robin over the slots for a kernel that has CTAs to launch, beginning with the last one or with the one after it; the first of those
 * with the best priority. */
static uint32_t select_kernel(struct gpu *g)
{
	struct performance *pf = g->perf;
	uint32_t best = NO_LAUNCH;
	if (!pf->s->n_ctas_left)
		return NO_LAUNCH;
	const uint32_t first = pf->s->last_issued_kernel + !pf->config->core.rules.kernel_goes_on;
	for (uint32_t n = 0; n < pf->n_slots; n++) {
		const uint32_t k = (n + first) % pf->n_slots;
		if (!has_ctas(g, k) || lets_others_begin(g, gpu_launch_at(g, pf->slots[k])))
			continue;
		if (best == NO_LAUNCH ||
		    gpu_launch_at(g, pf->slots[k])->priority < gpu_launch_at(g, pf->slots[best])->priority)
			best = k;
	}
	if (best == NO_LAUNCH)
		return NO_LAUNCH;
	pf->s->last_issued_kernel = best;
	return pf->slots[best];
}

/* ---- CTAs ---- */

static void insert_resident(struct gpu *g, uint32_t slot)
{
	struct gpu_state *s = gpu_state(g);
	uint32_t *r = gpu_residents(g);
	r[s->n_resident++] = slot;
}

static void remove_resident(struct gpu *g, uint32_t slot)
{
	struct gpu_state *s = gpu_state(g);
	uint32_t *r = gpu_residents(g), k = 0;
	while (k < s->n_resident && r[k] != slot)
		k++;
	if (k == s->n_resident)
		return;
	s->n_resident--;
	memmove(&r[k], &r[k + 1], (s->n_resident - k) * sizeof *r);
}

static void note_watched(struct gpu *g, const struct exec_cta *c, uint32_t slot)
{
	const struct gpu_request *r = g->perf->request;
	if (!r || !r->has_warp || r->warp_launch != c->launch || r->warp_cta != c->linear)
		return;
	g->perf->timing.watch.on = true;
	g->perf->timing.watch.cta_slot = slot;
	g->perf->timing.watch.warp = r->warp_index;
	timing_ask(&g->perf->timing);
}

/* Places the launch's next CTA on the core's lowest free CTA slot. False: no memory for it. */
static bool place_cta(struct gpu *g, struct core *c, struct gpu_launch_info *l)
{
	struct gpu_state *s = gpu_state(g);
	uint32_t k = 0;
	while (c->s->cta[k].used)
		k++;
	uint32_t slot = c->id * g->device.ctas_per_core + k;
	if (!arena_use(&g->arena, g->sec_cta, (slot + 1) * sizeof(struct exec_cta)) ||
	    !arena_use(&g->arena, g->sec_resident, (s->n_resident + 1) * sizeof(uint32_t)))
		return false;
	struct exec_cta *cta = gpu_cta_at(g, slot);
	cta->core = c->id;
	cta->core_slot = k;
	if (!exec_start_cta(&g->exec, cta, slot, &l->launch, l->ctas_started))
		return false;
	if (slot >= s->n_slots)
		s->n_slots = slot + 1;
	insert_resident(g, slot);
	if (!l->ctas_started++)
		g->perf->placed_first = true;
	if (l->ctas_started == l->launch.n_ctas)
		g->perf->s->n_ctas_left--;
	g->perf->s->ctas_launched++;
	g->perf->s->counts.issued_ctas += g->perf->config->core.rules.counts_ctas;
	g->perf->s->warm = true;
	core_place_cta(c, k, slot, &l->launch, s->cycle);
	note_watched(g, cta, slot);
	return true;
}

/* Its CTA found no memory: a core that has none of the kernel's lets go of it, and tries again when others have given theirs back. */
static void unbind(struct gpu *g, struct core *c, struct gpu_launch_info *l)
{
	g->perf->lacks_memory = !gpu_state(g)->n_resident;
	if (c->s->active_ctas)
		return;
	c->s->launch = NO_LAUNCH;
	l->cores_bound--;
}

static void bind(struct gpu *g, struct core *c)
{
	uint32_t id = select_kernel(g);
	if (id == NO_LAUNCH)
		return;
	g->perf->s->no_room = false;
	c->s->launch = id;
	c->s->max_ctas = gpu_launch_at(g, id)->ctas_most;
	gpu_launch_at(g, id)->cores_bound++;
}

/* Places a CTA on a core. Returns false if the core has no room, or there is none to place. */
static bool issue_to_core(struct gpu *g, struct core *c)
{
	if (!c->s->threads_left && c->s->launch == NO_LAUNCH)
		bind(g, c);
	if (c->s->launch == NO_LAUNCH)
		return false;
	struct gpu_launch_info *l = gpu_launch_at(g, c->s->launch);
	if (l->ctas_started == l->launch.n_ctas || c->s->active_ctas >= l->ctas_most || lets_others_begin(g, l))
		return false;
	if (place_cta(g, c, l))
		return true;
	unbind(g, c, l);
	return false;
}

/* One CTA to one of the cluster's cores, if one has room. */
static bool issue_to_cluster(struct gpu *g, struct cluster *k)
{
	for (uint32_t i = 0; i < k->n_cores; i++) {
		uint32_t n = i + k->s->next_core + 1;
		n -= n < k->n_cores ? 0 : k->n_cores;
		if (!issue_to_core(g, &k->core[n]))
			continue;
		k->s->next_core = n;
		return true;
	}
	return false;
}

/* Places CTAs on textbook cores in turn, from the one after the last that got a CTA, until no core has room. */
static void issue_to_textbook_cores(struct gpu *g)
{
	struct perf_state *s = g->perf->s;
	const uint32_t n = g->perf->config->core.n_cores;
	const uint64_t most = g->device.max_cta;
	for (uint32_t full = 0; s->n_ctas_left && full < n && !(most && s->ctas_launched >= most);) {
		const uint32_t k = (s->last_core + 1 + full) % n;
		if (!issue_to_core(g, &g->perf->timing.core[k])) {
			full++;
			continue;
		}
		s->last_core = k;
		full = 0;
	}
}

void perf_issue_ctas(struct gpu *g)
{
	if (g->perf->config->core.textbook.is_on) {
		issue_to_textbook_cores(g);
		return;
	}
	struct performance *pf = g->perf;
	const uint32_t n = pf->config->core.n_clusters, last = pf->s->last_cluster_issue;
	const uint64_t most = g->device.max_cta;
	if (!pf->s->n_ctas_left || pf->s->no_room)
		return;
	pf->s->no_room = gpu_state(g)->cycle > pf->s->latency_over;
	for (uint32_t i = 0; i < n; i++) {
		if (most && pf->s->ctas_launched >= most) {
			pf->s->no_room = false;
			return;
		}
		uint32_t k = i + last + 1;
		k -= k < n ? 0 : n;
		if (!issue_to_cluster(g, &pf->timing.cluster[k]))
			continue;
		pf->s->last_cluster_issue = k;
		pf->s->no_room = false;
	}
}

uint64_t perf_under_way_until(const struct gpu *g)
{
	uint64_t until = 0;
	for (uint32_t k = 0; k < g->n_cores; k++) {
		const struct textbook_state *x = g->perf->timing.core[k].textbook;
		until = x && x->until > until ? x->until : until;
	}
	return until;
}

uint32_t perf_expected_core(const struct gpu *g, uint64_t blocks)
{
	const struct performance *pf = g->machine;
	const uint32_t n = pf->config->core.n_clusters;
	const struct cluster *k = &pf->timing.cluster[(blocks + pf->s->last_cluster_issue + 1) % n];
	return k->core[(blocks / n + k->s->next_core + 1) % k->n_cores].id;
}

/* ---- the end ---- */

static void finish_kernel(struct gpu *g, struct gpu_launch_info *l)
{
	struct performance *pf = g->perf;
	for (uint32_t k = 0; k < pf->n_slots; k++)
		if (pf->slots[k] == l->launch.id)
			pf->slots[k] = PERF_FREE_SLOT;
	gpu_state(g)->children_changed = true;
	l->ends_at = pf->config->core.textbook.is_on ? perf_under_way_until(g) : 0;
	l->waits = l->n_children;
	if (!l->waits)
		fifo_push(pf->finished, l->launch.id);
}

void perf_child_finished(struct gpu *g, const struct gpu_launch_info *l)
{
	struct gpu_launch_info *parent = gpu_launch_at(g, l->parent - 1);
	if (!parent->waits || parent->n_children)
		return;
	parent->waits = false;
	fifo_push(g->perf->finished, parent->launch.id);
}

void perf_cta_finished(void *gpu, uint32_t core, uint32_t slot, uint64_t now)
{
	struct gpu *g = gpu;
	struct core *c = &g->perf->timing.core[core];
	uint32_t cta_slot = c->s->cta[slot].cta_slot;
	struct exec_cta *cta = gpu_cta_at(g, cta_slot);
	struct gpu_launch_info *l = gpu_launch_at(g, cta->launch);
	(void)now;
	wait_end_block(g, cta_slot);
	exec_finish_cta(&g->exec, cta);
	remove_resident(g, cta_slot);
	if (g->perf->timing.watch.cta_slot == cta_slot)
		g->perf->timing.watch.on = false;
	g->perf->s->no_room = false;
	l->ctas_done++;
	gpu_state(g)->ctas_done++;
	if (c->s->active_ctas)
		return;
	c->s->launch = NO_LAUNCH;
	l->cores_bound--;
	if (l->ctas_started == l->launch.n_ctas && !l->cores_bound)
		finish_kernel(g, l);
}
