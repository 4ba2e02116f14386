/* The table of handlers, a row for each call of channel/calls.def. */
#include "server/internal.h"

#define WAITS true
#define LATER false
#define NOTHING
#define CALL(name, kind, arguments, results) \
	static uint32_t run_##name(struct server_call *c, const void *in, void *out) { return serve_##name(c, in, out); }
#include "server/channel/calls.def"
#undef CALL

const struct server_handler server_handlers[CALLS] = {
#define CALL(name, kind, i, o) {sizeof(struct call_##name), sizeof(struct call_##name##_out), kind, run_##name},
#include "server/channel/calls.def"
#undef CALL
};
