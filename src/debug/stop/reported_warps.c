/* Which warps stand on what was already reported: the last DEBUG_STOOD places. */
#include "debug/stop/reported_warps.h"
#include "debug/stop/room.h"

static struct debug_stood place_of(const struct debug_hit *h)
{
	return (struct debug_stood){h->thread.launch, h->warp, h->thread.cta, h->cta->warp[h->warp].executed};
}

static bool is_same(const struct debug_stood *a, const struct debug_stood *b)
{
	return a->launch == b->launch && a->cta == b->cta && a->warp == b->warp && a->executed == b->executed;
}

static bool has_place(const struct debug *d, const struct debug_stood *p)
{
	for (uint32_t i = 0; i < d->stop->n_stood; i++) {
		if (is_same(&d->stop->stood[i], p))
			return true;
	}
	return false;
}

bool stood_has(const struct debug *d, const struct debug_hit *h)
{
	const struct debug_stood p = place_of(h);
	return has_place(d, &p);
}

void stood_add_place(struct debug *d, const struct debug_stood *p)
{
	if (has_place(d, p))
		return;
	d->stop->stood[d->stop->next_stood] = *p;
	d->stop->next_stood = (d->stop->next_stood + 1) % DEBUG_STOOD;
	if (d->stop->n_stood < DEBUG_STOOD)
		d->stop->n_stood++;
}

void stood_set_unreported(struct debug *d, const struct debug_hit *h)
{
	d->stop->unreported = place_of(h);
	d->stop->has_unreported = true;
}

bool stood_is_unreported(const struct debug *d, const struct debug_hit *h)
{
	const struct debug_stood p = place_of(h);
	return d->stop->has_unreported && is_same(&d->stop->unreported, &p);
}

void stood_add(struct debug *d, const struct debug_hit *h)
{
	const struct debug_stood p = place_of(h);
	stood_add_place(d, &p);
}
