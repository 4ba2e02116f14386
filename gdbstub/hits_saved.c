/* Registers of lanes that gdb is still to be told about, as they were when their warp hit the breakpoint. They are kept when the warp
 * goes on before (because gdb steps a lane by itself): who is told of a hit sees the registers from in front of the instruction.
 * Memory is as it is. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "gdbstub/internal.h"

#define SAVED_BYTES_MAX 2048u /* a lane's innermost frames */

static uint64_t lane_sp(const struct hit *h, unsigned lane)
{
	uint64_t first = h->uid - h->uid_lane;
	return h->sp + ((first + lane - h->uid) << STUB_UID_SHIFT);
}

static void save(struct stub *s, struct hit *h, uint32_t lanes)
{
	uint64_t room = STUB_STACK_TOP - (h->sp & STUB_OFFSET_MASK), first = h->uid - h->uid_lane;
	uint32_t bytes = (uint32_t)(room < SAVED_BYTES_MAX ? room : SAVED_BYTES_MAX);
	if (!h->saved)
		h->saved = xcalloc(LANES, bytes);
	h->saved_bytes = bytes;
	h->saved_lanes = lanes;
	LANES_EACH (lane, lanes)
		memory_read(s, thread_tid(s, first + lane), lane_sp(h, lane), h->saved + (size_t)lane * bytes, bytes);
}

void hits_save(struct stub *s)
{
	struct debug_where w;
	bool before = view_machine(s, true);
	for (size_t i = 0; i < s->n_hits; i++) {
		struct hit *h = &s->hits[i];
		uint32_t lanes = h->lanes & ~h->told;
		if (lanes && debug_thread_where(s->d, &h->warp, &w) && hits_stand(h, &w))
			save(s, h, lanes);
	}
	view_machine(s, before);
}

size_t hits_saved_read(struct stub *s, const struct debug_where *w, uint64_t address, void *dst, size_t n)
{
	const struct hit *h = hits_behind(s, w);
	if (!h || !(h->saved_lanes & lanes_bit(w->lane)))
		return 0;
	uint64_t sp = lane_sp(h, w->lane);
	if (address < sp || address - sp >= h->saved_bytes)
		return 0;
	size_t at = (size_t)(address - sp), k = h->saved_bytes - at < n ? h->saved_bytes - at : n;
	memcpy(dst, h->saved + (size_t)w->lane * h->saved_bytes + at, k);
	return k;
}
