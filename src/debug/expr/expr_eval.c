/* Evaluating an expression's tree for one thread, and storing into what it names. */
#include <stdio.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/expr/expr.h"
#include "debug/expr/expr_internal.h"
#include "debug/expr/value.h"
#include "debug/expr/fields.h"
#include "debug/buffers/buffers.h"
#include "debug/view/view.h"
#include "gpu/statistics/statistics.h"

/* ---- places: memory by space, elements, slices ---- */

bool eval_integer(struct eval *v, struct node *n, int64_t *out)
{
	struct expr_value x = {0};
	bool ok = eval_node(v, n, &x);
	if (ok && (!expr_value_integer(&x, out) || (!x.is_array && !x.pointers && isa_type_is_float(x.type))))
		ok = debug_fail(v->why, "an index or address has to be an integer");
	expr_value_free(&x);
	return ok;
}

static bool slice_count(struct eval *v, int64_t first, int64_t last, uint64_t *count)
{
	if (last < first)
		return debug_fail(v->why, "the slice %lld..%lld ends before it begins", (long long)first,
				  (long long)last);
	*count = (uint64_t)last - (uint64_t)first + 1;
	return *count <= ARRAY_BYTES_MAX || debug_fail(v->why, "the slice is too long");
}

/* What is at an address: its value, or (for &) only the place, which nothing has to be after. */
static bool eval_at(struct eval *v, bool load, enum isa_type t, unsigned pointers, uint64_t address,
		    struct expr_value *out)
{
	if (load)
		return eval_load(v, out, t, pointers, address);
	value_pointer(out, t, pointers, 0);
	out->place.kind = EXPR_MEMORY;
	out->place.address = address;
	return true;
}

static bool read_space(struct eval *v, const struct node *n, enum isa_type t, unsigned pointers, bool load,
		       struct expr_value *out)
{
	int64_t first, last;
	uint64_t address, count = 1;
	struct expr_value size = {.type = t, .pointers = (uint8_t)pointers};
	if (!eval_integer(v, n->a, &first) ||
	    !debug_generic((enum isa_space)n->space, (uint64_t)first, &address, v->why))
		return false;
	if (!n->b)
		return eval_at(v, load, t, pointers, address, out);
	if (!eval_integer(v, n->b, &last) || !slice_count(v, first, last, &count))
		return false;
	eval_array(out, t, pointers, address, (count - 1) / value_element_bytes(&size) + 1);
	return true;
}

/* An address in a plain integer (a kernel parameter): points to what the buffer there holds. */
static bool integer_as_pointer(struct eval *v, struct expr_value *x)
{
	if (!value_is_number(x) || x->pointers || isa_type_is_float(x->type) || isa_type_bytes(x->type) < 4)
		return false;
	for (size_t i = 0; i < debug_buffer_count(v->d); i++) {
		const struct debug_buffer *b = debug_buffer_at(v->d, i);
		if (x->u.u64 - b->address < debug_buffer_bytes(b)) {
			const uint64_t address = x->u.u64;
			if (b->c)
				cvalue_scalar(x, b->c->element_pointer, &address);
			else
				value_pointer(x, b->type, 1, address);
			return true;
		}
	}
	return false;
}

static bool eval_base(struct eval *v, struct node *n, struct expr_value *out)
{
	return n->kind == NODE_NAME ? eval_name(v, n, true, out) : eval_node(v, n, out);
}

static bool element_of_copy(struct eval *v, const struct expr_value *base, int64_t i, uint64_t count, bool is_slice,
			    struct expr_value *out)
{
	if (i < 0 || (uint64_t)i >= base->count || count > base->count - (uint64_t)i)
		return debug_fail(v->why, "no such element: the value has %llu", (unsigned long long)base->count);
	if (!is_slice) {
		value_element(base, (uint64_t)i, out);
		out->c = base->is_string ? cnames_char(v->d, "char") : out->c;
		return true;
	}
	unsigned size = value_element_bytes(base);
	eval_array(out, base->is_string ? ISA_S8 : base->type, base->pointers, 0, count);
	out->place.kind = EXPR_NOWHERE;
	out->data = xmalloc(count * size + 1);
	memcpy(out->data, base->data + (uint64_t)i * size, count * size);
	return true;
}

static bool eval_index(struct eval *v, struct node *n, bool load, struct expr_value *out)
{
	struct expr_value base = {0};
	struct texel_place texel;
	int64_t i, last;
	uint64_t count = 1;
	bool is_texel, ok = eval_texel(v, n, &texel, &is_texel);
	if (is_texel && ok && texel.channels > 1)
		eval_array(out, texel.type, 0, texel.address, texel.channels);
	if (is_texel)
		return ok && (texel.channels > 1 || eval_at(v, load, texel.type, 0, texel.address, out));
	ok = eval_base(v, n->a, &base) && eval_subscript(v, n, &i) &&
		  (!n->c || (eval_integer(v, n->c, &last) && slice_count(v, i, last, &count)));
	if (!ok)
		goto done;
	if (!base.c && !base.is_array && !base.is_string)
		integer_as_pointer(v, &base);
	if (cvalue_has_elements(&base)) {
		ok = n->c ? cvalue_slice(v, &base, i, count, out) : cvalue_index(v, &base, i, load, out);
		goto done;
	}
	if ((base.is_array || base.is_string) && base.place.kind != EXPR_MEMORY) {
		ok = element_of_copy(v, &base, i, count, n->c != NULL, out);
		goto done;
	}
	uint64_t row = base.is_array ? base.row_length : 0;
	value_decay(&base);
	if (!base.pointers) {
		struct text t = {0};
		ok = debug_fail(v->why, "cannot subscript something of type `%s'", value_type_text(&base, &t));
		text_free(&t);
		goto done;
	}
	struct expr_value element = base;
	element.pointers--;
	uint64_t size = value_element_bytes(&element), address = base.u.u64 + (uint64_t)i * size * (row ? row : 1);
	if (row || n->c) {
		eval_array(out, base.type, element.pointers, address, count * (row ? row : 1));
		out->row_length = n->c ? (uint32_t)row : 0;
	} else {
		ok = eval_at(v, load, base.type, element.pointers, address, out);
	}
done:
	expr_value_free(&base);
	return ok;
}

static bool eval_deref(struct eval *v, struct expr_value *x, bool load, struct expr_value *out)
{
	value_decay(x);
	const bool was_number = !x->c && integer_as_pointer(v, x);
	const struct ctype *pointed = cvalue_pointed(x);
	if (x->function || (x->c && ctype_value(x->c)->kind == CTYPE_FUNCTION)) {
		x->is_function = x->function != NULL;
		*out = *x;
		*x = (struct expr_value){0};
		return true;
	}
	if (x->is_missing && !v->types_only)
		return debug_fail(v->why, "value has been optimized out");
	if (pointed && ctype_core(pointed)->kind != CTYPE_VOID)
		return cvalue_at(v, load, pointed, x->u.u64, out);
	if (x->pointers == 1 && x->type == ISA_NOTYPE)
		return debug_fail(v->why, "Attempt to take contents of a non-pointer value.");
	if (!x->pointers && !was_number) {
		if (!value_is_number(x) || isa_type_is_float(x->type) || x->type == ISA_B128)
			return debug_fail(v->why, "Attempt to take contents of a non-pointer value.");
		value_pointer(x, ISA_U32, 1, x->u.u64);
	}
	return eval_at(v, load, x->type, x->pointers - 1u, x->u.u64, out);
}

/* s.x, p->x; V.x of a vector register, and of {x = 0, y = 0, z = 0} */
static bool eval_member(struct eval *v, struct node *n, bool load, struct expr_value *out)
{
	struct expr_value s = {0};
	static const char dims[] = "xyzw";
	const char *dim = n->n == 1 ? strchr(dims, n->text[0]) : NULL;
	bool ok;
	if (dim && !n->is_post && eval_vector_part(v, n->a, n->text[0], out, &ok))
		return ok;
	ok = eval_node(v, n->a, &s);
	if (ok && n->is_post && !s.c)
		integer_as_pointer(v, &s);
	if (ok && s.is_dim3 && dim && (uint64_t)(dim - dims) < s.count)
		value_element(&s, (uint64_t)(dim - dims), out);
	else
		ok = ok && cvalue_member(v, &s, n, load, out);
	expr_value_free(&s);
	return ok;
}

/* The operand of &. */
static bool eval_place(struct eval *v, struct node *n, struct expr_value *out)
{
	struct expr_value a = {0};
	memset(out, 0, sizeof *out);
	n = eval_meant(v, n);
	if (n->kind == NODE_INDEX)
		return eval_index(v, n, false, out);
	if (n->kind == NODE_MEMBER)
		return eval_member(v, n, false, out);
	if (n->kind == NODE_SPACE)
		return read_space(v, n, n->type, 0, false, out);
	if (n->kind != NODE_UNARY || n->op != OP_DEREF) {
		v->place_only = n->kind == NODE_NAME;
		bool has_place = eval_node(v, n, out);
		v->place_only = false;
		return has_place;
	}
	bool ok = eval_node(v, n->a, &a) && eval_deref(v, &a, false, out);
	expr_value_free(&a);
	return ok;
}

static bool eval_address(struct eval *v, const struct expr_value *x, struct expr_value *out)
{
	if (x->is_function) {
		*out = *x;
		out->is_function = false;
		return true;
	}
	if (x->place.kind != EXPR_MEMORY)
		return debug_fail(v->why, x->place.kind == EXPR_ROW || x->place.kind == EXPR_PRED
						  ? "a register has no address"
						  : "Attempt to take address of value not located in memory.");
	if (x->c) {
		cvalue_address(v, x, out);
		return true;
	}
	value_pointer(out, x->type, x->pointers + 1u, x->place.address);
	return true;
}

/* A[0]@8 */
static bool eval_repeat(struct eval *v, struct node *n, struct expr_value *out)
{
	struct expr_value a = {0};
	int64_t count;
	bool ok = eval_base(v, n->a, &a) && eval_integer(v, n->b, &count);
	if (ok && a.place.kind != EXPR_MEMORY)
		ok = debug_fail(v->why, "Only values in memory can be extended with '@'.");
	if (ok && (count <= 0 || (uint64_t)count > ARRAY_BYTES_MAX))
		ok = debug_fail(v->why, "Invalid number %lld of repetitions.", (long long)count);
	if (ok && a.c) {
		const struct ctype *t = ctype_core(a.c)->kind == CTYPE_REFERENCE ? ctype_core(a.c)->target : a.c;
		uint64_t bytes;
		if (__builtin_mul_overflow(ctype_bytes(t), (uint64_t)count, &bytes) || bytes > ARRAY_BYTES_MAX)
			ok = debug_fail(v->why, "Invalid number %lld of repetitions.", (long long)count);
		else
			ok = cvalue_at(v, true, ctype_array_of(cnames_pool(v->d), t, (uint64_t)count), a.place.address,
				       out);
	} else if (ok) {
		eval_array(out, a.type, a.pointers, a.place.address, (uint64_t)count * (a.is_array ? a.count : 1));
		out->row_length = a.is_array ? (uint32_t)a.count : 0;
	}
	expr_value_free(&a);
	return ok;
}

/* ---- storing ---- */

static bool store_bytes(struct eval *v, const struct expr_place *p, enum isa_type t, const void *bytes, unsigned n)
{
	if (p->kind == EXPR_MEMORY) {
		if (!debug_memory_write(v->d, eval_where(v), p->address, bytes, n))
			return debug_access_fail(v->d, eval_where(v), p->address, v->why);
	} else if (!v->f.has_state && !v->f.waiting) {
		return debug_fail(v->why, "the thread has finished, its registers are gone");
	} else if (p->kind == EXPR_PRED) {
		debug_pred_write(v->d, &v->w, p->frame, p->ref, *(const unsigned char *)bytes & 1);
	} else {
		unsigned char wide[16] = {0};
		memcpy(wide, bytes, n);
		if (n == 1 && isa_type_is_signed(t) && (wide[0] & 0x80))
			wide[1] = 0xff;
		debug_row_write(v->d, &v->w, p->frame, p->ref, debug_reg_bytes(t), wide);
	}
	debug_poked(v->d);
	return true;
}

static bool store_array(struct eval *v, struct expr_value *to, const struct expr_value *from)
{
	if (from->is_array && from->count != to->count)
		return debug_fail(v->why, "%llu elements don't fit into %llu", (unsigned long long)from->count,
				  (unsigned long long)to->count);
	for (uint64_t i = 0; i < to->count; i++) {
		struct expr_value e;
		unsigned char bytes[16] = {0};
		if (from->is_array)
			value_element(from, i, &e);
		else
			e = *from;
		if (!value_convert(&e, to->type, to->pointers, v->why))
			return false;
		value_store(&e, bytes);
		struct expr_place p = to->place;
		p.address += i * value_element_bytes(to);
		if (!store_bytes(v, &p, to->type, bytes, value_element_bytes(to)))
			return false;
	}
	return true;
}

static bool store(struct eval *v, struct expr_value *to, struct expr_value *from)
{
	unsigned char bytes[16] = {0};
	if (from->is_missing)
		return debug_fail(v->why, "value has been optimized out");
	if (to->c && to->place.kind != EXPR_VARIABLE)
		return cvalue_store(v, to, from);
	switch (to->place.kind) {
	case EXPR_VARIABLE:
		if (!eval_load_array(v, from))
			return false;
		debug_variable_set(v->d, to->place.name, from);
		return true;
	case EXPR_PC: return debug_fail(v->why, "$pc can't be set: the lanes of a warp share it");
	case EXPR_MEMORY:
	case EXPR_ROW:
	case EXPR_PRED: break;
	default: return debug_fail(v->why, "Left operand of assignment is not an lvalue.");
	}
	if (to->is_array)
		return eval_load_array(v, from) && store_array(v, to, from);
	value_decay(from);
	if (!value_convert(from, to->type, to->pointers, v->why))
		return false;
	value_store(from, bytes);
	return store_bytes(v, &to->place, to->type, bytes, value_element_bytes(to));
}

static bool eval_assign(struct eval *v, struct node *n, struct expr_value *out)
{
	struct expr_value from = {0}, sum = {0};
	bool ok = eval_base(v, n->a, out) && (!n->b || eval_node(v, n->b, &from));
	if (ok && n->a->kind == NODE_NAME && n->a->text[0] == '%' && out->place.kind == EXPR_NOWHERE)
		ok = debug_fail(v->why, "%s can't be set: the machine sets it", n->a->text);
	if (ok && (n->op || n->kind == NODE_STEP)) { /* += and ++ */
		struct expr_value old;
		if (!n->b)
			value_int(&from, ISA_S32, 1);
		expr_value_copy(&old, out);
		ok = value_binary(n->op, &old, &from, &sum, v->why);
		expr_value_free(&old);
		expr_value_free(&from);
		from = sum;
	}
	bool is_value = out->place.kind == EXPR_VARIABLE; /* it takes the type of what it is given */
	ok = ok && (v->types_only || store(v, out, &from));
	if (ok && !n->is_post && (is_value || !v->types_only)) {
		struct expr_place place = out->place;
		if (out->is_array || out->is_object) {
			free(out->data);
			out->data = NULL;
		} else if (place.kind == EXPR_VARIABLE) {
			expr_value_free(out);
			expr_value_copy(out, &from);
		} else {
			*out = from;
			from = (struct expr_value){0};
		}
		out->place = place;
	}
	expr_value_free(&from);
	return ok;
}

/* ---- the rest ---- */

/* A cast right before a space's access says what lies there; any other converts. */
static bool cast(struct eval *v, struct node *n, struct expr_value *out)
{
	if (eval_meant(v, n->a)->kind == NODE_SPACE && !n->pointers && n->type != ISA_NOTYPE) {
		bool ok = read_space(v, n->a, n->type, 0, true, out);
		out->c = ok && !out->is_array && n->source.name ? cnames_char(v->d, n->source.name) : NULL;
		return ok;
	}
	if (!eval_node(v, n->a, out))
		return false;
	out->function = NULL;
	out->is_function = false;
	bool is_elements = out->is_array && !out->is_string && !n->pointers && n->type != ISA_NOTYPE;
	if (n->source.name && !is_elements) {
		const struct ctype *t = expr_source_type(v->d, &n->source, v->why);
		return t && cvalue_cast(v, t, out);
	}
	if (out->is_array && !out->is_string && !n->pointers && out->place.kind == EXPR_MEMORY &&
	    isa_type_bytes(n->type) != 8) {
		/* (f32)A[0..3]: the elements, converted */
		if (!eval_load_array(v, out))
			return false;
		struct expr_value all = *out;
		eval_array(out, n->type, 0, 0, all.count);
		out->place.kind = EXPR_NOWHERE;
		out->row_length = all.row_length;
		out->data = xcalloc(all.count + 1, isa_type_bytes(n->type) ? isa_type_bytes(n->type) : 1);
		for (uint64_t i = 0; i < all.count; i++) {
			struct expr_value e;
			value_element(&all, i, &e);
			if (value_convert(&e, n->type, 0, v->why))
				value_store(&e, out->data + i * value_element_bytes(out));
		}
		expr_value_free(&all);
		return true;
	}
	return value_convert(out, n->type, n->pointers, v->why);
}

/* As in cuda-gdb `(@shared int *)0x20` counts from the space's beginning; what is an address there already stays one. */
static bool eval_cast(struct eval *v, struct node *n, struct expr_value *out)
{
	uint64_t generic;
	if (n->dims)
		return eval_array_cast(v, n, out);
	if (!cast(v, n, out))
		return false;
	if (n->space == ISA_SPACE_GENERIC || !value_is_pointer(out) || out->u.u64 >= EXEC_SHARED_WINDOW)
		return true;
	if (!debug_generic((enum isa_space)n->space, out->u.u64, &generic, v->why)) {
		expr_value_free(out);
		return false;
	}
	out->u.u64 = generic;
	return true;
}

static bool eval_unary(struct eval *v, struct node *n, struct expr_value *out)
{
	struct expr_value a = {0};
	bool ok = n->op == OP_ADDRESS ? eval_place(v, n->a, &a) : eval_node(v, n->a, &a);
	if (ok && n->op == OP_DEREF)
		ok = eval_deref(v, &a, true, out);
	else if (ok && n->op == OP_ADDRESS)
		ok = eval_address(v, &a, out);
	else if (ok)
		ok = value_unary(n->op, &a, out, v->why);
	expr_value_free(&a);
	return ok;
}

static bool eval_binary(struct eval *v, struct node *n, struct expr_value *out)
{
	struct expr_value a = {0}, b = {0};
	if (n->is_tight && n->b->kind == NODE_NAME && v->has_frame) {
		char name[128];
		struct debug_symbol s;
		int len = snprintf(name, sizeof name, "%%%s", n->b->text);
		if (len < (int)sizeof name && debug_lookup(v->d, &v->w, &v->f, name, (size_t)len, &s) &&
		    s.kind == SYMBOL_REG)
			return debug_fail(v->why, "%s is a register here: write a blank after %% for modulo", name);
	}
	if (n->op == OP_COMMA) {
		bool left = eval_node(v, n->a, &a);
		expr_value_free(&a);
		return left && eval_node(v, n->b, out);
	}
	bool ok = eval_node(v, n->a, &a) && eval_node(v, n->b, &b);
	if (v->types_only && (n->op == OP_DIV || n->op == OP_REM) && value_is_number(&b) && !expr_value_is_true(&b))
		value_int(&b, b.type, 1); /* it may be a variable that wasn't read */
	ok = ok && value_binary(n->op, &a, &b, out, v->why);
	expr_value_free(&a);
	expr_value_free(&b);
	return ok;
}

static bool eval_truth(struct eval *v, struct node *n, bool *out)
{
	struct expr_value x = {0};
	bool ok = eval_node(v, n, &x);
	ok = ok && (!x.is_missing || debug_fail(v->why, "value has been optimized out")) &&
	     (x.is_array || x.is_object || x.is_string || x.pointers || x.type != ISA_NOTYPE ||
	      debug_fail(v->why, "an operand has no value (it is void)"));
	*out = ok && expr_value_is_true(&x);
	expr_value_free(&x);
	return ok;
}

static bool eval_logic(struct eval *v, struct node *n, struct expr_value *out)
{
	bool a, b = false;
	if (!eval_truth(v, n->a, &a))
		return false;
	if (n->kind == NODE_IF)
		return eval_node(v, a ? n->b : n->c, out);
	bool decided = n->kind == NODE_AND ? !a : a;
	if (!decided && !eval_truth(v, n->b, &b))
		return false;
	value_int(out, ISA_S32, decided ? a : b);
	return true;
}

static bool eval_sizeof(struct eval *v, struct node *n, struct expr_value *out)
{
	struct expr_value x = {.type = n->type, .pointers = n->pointers, .count = 1};
	struct source_type name = n->source;
	bool types_only = v->types_only;
	v->types_only = true;
	bool ok = name.name || !n->a || eval_base(v, n->a, &x);
	v->types_only = types_only;
	if (!ok && n->a->kind == NODE_NAME)
		name = (struct source_type){.name = n->a->text, .n = n->a->n, .kind = CTYPE_VOID};
	if (name.name) {
		text_clear(v->why);
		x.c = expr_source_type(v->d, &name, v->why);
		ok = x.c != NULL;
	}
	uint64_t bytes = x.is_function || x.is_listing ? 1
			 : x.c	       ? ctype_bytes(x.c)
			 : x.is_string ? x.count + 1
				       : x.count * value_element_bytes(&x);
	expr_value_free(&x);
	for (unsigned k = 0; n->dims && k < n->dims->n; k++)
		bytes *= n->dims->size[k];
	value_int(out, ISA_U64, bytes);
	return ok;
}

static bool field_range(struct eval *v, struct node *n, struct field_range *r)
{
	r->is_slice = n->kind == NODE_SLICE && !n->a;
	if (!r->is_slice)
		return eval_integer(v, n, &r->first) && ((r->last = r->first), true);
	return eval_integer(v, n->b, &r->first) && eval_integer(v, n->c, &r->last);
}

/* A field of the performance model; void where there is nothing to have a value. Of a part, or of several: a list to look at. */
static bool eval_field(struct eval *v, struct node *n, struct expr_value *out)
{
	struct node *const nodes[FIELD_INDICES] = {n->a, n->b, n->c};
	struct field_range range[FIELD_INDICES] = {{0}};
	int64_t index[FIELD_INDICES];
	struct field_value value;
	bool several = !field_known(v->d, n->text);
	for (unsigned k = 0; k < FIELD_INDICES; k++) {
		if (nodes[k] && !field_range(v, nodes[k], &range[k]))
			return false;
		several |= range[k].is_slice;
		index[k] = range[k].first;
	}
	if (several)
		return v->d->fields->listing(v->d, n->text, range, out, v->why);
	if (!v->d->fields->get(v->d, n->text, index, &value, v->why))
		return false;
	v->d->fields->to_value(&value, out);
	out->place.kind = EXPR_FIELD;
	return true;
}

static bool eval_statistic(struct eval *v, const struct node *n, struct expr_value *out)
{
	struct statistic_value s;
	switch (gpu_statistic_get(v->d->g, n->text, &s)) {
	case STATISTIC_IS_UNKNOWN: return expr_no_statistic(v->d, n->text, v->why);
	case STATISTIC_IS_EMPTY: return gpu_statistics_note(v->d->g, n->text, v->why) && false;
	case STATISTIC_IS_THERE: break;
	}
	if (s.whole)
		value_int(out, ISA_U64, s.n);
	else
		value_float(out, ISA_F64, s.real);
	return true;
}

/* L"text": an array of its characters, which the node has with 4 bytes each, and a null. */
static bool wide_string(struct eval *v, const struct node *n, struct expr_value *out)
{
	const struct ctype *t = cnames_char(v->d, n->source.name);
	const uint64_t count = n->n / 4;
	*out = (struct expr_value){.is_object = true, .c = ctype_array_of(cnames_pool(v->d), t, count + 1), .count = (count + 1) * t->bytes};
	out->data = xcalloc(out->count + 1, 1);
	for (uint64_t i = 0; i < count; i++)
		memcpy(out->data + i * t->bytes, n->text + 4 * i, t->bytes);
	return true;
}

static bool eval_call(struct eval *v, const struct node *n, struct expr_value *out)
{
	struct node *const nodes[EXPR_ARGUMENTS] = {n->a, n->b, n->c};
	struct expr_value arguments[EXPR_ARGUMENTS] = {0};
	unsigned given = 0;
	bool ok = true;
	for (; ok && given < EXPR_ARGUMENTS && nodes[given]; given++)
		ok = eval_node(v, nodes[given], &arguments[given]) && eval_load_array(v, &arguments[given]);
	ok = ok && expr_call(v, n->text, arguments, given, out);
	for (unsigned k = 0; k < given; k++)
		expr_value_free(&arguments[k]);
	return ok;
}

bool eval_node(struct eval *v, struct node *n, struct expr_value *out)
{
	bool ok;
	memset(out, 0, sizeof *out);
	if (v->has_frame && v->f.function->has_plus && eval_plus(v, n, out, &ok))
		return ok;
	switch (n->kind) {
	case NODE_NUMBER:
		*out = n->number;
		out->c = n->source.name ? cnames_char(v->d, n->source.name) : NULL;
		return true;
	case NODE_STRING:
		if (n->source.name)
			return wide_string(v, n, out);
		out->type = ISA_S8;
		out->is_string = true;
		out->count = n->n;
		out->data = xmalloc(n->n + 1u);
		memcpy(out->data, n->text, n->n);
		out->data[n->n] = '\0';
		return true;
	case NODE_NAME: return eval_name(v, n, false, out);
	case NODE_DOLLAR: return eval_dollar(v, n, out);
	case NODE_SPACE:
		return eval_meant(v, n) == n ? read_space(v, n, n->type, 0, true, out) : eval_node(v, n->c, out);
	case NODE_UNARY: return eval_unary(v, n, out);
	case NODE_BINARY: return n->op == OP_REPEAT ? eval_repeat(v, n, out) : eval_binary(v, n, out);
	case NODE_AND:
	case NODE_OR:
	case NODE_IF: return eval_logic(v, n, out);
	case NODE_CAST: return eval_cast(v, n, out);
	case NODE_INDEX:
	case NODE_SLICE: return eval_index(v, n, true, out);
	case NODE_ASSIGN:
	case NODE_STEP: return eval_assign(v, n, out);
	case NODE_SIZEOF: return eval_sizeof(v, n, out);
	case NODE_FIELD: return eval_field(v, n, out);
	case NODE_STATISTIC: return eval_statistic(v, n, out);
	case NODE_MEMBER: return eval_member(v, n, true, out);
	case NODE_CALL: return eval_call(v, n, out);
	case NODE_LIST: return eval_list(v, n, out);
	}
	return false;
}
