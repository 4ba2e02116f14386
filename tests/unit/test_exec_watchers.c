/* Watchers beside each other: up to eight at once, in both modes. Each sees the effects of its own kinds, once each, whoever else watches or stops; the
 * order is by rank, then by registration; watchers come and go while others stay. */
#include "observed_gpu.h"

#include <stdlib.h>

#include "isa/handlers.h"

#define CALLS 4096u
#define KINDS_ALL ((1u << EXEC_EFFECT_KINDS) - 1)

static const char ptx_text[] = ".version 8.0\n.target sm_80\n.address_size 64\n\
.visible .entry k(.param .u64 out) {\n\
 .reg .u64 %rd<6>; .reg .u32 %r<9>; .reg .pred %p<2>;\n\
 .shared .align 16 .b8 sh[512];\n\
 ld.param.u64 %rd1, [out];\n\
 mov.u32 %r1, %tid.x;\n\
 mul.wide.u32 %rd2, %r1, 4;\n\
 add.u64 %rd2, %rd1, %rd2;\n\
 mov.u32 %r2, 3;\n\
loop:\n\
 st.global.u32 [%rd2], %r2;\n\
 membar.gl;\n\
 shfl.sync.bfly.b32 %r3, %r1, 1, 31, 0xffffffff;\n\
 mov.u32 %r4, sh;\n\
 st.shared.u32 [%r4+4], %r1;\n\
 atom.global.add.u32 %r5, [%rd1+1024], 1;\n\
 bar.sync 0;\n\
 ld.shared.u32 %r6, [%r4+4];\n\
 ld.global.u32 %r7, [%rd2];\n\
 sub.u32 %r2, %r2, 1;\n\
 setp.ne.u32 %p1, %r2, 0;\n\
 @%p1 bra loop;\n\
 ret;\n}\n";
#define INSNS_WARP (5u + 3 * 12 + 1) /* executed by each of the two warps */
/* Calls of a watcher of everything, of two warps, before and after: in each of three rounds five accesses, a barrier, a shuffle and a fence; two branches
 * that lanes take, a parameter and an exit. A barrier opens three times. */
#define SEEN (2 * 2 * (3 * 8 + 2 + 2) + 3)

/* ---- a watcher that notes its calls ---- */
struct call {
	bool is_after;
	enum exec_effect_kind kind;
	uint32_t warp, pc, lanes;
	uint64_t number; /* of all calls of the machine's watchers */
};

struct noter {
	struct exec_watcher w;
	unsigned stop_every; /* stops in front of each so-manieth effect; 0: never */
	unsigned n_before;
	uint64_t *count; /* calls of all watchers */
	struct call call[CALLS];
	unsigned n;
};

static void note(struct noter *s, const struct exec *x, const struct exec_effect *e, bool is_after)
{
	assert_true(s->n < CALLS);
	s->call[s->n++] = (struct call){.is_after = is_after,
					.kind = e->kind,
					.warp = e->kind == EXEC_EFFECT_OPEN ? 0 : x->warp->index,
					.pc = e->kind == EXEC_EFFECT_OPEN ? 0 : x->pc,
					.lanes = e->lanes,
					.number = (*s->count)++};
}

static bool before(void *self, const struct exec *x, const struct exec_effect *e)
{
	struct noter *s = self;
	note(s, x, e, false);
	return s->stop_every && ++s->n_before % s->stop_every == 0;
}

static void after(void *self, const struct exec *x, const struct exec_effect *e) { note(self, x, e, true); }

static void noter_init(struct noter *s, uint32_t kinds, uint64_t *count)
{
	*s = (struct noter){.w = {.self = s, .kinds = kinds, .before = before, .after = after}, .count = count};
}

/* ---- a machine ---- */
struct bench {
	struct observed o;
	uint64_t out, count;
	struct noter noter[EXEC_WATCHERS + 1];
};

static struct bench *start(bool performance)
{
	struct bench *b = calloc(1, sizeof *b);
	struct text text = {0}, why = {0};
	assert_non_null(b);
	observed_create(&b->o, performance, NULL);
	text_add(&text, ptx_text);
	observed_load(b->o.g, &text);
	text_free(&text);
	const struct gpu_launch_spec spec = observed_spec(b->o.g, 1, 64, &b->out);
	assert_int_equal(gpu_launch(b->o.g, &spec, &why), 0);
	for (unsigned k = 0; k <= EXEC_WATCHERS; k++)
		noter_init(&b->noter[k], KINDS_ALL, &b->count);
	return b;
}

static struct exec *exec_of(const struct bench *b) { return gpu_exec(b->o.g); }

static void watch(struct bench *b, unsigned k) { assert_true(exec_watch(exec_of(b), &b->noter[k].w)); }

static uint64_t finish(struct bench *b)
{
	observed_run(b->o.g);
	return arena_digest(gpu_arena(b->o.g));
}

static void end(struct bench *b)
{
	observed_destroy(&b->o);
	free(b);
}

static uint64_t digest_unwatched(bool performance)
{
	struct bench *b = start(performance);
	const uint64_t digest = finish(b);
	end(b);
	return digest;
}

/* Returns the place of the next call of one of `kinds`, from k on. */
static unsigned next_of(const struct noter *s, unsigned k, uint32_t kinds)
{
	while (k < s->n && !(kinds >> s->call[k].kind & 1))
		k++;
	return k;
}

/* The calls of `s` are those calls of `all` that are of its kinds. */
static void expect_part(const struct noter *s, const struct noter *all)
{
	unsigned at = 0;
	for (unsigned k = 0; k < s->n; k++, at++) {
		const struct call *const c = &s->call[k], *const want = &all->call[at = next_of(all, at, s->w.kinds)];
		assert_true(at < all->n);
		if (c->is_after != want->is_after || c->kind != want->kind || c->warp != want->warp ||
		    c->pc != want->pc || c->lanes != want->lanes)
			fail_msg("call %u: kind %d at %u of warp %u, expected %d at %u of warp %u", k, c->kind, c->pc,
				 c->warp, want->kind, want->pc, want->warp);
	}
	assert_int_equal(next_of(all, at, s->w.kinds), all->n);
}

static unsigned count_of(const struct noter *s, enum exec_effect_kind kind, bool is_after)
{
	unsigned n = 0;
	for (unsigned k = 0; k < s->n; k++)
		n += s->call[k].kind == kind && s->call[k].is_after == is_after;
	return n;
}

/* ---- tests ---- */

/* A watcher of accesses and one of control flow; what each sees is counted by hand from the kernel. */
static void two(void **state)
{
	(void)state;
	for (unsigned performance = 0; performance < 2; performance++) {
		struct bench *b = start(performance);
		b->noter[0].w.kinds = EXEC_LOOK(ACCESS);
		b->noter[1].w.kinds = EXEC_LOOK(FLOW) | EXEC_LOOK(OPEN);
		watch(b, 0);
		watch(b, 1);
		assert_true(finish(b) == digest_unwatched(performance));
		/* two warps: a parameter; three rounds of two stores, two loads and an atomic, which lands lane by lane in performance mode */
		assert_int_equal(count_of(&b->noter[0], EXEC_EFFECT_ACCESS, false), 2 * (1 + 3 * 5));
		const unsigned done = count_of(&b->noter[0], EXEC_EFFECT_ACCESS, true);
		if (!performance)
			assert_int_equal(done, 2 * (1 + 3 * 5));
		else
			assert_in_range(done, 2 * (1 + 3 * 5), 2 * (1 + 3 * (4 + LANES)));
		assert_int_equal(count_of(&b->noter[0], EXEC_EFFECT_FLOW, false), 0);
		/* two branches and the exit: the third branch has no effect, as no lane executes it */
		assert_int_equal(count_of(&b->noter[1], EXEC_EFFECT_FLOW, false), 2 * (2 + 1));
		assert_int_equal(count_of(&b->noter[1], EXEC_EFFECT_FLOW, true), 2 * (2 + 1));
		assert_int_equal(count_of(&b->noter[1], EXEC_EFFECT_OPEN, true), 3);
		assert_int_equal(b->noter[1].n, 2 * 2 * (2 + 1) + 3);
		end(b);
	}
}

/* Eight at once, each with other kinds. `stops`: three of them stop now and then; the others' effects are seen once all the same. */
static void eight(void **state)
{
	static const uint32_t kinds[EXEC_WATCHERS] = {
		KINDS_ALL, EXEC_LOOK(ACCESS), EXEC_LOOK(FLOW),			EXEC_LOOK(BARRIER) | EXEC_LOOK(OPEN),
		KINDS_ALL, EXEC_LOOK(SYNC),   EXEC_LOOK(FENCE) | EXEC_LOOK(ACCESS), 0};
	(void)state;
	for (unsigned performance = 0; performance < 2; performance++)
		for (unsigned stops = 0; stops < 2; stops++) {
			struct bench *b = start(performance);
			for (unsigned k = 0; k < EXEC_WATCHERS; k++) {
				b->noter[k].w.kinds = kinds[k];
				watch(b, k);
			}
			b->noter[1].stop_every = stops ? 2 : 0;
			b->noter[2].stop_every = stops ? 1 : 0;
			b->noter[4].stop_every = stops ? 3 : 0;
			assert_true(finish(b) == digest_unwatched(performance));
			assert_true(count_of(&b->noter[0], EXEC_EFFECT_SYNC, true) > 0);
			for (unsigned k = 1; k < EXEC_WATCHERS; k++)
				expect_part(&b->noter[k], &b->noter[0]);
			assert_int_equal(b->noter[7].n, 0);
			end(b);
		}
}

/* By rank, then by registration, before and after. */
static void in_order(void **state)
{
	static const enum exec_rank rank[4] = {EXEC_RANK_CHECK, EXEC_RANK_WATCH, EXEC_RANK_CHECK, EXEC_RANK_WATCH};
	static const unsigned order[4] = {1, 3, 0, 2};
	(void)state;
	struct bench *b = start(false);
	for (unsigned k = 0; k < 4; k++) {
		b->noter[k].w.rank = rank[k];
		watch(b, k);
	}
	watch(b, 1); /* again: it keeps its place */
	finish(b);
	assert_true(b->noter[0].n > 0);
	for (unsigned c = 0; c < b->noter[0].n; c++)
		for (unsigned k = 0; k < 4; k++)
			assert_int_equal(b->noter[order[k]].call[c].number, 4 * c + k);
	end(b);
}

/* The ninth is refused and changes nothing; there is room again when one of the eight has gone. */
static void no_ninth(void **state)
{
	(void)state;
	struct bench *b = start(false);
	struct exec *x = exec_of(b);
	assert_ptr_equal(x->handlers, x->plain);
	for (unsigned k = 0; k < EXEC_WATCHERS; k++)
		watch(b, k);
	assert_false(exec_watch(x, &b->noter[EXEC_WATCHERS].w));
	watch(b, 3);
	exec_unwatch(x, &b->noter[EXEC_WATCHERS].w);
	assert_int_equal(x->watching.n, EXEC_WATCHERS);
	exec_unwatch(x, &b->noter[5].w);
	watch(b, EXEC_WATCHERS);
	finish(b);
	assert_int_equal(b->noter[5].n, 0);
	for (unsigned k = 0; k <= EXEC_WATCHERS; k++)
		if (k != 5)
			assert_int_equal(b->noter[k].n, b->noter[0].n);
	for (unsigned k = 0; k <= EXEC_WATCHERS; k++)
		exec_unwatch(x, &b->noter[k].w);
	assert_ptr_equal(x->handlers, x->plain);
	end(b);
}

/* Watchers come and go every few instructions; the one that stays sees all, each of the others what happens meanwhile. */
static void come_and_go(void **state)
{
	(void)state;
	struct bench *b = start(false);
	struct gpu_event ev = {0};
	unsigned seen = 0, present = 0;
	watch(b, 0);
	for (unsigned round = 0; ev.kind != GPU_EVENT_IDLE; round++) {
		const unsigned k = 1 + round * 5 % 7;
		if (present >> k & 1)
			exec_unwatch(exec_of(b), &b->noter[k].w);
		else
			watch(b, k);
		present ^= 1u << k;
		unsigned was[EXEC_WATCHERS];
		for (unsigned j = 0; j < EXEC_WATCHERS; j++)
			was[j] = b->noter[j].n;
		gpu_run(b->o.g, &(struct gpu_request){.max_cycles = 3}, &ev);
		text_free(&ev.text);
		const unsigned news = b->noter[0].n - was[0];
		for (unsigned j = 1; j < EXEC_WATCHERS; j++)
			assert_int_equal(b->noter[j].n - was[j], present >> j & 1 ? news : 0);
		seen += news;
	}
	assert_int_equal(seen, b->noter[0].n);
	assert_int_equal(seen, SEEN);
	end(b);
}

/* Two watchers of bytes in one page: each is asked about its own, and one's flags stay when the other goes. */
static void bytes(void **state)
{
	(void)state;
	struct bench *b = start(false);
	const struct exec_range first = {.address = b->out + 4, .n = 4, .writes = true},
				sum = {.address = b->out + 1024, .n = 4, .reads = true, .writes = true},
				both[] = {{.address = b->out + 64 * 4, .n = 8, .writes = true},
					  {.address = b->out + 31 * 4, .n = 8, .reads = true}};
	for (unsigned k = 0; k < 3; k++)
		b->noter[k].w.kinds = 0;
	b->noter[0].w.ranges = &first;
	b->noter[0].w.n_ranges = 1;
	b->noter[1].w.ranges = &sum;
	b->noter[1].w.n_ranges = 1;
	b->noter[2].w.ranges = both;
	b->noter[2].w.n_ranges = 2;
	b->noter[3].w.kinds = 0;
	b->noter[3].w.spaces = 1u << ISA_SPACE_SHARED;
	for (unsigned k = 0; k < 4; k++)
		watch(b, k);
	exec_unwatch(exec_of(b), &b->noter[1].w);
	watch(b, 1);
	finish(b);
	assert_int_equal(b->noter[0].n, 3);	/* the first warp's stores */
	assert_int_equal(b->noter[1].n, 2 * 3); /* atomics */
	assert_int_equal(b->noter[2].n, 2 * 3); /* words 31 and 32 are read by a warp each; words 64 and 65 are written by none */
	assert_int_equal(b->noter[3].n, 2 * 3); /* stores to shared memory */
	for (unsigned k = 0; k < 4; k++)
		assert_int_equal(count_of(&b->noter[k], EXEC_EFFECT_ACCESS, false), b->noter[k].n);
	end(b);
}

/* Live watchers rest while an earlier run is repeated; the others see it. */
static void repeated(void **state)
{
	(void)state;
	struct bench *b = start(false);
	b->noter[0].w.is_live = true;
	watch(b, 0);
	watch(b, 1);
	assert_false(exec_set_repeating(exec_of(b), true));
	struct gpu_event ev = {0};
	gpu_run(b->o.g, &(struct gpu_request){.max_cycles = 40}, &ev);
	text_free(&ev.text);
	assert_int_equal(b->noter[0].n, 0);
	const unsigned so_far = b->noter[1].n;
	assert_true(so_far > 0);
	assert_true(exec_set_repeating(exec_of(b), false));
	finish(b);
	assert_int_equal(b->noter[0].n, b->noter[1].n - so_far);
	assert_true(b->noter[0].n > 0);
	end(b);
}

/* ---- each instruction ---- */
struct counter {
	struct exec_watcher w;
	unsigned n, n_over;
	bool stops;
	uint64_t stopped; /* moment of the last stop of a warp, which isn't stopped again */
};

static enum exec_insn insn(void *self, const struct exec *x, const struct isa_insn *i)
{
	struct counter *c = self;
	const uint64_t moment = exec_moment(x) << 1 | x->warp->index;
	assert_ptr_equal(i, &x->program->insns[x->pc]);
	if (c->stops && c->stopped != moment && i->handler == ISA_H_bra) {
		c->stopped = moment;
		return EXEC_INSN_STOP;
	}
	c->n++;
	return i->handler == ISA_H_bra ? EXEC_INSN_AFTER : EXEC_INSN_GO;
}

static void insn_over(void *self, const struct exec *x, const struct isa_insn *i)
{
	(void)x;
	assert_int_equal(i->handler, ISA_H_bra);
	((struct counter *)self)->n_over++;
}

/* Two watchers of instructions, one of which stops in front of branches, beside one of effects. */
static void instructions(void **state)
{
	(void)state;
	for (unsigned stops = 0; stops < 2; stops++) {
		struct bench *b = start(false);
		struct counter c[2] = {{.stops = stops}, {.stops = false}};
		watch(b, 0);
		for (unsigned k = 0; k < 2; k++) {
			c[k].w = (struct exec_watcher){.self = &c[k], .insn = insn, .insn_over = insn_over};
			assert_true(exec_watch(exec_of(b), &c[k].w));
		}
		assert_true(finish(b) == digest_unwatched(false));
		for (unsigned k = 0; k < 2; k++) {
			assert_int_equal(c[k].n, 2 * INSNS_WARP);
			assert_int_equal(c[k].n_over, 2 * 2);
		}
		assert_int_equal(b->noter[0].n, SEEN);
		end(b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two),	       cmocka_unit_test(eight), cmocka_unit_test(in_order),
		cmocka_unit_test(no_ninth),    cmocka_unit_test(bytes), cmocka_unit_test(repeated),
		cmocka_unit_test(come_and_go), cmocka_unit_test(instructions),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
