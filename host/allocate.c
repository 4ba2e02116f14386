/* malloc as this library has it (the linker makes its calls calls of these): a signal's handler that has interrupted it gets no memory, and what the handler
 * frees is freed when malloc is done. */
#include <stdlib.h>

#include "host/host.h"

void *__real_malloc(size_t n), *__real_calloc(size_t n, size_t size), *__real_realloc(void *p, size_t n);
void __real_free(void *p);
void *__wrap_malloc(size_t n), *__wrap_calloc(size_t n, size_t size), *__wrap_realloc(void *p, size_t n);
void __wrap_free(void *p);

static bool begin(struct host_thread *t)
{
	const bool ok = !t->allocates;
	t->allocates = true;
	return ok;
}

static void end(struct host_thread *t)
{
	void *p = atomic_exchange(&t->to_free, NULL);
	while (p) {
		void *const next = *(void **)p;
		__real_free(p);
		p = next;
	}
	t->allocates = false;
}

void *__wrap_malloc(size_t n)
{
	struct host_thread *t = host_thread();
	if (!begin(t))
		return NULL;
	void *p = __real_malloc(n);
	end(t);
	return p;
}

void *__wrap_calloc(size_t n, size_t size)
{
	struct host_thread *t = host_thread();
	if (!begin(t))
		return NULL;
	void *p = __real_calloc(n, size);
	end(t);
	return p;
}

void *__wrap_realloc(void *old, size_t n)
{
	struct host_thread *t = host_thread();
	if (!begin(t))
		return NULL;
	void *p = __real_realloc(old, n);
	end(t);
	return p;
}

void __wrap_free(void *p)
{
	struct host_thread *t = host_thread();
	if (!p)
		return;
	if (!begin(t)) {
		*(void **)p = t->to_free;
		t->to_free = p;
		return;
	}
	__real_free(p);
	end(t);
}
