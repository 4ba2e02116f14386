/* What an address belongs to, in words: allocations, where they were made and freed, memory of other blocks and threads, launches. */
#include "debug/view/address.h"

#include <inttypes.h>
#include <string.h>

#include "debug/program.h"
#include "debug/view/functions.h"
#include "debug/view/view.h"

#define NULL_BYTES 65536u /* addresses below are null pointers with an offset */

/* ---- allocations ---- */

/* Returns the buffer that an allocation belongs to. Returns NULL if there is none any more. */
static const struct debug_buffer *buffer_of(struct debug *d, const struct gpu_allocation *a)
{
	const struct debug_buffer *b = a->name[0] ? debug_buffer_find(d, a->name, strlen(a->name)) : NULL;
	return b && b->address == gpu_allocation_start(a) ? b : NULL;
}

static bool is_variable(const struct debug *d, const struct gpu_allocation *a)
{
	return a->address < gpu_exec(d->g)->program->global_next;
}

/* Appends the name, address and size of an allocation: `freed allocation alloc_1 (0x80000000, 1024 bytes)`. Address and size of a reserved range are those
 * of the whole range, or with `of_part` those of the part *a. */
static void allocation_name(struct debug *d, const struct gpu_allocation *a, bool of_part, struct text *out)
{
	const struct debug_buffer *b = buffer_of(d, a);
	const bool is_range = a->reserved && b && !of_part;
	const char *const state = a->live || a->alias ? "" : a->reserved ? "reserved " : "freed ";
	const bool is_buffer = !a->by_program && !a->by_runtime && (b ? !b->kind : !debug_program_is_there(d));
	if (is_variable(d, a) && a->name[0]) {
		text_addf(out, "%svariable ", state);
		debug_inlined_name(d, a->name, out);
	} else if (a->by_kernel || !a->name[0]) {
		text_addf(out, "%s %sallocation", *state ? "a" : "an", state);
	} else {
		text_addf(out, "%s%s %s", state, is_buffer ? "buffer" : "allocation", a->name);
	}
	text_addf(out, " (0x%" PRIx64 ", %" PRIu64 " bytes)", of_part ? a->address : gpu_allocation_start(a),
		  is_range ? debug_buffer_bytes(b) : a->bytes);
}

/* Appends the place of a call of the program, or of the instruction before index `pc`. */
static bool place_text(struct debug *d, const struct gpu_allocation *a, uint64_t caller, uint32_t pc, struct text *out)
{
	const size_t before = out->n;
	if (pc && a->by_kernel) {
		debug_function_offset(d, pc - 1, out);
		text_add(out, " in ");
		debug_place_text(d, pc - 1, out);
	} else if (caller) {
		debug_program_place(d, a->context, caller, out);
	}
	return out->n > before;
}

bool debug_allocation_made(struct debug *d, const struct gpu_allocation *a, struct text *out)
{
	const struct debug_buffer *b = buffer_of(d, a);
	return place_text(d, a, a->made_by || !b ? a->made_by : b->caller, a->made_pc, out);
}

bool debug_allocation_freed(struct debug *d, const struct gpu_allocation *a, struct text *out)
{
	return !a->live && place_text(d, a, a->freed_by, a->freed_pc, out);
}

void debug_allocation_text(struct debug *d, const struct gpu_allocation *a, struct text *out)
{
	const uint64_t host = gpu_host_address(d->g, a->address);
	struct text place = {0};
	allocation_name(d, a, false, out);
	if (host)
		text_addf(out, ", the host's at 0x%" PRIx64, host);
	if (a->live && !(a->users >> gpu_exec(d->g)->context & 1))
		text_add(out, ", which is another process'");
	if (debug_allocation_made(d, a, &place))
		text_addf(out, ", made by %s", place.s);
	text_clear(&place);
	if (debug_allocation_freed(d, a, &place))
		text_addf(out, ", freed by %s", place.s);
	text_free(&place);
	if (a->reserved && !a->live && !a->alias)
		text_add(out, ", which has no memory there now");
	else if (a->read_only)
		text_add(out, ", which may only be read there");
}

/* ---- shared and local memory of other blocks and threads ---- */

/* Appends `s+12` if a variable lies at an offset of its space. Returns false if it doesn't. */
static bool lies_at(const struct exec_launch *l, const struct isa_variable *v, uint64_t offset, struct text *out)
{
	const bool is_dynamic = v->flags & ISA_VAR_DYNAMIC_SHARED;
	const uint64_t base = is_dynamic ? l->dynamic_base : v->address, bytes = is_dynamic ? l->shared_bytes - l->dynamic_base : v->bytes;
	if (v->flags & ISA_VAR_UNLOADED || offset < base || offset - base >= bytes)
		return false;
	text_add(out, v->plain ? v->plain : v->name);
	if (offset > base)
		text_addf(out, "+%" PRIu64, (offset - base));
	return true;
}

/* Appends the variable that a launch's code has at an offset of shared or constant memory: `s+12`. Returns false if there is none. */
static bool variable_at(struct debug *d, const struct exec_launch *l, enum isa_space space, uint64_t offset, struct text *out)
{
	const struct isa_program *const p = debug_program(d);
	const struct isa_function *const f = p->functions[l->function];
	for (uint32_t k = 0; k < f->n_vars; k++)
		if (f->vars[k].space == space && lies_at(l, &f->vars[k], offset, out))
			return true;
	for (uint32_t k = 0; k < p->n_variables; k++) {
		const struct isa_variable *const v = p->variables[k];
		if (v->space == space && isa_program_module_of(p, v->file) == isa_program_module_of(p, f->file) && lies_at(l, v, offset, out))
			return true;
	}
	return false;
}

static bool shared_variable(struct debug *d, const struct exec_launch *l, uint64_t offset, struct text *out)
{
	return variable_at(d, l, ISA_SPACE_SHARED, offset, out);
}

bool debug_space_variable(struct debug *d, enum isa_space space, uint32_t launch, uint64_t offset, struct text *out)
{
	struct gpu_launch_info info;
	return gpu_launch_get(d->g, launch, &info) && variable_at(d, &info.launch, space, offset, out);
}

bool debug_shared_name(struct debug *d, uint32_t launch, uint64_t offset, struct text *out)
{
	struct gpu_launch_info info;
	return gpu_launch_get(d->g, launch, &info) && shared_variable(d, &info.launch, offset, out);
}

static uint64_t bytes_of(const struct exec_launch *l, enum isa_space space)
{
	return space == ISA_SPACE_SHARED ? l->shared_bytes : l->local_bytes;
}

/* Finds the launch whose blocks or threads have memory at an offset of a space: the parent, else the latest one, `own` last. */
static bool find_owner(struct debug *d, enum isa_space space, uint64_t offset, uint32_t own, struct gpu_launch_info *out)
{
	const bool has_parent = gpu_launch_get(d->g, own, out) && out->parent;
	if (has_parent && gpu_launch_get(d->g, out->parent - 1, out) && offset < bytes_of(&out->launch, space))
		return true;
	for (uint32_t k = gpu_launch_count(d->g); k-- > 0;)
		if (k != own && gpu_launch_get(d->g, k, out) && out->state != GPU_LAUNCH_QUEUED &&
		    offset < bytes_of(&out->launch, space))
			return true;
	return gpu_launch_get(d->g, own, out) && offset < bytes_of(&out->launch, space);
}

/* Appends `kernel 0 give has s+12`. Returns false if no launch has memory there. */
static bool owner_text(struct debug *d, enum isa_space space, uint64_t offset, uint32_t own, struct text *out)
{
	struct gpu_launch_info info;
	struct text variable = {0};
	if (!find_owner(d, space, offset, own, &info))
		return false;
	text_addf(out, "kernel %u %s has ", info.launch.id,
		  debug_function_name(d, debug_program(d)->functions[info.launch.function]));
	if (space == ISA_SPACE_SHARED && shared_variable(d, &info.launch, offset, &variable))
		text_add(out, text_str(&variable));
	else
		text_addf(out, "%s memory", debug_space_name(space));
	text_free(&variable);
	return true;
}

/* Appends that a global address lies in the addresses of shared or local memory. Returns false if it doesn't. */
static bool window_text(struct debug *d, const struct debug_address *a, struct text *out)
{
	const bool is_shared = a->address >= EXEC_SHARED_WINDOW && a->address < EXEC_LOCAL_WINDOW;
	const bool is_local = a->address >= EXEC_LOCAL_WINDOW && a->address < EXEC_PARAM_WINDOW;
	const enum isa_space space = is_shared ? ISA_SPACE_SHARED : ISA_SPACE_LOCAL;
	struct text owner = {0};
	if (!is_shared && !is_local)
		return false;
	const uint64_t offset = a->address - access_window(space);
	text_addf(out, " is %s[0x%" PRIx64 "]", debug_space_name(space), offset);
	if (owner_text(d, space, offset, a->launch, &owner))
		text_addf(out, ", where %s", text_str(&owner));
	text_add(out, is_shared ? "; shared memory is only there for threads of its block"
				: "; local memory is only there for its thread");
	text_free(&owner);
	return true;
}

/* ---- global memory ---- */

/* Appends `: 2^32 elements of 4 bytes further is alloc_1[...]` if the address is what a 32-bit index gives that has overflowed. */
static void overflow_text(struct debug *d, uint64_t address, struct text *out)
{
	for (unsigned shift = 0; shift <= 4; shift++) {
		const uint64_t meant = address + (UINT64_C(1) << (32 + shift));
		const struct gpu_allocation *a = gpu_nearest_allocation(d->g, meant);
		if (!a || !a->live || meant - a->address >= a->bytes || meant - a->address < UINT64_C(1) << 31 << shift)
			continue;
		text_addf(out, "; a 32-bit index has overflowed: 2^32 elements of %u byte%s further is byte %" PRIu64 " of %s",
			  1u << shift, shift ? "s" : "", (meant - a->address), a->name[0] ? a->name : "that allocation");
		return;
	}
}

static void distance_text(const struct debug_address *a, uint64_t address, struct text *out)
{
	const struct gpu_allocation *n = a->nearest;
	const uint64_t end = n->address + n->bytes;
	if (address >= end)
		text_addf(out, " is %" PRIu64 " bytes %s ", (address - end), a->is_finding ? "after" : "past the end of");
	else if (address < n->address)
		text_addf(out, " is %" PRIu64 " bytes before ", (n->address - address));
	else if (a->is_finding)
		text_addf(out, " is %" PRIu64 " bytes inside ", (address - n->address));
	else if (n->live || n->alias)
		text_addf(out, " is %" PRIu64 " bytes before the end of ", (end - address));
	else
		text_add(out, " is in ");
}

/* Returns true if the text names a->nearest. */
static bool global_text(struct debug *d, const struct debug_address *a, struct text *out)
{
	const uint64_t address = gpu_device_address_beside(d->g, a->address);
	if (address < NULL_BYTES) {
		text_add(out, address ? " is close to null" : " is null");
		return false;
	}
	if (debug_is_host_memory(d, a->address, out) || debug_is_constant_memory(d, a->address, out) ||
	    window_text(d, a, out))
		return false;
	if (!a->nearest) {
		text_add(out, " is not allocated, nothing is");
		return false;
	}
	distance_text(a, address, out);
	if (!a->is_finding) {
		debug_allocation_text(d, a->nearest, out);
	} else {
		allocation_name(d, a->nearest, true, out);
		text_add(out, a->nearest->read_only ? ", which may only be read there" : "");
	}
	overflow_text(d, address, out);
	return true;
}

/* ---- spaces with one piece of memory ---- */

/* Returns true if an address is a negative number, of 32 bits or of 64: it lies in front of the space's beginning. */
static bool is_in_front(uint64_t address) { return address >> 31 == 1 || address >> 31 == UINT64_MAX >> 31; }

static const char *piece_name(enum isa_space space)
{
	switch (space) {
	case ISA_SPACE_SHARED: return "the block's shared memory";
	case ISA_SPACE_LOCAL: return "the thread's local memory";
	case ISA_SPACE_PARAM: return "the kernel's parameters";
	default: return "constant memory";
	}
}

static void space_text(struct debug *d, const struct debug_address *a, struct text *out)
{
	const bool is_front = is_in_front(a->address), is_behind = a->address >= a->bytes;
	const uint64_t n = is_front ? (uint32_t)-a->address : is_behind ? a->address - a->bytes : a->bytes - a->address;
	struct text owner = {0};
	text_addf(out, " is %" PRIu64 " bytes %s%s (%" PRIu64 " bytes)", n,
		  is_front    ? "before "
		  : is_behind ? "past the end of "
			      : "before the end of ",
		  piece_name(a->space), a->bytes);
	if ((a->space == ISA_SPACE_SHARED || a->space == ISA_SPACE_LOCAL) && !a->bytes && !is_front &&
	    owner_text(d, a->space, a->address, a->launch, &owner))
		text_addf(out, "; %s there, which is only there for %s", text_str(&owner),
			  a->space == ISA_SPACE_SHARED ? "threads of its block" : "its thread");
	text_free(&owner);
}

/* Appends ` is not a multiple of 8, 4 bytes into buffer z (0x80000a00, 800 bytes)`. */
static void misaligned_text(struct debug *d, const struct debug_address *a, struct text *out)
{
	const uint64_t device = gpu_device_address_beside(d->g, a->address);
	text_addf(out, " is not a multiple of %u", a->size);
	if (!a->nearest || device < a->nearest->address || device - a->nearest->address >= a->nearest->bytes)
		return;
	text_addf(out, ", %" PRIu64 " bytes into ", (device - a->nearest->address));
	debug_allocation_text(d, a->nearest, out);
}

/* Appends ` is 0 bytes after variable a (shared[0x0], 64 bytes), in b+0`. */
static void beyond_text(struct debug *d, const struct debug_address *a, struct text *out)
{
	const uint64_t end = a->address + a->size;
	struct text name = {0}, there = {0};
	if (a->address >= a->variable_end)
		text_addf(out, " is %" PRIu64 " bytes after ", (a->address - a->variable_end));
	else if (a->address < a->variable)
		text_addf(out, " is %" PRIu64 " bytes before ", (a->variable - a->address));
	else
		text_addf(out, " goes %" PRIu64 " bytes beyond ", (end - a->variable_end));
	if (a->variable_name)
		text_add(&name, a->variable_name);
	else
		debug_space_variable(d, a->space, a->launch, a->variable, &name);
	if (a->there)
		text_add(&there, a->there);
	else
		debug_space_variable(d, a->space, a->launch, a->address < a->variable || a->address >= a->variable_end ? a->address : a->variable_end, &there);
	text_addf(out, "variable %s (%s[0x%" PRIx64 "], %" PRIu64 " bytes)", text_str(&name), debug_space_name(a->space), a->variable,
		  (a->variable_end - a->variable));
	if (there.n)
		text_addf(out, ", in %s", text_str(&there));
	text_free(&name);
	text_free(&there);
}

bool debug_address_text(struct debug *d, const struct debug_address *a, struct text *out)
{
	if (a->variable_end) {
		beyond_text(d, a, out);
		return false;
	}
	if (a->is_misaligned) {
		misaligned_text(d, a, out);
		return false;
	}
	if (a->space == ISA_SPACE_GLOBAL || a->space == ISA_SPACE_GENERIC)
		return global_text(d, a, out);
	space_text(d, a, out);
	return false;
}

/* ---- accesses ---- */

/* Returns the size of the only piece of memory that a thread of a launch has in a space. */
static uint64_t space_bytes(const struct debug *d, const struct exec_launch *l, enum isa_space space)
{
	switch (space) {
	case ISA_SPACE_SHARED: return l->shared_bytes;
	case ISA_SPACE_LOCAL: return l->local_stride;
	case ISA_SPACE_PARAM: return l->param_bytes;
	default: return debug_program(d)->const_next;
	}
}

void debug_address_fill(struct debug *d, const struct exec_launch *l, enum isa_space space, uint64_t address, uint32_t size,
			struct debug_address *out)
{
	const bool is_global = space == ISA_SPACE_GLOBAL || space == ISA_SPACE_GENERIC;
	const uint64_t device = gpu_device_address_beside(d->g, address);
	*out = (struct debug_address){.address = address,
				      .space = space,
				      .bytes = is_global ? 0 : space_bytes(d, l, space),
				      .nearest = is_global ? gpu_nearest_allocation(d->g, device) : NULL,
				      .launch = l->id,
				      .size = size};
}

bool debug_wrong_address_text(struct debug *d, const struct debug_thread_access *a, struct text *out)
{
	const enum isa_space lies = debug_space_of(a->generic);
	const bool is_global = lies == ISA_SPACE_GLOBAL || lies == ISA_SPACE_CODE || a->space == ISA_SPACE_GLOBAL;
	struct gpu_launch_info info;
	struct debug_address address;
	if (!gpu_launch_get(d->g, a->launch, &info))
		return false;
	debug_address_fill(d, &info.launch, is_global ? ISA_SPACE_GLOBAL : lies, a->generic - (is_global ? 0 : access_window(lies)),
			   a->size, &address);
	const bool is_there = is_global ? gpu_memory_from(d->g, a->generic) >= a->size && (a->is_past || !gpu_is_freed(d->g, a->generic))
					: address.address + a->size <= address.bytes;
	address.is_misaligned = is_there && a->size && address.address % a->size;
	if (is_there && !address.is_misaligned)
		return false;
	text_addf(out, "address 0x%" PRIx64, address.address);
	debug_address_text(d, &address, out);
	return true;
}

/* ---- launches ---- */

bool debug_launch_text(struct debug *d, uint32_t launch, struct text *out)
{
	struct text place = {0};
	struct gpu_launch_info info;
	const bool is_known = gpu_launch_get(d->g, launch, &info) && debug_launched_from(d, launch, &place);
	if (is_known)
		text_addf(out, "kernel %u %s, launched from %s", launch,
			  debug_function_name(d, debug_program(d)->functions[info.launch.function]), text_str(&place));
	text_free(&place);
	return is_known;
}

void debug_launch_parents(struct debug *d, uint32_t launch, struct text *out)
{
	struct gpu_launch_info info, parent;
	while (gpu_launch_get(d->g, launch, &info) && info.parent && gpu_launch_get(d->g, info.parent - 1, &parent)) {
		const struct exec_launch *p = &parent.launch;
		const uint64_t index = info.parent_uid - p->first_uid;
		const uint32_t t = (uint32_t)(index % p->threads_per_cta);
		const uint64_t b = index / p->threads_per_cta;
		text_addf(out,
			  "kernel %u was launched by thread (%u,%u,%u) in block (%" PRIu64 ",%" PRIu64 ",%" PRIu64 "), uid %" PRIu64 ", of kernel "
			  "%u %s at ",
			  launch, t % p->block[0], t / p->block[0] % p->block[1], t / p->block[0] / p->block[1],
			  (b % p->grid[0]), (b / p->grid[0] % p->grid[1]), (b / p->grid[0] / p->grid[1]),
			  info.parent_uid, p->id, debug_function_name(d, debug_program(d)->functions[p->function]));
		debug_place_text(d, info.parent_pc, out);
		text_addc(out, '\n');
		launch = p->id;
	}
}
