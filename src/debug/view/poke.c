/* What a user sets in threads whose block is not on a core yet: kept here, shown when looked at, and stored when the block starts.
 *
 * The entry of a kernel with such values is marked, so that the machine comes back before the block's first instruction. */
#include <string.h>

#include "base/record.h"
#include "base/xalloc.h"
#include "debug/ground/ground.h"
#include "debug/rooms.h"
#include "debug/view/focus.h"
#include "debug/view/room.h"
#include "debug/view/view.h"

struct debug_poke {
	struct debug_thread thread;
	enum poke_kind kind; /* ROW, PRED, MEMORY (shared or local) */
	uint64_t at;		   /* row ref, slot, generic address */
	uint32_t bytes;
	unsigned char data[16];
};

void poke_add(struct debug *d, const struct debug_where *w, enum poke_kind kind, uint64_t at, const void *data,
	      uint64_t n)
{
	for (uint64_t done = 0; done < n; done += 16) {
		d->view->pokes = xgrow(d->view->pokes, &d->view->cap_pokes, d->view->n_pokes + 1, sizeof *d->view->pokes);
		struct debug_poke *p = &d->view->pokes[d->view->n_pokes++];
		*p = (struct debug_poke){w->thread, kind, at + done, n - done < 16 ? (uint32_t)(n - done) : 16, {0}};
		memcpy(p->data, (const char *)data + done, p->bytes);
	}
	if (d->past)
		debug_poked(d); /* what has been from here on is so no more */
	debug_marks_changed(d);
}

/* Shared memory is the block's, all else the thread's. */
static bool concerns(const struct debug_poke *p, const struct debug_thread *t)
{
	return p->thread.launch == t->launch && p->thread.cta == t->cta &&
	       (p->thread.thread == t->thread || (p->kind == POKE_MEMORY && debug_space_of(p->at) == ISA_SPACE_SHARED));
}

void poke_overlay(const struct debug *d, const struct debug_where *w, enum poke_kind kind, uint64_t at, void *dst,
		  uint64_t n)
{
	for (size_t i = 0; i < d->view->n_pokes; i++) {
		const struct debug_poke *p = &d->view->pokes[i];
		if (p->kind != kind || !concerns(p, &w->thread) || (kind != POKE_MEMORY && p->at != at))
			continue;
		uint64_t first = p->at > at ? p->at : at, end = p->at + p->bytes < at + n ? p->at + p->bytes : at + n;
		if (first < end)
			memcpy((char *)dst + (first - at), p->data + (first - p->at), end - first);
	}
}

static void apply(struct debug *d, const struct debug_poke *p)
{
	struct debug_where w;
	struct debug_frame f;
	if (!debug_thread_where(d, &p->thread, &w) || !debug_frame_get(d, &w, 0, &f))
		return;
	if (p->kind == POKE_MEMORY)
		debug_memory_write(d, &w, p->at, p->data, p->bytes);
	else if (f.has_state && p->kind == POKE_PRED)
		debug_pred_write(d, &w, f.frame, (uint32_t)p->at, p->data[0] & 1);
	else if (f.has_state)
		debug_row_write(d, &w, f.frame, (uint32_t)p->at, p->bytes, p->data);
}

void poke_apply(struct debug *d)
{
	size_t kept = 0;
	if (debug_is_past(d)) /* it comes again by itself */
		return;
	for (size_t i = 0; i < d->view->n_pokes; i++) {
		struct debug_where w;
		struct debug_poke p = d->view->pokes[i];
		bool exists = debug_thread_where(d, &p.thread, &w);
		if (exists && w.state == DEBUG_THREAD_WAITING) {
			d->view->pokes[kept++] = p;
			continue;
		}
		if (exists && w.cta)
			apply(d, &p);
		debug_marks_changed(d);
	}
	d->view->n_pokes = kept;
}

void poke_record(const struct debug *d, struct text *out)
{
	record_number(out, d->view->n_pokes);
	for (size_t i = 0; i < d->view->n_pokes; i++) {
		const struct debug_poke *p = &d->view->pokes[i];
		const uint64_t values[] = {p->thread.launch, p->thread.cta, p->thread.thread, p->kind, p->at};
		for (unsigned k = 0; k < sizeof values / sizeof *values; k++)
			record_number(out, values[k]);
		record_bytes(out, p->data, p->bytes);
	}
}

void poke_take(struct debug *d, struct record_reader *r)
{
	const uint64_t n = record_take_number(r);
	view_forget_pokes(d);
	for (uint64_t i = 0; i < n && !r->bad; i++) {
		struct debug_where w = {0};
		w.thread.launch = (uint32_t)record_take_number(r);
		w.thread.cta = record_take_number(r);
		w.thread.thread = (uint32_t)record_take_number(r);
		const enum poke_kind kind = (enum poke_kind)record_take_below(r, POKE_PRED + 1);
		const uint64_t at = record_take_number(r);
		size_t bytes;
		const char *data = record_take_bytes(r, &bytes);
		if (data && bytes <= sizeof(((struct debug_poke *)NULL)->data))
			poke_add(d, &w, kind, at, data, bytes);
	}
}

void poke_write_marks(struct debug *d, uint8_t *marks)
{
	for (size_t i = 0; i < d->view->n_pokes; i++) {
		struct gpu_launch_info info;
		if (gpu_launch_get(d->g, d->view->pokes[i].thread.launch, &info))
			marks[debug_program(d)->functions[info.launch.function]->first] |= MARK_POKE;
	}
}

void *pokes_remember(const struct debug *d, size_t *bytes)
{
	*bytes = d->view->n_pokes * sizeof *d->view->pokes;
	void *out = xmalloc(*bytes + 1);
	if (*bytes)
		memcpy(out, d->view->pokes, *bytes);
	return out;
}

bool pokes_are(const struct debug *d, const void *pokes, size_t bytes)
{
	const size_t n = d->view->n_pokes * sizeof *d->view->pokes;
	return n == bytes && (!n || !memcmp(d->view->pokes, pokes, n));
}

void pokes_recall(struct debug *d, const void *pokes, size_t bytes)
{
	struct view_room *v = d->view;
	v->n_pokes = bytes / sizeof *v->pokes;
	v->pokes = xgrow(v->pokes, &v->cap_pokes, v->n_pokes + 1, sizeof *v->pokes);
	if (bytes)
		memcpy(v->pokes, pokes, bytes);
	debug_marks_changed(d);
}
