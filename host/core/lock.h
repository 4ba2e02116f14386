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

/* Takes a lock; the holder may take it repeatedly. */
void host_lock(struct host_lock *l);
/* Releases a lock once. */
void host_unlock(struct host_lock *l);
/* Returns whether the calling thread holds the lock. At the start of a call this means: a signal handler has interrupted the holder. */
bool host_holds(const struct host_lock *l);

#endif
