/* Calls that the program made and that failed, reported to the memory checker. */
#include <string.h>

#include "debug/findings/findings.h"
#include "server/channel/channel.h"
#include "server/internal.h"
#include "server/memory/memory.h"

void server_note_answer(struct server_slot *s, const struct server_handler *r, uint32_t status)
{
	const struct wire_message *m = (const struct wire_message *)s->message;
	const size_t n = r->n_in < sizeof s->refused.arguments ? r->n_in : sizeof s->refused.arguments;
	if (m->call == CALL_failed || m->call == CALL_refused)
		return;
	s->refused.call = status ? m->call : SERVER_NOT_REFUSED;
	s->refused.is_found &= status != 0;
	memcpy(s->refused.arguments, m + 1, n);
}

/* Returns the string at *at of a message, which has its 0, and moves *at behind it. Returns "" at the message's end. */
static const char *next_string(const struct server_call *c, uint32_t *at)
{
	const char *s = (const char *)c->payload + *at;
	const char *end = *at < c->n_payload ? memchr(s, '\0', c->n_payload - *at) : NULL;
	if (!end)
		return "";
	*at += (uint32_t)(end - s) + 1;
	return s;
}

/* Reports the first call that returns the error with which its context has failed before, and the error's cause. */
static void say_cause(struct server_call *c, const char *name, const char *error, uint32_t number)
{
	const struct server_context *const of = &c->server->context[c->client->context];
	struct text place = {0};
	debug_program_place(c->server->dbg, c->client->context, server_called_from(c), &place);
	if (place.n)
		text_addc(&place, ',');
	server_say(c->server, "note: %s%s%s returns %s (error %u), and so does every later call: %s", name, place.n ? ", called by " : "",
		   text_str(&place), error, number, text_str(&of->cause));
	for (unsigned k = 0; k < SERVER_CLIENTS_MAX; k++)
		if (c->server->client[k].socket >= 0 && c->server->client[k].context == c->client->context)
			channel_want_cause(&c->server->client[k], false);
	text_free(&place);
}

uint32_t serve_failed(struct server_call *c, const struct call_failed *in, struct call_failed_out *out)
{
	uint32_t at = 0;
	const char *const name = next_string(c, &at), *const error = next_string(c, &at), *const meaning = next_string(c, &at);
	struct text entry = {0}, what = {0}, detail = {0};
	struct check_call call = {.context = c->client->context, .caller = server_called_from(c)};
	(void)out;
	text_add(&detail, next_string(c, &at));
	const bool is_named = (!in->by_driver && *name) || !program_entry_name(c, &entry);
	const char *const called = is_named ? name : text_str(&entry);
	if (c->server->context[c->client->context].error)
		say_cause(c, called, error, in->error);
	else if (debug_checks_memory(c->server->dbg) && !c->slot->refused.is_found) {
		call.name = called;
		text_addf(&what, "%s (error %u) due to \"%s\"", error, in->error, meaning);
		call.error = text_str(&what);
		memory_describe_refusal(c, &call, &detail);
		call.detail = text_str(&detail);
		debug_refused_call(c->server->dbg, &call);
	}
	c->slot->refused.call = SERVER_NOT_REFUSED;
	c->slot->refused.is_found = false;
	text_free(&entry);
	text_free(&what);
	text_free(&detail);
	return 0;
}
