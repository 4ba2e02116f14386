/* A session with history, and what a test does with it: runs, goes back, compares all of the machine. */
#ifndef TESTS_HISTORY_MACHINE_H
#define TESTS_HISTORY_MACHINE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "command/setup/buffers.h"
#include "command/stop/stop_commands.h"
#include "command/command.h"
#include "base/arena.h"
#include "base/arena_marks.h"
#include "base/xalloc.h"
#include "command/command.h"
#include "command/inspect.h"
#include "command/why/why.h"
#include "debug/setup/buffer.h"
#include "debug/setup/launch.h"
#include "debug/stop/breakpoint.h"
#include "command/running/running.h"
#include "debug/stop/run.h"
#include "debug/view/focus.h"
#include "gpu/rewind/rewind.h"
#include "random_kernel.h"
#include "session/session.h"
#include "session_program.h"

static const char many[] = SESSION_HEAD SESSION_MANY;

struct machine {
	struct session *s;
	struct debug *d;
	struct history *h;
	uint64_t seed, first_seed;
};

static inline uint32_t draw(struct machine *m, uint32_t below)
{
	uint64_t z = m->seed += UINT64_C(0x9E3779B97F4A7C15);
	z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
	return (uint32_t)((z ^ (z >> 31)) % below);
}

static inline void begin(struct machine *m, enum session_mode mode, const char *option, uint64_t interval)
{
	struct text messages = {0};
	enum session_failure failure;
	const struct session_setup setup = {.config = "../../configs/tiny/gpgpusim.config",
					    .options = &option,
					    .n_options = option != NULL,
					    .mode = mode};
	*m = (struct machine){.s = session_create(&setup, &messages, &failure)};
	assert_non_null(m->s);
	text_free(&messages);
	m->d = session_debug(m->s);
	command_attach(m->d);
	m->h = session_history(m->s);
	history_record(m->h, true);
	history_set_interval(m->h, interval);
}

static inline void end(struct machine *m) { session_destroy(m->s); }

/* Appends what a command of the past answers. */
static inline bool past_text(struct history *h, command_past_fn *fn, const char *args, struct text *out, struct text *why)
{
	struct report *answer = report_create();
	const bool ok = fn(h, args, answer, why);
	report_draw(answer, 0, out);
	report_destroy(answer);
	return ok;
}

static inline void does(struct machine *m, debug_answer_fn *fn, const char *args)
{
	struct text out = {0}, why = {0};
	history_command(m->h, args);
	if (!debug_answer_text(m->d, fn, args, &out, &why))
		fail_msg("%s: %s", args, text_str(&why));
	history_command_over(m->h);
	text_free(&out);
	text_free(&why);
}

/* The stop's reason; failing commands are DEBUG_STOP_NONE. */
static inline enum debug_reason run(struct machine *m, command_run_fn *fn, const char *args)
{
	struct debug_stop stop;
	struct text why = {0};
	debug_stop_init(&stop);
	history_command(m->h, args);
	const bool ok = fn(m->d, args, &stop, &why);
	history_command_over(m->h);
	const enum debug_reason reason = ok ? stop.reason : DEBUG_STOP_NONE;
	debug_stop_free(&stop);
	text_free(&why);
	return reason;
}

static inline enum debug_reason back(struct machine *m, command_back_fn *fn, const char *args)
{
	struct debug_stop stop;
	struct text why = {0};
	debug_stop_init(&stop);
	history_command(m->h, args);
	if (!fn(m->h, args, &stop, &why))
		fail_msg("%s", text_str(&why));
	history_command_over(m->h);
	const enum debug_reason reason = stop.reason;
	debug_stop_free(&stop);
	text_free(&why);
	return reason;
}

static inline uint64_t digest(struct machine *m)
{
	gpu_settle(debug_gpu(m->d));
	return arena_digest(gpu_arena(debug_gpu(m->d)));
}

/* Which of the small sections aren't the same, and where: for whoever has to find out why. */
struct sections {
	char *bytes[ARENA_SECTIONS_MAX];
	uint64_t n[ARENA_SECTIONS_MAX];
};

static inline void keep_sections(struct machine *m, struct sections *s)
{
	const struct arena *a = gpu_arena(debug_gpu(m->d));
	for (unsigned k = 0; k < a->n; k++) {
		s->n[k] = a->section[k].kind == ARENA_HOT ? a->section[k].used : 0;
		s->bytes[k] = xmalloc(s->n[k] + 1);
		memcpy(s->bytes[k], a->section[k].base, s->n[k]);
	}
}

static inline void tell_difference(struct machine *m, const struct sections *s)
{
	const struct arena *a = gpu_arena(debug_gpu(m->d));
	for (unsigned k = 0; k < a->n; k++) {
		if (a->section[k].kind == ARENA_HOT && a->section[k].used != s->n[k])
			print_error("%s: %llu bytes used, then %llu\n", a->section[k].name,
				    (unsigned long long)a->section[k].used, (unsigned long long)s->n[k]);
		for (uint64_t i = 0, told = 0; i < s->n[k] && i < a->section[k].used && told < 8; i += 8)
			if (memcmp(a->section[k].base + i, s->bytes[k] + i, 8)) {
				uint64_t now, then;
				memcpy(&now, a->section[k].base + i, 8);
				memcpy(&then, s->bytes[k] + i, 8);
				print_error("%s+0x%llx: 0x%llx, then 0x%llx\n", a->section[k].name,
					    (unsigned long long)i, (unsigned long long)now, (unsigned long long)then);
				told++;
			}
	}
}

#define POINTS 24u

/* ---- points, and between them ---- */

struct point {
	struct history_position at;
	uint64_t digest;
	struct sections sections;
};

static inline struct point here(struct machine *m)
{
	struct point p = {.digest = 0};
	history_now(m->h, &p.at);
	p.digest = digest(m);
	keep_sections(m, &p.sections);
	return p;
}

static inline void forget(struct point *p, unsigned n)
{
	for (; n--; p++)
		for (unsigned k = 0; k < ARENA_SECTIONS_MAX; k++)
			free(p->sections.bytes[k]);
}

static inline void go(struct machine *m, const struct point *p, const char *what)
{
	struct history_position now;
	if (!history_go(m->h, &p->at))
		fail_msg("%s: cycle %llu isn't reached", what, (unsigned long long)p->at.at.cycle);
	history_now(m->h, &now);
	assert_int_equal(history_compare(&now, &p->at), 0);
	if (digest(m) != p->digest) {
		tell_difference(m, &p->sections);
		fail_msg("%s: the machine isn't what it was in cycle %llu", what, (unsigned long long)p->at.at.cycle);
	}
}

static inline void prepare(struct machine *m, const char *ptx, const char *launch, unsigned stops)
{
	session_load(m->s, "k.ptx", ptx);
	does(m, command_buffer, "p u32[16384] = random 7");
	if (stops == 1) {
		does(m, command_catch, "barrier");
		does(m, command_catch, "atomic");
	} else if (stops == 2) {
		does(m, command_watch, "p[512]");
		does(m, command_awatch, "p[0..40]");
	}
	assert_int_equal(run(m, command_launch_kernel, launch), DEBUG_STOP_LAUNCHED);
}

#endif
