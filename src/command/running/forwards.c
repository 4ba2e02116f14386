/* continue, step, finish, until, run-to-...: their arguments. */
#include <ctype.h>
#include <string.h>

#include "command/running/running.h"
#include "debug/expr/expr.h"
#include "debug/ground/ground.h"
#include "debug/ground/scan.h"
#include "debug/program.h"
#include "debug/setup/launches.h"
#include "debug/stop/run.h"
#include "debug/view/source.h"

bool running_count(struct debug *d, const char *args, uint64_t *n, struct text *why)
{
	int64_t v = 1;
	if (*scan_blanks(args) && !debug_eval_integer(d, args, &v, why))
		return false;
	*n = (uint64_t)v;
	return v > 0 || debug_fail(why, "the count has to be 1 or more");
}

bool running_location(struct debug *d, const char *args, struct debug_location *out, struct text *why)
{
	const char *end;
	if (!debug_location_parse(d, args, &end, out, NULL, why))
		return false;
	if (scan_end(end, why))
		return true;
	debug_location_free(out);
	return false;
}

/* ---- launches ---- */

/* Where there is a program, what is no launch is its arguments. */
static bool is_for_program(const struct debug *d, const char *args) { return debug_program_is_there(d) && !strstr(args, "<<<"); }

static const char *launch_or_null(const char *args) { return *scan_blanks(args) ? args : NULL; }

bool command_launch_kernel(struct debug *d, const char *args, struct debug_stop *stop, struct text *why)
{
	return is_for_program(d, args) ? debug_run_program(d, scan_blanks(args), true, stop, why)
				       : debug_launch(d, launch_or_null(args), stop, why);
}

bool command_run_kernel(struct debug *d, const char *args, struct debug_stop *stop, struct text *why)
{
	return is_for_program(d, args) ? debug_run_program(d, scan_blanks(args), false, stop, why)
				       : debug_run_launch(d, launch_or_null(args), stop, why);
}

bool command_run_to_launch(struct debug *d, const char *args, struct debug_stop *stop, struct text *why)
{
	static const char usage[] = "usage: run-to-launch N|NAME[#K]";
	const char *s = scan_blanks(args);
	struct launch_name name = {0};
	uint64_t number = 0;
	if (!*s)
		return debug_fail(why, "%s", usage);
	if (isdigit((unsigned char)*s) ? !scan_u64(&s, &number) || number >= UINT32_MAX : !launch_name_scan(&s, &name, why))
		return why->n ? false : debug_fail(why, "%s", usage);
	if (!scan_end(s, why)) {
		launch_name_free(&name);
		return false;
	}
	return debug_run_to_launch(d, &name, (uint32_t)number, stop, why);
}

/* ---- with a count ---- */

typedef bool run_n_fn(struct debug *d, uint64_t n, struct debug_stop *stop, struct text *why);

static bool run_n(struct debug *d, run_n_fn *run, const char *args, struct debug_stop *stop, struct text *why)
{
	uint64_t n;
	return running_count(d, args, &n, why) && run(d, n, stop, why);
}

bool command_continue(struct debug *d, const char *args, struct debug_stop *stop, struct text *why)
{
	return run_n(d, debug_run_continue, args, stop, why);
}

bool command_step(struct debug *d, const char *args, struct debug_stop *stop, struct text *why)
{
	return run_n(d, debug_run_step, args, stop, why);
}

bool command_stepi(struct debug *d, const char *args, struct debug_stop *stop, struct text *why)
{
	return run_n(d, debug_run_stepi, args, stop, why);
}

bool command_next(struct debug *d, const char *args, struct debug_stop *stop, struct text *why)
{
	return run_n(d, debug_run_next, args, stop, why);
}

bool command_nexti(struct debug *d, const char *args, struct debug_stop *stop, struct text *why)
{
	return run_n(d, debug_run_nexti, args, stop, why);
}

bool command_step_line(struct debug *d, const char *args, struct debug_stop *stop, struct text *why)
{
	return run_n(d, debug_run_step_line, args, stop, why);
}

/* ---- to a place ---- */

bool command_run_to_cycle(struct debug *d, const char *args, struct debug_stop *stop, struct text *why)
{
	int64_t cycle;
	if (!*scan_blanks(args))
		return debug_fail(why, "usage: run-to-cycle N");
	return debug_eval_integer(d, args, &cycle, why) && debug_run_to_cycle(d, cycle, stop, why);
}

bool command_finish(struct debug *d, const char *args, struct debug_stop *stop, struct text *why)
{
	return scan_end(args, why) && debug_run_finish(d, stop, why);
}

bool command_run_to_barrier(struct debug *d, const char *args, struct debug_stop *stop, struct text *why)
{
	return scan_end(args, why) && debug_run_to_barrier(d, stop, why);
}

bool command_run_to_exit(struct debug *d, const char *args, struct debug_stop *stop, struct text *why)
{
	return scan_end(args, why) && debug_run_to_exit(d, stop, why);
}

bool command_run_to_access(struct debug *d, const char *args, struct debug_stop *stop, struct text *why)
{
	return scan_end(args, why) && debug_run_to_access(d, stop, why);
}

typedef bool run_to_fn(struct debug *d, const struct debug_location *to, struct debug_stop *stop, struct text *why);

/* A location is relative to the focused thread: without one, that is the error. */
static bool run_to(struct debug *d, run_to_fn *run, const char *args, struct debug_stop *stop, struct text *why)
{
	struct debug_location to;
	if (!debug_can_run_focus(d, why) || !running_location(d, args, &to, why))
		return false;
	const bool ok = run(d, &to, stop, why);
	debug_location_free(&to);
	return ok;
}

bool command_until(struct debug *d, const char *args, struct debug_stop *stop, struct text *why)
{
	return *scan_blanks(args) ? run_to(d, debug_run_until, args, stop, why) : debug_run_until(d, NULL, stop, why);
}

bool command_advance(struct debug *d, const char *args, struct debug_stop *stop, struct text *why)
{
	if (!*scan_blanks(args))
		return debug_fail(why, "usage: advance LOC");
	return run_to(d, debug_run_advance, args, stop, why);
}
