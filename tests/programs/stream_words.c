/* Streams that wait for words of memory and write them: who satisfies a wait, what the four comparisons are, batches, nodes of graphs, what is refused.
 * `never`: nobody writes the word; `mapped`: the same of memory that the program could write; `thread`: a thread does, in memory that only the device has, by another stream; `chain`: streams and kernels that
 * hand on to each other. Layouts: cuda.h. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "driver.h"
#include "words.h"

struct node { /* CUDA_BATCH_MEM_OP_NODE_PARAMS */
	void *context;
	unsigned n;
	struct op *op;
	unsigned flags;
};
enum { INVALID_VALUE = 1, INVALID_HANDLE = 400, NOT_READY = 600, NON_BLOCKING = 1, MAPPED = 2, BATCH_NODE = 12 };

int cuMemHostRegister_v2(void *, size_t, unsigned), cuMemHostGetDevicePointer_v2(ptr *, void *, unsigned);
int cuMemHostUnregister(void *);
int cuEventQuery(void *), cuStreamWaitEvent(void *, void *, unsigned);
int cuStreamWaitValue64_v2(void *, ptr, uint64_t, unsigned);
int cuStreamWriteValue64_v2(void *, ptr, uint64_t, unsigned);
int cuStreamWaitValue32(void *, ptr, uint32_t, unsigned), cuStreamWaitValue32_v2_ptsz(void *, ptr, uint32_t, unsigned), cuStreamQuery_ptsz(void *);
int cuStreamBatchMemOp_v2(void *, unsigned, struct op *, unsigned);
int cuGraphAddBatchMemOpNode(void **, void *, void *const *, size_t, const struct node *), cuGraphBatchMemOpNodeGetParams(void *, struct node *);
int cuGraphBatchMemOpNodeSetParams(void *, const struct node *), cuGraphExecBatchMemOpNodeSetParams(void *, void *, const struct node *);
int cuGetProcAddress_v2(const char *, void **, int, uint64_t, int *);

static void *add, *scale, *forever, *a, *b, *c;
static ptr words, data;

static unsigned word(ptr p)
{
	unsigned value;
	RETURNS(0, cuMemcpyDtoH_v2(&value, p, sizeof value));
	return value;
}

static int kernel(void *k, void *stream, ptr p, unsigned n)
{
	return cuLaunchKernel(k, 1, 1, 1, 1, 1, 1, 0, stream, (void *[]){&p, &n}, NULL);
}

static void begin(unsigned value)
{
	RETURNS(0, cuMemsetD32_v2(words, 0, 8));
	RETURNS(0, cuMemsetD32_v2(data, value, 1));
	RETURNS(0, cuCtxSynchronize());
}

/* (5 * 3) + 4 if it waits for what comes later in another stream; 27 if it doesn't. */
static void by_another_stream(void)
{
	begin(5);
	RETURNS(0, cuStreamWaitValue32_v2(a, words, 1, EQ));
	RETURNS(0, kernel(add, a, data, 4));
	RETURNS(NOT_READY, cuStreamQuery(a));
	RETURNS(0, kernel(scale, b, data, 3));
	RETURNS(0, cuStreamWriteValue32_v2(b, words, 1, 0));
	RETURNS(0, cuStreamSynchronize(a));
	EXPECT(word(data) == 19);

	begin(5); /* the kernel itself stores it */
	RETURNS(0, cuStreamWaitValue32_v2(a, data, 15, GEQ | FLUSH));
	RETURNS(0, kernel(add, a, data, 4));
	RETURNS(0, kernel(scale, b, data, 3));
	RETURNS(0, cuCtxSynchronize());
	EXPECT(word(data) == 19);
}

/* What waits for the wait: events of it, and streams that wait for those. */
static void events(void)
{
	void *after;
	RETURNS(0, cuEventCreate(&after, 0));
	begin(5);
	RETURNS(0, cuStreamWaitValue64_v2(a, words, UINT64_C(1) << 40, EQ));
	RETURNS(0, cuEventRecord(after, a));
	RETURNS(0, cuStreamWaitEvent(c, after, 0));
	RETURNS(0, kernel(add, c, data, 4));
	RETURNS(NOT_READY, cuEventQuery(after));
	RETURNS(NOT_READY, cuStreamQuery(c));
	RETURNS(0, kernel(scale, b, data, 3));
	RETURNS(0, cuStreamWriteValue64_v2(b, words, UINT64_C(1) << 40, 0));
	RETURNS(0, cuCtxSynchronize());
	RETURNS(0, cuEventQuery(after));
	EXPECT(word(data) == 19 && word(words) == 0 && word(words + 4) == 256);
}

/* The program stores it: in page-locked memory, which has one address, and in registered memory, which has another one. */
static void by_the_host(void)
{
	static unsigned registered[2048] __attribute__((aligned(4096)));
	volatile unsigned *both;
	ptr p;
	RETURNS(0, cuMemHostAlloc((void **)&both, 4, MAPPED));
	RETURNS(0, cuMemHostRegister_v2(registered, sizeof registered, 0));
	RETURNS(0, cuMemHostGetDevicePointer_v2(&p, registered, 0));
	both[0] = 0;
	begin(5);
	RETURNS(0, cuStreamWaitValue32_v2(a, (ptr)(uintptr_t)both, 8, AND));
	RETURNS(0, cuStreamWaitValue32_v2(a, p + 4, 3, GEQ));
	RETURNS(0, kernel(add, a, data, 4));
	RETURNS(0, cuStreamWriteValue32_v2(a, p + 8, 11, 0));
	RETURNS(NOT_READY, cuStreamQuery(a));
	both[0] = 7;
	usleep(20000);
	RETURNS(NOT_READY, cuStreamQuery(a));
	both[0] = 9;
	RETURNS(NOT_READY, cuStreamQuery(a));
	registered[1] = 4;
	RETURNS(0, cuStreamSynchronize(a));
	EXPECT(registered[2] == 11 && word(data) == 9);
	RETURNS(0, cuMemHostUnregister(registered));
}

/* The four comparisons, as cuda.h has them. */
static int is_over_32(unsigned how, uint32_t value, uint32_t word)
{
	switch (how) {
	case GEQ: return (int32_t)(word - value) >= 0;
	case EQ: return word == value;
	case AND: return (word & value) != 0;
	default: return ~(word | value) != 0;
	}
}

static int is_over_64(unsigned how, uint64_t value, uint64_t word)
{
	switch (how) {
	case GEQ: return (int64_t)(word - value) >= 0;
	case EQ: return word == value;
	case AND: return (word & value) != 0;
	default: return ~(word | value) != 0;
	}
}

static void compare(unsigned how, int wide, uint64_t value, uint64_t is)
{
	const uint64_t all = wide ? UINT64_MAX : UINT32_MAX, satisfies = how == NOR ? 0 : value;
	const int over = wide ? is_over_64(how, value, is) : is_over_32(how, (uint32_t)value, (uint32_t)is);
	if ((how == AND && !(value & all)) || (how == NOR && (value & all) == all))
		return; /* no word would do */
	RETURNS(0, cuStreamWriteValue64_v2(b, words, is, 0));
	RETURNS(0, cuStreamSynchronize(b));
	RETURNS(0, wide ? cuStreamWaitValue64_v2(a, words, value, how) : cuStreamWaitValue32_v2(a, words, (uint32_t)value, how));
	const int found = cuStreamQuery(a);
	if (found != (over ? 0 : NOT_READY))
		failures++, printf("how %u, %u bits, value %llx, word %llx: %d\n", how, 32 << wide, (unsigned long long)value, (unsigned long long)is, found);
	RETURNS(0, cuStreamWriteValue64_v2(b, words, satisfies, 0));
	RETURNS(0, cuStreamSynchronize(a));
}

static void comparisons(void)
{
	static const uint64_t some[] = {0, 1, 5, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 0x7fffffffffffffff, 0x8000000000000000, UINT64_MAX};
	const unsigned n = sizeof some / sizeof *some;
	for (unsigned k = 0; k < n * n * 8; k++)
		compare(k / n / n % 4, k / n / n >= 4, some[k % n], some[k / n % n]);
}

static void batches(void)
{
	struct op op[] = {{.operation = WRITE_32, .address = words + 4, .value = 6},
			  {.operation = WAIT_32, .address = words, .value = 2, .flags = EQ},
			  {.operation = BARRIER},
			  {.operation = WRITE_64, .address = words + 8, .value = UINT64_C(0x500000007)},
			  {.operation = FLUSH_WRITES},
			  {.operation = WAIT_64, .address = words + 8, .value = 7}};
	static struct op many[257];
	begin(1);
	RETURNS(0, cuStreamBatchMemOp_v2(a, 6, op, 0));
	RETURNS(NOT_READY, cuStreamQuery(a));
	EXPECT(word(words + 4) == 6 && word(words + 8) == 0);
	RETURNS(0, cuStreamWriteValue32_v2(b, words, 2, 0));
	RETURNS(0, cuStreamSynchronize(a));
	EXPECT(word(words + 8) == 7 && word(words + 12) == 5);
	RETURNS(INVALID_VALUE, cuStreamBatchMemOp_v2(a, 257, many, 0));
	RETURNS(INVALID_VALUE, cuStreamBatchMemOp_v2(a, 6, op, 1));
	RETURNS(INVALID_VALUE, cuStreamBatchMemOp_v2(a, 1, NULL, 0));
	RETURNS(0, cuStreamBatchMemOp_v2(a, 0, NULL, 0));
	op[5].operation = 7;
	RETURNS(INVALID_VALUE, cuStreamBatchMemOp_v2(a, 6, op, 0));
	RETURNS(0, cuStreamQuery(a)); /* nothing of it is done */
}

static void graphs(void)
{
	struct op op[] = {{.operation = WRITE_32, .address = words + 4, .value = 6}, {.operation = WRITE_32, .address = words + 8, .value = 7}};
	struct node n = {.n = 1, .op = op}, told;
	void *g, *node, *run, *captured, *nodes[4];
	size_t count = 4;
	int type = 0;
	RETURNS(0, cuGraphCreate(&g, 0));
	RETURNS(0, cuGraphAddBatchMemOpNode(&node, g, NULL, 0, &n));
	op[0].value = 99; /* the node has its own */
	RETURNS(0, cuGraphNodeGetType(node, &type));
	EXPECT(type == BATCH_NODE);
	RETURNS(0, cuGraphBatchMemOpNodeGetParams(node, &told));
	EXPECT(told.n == 1 && told.op != op && told.op->value == 6 && told.op->address == words + 4);
	RETURNS(0, cuGraphInstantiateWithFlags(&run, g, 0));
	begin(1);
	RETURNS(0, cuGraphLaunch(run, a));
	RETURNS(0, cuStreamSynchronize(a));
	EXPECT(word(words + 4) == 6 && word(words + 8) == 0);
	n.n = 2;
	RETURNS(0, cuGraphExecBatchMemOpNodeSetParams(run, node, &n));
	RETURNS(0, cuGraphLaunch(run, a));
	RETURNS(0, cuStreamSynchronize(a));
	EXPECT(word(words + 4) == 99 && word(words + 8) == 7);
	op[1].flags = 4;
	RETURNS(INVALID_VALUE, cuGraphBatchMemOpNodeSetParams(node, &n));
	RETURNS(INVALID_VALUE, cuGraphAddBatchMemOpNode(&node, g, NULL, 0, &n));

	RETURNS(0, cuStreamBeginCapture_v2(a, 0));
	RETURNS(0, cuStreamWaitValue32_v2(a, words, 1, GEQ));
	RETURNS(0, kernel(add, a, data, 4));
	RETURNS(0, cuStreamEndCapture(a, &captured));
	RETURNS(0, cuGraphGetNodes(captured, nodes, &count));
	EXPECT(count == 2);
	RETURNS(0, cuGraphNodeGetType(nodes[0], &type));
	EXPECT(type == BATCH_NODE);
	RETURNS(0, cuGraphInstantiateWithFlags(&run, captured, 0));
	begin(5);
	RETURNS(0, cuGraphLaunch(run, a));
	RETURNS(NOT_READY, cuStreamQuery(a));
	RETURNS(0, kernel(scale, b, data, 3));
	RETURNS(0, cuStreamWriteValue32_v2(b, words, 1, 0));
	RETURNS(0, cuStreamSynchronize(a));
	EXPECT(word(data) == 19);
}

static void wrong(void)
{
	static const int attributes[] = {92, 93, 94, 98, 122, 123};
	int can;
	void *found = NULL, *gone;
	for (unsigned k = 0; k < sizeof attributes / sizeof *attributes; k++) {
		RETURNS(0, cuDeviceGetAttribute(&can, attributes[k], 0));
		EXPECT(can == 1);
	}
	RETURNS(INVALID_VALUE, cuStreamWaitValue32_v2(a, words + 2, 0, EQ));
	RETURNS(INVALID_VALUE, cuStreamWaitValue64_v2(a, words + 4, 0, EQ));
	RETURNS(INVALID_VALUE, cuStreamWriteValue64_v2(a, words + 4, 0, 0));
	RETURNS(INVALID_VALUE, cuStreamWaitValue32_v2(a, words, 0, 4));
	RETURNS(INVALID_VALUE, cuStreamWriteValue32_v2(a, words, 0, 2));
	RETURNS(INVALID_VALUE, cuStreamWaitValue32_v2(a, 0, 0, EQ));
	RETURNS(INVALID_VALUE, cuStreamWaitValue32_v2(a, words + (1 << 20), 0, EQ));
	RETURNS(INVALID_VALUE, cuStreamWriteValue32_v2(a, 16, 0, 0));
	RETURNS(0, cuStreamCreate(&gone, 0));
	RETURNS(0, cuStreamDestroy_v2(gone));
	RETURNS(INVALID_HANDLE, cuStreamWaitValue32_v2(gone, words, 0, EQ));
	RETURNS(0, cuGetProcAddress_v2("cuStreamWaitValue32", &found, 12000, 0, NULL));
	EXPECT(found);
	begin(0);
	RETURNS(0, cuStreamWaitValue32(NULL, words, 0, EQ));
	RETURNS(0, cuStreamWaitValue32_v2_ptsz(NULL, words, 1, EQ)); /* the thread's own stream */
	RETURNS(NOT_READY, cuStreamQuery_ptsz(NULL));
	RETURNS(0, cuStreamQuery(b));
	RETURNS(0, cuStreamWriteValue32_v2(b, words, 1, 0));
	RETURNS(0, cuCtxSynchronize());
}

static void *write_late(void *unused)
{
	usleep(200000);
	RETURNS(0, cuStreamWriteValue32_v2(b, words, 1, 0));
	return unused;
}

static void by_a_thread(void)
{
	pthread_t thread;
	begin(5);
	RETURNS(0, cuStreamWaitValue32_v2(a, words, 1, EQ));
	pthread_create(&thread, NULL, write_late, NULL);
	RETURNS(0, cuStreamSynchronize(a));
	pthread_join(thread, NULL);
}

/* a's kernel polls words[1], which b writes when c has written words[0]; then d's wait, which is in front of what c waits for. */
static void chain(void)
{
	begin(5);
	RETURNS(0, kernel(forever, a, words + 4, 0));
	RETURNS(0, kernel(add, a, data, 4));
	RETURNS(0, cuStreamWriteValue32_v2(a, words + 8, 1, 0));
	RETURNS(0, cuStreamWaitValue32_v2(b, words, 7, EQ));
	RETURNS(0, kernel(scale, b, data, 3));
	RETURNS(0, cuStreamWriteValue32_v2(b, words + 4, 1, 0));
	RETURNS(0, cuStreamWaitValue32_v2(b, words + 8, 1, GEQ));
	RETURNS(0, kernel(scale, b, data, 2));
	RETURNS(0, kernel(add, c, data, 1));
	RETURNS(0, cuStreamWriteValue32_v2(c, words, 7, 0));
	RETURNS(0, cuCtxSynchronize());
	EXPECT(word(data) == ((5 + 1) * 3 + 4) * 2);
}

static void never(ptr at)
{
	begin(5);
	RETURNS(0, cuStreamWaitValue32_v2(a, at, 3, GEQ));
	RETURNS(0, kernel(add, a, data, 4));
	printf("%d\n", cuStreamSynchronize(a));
}

static void mapped(void)
{
	void *both;
	RETURNS(0, cuMemHostAlloc(&both, 4, MAPPED));
	puts("waiting");
	fflush(stdout);
	never((ptr)(uintptr_t)both);
}

int main(int argc, char **argv)
{
	void *of_streams, *of_kernels;
	const char *what = argc > 1 ? argv[1] : "";
	begin_driver();
	RETURNS(0, cuModuleLoad(&of_streams, "streams.ptx"));
	RETURNS(0, cuModuleLoad(&of_kernels, "kernels.ptx"));
	RETURNS(0, cuModuleGetFunction(&add, of_streams, "add"));
	RETURNS(0, cuModuleGetFunction(&scale, of_streams, "scale"));
	RETURNS(0, cuModuleGetFunction(&forever, of_kernels, "forever"));
	RETURNS(0, cuMemAlloc_v2(&words, 32));
	RETURNS(0, cuMemAlloc_v2(&data, 4));
	RETURNS(0, cuStreamCreate(&a, NON_BLOCKING));
	RETURNS(0, cuStreamCreate(&b, NON_BLOCKING));
	RETURNS(0, cuStreamCreate(&c, NON_BLOCKING));
	if (!strcmp(what, "never"))
		never(words + 4);
	else if (!strcmp(what, "mapped"))
		mapped();
	else if (!strcmp(what, "thread"))
		by_a_thread();
	else if (!strcmp(what, "chain"))
		chain();
	else
		wrong(), by_another_stream(), events(), comparisons(), batches(), graphs(), chain(), by_the_host();
	if (!failures && strcmp(what, "never"))
		puts("PASSED");
	return failures != 0;
}
