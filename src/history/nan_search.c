/* find-nan's way back: from a value that isn't finite to the store or the instruction that made it, and from there to the operand that wasn't finite
 * already. Registers are followed in traces of a thread's last instructions at first, further back by nan_chain.c. */
#include "history/nan_log.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "history/origin.h"
#include "history/window.h"
#include "isa/opcodes.h"

#define STEPS_MAX 1000000u

void nan_search_free(struct nan_search *s)
{
	for (uint32_t pc = 0; s->operands && pc < s->n_insns; pc++)
		free(s->operands[pc].o);
	free(s->operands);
	free(s->own.step);
	nan_log_free(s->log);
}

/* Returns an instruction's operands, which are made from its text once. */
static const struct nan_operands *operands_of(struct nan_search *s, uint32_t pc)
{
	struct debug_operand o[DEBUG_OPERANDS_MAX];
	if (pc >= s->n_insns) {
		const uint32_t n = gpu_program(s->h->g)->n_insns;
		s->operands = xrealloc(s->operands, n * sizeof *s->operands);
		memset(s->operands + s->n_insns, 0, (n - s->n_insns) * sizeof *s->operands);
		s->n_insns = n;
	}
	struct nan_operands *known = &s->operands[pc];
	if (known->is_known)
		return known;
	known->n = debug_operands(s->h->d, pc, o);
	known->o = xmalloc((known->n + 1) * sizeof *o);
	memcpy(known->o, o, known->n * sizeof *o);
	known->is_known = true;
	return known;
}

bool nan_search_value(struct nan_search *s, const struct debug_thread *t, const struct debug_step *step, uint32_t word,
		     uint64_t *v)
{
	const struct trace_point at = {step->executed, step->frame, step->depth};
	bool failed = false;
	return trace_value_of(s->h, s->trace, t, &at, word, &s->here, v, &failed) && !failed;
}

#define ALL UINT32_MAX

/* Finds the first operand of an execution that the point's value may come from; of a store of several elements the one of that number. */
static bool bad_operand(struct nan_search *s, const struct nan_point *p, const struct debug_step *step, enum isa_type type,
			uint32_t element, struct debug_operand *out)
{
	const struct nan_operands *all = operands_of(s, step->pc);
	const struct debug_operand *o = all->o;
	uint32_t value = 0;
	for (uint32_t k = 0; k < all->n; k++) {
		uint64_t v;
		const bool is_half = isa_type_bytes(type) == 8 && isa_type_bytes(o[k].type) == 4 && !nan_is_float(o[k].type);
		const enum isa_type t = nan_is_float(o[k].type) ? o[k].type : is_half ? ISA_F32 : type;
		if (is_half && k + 1 < all->n) /* of a double that is put together; the upper half comes last */
			continue;
		if (o[k].kind == DEBUG_OPERAND_MEMORY || o[k].is_address)
			continue;
		if (element != ALL && value++ != element)
			continue;
		if (o[k].kind != DEBUG_OPERAND_REGISTER || !nan_is_float(t))
			continue;
		if (!nan_search_value(s, &p->thread, step, o[k].word, &v) || !nan_is_source(t, v, p->is_of_nan))
			continue;
		*out = o[k];
		out->type = t;
		return true;
	}
	return false;
}

void nan_to_register(struct nan_point *p, const struct debug_thread *t, const struct debug_step *step,
			const struct debug_operand *r)
{
	p->in_memory = false;
	p->thread = *t;
	p->at = (struct trace_point){step->executed, step->frame, step->depth};
	p->reg = *r;
	p->type = r->type;
}

void nan_to_memory(struct nan_point *p, const struct debug_step *step, enum isa_type type, uint64_t generic, bool past)
{
	p->in_memory = true;
	p->words.n = p->n_registers = 0;
	p->bytes = (struct where_bytes){.generic = generic, .n = isa_type_bytes(type), .thread = p->thread};
	p->until_thread = p->thread;
	p->has_then = false;
	p->until = (struct until){.executed = step->executed, .past = past, .pc = step->pc};
	p->type = type;
}

/* To the other side of a call; false: it was a constant. */
static bool through_call(struct nan_point *p, const struct trace_source *from)
{
	const struct debug_step there = {
		.executed = from->at.executed, .frame = from->at.frame, .depth = from->at.depth};
	const struct debug_operand r = {.type = p->type, .word = from->arg.word};
	if (from->arg.kind == DEBUG_ARGUMENT_REGISTER)
		nan_to_register(p, &p->thread, &there, &r);
	else
		nan_to_memory(p, &there, p->type, from->generic, false);
	return from->arg.kind != DEBUG_ARGUMENT_CONSTANT;
}

/* From a register to what made it. True: further back; else o says how it began. */
static bool step_back(struct nan_search *s, struct nan_point *p, struct nan_origin *o)
{
	bool failed = false;
	uint32_t which = 0;
	struct debug_operand from;
	struct trace_source by;
	const bool found =
		trace_source_of(s->h, s->trace, &p->thread, &p->at, p->reg.word, &s->here, &by, &failed);
	o->how = failed ? NAN_LOST : found ? NAN_BORN : NAN_FROM_NOBODY;
	if (!found || failed)
		return false;
	nan_words_add(&p->words, p->reg.word);
	p->n_registers++;
	const struct debug_step step = *by.step;
	if (by.how != TRACE_WRITTEN) {
		nan_way_prepend(&o->way, step.pc);
		o->step = step;
		return through_call(p, &by);
	}
	const struct isa_insn *i = &gpu_program(s->h->g)->insns[step.pc];
	o->step = step;
	o->thread = p->thread;
	o->type = p->type;
	trace_step_value(s->h, &step, p->reg.word, &o->value);
	debug_writes(s->h->d, step.pc, p->reg.word, &which);
	if (isa_op_is_load(i->opcode) || i->opcode == ISA_OP_ATOM) {
		if (!step.address || (i->space == ISA_SPACE_PARAM && !(i->flags & ISA_F_PARAM)))
			return o->how = NAN_FROM_HOST, false;
		nan_way_prepend(&o->way, step.pc);
		nan_to_memory(p, &step, p->type, step.address + which * isa_type_bytes(p->type), i->opcode == ISA_OP_ATOM);
		return true;
	}
	if (i->opcode == ISA_OP_SHFL) {
		struct debug_operand all[DEBUG_OPERANDS_MAX];
		debug_operands(s->h->d, step.pc, all);
		struct debug_thread t = p->thread;
		t.thread = exec_thread_of(gpu_exec(s->h->g), exec_warp_of(gpu_exec(s->h->g), t.thread), step.lane);
		from = all[0];
		from.type = p->type;
		nan_way_prepend(&o->way, step.pc);
		nan_to_register(p, &t, &step, &from);
		return true;
	}
	if (!bad_operand(s, p, &step, p->type, ALL, &from))
		return false;
	nan_way_prepend(&o->way, step.pc);
	nan_to_register(p, &p->thread, &step, &from);
	return true;
}

/* Returns true if what memory held at a place in the past has to be looked for, and isn't the element's turn. */
static bool waits(struct nan_search *s, const struct nan_point *p)
{
	if (!p->has_then || s->group.may_follow)
		return false;
	s->group.is_waiting = true;
	return true;
}

/* Finds the last write to the memory that the way leads to. A repeated step takes the known result. */
static bool last_write(struct nan_search *s, const struct nan_point *p, struct write *w, bool *found)
{
	struct nan_write *known = &s->known[s->element];
	if (!known->is_known || known->n != s->step) {
		struct window_begin begin;
		*found = windows_write(s->h->windows, &p->bytes, &p->until, w, &begin) == WINDOW_FOUND;
		if (*found)
			return true;
		if (p->until.thread ? trace_waits(s->trace, p->until.executed + p->until.past) : waits(s, p))
			return false;
		s->group.may_follow = false;
		*known = (struct nan_write){.n = s->step};
		known->is_known = find_write(s->h, &p->bytes, &p->until, &known->w, &known->is_found);
	}
	*w = known->w;
	*found = known->is_found;
	return known->is_known;
}

/* Returns true if a write has changed one half of the double. */
static bool is_half(const struct nan_point *p, const struct write *w)
{
	return p->type == ISA_F64 && w->size == 4 && (w->address == p->bytes.generic || w->address == p->bytes.generic + 4);
}

/* The upper half decides whether a double is finite; as a single it isn't finite either. True: further back. */
static bool to_half(struct nan_point *p)
{
	p->bytes.generic += 4;
	p->bytes.n = 4;
	p->type = ISA_F32;
	return true;
}

/* From memory that no thread's instruction has stored to, as write_back. */
static bool from_elsewhere(struct nan_point *p, struct nan_origin *o, const struct memory_origin *from)
{
	switch (from->how) {
	case MEMORY_CALLED:
		o->step = from->step;
		o->thread = p->thread;
		o->how = NAN_BORN;
		if (from->call.how == TRACE_BUILTIN)
			return false;
		nan_way_prepend(&o->way, from->step.pc);
		return through_call(p, &from->call);
	case MEMORY_COPIED:
		p->bytes.generic = from->from;
		p->then = from->then;
		p->has_then = true;
		p->until = (struct until){.thread = NULL};
		return true;
	case MEMORY_INITIAL: return o->how = NAN_INITIAL, false;
	default:
		o->how = NAN_FROM_HOST;
		o->by = from->write;
		o->is_written = from->is_written;
		return false;
	}
}

/* From memory to the store. */
static bool write_back(struct nan_search *s, struct nan_point *p, struct nan_origin *o)
{
	struct memory_origin from_memory;
	struct write w;
	bool found;
	struct debug_operand from;
	p->until.limit = p->has_then ? &p->then : &s->here;
	p->until.thread = p->until.pc || p->until.executed || p->until.past ? &p->until_thread : NULL;
	o->generic = p->bytes.generic;
	o->type = p->type;
	if (!last_write(s, p, &w, &found) ||
	    !memory_origin_of(s->h, s->trace, &p->bytes, &p->until, found ? &w : NULL, w.before_begun, &from_memory))
		return o->how = NAN_LOST, false;
	if (found)
		memcpy(&o->value, w.after, sizeof o->value);
	if (found && !w.by_host && is_half(p, &w))
		return to_half(p);
	if (from_memory.how != MEMORY_STORED)
		return from_elsewhere(p, o, &from_memory);
	o->how = NAN_BORN;
	struct debug_step step;
	if (!trace_step_of(s->h, s->trace, &w.thread, w.executed, w.pc, &s->here, &step))
		return o->how = NAN_LOST, false;
	p->thread = o->thread = w.thread;
	p->at.executed = step.executed;
	o->step = step;
	const struct isa_insn *i = &gpu_program(s->h->g)->insns[step.pc];
	const uint32_t wide = isa_type_bytes((enum isa_type)i->type);
	const bool is_vector = i->vec > 1 && wide && p->bytes.generic >= w.address;
	if (!bad_operand(s, p, &step, p->type, is_vector ? (uint32_t)((p->bytes.generic - w.address) / wide) : ALL,
			 &from)) {
		if (isa_opcode_info[i->opcode].family != ISA_FAMILY_ATOM || !nan_is_float((enum isa_type)i->type))
			return false; /* a constant, or bytes that were something else */
		if (!step.has_values || !nan_is_source(p->type, step.value[0], p->is_of_nan))
			return false;
		nan_way_prepend(&o->way, step.pc);
		nan_to_memory(p, &step, p->type, p->bytes.generic, true);
		return true;
	}
	nan_way_prepend(&o->way, step.pc);
	nan_to_register(p, &w.thread, &step, &from);
	return true;
}

/* Goes back until the thread would have to be followed further. */
static void go_back(struct nan_search *s, struct nan_element *w, size_t k)
{
	s->trace = &s->group.trace[k];
	s->element = k;
	while (!w->is_over) {
		s->group.is_waiting = false;
		s->step = w->n;
		const struct nan_element was = *w;
		const bool further = w->p.in_memory ? write_back(s, &w->p, &w->o) : step_back(s, &w->p, &w->o);
		if (s->group.is_waiting) { /* this step is made again */
			const uint64_t from = was.p.in_memory ? 0 : was.p.at.executed;
			*w = was;
			s->trace->wanted_to = from > s->trace->wanted_to ? from : s->trace->wanted_to;
			return;
		}
		w->is_over = !further || ++w->n >= STEPS_MAX;
		w->cycle = w->o.step.cycle ? w->o.step.cycle : w->cycle;
	}
}

/* Finds the last writes to all elements in common runs. If that fails, each element's way looks for its own. */
static void find_first_writes(struct nan_search *s, const struct nan_element *w, size_t n)
{
	struct sought sought[NAN_ELEMENTS_MAX];
	const struct until here = {.limit = &s->here};
	memset(s->known, 0, sizeof s->known);
	for (size_t k = 0; k < n; k++) {
		if (!w[k].p.in_memory || n < 2)
			return;
		sought[k] = (struct sought){.b = w[k].p.bytes};
	}
	if (!find_writes(s->h, sought, n, &here))
		return;
	for (size_t k = 0; k < n; k++)
		s->known[k] = (struct nan_write){.is_known = true, .w = sought[k].last, .is_found = sought[k].is_found};
}

static bool is_same_warp(const struct exec *x, const struct nan_point *a, const struct nan_point *b)
{
	return a->thread.launch == b->thread.launch && a->thread.cta == b->thread.cta &&
	       exec_warp_of(x, a->thread.thread) == exec_warp_of(x, b->thread.thread) && a->at.frame == b->at.frame &&
	       a->at.depth == b->at.depth;
}

#define REGISTERS_FAR 8u /* instructions in a row that the way went through in registers */

/* Returns true if the way seems to stay in registers of its thread for long. *pc: an instruction of the thread's function. */
static bool goes_far(const struct nan_element *w, uint32_t *pc)
{
	*pc = w->o.step.pc;
	return !w->is_over && !w->p.in_memory && w->p.n_registers >= REGISTERS_FAR &&
	       w->o.thread.launch == w->p.thread.launch && w->o.thread.cta == w->p.thread.cta &&
	       w->o.thread.thread == w->p.thread.thread;
}

/* Returns true if the way looks at the register as the type that the program declares. */
static bool is_declared(const struct nan_search *s, const struct nan_point *p, uint32_t pc)
{
	struct debug_operand r;
	return nan_is_float(p->type) && debug_register_of(s->h->d, pc, p->reg.word, &r) && r.type == p->type;
}

/* Follows all ways that are in registers of the k-th way's warp through instructions that pass on an operand's value (nan_chain.c). */
static void follow_far(struct nan_search *s, struct nan_element *w, size_t n, size_t k)
{
	struct nan_chain chains[NAN_ELEMENTS_MAX], *some[NAN_ELEMENTS_MAX];
	size_t of[NAN_ELEMENTS_MAX], n_some = 0;
	struct nan_words words = {0};
	uint32_t pc;
	if (!goes_far(&w[k], &pc))
		return;
	for (size_t j = 0; j < n; j++) {
		const struct nan_point *p = &w[j].p;
		if (w[j].is_over || p->in_memory || !is_same_warp(gpu_exec(s->h->g), p, &w[k].p) || !is_declared(s, p, pc))
			continue;
		chains[n_some] = (struct nan_chain){
			.thread = p->thread, .at = p->at, .word = p->reg.word, .type = p->type, .is_of_nan = p->is_of_nan, .way = w[j].o.way};
		some[n_some] = &chains[n_some];
		of[n_some++] = j;
		for (uint32_t i = 0; i < p->words.n && i < NAN_WORDS_MAX; i++)
			nan_words_add(&words, p->words.word[i]);
		words.n = p->words.n > NAN_WORDS_MAX ? p->words.n : words.n;
	}
	const struct nan_scope scope = {pc, &words, &s->here};
	if (!n_some || !nan_chain_follow(s->h, some, n_some, &scope))
		return;
	for (size_t j = 0; j < n_some; j++) {
		struct trace *t = &s->group.trace[of[j]];
		struct nan_element *to = &w[of[j]];
		if (to->p.at.executed == chains[j].at.executed)
			continue;
		to->p.at = chains[j].at;
		to->p.reg.word = chains[j].word;
		to->p.type = chains[j].type;
		to->o.way = chains[j].way;
		free(t->step);
		*t = (struct trace){
			.thread = to->p.thread, .group = &s->group, .is_wanted = true, .wanted_to = to->p.at.executed};
	}
}

/* Returns true if a log may lead on, and the way doesn't seem to stay in registers for long. */
static bool is_for_log(const struct nan_element *w)
{
	return w->stuck_at != w->o.way.n + 1 && (w->was_logged || w->p.n_registers < REGISTERS_FAR);
}

/* Returns the element that is to be followed next: the one that was followed back least far. Returns n if all are over. */
static size_t next_element(const struct nan_element *w, size_t n)
{
	size_t best = n;
	for (size_t k = 0; k < n; k++)
		if (!w[k].is_over && (best == n || w[k].cycle > w[best].cycle))
			best = k;
	return best;
}

/* Follows all elements, a stretch of their threads' instructions after the other: elements whose ways lie in one stretch share its run. */
static void search_once(struct nan_search *s, struct nan_element *w, size_t n)
{
	struct trace *traces = xcalloc(n, sizeof *traces);
	s->group = (struct trace_group){.trace = traces, .n = n};
	find_first_writes(s, w, n);
	for (size_t k = 0; k < n; k++) {
		traces[k].group = &s->group;
		w[k].o = (struct nan_origin){.how = NAN_LOST, .value = w[k].p.value};
		w[k].cycle = UINT64_MAX;
	}
	for (size_t next; next_element(w, n) < n;) {
		for (size_t k = 0; k < n; k++)
			go_back(s, &w[k], k); /* to where each needs another stretch */
		if ((next = next_element(w, n)) == n)
			break;
		if (is_for_log(&w[next]) && nan_log_follow(s, w, n, next))
			continue;
		follow_far(s, w, n, next);
		s->group.may_follow = true;
		go_back(s, &w[next], next);
		s->group.may_follow = false;
	}
	for (size_t k = 0; k < n; k++)
		free(traces[k].step);
	free(traces);
	s->trace = &s->own;
}

/* Returns true if the way has ended at a constant, which isn't born. */
static bool is_from_constant(struct nan_search *s, const struct nan_origin *o)
{
	if (o->how != NAN_BORN)
		return false;
	const struct nan_operands *all = operands_of(s, o->step.pc);
	bool is = !nan_can_be_born(&gpu_program(s->h->g)->insns[o->step.pc]);
	for (uint32_t k = 0; k < all->n && !is; k++) {
		double v;
		is = nan_constant(&all->o[k], &v) && nan_is_passed_on(v, false);
	}
	return is;
}

/* Follows all elements, and those again, through NaN alone, whose NaN came of a constant. */
static void search(struct nan_search *s, struct nan_element *w, size_t n)
{
	struct nan_element again[NAN_ELEMENTS_MAX];
	size_t of[NAN_ELEMENTS_MAX], n_again = 0;
	memcpy(again, w, n * sizeof *w);
	search_once(s, w, n);
	for (size_t k = 0; k < n; k++)
		if (w[k].is_nan && is_from_constant(s, &w[k].o)) {
			again[n_again] = again[k];
			again[n_again].p.is_of_nan = true;
			of[n_again++] = k;
		}
	if (n_again)
		search_once(s, again, n_again);
	for (size_t k = 0; k < n_again; k++)
		w[of[k]] = again[k];
}

void nan_search_run(struct nan_search *s, struct nan_element *w, size_t n)
{
	if (!nan_branch_run(s, w, n, search))
		search(s, w, n);
}
