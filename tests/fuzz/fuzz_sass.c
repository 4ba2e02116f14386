/* Any bytes must convert from a listing of machine code to PTXPlus, or be refused; what they convert to must load or be refused.
 *
 * Input: the listing, the text of cuobjdump -elf and the .ptx, with a line "====" between them. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/frontend.h"
#include "ptxplus/sass.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* Returns a copy, with a 0 behind it, of the text up to the next mark. */
static char *part(const uint8_t **data, size_t *n, size_t *n_part)
{
	static const char mark[] = "====\n";
	const uint8_t *const stop = *n ? memmem(*data, *n, mark, sizeof mark - 1) : NULL;
	*n_part = stop ? (size_t)(stop - *data) : *n;
	char *text = malloc(*n_part + 1);
	if (!text)
		abort();
	if (*n_part)
		memcpy(text, *data, *n_part);
	text[*n_part] = '\0';
	const size_t taken = *n_part + (stop ? sizeof mark - 1 : 0);
	*data += taken;
	*n -= taken;
	return text;
}

static void load(const struct text *t)
{
	struct diag_list diags = {0};
	struct isa_program p;
	isa_program_init(&p);
	const bool ok = frontend_load_text(&p, 0, "fuzz.ptxplus", text_str(t), t->n, &diags);
	assert(ok == !diags.n_errors);
	isa_program_free(&p);
	diag_list_free(&diags);
}

static void convert(const struct sass_source *s)
{
	struct diag_list diags = {0};
	struct text out = {0};
	const bool ok = sass_convert(s, &out, &diags);
	assert(ok == !diags.n_errors);
	for (size_t i = 0; i < diags.n; i++)
		assert(!strchr(diags.v[i].message, '\n'));
	if (ok)
		load(&out);
	text_free(&out);
	diag_list_free(&diags);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct sass_source s = {.name = "fuzz.sass", .elf_name = "fuzz.elf", .ptx_name = "fuzz.ptx", .with_lines = true};
	char *const sass = part(&data, &n, &s.n), *const elf = part(&data, &n, &s.n_elf), *const ptx = part(&data, &n, &s.n_ptx);
	s.text = sass;
	s.elf = elf;
	s.ptx = ptx;
	convert(&s);
	s.exact = true;
	s.with_lines = false;
	convert(&s);
	free(sass);
	free(elf);
	free(ptx);
	return 0;
}
