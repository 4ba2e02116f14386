/* Instructions in flight: where in the core one is, and where its memory requests are. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "debug/describe.h"
#include "command/why/why_internal.h"
#include "timing/core/collector.h"
#include "timing/core/pipe_print.h"
#include "timing/core/units.h"
#include "timing/ldst/ldst.h"

/* ---- requests ---- */

static int by_uid(const void *a, const void *b)
{
	const struct mem_request *const *x = a, *const *y = b;
	return (*x)->uid < (*y)->uid ? -1 : (*x)->uid > (*y)->uid;
}

typedef bool request_test(const struct mem_request *m, const void *of);

static void request_lines(struct timing *t, request_test *test, const void *of, struct report *answer)
{
	const struct requests *q = &t->requests;
	const struct mem_request **found = xcalloc(q->s->n_used + 1u, sizeof *found);
	uint32_t n = 0;
	for (uint32_t r = 1; r < q->s->n_used; r++)
		if (q->at[r].status != REQUEST_MEM_FETCH_DELETED && test(&q->at[r], of))
			found[n++] = &q->at[r];
	qsort(found, n, sizeof *found, by_uid);
	report_list(answer, "requests");
	for (uint32_t k = 0; k < n; k++)
		why_request_line(t, (uint32_t)(found[k] - q->at), answer);
	report_close(answer);
	free(found);
}

struct of_inst {
	uint32_t core, inst;
};
static bool is_of_inst(const struct mem_request *m, const void *of)
{
	const struct of_inst *i = of;
	return m->core == i->core && m->inst == i->inst;
}

struct of_warp {
	const struct why_warp *w;
	bool (*wanted)(const struct mem_request *m);
};
static bool is_of_warp(const struct mem_request *m, const void *of)
{
	const struct of_warp *f = of;
	return m->core == f->w->c->id && m->warp == f->w->number && f->wanted(m);
}

void why_requests(const struct why_warp *w, bool (*wanted)(const struct mem_request *m), struct report *answer)
{
	const struct of_warp of = {w, wanted};
	request_lines(w->t, is_of_warp, &of, answer);
}

/* ---- places in the core ---- */

static bool in_set(const struct core *c, unsigned set, uint32_t inst)
{
	const struct pipe_set *s = &c->s->pipes.set[set];
	for (uint32_t k = 0; k < pipe_width(s); k++)
		if (s->reg[k] == inst)
			return true;
	return false;
}

static bool in_collector(const struct why_warp *w, uint32_t inst, struct text *out)
{
	struct collector_unit_view u;
	for (uint32_t unit = 0; unit < collector_unit_count(w->c); unit++) {
		collector_get_unit(w->c, unit, &u);
		if (u.inst != inst)
			continue;
		text_addf(out, "in collector unit %u (%s)", unit, u.set);
		const char *between = ", still to read: ";
		for (uint32_t left = u.not_ready; left; left &= left - 1) {
			text_addf(out, "%sR%d", between,
				  core_insn(w->c, &w->c->inst[inst])->src_reg[__builtin_ctz(left)]);
			between = ", ";
		}
		if (!u.not_ready)
			text_add(out, ", all operands read");
		return true;
	}
	return false;
}

static bool in_unit(const struct core *c, uint32_t inst, struct text *out)
{
	for (uint32_t unit = 0; unit < units_count(c); unit++) {
		const char *name = unit_kind_of(c, unit)->name;
		if (unit_dispatch(c, unit) == inst) {
			text_addf(out, "in the dispatch register of %s unit %u for %u more cycle%s", name, unit,
				  c->inst[inst].dispatch, why_plural(c->inst[inst].dispatch));
			return true;
		}
		for (uint32_t stage = 0; stage < unit_stages(c, unit); stage++)
			if (unit_stage(c, unit, stage) == inst) {
				text_addf(out, "in %s unit %u, leaves in %u cycle%s", name, unit, stage + 1,
					  why_plural(stage + 1));
				return true;
			}
	}
	return false;
}

static bool in_ldst(const struct core *c, uint32_t inst, struct text *out)
{
	struct text why = {0};
	if (ldst_dispatch(c) == inst) {
		const struct inst *i = &c->inst[inst];
		if (i->space == ISA_SPACE_SHARED)
			text_addf(out, "in the LDST unit, %u more cycle%s of access", i->dispatch,
				  why_plural(i->dispatch));
		else
			text_addf(out, "in the LDST unit, %u access%s to send", i->n_accesses,
				  i->n_accesses == 1 ? "" : "es");
		if (ldst_obstacle(c, &why))
			text_addf(out, ": %s", text_str(&why));
		text_free(&why);
		return true;
	}
	for (uint32_t stage = 0; stage < c->cfg->smem_latency; stage++)
		if (ldst_shared_stage(c, stage) == inst) {
			text_addf(out, "in stage %u of the shared memory pipeline", stage);
			return true;
		}
	if (ldst_next_writeback(c) == inst)
		text_add(out, "in the LDST unit's writeback, waits for its registers' banks");
	return ldst_next_writeback(c) == inst;
}

static bool place(const struct why_warp *w, uint32_t inst, struct text *out)
{
	const struct core *c = w->c;
	const struct core_model *m = c->cfg->model;
	for (uint32_t k = 0; k < core_pipe_count(m); k++) {
		const unsigned set = core_pipe_at(m, k);
		char name[PIPE_NAME_MAX];
		if (!in_set(c, set, inst))
			continue;
		pipe_name(m, set, name);
		text_addf(out, "in pipeline register %s, %s", name,
			  set == PIPE_WB	    ? "about to be written"
			  : set >= PIPE_OUT(0) ? "in front of its unit"
					    : "in front of the operand collector");
		return true;
	}
	return in_collector(w, inst, out) || in_unit(c, inst, out) || in_ldst(c, inst, out);
}

void why_inst_places(const struct why_warp *w, uint32_t inst, struct report *answer)
{
	const struct of_inst of = {w->c->id, inst};
	struct text where = {0};
	request_lines(w->t, is_of_inst, &of, answer);
	if (place(w, inst, &where)) {
		report_say(answer, "  it is %s\n", text_str(&where));
		report_text(answer, "place", text_str(&where));
	}
	text_free(&where);
}

/* ---- a full pipeline register ---- */

/* Adds an instruction that occupies a place which the warp needs, and what it does there ("": only when it issued). */
static void describe_holder(struct debug *d, const char *place, const struct inst *i, const char *does, struct report *answer)
{
	report_open(answer, NULL);
	report_text(answer, "place", place);
	report_number(answer, "warp", i->warp);
	describe_place(d, answer, i->pc);
	report_number(answer, "issued", i->issued);
	if (*does)
		report_text(answer, "does", does);
	report_line(answer, *does ? "  {place}: {instruction:brief} at {ptx}[ ({source})] of warp {warp}, {does}\n"
				  : "  {place}: {instruction:brief} at {ptx}[ ({source})] of warp {warp}, issued in cycle {issued}\n");
	report_close(answer);
}

static void holders(const struct why_warp *w, unsigned set, struct report *answer)
{
	const struct pipe_set *s = &w->c->s->pipes.set[set];
	char name[PIPE_NAME_MAX];
	pipe_name(w->c->cfg->model, set, name);
	for (uint32_t k = 0; k < pipe_width(s); k++) {
		const struct inst *i = &w->c->inst[s->reg[k]];
		if (!s->reg[k])
			continue;
		describe_holder(w->d, name, i, "", answer);
	}
}

static void collectors(const struct why_warp *w, struct report *answer)
{
	struct collector_unit_view u;
	for (uint32_t unit = 0; unit < collector_unit_count(w->c); unit++) {
		collector_get_unit(w->c, unit, &u);
		if (!u.inst)
			continue;
		const struct inst *i = &w->c->inst[u.inst];
		const char *does = u.not_ready ? "reads its operands" : "ready, its unit takes no more";
		char name[64];
		snprintf(name, sizeof name, "collector unit %u (%s)", unit, u.set);
		describe_holder(w->d, name, i, does, answer);
	}
}

static void in_front_of_memory(const struct why_warp *w, struct report *answer)
{
	struct text does = {0}, why = {0};
	const struct inst *i = &w->c->inst[ldst_dispatch(w->c)];
	text_addf(&does, "%u accesses to send", i->n_accesses);
	if (ldst_obstacle(w->c, &why))
		text_addf(&does, ": %s", text_str(&why));
	describe_holder(w->d, "LDST unit", i, text_str(&does), answer);
	text_free(&does);
	text_free(&why);
}

void why_pipe_full(const struct why_warp *w, uint32_t pc, struct report *answer)
{
	const uint32_t takers = w->c->program->insns[pc].units, ldst = core_model_ldst(w->c->cfg->model);
	report_list(answer, "holders");
	for (uint32_t kind = 0; kind <= ldst; kind++)
		if (takers >> kind & 1)
			holders(w, PIPE_IN(kind), answer);
	collectors(w, answer);
	for (uint32_t kind = 0; kind <= ldst; kind++)
		if (takers >> kind & 1)
			holders(w, PIPE_OUT(kind), answer);
	if (takers >> ldst & 1 && ldst_dispatch(w->c))
		in_front_of_memory(w, answer);
	report_close(answer);
}
