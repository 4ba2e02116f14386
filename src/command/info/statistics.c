/* `stats` and `info statistics`: what the device has counted. */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "command/info/summary.h"
#include "debug/ground/scan.h"
#include "command/info.h"
#include "command/inspect.h"
#include "gpu/statistics/statistics.h"

static bool none(struct debug *d, const char *pattern, struct text *why)
{
	if (gpu_statistics_note(d->g, pattern, why))
		return false;
	debug_fail(why, "no statistic matches \"%s\"", pattern);
	if (!strpbrk(pattern, "*?["))
		gpu_statistics_suggest(d->g, pattern, "summary reset", why);
	return false;
}

/* Does it begin with this word? Then what stands after it. */
static const char *after(const char *args, const char *word)
{
	const size_t n = strlen(word);
	return !strncmp(args, word, n) && (!args[n] || strchr(" \t", args[n])) ? scan_blanks(args + n) : NULL;
}

/* The figures that a glob means go to a report. */
struct figures {
	struct report *report;
	const char *glob; /* "": all */
};

static void describe_figure(void *self, const char *name, struct statistic_value v)
{
	const struct figures *f = self;
	char shown[32];
	if (*f->glob && fnmatch(f->glob, name, 0))
		return;
	snprintf(shown, sizeof shown, "%g", v.real);
	if (v.whole)
		report_number(f->report, name, v.n);
	else
		report_real(f->report, name, v.real, shown);
}

void statistics_describe(struct debug *d, uint32_t launch, const char *glob, struct report *report)
{
	struct figures f = {report, glob};
	gpu_statistics_each(d->g, launch, describe_figure, &f);
}

/* Adds a row of `stats --list`. */
static void describe_meaning(void *self, const struct statistic_meaning *m)
{
	struct report *answer = self;
	report_open(answer, NULL);
	report_text(answer, "name", m->name);
	report_text(answer, "kind", m->kind);
	report_text(answer, "help", m->help);
	if (m->instead)
		report_text(answer, "instead", m->instead);
	report_line(answer, "{name} ({kind}): {help}[; {instead}]\n");
	report_close(answer);
}

static bool list(struct debug *d, const char *pattern, struct report *answer, struct text *why)
{
	report_list(answer, "statistics");
	const bool any = gpu_statistics_list(pattern, describe_meaning, answer);
	report_close(answer);
	return any || none(d, pattern, why);
}

/* Appends the lines of a pattern, or all. */
static bool print_figures(struct debug *d, const char *args, struct text *out, struct text *why)
{
	char *pattern = xstrdup(scan_blanks(args));
	bool ok = true;
	size_t n = strlen(pattern);
	while (n && strchr(" \t", pattern[n - 1]))
		pattern[--n] = '\0';
	if (n > 2 && pattern[0] == '"' && pattern[n - 1] == '"') { /* as names with blanks stand in expressions */
		pattern[n - 1] = '\0';
		memmove(pattern, pattern + 1, n - 1);
	}
	if (!*pattern)
		gpu_statistics_print(d->g, out);
	else
		ok = gpu_statistics_find(d->g, pattern, out) || none(d, pattern, why);
	free(pattern);
	return ok;
}

/* Without a reset: looking changes nothing. */
bool info_statistics(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	report_open(answer, "statistics");
	statistics_describe(d, STATISTICS_TOTAL, scan_blanks(args), answer);
	report_close(answer);
	return print_figures(d, args, report_prose(answer), why);
}

bool statistics_answer(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	const char *s = scan_blanks(args), *pattern = after(s, "--list"), *rest = after(s, "reset");
	if (pattern)
		return list(d, pattern, answer, why);
	if (after(s, "summary") && *after(s, "summary"))
		return debug_fail(why, "usage: stats summary");
	if (after(s, "summary")) {
		summary_print(d, answer);
		return true;
	}
	if (after(s, "--lines"))
		return gpu_statistics_lines(d->g, report_prose(answer)) ||
		       debug_fail(why,
				  "no figures of lines are kept (performance mode, -enable_ptx_file_line_stats 1)");
	if (!rest)
		return print_figures(d, s, report_prose(answer), why);
	if (*rest)
		return debug_fail(why, "usage: stats reset");
	gpu_statistics_reset(d->g);
	return true;
}
