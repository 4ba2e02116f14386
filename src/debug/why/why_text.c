/* Words that all reasons share: instructions and threads. */
#include <inttypes.h>
#include <string.h>

#include "debug/scan.h"
#include "debug/view/source.h"
#include "debug/view/view.h"
#include "debug/why/origin.h"
#include "debug/why/why_internal.h"

const char *why_plural(uint64_t n) { return n == 1 ? "" : "s"; }

/* The opcode of an instruction's text, without its guard. */
static void add_opcode(struct debug *d, uint32_t pc, struct text *out)
{
	struct text insn = {0};
	debug_insn_shown(d, pc, &insn);
	const char *s = scan_blanks(text_str(&insn));
	if (*s == '@')
		s = scan_blanks(s + strcspn(s, " \t"));
	text_addf(out, "%.*s", (int)strcspn(s, " \t;"), s);
	text_free(&insn);
}

void why_insn(struct debug *d, uint32_t pc, struct text *out)
{
	add_opcode(d, pc, out);
	text_add(out, " at ");
	debug_place_text(d, pc, out);
}

bool why_insn_of(const struct why_warp *w, uint32_t lanes, uint32_t pc, struct text *out)
{
	add_opcode(w->d, pc, out);
	text_add(out, " at ");
	return debug_lane_place_text(w->d, w->w, lanes_first(lanes ? lanes : w->w->lanes), pc, out);
}

void why_issued(struct debug *d, uint32_t pc, uint64_t cycle, struct text *out)
{
	add_opcode(d, pc, out);
	text_add(out, " at ");
	debug_position_text(d, debug_ptx_position(d, pc), out);
	text_addf(out, ", issued in cycle %" PRIu64, cycle);
	debug_step_source(d, pc, out);
}

/* Adds the thread of a lane as the cell `name`; appends it to a look. */
static void describe_lane(const struct why_warp *w, unsigned lane, const char *name, struct text *look, struct report *answer)
{
	struct gpu_launch_info info;
	uint32_t id[3];
	if (!gpu_launch_get(w->d->g, w->cta->launch, &info))
		return;
	debug_split3(w->w->index * LANES + lane, info.launch.block, id);
	report_triple(answer, name, id);
	text_addf(look, "(%u,%u,%u)", id[0], id[1], id[2]);
}

void describe_threads(const struct why_warp *w, uint32_t lanes, struct report *answer)
{
	struct text look = {0};
	const char *between = "";
	text_add(&look, lanes_count(lanes) == 1 ? "thread " : "threads ");
	report_list(answer, "threads");
	for (unsigned first = 0; first < LANES; first++) {
		if (!(lanes >> first & 1))
			continue;
		unsigned last = first;
		while (last + 1 < LANES && lanes >> (last + 1) & 1)
			last++;
		text_add(&look, between);
		report_open(answer, NULL);
		describe_lane(w, first, "first", &look, answer);
		if (last > first) {
			text_add(&look, last == first + 1 ? ", " : " to ");
			describe_lane(w, last, "last", &look, answer);
		}
		report_close(answer);
		between = ", ";
		first = last;
	}
	report_close(answer);
	report_look(answer, "%s", text_str(&look));
	text_free(&look);
}

/* ---- memory ---- */

/* `C[7]`, of an element's part `C[7] + 2`; of bytes that are something else `((f32*)C)[7]` */
static bool add_element(const char *name, uint64_t offset, uint64_t bytes, enum isa_type type, struct text *out)
{
	const uint64_t rest = bytes ? offset % bytes : offset, wide = isa_type_bytes(type);
	if (bytes == 1 && wide > 1 && offset % wide == 0) {
		text_addf(out, "((%s*)%s)[%llu]", isa_type_info[type].name, name, (unsigned long long)(offset / wide));
		return true;
	}
	text_addf(out, "%s[%llu]", name, (unsigned long long)(bytes ? offset / bytes : 0));
	if (rest)
		text_addf(out, " + %llu", (unsigned long long)rest);
	return true;
}

static bool in_buffer(struct debug *d, uint64_t generic, enum isa_type type, struct text *out)
{
	for (size_t k = 0; k < debug_buffer_count(d); k++) {
		const struct debug_buffer *b = debug_buffer_at(d, k);
		if (generic >= b->address && generic - b->address < debug_buffer_bytes(b))
			return add_element(b->name, generic - b->address,
					   b->count ? debug_buffer_bytes(b) / b->count : 0, type, out);
	}
	return false;
}

static bool in_variable(struct debug *d, uint64_t generic, enum isa_type type, struct text *out)
{
	const struct isa_program *p = debug_program(d);
	for (uint32_t k = p->n_variables; k-- > 0;) {
		const struct isa_variable *v = p->variables[k];
		const uint64_t first = debug_variable_generic(NULL, v);
		if (v->flags & (ISA_VAR_UNLOADED | ISA_VAR_DYNAMIC_SHARED) || v->space == ISA_SPACE_SHARED ||
		    generic < first || generic - first >= v->bytes)
			continue;
		const char *name = v->plain ? v->plain : v->name;
		if (v->n_dims)
			return add_element(name, generic - first,
					   isa_type_bytes((enum isa_type)v->type) * (v->vec ? v->vec : 1u), type, out);
		text_add(out, name);
		if (generic > first)
			text_addf(out, " + %llu", (unsigned long long)(generic - first));
		return true;
	}
	return false;
}

void why_memory(struct debug *d, uint64_t generic, enum isa_type type, struct text *out)
{
	const enum isa_space space = debug_space_of(generic);
	if (in_buffer(d, generic, type, out) || in_variable(d, generic, type, out))
		return;
	if (space == ISA_SPACE_GLOBAL || space == ISA_SPACE_GENERIC)
		text_addf(out, "0x%llx", (unsigned long long)generic);
	else
		text_addf(out, "%s[0x%llx]", debug_space_name(space),
			  (unsigned long long)(generic - access_window(space)));
}
