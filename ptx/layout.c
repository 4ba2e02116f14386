/* Where variables go: global and constant memory of the program, parameters, the local frame of an activation.
 *
 * A local frame is laid out as in GPGPU-Sim 3.2.2, whose cycle counts depend on it. From offset 0: a device function's parameters,
 * the function's .local variables, then the .param variables of call sequences. Parameters follow each other, aligned to words only.
 * Names of call sequences that come again use the same place, if there is room for them. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xalloc.h"
#include "ptx/lower.h"

static uint64_t align_up(uint64_t v, uint64_t align) { return align > 1 ? (v + align - 1) & ~(align - 1) : v; }

static struct isa_variable variable_of(struct lower *l, const struct ptx_symbol *s)
{
	struct isa_variable v = {
		.name = lower_name(l, s->name),
		.space = s->space,
		.type = s->type,
		.vec = s->vec ? s->vec : 1,
		.align = s->align,
		.address = s->address,
		.bytes = s->bytes,
		.n_dims = s->n_dims,
	};

	if (s->n_dims)
		v.dims = pool_dup(&l->p->pool, s->dims, s->n_dims * sizeof *s->dims);
	if (s->linkage == ISA_LINK_EXTERN)
		v.flags |= ISA_VAR_EXTERN;
	if (s->is_managed)
		v.flags |= ISA_VAR_MANAGED;
	if (s->is_ptr)
		v.flags |= ISA_VAR_PTR;
	if (s->is_return)
		v.flags |= ISA_VAR_RETURN;
	if (s->space == ISA_SPACE_SHARED && !s->bytes)
		v.flags |= ISA_VAR_DYNAMIC_SHARED;
	return v;
}

/* ---- module scope ---- */

/* Index of the new program variable. */
static uint32_t add_variable(struct lower *l, const struct ptx_symbol *s)
{
	struct isa_program *p = l->p;
	struct isa_variable *v = POOL_NEW(&p->pool, struct isa_variable);
	uint32_t col;

	*v = variable_of(l, s);
	v->plain = lower_plain_name(l, v->name);
	v->file = l->file;
	if (p->n_variables == p->cap_variables) {
		p->cap_variables += p->cap_variables / 2 + 16;
		p->variables = xrealloc(p->variables, p->cap_variables * sizeof(struct isa_variable *));
	}
	l->link->variables =
		xgrow(l->link->variables, &l->link->cap_variables, p->n_variables + 1, sizeof *l->link->variables);
	l->link->variables[p->n_variables] = (struct link_variable){.file = l->file};
	ptx_position(l->m, s->at, &l->link->variables[p->n_variables].line, &col);
	l->link->n_variables = p->n_variables + 1;
	p->variables[p->n_variables] = v;
	return p->n_variables++;
}

static void place_fixed(struct lower *l, struct ptx_symbol *s)
{
	bool is_const = s->space == ISA_SPACE_CONST;
	const uint64_t const_end = l->p->const_most ? l->p->const_most : ISA_CONST_BYTES_MAX;
	const uint64_t global_end = l->p->global_end ? l->p->global_end : ISA_MODULE_GLOBALS_END;
	const uint64_t limit = is_const ? const_end : global_end;
	const uint64_t bytes = s->bytes ? s->bytes : 1, next = is_const ? l->p->const_next : l->p->global_next;
	const unsigned space = is_const ? LINK_CONSTANT : LINK_GLOBAL;
	struct link_pieces *taken = &l->link->modules[l->m->into].taken[space];
	struct link_piece piece;
	if (s->is_managed && l->p->place_managed &&
	    (s->address = l->p->place_managed(l->p->managed_self, bytes, s->align)))
		return;
	uint64_t at = link_pieces_take(&l->link->freed[space], bytes, s->align, &piece);
	if (at != LINK_NO_ROOM) {
		s->address = at;
		link_pieces_add(taken, piece);
		return;
	}
	at = align_up(next, s->align);
	const uint64_t end = at + bytes;
	if (end > limit) {
		lower_error(l, s->at, "no room for '%.*s': %llu bytes of %s memory are left", (int)s->name.n, s->name.s,
			    (unsigned long long)(at < limit ? limit - at : 0), is_const ? "constant" : "module global");
		return;
	}
	s->address = at;
	link_pieces_add(taken, (struct link_piece){next, end});
	if (is_const)
		l->p->const_next = (uint32_t)end;
	else
		l->p->global_next = end;
}

static bool is_fixed_space(const struct ptx_symbol *s)
{
	return s->kind == PTX_SYM_VARIABLE && (s->space == ISA_SPACE_GLOBAL || s->space == ISA_SPACE_CONST) &&
	       !s->is_param;
}

/* .global and .const variables declared inside functions belong to the module all the same. */
static void place_nested(struct lower *l, const struct ptx_function *f)
{
	for (uint32_t s = 0; s < f->n_scopes && !l->failed; s++)
		for (uint32_t k = 0; k < f->scopes[s]->n_symbols && !l->failed; k++) {
			struct ptx_symbol *v = f->scopes[s]->symbols[k];
			if (!is_fixed_space(v))
				continue;
			place_fixed(l, v);
			v->index = add_variable(l, v) + 1;
		}
}

/* Reports a name that the debugger has given to a buffer. */
static void check_name(struct lower *l, const struct ptx_symbol *s)
{
	struct text why = {0};
	const char *name = lower_name(l, s->name);
	if (!l->m->into && l->p->refuse && l->p->refuse(l->p->refuse_self, name, lower_plain_name(l, name), &why))
		lower_error(l, s->at, "%s", text_str(&why));
	text_free(&why);
}

void lower_place_variables(struct lower *l)
{
	if (!l->p->global_next)
		l->p->global_first = l->p->global_next = ISA_MODULE_GLOBALS;
	for (uint32_t k = 0; k < l->n_bindings && !l->failed; k++) {
		struct lower_binding *b = &l->bindings[k];
		if (b->symbol->kind != PTX_SYM_VARIABLE)
			continue;
		check_name(l, b->symbol);
		if (b->dynamic_shared) { /* no place of its own: known for the debugger */
			b->index = add_variable(l, b->symbol);
		} else if (b->defines) {
			if (is_fixed_space(b->symbol))
				place_fixed(l, b->symbol);
			b->index = add_variable(l, b->symbol);
		} else {
			b->index = l->link->symbols[b->link].index;
		}
	}
	for (uint32_t k = 0; k < l->n_usage && !l->failed; k++)
		if (l->usage[k].function != LINK_NONE)
			place_nested(l, l->usage[k].f);
}

/* ---- initial images ---- */

static void write_item(struct lower *l, uint8_t *image, const struct ptx_symbol *s, const struct ptx_init_item *item,
		       uint32_t variable)
{
	unsigned bytes = isa_type_bytes((enum isa_type)item->type);
	uint64_t value = item->bits;

	if (!bytes || bytes > 8 || item->offset > s->bytes || s->bytes - item->offset < bytes)
		return;
	if (item->symbol) {
		struct lower_place place = lower_symbol_place(l, item->symbol, item->bits);
		if (place.kind == LOWER_PLACE_LINK) {
			isa_link_ref(l->link, (struct link_ref){.kind = LINK_INIT,
								.bytes = (uint8_t)bytes,
								.byte_of = item->mask_shift,
								.generic = item->generic,
								.symbol = place.link,
								.at = variable,
								.offset = (uint32_t)item->offset,
								.addend = (int64_t)place.address});
			return;
		}
		value = place.kind == LOWER_PLACE_FIXED
				? place.address + (item->generic ? isa_space_window(place.space) : 0)
				: 0;
		if (item->mask_shift != 0xff)
			value = value >> (8 * (item->mask_shift & 7)) & 0xff;
	}
	memcpy(image + item->offset, &value, bytes);
}

static void make_image(struct lower *l, const struct ptx_symbol *s, uint32_t variable)
{
	if (!s->init || (!s->init->n && !s->init->n_bytes) || !s->bytes)
		return;
	uint8_t *image = pool_alloc(&l->p->pool, s->bytes);
	if (s->init->n_bytes)
		memcpy(image, s->init->bytes, s->init->n_bytes);
	l->p->variables[variable]->init = image;
	l->link->variables[variable].image = image;
	for (uint32_t k = 0; k < s->init->n; k++)
		write_item(l, image, s, &s->init->items[k], variable);
}

void lower_init_images(struct lower *l)
{
	for (uint32_t k = 0; k < l->n_bindings; k++) {
		const struct lower_binding *b = &l->bindings[k];
		if (b->symbol->kind == PTX_SYM_VARIABLE && b->defines && b->index != LINK_NONE)
			make_image(l, b->symbol, b->index);
	}
	for (uint32_t u = 0; u < l->n_usage; u++) {
		const struct ptx_function *f = l->usage[u].f;
		for (uint32_t s = 0; l->usage[u].function != LINK_NONE && s < f->n_scopes; s++)
			for (uint32_t k = 0; k < f->scopes[s]->n_symbols; k++)
				if (is_fixed_space(f->scopes[s]->symbols[k]))
					make_image(l, f->scopes[s]->symbols[k], f->scopes[s]->symbols[k]->index - 1);
	}
}

/* ---- parameters ---- */

#define WORD 4u

/* Arrays keep the alignment they ask for: compilers that take their address rely on it. */
static uint64_t param_align(const struct ptx_symbol *s) { return s->align < WORD || s->n_dims ? s->align : WORD; }

static void note_align(struct isa_function *out, uint64_t align)
{
	if (align > out->local_align)
		out->local_align = (uint32_t)align;
}

uint32_t lower_count_places(const struct ptx_function *f)
{
	uint32_t n = 0;

	for (uint32_t k = 0; k < f->n_params; k++)
		n += lower_param_places(f->params[k]);
	return n;
}

/* A parameter in registers: one entry, or one per element, named as the elements are: r.x, r.y ... */
static void add_register_param(struct lower *l, const struct ptx_symbol *s, struct isa_variable *v)
{
	const struct isa_variable whole = variable_of(l, s);
	const uint32_t n = lower_param_places(s);

	for (uint32_t k = 0; k < n; k++) {
		v[k] = whole;
		v[k].bytes = isa_type_bytes((enum isa_type)s->type);
		if (n == 1)
			continue;
		struct text name = {0};
		text_addf(&name, "%s.%c", whole.name, lower_dims[k & 3]);
		v[k].name = lower_name(l, (struct ptx_slice){text_str(&name), (uint32_t)name.n});
		v[k].vec = 1;
		text_free(&name);
	}
}

void lower_place_params(struct lower *l, const struct ptx_function *f, struct isa_function *out)
{
	uint64_t at = 0;
	uint32_t n = 0;
	struct isa_variable *params = POOL_ARRAY(&l->p->pool, struct isa_variable, lower_count_places(f));

	for (uint32_t k = 0; k < f->n_params; k++) {
		struct ptx_symbol *s = f->params[k];
		const uint32_t first = n;
		n += lower_param_places(s);
		if (s->kind == PTX_SYM_REG) {
			add_register_param(l, s, &params[first]);
		} else {
			at = align_up(at, f->is_kernel ? s->align : param_align(s));
			s->address = at;
			at += s->bytes;
			if (!f->is_kernel)
				note_align(out, param_align(s));
			params[first] = variable_of(l, s);
		}
		for (uint32_t i = first; i < n; i++) {
			params[i].space = f->is_kernel ? ISA_SPACE_PARAM : ISA_SPACE_LOCAL;
			params[i].flags |= k < f->n_returns ? ISA_VAR_RETURN : 0;
		}
		if (at > ISA_PARAM_BYTES_MAX) {
			lower_error(l, s->at, "the parameters of '%s' need more than %llu bytes", out->name,
				    (unsigned long long)ISA_PARAM_BYTES_MAX);
			break;
		}
	}
	out->params = params;
	out->n_params = n;
	if (f->is_kernel)
		out->param_bytes = (uint32_t)at;
	else
		out->local_bytes = (uint32_t)align_up(at, WORD);
}

/* ---- local frames ---- */

static uint64_t place_in_frame(struct ptx_symbol *s, uint64_t at)
{
	const uint64_t align = isa_place_align(s->bytes);
	at = align_up(at, align > s->align ? align : s->align);
	s->address = at;
	return at + s->bytes;
}

static bool is_local(const struct ptx_symbol *s)
{
	return s->kind == PTX_SYM_VARIABLE && s->space == ISA_SPACE_LOCAL && !s->is_param;
}
static bool is_call_param(const struct ptx_symbol *s)
{
	return s->kind == PTX_SYM_VARIABLE && s->space == ISA_SPACE_PARAM && !s->is_param;
}

#define NAMES_MOST 64u /* names that are looked for: compilers use a few */

/* Returns true if a scope is inside another, so that the variables of both exist at the same time. */
static bool is_inside(const struct ptx_scope *scope, const struct ptx_scope *outer)
{
	while (scope && scope != outer)
		scope = scope->parent;
	return scope != NULL;
}

/* The last call-sequence parameter of this name so far. */
static const struct ptx_symbol *same_before(const struct ptx_symbol **seen, size_t n, const struct ptx_symbol *s)
{
	for (size_t k = n; k-- > 0;)
		if (seen[k]->name.n == s->name.n && !memcmp(seen[k]->name.s, s->name.s, s->name.n))
			return seen[k];
	return NULL;
}

static uint64_t place_call_params(const struct ptx_function *f, uint64_t at)
{
	const struct ptx_symbol *seen[NAMES_MOST];
	size_t n = 0;

	for (uint32_t s = 0; s < f->n_scopes; s++)
		for (uint32_t k = 0; k < f->scopes[s]->n_symbols; k++) {
			struct ptx_symbol *v = f->scopes[s]->symbols[k];
			if (!is_call_param(v))
				continue;
			const struct ptx_symbol *first = same_before(seen, n, v);
			if (first && !is_inside(v->scope, first->scope) && first->bytes >= v->bytes &&
			    !(first->address & (param_align(v) - 1))) {
				v->address = first->address;
				continue;
			}
			v->address = align_up(at, param_align(v));
			at = v->address + v->bytes;
			if (n < NAMES_MOST)
				seen[n++] = v;
		}
	return at;
}

/* Module-scope .local variables (before PTX 3.0) get a place in every frame. */
static uint64_t place_module_locals(struct lower *l, uint64_t at)
{
	for (uint32_t k = 0; k < l->n_per_function; k++)
		if (is_local(l->per_function[k])) {
			at = place_in_frame(l->per_function[k], at);
			note_align(l->out, l->per_function[k]->align);
		}
	return at;
}

/* The debugger's list of the function's own variables. */
static void list_variables(struct lower *l)
{
	const struct ptx_function *f = l->f;
	struct isa_variable *v = NULL;
	size_t n = 0, cap = 0;

	for (uint32_t s = 0; s < f->n_scopes; s++)
		for (uint32_t k = 0; k < f->scopes[s]->n_symbols; k++) {
			const struct ptx_symbol *sym = f->scopes[s]->symbols[k];
			if (sym->kind != PTX_SYM_VARIABLE || (!is_local(sym) && sym->space != ISA_SPACE_SHARED))
				continue;
			v = xgrow(v, &cap, n + 1, sizeof *v);
			v[n] = variable_of(l, sym);
			v[n].plain = lower_plain_name(l, v[n].name);
			n++;
		}
	l->out->vars = pool_dup(&l->p->pool, v, n * sizeof *v);
	l->out->n_vars = (uint32_t)n;
	free(v);
}

void lower_place_locals(struct lower *l)
{
	const struct ptx_function *f = l->f;
	uint64_t at = l->out->local_bytes;

	for (uint32_t s = 0; s < f->n_scopes; s++)
		for (uint32_t k = 0; k < f->scopes[s]->n_symbols; k++)
			if (is_local(f->scopes[s]->symbols[k])) {
				at = place_in_frame(f->scopes[s]->symbols[k], at);
				note_align(l->out, f->scopes[s]->symbols[k]->align);
			} else if (is_call_param(f->scopes[s]->symbols[k])) {
				note_align(l->out, param_align(f->scopes[s]->symbols[k]));
			}
	at = place_module_locals(l, at);
	at = place_call_params(f, at);
	if (at > ISA_LOCAL_BYTES_MAX) {
		lower_error(l, f->at, "'%s' needs %llu bytes of local memory a thread; at most %llu fit", l->out->name,
			    (unsigned long long)at, (unsigned long long)ISA_LOCAL_BYTES_MAX);
		return;
	}
	l->out->local_bytes = (uint32_t)align_up(at, WORD);
	list_variables(l);
}
