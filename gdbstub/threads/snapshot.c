/* Register snapshots of warps. gdb sees lanes where their warp isn't any more (lanes/). Before the warp continues a snapshot of its registers is
 * taken, all lanes' at once, so that such a lane's frames are those it had there. They can be read and not written. Memory is as it is. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "gdbstub/lanes/lanes.h"
#include "gdbstub/threads/room.h"

#define ROWS_MAX (256u << 10) /* bytes of a warp's registers: of deeper stacks the inner activations have them */
#define FEW_SNAPSHOTS 16u     /* up to so many are kept without looking for unneeded ones */

/* Lanes with the same activations: one entry of the SIMT stack. */
struct chain {
	const struct exec_simt *simt; /* only while it is made */
	uint32_t lanes;
	struct debug_frame *a; /* innermost first */
	size_t n;
};
/* An activation's registers. Lanes that have diverged share the outer ones. */
struct frame_rows {
	uint64_t frame;
	size_t at; /* in `rows` */
};
struct register_snapshot {
	uint64_t first_uid; /* of the warp's lane 0 */
	uint64_t executed;  /* by the warp */
	struct chain *chains;
	size_t n_chains, cap_chains;
	struct frame_rows *frames;
	size_t n_frames, cap_frames;
	unsigned char *rows;
	size_t n_rows, cap_rows;
};

static struct register_snapshot *find_snapshot(const struct stub *s, const struct debug_where *w, uint64_t executed)
{
	for (size_t i = s->threads->n_snapshots; i--;)
		if (s->threads->snapshots[i]->executed == executed &&
		    s->threads->snapshots[i]->first_uid == w->uid - w->lane)
			return s->threads->snapshots[i];
	return NULL;
}

const struct register_snapshot *snapshot_find(const struct stub *s, const struct debug_where *w, uint64_t executed)
{
	return debug_executed(w) == executed ? NULL : find_snapshot(s, w, executed);
}

/* ---- unneeded ones ---- */

static void free_contents(struct register_snapshot *k)
{
	for (size_t i = 0; i < k->n_chains; i++)
		free(k->chains[i].a);
	k->n_chains = k->n_frames = k->n_rows = 0;
}

static void release(struct register_snapshot *k)
{
	free_contents(k);
	free(k->chains);
	free(k->frames);
	free(k->rows);
	free(k);
}

void snapshots_drop_unused(struct stub *s)
{
	size_t n = 0;
	for (size_t i = 0; i < s->threads->n_snapshots; i++)
		if (lanes_needs_snapshot(s->lanes, s->threads->snapshots[i]->first_uid,
					 s->threads->snapshots[i]->executed))
			s->threads->snapshots[n++] = s->threads->snapshots[i];
		else
			release(s->threads->snapshots[i]);
	s->threads->n_snapshots = n;
	s->threads->many_snapshots = 2 * n > FEW_SNAPSHOTS ? 2 * n : FEW_SNAPSHOTS;
	view_forget(s);
}

void snapshots_free(struct stub *s)
{
	for (size_t i = 0; i < s->threads->n_snapshots; i++)
		release(s->threads->snapshots[i]);
	free(s->threads->snapshots);
}

/* ---- taking ---- */

static const struct frame_rows *rows_of(const struct register_snapshot *k, uint64_t frame)
{
	for (size_t i = 0; i < k->n_frames; i++)
		if (k->frames[i].frame == frame)
			return &k->frames[i];
	return NULL;
}

static void keep_frame(struct stub *s, struct register_snapshot *k, const struct debug_frame *a)
{
	size_t bytes = a->function->frame_bytes;
	if (!a->has_state || k->n_rows + bytes > ROWS_MAX || rows_of(k, a->frame))
		return;
	k->frames = xgrow(k->frames, &k->cap_frames, k->n_frames + 1, sizeof *k->frames);
	k->frames[k->n_frames++] = (struct frame_rows){a->frame, k->n_rows};
	k->rows = xgrow(k->rows, &k->cap_rows, k->n_rows + bytes, 1);
	debug_frame_read(s->d, a, k->rows + k->n_rows);
	k->n_rows += bytes;
}

static struct chain *chain_of(struct register_snapshot *k, const struct exec_simt *simt)
{
	for (size_t i = 0; i < k->n_chains; i++)
		if (k->chains[i].simt == simt)
			return &k->chains[i];
	return NULL;
}

static void keep_chain(struct stub *s, struct register_snapshot *k, const struct debug_where *w, uint32_t lanes)
{
	struct chain c = {.simt = w->simt, .lanes = lanes};
	c.n = debug_frames(s->d, w, VIEW_FRAMES_MAX, &c.a);
	for (size_t i = 0; i < c.n && c.a[i].function; i++)
		keep_frame(s, k, &c.a[i]);
	k->chains = xgrow(k->chains, &k->cap_chains, k->n_chains + 1, sizeof *k->chains);
	k->chains[k->n_chains++] = c;
}

/* The lanes that move together come first: one look for all of them. */
static void keep_lanes(struct stub *s, struct register_snapshot *k, const struct debug_where *warp)
{
	uint32_t active = debug_active_lanes(s->d, warp), left = LANES_ALL;
	struct debug_thread t = warp->thread;
	struct debug_where w;
	for (unsigned i = 0, lane; i < LANES && left; i++) {
		lane = lanes_first(left & active ? left & active : left);
		t.thread = debug_thread_of(s->d, warp->warp_index, lane);
		left &= ~lanes_bit(lane);
		if (!debug_thread_where(s->d, &t, &w) || w.state == DEBUG_THREAD_EXITED)
			continue;
		uint32_t same = w.active ? active : w.simt ? lanes_bit(lane) : LANES_ALL;
		struct chain *c = chain_of(k, w.simt);
		if (c)
			c->lanes |= same;
		else
			keep_chain(s, k, &w, same);
		left &= ~same;
	}
}

const struct register_snapshot *snapshot_take(struct stub *s, const struct debug_where *w)
{
	struct register_snapshot *k = find_snapshot(s, w, debug_executed(w));
	if (!k) {
		if (s->threads->n_snapshots >= s->threads->many_snapshots)
			snapshots_drop_unused(s);
		s->threads->snapshots = xgrow(s->threads->snapshots, &s->threads->cap_snapshots,
					      s->threads->n_snapshots + 1, sizeof *s->threads->snapshots);
		k = s->threads->snapshots[s->threads->n_snapshots++] = xcalloc(1, sizeof *k);
		k->first_uid = w->uid - w->lane;
		k->executed = debug_executed(w);
	}
	free_contents(k); /* registers may have been written since */
	keep_lanes(s, k, w);
	return k;
}

/* ---- reading ---- */

size_t snapshot_frames(const struct register_snapshot *k, unsigned lane, const struct debug_frame **out)
{
	for (size_t i = 0; i < k->n_chains; i++)
		if (k->chains[i].lanes & lanes_bit(lane)) {
			*out = k->chains[i].a;
			return k->chains[i].n;
		}
	return 0;
}

uint32_t snapshot_together(const struct stub *s, const struct debug_where *w)
{
	const struct register_snapshot *k = find_snapshot(s, w, debug_executed(w));
	for (size_t i = 0; k && i < k->n_chains; i++)
		if (k->chains[i].lanes & lanes_bit(w->lane))
			return k->chains[i].lanes;
	return lanes_bit(w->lane);
}

const void *snapshot_registers(const struct register_snapshot *k, const struct debug_frame *a)
{
	const struct frame_rows *f = rows_of(k, a->frame);
	return f ? k->rows + f->at : NULL;
}
