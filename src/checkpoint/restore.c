/* Restores a checkpoint as the session's machine.
 *
 * The checksum is compared first. Then a new device takes the place of the session's device, which is set aside; it is filled from the file, and
 * every section is validated (gpu/rewind/restore.h). The exchange is completed only after that, so a wrong file changes nothing. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/files.h"
#include "base/xalloc.h"
#include "checkpoint/internal.h"
#include "debug/checkpoint.h"
#include "debug/program.h"
#include "debug/stop/past.h"
#include "gpu/config/config.h"
#include "gpu/moment.h"
#include "gpu/rewind/restore.h"
#include "history/history.h"

#define FILE_MOST (sizeof(size_t) > 4 ? (uint64_t)UINT64_C(64) << 30 : (uint64_t)SIZE_MAX / 2)

struct page {
	uint64_t offset;
	char bytes[ARENA_PAGE];
};

/* A restore under way. */
struct restore {
	struct session *s;
	struct gpu *g;
	const char *path;
	struct text *why;
	struct checkpoint_head head;
	struct unpacker u;
	int at;		  /* the section of the next pages; -1: none */
	uint64_t seen;	  /* sections read so far, a bit each */
	uint64_t next;	  /* offset from which the next page of the section may lie */
	struct text inputs; /* of CHECKPOINT_INPUTS */
	bool has_bad_inputs;
	struct page *old; /* marked pages */
	size_t n_old, cap_old;
};

_Static_assert(ARENA_SECTIONS_MAX <= 64, "a section is a bit of restore.seen");

static bool say_damaged(struct restore *r, const char *what)
{
	if (!r->why->n)
		text_addf(r->why, "'%s' is damaged: %s", r->path, what);
	return false;
}

static bool say_unreadable(struct restore *r)
{
	if (!r->why->n && r->u.truncated)
		text_addf(r->why, "'%s' is truncated", r->path);
	return say_damaged(r, "its contents can't be unpacked");
}

/* ---- head of the frame ---- */

/* Reads the head from n bytes at `text`. Returns false if they are malformed; the caller frees `h` in either case. */
static bool read_head_record(struct checkpoint_head *h, const char *text, size_t n_text)
{
	struct record_reader r = {text, text + n_text, false};
	if (record_take_below(&r, 2) && !(h->config = config_of_record(&r)))
		return false;
	gpu_outside_take(&r, &h->outside);
	size_t n;
	const char *s = record_take_bytes(&r, &n);
	struct record_reader of_programs = {s, s ? s + n : s, !s};
	programs_read(&of_programs, &h->programs);
	h->debug = record_take_bytes(&r, &h->n_debug);
	return !r.bad && !of_programs.bad && r.at == r.end;
}

/* Frees the head, with its configuration and programs. */
static void free_head(struct checkpoint_head *h)
{
	if (h->config)
		config_free(h->config);
	programs_free(&h->programs);
	text_free(&h->text);
}

static bool read_head(struct restore *r)
{
	struct checkpoint_head *h = &r->head;
	if (!unpacker_text(&r->u, &h->text))
		return say_unreadable(r);
	return read_head_record(h, text_str(&h->text), h->text.n) ||
	       say_damaged(r, "what it says of configuration and programs");
}

/* ---- sections and pages ---- */

static int find_section(const struct arena *a, const char *name)
{
	for (unsigned k = 0; k < a->n; k++)
		if (!a->section[k].is_tool_state && !strcmp(a->section[k].name, name))
			return (int)k;
	return -1;
}

static bool read_section(struct restore *r)
{
	struct arena *a = gpu_arena(r->g);
	char name[64];
	const uint64_t n = unpacker_number(&r->u);
	if (!n || n >= sizeof name || !unpacker_read(&r->u, name, (size_t)n))
		return say_unreadable(r);
	name[n] = '\0';
	const uint64_t used = unpacker_number(&r->u);
	r->at = find_section(a, name);
	r->next = 0;
	if (r->at < 0 || strlen(name) != n)
		return say_damaged(r, "it has a section that no machine has");
	if (r->seen >> r->at & 1)
		return say_damaged(r, "it has a section twice");
	r->seen |= UINT64_C(1) << r->at;
	if (arena_use(a, r->at, used))
		return true;
	text_addf(r->why, "there is no room for what it holds of '%s'", name);
	return false;
}

static bool read_page(struct restore *r, struct page *p)
{
	p->offset = unpacker_number(&r->u);
	if (!unpacker_read(&r->u, p->bytes, sizeof p->bytes))
		return say_unreadable(r);
	return !(p->offset & (ARENA_PAGE - 1)) || say_damaged(r, "a page lies between two pages");
}

static void write_page_to_arena(struct arena *a, int section, const struct page *p)
{
	const struct arena_section *s = &a->section[section];
	const uint64_t left = s->kind == ARENA_PAGED ? ARENA_PAGE : s->used - p->offset;
	arena_touch(a, section, p->offset, ARENA_PAGE);
	if (s->written)
		arena_note_written(a, section, p->offset, ARENA_PAGE);
	memcpy(s->base + p->offset, p->bytes, left < ARENA_PAGE ? (size_t)left : ARENA_PAGE);
}

static bool read_section_page(struct restore *r, struct page *p)
{
	if (!read_page(r, p))
		return false;
	if (r->at < 0 || p->offset < r->next || p->offset >= gpu_arena(r->g)->section[r->at].used)
		return say_damaged(r, "a page lies outside its section");
	r->next = p->offset + ARENA_PAGE;
	write_page_to_arena(gpu_arena(r->g), r->at, p);
	return true;
}

/* Keeps a page of memory at the last mark until the contents of memory have been read. */
static bool read_marked_page(struct restore *r, struct page *p)
{
	const struct exec *x = gpu_exec(r->g);
	if (!read_page(r, p))
		return false;
	if (r->at >= 0 || p->offset < r->next || p->offset >= x->limits->device_end ||
	    r->n_old >= x->limits->saved / ARENA_PAGE)
		return say_damaged(r, "a saved page lies outside memory");
	r->next = p->offset + ARENA_PAGE;
	r->old = xgrow(r->old, &r->cap_old, r->n_old + 1, sizeof *r->old);
	r->old[r->n_old++] = *p;
	return true;
}

static bool read_entry(struct restore *r, uint64_t kind, struct page *p)
{
	switch (kind) {
	case CHECKPOINT_SECTION: return read_section(r);
	case CHECKPOINT_PAGE: return read_section_page(r, p);
	case CHECKPOINT_MARKED: return read_marked_page(r, p);
	case CHECKPOINT_INPUTS: return unpacker_text(&r->u, &r->inputs) || say_unreadable(r);
	default: return say_damaged(r, "an entry of no kind");
	}
}

/* Returns whether the file had every section; zeros in place of a section are no valid state. */
static bool has_all_sections(struct restore *r)
{
	const struct arena *a = gpu_arena(r->g);
	for (unsigned k = 0; k < a->n; k++)
		if (!a->section[k].is_tool_state && (!(r->seen >> k & 1) || !gpu_section_has_validator(a->section[k].name)))
			return say_damaged(r, "it lacks a section");
	for (size_t k = 0; k < r->n_old; k++)
		if (r->old[k].offset >= a->section[gpu_exec(r->g)->sec_global].used)
			return say_damaged(r, "a saved page lies outside memory");
	return true;
}

static bool read_contents(struct restore *r)
{
	struct page *p = xcalloc(1, sizeof *p);
	bool ok = true;
	gpu_restore_empty(r->g);
	r->at = -1;
	while (ok) {
		const uint64_t kind = unpacker_number(&r->u);
		if (r->u.damaged || r->u.truncated)
			ok = say_unreadable(r);
		else if (kind == CHECKPOINT_END)
			break;
		else
			ok = read_entry(r, kind, p);
	}
	free(p);
	return ok && (unpacker_is_over(&r->u) || say_unreadable(r)) && has_all_sections(r);
}

/* Sets the mark: writes the marked pages to memory, marks, and restores the present pages. */
static void set_mark(struct restore *r)
{
	struct arena *a = gpu_arena(r->g);
	const int global = gpu_exec(r->g)->sec_global;
	struct page now;
	for (int round = 0; round < 2; round++) {
		for (size_t k = 0; k < r->n_old; k++) {
			now.offset = r->old[k].offset;
			memcpy(now.bytes, arena_at(a, global, now.offset), ARENA_PAGE);
			write_page_to_arena(a, global, &r->old[k]);
			r->old[k] = now;
		}
		if (!round)
			gpu_restore_mark(r->g);
	}
}

/* ---- all of it ---- */

/* Fills the new device with the file's programs and contents. Returns false if the file is wrong. */
static bool make_machine(struct restore *r, const struct checkpoint_change *change)
{
	struct gpu *g = r->g;
	struct isa_program *p = gpu_program(g);
	const struct checkpoint_head *h = &r->head;
	if (!p->n_files && !programs_load(&h->programs, p, gpu_exec(g)->limits->device_end, r->why))
		return false;
	if (!gpu_restore_begin(g, &h->outside, r->why) || !read_contents(r))
		return false;
	if (change)
		change->change(change->self, g);
	struct text what = {0};
	const bool ok = gpu_restore_check(g, &h->outside, &what);
	if (!ok)
		say_damaged(r, text_str(&what));
	text_free(&what);
	return ok;
}

static void enter_restored_state(struct restore *r, bool records)
{
	struct debug *d = session_debug(r->s);
	struct history *past = session_history(r->s);
	struct text notes = {0};
	struct record_reader debug = {r->head.debug, r->head.debug + r->head.n_debug, false};
	set_mark(r);
	debug_program_changed(d, &notes);
	gpu_restore_end(r->g, &r->head.outside);
	debug_take_record(d, &debug);
	history_record(past, records);
	history_begin_restored(past);
	if (r->inputs.n && history_is_recorded(past))
		r->has_bad_inputs = !history_inputs_take(past, &(struct record_reader){r->inputs.s, r->inputs.s + r->inputs.n, false});
	text_free(&notes);
}

static bool exchange(struct restore *r, const struct checkpoint_change *change)
{
	struct checkpoint_head *h = &r->head;
	const bool records = history_is_recorded(session_history(r->s));
	struct config *c = h->config;
	h->config = NULL;
	struct session_exchange *x = session_exchange_begin(r->s, c, h->outside.made_for_performance, r->why);
	if (!x)
		return false;
	if (!make_machine(r, change)) {
		session_exchange_drop(r->s, x);
		return false;
	}
	session_exchange_keep(r->s, x);
	enter_restored_state(r, records);
	return true;
}

bool checkpoint_restore_frame(struct session *s, const char *frame, size_t n, const char *path,
			      const struct checkpoint_change *change, struct text *why)
{
	struct restore r = {.s = s, .g = debug_gpu(session_debug(s)), .path = path, .why = why};
	const bool has_programs = gpu_program(r.g)->n_files;
	const bool ok = (unpacker_begin(&r.u, frame, n) || say_damaged(&r, "there is no memory to unpack it")) &&
			read_head(&r) && (!has_programs || programs_match(&r.head.programs, gpu_program(r.g), why)) &&
			exchange(&r, change);
	unpacker_end(&r.u);
	free_head(&r.head);
	free(r.old);
	text_free(&r.inputs);
	return ok && !r.has_bad_inputs;
}

static uint64_t digest(struct session *s) { return arena_digest(gpu_arena(debug_gpu(session_debug(s)))); }

/* Makes the n bytes at `past` the history of the restored machine: restores them, and runs on to where the machine stands. Returns false if that leads
 * somewhere else; the machine is then another one. */
static bool restore_past(struct session *s, const char *past, size_t n, const char *path)
{
	struct gpu_moment present;
	struct text why = {0};
	const uint64_t wanted = digest(s);
	gpu_moment_now(debug_gpu(session_debug(s)), &present);
	history_record(session_history(s), true);
	const bool ok = checkpoint_restore_frame(s, past, n, path, NULL, &why) && history_run_on(session_history(s), &present);
	text_free(&why);
	return ok && digest(s) == wanted;
}

/* Tells the debugger again what a frame, which has been restored before, says of the session besides the machine. */
static void take_debug_record(struct session *s, const char *frame, size_t n)
{
	struct checkpoint_head h = {0};
	struct unpacker u;
	if (unpacker_begin(&u, frame, n) && unpacker_text(&u, &h.text) && read_head_record(&h, text_str(&h.text), h.text.n))
		debug_take_record(session_debug(s), &(struct record_reader){h.debug, h.debug + h.n_debug, false});
	unpacker_end(&u);
	free_head(&h);
}

/* Replaces the session's machine by that of a whole file in memory. Returns false, with the reason and nothing changed, if the file is wrong. A history
 * in the file that leads to another machine is left out. */
static bool restore_bytes(struct session *s, const char *file, size_t n, const char *path, struct text *why)
{
	struct heading h;
	const char *frame = file + heading_bytes();
	if (!heading_read(file, n, path, &h, why) || !heading_fits(&h, frame, n - heading_bytes(), path, why))
		return false;
	const size_t n_past = (size_t)h.past, n_frame = (size_t)(h.bytes - h.past);
	if (!checkpoint_restore_frame(s, frame, n_frame, path, NULL, why))
		return false;
	if (!n_past)
		return true;
	if (!restore_past(s, frame + n_frame, n_past, path))
		return checkpoint_restore_frame(s, frame, n_frame, path, NULL, why);
	take_debug_record(s, frame, n_frame);
	return true;
}

/* ---- the file ---- */

/* Reads up to `n` bytes; *got is less if the file ends. Returns false with errno. */
static bool read_some(FILE *f, char *to, size_t n, size_t *got)
{
	errno = 0;
	*got = fread(to, 1, n, f);
	return !ferror(f);
}

/* Gets a file's size and goes to its beginning. Returns false with errno. */
static bool file_size(FILE *f, uint64_t *bytes)
{
	const off_t end = fseeko(f, 0, SEEK_END) ? -1 : ftello(f);
	*bytes = (uint64_t)end;
	return end >= 0 && !fseeko(f, 0, SEEK_SET);
}

static bool say_cannot_read(const char *path, struct text *why)
{
	text_addf(why, "can't read '%s': %s", path, strerror(errno));
	return false;
}

/* Reads a file into memory that the caller frees. The heading is checked first, so that a file without one, or one that is cut off, is refused before
 * it is read. */
static char *read_file(FILE *f, const char *path, size_t *n, struct text *why)
{
	const size_t head = heading_bytes();
	struct heading h;
	uint64_t bytes;
	char begin[256];
	if (!file_size(f, &bytes)) {
		say_cannot_read(path, why);
		return NULL;
	}
	if (!read_some(f, begin, head, n)) {
		say_cannot_read(path, why);
		return NULL;
	}
	if (!heading_read(begin, *n, path, &h, why))
		return NULL;
	if (bytes < head || bytes - head < h.bytes || h.bytes > FILE_MOST) {
		text_addf(why, "'%s' is truncated", path);
		return NULL;
	}
	/* one byte more shows whether the file ends there */
	char *file = xmalloc(head + (size_t)h.bytes + 1);
	size_t more;
	memcpy(file, begin, head);
	if (!read_some(f, file + head, (size_t)h.bytes + 1, &more)) {
		say_cannot_read(path, why);
		free(file);
		return NULL;
	}
	*n = head + more;
	return file;
}

bool checkpoint_restore(struct session *s, const char *path, struct debug_stop *stop, struct text *why)
{
	size_t n;
	if (debug_program_lives(session_debug(s))) {
		text_add(why, "a program lives: it could not be told of another machine; `kill` ends it");
		return false;
	}
	struct files_open f;
	if (!files_open(session_files(s), path, FILES_REGULAR, &f)) {
		if (errno != EINVAL)
			return say_cannot_read(path, why);
		text_addf(why, "'%s' is no checkpoint of warpstep's, nor any other file", path);
		return false;
	}
	char *file = read_file(f.stream, path, &n, why);
	files_close(session_files(s), &f, false);
	const bool ok = file && restore_bytes(s, file, n, path, why);
	free(file);
	if (!ok)
		return false;
	stop->reason = DEBUG_STOP_CYCLE;
	text_addf(&stop->text, "Restored %s: cycle %llu\n", path,
		  (unsigned long long)gpu_cycle(debug_gpu(session_debug(s))));
	debug_past_stop(session_debug(s), stop);
	debug_core_stands(session_debug(s), stop);
	return true;
}
