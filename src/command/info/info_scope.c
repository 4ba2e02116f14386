/* info scope and info types: variables and types of the source. */
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/csource/cnames.h"
#include "debug/ground/scan.h"
#include "command/info.h"
#include "debug/view/source.h"
#include "debug/view/view.h"

/* ---- info scope ---- */

static void place_text(const struct isa_function *f, const struct cplace *p, struct text *out)
{
	char name[160] = "a register";
	switch (p->kind) {
	case CPLACE_REGISTER:
	case CPLACE_INDIRECT:
		isa_function_reg_name(f, p->reg.is_pred ? ISA_RW_PRED(p->reg.ref) : ISA_RW_ROW(p->reg.ref), name,
				      sizeof name);
		text_addf(out, p->kind == CPLACE_REGISTER && !p->is_pointed_to ? "in %s" : "at the address in %s",
			  name);
		break;
	case CPLACE_VARIABLE:
		text_addf(out, "%s %s", p->is_pointed_to ? "at the address in" : "in", p->variable->name);
		break;
	case CPLACE_VALUE: text_addf(out, "constant %lld", (long long)p->offset); return;
	default: text_add(out, "nowhere"); return;
	}
	if (p->offset)
		text_addf(out, " at offset %lld", (long long)p->offset);
}

static void scope_line(const struct isa_function *f, const struct cvar *v, struct text *out)
{
	text_addf(out, "Symbol %s is ", v->name);
	if (!v->n_places)
		text_add(out, "optimized out");
	for (uint32_t i = 0; i < v->n_places; i++) {
		const struct cplace *p = &v->places[i];
		if (v->n_places > 1)
			text_addf(out, "%s\n  from 0x%x to 0x%x ",
				  i ? "," : "multi-location:", p->first * ISA_INSN_BYTES, p->end * ISA_INSN_BYTES);
		place_text(f, p, out);
	}
	text_addf(out, ", length %llu.\n", (unsigned long long)ctype_core(v->type)->bytes);
}

/* Adds a variable of a scope: `name`, `type`, `size_bytes`, and the list `places` of where it is between two pcs. */
static void describe_scoped(const struct isa_function *f, const struct cvar *v, struct report *answer)
{
	struct text text = {0};
	report_open(answer, NULL);
	report_text(answer, "name", v->name);
	ctype_text(v->type, false, &text);
	report_text(answer, "type", text_str(&text));
	report_number(answer, "size_bytes", ctype_core(v->type)->bytes);
	report_list(answer, "places");
	for (uint32_t i = 0; i < v->n_places; i++) {
		text_clear(&text);
		place_text(f, &v->places[i], &text);
		report_open(answer, NULL);
		report_hex(answer, "first", v->places[i].first * ISA_INSN_BYTES);
		report_hex(answer, "end", v->places[i].end * ISA_INSN_BYTES);
		report_text(answer, "place", text_str(&text));
		report_close(answer);
	}
	report_close(answer);
	scope_line(f, v, report_prose(answer));
	report_close(answer);
	text_free(&text);
}

/* Of functions inlined into each other that begin at one instruction the one that was asked for. */
static const struct cscope *scope_named(struct debug *d, const struct cscope *innermost, const char *name)
{
	const char *colon = strchr(name, ':');
	if (colon && colon[1] != ':') /* FILE:FUNCTION */
		name = colon + 1;
	for (const struct cscope *s = innermost; s; s = s->parent)
		if (s->is_apart && debug_name_fits(d, name, strlen(name), s->linkage))
			return s;
	return innermost;
}

/* gdb's: the variables of the function around a place, and where they are. */
bool info_scope(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct debug_location l;
	const char *end, *s = scan_blanks(args);
	bool pending;
	if (!*s)
		return debug_fail(why, "usage: info scope LOC");
	if (!debug_location_parse(d, s, &end, &l, &pending, why))
		return false;
	const struct isa_function *f = l.n ? isa_program_function_at(debug_program(d), l.pcs[0]) : NULL;
	const struct cscope *scope = f ? cnames_scope(d, f, l.pcs[0], 0) : NULL;
	bool any = false;
	if (l.is_function)
		scope = scope_named(d, scope, s);
	/* its block, which begins after its first instruction */
	if (l.is_function && scope && scope->child && !scope->child->next && !scope->child->is_apart)
		scope = scope->child;
	debug_location_free(&l);
	report_text(answer, "location", s);
	report_line(answer, "Scope for {location}:\n");
	report_list(answer, "variables");
	for (; scope; scope = scope->is_function || scope->is_apart ? NULL : scope->parent)
		for (uint32_t i = 0; i < scope->n_vars; i++) {
			describe_scoped(f, &scope->vars[i], answer);
			any = true;
		}
	report_close(answer);
	if (!any)
		report_say(answer, "No variables of the source are known there.\n");
	return true;
}

/* ---- info types ---- */

static int by_text(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

struct named_types {
	char **names;
	size_t n, cap;
	const regex_t *re;
};

static void add_type(void *self, const struct ctype *t)
{
	struct named_types *all = self;
	struct text name = {0};
	if (t->kind == CTYPE_TYPEDEF) {
		text_add(&name, "typedef ");
		ctype_declaration_text(t->target, t->name, &name);
	} else {
		text_add(&name, t->kind == CTYPE_ENUM ? "enum " : t->kind == CTYPE_UNION ? "union " : "");
		text_add(&name, t->kind == CTYPE_STRUCT || t->kind == CTYPE_CLASS ? "struct " : "");
		ctype_text(t, false, &name);
	}
	bool is_own = t->kind == CTYPE_TYPEDEF && t->target && t->target->name && !strcmp(t->target->name, t->name);
	if (is_own ||
	    regexec(all->re, t->name, 0, NULL, 0)) { /* is_own: typedef struct {...} NAME, which nvcc names, too */
		text_free(&name);
		return;
	}
	all->names = xgrow(all->names, &all->cap, all->n + 1, sizeof *all->names);
	all->names[all->n++] = text_take(&name);
}

bool info_types(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	regex_t re;
	struct named_types all = {.re = &re};
	const char *pattern = scan_blanks(args);
	if (regcomp(&re, pattern, REG_NOSUB))
		return debug_fail(why, "Invalid regexp: %s", pattern);
	cnames_each_type(d, add_type, &all);
	regfree(&re);
	if (all.n)
		qsort(all.names, all.n, sizeof *all.names, by_text);
	if (*pattern)
		report_say(answer, "All types matching regular expression \"%s\":\n", pattern);
	else
		report_say(answer, "All defined types:\n");
	report_list(answer, "types");
	for (size_t i = 0; i < all.n; i++) {
		if (i && !strcmp(all.names[i], all.names[i - 1]))
			continue;
		report_text(answer, NULL, all.names[i]);
		report_say(answer, "%s;\n", all.names[i]);
	}
	report_close(answer);
	for (size_t i = 0; i < all.n; i++)
		free(all.names[i]);
	free(all.names);
	return true;
}
