/* Races: orders made by hand. Each case names the rule of the PTX ISA ("Memory Consistency Model", "bar", "bar.warp.sync") that says whether
 * its last conflicting accesses are ordered; a script says who does what, in the order in which it happens to run.
 *
 *   B.T w ADDR   a plain write by thread T of block B, r: a read; w1: of one byte, w2: of two; s.: to shared memory
 *   B.T vw, vr   volatile; aw: st.release, ar: ld.acquire; a: an atomic; red: an atomic without result; .cta: of that scope
 *   B.T fence    fence.acq_rel.gpu; fence.cta
 *   forget A N   N bytes from A on are given to somebody else
 *   bar B        all of the block; bar B CAME WAITED: these warps
 *   join B.W LANES    bar.warp.sync; split B.W LANES LANES: a branch
 *   ... !        this access races with an earlier one; all others don't */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "check/race_state.h"

#define BLOCKS 4u
#define THREADS 64u
#define LIVE LANES_ALL

enum {
	PLAIN_R,
	PLAIN_W,
	BYTE_R,
	BYTE_W,
	STRONG_R,
	STRONG_W,
	ATOMIC,
	HALF_R,
	HALF_W,
	BLOCK_R,
	BLOCK_W,
	BLOCK_ATOMIC,
	KINDS
};
static const struct race_site sites[KINDS] = {
	[PLAIN_R] = {.size = 4},
	[PLAIN_W] = {.size = 4, .is_write = true},
	[BYTE_R] = {.size = 1},
	[BYTE_W] = {.size = 1, .is_write = true},
	[STRONG_R] = {.size = 4, .strong = true},
	[STRONG_W] = {.size = 4, .strong = true, .is_write = true},
	[ATOMIC] = {.size = 4, .strong = true, .is_write = true, .is_atomic = true},
	[HALF_R] = {.size = 2},
	[HALF_W] = {.size = 2, .is_write = true},
	[BLOCK_R] = {.size = 4, .strong = true, .is_block_scope = true},
	[BLOCK_W] = {.size = 4, .strong = true, .is_write = true, .is_block_scope = true},
	[BLOCK_ATOMIC] = {.size = 4, .strong = true, .is_write = true, .is_atomic = true, .is_block_scope = true},
};
static struct race_site site(void *self, uint32_t pc)
{
	(void)self;
	return sites[pc];
}

struct machine {
	struct arena arena;
	struct race race;
};

static void machine_init(struct machine *m, bool strict)
{
	arena_init(&m->arena);
	m->race = (struct race){.site = site, .strict = strict};
	assert_true(race_init(&m->race, &m->arena, 1 << 20, 1 << 16, BLOCKS));
	for (uint32_t k = 0; k < BLOCKS; k++)
		race_begin_block(&m->race, k,
				 &(struct race_block_spec){.launch = 0,
							   .launch_uid = 1,
							   .block_uid = 1 + k * THREADS,
							   .threads = THREADS,
							   .launch_threads = BLOCKS * THREADS,
							   .known = 1},
				 k * 4096);
}

static uint32_t access_by(struct machine *m, uint32_t block, uint32_t thread, unsigned kind, bool shared, uint64_t at)
{
	uint64_t address[LANES] = {0};
	struct race_found f[RACE_FOUND_MAX];
	address[thread % LANES] = at;
	return race_access(&m->race,
			   &(struct race_access){.slot = block,
						 .warp = thread / LANES,
						 .lanes = lanes_bit(thread % LANES),
						 .pc = kind,
						 .site = sites[kind],
						 .shared = shared,
						 .address = address},
			   f);
}

/* "0.3 vw.cta s.10 !" */
static void do_access(struct machine *m, char *const *word, unsigned n, const char *name, const char *line)
{
	static const struct {
		const char *name;
		unsigned kind;
		struct race_signal signal;
	} ops[] = {
		{"r", PLAIN_R, {0}},
		{"w", PLAIN_W, {0}},
		{"r2", HALF_R, {0}},
		{"w2", HALF_W, {0}},
		{"r1", BYTE_R, {0}},
		{"w1", BYTE_W, {0}},
		{"vr", STRONG_R, {.reads = true}},
		{"vw", STRONG_W, {.writes = true}},
		{"ar", STRONG_R, {.reads = true, .acquires = true}},
		{"aw", STRONG_W, {.writes = true, .releases = true}},
		{"a", ATOMIC, {.reads = true, .writes = true, .is_atomic = true, .has_result = true}},
		{"red", ATOMIC, {.reads = true, .writes = true, .is_atomic = true}},
	};
	const uint32_t block = (uint32_t)strtoul(word[0], NULL, 10),
		       thread = (uint32_t)strtoul(strchr(word[0], '.') + 1, NULL, 10);
	const bool cta = strstr(word[1], ".cta"), races = n > 3 && !strcmp(word[3], "!"),
		   shared = !strncmp(word[2], "s.", 2);
	const uint64_t at = strtoull(word[2] + (shared ? 2 : 0), NULL, 10);
	word[1][strcspn(word[1], ".")] = 0;
	for (unsigned k = 0; k < sizeof ops / sizeof *ops; k++) {
		if (strcmp(ops[k].name, word[1]))
			continue;
		const unsigned kind = ops[k].kind + (cta ? BLOCK_R - STRONG_R : 0);
		const bool found = access_by(m, block, thread, kind, shared, at) != 0;
		struct race_signal s = ops[k].signal;
		s.scope = cta ? RACE_SCOPE_CTA : RACE_SCOPE_GPU;
		if (ops[k].kind >= STRONG_R)
			race_signal(&m->race, block, thread / LANES, thread % LANES, shared, at, &s);
		if (found != races)
			fail_msg("%s: '%s': %s", name, line, found ? "a race" : "no race");
		return;
	}
	fail_msg("%s: '%s': what is that?", name, line);
}

static uint32_t hex(const char *s) { return (uint32_t)strtoul(s, NULL, 16); }

static void do_line(struct machine *m, const char *name, const char *line)
{
	char copy[128], *word[8] = {0};
	unsigned n = 0;
	snprintf(copy, sizeof copy, "%s", line);
	for (char *w = strtok(copy, " "); w && n < 8; w = strtok(NULL, " "))
		word[n++] = w;
	const uint32_t block = n > 1 ? (uint32_t)strtoul(word[1], NULL, 10) : 0;
	if (!strcmp(word[0], "bar")) {
		race_open(&m->race, block, 0, n > 2 ? hex(word[2]) : 3, n > 2 ? hex(word[3]) : 3, n == 2, 3);
		LANES_EACH (w, n > 2 ? hex(word[3]) : 3)
			race_go_on(&m->race, block, w, LIVE, NULL);
	} else if (!strcmp(word[0], "join")) {
		race_join(&m->race, block, (uint32_t)atoi(strchr(word[1], '.') + 1), hex(word[2]), LIVE, NULL);
	} else if (!strcmp(word[0], "split")) {
		race_split(&m->race, block, (uint32_t)atoi(strchr(word[1], '.') + 1), 2,
			   (uint32_t[]){hex(word[2]), hex(word[3])});
	} else if (!strcmp(word[0], "forget")) {
		race_forget_memory(&m->race, strtoull(word[1], NULL, 10), strtoull(word[2], NULL, 10));
	} else if (!strcmp(word[0], "fenceall")) {
		for (uint32_t w = 0; w < THREADS / LANES; w++)
			race_fence(&m->race, block, w, LANES_ALL, RACE_SCOPE_GPU);
	} else if (!strncmp(word[1], "fence", 5)) {
		const uint32_t t = (uint32_t)atoi(strchr(word[0], '.') + 1);
		race_fence(&m->race, (uint32_t)atoi(word[0]), t / LANES, lanes_bit(t % LANES),
			   strstr(word[1], ".cta") ? RACE_SCOPE_CTA : RACE_SCOPE_GPU);
	} else {
		do_access(m, word, n, name, line);
	}
}

struct row {
	const char *name, *script;
	bool strict;
};

static void run(const struct row *row)
{
	struct machine m;
	char *script = strdup(row->script), *rest = script;
	machine_init(&m, row->strict);
	for (char *line; (line = strsep(&rest, ";"));)
		do_line(&m, row->name, line + strspn(line, " "));
	arena_free(&m.arena);
	free(script);
}

#define RUN(rows) \
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) \
	run(&rows[k])

/* "Two accesses conflict if at least one is a write, and they overlap"; program order is a thread's own. */
static void conflicts(void **state)
{
	static const struct row rows[] = {
		{"reads don't conflict", "0.0 r 0; 0.40 r 0; 1.0 r 0", 0},
		{"a thread is ordered with itself", "0.0 w 0; 0.0 r 0; 0.0 w 0", 0},
		{"write, read by another warp", "0.0 w 0; 0.40 r 0 !", 0},
		{"read, write by another warp", "0.40 r 0; 0.0 w 0 !", 0},
		{"write, write by another block", "0.0 w 0; 1.0 w 0 !", 0},
		{"other words", "0.0 w 0; 0.40 w 4; 1.0 w 8", 0},
		{"shared memory is a block's own", "0.0 w s.0; 1.0 w s.0; 0.0 r s.0", 0},
		{"bytes that don't overlap", "0.0 w1 0; 0.40 w1 1; 1.0 w1 2; 1.40 r1 3", 0},
		{"a byte of them", "0.0 w1 0; 0.40 w1 1; 1.0 r1 0 !", 0},
		{"the word over a byte", "0.0 w1 2; 0.40 r 0 !", 0},
		{"a byte of a word", "0.0 w 0; 0.40 r1 3 !", 0},
		{"many readers, a writer that one of them is", "0.0 r 0; 0.40 r 0; 0.0 w 0 !", 0},
		{"many readers of many blocks", "0.0 r 0; 0.40 r 0; 1.3 r 0; 2.3 r 0; 0.0 w 0 !", 0},
	};
	(void)state;
	RUN(rows);
}

/* "bar": all threads that take part in a barrier are ordered there; arrive only says, sync and red wait. */
static void barriers(void **state)
{
	static const struct row rows[] = {
		{"in front of it and after it", "0.0 w s.0; bar 0; 0.40 r s.0; bar 0; 0.1 w s.0", 0},
		{"one too few", "0.0 w s.0; bar 0; 0.40 r s.0; 0.1 w s.0 !", 0},
		{"of another block", "0.0 w 0; bar 1; 1.0 r 0 !", 0},
		{"it orders its own block alone", "0.0 w 0; bar 0; bar 1; 1.0 r 0 !", 0},
		{"readers of two blocks, a barrier of one", "1.0 r 0; 0.0 r 0; bar 0; 0.40 w 0 !", 0},
		{"producer arrives, consumer waits", "0.0 w s.0; bar 0 3 2; 0.40 r s.0", 0},
		{"consumer waits, the producer goes on", "0.0 w s.0; bar 0 3 2; 0.40 r s.0; 0.0 w s.0 !", 0},
		{"and waits for the consumer", "0.0 w s.0; bar 0 3 2; 0.40 r s.0; bar 0 3 1; 0.0 w s.0", 0},
		{"a barrier of a part is nobody else's", "0.0 w s.0; bar 0 1 1; 0.40 r s.0 !", 0},
	};
	(void)state;
	RUN(rows);
}

/* "bar.warp.sync": orders the lanes of its mask; lanes that went different ways are like threads of different warps. */
static void lanes(void **state)
{
	static const struct row rows[] = {
		{"lanes that go together", "0.0 w s.0; 0.1 r s.0; 0.2 w s.0", 0},
		{"lanes that parted", "split 0.0 1 fffffffe; 0.0 w s.0; 0.1 r s.0 !", 0},
		{"before they parted", "0.0 w s.0; split 0.0 1 fffffffe; 0.1 r s.0 !", 0},
		{"within one of the ways", "split 0.0 3 fffffffc; 0.0 w s.0; 0.1 r s.0", 0},
		{"meeting again is not enough",
		 "split 0.0 1 fffffffe; 0.0 w s.0; split 0.0 ffffffff ffffffff; 0.1 r s.0 !", 0},
		{"joined", "split 0.0 1 fffffffe; 0.0 w s.0; join 0.0 ffffffff; 0.1 r s.0", 0},
		{"joined in a part", "split 0.0 1 fffffffe; 0.0 w s.0; join 0.0 3; 0.1 r s.0; 0.2 w s.0 !", 0},
		{"by way of another lane",
		 "split 0.0 1 fffffffe; split 0.0 2 fffffffc; 0.0 w s.0; join 0.0 3; join 0.0 6; 0.2 r s.0", 0},
		{"joined before", "join 0.0 ffffffff; split 0.0 1 fffffffe; 0.0 w s.0; 0.1 r s.0 !", 0},
		{"a block's barrier joins, too", "split 0.0 1 fffffffe; 0.0 w s.0; bar 0; 0.1 r s.0", 0},
		{"a warp's join is no other warp's", "0.0 w s.0; join 0.0 ffffffff; join 0.1 ffffffff; 0.40 r s.0 !",
		 0},
	};
	(void)state;
	RUN(rows);
}

/* "Release and acquire patterns": a fence, then a strong write; a strong read of it, then a fence: each of a scope that holds both threads. */
static void flags(void **state)
{
	static const struct row rows[] = {
		{"strong accesses don't race", "0.0 vw 8; 1.0 vr 8; 1.0 a 8; 0.0 vw 8", 0},
		{"but with plain ones", "0.0 a 8; 1.0 r 8 !", 0},
		{"a plain write", "0.0 a 8; 1.0 w 8 !", 0},
		{"histogram: of many atomics one is another warp's", "0.40 a 8; 0.0 a 8; 0.0 r 8 !", 0},
		{"fences on both sides", "0.0 w 0; 0.0 fence; 0.0 vw 8; 1.0 vr 8; 1.0 fence; 1.0 r 0", 0},
		{"none in front", "0.0 w 0; 0.0 vw 8; 1.0 vr 8; 1.0 fence; 1.0 r 0 !", 0},
		{"none after", "0.0 w 0; 0.0 fence; 0.0 vw 8; 1.0 vr 8; 1.0 r 0 !", 0},
		{"the fence is too early", "0.0 fence; 0.0 w 0; 0.0 vw 8; 1.0 vr 8; 1.0 fence; 1.0 r 0 !", 0},
		{"the flag is another one", "0.0 w 0; 0.0 fence; 0.0 vw 8; 1.0 vr 12; 1.0 fence; 1.0 r 0 !", 0},
		{"read before it was written", "1.0 vr 8; 0.0 w 0; 0.0 fence; 0.0 vw 8; 1.0 fence; 1.0 r 0 !", 0},
		{"a block's fence, another block", "0.0 w 0; 0.0 fence.cta; 0.0 vw 8; 1.0 vr 8; 1.0 fence; 1.0 r 0 !",
		 0},
		{"a block's fence, the same block",
		 "0.0 w 0; 0.0 fence.cta; 0.0 vw 8; 0.40 vr 8; 0.40 fence.cta; 0.40 r 0", 0},
		{"release and acquire", "0.0 w 0; 0.0 aw 8; 1.0 ar 8; 1.0 r 0", 0},
		{"release, relaxed, fence", "0.0 w 0; 0.0 aw 8; 1.0 vr 8; 1.0 fence; 1.0 r 0", 0},
		{"of the block's scope", "0.0 w 0; 0.0 aw.cta 8; 1.0 ar.cta 8 !; 1.0 r 0 !", 0},
		{"of the block's scope, in it", "0.0 w 0; 0.0 aw.cta 8; 0.40 ar.cta 8; 0.40 r 0", 0},
		{"a later write ends it", "0.0 w 0; 0.0 aw 8; 2.0 vw 8; 1.0 ar 8; 1.0 r 0 !", 0},
		{"an atomic goes on with it", "0.0 w 0; 0.0 aw 8; 2.0 a 8; 1.0 ar 8; 1.0 r 0", 0},
		{"what came after", "0.0 w 0; 0.0 aw 8; 0.0 w 0; 1.0 ar 8; 1.0 r 0 !", 0},
		{"in a chain", "0.0 w 0; 0.0 aw 8; 1.0 ar 8; 1.0 aw 12; 2.0 ar 12; 2.0 r 0", 0},
		{"a chain that breaks", "0.0 w 0; 0.0 aw 8; 1.0 vr 8; 1.0 vw 12; 2.0 ar 12; 2.0 r 0 !", 0},
		{"flag in shared memory",
		 "0.0 w s.0; 0.0 fence.cta; 0.0 vw s.8; 0.40 vr s.8; 0.40 fence.cta; 0.40 r s.0", 0},
		{"a barrier, then one thread tells for all",
		 "0.40 w 0; bar 0; 0.0 fence; 0.0 vw 8; 1.0 vr 8; 1.0 fence; bar 1; 1.40 r 0", 0},
		{"no fence after the barrier", "0.40 w 0; bar 0; 0.0 vw 8; 1.0 ar 8; 1.0 r 0 !", 0},
		{"without the barrier", "0.40 w 0; 0.0 fence; 0.0 vw 8; 1.0 vr 8; 1.0 fence; 1.0 r 0 !", 0},
	};
	(void)state;
	RUN(rows);
}

/* The rule about an atomic whose result decides. */
static void atomics(void **state)
{
	static const struct row rows[] = {
		{"last block", "0.0 w 0; 0.0 fence; 0.0 a 8; 1.0 w 4; 1.0 fence; 1.0 a 8; 1.0 r 0", 0},
		{"last block, strictly", "0.0 w 0; 0.0 fence; 0.0 a 8; 1.0 w 4; 1.0 fence; 1.0 a 8; 1.0 r 0 !", 1},
		{"last block, both fences",
		 "0.0 w 0; 0.0 fence; 0.0 a 8; 1.0 w 4; 1.0 fence; 1.0 a 8; 1.0 fence; 1.0 r 0", 1},
		{"no fence in front", "0.0 w 0; 0.0 a 8; 1.0 w 4; 1.0 a 8; 1.0 fence; 1.0 r 0 !", 0},
		{"the other threads of the last block",
		 "0.0 w 0; 0.0 fence; 0.0 a 8; 1.0 fence; 1.0 a 8; bar 1; 1.40 r 0", 0},
		{"those of an earlier one", "1.0 a 8; 0.0 w 0; 0.0 fence; 0.0 a 8; 1.0 r 0 !", 0},
		{"the last block sets the counter back",
		 "0.0 fence; 0.0 a 8; 1.0 fence; 1.0 a 8; 2.0 fence; 2.0 a 8; 2.0 w 8", 0},
		{"a block sets it back that isn't the last", "0.0 fence; 0.0 a 8; 1.0 fence; 1.0 a 8; 0.0 w 8 !", 0},
		{"none of them has fenced", "0.0 a 8; 1.0 a 8; 1.0 w 8 !", 0},
		{"without having seen it", "0.0 fence; 0.0 a 8; 1.0 fence; 1.0 red 8; 1.0 w 8 !", 0},
		{"another word", "0.0 fence; 0.0 a 8; 0.0 a 12; 1.0 a 8; 1.0 w 12 !", 0},
		{"red has no result", "0.0 w 0; 0.0 fence; 0.0 a 8; 1.0 red 8; 1.0 r 0 !", 0},
		{"red tells, too", "0.0 w 0; 0.0 fence; 0.0 red 8; 1.0 a 8; 1.0 r 0", 0},
		{"of the block's scope", "0.0 w 0; 0.0 fence; 0.0 a.cta 8; 1.0 a 8 !; 1.0 r 0 !", 0},
		{"a lock",
		 "0.0 a 8; 0.0 r 0; 0.0 w 0; 0.0 fence; 0.0 a 8; 1.0 a 8; 1.0 r 0; 1.0 w 0; 1.0 fence; 1.0 a 8; 0.0 a "
		 "8; 0.0 r 0",
		 0},
		{"a lock without a fence", "0.0 a 8; 0.0 w 0; 0.0 a 8; 1.0 a 8; 1.0 w 0 !", 0},
		{"all fence, a barrier, one tells", "0.0 w 0; 0.40 w 4; fenceall 0; bar 0; 0.0 a 8; 1.0 a 8; 1.0 r 4",
		 0},
		{"all fence, a barrier, one tells, strictly",
		 "0.0 w 0; 0.40 w 4; fenceall 0; bar 0; 0.0 a 8; 1.0 a 8; 1.0 fence; 1.0 r 4 !", 1},
	};
	(void)state;
	RUN(rows);
}

/* "Morally strong": each one's scope includes the other's thread. A race of two plain or too narrow accesses stays one whatever came between. */
static void remembered(void **state)
{
	static const struct row rows[] = {
		{"a clear, its block's counting, another's", "0.0 w 8; bar 0; 0.40 a 8; 1.0 a 8 !", 0},
		{"by the same thread", "0.0 w 8; 0.0 a 8; 1.0 a 8 !", 0},
		{"a block's counting in shared memory", "0.0 w s.8; bar 0; 0.0 a s.8; 0.40 a s.8; bar 0; 0.1 r s.8", 0},
		{"two atomics between", "0.0 w 8; 0.0 a 8; 0.0 a 8; bar 0; 0.40 a 8; 1.0 a 8 !", 0},
		{"a volatile write between", "0.0 w 8; 0.0 vw 8; 1.0 vr 8 !", 0},
		{"a read, an atomic, another block's", "0.0 r 8; 0.0 a 8; 1.0 a 8 !", 0},
		{"a read, a volatile read, an atomic", "0.0 r 8; 0.0 vr 8; 1.0 a 8 !", 0},
		{"a clear told of later on", "0.0 w 8; 0.0 fence; 0.0 a 8; 1.0 a 8 !", 1},
		{"a clear told of before", "0.0 w 8; 0.0 aw 12; 1.0 ar 12; 1.0 a 8; 0.0 a 8; 1.40 a 8 !", 0},
		{"a clear all know of", "0.0 w 8; 0.0 aw 12; 1.0 ar 12; bar 1; 0.0 a 8; 1.40 a 8; 1.0 a 8; 2.0 a 8 !",
		 0},
		{"the last atomic, after many plain reads", "0.0 a 8; bar 0; 0.0 r 8; 0.40 r 8; 1.0 r 8 !", 0},
		{"a plain write after atomics is the last again", "0.0 w 8; 0.0 a 8; 0.0 w 8; 0.0 a 8; 1.0 a 8 !", 0},
		{"four bytes, another thread's", "0.0 w1 0; 0.33 w1 1; 0.34 w1 2; 0.35 w1 3; 1.0 w1 0 !; 2.0 w1 1 !",
		 0},
		{"each of them", "0.0 w1 0; 0.33 w1 1; 1.34 w1 2; 1.35 w1 3; 2.1 w1 3 !; 2.2 w1 2 !; 2.3 w1 1 !", 0},
		{"written in order", "0.0 w1 0; 0.33 w1 1; 0.34 w1 2; 0.35 w1 3; bar 0; 0.32 w1 0; 0.1 w1 3", 0},
		{"a thread's bytes", "0.0 w1 0; 0.0 w1 1; 0.0 w1 2; 0.0 w1 3; 0.0 w1 0; 0.0 w1 1; 1.0 w1 2 !", 0},
		{"halves", "0.0 w2 0; 0.33 w2 2; 1.0 w2 2 !; 1.1 w2 0 !", 0},
		{"a half over bytes", "0.0 w1 0; 0.33 w1 1; 0.34 w1 2; 0.35 w1 3; 0.1 w2 2 !", 0},
		{"a word over bytes of its own",
		 "0.0 w1 0; 0.1 w1 1; 0.2 w1 2; 0.3 w1 3; 0.4 w 0; 0.5 w1 2; 1.0 w1 3 !", 0},
		{"an atomic among bytes", "0.0 w1 0; 0.1 w1 1; 0.2 w1 2; 0.3 w1 3; 0.4 a 0; 0.4 a 0; 1.0 a 0 !", 0},
		{"atomics of two blocks", "0.0 a.cta 8; 0.40 a.cta 8; 1.0 a.cta 8 !", 0},
		{"the wider scope doesn't help", "0.0 a.cta 8; 1.0 a 8 !", 0},
		{"nor the other way round", "0.0 a 8; 1.0 a.cta 8 !", 0},
		{"a wider one after it in its block", "0.0 a.cta 8; 0.0 a 8; 1.0 a 8 !", 0},
		{"volatile reads of a block's atomics", "0.0 a.cta 8; 0.40 vr 8; 1.0 vr 8 !", 0},
		{"in order", "0.0 a.cta 8; 0.0 aw 12; 1.0 ar 12; 1.0 a.cta 8", 0},
		{"of shared memory", "0.0 a.cta s.8; 0.40 a.cta s.8; 1.0 a.cta s.8", 0},
	};
	(void)state;
	RUN(rows);
}

/* Memory that was freed and is allocated again has nothing to do with what it was. */
static void memory(void **state)
{
	static const struct row rows[] = {
		{"a word", "0.0 w 0; 0.0 w 4; forget 0 4; 1.0 w 0; 1.0 w 4 !", 0},
		{"a row", "0.0 w 0; 0.0 w 60; forget 0 64; 1.0 w 0; 1.0 w 60", 0},
		{"of a row what isn't accessed at first", "0.0 w 8; forget 0 64; 1.0 w 4; 1.0 w 8; 0.0 w 8 !", 0},
		{"parts of rows", "0.0 w 60; 0.0 w 64; 0.0 w 128; forget 60 68; 1.0 w 60; 1.0 w 64; 1.0 w 128 !", 0},
		{"what comes after", "0.0 w 0; forget 0 64; 1.0 w 0; 0.0 r 0 !", 0},
		{"nothing was there", "forget 0 4096; 0.0 w 0; 1.0 r 0 !", 0},
	};
	(void)state;
	RUN(rows);
}

/* A launch knows of all before it, where they are ordered. */
static void launches(void **state)
{
	struct machine m;
	(void)state;
	machine_init(&m, false);
	assert_int_equal(access_by(&m, 0, 0, PLAIN_W, false, 0), 0);
	assert_int_equal(access_by(&m, 0, 0, PLAIN_W, false, 4), 0);
	struct race_block_spec s = {.launch = 1,
				    .launch_uid = 1000,
				    .block_uid = 1000,
				    .threads = THREADS,
				    .launch_threads = THREADS,
				    .known = 1};
	race_begin_block(&m.race, 1, &s, 4096);
	assert_int_equal(access_by(&m, 1, 0, PLAIN_R, false, 0), 1);
	s.known = race_now(&m.race);
	race_begin_block(&m.race, 1, &s, 4096);
	assert_int_equal(access_by(&m, 1, 0, PLAIN_R, false, 4), 0);
	arena_free(&m.arena);
}

/* ---- accesses by rows ---- */

static uint32_t drawn(uint64_t *seed, uint32_t n)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(*seed >> 33) % n;
}

/* An access by lanes side by side, told as rows and told lane by lane. Of threads that read a word with accesses of various sizes others may be
 * remembered. The number found. */
static uint32_t both_access(struct machine m[2], struct race_access a, bool various, uint64_t *seed)
{
	static const uint32_t halves[] = {0xffff, 0xffff0000, LANES_ALL, LANES_ALL};
	static const uint32_t sizes[] = {4, 4, 4, 8, 16};
	uint64_t address[LANES], start[2];
	struct race_found f[2][RACE_FOUND_MAX];
	a.pc = drawn(seed, 3) ? PLAIN_R : PLAIN_W;
	a.site = sites[a.pc];
	a.site.size = various ? sizes[drawn(seed, 5)] : 4;
	a.lanes = halves[drawn(seed, 4)];
	a.address = address;
	for (unsigned h = 0; h < 2; h++)
		start[h] = drawn(seed, 8) * 64 + (drawn(seed, 8) ? 0 : a.site.size);
	if (drawn(seed, 2))
		start[1] = start[0] + 16 * a.site.size;
	for (unsigned l = 0; l < LANES; l++)
		address[l] = start[l / 16] + l % 16 * a.site.size;
	const uint32_t words = race_access(&m[0].race, &a, f[0]);
	for (unsigned l = 0; l < LANES; l++)
		if (l % 16)
			address[l] = UINT64_MAX; /* nobody looks there */
	a.in_rows = true;
	const uint32_t rows = race_access(&m[1].race, &a, f[1]);
	assert_int_equal(words, rows);
	for (uint32_t k = 0; k < words; k++) {
		assert_int_equal(f[0][k].lane, f[1][k].lane);
		assert_true(various || f[0][k].uid == f[1][k].uid);
		assert_int_equal(f[0][k].pc, f[1][k].pc);
		assert_true(f[0][k].address == f[1][k].address);
	}
	return words;
}

static void order(struct machine *m, uint32_t which, uint32_t slot, uint32_t warp)
{
	switch (which) {
	case 0: race_join(&m->race, slot, warp, LANES_ALL, LIVE, NULL); break;
	case 1: race_split(&m->race, slot, warp, 2, (uint32_t[]){1, 0xfffffffe}); break;
	case 2: race_fence(&m->race, slot, warp, LANES_ALL, RACE_SCOPE_GPU); break;
	default:
		race_open(&m->race, slot, 0, which == 3 ? 1 : 3, 3, which > 3, 3);
		LANES_EACH (w, 3)
			race_go_on(&m->race, slot, w, LIVE, NULL);
	}
}

/* What is told of lanes side by side as one is what is told of them one by one. */
static void rows(void **state)
{
	uint32_t found = 0;
	(void)state;
	for (uint64_t s = 0; s < 300; s++) {
		struct machine m[2];
		uint64_t seed = s;
		machine_init(&m[0], false);
		machine_init(&m[1], false);
		for (unsigned n = 0; n < 60; n++) {
			const struct race_access a = {
				.slot = drawn(&seed, 3), .warp = drawn(&seed, 2), .shared = drawn(&seed, 2)};
			const uint32_t kind = drawn(&seed, 8), thread = a.warp * LANES + drawn(&seed, LANES);
			const uint32_t which = drawn(&seed, 6);
			for (unsigned k = 0; k < 2 && kind < 2; k++)
				order(&m[k], which, a.slot, a.warp);
			const uint64_t at = drawn(&seed, 128) * 4;
			const uint32_t one = drawn(&seed, KINDS);
			if (kind == 2)
				assert_int_equal(access_by(&m[0], a.slot, thread, one, a.shared, at),
						 access_by(&m[1], a.slot, thread, one, a.shared, at));
			if (kind > 2)
				found += both_access(m, a, s & 1, &seed);
		}
		arena_free(&m[0].arena);
		arena_free(&m[1].arena);
	}
	assert_true(found > 1000);
}

/* ---- against all accesses there were ---- */

#define WORDS 3u
struct made {
	uint32_t uid, when;
	unsigned kind, byte; /* of the memory */
};
struct all_made {
	struct made made[4096];
	uint32_t n, n_sure;
};

static bool excludes(unsigned a, unsigned b, bool same_block)
{
	const struct race_site *x = &sites[a], *y = &sites[b];
	return x->strong && y->strong && ((!x->is_block_scope && !y->is_block_scope) || same_block);
}

static bool conflict(const struct machine *m, const struct made *e, uint32_t slot, uint32_t thread, unsigned kind)
{
	const uint32_t me = 1 + slot * THREADS + thread;
	if ((!sites[e->kind].is_write && !sites[kind].is_write) || e->uid == me ||
	    excludes(e->kind, kind, (e->uid - 1) / THREADS == slot))
		return false;
	return !race_knows(&m->race, slot, thread / LANES, thread % LANES, e->uid, e->when);
}

/* Some access races with it; *surely: the last plain write to a byte, or an atomic or volatile one after that. */
static bool races(const struct machine *m, const struct all_made *all, uint32_t slot, uint32_t thread, unsigned kind,
		  unsigned at, bool *surely)
{
	bool any = false;
	*surely = false;
	for (unsigned byte = at; byte < at + sites[kind].size; byte++) {
		bool plain = false, strong = false;
		for (uint32_t k = all->n; k-- > 0;) {
			const struct made *e = &all->made[k];
			const struct race_site *s = &sites[e->kind];
			if (e->byte != byte)
				continue;
			const bool race = conflict(m, e, slot, thread, kind);
			any |= race;
			*surely |= race && s->is_write && !plain && (!s->strong || !strong);
			plain |= s->is_write && !s->strong;
			strong |= s->is_write && s->strong;
		}
	}
	return any;
}

/* Lanes from `thread` on, each access where the last one's ends. */
static void make(struct machine *m, struct all_made *all, uint32_t slot, uint32_t thread, unsigned n, unsigned kind,
		 unsigned at)
{
	uint64_t address[LANES] = {0};
	uint32_t races_of = 0, surely_of = 0, found_of = 0;
	struct race_found f[RACE_FOUND_MAX];
	const unsigned first = thread % LANES;
	for (unsigned k = 0; k < n; k++) {
		bool surely;
		address[first + k] = at + k * sites[kind].size;
		races_of |= races(m, all, slot, thread + k, kind, (unsigned)address[first + k], &surely)
				    ? 1u << (first + k)
				    : 0;
		surely_of |= surely ? 1u << (first + k) : 0;
	}
	const struct race_access a = {.slot = slot,
				      .warp = thread / LANES,
				      .lanes = ((1u << n) - 1) << first,
				      .pc = kind,
				      .site = sites[kind],
				      .address = address};
	const uint32_t found = race_access(&m->race, &a, f);
	for (uint32_t k = 0; k < found; k++)
		found_of |= 1u << f[k].lane;
	assert_int_equal(found_of & ~races_of, 0);
	assert_int_equal(surely_of & ~found_of, 0);
	all->n_sure += lanes_count(surely_of);
	for (unsigned k = 0; k < n * sites[kind].size; k++)
		all->made[all->n++] = (struct made){1 + slot * THREADS + thread + k / sites[kind].size,
						    race_now(&m->race), kind, at + k};
}

/* Nothing is told that isn't a race, and each race with the last plain write to a byte or with a later atomic is. */
static void in_full(void **state)
{
	struct all_made *all = calloc(1, sizeof *all);
	(void)state;
	for (uint64_t s = 0; s < 1500; s++) {
		struct machine m;
		uint64_t seed = s;
		machine_init(&m, false);
		all->n = 0;
		for (unsigned n = 0; n < 60; n++) {
			const uint32_t slot = drawn(&seed, 3), warp = drawn(&seed, 2), which = drawn(&seed, 12);
			const unsigned kind = s & 1 ? drawn(&seed, KINDS)
						    : (unsigned[]){BYTE_R, BYTE_W, HALF_R, HALF_W}[drawn(&seed, 4)];
			const uint32_t size = sites[kind].size, thread = warp * LANES + drawn(&seed, 4);
			if (which == 2)
				continue; /* a flag's writer is known without a fence */
			if (which < 6) {
				order(&m, which, slot, warp);
				continue;
			}
			const unsigned n_lanes = which < 9 ? 1 : which == 9 ? 2 : 4, most = WORDS * 4 - n_lanes * size;
			make(&m, all, slot, thread, n_lanes, kind, drawn(&seed, most / size + 1) * size);
		}
		arena_free(&m.arena);
	}
	assert_true(all->n_sure > 10000);
	free(all);
}

/* What is kept of 64 KB takes half of that where lanes access words side by side, else eight times as much. */
static void shadow(void **state)
{
	struct machine m;
	struct race_found f[RACE_FOUND_MAX];
	(void)state;
	machine_init(&m, false);
	const uint64_t before = arena_committed(&m.arena);
	for (uint64_t at = 0; at < 65536; at += 64)
		race_access(&m.race,
			    &(struct race_access){.lanes = 0xffff,
						  .pc = PLAIN_W,
						  .site = sites[PLAIN_W],
						  .in_rows = true,
						  .address = (uint64_t[LANES]){at}},
			    f);
	assert_int_equal(arena_committed(&m.arena) - before, 32768);
	for (uint64_t at = 0; at < 65536; at += 4)
		access_by(&m, 0, 1, PLAIN_R, false, at);
	assert_int_equal(arena_committed(&m.arena) - before, 8 * 65536);
	arena_free(&m.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(conflicts),  cmocka_unit_test(barriers), cmocka_unit_test(lanes),
		cmocka_unit_test(flags),      cmocka_unit_test(atomics),  cmocka_unit_test(launches),
		cmocka_unit_test(rows),	      cmocka_unit_test(memory),	  cmocka_unit_test(shadow),
		cmocka_unit_test(remembered), cmocka_unit_test(in_full),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
