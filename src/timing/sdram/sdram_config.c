/* A memory's configuration: the names that users give, what fits together, and everything that follows from it. */
#include <stdlib.h>
#include <string.h>

#include "timing/sdram/sdram_internal.h"

const char *const sdram_policy_names[SDRAM_POLICIES] = {"FCFS", "FRFCFS", "FRFCFS_Cap", "FRFCFS_PriorHit"};
const char *const sdram_row_policy_names[SDRAM_ROW_POLICIES] = {"Closed", "ClosedAP", "Opened", "Timeout"};
const char *const sdram_mapping_names[SDRAM_MAPPINGS] = {"RoBaRaCoCh", "ChRaBaRoCo"};
const char *const sdram_controller_names[SDRAM_CONTROLLERS] = {"ramulator", "2018"};


static bool is_named(const struct sdram_standard *s, const char *name) { return !strcmp(s->name, name); }
static bool has_subarrays(const struct sdram_standard *s) { return s->level[s->n_levels - 3] == SDRAM_SUBARRAY; }
static bool is_power_of_2(uint32_t n) { return n && !(n & (n - 1)); }

/* The channels and ranks that a standard is limited to; most 0: any power of two. */
struct limits {
	const char *standard;
	uint32_t least_channels, most_channels, most_ranks;
};
static const struct limits limits[] = {
	{"GDDR5", 1, 0, 1}, {"WideIO", 4, 4, 1}, {"WideIO2", 4, 8, 2}, {"LPDDR4", 2, 0, 0},
};

/* Numbers that are 0 in a configuration: the fewest channels, the usual subarrays. */
static void complete(struct sdram_config *cfg)
{
	for (unsigned k = 0; !cfg->channels && k < sizeof limits / sizeof limits[0]; k++)
		if (is_named(cfg->standard, limits[k].standard))
			cfg->channels = limits[k].least_channels;
	if (!cfg->channels)
		cfg->channels = 1;
	if (!cfg->subarrays)
		cfg->subarrays = is_named(cfg->standard, "TLDRAM") ? 16 : 8;
}

/* ---- names ---- */

const char *sdram_standard_name(const struct sdram_standard *s, unsigned k)
{
	return is_named(s, "SALP") ? s->variant[k].name : s->name;
}

unsigned sdram_names_of(const struct sdram_standard *s) { return is_named(s, "SALP") ? s->n_variants : 1; }

static void add_name(struct text *why, bool *has_any, const char *prefix, const char *name)
{
	text_addf(why, "%s%s%s%s", *has_any ? ", " : "; known: ", prefix ? prefix : "", prefix ? "_" : "", name);
	*has_any = true;
}

static bool choose_standard(struct sdram_config *cfg, const char *name, struct text *why)
{
	bool has_any = false;
	for (unsigned k = 0; k < sdram_standard_count; k++)
		for (unsigned v = 0; v < sdram_names_of(sdram_standards[k]); v++)
			if (!strcmp(sdram_standard_name(sdram_standards[k], v), name)) {
				cfg->standard = sdram_standards[k];
				cfg->variant = v;
				return true;
			}
	text_addf(why, "no DRAM standard is called '%s'", name);
	for (unsigned k = 0; k < sdram_standard_count; k++)
		for (unsigned v = 0; v < sdram_names_of(sdram_standards[k]); v++)
			add_name(why, &has_any, NULL, sdram_standard_name(sdram_standards[k], v));
	return false;
}

/* DSARP's variant; other standards take any, since it means nothing there. Without a name: the last one, DSARP. */
static bool choose_variant(struct sdram_config *cfg, const char *name, struct text *why)
{
	const struct sdram_standard *s = cfg->standard;
	bool has_any = false;
	if (!s->n_variants || sdram_names_of(s) > 1)
		return true;
	cfg->variant = s->n_variants - 1u;
	if (!name || !*name)
		return true;
	for (cfg->variant = 0; cfg->variant < s->n_variants; cfg->variant++)
		if (!strcmp(s->variant[cfg->variant].name, name))
			return true;
	text_addf(why, "%s has no variant '%s'", s->name, name);
	for (unsigned k = 0; k < s->n_variants; k++)
		add_name(why, &has_any, NULL, s->variant[k].name);
	return false;
}

/* Returns whether a name is the standard's name, '_', and `own`. */
static bool is_name_of(const struct sdram_standard *s, const char *own, const char *name)
{
	const size_t n = strlen(s->name);
	return !strncmp(name, s->name, n) && name[n] == '_' && !strcmp(name + n + 1, own);
}

static bool choose_organisation(struct sdram_config *cfg, const char *name, struct text *why)
{
	const struct sdram_standard *s = cfg->standard;
	bool has_any = false, is_known = false;
	for (unsigned k = 0; k < s->n_organisations; k++) {
		const struct sdram_organisation *o = &s->organisation[k];
		const bool fits = !name || !*name || is_name_of(s, o->name, name);
		is_known |= fits;
		if (fits && (!o->channels || o->channels == cfg->channels)) {
			cfg->organisation = o;
			return true;
		}
	}
	if (is_known) {
		text_addf(why, "%s has no organisation for %u channels; it has", s->name, cfg->channels);
		for (unsigned k = 0; k < s->n_organisations; k++)
			text_addf(why, "%s %u", k ? " and" : "", s->organisation[k].channels);
		return false;
	}
	text_addf(why, "%s has no organisation '%s'", s->name, name);
	for (unsigned k = 0; k < s->n_organisations; k++)
		if (!k || strcmp(s->organisation[k].name, s->organisation[k - 1].name))
			add_name(why, &has_any, s->name, s->organisation[k].name);
	return false;
}

static bool choose_speed(struct sdram_config *cfg, const char *name, struct text *why)
{
	const struct sdram_standard *s = cfg->standard;
	bool has_any = false;
	for (unsigned k = 0; k < s->n_speeds; k++)
		if (!name || !*name || is_name_of(s, s->speed[k].name, name)) {
			cfg->speed = &s->speed[k];
			return true;
		}
	text_addf(why, "%s has no speed '%s'", s->name, name);
	for (unsigned k = 0; k < s->n_speeds; k++)
		add_name(why, &has_any, s->name, s->speed[k].name);
	return false;
}

bool sdram_choose(struct sdram_config *cfg, const struct sdram_names *names, unsigned *which, struct text *why)
{
	*which = 0;
	if (!choose_standard(cfg, names->standard, why))
		return false;
	complete(cfg);
	*which = 1;
	if (!choose_variant(cfg, names->variant, why))
		return false;
	*which = 2;
	if (!choose_organisation(cfg, names->organisation, why))
		return false;
	*which = 3;
	return choose_speed(cfg, names->speed, why);
}

/* ---- what fits together ---- */

static bool counts_fit(const struct sdram_config *cfg, struct text *why)
{
	const char *name = cfg->standard->name;
	if (!is_power_of_2(cfg->channels) || !is_power_of_2(cfg->ranks) || cfg->channels > 64 || cfg->ranks > 64) {
		text_addf(why, "%u channels of %u ranks: both are powers of two, up to 64", cfg->channels, cfg->ranks);
		return false;
	}
	for (unsigned k = 0; k < sizeof limits / sizeof limits[0]; k++) {
		const struct limits *l = &limits[k];
		if (!is_named(cfg->standard, l->standard))
			continue;
		if (cfg->channels < l->least_channels || (l->most_channels && cfg->channels > l->most_channels)) {
			text_addf(why, "%s with %u channel%s: it has %s%u", name, cfg->channels, cfg->channels == 1 ? "" : "s",
				  l->most_channels == l->least_channels ? "" : "at least ", l->least_channels);
			return false;
		}
		if (l->most_ranks && cfg->ranks > l->most_ranks) {
			text_addf(why, "%s with %u ranks: it has %s", name, cfg->ranks, l->most_ranks == 1 ? "one" : "one or two");
			return false;
		}
	}
	return true;
}

static bool subarrays_fit(const struct sdram_config *cfg, struct text *why)
{
	const struct sdram_standard *s = cfg->standard;
	if (!has_subarrays(s))
		return true;
	const uint32_t least = is_named(s, "DSARP") ? cfg->organisation->banks : 1;
	if (is_power_of_2(cfg->subarrays) && cfg->subarrays >= least && cfg->subarrays <= 128)
		return true;
	text_addf(why, "%s with %u subarrays in a bank: a power of two from %u to 128 is expected", s->name, cfg->subarrays, least);
	return false;
}

static bool controller_fits(const struct sdram_config *cfg, struct text *why)
{
	if (cfg->controller != SDRAM_2018)
		return true;
	const char *name = cfg->standard->name;
	if (!strcmp(name, "TLDRAM") || !strcmp(name, "DSARP"))
		text_addf(why, "the controller of 2018 has no %s", name);
	else if (!strcmp(name, "DDR4") && !strcmp(cfg->speed->name, "3200"))
		text_addf(why, "the controller of 2018 has no DDR4_3200");
	else if (cfg->row_policy == SDRAM_ROW_CLOSED_AP)
		text_addf(why, "the controller of 2018 has no row policy ClosedAP");
	else
		return true;
	return false;
}

bool sdram_config_check(const struct sdram_config *cfg, struct text *why)
{
	return counts_fit(cfg, why) && subarrays_fit(cfg, why) && controller_fits(cfg, why);
}

/* ---- what follows ---- */

static bool fits(const struct sdram *d, unsigned row)
{
	const unsigned both = row & d->fits;
	return (both & SDRAM_VARIANTS) && (both & ~(unsigned)SDRAM_VARIANTS);
}

/* Returns the level of the rows of a list that fits, SDRAM_LEVELS if there is none. */
static uint8_t level_of(const struct sdram *d, const struct sdram_level_row *row, unsigned n)
{
	for (unsigned k = 0; k < n; k++)
		if (fits(d, row[k].fits))
			return row[k].level;
	return SDRAM_LEVELS;
}

static uint8_t log2_of(uint32_t n) { return (uint8_t)(31 - __builtin_clz(n)); }

static void derive_counts(struct sdram *d)
{
	const struct sdram_standard *s = d->cfg.standard;
	const struct sdram_organisation *o = d->cfg.organisation;
	const uint32_t subarrays = has_subarrays(s) ? d->cfg.subarrays : 1;
	const uint32_t count[SDRAM_LEVELS] = {d->cfg.channels, d->cfg.ranks, o->groups, o->banks, subarrays, o->rows / subarrays, o->columns / s->prefetch};
	uint32_t total = 1;
	memcpy(d->count, count, sizeof count);
	for (unsigned l = 0; l < SDRAM_LEVELS; l++)
		d->bits[l] = log2_of(count[l]);
	for (unsigned l = 0; l < SDRAM_NODE_LEVELS; l++)
		d->total[l] = total *= count[l];
	for (unsigned k = 0; k + 1 < s->n_levels; k++)
		d->below[s->level[k]] = s->level[k + 1];
	d->last_level = s->level[s->n_levels - 3];
	d->bytes = s->prefetch * s->width / 8;
}

static void derive_mapping(struct sdram *d)
{
	static const uint8_t orders[SDRAM_MAPPINGS][SDRAM_LEVELS] = {
		{SDRAM_CHANNEL, SDRAM_COLUMN, SDRAM_RANK, SDRAM_GROUP, SDRAM_BANK, SDRAM_SUBARRAY, SDRAM_ROW},
		{SDRAM_COLUMN, SDRAM_ROW, SDRAM_SUBARRAY, SDRAM_BANK, SDRAM_GROUP, SDRAM_RANK, SDRAM_CHANNEL}};
	unsigned shift = log2_of(d->bytes);
	for (unsigned k = 0; k < SDRAM_LEVELS; k++) {
		const unsigned l = orders[d->cfg.mapping][k];
		d->shift[l] = (uint8_t)shift;
		shift += d->bits[l];
	}
}

/* Stores the values of those parameters that depend on the speed and a key of the chip. */
static void take_parts(struct sdram *d, enum sdram_parameter_kind kind, const struct sdram_speed_part *part, unsigned n, uint32_t key)
{
	const struct sdram_standard *s = d->cfg.standard;
	const unsigned speed = (unsigned)(d->cfg.speed - s->speed);
	for (unsigned k = 0; k < n; k++) {
		if (part[k].speed != speed || part[k].key != key || !fits(d, part[k].fits))
			continue;
		for (unsigned p = 0, i = 0; p < s->n_parameters; p++)
			if (s->parameter[p] == kind)
				d->parameter[p] = part[k].at[i++];
	}
}

static void derive_parameters(struct sdram *d)
{
	const struct sdram_standard *s = d->cfg.standard;
	const struct sdram_organisation *o = d->cfg.organisation;
	for (unsigned p = 0, i = 0; p < s->n_parameters; p++)
		if (s->parameter[p] == SDRAM_OF_SPEED)
			d->parameter[p] = d->cfg.speed->at[i++];
	take_parts(d, SDRAM_OF_SIZE, s->by_size, s->n_by_size, o->mbit);
	take_parts(d, SDRAM_OF_PAGE, s->by_page, s->n_by_page, o->dq * o->columns / 8);
	d->refresh_every = s->refresh_every(d->parameter, d->fits);
}

static void derive_commands(struct sdram *d)
{
	const struct sdram_standard *s = d->cfg.standard;
	for (unsigned k = 0; k < s->n_commands; k++) {
		d->scope[s->command[k].command] = s->command[k].scope;
		d->name[s->command[k].command] = s->command[k].name;
	}
	for (unsigned k = 0; k < s->n_scopes; k++)
		if (fits(d, s->scope[k].fits))
			d->scope[s->scope[k].command] = s->scope[k].scope;
	d->hit_level = level_of(d, s->hit, s->n_hits);
	d->open_level = level_of(d, s->open, s->n_opens);
	d->plans_refresh = is_named(s, "DSARP");
	const char *variant = s->n_variants ? s->variant[d->cfg.variant].name : "";
	d->chooses_refresh = d->plans_refresh && (!strcmp(variant, "DARP") || !strcmp(variant, "DSARP"));
	d->refresh_command = d->plans_refresh && strcmp(variant, "REFAB") ? SDRAM_REFPB : SDRAM_REF;
}

/* Appends the rules that `before` starts at a level. Returns how many; with a `rule` of NULL they are only counted. */
static uint32_t add_rules(const struct sdram *d, const struct sdram_times *t, unsigned level, unsigned before, bool siblings, struct sdram_rule *rule)
{
	const struct sdram_standard *s = d->cfg.standard;
	uint32_t n = 0;
	for (unsigned k = 0; k < s->n_rules; k++) {
		const struct sdram_rule_row *r = &s->rule[k];
		if (r->level != level || !(r->before >> before & 1) || siblings != !r->nth || !fits(d, r->fits))
			continue;
		for (uint32_t after = r->after; after; after &= after - 1, n++)
			if (rule)
				rule[n] = (struct sdram_rule){t->rule[k], r->nth, (uint8_t)__builtin_ctz(after)};
	}
	return n;
}

static void derive_history(struct sdram *d, unsigned level, unsigned command)
{
	const struct sdram_rules *r = &d->own[level][command];
	unsigned depth = 0;
	for (uint32_t k = r->first; k < r->first + r->n; k++)
		depth = d->rule[k].nth > depth ? d->rule[k].nth : depth;
	if (depth < 2)
		return;
	d->depth[level][command] = (uint8_t)depth;
	d->history_at[level][command] = d->history_size[level];
	d->history_size[level] = (uint16_t)(d->history_size[level] + 1 + depth);
}

static bool derive_rules(struct sdram *d)
{
	struct sdram_times t;
	uint32_t n = 0;
	d->cfg.standard->times(d->parameter, &t);
	d->read_latency = t.read_latency;
	d->burst = t.burst;
	for (unsigned pass = 0; pass < 2; pass++) {
		if (pass && !(d->rule = calloc(n + 1, sizeof *d->rule)))
			return false;
		n = 0;
		for (unsigned l = 0; l < SDRAM_NODE_LEVELS; l++)
			for (unsigned c = 0; c < SDRAM_COMMANDS; c++) {
				struct sdram_rules *own = &d->own[l][c], *siblings = &d->siblings[l][c];
				*own = (struct sdram_rules){n, add_rules(d, &t, l, c, false, pass ? d->rule + n : NULL)};
				n += own->n;
				*siblings = (struct sdram_rules){n, add_rules(d, &t, l, c, true, pass ? d->rule + n : NULL)};
				n += siblings->n;
			}
	}
	for (unsigned l = 0; l < SDRAM_NODE_LEVELS; l++)
		for (unsigned c = 0; c < SDRAM_COMMANDS; c++)
			derive_history(d, l, c);
	return true;
}

bool sdram_derive(struct sdram *d)
{
	d->fits = (d->cfg.standard->n_variants ? 1u << d->cfg.variant : 1u) |
		  (d->cfg.controller == SDRAM_2018 ? SDRAM_TABLES_2018 : SDRAM_TABLES_2023);
	d->controller = sdram_controller_of(&d->cfg);
	derive_counts(d);
	derive_mapping(d);
	derive_parameters(d);
	derive_commands(d);
	return derive_rules(d);
}
