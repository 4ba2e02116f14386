/* Names that begin with what was typed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/csource/cnames.h"
#include "debug/expr/expr.h"
#include "debug/expr/value.h"
#include "debug/ground/ground.h"
#include "command/dump/machine_fields.h"
#include "debug/setup/buffer.h"
#include "debug/setup/launch.h"
#include "command/inspect.h"
#include "debug/view/focus.h"
#include "debug/view/source.h"
#include "debug/view/name_match.h"
#include "debug/view/view.h"
#include "gpu/statistics/statistics.h"
#include "isa/special.h"

#define MEMBERS_MAX 10000u

struct completion {
	struct debug *d;
	const char *prefix;
	size_t n;
	void (*add)(void *self, const char *name);
	void *self;
};

static void offer(const struct completion *c, const char *name)
{
	if (!strncmp(name, c->prefix, c->n))
		c->add(c->self, name);
}

static bool is_overloaded(const struct completion *c, const struct isa_function *f, const char *bare, size_t n)
{
	const struct isa_program *p = debug_program(c->d);
	for (uint32_t i = 0; i < p->n_functions; i++) {
		const struct isa_function *other = p->functions[i];
		size_t n_other;
		const char *name = other != f && !other->unloaded && other->demangled ? name_bare(other->demangled, &n_other) : NULL;
		if (name && n_other == n && !memcmp(name, bare, n) && strcmp(other->name, f->name))
			return true;
	}
	return false;
}

/* Offers a name's last part and all of it, without its template's arguments. */
static void plain_names(const struct completion *c, const char *bare, size_t n)
{
	const char *last = name_last_part(bare, n);
	const size_t arguments = (size_t)(bare + n - last), own = strcspn(last, "<");
	char *whole = xstrndup(bare, (size_t)(last - bare) + (own < arguments && own ? own : arguments));
	offer(c, whole);
	offer(c, whole + (last - bare));
	free(whole);
}

/* Offers the names of C++ by which a function is found: without its return type, with template arguments and parameters only where they are needed. */
static void cplusplus_names(const struct completion *c, const struct isa_function *f)
{
	size_t n;
	const char *bare = name_bare(f->demangled, &n);
	const size_t scope = name_file_scope(bare, n);
	bare += scope;
	n -= scope;
	plain_names(c, bare, n);
	char *whole = xstrndup(bare, n);
	if (memchr(c->prefix, '<', c->n))
		offer(c, whole);
	if (memchr(c->prefix, '(', c->n) || (!strncmp(whole, c->prefix, c->n) && is_overloaded(c, f, bare, n)))
		offer(c, bare);
	free(whole);
}

/* Offers CUDA's own variables, behind a dot their parts. */
static void cuda_variables(const struct completion *c)
{
	static const char *const names[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
	char part[16];
	for (size_t i = 0; i < 4; i++) {
		offer(c, names[i]);
		for (unsigned k = 0; k < 3 && memchr(c->prefix, '.', c->n); k++) {
			snprintf(part, sizeof part, "%s.%c", names[i], "xyz"[k]);
			offer(c, part);
		}
	}
	offer(c, "warpSize");
}

static void functions(const struct completion *c, bool kernels)
{
	const struct isa_program *p = debug_program(c->d);
	for (uint32_t i = 0; i < p->n_functions; i++) {
		const struct isa_function *f = p->functions[i];
		if (f->unloaded || !f->is_defined || (kernels && !f->is_kernel))
			continue;
		if (!f->demangled || !strncmp(c->prefix, "_Z", 2))
			offer(c, f->name);
		if (f->demangled)
			cplusplus_names(c, f);
	}
}

static const struct isa_function *focused_function(struct debug *d)
{
	struct debug_where w;
	struct debug_frame f;
	return debug_focus_where(d, &w) && debug_frame_get(d, &w, d->frame, &f) ? f.function : NULL;
}

static void labels(const struct completion *c)
{
	const struct isa_program *p = debug_program(c->d);
	const struct isa_function *here = focused_function(c->d);
	for (uint32_t i = 0; i < p->n_functions; i++) {
		const struct isa_function *f = p->functions[i];
		for (uint32_t k = 0; !f->unloaded && (!here || f == here) && k < f->n_labels; k++)
			offer(c, f->labels[k].name);
	}
}

static void registers(const struct completion *c)
{
	const struct isa_function *f = focused_function(c->d);
	char name[160];
	for (uint32_t k = 0; f && k < f->n_regs; k++) {
		const struct isa_reg *r = &f->regs[k];
		if (!r->count)
			offer(c, r->name);
		for (uint32_t i = 0; i < r->count && i < 10000; i++) {
			snprintf(name, sizeof name, "%s%u", r->name, i);
			offer(c, name);
		}
	}
	for (unsigned i = 0; i < ISA_SPECIAL_COUNT; i++) {
		const struct isa_special_info *s = &isa_special_info[i];
		for (unsigned k = 0; s->name[0] == '%' && k < s->dims; k++) {
			snprintf(name, sizeof name, s->dims > 1 ? "%s.%c" : "%s", s->name, "xyzw"[k & 3]);
			offer(c, name);
		}
	}
	static const char *const clocks[] = {"%clock", "%clock64", "%clock_hi", "%globaltimer"};
	for (size_t i = 0; i < 4; i++)
		offer(c, clocks[i]);
}

static void offer_it(void *self, const char *name) { offer(self, name); }

/* Variables of the source around the place, and what is outside of functions. */
static void in_source(const struct completion *c)
{
	struct debug_where w;
	struct debug_frame f;
	const struct cscope *s = NULL;
	if (debug_focus_where(c->d, &w) && debug_frame_get(c->d, &w, c->d->frame, &f) && f.function)
		s = cnames_scope(c->d, f.function, f.pc, c->d->inlined);
	for (; s; s = s->is_apart ? NULL : s->parent)
		for (uint32_t i = 0; i < s->n_vars; i++)
			offer(c, s->vars[i].name);
	cnames_each(c->d, offer_it, (void *)c);
}

static void buffers(const struct completion *c)
{
	for (size_t i = 0; i < debug_buffer_count(c->d); i++)
		offer(c, debug_buffer_at(c->d, i)->name);
}

static void variables(const struct completion *c)
{
	const struct isa_program *p = debug_program(c->d);
	const struct isa_function *f = focused_function(c->d);
	for (uint32_t k = 0; f && k < f->n_params; k++)
		offer(c, f->params[k].name);
	for (uint32_t k = 0; f && k < f->n_vars; k++)
		offer(c, f->vars[k].name);
	for (uint32_t k = 0; k < p->n_variables; k++)
		if (!(p->variables[k]->flags & ISA_VAR_UNLOADED))
			offer(c, p->variables[k]->name);
}

static void offer_type(void *self, const struct ctype *t)
{
	if (ctype_is_struct(t) || t->kind == CTYPE_TYPEDEF)
		offer(self, t->name);
}

/* What a buffer's elements may be. */
static void types(const struct completion *c)
{
	static const char *const numbers[] = {"b8",  "u8",  "s8",  "b16", "u16", "s16", "f16", "bf16",
					      "b32", "u32", "s32", "f32", "b64", "u64", "s64", "f64"};
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		offer(c, numbers[i]);
	cnames_each_type(c->d, offer_type, (void *)c);
}

static void dollars(const struct completion *c)
{
	char name[160];
	const char *own;
	for (size_t k = 0; (own = expr_dollar_name(k)) != NULL; k++) {
		snprintf(name, sizeof name, "$%s", own);
		offer(c, name);
	}
	for (size_t k = 0; (own = expr_dollar_function(k)) != NULL; k++) {
		snprintf(name, sizeof name, "$%s", own);
		offer(c, name);
	}
	offer(c, "$_exitcode");
	offer(c, "$_exitsignal");
	for (size_t i = 0; i < debug_variable_count(c->d); i++) {
		snprintf(name, sizeof name, "$%s", debug_variable_name(c->d, i));
		offer(c, name);
	}
}

static void files(const struct completion *c)
{
	const struct isa_program *p = debug_program(c->d);
	for (uint32_t i = 0; i < p->n_files; i++)
		if (!p->files[i].unloaded)
			offer(c, debug_file_name(c->d, i));
}

struct members {
	const struct completion *c;
	const char *path; /* with its . or -> */
	size_t n_path;
	unsigned left;
};

static void members_of(struct members *m, const struct ctype *s)
{
	for (uint32_t i = 0; i < s->n_members && m->left; i++) {
		const struct ctype_member *member = &s->members[i];
		const struct ctype *inner = ctype_core(member->type);
		m->left--;
		if ((!member->name || member->is_base) && ctype_is_struct(inner)) {
			members_of(m, inner);
		} else if (member->name && !member->is_base) {
			struct text full = {0};
			text_addn(&full, m->path, m->n_path);
			text_add(&full, member->name);
			offer(m->c, text_str(&full));
			text_free(&full);
		}
	}
}

void complete_members(struct debug *d, const char *prefix, size_t n, void (*add)(void *self, const char *name),
			    void *self)
{
	const struct completion c = {d, prefix, n, add, self};
	size_t end = n;
	while (end && prefix[end - 1] != '.' && prefix[end - 1] != '>')
		end--;
	size_t path = end && prefix[end - 1] == '.' ? end - 1 : end > 1 && prefix[end - 2] == '-' ? end - 2 : 0;
	struct expr_value v;
	struct text why = {0}, before = {0};
	text_addn(&before, prefix, path);
	if (path && debug_eval_type(d, text_str(&before), &v, &why)) {
		const struct ctype *t = v.c ? ctype_value(v.c) : NULL;
		t = t && t->kind == CTYPE_POINTER ? ctype_core(t->target) : t;
		if (t && ctype_is_struct(t))
			members_of(&(struct members){&c, prefix, end, MEMBERS_MAX}, t);
		expr_value_free(&v);
	}
	text_free(&why);
	text_free(&before);
}

static void offer_statistic(void *self, const char *name, struct statistic_value v)
{
	char word[160];
	(void)v;
	if (!strpbrk(name, " \n") && snprintf(word, sizeof word, "$stat.%s", name) < (int)sizeof word)
		offer(self, word);
}

static void statistics(const struct completion *c)
{
	if (c->n > 5 && !memcmp(c->prefix, "$stat.", 6))
		gpu_statistics_each(c->d->g, STATISTICS_TOTAL, offer_statistic, (void *)c);
	else
		offer(c, "$stat.");
}

void complete_fields(struct debug *d, const char *prefix, size_t n, void (*add)(void *self, const char *name),
			   void *self)
{
	field_complete(d, prefix, n, add, self);
}

void complete_names(struct debug *d, enum complete_kind kind, const char *prefix, size_t n,
		    void (*add)(void *self, const char *name), void *self)
{
	const struct completion c = {d, prefix, n, add, self};
	static const char *const spaces[] = {"global[", "shared[", "local[", "const[", "param["};
	switch (kind) {
	case NAMES_KERNELS: functions(&c, true); break;
	case NAMES_FUNCTIONS: functions(&c, false); break;
	case NAMES_LABELS: labels(&c); break;
	case NAMES_REGISTERS: registers(&c); break;
	case NAMES_BUFFERS: buffers(&c); break;
	case NAMES_VARIABLES: variables(&c); break;
	case NAMES_FILES: files(&c); break;
	case NAMES_TYPES: types(&c); break;
	case NAMES_LOCATION:
		functions(&c, false);
		labels(&c);
		files(&c);
		break;
	case NAMES_EXPRESSION:
		registers(&c);
		variables(&c);
		in_source(&c);
		buffers(&c);
		dollars(&c);
		cuda_variables(&c);
		statistics(&c);
		for (size_t i = 0; i < 5; i++)
			offer(&c, spaces[i]);
		field_complete(d, prefix, n, add, self);
		break;
	}
}
