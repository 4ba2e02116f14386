/* Conditions for all lanes of a warp at once. Numbers, special registers and variables in registers are read as rows and computed lane by lane in one
 * loop; what else a condition has is evaluated for one lane after the other, as expr_eval does, and only for lanes that the rest leaves. */
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

/* A number for each lane, as expr_value holds it. */
struct row {
	enum isa_type type;
	union {
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

static void load_row(const struct lanes *l, const struct node *n, struct row *out)
{
	const struct row_binding *b = &n->row;
	const char *from = exec_row(gpu_exec(l->d->g), l->w, l->frame, b->ref);
	const unsigned bytes = isa_type_bytes(b->type);
	const bool is_signed = isa_type_info[b->type].cls != ISA_CLASS_UNSIGNED;
	out->type = b->type;
	for (unsigned k = 0; k < LANES; k++, from += b->bytes) {
		uint64_t bits = 0;
		float f;
		memcpy(&bits, from, b->bytes < 8 ? b->bytes : 8);
		bits = bits << (64 - 8 * bytes);
		if (b->type == ISA_F32) {
			memcpy(&f, from, sizeof f);
			out->f[k] = (double)f;
		} else if (b->type == ISA_F64) {
			memcpy(&out->f[k], from, sizeof out->f[k]);
		} else {
			out->u[k] = is_signed ? (uint64_t)((int64_t)bits >> (64 - 8 * bytes)) : bits >> (64 - 8 * bytes);
		}
	}
}

static void number_row(const struct node *n, struct row *out)
{
	out->type = n->number.type;
	for (unsigned k = 0; k < LANES; k++)
		out->u[k] = n->number.u.u64;
}

static struct expr_value lane_value(const struct row *r, unsigned lane)
{
	struct expr_value v = {.type = r->type, .count = 1};
	v.u.u64 = r->u[lane];
	return v;
}

static bool is_narrow(enum isa_type t) { return t == ISA_U32 || t == ISA_S32; }

static bool is_comparison(enum expr_op op) { return op >= OP_EQ && op <= OP_GE; }

static bool holds(enum expr_op op, bool less, bool equal, bool greater)
{
	return op == OP_EQ   ? equal
	       : op == OP_NE ? !equal
	       : op == OP_LT ? less
	       : op == OP_LE ? less || equal
	       : op == OP_GT ? greater
			     : greater || equal;
}

/* Computes with integers of 32 bits, the most frequent case. Returns false for other types and operations. */
static bool narrow_rows(enum expr_op op, const struct row *a, const struct row *b, struct row *out)
{
	const bool is_signed = a->type == ISA_S32 && b->type == ISA_S32;
	if (!is_narrow(a->type) || !is_narrow(b->type) || op == OP_DIV || op == OP_REM || op == OP_SHL || op == OP_SHR)
		return false;
	out->type = is_signed || is_comparison(op) ? ISA_S32 : ISA_U32;
	for (unsigned k = 0; k < LANES; k++) {
		const int64_t x = is_signed ? (int64_t)a->u[k] : (int64_t)(uint32_t)a->u[k];
		const int64_t y = is_signed ? (int64_t)b->u[k] : (int64_t)(uint32_t)b->u[k];
		const uint64_t r = op == OP_ADD	  ? (uint64_t)(x + y)
				   : op == OP_SUB ? (uint64_t)(x - y)
				   : op == OP_MUL ? (uint64_t)x * (uint64_t)y
				   : op == OP_AND ? (uint64_t)(x & y)
				   : op == OP_OR  ? (uint64_t)(x | y)
				   : op == OP_XOR ? (uint64_t)(x ^ y)
						  : holds(op, x < y, x == y, x > y);
		out->u[k] = out->type == ISA_S32 ? (uint64_t)(int64_t)(int32_t)(uint32_t)r : (uint32_t)r;
	}
	return true;
}

/* Returns a lane's number as a float of type t, held as double. */
static double as_float(const struct row *r, unsigned lane, enum isa_type t)
{
	if (isa_type_is_float(r->type))
		return r->f[lane];
	const double x = (double)(int64_t)r->u[lane];
	return t == ISA_F32 ? (double)(float)x : x;
}

/* Computes with floats, or a float and an integer of 32 bits. Returns false for other types and operations. */
static bool float_rows(enum expr_op op, const struct row *a, const struct row *b, struct row *out)
{
	const bool first = isa_type_is_float(a->type), second = isa_type_is_float(b->type);
	const enum isa_type t = a->type == ISA_F64 || b->type == ISA_F64 ? ISA_F64 : ISA_F32;
	if ((!first && !second) || (!first && !is_narrow(a->type)) || (!second && !is_narrow(b->type)) ||
	    (!is_comparison(op) && op != OP_ADD && op != OP_SUB && op != OP_MUL))
		return false;
	out->type = is_comparison(op) ? ISA_S32 : t;
	for (unsigned k = 0; k < LANES; k++) {
		const double x = as_float(a, k, t), y = as_float(b, k, t);
		const double r = op == OP_ADD ? x + y : op == OP_SUB ? x - y : x * y;
		if (is_comparison(op))
			out->u[k] = holds(op, x < y, x == y, x > y);
		else
			out->f[k] = t == ISA_F32 ? (double)(float)r : r;
	}
	return true;
}

static void row_of(struct lanes *l, struct node *n, uint32_t lanes, struct row *out)
{
	struct row a, b;
	struct text ignored = {0};
	if (n->kind == NODE_NUMBER) {
		number_row(n, out);
		return;
	}
	if (n->kind == NODE_NAME) {
		load_row(l, n, out);
		return;
	}
	row_of(l, n->a, lanes, &a);
	if (n->kind == NODE_BINARY) {
		row_of(l, n->b, lanes, &b);
		if (narrow_rows(n->op, &a, &b, out) || float_rows(n->op, &a, &b, out))
			return;
	}
	LANES_EACH (lane, lanes) {
		struct expr_value x = lane_value(&a, lane), y, r = {0};
		if (n->kind == NODE_UNARY) {
			value_unary(n->op, &x, &r, &ignored);
		} else {
			y = lane_value(&b, lane);
			value_binary(n->op, &x, &y, &r, &ignored);
		}
		out->type = r.type;
		out->u[lane] = r.u.u64;
	}
	text_free(&ignored);
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
	const uint32_t number = (uint32_t)n->b->number.u.u64 ^ sign;
	*fits = 0;
	for (unsigned k = 0; k < LANES; k++) {
		const uint32_t x = row[k] ^ sign; /* signed order as unsigned */
		*fits |= (uint32_t)holds(n->op, x < number, x == number, x > number) << k;
	}
	return true;
}

static uint32_t true_row(struct lanes *l, struct node *n, uint32_t lanes)
{
	struct row r;
	uint32_t fits = 0;
	if (compare_number(l, n, &fits))
		return fits & lanes;
	row_of(l, n, lanes, &r);
	LANES_EACH (lane, lanes)
		fits |= (isa_type_is_float(r.type) ? r.f[lane] != 0 : r.u[lane] != 0) ? lanes_bit(lane) : 0;
	return fits;
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
