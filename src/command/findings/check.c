/* `check`, `info checkers`, `info findings`. */
#include <string.h>

#include "command/info.h"
#include "command/findings/findings.h"
#include "debug/ground/scan.h"
#include "debug/view/user_line.h"

static uint64_t place_hash(void *self, const struct check_access *a)
{
	return debug_place_hash(self, a->pc, &(struct debug_calls){a->callers, CHECK_CALLERS});
}

void findings_apply_settings(struct debug *d, bool stops, bool leaks, bool race_strict)
{
	if (!d->check)
		return;
	struct check_settings *s = check_settings(d->check);
	s->suppressed = findings_suppressed;
	s->place = place_hash;
	s->self = d;
	s->stops = stops;
	s->leaks = leaks;
	s->race_strict = race_strict;
}

bool command_check(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct text *out = report_prose(answer);
	struct text list = {0};
	const char *at = scan_blanks(args), *rest;
	const size_t n = strcspn(at, " \t");
	if (n == strlen("suppress") && !strncmp(at, "suppress", n))
		return findings_suppress(d, scan_blanks(at + n), out, why);
	text_addn(&list, at, n);
	rest = scan_blanks(at + n);
	const bool on = scan_word(&rest, "on"), off = !on && scan_word(&rest, "off");
	bool ok = n && (on || off) && !*scan_blanks(rest);
	ok = ok ? debug_check(d, text_str(&list), on, why)
		: debug_fail(why, "usage: check LIST on|off; LIST: %s", check_names);
	text_free(&list);
	return ok;
}

/* ---- info ---- */

bool info_checkers(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	static const char *const titles[] = {"<Checker", "<State", "Findings"};
	if (!scan_end(args, why))
		return false;
	if (!d->check)
		return debug_fail(why, "this host has no room for checkers");
	report_table(answer, "checkers", titles, 3);
	for (unsigned k = 0; k < CHECKERS; k++) {
		uint32_t found = 0;
		for (uint32_t n = 0; n < check_count(d->check); n++)
			found += check_of_kind((enum check_kind)check_at(d->check, n)->kind) == k;
		report_row(answer, false);
		report_text(answer, NULL, checker_name(k));
		report_text(answer, NULL, check_on(d->check) >> k & 1 ? "on" : "off");
		report_number(answer, NULL, found);
	}
	report_close(answer);
	report_say(answer, "A new finding %s (set check-action).\n",
		   check_settings(d->check)->stops ? "stops the machine" : "is reported when its kernel ends");
	return true;
}

static void first_line(struct debug *d, uint32_t n, struct text *out)
{
	const struct check_finding *f = check_at(d->check, n);
	struct text t = {0};
	findings_text(d, f, &t);
	text_addf(out, "%-3u %.*s%s, %llu time%s\n", n + 1, (int)strcspn(text_str(&t), "\n"), text_str(&t),
		  f->suppressed ? " (suppressed)" : "", (unsigned long long)f->count, f->count == 1 ? "" : "s");
	text_free(&t);
}

bool info_findings(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct text *out = report_prose(answer);
	const uint32_t n = d->check ? check_count(d->check) : 0;
	const char *at = scan_blanks(args);
	uint64_t which = 0;
	if (*at && (!scan_u64(&at, &which) || !scan_end(at, why)))
		return debug_fail(why, "usage: info findings [N]");
	if (*scan_blanks(args) && (!which || which > n))
		return debug_fail(why, "no finding %llu; there are %u", (unsigned long long)which, n);
	describe_findings(d, answer, (uint32_t)which);
	if (which) {
		findings_lines(d, check_at(d->check, (uint32_t)which - 1), out);
		return true;
	}
	if (!n)
		text_add(out, "No findings.\n");
	for (uint32_t k = 0; k < n; k++)
		first_line(d, k, out);
	return true;
}
