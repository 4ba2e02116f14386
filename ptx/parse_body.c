/* Function bodies: scopes, labels, instructions, and the directives that stand among them. */
#include "ptx/parse.h"

#include <stdio.h>
#include <string.h>

#include "isa/opcodes.h"
#include "ptx/dialect.h"
#include "ptx/opcode.h"

/* ---- labels used before they are defined ---- */

void ptx_parse_fixup(struct ptx_parser *p, struct ptx_slice name, struct ptx_symbol **place, ptx_offset at)
{
	uint32_t older = 0;

	hash_map_get(&p->pending, name.s, name.n, &older);
	PTX_GROW(p->fixups);
	p->fixups.v[p->fixups.n++] = (struct ptx_fixup){name, place, at, older};
	hash_map_put(&p->pending, name.s, name.n, (uint32_t)p->fixups.n);
}

/* A label belongs to the innermost scope around its use that defines it: each label of the scope that ends here fills its open uses
 * since the scope began; the rest waits for a scope outside. */
static void resolve_fixups(struct ptx_parser *p, const struct ptx_scope *s, size_t first)
{
	uint32_t open;

	for (uint32_t i = 0; p->fixups.n > first && i < s->n_symbols; i++) {
		struct ptx_symbol *sym = s->symbols[i];

		if (sym->kind != PTX_SYM_LABEL || !hash_map_get(&p->pending, sym->name.s, sym->name.n, &open) ||
		    open <= first)
			continue;
		for (; open > first; open = p->fixups.v[open - 1].older) {
			*p->fixups.v[open - 1].place = sym;
			p->fixups.v[open - 1].place = NULL;
		}
		hash_map_put(&p->pending, sym->name.s, sym->name.n, open);
	}
}

static void report_fixups(struct ptx_parser *p, struct ptx_function *f)
{
	for (size_t i = 0; i < p->fixups.n; i++) {
		const struct ptx_fixup *x = &p->fixups.v[i];

		if (!x->place)
			continue;
		struct ptx_symbol *poison = ptx_scope_find_here(f->scope, x->name);

		if (!poison || poison->kind != PTX_SYM_LABEL) {
			ptx_parse_error(p, x->at, "label '%s' is not defined in this function, or only inside braces",
					ptx_parse_show(p, x->name));
			poison = POOL_NEW(&p->m->pool, struct ptx_symbol);
			poison->name = x->name;
			poison->kind = PTX_SYM_LABEL;
			poison->label_at = (uint32_t)p->insns.n;
			ptx_scope_add(p->m, f->scope, poison);
		}
		*x->place = poison; /* so that later passes find no hole */
	}
	p->fixups.n = 0;
	hash_map_free(&p->pending);
}

static bool parse_target_range(struct ptx_parser *p, struct ptx_slice name, uint32_t *count)
{
	ptx_offset at = p->tok.at;

	*count = 0;
	if (!ptx_parse_accept(p, '<'))
		return true;
	if (!ptx_parse_u32(p, count, "the number of labels") ||
	    !ptx_parse_expect(p, '>', "'>' after the number of labels"))
		return false;
	if (*count && *count <= PTX_MAX_ELEMS)
		return true;
	ptx_parse_error(p, at, "%s<%u>: expected 1 to %u labels", ptx_parse_show(p, name), *count, PTX_MAX_ELEMS);
	return false;
}

struct names {
	struct ptx_slice *v;
	size_t n, cap;
};

static void add_name(struct ptx_parser *p, struct names *names, struct ptx_slice name, uint32_t count)
{
	for (uint32_t i = 0; i < (count ? count : 1); i++) {
		struct ptx_slice one = name;

		if (count) {
			char digits[12];
			int n = snprintf(digits, sizeof(digits), "%u", i);
			char *s = pool_alloc(&p->m->pool, name.n + (size_t)n);

			memcpy(s, name.s, name.n);
			memcpy(s + name.n, digits, (size_t)n);
			one = (struct ptx_slice){s, name.n + (uint32_t)n};
		}
		PTX_GROW(*names);
		names->v[names->n++] = one;
	}
}

static bool parse_target_names(struct ptx_parser *p, struct names *names)
{
	do {
		struct ptx_slice name = ptx_parse_slice(p, &p->tok);
		uint32_t count;

		if (p->tok.kind != PTX_TOK_NAME)
			return ptx_parse_unexpected(p, "a name");
		ptx_parse_advance(p);
		if (!parse_target_range(p, name, &count))
			return false;
		if (names->n + count > PTX_MAX_ELEMS) {
			ptx_parse_error(p, p->tok.at, "more than %u targets", PTX_MAX_ELEMS);
			return false;
		}
		add_name(p, names, name, count);
	} while (ptx_parse_accept(p, ','));
	return true;
}

/* A table's name in the table itself is the place where it stands. */
static struct ptx_symbol *label_here(struct ptx_parser *p, const struct ptx_symbol *table)
{
	struct ptx_symbol *label = pool_dup(&p->m->pool, table, sizeof(*table));

	label->kind = PTX_SYM_LABEL;
	label->label_at = (uint32_t)p->insns.n;
	return label;
}

/* `NAME: .branchtargets A, B;` and `.calltargets f, g;` */
static bool parse_targets(struct ptx_parser *p, struct ptx_symbol *sym, bool calls)
{
	struct names names = {0};
	ptx_offset at;

	ptx_parse_advance(p);
	at = p->tok.at;
	bool ok = parse_target_names(p, &names);

	if (ok) {
		sym->targets = PTX_POOL_COPY(p, names);
		sym->n_targets = (uint32_t)names.n;
		sym->target_symbols = POOL_ARRAY(&p->m->pool, struct ptx_symbol *, names.n);
	}
	free(names.v);
	for (uint32_t i = 0; ok && i < sym->n_targets; i++) {
		if (!calls && sym->targets[i].n == sym->name.n &&
		    !memcmp(sym->targets[i].s, sym->name.s, sym->name.n)) {
			sym->target_symbols[i] = label_here(p, sym);
			continue;
		}
		if (!calls) {
			ptx_parse_fixup(p, sym->targets[i], &sym->target_symbols[i], at);
			continue;
		}
		sym->target_symbols[i] = ptx_scope_find_here(p->m->scope, sym->targets[i]);
		if (!sym->target_symbols[i] || !sym->target_symbols[i]->function)
			ptx_parse_error(p, at, "call target '%s' is not a declared function",
					ptx_parse_show(p, sym->targets[i]));
	}
	return ok && ptx_parse_expect(p, ';', "';' after the targets");
}

/* What follows `NAME:`. */
static bool parse_labelled(struct ptx_parser *p, const struct ptx_token *name)
{
	enum ptx_keyword k = ptx_parse_keyword(p, &p->tok);
	struct ptx_symbol *sym = ptx_parse_new_symbol(p, PTX_SYM_LABEL, name);

	if (k == KW_BRANCHTARGETS || k == KW_CALLTARGETS) {
		sym->kind = PTX_SYM_TARGETS;
		ptx_parse_declare(p, sym);
		return parse_targets(p, sym, k == KW_CALLTARGETS);
	}
	if (k == KW_CALLPROTOTYPE) {
		sym->kind = PTX_SYM_PROTOTYPE;
		ptx_parse_advance(p);
		sym->function = ptx_parse_prototype(p);
		if (!sym->function)
			return false;
		sym->function->symbol = sym;
		ptx_parse_declare(p, sym);
		return ptx_parse_expect(p, ';', "';' after the prototype");
	}
	sym->label_at = (uint32_t)p->insns.n;
	if (ptx_parse_declare(p, sym)) {
		PTX_GROW(p->labels);
		p->labels.v[p->labels.n++] = sym;
	}
	return true;
}

/* ---- instructions ---- */

static bool parse_guard(struct ptx_parser *p, struct ptx_insn *insn)
{
	ptx_parse_advance(p);
	insn->guard_negated = ptx_parse_accept(p, '!');
	if (p->tok.kind != PTX_TOK_NAME)
		return ptx_parse_unexpected(p, "a predicate register after '@'");
	insn->guard = ptx_parse_resolve(p, &p->tok, &insn->guard_number);
	if (!insn->guard)
		ptx_parse_undeclared(p, &p->tok);
	else if (insn->guard->kind != PTX_SYM_REG || (insn->guard->type != ISA_PRED && insn->guard->type != ISA_NOTYPE))
		ptx_parse_error(p, p->tok.at, "guard '%s' is not a predicate register",
				ptx_parse_show(p, ptx_parse_slice(p, &p->tok)));
	else if (insn->guard->type == ISA_NOTYPE)
		p->bad_insn = true;
	ptx_parse_advance(p);
	if (p->tok.kind != PTX_TOK_NAME)
		return ptx_parse_unexpected(p, "an instruction after the guard");
	return true;
}

/* Blanks inside an opcode (`add .u32`): its text without them. */
static struct ptx_slice join_opcode(struct ptx_parser *p, struct ptx_slice text)
{
	while (p->tok.kind == PTX_TOK_DIRECTIVE) {
		struct ptx_token t = p->tok;

		ptx_lex_opcode(&p->lex, &t);
		char *s = pool_alloc(&p->m->pool, (size_t)text.n + t.n);

		memcpy(s, text.s, text.n);
		memcpy(s + text.n, p->m->text + t.at, t.n);
		text = (struct ptx_slice){s, text.n + t.n};
		ptx_parse_advance(p);
		if (text.n > 4096) {
			ptx_parse_unexpected(p, "an operand or ';': the opcode is too long");
			break;
		}
	}
	return text;
}

static void parse_opcode(struct ptx_parser *p, struct ptx_insn *insn)
{
	struct ptx_token t = p->tok;

	ptx_lex_opcode(&p->lex, &t);
	p->mnemonic = (struct ptx_slice){p->m->text + t.at, p->tok.n};
	p->tok.n = t.n;
	ptx_parse_advance(p);
	struct ptx_slice text = ptx_parse_slice(p, &t);

	if (p->tok.kind == PTX_TOK_DIRECTIVE)
		text = join_opcode(p, text);
	insn->opcode = ptx_opcode_intern(p->m, text);
}

/* Returns whether the token behind an opcode can't be an operand and begins what comes next: a '}', or on a new line a guard, a directive or a mnemonic
 * that isn't also a name. */
static bool begins_another(struct ptx_parser *p)
{
	uint32_t number;
	if (p->tok.kind == '}')
		return true;
	if (!p->tok.first)
		return false;
	if (p->tok.kind == '@' || p->tok.kind == PTX_TOK_DIRECTIVE)
		return true;
	return p->tok.kind == PTX_TOK_NAME && isa_opcode_find(p->m->text + p->tok.at, p->tok.n) != ISA_OP_NONE && !ptx_parse_resolve(p, &p->tok, &number);
}

bool ptx_parse_unguarded(struct ptx_parser *p, struct ptx_insn *insn)
{
	parse_opcode(p, insn);
	if (begins_another(p) && ptx_parse_missing_semicolon(p))
		return false;
	return p->tok.kind == ';' || ptx_parse_operands(p, insn);
}

/* Parses an instruction of PTX, from its guard to its semicolon. */
static bool parse_ptx(struct ptx_parser *p, struct ptx_insn *insn)
{
	return (p->tok.kind != '@' || parse_guard(p, insn)) && ptx_parse_unguarded(p, insn);
}

static bool parse_instruction(struct ptx_parser *p)
{
	struct ptx_insn insn = {.at = p->tok.at, .loc = p->loc, .operands = p->no_operands};
	uint32_t scope = p->nest[p->n_nest - 1].scope;

	p->bad_insn = false;
	insn.line = ptx_parse_line(p, insn.at);
	insn.scope = scope < UINT16_MAX ? (uint16_t)scope : UINT16_MAX;
	if (!(p->m->dialect ? p->m->dialect->instruction(p, &insn) : parse_ptx(p, &insn)))
		return false;
	insn.end = p->tok.at + 1;
	if (p->tok.kind != ';') {
		insn.end = p->prev_end;
		if (!ptx_parse_missing_semicolon(p))
			ptx_parse_unexpected(p, "',' or ';' after the operand");
		return false;
	}
	ptx_parse_advance(p);
	if (p->bad_insn)
		return true;
	PTX_GROW(p->insns);
	p->insns.v[p->insns.n++] = insn;
	return true;
}

/* ---- statements and scopes ---- */

static bool open_scope(struct ptx_parser *p, struct ptx_scope *s)
{
	if (p->n_nest >= PTX_MAX_SCOPES) {
		ptx_parse_error(p, p->tok.at, "nested too deeply: at most %u levels", PTX_MAX_SCOPES);
		p->stop = true;
		p->tok.kind = PTX_TOK_END;
		return false;
	}
	s->first_insn = (uint32_t)p->insns.n;
	p->nest[p->n_nest].at = p->tok.at;
	p->nest[p->n_nest].scope = (uint32_t)p->scopes.n;
	p->nest[p->n_nest++].fixups = (uint32_t)p->fixups.n;
	PTX_GROW(p->scopes);
	p->scopes.v[p->scopes.n++] = s;
	ptx_parse_enter(p, s);
	ptx_parse_advance(p);
	return true;
}

static void close_scope(struct ptx_parser *p)
{
	resolve_fixups(p, p->scope, p->nest[--p->n_nest].fixups);
	p->scope->end_insn = (uint32_t)p->insns.n;
	ptx_parse_leave(p);
}

static bool parse_name_statement(struct ptx_parser *p)
{
	struct ptx_token name = p->tok;
	uint32_t after = p->lex.pos;

	if (after >= p->lex.n || p->lex.text[after] != '.') {
		struct ptx_token next;

		ptx_lex_next(&p->lex, &next);
		if (next.kind == ':') {
			bool ok = ptx_parse_declarable(p);

			ptx_parse_advance(p);
			return ok && parse_labelled(p, &name);
		}
		p->lex.pos = after;
	}
	if (ptx_parse_slice(p, &name).s[0] == '%')
		return ptx_parse_unexpected(p, "an instruction, a label or a directive");
	return parse_instruction(p);
}

static bool parse_statement(struct ptx_parser *p)
{
	enum ptx_keyword k = ptx_parse_keyword(p, &p->tok);

	if (p->tok.kind == PTX_TOK_NAME)
		return parse_name_statement(p);
	if (p->tok.kind == '@')
		return parse_instruction(p);
	if (k == KW_LOC)
		return ptx_parse_loc(p);
	if (k == KW_PRAGMA)
		return ptx_parse_pragma(p, false);
	if (k == KW_TARGET)
		return ptx_parse_inner_target(p);
	if (ptx_parse_is_space(k))
		return ptx_parse_variables(p, ISA_LINK_NONE);
	if (k == KW_EXTERN || k == KW_VISIBLE || k == KW_WEAK || k == KW_COMMON) {
		ptx_parse_error(p, p->tok.at, "linkage is for the module's variables: not allowed inside a function");
		return false;
	}
	return ptx_parse_unexpected(p, "an instruction, a label or a directive");
}

/* Continues after an error; always moves, unless the text is at its end. */
static void recover(struct ptx_parser *p, uint32_t before)
{
	p->skipping = true;
	if (p->tok.at == before && p->tok.kind != PTX_TOK_END)
		ptx_parse_advance(p);
	ptx_parse_skip_statement(p);
}

static void parse_statements(struct ptx_parser *p)
{
	while (p->tok.kind != PTX_TOK_END) {
		uint32_t before = p->tok.at;

		if (p->tok.kind == '}') {
			close_scope(p);
			if (!p->n_nest)
				return;
			ptx_parse_advance(p);
		} else if (p->tok.kind == '{') {
			open_scope(p, ptx_scope_new(p->m, p->scope, p->fn));
		} else if (!parse_statement(p)) {
			recover(p, before);
		}
	}
	if (p->n_nest) {
		char what[48];

		snprintf(what, sizeof(what), "'}' for the '{' of line %u",
			 ptx_parse_line(p, p->nest[p->n_nest - 1].at));
		ptx_parse_unexpected(p, what);
	}
	while (p->n_nest)
		close_scope(p);
}

void ptx_parse_body(struct ptx_parser *p, struct ptx_function *f)
{
	p->insns.n = p->labels.n = p->scopes.n = p->fixups.n = p->ops.n = 0;
	p->n_nest = 0;
	p->loc = UINT32_MAX;
	p->fn = f;
	if (open_scope(p, f->scope))
		parse_statements(p);
	report_fixups(p, f);
	p->fn = NULL;
	f->end = p->tok.at + p->tok.n;
	if (p->tok.kind == '}')
		ptx_parse_advance(p);
	f->insns = PTX_POOL_COPY(p, p->insns);
	f->n_insns = (uint32_t)p->insns.n;
	f->labels = PTX_POOL_COPY(p, p->labels);
	f->n_labels = (uint32_t)p->labels.n;
	f->scopes = PTX_POOL_COPY(p, p->scopes);
	f->n_scopes = (uint32_t)p->scopes.n;
}
