/* Activations of the focused thread. */
#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>

#include "debug/info.h"
#include "debug/inspect.h"
#include "debug/launch.h"

#define MANGLED_MAX 4096u /* the demangler's work can grow with the square of the length */

static void arguments_text(struct debug *d, const struct debug_where *w, uint32_t level, const struct isa_function *f,
			   struct text *out)
{
	const char *comma = "";
	text_add(out, " (");
	for (uint32_t k = 0; k < f->n_params; k++) {
		struct expr_value v;
		struct text ignored = {0};
		struct expr *e =
			f->params[k].flags & ISA_VAR_RETURN ? NULL : expr_parse(f->params[k].name, NULL, &ignored);
		if (e) {
			text_addf(out, "%s%s=", comma, f->params[k].name);
			comma = ", ";
			if (!expr_eval(d, e, &w->thread, level, &v, &ignored)) {
				text_add(out, "?");
			} else {
				if (v.is_array)
					text_add(out, "...");
				else
					format_value(d, &v, NULL, out);
				expr_value_free(&v);
			}
		}
		expr_free(e);
		text_free(&ignored);
	}
	text_addc(out, ')');
}

/* Name of an inlined function, without nvcc's prefix for what is static in a file. */
static void inlined_name(struct debug *d, const char *name, struct text *out)
{
	const struct isa_function *f = isa_program_find_function(debug_program(d), name);
	char *plain = f || strlen(name) > MANGLED_MAX ? NULL : cplus_demangle(name, DMGL_NO_OPTS);
	const char *s = f ? debug_function_name(d, f) : plain ? plain : name;
	const char *rest = !strncmp(s, "_INTERNAL_", 10) ? strstr(s, "::") : NULL;
	text_add(out, rest ? rest + 2 : s);
	free(plain);
}

/* `    inlined: add at vec.cu:3, called at vec.cu:12` for each level of inlining. */
static void inlined_text(struct debug *d, uint32_t pc, struct text *out)
{
	const struct isa_program *p = debug_program(d);
	uint32_t loc = p->where[pc].loc;
	for (int depth = 0; depth < 64 && loc < p->n_locs && p->locs[loc].inlined_at < p->n_locs; depth++) {
		const struct isa_loc *l = &p->locs[loc], *call = &p->locs[l->inlined_at];
		text_add(out, "    inlined ");
		inlined_name(d, l->function ? l->function : "code", out);
		text_addf(out, " at %s:%u, called at %s:%u\n", debug_file_name(d, l->file), l->line,
			  debug_file_name(d, call->file), call->line);
		loc = l->inlined_at;
	}
}

void debug_frame_text(struct debug *d, const struct debug_where *w, uint32_t level, bool with_source, struct text *out)
{
	struct debug_frame f;
	if (!debug_frame_get(d, w, level, &f))
		return;
	text_addf(out, "#%-3u", level);
	if (level)
		text_addf(out, "0x%016llx in ", (unsigned long long)f.pc * ISA_INSN_BYTES);
	text_add(out, debug_function_name(d, f.function));
	arguments_text(d, w, level, f.function, out);
	text_add(out, " at ");
	debug_place_text(d, f.pc, out);
	text_addc(out, '\n');
	if (with_source)
		debug_source_at(d, f.pc, out);
	else
		inlined_text(d, f.pc, out);
}

bool debug_cmd_backtrace(struct debug *d, const char *args, struct text *out, struct text *why)
{
	struct debug_where w;
	struct debug_frame f;
	int64_t n = INT64_MAX;
	if (!debug_focus_where(d, &w))
		return debug_fail(why, "No stack.");
	if (*scan_blanks(args) && !debug_eval_integer(d, args, &n, why))
		return false;
	if (w.state == DEBUG_THREAD_EXITED)
		return debug_fail(why, "No stack: the thread has finished.");
	uint32_t depth = 0;
	/* walking is linear in the depth: count once through the entries' depths */
	depth = w.simt ? w.simt->call_depth + 1 : 1;
	uint32_t first = n < 0 && (uint64_t)-n < depth ? depth - (uint32_t)-n : 0;
	uint32_t end = n >= 0 && (uint64_t)n < depth ? (uint32_t)n : depth;
	if (end - first > 1000 && d->settings.table_rows) /* deep recursion: the ends say it all */
		end = n >= 0 && n < INT64_MAX ? end : first + 1000;
	for (uint32_t level = first; level < end && debug_frame_get(d, &w, level, &f); level++)
		debug_frame_text(d, &w, level, false, out);
	if (end < depth && n >= 0)
		text_add(out, "(More stack frames follow...)\n");
	return true;
}

bool info_frame(struct debug *d, const char *args, struct text *out, struct text *why)
{
	struct debug_where w;
	struct debug_frame f;
	if (!scan_end(args, why))
		return false;
	if (!debug_focus_where(d, &w) || !debug_frame_get(d, &w, d->frame, &f))
		return debug_fail(why, "No stack.");
	debug_frame_text(d, &w, d->frame, false, out);
	text_addf(out, "  pc 0x%x ", f.pc * ISA_INSN_BYTES);
	debug_pc_symbol(d, f.pc, out);
	text_addf(out, ", call depth %u\n  registers: %u bytes a warp; local frame at 0x%llx, %u bytes a thread\n",
		  f.depth, f.function->frame_bytes, (unsigned long long)(EXEC_LOCAL_WINDOW + f.local_sp),
		  f.function->local_bytes);
	return true;
}
