/* The allocators of the routers, in the order of events of booksim's. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "timing/icnt/icnt_internal.h"

#define REQUESTS_MAX (UINT64_C(1) << 24)

bool icnt_requests_init(struct icnt_requests *q, uint32_t n_in, uint32_t n_out)
{
	uint64_t cells = (uint64_t)n_in * n_out;
	uint32_t most = n_in > n_out ? n_in : n_out;
	if (cells > REQUESTS_MAX)
		return false;
	*q = (struct icnt_requests){
		.n_in = n_in, .n_out = n_out, .words_in = icnt_bit_words(n_in), .words_out = icnt_bit_words(n_out)};
	q->in_used = xcalloc(q->words_in, sizeof *q->in_used);
	q->out_used = xcalloc(q->words_out, sizeof *q->out_used);
	q->in_taken = xcalloc(q->words_in, sizeof *q->in_taken);
	q->of_in = xcalloc((size_t)n_in * q->words_out, sizeof *q->of_in);
	q->of_out = xcalloc((size_t)n_out * q->words_in, sizeof *q->of_out);
	q->label = xcalloc(cells, sizeof *q->label);
	q->in_pri = xcalloc(cells, sizeof *q->in_pri);
	q->out_pri = xcalloc(cells, sizeof *q->out_pri);
	q->in_match = xmalloc(n_in * sizeof *q->in_match);
	q->out_match = xmalloc(n_out * sizeof *q->out_match);
	memset(q->in_match, -1, n_in * sizeof *q->in_match);
	memset(q->out_match, -1, n_out * sizeof *q->out_match);
	q->grants = xcalloc((size_t)most * icnt_bit_words(most), sizeof *q->grants);
	q->granted = xcalloc(icnt_bit_words(most), sizeof *q->granted);
	q->scratch = xcalloc(2 * (size_t)most + cells, sizeof *q->scratch);
	return true;
}

void icnt_requests_free(struct icnt_requests *q)
{
	free(q->in_used);
	free(q->out_used);
	free(q->in_taken);
	free(q->of_in);
	free(q->of_out);
	free(q->label);
	free(q->in_pri);
	free(q->out_pri);
	free(q->in_match);
	free(q->out_match);
	free(q->grants);
	free(q->granted);
	free(q->scratch);
}

void icnt_requests_clear(struct icnt_requests *q)
{
	for (uint32_t w = 0; w < q->words_in; w++) {
		for (uint64_t bits = q->in_used[w]; bits;) {
			uint32_t in = w * 64 + icnt_take_bit(&bits);
			memset(&q->of_in[(size_t)in * q->words_out], 0, q->words_out * sizeof *q->of_in);
			q->in_match[in] = -1;
		}
		q->in_used[w] = q->in_taken[w] = 0;
	}
	for (uint32_t w = 0; w < q->words_out; w++) {
		for (uint64_t bits = q->out_used[w]; bits;) {
			uint32_t out = w * 64 + icnt_take_bit(&bits);
			memset(&q->of_out[(size_t)out * q->words_in], 0, q->words_in * sizeof *q->of_out);
			q->out_match[out] = -1;
		}
		q->out_used[w] = 0;
	}
	q->n = 0;
	q->mixed = false;
}

/* A second request for the same pair replaces the first. */
void icnt_request_add(struct icnt_requests *q, uint32_t in, uint32_t out, int32_t label, int32_t in_pri,
		      int32_t out_pri)
{
	size_t cell = (size_t)in * q->n_out + out;
	if (q->n) {
		size_t last = (size_t)q->last_in * q->n_out + q->last_out;
		q->mixed = q->mixed || in_pri != q->in_pri[last] || out_pri != q->out_pri[last];
	}
	icnt_set(q->in_used, in);
	icnt_set(q->out_used, out);
	icnt_set(&q->of_in[(size_t)in * q->words_out], out);
	icnt_set(&q->of_out[(size_t)out * q->words_in], in);
	q->label[cell] = label;
	q->in_pri[cell] = in_pri;
	q->out_pri[cell] = out_pri;
	q->last_in = in;
	q->last_out = out;
	q->n++;
}

static void match(struct icnt_requests *q, uint32_t in, uint32_t out)
{
	q->in_match[in] = (int32_t)out;
	q->out_match[out] = (int32_t)in;
	icnt_set(q->in_taken, in);
}

static uint32_t after(uint32_t i, uint32_t size) { return i + 1 == size ? 0 : i + 1; }

/* First input that asks for `out`, is free, and stands at or after `start` (cyclic); -1: none. */
static int64_t free_input(const struct icnt_requests *q, uint32_t out, uint32_t start)
{
	const uint64_t *row = &q->of_out[(size_t)out * q->words_in];
	uint32_t w = start / 64;
	uint64_t mask = ~UINT64_C(0) << (start % 64);
	for (uint32_t i = 0; i <= q->words_in; i++) {
		uint64_t bits = row[w] & ~q->in_taken[w] & mask;
		if (bits)
			return w * 64 + (uint32_t)__builtin_ctzll(bits);
		mask = ~UINT64_C(0);
		w = after(w, q->words_in);
	}
	return -1;
}

/* ---- iSLIP: grants by outputs, accepts by inputs, both round robin; pointers move in the first iteration only ---- */
static void islip_accept(struct icnt_allocator *a, struct icnt_requests *q, uint32_t in, bool first)
{
	uint64_t *row = &q->grants[(size_t)in * q->words_out];
	uint32_t out = icnt_first_from(row, q->words_out, a->in_pointer[in]);
	memset(row, 0, q->words_out * sizeof *row);
	match(q, in, out);
	if (first) {
		a->out_pointer[out] = after(in, q->n_in);
		a->in_pointer[in] = after(out, q->n_out);
	}
}

static void islip(struct icnt_allocator *a, struct icnt_requests *q)
{
	for (uint32_t iteration = 0; iteration < a->setup.iterations; iteration++) {
		for (uint32_t w = 0; w < q->words_out; w++)
			for (uint64_t bits = q->out_used[w]; bits;) {
				uint32_t out = w * 64 + icnt_take_bit(&bits);
				int64_t in = q->out_match[out] < 0 ? free_input(q, out, a->out_pointer[out]) : -1;
				if (in < 0)
					continue;
				icnt_set(&q->grants[(size_t)in * q->words_out], out);
				icnt_set(q->granted, (uint32_t)in);
			}
		for (uint32_t w = 0; w < q->words_in; w++) {
			for (uint64_t bits = q->granted[w]; bits;)
				islip_accept(a, q, w * 64 + icnt_take_bit(&bits), !iteration);
			q->granted[w] = 0;
		}
	}
}

/* ---- select: as iSLIP with one iteration, but the highest priority wins ---- */
static uint32_t best_from(const uint64_t *row, uint32_t size, uint32_t start, const int32_t *priority, uint32_t stride)
{
	uint32_t best = UINT32_MAX;
	for (uint32_t k = 0, i = start; k < size; k++, i = after(i, size))
		if (row[i / 64] >> (i % 64) & 1 &&
		    (best == UINT32_MAX || priority[(size_t)i * stride] > priority[(size_t)best * stride]))
			best = i;
	return best;
}

static void select_highest(struct icnt_allocator *a, struct icnt_requests *q)
{
	for (uint32_t out = 0; out < q->n_out; out++) {
		if (!(q->out_used[out / 64] >> (out % 64) & 1))
			continue;
		uint32_t in = best_from(&q->of_out[(size_t)out * q->words_in], q->n_in, a->out_pointer[out],
					&q->out_pri[out], q->n_out);
		icnt_set(&q->grants[(size_t)in * q->words_out], out);
		icnt_set(q->granted, in);
	}
	for (uint32_t w = 0; w < q->words_in; w++) {
		for (uint64_t bits = q->granted[w]; bits;) {
			uint32_t in = w * 64 + icnt_take_bit(&bits);
			uint64_t *row = &q->grants[(size_t)in * q->words_out];
			uint32_t out =
				best_from(row, q->n_out, a->in_pointer[in], &q->in_pri[(size_t)in * q->n_out], 1);
			memset(row, 0, q->words_out * sizeof *row);
			match(q, in, out);
			a->out_pointer[out] = after(in, q->n_in);
			a->in_pointer[in] = after(out, q->n_out);
		}
		q->granted[w] = 0;
	}
}

/* ---- PIM: random grants, random accepts ---- */
static void pim(struct icnt *n, struct icnt_allocator *a, struct icnt_requests *q)
{
	int32_t *grant = q->scratch;
	for (uint32_t iteration = 0; iteration < a->setup.iterations; iteration++) {
		for (uint32_t out = 0; out < q->n_out; out++) {
			uint32_t start = icnt_random_int(n, q->n_in - 1);
			grant[out] = q->out_match[out] < 0 ? (int32_t)free_input(q, out, start) : -1;
		}
		for (uint32_t in = 0; in < q->n_in; in++) {
			uint32_t out = icnt_random_int(n, q->n_out - 1);
			for (uint32_t k = 0; k < q->n_out; k++, out = after(out, q->n_out))
				if (grant[out] == (int32_t)in) {
					match(q, in, out);
					break;
				}
		}
	}
}

/* ---- LOA: each input asks only the output that the fewest ask for ---- */
static void lonely_output(struct icnt_allocator *a, struct icnt_requests *q)
{
	int32_t *asked = q->scratch, *count = q->scratch + q->n_in;
	for (uint32_t out = 0; out < q->n_out; out++) {
		count[out] = 0;
		for (uint32_t w = 0; w < q->words_in; w++)
			count[out] += __builtin_popcountll(q->of_out[(size_t)out * q->words_in + w]);
	}
	for (uint32_t in = 0; in < q->n_in; in++) {
		asked[in] = -1;
		uint32_t out = a->in_pointer[in];
		for (uint32_t k = 0; k < q->n_out; k++, out = after(out, q->n_out))
			if (icnt_requested(q, in, out) && (asked[in] < 0 || count[out] < count[asked[in]]))
				asked[in] = (int32_t)out;
	}
	for (uint32_t out = 0; out < q->n_out; out++) {
		uint32_t in = a->out_pointer[out];
		for (uint32_t k = 0; k < q->n_in; k++, in = after(in, q->n_in)) {
			if (asked[in] != (int32_t)out)
				continue;
			match(q, in, out);
			a->in_pointer[in] = after(a->in_pointer[in], q->n_out);
			a->out_pointer[out] = after(a->out_pointer[out], q->n_in);
			break;
		}
	}
}

/* ---- wavefront: diagonals of the request matrix, priorities from high to low ---- */
/* Puts the requests of the priority pair into lists by diagonal; cells of a diagonal never conflict. */
static void wavefront_sort(struct icnt_requests *q, uint32_t square, uint32_t first, int32_t out_pri, int32_t in_pri)
{
	int32_t *head = q->scratch, *next = q->scratch + 2 * (size_t)square;
	for (uint32_t d = 0; d < square; d++)
		head[d] = -1;
	for (uint32_t w = 0; w < q->words_in; w++)
		for (uint64_t bits = q->in_used[w]; bits;) {
			uint32_t in = w * 64 + icnt_take_bit(&bits);
			for (uint32_t out = 0; out < q->n_out; out++) {
				size_t cell = (size_t)in * q->n_out + out;
				if (!icnt_requested(q, in, out) || q->in_pri[cell] != in_pri ||
				    q->out_pri[cell] != out_pri)
					continue;
				uint32_t d = (in + out + square - first) % square;
				next[cell] = head[d];
				head[d] = (int32_t)cell;
			}
		}
}

/* The next lower pair of priorities (out_pri first) among the requests; false: none. */
static bool wavefront_level(const struct icnt_requests *q, bool first, int32_t *out_pri, int32_t *in_pri)
{
	bool found = false;
	int32_t best_out = 0, best_in = 0;
	for (uint32_t in = 0; in < q->n_in; in++)
		for (uint32_t out = 0; out < q->n_out; out++) {
			size_t cell = (size_t)in * q->n_out + out;
			if (!icnt_requested(q, in, out))
				continue;
			int32_t o = q->out_pri[cell], i = q->in_pri[cell];
			bool below = first || o < *out_pri || (o == *out_pri && i < *in_pri);
			if (below && (!found || o > best_out || (o == best_out && i > best_in))) {
				found = true;
				best_out = o;
				best_in = i;
			}
		}
	*out_pri = best_out;
	*in_pri = best_in;
	return found;
}

static void wavefront(struct icnt_allocator *a, struct icnt_requests *q)
{
	uint32_t square = q->n_in > q->n_out ? q->n_in : q->n_out, first_diagonal = UINT32_MAX;
	int32_t out_pri = 0, in_pri = 0, *head = q->scratch, *next = q->scratch + 2 * (size_t)square;
	for (bool first = true; wavefront_level(q, first, &out_pri, &in_pri); first = false) {
		wavefront_sort(q, square, *a->pointer, out_pri, in_pri);
		for (uint32_t d = 0; d < square; d++)
			for (int32_t cell = head[d]; cell >= 0; cell = next[cell]) {
				uint32_t in = (uint32_t)cell / q->n_out, out = (uint32_t)cell % q->n_out;
				if (q->in_match[in] >= 0 || q->out_match[out] >= 0)
					continue;
				match(q, in, out);
				if (first_diagonal == UINT32_MAX)
					first_diagonal = in + out;
			}
		if (!q->mixed)
			break;
	}
	/* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): a router has ports */
	*a->pointer = ((a->setup.kind == ICNT_RR_WAVEFRONT ? first_diagonal : *a->pointer) + 1) % square;
}

/* ---- max_size: shortest augmenting paths until there is none ---- */
/* A breadth-first search from all free inputs; the free output found, -1: none. from[out]: the input it was reached from. */
static int32_t augmenting_end(const struct icnt_requests *q, uint32_t first, int32_t *from, int32_t *queue)
{
	uint32_t n = 0;
	for (uint32_t out = 0; out < q->n_out; out++)
		from[out] = -1;
	for (uint32_t k = 0, in = first; k < q->n_in; k++, in = after(in, q->n_in))
		if (q->in_match[in] < 0)
			queue[n++] = (int32_t)in;
	for (uint32_t e = 0; e < n; e++) {
		uint32_t in = (uint32_t)queue[e];
		for (uint32_t out = 0; out < q->n_out; out++) {
			if (!icnt_requested(q, in, out) || q->in_match[in] == (int32_t)out || from[out] >= 0)
				continue;
			from[out] = (int32_t)in;
			if (q->out_match[out] < 0)
				return (int32_t)out;
			queue[n++] = q->out_match[out];
		}
	}
	return -1;
}

static void max_size(struct icnt_allocator *a, struct icnt_requests *q)
{
	uint32_t most = q->n_in > q->n_out ? q->n_in : q->n_out;
	int32_t *from = q->scratch, *queue = q->scratch + most, out;
	while ((out = augmenting_end(q, *a->pointer, from, queue)) >= 0) {
		while (out >= 0) {
			int32_t in = from[out], before = q->in_match[in];
			match(q, (uint32_t)in, (uint32_t)out);
			out = before;
		}
	}
	*a->pointer = after(*a->pointer, q->n_in);
}

/* ---- separable: an arbiter for each input and each output ---- */
static void separable(struct icnt_allocator *a, struct icnt_requests *q, bool input_first)
{
	struct icnt_arbiters *one = input_first ? &a->in : &a->out, *two = input_first ? &a->out : &a->in;
	const uint64_t *rows = input_first ? q->of_in : q->of_out, *used = input_first ? q->in_used : q->out_used;
	uint32_t row_words = input_first ? q->words_out : q->words_in, words = input_first ? q->words_in : q->words_out;
	const int32_t *pri_one = input_first ? q->in_pri : q->out_pri, *pri_two = input_first ? q->out_pri : q->in_pri;
	uint32_t down = input_first ? q->n_out : 1, across = input_first ? 1 : q->n_out;
	for (uint32_t w = 0; w < words; w++)
		for (uint64_t bits = used[w]; bits;) {
			uint32_t i = w * 64 + icnt_take_bit(&bits);
			uint32_t j = icnt_arbitrate(one, i, &rows[(size_t)i * row_words],
						    q->mixed ? &pri_one[(size_t)i * down] : NULL, across);
			icnt_set(&q->grants[(size_t)j * words], i);
			icnt_set(q->granted, j);
		}
	for (uint32_t w = 0; w < row_words; w++) {
		for (uint64_t bits = q->granted[w]; bits;) {
			uint32_t j = w * 64 + icnt_take_bit(&bits);
			uint64_t *row = &q->grants[(size_t)j * words];
			uint32_t i = icnt_arbitrate(two, j, row, q->mixed ? &pri_two[(size_t)j * across] : NULL, down);
			memset(row, 0, words * sizeof *row);
			match(q, input_first ? i : j, input_first ? j : i);
			icnt_arbiter_update(one, i, j);
			icnt_arbiter_update(two, j, i);
		}
		q->granted[w] = 0;
	}
}

void icnt_allocate(struct icnt *n, struct icnt_allocator *a, struct icnt_requests *q)
{
	switch (a->setup.kind) {
	case ICNT_ISLIP: islip(a, q); break;
	case ICNT_PIM: pim(n, a, q); break;
	case ICNT_LOA: lonely_output(a, q); break;
	case ICNT_WAVEFRONT:
	case ICNT_RR_WAVEFRONT:
		if (q->n)
			wavefront(a, q);
		break;
	case ICNT_MAX_SIZE: max_size(a, q); break;
	case ICNT_SELECT: select_highest(a, q); break;
	case ICNT_INPUT_FIRST: separable(a, q, true); break;
	case ICNT_OUTPUT_FIRST: separable(a, q, false); break;
	case ICNT_PIGGYBACK:
	case ICNT_PRIO: break;
	}
}

bool icnt_allocator_init(struct icnt_allocator *a, struct timing_memory *m, const struct icnt_allocator_setup *setup,
			 uint32_t n_in, uint32_t n_out)
{
	bool separable = setup->kind == ICNT_INPUT_FIRST || setup->kind == ICNT_OUTPUT_FIRST;
	a->setup = *setup;
	if (separable)
		return icnt_arbiters_init(&a->in, m, setup, n_in, n_out) &&
		       icnt_arbiters_init(&a->out, m, setup, n_out, n_in);
	a->in_pointer = timing_take(m, n_in, sizeof *a->in_pointer);
	a->out_pointer = timing_take(m, n_out, sizeof *a->out_pointer);
	a->pointer = timing_take(m, 1, sizeof *a->pointer);
	return a->in_pointer && a->out_pointer && a->pointer;
}
