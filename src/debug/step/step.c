/* One execution of an instruction by a thread, and its words. */
#include <string.h>

#include "debug/expr/format.h"
#include "debug/expr/value_describe.h"
#include "debug/view/source.h"
#include "debug/view/view.h"
#include "debug/step/step.h"
#include "debug/buffers/buffers.h"
#include "exec/shuffle.h"
#include "exec/texture.h"
#include "isa/opcodes.h"
#include "isa/plus.h"

static bool is_executed(struct debug *d, const struct debug_where *w, const struct isa_insn *i, uint64_t frame)
{
	if (!w->active)
		return false;
	return i->guard == ISA_PRED_TRUE ||
	       debug_pred_read(d, w, frame, ISA_PRED_SLOT(i->guard)) == !(i->guard & ISA_PRED_NOT);
}

static bool accesses(const struct isa_insn *i)
{
	return isa_insn_has_plus(i) || isa_op_is_load(i->opcode) || isa_op_is_store(i->opcode) ||
	       isa_opcode_info[i->opcode].family == ISA_FAMILY_ATOM;
}

/* The value of a row or a constant, as an operand of the instruction. */
static uint32_t operand(struct debug *d, const struct debug_where *w, uint64_t frame, uint32_t ref)
{
	uint32_t v = 0;
	if (ISA_REF_BASE(ref) == ISA_BASE_CONST)
		memcpy(&v, debug_program(d)->consts + ISA_REF_OFFSET(ref), sizeof v);
	else if (ISA_REF_BASE(ref) == ISA_BASE_FRAME)
		debug_row_read(d, w, frame, ref, 4, &v);
	return v;
}

/* Returns the lane whose value a shuffle gives the thread's lane. */
static uint8_t source_lane(struct debug *d, const struct debug_where *w, const struct isa_insn *i, uint64_t frame)
{
	bool in_range;
	return (uint8_t)exec_shuffle_source(i->handler, w->lane, operand(d, w, frame, i->b), operand(d, w, frame, i->c), gpu_exec(d->g)->warp_threads, &in_range);
}

bool debug_step_ahead(struct debug *d, const struct debug_thread *t, struct debug_step *out)
{
	struct debug_where w;
	if (!debug_thread_where(d, t, &w) || !w.w || w.w->state == EXEC_WARP_DONE || !w.w->n_simt)
		return false;
	const struct exec_simt *top = exec_simt_top(gpu_exec(d->g), w.w);
	const struct isa_insn *i = &debug_program(d)->insns[top->pc];
	*out = (struct debug_step){.pc = top->pc,
				   .executed = w.w->executed,
				   .cycle = gpu_cycle(d->g),
				   .frame = top->frame,
				   .depth = top->call_depth,
				   .local_sp = top->local_sp,
				   .lane = (uint8_t)w.lane};
	out->active = w.simt && w.active;
	out->executes = out->active && is_executed(d, &w, i, top->frame);
	if (out->executes && accesses(i))
		out->address = access_address(d, i, top->frame, &w);
	if (out->executes && i->opcode == ISA_OP_SHFL)
		out->lane = source_lane(d, &w, i, top->frame);
	return true;
}

bool debug_texels_ahead(struct debug *d, const struct debug_thread *t, struct exec_texels *out)
{
	struct debug_where w;
	if (!debug_thread_where(d, t, &w) || !w.w || w.w->state == EXEC_WARP_DONE || !w.w->n_simt || !w.simt || !w.active)
		return false;
	const struct exec_simt *top = exec_simt_top(gpu_exec(d->g), w.w);
	return is_executed(d, &w, &debug_program(d)->insns[top->pc], top->frame) && exec_texels_ahead(gpu_exec(d->g), w.w, top->pc, w.lane, out);
}

uint32_t debug_step_lanes(struct debug *d, const struct debug_thread *t, const struct debug_operand *r,
			  uint64_t value[LANES])
{
	struct debug_where w;
	struct debug_step s;
	struct debug_thread other = *t;
	uint32_t lanes = 0;
	for (unsigned lane = 0; lane < LANES; lane++) {
		other.thread = debug_thread_of(d, debug_warp_of(d, t->thread), lane);
		value[lane] = 0;
		if (!debug_step_ahead(d, &other, &s) || !s.executes || !debug_thread_where(d, &other, &w))
			continue;
		if (ISA_RW_IS_PRED(r->word))
			value[lane] = debug_pred_read(d, &w, s.frame, ISA_RW_PRED_SLOT(r->word));
		else
			debug_row_read(d, &w, s.frame, r->word,
				       debug_reg_bytes(r->type) > 8 ? 8 : debug_reg_bytes(r->type), &value[lane]);
		lanes |= lanes_bit(lane);
	}
	return lanes;
}

bool debug_frame_depth(struct debug *d, const struct debug_thread *t, uint64_t frame, uint32_t *depth)
{
	struct debug_where w;
	if (!debug_thread_where(d, t, &w) || !w.w)
		return false;
	const struct exec_simt *top = w.w->n_simt ? exec_simt_top(gpu_exec(d->g), w.w) : NULL;
	for (uint32_t k = 0; k < w.w->n_simt; k++)
		if (top[-(ptrdiff_t)k].frame == frame) {
			*depth = top[-(ptrdiff_t)k].call_depth;
			return true;
		}
	return false;
}

uint32_t debug_frame_pc(struct debug *d, const struct debug_thread *t, uint64_t frame)
{
	struct debug_where w;
	if (!debug_thread_where(d, t, &w) || !w.w || !w.w->n_simt)
		return 0;
	const struct exec_simt *top = exec_simt_top(gpu_exec(d->g), w.w);
	for (uint32_t k = 0; k < w.w->n_simt; k++)
		if (top[-(ptrdiff_t)k].frame == frame)
			return top[-(ptrdiff_t)k].pc;
	return w.pc;
}

void debug_step_done(struct debug *d, const struct debug_thread *t, struct debug_step *s)
{
	const struct isa_program *p = debug_program(d);
	const struct isa_where *at = &p->where[s->pc];
	struct debug_where w;
	struct debug_operand r;
	if (!s->executes || s->has_values || !debug_thread_where(d, t, &w) || !w.w || w.w->state == EXEC_WARP_DONE)
		return;
	for (uint32_t k = 0; k < at->n_writes && k < DEBUG_STEP_VALUES; k++) {
		const uint32_t word = p->rw[at->rw + k];
		if (ISA_RW_IS_PRED(word))
			s->value[k] = debug_pred_read(d, &w, s->frame, ISA_RW_PRED_SLOT(word));
		else if (debug_register_of(d, s->pc, word, &r))
			debug_row_read(d, &w, s->frame, word, debug_reg_bytes(r.type) > 8 ? 8 : debug_reg_bytes(r.type),
				       &s->value[k]);
	}
	s->has_values = true;
}

/* ---- words ---- */

static void add_insn(struct debug *d, uint32_t pc, struct text *out)
{
	struct text insn = {0};
	debug_insn_shown(d, pc, &insn);
	size_t n = strlen(text_str(&insn));
	while (n && strchr("; \t", text_str(&insn)[n - 1]))
		n--;
	text_addf(out, " %.*s", (int)n, text_str(&insn));
	text_free(&insn);
}

void debug_step_place(struct debug *d, uint32_t pc, struct text *out)
{
	text_add(out, "at ");
	debug_place_text(d, pc, out);
	add_insn(d, pc, out);
}

void debug_step_source(struct debug *d, uint32_t pc, struct text *out)
{
	const struct debug_position source = debug_own_position(d, pc);
	if (!source.line)
		return;
	text_add(out, "  ");
	debug_position_text(d, source, out);
}

void debug_step_value(enum isa_type type, uint64_t value, struct text *out)
{
	if (!isa_type_bytes(type))
		text_addf(out, "%u", value != 0);
	else
		format_scalar(type, &value, 0, out);
}

static const struct debug_buffer *buffer_at(struct debug *d, uint64_t generic)
{
	for (size_t k = 0; k < debug_buffer_count(d); k++) {
		const struct debug_buffer *b = debug_buffer_at(d, k);
		if (generic >= b->address && generic - b->address < debug_buffer_bytes(b))
			return b;
	}
	return NULL;
}

enum isa_type debug_memory_type(struct debug *d, uint64_t generic)
{
	const struct debug_buffer *b = buffer_at(d, generic);
	const struct isa_variable *v = b ? NULL : debug_variable_at(d, generic);
	return b ? (b->c || b->kind ? ISA_NOTYPE : b->type) : v ? (enum isa_type)v->type : ISA_NOTYPE;
}

bool debug_memory_owner(struct debug *d, uint64_t generic, bool *initialised, struct text *out)
{
	const struct debug_buffer *b = buffer_at(d, generic);
	const struct isa_variable *v = b ? NULL : debug_variable_at(d, generic);
	*initialised = b ? b->initialised : v != NULL;
	if (b)
		text_addf(out, "buffer %s", b->name);
	else if (v)
		text_addf(out, "variable %s", v->plain ? v->plain : v->name);
	return b || v;
}

bool debug_memory_module(struct debug *d, uint64_t generic, struct text *out)
{
	const struct isa_program *p = debug_program(d);
	const struct isa_variable *v = buffer_at(d, generic) ? NULL : debug_variable_at(d, generic);
	if (!v)
		return false;
	const struct isa_file *f = &p->files[v->file];
	const char *name = f->module ? p->modules[f->module].name : f->name, *last = strrchr(name, '/');
	text_add(out, last ? last + 1 : name);
	return true;
}

bool debug_describe_special(struct debug *d, const struct debug_thread *t, const char *name, struct report *answer)
{
	struct debug_where w;
	struct expr_value v = {0};
	if (!debug_thread_where(d, t, &w) || !debug_special_read(d, &w, name, strlen(name), &v))
		return false;
	value_describe(d, answer, "value", &v, &(struct format_spec){.count = 1});
	report_line(answer, " = {value}");
	expr_value_free(&v);
	return true;
}
