/* Branches that part the lanes of a warp: who goes where, in front of them and after. */
#include "debug/describe.h"
#include "debug/ground/ground.h"
#include "debug/stop/breakpoint.h"
#include "debug/stop/room.h"
#include "debug/stop/stop.h"
#include "debug/view/view.h"

/* The parts of a warp's lanes that a branch sends to different places; n is 1 where it parts none, 0 where it is no branch. */
struct parts {
	unsigned n;
	uint32_t pc[LANES + 1], lanes[LANES + 1];
};

static void add_lanes(struct parts *p, uint32_t pc, uint32_t lanes)
{
	unsigned k = 0;
	while (k < p->n && p->pc[k] != pc)
		k++;
	if (k == p->n) {
		p->pc[p->n++] = pc;
		p->lanes[k] = 0;
	}
	p->lanes[k] |= lanes;
}

static void parts_ahead(struct debug *d, const struct debug_hit *h, struct parts *out)
{
	struct exec_flow f;
	out->n = 0;
	if (!h->executing ||
	    !exec_flow_ahead(gpu_exec(d->g), &h->cta->warp[h->warp], h->pc, h->active, h->executing, &f) ||
	    f.how != EXEC_FLOW_BRANCH)
		return;
	for (uint32_t k = 0; k < f.n; k++)
		add_lanes(out, f.pc[k], f.lanes[k]);
}

bool debug_diverges(struct debug *d, const struct debug_hit *h)
{
	struct parts p;
	parts_ahead(d, h, &p);
	return p.n > 1;
}

/* The same lanes after the branch, those that run first. */
static void parts_after(struct debug *d, const struct debug_hit *h, struct parts *out)
{
	const struct exec *x = gpu_exec(d->g);
	const struct exec_warp *w = &h->cta->warp[h->warp];
	const struct exec_simt *top = exec_simt_top(x, w);
	out->n = 0;
	add_lanes(out, top->pc, top->mask & h->active);
	LANES_EACH (lane, h->active & ~top->mask) {
		const struct exec_simt *e = exec_simt_of_lane(x, w, lane);
		if (e)
			add_lanes(out, e->pc, lanes_bit(lane));
	}
}

static void add_parts(struct debug *d, const struct parts *p, const char *first, const char *others, struct debug_stop *stop)
{
	for (unsigned k = 0; k < p->n; k++) {
		struct report *part = report_create();
		report_lanes(part, "lanes", p->lanes[k]);
		describe_place(d, part, p->pc[k]);
		report_line(part, k ? ", lanes {lanes} " : "lanes {lanes} ");
		report_line(part, k ? others : first);
		report_line(part, " {ptx}[ ({source})]");
		stop_add_part(stop, "groups", part);
	}
	text_addc(&stop->text, '\n');
}

void stop_add_divergence(struct debug *d, const struct debug_hit *h, struct debug_stop *stop)
{
	struct parts p;
	parts_ahead(d, h, &p);
	add_parts(d, &p, "go to", "to", stop);
}

/* ---- `catch divergence after` ---- */

static bool is_after(const struct debug *d, const struct breakpoint *b)
{
	return breakpoint_is_on(d, b) && b->kind == BREAKPOINT_CATCH && b->caught == BREAKPOINT_ON_DIVERGENCE && b->location;
}

bool breakpoint_wants_split(struct debug *d, const struct debug_hit *h)
{
	for (size_t i = 0; i < d->stop->n_bps; i++)
		if (is_after(d, d->stop->bps[i]))
			return debug_diverges(d, h);
	return false;
}

bool breakpoint_check_split(struct debug *d, const struct debug_hit *h, struct debug_stop *stop)
{
	struct parts p;
	bool stops = false;
	parts_after(d, h, &p);
	for (size_t i = 0; i < d->stop->n_bps;) {
		struct breakpoint *b = d->stop->bps[i];
		const size_t before = d->stop->n_bps;
		struct text note = {0};
		const uint32_t lanes = is_after(d, b) ? breakpoint_lanes(d, b, h, h->active, &note) : 0;
		if (lanes && breakpoint_count_hit(d, b)) {
			if (!stop->n_hits) {
				stop->reason = DEBUG_STOP_CATCHPOINT;
				debug_focus_on(d, h, lanes & p.lanes[0] ? lanes & p.lanes[0] : lanes);
				text_add(&stop->text, text_str(&note));
				stop_add_catch(b, stop);
				add_parts(d, &p, "run at", "wait at", stop);
			}
			breakpoint_report(d, b, stop);
			stops = true;
		}
		text_free(&note);
		i += before == d->stop->n_bps;
	}
	return stops;
}
