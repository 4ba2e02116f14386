/* Device code in host objects (section .nv_fatbin), and in archives of them. */
#include <ar.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "server/module/internal.h"

struct object {
	const uint8_t *bytes;
	size_t n;
	uint32_t capability;
	const char *name;
	struct units *out;
	bool any; /* true if a fat binary was found */
};

/* Reads the fat binary at the start of `bytes`; *size: its length. */
static bool read_fatbin(struct object *o, const uint8_t *bytes, size_t n, size_t *size, struct text *why)
{
	struct fatbin_bytes b = {bytes, n};
	const struct fatbin_reader r = fatbin_reader_of(&b);
	struct fatbin f = {0};
	bool exceeds, ok = fatbin_add(&f, &r, 0, 0, why);
	const struct fatbin_entry *e = ok ? fatbin_choose(&f, 0, o->capability, &exceeds) : NULL;
	size_t n_text;
	char *text = e ? fatbin_unpack(e, &r, &n_text, why) : NULL;
	if (text)
		units_add(o->out, e->name[0] ? e->name : o->name, text, n_text);
	o->any = true;
	if (ok) {
		uint64_t all;
		memcpy(&all, bytes + 8, sizeof all);
		*size = (size_t)all + 16;
	}
	fatbin_free(&f);
	return ok && (!e || text);
}

/* Reads all fat binaries of a section, which follow each other aligned to 8 bytes. Relocatable code (-rdc) has a section of another name. */
static bool read_section(struct object *o, const uint8_t *bytes, size_t n, struct text *why)
{
	const uint32_t magic = FATBIN_MAGIC;
	for (size_t at = 0; at + 16 <= n;) {
		size_t size = 8;
		if (!memcmp(bytes + at, &magic, sizeof magic) && !read_fatbin(o, bytes + at, n - at, &size, why))
			return false;
		at += size > n - at ? n - at : (size + 7) & ~(size_t)7;
	}
	return true;
}

static bool section_header(const uint8_t *bytes, size_t n, const Elf64_Ehdr *h, unsigned k, Elf64_Shdr *out)
{
	const uint64_t at = h->e_shoff + (uint64_t)k * sizeof *out;
	if (h->e_shoff > n || at + sizeof *out > n)
		return false;
	memcpy(out, bytes + at, sizeof *out);
	return out->sh_type == SHT_NOBITS || (out->sh_offset <= n && out->sh_size <= n - out->sh_offset);
}

static bool is_device_code(const uint8_t *bytes, const Elf64_Shdr *names, const Elf64_Shdr *s)
{
	static const char *const known[] = {".nv_fatbin", "__nv_relfatbin"};
	if (names->sh_type == SHT_NOBITS || s->sh_name >= names->sh_size || s->sh_type == SHT_NOBITS)
		return false;
	const char *name = (const char *)bytes + names->sh_offset + s->sh_name;
	const size_t most = names->sh_size - s->sh_name;
	for (size_t k = 0; k < sizeof known / sizeof *known; k++)
		if (strlen(known[k]) < most && !memcmp(name, known[k], strlen(known[k]) + 1))
			return true;
	return false;
}

static bool read_elf(struct object *o, const uint8_t *bytes, size_t n, struct text *why)
{
	Elf64_Ehdr h;
	Elf64_Shdr names, s;
	if (n < sizeof h)
		return true;
	memcpy(&h, bytes, sizeof h);
	if (memcmp(h.e_ident, ELFMAG, SELFMAG) || h.e_ident[EI_CLASS] != ELFCLASS64 || h.e_shentsize != sizeof s ||
	    !section_header(bytes, n, &h, h.e_shstrndx, &names))
		return true; /* no object: other members of archives are skipped */
	for (unsigned k = 0; k < h.e_shnum; k++)
		if (section_header(bytes, n, &h, k, &s) && is_device_code(bytes, &names, &s) &&
		    !read_section(o, bytes + s.sh_offset, s.sh_size, why))
			return false;
	return true;
}

static bool read_archive(struct object *o, struct text *why)
{
	struct ar_hdr h;
	for (size_t at = SARMAG; at + sizeof h <= o->n;) {
		memcpy(&h, o->bytes + at, sizeof h);
		char digits[sizeof h.ar_size + 1] = "";
		memcpy(digits, h.ar_size, sizeof h.ar_size);
		const size_t size = strtoul(digits, NULL, 10), left = o->n - at - sizeof h;
		if (size > left) {
			text_add(why, "the archive ends inside a member");
			return false;
		}
		if (!read_elf(o, o->bytes + at + sizeof h, size, why))
			return false;
		at += sizeof h + size + (size & 1);
	}
	return true;
}

bool object_units(const void *bytes, size_t n, uint32_t capability, const char *name, struct units *out,
		  struct text *why)
{
	struct object o = {.bytes = bytes, .n = n, .capability = capability, .name = name, .out = out};
	const size_t before = out->n;
	const bool is_archive = n >= SARMAG && !memcmp(bytes, ARMAG, SARMAG);
	if (!(is_archive ? read_archive(&o, why) : read_elf(&o, bytes, n, why)))
		return false;
	if (out->n > before)
		return true;
	text_add(why, o.any ? "its device code has no PTX" : "there is no device code in it");
	return false;
}
