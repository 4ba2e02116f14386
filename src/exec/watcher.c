/* Registers watchers, adds up what they want, and chooses the table of handlers. */
#include "exec/watcher.h"

#include "base/xalloc.h"
#include "exec/internal.h"

static void add_kinds(struct exec_wants *sum, const struct exec_watcher *w, uint32_t k)
{
	sum->kinds |= w->kinds;
	LANES_EACH (kind, w->kinds) {
		sum->before[kind] |= (uint8_t)(w->before ? 1u << k : 0);
		sum->after[kind] |= (uint8_t)(w->after ? 1u << k : 0);
	}
}

/* Adds a watcher's ranges of memory. */
static void add_ranges(struct exec_wants *sum, const struct exec_watcher *w)
{
	for (size_t k = 0; k < w->n_ranges; k++) {
		const uint64_t first = w->ranges[k].address, n = w->ranges[k].n, end = n < UINT64_MAX - first ? first + n : UINT64_MAX;
		sum->range_first = !sum->ranges || first < sum->range_first ? first : sum->range_first;
		sum->range_end = !sum->ranges || end > sum->range_end ? end : sum->range_end;
		sum->ranges = true;
	}
}

/* Stores in x->wants what the watchers and the parts of the machine want, and chooses the handlers. */
static void add_up(struct exec *x)
{
	struct exec_watching *const s = &x->watching;
	struct exec_wants sum = {0};
	unsigned needs = 0;
	bool any = false;
	for (unsigned k = 0; k < EXEC_PARTS; k++)
		needs |= s->needs[k];
	for (uint32_t k = 0; k < s->n; k++) {
		const struct exec_watcher *w = s->entry[k].w;
		s->entry[k].rests = w->is_live && s->is_repeating;
		if (s->entry[k].rests)
			continue;
		any = true;
		add_kinds(&sum, w, k);
		sum.spaces |= w->spaces;
		sum.insn_watcher = w->insn ? w : sum.insn_watcher;
		sum.insns |= (uint8_t)(w->insn ? 1u << k : 0);
		add_ranges(&sum, w);
		sum.records |= w->records;
		sum.lanewise |= w->kinds & EXEC_LOOK(ACCESS) && !w->records;
		sum.local_frames |= w->local_frames;
		sum.limits = w->limits ? w->limits : sum.limits;
		sum.parts |= (uint8_t)(w->parts ? 1u << k : 0);
		sum.misuse |= w->misuse != NULL;
	}
	sum.defers = needs & EXEC_NEED_DEFER;
	sum.records |= needs & (EXEC_NEED_RECORD | EXEC_NEED_DEFER); /* what is deferred keeps its addresses */
	sum.compares = needs & EXEC_NEED_COMPARE;
	sum.stays = needs & EXEC_NEED_STAY;
	x->wants = sum;
	x->handlers = sum.insns & (sum.insns - 1u) ? exec_checked_by_several
		      : sum.insns		   ? exec_checked
		      : any || needs		   ? x->observed
						   : x->plain;
}

/* ---- watched pages ---- */

static void arm_pages(struct exec *x, const struct exec_range *r)
{
	struct exec_watching *const s = &x->watching;
	const uint64_t end = x->limits->device_end;
	const uint8_t flags =
		(uint8_t)((r->writes ? ARENA_PAGE_WATCH_WRITE : 0) | (r->reads ? ARENA_PAGE_WATCH_READ : 0));
	if (!r->n || r->address >= end || r->n > end - r->address)
		return;
	const uint64_t first = r->address >> ARENA_PAGE_SHIFT, last = (r->address + r->n - 1) >> ARENA_PAGE_SHIFT;
	for (uint64_t page = first; page <= last; page++)
		x->global_flags[page] |= flags;
	s->armed = xgrow(s->armed, &s->cap_armed, s->n_armed + 1, sizeof *s->armed);
	s->armed[s->n_armed].first = first;
	s->armed[s->n_armed++].last = last;
}

/* Sets the flags of the pages that watchers see accesses to, and clears the flags set before. */
static void arm(struct exec *x)
{
	struct exec_watching *const s = &x->watching;
	for (size_t k = 0; k < s->n_armed; k++)
		for (uint64_t page = s->armed[k].first; page <= s->armed[k].last; page++)
			x->global_flags[page] &= (uint8_t) ~(ARENA_PAGE_WATCH_WRITE | ARENA_PAGE_WATCH_READ);
	s->n_armed = 0;
	for (uint32_t k = 0; k < s->n; k++)
		for (size_t r = 0; r < s->entry[k].w->n_ranges && !s->entry[k].rests; r++)
			arm_pages(x, &s->entry[k].w->ranges[r]);
}

/* ---- registering ---- */

static uint32_t find(const struct exec *x, const struct exec_watcher *w)
{
	uint32_t k = 0;
	while (k < x->watching.n && x->watching.entry[k].w != w)
		k++;
	return k;
}

static bool insert(struct exec *x, const struct exec_watcher *w)
{
	struct exec_watching *const s = &x->watching;
	uint32_t at = s->n;
	if (s->n == EXEC_WATCHERS)
		return false;
	for (; at && s->entry[at - 1].w->rank > w->rank; at--)
		s->entry[at] = s->entry[at - 1];
	s->entry[at] = (struct exec_watch_entry){.w = w};
	s->n++;
	return true;
}

bool exec_watch(struct exec *x, const struct exec_watcher *w)
{
	if (find(x, w) == x->watching.n && !insert(x, w))
		return false;
	add_up(x);
	arm(x);
	return true;
}

void exec_unwatch(struct exec *x, const struct exec_watcher *w)
{
	struct exec_watching *const s = &x->watching;
	uint32_t k = find(x, w);
	if (k == s->n)
		return;
	for (s->n--; k < s->n; k++)
		s->entry[k] = s->entry[k + 1];
	add_up(x);
	arm(x);
}

void exec_watch_alone(struct exec *x, const struct exec_watcher *w)
{
	x->watching.n = 0;
	insert(x, w);
	add_up(x);
}

void exec_watchers_free(struct exec *x)
{
	free(x->watching.armed);
	x->watching.armed = NULL;
	x->watching.n_armed = x->watching.cap_armed = 0;
}

bool exec_set_repeating(struct exec *x, bool on)
{
	const bool was = x->watching.is_repeating;
	x->watching.is_repeating = on;
	if (on != was) {
		add_up(x);
		arm(x);
	}
	return was;
}

void exec_set_needs(struct exec *x, enum exec_part part, unsigned needs)
{
	if (x->watching.needs[part] == needs)
		return;
	x->watching.needs[part] = (uint8_t)needs;
	add_up(x);
}
