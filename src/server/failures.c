/* Calls that the program made and that failed, reported to the memory checker. */
#include <string.h>

#include "debug/findings/findings.h"
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

uint32_t serve_failed(struct server_call *c, const struct call_failed *in, struct call_failed_out *out)
{
	uint32_t at = 0;
	const char *const name = next_string(c, &at), *const error = next_string(c, &at), *const meaning = next_string(c, &at);
	struct text entry = {0}, what = {0}, detail = {0};
	struct check_call call = {.context = c->client->context, .caller = server_called_from(c)};
	(void)out;
	text_add(&detail, next_string(c, &at));
	if (debug_checks_memory(c->server->dbg) && !c->slot->refused.is_found) {
		call.name = (in->by_driver || !*name) && program_entry_name(c, &entry) ? text_str(&entry) : name;
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
