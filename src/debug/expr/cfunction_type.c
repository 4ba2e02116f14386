/* The type of a function as the source writes it, or as its PTX parameters say. */
#include <string.h>

#include "debug/csource/cnames.h"
#include "debug/csource/ctype.h"
#include "debug/view/source.h"
#include "debug/view/view.h"

static bool type_in_source(struct debug *d, const struct isa_function *f, const char *inner, struct text *out)
{
	const struct cscope *s = cnames_function(d, f);
	const char *comma = "";
	if (!s)
		return false;
	if (s->result)
		ctype_text(s->result, false, out);
	else
		text_add(out, "void");
	text_addf(out, " %s(", inner);
	for (uint32_t i = 0; i < s->n_vars && s->vars[i].is_param; i++) {
		text_add(out, comma);
		ctype_text(s->vars[i].type, false, out);
		comma = ", ";
	}
	text_add(out, *comma ? ")" : "void)");
	return true;
}

static void parameter_type(const struct isa_variable *p, struct text *out)
{
	text_add(out, isa_type_info[p->type].name);
	for (uint32_t k = 0; k < p->n_dims; k++)
		text_addf(out, "%s[%llu]", k ? "" : " ", (unsigned long long)p->dims[k]);
}

void debug_function_type(struct debug *d, const struct isa_function *f, const char *inner, struct text *out)
{
	uint32_t k = 0;
	const char *comma = "";
	if (type_in_source(d, f, inner, out))
		return;
	if (f->n_params && f->params[0].flags & ISA_VAR_RETURN)
		parameter_type(&f->params[0], out);
	else
		text_add(out, "void");
	while (k < f->n_params && f->params[k].flags & ISA_VAR_RETURN)
		k++;
	text_addf(out, " %s(", inner);
	for (; k < f->n_params; k++, comma = ", ") {
		text_add(out, comma);
		parameter_type(&f->params[k], out);
	}
	text_add(out, *comma ? ")" : "void)");
}
