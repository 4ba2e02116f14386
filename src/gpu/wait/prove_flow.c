/* What varies, through an instruction (prove.c): what is computed from it varies, too. */
#include "gpu/wait/prove_internal.h"
#include "gpu/wait/wait.h"
#include "isa/handlers.h"
#include "isa/opcodes.h"

static const struct isa_insn *insn_of(const struct gpu *g, const struct gpu_probe *pr) { return &g->program.insns[pr->at_pc]; }

static void leave_region(struct gpu *g)
{
	struct gpu_probe *pr = prove_probe(g);
	pr->in_region = !prove_add_written(g); /* if there is no room: the round doesn't count */
	pr->n_written = 0;
}

void prove_note(struct gpu *g)
{
	struct gpu_probe *pr = prove_probe(g);
	const struct exec_warp *w = prove_warp(g);
	const struct exec_simt *top = exec_simt_top(&g->exec, w);
	const uint32_t guard = g->program.insns[top->pc].guard;
	const uint32_t preds = exec_preds(&g->exec, top->frame)[ISA_PRED_SLOT(guard)] ^ (0u - (guard >> 31));
	if (pr->in_region && top->pc == pr->region_pc && w->n_simt <= pr->region_simt)
		leave_region(g);
	pr->at_pc = top->pc;
	pr->at_frame = top->frame;
	pr->at_active = top->mask;
	pr->at_mask = top->mask & preds;
	if (g->program.insns[top->pc].opcode == ISA_OP_RET)
		prove_note_return(g, top);
}

/* Lanes of what an instruction reads that vary, apart from its guard. */
static uint32_t lanes_read(const struct gpu *g, const struct gpu_probe *pr)
{
	const struct isa_where *w = &g->program.where[pr->at_pc];
	const struct isa_insn *i = insn_of(g, pr);
	uint32_t lanes = 0;
	for (uint32_t k = 0; k < w->n_reads; k++) {
		const uint32_t word = g->program.rw[w->rw + w->n_writes + k];
		if (i->guard == ISA_PRED_TRUE || word != ISA_RW_PRED(ISA_PRED_SLOT(i->guard)))
			lanes |= prove_lanes(g, prove_key(pr->at_frame, word));
	}
	return lanes;
}

static uint32_t lanes_guarded(const struct gpu *g, const struct gpu_probe *pr)
{
	const uint32_t guard = insn_of(g, pr)->guard;
	return guard == ISA_PRED_TRUE ? 0 : prove_lanes(g, prove_key(pr->at_frame, ISA_RW_PRED(ISA_PRED_SLOT(guard)))) & pr->at_active;
}

/* The instruction's results: those of `lanes` vary, those of other lanes that have executed it don't; those of lanes about whose guard nothing is known do. */
static bool write_registers(struct gpu *g, uint32_t lanes, uint32_t guarded)
{
	const struct gpu_probe *pr = prove_probe(g);
	const struct isa_where *w = &g->program.where[pr->at_pc];
	bool ok = true;
	for (uint32_t k = 0; ok && k < w->n_writes; k++) {
		const uint64_t key = prove_key(pr->at_frame, g->program.rw[w->rw + k]);
		ok = key == UINT64_MAX || prove_write(g, key, lanes | guarded, pr->at_mask | guarded);
	}
	return ok;
}

static bool reads_clock(const struct isa_insn *i)
{
	switch (i->handler) {
	case ISA_H_mov_clock:
	case ISA_H_mov_clock_hi:
	case ISA_H_mov_clock64:
	case ISA_H_mov_globaltimer:
	case ISA_H_mov_globaltimer_lo:
	case ISA_H_mov_globaltimer_hi:
	case ISA_H_mov_pm: return true;
	default: return false;
	}
}

static uint64_t address_of(const struct exec_access *a, unsigned lane)
{
	return a->in_halves ? a->start[lane / 16] + lane % 16 * a->step : a->address[lane];
}

static bool is_local(uint64_t address) { return address >= EXEC_LOCAL_WINDOW && address < EXEC_PARAM_WINDOW; }

/* Lanes of the words of local memory that an access reads, which vary. */
static uint32_t local_lanes(const struct gpu *g, const struct exec_access *a)
{
	uint32_t lanes = 0;
	LANES_EACH (l, a->lanes) {
		const uint64_t first = address_of(a, l) - EXEC_LOCAL_WINDOW;
		for (uint64_t at = first / 4; is_local(address_of(a, l)) && at <= (first + a->size - 1) / 4; at++)
			lanes |= prove_lanes(g, PROVE_LOCAL | at) & lanes_bit(l);
	}
	return lanes;
}

/* Words of local memory are written: with values that vary in `lanes`. */
static bool write_local(struct gpu *g, const struct exec_access *a, uint32_t lanes)
{
	bool ok = true;
	LANES_EACH (l, a->lanes) {
		const uint64_t first = address_of(a, l) - EXEC_LOCAL_WINDOW;
		for (uint64_t at = first / 4; ok && at <= (first + a->size - 1) / 4; at++)
			ok = prove_write(g, PROVE_LOCAL | at, lanes | (a->size < 4 ? prove_lanes(g, PROVE_LOCAL | at) : 0), lanes_bit(l));
	}
	return ok;
}

static bool address_varies(const struct gpu *g, const struct gpu_probe *pr)
{
	const struct isa_insn *i = insn_of(g, pr);
	return i->a != ISA_REF_NONE && prove_lanes(g, prove_key(pr->at_frame, ISA_RW_ROW(i->a))) & pr->at_active;
}

/* Returns true if an access is one of memory that other warps can change. */
static bool touches_others(const struct exec_access *a)
{
	LANES_EACH (l, a->lanes)
		if (address_of(a, l) < EXEC_LOCAL_WINDOW || address_of(a, l) >= EXEC_CODE_WINDOW)
			return true;
	return false;
}

/* Loads and stores, atomics. */
static bool accesses(struct gpu *g, uint32_t lanes, uint32_t guarded)
{
	const struct gpu_probe *pr = prove_probe(g);
	const struct exec_access *a = &g->exec.effect.access;
	const struct isa_insn *i = insn_of(g, pr);
	const bool stores = isa_op_is_store(i->opcode), atomic = isa_opcode_info[i->opcode].family == ISA_FAMILY_ATOM;
	if (address_varies(g, pr))
		return false;
	uint32_t local = 0;
	LANES_EACH (l, a->lanes)
		local |= is_local(address_of(a, l)) ? lanes_bit(l) : 0;
	if (pr->looks && touches_others(a)) {
		if (stores || atomic)
			return false;
		wait_add_places(g, pr->cta_slot, pr->warp, a);
	}
	if (!stores && !atomic)
		return (!guarded || local == a->lanes) && write_registers(g, local_lanes(g, a), guarded);
	if (stores && local == a->lanes && !guarded)
		return write_local(g, a, lanes);
	return !((lanes & pr->at_mask) | guarded) && (stores || write_registers(g, 0, 0));
}

bool prove_branch_varies(const struct gpu *g)
{
	const struct gpu_probe *pr = prove_probe(g);
	return isa_opcode_info[insn_of(g, pr)->opcode].family == ISA_FAMILY_BRANCH && (lanes_read(g, pr) | lanes_guarded(g, pr)) & pr->at_active;
}

bool prove_flow(struct gpu *g)
{
	struct gpu_probe *pr = prove_probe(g);
	if (!g->program.where || pr->in_region) /* the region has been looked at */
		return true;
	const struct isa_insn *i = insn_of(g, pr);
	const uint32_t lanes = lanes_read(g, pr), guarded = lanes_guarded(g, pr);
	switch (isa_opcode_info[i->opcode].family) {
	case ISA_FAMILY_ALU:
		if (i->flags & ISA_F_CC && (lanes & pr->at_active || pr->looks))
			return false;
		return write_registers(g, reads_clock(i) ? LANES_ALL : lanes, guarded);
	case ISA_FAMILY_MEM:
	case ISA_FAMILY_ATOM: return accesses(g, lanes, guarded);
	case ISA_FAMILY_BRANCH: return !((lanes | guarded) & pr->at_active) || pr->looks || prove_enter_region(g);
	case ISA_FAMILY_CALL:
		if (i->handler == ISA_H_call_builtin || guarded || (i->handler == ISA_H_call_indirect && address_varies(g, pr)))
			return false;
		return prove_call(g);
	case ISA_FAMILY_EXIT:
		if ((lanes & pr->at_active) | guarded)
			return false;
		return i->opcode != ISA_OP_RET || prove_return(g);
	case ISA_FAMILY_WARP: /* lanes read each other's registers */
		if (lanes | guarded || pr->looks)
			return i->opcode != ISA_OP_BAR && !guarded && !pr->looks && write_registers(g, LANES_ALL, 0);
		return write_registers(g, 0, 0);
	case ISA_FAMILY_MISC:
		return i->opcode == ISA_OP_NANOSLEEP || i->opcode == ISA_OP_MEMBAR || i->opcode == ISA_OP_FENCE || !(lanes | guarded);
	default: return !(lanes | guarded);
	}
}
