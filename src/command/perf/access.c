/* What a warp's load, store or atomic asks of memory: the one it stands in front of, or the one it has executed last. */
#include "command/perf/access.h"

#include <stdlib.h>
#include <string.h>

#include "command/perf/access_picture.h"
#include "command/state.h"
#include "debug/ground/scan.h"
#include "debug/view/source.h"
#include "debug/view/focus.h"
#include "debug/view/view.h"
#include "exec/ahead.h"
#include "isa/opcodes.h"

/* ---- addresses ---- */

/* ---- an access ---- */

static bool is_access(const struct isa_insn *i)
{
	const uint8_t family = isa_opcode_info[i->opcode].family;
	return (family == ISA_FAMILY_MEM || family == ISA_FAMILY_ATOM) && isa_type_bytes((enum isa_type)i->type);
}

static uint32_t true_lanes(struct debug *d, const struct isa_insn *i, const struct exec_simt *top)
{
	const uint32_t p = exec_preds(gpu_exec(d->g), top->frame)[ISA_PRED_SLOT(i->guard)];
	return top->mask & (i->guard & ISA_PRED_NOT ? ~p : p);
}

/* Of the instruction at pc, from the registers of the top activation as they are now. */
static void fill(struct debug *d, const struct debug_where *w, uint32_t pc, struct access_seen *out)
{
	const struct isa_insn *i = &debug_program(d)->insns[pc];
	const struct exec_simt *top = exec_simt_top(gpu_exec(d->g), w->w);
	const bool is_atomic = isa_opcode_info[i->opcode].family == ISA_FAMILY_ATOM;
	struct debug_where lane = *w;
	lane.simt = top;
	*out = (struct access_seen){.launch = w->thread.launch,
				     .warp = w->warp_index,
				     .warp_threads = gpu_exec(d->g)->warp_threads,
				     .cta = w->thread.cta,
				     .executed = w->w->executed,
				     .pc = pc};
	out->a = (struct exec_access){.lanes = true_lanes(d, i, top), .space = i->space, .is_atomic = is_atomic};
	out->a.size = isa_type_bytes((enum isa_type)i->type) * (i->vec ? i->vec : 1u);
	out->a.is_write = is_atomic || isa_op_is_store(i->opcode);
	out->a.is_read = is_atomic || !out->a.is_write;
	LANES_EACH (l, out->a.lanes) {
		lane.lane = l;
		out->a.address[l] = access_address(d, i, top->frame, &lane);
	}
}

/* The warp in focus, if it can execute something. */
static bool live_warp(struct debug *d, struct debug_where *w)
{
	return debug_focus_where(d, w) && w->w && w->w->state != EXEC_WARP_DONE && w->w->n_simt;
}

/* The access it stands in front of. */
static bool next_access(struct debug *d, const struct debug_where *w, struct access_seen *out)
{
	const uint32_t pc = exec_simt_top(gpu_exec(d->g), w->w)->pc;
	if (w->w->state != EXEC_WARP_RUNNABLE || !is_access(&debug_program(d)->insns[pc]))
		return false;
	fill(d, w, pc, out);
	return true;
}

/* ---- the line's next one ---- */

static bool is_parameter(const struct isa_insn *i) { return i->space == ISA_SPACE_PARAM && !(i->flags & ISA_F_PARAM); }

/* Returns the next access of memory in the text from an instruction on, if it belongs to the source line `at`; else the program's number of
 * instructions. Instructions of other lines may lie between. */
static uint32_t access_of_line(struct debug *d, uint32_t pc, struct debug_position at)
{
	const struct isa_program *p = debug_program(d);
	const struct isa_function *f = isa_program_function_at(p, pc);
	for (uint32_t k = pc; f && k < f->end && at.line; k++) {
		const struct debug_position there = debug_position_at(d, k);
		if ((is_access(&p->insns[k]) && !is_parameter(&p->insns[k])) || access_is_of_texels(&p->insns[k]))
			return there.file == at.file && there.line == at.line ? k : p->n_insns;
	}
	return p->n_insns;
}

struct ahead {
	struct debug *d;
	const struct debug_where *w;
	uint32_t pc;
	struct access_seen *out;
	struct texels_seen **texels; /* filled instead of `out` by an instruction on texels; stays NULL otherwise */
};

static void fill_ahead(void *self)
{
	const struct ahead *a = self;
	if (!access_texels_at(a->d, a->w, a->pc, a->texels))
		fill(a->d, a->w, a->pc, a->out);
}

/* Fills `out` or *texels with the access that the warp makes next in the source line in front of which it stands. What the line computes before it is
 * executed aside; an access to which a branch lets no lane come is passed. Returns false if there is none. */
static bool line_access(struct debug *d, const struct debug_where *w, struct access_seen *out, struct texels_seen **texels)
{
	const uint32_t pc = exec_simt_top(gpu_exec(d->g), w->w)->pc, none = debug_program(d)->n_insns;
	const struct debug_position at = debug_position_at(d, pc);
	bool done;
	const int32_t slot = gpu_find_cta(d->g, w->thread.launch, w->thread.cta, &done);
	if (slot < 0 || w->w->state != EXEC_WARP_RUNNABLE)
		return false;
	for (uint32_t to = access_of_line(d, pc, at); to < none; to = access_of_line(d, to + 1, at)) {
		struct ahead a = {d, w, to, out, texels};
		const struct exec_ahead ahead = {.launch = &w->launch, .cta = gpu_cta(d->g, (uint32_t)slot), .warp = w->warp_index, .to = to};
		if (exec_look_ahead(gpu_exec(d->g), &ahead, fill_ahead, &a))
			return true;
	}
	return false;
}

void access_note(struct debug *d)
{
	struct perf_state *p = &d->commands->perf;
	struct debug_where w;
	struct access_seen next;
	const bool is_live = live_warp(d, &w);
	p->has_texels = is_live && access_texels_at(d, &w, exec_simt_top(gpu_exec(d->g), w.w)->pc, &p->texels);
	if (!is_live || !next_access(d, &w, &next))
		return;
	p->has_access = true;
	p->access = next;
}

/* ---- the one that has just been executed ---- */

static bool writes_row(const struct debug *d, const struct isa_insn *i, uint32_t ref)
{
	if (isa_op_is_store(i->opcode) || ref == ISA_REF_NONE)
		return false;
	for (uint32_t k = 0; k < i->vec; k++)
		if (i->vec > 1 && debug_program(d)->aux[i->aux + k] == ref)
			return true;
	return i->vec <= 1 && i->dst == ref;
}

static bool lanes_meet_at(const struct debug *d, uint32_t pc)
{
	const struct isa_program *p = debug_program(d);
	const struct isa_function *f = isa_program_function_at(p, pc);
	for (uint32_t k = f ? f->first : 0; f && k < f->end; k++)
		if (p->insns[k].reconv == pc)
			return true;
	return false;
}

/* Returns true if the warp has executed only the instructions that follow the kept access in the text, and no other access. */
static bool is_last(struct debug *d, const struct debug_where *w, const struct access_seen *kept)
{
	const uint64_t n = w->w->executed - kept->executed; /* the access among them */
	if (!n || w->w->executed < kept->executed || kept->pc + n - 1 != w->w->last_pc)
		return false;
	for (uint32_t pc = kept->pc + 1; pc <= w->w->last_pc; pc++)
		if (is_access(&debug_program(d)->insns[pc]))
			return false;
	return true;
}

/* `only`: nothing else was asked for. What was noted before it; else its registers, if they still hold what they held. */
static bool last_access(struct debug *d, const struct debug_where *w, bool only, struct access_seen *out,
			struct text *why)
{
	const struct isa_insn *i = &debug_program(d)->insns[w->w->last_pc];
	const struct access_seen *kept = &d->commands->perf.access;
	const bool same_warp = d->commands->perf.has_access && kept->launch == w->thread.launch && kept->cta == w->thread.cta &&
			       kept->warp == w->warp_index;
	if (same_warp && is_last(d, w, kept)) {
		*out = *kept;
		return true;
	}
	if (!w->w->executed || !is_access(i))
		return debug_fail(why, only ? "the warp's last instruction was no load, store or atomic"
					    : "the warp's next instruction is no load, store or atomic, nor was its last one; `run-to-access` goes to one");
	if (writes_row(d, i, i->a))
		return debug_fail(why, "the last access has overwritten the register its addresses came from; stop in "
				       "front of it and `stepi`");
	if (exec_simt_top(gpu_exec(d->g), w->w)->pc != w->w->last_pc + 1 || lanes_meet_at(d, w->w->last_pc + 1))
		return debug_fail(why,
				  "other lanes run now than executed the last access; stop in front of it and `stepi`");
	fill(d, w, w->w->last_pc, out);
	return true;
}

/* ---- info access ---- */

static bool warp_in_focus(struct debug *d, struct debug_where *w, struct text *why)
{
	if (live_warp(d, w))
		return true;
	if (!d->has_focus)
		return debug_fail(why, "There is no thread in focus.");
	return debug_fail(why, w->w				  ? "the warp has exited"
			       : w->state == DEBUG_THREAD_WAITING ? "the block has not started yet"
								  : "the block has finished");
}

bool info_access(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	const char *s = scan_blanks(args);
	const bool next = !strcmp(s, "next"), last = !strcmp(s, "last");
	struct debug_where w;
	struct access_seen a;
	if (*s && !next && !last)
		return debug_fail(why, "usage: info access [next|last]");
	if (!warp_in_focus(d, &w, why))
		return false;
	struct texels_seen *ahead = NULL;
	const bool is_next = !last && (line_access(d, &w, &a, &ahead) || next_access(d, &w, &a));
	const struct perf_state *p = &d->commands->perf;
	const struct texels_seen *seen = ahead ? ahead : !is_next && !next && p->has_texels && access_texels_are_of(p->texels, &w) ? p->texels : NULL;
	if (seen) {
		access_texels_picture(d, &w, seen, ahead != NULL, answer);
		free(ahead);
		return true;
	}
	if (next && !is_next)
		return debug_fail(why, "the warp's next instruction is no load, store or atomic; `run-to-access` goes to one");
	if (!is_next && !last_access(d, &w, last, &a, why))
		return false;
	return access_picture(d, &w, &a, is_next, answer, why);
}
