/* The parts of a memory, as their standard's rows say: which command is needed, when it may be issued, what it changes. */
#include "timing/sdram/sdram_internal.h"

static bool fits(const struct sdram *d, unsigned row)
{
	const unsigned both = row & d->fits;
	return (both & SDRAM_VARIANTS) && (both & ~(unsigned)SDRAM_VARIANTS);
}

/* Calls a condition's parts: those of `level` that lie in part `part` of an upper level are first to first + n - 1. */
static uint32_t parts_below(const struct sdram *d, unsigned upper, unsigned level, uint32_t part, uint32_t *first)
{
	uint32_t n = 1;
	for (unsigned l = upper + 1; l <= level; l++)
		n *= d->count[l];
	*first = part * n;
	return n;
}

static bool any_open_below(const struct sdram *d, unsigned level, uint32_t part)
{
	for (unsigned l = SDRAM_BANK; l <= d->last_level; l++) {
		uint32_t first;
		const uint32_t n = parts_below(d, level, l, part, &first);
		for (uint32_t k = first; k < first + n; k++)
			if (d->node[l][k].state != SDRAM_CLOSED)
				return true;
	}
	return false;
}

/* Returns the number of the first other part that lies beside `part` of a level and is in a state, -1 if there is none. */
static int32_t sibling_in_state(const struct sdram *d, unsigned level, uint32_t part, enum sdram_state state)
{
	const uint32_t own = part % d->count[level], first = part - own;
	for (uint32_t k = 0; k < d->count[level]; k++)
		if (k != own && d->node[level][first + k].state == state)
			return (int32_t)k;
	return -1;
}

static bool is_near(const struct sdram *d, const int32_t *at) { return (uint32_t)at[SDRAM_ROW] % d->cfg.subarrays == 0; }

static bool holds(const struct sdram *d, enum sdram_condition what, unsigned level, uint32_t part, const int32_t *at)
{
	const struct sdram_node *n = &d->node[level][part];
	switch (what) {
	case SDRAM_IS_CLOSED: return n->state == SDRAM_CLOSED;
	case SDRAM_IS_CLOSED_AND_NEAR: return n->state == SDRAM_CLOSED && is_near(d, at);
	case SDRAM_IS_OPEN: return n->state != SDRAM_CLOSED;
	case SDRAM_HAS_OTHER_ROW: return n->state != SDRAM_CLOSED && n->row != at[d->below[level]];
	case SDRAM_HAS_OTHER_ROW_AND_NEAR: return n->state != SDRAM_CLOSED && n->row != at[d->below[level]] && is_near(d, at);
	case SDRAM_HAS_OPEN_SIBLING: return sibling_in_state(d, level, part, SDRAM_OPENED) >= 0;
	case SDRAM_IS_UNSELECTED: return n->state == SDRAM_OPENED;
	case SDRAM_HAS_OPEN_BANK: return any_open_below(d, level, part);
	case SDRAM_HAS_OPEN_BANK_AND_ALL_NEAR: return d->cfg.subarrays == 1 && any_open_below(d, level, part);
	case SDRAM_CONDITIONS: break;
	}
	return false;
}

enum sdram_command sdram_last_command(const struct sdram *d, enum sdram_type type)
{
	switch (type) {
	case SDRAM_READ: return SDRAM_RD;
	case SDRAM_WRITE: return SDRAM_WR;
	case SDRAM_EXTENSION: return SDRAM_MIG;
	case SDRAM_REFRESH: break;
	}
	return (enum sdram_command)d->refresh_command;
}

enum sdram_command sdram_next_command(const struct sdram *d, enum sdram_type type, const int32_t *at)
{
	const struct sdram_standard *s = d->cfg.standard;
	const enum sdram_command last = sdram_last_command(d, type);
	uint32_t part = 0;
	for (unsigned l = 0; l <= d->last_level && at[l] >= 0; l++) {
		part = part * d->count[l] + (uint32_t)at[l];
		for (unsigned k = 0; k < s->n_needs; k++) {
			const struct sdram_needs_row *n = &s->needs[k];
			if (n->level == l && n->last >> last & 1 && fits(d, n->fits) && holds(d, (enum sdram_condition)n->condition, l, part, at))
				return (enum sdram_command)n->command;
		}
	}
	return last;
}

bool sdram_may_issue(const struct sdram *d, enum sdram_command command, const int32_t *at)
{
	const unsigned last = d->scope[command] < d->last_level ? d->scope[command] : d->last_level;
	uint32_t part = 0;
	for (unsigned l = 0; l <= last && at[l] >= 0; l++) {
		part = part * d->count[l] + (uint32_t)at[l];
		if (d->s->clock < d->next[l][(uint64_t)part * SDRAM_COMMANDS + command])
			return false;
	}
	return true;
}

void sdram_command_place(const struct sdram *d, enum sdram_command command, const int32_t *at, int32_t *out)
{
	for (unsigned l = 0; l < SDRAM_LEVELS; l++)
		out[l] = at[l];
	if (command != SDRAM_PRE_OTHER)
		return;
	const int32_t open = sibling_in_state(d, SDRAM_SUBARRAY, sdram_node_of(d, at, SDRAM_SUBARRAY), SDRAM_OPENED);
	out[SDRAM_SUBARRAY] = open >= 0 ? open : 0;
	out[SDRAM_ROW] = -1;
}

static bool has_row(enum sdram_type type) { return type == SDRAM_READ || type == SDRAM_WRITE; }

bool sdram_is_hit(const struct sdram *d, enum sdram_type type, const int32_t *at)
{
	if (!has_row(type) || d->hit_level == SDRAM_LEVELS)
		return false;
	const struct sdram_node *n = &d->node[d->hit_level][sdram_node_of(d, at, d->hit_level)];
	return n->state != SDRAM_CLOSED && n->row == at[d->below[d->hit_level]];
}

bool sdram_finds_open(const struct sdram *d, enum sdram_type type, const int32_t *at)
{
	if (!has_row(type) || d->open_level == SDRAM_LEVELS)
		return false;
	return d->node[d->open_level][sdram_node_of(d, at, d->open_level)].state != SDRAM_CLOSED;
}

/* ---- a command's effects ---- */

static void close_below(struct sdram *d, unsigned level, uint32_t part)
{
	for (unsigned l = level > SDRAM_BANK ? level : SDRAM_BANK; l <= d->last_level; l++) {
		uint32_t first;
		const uint32_t n = parts_below(d, level, l, part, &first);
		for (uint32_t k = first; k < first + n; k++)
			d->node[l][k].state = SDRAM_CLOSED;
	}
}

static void change(struct sdram *d, enum sdram_effect_kind what, unsigned level, uint32_t part, const int32_t *at)
{
	struct sdram_node *n = &d->node[level][part];
	if (what == SDRAM_CLOSES_ALL) {
		close_below(d, level, part);
		return;
	}
	if (what == SDRAM_CLOSES_WITH_CHILD)
		d->node[SDRAM_SUBARRAY][part * d->count[SDRAM_SUBARRAY] + (uint32_t)at[SDRAM_SUBARRAY]].state = SDRAM_CLOSED;
	if (what == SDRAM_CLOSES || what == SDRAM_CLOSES_WITH_CHILD) {
		n->state = SDRAM_CLOSED;
		return;
	}
	if (what == SDRAM_SELECTS) {
		const int32_t other = sibling_in_state(d, level, part, SDRAM_SELECTED);
		if (other >= 0)
			d->node[level][part - part % d->count[level] + (uint32_t)other].state = SDRAM_OPENED;
	}
	n->state = what == SDRAM_SELECTS ? SDRAM_SELECTED : SDRAM_OPENED;
	n->row = at[d->below[level]];
}

static void change_states(struct sdram *d, enum sdram_command command, const int32_t *at)
{
	const struct sdram_standard *s = d->cfg.standard;
	const unsigned last = d->scope[command] < d->last_level ? d->scope[command] : d->last_level;
	uint32_t part = 0;
	for (unsigned l = 0; l <= last && at[l] >= 0; l++) {
		part = part * d->count[l] + (uint32_t)at[l];
		for (unsigned k = 0; k < s->n_effects; k++) {
			const struct sdram_effect_row *e = &s->effect[k];
			if (e->level == l && e->commands >> command & 1 && fits(d, e->fits))
				change(d, (enum sdram_effect_kind)e->effect, l, part, at);
		}
	}
}

static void hold_back(int64_t *next, const struct sdram_rule *r, int64_t from)
{
	if (from + r->cycles > next[r->after])
		next[r->after] = from + r->cycles;
}

/* Notes the issue in a part's history and holds its commands back. */
static void start_own(struct sdram *d, unsigned level, uint32_t part, enum sdram_command command)
{
	const struct sdram_rules *rules = &d->own[level][command];
	const unsigned depth = d->depth[level][command];
	int64_t *next = &d->next[level][(uint64_t)part * SDRAM_COMMANDS];
	int64_t *history = &d->history[level][(uint64_t)part * d->history_size[level] + d->history_at[level][command]];
	if (depth)
		history[1 + history[0]++ % depth] = d->s->clock;
	for (uint32_t k = rules->first; k < rules->first + rules->n; k++) {
		const struct sdram_rule *r = &d->rule[k];
		if (r->nth == 1)
			hold_back(next, r, d->s->clock);
		else if (history[0] >= r->nth)
			hold_back(next, r, history[1 + (history[0] - r->nth) % depth]);
	}
}

static void start_sibling(struct sdram *d, unsigned level, uint32_t part, enum sdram_command command)
{
	const struct sdram_rules *rules = &d->siblings[level][command];
	int64_t *next = &d->next[level][(uint64_t)part * SDRAM_COMMANDS];
	for (uint32_t k = rules->first; k < rules->first + rules->n; k++)
		hold_back(next, &d->rule[k], d->s->clock);
}

/* Starts the rules of a command. The parts beside its place have rules of their own, as have all parts below the last one that it names. */
static void start_rules(struct sdram *d, enum sdram_command command, const int32_t *at)
{
	uint32_t above = 0;
	for (unsigned l = 0; l <= d->last_level; l++) {
		const uint32_t first = above * d->count[l];
		if (d->siblings[l][command].n)
			for (uint32_t k = 0; k < d->count[l]; k++)
				if ((int32_t)k != at[l])
					start_sibling(d, l, first + k, command);
		if (at[l] < 0)
			return;
		above = first + (uint32_t)at[l];
		if (d->own[l][command].n)
			start_own(d, l, above, command);
	}
}

void sdram_apply(struct sdram *d, enum sdram_command command, const int32_t *at)
{
	change_states(d, command, at);
	start_rules(d, command, at);
}

/* ---- open rows ---- */

enum { OPENING = 1 << SDRAM_ACT | 1 << SDRAM_ACTF | 1 << SDRAM_ACTM };
enum { ACCESSING = 1 << SDRAM_RD | 1 << SDRAM_RDA | 1 << SDRAM_MIG | 1 << SDRAM_WR | 1 << SDRAM_WRA };
enum { CLOSING_AFTER_ACCESS = 1 << SDRAM_RDA | 1 << SDRAM_WRA };
enum { CLOSING = CLOSING_AFTER_ACCESS | 1 << SDRAM_PRE | 1 << SDRAM_PREF | 1 << SDRAM_PREM | 1 << SDRAM_PRE_OTHER | 1 << SDRAM_PREA | 1 << SDRAM_PREAF |
		 1 << SDRAM_PREAM };

static void unlist(struct sdram *d, struct sdram_channel *c, unsigned level, const int32_t *at)
{
	uint32_t first;
	const uint32_t n = parts_below(d, level, d->last_level, sdram_node_of(d, at, level), &first);
	for (uint32_t k = first; k < first + n; k++) {
		c->n_open_rows -= d->open_row[k].is_listed;
		d->open_row[k].is_listed = false;
	}
}

void sdram_note_open_rows(struct sdram *d, struct sdram_channel *c, enum sdram_command command, const int32_t *at)
{
	const unsigned bit = 1u << command;
	if (bit & OPENING && !sdram_open_row_of(d, at)->is_listed) {
		*sdram_open_row_of(d, at) = (struct sdram_open_row){.row = at[SDRAM_ROW], .time = d->s->clock, .is_listed = true};
		c->n_open_rows++;
	}
	if (bit & ACCESSING) {
		sdram_open_row_of(d, at)->hits++;
		sdram_open_row_of(d, at)->time = d->s->clock;
	}
	if (bit & CLOSING)
		unlist(d, c, bit & CLOSING_AFTER_ACCESS || d->scope[command] > d->last_level ? d->last_level : d->scope[command], at);
}
