/* Waits of streams for a word of memory: whether they are over, and what is said of those that aren't. */
#include <inttypes.h>

#include "gpu/stream/stream_internal.h"

bool poll_is_valid(const struct gpu_poll *p)
{
	return (p->bytes == 4 || p->bytes == 8) && p->address % p->bytes == 0 && (unsigned)p->how < GPU_POLL_HOWS;
}

static bool read_word(const struct gpu *g, const struct gpu_poll *p, uint64_t *word)
{
	*word = 0;
	return gpu_read(g, p->address, word, p->bytes);
}

bool poll_is_over(const struct gpu *g, const struct gpu_poll *p)
{
	const uint64_t sign = UINT64_C(1) << (p->bytes * 8 - 1), all = sign | (sign - 1);
	uint64_t word;
	if (!read_word(g, p, &word))
		return false;
	switch (p->how) {
	case GPU_POLL_GEQ: return !((word - p->value) & sign);
	case GPU_POLL_EQ: return word == (p->value & all);
	case GPU_POLL_AND: return word & p->value;
	case GPU_POLL_NOR: return ~(word | p->value) & all;
	default: return false;
	}
}

static void add_word(const struct gpu_poll *p, uint64_t word, struct text *out)
{
	text_addf(out, p->how < GPU_POLL_AND ? "%" PRIu64 : "0x%" PRIx64, word);
}

/* " (alloc_1 + 8) " */
static void add_name(const struct gpu *g, uint64_t address, struct text *out)
{
	const struct gpu_allocation *a = gpu_nearest_allocation(g, address);
	const uint64_t start = a ? gpu_allocation_start(a) : 0;
	text_addc(out, ' ');
	if (!a || address < start || address >= a->address + a->bytes)
		return;
	text_addf(out, "(%s", a->name);
	if (address > start)
		text_addf(out, " + %" PRIu64, address - start);
	text_add(out, ") ");
}

/* "until the 4 bytes at 0x80000a00 (alloc_1) are >= 5; they are 0" */
void poll_explain(const struct gpu *g, const struct gpu_poll *p, struct text *out)
{
	static const char *const hows[GPU_POLL_HOWS] = {"are >= ", "are ", "have a bit of ",
							"lack a bit that isn't in "};
	uint64_t word;
	text_addf(out, "until the %u bytes at 0x%" PRIx64, p->bytes, p->address);
	add_name(g, p->address, out);
	text_add(out, hows[p->how]);
	add_word(p, p->value, out);
	if (!read_word(g, p, &word)) {
		text_add(out, ", but they are not allocated");
		return;
	}
	text_add(out, "; they are ");
	add_word(p, word, out);
}
