/* `info host`, `info inferiors`: the program whose calls feed the machine. */
#include "command/info.h"
#include "debug/ground/scan.h"

bool info_host(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct text *out = report_prose(answer);
	if (*args)
		return debug_fail(why, "usage: info host");
	if (!debug_program_lives(d))
		return debug_fail(why, "The program is not being run.");
	d->program->calls(d->program->self, out);
	return true;
}

/* As gdb's. The star is at the one whose kernel is in focus. */
bool info_inferiors(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	static const char *const titles[] = {"Num", "<Description", "<State", "<Executable"};
	struct debug_process p;
	struct gpu_launch_info l;
	if (!scan_end(args, why))
		return false;
	if (!d->program || !d->program->process)
		return debug_fail(why, "there is no program: start warpstep with --args PROGRAM");
	const bool has = d->has_focus && gpu_launch_get(d->g, d->focus.launch, &l);
	report_table(answer, "inferiors", titles, 4);
	for (unsigned k = 0; d->program->process(d->program->self, k, &p); k++) {
		report_row(answer, has && l.launch.context == p.context);
		report_number(answer, NULL, k + 1);
		if (p.pid)
			report_textf(answer, NULL, "process %ld", p.pid);
		else
			report_none(answer, NULL, "<null>");
		report_text(answer, NULL, p.state);
		report_text(answer, NULL, p.executable);
	}
	report_close(answer);
	return true;
}
