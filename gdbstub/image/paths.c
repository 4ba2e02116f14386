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

static bool write_new(const char *path, const struct isa_file *f)
{
	const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return false;
	const bool ok = write_all(fd, f->text, f->n_text);
	close(fd);
	if (!ok)
		unlink(path);
	return ok;
}

/* A file with the text of PTX that no file has, by which gdb names it and finds its lines: FOLDER/app.ptx, FOLDER/app.ptx.7 if that is there
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
	if (f->is_ptx && (f->in_memory || (!stat(name, &st) && !S_ISREG(st.st_mode))))
		made = text_path(w->s, file);
	text_add(out, made ? made : realpath(name, real) ? real : name);
}
