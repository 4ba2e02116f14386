/* Files by way of the session's callbacks: a session runs on files in memory and touches none of the host's; the host's files by the same functions. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/files.h"
#include "base/text.h"
#include "checkpoint/checkpoint.h"
#include "command/setup/buffers.h"
#include "command/command.h"
#include "command/findings/findings.h"
#include "command/inspect.h"
#include "debug/setup/buffer.h"
#include "debug/setup/launch.h"
#include "command/running/running.h"
#include "debug/stop/run.h"
#include "debug/view/source.h"
#include "frontend/frontend.h"
#include "gpu/gpu.h"
#include "session/session.h"

/* ---- files in memory ---- */

#define FILES 16

struct memory_file {
	char name[64];
	char *bytes;
	size_t n;
};

struct memory {
	struct memory_file file[FILES];
	unsigned n_opened, n_refused;
};

struct writing {
	struct memory_file *to;
	bool appends;
	char *bytes;
	size_t at, n;
};

static ssize_t write_some(void *self, const char *bytes, size_t n)
{
	struct writing *w = self;
	if (w->at + n > w->n) {
		w->bytes = realloc(w->bytes, w->at + n);
		memset(w->bytes + w->n, 0, w->at + n - w->n);
		w->n = w->at + n;
	}
	memcpy(w->bytes + w->at, bytes, n);
	w->at += n;
	return (ssize_t)n;
}

static int go_to(void *self, off64_t *at, int whence)
{
	struct writing *w = self;
	*at += whence == SEEK_CUR ? (off64_t)w->at : whence == SEEK_END ? (off64_t)w->n : 0;
	w->at = (size_t)*at;
	return 0;
}

static struct memory_file *find(struct memory *m, const char *name, bool creates)
{
	for (unsigned k = 0; k < FILES; k++) {
		struct memory_file *f = &m->file[k];
		if (creates && !*f->name)
			snprintf(f->name, sizeof f->name, "%s", name);
		if (!strcmp(f->name, name))
			return f;
	}
	return NULL;
}

static bool memory_open(void *self, const char *path, enum files_use use, struct files_open *out)
{
	struct memory *m = self;
	const bool writes = use == FILES_REPLACE || use == FILES_APPEND;
	struct memory_file *f = strncmp(path, "mem/", 4) ? NULL : find(m, path, writes);
	*out = (struct files_open){0};
	if (!f || (!writes && !f->bytes)) {
		m->n_refused++;
		errno = f || !strncmp(path, "mem/", 4) ? ENOENT : EACCES;
		return false;
	}
	m->n_opened++;
	if (!writes)
		return (out->stream = fmemopen(f->bytes, f->n, "rb"));
	struct writing *w = calloc(1, sizeof *w);
	w->to = f;
	w->appends = use == FILES_APPEND;
	out->state = w;
	return (out->stream = fopencookie(w, "wb", (cookie_io_functions_t){.write = write_some, .seek = go_to}));
}

static bool memory_close(void *self, struct files_open *f, bool keep)
{
	struct writing *w = f->state;
	(void)self;
	fclose(f->stream);
	if (!w)
		return true;
	struct memory_file *to = w->to;
	const size_t before = w->appends ? to->n : 0;
	if (keep) {
		char *bytes = malloc(before + w->n + 1);
		if (before)
			memcpy(bytes, to->bytes, before);
		memcpy(bytes + before, w->bytes, w->n);
		free(to->bytes);
		to->bytes = bytes;
		to->n = before + w->n;
	}
	free(w->bytes);
	free(w);
	return true;
}

static void put(struct memory *m, const char *name, const char *bytes, size_t n)
{
	struct memory_file *f = find(m, name, true);
	assert_non_null(f);
	f->bytes = malloc(n);
	memcpy(f->bytes, bytes, n);
	f->n = n;
}

/* Copies a file of the tree into memory. */
static void put_file(struct memory *m, const char *name, const char *path)
{
	size_t n;
	char *bytes = files_read(NULL, path, FILES_READ, 1 << 20, &n);
	assert_non_null(bytes);
	put(m, name, bytes, n);
	free(bytes);
}

static void forget(struct memory *m)
{
	for (unsigned k = 0; k < FILES; k++)
		free(m->file[k].bytes);
}

/* ---- a session on them ---- */

static const char ptx[] =
	".version 8.0\n.target sm_75\n.address_size 64\n.file 1 \"k.cu\"\n.visible .entry k(.param .u64 p)\n{\n\t.reg .b64 %rd<3>;\n\t.reg .b32 %r<3>;\n"
	"\t.loc 1 2 3\n\tld.param.u64 %rd1, [p];\n\tld.global.u32 %r1, [%rd1];\n\tadd.u32 %r1, %r1, 1;\n\tst.global.u32 [%rd1], %r1;\n\tret;\n}\n";
static const char source[] = "__global__ void k(int *p) {\n  *p += 1;\n}\n";
static const char rules[] = "# none yet\n";

static struct session *create(const struct files *files, const char *config, bool performance)
{
	struct text messages = {0};
	enum session_failure failure;
	struct session *s = session_create(&(struct session_setup){.config = config,
								   .mode = performance ? SESSION_PERFORMANCE
										       : SESSION_FUNCTIONAL,
								   .files = files},
					   &messages, &failure);
	if (!s)
		print_message("%s", text_str(&messages));
	text_free(&messages);
	return s;
}

static void answers(struct session *s, debug_answer_fn *fn, const char *args, const char *want)
{
	struct text out = {0}, why = {0};
	if (!debug_answer_text(session_debug(s), fn, args, &out, &why))
		text_addf(&out, "error: %s", text_str(&why));
	if (!strstr(text_str(&out), want))
		fail_msg("no \"%s\" in: %s", want, text_str(&out));
	text_free(&out);
	text_free(&why);
}

static void test_session(void **state)
{
	struct memory m = {0};
	const struct files files = {&m, memory_open, memory_close};
	struct diag_list diags = {0};
	struct text why = {0}, out = {0};
	struct debug_stop stop;
	const uint32_t numbers[] = {40, 41};
	size_t n;
	(void)state;
	put_file(&m, "mem/tiny.config", "../../configs/tiny/gpgpusim.config");
	put_file(&m, "mem/network.icnt", "../../configs/tiny/network.icnt");
	put(&m, "mem/k.ptx", ptx, strlen(ptx));
	put(&m, "mem/k.cu", source, strlen(source));
	put(&m, "mem/in.bin", (const char *)numbers, sizeof numbers);
	put(&m, "mem/rules", rules, strlen(rules));
	/* the configuration and the network's file that it names */
	struct session *s = create(&files, "mem/tiny.config", true);
	assert_non_null(s);
	assert_ptr_equal(session_files(s), &files);
	struct debug *d = session_debug(s);
	command_attach(d);
	struct isa_program *p = gpu_program(debug_gpu(d));
	/* a program, and none of the host */
	assert_false(frontend_load_file(p, session_files(s), "../../examples/01-saxpy/saxpy.ptx", NULL, &diags));
	assert_non_null(strstr(diags.v[0].message, "Permission denied"));
	assert_true(frontend_load_file(p, session_files(s), "mem/k.ptx", NULL, &diags));
	debug_program_changed(d, &out);
	/* its source, beside it */
	size_t n_line;
	const char *line = debug_source_line(d, 1, 2, &n_line);
	assert_non_null(line);
	assert_int_equal(n_line, strlen("  *p += 1;"));
	assert_memory_equal(line, "  *p += 1;", n_line);
	/* data in, a run, data out */
	answers(s, command_buffer, "A u32[2] = file mem/in.bin", "");
	answers(s, command_buffer, "B u32[2] = file /etc/passwd", "error: can't read '/etc/passwd': Permission denied");
	debug_stop_init(&stop);
	if (!command_run_kernel(d, "k<<<1,1>>>(A)", &stop, &why))
		fail_msg("%s", text_str(&why));
	debug_stop_free(&stop);
	answers(s, buffer_save, "A mem/out.bin", "");
	char *bytes = files_read(&files, "mem/out.bin", FILES_READ, 100, &n);
	assert_int_equal(n, 8);
	const uint32_t want[] = {41, 41};
	assert_memory_equal(bytes, want, 8);
	free(bytes);
	/* suppressed findings */
	assert_true(suppress_read_file(d, "mem/rules", &why));
	assert_false(suppress_read_file(d, "/etc/passwd", &why));
	/* a checkpoint, and back */
	text_clear(&why);
	assert_true(checkpoint_save(s, "mem/here", &out, &why));
	assert_false(checkpoint_save(s, "/tmp/here", &out, &why));
	answers(s, command_buffer, "C u32[2]", "");
	debug_stop_init(&stop);
	text_clear(&why);
	if (!checkpoint_restore(s, "mem/here", &stop, &why))
		fail_msg("%s", text_str(&why));
	assert_false(checkpoint_restore(s, "mem/nothing", &stop, &why));
	assert_false(checkpoint_restore(s, "/etc/passwd", &stop, &why));
	debug_stop_free(&stop);
	assert_true(access("/tmp/here", F_OK));
	session_destroy(s);
	diag_list_free(&diags);
	text_free(&why);
	text_free(&out);
	forget(&m);
}

/* A configuration of the host isn't found by a session whose files are others. */
static void test_config_refused(void **state)
{
	struct memory m = {0};
	const struct files files = {&m, memory_open, memory_close};
	struct text messages = {0};
	enum session_failure failure;
	(void)state;
	assert_null(session_create(&(struct session_setup){.config = "mem/tiny.config", .files = &files}, &messages,
				   &failure));
	assert_int_equal(failure, SESSION_BAD_SETUP);
	assert_non_null(strstr(text_str(&messages), "no config 'mem/tiny.config'"));
	assert_int_equal(m.n_opened, 0);
	text_free(&messages);
}

/* ---- the host's files ---- */

static void test_host(void **state)
{
	char folder[] = "/tmp/ws_files_XXXXXX";
	struct files_open f;
	size_t n;
	(void)state;
	assert_non_null(mkdtemp(folder));
	assert_int_equal(chdir(folder), 0);
	assert_true(files_write(NULL, "a", "one", 3));
	assert_true(files_append(NULL, "a", "two", 3));
	char *s = files_read(NULL, "a", FILES_REGULAR, 100, &n);
	assert_string_equal(s, "onetwo");
	free(s);
	/* what isn't kept leaves the old content */
	assert_true(files_open(NULL, "a", FILES_REPLACE, &f));
	fputs("new", f.stream);
	assert_true(files_close(NULL, &f, false));
	assert_true(files_open(NULL, "a", FILES_APPEND, &f));
	fputs("three", f.stream);
	assert_true(files_close(NULL, &f, false));
	s = files_read(NULL, "a", FILES_READ, 100, &n);
	assert_string_equal(s, "onetwo");
	free(s);
	assert_true(files_append(NULL, "new", "x", 1));
	/* what isn't a regular file */
	assert_int_equal(mkfifo("pipe", 0600), 0);
	assert_int_equal(files_test(NULL, "a"), 0);
	assert_int_equal(files_test(NULL, "nothing"), ENOENT);
	assert_int_equal(files_test(NULL, "."), EISDIR);
	assert_int_equal(files_test(NULL, "pipe"), EINVAL);
	assert_null(files_read(NULL, ".", FILES_READ, 100, &n));
	assert_int_equal(errno, EISDIR);
	unlink("a");
	unlink("new");
	unlink("pipe");
	assert_int_equal(chdir("/"), 0);
	assert_int_equal(rmdir(folder), 0); /* no temporary file is left */
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_session), cmocka_unit_test(test_config_refused),
					   cmocka_unit_test(test_host)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
