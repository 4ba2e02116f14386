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

size_t fatbin_cubin_kernels(const void *elf, size_t n, struct text *names)
{
	static const char info[] = ".nv.info.";
	struct cubin c = {.bytes = elf, .n = n};
	Elf64_Shdr strings, s;
	size_t found = 0;
	if (n < sizeof c.header)
		return 0;
	memcpy(&c.header, elf, sizeof c.header);
	if (memcmp(c.header.e_ident, ELFMAG, SELFMAG) || c.header.e_ident[EI_CLASS] != ELFCLASS64 ||
	    c.header.e_shentsize != sizeof s || !section_of(&c, c.header.e_shstrndx, &strings))
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
