/* First looks of compare-and-swap loops, as the CUDA guide's atomicAdd for double has one:
 *
 *     old = *p;
 *     do { seen = old; old = atomicCAS(p, seen, f(seen)); } while (seen != old);
 *
 * The value of the load is followed through the registers of its function. It may be computed with, be compared with the result of a swap, and be an
 * operand of a swap. Any other use decides something with a value that may be outdated. */
#include "check/first_look.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "isa/handlers.h"
#include "isa/opcodes.h"

#define INSNS_MOST 20000u /* longer functions aren't looked at */
#define HELPER_MOST 64u	  /* instructions of a function around a swap */
#define HELPER_DEPTH 3u
#define SETP_DISTANCE 16u /* instructions in front of a branch in which its comparison is looked for */

/* A register: its first 64 bytes of the frame, or a predicate slot. */
struct look {
	const struct isa_program *p;
	const struct isa_function *f;
	uint32_t n_rows, n_registers, words; /* predicates follow rows; the last register stands for arguments of a call */
	uint64_t *looked;		     /* for each instruction a bit for each register: may hold the value in front of it */
	uint64_t *swapped;		     /* likewise: may hold the result of a swap */
	uint8_t *is_todo;
	bool has_swap; /* the value is what a swap expects */
};

#define NO_REGISTER UINT32_MAX

static uint32_t register_of(const struct look *l, uint32_t word)
{
	if (ISA_RW_IS_PRED(word))
		return l->n_rows + ISA_RW_PRED_SLOT(word);
	return ISA_REF_BASE(word) == ISA_BASE_FRAME ? ISA_REF_OFFSET(word) / 64 : NO_REGISTER;
}

static uint32_t arguments(const struct look *l) { return l->n_registers - 1; }

static bool has(const uint64_t *set, uint32_t k) { return k != NO_REGISTER && set[k / 64] >> (k % 64) & 1; }

static void set_bit(uint64_t *set, uint32_t k, bool on)
{
	if (k == NO_REGISTER)
		return;
	set[k / 64] = (set[k / 64] & ~(UINT64_C(1) << (k % 64))) | (uint64_t)on << (k % 64);
}

/* Counts the registers that a function uses. */
static void count_registers(struct look *l)
{
	uint32_t predicates = 0;
	for (uint32_t pc = l->f->first; pc < l->f->end; pc++) {
		const struct isa_where *w = &l->p->where[pc];
		for (uint32_t k = 0; k < (uint32_t)w->n_writes + w->n_reads; k++) {
			const uint32_t word = l->p->rw[w->rw + k];
			const bool is_pred = ISA_RW_IS_PRED(word);
			uint32_t *n = is_pred ? &predicates : &l->n_rows;
			const uint32_t at = is_pred ? ISA_RW_PRED_SLOT(word) : ISA_REF_OFFSET(word) / 64;
			if ((is_pred || ISA_REF_BASE(word) == ISA_BASE_FRAME) && at >= *n)
				*n = at + 1;
		}
	}
	l->n_registers = l->n_rows + predicates + 1;
	l->words = (l->n_registers + 63) / 64;
}

/* ---- functions that swap for their caller ---- */

static bool is_swap(const struct isa_insn *i) { return isa_op_is_atomic(i->opcode) && i->atom == ISA_ATOM_CAS; }

enum helper {
	HELPER_NONE,
	HELPER_PURE, /* computes its result from its arguments */
	HELPER_SWAP  /* contains a compare-and-swap, or calls a function that does */
};

/* Returns what a short function without other accesses to memory that threads share does. */
static enum helper helper_of(const struct isa_program *p, uint32_t function, unsigned depth)
{
	const struct isa_function *f = function < p->n_functions ? p->functions[function] : NULL;
	enum helper is = HELPER_PURE;
	if (!f || !f->is_defined || f->end - f->first > HELPER_MOST || !depth)
		return HELPER_NONE;
	for (uint32_t pc = f->first; pc < f->end; pc++) {
		const struct isa_insn *i = &p->insns[pc];
		const bool is_own = i->space == ISA_SPACE_LOCAL || i->space == ISA_SPACE_PARAM;
		const enum helper called = i->handler == ISA_H_call ? helper_of(p, i->target, depth - 1) : HELPER_PURE;
		const bool is_access = isa_op_is_load(i->opcode) || isa_op_is_store(i->opcode);
		if (!is_swap(i) && (!called || isa_op_is_atomic(i->opcode) || (is_access && !is_own)))
			return HELPER_NONE;
		is = is_swap(i) || called == HELPER_SWAP ? HELPER_SWAP : is;
	}
	return is;
}

/* ---- one instruction ---- */

/* The registers behind an instruction. */
struct after {
	uint64_t *looked, *swapped;
};

static void write_all(const struct look *l, uint32_t pc, const struct after *a, bool looked, bool swapped)
{
	const struct isa_where *w = &l->p->where[pc];
	const bool is_certain = l->p->insns[pc].guard == ISA_PRED_TRUE;
	for (uint32_t k = 0; k < w->n_writes; k++) {
		const uint32_t r = register_of(l, l->p->rw[w->rw + k]);
		if (is_certain || looked)
			set_bit(a->looked, r, looked);
		if (is_certain || swapped)
			set_bit(a->swapped, r, swapped);
	}
}

/* What an instruction reads. */
struct reads {
	bool looked, swapped; /* a register that may hold the value; one that holds the result of a swap and not the value */
};

static struct reads reads_of(const struct look *l, uint32_t pc)
{
	const struct isa_where *w = &l->p->where[pc];
	const uint64_t *looked = l->looked + (size_t)(pc - l->f->first) * l->words,
		       *swapped = l->swapped + (size_t)(pc - l->f->first) * l->words;
	struct reads r = {false, false};
	for (uint32_t k = 0; k < w->n_reads; k++) {
		const uint32_t at = register_of(l, l->p->rw[w->rw + w->n_writes + k]);
		r.looked |= has(looked, at);
		r.swapped |= has(swapped, at) && !has(looked, at);
	}
	return r;
}

static bool call_is_fine(struct look *l, const struct isa_insn *i, const struct after *a)
{
	const bool is_passed = has(a->looked, arguments(l));
	const enum helper helper = i->handler == ISA_H_call ? helper_of(l->p, i->target, HELPER_DEPTH) : HELPER_NONE;
	if (helper == HELPER_PURE)
		return true;
	l->has_swap |= is_passed && helper == HELPER_SWAP;
	set_bit(a->looked, arguments(l), false);
	set_bit(a->swapped, arguments(l), helper == HELPER_SWAP);
	return !is_passed || helper == HELPER_SWAP;
}

/* Applies a compare-and-swap. Returns false if its address depends on the value. */
static bool swap_is_fine(struct look *l, uint32_t pc, const struct isa_insn *i, const struct after *a)
{
	const uint64_t *looked = l->looked + (size_t)(pc - l->f->first) * l->words;
	const bool is_address = i->a != ISA_REF_NONE && has(looked, register_of(l, ISA_RW_ROW(i->a)));
	l->has_swap |= i->b != ISA_REF_NONE && has(looked, register_of(l, ISA_RW_ROW(i->b)));
	write_all(l, pc, a, false, true);
	return !is_address;
}

/* Applies an instruction to the registers behind it. Returns false if it uses the value for something else. */
static bool is_fine(struct look *l, uint32_t pc, uint32_t load, const struct after *a)
{
	const struct isa_insn *i = &l->p->insns[pc];
	const struct reads r = reads_of(l, pc);
	const bool is_argument = i->flags & ISA_F_PARAM && (isa_op_is_store(i->opcode) || isa_op_is_load(i->opcode));
	if (is_swap(i))
		return swap_is_fine(l, pc, i, a);
	if (isa_opcode_info[i->opcode].family == ISA_FAMILY_CALL)
		return !r.looked && call_is_fine(l, i, a);
	if (is_argument && isa_op_is_store(i->opcode)) {
		set_bit(a->looked, arguments(l), r.looked || has(a->looked, arguments(l)));
		set_bit(a->swapped, arguments(l), r.swapped || has(a->swapped, arguments(l)));
		return true;
	}
	if (is_argument) {
		const bool is_looked = has(a->looked, arguments(l));
		write_all(l, pc, a, is_looked, has(a->swapped, arguments(l)) && !is_looked);
		set_bit(a->looked, arguments(l), false);
		set_bit(a->swapped, arguments(l), false);
		return !r.looked;
	}
	if (i->handler == ISA_H_ret)
		return !has(a->looked, arguments(l));
	if (pc == load) {
		write_all(l, pc, a, true, false);
		return !r.looked;
	}
	if (isa_opcode_info[i->opcode].family == ISA_FAMILY_ALU) {
		const bool is_check = r.looked && r.swapped && l->p->where[pc].n_writes &&
				      ISA_RW_IS_PRED(l->p->rw[l->p->where[pc].rw]);
		write_all(l, pc, a, r.looked && !is_check, r.swapped && !r.looked);
		return true;
	}
	write_all(l, pc, a, false, false);
	return !r.looked;
}

/* ---- the function ---- */

static void flow_to(struct look *l, uint32_t pc, const struct after *a)
{
	bool is_new = false;
	if (pc < l->f->first || pc >= l->f->end)
		return;
	uint64_t *looked = l->looked + (size_t)(pc - l->f->first) * l->words,
		 *swapped = l->swapped + (size_t)(pc - l->f->first) * l->words;
	for (uint32_t k = 0; k < l->words; k++) {
		is_new |= (a->looked[k] & ~looked[k]) || (a->swapped[k] & ~swapped[k]);
		looked[k] |= a->looked[k];
		swapped[k] |= a->swapped[k];
	}
	l->is_todo[pc - l->f->first] |= is_new;
}

enum outcome { OUTCOME_UNKNOWN, OUTCOME_EQUAL, OUTCOME_DIFFERENT };

/* Returns what a branch tells of the value where it is taken: whether the swap's result equals the value. */
static enum outcome outcome_of(const struct look *l, uint32_t pc)
{
	const struct isa_insn *bra = &l->p->insns[pc], *i = bra;
	const uint32_t word = ISA_RW_PRED(ISA_PRED_SLOT(bra->guard));
	for (unsigned k = 0; k < SETP_DISTANCE && pc > l->f->first && bra->guard != ISA_PRED_TRUE; k++) {
		i = &l->p->insns[--pc];
		const struct isa_where *w = &l->p->where[pc];
		if (i->ends_block)
			return OUTCOME_UNKNOWN;
		if (!w->n_writes || l->p->rw[w->rw] != word)
			continue;
		const struct reads r = reads_of(l, pc);
		const bool is_equal = i->cmp == ISA_CMP_EQ, is_different = i->cmp == ISA_CMP_NE || i->cmp == ISA_CMP_NEU;
		if (i->opcode != ISA_OP_SETP || !r.looked || !r.swapped || !(is_equal || is_different) || i->guard != ISA_PRED_TRUE)
			return OUTCOME_UNKNOWN;
		return is_equal == !(bra->guard & ISA_PRED_NOT) ? OUTCOME_EQUAL : OUTCOME_DIFFERENT;
	}
	return OUTCOME_UNKNOWN;
}

/* Where the swap has succeeded, the value and what was computed from it are no longer outdated. */
static void flow_checked(struct look *l, uint32_t pc, const struct after *a, bool succeeded)
{
	for (uint32_t k = 0; k < l->words && succeeded; k++) {
		a->swapped[k] |= a->looked[k];
		a->looked[k] = 0;
	}
	flow_to(l, pc, a);
}

/* Applies the instruction at `pc` and passes what is behind it on. Returns false if it uses the value for something else. */
static bool step(struct look *l, uint32_t pc, uint32_t load, const struct after *a)
{
	const struct isa_insn *i = &l->p->insns[pc];
	const size_t at = (size_t)(pc - l->f->first) * l->words;
	const bool branches = i->handler == ISA_H_bra || i->handler == ISA_H_bra_uni;
	const bool ends = branches || i->handler == ISA_H_brx_idx || i->handler == ISA_H_exit || i->handler == ISA_H_ret;
	l->is_todo[pc - l->f->first] = 0;
	memcpy(a->looked, l->looked + at, l->words * sizeof *a->looked);
	memcpy(a->swapped, l->swapped + at, l->words * sizeof *a->swapped);
	if (!is_fine(l, pc, load, a))
		return false;
	if (branches) {
		const enum outcome taken = outcome_of(l, pc);
		const bool falls = i->guard != ISA_PRED_TRUE;
		if (taken == OUTCOME_EQUAL && falls)
			flow_to(l, pc + 1, a);
		flow_checked(l, i->target, a, taken == OUTCOME_EQUAL);
		if (taken != OUTCOME_EQUAL && falls)
			flow_checked(l, pc + 1, a, taken == OUTCOME_DIFFERENT);
		return true;
	}
	for (uint32_t k = 0; i->handler == ISA_H_brx_idx && k < l->p->aux[i->aux]; k++)
		flow_to(l, l->p->aux[i->aux + 1 + k], a);
	if (!ends || i->guard != ISA_PRED_TRUE)
		flow_to(l, pc + 1, a);
	return true;
}

static bool follow(struct look *l, uint32_t load)
{
	const uint32_t n = l->f->end - l->f->first;
	const struct after a = {xcalloc(l->words, sizeof *a.looked), xcalloc(l->words, sizeof *a.swapped)};
	bool ok = true;
	l->is_todo[load - l->f->first] = 1;
	for (bool is_left = true; is_left && ok;) {
		is_left = false;
		for (uint32_t k = 0; k < n && ok; k++) {
			if (!l->is_todo[k])
				continue;
			is_left = true;
			ok = step(l, l->f->first + k, load, &a);
		}
	}
	free(a.looked);
	free(a.swapped);
	return ok;
}

bool first_look_is(const struct isa_program *p, uint32_t pc)
{
	struct look l = {.p = p, .f = isa_program_function_at(p, pc)};
	if (!l.f || l.f->end - l.f->first > INSNS_MOST || !isa_op_is_load(p->insns[pc].opcode) || p->insns[pc].vec > 1)
		return false;
	const uint32_t n = l.f->end - l.f->first;
	count_registers(&l);
	l.looked = xcalloc((size_t)n * l.words, sizeof *l.looked);
	l.swapped = xcalloc((size_t)n * l.words, sizeof *l.swapped);
	l.is_todo = xcalloc(n, 1);
	const bool is_fine_everywhere = follow(&l, pc);
	free(l.looked);
	free(l.swapped);
	free(l.is_todo);
	return is_fine_everywhere && l.has_swap;
}
