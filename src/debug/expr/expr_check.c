/* Are the names in an expression known? Asked when a condition is set, long before it is evaluated. */
#include <string.h>

#include "debug/expr/expr.h"
#include "debug/expr/expr_internal.h"
#include "debug/expr/fields.h"
#include "debug/view/functions.h"
#include "debug/view/focus.h"
#include "debug/view/view.h"
#include "gpu/statistics/statistics.h"

struct check {
	struct debug *d;
	const struct isa_function *function; /* NULL: any will do */
	uint32_t pc;
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

static bool name_known(const struct check *c, const struct node *n)
{
	const struct isa_program *p = debug_program(c->d);
	const struct debug_where nobody = {0};
	struct debug_symbol s;
	struct expr_value v;
	uint32_t pc;
	if (c->function && !n->is_global ? known_in(c->d, c->function, c->pc, n)
					 : debug_lookup(c->d, NULL, NULL, n->text, n->n, &s))
		return true;
	for (uint32_t i = 0; !c->function && i < p->n_functions; i++)
		if (!p->functions[i]->unloaded && known_somewhere(c->d, p->functions[i], n))
			return true;
	if (debug_special_read(c->d, &nobody, n->text, n->n, &v) || expr_is_cuda_name(n->text) ||
	    debug_find_label(c->d, n->text, n->n, &pc))
		return true;
	if (cvalue_is_qualified(c->d, n) || cnames_global(c->d, c->function, n->text, n->n) ||
	    cnames_constant(c->d, n->text, n->n))
		return true;
	struct text ignored = {0};
	bool function = debug_find_function(c->d, n->text, n->n, &ignored) != NULL;
	text_free(&ignored);
	return function;
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
	if (n->kind == NODE_NAME && field_is_root(n->text) && !name_known(c, n))
		return debug_fail(c->why,
				  "%s is a part of the machine: name one of its fields; `info fields %s*` lists them",
				  n->text, n->text);
	if (n->kind == NODE_NAME && !name_known(c, n))
		return n->text[0] == '%' ? debug_fail(c->why, "No register \"%s\" here.", n->text)
					 : debug_no_symbol(c->d, c->function, n->text, c->why);
	struct statistic_value ignored;
	if (n->kind == NODE_STATISTIC && gpu_statistic_get(c->d->g, n->text, &ignored) == STATISTIC_IS_UNKNOWN)
		return expr_no_statistic(c->d, n->text, c->why);
	if (n->kind == NODE_FIELD && !field_known(c->d, n->text) && !field_is_part(c->d, n->text))
		return debug_fail(c->why, "the machine has no field %s; `info fields` lists them", n->text);
	if (n->kind == NODE_FIELD && (!field_known(c->d, n->text) || has_slice(n)))
		return debug_fail(c->why, "%s are several fields of the machine, which print shows: name one of them", n->text);
	return check_node(c, n->a) && check_node(c, n->b) && check_node(c, n->c);
}

bool expr_check_names(struct debug *d, const struct expr *e, const uint32_t *pcs, uint32_t n, struct text *why)
{
	const struct isa_program *p = debug_program(d);
	if (!p->n_functions)
		return true;
	struct check c = {.d = d, .why = why};
	if (!n)
		return check_node(&c, e->root);
	for (uint32_t k = 0; k < n; k++) { /* of several places one is enough */
		text_clear(why);
		c.pc = pcs[k];
		c.function = isa_program_function_at(p, pcs[k]);
		if (check_node(&c, e->root))
			return true;
	}
	return false;
}

const char *expr_unwatchable(const struct debug *d, const struct expr *e)
{
	const struct node *n = e->root;
	if (n->kind == NODE_NAME && n->text[0] == '%')
		return "a special register doesn't change by instructions, the machine sets it";
	if (n->kind == NODE_DOLLAR && !debug_variable_get(d, n->text) && n->text[0] >= 'a' && n->text[0] <= 'z')
		return "it is the debugger's, no place in memory and no register; `run-to-cycle` and conditions can "
		       "wait for it";
	if (n->kind == NODE_STATISTIC)
		return "it is a figure that the machine counts; a condition can wait for it";
	if (n->kind == NODE_NUMBER && (n->number.u.u64 >> 63 || isa_type_is_float(n->number.type)))
		return "it is a number, no address";
	return NULL;
}
