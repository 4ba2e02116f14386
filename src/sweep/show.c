#include "base/file_replace.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "sweep/database.h"
#include "sweep/sweep.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int sweep_status(const char *path)
{
	sqlite3 *db = database_open(path, false);
	if (!db)
		return 1;
	struct job_counts c = database_counts(db);
	printf("%" PRId64 " jobs: %" PRId64 " done, %" PRId64 " failed, %" PRId64 " not run or killed\n", c.all, c.done, c.failed, c.waiting);
	sqlite3_close(db);
	return c.done != c.all;
}

/* Prints the last lines of a job's output, if the file is there. */
static void print_output(const char *db, int64_t id)
{
	struct text path = { 0 };
	text_addf(&path, "%s.jobs/%" PRId64 ".out", db, id);
	FILE *f = fopen(text_str(&path), "r");
	text_free(&path);
	if (!f)
		return;
	char last[5][256];
	size_t n = 0;
	while (fgets(last[n % 5], sizeof last[0], f))
		n++;
	fclose(f);
	for (size_t i = n > 5 ? n - 5 : 0; i < n; i++)
		printf("    %.*s\n", (int)strcspn(last[i % 5], "\n"), last[i % 5]);
}

int sweep_failures(const char *path)
{
	sqlite3 *db = database_open(path, false);
	if (!db)
		return 1;
	bool some = false;
	sqlite3_stmt *s = database_prepare(db, "SELECT id, status, host, command FROM jobs WHERE status IS NOT 0 ORDER BY id");
	for (; database_step(db, s); some = true) {
		int64_t id = sqlite3_column_int64(s, 0);
		if (sqlite3_column_type(s, 1) == SQLITE_NULL)
			printf("job %" PRId64 " hasn't run to its end\n", id);
		else
			printf("job %" PRId64 ", status %d, on %s\n", id, sqlite3_column_int(s, 1), sqlite3_column_text(s, 2));
		printf("    %s\n", sqlite3_column_text(s, 3));
		print_output(path, id);
	}
	sqlite3_finalize(s);
	sqlite3_close(db);
	if (!some)
		puts("No failures.");
	return some;
}

/* ---- export ---- */

static void write_cell(FILE *f, const char *s)
{
	if (!s)
		return;
	if (!s[strcspn(s, ",\"\n\r")]) {
		fputs(s, f);
		return;
	}
	putc('"', f);
	for (; *s; s++) {
		if (*s == '"')
			putc('"', f);
		putc(*s, f);
	}
	putc('"', f);
}

static const char *text_of(sqlite3_stmt *s, int column) { return (const char *)sqlite3_column_text(s, column); }

/* Writes the values that a job has for each option name. A name that a job has several times (`setup`) gets its values with "; " between them. */
static void write_options(FILE *f, sqlite3 *db, sqlite3_stmt *values, int64_t job, char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		sqlite3_reset(values);
		sqlite3_bind_int64(values, 1, job);
		sqlite3_bind_text(values, 2, names[i], -1, SQLITE_TRANSIENT);
		struct text t = { 0 };
		for (bool first = true; database_step(db, values); first = false)
			text_addf(&t, "%s%s", first ? "" : "; ", text_of(values, 0));
		putc(',', f);
		write_cell(f, text_str(&t));
		text_free(&t);
	}
}

static char **option_names(sqlite3 *db, size_t *n)
{
	char **v = NULL;
	size_t cap = 0;
	*n = 0;
	sqlite3_stmt *s = database_prepare(db, "SELECT name FROM options GROUP BY name ORDER BY min(rowid)");
	while (database_step(db, s)) {
		v = xgrow(v, &cap, *n + 1, sizeof *v);
		v[(*n)++] = xstrdup(text_of(s, 0));
	}
	sqlite3_finalize(s);
	return v;
}

static void write_table(FILE *f, sqlite3 *db)
{
	size_t n;
	char **names = option_names(db, &n);
	fputs("job", f);
	for (size_t i = 0; i < n; i++) {
		putc(',', f);
		write_cell(f, names[i]);
	}
	fputs(",launch,kernel,statistic,value,host,version,seconds\n", f);
	sqlite3_stmt *values = database_prepare(db, "SELECT value FROM options WHERE job = ? AND name = ? ORDER BY rowid");
	sqlite3_stmt *s = database_prepare(db, "SELECT job, launch, kernel, name, value, host, version, seconds FROM statistics JOIN jobs ON jobs.id = job"
					       " ORDER BY job, statistics.rowid");
	while (database_step(db, s)) {
		int64_t job = sqlite3_column_int64(s, 0);
		fprintf(f, "%" PRId64, job);
		write_options(f, db, values, job, names, n);
		for (int i = 1; i < sqlite3_column_count(s); i++) {
			putc(',', f);
			write_cell(f, text_of(s, i));
		}
		putc('\n', f);
	}
	sqlite3_finalize(s);
	sqlite3_finalize(values);
	for (size_t i = 0; i < n; i++)
		free(names[i]);
	free(names);
}

int sweep_export(const char *path, const char *csv)
{
	sqlite3 *db = database_open(path, false);
	if (!db)
		return 1;
	struct file_replacement w;
	bool ok;
	if (csv) {
		ok = file_replace_open(&w, csv);
		if (ok) {
			write_table(w.file, db);
			ok = file_replace_close(&w, true);
		}
	} else {
		write_table(stdout, db);
		ok = !fflush(stdout) && !ferror(stdout);
	}
	if (!ok)
		fprintf(stderr, "error: %s: %s\n", csv ? csv : "standard output", strerror(errno));
	sqlite3_close(db);
	return !ok;
}
