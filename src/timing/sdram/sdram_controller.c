/* A channel's controller: what it does in a cycle. */
#include "timing/sdram/sdram_internal.h"

#include <string.h>

#define HIGH_MARK 25u /* waiting writes; 0.8 of the queue */
#define LOW_MARK 6u   /* 0.2 of it */

/* ---- the kinds ---- */

static uint32_t reads(const struct sdram_channel *c) { return c->queue[SDRAM_READS].n; }
static uint32_t writes(const struct sdram_channel *c) { return c->queue[SDRAM_WRITES].n; }

static bool starts_2023(const struct sdram *d, const struct sdram_channel *c)
{
	return writes(c) > (d->s->draining ? 0 : HIGH_MARK) || !reads(c);
}
static bool stops_2023(const struct sdram *d, const struct sdram_channel *c)
{
	(void)d;
	return writes(c) < LOW_MARK && reads(c);
}
static bool starts_2018(const struct sdram *d, const struct sdram_channel *c)
{
	(void)d;
	return writes(c) >= HIGH_MARK || !reads(c);
}
static bool stops_2018(const struct sdram *d, const struct sdram_channel *c)
{
	(void)d;
	return writes(c) <= LOW_MARK && reads(c);
}
/* Without the second condition the last writes would wait for ever. */
static bool starts_tldram(const struct sdram *d, const struct sdram_channel *c) { return writes(c) >= HIGH_MARK || (d->s->draining && !reads(c)); }

static const struct sdram_controller ramulator = {true, false, false, true, starts_2023, stops_2023};
static const struct sdram_controller of_2018 = {false, true, false, true, starts_2018, stops_2018};
static const struct sdram_controller of_tldram = {false, false, true, false, starts_tldram, stops_2018};

const struct sdram_controller *sdram_controller_of(const struct sdram_config *cfg)
{
	if (cfg->controller == SDRAM_2018)
		return &of_2018;
	return strcmp(cfg->standard->name, "TLDRAM") ? &ramulator : &of_tldram;
}

/* ---- a cycle ---- */

static void count_queues(struct sdram *d, struct sdram_channel *c)
{
	const uint32_t pending = d->controller->counts_pending ? c->queue[SDRAM_PENDING].n : 0;
	c->stats.req_queue_length_sum += reads(c) + writes(c) + pending;
	c->stats.read_req_queue_length_sum += reads(c) + pending;
	c->stats.write_req_queue_length_sum += writes(c);
}

/* A request is done: it leaves the memory. */
static void finish(struct sdram *d, struct sdram_channel *c, uint32_t r)
{
	const struct sdram_request *m = sdram_request_at(d, r);
	if (m->type != SDRAM_REFRESH) {
		c->serving -= m->kind != SDRAM_FORWARD;
		(m->type == SDRAM_WRITE ? d->s->stats.write_kinds : d->s->stats.read_kinds)[m->kind]++;
		if (d->observer.on_done)
			d->observer.on_done(d->observer.self, d->s->clock, m);
	}
	sdram_request_free(d, r);
}

/* The first read on its way back, if its data are there. */
static void finish_read(struct sdram *d, struct sdram_channel *c)
{
	struct sdram_queue *q = &c->queue[SDRAM_PENDING];
	const uint32_t r = q->head;
	if (!q->n || sdram_request_at(d, r)->depart > d->s->clock)
		return;
	const int64_t latency = sdram_request_at(d, r)->depart - sdram_request_at(d, r)->arrive;
	if (latency > 1)
		c->stats.read_latency_sum += (uint64_t)latency;
	sdram_queue_remove(d, q, r);
	finish(d, c, r);
}

static void choose_mode(const struct sdram *d, struct sdram_channel *c)
{
	if (c->writing)
		c->writing = !d->controller->stops_writing(d, c);
	else
		c->writing = d->controller->starts_writing(d, c);
}

/* A request with the command that is issued for it. */
struct choice {
	enum sdram_queue_kind queue;
	uint32_t request; /* 0: none */
	enum sdram_command command;
};

/* Chooses the request of a queue. Returns false if there is none, or its command may not be issued now. */
static bool choose_of(const struct sdram *d, const struct sdram_channel *c, enum sdram_queue_kind queue, struct choice *out)
{
	const uint32_t r = sdram_choose_request(d, &c->queue[queue]);
	if (!r)
		return false;
	const struct sdram_request *m = sdram_request_at(d, r);
	int32_t place[SDRAM_LEVELS];
	*out = (struct choice){queue, r, sdram_next_command(d, (enum sdram_type)m->type, m->at)};
	if (!d->controller->looks_at_offender)
		return sdram_may_issue(d, out->command, m->at);
	sdram_command_place(d, out->command, m->at, place);
	return sdram_may_issue(d, out->command, place);
}

/* The queue that is served beside the activated requests'. */
static enum sdram_queue_kind served(const struct sdram_channel *c)
{
	if (c->queue[SDRAM_OTHERS].n)
		return SDRAM_OTHERS;
	return c->writing ? SDRAM_WRITES : SDRAM_READS;
}

static bool choose(const struct sdram *d, const struct sdram_channel *c, struct choice *out)
{
	return (d->controller->has_activated && choose_of(d, c, SDRAM_ACTIVATED, out)) || choose_of(d, c, served(c), out);
}

/* Counts how a request found its row, which is known at its first command. */
static void classify(struct sdram *d, struct sdram_channel *c, struct sdram_request *m)
{
	const enum sdram_type type = (enum sdram_type)m->type;
	struct sdram_channel_stats *st = &c->stats;
	const bool is_write = type == SDRAM_WRITE;
	if (m->kind != SDRAM_UNSERVED || type == SDRAM_REFRESH)
		return;
	c->serving++;
	*(is_write ? &st->write_transaction_bytes : &st->read_transaction_bytes) += d->bytes;
	if (sdram_is_hit(d, type, m->at)) {
		m->kind = SDRAM_HIT;
		st->row_hits++;
		is_write ? st->write_row_hits++ : st->read_row_hits++;
	} else if (sdram_finds_open(d, type, m->at)) {
		m->kind = SDRAM_CONFLICT;
		st->row_conflicts++;
		is_write ? st->write_row_conflicts++ : st->read_row_conflicts++;
	} else {
		m->kind = SDRAM_MISS;
		st->row_misses++;
		is_write ? st->write_row_misses++ : st->read_row_misses++;
	}
}

/* ---- issuing ---- */

/* Counts the requests of a queue that find the row of `at` open. */
static uint32_t count_hits(const struct sdram *d, const struct sdram_queue *q, const int32_t *at)
{
	uint32_t n = 0;
	for (uint32_t r = q->head; r; r = sdram_request_at(d, r)->next) {
		const struct sdram_request *m = sdram_request_at(d, r);
		n += sdram_is_hit(d, (enum sdram_type)m->type, m->at) && !memcmp(m->at, at, (SDRAM_ROW + 1) * sizeof *at);
	}
	return n;
}

/* Returns the command that closes the row behind an access, if one request asks for the row. */
static enum sdram_command closing(const struct sdram *d, const struct sdram_channel *c, enum sdram_command command, const int32_t *at)
{
	if (d->cfg.row_policy != SDRAM_ROW_CLOSED_AP || d->controller->copies_reads || (command != SDRAM_RD && command != SDRAM_WR))
		return command;
	uint32_t n = count_hits(d, &c->queue[c->writing ? SDRAM_WRITES : SDRAM_READS], at);
	if (!n)
		n = count_hits(d, &c->queue[SDRAM_ACTIVATED], at);
	if (n != 1)
		return command;
	return command == SDRAM_RD ? SDRAM_RDA : SDRAM_WRA;
}

/* Keeps a command for observers, and notifies the present one. */
static void note_command(const struct sdram *d, struct sdram_channel *c, enum sdram_command command, const int32_t *at)
{
	c->last_cycle = d->s->clock;
	c->last_command = (uint8_t)command;
	for (unsigned l = 0; l < SDRAM_LEVELS; l++)
		c->last_at[l] = l <= d->scope[command] ? at[l] : -1;
	if (d->observer.on_command)
		d->observer.on_command(d->observer.self, d->s->clock, d->name[command], c->last_at);
}

static void issue(struct sdram *d, struct sdram_channel *c, enum sdram_command command, const int32_t *at)
{
	command = closing(d, c, command, at);
	sdram_apply(d, command, at);
	if (command == SDRAM_PRE) {
		const struct sdram_open_row *o = sdram_open_row_of(d, at);
		c->stats.useless_activates += !o->is_listed || !o->hits;
	}
	sdram_note_open_rows(d, c, command, at);
	c->stats.commands[command]++;
	d->s->stats.last_command_cycle = (uint64_t)d->s->clock;
	note_command(d, c, command, at);
}

static bool opens(enum sdram_command command) { return command == SDRAM_ACT || command == SDRAM_ACTF || command == SDRAM_ACTM; }

/* A request has had its last command. */
static void end_request(struct sdram *d, struct sdram_channel *c, const struct choice *it)
{
	struct sdram_request *m = sdram_request_at(d, it->request);
	sdram_queue_remove(d, &c->queue[it->queue], it->request);
	if (m->type != SDRAM_READ && m->type != SDRAM_EXTENSION) {
		finish(d, c, it->request);
		return;
	}
	m->depart = d->s->clock + d->read_latency;
	sdram_queue_push(d, &c->queue[SDRAM_PENDING], it->request);
}

static void serve(struct sdram *d, struct sdram_channel *c, struct choice *it)
{
	struct sdram_request *m = sdram_request_at(d, it->request);
	int32_t place[SDRAM_LEVELS];
	classify(d, c, m);
	if (d->controller->copies_reads && m->type == SDRAM_READ) {
		m->type = SDRAM_EXTENSION;
		it->command = sdram_next_command(d, SDRAM_EXTENSION, m->at);
	}
	sdram_command_place(d, it->command, m->at, place);
	issue(d, c, it->command, place);
	if (it->command == sdram_last_command(d, (enum sdram_type)m->type)) {
		end_request(d, c, it);
	} else if (opens(it->command) && d->controller->has_activated) {
		sdram_queue_remove(d, &c->queue[it->queue], it->request);
		sdram_queue_push(d, &c->queue[SDRAM_ACTIVATED], it->request);
	}
}

void sdram_channel_cycle(struct sdram *d, uint32_t channel)
{
	struct sdram_channel *c = &d->channel[channel];
	struct choice it;
	int32_t at[SDRAM_LEVELS];
	count_queues(d, c);
	finish_read(d, c);
	sdram_refresh(d, channel);
	choose_mode(d, c);
	if (choose(d, c, &it))
		serve(d, c, &it);
	else if (sdram_choose_victim(d, channel, at))
		issue(d, c, SDRAM_PRE, at);
}
