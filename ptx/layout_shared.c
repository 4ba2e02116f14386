/* Placing shared variables.
 *
 * Code is shared by all kernels that call it, so a variable has one address in all kernels. Two variables that one kernel may
 * reach must not overlap. A kernel's own variables come first (from 0, or after what the code of other files it calls already
 * occupies); then variables of the module and of device functions, each after the end of every kernel that may reach it. Indirect
 * calls reach every function whose address is taken; functions that other files may call also count as reached by one unknown
 * kernel, so that all of those are disjoint. Other modules (isa_module) are left out: their kernels call nothing here.
 *
 * Each variable's kernels are found by a search over the callers. Should that become too much work (tens of thousands of functions
 * with variables that all call each other), what is left is placed after everything else. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "ptx/lower.h"

struct places {
	struct lower *l;
	uint32_t first, n;		  /* functions [first, n) of the program; among them all of the module */
	uint32_t *caller_start, *callers; /* reversed call graph */
	uint32_t *ends;			  /* kernels: end of the shared memory taken so far */
	uint32_t *stamp, stamps;
	uint32_t *queue, n_queue;
	uint32_t *any_end; /* end of what the unknown kernel may reach */
	bool any;	   /* the last search met it */
	uint64_t work;	   /* steps of all searches */
	uint32_t top;	   /* end of everything placed so far */
};

#define WORK_MAX UINT64_C(100000000)

static bool gave_up(const struct places *s) { return s->work > WORK_MAX; }

static bool is_of_module(const struct places *s, uint32_t function)
{
	const struct isa_program *p = s->l->p;
	return isa_program_module_of(p, p->functions[function]->file) == s->l->m->into;
}

static uint32_t callee_index(const struct lower *l, uint32_t callee)
{
	if (!(callee & LINK_VIA_SYMBOL))
		return callee;
	uint32_t link = callee & ~LINK_VIA_SYMBOL;
	uint32_t here = l->link_bindings[link]; /* the definition in this module, if it is the one that will count */
	return here ? l->bindings[here - 1].index : l->link->symbols[link].index;
}

static bool enqueue(struct places *s, uint32_t function)
{
	s->work++;
	if (function >= s->n || s->stamp[function] == s->stamps)
		return false;
	s->stamp[function] = s->stamps;
	s->queue[s->n_queue++] = function;
	return true;
}

static void empty_queue(struct places *s)
{
	s->stamps++;
	s->n_queue = 0;
	s->any = false;
}

/* ---- the reversed graph ---- */

static void build_callers(struct places *s)
{
	struct isa_link *k = s->l->link;
	uint32_t total = 0;

	s->caller_start = xcalloc((size_t)s->n + 2, sizeof *s->caller_start);
	for (int fill = 0; fill < 2; fill++) {
		for (uint32_t f = s->first; f < s->n; f++)
			for (uint32_t c = 0; is_of_module(s, f) && c < k->functions[f].n_callees; c++) {
				uint32_t to = callee_index(s->l, k->functions[f].callees[c]);
				if (to >= s->n)
					continue;
				if (fill)
					s->callers[s->caller_start[to + 1]++] = f;
				else
					s->caller_start[to + 2]++;
			}
		if (fill)
			break;
		for (uint32_t f = 2; f < s->n + 2; f++)
			s->caller_start[f] += s->caller_start[f - 1];
		total = s->caller_start[s->n + 1];
		s->callers = xmalloc(((size_t)total + 1) * sizeof *s->callers);
	}
}

/* Adds to the queue all functions that may call those in it, directly or not. */
static void close_callers(struct places *s)
{
	struct isa_link *k = s->l->link;
	bool indirect_done = false;

	for (uint32_t at = 0; at < s->n_queue && !gave_up(s); at++) {
		uint32_t f = s->queue[at];
		s->any |= k->functions[f].is_external;
		for (uint32_t c = s->caller_start[f]; c < s->caller_start[f + 1]; c++)
			enqueue(s, s->callers[c]);
		if (!k->functions[f].address_taken || indirect_done)
			continue;
		indirect_done = true;
		for (uint32_t g = s->first; g < s->n; g++)
			if (k->functions[g].indirect && is_of_module(s, g))
				enqueue(s, g);
	}
}

/* Adds to the queue all functions that those in it may call, directly or not. */
static void close_callees(struct places *s)
{
	struct isa_link *k = s->l->link;
	bool indirect_done = false;

	for (uint32_t at = 0; at < s->n_queue && !gave_up(s); at++) {
		const struct link_function *f = &k->functions[s->queue[at]];
		for (uint32_t c = 0; c < f->n_callees; c++)
			enqueue(s, callee_index(s->l, f->callees[c]));
		if (!f->indirect || indirect_done)
			continue;
		indirect_done = true;
		for (uint32_t g = s->first; g < s->n; g++)
			if (k->functions[g].address_taken && !s->l->p->functions[g]->unloaded && is_of_module(s, g))
				enqueue(s, g);
	}
}

static uint32_t reached_end(struct places *s, uint32_t function)
{
	uint32_t end = 0;

	empty_queue(s);
	enqueue(s, function);
	close_callees(s);
	if (gave_up(s))
		return s->top;
	for (uint32_t k = 0; k < s->n_queue; k++) {
		uint32_t e = s->l->link->functions[s->queue[k]].shared_end;
		end = e > end ? e : end;
	}
	return end;
}

/* ---- placing ---- */

static bool is_shared(const struct ptx_symbol *v)
{
	return v->kind == PTX_SYM_VARIABLE && v->space == ISA_SPACE_SHARED && v->bytes && v->linkage != ISA_LINK_EXTERN;
}

static uint32_t place_variable(struct places *s, struct ptx_symbol *v, uint64_t at)
{
	uint64_t align = v->align ? v->align : 1;

	at = (at + align - 1) & ~(align - 1);
	if (v->bytes > ISA_SHARED_BYTES_MAX || at + v->bytes > ISA_SHARED_BYTES_MAX) {
		if (!s->l->failed)
			lower_error(s->l, v->at, "no room for '%.*s' in shared memory: at most %llu bytes",
				    (int)v->name.n, v->name.s, (unsigned long long)ISA_SHARED_BYTES_MAX);
		return 0;
	}
	v->address = at;
	if (s->top < at + v->bytes)
		s->top = (uint32_t)(at + v->bytes);
	return (uint32_t)(at + v->bytes);
}

static bool has_shared(const struct ptx_function *f)
{
	for (uint32_t k = 0; k < f->n_scopes; k++)
		for (uint32_t i = 0; i < f->scopes[k]->n_symbols; i++)
			if (is_shared(f->scopes[k]->symbols[i]))
				return true;
	return false;
}

/* All shared variables written inside a function, one after the other. */
static uint32_t place_function(struct places *s, const struct lower_usage *u, uint32_t at)
{
	for (uint32_t k = 0; k < u->f->n_scopes; k++)
		for (uint32_t i = 0; i < u->f->scopes[k]->n_symbols; i++)
			if (is_shared(u->f->scopes[k]->symbols[i]))
				at = place_variable(s, u->f->scopes[k]->symbols[i], at);
	s->l->link->functions[u->function].shared_end = at;
	return at;
}

/* Highest end among the kernels in the queue (and the unknown one, if it is met). */
static uint32_t common_end(struct places *s)
{
	uint32_t end = s->any ? *s->any_end : 0;

	if (gave_up(s))
		return s->top;
	for (uint32_t k = 0; k < s->n_queue; k++)
		if (s->l->p->functions[s->queue[k]]->is_kernel && s->ends[s->queue[k]] > end)
			end = s->ends[s->queue[k]];
	return end;
}

static void raise_ends(struct places *s, uint32_t end)
{
	for (uint32_t k = 0; k < s->n_queue; k++)
		if (s->ends[s->queue[k]] < end)
			s->ends[s->queue[k]] = end;
	if (s->any && *s->any_end < end)
		*s->any_end = end;
}

static void place_kernels(struct places *s)
{
	for (uint32_t k = 0; k < s->l->n_usage; k++) {
		const struct lower_usage *u = &s->l->usage[k];
		if (u->function != LINK_NONE && u->f->is_kernel)
			s->ends[u->function] = place_function(s, u, s->ends[u->function]);
	}
}

/* Module-scope variable: reached by the callers of every function that names it. */
static void place_module_variable(struct places *s, uint32_t binding, const uint32_t *users, uint32_t n_users)
{
	struct lower_binding *b = &s->l->bindings[binding];

	empty_queue(s);
	for (uint32_t k = 0; k < n_users; k++)
		enqueue(s, users[k]);
	close_callers(s);
	s->any |= b->link != LINK_NONE || !n_users;
	if (!b->defines)
		return;
	uint32_t end = place_variable(s, b->symbol, common_end(s));
	raise_ends(s, end);
	for (uint32_t k = 0; k < n_users; k++)
		if (s->l->link->functions[users[k]].shared_end < end)
			s->l->link->functions[users[k]].shared_end = end;
	if (b->index != LINK_NONE)
		s->l->p->variables[b->index]->address = b->symbol->address;
}

/* Functions of this module that name a shared variable of another file. */
static void note_foreign(struct places *s)
{
	for (uint32_t k = 0; k < s->l->n_usage; k++) {
		const struct lower_usage *u = &s->l->usage[k];
		for (uint32_t i = 0; u->function != LINK_NONE && i < u->n_shared; i++) {
			const struct lower_binding *b = &s->l->bindings[u->shared[i]];
			if (b->defines || b->index == LINK_NONE)
				continue;
			const struct isa_variable *v = s->l->p->variables[b->index];
			uint32_t end = (uint32_t)(v->address + v->bytes);
			if (s->l->link->functions[u->function].shared_end < end)
				s->l->link->functions[u->function].shared_end = end;
		}
	}
}

static void place_module_variables(struct places *s)
{
	uint32_t *start = xcalloc((size_t)s->l->n_bindings + 2, sizeof *start), *users;

	/* users of each binding, by counting sort */
	for (uint32_t k = 0; k < s->l->n_usage; k++)
		for (uint32_t i = 0; s->l->usage[k].function != LINK_NONE && i < s->l->usage[k].n_shared; i++)
			start[s->l->usage[k].shared[i] + 2]++;
	for (uint32_t b = 2; b < s->l->n_bindings + 2; b++)
		start[b] += start[b - 1];
	users = xmalloc(((size_t)start[s->l->n_bindings + 1] + 1) * sizeof *users);
	for (uint32_t k = 0; k < s->l->n_usage; k++)
		for (uint32_t i = 0; s->l->usage[k].function != LINK_NONE && i < s->l->usage[k].n_shared; i++)
			users[start[s->l->usage[k].shared[i] + 1]++] = s->l->usage[k].function;
	for (uint32_t b = 0; b < s->l->n_bindings && !s->l->failed; b++)
		if (is_shared(s->l->bindings[b].symbol))
			place_module_variable(s, b, users + start[b], start[b + 1] - start[b]);
	free(users);
	free(start);
}

static void place_device_functions(struct places *s)
{
	for (uint32_t k = 0; k < s->l->n_usage && !s->l->failed; k++) {
		const struct lower_usage *u = &s->l->usage[k];
		if (u->function == LINK_NONE || u->f->is_kernel || !has_shared(u->f))
			continue;
		empty_queue(s);
		enqueue(s, u->function);
		close_callers(s);
		uint32_t used = s->l->link->functions[u->function].shared_end, from = common_end(s);
		raise_ends(s, place_function(s, u, from > used ? from : used));
	}
}

static void places_init(struct places *s, struct lower *l)
{
	struct link_module *m = &l->link->modules[l->m->into];
	*s = (struct places){.l = l, .first = m->first_function, .n = l->p->n_functions, .any_end = &m->any_shared_end};
	s->ends = xcalloc((size_t)s->n + 1, sizeof *s->ends);
	s->stamp = xcalloc((size_t)s->n + 1, sizeof *s->stamp);
	s->queue = xmalloc(((size_t)s->n + 1) * sizeof *s->queue);
	s->top = *s->any_end;
	for (uint32_t f = s->first; f < s->n; f++) {
		if (!is_of_module(s, f))
			continue;
		const struct isa_function *k = l->p->functions[f];
		uint32_t end = l->link->functions[f].shared_end > k->static_shared ? l->link->functions[f].shared_end
										   : k->static_shared;
		s->top = end > s->top ? end : s->top;
	}
}

static void places_free(struct places *s)
{
	free(s->caller_start);
	free(s->callers);
	free(s->ends);
	free(s->stamp);
	free(s->queue);
}

void lower_place_shared(struct lower *l)
{
	struct places s;

	places_init(&s, l);
	build_callers(&s);
	note_foreign(&s);
	for (uint32_t f = s.first; f < s.n; f++)
		if (l->p->functions[f]->is_kernel && !l->p->functions[f]->unloaded && is_of_module(&s, f))
			s.ends[f] = reached_end(&s, f);
	place_kernels(&s);
	place_module_variables(&s);
	place_device_functions(&s);
	places_free(&s);
}

/* ---- totals ---- */

void lower_shared_totals(struct lower *l)
{
	struct places s;

	places_init(&s, l);
	for (uint32_t f = s.first; f < s.n; f++) {
		struct isa_function *k = l->p->functions[f];
		if (!k->is_kernel || !k->is_defined || k->unloaded || !is_of_module(&s, f))
			continue;
		uint32_t align = 16;
		k->static_shared = reached_end(&s, f);
		k->uses_dynamic_shared = false;
		for (uint32_t i = 0; i < (gave_up(&s) ? s.n : s.n_queue); i++) {
			const struct link_function *g = &l->link->functions[gave_up(&s) ? i : s.queue[i]];
			k->uses_dynamic_shared |= g->uses_dynamic;
			align = g->uses_dynamic && g->dynamic_align > align ? g->dynamic_align : align;
		}
		/* dynamic shared memory begins at the next multiple of 16: make that one that its variables may have */
		if (k->uses_dynamic_shared && align > 16)
			k->static_shared = (k->static_shared + align - 1) & ~(align - 1);
	}
	places_free(&s);
}
