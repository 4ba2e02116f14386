/* Which warps stand on what was already reported: the last DEBUG_STOOD places. */
#include "debug/stop/stood.h"
#include "debug/stop/room.h"

static struct debug_stood place_of(const struct debug_hit *h)
{
	return (struct debug_stood){h->thread.launch, h->warp, h->thread.cta, h->cta->warp[h->warp].executed};
}

static bool has_place(const struct debug *d, const struct debug_stood *p)
{
	for (uint32_t i = 0; i < d->stop->n_stood; i++) {
		const struct debug_stood *s = &d->stop->stood[i];
		if (s->launch == p->launch && s->cta == p->cta && s->warp == p->warp && s->executed == p->executed)
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

void stood_add(struct debug *d, const struct debug_hit *h)
{
	const struct debug_stood p = place_of(h);
	stood_add_place(d, &p);
}
