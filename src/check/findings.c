/* The list of findings: those that agree in kind and in both places are one, with how often it happened and to how many threads. */
#include <string.h>

#include "base/xalloc.h"
#include "check/internal.h"

/* ---- threads of a finding: a hash table of groups of neighbours, which are found one after the other ---- */

#define GROUP_WORDS 7u
#define GROUP_THREADS (64u * GROUP_WORDS)
struct group {
	uint64_t key; /* 1 + finding << 40 ^ uid / GROUP_THREADS; 0: free */
	uint64_t bits[GROUP_WORDS];
};
_Static_assert(sizeof(struct group) == 64, "a line of the host's cache");

static struct group *groups(const struct check *c) { return arena_at(gpu_arena(c->g), c->sec_threads, 0); }

static uint64_t mixed(uint64_t z)
{
	z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
	return z ^ (z >> 31);
}

static struct group *group_at(struct group *g, uint64_t cap, uint64_t key)
{
	uint64_t at = mixed(key) & (cap - 1);
	while (g[at].key && g[at].key != key)
		at = (at + 1) & (cap - 1);
	return &g[at];
}

/* Into a second half twice as large, which then becomes the table. False: no room. */
static bool grow(struct check *c)
{
	struct check_state *s = check_state(c);
	struct arena *a = gpu_arena(c->g);
	const uint64_t old = s->cap_threads, cap = old ? 2 * old : 256;
	if (!arena_use(a, c->sec_threads, (old + cap) * sizeof(struct group)))
		return false;
	struct group *g = groups(c), *next = g + old;
	memset(next, 0, cap * sizeof *next);
	for (uint64_t k = 0; k < old; k++)
		if (g[k].key)
			*group_at(next, cap, g[k].key) = g[k];
	memmove(g, next, cap * sizeof *g);
	s->cap_threads = cap;
	return true;
}

static struct group *group_of(struct check *c, uint64_t key)
{
	struct check_state *s = check_state(c);
	if (2 * s->n_threads >= s->cap_threads && !grow(c))
		return NULL;
	struct group *g = group_at(groups(c), s->cap_threads, key);
	s->n_threads += !g->key;
	g->key = key;
	return g;
}

/* `first` is the uid that the warp's lane 0 has, or would have. */
static void note_threads(struct check *c, uint32_t finding, uint64_t first, uint32_t lanes)
{
	struct group *g = NULL;
	uint64_t threads = 0;
	LANES_EACH (l, lanes) {
		const uint64_t uid = first + l, key = ((uint64_t)finding + 1) << 40 ^ uid / GROUP_THREADS;
		if ((!g || g->key != key) && !(g = group_of(c, key)))
			break;
		uint64_t *word = &g->bits[uid % GROUP_THREADS / 64];
		threads += !(*word >> (uid & 63) & 1);
		*word |= UINT64_C(1) << (uid & 63);
	}
	check_findings(c)[finding].threads += threads;
}

/* ---- the list ---- */

bool check_findings_create(struct check *c)
{
	struct arena *a = gpu_arena(c->g);
	const struct machine_limits *most = gpu_exec(c->g)->limits;
	c->sec_state = arena_add(a, "check", ARENA_HOT, most->findings);
	c->sec_threads = arena_add(a, "check-threads", ARENA_HOT, most->findings);
	if (c->sec_state < 0 || c->sec_threads < 0)
		return false;
	a->section[c->sec_state].is_tool_state = a->section[c->sec_threads].is_tool_state = true;
	return arena_use(a, c->sec_state, sizeof(struct check_state));
}

static bool same_place(const struct check_access *a, const struct check_access *b)
{
	if (a->op != b->op || a->has_pc != b->has_pc || a->caller != b->caller)
		return false;
	if (!a->has_pc)
		return a->caller || a->address == b->address;
	return a->place && b->place ? a->place == b->place : a->pc == b->pc;
}

static bool same_places(const struct check_finding *a, const struct check_finding *b)
{
	return same_place(&a->access, &b->access) && (!a->has_other || same_place(&a->other, &b->other));
}

/* The same two places the other way round: who came first doesn't matter where nothing orders them. */
static bool swapped_places(const struct check_finding *a, const struct check_finding *b)
{
	const bool either =
		a->kind == CHECK_WRITE_WRITE || a->kind == CHECK_READ_WRITE || a->kind == CHECK_DIVERGENT_BARRIER;
	return either && a->has_other && same_place(&a->access, &b->other) && same_place(&a->other, &b->access);
}

/* The uses of one uninitialised value for one purpose are one finding: `other` is the instruction that read the value first. */
static bool same_value(const struct check_finding *a, const struct check_finding *b)
{
	const bool is_init = a->kind == CHECK_UNINITIALIZED_MEMORY || a->kind == CHECK_UNINITIALIZED_REGISTER;
	return is_init && a->kind == b->kind && a->verb == b->verb && a->has_other && b->has_other && a->reg == b->reg &&
	       same_place(&a->other, &b->other);
}

/* Lanes that miss a warp-level instruction are one finding, wherever they are. */
static bool same_collective(const struct check_finding *a, const struct check_finding *b)
{
	return a->kind == CHECK_MISSING_THREADS && a->kind == b->kind && a->access.op == CHECK_OP_COLLECTIVE &&
	       same_place(&a->access, &b->access);
}

/* A barrier at a deadlock is one finding, whatever each block's missing threads do. */
static bool same_barrier(const struct check_finding *a, const struct check_finding *b)
{
	return a->barrier == b->barrier && same_place(&a->access, &b->access);
}

static bool is_same(const struct check_finding *a, const struct check_finding *b)
{
	if (a->wanted || b->wanted)
		return a->kind == b->kind && a->wanted && b->wanted && same_barrier(a, b);
	if (same_value(a, b) || same_collective(a, b))
		return true;
	return a->kind == b->kind && a->verb == b->verb && a->has_other == b->has_other &&
	       (same_places(a, b) || swapped_places(a, b));
}

static uint32_t find(const struct check *c, const struct check_finding *f)
{
	const struct check_finding *v = check_findings(c);
	uint32_t k = 0;
	while (k < check_state(c)->n && !is_same(&v[k], f))
		k++;
	return k;
}


static bool is_suppressed(const struct check *c, const struct check_finding *f)
{
	return c->settings.suppressed && c->settings.suppressed(c->settings.self, f);
}

/* Makes an error of a note, which is reported once more: at the same places the race has done harm. */
static void becomes_error(struct check_finding *v, const struct check_finding *f)
{
	v->is_note = v->is_first_look = false;
	v->same_value = f->same_value;
	v->access = f->access;
	v->other = f->other;
	v->printed_launch = 0;
}

static void set_place(const struct check *c, struct check_access *a)
{
	a->place = c->settings.place && a->has_pc ? c->settings.place(c->settings.self, a) : 0;
}

bool check_is_new(const struct check *c, const struct check_finding *found)
{
	struct check_finding f = *found;
	set_place(c, &f.access);
	set_place(c, &f.other);
	return find(c, &f) == check_state(c)->n;
}

bool check_report(struct check *c, const struct check_finding *found, uint32_t lanes)
{
	struct check_state *s = check_state(c);
	struct check_finding with_places = *found;
	const struct check_finding *const f = &with_places;
	set_place(c, &with_places.access);
	set_place(c, &with_places.other);
	const uint32_t k = find(c, f);
	const bool is_new = k == s->n;
	if (is_new) {
		if (!arena_use(gpu_arena(c->g), c->sec_state, sizeof *s + (k + 1) * sizeof *f))
			return false;
		struct check_finding *v = &check_findings(c)[k];
		*v = *f;
		v->count = v->threads = v->printed_launch = 0;
		v->lanes = lanes;
		v->suppressed = is_suppressed(c, f);
		s->n++;
	}
	struct check_finding *v = &check_findings(c)[k];
	if (v->is_note && !f->is_note)
		becomes_error(v, f);
	v->last_launch = f->access.has_thread ? f->access.launch : CHECK_NO_LAUNCH;
	v->count += lanes ? lanes_count(lanes) : 1;
	if (f->access.has_thread)
		note_threads(c, k, f->access.uid - exec_lane_of(gpu_exec(c->g), f->access.in_block), lanes);
	if (!is_new || v->suppressed || !c->settings.stops)
		return false;
	uint32_t *stop = f->access.has_thread ? &s->stop : &s->host_stop;
	if (!*stop)
		*stop = k + 1;
	return true;
}

uint32_t check_count(const struct check *c) { return check_state(c)->n; }
const struct check_finding *check_at(const struct check *c, uint32_t n) { return &check_findings(c)[n]; }
struct check_finding *check_finding_edit(struct check *c, uint32_t n) { return &check_findings(c)[n]; }

static uint32_t count(const struct check *c, bool notes)
{
	uint32_t n = 0;
	for (uint32_t k = 0; k < check_state(c)->n; k++)
		n += !check_findings(c)[k].suppressed && check_findings(c)[k].is_note == notes;
	return n;
}

uint32_t check_errors(const struct check *c) { return count(c, false); }
uint32_t check_notes(const struct check *c) { return count(c, true); }

/* ---- what the user knows ---- */

bool check_was_told(const struct check *c, uint32_t n)
{
	for (size_t k = 0; k < c->n_told; k++)
		if (is_same(&c->told[k], check_at(c, n)) && c->told[k].is_note == check_at(c, n)->is_note)
			return true;
	return false;
}

void check_tell(struct check *c, uint32_t n)
{
	if (check_was_told(c, n))
		return;
	c->told = xgrow(c->told, &c->cap_told, c->n_told + 1, sizeof *c->told);
	c->told[c->n_told++] = *check_at(c, n);
}

void check_way_parts(struct check *c)
{
	size_t n = 0;
	for (size_t k = 0; k < c->n_told; k++)
		if (find(c, &c->told[k]) < check_state(c)->n)
			c->told[n++] = c->told[k];
	c->n_told = n;
}

/* ---- stops ---- */

uint32_t check_take_stop(struct check *c, bool by_host)
{
	struct check_state *s = check_state(c);
	uint32_t *stop = by_host ? &s->host_stop : &s->stop;
	const uint32_t k = *stop - 1;
	*stop = 0;
	return k;
}

bool check_host_stops(const struct check *c) { return check_state(c)->host_stop; }

/* ---- what is known of who did it ---- */

static void split(uint64_t linear, const uint32_t dims[3], uint32_t out[3])
{
	out[0] = (uint32_t)(linear % dims[0]);
	out[1] = (uint32_t)(linear / dims[0] % dims[1]);
	out[2] = (uint32_t)(linear / dims[0] / dims[1]);
}

static void fill_thread(const struct exec_launch *l, uint64_t cta, uint32_t in_block, uint32_t pc,
			struct check_access *out)
{
	*out = (struct check_access){.has_thread = true,
				     .has_pc = true,
				     .launch = l->id,
				     .kernel = l->function,
				     .pc = pc,
				     .in_block = in_block,
				     .cta = cta,
				     .uid = l->first_uid + cta * l->threads_per_cta + in_block};
	split(in_block, l->block, out->thread);
	split(cta, l->grid, out->block);
}

/* Stores the call instructions around an entry of a warp's SIMT stack. */
static void fill_callers(const struct exec *x, const struct exec_warp *w, const struct exec_simt *e, struct check_access *out)
{
	const struct exec_simt *const first = arena_at(x->arena, x->sec_simt, w->simt);
	for (unsigned k = 0; k < CHECK_CALLERS && e && e->call_depth && e->return_pc != ISA_NO_TARGET; k++) {
		out->callers[k] = e->return_pc + 1;
		e = exec_simt_caller(first, e);
	}
}

void check_thread(const struct exec *x, unsigned lane, struct check_access *out)
{
	fill_thread(x->launch, x->cta->linear, exec_thread_of(x, x->warp->index, lane), x->pc, out);
	if (x->top->call_depth)
		fill_callers(x, x->warp, x->top, out);
}

void check_thread_of(struct check *c, const struct exec_cta *cta, uint32_t warp, unsigned lane, uint32_t pc,
		     struct check_access *out)
{
	struct gpu_launch_info info;
	const struct exec *const x = gpu_exec(c->g);
	const struct exec_warp *const w = &cta->warp[warp];
	gpu_launch_get(c->g, cta->launch, &info);
	fill_thread(&info.launch, cta->linear, exec_thread_of(gpu_exec(c->g), warp, lane), pc, out);
	for (uint32_t k = 0; k < w->n_simt; k++) {
		const struct exec_simt *const e = exec_simt_top(x, w) - k;
		if (!(e->mask >> lane & 1))
			continue;
		fill_callers(x, w, e, out);
		return;
	}
}

bool check_thread_of_uid(const struct check *c, uint64_t uid, uint32_t pc, struct check_access *out)
{
	struct gpu_launch_info info;
	for (uint32_t k = gpu_launch_count(c->g); k-- > 0;) {
		if (!gpu_launch_get(c->g, k, &info) || uid - info.launch.first_uid >= info.launch.n_threads)
			continue;
		const uint64_t in_launch = uid - info.launch.first_uid;
		fill_thread(&info.launch, in_launch / info.launch.threads_per_cta,
			    (uint32_t)(in_launch % info.launch.threads_per_cta), pc, out);
		return true;
	}
	return false;
}

void check_near(const struct check *c, uint64_t address, struct check_finding *f)
{
	const struct gpu_allocation *a = gpu_nearest_allocation(c->g, address);
	f->has_near = a != NULL;
	if (a)
		f->near = *a;
}

/* ---- names ---- */

static const struct {
	const char *name;
	enum check_which checker;
} kinds[CHECK_KINDS] = {
#define CHECK_KIND(id, name, checker) {name, checker},
#include "check/kinds.def"
};

enum check_which check_of_kind(enum check_kind k) { return kinds[k].checker; }
const char *check_kind_name(enum check_kind k) { return kinds[k].name; }

const char *check_op_name(enum check_op op)
{
	static const char *const names[] = {"",	       "read",	     "write",	  "atomic",    "free",
					    "barrier", "collective", "host-read", "host-write", "api"};
	return names[op];
}
