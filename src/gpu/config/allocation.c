#include "gpu/config/allocation.h"

static uint32_t up_to_multiple(uint32_t n, uint32_t unit) { return unit ? (n + unit - 1) / unit * unit : n; }

/* Blocks of so many warps, each with of_warp registers, on an SM whose registers lie in so many parts. */
static uint32_t fit_parts(const struct allocation_rules *r, uint32_t of_warp, uint32_t warps, uint32_t parts)
{
	if (r->checks_parts && of_warp * up_to_multiple(warps, parts) > r->block_registers)
		return 0;
	return of_warp ? r->registers / parts / of_warp * parts / warps : UINT32_MAX;
}

static uint32_t fit_registers(const struct allocation_rules *r, const struct block_needs *b, struct block_fit *f)
{
	if (b->registers > r->thread_registers)
		return 0;
	if (r->by_block) {
		f->registers = up_to_multiple(up_to_multiple(f->warps, r->warp_unit) * r->warp_threads * b->registers, r->register_unit);
		return f->registers ? r->registers / f->registers : UINT32_MAX;
	}
	const uint32_t of_warp = up_to_multiple(b->registers * r->warp_threads, r->register_unit);
	f->registers = of_warp * f->warps;
	if (r->family_parts && !fit_parts(r, of_warp, f->warps, r->family_parts))
		return 0;
	return fit_parts(r, of_warp, f->warps, r->warp_unit);
}

static uint32_t fit_shared(const struct allocation_rules *r, const struct block_needs *b, struct block_fit *f)
{
	f->shared_bytes = up_to_multiple(b->shared_bytes + r->driver_shared_bytes, r->shared_unit);
	if (b->shared_bytes > r->block_shared_bytes || f->shared_bytes > r->block_shared_bytes + r->driver_shared_bytes)
		return 0;
	return f->shared_bytes ? r->shared_bytes / f->shared_bytes : UINT32_MAX;
}

void allocation_fit(const struct allocation_rules *r, const struct block_needs *b, struct block_fit *out)
{
	*out = (struct block_fit){.warps = (b->threads + r->warp_threads - 1) / r->warp_threads};
	if (!out->warps)
		return;
	out->limit[ALLOCATION_WARPS] = b->threads > r->block_threads ? 0 : r->warps / out->warps;
	out->limit[ALLOCATION_REGISTERS] = fit_registers(r, b, out);
	out->limit[ALLOCATION_SHARED] = fit_shared(r, b, out);
	out->limit[ALLOCATION_BLOCKS] = r->blocks;
	out->blocks = UINT32_MAX;
	for (unsigned k = 0; k < ALLOCATION_LIMITS; k++)
		out->blocks = out->limit[k] < out->blocks ? out->limit[k] : out->blocks;
}
