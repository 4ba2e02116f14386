/* Cache configuration strings: nsets:line:assoc,rep:wr:alloc:wralloc[:set index],mshr:N:merge,mq[:rf[,port]], or none. GPGPU-Sim manual
 * "Configuration options", grammar of 3.2.2, the set index letter of 3.2.3, and the forms of 4.x that mean the same. */
#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "timing/cache/cache_internal.h"

#define SETS_MAX (1u << 20)
#define LINE_MAX (1u << 16)
#define WAYS_MAX (1u << 16)
#define LINES_MAX (UINT64_C(1) << 22)
#define QUEUE_MAX (1u << 16)

struct reader {
	const char *text, *at;
	bool v4;
	struct text *why;
};

/* One letter a field may have. A letter of 4.x has the reason why it is refused, or NULL. */
struct letter {
	char c;
	bool v4;
	int value;
	const char *refused;
};

static bool fail(const struct reader *r, const char *wanted)
{
	text_addf(r->why, "cache configuration '%s': expected %s at column %zu", r->text, wanted,
		  (size_t)(r->at - r->text) + 1);
	if (*r->at)
		text_addf(r->why, ", found '%s'", r->at);
	return false;
}

static bool separator(struct reader *r, char c)
{
	char wanted[] = {'\'', c, '\'', 0};
	if (*r->at != c)
		return fail(r, wanted);
	r->at++;
	return true;
}

static bool number(struct reader *r, const char *what, uint32_t least, uint32_t most, uint32_t *out)
{
	const char *start = r->at;
	uint64_t v = 0;
	while (isdigit((unsigned char)*r->at) && v <= most)
		v = v * 10 + (uint64_t)(*r->at++ - '0');
	if (r->at > start && v >= least && v <= most) {
		*out = (uint32_t)v;
		return true;
	}
	struct text wanted = {0};
	r->at = start;
	text_addf(&wanted, "%s (%u to %u)", what, least, most);
	fail(r, text_str(&wanted));
	text_free(&wanted);
	return false;
}

static bool power_of_two(struct reader *r, const char *what, uint32_t most, uint32_t *out)
{
	const char *start = r->at;
	if (!number(r, what, 1, most, out))
		return false;
	if (!(*out & (*out - 1)))
		return true;
	r->at = start;
	struct text wanted = {0};
	text_addf(&wanted, "%s to be a power of two", what);
	fail(r, text_str(&wanted));
	text_free(&wanted);
	return false;
}

static bool letter(struct reader *r, const char *what, const struct letter *set, int *out)
{
	struct text wanted = {0};
	for (const struct letter *l = set; l->c; l++) {
		if (l->c != *r->at || (l->v4 && !r->v4))
			continue;
		if (l->refused) {
			text_addf(r->why, "cache configuration '%s': '%c' at column %zu: %s", r->text, l->c,
				  (size_t)(r->at - r->text) + 1, l->refused);
			return false;
		}
		*out = l->value;
		r->at++;
		return true;
	}
	text_addf(&wanted, "%s (", what);
	for (const struct letter *l = set; l->c; l++)
		if (!l->refused && (!l->v4 || r->v4))
			text_addf(&wanted, "%s%c", l == set ? "" : " ", l->c);
	text_addc(&wanted, ')');
	fail(r, text_str(&wanted));
	text_free(&wanted);
	return false;
}

static const struct letter replacements[] = {
#define REPLACEMENT(kind, letter, ...) {letter, false, CACHE_##kind, NULL},
#include "timing/cache/policies.def"
	{0}};
static const struct letter writes[] = {
#define WRITE(kind, letter, ...) {letter, false, CACHE_##kind, NULL},
#include "timing/cache/policies.def"
	{0}};
static const struct letter allocs[] = {
#define ALLOCATION(kind, letter, words) {letter, false, CACHE_##kind, NULL},
#define NO_ALLOCATION(letter, why) {letter, true, 0, why},
#include "timing/cache/policies.def"
	{0}};
static const struct letter write_allocs[] = {
#define WRITE_MISS(kind, letter, v4, ...) {letter, v4, CACHE_##kind, NULL},
#define NO_WRITE_MISS(letter, why) {letter, true, 0, why},
#include "timing/cache/policies.def"
	{0}};
static const struct letter set_indices[] = {
#define SET_INDEX(kind, letter, ...) {letter, false, CACHE_SETS_##kind, NULL},
#define NO_SET_INDEX(letter, why) {letter, false, 0, why},
#include "timing/cache/policies.def"
	{0}};
/* S and T differ from A and F only in a sector cache */
static const struct letter mshr_kinds[] = {{'A', false, CACHE_MSHR_ASSOC, NULL},
					   {'F', false, CACHE_MSHR_TEX_FIFO, NULL},
					   {'S', true, CACHE_MSHR_ASSOC, NULL},
					   {'T', true, CACHE_MSHR_TEX_FIFO, NULL},
					   {0}};
static const struct letter kinds[] = {{'N', true, 0, NULL}, {'S', true, 1, NULL}, {0}};

static bool read_geometry(struct reader *r, struct cache_config *c)
{
	const char *start = r->at;
	int kind = 0;
	if (r->v4 && !isdigit((unsigned char)*r->at) &&
	    (!letter(r, "the number of sets or a kind of cache", kinds, &kind) || !separator(r, ':')))
		return false;
	if (!power_of_two(r, "the number of sets", SETS_MAX, &c->sets) || !separator(r, ':') ||
	    !power_of_two(r, "the line size in bytes", LINE_MAX, &c->line) || !separator(r, ':') ||
	    !number(r, "the number of ways", 1, WAYS_MAX, &c->ways))
		return false;
	c->sectors = kind;
	if (c->sectors && c->line != 128) {
		r->at = start;
		return fail(r, "lines of 128 bytes in a cache of sectors");
	}
	if ((uint64_t)c->sets * c->ways <= LINES_MAX)
		return true;
	r->at = start;
	return fail(r, "at most 4194304 lines in all");
}

/* What the next letter chooses, if any, can be had with that many sets. */
static bool set_index_fits(struct reader *r, const struct cache_config *c)
{
	struct text wanted = {0};
	for (const struct letter *l = set_indices; l->c; l++) {
		const struct cache_set_rule *rule = &cache_set_rules[l->value];
		if (l->refused || l->c != *r->at || (c->sets >= rule->least && c->sets <= rule->most))
			continue;
		text_addf(&wanted, "set index function L (%c needs %s)", l->c, rule->needs);
		fail(r, text_str(&wanted));
		text_free(&wanted);
		return false;
	}
	return true;
}

static bool read_policies(struct reader *r, struct cache_config *c)
{
	int replacement, write, alloc, write_alloc, set_index = CACHE_SETS_LINEAR;
	if (!letter(r, "a replacement policy", replacements, &replacement) || !separator(r, ':') ||
	    !letter(r, "a write policy", writes, &write) || !separator(r, ':') ||
	    !letter(r, "an allocation policy", allocs, &alloc) || !separator(r, ':') ||
	    !letter(r, "a write-allocate policy", write_allocs, &write_alloc))
		return false;
	if (*r->at == ':') { /* in files of 3.2.3 and newer */
		r->at++;
		if (!set_index_fits(r, c) || !letter(r, "a set index function", set_indices, &set_index))
			return false;
	}
	c->replacement = (enum cache_replacement)replacement;
	c->write = (enum cache_write)write;
	c->alloc = (enum cache_alloc)alloc;
	c->write_alloc = (enum cache_write_alloc)write_alloc;
	c->set_index = (enum cache_set_index)set_index;
	if (c->write != CACHE_WRITE_BACK || c->alloc != CACHE_ON_FILL)
		return true;
	text_addf(r->why, "cache configuration '%s': write-back (B) needs allocation on misses (m)", r->text);
	return false;
}

static bool read_queues(struct reader *r, struct cache_config *c)
{
	int kind;
	if (!letter(r, "a kind of MSHR", mshr_kinds, &kind) || !separator(r, ':'))
		return false;
	c->mshr_kind = (enum cache_mshr_kind)kind;
	bool texture = c->mshr_kind == CACHE_MSHR_TEX_FIFO;
	if (!number(r, texture ? "fragment FIFO entries" : "MSHR entries", 1, QUEUE_MAX, &c->mshr_entries) ||
	    !separator(r, ':') ||
	    !number(r, texture ? "request FIFO entries" : "requests per MSHR entry", 1, QUEUE_MAX, &c->mshr_merge) ||
	    !separator(r, ',') ||
	    !number(r, texture ? "reorder buffer entries" : "miss queue entries", 1, QUEUE_MAX, &c->miss_queue))
		return false;
	c->port = c->line;
	if (texture && *r->at != ':')
		return fail(r, "':' and the result FIFO entries");
	if (*r->at == ',')
		return fail(r, "':' (a data port width comes after the result FIFO entries, as in 4:0,32)");
	if (*r->at != ':')
		return true;
	r->at++;
	if (!number(r, "result FIFO entries", texture, QUEUE_MAX, &c->result_fifo))
		return false;
	if (*r->at != ',')
		return true;
	const char *start = ++r->at;
	if (!number(r, "the data port width in bytes", 1, c->line, &c->port))
		return false;
	if (c->line % c->port == 0)
		return true;
	r->at = start;
	return fail(r, "a data port width that divides the line");
}

bool cache_config_parse(const char *text, bool v4, struct cache_config *out, struct text *why)
{
	struct reader r = {.text = text, .at = text, .v4 = v4, .why = why};
	*out = (struct cache_config){.disabled = true};
	if (!strcmp(text, "none"))
		return true;
	out->disabled = false;
	if (!read_geometry(&r, out) || !separator(&r, ',') || !read_policies(&r, out) || !separator(&r, ',') ||
	    !read_queues(&r, out))
		return false;
	return *r.at ? fail(&r, "the end") : true;
}

static bool misfit(struct text *why, const char *reason)
{
	text_add(why, reason);
	return false;
}

bool cache_config_fits(const struct cache_config *cfg, enum cache_kind kind, struct text *why)
{
	if (cfg->disabled)
		return true;
	if (kind != CACHE_DATA && cfg->write != CACHE_READONLY_POLICY)
		return misfit(why, "a cache that is only read needs write policy R");
	if (kind == CACHE_TEXTURE) {
		if (cfg->mshr_kind != CACHE_MSHR_TEX_FIFO)
			return misfit(why, "a texture cache needs texture FIFOs (F)");
		if (cfg->alloc != CACHE_ON_MISS)
			return misfit(why, "a texture cache needs allocation on misses (m)");
		return true;
	}
	if (cfg->mshr_kind != CACHE_MSHR_ASSOC)
		return misfit(why, "texture FIFOs (F) are for the texture cache; use A");
	if (kind != CACHE_DATA)
		return cfg->sectors ? misfit(why, "only data caches can have sectors (S); use N") : true;
	if ((cfg->sectors || cfg->write_alloc == CACHE_LAZY_FETCH_ON_READ) &&
	    (!cfg->sectors || cfg->write_alloc != CACHE_LAZY_FETCH_ON_READ || cfg->write != CACHE_WRITE_BACK || cfg->alloc != CACHE_ON_MISS))
		return misfit(why, "sectors (S) and lazy fetch on read (L) are modelled together, with write-back (B) and allocation on misses (m)");
	if (cfg->write == CACHE_READONLY_POLICY)
		return misfit(why, "a data cache needs a write policy: B, T, E or L");
	/* a miss wants room for all it may send, before it sends anything */
	const struct cache_write_miss_rule *rule = &cache_write_miss_rules[cfg->write_alloc];
	if (cfg->miss_queue < rule->most && rule->most > 2)
		text_addf(why, "%s (%c) needs a miss queue of at least %u entries", rule->name, rule->letter, rule->most);
	else if (cfg->miss_queue < 2)
		text_add(why, "a data cache needs a miss queue of at least 2 entries");
	else
		return true;
	return false;
}
