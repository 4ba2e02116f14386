/* Replaying a trace of accesses, and a memory's statistics by name. */
#include <stdio.h>
#include <string.h>

#include "timing/sdram/sdram_internal.h"

const char *const sdram_kind_names[SDRAM_KINDS] = {"unserved", "forward", "hit", "miss", "conflict"};

#define ASK_EVERY 0xfff /* cycles */

bool sdram_replay(struct sdram *d, const struct sdram_access *at, uint32_t n, bool (*is_interrupted)(void *self), void *self)
{
	uint32_t k = 0;
	bool has_ended = false;
	do {
		if (k < n && sdram_offer(d, at[k].address, at[k].is_write, k)) {
			k++;
		} else if (k == n) {
			has_ended = true;
			sdram_drain(d);
		}
		sdram_cycle(d);
		if (is_interrupted && !(d->s->clock & ASK_EVERY) && is_interrupted(self))
			return false;
	} while (!has_ended || !sdram_is_empty(d));
	return true;
}

/* ---- statistics ---- */

struct counter {
	const char *name;
	size_t at; /* in struct sdram_stats, or struct sdram_channel_stats */
};
#define OF_MEMORY(name) {#name, offsetof(struct sdram_stats, name)}
static const struct counter of_memory[] = {
	OF_MEMORY(cycles), OF_MEMORY(incoming_requests), OF_MEMORY(read_requests), OF_MEMORY(write_requests), OF_MEMORY(active_cycles),
	OF_MEMORY(in_queue_req_num_sum), OF_MEMORY(in_queue_read_req_num_sum), OF_MEMORY(in_queue_write_req_num_sum),
};
#define OF_CHANNEL(name) {#name, offsetof(struct sdram_channel_stats, name)}
static const struct counter of_channel[] = {
	OF_CHANNEL(row_hits), OF_CHANNEL(row_misses), OF_CHANNEL(row_conflicts), OF_CHANNEL(read_row_hits), OF_CHANNEL(read_row_misses),
	OF_CHANNEL(read_row_conflicts), OF_CHANNEL(write_row_hits), OF_CHANNEL(write_row_misses), OF_CHANNEL(write_row_conflicts),
	OF_CHANNEL(useless_activates), OF_CHANNEL(read_transaction_bytes), OF_CHANNEL(write_transaction_bytes), OF_CHANNEL(read_latency_sum),
	OF_CHANNEL(req_queue_length_sum), OF_CHANNEL(read_req_queue_length_sum), OF_CHANNEL(write_req_queue_length_sum),
};
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static uint64_t value_of(const void *stats, const struct counter *c)
{
	uint64_t v;
	memcpy(&v, (const char *)stats + c->at, sizeof v);
	return v;
}

typedef void row_function(void *self, const char *name, uint64_t value);

static void each_kind(const char *what, const uint64_t *kinds, row_function *row, void *self)
{
	char name[64];
	for (unsigned k = 0; k < SDRAM_KINDS; k++) {
		snprintf(name, sizeof name, "kinds[%s_%s]", what, sdram_kind_names[k]);
		if (kinds[k])
			row(self, name, kinds[k]);
	}
}

static void each_command(const struct sdram *d, row_function *row, void *self)
{
	uint64_t all = 0;
	char name[64];
	for (unsigned k = 0; k < SDRAM_COMMANDS; k++) {
		uint64_t n = 0;
		for (uint32_t c = 0; c < d->cfg.channels; c++)
			n += d->channel[c].stats.commands[k];
		if (n) {
			snprintf(name, sizeof name, "command_counts[%s]", d->name[k]);
			row(self, name, n);
		}
		all += n;
	}
	row(self, "commands", all);
	row(self, "last_command_cycle", d->s->stats.last_command_cycle);
}

void sdram_each_statistic(const struct sdram *d, row_function *row, void *self)
{
	char name[64];
	for (unsigned k = 0; k < COUNT(of_memory); k++)
		row(self, of_memory[k].name, value_of(&d->s->stats, &of_memory[k]));
	for (uint32_t c = 0; c < d->cfg.channels; c++)
		for (unsigned k = 0; k < COUNT(of_channel); k++) {
			snprintf(name, sizeof name, "%s[%u]", of_channel[k].name, c);
			row(self, name, value_of(&d->channel[c].stats, &of_channel[k]));
		}
	each_kind("read", d->s->stats.read_kinds, row, self);
	each_kind("write", d->s->stats.write_kinds, row, self);
	each_command(d, row, self);
}
