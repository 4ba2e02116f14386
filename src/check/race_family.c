/* Launches by threads: a launch orders what its thread did before, and waiting for it, or its parent's end, orders what comes after. */
#include "check/race_family.h"

#include <string.h>

#define CHAIN_MOST 64u /* launches of a stream that are looked through; beyond, they count as ordered */

/* ---- launches as a whole ---- */

/* Returns true if launch `later` waits for launch `earlier`, by streams and events of kernels. */
static bool waits_for(const struct gpu *g, uint32_t later, uint32_t earlier, unsigned most)
{
	struct gpu_launch_info info;
	for (unsigned k = 0; k < most; k++) {
		if (later == earlier)
			return true;
		if (later < earlier || !gpu_launch_get(g, later, &info))
			return false;
		if (info.after[1] && waits_for(g, info.after[1] - 1, earlier, most / 2))
			return true;
		if (!info.after[0])
			return false;
		later = info.after[0] - 1;
	}
	return true;
}

/* Returns true if launches of one parent are ordered. */
static bool orders_siblings(const struct gpu *g, const struct gpu_launch_info *a, const struct gpu_launch_info *b)
{
	const uint32_t low = a->launch.id < b->launch.id ? a->launch.id : b->launch.id, high = a->launch.id ^ b->launch.id ^ low;
	return a->tail != b->tail || waits_for(g, high, low, CHAIN_MOST);
}

/* Replaces a launch by its parent. Returns false if the host made it. */
static bool go_up(const struct gpu *g, struct gpu_launch_info *l) { return l->parent && gpu_launch_get(g, l->parent - 1, l); }

bool race_family_orders(const struct gpu *g, const struct order *o, uint32_t a, uint32_t b)
{
	struct gpu_launch_info of_a, of_b;
	bool is_tail = false; /* the younger one runs after its parent's end */
	if (!gpu_launch_get(g, a, &of_a) || !gpu_launch_get(g, b, &of_b) || (!of_a.parent && !of_b.parent))
		return order_launches(o, a, b);
	while (of_a.launch.depth != of_b.launch.depth) {
		struct gpu_launch_info *deeper = of_a.launch.depth > of_b.launch.depth ? &of_a : &of_b;
		is_tail = deeper->tail;
		if (!go_up(g, deeper))
			return true;
	}
	if (of_a.launch.id == of_b.launch.id)
		return is_tail;
	while (of_a.parent != of_b.parent)
		if (!go_up(g, &of_a) || !go_up(g, &of_b))
			return true;
	return of_a.parent ? orders_siblings(g, &of_a, &of_b) : order_launches(o, of_a.launch.id, of_b.launch.id);
}

/* ---- single accesses ---- */

void race_launched(struct race *r, uint32_t slot, uint32_t warp, unsigned lane, uint32_t child)
{
	const struct race_block *b = race_block(r, slot);
	const struct race_warp *w = &b->warp[warp];
	struct race_parent *p = &race_head(r)->parent[child % RACE_PARENTS];
	race_touch(r, p, sizeof *p);
	*p = (struct race_parent){.id = child + 1,
				  .uid = b->uid + warp * r->warp_threads + lane,
				  .warp = warp,
				  .block = b->uid,
				  .threads = b->threads,
				  .at = race_tick(r),
				  .barrier = b->barrier,
				  .waited = b->waited,
				  .known = b->known,
				  .joined = w->joined,
				  .together = r->strict ? 0 : w->whole ? LANES_ALL : w->together[lane],
				  .know = w->lane[lane].know};
	memcpy(p->row, b->row[warp], sizeof p->row);
	memcpy(p->lanes, b->lanes[warp][lane], sizeof p->lanes);
}

void race_waited(struct race *r, uint32_t slot)
{
	struct race_block *b = race_block(r, slot);
	race_touch(r, &b->waited, sizeof b->waited);
	b->waited = race_tick(r);
}

/* Returns true if the launching thread knew an access of a thread of its block. */
static bool knew_in_block(const struct race *r, const struct race_parent *p, uint32_t thread, uint32_t stamp)
{
	const uint32_t warp = race_warp_of(r, thread), lane = race_lane_of(r, thread);
	if (stamp < p->barrier)
		return true;
	if (warp != p->warp)
		return stamp < p->row[warp];
	return (p->together >> lane & 1 && stamp < p->at) || stamp < p->joined || stamp < p->lanes[lane];
}

/* Returns true if an access of thread `uid` at time `stamp` is ordered before launch `child` by the thread that made the launch. `launcher`: the thread
 * that made the launch of `uid`; `is_child`: a thread did. Returns true, too, if it isn't known any more what that thread knew. */
static bool parent_knows(const struct race *r, uint32_t child, uint32_t uid, uint32_t uid_block, uint32_t stamp, bool is_child,
		       uint32_t launcher)
{
	const struct race_parent *p = &race_head(r)->parent[child % RACE_PARENTS];
	if (p->id != child + 1)
		return true;
	if (uid == p->uid)
		return stamp < p->at;
	if (stamp < p->known || (uid - p->block < p->threads && knew_in_block(r, p, uid - p->block, stamp)))
		return true;
	if (is_child && launcher - p->block < p->threads && stamp < p->waited)
		return true;
	return p->know && race_told(r, p->know, uid, uid_block, stamp);
}

bool race_family_knows(const struct gpu *g, const struct race *r, uint32_t slot, const struct gpu_launch_info *l, uint32_t uid, uint32_t stamp)
{
	const struct race_block *b = race_block(r, slot);
	const uint32_t block = uid - (uid - (uint32_t)l->launch.first_uid) % l->launch.threads_per_cta;
	struct gpu_launch_info up = *l;
	for (uint32_t launcher; up.parent; go_up(g, &up)) { /* is the thread's launch below the block's? */
		launcher = (uint32_t)up.parent_uid;
		if (up.parent == b->launch + 1)
			return launcher - b->uid < b->threads && stamp < b->waited;
	}
	for (bool has = gpu_launch_get(g, b->launch, &up); has && up.parent; has = go_up(g, &up))
		if (parent_knows(r, up.launch.id, uid, block, stamp, l->parent, (uint32_t)l->parent_uid))
			return true;
	return false;
}
