/* From decoded instructions to timing classes, latencies and register numbers. */
#include "timing/core/insn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "exec/tensor.h"
#include "isa/handlers.h"
#include "isa/opcodes.h"
#include "isa/plus.h"
#include "timing/core/core.h"

/* A program, and the machine for which it is described. */
struct source {
	const struct isa_program *program;
	uint32_t first_register; /* textbook core: added to the numbers of the function's registers */
	const struct core_config *core;
};

/* ---- classes, units and latencies ---- */

static const struct core_opcode *row_of(const struct core_model *m, uint32_t opcode)
{
	for (uint32_t k = 0; k < m->n_opcodes; k++)
		if (m->opcodes[k].opcode == opcode)
			return &m->opcodes[k];
	return NULL;
}

static enum core_operand operand_of(uint8_t type)
{
	if (type == ISA_F32)
		return OPERAND_F32;
	return type == ISA_F64 ? OPERAND_F64 : OPERAND_OTHER;
}

static enum timing_class class_of(const struct isa_insn *i)
{
	switch (i->opcode) {
	case ISA_OP_BRA: return TIMING_BRANCH;
	case ISA_OP_CALLP: return TIMING_CALL;
	case ISA_OP_RETP: return TIMING_RET;
	case ISA_OP_MOV:
		if (i->handler != ISA_H_plus || i->mode == ISA_PLUS_COMPUTES)
			return TIMING_COMPUTE;
		return i->mode == ISA_PLUS_LOADS ? TIMING_LOAD : TIMING_STORE;
	case ISA_OP_CALL: return i->handler == ISA_H_call_builtin ? TIMING_COMPUTE : TIMING_CALL;
	case ISA_OP_RET: return TIMING_RET;
	case ISA_OP_BAR:
	case ISA_OP_BARRIER: return TIMING_BARRIER;
	case ISA_OP_MEMBAR:
	case ISA_OP_FENCE: return TIMING_MEMBAR;
	case ISA_OP_LD:
	case ISA_OP_LDU:
	case ISA_OP_TEX:
	case ISA_OP_TLD4:
	case ISA_OP_ATOM:
	case ISA_OP_RED: return TIMING_LOAD;
	case ISA_OP_ST:
	case ISA_OP_STMATRIX: return TIMING_STORE;
	case ISA_OP_LDMATRIX: return TIMING_LOAD;
	case ISA_OP_WMMA: return i->handler == ISA_H_wmma_load ? TIMING_LOAD : i->handler == ISA_H_wmma_store ? TIMING_STORE : TIMING_COMPUTE;
	default: return TIMING_COMPUTE;
	}
}

static bool is_texture(const struct isa_insn *i) { return i->opcode == ISA_OP_TEX || i->opcode == ISA_OP_TLD4; }

/* The carry of a predicate costs nothing. */
static uint32_t opcode_of(const struct isa_insn *i)
{
	return i->opcode == ISA_OP_ADDP ? ISA_OP_ADD : i->opcode == ISA_OP_MADP ? ISA_OP_MAD : i->opcode;
}

/* A lane of a load or store of a matrix accesses a piece of it. */
static void classify_matrix(struct timing_insn *t, const struct isa_insn *i, const struct source *s)
{
	struct exec_matrix_image m;
	if (!isa_insn_has_tensor(i))
		return;
	exec_matrix_image(isa_tensor_of(s->program, i), &m);
	t->is_matrix = true;
	t->data_bytes = (uint8_t)m.size;
}

static void classify(struct timing_insn *t, const struct isa_insn *i, const struct source *s)
{
	const bool computes = class_of(i) == TIMING_COMPUTE;
	const struct core_opcode *row = computes || i->opcode != ISA_OP_WMMA ? row_of(s->core->model, opcode_of(i)) : NULL;
	const enum core_operand operand = operand_of(i->type);
	const struct core_times times = s->core->latencies.of[row ? row->latency[operand] : LATENCY_ONE];
	t->class = (uint8_t)class_of(i);
	t->units = row ? row->units[operand] : s->core->model->class_units[t->class];
	t->latency = (uint16_t)(times.latency + (row ? row->more : 0));
	t->initiation = (uint16_t)(times.initiation + (row ? row->more : 0));
	if (t->class != TIMING_LOAD && t->class != TIMING_STORE)
		return;
	t->space = is_texture(i) ? TIMING_SPACE_TEXTURE : i->space;
	t->is_param = i->space == ISA_SPACE_LOCAL && i->flags & ISA_F_PARAM;
	t->is_atomic = isa_op_is_atomic(i->opcode);
	t->data_bytes = (uint8_t)isa_type_bytes((enum isa_type)i->type);
	t->vec = i->vec ? i->vec : 1;
	classify_matrix(t, i, s);
	if (isa_insn_has_plus(i) && i->space == ISA_SPACE_CONST)
		t->const_base = (uint32_t)(ISA_CONST_WINDOW + isa_plus_of(s->program, i)->src[0].base);
	t->cache_op = i->cache == ISA_CACHE_CG || t->is_atomic ? TIMING_CACHE_GLOBAL : TIMING_CACHE_DEFAULT;
}

/* ---- registers ---- */

/* The first run of digits in the register's name; -1 if it has none. */
static int32_t file_number(const struct isa_reg *r, uint32_t number)
{
	char name[64];
	if (r->count)
		snprintf(name, sizeof name, "%.48s%u", r->name, number);
	else
		snprintf(name, sizeof name, "%.63s", r->name);
	const char *s = name;
	while (*s && (*s < '0' || *s > '9'))
		s++;
	if (!*s)
		return -1;
	long v = strtol(s, NULL, 10);
	return v > INT32_MAX ? INT32_MAX : (int32_t)v;
}

struct reg_number {
	uint32_t scoreboard; /* 0: no register */
	int32_t file;
};

static struct reg_number number_of(const struct isa_function *f, uint32_t word)
{
	uint32_t number;
	const struct isa_reg *r = f ? isa_function_reg_of(f, word, &number) : NULL;
	if (!r)
		return (struct reg_number){0, -1};
	return (struct reg_number){r->serial + number, file_number(r, number)};
}

uint32_t timing_register_number(const struct isa_function *f, uint32_t word) { return number_of(f, word).scoreboard; }

static void set_bit(uint64_t mask[TIMING_LOW_WORDS], uint32_t number)
{
	if (number < TIMING_LOW_WORDS * 64)
		mask[number / 64] |= UINT64_C(1) << number % 64;
}

static void add_check(struct timing_insn *t, uint32_t n)
{
	if (n && t->n_check < TIMING_CHECK_MAX)
		t->check[t->n_check++] = n;
	else if (n)
		set_bit(t->check_low, n);
}

static void add_source(struct timing_insn *t, struct reg_number n, unsigned slot)
{
	t->src_reg[slot] = n.file;
	t->src_mask |= (uint8_t)(1u << slot);
	add_check(t, n.scoreboard);
	if (slot < 4)
		t->in[slot] = n.scoreboard;
}

static void add_destination(struct timing_insn *t, const struct isa_insn *i, struct reg_number n)
{
	if (!n.scoreboard)
		return;
	if (i->opcode == ISA_OP_VOTE) { /* 3.2.2's table gives vote no destination: it reads its result, and no instruction waits for that */
		add_source(t, n, t->n_in++);
		return;
	}
	t->out[t->n_out] = n.scoreboard;
	t->out_reg[t->n_out++] = n.file;
	add_check(t, n.scoreboard);
}

/* How many scalar sources are looked at: a fourth one isn't, those of a vector are. */
static unsigned sources_most(const struct isa_insn *i)
{
	return i->vec > 1 || i->handler == ISA_H_mov_pack || is_texture(i) || isa_insn_has_tensor(i) ? 4 : 3;
}

static bool has_address(const struct isa_insn *i, const struct timing_insn *t)
{
	return (t->class == TIMING_LOAD || t->class == TIMING_STORE) && t->space != TIMING_SPACE_TEXTURE && i->a != ISA_REF_NONE &&
	       ISA_REF_BASE(i->a) == ISA_BASE_FRAME;
}

/* ---- PTXPlus ---- */

/* The registers of an instruction, as 3.2.2 looks at them: of several groups among the sources the last one counts, of several addresses too. */
struct plus_registers {
	struct timing_insn *t;
	const struct isa_program *p;
	const struct isa_function *f;
	struct reg_number src[TIMING_SRC_MAX];
	unsigned n; /* sources so far */
};

static struct reg_number row_number(const struct plus_registers *r, uint32_t ref)
{
	return ISA_REF_BASE(ref) == ISA_BASE_FRAME && ref != ISA_REF_NONE ? number_of(r->f, ISA_RW_ROW(ref)) : (struct reg_number){0, -1};
}

static void plus_address(struct plus_registers *r, const struct isa_plus_operand *o)
{
	if (o->kind != ISA_PLUS_MEMORY)
		return;
	if (o->ref != ISA_REF_NONE)
		r->src[4] = row_number(r, o->ref);
	if (o->other != ISA_REF_NONE)
		r->src[5] = row_number(r, o->other);
}

static void plus_source(struct plus_registers *r, const struct isa_plus_operand *o)
{
	if (o->kind == ISA_PLUS_ROW && ISA_REF_BASE(o->ref) == ISA_BASE_FRAME && r->n < 4)
		r->src[r->n++] = row_number(r, o->ref);
	if (o->kind != ISA_PLUS_GROUP)
		return;
	const unsigned n = o->is_implied ? 1 : o->n;
	for (unsigned k = 0; k < n && k < 4; k++)
		r->src[o->is_implied ? r->n : k] = row_number(r, r->p->aux[o->ref + k]);
	r->n += o->is_implied ? 1 : 4;
}

static void plus_destination(struct plus_registers *r, const struct isa_insn *i, const struct isa_plus_operand *o)
{
	const unsigned n = o->kind == ISA_PLUS_GROUP ? (o->is_implied ? 1 : o->n) : o->kind == ISA_PLUS_ROW;
	for (unsigned k = 0; k < n && r->t->n_out < TIMING_OUT_MAX; k++) {
		const struct reg_number reg = row_number(r, o->kind == ISA_PLUS_GROUP ? r->p->aux[o->ref + k] : o->ref);
		if (i->opcode == ISA_OP_VOTE && r->n < 4)
			r->src[r->n++] = reg;
		else
			add_destination(r->t, i, reg);
	}
}

static bool is_group_source(const struct isa_plus *plus)
{
	for (unsigned k = 0; k < plus->n_src; k++)
		if (plus->src[k].kind == ISA_PLUS_GROUP && !plus->src[k].is_implied)
			return true;
	return false;
}

static void plus_registers(struct timing_insn *t, const struct isa_program *p, const struct isa_function *f, const struct isa_insn *i)
{
	struct plus_registers r = {.t = t, .p = p, .f = f};
	const struct isa_plus *plus = isa_plus_of(p, i);
	plus_destination(&r, i, &plus->second);
	plus_destination(&r, i, &plus->dst);
	plus_address(&r, &plus->dst);
	for (unsigned k = 0; k < plus->n_src; k++) {
		plus_source(&r, &plus->src[k]);
		plus_address(&r, &plus->src[k]);
	}
	for (unsigned k = 0; k < TIMING_SRC_MAX; k++) {
		if (!r.src[k].scoreboard)
			continue;
		t->src_reg[k] = r.src[k].file;
		t->src_mask |= (uint8_t)(1u << k);
		if (k != 3 || is_group_source(plus))
			add_check(t, r.src[k].scoreboard);
		if (k < 4)
			t->in[k] = r.src[k].scoreboard;
	}
	t->n_in = (uint8_t)(r.n < 4 ? r.n : 4);
}

static void registers(struct timing_insn *t, const struct isa_program *p, const struct isa_function *f, uint32_t index)
{
	const struct isa_insn *i = &p->insns[index];
	const struct isa_where *w = &p->where[index];
	const uint32_t *word = &p->rw[w->rw];
	const bool is_guarded = ISA_PRED_SLOT(i->guard) > ISA_PRED_SINK || (i->handler == ISA_H_plus_call && w->n_reads);
	if (isa_insn_has_plus(i)) {
		if (is_guarded && w->n_reads)
			add_check(t, number_of(f, word[w->n_writes]).scoreboard);
		plus_registers(t, p, f, i);
		return;
	}
	for (unsigned k = 0; k < w->n_writes && t->n_out < TIMING_OUT_MAX; k++)
		add_destination(t, i, number_of(f, word[k]));
	unsigned k = w->n_writes, end = k + w->n_reads;
	if (is_guarded && k < end)
		add_check(t, number_of(f, word[k++]).scoreboard);
	if (has_address(i, t) && k < end) {
		/* 3.2.2 neither waits for the address register of an atomic nor reads it from the register file */
		if (!t->is_atomic)
			add_source(t, number_of(f, word[k]), 4);
		k++;
	}
	for (unsigned most = sources_most(i); k < end && t->n_in < most; k++)
		add_source(t, number_of(f, word[k]), t->n_in++);
	for (; k < end && isa_insn_has_tensor(i); k++)
		add_check(t, number_of(f, word[k]).scoreboard);
}

void timing_insn_set_masks(struct timing_insn *t)
{
	for (unsigned k = 0; k < t->n_out; k++)
		if (t->out[k])
			set_bit(t->out_low, t->out[k]);
	for (unsigned k = 0; k < t->n_check; k++) {
		set_bit(t->check_low, t->check[k]);
		t->has_high = t->has_high || t->check[k] >= TIMING_LOW_WORDS * 64;
	}
}

static void describe(struct timing_insn *t, const struct source *s, const struct isa_function *f, uint32_t index)
{
	*t = (struct timing_insn){.space = ISA_SPACE_GENERIC};
	for (unsigned k = 0; k < TIMING_OUT_MAX; k++)
		t->out_reg[k] = -1;
	for (unsigned k = 0; k < TIMING_SRC_MAX; k++)
		t->src_reg[k] = -1;
	classify(t, &s->program->insns[index], s);
	if (s->core->textbook.is_on)
		textbook_describe(t, &(struct textbook_source){s->program, f, index, s->first_register}, s->core);
	else
		registers(t, s->program, f, index);
	timing_insn_set_masks(t);
}

/* Begins the registers of a function behind those of the functions before it. */
static uint32_t begin_registers(struct timing_program *t, uint32_t insn)
{
	size_t cap = t->cap_registers;
	t->registers = xgrow(t->registers, &cap, (size_t)t->n_registers + 1, sizeof *t->registers);
	t->cap_registers = (uint32_t)cap;
	t->registers[t->n_registers++] = (struct timing_registers){.first_insn = insn, .first = t->max_register + 1, .end = t->max_register + 1};
	return t->max_register; /* numbers of a function's registers begin at 1 */
}

const struct timing_registers *timing_registers_of(const struct timing_program *t, uint32_t pc)
{
	uint32_t low = 0, high = t->n_registers;
	while (low + 1 < high) {
		const uint32_t middle = (low + high) / 2;
		*(t->registers[middle].first_insn <= pc ? &low : &high) = middle;
	}
	return high && t->registers[low].first_insn <= pc ? &t->registers[low] : NULL;
}

static uint32_t highest(const struct timing_insn *i, uint32_t so_far)
{
	for (unsigned c = 0; c < i->n_check; c++)
		so_far = i->check[c] > so_far ? i->check[c] : so_far;
	return so_far;
}

uint32_t timing_program_registers(const struct timing_program *t, uint32_t n)
{
	uint32_t max = 0;
	if (n >= t->n)
		return t->max_register;
	for (uint32_t k = 0; k < n; k++)
		max = highest(&t->insns[k], max);
	return max;
}

/* Fills the addresses of instructions if some take 4 bytes. */
static void update_addresses(struct timing_program *t, const struct isa_program *p)
{
	const struct isa_function *f = NULL;
	bool any = t->address != NULL;
	for (uint32_t k = t->n; k < p->n_insns && !any; k++)
		any = p->insns[k].is_half;
	if (!any)
		return;
	t->address = xrealloc(t->address, ((size_t)p->n_insns + 1) * sizeof *t->address);
	uint32_t at = 0;
	for (uint32_t k = 0; k < p->n_insns; k++) {
		if (!f || k >= f->end || k < f->first) {
			f = isa_program_function_at(p, k);
			at = (at + 7) & ~7u; /* a function begins at a multiple of 8 */
		}
		t->address[k] = at;
		at += isa_insn_bytes(&p->insns[k]);
	}
	t->address[p->n_insns] = at;
}

void timing_program_update(struct timing_program *t, const struct isa_program *p, const struct core_config *core)
{
	if (p->n_insns > t->cap) {
		t->cap = p->n_insns;
		t->insns = xrealloc(t->insns, (size_t)t->cap * sizeof *t->insns);
	}
	struct source s = {p, 0, core};
	const struct isa_function *f = NULL;
	for (uint32_t k = t->n; k < p->n_insns; k++) {
		if (!f || k >= f->end || k < f->first) {
			f = isa_program_function_at(p, k);
			s.first_register = core->textbook.is_on ? begin_registers(t, k) : 0;
		}
		describe(&t->insns[k], &s, f, k);
		t->max_register = highest(&t->insns[k], t->max_register);
		if (core->textbook.is_on)
			t->registers[t->n_registers - 1].end = t->max_register + 1;
	}
	update_addresses(t, p);
	t->n = p->n_insns;
	timing_places_update(&t->places, p);
}

void timing_program_free(struct timing_program *t)
{
	free(t->insns);
	free(t->registers);
	free(t->address);
	timing_places_free(&t->places);
	*t = (struct timing_program){0};
}
