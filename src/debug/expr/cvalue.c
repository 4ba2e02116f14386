/* Values of the source's types: where its variables are, what is in them, and storing into them. */
#include <stdio.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/expr/expr.h"
#include "debug/expr/expr_internal.h"
#include "debug/expr/value.h"
#include "debug/view/focus.h"
#include "debug/view/view.h"

#define REGISTERED_MAX 4096u /* bytes of a structure that is said to be in a register */

/* ---- from bytes to values ---- */

/* The PTX type and the levels of pointers that come nearest, for arithmetic and casts. */
static enum isa_type pointer_shape(const struct ctype *pointer, unsigned *levels)
{
	const struct ctype *t = pointer;
	for (*levels = 0; t->kind == CTYPE_POINTER && *levels < 8; ++*levels)
		t = ctype_core(t->target);
	return t->kind == CTYPE_BASE || t->kind == CTYPE_ENUM ? t->scalar : ISA_NOTYPE;
}

static bool is_scalar(const struct ctype *core)
{
	return ((core->kind == CTYPE_BASE || core->kind == CTYPE_ENUM) && core->scalar != ISA_NOTYPE) ||
	       core->kind == CTYPE_POINTER;
}

void cvalue_scalar(struct expr_value *out, const struct ctype *t, const void *bytes)
{
	const struct ctype *core = ctype_value(t);
	struct expr_place place = out->place;
	unsigned levels = 0;
	enum isa_type type = core->kind == CTYPE_POINTER ? pointer_shape(core, &levels) : core->scalar;
	value_load(out, type, levels, bytes);
	out->c = t;
	out->place = place;
}

static void object(struct expr_value *out, const struct ctype *t)
{
	struct expr_place place = out->place;
	*out = (struct expr_value){.type = ISA_NOTYPE, .is_object = true, .c = t, .count = ctype_value(t)->bytes};
	out->place = place;
}

/* What a value is before its bytes are known; true: a scalar, whose bytes have to be read now. */
static bool begin_value(struct expr_value *out, const struct ctype *t)
{
	const struct ctype *core = ctype_value(t);
	static const unsigned char none[16];
	if (is_scalar(core)) {
		cvalue_scalar(out, t, none);
		return true;
	}
	struct expr_place place = out->place;
	if (core->kind == CTYPE_FUNCTION) {
		value_pointer(out, ISA_NOTYPE, 1, place.address);
		out->c = t;
		out->place = place;
	} else if (core->kind == CTYPE_VOID) {
		*out = (struct expr_value){.type = ISA_NOTYPE, .c = t, .place = place};
	} else {
		object(out, t);
	}
	return false;
}

bool cvalue_at(struct eval *v, bool load, const struct ctype *t, uint64_t address, struct expr_value *out)
{
	unsigned char bytes[16] = {0};
	const struct ctype *plain = ctype_core(t);
	memset(out, 0, sizeof *out);
	if (plain->kind == CTYPE_REFERENCE && !v->types_only) {
		if (!debug_memory_read(v->d, eval_where(v), address, &address, 8))
			return debug_access_fail(v->d, eval_where(v), address, v->why);
	}
	out->place = (struct expr_place){.kind = EXPR_MEMORY, .address = address};
	if (!begin_value(out, t) || !load || v->types_only || v->place_only)
		return true;
	if (!debug_memory_read(v->d, eval_where(v), address, bytes, ctype_value(t)->bytes))
		return debug_access_fail(v->d, eval_where(v), address, v->why);
	cvalue_scalar(out, t, bytes);
	return true;
}

/* What a reference refers to whose own place doesn't matter. */
static bool refer(struct eval *v, const struct ctype *reference, uint64_t address, struct expr_value *out)
{
	if (!cvalue_at(v, true, ctype_core(reference)->target, address, out))
		return false;
	out->c = reference;
	return true;
}

/* ---- variables ---- */

static bool in_register(struct eval *v, const struct isa_reg_place *r, unsigned char bytes[16])
{
	if (!v->f.has_state && !v->f.waiting)
		return debug_fail(v->why, "the thread has finished, its registers are gone");
	memset(bytes, 0, 16);
	if (r->is_pred)
		bytes[0] = debug_pred_read(v->d, &v->w, v->f.frame, r->ref);
	else
		debug_row_read(v->d, &v->w, v->f.frame, r->ref, debug_reg_bytes(r->type), bytes);
	return true;
}

static bool register_variable(struct eval *v, const struct cplace *p, const struct ctype *t, struct expr_value *out)
{
	unsigned char bytes[16];
	uint64_t address;
	if (!in_register(v, &p->reg, bytes))
		return false;
	memcpy(&address, bytes, 8);
	if (p->kind == CPLACE_INDIRECT) {
		address += (uint64_t)p->offset;
		if (p->is_pointed_to && !debug_memory_read(v->d, eval_where(v), address, &address, 8))
			return debug_access_fail(v->d, eval_where(v), address, v->why);
	}
	if (p->kind == CPLACE_INDIRECT || p->is_pointed_to)
		return cvalue_at(v, true, t, address, out);
	if (ctype_core(t)->kind == CTYPE_REFERENCE)
		return refer(v, t, address, out);
	out->place = (struct expr_place){.kind = p->reg.is_pred ? EXPR_PRED : EXPR_ROW,
					 .frame = v->f.frame,
					 .ref = p->reg.ref,
					 .width = (uint8_t)debug_reg_bytes(p->reg.type)};
	if (begin_value(out, t)) {
		cvalue_scalar(out, t, bytes);
	} else if (out->is_object && out->count > REGISTERED_MAX) {
		out->is_missing = true;
	} else if (out->is_object) {
		out->place.kind = EXPR_NOWHERE;
		out->data = xcalloc(out->count + 1, 1);
		memcpy(out->data, bytes, out->count < 16 ? out->count : 16);
	}
	return true;
}

static bool value_variable(const struct cplace *p, const struct ctype *t, struct expr_value *out)
{
	unsigned char bytes[16] = {0};
	memcpy(bytes, &p->offset, sizeof p->offset);
	if (begin_value(out, t))
		cvalue_scalar(out, t, bytes);
	else
		out->is_missing = true;
	return true;
}

static bool missing(struct expr_value *out, const struct ctype *t)
{
	begin_value(out, t);
	out->is_missing = true;
	return true;
}

/* Returns the type of a variable in a PTX variable. An array without a size in dynamic shared memory has the size that the thread's launch gives. */
static const struct ctype *type_in(struct eval *v, const struct cvar *var, const struct isa_variable *in)
{
	const struct ctype *t = ctype_core(var->type);
	const bool is_sized = !(in->flags & ISA_VAR_DYNAMIC_SHARED) || t->kind != CTYPE_ARRAY || t->count;
	const uint64_t element = is_sized ? 0 : ctype_bytes(t->target);
	if (!v->has_thread || !element || v->w.launch.shared_dynamic < element)
		return var->type;
	return ctype_array_of(cnames_pool(v->d), t->target, v->w.launch.shared_dynamic / element);
}

bool cvalue_variable(struct eval *v, const struct cvar *var, struct expr_value *out)
{
	const struct cplace *p = cvar_place(var, v->has_frame ? v->f.pc : 0);
	const struct isa_variable *untaken =
		v->has_frame && !v->own_places ? cargument_untaken(debug_program(v->d), v->f.function, var, v->f.pc)
					       : NULL;
	memset(out, 0, sizeof *out);
	if (untaken)
		return cvalue_at(v, true, var->type, debug_variable_in(eval_where(v), &v->f, untaken), out);
	if (!p)
		return missing(out, var->type);
	if (p->kind == CPLACE_VALUE)
		return value_variable(p, var->type, out);
	if (p->kind != CPLACE_VARIABLE)
		return register_variable(v, p, var->type, out);
	bool everywhere = p->variable->space == ISA_SPACE_GLOBAL || p->variable->space == ISA_SPACE_CONST;
	if (!everywhere && !v->has_frame)
		return debug_fail(v->why, "%s has no value: there is no thread in focus", var->name);
	uint64_t address =
		debug_variable_in(eval_where(v), v->has_frame ? &v->f : NULL, p->variable) + (uint64_t)p->offset;
	if (p->is_pointed_to && !debug_memory_read(v->d, eval_where(v), address, &address, 8))
		return debug_access_fail(v->d, eval_where(v), address, v->why);
	return cvalue_at(v, true, type_in(v, var, p->variable), address, out);
}

/* ---- parts ---- */

const struct ctype *cvalue_pointed(const struct expr_value *v)
{
	const struct ctype *t = v->c ? ctype_value(v->c) : NULL;
	return t && t->kind == CTYPE_POINTER ? t->target ? t->target : ctype_core(NULL) : NULL;
}

bool cvalue_has_elements(const struct expr_value *v)
{
	return v->c && (ctype_value(v->c)->kind == CTYPE_ARRAY || cvalue_pointed(v));
}

/* A part of a value that isn't in memory. */
static bool part_of_copy(struct eval *v, const struct expr_value *whole, const struct ctype *t, uint64_t offset,
			 struct expr_value *out)
{
	const bool is_reference = ctype_core(t)->kind == CTYPE_REFERENCE;
	uint64_t n = is_reference ? 8 : ctype_value(t)->bytes, address;
	memset(out, 0, sizeof *out);
	if (v->types_only) {
		begin_value(out, t);
		return true;
	}
	if (!whole->data || offset > whole->count || n > whole->count - offset)
		return debug_fail(v->why, "no such element: the value has %llu bytes",
				  (unsigned long long)whole->count);
	if (is_reference) {
		memcpy(&address, whole->data + offset, sizeof address);
		return refer(v, t, address, out);
	}
	if (begin_value(out, t)) {
		cvalue_scalar(out, t, whole->data + offset);
	} else if (out->is_object) {
		out->data = xmalloc(n + 1);
		memcpy(out->data, whole->data + offset, n);
	}
	return true;
}

static bool part(struct eval *v, const struct expr_value *whole, const struct ctype *t, uint64_t offset, bool load,
		 struct expr_value *out)
{
	if (whole->place.kind == EXPR_MEMORY)
		return cvalue_at(v, load, t, whole->place.address + offset, out);
	return part_of_copy(v, whole, t, offset, out);
}

static uint64_t bits_of(const unsigned char bytes[16], const struct expr_place *p)
{
	unsigned __int128 all;
	memcpy(&all, bytes, 16);
	return (uint64_t)(all >> p->bit_shift) & (UINT64_MAX >> (64 - p->bit_size));
}

/* A bit-field's value from the bytes it is in. */
static void bit_field(struct expr_value *out, const struct ctype_member *m, const unsigned char bytes[16])
{
	out->place.bit_size = m->bit_size;
	out->place.bit_shift = m->bit_shift;
	uint64_t bits = bits_of(bytes, &out->place);
	if (isa_type_is_signed(ctype_value(m->type)->scalar) && bits >> (m->bit_size - 1) & 1)
		bits |= ~(UINT64_MAX >> (64 - m->bit_size));
	unsigned char wide[16] = {0};
	memcpy(wide, &bits, sizeof bits);
	cvalue_scalar(out, m->type, wide);
}

static bool bit_member(struct eval *v, const struct expr_value *s, const struct ctype_member *m, uint64_t offset,
		       bool load, struct expr_value *out)
{
	unsigned char bytes[16] = {0};
	unsigned n = (m->bit_shift + m->bit_size + 7u) / 8u;
	memset(out, 0, sizeof *out);
	if (s->place.kind == EXPR_MEMORY) {
		uint64_t address = s->place.address + offset;
		out->place = (struct expr_place){.kind = EXPR_MEMORY, .address = address};
		if (load && !v->types_only && !debug_memory_read(v->d, eval_where(v), address, bytes, n))
			return debug_access_fail(v->d, eval_where(v), address, v->why);
	} else if (!v->types_only) {
		if (!s->data || offset > s->count || n > s->count - offset)
			return debug_fail(v->why, "no such element: the value has %llu bytes",
					  (unsigned long long)s->count);
		memcpy(bytes, s->data + offset, n);
	}
	bit_field(out, m, bytes);
	return true;
}

static bool not_a_structure(struct eval *v, const struct node *n)
{
	debug_fail(v->why, "Attempt to extract a component of a value that is not a structure%s.",
		   n->is_post ? " pointer" : "");
	if (n->a && n->a->kind == NODE_NAME)
		cvalue_say_hidden(v, n->a);
	return false;
}

bool cvalue_member(struct eval *v, struct expr_value *s, const struct node *n, bool load, struct expr_value *out)
{
	struct expr_value to = {0};
	uint64_t offset;
	const struct ctype *pointed = cvalue_pointed(s);
	if (s->is_missing && !v->types_only)
		return debug_fail(v->why, "value has been optimized out");
	if (pointed && ctype_is_struct(ctype_core(pointed))) { /* gdb takes . for -> and the other way round, too */
		if (!cvalue_at(v, true, pointed, s->u.u64, &to))
			return false;
		expr_value_free(s);
		*s = to;
	}
	const struct ctype *t = s->c ? ctype_value(s->c) : NULL;
	if (s->is_dim3 || !t || !ctype_is_struct(t))
		return not_a_structure(v, n);
	const struct ctype_member *m = ctype_member(t, n->text, n->n, &offset);
	if (!m)
		return debug_fail(v->why, "There is no member named %s.", n->text);
	return m->bit_size && is_scalar(ctype_value(m->type)) ? bit_member(v, s, m, offset, load, out)
							      : part(v, s, m->type, offset, load, out);
}

bool cvalue_of_reference(struct debug *d, const struct ctype *reference, uint64_t address, struct expr_value *out)
{
	struct text ignored = {0};
	struct eval v = {.d = d, .why = &ignored};
	v.has_thread = debug_focus_where(d, &v.w);
	const bool ok = refer(&v, reference, address, out) && eval_load_array(&v, out);
	text_free(&ignored);
	return ok;
}

void cvalue_of_bytes(const struct ctype *t, const void *bytes, unsigned bit_size, unsigned bit_shift,
		     struct expr_value *out)
{
	const struct ctype_member field = {.type = t, .bit_size = (uint8_t)bit_size, .bit_shift = (uint8_t)bit_shift};
	unsigned char wide[16] = {0};
	memset(out, 0, sizeof *out);
	if (begin_value(out, t)) {
		memcpy(wide, bytes, bit_size ? (bit_size + bit_shift + 7u) / 8u : ctype_value(t)->bytes);
		if (bit_size)
			bit_field(out, &field, wide);
		else
			cvalue_scalar(out, t, wide);
	} else if (out->is_object) {
		out->data = xmalloc(out->count + 1);
		memcpy(out->data, bytes, out->count);
	}
	out->place = (struct expr_place){0};
}

/* Elements are counted from the pointer, or from the array's first one. */
static bool element_place(struct eval *v, const struct expr_value *base, int64_t i, const struct ctype **t,
			  uint64_t *offset)
{
	const struct ctype *pointed = cvalue_pointed(base);
	*t = pointed ? pointed : ctype_value(base->c)->target;
	if (ctype_core(*t)->kind == CTYPE_VOID || ctype_core(*t)->kind == CTYPE_FUNCTION || !ctype_bytes(*t))
		return debug_fail(v->why, "Attempt to take contents of a non-pointer value.");
	*offset = (uint64_t)i * ctype_bytes(*t);
	if (base->is_missing && !v->types_only)
		return debug_fail(v->why, "value has been optimized out");
	return true;
}

bool cvalue_index(struct eval *v, const struct expr_value *base, int64_t i, bool load, struct expr_value *out)
{
	const struct ctype *t;
	uint64_t offset = 0;
	if (!element_place(v, base, i, &t, &offset))
		return false;
	return cvalue_pointed(base) ? cvalue_at(v, load, t, base->u.u64 + offset, out)
				    : part(v, base, t, offset, load, out);
}

bool cvalue_slice(struct eval *v, const struct expr_value *base, int64_t first, uint64_t count, struct expr_value *out)
{
	const struct ctype *t;
	uint64_t offset = 0, bytes;
	if (!element_place(v, base, first, &t, &offset))
		return false;
	if (__builtin_mul_overflow(count, ctype_bytes(t), &bytes) || bytes > ARRAY_BYTES_MAX)
		return debug_fail(v->why, "the slice is too long");
	t = ctype_array_of(cnames_pool(v->d), t, count);
	return cvalue_pointed(base) ? cvalue_at(v, true, t, base->u.u64 + offset, out)
				    : part(v, base, t, offset, true, out);
}

void cvalue_address(struct eval *v, const struct expr_value *x, struct expr_value *out)
{
	const struct ctype *t = ctype_core(x->c)->kind == CTYPE_REFERENCE ? ctype_core(x->c)->target : x->c;
	uint64_t address = x->place.address;
	memset(out, 0, sizeof *out);
	cvalue_scalar(out, ctype_pointer_to(cnames_pool(v->d), t), &address);
}

bool cvalue_cast(struct eval *v, const struct ctype *t, struct expr_value *x)
{
	struct expr_value shape = {0};
	const struct ctype *to = ctype_value(t);
	if (x->c && ctype_value(x->c) == to) {
		x->c = t;
		return true;
	}
	begin_value(&shape, t);
	if (!is_scalar(to) || !(value_decay(x), value_is_number(x) || x->pointers))
		return debug_fail(v->why, "Invalid cast.");
	if (to->is_bool)
		value_int(x, ISA_U8, expr_value_is_true(x));
	if (!value_convert(x, shape.type, shape.pointers, v->why))
		return false;
	x->c = t;
	return true;
}

/* ---- storing ---- */

/* Returns the type of the scalars of an array of the source, of several dimensions too. Returns NULL for other types. */
static const struct ctype *scalars_of(const struct ctype *t)
{
	bool is_array = false;
	for (t = ctype_value(t); t->kind == CTYPE_ARRAY; t = ctype_value(t->target))
		is_array = true;
	return is_array && is_scalar(t) ? t : NULL;
}

/* Converts the numbers of a list to the elements of an array of the source, in place. */
static bool convert_list(struct eval *v, const struct expr_value *to, const struct ctype *t, struct expr_value *list)
{
	struct expr_value shape = {0}, array = {.is_array = true, .count = list->count};
	begin_value(&shape, t);
	array.type = shape.type;
	array.pointers = shape.pointers;
	const unsigned size = value_element_bytes(&array);
	array.data = xcalloc(array.count * size + 16, 1);
	bool ok = array.count * size == to->count ||
		  debug_fail(v->why, "%llu elements don't fit into %llu", (unsigned long long)array.count, (unsigned long long)to->count / size);
	for (uint64_t i = 0; i < array.count && ok; i++) {
		struct expr_value x;
		value_element(list, i, &x);
		ok = value_convert(&x, array.type, array.pointers, v->why);
		if (ok)
			value_store(&x, array.data + i * size);
	}
	expr_value_free(list);
	*list = array;
	return ok;
}

static bool store_object(struct eval *v, const struct expr_value *to, struct expr_value *from)
{
	const struct ctype *scalar = scalars_of(to->c);
	if (!eval_load_array(v, from))
		return false;
	if (scalar && from->is_array && !from->c && from->place.kind == EXPR_NOWHERE && !convert_list(v, to, scalar, from))
		return false;
	uint64_t n = from->is_string  ? from->count + 1
		     : from->is_array ? from->count * value_element_bytes(from)
				      : from->count;
	if (!from->data || (!from->is_object && !from->is_array && !from->is_string))
		return debug_fail(v->why, "Invalid cast.");
	if (from->is_string ? n > to->count : n != to->count)
		return debug_fail(v->why, "%llu bytes don't fit into %llu", (unsigned long long)n,
				  (unsigned long long)to->count);
	if (!debug_memory_write(v->d, eval_where(v), to->place.address, from->data, n))
		return debug_access_fail(v->d, eval_where(v), to->place.address, v->why);
	debug_poked(v->d);
	return true;
}

/* Stores into a bit-field, and makes the value what the field then has. */
static bool store_bits(struct eval *v, const struct expr_value *to, struct expr_value *value)
{
	unsigned char bytes[16] = {0};
	const struct expr_place *p = &to->place;
	unsigned n = (p->bit_shift + p->bit_size + 7u) / 8u;
	if (!debug_memory_read(v->d, eval_where(v), p->address, bytes, n))
		return debug_access_fail(v->d, eval_where(v), p->address, v->why);
	unsigned __int128 all, mask = (unsigned __int128)(UINT64_MAX >> (64 - p->bit_size)) << p->bit_shift;
	memcpy(&all, bytes, 16);
	all = (all & ~mask) | ((unsigned __int128)value->u.u64 << p->bit_shift & mask);
	memcpy(bytes, &all, 16);
	if (!debug_memory_write(v->d, eval_where(v), p->address, bytes, n))
		return debug_access_fail(v->d, eval_where(v), p->address, v->why);
	debug_poked(v->d);
	bit_field(value, &(struct ctype_member){.type = to->c, .bit_size = p->bit_size, .bit_shift = p->bit_shift}, bytes);
	return true;
}

/* A register holds a shorter value with its sign or zeros above it. */
static bool store_register(struct eval *v, const struct expr_value *to, const unsigned char bytes[16])
{
	unsigned char wide[16] = {0};
	unsigned n = value_element_bytes(to);
	bool negative = !to->pointers && isa_type_is_signed(to->type) && bytes[n - 1] & 0x80;
	if (!v->f.has_state && !v->f.waiting)
		return debug_fail(v->why, "the thread has finished, its registers are gone");
	memset(wide, negative ? 0xff : 0, to->place.width);
	memcpy(wide, bytes, n < to->place.width ? n : to->place.width);
	if (to->place.kind == EXPR_PRED)
		debug_pred_write(v->d, &v->w, to->place.frame, to->place.ref, bytes[0] & 1);
	else
		debug_row_write(v->d, &v->w, to->place.frame, to->place.ref, to->place.width, wide);
	debug_poked(v->d);
	return true;
}

/* A kernel's argument that is still in its parameter. */
static bool is_shared_argument(const struct eval *v, const struct expr_value *to)
{
	return v->has_frame && to->place.kind == EXPR_MEMORY && debug_space_of(to->place.address) == ISA_SPACE_PARAM &&
	       cargument_in_prologue(debug_program(v->d), v->f.function, v->f.pc);
}

bool cvalue_store(struct eval *v, struct expr_value *to, struct expr_value *from)
{
	unsigned char bytes[16] = {0};
	if (to->is_missing)
		return debug_fail(v->why, "value has been optimized out");
	if (is_shared_argument(v, to))
		return debug_fail(
			v->why,
			"the thread hasn't taken its arguments yet, and a kernel's parameters are all threads' own: "
			"assign behind the function's first line");
	if (to->place.kind != EXPR_MEMORY && to->place.kind != EXPR_ROW && to->place.kind != EXPR_PRED)
		return debug_fail(v->why, "Left operand of assignment is not an lvalue.");
	if (to->is_object)
		return store_object(v, to, from);
	if (!is_scalar(ctype_value(to->c)))
		return debug_fail(v->why, "Left operand of assignment is not a modifiable lvalue.");
	value_decay(from);
	bool truth = ctype_value(to->c)->is_bool && value_is_number(from);
	if (truth)
		value_int(from, ISA_U8, expr_value_is_true(from));
	if (!value_convert(from, to->type, to->pointers, v->why))
		return false;
	from->c = to->c;
	value_store(from, bytes);
	if (to->place.bit_size)
		return store_bits(v, to, from);
	if (to->place.kind != EXPR_MEMORY)
		return store_register(v, to, bytes);
	if (!debug_memory_write(v->d, eval_where(v), to->place.address, bytes, value_element_bytes(to)))
		return debug_access_fail(v->d, eval_where(v), to->place.address, v->why);
	debug_poked(v->d);
	return true;
}
