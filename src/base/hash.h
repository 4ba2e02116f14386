/* Hashing of byte strings, and a string-keyed map to 32-bit values. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns a fast hash of n bytes that begins with `seed`. The function may change between versions: never store its result in a file. */
uint64_t hash_bytes(const void *p, size_t n, uint64_t seed);
/* Returns the published 64-bit FNV-1a hash of n bytes, for digests that files and tests hold. */
uint64_t hash_fnv1a64(const void *p, size_t n);

/* Open-addressing map. Keys are borrowed (not copied, need not be NUL-terminated). Initialise with {0}. */
struct hash_map {
	struct hash_slot *slots;
	size_t cap, n;
};

/* Frees the table; the map is empty afterwards. */
void hash_map_free(struct hash_map *m);
/* Stores a value under a key. Returns false if the key was in the map already; its value is then replaced. */
bool hash_map_put(struct hash_map *m, const char *key, size_t n, uint32_t value);
/* Stores the key's value in *out and returns true. Returns false and leaves *out if the key is not in the map. */
bool hash_map_get(const struct hash_map *m, const char *key, size_t n, uint32_t *out);
/* Removes a key; does nothing if it is not in the map. */
void hash_map_remove(struct hash_map *m, const char *key, size_t n);

#endif
