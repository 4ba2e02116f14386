/* What the modifiers of texture and surface instructions mean: geometry, level of detail, edge, component, query. */
#include <string.h>

#include "isa/opcodes.h"
#include "isa/texture.h"
#include "ptx/opcode.h"

/* Returns the place of a word among n names, or n. */
static unsigned place_of(const char *const *names, unsigned n, const char *s, size_t length)
{
	unsigned k = 0;
	while (k < n && (strlen(names[k]) != length || memcmp(names[k], s, length)))
		k++;
	return k;
}

static void decode_word(struct isa_insn *i, const char *s, size_t n)
{
	static const char *const lods[] = {"", "base", "level", "grad"};
	static const char *const edges[] = {"trap", "clamp", "zero"};
	static const char *const components[] = {"r", "g", "b", "a"};
	static const char *const types[] = {"texref", "samplerref", "surfref"};
	const bool queries = i->opcode == ISA_OP_TXQ || i->opcode == ISA_OP_SUQ;

	for (unsigned k = 0; k < ISA_GEOMETRIES && !queries; k++)
		if (strlen(isa_geometry_info[k].name) == n && !memcmp(isa_geometry_info[k].name, s, n))
			i->mode = (uint8_t)k;
	const unsigned query = place_of(isa_texture_query_names, ISA_QUERIES, s, n);
	if (queries && query < ISA_QUERIES)
		i->mode = (uint8_t)query;
	const unsigned type = place_of(types, 3, s, n);
	if (i->opcode == ISA_OP_ISTYPEP && type < 3)
		i->mode = (uint8_t)type;
	const unsigned lod = place_of(lods, 4, s, n), edge = place_of(edges, 3, s, n), component = place_of(components, 4, s, n);
	if (i->opcode == ISA_OP_TEX && lod < 4)
		i->mode2 = (uint8_t)lod;
	else if (i->opcode == ISA_OP_TLD4 && component < 4)
		i->mode2 = (uint8_t)component;
	else if (edge < 3)
		i->mode2 = (uint8_t)edge;
	if ((i->opcode == ISA_OP_SUST || i->opcode == ISA_OP_SURED) && n == 1 && *s == 'p')
		i->flags |= ISA_F_SURF_TEXELS;
}

void texture_modifiers(struct isa_insn *i, struct ptx_slice text)
{
	const char *end = text.s + text.n;

	i->mode = i->mode2 = 0;
	i->flags = 0;
	for (const char *s = text.s; s < end;) {
		const char *dot = memchr(s, '.', (size_t)(end - s));
		const char *stop = dot ? dot : end;
		if (s != text.s)
			decode_word(i, s, (size_t)(stop - s));
		s = stop + 1;
	}
}
