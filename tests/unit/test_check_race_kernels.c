/* The race checker on kernels: mistakes everybody makes, and the same kernels mended (CUDA C++ Programming Guide, "Synchronization Functions",
 * "Memory Fence Functions", "Independent Thread Scheduling"). In both modes the same is found, whatever runs first. */
#include "observed_gpu.h"

#include "check/race_watch.h"

#define FOUND_MAX 64u

static const char head[] = ".version 8.0\n.target sm_80\n.address_size 64\n.shared .align 8 .b8 s[4096];\n";
/* %r1: thread, %r2: block, %rd1: out, %rd2: out + 4 * thread, %rd3: out + 4 * (block * 64 + thread), %r3: s + 4 * thread */
static const char entry[] =
	".entry k(.param .u64 out)\n{\n.reg .b32 %r<20>; .reg .b64 %rd<10>; .reg .pred %p<6>; .reg .f32 %f<6>;\n"
	"mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; ld.param.u64 %rd1, [out];\n"
	"mad.wide.u32 %rd2, %r1, 4, %rd1; mov.u32 %r4, %ntid.x; mad.lo.u32 %r4, %r2, %r4, %r1; mad.wide.u32 %rd3, %r4, "
	"4, %rd1;\n"
	"mov.u32 %r3, s; mad.lo.u32 %r3, %r1, 4, %r3;\n";

struct row {
	const char *name, *body;
	uint32_t grid, block;
	unsigned races; /* pairs of instructions */
	bool strict;
	bool same; /* all of them write the same value */
};

struct seen {
	unsigned n;
	uint32_t pc[FOUND_MAX], other[FOUND_MAX];
	bool same;
};

/* Whichever ran first. */
static bool see(void *self, const struct race_report *r)
{
	struct seen *s = self;
	const uint32_t a = r->access->pc, b = r->found->pc, low = a < b ? a : b, high = a < b ? b : a;
	for (unsigned k = 0; k < s->n; k++)
		if (s->pc[k] == low && s->other[k] == high)
			return false;
	assert_true(s->n < FOUND_MAX);
	s->same = (!s->n || s->same) && r->same_value;
	s->pc[s->n] = low;
	s->other[s->n++] = high;
	return false;
}

static void load(struct gpu *g, const char *body)
{
	struct text ptx = {0};
	text_addf(&ptx, "%s%s%s\nret;\n}\n", head, entry, body);
	observed_load(g, &ptx);
	text_free(&ptx);
}

static void input(void *self, const struct gpu_input *in, int64_t result)
{
	race_host_input(&((struct race_watch *)self)->host, in, result);
}

static void look(struct gpu *g, struct race_watch *w, struct exec_watcher *watcher)
{
	assert_true(race_watch_init(w, g));
	*watcher =
		(struct exec_watcher){.self = w, .kinds = RACE_LOOKS, .before = race_before, .after = race_after};
	assert_true(exec_watch(gpu_exec(g), watcher));
	gpu_watch_inputs(g, input, w);
}

static void launch(struct gpu *g, const struct gpu_launch_spec *spec)
{
	struct text why = {0};
	assert_true(gpu_input(g, &(struct gpu_input){.kind = GPU_INPUT_LAUNCH, .launch = *spec}, &why) >= 0);
}

/* n launches in streams; the kernel is the program's last function. */
static void run(const struct row *row, bool performance, const uint32_t *stream, unsigned n, struct text *wrong)
{
	struct observed o;
	struct seen seen = {0};
	struct race_watch watch = {.race = {.strict = row->strict}, .report = see, .self = &seen};
	struct exec_watcher watcher;
	uint64_t out;
	observed_create(&o, performance, NULL);
	load(o.g, row->body);
	struct gpu_launch_spec spec = observed_spec(o.g, row->grid, row->block, &out);
	look(o.g, &watch, &watcher);
	for (unsigned k = 0; k < n; k++) {
		spec.stream = stream[k];
		launch(o.g, &spec);
	}
	observed_run(o.g);
	if (seen.n != row->races)
		text_addf(wrong, "%s%s: %u races, not %u; first at +%u and +%u\n", row->name,
			  performance ? ", performance mode" : "", seen.n, row->races, seen.pc[0], seen.other[0]);
	if (row->same != seen.same)
		text_addf(wrong, "%s: the same value: %d\n", row->name, seen.same);
	observed_destroy(&o);
}

static void run_rows(const struct row *rows, size_t n)
{
	struct text wrong = {0};
	for (size_t k = 0; k < n; k++)
		for (unsigned performance = 0; performance < 2; performance++)
			run(&rows[k], performance, (uint32_t[]){0}, 1, &wrong);
	if (wrong.n)
		fail_msg("%s", text_str(&wrong));
	text_free(&wrong);
}
#define RUN(rows) run_rows(rows, sizeof rows / sizeof *rows)

#define NEIGHBOUR "xor.b32 %r5, %r1, 32; mov.u32 %r6, s; mad.lo.u32 %r6, %r5, 4, %r6;\n"
#define FIRST_WARP "setp.gt.u32 %p1, %r1, 31; @%p1 bra END;\n"

static void within_a_block(void **state)
{
	static const struct row rows[] = {
		{"each its own", "st.shared.u32 [%r3], %r1; ld.shared.u32 %r7, [%r3]; st.global.u32 [%rd3], %r7;", 2,
		 64, 0, 0, 0},
		{"no barrier", NEIGHBOUR "st.shared.u32 [%r3], %r1; ld.shared.u32 %r7, [%r6];", 1, 64, 1, 0, 0},
		{"a barrier", NEIGHBOUR "st.shared.u32 [%r3], %r1; bar.sync 0; ld.shared.u32 %r7, [%r6];", 2, 64, 0, 0,
		 0},
		{"written again with one barrier too few",
		 NEIGHBOUR "mov.u32 %r8, 0;\nL: st.shared.u32 [%r3], %r1; bar.sync 0; ld.shared.u32 %r7, [%r6];\n"
			   "add.u32 %r8, %r8, 1; setp.lt.u32 %p1, %r8, 3; @%p1 bra L;",
		 1, 64, 1, 0, 0},
		{"two barriers",
		 NEIGHBOUR
		 "mov.u32 %r8, 0;\nL: st.shared.u32 [%r3], %r1; bar.sync 0; ld.shared.u32 %r7, [%r6]; bar.sync 0;\n"
		 "add.u32 %r8, %r8, 1; setp.lt.u32 %p1, %r8, 3; @%p1 bra L;",
		 1, 64, 0, 0, 0},
		{"two buffers",
		 NEIGHBOUR "mov.u32 %r8, 0;\nL: st.shared.u32 [%r3], %r1; bar.sync 0; ld.shared.u32 %r7, [%r6]; "
			   "xor.b32 %r3, %r3, 1024;\n"
			   "xor.b32 %r6, %r6, 1024; add.u32 %r8, %r8, 1; setp.lt.u32 %p1, %r8, 5; @%p1 bra L;",
		 1, 64, 0, 0, 0},
		{"bar.red is a barrier",
		 NEIGHBOUR "st.shared.u32 [%r3], %r1; setp.eq.u32 %p2, %r1, 3; bar.red.popc.u32 %r9, 0, %p2;\n"
			   "ld.shared.u32 %r7, [%r6];",
		 1, 64, 0, 0, 0},
		{"producer and consumer",
		 NEIGHBOUR
		 "setp.lt.u32 %p1, %r1, 32; @%p1 bra P; bar.sync 1, 64; ld.shared.u32 %r7, [%r6]; bra.uni END;\n"
		 "P: st.shared.u32 [%r3], %r1; bar.arrive 1, 64;\nEND:",
		 1, 64, 0, 0, 0},
		{"a producer who says so too early",
		 NEIGHBOUR
		 "setp.lt.u32 %p1, %r1, 32; @%p1 bra P; bar.sync 1, 64; ld.shared.u32 %r7, [%r6]; bra.uni END;\n"
		 "P: bar.arrive 1, 64; st.shared.u32 [%r3], %r1;\nEND:",
		 1, 64, 1, 0, 0},
		{"histogram without atomics",
		 "and.b32 %r5, %r1, 3; mov.u32 %r6, s; mad.lo.u32 %r6, %r5, 4, %r6;\n"
		 "ld.shared.u32 %r7, [%r6]; add.u32 %r7, %r7, 1; st.shared.u32 [%r6], %r7;",
		 1, 64, 2, 0, 0},
		{"with atomics",
		 "and.b32 %r5, %r1, 3; mov.u32 %r6, s; mad.lo.u32 %r6, %r5, 4, %r6;\n"
		 "red.shared.add.u32 [%r6], 1; bar.sync 0; ld.shared.u32 %r7, [%r6];",
		 1, 64, 0, 0, 0},
		{"read without a barrier", "red.shared.add.u32 [s], 1; ld.shared.u32 %r7, [s];", 1, 64, 1, 0, 0},
		{"all write the same", "mov.u32 %r7, 7; st.shared.u32 [s], %r7;", 1, 64, 1, 0, 1},
		{"all write something else", "st.shared.u32 [s], %r1;", 1, 64, 1, 0, 0},
		{"bytes side by side",
		 "mov.u32 %r6, s; add.u32 %r6, %r6, %r1; st.shared.u8 [%r6], %r1; ld.shared.u8 %r7, [%r6];", 1, 128, 0,
		 0, 0},
		{"a neighbour's byte",
		 "mov.u32 %r6, s; add.u32 %r6, %r6, %r1; st.shared.u8 [%r6], %r1; ld.shared.u8 %r7, [%r6+32];", 1, 128,
		 1, 0, 0},
		{"wide words",
		 "mov.u32 %r6, s; mad.lo.u32 %r6, %r1, 16, %r6; st.shared.v4.u32 [%r6], {%r1, %r1, %r1, %r1};\n"
		 "ld.shared.v2.u32 {%r7, %r8}, [%r6+520];",
		 1, 64, 1, 0, 0},
		{"of a block of 48 threads", NEIGHBOUR "st.shared.u32 [%r3], %r1; ld.shared.u32 %r7, [%r6];", 1, 48, 1,
		 0, 0},
		{"its lanes write different values to a word, and its neighbour's",
		 "and.b32 %r5, %r1, 15; mad.wide.u32 %rd4, %r5, 4, %rd1; st.global.u32 [%rd4], 1;", 2, 16, 1, 0, 1},
		{"a byte of four threads, and of a fifth",
		 "mov.u32 %r6, s; and.b32 %r5, %r1, 31; add.u32 %r6, %r6, %r5; st.shared.u8 [%r6], 1;", 1, 64, 1, 0, 1},
		{"bytes one after the other, and a neighbour's",
		 "mov.u32 %r6, s; mad.lo.u32 %r6, %r1, 4, %r6; st.shared.u8 [%r6], 1; st.shared.u8 [%r6+1], 1; "
		 "st.shared.u8 [%r6+2], 1; st.shared.u8 [%r6+3], 1;\n"
		 "ld.shared.u8 %r7, [%r6+130];",
		 1, 64, 1, 0, 0},
		{"by generic addresses",
		 NEIGHBOUR
		 "cvta.shared.u32 %r7, %r3; cvt.u64.u32 %rd4, %r7; st.u32 [%rd4], %r1; ld.shared.u32 %r8, [%r6];",
		 1, 64, 1, 0, 0},
		{"a thread that has left",
		 NEIGHBOUR
		 "st.shared.u32 [%r3], %r1; setp.gt.u32 %p1, %r1, 31; @%p1 exit; bar.sync 0; ld.shared.u32 %r7, [%r6];",
		 1, 64, 0, 0, 0},
	};
	(void)state;
	RUN(rows);
}

static void within_a_warp(void **state)
{
	static const struct row rows[] = {
		{"lanes in step", "st.shared.u32 [%r3], %r1; xor.b32 %r6, %r3, 4; ld.shared.u32 %r7, [%r6];", 1, 32, 0,
		 0, 0},
		{"lanes of one store, one word", "st.shared.u32 [s], %r1;", 1, 32, 1, 0, 0},
		{"one of them writes something else",
		 "setp.eq.u32 %p1, %r1, 9; selp.b32 %r5, 1, 0, %p1; st.shared.u32 [s], %r5;", 1, 32, 1, 0, 0},
		{"it alone is elsewhere",
		 "setp.eq.u32 %p1, %r1, 9; selp.b32 %r5, 1, 0, %p1; mov.u32 %r6, s; mad.lo.u32 %r6, %r5, 4, %r6; "
		 "st.shared.u32 [%r6], %r5;",
		 1, 32, 0, 0, 0},
		{"lanes of one store, the same value", "mov.u32 %r5, 7; st.shared.u32 [s], %r5;", 1, 32, 0, 0, 0},
		{"a number that is the same", "st.shared.u32 [s], 7;", 1, 32, 0, 0, 0},
		{"only the low byte is stored", "and.b32 %r5, %r1, 3; shl.b32 %r5, %r5, 8; st.shared.u8 [s], %r5;", 1,
		 32, 0, 0, 0},
		{"bytes", "st.shared.u8 [s], %r1;", 1, 32, 1, 0, 0},
		{"two lanes each",
		 "shr.u32 %r5, %r1, 1; mov.u32 %r6, s; mad.lo.u32 %r6, %r5, 8, %r6; st.shared.v2.u32 [%r6], {%r5, "
		 "%r1};",
		 1, 32, 1, 0, 0},
		{"two lanes each, the same",
		 "shr.u32 %r5, %r1, 1; mov.u32 %r6, s; mad.lo.u32 %r6, %r5, 8, %r6; st.shared.v2.u32 [%r6], {%r5, "
		 "%r5};",
		 1, 32, 0, 0, 0},
		{"the warp's halves",
		 "and.b32 %r5, %r1, 15; mov.u32 %r6, s; mad.lo.u32 %r6, %r5, 4, %r6; st.shared.u32 [%r6], %r1;", 1, 32,
		 1, 0, 0},
		{"the warp's halves, the same",
		 "and.b32 %r5, %r1, 15; mov.u32 %r6, s; mad.lo.u32 %r6, %r5, 4, %r6; st.shared.u32 [%r6], %r5;", 1, 32,
		 0, 0, 0},
		{"one lane is left", "setp.eq.u32 %p1, %r1, 9; @%p1 st.shared.u32 [s], %r1;", 1, 32, 0, 0, 0},
		{"volatile", "st.volatile.shared.u32 [s], %r1;", 1, 32, 0, 0, 0},
		{"an atomic", "atom.shared.exch.b32 %r5, [s], %r1;", 1, 32, 0, 0, 0},
		{"in global memory", "st.global.u32 [%rd1], %r1;", 1, 32, 1, 0, 0},
		{"one lane writes, all read",
		 "setp.ne.u32 %p1, %r1, 0; @%p1 bra L; st.shared.u32 [s], %r1;\nL: ld.shared.u32 %r7, [s];", 1, 32, 1,
		 0, 0},
		{"with bar.warp.sync",
		 "setp.ne.u32 %p1, %r1, 0; @%p1 bra L; st.shared.u32 [s], %r1;\nL: bar.warp.sync -1; ld.shared.u32 "
		 "%r7, [s];",
		 1, 32, 0, 0, 0},
		{"of some lanes",
		 "setp.ne.u32 %p1, %r1, 0; @%p1 bra L; st.shared.u32 [s], %r1;\nL: setp.gt.u32 %p1, %r1, 15; @%p1 bra "
		 "END;\n"
		 "bar.warp.sync 0xffff; ld.shared.u32 %r7, [s];\nEND:",
		 1, 32, 0, 0, 0},
		{"of other lanes",
		 "setp.ne.u32 %p1, %r1, 0; @%p1 bra L; st.shared.u32 [s], %r1;\nL: setp.lt.u32 %p1, %r1, 16; @%p1 bra "
		 "END;\n"
		 "bar.warp.sync 0xffff0000; ld.shared.u32 %r7, [s];\nEND:",
		 1, 32, 1, 0, 0},
		{"with a shuffle",
		 "setp.ne.u32 %p1, %r1, 0; @%p1 bra L; st.shared.u32 [s], %r1;\nL: shfl.sync.idx.b32 %r8, %r1, 0, 31, "
		 "-1; ld.shared.u32 %r7, [s];",
		 1, 32, 0, 0, 0},
		{"with a vote",
		 "setp.ne.u32 %p1, %r1, 0; @%p1 bra L; st.shared.u32 [s], %r1;\nL: vote.sync.ballot.b32 %r8, %p1, -1; "
		 "ld.shared.u32 %r7, [s];",
		 1, 32, 0, 0, 0},
		{"tree without bar.warp.sync",
		 "st.shared.u32 [%r3], %r1; bar.sync 0; mov.u32 %r8, 16;\nL: setp.ge.u32 %p1, %r1, %r8; @%p1 bra M;\n"
		 "mad.lo.u32 %r6, %r8, 4, %r3; ld.shared.u32 %r7, [%r6]; ld.shared.u32 %r9, [%r3]; add.u32 %r9, %r9, "
		 "%r7; st.shared.u32 [%r3], %r9;\n"
		 "M: shr.u32 %r8, %r8, 1; setp.ne.u32 %p2, %r8, 0; @%p2 bra L;",
		 1, 32, 1, 0, 0},
		{"tree with it",
		 "st.shared.u32 [%r3], %r1; bar.sync 0; mov.u32 %r8, 16;\nL: setp.ge.u32 %p1, %r1, %r8; @%p1 bra M;\n"
		 "mad.lo.u32 %r6, %r8, 4, %r3; ld.shared.u32 %r7, [%r6]; ld.shared.u32 %r9, [%r3]; add.u32 %r9, %r9, "
		 "%r7; st.shared.u32 [%r3], %r9;\n"
		 "M: bar.warp.sync -1; shr.u32 %r8, %r8, 1; setp.ne.u32 %p2, %r8, 0; @%p2 bra L;",
		 1, 32, 0, 0, 0},
	};
	(void)state;
	RUN(rows);
}

/* The last block adds up what all have written. %r9: its result. */
#define LAST_BLOCK(fence, after) \
	"setp.ne.u32 %p1, %r1, 0; @%p1 bra W; mul.wide.u32 %rd4, %r2, 4; add.u64 %rd4, %rd4, %rd1; st.global.u32 " \
	"[%rd4+1024], %r2;\n" fence "atom.global.add.u32 %r9, [%rd1], 1; st.shared.u32 [s], %r9;\n" after \
	"W: bar.sync 0; ld.shared.u32 %r9, [s]; setp.ne.u32 %p2, %r9, 3; @%p2 bra END;\n" \
	"and.b32 %r5, %r1, 3; mad.wide.u32 %rd5, %r5, 4, %rd1; ld.global.u32 %r10, [%rd5+1024];\nEND:"
/* The first block publishes, the second spins. */
#define FLAG(fence, store, load, after) \
	"setp.ne.u32 %p1, %r1, 0; @%p1 bra END; setp.ne.u32 %p1, %r2, 0; @%p1 bra R; st.global.u32 [%rd1+64], " \
	"5;\n" fence store " [%rd1], 1; bra.uni END;\nR: " load \
	" %r7, [%rd1]; setp.eq.u32 %p2, %r7, 0; @%p2 bra R;\n" after "ld.global.u32 %r8, [%rd1+64];\nEND:"

static void between_blocks(void **state)
{
	static const struct row rows[] = {
		{"each its own", "st.global.u32 [%rd3], %r1; ld.global.u32 %r7, [%rd3];", 4, 64, 0, 0, 0},
		{"the same", "st.global.u32 [%rd2], %r1;", 4, 64, 1, 0, 1},
		{"a barrier is a block's own", "st.global.u32 [%rd2], %r1; bar.sync 0; ld.global.u32 %r7, [%rd2];", 2,
		 64, 2, 0, 0},
		{"last block", LAST_BLOCK("membar.gl; ", ""), 4, 64, 0, 0, 0},
		{"last block without a fence", LAST_BLOCK("", ""), 4, 64, 1, 0, 0},
		{"last block, the block's fence", LAST_BLOCK("membar.cta; ", ""), 4, 64, 1, 0, 0},
		{"last block, strictly", LAST_BLOCK("membar.gl; ", ""), 4, 64, 1, 1, 0},
		{"last block, strictly, with both", LAST_BLOCK("fence.acq_rel.gpu; ", "fence.acq_rel.gpu; "), 4, 64, 0,
		 1, 0},
		{"flag", FLAG("membar.gl; ", "st.volatile.global.u32", "ld.volatile.global.u32", "membar.gl; "), 2, 32,
		 0, 0, 0},
		{"flag, no fence in front", FLAG("", "st.volatile.global.u32", "ld.volatile.global.u32", "membar.gl; "),
		 2, 32, 1, 0, 0},
		{"flag, none after", FLAG("membar.gl; ", "st.volatile.global.u32", "ld.volatile.global.u32", ""), 2, 32,
		 1, 0, 0},
		{"release and acquire", FLAG("", "st.release.gpu.global.u32", "ld.acquire.gpu.global.u32", ""), 2, 32,
		 0, 0, 0},
		{"of a block's scope", FLAG("", "st.release.cta.global.u32", "ld.acquire.cta.global.u32", ""), 2, 32, 2,
		 0, 0},
		{"a plain flag", FLAG("membar.gl; ", "st.global.u32", "ld.volatile.global.u32", "membar.gl; "), 2, 32,
		 2, 0, 0},
		{"atomics don't race", "red.global.add.u32 [%rd1], 1; atom.global.add.u32 %r7, [%rd1], 1;", 4, 64, 0, 0,
		 0},
		{"the first threads of the next block", "st.global.u32 [%rd3], %r1; ld.global.u32 %r7, [%rd3+4];", 2,
		 48, 1, 0, 0},
		{"likewise, blocks of less than a warp",
		 "and.b32 %r5, %r1, 3; mad.wide.u32 %rd4, %r5, 4, %rd1; st.global.u32 [%rd4], 1;", 4, 4, 1, 0, 1},
		{"each its own, blocks of less than a warp", "st.global.u32 [%rd3], %r1; ld.global.u32 %r7, [%rd3];", 9,
		 20, 0, 0, 0},
		{"block 0 clears what all count",
		 "and.b32 %r5, %r1, 7; mad.wide.u32 %rd4, %r5, 4, %rd1; setp.ne.u32 %p1, %r2, 0; @%p1 bra L; "
		 "st.global.u32 [%rd4], 0;\n"
		 "L: bar.sync 0; red.global.add.u32 [%rd4], 1;",
		 4, 8, 1, 0, 0},
		{"each block clears its own",
		 "and.b32 %r5, %r1, 7; mad.lo.u32 %r5, %r2, 8, %r5; mad.wide.u32 %rd4, %r5, 4, %rd1; setp.gt.u32 %p1, "
		 "%r1, 7; @%p1 bra L; st.global.u32 [%rd4], 0;\n"
		 "L: bar.sync 0; red.global.add.u32 [%rd4], 1;",
		 4, 64, 0, 0, 0},
		{"atomics of a block's scope", "red.relaxed.cta.global.add.u32 [%rd1], 1;", 4, 64, 1, 0, 0},
		{"of a block's scope, a word each",
		 "mad.wide.u32 %rd4, %r2, 4, %rd1; red.relaxed.cta.global.add.u32 [%rd4], 1;", 4, 64, 0, 0, 0},
		{"of the device's", "red.relaxed.gpu.global.add.u32 [%rd1], 1;", 4, 64, 0, 0, 0},
	};
	(void)state;
	RUN(rows);
}

/* "Streams": launches of one stream are ordered; of two only if something says so. */
static void launches(void **state)
{
	static const struct row in_order = {"one stream", "st.global.u32 [%rd2], %r1;", 1, 64, 0, 0, 0};
	static const struct row apart = {"two streams", "st.global.u32 [%rd2], %r1;", 1, 64, 1, 0, 1};
	struct text wrong = {0};
	(void)state;
	for (unsigned performance = 0; performance < 2; performance++) {
		run(&in_order, performance, (uint32_t[]){0, 0, 0}, 3, &wrong);
		run(&apart, performance, (uint32_t[]){1, 2}, 2, &wrong);
	}
	if (wrong.n)
		fail_msg("%s", text_str(&wrong));
	text_free(&wrong);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(within_a_block),
		cmocka_unit_test(within_a_warp),
		cmocka_unit_test(between_blocks),
		cmocka_unit_test(launches),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
