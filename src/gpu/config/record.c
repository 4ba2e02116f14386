/* A configuration without its files: what checkpoints keep. */
#include <stdlib.h>
#include <string.h>

#include "base/record.h"
#include "base/xalloc.h"
#include "gpu/config/config_internal.h"
#include "gpu/config/config_timing.h"
#include "timing/icnt/icnt.h"

/* What the network's file says, or would say if there were one. Nothing if the configuration is only good for functional mode. */
static void record_network(const struct config *c, struct text *out)
{
	struct timing_config t;
	struct diag_list diags;
	diag_list_init(&diags);
	if (config_timing(c, &t, &diags) && t.icnt)
		icnt_config_record(t.icnt, out);
	icnt_config_free(t.icnt);
	diag_list_free(&diags);
}

void config_record(const struct config *c, struct text *out)
{
	struct text network = {0};
	record_string(out, c->name);
	for (unsigned k = 0; k < config_option_count; k++) {
		const struct config_value *v = &c->values[k];
		if (!v->text)
			continue;
		record_string(out, config_options[k].name);
		record_string(out, v->text);
		record_string(out, v->file);
		record_number(out, v->line);
	}
	record_string(out, NULL);
	record_network(c, &network);
	record_bytes(out, network.s, network.n);
	text_free(&network);
}

static bool take_value(struct config *c, struct record_reader *r, const char *name)
{
	const char *text = record_take_string(r), *file = record_take_string(r);
	const uint32_t line = (uint32_t)record_take_number(r);
	const struct config_place place = {.file = file, .line = line};
	const int row = config_option_find(name, strlen(name));
	struct text why = {0};
	const bool ok = !r->bad && text && row >= 0 &&
			(config_options[row].writes_file || config_store(c, row, text, strlen(text), &place, &why));
	text_free(&why);
	return ok;
}

static void take_network(struct config *c, struct record_reader *r)
{
	size_t n;
	const char *s = record_take_bytes(r, &n);
	if (!n)
		return;
	c->network = xcalloc(n, 1);
	memcpy(c->network, s, n);
	c->n_network = n;
}

void config_keep_outputs(struct config *c, const struct config *own)
{
	struct text why = {0};
	for (unsigned k = 0; k < config_option_count; k++) {
		const struct config_value *v = &own->values[k];
		const struct config_place place = {.file = v->file, .line = v->line};
		if (config_options[k].writes_file && v->text)
			config_store(c, (int)k, v->text, strlen(v->text), &place, &why);
	}
	text_free(&why);
}

struct config *config_of_record(struct record_reader *r)
{
	struct config *c = config_create();
	struct diag_list diags;
	diag_list_init(&diags);
	const char *name = record_take_string(r);
	bool ok = true;
	if (name)
		config_set_name(c, name);
	while (ok && (name = record_take_string(r)))
		ok = take_value(c, r, name);
	if (ok)
		take_network(c, r);
	ok = ok && !r->bad && config_finish(c, &diags) && !diags.n_errors;
	diag_list_free(&diags);
	if (ok)
		return c;
	config_free(c);
	return NULL;
}

bool config_is_same(const struct config *a, const struct config *b)
{
	struct text x = {0}, y = {0};
	bool same = a->baseline == b->baseline;
	for (unsigned k = 0; same && k < config_option_count; k++)
		if (strcmp(config_options[k].name, "inter_config_file") != 0)
			same = !strcmp(config_text(a, (int)k), config_text(b, (int)k));
	record_network(a, &x);
	record_network(b, &y);
	same = same && x.n == y.n && (!x.n || !memcmp(x.s, y.s, x.n));
	text_free(&x);
	text_free(&y);
	return same;
}
