#include "isa/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void isa_program_init(struct isa_program *p)
{
	*p = (struct isa_program){0};
}

void isa_program_free(struct isa_program *p)
{
	if (p->link)
		p->link_free(p->link);
	free(p->insns);
	free(p->where);
	free(p->aux);
	free(p->rw);
	free(p->operands);
	free(p->consts);
	free(p->functions);
	free(p->variables);
	free(p->files);
	free(p->modules);
	free(p->locs);
	pool_free(&p->pool);
	*p = (struct isa_program){0};
}

const struct isa_function *isa_program_function_at(const struct isa_program *p, uint32_t index)
{
	/* functions are in instruction order; those without a body have first == end */
	uint32_t lo = 0, hi = p->n_functions;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (p->functions[mid]->end <= index)
			lo = mid + 1;
		else
			hi = mid;
	}
	while (lo < p->n_functions && p->functions[lo]->first == p->functions[lo]->end)
		lo++;
	if (lo == p->n_functions || p->functions[lo]->first > index || p->functions[lo]->end <= index)
		return NULL;
	return p->functions[lo];
}

const struct isa_function *isa_program_find_function(const struct isa_program *p, const char *name)
{
	const struct isa_function *declared = NULL;
	for (uint32_t i = p->n_functions; i-- > 0;) {
		const struct isa_function *f = p->functions[i];
		if (f->unloaded || strcmp(f->name, name))
			continue;
		if (f->is_defined)
			return f;
		if (!declared)
			declared = f;
	}
	return declared;
}

uint32_t isa_program_function_index(const struct isa_program *p, const struct isa_function *f)
{
	uint32_t i = 0;
	while (i < p->n_functions && p->functions[i] != f)
		i++;
	return i;
}

static bool reg_match(const struct isa_reg *r, const char *name, size_t n, uint32_t *number)
{
	size_t n_prefix = strlen(r->name);
	if (!r->count) {
		*number = 0;
		return n == n_prefix && !memcmp(r->name, name, n);
	}
	if (n <= n_prefix || n > n_prefix + 9 || memcmp(r->name, name, n_prefix))
		return false;
	uint32_t v = 0;
	for (size_t i = n_prefix; i < n; i++) {
		if (name[i] < '0' || name[i] > '9')
			return false;
		v = v * 10 + (uint32_t)(name[i] - '0');
	}
	if (name[n_prefix] == '0' && n > n_prefix + 1)
		return false;
	*number = v;
	return v < r->count;
}

bool isa_variable_is_local_to(const struct isa_variable *v, const char *function)
{
	size_t n = strlen(function);
	char length[24] = "";

	if (strncmp(v->name, "_ZZ", 3))
		return false;
	if (!strncmp(function, "_Z", 2)) {
		function += 2;
		n -= 2;
	} else {
		snprintf(length, sizeof length, "%zu", n);
	}
	const char *s = v->name + 3;
	size_t digits = strlen(length);
	return !strncmp(s, length, digits) && !strncmp(s + digits, function, n) && s[digits + n] == 'E';
}

bool isa_function_find_reg(const struct isa_function *f, const char *name, size_t n, uint32_t index, struct isa_reg_place *out)
{
	const struct isa_reg *best = NULL;
	uint32_t best_number = 0;
	for (uint32_t k = 0; k < f->n_regs; k++) {
		const struct isa_reg *r = &f->regs[k];
		uint32_t number;
		if (index < r->scope_first || index >= r->scope_end || !reg_match(r, name, n, &number))
			continue;
		/* the innermost scope is the shortest one */
		if (!best || r->scope_end - r->scope_first <= best->scope_end - best->scope_first) {
			best = r;
			best_number = number;
		}
	}
	if (!best)
		return false;
	bool pred = best->type == ISA_PRED;
	uint32_t step = pred ? 1 : isa_row_bytes(isa_type_bytes((enum isa_type)best->type));
	*out = (struct isa_reg_place){.type = (enum isa_type)best->type,
				      .is_pred = pred,
				      .ref = best->first + best_number * step};
	return true;
}

const struct isa_reg *isa_function_reg_of(const struct isa_function *f, uint32_t word, uint32_t *number)
{
	bool pred = ISA_RW_IS_PRED(word);
	uint32_t at = pred ? ISA_RW_PRED_SLOT(word) : word;
	for (uint32_t k = 0; k < f->n_regs; k++) {
		const struct isa_reg *r = &f->regs[k];
		if ((r->type == ISA_PRED) != pred || at < r->first)
			continue;
		uint32_t step = pred ? 1 : isa_row_bytes(isa_type_bytes((enum isa_type)r->type));
		*number = (at - r->first) / step;
		if (*number < (r->count ? r->count : 1) && !((at - r->first) % step))
			return r;
	}
	return NULL;
}

bool isa_function_reg_name(const struct isa_function *f, uint32_t word, char *out, size_t n_out)
{
	uint32_t number;
	const struct isa_reg *r = isa_function_reg_of(f, word, &number);
	if (r && r->count)
		snprintf(out, n_out, "%s%u", r->name, number);
	else if (r)
		snprintf(out, n_out, "%s", r->name);
	return r;
}

void isa_program_block(const struct isa_program *p, const struct isa_function *f, uint32_t pc, uint32_t *first, uint32_t *end)
{
	for (*first = pc; *first > f->first && !p->insns[*first - 1].ends_block;)
		--*first;
	for (*end = pc + 1; *end < f->end && !p->insns[*end - 1].ends_block;)
		++*end;
}
