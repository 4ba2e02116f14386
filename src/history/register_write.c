/* The last write to a register, by running again what was: from snapshot to snapshot, the latest first, with marks on the instructions that
 * write it. How often these were executed is counted in each snapshot: stretches in which they weren't are left out. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/view/view.h"
#include "history/trace.h"
#include "isa/opcodes.h"

#define WINDOW UINT64_C(256) /* of the thread's instructions, what is looked at first; */
#define WIDER 32u	     /* then so many times as much */

struct look {
	struct history *h;
	const struct debug_thread *t;
	const struct trace_point *p;
	const struct debug_operand *r;
	const struct history_position *limit;
	const struct isa_function *f; /* the activation's */
	uint8_t *marks; /* on the instructions that write the register, and where the function begins */
	uint8_t *all;	/* on all instructions */
	struct replay *r_marks; /* the scan under way */
	bool is_under_way;	/* the instruction that was found has no results yet */
	uint64_t end; /* the write was made in front of the thread's instruction with this number */
	struct register_write *out;
};

static bool writes(const struct look *l, uint32_t pc)
{
	uint32_t which;
	return debug_writes(l->h->d, pc, l->r->word, &which);
}

static void mark_writers(struct look *l)
{
	const size_t n = gpu_program(l->h->g)->n_insns + 1u;
	l->marks = xcalloc(n, 1);
	l->all = xmalloc(n);
	memset(l->all, 1, n);
	for (uint32_t pc = l->f->first; pc < l->f->end; pc++)
		if (writes(l, pc))
			l->marks[pc] = 1;
	if (l->p->depth && !l->f->is_plus)
		l->marks[l->f->first] = 1;
}

/* Returns how often the marked instructions have been executed, by all warps. */
static uint64_t times_executed(const struct look *l)
{
	const struct exec *x = gpu_exec(l->h->g);
	uint64_t n = 0, sum = 0;
	for (uint32_t pc = 0; x->counts && pc < l->f->end; pc++) {
		n += x->counts[pc].warps;
		sum += l->marks[pc] ? n : 0;
	}
	return sum;
}

static uint64_t value_ahead(const struct look *l)
{
	struct debug_where w;
	uint64_t v = 0;
	if (!debug_thread_where(l->h->d, l->t, &w))
		return 0;
	if (ISA_RW_IS_PRED(l->r->word))
		return debug_pred_read(l->h->d, &w, l->p->frame, ISA_RW_PRED_SLOT(l->r->word));
	const uint32_t bytes = debug_reg_bytes(l->r->type);
	debug_row_read(l->h->d, &w, l->p->frame, l->r->word, bytes > 8 ? 8 : bytes, &v);
	return v;
}

/* The instruction that was found has been executed, and nothing since. */
static void note_results(struct look *l)
{
	if (l->is_under_way)
		debug_step_done(l->h->d, l->t, &l->out->step);
	l->is_under_way = false;
}

/* The thread's warp stands in front of a marked instruction, or of the one behind it. */
static bool at_mark(void *self)
{
	struct look *l = self;
	struct debug_step s;
	note_results(l);
	l->r_marks->marks = l->marks;
	if (!debug_step_ahead(l->h->d, l->t, &s) || !s.executes || !l->marks[s.pc] || s.executed >= l->end ||
	    (s.depth != l->p->depth && !l->f->has_plus) || s.frame != l->p->frame) /* what callp calls has its caller's registers */
		return true;
	const bool is_call = gpu_program(l->h->g)->insns[s.pc].opcode == ISA_OP_CALL;
	*l->out = (struct register_write){
		.how = is_call || !writes(l, s.pc) ? REGISTER_CALLED : REGISTER_WRITTEN, .step = s};
	history_now(l->h, &l->out->at);
	l->out->before = value_ahead(l);
	l->is_under_way = true;
	l->r_marks->marks = l->all;
	return true;
}

static bool went_well(enum replay_end e) { return e == REPLAY_GOAL || e == REPLAY_LIMIT; }

/* Runs on to where the thread's warp has executed `first` instructions, and from there with the marks up to the write's end, but not further than
 * `to`. */
static bool scan(struct look *l, uint64_t first, const struct history_position *to)
{
	struct replay r = {.to = to, .cycle = UINT64_MAX, .has_warp = true, .warp = *l->t, .executed = first, .self = l};
	enum replay_end e = first ? replay(l->h, &r) : REPLAY_GOAL;
	if (e != REPLAY_GOAL)
		return went_well(e);
	r.executed = l->end;
	r.marks = l->marks;
	r.at_mark = at_mark;
	l->r_marks = &r;
	e = replay(l->h, &r);
	note_results(l);
	return went_well(e);
}

/* From the snapshot where the machine stands, at which the warp has executed so many, to `to`: the last instructions first. */
static bool look_at_stretch(struct look *l, uint64_t executed, const struct history_position *to)
{
	struct history *h = l->h;
	const uint64_t end = l->end;
	struct history_position from;
	bool ok = true;
	history_now(h, &from);
	for (uint64_t window = WINDOW; ok; window *= WIDER) {
		const bool is_all = l->end <= executed || end - executed <= window;
		const uint64_t first = is_all ? executed : end - window;
		ok = scan(l, first, to);
		if (l->out->how != REGISTER_UNWRITTEN || is_all)
			break;
		l->end = first;
		const size_t k = snapshot_before(h, &from, false);
		ok = ok && k < h->n_snaps && snapshot_go_back(h, k);
	}
	return ok;
}

/* A stretch ends there. */
struct stretch_end {
	struct history_position at;
	uint64_t times;	   /* that marked instructions were executed by then */
	uint64_t executed; /* by the warp */
	bool is_known;
};

static bool is_idle(const struct look *l, const struct stretch_end *from, const struct stretch_end *to)
{
	return to->is_known && from->at.input == to->at.input &&
	       (from->executed == to->executed || (gpu_exec(l->h->g)->counts && from->times == to->times));
}

static bool search(struct look *l)
{
	struct history *h = l->h;
	struct stretch_end end = {.at = *l->limit};
	snapshot_go_forward(h, l->limit, UINT64_MAX); /* an earlier look may have gone further back */
	for (size_t k = snapshot_before(h, l->limit, false); k < h->n_snaps; k = snapshot_before(h, &end.at, true)) {
		struct stretch_end here = {.at = h->snap[k].at, .is_known = true};
		bool over;
		if (!snapshot_go_back(h, k))
			return false;
		const bool is_there = warp_executed(h, l->t, &here.executed, &over);
		here.times = times_executed(l);
		const bool is_earlier = is_there ? here.executed >= l->end : over;
		if (!is_earlier && !(is_there && is_idle(l, &here, &end)) &&
		    !look_at_stretch(l, here.executed, &end.at))
			return false;
		if (l->out->how != REGISTER_UNWRITTEN || (!is_there && !over))
			return true;
		if (is_there && here.executed < l->end)
			l->end = here.executed;
		end = here;
	}
	return true;
}

bool register_write_before(struct history *h, const struct debug_thread *t, const struct trace_point *p,
			   const struct debug_operand *r, uint32_t pc, const struct history_position *limit,
			   struct register_write *out)
{
	struct look l = {.h = h,
			 .t = t,
			 .p = p,
			 .r = r,
			 .limit = limit,
			 .f = isa_program_function_at(gpu_program(h->g), pc),
			 .end = p->executed,
			 .out = out};
	*out = (struct register_write){.how = REGISTER_UNWRITTEN};
	if (!l.f)
		return true;
	mark_writers(&l);
	const bool ok = search(&l);
	free(l.marks);
	free(l.all);
	return ok;
}
