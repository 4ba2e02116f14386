#include "debug/facts.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/expr/format.h"
#include "debug/internal.h"

struct facts {
	json_t **open; /* the innermost last; each belongs to the one before it */
	size_t n, cap;
};

/* It is the innermost from now on. */
static void push(struct facts *f, json_t *j)
{
	f->open = xgrow(f->open, &f->cap, f->n + 1, sizeof *f->open);
	f->open[f->n++] = j;
}

static void put(struct debug *d, const char *name, json_t *j)
{
	json_t *in = d->facts->open[d->facts->n - 1];
	if (json_is_array(in))
		json_array_append_new(in, j);
	else
		json_object_set_new(in, name, j);
}

void facts_begin(struct debug *d)
{
	d->facts = xcalloc(1, sizeof *d->facts);
	push(d->facts, json_object());
}

void facts_end(struct debug *d, struct text *out)
{
	struct facts *f = d->facts;
	char *s = json_dumps(f->open[0], JSON_INDENT(2) | JSON_PRESERVE_ORDER);
	text_add(out, s ? s : "{}");
	text_addc(out, '\n');
	free(s);
	json_decref(f->open[0]);
	free(f->open);
	free(f);
	d->facts = NULL;
}

static void open(struct debug *d, const char *name, json_t *j)
{
	put(d, name, j);
	push(d->facts, j);
}

void facts_open(struct debug *d, const char *name)
{
	if (d->facts)
		open(d, name, json_object());
}

void facts_list(struct debug *d, const char *name)
{
	if (d->facts)
		open(d, name, json_array());
}

void facts_close(struct debug *d)
{
	if (d->facts)
		d->facts->n--;
}

void facts_number(struct debug *d, const char *name, uint64_t v)
{
	if (d->facts)
		put(d, name, json_integer((json_int_t)v));
}

/* Names may be in any encoding, JSON is in one. */
static json_t *string(const char *s)
{
	json_t *j = json_string(s);
	struct text plain = {0};
	for (; !j && *s; s++)
		text_addc(&plain, (unsigned char)*s < 0x80 ? *s : '?');
	if (!j)
		j = json_string(text_str(&plain));
	text_free(&plain);
	return j;
}

void facts_text(struct debug *d, const char *name, const char *s)
{
	if (d->facts)
		put(d, name, string(s));
}

void facts_flag(struct debug *d, const char *name, bool v)
{
	if (d->facts)
		put(d, name, json_boolean(v));
}

/* One, not several in one register. */
static bool is_number(enum isa_type type) { return isa_type_is_float(type) && !strchr(isa_type_info[type].name, 'x'); }

static json_t *value(enum isa_type type, uint64_t raw)
{
	struct text shown = {0};
	json_t *j = NULL;
	char *end;
	if (!isa_type_bytes(type))
		return json_integer(raw != 0);
	if (is_number(type) && isfinite(format_to_double(type, &raw)))
		return json_real(format_to_double(type, &raw));
	format_scalar(type, &raw, 0, &shown);
	errno = 0;
	const long long whole = strtoll(text_str(&shown), &end, 10);
	if (!*end && !errno)
		j = json_integer(whole);
	else
		j = json_string(text_str(&shown));
	text_free(&shown);
	return j;
}

void facts_value(struct debug *d, const char *name, enum isa_type type, uint64_t raw)
{
	if (d->facts)
		put(d, name, value(type, raw));
}

void facts_triple(struct debug *d, const char *name, const uint32_t v[3])
{
	facts_list(d, name);
	for (unsigned k = 0; k < 3; k++)
		facts_number(d, NULL, v[k]);
	facts_close(d);
}

void facts_position(struct debug *d, const char *name, struct debug_position p)
{
	if (!p.line)
		return;
	facts_open(d, name);
	facts_text(d, "file", debug_file_name(d, p.file));
	facts_number(d, "line", p.line);
	facts_close(d);
}

void facts_thread(struct debug *d, const struct debug_thread *t)
{
	struct debug_where w;
	if (!d->facts || !debug_thread_where(d, t, &w))
		return;
	facts_number(d, "uid", w.uid);
	facts_triple(d, "thread", w.thread_id);
	facts_triple(d, "block", w.block_id);
	facts_number(d, "launch", t->launch);
}

void facts_place(struct debug *d, uint32_t pc)
{
	struct text insn = {0};
	if (!d->facts)
		return;
	debug_insn_text(d, pc, &insn);
	while (insn.n && strchr("; \t", insn.s[insn.n - 1]))
		insn.s[--insn.n] = '\0';
	facts_text(d, "instruction", text_str(&insn));
	facts_position(d, "ptx", debug_ptx_position(d, pc));
	facts_position(d, "source", debug_own_position(d, pc));
	text_free(&insn);
}

void facts_by_thread(struct debug *d, const struct debug_thread *t, uint32_t pc, uint64_t cycle)
{
	facts_text(d, "by", "thread");
	facts_thread(d, t);
	facts_place(d, pc);
	facts_number(d, "cycle", cycle);
}

void facts_by(struct debug *d, const char *who, const char *what)
{
	facts_text(d, "by", who);
	if (*what)
		facts_text(d, "what", what);
}
