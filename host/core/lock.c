/* Locks: futexes that contain the holder's number. */
#include "host/core/lock.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host/host.h"

#define OTHERS_WAIT 1u

/* Returns the calling thread's number, times two; unique, also in a child of fork. */
static uint32_t self(void)
{
	static _Atomic uint32_t last;
	struct host_thread *t = host_thread();
	if (!t->number)
		t->number = atomic_fetch_add(&last, 1) + 1;
	return 2 * t->number;
}

bool host_holds(const struct host_lock *l)
{
	return (atomic_load_explicit(&l->holder, memory_order_relaxed) & ~OTHERS_WAIT) == self();
}

/* Waits for a lock. A thread that has waited assumes that other threads still wait. */
static void take_after_others(struct host_lock *l)
{
	for (;;) {
		uint32_t is = atomic_load(&l->holder);
		if (!is && atomic_compare_exchange_weak(&l->holder, &is, self() | OTHERS_WAIT))
			return;
		if (is && (is & OTHERS_WAIT || atomic_compare_exchange_weak(&l->holder, &is, is | OTHERS_WAIT)))
			syscall(SYS_futex, &l->holder, FUTEX_WAIT_PRIVATE, is | OTHERS_WAIT, NULL, NULL, 0);
	}
}

void host_lock(struct host_lock *l)
{
	uint32_t nobody = 0;
	if (host_holds(l)) {
		l->again++;
		return;
	}
	if (!atomic_compare_exchange_strong(&l->holder, &nobody, self()))
		take_after_others(l);
	host_thread()->holds += !l->serves;
}

void host_unlock(struct host_lock *l)
{
	if (l->again) {
		l->again--;
		return;
	}
	host_thread()->holds -= !l->serves;
	if (atomic_exchange(&l->holder, 0) & OTHERS_WAIT)
		syscall(SYS_futex, &l->holder, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}
