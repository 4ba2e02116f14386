/* The program as data: files with their text, instructions with their places and counts, and the blocks of each function's control-flow graph. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "command/picture/page.h"
#include "command/picture/picture.h"
#include "debug/describe.h"
#include "debug/view/functions.h"
#include "debug/view/source.h"
#include "isa/flow/cfg.h"
#include "isa/opcodes.h"

#define FILE_BYTES_MOST 50000u /* of a source; of a longer one only the lines around instructions that are shown have text */
#define AROUND 2u	       /* lines */
#define BLOCKS_MOST 400u       /* of a function */

struct sources {
	struct debug *d;
	uint32_t *file;
	size_t n, cap;
	struct exec_count *count;
	bool *chosen; /* instructions that are shown */
};

/* Notes a file; returns its place in the answer's list. */
static uint32_t file_number(struct sources *s, uint32_t file)
{
	for (size_t k = 0; k < s->n; k++)
		if (s->file[k] == file)
			return (uint32_t)k;
	s->file = xgrow(s->file, &s->cap, s->n + 1, sizeof *s->file);
	s->file[s->n] = file;
	return (uint32_t)s->n++;
}

static void position(struct sources *s, const char *name, struct debug_position p, struct report *answer)
{
	if (!p.line)
		return;
	report_list(answer, name); /* place in `files`, line */
	report_number(answer, NULL, file_number(s, p.file));
	report_number(answer, NULL, p.line);
	report_close(answer);
}

static void instruction(struct sources *s, uint32_t pc, struct report *answer)
{
	struct text t = {0};
	debug_insn_shown(s->d, pc, &t);
	report_open(answer, NULL);
	report_number(answer, "index", pc);
	report_text(answer, "text", text_str(&t));
	position(s, "ptx", debug_ptx_position(s->d, pc), answer);
	position(s, "cuda", debug_cuda_position(s->d, pc), answer);
	report_number(answer, "executions", s->count[pc].warps);
	report_number(answer, "lanes", s->count[pc].lanes);
	report_number(answer, "cycles", s->count[pc].cycles);
	report_close(answer);
	text_free(&t);
}

/* Returns a flag for each block, in memory that the caller frees: whether it is one of the costliest, and holds an instruction that is shown. */
static bool *costliest_blocks(const struct sources *s, const struct cfg *g)
{
	uint64_t *cost = xcalloc(g->n + 1u, sizeof *cost);
	for (uint32_t b = 0; b < g->n; b++)
		for (uint32_t pc = g->first[b]; pc < g->first[b + 1]; pc++)
			cost[b] += s->count[pc].cycles + s->count[pc].warps;
	bool *chosen = picture_costliest(cost, g->n, BLOCKS_MOST);
	for (uint32_t b = 0; b < g->n; b++) {
		bool is_shown = false;
		for (uint32_t pc = g->first[b]; pc < g->first[b + 1]; pc++)
			is_shown |= s->chosen[pc];
		chosen[b] = chosen[b] && is_shown;
	}
	free(cost);
	return chosen;
}

static void blocks(struct sources *s, const struct isa_function *f, struct report *answer)
{
	struct cfg g;
	cfg_build(&g, debug_program(s->d), f);
	cfg_postdominators(&g);
	bool *chosen = costliest_blocks(s, &g);
	report_number(answer, "n_blocks", g.n);
	report_list(answer, "blocks");
	for (uint32_t b = 0; b < g.n; b++) {
		if (!chosen[b])
			continue;
		report_open(answer, NULL);
		report_number(answer, "number", b);
		report_number(answer, "executions", s->count[g.first[b]].warps);
		report_number(answer, "lanes", s->count[g.first[b]].lanes);
		report_number(answer, "first", g.first[b]);
		report_number(answer, "end", g.first[b + 1]);
		report_number(answer, "meets_at", g.ipdom[b]);
		report_list(answer, "next");
		for (uint32_t k = g.succ_start[b]; k < g.succ_start[b + 1]; k++)
			report_number(answer, NULL, g.succ[k]);
		report_close(answer);
		report_close(answer);
	}
	report_close(answer);
	free(chosen);
	cfg_free(&g);
}

static bool was_executed(const struct sources *s, const struct isa_function *f)
{
	for (uint32_t pc = f->first; pc < f->end; pc++)
		if (s->count[pc].warps)
			return true;
	return false;
}

static void function(struct sources *s, const struct isa_function *f, struct report *answer)
{
	report_open(answer, NULL);
	report_text(answer, "name", debug_function_name(s->d, f));
	report_flag(answer, "is_kernel", f->is_kernel);
	report_list(answer, "instructions");
	for (uint32_t pc = f->first; pc < f->end; pc++)
		if (s->chosen[pc])
			instruction(s, pc, answer);
	report_close(answer);
	blocks(s, f, answer);
	report_close(answer);
}

/* Marks the lines around a position in a file. */
static void note_lines(bool *wanted, uint32_t lines, struct debug_position p, uint32_t file)
{
	if (p.line && p.file == file)
		for (uint32_t k = p.line > AROUND ? p.line - AROUND : 1; k <= p.line + AROUND && k <= lines; k++)
			wanted[k] = true;
}

/* Returns a flag for each line: whether it is near an instruction that is shown. */
static bool *lines_shown(const struct sources *s, uint32_t file, uint32_t lines)
{
	bool *wanted = xcalloc(lines + 1u, sizeof *wanted);
	for (uint32_t pc = 0; pc < debug_program(s->d)->n_insns; pc++) {
		if (!s->chosen[pc] || !s->count[pc].warps)
			continue;
		note_lines(wanted, lines, debug_ptx_position(s->d, pc), file);
		note_lines(wanted, lines, debug_cuda_position(s->d, pc), file);
	}
	return wanted;
}

/* Appends the lines of a file; lines that aren't wanted are empty, and none follow the last that is. */
static void add_lines(struct debug *d, uint32_t file, uint32_t lines, const bool *wanted, struct text *out)
{
	uint32_t end = lines;
	while (wanted && end && !wanted[end])
		end--;
	for (uint32_t k = 1; k <= end; k++) {
		size_t n = 0;
		const char *line = !wanted || wanted[k] ? debug_source_line(d, file, k, &n) : NULL;
		text_addn(out, line ? line : "", line ? n : 0);
		text_addc(out, '\n');
	}
}

static void file_text(const struct sources *s, uint32_t file, struct report *answer)
{
	struct text t = {0};
	const uint32_t lines = debug_source_lines(s->d, file);
	add_lines(s->d, file, lines, NULL, &t);
	const bool is_cut = t.n > FILE_BYTES_MOST;
	if (is_cut) {
		bool *wanted = lines_shown(s, file, lines);
		text_free(&t);
		add_lines(s->d, file, lines, wanted, &t);
		free(wanted);
	}
	report_open(answer, NULL);
	report_text(answer, "name", debug_file_name(s->d, file));
	report_flag(answer, "is_cut", is_cut);
	report_text(answer, "text", text_str(&t));
	report_close(answer);
	text_free(&t);
}

uint32_t picture_executed(struct debug *d)
{
	const struct isa_program *p = debug_program(d);
	struct sources s = {.d = d, .count = xcalloc(p->n_insns + 1u, sizeof *s.count)};
	uint32_t n = 0;
	gpu_instruction_counts(d->g, 0, p->n_insns, s.count);
	for (uint32_t k = 0; k < p->n_functions; k++)
		if (p->functions[k]->is_defined && was_executed(&s, p->functions[k]))
			n += p->functions[k]->end - p->functions[k]->first;
	free(s.count);
	return n;
}

void picture_program(struct debug *d, size_t most, struct report *answer)
{
	const struct isa_program *p = debug_program(d);
	struct sources s = {.d = d, .count = xcalloc(p->n_insns + 1u, sizeof *s.count), .chosen = picture_instructions(d, most)};
	gpu_instruction_counts(d->g, 0, p->n_insns, s.count);
	report_list(answer, "functions");
	for (uint32_t k = 0; k < p->n_functions; k++)
		if (p->functions[k]->is_defined && was_executed(&s, p->functions[k]))
			function(&s, p->functions[k], answer);
	report_close(answer);
	report_list(answer, "files");
	for (size_t k = 0; k < s.n; k++)
		file_text(&s, s.file[k], answer);
	report_close(answer);
	free(s.file);
	free(s.count);
	free(s.chosen);
}
