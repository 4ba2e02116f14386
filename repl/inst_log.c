#include "repl/inst_log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "gpu/config.h"

struct repl_inst_log {
	struct repl *r;
	FILE *file;
	bool failed;
};

static void fail(struct repl_inst_log *l)
{
	if (!l->failed)
		repl_error(l->r, "the file of instructions can't be written any more");
	l->failed = true;
}

static void write_text(void *self, const char *s, size_t n)
{
	struct repl_inst_log *l = self;
	if (!l->failed && fwrite(s, 1, n, l->file) != n)
		fail(l);
}

struct repl_inst_log *repl_inst_log_begin(struct repl *r)
{
	const struct config *c = gpu_config(debug_gpu(r->dbg));
	if (!c || !config_bool(c, "gpgpu_ptx_inst_debug_to_file"))
		return NULL;
	const char *path = config_string(c, "gpgpu_ptx_inst_debug_file");
	FILE *file = fopen(path, "w");
	if (!file) {
		repl_error(r, "can't write '%s': %s", path, strerror(errno));
		return NULL;
	}
	struct repl_inst_log *l = xcalloc(1, sizeof *l);
	*l = (struct repl_inst_log){.r = r, .file = file};
	debug_trace_to(r->dbg, write_text, l, (uint64_t)config_int(c, "gpgpu_ptx_inst_debug_thread_uid"));
	return l;
}

void repl_inst_log_end(struct repl *r, struct repl_inst_log *l)
{
	if (!l)
		return;
	debug_trace_to(r->dbg, NULL, NULL, 0);
	if (fclose(l->file))
		fail(l);
	free(l);
}
