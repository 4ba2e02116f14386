/* Loading a module: text, parser, checker, lowering. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/file.h"
#include "base/xalloc.h"
#include "ptx/ast.h"
#include "ptx/link.h"
#include "ptx/ptx.h"

#define TEXT_MAX (UINT32_C(1) << 31) /* offsets are 32 bits */

/* The program's files refer to the text, so it lives as long as the program. */
static void keep_text(struct isa_program *p, char *text)
{
	struct ptx_link *l = ptx_link_of(p);

	l->texts = xgrow(l->texts, &l->cap_texts, l->n_texts + 1, sizeof *l->texts);
	l->texts[l->n_texts++] = text;
}

static bool load_module(struct ptx_module *m, struct isa_program *p)
{
	size_t first = m->diags->n;
	bool ok = ptx_parse(m);
	if (m->sm &&
	    !ptx_interrupted(
		    m)) /* also what was left of a file with errors: the more of them are found at once, the better */
		ok = ptx_check(m) && ok;
	ptx_diag_sort(m->diags, first);
	return ok && !ptx_interrupted(m) && ptx_lower(m, p);
}

/* Returns what a file that is no text is, from its first bytes, or NULL if it may be PTX. */
static const char *other_format(const char *s, size_t n)
{
	static const struct {
		const char *magic, *what; /* 4 bytes at most */
	} formats[] = {
		{"\177ELF", "an ELF file, no PTX; `warpstep --args` debugs a program, `cuobjdump -ptx` prints the PTX "
			    "that a program or a cubin carries"},
		{"\x50\xed\x55\xba", "a fatbin, no PTX; `cuobjdump -ptx` prints the PTX that it carries"},
		{"BC\xc0\xde", "LLVM bitcode, no PTX"},
		{"\xff\xfe", "UTF-16 text; PTX is ASCII"},
		{"\xfe\xff", "UTF-16 text; PTX is ASCII"},
	};
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		if (n >= strlen(formats[i].magic) && !memcmp(s, formats[i].magic, strlen(formats[i].magic)))
			return formats[i].what;
	return NULL;
}

/* The source that PTX is made from, by what only that has. */
static bool is_cuda_source(const char *text, size_t n)
{
	static const char kernel[] = "__global__", version[] = ".version";
	return memmem(text, n, kernel, strlen(kernel)) && !memmem(text, n, version, strlen(version));
}

/* Takes the text over. */
static bool load_text(struct isa_program *p, struct ptx_module m, char *text, size_t n)
{
	const char *name = m.file;
	struct diag_list *diags = m.diags;
	m.text = text;
	m.n_text = n;
	bool ok = n <= TEXT_MAX;
	if (!ok)
		diag_add(diags, DIAG_ERROR, name, 0, 0, NULL, 0, "the file has %zu bytes; at most %u can be read", n,
			 TEXT_MAX);
	const char *other = other_format(text, n);
	if (!other && is_cuda_source(text, n))
		other = "CUDA C++, no PTX; `nvcc -ptx -lineinfo` makes PTX of it";
	if (ok && other) {
		diag_add(diags, DIAG_ERROR, name, 1, 1, NULL, 0, "this is %s", other);
		ok = false;
	}
	/* it is linked to what there is, wherever the machine stands */
	const uint32_t step = p->step;
	isa_program_stand(p, ISA_STEP_LAST);
	ok = ok && load_module(&m, p);
	isa_program_stand(p, step);
	if (!ok && ptx_interrupted(&m))
		diag_add(diags, DIAG_ERROR, NULL, 0, 0, NULL, 0, "interrupted");
	ptx_module_free(&m);
	if (ok)
		keep_text(p, text);
	else
		free(text);
	return ok;
}

bool ptx_load_module(struct isa_program *p, uint32_t module, const char *file_name, const char *text, size_t n,
		     struct diag_list *diags)
{
	char *copy = xmalloc(n + 1);

	if (n)
		memcpy(copy, text, n);
	copy[n] = '\0';
	return load_text(p, (struct ptx_module){.file = file_name, .into = module, .diags = diags}, copy, n);
}

bool ptx_load(struct isa_program *p, const char *file_name, const char *text, size_t n, struct diag_list *diags)
{
	return ptx_load_module(p, 0, file_name, text, n, diags);
}

bool ptx_load_file(struct isa_program *p, const char *path, const volatile sig_atomic_t *interrupt,
		   struct diag_list *diags)
{
	size_t n;
	char *text = file_read(path, TEXT_MAX, &n);

	if (text)
		return load_text(p, (struct ptx_module){.file = path, .diags = diags, .interrupt = interrupt}, text, n);
	diag_add(diags, DIAG_ERROR, NULL, 0, 0, NULL, 0, "can't read '%s': %s", path, strerror(errno));
	return false;
}
