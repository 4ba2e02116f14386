/* Timing rules: rows of a DRAM model (struct dram_rule) at work.
 *
 * Each part keeps the last command of each kind, from which a rule's timer follows, and the first cycle in which its rules allow each kind. */
#include "timing/dram/dram_internal.h"

bool dram_rules_check(const struct dram_config *cfg, struct text *why)
{
	const struct dram_model *m = cfg->model;
	for (unsigned k = 0; k < m->n_rules; k++) {
		int64_t cycles;
		if (dram_delay(cfg, m->rules[k].delay, &cycles) && cycles >= 0 && cycles <= UINT32_MAX)
			continue;
		text_addf(why, "DRAM: %s = %s is no number of cycles", m->rules[k].name, m->rules[k].delay);
		return false;
	}
	return true;
}

/* Adds the delays that a rule starts after a command. */
static void add_rule(struct dram *d, const struct dram_rule *rule, uint32_t cycles, enum dram_command before, uint32_t *n)
{
	for (unsigned after = 0; after < DRAM_COMMANDS; after++)
		if (rule->after >> after & 1)
			d->delay[(*n)++] = (struct dram_delay){cycles, (uint8_t)rule->level, (uint8_t)after};
	if (rule->is_activity && cycles > d->active_cycles[before])
		d->active_cycles[before] = cycles;
}

void dram_rules_init(struct dram *d)
{
	const struct dram_model *m = d->cfg->model;
	uint32_t n = 0;
	assert(m->n_rules <= DRAM_RULES_MAX);
	for (unsigned k = 0; k < m->n_rules; k++) {
		int64_t cycles = 0;
		dram_delay(d->cfg, m->rules[k].delay, &cycles);
		d->rule_cycles[k] = (uint32_t)cycles;
	}
	for (unsigned before = 0; before < DRAM_COMMANDS; before++) {
		d->first_delay[before] = n;
		for (unsigned k = 0; k < m->n_rules; k++)
			if (m->rules[k].before >> before & 1)
				add_rule(d, &m->rules[k], d->rule_cycles[k], (enum dram_command)before, &n);
	}
	d->first_delay[DRAM_COMMANDS] = n;
}

void dram_rules_start(struct dram *d, uint32_t bank, enum dram_command command)
{
	struct dram_state *s = d->s;
	struct dram_part *const part[DRAM_LEVELS] = {
		[DRAM_CHANNEL] = &s->channel, [DRAM_GROUP] = dram_group_of(d, bank), [DRAM_BANK] = &d->bank[bank].part};
	const uint64_t now = s->stats.n.cmd;
	const struct dram_delay *const end = &d->delay[d->first_delay[command + 1]];
	for (unsigned level = 0; level < DRAM_LEVELS; level++)
		part[level]->last[command] = now + 1;
	for (const struct dram_delay *r = &d->delay[d->first_delay[command]]; r < end; r++) {
		uint64_t *next = &part[r->level]->next[r->after];
		*next = later(*next, now + r->cycles);
	}
	s->active_until = later(s->active_until, now + d->active_cycles[command]);
}

struct dram_part *dram_part_at(const struct dram *d, enum dram_level level, uint32_t k)
{
	switch (level) {
	case DRAM_CHANNEL: return &d->s->channel;
	case DRAM_GROUP: return &d->group[k];
	default: return &d->bank[k].part;
	}
}

uint32_t dram_part_count(const struct dram *d, enum dram_level level)
{
	switch (level) {
	case DRAM_CHANNEL: return 1;
	case DRAM_GROUP: return d->cfg->t.nbkgrp;
	default: return d->cfg->t.nbk;
	}
}

/* Returns the cycle until which a rule holds commands back in a part; 0 if no command has started its timer. */
static uint64_t rule_until(const struct dram *d, unsigned rule, const struct dram_part *part)
{
	uint64_t last = 0;
	for (unsigned c = 0; c < DRAM_COMMANDS; c++)
		if (d->cfg->model->rules[rule].before >> c & 1)
			last = later(last, part->last[c]);
	return last ? last - 1 + d->rule_cycles[rule] : 0;
}

uint32_t dram_rule_left(const struct dram *d, unsigned rule, uint32_t k)
{
	const uint64_t until = rule_until(d, rule, dram_part_at(d, d->cfg->model->rules[rule].level, k)), now = d->s->stats.n.cmd;
	return until > now ? (uint32_t)(until - now) : 0;
}

static bool part_is_valid(const struct dram *d, enum dram_level level, const struct dram_part *part)
{
	uint64_t next[DRAM_COMMANDS] = {0};
	for (unsigned k = 0; k < d->cfg->model->n_rules; k++)
		for (unsigned c = 0; d->cfg->model->rules[k].level == level && c < DRAM_COMMANDS; c++)
			if (d->cfg->model->rules[k].after >> c & 1)
				next[c] = later(next[c], rule_until(d, k, part));
	for (unsigned c = 0; c < DRAM_COMMANDS; c++)
		if (part->last[c] > d->s->stats.n.cmd || part->next[c] != next[c])
			return false;
	return true;
}

bool dram_rules_are_valid(const struct dram *d)
{
	for (unsigned level = 0; level < DRAM_LEVELS; level++)
		for (uint32_t k = 0; k < dram_part_count(d, (enum dram_level)level); k++)
			if (!part_is_valid(d, (enum dram_level)level, dram_part_at(d, (enum dram_level)level, k)))
				return false;
	return true;
}
