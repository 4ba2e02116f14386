/* src/base: text, pools, maps, diagnostics, arena, files, words alike. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/demangle.h"
#include "base/diag.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/lanes.h"
#include "base/nearest.h"
#include "base/pool.h"
#include "base/text.h"
#include "base/xalloc.h"

static void text_grows(void **state)
{
	(void)state;
	struct text t = {0};
	assert_string_equal(text_str(&t), "");
	for (int i = 0; i < 1000; i++)
		text_addf(&t, "%d,", i);
	assert_memory_equal(t.s, "0,1,2,3,", 8);
	assert_string_equal(t.s + t.n - 4, "999,");
	text_clear(&t);
	text_addn(&t, "ab\0c", 4);
	assert_int_equal(t.n, 4);
	char *s = text_take(&t);
	assert_memory_equal(s, "ab\0c", 5);
	assert_null(t.s);
	free(s);
}

static void pool_gives_zeroed_aligned_memory(void **state)
{
	(void)state;
	struct pool p = {0};
	for (size_t n = 0; n < 3000; n += 7) {
		unsigned char *m = pool_alloc(&p, n);
		assert_int_equal((uintptr_t)m % 16, 0);
		for (size_t i = 0; i < n; i++)
			assert_int_equal(m[i], 0);
		memset(m, 0xaa, n);
	}
	assert_non_null(pool_alloc(&p, (size_t)64 << 20));
	assert_string_equal(pool_strn(&p, "hello world", 5), "hello");
	pool_free(&p);
}

static void map_against_array(void **state)
{
	(void)state;
	enum { N = 5000 };
	static char keys[N][8];
	struct hash_map m = {0};
	uint32_t v;
	assert_false(hash_map_get(&m, "x", 1, &v));
	for (uint32_t i = 0; i < N; i++) {
		snprintf(keys[i], sizeof keys[i], "k%u", i);
		assert_true(hash_map_put(&m, keys[i], strlen(keys[i]), i));
	}
	assert_false(hash_map_put(&m, keys[7], strlen(keys[7]), 70));
	for (uint32_t i = 0; i < N; i += 3)
		hash_map_remove(&m, keys[i], strlen(keys[i]));
	for (uint32_t i = 0; i < N; i++) {
		bool there = hash_map_get(&m, keys[i], strlen(keys[i]), &v);
		assert_int_equal(there, i % 3 != 0);
		if (there)
			assert_int_equal(v, i == 7 ? 70 : i);
	}
	assert_false(hash_map_get(&m, "k1x", 3, &v));
	hash_map_free(&m);
}

/* A map that is used as a set of a few names coming and going must not fill up with removed slots. */
static void map_survives_churn(void **state)
{
	(void)state;
	struct hash_map m = {0};
	static char key[100000][8];
	uint32_t v;
	for (uint32_t i = 0; i < 100000; i++) {
		snprintf(key[i], sizeof key[i], "%u", i);
		hash_map_put(&m, key[i], strlen(key[i]), i);
		if (i >= 4)
			hash_map_remove(&m, key[i - 4], strlen(key[i - 4]));
	}
	assert_true(hash_map_get(&m, key[99999], strlen(key[99999]), &v));
	assert_false(hash_map_get(&m, key[5], strlen(key[5]), &v));
	hash_map_free(&m);
}

/* Published test vectors of FNV-1a, 64 bits. */
static void fnv1a_vectors(void **state)
{
	(void)state;
	assert_true(hash_fnv1a64("", 0) == UINT64_C(0xcbf29ce484222325));
	assert_true(hash_fnv1a64("a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
	assert_true(hash_fnv1a64("foobar", 6) == UINT64_C(0x85944171f73967e8));
}

static void diagnostic_shows_line_and_caret(void **state)
{
	(void)state;
	struct diag_list l;
	diag_list_init(&l);
	diag_add(&l, DIAG_ERROR, "k.ptx", 3, 6, "\tadd %r1", 8, "unknown register '%s'", "%r1");
	diag_add(&l, DIAG_WARNING, NULL, 0, 0, NULL, 0, "no place");
	struct text t = {0};
	diag_format(&t, &l.v[0]);
	diag_format(&t, &l.v[1]);
	assert_string_equal(t.s, "error: k.ptx:3:6: unknown register '%r1'\n\tadd %r1\n\t    ^\nwarning: no place\n");
	assert_int_equal(l.n_errors, 1);
	assert_int_equal(l.n_warnings, 1);
	text_free(&t);
	diag_list_free(&l);
}

static void diagnostic_cuts_long_lines(void **state)
{
	(void)state;
	struct diag_list l;
	diag_list_init(&l);
	l.limit = 1;
	size_t n = 1 << 20;
	char *line = xmalloc(n);
	memset(line, 'x', n);
	line[n / 2] = 'Y';
	diag_add(&l, DIAG_ERROR, "k.ptx", 1, (uint32_t)n / 2 + 1, line, n, "here");
	diag_add(&l, DIAG_ERROR, "k.ptx", 1, 1, line, n, "over the limit");
	assert_int_equal(l.n, 1);
	assert_int_equal(l.n_errors, 2);
	struct text t = {0};
	diag_format(&t, &l.v[0]);
	assert_true(t.n < 500);
	const char *y = strchr(t.s, 'Y'), *caret = strchr(t.s, '^');
	const char *row = strchr(t.s, '\n') + 1;
	assert_int_equal(y - row, caret - (strchr(row, '\n') + 1));
	text_free(&t);
	diag_list_free(&l);
	free(line);
}

static void arena_is_lazy_and_zero(void **state)
{
	(void)state;
	struct arena a;
	arena_init(&a);
	int big = arena_add(&a, "big", ARENA_PAGED, UINT64_C(8) << 30);
	int hot = arena_add(&a, "hot", ARENA_HOT, 100);
	assert_true(big >= 0 && hot >= 0);
	unsigned char *p = arena_at(&a, big, UINT64_C(7) << 30);
	assert_int_equal(*p, 0);
	assert_true(arena_use(&a, big, UINT64_C(8) << 30));
	assert_false(arena_use(&a, big, (UINT64_C(8) << 30) + 1));
	assert_int_equal(arena_committed(&a), 0);
	arena_touch(&a, big, 4095, 2);
	assert_int_equal(arena_committed(&a), 8192);
	memset(arena_at(&a, big, 100), 1, 3 * 4096);
	arena_zero(&a, big, 100, 3 * 4096);
	for (unsigned i = 0; i < 4 * 4096; i++)
		assert_int_equal(*(unsigned char *)arena_at(&a, big, i), 0);
	arena_free(&a);
}

static void arena_digest_sees_changes(void **state)
{
	(void)state;
	struct arena a;
	arena_init(&a);
	int s = arena_add(&a, "memory", ARENA_PAGED, 1 << 20);
	arena_use(&a, s, 1 << 20);
	uint64_t before = arena_digest(&a);
	*(char *)arena_at(&a, s, 70000) = 1;
	arena_touch(&a, s, 70000, 1);
	assert_true(arena_digest(&a) != before);
	arena_free(&a);
}

static void lanes_in_order(void **state)
{
	(void)state;
	unsigned seen = 0, sum = 0;
	LANES_EACH(lane, 0x80000401u) {
		sum = sum * 100 + lane;
		seen++;
	}
	assert_int_equal(seen, 3);
	assert_int_equal(sum, 1031);
}

static void whole_files(void **state)
{
	(void)state;
	char path[] = "/tmp/ws-base-XXXXXX";
	int fd = mkstemp(path);
	size_t n = 99;
	assert_true(fd >= 0);
	char *s = files_read(NULL, path, FILES_READ, 100, &n);
	assert_string_equal(s, "");
	assert_int_equal(n, 0);
	free(s);
	char big[10000];
	memset(big, 'b', sizeof big);
	big[5000] = '\0';
	assert_int_equal(write(fd, big, sizeof big), sizeof big);
	s = files_read(NULL, path, FILES_READ, sizeof big, &n);
	assert_int_equal(n, sizeof big);
	assert_memory_equal(s, big, sizeof big);
	assert_int_equal(s[n], 0);
	free(s);
	s = files_read(NULL, path, FILES_READ, 100, &n);
	assert_true(n > 100 && n <= sizeof big);
	free(s);
	close(fd);
	unlink(path);
	assert_null(files_read(NULL, path, FILES_READ, 100, &n));
	assert_int_equal(errno, ENOENT);
	assert_null(files_read(NULL, "/", FILES_READ, 100, &n));
	assert_int_equal(errno, EISDIR);
}

/* The figures are Levenshtein's distance, with neighbours that changed places as one slip, by hand. */
static void words_alike(void **state)
{
	(void)state;
	static const struct {
		const char *a, *b;
		unsigned distance;
	} rows[] = {{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"kitten", "sitting", 3}, {"flaw", "lawn", 2}, {"abc", "abc", 0}, {"ab", "ba", 1}, {"inof", "info", 1},
		    {"abcd", "badc", 2}, {"ca", "abc", 3}, {"contineu", "continue", 1}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_int_equal(nearest_distance(rows[i].a, strlen(rows[i].a), rows[i].b, strlen(rows[i].b)), rows[i].distance);
	char long_one[200];
	memset(long_one, 'x', sizeof long_one);
	assert_int_equal(nearest_distance(long_one, sizeof long_one, long_one, 79), 0);
	assert_int_equal(nearest_distance(long_one, sizeof long_one, "x", 1), 78);
}

/* Two slips at most, and fewer than half of the letters; of several as near the first. */
static void words_that_were_meant(void **state)
{
	(void)state;
	static const char *const names[] = {"break", "bread", "step", "gpgpu_flush_l1_cache_lines"};
	static const struct {
		const char *word, *meant;
	} rows[] = {{"brek", "break"}, {"braed", "bread"}, {"bre", NULL}, {"xyzzy", NULL}, {"", NULL}, {"st", NULL},
		    {"spte", NULL},    {"setp", "step"},    {"breaakk", "break"}, {"gpgpu_flsh_l1_cahce_line", "gpgpu_flush_l1_cache_lines"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct nearest near;
		nearest_begin(&near, rows[i].word, strlen(rows[i].word));
		assert_null(nearest_meant(&near));
		for (size_t k = 0; k < sizeof names / sizeof *names; k++)
			nearest_add(&near, names[k]);
		if (rows[i].meant)
			assert_string_equal(nearest_meant(&near), rows[i].meant);
		else
			assert_null(nearest_meant(&near));
	}
}

/* Words that are only in the name cost little; of equally near names the longest common beginning wins. */
static void names_of_words_that_were_meant(void **state)
{
	(void)state;
	static const char *const names[] = {"gpgpu_dram_return_queue_size", "gpgpu_frfcfs_dram_sched_queue_size", "cdp_latency", "dram_latency",
					    "gpgpu_l1_latency", "gpgpu_l2_rop_latency", "gpgpu_smem_latency", "gpgpu_cache:il1", "gpgpu_cache:dl1", "gpgpu_n_mem",
					    "gpgpu_num_sched_per_core", "gpgpu_n_clusters", "gpgpu_n_cores_per_cluster", "gpgpu_shmem_num_banks"};
	static const struct {
		const char *word, *meant;
	} rows[] = {{"gpgpu_dram_sched_queue_size", "gpgpu_frfcfs_dram_sched_queue_size"},
		    {"l1_latency", "gpgpu_l1_latency"},
		    {"smem_latency", "gpgpu_smem_latency"},
		    {"gpgpu_l2_latency", "gpgpu_l2_rop_latency"},
		    {"gpgpu_cache:l1d", "gpgpu_cache:dl1"},
		    {"gpgpu_num_sched", "gpgpu_num_sched_per_core"},
		    {"gpgpu_n_core", "gpgpu_n_cores_per_cluster"},
		    {"gpgpu_num_cores", "gpgpu_n_cores_per_cluster"},
		    {"gpgpu_n_clutser", "gpgpu_n_clusters"},
		    {"gpgpu_num_memory", "gpgpu_n_mem"},
		    {"gpgpu_shmem_banks", "gpgpu_shmem_num_banks"},
		    {"gpgpu_dram_latency", "dram_latency"},
		    {"xyzzy", NULL},
		    {"", NULL}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct nearest near;
		nearest_begin(&near, rows[i].word, strlen(rows[i].word));
		for (size_t k = 0; k < sizeof names / sizeof *names; k++)
			nearest_add_words(&near, names[k]);
		if (rows[i].meant)
			assert_string_equal(nearest_meant(&near), rows[i].meant);
		else
			assert_null(nearest_meant(&near));
	}
}

/* The names are those of the Itanium C++ ABI: S_ is the first part again, S0_ the second one. */
static void names_from_mangled_ones(void **state)
{
	struct text t = {0}, mangled = {0};
	(void)state;
	assert_true(demangle_name("_Z4fillPfi", true, &t));
	assert_string_equal(t.s, "fill(float*, int)");
	assert_true(demangle_name("_ZN3geo3REDE", false, &t));
	assert_string_equal(t.s, "fill(float*, int)geo::RED");
	text_clear(&t);
	assert_true(demangle_name("_Z1fPFvvEPFvS0_S0_E", true, &t));
	assert_string_equal(t.s, "f(void (*)(), void (*)(void (*)(), void (*)()))");
	assert_false(demangle_name("fill", true, &t));
	assert_false(demangle_name("_Zfill", true, &t));
	/* each parameter has the one before it twice: of 33 the last one has it 2^32 times */
	text_add(&mangled, "_Z1fPFvvE");
	for (unsigned k = 0; k < 33; k++) {
		static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
		unsigned n = 2 * k;
		text_addf(&mangled, n < 36 ? "PFvS%c_S%c_E" : "PFvS1%c_S1%c_E", digits[n % 36], digits[n % 36]);
	}
	assert_false(demangle_name(mangled.s, true, &t));
	assert_string_equal(t.s, "f(void (*)(), void (*)(void (*)(), void (*)()))");
	text_free(&mangled);
	text_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_grows),
		cmocka_unit_test(pool_gives_zeroed_aligned_memory),
		cmocka_unit_test(map_against_array),
		cmocka_unit_test(map_survives_churn),
		cmocka_unit_test(fnv1a_vectors),
		cmocka_unit_test(diagnostic_shows_line_and_caret),
		cmocka_unit_test(diagnostic_cuts_long_lines),
		cmocka_unit_test(arena_is_lazy_and_zero),
		cmocka_unit_test(arena_digest_sees_changes),
		cmocka_unit_test(lanes_in_order),
		cmocka_unit_test(whole_files),
		cmocka_unit_test(words_alike),
		cmocka_unit_test(words_that_were_meant), cmocka_unit_test(names_of_words_that_were_meant),
		cmocka_unit_test(names_from_mangled_ones),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
