/* Pools that go from one process to another as descriptors, and their memory as bytes (cudaMemPoolExport..., cudaMemPoolImport...), what may be
 * asked for and in which order as CUDA's documentation has it. `pass`: both processes use the memory; `wrong`: what isn't possible; `ordered`: the
 * owner frees in a stream that waits for the importer's; `here`: a process with a pool of its own; `ended`: the one that has lent it is gone; `many N`: so many descriptors, `many N keep`: that stay; `foreign`: of
 * another debugger. The child is started before its parent uses CUDA. */
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "checks.h"
#include "descriptors.h"
#include "steps.h"
#include "two_processes.h"

FIXTURE("kernels.ptx")
KERNEL(fill, "fill")
KERNEL(poke, "poke")

typedef struct CUmemPool_st *pool_t;
struct place {
	int kind, id;
};
struct properties {
	int allocation, handles;
	struct place place;
	void *security;
	size_t most;
	char rest[56];
};
struct data {
	char reserved[64];
};
enum { NONE = 0, DESCRIPTOR = 1, OF_WINDOWS = 2, UNKNOWN = 16 };
enum { VALUE = 1, MAP_FAILED_ = 205, OS_FAILED = 304, ILLEGAL_ADDRESS = 700, NOT_SUPPORTED = 801 };
enum { READ_WRITE = 3, THRESHOLD = 4, RESERVED, RESERVED_HIGH, USED, USED_HIGH };
enum { HANDLE_TYPES_OF_POOLS = 119, DISABLE_TIMING = 2, INTERPROCESS = 4 };
enum { N = 64, BYTES = N * sizeof(int) };

int cudaMemPoolCreate(pool_t *pool, const struct properties *p), cudaMemPoolDestroy(pool_t pool);
int cudaMemPoolExportToShareableHandle(void *handle, pool_t pool, int type, unsigned flags);
int cudaMemPoolImportFromShareableHandle(pool_t *pool, void *handle, int type, unsigned flags);
int cudaMemPoolExportPointer(struct data *data, void *p), cudaMemPoolImportPointer(void **p, pool_t pool, struct data *data);
int cuMemPoolExportToShareableHandle(void *handle, pool_t pool, int type, unsigned long long flags);
int cuMemPoolImportFromShareableHandle(pool_t *pool, void *handle, int type, unsigned long long flags);
int cuMemPoolExportPointer(struct data *data, void *p), cuMemPoolImportPointer(void **p, pool_t pool, struct data *data);
int cudaMemPoolGetAccess(int *flags, pool_t pool, struct place *place);
int cudaMemPoolGetAttribute(pool_t pool, int which, void *value), cudaMemPoolTrimTo(pool_t pool, size_t least);
int cudaMemSetMemPool(struct place *place, int kind, pool_t pool), cudaDeviceSetMemPool(int device, pool_t pool);
int cudaMallocFromPoolAsync(void **p, size_t n, pool_t pool, cudaStream_t s), cudaFreeAsync(void *p, cudaStream_t s);
int cudaMemcpyAsync(void *to, const void *from, size_t n, int kind, cudaStream_t s);
int cudaDeviceGetAttribute(int *value, int which, int device);
int cudaIpcGetMemHandle(struct data *h, void *p), cudaIpcGetEventHandle(struct data *h, event_t e);
int cudaIpcOpenEventHandle(event_t *e, struct data h), cudaEventCreateWithFlags(event_t *e, unsigned flags);
int cudaStreamWaitEvent(cudaStream_t s, event_t e, unsigned flags);

static struct {
	volatile int step;
	struct data data[4];
} * both;

static void await(int step) { await_step(&both->step, step); }
static void go(int step) { both->step = step; }

/* ---- pools ---- */

static pool_t make(int handles)
{
	const struct properties p = {1, handles, {1, 0}, NULL, 0, {0}};
	pool_t pool = NULL;
	RETURNS(0, cudaMemPoolCreate(&pool, &p));
	return pool;
}

static int *take(pool_t pool)
{
	int *a = NULL;
	RETURNS(0, cudaMallocFromPoolAsync((void **)&a, BYTES, pool, NULL));
	return a;
}

static void lend_pool(pool_t pool)
{
	int fd = -1;
	RETURNS(0, cudaMemPoolExportToShareableHandle(&fd, pool, DESCRIPTOR, 0));
	send_descriptor(fd);
}

static pool_t open_pool(void)
{
	pool_t pool = NULL;
	const int fd = receive_descriptor();
	RETURNS(0, cudaMemPoolImportFromShareableHandle(&pool, as_handle(fd), DESCRIPTOR, 0));
	close(fd);
	return pool;
}

static size_t count(pool_t pool, int which)
{
	size_t n = 99;
	RETURNS(0, cudaMemPoolGetAttribute(pool, which, &n));
	return n;
}

static void filled(int *a, int value)
{
	int n = N;
	RETURNS(0, launch(fill, 1, N, 0, NULL, ARGUMENTS(&a, &value, &n)));
}

static int last_of(const int *a)
{
	int v = -1;
	RETURNS(0, cudaMemcpy(&v, a + N - 1, sizeof v, cudaMemcpyDeviceToHost));
	return v;
}

/* ---- pass ---- */

static void pass_child(void)
{
	int *a = NULL, *again = NULL, *b = NULL, flags = 0, fd;
	pool_t pool, second = NULL;
	await(1);
	pool = open_pool();
	RETURNS(0, cudaMemPoolGetAccess(&flags, pool, &(struct place){1, 0}));
	EXPECT(flags == READ_WRITE && count(pool, USED) == 0);
	RETURNS(0, cudaMemPoolImportPointer((void **)&a, pool, &both->data[0]));
	EXPECT(count(pool, USED) == BYTES);
	EXPECT(last_of(a) == 10 + N - 1);
	filled(a, 20);
	RETURNS(0, cudaDeviceSynchronize());
	/* each import is freed by itself, and the pool's memory stays its owner's */
	RETURNS(0, cudaMemPoolImportPointer((void **)&again, pool, &both->data[0]));
	RETURNS(0, cudaFreeAsync(again, NULL));
	EXPECT(last_of(a) == 20 + N - 1);
	RETURNS(0, cudaMemPoolDestroy(pool)); /* what was imported lasts */
	EXPECT(last_of(a) == 20 + N - 1);
	RETURNS(0, cudaFree(a));
	RETURNS(VALUE, cudaFree(a));
	RETURNS(VALUE, cudaMemset(a, 0, 4));
	/* the driver's calls */
	fd = receive_descriptor();
	RETURNS(0, cuMemPoolImportFromShareableHandle(&second, as_handle(fd), DESCRIPTOR, 0));
	RETURNS(0, cuMemPoolImportPointer((void **)&b, second, &both->data[1]));
	filled(b, 30);
	RETURNS(0, cudaFreeAsync(b, NULL));
	RETURNS(0, cudaDeviceSynchronize());
	RETURNS(0, launch(poke, 1, 1, 0, NULL, ARGUMENTS(&b)));
	RETURNS(ILLEGAL_ADDRESS, cudaDeviceSynchronize());
	go(2);
}

static void pass_parent(void)
{
	pool_t pool = make(DESCRIPTOR), second = make(DESCRIPTOR);
	int *a = take(pool), *b = take(second), types = 0, fd = -1;
	RETURNS(0, cudaDeviceGetAttribute(&types, HANDLE_TYPES_OF_POOLS, 0));
	EXPECT(types == DESCRIPTOR);
	lend_pool(pool);
	RETURNS(0, cuMemPoolExportToShareableHandle(&fd, second, DESCRIPTOR, 0));
	send_descriptor(fd);
	RETURNS(0, cudaMemPoolExportPointer(&both->data[0], a));
	RETURNS(0, cuMemPoolExportPointer(&both->data[1], b));
	filled(a, 10);
	RETURNS(0, cudaDeviceSynchronize());
	go(1);
	await(2);
	EXPECT(last_of(a) == 20 + N - 1 && last_of(b) == 30 + N - 1);
	RETURNS(0, cudaFreeAsync(a, NULL));
	/* such a pool gives nothing back */
	EXPECT(count(pool, USED) == 0 && count(pool, RESERVED) == BYTES);
	RETURNS(0, cudaMemPoolTrimTo(pool, 0));
	EXPECT(count(pool, RESERVED) == BYTES);
	RETURNS(0, cudaFree(b));
	RETURNS(0, cudaMemPoolDestroy(pool));
	RETURNS(0, cudaMemPoolDestroy(second));
}

/* ---- wrong ---- */

static void no_pools(void)
{
	int pair[2], fds[2];
	pool_t pool = NULL;
	const int nothing = open("/dev/null", O_RDONLY);
	EXPECT(nothing >= 0 && !socketpair(AF_UNIX, SOCK_STREAM, 0, pair) && !pipe(fds) && write(pair[0], "ticket", 6) == 6);
	RETURNS(VALUE, cudaMemPoolImportFromShareableHandle(&pool, as_handle(-1), DESCRIPTOR, 0));
	RETURNS(VALUE, cudaMemPoolImportFromShareableHandle(&pool, as_handle(9999), DESCRIPTOR, 0));
	RETURNS(VALUE, cudaMemPoolImportFromShareableHandle(&pool, as_handle(nothing), DESCRIPTOR, 0));
	RETURNS(VALUE, cudaMemPoolImportFromShareableHandle(&pool, as_handle(pair[0]), DESCRIPTOR, 0));
	RETURNS(VALUE, cudaMemPoolImportFromShareableHandle(&pool, as_handle(pair[1]), DESCRIPTOR, 0));
	RETURNS(VALUE, cudaMemPoolImportFromShareableHandle(&pool, as_handle(fds[0]), DESCRIPTOR, 0));
}

static void wrong_child(void)
{
	void *p, *q;
	struct data none = {"nothing"};
	int fd;
	await(1);
	const pool_t pool = open_pool(), second = open_pool();
	no_pools();
	RETURNS(0, cudaMemPoolImportPointer(&p, pool, &both->data[0]));
	RETURNS(0, cudaMemPoolImportPointer(&q, second, &both->data[1]));
	RETURNS(VALUE, cudaMemPoolImportPointer(&p, second, &both->data[0]));
	RETURNS(VALUE, cudaMemPoolImportPointer(&p, pool, &none));
	RETURNS(VALUE, cudaMemPoolImportPointer(&p, pool, NULL));
	RETURNS(VALUE, cudaMemPoolImportPointer(NULL, pool, &both->data[0]));
	RETURNS(VALUE, cudaMemPoolImportPointer(&p, make(DESCRIPTOR), &both->data[0]));
	/* one that was imported gives nothing */
	RETURNS(VALUE, cudaMallocFromPoolAsync(&q, BYTES, pool, NULL));
	RETURNS(VALUE, cudaDeviceSetMemPool(0, pool));
	RETURNS(VALUE, cudaMemSetMemPool(&(struct place){1, 0}, 1, pool));
	RETURNS(VALUE, cudaMemPoolExportToShareableHandle(&fd, pool, DESCRIPTOR, 0));
	RETURNS(VALUE, cudaMemPoolExportPointer(&none, p));
	RETURNS(VALUE, cudaIpcGetMemHandle(&none, p));
	go(2);
	await(3);
	/* its owner was first */
	RETURNS(VALUE, cudaMemset(p, 0, 4));
	RETURNS(VALUE, cudaFree(p));
	RETURNS(VALUE, cudaMemPoolImportPointer(&p, pool, &both->data[0]));
	go(4);
}

static void wrong_parent(void)
{
	struct properties windows = {1, OF_WINDOWS, {1, 0}, NULL, 0, {0}}, unknown = {1, UNKNOWN, {1, 0}, NULL, 0, {0}};
	pool_t pool = make(DESCRIPTOR), second = make(DESCRIPTOR), private = make(NONE), got = NULL;
	int *a = take(pool), *b = take(second), *c = take(private), *other, fd = -1;
	RETURNS(NOT_SUPPORTED, cudaMemPoolCreate(&got, &windows));
	RETURNS(VALUE, cudaMemPoolCreate(&got, &unknown));
	RETURNS(VALUE, cudaMemPoolExportToShareableHandle(&fd, private, DESCRIPTOR, 0));
	RETURNS(VALUE, cudaMemPoolExportToShareableHandle(&fd, pool, OF_WINDOWS, 0));
	RETURNS(VALUE, cudaMemPoolExportToShareableHandle(&fd, pool, NONE, 0));
	RETURNS(VALUE, cudaMemPoolExportToShareableHandle(&fd, pool, DESCRIPTOR, 1));
	RETURNS(VALUE, cudaMemPoolExportToShareableHandle(NULL, pool, DESCRIPTOR, 0));
	RETURNS(VALUE, cudaMemPoolExportToShareableHandle(&fd, NULL, DESCRIPTOR, 0));
	EXPECT(fd == -1);
	RETURNS(0, cudaMalloc((void **)&other, BYTES));
	RETURNS(VALUE, cudaMemPoolExportPointer(&both->data[0], c));
	RETURNS(VALUE, cudaMemPoolExportPointer(&both->data[0], other));
	RETURNS(VALUE, cudaMemPoolExportPointer(&both->data[0], NULL));
	RETURNS(VALUE, cudaMemPoolExportPointer(NULL, a));
	RETURNS(VALUE, cudaIpcGetMemHandle(&both->data[0], a)); /* that is for what cudaMalloc gives */
	RETURNS(VALUE, cudaIpcGetMemHandle(&both->data[0], a + 1));
	RETURNS(0, cudaIpcGetMemHandle(&both->data[0], other));
	RETURNS(0, cudaMemPoolExportPointer(&both->data[0], a));
	RETURNS(0, cudaMemPoolExportPointer(&both->data[1], b));
	lend_pool(pool);
	lend_pool(second);
	go(1);
	await(2);
	RETURNS(0, cudaFree(a));
	go(3);
	await(4);
}

/* ---- ordered ---- */

/* Nobody waits on the host: the kernel, the importer's free, the event and the owner's free come one after the other on the device. */
static void ordered_child(void)
{
	int *a, n = N, value = 60;
	cudaStream_t s;
	event_t e;
	await(1);
	const pool_t pool = open_pool();
	RETURNS(0, cudaMemPoolImportPointer((void **)&a, pool, &both->data[0]));
	RETURNS(0, cudaIpcOpenEventHandle(&e, both->data[1]));
	RETURNS(0, cudaStreamCreate(&s));
	RETURNS(0, launch(fill, 1, N, 0, s, ARGUMENTS(&a, &value, &n)));
	RETURNS(0, cudaFreeAsync(a, s));
	RETURNS(0, cudaEventRecord(e, s));
	go(2);
	await(3);
	RETURNS(0, cudaDeviceSynchronize());
	RETURNS(VALUE, cudaFree(a));
}

static void ordered_parent(void)
{
	const pool_t pool = make(DESCRIPTOR);
	int *a = take(pool), seen[N] = {0};
	cudaStream_t s;
	event_t e;
	RETURNS(0, cudaStreamCreate(&s));
	RETURNS(0, cudaEventCreateWithFlags(&e, DISABLE_TIMING | INTERPROCESS));
	RETURNS(0, cudaIpcGetEventHandle(&both->data[1], e));
	RETURNS(0, cudaMemPoolExportPointer(&both->data[0], a));
	lend_pool(pool);
	go(1);
	await(2);
	RETURNS(0, cudaStreamWaitEvent(s, e, 0));
	RETURNS(0, cudaMemcpyAsync(seen, a, BYTES, cudaMemcpyDeviceToHost, s));
	RETURNS(0, cudaFreeAsync(a, s));
	RETURNS(0, cudaStreamSynchronize(s));
	EXPECT(seen[N - 1] == 60 + N - 1);
	RETURNS(VALUE, cudaMemset(a, 0, 4));
	go(3);
}

/* ---- here, ended ---- */

static void here(void)
{
	pool_t pool = make(DESCRIPTOR), again;
	int *a = take(pool), *p = NULL;
	struct data data;
	lend_pool(pool);
	again = open_pool();
	EXPECT(again != pool);
	RETURNS(0, cudaMemPoolExportPointer(&data, a));
	RETURNS(0, cudaMemPoolImportPointer((void **)&p, again, &data));
	filled(p, 40);
	EXPECT(last_of(a) == 40 + N - 1 && count(again, USED) == BYTES);
	RETURNS(0, cudaFree(p));
	EXPECT(last_of(a) == 40 + N - 1 && count(again, USED) == 0 && count(pool, USED) == BYTES);
	RETURNS(0, cudaFree(a));
	EXPECT(count(pool, USED) == 0);
	RETURNS(VALUE, cudaFree(a));
	RETURNS(VALUE, cudaMemPoolImportPointer((void **)&p, again, &data));
	RETURNS(0, cudaMemPoolDestroy(again));
	RETURNS(VALUE, cudaMemPoolDestroy(again));
	RETURNS(0, cudaMemPoolDestroy(pool));
}

/* The child lends, and ends; what its parent had imported by then stays. */
static void ended_child(void)
{
	pool_t pool = make(DESCRIPTOR);
	int *a = take(pool), *b = take(pool);
	filled(a, 50);
	RETURNS(0, cudaDeviceSynchronize());
	RETURNS(0, cudaMemPoolExportPointer(&both->data[0], a));
	RETURNS(0, cudaMemPoolExportPointer(&both->data[1], b));
	lend_pool(pool);
	lend_pool(pool);
	go(1);
	await(2);
}

static void ended_parent(pid_t child)
{
	int *a, *b, fd;
	pool_t got;
	await(1);
	const pool_t pool = open_pool();
	RETURNS(0, cudaMemPoolImportPointer((void **)&a, pool, &both->data[0]));
	go(2);
	waitpid(child, &fd, 0);
	while (cudaMemPoolImportPointer((void **)&b, pool, &both->data[1]) == 0) { /* until the debugger has heard of it */
		RETURNS(0, cudaFree(b));
		usleep(1000);
	}
	EXPECT(last_of(a) == 50 + N - 1);
	RETURNS(0, cudaFree(a));
	fd = receive_descriptor();
	RETURNS(VALUE, cudaMemPoolImportFromShareableHandle(&got, as_handle(fd), DESCRIPTOR, 0));
}

/* ---- many, foreign ---- */

static void many(int n, int keep)
{
	const pool_t pool = make(DESCRIPTOR);
	for (int k = 0; k < n; k++) {
		int fd = -1;
		const int error = cudaMemPoolExportToShareableHandle(&fd, pool, DESCRIPTOR, 0);
		if (error) {
			EXPECT(keep && error == OS_FAILED && fd == -1);
			puts("no more");
			break;
		}
		if (!keep)
			close(fd);
	}
	cudaMemPoolDestroy(pool);
	RETURNS(0, use_kernel(fill));
}

static void foreign_child(void)
{
	pool_t pool = NULL;
	await(1);
	RETURNS(MAP_FAILED_, cudaMemPoolImportFromShareableHandle(&pool, as_handle(receive_descriptor()), DESCRIPTOR, 0));
	go(2);
}

static void foreign_parent(void)
{
	lend_pool(make(DESCRIPTOR));
	go(1);
	await(2);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "pass";
	both = mmap(NULL, sizeof *both, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (open_line())
		return 97;
	if (!strcmp(what, "here"))
		here();
	else if (!strcmp(what, "many"))
		many(atoi(argv[2]), argc > 3);
	else if (!strcmp(what, "wrong"))
		return with_child(wrong_child, wrong_parent, NULL);
	else if (!strcmp(what, "ordered"))
		return with_child(ordered_child, ordered_parent, NULL);
	else if (!strcmp(what, "ended"))
		return with_child(ended_child, NULL, ended_parent);
	else if (!strcmp(what, "foreign"))
		return with_child(foreign_child, foreign_parent, NULL);
	else
		return with_child(pass_child, pass_parent, NULL);
	return failures;
}
