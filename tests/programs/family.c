/* Processes: `family fork` forks before it uses CUDA, `used` after; `exec PROGRAM` becomes another one; `kill` ends by a signal in the middle of
 * launches; `debugger` kills its debugger; `reset`: a child resets the device while its parent has memory; `large` leaves 400 MB behind; `bad` a failure;
 * `outlive FILE`: a child uses CUDA when its parent has ended, and says in FILE whether that works. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "checks.h"

FIXTURE("kernels.ptx")
KERNEL(fill, "fill")

static int use(void) { return use_kernel(fill); }

KERNEL(poke, "poke")
int cudaMallocManaged(void **p, size_t n, unsigned flags);

/* The child's reset is of what it has itself. */
static void reset(void)
{
	int ends[2], *mine, value = 5, status;
	char byte = 0;
	EXPECT(!pipe(ends));
	const pid_t child = fork();
	if (!child) {
		EXPECT(read(ends[0], &byte, 1) == 1);
		RETURNS(0, use());
		RETURNS(0, cudaDeviceReset());
		RETURNS(0, use());
		_exit(failures);
	}
	RETURNS(0, cudaMalloc((void **)&mine, sizeof value));
	RETURNS(0, cudaMemcpy(mine, &value, sizeof value, cudaMemcpyHostToDevice));
	EXPECT(write(ends[1], &byte, 1) == 1);
	waitpid(child, &status, 0);
	value = 0;
	RETURNS(0, cudaMemcpy(&value, mine, sizeof value, cudaMemcpyDeviceToHost));
	EXPECT(value == 5 && !status);
}

static void leave_much(void)
{
	void *p;
	RETURNS(0, cudaMalloc(&p, (size_t)300 << 20));
	RETURNS(0, cudaMallocManaged(&p, (size_t)100 << 20, 1));
	RETURNS(0, use());
}

static int in_child(void)
{
	int status;
	const pid_t child = fork();
	if (!child)
		_exit(use());
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static void outlive(const char *path)
{
	int ends[2];
	char byte;
	EXPECT(!pipe(ends));
	if (!fork()) {
		close(ends[1]);
		EXPECT(!read(ends[0], &byte, 1)); /* the end of whoever had the other end */
		sleep(1);			  /* the debugger has seen it */
		const int error = use();
		FILE *f = fopen(path, "w");
		fprintf(f, "%d\n", error);
		fclose(f);
		_exit(0);
	}
	RETURNS(0, use());
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	if (!strcmp(what, "fork")) {
		const int child = in_child();
		printf("child %d, parent %d\n", child, use());
	} else if (!strcmp(what, "used")) {
		const int parent = use(), child = in_child();
		printf("parent %d, child %d, parent again %d\n", parent, child, use());
	} else if (!strcmp(what, "exec")) {
		const int before = use();
		printf("before %d\n", before);
		fflush(stdout);
		execv(argv[2], argv + 2);
	} else if (!strcmp(what, "kill")) {
		use();
		fflush(stdout);
		raise(SIGSEGV);
	} else if (!strcmp(what, "reset")) {
		reset();
	} else if (!strcmp(what, "large")) {
		leave_much();
	} else if (!strcmp(what, "bad")) {
		void *nowhere = (void *)16;
		RETURNS(0, launch(poke, 1, 1, 0, NULL, ARGUMENTS(&nowhere)));
		RETURNS(700, cudaDeviceSynchronize());
	} else if (!strcmp(what, "outlive")) {
		outlive(argv[2]);
	} else if (!strcmp(what, "debugger")) {
		printf("before %d\n", use());
		kill(getppid(), SIGKILL);
		printf("after %d\n", use());
	}
	return failures;
}
