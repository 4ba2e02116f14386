/* Physical memory of the driver API that goes from one process to another as a descriptor: what may be asked for, and how long it is there, as CUDA's documentation has it. `pass`: both
 * processes use it, each at an address of its own; `outlive`: who has made it is gone; `wrong`: what isn't possible; `here`: a process with its own; `many`: of many processes; `foreign`: of another debugger; `fault`: a
 * kernel may only read it. The child is started before its parent uses CUDA. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "descriptors.h"
#include "expect.h"
#include "steps.h"
#include "two_processes.h"
#include "virtual.h"

enum { DESCRIPTOR = 1, OF_WINDOWS = 2, MAP_FAILED_ = 205, ILLEGAL_ADDRESS = 700 };

int cuCtxDestroy_v2(void *);

static volatile int *step;
static void *context, *module;

static void await(int n) { await_step(step, n); }
static void go(int n) { *step = n; }

static void begin(void)
{
	RETURNS(0, cuInit(0));
	RETURNS(0, cuCtxCreate_v2(&context, 0, 0));
	RETURNS(0, cuModuleLoad(&module, "aliases.ptx"));
}

static size_t left(void)
{
	size_t n, all;
	RETURNS(0, cuMemGetInfo_v2(&n, &all));
	return n;
}

static int launch(const char *name, unsigned threads, void **args)
{
	void *f;
	RETURNS(0, cuModuleGetFunction(&f, module, name));
	const int error = cuLaunchKernel(f, 1, 1, 1, threads, 1, 1, 0, NULL, args, NULL);
	return error ? error : cuCtxSynchronize();
}

static void count(ptr p, unsigned n) { RETURNS(0, launch("count", n, (void *[]){(void *)&p})); }

static unsigned word(ptr p)
{
	unsigned value = 0;
	RETURNS(0, cuMemcpyDtoH_v2(&value, p, sizeof value));
	return value;
}

/* All of it. */
static void fill(ptr p, unsigned value, size_t n)
{
	RETURNS(0, cuMemsetD32_v2(p, value, n));
	RETURNS(0, cuCtxSynchronize());
}

static uint64_t make(size_t bytes, int handles)
{
	struct properties p = of_device;
	uint64_t h = 0;
	p.handles = handles;
	RETURNS(0, cuMemCreate(&h, bytes, &p, 0));
	return h;
}

static ptr map(uint64_t h, size_t bytes, const struct access *a)
{
	ptr p = 0;
	RETURNS(0, cuMemAddressReserve(&p, bytes, 0, 0, 0));
	RETURNS(0, cuMemMap(p, bytes, 0, h, 0));
	RETURNS(0, cuMemSetAccess(p, bytes, a, 1));
	return p;
}

static void unmap(ptr p, size_t bytes)
{
	RETURNS(0, cuMemUnmap(p, bytes));
	RETURNS(0, cuMemAddressFree(p, bytes));
}

static void lend(uint64_t h)
{
	int fd = -1;
	RETURNS(0, cuMemExportToShareableHandle(&fd, h, DESCRIPTOR, 0));
	send_descriptor(fd);
}

static uint64_t borrow(void)
{
	uint64_t h = 0;
	const int fd = receive_descriptor();
	RETURNS(0, cuMemImportFromShareableHandle(&h, as_handle(fd), DESCRIPTOR));
	close(fd);
	return h;
}

/* ---- pass: it is where either has it, also when the one who had it first hasn't any more ---- */

static void pass_parent(void)
{
	struct properties p;
	begin();
	const size_t before = left();
	const uint64_t h = make(4 * MB, DESCRIPTOR);
	RETURNS(0, cuMemGetAllocationPropertiesFromHandle(&p, h));
	EXPECT(p.handles == DESCRIPTOR && left() == before - 4 * MB);
	const ptr a = map(h, 4 * MB, &read_write);
	fill(a, 5, MB);
	lend(h);
	await(1);
	EXPECT(word(a) == 37 && word(a + 3 * MB) == 6 && left() == before - 4 * MB);
	count(a, 3);
	unmap(a, 4 * MB);
	go(2);
	await(3);
	const ptr b = map(h, 4 * MB, &read_write);
	EXPECT(word(b) == 41 && word(b + 3 * MB) == 6);
	RETURNS(0, cuMemRelease(h));
	go(4);
	await(5);
	EXPECT(word(b) == 41 && left() == before - 4 * MB);
	unmap(b, 4 * MB);
	EXPECT(left() == before);
}

static void pass_child(void)
{
	struct properties p;
	begin();
	const uint64_t h = borrow();
	RETURNS(0, cuMemGetAllocationPropertiesFromHandle(&p, h));
	EXPECT(p.handles == DESCRIPTOR && p.type == PINNED && p.location.type == DEVICE);
	const ptr a = map(h, 4 * MB, &read_write);
	EXPECT(word(a) == 5 && word(a + 4 * MB - 4) == 5);
	count(a, 32);
	count(a + 3 * MB, 1);
	RETURNS(0, cuMemRelease(h));
	RETURNS(INVALID_VALUE, cuMemRelease(h));
	go(1);
	await(2);
	EXPECT(word(a) == 40); /* it is here now */
	count(a, 1);
	go(3);
	await(4);
	RETURNS(0, cuCtxDestroy_v2(context)); /* what is mapped is the process' */
	RETURNS(0, cuCtxCreate_v2(&context, 0, 0));
	EXPECT(word(a) == 41);
	unmap(a, 4 * MB);
	go(5);
}

/* ---- outlive: nobody has it for a while but a descriptor ---- */

static void outlive_child(void)
{
	begin();
	const uint64_t h = make(2 * MB, DESCRIPTOR), g = make(2 * MB, DESCRIPTOR);
	const ptr a = map(h, 2 * MB, &read_write), b = map(g, 2 * MB, &read_write);
	fill(a, 7, 64);
	fill(b, 8, 64);
	unmap(a, 2 * MB);
	lend(h);
	lend(g); /* which stays mapped to the end */
	RETURNS(0, cuMemRelease(h));
	RETURNS(0, cuMemRelease(g));
}

static void outlive_parent(pid_t child)
{
	int status = 1;
	waitpid(child, &status, 0);
	EXPECT(!status);
	begin();
	const size_t before = left(); /* what the descriptors stand for isn't free */
	const uint64_t h = borrow();
	const ptr a = map(h, 2 * MB, &read_write);
	EXPECT(word(a) == 7 && word(a + 252) == 7 && word(a + 256) == 0);
	const uint64_t g = borrow();
	const ptr b = map(g, 2 * MB, &read_only);
	EXPECT(word(b) == 8);
	count(a, 2);
	EXPECT(word(a) == 9 && left() == before);
	unmap(a, 2 * MB);
	unmap(b, 2 * MB);
	EXPECT(left() == before);
	RETURNS(0, cuMemRelease(h));
	EXPECT(left() == before + 2 * MB);
	RETURNS(0, cuMemRelease(g));
	EXPECT(left() == before + 4 * MB);
}

/* ---- here, wrong ---- */

static void here(void)
{
	int fd[2];
	uint64_t other = 0;
	begin();
	const size_t before = left();
	const uint64_t h = make(2 * MB, DESCRIPTOR);
	const ptr a = map(h, 2 * MB, &read_write);
	RETURNS(0, cuMemExportToShareableHandle(&fd[0], h, DESCRIPTOR, 0));
	RETURNS(0, cuMemExportToShareableHandle(&fd[1], h, DESCRIPTOR, 0));
	RETURNS(0, cuMemImportFromShareableHandle(&other, as_handle(fd[0]), DESCRIPTOR));
	const ptr b = map(other, 2 * MB, &read_write);
	count(b, 5);
	EXPECT(word(a) == 5);
	RETURNS(0, cuMemRelease(h));
	RETURNS(0, cuMemRelease(other));
	unmap(a, 2 * MB);
	unmap(b, 2 * MB);
	close(fd[0]);
	EXPECT(left() == before - 2 * MB); /* the other one has it */
	RETURNS(0, cuMemImportFromShareableHandle(&other, as_handle(fd[1]), DESCRIPTOR));
	close(fd[1]);
	const ptr c = map(other, 2 * MB, &read_write);
	EXPECT(word(c) == 5);
	unmap(c, 2 * MB);
	RETURNS(0, cuMemRelease(other));
	EXPECT(left() == before);
}

static void wrong(void)
{
	int fd = -1, ends[2];
	uint64_t h = 0;
	begin();
	const uint64_t own = make(2 * MB, 0), lent = make(2 * MB, DESCRIPTOR);
	RETURNS(INVALID_VALUE, cuMemExportToShareableHandle(&fd, own, DESCRIPTOR, 0));
	RETURNS(INVALID_VALUE, cuMemExportToShareableHandle(&fd, lent, OF_WINDOWS, 0));
	RETURNS(INVALID_VALUE, cuMemExportToShareableHandle(&fd, lent, DESCRIPTOR, 1));
	RETURNS(INVALID_VALUE, cuMemExportToShareableHandle(NULL, lent, DESCRIPTOR, 0));
	RETURNS(INVALID_VALUE, cuMemExportToShareableHandle(&fd, 77, DESCRIPTOR, 0));
	EXPECT(fd == -1);
	RETURNS(0, cuMemExportToShareableHandle(&fd, lent, DESCRIPTOR, 0));
	RETURNS(INVALID_VALUE, cuMemImportFromShareableHandle(&h, as_handle(fd), OF_WINDOWS));
	RETURNS(INVALID_VALUE, cuMemImportFromShareableHandle(NULL, as_handle(fd), DESCRIPTOR));
	RETURNS(INVALID_VALUE, cuMemImportFromShareableHandle(&h, as_handle(-1), DESCRIPTOR));
	RETURNS(INVALID_VALUE, cuMemImportFromShareableHandle(&h, as_handle(0), DESCRIPTOR));
	EXPECT(!pipe(ends));
	RETURNS(INVALID_VALUE, cuMemImportFromShareableHandle(&h, as_handle(ends[0]), DESCRIPTOR));
	RETURNS(INVALID_VALUE, cuMemImportFromShareableHandle(&h, as_handle(line[0]), DESCRIPTOR));
	RETURNS(0, cuMemRelease(lent));
	RETURNS(INVALID_VALUE, cuMemExportToShareableHandle(&fd, lent, DESCRIPTOR, 0));
	close(fd);
}

/* ---- many: more processes one after the other than there may be at a time; each leaves behind what it has mapped ---- */

enum { MANY = 40 };

static void many_child(int k)
{
	await(2 * k + 1);
	begin();
	const uint64_t h = make(2 * MB, DESCRIPTOR);
	fill(map(h, 2 * MB, &read_write), 100 + (unsigned)k, 64);
	lend(h);
	_exit(failures);
}

static void many(void)
{
	pid_t child[MANY];
	ptr p[MANY];
	int status = 1;
	for (int k = 0; k < MANY; k++)
		if (!(child[k] = fork()))
			many_child(k);
	begin();
	const size_t before = left();
	for (int k = 0; k < MANY; k++) {
		go(2 * k + 1);
		const uint64_t h = borrow();
		p[k] = map(h, 2 * MB, k & 1 ? &read_only : &read_write);
		RETURNS(0, cuMemRelease(h));
		waitpid(child[k], &status, 0);
		EXPECT(!status);
		go(2 * k + 2);
	}
	for (unsigned k = 0; k < MANY; k++) {
		if (!(k & 1))
			count(p[k], 3);
		EXPECT(word(p[k]) == 100 + k + (k & 1 ? 0 : 3) && word(p[k] + 252) == 100 + k);
	}
	for (int k = 0; k < MANY; k++)
		unmap(p[k], 2 * MB);
	EXPECT(left() == before);
}

/* ---- foreign, fault ---- */

static void foreign_parent(void)
{
	begin();
	lend(make(2 * MB, DESCRIPTOR));
	go(1);
	await(2);
}

static void foreign_child(void)
{
	uint64_t h;
	begin();
	await(1);
	RETURNS(MAP_FAILED_, cuMemImportFromShareableHandle(&h, as_handle(receive_descriptor()), DESCRIPTOR));
	go(2);
}

static void fault_parent(void)
{
	begin();
	const uint64_t h = make(2 * MB, DESCRIPTOR);
	const ptr a = map(h, 2 * MB, &read_write);
	fill(a, 5, 64);
	lend(h);
	await(1);
	EXPECT(word(a) == 5);
	count(a, 2); /* the other one's failure is its own */
	EXPECT(word(a) == 7);
}

static void fault_child(void)
{
	begin();
	const ptr a = map(borrow(), 2 * MB, &read_only);
	EXPECT(word(a) == 5);
	RETURNS(ILLEGAL_ADDRESS, launch("count", 32, (void *[]){(void *)&a}));
	go(1);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "pass";
	step = mmap(NULL, sizeof *step, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (open_line())
		return 97;
	if (!strcmp(what, "here"))
		here();
	else if (!strcmp(what, "wrong"))
		wrong();
	else if (!strcmp(what, "many"))
		many();
	else if (!strcmp(what, "outlive"))
		return with_child(outlive_child, NULL, outlive_parent);
	else if (!strcmp(what, "foreign"))
		return with_child(foreign_child, foreign_parent, NULL);
	else if (!strcmp(what, "fault"))
		return with_child(fault_child, fault_parent, NULL);
	else
		return with_child(pass_child, pass_parent, NULL);
	return failures;
}
