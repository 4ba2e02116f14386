/* Variables that a compiler keeps in one register after the other: nvcc -G begins a new one with each assignment. gdb has the register watched in which a
 * variable is when its user asks for that. Here the others are watched with it. gdb, which is notified of a change, looks for the variable where it is by
 * then, and continues if it is as it was. */
#include "debug/csource/cnames.h"
#include "gdbstub/threads/room.h"

/* The registers of a function, by their places in its frame. */
struct moving {
	const struct isa_function *f;
	uint32_t at;
	uint32_t *out; /* other places of the variables that are at `at` */
	size_t n, max;
	bool is_anywhere; /* one of them has a place at `pc` */
	uint32_t pc;
};

static bool is_in_register(const struct cplace *p) { return p->kind == CPLACE_REGISTER && !p->is_pointed_to; }

static uint32_t offset_of(const struct moving *m, const struct cplace *p)
{
	return frame_offset(m->f, p->reg.is_pred, p->reg.ref);
}

static bool is_at(const struct moving *m, const struct cvar *v)
{
	for (uint32_t i = 0; i < v->n_places; i++)
		if (is_in_register(&v->places[i]) && offset_of(m, &v->places[i]) == m->at)
			return true;
	return false;
}

static void add_place(struct moving *m, uint32_t at)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->out[i] == at)
			return;
	if (at != m->at && m->n < m->max)
		m->out[m->n++] = at;
}

/* Adds the places of the variables of a scope, and of those in it. */
static void visit_scope(struct moving *m, const struct cscope *s)
{
	for (uint32_t i = 0; i < s->n_vars; i++) {
		const struct cvar *v = &s->vars[i];
		if (v->n_places < 2 || !is_at(m, v))
			continue;
		m->is_anywhere |= cvar_place(v, m->pc) != NULL;
		for (uint32_t k = 0; k < v->n_places; k++)
			if (is_in_register(&v->places[k]))
				add_place(m, offset_of(m, &v->places[k]));
	}
	for (const struct cscope *c = s->child; c; c = c->next)
		visit_scope(m, c);
}

static void visit_function(struct stub *s, struct moving *m)
{
	const struct cscope *scope = cnames_function(s->d, m->f);
	if (scope)
		visit_scope(m, scope);
}

size_t moving_others(struct stub *s, const struct isa_function *f, uint32_t at, uint32_t *out, size_t max)
{
	struct moving m = {.f = f, .at = at, .out = out, .max = max, .pc = UINT32_MAX};
	visit_function(s, &m);
	return m.n;
}

bool moving_has_place(struct stub *s, const struct isa_function *f, uint32_t at, uint32_t pc)
{
	struct moving m = {.f = f, .at = at, .pc = pc};
	visit_function(s, &m);
	return m.is_anywhere;
}
