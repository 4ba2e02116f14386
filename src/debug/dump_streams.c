#include "debug/dump_internal.h"
bool streams_any(const struct looking *l) { (void)l; return false; }
void streams_from_options(struct debug *d) { (void)d; }
void streams_issue(struct looking *l, struct core *c, uint32_t inst, uint64_t now) { (void)l, (void)c, (void)inst, (void)now; }
void streams_cycle(struct looking *l, struct core *c, uint64_t now) { (void)l, (void)c, (void)now; }
void streams_tick(struct looking *l, uint32_t d, uint64_t now) { (void)l, (void)d, (void)now; }
void streams_free(struct looking *l) { (void)l; }
bool debug_cmd_trace(struct debug *d, const char *args, struct text *out, struct text *why) { (void)d, (void)args, (void)out; return debug_fail(why, "not yet"); }
const char debug_trace_streams[] = "";
