/* `stats` and `info statistics`: what the device has counted. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/perf/summary.h"
#include "debug/scan.h"
#include "debug/info.h"
#include "debug/inspect.h"
#include "gpu/statistics.h"

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

/* Without a reset: looking changes nothing. */
bool info_statistics(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct text *out = report_prose(answer);
	char *pattern = xstrdup(scan_blanks(args));
	bool ok = true;
	for (size_t n = strlen(pattern); n && strchr(" \t", pattern[n - 1]);)
		pattern[--n] = '\0';
	if (!*pattern)
		gpu_statistics_print(d->g, out);
	else
		ok = gpu_statistics_find(d->g, pattern, out) || none(d, pattern, why);
	free(pattern);
	return ok;
}

bool debug_cmd_stats(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct text *out = report_prose(answer);
	const char *s = scan_blanks(args), *pattern = after(s, "--list"), *rest = after(s, "reset");
	if (pattern)
		return gpu_statistics_list(pattern, out) || none(d, pattern, why);
	if (after(s, "summary") && *after(s, "summary"))
		return debug_fail(why, "usage: stats summary");
	if (after(s, "summary")) {
		summary_print(d, out);
		return true;
	}
	if (after(s, "--lines"))
		return gpu_statistics_lines(d->g, out) ||
		       debug_fail(why,
				  "no figures of lines are kept (performance mode, -enable_ptx_file_line_stats 1)");
	if (!rest)
		return info_statistics(d, s, answer, why);
	if (*rest)
		return debug_fail(why, "usage: stats reset");
	gpu_statistics_reset(d->g);
	return true;
}
