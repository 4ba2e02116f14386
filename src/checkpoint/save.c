/* Writes a checkpoint: to a temporary file, which replaces the target when it is complete. */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/arena_marks.h"
#include "base/files.h"
#include "base/xalloc.h"
#include "checkpoint/internal.h"
#include "debug/checkpoint.h"
#include "gpu/config/config.h"
#include "gpu/rewind/restore.h"
#include "history/history.h"

bool checkpoint_is_file(const char *name)
{
	const size_t n = strlen(name);
	return n > 4 && !strcmp(name + n - 4, ".wsc");
}

static void record_head(struct debug *d, struct text *out)
{
	const struct gpu *g = debug_gpu(d);
	struct text part = {0};
	const struct config *c = gpu_config(g);
	record_number(out, c != NULL);
	if (c)
		config_record(c, out);
	gpu_outside_record(g, out);
	programs_write(gpu_program(debug_gpu(d)), &part);
	record_bytes(out, part.s, part.n);
	text_clear(&part);
	debug_record(d, &part);
	record_bytes(out, part.s, part.n);
	text_free(&part);
}

static void write_text(struct packer *p, const char *s, size_t n)
{
	packer_number(p, n);
	packer_write(p, s, n);
}

static void write_page(struct packer *p, enum checkpoint_entry kind, uint64_t offset, const void *page, size_t n)
{
	static const char zeros[ARENA_PAGE];
	packer_number(p, kind);
	packer_number(p, offset);
	packer_write(p, page, n);
	packer_write(p, zeros, ARENA_PAGE - n);
}

static void write_marked_pages(struct packer *p, const struct gpu *g)
{
	static const char zeros[ARENA_PAGE];
	size_t n;
	struct arena_saved_page *v = gpu_memory_marked(g, &n);
	for (size_t k = 0; k < n; k++)
		write_page(p, CHECKPOINT_MARKED, v[k].offset, v[k].bytes ? v[k].bytes : zeros, ARENA_PAGE);
	free(v);
}

static void write_section(struct packer *p, const struct arena *a, unsigned k)
{
	const struct arena_section *s = &a->section[k];
	assert(gpu_section_has_validator(s->name) && "a section without a row in gpu_valid_rows");
	packer_number(p, CHECKPOINT_SECTION);
	write_text(p, s->name, strlen(s->name));
	packer_number(p, s->used);
	for (uint64_t at = 0; arena_next_page(a, (int)k, &at); at += ARENA_PAGE)
		write_page(p, CHECKPOINT_PAGE, at, s->base + at,
			   s->kind == ARENA_PAGED || s->used - at > ARENA_PAGE ? ARENA_PAGE : (size_t)(s->used - at));
}

/* Writes the heading at the beginning of the file. The length is known at the end, so the heading is written twice. */
static bool write_heading(FILE *f, const struct heading *h)
{
	struct text t = {0};
	heading_write(h, &t);
	const bool ok = !fseek(f, 0, SEEK_SET) && fwrite(t.s, 1, t.n, f) == t.n;
	text_free(&t);
	return ok;
}

/* Writes the machine as it stands, as one frame behind the frames that *h counts, and counts it too. `past`: the history that the frame begins, with its
 * inputs; or NULL. */
static bool write_frame(struct debug *d, FILE *f, struct heading *h, const struct history *past)
{
	struct packer p;
	struct text head = {0};
	struct gpu *g = debug_gpu(d);
	const struct arena *a = gpu_arena(g);
	if (!packer_begin(&p, f))
		return false;
	p.crc = h->crc;
	record_head(d, &head);
	write_text(&p, head.s, head.n);
	write_marked_pages(&p, g);
	for (unsigned k = 0; k < a->n; k++)
		if (!a->section[k].is_tool_state)
			write_section(&p, a, k);
	if (past) {
		struct text inputs = {0};
		history_inputs_record(past, &inputs);
		packer_number(&p, CHECKPOINT_INPUTS);
		write_text(&p, inputs.s, inputs.n);
		text_free(&inputs);
	}
	packer_number(&p, CHECKPOINT_END);
	text_free(&head);
	if (!packer_end(&p))
		return false;
	h->bytes += p.written;
	h->crc = p.crc;
	return true;
}

#define PAST_WORK (UINT64_C(3) * 1000 * 1000 * 1000) /* nanoseconds that opening a file may take to run from its past to its present */
#define PAST_MOST (UINT64_C(256) << 20)		      /* a larger frame isn't written twice */

struct past_frame {
	struct session *s;
	FILE *f;
	struct heading *h;
	bool has_failed; /* it could not be written */
};

static bool write_past(void *self)
{
	struct past_frame *p = self;
	const uint64_t before = p->h->bytes;
	p->has_failed = !write_frame(session_debug(p->s), p->f, p->h, session_history(p->s));
	p->h->past = p->h->bytes - before;
	return !p->has_failed;
}

static bool write_all(struct session *s, FILE *f)
{
	struct heading h = {0};
	struct past_frame past = {.s = s, .f = f, .h = &h};
	if (!write_heading(f, &h) || !write_frame(session_debug(s), f, &h, NULL))
		return false;
	if (h.bytes <= PAST_MOST)
		history_visit_beginning(session_history(s), PAST_WORK, write_past, &past);
	return !past.has_failed && write_heading(f, &h);
}

bool checkpoint_save(struct session *s, const char *path, struct text *out, struct text *why)
{
	struct debug *d = session_debug(s);
	const struct files *files = session_files(s);
	struct files_open w;
	bool ok = files_open(files, path, FILES_REPLACE, &w);
	int reason = errno;
	if (ok) {
		errno = 0;
		ok = write_all(s, w.stream);
		reason = errno;
		if (!files_close(files, &w, ok) && ok) {
			ok = false;
			reason = errno;
		}
	}
	if (ok)
		text_addf(out, "Checkpoint %s: cycle %llu\n", path, (unsigned long long)gpu_cycle(debug_gpu(d)));
	else
		text_addf(why, "can't write '%s': %s", path, strerror(reason ? reason : EIO));
	return ok;
}
