/* Streams that wait for each other by words of memory, drawn at random, against a model: each piece of work adds up those before it, whatever the order in which
 * the streams were filled, so whatever comes too early is seen. Waits are often queued before what ends them. `words_random FROM TO` */
#include <stdlib.h>

#include "driver.h"
#include "words.h"

enum { STREAMS = 4, WORK = 20, ROUNDS = 3, ALL_ONES = 0xff };

int cuMemsetD8_v2(ptr, unsigned char, size_t);
int cuStreamBatchMemOp_v2(void *, unsigned, struct op *, unsigned);

static void *gather, *streams[STREAMS];
static ptr sums, words[2]; /* of the device's, and of the program's too */
static uint64_t state;

/* What a piece of work is: its stream, how its word says that it is done, and whom it waits for. */
static struct {
	unsigned stream, how, wide, where;
	uint64_t others;
} work[WORK];

static unsigned draw(unsigned below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)(state >> 33) % below;
}

/* What the word becomes, and what is waited for: the words begin with 0, but of those that wait for a bit to vanish. */
static uint64_t written(unsigned k, unsigned round) { return work[k].how == AND ? 1u << round : work[k].how == NOR ? ~(UINT64_C(1) << round) : round; }
static uint64_t waited(unsigned k, unsigned round) { return work[k].how == NOR ? ~(UINT64_C(1) << round) : written(k, round); }

static struct op operation(unsigned k, int what, unsigned round)
{
	return (struct op){.operation = what + (work[k].wide ? WAIT_64 - WAIT_32 : 0),
			   .address = words[work[k].where] + k * 8,
			   .value = what == WAIT_32 ? waited(k, round) : written(k, round),
			   .flags = what == WAIT_32 ? work[k].how : 0};
}

static void choose(void)
{
	for (unsigned k = 0; k < WORK; k++) {
		work[k].stream = draw(STREAMS);
		work[k].how = draw(4);
		work[k].wide = draw(2);
		work[k].where = draw(2);
		work[k].others = 0;
		for (unsigned n = draw(3); n && k; n--)
			work[k].others |= UINT64_C(1) << draw(k);
	}
}

static void queue(unsigned k, unsigned round)
{
	struct op op[4];
	unsigned n = 0, plus = round;
	for (unsigned j = 0; j < k; j++)
		if (work[k].others >> j & 1)
			op[n++] = operation(j, WAIT_32, round);
	RETURNS(0, cuStreamBatchMemOp_v2(streams[work[k].stream], n, op, 0));
	ptr to = sums + k * 4;
	RETURNS(0, cuLaunchKernel(gather, 1, 1, 1, 1, 1, 1, 0, streams[work[k].stream], (void *[]){&to, &sums, &work[k].others, &plus}, NULL));
	op[0] = operation(k, WRITE_32, round);
	RETURNS(0, cuStreamBatchMemOp_v2(streams[work[k].stream], 1, op, 0));
	if (!draw(8))
		cuStreamQuery(streams[draw(STREAMS)]);
}

/* Each stream's work in order, the streams at random. */
static void fill(unsigned round)
{
	unsigned next[STREAMS] = {0};
	for (unsigned left = WORK; left;) {
		const unsigned s = draw(STREAMS);
		while (next[s] < WORK && work[next[s]].stream != s)
			next[s]++;
		if (next[s] == WORK)
			continue;
		queue(next[s]++, round);
		left--;
	}
}

static void check(unsigned seed, unsigned round)
{
	unsigned is[WORK], wanted[WORK];
	RETURNS(0, cuMemcpyDtoH_v2(is, sums, sizeof is));
	for (unsigned k = 0; k < WORK; k++) {
		wanted[k] = round;
		for (unsigned j = 0; j < k; j++)
			wanted[k] += work[k].others >> j & 1 ? wanted[j] : 0;
		if (is[k] != wanted[k])
			failures++, printf("seed %u, round %u, work %u: %u, wanted %u\n", seed, round, k, is[k], wanted[k]);
	}
}

static void try(unsigned seed, void *of_program)
{
	state = (seed + 1) * UINT64_C(0x9E3779B97F4A7C15);
	choose();
	RETURNS(0, cuMemsetD8_v2(words[0], 0, WORK * 8));
	for (unsigned k = 0; k < WORK; k++)
		((uint64_t *)of_program)[k] = 0;
	for (unsigned k = 0; k < WORK; k++) /* nothing has vanished yet */
		if (work[k].how == NOR && work[k].where)
			((uint64_t *)of_program)[k] = UINT64_MAX;
		else if (work[k].how == NOR)
			RETURNS(0, cuMemsetD8_v2(words[0] + k * 8, ALL_ONES, 8));
	for (unsigned round = 1; round <= ROUNDS && failures < 10; round++) {
		RETURNS(0, cuMemsetD8_v2(sums, ALL_ONES, WORK * 4));
		RETURNS(0, cuCtxSynchronize());
		fill(round);
		RETURNS(0, cuCtxSynchronize());
		check(seed, round);
	}
}

int main(int argc, char **argv)
{
	void *of_program;
	const unsigned from = argc > 1 ? (unsigned)atoi(argv[1]) : 1, to = argc > 2 ? (unsigned)atoi(argv[2]) : from;
	begin_driver();
	gather = kernel_of("conditions.ptx", "gather");
	RETURNS(0, cuMemAlloc_v2(&sums, WORK * 4));
	RETURNS(0, cuMemAlloc_v2(&words[0], WORK * 8));
	RETURNS(0, cuMemHostAlloc(&of_program, WORK * 8, 2));
	words[1] = (ptr)(uintptr_t)of_program;
	for (unsigned k = 0; k < STREAMS; k++)
		RETURNS(0, cuStreamCreate(&streams[k], k % 2));
	for (unsigned seed = from; seed <= to && !failures; seed++)
		try(seed, of_program);
	if (!failures)
		puts("done");
	return failures != 0;
}
