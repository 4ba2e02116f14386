/* What names in an expression stand for: registers, variables, buffers, history, the debugger's own variables. */
#include <stdio.h>
#include <string.h>

#include "isa/plus.h"
#include "base/xalloc.h"
#include "debug/expr/expr.h"
#include "debug/expr/expr_internal.h"
#include "debug/expr/value.h"
#include "debug/expr/fields.h"
#include "debug/view/functions.h"
#include "debug/view/name_match.h"
#include "debug/view/view.h"

/* ---- memory ---- */

bool eval_load(struct eval *v, struct expr_value *out, enum isa_type t, unsigned pointers, uint64_t address)
{
	unsigned char bytes[16] = {0};
	unsigned n = pointers ? 8 : isa_type_bytes(t) ? isa_type_bytes(t) : 1;
	if (!debug_memory_read(v->d, eval_where(v), address, bytes, n))
		return debug_access_fail(v->d, eval_where(v), address, v->why);
	value_load(out, t, pointers, bytes);
	out->place.kind = EXPR_MEMORY;
	out->place.address = address;
	return true;
}

/* An array in memory whose elements are read when they are needed (load_array). */
void eval_array(struct expr_value *out, enum isa_type t, unsigned pointers, uint64_t address, uint64_t count)
{
	memset(out, 0, sizeof *out);
	out->type = t;
	out->pointers = (uint8_t)pointers;
	out->is_array = true;
	out->count = count;
	out->place.kind = EXPR_MEMORY;
	out->place.address = address;
}

bool eval_load_array(struct eval *v, struct expr_value *a)
{
	uint64_t n;
	if ((!a->is_array && !a->is_object) || a->data || a->is_missing)
		return true;
	if (__builtin_mul_overflow(a->count, value_element_bytes(a), &n) || n > ARRAY_BYTES_MAX)
		return debug_fail(v->why, "the value has %llu elements; name a part of it, as in A[0..99]",
				  (unsigned long long)a->count);
	a->data = xmalloc(n + 1);
	if (debug_memory_read(v->d, eval_where(v), a->place.address, a->data, n))
		return true;
	free(a->data);
	a->data = NULL;
	return debug_access_fail(v->d, eval_where(v), a->place.address, v->why);
}

/* ---- names ---- */

static bool read_reg(struct eval *v, const struct isa_reg_place *r, struct expr_value *out)
{
	unsigned char bytes[16] = {0};
	if (!v->f.has_state && !v->f.waiting)
		return debug_fail(v->why, "the thread has finished, its registers are gone");
	if (r->is_pred)
		bytes[0] = debug_pred_read(v->d, &v->w, v->f.frame, r->ref);
	else
		debug_row_read(v->d, &v->w, v->f.frame, r->ref, debug_reg_bytes(r->type), bytes);
	value_load(out, r->type, 0, bytes);
	out->place.kind = r->is_pred ? EXPR_PRED : EXPR_ROW;
	out->place.frame = v->f.frame;
	out->place.ref = r->ref;
	return true;
}

static bool read_variable(struct eval *v, const struct debug_symbol *s, struct expr_value *out)
{
	const struct isa_variable *var = s->var;
	if (s->in_param_reg)
		return read_reg(v, &s->reg, out);
	const enum isa_type t = eval_element_type(v->d, var);
	uint64_t size = isa_type_bytes(t) ? isa_type_bytes(t) : 1, bytes = var->bytes;
	if (var->flags & ISA_VAR_DYNAMIC_SHARED)
		bytes = v->has_thread ? v->w.launch.shared_dynamic : 0;
	if (!var->n_dims && var->vec <= 1 && bytes <= size)
		return eval_load(v, out, t, 0, s->generic);
	eval_array(out, t, 0, s->generic, bytes / size);
	uint64_t inner = var->vec > 1 ? var->vec : var->n_dims > 1 ? var->dims[var->n_dims - 1] : 0;
	if (inner && inner <= UINT32_MAX && out->count > inner && out->count % inner == 0)
		out->row_length = (uint32_t)inner;
	return true;
}

/* A register for each element, the names of which are the vector's with .x, .y ... */
static uint32_t vector_parts(struct eval *v, const char *name, size_t n, struct isa_reg_place parts[4])
{
	char part[160];
	uint32_t k = 0;
	if (!v->has_frame || n + 3 > sizeof part)
		return 0;
	memcpy(part, name, n);
	for (; k < 4; k++) {
		part[n] = '.';
		part[n + 1] = "xyzw"[k];
		if (!isa_function_find_reg(v->f.function, part, n + 2, v->f.pc, &parts[k]))
			break;
	}
	return k;
}

static bool read_vector(struct eval *v, const char *name, size_t n, struct expr_value *out)
{
	struct isa_reg_place parts[4];
	uint32_t count = vector_parts(v, name, n, parts);
	if (!count)
		return debug_fail(v->why, "No register \"%.*s\" here.", (int)n, name);
	eval_array(out, parts[0].type, 0, 0, count);
	out->place.kind = EXPR_NOWHERE;
	out->is_dim3 = true;
	unsigned size = value_element_bytes(out);
	out->data = xcalloc(count + 1, size);
	for (uint32_t k = 0; k < count; k++) {
		struct expr_value one = {0};
		unsigned char bytes[16] = {0};
		if (!read_reg(v, &parts[k], &one))
			return false;
		value_store(&one, bytes);
		memcpy(out->data + k * size, bytes, size);
	}
	return true;
}

size_t expr_with_percent(const char *s, size_t n, char *out, size_t n_out)
{
	if (!n || *s == '%' || *s == '$' || n + 2 > n_out)
		return 0;
	*out = '%';
	memcpy(out + 1, s, n);
	out[n + 1] = '\0';
	return n + 1;
}

static bool is_nothing_else(struct eval *v, const struct node *n)
{
	struct debug_symbol s;
	return !debug_lookup(v->d, eval_where(v), &v->f, n->text, n->n, &s) &&
	       !cnames_is_local(cnames_scope(v->d, v->f.function, v->f.pc, 0), n->text, n->n) &&
	       !cnames_global(v->d, v->f.function, n->text, n->n);
}

struct node *eval_meant(struct eval *v, struct node *n)
{
	if (n->kind != NODE_SPACE || !n->c)
		return n;
	const struct node *name = n->c->a;
	const bool is_variable = (v->has_frame && cnames_is_local(cnames_scope(v->d, v->f.function, v->f.pc, 0), name->text, name->n)) ||
				 cnames_global(v->d, v->has_frame ? v->f.function : NULL, name->text, name->n);
	return is_variable ? n->c : n;
}

bool eval_vector_part(struct eval *v, const struct node *n, char dim, struct expr_value *out, bool *ok)
{
	struct isa_reg_place parts[4];
	if (n->kind != NODE_NAME || n->is_global || !v->has_frame)
		return false;
	char name[160];
	size_t length = n->n;
	uint32_t count = vector_parts(v, n->text, n->n, parts);
	if (!count && (length = expr_with_percent(n->text, n->n, name, sizeof name)) != 0 && is_nothing_else(v, n))
		count = vector_parts(v, name, length, parts);
	else
		memcpy(name, n->text, count ? n->n : 0);
	const uint32_t k = dim == 'w' ? 3 : (uint32_t)(dim - 'x');
	struct debug_symbol s;
	if (!count || !debug_lookup(v->d, eval_where(v), &v->f, name, length, &s) || s.kind != SYMBOL_VECTOR)
		return false;
	*ok = k < count ? read_reg(v, &parts[k], out) : debug_fail(v->why, "There is no member named %c.", dim);
	return true;
}

static bool read_symbol(struct eval *v, const struct debug_symbol *s, struct expr_value *out)
{
	switch (s->kind) {
	case SYMBOL_REG: return read_reg(v, &s->reg, out);
	case SYMBOL_BUFFER:
		if (s->buffer->c)
			return cvalue_at(v, true, s->buffer->c, s->buffer->address, out);
		eval_array(out, s->buffer->type, 0, s->buffer->address, s->buffer->count);
		return true;
	case SYMBOL_FREED: eval_array(out, ISA_U8, 0, s->freed->address, s->freed->bytes); return true;
	default: return read_variable(v, s, out);
	}
}

static void dim3_value(struct eval *v, const char *special, struct expr_value *out)
{
	char name[16];
	eval_array(out, ISA_U32, 0, 0, 3);
	out->place.kind = EXPR_NOWHERE;
	out->is_dim3 = true;
	out->data = xcalloc(4, sizeof(uint32_t));
	for (unsigned k = 0; k < 3; k++) {
		struct expr_value one = {0};
		int len = snprintf(name, sizeof name, "%s.%c", special, "xyz"[k]);
		debug_special_read(v->d, &v->w, name, (size_t)len, &one);
		memcpy(out->data + k * sizeof(uint32_t), &one.u.u64, sizeof(uint32_t));
	}
}

/* Reads CUDA's own names (threadIdx.x, blockDim, warpSize), and %tid for all of its parts. Returns false if the name is none of these. */
static bool read_cuda_name(struct eval *v, const struct node *n, struct expr_value *out)
{
	static const char *const names[][2] = {
		{"threadIdx", "%tid"}, {"blockIdx", "%ctaid"}, {"blockDim", "%ntid"}, {"gridDim", "%nctaid"}};
	if (!strcmp(n->text, "warpSize")) {
		value_int(out, ISA_S32, gpu_exec(v->d->g)->warp_threads);
		return true;
	}
	for (size_t i = 0; i < 4 && v->has_thread; i++) {
		size_t k = strlen(names[i][0]);
		char special[16];
		if (!strcmp(n->text, names[i][0]) || !strcmp(n->text, names[i][1])) {
			dim3_value(v, names[i][1], out);
			return true;
		}
		if (strncmp(n->text, names[i][0], k) || n->text[k] != '.')
			continue;
		int len = snprintf(special, sizeof special, "%s%s", names[i][1], n->text + k);
		return debug_special_read(v->d, &v->w, special, (size_t)len, out);
	}
	return false;
}

static const struct isa_function *function_named(struct eval *v, struct node *n)
{
	const uint32_t generation = debug_program(v->d)->generation;
	struct text ignored = {0};
	if (n->function_known && n->function_generation == generation)
		return n->function;
	n->function = debug_find_function(v->d, n->text, n->n, &ignored);
	n->function_generation = generation;
	n->function_known = true;
	text_free(&ignored);
	return n->function;
}

static bool is_place_of(const struct eval *v, const struct cvar *c, const struct isa_variable *var)
{
	const struct cplace *p = c ? cvar_place(c, v->has_frame ? v->f.pc : 0) : NULL;
	return p && p->kind == CPLACE_VARIABLE && p->variable == var && !p->offset && !p->is_pointed_to;
}

/* A variable of PTX by the name that the source has for it, too: then it has the source's type. */
static const struct cvar *as_in_source(struct eval *v, const struct node *n, const struct isa_variable *var)
{
	const struct isa_function *f = v->has_frame ? v->f.function : NULL;
	const struct cvar *c = cnames_global(v->d, f, n->text, n->n);
	if (!c && var->plain) /* clang's entries have the last part of a qualified name */
		c = cnames_global(v->d, f, var->plain, strlen(var->plain));
	if (is_place_of(v, c, var))
		return c;
	const char *name = var->plain ? var->plain : var->name; /* of another module that has it, too */
	c = cnames_global_of(v->d, var->file, name, strlen(name));
	if (is_place_of(v, c, var))
		return c;
	/* a static variable of a block that begins behind this instruction */
	c = f ? cnames_static(cnames_function(v->d, f), var) : NULL;
	return is_place_of(v, c, var) ? c : NULL;
}

static void bind(struct eval *v, struct node *n, const struct isa_reg_place *r)
{
	n->bound = true;
	n->bound_pc = v->f.pc;
	n->bound_generation = debug_program(v->d)->generation;
	n->reg = *r;
}

/* gdb's names of registers at the stub, for what nothing else has: r1 for %r1. */
static bool read_without_percent(struct eval *v, struct node *n, struct expr_value *out, bool *ok)
{
	struct debug_symbol s;
	char name[160];
	size_t length = expr_with_percent(n->text, n->n, name, sizeof name);
	if (!length || !debug_lookup(v->d, eval_where(v), &v->f, name, length, &s))
		return false;
	if (s.kind == SYMBOL_REG)
		bind(v, n, &s.reg);
	*ok = s.kind == SYMBOL_REG ? read_reg(v, &s.reg, out)
				   : s.kind == SYMBOL_VECTOR && read_vector(v, name, length, out);
	return s.kind == SYMBOL_REG || s.kind == SYMBOL_VECTOR;
}

/* ---- what provides names ---- */

/* What PTX and the source have of a name, looked up once for all providers. */
struct found_name {
	const struct debug_frame *frame; /* NULL: none, or the name is written with :: in front */
	struct debug_symbol symbol;
	bool is_symbol;
};

/* A kind of names in expressions. */
struct name_provider {
	/* Evaluates a name; *ok is false, with an error in v->why, if that fails. Returns false if the name is none of the provider's. */
	bool (*eval)(struct eval *v, struct node *n, const struct found_name *f, struct expr_value *out, bool *ok);
	/* Returns true if the name may have a value at the place, without a thread. NULL: an earlier provider knows. */
	bool (*is_known)(const struct name_place *at, const struct node *n);
};

/* Returns whether a variable of the source may hide what PTX has. */
static bool may_be_hidden(const struct node *n, bool is_symbol, const struct debug_symbol *s)
{
	return !n->is_global && (!is_symbol || s->of_module);
}

static bool eval_qualified(struct eval *v, struct node *n, const struct found_name *f, struct expr_value *out, bool *ok)
{
	if (!f->is_symbol || !f->symbol.of_module || !name_is_qualified(n->text, n->n) || !cvalue_is_qualified(v->d, n))
		return false;
	bool has_value = true;
	*ok = cvalue_outside(v, n, out, &has_value) && has_value;
	return true;
}

static bool eval_local(struct eval *v, struct node *n, const struct found_name *f, struct expr_value *out, bool *ok)
{
	const struct cvar *local = may_be_hidden(n, f->is_symbol, &f->symbol) ? cvalue_local(v, n) : NULL;
	*ok = local && cvalue_variable(v, local, out);
	return local;
}

static bool eval_own_member(struct eval *v, struct node *n, const struct found_name *f, struct expr_value *out, bool *ok)
{
	return may_be_hidden(n, f->is_symbol, &f->symbol) && cvalue_own_member(v, n, out, ok);
}

static bool eval_ambiguous(struct eval *v, struct node *n, const struct found_name *f, struct expr_value *out, bool *ok)
{
	(void)out;
	if (f->is_symbol || !f->symbol.ambiguous)
		return false;
	*ok = debug_no_symbol(v->d, f->frame ? f->frame->function : NULL, n->text, v->why);
	return true;
}

static bool eval_symbol(struct eval *v, struct node *n, const struct found_name *f, struct expr_value *out, bool *ok)
{
	if (!f->is_symbol)
		return false;
	const struct cvar *c = f->symbol.of_module ? as_in_source(v, n, f->symbol.var) : NULL;
	if (!c && f->symbol.kind == SYMBOL_REG)
		bind(v, n, &f->symbol.reg);
	*ok = c				      ? cvalue_variable(v, c, out)
	      : f->symbol.kind == SYMBOL_VECTOR ? read_vector(v, n->text, n->n, out)
						: read_symbol(v, &f->symbol, out);
	return true;
}

static bool eval_special(struct eval *v, struct node *n, const struct found_name *f, struct expr_value *out, bool *ok)
{
	(void)f;
	*ok = true;
	return v->has_thread && debug_special_read(v->d, &v->w, n->text, n->n, out);
}

static bool is_special(const struct name_place *at, const struct node *n)
{
	const struct debug_where nobody = {0};
	struct expr_value ignored;
	return debug_special_read(at->d, &nobody, n->text, n->n, &ignored);
}

static bool eval_cuda_name(struct eval *v, struct node *n, const struct found_name *f, struct expr_value *out, bool *ok)
{
	(void)f;
	*ok = true;
	return read_cuda_name(v, n, out);
}

static bool is_cuda_name(const struct name_place *at, const struct node *n)
{
	(void)at;
	return expr_is_cuda_name(n->text);
}

static bool eval_code_name(struct eval *v, struct node *n, const struct found_name *f, struct expr_value *out, bool *ok)
{
	(void)f;
	*ok = true;
	return eval_code(v, function_named(v, n), n->text, n->n, out);
}

static bool is_code(const struct name_place *at, const struct node *n)
{
	uint32_t pc;
	struct text ignored = {0};
	const bool is_known = debug_find_label(at->d, n->text, n->n, &pc) || debug_find_function(at->d, n->text, n->n, &ignored);
	text_free(&ignored);
	return is_known;
}

static bool eval_outside(struct eval *v, struct node *n, const struct found_name *f, struct expr_value *out, bool *ok)
{
	(void)f;
	return cvalue_outside(v, n, out, ok);
}

static bool is_outside(const struct name_place *at, const struct node *n)
{
	return cvalue_is_qualified(at->d, n) || cnames_global(at->d, at->function, n->text, n->n) ||
	       cnames_constant(at->d, n->text, n->n);
}

static bool eval_without_percent(struct eval *v, struct node *n, const struct found_name *f, struct expr_value *out, bool *ok)
{
	return f->frame && read_without_percent(v, n, out, ok);
}

static bool is_truth(const struct name_place *at, const struct node *n)
{
	(void)at;
	return !strcmp(n->text, "true") || !strcmp(n->text, "false");
}

static bool eval_truth(struct eval *v, struct node *n, const struct found_name *f, struct expr_value *out, bool *ok)
{
	(void)v;
	(void)f;
	*ok = true;
	if (!is_truth(NULL, n))
		return false;
	value_int(out, ISA_S32, n->text[0] == 't');
	return true;
}

/* In the order in which they hide each other. */
static const struct name_provider providers[] = {
	{eval_qualified, NULL},		  /* FUNCTION::NAME of the source, with its type */
	{eval_local, NULL},		  /* the source's variables around the instruction */
	{eval_own_member, NULL},	  /* members of the object whose method runs */
	{eval_ambiguous, NULL},		  /* variables of several modules: an error */
	{eval_symbol, name_is_symbol},	  /* registers, variables, parameters, buffers */
	{eval_special, is_special},	  /* %tid.x */
	{eval_cuda_name, is_cuda_name},	  /* threadIdx.x */
	{eval_code_name, is_code},	  /* functions and labels */
	{eval_outside, is_outside},	  /* the source's globals and enumeration constants */
	{eval_without_percent, NULL},	  /* r1 for %r1 */
	{eval_truth, is_truth},		  /* true, false */
};
#define PROVIDERS (sizeof providers / sizeof *providers)

bool expr_name_is_known(const struct name_place *at, const struct node *n)
{
	for (size_t k = 0; k < PROVIDERS; k++)
		if (providers[k].is_known && providers[k].is_known(at, n))
			return true;
	return false;
}

static bool look_up(struct eval *v, struct node *n, bool want_array, struct found_name *f)
{
	return (n->is_global && debug_module_lookup(v->d, NULL, n->text, n->n, &f->symbol)) ||
	       (want_array && debug_lookup_array(v->d, eval_where(v), f->frame, n->text, n->n, &f->symbol)) ||
	       debug_lookup(v->d, eval_where(v), f->frame, n->text, n->n, &f->symbol);
}

/* Says that a name has no value. Returns false. */
static bool name_fails(struct eval *v, const struct node *n, const struct debug_frame *f)
{
	if ((n->text[0] == '%' || expr_is_cuda_name(n->text)) && !v->has_thread)
		return debug_fail(v->why, "%s has no value: there is no thread in focus", n->text);
	if (n->text[0] == '%')
		return debug_fail(v->why, "No register \"%s\" here.", n->text);
	if (field_is_root(n->text))
		return debug_fail(v->why,
				  "%s is a part of the machine: name one of its fields; `info fields %s*` lists them",
				  n->text, n->text);
	debug_no_symbol(v->d, f ? f->function : NULL, n->text, v->why);
	cvalue_say_scope(v->d, f, n->text, v->why);
	return false;
}

/* $r1.lo, $p0.lt */
static bool read_plus_part(struct eval *v, const struct node *n, const struct isa_reg_place *r, struct expr_value *out)
{
	struct expr_value whole = {0};
	if (!read_reg(v, r, &whole))
		return false;
	if (r->type == ISA_FLAGS)
		value_int(out, ISA_PRED, isa_condition_info[isa_condition_find(n->text, n->n)].truth >> (whole.u.u64 & 15) & 1);
	else
		value_int(out, ISA_U16, n->text[0] == 'h' ? whole.u.u64 >> 16 : whole.u.u64);
	return true;
}

bool eval_plus(struct eval *v, struct node *n, struct expr_value *out, bool *ok)
{
	struct plus_found f;
	int64_t at;
	uint64_t generic;
	switch (plus_find(&(struct name_place){v->d, v->f.function, v->f.pc}, n, &f)) {
	case PLUS_REGISTER: *ok = read_reg(v, &f.reg, out); return true;
	case PLUS_PART: *ok = read_plus_part(v, n, &f.reg, out); return true;
	case PLUS_MEMORY:
		*ok = eval_integer(v, n->b, &at) && debug_generic(f.space, (uint32_t)at + f.base, &generic, v->why) &&
		      eval_load(v, out, ISA_U32, 0, generic);
		return true;
	default: return false;
	}
}

bool eval_name(struct eval *v, struct node *n, bool want_array, struct expr_value *out)
{
	struct found_name f = {.frame = v->has_frame && !n->is_global ? &v->f : NULL};
	bool ok = true;
	if (n->bound && v->has_frame && n->bound_pc == v->f.pc && n->bound_generation == debug_program(v->d)->generation)
		return read_reg(v, &n->reg, out);
	f.is_symbol = look_up(v, n, want_array, &f);
	for (size_t k = 0; k < PROVIDERS; k++)
		if (providers[k].eval(v, n, &f, out, &ok))
			return ok;
	return name_fails(v, n, f.frame);
}

