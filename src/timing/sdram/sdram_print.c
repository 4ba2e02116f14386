/* Looking at a memory of a DRAM standard: places in words, queues, open rows, refreshes. */
#include <inttypes.h>

#include "timing/sdram/sdram_internal.h"

const char *sdram_level_name(enum sdram_level level)
{
	static const char *const names[SDRAM_LEVELS] = {"channel", "rank", "bank group", "bank", "subarray", "row", "column"};
	return names[level];
}

/* Appends the numbers of a place, from the channel down to `last`. */
static void add_place(const struct sdram *d, const int32_t *at, enum sdram_level last, struct text *out)
{
	for (unsigned k = 0; k < d->cfg.standard->n_levels; k++) {
		const enum sdram_level l = (enum sdram_level)d->cfg.standard->level[k];
		if (l > last || at[l] < 0)
			return;
		text_addf(out, l == SDRAM_ROW ? "%s%s 0x%" PRIx32 : "%s%s %" PRId32, k ? ", " : "", sdram_level_name(l), at[l]);
	}
}

void sdram_add_place(const struct sdram *d, uint64_t address, struct text *out)
{
	int32_t at[SDRAM_LEVELS];
	sdram_decode(d, address, at);
	add_place(d, at, SDRAM_COLUMN, out);
}

bool sdram_add_command(const struct sdram *d, uint32_t channel, struct text *out)
{
	const struct sdram_channel *c = &d->channel[channel];
	if (!d->s->clock || c->last_cycle != d->s->clock)
		return false;
	add_place(d, c->last_at, SDRAM_COLUMN, out);
	text_addf(out, ": %s", d->name[c->last_command]);
	return true;
}

uint32_t sdram_part_count(const struct sdram *d) { return d->total[d->last_level] / d->cfg.channels; }

/* Returns the cycles until a command may be issued to a place. */
static int64_t wait_for(const struct sdram *d, enum sdram_command command, const int32_t *at)
{
	const unsigned last = d->scope[command] < d->last_level ? d->scope[command] : d->last_level;
	int64_t from = 0;
	uint32_t part = 0;
	for (unsigned l = 0; l <= last && at[l] >= 0; l++) {
		part = part * d->count[l] + (uint32_t)at[l];
		const int64_t next = d->next[l][(uint64_t)part * SDRAM_COMMANDS + command];
		from = next > from ? next : from;
	}
	return from > d->s->clock ? from - d->s->clock : 0;
}

void sdram_get_part(const struct sdram *d, uint32_t channel, uint32_t k, struct sdram_part_view *out)
{
	uint32_t part = channel * sdram_part_count(d) + k;
	const struct sdram_open_row *o = &d->open_row[part];
	const struct sdram_node *n = &d->node[d->last_level][part];
	*out = (struct sdram_part_view){.is_open = n->state != SDRAM_CLOSED, .is_selected = n->state == SDRAM_SELECTED};
	for (unsigned l = d->last_level + 1u; l-- > 0; part /= d->count[l])
		out->at[l] = (int32_t)(part % d->count[l]);
	out->at[SDRAM_ROW] = out->is_open ? n->row : -1;
	out->at[SDRAM_COLUMN] = -1;
	if (d->last_level < SDRAM_SUBARRAY)
		out->at[SDRAM_SUBARRAY] = -1;
	out->hits = o->is_listed ? o->hits : 0;
	out->wait_open = wait_for(d, SDRAM_ACT, out->at);
	out->wait_close = out->is_open ? wait_for(d, SDRAM_PRE, out->at) : 0;
	if (d->plans_refresh)
		out->refreshes_behind = -d->balance[sdram_node_of(d, out->at, SDRAM_BANK)];
}

void sdram_get_channel(const struct sdram *d, uint32_t channel, struct sdram_channel_view *out)
{
	const struct sdram_channel *c = &d->channel[channel];
	*out = (struct sdram_channel_view){
		.reads = c->queue[SDRAM_READS].n,
		.writes = c->queue[SDRAM_WRITES].n,
		.refreshes = c->queue[SDRAM_OTHERS].n,
		.activated = c->queue[SDRAM_ACTIVATED].n,
		.pending = c->queue[SDRAM_PENDING].n,
		.is_writing = c->writing,
		.refresh_in = c->refreshed + d->refresh_every - d->s->clock,
	};
}

/* ---- dumps ---- */

static void dump_queue(const struct sdram *d, const struct sdram_queue *q, const char *name, struct text *out)
{
	text_addf(out, "  %-16s %u\n", name, q->n);
	for (uint32_t r = q->n ? q->head : 0; r; r = sdram_request_at(d, r)->next) {
		const struct sdram_request *m = sdram_request_at(d, r);
		if (m->type == SDRAM_REFRESH)
			text_add(out, "    refresh of ");
		else
			text_addf(out, "    0x%08" PRIx64 " %s at ", m->address, m->type == SDRAM_WRITE ? "write" : "read");
		add_place(d, m->at, SDRAM_COLUMN, out);
		text_addf(out, ", since %" PRId64, m->arrive);
		if (m->depart)
			text_addf(out, ", data until %" PRId64, m->depart);
		text_addc(out, '\n');
	}
}

static void dump_part(const struct sdram *d, const struct sdram_part_view *v, struct text *out)
{
	text_add(out, "    ");
	add_place(d, v->at, (enum sdram_level)d->last_level, out);
	text_addf(out, ": row 0x%" PRIx32 "%s, %u access%s", v->at[SDRAM_ROW], v->is_selected ? " (selected)" : "", v->hits, v->hits == 1 ? "" : "es");
	if (v->wait_close)
		text_addf(out, ", may be closed in %" PRId64, v->wait_close);
	text_addc(out, '\n');
}

static void dump_channel(const struct sdram *d, uint32_t channel, struct text *out)
{
	struct sdram_channel_view c;
	struct sdram_part_view v;
	uint32_t n_closed = 0;
	sdram_get_channel(d, channel, &c);
	text_addf(out, "Channel %u: %s, next refresh in %" PRId64 " cycles\n", channel, c.is_writing ? "writes are served" : "reads are served", c.refresh_in);
	for (unsigned q = 0; q < SDRAM_QUEUES; q++)
		dump_queue(d, &d->channel[channel].queue[q], sdram_queue_names[q], out);
	text_add(out, "  open rows\n");
	for (uint32_t k = 0; k < sdram_part_count(d); k++) {
		sdram_get_part(d, channel, k, &v);
		if (v.is_open)
			dump_part(d, &v, out);
		n_closed += !v.is_open;
	}
	text_addf(out, "    (%u %s%s closed)\n", n_closed, sdram_level_name((enum sdram_level)d->last_level), n_closed == 1 ? " is" : "s are");
}

void sdram_dump(const struct sdram *d, struct text *out)
{
	const struct sdram_config *c = &d->cfg;
	text_addf(out, "Memory of all partitions: %s, %s_%s, %s_%s at its cycle %" PRId64 "\n", sdram_standard_name(c->standard, c->variant), c->standard->name,
		  c->organisation->name, c->standard->name, c->speed->name, d->s->clock);
	for (uint32_t k = 0; k < c->channels; k++)
		dump_channel(d, k, out);
}

/* ---- why a request waits ---- */

static const struct sdram_request *find(const struct sdram *d, uint64_t address, enum sdram_queue_kind *where)
{
	int32_t at[SDRAM_LEVELS];
	sdram_decode(d, address, at);
	for (unsigned q = 0; q < SDRAM_QUEUES; q++) {
		const struct sdram_queue *queue = &d->channel[at[SDRAM_CHANNEL]].queue[q];
		for (uint32_t r = queue->head, n = 0; n < queue->n; r = sdram_request_at(d, r)->next, n++)
			if (sdram_request_at(d, r)->type != SDRAM_REFRESH && sdram_request_at(d, r)->address == address) {
				*where = (enum sdram_queue_kind)q;
				return sdram_request_at(d, r);
			}
	}
	return NULL;
}

void sdram_explain(const struct sdram *d, uint64_t address, struct text *out)
{
	enum sdram_queue_kind where = SDRAM_READS;
	const struct sdram_request *m = find(d, address, &where);
	if (!m)
		return;
	const struct sdram_channel *c = &d->channel[m->at[SDRAM_CHANNEL]];
	text_add(out, "; ");
	add_place(d, m->at, SDRAM_ROW, out);
	if (where == SDRAM_PENDING) {
		text_addf(out, "; its data are there in %" PRId64 " DRAM cycles", m->depart > d->s->clock ? m->depart - d->s->clock : 0);
		return;
	}
	if (where != SDRAM_ACTIVATED && c->queue[SDRAM_OTHERS].n)
		text_add(out, "; a refresh goes first");
	else if (where == SDRAM_READS && c->writing)
		text_add(out, "; writes are served");
	const enum sdram_command command = sdram_next_command(d, (enum sdram_type)m->type, m->at);
	text_addf(out, "; it needs %s", d->name[command]);
	const int64_t wait = wait_for(d, command, m->at);
	if (wait)
		text_addf(out, ", which may be issued in %" PRId64 " DRAM cycle%s", wait, wait == 1 ? "" : "s");
}
