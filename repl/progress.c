/* The line is due by a timer's signal, which only sets a flag; the machine is looked at between two cycles. */
#include "repl/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "debug/findings/findings.h"
#include "repl/repl.h"

#define FIRST_AFTER \
	{ \
		2, 0 \
	}
#define THEN_EVERY \
	{ \
		0, 250000000 \
	}

static void on_timer(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)context;
	if (info->si_code == SI_TIMER)
		*(volatile sig_atomic_t *)info->si_value.sival_ptr = 1;
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* A terminal that is ours to write to now, and takes a line back. (No colours are used, so NO_COLOR says nothing here.) */
static bool can_redraw(void)
{
	const char *term = getenv("TERM");
	return isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") && tcgetpgrp(STDERR_FILENO) == getpgrp();
}

/* Of those at the end that have not finished. */
static uint32_t first_unfinished(const struct gpu *g)
{
	struct gpu_launch_info l;
	uint32_t k = gpu_launch_count(g);
	while (k && gpu_launch_get(g, k - 1, &l) && l.ctas_done < l.launch.n_ctas)
		k--;
	return k;
}

void progress_begin(struct repl *r)
{
	struct progress *p = &r->progress;
	struct sigaction sa = {.sa_sigaction = on_timer, .sa_flags = SA_SIGINFO | SA_RESTART};
	struct sigevent ev = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
	const struct itimerspec when = {.it_value = FIRST_AFTER, .it_interval = THEN_EVERY};
	p->redraws = can_redraw();
	if (!r->in->batch || r->in->capture || !(p->redraws || debug_check_was_on(r->in->dbg)))
		return;
	sigemptyset(&sa.sa_mask);
	ev.sigev_value.sival_ptr = (void *)(uintptr_t)session_due(r->in->session);
	if (sigaction(SIGALRM, &sa, NULL) || timer_create(CLOCK_MONOTONIC, &ev, &p->timer))
		return;
	p->on = true;
	*session_due(r->in->session) = 0;
	p->began = now();
	p->first_cycle = gpu_cycle(debug_gpu(r->in->dbg));
	p->first_launch = first_unfinished(debug_gpu(r->in->dbg));
	timer_settime(p->timer, 0, &when, NULL);
}

void progress_end(struct repl *r)
{
	if (!r->progress.on)
		return;
	timer_delete(r->progress.timer);
	r->progress.on = false;
	progress_erase(r);
}

void progress_erase(struct repl *r)
{
	if (!r->progress.shown)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
	r->progress.shown = false;
}

static void blocks(const struct progress *p, const struct gpu *g, uint64_t *done, uint64_t *all)
{
	struct gpu_launch_info l;
	*done = *all = 0;
	for (uint32_t k = p->first_launch; k < gpu_launch_count(g) && gpu_launch_get(g, k, &l); k++) {
		*done += l.ctas_done;
		*all += l.launch.n_ctas;
	}
}

static unsigned columns(void)
{
	struct winsize w;
	return ioctl(STDERR_FILENO, TIOCGWINSZ, &w) || w.ws_col < 2 ? 80 : w.ws_col;
}

void progress_show(void *self)
{
	struct repl *r = self;
	struct progress *p = &r->progress;
	const struct gpu *g = debug_gpu(r->in->dbg);
	struct gpu_stats stats;
	struct text line = {0};
	uint64_t done, all;
	if (!p->on)
		return;
	debug_findings_report(r->in->dbg);
	if (!p->redraws || !can_redraw())
		return;
	gpu_get_stats(g, &stats);
	blocks(p, g, &done, &all);
	text_addf(&line,
		  "cycle %" PRIu64 ", %" PRIu64 " instructions, blocks %" PRIu64 " of %" PRIu64 ", %.0f cycles/s",
		  gpu_cycle(g), stats.tot_sim_insn, done, all,
		  (double)(gpu_cycle(g) - p->first_cycle) / (now() - p->began));
	fflush(stdout);
	fprintf(stderr, "\r%.*s\033[K", (int)columns() - 1, text_str(&line));
	fflush(stderr);
	p->shown = true;
	text_free(&line);
}
