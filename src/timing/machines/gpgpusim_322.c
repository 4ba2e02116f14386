/* GPGPU-Sim 3.2.2's machine. */
#include "isa/opcodes.h"
#include "timing/machines/machine.h"

enum { SP, SFU, MEM, UNITS };
#define ON(unit) (1u << (unit))
#define ALL ((1u << UNITS) - 1)
#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

static const struct core_unit units[UNITS] = {
	[SP] = {"SP", "sp", 'A', 32},
	[SFU] = {"SFU", "sfu", 'U', 512},
	[MEM] = {"MEM", "mem", 'L', 0},
};

static const struct core_collector collectors[] = {
	{"SP", "sp", ON(SP)},
	{"SFU", "sfu", ON(SFU)},
	{"MEM", "mem", ON(MEM)},
	{"GEN", "gen", ALL},
};

static const struct core_latency_list latencies[] = {
	{"int", LATENCY_INT_ADD, 5, 5, "five numbers ADD,MAX,MUL,MAD,DIV", NULL},
	{"fp", LATENCY_FP_ADD, 5, 5, "five numbers ADD,MAX,MUL,MAD,DIV", NULL},
	{"dp", LATENCY_DP_ADD, 5, 5, "five numbers ADD,MAX,MUL,MAD,DIV", NULL},
};

/* Opcode; units for integers, f32 and f64; its latency in each list. fma, mul24, mad24, rem, shfl and all else: SP, one cycle. */
#define ROW(opcode, integer, f32, f64, time) \
	{ISA_OP_##opcode, {integer, f32, f64}, {LATENCY_INT_##time, LATENCY_FP_##time, LATENCY_DP_##time}, 0}
/* The SFU's functions have the latency of an f64 multiplication, whatever their type. */
#define FUNCTION(opcode) {ISA_OP_##opcode, {ON(SFU), ON(SFU), ON(SFU)}, {LATENCY_DP_MUL, LATENCY_DP_MUL, LATENCY_DP_MUL}, 0}
/* This machine has no tensor cores: the SFU multiplies matrices, with the latency that a tensor core has in 4.x by default. */
#define TENSOR(opcode) {ISA_OP_##opcode, {ON(SFU), ON(SFU), ON(SFU)}, {LATENCY_TENSOR, LATENCY_TENSOR, LATENCY_TENSOR}, 0}
static const struct core_opcode opcodes[] = {
	ROW(ADD, ON(SP), ON(SP), ON(SP), ADD),
	ROW(ADDC, ON(SP), ON(SP), ON(SP), ADD),
	ROW(SUB, ON(SP), ON(SP), ON(SP), ADD),
	ROW(SUBC, ON(SP), ON(SP), ON(SP), ADD),
	ROW(MAX, ON(SP), ON(SP), ON(SP), MAX),
	ROW(MIN, ON(SP), ON(SP), ON(SP), MAX),
	ROW(MUL, ON(SFU), ON(SP) | ON(SFU), ON(SP) | ON(SFU), MUL),
	ROW(MAD, ON(SFU), ON(SP), ON(SP), MAD),
	ROW(MADC, ON(SFU), ON(SP), ON(SP), MAD),
	ROW(DIV, ON(SFU), ON(SFU), ON(SFU), DIV),
	FUNCTION(SQRT),
	FUNCTION(RSQRT),
	FUNCTION(RCP),
	FUNCTION(SIN),
	FUNCTION(COS),
	FUNCTION(EX2),
	FUNCTION(LG2),
	FUNCTION(TANH),
	TENSOR(MMA),
	TENSOR(WMMA),
	TENSOR(WGMMA),
};

static const struct core_width widths[] = {
	{"ID_OC_SP", WIDTH_ID_OC, SP}, {"ID_OC_SFU", WIDTH_ID_OC, SFU}, {"ID_OC_MEM", WIDTH_ID_OC, MEM},
	{"OC_EX_SP", WIDTH_OC_EX, SP}, {"OC_EX_SFU", WIDTH_OC_EX, SFU}, {"OC_EX_MEM", WIDTH_OC_EX, MEM},
	{"EX_WB", WIDTH_EX_WB, 0},
};
/* Files of 2017 and 2018: a DP unit of its own, which can be absent. */
static const struct core_width widths_with_dp[] = {
	{"ID_OC_SP", WIDTH_ID_OC, SP},	 {"ID_OC_DP", WIDTH_REFUSED, 0}, {"ID_OC_SFU", WIDTH_ID_OC, SFU},
	{"ID_OC_MEM", WIDTH_ID_OC, MEM}, {"OC_EX_SP", WIDTH_OC_EX, SP},	 {"OC_EX_DP", WIDTH_UNUSED, 0},
	{"OC_EX_SFU", WIDTH_OC_EX, SFU}, {"OC_EX_MEM", WIDTH_OC_EX, MEM}, {"EX_WB", WIDTH_EX_WB, 0},
};
static const struct core_width_list width_lists[] = {{widths, COUNT(widths)}, {widths_with_dp, COUNT(widths_with_dp)}};

static const struct core_model core = {
	.units = units,
	.n_units = UNITS,
	.collectors = collectors,
	.n_collectors = COUNT(collectors),
	.opcodes = opcodes,
	.n_opcodes = COUNT(opcodes),
	.latencies = latencies,
	.n_latencies = COUNT(latencies),
	.widths = width_lists,
	.n_widths = COUNT(width_lists),
	.widths_wanted = "7 or 9",
	.class_units = {[TIMING_COMPUTE] = ON(SP),
			[TIMING_LOAD] = ON(MEM),
			[TIMING_STORE] = ON(MEM),
			[TIMING_BRANCH] = ON(SP),
			[TIMING_BARRIER] = ON(SP),
			[TIMING_MEMBAR] = ON(MEM),
			[TIMING_CALL] = ON(SP),
			[TIMING_RET] = ON(SP)},
};

const struct machine_model machine_gpgpusim_322 = {
	.name = "3.2.2",
	.baseline = 3,
	.core = &core,
	.dram = &dram_gddr,
	.rules = {0}, /* rules.def says what holds without a rule: 3.2.2's way */
};
