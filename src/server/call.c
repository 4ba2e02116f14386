/* Services for handlers of calls: notes for the user, and calls that are served after they were answered. */
#include <stdarg.h>

#include "server/internal.h"

void server_say(struct server *c, const char *fmt, ...)
{
	struct text line = {0};
	va_list ap;
	va_start(ap, fmt);
	text_vaddf(&line, fmt, ap);
	va_end(ap);
	text_addc(&line, '\n');
	session_note(c->session, text_str(&line));
	text_free(&line);
}

uint32_t server_serve_deferred(struct server_call *c)
{
	_Alignas(16) char out[WIRE_OUT_BYTES];
	const struct wire_message *m = (const struct wire_message *)c->slot->message;
	const char *in = (const char *)(m + 1);
	c->payload = in + c->server->handlers[m->call].n_in;
	c->n_payload = m->payload;
	c->server->serving = c->client->context;
	return c->server->handlers[m->call].serve(c, in, out);
}
