#include "repl/inst_log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/xalloc.h"
#include "gpu/config/config.h"
#include "command/perf/trace.h"

struct repl_inst_log {
	struct interpreter *in;
	struct files_open out; /* takes the place of an earlier file at the end */
	bool failed;
};

static void fail(struct repl_inst_log *l)
{
	if (!l->failed)
		interpreter_error(l->in, "the file of instructions can't be written any more; an earlier file is left as it was");
	interpreter_set_status(l->in, EXIT_STATUS_FAILED);
	l->failed = true;
}

static void write_text(void *self, const char *s, size_t n)
{
	struct repl_inst_log *l = self;
	if (!l->failed && fwrite(s, 1, n, l->out.stream) != n)
		fail(l);
}

struct repl_inst_log *repl_inst_log_begin(struct interpreter *in)
{
	const struct config *c = gpu_config(debug_gpu(in->dbg));
	if (!c || !config_bool(c, "gpgpu_ptx_inst_debug_to_file"))
		return NULL;
	const char *path = config_string(c, "gpgpu_ptx_inst_debug_file");
	struct repl_inst_log *l = xcalloc(1, sizeof *l);
	l->in = in;
	if (!files_open(session_files(in->session), path, FILES_REPLACE, &l->out)) {
		interpreter_error(in, "can't write '%s': %s", path, strerror(errno));
		free(l);
		return NULL;
	}
	trace_set_log(in->dbg, write_text, l, (uint64_t)config_int(c, "gpgpu_ptx_inst_debug_thread_uid"));
	return l;
}

bool repl_inst_log_end(struct interpreter *in, struct repl_inst_log *l)
{
	if (!l)
		return true;
	trace_set_log(in->dbg, NULL, NULL, 0);
	if (!files_close(session_files(in->session), &l->out, !l->failed))
		fail(l);
	const bool ok = !l->failed;
	free(l);
	return ok;
}
