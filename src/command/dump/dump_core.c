/* `dp`: the front end of a SIMT core in GPGPU-Sim's form (manual, "Debugging"): warps, fetch, I-buffers, SIMT stacks, scoreboard, and what
 * GPGPU-Sim doesn't print: schedulers and barriers. */
#include <inttypes.h>

#include "command/dump/dump_internal.h"
#include "debug/setup/launch.h"
#include "timing/core/pipe_print.h"
#include "timing/core/scheduler.h"

/* ---- warps ---- */

static void done_digits(const struct core *c, const struct exec_warp *e, struct text *out)
{
	for (unsigned lane = 0; lane < c->cfg->warp_threads; lane++) {
		bool done = !(e->lanes >> lane & 1) || e->exited >> lane & 1;
		text_addf(out, "%s%c", lane && lane % 4 == 0 ? "," : "", done ? '1' : '0');
	}
}

static void warp_line(const struct dump_view *v, uint32_t warp, struct text *out)
{
	const struct core *c = v->c;
	const struct core_warp *w = &c->warp[warp];
	const struct exec_warp *e = dump_exec_warp(c, warp);
	uint32_t pc = e->last_pc;
	const bool runs = dump_warp_pc(c, warp, &pc);
	const uint32_t completed = c->cfg->warp_threads - lanes_count(e->lanes & ~e->exited);
	text_addf(out, "w%02u npc: 0x%04x, done:%c%c%c%c:%2u i:%u s:%u a:%u (done: ", warp, pc * (unsigned)ISA_INSN_BYTES,
		  w->done ? 'f' : ' ', w->stores ? ' ' : 's', w->in_pipeline ? ' ' : 'i', w->used ? ' ' : 'e', completed,
		  w->in_pipeline, w->stores, w->atomics);
	done_digits(c, e, out);
	text_add(out, ") active=");
	dump_lanes(runs ? exec_simt_top(c->t->exec, e)->mask : 0, false, out);
	text_addf(out, " last fetched @ %5" PRIu64 "%s\n", w->last_fetch, w->imiss ? " i-miss pending" : "");
}

void dump_warps(const struct dump_view *v, struct text *out)
{
	text_add(out, "per warp functional simulation status:\n");
	for (uint32_t w = 0; w < v->c->cfg->n_warps; w++)
		if (v->c->warp[w].used && dump_wants(v, w))
			warp_line(v, w, out);
}

/* ---- fetch, decode ---- */

void dump_l1i(const struct dump_view *v, struct text *out)
{
	const struct cache *k = v->c->l1i;
	const struct cache_config *cfg = cache_get_config(k);
	struct cache_mshr_view m;
	text_addf(out, "Cache L1I_%03u: MSHRs %u of %u, miss queue %u of %u\n", v->c->id, cache_mshr_used(k), cfg->mshr_entries,
		  cache_miss_queue_length(k), cfg->miss_queue);
	for (uint32_t i = 0; i < cache_mshr_used(k) && cache_mshr_get(k, i, &m); i++) {
		text_addf(out, "MSHR: tag=0x%06" PRIx64 ", atomic=%d %u entries : ", m.block, m.has_atomic, m.n_merged);
		dump_request_line(v, m.first, out);
	}
}

void dump_fetch(const struct dump_view *v, struct text *out)
{
	const struct core_state *s = v->c->s;
	text_add(out, "IF/ID       = ");
	if (!s->fetch_valid || !dump_wants(v, s->fetch_warp))
		text_add(out, "bubble\n");
	else
		text_addf(out, "w%2u : pc = 0x%x, nbytes = %u\n", s->fetch_warp, s->fetch_pc * (unsigned)ISA_INSN_BYTES, s->fetch_bytes);
}

void dump_ibuffer(const struct dump_view *v, struct text *out)
{
	text_add(out, "ibuffer status:\n");
	for (uint32_t k = 0; k < v->c->cfg->n_warps; k++) {
		const struct core_warp *w = &v->c->warp[k];
		if (!w->used || (!w->ibuffer[0].valid && !w->ibuffer[1].valid) || !dump_wants(v, k))
			continue;
		text_addf(out, "  ibuffer[%2u] : ", k);
		for (unsigned e = 0; e < 2; e++) {
			if (!w->ibuffer[e].valid)
				text_add(out, " <empty> ");
			else if (w->ibuffer[e].pc == REQUEST_NO_PC)
				text_add(out, " <invalid instruction> ");
			else
				text_addf(out, " [inst @ pc=0x%04x] ", w->ibuffer[e].pc * (unsigned)ISA_INSN_BYTES);
		}
		text_addc(out, '\n');
	}
}

/* ---- SIMT stacks ---- */

/* cd: entries of the stack that are of the same call or further out tell how deep it is. */
static void simt_entry(const struct dump_view *v, const struct exec_simt *e, uint32_t index, struct text *out)
{
	text_addf(out, "%2u ", index);
	dump_lanes(e->mask, true, out);
	text_addf(out, " pc: 0x%03x", e->pc * (unsigned)ISA_INSN_BYTES);
	if (e->rpc == ISA_NO_RECONV)
		text_add(out, " rp: ----");
	else
		text_addf(out, " rp: 0x%03x", e->rpc * (unsigned)ISA_INSN_BYTES);
	text_addf(out, " tp: %c cd: %2u ", e->call_depth && e->rpc == ISA_NO_RECONV ? 'C' : 'N', e->call_depth);
	dump_insn_text(v->d, e->pc, out);
	text_addc(out, '\n');
}

void dump_simt(const struct dump_view *v, struct text *out)
{
	const struct core *c = v->c;
	text_add(out, "per warp SIMT control-flow state:\n");
	for (uint32_t w = 0; w < c->cfg->n_warps; w++) {
		uint32_t pc;
		if (!dump_wants(v, w) || !dump_warp_pc(c, w, &pc))
			continue;
		const struct exec_warp *e = dump_exec_warp(c, w);
		const struct exec_simt *first = exec_simt_top(c->t->exec, e) - (e->n_simt - 1);
		for (uint32_t k = 0; k < e->n_simt; k++) {
			if (k)
				text_add(out, "    ");
			else
				text_addf(out, "w%02u ", w);
			simt_entry(v, &first[k], k, out);
		}
	}
}

/* ---- scoreboard ---- */

static void reservations(const struct dump_view *v, uint32_t warp, struct text *out)
{
	const struct core *c = v->c;
	uint32_t pc = c->warp[warp].fetch_pc;
	const struct exec_warp *e = dump_exec_warp(c, warp);
	if (!dump_warp_pc(c, warp, &pc) && e)
		pc = e->last_pc;
	text_addf(out, "  wid = %2u: ", warp);
	for (uint32_t number = 0; (number = core_next_pending(c, warp, number)) != UINT32_MAX; number++) {
		text_addf(out, "%u (", number);
		dump_register_name(v->d, pc, number, out);
		if (c->textbook)
			text_addf(out, ", ready in cycle %" PRIu64, textbook_ready(c, warp, number));
		text_addf(out, "%s) ", core_is_long(c, warp, number) ? ", long" : "");
	}
	text_addc(out, '\n');
}

void dump_scoreboard(const struct dump_view *v, struct text *out)
{
	text_addf(out, "-------------------------- Scoreboard\nscoreboard contents (sid=%u): \n", v->c->id);
	for (uint32_t w = 0; w < v->c->cfg->n_warps; w++)
		if (v->c->warp[w].used && core_next_pending(v->c, w, 0) != UINT32_MAX && dump_wants(v, w))
			reservations(v, w, out);
}

/* ---- schedulers ---- */

static void scheduler_warps(const struct dump_view *v, uint64_t warps, struct text *out)
{
	for (; warps; warps &= warps - 1) {
		uint32_t w = (uint32_t)__builtin_ctzll(warps);
		if (!dump_wants(v, w))
			continue;
		text_addf(out, "    w%02u %6" PRIu64 " issued, ", w, v->c->warp[w].n_issued);
		dump_wait_text(v, w, out);
		text_addc(out, '\n');
	}
}

static void two_levels(const struct scheduler_state *s, struct text *out)
{
	text_add(out, "    active:");
	for (uint32_t k = 0; k < s->n_active; k++)
		text_addf(out, " w%02u", s->active[k]);
	text_add(out, "; pending:");
	for (uint32_t k = 0; k < s->n_pending; k++)
		text_addf(out, " w%02u", scheduler_pending(s, k));
	text_addc(out, '\n');
}

void dump_schedulers(const struct dump_view *v, struct text *out)
{
	const struct core *c = v->c;
	text_add(out, "-------------------------- Schedulers\n");
	for (uint32_t k = 0; k < c->cfg->schedulers; k++) {
		const struct scheduler_state *s = &c->scheduler[k];
		text_addf(out, "scheduler %u (%s), issued last: ", k, c->textbook ? textbook_policy_names[c->cfg->textbook.policy] : c->rule->name);
		if (s->has_last)
			text_addf(out, "w%02u\n", s->last);
		else
			text_add(out, "nothing yet\n");
		if (c->textbook && c->textbook->free[k] > textbook_present(c))
			text_addf(out, "    dispatches until cycle %" PRIu64 "\n", c->textbook->free[k]);
		if (!c->textbook && c->rule->own && c->rule->own->levels)
			two_levels(s, out);
		scheduler_warps(v, s->mine & c->s->live, out);
	}
}

/* ---- barriers ---- */

static void barrier_line(const struct exec_cta *e, const struct core_cta *cta, uint32_t id, struct text *out)
{
	text_addf(out, "    barrier %u: ", id);
	for (unsigned waiting = 2; waiting--;) {
		const char *between = waiting ? "arrived" : "; missing";
		text_add(out, between);
		bool any = false;
		for (uint32_t k = 0; k < e->n_warps; k++) {
			const struct exec_warp *w = &e->warp[k];
			bool here = w->state == EXEC_WARP_BARRIER && w->barrier == id;
			if (here != waiting || w->state == EXEC_WARP_DONE)
				continue;
			text_addf(out, " w%02u", cta->first_warp + k);
			any = true;
		}
		text_add(out, any ? "" : " none");
	}
	for (uint32_t k = 0; k < e->n_warps; k++)
		if (e->warp[k].state == EXEC_WARP_RUNNABLE && exec_lanes_at_barrier(&e->warp[k], id))
			text_addf(out, "; of w%02u lanes 0x%08x", cta->first_warp + k, e->warp[k].barrier_lanes);
	text_addc(out, '\n');
}

void dump_barriers(const struct dump_view *v, struct text *out)
{
	const struct core *c = v->c;
	text_add(out, "-------------------------- Blocks and barriers\n");
	for (uint32_t slot = 0; slot < CORE_CTAS_MAX; slot++) {
		const struct core_cta *cta = &c->s->cta[slot];
		const struct exec_cta *e = cta->used ? &c->t->cta[cta->cta_slot] : NULL;
		if (!e || (v->has_warp && (v->warp < cta->first_warp || v->warp >= cta->first_warp + cta->n_warps)))
			continue;
		text_addf(out, "slot %u: kernel %u block (%u,%u,%u), warps w%02u to w%02u, %u threads left\n", slot, cta->launch, e->id[0],
			  e->id[1], e->id[2], cta->first_warp, cta->first_warp + cta->n_warps - 1, cta->threads_left);
		for (uint32_t id = 0; id < EXEC_BARRIERS; id++)
			if (exec_barrier_is_used(e, id))
				barrier_line(e, cta, id, out);
	}
}
