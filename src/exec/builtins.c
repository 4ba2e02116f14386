/* Library functions of the device runtime: __assertfail, malloc, free. */
#include "exec/builtins.h"

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

/* A string of the message; a question mark if it can't be read. */
static void add_string(struct exec *x, const struct isa_insn *i, unsigned k, unsigned lane, struct text *out)
{
	struct text s = {0};
	const uint64_t address = builtin_arg(x, i, k, ASSERT_ARGS, lane);
	text_add(out, address && builtin_string(x, lane, address, sizeof x->fault.detail, &s) ? text_str(&s) : "?");
	text_free(&s);
}

EXEC_BUILTIN(__assertfail)
{
	const unsigned lane = lanes_first(x->mask);
	const uint32_t *special = (const uint32_t *)(const void *)x->base[ISA_BASE_SPECIAL];
	const uint32_t *tid = special + LANES * ISA_ROW_TID + lane, *ctaid = special + LANES * ISA_ROW_CTAID + lane;
	struct text t = {0};
	add_string(x, i, ASSERT_FILE, lane, &t);
	text_addf(&t, ":%u: ", (unsigned)builtin_arg(x, i, ASSERT_LINE, ASSERT_ARGS, lane));
	add_string(x, i, ASSERT_FUNCTION, lane, &t);
	text_addf(&t, ": block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `", ctaid[0], ctaid[LANES], ctaid[2 * LANES],
		  tid[0], tid[LANES], tid[2 * LANES]);
	add_string(x, i, ASSERT_EXPRESSION, lane, &t);
	text_add(&t, "' failed.");
	exec_raise(x, EXEC_FAULT_ASSERT, x->mask, "%s", text_str(&t));
	text_free(&t);
}

/* ---- the device heap ---- */
EXEC_BUILTIN(malloc)
{
	LANES_EACH (l, x->mask) {
		const uint64_t bytes = builtin_arg(x, i, 0, 1, l);
		const uint64_t p = bytes ? x->services.device_malloc(x->services.self, bytes) : 0;
		if (exec_arg_count(x, i) > 1)
			exec_arg_write(x, i, 0, l, &p, sizeof p);
	}
	memset(x->tlb, 0, sizeof x->tlb);
	x->n_stores++;
}

/* Is it the start of an allocation that no lower lane frees as well? */
static bool can_free(struct exec *x, const uint64_t p[LANES], unsigned lane)
{
	struct exec_window w;
	LANES_EACH (l, x->mask & (lanes_bit(lane) - 1))
		if (p[l] == p[lane])
			return false;
	return x->services.find_allocation(x->services.self, p[lane], 1, &w) && w.first == p[lane];
}

EXEC_BUILTIN(free)
{
	uint64_t p[LANES] = {0};
	LANES_EACH (l, x->mask)
		p[l] = builtin_arg(x, i, 0, 1, l);
	LANES_EACH (l, x->mask)
		if (p[l] && !can_free(x, p, l)) {
			builtin_bad_address(x, l, p[l], "free of an address that malloc has not returned:");
			return;
		}
	LANES_EACH (l, x->mask)
		if (p[l])
			x->services.device_free(x->services.self, p[l]);
	memset(x->tlb, 0, sizeof x->tlb);
	x->n_stores++;
}
