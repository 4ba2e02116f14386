/* The program as data: files with their text, instructions with their places and counts, and the blocks of each function's control-flow graph. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "command/picture/page.h"
#include "debug/describe.h"
#include "debug/view/functions.h"
#include "debug/view/source.h"
#include "isa/flow/cfg.h"
#include "isa/opcodes.h"

#define FILE_BYTES_MOST (1u << 20) /* of a source; longer ones are cut */

struct sources {
	struct debug *d;
	uint32_t *file;
	size_t n, cap;
	struct exec_count *count;
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

static void blocks(struct sources *s, const struct isa_function *f, struct report *answer)
{
	struct cfg g;
	cfg_build(&g, debug_program(s->d), f);
	cfg_postdominators(&g);
	report_list(answer, "blocks");
	for (uint32_t b = 0; b < g.n; b++) {
		report_open(answer, NULL);
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
		instruction(s, pc, answer);
	report_close(answer);
	blocks(s, f, answer);
	report_close(answer);
}

static void file_text(struct debug *d, uint32_t file, struct report *answer)
{
	struct text t = {0};
	const uint32_t lines = debug_source_lines(d, file);
	for (uint32_t k = 1; k <= lines && t.n < FILE_BYTES_MOST; k++) {
		size_t n = 0;
		const char *line = debug_source_line(d, file, k, &n);
		text_addn(&t, line ? line : "", line ? n : 0);
		text_addc(&t, '\n');
	}
	report_open(answer, NULL);
	report_text(answer, "name", debug_file_name(d, file));
	report_text(answer, "text", text_str(&t));
	report_close(answer);
	text_free(&t);
}

bool describe_program(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	const struct isa_program *p = debug_program(d);
	struct sources s = {.d = d, .count = xcalloc(p->n_insns + 1u, sizeof *s.count)};
	(void)args;
	(void)why;
	gpu_instruction_counts(d->g, 0, p->n_insns, s.count);
	report_list(answer, "functions");
	for (uint32_t k = 0; k < p->n_functions; k++)
		if (p->functions[k]->is_defined && was_executed(&s, p->functions[k]))
			function(&s, p->functions[k], answer);
	report_close(answer);
	report_list(answer, "files");
	for (size_t k = 0; k < s.n; k++)
		file_text(d, s.file[k], answer);
	report_close(answer);
	free(s.file);
	free(s.count);
	return true;
}
