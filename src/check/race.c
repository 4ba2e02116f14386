/* The race checker in the frame: its sections, and findings of what the engine found (race.h). */
#include "check/race_watch.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "check/engine.h"
#include "check/first_look.h"
#include "check/internal.h"

struct race_checker {
	struct race_watch watch;
	struct check *c;
	bool has_sections;
	uint32_t look_pc; /* 1 + the load for which first_look_is was computed last, */
	bool looks;	  /* and its result */
};

static enum check_op op_of(const struct race_site *s)
{
	return s->is_atomic ? CHECK_OP_ATOMIC : s->is_write ? CHECK_OP_WRITE : CHECK_OP_READ;
}

static enum check_kind kind_of(bool both_write) { return both_write ? CHECK_WRITE_WRITE : CHECK_READ_WRITE; }

static void fill(struct check_access *a, const struct race_site *s, bool shared, uint64_t address)
{
	a->op = (uint8_t)op_of(s);
	a->space = shared ? ISA_SPACE_SHARED : ISA_SPACE_GLOBAL;
	a->size = s->size;
	a->has_address = true;
	a->address = address + (shared ? EXEC_SHARED_WINDOW : 0);
}

/* By the low half of its uid, and one that is near. */
static bool find_thread(struct check *c, uint64_t near, uint32_t low, uint32_t pc, struct check_access *out)
{
	return check_thread_of_uid(c, near + (uint64_t)(int64_t)(int32_t)(low - (uint32_t)near), pc, out);
}

/* Returns true if one access is the first look of a compare-and-swap loop, and the other one a strong write. */
static bool is_first_look(struct race_checker *k, const struct race_site *a, uint32_t pc_a, const struct race_site *b, uint32_t pc_b)
{
	const bool a_looks = !a->is_write && !a->strong;
	const struct race_site *const write = a_looks ? b : a, *const look = a_looks ? a : b;
	const uint32_t pc = a_looks ? pc_a : pc_b;
	if (look->is_write || look->strong || !write->is_write || !write->strong)
		return false;
	if (k->look_pc != pc + 1) {
		k->look_pc = pc + 1;
		k->looks = first_look_is(gpu_program(check_gpu(k->c)), pc);
	}
	return k->looks;
}

/* Returns true if the function of a read uses a register that the read has written. */
static bool is_used(const struct isa_program *p, uint32_t pc)
{
	const struct isa_function *const f = isa_program_function_at(p, pc);
	const struct isa_where *const read = &p->where[pc];
	for (uint32_t k = f ? f->first : pc; f && k < f->end; k++) {
		const struct isa_where *const w = &p->where[k];
		for (uint32_t n = 0; n < (uint32_t)read->n_writes * w->n_reads; n++)
			if (p->rw[read->rw + n / w->n_reads] == p->rw[w->rw + w->n_writes + n % w->n_reads])
				return true;
	}
	return false;
}

/* Adds the flag by which fences would have ordered a race. */
static void add_flag(const struct race_checker *k, const struct race_report *r, struct check_finding *f)
{
	struct race_flag flag;
	if (!race_would_be_told(&k->watch.race, r->access, r->found, &flag) || !is_used(gpu_program(check_gpu(k->c)), flag.read_pc))
		return;
	f->flag_write = flag.write_pc + 1;
	f->flag_read = flag.read_pc + 1;
	f->flag = flag.address + (flag.shared ? EXEC_SHARED_WINDOW : 0);
}

static bool report(void *self, const struct race_report *r)
{
	struct race_checker *k = self;
	const struct race_access *a = r->access;
	const struct race_found *o = r->found;
	struct check_finding f = {.kind = (uint8_t)kind_of(a->site.is_write && o->other.is_write),
				  .compares = r->both_write,
				  .same_value = r->same_value};
	check_thread(r->x, o->lane, &f.access);
	fill(&f.access, &a->site, a->shared, a->address[o->lane]);
	f.has_other = find_thread(k->c, r->x->launch->first_uid, o->uid, o->pc, &f.other);
	fill(&f.other, &o->other, a->shared, o->address);
	f.is_first_look = is_first_look(k, &a->site, a->pc, &o->other, o->pc);
	f.is_note = f.is_first_look || (f.compares && f.same_value);
	if (!f.is_note && check_is_new(k->c, &f))
		add_flag(k, r, &f);
	return check_report(k->c, &f, r->lanes);
}

/* ---- against the host ---- */

static struct check_access of_host(const struct race_host_access *h)
{
	return (struct check_access){.by_host = true,
				     .is_fill = h->is_fill,
				     .is_direct = h->is_direct,
				     .is_pool = h->is_pool,
				     .op = h->is_free ? CHECK_OP_FREE : h->is_write ? CHECK_OP_HOST_WRITE : CHECK_OP_HOST_READ,
				     .space = ISA_SPACE_GLOBAL,
				     .has_address = true,
				     .address = h->address,
				     .size = h->n < UINT32_MAX ? (uint32_t)h->n : UINT32_MAX,
				     .context = h->context,
				     .stream = h->stream,
				     .caller = h->caller};
}

/* A thread's access, after one of the host's. */
static bool report_host(void *self, const struct race_host_report *r)
{
	struct race_checker *k = self;
	const struct race_access *a = r->access;
	struct check_finding f = {.kind = (uint8_t)kind_of(a->site.is_write && r->host->is_write),
				  .has_other = true,
				  .other = of_host(r->host)};
	check_thread(r->x, r->lane, &f.access);
	fill(&f.access, &a->site, false, a->address[r->lane]);
	return check_report(k->c, &f, r->lanes);
}

/* An access of the host's, after a thread's, or another one of its own. */
static void found_by_host(void *self, const struct race_host_found *r)
{
	struct race_checker *k = self;
	const bool other_writes = r->by_host ? r->other.is_write : r->site.is_write;
	struct check_finding f = {.kind = (uint8_t)kind_of(r->host.is_write && other_writes),
				  .has_other = true,
				  .access = of_host(&r->host)};
	if (r->by_host) {
		f.other = of_host(&r->other);
	} else if (find_thread(k->c, r->near, r->uid, r->pc, &f.other)) {
		fill(&f.other, &r->site, false, r->address);
	}
	check_report(k->c, &f, 0);
}

static void *create(struct check *c)
{
	struct race_checker *k = xcalloc(1, sizeof *k);
	k->c = c;
	k->watch.report = report;
	k->watch.report_host = report_host;
	k->watch.self = k;
	k->watch.host.found = found_by_host;
	k->watch.host.self = k;
	return k;
}

static bool on(void *self)
{
	struct race_checker *k = self;
	if (!k->has_sections && !race_watch_init(&k->watch, check_gpu(k->c)))
		return false;
	race_watch_forget(&k->watch);
	k->has_sections = true;
	return true;
}

static void reset(void *self) { race_watch_forget(&((struct race_checker *)self)->watch); }

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
	if (!k->has_sections)
		return;
	race_forget_memory(&k->watch.race, address, n);
	race_host_forget_memory(&k->watch.host, address, n);
}

static void launched(void *self, const struct exec *x, unsigned lane)
{
	race_watch_launched(&((struct race_checker *)self)->watch, x, lane);
}

static void waited(void *self, const struct exec *x) { race_watch_waited(&((struct race_checker *)self)->watch, x); }

static void input(void *self, const struct gpu_input *in, int64_t result)
{
	struct race_checker *k = self;
	if (result > 0 && (in->kind == GPU_INPUT_ALLOC || in->kind == GPU_INPUT_ALLOC_PAGES))
		allocated(self, (uint64_t)result, in->alloc.bytes);
	if (k->has_sections)
		race_host_input(&k->watch.host, in, result);
}

const struct check_engine check_engine_race = {.kinds = RACE_LOOKS,
					       .records = true,
					       .create = create,
					       .destroy = free,
					       .on = on,
					       .reset = reset,
					       .rebuilt = rebuilt,
					       .allocated = allocated,
					       .launched = launched,
					       .waited = waited,
					       .input = input,
					       .before = before,
					       .after = after};
