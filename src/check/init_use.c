/* Reports uses of uninitialised registers and memory by the init checker: guards, addresses, operands of branches and atomics. */
#include "check/init.h"
#include "isa/handlers.h"
#include "isa/opcodes.h"
#include "isa/plus.h"
#include "isa/tensor.h"
#include "isa/texture.h"

static void fill_access(const struct init *in, const struct exec *x, const struct isa_insn *i, unsigned lane,
			struct check_access *a)
{
	const bool atomic = isa_op_is_atomic(i->opcode) || i->opcode == ISA_OP_SURED;
	const bool load = isa_op_is_load(i->opcode) || i->opcode == ISA_OP_SULD;
	check_thread(x, lane, a);
	if (!atomic && !load && !isa_op_is_store(i->opcode) && i->opcode != ISA_OP_SUST)
		return;
	a->op = atomic ? CHECK_OP_ATOMIC : load ? CHECK_OP_READ : CHECK_OP_WRITE;
	a->space = i->space ? i->space : ISA_SPACE_GLOBAL;
	a->size = init_bytes_of(i);
	a->has_address = true;
	a->address = in->address[lane];
}

static bool use(struct init *in, const struct exec *x, const struct isa_insn *i, uint32_t lanes, enum check_verb verb,
		uint32_t word, uint32_t from)
{
	struct check_finding f = {.verb = (uint8_t)verb};
	if (!lanes)
		return false;
	init_origin_fill(in, init_from_of(in, x, word, from, lanes_first(lanes)), &f);
	fill_access(in, x, i, lanes_first(lanes), &f.access);
	return check_report(in->c, &f, lanes);
}

static bool use_row(struct init *in, const struct exec *x, const struct isa_insn *i, const struct init_frame *f,
		    uint32_t ref, enum check_verb verb)
{
	const uint32_t lanes = init_undefined_lanes(f, ref, in->mask);
	return lanes && use(in, x, i, lanes, verb, ref, f->units[ISA_REF_OFFSET(ref) / 64].from);
}

/* Returns whether an instruction does more than write registers, so that its guard decides something. */
static bool guard_matters(const struct isa_insn *i)
{
	switch (isa_opcode_info[i->opcode].family) {
	case ISA_FAMILY_ALU: return false;
	case ISA_FAMILY_MEM: return isa_op_is_store(i->opcode);
	default: return true;
	}
}

/* Reports an uninitialised guard of PTXPlus. The slot of the guard stands behind the row of its predicate. */
static bool use_plus_guard(struct init *in, const struct exec *x, const struct isa_insn *i, const struct init_frame *f, const struct isa_function *in_function)
{
	const uint32_t guard = i->handler == ISA_H_plus_call ? i->c : i->guard;
	for (uint32_t k = 0; k < in_function->n_guards; k++) {
		const uint32_t row = in_function->guards[k].row, lanes = init_undefined_lanes(f, row, x->active);
		if (in_function->guards[k].slot == ISA_PRED_SLOT(guard) && lanes && guard_matters(i))
			return use(in, x, i, lanes, CHECK_USED_BRANCH, row, f->units[ISA_REF_OFFSET(row) / 64].from);
	}
	return false;
}

/* Reports uninitialised registers in the addresses of PTXPlus operands. */
static bool use_plus_addresses(struct init *in, const struct exec *x, const struct isa_insn *i, const struct init_frame *f)
{
	const struct isa_plus *plus = isa_plus_of(x->program, i);
	bool stop = false;
	for (unsigned k = 0; k <= plus->n_src; k++) {
		const struct isa_plus_operand *o = k ? &plus->src[k - 1] : &plus->dst;
		if (o->kind != ISA_PLUS_MEMORY)
			continue;
		stop |= use_row(in, x, i, f, o->ref, CHECK_USED_ADDRESS);
		stop |= use_row(in, x, i, f, o->other, CHECK_USED_ADDRESS);
	}
	return stop;
}

static bool use_guard(struct init *in, const struct exec *x, const struct isa_insn *i, const struct init_frame *f)
{
	const uint32_t slot = ISA_PRED_SLOT(i->guard), lanes = f->undefined[slot] & x->active;
	const struct isa_function *in_function = isa_program_function_at(x->program, x->pc);
	if (in_function && in_function->has_plus)
		return use_plus_guard(in, x, i, f, in_function);
	if (i->guard == ISA_PRED_TRUE || !lanes || !guard_matters(i))
		return false;
	return use(in, x, i, lanes, CHECK_USED_BRANCH, ISA_RW_PRED(slot), f->from[slot]);
}

/* Reports uninitialised handles, coordinates, levels and offsets, and the operand of a reduction. */
static bool use_texel_place(struct init *in, const struct exec *x, const struct isa_insn *i, const struct init_frame *f)
{
	const bool is_tex = i->opcode == ISA_OP_TEX;
	const uint32_t *rows = &x->program->aux[i->aux] + (isa_op_reads_texels(i->opcode) ? i->vec : 0);
	const unsigned n = isa_coordinates(i) + (is_tex || i->opcode == ISA_OP_TLD4 ? isa_lod_rows(i, is_tex) + isa_offset_rows(i) : 0);
	bool stop = use_row(in, x, i, f, i->a, CHECK_USED_ADDRESS) | use_row(in, x, i, f, i->b, CHECK_USED_ADDRESS);
	for (unsigned k = 0; k < n; k++)
		stop |= use_row(in, x, i, f, rows[k], CHECK_USED_ADDRESS);
	if (i->opcode == ISA_OP_SURED)
		stop |= use_row(in, x, i, f, rows[n], CHECK_USED_ATOMIC);
	return stop;
}

bool init_uses(struct init *in, const struct exec *x, const struct isa_insn *i, const struct init_frame *f)
{
	const bool atomic = isa_op_is_atomic(i->opcode);
	bool stop = use_guard(in, x, i, f);
	if (isa_insn_has_plus(i))
		return use_plus_addresses(in, x, i, f) || stop;
	if (isa_op_reads_texels(i->opcode) || isa_op_writes_texels(i->opcode))
		return use_texel_place(in, x, i, f) || stop;
	if (i->handler == ISA_H_brx_idx)
		stop |= use_row(in, x, i, f, i->a, CHECK_USED_BRANCH);
	if (i->handler == ISA_H_call_indirect || isa_opcode_info[i->opcode].family == ISA_FAMILY_MEM || atomic || isa_insn_has_tensor(i))
		stop |= use_row(in, x, i, f, i->a, CHECK_USED_ADDRESS);
	if (isa_insn_has_tensor(i)) /* the stride */
		stop |= use_row(in, x, i, f, i->b, CHECK_USED_ADDRESS);
	if (atomic && i->atom != ISA_ATOM_EXCH && i->vec <= 1) {
		stop |= use_row(in, x, i, f, i->b, CHECK_USED_ATOMIC);
		stop |= use_row(in, x, i, f, i->c, CHECK_USED_ATOMIC);
	}
	return stop;
}

/* Returns whether there is memory for a lane's access. Other checkers report accesses outside of it. */
static bool is_there(const struct init *in, unsigned lane, unsigned bytes)
{
	const uint64_t at = in->address[lane];
	if (at < EXEC_MODULE_GLOBALS)
		return true;
	const struct gpu_allocation *near = gpu_nearest_allocation(check_gpu(in->c), at);
	return near && (near->live || near->alias) && at >= near->address && at - near->address + bytes <= near->bytes;
}

bool init_use_memory(struct init *in, const struct exec *x, const struct isa_insn *i)
{
	const unsigned bytes = init_bytes_of(i);
	struct check_finding f = {.kind = CHECK_UNINITIALIZED_MEMORY, .verb = CHECK_USED_ATOMIC};
	uint32_t lanes = 0;
	LANES_EACH (l, i->atom == ISA_ATOM_EXCH ? 0 : in->mask) {
		const uint8_t *p = init_memory_at(in, x, in->address[l], l, bytes, false);
		if (p && !init_all_defined(p, bytes) && init_is_watched(in, in->address[l]) && is_there(in, l, bytes))
			lanes |= lanes_bit(l);
	}
	if (!lanes)
		return false;
	fill_access(in, x, i, lanes_first(lanes), &f.access);
	if (f.access.address < EXEC_LOCAL_WINDOW)
		f.access.space = ISA_SPACE_SHARED;
	f.has_other = true;
	f.other = f.access;
	if (f.access.space == ISA_SPACE_GLOBAL)
		check_near(in->c, f.access.address, &f);
	return check_report(in->c, &f, lanes);
}
