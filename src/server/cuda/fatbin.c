/* Fat binaries: reading of headers, and choice of the entry to load. */
#include "server/cuda/fatbin.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

#define HEADER_BYTES 16u
#define ENTRY_BYTES 0x40u     /* common part of all entries' headers */
#define ENTRY_BYTES_MAX 4096u /* the part of a header that is read: a name and options */
#define ENTRIES_MAX 4096u
#define UNITS_MAX 65536u

enum { FLAG_LZ4 = 0x2000, FLAG_ZSTD = 0x8000, FLAG_ARCH = 0x100000, FLAG_FAMILY = 0x200000 };

static size_t read_bytes(void *self, uint64_t address, void *dst, size_t n)
{
	const struct fatbin_bytes *b = self;
	if (address >= b->n)
		return 0;
	size_t got = n < b->n - address ? n : (size_t)(b->n - address);
	memcpy(dst, (const char *)b->bytes + address, got);
	return got;
}

struct fatbin_reader fatbin_reader_of(struct fatbin_bytes *b)
{
	return (struct fatbin_reader){.read = read_bytes, .self = b};
}

static bool read_all(const struct fatbin_reader *r, uint64_t address, void *dst, size_t n)
{
	return r->read(r->self, address, dst, n) == n;
}

static bool fail_with(struct text *why, const char *text)
{
	text_add(why, text);
	return false;
}

/* ---- little endian, at any address ---- */

static uint64_t number(const uint8_t *s, unsigned bytes)
{
	uint64_t v = 0;
	for (unsigned k = bytes; k-- > 0;)
		v = v << 8 | s[k];
	return v;
}

static uint16_t u16(const uint8_t *s) { return (uint16_t)number(s, 2); }
static uint32_t u32(const uint8_t *s) { return (uint32_t)number(s, 4); }
static uint64_t u64(const uint8_t *s) { return number(s, 8); }

/* ---- entries ---- */

/* Copies a string from an entry's header, truncated to the buffer. */
static void copy_string(char *out, size_t n_out, const uint8_t *header, size_t n, uint32_t at, uint32_t length)
{
	if (!at || at >= n)
		return;
	size_t most = n - at < length ? n - at : length;
	most = most < n_out - 1 ? most : n_out - 1;
	memcpy(out, header + at, most);
	out[most] = '\0';
}

static enum fatbin_packing packing_of(uint64_t flags, uint64_t compressed)
{
	if (!compressed)
		return FATBIN_STORED;
	return flags & FLAG_ZSTD ? FATBIN_ZSTD : flags & FLAG_LZ4 ? FATBIN_LZ4 : FATBIN_UNKNOWN;
}

static struct fatbin_entry entry_of(const uint8_t *h, size_t n)
{
	const uint64_t padded = u64(h + 8), flags = u64(h + 0x28), unpacked = u64(h + 0x38);
	const uint32_t compressed = u32(h + 0x10), options = u32(h + 0x14);
	struct fatbin_entry e = {
		.kind = u16(h),
		.minor = u16(h + 0x18),
		.major = u16(h + 0x1a),
		.sm = u32(h + 0x1c),
		.suffix = flags & FLAG_ARCH	? 'a'
			  : flags & FLAG_FAMILY ? 'f'
						: '\0',
		.packing = packing_of(flags, compressed),
		.n_payload = compressed ? compressed : padded,
		.n_unpacked = compressed ? unpacked : padded,
	};
	copy_string(e.name, sizeof e.name, h, n, u32(h + 0x20), u32(h + 0x24));
	if (options && options <= n && n - options >= 8)
		copy_string(e.options, sizeof e.options, h, n, u32(h + options), u32(h + options + 4));
	return e;
}

static void add_entry(struct fatbin *f, const struct fatbin_entry *e)
{
	if (e->kind != FATBIN_PTX && e->kind != FATBIN_ELF)
		return;
	f->entries = xgrow(f->entries, &f->cap, f->n + 1, sizeof *f->entries);
	f->entries[f->n++] = *e;
}

/* Reads an entry, of which at most `left` bytes exist; *all: its full size. */
static bool read_entry(struct fatbin *f, const struct fatbin_reader *from, uint64_t at, uint64_t left, uint32_t unit,
		       uint64_t *all, struct text *why)
{
	uint8_t h[ENTRY_BYTES_MAX];
	if (left < ENTRY_BYTES || !read_all(from, at, h, ENTRY_BYTES))
		return fail_with(why, "the fat binary ends inside an entry's header");
	const uint32_t n = u32(h + 4);
	const uint64_t padded = u64(h + 8);
	if (n < ENTRY_BYTES || n > left || padded > left - n)
		return fail_with(why, "an entry of the fat binary is larger than the fat binary");
	const size_t known = n < sizeof h ? n : sizeof h;
	if (!read_all(from, at, h, known))
		return fail_with(why, "the fat binary ends inside an entry's header");
	struct fatbin_entry e = entry_of(h, known);
	if (e.n_payload > padded)
		return fail_with(why, "an entry of the fat binary is larger than its place");
	e.payload = at + n;
	e.unit = unit;
	add_entry(f, &e);
	*all = n + padded;
	return true;
}

bool fatbin_add(struct fatbin *f, const struct fatbin_reader *from, uint64_t address, uint32_t unit, struct text *why)
{
	uint8_t h[HEADER_BYTES];
	if (!read_all(from, address, h, sizeof h))
		return fail_with(why, "the fat binary can't be read");
	if (u32(h) != FATBIN_MAGIC)
		return fail_with(why, "this is no fat binary");
	if (u16(h + 6) < HEADER_BYTES)
		return fail_with(why, "the fat binary's header is too short");
	const uint64_t first = u16(h + 6);
	uint64_t at = address + first, left = u64(h + 8), all = 0;
	if (at < address || left > UINT64_MAX - at)
		return fail_with(why, "the fat binary's size can't be");
	for (unsigned k = 0; left && k < ENTRIES_MAX; k++, at += all, left -= all)
		if (!read_entry(f, from, at, left, unit, &all, why))
			return false;
	return left ? fail_with(why, "the fat binary has too many entries") : true;
}

/* Adds the fat binaries of a list (-rdc), each a translation unit; the list ends with a null pointer. */
static bool add_units(struct fatbin *f, const struct fatbin_reader *from, uint64_t list, uint32_t *units,
		      struct text *why)
{
	for (*units = 0; *units < UNITS_MAX; ++*units) {
		uint8_t pointer[8];
		if (!read_all(from, list + UINT64_C(8) * *units, pointer, sizeof pointer))
			return fail_with(why, "the list of fat binaries can't be read");
		if (!u64(pointer))
			return true;
		if (!fatbin_add(f, from, u64(pointer), *units, why))
			return false;
	}
	return fail_with(why, "the list of fat binaries has no end");
}

bool fatbin_add_wrapped(struct fatbin *f, const struct fatbin_reader *from, uint64_t wrapper, uint32_t *units,
			struct text *why)
{
	uint8_t w[24];
	*units = 0;
	if (!read_all(from, wrapper, w, sizeof w))
		return fail_with(why, "the fat binary's wrapper can't be read");
	if (u32(w) != FATBIN_WRAPPER_MAGIC)
		return fail_with(why, "this is no fat binary's wrapper");
	if (u32(w + 4) == 2 && u64(w + 16))
		return add_units(f, from, u64(w + 16), units, why);
	*units = 1;
	return fatbin_add(f, from, u64(w + 8), 0, why);
}

void fatbin_free(struct fatbin *f)
{
	free(f->entries);
	*f = (struct fatbin){0};
}

/* ---- the choice ---- */

/* Returns whether the driver would compile the entry for a device of that capability. */
static bool runs_on(const struct fatbin_entry *e, uint32_t capability)
{
	switch (e->suffix) {
	case 'a': return e->sm == capability;
	case 'f': return e->sm <= capability && e->sm / 10 == capability / 10;
	default: return e->sm <= capability;
	}
}

/* Returns 2 if the entry runs on the device, 1 if it is for a later device, 0 if it is for another device's own instructions. */
static int fitness(const struct fatbin_entry *e, uint32_t capability)
{
	return runs_on(e, capability) ? 2 : e->sm > capability ? 1 : 0;
}

static bool is_better(const struct fatbin_entry *e, const struct fatbin_entry *best, uint32_t capability)
{
	const int fit = fitness(e, capability), best_fit = fitness(best, capability);
	if (fit != best_fit)
		return fit > best_fit;
	if (e->sm != best->sm)
		return fit == 1 ? e->sm < best->sm : e->sm > best->sm;
	return e->suffix && !best->suffix && fit == 2; /* made for exactly this device */
}

const struct fatbin_entry *fatbin_choose(const struct fatbin *f, uint32_t unit, uint32_t capability, bool *exceeds)
{
	const struct fatbin_entry *best = NULL;
	for (size_t k = 0; k < f->n; k++) {
		const struct fatbin_entry *e = &f->entries[k];
		if (e->kind == FATBIN_PTX && e->unit == unit && (!best || is_better(e, best, capability)))
			best = e;
	}
	*exceeds = best && !runs_on(best, capability);
	return best;
}

uint32_t fatbin_highest(const struct fatbin *f, uint32_t most)
{
	uint32_t highest = 0;
	for (size_t k = 0; k < f->n; k++)
		if (f->entries[k].kind == FATBIN_PTX && f->entries[k].sm > highest && (!most || f->entries[k].sm <= most))
			highest = f->entries[k].sm;
	return highest;
}
