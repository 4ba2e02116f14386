/* Coordinates of texture and surface instructions, in words. */
#include "debug/view/view.h"
#include "exec/texture.h"
#include "isa/opcodes.h"
#include "isa/texture.h"

void debug_coordinates_text(const struct isa_insn *i, const struct exec_sample *s, struct text *out)
{
	const struct isa_geometry_info *g = &isa_geometry_info[i->mode];
	text_addc(out, '(');
	for (unsigned k = 0; k < g->position; k++)
		if (s->by_number)
			text_addf(out, "%s%d", k ? ", " : "", s->number[k]);
		else
			text_addf(out, "%s%.6g", k ? ", " : "", (double)s->at[k]);
	text_addc(out, ')');
	if (g->is_layered)
		text_addf(out, " layer %u", s->index);
	if (i->opcode == ISA_OP_TEX && i->mode2 >= ISA_LOD_LEVEL)
		text_addf(out, " level %.6g", (double)s->level);
}
