/* tests/ptxas/known-differences.txt: where we and ptxas differ on an instruction, on purpose. */
#ifndef TESTS_PTXAS_KNOWN_H
#define TESTS_PTXAS_KNOWN_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Does the instruction begin as the pattern says? * stands for anything. */
static bool ptxas_known_matches(const char *pattern, const char *text)
{
	while (*pattern && *pattern != '*')
		if (*pattern++ != *text++)
			return false;
	if (!*pattern)
		return true;
	for (; *text; text++)
		if (ptxas_known_matches(pattern + 1, text))
			return true;
	return ptxas_known_matches(pattern + 1, text);
}

/* Rows: `ours|theirs PATTERN  # reason`: who rejects. */
static bool ptxas_difference_is_known(bool we_reject, const char *insn)
{
	FILE *f = fopen("../ptxas/known-differences.txt", "r"); /* tests run in tests/unit */
	char row[300];
	bool known = false;

	while (f && !known && fgets(row, sizeof(row), f)) {
		char *reason = strstr(row, "  #"), *pattern = strchr(row, ' ');

		if (*row == '#' || !reason || !pattern)
			continue;
		*reason = 0;
		known = !strncmp(row, we_reject ? "ours " : "theirs ", we_reject ? 5 : 7) &&
			ptxas_known_matches(pattern + 1, insn);
	}
	if (f)
		fclose(f);
	return known;
}

#endif
