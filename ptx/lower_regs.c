/* Registers of a function: predicate slots and rows, and the table by which a debugger names them.
 *
 * A declaration gets rows for the numbers up to the highest one mentioned, so that `%r<100000>` with one use costs one row. Rows
 * of nested scopes are not shared: after a scope its registers can still be looked at. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xalloc.h"
#include "ptx/dialect.h"
#include "ptx/lower.h"

#define FRAME_BYTES_MAX (UINT32_C(64) << 20) /* one warp's activation */
#define SLOTS_MAX (UINT32_C(1) << 22)
#define NAMES_MOST 64u /* names of nested scopes that are looked for: compilers use a few */

struct regs {
	struct lower *l;
	uint32_t n_slots;
	uint64_t rows; /* bytes of rows so far */
	struct isa_reg *v;
	size_t n, cap;
	uint32_t serial; /* numbers given to the registers declared so far, used or not */
	uint32_t next;	 /* serial of the symbol that is being listed */
	struct named {
		const struct ptx_symbol *symbol;
		uint32_t serial;
	} names[NAMES_MOST];
	uint32_t n_names;
};

static bool is_needed(const struct ptx_symbol *s) { return s->kind == PTX_SYM_REG && s->index; }

static unsigned elements(const struct ptx_symbol *s) { return s->vec > 1 ? s->vec : 1; }

static void place_slots(struct regs *r, struct ptx_symbol *s)
{
	if (!is_needed(s) || s->type != ISA_PRED)
		return;
	s->ref = r->n_slots;
	r->n_slots += s->index;
}

static void place_rows(struct regs *r, struct ptx_symbol *s)
{
	if (!is_needed(s) || s->type == ISA_PRED)
		return;
	uint64_t bytes = (uint64_t)isa_row_bytes(isa_type_bytes((enum isa_type)s->type)) * s->index * elements(s);
	/* far over the limit it doesn't matter where */
	s->ref = r->rows + bytes < FRAME_BYTES_MAX ? (uint32_t)r->rows : 0;
	r->rows += bytes;
}

static void add_reg(struct regs *r, const char *name, uint32_t count, uint32_t first, uint8_t type,
		    const struct ptx_scope *scope)
{
	bool whole = !scope->function || scope == r->l->f->scope || !scope->end_insn;

	r->v = xgrow(r->v, &r->cap, r->n + 1, sizeof *r->v);
	r->v[r->n++] = (struct isa_reg){
		.name = name,
		.count = count,
		.first = first,
		.type = type,
		.scope_first = r->l->out->first + (whole ? 0 : lower_place_of(r->l->use, scope->first_insn)),
		.serial = r->next + 1,
		.scope_end = whole ? r->l->out->end : r->l->out->first + lower_place_of(r->l->use, scope->end_insn),
	};
}

const char lower_dims[4] = {'x', 'y', 'z', 'w'};

/* A vector register is a row per element: x.x, x.y ... */
static void list_vector(struct regs *r, const struct ptx_symbol *s)
{
	uint32_t step = isa_row_bytes(isa_type_bytes((enum isa_type)s->type));

	for (uint32_t k = 0; k < s->index * elements(s); k++) {
		struct text name = {0};
		text_addn(&name, s->name.s, s->name.n);
		if (s->count)
			text_addf(&name, "%u", k / elements(s));
		text_addf(&name, ".%c", lower_dims[k % elements(s) & 3]);
		struct ptx_slice slice = {name.s, (uint32_t)name.n};
		add_reg(r, lower_name(r->l, slice), 0, s->ref + k * step, s->type, s->scope);
		text_free(&name);
	}
}

static bool is_same_name(const struct ptx_symbol *a, const struct ptx_symbol *b)
{
	return a->name.n == b->name.n && !memcmp(a->name.s, b->name.s, a->name.n) && !a->count == !b->count &&
	       a->count <= b->count;
}

/* GPGPU-Sim 3.2.2 knows no scopes: in its scoreboard a name in a block is the register that an earlier block declared. */
static bool take_serial(struct regs *r, const struct ptx_symbol *s)
{
	r->next = r->serial;
	if (s->scope == r->l->f->scope || s->is_param)
		return true;
	for (uint32_t k = 0; k < r->n_names; k++)
		if (is_same_name(s, r->names[k].symbol)) {
			r->next = r->names[k].serial;
			return false;
		}
	if (r->n_names < NAMES_MOST)
		r->names[r->n_names++] = (struct named){s, r->serial};
	return true;
}

static void list_symbol(struct regs *r, const struct ptx_symbol *s)
{
	if (s->kind != PTX_SYM_REG)
		return;
	const bool is_new = take_serial(r, s);
	if (is_needed(s) && elements(s) > 1)
		list_vector(r, s);
	else if (is_needed(s))
		add_reg(r, lower_name(r->l, s->name), s->count ? s->index : 0, s->ref, s->type, s->scope);
	if (is_new && s->count < UINT32_MAX - r->serial)
		r->serial += s->count ? s->count : 1;
}

typedef void visit(struct regs *r, struct ptx_symbol *s);

/* Parameters, then every scope's registers in the order of declaration; module-scope ones (before PTX 3.0) last. */
static void each_symbol(struct regs *r, visit *v)
{
	const struct ptx_function *f = r->l->f;

	for (uint32_t k = 0; k < f->n_params; k++)
		v(r, f->params[k]);
	for (uint32_t s = 0; s < f->n_scopes; s++)
		for (uint32_t k = 0; k < f->scopes[s]->n_symbols; k++)
			if (!f->scopes[s]->symbols[k]->is_param)
				v(r, f->scopes[s]->symbols[k]);
	for (uint32_t k = 0; k < r->l->n_per_function; k++)
		v(r, r->l->per_function[k]);
}

static void move_rows(struct regs *r, struct ptx_symbol *s)
{
	if (is_needed(s) && s->type != ISA_PRED)
		s->ref += r->l->out->n_preds * 4;
}

static void visit_list(struct regs *r, struct ptx_symbol *s) { list_symbol(r, s); }

static void set_param_regs(struct lower *l)
{
	const uint32_t n_places = lower_count_places(l->f);
	uint32_t *regs = NULL, n = 0;

	for (uint32_t k = 0; k < l->f->n_params; k++) {
		const struct ptx_symbol *s = l->f->params[k];
		const uint32_t first = n;
		n += lower_param_places(s);
		if (s->kind != PTX_SYM_REG)
			continue;
		if (!regs) {
			regs = POOL_ARRAY(&l->p->pool, uint32_t, n_places);
			for (uint32_t i = 0; i < n_places; i++)
				regs[i] = ISA_REF_NONE;
		}
		for (uint32_t i = first; i < n; i++)
			regs[i] = s->ref + (i - first) * isa_row_bytes(isa_type_bytes((enum isa_type)s->type));
	}
	l->out->param_regs = regs;
}

void lower_place_registers(struct lower *l)
{
	/* slots 0 and 1 are always true and the sink; no slot has the number that means "no row" (ISA_REF_NONE) */
	struct regs r = {.l = l, .n_slots = ISA_REF_NONE + 1};

	l->temp_preds = r.n_slots;
	r.n_slots += l->use->adapts ? LOWER_ADAPTED : 0;
	l->first_slot = r.n_slots;
	r.n_slots += l->dialect ? l->dialect->slots(l) : 0;
	each_symbol(&r, place_slots);
	each_symbol(&r, place_rows);
	uint64_t bytes = r.rows + 4 * (uint64_t)r.n_slots;
	if (r.n_slots > SLOTS_MAX || bytes > FRAME_BYTES_MAX) {
		lower_error(l, l->f->at, "'%s' needs %llu bytes of registers a warp; at most %u fit", l->out->name,
			    (unsigned long long)bytes, FRAME_BYTES_MAX);
		return;
	}
	l->out->n_preds = (r.n_slots + 15) & ~15u; /* whole 64-byte blocks */
	l->out->frame_bytes = (uint32_t)r.rows + 4 * l->out->n_preds;
	each_symbol(&r, move_rows);
	each_symbol(&r, visit_list);
	l->out->regs = pool_dup(&l->p->pool, r.v, r.n * sizeof *r.v);
	l->out->n_regs = (uint32_t)r.n;
	free(r.v);
	set_param_regs(l);
}
