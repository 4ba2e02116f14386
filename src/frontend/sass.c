#include "frontend/sass.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/xalloc.h"
#include "frontend/frontend.h"
#include "ptxplus/sass.h"

static char *with_ending(const char *path, size_t n, const char *ending)
{
	struct text t = {0};
	text_addn(&t, path, n);
	text_add(&t, ending);
	return t.s;
}

void frontend_sass_init(struct frontend_sass *s, const char *path)
{
	const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
	const size_t n = dot && (!slash || dot > slash) ? (size_t)(dot - path) : strlen(path);
	s->path = with_ending(path, n, ".sass");
	s->elf = with_ending(path, n, ".elf");
	s->ptx = with_ending(path, n, ".ptx");
	s->plus = with_ending(path, n, ".ptxplus");
}

void frontend_sass_free(struct frontend_sass *s)
{
	free(s->path);
	free(s->elf);
	free(s->ptx);
	free(s->plus);
}

static char *read_file(const struct frontend_sass *s, const char *path, size_t *n, struct diag_list *diags)
{
	char *text = files_read(s->files, path, FILES_READ, ISA_TEXT_MAX, n);
	if (!text)
		diag_add(diags, DIAG_ERROR, path, 0, 0, NULL, 0, "can't be read: %s", strerror(errno));
	return text;
}

static bool convert(const struct frontend_sass *s, bool with_lines, struct text *out, struct diag_list *diags)
{
	struct sass_source source = {.name = s->path, .elf_name = s->elf, .ptx_name = s->ptx, .with_lines = with_lines, .exact = s->exact};
	char *sass = read_file(s, s->path, &source.n, diags), *elf = sass ? read_file(s, s->elf, &source.n_elf, diags) : NULL;
	char *ptx = elf ? read_file(s, s->ptx, &source.n_ptx, diags) : NULL;
	source.text = sass;
	source.elf = elf;
	source.ptx = ptx;
	const bool ok = ptx && sass_convert(&source, out, diags);
	free(sass);
	free(elf);
	free(ptx);
	return ok;
}

bool frontend_convert_sass(const struct frontend_sass *s, struct text *out, struct diag_list *diags) { return convert(s, false, out, diags); }

bool frontend_load_sass(struct isa_program *p, const struct frontend_sass *s, struct diag_list *diags)
{
	struct text text = {0};
	const bool ok = convert(s, true, &text, diags) && frontend_load_text(p, 0, s->plus, text_str(&text), text.n, diags);
	text_free(&text);
	return ok;
}
