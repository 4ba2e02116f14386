/* Breakpoints by the dozen: at all functions of a name, and all of them as commands. */
#include <ctype.h>
#include <regex.h>
#include <string.h>

#include "debug/csource/cnames.h"
#include "debug/expr/format.h"
#include "debug/ground/ground.h"
#include "debug/ground/scan.h"
#include "debug/setup/launch.h"
#include "debug/stop/breakpoint.h"
#include "debug/stop/stop.h"
#include "command/stop/stop_commands.h"

/* ---- rbreak ---- */

static bool is_there(const struct isa_function *f) { return !f->unloaded && f->is_defined && f->first < f->end; }

bool command_rbreak(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	const struct isa_program *p = debug_program(d);
	const char *pattern = scan_blanks(args);
	regex_t re;
	bool ok = true, any = false;
	if (regcomp(&re, pattern, REG_NOSUB))
		return debug_fail(why, "Invalid regexp: %s", pattern);
	report_list(answer, "breakpoints");
	for (uint32_t i = 0; i < p->n_functions && ok; i++) {
		const struct isa_function *f = p->functions[i];
		if (!is_there(f) ||
		    (regexec(&re, debug_function_name(d, f), 0, NULL, 0) && regexec(&re, f->name, 0, NULL, 0)))
			continue;
		report_open(answer, NULL);
		ok = command_break(d, f->name, answer, why);
		debug_function_type(d, f, debug_function_name(d, f), report_prose(answer));
		report_say(answer, ";\n");
		report_close(answer);
		any = true;
	}
	report_close(answer);
	regfree(&re);
	return ok && (any || debug_fail(why, "no function's name matches '%s'", pattern));
}

/* ---- save breakpoints ---- */

static void triple(const char *word, const uint32_t v[3], struct text *out)
{
	text_addf(out, " %s ", word);
	format_dim3(v, out);
}

static void save_filter(const struct breakpoint *b, struct text *out)
{
	const struct breakpoint_filter *f = &b->filter;
	if (f->has_uid)
		text_addf(out, " uid %llu", (unsigned long long)f->uid);
	if (f->has_thread)
		triple("thread", f->thread, out);
	if (f->has_block)
		triple("block", f->block, out);
	if (f->has_warp)
		text_addf(out, " warp %u", f->warp);
}

static void save_one(const struct breakpoint *b, struct text *out)
{
	static const char *const watches[] = {
		[BREAKPOINT_WRITE] = "watch", [BREAKPOINT_READ] = "rwatch", [BREAKPOINT_ACCESS] = "awatch"};
	if (b->kind == BREAKPOINT_CATCH)
		text_addf(out, "%s %s%s%s", b->temporary ? "tcatch" : "catch", breakpoint_caught_name(b->caught),
			  b->location ? " " : "", b->location ? b->location : "");
	else if (b->kind == BREAKPOINT_WATCH)
		text_addf(out, "%s %s", watches[b->watch.access], b->location);
	else if (b->code.prints)
		text_addf(out, "dprintf %s,%s", b->location, b->code.prints);
	else
		text_addf(out, "%s %s", b->temporary ? "tbreak" : "break", b->location);
	save_filter(b, out);
	if (b->condition && !breakpoint_prints(b))
		text_addf(out, " if %s", b->condition);
	text_addc(out, '\n');
	if (b->condition && breakpoint_prints(b))
		text_addf(out, "condition $bpnum %s\n", b->condition);
	if (b->ignore)
		text_addf(out, "ignore $bpnum %llu\n", (unsigned long long)b->ignore);
	if (b->n_commands) {
		text_add(out, "commands\n");
		for (size_t i = 0; i < b->n_commands; i++)
			text_addf(out, "%s%s\n", isblank((unsigned char)*b->commands[i]) ? "" : "  ", b->commands[i]);
		text_add(out, "end\n");
	}
	if (!b->enabled)
		text_add(out, "disable $bpnum\n");
}

/* Returns whether a text is one line, so that it can't bring another command. */
static bool is_one_line(const char *s) { return !s || !strpbrk(s, "\n\r"); }

bool breakpoint_save_text(struct debug *d, struct text *out, struct text *why)
{
	for (size_t i = 0; i < breakpoint_count(d); i++) {
		const struct breakpoint *b = breakpoint_at(d, i);
		if (b->internal || b->fired)
			continue;
		if (!is_one_line(b->location) || !is_one_line(b->condition) || !is_one_line(breakpoint_prints(b)))
			return debug_fail(why, "breakpoint %u can't be saved: there is a line break in it", b->number);
		save_one(b, out);
	}
	return out->n || debug_fail(why, "Nothing to save.");
}
