/* The driver API's contexts: the list of contexts, and the current context of each thread. */
#include "host/driver/contexts.h"

static struct driver_contexts contexts = {.primary = {.is_primary = true}};

static __thread struct {
	struct driver_context *of[CONTEXT_STACK_MOST];
	unsigned n;
} current;

bool context_exists(const struct driver_context *c)
{
	const struct driver_context *k;
	host_lock(&contexts.lock);
	for (k = contexts.first; k && k != c; k = k->next)
		;
	const bool is = k || (c == &contexts.primary && (contexts.retained || contexts.used));
	host_unlock(&contexts.lock);
	return is;
}

struct driver_context *context_current(void) { return current.n ? current.of[current.n - 1] : NULL; }

void context_push(struct driver_context *c)
{
	current.of[current.n++] = c;
	host_thread()->has_context = true;
}

void context_pop(void)
{
	if (current.n)
		current.n--;
	host_thread()->has_context = current.n != 0;
}

/* ---- initialization ---- */

void driver_initialize(void) { atomic_store(&contexts.begun, true); }
int driver_initialized(void) { return atomic_load(&contexts.begun) ? 0 : cudaErrorInitializationError; }

/* A context that a reset has ended is used again. */
int host_need_context(void)
{
	if (!current.n)
		return driver_initialized() ? cudaErrorInitializationError : CONTEXT_INVALID;
	host_use_primary_context();
	return 0;
}

struct driver_contexts *driver_contexts(void) { return &contexts; }

unsigned context_depth(void) { return current.n; }

/* ---- the primary context, which the runtime shares ---- */

static void set_used(bool used)
{
	host_lock(&contexts.lock);
	contexts.used = used;
	host_unlock(&contexts.lock);
}

void host_use_primary_context(void)
{
	driver_initialize();
	set_used(true);
	context_pop();
	context_push(&contexts.primary);
}

void host_reset_primary_context(void)
{
	set_used(false);
	contexts.primary.attached = 0;
	if (context_current() == &contexts.primary)
		host_thread()->has_context = false;
}
