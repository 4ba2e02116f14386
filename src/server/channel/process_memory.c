/* Copies to and from another process' memory. The kernel looks up pages one by one, which is slower than memcpy, so a second thread helps with large
 * copies. The first thread only waits for the helper to finish a piece it has begun: without a free processor it does all the work. */
#include "server/channel/process_memory.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/uio.h>

#include "base/xalloc.h"

#define PIECE_BYTES ((uint64_t)1 << 20)
#define LARGE_BYTES ((uint64_t)16 << 20)

struct copy_job {
	pid_t pid;
	bool writes;
	uint64_t its, n;
	char *mine;
	_Atomic uint64_t next; /* offset of the first piece that isn't taken */
	atomic_bool failed;
	pthread_mutex_t helping; /* held by the helper while it copies a piece */
	atomic_uint users;
};

static bool copy_at_once(pid_t pid, uint64_t its, char *mine, uint64_t n, bool writes)
{
	const struct iovec a = {mine, n}, b = {(void *)(uintptr_t)its, n};
	const ssize_t got = writes ? process_vm_writev(pid, &a, 1, &b, 1, 0) : process_vm_readv(pid, &a, 1, &b, 1, 0);
	return got == (ssize_t)n;
}

/* Copies the next piece. Returns false if none is left. */
static bool copy_next_piece(struct copy_job *j)
{
	const uint64_t at = atomic_fetch_add(&j->next, PIECE_BYTES);
	if (at >= j->n || atomic_load(&j->failed))
		return false;
	const uint64_t n = j->n - at < PIECE_BYTES ? j->n - at : PIECE_BYTES;
	if (!copy_at_once(j->pid, j->its + at, j->mine + at, n, j->writes))
		atomic_store(&j->failed, true);
	return true;
}

static void release_job(struct copy_job *j)
{
	if (atomic_fetch_sub(&j->users, 1) > 1)
		return;
	pthread_mutex_destroy(&j->helping);
	free(j);
}

static void *run_helper(void *self)
{
	struct copy_job *j = self;
	bool more = true;
	while (more) {
		pthread_mutex_lock(&j->helping);
		more = copy_next_piece(j);
		pthread_mutex_unlock(&j->helping);
	}
	release_job(j);
	return NULL;
}

/* The helper blocks all signals: the first thread handles them. */
static void start_helper(struct copy_job *j)
{
	sigset_t all, before;
	pthread_t thread;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	atomic_fetch_add(&j->users, 1);
	if (pthread_create(&thread, NULL, run_helper, j))
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

bool process_memory_copy(pid_t pid, uint64_t its, char *mine, uint64_t n, bool writes)
{
	if (n < LARGE_BYTES || !has_processors())
		return copy_at_once(pid, its, mine, n, writes);
	struct copy_job *j = xcalloc(1, sizeof *j);
	*j = (struct copy_job){.pid = pid, .writes = writes, .its = its, .n = n, .mine = mine, .users = 1};
	pthread_mutex_init(&j->helping, NULL);
	start_helper(j);
	while (copy_next_piece(j))
		;
	pthread_mutex_lock(&j->helping); /* the helper finds no more pieces from here on */
	pthread_mutex_unlock(&j->helping);
	const bool ok = !atomic_load(&j->failed);
	release_job(j);
	return ok;
}
