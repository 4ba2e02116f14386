/* One warp's registers and one instruction, executed on every instruction-set level this processor has, which must agree. */
#ifndef TESTS_ALU_MACHINE_H
#define TESTS_ALU_MACHINE_H

/* cmocka wants these first */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lanes.h"
#include "exec/exec.h"
#include "isa/handlers.h"

#define UNUSED __attribute__((unused))

/* Row k of the frame: 512 bytes, enough for any register. Row 0 is the destination, 1 to 4 the sources a to d, the rest vectors. */
enum { ROW_DST, ROW_A, ROW_B, ROW_C, ROW_D, ROW_VEC, N_ROWS = ROW_VEC + 8 };
#define ROW_BYTES 512u
#define PREDS_BYTES 256u
#define FRAME_BYTES (PREDS_BYTES + N_ROWS * ROW_BYTES)
#define ROW_REF(k) ISA_REF(ISA_BASE_FRAME, PREDS_BYTES + (k) * ROW_BYTES)
/* predicate slots of the tests */
enum { SLOT_P = 2, SLOT_Q, SLOT_C, SLOT_D };

struct alu {
	char *frame;		/* as the instruction finds it, and after alu_run as it leaves it */
	char *before, *other;	/* copies */
	uint32_t mask, carry;
	uint32_t aux[16];
	struct isa_program program;
	uint64_t seed;
};

extern const exec_handler exec_table_v2[], exec_table_v3[], exec_table_v4[], exec_table_generic[];

static UNUSED void alu_init(struct alu *m)
{
	memset(m, 0, sizeof *m);
	m->frame = aligned_alloc(64, 3 * FRAME_BYTES);
	assert_non_null(m->frame);
	memset(m->frame, 0, 3 * FRAME_BYTES);
	m->before = m->frame + FRAME_BYTES;
	m->other = m->before + FRAME_BYTES;
	m->mask = LANES_ALL;
	m->program.aux = m->aux;
	m->seed = UINT64_C(0x243f6a8885a308d3);
	((uint32_t *)(void *)m->frame)[0] = LANES_ALL;
}
static UNUSED void alu_free(struct alu *m) { free(m->frame); }

/* splitmix64 */
static UNUSED uint64_t alu_random(struct alu *m)
{
	uint64_t z = m->seed += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static UNUSED char *alu_row(const struct alu *m, unsigned k) { return m->frame + PREDS_BYTES + k * ROW_BYTES; }
static UNUSED uint32_t *alu_preds(const struct alu *m) { return (uint32_t *)(void *)m->frame; }
/* A lane of a row of `bytes` (1 and 2 are 16-bit lanes). */
static UNUSED uint64_t alu_get_at(const char *row, unsigned bytes, unsigned l)
{
	uint64_t v = 0;
	const unsigned n = bytes < 2 ? 2 : bytes;
	memcpy(&v, row + (size_t)l * n, n);
	return v;
}
static UNUSED uint64_t alu_get(const struct alu *m, unsigned k, unsigned bytes, unsigned l) { return alu_get_at(alu_row(m, k), bytes, l); }
static UNUSED void alu_set(struct alu *m, unsigned k, unsigned bytes, unsigned l, uint64_t v)
{
	const unsigned n = bytes < 2 ? 2 : bytes;
	memcpy(alu_row(m, k) + (size_t)l * n, &v, n);
}
static UNUSED void alu_scramble(struct alu *m, unsigned k)
{
	for (unsigned j = 0; j < ROW_BYTES; j += 8) {
		const uint64_t v = alu_random(m);
		memcpy(alu_row(m, k) + j, &v, 8);
	}
}

/* ---- opcode text to instruction: the handler by the naming rule, the fields by the modifiers' names ---- */
struct alu_word {
	const char *text;
	uint8_t rnd, cmp, boolop;
	uint16_t flag;
};
static const struct alu_word alu_words[] = {
	{"rn", ISA_RND_RN, 0, 0, 0}, {"rz", ISA_RND_RZ, 0, 0, 0}, {"rm", ISA_RND_RM, 0, 0, 0}, {"rp", ISA_RND_RP, 0, 0, 0},
	{"rna", ISA_RND_RNA, 0, 0, 0}, {"rs", ISA_RND_RS, 0, 0, 0}, {"rni", ISA_RND_RNI, 0, 0, 0}, {"rzi", ISA_RND_RZI, 0, 0, 0},
	{"rmi", ISA_RND_RMI, 0, 0, 0}, {"rpi", ISA_RND_RPI, 0, 0, 0},
	{"eq", 0, ISA_CMP_EQ, 0, 0}, {"ne", 0, ISA_CMP_NE, 0, 0}, {"lt", 0, ISA_CMP_LT, 0, 0}, {"le", 0, ISA_CMP_LE, 0, 0},
	{"gt", 0, ISA_CMP_GT, 0, 0}, {"ge", 0, ISA_CMP_GE, 0, 0}, {"equ", 0, ISA_CMP_EQU, 0, 0}, {"neu", 0, ISA_CMP_NEU, 0, 0},
	{"ltu", 0, ISA_CMP_LTU, 0, 0}, {"leu", 0, ISA_CMP_LEU, 0, 0}, {"gtu", 0, ISA_CMP_GTU, 0, 0}, {"geu", 0, ISA_CMP_GEU, 0, 0},
	{"num", 0, ISA_CMP_NUM, 0, 0}, {"nan", 0, ISA_CMP_NAN, 0, 0},
	{"hs", 0, ISA_CMP_HS, 0, 0}, {"ls", 0, ISA_CMP_LS, 0, 0},
	{"and", 0, 0, ISA_BOOL_AND, 0}, {"or", 0, 0, ISA_BOOL_OR, 0}, {"xor", 0, 0, ISA_BOOL_XOR, 0},
	{"ftz", 0, 0, 0, ISA_F_FTZ}, {"sat", 0, 0, 0, ISA_F_SAT}, {"NaN", 0, 0, 0, ISA_F_NAN}, {"xorsign", 0, 0, 0, ISA_F_XORSIGN},
	{"relu", 0, 0, 0, ISA_F_RELU}, {"satfinite", 0, 0, 0, ISA_F_SATFINITE}, {"cc", 0, 0, 0, ISA_F_CC}, {"hi", 0, 0, 0, ISA_F_HI},
	{"lo", 0, 0, 0, ISA_F_LO}, {"wide", 0, 0, 0, ISA_F_WIDE}, {"approx", 0, 0, 0, ISA_F_APPROX}, {"full", 0, 0, 0, ISA_F_FULL},
	{"oob", 0, 0, 0, ISA_F_OOB},
};

static UNUSED void alu_word(struct isa_insn *i, const char *word, bool is_mnemonic)
{
	for (size_t k = 0; k < sizeof alu_words / sizeof *alu_words && !is_mnemonic; k++) {
		if (strcmp(alu_words[k].text, word))
			continue;
		i->rnd |= alu_words[k].rnd;
		i->cmp |= alu_words[k].cmp;
		i->boolop |= alu_words[k].boolop;
		i->flags |= alu_words[k].flag;
	}
}

static UNUSED struct isa_insn alu_insn(const char *opcode)
{
	struct isa_insn i = {
		.dst = ROW_REF(ROW_DST), .a = ROW_REF(ROW_A), .b = ROW_REF(ROW_B), .c = ISA_REF_NONE, .d = ISA_REF_NONE,
		.dst2 = ISA_PRED_SINK, .vec = 1,
	};
	char exact[96] = "", base[96] = "", mnemonic[96] = "", text[96];
	snprintf(text, sizeof text, "%s", opcode);
	char *rest = text;
	for (char *word = strsep(&rest, "."); word; word = strsep(&rest, ".")) {
		const bool first = !*mnemonic;
		const enum isa_type t = first ? ISA_NOTYPE : isa_type_find(word, (unsigned)strlen(word));
		snprintf(exact + strlen(exact), sizeof exact - strlen(exact), "%s%s", first ? "" : "_", word);
		if (first || t)
			snprintf(base + strlen(base), sizeof base - strlen(base), "%s%s", first ? "" : "_", word);
		if (first)
			snprintf(mnemonic, sizeof mnemonic, "%s", word);
		if (t && !i.type)
			i.type = (uint8_t)t;
		else if (t)
			i.type2 = (uint8_t)t;
		alu_word(&i, word, first);
	}
	i.dst_bytes = isa_type_info[i.type].bytes;
	i.a_bytes = isa_type_info[i.type2 ? i.type2 : i.type].bytes;
	i.handler = (uint16_t)isa_handler_find(exact, base, mnemonic);
	if (i.handler == ISA_H_UNSUPPORTED)
		fail_msg("no handler for %s", opcode);
	return i;
}

/* ---- execution ---- */
static UNUSED unsigned alu_levels(const exec_handler **tables, const char **names)
{
	unsigned n = 0;
#if defined(__x86_64__)
	tables[n] = exec_table_v2, names[n++] = "v2";
	if (exec_level_runs("v3"))
		tables[n] = exec_table_v3, names[n++] = "v3";
	if (exec_level_runs("v4"))
		tables[n] = exec_table_v4, names[n++] = "v4";
#else
	tables[n] = exec_table_generic, names[n++] = "generic";
#endif
	return n;
}

static UNUSED void alu_run_on(struct alu *m, const exec_handler *table, const struct isa_insn *i, char *frame, uint32_t *carry)
{
	static struct exec x;
	struct exec_warp w = {.carry = m->carry};
	memset(&x, 0, sizeof x);
	for (unsigned k = 0; k < 4; k++)
		x.base[k] = frame;
	x.preds = (uint32_t *)(void *)frame;
	x.mask = x.active = m->mask;
	x.warp = &w;
	x.program = &m->program;
	table[i->handler](&x, i);
	assert_int_equal(x.event, 0);
	*carry = w.carry;
}

/* Executes on all levels; every level must leave the same frame, and lanes outside the mask as they were. */
static UNUSED void alu_run(struct alu *m, const struct isa_insn *i)
{
	const exec_handler *tables[4];
	const char *names[4];
	const unsigned n = alu_levels(tables, names);
	uint32_t carry = 0, first_carry = 0;
	memcpy(m->before, m->frame, FRAME_BYTES);
	for (unsigned k = 0; k < n; k++) {
		char *frame = k ? m->other : m->frame;
		memcpy(frame, m->before, FRAME_BYTES);
		alu_run_on(m, tables[k], i, frame, k ? &carry : &first_carry);
		if (k && (memcmp(m->frame, m->other, FRAME_BYTES) || carry != first_carry))
			fail_msg("%s: level %s differs from %s", isa_handler_names[i->handler], names[k], names[0]);
	}
	m->carry = first_carry;
	for (unsigned l = 0; l < LANES; l++) {
		const unsigned bytes = i->dst_bytes < 2 ? 2 : i->dst_bytes;
		const char *old = m->before + PREDS_BYTES + ROW_DST * ROW_BYTES;
		if (m->mask >> l & 1 || bytes > 8)
			continue;
		if (alu_get_at(old, bytes, l) != alu_get(m, ROW_DST, bytes, l))
			fail_msg("%s: lane %u is not in the mask and was written", isa_handler_names[i->handler], l);
	}
}

/* A mask for batch number n: mostly full, sometimes partial. */
static UNUSED uint32_t alu_mask(struct alu *m, unsigned n) { return n % 4 == 3 ? (uint32_t)alu_random(m) | 1u : LANES_ALL; }

/* ---- operands worth trying ---- */
static const uint64_t alu_ints[] = {
	0, 1, 2, 3, 5, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 255, 256, 257, 0x7ffe, 0x7fff, 0x8000, 0x8001, 0xfffe,
	0xffff, 0x10000, 0x10001, 0xffffff, 0x1000000, 0x7fffff, 0x800000, 0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe,
	0xffffffff, UINT64_C(0x100000000), UINT64_C(0x100000001), UINT64_C(0x7ffffffffffffffe), UINT64_C(0x7fffffffffffffff),
	UINT64_C(0x8000000000000000), UINT64_C(0x8000000000000001), UINT64_C(0xfffffffffffffffe), UINT64_C(0xffffffffffffffff),
	UINT64_C(0xffffffff80000000), UINT64_C(0xffffffff7fffffff), UINT64_C(0x0123456789abcdef), UINT64_C(0xfedcba9876543210),
};
#define N_INTS (sizeof alu_ints / sizeof *alu_ints)

static UNUSED uint64_t alu_any_int(struct alu *m)
{
	const uint64_t r = alu_random(m);
	switch (r & 3) {
	case 0: return alu_ints[(r >> 2) % N_INTS];
	case 1: return alu_random(m) >> (r >> 2 & 63);
	case 2: return (uint64_t)((int64_t)alu_random(m) >> (r >> 2 & 63));
	default: return alu_random(m);
	}
}

/* Bit patterns of a binary format: both signs of zeros, subnormals, the ends of every range, powers of two, ties, infinities, NaNs. */
static UNUSED uint64_t alu_any_float(struct alu *m, unsigned bits, unsigned mantissa)
{
	const uint64_t r = alu_random(m), top = UINT64_C(1) << (bits - 1), one = UINT64_C(1) << mantissa, inf = top - one;
	const uint64_t sign = r >> 63 ? top : 0, bias = (inf >> 1) & ~(one - 1);
	uint64_t v;
	switch (r & 15) {
	case 0: v = 0; break;
	case 1: v = 1 + (r >> 8) % 3; break;
	case 2: v = one - 1 - (r >> 8) % 3; break;
	case 3: v = one + (r >> 8) % 3; break;
	case 4: v = inf - 1 - (r >> 8) % 3; break;
	case 5: v = inf; break;
	case 6: v = inf + 1 + (alu_random(m) & (one - 1)) % (one - 1); break;
	case 7: v = bias + (((r >> 8) % 64) - 32) * one; break;			      /* powers of two about 1 */
	case 8: v = bias + (((r >> 8) % 64) - 32) * one + ((r >> 20) % 5) - 2; break; /* their neighbours */
	case 9: v = alu_random(m) & (one - 1); break;				      /* subnormals */
	case 10: v = (alu_random(m) & inf) | ((alu_random(m) & 7) << (mantissa > 3 ? mantissa - 3 : 0)); break;
	case 11: v = bias + (alu_random(m) % (one * 4)); break; /* 1 to 16 */
	case 12:
	case 13: v = bias + (((r >> 8) % (mantissa + 4)) - (mantissa + 4) / 2) * one + (alu_random(m) & (one - 1)); break;
	default: v = alu_random(m); break;
	}
	return sign | (v & (top - 1));
}
/* the double case keeps 53 bits away from `bits` = 64 overflow */
#define ANY_F32(m) (uint32_t)alu_any_float(m, 32, 23)
#define ANY_F64(m) alu_any_float(m, 64, 52)
#define ANY_F16(m) (uint32_t)alu_any_float(m, 16, 10)
#define ANY_BF16(m) (uint32_t)alu_any_float(m, 16, 7)

/* Edge values x edge values first: the first EDGES * EDGES operands of a run come from here. */
static UNUSED uint64_t alu_edge(unsigned k, unsigned bits, unsigned mantissa)
{
	const uint64_t top = UINT64_C(1) << (bits - 1), one = UINT64_C(1) << mantissa, inf = top - one;
	const uint64_t bias = (inf >> 1) & ~(one - 1);
	const uint64_t values[] = {0, 1, one - 1, one, one + 1, inf - 1, inf, inf + 1, inf | one >> 1, top - 1, bias, bias + 1, bias - 1,
				   bias + one, bias - one, bias + one / 2, bias | (one - 1), bias + (mantissa + 1) * one,
				   bias - (mantissa + 1) * one, bias - (mantissa + 1) * one + 1, bias + mantissa * one, one << 1};
	const unsigned n = sizeof values / sizeof *values;
	return (values[k % n] & (top - 1)) | (k / n % 2 ? top : 0);
}
#define EDGES 44u

#endif
