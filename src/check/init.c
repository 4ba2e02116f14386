/* The init checker: bits that were never written, through registers and memory, to where they decide something: a branch, an address, an atomic, a
 * result that the host reads. Copying them is no mistake. */
#include "check/init.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena_marks.h"
#include "base/xalloc.h"
#include "isa/handlers.h"
#include "isa/opcodes.h"
#include "isa/plus.h"
#include "isa/tensor.h"

/* ---- where registers and memory of threads begin ---- */

/* What each row of a function's frame is, as it begins. */
static const struct init_unit *template_of(struct init *in, uint32_t function)
{
	const struct isa_function *f = in->x->program->functions[function];
	if (function >= in->n_templates) {
		const uint32_t n = in->x->program->n_functions;
		in->template = xrealloc(in->template, n * sizeof *in->template);
		memset(in->template + in->n_templates, 0, (n - in->n_templates) * sizeof *in->template);
		in->n_templates = n;
	}
	if (in->template[function])
		return in->template[function];
	struct init_unit *t = xcalloc(f->frame_bytes / 64 + 1, sizeof *t);
	for (uint32_t k = 0; k < f->n_regs; k++) {
		const struct isa_reg *r = &f->regs[k];
		const unsigned type = isa_type_bytes((enum isa_type)r->type), bytes = type < 2 ? 2 : type;
		for (uint32_t n = 0; r->type != ISA_PRED && n < (r->count ? r->count : 1); n++)
			t[(ISA_REF_OFFSET(r->first) + n * bytes * LANES) / 64] =
				(struct init_unit){.bytes = (uint8_t)bytes, .lanes = LANES_ALL};
	}
	in->template[function] = t;
	return t;
}

void init_begin_frame(struct init *in, uint64_t frame, uint32_t function, uint32_t tag, bool fresh)
{
	const struct isa_function *fn = in->x->program->functions[function];
	const uint32_t bytes = fn->frame_bytes < 64 ? 64 : fn->frame_bytes;
	const struct init_unit *t = template_of(in, function);
	struct arena *a = in->x->arena;
	struct init_frame f;
	arena_use(a, in->sec_rows, frame + bytes);
	arena_use(a, in->sec_units, (frame + bytes) / 64 * sizeof *t);
	arena_use(a, in->sec_preds, frame + bytes);
	init_frame_at(in, frame, &f);
	memcpy(f.units, t, bytes / 64 * sizeof *t);
	for (uint32_t u = 0; u < bytes / 64 && !fresh; u++)
		f.units[u].lanes = 0;
	memset(f.undefined, 0, fn->n_preds * sizeof *f.undefined);
	memset(f.from, 0, fn->n_preds * sizeof *f.from);
	for (uint32_t p = 2; fresh && p < fn->n_preds; p++)
		f.undefined[p] = LANES_ALL;
	f.from[0] = tag;
}

/* Returns whether no warp of the block has executed an instruction. */
static bool block_is_fresh(const struct exec *x)
{
	uint64_t n = x->n_run;
	for (uint32_t w = 0; w < x->cta->n_warps; w++)
		n += x->cta->warp[w].executed;
	return !n;
}

static void begin_memory(struct init *in, const struct exec *x, bool fresh)
{
	struct arena *a = x->arena;
	const uint64_t local = (uint64_t)x->local_stride * LANES;
	if (x->local_stride && x->warp->local && arena_use(a, in->sec_local, x->warp->local + local)) {
		arena_touch(a, in->sec_local, x->warp->local, local);
		memset(arena_at(a, in->sec_local, x->warp->local), fresh ? 0 : 0xff, local);
	}
	const bool first = block_is_fresh(x);
	if ((first || !fresh) && x->shared_bytes && arena_use(a, in->sec_shared, x->cta->shared + x->shared_bytes))
		memset(arena_at(a, in->sec_shared, x->cta->shared), first ? 0 : 0xff, x->shared_bytes);
}

static uint32_t tag_of(const struct init *in, const struct exec *x)
{
	uint64_t z = ((uint64_t)x->launch->id << 32 ^ x->cta->linear << 6 ^ x->warp->index) + in->epoch;
	z *= UINT64_C(0x9E3779B97F4A7C15);
	return (uint32_t)(z >> 32) | 1;
}

/* A kernel's frame is one that the checker has seen begin; what it hasn't counts as initialised. */
static __attribute__((noinline)) void look_at_frame(struct init *in, const struct exec *x)
{
	struct init_frame *f = &in->frame;
	const uint64_t frame = x->top->frame;
	const uint32_t tag = tag_of(in, x);
	init_frame_at(in, frame, f);
	if (!x->top->call_depth && f->from[0] != tag) {
		const bool fresh = !x->warp->executed && !x->n_run;
		init_begin_frame(in, frame, x->launch->function, tag, fresh);
		begin_memory(in, x, fresh);
	}
	in->at_frame = x->base[ISA_BASE_FRAME];
	in->at_warp = x->warp;
	in->at_cta = x->cta->linear;
	in->at_launch = x->launch->id;
	in->at_tag = f->from[0];
}

static inline const struct init_frame *frame_of(struct init *in, const struct exec *x)
{
	if (x->base[ISA_BASE_FRAME] != in->at_frame || x->warp != in->at_warp || x->cta->linear != in->at_cta ||
	    x->launch->id != in->at_launch || in->frame.from[0] != in->at_tag)
		look_at_frame(in, x);
	return &in->frame;
}

/* ---- each instruction ---- */

/* Returns true if one of the registers or predicates isn't initialised in a lane that is active. */
static inline bool any_undefined(const struct init_frame *f, const uint32_t *words, uint32_t n, uint32_t active)
{
	uint32_t any = 0;
	for (uint32_t k = 0; k < n; k++)
		any |= ISA_RW_IS_PRED(words[k]) ? f->undefined[ISA_RW_PRED_SLOT(words[k])]
						: f->units[ISA_REF_OFFSET(words[k]) / 64].lanes;
	return any & active;
}

/* Does it read a register or predicate that isn't initialised? Notes where each of these came from. */
static bool reads_undefined(struct init *in, const struct exec *x, const struct init_frame *f, uint32_t *from)
{
	const struct isa_program *p = x->program;
	const struct isa_where *w = &p->where[x->pc];
	const uint32_t *words = &p->rw[w->rw + w->n_writes];
	bool any = false;
	for (uint32_t k = 0; k < w->n_reads; k++) {
		const uint32_t word = words[k], slot = ISA_RW_PRED_SLOT(word);
		const bool pred = ISA_RW_IS_PRED(word);
		const uint32_t lanes = pred ? f->undefined[slot] & x->active : init_undefined_lanes(f, word, x->active);
		if (!lanes)
			continue;
		*from = init_from_of(in, x, word, pred ? f->from[slot] : f->units[ISA_REF_OFFSET(word) / 64].from,
				     lanes_first(lanes));
		any = true;
	}
	return any;
}

static bool is_memory(const struct isa_insn *i)
{
	return isa_op_accesses_memory(i->opcode);
}

static void begin_results(struct init *in, const struct exec *x, uint32_t from)
{
	const struct isa_where *w = &x->program->where[x->pc];
	in->n_out = w->n_writes < INIT_OUT_MAX ? w->n_writes : INIT_OUT_MAX;
	for (uint32_t k = 0; k < in->n_out; k++) {
		in->out[k].word = x->program->rw[w->rw + k];
		in->out[k].from = from;
		memset(in->out[k].bits, 0, sizeof in->out[k].bits);
	}
}

/* Instructions that do more than compute, or that are followed otherwise. */
static inline bool is_special(const struct isa_insn *i)
{
	const uint8_t family = isa_opcode_info[i->opcode].family;
	return family == ISA_FAMILY_MEM || family == ISA_FAMILY_ATOM || family == ISA_FAMILY_CALL ||
	       family == ISA_FAMILY_EXIT || family == ISA_FAMILY_TEXTURE;
}

bool init_is_recorded(const struct isa_insn *i)
{
	return (isa_op_is_load(i->opcode) || isa_op_is_store(i->opcode)) &&
	       (i->space == ISA_SPACE_GLOBAL || i->space == ISA_SPACE_SHARED || i->space == ISA_SPACE_GENERIC);
}

/* Returns true if the instruction loads a value that the host provides: a parameter or a constant. */
static bool is_given(const struct isa_insn *i)
{
	return isa_op_is_load(i->opcode) &&
	       (i->space == ISA_SPACE_PARAM || i->space == ISA_SPACE_CONST);
}

/* An instruction that reads what isn't initialised, or is special. */
static enum exec_insn look_closer(struct init *in, const struct exec *x, const struct isa_insn *i)
{
	const struct init_frame *f = &in->frame;
	const bool is_atomic = isa_op_is_atomic(i->opcode) || i->opcode == ISA_OP_SURED;
	const bool is_texel = isa_op_reads_texels(i->opcode) || isa_op_writes_texels(i->opcode);
	uint32_t from = 0;
	unsigned lane, source;
	bool stop = false;
	in->slow = reads_undefined(in, x, f, &from);
	if (i->opcode == ISA_OP_SHFL && init_shuffle_absent(in, x, i, &lane, &source)) {
		from = from ? from : init_from_absent(in, x, i->a, lane, source);
		in->slow = true;
	}
	if (!in->slow && (init_is_recorded(i) || is_given(i)))
		return EXEC_INSN_AFTER;
	if (check_insn_again(in->c, x))
		return EXEC_INSN_AFTER;
	if (is_memory(i) && x->mask)
		init_note_addresses(in, x, i);
	if (is_texel && x->mask)
		init_note_texels(in, x, i);
	if (in->slow) {
		stop = init_uses(in, x, i, f);
		begin_results(in, x, from);
		if (isa_insn_has_tensor(i))
			init_tensor_compute(in, x, i, f);
		else if (!is_memory(i) && !is_texel && x->mask)
			init_compute(in, x, i, f);
	}
	if (is_atomic && x->mask)
		stop |= init_use_memory(in, x, i);
	if (exec_is_printf(x, i))
		stop |= init_output(in, x, i);
	if (i->opcode == ISA_OP_RET && x->top->call_depth && x->mask)
		init_return(in, x);
	return stop ? EXEC_INSN_STOP : EXEC_INSN_AFTER;
}

void init_write_defined(struct init *in, const struct exec *x, const struct init_frame *f)
{
	const struct isa_where *w = &x->program->where[x->pc];
	for (uint32_t k = 0; k < w->n_writes; k++) {
		const uint32_t word = x->program->rw[w->rw + k];
		if (ISA_RW_IS_PRED(word))
			init_pred_set(f, ISA_RW_PRED_SLOT(word), in->mask, NULL, 0);
		else
			init_row_clear(in, f, word, in->mask);
	}
}

/* Whether a PTXPlus instruction's result has no value where a source has none; those that may hide bits of a source count as initialised. */
static bool plus_passes_on(unsigned op)
{
	return op == ISA_OP_MOV || op == ISA_OP_CVT || op == ISA_OP_ADD || op == ISA_OP_ADDP || op == ISA_OP_SUB || op == ISA_OP_MUL || op == ISA_OP_MAD;
}

/* An instruction of PTXPlus with operands of its own. Loads of memory that isn't initialised are not followed. */
static enum exec_insn plus_insn(struct init *in, const struct exec *x, const struct isa_insn *i)
{
	uint32_t from = 0;
	bool stop = false;
	in->slow = in->slow && reads_undefined(in, x, &in->frame, &from);
	if (check_insn_again(in->c, x))
		return EXEC_INSN_AFTER;
	if (in->slow) {
		stop = init_uses(in, x, i, &in->frame);
		begin_results(in, x, from);
	}
	return stop ? EXEC_INSN_STOP : EXEC_INSN_AFTER;
}

static void plus_over(struct init *in, const struct exec *x, const struct isa_insn *i)
{
	const unsigned bytes = isa_type_bytes((enum isa_type)i->type);
	init_write_defined(in, x, &in->frame);
	for (uint32_t k = 0; in->slow && plus_passes_on(i->opcode) && k < in->n_out; k++) {
		memset(in->out[k].bits, 0xff, sizeof in->out[k].bits);
		init_row_set(in, &in->frame, in->out[k].word, in->mask, in->out[k].bits, in->out[k].from);
	}
	if (isa_plus_of(x->program, i)->dst.kind != ISA_PLUS_MEMORY)
		return;
	LANES_EACH (l, in->mask) {
		uint8_t *p = init_memory_at(in, x, x->effect.access.address[l], l, bytes, true);
		if (p)
			memset(p, 0xff, bytes);
	}
}

static enum exec_insn insn(void *self, const struct exec *x, const struct isa_insn *i)
{
	struct init *in = self;
	const struct init_frame *f = frame_of(in, x);
	const struct isa_where *w = &x->program->where[x->pc];
	const uint32_t *words = &x->program->rw[w->rw];
	in->mask = x->mask;
	in->slow = any_undefined(f, words + w->n_writes, w->n_reads, x->active);
	if (isa_insn_has_plus(i))
		return plus_insn(in, x, i);
	if (isa_insn_has_tensor(i))
		return look_closer(in, x, i);
	if (!in->slow && init_is_recorded(i))
		return EXEC_INSN_AFTER;
	if (in->slow || (is_special(i) && !is_given(i)) || i->opcode == ISA_OP_SHFL)
		return look_closer(in, x, i);
	return any_undefined(f, words, w->n_writes, x->active) ? EXEC_INSN_AFTER : EXEC_INSN_GO;
}

/* Returns true if the instruction loads or stores a matrix. */
static bool moves_matrix(const struct isa_insn *i)
{
	return i->opcode == ISA_OP_LDMATRIX || i->opcode == ISA_OP_STMATRIX || i->handler == ISA_H_wmma_load || i->handler == ISA_H_wmma_store;
}

static void insn_over(void *self, const struct exec *x, const struct isa_insn *i)
{
	struct init *in = self;
	const struct init_frame *f =
		&in->frame; /* a call has another activation on top: the caller's is where the registers were */
	const uint8_t family = isa_opcode_info[i->opcode].family;
	if (isa_insn_has_plus(i)) {
		plus_over(in, x, i);
		return;
	}
	if (isa_insn_has_tensor(i))
		in->mask = x->mask; /* with the lanes that have waited */
	if (moves_matrix(i)) {
		(x->effect.access.is_write ? init_tensor_store : init_tensor_load)(in, x, i, f);
		return;
	}
	if (family == ISA_FAMILY_CALL)
		init_call(in, x, i);
	if (family == ISA_FAMILY_CALL || family == ISA_FAMILY_EXIT)
		return;
	if (!in->slow && is_given(i))
		init_write_defined(in, x, f);
	else if (isa_op_is_load(i->opcode))
		init_load(in, x, i, f);
	else if (isa_op_is_store(i->opcode))
		init_store(in, x, i, f);
	else if (is_memory(i))
		init_atomic(in, x, i, f);
	else if (isa_op_reads_texels(i->opcode))
		init_texel_load(in, x, i, f);
	else if (isa_op_writes_texels(i->opcode))
		init_texel_store(in, x, i, f);
	else if (in->slow && i->handler != ISA_H_wgmma)
		for (uint32_t k = 0; k < in->n_out; k++)
			init_row_set(in, f, in->out[k].word, in->mask, in->out[k].bits, in->out[k].from);
	else
		init_write_defined(in, x, f);
}

/* ---- the host ---- */

static void allocated(void *self, uint64_t address, uint64_t n)
{
	init_set_global(self, address, n, false);
	init_stored_forget(self, address, n);
}

/* The user has set these bytes of a frame. */
static void set_register(struct init *in, uint64_t address, uint64_t n)
{
	struct init_frame f;
	uint64_t unit = address / 64;
	const struct init_unit *units = arena_at(in->x->arena, in->sec_units, 0);
	for (unsigned k = 0; k < 16 * LANES / 64 && unit && !units[unit].bytes; k++) /* to where the row begins */
		unit--;
	init_frame_at(in, unit * 64, &f);
	struct init_unit *u = f.units;
	const bool is_row = u->bytes && unit * 64 + (uint64_t)u->bytes * LANES > address;
	if (is_row)
		init_row_use_bits(&f, 0);
	memset(arena_at(in->x->arena, in->sec_rows, address), 0, n);
	LANES_EACH (l, is_row ? u->lanes : 0) {
		uint64_t bits[2];
		init_row_get(&f, 0, l, bits);
		u->lanes &= bits[0] | bits[1] ? LANES_ALL : ~lanes_bit(l);
	}
}

static void input(void *self, const struct gpu_input *g, int64_t result)
{
	struct init *in = self;
	if (!in->ready)
		return;
	switch (g->kind) {
	case GPU_INPUT_ALLOC: allocated(in, (uint64_t)result, g->alloc.bytes); break;
	case GPU_INPUT_ALLOC_PAGES: init_set_global(in, (uint64_t)result, g->alloc.bytes, true); break;
	case GPU_INPUT_MAP:
		if (g->map.how == GPU_MAP_EMPTY && result)
			init_set_global(in, g->map.address, g->map.bytes, false);
		break;
	case GPU_INPUT_WRITE:
	case GPU_INPUT_COPY:
		if (g->copy.from && result)
			init_copy_global(in, g->copy.address, g->copy.from, g->copy.n);
		else
			init_set_global(in, g->copy.address, g->copy.n, result != 0);
		break;
	case GPU_INPUT_MARK: in->marked = true; break;
	case GPU_INPUT_PUT_BACK:
		if (in->marked && result)
			gpu_section_put_back(check_gpu(in->c), in->sec_global);
		break;
	case GPU_INPUT_BYTES:
		if (g->copy.section == in->x->sec_frame && g->copy.address + g->copy.n <= in->x->arena->section[in->sec_rows].used)
			set_register(in, g->copy.address, g->copy.n);
		break;
	default: break;
	}
}

static void wrote(void *self, const struct exec *x, enum isa_space space, uint64_t offset, uint64_t n)
{
	struct init *in = self;
	const int section = space == ISA_SPACE_SHARED ? in->sec_shared : in->sec_local;
	if (space == ISA_SPACE_GLOBAL) {
		init_set_global(in, offset, n, true);
	} else if (arena_use(x->arena, section, offset + n)) {
		arena_touch(x->arena, section, offset, n);
		memset(arena_at(x->arena, section, offset), 0xff, n);
	}
}

/* ---- making, switching ---- */

static void *create(struct check *c)
{
	struct init *in = xcalloc(1, sizeof *in);
	in->c = c;
	in->x = gpu_exec(check_gpu(c));
	return in;
}

static void destroy(void *self)
{
	struct init *in = self;
	for (uint32_t k = 0; k < in->n_templates; k++)
		free(in->template[k]);
	free(in->template);
	free(in->texels);
	free(in);
}

static bool add_sections(struct init *in)
{
	struct arena *a = in->x->arena;
	const struct machine_limits *most = in->x->limits;
	in->sec_rows = arena_add(a, "init-rows", ARENA_HOT, most->frame);
	in->sec_units = arena_add(a, "init-units", ARENA_HOT, most->frame / 64 * sizeof(struct init_unit));
	in->sec_preds = arena_add(a, "init-predicates", ARENA_HOT, most->frame);
	in->sec_origins = arena_add(a, "init-origins", ARENA_HOT, most->findings);
	in->sec_global = arena_add(a, "init-global", ARENA_PAGED, most->device_end);
	in->sec_shared = arena_add(a, "init-shared", ARENA_HOT, most->shared);
	in->sec_local = arena_add(a, "init-local", ARENA_PAGED, most->local);
	in->sec_stored = arena_add(a, "init-stored", ARENA_PAGED, INIT_STORED_BYTES);
	for (int k = in->sec_rows; k >= 0 && k <= in->sec_stored; k++)
		a->section[k].is_tool_state = true;
	if (in->sec_stored >= 0)
		a->section[in->sec_local].only_whole = a->section[in->sec_stored].only_whole = true;
	return in->sec_rows >= 0 && in->sec_units >= 0 && in->sec_preds >= 0 && in->sec_origins >= 0 &&
	       in->sec_global >= 0 && in->sec_shared >= 0 && in->sec_local >= 0 && in->sec_stored >= 0 &&
	       arena_use(a, in->sec_stored, INIT_STORED_BYTES);
}

/* What kernels may have written counts as initialised. */
static void take_written(struct init *in, const struct gpu_allocation *a)
{
	const struct exec *x = in->x;
	for (uint64_t at = a->address, next; at < a->address + a->bytes; at = next) {
		const uint64_t end = a->address + a->bytes;
		next = (at & ~(ARENA_PAGE - 1)) + ARENA_PAGE;
		next = next < end ? next : end;
		if (arena_written(x->arena, x->sec_global, at, next - at))
			init_set_global(in, at, next - at, true);
	}
}

static void fill(struct init *in, int section, uint64_t n, int value)
{
	struct arena *a = in->x->arena;
	if (!arena_use(a, section, n))
		return;
	if (a->section[section].kind == ARENA_PAGED)
		arena_touch(a, section, 0, n);
	memset(arena_at(a, section, 0), value, n);
}

/* What blocks have that are being executed counts as initialised. */
static void take_running(struct init *in)
{
	const struct exec *x = in->x;
	const struct arena_section *s = x->arena->section;
	fill(in, in->sec_rows, s[in->sec_rows].used, 0);
	fill(in, in->sec_units, s[in->sec_units].used, 0);
	fill(in, in->sec_preds, s[in->sec_preds].used, 0);
	fill(in, in->sec_shared, s[x->sec_shared].used, 0xff);
	fill(in, in->sec_local, s[x->sec_local].used, 0xff);
}

/* What has been allocated before counts as initialised where the host has written, or a kernel could have: these writes weren't observed. */
static bool on(void *self)
{
	struct init *in = self;
	size_t n;
	if (!in->ready && !add_sections(in))
		return false;
	in->ready = true;
	in->marked = false;
	in->epoch++;
	in->at_frame = NULL;
	if (gpu_has_work(check_gpu(in->c)))
		take_running(in);
	const struct gpu_allocation *a = gpu_allocations(check_gpu(in->c), &n);
	const bool ran = gpu_launch_count(check_gpu(in->c)) > 0;
	for (size_t k = 0; k < n; k++) {
		if (a[k].live && a[k].is_filled)
			init_set_global(in, a[k].address, a[k].bytes, true);
		else if (a[k].live && ran)
			take_written(in, &a[k]);
	}
	return arena_marks_adopt(in->x->arena); /* a return to a moment before the sections existed finds them */
}

static void reset(void *self)
{
	struct init *in = self;
	in->epoch++;
	in->at_frame = NULL;
}

/* The arena of the new device has none of its sections. */
static void rebuilt(void *self)
{
	struct init *in = self;
	in->ready = false;
	in->at_frame = NULL;
}

const struct check_engine check_engine_init = {.records = true,
					       .create = create,
					       .destroy = destroy,
					       .on = on,
					       .reset = reset,
					       .rebuilt = rebuilt,
					       .insn = insn,
					       .insn_over = insn_over,
					       .input = input,
					       .host_read = init_host_read,
					       .wrote = wrote,
					       .allocated = allocated};
