/* Memory as one thread sees it, through the flat generic space; registers of a lane. */
#include <string.h>

#include "isa/plus.h"
#include "debug/ground/ground.h"
#include "debug/view/focus.h"
#include "debug/view/view.h"

static const struct {
	const char *name;
	uint64_t window, bytes;
} spaces[ISA_SPACE_COUNT] = {
	[ISA_SPACE_GENERIC] = {"generic", 0, 0},
	[ISA_SPACE_GLOBAL] = {"global", 0, 0},
	[ISA_SPACE_SHARED] = {"shared", EXEC_SHARED_WINDOW, EXEC_LOCAL_WINDOW - EXEC_SHARED_WINDOW},
	[ISA_SPACE_LOCAL] = {"local", EXEC_LOCAL_WINDOW, EXEC_PARAM_WINDOW - EXEC_LOCAL_WINDOW},
	[ISA_SPACE_PARAM] = {"param", EXEC_PARAM_WINDOW, EXEC_CONST_WINDOW - EXEC_PARAM_WINDOW},
	[ISA_SPACE_CONST] = {"const", EXEC_CONST_WINDOW, EXEC_CODE_WINDOW - EXEC_CONST_WINDOW},
	[ISA_SPACE_CODE] = {"code", EXEC_CODE_WINDOW, EXEC_MODULE_GLOBALS - EXEC_CODE_WINDOW},
};

const char *debug_space_name(enum isa_space s) { return spaces[s].name; }

enum isa_space debug_space_of(uint64_t generic)
{
	for (unsigned s = ISA_SPACE_SHARED; s < ISA_SPACE_COUNT; s++)
		if (generic >= spaces[s].window && generic - spaces[s].window < spaces[s].bytes)
			return (enum isa_space)s;
	return ISA_SPACE_GLOBAL;
}

bool debug_generic(enum isa_space space, uint64_t address, uint64_t *generic, struct text *why)
{
	if (space == ISA_SPACE_GENERIC || space == ISA_SPACE_GLOBAL) {
		*generic = address;
		return true;
	}
	/* a generic address of that space is taken as it is: `shared[&tile[3]]` */
	if (address >= spaces[space].window && address - spaces[space].window < spaces[space].bytes)
		address -= spaces[space].window;
	if (address >= spaces[space].bytes)
		return debug_fail(why, "0x%llx is no address of %s memory", (unsigned long long)address,
				  spaces[space].name);
	*generic = spaces[space].window + address;
	return true;
}

/* Host address in a section whose bytes the machine holds apart from blocks: constants and parameters. */
static char *section_at(struct debug *d, const struct debug_where *w, uint64_t generic, uint64_t n, int *section,
			uint64_t *offset)
{
	struct exec *x = gpu_exec(d->g);
	enum isa_space s = debug_space_of(generic);
	uint64_t at = generic - spaces[s].window, limit;
	if (s == ISA_SPACE_CONST) {
		*section = x->sec_const;
		*offset = at;
		limit = debug_program(d)->const_next;
	} else if (s == ISA_SPACE_PARAM && w) {
		*section = x->sec_param;
		*offset = w->launch.param_offset + at;
		limit = w->launch.param_offset ? w->launch.param_bytes : 0; /* given back when the launch is over */
	} else {
		return NULL;
	}
	if (at > limit || n > limit - at)
		return NULL;
	return arena_at(x->arena, *section, *offset);
}

bool debug_memory_read(struct debug *d, const struct debug_where *w, uint64_t generic, void *dst, uint64_t n)
{
	enum isa_space s = debug_space_of(generic);
	int section;
	uint64_t offset;
	if (s == ISA_SPACE_GLOBAL)
		return n == 0 || gpu_read(d->g, generic, dst, n);
	if (s == ISA_SPACE_CONST || s == ISA_SPACE_PARAM) {
		const char *p = section_at(d, w, generic, n, &section, &offset);
		if (p)
			memcpy(dst, p, n);
		return p != NULL;
	}
	if (!w || s == ISA_SPACE_CODE)
		return false;
	if (w->state == DEBUG_THREAD_WAITING) { /* shared and local memory begin as zeros */
		uint64_t at = generic - spaces[s].window;
		uint64_t limit = s == ISA_SPACE_SHARED ? w->launch.shared_bytes : w->launch.local_stride;
		if (at > limit || n > limit - at)
			return false;
		memset(dst, 0, n);
		poke_overlay(d, w, POKE_MEMORY, generic, dst, n);
		return true;
	}
	if (!w->cta)
		return false;
	const void *p = exec_peek(gpu_exec(d->g), w->cta, w->warp_index, w->lane, generic, n);
	if (p)
		memcpy(dst, p, n);
	return p != NULL;
}

static void put_bytes(struct debug *d, int section, uint64_t offset, const void *src, uint64_t n)
{
	debug_input(d,
		    &(struct gpu_input){
			    .kind = GPU_INPUT_BYTES, .copy = {.section = section, .address = offset, .n = n, .data = src}},
		    NULL);
}

static bool poke(struct debug *d, const struct debug_where *w, uint64_t generic, const void *src, uint64_t n)
{
	const struct gpu_input in = {.kind = GPU_INPUT_POKE,
				     .poke = {.address = generic,
					      .n = n,
					      .data = src,
					      .slot = (uint32_t)w->slot,
					      .warp = w->warp_index,
					      .lane = w->lane}};
	return debug_input(d, &in, NULL);
}

bool debug_memory_write(struct debug *d, const struct debug_where *w, uint64_t generic, const void *src, uint64_t n)
{
	enum isa_space s = debug_space_of(generic);
	int section;
	uint64_t offset;
	if (s == ISA_SPACE_GLOBAL)
		return debug_input(
			d, &(struct gpu_input){.kind = GPU_INPUT_WRITE, .copy = {.address = generic, .n = n, .data = src}}, NULL);
	if (s == ISA_SPACE_CONST || s == ISA_SPACE_PARAM) {
		if (!section_at(d, w, generic, n, &section, &offset))
			return false;
		put_bytes(d, section, offset, src, n);
		return true;
	}
	if (w && w->state == DEBUG_THREAD_WAITING && s != ISA_SPACE_CODE) {
		char probe;
		if (n && !debug_memory_read(d, w, generic + n - 1, &probe, 1))
			return false;
		poke_add(d, w, POKE_MEMORY, generic, src, n);
		return true;
	}
	return w && w->cta && s != ISA_SPACE_CODE && poke(d, w, generic, src, n);
}

const struct gpu_allocation *debug_named_at(const struct debug *d, uint64_t generic, uint64_t *offset)
{
	const uint64_t at = gpu_device_address(d->g, generic);
	const struct gpu_allocation *a = gpu_nearest_allocation(d->g, at);
	if (!a || !a->live || !a->name[0] || at < a->address || at - a->address >= a->bytes)
		return NULL;
	*offset = at - gpu_allocation_start(a);
	return a;
}

/* The first byte from here on that can't be read: that is the one to tell, as gdb does. */
static uint64_t first_missing(struct debug *d, uint64_t address) { return address + gpu_memory_from(d->g, address); }

bool debug_access_fail(struct debug *d, const struct debug_where *w, uint64_t generic, struct text *why)
{
	enum isa_space s = debug_space_of(generic);
	unsigned long long at = generic - spaces[s].window, bytes;
	const char *whose;
	if (s == ISA_SPACE_GLOBAL && gpu_is_freed(d->g, generic))
		return debug_fail(why, "Cannot access memory at address 0x%llx, which was freed", (unsigned long long)generic);
	if (s == ISA_SPACE_GLOBAL || s == ISA_SPACE_CODE)
		return debug_fail(why, "Cannot access memory at address 0x%llx",
				  (unsigned long long)first_missing(d, generic));
	if (s == ISA_SPACE_CONST)
		return debug_fail(why, "Cannot access const memory at address 0x%llx: there are %u bytes of it", at,
				  debug_program(d)->const_next);
	if (!w)
		return debug_fail(why, "Cannot access %s memory at address 0x%llx: there is no thread in focus",
				  spaces[s].name, at);
	if (s == ISA_SPACE_PARAM && w->state == DEBUG_THREAD_EXITED && !w->launch.param_offset)
		return debug_fail(why, "Cannot access param memory at address 0x%llx: the kernel has finished", at);
	if (s != ISA_SPACE_PARAM && w->state == DEBUG_THREAD_EXITED && !w->cta)
		return debug_fail(why, "Cannot access %s memory at address 0x%llx: the block has finished",
				  spaces[s].name, at);
	bytes = s == ISA_SPACE_SHARED  ? w->launch.shared_bytes
		: s == ISA_SPACE_LOCAL ? w->launch.local_stride
				       : w->launch.param_bytes;
	whose = s == ISA_SPACE_SHARED ? "block" : s == ISA_SPACE_LOCAL ? "thread" : "kernel";
	return debug_fail(why, "Cannot access %s memory at address 0x%llx: the %s has %llu bytes of it", spaces[s].name,
			  at, whose, bytes);
}

/* ---- registers ---- */

void debug_row_lane(const char *row, unsigned lane, unsigned bytes, void *out)
{
	if (bytes == 16) {
		memcpy(out, row + 8 * lane, 8);
		memcpy((char *)out + 8, row + 256 + 8 * lane, 8);
		return;
	}
	memcpy(out, row + (size_t)bytes * lane, bytes);
}

void debug_row_read(struct debug *d, const struct debug_where *w, uint64_t frame, uint32_t ref, unsigned bytes,
		    void *out)
{
	if (!w->w) {
		memset(out, 0, bytes);
		poke_overlay(d, w, POKE_ROW, ref, out, bytes);
		return;
	}
	debug_row_lane(exec_row(gpu_exec(d->g), w->w, frame, ref), w->lane, bytes, out);
}

/* Makes the guards of a PTXPlus function see flags that were written to a predicate's row. */
static void flags_written(struct debug *d, const struct debug_where *w, uint64_t frame, uint32_t ref)
{
	const struct isa_function *f = debug_program(d)->functions[w->launch.function];
	uint32_t flags;
	for (uint32_t k = 0; k < f->n_guards; k++) {
		if (f->guards[k].row != ref)
			continue;
		debug_row_read(d, w, frame, ref, sizeof flags, &flags);
		debug_pred_write(d, w, frame, f->guards[k].slot, (f->guards[k].truth >> (flags & 15) ^ f->guards[k].truth) & 1);
	}
}

void debug_row_write(struct debug *d, const struct debug_where *w, uint64_t frame, uint32_t ref, unsigned bytes,
		     const void *in)
{
	if (!w->w) {
		poke_add(d, w, POKE_ROW, ref, in, bytes);
		return;
	}
	const struct exec *x = gpu_exec(d->g);
	const bool special = ISA_REF_BASE(ref) == ISA_BASE_SPECIAL;
	const int section = special ? x->sec_special : x->sec_frame;
	const uint64_t row = (special ? w->w->special : frame) + ISA_REF_OFFSET(ref);
	if (ISA_REF_BASE(ref) == ISA_BASE_CONST) /* the program's */
		return;
	if (bytes == 16) {
		put_bytes(d, section, row + 8 * w->lane, in, 8);
		put_bytes(d, section, row + 256 + 8 * w->lane, (const char *)in + 8, 8);
		return;
	}
	put_bytes(d, section, row + (uint64_t)bytes * w->lane, in, bytes);
	if (!special)
		flags_written(d, w, frame, ref);
}

bool debug_pred_read(struct debug *d, const struct debug_where *w, uint64_t frame, uint32_t slot)
{
	if (!w->w) {
		unsigned char set = 0;
		poke_overlay(d, w, POKE_PRED, slot, &set, 1);
		return set;
	}
	return exec_preds(gpu_exec(d->g), frame)[slot] >> w->lane & 1;
}

void debug_pred_write(struct debug *d, const struct debug_where *w, uint64_t frame, uint32_t slot, bool v)
{
	if (!w->w) {
		unsigned char set = v;
		poke_add(d, w, POKE_PRED, slot, &set, 1);
		return;
	}
	uint32_t lanes = exec_preds(gpu_exec(d->g), frame)[slot];
	lanes = v ? lanes | lanes_bit(w->lane) : lanes & ~lanes_bit(w->lane);
	put_bytes(d, gpu_exec(d->g)->sec_frame, frame + slot * sizeof lanes, &lanes, sizeof lanes);
}

/* ---- what an instruction accesses ---- */

uint64_t access_window(enum isa_space space)
{
	switch (space) {
	case ISA_SPACE_SHARED: return EXEC_SHARED_WINDOW;
	case ISA_SPACE_LOCAL: return EXEC_LOCAL_WINDOW;
	case ISA_SPACE_CONST: return EXEC_CONST_WINDOW;
	case ISA_SPACE_PARAM: return EXEC_PARAM_WINDOW;
	default: return 0;
	}
}

/* As the instruction forms it. */
static uint64_t formed_address(struct debug *d, const struct isa_insn *i, uint64_t frame,
			       const struct debug_where *lane)
{
	uint64_t row = 0;
	uint32_t row32;
	if (i->a == ISA_REF_NONE)
		return access_window(i->space) + (uint64_t)i->imm +
		       (i->flags & ISA_F_ADDR_SP ? lane->simt->local_sp : 0);
	if (i->a_bytes == 8) {
		debug_row_read(d, lane, frame, i->a, 8, &row);
		return access_window(i->space) + row + (uint64_t)i->imm;
	}
	debug_row_read(d, lane, frame, i->a, 4, &row32);
	return access_window(i->space) + (uint32_t)(row32 + (uint32_t)i->imm);
}

/* Returns a PTXPlus address register, or its half. */
static uint32_t address_register(struct debug *d, uint32_t ref, unsigned half, uint64_t frame, const struct debug_where *lane)
{
	uint32_t v = 0;
	if (ref != ISA_REF_NONE)
		debug_row_read(d, lane, frame, ref, sizeof v, &v);
	return half == ISA_PLUS_WHOLE ? v : half == ISA_PLUS_LO ? v & 0xffff : v >> 16;
}

/* Of the first source in memory, else of the result. */
static uint64_t plus_address(struct debug *d, const struct isa_insn *i, uint64_t frame, const struct debug_where *lane)
{
	const struct isa_plus *plus = isa_plus_of(debug_program(d), i);
	const struct isa_plus_operand *o = &plus->dst;
	for (unsigned k = plus->n_src; k-- > 0;)
		o = plus->src[k].kind == ISA_PLUS_MEMORY ? &plus->src[k] : o;
	if (o->kind != ISA_PLUS_MEMORY)
		return 0;
	const uint32_t first = address_register(d, o->ref, o->ref_half, frame, lane), second = address_register(d, o->other, o->other_half, frame, lane);
	return access_window((enum isa_space)o->space) + (uint32_t)(first + o->base + (o->is_post ? 0 : second + o->imm));
}

uint64_t access_address(struct debug *d, const struct isa_insn *i, uint64_t frame, const struct debug_where *lane)
{
	return gpu_device_address(d->g, isa_insn_has_plus(i) ? plus_address(d, i, frame, lane) : formed_address(d, i, frame, lane));
}

bool debug_read_string(struct debug *d, uint64_t address, size_t most, struct text *out)
{
	struct debug_where w;
	const struct debug_where *where = debug_focus_where(d, &w) ? &w : NULL;
	unsigned char c;
	for (size_t n = 0; n < most; n++, address++) {
		if (!debug_memory_read(d, where, address, &c, 1))
			return n > 0;
		if (!c)
			break;
		text_addc(out, (char)c);
	}
	return true;
}
