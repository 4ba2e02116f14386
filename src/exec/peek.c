/* Looking at memory and changing it from outside, by generic address as one lane sees it. */
#include "exec/memory.h"

static char *find_global(const struct exec *x, uint64_t address, uint64_t n)
{
	const struct exec_services *s = &x->services;
	struct exec_window w;
	uint64_t at;
	if (address < x->limits->device_end && n <= x->limits->device_end && s->find_allocation &&
	    s->find_allocation(s->self, EXEC_ANY_CONTEXT, address, n, &w))
		return x->global + address;
	return s->elsewhere && s->elsewhere(s->self, x->context, address, false, &w, &at) && n <= w.end - address
		       ? x->global + at + (address - w.first)
		       : NULL;
}

/* Returns the host address of n bytes at a generic address, and stores their space in *space. Returns NULL if not all of them are there. */
static char *host_address(const struct exec *x, const struct exec_cta *cta, uint32_t warp, unsigned lane, uint64_t generic,
		  uint64_t n, enum isa_space *space)
{
	*space = mem_generic_space(generic);
	const uint64_t address = generic - mem_window(*space);
	const struct exec_warp *w = cta && warp < cta->n_warps ? &cta->warp[warp] : NULL;
	uint64_t bytes;
	char *base;
	switch (*space) {
	case ISA_SPACE_GLOBAL: return find_global(x, address, n);
	case ISA_SPACE_SHARED:
		if (!cta || !cta->used)
			return NULL;
		base = arena_at(x->arena, x->sec_shared, cta->shared);
		bytes = cta->shared_bytes;
		break;
	case ISA_SPACE_LOCAL:
		if (!w || !w->local_stride || !w->local || lane >= LANES)
			return NULL;
		base = (char *)arena_at(x->arena, x->sec_local, w->local) + (uint64_t)lane * w->local_stride;
		bytes = w->local_stride;
		break;
	case ISA_SPACE_PARAM:
		if (!cta || !cta->used)
			return NULL;
		base = arena_at(x->arena, x->sec_param, cta->param);
		bytes = cta->param_bytes;
		break;
	case ISA_SPACE_CONST:
		base = x->arena->section[x->sec_const].base;
		bytes = x->program->const_next;
		break;
	default: return NULL;
	}
	return address <= bytes && n <= bytes - address ? base + address : NULL;
}

const void *exec_peek(const struct exec *x, const struct exec_cta *cta, uint32_t warp, unsigned lane, uint64_t generic,
		      uint64_t n)
{
	enum isa_space space;
	return host_address(x, cta, warp, lane, generic, n, &space);
}

/* Also parameters and constants can be changed: the debugger's user may know better. */
bool exec_poke(struct exec *x, const struct exec_cta *cta, uint32_t warp, unsigned lane, uint64_t generic,
	       const void *src, uint64_t n)
{
	enum isa_space space;
	char *p = host_address(x, cta, warp, lane, generic, n, &space);
	if (!p)
		return false;
	if (space == ISA_SPACE_GLOBAL)
		arena_touch(x->arena, x->sec_global, (uint64_t)(p - x->global), n);
	if (space == ISA_SPACE_LOCAL)
		arena_touch(x->arena, x->sec_local, (uint64_t)(p - x->local_base), n);
	memmove(p, src, n);
	const int section = space == ISA_SPACE_GLOBAL	? x->sec_global
			    : space == ISA_SPACE_SHARED ? x->sec_shared
							: x->sec_local;
	if (space == ISA_SPACE_GLOBAL || space == ISA_SPACE_SHARED || space == ISA_SPACE_LOCAL)
		effect_wrote(x, space, (uint64_t)(p - (char *)arena_at(x->arena, section, 0)), n);
	return true;
}
