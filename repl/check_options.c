#include "repl/check_options.h"

#include "base/file_replace.h"
#include "command/findings/findings.h"
#include "command/setup/apply_settings.h"

bool repl_check_begin(struct interpreter *in, const struct options *o)
{
	struct text why = {0};
	bool known, ok = true;
	if (o->batch && !o->gdb)
		setting_set(in, "check-action report", &known);
	settings_apply_check(in);
	for (size_t k = 0; k < o->n_checks && ok; k++)
		ok = debug_check(in->dbg, o->checks[k], true, &why);
	if (!ok)
		interpreter_error(in, "--check: %s", text_str(&why));
	text_free(&why);
	if (ok && o->report && !file_replace_is_possible(o->report))
		return interpreter_error(in, "--report: can't write '%s': %m", o->report);
	return ok;
}

bool repl_check_end(struct interpreter *in, const struct options *o)
{
	struct text t = {0};
	bool ok = true;
	if (debug_check_was_on(in->dbg)) {
		debug_findings_summary(in->dbg, &t);
		interpreter_print(in, text_str(&t));
	}
	text_clear(&t);
	if (o->report) {
		findings_json(in->dbg, &t);
		ok = interpreter_write_file(in, o->report, &t);
	}
	text_free(&t);
	if (!in->program && debug_finding_errors(in->dbg))
		in->status = EXIT_STATUS_EXCEPTION;
	return ok;
}
