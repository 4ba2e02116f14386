/* Values that go through calls: from an argument to the parameter, and back from what a function returns. */
#include <string.h>

#include "history/trace.h"
#include "isa/opcodes.h"

/* ---- activations on a thread's way ---- */

/* The step at an index, or the one that the thread stands in front of at the way's end; NULL: there is none. */
static const struct debug_step *step_at(const struct trace *t, size_t k)
{
	return k < t->n ? &t->step[k] : k == t->n && t->has_ahead ? &t->ahead : NULL;
}

/* The first step behind an index that the thread takes part in. */
static size_t next_active(const struct trace *t, size_t k)
{
	const struct debug_step *s;
	do
		s = step_at(t, ++k);
	while (s && !s->active);
	return k;
}

/* A call of a function that has a body: its first step. */
static const struct debug_step *entered(const struct trace *t, size_t call)
{
	const struct debug_step *s = step_at(t, call), *inside = step_at(t, next_active(t, call));
	return s->executes && inside && inside->depth > s->depth ? inside : NULL;
}

/* It has returned in front of number `executed`: the index of its last step. False: it hasn't. */
static bool returned(const struct trace *t, size_t call, uint64_t executed, size_t *last)
{
	const uint32_t depth = t->step[call].depth;
	size_t k = next_active(t, call);
	const struct debug_step *s = step_at(t, k);
	for (*last = k; s && s->depth > depth; s = step_at(t, k)) {
		*last = k;
		k = next_active(t, k);
	}
	return s && s->executed <= executed && *last < t->n;
}

/* The call that made an activation of this depth, which the thread is in in front of number `executed`. */
static bool call_of(const struct trace *t, uint64_t executed, uint32_t depth, size_t *at)
{
	for (size_t k = trace_steps_before(t, executed); k-- > 0;)
		if (t->step[k].active && t->step[k].depth < depth) {
			*at = k;
			return true;
		}
	return false;
}

/* ---- from one side of a call to the other ---- */

static struct trace_point point_at(const struct debug_step *s)
{
	return (struct trace_point){s->executed, s->frame, s->depth};
}

/* What was passed, at the call. */
static void to_caller(const struct debug_step *call, const struct debug_argument *here, struct trace_source *out)
{
	out->at = point_at(call);
	out->pc = call->pc;
	out->arg = *here;
	out->generic = ISA_LOCAL_WINDOW + call->local_sp + here->offset;
}

/* What was returned, at the return. */
static void to_callee(const struct debug_step *ret, const struct debug_argument *there, struct trace_source *out)
{
	out->at = point_at(ret);
	out->pc = ret->pc;
	out->arg = *there;
	out->generic = ISA_LOCAL_WINDOW + ret->local_sp + there->offset;
}

static bool is_register(const struct debug_argument *a, uint32_t word)
{
	return a->kind == DEBUG_ARGUMENT_REGISTER && a->word == word;
}

/* The parameter that a register of the activation is. */
static bool find_passed(struct history *h, const struct trace *t, const struct trace_point *p, uint32_t word,
			struct trace_source *out)
{
	size_t k;
	struct debug_argument here, there;
	bool returns;
	if (!p->depth || !call_of(t, p->executed, p->depth, &k))
		return false;
	const struct debug_step *inside = entered(t, k);
	for (uint32_t n = 0; inside && debug_call_argument(h->d, t->step[k].pc, inside->pc, n, &here, &there, &returns);
	     n++) {
		if (returns || !is_register(&there, word))
			continue;
		out->how = TRACE_PASSED;
		out->step = &t->step[k];
		to_caller(&t->step[k], &here, out);
		return true;
	}
	return false;
}

/* What a call has put into a register of its caller's. */
static bool find_returned(struct history *h, const struct trace *t, size_t call, uint64_t executed, uint32_t word,
			  struct trace_source *out)
{
	size_t last;
	struct debug_argument here, there;
	bool returns;
	const struct debug_step *inside = entered(t, call);
	if (!inside || !returned(t, call, executed, &last))
		return false;
	for (uint32_t n = 0; debug_call_argument(h->d, t->step[call].pc, inside->pc, n, &here, &there, &returns); n++) {
		if (!returns || !is_register(&here, word))
			continue;
		out->how = TRACE_RETURNED;
		out->step = &t->step[call];
		to_callee(&t->step[last], &there, out);
		return true;
	}
	return false;
}

/* Is it one that writes its result itself, or a call whose function runs still? */
static bool runs_still(const struct trace *t, size_t k, uint64_t executed)
{
	size_t last;
	return entered(t, k) && !returned(t, k, executed, &last);
}

const struct trace_known *trace_known_of(const struct trace *t, const struct trace_point *p, uint32_t word)
{
	for (uint32_t k = 0; k < t->n_known && k < TRACE_KNOWN; k++) {
		const struct trace_known *n = &t->known[k];
		if (n->word == word && n->frame == p->frame && n->from < p->executed + n->is_unwritten &&
		    p->executed <= n->to)
			return n;
	}
	return NULL;
}

/* Returns whether what an instruction's function calls has the same registers (callp of PTXPlus). */
static bool shares_registers(const struct history *h, uint32_t pc)
{
	const struct isa_function *f = isa_program_function_at(gpu_program(h->g), pc);
	return f && f->has_plus;
}

bool trace_source(struct history *h, const struct trace *t, const struct trace_point *p, uint32_t word,
		  struct trace_source *out)
{
	uint32_t which;
	struct trace_point own = *p; /* in the activation whose registers these are: callp makes none */
	*out = (struct trace_source){.how = TRACE_NONE};
	const struct trace_known *known = trace_known_of(t, p, word);
	if (known && !known->is_unwritten) {
		out->how = TRACE_WRITTEN;
		out->step = &known->step;
		return true;
	}
	for (size_t k = trace_steps_before(t, p->executed); k-- > 0;) {
		const struct debug_step *s = &t->step[k];
		const bool is_own = s->frame == p->frame && (s->depth == p->depth || shares_registers(h, s->pc));
		if (s->active && s->depth < p->depth && !is_own) /* the activation's beginning */
			break;
		own.depth = is_own && s->depth < own.depth ? s->depth : own.depth;
		if (!s->executes || !is_own ||
		    !debug_writes(h->d, s->pc, word, &which) || runs_still(t, k, p->executed))
			continue;
		out->how = TRACE_WRITTEN;
		out->step = s;
		return find_returned(h, t, k, p->executed, word, out) || true;
	}
	return find_passed(h, t, &own, word, out);
}

bool trace_step_value(struct history *h, const struct debug_step *s, uint32_t word, uint64_t *v)
{
	uint32_t which;
	const bool known = s->has_values && debug_writes(h->d, s->pc, word, &which) && which < DEBUG_STEP_VALUES;
	*v = known ? s->value[which] : 0;
	return known;
}

/* ---- arguments in memory ---- */

static bool covers(uint64_t at, uint64_t bytes, uint64_t generic, uint64_t n)
{
	return generic >= at && generic + n <= at + bytes;
}

/* Finds a library function's result that lies there. */
static bool returned_by_builtin(struct history *h, const struct trace *t, size_t call, uint64_t generic, uint64_t n,
				struct trace_source *out)
{
	struct debug_argument here;
	bool returns;
	const struct debug_step *c = &t->step[call];
	for (uint32_t k = 0; debug_builtin_argument(h->d, c->pc, k, &here, &returns); k++) {
		const uint64_t at = ISA_LOCAL_WINDOW + c->local_sp + here.offset;
		if (!returns || here.kind != DEBUG_ARGUMENT_MEMORY || !covers(at, here.bytes, generic, n))
			continue;
		*out = (struct trace_source){.how = TRACE_BUILTIN, .step = c, .at = point_at(c), .pc = c->pc};
		return true;
	}
	return false;
}

/* One side of an argument that lies there: the other side. */
static bool copied_at(struct history *h, const struct trace *t, size_t call, uint64_t executed, uint64_t generic,
		      uint64_t n, struct trace_source *out)
{
	size_t last = 0;
	struct debug_argument here, there;
	bool returns;
	const struct debug_step *c = &t->step[call], *inside = entered(t, call);
	const bool is_over = inside && returned(t, call, executed, &last);
	for (uint32_t k = 0; inside && debug_call_argument(h->d, c->pc, inside->pc, k, &here, &there, &returns); k++) {
		const struct debug_argument *to = returns ? &here : &there, *from = returns ? &there : &here;
		const uint64_t sp = returns ? c->local_sp : inside->local_sp, at = ISA_LOCAL_WINDOW + sp + to->offset;
		if (to->kind != DEBUG_ARGUMENT_MEMORY || (returns && !is_over) || !covers(at, to->bytes, generic, n))
			continue;
		out->how = returns ? TRACE_RETURNED : TRACE_PASSED;
		out->step = c;
		if (returns)
			to_callee(&t->step[last], from, out);
		else
			to_caller(c, from, out);
		out->generic += generic - at;
		return true;
	}
	return false;
}

bool trace_copied(struct history *h, const struct trace *t, uint64_t executed, uint64_t generic, uint64_t n,
		  struct trace_source *out)
{
	struct trace_source best = {.how = TRACE_NONE}, s = {.how = TRACE_NONE};
	for (size_t k = trace_steps_before(t, executed); k-- > 0;) {
		const bool is_call = gpu_program(h->g)->insns[t->step[k].pc].opcode == ISA_OP_CALL;
		/* the calls within one whose return is later are looked at, too: they return earlier */
		if (!is_call || !t->step[k].executes ||
		    !(copied_at(h, t, k, executed, generic, n, &s) || returned_by_builtin(h, t, k, generic, n, &s)))
			continue;
		if (best.how == TRACE_NONE || trace_copied_when(&s) > trace_copied_when(&best))
			best = s;
		if (s.how == TRACE_PASSED || t->step[k].depth == 0)
			break;
	}
	*out = best;
	return best.how != TRACE_NONE;
}

uint64_t trace_copied_when(const struct trace_source *s)
{
	return s->how == TRACE_RETURNED ? s->at.executed : s->step->executed;
}
