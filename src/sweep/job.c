#include "sweep/job.h"
#include "base/file_replace.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "sweep/spec.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define OUTPUT_BYTES_MAX 65536u

void argv_add(struct argv *a, const char *s)
{
	a->v = xgrow(a->v, &a->cap, a->n + 2, sizeof *a->v);
	a->v[a->n++] = xstrdup(s);
	a->v[a->n] = NULL;
}

void argv_free(struct argv *a)
{
	for (size_t i = 0; i < a->n; i++)
		free(a->v[i]);
	free(a->v);
	*a = (struct argv){ 0 };
}

/* ---- the command ---- */

/* Adds the words of a command line: blanks part them, quotes of both kinds and backslashes protect, as in a shell. */
static void add_words(struct argv *a, const char *s)
{
	struct text word = { 0 };
	bool in_word = false;
	char quote = 0;
	for (; *s; s++) {
		if (!quote && isspace((unsigned char)*s)) {
			if (in_word)
				argv_add(a, text_str(&word));
			text_clear(&word);
			in_word = false;
			continue;
		}
		in_word = true;
		if (*s == quote)
			quote = 0;
		else if (!quote && (*s == '"' || *s == '\''))
			quote = *s;
		else if (*s == '\\' && quote != '\'' && s[1])
			text_addc(&word, *++s);
		else
			text_addc(&word, *s);
	}
	if (in_word)
		argv_add(a, text_str(&word));
	text_free(&word);
}

/* Adds the options that each line of one kind makes. */
static void add_lines(struct argv *a, const struct spec *s, size_t number, enum spec_kind kind)
{
	static const char *const options[] = { [SPEC_CONFIG] = "-c",   [SPEC_MODE] = "-m",    [SPEC_SETUP] = "-ex",
					       [SPEC_SCRIPT] = "-x",   [SPEC_KERNEL] = "-ex", [SPEC_PROGRAM] = "--args",
					       [SPEC_OPTION] = "-o" };
	for (size_t i = 0; i < s->n_lines; i++) {
		if (s->lines[i].kind != kind)
			continue;
		const char *value = spec_value_of(s, i, number);
		argv_add(a, options[kind]);
		if (kind == SPEC_PROGRAM) {
			add_words(a, value);
			continue;
		}
		struct text t = { 0 };
		if (kind == SPEC_KERNEL)
			text_addf(&t, "run %s", value);
		else if (kind == SPEC_OPTION)
			text_addf(&t, "%s %s", s->lines[i].name, value);
		else
			text_add(&t, value);
		argv_add(a, text_str(&t));
		text_free(&t);
	}
}

static bool has_kind(const struct spec *s, enum spec_kind kind)
{
	for (size_t i = 0; i < s->n_lines; i++)
		if (s->lines[i].kind == kind)
			return true;
	return false;
}

void job_options(struct argv *a, const struct spec *s, size_t number, const char *warpstep)
{
	static const char *const first[] = { "--batch", "-q", "-n", "--nh" };
	argv_add(a, warpstep);
	for (size_t i = 0; i < sizeof first / sizeof *first; i++)
		argv_add(a, first[i]);
	static const enum spec_kind order[] = { SPEC_CONFIG, SPEC_MODE, SPEC_OPTION };
	for (size_t i = 0; i < sizeof order / sizeof *order; i++)
		add_lines(a, s, number, order[i]);
}

void job_command(struct argv *a, const struct spec *s, size_t number, const char *warpstep, const char *stats)
{
	job_options(a, s, number, warpstep);
	static const enum spec_kind order[] = { SPEC_SETUP, SPEC_SCRIPT, SPEC_KERNEL };
	for (size_t i = 0; i < sizeof order / sizeof *order; i++)
		add_lines(a, s, number, order[i]);
	if (has_kind(s, SPEC_PROGRAM) && !has_kind(s, SPEC_SCRIPT)) {
		argv_add(a, "-ex");
		argv_add(a, "run");
	}
	if (stats) {
		struct text t = { 0 };
		text_addf(&t, "stats --json %s", stats);
		argv_add(a, "-ex");
		argv_add(a, text_str(&t));
		text_free(&t);
	}
	add_lines(a, s, number, SPEC_PROGRAM);
}

static bool needs_quotes(const char *s)
{
	return !*s || s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./:,=@%")];
}

void job_command_text(struct text *out, const struct argv *a)
{
	for (size_t i = 0; i < a->n; i++) {
		if (i)
			text_addc(out, ' ');
		if (!needs_quotes(a->v[i])) {
			text_add(out, a->v[i]);
			continue;
		}
		text_addc(out, '\'');
		for (const char *s = a->v[i]; *s; s++) {
			if (*s == '\'')
				text_add(out, "'\\''");
			else
				text_addc(out, *s);
		}
		text_addc(out, '\'');
	}
}

/* ---- the files ---- */

void job_path(struct text *out, const char *folder, int64_t id, const char *suffix)
{
	text_addf(out, "%s/%" PRId64 ".%s", folder, id, suffix);
}

static char *path_of(const char *folder, int64_t id, const char *suffix)
{
	struct text t = { 0 };
	job_path(&t, folder, id, suffix);
	return text_take(&t);
}

/* Writes an object as the file `path`, in one step. */
static bool write_object(const char *path, json_t *object)
{
	struct file_replacement w;
	if (!file_replace_open(&w, path))
		return false;
	bool ok = !json_dumpf(object, w.file, JSON_COMPACT) && fputc('\n', w.file) != EOF;
	return file_replace_close(&w, ok) && ok;
}

bool job_write(const char *folder, int64_t id, const char *version, const struct argv *a)
{
	char *cwd = getcwd(NULL, 0);
	if (!cwd)
		return false;
	json_t *command = json_array();
	for (size_t i = 0; i < a->n; i++) {
		json_t *word = json_string(a->v[i]);
		json_array_append_new(command, word ? word : json_string("")); /* spec.c lets through UTF-8 only */
	}
	json_t *object = json_pack("{s:s, s:s, s:o}", "folder", cwd, "version", version, "command", command);
	char *path = path_of(folder, id, "job");
	errno = EILSEQ;
	bool ok = object && write_object(path, object);
	json_decref(object);
	free(path);
	free(cwd);
	return ok;
}

/* ---- running it ---- */

static int status_of(int wait_status)
{
	return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

/* Starts the command in `folder` (NULL: the present one), with `out` as its standard output and error. Returns its process, or -1. */
static pid_t start(char *const *v, const char *folder, int out)
{
	pid_t pid = fork();
	if (pid)
		return pid;
	int null = open("/dev/null", O_RDONLY);
	if ((folder && chdir(folder)) || null < 0 || dup2(null, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0)
		_exit(127);
	if (null > 2)
		close(null);
	if (out > 2)
		close(out);
	execvp(v[0], v);
	dprintf(2, "error: %s: %s\n", v[0], strerror(errno));
	_exit(127);
}

static int wait_for(pid_t pid)
{
	int status;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return 127;
	return status_of(status);
}

int argv_run(const struct argv *a, struct text *out)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC))
		return 127;
	pid_t pid = start(a->v, NULL, ends[1]);
	close(ends[1]);
	char buffer[4096];
	for (ssize_t n; pid > 0 && ((n = read(ends[0], buffer, sizeof buffer)) > 0 || (n < 0 && errno == EINTR));)
		if (n > 0 && out->n < OUTPUT_BYTES_MAX)
			text_addn(out, buffer, (size_t)n);
	close(ends[0]);
	return pid > 0 ? wait_for(pid) : 127;
}

static double seconds_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Runs the command in the folder `cwd`. `version` is the simulator's, for the result. */
static bool run_command(const char *folder, int64_t id, const char *cwd, const char *version, const struct argv *a)
{
	char *out = path_of(folder, id, "out"), *done = path_of(folder, id, "done"), *stats = path_of(folder, id, "stats");
	unlink(stats); /* of a run that was killed */
	int fd = open(out, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	bool ok = fd >= 0;
	if (ok) {
		double from = seconds_now();
		pid_t pid = start(a->v, cwd, fd);
		int status = pid > 0 ? wait_for(pid) : 127;
		double seconds = seconds_now() - from;
		char host[256] = "";
		gethostname(host, sizeof host - 1);
		json_t *object = json_pack("{s:s, s:s, s:i, s:f}", "host", host, "version", version, "status", status, "seconds", seconds);
		ok = object && write_object(done, object);
		json_decref(object);
		close(fd);
	}
	if (!ok)
		fprintf(stderr, "error: %s: %s\n", fd < 0 ? out : done, strerror(errno));
	free(out);
	free(done);
	free(stats);
	return ok;
}

bool job_run(const char *folder, int64_t id)
{
	char *path = path_of(folder, id, "job");
	json_error_t wrong;
	json_t *object = json_load_file(path, 0, &wrong), *command;
	const char *cwd, *version;
	bool ok = object && !json_unpack(object, "{s:s, s:s, s:o}", "folder", &cwd, "version", &version, "command", &command) && json_array_size(command);
	if (!ok) {
		fprintf(stderr, "error: %s: %s\n", path, object ? "the file holds no job" : wrong.text);
	} else {
		struct argv a = { 0 };
		for (size_t i = 0; i < json_array_size(command); i++) {
			const char *word = json_string_value(json_array_get(command, i));
			argv_add(&a, word ? word : "");
		}
		ok = run_command(folder, id, cwd, version, &a);
		argv_free(&a);
	}
	json_decref(object);
	free(path);
	return ok;
}

bool job_run_from_list(const char *folder, const char *list, int64_t index)
{
	FILE *f = fopen(list, "r");
	int64_t id = 0;
	bool found = false;
	for (int64_t i = 0; f && i <= index; i++)
		found = fscanf(f, "%" SCNd64, &id) == 1;
	if (f)
		fclose(f);
	if (!found) {
		fprintf(stderr, "error: %s has no line %" PRId64 "\n", list, index + 1);
		return false;
	}
	return job_run(folder, id);
}
