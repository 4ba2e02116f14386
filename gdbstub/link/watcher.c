/* The watcher: a thread that looks, while the machine runs, for what gdb sends and for other clients.
 *
 * A step takes microseconds, waking a thread takes longer. So the thread isn't told of each run: as long as runs follow each other it
 * looks by itself, every few milliseconds, whether one is under way, and only then polls the descriptors. Left alone it sleeps. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "gdbstub/link/room.h"

#define LOOK_MS 10 /* a run is watched after this time at the latest */
#define LOOKS 100u /* without a run, before it sleeps */
#define PIECES 3u  /* descriptors it polls of its own: the pipe, gdb, the listener */

struct watcher {
	pthread_t thread;
	pthread_mutex_t lock; /* of all that follows */
	pthread_cond_t wake;  /* for the thread, when it sleeps */
	pthread_cond_t left;  /* it polls no longer */
	int control[2];	      /* a byte ends its poll */
	int fd, listen_fd;    /* the client, the listener; -1: there is none */
	bool on;	      /* the machine runs */
	bool asleep, polling, quit;
	struct stub *s;
};

/* Until a byte comes through the pipe. A byte of the peer is reported once: it isn't read before the machine stands. */
static void poll_all(struct watcher *w)
{
	struct pollfd fds[PIECES + STUB_VISITORS] = {{.fd = w->control[0], .events = POLLIN},
						     {.fd = w->fd, .events = POLLIN},
						     {.fd = w->listen_fd, .events = POLLIN}};
	bool is_one_ready = false;
	char c;
	for (;;) {
		visitors_poll(w->s, fds + PIECES);
		if (poll(fds, PIECES + STUB_VISITORS, -1) < 0)
			continue;
		if (fds[0].revents)
			break;
		const bool comes = visitors_serve(w->s, fds + PIECES, link_is_occupied(w->s)) && !is_one_ready;
		is_one_ready = is_one_ready || comes;
		if (fds[1].revents)
			fds[1].fd = -1;
		if (fds[1].revents || comes) {
			w->s->link->interrupted = true;
			*w->s->interrupt = 1;
		}
		if (fds[2].revents & POLLIN)
			visitors_accept(w->s);
	}
	while (read(w->control[0], &c, 1) < 0 && errno == EINTR)
		;
}

/* With the lock. */
static void sleep_on(struct watcher *w)
{
	w->asleep = true;
	while (w->asleep && !w->quit)
		pthread_cond_wait(&w->wake, &w->lock);
}

/* With the lock. */
static void wait_a_moment(struct watcher *w)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_nsec += LOOK_MS * 1000000l;
	t.tv_sec += t.tv_nsec / 1000000000l;
	t.tv_nsec %= 1000000000l;
	pthread_cond_timedwait(&w->wake, &w->lock, &t);
}

static void *watch(void *arg)
{
	struct watcher *w = arg;
	unsigned idle = 0;
	pthread_mutex_lock(&w->lock);
	while (!w->quit) {
		wait_a_moment(w);
		if (w->on) {
			w->polling = true;
			pthread_mutex_unlock(&w->lock);
			poll_all(w);
			pthread_mutex_lock(&w->lock);
			w->polling = false;
			pthread_cond_signal(&w->left);
			idle = 0;
		} else if (++idle == LOOKS) {
			sleep_on(w);
			idle = 0;
		}
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

bool host_thread_start(pthread_t *thread, void *(*run)(void *), void *arg)
{
	sigset_t all, old;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	int failed = pthread_create(thread, NULL, run, arg);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return !failed;
}

static struct watcher *watcher_start(struct stub *s)
{
	struct watcher *w = xcalloc(1, sizeof *w);
	w->s = s;
	if (pipe2(w->control, O_CLOEXEC)) {
		free(w);
		return NULL;
	}
	pthread_mutex_init(&w->lock, NULL);
	pthread_condattr_t monotonic; /* the wall clock may be set back */
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&w->wake, &monotonic);
	pthread_condattr_destroy(&monotonic);
	pthread_cond_init(&w->left, NULL);
	if (host_thread_start(&w->thread, watch, w))
		return w;
	close(w->control[0]);
	close(w->control[1]);
	free(w);
	return NULL;
}

void watcher_on(struct stub *s, int fd)
{
	if (!s->link->watcher)
		s->link->watcher = watcher_start(s);
	struct watcher *w = s->link->watcher;
	if (!w)
		return;
	pthread_mutex_lock(&w->lock);
	w->fd = fd;
	w->listen_fd = s->link->listen_fd;
	w->on = true;
	if (w->asleep) {
		w->asleep = false;
		pthread_cond_signal(&w->wake);
	}
	pthread_mutex_unlock(&w->lock);
}

bool watcher_off(struct stub *s)
{
	struct watcher *w = s->link->watcher;
	if (!w)
		return false;
	pthread_mutex_lock(&w->lock);
	const bool was_on = w->on;
	w->on = false;
	if (w->polling) {
		while (write(w->control[1], "", 1) < 0 && errno == EINTR)
			;
		while (w->polling)
			pthread_cond_wait(&w->left, &w->lock);
	}
	pthread_mutex_unlock(&w->lock);
	return was_on;
}

void watcher_stop(struct stub *s)
{
	struct watcher *w = s->link->watcher;
	if (!w)
		return;
	watcher_off(s);
	s->link->watcher = NULL;
	pthread_mutex_lock(&w->lock);
	w->quit = true;
	pthread_cond_signal(&w->wake);
	pthread_mutex_unlock(&w->lock);
	pthread_join(w->thread, NULL);
	pthread_mutex_destroy(&w->lock);
	pthread_cond_destroy(&w->wake);
	pthread_cond_destroy(&w->left);
	close(w->control[0]);
	close(w->control[1]);
	free(w);
}
