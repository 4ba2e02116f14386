#include "sweep/engine.h"
#include "base/text.h"
#include "base/xalloc.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ARRAY_TASKS_MAX 1000u /* Slurm's MaxArraySize is 1001 unless its administrator says otherwise */

static bool prints(const char *command, const char *option, const char *wanted)
{
	struct argv a = { 0 };
	argv_add(&a, command);
	argv_add(&a, option);
	struct text t = { 0 };
	bool is_wanted = !argv_run(&a, &t) && strstr(text_str(&t), wanted);
	argv_free(&a);
	text_free(&t);
	return is_wanted;
}

bool engine_is_there(const struct engine_options *o)
{
	if (o->is_slurm ? prints("sbatch", "--version", "slurm") : prints("parallel", "--version", "GNU parallel"))
		return true;
	fputs(o->is_slurm ? "error: Slurm's sbatch is not installed; its Debian package is slurm-client\n"
			  : "error: GNU parallel is not installed; its Debian package is parallel\n",
	      stderr);
	return false;
}

/* Starts a process in a process group of its own, with its output in the file `log`. The engine takes over the file names. */
static bool start_part(struct engine *e, const struct argv *a, char *list, char *log)
{
	e->parts = xgrow(e->parts, &e->cap, e->n + 1, sizeof *e->parts);
	int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	pid_t pid = fd < 0 ? -1 : fork();
	if (!pid) {
		setpgid(0, 0);
		int null = open("/dev/null", O_RDONLY);
		if (null < 0 || dup2(null, 0) < 0 || dup2(fd, 1) < 0 || dup2(fd, 2) < 0)
			_exit(127);
		execvp(a->v[0], a->v);
		dprintf(2, "error: %s: %s\n", a->v[0], strerror(errno));
		_exit(127);
	}
	int wrong = errno;
	if (fd >= 0)
		close(fd);
	if (pid < 0) {
		fprintf(stderr, "error: %s can't be started: %s\n", a->v[0], strerror(wrong));
		free(log);
		free(list);
		return false;
	}
	setpgid(pid, pid); /* whichever of the two processes comes first */
	e->parts[e->n++] = (struct engine_part){ .pid = pid, .log = log, .list = list };
	return true;
}

static char *write_list(const char *folder, size_t part, const int64_t *ids, size_t n)
{
	struct text path = { 0 };
	text_addf(&path, "%s/list.%zu", folder, part);
	FILE *f = fopen(text_str(&path), "w");
	for (size_t i = 0; f && i < n; i++)
		fprintf(f, "%" PRId64 "\n", ids[i]);
	if (!f || fclose(f)) {
		fprintf(stderr, "error: %s: %s\n", text_str(&path), strerror(errno));
		text_free(&path);
		return NULL;
	}
	return text_take(&path);
}

static char *log_path(const char *folder, size_t part)
{
	struct text t = { 0 };
	text_addf(&t, "%s/engine.%zu", folder, part);
	return text_take(&t);
}

static bool start_parallel(struct engine *e, const struct engine_options *o, const char *self, const char *folder, char *list)
{
	struct argv a = { 0 };
	struct text quoted = { 0 };
	struct argv task = { 0 };
	argv_add(&task, self);
	argv_add(&task, "job");
	argv_add(&task, folder);
	job_command_text(&quoted, &task);
	text_add(&quoted, " {}");
	argv_add(&a, "parallel");
	argv_add(&a, "--will-cite");
	if (o->jobs) {
		argv_add(&a, "-j");
		argv_add(&a, o->jobs);
	}
	if (o->sshlogin) {
		argv_add(&a, "--sshlogin");
		argv_add(&a, o->sshlogin);
	}
	argv_add(&a, "--arg-file");
	argv_add(&a, list);
	argv_add(&a, text_str(&quoted));
	bool ok = start_part(e, &a, list, log_path(folder, e->n));
	text_free(&quoted);
	argv_free(&task);
	argv_free(&a);
	return ok;
}

static bool start_array(struct engine *e, const struct engine_options *o, const char *self, const char *folder, char *list, size_t n)
{
	struct argv a = { 0 }, task = { 0 };
	struct text t = { 0 };
	argv_add(&a, "sbatch");
	argv_add(&a, "--wait");
	argv_add(&a, "--parsable");
	argv_add(&a, "--output=/dev/null");
	argv_add(&a, "--job-name=warpstep-sweep");
	text_addf(&t, "--array=0-%zu", n - 1);
	argv_add(&a, text_str(&t));
	for (size_t i = 0; i < o->sbatch.n; i++)
		argv_add(&a, o->sbatch.v[i]);
	argv_add(&task, self);
	argv_add(&task, "job");
	argv_add(&task, folder);
	argv_add(&task, "--list");
	argv_add(&task, list);
	text_clear(&t);
	text_add(&t, "--wrap=");
	job_command_text(&t, &task);
	text_add(&t, " $SLURM_ARRAY_TASK_ID");
	argv_add(&a, text_str(&t));
	bool ok = start_part(e, &a, list, log_path(folder, e->n));
	text_free(&t);
	argv_free(&task);
	argv_free(&a);
	return ok;
}

bool engine_start(struct engine *e, const struct engine_options *o, const char *self, const char *folder, const int64_t *ids, size_t n)
{
	e->is_slurm = o->is_slurm;
	size_t most = o->is_slurm ? ARRAY_TASKS_MAX : n;
	bool ok = true;
	for (size_t from = 0; ok && from < n; from += most) {
		size_t some = n - from < most ? n - from : most;
		char *list = write_list(folder, e->n, ids + from, some);
		ok = list && (o->is_slurm ? start_array(e, o, self, folder, list, some) : start_parallel(e, o, self, folder, list));
	}
	return ok;
}

bool engine_is_alive(struct engine *e)
{
	for (size_t i = 0; i < e->n; i++) {
		int status;
		if (e->parts[i].pid <= 0 || waitpid(e->parts[i].pid, &status, WNOHANG) != e->parts[i].pid)
			continue;
		e->parts[i].pid = 0;
		e->ended++;
		if (!e->status)
			e->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	}
	return e->ended < e->n;
}

/* Cancels the job array whose number sbatch printed first. */
static void cancel_array(const struct engine_part *p)
{
	FILE *f = fopen(p->log, "r");
	char id[32] = "";
	if (f && fscanf(f, "%31[0-9]", id) == 1) {
		struct argv a = { 0 };
		struct text ignored = { 0 };
		argv_add(&a, "scancel");
		argv_add(&a, id);
		argv_run(&a, &ignored);
		argv_free(&a);
		text_free(&ignored);
	}
	if (f)
		fclose(f);
}

void engine_stop(struct engine *e)
{
	for (size_t i = 0; i < e->n; i++) {
		if (e->parts[i].pid <= 0)
			continue;
		if (e->is_slurm)
			cancel_array(&e->parts[i]);
		kill(-e->parts[i].pid, SIGTERM);
		kill(-e->parts[i].pid, SIGTERM); /* GNU parallel waits for its jobs after the first */
	}
}

static void print_log(const char *path)
{
	FILE *f = fopen(path, "r");
	char line[512];
	while (f && fgets(line, sizeof line, f))
		fputs(line, stderr);
	if (f)
		fclose(f);
}

void engine_end(struct engine *e)
{
	while (engine_is_alive(e))
		usleep(10000);
	for (size_t i = 0; i < e->n; i++) {
		/* GNU parallel's status is the number of jobs that failed, sbatch's that of the worst job: the log says what is wrong with the engine itself */
		if (e->status)
			print_log(e->parts[i].log);
		unlink(e->parts[i].log);
		unlink(e->parts[i].list);
		free(e->parts[i].log);
		free(e->parts[i].list);
	}
	free(e->parts);
	*e = (struct engine){ 0 };
}
