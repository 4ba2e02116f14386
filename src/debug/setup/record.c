/* Buffers, declared structures and launches in a file: what checkpoints keep of this room. */
#include <string.h>

#include "base/record.h"
#include "base/xalloc.h"
#include "debug/csource/cnames.h"
#include "debug/rooms.h"
#include "debug/setup/init.h"
#include "debug/setup/layout.h"
#include "debug/setup/room.h"
#include "debug/setup/texture.h"

static void record_buffer(const struct debug_buffer *b, struct text *out)
{
	struct text type = {0};
	if (b->c && !b->handle)
		layout_source(b->c->target, &type);
	record_string(out, b->name);
	record_number(out, b->type);
	record_number(out, b->count);
	record_string(out, b->c && !b->handle ? text_str(&type) : NULL);
	record_number(out, debug_buffer_bytes(b));
	record_number(out, b->address);
	record_number(out, b->initialised);
	record_string(out, b->kind);
	record_number(out, b->caller);
	record_number(out, b->handle);
	record_number(out, b->channels);
	record_number(out, b->is_shared);
	text_free(&type);
}

void setup_record(struct debug *d, struct text *out)
{
	const struct setup_room *s = d->setup;
	record_bytes(out, s->structs.s, s->structs.n);
	record_number(out, debug_buffer_count(d));
	for (size_t k = 0; k < debug_buffer_count(d); k++)
		record_buffer(debug_buffer_at(d, k), out);
	launches_record(d, out);
}

/* The same declaration again does no harm. */
static void take_structs(struct debug *d, struct record_reader *r)
{
	size_t n;
	const char *s = record_take_bytes(r, &n), *end = s + n;
	struct text why = {0};
	while (s < end && memchr(s, 0, (size_t)(end - s))) {
		debug_struct_define(d, s, &why);
		s += strlen(s) + 1;
	}
	text_free(&why);
}

/* Kinds are static strings of the server, and outlive the buffer. */
static const char *kind_of(const char *s)
{
	static const char *const kinds[] = {"device", "shared"};
	for (size_t k = 0; s && k < sizeof kinds / sizeof *kinds; k++)
		if (!strcmp(s, kinds[k]))
			return kinds[k];
	return s ? "device" : NULL;
}

/* A buffer of a type that isn't known here becomes one of bytes. */
static void set_type(struct debug *d, struct debug_buffer *b, const char *type, uint64_t bytes)
{
	struct text why = {0};
	const struct ctype *of = layout_parse_type(d, &type, &why);
	text_free(&why);
	const struct ctype *whole = of && !*type ? ctype_array_of(cnames_pool(d), of, b->count) : NULL;
	b->type = ISA_U8;
	if (whole && ctype_value(whole)->bytes == bytes)
		b->c = whole;
	else
		b->count = bytes;
}

static void take_buffer(struct debug *d, struct record_reader *r)
{
	const char *name = record_take_string(r);
	struct debug_buffer b = {.type = (enum isa_type)record_take_below(r, ISA_TYPE_COUNT)};
	b.count = record_take_number(r);
	const char *type = record_take_string(r);
	const uint64_t bytes = record_take_number(r);
	b.address = record_take_number(r);
	b.initialised = record_take_below(r, 2);
	b.kind = kind_of(record_take_string(r));
	b.caller = record_take_number(r);
	b.handle = record_take_number(r);
	b.channels = (uint8_t)record_take_below(r, 5);
	b.is_shared = record_take_below(r, 2);
	if (r->bad || !name || (b.handle && !gpu_texture_at(d->g, b.handle)))
		return;
	if (b.handle)
		b.c = texel_array(d, (struct texel_format){b.type, b.channels}, b.count);
	if (type)
		set_type(d, &b, type, bytes);
	b.bytes = b.c ? ctype_value(b.c)->bytes : b.count * isa_type_bytes(b.type);
	b.name = xstrdup(name);
	buffers_insert(d, debug_buffer_count(d), &b);
}

void setup_take(struct debug *d, struct record_reader *r)
{
	buffers_remove_all(d);
	take_structs(d, r);
	const uint64_t n = record_take_number(r);
	for (uint64_t k = 0; k < n && !r->bad; k++)
		take_buffer(d, r);
	launches_take(d, r);
}
