/* Where gdb finds the text of a source file: gdb reads it by itself, from disk. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/xalloc.h"
#include "debug/view/source.h"
#include "gdbstub/image/dwarf.h"
#include "gdbstub/image/room.h"

static bool write_all(int fd, const char *bytes, size_t n)
{
	while (n) {
		ssize_t done = write(fd, bytes, n);
		if (done <= 0)
			return false;
		bytes += done;
		n -= (size_t)done;
	}
	return true;
}

#define LONG_LINE 65536u /* gdb prints a line as a whole, its file is a copy if there is such a line */

/* Writes the text of PTX. Of a long line only its first columns are written: gdb prints a line as a whole. */
static bool write_text(int fd, const struct isa_file *f)
{
	struct text t = {0};
	for (uint32_t k = 0; k < f->n_lines; k++) {
		const size_t at = f->line_start[k], end = k + 1 < f->n_lines ? f->line_start[k + 1] : f->n_text;
		if (end - at < LONG_LINE) {
			text_addn(&t, f->text + at, end - at);
		} else {
			debug_add_columns(f->text + at, end - at, &t);
			text_addc(&t, '\n');
		}
	}
	const bool ok = write_all(fd, text_str(&t), t.n);
	text_free(&t);
	return ok;
}

static bool has_long_line(const struct isa_file *f)
{
	for (uint32_t k = 0; k < f->n_lines; k++)
		if ((k + 1 < f->n_lines ? f->line_start[k + 1] : f->n_text) - f->line_start[k] >= LONG_LINE)
			return true;
	return false;
}

static bool write_new(const char *path, const struct isa_file *f)
{
	const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return false;
	const bool ok = write_text(fd, f);
	close(fd);
	if (!ok)
		unlink(path);
	return ok;
}

/* A file with the text of PTX that no file has, or one with a line that is too long for gdb, by which gdb names it and finds its lines: FOLDER/app.ptx, FOLDER/app.ptx.7 if that is there
 * already, of a module that is gone. NULL: there is no room for it. */
static const char *text_path(struct stub *s, uint32_t file)
{
	struct image_room *r = s->image;
	const struct isa_program *p = stub_program(s);
	struct text path = {0};
	if (file >= r->n_texts) {
		r->texts = xrealloc(r->texts, p->n_files * sizeof *r->texts);
		while (r->n_texts < p->n_files)
			r->texts[r->n_texts++] = NULL;
	}
	if (r->texts[file] || !folder_make(r))
		return r->texts[file];
	text_addf(&path, "%s/%s", r->folder, file_base_name(p->files[file].name));
	bool ok = write_new(text_str(&path), &p->files[file]);
	if (!ok && errno == EEXIST) {
		text_addf(&path, ".%u", file);
		ok = write_new(text_str(&path), &p->files[file]);
	}
	r->texts[file] = ok ? text_take(&path) : NULL;
	text_free(&path);
	return r->texts[file];
}

void paths_free(struct stub *s)
{
	struct image_room *r = s->image;
	for (uint32_t i = 0; i < r->n_texts; i++) {
		if (r->texts[i])
			unlink(r->texts[i]);
		free(r->texts[i]);
	}
	folder_free(r);
	free(r->texts);
}

void dwarf_path(struct dwarf *w, uint32_t file, struct text *out)
{
	const char *name = debug_source_path(w->s->d, file), *made = NULL;
	char real[PATH_MAX];
	struct stat st;
	const struct isa_file *f = &stub_program(w->s)->files[file];
	if (f->frontend && (f->in_memory || has_long_line(f) || (!stat(name, &st) && !S_ISREG(st.st_mode))))
		made = text_path(w->s, file);
	text_add(out, made ? made : realpath(name, real) ? real : name);
}
