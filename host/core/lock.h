/* Locks for code that a signal handler may interrupt. Taking a lock and recording its holder is one store; the holder may take the lock again. */
#ifndef HOST_LOCK_H
#define HOST_LOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* All zero: free. */
struct host_lock {
	_Atomic uint32_t holder; /* twice the thread's number; bit 0: threads wait */
	unsigned again;		 /* how often the holder has taken the lock again */
	bool serves;		 /* the program's functions run under the lock and may make calls */
};

/* Takes a lock, after waiting until other threads have released it. If the calling thread holds the lock already, only counts: each host_lock needs a
 * host_unlock. */
void host_lock(struct host_lock *l);
/* Undoes one host_lock of the calling thread, which must hold the lock. The last host_unlock frees the lock and wakes a waiting thread. */
void host_unlock(struct host_lock *l);
/* Returns whether the calling thread holds the lock. If true at the start of a call, for a lock without `serves`, a signal handler has interrupted
 * the holder. */
bool host_holds(const struct host_lock *l);

#endif
