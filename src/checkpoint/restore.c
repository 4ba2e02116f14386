/* A checkpoint becomes the session's machine. The file is unpacked once to see that all of it is right, then to look whether the device has room, then for
 * good: a wrong file changes nothing. */
#include <errno.h>
#include <string.h>

#include "base/file.h"
#include "base/xalloc.h"
#include "checkpoint/internal.h"
#include "debug/checkpoint.h"
#include "debug/program.h"
#include "debug/stop/past.h"
#include "gpu/config.h"
#include "gpu/restore.h"
#include "history/history.h"

#define FILE_MOST (sizeof(size_t) > 4 ? (size_t)(UINT64_C(64) << 30) : SIZE_MAX / 2)

struct page {
	uint64_t offset;
	char bytes[ARENA_PAGE];
};

/* Who takes entries; false: no more are wanted. */
struct taker {
	bool (*section)(struct taker *t, const char *name, uint64_t used);
	bool (*page)(struct taker *t, const struct page *p);
	bool (*marked)(struct taker *t, const struct page *p);
	struct gpu *g;
	struct text *why;
	int at;	       /* the section that pages are for, -1: none */
	uint64_t seen; /* sections so far, a bit each */
	/* marked pages */
	struct page *old;
	size_t n_old, cap_old;
};

static bool damaged(const struct unpacker *u, const char *path, struct text *why)
{
	if (!why->n)
		text_addf(why, u->truncated ? "'%s' is truncated" : "'%s' is damaged", path);
	return false;
}

static bool take_head(struct unpacker *u, struct checkpoint_head *h)
{
	*h = (struct checkpoint_head){0};
	if (!unpacker_text(u, &h->text))
		return false;
	struct record_reader r = {text_str(&h->text), text_str(&h->text) + h->text.n, false};
	if (record_take_below(&r, 2) && !(h->config = config_of_record(&r)))
		return false;
	gpu_outside_take(&r, &h->outside);
	size_t n;
	const char *s = record_take_bytes(&r, &n);
	struct record_reader of_programs = {s, s ? s + n : s, !s};
	programs_take(&of_programs, &h->programs);
	h->debug = record_take_bytes(&r, &h->n_debug);
	return !r.bad && !of_programs.bad && r.at == r.end;
}

void checkpoint_head_free(struct checkpoint_head *h)
{
	if (h->config)
		config_free(h->config);
	programs_free(&h->programs);
	text_free(&h->text);
}

static bool take_page(struct unpacker *u, struct page *p)
{
	p->offset = unpacker_number(u);
	return unpacker_take(u, p->bytes, sizeof p->bytes) && !(p->offset & (ARENA_PAGE - 1));
}

static bool take_section(struct unpacker *u, struct taker *t)
{
	char name[64];
	const uint64_t n = unpacker_number(u);
	if (!n || n >= sizeof name || !unpacker_take(u, name, (size_t)n))
		return false;
	name[n] = '\0';
	const uint64_t used = unpacker_number(u);
	return !t->section || t->section(t, name, used);
}

static bool take_entry(struct unpacker *u, struct taker *t, uint64_t kind, struct page *p)
{
	switch (kind) {
	case CHECKPOINT_SECTION: return take_section(u, t);
	case CHECKPOINT_PAGE: return take_page(u, p) && (!t->page || t->page(t, p));
	case CHECKPOINT_MARKED: return take_page(u, p) && (!t->marked || t->marked(t, p));
	default: return false;
	}
}

/* The whole file. */
static bool unpack(const char *frame, size_t n, struct checkpoint_head *h, struct taker *t, const char *path)
{
	struct unpacker u;
	struct page *p = xcalloc(1, sizeof *p);
	bool ok = unpacker_begin(&u, frame, n) && take_head(&u, h);
	t->at = -1;
	while (ok && !u.damaged && !u.truncated) {
		const uint64_t kind = unpacker_number(&u);
		if (kind == CHECKPOINT_END)
			break;
		ok = take_entry(&u, t, kind, p);
	}
	ok = ok && unpacker_is_over(&u);
	if (!ok)
		damaged(&u, path, t->why);
	unpacker_end(&u);
	free(p);
	return ok;
}

/* ---- does it fit? ---- */

static int find_section(const struct arena *a, const char *name)
{
	for (unsigned k = 0; k < a->n; k++)
		if (!strcmp(a->section[k].name, name))
			return (int)k;
	return -1;
}

static bool fits_section(struct taker *t, const char *name, uint64_t used)
{
	const struct arena *a = gpu_arena(t->g);
	t->at = find_section(a, name);
	if (t->at >= 0 && used <= a->section[t->at].reserved) {
		t->seen |= UINT64_C(1) << t->at;
		return true;
	}
	text_addf(t->why, "there is no room for what it holds of '%s'", name);
	return false;
}

static bool fits_page(struct taker *t, const struct page *p)
{
	return t->at >= 0 && p->offset < gpu_arena(t->g)->section[t->at].reserved;
}

static bool fits_marked(struct taker *t, const struct page *p)
{
	return p->offset < gpu_arena(t->g)->section[gpu_exec(t->g)->sec_global].reserved;
}

/* What isn't in the file would be zeros, which is no state of a machine. */
static bool has_all_sections(const struct taker *t)
{
	const struct arena *a = gpu_arena(t->g);
	for (unsigned k = 0; k < a->n; k++)
		if (!a->section[k].beside && !(t->seen >> k & 1))
			return false;
	return true;
}

/* ---- filling ---- */

static bool fill_section(struct taker *t, const char *name, uint64_t used)
{
	struct arena *a = gpu_arena(t->g);
	t->at = find_section(a, name);
	return arena_use(a, t->at, used);
}

static void put(struct arena *a, int section, const struct page *p)
{
	const struct arena_section *s = &a->section[section];
	const uint64_t left = s->kind == ARENA_PAGED ? ARENA_PAGE : s->used - p->offset;
	if (s->kind == ARENA_PAGED)
		arena_touch(a, section, p->offset, ARENA_PAGE);
	else if (p->offset >= s->used)
		return;
	memcpy(s->base + p->offset, p->bytes, left < ARENA_PAGE ? (size_t)left : ARENA_PAGE);
}

static bool fill_page(struct taker *t, const struct page *p)
{
	put(gpu_arena(t->g), t->at, p);
	return true;
}

static bool keep_marked(struct taker *t, const struct page *p)
{
	t->old = xgrow(t->old, &t->cap_old, t->n_old + 1, sizeof *t->old);
	t->old[t->n_old++] = *p;
	return true;
}

/* Memory is for a moment what it was at the mark. */
static void set_mark(struct taker *t)
{
	struct arena *a = gpu_arena(t->g);
	const int global = gpu_exec(t->g)->sec_global;
	struct page now;
	for (int round = 0; round < 2; round++) {
		for (size_t k = 0; k < t->n_old; k++) {
			now.offset = t->old[k].offset;
			memcpy(now.bytes, arena_at(a, global, now.offset), ARENA_PAGE);
			put(a, global, &t->old[k]);
			t->old[k] = now;
		}
		if (!round)
			gpu_restore_mark(t->g);
	}
	free(t->old);
}

/* ---- all of it ---- */

/* The same configuration, programs, and performance model. */
static bool make_device(struct session *s, struct checkpoint_head *h, struct text *why)
{
	struct debug *d = session_debug(s);
	struct gpu *g = debug_gpu(d);
	const struct config *own = gpu_config(g);
	const bool loaded = gpu_program(g)->n_files;
	struct text notes = {0};
	if (loaded && !programs_are(&h->programs, gpu_program(g), why))
		return false;
	/* pages that a dead program had, too, are no memory like other's */
	const bool same = !debug_program_has_begun(d) && !h->config == !own &&
			  (!own || config_is_same(own, h->config)) &&
			  gpu_made_for_performance(g) == h->outside.made_for_performance;
	if (!same && !h->config) {
		text_add(why, "it is of another kind of device");
		return false;
	}
	if (!same) {
		struct config *c = h->config;
		h->config = NULL;
		if (!session_rebuild(s, c, h->outside.made_for_performance, why))
			return false;
	}
	const bool ok = loaded || programs_load(&h->programs, gpu_program(g), gpu_exec(g)->limits->device_end, why);
	debug_program_changed(d, &notes);
	text_free(&notes);
	return ok && gpu_restore_begin(g, &h->outside, why);
}

void checkpoint_fill(struct session *s, const struct checkpoint_head *h, const char *file, size_t n, const char *path)
{
	struct debug *d = session_debug(s);
	struct history *past = session_history(s);
	const bool records = history_is_recorded(past);
	struct text why = {0};
	struct checkpoint_head again;
	struct taker t = {
		.section = fill_section, .page = fill_page, .marked = keep_marked, .g = debug_gpu(d), .why = &why};
	struct record_reader r = {h->debug, h->debug + h->n_debug, false};
	history_record(past, false);
	gpu_restore_empty(t.g);
	unpack(file + h->frame, n - h->frame, &again, &t, path);
	checkpoint_head_free(&again);
	set_mark(&t);
	gpu_restore_end(t.g, &h->outside);
	debug_take_record(d, &r);
	history_record(past, records);
	history_begin_restored(past);
	text_free(&why);
}

bool checkpoint_look(struct session *s, struct checkpoint_head *h, const char *file, size_t n, const char *path,
		     struct text *why)
{
	struct checkpoint_head again = {0};
	struct taker look = {.why = why, .g = debug_gpu(session_debug(s))};
	size_t frame;
	*h = (struct checkpoint_head){0};
	if (!heading_check(file, n, path, &frame, why) || !unpack(file + frame, n - frame, h, &look, path) ||
	    !make_device(s, h, why))
		return false;
	h->frame = frame;
	look.section = fits_section;
	look.page = fits_page;
	look.marked = fits_marked;
	const bool ok = unpack(file + frame, n - frame, &again, &look, path) && has_all_sections(&look);
	if (!ok && !why->n)
		text_addf(why, "'%s' is damaged", path);
	checkpoint_head_free(&again);
	return ok;
}

bool checkpoint_restore(struct session *s, const char *path, struct debug_stop *stop, struct text *why)
{
	size_t n;
	if (debug_program_lives(session_debug(s))) {
		text_add(why, "a program lives: it could not be told of another machine; `kill` ends it");
		return false;
	}
	char *file = file_read(path, FILE_MOST, &n);
	if (!file) {
		text_addf(why, "can't read '%s': %s", path, strerror(errno));
		return false;
	}
	struct checkpoint_head h;
	const bool ok = checkpoint_look(s, &h, file, n, path, why);
	if (ok)
		checkpoint_fill(s, &h, file, n, path);
	checkpoint_head_free(&h);
	free(file);
	if (!ok)
		return false;
	stop->reason = DEBUG_STOP_CYCLE;
	text_addf(&stop->text, "Restored %s: cycle %llu\n", path,
		  (unsigned long long)gpu_cycle(debug_gpu(session_debug(s))));
	debug_past_stop(session_debug(s), stop);
	return true;
}
