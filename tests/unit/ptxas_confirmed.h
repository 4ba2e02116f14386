/* What the installed ptxas has confirmed once: tests/ptxas/confirmed.txt. Hundreds of starts of ptxas are spared as long as the questions, our answers and
 * the version of ptxas are those of then. Include after need_ptxas.h. */
#ifndef TESTS_PTXAS_CONFIRMED_H
#define TESTS_PTXAS_CONFIRMED_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"

#define PTXAS_CONFIRMED "../ptxas/confirmed.txt" /* tests run in tests/unit */

/* Returns the row of the test `name` in confirmed.txt: a hash over the version of ptxas and `all`, which has the questions and our answers. */
static inline char *ptxas_confirmed_row(const char *name, const struct text *all)
{
	struct text t = {0}, row = {0};
	char line[300];
	FILE *f = popen("ptxas --version", "r");

	assert_non_null(f);
	while (fgets(line, sizeof(line), f))
		text_add(&t, line);
	pclose(f);
	text_addn(&t, text_str(all), all->n);
	text_addf(&row, "%s %016" PRIx64 "\n", name, hash_fnv1a64(t.s, t.n));
	text_free(&t);
	return text_take(&row);
}

/* Returns whether confirmed.txt has `row`. */
static inline bool ptxas_has_confirmed(const char *row)
{
	char line[300];
	FILE *f = fopen(PTXAS_CONFIRMED, "r");
	bool found = false;

	while (f && !found && fgets(line, sizeof(line), f))
		found = !strcmp(line, row);
	if (f)
		fclose(f);
	return found;
}

/* Puts `row`, which ptxas has just confirmed, into confirmed.txt in place of the test's last one if UPDATE is set; says so otherwise. */
static inline void ptxas_confirm(const char *row)
{
	const size_t n_name = strcspn(row, " ") + 1;
	struct text t = {0};
	char line[300];
	FILE *f;

	if (!getenv("UPDATE")) {
		print_message("ptxas was asked; with UPDATE=1 its answer is kept in tests/ptxas/confirmed.txt: %s", row);
		return;
	}
	f = fopen(PTXAS_CONFIRMED, "r");
	while (f && fgets(line, sizeof(line), f))
		if (strncmp(line, row, n_name))
			text_add(&t, line);
	if (f)
		fclose(f);
	text_add(&t, row);
	f = fopen(PTXAS_CONFIRMED, "w");
	assert_non_null(f);
	fwrite(t.s, 1, t.n, f);
	fclose(f);
	text_free(&t);
}

#endif
