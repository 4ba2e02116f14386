/* Findings as JSON. */
#include "debug/facts.h"
#include "debug/findings/room.h"
#include "debug/program.h"
#include "debug/setup/launch.h"
#include "debug/view/view.h"

/* Of the host: where the program has called it. */
static void call_facts(struct debug *d, const struct check_access *a)
{
	struct text file = {0};
	const uint32_t line = debug_program_line(d, a->context, a->caller, &file);
	facts_number(d, "stream", a->stream);
	if (line) {
		facts_open(d, "source");
		facts_text(d, "file", text_str(&file));
		facts_number(d, "line", line);
		facts_close(d);
	}
	text_free(&file);
}

static void access_facts(struct debug *d, const struct check_finding *f, const struct check_access *a, const char *name)
{
	struct text variable = {0};
	facts_open(d, name);
	if (a->has_thread) {
		facts_number(d, "uid", a->uid);
		facts_triple(d, "thread", a->thread);
		facts_triple(d, "block", a->block);
	}
	if (a->op)
		facts_text(d, "op", check_op_name((enum check_op)a->op));
	if (a->space)
		facts_text(d, "space", debug_space_name((enum isa_space)a->space));
	if (a->size)
		facts_number(d, "size", a->size);
	if (a->has_address)
		facts_number(d, "address", findings_offset(a));
	if (findings_variable(d, f, a, &variable))
		facts_text(d, "variable", text_str(&variable));
	text_free(&variable);
	if (a->has_pc) {
		facts_position(d, "ptx", debug_ptx_position(d, a->pc));
		facts_position(d, "source", debug_own_position(d, a->pc));
	}
	if (a->by_host)
		call_facts(d, a);
	facts_close(d);
}

static void finding_facts(struct debug *d, const struct check_finding *f)
{
	const enum check_kind kind = (enum check_kind)f->kind;
	const char *kernel = findings_kernel(d, f);
	facts_open(d, NULL);
	facts_text(d, "checker", checker_name(check_of_kind(kind)));
	facts_text(d, "kind", check_kind_name(kind));
	if (kernel)
		facts_text(d, "kernel", kernel);
	facts_number(d, "count", f->count);
	access_facts(d, f, &f->access, "access");
	if (f->has_other)
		access_facts(d, f, &f->other, "other");
	facts_close(d);
}

void findings_facts(struct debug *d, uint32_t which)
{
	facts_list(d, "findings");
	for (uint32_t n = 0; d->check && n < check_count(d->check); n++)
		if (which ? n + 1 == which : !check_at(d->check, n)->suppressed)
			finding_facts(d, check_at(d->check, n));
	facts_close(d);
	facts_open(d, "summary");
	facts_number(d, "errors", debug_finding_errors(d));
	facts_close(d);
}

void debug_findings_json(struct debug *d, struct text *out)
{
	facts_begin(d);
	findings_facts(d, 0);
	facts_end(d, out);
}
