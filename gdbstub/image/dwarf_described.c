/* Variables of the module that the program's own debug information describes, too. gdb hears of those only there: where no source is, on
 * the `host` thread, it would take the other entry, that has PTX's type (an array of bytes for a structure). */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "gdbstub/image/dwarf.h"

/* A key of the first map: the name with its end, then the place; of the second: the place alone. */
static size_t key_bytes(const char *name) { return strlen(name) + 1 + DWARF_PLACE_BYTES; }

static char *make_key(const char *name, const unsigned char *place)
{
	char *key = xmalloc(key_bytes(name));
	size_t n = strlen(name) + 1;
	memcpy(key, name, n);
	memcpy(key + n, place, DWARF_PLACE_BYTES);
	return key;
}

void dwarf_note_described(struct dwarf *w, const char *name, const unsigned char *place, size_t type)
{
	char *key = make_key(name, place);
	w->described = xgrow(w->described, &w->cap_described, w->n_described + 1, sizeof *w->described);
	w->described[w->n_described++] = key;
	hash_map_put(&w->described_index, key, key_bytes(name), 0);
	hash_map_put(&w->described_places, key + strlen(name) + 1, DWARF_PLACE_BYTES, (uint32_t)type);
}

bool dwarf_is_described(const struct dwarf *w, const char *name, const unsigned char *place)
{
	uint32_t ignored;
	char *key = make_key(name, place);
	bool is = hash_map_get(&w->described_index, key, key_bytes(name), &ignored);
	free(key);
	return is;
}

size_t dwarf_described_type(const struct dwarf *w, const unsigned char *place)
{
	uint32_t type;
	return hash_map_get(&w->described_places, (const char *)place, DWARF_PLACE_BYTES, &type) ? type : 0;
}

void dwarf_described_free(struct dwarf *w)
{
	while (w->n_described)
		free(w->described[--w->n_described]);
	hash_map_free(&w->described_index);
	hash_map_free(&w->described_places);
	free(w->described);
}
