/* checkpoint, restart, delete checkpoint, info checkpoints. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "command/running/running.h"
#include "debug/ground/ground.h"
#include "history/history.h"

/* Returns a copy of a text without the blanks around it, which the caller frees. */
static char *trimmed(const char *s)
{
	s += strspn(s, " \t");
	size_t n = strlen(s);
	while (n && isspace((unsigned char)s[n - 1]))
		n--;
	return xstrndup(s, n);
}

bool command_restart(struct history *h, const char *args, struct debug_stop *stop, struct text *why)
{
	char *name = trimmed(args);
	const bool ok = *name ? history_restart(h, name, stop, why) : debug_fail(why, "usage: restart N|NAME");
	free(name);
	return ok;
}

/* Adds the `number`, `name`, `at_cycle` and `place` of a checkpoint to the open object. */
static void describe(const struct history_checkpoint *c, struct report *answer)
{
	report_number(answer, "number", c->number);
	if (c->name)
		report_text(answer, "name", c->name);
	report_number(answer, "at_cycle", c->cycle);
	if (c->place)
		report_text(answer, "place", c->place);
}

bool checkpoint_keep(struct history *h, const char *args, struct report *answer, struct text *why)
{
	struct history_checkpoint c;
	char *name = trimmed(args);
	const bool ok = history_checkpoint(h, *name ? name : NULL, &c) || debug_fail(why, "there is a checkpoint '%s' already", name);
	free(name);
	if (ok) {
		describe(&c, answer);
		report_line(answer, "Checkpoint {number}: cycle {at_cycle}[, {place}]\n");
	}
	return ok;
}

bool checkpoint_delete(struct history *h, const char *args, struct report *answer, struct text *why)
{
	const char *s = args + strspn(args, " \t");
	bool ok = *s || debug_fail(why, "usage: delete checkpoint N");
	(void)answer;
	while (ok && *s) {
		const size_t n = strcspn(s, " \t");
		char *name = xstrndup(s, n);
		ok = history_checkpoint_delete(h, name) || debug_fail(why, "no checkpoint '%s'; `info checkpoints` lists them", name);
		free(name);
		s += n + strspn(s + n, " \t");
	}
	return ok;
}

bool info_checkpoints(struct history *h, const char *args, struct report *answer, struct text *why)
{
	const size_t n = history_checkpoints(h);
	if (args[strspn(args, " \t")])
		return debug_fail(why, "usage: info checkpoints");
	if (!n)
		report_say(answer, "No checkpoints.\n");
	report_list(answer, "checkpoints");
	for (size_t k = 0; k < n; k++) {
		struct history_checkpoint c;
		history_checkpoint_get(h, k, &c);
		report_open(answer, NULL);
		describe(&c, answer);
		report_flag(answer, "is_here", c.is_here);
		report_line(answer, c.is_here ? "* {number} [{name}: ]cycle {at_cycle}[, {place}]\n" : "  {number} [{name}: ]cycle {at_cycle}[, {place}]\n");
		report_close(answer);
	}
	report_close(answer);
	return true;
}
