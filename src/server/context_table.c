/* Lookups in the table of contexts. */
#include "server/internal.h"
#include "server/program/symbols.h"

struct symbols *context_symbols(struct server *c, uint32_t context)
{
	struct server_context *of = &c->context[context];
	if (!of->symbols)
		of->symbols = symbols_create();
	return of->symbols;
}

uint32_t context_of_process(const struct server *c, pid_t pid)
{
	for (uint32_t k = GPU_CONTEXTS; k-- > 1;)
		if (c->context[k].pid == pid)
			return k;
	return 0;
}

uint32_t contexts_live(const struct server *c)
{
	uint32_t all = 0;
	for (uint32_t k = 0; k < GPU_CONTEXTS; k++)
		all |= c->context[k].has_ended ? 0 : UINT32_C(1) << k;
	return all;
}

bool contexts_have_several(const struct server *c)
{
	unsigned n = 0;
	for (uint32_t k = 0; k < GPU_CONTEXTS; k++)
		n += c->context[k].pid != 0;
	return n > 1;
}

bool context_is_idle(const struct server_call *c) { return !gpu_context_has_work(c->server->gpu, c->client->context); }
