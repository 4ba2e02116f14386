/* Casts to arrays, (f32[8][8])As: the same bytes of memory as another type. */
#include <string.h>

#include "base/xalloc.h"
#include "debug/expr/expr.h"
#include "debug/expr/expr_internal.h"
#include "debug/expr/value.h"
#include "debug/ground/scan.h"
#include "debug/view/view.h"

#define BYTES_MAX (UINT64_C(1) << 40) /* of the array: all that follows is computed without overflow */

bool expr_scan_dims(const char **at, struct array_dims *out)
{
	const char *s = scan_blanks(*at);
	*out = (struct array_dims){0};
	for (; *s == '['; s = scan_blanks(s + 1)) {
		uint64_t n = 0;
		s = scan_blanks(s + 1);
		bool open = *s == ']' && !out->n;
		if (out->n == ARRAY_DIMS_MAX || (!open && (!scan_u64(&s, &n) || !n || n > BYTES_MAX)))
			return false;
		out->size[out->n++] = n;
		s = scan_blanks(s);
		if (*s != ']')
			return false;
	}
	*at = s;
	return true;
}

/* Where the operand is, and how many bytes are there; 0: as many as one likes. */
static bool operand_at(struct eval *v, struct node *n, uint64_t *address, uint64_t *bytes)
{
	struct expr_value x = {0};
	int64_t at;
	const bool is_place =
		eval_meant(v, n->a)->kind != NODE_SPACE && !n->is_post; /* else an address, in a space or (`{type} ADDR`) anywhere */
	*bytes = 0;
	if (!eval_node(v, is_place || n->is_post ? n->a : n->a->a, &x))
		return false;
	bool ok = true;
	if (!is_place) {
		value_decay(&x);
		ok = (expr_value_integer(&x, &at) || debug_fail(v->why, "an address is an integer")) &&
		     (n->is_post ? (*address = (uint64_t)at, true)
				 : debug_generic((enum isa_space)n->a->space, (uint64_t)at, address, v->why));
	} else if (x.place.kind != EXPR_MEMORY || x.place.bit_size || x.is_missing) {
		ok = debug_fail(v->why, "only what is in memory can be seen as an array");
	} else {
		*address = x.place.address;
		*bytes = x.is_object  ? x.count
			 : x.is_array ? x.count * value_element_bytes(&x)
				      : value_element_bytes(&x);
	}
	expr_value_free(&x);
	return ok;
}

/* The element's type: the source's, or PTX's. */
static const struct ctype *element_type(struct eval *v, const struct node *n)
{
	if (n->source.name)
		return expr_source_type(v->d, &n->source, v->why);
	const struct ctype *t = cnames_ptx(v->d, n->type);
	for (unsigned i = 0; i < n->pointers; i++)
		t = ctype_pointer_to(cnames_pool(v->d), t);
	return t;
}

bool eval_array_cast(struct eval *v, struct node *n, struct expr_value *out)
{
	uint64_t address = 0, have, inner, first = n->dims->size[0];
	const struct ctype *t = element_type(v, n);
	if (!t || !operand_at(v, n, &address, &have))
		return false;
	inner = ctype_core(t)->bytes;
	for (unsigned i = 1; i < n->dims->n && inner <= BYTES_MAX; i++)
		inner = n->dims->size[i] > BYTES_MAX / (inner ? inner : 1) ? BYTES_MAX + 1 : inner * n->dims->size[i];
	if (!inner || inner > BYTES_MAX || first > BYTES_MAX / inner)
		return debug_fail(v->why,
				  inner ? "the array is too large" : "the size of the array's elements is unknown");
	if (!first && !(first = have / inner))
		return debug_fail(v->why, "how many elements the array has can't be told from its place");
	if (have && first * inner > have)
		return debug_fail(v->why, "the value has %llu bytes, the array would have %llu",
				  (unsigned long long)have, (unsigned long long)(first * inner));
	for (unsigned i = n->dims->n; i-- > 1;)
		t = ctype_array_of(cnames_pool(v->d), t, n->dims->size[i]);
	return cvalue_at(v, true, ctype_array_of(cnames_pool(v->d), t, first), address, out);
}

/* ---- lists ---- */

/* The elements of a list, as they are added. */
struct list {
	struct expr_value *array; /* its type is the first element's */
	size_t cap;
};

/* Adds an element, converted to the type of the first one. */
static bool add_element(struct eval *v, struct list *l, struct expr_value *x)
{
	struct expr_value *const a = l->array;
	value_decay(x);
	if (!x->pointers && !value_is_number(x))
		return debug_fail(v->why, "the elements of a list are numbers or pointers");
	if (!a->count) {
		a->type = x->type;
		a->pointers = x->pointers;
	}
	if (!value_convert(x, a->type, a->pointers, v->why))
		return false;
	const unsigned size = value_element_bytes(a);
	a->data = xgrow(a->data, &l->cap, (a->count + 1) * size + 16, 1);
	value_store(x, a->data + a->count * size);
	a->count++;
	return true;
}

/* Adds the elements of a list. Stores the number that each list in it has in *row, 1 if there is none. */
static bool add_list(struct eval *v, struct node *n, struct list *l, uint64_t *row)
{
	for (*row = 0; n; n = n->b) {
		struct expr_value x = {0};
		const uint64_t before = l->array->count;
		uint64_t inner;
		const bool ok = n->a->kind == NODE_LIST ? add_list(v, n->a, l, &inner) : eval_node(v, n->a, &x) && add_element(v, l, &x);
		expr_value_free(&x);
		if (!ok)
			return false;
		const uint64_t added = l->array->count - before;
		if (*row && added != *row)
			return debug_fail(v->why, "array elements must all be the same size");
		*row = added;
	}
	return true;
}

bool eval_list(struct eval *v, struct node *n, struct expr_value *out)
{
	struct list l = {.array = out};
	*out = (struct expr_value){.is_array = true};
	uint64_t row;
	if (!add_list(v, n, &l, &row)) {
		expr_value_free(out);
		return false;
	}
	out->row_length = row > 1 ? (uint32_t)row : 0;
	return true;
}
