/* Watchers of effects: hand-made kernels, and what the PTX ISA says each of their instructions does to whom. In both modes, at each level of
 * the lane code, with a watcher that only looks and one that stops in front of everything: each effect is seen once, in order, and the
 * machine is the same as one that nobody looks at. */
#include "observed_gpu.h"

#include <stdio.h>

#if defined(__x86_64__)
static const char *const levels[] = {"v2", "v3", "v4"};
#else
static const char *const levels[] = {"generic"};
#endif
#define LEVELS (sizeof levels / sizeof *levels)
#define PCS 64u
#define WARPS 2u

static const char head[] = ".version 8.0\n.target sm_80\n.address_size 64\n";

/* ---- the log ---- */
struct log {
	bool stops;
	uint32_t first;		 /* instruction of the program */
	struct text warp[WARPS]; /* what has happened, one line each */
	struct text opened;
	uint32_t asked[WARPS][PCS], told[WARPS][PCS]; /* lanes, added up as numbers of times */
	uint32_t atomic[WARPS][PCS];		      /* lanes for which an atomic has happened */
	unsigned n_stops;
};

static unsigned place(const struct log *l, const struct exec *x)
{
	assert_in_range(x->pc, l->first, l->first + PCS - 1);
	assert_in_range(x->warp->index, 0, WARPS - 1);
	return x->pc - l->first;
}

static bool before(void *self, const struct exec *x, const struct exec_effect *e)
{
	struct log *l = self;
	assert_int_not_equal(e->kind, EXEC_EFFECT_OPEN);
	assert_ptr_equal(e, &x->effect);
	if (e->kind != EXEC_EFFECT_SYNC && e->kind != EXEC_EFFECT_FLOW)
		l->asked[x->warp->index][place(l, x)] += lanes_count(e->lanes);
	l->n_stops += l->stops;
	return l->stops;
}

static void add_access(const struct exec_access *a, struct text *out)
{
	static const char *const spaces[] = {"generic", "global", "shared", "local", "const", "param", "code"};
	const uint64_t window[] = {
		0, UINT64_C(0x80000000), EXEC_SHARED_WINDOW, EXEC_LOCAL_WINDOW, EXEC_CONST_WINDOW, EXEC_PARAM_WINDOW,
		0};
	const unsigned first = lanes_first(a->lanes), last = 31u - (unsigned)__builtin_clz(a->lanes);
	text_addf(out, "%s%s %s %ux%u at %llu..%llu", a->is_read ? "r" : "", a->is_write ? "w" : "", spaces[a->space],
		  lanes_count(a->lanes), a->size, (unsigned long long)(a->address[first] - window[a->space]),
		  (unsigned long long)(a->address[last] - window[a->space]));
}

static void add_flow(const struct log *l, const struct exec_flow *f, struct text *out)
{
	static const char *const hows[] = {"branch", "call", "return", "exit"};
	text_add(out, hows[f->how]);
	for (uint32_t k = 0; k < f->n; k++)
		if (f->pc[k] == ISA_NO_TARGET)
			text_addf(out, " %08x away", f->lanes[k]);
		else
			text_addf(out, " %08x to %d", f->lanes[k], (int)f->pc[k] - (int)l->first);
}

static void add_effect(const struct log *l, const struct exec_effect *e, struct text *out)
{
	static const char *const uses[] = {"sync", "arrive", "red"};
	const struct exec_effect_barrier *b = &e->barrier;
	switch (e->kind) {
	case EXEC_EFFECT_ACCESS: add_access(&e->access, out); break;
	case EXEC_EFFECT_BARRIER:
		text_addf(out, "%s %u, %u%s%s", uses[b->use], b->id, b->count, b->aligned ? " aligned" : "",
			  b->arrived ? " arrived" : "");
		break;
	case EXEC_EFFECT_FLOW: add_flow(l, &e->flow, out); break;
	case EXEC_EFFECT_SYNC: text_addf(out, "of %08x", e->members[lanes_first(e->lanes)]); break;
	case EXEC_EFFECT_FENCE:
		text_addf(out, "fence %u %u%s", e->fence.sem, e->fence.scope, e->fence.proxy ? " proxy" : "");
		break;
	default: fail_msg("an effect of kind %d", (int)e->kind);
	}
}

/* An atomic happens lane by lane in performance mode: it has one line, and lanes that are added up. */
static void after(void *self, const struct exec *x, const struct exec_effect *e)
{
	struct log *l = self;
	if (e->kind == EXEC_EFFECT_OPEN) {
		text_addf(&l->opened, "%u, %u: %llx\n", e->barrier.id, e->barrier.count, (unsigned long long)e->barrier.warps);
		return;
	}
	const unsigned pc = place(l, x), w = x->warp->index;
	struct text *out = &l->warp[w];
	if (e->kind != EXEC_EFFECT_SYNC && e->kind != EXEC_EFFECT_FLOW)
		l->told[w][pc] += lanes_count(e->lanes);
	assert_false(e->deferred);
	if (e->kind == EXEC_EFFECT_ACCESS && e->access.is_atomic) {
		const bool is_new = !l->atomic[w][pc];
		assert_int_equal(l->atomic[w][pc] & e->lanes, 0);
		l->atomic[w][pc] |= e->lanes;
		if (!is_new)
			return;
		text_addf(out, "%u atomic\n", pc);
		return;
	}
	text_addf(out, "%u %08x ", pc, e->lanes);
	add_effect(l, e, out);
	text_addc(out, '\n');
}

static void log_free(struct log *l)
{
	for (unsigned k = 0; k < WARPS; k++)
		text_free(&l->warp[k]);
	text_free(&l->opened);
}

/* ---- running ---- */
struct way {
	const char *level;
	bool performance;
	bool looks, stops;
};

static void look(struct gpu *g, struct exec_watcher *w, struct log *l)
{
	*w = (struct exec_watcher){.kinds = EXEC_LOOK(ACCESS) | EXEC_LOOK(BARRIER) | EXEC_LOOK(OPEN) | EXEC_LOOK(FLOW) |
					    EXEC_LOOK(SYNC) | EXEC_LOOK(FENCE),
				   .before = before,
				   .after = after,
				   .self = l};
	assert_true(exec_watch(gpu_exec(g), w));
}

/* The digest of all state. */
static uint64_t run_once(const char *body, uint32_t threads, const struct way *way, struct log *l)
{
	struct observed o;
	struct text why = {0}, ptx = {0};
	struct exec_watcher w;
	uint64_t out;
	observed_create(&o, way->performance, way->level);
	text_addf(&ptx, "%s%s", head, body);
	observed_load(o.g, &ptx);
	text_free(&ptx);
	const struct gpu_launch_spec spec = observed_spec(o.g, 1, threads, &out);
	assert_int_equal(out, UINT64_C(0x80000000));
	*l = (struct log){.stops = way->stops, .first = gpu_program(o.g)->functions[0]->first};
	assert_int_equal(gpu_launch(o.g, &spec, &why), 0);
	if (way->looks)
		look(o.g, &w, l);
	observed_run(o.g);
	const uint64_t digest = arena_digest(gpu_arena(o.g));
	observed_destroy(&o);
	return digest;
}

struct expected {
	const char *warp[WARPS], *opened;
};

static void expect_log(const struct log *l, const struct expected *want, bool stops)
{
	unsigned asked = 0;
	for (unsigned w = 0; w < WARPS; w++)
		assert_string_equal(text_str(&l->warp[w]), want->warp[w] ? want->warp[w] : "");
	assert_string_equal(text_str(&l->opened), want->opened ? want->opened : "");
	for (unsigned w = 0; w < WARPS; w++)
		for (unsigned pc = 0; pc < PCS; pc++) {
			/* (whoever waits for others has been asked about when it came, in another instruction perhaps) */
			assert_int_equal(l->asked[w][pc], l->told[w][pc]);
			asked += l->asked[w][pc] != 0;
		}
	assert_true(!stops || l->n_stops >= asked);
}

/* In all ways. */
static void expect(const char *body, uint32_t threads, const struct expected *want)
{
	for (unsigned performance = 0; performance < 2; performance++)
		for (unsigned k = 0; k < LEVELS; k++) {
			struct way way = {.level = levels[k], .performance = performance};
			struct log l;
			if (!exec_level_runs(levels[k]))
				continue;
			const uint64_t alone = run_once(body, threads, &way, &l);
			log_free(&l);
			way.looks = true;
			for (unsigned stops = 0; stops < 2; stops++) {
				way.stops = stops;
				assert_true(run_once(body, threads, &way, &l) == alone);
				expect_log(&l, want, stops);
				log_free(&l);
			}
		}
}

/* ---- the kernels; numbers at the ends of lines are the instructions' ---- */

/* PTX ISA "ld", "st", "atom", "red": spaces, sizes of vectors, guards. */
static void accesses(void **state)
{
	(void)state;
	expect("\
.visible .entry k(.param .u64 out) {\n\
 .reg .u64 %rd<6>; .reg .u32 %r<9>; .reg .u16 %h<2>; .reg .pred %p<2>;\n\
 .shared .align 16 .b8 sh[512];\n\
 ld.param.u64 %rd1, [out];			// 0\n\
 mov.u32 %r1, %tid.x;				// 1\n\
 mul.wide.u32 %rd2, %r1, 8;			// 2\n\
 add.u64 %rd2, %rd1, %rd2;			// 3\n\
 setp.lt.u32 %p1, %r1, 4;			// 4\n\
 @%p1 st.global.u32 [%rd2+8], %r1;		// 5\n\
 ld.global.v2.u32 {%r2, %r3}, [%rd2];		// 6\n\
 ld.u8 %h1, [%rd1+3];				// 7\n\
 mov.u32 %r4, sh;				// 8\n\
 st.shared.u32 [%r4+4], %r1;			// 9\n\
 atom.global.add.u32 %r5, [%rd1+1024], 1;	// 10\n\
 @!%p1 red.shared.max.u32 [%r4], %r1;		// 11\n\
 setp.gt.u32 %p1, %r1, 99;			// 12\n\
 @%p1 st.global.u32 [0], %r1;			// 13\n\
 ret;						// 14\n}\n",
	       32,
	       &(struct expected){.warp = {"0 ffffffff r param 32x8 at 0..0\n"
					   "5 0000000f w global 4x4 at 8..32\n"
					   "6 ffffffff r global 32x8 at 0..248\n"
					   "7 ffffffff r global 32x1 at 3..3\n"
					   "9 ffffffff w shared 32x4 at 4..4\n"
					   "10 atomic\n"
					   "11 atomic\n"
					   "14 ffffffff exit ffffffff away\n"}});
}

/* PTX ISA "bra", "brx.idx", "call", "ret", "exit". */
static void flow(void **state)
{
	(void)state;
	expect("\
.visible .entry k(.param .u64 out) {\n\
 .reg .u32 %r<6>; .reg .pred %p<4>;\n\
 mov.u32 %r1, %laneid;				// 0\n\
 setp.lt.u32 %p1, %r1, 8;			// 1\n\
 @%p1 bra low;					// 2\n\
 bra.uni both;					// 3\n\
low:\n\
 add.u32 %r1, %r1, 0;				// 4\n\
both:\n\
 shr.u32 %r2, %r1, 4;				// 5\n\
 ts: .branchtargets t0, t1;\n\
 brx.idx %r2, ts;				// 6\n\
t0:\n\
 bra.uni end;					// 7\n\
t1:\n\
 add.u32 %r2, %r2, 0;				// 8\n\
end:\n\
 setp.eq.u32 %p2, %r1, 31;			// 9\n\
 @%p2 exit;					// 10\n\
 ret;						// 11\n}\n",
	       32,
	       &(struct expected){.warp = {"2 000000ff branch 000000ff to 4 ffffff00 to 3\n"
					   "3 ffffff00 branch ffffff00 to 5\n"
					   "6 ffffffff branch 0000ffff to 7 ffff0000 to 8\n"
					   "7 0000ffff branch 0000ffff to 9\n"
					   "10 80000000 exit 80000000 away 7fffffff to 11\n"
					   "11 7fffffff exit 7fffffff away\n"}});
}

/* PTX ISA "call", "ret": what is called, whose turn it is when lanes call different functions. */
static void calls(void **state)
{
	(void)state;
	expect("\
.func (.reg .u32 %o) twice(.reg .u32 %i) {\n\
 add.u32 %o, %i, %i;				// 0\n\
 ret;						// 1\n}\n\
.func (.reg .u32 %o) more(.reg .u32 %i) {\n\
 .reg .pred %p<2>;\n\
 setp.gt.u32 %p1, %i, 15;			// 2\n\
 add.u32 %o, %i, 1;				// 3\n\
 @%p1 ret;					// 4\n\
 ret;						// 5\n}\n\
.visible .entry k(.param .u64 out) {\n\
 .reg .u32 %r<6>; .reg .u64 %rd<4>; .reg .pred %p<2>;\n\
 mov.u32 %r1, %laneid;				// 6\n\
 call.uni (%r2), twice, (%r1);			// 7\n\
 setp.lt.u32 %p1, %r1, 8;			// 8\n\
 mov.u64 %rd1, twice;				// 9\n\
 mov.u64 %rd2, more;				// 10\n\
 selp.u64 %rd3, %rd1, %rd2, %p1;		// 11\n\
 proto: .callprototype (.reg .u32 _) _ (.reg .u32 _);\n\
 call (%r3), %rd3, (%r1), proto;		// 12\n\
 ret;						// 13\n}\n",
	       32,
	       &(struct expected){.warp = {"7 ffffffff call ffffffff to 0\n"
					   "1 ffffffff return ffffffff to 8\n"
					   "12 000000ff call 000000ff to 0 ffffff00 to 12\n"
					   "1 000000ff return 000000ff to 13\n"
					   "12 ffffff00 call ffffff00 to 2\n"
					   "4 ffff0000 return ffff0000 to 13 0000ff00 to 5\n"
					   "5 0000ff00 return 0000ff00 to 13\n"
					   "13 ffffffff exit ffffffff away\n"}});
}

/* PTX ISA "shfl.sync", "vote.sync", "bar.warp.sync", "match.sync", "redux.sync": an instruction happens when all of its members are there.
 * "membar", "fence": orders and scopes. */
static void together(void **state)
{
	(void)state;
	expect("\
.visible .entry k(.param .u64 out) {\n\
 .reg .u32 %r<9>; .reg .pred %p<4>;\n\
 mov.u32 %r1, %laneid;				// 0\n\
 setp.lt.u32 %p1, %r1, 8;			// 1\n\
 @%p1 bra low;					// 2\n\
 shfl.sync.idx.b32 %r2, %r1, 9, 31, 0xffffff00;	// 3\n\
 bar.warp.sync 0xffffffff;			// 4\n\
 bra.uni both;					// 5\n\
low:\n\
 vote.sync.ballot.b32 %r3, %p1, 0xff;		// 6\n\
 bar.warp.sync 0xffffffff;			// 7\n\
both:\n\
 match.any.sync.b32 %r4, %r1, 0xffffffff;	// 8\n\
 redux.sync.add.u32 %r5, %r1, 0xffffffff;	// 9\n\
 membar.gl;					// 10\n\
 fence.acq_rel.cta;				// 11\n\
 fence.sc.sys;					// 12\n\
 fence.proxy.alias;				// 13\n\
 ret;						// 14\n}\n",
	       32,
	       &(struct expected){.warp = {"2 000000ff branch 000000ff to 6 ffffff00 to 3\n"
					   "6 000000ff of 000000ff\n"
					   "3 ffffff00 of ffffff00\n"
					   "4 ffffffff of ffffffff\n"
					   "5 ffffff00 branch ffffff00 to 8\n"
					   "8 ffffffff of ffffffff\n"
					   "9 ffffffff of ffffffff\n"
					   "10 ffffffff fence 6 3\n"
					   "11 ffffffff fence 5 1\n"
					   "12 ffffffff fence 6 4\n"
					   "13 ffffffff fence 5 0 proxy\n"
					   "14 ffffffff exit ffffffff away\n"}});
}

/* PTX ISA "bar", "barrier": warps arrive with their last lane; an arriving warp waits for nobody. */
static void barriers(void **state)
{
	(void)state;
#define REST \
	"5 ffffffff sync 0, 0 aligned arrived\n" \
	"6 ffffffff red 2, 0 aligned arrived\n" \
	"9 000000ff branch 000000ff to 12 ffffff00 to 10\n" \
	"12 000000ff sync 3, 0\n" \
	"10 ffffff00 sync 3, 0 arrived\n" \
	"11 ffffff00 branch ffffff00 to 13\n" \
	"13 ffffffff exit ffffffff away\n"
	expect("\
.visible .entry k(.param .u64 out) {\n\
 .reg .u32 %r<6>; .reg .pred %p<4>;\n\
 mov.u32 %r1, %tid.x;				// 0\n\
 shr.u32 %r2, %r1, 5;				// 1\n\
 setp.eq.u32 %p1, %r2, 0;			// 2\n\
 @%p1 bar.arrive 1, 64;				// 3\n\
 @!%p1 bar.sync 1, 64;				// 4\n\
 bar.sync 0;					// 5\n\
 bar.red.popc.u32 %r3, 2, %p1;			// 6\n\
 mov.u32 %r4, %laneid;				// 7\n\
 setp.lt.u32 %p2, %r4, 8;			// 8\n\
 @%p2 bra low;					// 9\n\
 barrier.sync 3;				// 10\n\
 bra.uni end;					// 11\n\
low:\n\
 barrier.sync 3;				// 12\n\
end:\n\
 ret;						// 13\n}\n",
	       64,
	       &(struct expected){.warp = {"3 ffffffff arrive 1, 64 aligned arrived\n" REST,
					   "4 ffffffff sync 1, 64 aligned arrived\n" REST},
				  .opened = "1, 64: 2\n0, 0: 3\n2, 0: 3\n3, 0: 3\n"});
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(accesses), cmocka_unit_test(flow), cmocka_unit_test(calls),
					   cmocka_unit_test(together), cmocka_unit_test(barriers)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
