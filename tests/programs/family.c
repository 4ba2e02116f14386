/* Processes: `family fork` forks before it uses CUDA, `used` after; `exec PROGRAM` becomes another one; `kill` ends by a signal in the middle of
 * launches; `debugger` kills its debugger. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "checks.h"

FIXTURE("kernels.ptx")
KERNEL(fill, "fill")

static int use(void) { return use_kernel(fill); }

static int in_child(void)
{
	int status;
	const pid_t child = fork();
	if (!child)
		_exit(use());
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
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
	} else if (!strcmp(what, "debugger")) {
		printf("before %d\n", use());
		kill(getppid(), SIGKILL);
		printf("after %d\n", use());
	}
	return failures;
}
