/* The table of front ends, and what loading has in common for all of them. */
#include "frontend/frontend.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/xalloc.h"
#include "isa/link/link.h"
#include "ptx/ptx.h"
#include "ptxplus/ptxplus.h"

static const struct isa_frontend *const rows[] = {&ptxplus_frontend, &ptx_frontend};
/* Loads a text that no row recognizes, and reports what is wrong with the text. */
static const struct isa_frontend *const last_resort = &ptx_frontend;

const struct isa_frontend *frontend_of(const char *name, const char *text, size_t n)
{
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
		if (rows[k]->recognizes(name, text, n))
			return rows[k];
	return NULL;
}

/* Returns what a file that is no text is, from its first bytes. Returns NULL if the file may be a program's text. */
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

static bool is_cuda_source(const char *text, size_t n)
{
	static const char kernel[] = "__global__";
	return memmem(text, n, kernel, strlen(kernel));
}

/* Chooses the front end for a text. Returns NULL, with the reason in `diags`, if the text is known to be of no language that can be loaded. */
static const struct isa_frontend *choose(const struct isa_text *t, struct diag_list *diags)
{
	const struct isa_frontend *f = frontend_of(t->name, t->text, t->n);
	if (t->n > ISA_TEXT_MAX) {
		diag_add(diags, DIAG_ERROR, t->name, 0, 0, NULL, 0, "the file has %zu bytes; at most %u can be read",
			 t->n, ISA_TEXT_MAX);
		return NULL;
	}
	const char *other = other_format(t->text, t->n);
	if (!other && !f && is_cuda_source(t->text, t->n))
		other = "CUDA C++, no PTX; `nvcc -ptx -lineinfo` makes PTX of it";
	if (other) {
		diag_add(diags, DIAG_ERROR, t->name, 1, 1, NULL, 0, "this is %s", other);
		return NULL;
	}
	return f ? f : last_resort;
}

/* Loads a text of the heap, which the program then owns. */
static bool load(struct isa_program *p, const struct isa_text *t, char *text, struct diag_list *diags)
{
	const struct isa_frontend *f = choose(t, diags);
	const uint32_t step = p->step;
	isa_program_stand(p, ISA_STEP_LAST); /* it is linked with every module's newest state, wherever the machine is */
	const bool ok = f && f->load(p, t, diags);
	isa_program_stand(p, step);
	if (ok)
		isa_link_keep_text(p, text);
	else
		free(text);
	return ok;
}

bool frontend_load_text(struct isa_program *p, uint32_t module, const char *name, const char *text, size_t n,
			struct diag_list *diags)
{
	char *copy = xmalloc(n + 1);
	if (n)
		memcpy(copy, text, n);
	copy[n] = '\0';
	return load(p, &(struct isa_text){.name = name, .text = copy, .n = n, .module = module}, copy, diags);
}

bool frontend_load_file(struct isa_program *p, const struct files *files, const char *path,
			const volatile sig_atomic_t *interrupt, struct diag_list *diags)
{
	size_t n;
	char *text = files_read(files, path, FILES_READ, ISA_TEXT_MAX, &n);
	if (text)
		return load(p, &(struct isa_text){.name = path, .text = text, .n = n, .interrupt = interrupt}, text, diags);
	diag_add(diags, DIAG_ERROR, NULL, 0, 0, NULL, 0, "can't read '%s': %s", path, strerror(errno));
	return false;
}
