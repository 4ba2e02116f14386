/* The PTX front end: recognizes PTX, loads it through parser, checker and lowering, lists instructions. */
#include <string.h>

#include "base/text.h"
#include "ptx/ast.h"
#include "ptx/dialect.h"
#include "ptx/ptx.h"

static bool recognizes(const char *name, const char *text, size_t n)
{
	static const char version[] = ".version";
	(void)name;
	return memmem(text, n, version, strlen(version));
}

static bool load_module(struct ptx_module *m, struct isa_program *p)
{
	size_t first = m->diags->n;
	bool ok = ptx_parse(m);
	if (m->sm && !m->dialect &&
	    !ptx_interrupted(
		    m)) /* also what was left of a file with errors: the more of them are found at once, the better */
		ok = ptx_check(m) && ok;
	ptx_diag_sort(m->diags, first);
	return ok && !ptx_interrupted(m) && ptx_lower(m, p);
}

bool ptx_load_dialect(struct isa_program *p, const struct isa_text *t, const struct ptx_dialect *dialect, const struct isa_frontend *frontend,
		      struct diag_list *diags)
{
	struct ptx_module m = {.file = t->name,
			       .text = t->text,
			       .n_text = t->n,
			       .into = t->module,
			       .warp_threads = p->warp_threads,
			       .frontend = frontend,
			       .dialect = dialect,
			       .diags = diags,
			       .interrupt = t->interrupt};
	const bool ok = load_module(&m, p);
	if (!ok && ptx_interrupted(&m))
		diag_add(diags, DIAG_ERROR, NULL, 0, 0, NULL, 0, "interrupted");
	ptx_module_free(&m);
	return ok;
}

static bool load(struct isa_program *p, const struct isa_text *t, struct diag_list *diags)
{
	return ptx_load_dialect(p, t, NULL, &ptx_frontend, diags);
}

void ptx_list(const struct isa_program *p, uint32_t insn, struct text *out)
{
	const struct isa_where *w = &p->where[insn];
	const struct isa_file *f = &p->files[w->file];
	bool blank = false;
	if (w->offset > f->n_text || w->n_text > f->n_text - w->offset)
		return;
	for (const char *s = f->text + w->offset, *end = s + w->n_text; s < end; s++) {
		if (*s == '/' && s + 1 < end && s[1] == '/') { /* a comment inside an instruction of several lines */
			while (s < end && *s != '\n')
				s++;
			blank = true;
			continue;
		}
		if (*s == ' ' || *s == '\t' || *s == '\n' || *s == '\r') {
			blank = true;
			continue;
		}
		if (blank && out->n)
			text_addc(out, ' ');
		blank = false;
		text_addc(out, *s);
	}
}

const struct isa_frontend ptx_frontend = {.name = "PTX", .recognizes = recognizes, .load = load, .list = ptx_list};
