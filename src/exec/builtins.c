/* Library functions of the device runtime: __assertfail, malloc, free. */
#include "exec/builtins.h"
#include "exec/effect.h"

#include <inttypes.h>

#define STRING_CHUNK 64u

bool builtin_string(const struct exec *x, unsigned lane, uint64_t address, uint64_t limit, struct text *out)
{
	while (limit) {
		/* a chunk that ends where the next aligned one begins, or byte by byte where memory ends inside it */
		uint64_t n = STRING_CHUNK - address % STRING_CHUNK;
		const char *p = builtin_peek(x, lane, address, n);
		if (!p) {
			n = 1;
			p = builtin_peek(x, lane, address, n);
		}
		if (!p)
			return false;
		if (n > limit)
			n = limit;
		const size_t length = strnlen(p, n);
		text_addn(out, p, length);
		if (length < n)
			return true;
		address += n;
		limit -= n;
	}
	return true;
}

void builtin_bad_address(struct exec *x, unsigned lane, uint64_t address, const char *what)
{
	exec_raise(x, EXEC_FAULT_ILLEGAL_ADDRESS, lanes_bit(lane), "%s 0x%" PRIx64, what, address);
	x->fault.space = ISA_SPACE_GLOBAL;
	x->fault.address = address;
}

/* ---- __assertfail(expression, file, line, function, character size) ---- */
enum { ASSERT_EXPRESSION, ASSERT_FILE, ASSERT_LINE, ASSERT_FUNCTION, ASSERT_SIZE, ASSERT_ARGS };
#define ASSERT_STRING_MOST 4096u

/* A string of the message; a question mark if it can't be read. */
static void add_string(struct exec *x, const struct isa_insn *i, unsigned k, unsigned lane, struct text *out)
{
	struct text s = {0};
	const uint64_t address = builtin_arg(x, i, k, ASSERT_ARGS, lane);
	text_add(out, address && builtin_string(x, lane, address, ASSERT_STRING_MOST, &s) ? text_str(&s) : "?");
	text_free(&s);
}

/* Appends a lane's message as CUDA writes it to the program's standard error. */
static void add_assertion(struct exec *x, const struct isa_insn *i, unsigned lane, struct text *out)
{
	const uint32_t *special = (const uint32_t *)(const void *)x->base[ISA_BASE_SPECIAL];
	const uint32_t *tid = special + LANES * ISA_ROW_TID + lane, *ctaid = special + LANES * ISA_ROW_CTAID + lane;
	add_string(x, i, ASSERT_FILE, lane, out);
	text_addf(out, ":%u: ", (unsigned)builtin_arg(x, i, ASSERT_LINE, ASSERT_ARGS, lane));
	add_string(x, i, ASSERT_FUNCTION, lane, out);
	text_addf(out, ": block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `", ctaid[0], ctaid[LANES], ctaid[2 * LANES],
		  tid[0], tid[LANES], tid[2 * LANES]);
	add_string(x, i, ASSERT_EXPRESSION, lane, out);
	text_add(out, "` failed.");
}

EXEC_BUILTIN(__assertfail)
{
	struct text t = {0};
	add_assertion(x, i, lanes_first(x->mask), &t);
	exec_raise(x, EXEC_FAULT_ASSERT, x->mask, "%s", text_str(&t));
	text_free(&t);
	text_clear(&x->assert_lines);
	LANES_EACH (l, x->mask) {
		add_assertion(x, i, l, &x->assert_lines);
		text_addc(&x->assert_lines, '\n');
	}
}

/* ---- the device heap ---- */
static void allocate(struct exec *x, const struct isa_insn *i, unsigned n_args, bool (*fits)(uint64_t align))
{
	LANES_EACH (l, x->mask) {
		const uint64_t bytes = builtin_arg(x, i, 0, n_args, l);
		const bool ok = bytes && (!fits || fits(builtin_arg(x, i, 1, n_args, l)));
		const uint64_t p = ok ? x->services.device_malloc(x->services.self, bytes) : 0;
		if (exec_arg_count(x, i) > n_args)
			exec_arg_write(x, i, 0, l, &p, sizeof p);
	}
	memset(x->tlb, 0, sizeof x->tlb);
	x->n_stores++;
}

EXEC_BUILTIN(malloc) { allocate(x, i, 1, NULL); }

/* Returns true if the allocator can align to this. */
static bool is_alignment(uint64_t align) { return align && !(align & (align - 1)) && align <= 256; }

/* (size, alignment): what operator new calls for types that are aligned to more than 16 bytes. */
EXEC_BUILTIN(__cuda_syscall_aligned_malloc) { allocate(x, i, 2, is_alignment); }

/* Returns true if a lower lane frees the same address. */
static bool freed_below(const struct exec *x, const uint64_t p[LANES], unsigned lane)
{
	LANES_EACH (l, x->mask & (lanes_bit(lane) - 1))
		if (p[l] == p[lane])
			return true;
	return false;
}

static const char *why_not_free(struct exec *x, const uint64_t p[LANES], unsigned lane)
{
	switch (x->services.device_heap(x->services.self, p[lane])) {
	case EXEC_HEAP_LIVE:
		return freed_below(x, p, lane) ? "double free: another lane frees this address, too:" : NULL;
	case EXEC_HEAP_FREED: return "double free: this was freed before:";
	case EXEC_HEAP_HOST: return "free of memory that the host has allocated:";
	default: return "free of an address that malloc has not returned:";
	}
}

/* Returns the watchers' judgement of a wrong free; without a checker it faults. */
static enum exec_judgement judge(struct exec *x, const uint64_t p[LANES], unsigned lane)
{
	const enum exec_heap_state state = x->services.device_heap(x->services.self, p[lane]);
	return effect_judge_free(x, lane, p[lane], state, freed_below(x, p, lane));
}

/* Judges each wrong free. Returns false if the instruction stops or faults; else *lanes are the lanes to free for. */
static bool find_wrong(struct exec *x, const uint64_t p[LANES], uint32_t *lanes)
{
	LANES_EACH (l, x->mask) {
		const char *why = p[l] ? why_not_free(x, p, l) : NULL;
		const enum exec_judgement j = why ? judge(x, p, l) : EXEC_JUDGE_SKIP;
		if (why || !p[l])
			*lanes &= ~lanes_bit(l);
		if (j == EXEC_JUDGE_FAULT)
			builtin_bad_address(x, l, p[l], why);
		if (j == EXEC_JUDGE_STOP)
			exec_stop_access(x);
		if (j != EXEC_JUDGE_SKIP)
			return false;
	}
	return true;
}

EXEC_BUILTIN(free)
{
	uint64_t p[LANES] = {0};
	uint32_t lanes = x->mask;
	LANES_EACH (l, x->mask)
		p[l] = builtin_arg(x, i, 0, 1, l);
	if (!find_wrong(x, p, &lanes))
		return;
	LANES_EACH (l, lanes)
		x->services.device_free(x->services.self, p[l]);
	memset(x->tlb, 0, sizeof x->tlb);
	x->n_stores++;
}
