/* Refreshes: a rank's at a fixed rate; DSARP's, a bank's each, at times of its choice. */
#include "timing/sdram/sdram_internal.h"

#define AHEAD_MOST 8	/* refreshes that a bank may be ahead or behind */
#define BEHIND_EARLY -6 /* an idle bank that is further behind is refreshed */
#define BANKS_MAX 64u

/* ---- random numbers: those of glibc's rand() from seed 1 ---- */

static uint32_t random_next(struct sdram *d)
{
	struct sdram_memory *s = d->s;
	const uint32_t at = s->random_at;
	s->random[at] += s->random[(at + SDRAM_RANDOM_LAG - 3) % SDRAM_RANDOM_LAG];
	s->random_at = (at + 1) % SDRAM_RANDOM_LAG;
	return s->random[at] >> 1;
}

void sdram_random_init(struct sdram *d)
{
	struct sdram_memory *s = d->s;
	s->random[0] = 1;
	for (unsigned k = 1; k < SDRAM_RANDOM_LAG; k++)
		s->random[k] = (uint32_t)((uint64_t)16807 * s->random[k - 1] % 2147483647);
	s->random_at = 3; /* three values repeat the first ones before the sums begin */
	for (unsigned k = 34; k < 344; k++)
		random_next(d);
}

/* ---- DSARP ---- */

/* Enters a refresh of a bank's next subarray. */
static void inject(struct sdram *d, uint32_t channel, uint32_t rank, uint32_t bank)
{
	uint32_t *subarray = &d->next_subarray[(channel * d->cfg.ranks + rank) * d->count[SDRAM_BANK] + bank];
	const int32_t at[SDRAM_LEVELS] = {(int32_t)channel, (int32_t)rank, 0, (int32_t)bank, (int32_t)*subarray, -1, -1};
	sdram_push_refresh(d, &d->channel[channel], at);
	d->balance[(channel * d->cfg.ranks + rank) * d->count[SDRAM_BANK] + bank]++;
	*subarray = (*subarray + 1) % d->count[SDRAM_SUBARRAY];
}

/* Counts the requests of a queue for a rank, those for each bank in by_bank unless that is NULL. */
static uint32_t count_requests(const struct sdram *d, const struct sdram_queue *q, uint32_t rank, uint32_t *by_bank)
{
	uint32_t n = 0;
	for (uint32_t r = q->head; r; r = sdram_request_at(d, r)->next) {
		const struct sdram_request *m = sdram_request_at(d, r);
		if ((uint32_t)m->at[SDRAM_RANK] != rank)
			continue;
		n++;
		if (by_bank && m->at[SDRAM_BANK] >= 0)
			by_bank[m->at[SDRAM_BANK]]++;
	}
	return n;
}

static bool is_full(const struct sdram_channel *c) { return c->queue[SDRAM_OTHERS].n >= SDRAM_QUEUE; }

/* Writes begin: the bank with the fewest requests is refreshed. */
static void refresh_for_writes(struct sdram *d, uint32_t channel, uint32_t rank)
{
	struct sdram_channel *c = &d->channel[channel];
	uint32_t demand[BANKS_MAX] = {0}, least = 0;
	if (count_requests(d, &c->queue[SDRAM_OTHERS], rank, NULL) || !count_requests(d, &c->queue[SDRAM_WRITES], rank, demand))
		return;
	count_requests(d, &c->queue[SDRAM_READS], rank, demand);
	for (uint32_t b = 1; b < d->count[SDRAM_BANK]; b++)
		if (demand[b] < demand[least])
			least = b;
	if (!least)
		random_next(d); /* the reference draws one of the banks up to the first whose number isn't 0, which is this one */
	if (d->balance[(channel * d->cfg.ranks + rank) * d->count[SDRAM_BANK] + least] < AHEAD_MOST && !is_full(c))
		inject(d, channel, rank, least);
}

/* Reads are served: a bank without reads that is far behind is refreshed. */
static void refresh_idle(struct sdram *d, uint32_t channel, uint32_t rank)
{
	struct sdram_channel *c = &d->channel[channel];
	const uint32_t n = d->count[SDRAM_BANK], first = random_next(d) % n;
	uint32_t reads[BANKS_MAX] = {0}, refreshes[BANKS_MAX] = {0};
	count_requests(d, &c->queue[SDRAM_READS], rank, reads);
	count_requests(d, &c->queue[SDRAM_OTHERS], rank, refreshes);
	for (uint32_t k = 0; k < n; k++) {
		const uint32_t b = (first + k) % n;
		if (reads[b] || refreshes[b] || d->balance[(channel * d->cfg.ranks + rank) * n + b] >= BEHIND_EARLY || is_full(c))
			continue;
		inject(d, channel, rank, b);
		return;
	}
}

static void choose_refreshes(struct sdram *d, uint32_t channel)
{
	struct sdram_channel *c = &d->channel[channel];
	for (uint32_t rank = 0; c->writing && !c->was_writing && rank < d->cfg.ranks; rank++)
		refresh_for_writes(d, channel, rank);
	c->was_writing = c->writing;
	for (uint32_t rank = 0; !c->writing && rank < d->cfg.ranks; rank++)
		refresh_idle(d, channel, rank);
}

/* The refresh of a rank's next bank is due. */
static void refresh_due(struct sdram *d, uint32_t channel, uint32_t rank)
{
	struct sdram_channel *c = &d->channel[channel];
	const uint32_t banks = d->count[SDRAM_BANK], of_rank = channel * d->cfg.ranks + rank, b = d->next_bank[of_rank];
	int32_t *balance = &d->balance[of_rank * banks + b];
	--*balance;
	d->next_bank[of_rank] = (b + 1) % banks;
	if (d->chooses_refresh && *balance > -AHEAD_MOST && (c->queue[SDRAM_OTHERS].n || c->queue[SDRAM_READS].n))
		return;
	inject(d, channel, rank, b);
}

/* ---- all standards ---- */

void sdram_refresh(struct sdram *d, uint32_t channel)
{
	struct sdram_channel *c = &d->channel[channel];
	if (d->chooses_refresh)
		choose_refreshes(d, channel);
	if (d->s->clock - c->refreshed < d->refresh_every)
		return;
	for (uint32_t rank = 0; rank < d->cfg.ranks; rank++) {
		const int32_t at[SDRAM_LEVELS] = {(int32_t)channel, (int32_t)rank, -1, -1, -1, -1, -1};
		if (d->refresh_command == SDRAM_REFPB)
			refresh_due(d, channel, rank);
		else
			sdram_push_refresh(d, c, at);
	}
	c->refreshed = d->s->clock;
}
