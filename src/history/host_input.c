/* What the host has written, of which the journal knows the call: its words, and where a copy within the device came from. */
#include <string.h>

#include "debug/program.h"
#include "history/trace.h"
#include "isa/address_map.h"

bool input_writes(const struct history *h, const struct gpu_input *in, uint64_t *generic)
{
	*generic = in->bytes.address;
	if (in->kind == GPU_INPUT_BYTES && in->copy.section == gpu_exec(h->g)->sec_const)
		*generic += EXEC_CONST_WINDOW;
	else if (in->kind == GPU_INPUT_BYTES)
		return false;
	return in->kind == GPU_INPUT_BYTES || in->kind == GPU_INPUT_WRITE || in->kind == GPU_INPUT_COPY ||
	       in->kind == GPU_INPUT_POKE;
}

static const struct gpu_input *input_of(const struct history *h, const struct write *w)
{
	return w && w->input < h->journal.n ? &h->journal.entry[w->input]->input : NULL;
}

bool input_loads(const struct history *h, const struct write *w)
{
	const struct gpu_input *in = input_of(h, w);
	return in && in->kind == GPU_INPUT_MODULE_LOAD;
}

bool input_source(const struct history *h, const struct write *w, uint64_t generic, uint64_t *from,
		  struct history_position *until)
{
	uint64_t at;
	const struct gpu_input *in = input_of(h, w);
	if (!in || !input_writes(h, in, &at) || in->kind == GPU_INPUT_POKE || !in->copy.from || generic < at ||
	    generic - at >= in->copy.n)
		return false;
	*from = in->copy.from + (generic - at);
	*until = (struct history_position){w->input, h->journal.entry[w->input]->at};
	return true;
}

/* `copied by main at app.cu:12`, `copied from alloc_3 by ...`, `filled by ...` */
static void add_call(struct history *h, const struct gpu_input *in, struct text *out)
{
	struct text place = {0}, from = {0};
	bool initialised;
	debug_program_place(h->d, in->copy.context, in->copy.caller, &place);
	if (in->copy.from)
		debug_memory_owner(h->d, in->copy.from, &initialised, &from);
	const char *what = in->kind == GPU_INPUT_WRITE && !in->copy.from ? "filled" : "copied";
	text_addf(out, "%s%s", out->n ? ": " : "", what);
	if (from.n)
		text_addf(out, " from %s", text_str(&from));
	if (place.n)
		text_addf(out, " by %s", text_str(&place));
	text_free(&place);
	text_free(&from);
}

void input_text(struct history *h, const struct write *w, uint64_t generic, struct text *out)
{
	bool initialised;
	const struct gpu_input *in = input_of(h, w);
	debug_memory_owner(h->d, generic, &initialised, out);
	if (in && in->kind != GPU_INPUT_POKE && in->copy.caller)
		add_call(h, in, out);
}

void input_missing_text(const struct history *h, struct text *out)
{
	if (h->begins_because)
		text_addf(out, ". %s", h->begins_because);
}
