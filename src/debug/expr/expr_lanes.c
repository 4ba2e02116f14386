/* Conditions for all lanes of a warp at once. Numbers, special registers and variables in registers are read as rows and computed lane by lane in one
 * loop; what else a condition has is evaluated for one lane after the other, as expr_eval does, and only for lanes that the rest leaves. */
#include <math.h>
#include <string.h>

#include "debug/expr/expr.h"
#include "debug/expr/expr_internal.h"
#include "debug/expr/value.h"
#include "debug/view/view.h"
#include "isa/special.h"

/* The lanes that are evaluated for: all stand at the instruction `pc` of one activation. */
struct lanes {
	struct debug *d;
	struct debug_thread first; /* lane 0's */
	const struct exec_warp *w;
	uint64_t frame;
	uint32_t pc;
	uint32_t failed; /* lanes for which an evaluation has failed */
	struct text *why; /* the first error */
};

/* A number for each lane. Those of 32-bit integers are in `n`, others as expr_value holds them. If they are the same in all lanes, only lane 0 is
 * set. */
struct row {
	enum isa_type type;
	bool is_same;
	union {
		uint32_t n[LANES];
		uint64_t u[LANES];
		double f[LANES];
	};
};

/* ---- what is computed as rows ---- */

static struct debug_thread thread_of(const struct lanes *l, unsigned lane)
{
	struct debug_thread t = l->first;
	t.thread += lane;
	return t;
}

static bool eval_lane(struct lanes *l, struct node *n, unsigned lane, struct expr_value *out, struct text *why)
{
	const struct debug_thread t = thread_of(l, lane);
	struct eval v = {.d = l->d, .t = &t, .why = why};
	v.has_thread = debug_thread_where(l->d, &t, &v.w);
	v.has_frame = v.has_thread && debug_frame_get(l->d, &v.w, 0, &v.f);
	memset(out, 0, sizeof *out);
	if (eval_node(&v, n, out) && eval_load_array(&v, out))
		return true;
	expr_value_free(out);
	return false;
}

static bool is_row_type(enum isa_type t)
{
	const enum isa_class c = isa_type_info[t].cls;
	return t == ISA_F32 || t == ISA_F64 ||
	       ((c == ISA_CLASS_UNSIGNED || c == ISA_CLASS_SIGNED || c == ISA_CLASS_BITS) && isa_type_bytes(t) <= 8 && isa_type_bytes(t));
}

/* Stores the row of %tid.x, or of threadIdx.x. Returns false if the name is no special register with a row. */
static bool special_row(const struct node *n, uint32_t *ref)
{
	static const char *const names[][2] = {{"threadIdx", "%tid"}, {"blockIdx", "%ctaid"}, {"blockDim", "%ntid"}, {"gridDim", "%nctaid"}};
	size_t k = strcspn(n->text, ".");
	const char *dim = n->text + k, *base = n->text;
	for (size_t i = 0; i < 4; i++)
		if (strlen(names[i][0]) == k && !memcmp(names[i][0], n->text, k)) {
			base = names[i][1];
			k = strlen(base);
		}
	for (unsigned id = 0; id < ISA_SPECIAL_COUNT; id++) {
		const struct isa_special_info *s = &isa_special_info[id];
		if (strlen(s->name) != k || memcmp(s->name, base, k) || (s->dims > 1) != (*dim == '.'))
			continue;
		const unsigned at = s->dims > 1 ? (unsigned)(dim[1] - 'x') : 0;
		*ref = ISA_REF(ISA_BASE_SPECIAL, 128u * (s->row + at));
		return at < s->dims && at < 3;
	}
	return false;
}

/* Notes how a name is read here: what it means for one lane says it for all. */
static bool bind_name(struct lanes *l, struct node *n, unsigned lane)
{
	struct expr_value v;
	struct text ignored = {0};
	struct row_binding *b = &n->row;
	bool ok = eval_lane(l, n, lane, &v, &ignored);
	text_free(&ignored);
	if (!ok)
		return false;
	ok = value_is_number(&v) && !v.pointers && !v.is_missing && is_row_type(v.type) && !v.place.bit_size;
	b->type = v.type;
	if (v.place.kind == EXPR_ROW) {
		b->ref = v.place.ref;
		b->bytes = v.place.width ? v.place.width : (uint8_t)debug_reg_bytes(v.type);
	} else {
		ok = ok && v.place.kind == EXPR_NOWHERE && v.type == ISA_U32 && special_row(n, &b->ref);
		b->bytes = 4;
	}
	expr_value_free(&v);
	return ok;
}

static bool bind(struct lanes *l, struct node *n, unsigned lane);

/* Binds both operands in any case. */
static bool bind_both(struct lanes *l, struct node *n, unsigned lane)
{
	const bool first = bind(l, n->a, lane), second = bind(l, n->b, lane);
	return first && second;
}

static bool are_rows(struct lanes *l, struct node *n, unsigned lane)
{
	switch (n->kind) {
	case NODE_NUMBER: return n->source.name == NULL && is_row_type(n->number.type) && !n->number.pointers;
	case NODE_NAME: return bind_name(l, n, lane);
	case NODE_UNARY: return bind(l, n->a, lane) && n->op != OP_DEREF && n->op != OP_ADDRESS;
	case NODE_BINARY:
		if (n->op == OP_REPEAT || n->op == OP_COMMA || n->is_tight)
			return false;
		if ((n->op == OP_DIV || n->op == OP_REM) && (n->b->kind != NODE_NUMBER || !expr_value_is_true(&n->b->number)))
			return false;
		if ((n->op == OP_SHL || n->op == OP_SHR) && (n->b->kind != NODE_NUMBER || n->b->number.u.u64 > 63))
			return false;
		return bind_both(l, n, lane);
	default: return false;
	}
}

/* Notes for a node and what is below it whether its value is computed as a row at this instruction. Then it has no side effects, and can't fail. */
static bool bind(struct lanes *l, struct node *n, unsigned lane)
{
	struct row_binding *b = &n->row;
	if (n->kind == NODE_AND || n->kind == NODE_OR) {
		b->is_row = false;
		bind_both(l, n, lane);
		b->is_rows_alone = n->a->row.is_rows_alone && n->b->row.is_rows_alone;
		return false;
	}
	b->is_row = are_rows(l, n, lane);
	b->is_rows_alone = b->is_row || (n->kind == NODE_UNARY && n->op == OP_NOT && n->a->row.is_rows_alone);
	return b->is_row;
}

/* Binds an expression to the instruction, unless it is bound to it: a name may mean something else elsewhere, after a load, and if a buffer hides it. */
static void bind_all(struct lanes *l, struct node *root, unsigned lane)
{
	struct row_binding *b = &root->row;
	const uint32_t generation = debug_program(l->d)->generation;
	const size_t n_buffers = debug_buffer_count(l->d);
	if (b->known && b->pc == l->pc && b->generation == generation && b->n_buffers == n_buffers)
		return;
	bind(l, root, lane);
	b->known = true;
	b->pc = l->pc;
	b->generation = generation;
	b->n_buffers = n_buffers;
}

/* ---- rows ---- */

static bool is_narrow(enum isa_type t) { return t == ISA_U32 || t == ISA_S32; }

/* Returns whether all lanes of a warp have the same value of a special register. */
static bool is_same_in_warp(uint32_t ref)
{
	if (ISA_REF_BASE(ref) != ISA_BASE_SPECIAL)
		return false;
	for (unsigned k = 0; k < 3; k++)
		if (ref == ISA_SPECIAL_REF(CTAID, k) || ref == ISA_SPECIAL_REF(NTID, k) || ref == ISA_SPECIAL_REF(NCTAID, k))
			return true;
	return false;
}

static void load_row(const struct lanes *l, const struct node *n, struct row *out)
{
	const struct row_binding *b = &n->row;
	const char *from = exec_row(gpu_exec(l->d->g), l->w, l->frame, b->ref);
	const unsigned bytes = isa_type_bytes(b->type);
	const bool is_signed = isa_type_info[b->type].cls != ISA_CLASS_UNSIGNED;
	out->type = b->type;
	out->is_same = is_same_in_warp(b->ref);
	if (is_narrow(b->type) && b->bytes == 4) {
		memcpy(out->n, from, out->is_same ? sizeof *out->n : sizeof out->n);
		return;
	}
	out->is_same = false;
	if (b->type == ISA_F32 && b->bytes == 4) {
		float f[LANES];
		memcpy(f, from, sizeof f);
		for (unsigned k = 0; k < LANES; k++)
			out->f[k] = (double)f[k];
		return;
	}
	for (unsigned k = 0; k < LANES; k++, from += b->bytes) {
		uint64_t bits = 0;
		float f;
		memcpy(&bits, from, b->bytes < 8 ? b->bytes : 8);
		bits = bits << (64 - 8 * bytes);
		if (is_narrow(b->type)) {
			out->n[k] = (uint32_t)(bits >> 32);
		} else if (b->type == ISA_F32) {
			memcpy(&f, from, sizeof f);
			out->f[k] = (double)f;
		} else if (b->type == ISA_F64) {
			memcpy(&out->f[k], from, sizeof out->f[k]);
		} else {
			out->u[k] = is_signed ? (uint64_t)((int64_t)bits >> (64 - 8 * bytes)) : bits >> (64 - 8 * bytes);
		}
	}
}

static struct expr_value lane_value(const struct row *r, unsigned lane)
{
	struct expr_value v = {.type = r->type, .count = 1};
	const unsigned k = r->is_same ? 0 : lane;
	v.u.u64 = r->type == ISA_S32 ? (uint64_t)(int64_t)(int32_t)r->n[k] : r->type == ISA_U32 ? r->n[k] : r->u[k];
	return v;
}

static void set_lane(struct row *r, unsigned lane, const struct expr_value *v)
{
	r->type = v->type;
	if (is_narrow(v->type))
		r->n[lane] = (uint32_t)v->u.u64;
	else
		r->u[lane] = v->u.u64;
}

/* Gives all lanes what lane 0 has. */
static void spread(struct row *r)
{
	if (!r->is_same)
		return;
	r->is_same = false;
	const uint32_t n = r->n[0];
	const uint64_t u = is_narrow(r->type) ? 0 : r->u[0];
	for (unsigned k = 0; k < LANES && is_narrow(r->type); k++)
		r->n[k] = n;
	for (unsigned k = 0; k < LANES && !is_narrow(r->type); k++)
		r->u[k] = u;
}

static bool is_comparison(enum expr_op op) { return op >= OP_EQ && op <= OP_GE; }

/* Sets out[k] of each lane to a value in terms of k. The compiler makes vector instructions of it, as the number of lanes is known. */
#define EACH(value)                         \
	for (unsigned k = 0; k < LANES; k++) \
	out[k] = (value)

/* Compares 32-bit integers, whose order is that of unsigned ones after `sign` was inverted. */
static void compare_narrow(enum expr_op op, const uint32_t *restrict x, const uint32_t *restrict y, uint32_t sign, uint32_t *restrict out)
{
	switch (op) {
	case OP_EQ: EACH(x[k] == y[k]); break;
	case OP_NE: EACH(x[k] != y[k]); break;
	case OP_LT: EACH((x[k] ^ sign) < (y[k] ^ sign)); break;
	case OP_LE: EACH((x[k] ^ sign) <= (y[k] ^ sign)); break;
	case OP_GT: EACH((x[k] ^ sign) > (y[k] ^ sign)); break;
	default: EACH((x[k] ^ sign) >= (y[k] ^ sign)); break;
	}
}

/* Computes with 32-bit integers. Returns false for operations that need more than 32 bits or can fail. */
static bool compute_narrow(enum expr_op op, const uint32_t *restrict x, const uint32_t *restrict y, uint32_t *restrict out)
{
	switch (op) {
	case OP_ADD: EACH(x[k] + y[k]); break;
	case OP_SUB: EACH(x[k] - y[k]); break;
	case OP_MUL: EACH(x[k] * y[k]); break;
	case OP_AND: EACH(x[k] & y[k]); break;
	case OP_OR: EACH(x[k] | y[k]); break;
	case OP_XOR: EACH(x[k] ^ y[k]); break;
	default: return false;
	}
	return true;
}

/* Computes with integers of 32 bits, the most frequent case. Returns false for other types and operations. */
static bool narrow_rows(enum expr_op op, struct row *a, struct row *b, struct row *out)
{
	const bool is_signed = a->type == ISA_S32 && b->type == ISA_S32;
	if (!is_narrow(a->type) || !is_narrow(b->type))
		return false;
	out->type = is_signed || is_comparison(op) ? ISA_S32 : ISA_U32;
	out->is_same = a->is_same && b->is_same;
	spread(a);
	spread(b);
	if (!is_comparison(op))
		return compute_narrow(op, a->n, b->n, out->n);
	compare_narrow(op, a->n, b->n, is_signed ? 1u << 31 : 0, out->n);
	return true;
}

/* Makes floats of type t of a row, held as double. */
static void floats_of(struct row *r, enum isa_type t)
{
	struct row f;
	if (isa_type_is_float(r->type))
		return;
	for (unsigned k = 0; k < LANES; k++)
		f.f[k] = r->type == ISA_S32 ? (double)(int32_t)r->n[k] : (double)r->n[k];
	for (unsigned k = 0; k < LANES && t == ISA_F32; k++)
		f.f[k] = (double)(float)f.f[k];
	memcpy(r->f, f.f, sizeof r->f);
}

/* Compares floats; NaN is neither less than, equal to nor greater than anything. */
static void compare_floats(enum expr_op op, const double *restrict x, const double *restrict y, uint32_t *restrict out)
{
	switch (op) {
	case OP_EQ: EACH(x[k] == y[k]); break;
	case OP_NE: EACH(x[k] < y[k] || x[k] > y[k] || isunordered(x[k], y[k])); break;
	case OP_LT: EACH(x[k] < y[k]); break;
	case OP_LE: EACH(x[k] <= y[k]); break;
	case OP_GT: EACH(x[k] > y[k]); break;
	default: EACH(x[k] >= y[k]); break;
	}
}
#undef EACH

/* Computes with floats, or a float and an integer of 32 bits. Returns false for other types and operations. */
static bool float_rows(enum expr_op op, struct row *a, struct row *b, struct row *out)
{
	const bool first = isa_type_is_float(a->type), second = isa_type_is_float(b->type);
	const enum isa_type t = a->type == ISA_F64 || b->type == ISA_F64 ? ISA_F64 : ISA_F32;
	if ((!first && !second) || (!first && !is_narrow(a->type)) || (!second && !is_narrow(b->type)) ||
	    (!is_comparison(op) && op != OP_ADD && op != OP_SUB && op != OP_MUL))
		return false;
	out->type = is_comparison(op) ? ISA_S32 : t;
	out->is_same = a->is_same && b->is_same;
	spread(a);
	spread(b);
	floats_of(a, t);
	floats_of(b, t);
	if (is_comparison(op)) {
		compare_floats(op, a->f, b->f, out->n);
		return true;
	}
	for (unsigned k = 0; k < LANES; k++) {
		const double r = op == OP_ADD ? a->f[k] + b->f[k] : op == OP_SUB ? a->f[k] - b->f[k] : a->f[k] * b->f[k];
		out->f[k] = t == ISA_F32 ? (double)(float)r : r;
	}
	return true;
}

static void row_of(struct lanes *l, struct node *n, uint32_t lanes, struct row *out);

/* Computes lane by lane, as expr_eval does; once if the operands are the same in all lanes. `b` is NULL for a node with one operand. */
static void rows_each(const struct node *n, const struct row *a, const struct row *b, uint32_t lanes, struct row *out)
{
	struct text ignored = {0};
	out->is_same = a->is_same && (!b || b->is_same);
	LANES_EACH (lane, out->is_same ? 1u : lanes) {
		struct expr_value x = lane_value(a, lane), y, r = {0};
		if (b) {
			y = lane_value(b, lane);
			value_binary(n->op, &x, &y, &r, &ignored);
		} else {
			value_unary(n->op, &x, &r, &ignored);
		}
		set_lane(out, lane, &r);
	}
	text_free(&ignored);
}

static void binary_row(struct lanes *l, const struct node *n, uint32_t lanes, struct row *out)
{
	struct row a, b;
	row_of(l, n->a, lanes, &a);
	row_of(l, n->b, lanes, &b);
	if (!narrow_rows(n->op, &a, &b, out) && !float_rows(n->op, &a, &b, out))
		rows_each(n, &a, &b, lanes, out);
}

static void row_of(struct lanes *l, struct node *n, uint32_t lanes, struct row *out)
{
	struct row a;
	if (n->kind == NODE_NUMBER) {
		out->is_same = true;
		set_lane(out, 0, &n->number);
	} else if (n->kind == NODE_NAME) {
		load_row(l, n, out);
	} else if (n->kind == NODE_BINARY) {
		binary_row(l, n, lanes, out);
	} else {
		row_of(l, n->a, lanes, &a);
		rows_each(n, &a, NULL, lanes, out);
	}
}

/* ---- conditions ---- */

static uint32_t true_each(struct lanes *l, struct node *n, uint32_t lanes)
{
	uint32_t fits = 0;
	LANES_EACH (lane, lanes) {
		struct expr_value v;
		struct text why = {0};
		if (!eval_lane(l, n, lane, &v, &why)) {
			l->failed |= lanes_bit(lane);
			if (!l->why->n)
				text_add(l->why, text_str(&why));
		} else {
			fits |= expr_value_is_true(&v) ? lanes_bit(lane) : 0;
			expr_value_free(&v);
		}
		text_free(&why);
	}
	return fits;
}

/* Compares a row of 32-bit integers with a number. Returns false if the node is something else. */
static bool compare_number(struct lanes *l, const struct node *n, uint32_t *fits)
{
	const struct row_binding *b = n->kind == NODE_BINARY ? &n->a->row : NULL;
	if (!b || !is_comparison(n->op) || n->a->kind != NODE_NAME || n->b->kind != NODE_NUMBER || !is_narrow(b->type) || b->bytes != 4 ||
	    n->b->number.type != ISA_S32)
		return false;
	const uint32_t *row = exec_row(gpu_exec(l->d->g), l->w, l->frame, b->ref), sign = b->type == ISA_S32 ? 1u << 31 : 0;
	const unsigned lanes = is_same_in_warp(b->ref) ? 1 : LANES;
	uint32_t number = (uint32_t)n->b->number.u.u64 ^ sign, less = 0, equal = 0;
	for (unsigned k = 0; k < lanes; k++) {
		const uint32_t x = row[k] ^ sign; /* signed order as unsigned */
		less |= (uint32_t)(x < number) << k;
		equal |= (uint32_t)(x == number) << k;
	}
	*fits = n->op == OP_EQ || n->op == OP_NE ? equal : n->op == OP_LT || n->op == OP_GE ? less : less | equal;
	if (lanes == 1)
		*fits = *fits ? LANES_ALL : 0;
	if (n->op == OP_NE || n->op == OP_GE || n->op == OP_GT)
		*fits = ~*fits;
	return true;
}

static bool is_lane_true(const struct row *r, unsigned lane)
{
	return is_narrow(r->type) ? r->n[lane] != 0 : isa_type_is_float(r->type) ? r->f[lane] != 0 : r->u[lane] != 0;
}

static uint32_t true_row(struct lanes *l, struct node *n, uint32_t lanes)
{
	struct row r;
	uint32_t fits = 0;
	if (compare_number(l, n, &fits))
		return fits & lanes;
	if (n->kind == NODE_UNARY && n->op == OP_NOT)
		return lanes & ~true_row(l, n->a, lanes);
	row_of(l, n, lanes, &r);
	if (r.is_same)
		return is_lane_true(&r, 0) ? lanes : 0;
	for (unsigned k = 0; k < LANES && is_narrow(r.type); k++)
		fits |= (uint32_t)(r.n[k] != 0) << k;
	LANES_EACH (lane, is_narrow(r.type) ? 0 : lanes)
		fits |= is_lane_true(&r, lane) ? lanes_bit(lane) : 0;
	return fits & lanes;
}

static uint32_t true_lanes(struct lanes *l, struct node *n, uint32_t lanes)
{
	if (!lanes)
		return 0;
	if (n->kind == NODE_AND) { /* what is cheap and can't fail decides first which lanes the rest is for */
		const bool swaps = n->b->row.is_rows_alone && !n->a->row.is_rows_alone;
		const uint32_t rest = true_lanes(l, swaps ? n->b : n->a, lanes);
		return true_lanes(l, swaps ? n->a : n->b, rest & ~l->failed);
	}
	if (n->kind == NODE_OR) {
		const uint32_t fits = true_lanes(l, n->a, lanes);
		return fits | true_lanes(l, n->b, lanes & ~fits & ~l->failed);
	}
	if (n->row.is_row)
		return true_row(l, n, lanes);
	return n->row.is_rows_alone ? lanes & ~true_lanes(l, n->a, lanes) : true_each(l, n, lanes);
}

/* Returns those of a warp's lanes that execute its innermost activation and don't wait in a barrier. */
static uint32_t lanes_together(struct lanes *l, const struct exec_simt *top, uint32_t lanes)
{
	if (l->w->state == EXEC_WARP_DONE || !top || l->w->barrier_lanes & lanes)
		return 0;
	l->frame = top->frame;
	l->pc = top->pc;
	return lanes & top->mask & ~l->w->exited;
}

uint32_t expr_true_lanes(struct debug *d, const struct expr *e, const struct debug_thread *first, const struct exec_warp *w,
			 uint32_t lanes, struct text *why)
{
	struct lanes l = {.d = d, .first = *first, .w = w, .why = why};
	const struct exec_simt *top = w->n_simt ? exec_simt_top(gpu_exec(d->g), w) : NULL;
	const uint32_t together = e->assigns ? 0 : lanes_together(&l, top, lanes);
	if (together)
		bind_all(&l, e->root, lanes_first(together));
	uint32_t fits = true_lanes(&l, e->root, together);
	fits |= true_each(&l, e->root, lanes & ~together);
	return fits | l.failed;
}

/* Returns those of `lanes` for which the parts of a condition that are rows leave it open or say that it is true. */
static uint32_t possible_lanes(struct lanes *l, struct node *n, uint32_t lanes)
{
	if (!lanes)
		return 0;
	if (n->kind == NODE_AND) {
		const bool swaps = n->b->row.is_rows_alone && !n->a->row.is_rows_alone;
		struct node *const first = swaps ? n->b : n->a;
		lanes = possible_lanes(l, first, lanes);
		return first->row.is_rows_alone ? possible_lanes(l, swaps ? n->a : n->b, lanes) : lanes; /* the first part may fail, and stop */
	}
	if (n->kind == NODE_OR)
		return possible_lanes(l, n->a, lanes) | possible_lanes(l, n->b, lanes);
	return n->row.is_rows_alone ? true_lanes(l, n, lanes) : lanes;
}

uint32_t expr_possible_lanes(struct debug *d, const struct expr *e, const struct debug_thread *first, const struct exec_warp *w, uint32_t lanes)
{
	struct text ignored = {0};
	struct lanes l = {.d = d, .first = *first, .w = w, .why = &ignored};
	const struct exec_simt *top = w->n_simt ? exec_simt_top(gpu_exec(d->g), w) : NULL;
	if (e->assigns || lanes_together(&l, top, lanes) != lanes)
		return lanes;
	bind_all(&l, e->root, lanes_first(lanes));
	const uint32_t possible = possible_lanes(&l, e->root, lanes);
	text_free(&ignored);
	return possible;
}
