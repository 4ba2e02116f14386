/* A function's control-flow graph for Graphviz. */
#include "base/text.h"
#include "isa/flow/cfg.h"
#include "isa/frontend.h"

#define LINES_MAX 40u /* of a block; more are only counted */

/* Appends an instruction's line number and text, escaped for a label. */
static void add_insn_text(const struct isa_program *p, uint32_t i, struct text *out)
{
	const struct isa_file *f = &p->files[p->where[i].file];
	struct text insn = {0};
	text_addf(out, "%u: ", p->where[i].line);
	if (f->frontend)
		f->frontend->list(p, i, &insn);
	for (const char *s = text_str(&insn); *s; s++)
		text_addf(out, *s == '"' || *s == '\\' ? "\\%c" : "%c", *s);
	text_free(&insn);
}

static void add_block(const struct isa_program *p, const struct isa_function *f, const struct cfg *g, uint32_t b,
		      struct text *out)
{
	uint32_t first = g->first[b], end = g->first[b + 1];

	text_addf(out, "\tb%u [label=\"", b);
	for (uint32_t k = 0; k < f->n_labels; k++)
		if (f->labels[k].at == first)
			text_addf(out, "%s:\\l", f->labels[k].name);
	for (uint32_t i = first; i < end && i - first < LINES_MAX; i++) {
		add_insn_text(p, i, out);
		text_add(out, "\\l");
	}
	if (end - first > LINES_MAX)
		text_addf(out, "(%u more)\\l", end - first - LINES_MAX);
	text_add(out, "\"];\n");
}

static void add_name(const struct cfg *g, uint32_t b, struct text *out)
{
	if (b == g->n)
		text_add(out, "exit");
	else
		text_addf(out, "b%u", b);
}

static void add_edge(const struct cfg *g, uint32_t from, uint32_t to, const char *style, struct text *out)
{
	text_addc(out, '\t');
	add_name(g, from, out);
	text_add(out, " -> ");
	add_name(g, to, out);
	text_addf(out, "%s;\n", style);
}

void cfg_dot(const struct isa_program *p, const struct isa_function *f, struct text *out)
{
	struct cfg g;

	text_addf(out, "digraph \"%s\" {\n\tnode [shape=box, fontname=monospace];\n", f->name);
	if (f->first < f->end) {
		cfg_build(&g, p, f);
		cfg_postdominators(&g);
		for (uint32_t b = 0; b < g.n; b++)
			add_block(p, f, &g, b, out);
		text_add(out, "\texit [shape=doublecircle, label=\"exit\"];\n");
		for (uint32_t e = 0; e < g.n_real; e++)
			add_edge(&g, g.edges[e].from, g.edges[e].to, "", out);
		for (uint32_t b = 0; b < g.n; b++)
			add_edge(&g, b, g.ipdom[b], " [style=dashed, constraint=false, color=gray]", out);
		cfg_free(&g);
	}
	text_add(out, "}\n");
}
