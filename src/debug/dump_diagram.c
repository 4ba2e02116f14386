#include "debug/dump_internal.h"
void diagram_issue(struct looking *l, struct core *c, uint32_t inst, uint64_t now) { (void)l, (void)c, (void)inst, (void)now; }
void diagram_cycle(struct looking *l, struct core *c, uint64_t now) { (void)l, (void)c, (void)now; }
bool diagram_wants(const struct looking *l) { (void)l; return false; }
void diagram_begin_run(struct debug *d) { (void)d; }
void diagram_free(struct looking *l) { (void)l; }
bool debug_cmd_diagram(struct debug *d, const char *args, struct text *out, struct text *why) { (void)d, (void)args, (void)out; return debug_fail(why, "not yet"); }
