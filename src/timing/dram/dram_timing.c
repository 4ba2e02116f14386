/* -gpgpu_dram_timing_opt, and the delays that timing rules compute from it. */
#include "timing/dram/dram_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define VALUES_NEEDED 11u
#define VALUE_MAX 1000000u

static const char *const value_names[] = {
#define PARAMETER(member, name) name,
#include "timing/dram/parameters.def"
#undef PARAMETER
};
#define VALUES ((unsigned)(sizeof value_names / sizeof *value_names))

static const char *skip_blanks(const char *s)
{
	while (isspace((unsigned char)*s) || *s == '"')
		s++;
	return s;
}

/* A number; false with a message. */
static bool take_number(const char **at, const char *name, uint32_t *out, struct text *why)
{
	const char *s = skip_blanks(*at);
	char *end;
	unsigned long v = isdigit((unsigned char)*s) ? strtoul(s, &end, 10) : VALUE_MAX + 1;
	if (v > VALUE_MAX) {
		text_addf(why, "DRAM timing: %s: expected a number up to %u, found `%.12s`", name, VALUE_MAX, s);
		return false;
	}
	*out = (uint32_t)v;
	*at = skip_blanks(end);
	return true;
}

static bool take_positional(const char *s, uint32_t value[VALUES], struct text *why)
{
	unsigned n = 0;
	for (;;) {
		if (!take_number(&s, n < VALUES ? value_names[n] : "a 15th value", n < VALUES ? &value[n] : &value[0],
				 why))
			return false;
		if (++n > VALUES) {
			text_addf(why, "DRAM timing: more than %u values", VALUES);
			return false;
		}
		if (*s != ':')
			break;
		s++;
	}
	if (*s)
		text_addf(why, "DRAM timing: expected `:` or the end, found `%.12s`", s);
	else if (n < VALUES_NEEDED)
		text_addf(why, "DRAM timing: %u values, expected at least %u", n, VALUES_NEEDED);
	else
		return true;
	return false;
}

static unsigned find_name(const char *s, size_t n)
{
	for (unsigned i = 0; i < VALUES; i++)
		if (strlen(value_names[i]) == n && !memcmp(value_names[i], s, n))
			return i;
	return VALUES;
}

/* One NAME=NUMBER. */
static bool take_named(const char **at, uint32_t value[VALUES], uint32_t *given, struct text *why)
{
	const char *name = skip_blanks(*at);
	size_t n = 0;
	while (isalnum((unsigned char)name[n]))
		n++;
	unsigned i = find_name(name, n);
	const char *s = skip_blanks(name + n);
	if (i == VALUES || *s != '=') {
		text_addf(why,
			  "DRAM timing: expected NAME=NUMBER with a name out of nbk CCD RRD RCD RAS RP RC CL WL CDLR "
			  "WR nbkgrp "
			  "CCDL RTPL, found `%.16s`",
			  name);
		return false;
	}
	s++;
	if (!take_number(&s, value_names[i], &value[i], why))
		return false;
	*given |= 1u << i;
	*at = s;
	return true;
}

static bool take_all_named(const char *s, uint32_t value[VALUES], struct text *why)
{
	uint32_t given = 0;
	while (*(s = skip_blanks(s))) {
		if (!take_named(&s, value, &given, why))
			return false;
		if (*s && *s != ':' && *s != ';') {
			text_addf(why, "DRAM timing: expected `:` between values, found `%.12s`", s);
			return false;
		}
		s += *s != 0;
	}
	for (unsigned i = 0; i < VALUES_NEEDED; i++)
		if (!(given >> i & 1)) {
			text_addf(why, "DRAM timing: no value for %s", value_names[i]);
			return false;
		}
	return true;
}

bool dram_timing_parse(const char *text, struct dram_timing *out, struct text *why)
{
	uint32_t v[VALUES] = {[11] = 1}; /* nbkgrp */
	if (strchr(text, '=') ? !take_all_named(text, v, why) : !take_positional(text, v, why))
		return false;
	const uint32_t *next = v;
#define PARAMETER(member, name) out->member = *next++;
#include "timing/dram/parameters.def"
#undef PARAMETER
	return true;
}

/* ---- delays ---- */

/* Stores the value of a parameter. Returns false if there is none of that name. */
static bool find_parameter(const struct dram_config *cfg, const char *name, size_t n, int64_t *out)
{
	const uint32_t v[VALUES] = {
#define PARAMETER(member, name) cfg->t.member,
#include "timing/dram/parameters.def"
#undef PARAMETER
	};
	const unsigned i = find_name(name, n);
	if (i < VALUES)
		*out = v[i];
	else if (n == strlen("BURST") && !memcmp(name, "BURST", n))
		*out = dram_burst_cycles(cfg);
	else
		return false;
	return true;
}

/* Reads a number or the name of a parameter at *at. Returns false if there is neither. */
static bool take_term(const struct dram_config *cfg, const char **at, int64_t *out)
{
	const char *s = skip_blanks(*at);
	size_t n = 0;
	while (isalnum((unsigned char)s[n]))
		n++;
	*at = skip_blanks(s + n);
	if (n && isdigit((unsigned char)*s)) {
		*out = strtol(s, NULL, 10);
		return true;
	}
	return n && find_parameter(cfg, s, n, out);
}

bool dram_delay(const struct dram_config *cfg, const char *sum, int64_t *out)
{
	int64_t sign = 1, value;
	const char *s = sum;
	*out = 0;
	while (take_term(cfg, &s, &value)) {
		*out += sign * value;
		if (!*s)
			return true;
		if (*s != '+' && *s != '-')
			return false;
		sign = *s++ == '-' ? -1 : 1;
	}
	return false;
}
