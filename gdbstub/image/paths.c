/* Where gdb finds the text of a source file: gdb reads it by itself, from disk. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* A file in memory with the text of PTX that was read from a pipe; -1: there is no room for it. It stays as long as the stub, as gdb opens
 * it when it wants to show a line. */
static int text_descriptor(struct stub *s, uint32_t file)
{
	const struct isa_program *p = stub_program(s);
	if (file >= s->image->n_text_fds) {
		s->image->text_fds = xrealloc(s->image->text_fds, p->n_files * sizeof *s->image->text_fds);
		while (s->image->n_text_fds < p->n_files)
			s->image->text_fds[s->image->n_text_fds++] = -1;
	}
	if (s->image->text_fds[file] >= 0)
		return s->image->text_fds[file];
	int fd = memfd_create("ptx", MFD_CLOEXEC);
	if (fd >= 0 && !write_all(fd, p->files[file].text, p->files[file].n_text)) {
		close(fd);
		fd = -1;
	}
	return s->image->text_fds[file] = fd;
}

void paths_free(struct stub *s)
{
	for (uint32_t i = 0; i < s->image->n_text_fds; i++)
		if (s->image->text_fds[i] >= 0)
			close(s->image->text_fds[i]);
	free(s->image->text_fds);
}

void dwarf_path(struct dwarf *w, uint32_t file, struct text *out)
{
	const char *name = debug_source_path(w->s->d, file);
	char real[PATH_MAX];
	struct stat st;
	int fd = -1;
	const struct isa_file *f = &stub_program(w->s)->files[file];
	if (f->is_ptx && (f->in_memory || (!stat(name, &st) && !S_ISREG(st.st_mode))))
		fd = text_descriptor(w->s, file);
	if (fd >= 0)
		text_addf(out, "/proc/%ld/fd/%d", (long)getpid(), fd);
	else
		text_add(out, realpath(name, real) ? real : name);
}
