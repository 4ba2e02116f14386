/* State of the commands of a debugger. Private to src/command. */
#ifndef COMMAND_STATE_H
#define COMMAND_STATE_H

#include "command/perf/access.h"
#include "command/perf/access_texels.h"
#include "command/perf/trace.h"
#include "debug/expr/format.h"
#include "debug/ground/ground.h"

/* Where `x` without an address continues, with what. */
struct show_state {
	uint64_t x_next;
	struct format_spec x_spec;
};

struct perf_state {
	bool has_access;
	bool has_texels;
	struct texels_seen *texels; /* as `access`, of a texture or surface instruction; owned */
	struct access_seen access; /* the access that the focused warp was in front of when the machine last began to run */
	struct {		    /* PTX_SIM_DEBUG: what is printed, of which thread (0: all), and the counts in its lines */
		int level;
		uint64_t uid, n;
		uint32_t *executed; /* by uid */
		size_t cap;
		void (*write)(void *self, const char *s, size_t n); /* a log besides; NULL: none */
		void *write_self;
		uint64_t write_uid;
		struct trace_step step; /* of the instruction that is being executed */
	} trace;
	struct observer *observer; /* of the performance model (dump_internal.h) */
};

/* Rules that suppress findings (findings/suppress.c). */
struct suppress_rule;
struct suppress_state {
	struct suppress_rule *rules;
	size_t n, cap;
	char *file; /* the rules are from, and new ones go to; NULL: none */
};

struct command_state {
	struct suppress_state suppress;
	struct show_state show;
	struct perf_state perf;
	bool wants_stalls; /* `set stalls on` */
	bool has_run;	   /* the machine has run since the commands were attached */
};

#endif
