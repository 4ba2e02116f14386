#include "base/text.h"
#include "base/xalloc.h"
#include "sweep/database.h"
#include "sweep/job.h"
#include "sweep/sweep.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The points of the picture: for each value of `by` (a line) and of `over`, the statistic's mean over the jobs that have both. */
struct points {
	char **x, **lines; /* texts of the values, in the order of the jobs that have them first */
	size_t n_x, n_lines, cap_x, cap_lines;
	double *sum, *least, *most;
	uint64_t *count; /* each [line * n_x + x] */
};

static size_t place_of(char *const *v, size_t n, const char *s)
{
	size_t i = 0;
	while (i < n && strcmp(v[i], s))
		i++;
	return i;
}

static void add_value(char ***v, size_t *n, size_t *cap, const char *s)
{
	if (place_of(*v, *n, s) < *n)
		return;
	*v = xgrow(*v, cap, *n + 1, sizeof **v);
	(*v)[(*n)++] = xstrdup(s);
}

static bool is_number(const char *s)
{
	char *end;
	strtod(s, &end);
	return end != s && !*end;
}

static bool all_numbers(char *const *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!is_number(v[i]))
			return false;
	return n > 0;
}

/* What the values of an option have in common, at the words' ends: `4:128:4` and `8:128:4` differ in their first number only. */
struct common {
	size_t before, after; /* bytes at the beginning and at the end */
};

static struct common find_common(char *const *v, size_t n)
{
	struct common c = { 0 };
	if (n < 2)
		return c;
	size_t least = strlen(v[0]);
	c.before = c.after = least;
	for (size_t i = 1; i < n; i++) {
		size_t length = strlen(v[i]), k = 0;
		least = length < least ? length : least;
		while (k < c.before && v[i][k] && v[i][k] == v[0][k])
			k++;
		c.before = k;
		for (k = 0; k < c.after && k < length && v[i][length - 1 - k] == v[0][strlen(v[0]) - 1 - k];)
			k++;
		c.after = k;
	}
	while (c.before && isalnum((unsigned char)v[0][c.before - 1]))
		c.before--;
	while (c.after && isalnum((unsigned char)v[0][strlen(v[0]) - c.after]))
		c.after--;
	for (size_t i = 0; c.before + c.after && i < n; i++) {
		/* what is left has to be a number: the pattern of other texts is harder to read than they are */
		size_t length = strlen(v[i]);
		char *left = c.before + c.after < least ? xstrndup(v[i] + c.before, length - c.before - c.after) : NULL;
		if (!left || !is_number(left))
			c = (struct common){ 0 };
		free(left);
	}
	return c;
}

/* Cuts what the values have in common off each of them. */
static void cut_common(char **v, size_t n, struct common c)
{
	for (size_t i = 0; i < n; i++) {
		char *cut = xstrndup(v[i] + c.before, strlen(v[i]) - c.before - c.after);
		free(v[i]);
		v[i] = cut;
	}
}

static int by_number(const void *a, const void *b)
{
	double x = strtod(*(char *const *)a, NULL), y = strtod(*(char *const *)b, NULL);
	return (x > y) - (x < y);
}

/* Prepares the query of (over, by, value); `launch` is a number, a kernel's name or NULL. */
static sqlite3_stmt *query(sqlite3 *db, const struct plot_request *r, const char *over, const char *by)
{
	bool by_launch = r->launch && r->launch[0] && !r->launch[strspn(r->launch, "0123456789")];
	struct text sql = { 0 };
	text_add(&sql, "SELECT o.value, ");
	text_add(&sql, by ? "b.value" : "''");
	text_add(&sql, ", s.value FROM statistics s JOIN jobs ON jobs.id = s.job AND jobs.status = 0 JOIN options o ON o.job = s.job AND o.name = ?1");
	if (by)
		text_add(&sql, " JOIN options b ON b.job = s.job AND b.name = ?2");
	text_add(&sql, " WHERE s.name = ?3 AND ");
	text_add(&sql, !r->launch ? "s.launch IS NULL" : by_launch ? "s.launch = CAST(?4 AS INTEGER)" : "s.kernel = ?4");
	text_add(&sql, " ORDER BY s.job");
	sqlite3_stmt *s = database_prepare(db, text_str(&sql));
	text_free(&sql);
	sqlite3_bind_text(s, 1, over, -1, SQLITE_TRANSIENT);
	if (by)
		sqlite3_bind_text(s, 2, by, -1, SQLITE_TRANSIENT);
	sqlite3_bind_text(s, 3, r->statistic, -1, SQLITE_TRANSIENT);
	if (r->launch)
		sqlite3_bind_text(s, 4, r->launch, -1, SQLITE_TRANSIENT);
	return s;
}

/* Reads the points. The values of `over` lose what they have in common; appends to `axis` the pattern that they fit, if there is one. */
static void read_points(struct points *p, sqlite3 *db, sqlite3_stmt *s, struct text *axis)
{
	while (database_step(db, s)) {
		add_value(&p->x, &p->n_x, &p->cap_x, (const char *)sqlite3_column_text(s, 0));
		add_value(&p->lines, &p->n_lines, &p->cap_lines, (const char *)sqlite3_column_text(s, 1));
	}
	struct common c = find_common(p->x, p->n_x);
	if (c.before + c.after) {
		text_addf(axis, " = %.*sX%s", (int)c.before, p->x[0], p->x[0] + strlen(p->x[0]) - c.after);
		cut_common(p->x, p->n_x, c);
	}
	if (all_numbers(p->x, p->n_x))
		qsort(p->x, p->n_x, sizeof *p->x, by_number);
	if (all_numbers(p->lines, p->n_lines))
		qsort(p->lines, p->n_lines, sizeof *p->lines, by_number);
	size_t cells = p->n_x * p->n_lines;
	p->sum = xcalloc(cells ? cells : 1, sizeof *p->sum);
	p->least = xcalloc(cells ? cells : 1, sizeof *p->least);
	p->most = xcalloc(cells ? cells : 1, sizeof *p->most);
	p->count = xcalloc(cells ? cells : 1, sizeof *p->count);
	sqlite3_reset(s);
	while (database_step(db, s)) {
		char *x = xstrdup((const char *)sqlite3_column_text(s, 0));
		cut_common(&x, 1, c);
		size_t cell = place_of(p->lines, p->n_lines, (const char *)sqlite3_column_text(s, 1)) * p->n_x + place_of(p->x, p->n_x, x);
		free(x);
		double value = sqlite3_column_double(s, 2);
		p->sum[cell] += value;
		p->least[cell] = p->count[cell] && p->least[cell] < value ? p->least[cell] : value;
		p->most[cell] = p->count[cell] && p->most[cell] > value ? p->most[cell] : value;
		p->count[cell]++;
	}
}

static void points_free(struct points *p)
{
	for (size_t i = 0; i < p->n_x; i++)
		free(p->x[i]);
	for (size_t i = 0; i < p->n_lines; i++)
		free(p->lines[i]);
	free(p->x);
	free(p->lines);
	free(p->sum);
	free(p->least);
	free(p->most);
	free(p->count);
}

/* ---- the picture ---- */

/* Writes a string as gnuplot reads it between double quotes, without its markup. */
static void write_string(FILE *f, const char *s)
{
	putc('"', f);
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			putc('\\', f);
		putc((unsigned char)*s < ' ' ? ' ' : *s, f);
	}
	putc('"', f);
}

/* Writes the axis of numbers: a tick for each value if there are few, and a logarithmic scale if each is at least one and a half of the one before. */
static void write_numeric_axis(FILE *f, const struct points *p)
{
	bool is_geometric = p->n_x > 3;
	for (size_t i = 1; i < p->n_x; i++)
		is_geometric = is_geometric && strtod(p->x[i - 1], NULL) > 0 && strtod(p->x[i], NULL) >= 1.5 * strtod(p->x[i - 1], NULL);
	if (is_geometric)
		fprintf(f, "set logscale x 2\nset xrange [%s / 1.2:%s * 1.2]\n", p->x[0], p->x[p->n_x - 1]);
	for (size_t i = 0; i < p->n_x && p->n_x <= 12; i++)
		fprintf(f, "%s%s%s", i ? ", " : "set xtics (", p->x[i], i + 1 < p->n_x ? "" : ")\n");
}

/* Writes the program for gnuplot: the table as a data block, then one `plot`. */
static void write_program(FILE *f, const struct points *p, const struct plot_request *r, const char *axis)
{
	bool numeric = all_numbers(p->x, p->n_x) && p->n_x > 1;
	bool is_png = strlen(r->out) > 4 && !strcmp(r->out + strlen(r->out) - 4, ".png");
	fprintf(f, "set terminal %s size 800,500 noenhanced\nset output ", is_png ? "pngcairo" : "svg");
	write_string(f, r->out);
	fputs("\nset xlabel ", f);
	write_string(f, axis);
	fputs("\nset ylabel ", f);
	write_string(f, r->statistic);
	if (r->launch) {
		fputs("\nset title ", f);
		write_string(f, r->launch);
	}
	fputs("\nset grid ytics\nset key above left vertical maxrows 8\nset yrange [0:*]\nset datafile missing \"?\"\n", f);
	if (numeric)
		write_numeric_axis(f, p);
	else
		fputs("set style data histogram\nset style fill solid 0.6 border\nset xtics rotate by -30\n", f);
	fputs("$data << WARPSTEP_END\n", f);
	for (size_t x = 0; x < p->n_x; x++) {
		write_string(f, p->x[x]);
		fprintf(f, " %s", numeric ? p->x[x] : "0");
		for (size_t line = 0; line < p->n_lines; line++) {
			size_t cell = line * p->n_x + x;
			if (p->count[cell])
				fprintf(f, " %.17g", p->sum[cell] / (double)p->count[cell]);
			else
				fputs(" ?", f);
		}
		putc('\n', f);
	}
	fputs("WARPSTEP_END\nplot ", f);
	for (size_t line = 0; line < p->n_lines; line++) {
		if (line)
			fputs(", ", f);
		fprintf(f, numeric ? "$data using 2:%zu with linespoints" : "$data using %zu:xtic(1)", line + 3);
		if (p->lines[line][0]) {
			fputs(" title ", f);
			write_string(f, p->lines[line]);
		} else {
			fputs(" notitle", f);
		}
	}
	putc('\n', f);
}

/* Runs gnuplot on the program in the file `path`. */
static bool run_gnuplot(const char *path)
{
	struct argv a = { 0 };
	struct text out = { 0 };
	argv_add(&a, "gnuplot");
	argv_add(&a, path);
	int status = argv_run(&a, &out);
	if (status == 127)
		fputs("error: gnuplot is not installed; its Debian package is gnuplot-nox\n", stderr);
	else if (status)
		fprintf(stderr, "error: gnuplot: %s", text_str(&out));
	argv_free(&a);
	text_free(&out);
	return !status;
}

static bool draw(const struct points *p, const struct plot_request *r, const char *axis)
{
	int out = open(r->out, O_WRONLY | O_CREAT, 0666);
	char path[] = "/tmp/warpstep-plot-XXXXXX";
	int fd = out < 0 ? -1 : mkstemp(path);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
	if (!f) {
		fprintf(stderr, "error: %s: %s\n", out < 0 ? r->out : path, strerror(errno));
		return false;
	}
	close(out);
	write_program(f, p, r, axis);
	bool ok = !fclose(f) && run_gnuplot(path);
	unlink(path);
	return ok;
}

/* Finds an option by its name with or without the dash. Prints the names that there are, and returns NULL, if there is none. The caller frees it. */
static char *find_option(sqlite3 *db, const char *name)
{
	sqlite3_stmt *s = database_prepare(db, "SELECT name FROM options WHERE name = ?1 OR name = '-' || ?1 LIMIT 1");
	sqlite3_bind_text(s, 1, name, -1, SQLITE_TRANSIENT);
	char *found = database_step(db, s) ? xstrdup((const char *)sqlite3_column_text(s, 0)) : NULL;
	sqlite3_finalize(s);
	if (found)
		return found;
	fprintf(stderr, "error: the sweep has no option '%s'; it has", name);
	s = database_prepare(db, "SELECT name FROM options GROUP BY name ORDER BY min(rowid)");
	for (const char *before = " "; database_step(db, s); before = ", ")
		fprintf(stderr, "%s%s", before, sqlite3_column_text(s, 0));
	fputc('\n', stderr);
	sqlite3_finalize(s);
	return NULL;
}

/* Says why there are no points. */
static void explain_nothing(sqlite3 *db, const struct plot_request *r)
{
	sqlite3_stmt *s = database_prepare(db, "SELECT DISTINCT launch IS NULL FROM statistics WHERE name = ?");
	sqlite3_bind_text(s, 1, r->statistic, -1, SQLITE_TRANSIENT);
	if (!database_step(db, s))
		fprintf(stderr, "error: no job has a statistic '%s'; `warpstep -ex 'stats --list'` names them\n", r->statistic);
	else if (r->launch)
		fprintf(stderr, "error: no launch '%s' has the statistic '%s'; expected a kernel's name or a launch's number\n", r->launch, r->statistic);
	else
		fprintf(stderr, "error: '%s' is a statistic of launches; add `launch NAME`\n", r->statistic);
	sqlite3_finalize(s);
}

int sweep_plot(const char *path, const struct plot_request *r)
{
	sqlite3 *db = database_open(path, false);
	if (!db)
		return 1;
	char *over = find_option(db, r->over), *by = over && r->by ? find_option(db, r->by) : NULL;
	struct points p = { 0 };
	struct text axis = { 0 };
	bool ok = over && (by || !r->by);
	if (ok) {
		sqlite3_stmt *s = query(db, r, over, by);
		text_add(&axis, over);
		read_points(&p, db, s, &axis);
		sqlite3_finalize(s);
		ok = p.n_x > 0;
		if (!ok)
			explain_nothing(db, r);
	}
	bool differ = false;
	for (size_t i = 0; i < p.n_x * p.n_lines; i++)
		differ |= p.most[i] > p.least[i];
	if (ok && differ)
		fputs("note: a point is the mean of several jobs or launches, and their values differ; `by OPTION` and `launch NAME` tell them apart\n", stderr);
	ok = ok && draw(&p, r, text_str(&axis));
	text_free(&axis);
	points_free(&p);
	free(over);
	free(by);
	sqlite3_close(db);
	return !ok;
}
