/* Lowering a module: the order of the steps, the instruction loop, and taking everything back when the module doesn't link. */
#include "ptx/lower.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "isa/flow/cfg.h"
#include "ptx/dialect.h"

/* ---- one instruction ---- */

/* Fills the extra places of an instruction that turned out unsupported with instructions that do nothing. */
static void pad_extra(struct lower *l)
{
	struct isa_insn nothing = l->op->base;

	nothing.handler = ISA_H_membar;
	while (l->n_extra)
		lower_emit_extra(l, nothing);
}

static void warn_unsupported(struct lower *l)
{
	/* the checker has warned of opcodes that can't be executed */
	if (l->op->op->unsupported || l->op->warned)
		return;
	l->op->warned = true;
	ptx_diag(l->m, DIAG_WARNING, l->in->at,
		 "these operands of '%.*s' aren't supported: the instruction faults when it is reached",
		 (int)l->op->op->text.n, l->op->op->text.s);
}

static void lower_guard(struct lower *l)
{
	struct ptx_operand o = {.kind = PTX_OP_REG, .dim = PTX_NO_DIM, .number = l->in->guard_number};

	o.symbol = l->in->guard;
	if (!o.symbol)
		return;
	if (o.symbol->kind != PTX_SYM_REG || o.symbol->type != ISA_PRED) {
		lower_unsupported(l);
		return;
	}
	uint32_t slot = lower_reg_ref(&o);
	lower_note_pred_read(l, slot);
	l->insn.guard = slot | (l->in->guard_negated ? ISA_PRED_NOT : 0);
}

static void lower_by_family(struct lower *l)
{
	enum isa_opcode op = (enum isa_opcode)l->insn.opcode;

	switch (isa_opcode_info[op].family) {
	case ISA_FAMILY_MEM:
	case ISA_FAMILY_ATOM: lower_memory(l); return;
	case ISA_FAMILY_BRANCH:
	case ISA_FAMILY_CALL:
	case ISA_FAMILY_EXIT: lower_control(l); return;
	case ISA_FAMILY_TEXTURE: lower_texture(l); return;
	case ISA_FAMILY_TENSOR: lower_tensor(l); return;
	case ISA_FAMILY_UNSUPPORTED: lower_unsupported(l); return;
	default: break;
	}
	if (op == ISA_OP_MOV)
		lower_mov(l);
	else if (op == ISA_OP_CVTA || op == ISA_OP_ISSPACEP || op == ISA_OP_PREFETCH || op == ISA_OP_PREFETCHU ||
		 op == ISA_OP_DISCARD || op == ISA_OP_APPLYPRIORITY)
		lower_memory(l);
	else
		lower_generic(l);
}

static void lower_insn(struct lower *l, const struct ptx_insn *in)
{
	l->in = in;
	if (l->dialect) {
		l->writes.n = l->reads.n = 0;
		l->dialect->lower(l, in);
		lower_emit(l, lower_where(l));
		return;
	}
	l->op = lower_op_of(l, in->opcode);
	l->insn = l->op->base;
	l->unsupported = false;
	l->writes.n = l->reads.n = 0;
	l->n_extra = l->use->n_steps ? lower_extra(in) : 0;
	lower_keep_operands(l, in);
	lower_guard(l);
	if (in->no_meaning) { /* the checker has warned */
		l->insn.handler = ISA_H_UNSUPPORTED;
		lower_emit(l, lower_where(l));
		return;
	}
	if (l->n_extra)
		l->in = lower_adapt(l, in);
	lower_by_family(l);
	if (l->unsupported || l->insn.handler == ISA_H_UNSUPPORTED) {
		warn_unsupported(l);
		l->insn.handler = ISA_H_UNSUPPORTED;
	} else if (l->in != in)
		lower_adapt_result(l, in);
	pad_extra(l);
	lower_keep_results(l);
	lower_emit(l, lower_where(l));
}

void lower_plain(struct lower *l, const struct ptx_insn *in)
{
	const uint32_t guard = l->insn.guard;

	l->in = in;
	l->op = lower_op_of(l, in->opcode);
	l->insn = l->op->base;
	l->insn.guard = guard;
	l->unsupported = false;
	l->n_extra = 0;
	lower_keep_operands(l, in);
	lower_by_family(l);
	if (l->unsupported || l->insn.handler == ISA_H_UNSUPPORTED) {
		warn_unsupported(l);
		l->insn.handler = ISA_H_UNSUPPORTED;
	}
	lower_keep_results(l);
}

/* The closing brace as a `ret`, where control may reach it. */
static void lower_end(struct lower *l)
{
	const struct ptx_function *f = l->f;
	struct isa_where w = {.offset = f->end ? f->end - 1 : 0, .n_text = 1, .loc = l->lined_loc};
	uint32_t col;

	ptx_position(l->m, w.offset, &w.line, &col);
	l->writes.n = l->reads.n = 0;
	l->insn = (struct isa_insn){.handler = ISA_H_ret,
				    .opcode = ISA_OP_RET,
				    .guard = ISA_PRED_TRUE,
				    .dst = ISA_REF_NONE,
				    .dst2 = ISA_REF_NONE,
				    .a = ISA_REF_NONE,
				    .b = ISA_REF_NONE,
				    .c = ISA_REF_NONE,
				    .d = ISA_REF_NONE,
				    .vec = 1};
	lower_emit(l, w);
}

/* ---- one function ---- */

/* Returns about how many bytes of stack an activation takes on a GPU: its local variables, the registers that live across calls, and where calls return
 * to. */
static uint32_t stack_estimate(const struct isa_program *p, const struct isa_function *f, uint32_t across)
{
	uint64_t bytes = 0;
	bool has_calls = false;
	for (uint32_t k = 0; k < f->n_vars; k++)
		bytes += f->vars[k].space == ISA_SPACE_LOCAL ? (f->vars[k].bytes + 3) / 4 * 4 : 0;
	for (uint32_t i = f->first; i < f->end; i++)
		has_calls |= p->insns[i].opcode == ISA_OP_CALL;
	bytes += has_calls ? 4 * (uint64_t)across + 8 : 0;
	return bytes < UINT32_MAX - 8 ? (uint32_t)((bytes + 7) & ~UINT64_C(7)) : UINT32_MAX;
}

static void analyse(struct lower *l)
{
	struct isa_program *p = l->p;
	struct cfg g;

	cfg_build(&g, p, l->out);
	cfg_postdominators(&g);
	for (uint32_t b = 0; b < g.n; b++) {
		struct isa_insn *i = &p->insns[g.first[b + 1] - 1];
		if (i->opcode == ISA_OP_BRA || i->opcode == ISA_OP_BRX)
			i->reconv = g.ipdom[b] == g.n ? ISA_NO_RECONV : g.first[g.ipdom[b]];
		i->ends_block = true;
	}
	uint32_t across;
	l->out->live_registers = cfg_live_registers(&g, p, l->out, &across);
	l->out->stack_bytes = stack_estimate(p, l->out, across);
	cfg_free(&g);
}

static void list_labels(struct lower *l)
{
	const struct ptx_function *f = l->f;
	struct isa_label *v = POOL_ARRAY(&l->p->pool, struct isa_label, f->n_labels);
	uint32_t n = 0;

	for (uint32_t k = 0; k < f->n_labels; k++) {
		if (f->labels[k]->label_at > f->n_insns)
			continue;
		uint32_t at = l->out->first + lower_place_of(l->use, f->labels[k]->label_at);
		if (at < l->out->end)
			v[n++] = (struct isa_label){lower_name(l, f->labels[k]->name), at};
	}
	l->out->labels = v;
	l->out->n_labels = n;
}

static void lower_function(struct lower *l, const struct lower_usage *u)
{
	l->use = u;
	l->f = u->f;
	l->out = l->p->functions[u->function];
	l->sink = l->temps = 0;
	l->lined_loc = ISA_NO_LOC;
	lower_place_registers(l);
	if (!l->failed)
		lower_place_locals(l);
	if (l->failed)
		return;
	assert(l->p->n_insns == l->out->first);
	if (l->dialect)
		l->dialect->begin(l);
	for (uint32_t k = 0; k < u->f->n_insns && !ptx_interrupted(l->m); k++)
		lower_insn(l, &u->f->insns[k]);
	if (ptx_interrupted(l->m)) {
		l->failed = true;
		return;
	}
	if (u->falls_off)
		lower_end(l);
	assert(l->p->n_insns == l->out->end);
	if (l->dialect)
		l->dialect->end(l);
	list_labels(l);
	analyse(l);
}

/* ---- files and source positions ---- */

static uint32_t add_file(struct lower *l, struct isa_file f)
{
	struct isa_program *p = l->p;

	if (p->n_files == p->cap_files) {
		p->cap_files += p->cap_files / 2 + 8;
		p->files = xrealloc(p->files, p->cap_files * sizeof *p->files);
	}
	p->files[p->n_files] = f;
	return p->n_files++;
}

static void add_module_file(struct lower *l)
{
	struct ptx_slice name = {l->m->file, (uint32_t)strlen(l->m->file)};

	l->file = add_file(l, (struct isa_file){.name = lower_name(l, name),
						.text = l->m->text,
						.n_text = l->m->n_text,
						.line_start = pool_dup(&l->p->pool, l->m->line_start,
								       l->m->n_lines * sizeof(uint32_t)),
						.n_lines = l->m->n_lines,
						.frontend = l->m->frontend,
						.in_memory = l->m->into != 0,
						.module = l->m->into});
}

/* Program file of a `.file` number: the newest entry of that number. CUDA sources of the same name are one file. */
static uint32_t source_file(struct lower *l, const struct hash_map *numbers, uint32_t number)
{
	uint32_t entry;

	if (!hash_map_get(numbers, (const char *)&number, sizeof number, &entry))
		return l->file;
	return l->file_map[entry];
}

static void add_source_files(struct lower *l, struct hash_map *numbers, struct hash_map *names)
{
	for (uint32_t k = 0; k < l->p->n_files; k++)
		if (!l->p->files[k].frontend)
			hash_map_put(names, l->p->files[k].name, strlen(l->p->files[k].name), k);
	l->file_map = POOL_ARRAY(&l->m->pool, uint32_t, l->m->n_files);
	struct isa_file_number *table = POOL_ARRAY(&l->p->pool, struct isa_file_number, l->m->n_files);
	for (uint32_t k = 0; k < l->m->n_files; k++) {
		struct ptx_file_entry *f = &l->m->files[k];
		if (!hash_map_get(names, f->name.s, f->name.n, &l->file_map[k])) {
			const char *name = lower_name(l, f->name);
			l->file_map[k] = add_file(l, (struct isa_file){.name = name});
			hash_map_put(names, name, strlen(name), l->file_map[k]);
		}
		hash_map_put(numbers, (const char *)&f->number, sizeof f->number, k);
		table[k] = (struct isa_file_number){f->number, l->file_map[k]};
	}
	l->p->files[l->file].numbers = table;
	l->p->files[l->file].n_numbers = l->m->n_files;
}

static void add_locs(struct lower *l)
{
	struct isa_program *p = l->p;
	struct hash_map numbers = {0}, names = {0};
	const char *function = NULL;
	struct ptx_slice last = {0};

	l->loc_base = p->n_locs;
	add_source_files(l, &numbers, &names);
	if (p->cap_locs - p->n_locs < l->m->n_locs) {
		p->cap_locs = p->n_locs + l->m->n_locs;
		p->locs = xrealloc(p->locs, p->cap_locs * sizeof *p->locs);
	}
	for (uint32_t k = 0; k < l->m->n_locs; k++) {
		const struct ptx_loc_entry *e = &l->m->locs[k];
		if (e->function.n && (e->function.s != last.s || e->function.n != last.n)) {
			last = e->function;
			function = lower_name(l, last);
		}
		p->locs[p->n_locs++] = (struct isa_loc){
			.file = source_file(l, &numbers, e->file),
			.line = e->line,
			.col = e->col,
			.inlined_at = e->inlined_at == UINT32_MAX ? ISA_NO_LOC : l->loc_base + e->inlined_at,
			.function = e->function.n ? function : NULL,
		};
	}
	hash_map_free(&numbers);
	hash_map_free(&names);
}

/* ---- the whole ---- */

/* Room for all instructions at once: their number is known. */
static void reserve(struct lower *l)
{
	struct isa_program *p = l->p;
	uint64_t n = p->n_insns, words = p->n_rw;

	for (uint32_t k = 0; k < l->n_usage; k++) {
		const struct ptx_function *f = l->usage[k].f;
		n += (uint64_t)f->n_insns + l->usage[k].n_extra + 1;
		words += 3 * (uint64_t)f->n_insns;
	}
	if (n > p->cap_insns && n < UINT32_MAX) {
		p->cap_insns = (uint32_t)n;
		p->insns = xrealloc(p->insns, n * sizeof *p->insns);
		p->where = xrealloc(p->where, n * sizeof *p->where);
	}
	if (words > p->cap_rw && words < UINT32_MAX) {
		p->cap_rw = (uint32_t)words;
		p->rw = xrealloc(p->rw, words * sizeof *p->rw);
	}
}

static void map_links(struct lower *l)
{
	l->link_bindings = POOL_ARRAY(&l->m->pool, uint32_t, l->link->n_symbols);
	for (uint32_t k = 0; k < l->n_bindings; k++)
		if (l->bindings[k].link != LINK_NONE && l->bindings[k].defines)
			l->link_bindings[l->bindings[k].link] = k + 1;
}

static void find_per_function(struct lower *l)
{
	const struct ptx_scope *scope = l->m->scope;

	for (int fill = 0; fill < 2; fill++) {
		uint32_t n = 0;
		for (uint32_t k = 0; k < scope->n_symbols; k++) {
			struct ptx_symbol *s = scope->symbols[k];
			if (s->kind != PTX_SYM_REG && !(s->kind == PTX_SYM_VARIABLE && s->space == ISA_SPACE_LOCAL))
				continue;
			if (fill)
				l->per_function[n] = s;
			n++;
		}
		if (!fill)
			l->per_function = POOL_ARRAY(&l->m->pool, struct ptx_symbol *, n);
		l->n_per_function = n;
	}
}

static void lower_module(struct lower *l)
{
	add_module_file(l);
	lower_bind(l);
	if (l->failed)
		return;
	find_per_function(l);
	lower_collect_usage(l);
	map_links(l);
	lower_bind_functions(l);
	if (!l->failed)
		lower_place_variables(l);
	if (!l->failed)
		lower_place_shared(l);
	if (l->dialect && !l->failed)
		l->dialect->placed(l);
	if (l->failed)
		return;
	add_locs(l);
	reserve(l);
	for (uint32_t k = 0; k < l->n_usage && !l->failed; k++)
		if (l->usage[k].function != LINK_NONE)
			lower_function(l, &l->usage[k]);
	l->f = NULL;
	if (l->failed)
		return;
	lower_init_images(l);
	lower_commit(l);
	lower_shared_totals(l);
	l->p->generation++;
}

static void take_back(struct isa_program *p, const struct isa_program *was)
{
	p->n_insns = was->n_insns;
	p->n_aux = was->n_aux;
	p->n_rw = was->n_rw;
	p->n_operands = was->n_operands;
	p->n_consts = was->n_consts;
	p->n_functions = was->n_functions;
	p->n_variables = was->n_variables;
	p->n_files = was->n_files;
	p->n_locs = was->n_locs;
	p->global_first = was->global_first;
	p->global_next = was->global_next;
	p->const_next = was->const_next;
}

/* The link records that lowering a module changes besides their lengths. They are put back if the module doesn't link. */
struct link_copy {
	uint32_t any_shared_end;
	struct link_pieces freed[LINK_SPACES], taken[LINK_SPACES];
};

static void copy_pieces(struct link_pieces *to, const struct link_pieces *from)
{
	*to = (struct link_pieces){0};
	for (uint32_t k = 0; k < from->n; k++)
		link_pieces_add(to, from->v[k]);
}

static void copy_link(const struct lower *l, struct link_copy *c)
{
	const struct link_module *m = &l->link->modules[l->m->into];
	c->any_shared_end = m->any_shared_end;
	for (unsigned k = 0; k < LINK_SPACES; k++) {
		copy_pieces(&c->freed[k], &l->link->freed[k]);
		copy_pieces(&c->taken[k], &m->taken[k]);
	}
}

/* Either the copy is put back, or what it is a copy of stays. */
static void end_copy(struct lower *l, struct link_copy *c, bool put_back)
{
	struct link_module *m = &l->link->modules[l->m->into];
	m->any_shared_end = put_back ? c->any_shared_end : m->any_shared_end;
	for (unsigned k = 0; k < LINK_SPACES; k++) {
		link_pieces_free(put_back ? &l->link->freed[k] : &c->freed[k]);
		link_pieces_free(put_back ? &m->taken[k] : &c->taken[k]);
		l->link->freed[k] = put_back ? c->freed[k] : l->link->freed[k];
		m->taken[k] = put_back ? c->taken[k] : m->taken[k];
	}
}

bool ptx_lower(struct ptx_module *m, struct isa_program *p)
{
	struct lower l = {.m = m, .p = p, .link = isa_link_of(p), .dialect = m->dialect};
	struct isa_program was = *p;
	struct link_mark mark = {l.link->n_symbols, l.link->n_refs, l.link->n_functions, l.link->n_variables};
	struct link_copy copy;

	copy_link(&l, &copy);
	lower_module(&l);
	if (l.failed) {
		take_back(p, &was);
		isa_link_truncate(l.link, &mark);
	}
	end_copy(&l, &copy, l.failed);
	free(l.bindings);
	free(l.ops);
	free(l.consts);
	free(l.writes.v);
	free(l.reads.v);
	return !l.failed;
}
