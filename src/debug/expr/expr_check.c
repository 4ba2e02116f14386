/* Checks that the names in an expression are known, when a condition is set. */
#include <string.h>

#include "debug/expr/expr.h"
#include "debug/expr/expr_internal.h"
#include "debug/expr/fields.h"
#include "debug/view/functions.h"
#include "debug/view/focus.h"
#include "debug/view/view.h"
#include "gpu/statistics/statistics.h"

struct check {
	struct name_place at;
	struct text *why;
};

static bool known_in(struct debug *d, const struct isa_function *f, uint32_t pc, const struct node *n)
{
	struct debug_frame frame = {.function = f, .pc = pc};
	struct debug_symbol s;
	char name[160];
	size_t length = expr_with_percent(n->text, n->n, name, sizeof name);
	return debug_lookup(d, NULL, &frame, n->text, n->n, &s) ||
	       cnames_is_local(cnames_scope(d, f, pc, 0), n->text, n->n) ||
	       (length && debug_lookup(d, NULL, &frame, name, length, &s));
}

static bool known_below(const struct cscope *s, const struct node *n)
{
	if (s && cnames_is_local(s, n->text, n->n))
		return true;
	for (const struct cscope *c = s ? s->child : NULL; c; c = c->next)
		if (known_below(c, n))
			return true;
	return false;
}

/* A name that would be found at some instruction of the function. */
static bool known_somewhere(struct debug *d, const struct isa_function *f, const struct node *n)
{
	if (known_in(d, f, f->first, n))
		return true;
	for (uint32_t k = 0; k < f->n_regs; k++)
		if (known_in(d, f, f->regs[k].scope_first, n))
			return true;
	return known_below(cnames_function(d, f), n);
}

bool expr_is_cuda_name(const char *s)
{
	static const char *const names[] = {"threadIdx", "blockIdx", "blockDim", "gridDim",
					    "%tid",	 "%ctaid",   "%ntid",	 "%nctaid"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		size_t n = strlen(names[i]);
		if (!strncmp(s, names[i], n) && (!s[n] || s[n] == '.'))
			return true;
	}
	return !strcmp(s, "warpSize");
}

bool name_is_symbol(const struct name_place *at, const struct node *n)
{
	const struct isa_program *p = debug_program(at->d);
	struct debug_symbol s;
	if (at->function && !n->is_global ? known_in(at->d, at->function, at->pc, n)
					  : debug_lookup(at->d, NULL, NULL, n->text, n->n, &s))
		return true;
	for (uint32_t i = 0; !at->function && i < p->n_functions; i++)
		if (!p->functions[i]->unloaded && known_somewhere(at->d, p->functions[i], n))
			return true;
	return false;
}

bool expr_no_statistic(struct debug *d, const char *name, struct text *why)
{
	struct text meant = {0};
	gpu_statistics_suggest(d->g, name, "", &meant);
	debug_fail(why, "no statistic is called %s%s%s", name, gpu_counts_performance(d->g) ? "" : " in functional mode",
		   meant.n		      ? text_str(&meant)
		   : gpu_counts_performance(d->g) ? "; `stats --list` lists them"
					      : "; `stats` shows those that are counted");
	text_free(&meant);
	return false;
}

static bool is_slice(const struct node *index) { return index && index->kind == NODE_SLICE && !index->a; }

static bool has_slice(const struct node *n) { return is_slice(n->a) || is_slice(n->b) || is_slice(n->c); }

/* Depth is bounded by the parser's. */
static bool check_node(const struct check *c, const struct node *n)
{
	if (!n)
		return true;
	struct plus_found found;
	if (plus_find(&c->at, n, &found))
		return check_node(c, n->kind == NODE_INDEX ? n->b : NULL);
	if (n->kind == NODE_NAME && field_is_root(n->text) && !expr_name_is_known(&c->at, n))
		return debug_fail(c->why,
				  "%s is a part of the machine: name one of its fields; `info fields %s*` lists them",
				  n->text, n->text);
	if (n->kind == NODE_NAME && !expr_name_is_known(&c->at, n))
		return n->text[0] == '%' ? debug_fail(c->why, "No register \"%s\" here.", n->text)
					 : debug_no_symbol(c->at.d, c->at.function, n->text, c->why);
	struct statistic_value ignored;
	if (n->kind == NODE_STATISTIC && gpu_statistic_get(c->at.d->g, n->text, &ignored) == STATISTIC_IS_UNKNOWN)
		return expr_no_statistic(c->at.d, n->text, c->why);
	if (n->kind == NODE_FIELD && !field_known(c->at.d, n->text) && !field_is_part(c->at.d, n->text))
		return debug_fail(c->why, "the machine has no field %s; `info fields` lists them", n->text);
	if (n->kind == NODE_FIELD && (!field_known(c->at.d, n->text) || has_slice(n)))
		return debug_fail(c->why, "%s are several fields of the machine, which print shows: name one of them", n->text);
	return check_node(c, n->a) && check_node(c, n->b) && (n->kind == NODE_SPACE || check_node(c, n->c));
}

bool expr_check_names(struct debug *d, const struct expr *e, const uint32_t *pcs, uint32_t n, struct text *why)
{
	const struct isa_program *p = debug_program(d);
	if (!p->n_functions)
		return true;
	struct check c = {.at.d = d, .why = why};
	if (!n)
		return check_node(&c, e->root);
	for (uint32_t k = 0; k < n; k++) { /* of several places one is enough */
		text_clear(why);
		c.at.pc = pcs[k];
		c.at.function = isa_program_function_at(p, pcs[k]);
		if (check_node(&c, e->root))
			return true;
	}
	return false;
}

/* Returns true if some function of PTXPlus has a register of that name. */
static bool plus_register_anywhere(const struct debug *d, const struct node *n)
{
	const struct isa_program *p = debug_program(d);
	struct plus_found found;
	for (uint32_t k = 0; k < p->n_functions; k++)
		if (plus_find(&(struct name_place){(struct debug *)d, p->functions[k], p->functions[k]->first}, n, &found))
			return true;
	return false;
}

const char *expr_unwatchable(const struct debug *d, const struct expr *e)
{
	const struct node *n = e->root;
	if (n->kind == NODE_NAME && n->text[0] == '%')
		return "a special register doesn't change by instructions, the machine sets it";
	if (n->kind == NODE_DOLLAR && plus_register_anywhere(d, n))
		return NULL;
	if (n->kind == NODE_DOLLAR && !debug_variable_get(d, n->text) && n->text[0] >= 'a' && n->text[0] <= 'z')
		return "it is the debugger's, no place in memory and no register; `run-to-cycle` and conditions can "
		       "wait for it";
	if (n->kind == NODE_STATISTIC)
		return "it is a figure that the machine counts; a condition can wait for it";
	if (n->kind == NODE_NUMBER && (n->number.u.u64 >> 63 || isa_type_is_float(n->number.type)))
		return "it is a number, no address";
	return NULL;
}
