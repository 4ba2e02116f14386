/* Shared declarations of the frame's files. */
#ifndef CHECK_INTERNAL_H
#define CHECK_INTERNAL_H

#include "check/engine.h"

enum check_hook {
	CHECK_HOOK_WRONG = 1,
	CHECK_HOOK_BEFORE = 2,
	CHECK_HOOK_INSN = 4,
	CHECK_HOOK_MISUSE = 8 /* << enum exec_misuse_kind */
};

/* Section "check": one of these, then the findings. */
struct check_state {
	uint32_t n;	    /* findings */
	uint32_t stop;	    /* 1 + the finding at which the machine stops, 0: none */
	uint32_t host_stop; /* 1 + the host finding at which the machine stops, 0: none */
	/* hooks that have been called in front of one instruction, at which the machine has stopped or may stop */
	uint32_t launch, warp;
	uint64_t cta, moment;
	uint32_t hooks;	     /* enum check_hook */
	uint32_t free_lanes; /* for which wrong_free was called */
	/* section "check-threads": a table of neighbouring threads' bits */
	uint64_t n_threads, cap_threads;
};

struct check {
	struct gpu *g;
	struct check_settings settings;
	struct check_locals locals;
	uint32_t on;   /* checkers, a bit each: settings, which going back leaves as they are */
	uint32_t ever; /* checkers that have ever been on, a bit each */
	int sec_state, sec_threads;
	struct check_finding *told; /* findings shown to the user, at any position */
	size_t n_told, cap_told;
	struct exec_watcher effects; /* of all checkers that are on */
	struct exec_watcher insns;   /* of the checker with `insn` */
	/* the checkers that are on and have these functions, a bit each; the first two by the kind of effect */
	uint32_t before[EXEC_EFFECT_KINDS], after[EXEC_EFFECT_KINDS], parts;
	void *engine[CHECKERS];
};

/* Returns the findings' header in the arena. */
static inline struct check_state *check_state(const struct check *c)
{
	return arena_at(gpu_arena(c->g), c->sec_state, 0);
}
/* Returns the array of findings, check_state(c)->n of them. */
static inline struct check_finding *check_findings(const struct check *c)
{
	return (struct check_finding *)(void *)(check_state(c) + 1);
}

/* Returns true if `hook` was called before in front of the instruction at which the machine stands, and records the call (state.c). */
bool check_was_asked(struct check *c, const struct exec *x, unsigned hook);

/* findings.c */
/* Adds the sections of the findings to the arena, empty. Returns false if there is no address space or memory. */
bool check_findings_create(struct check *c);
/* Returns true if no finding of the same kind at the same places has been reported. */
bool check_is_new(const struct check *c, const struct check_finding *f);

#endif
