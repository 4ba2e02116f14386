/* Random kernels without races: what they leave in memory does not depend on when anything happens. Each thread reads anywhere in the first
 * half of p, writes its own words of the second, and of shared and local memory; atomics are those whose order doesn't matter, and nobody
 * looks at what they return. Branches, loops, predicates (also such that are never true), vectors and all kinds of operations are drawn. */
#ifndef RANDOM_KERNEL_H
#define RANDOM_KERNEL_H

#include <stdint.h>

#include "base/text.h"

#define RK_WORDS 16384u	  /* of p */
#define RK_COUNTERS 64u	  /* words at the end of p that atomics add to */
#define RK_OWN 16u	  /* words of each thread in the second half */
#define RK_SHARED_OWN 8u  /* words of each thread in shared memory, 64 threads; 32 words for atomics behind them */
#define RK_LOCAL 256u	  /* bytes */
#define RK_THREADS 64u	  /* most of a block */

struct random_kernel {
	uint64_t seed;
	struct text ptx;
	unsigned labels, depth, loops;
	bool has_local, has_shared, has_atomics;
};

/* splitmix64 */
static uint32_t rk_draw(struct random_kernel *k, uint32_t n)
{
	uint64_t z = k->seed += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)((z ^ z >> 31) % n);
}

/* Values live in %r8 .. %r19, %f8 .. %f11; predicates are %p1 .. %p4, of which %p4 is never true. */
static uint32_t rk_reg(struct random_kernel *k) { return 8 + rk_draw(k, 12); }

static void rk_guard(struct random_kernel *k)
{
	if (!rk_draw(k, 7))
		text_addf(&k->ptx, "@%s%%p%u ", rk_draw(k, 2) ? "!" : "", 1 + rk_draw(k, 3));
	else if (!rk_draw(k, 20))
		text_add(&k->ptx, "@%p4 ");
}

static void rk_condition(struct random_kernel *k, unsigned p)
{
	static const char *const compare[] = {"eq", "ne", "lt", "ge"};
	text_addf(&k->ptx, "and.b32 %%r4, %%r%u, %u;\n", rk_draw(k, 2) ? 0 : rk_reg(k), (1u << (1 + rk_draw(k, 5))) - 1);
	text_addf(&k->ptx, "setp.%s.u32 %%p%u, %%r4, %u;\n", compare[rk_draw(k, 4)], p, rk_draw(k, 9));
}

static void rk_arithmetic(struct random_kernel *k)
{
	static const char *const two[] = {"add.u32", "sub.u32", "mul.lo.u32", "mul.hi.u32", "min.s32", "max.u32", "and.b32", "xor.b32", "or.b32"};
	static const char *const real[] = {"add.f32", "mul.f32", "min.f32", "max.f32", "div.approx.f32"};
	const uint32_t d = rk_reg(k), a = rk_reg(k), b = rk_reg(k), c = rk_reg(k);
	switch (rk_draw(k, 8)) {
	case 0: rk_guard(k); text_addf(&k->ptx, "mad.lo.u32 %%r%u, %%r%u, %%r%u, %%r%u;\n", d, a, b, c); return;
	case 1: rk_guard(k); text_addf(&k->ptx, "shr.u32 %%r%u, %%r%u, %u;\n", d, a, rk_draw(k, 32)); return;
	case 2: text_addf(&k->ptx, "or.b32 %%r4, %%r%u, 1;\nrem.u32 %%r%u, %%r%u, %%r4;\n", b, d, a); return;
	case 3: rk_guard(k); text_addf(&k->ptx, "selp.u32 %%r%u, %%r%u, %%r%u, %%p%u;\n", d, a, b, 1 + rk_draw(k, 4)); return;
	case 4: text_addf(&k->ptx, "cvt.rn.f32.u32 %%f%u, %%r%u;\nsqrt.approx.f32 %%f%u, %%f%u;\n", 8 + rk_draw(k, 4), a, 8 + rk_draw(k, 4), 8 + rk_draw(k, 4)); return;
	case 5: rk_guard(k); text_addf(&k->ptx, "%s %%f%u, %%f%u, %%f%u;\n", real[rk_draw(k, 5)], 8 + rk_draw(k, 4), 8 + rk_draw(k, 4), 8 + rk_draw(k, 4)); return;
	default: rk_guard(k); text_addf(&k->ptx, "%s %%r%u, %%r%u, %%r%u;\n", two[rk_draw(k, 9)], d, a, b);
	}
}

/* %rd4: an address of so many bytes (a power of two) anywhere in the first half. */
static void rk_input_address(struct random_kernel *k, uint32_t bytes)
{
	static const uint32_t strides[] = {1, 1, 1, 2, 7, 32, 33};
	const uint32_t elements = RK_WORDS / 2 * 4 / bytes;
	if (rk_draw(k, 3))
		text_addf(&k->ptx, "mul.lo.u32 %%r4, %%r1, %u;\n", strides[rk_draw(k, 7)]);
	else
		text_addf(&k->ptx, "mul.lo.u32 %%r4, %%r%u, 40503;\n", rk_reg(k));
	text_addf(&k->ptx, "and.b32 %%r4, %%r4, %u;\nmul.wide.u32 %%rd4, %%r4, %u;\nadd.u64 %%rd4, %%rd1, %%rd4;\n", elements - 1, bytes);
}

static void rk_load(struct random_kernel *k)
{
	static const char *const operator[] = {"", "", ".ca", ".cg", ".cv"};
	const uint32_t vec = 1u << rk_draw(k, 3), d = 8 + 4 * rk_draw(k, 3);
	if (k->has_local && !rk_draw(k, 3)) {
		text_addf(&k->ptx, "ld.local.u32 %%r%u, [lo+%u];\n", rk_reg(k), 4 * rk_draw(k, RK_LOCAL / 4));
		return;
	}
	if (k->has_shared && !rk_draw(k, 3)) {
		text_addf(&k->ptx, "ld.shared.u32 %%r%u, [%%r2+%u];\n", rk_reg(k), 4 * rk_draw(k, RK_SHARED_OWN));
		return;
	}
	if (!rk_draw(k, 5)) {
		text_addf(&k->ptx, "and.b32 %%r4, %%r%u, 63;\nmul.wide.u32 %%rd4, %%r4, 4;\nmov.u64 %%rd5, cn;\nadd.u64 %%rd4, %%rd4, %%rd5;\n", rk_reg(k));
		text_addf(&k->ptx, "ld.const.u32 %%r%u, [%%rd4];\n", rk_reg(k));
		return;
	}
	rk_input_address(k, 4 * vec);
	rk_guard(k);
	text_addf(&k->ptx, "ld.global%s", operator[rk_draw(k, 5)]);
	if (vec == 4)
		text_addf(&k->ptx, ".v4.u32 {%%r%u, %%r%u, %%r%u, %%r%u}, [%%rd4];\n", d, d + 1, d + 2, d + 3);
	else if (vec == 2)
		text_addf(&k->ptx, ".v2.u32 {%%r%u, %%r%u}, [%%rd4];\n", d, d + 1 + rk_draw(k, 3));
	else
		text_addf(&k->ptx, ".u32 %%r%u, [%%rd4];\n", rk_reg(k));
}

static void rk_store(struct random_kernel *k)
{
	if (k->has_local && rk_draw(k, 2))
		text_addf(&k->ptx, "st.local.u32 [lo+%u], %%r%u;\n", 4 * rk_draw(k, RK_LOCAL / 4), rk_reg(k));
	else if (k->has_shared && rk_draw(k, 2))
		text_addf(&k->ptx, "st.shared.u32 [%%r2+%u], %%r%u;\n", 4 * rk_draw(k, RK_SHARED_OWN), rk_reg(k));
	else if (rk_draw(k, 3))
		text_addf(&k->ptx, "st.global.u32 [%%rd2+%u], %%r%u;\n", 4 * rk_draw(k, RK_OWN), rk_reg(k));
	else
		text_addf(&k->ptx, "st.global.v2.u32 [%%rd2+%u], {%%r%u, %%r%u};\n", 8 * rk_draw(k, RK_OWN / 2), rk_reg(k), rk_reg(k));
}

static void rk_atomic(struct random_kernel *k)
{
	if (k->has_shared && rk_draw(k, 2)) {
		text_addf(&k->ptx, "and.b32 %%r4, %%r%u, 31;\nshl.b32 %%r4, %%r4, 2;\nadd.u32 %%r4, %%r4, %%r3;\n", rk_reg(k));
		rk_guard(k);
		text_addf(&k->ptx, "atom.shared.add.u32 %%r5, [%%r4], %%r%u;\n", rk_reg(k));
		return;
	}
	const bool adds = rk_draw(k, 2), wants = rk_draw(k, 2); /* one half of the counters is added to, the other xored */
	text_addf(&k->ptx, "and.b32 %%r4, %%r%u, %u;\n", rk_draw(k, 2) ? 0 : rk_reg(k), (1u << rk_draw(k, 6)) - 1);
	text_add(&k->ptx, "mul.wide.u32 %rd4, %r4, 4;\nadd.u64 %rd4, %rd4, %rd3;\n");
	rk_guard(k);
	text_addf(&k->ptx, "%s.global.%s %s[%%rd4+%u], %%r%u;\n", wants ? "atom" : "red", adds ? "add.u32" : "xor.b32", wants ? "%r5, " : "",
		  adds ? 0 : RK_COUNTERS / 2 * 4, rk_reg(k));
}

static void rk_block(struct random_kernel *k, unsigned n);

static void rk_branch(struct random_kernel *k)
{
	const unsigned a = k->labels++, b = k->labels++;
	rk_condition(k, 1 + rk_draw(k, 3));
	text_addf(&k->ptx, "@%s%%p%u bra L%u;\n", rk_draw(k, 2) ? "!" : "", 1 + rk_draw(k, 3), a);
	rk_block(k, 1 + rk_draw(k, 4));
	if (rk_draw(k, 2)) {
		text_addf(&k->ptx, "bra L%u;\nL%u:\n", b, a);
		rk_block(k, 1 + rk_draw(k, 4));
		text_addf(&k->ptx, "L%u:\n", b);
	} else {
		text_addf(&k->ptx, "L%u:\n", a);
	}
}

static void rk_loop(struct random_kernel *k)
{
	const unsigned a = k->labels++, counter = 20 + k->loops++;
	if (rk_draw(k, 2))
		text_addf(&k->ptx, "and.b32 %%r%u, %%r%u, 3;\n", counter, rk_draw(k, 2) ? 0 : rk_reg(k));
	else
		text_addf(&k->ptx, "mov.u32 %%r%u, %u;\n", counter, 1 + rk_draw(k, 4));
	text_addf(&k->ptx, "L%u:\n", a);
	rk_block(k, 1 + rk_draw(k, 5));
	text_addf(&k->ptx, "sub.u32 %%r%u, %%r%u, 1;\nsetp.gt.s32 %%p5, %%r%u, 0;\n@%%p5 bra L%u;\n", counter, counter, counter, a);
	k->loops--;
}

static void rk_statement(struct random_kernel *k)
{
	switch (rk_draw(k, 12)) {
	case 0:
	case 1:
	case 2: rk_load(k); return;
	case 3:
	case 4: rk_store(k); return;
	case 5:
		if (k->has_atomics)
			rk_atomic(k);
		return;
	case 6:
		if (k->depth < 3) {
			k->depth++;
			rk_branch(k);
			k->depth--;
		}
		return;
	case 7:
		if (k->depth < 3 && k->loops < 2) {
			k->depth++;
			rk_loop(k);
			k->depth--;
		}
		return;
	case 8: text_add(&k->ptx, !k->depth && rk_draw(k, 2) ? "bar.sync 0;\n" : "membar.gl;\n"); return;
	default: rk_arithmetic(k);
	}
}

static void rk_block(struct random_kernel *k, unsigned n)
{
	while (n--)
		rk_statement(k);
}

/* Where the thread's own words begin: %rd2 global, %r2 shared; %rd3 the counters, %r3 those in shared memory. */
static void rk_head(struct random_kernel *k)
{
	text_add(&k->ptx, ".version 7.0\n.target sm_50\n.address_size 64\n.const .align 4 .u32 cn[64] = {");
	for (unsigned i = 0; i < 64; i++)
		text_addf(&k->ptx, "%s%u", i ? ", " : "", rk_draw(k, 100000));
	text_add(&k->ptx, "};\n.visible .entry k(.param .u64 p)\n{\n.reg .pred %p<6>;\n.reg .b32 %r<24>;\n.reg .f32 %f<12>;\n.reg .b64 %rd<8>;\n");
	text_addf(&k->ptx, ".shared .align 16 .b8 sh[%u];\n.local .align 16 .b8 lo[%u];\n", (RK_THREADS * RK_SHARED_OWN + 32) * 4, RK_LOCAL);
	text_add(&k->ptx, "ld.param.u64 %rd1, [p];\nmov.u32 %r0, %tid.x;\nmov.u32 %r5, %ctaid.x;\nmov.u32 %r6, %ntid.x;\nmad.lo.u32 %r1, %r5, %r6, %r0;\n");
	text_addf(&k->ptx, "mul.wide.u32 %%rd2, %%r1, %u;\nadd.u64 %%rd2, %%rd2, %%rd1;\nadd.u64 %%rd2, %%rd2, %u;\n", RK_OWN * 4, RK_WORDS / 2 * 4);
	text_addf(&k->ptx, "add.u64 %%rd3, %%rd1, %u;\nmov.u32 %%r3, sh;\n", (RK_WORDS - RK_COUNTERS) * 4);
	text_addf(&k->ptx, "mul.lo.u32 %%r2, %%r0, %u;\nadd.u32 %%r2, %%r2, %%r3;\nadd.u32 %%r3, %%r3, %u;\n", RK_SHARED_OWN * 4,
		  RK_THREADS * RK_SHARED_OWN * 4);
	for (unsigned i = 8; i < 20; i++)
		text_addf(&k->ptx, "add.u32 %%r%u, %%r%u, %u;\n", i, i % 3, i * 37);
	for (unsigned i = 8; i < 12; i++)
		text_addf(&k->ptx, "cvt.rn.f32.u32 %%f%u, %%r%u;\n", i, i);
	text_add(&k->ptx, "setp.lt.u32 %p1, %r0, 7;\nsetp.ge.u32 %p2, %r0, 32;\nsetp.ne.u32 %p3, %r0, 5;\nsetp.gt.u32 %p4, %r0, 4096;\n");
	for (unsigned i = 0; k->has_local && i < RK_LOCAL / 4; i++)
		text_addf(&k->ptx, "st.local.u32 [lo+%u], %%r%u;\n", 4 * i, 8 + i % 12);
	for (unsigned i = 0; k->has_shared && i < RK_SHARED_OWN; i++)
		text_addf(&k->ptx, "st.shared.u32 [%%r2+%u], %%r%u;\n", 4 * i, 8 + i);
	/* its first warp clears the block's counters */
	text_add(&k->ptx, "shl.b32 %r4, %r0, 2;\nadd.u32 %r4, %r4, %r3;\nsetp.lt.u32 %p5, %r0, 32;\nmov.u32 %r5, 0;\n@%p5 st.shared.u32 [%r4], %r5;\nbar.sync 0;\n");
}

/* Everything that isn't in memory yet goes there. */
static void rk_tail(struct random_kernel *k)
{
	text_add(&k->ptx, "cvt.rzi.u32.f32 %r4, %f8;\nadd.u32 %r8, %r8, %r4;\n");
	for (unsigned i = 9; i < 20; i++)
		text_addf(&k->ptx, "mad.lo.u32 %%r8, %%r8, 31, %%r%u;\n", i);
	text_add(&k->ptx, "st.global.u32 [%rd2], %r8;\nbar.sync 0;\nand.b32 %r4, %r0, 31;\nshl.b32 %r4, %r4, 2;\nadd.u32 %r4, %r4, %r3;\n"
			  "ld.shared.u32 %r9, [%r4];\nst.global.u32 [%rd2+4], %r9;\n@%p4 atom.shared.add.u32 %r5, [%r4], %r9;\nret;\n}\n");
}

static inline void random_kernel_make(struct random_kernel *k, uint64_t seed)
{
	*k = (struct random_kernel){.seed = seed};
	k->has_local = rk_draw(k, 2);
	k->has_shared = rk_draw(k, 3);
	k->has_atomics = rk_draw(k, 2);
	rk_head(k);
	rk_block(k, 12 + rk_draw(k, 24));
	rk_tail(k);
}

#endif
