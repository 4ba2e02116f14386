/* The log file of samples: gzip, a piece for each sample. */
#include "repl/samples.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

#include "base/xalloc.h"
#include "gpu/config.h"
#include "gpu/statistics.h"

struct repl_samples {
	struct repl *r;
	gzFile file;
	bool failed;
};

static void write_sample(void *self, const char *s, size_t n)
{
	struct repl_samples *log = self;
	if (log->failed || (gzwrite(log->file, s, (unsigned)n) == (int)n && gzflush(log->file, Z_SYNC_FLUSH) == Z_OK))
		return;
	log->failed = true;
	repl_error(log->r, "the visualizer log can't be written any more");
}

/* As GPGPU-Sim calls it where nobody has named it. */
static void default_name(char *name, size_t size)
{
	const time_t now = time(NULL);
	struct tm tm;
	strftime(name, size, "gpgpusim_visualizer__%a-%b-%e-%H-%M-%S-%Y.log.gz", localtime_r(&now, &tm));
	for (char *c = name; *c; c++)
		if (*c == ' ')
			*c = '_';
}

struct repl_samples *repl_samples_begin(struct repl *r)
{
	const struct config *c = gpu_config(debug_gpu(r->dbg));
	char name[128], mode[8];
	if (!gpu_is_performance(debug_gpu(r->dbg)) || !c || !config_bool(c, "visualizer_enabled"))
		return NULL;
	const bool named = config_is_set(c, "visualizer_outputfile");
	if (!named && !config_is_set_by_hand(c, "visualizer_enabled"))
		return NULL;
	default_name(name, sizeof name);
	const char *path = named ? config_string(c, "visualizer_outputfile") : name;
	snprintf(mode, sizeof mode, "wb%d", (int)config_int(c, "visualizer_zlevel"));
	gzFile file = gzopen(path, mode);
	if (!file) {
		repl_error(r, "can't write '%s': %s", path, strerror(errno));
		return NULL;
	}
	struct repl_samples *s = xcalloc(1, sizeof *s);
	s->r = r;
	s->file = file;
	gpu_watch_samples(debug_gpu(r->dbg), write_sample, s);
	return s;
}

void repl_samples_end(struct repl *r, struct repl_samples *s)
{
	if (!s)
		return;
	gpu_watch_samples(debug_gpu(r->dbg), NULL, NULL);
	if (gzclose(s->file) != Z_OK && !s->failed)
		repl_error(r, "the visualizer log can't be written any more");
	free(s);
}
