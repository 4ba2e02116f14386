/* Any bytes must load as PTXPlus, or be refused with errors that have a place in the text and one line of message. */
#include <assert.h>
#include <string.h>

#include "frontend/frontend.h"
#include "base/text.h"
#include "isa/program.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct diag_list diags = {0};
	struct text listing = {0};
	struct isa_program p;
	isa_program_init(&p);
	const bool ok = frontend_load_text(&p, 0, "fuzz.ptxplus", (const char *)data, n, &diags);
	assert(ok == !diags.n_errors);
	for (size_t i = 0; i < diags.n; i++)
		assert(!strchr(diags.v[i].message, '\n'));
	for (uint32_t i = 0; i < p.n_insns; i++)
		p.files[0].frontend->list(&p, i, &listing);
	text_free(&listing);
	isa_program_free(&p);
	diag_list_free(&diags);
	return 0;
}
