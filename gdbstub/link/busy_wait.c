/* Awake: what makes many stops in a row fast.
 *
 * Between two packets of gdb there is mostly less than a millisecond. To fall asleep for that costs more than it: to be woken takes long,
 * most of all on a virtual machine, and what a resting processor had in its caches is lost to its neighbours. So after a packet the stub
 * looks for the next one for a while instead of sleeping, and meanwhile reminds its processor of the machine. And while a step is
 * simulated, for which gdb waits, a thread that does nothing keeps gdb's processor from sleeping: gdb continues faster then. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "base/xalloc.h"
#include "debug/stop/run.h"
#include "gdbstub/link/room.h"

#define SOON_US 2000  /* this long after a packet gdb is expected to send the next */
#define REMIND_US 100 /* between two times that the machine is brought into the caches */
#define KEEP_US 2000  /* of a step that takes longer the rest is simulated while gdb's processor may sleep */

static bool other_processor(void)
{
	cpu_set_t set;
	return !sched_getaffinity(0, sizeof set, &set) && CPU_COUNT(&set) > 1;
}

static int64_t now_us(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* ---- between packets ---- */

int awake_poll(const struct stub *s, struct pollfd *fds, nfds_t n_fds)
{
	if (!other_processor())
		return 0;
	const bool interrupted = stub_is_interrupted(s);
	int64_t now = now_us(), remind = now + REMIND_US;
	const int64_t end = now + SOON_US;
	uint32_t core = 0;
	int n;
	for (; !(n = poll(fds, n_fds, 0)) && now < end; now = now_us()) {
		if (!interrupted && stub_is_interrupted(s)) {
			errno = EINTR;
			return -1;
		}
		if (now < remind) {
			sched_yield(); /* lets another thread have this processor */
		} else if (!gpu_prefetch(debug_gpu(s->d), core++)) {
			core = 0;
			remind = now + REMIND_US;
		}
	}
	return n;
}

/* ---- during a step ---- */

struct keeper {
	pthread_t thread;
	sem_t wake; /* for the thread, when it sleeps */
	atomic_bool asleep, quit;
	_Atomic int64_t until; /* time, us */
};

static void pause_a_moment(void)
{
#ifdef __x86_64__
	__builtin_ia32_pause();
#endif
}

static void *keep_awake(void *arg)
{
	struct keeper *k = arg;
	while (!k->quit) {
		while (now_us() < k->until)
			pause_a_moment();
		k->asleep = true;
		if (now_us() >= k->until && !k->quit)
			while (sem_wait(&k->wake) && errno == EINTR)
				;
		k->asleep = false;
	}
	return NULL;
}

static struct keeper *start_keeper(void)
{
	struct keeper *k = xcalloc(1, sizeof *k);
	sem_init(&k->wake, 0, 0);
	if (host_thread_start(&k->thread, keep_awake, k))
		return k;
	sem_destroy(&k->wake);
	free(k);
	return NULL;
}

static void wake(struct keeper *k)
{
	bool asleep = true;
	if (atomic_compare_exchange_strong(&k->asleep, &asleep, false))
		sem_post(&k->wake);
}

void awake_step_begins(struct stub *s)
{
	if (!gpu_is_performance(debug_gpu(s->d))) /* there it is over before a thread is awake */
		return;
	if (!s->link->keeper && other_processor())
		s->link->keeper = start_keeper();
	if (!s->link->keeper)
		return;
	s->link->keeper->until = now_us() + KEEP_US;
	wake(s->link->keeper);
}

void awake_step_ends(struct stub *s)
{
	if (s->link->keeper)
		s->link->keeper->until = 0;
}

void awake_stop(struct stub *s)
{
	struct keeper *k = s->link->keeper;
	if (!k)
		return;
	s->link->keeper = NULL;
	k->until = 0;
	k->quit = true;
	sem_post(&k->wake);
	pthread_join(k->thread, NULL);
	sem_destroy(&k->wake);
	free(k);
}
