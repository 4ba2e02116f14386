/* reverse-step, reverse-finish, goto-cycle, undo ...: their arguments. That nothing was recorded is the first error that is reported. */
#include "command/running/running.h"
#include "debug/expr/expr.h"
#include "debug/ground/ground.h"
#include "debug/ground/scan.h"
#include "history/history.h"

typedef bool back_n_fn(struct history *h, uint64_t n, struct debug_stop *stop, struct text *why);

static bool back_n(struct history *h, back_n_fn *back, const char *args, struct debug_stop *stop, struct text *why)
{
	uint64_t n;
	return history_can_go_back(h, why) && running_count(history_debug(h), args, &n, why) && back(h, n, stop, why);
}

bool command_reverse_step(struct history *h, const char *args, struct debug_stop *stop, struct text *why)
{
	return back_n(h, history_reverse_step, args, stop, why);
}

bool command_reverse_stepi(struct history *h, const char *args, struct debug_stop *stop, struct text *why)
{
	return back_n(h, history_reverse_stepi, args, stop, why);
}

bool command_reverse_next(struct history *h, const char *args, struct debug_stop *stop, struct text *why)
{
	return back_n(h, history_reverse_next, args, stop, why);
}

bool command_reverse_nexti(struct history *h, const char *args, struct debug_stop *stop, struct text *why)
{
	return back_n(h, history_reverse_nexti, args, stop, why);
}

bool command_reverse_continue(struct history *h, const char *args, struct debug_stop *stop, struct text *why)
{
	return back_n(h, history_reverse_continue, args, stop, why);
}

bool command_undo(struct history *h, const char *args, struct debug_stop *stop, struct text *why)
{
	uint64_t n = 1;
	return (!history_is_recorded(h) || running_count(history_debug(h), args, &n, why)) && history_undo(h, n, stop, why);
}

bool command_redo(struct history *h, const char *args, struct debug_stop *stop, struct text *why)
{
	uint64_t n = 1;
	return (!history_is_recorded(h) || running_count(history_debug(h), args, &n, why)) && history_redo(h, n, stop, why);
}

bool command_reverse_finish(struct history *h, const char *args, struct debug_stop *stop, struct text *why)
{
	if (*scan_blanks(args))
		return debug_fail(why, "reverse-finish takes no arguments");
	return history_reverse_finish(h, stop, why);
}

bool command_goto_cycle(struct history *h, const char *args, struct debug_stop *stop, struct text *why)
{
	int64_t cycle;
	if (!*scan_blanks(args))
		return debug_fail(why, "usage: goto-cycle N");
	return debug_eval_integer(history_debug(h), args, &cycle, why) && history_goto_cycle(h, cycle < 0 ? 0 : (uint64_t)cycle, stop, why);
}

typedef bool back_to_fn(struct history *h, const struct debug_location *to, struct debug_stop *stop, struct text *why);

static bool back_to(struct history *h, back_to_fn *back, const char *args, struct debug_stop *stop, struct text *why)
{
	struct debug_location to;
	if (!history_can_go_back(h, why) || !running_location(history_debug(h), args, &to, why))
		return false;
	const bool ok = back(h, &to, stop, why);
	debug_location_free(&to);
	return ok;
}

bool command_reverse_until(struct history *h, const char *args, struct debug_stop *stop, struct text *why)
{
	return *scan_blanks(args) ? back_to(h, history_reverse_until, args, stop, why) : history_reverse_until(h, NULL, stop, why);
}

bool command_reverse_advance(struct history *h, const char *args, struct debug_stop *stop, struct text *why)
{
	if (!*scan_blanks(args))
		return debug_fail(why, "usage: advance LOC");
	return back_to(h, history_reverse_advance, args, stop, why);
}
