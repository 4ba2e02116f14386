/* Arbiters of separable allocators: round robin or matrix, plain or as a tree of two levels. */
#include "timing/icnt/icnt_internal.h"

bool icnt_arbiters_init(struct icnt_arbiters *a, struct timing_memory *m, const struct icnt_allocator_setup *setup,
			uint32_t n, uint32_t size)
{
	uint32_t groups = setup->groups, leaf = size / groups;
	*a = (struct icnt_arbiters){.size = size, .groups = groups};
	if (!setup->matrix) {
		a->leaf = timing_take(m, (uint64_t)n * groups, sizeof *a->leaf);
		a->root = timing_take(m, n, sizeof *a->root);
		return a->leaf && a->root;
	}
	a->leaf_beats = timing_take(m, (uint64_t)n * size * icnt_bit_words(leaf), sizeof *a->leaf_beats);
	a->root_beats = timing_take(m, (uint64_t)n * groups * icnt_bit_words(groups), sizeof *a->root_beats);
	if (!a->leaf_beats || !a->root_beats)
		return false;
	/* at first the later one beats the earlier one */
	for (uint64_t i = 0; i < (uint64_t)n * size; i++)
		for (uint32_t j = 0; j < i % leaf; j++)
			icnt_set(&a->leaf_beats[i * icnt_bit_words(leaf)], j);
	for (uint64_t i = 0; i < (uint64_t)n * groups; i++)
		for (uint32_t j = 0; j < i % groups; j++)
			icnt_set(&a->root_beats[i * icnt_bit_words(groups)], j);
	return true;
}

static bool asks(const uint64_t *row, uint32_t i) { return row[i / 64] >> (i % 64) & 1; }
static int32_t urgency(const int32_t *priority, uint32_t i, uint32_t stride)
{
	/* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.UndefReturn): an input that asks has one */
	return priority ? priority[(size_t)i * stride] : 0;
}

/* Requests first .. first + size - 1 of the row, the winner counted within them; UINT32_MAX: none asks. */
static uint32_t round_robin(uint32_t pointer, const uint64_t *row, uint32_t first, uint32_t size,
			    const int32_t *priority, uint32_t stride)
{
	uint32_t best = UINT32_MAX;
	for (uint32_t k = 0, i = pointer; k < size; k++, i = i + 1 == size ? 0 : i + 1)
		if (asks(row, first + i) && (best == UINT32_MAX || urgency(priority, first + i, stride) >
									   urgency(priority, first + best, stride)))
			best = i;
	return best;
}

static uint32_t matrix(const uint64_t *beats, const uint64_t *row, uint32_t first, uint32_t size,
		       const int32_t *priority, uint32_t stride)
{
	uint32_t best = UINT32_MAX, words = icnt_bit_words(size);
	for (uint32_t i = 0; i < size; i++) {
		if (!asks(row, first + i))
			continue;
		int32_t mine = urgency(priority, first + i, stride);
		int32_t other = best == UINT32_MAX ? mine : urgency(priority, first + best, stride);
		if (best == UINT32_MAX || mine > other || (mine == other && asks(&beats[(size_t)i * words], best)))
			best = i;
	}
	return best;
}

static uint32_t leaf_winner(const struct icnt_arbiters *a, uint32_t which, uint32_t group, const uint64_t *row,
			    const int32_t *priority, uint32_t stride)
{
	uint32_t size = a->size / a->groups, leaf = which * a->groups + group;
	if (a->leaf)
		return round_robin(a->leaf[leaf], row, group * size, size, priority, stride);
	return matrix(&a->leaf_beats[(size_t)leaf * size * icnt_bit_words(size)], row, group * size, size, priority,
		      stride);
}

static uint32_t tree_winner(const struct icnt_arbiters *a, uint32_t which, const uint64_t *row, const int32_t *priority,
			    uint32_t stride)
{
	uint64_t groups[64] = {0};
	uint32_t size = a->size / a->groups, winner[4096], group;
	int32_t urgent[4096];
	for (uint32_t g = 0; g < a->groups; g++) {
		winner[g] = leaf_winner(a, which, g, row, priority, stride);
		if (winner[g] == UINT32_MAX)
			continue;
		icnt_set(groups, g);
		urgent[g] = urgency(priority, g * size + winner[g], stride);
	}
	if (a->root)
		group = round_robin(a->root[which], groups, 0, a->groups, urgent, 1);
	else
		group = matrix(&a->root_beats[(size_t)which * a->groups * icnt_bit_words(a->groups)], groups, 0,
			       a->groups, urgent, 1);
	/* cppcheck-suppress uninitvar ; only a group with a winner can win */
	/* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): likewise */
	return group * size + winner[group];
}

uint32_t icnt_arbitrate(const struct icnt_arbiters *a, uint32_t which, const uint64_t *row, const int32_t *priority,
			uint32_t stride)
{
	if (a->groups > 1)
		return tree_winner(a, which, row, priority, stride);
	if (a->leaf && !priority)
		return icnt_first_from(row, icnt_bit_words(a->size), a->leaf[which]);
	return leaf_winner(a, which, 0, row, priority, stride);
}

/* The winner loses to all from now on. */
static void matrix_update(uint64_t *beats, uint32_t size, uint32_t winner)
{
	uint32_t words = icnt_bit_words(size);
	for (uint32_t i = 0; i < size; i++) {
		icnt_unset(&beats[(size_t)winner * words], i);
		if (i != winner)
			icnt_set(&beats[(size_t)i * words], winner);
	}
}

void icnt_arbiter_update(struct icnt_arbiters *a, uint32_t which, uint32_t winner)
{
	uint32_t size = a->size / a->groups, group = winner / size, leaf = which * a->groups + group;
	if (a->leaf) {
		a->leaf[leaf] = (winner % size + 1) % size;
		a->root[which] = (group + 1) % a->groups;
		return;
	}
	matrix_update(&a->leaf_beats[(size_t)leaf * size * icnt_bit_words(size)], size, winner % size);
	if (a->groups > 1)
		matrix_update(&a->root_beats[(size_t)which * a->groups * icnt_bit_words(a->groups)], a->groups, group);
}
