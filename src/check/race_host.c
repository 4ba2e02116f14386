/* Ranges that the host has copied or filled, and who races with them. */
#include "check/race_host.h"

#include <string.h>

#include "check/race_cell.h"

#define KEPT 2048u
#define LAUNCHES 64u

/* Of a launch: where the ranges lie that aren't ordered with it. */
struct bounds {
	uint32_t launch; /* 1 + its id */
	uint32_t generation;
	uint64_t low, end;
};
struct state {
	uint32_t n, generation; /* changes with the list */
	struct bounds bounds[LAUNCHES];
	struct race_host_access kept[KEPT]; /* in the order in which they were done */
};

static struct state *state(const struct race_host *h) { return arena_at(gpu_arena(h->g), h->section, 0); }

static void touch(const struct race_host *h, const void *p, uint64_t n)
{
	arena_touch(gpu_arena(h->g), h->section, (uint64_t)((const char *)p - (const char *)state(h)), n);
}

bool race_host_init(struct race_host *h, struct gpu *g)
{
	struct arena *a = gpu_arena(g);
	h->g = g;
	h->section = arena_add(a, "race-host", ARENA_PAGED, sizeof(struct state));
	if (h->section < 0 || !order_init(&h->order, g))
		return false;
	a->section[h->section].is_tool_state = true;
	return arena_use(a, h->section, sizeof(struct state));
}

static void changed(struct race_host *h)
{
	struct state *s = state(h);
	touch(h, s, sizeof s->n + sizeof s->generation);
	s->generation++;
}

void race_host_forget(struct race_host *h)
{
	changed(h);
	state(h)->n = 0;
	order_forget(&h->order);
}

/* ---- the list ---- */

static bool overlap(const struct race_host_access *a, uint64_t address, uint64_t n)
{
	return a->address < address + n && address < a->address + a->n;
}

/* Those stay that aren't over for the host, and of these the latest. */
static void make_room(struct race_host *h)
{
	struct state *s = state(h);
	uint32_t n = 0;
	touch(h, s, sizeof *s);
	for (uint32_t k = 0; k < s->n; k++)
		if (!order_host_knows(&h->order, s->kept[k].at))
			s->kept[n++] = s->kept[k];
	if (n > KEPT / 2)
		memmove(s->kept, s->kept + (n - KEPT / 2), KEPT / 2 * sizeof s->kept[0]);
	s->n = n > KEPT / 2 ? KEPT / 2 : n;
}

/* A copy comes in parts. */
static bool goes_on(const struct race_host_access *last, const struct race_host_access *a)
{
	return !last->is_pool && !a->is_pool && last->address + last->n == a->address && last->is_write == a->is_write && last->caller == a->caller &&
	       last->at.place == a->at.place && a->at.number - last->at.number <= 1;
}

static void keep(struct race_host *h, const struct race_host_access *a)
{
	struct state *s = state(h);
	changed(h);
	if (s->n && goes_on(&s->kept[s->n - 1], a)) {
		touch(h, &s->kept[s->n - 1], sizeof *a);
		s->kept[s->n - 1].n += a->n;
		s->kept[s->n - 1].at = a->at;
		return;
	}
	if (s->n == KEPT)
		make_room(h);
	touch(h, &s->kept[s->n], sizeof *a);
	s->kept[s->n++] = *a;
}

void race_host_forget_memory(struct race_host *h, uint64_t address, uint64_t n)
{
	struct state *s = state(h);
	uint32_t kept = 0;
	for (uint32_t k = 0; k < s->n; k++) {
		if (overlap(&s->kept[k], address, n))
			continue;
		if (kept != k) {
			touch(h, &s->kept[kept], sizeof s->kept[0]);
			s->kept[kept] = s->kept[k];
		}
		kept++;
	}
	if (kept == s->n)
		return;
	changed(h);
	s->n = kept;
}

/* ---- a kernel's access, later ---- */

static void set_bounds(const struct race_host *h, struct bounds *b, uint32_t launch)
{
	struct order_point at;
	const struct state *s = state(h);
	const struct order_clock *clock = order_of_launch(&h->order, launch, &at);
	touch(h, b, sizeof *b);
	*b = (struct bounds){launch + 1, s->generation, UINT64_MAX, 0};
	for (uint32_t k = 0; clock && k < s->n; k++) {
		const struct race_host_access *a = &s->kept[k];
		if (order_knows(clock, a->at))
			continue;
		b->low = a->address < b->low ? a->address : b->low;
		b->end = a->address + a->n > b->end ? a->address + a->n : b->end;
	}
}

bool race_host_any(const struct race_host *h) { return state(h)->n; }

bool race_host_near(struct race_host *h, uint32_t launch, uint64_t low, uint64_t end)
{
	struct bounds *b = &state(h)->bounds[launch % LAUNCHES];
	if (b->launch != launch + 1 || b->generation != state(h)->generation)
		set_bounds(h, b, launch);
	return low < b->end && b->low < end;
}

/* Flags: a copy may write what a kernel asks for by volatile reads, and read what it writes so. */
static bool may(const struct race_site *s, bool host_writes)
{
	return (!s->is_write && !host_writes) || (s->strong && !(s->is_write && host_writes));
}

const struct race_host_access *race_host_look(const struct race_host *h, uint32_t launch, const struct race_site *s,
					      uint64_t address)
{
	struct order_point at;
	const struct order_clock *clock = order_of_launch(&h->order, launch, &at);
	for (uint32_t k = clock ? state(h)->n : 0; k-- > 0;) {
		const struct race_host_access *a = &state(h)->kept[k];
		if (overlap(a, address, s->size) && !may(s, a->is_write) && !order_knows(clock, a->at))
			return a;
	}
	return NULL;
}

/* ---- the host's access, later ---- */

struct scan {
	struct race_host *h;
	const struct race_host_access *host;
	const struct order_clock *clock;
	uint32_t known;
	uint32_t pc[RACE_FOUND_MAX], n; /* of what was found */
	struct gpu_launch_info launch;	/* the last one that was looked for */
};

static bool launch_is_before(void *self, uint32_t launch)
{
	struct order_point at;
	const struct scan *s = self;
	return !order_of_launch(&s->h->order, launch, &at) || order_knows(s->clock, at);
}

/* The launch of a thread. False: there is none. */
static bool find_launch(struct scan *s, uint32_t uid)
{
	const struct exec_launch *l = &s->launch.launch;
	if (uid - (uint32_t)l->first_uid < l->n_threads)
		return true;
	for (uint32_t k = gpu_launch_count(s->h->g); k-- > 0;)
		if (gpu_launch_get(s->h->g, k, &s->launch) && uid - (uint32_t)l->first_uid < l->n_threads)
			return true;
	return false;
}

static bool is_told(const struct scan *s, uint32_t pc)
{
	for (uint32_t k = 0; k < s->n; k++)
		if (s->pc[k] == pc)
			return true;
	return s->n == RACE_FOUND_MAX;
}

/* An access of a thread to a word. */
static void judge(struct scan *s, uint64_t word, const struct cell_entry *e)
{
	const uint64_t address = word + e->first_byte;
	if (is_told(s, e->pc) || may(&e->site, s->host->is_write) ||
	    !overlap(s->host, address, e->site.size < 4 ? e->site.size : 4) || !find_launch(s, e->uid) ||
	    launch_is_before(s, s->launch.launch.id))
		return;
	s->pc[s->n++] = e->pc;
	s->h->found(s->h->self, &(struct race_host_found){.host = *s->host,
							  .host_is_later = true,
							  .uid = e->uid,
							  .pc = e->pc,
							  .near = s->launch.launch.first_uid,
							  .site = e->site,
							  .address = address});
}

static void scan_words(struct scan *s, uint64_t row)
{
	struct cell_entry e[CELL_MOST];
	for (uint64_t word = row; word < row + ROW_BYTES; word += 4)
		for (unsigned k = 0, n = cell_entries(s->h->race, word, s->known, e); k < n; k++)
			judge(s, word, &e[k]);
}

static void scan(struct scan *s)
{
	const struct race *r = s->h->race;
	const struct arena_section *cells = &r->arena->section[r->sec_global];
	s->known = race_known(r, launch_is_before, s);
	if (s->known >= race_now(r))
		return;
	for (uint64_t row = s->host->address & ~(uint64_t)(ROW_BYTES - 1); row < s->host->address + s->host->n;
	     row += ROW_BYTES)
		if (cell_offset(row) + sizeof(struct cell) <= cells->used)
			scan_words(s, row);
}

static void look_at_others(const struct race_host *h, const struct race_host_access *a, const struct order_clock *clock)
{
	for (uint32_t k = state(h)->n; k-- > 0;) {
		const struct race_host_access *b = &state(h)->kept[k];
		if (!overlap(b, a->address, a->n) || !(a->is_write || b->is_write) || order_knows(clock, b->at))
			continue;
		h->found(h->self,
			 &(struct race_host_found){.host = *a,
						   .host_is_later = true,
						   .by_host = true,
						   .other = *b,
						   .address = a->address > b->address ? a->address : b->address});
		return;
	}
}

static void access_by_host(struct race_host *h, const struct race_host_access *a, const struct order_clock *clock)
{
	struct scan s = {.h = h, .host = a, .clock = clock};
	look_at_others(h, a, clock);
	scan(&s);
	keep(h, a);
}

void race_host_input(struct race_host *h, const struct gpu_input *in, int64_t result)
{
	order_input(&h->order, in, result);
	const bool is_pool = in->kind == GPU_INPUT_POOL;
	const bool is_copy = in->kind == GPU_INPUT_WRITE || in->kind == GPU_INPUT_COPY || in->kind == GPU_INPUT_READ || is_pool;
	const struct gpu_input_copy *const copy = &in->copy;
	if (!is_copy || !result || !copy->n || (copy->operation.kind != GPU_OPERATION_HOST && !copy->is_direct))
		return;
	struct race_host_access a = {.address = copy->address,
				     .n = copy->n,
				     .caller = copy->caller,
				     .context = copy->context,
				     .stream = copy->operation.stream,
				     .is_direct = copy->is_direct};
	const struct order_clock *clock = copy->is_direct ? order_of_host(&h->order, &a.at)
							  : order_of_turn(&h->order, &copy->operation, &a.at);
	if (!clock)
		return;
	if (copy->from) {
		a.address = copy->from;
		access_by_host(h, &a, clock);
		a.address = copy->address;
	}
	a.is_pool = is_pool;
	a.is_free = is_pool && copy->is_free;
	a.is_write = in->kind != GPU_INPUT_READ || copy->writes;
	a.is_fill = in->kind == GPU_INPUT_WRITE && !copy->from;
	access_by_host(h, &a, clock);
}
