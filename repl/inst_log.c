#include "repl/inst_log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/xalloc.h"
#include "gpu/config/config.h"

struct repl_inst_log {
	struct repl *r;
	struct files_open out; /* takes the place of an earlier file at the end */
	bool failed;
};

static void fail(struct repl_inst_log *l)
{
	if (!l->failed)
		repl_error(l->r, "the file of instructions can't be written any more; an earlier file is left as it was");
	repl_set_status(l->r, REPL_FAILED);
	l->failed = true;
}

static void write_text(void *self, const char *s, size_t n)
{
	struct repl_inst_log *l = self;
	if (!l->failed && fwrite(s, 1, n, l->out.stream) != n)
		fail(l);
}

struct repl_inst_log *repl_inst_log_begin(struct repl *r)
{
	const struct config *c = gpu_config(debug_gpu(r->dbg));
	if (!c || !config_bool(c, "gpgpu_ptx_inst_debug_to_file"))
		return NULL;
	const char *path = config_string(c, "gpgpu_ptx_inst_debug_file");
	struct repl_inst_log *l = xcalloc(1, sizeof *l);
	l->r = r;
	if (!files_open(session_files(r->session), path, FILES_REPLACE, &l->out)) {
		repl_error(r, "can't write '%s': %s", path, strerror(errno));
		free(l);
		return NULL;
	}
	debug_trace_to(r->dbg, write_text, l, (uint64_t)config_int(c, "gpgpu_ptx_inst_debug_thread_uid"));
	return l;
}

bool repl_inst_log_end(struct repl *r, struct repl_inst_log *l)
{
	if (!l)
		return true;
	debug_trace_to(r->dbg, NULL, NULL, 0);
	if (!files_close(session_files(r->session), &l->out, !l->failed))
		fail(l);
	const bool ok = !l->failed;
	free(l);
	return ok;
}
