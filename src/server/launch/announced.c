/* What the library announces: a call that the program is about to make, and the program's end. The debugger may stop in front of both. */
#include "debug/program.h"
#include "server/internal.h"

#define STOPS 1u /* the slot's goal: the machine has stopped in front of what was announced */

uint32_t serve_entered(struct server_call *c, const struct call_entered *in, struct call_entered_out *out)
{
	struct text call = {0};
	(void)in, (void)out;
	if (!c->first && c->slot->goal == STOPS)
		return 0;
	text_addn(&call, c->payload, c->n_payload);
	const bool stops = debug_program_calls(c->server->dbg, text_str(&call), c->client->context, server_called_from(c));
	text_free(&call);
	c->slot->goal = STOPS;
	c->slot->patient = stops;
	return stops ? SERVER_AGAIN : 0;
}

/* Returns the status that the calling process has passed to exit(), or -1. */
static int exit_status(const struct server_call *c)
{
	const uint32_t ended = c->client->shared->ended;
	return ended & 256u ? (int)(ended & 255u) : -1;
}

uint32_t serve_goodbye(struct server_call *c, const struct call_goodbye *in, struct call_goodbye_out *out)
{
	(void)in, (void)out;
	if (c->first)
		c->slot->goal = 0;
	if (!context_is_idle(c))
		return SERVER_AGAIN;
	if (c->slot->goal == STOPS || !debug_program_ends(c->server->dbg, c->client->context, exit_status(c)))
		return 0;
	c->slot->goal = STOPS;
	return SERVER_AGAIN;
}
