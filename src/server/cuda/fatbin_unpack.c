/* Unpacks payloads of fat binaries (LZ4 blocks and zstd frames), and finds the kernels of cubins. */
#include <elf.h>
#include <lz4.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/xalloc.h"
#include "server/cuda/fatbin.h"

#define UNPACKED_MAX (UINT64_C(1) << 30) /* the limit of the PTX front end, larger than any program needs */
#define LZ4_RATIO_MAX 255u		 /* largest expansion of an LZ4 block */

static bool unpack_lz4(const char *packed, size_t n_packed, char *out, size_t n)
{
	if (n_packed > LZ4_MAX_INPUT_SIZE || n > LZ4_MAX_INPUT_SIZE)
		return false;
	return LZ4_decompress_safe(packed, out, (int)n_packed, (int)n) == (int)n;
}

static bool unpack_zstd(const char *packed, size_t n_packed, char *out, size_t n)
{
	size_t got = ZSTD_decompress(out, n, packed, n_packed);
	return !ZSTD_isError(got) && got == n;
}

/* Returns whether the packed bytes can expand to the stated size. Checked before memory is allocated. */
static bool is_plausible(const struct fatbin_entry *e, const char *packed)
{
	switch (e->packing) {
	case FATBIN_LZ4: return e->n_unpacked / LZ4_RATIO_MAX <= e->n_payload;
	case FATBIN_ZSTD: {
		const unsigned long long said = ZSTD_getFrameContentSize(packed, e->n_payload);
		return said == e->n_unpacked || said == ZSTD_CONTENTSIZE_UNKNOWN;
	}
	default: return e->n_unpacked == e->n_payload;
	}
}

/* Reads the packed payload; NULL if it can't be read. Reads in pieces, so that a wrong size doesn't allocate memory. */
static char *read_payload(const struct fatbin_entry *e, const struct fatbin_reader *from)
{
	enum { PIECE = 1 << 20 };
	char *bytes = NULL;
	size_t cap = 0, n = 0;
	do {
		const size_t piece = e->n_payload - n < PIECE ? (size_t)(e->n_payload - n) : PIECE;
		bytes = xgrow(bytes, &cap, n + piece + 1, 1);
		if (from->read(from->self, e->payload + n, bytes + n, piece) != piece) {
			free(bytes);
			return NULL;
		}
		n += piece;
	} while (n < e->n_payload);
	return bytes;
}

static char *unpack(const struct fatbin_entry *e, char *packed, size_t n)
{
	char *out = is_plausible(e, packed) ? malloc(n + 1) : NULL;
	bool ok = out && (e->packing == FATBIN_LZ4 ? unpack_lz4(packed, (size_t)e->n_payload, out, n)
						   : unpack_zstd(packed, (size_t)e->n_payload, out, n));
	free(packed);
	if (ok)
		return out;
	free(out);
	return NULL;
}

char *fatbin_unpack(const struct fatbin_entry *e, const struct fatbin_reader *from, size_t *n, struct text *why)
{
	if (e->n_unpacked > UNPACKED_MAX || e->n_payload > UNPACKED_MAX) {
		text_addf(why, "an entry of the fat binary has %llu bytes; at most %llu can be read",
			  (unsigned long long)(e->n_unpacked > e->n_payload ? e->n_unpacked : e->n_payload),
			  (unsigned long long)UNPACKED_MAX);
		return NULL;
	}
	if (e->packing == FATBIN_UNKNOWN) {
		text_add(why, "the fat binary is compressed in a way that is not known here "
			      "(`nvcc --compress-mode=none` stores it)");
		return NULL;
	}
	char *bytes = read_payload(e, from);
	if (!bytes) {
		text_add(why, "the fat binary ends inside an entry");
		return NULL;
	}
	*n = (size_t)e->n_unpacked;
	if (e->packing != FATBIN_STORED)
		bytes = unpack(e, bytes, *n);
	if (!bytes) {
		text_add(why, "the compressed data of the fat binary is damaged");
		return NULL;
	}
	while (e->kind == FATBIN_PTX && *n && !bytes[*n - 1])
		--*n;
	bytes[*n] = '\0';
	return bytes;
}

/* ---- cubins ---- */

struct cubin {
	const uint8_t *bytes;
	size_t n;
	Elf64_Ehdr header;
};

static bool section_of(const struct cubin *c, unsigned k, Elf64_Shdr *out)
{
	const uint64_t at = c->header.e_shoff + (uint64_t)k * sizeof *out;
	if (c->header.e_shoff > c->n || at + sizeof *out > c->n)
		return false;
	memcpy(out, c->bytes + at, sizeof *out);
	return true;
}

/* Returns a section's name; NULL if it isn't inside the file, with its 0. */
static const char *name_of(const struct cubin *c, const Elf64_Shdr *names, const Elf64_Shdr *s)
{
	if (names->sh_offset > c->n || names->sh_size > c->n - names->sh_offset || s->sh_name >= names->sh_size)
		return NULL;
	const char *name = (const char *)c->bytes + names->sh_offset + s->sh_name;
	return memchr(name, 0, names->sh_size - s->sh_name) ? name : NULL;
}

/* Reads a cubin's header and the section of its sections' names. Returns false if it is no 64-bit ELF file. */
static bool open_cubin(struct cubin *c, const void *elf, size_t n, Elf64_Shdr *strings)
{
	*c = (struct cubin){.bytes = elf, .n = n};
	if (n < sizeof c->header)
		return false;
	memcpy(&c->header, elf, sizeof c->header);
	return !memcmp(c->header.e_ident, ELFMAG, SELFMAG) && c->header.e_ident[EI_CLASS] == ELFCLASS64 &&
	       c->header.e_shentsize == sizeof *strings && section_of(c, c->header.e_shstrndx, strings);
}

/* Finds a section of a type, or with type 0 by its name. */
static bool find_section(const struct cubin *c, const Elf64_Shdr *strings, uint32_t type, const char *name, Elf64_Shdr *out)
{
	for (unsigned k = 0; k < c->header.e_shnum && section_of(c, k, out); k++) {
		const char *of = name_of(c, strings, out);
		const bool is_inside = out->sh_offset <= c->n && out->sh_size <= c->n - out->sh_offset;
		if (is_inside && (type ? out->sh_type == type : of && !strcmp(of, name)))
			return true;
	}
	return false;
}

/* Returns the name of a symbol. Returns NULL if there is none. */
static const char *symbol_name(const struct cubin *c, const Elf64_Shdr *symbols, uint32_t k)
{
	Elf64_Shdr strings;
	Elf64_Sym s;
	if (k >= symbols->sh_size / sizeof s || !section_of(c, symbols->sh_link, &strings))
		return NULL;
	memcpy(&s, c->bytes + symbols->sh_offset + (uint64_t)k * sizeof s, sizeof s);
	const Elf64_Shdr as_section = {.sh_name = s.st_name};
	return name_of(c, &strings, &as_section);
}

/* Attributes in .nv.info: a format, an attribute, and a number of 16 bits, which is the size of what follows if the format is SIZED. */
enum { FORMAT_SIZED = 4, ATTRIBUTE_FRAME = 0x11, ATTRIBUTE_REGISTERS = 0x2f };

void fatbin_cubin_functions(const void *elf, size_t n, void (*each)(void *self, const struct cubin_function *f), void *self)
{
	struct cubin c;
	Elf64_Shdr strings, info, symbols;
	if (!open_cubin(&c, elf, n, &strings) || !find_section(&c, &strings, 0, ".nv.info", &info) ||
	    !find_section(&c, &strings, SHT_SYMTAB, NULL, &symbols))
		return;
	const uint8_t *s = c.bytes + info.sh_offset, *const end = s + info.sh_size;
	for (size_t bytes; end - s >= 4; s += bytes) {
		uint16_t size;
		uint32_t value[2] = {0, 0};
		memcpy(&size, s + 2, sizeof size);
		bytes = 4 + (s[0] == FORMAT_SIZED ? size : 0u);
		if ((size_t)(end - s) < bytes)
			return;
		if (bytes >= 4 + sizeof value)
			memcpy(value, s + 4, sizeof value);
		const bool is_frame = s[1] == ATTRIBUTE_FRAME, is_registers = s[1] == ATTRIBUTE_REGISTERS;
		const struct cubin_function f = {.name = is_frame || is_registers ? symbol_name(&c, &symbols, value[0]) : NULL,
						 .registers = is_registers ? value[1] : 0,
						 .frame_bytes = is_frame ? value[1] : CUBIN_NOT_KNOWN};
		if (f.name && bytes >= 4 + sizeof value)
			each(self, &f);
	}
}

size_t fatbin_cubin_kernels(const void *elf, size_t n, struct text *names)
{
	static const char info[] = ".nv.info.";
	struct cubin c;
	Elf64_Shdr strings, s;
	size_t found = 0;
	if (!open_cubin(&c, elf, n, &strings))
		return 0;
	for (unsigned k = 0; k < c.header.e_shnum && section_of(&c, k, &s); k++) {
		const char *name = name_of(&c, &strings, &s);
		if (!name || strncmp(name, info, sizeof info - 1))
			continue;
		text_addf(names, "%s\n", name + sizeof info - 1);
		found++;
	}
	return found;
}
