#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/* Mixes the next 8 bytes into a hash. */
static inline uint64_t hash_word(uint64_t h, const unsigned char *s)
{
	uint64_t w;
	memcpy(&w, s, 8);
	h = (h ^ w) * UINT64_C(0xBF58476D1CE4E5B9);
	return h ^ h >> 29;
}

uint64_t hash_bytes(const void *p, size_t n, uint64_t seed)
{
	const unsigned char *s = p;
	uint64_t h = seed ^ (n * UINT64_C(0x9E3779B97F4A7C15));
	if (n >= 256) { /* four hashes side by side: none waits for another's product */
		uint64_t part[4] = {h, ~h, h << 1, ~h << 1};
		for (; n >= 32; n -= 32, s += 32)
			for (unsigned k = 0; k < 4; k++)
				part[k] = hash_word(part[k], s + 8 * k);
		for (unsigned k = 0; k < 4; k++)
			h = hash_word(h, (const unsigned char *)&part[k]);
	}
	for (; n >= 8; n -= 8, s += 8)
		h = hash_word(h, s);
	uint64_t tail = 0;
	if (n)
		memcpy(&tail, s, n);
	h = (h ^ tail) * UINT64_C(0x94D049BB133111EB);
	return h ^ (h >> 32);
}

uint64_t hash_fnv1a64(const void *p, size_t n)
{
	const unsigned char *s = p;
	uint64_t h = UINT64_C(0xcbf29ce484222325);
	for (size_t i = 0; i < n; i++)
		h = (h ^ s[i]) * UINT64_C(0x100000001b3);
	return h;
}

/* key == NULL with n == 0: empty; with n == 1: removed */
struct hash_slot {
	const char *key;
	uint32_t n;
	uint32_t value;
	uint64_t hash;
};

void hash_map_free(struct hash_map *m)
{
	free(m->slots);
	*m = (struct hash_map){0};
}

static struct hash_slot *slot_find(const struct hash_map *m, const char *key, size_t n, uint64_t hash)
{
	for (size_t i = hash & (m->cap - 1);; i = (i + 1) & (m->cap - 1)) {
		struct hash_slot *s = &m->slots[i];
		if (!s->key && !s->n)
			return NULL;
		if (s->key && s->hash == hash && s->n == n && !memcmp(s->key, key, n))
			return s;
	}
}

static void slot_insert(struct hash_map *m, struct hash_slot what)
{
	size_t i = what.hash & (m->cap - 1);
	while (m->slots[i].key)
		i = (i + 1) & (m->cap - 1);
	m->slots[i] = what;
}

/* Makes room: twice as large, or the same size if removed slots fill it. */
static void map_grow(struct hash_map *m)
{
	struct hash_slot *old = m->slots;
	size_t n_old = m->cap, live = 0;
	for (size_t i = 0; i < n_old; i++)
		live += old[i].key != NULL;
	m->cap = !n_old ? 16 : live * 4 > n_old ? n_old * 2 : n_old;
	m->n = live;
	m->slots = xcalloc(m->cap, sizeof *m->slots);
	for (size_t i = 0; i < n_old; i++)
		if (old[i].key)
			slot_insert(m, old[i]);
	free(old);
}

bool hash_map_put(struct hash_map *m, const char *key, size_t n, uint32_t value)
{
	uint64_t hash = hash_bytes(key, n, 0);
	struct hash_slot *s = m->cap ? slot_find(m, key, n, hash) : NULL;
	if (s) {
		s->value = value;
		return false;
	}
	if ((m->n + 1) * 2 > m->cap)
		map_grow(m);
	slot_insert(m, (struct hash_slot){key ? key : "", (uint32_t)n, value, hash});
	m->n++;
	return true;
}

bool hash_map_get(const struct hash_map *m, const char *key, size_t n, uint32_t *out)
{
	if (!m->cap)
		return false;
	const struct hash_slot *s = slot_find(m, key, n, hash_bytes(key, n, 0));
	if (s)
		*out = s->value;
	return s != NULL;
}

void hash_map_remove(struct hash_map *m, const char *key, size_t n)
{
	struct hash_slot *s = m->cap ? slot_find(m, key, n, hash_bytes(key, n, 0)) : NULL;
	if (!s)
		return;
	*s = (struct hash_slot){NULL, 1, 0, 0};
	/* m->n continues counting the removed slot until the next map_grow: probes stay bounded */
}
