/* What all folders of the debugger use: the session's state, notes, inputs and marks. For src/debug and src/command. */
#ifndef DEBUG_GROUND_H
#define DEBUG_GROUND_H

#include "check/check.h"
#include "debug/debug.h"
#include "debug/past.h"
#include "debug/program.h"

/* A warp in front of an instruction whose breakpoints were already reported: the next run passes them. */
struct debug_stood {
	uint32_t launch, warp;
	uint64_t cta, executed;
};
#define DEBUG_STOOD 64

struct debug_hit;
struct stalls_kept;
/* What the layer of commands does at events of the debugger; set by command_attach. Without commands `hooks` is NULL. */
struct debug_hooks {
	void (*destroy)(struct debug *d);	   /* frees the commands' state */
	void (*reset)(struct debug *d);		   /* the machine was reset to its beginning */
	void (*launches_dropped)(struct debug *d);
	/* Called before and after the device is replaced. `is_same`: the new device is of the same kind. */
	void (*device_leaves)(struct debug *d, bool is_same);
	void (*device_enters)(struct debug *d, bool is_same);
	void (*begin_run)(struct debug *d);
	void (*write_marks)(struct debug *d, uint8_t *marks); /* adds MARK_TRACE */
	/* Called before and after a single instruction is executed. Not `is_executed`: another event came first. */
	void (*before)(struct debug *d, const struct debug_hit *h);
	void (*after)(struct debug *d, bool is_executed);
	void (*host_memory)(struct debug *d, const struct debug_memory_event *e);
	void (*module_loaded)(struct debug *d, uint32_t module);
	/* Appends the lines of a finding, with compute-sanitizer's signs in front if `signs`; the texts of stops where a finding's data or race began. */
	void (*finding_lines)(struct debug *d, const struct check_finding *f, bool signs, struct text *out);
	void (*finding_origin)(struct debug *d, const struct check_finding *f, bool at_begin, bool before, struct text *out);
	void (*finding_other)(struct debug *d, const struct check_access *other, struct text *out);
	/* Adds to the stop which threads hold the locks that a deadlock's warps wait for. */
	void (*deadlock)(struct debug *d, struct debug_stop *stop);
	debug_answer_fn *print; /* the text of a dprintf for the thread in focus */
	/* Returns a copy of the observers' counts, as debug_counts_keep; restores the counts from a copy, as debug_counts_take_back. */
	struct stalls_kept *(*keep)(const struct debug *d, size_t *bytes);
	void (*take_back)(struct debug *d, const struct stalls_kept *k);
	uint64_t (*seen_until)(const struct debug *d); /* as debug_seen_until */
};
/* Calls a hook that returns nothing, if there are commands. */
#define DEBUG_HOOK(d, name, ...) ((d)->hooks ? (d)->hooks->name((d)__VA_OPT__(, ) __VA_ARGS__) : (void)0)

/* State of a debugger. The state of one folder alone is behind that folder's pointer; only the folder's files include its room.h. */
struct debug {
	struct gpu *g;
	struct debug_host host;
	const struct debug_program *program; /* program whose calls feed the machine, or NULL */
	bool program_begun;
	struct check *check; /* NULL if the host has no room for checkers */
	uint32_t checked;    /* checkers that were on when the device was replaced */
	const struct debug_past *past; /* the kept past, or NULL */
	uint64_t deliveries; /* number of failures delivered to the program */
	bool has_failed;     /* the last failure was delivered before the machine was resumed */
	struct debug_settings settings;
	uint64_t changes;
	uint32_t last_breakpoint; /* number given last, $bpnum; 0: none */
	bool marks_stale; /* breakpoints, watches or traces have changed since marks were written */
	bool (*has_names)(const struct isa_file *f); /* true if a file has debug information about names; die_present */
	/* Returns the source's scopes of a function; NULL: no debug information. Set to csource's cnames_function. */
	const struct cscope *(*scopes_of)(struct debug *d, const struct isa_function *f);
	const struct expr_fields *fields; /* the machine's fields, or NULL; set by the layer of commands */
	const struct debug_hooks *hooks;  /* of the layer of commands, or NULL */
	struct command_state *commands;	  /* its state */
	/* Completes an input that launches a kernel by what the debugger knows of it; set by setup/. */
	const struct gpu_input *(*complete_input)(struct debug *d, const struct gpu_input *in, struct gpu_input *with);
	uint32_t generation; /* of the program: names and breakpoints are looked up in it */

	bool has_focus;
	struct debug_thread focus;
	uint32_t frame;	  /* selected by up and down: activation, */
	uint32_t inlined; /* and level of inlining in it, 0 the innermost */

	bool list_goes_on; /* after what it showed last; else it begins at the selected frame */
	struct debug_listing {
		uint32_t file, first, last; /* lines shown last */
		bool counts;		    /* with `list /s` */
		uint32_t shown_file;	    /* last listed or stopped in */
		bool has_shown_file;
	} listing;
	struct debug_stop last;
	bool has_last;
	struct debug_core { /* what a checkpoint file says of the session that wrote it; empty without one */
		char *report;	  /* text of the exception at which the machine stood; NULL: it stood at none */
		char *host_stack; /* of the program, as text; NULL: it isn't known */
		bool has_program; /* a program was running */
		enum exec_fault_kind fault; /* with a report */
		uint32_t pc;
	} core;
	uint32_t host_use; /* 1 + the finding of what the host did last, if the machine has not run since; else 0 */

	struct view_room *view;
	struct expr_room *expr;
	struct stop_room *stop;
	struct setup_room *setup;
	struct buffers_room *buffers;
	struct cnames *cnames; /* the source's names; NULL before the first lookup */
};

/* A lane that is about to execute an instruction: thread, warp and instruction of an event. */
struct debug_hit {
	struct debug_thread thread; /* of lane 0 of the warp */
	struct exec_cta *cta;
	uint32_t warp, pc;
	uint32_t active;    /* lanes of the SIMT stack's top entry */
	uint32_t executing; /* those of them whose guard is true */
};

/* Marks of an instruction (gpu_marks). */
#define MARK_BREAK 1u
#define MARK_GOAL 2u  /* run control's own */
#define MARK_WATCH 4u /* writes or reads a watched register */
#define MARK_CATCH 8u
#define MARK_TRACE 16u /* is printed when executed */
#define MARK_POKE 32u  /* a block that starts here has values waiting for it */
/* Notes that breakpoints, watches or traces have changed: marks are written anew before the next run (stop/). */
void debug_marks_changed(struct debug *d);

/* Returns the device's program. */
static inline const struct isa_program *debug_program(const struct debug *d) { return gpu_program(d->g); }

/* Appends the formatted error, without a newline, to `why`. Returns false. */
__attribute__((format(printf, 2, 3))) bool debug_fail(struct text *why, const char *fmt, ...);

/* Prints the debugger's own text through host.text or, if that is NULL, host.output. Drops it if both are NULL. */
void debug_print(struct debug *d, const struct text *t);

/* Passes the line `note: ...` with the formatted text and a newline to host.note. Drops it if that is NULL. */
__attribute__((format(printf, 2, 3))) void debug_note(struct debug *d, const char *fmt, ...);

/* Applies an input to the device; the debugger changes the device in no other way (gpu/input.h). A launch of mode GPU_MODE_OF_DEVICE first gets the
 * mode that `set simulate` selects. Returns what host.input or, if that is NULL, gpu_input returns, errors in `why` included. */
int64_t debug_input(struct debug *d, const struct gpu_input *in, struct text *why);

/* Notes that the machine's state may have changed: raises the counter that debug_changes returns. */
void debug_changed(struct debug *d);
/* Notes that a user changed memory or registers: raises debug_changes, and voids, by an input, what the device knows about spinning warps. */
void debug_poked(struct debug *d);

/* Returns true if both are the same thread of the same block and launch. */
static inline bool debug_same_thread(const struct debug_thread *a, const struct debug_thread *b)
{
	return a->launch == b->launch && a->cta == b->cta && a->thread == b->thread;
}

/* Returns whether the user has asked to interrupt the current operation. */
static inline bool debug_interrupted(const struct debug *d) { return d->host.interrupt && *d->host.interrupt; }

/* Appends three coordinates: `(1,0,0)`. */
static inline void format_dim3(const uint32_t v[3], struct text *out) { text_addf(out, "(%u,%u,%u)", v[0], v[1], v[2]); }

#endif
