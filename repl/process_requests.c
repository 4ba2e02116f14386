#include "repl/process_requests.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command/interpreter/interpreter.h"

#define LINE_BYTES 1024u
#define ANSWER_BYTES ((size_t)64 << 10) /* at first */
#define ANSWER_SECONDS 20u

/* The mailbox; gdb knows it by this name. */
extern struct repl_request {
	volatile int ready;
	volatile unsigned answered; /* requests so far */
	volatile char line[LINE_BYTES];
	char *volatile text; /* the answer */
	size_t bytes;
	struct interpreter *in;
} repl_request;
struct repl_request repl_request;

/* ---- the copy of the process that looks ---- */

static bool look(struct interpreter *in, char *line, struct text *out, struct text *why)
{
	const size_t n = strcspn(line, " ");
	const struct command *c = command_find(in, line, n, why);
	if (c && !c->text)
		text_addf(why, "%s is no command that only looks", c->name);
	return c && c->text && debug_answer_text(in->dbg, c->text, line + n + strspn(line + n, " "), out, why);
}

static void write_all(int fd, const struct text *t)
{
	for (size_t done = 0; done < t->n;) {
		const ssize_t n = write(fd, t->s + done, t->n - done);
		if (n <= 0)
			return;
		done += (size_t)n;
	}
}

/* It may stand in the middle of anything, malloc too: then it crashes or hangs, which does no harm to the process itself. */
_Noreturn static void answer(struct interpreter *in, int fd)
{
	static const int deadly[] = {SIGALRM, SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE};
	char line[LINE_BYTES];
	sigset_t none;
	struct text out = {0}, why = {0};
	for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++)
		signal(deadly[i], SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	alarm(ANSWER_SECONDS);
	for (size_t i = 0; i < LINE_BYTES; i++)
		line[i] = i < LINE_BYTES - 1 ? repl_request.line[i] : '\0';
	if (!look(in, line, &out, &why))
		text_addf(&out, "error: %s\n", text_str(&why));
	write_all(fd, &out);
	_exit(0);
}

/* ---- the process itself: only what a signal handler may do ---- */

static bool make_room(struct repl_request *q, size_t bytes)
{
	if (bytes <= q->bytes)
		return true;
	size_t more = q->bytes ? 2 * q->bytes : ANSWER_BYTES;
	void *m = q->bytes ? mremap(q->text, q->bytes, more, MREMAP_MAYMOVE)
			   : mmap(NULL, more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (m == MAP_FAILED)
		return false;
	q->text = m;
	q->bytes = more;
	return true;
}

static size_t read_answer(struct repl_request *q, int fd)
{
	size_t n = 0;
	ssize_t got = 1;
	while (got > 0 && make_room(q, n + 2)) {
		got = read(fd, q->text + n, q->bytes - n - 1);
		n += got > 0 ? (size_t)got : 0;
	}
	return n;
}

static void ask_copy(struct repl_request *q)
{
	static const char no_copy[] = "error: the process can't be copied, and only a copy can look from anywhere\n",
			  no_answer[] = "error: nothing can be shown from here, in the middle of a change (in malloc, "
					"perhaps): go on a little, by `finish` or "
					"`stepi`, and ask again\n";
	int fd[2], status = 0;
	if (!make_room(q, ANSWER_BYTES))
		return;
	memcpy(q->text, no_copy, sizeof no_copy);
	if (pipe(fd))
		return;
	/* fork would wait for malloc's locks, which may be this thread's */
	const long copy = syscall(SYS_clone, SIGCHLD, 0L, 0L, 0L, 0L);
	if (!copy)
		answer(q->in, fd[1]);
	close(fd[1]);
	if (copy > 0) {
		q->text[read_answer(q, fd[0])] = '\0';
		while (waitpid((pid_t)copy, &status, 0) < 0 && errno == EINTR)
			;
		if (!WIFEXITED(status) || WEXITSTATUS(status))
			memcpy(q->text, no_answer, sizeof no_answer);
	}
	close(fd[0]);
}

/* All signals are blocked in here; so the one for gdb comes when the handler has returned, and gdb has the process back just where it stood. */
static void on_request(int signal)
{
	struct repl_request *q = &repl_request;
	const int saved = errno;
	(void)signal;
	if (q->ready && q->line[0]) {
		ask_copy(q);
		q->line[0] = '\0';
		q->answered++;
		raise(SIGTRAP);
	}
	errno = saved;
}

void repl_request_begin(struct interpreter *in)
{
	struct sigaction sa = {.sa_handler = on_request, .sa_flags = SA_RESTART};
	sigfillset(&sa.sa_mask);
	repl_request.in = in;
	repl_request.ready = !sigaction(REPL_REQUEST_SIGNAL, &sa, NULL);
}

void repl_request_end(void)
{
	repl_request.ready = 0;
	signal(REPL_REQUEST_SIGNAL, SIG_IGN);
	if (repl_request.bytes)
		munmap(repl_request.text, repl_request.bytes);
	repl_request.bytes = 0;
}
