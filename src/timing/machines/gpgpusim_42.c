/* The machine of GPGPU-Sim 4.2's older GPUs, such as its GTX 480. */
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

/* Collector units for DP, tensor cores and INT exist where the machine has no such function units. */
static const struct core_collector collectors[] = {
	{"SP", "sp", ON(SP)},
	{"DP", "dp", 0},
	{"TC", "tensor_core", 0},
	{"SFU", "sfu", ON(SFU)},
	{"MEM", "mem", ON(MEM)},
	{"GEN", "gen", ALL},
	{"INT", "int", 0},
};

static const struct core_latency_list latencies[] = {
	{"int", LATENCY_INT_ADD, 5, 6, "five numbers ADD,MAX,MUL,MAD,DIV", NULL}, /* the sixth: SHFL */
	{"fp", LATENCY_FP_ADD, 5, 5, "five numbers ADD,MAX,MUL,MAD,DIV", NULL},
	{"dp", LATENCY_DP_ADD, 5, 5, "five numbers ADD,MAX,MUL,MAD,DIV", NULL},
	{"sfu", LATENCY_SFU, 1, 1, "one number", NULL},
	{"tensor", LATENCY_TENSOR, 1, 1, "one number", "tesnor"}, /* 4.x spells it so */
};

/* Opcode; units for integers, f32 and f64; its latency in each list; cycles more. A machine without DP units runs f64 in the SFU. */
#define ROW(opcode, integer, f32, f64, time, more) \
	{ISA_OP_##opcode, {integer, f32, f64}, {LATENCY_INT_##time, LATENCY_FP_##time, LATENCY_DP_##time}, more}
#define FUNCTION(opcode) {ISA_OP_##opcode, {ON(SFU), ON(SFU), ON(SFU)}, {LATENCY_SFU, LATENCY_SFU, LATENCY_SFU}, 0}
/* This machine has no tensor cores: the SFU multiplies matrices, with 4.x's latency of a tensor core. */
#define TENSOR(opcode) {ISA_OP_##opcode, {ON(SFU), ON(SFU), ON(SFU)}, {LATENCY_TENSOR, LATENCY_TENSOR, LATENCY_TENSOR}, 0}
static const struct core_opcode opcodes[] = {
	ROW(ADD, ON(SP), ON(SP), ON(SFU), ADD, 0),
	ROW(ADDC, ON(SP), ON(SP), ON(SFU), ADD, 0),
	ROW(SUB, ON(SP), ON(SP), ON(SFU), ADD, 0),
	ROW(SUBC, ON(SP), ON(SP), ON(SFU), ADD, 0),
	ROW(MAX, ON(SP), ON(SP), ON(SFU), MAX, 0),
	ROW(MIN, ON(SP), ON(SP), ON(SFU), MAX, 0),
	ROW(MUL, ON(SP), ON(SP), ON(SFU), MUL, 0),
	ROW(MAD, ON(SP), ON(SP), ON(SFU), MAD, 0),
	ROW(MADC, ON(SP), ON(SP), ON(SFU), MAD, 0),
	ROW(FMA, ON(SP), ON(SP), ON(SFU), MAD, 0),
	ROW(MUL24, ON(SP), ON(SP), ON(SP), MUL, 1),
	ROW(MAD24, ON(SP), ON(SP), ON(SP), MAD, 1),
	ROW(DIV, ON(SFU), ON(SFU), ON(SFU), DIV, 0),
	ROW(REM, ON(SFU), ON(SFU), ON(SFU), DIV, 0),
	{ISA_OP_SHFL, {ON(SP), ON(SP), ON(SP)}, {LATENCY_INT_SHFL, LATENCY_INT_SHFL, LATENCY_INT_SHFL}, 0},
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

static const struct core_width widths_of_three[] = {
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
static const struct core_width widths[] = {
	{"ID_OC_SP", WIDTH_ID_OC, SP},	 {"ID_OC_DP", WIDTH_REFUSED, 0}, {"ID_OC_INT", WIDTH_REFUSED, 0},
	{"ID_OC_SFU", WIDTH_ID_OC, SFU}, {"ID_OC_MEM", WIDTH_ID_OC, MEM},
	{"OC_EX_SP", WIDTH_OC_EX, SP},	 {"OC_EX_DP", WIDTH_UNUSED, 0},	 {"OC_EX_INT", WIDTH_UNUSED, 0},
	{"OC_EX_SFU", WIDTH_OC_EX, SFU}, {"OC_EX_MEM", WIDTH_OC_EX, MEM},
	{"EX_WB", WIDTH_EX_WB, 0},
	{"ID_OC_TENSOR", WIDTH_UNUSED, 0}, {"OC_EX_TENSOR", WIDTH_UNUSED, 0},
};
static const struct core_width_list width_lists[] = {
	{widths_of_three, COUNT(widths_of_three)},
	{widths_with_dp, COUNT(widths_with_dp)},
	{widths, COUNT(widths) - 2},
	{widths, COUNT(widths)},
};

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
	.widths_wanted = "7, 9, 11 or 13",
	.class_units = {[TIMING_COMPUTE] = ON(SP),
			[TIMING_LOAD] = ON(MEM),
			[TIMING_STORE] = ON(MEM),
			[TIMING_BRANCH] = ON(SP),
			[TIMING_BARRIER] = ON(SP),
			[TIMING_MEMBAR] = ON(MEM),
			[TIMING_CALL] = ON(SP),
			[TIMING_RET] = ON(SP)},
};

const struct machine_model machine_gpgpusim_42 = {
	.name = "4.2",
	.baseline = 4,
	.core = &core,
	.dram = &dram_gddr,
	.rules = {.empty_cores_rest = true,
		  .icache_late = true,
		  .schedulers_take_turns = true,
		  .collector_after_units = true,
		  .reads_once = true,
		  .reads_all_banks = true,
		  .awake_while_stuck = true,
		  .local_memory_high = true,
		  .atomics_in_warp_parts = true,
		  .stores_say_bytes = true,
		  .ack_per_sector = true,
		  .asks_for_line = true,
		  .write_miss_needs_no_line = true,
		  .takes_whole_lines = true,
		  .stamps_acks = true,
		  .column_after_row = true,
		  .first_cluster_0 = true,
		  .kernel_goes_on = true,
		  .counts_ctas = true},
};
