/* Findings as text, in compute-sanitizer's words where it has some. */
#include <string.h>

#include "debug/csource/cnames.h"
#include "debug/expr/format.h"
#include "command/findings/findings.h"
#include "debug/ground/ground.h"
#include "debug/program.h"
#include "debug/buffers/buffers.h"
#include "debug/view/address.h"
#include "debug/view/functions.h"
#include "debug/view/source.h"
#include "debug/view/user_line.h"
#include "debug/view/view.h"

/* ---- names of addresses ---- */

uint64_t findings_offset(const struct check_access *a) { return a->address - access_window((enum isa_space)a->space); }

static bool element_text(const char *name, uint64_t offset, uint64_t bytes, uint64_t element, struct text *out)
{
	if (element >= bytes)
		text_add(out, name);
	else
		text_addf(out, "%s[%llu]", name, (unsigned long long)(offset / (element ? element : 1)));
	return true;
}

static bool buffer_text(struct debug *d, uint64_t address, bool element, struct text *out)
{
	for (size_t k = 0; k < debug_buffer_count(d); k++) {
		const struct debug_buffer *b = debug_buffer_at(d, k);
		const uint64_t bytes = debug_buffer_bytes(b);
		if (address - b->address < bytes)
			return element_text(b->name, address - b->address, element ? bytes + 1 : 0,
					    bytes / (b->count ? b->count : 1), out);
	}
	return false;
}

static bool variable_text(struct debug *d, uint64_t address, bool element, struct text *out)
{
	const struct isa_program *p = debug_program(d);
	for (uint32_t k = 0; k < p->n_variables; k++) {
		const struct isa_variable *v = p->variables[k];
		if (v->space == ISA_SPACE_GLOBAL && !(v->flags & ISA_VAR_UNLOADED) && address - v->address < v->bytes)
			return element_text(v->plain ? v->plain : v->name, address - v->address, element ? v->bytes : 0,
					    isa_type_bytes((enum isa_type)v->type) * (v->vec ? v->vec : 1u), out);
	}
	return false;
}

/* `buffer[7]`, `shared[0x40]`, or the address. */
static void address_text(struct debug *d, const struct check_access *a, struct text *out)
{
	struct text name = {0};
	const bool is_named = a->space == ISA_SPACE_LOCAL && a->has_thread && cnames_local_text(d, a->launch, findings_offset(a), &name);
	if (is_named)
		text_addf(out, "%s (local[0x%llx])", text_str(&name), (unsigned long long)findings_offset(a));
	else if (a->space != ISA_SPACE_GLOBAL && a->space != ISA_SPACE_GENERIC)
		text_addf(out, "%s[0x%llx]", debug_space_name((enum isa_space)a->space),
			  (unsigned long long)findings_offset(a));
	else if (!buffer_text(d, a->address, true, out) && !variable_text(d, a->address, true, out))
		text_addf(out, "0x%llx", (unsigned long long)a->address);
	text_free(&name);
}

bool findings_variable(struct debug *d, const struct check_finding *f, const struct check_access *a, struct text *out)
{
	if (f->variable_end && a == &f->access && a->has_thread)
		return debug_space_variable(d, (enum isa_space)a->space, a->launch, f->variable, out);
	if (!a->has_address || a->space != ISA_SPACE_GLOBAL)
		return false;
	if (buffer_text(d, a->address, false, out) || variable_text(d, a->address, false, out))
		return true;
	text_add(out, f->near.name);
	return f->near.name[0];
}

/* ---- places and threads ---- */

const char *findings_kernel(struct debug *d, const struct check_finding *f)
{
	const struct check_access *a = f->access.has_thread ? &f->access : &f->other;
	return a->has_thread ? debug_function_name(d, debug_program(d)->functions[a->kernel]) : NULL;
}

/* `saxpy+0x1a8 in saxpy.ptx:60 (saxpy.cu:12)`, and for code of the toolkit the user's call of it. */
static void place_text(struct debug *d, const struct check_access *a, struct text *out)
{
	debug_user_place_text(d, a->pc, &(struct debug_calls){a->callers, CHECK_CALLERS}, out);
}

static void at_line(struct debug *d, const struct check_access *a, struct text *out)
{
	if (!a->has_pc)
		return;
	text_add(out, "    at ");
	place_text(d, a, out);
	text_addc(out, '\n');
}

/* `thread (8,0,0) in block (3,0,0), uid 201` */
static void thread_text(const struct check_access *a, struct text *out)
{
	text_add(out, "thread ");
	format_dim3(a->thread, out);
	text_add(out, " in block ");
	format_dim3(a->block, out);
	text_addf(out, ", uid %llu", (unsigned long long)a->uid);
}

static void thread_line(const struct check_finding *f, struct text *out)
{
	if (!f->access.has_thread)
		return;
	text_add(out, "    by ");
	thread_text(&f->access, out);
	if (f->threads > 1)
		text_addf(out, "; %llu threads in all", (unsigned long long)f->threads);
	text_addc(out, '\n');
}

/* `by a copy (stream 2), called by main at app.cu:52` */
static void host_text(struct debug *d, const struct check_access *a, struct text *out)
{
	struct text place = {0};
	if (a->is_direct)
		text_add(out, "by the host");
	else
		text_addf(out, "by a %s (stream %u)", a->is_pool ? a->op == CHECK_OP_FREE ? "cudaFreeAsync" : "cudaMallocAsync" : a->is_fill ? "fill" : "copy",
		  a->stream);
	debug_program_place(d, a->context, a->caller, &place);
	if (place.n)
		text_addf(out, a->is_direct ? ", in %s" : ", called by %s", text_str(&place));
	text_free(&place);
}

/* ---- memory ---- */

static const char *reason_of(const struct check_finding *f)
{
	return f->kind == CHECK_MISALIGNED	 ? "is misaligned"
	       : f->kind == CHECK_USE_AFTER_FREE ? "was freed"
						 : "is out of bounds";
}

/* Appends the variable in local memory that an access left, and the place where it lies, as the source names them. */
static void local_names(struct debug *d, const struct check_finding *f, const struct check_access *a, struct text *meant, struct text *there)
{
	if (!f->variable_end || a->space != ISA_SPACE_LOCAL || !a->has_thread)
		return;
	if (cnames_local_text(d, a->launch, f->variable, meant))
		meant->s[meant->n = strcspn(meant->s, "[.+")] = '\0';
	cnames_local_text(d, a->launch, findings_offset(a), there);
}

/* Appends the lines that say where an address lies, and where its allocation was made and freed. */
static void near_text(struct debug *d, const struct check_finding *f, const struct check_access *a, struct text *out)
{
	const bool is_global = a->space == ISA_SPACE_GLOBAL || a->space == ISA_SPACE_GENERIC;
	const struct gpu_allocation *const near = f->has_near ? &f->near : NULL;
	struct text meant = {0}, there = {0};
	local_names(d, f, a, &meant, &there);
	const struct debug_address address = {.address = is_global ? a->address : findings_offset(a),
					      .space = (enum isa_space)a->space,
					      .bytes = f->end,
					      .variable = f->variable,
					      .variable_end = f->variable_end,
					      .variable_name = meant.n ? meant.s : NULL,
					      .there = there.n ? there.s : NULL,
					      .nearest = near,
					      .launch = a->has_thread ? a->launch : DEBUG_NO_LAUNCH,
					      .size = a->size,
					      .is_finding = true};
	struct text where = {0}, place = {0};
	const bool is_named = debug_address_text(d, &address, &where);
	text_addf(out, "    and%s\n", text_str(&where));
	if (is_named && debug_allocation_made(d, near, &place))
		text_addf(out, "    allocated %s %s\n", near->by_kernel ? "at" : "by", text_str(&place));
	text_clear(&place);
	if (is_named && debug_allocation_freed(d, near, &place))
		text_addf(out, "    freed %s %s\n", near->by_kernel ? "at" : "by", text_str(&place));
	text_free(&place);
	text_free(&where);
	text_free(&meant);
	text_free(&there);
}

static void memory_access(struct debug *d, const struct check_finding *f, struct text *out)
{
	const struct check_access *a = &f->access;
	const uint64_t at = findings_offset(a);
	text_addf(out, "Invalid __%s__ %s of size %u bytes\n", debug_space_name((enum isa_space)a->space),
		  check_op_name((enum check_op)a->op), a->size);
	at_line(d, a, out);
	thread_line(f, out);
	text_addf(out, "    Access at 0x%llx %s\n", (unsigned long long)at, reason_of(f));
	near_text(d, f, a, out);
}

static void leak_text(struct debug *d, const struct check_finding *f, struct text *out)
{
	const struct debug_buffer *b = debug_buffer_find(d, f->near.name, strlen(f->near.name));
	struct text place = {0};
	text_addf(out, "Leaked %llu bytes at 0x%llx\n", (unsigned long long)f->bytes,
		  (unsigned long long)f->access.address);
	if (b && b->address == f->access.address && b->caller)
		debug_program_place(d, gpu_nearest_allocation(d->g, b->address)->context, b->caller, &place);
	if (place.n)
		text_addf(out, "    allocated by %s\n", text_str(&place));
	text_free(&place);
}

/* `    called by main at app.cu:52` */
static void caller_line(struct debug *d, const struct check_access *a, struct text *out)
{
	struct text place = {0};
	if (a->by_host)
		debug_program_place(d, a->context, a->caller, &place);
	if (place.n)
		text_addf(out, "    called by %s\n", text_str(&place));
	text_free(&place);
}

/* Appends which bytes of device memory a refused call uses, how many of them it may not use, and to which allocation they belong. */
static void refused_bytes(struct debug *d, const struct check_finding *f, struct text *out)
{
	const bool is_inside = f->has_near && f->access.address - f->near.address < f->near.bytes;
	const char *const reason = !is_inside		 ? "is out of bounds"
				   : f->near.read_only	 ? "may not be written"
				   : f->near.reserved || f->near.live ? "may not be used now"
						      : "was freed";
	struct check_access wrong = f->access;
	wrong.address += f->usable;
	text_addf(out, "    It uses %llu bytes at 0x%llx, ", (unsigned long long)f->bytes,
		  (unsigned long long)f->access.address);
	if (f->usable)
		text_addf(out, "of which %llu are missing: 0x%llx is out of bounds\n",
			  (unsigned long long)(f->bytes - f->usable), (unsigned long long)wrong.address);
	else
		text_addf(out, "which %s\n", reason);
	near_text(d, f, &wrong, out);
}

static void refused_call_text(struct debug *d, const struct check_finding *f, struct text *out)
{
	text_addf(out, "Program hit %s on CUDA API call to %s\n", f->error, f->call);
	caller_line(d, &f->access, out);
	if (f->detail[0])
		text_addf(out, "    Reason: %s\n", f->detail);
	if (f->access.has_address)
		refused_bytes(d, f, out);
}

static void memory_text(struct debug *d, const struct check_finding *f, struct text *out)
{
	const unsigned long long address = f->access.address;
	switch (f->kind) {
	case CHECK_LEAK: leak_text(d, f, out); return;
	case CHECK_API_ERROR: refused_call_text(d, f, out); return;
	case CHECK_INVALID_FREE: text_addf(out, "Invalid free of 0x%llx\n", address); break;
	case CHECK_DOUBLE_FREE: text_addf(out, "Double free of 0x%llx\n", address); break;
	default: memory_access(d, f, out); return;
	}
	at_line(d, &f->access, out);
	caller_line(d, &f->access, out);
	thread_line(f, out);
	if (f->has_near)
		near_text(d, f, &f->access, out);
}

/* ---- races ---- */

static const char *race_word(const struct check_access *a)
{
	return a->op == CHECK_OP_ATOMIC					 ? "Atomic"
	       : a->op == CHECK_OP_WRITE || a->op == CHECK_OP_HOST_WRITE || a->op == CHECK_OP_FREE ? "Write"
									 : "Read";
}

/* `Write access at saxpy+0x1a8 in saxpy.ptx:60 (saxpy.cu:12)` */
static void race_access(struct debug *d, const struct check_access *a, struct text *out)
{
	text_addf(out, "%s access ", race_word(a));
	if (a->by_host) {
		host_text(d, a, out);
	} else {
		text_add(out, "at ");
		place_text(d, a, out);
	}
	text_addc(out, '\n');
}

static void earlier_line(const struct check_finding *f, struct text *out)
{
	if (!f->other.has_thread)
		return;
	text_addf(out, "    %searlier, by ", f->access.has_thread ? "and, " : "");
	thread_text(&f->other, out);
	text_addc(out, '\n');
}

/* Appends the place of a flag's access: `fence.ptx:40 (fence.cu:12)`, and for code of the toolkit the user's call of it. */
static void flag_place(struct debug *d, uint32_t pc, struct text *out)
{
	struct text caller = {0};
	debug_place_text(d, pc, out);
	if (debug_user_caller_text(d, pc, NULL, &caller))
		text_addf(out, ", called from %s", text_str(&caller));
	text_free(&caller);
}

static void flag_line(struct debug *d, const struct check_finding *f, struct text *out)
{
	if (!f->flag_write)
		return;
	text_add(out, "    Fences would have ordered them: __threadfence() in front of the write of ");
	address_text(d, &(struct check_access){.space = (uint8_t)debug_space_of(f->flag), .address = f->flag}, out);
	text_add(out, " at ");
	flag_place(d, f->flag_write - 1, out);
	text_add(out, ",\n    and another one behind its read at ");
	flag_place(d, f->flag_read - 1, out);
	text_addc(out, '\n');
}

/* If the host accesses more bytes, the thread's access is described. */
static void race_text(struct debug *d, const struct check_finding *f, struct text *out)
{
	text_add(out, "Race reported between ");
	race_access(d, &f->access, out);
	text_add(out, "    and ");
	race_access(d, &f->other, out);
	thread_line(f, out);
	earlier_line(f, out);
	text_add(out, "    Both access ");
	address_text(d, f->access.by_host && !f->other.by_host ? &f->other : &f->access, out);
	text_addf(out, ", %u and %u bytes\n", f->access.size, f->other.size);
	if (f->compares)
		text_add(out, f->same_value ? "    Both wrote the same value\n" : "    They wrote different values\n");
	if (f->is_first_look)
		text_add(out, "    The read is the first look of a compare-and-swap loop, which compares the value again\n");
	flag_line(d, f, out);
	if (f->is_note)
		text_add(out, "    This is a note, not an error\n");
}

void findings_other_text(struct debug *d, const struct check_access *other, struct text *out)
{
	text_addf(out, "Checker race: the other access, %s at ", race_word(other));
	place_text(d, other, out);
	text_add(out, "\n    by ");
	thread_text(other, out);
	text_addc(out, '\n');
}

/* ---- what isn't initialised ---- */

static void register_text(struct debug *d, const struct check_finding *f, struct text *out)
{
	char name[80];
	const struct isa_function *fn =
		isa_program_function_at(debug_program(d), f->has_other ? f->other.pc : f->access.pc);
	if (!fn || !isa_function_reg_name(fn, f->reg - 1, name, sizeof name))
		return;
	const struct cvar *v = cnames_in_register(d, f->has_other ? f->other.pc : f->access.pc, name);
	if (v)
		text_addf(out, " %s (%s)", v->name, name);
	else
		text_addf(out, " %s", name);
}

void findings_origin_text(struct debug *d, const struct check_finding *f, bool at_begin, bool before, struct text *out)
{
	const struct check_access *a = f->has_other ? &f->other : &f->access;
	if (f->detail[0]) {
		text_addf(out, "Checker init: the thread begins here; its value is that of %s\n", f->detail);
		return;
	}
	text_add(out, at_begin ? "Checker init: the thread begins here, and "
		 : before      ? "Checker init: the memory was allocated before, and "
			       : "Checker init: the memory has just been allocated, and ");
	if (f->kind == CHECK_UNINITIALIZED_MEMORY && a->has_address)
		address_text(d, a, out);
	else if (f->kind == CHECK_UNINITIALIZED_MEMORY)
		text_add(out, "it");
	else
		text_add(out, "the register");
	if (f->kind != CHECK_UNINITIALIZED_MEMORY)
		register_text(d, f, out);
	text_add(out, " is not written before its use\n");
}

/* Where the value came from: an instruction that read it, or memory that was never written. */
static void came_from_line(struct debug *d, const struct check_finding *f, struct text *out)
{
	const struct check_access *a = f->has_other ? &f->other : &f->access;
	const bool memory = f->kind == CHECK_UNINITIALIZED_MEMORY;
	text_add(out, "    came from ");
	if (f->detail[0]) {
		text_addf(out, "%s, read at ", f->detail);
		place_text(d, a, out);
		text_add(out, " by ");
		thread_text(a, out);
		text_addc(out, '\n');
		return;
	}
	if (memory && a->has_address) {
		address_text(d, a, out);
		text_add(out, ", ");
	}
	text_add(out, memory ? "which nobody has written" : "the register, which nobody has written");
	if (f->has_other && (a->pc != f->access.pc || a->op != f->access.op)) {
		text_add(out, ", read at ");
		place_text(d, a, out);
		text_add(out, " by ");
		thread_text(a, out);
	}
	text_addc(out, '\n');
	if (memory && f->has_near && a->space != ISA_SPACE_SHARED && a->space != ISA_SPACE_LOCAL)
		near_text(d, f, a, out);
}

static void init_text(struct debug *d, const struct check_finding *f, struct text *out)
{
	static const char *const verbs[] = {"a branch", "an address", "an atomic", "output", "a result"};
	const struct check_access *from = f->has_other ? &f->other : &f->access;
	text_add(out, "Uninitialized ");
	if (f->kind == CHECK_UNINITIALIZED_MEMORY) {
		text_addf(out, "__%s__ memory", debug_space_name((enum isa_space)from->space));
	} else {
		text_add(out, "register");
		register_text(d, f, out);
	}
	text_addf(out, " used for %s", verbs[f->verb]);
	if (f->access.has_pc) {
		text_add(out, " at ");
		place_text(d, &f->access, out);
	} else {
		text_add(out, " at the host");
	}
	if (f->access.by_host) {
		text_add(out, ", ");
		host_text(d, &f->access, out);
	}
	text_addc(out, '\n');
	thread_line(f, out);
	came_from_line(d, f, out);
	if (f->access.op == CHECK_OP_HOST_READ && f->has_other) {
		text_add(out, "    first found in ");
		address_text(d, &f->access, out);
		text_addc(out, '\n');
	}
}

/* ---- barriers and masks ---- */

static void missing_line(struct debug *d, const struct check_finding *f, struct text *out)
{
	text_addf(out, "    Lanes 0x%08x are there, lanes 0x%08x are missing", f->lanes, f->missing);
	if (f->has_other) {
		text_add(out, ": they are at ");
		place_text(d, &f->other, out);
	}
	text_addc(out, '\n');
}

/* `    Warps 2 and 3 are missing; warp 2 has exited at k+0x40 in k.ptx:12` */
static void missing_warps_line(struct debug *d, const struct check_finding *f, struct text *out)
{
	const bool one = __builtin_popcountll(f->missing_warps) == 1;
	uint64_t left = f->missing_warps;
	if (!left || !f->has_other)
		return;
	const unsigned first = (unsigned)__builtin_ctzll(left);
	text_add(out, one ? "    Warp" : "    Warps");
	WARPS_EACH (k, f->missing_warps) {
		left &= left - 1;
		text_addf(out, " %u%s", k, !left ? "" : !(left & (left - 1)) ? " and" : ",");
	}
	if (one)
		text_addf(out, " is missing, which %s at ", f->detail);
	else
		text_addf(out, " are missing; warp %u %s at ", first, f->detail);
	place_text(d, &f->other, out);
	text_addc(out, '\n');
}

static void barrier_at_deadlock_text(struct debug *d, const struct check_finding *f, struct text *out)
{
	text_addf(out, "Barrier error detected. Missing wait: barrier %u waits for %u threads and has %u\n", f->barrier,
		  f->wanted, f->arrived);
	at_line(d, &f->access, out);
	thread_line(f, out);
	missing_warps_line(d, f, out);
}

static void sync_text(struct debug *d, const struct check_finding *f, struct text *out)
{
	if (f->wanted) {
		barrier_at_deadlock_text(d, f, out);
		return;
	}
	switch (f->kind) {
	case CHECK_DIVERGENT_BARRIER: text_add(out, "Barrier error detected. Divergent thread(s) in warp\n"); break;
	case CHECK_MISSING_THREADS:
		text_addf(out, "Barrier error detected. Missing wait: lanes 0x%08x, which the mask names, never come\n",
			  f->missing);
		break;
	default: text_addf(out, "Invalid arguments: %s\n", f->detail); break;
	}
	at_line(d, &f->access, out);
	thread_line(f, out);
	if (f->kind != CHECK_BAD_MASK)
		missing_line(d, f, out);
}

/* ---- launches ---- */

/* Appends a line for each launch above that of a thread which a thread has launched. */
static void parent_lines(struct debug *d, uint32_t launch, struct text *out)
{
	struct text parents = {0};
	debug_launch_parents(d, launch, &parents);
	for (const char *line = text_str(&parents); *line; line += strcspn(line, "\n") + 1)
		text_addf(out, "    %.*s\n", (int)strcspn(line, "\n"), line);
	text_free(&parents);
}

/* Appends which launch the thread of an access belongs to, and the line that made it, as far as they are known. */
static void launch_line(struct debug *d, const struct check_access *a, const char *before, bool is_in_later, struct text *out)
{
	struct text launch = {0};
	if (!a->has_thread)
		return;
	if (debug_launch_text(d, a->launch, &launch))
		text_addf(out, "    %sin %s%s\n", before, text_str(&launch), is_in_later ? ", and in later launches" : "");
	text_free(&launch);
	parent_lines(d, a->launch, out);
}

static void launch_lines(struct debug *d, const struct check_finding *f, struct text *out)
{
	const bool is_in_later = f->last_launch != CHECK_NO_LAUNCH && f->last_launch != f->access.launch;
	launch_line(d, &f->access, "", is_in_later, out);
	if (f->has_other && (!f->access.has_thread || f->other.launch != f->access.launch))
		launch_line(d, &f->other, f->access.has_thread ? "and, earlier, " : "", false, out);
}

/* ---- all ---- */

void findings_text(struct debug *d, const struct check_finding *f, struct text *out)
{
	static void (*const texts[CHECKERS])(struct debug *, const struct check_finding *, struct text *) = {
#define CHECKER(id, name) name##_text,
#include "check/checkers.def"
	};
	texts[check_of_kind((enum check_kind)f->kind)](d, f, out);
	launch_lines(d, f, out);
}

void findings_lines(struct debug *d, const struct check_finding *f, struct text *out)
{
	struct text t = {0};
	findings_text(d, f, &t);
	for (const char *line = text_str(&t); *line;) {
		const size_t n = strcspn(line, "\n");
		text_addf(out, "========= %.*s\n", (int)n, line);
		line += n + (line[n] == '\n');
	}
	text_add(out, "=========\n");
	text_free(&t);
}
