/* Functions in which stream 0 is the thread's own. */
#ifndef HOST_PER_THREAD_H
#define HOST_PER_THREAD_H

#include "host/host.h"

/* The caller is told apart from the one that is called. */
#define TWIN(name, suffix, parameters, arguments) \
	int ws_##name parameters; \
	API(name##suffix) parameters \
	{ \
		struct host_thread *t = host_thread(); \
		t->per_thread = true; \
		t->caller = HOST_CALLER(); \
		const int error = ws_##name arguments; \
		t->per_thread = false; \
		t->caller = NULL; \
		return error; \
	}

#endif
