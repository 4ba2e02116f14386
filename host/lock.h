/* Locks that a signal's handler may meet. Taking one and being its holder is one store, so that there is no moment between; the holder may take it again. */
#ifndef HOST_LOCK_H
#define HOST_LOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* All zero: free. */
struct host_lock {
	_Atomic uint32_t holder; /* twice the thread's number; bit 0: others wait */
	unsigned again;		 /* how often the holder has taken it besides */
	bool serves;		 /* functions of the program's run under it, and may make calls */
};

void host_lock(struct host_lock *l);
void host_unlock(struct host_lock *l);
/* By this thread. Where a call begins: it is a handler's, which has interrupted the holder. */
bool host_holds(const struct host_lock *l);

#endif
