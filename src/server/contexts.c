/* The context of each process, which has its own state on the device, fails alone, and ends with the process (gpu/context.h).
 *
 * Contexts are numbered from 0 in the order in which processes connect. The memory of an ended process stays, for inspection, until it is needed; its
 * modules stay until another process gets the number. */
#include "server/channel/channel.h"
#include "server/internal.h"
#include "server/memory/memory.h"
#include "server/program/symbols.h"
#include "server/stream/deferred.h"
#include "debug/findings/findings.h"

static uint32_t context_bit(uint32_t context) { return UINT32_C(1) << context; }

/* ---- coming and going ---- */

static void free_texts(struct server_context *of)
{
	text_free(&of->output);
	text_free(&of->errors);
	text_free(&of->cause);
	if (of->symbols)
		symbols_free(of->symbols);
	*of = (struct server_context){0};
}

/* Frees the memory, modules and texts of a context. */
static void clear_context(struct server *c, uint32_t context)
{
	memory_free_of(c, context);
	server_modules_forget(c, context);
	free_texts(&c->context[context]);
}

static uint32_t free_number(struct server *c)
{
	for (uint32_t k = 0; k < GPU_CONTEXTS; k++)
		if (!c->context[k].pid)
			return k;
	for (uint32_t k = 0; k < GPU_CONTEXTS; k++)
		if (c->context[k].has_ended) {
			clear_context(c, k);
			return k;
		}
	return CONTEXT_NONE;
}

static bool has_client(const struct server *c, uint32_t context)
{
	for (unsigned k = 0; k < SERVER_CLIENTS_MAX; k++)
		if (c->client[k].socket >= 0 && c->client[k].context == context)
			return true;
	return false;
}

uint32_t context_begin(struct server *c, pid_t pid)
{
	for (uint32_t k = 0; k < GPU_CONTEXTS; k++)
		if (c->context[k].pid && !has_client(c, k))
			context_end(c, k);
	const uint32_t number = free_number(c);
	if (number == CONTEXT_NONE ||
	    (number &&
	     !session_input(c->session, &(struct gpu_input){.kind = GPU_INPUT_CONTEXT, .of_context = {number}}, NULL)))
		return CONTEXT_NONE;
	c->context[number].pid = pid;
	c->context[number].first_launch = gpu_launch_count(c->gpu);
	program_executable(pid, c->context[number].executable, sizeof c->context[number].executable);
	return number;
}

/* Sets the error that all calls of a context return, and its cause; 0: none. */
static void set_error(struct server *c, uint32_t context, uint32_t error, const char *cause)
{
	c->context[context].error = error;
	text_clear(&c->context[context].cause);
	text_add(&c->context[context].cause, cause);
	for (unsigned k = 0; k < SERVER_CLIENTS_MAX; k++)
		if (c->client[k].socket >= 0 && c->client[k].context == context) {
			channel_want_cause(&c->client[k], error != 0);
			channel_set_sticky(&c->client[k], error);
		}
}

/* Sets the error of contexts that failed together with a dropped one. An earlier error stays. */
static void fail_contexts(struct server *c, uint32_t gone, uint32_t error, const char *cause)
{
	for (uint32_t k = 0; k < GPU_CONTEXTS; k++)
		if (gone & context_bit(k)) {
			deferred_drop_context(c, k);
			if (!c->context[k].error)
				set_error(c, k, error, cause);
		}
}

void context_end(struct server *c, uint32_t context)
{
	if (c->context[context].has_ended)
		return;
	c->context[context].has_ended = true;
	debug_program_leaks(c->dbg, context_bit(context));
	deferred_drop_context(c, context);
	ipc_forget_context(c, context);
	fail_contexts(c, debug_drop_context(c->dbg, context, true) & ~context_bit(context), WIRE_LAUNCH_FAILED,
		      "a process ended while its work ran on the device");
}

void context_reset(struct server *c, uint32_t context)
{
	memory_reset(c, context);
	server_modules_forget(c, context);
	deferred_drop_context(c, context);
	ipc_forget_context(c, context);
	fail_contexts(c, debug_drop_context(c->dbg, context, true) & ~context_bit(context), WIRE_LAUNCH_FAILED,
		      "a process reset the device while its work ran there");
	if (context)
		session_input(c->session, &(struct gpu_input){.kind = GPU_INPUT_CONTEXT, .of_context = {context}}, NULL);
	set_error(c, context, 0, "");
	c->context[context].first_launch = gpu_launch_count(c->gpu);
}

void contexts_forget(struct server *c)
{
	ipc_forget_context(c, GPU_EVERY_CONTEXT);
	for (uint32_t k = 0; k < GPU_CONTEXTS; k++)
		if (gpu_contexts(c->gpu) & context_bit(k))
			debug_drop_context(c->dbg, k, true);
	contexts_free(c);
}

void contexts_free(struct server *c)
{
	for (uint32_t k = 0; k < GPU_CONTEXTS; k++)
		free_texts(&c->context[k]);
}

/* ---- failing ---- */

void context_fail(struct server *c, uint32_t context, uint32_t error, const char *cause)
{
	uint32_t gone = context_bit(context);
	if (gpu_contexts(c->gpu) == 1)
		debug_kill(c->dbg);
	else
		gone |= debug_drop_context(c->dbg, context, false);
	fail_contexts(c, gone, error, cause);
}
