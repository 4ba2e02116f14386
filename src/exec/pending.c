#include "exec/pending.h"

#include <assert.h>

#include "exec/effect.h"
#include "exec/memory.h"
#include "exec/simt.h"

static struct exec_pending_queue *queue_of(const struct exec *x) { return arena_at(x->arena, x->sec_pending, 0); }

static struct exec_pending *entry_at(const struct exec *x, uint32_t entry)
{
	return (struct exec_pending *)arena_at(x->arena, x->sec_pending, 0) + entry;
}

bool exec_pending_init(struct exec *x) { return arena_use(x->arena, x->sec_pending, sizeof(struct exec_pending)); }

bool exec_pending_fits(const struct exec *x, uint64_t n)
{
	return n < x->arena->section[x->sec_pending].reserved / sizeof(struct exec_pending);
}

/* ---- the list ---- */

static uint32_t take_entry(struct exec *x)
{
	struct exec_pending_queue *q = queue_of(x);
	const uint32_t free = q->free;
	if (free) {
		q->free = entry_at(x, free)->next;
		return free;
	}
	if (!arena_use(x->arena, x->sec_pending, (q->n_entries + UINT64_C(2)) * sizeof(struct exec_pending)))
		return 0;
	return ++q->n_entries;
}

static void append(struct exec *x, uint32_t entry)
{
	struct exec_pending_queue *q = queue_of(x);
	struct exec_pending *p = entry_at(x, entry);
	p->prev = q->youngest;
	p->next = p->next_of_warp = 0;
	*(q->youngest ? &entry_at(x, q->youngest)->next : &q->oldest) = entry;
	q->youngest = entry;
	q->n++;
}

void exec_pending_drop(struct exec *x, uint32_t entry)
{
	struct exec_pending_queue *q = queue_of(x);
	struct exec_pending *p = entry_at(x, entry);
	*(p->prev ? &entry_at(x, p->prev)->next : &q->oldest) = p->next;
	*(p->next ? &entry_at(x, p->next)->prev : &q->youngest) = p->prev;
	*p = (struct exec_pending){.next = q->free};
	q->free = entry;
	q->n--;
}

void exec_pending_drop_block(struct exec *x, uint32_t cta_slot)
{
	for (uint32_t k = queue_of(x)->oldest; k;) {
		const uint32_t next = entry_at(x, k)->next;
		if (entry_at(x, k)->cta == cta_slot)
			exec_pending_drop(x, k);
		k = next;
	}
}

void exec_pending_join(struct exec *x, uint32_t *list, uint32_t entry)
{
	while (*list)
		list = &entry_at(x, *list)->next_of_warp;
	*list = entry;
}

void exec_pending_leave(struct exec *x, uint32_t *list, uint32_t entry)
{
	while (*list != entry)
		list = &entry_at(x, *list)->next_of_warp;
	*list = entry_at(x, entry)->next_of_warp;
}

const struct exec_pending *exec_pending_next(const struct exec *x, const struct exec_pending *p)
{
	const uint32_t entry = p ? p->next : queue_of(x)->oldest;
	return entry ? entry_at(x, entry) : NULL;
}

uint32_t exec_pending_count(const struct exec *x) { return queue_of(x)->n; }

/* ---- effects ---- */

uint32_t exec_pending_add(struct exec *x, enum exec_pending_kind kind)
{
	const uint32_t entry = take_entry(x);
	if (!entry)
		return 0;
	struct exec_pending *p = entry_at(x, entry);
	p->frame = x->top->frame;
	p->kind = (uint16_t)kind;
	p->cta = x->warp->cta;
	p->warp = (uint16_t)x->warp->index;
	p->pc = x->pc;
	p->lanes = x->mask;
	append(x, entry);
	return entry;
}

static uint64_t address_of(const struct isa_insn *i, const void *row, unsigned lane)
{
	if (!row)
		return (uint64_t)i->imm;
	return i->a_bytes == 8 ? ((const uint64_t *)row)[lane] + (uint64_t)i->imm
			       : ((const uint32_t *)row)[lane] + (uint32_t)i->imm;
}

void exec_pending_access(const struct exec *x, const struct exec_cta *cta, const struct exec_pending *p,
			 struct exec_access *out)
{
	const struct isa_insn *i = &x->program->insns[p->pc];
	const void *row = i->a == ISA_REF_NONE ? NULL : exec_row(x, &cta->warp[p->warp], p->frame, i->a);
	const uint32_t size = isa_type_bytes((enum isa_type)i->type) * (i->vec ? i->vec : 1);
	*out = (struct exec_access){
		.lanes = p->lanes, .size = size, .is_read = true, .is_write = true, .is_atomic = true};
	LANES_EACH (l, p->lanes) {
		const uint64_t address = address_of(i, row, l);
		const enum isa_space space = i->space ? (enum isa_space)i->space : mem_generic_space(address);
		out->address[l] = address + (i->space ? mem_window(space) : 0);
		out->space = l == lanes_first(p->lanes) || out->space == space ? (uint8_t)space : ISA_SPACE_GENERIC;
	}
}

/* Fills x->effect for an entry; the access only if `wanted`, as finding it costs time. */
static void say_effect(struct exec *x, const struct exec_cta *cta, const struct exec_pending *p, uint32_t lanes,
		       bool wanted)
{
	struct exec_effect *e = &x->effect;
	e->kind = EXEC_EFFECT_ACCESS;
	e->deferred = false;
	e->access.lanes = 0;
	e->lanes = lanes;
	if (wanted)
		exec_pending_access(x, cta, p, &e->access);
	e->access.lanes &= lanes;
}

/* Calls the instruction's handler again, with the lanes and registers that it had. Returns true if it touched watched memory. */
static bool execute(struct exec *x, const struct exec_pending *p)
{
	const struct isa_insn *i = &x->program->insns[p->pc];
	x->observed[i->handler](x, i);
	const bool watched = x->event == EXEC_EVENT(EXEC_ACCESS);
	if (watched) { /* the machine stops after it, not in front */
		x->wants.ranges = false;
		x->wants.spaces = 0;
		x->watching.stopped_warp = NULL;
		x->observed[i->handler](x, i);
	}
	x->event = 0;
	return watched;
}

bool exec_pending_land(struct exec *x, struct exec_cta *cta, uint32_t entry, uint32_t lanes)
{
	struct exec_pending *p = entry_at(x, entry);
	const struct exec_wants wants = x->wants;
	const bool pass = x->pass, is_seen = wants.kinds & EXEC_LOOK(ACCESS);
	assert(p->kind == EXEC_PENDING_ATOMIC && !(lanes & ~p->lanes) && "lanes for which it is still to happen");
	simt_load_warp(x, cta, &cta->warp[p->warp]);
	x->base[ISA_BASE_FRAME] = arena_at(x->arena, x->sec_frame, p->frame);
	x->preds = exec_preds(x, p->frame);
	x->mask = x->active = lanes;
	x->pc = p->pc;
	x->pass = false;
	/* watchers were asked when it was issued; only those of ranges and spaces are asked now */
	x->wants = (struct exec_wants){.spaces = wants.spaces,
				       .ranges = wants.ranges,
				       .range_first = wants.range_first,
				       .range_end = wants.range_end,
				       .compares = wants.compares};
	say_effect(x, cta, p, lanes, is_seen || (x->marks && x->marks[p->pc]));
	const bool watched = execute(x, p);
	x->wants = wants;
	x->pass = pass;
	if (is_seen)
		effect_after(x, &x->effect);
	p->lanes &= ~lanes;
	queue_of(x)->n_landed++;
	if (!p->lanes)
		exec_pending_drop(x, entry);
	return watched;
}
