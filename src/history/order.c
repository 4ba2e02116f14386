/* Does a launch depend on the order of its warps? (order.h) Words of memory are looked at, 32 of them in a line. Of each line the judge keeps which words
 * were written and read, by which warp and block, and after how many barriers last. */
#include "history/order.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "history/trace.h"
#include "isa/opcodes.h"

#define LINE_SHIFT 7u
#define LINES_MOST ((size_t)1 << 20) /* of more memory nothing is said */
#define MANY UINT64_MAX

/* Accesses to the words of a line, a bit each, by which a later access is judged. */
struct side {
	uint32_t others; /* of other blocks than: */
	uint64_t cta;	 /* the block that accessed the line last */
	uint32_t own, now; /* of the block; now: since its last barrier, */
	uint32_t epoch;	 /* which was the one of this number */
	uint64_t warp;	 /* of `now`; MANY: of several */
};
struct line {
	uint64_t key; /* 1 more; 0: the place is free */
	struct side write, read;
};
/* A block that is on the device, in a slot. */
struct block {
	uint64_t cta;
	uint32_t epoch; /* barriers of the whole block that have opened */
};

struct order {
	struct exec_watcher watcher;
	struct history *h;
	uint32_t launch;
	bool depends;
	struct line *line;
	size_t n_lines, used;
	struct block *block;
	size_t n_blocks;
};

/* ---- lines ---- */

static struct line *place_of(struct line *all, size_t n, uint64_t key)
{
	size_t k = (key * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (n - 1);
	while (all[k].key && all[k].key != key)
		k = (k + 1) & (n - 1);
	return &all[k];
}

/* Returns the line with a key, or NULL if there are too many. */
static struct line *line_of(struct order *o, uint64_t key)
{
	struct line *l = place_of(o->line, o->n_lines, key);
	if (l->key)
		return l;
	if (o->used == LINES_MOST)
		return NULL;
	if (o->used * 2 >= o->n_lines) {
		struct line *more = xcalloc(o->n_lines * 4, sizeof *more);
		for (size_t k = 0; k < o->n_lines; k++)
			if (o->line[k].key)
				*place_of(more, o->n_lines * 4, o->line[k].key) = o->line[k];
		free(o->line);
		o->line = more;
		o->n_lines *= 4;
		l = place_of(o->line, o->n_lines, key);
	}
	o->used++;
	l->key = key;
	return l;
}

/* ---- accesses ---- */

/* An access of a warp. */
struct by {
	uint64_t cta, warp;
	uint32_t epoch;
	bool writes;
};

/* Returns true if the words were accessed before without an order. */
static bool conflicts(const struct side *s, uint32_t words, const struct by *by)
{
	if (s->cta != by->cta)
		return words & (s->others | s->own);
	return words & s->others || (words & s->now && s->epoch == by->epoch && s->warp != by->warp);
}

static void add(struct side *s, uint32_t words, const struct by *by)
{
	if (s->cta != by->cta) {
		s->others |= s->own;
		s->own = s->now = 0;
		s->cta = by->cta;
	}
	if (s->epoch != by->epoch)
		s->now = 0;
	s->epoch = by->epoch;
	s->warp = !s->now || s->warp == by->warp ? by->warp : MANY;
	s->now |= words;
	s->own |= words;
}

static void judge(struct order *o, uint64_t key, uint32_t words, const struct by *by)
{
	struct line *l = line_of(o, key);
	if (!l || conflicts(&l->write, words, by) || (by->writes && conflicts(&l->read, words, by))) {
		o->depends = true;
		return;
	}
	add(by->writes ? &l->write : &l->read, words, by);
}

static uint64_t key_of(uint64_t generic, uint64_t cta)
{
	const bool is_shared = generic >= ISA_SHARED_WINDOW && generic < ISA_LOCAL_WINDOW;
	return 1 + ((generic >> LINE_SHIFT) ^ (is_shared ? (cta + 1) << 32 : 0));
}

static uint64_t address_of(const struct exec_access *a, unsigned lane)
{
	return a->in_halves ? a->start[lane / 16] + lane % 16 * a->step : a->address[lane];
}

/* Returns the block's place in `block`. */
static struct block *block_of(struct order *o, const struct exec *x)
{
	const size_t slot = x->warp->cta;
	if (slot >= o->n_blocks) {
		const size_t n = (slot + 1) * 2;
		o->block = xrealloc(o->block, n * sizeof *o->block);
		for (size_t k = o->n_blocks; k < n; k++)
			o->block[k] = (struct block){.cta = MANY};
		o->n_blocks = n;
	}
	struct block *b = &o->block[slot];
	if (b->cta != x->cta->linear)
		*b = (struct block){.cta = x->cta->linear};
	return b;
}

/* Judges the words that the lanes access, line by line; lanes next to each other mostly share one. */
static void look_at_access(struct order *o, const struct exec *x, const struct exec_access *a)
{
	const uint64_t cta = x->cta->linear;
	const struct by by = {cta, cta * EXEC_WARPS_PER_CTA + x->warp->index, block_of(o, x)->epoch, a->is_write || a->is_atomic};
	uint64_t key = 0;
	uint32_t words = 0;
	LANES_EACH (lane, a->lanes) {
		const uint64_t at = address_of(a, lane);
		if (trace_is_local(at) || (at >= ISA_PARAM_WINDOW && at < ISA_MODULE_GLOBALS))
			continue;
		for (uint64_t word = at >> 2; word <= (at + a->size - 1) >> 2; word++) {
			const uint64_t k = key_of(word << 2, cta);
			if (k != key && words)
				judge(o, key, words, &by);
			words = k == key ? words : 0;
			key = k;
			words |= 1u << (word & 31);
		}
	}
	if (words)
		judge(o, key, words, &by);
}

static void after(void *self, const struct exec *x, const struct exec_effect *e)
{
	struct order *o = self;
	if (o->depends || !o->h->is_on_branch || x->cta->launch != o->launch)
		return;
	if (e->kind == EXEC_EFFECT_ACCESS)
		look_at_access(o, x, &e->access);
	else if (e->kind == EXEC_EFFECT_BARRIER)
		o->depends = e->barrier.use == EXEC_BARRIER_ARRIVE || e->barrier.count; /* not of the whole block */
	else
		block_of(o, x)->epoch++;
}

static void wrote(void *self, const struct exec *x, enum isa_space space, uint64_t offset, uint64_t n)
{
	struct order *o = self;
	(void)x, (void)space, (void)offset, (void)n;
	o->depends |= o->h->is_on_branch;
}

static void allocated(void *self, uint64_t address, uint64_t n)
{
	struct order *o = self;
	(void)address, (void)n;
	o->depends |= o->h->is_on_branch;
}

static void launched(void *self, const struct exec *x, unsigned lane)
{
	struct order *o = self;
	(void)x, (void)lane;
	o->depends |= o->h->is_on_branch;
}

struct order *order_create(struct history *h, uint32_t launch)
{
	struct order *o = xcalloc(1, sizeof *o);
	o->h = h;
	o->launch = launch;
	o->n_lines = 4096;
	o->line = xcalloc(o->n_lines, sizeof *o->line);
	o->watcher = (struct exec_watcher){.kinds = EXEC_LOOK(ACCESS) | EXEC_LOOK(BARRIER) | EXEC_LOOK(OPEN),
					   .records = true,
					   .after = after,
					   .wrote = wrote,
					   .allocated = allocated,
					   .launched = launched,
					   .self = o};
	if (exec_watch(gpu_exec(h->g), &o->watcher))
		return o;
	order_free(o);
	return NULL;
}

bool order_is_fixed(const struct order *o) { return !o->depends; }

void order_free(struct order *o)
{
	if (!o)
		return;
	exec_unwatch(gpu_exec(o->h->g), &o->watcher);
	free(o->line);
	free(o->block);
	free(o);
}

/* ---- code ---- */

/* Returns true if an instruction reads a special register that depends on time, or on where a warp runs. */
static bool reads_time_or_place(struct history *h, uint32_t pc)
{
	static const char *const names[] = {"%clock", "%globaltimer", "%smid", "%warpid", "%pm"};
	struct debug_operand o[DEBUG_OPERANDS_MAX];
	bool does = false;
	for (uint32_t k = debug_operands(h->d, pc, o); k-- > 0;)
		for (size_t j = 0; o[k].kind == DEBUG_OPERAND_SPECIAL && j < sizeof names / sizeof *names; j++)
			does |= !strncmp(o[k].text, names[j], strlen(names[j]));
	return does;
}

bool order_is_fixed_by_code(struct history *h, const struct exec_launch *launch)
{
	const struct isa_program *p = gpu_program(h->g);
	for (uint32_t k = 0; k < p->n_functions; k++) {
		const struct isa_function *f = p->functions[k];
		const bool may_run = f->is_defined && (k == launch->function || !f->is_kernel);
		for (uint32_t pc = f->first; may_run && pc < f->end; pc++) {
			const unsigned op = p->insns[pc].opcode;
			if (op == ISA_OP_ATOM || isa_op_writes_texels(op) || (op == ISA_OP_MOV && reads_time_or_place(h, pc)))
				return false;
		}
	}
	return true;
}
