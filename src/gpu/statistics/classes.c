/* Histograms of executed instructions by class and by mnemonic (-gpgpu_ptx_instruction_classification). Source: GPGPU-Sim 3.2.2.
 *
 * One sample for each lane of each warp instruction: its class and, if it names one, its state space, in one histogram; its number in the
 * other. A lane whose guard was false counts in class 0. All is made of the figures of single instructions (timing_line). */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gpu/statistics/statistics_internal.h"
#include "isa/opcodes.h"

enum class { SKIPPED, ARITHMETIC, MAD, CONTROL, SFU, MEMORY, TEXTURE, NOP, BREAK = 9, OTHER, VIDEO };
#define CLASS_BINS 20u
#define NUMBER_BINS 100u
#define FIRST_SPACE 10u /* classes from here on are shared with those of instructions: so there */

static const struct {
	const char *mnemonic;
	uint8_t class;
} classified[] = {
#define CLASSIFIED(mnemonic, class) {mnemonic, class},
#include "gpu/statistics/classes.def"
};
#define CLASSIFIED_N (sizeof classified / sizeof *classified)

struct histogram {
	uint64_t n, sum, bin[NUMBER_BINS];
	unsigned least, most;
};

static void add(struct histogram *h, unsigned value, uint64_t times)
{
	if (!times)
		return;
	h->least = !h->n || value < h->least ? value : h->least;
	h->most = value > h->most ? value : h->most;
	h->n += times;
	h->sum += times * value;
	h->bin[value] += times;
}

/* Instructions that 3.2.2 doesn't have are the last number. */
static unsigned number_of(enum isa_opcode op)
{
	const char *name = isa_opcode_info[op].name;
	for (unsigned k = 0; k < CLASSIFIED_N; k++)
		if (!strcmp(classified[k].mnemonic, name))
			return k;
	return NUMBER_BINS - 1;
}

/* 0: it names none. (.param is never told from others there, so its class 14 stays empty.) */
static unsigned space_of(const struct isa_insn *i)
{
	static const uint8_t of[ISA_SPACE_COUNT] = {[ISA_SPACE_GLOBAL] = 0 + FIRST_SPACE, [ISA_SPACE_LOCAL] = 1 + FIRST_SPACE,
						    [ISA_SPACE_SHARED] = 5 + FIRST_SPACE, [ISA_SPACE_CONST] = 6 + FIRST_SPACE};
	const uint8_t family = isa_opcode_info[i->opcode].family;
	if (family != ISA_FAMILY_MEM && family != ISA_FAMILY_ATOM && i->opcode != ISA_OP_CVTA && i->opcode != ISA_OP_ISSPACEP &&
	    i->opcode != ISA_OP_PREFETCH)
		return 0;
	return i->flags & ISA_F_PARAM ? 0 : of[i->space];
}

static void print(const struct histogram *h, const char *name, unsigned bins, struct text *out)
{
	text_addf(out, "Stats for Kernel -1 %s\n\n", name);
	if (h->n)
		text_addf(out, "Min %f Max %f Average %f \n", (double)h->least, (double)h->most, (double)h->sum / (double)h->n);
	else
		text_add(out, "Min nan Max nan Average nan \n");
	text_add(out, "[ ");
	for (unsigned k = 0; k < bins; k++)
		text_addf(out, "%" PRIu64 " ", h->bin[k]);
	text_add(out, "]\n");
}

/* There the number of the kernel is never counted up from -1, so all kernels are one. */
void statistics_print_classes(struct gpu *g, struct text *out)
{
	const struct timing_line *line = g->perf->timing.line;
	struct histogram classes = {0}, numbers = {0};
	if (!line || !config_bool(g->config, "gpgpu_ptx_instruction_classification"))
		return;
	for (uint32_t pc = 0; pc < g->program.n_insns; pc++) {
		const struct isa_insn *i = &g->program.insns[pc];
		const unsigned number = number_of(i->opcode), space = space_of(i);
		if (!line[pc].count)
			continue;
		add(&classes, number < CLASSIFIED_N ? classified[number].class : OTHER, line[pc].executed);
		add(&classes, SKIPPED, line[pc].count - line[pc].executed);
		if (space)
			add(&classes, space, line[pc].count);
		add(&numbers, number, line[pc].count);
	}
	print(&classes, "Classification", CLASS_BINS, out);
	print(&numbers, "OP Classification", NUMBER_BINS, out);
}
