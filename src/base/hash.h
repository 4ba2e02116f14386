/* Hashing of byte strings, and a string-keyed map to 32-bit values. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

uint64_t hash_bytes(const void *p, size_t n, uint64_t seed); /* fast, not stable across versions */
uint64_t hash_fnv1a64(const void *p, size_t n);		     /* the published FNV-1a, for digests */

/* Open-addressing map. Keys are borrowed (not copied, need not be NUL-terminated). Initialise with {0}. */
struct hash_map {
	struct hash_slot *slots;
	size_t cap, n;
};

void hash_map_free(struct hash_map *m);
/* Inserts or overwrites; returns false if the key was there (the value is then replaced). */
bool hash_map_put(struct hash_map *m, const char *key, size_t n, uint32_t value);
/* Stores the value in *out and returns true if the key is there. */
bool hash_map_get(const struct hash_map *m, const char *key, size_t n, uint32_t *out);
void hash_map_remove(struct hash_map *m, const char *key, size_t n);

#endif
