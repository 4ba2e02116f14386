/* Writes lowered instructions, their operands' lists and names into the program, and reports what can't be lowered. */
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "ptx/lower.h"

void lower_error(struct lower *l, ptx_offset at, const char *fmt, ...)
{
	struct text t = {0};
	va_list ap;

	va_start(ap, fmt);
	text_vaddf(&t, fmt, ap);
	va_end(ap);
	ptx_diag(l->m, DIAG_ERROR, at, "%s", text_str(&t));
	text_free(&t);
	l->failed = true;
}

void lower_unsupported(struct lower *l) { l->unsupported = true; }

uint32_t lower_aux(struct lower *l, const uint32_t *words, uint32_t n)
{
	struct isa_program *p = l->p;
	size_t cap = p->cap_aux;

	if (!p->n_aux) { /* 0 means none */
		p->aux = xgrow(p->aux, &cap, 1, sizeof *p->aux);
		p->aux[p->n_aux++] = 0;
	}
	uint32_t first = p->n_aux;
	p->aux = xgrow(p->aux, &cap, (size_t)first + n, sizeof *p->aux);
	p->cap_aux = (uint32_t)cap;
	if (n)
		memcpy(p->aux + first, words, n * sizeof *words);
	p->n_aux += n;
	return first;
}

char *lower_name(struct lower *l, struct ptx_slice s) { return pool_strn(&l->p->pool, s.s, s.n); }

const char *lower_demangle(struct lower *l, const char *name)
{
	struct text plain = {0};
	const char *copy = demangle_name(name, true, &plain) ? pool_strn(&l->p->pool, plain.s, plain.n) : NULL;
	text_free(&plain);
	return copy;
}

/* With -rdc=true nvcc writes __nv_static_N_UNIT_ in front of what is static in a file; UNIT has N characters. */
static const char *without_unit(const char *name)
{
	static const char mark[] = "__nv_static_";
	char *end;
	if (strncmp(name, mark, sizeof mark - 1))
		return name;
	size_t n = strtoul(name + sizeof mark - 1, &end, 10), left = strlen(end);
	return *end == '_' && n < left && left - n > 2 && end[n + 1] == '_' ? end + n + 2 : name;
}

const char *lower_plain_name(struct lower *l, const char *name)
{
	const char *own = without_unit(name);
	/* _ZT, _ZG: what the compiler has made (vtables, guards), which the class or variable that they name is not */
	bool is_special = !strncmp(own, "_ZT", 3) || !strncmp(own, "_ZG", 3);
	const char *whole = is_special ? NULL : lower_demangle(l, own), *s = whole ? whole + strlen(whole) : NULL;

	if (!whole)
		return own == name ? NULL : own;
	while (s > whole && (isalnum((unsigned char)s[-1]) || s[-1] == '_'))
		s--;
	/* what ends in other characters is a specialisation, or nothing the source has a name for */
	return *s && !isdigit((unsigned char)*s) && (s == whole || s[-1] == ':') ? s : NULL;
}

/* ---- instructions ---- */

void lower_push(struct lower_words *w, uint32_t v)
{
	w->v = xgrow(w->v, &w->cap, w->n + 1, sizeof *w->v);
	w->v[w->n++] = v;
}

void lower_note_pred_read(struct lower *l, uint32_t pred)
{
	if (ISA_PRED_SLOT(pred) > ISA_PRED_SINK && !lower_is_temp_pred(l, ISA_PRED_SLOT(pred)))
		lower_push(&l->reads, ISA_RW_PRED(ISA_PRED_SLOT(pred)));
}

static uint32_t add_rw(struct lower *l, struct isa_where *w)
{
	struct isa_program *p = l->p;
	size_t cap = p->cap_rw, n = l->writes.n + l->reads.n;
	uint32_t first = p->n_rw;

	p->rw = xgrow(p->rw, &cap, p->n_rw + n, sizeof *p->rw);
	p->cap_rw = (uint32_t)cap;
	/* an operand list of one instruction never gets near 65536 */
	w->n_writes = (uint16_t)(l->writes.n < UINT16_MAX ? l->writes.n : UINT16_MAX);
	w->n_reads = (uint16_t)(l->reads.n < UINT16_MAX ? l->reads.n : UINT16_MAX);
	if (w->n_writes)
		memcpy(p->rw + first, l->writes.v, w->n_writes * sizeof *p->rw);
	if (w->n_reads)
		memcpy(p->rw + first + w->n_writes, l->reads.v, w->n_reads * sizeof *p->rw);
	p->n_rw += (uint32_t)w->n_writes + w->n_reads;
	return first;
}

void lower_emit(struct lower *l, struct isa_where w)
{
	struct isa_program *p = l->p;

	w.file = l->file;
	w.rw = add_rw(l, &w);
	/* line 0 is a compiler's word for code of no line: it counts as the line's in front of it, as steps by lines are to pass it */
	if (w.loc != ISA_NO_LOC && !p->locs[w.loc].line)
		w.loc = l->lined_loc;
	l->lined_loc = w.loc;
	p->where[p->n_insns] = w;
	p->insns[p->n_insns++] = l->insn;
}

struct isa_where lower_where(const struct lower *l)
{
	return (struct isa_where){
		.line = l->in->line,
		.offset = l->in->at,
		.n_text = l->in->end - l->in->at,
		.loc = l->in->loc == UINT32_MAX ? ISA_NO_LOC : l->loc_base + l->in->loc,
		.operands = l->first_operand,
		.n_operands = l->n_operands,
	};
}

void lower_emit_extra(struct lower *l, struct isa_insn i)
{
	struct isa_insn main = l->insn;

	if (!l->n_extra) {
		lower_unsupported(l);
		return;
	}
	l->n_extra--;
	i.guard = main.guard;
	l->insn = i;
	lower_emit(l, lower_where(l));
	l->insn = main;
	l->writes.n = l->reads.n = 0;
	if (ISA_PRED_SLOT(main.guard) > ISA_PRED_SINK)
		lower_note_pred_read(l, main.guard);
}
