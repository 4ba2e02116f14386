/* Bytecode of the GDB agent: conditions of breakpoints, evaluated here for every lane (GDB manual, appendix "The GDB Agent
 * Expression Mechanism"). */
#include <string.h>

#include "gdbstub/threads/threads.h"

#define STACK_MAX 100u
#define STEPS_MAX 100000u
#define LOCAL_BASE 13u /* r13, which holds the base of the lane's local memory (register_value) */

enum {
	OP_ADD = 0x02,
	OP_SUB = 0x03,
	OP_MUL = 0x04,
	OP_DIV_SIGNED = 0x05,
	OP_DIV_UNSIGNED = 0x06,
	OP_REM_SIGNED = 0x07,
	OP_REM_UNSIGNED = 0x08,
	OP_LSH = 0x09,
	OP_RSH_SIGNED = 0x0a,
	OP_RSH_UNSIGNED = 0x0b,
	OP_LOG_NOT = 0x0e,
	OP_BIT_AND = 0x0f,
	OP_BIT_OR = 0x10,
	OP_BIT_XOR = 0x11,
	OP_BIT_NOT = 0x12,
	OP_EQUAL = 0x13,
	OP_LESS_SIGNED = 0x14,
	OP_LESS_UNSIGNED = 0x15,
	OP_EXT = 0x16,
	OP_REF8 = 0x17,
	OP_REF16 = 0x18,
	OP_REF32 = 0x19,
	OP_REF64 = 0x1a,
	OP_IF_GOTO = 0x20,
	OP_GOTO = 0x21,
	OP_CONST8 = 0x22,
	OP_CONST16 = 0x23,
	OP_CONST32 = 0x24,
	OP_CONST64 = 0x25,
	OP_REG = 0x26,
	OP_END = 0x27,
	OP_DUP = 0x28,
	OP_POP = 0x29,
	OP_ZERO_EXT = 0x2a,
	OP_SWAP = 0x2b,
	OP_PICK = 0x32,
	OP_ROT = 0x33
};

struct agent {
	struct stub *s;
	uint64_t tid;
	struct agent_lane *lane; /* NULL: its coordinates are read as other memory is */
	const unsigned char *code;
	size_t n, at;
	uint64_t stack[STACK_MAX];
	unsigned depth;
	bool ok;
};

static uint64_t operand(struct agent *g, unsigned bytes)
{
	uint64_t v = 0;
	if (g->n - g->at < bytes) {
		g->ok = false;
		g->at = g->n;
		return 0;
	}
	while (bytes--)
		v = v << 8 | g->code[g->at++];
	return v;
}

static uint64_t pop(struct agent *g)
{
	if (g->depth)
		return g->stack[--g->depth];
	g->ok = false;
	return 0;
}

static void push(struct agent *g, uint64_t v)
{
	if (g->depth == STACK_MAX)
		g->ok = false;
	else
		g->stack[g->depth++] = v;
}

static uint64_t sign_extended(uint64_t v, uint64_t bits)
{
	if (!bits || bits >= 64)
		return v;
	uint64_t sign = UINT64_C(1) << (bits - 1);
	v &= (sign << 1) - 1;
	return (v ^ sign) - sign;
}

static uint64_t zero_extended(uint64_t v, uint64_t bits) { return bits >= 64 ? v : v & ((UINT64_C(1) << bits) - 1); }

static uint64_t divide(struct agent *g, unsigned op, uint64_t a, uint64_t b)
{
	bool is_signed = op == OP_DIV_SIGNED || op == OP_REM_SIGNED, rem = op == OP_REM_SIGNED || op == OP_REM_UNSIGNED;
	if (!b) {
		g->ok = false;
		return 0;
	}
	if (!is_signed)
		return rem ? a % b : a / b;
	if (b == UINT64_MAX) /* INT64_MIN / -1 has no value in C */
		return rem ? 0 : 0 - a;
	return (uint64_t)(rem ? (int64_t)a % (int64_t)b : (int64_t)a / (int64_t)b);
}

static uint64_t binary(struct agent *g, unsigned op, uint64_t a, uint64_t b)
{
	switch (op) {
	case OP_ADD: return a + b;
	case OP_SUB: return a - b;
	case OP_MUL: return a * b;
	case OP_LSH: return b < 64 ? a << b : 0;
	case OP_RSH_UNSIGNED: return b < 64 ? a >> b : 0;
	case OP_RSH_SIGNED: return (uint64_t)((int64_t)a >> (b < 64 ? b : 63));
	case OP_BIT_AND: return a & b;
	case OP_BIT_OR: return a | b;
	case OP_BIT_XOR: return a ^ b;
	case OP_EQUAL: return a == b;
	case OP_LESS_SIGNED: return (int64_t)a < (int64_t)b;
	case OP_LESS_UNSIGNED: return a < b;
	default: return divide(g, op, a, b);
	}
}

static bool is_binary(unsigned op)
{
	return (op >= OP_ADD && op <= OP_RSH_UNSIGNED) || (op >= OP_BIT_AND && op <= OP_BIT_XOR) ||
	       (op >= OP_EQUAL && op <= OP_LESS_UNSIGNED);
}

/* Loads from threadIdx, blockIdx, blockDim or gridDim of the lane itself. Returns false for other memory. */
static bool load_place(struct agent *g, uint64_t address, unsigned bytes)
{
	const uint64_t at = g->lane ? address - g->lane->local_base - STUB_PLACES_OFFSET : UINT64_MAX;
	uint64_t v = 0;
	if (at > sizeof g->lane->places - bytes)
		return false;
	memcpy(&v, (const char *)g->lane->places + at, bytes);
	g->lane->varies |= at < sizeof(uint32_t[3]); /* threadIdx */
	push(g, v);
	return true;
}

static void load(struct agent *g, unsigned bytes)
{
	uint64_t v = 0, address = pop(g);
	if (g->ok && load_place(g, address, bytes))
		return;
	if (g->lane)
		g->lane->varies = true;
	if (g->ok && memory_read(g->s, g->tid, address, &v, bytes) != bytes)
		g->ok = false;
	push(g, v);
}

static void jump(struct agent *g, bool taken)
{
	uint64_t to = operand(g, 2);
	if (taken && g->ok) {
		g->ok = to < g->n;
		g->at = (size_t)to;
	}
}

/* Returns whether the code behind the number of a register adds a constant and loads from there, as for a variable on a stack: then the register's
 * own value isn't part of the result. */
static bool is_base(const struct agent *g)
{
	size_t at = g->at;
	if (at < g->n && g->code[at] >= OP_CONST8 && g->code[at] <= OP_CONST64) {
		at += 1 + ((size_t)1 << (g->code[at] - OP_CONST8));
		if (at >= g->n || g->code[at++] != OP_ADD)
			return false;
	}
	return at < g->n && g->code[at] >= OP_REF8 && g->code[at] <= OP_REF64;
}

static void read_register(struct agent *g)
{
	uint64_t number = operand(g, 2), v = 0;
	if (g->lane && number == LOCAL_BASE && is_base(g)) {
		push(g, g->lane->local_base);
		return;
	}
	if (g->lane)
		g->lane->varies = true;
	const struct thread_view *view = view_of(g->s, g->tid);
	if (!view || !register_value(g->s, view, (unsigned)number, &v))
		g->ok = false;
	push(g, v);
}

static void shuffle(struct agent *g, unsigned op)
{
	uint64_t a = op == OP_PICK ? operand(g, 1) : 0;
	if (op == OP_PICK && a < g->depth) {
		push(g, g->stack[g->depth - 1 - a]);
	} else if (op == OP_SWAP && g->depth > 1) {
		a = g->stack[g->depth - 1];
		g->stack[g->depth - 1] = g->stack[g->depth - 2];
		g->stack[g->depth - 2] = a;
	} else if (op == OP_ROT && g->depth > 2) { /* a b c => c a b */
		uint64_t *top = &g->stack[g->depth - 3];
		a = top[2];
		top[2] = top[1];
		top[1] = top[0];
		top[0] = a;
	} else {
		g->ok = false;
	}
}

static void execute(struct agent *g, unsigned op)
{
	uint64_t a;
	if (is_binary(op)) {
		uint64_t b = pop(g);
		a = pop(g);
		push(g, binary(g, op, a, b));
		return;
	}
	switch (op) {
	case OP_LOG_NOT: push(g, !pop(g)); break;
	case OP_BIT_NOT: push(g, ~pop(g)); break;
	case OP_EXT:
		a = operand(g, 1);
		push(g, sign_extended(pop(g), a));
		break;
	case OP_ZERO_EXT:
		a = operand(g, 1);
		push(g, zero_extended(pop(g), a));
		break;
	case OP_REF8: load(g, 1); break;
	case OP_REF16: load(g, 2); break;
	case OP_REF32: load(g, 4); break;
	case OP_REF64: load(g, 8); break;
	case OP_IF_GOTO: jump(g, pop(g) != 0); break;
	case OP_GOTO: jump(g, true); break;
	case OP_CONST8: push(g, operand(g, 1)); break;
	case OP_CONST16: push(g, operand(g, 2)); break;
	case OP_CONST32: push(g, operand(g, 4)); break;
	case OP_CONST64: push(g, operand(g, 8)); break;
	case OP_REG: read_register(g); break;
	case OP_DUP:
		a = pop(g);
		push(g, a);
		push(g, a);
		break;
	case OP_POP: pop(g); break;
	case OP_PICK:
	case OP_SWAP:
	case OP_ROT: shuffle(g, op); break;
	default: g->ok = false;
	}
}

bool agent_eval(struct stub *s, uint64_t tid, struct agent_lane *lane, const struct text *code, uint64_t *out)
{
	struct agent g = {.s = s, .tid = tid, .lane = lane, .code = (const unsigned char *)text_str(code), .n = code->n, .ok = true};
	for (unsigned steps = 0; g.ok && g.at < g.n && steps < STEPS_MAX; steps++) {
		unsigned op = g.code[g.at++];
		if (op == OP_END) {
			*out = pop(&g);
			return g.ok;
		}
		execute(&g, op);
	}
	return false;
}
