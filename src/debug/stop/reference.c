/* Texture and surface references that an instruction names, and what is bound to them: where it can't be executed. */
#include <ctype.h>
#include <string.h>

#include "debug/stop/stop.h"
#include "debug/view/view.h"

/* Its variable holds the address that it reads, 0: nothing is bound to it. */
static void bound_text(struct debug *d, const struct debug_symbol *s, struct text *out)
{
	uint64_t at = 0;
	const struct gpu_allocation *a;
	if (!gpu_read(d->g, s->generic, &at, sizeof at) || !at) {
		text_add(out, "nothing");
		return;
	}
	a = gpu_nearest_allocation(d->g, at);
	if (!a || at - a->address >= a->bytes) {
		text_addf(out, "0x%llx", (unsigned long long)at);
		return;
	}
	if (at != a->address)
		text_addf(out, "%llu bytes into ", (unsigned long long)(at - a->address));
	stop_allocation_text(d, a, out);
}

static bool is_reference(const struct debug_symbol *s)
{
	return s->kind == SYMBOL_VARIABLE && s->of_module &&
	       (s->var->type == ISA_TEXREF || s->var->type == ISA_SURFREF);
}

static bool is_of_name(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%'; }

void stop_references(struct debug *d, const struct debug_where *w, uint32_t pc, struct text *out)
{
	struct debug_frame frame;
	struct text insn = {0};
	if (!debug_frame_get(d, w, 0, &frame))
		return;
	debug_insn_text(d, pc, &insn);
	for (const char *s = strchr(text_str(&insn), '['); s && *s && *s != ']';) {
		size_t n = 0;
		struct debug_symbol symbol;
		while (is_of_name(s[n]))
			n++;
		if (n && debug_lookup(d, w, &frame, s, n, &symbol) && is_reference(&symbol)) {
			text_addf(out, "%s reference %s is bound to ",
				  symbol.var->type == ISA_SURFREF ? "Surface" : "Texture", symbol.var->name);
			bound_text(d, &symbol, out);
			text_addc(out, '\n');
		}
		s += n ? n : 1;
	}
	text_free(&insn);
}
