/* malloc of this library (the linker redirects its calls here). A signal handler that has interrupted malloc gets no memory, and memory that the
 * handler frees is freed after malloc. */
#include <stdlib.h>

#include "host/host.h"

void *__real_malloc(size_t n), *__real_calloc(size_t n, size_t size), *__real_realloc(void *p, size_t n);
void __real_free(void *p);
void *__wrap_malloc(size_t n), *__wrap_calloc(size_t n, size_t size), *__wrap_realloc(void *p, size_t n);
void __wrap_free(void *p);

static bool enter_malloc(struct host_thread *t)
{
	const bool ok = !t->allocates;
	t->allocates = true;
	return ok;
}

static void leave_malloc(struct host_thread *t)
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
	if (!enter_malloc(t))
		return NULL;
	void *p = __real_malloc(n);
	leave_malloc(t);
	return p;
}

void *__wrap_calloc(size_t n, size_t size)
{
	struct host_thread *t = host_thread();
	if (!enter_malloc(t))
		return NULL;
	void *p = __real_calloc(n, size);
	leave_malloc(t);
	return p;
}

void *__wrap_realloc(void *old, size_t n)
{
	struct host_thread *t = host_thread();
	if (!enter_malloc(t))
		return NULL;
	void *p = __real_realloc(old, n);
	leave_malloc(t);
	return p;
}

void __wrap_free(void *p)
{
	struct host_thread *t = host_thread();
	if (!p)
		return;
	if (!enter_malloc(t)) {
		*(void **)p = t->to_free;
		t->to_free = p;
		return;
	}
	__real_free(p);
	leave_malloc(t);
}
