/* `dp`: the back end of a SIMT core in GPGPU-Sim's form (manual, "Debugging"): operand collector, pipeline registers, units, LDST unit,
 * writeback, and its cluster's response FIFO. */
#include <inttypes.h>
#include <string.h>

#include "command/dump/dump_internal.h"
#include "timing/cache/cache_print.h"
#include "timing/core/collector.h"
#include "timing/ldst/ldst.h"
#include "timing/core/pipe_print.h"
#include "timing/core/units.h"

/* ---- collector, pipeline registers ---- */

static void collector_unit(const struct dump_view *v, uint32_t unit, struct text *out)
{
	struct collector_unit_view u;
	collector_get_unit(v->c, unit, &u);
	if (v->has_warp && (!u.inst || v->c->inst[u.inst].warp != v->warp))
		return;
	text_addf(out, "   CU-%2u %-3s: ", unit, u.set);
	if (!u.inst) {
		text_add(out, "<free>\n");
		return;
	}
	dump_inst_line(v, u.inst, out);
	text_addc(out, '\n');
	for (uint32_t left = u.not_ready; left; left &= left - 1)
		text_addf(out, "    'R%d' not ready\n", core_insn(v->c, &v->c->inst[u.inst])->src_reg[__builtin_ctz(left)]);
}

void dump_collector(const struct dump_view *v, struct text *out)
{
	text_add(out, "-------------------------- OP COL\nOperand Collector State:\n");
	for (uint32_t unit = 0; unit < collector_unit_count(v->c); unit++)
		collector_unit(v, unit, out);
	if (!v->has_warp)
		collector_print_arbiter(v->c, out);
}

static void pipe_set(const struct dump_view *v, unsigned set, struct text *out)
{
	const struct pipe_set *s = &v->c->s->pipes.set[set];
	for (uint32_t k = 0; k < pipe_width(s); k++) {
		if (v->has_warp && (!s->reg[k] || v->c->inst[s->reg[k]].warp != v->warp))
			continue;
		text_add(out, "     ");
		dump_inst_line(v, s->reg[k], out);
		text_addc(out, '\n');
	}
}

void dump_pipe_regs(const struct dump_view *v, struct text *out)
{
	text_add(out, "-------------------------- Pipe Regs\n");
	const struct core_model *m = v->c->cfg->model;
	for (uint32_t k = 0; k < core_pipe_count(m); k++) {
		char name[PIPE_NAME_MAX];
		pipe_name(m, core_pipe_at(m, k), name);
		text_addf(out, "--- %s ---\n", name);
		pipe_set(v, core_pipe_at(m, k), out);
	}
}

/* ---- pipelines ---- */

/* An instruction as `dp` shows it: with a warp given, others' are none. */
static uint32_t shown(const struct dump_view *v, uint32_t inst)
{
	return inst && dump_wants(v, v->c->inst[inst].warp) ? inst : 0;
}

static void unit_lines(const struct dump_view *v, uint32_t unit, struct text *out)
{
	const char *name = unit_kind_of(v->c, unit)->name;
	text_addf(out, "%s dispatch= ", name);
	dump_inst_line(v, shown(v, unit_dispatch(v->c, unit)), out);
	text_addc(out, '\n');
	for (uint32_t stage = unit_stages(v->c, unit); stage--;) {
		uint32_t inst = shown(v, unit_stage(v->c, unit, stage));
		if (!inst)
			continue;
		text_addf(out, "      %s[%2u] ", name, stage);
		dump_inst_line(v, inst, out);
		text_addc(out, '\n');
	}
}

void dump_pipelines(const struct dump_view *v, uint32_t kind, struct text *out)
{
	if (!kind)
		text_add(out, "-------------------------- Fu\n");
	for (uint32_t unit = 0; unit < units_count(v->c); unit++)
		if (unit_kind_of(v->c, unit) == &v->c->cfg->model->units[kind])
			unit_lines(v, unit, out);
}

/* ---- LDST unit ---- */

static const char *stall_name(enum stall_reason r)
{
	static const char *const names[STALL_REASONS] = {
		[STALL_NONE] = "none",		       [STALL_BK_CONF] = "BK_CONF",
		[STALL_MSHR_RC_FAIL] = "MSHR_RC_FAIL", [STALL_ICNT_RC_FAIL] = "ICNT_RC_FAIL",
		[STALL_COAL_STALL] = "COAL_STALL",     [STALL_DATA_PORT] = "DATA_PORT_STALL",
		[STALL_WB_ICNT_RC_FAIL] = "WB_ICNT_RC_FAIL", [STALL_WB_CACHE_RSRV_FAIL] = "WB_CACHE_RSRV_FAIL", [STALL_STREAM_READ] = "STREAM_BUFFER_READ_STALL",
		[STALL_STREAM_WRITE] = "STREAM_BUFFER_WRITE_STALL",
	};
	return names[r];
}

static void accesses(const struct dump_view *v, uint32_t inst, struct text *out)
{
	const struct core *c = v->c;
	for (uint32_t a = inst ? c->inst[inst].accesses : 0; a; a = c->access[a].next)
		text_addf(out, "      to send: %s 0x%08" PRIx64 ", %u bytes, %s, lanes 0x%08x\n", c->access[a].is_write ? "store" : "load ",
			  c->access[a].address, c->access[a].size, access_type_names[c->access[a].type], c->access[a].lanes);
}

static void obstacle(const struct dump_view *v, uint32_t inst, struct text *out)
{
	struct text why = {0};
	if (inst && ldst_obstacle(v->c, &why))
		text_addf(out, "      waits  : %s\n", text_str(&why));
	text_free(&why);
}

static void inst_field(const struct dump_view *v, const char *name, uint32_t inst, struct text *out)
{
	text_add(out, name);
	dump_inst_line(v, shown(v, inst), out);
	text_addc(out, '\n');
}

/* Loads whose data have not all come: registers and how many accesses each still waits for. */
static void pending_writes(const struct dump_view *v, struct text *out)
{
	const struct core *c = v->c;
	text_add(out, "Pending register writes:\n");
	for (uint32_t w = 0; w < c->cfg->n_warps; w++) {
		bool any = false;
		for (uint32_t k = 1; k <= c->s->n_insts && dump_wants(v, w); k++) {
			const struct inst *i = &c->inst[k];
			const struct timing_insn *ti = core_insn(c, i);
			if (!i->used || !i->pending || i->warp != w || !ti->n_out)
				continue;
			if (!any)
				text_addf(out, "  w%02u :", w);
			any = true;
			for (unsigned o = 0; o < ti->n_out; o++) {
				text_addc(out, ' ');
				dump_register_name(v->d, i->pc, ti->out[o], out);
				text_addf(out, "(%u)", i->pending);
			}
		}
		if (any)
			text_addc(out, '\n');
	}
}

static bool is_wanted(const struct dump_view *v, uint32_t request)
{
	return dump_wants(v, request_at(&v->t->requests, request)->warp);
}

/* One of the requests that wait for the line is the warp's. */
static bool any_wanted(const struct dump_view *v, const struct cache_mshr_view *m)
{
	uint32_t r = m->first;
	for (uint32_t k = 0; k < m->n_merged; k++, r = request_at(&v->t->requests, r)->mshr_next[REQUEST_L1])
		if (is_wanted(v, r))
			return true;
	return false;
}

static void cache_lines_of(const struct dump_view *v, const char *name, const struct cache *k, struct text *out)
{
	struct cache_mshr_view m;
	if (!k) {
		text_addf(out, "Cache %s_%03u: none\n", name, v->c->id);
		return;
	}
	const struct cache_config *cfg = cache_get_config(k);
	text_addf(out, "Cache %s_%03u: MSHRs %u of %u, miss queue %u of %u\n", name, v->c->id, cache_mshr_used(k), cfg->mshr_entries,
		  cache_miss_queue_length(k), cfg->miss_queue);
	for (uint32_t i = 0; i < cache_mshr_used(k) && cache_mshr_get(k, i, &m); i++) {
		if (v->has_warp && !any_wanted(v, &m))
			continue;
		text_addf(out, "MSHR: tag=0x%06" PRIx64 ", atomic=%d %u entries : ", m.block, m.has_atomic, m.n_merged);
		dump_request_line(v, m.first, out);
	}
}

/* A texture cache's FIFOs. */
static void texture_lines(const struct dump_view *v, const struct cache *k, struct text *out)
{
	struct cache_mshr_view m;
	struct cache_texture_view t;
	if (!k) {
		text_addf(out, "Cache L1T_%03u: none\n", v->c->id);
		return;
	}
	const struct cache_config *cfg = cache_get_config(k);
	cache_texture_get(k, &t);
	text_addf(out, "Cache L1T_%03u: fragment FIFO %u of %u, request FIFO %u of %u, reorder buffer %u of %u, result FIFO %u of %u\n",
		  v->c->id, t.n_fragments, cfg->mshr_entries, cache_miss_queue_length(k), cfg->mshr_merge, cache_mshr_used(k),
		  cfg->miss_queue, t.n_results, cfg->result_fifo);
	if (t.oldest && is_wanted(v, t.oldest)) {
		text_addf(out, "oldest fragment : %s ", t.oldest_missed ? "miss" : "hit ");
		dump_request_line(v, t.oldest, out);
	}
	for (uint32_t i = 0; i < cache_mshr_used(k) && cache_mshr_get(k, i, &m); i++) {
		text_addf(out, "tex rob[%3u] : %s [line 0x%08" PRIx64 "] ", i, m.ready ? "ready  " : "pending", m.block);
		if (m.first)
			dump_request_line(v, m.first, out);
		else
			text_addc(out, '\n');
	}
}

static void response_fifo(const struct dump_view *v, struct text *out)
{
	const uint32_t n = ldst_response_length(v->c);
	text_addf(out, "LD/ST response FIFO (occupancy = %u):\n", n);
	for (uint32_t k = 0; k < n; k++)
		if (is_wanted(v, ldst_response_at(v->c, k)))
			dump_request_line(v, ldst_response_at(v->c, k), out);
}

static void last_writeback(const char *what, uint64_t cycle, struct text *out)
{
	if (cycle)
		text_addf(out, "Last %s writeback @ %" PRIu64 "\n", what, cycle);
	else
		text_addf(out, "Last %s writeback: none yet\n", what);
}

/* Accesses that have not reached the L1D's tags yet (-gpgpu_l1_latency). */
static void on_their_way(const struct dump_view *v, struct text *out)
{
	const uint32_t n = ldst_l1_length(v->c);
	if (!v->c->cfg->l1_latency)
		return;
	text_addf(out, "On their way to the L1D (occupancy = %u):\n", n);
	for (uint32_t k = 0; k < n; k++)
		if (is_wanted(v, ldst_l1_at(v->c, k)))
			dump_request_line(v, ldst_l1_at(v->c, k), out);
}

static void lines_of(const struct dump_view *v, const char *name, const struct cache *k, struct text *out)
{
	if (k && v->tags)
		cache_print_lines(name, k, out);
}

void dump_l1d(const struct dump_view *v, struct text *out)
{
	cache_lines_of(v, "L1D", ldst_l1d(v->c), out);
	lines_of(v, "L1D", ldst_l1d(v->c), out);
}

void dump_l1c(const struct dump_view *v, struct text *out)
{
	cache_lines_of(v, "L1C", ldst_l1c(v->c), out);
	lines_of(v, "L1C", ldst_l1c(v->c), out);
}

void dump_l1t(const struct dump_view *v, struct text *out)
{
	texture_lines(v, ldst_l1t(v->c), out);
	lines_of(v, "L1T", ldst_l1t(v->c), out);
}

void dump_ldst(const struct dump_view *v, struct text *out)
{
	const struct core *c = v->c;
	inst_field(v, "LD/ST unit  = ", ldst_dispatch(c), out);
	accesses(v, shown(v, ldst_dispatch(c)), out);
	obstacle(v, shown(v, ldst_dispatch(c)), out);
	text_addf(out, "LD/ST stall condition: %s\n", stall_name(ldst_stall_reason(c)));
	for (uint32_t stage = c->cfg->smem_latency; stage--;)
		if (shown(v, ldst_shared_stage(c, stage))) {
			text_addf(out, "      SHMEM[%u] ", stage);
			inst_field(v, "", ldst_shared_stage(c, stage), out);
		}
	on_their_way(v, out);
	inst_field(v, "LD/ST wb    = ", ldst_next_writeback(c), out);
	last_writeback("LD/ST", ldst_last_writeback(c), out);
	pending_writes(v, out);
	dump_l1c(v, out);
	dump_l1t(v, out);
	dump_l1d(v, out);
	response_fifo(v, out);
}

/* ---- writeback, cluster ---- */

static void active_threads(const struct dump_view *v, struct text *out)
{
	const struct core *c = v->c;
	text_add(out, "Active Threads : ");
	for (uint32_t w = 0; w < c->cfg->n_warps; w++) {
		const struct exec_warp *e = dump_exec_warp(c, w);
		if (!e || !(e->lanes & ~e->exited))
			continue;
		text_addf(out, "\n  %u:  ", w);
		for (unsigned lane = 0; lane < LANES; lane++)
			if ((e->lanes & ~e->exited) >> lane & 1)
				text_addf(out, "%u ", w * c->cfg->warp_threads + lane);
	}
	text_addc(out, '\n');
}

void dump_writeback(const struct dump_view *v, struct text *out)
{
	text_add(out, "-------------------------- other:\n");
	result_buses_print(v->c, out);
	text_add(out, "EX/WB      = ");
	if (!(v->c->s->pipes.used >> PIPE_WB & 1))
		text_add(out, "bubble\n");
	else {
		text_addc(out, '\n');
		pipe_set(v, PIPE_WB, out);
	}
	last_writeback("EX/WB", v->c->s->cycle_of_last_writeback, out);
	if (v->c->s->threads_left <= 2 * v->c->cfg->warp_threads && !v->has_warp)
		active_threads(v, out);
}

void dump_cluster(const struct dump_view *v, struct text *out)
{
	const struct cluster *k = &v->t->cluster[v->c->cluster];
	text_addf(out, "Cluster %u pipeline state\nResponse FIFO (occupancy = %u):\n", k->id, k->response->n);
	for (uint32_t i = 0; i < k->response->n; i++) {
		const uint32_t r = fifo_peek(k->response, i);
		if (dump_wants(v, request_at(&v->t->requests, r)->warp))
			dump_request_line(v, r, out);
	}
}
