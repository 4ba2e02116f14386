/* The race checker in the frame: its sections, and findings of what the engine found (race.h). */
#include "check/race_watch.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "check/engine.h"

struct race_checker {
	struct race_watch watch;
	struct check *c;
	bool has_sections;
};

static enum check_op op_of(const struct race_site *s)
{
	return s->is_atomic ? CHECK_OP_ATOMIC : s->is_write ? CHECK_OP_WRITE : CHECK_OP_READ;
}

static void fill(struct check_access *a, const struct race_site *s, bool shared, uint64_t address)
{
	a->op = (uint8_t)op_of(s);
	a->space = shared ? ISA_SPACE_SHARED : ISA_SPACE_GLOBAL;
	a->size = s->size;
	a->has_address = true;
	a->address = address + (shared ? EXEC_SHARED_WINDOW : 0);
}

/* By the low half of its uid. */
static bool find_thread(struct check *c, const struct exec *x, uint32_t low, uint32_t pc, struct check_access *out)
{
	const uint64_t near = x->launch->first_uid;
	return check_thread_of_uid(c, near + (uint64_t)(int64_t)(int32_t)(low - (uint32_t)near), pc, out);
}

static bool report(void *self, const struct race_report *r)
{
	struct race_checker *k = self;
	const struct race_access *a = r->access;
	const struct race_found *o = r->found;
	struct check_finding f = {.kind = CHECK_READ_WRITE, .compares = r->both_write, .same_value = r->same_value};
	if (a->site.is_write && o->other.is_write)
		f.kind = CHECK_WRITE_WRITE;
	check_thread(r->x, o->lane, &f.access);
	fill(&f.access, &a->site, a->shared, a->address[o->lane]);
	f.has_other = find_thread(k->c, r->x, o->uid, o->pc, &f.other);
	fill(&f.other, &o->other, a->shared, o->address);
	return check_report(k->c, &f, r->lanes);
}

static void *create(struct check *c)
{
	struct race_checker *k = xcalloc(1, sizeof *k);
	k->c = c;
	k->watch.report = report;
	k->watch.self = k;
	return k;
}

static bool on(void *self)
{
	struct race_checker *k = self;
	if (!k->has_sections && !race_watch_init(&k->watch, check_gpu(k->c)))
		return false;
	if (k->has_sections)
		race_forget(&k->watch.race);
	k->has_sections = true;
	return true;
}

static void reset(void *self) { race_forget(&((struct race_checker *)self)->watch.race); }

static void rebuilt(void *self) { ((struct race_checker *)self)->has_sections = false; }

static bool before(void *self, const struct exec *x, const struct exec_effect *e)
{
	struct race_checker *k = self;
	k->watch.race.strict = check_settings(k->c)->race_strict;
	return race_before(&k->watch, x, e);
}

static void after(void *self, const struct exec *x, const struct exec_effect *e)
{
	race_after(&((struct race_checker *)self)->watch, x, e);
}

static void allocated(void *self, uint64_t address, uint64_t n)
{
	struct race_checker *k = self;
	if (k->has_sections)
		race_forget_memory(&k->watch.race, address, n);
}

static void input(void *self, const struct gpu_input *in, int64_t result)
{
	if (result > 0 && (in->kind == GPU_INPUT_ALLOC || in->kind == GPU_INPUT_ALLOC_PAGES))
		allocated(self, (uint64_t)result, in->n);
}

const struct check_engine check_engine_race = {.kinds = RACE_LOOKS,
					       .records = true,
					       .create = create,
					       .destroy = free,
					       .on = on,
					       .reset = reset,
					       .rebuilt = rebuilt,
					       .allocated = allocated,
					       .input = input,
					       .before = before,
					       .after = after};
