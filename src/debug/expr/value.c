/* Values of expressions: making, converting, taking apart. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/expr/expr.h"
#include "debug/expr/format.h"
#include "debug/expr/value.h"
#include "debug/ground/ground.h"
#include "debug/view/view.h"

void expr_value_free(struct expr_value *v)
{
	free(v->data);
	memset(v, 0, sizeof *v);
}

void expr_value_copy(struct expr_value *to, const struct expr_value *from)
{
	*to = *from;
	if (!from->data)
		return;
	size_t n = from->is_object || from->is_listing ? from->count : from->is_string ? from->count + 1 : from->count * value_element_bytes(from);
	to->data = xmalloc(n + 1);
	memcpy(to->data, from->data, n);
}

/* An array of the source's types in memory becomes a pointer to its first element. */
void value_object_decay(struct expr_value *v)
{
	const struct ctype *t = v->c ? ctype_value(v->c) : NULL;
	struct expr_value p;
	if (!v->is_object || !t || t->kind != CTYPE_ARRAY || v->place.kind != EXPR_MEMORY || !t->target)
		return;
	const struct ctype *of = ctype_core(t->target);
	bool known = of->kind == CTYPE_BASE || of->kind == CTYPE_ENUM;
	value_pointer(&p, known ? of->scalar : ISA_NOTYPE, 1, v->place.address);
	p.c = t->element_pointer;
	expr_value_free(v);
	*v = p;
}

unsigned value_element_bytes(const struct expr_value *v)
{
	if (v->is_string)
		return 1;
	if (v->pointers)
		return 8;
	unsigned n = isa_type_bytes(v->type);
	return n ? n : 1;
}

void value_int(struct expr_value *v, enum isa_type t, uint64_t bits)
{
	memset(v, 0, sizeof *v);
	v->type = t;
	v->count = 1;
	unsigned n = isa_type_bytes(t);
	if (t == ISA_PRED) {
		v->u.u64 = bits != 0;
		return;
	}
	unsigned shift = n && n < 8 ? 64 - 8 * n : 0; /* what has no size of its own, a structure of the source, stays as it is */
	enum isa_class c = isa_type_info[t].cls;
	if (c == ISA_CLASS_UNSIGNED)
		v->u.u64 = bits << shift >> shift;
	else
		v->u.s64 = (int64_t)(bits << shift) >> shift;
	if (t == ISA_B128)
		v->u.w[1] = v->u.s64 < 0 ? UINT64_MAX : 0;
}

void value_float(struct expr_value *v, enum isa_type t, double x)
{
	unsigned char bytes[8];
	memset(v, 0, sizeof *v);
	v->type = t;
	v->count = 1;
	if (t != ISA_F64 && !isnan(x)) {
		format_from_double(t, x, bytes);
		x = format_to_double(t, bytes);
	}
	v->u.f64 = x;
}

void value_pointer(struct expr_value *v, enum isa_type t, unsigned levels, uint64_t address)
{
	memset(v, 0, sizeof *v);
	v->type = t;
	v->pointers = (uint8_t)levels;
	v->count = 1;
	v->u.u64 = address;
}

/* Types whose registers hold bits that no single number stands for. */
static bool is_packed(enum isa_type t)
{
	return isa_type_is_float(t) && t != ISA_F16 && t != ISA_BF16 && t != ISA_F32 && t != ISA_TF32 && t != ISA_F64 &&
	       t != ISA_E4M3 && t != ISA_E5M2;
}

void value_load(struct expr_value *v, enum isa_type t, unsigned pointers, const void *bytes)
{
	uint64_t bits = 0;
	if (pointers) {
		memcpy(&bits, bytes, 8);
		value_pointer(v, t, pointers, bits);
		return;
	}
	if (is_packed(t))
		t = isa_type_bytes(t) == 8   ? ISA_B64
		    : isa_type_bytes(t) == 4 ? ISA_B32
		    : isa_type_bytes(t) == 2 ? ISA_B16
					     : ISA_B8;
	if (t == ISA_B128) {
		value_int(v, t, 0);
		memcpy(v->u.w, bytes, 16);
		return;
	}
	if (isa_type_is_float(t)) {
		memset(v, 0, sizeof *v);
		v->type = t;
		v->count = 1;
		v->u.f64 = format_to_double(t, bytes);
		return;
	}
	unsigned n = isa_type_bytes(t);
	memcpy(&bits, bytes, n ? n : 1);
	value_int(v, t, bits);
}

void value_store(const struct expr_value *v, void *bytes)
{
	unsigned n = value_element_bytes(v);
	if (v->type == ISA_B128 && !v->pointers)
		memcpy(bytes, v->u.w, 16);
	else if (!v->pointers && isa_type_is_float(v->type))
		format_from_double(v->type, v->u.f64, bytes);
	else
		memcpy(bytes, &v->u.u64, n);
}

/* Truncates towards zero; out of the type's range saturates, and NaN becomes what it becomes, as PTX's cvt.rzi does from type `from`
 * where C is undefined (PTX ISA, cvt). */
static uint64_t double_to_bits(double x, enum isa_type from, enum isa_type t)
{
	unsigned bits = 8 * (isa_type_bytes(t) < 8 ? isa_type_bytes(t) : 8);
	bool is_unsigned = isa_type_info[t].cls == ISA_CLASS_UNSIGNED;
	double limit = ldexp(1, (int)bits - !is_unsigned);
	uint64_t most = UINT64_MAX >> (64 - bits) >> !is_unsigned;
	if (isnan(x))
		return from != ISA_F64 && bits < 64 ? 0 : is_unsigned ? (most >> 1) + 1 : ~most;
	if (x >= limit)
		return most;
	if (is_unsigned)
		return x <= 0 ? 0 : (uint64_t)x;
	return x <= -limit ? ~most : (uint64_t)(int64_t)x;
}

static double value_to_double(const struct expr_value *v)
{
	if (isa_type_is_float(v->type) && !v->pointers)
		return v->u.f64;
	if (v->pointers || isa_type_info[v->type].cls == ISA_CLASS_UNSIGNED)
		return (double)v->u.u64;
	return (double)v->u.s64;
}

bool value_convert(struct expr_value *v, enum isa_type t, unsigned pointers, struct text *why)
{
	struct expr_place nowhere = {0};
	if (v->is_missing)
		return debug_fail(why, "value has been optimized out");
	if (v->is_object && (pointers || isa_type_bytes(t) == 8))
		value_object_decay(v);
	if (v->is_array && v->place.kind == EXPR_MEMORY && (pointers || isa_type_bytes(t) == 8)) {
		struct expr_value p;
		value_pointer(&p, v->type, v->pointers + 1u, v->place.address);
		expr_value_free(v);
		*v = p;
	}
	if (!value_is_number(v) && !v->pointers)
		return debug_fail(why, "a value of type %s can't be converted",
				  v->is_string	 ? "string"
				  : v->is_object ? "structure or array"
				  : v->is_array	 ? "array"
						: "void");
	if (pointers) {
		if (isa_type_is_float(v->type) && !v->pointers)
			return debug_fail(why, "Invalid cast.");
		value_pointer(v, t, pointers, v->u.u64);
		return true;
	}
	struct expr_value out;
	if (isa_type_is_float(t))
		/* integers of 64 bits are rounded once, to double, before a narrower type: as good as C's for display */
		value_float(&out, t,
			    t == ISA_F32 && !isa_type_is_float(v->type) &&
					    isa_type_info[v->type].cls == ISA_CLASS_UNSIGNED
				    ? (double)(float)v->u.u64
			    : t == ISA_F32 && !isa_type_is_float(v->type) ? (double)(float)v->u.s64
									  : value_to_double(v));
	else if (isa_type_is_float(v->type) && !v->pointers)
		value_int(&out, t, t == ISA_PRED ? v->u.f64 != 0 : double_to_bits(v->u.f64, v->type, t));
	else if (v->type == ISA_B128 && t == ISA_B128 && !v->pointers)
		out = *v;
	else
		value_int(&out, t, t == ISA_PRED && v->type == ISA_B128 ? (v->u.w[0] | v->u.w[1]) : v->u.u64);
	if (t == ISA_B128 && isa_type_info[v->type].cls == ISA_CLASS_UNSIGNED)
		out.u.w[1] = 0;
	out.place = nowhere;
	*v = out;
	return true;
}

static bool integer_fits(const struct expr_value *v, unsigned n)
{
	if (n >= 8)
		return true;
	if (isa_type_info[v->type].cls == ISA_CLASS_UNSIGNED || v->pointers)
		return v->u.u64 >> (8 * n) == 0;
	int64_t most = (INT64_C(1) << (8 * n)) - 1, least = -(INT64_C(1) << (8 * n - 1));
	return v->u.s64 >= least && v->u.s64 <= most;
}

bool value_fit(struct expr_value *v, enum isa_type t, struct text *why)
{
	value_object_decay(v);
	if (v->is_array && v->place.kind == EXPR_MEMORY) {
		struct expr_value p;
		value_pointer(&p, v->type, v->pointers + 1u, v->place.address);
		expr_value_free(v);
		*v = p;
	}
	if (!value_is_number(v) && !v->pointers)
		return debug_fail(why, "a number is needed here");
	bool from_float = isa_type_is_float(v->type) && !v->pointers;
	if (isa_type_is_float(t)) {
		if (v->pointers)
			return debug_fail(why, "an address is no %s", isa_type_info[t].name);
		return value_convert(v, t, 0, why);
	}
	unsigned n = isa_type_bytes(t);
	if (from_float && isa_type_info[t].cls == ISA_CLASS_BITS && n >= 2 && n <= 8) {
		unsigned char bytes[8] = {0};
		format_from_double(n == 2 ? ISA_F16 : n == 4 ? ISA_F32 : ISA_F64, v->u.f64, bytes);
		value_load(v, t, 0, bytes);
		return true;
	}
	if (from_float) {
		double x = v->u.f64;
		if (!(x >= -9223372036854775808.0 && x < 18446744073709551616.0) || x != trunc(x))
			return debug_fail(why, "%.17g is no %s", x, isa_type_info[t].name);
		value_int(v, x < 0 ? ISA_S64 : ISA_U64, double_to_bits(x, v->type, x < 0 ? ISA_S64 : ISA_U64));
	}
	if (!integer_fits(v, n))
		return v->u.s64 < 0 && !v->pointers ? debug_fail(why, "%lld is out of the range of %s",
								 (long long)v->u.s64, isa_type_info[t].name)
						    : debug_fail(why, "%llu is out of the range of %s",
								 (unsigned long long)v->u.u64, isa_type_info[t].name);
	return value_convert(v, t, 0, why);
}

bool expr_value_is_true(const struct expr_value *v)
{
	if (v->is_string)
		return true;
	if (v->is_array || v->is_object)
		return v->place.kind == EXPR_MEMORY;
	if (v->type == ISA_NOTYPE && !v->pointers)
		return false;
	if (!v->pointers && isa_type_is_float(v->type))
		return v->u.f64 != 0;
	return v->u.u64 || (v->type == ISA_B128 && v->u.w[1]);
}

bool expr_value_integer(const struct expr_value *v, int64_t *out)
{
	struct text none = {0};
	struct expr_value c;
	expr_value_copy(&c, v);
	bool ok = (value_is_number(&c) || c.pointers || c.is_array || c.is_object) && value_convert(&c, ISA_S64, 0, &none);
	*out = c.u.s64;
	expr_value_free(&c);
	text_free(&none);
	return ok;
}

const char *value_type_text(const struct expr_value *v, struct text *out)
{
	if (v->c) {
		ctype_text(v->c, false, out);
		return text_str(out);
	}
	if (v->is_string)
		text_addf(out, "char [%llu]", (unsigned long long)v->count + 1);
	else if (v->place.kind == EXPR_PC && v->pointers)
		text_add(out, "void (*)()");
	else
		text_add(out, v->type == ISA_NOTYPE ? "void" : isa_type_info[v->type].name);
	if (v->is_string || (v->place.kind == EXPR_PC && v->pointers))
		return text_str(out);
	if (v->pointers)
		text_addc(out, ' ');
	for (unsigned i = 0; i < v->pointers; i++)
		text_addc(out, '*');
	if (v->is_array && v->row_length)
		text_addf(out, " [%llu][%u]", (unsigned long long)(v->count / v->row_length), v->row_length);
	else if (v->is_array)
		text_addf(out, " [%llu]", (unsigned long long)v->count);
	return text_str(out);
}

void value_vector_type(const struct expr_value *v, struct text *out)
{
	if (v->count == 3)
		text_add(out, "dim3");
	else
		text_addf(out, "v%llu_%s", (unsigned long long)v->count, isa_type_info[v->type].name);
}

void value_element(const struct expr_value *array, uint64_t i, struct expr_value *out)
{
	assert(i < array->count);
	unsigned n = value_element_bytes(array);
	if (array->is_string)
		value_int(out, ISA_S8, array->data[i]);
	else
		value_load(out, array->type, array->pointers, array->data + i * n);
	out->place = array->place;
	if (array->place.kind == EXPR_MEMORY)
		out->place.address = array->place.address + i * n;
	else
		out->place.kind = EXPR_NOWHERE;
}
