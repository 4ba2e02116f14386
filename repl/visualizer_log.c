/* The log file of samples: gzip, a piece for each sample. It takes the place of an earlier file at the end. */
#include "repl/visualizer_log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "base/files.h"
#include "base/xalloc.h"
#include "gpu/config/config.h"
#include "gpu/statistics/statistics.h"

struct repl_samples {
	struct interpreter *in;
	struct files_open out;
	gzFile file; /* on a descriptor of `out` */
	bool has_samples, made_for_performance;
	bool failed;
};

/* Reports once that the log can't be written. */
static void fail(struct repl_samples *log)
{
	if (!log->failed)
		interpreter_error(log->in, "the visualizer log can't be written any more; an earlier file is left as it was");
	interpreter_set_status(log->in, EXIT_STATUS_FAILED);
	log->failed = true;
}

static void write_sample(void *self, const char *s, size_t n)
{
	struct repl_samples *log = self;
	log->has_samples = true;
	if (log->failed || (gzwrite(log->file, s, (unsigned)n) == (int)n && gzflush(log->file, Z_SYNC_FLUSH) == Z_OK))
		return;
	fail(log);
}

/* GPGPU-Sim's name for the file if no option names one. */
static void default_name(char *name, size_t size)
{
	const time_t now = time(NULL);
	struct tm tm;
	strftime(name, size, "gpgpusim_visualizer__%a-%b-%e-%H-%M-%S-%Y.log.gz", localtime_r(&now, &tm));
	for (char *c = name; *c; c++)
		if (*c == ' ')
			*c = '_';
}

struct repl_samples *repl_samples_begin(struct interpreter *in)
{
	const struct config *c = gpu_config(debug_gpu(in->dbg));
	char name[128], mode[8];
	if (!c || !config_bool(c, "visualizer_enabled"))
		return NULL;
	const bool named = config_is_set(c, "visualizer_outputfile");
	if (!named && !config_is_set_by_hand(c, "visualizer_enabled"))
		return NULL;
	default_name(name, sizeof name);
	const char *path = named ? config_string(c, "visualizer_outputfile") : name;
	snprintf(mode, sizeof mode, "wb%d", (int)config_int(c, "visualizer_zlevel"));
	struct repl_samples *s = xcalloc(1, sizeof *s);
	s->in = in;
	const struct files *files = session_files(in->session);
	const bool is_open = files_open(files, path, FILES_REPLACE, &s->out);
	const int fd = is_open ? dup(fileno(s->out.stream)) : -1;
	s->file = fd >= 0 ? gzdopen(fd, mode) : NULL;
	if (!s->file) {
		interpreter_error(in, "can't write '%s': %s", path, strerror(errno));
		if (fd >= 0)
			close(fd);
		if (is_open)
			files_close(files, &s->out, false);
		free(s);
		return NULL;
	}
	s->made_for_performance = gpu_is_performance(debug_gpu(in->dbg));
	gpu_watch_samples(debug_gpu(in->dbg), write_sample, s);
	return s;
}

bool repl_samples_end(struct interpreter *in, struct repl_samples *s)
{
	if (!s)
		return true;
	gpu_watch_samples(debug_gpu(in->dbg), NULL, NULL);
	if (gzclose(s->file) != Z_OK)
		fail(s);
	if (!files_close(session_files(in->session), &s->out, !s->failed && (s->has_samples || s->made_for_performance)))
		fail(s);
	const bool ok = !s->failed;
	free(s);
	return ok;
}
