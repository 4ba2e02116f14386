/* Branches that varying values decide (prove.c). A path that isn't taken in this round may be taken in another one.
 *
 * If the instructions between the branch and where its paths meet only write registers, these vary from then on. Else each path is run aside
 * (exec/speculate.h), with the branch forced to go there: what it writes to registers and local memory varies, too. Branches inside that varying
 * values decide are looked at in the same way; a loop is run until nothing more is found to vary. A path that writes memory of others, or leaves the
 * loop, ends the proof; what it reads of that memory is what the warp waits for, too. */
#include <stdlib.h>
#include <string.h>

#include "base/toolkit.h"
#include "base/xalloc.h"
#include "exec/speculate.h"
#include "gpu/wait/prove_internal.h"
#include "isa/handlers.h"
#include "isa/opcodes.h"

#define REGION_MOST 128u  /* instructions between a branch and where its paths meet */
#define DEPTH_MOST 16u	  /* branches inside of each other */
#define STEPS_MOST 50000u /* instructions that are run aside */

/* ---- by the code ---- */

/* The instructions that the paths of a branch execute until they meet. */
struct region {
	uint32_t pc[REGION_MOST], n;
};

static bool add_place(struct region *r, uint32_t pc, uint32_t end)
{
	if (pc == end)
		return true;
	for (uint32_t k = 0; k < r->n; k++)
		if (r->pc[k] == pc)
			return true;
	if (r->n == REGION_MOST)
		return false;
	r->pc[r->n++] = pc;
	return true;
}

/* Returns true if executing the instruction or not changes nothing but registers. */
static bool is_harmless(const struct isa_insn *i)
{
	const unsigned family = isa_opcode_info[i->opcode].family;
	if (family == ISA_FAMILY_ALU || family == ISA_FAMILY_BRANCH)
		return i->handler != ISA_H_brx_idx && !(i->flags & ISA_F_CC && family == ISA_FAMILY_ALU);
	return i->opcode == ISA_OP_NANOSLEEP || i->opcode == ISA_OP_MEMBAR || i->opcode == ISA_OP_FENCE ||
	       (i->opcode == ISA_OP_LD && (i->space == ISA_SPACE_PARAM || i->space == ISA_SPACE_CONST) && !(i->flags & ISA_F_PARAM));
}

/* Returns true if all paths of the branch stay in the loop and change nothing but registers: which vary then. */
static bool changes_registers_only(struct gpu *g)
{
	const struct gpu_probe *pr = prove_probe(g);
	const struct isa_program *p = &g->program;
	const struct isa_insn *i = &p->insns[pr->at_pc];
	struct region r = {.n = 0};
	if (!add_place(&r, i->target, i->reconv) || !add_place(&r, pr->at_pc + 1, i->reconv))
		return false;
	for (uint32_t k = 0; k < r.n; k++) {
		const struct isa_insn *next = &p->insns[r.pc[k]];
		const bool branches = isa_opcode_info[next->opcode].family == ISA_FAMILY_BRANCH;
		if (!is_harmless(next) || (branches && !add_place(&r, next->target, i->reconv)) ||
		    (!(branches && next->guard == ISA_PRED_TRUE) && !add_place(&r, r.pc[k] + 1, i->reconv)))
			return false;
	}
	bool ok = true;
	for (uint32_t k = 0; ok && k < r.n; k++) {
		const struct isa_where *w = &p->where[r.pc[k]];
		for (uint32_t n = 0; ok && n < w->n_writes; n++) {
			const uint64_t key = prove_key(pr->at_frame, p->rw[w->rw + n]);
			ok = key == UINT64_MAX || prove_note_written(g, key, pr->at_active);
		}
	}
	return ok;
}

/* ---- by running both paths ---- */

/* What a table held. */
struct kept {
	struct prove_entry *entry;
	uint32_t n;
};

struct branch {
	uint32_t pc, n_simt;
	struct kept varying; /* when it was looked at */
};

struct search {
	struct gpu *g;
	struct branch branch[DEPTH_MOST];
	uint32_t depth;
	uint32_t steps;
};

static struct kept keep(const struct prove_entry *t, uint32_t n)
{
	struct kept k = {xcalloc(n + 1u, sizeof *t), n};
	memcpy(k.entry, t, n * sizeof *t);
	return k;
}

static void put_back(const struct kept *k, struct prove_entry *t, uint32_t *n)
{
	memcpy(t, k->entry, k->n * sizeof *t);
	*n = k->n;
}

static bool is_branch(const struct isa_insn *i, uint32_t n_insns)
{
	return (i->handler == ISA_H_bra || i->handler == ISA_H_bra_uni) && i->guard != ISA_PRED_TRUE && i->reconv < n_insns;
}

/* How a path ends: it has effects on others; it meets the other one; nothing more
 * comes of it, as it is the next round of a loop that was looked at. */
enum way { WAY_FAILS, WAY_MEETS, WAY_RECURS };

static enum way look_both_ways(struct search *s, bool *taken);

/* Lets all lanes take the branch at which the warp stands, or none. */
static void force(const struct gpu *g, bool taken)
{
	const struct exec_simt *top = exec_simt_top(&g->exec, prove_warp(g));
	const uint32_t guard = g->program.insns[top->pc].guard;
	exec_preds(&g->exec, top->frame)[ISA_PRED_SLOT(guard)] = taken != (guard >> 31 != 0) ? LANES_ALL : 0;
}

/* Executes the next instruction aside. Returns false if it has effects on others. */
static bool step(struct search *s, struct exec_speculation *a)
{
	struct exec *x = &s->g->exec;
	const uint64_t stores = x->n_stores;
	const uint32_t exited = prove_warp(s->g)->exited;
	return s->steps++ < STEPS_MOST && exec_speculation_step(a) && x->n_stores == stores && prove_warp(s->g)->exited == exited && prove_flow(s->g);
}

/* The warp stands at a branch that varying values decide. Returns true if its paths are being looked at already, and no more varies than when that
 * began. If more varies, all that varied then does, too. */
static bool recurs(struct search *s, uint32_t pc, uint32_t n_simt)
{
	struct gpu *g = s->g;
	prove_drop_dead(g);
	for (uint32_t k = s->depth; k-- > 0;) {
		const struct branch *b = &s->branch[k];
		bool all = true;
		if (b->pc != pc || b->n_simt != n_simt)
			continue;
		for (uint32_t n = 0; all && n < prove_probe(g)->n_varying; n++) {
			const struct prove_entry *now = &prove_varying(g)[n], *then = prove_find(b->varying.entry, b->varying.n, now->key);
			all = !(now->lanes & ~(then ? then->lanes : 0));
		}
		for (uint32_t n = 0; !all && n < b->varying.n; n++)
			prove_add(g, b->varying.entry[n].key, (uint32_t)b->varying.entry[n].lanes);
		return all;
	}
	return false;
}

/* Returns true if the instruction is where an assertion of a header of the toolkit fails: these are taken to hold. */
static bool is_toolkit_assertion(const struct isa_program *p, uint32_t pc)
{
	const struct isa_insn *i = &p->insns[pc];
	const uint32_t loc = p->where[pc].loc;
	return i->handler == ISA_H_call && i->target < p->n_functions && !strcmp(p->functions[i->target]->name, "__assert_fail") && loc < p->n_locs &&
	       p->locs[loc].file < p->n_files && toolkit_is_header(p->files[p->locs[loc].file].name);
}

/* Runs the path on which the warp is until it comes to `meeting`. */
static enum way run_way(struct search *s, struct exec_speculation *a, uint32_t meeting, uint32_t n_simt)
{
	struct gpu *g = s->g;
	const struct exec_warp *w = prove_warp(g);
	for (;;) {
		const uint32_t pc = exec_simt_top(&g->exec, w)->pc;
		bool taken;
		if (w->n_simt < n_simt || (w->n_simt == n_simt && pc == meeting))
			return WAY_MEETS;
		if (is_toolkit_assertion(&g->program, pc))
			return WAY_RECURS;
		if (!exec_speculation_may_step(a))
			return WAY_FAILS;
		prove_note(g);
		if (prove_branch_varies(g)) {
			const enum way inner = recurs(s, pc, w->n_simt) ? WAY_RECURS : look_both_ways(s, &taken);
			if (inner != WAY_MEETS)
				return inner;
			force(g, taken);
			prove_note(g);
		}
		if (!step(s, a))
			return WAY_FAILS;
	}
}

static enum way look_one_way(struct search *s, bool taken)
{
	struct gpu *g = s->g;
	const struct exec_warp *w = prove_warp(g);
	const uint32_t meeting = g->program.insns[exec_simt_top(&g->exec, w)->pc].reconv, n_simt = w->n_simt;
	struct exec_speculation *a = exec_speculation_begin(&g->exec, gpu_cta_at(g, w->cta), w->index);
	force(g, taken);
	prove_note(g);
	const enum way end = step(s, a) ? run_way(s, a, meeting, n_simt) : WAY_FAILS;
	exec_speculation_end(a);
	prove_drop_dead(g);
	return end;
}

/* Looks at both paths of the branch at which the warp stands. *taken: the shorter one of those that meet. Afterwards the table of what is written has
 * what both of them write; what varies is as before. */
static enum way look_at_ways(struct search *s, bool *taken)
{
	struct gpu *g = s->g;
	struct gpu_probe *pr = prove_probe(g);
	const struct exec_warp *w = prove_warp(g);
	const uint32_t pc = exec_simt_top(&g->exec, w)->pc;
	uint32_t least = UINT32_MAX;
	if (s->depth == DEPTH_MOST || !is_branch(&g->program.insns[pc], g->program.n_insns))
		return WAY_FAILS;
	const struct kept varying = keep(prove_varying(g), pr->n_varying);
	s->branch[s->depth++] = (struct branch){pc, w->n_simt, varying};
	enum way both = WAY_RECURS;
	pr->n_written = 0;
	for (uint32_t way = 0; way < 2 && both != WAY_FAILS; way++) {
		const uint32_t from = s->steps;
		const enum way end = look_one_way(s, way);
		if (end == WAY_MEETS && s->steps - from < least) {
			least = s->steps - from;
			*taken = way;
		}
		both = end == WAY_RECURS ? both : end;
		put_back(&varying, prove_varying(g), &pr->n_varying);
	}
	s->depth--;
	free(varying.entry);
	return both;
}

/* The same for a branch within a path. What is written between it and where its paths meet varies then. */
static enum way look_both_ways(struct search *s, bool *taken)
{
	struct gpu *g = s->g;
	struct gpu_probe *pr = prove_probe(g);
	const struct kept before = keep(prove_written(g), pr->n_written);
	enum way end = look_at_ways(s, taken);
	if (end != WAY_FAILS && !prove_add_written(g))
		end = WAY_FAILS;
	for (uint32_t k = 0; k < before.n; k++)
		if (!prove_note_written(g, before.entry[k].key, (uint32_t)before.entry[k].lanes))
			end = WAY_FAILS;
	free(before.entry);
	return end;
}

static bool changes_own_state_only(struct gpu *g)
{
	struct gpu_probe *pr = prove_probe(g);
	struct search s = {.g = g};
	bool taken;
	pr->looks = true;
	const bool ok = look_at_ways(&s, &taken) == WAY_MEETS;
	pr->looks = false;
	pr->looked += s.steps;
	prove_note(g);
	return ok;
}

void prove_explore_region(struct gpu *g)
{
	struct gpu_probe *pr = prove_probe(g);
	const struct isa_insn *i = &g->program.insns[pr->at_pc];
	pr->n_written = 0;
	pr->may_enter = is_branch(i, g->program.n_insns) && (changes_registers_only(g) || changes_own_state_only(g));
}

bool prove_enter_region(struct gpu *g)
{
	struct gpu_probe *pr = prove_probe(g);
	if (pr->in_region)
		return true; /* the region around it has been looked at as a whole */
	pr->in_region = pr->may_enter;
	pr->region_pc = g->program.insns[pr->at_pc].reconv;
	pr->region_simt = prove_warp(g)->n_simt;
	return pr->may_enter;
}
