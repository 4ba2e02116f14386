/* Findings as data. */
#include <stdlib.h>
#include <string.h>

#include "debug/describe.h"
#include "command/findings/findings.h"
#include "debug/ground/ground.h"
#include "debug/view/source.h"
#include "debug/program.h"
#include "debug/view/address.h"
#include "debug/view/user_line.h"
#include "debug/view/functions.h"
#include "debug/view/view.h"

/* Of the host: where the program has called it. */
static void describe_caller(struct debug *d, struct report *r, const struct check_access *a)
{
	struct text file = {0};
	const uint32_t line = debug_program_line(d, a->context, a->caller, &file);
	if ((a->op == CHECK_OP_HOST_READ || a->op == CHECK_OP_HOST_WRITE) && !a->is_direct)
		report_number(r, "stream", a->stream);
	if (line) {
		report_open(r, "source");
		report_text(r, "file", text_str(&file));
		report_number(r, "line", line);
		report_close(r);
	}
	text_free(&file);
}

/* Adds the line of the host that made a launch, from its text `app.cu:52`. */
static void describe_launch_line(struct debug *d, struct report *r, uint32_t launch)
{
	struct text place = {0};
	char *colon = debug_launched_from(d, launch, &place) ? strrchr(place.s, ':') : NULL;
	if (colon) {
		*colon = '\0';
		report_open(r, "launched_from");
		report_text(r, "file", place.s);
		report_number(r, "line", strtoul(colon + 1, NULL, 10));
		report_close(r);
	}
	text_free(&place);
}

/* Adds the allocation nearest to a finding's address, with the places that made and freed it. */
static void describe_near(struct debug *d, struct report *r, const struct check_finding *f)
{
	const struct gpu_allocation *const a = &f->near;
	struct text place = {0};
	if (!f->has_near)
		return;
	report_open(r, "allocation");
	if (a->name[0] && !a->by_kernel)
		report_text(r, "name", a->name);
	report_number(r, "address", gpu_allocation_start(a));
	report_number(r, "size", a->bytes);
	if (debug_allocation_made(d, a, &place))
		report_text(r, "made_by", text_str(&place));
	text_clear(&place);
	if (debug_allocation_freed(d, a, &place))
		report_text(r, "freed_by", text_str(&place));
	text_free(&place);
	report_close(r);
}

static void describe_access(struct debug *d, struct report *r, const struct check_finding *f, const struct check_access *a, const char *name)
{
	struct text variable = {0};
	report_open(r, name);
	if (a->has_thread) {
		report_number(r, "uid", a->uid);
		report_triple(r, "thread", a->thread);
		report_triple(r, "block", a->block);
		report_number(r, "launch", a->launch);
		describe_launch_line(d, r, a->launch);
	}
	if (a->op)
		report_text(r, "op", check_op_name((enum check_op)a->op));
	if (a->space)
		report_text(r, "space", debug_space_name((enum isa_space)a->space));
	if (a->op == CHECK_OP_API) {
		report_text(r, "call", f->call);
		report_text(r, "error", f->error);
	}
	if (a->op == CHECK_OP_API && a->has_address) {
		report_number(r, "size", f->bytes);
		report_number(r, "missing_bytes", f->bytes - f->usable);
	}
	if (a->size)
		report_number(r, "size", a->size);
	if (a->has_address)
		report_number(r, "address", findings_offset(a));
	if (findings_variable(d, f, a, &variable))
		report_text(r, "variable", text_str(&variable));
	text_free(&variable);
	if (a->has_pc) {
		struct debug_user_line line;
		const struct debug_calls calls = {a->callers, CHECK_CALLERS};
		const bool is_known = debug_user_line(d, a->pc, &calls, &line);
		describe_position(d, r, "ptx", debug_ptx_position(d, a->pc));
		describe_position(d, r, "source", is_known ? line.at : debug_own_position(d, a->pc));
	}
	if (a->by_host)
		describe_caller(d, r, a);
	report_close(r);
}

static void describe_finding(struct debug *d, struct report *r, const struct check_finding *f)
{
	const enum check_kind kind = (enum check_kind)f->kind;
	const char *kernel = findings_kernel(d, f);
	report_open(r, NULL);
	report_text(r, "checker", checker_name(check_of_kind(kind)));
	report_text(r, "kind", check_kind_name(kind));
	if (kernel)
		report_text(r, "kernel", kernel);
	if (f->is_note)
		report_text(r, "severity", "note");
	report_number(r, "count", f->count);
	describe_access(d, r, f, &f->access, "access");
	if (f->has_other)
		describe_access(d, r, f, &f->other, "other");
	describe_near(d, r, f);
	report_close(r);
}

void describe_findings(struct debug *d, struct report *r, uint32_t which)
{
	report_list(r, "findings");
	for (uint32_t n = 0; d->check && n < check_count(d->check); n++)
		if (which ? n + 1 == which : !check_at(d->check, n)->suppressed)
			describe_finding(d, r, check_at(d->check, n));
	report_close(r);
	report_open(r, "summary");
	report_number(r, "errors", debug_finding_errors(d));
	if (debug_finding_notes(d))
		report_number(r, "notes", debug_finding_notes(d));
	report_close(r);
}

void findings_json(struct debug *d, struct text *out)
{
	struct report *r = report_create();
	describe_findings(d, r, 0);
	report_json(r, false, out);
	text_addc(out, '\n');
	report_destroy(r);
}
