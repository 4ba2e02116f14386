/* The frame: which checkers are on, and the watchers of exec that call them. */
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/xalloc.h"
#include "check/internal.h"

static const struct {
	const char *name;
	const struct check_engine *engine;
} rows[CHECKERS] = {
#define CHECKER(id, name) {#name, &check_engine_##name},
#include "check/checkers.def"
};

const char check_names[] =
#define CHECKER(id, name) #name ", "
#include "check/checkers.def"
	"or all";

#define EACH_ON(c, k) LANES_EACH (k, (c)->on)

/* ---- exec's hooks ---- */

static bool before(void *self, const struct exec *x, const struct exec_effect *e)
{
	struct check *c = self;
	bool stop = false;
	if (check_was_asked(c, x, CHECK_HOOK_BEFORE))
		return false;
	LANES_EACH (k, c->before[e->kind])
		stop |= rows[k].engine->before(c->engine[k], x, e);
	return stop;
}

static void after(void *self, const struct exec *x, const struct exec_effect *e)
{
	struct check *c = self;
	LANES_EACH (k, c->after[e->kind])
		rows[k].engine->after(c->engine[k], x, e);
}

static enum exec_judgement wrong(void *self, const struct exec *x, const struct exec_wrong *w)
{
	struct check *c = self;
	enum exec_judgement j = EXEC_JUDGE_FAULT;
	if (check_was_asked(c, x, CHECK_HOOK_WRONG))
		return EXEC_JUDGE_SKIP;
	EACH_ON(c, k)
	if (rows[k].engine->wrong)
		j = rows[k].engine->wrong(c->engine[k], x, w);
	if (j == EXEC_JUDGE_FAULT)
		check_state(c)->hooks &= ~(uint32_t)CHECK_HOOK_WRONG;
	return j;
}

static enum exec_judgement wrong_free(void *self, const struct exec *x, unsigned lane, uint64_t address,
				      enum exec_heap_state state, bool again)
{
	struct check *c = self;
	enum exec_judgement j = EXEC_JUDGE_FAULT;
	check_was_asked(c, x, 0);
	if (check_state(c)->free_lanes & lanes_bit(lane))
		return EXEC_JUDGE_SKIP;
	EACH_ON(c, k)
	if (rows[k].engine->wrong_free)
		j = rows[k].engine->wrong_free(c->engine[k], x, lane, address, state, again);
	if (j != EXEC_JUDGE_FAULT)
		check_state(c)->free_lanes |= lanes_bit(lane);
	return j;
}

static enum exec_judgement misuse(void *self, const struct exec *x, const struct exec_misuse *m)
{
	struct check *c = self;
	enum exec_judgement j = EXEC_JUDGE_FAULT;
	if (check_was_asked(c, x, CHECK_HOOK_MISUSE << m->kind))
		return EXEC_JUDGE_SKIP;
	EACH_ON(c, k)
	if (rows[k].engine->misuse)
		j = rows[k].engine->misuse(c->engine[k], x, m);
	return j;
}

static void parts(void *self, const struct exec *x, bool exits, bool leaves)
{
	struct check *c = self;
	LANES_EACH (k, c->parts)
		rows[k].engine->parts(c->engine[k], x, exits, leaves);
}

static void wrote(void *self, const struct exec *x, enum isa_space space, uint64_t offset, uint64_t n)
{
	struct check *c = self;
	EACH_ON(c, k)
	if (rows[k].engine->wrote)
		rows[k].engine->wrote(c->engine[k], x, space, offset, n);
}

static void allocated(void *self, uint64_t address, uint64_t n)
{
	struct check *c = self;
	EACH_ON(c, k)
	if (rows[k].engine->allocated)
		rows[k].engine->allocated(c->engine[k], address, n);
}

static void launched(void *self, const struct exec *x, unsigned lane)
{
	struct check *c = self;
	EACH_ON(c, k)
	if (rows[k].engine->launched)
		rows[k].engine->launched(c->engine[k], x, lane);
}

static void waited(void *self, const struct exec *x)
{
	struct check *c = self;
	EACH_ON(c, k)
	if (rows[k].engine->waited)
		rows[k].engine->waited(c->engine[k], x);
}

/* ---- the host's doings ---- */

static void read_by_host(struct check *c, const struct check_access *by, uint64_t n)
{
	EACH_ON(c, k)
	if (rows[k].engine->host_read)
		rows[k].engine->host_read(c->engine[k], by, n);
}

static struct check_access host_read_of(uint64_t address, uint64_t n)
{
	return (struct check_access){.op = CHECK_OP_HOST_READ,
				     .space = ISA_SPACE_GLOBAL,
				     .has_address = true,
				     .address = address,
				     .size = n < UINT32_MAX ? (uint32_t)n : UINT32_MAX};
}

static void input(void *self, const struct gpu_input *in, int64_t result)
{
	struct check *c = self;
	EACH_ON(c, k)
	if (rows[k].engine->input)
		rows[k].engine->input(c->engine[k], in, result);
	if (in->kind != GPU_INPUT_READ || in->copy.is_direct)
		return;
	struct check_access by = host_read_of(in->copy.address, in->copy.n);
	by.by_host = true;
	by.context = in->copy.context;
	by.stream = in->copy.operation.stream;
	by.caller = in->copy.caller;
	read_by_host(c, &by, in->copy.n);
}

void check_host_read(struct check *c, uint64_t address, uint64_t n)
{
	const struct check_access by = host_read_of(address, n);
	read_by_host(c, &by, n);
}

/* Stores which checkers that are on have which functions of effects. */
static void sort_hooks(struct check *c)
{
	memset(c->before, 0, sizeof c->before);
	memset(c->after, 0, sizeof c->after);
	c->parts = 0;
	EACH_ON(c, k)
	{
		const struct check_engine *e = rows[k].engine;
		c->parts |= e->parts ? 1u << k : 0;
		LANES_EACH (kind, e->kinds) {
			c->before[kind] |= e->before ? 1u << k : 0;
			c->after[kind] |= e->after ? 1u << k : 0;
		}
	}
}

static bool watch(struct exec *x, const struct exec_watcher *w, bool on)
{
	if (on)
		return exec_watch(x, w);
	exec_unwatch(x, w);
	return true;
}

/* Registers the watcher of the checkers that are on, and the watcher of instructions of the one that has it. Returns false if exec has no room. */
static bool attach(struct check *c)
{
	struct exec *x = gpu_exec(c->g);
	struct exec_watcher w = {.self = c, .rank = EXEC_RANK_CHECK, .insists = true, .before = before, .after = after};
	c->insns = (struct exec_watcher){.rank = EXEC_RANK_CHECK};
	EACH_ON(c, k)
	{
		const struct check_engine *e = rows[k].engine;
		w.kinds |= e->kinds;
		w.records |= e->records;
		w.local_frames |= e->local_frames;
		w.limits = e->limits ? e->limits(c->engine[k]) : w.limits;
		w.wrong = e->wrong ? wrong : w.wrong;
		w.wrong_free = e->wrong_free ? wrong_free : w.wrong_free;
		w.misuse = e->misuse ? misuse : w.misuse;
		w.parts = e->parts ? parts : w.parts;
		w.wrote = e->wrote ? wrote : w.wrote;
		w.allocated = e->allocated ? allocated : w.allocated;
		w.launched = e->launched ? launched : w.launched;
		w.waited = e->waited ? waited : w.waited;
		if (!e->insn)
			continue;
		c->insns.insn = e->insn; /* of one checker only: exec calls it itself */
		c->insns.insn_over = e->insn_over;
		c->insns.self = c->engine[k];
	}
	c->effects = w;
	sort_hooks(c);
	gpu_watch_inputs(c->g, c->on ? input : NULL, c);
	return watch(x, &c->effects, c->on) && watch(x, &c->insns, c->insns.insn);
}

/* ---- making, switching ---- */

size_t check_find_locals(const struct check *c, const struct isa_function *f, struct check_local *out, size_t cap)
{
	return c->locals.find ? c->locals.find(c->locals.self, f, out, cap) : 0;
}

void check_set_locals(struct check *c, const struct check_locals *locals) { c->locals = *locals; }

struct check *check_create(struct gpu *g)
{
	struct check *c = xcalloc(1, sizeof *c);
	c->g = g;
	bool ok = check_findings_create(c);
	for (unsigned k = 0; ok && k < CHECKERS; k++)
		if (rows[k].engine->create) {
			c->engine[k] = rows[k].engine->create(c);
			ok = c->engine[k] != NULL;
		}
	if (ok)
		return c;
	check_destroy(c);
	return NULL;
}

void check_destroy(struct check *c)
{
	if (!c)
		return;
	for (unsigned k = 0; k < CHECKERS; k++)
		if (c->engine[k] && rows[k].engine->destroy)
			rows[k].engine->destroy(c->engine[k]);
	free(c->told);
	free(c);
}

const char *checker_name(enum check_which which) { return rows[which].name; }

static bool word_is(const char *s, size_t n, const char *word) { return strlen(word) == n && !memcmp(s, word, n); }

static bool add_word(const char *s, size_t n, uint32_t *set, struct text *why)
{
	struct nearest near;
	nearest_begin(&near, s, n);
	if (word_is(s, n, "all"))
		*set |= CHECK_ALL;
	for (unsigned k = 0; k < CHECKERS; k++) {
		if (word_is(s, n, rows[k].name))
			*set |= 1u << k;
		nearest_add(&near, rows[k].name);
	}
	if (*set)
		return true;
	text_addf(why, "no checker '%.*s'", (int)n, s);
	if (nearest_meant(&near))
		nearest_suggest(&near, why);
	else
		text_addf(why, "; expected %s", check_names);
	return false;
}

bool check_list_parse(const char *list, uint32_t *set, struct text *why)
{
	*set = 0;
	for (const char *s = list;; s++) {
		const size_t n = strcspn(s, ",");
		uint32_t one = 0;
		if (!add_word(s, n, &one, why))
			return false;
		*set |= one;
		s += n;
		if (!*s)
			return true;
	}
}

bool check_set(struct check *c, uint32_t set, bool on, struct text *why)
{
	for (unsigned k = 0; k < CHECKERS; k++) {
		const struct check_engine *e = rows[k].engine;
		if (!(set >> k & 1) || (c->on >> k & 1) == on)
			continue;
		if (on && e->on && !e->on(c->engine[k])) {
			text_addf(why, "there is no room in the simulator's memory for the checker '%s'", rows[k].name);
			break;
		}
		if (!on && e->off)
			e->off(c->engine[k]);
		c->on ^= 1u << k;
		c->ever |= 1u << k;
	}
	if (!attach(c))
		text_add(why, "too many watchers of effects");
	return !why->n;
}


void check_rebuilt(struct check *c, uint32_t on)
{
	struct text why = {0};
	check_findings_create(c);
	c->on = 0;
	c->n_told = 0;
	for (unsigned k = 0; k < CHECKERS; k++)
		if (rows[k].engine->rebuilt)
			rows[k].engine->rebuilt(c->engine[k]);
	check_set(c, on, true, &why);
	text_free(&why);
}

void check_reset(struct check *c)
{
	struct check_state *s = check_state(c);
	s->hooks = s->free_lanes = 0;
	s->moment = 0;
	for (uint32_t k = 0; k < s->n; k++) /* launches' numbers come again */
		check_findings(c)[k].last_launch = CHECK_NO_LAUNCH;
	EACH_ON(c, k)
	if (rows[k].engine->reset)
		rows[k].engine->reset(c->engine[k]);
}

void check_restored(struct check *c)
{
	EACH_ON(c, k)
	if (rows[k].engine->on)
		rows[k].engine->on(c->engine[k]);
}
