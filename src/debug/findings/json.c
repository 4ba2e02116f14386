/* Findings as JSON, for --report. */
#include <jansson.h>
#include <stdlib.h>

#include "debug/findings/room.h"
#include "debug/setup/launch.h"
#include "debug/view/source.h"
#include "debug/view/view.h"

static json_t *position(struct debug *d, struct debug_position p)
{
	return json_pack("{s:s, s:I}", "file", debug_file_name(d, p.file), "line", (json_int_t)p.line);
}

static json_t *triple(const uint32_t v[3])
{
	return json_pack("[I, I, I]", (json_int_t)v[0], (json_int_t)v[1], (json_int_t)v[2]);
}

static void add_places(struct debug *d, uint32_t pc, json_t *o)
{
	const struct debug_position ptx = debug_ptx_position(d, pc), source = findings_source(d, pc);
	if (ptx.line)
		json_object_set_new(o, "ptx", position(d, ptx));
	if (source.line)
		json_object_set_new(o, "source", position(d, source));
}

static json_t *access_json(struct debug *d, const struct check_finding *f, const struct check_access *a)
{
	json_t *o = json_object();
	struct text variable = {0};
	if (a->has_thread) {
		json_object_set_new(o, "uid", json_integer((json_int_t)a->uid));
		json_object_set_new(o, "thread", triple(a->thread));
		json_object_set_new(o, "block", triple(a->block));
	}
	if (a->op)
		json_object_set_new(o, "op", json_string(check_op_name((enum check_op)a->op)));
	if (a->space)
		json_object_set_new(o, "space", json_string(debug_space_name((enum isa_space)a->space)));
	if (a->size)
		json_object_set_new(o, "size", json_integer(a->size));
	if (a->has_address)
		json_object_set_new(o, "address", json_integer((json_int_t)findings_offset(a)));
	if (findings_variable(d, f, a, &variable))
		json_object_set_new(o, "variable", json_string(text_str(&variable)));
	text_free(&variable);
	if (a->has_pc)
		add_places(d, a->pc, o);
	return o;
}

static json_t *finding_json(struct debug *d, const struct check_finding *f)
{
	const enum check_kind kind = (enum check_kind)f->kind;
	json_t *o =
		json_pack("{s:s, s:s}", "checker", checker_name(check_of_kind(kind)), "kind", check_kind_name(kind));
	if (f->access.has_thread)
		json_object_set_new(o, "kernel",
				    json_string(debug_function_name(d, debug_program(d)->functions[f->access.kernel])));
	json_object_set_new(o, "count", json_integer((json_int_t)f->count));
	json_object_set_new(o, "access", access_json(d, f, &f->access));
	if (f->has_other)
		json_object_set_new(o, "other", access_json(d, f, &f->other));
	return o;
}

void debug_findings_json(struct debug *d, struct text *out)
{
	json_t *list = json_array();
	for (uint32_t n = 0; d->check && n < check_count(d->check); n++)
		if (!check_at(d->check, n)->suppressed)
			json_array_append_new(list, finding_json(d, check_at(d->check, n)));
	json_t *all =
		json_pack("{s:o, s:{s:I}}", "findings", list, "summary", "errors", (json_int_t)debug_finding_errors(d));
	char *text = json_dumps(all, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
	text_add(out, text ? text : "{}");
	text_addc(out, '\n');
	free(text);
	json_decref(all);
}
