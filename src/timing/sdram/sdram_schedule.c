/* Which request of a queue is served next, and which rows are closed although no request asks for it. */
#include "timing/sdram/sdram_internal.h"

/* Returns whether the next command of a request may be issued in this cycle. */
static bool is_ready(const struct sdram *d, const struct sdram_request *r)
{
	int32_t place[SDRAM_LEVELS];
	const enum sdram_command command = sdram_next_command(d, (enum sdram_type)r->type, r->at);
	sdram_command_place(d, command, r->at, place);
	return sdram_may_issue(d, command, place);
}

static bool is_hit(const struct sdram *d, const struct sdram_request *r) { return sdram_is_hit(d, (enum sdram_type)r->type, r->at); }

/* Returns how often the row that a request wants has been accessed since it was opened. */
static uint32_t row_hits(const struct sdram *d, const struct sdram_request *r)
{
	for (unsigned l = 0; l <= d->last_level; l++)
		if (r->at[l] < 0)
			return 0;
	const struct sdram_open_row *o = sdram_open_row_of(d, r->at);
	return o->is_listed && o->row == r->at[SDRAM_ROW] ? o->hits : 0;
}

static bool any(const struct sdram *d, const struct sdram_request *r)
{
	(void)d, (void)r;
	return true;
}
static bool ready_below_cap(const struct sdram *d, const struct sdram_request *r) { return is_ready(d, r) && row_hits(d, r) <= d->cfg.cap; }
static bool ready_hit(const struct sdram *d, const struct sdram_request *r) { return is_ready(d, r) && is_hit(d, r); }

/* Returns whether two requests go to the part of the memory that a precharge closes. */
static bool close_together(const struct sdram *d, const struct sdram_request *a, const struct sdram_request *b)
{
	for (unsigned l = 0; l <= d->scope[SDRAM_PRE]; l++)
		if (a->at[l] != b->at[l])
			return false;
	return true;
}

/* Returns whether a request would close a row that other requests of the queue want. */
static bool disturbs_hits(const struct sdram *d, const struct sdram_queue *q, const struct sdram_request *r)
{
	if (is_hit(d, r) || !sdram_finds_open(d, (enum sdram_type)r->type, r->at))
		return false;
	for (uint32_t k = q->head; k; k = sdram_request_at(d, k)->next)
		if (is_hit(d, sdram_request_at(d, k)) && close_together(d, r, sdram_request_at(d, k)))
			return true;
	return false;
}

/* Returns the oldest request that is `good`, else the oldest of all; with `spare` without those that disturb hits. */
static uint32_t best(const struct sdram *d, const struct sdram_queue *q, bool (*good)(const struct sdram *d, const struct sdram_request *r), bool spare,
		     bool *is_good)
{
	uint32_t found = 0;
	*is_good = false;
	for (uint32_t r = q->head; r; r = sdram_request_at(d, r)->next) {
		const struct sdram_request *m = sdram_request_at(d, r);
		if (spare && disturbs_hits(d, q, m))
			continue;
		const bool g = good(d, m);
		if (!found || g > *is_good || (g == *is_good && m->arrive < sdram_request_at(d, found)->arrive)) {
			found = r;
			*is_good = g;
		}
	}
	return found;
}

uint32_t sdram_choose_request(const struct sdram *d, const struct sdram_queue *q)
{
	static bool (*const good[SDRAM_POLICIES])(const struct sdram *d, const struct sdram_request *r) = {any, is_ready, ready_below_cap, ready_hit};
	bool is_good;
	const uint32_t r = best(d, q, good[d->cfg.policy], false, &is_good);
	if (is_good || d->cfg.policy != SDRAM_FRFCFS_PRIOR_HIT)
		return r;
	return best(d, q, is_ready, true, &is_good);
}

/* ---- rows that are closed without a request ---- */

static bool may_close(const struct sdram *d, const struct sdram_open_row *o, const int32_t *at)
{
	const bool is_old = d->cfg.row_policy != SDRAM_ROW_TIMEOUT || d->s->clock - o->time >= d->cfg.row_timeout;
	return is_old && sdram_may_issue(d, SDRAM_PRE, at);
}

/* Stores the place of part `part` of the last level. */
static void place_of(const struct sdram *d, uint32_t part, int32_t *at)
{
	for (unsigned l = d->last_level + 1u; l-- > 0;) {
		at[l] = (int32_t)(part % d->count[l]);
		part /= d->count[l];
	}
}

bool sdram_choose_victim(const struct sdram *d, uint32_t channel, int32_t *at)
{
	const uint32_t n = d->total[d->last_level] / d->cfg.channels;
	uint32_t left = d->cfg.row_policy == SDRAM_ROW_OPENED ? 0 : d->channel[channel].n_open_rows;
	for (uint32_t part = channel * n; left; part++) {
		const struct sdram_open_row *o = &d->open_row[part];
		if (!o->is_listed)
			continue;
		left--;
		for (unsigned l = 0; l < SDRAM_LEVELS; l++)
			at[l] = l <= d->last_level ? 0 : -1;
		place_of(d, part, at);
		at[SDRAM_SUBARRAY] = at[SDRAM_SUBARRAY] < 0 ? 0 : at[SDRAM_SUBARRAY];
		at[SDRAM_ROW] = o->row;
		if (may_close(d, o, at))
			return true;
	}
	return false;
}
