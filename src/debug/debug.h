/* The debugger both faces share: one session owns one device, its focus, its stop conditions and its history.
 *
 * A face (REPL, gdb stub) turns a line or a packet into one call here and prints the text that comes back. Nothing here
 * prints, reads a terminal or looks at the environment. Conventions of the whole folder:
 *  - a function that a user's input can fail returns bool; on false it has put one line without "error: " and without a
 *    newline into `why`, and nothing has changed; nothing in `why`: what there is to say is in `out`;
 *  - `out` texts end with a newline unless said otherwise; functions append, they never clear;
 *  - texts are as docs/manual/ has them and, where that is silent, those of gdb 13 and cuda-gdb;
 *  - looking never changes the simulated machine.
 * Which header has what: focus.h threads and the focus; run.h continue and step; launch.h kernels and arguments;
 * buffer.h device buffers; breakpoint.h break/watch/catch; expr.h expressions; format.h values as text; source.h positions
 * and locations; inspect.h print, x, list and all the `info` tables. */
#ifndef DEBUG_DEBUG_H
#define DEBUG_DEBUG_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "gpu/input.h"
#include "report/report.h"

struct debug;

/* Who owns the debugger: a session. All may be NULL. `output` is called from within run calls only. */
struct debug_host {
	void *self;
	void (*output)(void *self, const char *s,
		       size_t n); /* what the device printed; flushed before a run call returns */
	/* Text of the debugger that comes while the machine runs: traces, dprintf. NULL: it goes to `output`. */
	void (*text)(void *self, const char *s, size_t n);
	void (*note)(void *self,
		     const char *line); /* `note: ...`, of what the user may not expect; NULL: nobody reads them */
	void (*report)(void *self, const char *lines); /* findings of checkers */
	void (*kernel_done)(
		void *self); /* one has finished; the last one only when the device is idle, and its figures final */
	int64_t (*input)(void *self, const struct gpu_input *in, struct text *why); /* as gpu_input, which NULL means */
	const volatile sig_atomic_t *interrupt; /* nonzero: stop soon; the face sets and clears it */
	const volatile sig_atomic_t *due; /* nonzero: call `progress` soon, in a run between two cycles; it clears it */
	void (*progress)(void *self);	  /* may look at the machine */
};

/* Takes the device over: debug_destroy destroys it too. */
struct debug *debug_create(struct gpu *g, const struct debug_host *host);
void debug_destroy(struct debug *d);
struct gpu *debug_gpu(const struct debug *d);

/* After ptx_load appended to gpu_program(): places variables (gpu_program_changed), resolves pending and moved breakpoints.
 * Lines about breakpoints that could be resolved or no longer can go to `notes`. */
void debug_program_changed(struct debug *d, struct text *notes);
/* An input: a module has come, all of it being loaded, or gone, after ptx_module_unload. */
void debug_module_changed(struct debug *d, uint32_t module, bool is_there, struct text *notes);
/* Have modules come or gone, or has the machine been taken in front of that? Then names and breakpoints mean what is there now. */
void debug_modules_settle(struct debug *d, struct text *notes);

/* Drops all queued and running launches (`kill`): no focus afterwards; breakpoints stay. */
void debug_kill(struct debug *d);
/* The same of one context (gpu/context.h), which begins anew or, if it `ends`, is gone. The result: all whose work is gone. */
uint32_t debug_drop_context(struct debug *d, uint32_t context, bool ends);
/* The machine as it was before its first launch (gpu_reset): no focus afterwards; breakpoints, settings and what `run` repeats stay. */
void debug_reset(struct debug *d);

/* A counter that goes up whenever the machine's state may have changed (runs, assignments, launches). */
uint64_t debug_changes(const struct debug *d);

/* ---- settings that matter to texts and stepping; a face's `set` writes them directly ---- */
/* Which source `next`, `list` and stops speak of. AUTO: the CUDA line that .loc names where it can be read, judged line by line, else the
 * PTX; CUDA: also where it can't be read, PTX only where there is no .loc. */
enum debug_lines { DEBUG_LINES_AUTO, DEBUG_LINES_CUDA, DEBUG_LINES_PTX };
/* Which launches stop as they begin: none, those of the program, or also those that kernels make. */
enum debug_break_on_launch { DEBUG_LAUNCHES_NONE, DEBUG_LAUNCHES_APPLICATION, DEBUG_LAUNCHES_ALL };
/* A breakpoint where nothing is yet: an error, kept for what is loaded later, or that only while nothing is loaded or a program loads. */
enum debug_pending { DEBUG_PENDING_AUTO, DEBUG_PENDING_ON, DEBUG_PENDING_OFF };
struct debug_settings {
	enum debug_break_on_launch break_on_launch;
	enum debug_pending pending;
	enum debug_lines lines;	 /* default AUTO; debug_lines_set changes it */
	uint32_t print_elements; /* array elements shown before "...", default 200, 0: no limit */
	bool print_pretty;	 /* a line for each member of a structure */
	uint32_t print_repeats;	 /* as gdb: this many equal elements are shown as `V <repeats N times>`, default 10 */
	uint32_t list_lines;	 /* lines of one `list`, default 10 */
	uint32_t table_rows;	 /* rows of long tables before "... N more", default 1000; 0: no limit */
	bool demangle;		 /* default true */
	uint32_t width;		 /* columns tables and diagrams fit in; 0: nothing is said about that */
	bool on_terminal;	 /* of so many columns: longer focus lines are broken */
	bool color;		 /* and it has colours */
	bool holds_printf;	 /* printf's output is held back until the device is idle (debug_hold_printf) */
	bool stops_at_loads; /* of a program's modules, with DEBUG_STOP_NONE: who runs the machine has breakpoints of his own to place */
	bool is_confined;    /* a client on another machine gives the command that runs: debug_may_reach_host */
	char source_path[512]; /* colon-separated folders where CUDA sources are looked for; "" */
};
struct debug_settings *debug_settings(struct debug *d);
/* Returns false, with an error about `what`, while a command runs that may not touch programs and files of the host. */
bool debug_may_reach_host(const struct debug *d, const char *what, struct text *why);
/* Device output so far goes to host.output. */
void debug_flush_output(struct debug *d);
/* As CUDA at a synchronisation: what printf of a context, or of GPU_EVERY_CONTEXT, has in its buffer goes there, with a note about what was lost. */
void debug_flush_printf(struct debug *d, uint32_t context);
void debug_hold_printf(struct debug *d, bool on);
/* A limit of the device, by its row in gpu/device_limits.def. */
bool debug_limit_set(struct debug *d, unsigned limit, uint64_t value, struct text *why);
void debug_lines_set(struct debug *d,
		     enum debug_lines lines); /* what was listed or stopped in before no longer counts */

/* ---- printing what runs, as GPGPU-Sim does ---- */
/* Levels of its PTX_SIM_DEBUG (1 blocks, 2 reconvergence points, 3 memory, 5 instructions, 6 and their registers, 10 and all
 * registers); uid: only of that thread, 0: of all. The lines go to host.output. */
void debug_trace(struct debug *d, int level, uint64_t uid);
/* -gpgpu_ptx_inst_debug_to_file: each instruction of that thread (0: of all), the registers it wrote and read, and all others, go to
 * `write` besides. NULL: no more. */
void debug_trace_to(struct debug *d, void (*write)(void *self, const char *s, size_t n), void *self, uint64_t uid);
/* Level 2 for functions from that index on: where their branches may diverge and meet again. */
void debug_trace_reconvergence(struct debug *d, uint32_t first_function, struct text *out);

/* ---- stops ---- */
enum debug_reason {
	DEBUG_STOP_NONE,     /* nothing ran and nothing is to be reported */
	DEBUG_STOP_LAUNCHED, /* `launch`: stands before its first instruction (catch launch is a CATCHPOINT) */
	DEBUG_STOP_BREAKPOINT,
	DEBUG_STOP_WATCHPOINT,
	DEBUG_STOP_CATCHPOINT,
	DEBUG_STOP_STEPPED,	/* a step of any kind, finish, until, advance ended where it should */
	DEBUG_STOP_CYCLE,	/* run-to-cycle reached it */
	DEBUG_STOP_KERNEL_DONE, /* the device is idle: all kernels have finished */
	DEBUG_STOP_EXCEPTION,
	DEBUG_STOP_DEADLOCK,
	DEBUG_STOP_LIMIT,
	DEBUG_STOP_INTERRUPTED,
	DEBUG_STOP_BEGINNING, /* steps back: there is nothing earlier */
	DEBUG_STOP_CHECKER, /* in front of what a checker found */
	DEBUG_STOP_ENDED /* the program that is debugged (program.h) */
};

#define DEBUG_STOP_HITS_MAX 16

/* Why the machine stands still. The focus has already been moved as the manual says. */
struct debug_stop {
	enum debug_reason reason;
	uint32_t n_hits,
		hits[DEBUG_STOP_HITS_MAX]; /* numbers of the break/watch/catchpoints that stopped it; [0] is reported */
	uint8_t lanes[DEBUG_STOP_HITS_MAX]; /* of watchpoints: who is reported to have done it, in the focus' warp */
	bool temporary;			    /* the reported one was: it is gone now */
	bool has_thread;		    /* launch, uid, pc say who and where; else the machine as a whole */
	uint32_t launch, pc;		    /* pc: instruction index */
	uint64_t uid;
	uint64_t cycle;
	enum exec_fault_kind fault; /* EXCEPTION */
	uint64_t address;	    /* WATCHPOINT: watched address (generic) for the stub */
	int status;	  /* what `--batch` ends with because of this stop: 0, 3 exception, 4 deadlock or limit */
	int program_status; /* ENDED: the program's exit status, 128 + N if signal N has ended it */
	struct text text; /* the reason: one or more lines, each with its newline */
};
void debug_stop_init(struct debug_stop *s);
void debug_stop_free(struct debug_stop *s);

/* The whole report: reason lines, focus line, source line (the last one is left out where there is no source). */
void debug_stop_report(struct debug *d, const struct debug_stop *s, struct text *out);

/* Adds a stop to the open object: `reason`, `number`, `cycle`, `text`, `focus` and what else the reason has (docs/manual/json.md). */
void debug_stop_describe(struct debug *d, const struct debug_stop *s, struct report *r);

/* The last stop, as `info program` would say it; NULL before the first. */
const struct debug_stop *debug_last_stop(const struct debug *d);

/* A command that answers: adds its answer to a report. `args` is what was typed behind the command's name, never NULL. Returns false with a line in
 * `why` if it fails. */
typedef bool debug_answer_fn(struct debug *d, const char *args, struct report *answer, struct text *why);
/* Runs a command that answers, and appends its answer as text, as wide as the settings say. */
bool debug_answer_text(struct debug *d, debug_answer_fn *fn, const char *args, struct text *out, struct text *why);
/* A command that runs the machine. True: `stop` says how it ended. False: nothing ran. */
typedef bool debug_run_fn(struct debug *d, const char *args, struct debug_stop *stop, struct text *why);

#endif
