/* The context of each process: what it has on the device is its own, it fails alone, and ends with it (gpu/context.h).
 *
 * A context is called by its number, from 0 in the order in which processes came. When one has ended its memory stays, to be looked at, until
 * somebody needs it, and its modules until another process gets its number. */
#include "cuda/channel/channel.h"
#include "cuda/internal.h"
#include "cuda/memory/memory.h"
#include "cuda/program/symbols.h"
#include "cuda/stream/later.h"
#include "debug/findings/findings.h"

static uint32_t bit(uint32_t context) { return UINT32_C(1) << context; }

/* ---- coming and going ---- */

static void empty(struct cuda_context *of)
{
	text_free(&of->output);
	text_free(&of->errors);
	if (of->symbols)
		symbols_free(of->symbols);
	*of = (struct cuda_context){0};
}

/* Nothing is left of what was there. */
static void forget(struct cuda *c, uint32_t context)
{
	memory_free_of(c, context);
	cuda_modules_forget(c, context);
	empty(&c->context[context]);
}

static uint32_t free_number(struct cuda *c)
{
	for (uint32_t k = 0; k < GPU_CONTEXTS; k++)
		if (!c->context[k].pid)
			return k;
	for (uint32_t k = 0; k < GPU_CONTEXTS; k++)
		if (c->context[k].has_ended) {
			forget(c, k);
			return k;
		}
	return CONTEXT_NONE;
}

static bool has_client(const struct cuda *c, uint32_t context)
{
	for (unsigned k = 0; k < CUDA_CLIENTS_MAX; k++)
		if (c->client[k].socket >= 0 && c->client[k].context == context)
			return true;
	return false;
}

uint32_t context_begin(struct cuda *c, pid_t pid)
{
	for (uint32_t k = 0; k < GPU_CONTEXTS; k++)
		if (c->context[k].pid && !has_client(c, k))
			context_end(c, k);
	const uint32_t number = free_number(c);
	if (number == CONTEXT_NONE ||
	    (number &&
	     !session_input(c->session, &(struct gpu_input){.kind = GPU_INPUT_CONTEXT, .context = number}, NULL)))
		return CONTEXT_NONE;
	c->context[number].pid = pid;
	c->context[number].first_launch = gpu_launch_count(c->gpu);
	program_executable(pid, c->context[number].executable, sizeof c->context[number].executable);
	return number;
}

/* Those that failed together with one that was dropped. What was first stays. */
static void fail_others(struct cuda *c, uint32_t gone, uint32_t error)
{
	for (uint32_t k = 0; k < GPU_CONTEXTS; k++)
		if (gone & bit(k)) {
			later_forget(c, k);
			context_set_error(c, k, c->context[k].error ? c->context[k].error : error);
		}
}

void context_end(struct cuda *c, uint32_t context)
{
	if (c->context[context].has_ended)
		return;
	c->context[context].has_ended = true;
	debug_program_leaks(c->dbg, bit(context));
	later_forget(c, context);
	ipc_forget_context(c, context);
	fail_others(c, debug_drop_context(c->dbg, context, true) & ~bit(context), cudaErrorLaunchFailure);
}

void context_reset(struct cuda *c, uint32_t context)
{
	memory_reset(c, context);
	cuda_modules_forget(c, context);
	later_forget(c, context);
	ipc_forget_context(c, context);
	fail_others(c, debug_drop_context(c->dbg, context, true) & ~bit(context), cudaErrorLaunchFailure);
	if (context)
		session_input(c->session, &(struct gpu_input){.kind = GPU_INPUT_CONTEXT, .context = context}, NULL);
	context_set_error(c, context, 0);
	c->context[context].first_launch = gpu_launch_count(c->gpu);
}

void contexts_forget(struct cuda *c)
{
	ipc_forget_context(c, GPU_EVERY_CONTEXT);
	for (uint32_t k = 0; k < GPU_CONTEXTS; k++)
		if (gpu_contexts(c->gpu) & bit(k))
			debug_drop_context(c->dbg, k, true);
	contexts_free(c);
}

void contexts_free(struct cuda *c)
{
	for (uint32_t k = 0; k < GPU_CONTEXTS; k++)
		empty(&c->context[k]);
}

/* ---- failing ---- */

void context_set_error(struct cuda *c, uint32_t context, uint32_t error)
{
	c->context[context].error = error;
	for (unsigned k = 0; k < CUDA_CLIENTS_MAX; k++)
		if (c->client[k].socket >= 0 && c->client[k].context == context)
			channel_set_sticky(&c->client[k], error);
}

void context_fail(struct cuda *c, uint32_t context, uint32_t error)
{
	uint32_t gone = bit(context);
	if (gpu_contexts(c->gpu) == 1)
		debug_kill(c->dbg);
	else
		gone |= debug_drop_context(c->dbg, context, false);
	fail_others(c, gone, error);
}

/* ---- asking ---- */

struct symbols *context_symbols(struct cuda *c, uint32_t context)
{
	struct cuda_context *of = &c->context[context];
	if (!of->symbols)
		of->symbols = symbols_create();
	return of->symbols;
}

uint32_t context_of_process(const struct cuda *c, pid_t pid)
{
	for (uint32_t k = GPU_CONTEXTS; k-- > 1;)
		if (c->context[k].pid == pid)
			return k;
	return 0;
}

uint32_t contexts_left(const struct cuda *c)
{
	uint32_t all = 0;
	for (uint32_t k = 0; k < GPU_CONTEXTS; k++)
		all |= c->context[k].has_ended ? 0 : bit(k);
	return all;
}

bool contexts_several(const struct cuda *c)
{
	unsigned n = 0;
	for (uint32_t k = 0; k < GPU_CONTEXTS; k++)
		n += c->context[k].pid != 0;
	return n > 1;
}

bool context_is_idle(const struct cuda_call *c) { return !gpu_context_has_work(c->cuda->gpu, c->client->context); }
