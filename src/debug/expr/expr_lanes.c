/* Conditions for all lanes of a warp at once. Numbers, special registers and variables in registers are read as rows and computed lane by lane in one
 * loop; what else a condition has is evaluated for one lane after the other, as expr_eval does, and only for lanes that the rest leaves. */
#include <string.h>

#include "debug/expr/expr.h"
#include "debug/expr/expr_internal.h"
#include "debug/expr/expr_rows.h"
#include "debug/expr/value.h"
#include "debug/view/view.h"
#include "isa/special.h"

/* The lanes that are evaluated for: all stand at the instruction `pc` of one activation. */
struct lanes {
	struct debug *d;
	struct debug_thread first; /* lane 0's */
	const struct exec_warp *w;
	uint64_t frame;
	uint32_t pc, depth; /* depth: in calls */
	bool is_quick;	 /* errors have no text */
	const struct exec_cta *cta; /* of the warp, once memory was read */
	uint32_t warp;
	uint32_t failed; /* lanes for which an evaluation has failed */
	struct text *why; /* the first error */
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

/* Returns true if a node names memory whose generic address is the same for all lanes: a variable or a member of one. */
static bool has_one_address(const struct node *n)
{
	while (n->kind == NODE_MEMBER && !n->is_post)
		n = n->a;
	return n->kind == NODE_NAME;
}

/* Notes the pointer that a load starts with, in a register or the same for all lanes. Returns false if it is neither, else stores its value in *at. */
static bool bind_pointer(struct lanes *l, struct node *n, unsigned lane, uint64_t *at)
{
	struct row_binding *b = &n->row;
	struct expr_value v;
	struct text ignored = {0};
	bool ok = n->a->kind == NODE_NAME && eval_lane(l, n->a, lane, &v, &ignored);
	text_free(&ignored);
	if (!ok)
		return false;
	const bool is_array = (v.is_array || v.is_object) && v.place.kind == EXPR_MEMORY;
	*at = is_array ? v.place.address : v.u.u64;
	b->ref = v.place.kind == EXPR_ROW ? v.place.ref : ISA_REF_NONE;
	const bool is_parameter = v.place.kind == EXPR_MEMORY && debug_space_of(v.place.address) == ISA_SPACE_PARAM;
	ok = is_array || (v.pointers && (is_parameter || (v.place.kind == EXPR_ROW && v.place.width % 8 == 0)));
	expr_value_free(&v);
	return ok;
}

/* Notes how the address of a value in memory at `address` is formed. Returns false if rows don't give it. */
static bool bind_address(struct lanes *l, struct node *n, unsigned lane, uint64_t address)
{
	struct row_binding *b = &n->row;
	uint64_t at = 0;
	int64_t index = 0;
	struct text ignored = {0};
	b->ref = ISA_REF_NONE;
	b->scale = n->kind == NODE_INDEX ? isa_type_bytes(b->type) : 0;
	b->base = address;
	if (has_one_address(n))
		return true;
	if (n->kind == NODE_INDEX) {
		struct expr_value v;
		const bool ok = n->b && bind(l, n->b, lane) && eval_lane(l, n->b, lane, &v, &ignored) && expr_value_integer(&v, &index);
		text_free(&ignored);
		if (!ok || isa_type_is_float(v.type))
			return false;
	} else if (!(n->kind == NODE_MEMBER && n->is_post) && !(n->kind == NODE_UNARY && n->op == OP_DEREF)) {
		return false;
	}
	if (!bind_pointer(l, n, lane, &at))
		return false;
	const uint64_t offset = address - at - b->scale * (uint64_t)index;
	b->base = b->ref == ISA_REF_NONE ? at + offset : offset;
	return n->kind != NODE_INDEX || !offset;
}

/* Notes how a value in memory is loaded. Returns false if it is none, or rows don't give its address. */
static bool bind_load(struct lanes *l, struct node *n, unsigned lane)
{
	struct expr_value v;
	struct row_binding *b = &n->row;
	struct text ignored = {0};
	bool ok = eval_lane(l, n, lane, &v, &ignored);
	text_free(&ignored);
	if (!ok)
		return false;
	ok = value_is_number(&v) && !v.pointers && !v.is_missing && is_row_type(v.type) && !v.place.bit_size && v.place.kind == EXPR_MEMORY;
	b->type = v.type;
	b->bytes = (uint8_t)isa_type_bytes(v.type);
	const uint64_t address = v.place.address;
	expr_value_free(&v);
	ok = ok && bind_address(l, n, lane, address);
	/* variables in local memory lie elsewhere in other activations of the function */
	const bool moves = b->ref == ISA_REF_NONE && debug_space_of(address) == ISA_SPACE_LOCAL && l->depth;
	b->is_load = b->reads = ok && !moves;
	return b->is_load;
}

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
	case NODE_NAME: return bind_name(l, n, lane) || bind_load(l, n, lane);
	case NODE_INDEX:
	case NODE_MEMBER: return bind_load(l, n, lane);
	case NODE_UNARY:
		if (n->op == OP_DEREF)
			return bind_load(l, n, lane);
		return bind(l, n->a, lane) && n->op != OP_ADDRESS;
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

/* Returns true if the value of a row doesn't depend on the thread: a number, or an operator with such operands, whose value is then stored in the node. */
static bool is_constant(struct lanes *l, struct node *n, unsigned lane)
{
	struct expr_value v;
	struct text ignored = {0};
	if (n->kind == NODE_NUMBER)
		return true;
	if ((n->kind != NODE_UNARY && n->kind != NODE_BINARY) || n->row.is_load || !n->a->row.is_constant || (n->b && !n->b->row.is_constant) || !eval_lane(l, n, lane, &v, &ignored)) {
		text_free(&ignored);
		return false;
	}
	n->number = v;
	return true;
}

/* Notes for a node and what is below it whether its value is computed as a row at this instruction. Then it has no side effects, and unless it reads memory it
 * can't fail. */
static bool bind(struct lanes *l, struct node *n, unsigned lane)
{
	struct row_binding *b = &n->row;
	if (n->kind == NODE_AND || n->kind == NODE_OR) {
		b->is_row = false;
		bind_both(l, n, lane);
		b->is_rows_alone = n->a->row.is_rows_alone && n->b->row.is_rows_alone;
		return false;
	}
	b->is_load = b->reads = false;
	b->is_row = are_rows(l, n, lane);
	b->reads |= (n->kind == NODE_UNARY || n->kind == NODE_BINARY) && !b->is_load && (n->a->row.reads || (n->b && n->b->row.reads));
	b->is_constant = b->is_row && is_constant(l, n, lane);
	b->is_rows_alone = (b->is_row && !b->reads) || (n->kind == NODE_UNARY && n->op == OP_NOT && n->a->row.is_rows_alone);
	return b->is_row;
}

/* Binds an expression to the instruction, unless it is bound to it: a name may mean something else elsewhere, after a load, and if a buffer hides it. */
static void bind_all(struct lanes *l, struct node *root, unsigned lane)
{
	struct row_binding *b = &root->row;
	const struct row_binding now = {.pc = l->pc,
					.generation = debug_program(l->d)->generation,
					.launch = l->first.launch,
					.changes = debug_changes(l->d),
					.n_buffers = debug_buffer_count(l->d)};
	if (b->known && b->pc == now.pc && b->generation == now.generation && b->launch == now.launch && b->changes == now.changes &&
	    b->n_buffers == now.n_buffers)
		return;
	bind(l, root, lane);
	b->known = true;
	b->pc = now.pc;
	b->generation = now.generation;
	b->launch = now.launch;
	b->changes = now.changes;
	b->n_buffers = now.n_buffers;
}

/* ---- rows ---- */

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

/* Sets the number of a lane from the bytes of its register, or of memory. */
static void set_from_bytes(struct row *out, unsigned k, enum isa_type t, const char *from, unsigned have)
{
	const unsigned bytes = isa_type_bytes(t);
	const bool is_signed = isa_type_info[t].cls != ISA_CLASS_UNSIGNED;
	uint64_t bits = 0;
	memcpy(&bits, from, have < 8 ? have : 8);
	bits = bits << (64 - 8 * bytes);
	if (row_is_narrow(t))
		out->n[k] = (uint32_t)(bits >> 32);
	else if (t == ISA_F32)
		memcpy(&out->g[k], from, sizeof out->g[k]);
	else if (t == ISA_F64)
		memcpy(&out->f[k], from, sizeof out->f[k]);
	else
		out->u[k] = is_signed ? (uint64_t)((int64_t)bits >> (64 - 8 * bytes)) : bits >> (64 - 8 * bytes);
}

static void load_row(const struct lanes *l, const struct node *n, struct row *out)
{
	const struct row_binding *b = &n->row;
	const char *from = exec_row(gpu_exec(l->d->g), l->w, l->frame, b->ref);
	out->type = b->type;
	out->is_same = is_same_in_warp(b->ref);
	if (row_is_narrow(b->type) && b->bytes == 4) {
		memcpy(out->n, from, out->is_same ? sizeof *out->n : sizeof out->n);
		return;
	}
	out->is_same = false;
	if (b->type == ISA_F32 && b->bytes == 4) {
		memcpy(out->g, from, sizeof out->g);
		return;
	}
	for (unsigned k = 0; k < LANES; k++, from += b->bytes)
		set_from_bytes(out, k, b->type, from, b->bytes);
}

static void row_of(struct lanes *l, struct node *n, uint32_t lanes, struct row *out);

/* ---- memory ---- */

/* Stores the address that each lane loads from. */
static void addresses_of(struct lanes *l, const struct node *n, uint32_t lanes, uint64_t at[LANES])
{
	const struct row_binding *b = &n->row;
	struct row index = {.type = ISA_S32, .is_same = true};
	if (b->scale)
		row_of(l, n->b, lanes, &index);
	for (unsigned k = 0; k < LANES; k++)
		at[k] = b->base + b->scale * row_integer(&index, k);
	if (b->ref == ISA_REF_NONE)
		return;
	const char *from = exec_row(gpu_exec(l->d->g), l->w, l->frame, b->ref);
	for (unsigned k = 0; k < LANES; k++) {
		uint64_t pointer;
		memcpy(&pointer, from + 8 * k, sizeof pointer);
		at[k] += pointer;
	}
}

/* Reads what a lane has at an address, or evaluates the node for the lane, which then has failed if that is no number either. */
static void load_lane(struct lanes *l, struct node *n, unsigned lane, uint64_t at, struct row *out)
{
	const struct row_binding *b = &n->row;
	const bool is_global = debug_space_of(at) == ISA_SPACE_GLOBAL;
	char bytes[8] = {0};
	const void *found = is_global && gpu_read(l->d->g, at, bytes, b->bytes) ? bytes : NULL;
	if (!is_global && !l->cta) {
		struct debug_where w;
		const struct debug_thread t = thread_of(l, 0);
		l->cta = debug_thread_where(l->d, &t, &w) ? w.cta : NULL;
		l->warp = w.warp_index;
	}
	if (!is_global && l->cta)
		found = exec_peek(gpu_exec(l->d->g), l->cta, l->warp, lane, at, b->bytes);
	if (found) {
		set_from_bytes(out, lane, b->type, found, b->bytes);
		return;
	}
	l->failed |= lanes_bit(lane);
	if (!l->is_quick && !l->why->n) {
		struct expr_value v;
		if (eval_lane(l, n, lane, &v, l->why))
			expr_value_free(&v);
	}
}

#define LOAD_SPAN 1024u /* bytes of global memory that are read at once for all lanes */

/* Reads the lanes' values from neighbouring global memory. Returns false if they don't lie close together, or aren't there. */
static bool load_span(const struct lanes *l, const struct node *n, const uint64_t at[LANES], uint32_t lanes, struct row *out)
{
	char bytes[LOAD_SPAN + 8];
	uint64_t first = UINT64_MAX, last = 0;
	LANES_EACH (k, lanes) {
		first = at[k] < first ? at[k] : first;
		last = at[k] > last ? at[k] : last;
	}
	if (last - first > LOAD_SPAN - 8 || debug_space_of(first) != ISA_SPACE_GLOBAL || debug_space_of(last) != ISA_SPACE_GLOBAL ||
	    !gpu_read(l->d->g, first, bytes, last - first + n->row.bytes))
		return false;
	LANES_EACH (k, lanes)
		set_from_bytes(out, k, n->row.type, bytes + (at[k] - first), n->row.bytes);
	return true;
}

static void load_memory(struct lanes *l, struct node *n, uint32_t lanes, struct row *out)
{
	uint64_t at[LANES];
	memset(out, 0, sizeof *out);
	out->type = n->row.type;
	if (n->row.ref == ISA_REF_NONE && !n->row.scale && debug_space_of(n->row.base) != ISA_SPACE_LOCAL) {
		const uint32_t failed = l->failed;
		out->is_same = true;
		load_lane(l, n, 0, n->row.base, out);
		l->failed |= l->failed != failed ? lanes : 0;
		return;
	}
	addresses_of(l, n, lanes, at);
	if (load_span(l, n, at, lanes, out))
		return;
	LANES_EACH (lane, lanes)
		load_lane(l, n, lane, at[lane], out);
}

static void binary_row(struct lanes *l, const struct node *n, uint32_t lanes, struct row *out)
{
	struct row a, b;
	row_of(l, n->a, lanes, &a);
	row_of(l, n->b, lanes, &b);
	row_binary(n->op, &a, &b, lanes, out);
}

static void row_of(struct lanes *l, struct node *n, uint32_t lanes, struct row *out)
{
	struct row a;
	if (n->row.is_constant) {
		out->is_same = true;
		row_set(out, 0, &n->number);
	} else if (n->row.is_load) {
		load_memory(l, n, lanes, out);
	} else if (n->kind == NODE_NAME) {
		load_row(l, n, out);
	} else if (n->kind == NODE_BINARY) {
		binary_row(l, n, lanes, out);
	} else {
		row_of(l, n->a, lanes, &a);
		row_unary(n->op, &a, lanes, out);
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
	if (!b || !op_is_comparison(n->op) || n->a->kind != NODE_NAME || b->is_load || n->b->kind != NODE_NUMBER || !row_is_narrow(b->type) || b->bytes != 4 ||
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

static uint32_t true_row(struct lanes *l, struct node *n, uint32_t lanes)
{
	struct row r;
	uint32_t fits = 0;
	if (compare_number(l, n, &fits))
		return fits & lanes;
	if (n->kind == NODE_UNARY && n->op == OP_NOT)
		return lanes & ~true_row(l, n->a, lanes);
	row_of(l, n, lanes, &r);
	return row_true(&r) & lanes;
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
	l->depth = top->call_depth;
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
	if (!n->row.is_row && !n->row.is_rows_alone)
		return lanes;
	const uint32_t fits = true_lanes(l, n, lanes);
	return fits | (l->failed & lanes);
}

uint32_t expr_possible_lanes(struct debug *d, const struct expr *e, const struct debug_thread *first, const struct exec_warp *w, uint32_t lanes)
{
	struct text ignored = {0};
	struct lanes l = {.d = d, .first = *first, .w = w, .is_quick = true, .why = &ignored};
	const struct exec_simt *top = w->n_simt ? exec_simt_top(gpu_exec(d->g), w) : NULL;
	if (e->assigns || lanes_together(&l, top, lanes) != lanes)
		return lanes;
	bind_all(&l, e->root, lanes_first(lanes));
	const uint32_t possible = possible_lanes(&l, e->root, lanes);
	text_free(&ignored);
	return possible;
}
