/* Another process' memory. The kernel looks its pages up one by one, so that a copy is slower than memcpy: a second thread takes
 * pieces of what is large. It is never waited for but to end the piece it is at: where no processor is free the first one does it all. */
#include "cuda/channel/reach.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/uio.h>

#include "base/xalloc.h"

#define PIECE_BYTES ((uint64_t)1 << 20)
#define LARGE_BYTES ((uint64_t)16 << 20)

struct reach_job {
	pid_t pid;
	bool writes;
	uint64_t its, n;
	char *mine;
	_Atomic uint64_t next; /* what nobody has taken begins here */
	atomic_bool failed;
	pthread_mutex_t helping; /* the helper is at a piece */
	atomic_uint users;
};

static bool reach_at_once(pid_t pid, uint64_t its, char *mine, uint64_t n, bool writes)
{
	const struct iovec a = {mine, n}, b = {(void *)(uintptr_t)its, n};
	const ssize_t got = writes ? process_vm_writev(pid, &a, 1, &b, 1, 0) : process_vm_readv(pid, &a, 1, &b, 1, 0);
	return got == (ssize_t)n;
}

/* False: there is none left. */
static bool take_piece(struct reach_job *j)
{
	const uint64_t at = atomic_fetch_add(&j->next, PIECE_BYTES);
	if (at >= j->n || atomic_load(&j->failed))
		return false;
	const uint64_t n = j->n - at < PIECE_BYTES ? j->n - at : PIECE_BYTES;
	if (!reach_at_once(j->pid, j->its + at, j->mine + at, n, j->writes))
		atomic_store(&j->failed, true);
	return true;
}

static void leave(struct reach_job *j)
{
	if (atomic_fetch_sub(&j->users, 1) > 1)
		return;
	pthread_mutex_destroy(&j->helping);
	free(j);
}

static void *help(void *self)
{
	struct reach_job *j = self;
	bool more = true;
	while (more) {
		pthread_mutex_lock(&j->helping);
		more = take_piece(j);
		pthread_mutex_unlock(&j->helping);
	}
	leave(j);
	return NULL;
}

/* Signals are for the thread that there was before. */
static void start_helper(struct reach_job *j)
{
	sigset_t all, before;
	pthread_t thread;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	atomic_fetch_add(&j->users, 1);
	if (pthread_create(&thread, NULL, help, j))
		atomic_fetch_sub(&j->users, 1);
	else
		pthread_detach(thread);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static bool has_processors(void)
{
	cpu_set_t set;
	return !sched_getaffinity(0, sizeof set, &set) && CPU_COUNT(&set) > 1;
}

bool reach(pid_t pid, uint64_t its, char *mine, uint64_t n, bool writes)
{
	if (n < LARGE_BYTES || !has_processors())
		return reach_at_once(pid, its, mine, n, writes);
	struct reach_job *j = xcalloc(1, sizeof *j);
	*j = (struct reach_job){.pid = pid, .writes = writes, .its = its, .n = n, .mine = mine, .users = 1};
	pthread_mutex_init(&j->helping, NULL);
	start_helper(j);
	while (take_piece(j))
		;
	pthread_mutex_lock(&j->helping); /* from here on it finds none */
	pthread_mutex_unlock(&j->helping);
	const bool ok = !atomic_load(&j->failed);
	leave(j);
	return ok;
}
