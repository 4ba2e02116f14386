/* What an instruction is for a textbook core: its kind, how long it is dispatched, when its result is ready, and every register it touches. Source:
 * docs/textbook.md. */
#include "timing/core/textbook.h"

#include "isa/opcodes.h"
#include "timing/core/core.h"

/* ---- kinds ---- */

/* Opcodes whose kind isn't decided by their type alone. */
enum group { BY_TYPE, FUNCTION /* SFU; f64: FP64 */, MEMORY, CONTROL };
static const uint8_t groups[ISA_OPCODE_COUNT] = {
	[ISA_OP_DIV] = FUNCTION, [ISA_OP_REM] = FUNCTION, [ISA_OP_RCP] = FUNCTION, [ISA_OP_SQRT] = FUNCTION, [ISA_OP_RSQRT] = FUNCTION,
	[ISA_OP_SIN] = FUNCTION, [ISA_OP_COS] = FUNCTION, [ISA_OP_EX2] = FUNCTION, [ISA_OP_LG2] = FUNCTION, [ISA_OP_TANH] = FUNCTION,

	[ISA_OP_LD] = MEMORY, [ISA_OP_ST] = MEMORY, [ISA_OP_LDU] = MEMORY, [ISA_OP_ATOM] = MEMORY, [ISA_OP_RED] = MEMORY,
	[ISA_OP_PREFETCH] = MEMORY, [ISA_OP_PREFETCHU] = MEMORY, [ISA_OP_LDMATRIX] = MEMORY, [ISA_OP_STMATRIX] = MEMORY, [ISA_OP_CP] = MEMORY,
	[ISA_OP_MULTIMEM] = MEMORY, [ISA_OP_TEX] = MEMORY, [ISA_OP_TLD4] = MEMORY, [ISA_OP_TXQ] = MEMORY, [ISA_OP_ISTYPEP] = MEMORY,
	[ISA_OP_SULD] = MEMORY, [ISA_OP_SUST] = MEMORY, [ISA_OP_SURED] = MEMORY, [ISA_OP_SUQ] = MEMORY,

	[ISA_OP_BRA] = CONTROL, [ISA_OP_BRX] = CONTROL, [ISA_OP_CALL] = CONTROL, [ISA_OP_RET] = CONTROL, [ISA_OP_EXIT] = CONTROL,
	[ISA_OP_BAR] = CONTROL, [ISA_OP_BARRIER] = CONTROL, [ISA_OP_MBARRIER] = CONTROL, [ISA_OP_MEMBAR] = CONTROL, [ISA_OP_FENCE] = CONTROL,
	[ISA_OP_NANOSLEEP] = CONTROL, [ISA_OP_TRAP] = CONTROL, [ISA_OP_BRKPT] = CONTROL, [ISA_OP_PMEVENT] = CONTROL, [ISA_OP_DISCARD] = CONTROL,
	[ISA_OP_APPLYPRIORITY] = CONTROL, [ISA_OP_GRIDDEPCONTROL] = CONTROL, [ISA_OP_SETMAXNREG] = CONTROL, [ISA_OP_STACKRESTORE] = CONTROL,
};

/* Returns true if the instruction is written with type `type`; set, slct and cvt have two. */
static bool has_type(const struct isa_insn *i, uint8_t type) { return i->type == type || i->type2 == type; }

static bool has_float(const struct isa_insn *i)
{
	return isa_type_is_float((enum isa_type)i->type) || isa_type_is_float((enum isa_type)i->type2) || i->opcode == ISA_OP_MMA || i->opcode == ISA_OP_WGMMA;
}

static bool is_constant_or_parameter(const struct timing_insn *t, const struct isa_insn *i)
{
	return (i->opcode == ISA_OP_LD || i->opcode == ISA_OP_LDU || i->opcode == ISA_OP_ST) &&
	       (i->space == ISA_SPACE_CONST || i->space == ISA_SPACE_PARAM || t->is_param);
}

static enum textbook_kind kind_of(const struct timing_insn *t, const struct isa_insn *i)
{
	switch ((enum group)groups[i->opcode]) {
	case CONTROL: return TEXTBOOK_CONTROL;
	case MEMORY: return is_constant_or_parameter(t, i) ? TEXTBOOK_INT32 : TEXTBOOK_LS;
	case FUNCTION: return has_type(i, ISA_F64) ? TEXTBOOK_FP64 : TEXTBOOK_SFU;
	case BY_TYPE: break;
	}
	if (has_type(i, ISA_F64))
		return TEXTBOOK_FP64;
	return has_float(i) ? TEXTBOOK_FP32 : TEXTBOOK_INT32;
}

/* ---- latencies ---- */

static enum textbook_latency latency_of(const struct timing_insn *t, const struct isa_insn *i)
{
	if (is_constant_or_parameter(t, i))
		return TEXTBOOK_LATENCY_SHARED;
	switch ((enum textbook_kind)t->kind) {
	case TEXTBOOK_FP32: return TEXTBOOK_LATENCY_FP32;
	case TEXTBOOK_INT32: return TEXTBOOK_LATENCY_INT32;
	case TEXTBOOK_FP64: return TEXTBOOK_LATENCY_FP64;
	case TEXTBOOK_SFU: return TEXTBOOK_LATENCY_SFU;
	case TEXTBOOK_LS: return i->space == ISA_SPACE_SHARED && t->class != TIMING_COMPUTE ? TEXTBOOK_LATENCY_SHARED : TEXTBOOK_LATENCY_GLOBAL;
	default: return TEXTBOOK_LATENCY_CONTROL;
	}
}

uint32_t textbook_dispatch(const struct textbook_config *k, enum textbook_kind kind, uint32_t warp_threads, uint32_t schedulers)
{
	if (kind == TEXTBOOK_CONTROL)
		kind = TEXTBOOK_INT32;
	const uint32_t units = k->units[kind == TEXTBOOK_INT32 && !k->units[kind] ? TEXTBOOK_FP32 : kind];
	return (warp_threads * schedulers + units - 1) / units;
}

static bool is_store_or_prefetch(const struct isa_insn *i)
{
	return i->opcode == ISA_OP_ST || i->opcode == ISA_OP_SUST || i->opcode == ISA_OP_STMATRIX || i->opcode == ISA_OP_PREFETCH || i->opcode == ISA_OP_PREFETCHU;
}

/* ---- registers ---- */

/* The carry flag has the number that no register has. */
#define CARRY 0u

static void add(uint32_t *list, uint8_t *n, size_t most, uint32_t reg)
{
	if (*n < most)
		list[(*n)++] = reg;
}
static void add_touched(struct timing_insn *t, uint32_t reg) { add(t->check, &t->n_check, sizeof t->check / sizeof *t->check, reg); }
static void add_written(struct timing_insn *t, uint32_t reg)
{
	add(t->out, &t->n_out, TIMING_OUT_MAX, reg);
	add_touched(t, reg);
}

static void registers(struct timing_insn *t, const struct textbook_source *s)
{
	const struct isa_program *p = s->program;
	const struct isa_insn *i = &p->insns[s->index];
	const struct isa_where *w = &p->where[s->index];
	for (unsigned k = 0; k < (unsigned)w->n_writes + w->n_reads; k++) {
		const uint32_t reg = timing_register_number(s->function, p->rw[w->rw + k]);
		if (reg && k < w->n_writes)
			add_written(t, s->first_register + reg);
		else if (reg)
			add_touched(t, s->first_register + reg);
	}
	if (i->opcode == ISA_OP_ADDC || i->opcode == ISA_OP_SUBC || i->opcode == ISA_OP_MADC)
		add_touched(t, CARRY);
	if (i->flags & ISA_F_CC)
		add_written(t, CARRY);
}

void textbook_describe(struct timing_insn *t, const struct textbook_source *s, const struct core_config *core)
{
	const struct isa_insn *i = &s->program->insns[s->index];
	const struct textbook_config *k = &core->textbook;
	t->kind = (uint8_t)kind_of(t, i);
	if (i->opcode == ISA_OP_BRX)
		t->class = TIMING_BRANCH;
	else if (i->opcode == ISA_OP_CALL)
		t->class = TIMING_CALL; /* those of functions that the simulator has built in, too */
	t->latency = (uint16_t)k->latency[latency_of(t, i)];
	t->path_latency = is_store_or_prefetch(i) ? (uint16_t)k->latency[TEXTBOOK_LATENCY_CONTROL] : t->latency;
	t->initiation = (uint16_t)textbook_dispatch(k, (enum textbook_kind)t->kind, core->warp_threads, core->schedulers);
	registers(t, s);
}
