#include "base/diag.h"
#include "base/file.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "sweep/collect.h"
#include "sweep/database.h"
#include "sweep/job.h"
#include "sweep/spec.h"
#include "sweep/sweep.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SPEC_BYTES_MAX (16u << 20)
#define POLL_SECONDS 0.2
#define FAILURES_PRINTED 10

/* A sweep that runs. */
struct run {
	struct spec spec;
	const char *db_path;
	sqlite3 *db;
	char *folder; /* absolute: DB.jobs */
	int lock;     /* descriptor of the folder, locked; or -1 */
	char self[PATH_MAX], warpstep[PATH_MAX];
	char *version; /* what warpstep --version prints */
	int64_t *ids; /* of the description's combinations, in their order */
	int64_t *todo; /* those of them that are run now */
	size_t n_todo;
};

static volatile sig_atomic_t stopped_by;

static void note_signal(int number) { stopped_by = number; }

/* ---- the description ---- */

static bool read_spec(struct spec *s, const char *path)
{
	FILE *f = strcmp(path, "-") ? fopen(path, "r") : stdin;
	size_t n = 0;
	char *text = f ? file_read_open(f, SPEC_BYTES_MAX, &n) : NULL;
	int wrong = errno;
	if (f && f != stdin)
		fclose(f);
	if (!text || n > SPEC_BYTES_MAX) {
		fprintf(stderr, "error: %s: %s\n", path, text ? "over 16 MiB" : strerror(wrong));
		free(text);
		return false;
	}
	struct diag_list errors;
	diag_list_init(&errors);
	errors.limit = 20;
	json_t *utf8 = json_stringn(text, n);
	if (!utf8)
		diag_add(&errors, DIAG_ERROR, path, 1, 1, NULL, 0, "the file is no UTF-8 text");
	json_decref(utf8);
	bool ok = !errors.n_errors && spec_read(s, path, text, n, &errors);
	struct text out = { 0 };
	for (size_t i = 0; i < errors.n; i++)
		diag_format(&out, &errors.v[i]);
	fputs(text_str(&out), stderr);
	text_free(&out);
	diag_list_free(&errors);
	free(text);
	return ok;
}

/* Asks warpstep whether it takes the config and the options of combination `number`. Prints an error with the place of a value if it doesn't. */
static bool check_combination(const struct run *r, const char *file, size_t number, const struct spec_line *l, const struct spec_value *v)
{
	struct argv a = { 0 };
	struct text out = { 0 };
	job_options(&a, &r->spec, number, r->warpstep);
	argv_add(&a, "-ex");
	argv_add(&a, "info config -gpgpu_n_clusters"); /* without a command, warpstep would read standard input */
	int status = argv_run(&a, &out);
	bool ok = status != 2 && status < 126;
	if (!ok) {
		const char *message = text_str(&out);
		if (!strncmp(message, "error: ", 7))
			message += 7;
		fprintf(stderr, "error: %s:%u:%u: %.*s\n", file, l->line, v->col, (int)strcspn(message, "\n"), message);
	}
	text_free(&out);
	argv_free(&a);
	return ok;
}

/* Checks each value of a config line or an option in the first combination that has it. */
static bool check_values(const struct run *r, const char *file)
{
	bool ok = true;
	for (size_t i = 0; i < r->spec.n_lines; i++) {
		const struct spec_line *l = &r->spec.lines[i];
		for (size_t k = 0; k < l->n_values && (l->kind == SPEC_CONFIG || l->kind == SPEC_OPTION); k++)
			ok &= check_combination(r, file, k * l->stride, l, &l->values[k]);
	}
	return ok;
}

/* ---- what is there already ---- */

/* A job of the file by what it runs: its options, names and values, one behind the other. */
struct known {
	char *key;
	int64_t id;
	bool is_done;
};

static int by_key(const void *a, const void *b) { return strcmp(((const struct known *)a)->key, ((const struct known *)b)->key); }

static void add_to_key(struct text *key, const char *name, const char *value)
{
	text_addf(key, "%zu %s %zu %s ", strlen(name), name, strlen(value), value);
}

static struct known *read_known(sqlite3 *db, size_t *n)
{
	struct known *v = NULL;
	size_t cap = 0;
	struct text key = { 0 };
	int64_t id = 0;
	bool is_done = false;
	*n = 0;
	sqlite3_stmt *s = database_prepare(
		db, "SELECT job, name, value, status IS 0 FROM options JOIN jobs ON jobs.id = options.job ORDER BY job, options.rowid");
	for (bool more = true; more;) {
		more = database_step(db, s);
		int64_t next = more ? sqlite3_column_int64(s, 0) : 0;
		if (next != id && id) {
			v = xgrow(v, &cap, *n + 1, sizeof *v);
			v[(*n)++] = (struct known){ text_take(&key), id, is_done };
		}
		id = next;
		if (more) {
			add_to_key(&key, (const char *)sqlite3_column_text(s, 1), (const char *)sqlite3_column_text(s, 2));
			is_done = sqlite3_column_int(s, 3);
		}
	}
	sqlite3_finalize(s);
	if (*n)
		qsort(v, *n, sizeof *v, by_key);
	return v;
}

/* Returns the command line that repeats a combination, from any folder. The caller frees it. */
static char *command_text(const struct run *r, size_t number)
{
	struct argv a = { 0 }, cd = { 0 };
	struct text t = { 0 };
	char *folder = getcwd(NULL, 0);
	argv_add(&cd, "cd");
	argv_add(&cd, folder ? folder : ".");
	job_command_text(&t, &cd);
	text_add(&t, " && ");
	job_command(&a, &r->spec, number, r->warpstep, NULL);
	job_command_text(&t, &a);
	argv_free(&a);
	argv_free(&cd);
	free(folder);
	return text_take(&t);
}

static int64_t insert_job(struct run *r, size_t number)
{
	char *command = command_text(r, number);
	sqlite3_stmt *s = database_prepare(r->db, "INSERT INTO jobs(command) VALUES(?)");
	sqlite3_bind_text(s, 1, command, -1, SQLITE_TRANSIENT);
	database_step(r->db, s);
	sqlite3_finalize(s);
	free(command);
	int64_t id = sqlite3_last_insert_rowid(r->db);
	s = database_prepare(r->db, "INSERT INTO options(job, name, value) VALUES(?, ?, ?)");
	for (size_t i = 0; i < r->spec.n_lines; i++) {
		sqlite3_reset(s);
		sqlite3_bind_int64(s, 1, id);
		sqlite3_bind_text(s, 2, r->spec.lines[i].name, -1, SQLITE_TRANSIENT);
		sqlite3_bind_text(s, 3, spec_value_of(&r->spec, i, number), -1, SQLITE_TRANSIENT);
		database_step(r->db, s);
	}
	sqlite3_finalize(s);
	return id;
}

/* Makes a job that failed one that hasn't run. */
static void forget_result(struct run *r, int64_t id, size_t number)
{
	char *command = command_text(r, number);
	sqlite3_stmt *s = database_prepare(r->db, "UPDATE jobs SET host = NULL, version = NULL, status = NULL, seconds = NULL, command = ? WHERE id = ?");
	sqlite3_bind_text(s, 1, command, -1, SQLITE_TRANSIENT);
	sqlite3_bind_int64(s, 2, id);
	database_step(r->db, s);
	sqlite3_finalize(s);
	free(command);
}

/* Writes the file that starts a job. */
static bool write_job(const struct run *r, int64_t id, size_t number)
{
	struct text stats = { 0 };
	job_path(&stats, r->folder, id, "stats");
	struct argv a = { 0 };
	job_command(&a, &r->spec, number, r->warpstep, text_str(&stats));
	bool ok = job_write(r->folder, id, r->version, &a);
	if (!ok)
		fprintf(stderr, "error: %s: a job's file can't be written: %s\n", r->folder, strerror(errno));
	argv_free(&a);
	text_free(&stats);
	return ok;
}

/* Finds for each combination its job, or makes it one, and lists those without a result. */
static bool plan(struct run *r)
{
	size_t n_known, n = r->spec.n_combinations;
	struct known *known = read_known(r->db, &n_known);
	r->ids = xcalloc(n, sizeof *r->ids);
	r->todo = xcalloc(n, sizeof *r->todo);
	bool ok = true;
	database_execute(r->db, "BEGIN IMMEDIATE");
	for (size_t number = 0; ok && number < n; number++) {
		struct text key = { 0 };
		for (size_t i = 0; i < r->spec.n_lines; i++)
			add_to_key(&key, r->spec.lines[i].name, spec_value_of(&r->spec, i, number));
		struct known wanted = { .key = (char *)text_str(&key) };
		struct known *k = n_known ? bsearch(&wanted, known, n_known, sizeof *known, by_key) : NULL;
		text_free(&key);
		r->ids[number] = k ? k->id : insert_job(r, number);
		if (k && k->is_done)
			continue;
		if (k)
			forget_result(r, k->id, number);
		r->todo[r->n_todo++] = r->ids[number];
		ok = write_job(r, r->ids[number], number);
	}
	database_execute(r->db, ok ? "COMMIT" : "ROLLBACK");
	for (size_t i = 0; i < n_known; i++)
		free(known[i].key);
	free(known);
	return ok;
}

/* ---- running ---- */

static double seconds_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Draws the line `12 of 200 jobs, 0:01:15 to go` over the last one, on a terminal only. */
static void draw_progress(size_t done, size_t n, double seconds)
{
	if (!isatty(2))
		return;
	fprintf(stderr, "\r%zu of %zu jobs", done, n);
	if (done && done < n) {
		long left = (long)(seconds / (double)done * (double)(n - done) + 0.5);
		fprintf(stderr, ", %ld:%02ld:%02ld to go", left / 3600, left / 60 % 60, left % 60);
	}
	fputs("   \x1b[K", stderr);
}

/* Runs the jobs of `todo` once. Returns false if the engine can't be started. */
static bool run_jobs(struct run *r, const struct engine_options *o)
{
	struct engine e = { 0 };
	double from = seconds_now();
	size_t done = 0;
	bool ok = engine_start(&e, o, r->self, r->folder, r->todo, r->n_todo);
	if (!ok)
		engine_stop(&e);
	for (bool alive = true; alive;) {
		alive = engine_is_alive(&e);
		done += collect_results(r->db, r->folder);
		draw_progress(done, r->n_todo, seconds_now() - from);
		if (alive && stopped_by) {
			engine_stop(&e);
			break;
		}
		if (alive)
			usleep((useconds_t)(POLL_SECONDS * 1e6));
	}
	engine_end(&e);
	collect_results(r->db, r->folder);
	if (isatty(2))
		fputs("\r\x1b[K", stderr);
	return ok;
}

/* Leaves in `todo` the jobs that have no good result yet. */
static void keep_failed(struct run *r)
{
	sqlite3_stmt *s = database_prepare(r->db, "SELECT 1 FROM jobs WHERE id = ? AND status = 0");
	size_t kept = 0;
	for (size_t i = 0; i < r->n_todo; i++) {
		sqlite3_reset(s);
		sqlite3_bind_int64(s, 1, r->todo[i]);
		if (!database_step(r->db, s))
			r->todo[kept++] = r->todo[i];
	}
	sqlite3_finalize(s);
	r->n_todo = kept;
}

/* Writes again the files that start the jobs of `todo`. */
static bool write_jobs_again(struct run *r)
{
	bool ok = true;
	for (size_t number = 0, i = 0; ok && number < r->spec.n_combinations && i < r->n_todo; number++)
		if (r->ids[number] == r->todo[i]) {
			forget_result(r, r->todo[i++], number);
			ok = write_job(r, r->ids[number], number);
		}
	return ok;
}

/* ---- the end ---- */

static int print_result(struct run *r, double seconds)
{
	size_t n = r->spec.n_combinations, failed = 0;
	keep_failed(r);
	failed = r->n_todo;
	printf("%zu job%s: %zu done, %zu failed, %.1f s\n", n, n == 1 ? "" : "s", n - failed, failed, seconds);
	sqlite3_stmt *s = database_prepare(r->db, "SELECT status, command FROM jobs WHERE id = ?");
	for (size_t i = 0; i < failed && i < FAILURES_PRINTED; i++) {
		sqlite3_reset(s);
		sqlite3_bind_int64(s, 1, r->todo[i]);
		if (!database_step(r->db, s))
			continue;
		if (sqlite3_column_type(s, 0) == SQLITE_NULL)
			printf("job %" PRId64 " didn't end: %s\n", r->todo[i], sqlite3_column_text(s, 1));
		else
			printf("job %" PRId64 ", status %d: %s\n", r->todo[i], sqlite3_column_int(s, 0), sqlite3_column_text(s, 1));
	}
	sqlite3_finalize(s);
	if (failed > FAILURES_PRINTED)
		printf("and %zu more: `warpstep-sweep failures %s`\n", failed - FAILURES_PRINTED, r->db_path);
	else if (failed)
		printf("what they printed: `warpstep-sweep failures %s`\n", r->db_path);
	return failed != 0;
}

/* Notes results that another version of warpstep made. */
static void note_versions(struct run *r)
{
	sqlite3_stmt *s = database_prepare(r->db, "SELECT version, count(*) FROM jobs WHERE status = 0 GROUP BY version ORDER BY min(id)");
	struct text t = { 0 };
	int n = 0;
	for (; database_step(r->db, s); n++)
		text_addf(&t, "%s%" PRId64 " by '%s'", n ? ", " : "", (int64_t)sqlite3_column_int64(s, 1), (const char *)sqlite3_column_text(s, 0));
	sqlite3_finalize(s);
	if (n > 1)
		fprintf(stderr, "note: versions of warpstep differ: %s\n", text_str(&t));
	text_free(&t);
}

/* ---- preparing ---- */

static bool find_programs(struct run *r)
{
	ssize_t n = readlink("/proc/self/exe", r->self, sizeof r->self - 1);
	const char *base = n > 0 ? file_base_name(r->self) : NULL;
	if (!base || (size_t)(base - r->self) + sizeof "warpstep" > sizeof r->warpstep) {
		fputs("error: the path of this program can't be found\n", stderr);
		return false;
	}
	memcpy(r->warpstep, r->self, (size_t)(base - r->self));
	strcpy(r->warpstep + (base - r->self), "warpstep");
	struct argv a = { 0 };
	struct text version = { 0 };
	argv_add(&a, r->warpstep);
	argv_add(&a, "--version");
	bool ok = !access(r->warpstep, X_OK) && !argv_run(&a, &version);
	argv_free(&a);
	r->version = text_take(&version);
	r->version[strcspn(r->version, "\n")] = 0;
	if (ok)
		return true;
	fprintf(stderr, "error: %s can't be run: %s; expected warpstep beside warpstep-sweep\n", r->warpstep, strerror(errno));
	return false;
}

/* Makes the folder for the jobs' files, and locks it so that one sweep at a time writes the results. */
static bool take_folder(struct run *r)
{
	char *db = realpath(r->db_path, NULL); /* the file is there: database_open made it */
	if (!db) {
		fprintf(stderr, "error: %s: %s\n", r->db_path, strerror(errno));
		return false;
	}
	struct text t = { 0 };
	text_addf(&t, "%s.jobs", db);
	free(db);
	r->folder = text_take(&t);
	if ((mkdir(r->folder, 0777) && errno != EEXIST) || (r->lock = open(r->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0) {
		fprintf(stderr, "error: %s: %s\n", r->folder, strerror(errno));
		return false;
	}
	if (!flock(r->lock, LOCK_EX | LOCK_NB))
		return true;
	fprintf(stderr, "error: another warpstep-sweep is running jobs for %s\n", r->db_path);
	return false;
}

static void run_free(struct run *r)
{
	if (r->folder)
		rmdir(r->folder); /* stays if it holds the output of jobs that failed */
	if (r->lock >= 0)
		close(r->lock);
	sqlite3_close(r->db);
	spec_free(&r->spec);
	free(r->version);
	free(r->folder);
	free(r->ids);
	free(r->todo);
}

static int run_sweep(struct run *r, const struct engine_options *o, bool retry)
{
	collect_results(r->db, r->folder); /* of a sweep that was killed */
	if (!plan(r))
		return 1;
	size_t there = r->spec.n_combinations - r->n_todo;
	if (there)
		fprintf(stderr, "note: %zu of %zu jobs are done already\n", there, r->spec.n_combinations);
	double from = seconds_now();
	if (r->n_todo && !run_jobs(r, o))
		return 1;
	keep_failed(r);
	if (retry && r->n_todo && !stopped_by && (!write_jobs_again(r) || !run_jobs(r, o)))
		return 1;
	note_versions(r);
	return print_result(r, seconds_now() - from);
}

int sweep_run(const char *spec, const char *db, const struct engine_options *o, bool retry)
{
	struct run r = { .db_path = db, .lock = -1 };
	int status = 2;
	if (read_spec(&r.spec, spec)) {
		status = 1;
		if (!find_programs(&r) || !engine_is_there(o))
			;
		else if (!check_values(&r, spec))
			status = 2;
		else if ((r.db = database_open(db, true)) && take_folder(&r)) {
			struct sigaction on = { .sa_handler = note_signal };
			sigaction(SIGINT, &on, NULL);
			sigaction(SIGTERM, &on, NULL);
			sigaction(SIGHUP, &on, NULL);
			status = run_sweep(&r, o, retry);
		}
	}
	run_free(&r);
	return status;
}
