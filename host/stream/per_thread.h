/* Variants of functions in which stream 0 is the thread's own stream. */
#ifndef HOST_PER_THREAD_H
#define HOST_PER_THREAD_H

#include "host/host.h"

/* Defines NAME_SUFFIX, which calls NAME with stream 0 as the thread's own and with the program's return address. */
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
