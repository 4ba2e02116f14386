/* Linked images: the PTX of all units in sequence. A program may store an image in a file. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "server/module/internal.h"

#define UNITS_MAX 65536u
#define NAME_MAX_BYTES 4096u
#define TEXT_MAX (UINT64_C(1) << 30)

struct image_head {
	char magic[IMAGE_MAGIC_BYTES];
	uint32_t n_units, zero;
};
struct unit_head {
	uint32_t n_name, zero;
	uint64_t n_text;
};

bool is_device_runtime(const char *text) { return strstr(text, "__cuda_syscall_cnp"); }

void units_add(struct units *u, const char *name, char *text, size_t n)
{
	if (is_device_runtime(text)) {
		free(text);
		return;
	}
	u->v = xgrow(u->v, &u->cap, u->n + 1, sizeof *u->v);
	u->v[u->n++] = (struct unit){.name = xstrdup(name), .text = text, .n = n};
}

void units_free(struct units *u)
{
	for (size_t k = 0; k < u->n; k++) {
		free(u->v[k].name);
		free(u->v[k].text);
	}
	free(u->v);
	*u = (struct units){0};
}

void image_write(const struct units *u, struct text *out)
{
	struct image_head head = {.n_units = (uint32_t)u->n};
	memcpy(head.magic, IMAGE_MAGIC, sizeof head.magic);
	text_addn(out, (const char *)&head, sizeof head);
	for (size_t k = 0; k < u->n; k++) {
		struct unit_head h = {.n_name = (uint32_t)strlen(u->v[k].name), .n_text = u->v[k].n};
		text_addn(out, (const char *)&h, sizeof h);
		text_addn(out, u->v[k].name, h.n_name);
		text_addn(out, u->v[k].text, u->v[k].n);
	}
}

/* Reads n bytes and appends a 0; NULL if they can't be read. Memory is allocated as bytes arrive, since sizes may be wrong. */
static char *read_string(const struct fatbin_reader *from, uint64_t address, uint64_t n)
{
	enum { PIECE = 1 << 20 };
	char *s = NULL;
	size_t cap = 0, at = 0;
	do {
		const size_t piece = n - at < PIECE ? (size_t)(n - at) : PIECE;
		s = xgrow(s, &cap, at + piece + 1, 1);
		if (from->read(from->self, address + at, s + at, piece) != piece) {
			free(s);
			return NULL;
		}
		at += piece;
	} while (at < n);
	s[at] = '\0';
	return s;
}

static bool read_unit(const struct fatbin_reader *from, uint64_t *at, struct units *out)
{
	struct unit_head h;
	if (from->read(from->self, *at, &h, sizeof h) != sizeof h || h.n_name > NAME_MAX_BYTES || h.n_text > TEXT_MAX)
		return false;
	*at += sizeof h;
	char *name = read_string(from, *at, h.n_name);
	*at += h.n_name;
	char *text = name ? read_string(from, *at, h.n_text) : NULL;
	*at += h.n_text;
	if (text)
		units_add(out, name, text, (size_t)h.n_text);
	free(name);
	return text;
}

bool image_read(const struct fatbin_reader *from, uint64_t address, struct units *out)
{
	struct image_head head;
	if (from->read(from->self, address, &head, sizeof head) != sizeof head || head.n_units > UNITS_MAX ||
	    memcmp(head.magic, IMAGE_MAGIC, sizeof head.magic))
		return false;
	address += sizeof head;
	for (uint32_t k = 0; k < head.n_units; k++)
		if (!read_unit(from, &address, out))
			return false;
	return true;
}
