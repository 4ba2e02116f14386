/* txq, suq and istypep. */
#include "exec/memory.h"
#include "exec/texture_unit.h"

/* PTX ISA, tables of channel_data_type and channel_order: OpenCL's numbers. */
static uint32_t channel_type(const struct exec_texture *t)
{
	static const uint32_t normalized[] = {0x10d2, 0x10d0}, plain[] = {0x10da, 0x10d7};
	const unsigned width = t->channel_bytes == 1 ? 0 : t->channel_bytes == 2 ? 1 : 2;
	if (t->channel == EXEC_CHANNEL_FLOAT)
		return t->channel_bytes == 2 ? 0x10dd : 0x10de;
	return (t->reads_normalized && width < 2 ? normalized : plain)[t->channel] + width;
}

static uint32_t answer(const struct exec_texture *t, unsigned query, uint32_t level)
{
	static const uint32_t edges[] = {[EXEC_EDGE_WRAP] = 0, [EXEC_EDGE_MIRROR] = 1, [EXEC_EDGE_CLAMP] = 3, [EXEC_EDGE_BORDER] = 4};
	level = level < t->n_levels ? level : t->n_levels - 1;
	switch ((enum isa_texture_query)query) {
	case ISA_QUERY_WIDTH: return exec_level_extent(t->width, level);
	case ISA_QUERY_HEIGHT: return exec_level_extent(t->height, level);
	case ISA_QUERY_DEPTH: return exec_level_extent(t->depth, level);
	case ISA_QUERY_CHANNEL_TYPE: return channel_type(t);
	case ISA_QUERY_CHANNEL_ORDER: return t->n_channels == 1 ? 0x10b0 : t->n_channels == 2 ? 0x10b2 : 0x10b5;
	case ISA_QUERY_NORMALIZED: return t->normalized;
	case ISA_QUERY_ARRAY_SIZE: return t->is_cube ? t->layers / 6 : t->layers;
	case ISA_QUERY_LEVELS: return t->n_levels;
	case ISA_QUERY_SAMPLES: return 1;
	case ISA_QUERY_UNNORMALIZED: return !t->normalized;
	case ISA_QUERY_FILTER: return t->filters;
	case ISA_QUERY_ADDRESS_0: return edges[t->edge[0]];
	case ISA_QUERY_ADDRESS_1: return edges[t->edge[1]];
	case ISA_QUERY_ADDRESS_2: return edges[t->edge[2]];
	default: return 0; /* memory_layout: linear */
	}
}

static void ask(struct exec *x, const struct isa_insn *i, bool is_surface)
{
	const uint32_t all = x->mask;
	for (uint32_t rest = all; rest;) {
		const uint32_t same = texture_same_handles(x, i, rest);
		struct exec_texture t;
		if (!texture_find(x, exec_src64(x, i->a)[lanes_first(rest)], same, is_surface, &t))
			return;
		LANES_EACH (l, same)
			exec_dst32(x, i->dst)[l] = answer(&t, i->mode, i->c == ISA_REF_NONE ? 0 : exec_src32(x, i->c)[l]);
		rest &= ~same;
	}
}
EXEC_HANDLER(txq) { ask(x, i, false); }
EXEC_HANDLER(suq) { ask(x, i, true); }

EXEC_HANDLER(istypep)
{
	uint32_t are = 0;
	LANES_EACH (l, x->mask) {
		struct exec_texture t;
		const uint64_t handle = exec_src64(x, i->a)[l];
		if (x->services.texture && x->services.texture(x->services.self, x->context, handle, &t) && t.is_surface == (i->mode == ISA_IS_SURFREF))
			are |= lanes_bit(l);
	}
	exec_pred_write(x, i->dst, are);
}
