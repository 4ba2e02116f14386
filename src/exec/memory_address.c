/* Instructions about addresses that touch no memory: cvta, isspacep, addresses of local and dynamic shared variables,
 * and the hints prefetch, applypriority and discard. */
#include "exec/memory.h"

static void put_lanes(struct exec *x, uint32_t ref, unsigned bytes, const uint64_t v[LANES])
{
	if (bytes == 8)
		lanes_put64(x, ref, v);
	else
		LANES_PUT(row_u32, ref, v[l]);
}

/* ---- cvta: a space's addresses begin at 0, its window says where they are in generic ones ---- */
static void convert(struct exec *x, const struct isa_insn *i, uint64_t add)
{
	uint64_t v[LANES] LANES_ALIGNED;
	mem_addresses(x, i, v);
	for (unsigned l = 0; l < LANES; l++)
		v[l] += add;
	put_lanes(x, i->dst, isa_type_bytes((enum isa_type)i->type), v);
}
#define CVTA(space, id) \
	EXEC_HANDLER(cvta_##space) { convert(x, i, mem_window(ISA_SPACE_##id)); } \
	EXEC_HANDLER(cvta_to_##space) { convert(x, i, 0 - mem_window(ISA_SPACE_##id)); }
CVTA(global, GLOBAL)
CVTA(shared, SHARED)
CVTA(local, LOCAL)
CVTA(const, CONST)
CVTA(param, PARAM)

/* ---- isspacep ---- */
/* PTX ISA "isspacep": what is in no other window is global, and the kernel parameters' window is inside global. */
static bool is_in(enum isa_space space, uint64_t address)
{
	const enum isa_space s = mem_generic_space(address);
	if (space == ISA_SPACE_GLOBAL)
		return s != ISA_SPACE_SHARED && s != ISA_SPACE_LOCAL && s != ISA_SPACE_CONST;
	return s == space;
}
static void test_space(struct exec *x, const struct isa_insn *i, enum isa_space space)
{
	uint64_t v[LANES];
	uint32_t in = 0;
	mem_addresses(x, i, v);
	LANES_EACH (l, x->mask)
		if (is_in(space, v[l]))
			in |= lanes_bit(l);
	exec_pred_write(x, i->dst, in);
}
EXEC_HANDLER(isspacep_global) { test_space(x, i, ISA_SPACE_GLOBAL); }
EXEC_HANDLER(isspacep_shared) { test_space(x, i, ISA_SPACE_SHARED); }
EXEC_HANDLER(isspacep_local) { test_space(x, i, ISA_SPACE_LOCAL); }
EXEC_HANDLER(isspacep_const) { test_space(x, i, ISA_SPACE_CONST); }
EXEC_HANDLER(isspacep_param) { test_space(x, i, ISA_SPACE_PARAM); }

/* ---- addresses of variables that aren't the same everywhere ---- */
EXEC_HANDLER(mov_local_addr)
{
	const uint64_t v = x->local_sp + (uint64_t)i->imm;
	if (i->dst_bytes == 8)
		LANES_PUT(row_u64, i->dst, v);
	else
		LANES_PUT(row_u32, i->dst, v);
}
EXEC_HANDLER(mov_dynshared)
{
	const row_u32 *base = LANES_SRC(row_u32, i->a);
	const uint32_t imm = (uint32_t)i->imm;
	if (i->dst_bytes == 8)
		LANES_PUT(row_u64, i->dst, base[l] + imm);
	else
		LANES_PUT(row_u32, i->dst, base[l] + imm);
}

/* ---- hints ---- */
/* Programs prefetch past the end of their arrays, and hardware ignores that. */
EXEC_HANDLER(prefetch)
{
	(void)x;
	(void)i;
}
/* These name 128 bytes of memory that has to be there. discard leaves what was there: any value is allowed. */
EXEC_HANDLER(discard)
{
	uint64_t offset[LANES];
	mem_resolve(x, i, 128, EXEC_READ, offset);
}
