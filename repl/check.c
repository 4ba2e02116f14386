#include "repl/check.h"

#include "base/file_replace.h"
#include "command/findings/findings.h"

bool repl_check_begin(struct repl *r, const struct options *o)
{
	struct text why = {0};
	bool known, ok = true;
	if (o->batch && !o->gdb)
		repl_setting_set(r, "check-action report", &known);
	repl_apply_check(r);
	for (size_t k = 0; k < o->n_checks && ok; k++)
		ok = debug_check(r->dbg, o->checks[k], true, &why);
	if (!ok)
		repl_error(r, "--check: %s", text_str(&why));
	text_free(&why);
	if (ok && o->report && !file_replace_is_possible(o->report))
		return repl_error(r, "--report: can't write '%s': %m", o->report);
	return ok;
}

bool repl_check_end(struct repl *r, const struct options *o)
{
	struct text t = {0};
	bool ok = true;
	if (debug_check_was_on(r->dbg)) {
		debug_findings_summary(r->dbg, &t);
		repl_print(r, text_str(&t));
	}
	text_clear(&t);
	if (o->report) {
		debug_findings_json(r->dbg, &t);
		ok = repl_write_file(r, o->report, &t);
	}
	text_free(&t);
	if (!r->program && debug_finding_errors(r->dbg))
		r->status = REPL_EXCEPTION;
	return ok;
}
