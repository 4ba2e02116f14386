/* Device buffers: making them. */
#include <string.h>

#include "base/pages.h"
#include "base/xalloc.h"
#include "debug/csource/cnames.h"
#include "debug/expr/value.h"
#include "debug/ground/scan.h"
#include "debug/setup/buffer.h"
#include "debug/setup/init.h"
#include "debug/setup/layout.h"
#include "debug/setup/room.h"
#include "debug/view/view.h"
#include "gpu/texture.h"

void debug_buffer_type(const struct debug_buffer *b, struct text *out)
{
	if (b->c)
		layout_name(b->c->target, out);
	else
		text_add(out, isa_type_info[b->type].name);
	text_addf(out, "[%llu]", (unsigned long long)b->count);
}

/* ---- TYPE[COUNT] ---- */

#define BYTES_MAX (UINT64_C(1) << 36)

static const char usage[] = "usage: buffer NAME TYPE[COUNT] [= INIT]; types: b8 u8 s8 b16 u16 s16 f16 bf16 b32 u32 s32 "
			    "f32 b64 u64 s64 f64, and structures";

static bool parse_type(struct debug *d, const char **s, enum isa_type *t, const struct ctype **c, struct text *why)
{
	uint8_t pointers;
	const char *p = scan_blanks(*s);
	*c = NULL;
	if (expr_parse_type(&p, t, &pointers)) {
		if (pointers || !isa_type_bytes(*t) || isa_type_bytes(*t) > 8)
			return debug_fail(why, "%s", usage);
	} else if (*p != '[') {
		*c = layout_parse_type(d, &p, why);
		if (!*c)
			return debug_fail(why, "; %s", usage);
	} else {
		return debug_fail(why, "%s", usage);
	}
	*s = scan_blanks(p);
	return true;
}

bool debug_parse_shape(struct debug *d, const char **s, struct init *f, struct text *why)
{
	enum isa_type t;
	const struct ctype *c;
	uint64_t count;
	const char *p = *s;
	if (!*scan_blanks(p))
		return debug_fail(why, "%s", usage);
	if (!parse_type(d, &p, &t, &c, why))
		return false;
	size_t n = *p == '[' ? scan_part(p + 1, false) : 0;
	if (!n || p[1 + n] != ']')
		return debug_fail(why, "usage: buffer NAME TYPE[COUNT] [= INIT]");
	if (!debug_eval_count(d, p + 1, n, &count, why))
		return false;
	*s = p + 2 + n;
	if (!count)
		return debug_fail(why, "a buffer needs at least one element");
	if (count > BYTES_MAX / (c ? ctype_core(c)->bytes : isa_type_bytes(t)))
		return debug_fail(why, "no room for %llu elements of device memory", (unsigned long long)count);
	if (!c)
		init_numbers(f, t, count);
	else if (!init_of_type(f, ctype_array_of(cnames_pool(d), c, count)))
		return debug_fail(why, "the type has no size");
	return true;
}

/* ---- the command ---- */

static uint64_t allocate(struct debug *d, uint64_t bytes, const char *name)
{
	return (uint64_t)debug_input(d, &(struct gpu_input){.kind = GPU_INPUT_ALLOC, .alloc = {.bytes = bytes, .name = name}}, NULL);
}

static void give_back(struct debug *d, uint64_t address)
{
	debug_input(d, &(struct gpu_input){.kind = GPU_INPUT_FREE, .memory = {address}}, NULL);
}

/* Unbinds the references that read texels at an address. */
static void unbind_references(struct debug *d, uint64_t address)
{
	uint64_t handle;
	for (uint32_t k = 0; k < gpu_texture_count(d->g); k++) {
		const struct gpu_texture *t = gpu_texture_entry(d->g, k, &handle);
		if (!t || !t->variable || t->texels.address != address)
			continue;
		const struct gpu_texture none = {.variable = t->variable};
		debug_input(d, &(struct gpu_input){.kind = GPU_INPUT_TEXTURE_BIND, .texture = {&none}}, NULL);
	}
}

static void remove_object(struct debug *d, const struct debug_buffer *b)
{
	const struct gpu_texture *t = b->handle ? gpu_texture_at(d->g, b->handle) : NULL;
	if (!t)
		return;
	debug_input(d, &(struct gpu_input){.kind = GPU_INPUT_TEXTURE_DESTROY, .texture_destroy = {b->handle, t->context, t->is_surface}}, NULL);
	if (!b->is_shared)
		unbind_references(d, b->address);
}

static void remove_buffer(struct debug *d, const char *name, size_t n)
{
	const struct debug_buffer *found = debug_buffer_find(d, name, n);
	if (!found)
		return;
	remove_object(d, found);
	if (!found->is_shared)
		give_back(d, found->address);
	buffers_remove(d, (size_t)(found - debug_buffer_at(d, 0)));
}

/* Piece by piece, each given back, so that host memory never holds a large buffer twice. False where Ctrl-C ends it. */
static bool move_to_device(struct debug *d, uint64_t address, unsigned char *bytes, uint64_t n, struct text *why)
{
	for (uint64_t done = 0; done < n; done += INIT_PIECE_BYTES) {
		const uint64_t part = n - done < INIT_PIECE_BYTES ? n - done : INIT_PIECE_BYTES;
		if (!init_goes_on_now(d, why))
			return false;
		debug_input(d, &(struct gpu_input){.kind = GPU_INPUT_COPY, .copy = {.address = address + done, .n = part, .data = bytes + done}}, NULL);
		pages_drop(bytes + done, part);
	}
	return true;
}

/* Returns the buffer or texture that has its texels in the memory of buffer `b`, or NULL. */
static const struct debug_buffer *sharer_of(struct debug *d, const struct debug_buffer *b)
{
	for (size_t k = 0; k < debug_buffer_count(d); k++)
		if (debug_buffer_at(d, k)->is_shared && debug_buffer_at(d, k)->address == b->address)
			return debug_buffer_at(d, k);
	return NULL;
}

/* Returns whether the buffer of a name, if there is one, may be removed. */
static bool may_remove(struct debug *d, const char *name, size_t n, struct text *why)
{
	const struct debug_buffer *b = debug_buffer_find(d, name, n), *sharer = b && !b->is_shared ? sharer_of(d, b) : NULL;
	return !sharer || debug_fail(why, "the memory of %s is also that of %s: `delete buffer %s` first", b->name, sharer->name, sharer->name);
}

bool debug_buffer_make(struct debug *d, const struct buffer_plan *plan, struct init *f, struct text *why)
{
	const char *name = plan->name;
	const size_t n_name = plan->n_name;
	const bool initialised = f->bytes != NULL;
	char *copy = xstrndup(name, n_name);
	const struct debug_buffer *older = debug_buffer_find(d, name, n_name);
	uint64_t bytes = f->count * f->size;
	uint64_t address = allocate(d, bytes, copy);
	if (!address && older && debug_buffer_bytes(older) >= bytes) { /* the older one's room will do */
		remove_buffer(d, name, n_name);
		address = allocate(d, bytes, copy);
	}
	if (!address)
		debug_fail(why, "no room for %llu bytes of device memory", (unsigned long long)bytes);
	const uint64_t handle = address && plan->make_object ? plan->make_object(d, plan->self, address, why) : 0;
	if (!address || (plan->make_object && !handle) || (initialised && !move_to_device(d, address, f->bytes, bytes, why))) {
		if (address)
			give_back(d, address);
		free(copy);
		return false;
	}
	remove_buffer(d, name, n_name); /* the older one: the new one is there, nothing can be lost any more */
	DEBUG_HOOK(d, host_memory, &(struct debug_memory_event){.kind = DEBUG_MEMORY_ALLOCATED, .to = address, .bytes = bytes});
	if (initialised)
		DEBUG_HOOK(d, host_memory, &(struct debug_memory_event){.kind = DEBUG_MEMORY_FROM_HOST, .to = address, .bytes = bytes});
	const struct debug_buffer b = {.name = copy,
				       .type = f->whole && !plan->make_object ? ISA_U8 : f->type,
				       .c = f->whole,
				       .count = f->whole ? f->whole->count : f->count,
				       .bytes = bytes,
				       .address = address,
				       .initialised = initialised,
				       .handle = handle,
				       .channels = plan->channels};
	buffers_insert(d, debug_buffer_count(d), &b);
	debug_changed(d);
	return true;
}

/* Returns true if the name is one that a program's allocations get: `alloc_` and a number. */
static bool is_allocation_name(const char *name, size_t n)
{
	static const char prefix[] = "alloc_";
	size_t k = sizeof prefix - 1;
	if (n <= k || memcmp(name, prefix, k) != 0)
		return false;
	while (k < n && name[k] >= '0' && name[k] <= '9')
		k++;
	return k == n;
}

/* A buffer would hide a variable: kernels read that, and users would see the buffer. A program's allocation would hide the buffer. */
bool debug_buffer_may_be_named(struct debug *d, const char *name, size_t n, struct text *why)
{
	if (!may_remove(d, name, n, why))
		return false;
	if (d->program && is_allocation_name(name, n))
		return debug_fail(why, "%.*s is a name that the program's allocations get: a buffer needs another name",
				  (int)n, name);
	return !debug_is_module_name(d, name, n) || debug_fail(why,
							       "%.*s is a variable of the module, and a buffer would "
							       "hide it: `set var %.*s = ...` gives the variable "
							       "values; a buffer needs another name",
							       (int)n, name, (int)n, name);
}

/* A file that is loaded must not bring such a variable, either. */
bool debug_refuse_variable(void *self, const char *name, const char *plain, struct text *why)
{
	const struct debug_buffer *b = debug_buffer_of_module_name(self, name, plain);
	if (b)
		text_addf(why,
			  "buffer %s would hide this variable: `delete buffer %s` and give the variable values with "
			  "`set var`, or "
			  "make the buffer under another name",
			  b->name, b->name);
	return b;
}

/* ---- a program's ---- */

/* Has its process memory of this kind, too, to write to as it likes? */
static bool is_on_both_sides(const char *kind) { return !strcmp(kind, "host") || !strcmp(kind, "managed"); }

void debug_buffer_adopt(struct debug *d, const char *name, uint64_t address, uint64_t bytes, const char *kind, uint64_t caller)
{
	const struct debug_buffer b = {.name = xstrdup(name),
				       .type = ISA_U8,
				       .count = bytes,
				       .bytes = bytes,
				       .address = address,
				       .initialised = is_on_both_sides(kind),
				       .kind = kind,
				       .caller = caller};
	buffers_insert(d, debug_buffer_count(d), &b);
}

void debug_buffer_forget(struct debug *d, uint64_t address)
{
	size_t k = debug_buffer_count(d);
	while (k && (debug_buffer_at(d, k - 1)->address != address || !debug_buffer_at(d, k - 1)->kind))
		k--;
	if (k)
		buffers_remove(d, k - 1);
}

bool debug_buffer_delete(struct debug *d, const char *name, size_t n, struct text *why)
{
	const struct debug_buffer *b = debug_buffer_find(d, name, n);
	if (!b)
		return debug_fail(why, "there is no buffer %.*s; info buffers lists them", (int)n, name);
	if (b->kind)
		return debug_fail(why, "%.*s is the program's: it frees it", (int)n, name);
	if (!may_remove(d, name, n, why))
		return false;
	remove_buffer(d, name, n);
	debug_changed(d);
	return true;
}

void debug_buffer_remove(struct debug *d, const char *name, size_t n) { remove_buffer(d, name, n); }

/* Makes a buffer with the contents that the text after `=` describes. */
static bool make_filled(struct debug *d, const struct buffer_plan *plan, struct init *f, const char *init)
{
	f->bytes = pages_take(f->count * f->size);
	if (!f->bytes)
		return debug_fail(f->why, "no host memory for %llu elements", (unsigned long long)f->count);
	const bool ok = init_by_text(f, init) && debug_buffer_make(d, plan, f, f->why);
	pages_free(f->bytes, f->count * f->size);
	return ok;
}

const struct debug_buffer *debug_buffer_define(struct debug *d, const char *text, struct text *why)
{
	const char *name = scan_blanks(text);
	const size_t n = scan_name(name);
	struct init f = {.d = d, .why = why, .what = "buffer"};
	if (!n || *name == '%' || *name == '$') {
		debug_fail(why, "usage: buffer NAME TYPE[COUNT] [= INIT]");
		return NULL;
	}
	const char *s = name + n;
	const struct buffer_plan plan = {.name = name, .n_name = n};
	if (!debug_buffer_may_be_named(d, name, n, why) || !debug_parse_shape(d, &s, &f, why))
		return NULL;
	s = scan_blanks(s);
	const bool ok = *s == '=' ? make_filled(d, &plan, &f, s + 1)
				  : scan_end(s, why) && debug_buffer_make(d, &plan, &f, why);
	return ok ? debug_buffer_find(d, name, n) : NULL;
}
