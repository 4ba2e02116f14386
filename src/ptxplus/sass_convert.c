/* Converts a listing with its companions to PTXPlus: the order of the text, functions, declarations, labels. */
#include "ptxplus/sass_convert.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "ptx/scope.h"

/* ---- the .ptx ---- */

static struct ptx_slice target_text(const struct sass_source *s)
{
	static const char word[] = ".target";
	const char *at = memmem(s->ptx, s->n_ptx, word, sizeof word - 1), *const end = s->ptx + s->n_ptx;
	if (!at)
		return (struct ptx_slice){"", 0};
	for (at += sizeof word - 1; at < end && (*at == ' ' || *at == '\t'); at++)
		;
	const char *stop = at;
	while (stop < end && *stop != '\n')
		stop++;
	while (stop > at && (stop[-1] == ' ' || stop[-1] == '\t' || stop[-1] == '\r'))
		stop--;
	return (struct ptx_slice){at, (uint32_t)(stop - at)};
}

static const struct ptx_function *declared(const struct sass_converter *c, struct ptx_slice name)
{
	const struct ptx_symbol *s = ptx_scope_find_here(c->ptx.scope, name);
	return s && s->kind == PTX_SYM_FUNCTION ? s->function : NULL;
}

/* ---- what stands in front of the functions ---- */

static void put_words(struct text *out, const struct sass_constant *k)
{
	text_addf(out, ".const .u32 constant%d%s[%zu] = {\n", k->kernel != NULL, k->kernel ? k->kernel : "", k->n);
	for (size_t i = 0; i < k->n; i++)
		text_addf(out, "%s0x%08x%s", i % 4 ? " " : "          ", k->words[i], i + 1 == k->n ? "\n" : i % 4 == 3 ? ",\n" : ",");
	text_add(out, "};\n");
}

static void put_constants(const struct sass_converter *c, struct text *out)
{
	text_add(out, "\n");
	for (size_t k = 0; k < c->elf.n_constants; k++)
		if (!c->elf.constants[k].kernel && c->elf.constants[k].n)
			put_words(out, &c->elf.constants[k]);
	text_add(out, "\n");
	for (size_t k = 0; k < c->elf.n_constants; k++)
		if (c->elf.constants[k].kernel && c->elf.constants[k].n) {
			put_words(out, &c->elf.constants[k]);
			text_add(out, "\n");
		}
	text_add(out, "\n\n");
}

static void put_variables(const struct sass_converter *c, struct text *out)
{
	for (uint32_t k = 1; k <= c->elf.n_locals; k++)
		text_addf(out, ".local .b8 l%u[0];\n", k);
	for (size_t k = 0; k < c->elf.n_symbols; k++) {
		const struct sass_symbol *s = &c->elf.symbols[k];
		if (s->info == 11 && s->section == c->elf.global_section)
			text_addf(out, ".global .b8 %s[%u];\n", s->name, s->size);
	}
	for (size_t k = 0; k < c->elf.n_symbols; k++) {
		const struct sass_symbol *s = &c->elf.symbols[k];
		if (s->info == 11 && s->section != c->elf.global_section)
			text_addf(out, ".const .b8 %s[%u];\n.constptr %s, constant0, %u;\n\n", s->name, s->size, s->name, s->value);
	}
}

static void put_header(const struct sass_converter *c, struct text *out)
{
	const struct ptx_slice target = target_text(c->source);
	text_addf(out, "//HEADER\n.version %u.%u+\n.target %.*s\n//END HEADER\n\n\n//INSTRUCTIONS\n", c->ptx.version_major, c->ptx.version_minor,
		  (int)target.n, target.s);
	if (c->source->with_lines)
		text_addf(out, ".file 1 \"%s\"\n", c->source->name);
	put_constants(c, out);
	put_variables(c, out);
}

/* ---- functions ---- */

static bool op_is(const struct sass_insn *in, const char *op) { return in->op.n == strlen(op) && !memcmp(in->op.s, op, in->op.n); }

static void note_addresses(struct sass_converter *c)
{
	for (uint32_t k = c->function->end; k-- > c->function->first;) {
		const struct sass_insn *in = &c->listing.insns[k];
		const uint32_t *target = op_is(in, "BRA") || op_is(in, "CAL") || op_is(in, "PBK") ? sass_target(in) : NULL;
		c->addresses[in->address].insn = k + 1;
		if (target && *target < SASS_ADDRESSES)
			c->addresses[*target].is_target = true;
	}
}

static void forget_addresses(struct sass_converter *c)
{
	for (uint32_t k = c->function->first; k < c->function->end; k++) {
		const uint32_t *target = sass_target(&c->listing.insns[k]);
		c->addresses[c->listing.insns[k].address] = (struct sass_address){0};
		if (target && *target < SASS_ADDRESSES)
			c->addresses[*target] = (struct sass_address){0};
	}
}

/* PBKs in effect, the innermost first. */
struct kept {
	const struct sass_insn *pbk;
	const struct kept *below;
};
struct search {
	struct sass_converter *c;
	struct pool pool;
	bool *seen;
	const struct kept **before;
	uint32_t *open;
	uint32_t n_open;
};

static void reach(struct search *s, uint32_t at, const struct kept *k)
{
	const struct sass_function *f = s->c->function;
	if (at < f->first || at >= f->end || s->seen[at - f->first])
		return;
	s->seen[at - f->first] = true;
	s->before[at - f->first] = k;
	s->open[s->n_open++] = at;
}

static void reach_target(struct search *s, const struct sass_insn *in, const struct kept *k)
{
	if (sass_target(in))
		reach(s, sass_insn_at(s->c, *sass_target(in)), k);
}

static void follow(struct search *s, uint32_t at)
{
	const struct sass_insn *in = &s->c->listing.insns[at];
	const struct kept *k = s->before[at - s->c->function->first];
	bool goes_on = in->guard >= 0 || (op_is(in, "BRA") && in->n == 2);
	if (op_is(in, "PBK") && sass_target(in)) {
		struct kept *more = POOL_NEW(&s->pool, struct kept);
		*more = (struct kept){in, k};
		k = more;
		goes_on = true;
	} else if (op_is(in, "BRK")) {
		s->c->brk[at] = k ? k->pbk : NULL;
		if (k)
			reach_target(s, k->pbk, k->below);
	} else if (op_is(in, "BRA") || op_is(in, "CAL")) {
		reach_target(s, in, k);
		goes_on |= op_is(in, "CAL");
	} else {
		goes_on |= !op_is(in, "EXIT") && !op_is(in, "RET");
	}
	if (goes_on)
		reach(s, at + 1, k);
}

static void find_breaks(struct sass_converter *c)
{
	const uint32_t n = c->function->end - c->function->first;
	struct search s = {.c = c, .seen = xcalloc(n + 1, sizeof *s.seen), .before = xcalloc(n + 1, sizeof *s.before), .open = xcalloc(n + 1, sizeof *s.open)};
	reach(&s, c->function->first, NULL);
	while (s.n_open)
		follow(&s, s.open[--s.n_open]);
	free(s.seen);
	free(s.before);
	free(s.open);
	pool_free(&s.pool);
}


static void put_code(struct sass_converter *c)
{
	for (uint32_t k = c->function->first; k < c->function->end; k++) {
		c->in = &c->listing.insns[k];
		if (c->source->with_lines)
			text_addf(&c->code, "\t.loc 1 %u 0\n", c->in->line);
		text_addc(&c->code, '\t');
		if (c->addresses[c->in->address].is_target)
			text_addf(&c->code, "l0x%08x: ", c->in->address);
		sass_put_instruction(c);
		text_addc(&c->code, '\n');
	}
}

static void put_parameters(const struct ptx_function *f, struct text *out)
{
	for (uint32_t k = 0; f && k < f->n_params; k++) {
		const struct ptx_symbol *s = f->params[k];
		text_addf(out, "%s\t.param  ", k ? " ,\n" : "");
		if (s->n_dims)
			text_addf(out, ".align %u ", s->align);
		text_addf(out, ".%s %.*s", isa_type_info[s->type].name, (int)s->name.n, s->name.s);
		if (s->n_dims)
			text_addf(out, "[%llu]", (unsigned long long)s->dims[0]);
	}
	if (f && f->n_params)
		text_add(out, " ");
}

static void put_declarations(const struct sass_converter *c, struct text *out)
{
	const struct sass_used *u = &c->used;
	if (u->registers >= 0)
		text_addf(out, "\t.reg .u32 $r<%d>;\n", u->registers + 1);
	if (u->addresses >= 0)
		text_addf(out, "\t.reg .u32 $ofs<%d>;\n", u->addresses + 1);
	if (u->predicates >= 0)
		text_addf(out, "\t.reg .pred $p<%d>;\n", u->predicates < 4 ? 4 : u->predicates + 1);
	if (u->r124)
		text_add(out, "\n\t.reg .u32 $r124;\n");
	if (u->o127)
		text_add(out, "\n\t.reg .u32 $o127;\n");
	text_add(out, "\n\t\n");
}

static void put_function(struct sass_converter *c, const struct sass_function *f)
{
	const struct ptx_function *ptx = declared(c, f->name);
	static const char dummy[] = "__cuda_dummy_entry__";
	c->function = f;
	c->used = (struct sass_used){-1, -1, -1, false, false};
	text_clear(&c->code);
	if (!ptx && (f->name.n != sizeof dummy - 1 || memcmp(f->name.s, dummy, f->name.n))) {
		sass_say(c->source, (struct sass_place){f->name.s, f->line}, DIAG_ERROR, c->diags, "%s does not declare the function %.*s",
			 c->source->ptx_name, (int)f->name.n, f->name.s);
		c->failed = true;
		return;
	}
	note_addresses(c);
	find_breaks(c);
	put_code(c);
	forget_addresses(c);
	text_addf(c->out, "\n.entry  %.*s (\n", (int)f->name.n, f->name.s);
	put_parameters(ptx, c->out);
	text_add(c->out, ")\n{\n");
	put_declarations(c, c->out);
	text_add(c->out, text_str(&c->code));
	text_add(c->out, "\n\tl_exit: exit;\n}\n");
}

static bool read_all(struct sass_converter *c)
{
	const struct sass_source *s = c->source;
	c->ptx = (struct ptx_module){.file = s->ptx_name, .text = s->ptx, .n_text = s->n_ptx, .diags = c->diags, .is_plus = true};
	return ptx_parse(&c->ptx) && sass_elf_read(s, &c->elf, c->diags) && sass_read(s, &c->listing, c->diags);
}

bool sass_convert(const struct sass_source *s, struct text *out, struct diag_list *diags)
{
	struct text text = {0};
	struct sass_converter c = {.source = s, .diags = diags, .out = &text};
	c.failed = !read_all(&c);
	if (!c.failed) {
		c.brk = xcalloc(c.listing.n_insns + 1, sizeof *c.brk);
		c.addresses = xcalloc(SASS_ADDRESSES, sizeof *c.addresses);
		put_header(&c, &text);
		for (size_t k = c.listing.n_functions; k-- > 0;)
			put_function(&c, &c.listing.functions[k]);
		text_add(&text, "//END INSTRUCTIONS\n");
	}
	if (!c.failed)
		text_add(out, text_str(&text));
	text_free(&text);
	text_free(&c.code);
	text_free(&c.modifiers);
	free(c.brk);
	free(c.addresses);
	free(c.listing.insns);
	free(c.listing.functions);
	sass_elf_free(&c.elf);
	ptx_module_free(&c.ptx);
	return !c.failed;
}
